"""What hexes hide on lines from hex centre to hex centre (5.1.9.1 to 5.1.9.3): all targets of one hex at once.

An obstacle counts where a line runs through it, along its side or through its corner, so that its shadow is closed. How
high it has to be depends on the levels of both ends alone: one sweep of shadows does for all targets that ask for the
same height. The hexes right in front of the lower end are looked at by themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.urban_operations.scene import NOTHING
from studio.sight.fast.sectors import open_hexes
from studio.sight.fast.shadows import Directions

if TYPE_CHECKING:
    from studio.rules.urban_operations.plan import Plan

__all__ = ["HexLines"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]


class HexLines:
    """Lines from hex centre to hex centre on one map.

    Parameters
    ----------
    plan : Plan
    """

    def __init__(self, plan: Plan) -> None:
        scene = plan.scene
        self.scene, self.layout = scene, scene.survey.layout
        self.options = scene.options
        self.obstacle = self.layout.pack(np.where(scene.grid.present.ravel(), scene.obstacle, NOTHING), NOTHING)
        is_open = (scene.obstacle == NOTHING) & scene.grid.present.ravel()
        self.ground = self.layout.pack(np.where(is_open, scene.ground, NOTHING).astype(np.int16), NOTHING)
        self.highest_ground = int(self.ground.max())

    def hidden(self, a: int, cells: _Ints) -> _Bools:
        """Tell which hexes other hexes hide from one; all dots are hex centres.

        Parameters
        ----------
        a : int
            The hex that looks.
        cells : array of int64, shape (n,)
            None of them the one that looks.

        Returns
        -------
        array of bool, shape (n,)
        """
        scene = self.scene
        start, level = int(scene.level[a]), scene.level[cells].astype(np.int64)
        low, high = np.minimum(level, start), np.maximum(level, start)
        found = np.zeros(len(cells), dtype=bool)
        distance = scene.grid.axials[cells].astype(np.int64) - scene.grid.axials[a]
        rings = (np.abs(distance).sum(axis=1) + np.abs(distance.sum(axis=1))) >> 1
        # As high as the higher end (plateau effect), but higher than both of equal ends.
        self._sweep(a, cells, rings, high + (low == high), self.obstacle, True, found)
        lower = np.flatnonzero(low < self.highest_ground)
        if len(lower):
            some = ~found[lower]
            lower = lower[some]
            plateau = self.options["low_ground"] == "plateau"
            needed = high[lower] + (low[lower] == high[lower] if plateau else 1)
            part = np.zeros(len(lower), dtype=bool)
            closed = self.options["ground_border"] == "blocks"
            self._sweep(a, cells[lower], rings[lower], needed, self.ground, closed, part)
            found[lower] = part
        blind = np.flatnonzero(~found & (low < high) & (rings > 1))
        if len(blind):
            found[blind] = self._blind(a, cells[blind], level[blind] < start, low[blind], high[blind])
        return found

    def _sweep(
        self, a: int, cells: _Ints, rings: _Ints, needed: _Ints, levels: NDArray[np.int16], closed: bool, found: _Bools
    ) -> None:
        """Mark the hexes behind others of the level that each of them needs."""
        highest = int(levels.max())
        for level in np.unique(needed).tolist():
            if level > highest:
                continue
            mine = np.flatnonzero(needed == level)
            limit = max(1, int(rings[mine].max()))
            seen = open_hexes(self.layout, a, levels >= level, limit, closed=closed)
            found[mine] |= ~seen[self.layout.index[cells[mine]]]

    def _blind(self, a: int, cells: _Ints, is_lower: _Bools, low: _Ints, high: _Ints) -> _Bools:
        """Tell which lines meet something right in front of their lower end that hides it (5.1.9.3)."""
        view = Directions(self.scene.grid, a, self.layout)
        k, n, b = view.sextant[cells], view.ring[cells].astype(np.int64), view.position[cells].astype(np.int64)
        along = np.array(self.layout.offsets, dtype=np.int64)
        reach = n + np.maximum(b, n - b)
        origin, target = int(self.layout.index[a]), self.layout.index[cells]
        found = np.zeros(len(cells), dtype=bool)
        # Seen from either end, the next hex along one axis of the sextant is as far beside the line as the other
        # coordinate of the displacement says.
        for step, away, other in ((along[k], b, n - b), (along[(k + 1) % 6], n - b, b)):
            index = np.where(is_lower, target - step, origin + step)
            met, inner = (3 * away <= reach) & (other > 0), (3 * away < reach) & (other > 0)
            found |= met & (self.obstacle[index] > low)
            ground = self.ground[index]
            front = np.zeros(len(cells), dtype=bool)
            if self.options["low_ground"] == "edge":
                front |= ground == high
            if self.options["level_change"] == "ground":
                front |= ground <= high
            found |= (met if self.options["ground_border"] == "blocks" else inner) & front & (ground > low)
        return found
