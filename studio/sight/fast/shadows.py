"""Fields of view by ring shadows: exact, in time that grows with the number of hexes, not of lines.

Seen from one hex, a direction is a whole number: the sextant and the position ``b / N`` within it, scaled by 2**40 and
rounded. Two different positions that hexes of a map can have lie at least 1 / (12 000 * 12 000) > 2**-28 apart, so the
rounding keeps their order, and equal ones equal. A blocking hex throws a shadow: the open interval of directions
whose lines cross its inside. Ring by ring, what lies in the shadow of a nearer ring is hidden.

Several *classes* of target (units at different heights see different obstacles) are swept at once: each has its own
stretch of the number line.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout, HexGrid, sextant
from studio.sight.fast.sectors import open_hexes

__all__ = ["Directions", "shadow_sweep"]

_ONE = 1 << 40
_TURN = 6 * _ONE
_STRIDE = 16 * _ONE  # room for one class: two turns and a gap

_Ints = NDArray[np.int64]
_BATCH = 4  # rings whose shadows are added together; within a batch the lines themselves are looked at
_FEW_CLASSES = 3
_LARGE = 125_000  # cells for which one more class is swept by itself
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
    layout : FlatLayout, optional
        That of the grid, where it is at hand.

    Attributes
    ----------
    sextant, ring, position : arrays of int32, shape (cells,)
        The displacement is ``(ring - position) e_k + position e_(k+1)``.
    """

    def __init__(self, grid: HexGrid, cell: int, layout: FlatLayout | None = None) -> None:
        self.layout = layout or FlatLayout(grid)
        self.cell = cell
        self.origin = int(self.layout.index[cell])
        q, r = grid.axial(cell)
        dq, dr = grid.axials[:, 0] - np.int32(q), grid.axials[:, 1] - np.int32(r)
        total = dq + dr
        signs = 9 * np.sign(dq) + 3 * np.sign(dr) + np.sign(total) + 13
        self.sextant: NDArray[np.int32] = _SEXTANT_OF_SIGNS[signs].astype(np.int32)
        self.position: NDArray[np.int32] = _B_OF_Q[self.sextant] * dq + _B_OF_R[self.sextant] * dr
        self.ring: NDArray[np.int32] = (np.abs(dq) + np.abs(dr) + np.abs(total)) >> 1

    def crossed(self, cells: _Ints, back: int) -> tuple[_Ints, _Ints]:
        """Return the two hexes that the lines to some hexes may run through, so many rings before their ends.

        Returns
        -------
        tuple of two arrays of int64
            Cells, -1 where the line does not run through the inside, or off the map.
        """
        k, n, b = self.sextant[cells], self.ring[cells], self.position[cells]
        ring = n - np.int32(back)
        place = b * ring
        i = (place / n).astype(np.int32)  # exact: see `_ratio`
        before, reach = 3 * (place - n * i), n + np.maximum(n - b, b)
        along = np.array(self.layout.offsets, dtype=np.int64)
        aside = (np.roll(along, -1) - along)[k]
        index = self.origin + ring * along[k] + i * aside
        first = np.where(before < reach, self.layout.cells[index], -1)
        there = 3 * n - before < reach
        return first, np.where(there, self.layout.cells[np.where(there, index + aside, index)], -1)

    def keys(self, cells: _Ints) -> _Ints:
        """Return the direction of some hexes as a whole number from 0 to below one turn."""
        ring = np.maximum(self.ring[cells], 1)
        return self.sextant[cells].astype(np.int64) * _ONE + _ratio(self.position[cells], ring)

    def shadows(self, cells: _Ints) -> tuple[_Ints, _Ints]:
        """Return the open interval of directions that cross the inside of some hexes; a lower end may be negative."""
        i, j = self.position[cells], np.maximum(self.ring[cells], 1)
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


def _ratio(numerator: NDArray[Any], denominator: NDArray[Any]) -> _Ints:
    """Return whole numbers that are equal where the ratios are, and in the same order where they are not.

    Division is the fastest in floats, and rounds the same ratio always alike; by a distance of less than 2**-53, while
    two different ratios lie 2**-28 apart. So nothing is lost: no verdict hangs on how it rounds.
    """
    return np.asarray((np.maximum(numerator, 0) / denominator * _ONE).astype(np.int64))


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
    if len(blocks) <= max(_FEW_CLASSES, len(visible) // _LARGE):
        return _one_by_one(view, blocks, target_class, visible)
    blocking = np.flatnonzero(blocks.any(axis=0))
    blocking = blocking[np.argsort(view.ring[blocking].astype(np.int16), kind="stable")]
    sweep = _Sweep(view, blocks, target_class, visible)
    # Rings are taken in blocks that grow with the distance: before each, what is hidden by now is dropped at one blow.
    first, begin, rings = 1, 0, view.ring[blocking]
    while begin < len(blocking) and sweep.drop_hidden(first):
        last = first + max(4, first // 2)
        end = int(np.searchsorted(rings, last))
        sweep.rings(blocking[begin:end], first, last)
        first, begin = last, end
    sweep.drop_hidden(first)
    return visible


def _one_by_one(
    view: Directions, blocks: NDArray[np.bool_], target_class: NDArray[Any], visible: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Sweep for each class by itself, which is the fastest for few of them on large maps."""
    for number, mine in enumerate(blocks):
        targets = np.flatnonzero(target_class == number)
        if len(targets) and mine.any():
            seen = open_hexes(
                view.layout, view.cell, view.layout.pack(mine, False), max(1, int(view.ring[targets].max()))
            )
            visible[targets] = seen[view.layout.index[targets]]
    return visible


class _Sweep:
    """The state of a sweep: the shadows so far, sorted and disjoint, and the targets that are still visible."""

    def __init__(
        self, view: Directions, blocks: NDArray[np.bool_], target_class: NDArray[Any], visible: NDArray[np.bool_]
    ) -> None:
        self.view, self.blocks, self.visible = view, blocks, visible
        self.starts: _Ints = np.empty(0, dtype=np.int64)
        self.ends: _Ints = np.empty(0, dtype=np.int64)
        # The targets that are still visible, nearest first, with their directions.
        targets = np.flatnonzero(visible)
        self.targets = targets[np.argsort(view.ring[targets].astype(np.int16), kind="stable")]
        self.target_rings = view.ring[self.targets]
        self.keys = view.keys(self.targets) + target_class[self.targets].astype(np.int64) * _STRIDE
        self.target_class = target_class

    def _hidden(self, keys: _Ints) -> NDArray[np.bool_]:
        at = np.searchsorted(self.starts, keys, side="left") - 1
        return np.asarray((at >= 0) & (self.ends[at] > keys))

    def drop_hidden(self, ring: int) -> bool:
        """Settle the targets from a ring on that lie in shadow; tell whether any from there on is still visible."""
        # Targets of nearer rings were looked at ring by ring: what is visible of them stays so.
        begin = int(np.searchsorted(self.target_rings, ring))
        self.targets, self.keys, self.target_rings = self.targets[begin:], self.keys[begin:], self.target_rings[begin:]
        if len(self.starts) and len(self.targets):
            hidden = self._hidden(self.keys)
            self.visible[self.targets[hidden]] = False
            kept = np.flatnonzero(~hidden)
            self.targets, self.keys, self.target_rings = self.targets[kept], self.keys[kept], self.target_rings[kept]
        return bool(len(self.targets))

    def rings(self, cells: _Ints, first: int, last: int) -> None:
        """Take the blocking hexes of some rings, nearest first: hide what lies in shadow, add the shadows of each."""
        # A class whose targets are all settled needs no more shadows.
        live = np.flatnonzero(np.bincount(self.keys // _STRIDE, minlength=len(self.blocks)))
        which, index = np.nonzero(
            self.blocks[live][:, cells] if len(live) < len(self.blocks) else self.blocks[:, cells]
        )
        if not len(which):
            return
        which = live[which]
        low, high = self.view.shadows(cells[index])
        low, high = low + which * _STRIDE, high + which * _STRIDE
        if len(self.starts):
            # Most hexes behind a shadow add nothing to it.
            at = np.searchsorted(self.starts, low, side="right") - 1
            new = np.flatnonzero((at < 0) | (self.ends[at] < high))
            low, high, index = low[new], high[new], index[new]
        by_ring = np.argsort(index, kind="stable")
        low, high, blocker_rings = low[by_ring], high[by_ring], self.view.ring[cells[index[by_ring]]]
        end = int(np.searchsorted(self.target_rings, last))
        targets, keys = self.targets[:end], self.keys[:end]
        self._hide_near(targets, first)
        edges = np.append(np.arange(first, last, _BATCH), last)
        target_at = np.searchsorted(self.target_rings[:end], edges).tolist()
        blocker_at = np.searchsorted(blocker_rings, edges).tolist()
        changed = False  # the shadows of earlier blocks of rings have been looked at
        for step in range(len(edges) - 1):
            if changed and target_at[step + 1] > target_at[step]:
                here = slice(target_at[step], target_at[step + 1])
                self.visible[targets[here][self._hidden(keys[here])]] = False
            if blocker_at[step + 1] > blocker_at[step]:
                fresh = slice(blocker_at[step], blocker_at[step + 1])
                self.starts, self.ends = _merge(self.starts, self.ends, low[fresh], high[fresh])
                changed = True

    def _hide_near(self, targets: _Ints, first: int) -> None:
        """Hide the targets that a hex of their own batch of rings blocks: its shadow is added after the batch only."""
        within = (self.view.ring[targets] - first) % _BATCH
        for back in range(1, _BATCH):
            chosen = targets[(within >= back) & self.visible[targets]]
            if len(chosen):
                rows = self.target_class[chosen]
                one, other = self.view.crossed(chosen, back)
                hidden = (self.blocks[rows, one] & (one >= 0)) | (self.blocks[rows, other] & (other >= 0))
                self.visible[chosen[hidden]] = False


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
