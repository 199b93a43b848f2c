"""The command that prints a map or a scenario to scale."""

from __future__ import annotations

import argparse
from typing import Any

from studio.cli.common import FINE, Command, UsageError, check_output, open_document, print_answer

__all__ = ["add_printing_command"]

_LENGTHS = ("hex_mm", "flats_mm", "margin", "overlap", "bleed", "counter_mm")
_WORDS = ("orientation", "inks", "flip", "text", "dpi", "most_sheets")
_SWITCHES = ("counters", "only_in_play", "backdrop", "hex_data")
_LEFT_OUT = ("marks", "front", "legend", "labels")


def _print(args: argparse.Namespace) -> int:
    check_output(args.output, args.file)
    options: dict[str, Any] = {}
    for name in (*_LENGTHS, *_WORDS):
        if getattr(args, name) is not None:
            options[name] = getattr(args, name)
    options |= {name: True for name in _SWITCHES if getattr(args, name)}
    options |= {name: False for name in _LEFT_OUT if getattr(args, f"no_{name}")}
    if args.paper is not None:
        options["paper"] = _paper(args.paper)
    for name in ("parts", "hide"):
        if getattr(args, name):
            options[name] = getattr(args, name)
    if args.units is not None:
        options["units"] = args.units == "yes"
    printed = open_document(args.file).print(args.output, **options)
    files = [str(file) for file in printed.files]
    data = {
        "files": files,
        "sheets": printed.sheets,
        "pages": printed.pages,
        "hex_mm": printed.hex_mm,
        "flats_mm": round(printed.flats_mm, 4),
        "notes": list(printed.notes),
    }
    size = f"hexes {printed.hex_mm:.4g} mm wide, {printed.flats_mm:.4g} mm from side to side"
    lines = [f"{', '.join(files)}: {_counted(printed)}; {size}", *(f"note: {note}" for note in printed.notes)]
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def _counted(printed: Any) -> str:
    sheets = f"{printed.sheets} sheet{'s' if printed.sheets != 1 else ''}"
    return sheets if printed.pages == printed.sheets else f"{sheets} of the map, {printed.pages} pages in all"


def _paper(text: str) -> str | list[float]:
    """Return the name of a paper, or width and height of one such as 330x480."""
    wide, cross, high = text.lower().partition("x")
    if not cross or not wide[:1].isdigit():
        return text
    try:
        return [float(wide), float(high)]
    except ValueError as error:
        msg = f"--paper {text}: width and height in millimetres are written such as 330x480"
        raise UsageError(msg) from error


def add_printing_command(command: Command) -> None:
    """Add the command that prints to scale."""
    press = command("print", _print, "Print a map or a scenario to scale: sheets as PDF, one picture as SVG or PNG.")
    press.add_argument("file", metavar="FILE")
    press.add_argument("-o", "--output", required=True, metavar="FILE", help=".pdf, .svg or .png")
    size = press.add_mutually_exclusive_group()
    size.add_argument(
        "--hex-mm", type=float, metavar="MM", help="width of a hex, corner to corner if it is flat-topped"
    )
    size.add_argument("--flats-mm", type=float, metavar="MM", help="distance of two opposite sides instead")
    press.add_argument("--paper", metavar="P", help="A4, A3, Letter, Tabloid, ..., 330x480, or one page for all: one")
    press.add_argument("--orientation", choices=("auto", "portrait", "landscape"), help="auto: fewest sheets")
    press.add_argument("--margin", type=float, metavar="MM", help="rim of each sheet, 10 by default")
    press.add_argument("--overlap", type=float, metavar="MM", help="what neighbours share, 8 by default")
    press.add_argument("--bleed", type=float, metavar="MM", help="picture beyond the crop marks, 0 by default")
    press.add_argument("--inks", choices=("full", "safe", "grey", "saver"), help="safe: sides for every colour vision")
    press.add_argument("--only-in-play", action="store_true", help="nothing but what the scenario uses of the map")
    press.add_argument("--parts", nargs="+", metavar="ID", help="sheets or layers of a map that has several")
    press.add_argument("--hide", nargs="+", metavar="LAYER", help="layers to leave out, such as labels or relief")
    press.add_argument("--units", choices=("yes", "no"), help="units on the map; by default unless --counters")
    press.add_argument("--counters", action="store_true", help="counters to cut out, turn track and set-up card too")
    press.add_argument("--counter-mm", type=float, metavar="MM", help="width of a counter")
    press.add_argument("--flip", choices=("long", "short"), help="edge over which the printer turns counter sheets")
    press.add_argument("--backdrop", action="store_true", help="with the scan of the map")
    press.add_argument("--dpi", type=int, metavar="N", help="of pictures in a PDF and of a PNG, 300 by default")
    press.add_argument("--text", choices=("paths", "text"), help="letters of an SVG: outlines, or text to change")
    press.add_argument("--hex-data", action="store_true", help="in an SVG: label, terrain and level of each hex")
    press.add_argument("--most-sheets", type=int, metavar="N", help="more are refused, 60 by default")
    for name, what in (
        ("marks", "crop and registration marks"),
        ("front", "the page before the sheets"),
        ("legend", "the legend"),
        ("labels", "hex numbers and names"),
    ):
        press.add_argument(f"--no-{name}", action="store_true", help=f"without {what}")
