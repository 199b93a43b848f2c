"""Many segments at once against one drawn line or one ring: the answers of :mod:`studio.sight.trace` in arrays.

Integers only. Coordinates may go up to 2**28 in size, so that every product of two differences fits 64 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.sight.trace.contacts import line_contacts

__all__ = ["ALONG", "COORDINATE_LIMIT", "CROSS", "TOUCH", "segments_hit_ring", "segments_meet_line"]

TOUCH, ALONG, CROSS = 1, 2, 4
"""Bits of :func:`segments_meet_line`."""

_BITS = {"touch": TOUCH, "along": ALONG, "cross": CROSS}

COORDINATE_LIMIT = 1 << 28
"""Largest coordinate, in size."""

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_BLOCK = 1 << 17  # products of segments and pieces worked on at once


def _points(points: Any) -> _Ints:
    found = np.asarray(points, dtype=np.int64).reshape(-1, 2)
    if len(found) and int(np.abs(found).max()) > COORDINATE_LIMIT:
        msg = f"coordinates: got {int(np.abs(found).max())}, allowed up to {COORDINATE_LIMIT} in size"
        raise OverflowError(msg)
    return found


def _without_repeats(points: _Ints) -> _Ints:
    keep = np.ones(len(points), dtype=bool)
    keep[1:] = (points[1:] != points[:-1]).any(axis=1)
    return points[keep]


def _cross(ax: Any, ay: Any, bx: Any, by: Any) -> Any:
    return ax * by - ay * bx


class _Meetings:
    """How some segments meet the pieces of one line; arrays of shape (segments, pieces) and (segments, points).

    Attributes
    ----------
    proper : array of bool
        The inside of the segment crosses the inside of the piece.
    overlap : array of bool
        Both have a positive length in common.
    side : array of int8
        On which side of the segment's line each point lies.
    within, at_end : array of bool
        The point lies inside the segment; the segment has an end on the piece.
    """

    def __init__(self, starts: _Ints, ends: _Ints, points: _Ints) -> None:
        self.step = ends - starts
        dx, dy = self.step[:, :1], self.step[:, 1:]
        rx, ry = points[None, :, 0] - starts[:, :1], points[None, :, 1] - starts[:, 1:]
        self.side = np.sign(_cross(dx, dy, rx, ry)).astype(np.int8)
        along = dx * rx + dy * ry
        length = dx * dx + dy * dy
        self.within = (self.side == 0) & (along > 0) & (along < length)
        ex, ey = np.diff(points[:, 0])[None], np.diff(points[:, 1])[None]
        first = np.sign(_cross(ex, ey, -rx[:, :-1], -ry[:, :-1])).astype(np.int8)
        last = np.sign(_cross(ex, ey, dx - rx[:, :-1], dy - ry[:, :-1])).astype(np.int8)
        here, there = self.side[:, :-1], self.side[:, 1:]
        self.proper = (here * there < 0) & (first * last < 0)
        same = (here == 0) & (there == 0) & (length > 0)
        low, high = np.minimum(along[:, :-1], along[:, 1:]), np.maximum(along[:, :-1], along[:, 1:])
        self.overlap = same & (np.maximum(low, 0) < np.minimum(high, length))
        on_start = (first == 0) & _between(-rx, -ry, ex, ey)
        on_end = (last == 0) & _between(dx - rx, dy - ry, ex, ey)
        self.at_end = on_start | on_end


def _between(x: _Ints, y: _Ints, ex: _Ints, ey: _Ints) -> _Bools:
    """Tell whether ends, given from each point of the line, lie between it and the next one along its direction."""
    along = x[:, :-1] * ex + y[:, :-1] * ey
    return np.asarray((along >= 0) & (along <= ex * ex + ey * ey))


def segments_hit_ring(starts: Any, ends: Any, ring: Any) -> NDArray[np.bool_]:
    """Tell which segments meet the inside of a ring, or run along its border.

    Parameters
    ----------
    starts, ends : array of int, shape (n, 2)
        Ends of the segments, up to ``COORDINATE_LIMIT`` in size.
    ring : array of int, shape (m, 2)
        A ring that does not cross or touch itself; its first point need not be repeated.

    Returns
    -------
    array of bool, shape (n,)
        True where :func:`studio.sight.trace.area_contacts` has a ``through`` or an ``along`` of positive length. A
        segment of no length has none.

    Raises
    ------
    OverflowError
        When a coordinate is too large.
    """
    starts, ends = _points(starts), _points(ends)
    points = _without_repeats(_points(ring))
    if len(points) > 1 and (points[0] == points[-1]).all():
        points = points[:-1]
    hit = np.zeros(len(starts), dtype=bool)
    if len(points) < 3:
        return hit
    # The inside shall lie on the left of every piece.
    x, y = points[:, 0], points[:, 1]
    if sum(int(v) for v in _cross(x - x[0], y - y[0], np.roll(x, -1) - x[0], np.roll(y, -1) - y[0])) < 0:
        points = points[::-1]
    near = np.flatnonzero(_boxes_meet(starts, ends, points) & (starts != ends).any(axis=1))
    many = max(1, _BLOCK // len(points))
    for begin in range(0, len(near), many):
        some = near[begin : begin + many]
        hit[some] = _hit_ring(starts[some], ends[some], points)
    return hit


def _boxes_meet(starts: _Ints, ends: _Ints, points: _Ints) -> _Bools:
    low, high = np.minimum(starts, ends), np.maximum(starts, ends)
    return np.asarray(((high >= points.min(axis=0)) & (low <= points.max(axis=0))).all(axis=1))


def _hit_ring(starts: _Ints, ends: _Ints, points: _Ints) -> _Bools:
    closed = np.concatenate((points, points[:1]))
    met = _Meetings(starts, ends, closed)
    hit = (met.proper | met.overlap).any(axis=1)
    # Else corners cut the segment into parts that lie wholly inside or wholly outside. One without a corner is known
    # by its middle, the others by where they lead away from the corner.
    corner = met.within[:, :-1]
    cut = corner.any(axis=1)
    rest = np.flatnonzero(~hit & ~cut)
    hit[rest] = _holds_middle(starts[rest], ends[rest], closed)
    line, at = np.nonzero(corner & ~hit[:, None])
    into = _leads_inside(met.step[line], points, at) | _leads_inside(-met.step[line], points, at)
    hit[line[into]] = True
    return np.asarray(hit)


def _holds_middle(starts: _Ints, ends: _Ints, closed: _Ints) -> _Bools:
    """Tell for which segments the middle, which lies on no border, lies inside the ring."""
    middle = starts + ends
    x, y = 2 * closed[:, 0], 2 * closed[:, 1]
    above = y[None, :] > middle[:, 1:]
    ex, ey = np.diff(x)[None], np.diff(y)[None]
    turn = _cross(ex, ey, middle[:, :1] - x[None, :-1], middle[:, 1:] - y[None, :-1])
    passed = (above[:, :-1] != above[:, 1:]) & ((turn > 0) == (ey > 0))
    return np.asarray(passed.sum(axis=1) % 2 == 1)


def _leads_inside(step: _Ints, points: _Ints, at: NDArray[Any]) -> _Bools:
    """Tell which steps from a corner of a ring, whose inside lies left, lead inside."""
    to_next = np.roll(points, -1, axis=0)[at] - points[at]
    to_last = np.roll(points, 1, axis=0)[at] - points[at]
    dx, dy = step[:, 0], step[:, 1]
    after = _cross(to_next[:, 0], to_next[:, 1], dx, dy)
    before = _cross(dx, dy, to_last[:, 0], to_last[:, 1])
    bend = _cross(to_next[:, 0], to_next[:, 1], to_last[:, 0], to_last[:, 1])
    return np.asarray(np.where(bend > 0, (after > 0) & (before > 0), (after > 0) | (before > 0)))


def segments_meet_line(starts: Any, ends: Any, line: Sequence[Any] | NDArray[Any]) -> NDArray[np.uint8]:
    """Tell how segments meet a drawn line.

    Parameters
    ----------
    starts, ends : array of int, shape (n, 2)
        Ends of the segments, up to ``COORDINATE_LIMIT`` in size.
    line : array of int, shape (m, 2)
        Vertices; a line that ends where it begins is a ring and has no ends.

    Returns
    -------
    array of uint8, shape (n,)
        The sum of ``CROSS``, ``ALONG`` and ``TOUCH`` for the kinds of contact that
        :func:`studio.sight.trace.line_contacts` gives.

    Raises
    ------
    OverflowError
        When a coordinate is too large.
    """
    starts, ends = _points(starts), _points(ends)
    points = _without_repeats(_points(line))
    found = np.zeros(len(starts), dtype=np.uint8)
    if not len(points):
        return found
    near = np.flatnonzero(_boxes_meet(starts, ends, points))
    many = max(1, _BLOCK // len(points))
    for begin in range(0, len(near), many):
        some = near[begin : begin + many]
        found[some] = _meet_line(starts[some], ends[some], points)
    return found


def _meet_line(starts: _Ints, ends: _Ints, points: _Ints) -> NDArray[np.uint8]:
    met = _Meetings(starts, ends, points)
    side = met.side
    before, after = np.zeros_like(side), np.zeros_like(side)
    before[:, 1:], after[:, :-1] = side[:, :-1], side[:, 1:]
    if len(points) > 3 and (points[0] == points[-1]).all():
        before[:, 0], after[:, -1] = side[:, -2], side[:, 1]
    passed = met.within & (before * after < 0)
    found = np.where(met.proper.any(axis=1) | passed.any(axis=1), CROSS, 0)
    found |= np.where((met.within & ~passed).any(axis=1) | met.at_end.any(axis=1), TOUCH, 0)
    # A piece on the segment's own line: what it is part of decides, and the readable function knows.
    same = ((side[:, :-1] == 0) & (side[:, 1:] == 0)).any(axis=1)
    if len(points) == 1:
        same[:] = True
    line = [(int(x), int(y)) for x, y in points]
    for row in np.flatnonzero(same).tolist():
        (ax, ay), (bx, by) = starts[row].tolist(), ends[row].tolist()
        found[row] = sum({_BITS[contact.how] for contact in line_contacts((ax, ay), (bx, by), line)})
    return found.astype(np.uint8)
