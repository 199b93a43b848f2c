"""Lines straight along hexsides, in six directions: through a hex in every even ring, between two in every odd one.

All targets of one such direction share one line; what it meets is looked at for all of them at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid.lines import SEXTANTS
from studio.rules.generic.borders import BLOCKED_FROM, border_hindrances, border_points
from studio.rules.generic.heights import NOTHING, rises
from studio.rules.generic.scene import Scene
from studio.rules.generic.tally import Tally
from studio.sight import Directions

__all__ = ["add_spines"]

_Bools = NDArray[np.bool_]
_Ints = NDArray[np.int64]


class _Ends(NamedTuple):
    """The near end, and the ends of all lines of one direction; arrays of shape (1, lines)."""

    eye: int
    eyes: _Ints
    rings: _Ints


def add_spines(
    scene: Scene,
    start: int,
    view: Directions,
    eyes: tuple[int, _Ints],
    targets: _Ints,
    spine: _Bools,
    tally: Tally,
) -> None:
    """Add what the lines to targets straight along hexsides meet.

    Parameters
    ----------
    scene : Scene
    start : int
        Cell of the hex that looks.
    view : Directions
        Of that hex.
    eyes : tuple of int and array of int64, shape (n,)
        Heights of the eyes at the start and at each target.
    targets : array of int64, shape (n,)
        Cells.
    spine : array of bool, shape (n,)
        Which targets lie straight along hexsides.
    tally : Tally
        Of all targets.
    """
    for k in range(6):
        chosen = np.flatnonzero(spine & (view.sextant[targets] == k))
        if len(chosen):
            ends = _Ends(eyes[0], eyes[1][chosen][None, :], view.ring[targets[chosen]].astype(np.int64)[None, :])
            points, hindrances = _Spine(scene, start, k, ends).add_up()
            tally.points[chosen] += points
            tally.hindrances[chosen] += hindrances


class _Spine:
    """One direction along hexsides."""

    def __init__(self, scene: Scene, start: int, k: int, ends: _Ends) -> None:
        self.scene, self.options, self.ends = scene, scene.options, ends
        layout = scene.survey.layout
        last = int(ends.rings.max())
        self.origin = int(layout.index[start])
        self.one, self.other = layout.offset(*SEXTANTS[k]), layout.offset(*SEXTANTS[(k + 1) % 6])
        self.odd = np.arange(1, last, 2, dtype=np.int64)
        self.even = np.arange(0, last + 1, 2, dtype=np.int64)
        self.points: _Ints = np.zeros(ends.rings.shape[1], dtype=np.int64)
        self.hindrances: _Ints = np.zeros(ends.rings.shape[1], dtype=np.int64)

    def add_up(self) -> tuple[_Ints, _Ints]:
        """Return points and hindrances of each line."""
        cells = self.scene.survey.layout.cells
        middle = cells[self.origin + (self.even // 2) * (self.one + self.other)]
        first = cells[self.origin + (self.odd + 1) // 2 * self.one + self.odd // 2 * self.other]
        second = cells[self.origin + self.odd // 2 * self.one + (self.odd + 1) // 2 * self.other]
        blocks, counts = self._hexes(middle, self.even)
        between = self._within(2 * self.even) & (self.even > 0)[:, None]
        self._add(BLOCKED_FROM * blocks, counts, between)
        self._pair((self._hexes(first, self.odd), self._hexes(second, self.odd)), (first, second), self.odd * 2)
        if self.scene.side_layers:
            self._sides(middle, first, second)
        return self.points, self.hindrances

    def _within(self, place: _Ints) -> _Bools:
        """Tell which places lie on which lines, before their ends."""
        return np.asarray(place[:, None] < 2 * self.ends.rings)

    def _rises(self, blind: Any, top: _Ints, place: _Ints) -> _Bools:
        up = rises(blind, top[:, None], self.ends.eye, self.ends.eyes, place[:, None], 2 * self.ends.rings)
        return np.asarray(up & (top > NOTHING)[:, None])

    def _hexes(self, cells: _Ints, ring: _Ints) -> tuple[_Bools, _Ints]:
        """Tell which hexes block which lines, and how often they hinder them."""
        shape = len(cells), self.ends.rings.shape[1]
        blocks, counts = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
        for layer in self.scene.between:
            up = self._rises(layer.blind, np.where(cells >= 0, layer.top[cells], NOTHING), 2 * ring)
            if layer.blocks:
                blocks |= up
            else:
                counts += up
        return blocks, counts

    def _add(self, points: _Ints, hindrances: _Ints, where: _Bools) -> None:
        self.points += np.where(where, points, 0).sum(axis=0)
        self.hindrances += np.where(where, hindrances, 0).sum(axis=0)

    def _pair(
        self, pair: tuple[tuple[_Bools, _Ints], tuple[_Bools, _Ints]], cells: tuple[_Ints, _Ints], place: _Ints
    ) -> None:
        """Add what two hexes, or hexsides, do together."""
        (block, count), (other_block, other_count) = pair
        there = (cells[0] >= 0)[:, None], (cells[1] >= 0)[:, None]
        points = border_points(self.options, (block, other_block), there)
        hindrances = border_hindrances(self.options, (count, other_count), (block, other_block), there)
        self._add(points, hindrances, self._within(place))

    # -- hexsides --------------------------------------------------------------------------------------------------

    def _sides(self, middle: _Ints, first: _Ints, second: _Ints) -> None:
        near, far = middle[: len(self.odd)], middle[1 : len(self.odd) + 1]
        for hexes, place in ((near, 2 * self.odd - 1), (far, 2 * self.odd + 1)):
            pair = self._side(hexes, first, place), self._side(hexes, second, place)
            self._pair(pair, (np.where(hexes >= 0, first, -1), np.where(hexes >= 0, second, -1)), place)
        if self.options["along_side"] == "counts":
            blocks, counts = self._side(first, second, 2 * self.odd)
            self._add(BLOCKED_FROM * blocks, counts, self._within(2 * self.odd))

    def _side(self, here: _Ints, there: _Ints, place: _Ints) -> tuple[_Bools, _Ints]:
        """Tell which sides block which lines, and how often they hinder them."""
        shape = len(here), self.ends.rings.shape[1]
        blocks, counts = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.int64)
        sides = [(min(a, b), max(a, b)) for a, b in zip(here.tolist(), there.tolist(), strict=True)]
        counted: _Bools = np.ones(shape, dtype=bool)
        if self.options["end_sides"] == "ignored":
            counted = (place > 1)[:, None] & (place[:, None] < 2 * self.ends.rings - 1)
        for layer in self.scene.side_layers:
            top = np.array([layer.tops.get(side, NOTHING) for side in sides], dtype=np.int64)
            up = self._rises(self.scene.blind, top, place) & counted
            if layer.blocks:
                blocks |= up
            else:
                counts += up
        return blocks, counts
