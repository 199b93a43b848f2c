"""Boards of VASSAL modules: the picture and the grid of one, out of the module's archive."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

import msgspec

from studio.errors import nearest
from studio.exchange.common.files import parse_xml, refused
from studio.exchange.pictures.options import VassalGrid
from studio.files import write_atomic

__all__ = ["Board", "board_of", "picture_of"]

MAX_MODULE = 1_000_000_000
MAX_BUILD, MAX_PICTURE = 64 * 1024 * 1024, 200 * 1024 * 1024
"""Most bytes of a module's build file, and of the picture of a board."""
_LONGEST = 200  # bytes of a file's name, so that what is written beside it while it is saved has a name too
_BUILD = ("buildFile.xml", "buildFile")


class Board(NamedTuple):
    """A board of a module: its name, the file of its picture in the archive, and its grid."""

    name: str
    picture: str
    grid: VassalGrid


def board_of(module: Path, name: str = "") -> Board:
    """Return a board with a hex grid.

    Parameters
    ----------
    module : Path
        A ``.vmod``.
    name : str
        Of the board; the only one with hexes when empty.

    Raises
    ------
    DocumentError
        When it is no module, or has no such board, or several and none is named.
    """
    with _opened(module) as archive:
        entry = next((one for one in _BUILD if one in archive.namelist()), "")
        if not entry:
            raise refused(module, "holds no buildFile.xml", "name a VASSAL module (.vmod)")
        root = parse_xml(_member(module, archive, entry, MAX_BUILD), f"{module} ({entry})")
    boards = list(_boards(root))
    known = [one for one, _, _ in boards]
    chosen = [board for board in boards if name in ("", board[0])]
    if not chosen:
        message = f"has no board {name!r} with hexes" if name else "has no board with hexes"
        raise refused(module, f"{message}; {nearest(name, known)}" if known else message, "name one that it has")
    if len(chosen) > 1:
        raise refused(module, f"has the boards {', '.join(map(repr, known))}", "say which: board=")
    called, picture, grid = chosen[0]
    try:
        return Board(called, picture, _grid(grid))
    except msgspec.ValidationError as error:
        raise refused(
            module, f"the grid of the board {called!r} is none: {error}", "give it by hand: vassal="
        ) from error


def picture_of(module: Path, board: Board, folder: Path) -> Path:
    """Take the picture of a board out of a module and lay it into a folder, under its own name.

    Raises
    ------
    DocumentError
        When the module does not hold it, or its name leads elsewhere.
    SaveError
        When it cannot be written.
    """
    name = PurePosixPath(board.picture.replace("\\", "/")).name
    if not name or name in (".", "..") or ":" in name or len(name.encode()) > _LONGEST:
        raise refused(module, f"names no picture for the board {board.name!r}", "take another board")
    with _opened(module) as archive:
        entry = next((one for one in (f"images/{board.picture}", board.picture) if one in archive.namelist()), "")
        if not entry:
            raise refused(module, f"does not hold the picture {board.picture!r}", "get the whole module")
        data = _member(module, archive, entry, MAX_PICTURE)
    target = folder / name
    if target.exists() and target.read_bytes() != data:
        raise refused(module, f"has a picture {name!r}, and another one of that name lies there", "move that one away")
    if not target.exists():
        write_atomic(target, data)
    return target


def _opened(module: Path) -> zipfile.ZipFile:
    try:
        if module.stat().st_size > MAX_MODULE:
            raise refused(module, f"has over {MAX_MODULE} bytes", "take the board's picture out by hand")
        return zipfile.ZipFile(module)
    except (OSError, zipfile.BadZipFile) as error:
        raise refused(module, f"is no module: {error}", "name a VASSAL module (.vmod)") from error


def _member(module: Path, archive: zipfile.ZipFile, entry: str, limit: int) -> bytes:
    """Return a member, however large it says that it is, up to a limit."""
    try:
        with archive.open(entry) as file:
            data = file.read(limit + 1)
    except (OSError, RuntimeError, NotImplementedError, zipfile.BadZipFile, EOFError) as error:
        raise refused(module, f"{entry} cannot be read: {error}", "check that the module is whole") from error
    if len(data) > limit:
        raise refused(module, f"{entry} has over {limit} bytes", "this is no usual module")
    return data


def _boards(root: Element) -> Iterator[tuple[str, str, Element]]:
    """Yield name, picture and grid of the boards that have hexes: their own grid, or that of their only zone."""
    for board in root.iter():
        if not board.tag.endswith(".Board") or not board.get("image"):
            continue
        grids = [one for one in board.iter() if one.tag.endswith(".HexGrid")]
        if grids:
            yield board.get("name", ""), board.get("image", ""), grids[0]


def _grid(element: Element) -> VassalGrid:
    numbering = next((one for one in element if one.tag.endswith(".HexGridNumbering")), None)
    said: dict[str, Any] = {
        "dx": _number(element.get("dx", "")) or 55.4,
        "dy": _number(element.get("dy", "")) or 64.0,
        "x0": _number(element.get("x0", "0")) or 0.0,
        "y0": _number(element.get("y0", "0")) or 0.0,
        "sideways": element.get("sideways") == "true",
    }
    if numbering is not None:
        kinds = {"N": "N", "A": "A"}
        down = [numbering.get("hDescend") == "true", numbering.get("vDescend") == "true"]
        if said["sideways"]:  # each axis descends by the switch of the other one
            down.reverse()
        said |= {
            "across": kinds.get(numbering.get("hType", "N"), "N"),
            "along": kinds.get(numbering.get("vType", "N"), "N"),
            "across_leading": int(_number(numbering.get("hLeading", "1")) or 0),
            "along_leading": int(_number(numbering.get("vLeading", "1")) or 0),
            "across_offset": int(_number(numbering.get("hOff", "0")) or 0),
            "along_offset": int(_number(numbering.get("vOff", "0")) or 0),
            "across_descending": down[0],
            "along_descending": down[1],
            "across_first": numbering.get("first", "H") == "H",
            "stagger": numbering.get("stagger", "true") == "true",
            "separator": numbering.get("sep", ""),
        }
    return msgspec.convert(said, VassalGrid)


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if abs(found) < 1e6 else None
