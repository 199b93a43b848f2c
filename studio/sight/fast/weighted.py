"""Counting shadows: how many of many obstacles lie on the exact line to each of many targets.

As in :mod:`studio.sight.fast.shadows` a direction is a whole number, and an obstacle throws a shadow, an interval of
directions. Here shadows have weights and may end: one of them counts for targets that lie beyond one ring, up to
another. Directions that no target needs any more, or whose verdict is settled, are dropped on the way, ring by ring.

Targets of several *classes* (units at different heights) are counted at once: each shadow is for one class.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid
from studio.grid.lines import SEXTANTS
from studio.sight.fast.shadows import Directions

__all__ = ["Shadows", "count_shadows", "hex_shadows", "side_ends", "side_shadows"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_ONE = 1 << 40
_TURN = 6 * _ONE
_STRIDE = 16 * _ONE  # room for one class
_FEW = 6  # so few shadows of one ring are added one by one

# A hex has its corners here, in thirds of axial steps from its centre.
_CORNERS = ((1, 1), (-1, 2), (-2, 1), (-1, -1), (1, -2), (2, -1))


class Shadows(NamedTuple):
    """Some shadows for one class of target; arrays of int64, shape (n,).

    Attributes
    ----------
    low, high : array
        Directions from `low` to below `high`; `low` may be negative.
    after, until : array
        Targets at rings beyond `after`, up to `until`, are counted for.
    weight : array
        What is added to the count of such a target.
    kind : int
        The class.
    """

    low: _Ints
    high: _Ints
    after: _Ints
    until: _Ints
    weight: _Ints
    kind: int


def hex_shadows(view: Directions, cells: _Ints) -> tuple[_Ints, _Ints]:
    """Return the directions that cross the inside of some hexes, as intervals from low to below high."""
    low, high = view.shadows(cells)
    return low + 1, high


def side_ends(grid: HexGrid, sides: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the two ends of some hexsides, in thirds of axial steps.

    Parameters
    ----------
    grid : HexGrid
    sides : array of int64, shape (n, 2)
        Cells of the two hexes of each side.

    Returns
    -------
    array of int64, shape (2, n, 2)
    """
    here, there = (grid.axials[sides[:, end]].astype(np.int64) for end in (0, 1))
    step = there - here
    ends = np.stack((3 * here, 3 * here))
    for k, axis in enumerate(SEXTANTS):
        chosen = (step == axis).all(axis=1)
        for end, corner in zip(ends, _side_corners(k), strict=True):
            end[chosen] += corner
    return ends


def side_shadows(grid: HexGrid, cell: int, ends: NDArray[np.int64]) -> tuple[_Ints, _Ints]:
    """Return the directions in which lines from a hex cross some hexsides.

    Parameters
    ----------
    grid : HexGrid
    cell : int
        The hex that looks.
    ends : array of int64, shape (2, n, 2)
        Of the sides; see :func:`side_ends`.

    Returns
    -------
    low, high : arrays of int64, shape (n,)
        From low to below high. A line through an end of a side crosses it when it runs through both of its hexes.
    """
    seen = ends - 3 * grid.axials[cell].astype(np.int64)
    keys = _direction(seen)
    closed = [_crosses_at_end(seen[turn], seen[1 - turn]) for turn in (0, 1)]
    swap = keys[0] > keys[1]
    swap ^= np.abs(keys[0] - keys[1]) > _TURN // 2
    low, high = np.where(swap, keys[1], keys[0]), np.where(swap, keys[0], keys[1])
    low_closed, high_closed = np.where(swap, closed[1], closed[0]), np.where(swap, closed[0], closed[1])
    low = np.where(low > high, low - _TURN, low)
    return low + ~low_closed, high + high_closed


def _side_corners(k: int) -> list[tuple[int, int]]:
    """Return the two corners that a hex has in common with its neighbour in one direction."""
    q, r = SEXTANTS[k]
    return [corner for corner in _CORNERS if (corner[0] - 3 * q, corner[1] - 3 * r) in _CORNERS]


def _direction(offset: _Ints) -> _Ints:
    """Return the direction of displacements, not zero, as a whole number from 0 to below one turn.

    Parameters
    ----------
    offset : array of int64, shape (..., 2)
    """
    dq, dr = offset[..., 0], offset[..., 1]
    total = dq + dr
    sextants, place = np.zeros(dq.shape, dtype=np.int64), np.zeros(dq.shape, dtype=np.int64)
    for k, (a, b) in enumerate(((dq, dr), (total, -dq), (dr, -total), (-dq, -dr), (-total, dq), (-dr, total))):
        chosen = (a > 0) & (b >= 0)
        sextants[chosen], place[chosen] = k, b[chosen]
    ring = (np.abs(dq) + np.abs(dr) + np.abs(total)) >> 1
    return np.asarray(sextants * _ONE + (place << 40) // ring)


def _crosses_at_end(end: _Ints, other: _Ints) -> _Bools:
    """Tell whether a line through one end of a side passes from one of its hexes into the other there.

    It does unless it enters or leaves the third hex of that corner, which lies within 60 degrees of straight on from
    the side.
    """
    along = other - end
    size = [2 * (v[:, 0] ** 2 + v[:, 1] ** 2 + v[:, 0] * v[:, 1]) for v in (end, along)]
    product = 2 * (end * along).sum(axis=1) + end[:, 0] * along[:, 1] + end[:, 1] * along[:, 0]
    return np.asarray(4 * product**2 < size[0] * size[1])


def count_shadows(
    view: Directions,
    targets: _Ints,
    kind: _Ints,
    shadows: list[Shadows],
    settled: Callable[[_Ints], _Bools],
) -> _Ints:
    """Add up, for every target, the weights of the shadows that it lies in.

    Parameters
    ----------
    view : Directions
        Of the hex that looks.
    targets, kind : arrays of int64, shape (n,)
        Cells, and the class of each.
    shadows : list of Shadows
    settled : callable
        Tells of counts whether they say all there is to know of everything further on; such targets get the count so
        far.

    Returns
    -------
    array of int64, shape (n,)
    """
    order = np.argsort(view.ring[targets].astype(np.int16), kind="stable")
    rings = view.ring[targets][order]
    found = np.zeros(len(targets), dtype=np.int64)
    if not len(targets):
        return found
    keys, at = np.unique(view.keys(targets[order]) + kind[order] * _STRIDE, return_inverse=True)
    counter = _Counter(keys, at, rings, found, settled)
    counter.run(_Events(shadows, int(rings[-1])))
    result = np.empty_like(found)
    result[order] = found
    return result


class _Events:
    """Where shadows begin and end, by the ring after which they do.

    Parameters
    ----------
    shadows : list of Shadows
    last : int
        Ring of the farthest target.
    """

    def __init__(self, shadows: list[Shadows], last: int) -> None:
        parts: list[tuple[NDArray[Any], ...]] = []
        for low, high, after, until, weight, kind in shadows:
            chosen = np.flatnonzero((until > after) & (after < last) & (high > low))
            rows = tuple(column[chosen] for column in (low, high, after, until, weight))
            # A shadow across direction 0 counts at both ends of the turn.
            wraps = np.flatnonzero(rows[0] <= 0)
            for one, turn in ((slice(None), 0), (wraps, _TURN)):
                shift = turn + kind * _STRIDE
                near = np.minimum(rows[3][one], last).astype(np.int16)
                parts.append(
                    (rows[0][one] + shift, rows[1][one] + shift, rows[2][one].astype(np.int16), near, rows[4][one])
                )
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)] or [np.empty(0, dtype=np.int64)] * 5
        self.low, self.high, self.after, self.until, self.weight = columns
        self._begin = np.argsort(self.after, kind="stable")
        self._begins = self.after[self._begin]
        ending = np.flatnonzero(self.until < last)
        self._end = ending[np.argsort(self.until[ending], kind="stable")]
        self._ends = self.until[self._end]

    def within(self, first: int, last: int, keys: _Ints) -> tuple[_Ints, _Ints, _Ints, NDArray[Any]]:
        """Return what happens from one ring to before another.

        Returns
        -------
        low, high, weight, ring : arrays
            First of the directions that are meant and first behind them, what is added to their counts, and when.
        """
        begin = self._begin[slice(*np.searchsorted(self._begins, (first, last)))]
        end = self._end[slice(*np.searchsorted(self._ends, (first, last)))]
        at = np.concatenate((begin, end))
        low, high = np.searchsorted(keys, self.low[at]), np.searchsorted(keys, self.high[at])
        weight = np.concatenate((self.weight[begin], -self.weight[end]))
        ring = np.concatenate((self.after[begin], self.until[end]))
        met = np.flatnonzero(high > low)
        if len(end):
            met = met[np.argsort(ring[met], kind="stable")]
        return low[met], high[met], weight[met], ring[met]


class _Counter:
    """The directions that still matter, with the count of each."""

    def __init__(
        self, keys: _Ints, at: _Ints, rings: NDArray[np.int32], found: _Ints, settled: Callable[[_Ints], _Bools]
    ) -> None:
        self.keys, self.settled, self.found = keys, settled, found
        self.total = np.zeros(len(keys), dtype=np.int64)
        # Targets nearest first: their direction, their ring, and where their count belongs.
        self.at, self.rings, self.place = at, rings, np.arange(len(at))

    def run(self, events: _Events) -> None:
        """Take rings in blocks that grow with the distance."""
        first, last = 0, int(self.rings[-1]) + 1
        while first < last and self._drop(first):
            until = min(last, first + max(3, first // 2))
            self._block(events, first, until)
            first = until

    def _drop(self, first: int) -> bool:
        """Keep the targets from a ring on whose direction is not settled, and their directions."""
        begin = int(np.searchsorted(self.rings, first))
        at, rings, place = self.at[begin:], self.rings[begin:], self.place[begin:]
        dead = self.settled(self.total)
        if dead.any():
            gone = dead[at]
            self.found[place[gone]] = self.total[at[gone]]
            kept = np.flatnonzero(~gone)
            at, rings, place = at[kept], rings[kept], place[kept]
        needed = np.zeros(len(self.keys), dtype=bool)
        needed[at] = True
        self.keys, self.total = self.keys[needed], self.total[needed]
        self.at, self.rings, self.place = (np.cumsum(needed) - 1)[at], rings, place
        return bool(len(at))

    def _block(self, events: _Events, first: int, last: int) -> None:
        low, high, weight, ring = events.within(first, last, self.keys)
        edges = np.arange(first, last + 1)
        target_at = np.searchsorted(self.rings, edges).tolist()
        event_at = np.searchsorted(ring, edges).tolist()
        for step in range(last - first):
            mine = slice(target_at[step], target_at[step + 1])
            if mine.stop > mine.start:
                self.found[self.place[mine]] = self.total[self.at[mine]]
            begin, end = event_at[step], event_at[step + 1]
            if end - begin > _FEW:
                self._add(low[begin:end], high[begin:end], weight[begin:end])
            else:
                for one in range(begin, end):
                    self.total[low[one] : high[one]] += weight[one]

    def _add(self, low: _Ints, high: _Ints, weight: _Ints) -> None:
        begin, end = int(low.min()), int(high.max())
        change = np.zeros(end - begin + 1, dtype=np.int64)
        np.add.at(change, low - begin, weight)
        np.subtract.at(change, high - begin, weight)
        self.total[begin:end] += np.cumsum(change[:-1])
