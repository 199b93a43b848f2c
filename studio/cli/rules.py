"""The command that lists the games, and what one of them has."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from studio.cli.common import FINE, Command, print_answer
from studio.cli.rules_movement import movement_parts

if TYPE_CHECKING:
    from studio.rules import OptionSpec, Ruleset

__all__ = ["add_rules_command", "ruleset_of"]

_DRAWN = {
    "area": 'areas: add("area", type=TYPE, outline=...)',
    "place": 'places: add("place", type=TYPE, name=..., at=...)',
    "wall": 'walls: add("wall", type=TYPE, line=...)',
    "aperture": 'apertures: add("aperture", type=TYPE, at=..., into=..., arrows=...)',
    "link": 'links: add("link", type=TYPE, a=..., b=...)',
    "marker": 'markers: add("marker", type=TYPE, at=...)',
}


def ruleset_of(name: str) -> Ruleset:
    """Return a game by its id, or by the TOML file of one's own."""
    from studio.rules import get_ruleset, load_ruleset

    return load_ruleset(name) if name.endswith(".toml") else get_ruleset(name)


def _rules(args: argparse.Namespace) -> int:
    if args.checks:
        data, text = _checks()
    elif args.ruleset is None:
        data, text = _games()
    elif args.units:
        data, text = _units(ruleset_of(args.ruleset))
    else:
        ruleset = ruleset_of(args.ruleset)
        ratings = {name: msgspec.to_builtins(spec) for name, spec in ruleset.ratings.items()}
        data, text = {**ruleset.to_bundle(), "ratings": ratings}, _game(ruleset)
    print_answer(data, text, as_json=args.json)
    return FINE


def _checks() -> tuple[dict[str, Any], str]:
    from studio.checks import CATALOGUE

    entries = sorted(CATALOGUE.values(), key=lambda info: info.rule)
    data = [{"rule": i.rule, "about": i.about, "severity": i.severity, "text": i.text} for i in entries]
    return {"checks": data}, "\n".join(
        f"{i.rule:28} {i.severity:8} {f'{i.game}: ' if i.game else ''}{i.text}" for i in entries
    )


def _games() -> tuple[dict[str, Any], str]:
    from studio.rules import get_ruleset, ruleset_ids

    known = [get_ruleset(name) for name in ruleset_ids()]
    data = [{"id": ruleset.id, "title": ruleset.title} for ruleset in known]
    return {"rulesets": data}, "\n".join(f"{ruleset.id:20} {ruleset.title}" for ruleset in known)


def _units(ruleset: Ruleset) -> tuple[dict[str, Any], str]:
    roster = ruleset.scenario.roster()
    found = [
        {"type": u.id, "name": u.name, "kind": u.kind, "mover": u.mover, "points": u.points, "quantity": u.quantity}
        for u in roster.values()
    ]
    lines = [
        f"{u.id:32} {u.name:28} {u.kind:15} {u.mover:16} {f'{u.points:3} points' if u.points else ''}".rstrip()
        for u in roster.values()
    ]
    return {"units": found}, "\n".join(lines)


def _game(ruleset: Ruleset) -> str:
    """Return all that a designer can name in a game, each part under a heading of its own."""
    sight = ruleset.has_sight
    head = f"{ruleset.title} ({ruleset.id})"
    parts = [[head] if sight else [head, "no lines of sight in this game"]]
    low, high = ruleset.levels
    parts[0].append(f"levels {low} to {high}; kinds of feature: {', '.join(ruleset.feature_kinds) or 'none'}")
    terrain = "terrain, its character in map files" + (", what it does to sight" if sight else "")
    parts.append([terrain, *_lines(ruleset.terrains, sight=sight)])
    parts.append(["hexsides: set_side(a, b, KIND)", *_lines(ruleset.side_kinds, sight=sight)])
    for kind, heading in _DRAWN.items():
        drawn = kind in ruleset.feature_kinds or kind == "marker"  # scenarios put markers, too
        parts.append([heading, *_lines(ruleset.drawn_types(kind) if drawn else {}, sight=sight)])
    movers = [f"  {name:24} {mover.name}" for name, mover in ruleset.movers.items()]
    parts.append(["movers", *movers])
    parts += movement_parts(ruleset)
    options = [line for name, spec in ruleset.option_specs.items() for line in _option(name, spec)]
    parts.append(["ratings of scenarios, sides and formations", *_ratings(ruleset)])
    parts.append(["options (--option name=value); the value in force first, marked *", *options])
    return "\n\n".join("\n".join(part) for at, part in enumerate(parts) if not at or len(part) > 1)


def _lines(entries: Mapping[str, Any], *, sight: bool) -> list[str]:
    """Return a line a terrain, hexside or type: its id, the character of terrain, its name, what it does."""
    lines = []
    for name, entry in entries.items():
        what = [f"sight: {entry.sight}"] if sight and entry.sight else []
        what += ["a location"] if getattr(entry, "location", False) else []
        what += ["no location"] if not getattr(entry, "playable", True) else []
        char = getattr(entry, "char", "")
        lines.append(f"  {name:24} {f'{char}  ' if char else ''}{entry.name:28} {', '.join(what)}".rstrip())
        for tag, said in getattr(entry, "tags", {}).items():
            lines.append(f"    tag {tag:18} {said.name}" + (f" [{said.section}]" if said.section else ""))
    return lines


def _ratings(ruleset: Ruleset) -> list[str]:
    """Return the ratings that scenarios of the game give: name, whose, what is allowed, and what it is."""
    lines = []
    for name, spec in ruleset.ratings.items():
        section = f"   [{spec.section}]" if spec.section else ""
        lines.append(f"  {name:20} {' or '.join(spec.of):24} {spec.allowed}{section}")
        text = f"{spec.title}: {spec.text}"
        lines.append(textwrap.fill(text, 110, initial_indent="      ", subsequent_indent="      "))
    return lines


def _option(name: str, spec: OptionSpec) -> list[str]:
    """Return an option with the value in force first: that of the game, or what the file of one's own sets."""
    typed = [str(one).lower() if isinstance(one, bool) else str(one) for one in (spec.default, *spec.values)]
    others = [one for one in typed[1:] if one != typed[0]]
    if len(spec.values) > 8 and all(type(value) is int for value in spec.values):
        others = [spec.choices]
    values = " | ".join([f"{typed[0]} *", *others])
    text = textwrap.fill(spec.text, 110, initial_indent="      ", subsequent_indent="      ")
    return [f"  {name} = {values}   [{spec.section}]", text]


def add_rules_command(command: Command) -> None:
    """Add the command about games."""
    rules = command("rules", _rules, "List the games, or what one of them has.")
    rules.add_argument("ruleset", nargs="?", metavar="R", help="id of a game, or the TOML file of your own")
    rules.add_argument("--checks", action="store_true", help="list the checks instead")
    rules.add_argument("--units", action="store_true", help="list the unit types of the game instead")
