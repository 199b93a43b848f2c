"""Lines of one displacement that bits leave open, in arrays: hills as high as the higher end, drawn structures.

Most lines are blocked by then, so the few that are not are looked at hex by hex, all of them together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.layers import Layer, reach
from studio.rules.modern_tactics.scene import Scene
from studio.sight.fast.shapebits import Extents

__all__ = ["Leftover"]

_Ints = NDArray[np.int64]


class _Hill(NamedTuple):
    """Undrawn hills of one height: the number of the hill in every hex of that height, and of that of an end."""

    height: int
    met: NDArray[np.int32]
    mine: NDArray[np.int32]


class Leftover:
    """What of a map is looked at line by line; arrays in the flat layout.

    Parameters
    ----------
    scene : Scene
    layers : list of Layer
    """

    def __init__(self, scene: Scene, layers: list[Layer]) -> None:
        self.scene, self.layout = scene, scene.survey.layout
        self._level: NDArray[np.int64] = self.layout.pack(scene.level.astype(np.int64), 0)
        blocks = scene.options["other_hill"] == "blocks" or scene.options["crest"] == "line"
        self.hills = [
            self._hill(layer)
            for layer in layers
            if layer.kind == "hill" and blocks and layer.height in scene.hills and not layer.degrade.any()
        ]
        self.shapes: dict[int, Extents] = {}
        for high in np.unique(scene.level[scene.present]).tolist():
            pieces = [
                (int(self.layout.index[shape.cell]), shape.piece)
                for layer in layers
                if reach(layer, high, high, scene.options).full
                for shape in layer.shapes
            ]
            if pieces:
                self.shapes[high] = Extents(self.layout.size, pieces, graze=bool(scene.options["graze_hits"]))

    def _hill(self, layer: Layer) -> _Hill:
        _, ids = np.unique(self.scene.hills[layer.height], return_inverse=True)
        numbers = (ids + 1).astype(np.int32)
        mine = np.where(self.scene.ground >= layer.height, numbers, np.int32(0))
        pack = self.layout.pack
        return _Hill(layer.height, pack(np.where(layer.block, numbers, np.int32(0)), 0), pack(mine, 0))

    def blocked(self, starts: _Ints, step: int, offsets: _Ints, places: _Ints, direction: tuple[int, int]) -> _Ints:
        """Return the starts whose line is blocked.

        Parameters
        ----------
        starts : array of int64, shape (n,)
            Flat indices.
        step : int
            Flat step to the ends.
        offsets : array of int64, shape (m,)
            Flat steps to hexes that the lines run through.
        places : array of int64, shape (m, 2)
            Their centres as seen from the start, in lattice units.
        direction : (dx, dy)
            From the start to the end, in lattice units.
        """
        here, there = self._level[starts], self._level[starts + step]
        high, low = np.maximum(here, there), np.minimum(here, there)
        found = np.zeros(len(starts), dtype=bool)
        for hill in self.hills:
            rows = np.flatnonzero((high == hill.height) & ((low < high) | (hill.height >= 1)))
            if len(rows):
                met = hill.met[starts[rows, None] + offsets]
                found[rows] |= self._by_hills(hill, met, starts[rows], step, low[rows] < hill.height)
        for height, extents in self.shapes.items():
            rows = np.flatnonzero((high == height) & ~found)
            if len(rows):
                away = places[:, 0] * direction[1] - places[:, 1] * direction[0]
                found[rows] |= extents.hit(direction, starts[rows, None] + offsets, away)
        return starts[found]

    def _by_hills(
        self, hill: _Hill, met: NDArray[np.int32], starts: _Ints, step: int, lower: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Tell which lines meet a hill that holds neither end, or one that does where that counts (12.4, 14.5)."""
        start, end = hill.mine[starts][:, None], hill.mine[starts + step][:, None]
        there = met > 0
        other = there & (met != start) & (met != end)
        found = np.zeros(len(starts), dtype=bool)
        if self.scene.options["other_hill"] == "blocks":
            found |= other.any(axis=1)
        if self.scene.options["crest"] == "line":
            found |= (there & ~other).any(axis=1) & lower
        return found
