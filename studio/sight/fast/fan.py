"""Which of many shapes the lines from one point may meet: pairs of line and shape, nearest shapes first.

Directions in floats, with a margin wider than any rounding, and boxes in whole numbers leave out most pairs; what is
left is for an exact test. Lines that have been settled meanwhile are not looked at again.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["line_shape_pairs"]

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]

_TURN = 2 * np.pi
_MARGIN = 1e-9  # radians; angles are rounded by less than 1e-15
_FEWEST = 1 << 14  # pairs in one go
_AHEAD = 4096  # shapes


def line_shape_pairs(a: _Ints, b: _Ints, boxes: _Ints, settled: _Bools) -> Iterator[tuple[_Ints, _Ints]]:
    """Yield pairs of line and shape, among them all that meet; nearest shapes first.

    Parameters
    ----------
    a : array of int64, shape (2,)
        Start of all lines.
    b : array of int64, shape (n, 2)
        Their ends, none of them the start.
    boxes : array of int64, shape (m, 4)
        Least x and y and most x and y of every shape; a shape lies within its box or on the border of it.
    settled : array of bool, shape (n,)
        Lines that are of no interest; lines may be added to it while the pairs are used.

    Yields
    ------
    lines, shapes : arrays of int64, shape (pairs,)
        All pairs of a shape come together, in the order of shapes.
    """
    if not len(boxes):
        return
    gap = np.maximum(np.maximum(boxes[:, :2] - a, a - boxes[:, 2:]), 0)
    shapes = np.argsort((gap * gap).sum(axis=1), kind="stable")
    low, high, around = _spans(a, boxes[shapes])
    lines = np.flatnonzero(~settled)
    angles = np.arctan2(*(b[lines] - a).T[::-1].astype(np.float64))
    order = np.argsort(angles, kind="stable")
    lines, angles = lines[order], angles[order]
    begin = 0
    while begin < len(shapes):
        kept = ~settled[lines]
        lines, angles = lines[kept], angles[kept]
        if not len(lines):
            return
        twice = np.concatenate((angles, angles + _TURN))
        some = slice(begin, begin + _AHEAD)
        first = np.where(around[some], 0, np.searchsorted(twice, low[some], side="left"))
        last = np.where(around[some], len(lines), np.searchsorted(twice, high[some], side="right"))
        total = np.cumsum(last - first)
        count = max(1, int(np.searchsorted(total, max(_FEWEST, 2 * len(lines)), side="right")))
        first, last = first[:count], last[:count]
        which = np.repeat(np.arange(count), last - first)
        at = np.arange(len(which)) + np.repeat(first - np.concatenate(([0], total[: count - 1])), last - first)
        line, shape = lines[at % len(lines)], shapes[begin + which]
        begin += count
        met = _boxes_meet(a, b[line], boxes[shape])
        if met.any():
            yield line[met], shape[met]


def _spans(a: _Ints, boxes: _Ints) -> tuple[_Floats, _Floats, _Bools]:
    """Return the directions in which boxes lie, the lower one from minus half a turn on, and which hold the point."""
    around = ((boxes[:, :2] - 1 <= a) & (a <= boxes[:, 2:] + 1)).all(axis=1)
    x, y = boxes[:, ::2] - a[0], boxes[:, 1::2] - a[1]
    middle = np.arctan2(y.sum(axis=1), x.sum(axis=1))
    corners = np.arctan2(y[:, [0, 0, 1, 1]], x[:, [0, 1, 0, 1]]) - middle[:, None]
    corners = (corners + np.pi) % _TURN - np.pi
    low, high = middle + corners.min(axis=1) - _MARGIN, middle + corners.max(axis=1) + _MARGIN
    turn = np.where(low < -np.pi, _TURN, 0.0)
    return low + turn, high + turn, np.asarray(around)


def _boxes_meet(a: _Ints, b: _Ints, boxes: _Ints) -> _Bools:
    """Tell which segments have a box in common with a shape."""
    return np.asarray(((np.minimum(a, b) <= boxes[:, 2:]) & (np.maximum(a, b) >= boxes[:, :2])).all(axis=1))
