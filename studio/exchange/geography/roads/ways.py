"""The cheapest way for a road that no data give: what each step costs, and the search."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.geography.work import Work
from studio.paths.network import FORBIDDEN, Network
from studio.paths.search import search
from studio.rules.catalogue import Cost, halves
from studio.rules.own_costs import MOST_COST

__all__ = ["ALONG", "STRAY", "UNIT", "Way", "Ways", "check_costs"]

UNIT = 1024
"""Parts of a movement point in which steps are counted, in whole numbers."""
ALONG = 0.5
"""What a step along a road that is there already costs of that through the same ground; rivers are bridged there."""
STRAY = 16
"""Parts of a point that a step costs more for each hex that it ends off the straight line, to choose between equals."""
_RISE = 1.0
"""Points of the steepest tenth of all steps; gentler ones cost in proportion."""
_RIVER = 2.0
"""Points of a river, where the game has none."""


class Way(NamedTuple):
    """A way from hex to hex, both ends included, and its cost in movement points."""

    cells: list[int]
    points: float


def check_costs(work: Work, costs: Mapping[str, float], rule: str) -> None:
    """Refuse costs of what is no terrain, and those that are none.

    Raises
    ------
    DocumentError
        With what is allowed.
    """
    for name, cost in costs.items():
        if name != "river" and name not in work.ruleset.terrains:
            message = f"{rule}.costs names the terrain {name!r}; {nearest(name, [*work.ruleset.terrains, 'river'])}"
            raise refused(work.name, message, "name terrain of the game, or river")
        if not (0 <= cost <= MOST_COST or cost == math.inf):
            message = f"{rule}.costs gives {name} the cost {cost}"
            raise refused(work.name, message, f"give 0 to {MOST_COST} points, or inf for closed")


class Ways:
    """What it costs to lead a road from hex to hex.

    A step costs what the terrain that it enters costs in the game, by the first of the game's movers that may enter it;
    the extra cost of what runs on the hexside; and up to a point for the difference of the two mean heights. Water,
    terrain that is out of play, what no mover may enter, and hexsides that none may cross are closed.

    Parameters
    ----------
    work : Work
    costs : mapping of str to float
        Cost to enter a terrain, and of a ``river``, where it is not that of the game.

    Attributes
    ----------
    enter : array of float, shape (cells,)
        Points, infinite where closed.
    cross : array of float, shape (cells, 6)
        Points beside those of the terrain, infinite where closed.
    rise : array of float, shape (cells, 6)
        Points for the difference of heights.
    """

    def __init__(self, work: Work, costs: Mapping[str, float]) -> None:
        self.work, self.costs, self.grid = work, costs, work.model.grid
        present = self.grid.present.ravel()
        self.neighbours = np.where(present[:, None], self.grid.neighbour_table, np.int32(-1))
        self.enter = self._entered()
        self.cross = self._crossed()
        self.rise = self._risen()

    # -- costs -----------------------------------------------------------------------------------------------------

    def _entered(self) -> NDArray[np.float64]:
        spec, model = self.work.spec, self.work.model
        never = {spec.water.sea, spec.water.lake}
        if spec.countries is not None:
            never.add(spec.countries.outside)
        by_terrain = []
        for name in model.terrain_ids:
            terrain = self.work.ruleset.terrains[name]
            cost = self._of_movers(terrain.move)
            if name in never or not terrain.playable:
                by_terrain.append(math.inf)
            else:
                by_terrain.append(self.costs.get(name, 1.0 if cost is None else cost))
        found = np.array(by_terrain)[model.terrain.ravel()]
        found[~self.grid.present.ravel()] = math.inf
        if len(self.work.water) == len(found):
            found[self.work.water] = math.inf
        return found

    def _of_movers(self, costs: Mapping[str, Cost]) -> float | None:
        """Return the points of the first mover that is not stopped, infinite when all are; None when none is named."""
        movers, stopped = self.work.ruleset.movers, False
        for mover in movers:
            name, seen = mover, set[str]()
            while name not in costs and name in movers and name not in seen:
                seen.add(name)
                name = movers[name].like
            if name in costs:
                points = halves(costs[name])
                if points is not None:
                    return points / 2
                stopped = True
        return math.inf if stopped else None

    def _crossed(self) -> NDArray[np.float64]:
        spec = self.work.spec
        rivers = {rule.kind for rule in spec.rivers}
        worth: dict[str, float] = {}
        for kind, side in self.work.ruleset.side_kinds.items():
            cost = self._of_movers(side.cross)
            worth[kind] = cost or 0.0
            if kind in rivers:
                # A road makes a bridge, also over what nobody can ford.
                worth[kind] = self.costs.get("river", cost if cost and cost < math.inf else _RIVER)
        worth |= {spec.water.side: math.inf} if spec.water.side else {}
        found = np.zeros(self.neighbours.shape)
        for (a, b), kinds in self.work.model.sides.items():
            points = sum(worth.get(kind, 0.0) for kind in kinds)
            found[(a, b), (self.towards(a, b), self.towards(b, a))] += points
        return found

    def _risen(self) -> NDArray[np.float64]:
        mean = self.work.heights.get("mean")
        if mean is None or len(mean) != self.grid.cells:
            return np.zeros(self.neighbours.shape)
        apart = np.abs(mean[self.neighbours] - mean[:, None])
        known = (self.neighbours >= 0) & np.isfinite(apart)
        between = known & np.isfinite(self.enter)[:, None] & np.isfinite(self.enter[self.neighbours])
        steep = float(np.percentile(apart[between], 90)) if between.any() else 0.0
        apart[~known] = 0.0
        return _RISE * np.minimum(1.0, apart / steep) if steep > 0 else np.zeros(apart.shape)

    # -- asking ----------------------------------------------------------------------------------------------------

    def towards(self, a: int, b: int) -> int:
        """Return the direction from a hex to an adjacent one."""
        direction = self.grid.direction(a, b)
        assert direction is not None
        return direction

    def open(self, a: int, b: int) -> bool:
        """Tell whether a road may lead from a hex to an adjacent one."""
        shut = math.inf in (self.enter[a], self.enter[b])
        return not shut and bool(self.cross[a, self.towards(a, b)] < math.inf)

    def steps(self, a: int, b: int, laid: Iterable[tuple[int, int]]) -> NDArray[np.int32]:
        """Return what every step costs on the way from one hex to another; int32, shape (cells, 6).

        Parameters
        ----------
        a, b : int
        laid : iterable of (int, int)
            Pairs of hexes that a road joins already.

        Returns
        -------
        array of int32, shape (cells, 6)
            Parts of a point, ``FORBIDDEN`` where closed.
        """
        ground = self.enter[self.neighbours] + self.rise
        points = ground + self.cross
        # What is closed stays closed, whatever road was drawn over it.
        shut = np.isinf(points) | np.isinf(self.enter)[:, None] | (self.neighbours < 0)
        pairs = np.array(sorted(laid), dtype=np.int64).reshape(-1, 2)
        pairs = np.concatenate((pairs, pairs[:, ::-1]))
        row, direction = np.nonzero(self.neighbours[pairs[:, 0]] == pairs[:, 1:])
        points[pairs[row, 0], direction] = ALONG * ground[pairs[row, 0], direction]
        points[shut] = 0.0
        # A step that cost nothing could be taken back and forth.
        parts = np.maximum(1, np.rint(UNIT * points)) + np.rint(STRAY * self._off(a, b))[self.neighbours]
        return np.where(shut, FORBIDDEN, parts).astype(np.int32)

    def _off(self, a: int, b: int) -> NDArray[np.float64]:
        """Return how far the middle of each hex is from the straight line between two, in hexes."""
        spots = self.grid.centres * np.array(self.grid.scale)
        spots /= self.grid.hex_height if self.grid.flat else self.grid.width
        line, away = spots[b] - spots[a], spots - spots[a]
        length = float(line @ line)
        along = np.clip(away @ line / length, 0.0, 1.0) if length else np.zeros(len(spots))
        return np.asarray(np.hypot(*(away - along[:, None] * line).T))

    def find(self, a: int, b: int, laid: Iterable[tuple[int, int]] = ()) -> Way | None:
        """Return the cheapest way from one hex to another; None where there is none."""
        if math.inf in (self.enter[a], self.enter[b]):
            return None
        network = Network.from_table(self.neighbours, self.steps(a, b, laid), mutual=True)
        found = search(network, a)
        cells = found.path(b)
        return Way(cells, float(found.costs[b]) / UNIT) if cells else None
