"""Movement in Modern Tactics for all hexes at once: the sums of the steps of :mod:`.footing`, held equal to them.

The steps between locations are added up first, as tables from hex to hex and as a list for the roads beside structures;
then they are spread over the facings of vehicles, six of them, with three to end in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.paths import FORBIDDEN, NEVER, HexTable, Network
from studio.rules.modern_tactics import begins
from studio.rules.modern_tactics.spread import Spread

if TYPE_CHECKING:
    from studio.rules.modern_tactics.moves import TacticsMoves
    from studio.rules.modern_tactics.ways import Ways

__all__ = ["RoadLinks", "Sums", "network"]

WITHIN = -1
"""Direction of a step within a hex."""


class RoadLinks(NamedTuple):
    """Steps onto roads beside structures, along and off them; arrays of shape (steps,).

    Attributes
    ----------
    begins, ends : array of int64
        Numbers of the locations.
    directions : array of int64
        From hex to hex; ``WITHIN`` inside one.
    sums : array of int64
        Half points, ``NEVER`` and more where it is forbidden.
    """

    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    directions: NDArray[np.int64]
    sums: NDArray[np.int64]


class Sums:
    """What every step costs one mover, in half points; ``NEVER`` and more is forbidden.

    Parameters
    ----------
    ways : Ways
    table : HexTable

    Attributes
    ----------
    ground : array of int32, shape (cells,)
        Cost of the terrain of each hex.
    road : array of int32, shape (cells, 6)
        Cost of the road along each link, 0 where none leads.
    rest : array of int32, shape (cells, 6)
        All that a step meets beside the ground and its levels.
    """

    def __init__(self, ways: Ways, table: HexTable) -> None:
        self.ways, self.table = ways, table
        costs = [ways.terrain_cost(name) for name in ways.survey.model.terrain_ids]
        self.ground = np.array([NEVER if cost is None else cost for cost in costs], dtype=np.int32)[ways.terrain]
        self.road: NDArray[np.int32] = np.zeros(table.neighbours.shape, dtype=np.int32)
        if not ways.flies:
            self._add_roads()
        self.rest: NDArray[np.int32] = np.zeros(table.neighbours.shape, dtype=np.int32)
        if not ways.flies:
            self._add_hexsides()
        self._close_hexes()

    def _add_roads(self) -> None:
        # What is paved comes last, and stays.
        for surface in ("unpaved", "paved"):
            sides = [pair for pair in self.ways.survey.roads if self.ways.surface(*pair) == surface]
            self.road.ravel()[self.table.positions(sides)] = self.ways.road_cost(surface)

    def _add_hexsides(self) -> None:
        ways, flat, roads = self.ways, self.rest.ravel(), self.road.ravel() > 0
        for kinds, positions in self.table.sides.items():
            for along in (False, True):
                cost = ways.side_cost(kinds, along)
                flat[positions[roads[positions] == along]] += NEVER if cost is None else cost
        walled = self.table.positions(ways.walled)
        cost = ways.wall_cost
        flat[walled[~roads[walled]]] += NEVER if cost is None else cost

    def _close_hexes(self) -> None:
        """Add what markers, enemies and full hexes do to the links that lead into them."""
        ways = self.ways
        extra = np.zeros(ways.grid.cells, dtype=np.int32)
        if not ways.flies:
            for cell, kinds in ways.markers.items():
                for kind in kinds:
                    cost = ways.ruleset.marker_cost(kind, ways.mover)
                    extra[cell] += NEVER if cost is None else cost
            if ways.state.assault:
                extra[~self.table.plane(ways.enemies | ways.objectives)] += NEVER
            elif ways.state.kind != "bomber":
                extra[self.table.plane(ways.enemies)] += NEVER
        extra[self.table.plane(ways.blocked | ways.full)] += NEVER
        if extra.any():
            self.rest += self.table.entered(extra)

    # -- steps -----------------------------------------------------------------------------------------------------

    @property
    def beside(self) -> NDArray[np.bool_]:
        """Hexes with a road that is a location of its own; bool, shape (cells,)."""
        return self.table.plane(self.ways.road_at)

    def hexes(self) -> NDArray[np.int32]:
        """Return the sums of the steps from hex to hex; shape (cells, 6)."""
        ways, table = self.ways, self.table
        ground = table.entered(self.ground)
        if self.road.any():
            usable = (self.road > 0) & ~table.entered(self.beside) & self._no_bridge()
            if ways.options["road_from_structure"] == "terrain":
                usable &= ~table.left(self.beside)
            ground = np.where(usable, self.road, ground)
        return np.asarray(ground + self._climbs(ground) + self.rest, dtype=np.int32)

    def _no_bridge(self) -> NDArray[np.bool_]:
        ways = self.ways
        bridge = ways.terrain == ways.survey.model.terrain_ids.index("bridge")
        if ways.options["road_on_bridge"] == "road" or not bridge.any():
            return np.ones((1, 1), dtype=bool)
        return ~np.asarray(self.table.entered(bridge))

    def _climbs(self, ground: NDArray[np.int32]) -> NDArray[np.int32]:
        ways, table, level = self.ways, self.table, self.ways.scene.ground
        if ways.flies or (bool((level == level[0]).all()) and bool((ways.left == level[0]).all())):
            return np.zeros((1, 1), dtype=np.int32)
        steps = np.abs(table.entered(level).astype(np.int32) - table.left(ways.left))
        steps[table.entered(ways.storeyed)] = 0
        return np.asarray(ways.climb_cost(steps, ground), dtype=np.int32)

    def by_roads(self) -> RoadLinks:
        """Return the steps onto roads beside structures, along and off them."""
        ways, table = self.ways, self.table
        if not ways.road_at:
            none = np.zeros(0, dtype=np.int64)
            return RoadLinks(none, none, none, none)
        number = np.full(ways.grid.cells, -1, dtype=np.int64)
        cells = np.array(list(ways.road_at), dtype=np.int64)
        number[cells] = list(ways.road_at.values())
        around = table.neighbours[cells].astype(np.int64)
        row, direction = np.nonzero(around >= 0)
        here, there = cells[row], around[row, direction]
        if ways.flies:
            # A road is no place for a helicopter; one that is said to be there flies off.
            sums = (self.ground[there] + self.rest.ravel()[here * 6 + direction]).astype(np.int64)
            return RoadLinks(number[here], there, direction, sums)
        back = (direction + 3) % 6
        out = self._between(here, there, direction, number[here], there)
        into = self._between(there, here, back, there, number[here])
        both = number[there] >= 0
        road = self._between(here[both], there[both], direction[both], number[here[both]], number[there[both]])
        links = [out, into, road, self._within(cells, number[cells])]
        return RoadLinks(*(np.concatenate(column) for column in zip(*links, strict=True)))

    def _between(
        self,
        here: NDArray[np.int64],
        there: NDArray[np.int64],
        direction: NDArray[np.int64],
        a: NDArray[np.int64],
        b: NDArray[np.int64],
    ) -> RoadLinks:
        """Return steps between hexes, from and to locations of them of which one at least is a road."""
        ways, cells = self.ways, self.ways.grid.cells
        at = here * 6 + direction
        road = self.road.ravel()[at]
        from_road, to_road = a >= cells, b >= cells
        usable = road > 0
        if ways.options["road_from_structure"] == "terrain":
            usable &= from_road | ~self.beside[here]
        if ways.options["road_on_bridge"] == "bridge":
            usable &= ways.terrain[there] != ways.survey.model.terrain_ids.index("bridge")
        usable &= to_road | ~self.beside[there]
        ground = np.where(usable, road, self.ground[there]).astype(np.int64)
        if ways.options["road_from_beside"] == "road":
            ground[to_road & ~usable] = ways.road_cost("unpaved")
        ground[to_road & np.isin(there, list(ways.fallen))] = NEVER
        level, left = ways.scene.ground.astype(np.int64), ways.left.astype(np.int64)
        steps = np.abs(level[there] - np.where(from_road, level[here], left[here]))
        steps[ways.storeyed[there] & ~to_road] = 0
        sums = ground + ways.climb_cost(steps, ground) + self.rest.ravel()[at]
        kept = self.road.ravel()[at] > 0 if ways.options["road_from_beside"] == "no" else np.ones(len(at), dtype=bool)
        return RoadLinks(a[kept], b[kept], direction[kept], sums[kept])

    def _within(self, cells: NDArray[np.int64], roads: NDArray[np.int64]) -> RoadLinks:
        """Return the steps from the road into the structure beside it, and back."""
        ways = self.ways
        into = self.ground[cells].astype(np.int64)
        onto = np.full(len(cells), ways.road_cost("unpaved"), dtype=np.int64)
        onto[np.isin(cells, list(ways.fallen))] = NEVER
        down = np.abs(ways.scene.ground[cells].astype(np.int64) - ways.left[cells])
        onto += ways.climb_cost(down, onto)
        if ways.options["within_structure_hex"] == "on_entering":
            into[:], onto[:] = NEVER, NEVER
        direction = np.full(2 * len(cells), WITHIN, dtype=np.int64)
        a, b = np.concatenate((roads, cells)), np.concatenate((cells, roads))
        return RoadLinks(a, b, direction, np.concatenate((into, onto)))


def network(moves: TacticsMoves) -> Network:
    """Return the nodes and links of one kind of unit."""
    table = HexTable(moves.survey)
    sums = Sums(moves.ways, table)
    hexes, roads = sums.hexes(), sums.by_roads()
    if moves.covering is not None:
        vehicle = Sums(moves.covering.ways, table)
        hexes[vehicle.hexes() >= NEVER // 2] = NEVER
        roads.sums[vehicle.by_roads().sums >= NEVER // 2] = NEVER
    spread = Spread(moves, table)
    spread.add_roads(roads.begins, roads.ends, roads.directions, finished(roads.sums))
    if moves.stopped is not None:
        spread.add_stopped()
    if moves.begun is not None:
        spread.add_beginnings(beginnings(moves, sums.ground))
    return spread.network(table.finish(hexes))


def finished(sums: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return sums as costs of links, ``FORBIDDEN`` where they are ``NEVER``."""
    return np.where(sums >= NEVER // 2, FORBIDDEN, sums)


def beginnings(moves: TacticsMoves, ground: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the costs of the steps with which moves begin, by location, ``FORBIDDEN`` where none does."""
    size, cells = len(moves.survey.directory), moves.survey.grid.cells
    costs = np.full(size, FORBIDDEN, dtype=np.int64)
    spent = begins.usual(moves, 0)
    if spent is not None:
        costs[:cells] = finished(ground.astype(np.int64) + spent)
    for number in begins.special(moves):
        ends = begins.ends(moves, number)
        if ends:
            found = [part.halves for part in begins.parts(moves, number, ends[0])]
            costs[number] = FORBIDDEN if None in found else sum(half for half in found if half is not None)
    return costs
