"""Sums along lines from one hex to many targets: what the hexes weigh whose insides each line runs through.

Seen from one hex, another one covers an open interval of directions (see :mod:`studio.sight.fast.shadows`). Ring by
ring, from the nearest on, the weights of its hexes are added to all targets whose direction lies in their interval.
What a target has when its own ring is reached is the sum along its line. Directions are whole numbers that keep
their order; no float decides.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["STRIDE", "TURN", "Bars", "directions", "sum_along"]

_ONE = 1 << 40
TURN = 6 * _ONE
"""Directions go from 0 to below one turn."""

STRIDE = 16 * _ONE
"""Room for one class of targets, which sees bars of its own only: class c has the directions from c STRIDE on."""

_Ints = NDArray[np.int64]
_B_OF_Q = np.array([0, -1, -1, 0, 1, 1], dtype=np.int64)
_B_OF_R = np.array([1, 0, -1, -1, 0, 1], dtype=np.int64)


def directions(dq: _Ints, dr: _Ints) -> _Ints:
    """Return the directions of some axial vectors, scaled by any whole number; int64, shape (n,)."""
    total = dq + dr
    k = np.select(
        [
            (dq > 0) & (dr >= 0),
            (dq <= 0) & (total > 0),
            (dr > 0) & (total <= 0),
            (dq < 0) & (dr <= 0),
            (dq >= 0) & (total < 0),
        ],
        [0, 1, 2, 3, 4],
        5,
    )
    b = _B_OF_Q[k] * dq + _B_OF_R[k] * dr
    n = np.maximum((np.abs(dq) + np.abs(dr) + np.abs(total)) >> 1, 1)
    # As `Directions` has them: equal ratios round alike, and different ones lie too far apart to change their order.
    return np.asarray(k * _ONE + (b / n * _ONE).astype(np.int64), dtype=np.int64)


class Bars(NamedTuple):
    """Intervals of directions with what they weigh, in a ring each.

    Attributes
    ----------
    low, high : arrays of int64, shape (n,)
        With the offset of their class. A low end may lie below the directions of its class: across direction 0.
    ring : array of int, shape (n,)
    weight : array of int, shape (n,)
    """

    low: _Ints
    high: _Ints
    ring: NDArray[np.int32]
    weight: _Ints

    @classmethod
    def join(cls, several: list[Bars]) -> Bars:
        """Return the bars of several lists."""
        low, high, ring, weight = (np.concatenate([bars[column] for bars in several]) for column in range(4))
        return cls(low, high, ring, weight)

    def take(self, which: Any) -> Bars:
        """Return some of the bars: those of a slice, or of an array of indices."""
        return Bars(self.low[which], self.high[which], self.ring[which], self.weight[which])

    def whole(self) -> Bars:
        """Return the same bars with those across direction 0 cut in two, nearest first."""
        base = self.high // STRIDE * STRIDE
        wraps = self.low < base
        bars = self
        if wraps.any():
            tail = Bars(self.low[wraps] + TURN, base[wraps] + TURN, self.ring[wraps], self.weight[wraps])
            # Below every direction of the class, so that direction 0 itself lies inside.
            bars = Bars.join([self._replace(low=np.where(wraps, base - 1, self.low)), tail])
        return bars.take(np.argsort(bars.ring, kind="stable"))


def sum_along(
    keys: _Ints, rings: NDArray[np.int32], bars: Bars, *, limit: int = 0, closed: bool = False
) -> NDArray[np.int64]:
    """Sum the bars that lie before each target.

    Parameters
    ----------
    keys : array of int64, shape (n,)
        Directions of the targets, with the offset of their class.
    rings : array of int32, shape (n,)
    bars : Bars
        A bar counts for the targets of farther rings whose direction lies inside of it.
    limit : int
        Larger sums are given as this one; 0 for no limit.
    closed : bool
        The ends of a bar count as inside.

    Returns
    -------
    array of int64, shape (n,)
    """
    found = np.zeros(len(keys), dtype=np.int64)
    order = np.argsort(keys, kind="stable")
    state = _State(order, keys[order], rings[order], limit)
    bars = bars.whole()
    begin, first = 0, 1
    while len(state.targets) and begin < len(bars.ring):
        last = first + max(4, first // 3)
        end = int(np.searchsorted(bars.ring, last))
        state.drop(first, found)
        state.add(bars.take(slice(begin, end)), last, found, closed=closed)
        begin, first = end, last
    state.drop(first, found)
    found[state.targets] = state.sums
    return found


class _State:
    """Targets that are still of interest, by direction, and their sums so far."""

    def __init__(self, targets: _Ints, keys: _Ints, rings: NDArray[np.int32], limit: int) -> None:
        self.targets, self.keys, self.rings, self.limit = targets, keys, rings, limit
        self.sums: NDArray[Any] = np.zeros(len(targets), dtype=np.int32 if limit else np.int64)

    def drop(self, first: int, found: NDArray[np.int64]) -> None:
        """Drop the targets nearer than a ring, whose sums are known, and those that have reached the limit."""
        ahead = self.rings >= first
        if self.limit:
            full = self.sums >= self.limit
            found[self.targets[ahead & full]] = self.limit
            ahead &= ~full
        kept = np.flatnonzero(ahead)
        self.targets, self.keys, self.rings = self.targets[kept], self.keys[kept], self.rings[kept]
        self.sums = self.sums[kept]

    def add(self, bars: Bars, last: int, found: NDArray[np.int64], *, closed: bool) -> None:
        """Add the bars of some rings, the last one left out; set the sums of targets when their ring is reached."""
        low = np.searchsorted(self.keys, bars.low, side="left" if closed else "right")
        high = np.searchsorted(self.keys, bars.high, side="right" if closed else "left")
        met = np.flatnonzero(low < high)
        low, high, ring, weight = low[met], high[met], bars.ring[met], bars.weight[met]
        near = np.flatnonzero(self.rings < last)
        near = near[np.argsort(self.rings[near], kind="stable")]
        near_rings, at = self.rings[near], 0
        steps = np.unique(ring)
        for step, begin, end in zip(
            steps.tolist(),
            np.searchsorted(ring, steps).tolist(),
            np.searchsorted(ring, steps, "right").tolist(),
            strict=True,
        ):
            # Targets up to this ring do not have its bars before them.
            upto = int(np.searchsorted(near_rings, step, side="right"))
            found[self.targets[near[at:upto]]] = self.sums[near[at:upto]]
            at = upto
            change = np.zeros(len(self.keys) + 1, dtype=self.sums.dtype)
            np.add.at(change, low[begin:end], weight[begin:end].astype(self.sums.dtype))
            np.subtract.at(change, high[begin:end], weight[begin:end].astype(self.sums.dtype))
            self.sums += np.cumsum(change[:-1], dtype=self.sums.dtype)
            if self.limit:
                np.minimum(self.sums, self.limit, out=self.sums)
        rest = near[at:]
        found[self.targets[rest]] = self.sums[rest]
