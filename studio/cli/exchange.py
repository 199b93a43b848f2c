"""Handing documents over in other programs' formats from the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from studio.cli.common import (
    FINE,
    Command,
    UsageError,
    check_folder,
    check_output,
    open_document,
    option_pairs,
    print_answer,
)
from studio.cli.geography import add_geography_arguments, import_spec, is_spec
from studio.exchange.formats import Format, format_of, formats

__all__ = ["add_format_arguments", "add_import_command", "export_in_format", "other_format"]


def add_format_arguments(export: Any) -> None:
    """Add to the command that exports what says the format, and the format's options."""
    named = "; ".join(f"{one.id}: {one.title} ({', '.join(one.suffixes)})" for one in formats())
    export.add_argument(
        "--to",
        choices=[one.id for one in formats()],
        default="",
        metavar="FORMAT",
        help=f"format, where the file's ending does not say it. {named}",
    )
    export.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="option of the format, such as hex_px=64"
    )


def other_format(args: argparse.Namespace) -> Format | None:
    """Return the format that a command line asks for, None for bundles, which are checked and written in another way.

    Raises
    ------
    UsageError
        When options are given for a bundle.
    """
    found = format_of(Path(args.output), args.to, default="bundle")
    if found.module:
        return found
    if args.option:
        msg = "--option: a bundle has no options here; name another format with --to"
        raise UsageError(msg)
    return None


def export_in_format(args: argparse.Namespace, format_: Format, files: Sequence[str]) -> int:
    """Write documents in a format that has a module of its own: one as the file named, several into a folder.

    Raises
    ------
    UsageError
        When a file cannot be written where it is wanted.
    """
    from studio.api.exporting import export

    told: list[dict[str, Any]] = []
    lines: list[str] = []
    for file, target in _targets(files, Path(args.output), format_):
        check_output(str(target), file)
        written = export(open_document(file), target, format_, dict(option_pairs(args.option)))
        names = [str(one) for one in written.files]
        told.append({"file": file, "written": names, "notes": list(written.notes)})
        sizes = ", ".join(f"{one} ({one.stat().st_size:,} bytes)" for one in written.files)
        lines += [f"{format_.id}: {sizes}", *(f"note: {note}" for note in written.notes)]
    data: dict[str, Any] = told[0] if len(told) == 1 else {"files": told}
    print_answer(data, "\n".join(dict.fromkeys(lines)), as_json=args.json)
    return FINE


def _targets(files: Sequence[str], output: Path, format_: Format) -> list[tuple[str, Path]]:
    """Return each file with what it is written to."""
    if len(files) == 1 and not output.is_dir():
        return [(files[0], output)]
    if output.suffix:
        msg = f"{output}: {len(files)} files need a folder, such as -o exports"
        raise UsageError(msg)
    check_folder(output)
    output.mkdir(exist_ok=True)
    return [(file, output / f"{Path(file).name.split('.')[0]}{format_.suffixes[0]}") for file in files]


def _import(args: argparse.Namespace) -> int:
    if is_spec(args.file):
        return import_spec(args)
    for flag in ("keep", "report", "picture"):
        if getattr(args, flag):
            msg = f"--{flag}: is for specifications of geography (.geography.toml); leave it out for {args.file}"
            raise UsageError(msg)
    from studio.api import import_file

    notes: list[str] = []
    options = dict(option_pairs(args.option))
    if args.ruleset:
        options["ruleset"] = args.ruleset
    made = import_file(args.file, args.output, notes=notes, **options)
    files = (
        [str(args.output)]
        if made.kind == "map"
        else [str(args.output), str(Path(args.output).with_name(Path(str(made.path)).name))]
    )
    data = {"file": args.file, "written": files, "notes": notes}
    lines = [f"{made.kind}: {', '.join(files)}", *(f"note: {note}" for note in notes)]
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def add_import_command(command: Command) -> None:
    """Add the command that takes in other programs' files."""
    text = "Make a map of a bundle, a Tiled map, geodata, a table, a picture, a VASSAL module, or of geography."
    taking = command("import", _import, text)
    taking.add_argument("file", metavar="FILE", help="x.geography.toml, .bundle.zip, .tmj, .gpkg, .csv, .png, .vmod …")
    taking.add_argument("-o", "--output", required=True, metavar="MAP", help="map to make, such as maps/mine.map.json")
    taking.add_argument("--ruleset", default="", metavar="R", help="game, where the file does not say it")
    taking.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help='how it is read, such as columns=20, or as JSON: mapping={"grass":"clear"}',
    )
    add_geography_arguments(taking)
