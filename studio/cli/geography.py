"""Maps of geography from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from studio.cli.common import FINE, Command, UsageError, check_output, print_answer, progress_bar

__all__ = ["add_geography_arguments", "add_why_command", "import_spec", "is_spec"]

_SHOWN = 10
_PICTURES = (".png", ".svg", ".pdf")


def is_spec(file: str) -> bool:
    """Tell the specification of a map of geography from other files by its name."""
    from studio.api.geography import SPEC_ENDINGS

    return file.lower().endswith(SPEC_ENDINGS)


def add_geography_arguments(taking: Any) -> None:
    """Add to the command that imports what only specifications of geography have."""
    group = taking.add_argument_group("of a specification of geography")
    group.add_argument(
        "--keep", action="store_true", help="keep what was edited on the map since it was made, as overrides"
    )
    group.add_argument("--report", default="", metavar="FILE", help="write the report as .md, .csv or .json")
    group.add_argument("--picture", default="", metavar="FILE", help="draw the data beside the map, such as x.png")


def import_spec(args: argparse.Namespace) -> int:
    """Make a map of geography, with a report and a picture where they are asked for.

    Raises
    ------
    UsageError
        When an option is for other files, or a file cannot be written where it is wanted.
    """
    from studio.api import import_geography

    if args.ruleset or args.option:
        msg = f"{args.file}: a specification says the game and everything else itself; leave --ruleset and --option out"
        raise UsageError(msg)
    _check_outputs(args)
    with _bar() as tell:
        made = import_geography(args.file, args.output, keep=args.keep, progress=tell)
    written = [str(args.output), str(made.record_path)]
    if args.report:
        written.append(str(made.save_report(args.report)))
    if args.picture:
        from studio.draw import save_picture

        save_picture(made.plot(), args.picture)
        written.append(args.picture)
    print_answer(_data(args, made, written), _text(made, written, args.report), as_json=args.json)
    return FINE


def _check_outputs(args: argparse.Namespace) -> None:
    """Refuse what cannot be written before anything is made.

    Raises
    ------
    UsageError
        Naming the file.
    """
    from studio.api.geographyreport import check_report_name

    for output in (args.report, args.picture):
        check_output(output, args.file)
    if args.report:
        check_report_name(Path(args.report))
    if args.picture and Path(args.picture).suffix.lower() not in _PICTURES:
        msg = f"--picture {args.picture}: a picture is written as {', '.join(_PICTURES)}; give it one of these endings"
        raise UsageError(msg)


@contextmanager
def _bar() -> Iterator[Callable[[str, float], None]]:
    """Show how far the import is, where people watch."""
    show = progress_bar("geography", "{desc:24} {percentage:3.0f}% {bar}")
    try:
        yield lambda step, part: show(min(round(part * 100), 99), 100, step)
    finally:
        show(100, 100)


def _data(args: argparse.Namespace, made: Any, written: list[str]) -> dict[str, Any]:
    """Return the answer as plain data."""
    import msgspec

    return {
        "file": args.file,
        "map": str(args.output),
        "written": written,
        "hexes": len(made.record.hexes),
        "seconds": round(made.seconds, 3),
        "figures": made.record.figures,
        "residuals": list(made.record.residuals),
        "findings": msgspec.to_builtins(made.record.of("finding")),
        "overrides": msgspec.to_builtins(made.record.of("override")),
        "sources": msgspec.to_builtins(made.record.sources),
        "notes": made.notes,
    }


def _text(made: Any, written: list[str], report: str) -> str:
    from studio.exchange.geography.report import counts_line, finding_lines, source_lines

    record = made.record
    lines = [f"map: {', '.join(written)}", f"{len(record.hexes)} hexes in {made.seconds:.1f} s; {counts_line(record)}"]
    found = finding_lines(record, _SHOWN, f": {report or '--report report.md'} has them all")
    lines += [one if number == _SHOWN else f"finding: {one}" for number, one in enumerate(found)]
    lines += [f"source: {one}" for one in source_lines(record)]
    lines += [f"note: {note}" for note in dict.fromkeys(made.notes)]
    return "\n".join(lines)


# -- why ---------------------------------------------------------------------------------------------------------------


def add_why_command(command: Command) -> None:
    """Add the command that tells why hexes of a map of geography are what they are."""
    text = "Tell why hexes of a map that was made of geography are what they are."
    asking = command("why", _why, text)
    asking.add_argument("file", metavar="MAP", help="map with its record beside it, such as maps/iran-iraq.map.json")
    asking.add_argument("hexes", nargs="+", metavar="HEX", help="label of a hex")


def _why(args: argparse.Namespace) -> int:
    from studio.api import geography_record

    record = geography_record(args.file)
    found = [record.why(label) for label in args.hexes]
    data = {"file": args.file, "hexes": [one.data() for one in found]}
    print_answer(data, "\n".join(map(str, found)), as_json=args.json)
    return FINE
