"""A small picture of a map, for readers of a notebook who have no widgets: tints, and a line where hexes meet."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.model import MapModel

__all__ = ["thumbnail"]

_OUTLINE = 0.86
"""Brightness of the pixels along hexsides."""


def thumbnail(model: MapModel, style: dict[str, Any], *, longest: int = 640) -> bytes:
    """Return a PNG picture of the terrain.

    Parameters
    ----------
    model : MapModel
    style : dict
        The look of the game, as `studio.draw.style.Style.to_dict` gives it.
    longest : int
        Length of the longer edge, in pixels.

    Returns
    -------
    bytes
    """
    grid = model.grid
    x0, y0, x1, y1 = grid.frame
    (left, top), (right, bottom) = grid.to_map(x0, y0), grid.to_map(x1, y1)
    # At most 24 pixels a hex: a small map gets a small picture.
    step = max((right - left) / longest, (bottom - top) / longest, grid.hex_height / 24)
    xs = np.arange(left + step / 2, right, step)
    ys = np.arange(top + step / 2, bottom, step)
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2) / np.asarray(grid.scale)
    cells = np.asarray(grid.cells_at(points)).reshape(len(ys), len(xs))
    return _png(_colours(model, style, cells))


def _colours(model: MapModel, style: dict[str, Any], cells: NDArray[Any]) -> NDArray[np.uint8]:
    looks = style["terrain"]
    tints = np.array([_rgb(looks.get(name, {}).get("tint", style["ground"])) for name in model.terrain_ids])
    colours = tints[model.terrain.ravel()].astype(float)
    levels = model.levels.ravel()
    table = {int(text): _rgb(colour) for text, colour in style["levels"]["tints"].items()}
    share = style["levels"]["strength"] / 1000
    for level in np.unique(levels[levels != 0]).tolist():
        known = [n for n in table if (n > 0) == (level > 0)]
        if known:
            over = np.array(table[min(known, key=lambda n: abs(n - level))])
            mask = levels == level
            colours[mask] = colours[mask] * (1 - share) + over * share
    picture = np.where(cells[..., None] >= 0, colours[np.maximum(cells, 0)], 255.0)
    edge = np.zeros(cells.shape, dtype=bool)
    edge[:, 1:] |= cells[:, 1:] != cells[:, :-1]
    edge[1:] |= cells[1:] != cells[:-1]
    if cells.size > 40 * model.grid.cells:  # hexes of six pixels and more
        picture[edge] *= _OUTLINE
    return picture.astype(np.uint8)


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _png(picture: NDArray[np.uint8]) -> bytes:
    height, width, _ = picture.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = picture.reshape(height, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)
