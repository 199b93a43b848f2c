"""What the sight of a designer's own game needs to know of every hex, gathered once for one state of a map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.rules.generic.heights import NOTHING, Blind
from studio.sight import Conditions
from studio.sight.fast.weighted import side_ends
from studio.sight.overrides import counted_terrain, smoke_cells
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["Layer", "Scene", "SideLayer", "Thing"]

_SMOKE = "smoke"
_SUMMIT = Blind("fixed", 0)

_Tops = NDArray[np.int64]


class Thing(NamedTuple):
    """Something in a hex, or on a hexside, that can bear on a line.

    Attributes
    ----------
    name : str
    kind : {"ground", "terrain", "marker", "side"}
    blocks : bool
        It blocks; else it hinders.
    top : int
        Height of its top, as the levels of the map are counted.
    section : str
    """

    name: str
    kind: str
    blocks: bool
    top: int
    section: str


class Layer(NamedTuple):
    """Obstacles of one kind in all hexes: they block, or hinder once each.

    Attributes
    ----------
    blocks : bool
    blind : Blind
    top : array of int64, shape (cells,)
        ``NOTHING`` where there is none.
    """

    blocks: bool
    blind: Blind
    top: _Tops


class SideLayer(NamedTuple):
    """Obstacles of one kind on hexsides.

    Attributes
    ----------
    blocks : bool
    tops : dict of (cell, cell) to int
        Height of the top by side, the lower cell first.
    sides : array of int64, shape (n, 2)
        The same cells, in the same order.
    top : array of int64, shape (n,)
        The same heights.
    ends : array of int64, shape (2, n, 2)
        Ends of the sides; see :func:`studio.sight.fast.weighted.side_ends`.
    """

    blocks: bool
    tops: dict[tuple[int, int], int]
    sides: _Tops
    top: _Tops
    ends: _Tops


class Scene:
    """Planes of one map for the sight judge; arrays of shape (cells,).

    Parameters
    ----------
    ruleset : Ruleset
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    conditions : Conditions

    Raises
    ------
    UnknownNameError
        When a terrain override names a terrain that the game does not have.
    GridError
        When smoke is said to be where no hex is.
    """

    def __init__(self, ruleset: Ruleset, survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> None:
        self.ruleset, self.survey, self.grid, self.model = ruleset, survey, survey.grid, survey.model
        self.options, self.conditions = dict(options), conditions
        self.blind = Blind(str(options["blind"]), int(options["blind_depth"]))
        self.ground = {"full": self.blind, "summit": _SUMMIT}.get(str(options["ground"]))
        self.terrain = counted_terrain(self.model, conditions.terrain_overrides)
        self.level: _Tops = self.model.levels.ravel().astype(np.int64)
        self.present: NDArray[np.bool_] = survey.directory.playable.ravel()
        self._smoke = smoke_cells(self.grid, conditions.smoke)
        limits = [limit for limit in (int(options["sight_range"]), conditions.visibility) if limit]
        self.range = min(limits) if limits else 0

    # -- heights ---------------------------------------------------------------------------------------------------

    def eyes(self, *, air: bool) -> _Tops:
        """Return the height of the eyes of a unit in each hex."""
        return self._eyes_in_air if air else self._eyes

    @cached_property
    def _eyes(self) -> _Tops:
        return np.asarray(self.level + int(self.options["eye"]))

    @cached_property
    def _eyes_in_air(self) -> _Tops:
        return np.asarray(self._eyes + int(self.options["air"]))

    def eye(self, cell: int, *, air: bool) -> int:
        """Return the height of the eyes of a unit in one hex."""
        return int(self.level[cell]) + int(self.options["eye"]) + air * int(self.options["air"])

    def _rise(self, height: int) -> int:
        return height or int(self.options["height"])

    # -- the things of one hex or side -------------------------------------------------------------------------------

    @cached_property
    def _marked(self) -> dict[str, list[int]]:
        """Hexes that hold each kind of marker with an effect on sight."""
        found = {}
        for name, kind in self.ruleset.marker_types.items():
            if kind.sight in ("hinder", "block"):
                cells = {cell for cell in self.survey.cells_with_marker(name) if cell < self.grid.cells}
                found[name] = sorted(cells | set(self._smoke if name == _SMOKE else ()))
        if self._smoke and _SMOKE not in found:
            found[_SMOKE] = self._smoke
        return {name: cells for name, cells in found.items() if cells}

    def _marker(self, name: str) -> tuple[str, bool, int, str]:
        """Return name, whether it blocks, height and section of a kind of marker."""
        kind = self.ruleset.marker_types.get(name)
        if kind is None or not kind.sight:
            return "smoke", True, -NOTHING, ""  # a scenario has smoke, and the game does not say what it does
        return kind.name.lower(), kind.sight == "block", self._rise(kind.height), kind.section

    @cached_property
    def _markers_by_cell(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for name, cells in self._marked.items():
            for cell in cells:
                found.setdefault(cell, []).append(name)
        return found

    def terrain_name(self, cell: int) -> str:
        """Return the game's term for the terrain that a hex counts as."""
        return self.ruleset.terrain(self.model.terrain_ids[int(self.terrain[cell])]).name.lower()

    def things(self, cell: int) -> Iterator[Thing]:
        """Yield what in a hex can bear on a line: ground, terrain, markers."""
        level = int(self.level[cell])
        if self.ground is not None:
            yield Thing(f"ground of level {level}", "ground", True, level, "")
        terrain = self.ruleset.terrain(self.model.terrain_ids[int(self.terrain[cell])])
        if terrain.sight in ("hinder", "block"):
            top = level + self._rise(terrain.height)
            yield Thing(terrain.name.lower(), "terrain", terrain.sight == "block", top, terrain.section)
        for name in self._markers_by_cell.get(cell, ()):
            term, blocks, height, section = self._marker(name)
            yield Thing(term, "marker", blocks, level + height, section)

    def side_things(self, a: int, b: int) -> Iterator[Thing]:
        """Yield what on the side of two hexes can bear on a line."""
        base = int(max(self.level[a], self.level[b]))
        for name in self.survey.side_kinds(a, b):
            kind = self.ruleset.side_kinds[name]
            if kind.sight in ("hinder", "block"):
                yield Thing(
                    kind.name.lower(), "side", kind.sight == "block", base + self._rise(kind.height), kind.section
                )

    # -- the same as layers ------------------------------------------------------------------------------------------

    @cached_property
    def between(self) -> list[Layer]:
        """Layers of the hexes between the ends."""
        layers = self._merged([*self._terrain_layers(), *self._marker_layers()])
        if self.ground is not None:
            on_grid = self.grid.present.ravel()
            layers.append(Layer(True, self.ground, np.where(on_grid, self.level, NOTHING)))
        return self._joined(layers)

    @cached_property
    def screens(self) -> NDArray[np.bool_] | None:
        """Hexes that hide all behind them, as a flat array; None where heights differ, or not only hexes block.

        With all eyes at one height an obstacle rises into all lines, or into none.
        """
        conditions, eyes = self.conditions, self._eyes[self.present]
        if conditions.from_air != conditions.to_air or conditions.surveillance or not len(eyes):
            return None
        if self.side_layers or self.at_ends or self.options["touch"] != "free":
            return None
        if (eyes != eyes[0]).any() or not all(layer.blocks for layer in self.between):
            return None
        eye = int(eyes[0]) + conditions.from_air * int(self.options["air"])
        top = np.full(self.grid.cells, NOTHING, dtype=np.int64)
        for layer in self.between:
            top = np.maximum(top, layer.top)
        return self.survey.layout.pack(top > eye, False)

    @cached_property
    def at_ends(self) -> list[Layer]:
        """Layers of the hexes of the ends themselves."""
        if self.options["ends"] == "ignored":
            return []
        terrain = self._terrain_layers() if self.options["ends"] == "all" else []
        return self._merged([*terrain, *self._marker_layers()])

    def _terrain_layers(self) -> list[Layer]:
        terrains = [self.ruleset.terrain(name) for name in self.model.terrain_ids]
        layers = []
        for blocks, effect in ((True, "block"), (False, "hinder")):
            has = [terrain.sight == effect for terrain in terrains]
            if any(has):
                rise = np.array([self._rise(terrain.height) for terrain in terrains])
                there = np.array(has)[self.terrain] & self.grid.present.ravel()
                if there.any():
                    layers.append(Layer(blocks, self.blind, np.where(there, self.level + rise[self.terrain], NOTHING)))
        return layers

    def _marker_layers(self) -> list[Layer]:
        layers = []
        for name, cells in self._marked.items():
            _, blocks, height, _ = self._marker(name)
            top = np.full(self.grid.cells, NOTHING, dtype=np.int64)
            top[cells] = self.level[cells] + height
            layers.append(Layer(blocks, self.blind, top))
        return layers

    def _merged(self, layers: list[Layer]) -> list[Layer]:
        """Join what blocks, and what hinders where a hex hinders once: the highest top of a hex then tells."""
        blocking = [layer for layer in layers if layer.blocks]
        hindering = [layer for layer in layers if not layer.blocks]
        merged = _highest(blocking)
        return merged + (_highest(hindering) if self.options["hinder_hex"] == "once" else hindering)

    @staticmethod
    def _joined(layers: list[Layer]) -> list[Layer]:
        """Join the blocking layers whose obstacles hide alike."""
        blinds = list(dict.fromkeys(layer.blind for layer in layers if layer.blocks))
        joined = []
        for blind in blinds:
            joined += _highest([layer for layer in layers if layer.blocks and layer.blind == blind])
        return joined + [layer for layer in layers if not layer.blocks]

    @cached_property
    def side_layers(self) -> list[SideLayer]:
        """Layers of the hexsides; a hexside hinders once."""
        tops: dict[bool, dict[tuple[int, int], int]] = {True: {}, False: {}}
        effects = {name for name, kind in self.ruleset.side_kinds.items() if kind.sight in ("hinder", "block")}
        for side, kinds in self.model.sides.items():
            if effects.isdisjoint(kinds):
                continue
            for thing in self.side_things(*side):
                of_effect = tops[thing.blocks]
                of_effect[side] = max(thing.top, of_effect.get(side, NOTHING))
        layers = []
        for blocks, found in tops.items():
            if found:
                sides, top = np.array(list(found), dtype=np.int64), np.array(list(found.values()), dtype=np.int64)
                layers.append(SideLayer(blocks, found, sides, top, side_ends(self.grid, sides)))
        return layers


def _highest(layers: list[Layer]) -> list[Layer]:
    if len(layers) < 2:
        return layers
    top = layers[0].top
    for layer in layers[1:]:
        top = np.maximum(top, layer.top)
    return [Layer(layers[0].blocks, layers[0].blind, top)]
