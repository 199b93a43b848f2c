"""A map of Modern Tactics in bits, one bit a hex: what tables of all pairs are made from."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid.hexgrid import DIRECTIONS
from studio.grid.lines import SEXTANTS
from studio.rules.modern_tactics.layers import Layer, Reach, layers_of, reach
from studio.rules.modern_tactics.leftover import Leftover
from studio.rules.modern_tactics.scene import Scene
from studio.sight.fast.bits import BitPlane, shift
from studio.sight.fast.shapebits import Extents

__all__ = ["BitMap", "LayerBits"]


class LayerBits(NamedTuple):
    """A layer as bits: hexes that block and degrade, drawn pieces, and, by direction, sides inside what is drawn."""

    layer: Layer
    block: int
    degrade: int
    shapes: Extents | None
    on_side: tuple[int, ...]


class BitMap:
    """The map as bits.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.options = scene, scene.options
        self.layout = scene.survey.layout
        self.plane = BitPlane(scene.grid, self.layout)
        pack, present = self.plane.pack, scene.present
        self.heights = sorted(np.unique(scene.level[present]).tolist())
        self.at = {v: pack((scene.level == v) & present) for v in self.heights}
        self.plateau = pack((scene.level == scene.ground) & (scene.ground >= 1) & ~scene.crest & present)
        self.layers = [self._layer(layer) for layer in layers_of(scene)]
        self.hills = {
            layer.layer.height: self._ids(layer.layer.height)
            for layer in self.layers
            if layer.layer.kind == "hill" and layer.layer.height in scene.hills
        }
        self.leftover = Leftover(scene, [layer.layer for layer in self.layers])
        self.sides = self._sides()
        self._slopes()
        self.has_shapes = any(layer.shapes is not None for layer in self.layers)
        self.full: dict[int, tuple[int, int]] = {}
        self.full_shapes: dict[int, list[int]] = {}
        self.reaches: dict[tuple[int, int], list[tuple[int, Reach]]] = {}
        for high in self.heights:
            for low in self.heights[: self.heights.index(high) + 1]:
                self._reach(low, high)

    def _reach(self, low: int, high: int) -> None:
        """Gather what counts for lines between two heights; what counts anywhere depends on the higher one alone."""
        found = [(at, reach(layer.layer, low, high, self.options)) for at, layer in enumerate(self.layers)]
        self.reaches[low, high] = [(at, when) for at, when in found if when.behind or when.other or when.own]
        full = [at for at, when in found if when.full]
        block = degrade = 0
        for at in full:
            block |= self.layers[at].block
            degrade |= self.layers[at].degrade
        self.full[high] = block, degrade & ~block
        self.full_shapes[high] = [at for at in full if self.layers[at].shapes is not None]

    def _layer(self, layer: Layer) -> LayerBits:
        pack, scene = self.plane.pack, self.scene
        shapes: Extents | None = None
        on_side: tuple[int, ...] = (0,) * 6
        if layer.shapes:
            pieces = [(int(self.layout.index[shape.cell]), shape.piece) for shape in layer.shapes]
            shapes = Extents(self.layout.size, pieces, graze=bool(self.options["graze_hits"]))
            masks = np.zeros((6, scene.grid.cells), dtype=bool)
            for shape in layer.shapes:
                for direction in range(6):
                    masks[direction, shape.cell] |= self._runs_inside(shape.cell, direction, shape.area.id)
            on_side = tuple(pack(mask) for mask in masks)
        return LayerBits(layer, pack(layer.block & scene.present), pack(layer.degrade & scene.present), shapes, on_side)

    def _runs_inside(self, cell: int, direction: int, area_id: str) -> bool:
        """Tell whether the side of a hex towards one of the six axial steps lies inside a drawn area."""
        grid = self.scene.grid
        q, r = grid.axial(cell)
        other = grid.from_axial(q + SEXTANTS[direction][0], r + SEXTANTS[direction][1])
        ends = _side_ends(grid.orientation, direction)
        corners = grid.corners(cell)
        cells = (cell,) if other is None else tuple(sorted((cell, other)))
        found = self.scene.drawn.on_side(
            cells, (corners[ends[0]], corners[ends[1]]), graze=bool(self.options["graze_hits"])
        )
        return any(area.id == area_id for area in found)

    def flat_bits(self, index: NDArray[np.int64]) -> int:
        """Return flat indices as bits."""
        flat = np.zeros(self.layout.size, dtype=bool)
        flat[index] = True
        return int.from_bytes(np.packbits(flat, bitorder="little").tobytes(), "little")

    def _ids(self, height: int) -> tuple[list[int], list[int]]:
        """Return the numbers of the hills of a height bit by bit, for hexes as such and for hexes as ends."""
        scene = self.scene
        _, ids = np.unique(scene.hills[height], return_inverse=True)
        ids = ids + (0 if (scene.hills[height] == 0).any() else 1)
        mine = np.where(scene.ground >= height, ids, 0)
        planes = range(max(1, int(ids.max()).bit_length()))
        return tuple([self.plane.pack((one >> p) & 1 == 1) for p in planes] for one in (ids, mine))  # type: ignore[return-value]

    def _sides(self) -> dict[int, list[int]]:
        """Return, by height of two equal ends, the hexes with counting terrain on the side towards three directions."""
        found: dict[int, list[int]] = {}
        scene = self.scene
        if not scene.sides:
            return found
        for v in self.heights:
            masks = np.zeros((3, scene.grid.cells), dtype=bool)
            for (a, b), level in scene.sides.items():
                if level < v:
                    continue
                (qa, ra), (qb, rb) = scene.grid.axial(a), scene.grid.axial(b)
                k = SEXTANTS.index((qb - qa, rb - ra))
                masks[k % 3, a if k < 3 else b] = True
            found[v] = [self.plane.pack(mask) for mask in masks]
        return found

    def _slopes(self) -> None:
        scene, pack = self.scene, self.plane.pack
        self.storeyed = pack(scene.structure & scene.raised)
        self.low_structure = pack(scene.structure & ~scene.raised)
        # A drawn hill can raise the top of every hex of a level: what the ground has counts too.
        heights = np.concatenate((scene.top[scene.present], scene.ground[scene.present]))
        levels = [v for v in np.unique(heights).tolist() if v >= 1]
        self.grounds = {v: pack((scene.ground == v) & scene.present) for v in levels}
        self.tops = {v: pack((scene.top == v) & scene.present) for v in levels}

    def slope(self, higher: int, hex_: int) -> int:
        """Return the pairs for which the hex so far from the origin is a slope below the higher end (12.4)."""
        found = shift(self.storeyed, higher) & shift(self.low_structure, hex_)
        for v, ground in self.grounds.items():
            for w, top in self.tops.items():
                if v != w:
                    found |= shift(ground, higher) & shift(top, hex_)
        return found


def _side_ends(orientation: str, direction: int) -> tuple[int, int]:
    """Return the numbers of the corners that end the side of a hex towards an axial step."""
    at = DIRECTIONS[orientation].index(SEXTANTS[direction])
    return at, (at + 1) % 6
