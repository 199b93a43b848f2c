"""Movement in a game of one's own: what its file says of terrain, hexsides, markers, roads and levels, added up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.errors import GridError
from studio.paths import NEVER, CostPart, HexTable, MoveJudge, MoveState, Network, Step
from studio.paths.state import check_mover
from studio.rules.catalogue import halves

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset
    from studio.survey import Survey

__all__ = ["GenericMoves", "GenericPaths"]


class GenericPaths:
    """Movement by the tables of a ruleset, in the place of a ``paths`` module.

    Parameters
    ----------
    ruleset : Ruleset
    """

    STATE = MoveState

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    def judge(
        self, survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
    ) -> GenericMoves:
        """Return the judge of movement for the map as it is now.

        Raises
        ------
        UnknownNameError
            When the game has no such mover or option.
        ScenarioRuleError
            When an option cannot have such a value.
        """
        self.ruleset.options(options)
        return GenericMoves(self.ruleset, survey, mover, state or MoveState())


class GenericMoves(MoveJudge):
    """Movement of one kind of unit on one map, from hex to hex.

    Entering a hex costs what its terrain says, along a road what the road says where that is less; going up adds so
    much a level, markers and what stands on the hexside add theirs. A road passes a hexside as over a bridge.
    """

    def __init__(self, ruleset: Ruleset, survey: Survey, mover: str, state: MoveState) -> None:
        super().__init__(survey, mover)
        check_mover(mover, ruleset.movers, ruleset.title)
        self.ruleset, self.state = ruleset, state
        movement = ruleset.catalogue.movement
        self.first_step = "minimum move" if movement.minimum_one else ""
        self.road, self.a_level, self.least = (
            halves(cost) for cost in (movement.road, movement.elevation, movement.least)
        )
        self.bridges = movement.bridges

    # -- one step --------------------------------------------------------------------------------------------------

    def step(self, a: int, b: int) -> Step:
        """Return the explained cost of the step between two hexes, or what forbids it.

        Raises
        ------
        GridError
            When the two hexes are not adjacent.
        """
        grid, label = self.survey.grid, self.survey.directory.label
        if max(a, b) >= grid.cells or grid.direction(a, b) is None:
            msg = f"{label(a)} and {label(b)} are not adjacent: a step leads to a neighbouring hex"
            raise GridError(msg)
        parts = (*self._ground(a, b), *self._climb(a, b), *self._sides(a, b), *self._markers(b), *self._units(b))
        return Step(label(a), label(b), self.mover, parts, self.least or 0)

    def terrain_at(self, cell: int) -> str:
        """Return the terrain that a hex counts as: its own, or what the last of its markers turns it into."""
        terrain = self.survey.model.terrain_at(cell)
        for kind in self.survey.markers_at(cell):
            marker = self.ruleset.marker_types.get(kind)
            if marker is not None and marker.becomes:
                terrain = marker.becomes
        return terrain

    def _ground(self, a: int, b: int) -> Iterator[CostPart]:
        name, terrain = self.survey.model.labels.label(b), self.ruleset.terrain(self.terrain_at(b))
        cost = self.ruleset.move_cost(self.terrain_at(b), self.mover)
        if self.survey.road_across(a, b) and self.road is not None and (cost is None or self.road <= cost):
            yield CostPart("movement.road", self.road, f"{name}: along the road")
            return
        closed = "" if cost is not None else f": closed to {self.ruleset.movers[self.mover].name.lower()}"
        yield CostPart(terrain.section or "terrain.move", cost, f"{name} {terrain.name.lower()}{closed}")

    def _climb(self, a: int, b: int) -> Iterator[CostPart]:
        model = self.survey.model
        rise = model.level_at(b) - model.level_at(a)
        if rise > 0 and self.a_level != 0:
            cost = None if self.a_level is None else rise * self.a_level
            text = f"{model.labels.label(b)}: up {rise} level{'s' if rise > 1 else ''}"
            yield CostPart("movement.elevation", cost, text)

    def _sides(self, a: int, b: int) -> Iterator[CostPart]:
        if self.bridges and self.survey.road_across(a, b):
            return
        for kind in self.survey.side_kinds(a, b):
            cost = self.ruleset.cross_cost(kind, self.mover)
            if cost != 0:
                side = self.ruleset.side_kinds[kind]
                yield CostPart(side.section or "sides.cross", cost, f"across the {side.name.lower()}")

    def _markers(self, b: int) -> Iterator[CostPart]:
        for kind in self.survey.markers_at(b):
            cost = self.marker_costs.get(kind, 0)
            if cost != 0:
                marker = self.ruleset.marker_types[kind]
                text = f"{self.survey.model.labels.label(b)}: {marker.name.lower()}"
                yield CostPart(marker.section or "markers.enter", cost, text)

    @cached_property
    def marker_costs(self) -> dict[str, int | None]:
        """Half points that each type of marker adds, None where it closes its hex; those that add none are left out."""
        costs = {kind: self.ruleset.marker_cost(kind, self.mover) for kind in self.ruleset.marker_types}
        return {kind: cost for kind, cost in costs.items() if cost != 0}

    def _units(self, b: int) -> Iterator[CostPart]:
        label = self.survey.model.labels.label
        if b in self.state.enemies:
            yield CostPart("state.enemies", None, f"{label(b)}: an enemy is there")
        if b in self.state.blocked:
            yield CostPart("state.blocked", None, f"{label(b)}: nobody can enter")

    # -- all of them -----------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> Network:
        """All nodes and links."""
        table, model, survey = HexTable(self.survey), self.survey.model, self.survey
        costs = [self.ruleset.move_cost(name, self.mover) for name in model.terrain_ids]
        worth = np.array([NEVER if cost is None else cost for cost in costs], dtype=np.int32)
        ground = worth[model.terrain].ravel()
        for kind, marker in self.ruleset.marker_types.items():
            if marker.becomes:
                for cell in np.flatnonzero(table.plane(survey.cells_with_marker(kind))).tolist():
                    ground[cell] = worth[model.terrain_ids.index(self.terrain_at(cell))]
        sums = table.entered(ground)
        if self.road is not None:
            flat = sums.ravel()
            flat[table.roads] = np.minimum(flat[table.roads], self.road)
        if self.a_level is None:
            sums[table.climbs > 0] = NEVER
        elif self.a_level:
            sums += table.climbs * np.int32(self.a_level)
        table.add_sides(sums, self._crossing)
        table.add_markers(sums, self.marker_costs)
        closed = table.plane(self.state.enemies | self.state.blocked)
        if closed.any():
            sums[table.entered(closed)] = NEVER
        return Network.from_table(
            table.neighbours, table.finish(sums, self.least or 0), len(survey.directory), mutual=True
        )

    def _crossing(self, kinds: tuple[str, ...], along_road: bool) -> int | None:
        if along_road and self.bridges:
            return 0
        costs = [self.ruleset.cross_cost(kind, self.mover) for kind in kinds]
        return None if None in costs else sum(cost for cost in costs if cost is not None)
