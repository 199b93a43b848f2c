"""Commands that tell what a scenario says: its printable sheet, and its calendar."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from studio.cli.common import FINE, Command, UsageError, check_output, is_scenario, open_document, print_answer

if TYPE_CHECKING:
    from studio.api import Scenario

__all__ = ["add_briefing_commands"]


def _open(args: argparse.Namespace, what: str) -> Scenario:
    from studio.api import Scenario

    if not is_scenario(args.scenario):
        msg = f"{args.scenario}: a {what} is made of a scenario, a file that ends in .scenario.json"
        raise UsageError(msg)
    document = open_document(args.scenario)
    assert isinstance(document, Scenario)
    return document


def _brief(args: argparse.Namespace) -> int:
    check_output(args.output, args.scenario)
    made = _open(args, "sheet").brief(args.output, paper=args.paper, pictures=not args.no_pictures)
    data = {"file": args.output, "title": made.sheet.title, "sections": [one.title for one in made.sheet.sections]}
    print_answer(data, f"{args.output}: {made.sheet.title}, {len(made.sheet.sections)} sections", as_json=args.json)
    return FINE


def _calendar(args: argparse.Namespace) -> int:
    check_output(args.output, args.scenario)
    calendar = _open(args, "calendar").calendar()
    data, text = calendar.to_dict(), str(calendar)
    if args.output:
        from studio.draw import save_picture

        save_picture(calendar.plot(), args.output)
        data["picture"] = args.output
        text += f"\npicture: {args.output}"
    print_answer(data, text, as_json=args.json)
    return FINE


def add_briefing_commands(command: Command) -> None:
    """Add the commands that make the sheet and the calendar of a scenario."""
    made = command("brief", _brief, "Make a printable sheet of a scenario, as HTML or PDF.")
    made.add_argument("scenario", metavar="SCENARIO", help="file of the scenario")
    made.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write: .html or .pdf")
    made.add_argument("--paper", choices=("a4", "letter"), default="a4", help="size of the paper; a4 by default")
    made.add_argument("--no-pictures", action="store_true", help="without the map and the turn track")
    made = command("calendar", _calendar, "Tell what happens in a scenario turn by turn.")
    made.add_argument("scenario", metavar="SCENARIO", help="file of the scenario")
    made.add_argument("-o", "--output", metavar="PICTURE", help="draw the turn track too, as PNG, SVG or PDF")
