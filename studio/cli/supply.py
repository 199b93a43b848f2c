"""The command that asks about supply: which units of a scenario are in supply, and what would be."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from studio.cli.common import (
    FINE,
    Command,
    UsageError,
    check_output,
    is_scenario,
    open_document,
    option_pairs,
    print_answer,
)
from studio.errors import nearest

if TYPE_CHECKING:
    from studio.api import Scenario
    from studio.paths.supply_answer import Supply

__all__ = ["add_supply_command"]


def _open(file: str) -> Scenario:
    from studio.api import Scenario

    if not is_scenario(file):
        msg = f"{file}: supply is asked of a scenario, a file that ends in .scenario.json"
        raise UsageError(msg)
    document = open_document(file)
    assert isinstance(document, Scenario)
    return document


def _side(args: argparse.Namespace, scenario: Scenario) -> str | None:
    """Return the side that is asked about: the one named, that of the unit named, or all."""
    sides = {unit.id: force.id for force in scenario.document.forces for f in force.formations for unit in f.units}
    if args.unit is None:
        for flag in ("enemy_at", "at"):
            if getattr(args, flag) and args.side is None:
                msg = f"--{flag.replace('_', '-')}: say whose supply is asked, by --side"
                raise UsageError(msg)
        return str(args.side) if args.side else None
    if args.unit not in sides:
        msg = f"--unit {args.unit}: no such unit; {nearest(args.unit, sides)}"
        raise UsageError(msg)
    if args.side and args.side != sides[args.unit]:
        msg = f"--unit {args.unit}: it is of {sides[args.unit]}, not of {args.side}"
        raise UsageError(msg)
    return sides[args.unit]


def _picked(args: argparse.Namespace, scenario: Scenario, found: Supply) -> Supply:
    if args.unit is None:
        return found
    picked = found.only(args.unit)
    if not picked and args.enemy_at and any(unit.id == args.unit for unit in scenario.situation.units):
        cell = next(unit.cell for unit in scenario.situation.units if unit.id == args.unit)
        at = scenario.played.survey.directory.label(cell)
        msg = f"--unit {args.unit}: it is gone when an enemy stands in its hex, {at}; leave that out of --enemy-at"
        raise UsageError(msg)
    if not picked:
        msg = f"--unit {args.unit}: it has no hex, so it traces no line; place it first"
        raise UsageError(msg)
    return picked


def _control(args: argparse.Namespace, scenario: Scenario) -> dict[str, list[str]]:
    """Read who would control which hexes: SIDE=HEX, HEX and more of the same side after it; =HEX for nobody."""
    sides = [force.id for force in scenario.document.forces]
    found: dict[str, list[str]] = {}
    side: str | None = None
    for given in args.control:
        name, is_new, labels = given.rpartition("=")
        side = name if is_new else side
        if side is None or (side and side not in sides):
            known = f"; {nearest(side, sides)}" if side else ""
            msg = f"--control {given}: give SIDE=HEX, such as {sides[0] if sides else 'blue'}=0304{known}"
            raise UsageError(msg)
        found.setdefault(side, []).extend(label for label in labels.split(",") if label)
    return found


def _supply(args: argparse.Namespace) -> int:
    check_output(args.picture, args.scenario)
    scenario = _open(args.scenario)
    side, options = _side(args, scenario), option_pairs(args.option)
    if args.interdiction:
        return _interdiction(args, scenario, side, options)
    asked = {
        "at": args.at,
        "without": args.without,
        "enemy_at": args.enemy_at,
        "control": _control(args, scenario),
        "restored": args.restored,
    }
    if args.unit and args.at:
        msg = "--at: it asks about hexes, --unit about a unit; give one of the two"
        raise UsageError(msg)
    answer = _picked(args, scenario, scenario.supply(side, options=options, **asked))
    data = answer.to_dict()
    text = repr(answer)
    if args.picture:
        from studio.draw import draw_supply, save_picture

        save_picture(draw_supply(scenario, answer), args.picture)
        data["picture"] = args.picture
        text += f"\npicture: {args.picture}"
    print_answer(data, text, as_json=args.json)
    return FINE


def _interdiction(args: argparse.Namespace, scenario: Scenario, side: str | None, options: dict[str, Any]) -> int:
    if side is None or args.unit or any((args.at, args.without, args.enemy_at, args.control, args.restored)):
        msg = "--interdiction: give --side, and neither --unit nor --at nor anything that would be"
        raise UsageError(msg)
    found = scenario.interdiction(side, options=options)
    data, text = found.to_dict(), repr(found)
    if args.picture:
        from studio.draw import draw_interdiction, save_picture

        save_picture(draw_interdiction(scenario, found), args.picture)
        data["picture"] = args.picture
        text += f"\npicture: {args.picture}"
    print_answer(data, text, as_json=args.json)
    return FINE


def add_supply_command(command: Command) -> None:
    """Add the command about supply."""
    supply = command("supply", _supply, "Ask which units of a scenario are in supply, and why.")
    supply.add_argument("scenario", metavar="SCENARIO", help="file of the scenario")
    supply.add_argument("--side", metavar="S", help="id of a force; all of them by default")
    supply.add_argument("--unit", metavar="U", help="id of one unit")
    supply.add_argument("--without", nargs="+", default=[], metavar="HEX", help="what if no line could use these hexes")
    supply.add_argument("--enemy-at", nargs="+", default=[], metavar="HEX", help="what if enemies stood in these hexes")
    supply.add_argument("--at", nargs="+", default=[], metavar="HEX", help="ask about these hexes instead of units")
    supply.add_argument(
        "--control",
        nargs="+",
        action="extend",
        default=[],
        metavar="SIDE=HEX",
        help="what if a side controlled these hexes: SIDE=HEX HEX ..., =HEX for nobody",
    )
    supply.add_argument(
        "--restored", nargs="+", default=[], metavar="HEX", help="what if these retaken sources worked again"
    )
    supply.add_argument("--interdiction", action="store_true", help="how many units each hex would cut off instead")
    supply.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="another reading of a rule")
    supply.add_argument("--picture", metavar="P", help="draw the answer, as PNG, SVG or PDF")
