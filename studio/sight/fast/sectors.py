"""The field of view where all eyes are at one height: ring shadows, sector by sector, over whole blocks of rings.

As in :mod:`studio.sight.fast.shadows`, a hex throws a shadow, an open interval of directions. In the ring at distance j
the directions of the hexes are i / j, so that an interval hides the positions from just above ``low j`` to just below
``high j``: no search for single targets is needed. Each of the six sectors has its own shadows, and is done as soon as
one of them fills it.

Shadows of nearer blocks of rings are sorted and disjoint; those that begin in the block itself are few, as what lies in
an older shadow throws none. The directions are floats, and exact in effect: the end of a shadow thrown in ring m is a
ratio with a divisor of 3 m + 1 at most, so j times it is a whole number, or as far from one as 1 / (3 m + 1), which is
far more than it can be rounded.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout
from studio.grid.lines import SEXTANTS

__all__ = ["Rings", "open_hexes", "rings_on_map"]

_Ints = NDArray[np.int64]
_Floats = NDArray[np.float64]
_Bools = NDArray[np.bool_]

_TOUCH = 2.0**-20  # more than any rounding, less than the distance of a fraction from a whole number
_MOST = 200_000  # hexes times rings looked at in one go
_FEWEST = 4  # rings


class Rings(NamedTuple):
    """The parts of the rings of one sector that lie on the map; arrays by ring, from ring 0 on.

    Attributes
    ----------
    low, high : array of int64
        First position, and first behind the last.
    base : array of int64
        Flat index of position 0.
    side : int
        Flat step from one position to the next.
    """

    low: _Ints
    high: _Ints
    base: _Ints
    side: int


def open_hexes(layout: FlatLayout, cell: int, blocks: _Bools, limit: int = 0, *, closed: bool = False) -> _Bools:
    """Find the hexes that no nearer blocking hex hides.

    Parameters
    ----------
    layout : FlatLayout
    cell : int
        The hex that looks.
    blocks : array of bool, shape (layout.size,)
        Hexes that hide what lies behind them when a line crosses their inside.
    limit : int
        Rings farther away are left out; 0 for no limit.
    closed : bool
        A blocking hex also hides what lies on the borders of its shadow: a line that runs along one of its sides, or
        through a corner, counts as one across its inside.

    Returns
    -------
    array of bool, shape (layout.size,)
        True where a hex is not hidden, the one that looks left out. Unless shadows are closed, lines along hexsides
        cross no inside, so they hide nothing here.
    """
    found = np.zeros(layout.size, dtype=bool)
    for k in range(6):
        _Sector(rings_on_map(layout, cell, k, limit), closed).sweep(blocks, found)
    return found


def rings_on_map(layout: FlatLayout, cell: int, k: int, limit: int = 0) -> Rings:
    """Clip the rings round a hex to the map, within one sector.

    Parameters
    ----------
    layout : FlatLayout
    cell : int
    k : int
        Number of the sector, 0 to 5; both of its borders belong to it.
    limit : int
        Rings farther away are left out; 0 for no limit.
    """
    grid = layout.grid
    farthest = grid.rows + grid.columns
    rings = np.arange(min(limit or farthest, farthest) + 1, dtype=np.int64)
    row, column = divmod(cell, grid.columns)
    line, position = (column, row) if grid.flat else (row, column)
    lines, positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
    # In half hexes along the line; lines lean back by one each.
    half = 2 * position + (line + (grid.stagger == "even")) % 2
    one, other = ((q, 2 * r + q) if grid.flat else (r, 2 * q + r) for q, r in (SEXTANTS[k], SEXTANTS[(k + 1) % 6]))
    low, high = np.zeros_like(rings), rings.copy()
    for start, ahead, aside, most in (
        (line, one[0], other[0] - one[0], lines - 1),
        (half, one[1], other[1] - one[1], 2 * positions - 1),
    ):
        place = start + rings * ahead
        if aside == 0:
            high[(place < 0) | (place > most)] = -1
        elif aside > 0:
            low, high = np.maximum(low, -(place // aside)), np.minimum(high, (most - place) // aside)
        else:
            low, high = np.maximum(low, -((most - place) // -aside)), np.minimum(high, place // -aside)
    one_step, other_step = layout.offsets[k], layout.offsets[(k + 1) % 6]
    base = int(layout.index[cell]) + rings * one_step
    return Rings(low, np.maximum(high + 1, low), base, other_step - one_step)


class _Sector:
    """The state of a sweep: the shadows so far, sorted and disjoint, from below 0 to above 1."""

    def __init__(self, rings: Rings, closed: bool = False) -> None:
        self.rings = rings
        self.touch = -_TOUCH if closed else _TOUCH
        self.starts: _Floats = np.empty(0)
        self.ends: _Floats = np.empty(0)

    def sweep(self, blocks: _Bools, found: _Bools) -> None:
        """Mark the hexes that are not hidden; blocks of rings grow with the distance."""
        low, high, base, side = self.rings
        there = np.flatnonzero(high > low)
        first, end = 1, int(there[-1]) + 1 if len(there) else 0
        while first < end and not self._closed():
            last = min(end, first + max(_FEWEST, first // 2))
            rings = np.arange(first, last)
            count = (high - low)[first:last]
            begin = np.concatenate(([0], np.cumsum(count)))
            # Where position 0 of a ring would be in the row of all hexes of these rings.
            origin = begin[:-1] - low[first:last]
            index = np.repeat(base[first:last] - origin * side, count) + np.arange(begin[-1]) * side
            met = np.flatnonzero(blocks[index])
            ring = np.searchsorted(begin, met, side="right") - 1
            met, ring, shadow = self._fresh(met - origin[ring], ring + first)
            if len(met) * len(rings) > _MOST and len(rings) > _FEWEST:
                last = first + max(_FEWEST, _MOST // len(met))
                rings, origin = rings[: last - first], origin[: last - first]
                index = index[: begin[last - first]]
                some = slice(int(np.searchsorted(ring, last)))
                ring, shadow = ring[some], (shadow[0][some], shadow[1][some])
            window = low[first:last], high[first:last], origin
            change = self._change((self.starts, self.ends), rings, window, len(index))
            if len(ring):
                change += self._change(shadow, rings, window, len(index), after=ring)
                self._merge(*shadow)
            found[index] = np.cumsum(change)[:-1] == 0
            first = last

    def _closed(self) -> bool:
        return len(self.starts) == 1 and bool(self.starts[0] < 0 and self.ends[0] > 1)

    def _fresh(self, i: _Ints, j: _Ints) -> tuple[_Ints, _Ints, tuple[_Floats, _Floats]]:
        """Return position, ring and shadow of those of some hexes that do not lie in an older shadow."""
        low, high = _shadows(i, j)
        if len(self.starts):
            at = np.searchsorted(self.starts, low, side="right") - 1
            new = np.flatnonzero((at < 0) | (self.ends[at] < high))
            i, j, low, high = i[new], j[new], low[new], high[new]
        return i, j, (low, high)

    def _change(
        self,
        shadow: tuple[_Floats, _Floats],
        rings: _Ints,
        window: tuple[_Ints, _Ints, _Ints],
        total: int,
        after: _Ints | None = None,
    ) -> _Ints:
        """Return how many more shadows lie on each hex of some rings than on the one before it.

        `after` are the rings beyond which shadows count.
        """
        low, high, origin = window
        # Truncated, these are the first position above the low end, and the first one not below the high end; of closed
        # shadows the first one not below the low end, and the first one above the high end.
        first = (shadow[0][:, None] * rings + (1 + self.touch)).astype(np.int64)
        last = (shadow[1][:, None] * rings + (1 - self.touch)).astype(np.int64)
        np.maximum(first, low, out=first)
        np.minimum(last, high, out=last)
        met: Any = first < last
        if after is not None:
            met &= after[:, None] < rings
        first += origin
        last += origin
        return np.asarray(
            np.bincount(first[met], minlength=total + 1) - np.bincount(last[met], minlength=total + 1), dtype=np.int64
        )

    def _merge(self, low: _Floats, high: _Floats) -> None:
        """Add intervals; open ones that only meet in a point stay apart."""
        low, high = np.concatenate((self.starts, low)), np.concatenate((self.ends, high))
        order = np.argsort(low, kind="stable")
        low, high = low[order], np.maximum.accumulate(high[order])
        cuts = np.flatnonzero(low[1:] > high[:-1] if self.touch < 0 else low[1:] >= high[:-1])
        self.starts, self.ends = low[np.concatenate(([0], cuts + 1))], high[np.append(cuts, len(high) - 1)]


def _shadows(i: _Ints, j: _Ints) -> tuple[_Floats, _Floats]:
    """Return the open intervals of directions that cross the inside of the hexes at some positions of some rings."""
    # Each edge has one formula below the middle of the sector and one above it; they meet at 1/2.
    below = 2 * (3 * i - 2) <= 3 * j - 1
    low = np.where(below, 3 * i - 2, 3 * i - 1) / np.where(below, 3 * j - 1, 3 * j + 1)
    below = 2 * (3 * i + 2) <= 3 * j + 1
    return low, np.where(below, 3 * i + 2, 3 * i + 1) / np.where(below, 3 * j + 1, 3 * j - 1)
