"""The map of a designer's own game as bits: for every height the hexes, and hexsides, that are so high or higher."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np

from studio.rules.generic.borders import touch_points
from studio.rules.generic.heights import FOREVER, NOTHING, Blind, least_top
from studio.rules.generic.scene import Layer, Scene
from studio.sight.fast.bits import BitPlane, shift

__all__ = ["BitLayer", "Bitmap"]


class BitLayer(NamedTuple):
    """Obstacles of one kind.

    Attributes
    ----------
    number : int
        Told apart by it.
    blocks : bool
    blind : Blind
    tops : tuple of int
        Heights that there are, lowest first.
    from_top : dict of int to int
        Hexes with a top of each height, or a higher one.
    above : dict of int to int
        Hexes above whose eyes the obstacle rises that lies a flat step away, by the step; filled as it is asked for.
    """

    number: int
    blocks: bool
    blind: Blind
    tops: tuple[int, ...]
    from_top: dict[int, int]
    above: dict[int, int]


class Bitmap:
    """One state of a map.

    Parameters
    ----------
    scene : Scene

    Attributes
    ----------
    eyes : list of int
        Heights of eyes that there are, lowest first; `at_eye` has the hexes of each, and `level` tells of one only.
    between, at_ends, sides : lists of BitLayer
        Of the hexes between the ends and at them, and of the sides that hexes have in each of the six directions.
    unions : list of tuple of int
        Sets of pairs of eyes; pair ``i * len(eyes) + j`` is that of the heights `i` and `j`.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.options, self.layout = scene, scene.options, scene.survey.layout
        self.plane = BitPlane(scene.grid, self.layout)
        self.on_grid = self.plane.present
        self.usable = self.plane.pack(scene.present)
        eyes = scene.eyes(air=scene.conditions.from_air)
        self.eyes = np.unique(eyes[scene.present]).tolist()
        self.level = len(self.eyes) == 1
        self.at_eye = {eye: self.plane.pack(scene.present & (eyes == eye)) for eye in self.eyes}
        self._layers = 0
        self.unions: list[tuple[int, ...]] = []
        self._union_at: dict[tuple[int, ...], int] = {}
        self._needed: dict[tuple[int, int, int], tuple[tuple[int, int], ...]] = {}
        self.between = [self._layer(layer) for layer in scene.between]
        self.at_ends = [self._layer(layer) for layer in scene.at_ends]
        self.sides = [self._side_layers(k) for k in range(6)] if scene.side_layers else []
        self.direction = {offset: k for k, offset in enumerate(self.layout.offsets)}
        self.limit = int(self.options["hindrance_limit"])
        self.touches = touch_points(self.options)

    def _layer(self, layer: Layer) -> BitLayer:
        tops = np.unique(layer.top[layer.top > NOTHING]).tolist()
        self._layers += 1
        from_top = {top: self.plane.pack(layer.top >= top) for top in tops}
        return BitLayer(self._layers, layer.blocks, layer.blind, tuple(tops), from_top, {})

    def _side_layers(self, k: int) -> list[BitLayer]:
        """Return the layers of the sides that hexes have in one direction."""
        grid, found = self.scene.grid, []
        for layer in self.scene.side_layers:
            top = np.full(grid.cells, NOTHING, dtype=np.int64)
            for (a, b), height in layer.tops.items():
                for here, there in ((a, b), (b, a)):
                    if self.layout.index[there] - self.layout.index[here] == self.layout.offsets[k]:
                        top[here] = height
            found.append(self._layer(Layer(layer.blocks, self.scene.blind, top)))
        return found

    def rises_above(self, layer: BitLayer, step: int) -> int:
        """Return the hexes above whose eyes the obstacle rises that lies a flat step away."""
        found = 0
        for eye, mask in self.at_eye.items():
            top = next((top for top in layer.tops if top > eye), None)
            if top is not None:
                found |= mask & shift(layer.from_top[top], step)
        layer.above[step] = found
        return found

    def needed(self, layer: BitLayer, place: int, m: int) -> tuple[tuple[int, int], ...]:
        """Return the tops that it takes to rise into a line at a place, each with the pairs of eyes for which it does.

        Returns
        -------
        tuple of (top, union)
            The union is an index into :attr:`unions`, whose entries number the pairs of heights of eyes.
        """
        if layer.blind.kind == "fixed":
            near = 2 * layer.blind.depth
            key = (layer.number, (place <= near) + 2 * (m - place <= near), 0)
        else:
            key = (layer.number, place, m)
        found = self._needed.get(key)
        if found is None:
            by_top: dict[int, list[int]] = {}
            for number, (a, b) in enumerate(product(self.eyes, repeat=2)):
                top = least_top(layer.blind, layer.tops, a, b, place, m)
                if top != FOREVER:
                    by_top.setdefault(top, []).append(number)
            found = tuple((top, self._union(tuple(pairs))) for top, pairs in by_top.items())
            self._needed[key] = found
        return found

    def _union(self, pairs: tuple[int, ...]) -> int:
        """Return the number of a set of pairs of eyes."""
        if pairs not in self._union_at:
            self._union_at[pairs] = len(self.unions)
            self.unions.append(pairs)
        return self._union_at[pairs]
