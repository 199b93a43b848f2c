"""The command that asks about command: which units of a scenario are commanded, and by whom."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from studio.cli.common import (
    FINE,
    Command,
    UsageError,
    check_output,
    is_scenario,
    name_value_pairs,
    open_document,
    option_pairs,
    print_answer,
)

if TYPE_CHECKING:
    from studio.api import Scenario

__all__ = ["add_command_command"]


def _open(file: str) -> Scenario:
    from studio.api import Scenario

    if not is_scenario(file):
        msg = f"{file}: command is asked of a scenario, a file that ends in .scenario.json"
        raise UsageError(msg)
    document = open_document(file)
    assert isinstance(document, Scenario)
    return document


def _ranges(args: argparse.Namespace) -> dict[str, int]:
    given = name_value_pairs(args.range, "--range", "--range sergeant-1=3")
    for leader, value in given.items():
        if not value.isdecimal():
            msg = f"--range {leader}={value}: give a whole number, such as {leader}=3"
            raise UsageError(msg)
    return {leader: int(value) for leader, value in given.items()}


def _command(args: argparse.Namespace) -> int:
    check_output(args.picture, args.scenario)
    ranges, options = _ranges(args), option_pairs(args.option)
    scenario = _open(args.scenario)
    answer = scenario.command(args.side, at=args.at, ranges=ranges, options=options)
    data = answer.to_dict()
    text = repr(answer)
    if args.picture:
        from studio.draw import draw_command, save_picture

        save_picture(draw_command(scenario, answer), args.picture)
        data["picture"] = args.picture
        text += f"\npicture: {args.picture}"
    print_answer(data, text, as_json=args.json)
    return FINE


def add_command_command(command: Command) -> None:
    """Add the command about command."""
    made = command(
        "command", _command, "Ask which units of a scenario are in command, by whom, and why not the others."
    )
    made.add_argument("scenario", metavar="SCENARIO", help="file of the scenario")
    made.add_argument("--side", metavar="S", help="id of a force; all of them by default")
    made.add_argument(
        "--at", nargs="+", default=[], metavar="PLACE", help="ask about these places instead of the units"
    )
    made.add_argument("--range", action="append", default=[], metavar="LEADER=N", help="command range of a leader")
    made.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="another reading of a rule")
    made.add_argument("--picture", metavar="P", help="draw the answer, as PNG, SVG or PDF")
