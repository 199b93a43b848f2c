"""Commands that ask about movement: the way from one location to another, and all that can be reached."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

from studio.cli.common import FINE, UsageError, check_output, open_document, option_pairs, print_answer, wrapped
from studio.errors import nearest

if TYPE_CHECKING:
    from studio.api import Map

__all__ = ["add_path_commands"]


def _open_for_movement(args: argparse.Namespace) -> tuple[Map, dict[str, Any]]:
    """Open a map, or that of a scenario; return it with what holds: mover, points, options, state."""
    from studio.api import Map

    document, options = open_document(args.map), option_pairs(args.option)
    if not isinstance(document, Map):
        options = {**document.document.special.options, **options}
        document = document.map
    asked = {"mover": args.mover, "points": args.points, "options": options, "state": _state(args, document)}
    return document, asked


def _state(args: argparse.Namespace, map_: Map) -> dict[str, Any]:
    """Read what holds at the moment: locations set off by commas, pairs as A:B, true where only a name is given."""
    found: dict[str, Any] = {name: getattr(args, name) for name in ("enemies", "blocked") if getattr(args, name)}
    if not args.state:
        return found
    kinds = get_type_hints(map_.ruleset.paths.STATE)
    for given in args.state:
        name, _, value = given.partition("=")
        if name not in kinds:
            msg = f"--state {given}: {map_.ruleset.title} knows no such state; {nearest(name, kinds)}"
            raise UsageError(msg)
        if get_origin(kinds[name]) is frozenset:
            labels = [label for label in value.split(",") if label]
            in_pairs = get_origin(get_args(kinds[name])[0]) is tuple
            found[name] = [label.split(":") for label in labels] if in_pairs else labels
        else:
            found[name] = option_pairs([f"{name}={value or 'true'}"], "--state")[name]
    return found


def _route(args: argparse.Namespace) -> int:
    check_output(args.picture, args.map)
    map_, asked = _open_for_movement(args)
    route = map_.route(args.a, args.b, **asked)

    def draw() -> Any:
        from studio.draw import draw_route

        return draw_route(map_, route)

    return _finish(args, route.to_dict(), [str(route)], draw)


def _reach(args: argparse.Namespace) -> int:
    check_output(args.picture, args.map)
    map_, asked = _open_for_movement(args)
    reach = map_.reach(args.a, **asked)
    head, *rest = str(reach).splitlines()
    warning = [line.strip() for line in rest if line.startswith("  warning")]
    listed = [line.strip().partition(": ") for line in rest if not line.startswith("  warning")]
    lines = [head, *warning, *(wrapped(name, labels.split(" ")) for name, _, labels in listed)]

    def draw() -> Any:
        from studio.draw import draw_reach

        return draw_reach(map_, reach)

    return _finish(args, reach.to_dict(), lines, draw)


def _finish(args: argparse.Namespace, data: dict[str, Any], lines: list[str], draw: Callable[[], Any]) -> int:
    """Draw the picture that was asked for, and print the answer."""
    if args.picture:
        from studio.draw import save_picture

        save_picture(draw(), args.picture)
        data["picture"] = args.picture
        lines.append(f"picture: {args.picture}")
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def add_path_commands(
    command: Callable[[str, Callable[[argparse.Namespace], int], str], argparse.ArgumentParser],
) -> None:
    """Add the commands that ask about movement."""
    for name, run, text in (
        ("route", _route, "Find the cheapest way from a location to another, or what bars it."),
        ("reach", _reach, "List every location that a mover can reach, and for how many points."),
    ):
        made = command(name, run, text)
        made.add_argument("map", metavar="MAP", help="a map, or a scenario with its special rules")
        made.add_argument("a", metavar="A", help="label of the location that the mover starts from")
        if name == "route":
            made.add_argument("b", metavar="B", help="label of the location that it goes to")
        made.add_argument("--mover", required=True, metavar="M", help="a way of moving that the game knows")
        made.add_argument("--points", metavar="N", help="most points, halves as 7/2 or 3½")
        made.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a reading of the rules")
        made.add_argument("--picture", metavar="FILE", help="draw the answer too")
        group = made.add_argument_group("what holds at the moment")
        for flag, what in (("--enemies", "enemy units"), ("--blocked", "no room to enter")):
            group.add_argument(
                flag, nargs="+", action="extend", default=[], metavar="LABEL", help=f"locations with {what}"
            )
        group.add_argument(
            "--state",
            action="append",
            default=[],
            metavar="NAME[=VALUE]",
            help="what else the game asks for, such as flank or shaken=0304,0305",
        )
