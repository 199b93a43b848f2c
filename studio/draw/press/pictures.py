"""Pictures for paper: the part that is seen, at the dots that are asked for."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from studio.draw.press.plate import Box, PictureMark

__all__ = ["Sampled", "sampled"]

Sampled = tuple[NDArray[np.uint8], tuple[float, float, float, float, float, float]]
"""Pixels, and from the share of their width and height to millimetres."""

_MOST = 60_000_000  # pixels of one picture


def sampled(mark: PictureMark, window: Box | None, dpi: float) -> Sampled | None:
    """Return the part of a picture that a window shows; what is coarser than the dots is smoothed, what is finer mixed.

    Parameters
    ----------
    mark : PictureMark
    window : (left, top, right, bottom), optional
        In millimetres; all of it without.
    dpi : float
        Dots per inch that it has at least (smooth ones) and at most half as many again.

    Returns
    -------
    (array of shape (high, wide, 3 or 4), matrix) or None
    """
    from PIL import Image

    pixels, (a, b, c, d, e, f) = mark.pixels, mark.matrix
    if b or c:  # turned: as it is
        return pixels, mark.matrix
    high, wide = pixels.shape[:2]
    left, top, right, bottom = window or mark.box
    columns, rows = _range(left, right, e, a, wide), _range(top, bottom, f, d, high)
    if columns is None or rows is None:
        return None
    part = pixels[rows[0] : rows[1], columns[0] : columns[1]]
    matrix = (
        a * (columns[1] - columns[0]) / wide,
        0.0,
        0.0,
        d * (rows[1] - rows[0]) / high,
        e + a * columns[0] / wide,
        f + d * rows[0] / high,
    )
    size = [max(1, math.ceil(abs(length) / 25.4 * dpi)) for length in (matrix[0], matrix[3])]
    if size[0] * size[1] > _MOST:
        shrink = math.sqrt(_MOST / (size[0] * size[1]))
        size = [max(1, int(one * shrink)) for one in size]
    finer = size[0] * 1.5 < part.shape[1]
    if finer or (mark.smooth and size[0] > part.shape[1]):
        how = Image.Resampling.BOX if finer else Image.Resampling.BICUBIC
        part = np.asarray(Image.fromarray(part).resize((size[0], size[1]), how))
    return part, matrix


def _range(low: float, high: float, start: float, length: float, count: int) -> tuple[int, int] | None:
    """Return the first pixel of a stretch and the one after its last, some more at either end for smoothing."""
    ends = sorted(((low - start) / length * count, (high - start) / length * count))
    first, last = max(0, math.floor(ends[0]) - 3), min(count, math.ceil(ends[1]) + 3)
    return (first, last) if first < last else None
