"""Commands that ask about sight: one line, what is seen, tables, exposure, dead ground, two rulings compared."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from studio.cli.common import (
    FINE,
    UsageError,
    check_output,
    given,
    name_value_pairs,
    open_document,
    option_pairs,
    print_answer,
    progress_bar,
    wrapped,
)
from studio.cli.rules import ruleset_of
from studio.errors import nearest

if TYPE_CHECKING:
    from studio.api import Map
    from studio.rules import Ruleset
    from studio.sight import Conditions

__all__ = ["add_sight_commands"]


def _open_for_sight(args: argparse.Namespace) -> tuple[Map, dict[str, Any], Conditions | None]:
    """Open a map, or a scenario with what its special rules say about sight; the command line adds to that."""
    from studio.api import Map

    document, chosen = open_document(args.map), option_pairs(args.option)
    if isinstance(document, Map):
        return document, chosen, _conditions(args, document, None)
    conditions = _conditions(args, document.map, document.conditions())
    return document.map, {**document.document.special.options, **chosen}, conditions


def _conditions(args: argparse.Namespace, map_: Map, base: Conditions | None) -> Conditions | None:
    """Add what the command line says of the units, of smoke, vehicles and breaches."""
    import msgspec

    from studio.sight import Conditions

    held = base or Conditions()
    number = map_.survey.directory.number
    for name in args.opened:
        if name not in map_.features:
            msg = f"--opened {name}: no feature of the map has this id; {nearest(name, map_.features)}"
            raise UsageError(msg)
    given = {
        "from_air": args.from_air,
        "to_air": args.to_air,
        "from_kind": args.from_kind,
        "to_kind": args.to_kind,
        "smoke": frozenset(map(number, args.smoke)),
        "vehicles": frozenset(map(number, args.vehicle)),
        "opened": frozenset(args.opened),
    }
    added = {
        name: getattr(held, name) | value if isinstance(value, frozenset) else value
        for name, value in given.items()
        if value
    }
    return msgspec.structs.replace(held, **added) if added else base


def _sight(args: argparse.Namespace) -> int:
    check_output(args.picture, args.map)
    map_, options, conditions = _open_for_sight(args)
    sighting = map_.sight(args.a, args.b, options=options, conditions=conditions)
    data = sighting.to_dict()
    if args.picture:
        from studio.draw import draw_sight, save_picture

        save_picture(draw_sight(map_, sighting), args.picture)
        data["picture"] = args.picture
    text = str(sighting) + (f"\npicture: {args.picture}" if args.picture else "")
    print_answer(data, text, as_json=args.json)
    return FINE


def _view(args: argparse.Namespace) -> int:
    check_output(args.picture, args.map)
    map_, options, conditions = _open_for_sight(args)
    view = map_.field_of_view(args.a, options=options, conditions=conditions)
    data = view.to_dict()
    lines = [f"{view.start} sees {view.visible_count} of {_all_of(map_)}", wrapped("clear", view.clear)]
    if view.hindrances:
        lines.append(wrapped("hindered", [f"{label} ({count})" for label, count in view.hindrances.items()]))

    def draw() -> Any:
        from studio.draw import draw_field_of_view

        return draw_field_of_view(map_, view)

    return _finish(args, data, lines, draw)


def _table(args: argparse.Namespace) -> int:
    from studio.sight.tablefile import check_table_file, write_table

    check_output(args.output, args.map)
    check_table_file(args.output)
    map_, options, conditions = _open_for_sight(args)
    table = map_.sight_table(options=options, conditions=conditions, progress=progress_bar("sight table"))
    write_table(table, args.output)
    data = {"table": args.output, "hexes": len(table.names), "locations": len(table.names)}
    seen = int(table.seen_counts().sum()) / max(1, len(table.names) ** 2)
    text = f"{_all_of(map_)}, {seen:.0%} of the pairs see each other\ntable: {args.output}"
    print_answer(data, text, as_json=args.json)
    return FINE


def _all_of(map_: Map) -> str:
    """Return how many locations a map has, in words."""
    directory = map_.survey.directory
    return f"{len(directory.numbers)} {'locations' if directory.others else 'hexes'}"


def _lookers(units: Sequence[str]) -> str:
    return f"{units[0]} sees" if len(units) == 1 else f"{len(units)} units see"


def _finish(args: argparse.Namespace, data: dict[str, Any], lines: list[str], draw: Callable[[], Any]) -> int:
    """Draw the picture that was asked for, and print the answer."""
    if args.picture:
        from studio.draw import save_picture

        save_picture(draw(), args.picture)
        data["picture"] = args.picture
        lines.append(f"picture: {args.picture}")
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def _exposure(args: argparse.Namespace) -> int:
    check_output(args.picture, args.map)
    map_, options, conditions = _open_for_sight(args)
    found = map_.exposure(args.units, options=options, conditions=conditions, progress=progress_bar("exposure"))
    data = found.to_dict()
    most = f", each seen by {max(data['counts'].values())} at most" if len(found.units) > 1 else ""
    lines = [f"{_lookers(found.units)} {found.seen_count} of {_all_of(map_)}{most}"]
    for count in range(len(found.units), 0, -1):
        labels = [label for label, seen in data["counts"].items() if seen == count]
        lines += [wrapped(f"seen by {count}", labels)] if labels else []

    def draw() -> Any:
        from studio.draw import draw_exposure

        return draw_exposure(map_, found)

    return _finish(args, data, lines, draw)


def _dead_ground(args: argparse.Namespace) -> int:
    check_output(args.picture, args.map)
    map_, options, conditions = _open_for_sight(args)
    found = map_.dead_ground(args.units, options=options, conditions=conditions, progress=progress_bar("dead ground"))
    data = found.to_dict()
    regions = len(data["regions"])
    where = f", in {regions} region{'s' * (regions != 1)}" if regions else ""
    lines = [f"{_lookers(found.units)} nothing of {data['unseen']} of {_all_of(map_)}{where}"]
    lines += [wrapped(f"region {part['region']} ({part['size']})", part["labels"]) for part in data["regions"]]

    def draw() -> Any:
        from studio.draw import draw_dead_ground

        return draw_dead_ground(map_, found)

    return _finish(args, data, lines, draw)


def _check_readings(
    own: Ruleset, args: argparse.Namespace, options_a: dict[str, Any], options_b: dict[str, Any]
) -> None:
    """Refuse to compare a game with itself under the same options."""
    if not args.option_a and not args.option_b:
        msg = "compare: name another game (--with R), or readings to compare (--option-a, --option-b NAME=VALUE)"
        raise UsageError(msg)
    force = own.options(options_a)
    if force == own.options(options_b):
        named = {name: force[name] for name in {**options_a, **options_b}}
        default = all(value == own.option_specs[name].default for name, value in named.items())
        what = " by default" if default else ""
        msg = f"compare: both readings are the same, {given(named)}{what}; give two that differ"
        raise UsageError(msg)


def _compare(args: argparse.Namespace) -> int:
    from studio.api import compare_rulesets
    from studio.api.carry import MissingTerrainError

    check_output(args.picture, args.map)
    if args.limit < 0:
        msg = f"--limit: got {args.limit}; say how many pairs to list at most, 0 or more"
        raise UsageError(msg)
    map_, options, conditions = _open_for_sight(args)
    own = map_.ruleset
    other = own if args.other is None else ruleset_of(args.other)
    options_a = {**options, **option_pairs(args.option_a, "--option-a")}
    options_b = {**(options if other is own else {}), **option_pairs(args.option_b, "--option-b")}
    if other is own:
        _check_readings(own, args, options_a, options_b)
    try:
        found = compare_rulesets(
            map_,
            own,
            other,
            terrain=name_value_pairs(args.terrain, "--terrain", "dunes=crops"),
            labels=args.start,
            options_a=options_a,
            options_b=options_b,
            conditions=conditions,
            progress=progress_bar("comparing"),
        )
    except MissingTerrainError as error:
        example = " ".join(f"{name}=..." for name in error.missing)
        msg = f"{error.what}; say what it counts as: --terrain {example}, with terrain of {error.choice}"
        raise UsageError(msg) from error
    data = found.to_dict(args.limit)
    share = found.differing_count / found.compared_count if found.compared_count else 0.0
    lines = [
        f"{found.first} (rows) with {found.second} (columns): {share:.1%} of {found.compared_count:,} lines differ"
    ]
    lines.append(f"{'':10}" + "".join(f"{name:>12}" for name in data["counts"]))
    lines += [f"{name:10}" + "".join(f"{count:12,}" for count in row.values()) for name, row in data["counts"].items()]
    lines += [f"note: {note}" for note in found.notes]
    lines += [f"{pair['from']} to {pair['to']}: {pair['first']}, {pair['second']}" for pair in data["pairs"]]

    def draw() -> Any:
        from studio.draw import draw_comparison

        return draw_comparison(map_, found, start=args.start[0] if args.start and len(args.start) == 1 else None)

    return _finish(args, data, lines, draw)


def _add_conditions(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what holds at the moment")
    group.add_argument("--from-air", action="store_true", help="the unit that looks is an air unit")
    group.add_argument("--to-air", action="store_true", help="the unit looked at is an air unit")
    group.add_argument("--from-kind", default="", metavar="KIND", help="kind of the unit that looks, such as sniper")
    group.add_argument("--to-kind", default="", metavar="KIND", help="kind of the unit looked at")
    for name, metavar, text in (
        ("--smoke", "LABEL", "locations with smoke"),
        ("--vehicle", "LABEL", "locations with a vehicle in the way"),
        ("--opened", "ID", "breaches that have been made"),
    ):
        group.add_argument(name, nargs="+", action="extend", default=[], metavar=metavar, help=text)


def add_sight_commands(
    command: Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser],
) -> None:
    """Add the commands that ask about sight."""

    def lookup(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = command(name, run, text)
        made.add_argument("map", metavar="MAP", help="a map, or a scenario with its special rules")
        made.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a reading of the rules")
        _add_conditions(made)
        return made

    sight = lookup("sight", _sight, "Tell whether one location sees another, and why.")
    sight.add_argument("a", metavar="A", help="label of the location that looks, such as 0101 or '29 roof'")
    sight.add_argument("b", metavar="B", help="label of the location looked at")
    sight.add_argument("--picture", metavar="FILE", help="draw the line too")
    view = lookup("view", _view, "Tell what a location sees.")
    view.add_argument("a", metavar="A", help="label of the location that looks")
    view.add_argument("--picture", metavar="FILE", help="draw the field of view too")
    table = lookup("table", _table, "Write the verdicts of all pairs of locations.")
    table.add_argument("-o", "--output", required=True, metavar="FILE", help=".csv or .npz")
    for name, run, text in (
        ("exposure", _exposure, "Tell how many of some locations see each location."),
        ("dead-ground", _dead_ground, "Tell which locations none of some locations sees."),
    ):
        several = lookup(name, run, text)
        several.add_argument("units", nargs="+", metavar="A", help="locations that look")
        several.add_argument("--picture", metavar="FILE", help="draw the answer too")
    compare = lookup(
        "compare", _compare, "Judge a map under two games, or two readings of one, and list the difference."
    )
    compare.add_argument("--with", dest="other", metavar="R", help="another game, or a TOML file of one's own")
    for which in "ab":
        text = f"a reading of the {'first' if which == 'a' else 'second'} game's rules"
        compare.add_argument(f"--option-{which}", action="append", default=[], metavar="NAME=VALUE", help=text)
    compare.add_argument(
        "--terrain", nargs="+", action="extend", default=[], metavar="OWN=OTHER", help="what terrain counts as there"
    )
    compare.add_argument(
        "--from", dest="start", nargs="+", action="extend", metavar="A", help="compare from these only"
    )
    compare.add_argument("--limit", type=int, default=20, metavar="N", help="pairs to list at most")
    compare.add_argument("--picture", metavar="FILE", help="draw the difference too")
