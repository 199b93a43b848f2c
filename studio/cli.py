"""The command line: ``studio new, check, sight, view, table, draw, export, rules, lab``.

Exit codes: 0 fine, 1 findings of error (a file that cannot be read as what it should be is one), 2 usage.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio import __version__
from studio.errors import DocumentError, StudioError

if TYPE_CHECKING:
    from studio.api import Map, Scenario
    from studio.checks import Findings
    from studio.sight import Conditions

__all__ = ["main"]

FINE, FOUND, USAGE = 0, 1, 2


class _UsageError(StudioError, ValueError):
    """A command line that cannot be carried out."""


def _print(data: Any, text: str, *, as_json: bool) -> None:
    print(json.dumps(data, ensure_ascii=False, indent=1) if as_json else text)


def _progress(title: str) -> Callable[[int, int], None]:
    """Return a progress bar on the error stream, shown when people watch."""
    from tqdm import tqdm

    bar: tqdm[Any] = tqdm(desc=title, file=sys.stderr, disable=not sys.stderr.isatty(), leave=False)

    def show(done: int, total: int) -> None:
        bar.total = total
        bar.update(done - bar.n)
        if done == total:
            bar.close()

    return show


def _is_scenario(file: str) -> bool:
    return file.endswith(".scenario.json")


def _open(file: str) -> Map | Scenario:
    from studio.api import open_map, open_scenario

    return (open_scenario if _is_scenario(file) else open_map)(file, recover_unsaved=False)


def _check_output(output: str | None, source: str) -> None:
    """Refuse to write over a document of the studio."""
    if output and (
        output.endswith((".map.json", ".scenario.json")) or Path(output).resolve() == Path(source).resolve()
    ):
        msg = f"{output}: this would replace a document; name another file to write to"
        raise _UsageError(msg)


def _open_for_sight(args: argparse.Namespace) -> tuple[Map, dict[str, Any], Conditions | None]:
    """Open a map, or a scenario with what its special rules say about sight."""
    from studio.api import Map

    document, chosen = _open(args.map), _options(args.option)
    if isinstance(document, Map):
        return document, chosen, None
    return document.map, {**document.document.special.options, **chosen}, document.conditions()


def _options(pairs: Sequence[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs; true, false and whole numbers are what they look like."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            msg = f"--option {pair!r}: write name=value, as `studio rules` lists them"
            raise _UsageError(msg)
        words: dict[str, Any] = {"true": True, "false": False}
        found[name] = words.get(value.lower(), int(value) if re.fullmatch("-?[0-9]{1,9}", value) else value)
    return found


# -- commands --------------------------------------------------------------------------------------------------------


def _new(args: argparse.Namespace) -> int:
    from studio.api import new_map
    from studio.grid import LabelScheme

    target = Path(args.map)
    if not target.name.endswith(".map.json"):
        msg = f"{target}: the file of a map is named NAME.map.json, such as {target.name.split('.')[0]}.map.json"
        raise _UsageError(msg)
    if target.exists():
        msg = f"{target} exists already; name another file, or remove it first"
        raise _UsageError(msg)
    if not target.parent.is_dir():
        msg = f"{target}: there is no folder {target.parent}; make it first"
        raise _UsageError(msg)
    labels = None
    if args.labels == "letters":
        labels = LabelScheme.lettered()
    made = new_map(
        args.ruleset,
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
    _print(
        {"map": str(target), "columns": args.columns, "rows": args.rows}, f"made {target}: {made!r}", as_json=args.json
    )
    return FINE


def _check_file(file: str) -> Findings:
    from studio.checks import Finding, Findings

    try:
        return _open(file).check()
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

    show = _progress("checking")
    found = Findings()
    for number, file in enumerate(args.files, 1):
        found += _check_file(file)
        show(number, len(args.files))
    errors = len(found.errors)
    files = f"{len(args.files)} file{'s' if len(args.files) != 1 else ''}"
    warned = len(found) - errors
    tally = f"{errors} error{'s' * (errors != 1)}, {warned} warning{'s' * (warned != 1)}"
    lines = [*map(str, found), f"{files} checked: {tally}"]
    _print(found.to_dict(), "\n".join(lines), as_json=args.json)
    return FOUND if errors else FINE


def _sight(args: argparse.Namespace) -> int:
    _check_output(args.picture, args.map)
    map_, options, conditions = _open_for_sight(args)
    sighting = map_.sight(args.a, args.b, options=options, conditions=conditions)
    data = sighting.to_dict()
    if args.picture:
        from studio.draw import draw_sight, save_picture

        save_picture(draw_sight(map_.model, sighting), args.picture)
        data["picture"] = args.picture
    text = str(sighting) + (f"\npicture: {args.picture}" if args.picture else "")
    _print(data, text, as_json=args.json)
    return FINE


def _view(args: argparse.Namespace) -> int:
    _check_output(args.picture, args.map)
    map_, options, conditions = _open_for_sight(args)
    view = map_.field_of_view(args.a, options=options, conditions=conditions)
    data = view.to_dict()
    lines = [repr(view), textwrap.fill("clear: " + " ".join(view.clear), 110, subsequent_indent="  ")]
    if view.hindrances:
        lines.append("hindered: " + " ".join(f"{label} ({n})" for label, n in view.hindrances.items()))
    if args.picture:
        from studio.draw import draw_field_of_view, save_picture

        save_picture(draw_field_of_view(map_.model, view), args.picture)
        data["picture"] = args.picture
        lines.append(f"picture: {args.picture}")
    _print(data, "\n".join(lines), as_json=args.json)
    return FINE


def _table(args: argparse.Namespace) -> int:
    map_, options, conditions = _open_for_sight(args)
    table = map_.sight_table(options=options, conditions=conditions, progress=_progress("sight table"))
    target = Path(args.output)
    _check_output(args.output, args.map)
    if target.suffix == ".npz":
        import numpy as np

        np.savez_compressed(target, labels=np.array(table.names), codes=table.to_array())
    elif target.suffix == ".csv":
        with target.open("w", encoding="utf-8", newline="") as file:
            file.write("from,to,status\n")
            file.writelines(f"{a},{b},{status}\n" for a, b, status in table.rows())
    else:
        msg = f"{target}: a table is written as .csv (one line a pair) or .npz (labels and codes)"
        raise _UsageError(msg)
    _print({"table": str(target), "hexes": len(table.names)}, f"{table!r}\ntable: {target}", as_json=args.json)
    return FINE


def _draw(args: argparse.Namespace) -> int:
    from studio.api import Map
    from studio.draw import draw_map, save_picture

    if not 1 <= args.hex_px <= 1000:
        msg = f"--hex-px: got {args.hex_px}, allowed 1 to 1000 pixels"
        raise _UsageError(msg)
    _check_output(args.output, args.file)
    document = _open(args.file)
    map_ = document if isinstance(document, Map) else document.map
    save_picture(draw_map(map_.model, hex_px=args.hex_px, legend=args.legend), args.output)
    _print({"picture": str(args.output)}, f"picture: {args.output}", as_json=args.json)
    return FINE


def _export(args: argparse.Namespace) -> int:
    from studio.api import Map, export_bundle
    from studio.checks import Findings
    from studio.files.bundle import ExportError

    _check_output(args.output, args.file)
    document = _open(args.file)
    map_, scenario = (document, None) if isinstance(document, Map) else (document.map, document)
    try:
        target = export_bundle(map_, scenario, Path(args.output), progress=_progress("sight table"))
    except ExportError as error:
        findings = Findings(error.findings)
        _print(findings.to_dict(), f"{findings}\nnothing was written: the checks found errors", as_json=args.json)
        return FOUND
    size = target.stat().st_size
    _print({"bundle": str(target), "bytes": size}, f"bundle: {target} ({size:,} bytes)", as_json=args.json)
    return FINE


def _rules(args: argparse.Namespace) -> int:
    from studio.rules import get_ruleset, ruleset_ids

    if args.checks:
        from studio.checks import CATALOGUE

        entries = sorted(CATALOGUE.values(), key=lambda info: info.rule)
        data = [{"rule": i.rule, "about": i.about, "severity": i.severity, "text": i.text} for i in entries]
        _print({"checks": data}, "\n".join(f"{i.rule:28} {i.severity:8} {i.text}" for i in entries), as_json=args.json)
        return FINE
    if args.ruleset is None:
        known = [get_ruleset(name) for name in ruleset_ids()]
        data = [{"id": ruleset.id, "title": ruleset.title} for ruleset in known]
        _print({"rulesets": data}, "\n".join(f"{r.id:20} {r.title}" for r in known), as_json=args.json)
        return FINE
    ruleset = get_ruleset(args.ruleset)
    if args.units:
        roster = ruleset.scenario.roster()
        found = [
            {"type": u.id, "name": u.name, "kind": u.kind, "points": u.points, "quantity": u.quantity}
            for u in roster.values()
        ]
        lines = [f"{u.id:32} {u.name:28} {u.kind:15} {u.points:3} points" for u in roster.values()]
        _print({"units": found}, "\n".join(lines), as_json=args.json)
        return FINE
    lines = [f"{ruleset.title} ({ruleset.id})", "", "terrain, its character in map files, what it does to sight"]
    lines += [f"  {name:16} {terrain.char}  sight: {terrain.sight}" for name, terrain in ruleset.terrains.items()]
    lines += ["", "hexsides: " + ", ".join(ruleset.side_kinds), "markers: " + ", ".join(ruleset.marker_types)]
    lines += ["movers: " + ", ".join(ruleset.movers), "", "options (--option name=value)"]
    for name, spec in ruleset.option_specs.items():
        values = " | ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in spec.values)
        lines += [f"  {name} = {values}   [{spec.section}]", f"      {spec.text}"]
    _print(ruleset.to_bundle(), "\n".join(lines), as_json=args.json)
    return FINE


def _lab(args: argparse.Namespace) -> int:
    import importlib.util
    import subprocess

    if importlib.util.find_spec("jupyterlab") is None:
        msg = "JupyterLab is not installed here; install it with: pip install jupyterlab"
        raise _UsageError(msg)
    starter = Path(args.notebook)
    if not starter.is_file():
        msg = f"{starter}: no such notebook; run this in the project's folder, or name a notebook"
        raise _UsageError(msg)
    command = [sys.executable, "-m", "jupyter", "lab", str(starter), *(["--no-browser"] if args.no_browser else [])]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # Jupyter asks root to say so; in a container there is nobody else
    if args.json:
        print(json.dumps({"notebook": str(starter), "command": command[1:]}))
    return subprocess.call(command)


# -- the parser ------------------------------------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="studio", description="Maps and scenarios for tabletop wargames.")
    parser.add_argument("--version", action="version", version=f"studio {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.add_argument("--json", action="store_true", help="print JSON")
        made.set_defaults(run=run)
        return made

    new = command("new", _new, "Make an empty map.")
    new.add_argument("map", metavar="MAP", help="file to make, such as maps/desert.map.json")
    new.add_argument("--ruleset", required=True, metavar="R", help="game; `studio rules` lists them")
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

    def lookup(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = command(name, run, text)
        made.add_argument("map", metavar="MAP", help="a map, or a scenario with its special rules")
        made.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a reading of the rules")
        return made

    sight = lookup("sight", _sight, "Tell whether one hex sees another, and why.")
    sight.add_argument("a", metavar="A")
    sight.add_argument("b", metavar="B")
    sight.add_argument("--picture", metavar="FILE", help="draw the line too")
    view = lookup("view", _view, "Tell what a hex sees.")
    view.add_argument("a", metavar="A")
    view.add_argument("--picture", metavar="FILE", help="draw the field of view too")
    table = lookup("table", _table, "Write the verdicts of all pairs of hexes.")
    table.add_argument("-o", "--output", required=True, metavar="FILE", help=".csv or .npz")

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
    rules.add_argument("ruleset", nargs="?", metavar="R")
    rules.add_argument("--checks", action="store_true", help="list the checks instead")
    rules.add_argument("--units", action="store_true", help="list the unit types of the game instead")

    lab = command("lab", _lab, "Open JupyterLab on the starter notebook.")
    lab.add_argument("notebook", nargs="?", default="notebooks/01-first-walk.ipynb", metavar="NOTEBOOK")
    lab.add_argument("--no-browser", action="store_true")
    return parser


def _fail(args: argparse.Namespace, error: Exception) -> int:
    """Say what was wrong with the command line."""
    if args.json:
        print(json.dumps({"error": str(error)}, ensure_ascii=False))
    print(f"studio: {error}", file=sys.stderr)
    return USAGE


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    from studio.files import MissingFileError

    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except MissingFileError as error:
        return _fail(args, error)
    except DocumentError as error:
        if args.json:
            faults = [
                {
                    "severity": "error",
                    "file": error.file,
                    "at": fault.at or fault.path,
                    "rule": "file",
                    "message": f"{fault.path}: {fault.message}",
                    "remedy": fault.remedy,
                }
                for fault in error.faults
            ]
            print(json.dumps({"findings": faults}, ensure_ascii=False, indent=1))
        print(f"studio: {error}", file=sys.stderr)
        return FOUND
    except BrokenPipeError:
        return FINE
    except (StudioError, OSError) as error:
        return _fail(args, error)


if __name__ == "__main__":
    sys.exit(main())
