"""The gids of tile layers: lists, CSV, base64, packed or not, whole or in chunks."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError
from studio.exchange.common.files import inflate, refused
from studio.grid import MAX_SIZE

__all__ = ["FLAGS", "TileLayer", "tile_layers", "whole"]

FLAGS = 0xF0000000
"""Bits of a gid that say how a tile is turned or flipped."""


class TileLayer(NamedTuple):
    """A tile layer, all of it.

    Attributes
    ----------
    name : str
        With those of the groups that it is in, parted by ``/``.
    left, top : int
        Column and row of its first cell.
    gids : array of uint32, shape (rows, columns)
    """

    name: str
    left: int
    top: int
    gids: NDArray[np.uint32]


def whole(value: Any, what: str, source: Path) -> int:
    """Return a whole number that a file says.

    Raises
    ------
    DocumentError
        When it is none.
    """
    try:
        number = float(value)
        if number.is_integer() and abs(number) < 2**53:
            return int(number)
    except (TypeError, ValueError, OverflowError):
        pass
    raise refused(source, f"{what}: got {str(value)[:40]!r}, allowed a whole number", "save it with Tiled again")


def tile_layers(layers: Any, source: Path, within: str = "") -> Iterator[TileLayer]:
    """Yield the tile layers of a map, from the bottom up, those in groups too.

    Raises
    ------
    DocumentError
        When a layer is broken.
    """
    for layer in layers if isinstance(layers, list) else []:
        if not isinstance(layer, dict):
            raise refused(source, "holds a layer that is no object", "save it with Tiled again")
        name = f"{within}{layer.get('name', '')}"
        if layer.get("type") == "group":
            yield from tile_layers(layer.get("layers"), source, f"{name}/")
        elif layer.get("type") == "tilelayer":
            yield _layer(layer, name, source)


def _layer(layer: dict[str, Any], name: str, source: Path) -> TileLayer:
    if "chunks" not in layer:
        return TileLayer(name, 0, 0, _block(layer, layer, name, source))
    chunks = layer["chunks"] if isinstance(layer["chunks"], list) else []
    blocks = []
    for chunk in chunks:
        if not isinstance(chunk, dict):
            raise refused(source, f"layer {name!r}: a chunk is no object", "save it with Tiled again")
        x, y = (whole(chunk.get(key, 0), f"layer {name!r}: {key}", source) for key in ("x", "y"))
        blocks.append((x, y, _block(chunk, layer, name, source)))
    # Chunks are 16 cells each way and mostly empty at their edges: what counts is where tiles are.
    used = [block for block in blocks if block[2].any()]
    if not used:
        return TileLayer(name, 0, 0, np.zeros((0, 0), dtype=np.uint32))
    left, top = min(block[0] for block in used), min(block[1] for block in used)
    wide = max(x + gids.shape[1] for x, _, gids in used) - left
    high = max(y + gids.shape[0] for _, y, gids in used) - top
    if wide > 2 * MAX_SIZE or high > 2 * MAX_SIZE:
        raise _too_large(source, name, wide, high)
    found = np.zeros((high, wide), dtype=np.uint32)
    for x, y, gids in used:
        found[y - top : y - top + gids.shape[0], x - left : x - left + gids.shape[1]] = gids
    return TileLayer(name, left, top, found)


def _too_large(source: Path, name: str, wide: int, high: int) -> DocumentError:
    message = f"layer {name!r} has {wide} x {high} cells, allowed {MAX_SIZE} x {MAX_SIZE}"
    return refused(source, message, "split the map into several")


def _block(part: dict[str, Any], layer: dict[str, Any], name: str, source: Path) -> NDArray[np.uint32]:
    """Return the gids of a layer or a chunk; shape (rows, columns)."""
    wide, high = (whole(part.get(key), f"layer {name!r}: {key}", source) for key in ("width", "height"))
    if not (1 <= wide <= MAX_SIZE and 1 <= high <= MAX_SIZE):
        raise _too_large(source, name, wide, high)
    data = part.get("data")
    if isinstance(data, list):
        gids = _listed(data, name, source)
    elif layer.get("encoding") == "base64":
        gids = _unpacked(str(data), str(layer.get("compression") or ""), 4 * wide * high, source)
    else:
        text = str(data).strip()
        gids = _listed(text.split(",") if text else [], name, source)
    if gids.size != wide * high:
        message = f"layer {name!r} has {gids.size} cells, allowed {wide} x {high}"
        raise refused(source, message, "save it with Tiled again")
    return gids.reshape(high, wide)


def _listed(values: list[Any], name: str, source: Path) -> NDArray[np.uint32]:
    try:
        numbers = np.array([int(value) for value in values], dtype=np.int64)
    except (TypeError, ValueError, OverflowError) as error:
        raise refused(source, f"layer {name!r}: {error}", "gids are whole numbers") from error
    if numbers.size and (numbers.min() < 0 or numbers.max() >= 2**32):
        raise refused(source, f"layer {name!r} holds a gid below 0 or beyond 32 bits", "save it with Tiled again")
    return numbers.astype(np.uint32)


def _unpacked(text: str, compression: str, size: int, source: Path) -> NDArray[np.uint32]:
    try:
        data = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise refused(source, f"a layer is no base64: {error}", "save it with Tiled again") from error
    if compression in ("zlib", "gzip", "zstd"):
        data = inflate(data, compression, size, source)
    elif compression:
        raise refused(source, f"a layer is packed by {compression[:20]!r}", "choose CSV, zlib, gzip or zstd in Tiled")
    if len(data) % 4:
        raise refused(source, "a layer has a part of a gid at its end", "save it with Tiled again")
    return np.frombuffer(data, dtype="<u4").astype(np.uint32)
