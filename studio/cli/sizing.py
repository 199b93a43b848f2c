"""The commands that change the size of a map."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.cli.common import FINE, Command, UsageError, check_folder, open_document, print_answer

if TYPE_CHECKING:
    from studio.api import Map, Resized, Scenario

__all__ = ["add_sizing_commands"]


def _resize(args: argparse.Namespace) -> int:
    def change(map_: Map) -> Resized:
        edges: dict[str, int] = {edge: getattr(args, edge) for edge in ("left", "right", "top", "bottom")}
        return map_.resize(**edges, terrain=args.terrain or None, labels=args.labels, dry_run=args.dry_run)

    return _changed(args, change)


def _crop(args: argparse.Namespace) -> int:
    return _changed(args, lambda map_: map_.crop(args.hexes, labels=args.labels, dry_run=args.dry_run))


def _changed(args: argparse.Namespace, change: Any) -> int:
    """Change the map of a file, and save it, there or in another file; a scenario goes along."""
    from studio.api import Map, ResizeWarning

    target = _target(args)
    document = open_document(args.file)
    map_ = document if isinstance(document, Map) else document.map
    if target is not None and document is not map_:
        msg = f"{args.file}: a scenario and its map are saved where they are; leave -o off, or name the map alone"
        raise UsageError(msg)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResizeWarning)  # the report says so, too
        report = change(map_)
    saved = [] if args.dry_run else _saved(document, map_, target)
    told = "" if args.dry_run else f"saved {' and '.join(saved)}"
    lines = [*report.lines(), told] if told else [*report.lines(), "nothing was changed (--dry-run)"]
    print_answer({**report.to_dict(), "saved": saved}, "\n".join(lines), as_json=args.json)
    return FINE


def _target(args: argparse.Namespace) -> Path | None:
    if args.output is None:
        return None
    target = Path(args.output)
    if not target.name.endswith(".map.json"):
        msg = f"{target}: the file of a map is named NAME.map.json, such as {target.name.split('.')[0]}.map.json"
        raise UsageError(msg)
    if target.exists():
        msg = f"{target} exists already; name another file, or remove it first"
        raise UsageError(msg)
    check_folder(target)
    return target


def _saved(document: Map | Scenario, map_: Map, target: Path | None) -> list[str]:
    """Save the map, and the scenario that followed it; return their files."""
    map_.save(target)
    found = [str(target or map_.name)]
    if document is not map_:
        document.save()
        found.append(document.name)
    return found


def add_sizing_commands(command: Command) -> None:
    """Add the commands that change the size of a map."""
    resize = command("resize", _resize, "Add or remove rows and columns at the edges of a map; all stays on its hex.")
    resize.add_argument("file", metavar="MAP", help="or a scenario, which follows its map")
    for edge, what in (("left", "columns"), ("right", "columns"), ("top", "rows"), ("bottom", "rows")):
        resize.add_argument(f"--{edge}", type=int, default=0, metavar="N", help=f"{what} to add; -N removes as many")
    resize.add_argument("--terrain", default="", metavar="ID", help="terrain of the new hexes")
    crop = command("crop", _crop, "Reduce a map to the smallest frame around some hexes.")
    crop.add_argument("file", metavar="MAP", help="or a scenario, which follows its map")
    crop.add_argument("hexes", nargs="+", metavar="HEX", help="labels, such as two corners")
    for parser in (resize, crop):
        parser.add_argument(
            "--labels",
            choices=("renumber", "keep"),
            default="renumber",
            help="count anew, or keep the label of each hex",
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would be lost")
        parser.add_argument("-o", "--output", metavar="OUT", help="file to make; the map itself is changed without")
