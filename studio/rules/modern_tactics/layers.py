"""The map of Modern Tactics as layers for the fast paths: everything of one kind and height together.

A layer counts for a line by the heights of its two ends alone: fully, not at all, or only in the one hex before the
lower end. So fields of view and tables ask a layer once for all lines between two heights.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.drawn import Shape
from studio.rules.modern_tactics.scene import BLOCK, DEGRADE, Scene

__all__ = ["Layer", "Reach", "layers_of", "reach"]

_Bools = NDArray[np.bool_]


class Layer(NamedTuple):
    """Things of one kind and height.

    Attributes
    ----------
    kind : {"smoke", "standing", "hill"}
    height : int
        Level that they stand on; of hills, the level that they reach.
    block, degrade : array of bool, shape (cells,)
        Hexes that block, and that degrade, a line through them.
    shapes : list of Shape
        Drawn pieces that block, in hexes that else degrade.
    """

    kind: str
    height: int
    block: _Bools
    degrade: _Bools
    shapes: list[Shape]


class Reach(NamedTuple):
    """When a layer counts for lines between two heights.

    Attributes
    ----------
    full : bool
        Anywhere on the line.
    behind : bool
        In the hex before the lower end, unless it is a slope.
    other, own : bool
        Hexes of hills that hold neither end; hexes of hills that hold one.
    """

    full: bool = False
    behind: bool = False
    other: bool = False
    own: bool = False


def layers_of(scene: Scene) -> list[Layer]:
    """Return the layers of a map that have anything in them."""
    none = np.zeros(scene.grid.cells, dtype=bool)
    found = [Layer("smoke", 0, none, scene.smoke, [])]
    drawn = none.copy()
    drawn[list(scene.standing)] = True
    ground, level = scene.ground, scene.level
    for floor in np.unique(np.concatenate((ground[scene.effect > 0], level[scene.structure]))).tolist():
        block = (scene.effect == BLOCK) & (ground == floor) | scene.whole & (level == floor)
        degrade = (scene.effect == DEGRADE) & (ground == floor) | drawn & (level == floor)
        shapes = [
            shape
            for cell in scene.standing
            if level[cell] == floor
            for shape in scene.drawn.shapes.get(cell, ())
            if shape.area.type != "hill"
        ]
        found.append(Layer("standing", int(floor), block, degrade & ~block, shapes))
    found += _hills(scene, none)
    return [one for one in found if one.block.any() or one.degrade.any()]


def _hills(scene: Scene, none: _Bools) -> list[Layer]:
    hill_at = scene.drawn.hill_at
    drawn = sorted({area.level for areas in hill_at.values() for area in areas})
    lowest = int(scene.ground[scene.present].min())
    found = []
    for height in sorted({*np.unique(scene.ground[scene.present]).tolist(), *drawn}):
        with_shape = [cell for cell, areas in hill_at.items() if any(area.level == height for area in areas)]
        block = (scene.ground == height) & scene.present & (height > lowest)
        block[with_shape] = False
        degrade = none.copy()
        degrade[with_shape] = True
        shapes = [
            shape
            for cell in with_shape
            for shape in scene.drawn.shapes.get(cell, ())
            if shape.area.type == "hill" and shape.area.level == height
        ]
        found.append(Layer("hill", int(height), block, degrade, shapes))
    return found


def reach(layer: Layer, low: int, high: int, options: dict[str, object]) -> Reach:
    """Tell when a layer counts for lines between two heights; the rules are those of the judge."""
    if layer.kind == "smoke":
        return Reach(full=True)
    height = layer.height
    if layer.kind == "standing":
        return Reach(full=height >= high, behind=low <= height < high)
    if height != high:
        return Reach(full=height > high, behind=low < height < high)
    if height < 1 and low == height:
        return Reach()
    return Reach(other=options["other_hill"] == "blocks", own=options["crest"] == "line" and low < high)
