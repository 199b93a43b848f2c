"""What movement in Modern Tactics needs to know of every hex, gathered once for one mover and one state of a map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.model import Road
from studio.rules import get_ruleset, halves
from studio.rules.modern_tactics.drawn import STRUCTURES
from studio.rules.modern_tactics.move_state import VEHICLES, TacticsState
from studio.rules.modern_tactics.places import HIGH_WALL
from studio.rules.modern_tactics.scene import Scene
from studio.sight import Conditions
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules import Ruleset

__all__ = ["Ways"]

Stop = tuple[str, str]
"""Rule by which a move ends in a hex, and what is there."""


class Ways:
    """Planes and tables of one map for movement; costs in half points, None where the mover cannot go.

    Parameters
    ----------
    survey : Survey
    mover : str
    options : mapping
        Options of the ruleset, all of them.
    state : TacticsState

    Attributes
    ----------
    terrain : array of uint8, shape (cells,)
        Terrain that each hex counts as for movement, as an index into the terrain ids of the map: a drawn structure
        makes a structure of its hex, one that has collapsed makes rubble of it.
    fallen : frozenset of int
        Hexes with a structure that has collapsed.
    road_at : dict of int to int
        Numbers of the roads that are locations, by hex.
    walled : frozenset of (int, int)
        Pairs of adjacent hexes, the lower first, between whose dots a high wall passes that no opening pierces.
    """

    def __init__(self, survey: Survey, mover: str, options: Mapping[str, Any], state: TacticsState) -> None:
        self.survey, self.grid, self.mover = survey, survey.grid, mover
        self.options, self.state = options, state
        self.ruleset: Ruleset = get_ruleset("modern_tactics")
        self.figures = self.ruleset.catalogue.modifiers
        self.flies = mover == "helicopter"
        self.scene = Scene(survey, options, Conditions())
        self.road_at = {location.cell: location.number for location in survey.directory.of("road")}
        self.markers = self._markers()
        self.terrain = self._terrain()
        self.walled = self._walled()
        self.enemies = self.cells_of(state.enemies)
        self.objectives = self.cells_of(state.objectives)
        self.blocked = self.cells_of(state.blocked)
        self.full = self.cells_of(self._full_for())

    # -- gathering -------------------------------------------------------------------------------------------------

    def _markers(self) -> dict[int, list[str]]:
        """Return the kinds of markers by hex; one on a road beside a structure is in its hex."""
        found: dict[int, list[str]] = {}
        for kind in self.ruleset.marker_types:
            for number in self.survey.cells_with_marker(kind):
                kinds = found.setdefault(self.cell_of(number), [])
                if kind not in kinds:
                    kinds.append(kind)
        return found

    def _terrain(self) -> NDArray[np.uint8]:
        model, scene = self.survey.model, self.scene
        index = {name: number for number, name in enumerate(model.terrain_ids)}
        terrain = model.terrain.ravel().copy()
        built = [index[kind] for kind in STRUCTURES]
        for cell, areas in scene.standing.items():
            if terrain[cell] not in built:
                terrain[cell] = index[areas[0].type]
        fallen = []
        for cell, kinds in self.markers.items():
            turned = [one for kind in kinds if (one := self.ruleset.marker_types[kind].becomes)]
            if turned:
                if terrain[cell] in built or cell in scene.drawn.structure_at:
                    fallen.append(cell)
                terrain[cell] = index[turned[0]]
        self.fallen = frozenset(fallen)
        return terrain

    def _walled(self) -> frozenset[tuple[int, int]]:
        number = self.survey.directory.number
        sides = [side for side in self.ruleset.borders(self.survey) if HIGH_WALL in side.kinds]
        pairs = {(number(side.a), number(side.b)) for side in sides}
        opened = {(self.cell_of(a), self.cell_of(b)) for a, b in self.state.openings}
        return frozenset(pair for pair in pairs if pair not in opened and pair[::-1] not in opened)

    def _full_for(self) -> Iterable[int]:
        if self.flies or self.state.kind == "sniper":
            return ()
        return self.state.full if self.state.kind == "unit" else self.state.full_of_singles

    @cached_property
    def stops(self) -> dict[int, Stop]:
        """Hexes in which a move ends once they are entered."""
        if self.flies:
            return {}
        found: dict[int, Stop] = {}
        for cell, kinds in self.markers.items():
            if "wire" in kinds:
                found[cell] = ("13.5", "wire")
        if self.mover == "foot" and self.state.kind != "sniper":
            for cell in self.cells_of(self.state.civilians):
                found.setdefault(cell, ("31.1", "Civilians"))
        if self.state.kind == "bomber":
            found.update(dict.fromkeys(sorted(self.enemies), ("Playbook 3", "an enemy unit, the Bomber detonates")))
        if self.state.assault:
            found.update(dict.fromkeys(sorted(self.enemies | self.objectives), ("24.0", "the hex of the assault")))
        return found

    @cached_property
    def leaving_roads(self) -> dict[int, str]:
        """Hexes of the map's edge where a road leaves the map, with its surface; the better of several."""
        found: dict[int, str] = {}
        cell_of = self.survey.model.labels.cell
        for road in self.survey.features_of(Road):
            for label in {road.path[0], road.path[-1]}:
                cell = cell_of(label)
                if cell not in self.fallen and self.at_edge(cell) and found.get(cell) != "paved":
                    found[cell] = road.surface
        return found

    # -- asking ----------------------------------------------------------------------------------------------------

    def cell_of(self, number: int) -> int:
        """Return the hex of a location."""
        return self.scene.cell_of(number)

    def cells_of(self, numbers: Iterable[int]) -> frozenset[int]:
        """Return the hexes of some locations."""
        return frozenset(self.cell_of(number) for number in numbers)

    def on_road(self, number: int) -> bool:
        """Tell whether a location is the road beside a structure."""
        return number >= self.grid.cells

    def at_edge(self, cell: int) -> bool:
        """Tell whether a hex has a side where the map ends."""
        return bool((self.grid.neighbour_table[cell] < 0).any())

    def terrain_name(self, cell: int) -> str:
        """Return the id of the terrain that a hex counts as."""
        return str(self.survey.model.terrain_ids[self.terrain[cell]])

    def surface(self, a: int, b: int) -> str:
        """Return the surface of the road from a hex to the next, empty where none leads on."""
        surfaces = self.survey.roads.get((min(a, b), max(a, b)))
        if not surfaces or a in self.fallen or b in self.fallen:
            return ""
        return "paved" if "paved" in surfaces else "unpaved"

    def road_cost(self, surface: str) -> int:
        """Return what a step along a road costs (14.2)."""
        paved = surface == "paved" and self.mover in VEHICLES
        return halves(self.figures["paved_road_vehicles"] if paved else self.ruleset.catalogue.movement.road) or 0

    def terrain_cost(self, name: str) -> int | None:
        """Return what a terrain costs to enter."""
        return self.ruleset.move_cost(name, self.mover)

    def side_cost(self, kinds: tuple[str, ...], along_road: bool) -> int | None:
        """Return what hexside terrain costs to cross (14.4)."""
        if along_road and self.options["road_through_wall"] == "gate":
            return 0
        costs = [self.ruleset.cross_cost(kind, self.mover) for kind in kinds]
        return None if None in costs else sum(cost for cost in costs if cost is not None)

    @property
    def wall_cost(self) -> int | None:
        """What a high wall costs to cross."""
        if self.flies or self.state.assault:
            return 0  # by a breach (24.1)
        reading = self.options["high_wall_on_foot" if self.mover == "foot" else "high_wall_vehicles"]
        if reading == "low_wall":
            return self.ruleset.cross_cost("low_wall", self.mover)
        return 0 if reading == "free" else None

    @property
    def level_cost(self) -> int:
        """What each level up or down costs, beside the terrain (14.5)."""
        return 0 if self.flies else halves(self.ruleset.catalogue.movement.elevation) or 0

    def climb_cost(self, levels: Any, terrain: Any) -> Any:
        """Return what some levels cost beside the terrain once: numbers, or arrays of them."""
        again = terrain if self.options["two_levels"] == "all" and not self.flies else 0
        return levels * self.level_cost + np.maximum(levels - 1, 0) * again

    @cached_property
    def left(self) -> NDArray[np.int8]:
        """Level that a unit in each hex leaves from; int8, shape (cells,)."""
        return self.scene.level if self.options["out_of_structure"] == "levels" else self.scene.ground

    @cached_property
    def storeyed(self) -> NDArray[np.bool_]:
        """Hexes with a structure of several storeys: its levels cost nothing to go up; bool, shape (cells,)."""
        return self.scene.raised & self.scene.structure

    def levels(self, a: int, b: int) -> int:
        """Return the levels that a step to another hex goes up or down, as far as they cost (14.5)."""
        ca, cb = self.cell_of(a), self.cell_of(b)
        if self.flies or (self.storeyed[cb] and not self.on_road(b)):
            return 0
        begin = self.scene.ground if self.on_road(a) else self.left
        return abs(int(self.scene.ground[cb]) - int(begin[ca]))

    def figure(self, name: str) -> int:
        """Return a figure of the game in half points."""
        return halves(self.figures[name]) or 0
