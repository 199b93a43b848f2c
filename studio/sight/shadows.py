"""Fields of view by ring shadows: exact, in time that grows with the number of hexes, not of lines.

Seen from one hex, a direction is a whole number: the sextant and the position ``b / N`` within it, scaled by 2**40 and
rounded down. Two different positions that hexes of a map can have lie at least 1 / (12 000 * 12 000) > 2**-28 apart, so
the rounding keeps their order and no float decides. A blocking hex throws a shadow: the open interval of directions
whose lines cross its inside. Ring by ring, what lies in the shadow of a nearer ring is hidden.

Several *classes* of target (units at different heights see different obstacles) are swept at once: each has its own
stretch of the number line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid, sextant

__all__ = ["Directions", "shadow_sweep"]

_ONE = 1 << 40
_TURN = 6 * _ONE
_STRIDE = 16 * _ONE  # room for one class: two turns and a gap

_Ints = NDArray[np.int64]
_FIRST = np.zeros(1, dtype=np.int64)


# Sextant of a displacement by the signs of dq, dr and dq + dr (each -1, 0 or 1), as in `studio.grid.sextant`.
_SEXTANT_OF_SIGNS = np.zeros(27, dtype=np.int8)
for _q in (-1, 0, 1):
    for _r in (-1, 0, 1):
        for _dq, _dr in ((_q, _r), (2 * _q, _r), (_q, 2 * _r)):
            _total = (_dq + _dr > 0) - (_dq + _dr < 0)
            _SEXTANT_OF_SIGNS[9 * (_q + 1) + 3 * (_r + 1) + _total + 1] = sextant(_dq, _dr)[0]
# The second coordinate of a displacement in its sextant is _B_OF_Q[k] dq + _B_OF_R[k] dr.
_B_OF_Q = np.array([0, -1, -1, 0, 1, 1], dtype=np.int32)
_B_OF_R = np.array([1, 0, -1, -1, 0, 1], dtype=np.int32)


class Directions:
    """Where every hex of a grid lies as seen from one of them.

    Parameters
    ----------
    grid : HexGrid
    cell : int
        The hex that looks.

    Attributes
    ----------
    sextant, ring, position : arrays of int32, shape (cells,)
        The displacement is ``(ring - position) e_k + position e_(k+1)``.
    """

    def __init__(self, grid: HexGrid, cell: int) -> None:
        q, r = grid.axial(cell)
        dq, dr = grid.axials[:, 0] - np.int32(q), grid.axials[:, 1] - np.int32(r)
        total = dq + dr
        signs = 9 * np.sign(dq) + 3 * np.sign(dr) + np.sign(total) + 13
        self.sextant: NDArray[np.int32] = _SEXTANT_OF_SIGNS[signs].astype(np.int32)
        self.position: NDArray[np.int32] = _B_OF_Q[self.sextant] * dq + _B_OF_R[self.sextant] * dr
        self.ring: NDArray[np.int32] = (np.abs(dq) + np.abs(dr) + np.abs(total)) >> 1

    def keys(self, cells: _Ints) -> _Ints:
        """Return the direction of some hexes as a whole number from 0 to below one turn."""
        ring = np.maximum(self.ring[cells], 1).astype(np.int64)
        return self.sextant[cells].astype(np.int64) * _ONE + (self.position[cells].astype(np.int64) << 40) // ring

    def shadows(self, cells: _Ints) -> tuple[_Ints, _Ints]:
        """Return the open interval of directions that cross the inside of some hexes; a lower end may be negative."""
        i, j = self.position[cells].astype(np.int64), np.maximum(self.ring[cells], 1).astype(np.int64)
        base = self.sextant[cells].astype(np.int64) * _ONE
        # Each edge has one formula below the middle of the sextant and one above it; they meet at 1/2.
        below = 2 * (3 * i - 2) <= 3 * j - 1
        low = _ratio(np.where(below, 3 * i - 2, 3 * i - 1), np.where(below, 3 * j - 1, 3 * j + 1))
        # The hexes straight ahead (i = 0) begin in the sextant before.
        ahead = np.flatnonzero(i == 0)
        low[ahead] = _ratio(3 * j[ahead] - 1, 3 * j[ahead] + 1) - _ONE
        below = 2 * (3 * i + 2) <= 3 * j + 1
        high = _ratio(np.where(below, 3 * i + 2, 3 * i + 1), np.where(below, 3 * j + 1, 3 * j - 1))
        return base + low, base + high


def _ratio(numerator: _Ints, denominator: _Ints) -> _Ints:
    return (np.maximum(numerator, 0) << 40) // denominator


def shadow_sweep(view: Directions, blocks: NDArray[np.bool_], target_class: NDArray[Any]) -> NDArray[np.bool_]:
    """Find the targets that no nearer blocking hex hides.

    Parameters
    ----------
    view : Directions
        Of the hex that looks.
    blocks : array of bool, shape (classes, cells)
        Hexes that block the view of targets of each class when the line crosses their inside.
    target_class : array of int, shape (cells,)
        Class of every hex as a target, -1 for none.

    Returns
    -------
    array of bool, shape (cells,)
        True where a target is not hidden. Lines along hexsides cross no inside, so they hide nothing here.
    """
    visible = target_class >= 0
    used = np.flatnonzero(visible | blocks.any(axis=0))
    order = used[np.argsort(view.ring[used].astype(np.int16), kind="stable")]
    rings = view.ring[order]
    sweep = _Sweep(view, blocks, target_class, visible)
    # Rings are taken in blocks that grow with the distance: before each, what is hidden by now is dropped at one blow.
    first, begin = 1, int(np.searchsorted(rings, 1))
    while begin < len(order):
        last = first + max(4, first // 2)
        end = int(np.searchsorted(rings, last))
        if not sweep.hide(order[begin:]):
            break
        sweep.rings(order[begin:end], rings[begin:end])
        first, begin = last, end
    return visible


class _Sweep:
    """The state of a sweep: the shadows so far, sorted and disjoint, and the targets that are still visible."""

    def __init__(
        self, view: Directions, blocks: NDArray[np.bool_], target_class: NDArray[Any], visible: NDArray[np.bool_]
    ) -> None:
        self.view, self.blocks, self.visible = view, blocks, visible
        self.target_class = target_class
        self.starts: _Ints = np.empty(0, dtype=np.int64)
        self.ends: _Ints = np.empty(0, dtype=np.int64)

    def _hidden(self, keys: _Ints) -> NDArray[np.bool_]:
        at = np.searchsorted(self.starts, keys, side="left") - 1
        return np.asarray((at >= 0) & (self.ends[at] > keys))

    def _keys(self, targets: _Ints) -> _Ints:
        return self.view.keys(targets) + self.target_class[targets].astype(np.int64) * _STRIDE

    def hide(self, cells: _Ints) -> bool:
        """Hide the targets among some cells that lie in shadow; tell whether any is still visible."""
        targets = cells[self.visible[cells]]
        if len(self.starts) and len(targets):
            hidden = self._hidden(self._keys(targets))
            self.visible[targets[hidden]] = False
            return not hidden.all()
        return bool(len(targets))

    def rings(self, cells: _Ints, rings: NDArray[np.int32]) -> None:
        """Take some rings, nearest first: hide what lies in shadow, then add the shadows of each."""
        if not len(cells):
            return
        which, index = np.nonzero(self.blocks[:, cells])
        low, high = self.view.shadows(cells[index])
        low, high = low + which * _STRIDE, high + which * _STRIDE
        if len(self.starts):
            # Most hexes behind a shadow add nothing to it.
            at = np.searchsorted(self.starts, low, side="right") - 1
            new = np.flatnonzero((at < 0) | (self.ends[at] < high))
            low, high, index = low[new], high[new], index[new]
        by_ring = np.argsort(index, kind="stable")
        low, high, blocker_rings = low[by_ring], high[by_ring], rings[index[by_ring]]
        open_ = self.visible[cells]
        targets, target_rings = cells[open_], rings[open_]
        keys = self._keys(targets)
        edges = np.arange(int(rings[0]), int(rings[-1]) + 2)
        at, blocker_at = np.searchsorted(target_rings, edges).tolist(), np.searchsorted(blocker_rings, edges).tolist()
        changed = False  # the shadows of earlier blocks of rings have been looked at
        for step in range(len(at) - 1):
            if changed and at[step + 1] > at[step]:
                here = slice(at[step], at[step + 1])
                hidden = self._hidden(keys[here])
                self.visible[targets[here][hidden]] = False
            if blocker_at[step + 1] > blocker_at[step]:
                fresh = slice(blocker_at[step], blocker_at[step + 1])
                self.starts, self.ends = _merge(self.starts, self.ends, low[fresh], high[fresh])
                changed = True


def _merge(starts: _Ints, ends: _Ints, low: _Ints, high: _Ints) -> tuple[_Ints, _Ints]:
    """Add open intervals to a sorted list of disjoint ones; intervals that only meet in a point stay apart."""
    # A shadow across direction 0 counts at both ends of the turn.
    wraps = low % _STRIDE > _TURN
    if wraps.any():
        low, high = np.concatenate((low, low[wraps] + _TURN)), np.concatenate((high, high[wraps] + _TURN))
    low, high = np.concatenate((starts, low)), np.concatenate((ends, high))
    order = np.argsort(low)
    low, high = low[order], np.maximum.accumulate(high[order])
    cuts = np.flatnonzero(low[1:] >= high[:-1])
    return low[np.concatenate((_FIRST, cuts + 1))], high[np.append(cuts, len(high) - 1)]
