"""Commands about whole documents: make, check, draw and export them; list the games; open JupyterLab."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from studio.cli.common import (
    FINE,
    FOUND,
    Command,
    UsageError,
    check_output,
    open_document,
    print_answer,
    progress_bar,
)
from studio.errors import DocumentError, StudioError

if TYPE_CHECKING:
    from studio.checks import Findings
    from studio.rules import Ruleset

__all__ = ["add_document_commands", "add_lab_command"]


def _ruleset(name: str) -> Ruleset:
    """Return a game by its id, or by the TOML file of one's own."""
    from studio.rules import get_ruleset, load_ruleset

    return load_ruleset(name) if name.endswith(".toml") else get_ruleset(name)


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
    if not target.parent.is_dir():
        msg = f"{target}: there is no folder {target.parent}; make it first"
        raise UsageError(msg)
    labels = None
    if args.labels == "letters":
        labels = LabelScheme.lettered()
    made = new_map(
        _ruleset(args.ruleset),
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
    print_answer(
        {"map": str(target), "columns": args.columns, "rows": args.rows}, f"made {target}: {made!r}", as_json=args.json
    )
    return FINE


def _check_file(file: str) -> Findings:
    from studio.checks import Finding, Findings

    try:
        return open_document(file).check()
    except DocumentError as error:
        # The scenario's map may be the broken file, so the place is the error's own.
        return Findings(
            Finding("error", error.file, fault.at or fault.path, "file", f"{fault.path}: {fault.message}", fault.remedy)
            for fault in error.faults
        )
    except (StudioError, OSError) as error:
        return Findings([Finding("error", file, "", "file", str(error), "name a map or a scenario of the studio")])


def _check(args: argparse.Namespace) -> int:
    from studio.checks import Findings

    show = progress_bar("checking")
    found = Findings()
    for number, file in enumerate(args.files, 1):
        found += _check_file(file)
        show(number, len(args.files))
    errors = len(found.errors)
    files = f"{len(args.files)} file{'s' if len(args.files) != 1 else ''}"
    warned = len(found) - errors
    tally = f"{errors} error{'s' * (errors != 1)}, {warned} warning{'s' * (warned != 1)}"
    lines = [*map(str, found), f"{files} checked: {tally}"]
    print_answer(found.to_dict(), "\n".join(lines), as_json=args.json)
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


def _rules(args: argparse.Namespace) -> int:
    from studio.rules import get_ruleset, ruleset_ids

    if args.checks:
        from studio.checks import CATALOGUE

        entries = sorted(CATALOGUE.values(), key=lambda info: info.rule)
        data = [{"rule": i.rule, "about": i.about, "severity": i.severity, "text": i.text} for i in entries]
        print_answer(
            {"checks": data}, "\n".join(f"{i.rule:28} {i.severity:8} {i.text}" for i in entries), as_json=args.json
        )
        return FINE
    if args.ruleset is None:
        known = [get_ruleset(name) for name in ruleset_ids()]
        data = [{"id": ruleset.id, "title": ruleset.title} for ruleset in known]
        print_answer({"rulesets": data}, "\n".join(f"{r.id:20} {r.title}" for r in known), as_json=args.json)
        return FINE
    ruleset = _ruleset(args.ruleset)
    if args.units:
        roster = ruleset.scenario.roster()
        found = [
            {"type": u.id, "name": u.name, "kind": u.kind, "points": u.points, "quantity": u.quantity}
            for u in roster.values()
        ]
        lines = [f"{u.id:32} {u.name:28} {u.kind:15} {u.points:3} points" for u in roster.values()]
        print_answer({"units": found}, "\n".join(lines), as_json=args.json)
        return FINE
    lines = [f"{ruleset.title} ({ruleset.id})", "", "terrain, its character in map files, what it does to sight"]
    lines += [f"  {name:16} {terrain.char}  sight: {terrain.sight}" for name, terrain in ruleset.terrains.items()]
    lines += ["", "hexsides: " + ", ".join(ruleset.side_kinds), "markers: " + ", ".join(ruleset.marker_types)]
    lines += ["movers: " + ", ".join(ruleset.movers), "", "options (--option name=value)"]
    for name, spec in ruleset.option_specs.items():
        lines += [f"  {name} = {spec.choices}   [{spec.section}]", f"      {spec.text}"]
    print_answer(ruleset.to_bundle(), "\n".join(lines), as_json=args.json)
    return FINE


def _lab(args: argparse.Namespace) -> int:
    import importlib.util
    import subprocess

    if importlib.util.find_spec("jupyterlab") is None:
        msg = "JupyterLab is not installed here; install it with: pip install jupyterlab"
        raise UsageError(msg)
    starter = Path(args.notebook)
    if not starter.is_file():
        msg = f"{starter}: no such notebook; run this in the project's folder, or name a notebook"
        raise UsageError(msg)
    command = [sys.executable, "-m", "jupyter", "lab", str(starter), *(["--no-browser"] if args.no_browser else [])]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # Jupyter asks root to say so; in a container there is nobody else
    if args.json:
        print(json.dumps({"notebook": str(starter), "command": command[1:]}))
    return subprocess.call(command)


def add_document_commands(command: Command) -> None:
    """Add the commands about documents and games."""
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

    draw = command("draw", _draw, "Draw a map, or the map of a scenario.")
    draw.add_argument("file", metavar="FILE")
    draw.add_argument("-o", "--output", required=True, metavar="PICTURE", help=".png, .svg or .pdf")
    draw.add_argument("--hex-px", type=float, default=48.0, metavar="N", help="height of a hex in pixels")
    draw.add_argument("--legend", action="store_true")

    export = command("export", _export, "Check a scenario or a map and hand it over.")
    export.add_argument("file", metavar="FILE")
    export.add_argument("--to", choices=("bundle",), default="bundle", metavar="FORMAT", help="bundle")
    export.add_argument("-o", "--output", required=True, metavar="OUT", help="file to write, such as NAME.bundle.zip")

    rules = command("rules", _rules, "List the games, or what one of them has.")
    rules.add_argument("ruleset", nargs="?", metavar="R", help="id of a game, or the TOML file of your own")
    rules.add_argument("--checks", action="store_true", help="list the checks instead")
    rules.add_argument("--units", action="store_true", help="list the unit types of the game instead")


def add_lab_command(command: Command) -> None:
    """Add the command that opens JupyterLab."""
    lab = command("lab", _lab, "Open JupyterLab on the starter notebook.")
    lab.add_argument("notebook", nargs="?", default="notebooks/01-first-walk.ipynb", metavar="NOTEBOOK")
    lab.add_argument("--no-browser", action="store_true")
