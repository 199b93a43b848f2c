"""Tiled maps (``.tmj``, ``.tmx``): written for game programmers, read back with what they changed, and others' read."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from studio.errors import UnsupportedError
from studio.exchange.common.files import write_files
from studio.exchange.content import Content, Pictures, Taken, Written
from studio.exchange.tiled.options import TiledOptions, TiledReading, TilePictures
from studio.exchange.tiled.plan import plan_map
from studio.exchange.tiled.taking import take_map
from studio.exchange.tiled.xmlform import to_xml

__all__ = ["Options", "Reading", "TilePictures", "TiledOptions", "TiledReading", "read", "write"]

Options, Reading = TiledOptions, TiledReading


def write(
    content: Content,
    target: str | os.PathLike[str],
    *,
    options: TiledOptions | None = None,
    pictures: Pictures | None = None,
) -> Written:
    """Write a map, and its scenario where there is one, as a Tiled map with its pictures beside it.

    Parameters
    ----------
    content : Content
    target : path
        ``.tmj`` or ``.json`` for JSON, ``.tmx`` for XML; the pictures lie beside it and begin with its name.
    options : TiledOptions, optional
    pictures : Pictures, optional
        Draws terrains (:class:`TilePictures`) and counters; plain ones without it.

    Returns
    -------
    Written

    Raises
    ------
    UnsupportedError
        When the file has another ending.
    GridError
        When tiles would be too small or too large.
    SaveError
        When a file cannot be written; the old map is whole.
    """
    path = Path(target)
    if path.suffix.lower() not in (".tmj", ".json", ".tmx"):
        msg = f"{path.name}: Tiled maps end in .tmj (JSON) or .tmx (XML); give it one of these"
        raise UnsupportedError(msg)
    planned = plan_map(content, path.stem, options or TiledOptions(), pictures)
    if path.suffix.lower() == ".tmx":
        data = to_xml(planned.data)
    else:
        data = msgspec.json.format(msgspec.json.encode(planned.data), indent=0) + b"\n"
    return Written(write_files(path, {**planned.files, path.name: data}), tuple(planned.notes))


def read(source: str | os.PathLike[str], *, options: TiledReading | None = None) -> Taken:
    """Read a Tiled map: one that the studio wrote, with what was changed since, or one of others.

    Parameters
    ----------
    source : path
    options : TiledReading, optional

    Returns
    -------
    Taken
        Its notes say what was changed in Tiled, what was decided, and what was not read.

    Raises
    ------
    DocumentError
        When it cannot be read, is no map of hexes, or has tiles that mean nothing; every such tile is named.
    UnsupportedError
        When its layers are packed by zstd and the library for that is missing.
    """
    return take_map(Path(source), options or TiledReading())
