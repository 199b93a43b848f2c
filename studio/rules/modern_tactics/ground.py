"""What fields of view from any hex of one map of Modern Tactics have in common."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.drawn import Shape
from studio.rules.modern_tactics.layers import Layer, layers_of, reach
from studio.rules.modern_tactics.scene import Scene
from studio.sight.fast.shapesides import ShapeSides

__all__ = ["FULL", "Ground", "Kind"]

FULL = 3
"""Weight of a blocked line: no degradation more than two is borne."""

_Ints = NDArray[np.int64]


class Kind(NamedTuple):
    """What counts for lines between two heights, in planes over cells.

    Attributes
    ----------
    full, behind : array of int8
        Weight of a hex anywhere on the line, and in the one before the lower end.
    full_shapes, behind_shapes : ShapeSides or None
        Drawn pieces that block.
    full_drawn, behind_drawn : list of Shape
        The same pieces.
    crests : list of (layer, other, own)
        Hills of the height of the higher end: whether those count that hold neither end, and those that hold one.
    """

    full: NDArray[np.int8]
    behind: NDArray[np.int8]
    full_shapes: ShapeSides | None
    behind_shapes: ShapeSides | None
    full_drawn: list[Shape]
    behind_drawn: list[Shape]
    crests: list[tuple[Layer, bool, bool]]


class Ground:
    """What fields of view from any hex of one scene have in common.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.layers = scene, layers_of(scene)
        self._kinds: dict[tuple[int, int], Kind] = {}
        self._sides: dict[int, tuple[_Ints, _Ints, _Ints]] = {}
        self._hills: dict[int, _Ints] = {}

    def kind(self, low: int, high: int) -> Kind:
        """Return what counts for lines between two heights."""
        if (low, high) not in self._kinds:
            reaches = [(layer, reach(layer, low, high, self.scene.options)) for layer in self.layers]
            full = [layer for layer, when in reaches if when.full]
            behind = [layer for layer, when in reaches if when.behind]
            crests = [(layer, when.other, when.own) for layer, when in reaches if when.other or when.own]
            drawn = [[shape for layer in some for shape in layer.shapes] for some in (full, behind)]
            planes = self._weigh(full), self._weigh(behind)
            shapes = [self._shapes(one) for one in drawn]
            self._kinds[low, high] = Kind(*planes, shapes[0], shapes[1], drawn[0], drawn[1], crests)
        return self._kinds[low, high]

    def _weigh(self, layers: list[Layer]) -> NDArray[np.int8]:
        weight = np.zeros(self.scene.grid.cells, dtype=np.int8)
        for layer in layers:
            weight[layer.degrade] = np.maximum(weight[layer.degrade], 1)
        for layer in layers:
            weight[layer.block] = FULL
        weight[~self.scene.present] = 0
        return weight

    def _shapes(self, shapes: list[Shape]) -> ShapeSides | None:
        if not shapes:
            return None
        pieces = [(shape.cell, shape.piece) for shape in shapes]
        return ShapeSides(self.scene.grid, pieces, graze=bool(self.scene.options["graze_hits"]))

    def hill_numbers(self, height: int) -> _Ints:
        """Return a small number for the hill in every hex, 1 and more; int64, shape (cells,)."""
        if height not in self._hills:
            _, numbers = np.unique(self.scene.hills[height], return_inverse=True)
            self._hills[height] = numbers.astype(np.int64) + 1
        return self._hills[height]

    def sides(self, height: int) -> tuple[_Ints, _Ints, _Ints]:
        """Return the hexsides that count between two ends of a height: their two hexes, and three times their corners.

        The corners are axial vectors; int64, shape (n, 2, 2).
        """
        if height not in self._sides:
            pairs = [side for side, level in self.scene.sides.items() if level >= height]
            one = np.array([a for a, _ in pairs], dtype=np.int64)
            other = np.array([b for _, b in pairs], dtype=np.int64)
            axials = self.scene.grid.axials.astype(np.int64)
            (q0, r0), (q1, r1) = axials[one].T.reshape(2, -1), axials[other].T.reshape(2, -1)
            # A corner is the middle of three hexes; the third ones lie a sixth of a turn to both sides.
            dq, dr = q1 - q0, r1 - r0
            left, right = (q0 - dr, r0 + dq + dr), (q0 + dq + dr, r0 - dq)
            corners = [np.stack((q0 + q1 + q, r0 + r1 + r), axis=1) for q, r in (left, right)]
            self._sides[height] = one, other, np.stack(corners, axis=1)
        return self._sides[height]
