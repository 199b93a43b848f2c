"""Commands about whole documents: make, check, draw and export them; open JupyterLab."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.cli.common import (
    FINE,
    FOUND,
    USAGE,
    Command,
    UsageError,
    check_folder,
    check_output,
    open_document,
    print_answer,
    progress_bar,
    remedy,
    told,
)
from studio.cli.rules import ruleset_of
from studio.errors import DocumentError, StudioError
from studio.model import describe
from studio.rules import OWN_SUFFIX

if TYPE_CHECKING:
    from studio.api import Map, Scenario
    from studio.checks import Findings

__all__ = ["add_document_commands", "add_lab_command"]


PROMPT = "--ServerApp.kernel_websocket_connection_class=studio.cli.prompt.PromptConnection"
"""Option of JupyterLab with which answers of the kernel do not wait."""

STARTER = "notebooks/00-start.ipynb"
"""The project's own launcher notebook."""

_INTRO = "# Wargame Studio\n\nRun the cell below (Shift+Enter) and choose what to do."
_LAUNCH = "import studio\n\nstart = studio.launcher()\nstart"


def _new(args: argparse.Namespace) -> int:
    from studio.api import new_map
    from studio.grid import LabelScheme

    target = Path(args.map)
    if not target.name.endswith(".map.json"):
        msg = f"{target}: the file of a map is named NAME.map.json, such as {target.name.split('.')[0]}.map.json"
        raise UsageError(msg)
    if target.exists():
        msg = f"{target} exists already; name another file, or remove it first"
        raise UsageError(msg)
    check_folder(target)
    labels = None
    if args.labels == "letters":
        labels = LabelScheme.lettered()
    rules = ruleset_of(args.ruleset)
    made = new_map(
        rules,
        args.columns,
        args.rows,
        title=args.title or target.name.removesuffix(".json").removesuffix(".map"),
        labels=labels,
        orientation=args.orientation,
        stagger=args.stagger,
        short=args.short,
        half=args.half or (),
    )
    made.save(target)
    data: dict[str, Any] = {"map": str(target), "columns": args.columns, "rows": args.rows}
    lines = [f"made {target}: {made.title}, {args.columns} x {args.rows} hexes of {rules.title}"]
    if args.ruleset.endswith(".toml"):
        note = _own_game_note(rules.id, Path(args.ruleset), target)
        lines += [f"note: {note}"] if note else []
        data["notes"] = [note] if note else []
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def _own_game_note(ruleset_id: str, file: Path, target: Path) -> str:
    """Say what to do where a map will not find the file of its game; empty where it will."""
    beside = target.parent / f"{ruleset_id}{OWN_SUFFIX}"
    if beside.is_file():
        return ""
    return (
        f"the map names its game by the id {ruleset_id} and looks for it in {beside}, which does not exist; copy "
        f"{file} there, or give --rules {file} with every command"
    )


def _check_file(file: str, mended: Findings | None, lists: str = "") -> Findings:
    """Check a file; with a list for what is mended, make the repairs that its findings offer and write it.

    With a file of lists the map, or that of the scenario, is compared with them too; where they cannot be read, what is
    found on the map is told all the same.
    """
    from studio.api import Map
    from studio.checks import Findings

    found = Findings()
    try:
        document = open_document(file)
        if mended is not None and isinstance(document, Map):
            done = document.repair()
            if done:
                document.save()
                mended += done
        found += document.check()
        if lists:
            found += _check_lists(document, file, lists)
    except (StudioError, OSError) as error:
        found += _unreadable(file, error)
    return found


def _unreadable(file: str, error: Exception) -> Findings:
    """Return what is wrong with a file as findings."""
    from studio.checks import Finding, Findings

    if not isinstance(error, DocumentError):
        return Findings([Finding("error", file, "", "file", str(error), "name a map or a scenario of the studio")])
    # The scenario's map may be the broken file, so the place is the error's own.
    return Findings(
        Finding("error", error.file, fault.at or fault.path, "file", told(fault), remedy(fault))
        for fault in error.faults
    )


def _check_lists(document: Map | Scenario, file: str, lists: str) -> Findings:
    from studio.api import Map
    from studio.checks.lists import check_lists

    map_ = document if isinstance(document, Map) else document.map
    return check_lists(map_.survey, map_.ruleset, lists, file=file)


def _check(args: argparse.Namespace) -> int:
    from studio.checks import Findings

    show = progress_bar("checking")
    found, mended = Findings(), Findings()
    for number, file in enumerate(args.files, 1):
        found += _check_file(file, mended if args.repair else None, args.lists or "")
        show(number, len(args.files))
    errors = len(found.errors)
    files = f"{len(args.files)} file{'s' if len(args.files) != 1 else ''}"
    warned = len(found) - errors
    tally = f"{errors} error{'s' * (errors != 1)}, {warned} warning{'s' * (warned != 1)}"
    repaired = [
        f"repaired: {one.file}: {one.at}: {one.message} [{one.rule}] {describe(one.repair)}"
        for one in mended
        if one.repair is not None
    ]
    mend = f", {len(mended)} repaired" if args.repair else ""
    lines = [*repaired, *map(str, found), f"{files} checked: {tally}{mend}"]
    data = found.to_dict()
    if args.repair:
        data["repaired"] = mended.to_dict()["findings"]
    print_answer(data, "\n".join(lines), as_json=args.json)
    if any(not Path(file).exists() for file in (*args.files, *([args.lists] if args.lists else []))):
        return USAGE
    return FOUND if errors else FINE


def _draw(args: argparse.Namespace) -> int:
    from studio.api import Map
    from studio.draw import draw_map, save_picture

    if not 1 <= args.hex_px <= 1000:
        msg = f"--hex-px: got {args.hex_px}, allowed 1 to 1000 pixels"
        raise UsageError(msg)
    check_output(args.output, args.file)
    document = open_document(args.file)
    map_ = document if isinstance(document, Map) else document.map
    save_picture(draw_map(map_, hex_px=args.hex_px, legend=args.legend), args.output)
    print_answer({"picture": str(args.output)}, f"picture: {args.output}", as_json=args.json)
    return FINE


def _export(args: argparse.Namespace) -> int:
    from studio.api import Map, export_bundle
    from studio.checks import Findings
    from studio.files.bundle import ExportError

    check_output(args.output, args.file)
    if not args.output.endswith(".bundle.zip"):
        name = Path(args.output).name.split(".")[0] or "NAME"
        msg = f"{args.output}: the file of a bundle is named NAME.bundle.zip, such as {name}.bundle.zip"
        raise UsageError(msg)
    document = open_document(args.file)
    map_, scenario = (document, None) if isinstance(document, Map) else (document.map, document)
    try:
        target = export_bundle(map_, scenario, Path(args.output), progress=progress_bar("sight table"))
    except ExportError as error:
        findings = Findings(error.findings)
        print_answer(findings.to_dict(), f"{findings}\nnothing was written: the checks found errors", as_json=args.json)
        return FOUND
    size = target.stat().st_size
    print_answer({"bundle": str(target), "bytes": size}, f"bundle: {target} ({size:,} bytes)", as_json=args.json)
    return FINE


def _own_starter() -> Path:
    """Return a launcher notebook in the folder of work, made unless it is there."""
    file = Path("studio-start.ipynb")
    if not file.exists():
        cell: dict[str, Any] = {
            "cell_type": "code",
            "execution_count": None,
            "id": "launcher",
            "metadata": {},
            "outputs": [],
        }
        intro = {"cell_type": "markdown", "id": "intro", "metadata": {}, "source": _INTRO}
        kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
        book = {"cells": [intro, {**cell, "source": _LAUNCH}], "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
        file.write_text(json.dumps(book, indent=1) + "\n", encoding="utf-8")
    return file


def _lab(args: argparse.Namespace) -> int:
    import importlib.util
    import subprocess

    if importlib.util.find_spec("jupyterlab") is None:
        msg = "JupyterLab is not installed here; install it with: pip install jupyterlab"
        raise UsageError(msg)
    starter = Path(args.notebook or STARTER)
    if args.notebook is None and not starter.is_file():
        starter = _own_starter()
    if not starter.is_file():
        msg = f"{starter}: no such notebook; name one that is there, or none for the launcher"
        raise UsageError(msg)
    command = [sys.executable, "-m", "jupyter", "lab", str(starter), PROMPT]
    if args.no_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # Jupyter asks root to say so; in a container there is nobody else
    if args.json:
        print(json.dumps({"notebook": str(starter), "command": command[1:]}))
    return subprocess.call(command)


def add_document_commands(command: Command) -> None:
    """Add the commands about documents."""
    new = command("new", _new, "Make an empty map.")
    new.add_argument("map", metavar="MAP", help="file to make, such as maps/desert.map.json")
    new.add_argument("--ruleset", required=True, metavar="R", help="game; `studio rules` lists them; or a TOML file")
    new.add_argument("--columns", required=True, type=int, metavar="C")
    new.add_argument("--rows", required=True, type=int, metavar="R")
    new.add_argument("--title", default="")
    new.add_argument("--labels", choices=("ccrr", "letters"), default="ccrr", help="0101 or A1 at the top left")
    new.add_argument("--orientation", choices=("flat", "pointy"), default=None)
    new.add_argument("--stagger", choices=("odd", "even"), default="odd", help="lines, from 0, shifted by half a hex")
    new.add_argument("--short", action="store_true", help="the shifted lines have one hex fewer")
    new.add_argument("--half", nargs="*", choices=("top", "bottom", "left", "right"), help="edges with half hexes")

    check = command("check", _check, "Check maps and scenarios.")
    check.add_argument("files", nargs="+", metavar="FILE")
    check.add_argument(
        "--lists",
        metavar="CSV",
        help="compare with lists of adjacent zones: columns zone, adjacent, neighbouring, targets",
    )
    check.add_argument("--repair", action="store_true", help="mend what has only one remedy, and write the maps")

    draw = command("draw", _draw, "Draw a map, or the map of a scenario.")
    draw.add_argument("file", metavar="FILE")
    draw.add_argument("-o", "--output", required=True, metavar="PICTURE", help=".png, .svg or .pdf")
    draw.add_argument("--hex-px", type=float, default=48.0, metavar="N", help="height of a hex in pixels")
    draw.add_argument("--legend", action="store_true")

    export = command("export", _export, "Check a scenario or a map and hand it over.")
    export.add_argument("file", metavar="FILE")
    export.add_argument("--to", choices=("bundle",), default="bundle", metavar="FORMAT", help="bundle")
    export.add_argument("-o", "--output", required=True, metavar="OUT", help="file to write, such as NAME.bundle.zip")


def add_lab_command(command: Command) -> None:
    """Add the command that opens JupyterLab."""
    lab = command("lab", _lab, "Open JupyterLab on the launcher: new map, open, import, unsaved work.")
    lab.add_argument("notebook", nargs="?", default=None, metavar="NOTEBOOK", help="another notebook to open")
    lab.add_argument("--no-browser", action="store_true")
