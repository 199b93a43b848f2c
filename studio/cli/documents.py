"""Commands about whole documents: make and draw them; open JupyterLab."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from studio.cli.common import (
    FINE,
    Command,
    UsageError,
    check_folder,
    check_output,
    open_document,
    print_answer,
)
from studio.cli.rules import ruleset_of
from studio.rules import OWN_SUFFIX

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

    draw = command("draw", _draw, "Draw a map, or the map of a scenario.")
    draw.add_argument("file", metavar="FILE")
    draw.add_argument("-o", "--output", required=True, metavar="PICTURE", help=".png, .svg or .pdf")
    draw.add_argument("--hex-px", type=float, default=48.0, metavar="N", help="height of a hex in pixels")
    draw.add_argument("--legend", action="store_true")


def add_lab_command(command: Command) -> None:
    """Add the command that opens JupyterLab."""
    lab = command("lab", _lab, "Open JupyterLab on the launcher: new map, open, import, unsaved work.")
    lab.add_argument("notebook", nargs="?", default=None, metavar="NOTEBOOK", help="another notebook to open")
    lab.add_argument("--no-browser", action="store_true")
