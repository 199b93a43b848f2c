"""What sight in Modern Tactics needs to know of every hex, gathered once for one state of a map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.rules import get_ruleset
from studio.rules.modern_tactics.drawn import Drawn
from studio.sight import Conditions
from studio.sight.overrides import counted_terrain
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.model import Point
    from studio.rules import Ruleset

__all__ = ["AIR", "BLOCK", "DEGRADE", "SMOKES", "End", "Scene"]

NONE, DEGRADE, BLOCK = 0, 1, 2

AIR = 9
"""Height of a flying helicopter: above every hill (30.0)."""

SMOKES = ("smoke", "smoke_2")
_TANGIBLE = ("wreck", "roadblock", "rubble")
_EFFECT = {"none": NONE, "degrade": DEGRADE, "block": BLOCK, "shape": NONE}


class Scene:
    """Planes of one map for the sight judge; arrays of shape (cells,).

    Parameters
    ----------
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    conditions : Conditions

    Attributes
    ----------
    ground : array of int8
        Level of the ground: of a hill, a gully, or 0 under a structure of several storeys.
    level : array of int8
        Level that a unit at the dot of the hex sees from: in a structure, that of its top floor.
    effect : array of uint8
        What terrain and markers that stand on the ground do to a line: 0 nothing, 1 degrade, 2 block.
    soil : array of uint8
        The same of the terrain alone.
    structure, whole : array of bool
        Hexes with a structure; of them those without a drawn one, which counts as drawn over the whole hex.
    raised : array of bool
        Hexes whose level is that of a structure of several storeys.
    top : array of int8
        Level of the highest hill that lies or is drawn in a hex.
    smoke : array of bool

    Raises
    ------
    UnknownNameError
        When a terrain override names a terrain that the game does not have.
    GridError
        When smoke is said to be where no location is.
    """

    def __init__(self, survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> None:
        self.survey, self.grid, self.model = survey, survey.grid, survey.model
        self.options, self.conditions = dict(options), conditions
        self.ruleset: Ruleset = get_ruleset("modern_tactics")
        self.directory, self.drawn = survey.directory, Drawn(survey)
        self.present: NDArray[np.bool_] = self.grid.present.ravel()
        self.terrain: NDArray[np.uint8] = counted_terrain(self.model, conditions.terrain_overrides)
        classes = [self._class_of(name) for name in self.model.terrain_ids]
        self.effect: NDArray[np.uint8] = np.array([_EFFECT[kind] for kind in classes], dtype=np.uint8)[self.terrain]
        self.soil: NDArray[np.uint8] = self.effect.copy()
        self._markers()
        self._structures(np.array([kind == "shape" for kind in classes])[self.terrain])
        self.top: NDArray[np.int8] = self.ground.copy()
        for cell, hills in self.drawn.hill_at.items():
            self.top[cell] = max(int(self.ground[cell]), *(hill.level for hill in hills))
        self.effect[~self.present] = NONE

    def _class_of(self, name: str) -> str:
        if name == "mixed_woods":
            return str(self.options["mixed_woods"])
        return self.ruleset.terrain(name).sight

    def _structures(self, by_terrain: NDArray[np.bool_]) -> None:
        self.structure: NDArray[np.bool_] = by_terrain.copy()
        self.structure[list(self.drawn.structure_at)] = True
        self.structure &= self.present
        # Where a structure has collapsed, its hex is rubble and nothing else (14.10).
        fallen = [cell for cell, kinds in self.markers.items() if "rubble" in kinds]
        self.structure[fallen] = False
        self.standing = {cell: areas for cell, areas in self.drawn.structure_at.items() if self.structure[cell]}
        self.whole: NDArray[np.bool_] = self.structure.copy()
        self.whole[list(self.standing)] = False
        self.ground: NDArray[np.int8] = self.model.levels.ravel().copy()
        self.level: NDArray[np.int8] = self.ground.copy()
        # Without a drawing the level of a structure's hex is that of the structure, as its coloured triangle says.
        self.raised: NDArray[np.bool_] = self.whole & (self.level > 0)
        for cell, areas in self.standing.items():
            storey = max(area.level for area in areas)
            if storey > 0 and storey >= self.level[cell]:
                self.raised[cell] = True
                if storey > self.level[cell]:
                    self.level[cell] = storey
                else:
                    self.ground[cell] = 0
        self.ground[self.whole & self.raised] = 0

    def _markers(self) -> None:
        self.smoke: NDArray[np.bool_] = np.zeros(self.grid.cells, dtype=bool)
        for number in self.conditions.smoke:
            if not self.directory.exists(number):
                msg = f"conditions: no location has the number {number!r} for smoke"
                raise GridError(msg)
        numbers = [*self.conditions.smoke, *(n for kind in SMOKES for n in self.survey.cells_with_marker(kind))]
        self.smoke[[self.cell_of(number) for number in numbers]] = True
        self.markers: dict[int, list[str]] = {}
        for kind in _TANGIBLE:
            for number in self.survey.cells_with_marker(kind):
                cell = self.cell_of(number)
                self.markers.setdefault(cell, []).append(kind)
                self.effect[cell] = max(int(self.effect[cell]), DEGRADE)

    def cell_of(self, number: int) -> int:
        """Return the hex of a location."""
        return number if number < self.grid.cells else self.directory.location(number).cell

    def terrain_name(self, cell: int) -> str:
        """Return the game's term for the terrain that a hex counts as."""
        return self.ruleset.terrain(self.model.terrain_ids[self.terrain[cell]]).name.lower()

    # -- hills and gullies -----------------------------------------------------------------------------------------

    @cached_property
    def hills(self) -> dict[int, NDArray[np.int32]]:
        """For every hill level, which connected ground of that level and more each hex belongs to, 0 for none."""
        shape = (self.grid.rows, self.grid.columns)
        levels = range(max(-1, int(self.top.min())) + 1, int(self.top.max()) + 1)
        layout = self.survey.layout
        return {v: layout.components(((self.top >= v) & self.present).reshape(shape)).ravel() for v in levels}

    def is_other_hill(self, level: int, cell: int, ends: tuple[End, End]) -> bool:
        """Tell whether the hill of a level and more in a hex holds neither end of a line."""
        if level not in self.hills:
            return False  # all ground is as high
        return self.end_on_hill(level, cell, ends) is None

    def end_on_hill(self, level: int, cell: int, ends: tuple[End, End]) -> End | None:
        """Return the first end of a line that is on the hill of a level and more in a hex, None without any."""
        hill = self.hills.get(level)
        if hill is None:
            return None
        return next((e for e in ends if not e.air and e.ground >= level and hill[e.cell] == hill[cell]), None)

    def _beside_lower(self, plane: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which hexes have a neighbour with a lower value."""
        layout = self.survey.layout
        near = layout.pack(plane.astype(np.int16), 999)
        near[~layout.present] = 999
        lower = np.zeros(self.grid.cells, dtype=bool)
        for offset in layout.offsets:
            lower |= near[layout.index + offset] < near[layout.index]
        return lower & self.present

    @cached_property
    def crest(self) -> NDArray[np.bool_]:
        """Crest hexes: with a lower hex beside them (12.4)."""
        return self._beside_lower(self.ground)

    @cached_property
    def gully(self) -> NDArray[np.int32]:
        """Gully that each hex is in, 0 for none."""
        in_one = ((self.ground < 0) & self.present).reshape(self.grid.rows, self.grid.columns)
        return self.survey.layout.components(in_one).ravel()

    @cached_property
    def gully_edge(self) -> NDArray[np.bool_]:
        """Hexes of a gully that see out of it as from level 0."""
        if self.options["gully_edge"] == "rim":
            return np.zeros(self.grid.cells, dtype=bool)
        return self._beside_lower(-self.ground.astype(np.int16)) & (self.gully > 0)

    @cached_property
    def has_gullies(self) -> bool:
        """Tell whether the map has a gully."""
        return bool(((self.ground < 0) & self.present).any())

    @cached_property
    def _rims(self) -> dict[int, frozenset[int]]:
        return {}

    def rim(self, gully: int) -> frozenset[int]:
        """Return the hexes around a gully."""
        if gully not in self._rims:
            bed = np.flatnonzero(self.gully == gully)
            near = {int(cell) for cell in self.grid.neighbour_table[bed].ravel() if cell >= 0}
            self._rims[gully] = frozenset(near - set(bed.tolist()))
        return self._rims[gully]

    @cached_property
    def sides(self) -> dict[tuple[int, int], int]:
        """Hexsides with terrain on them, and the level that they stand on."""
        return {
            (a, b): max(int(self.ground[a]), int(self.ground[b]))
            for (a, b), kinds in self.model.sides.items()
            if any(
                self.ruleset.side_kinds[kind].sight == "degrade" for kind in kinds if kind in self.ruleset.side_kinds
            )
        }

    @cached_property
    def holds(self) -> NDArray[np.bool_]:
        """Hexes with anything in them that may bear on sight, beside the level of their ground."""
        found = (self.effect > 0) | self.structure | self.smoke
        found[list(self.drawn.hill_at)] = True
        return found

    @cached_property
    def matters(self) -> NDArray[np.bool_]:
        """Hexes at whose corners the verdict of a line may change: where anything is that bears on sight."""
        found = self.holds.copy()
        if self.top[self.present].min() != self.top[self.present].max():
            found = self.present.copy()
        found[[cell for side in self.sides for cell in side]] = True
        found[list(self.drawn.shapes)] = True
        return found & self.present

    def end(self, number: int, *, air: bool) -> End:
        """Return what matters of one end of a line."""
        return End(self, number, air)


class End:
    """One end of a line of sight.

    Attributes
    ----------
    number, cell : int
        The location, and its hex.
    point : (x, y)
        Its dot on the lattice.
    road : bool
        On the road of a hex with a structure (14.7): any point of the road will do.
    level : int
        Level that the unit sees from; ``AIR`` for a flying helicopter.
    ground : int
        Level of the ground under it.
    gully : int
        Gully that it is in, 0 for none; never one with a helicopter above it.
    indoors : bool
        In the structure of the hex.
    """

    __slots__ = ("air", "cell", "ground", "gully", "indoors", "level", "number", "point", "road")

    def __init__(self, scene: Scene, number: int, air: bool) -> None:
        self.number, self.air = number, air
        self.cell = scene.cell_of(number)
        self.point: Point = scene.directory.dot(number)
        self.road = number >= scene.grid.cells and not air
        self.ground = int(scene.ground[self.cell])
        self.indoors = bool(scene.structure[self.cell]) and not air and not self.road
        self.level = AIR if air else self.ground if self.road else int(scene.level[self.cell])
        self.gully = int(scene.gully[self.cell]) if scene.has_gullies and not air else 0
