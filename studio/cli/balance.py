"""The command that weighs the sides of a scenario against each other, and tells what a bid for one means."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from studio.cli.common import FINE, Command, UsageError, check_output, is_scenario, open_document, print_answer

if TYPE_CHECKING:
    from studio.api import Scenario

__all__ = ["add_balance_command"]


def _open(file: str) -> Scenario:
    from studio.api import Scenario

    if not is_scenario(file):
        msg = f"{file}: balance is asked of a scenario, a file that ends in .scenario.json"
        raise UsageError(msg)
    document = open_document(file)
    assert isinstance(document, Scenario)
    return document


def _balance(args: argparse.Namespace) -> int:
    if args.points is not None and args.option is None:
        msg = "--points: say under which option of 7.3 the bid is made, by --bid 1, 2 or 3"
        raise UsageError(msg)
    check_output(args.output, args.file)
    scenario = _open(args.file)
    found = scenario.balance()
    data: dict[str, Any] = found.to_dict()
    lines = [repr(found)]
    if args.option is not None:
        bid = scenario.bid(args.option, base=args.base)
        data["bid"] = bid.to_dict()
        lines += ["", repr(bid), *(repr(one) for one in bid.others() if one.over)]
        if args.points is not None:
            meaning = bid.means(args.points)
            data["bid"]["means"] = meaning._asdict()
            lines.append(repr(meaning))
    if args.output:
        from studio.draw import draw_balance, save_picture

        save_picture(draw_balance(found), args.output)
        lines.append(f"drawn: {args.output}")
        data["picture"] = args.output
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def add_balance_command(command: Command) -> None:
    """Add the command about balance."""
    balance = command("balance", _balance, "Weigh the sides of a scenario: points, units, ratio, printed totals.")
    balance.add_argument("file", metavar="FILE", help="scenario")
    balance.add_argument("--bid", dest="option", type=int, choices=(1, 2, 3), help="bidding by an option of 7.3")
    balance.add_argument("--base", type=int, choices=(1, 2), default=1, help="option that option 3 goes with")
    balance.add_argument("--points", type=int, metavar="N", help="what a bid of N points means")
    balance.add_argument("-o", "--output", metavar="PICTURE", help="draw the bars into a file")
