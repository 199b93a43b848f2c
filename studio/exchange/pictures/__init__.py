"""Pictures as a start: colours that are terrain, scans of printed maps, boards of VASSAL modules."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from studio.exchange.common.ground import known_game
from studio.exchange.content import Taken
from studio.exchange.pictures.colours import take_colours
from studio.exchange.pictures.modules import board_of, picture_of
from studio.exchange.pictures.options import ColourReading, HexesAt, ScanReading, VassalGrid
from studio.exchange.pictures.scans import take_scan

__all__ = ["ColourReading", "HexesAt", "Reading", "ScanReading", "VassalGrid", "read"]

Reading = ScanReading


def read(
    source: str | os.PathLike[str],
    *,
    options: ColourReading | ScanReading,
    beside: str | os.PathLike[str] | None = None,
) -> Taken:
    """Read a picture as a map, or as the scan of one.

    Parameters
    ----------
    source : path
        PNG, JPEG, WebP, TIFF or GIF; or a VASSAL module (``.vmod``), whose board is taken out.
    options : ColourReading or ScanReading
        Colours that are terrain; or control points, a grid of VASSAL, or the board of a module.
    beside : path, optional
        Where the map is to be saved: the scan is named from there, and the picture of a module is laid there. The
        folder of the source otherwise.

    Returns
    -------
    Taken
        Its notes say how well a scan fits, point by point.

    Raises
    ------
    DocumentError
        When it cannot be read, does not fit, or has colours that mean nothing: each with how many pixels it has.
    SaveError
        When the picture of a module cannot be written.
    """
    path, place = Path(source), Path(beside) if beside is not None else None
    if isinstance(options, ColourReading):
        return take_colours(path, options)
    if path.suffix.lower() == ".vmod":
        # Before its picture is laid beside the map: what is refused leaves nothing behind.
        known_game(options.ruleset if options.onto is None else options.onto.ruleset, path)
        board = board_of(path, options.board)
        chosen = options.vassal or msgspec.structs.replace(board.grid, columns=options.columns, rows=options.rows)
        picture = picture_of(path, board, (place or path).parent)
        title = options.title or board.name or path.stem
        return take_scan(picture, msgspec.structs.replace(options, vassal=chosen, title=title), beside=place)
    return take_scan(path, options, beside=place)
