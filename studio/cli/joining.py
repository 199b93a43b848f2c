"""The command that joins two maps in one."""

from __future__ import annotations

import argparse
import re
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from studio.cli.common import FINE, Command, UsageError, check_folder, open_document, print_answer
from studio.errors import GridError

if TYPE_CHECKING:
    from studio.api import Map

__all__ = ["add_join_command"]


def _typed(text: str) -> str:
    """Return a message with the options as they are typed."""
    text = text.replace("turned=True", "--turned").replace("turned=False", "without --turned it")
    text = re.sub(r"shift=(\S+)", r"--shift \1", text)
    return re.sub(r"prefixes=\(('.*?'), ('.*?')\)", r"--prefix \1 \2", text)


def _opened(file: str) -> Map:
    from studio.api import Map

    found = open_document(file)
    if not isinstance(found, Map):
        msg = f"{file}: this is a scenario; name two maps"
        raise UsageError(msg)
    return found


def _join(args: argparse.Namespace) -> int:
    from studio.api import JoinWarning, join_maps

    target = Path(args.output)
    if not target.name.endswith(".map.json"):
        msg = f"{target}: the file of a map is named NAME.map.json, such as {target.name.split('.')[0]}.map.json"
        raise UsageError(msg)
    if target.exists():
        msg = f"{target} exists already; name another file, or remove it first"
        raise UsageError(msg)
    check_folder(target)
    first, second = _opened(args.first), _opened(args.second)
    prefixes = (args.prefix[0], args.prefix[1])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", JoinWarning)  # its notes are told below
            made = join_maps(
                first,
                second,
                edge=args.edge,
                turned=args.turned,
                shift=args.shift,
                prefixes=prefixes,
                title=args.title,
            )
    except GridError as error:
        raise UsageError(_typed(str(error))) from error
    made.save(target)
    sheets = [{"id": one.id, "title": one.title, "prefix": one.prefix, "layer": one.layer} for one in made.sheets]
    size = {"columns": made.grid.columns, "rows": made.grid.rows}
    lines = [f"made {target}: {made.title}, {made.grid.columns} x {made.grid.rows} hexes of {made.ruleset.title}"]
    lines += [f"sheet {one['id']}: prefix {one['prefix'] or 'none'}, {one['layer']}" for one in sheets]
    lines += [f"note: {note}" for note in made.notes_on_opening]
    data = {"map": str(target), **size, "sheets": sheets, "notes": list(made.notes_on_opening)}
    print_answer(data, "\n".join(lines), as_json=args.json)
    return FINE


def add_join_command(command: Command) -> None:
    """Add the command that joins two maps."""
    join = command("join", _join, "Join two maps of one game in a new one, at an edge or apart.")
    join.add_argument("first", metavar="FIRST")
    join.add_argument("second", metavar="SECOND")
    join.add_argument("-o", "--output", required=True, metavar="OUT", help="file to make, such as maps/both.map.json")
    join.add_argument(
        "--edge",
        choices=("right", "left", "top", "bottom", "apart"),
        default="right",
        help="edge of the first map at which the second lies",
    )
    join.add_argument("--turned", action="store_true", help="the second map lies turned by half a turn")
    join.add_argument(
        "--shift", type=float, default=0.0, metavar="N", help="move the second so many hexes along the edge"
    )
    join.add_argument(
        "--prefix", nargs=2, default=("", ""), metavar=("P", "Q"), help='before the labels of each map, such as "" B'
    )
    join.add_argument("--title", default="")
