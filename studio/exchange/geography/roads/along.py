"""The hexes of a road of data: the cheapest way along its line, over rivers where, and as often as, the line is.

A state of the search is a point of the line, the hex where the road is by then, and the number of rivers crossed.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.corners import UNIT, cheapest, radii
from studio.exchange.common.lines import without_hairpins
from studio.exchange.geography.roads.streams import Crossing, Streams
from studio.exchange.geography.work import Work

__all__ = ["Along", "Led"]

HEX = 3**0.5
"""Radii from the middle of a hex to the next."""
SPACING = 0.5
"""Radii from one point of a line to the next, at most."""
REACH = 2.6
"""How far from a point of the line the middle of a hex of its road may be; one and a half hexes, in radii."""
PACE = 0.25
"""Cost of a point whose hex is one radius off; it grows with the square of the distance."""
HAND = 0.25
"""What it costs more where the line of a river runs between the point and the middle of the hex."""
STEP = 0.3
"""Cost of a step from hex to hex."""
NEAR = 0.1
"""Cost of a bridge one radius off the crossing; it grows with the square of the distance."""
FALSE = 20.0
"""Cost of crossing a river that the line does not cross near there."""
SKIP = 10.0
"""Cost of not crossing one that it does."""
WINDOW = 3.0
"""Radii along the line, before and behind a crossing, in which its bridge may lie."""
PASSES = 0.3 * HEX
"""How near to a town the line of a road passes through it: 0.3 hexes, in radii."""
TOWN = 60.0
"""Cost of not reaching a town that the line meets; in proportion less the nearer to 0.3 hexes it passes by.

A bridge too many is less bad than a road that does not reach its town."""
SHORT = 2.0
"""Cost of each radius of its line by which a road begins late or ends early, as where a river leaves the map."""
ENDS = 2 * HEX
"""How many radii it may be at most. A town that is left out so costs what it is worth."""
_FINE = HEX / 16  # how finely the stay in a hex is measured
_FAR = 0.9 * HEX  # from the end of a line to the middle of the last hex of its road, where that ends before it
_BESIDE = 2.0  # radii along the line around the points of a hex within which its stay there counts


class Led(NamedTuple):
    """A road on the map.

    Attributes
    ----------
    path : list of int
        Adjacent hexes in order.
    crossings : list of Crossing
        Where its line crosses rivers.
    short : list of int
        Hexes in which it ends though its line leads on, as the side of a river that it is on ends there.
    """

    path: list[int]
    crossings: list[Crossing]
    short: list[int]


class Passed(NamedTuple):
    """A town that a line passes through: how far along the line, and what it costs not to reach it."""

    along: float
    worth: float


class Points(NamedTuple):
    """Points on a line: how far along it each lies, and where, in radii."""

    along: NDArray[np.float64]
    spots: NDArray[np.float64]


class Along:
    """Leads roads along lines.

    Parameters
    ----------
    work : Work
        With its towns and rivers.
    """

    def __init__(self, work: Work) -> None:
        self.grid = work.model.grid
        self.streams = Streams(work)
        self.scale = radii(self.grid)
        self.hexes = np.flatnonzero(self.grid.present)
        table = self.grid.neighbour_table.astype(np.int64)
        codes = np.arange(self.grid.cells)[:, None] * self.grid.cells + table
        self.bed = np.isin(codes, self.streams.every) & (table >= 0)
        self.middles = self.grid.centres * self.scale
        self._town_spots = np.array([town.point for town in work.towns], dtype=float).reshape(-1, 2) * self.scale
        self._town_cells = [town.cell for town in work.towns]

    @cached_property
    def _tree(self) -> Any:
        from scipy.spatial import cKDTree

        return cKDTree(self.middles[self.hexes])

    def lead(self, line: NDArray[np.float64]) -> list[Led]:
        """Return the roads of a line: one, or several where it leaves the map between.

        Parameters
        ----------
        line : array of float, shape (n, 2)
            On the lattice.
        """
        corners = line * self.scale
        points = points_of(corners, SPACING)
        on = np.flatnonzero(self.grid.cells_at(points.spots / self.scale) >= 0)
        if not len(on):
            return []
        crossings, towns = self.streams.crossings(corners), self._passed(corners)
        whole = self._led(corners, _part(points, int(on[0]), int(on[-1])), crossings, towns)
        if whole is not None:
            return [whole]
        # No hexes beside a gap of the map: each piece by itself.
        runs = np.split(on, np.flatnonzero(np.diff(on) > 1) + 1)
        parts = [self._led(corners, _part(points, int(run[0]), int(run[-1])), crossings, towns) for run in runs]
        return [part for part in parts if part is not None]

    def _led(
        self, corners: NDArray[np.float64], points: Points, crossings: Sequence[Crossing], towns: dict[int, Passed]
    ) -> Led | None:
        low, high = points.along[0], points.along[-1]
        own = [one for one in crossings if low <= one.along <= high]
        near = {cell: one for cell, one in towns.items() if low - SPACING <= one.along <= high + SPACING}
        way = Search(self, points, own, near).way()
        if way is None:
            return None
        path, stays = self._stays(corners, points, way)
        ends = (points.spots[0], path[0]), (points.spots[-1], path[-1])
        short = [cell for spot, cell in ends if np.hypot(*(spot - self.middles[cell])) > _FAR]
        return Led(without_hairpins(self.grid, path, stays, lambda row: self._fixed(row, towns)), own, short)

    def _passed(self, corners: NDArray[np.float64]) -> dict[int, Passed]:
        """Return the hexes of the towns that a line passes through; of several in a hex the nearest counts."""
        import shapely

        if not len(self._town_spots):
            return {}
        line, spots = shapely.LineString(corners), shapely.points(self._town_spots)
        off = shapely.distance(line, spots)
        near = [n for n in np.argsort(-off, kind="stable").tolist() if off[n] < PASSES]
        places = shapely.line_locate_point(line, spots[near]).tolist()
        worth = (TOWN * (1 - off[near] / PASSES)).tolist()
        return {self._town_cells[n]: Passed(*one) for n, *one in zip(near, places, worth, strict=True)}

    def _stays(
        self, corners: NDArray[np.float64], points: Points, way: Sequence[tuple[int, int]]
    ) -> tuple[list[int], list[float]]:
        """Return the row of hexes of a way, and for how many hexes the line is in each of them."""
        fine = points_of(corners, _FINE)
        apart = float(fine.along[-1]) / (len(fine.along) - 1) / HEX
        cells = self.grid.cells_at(fine.spots / self.scale)
        path, stays = [], []
        for cell, group in itertools.groupby(way, key=lambda one: one[1]):
            numbers = [number for number, _ in group]
            low, high = points.along[numbers[0]] - _BESIDE, points.along[numbers[-1]] + _BESIDE
            first, last = np.searchsorted(fine.along, (low, high))
            path.append(cell)
            stays.append(float((cells[first:last] == cell).sum()) * apart)
        return path, stays

    def _fixed(self, row: Sequence[int], towns: dict[int, Passed]) -> bool:
        """Tell whether a row of hexes may not be led from its first to its last at once: for a town, or a bridge."""
        if any(cell in towns for cell in row[1:-1]):
            return True
        if row[0] == row[-1]:
            return False  # over a bridge and back is no road
        return len(self.streams.crossed(row)) != len(self.streams.crossed((row[0], row[-1])))


def points_of(corners: NDArray[np.float64], spacing: float) -> Points:
    """Return points on a line, ends included, equally far apart."""
    length = np.concatenate(([0.0], np.cumsum(np.hypot(*(corners[1:] - corners[:-1]).T))))
    along = np.linspace(0.0, length[-1], int(np.ceil(length[-1] / spacing)) + 1)
    return Points(along, np.stack([np.interp(along, length, corners[:, n]) for n in (0, 1)], axis=1))


def _part(points: Points, first: int, last: int) -> Points:
    return Points(points.along[first : last + 1], points.spots[first : last + 1])


class Search:
    """The search for one road.

    Parameters
    ----------
    along : Along
    points : Points
    crossings : sequence of Crossing
        In order, all between the first point and the last.
    towns : dict of int to Passed
        Those that it passes through, by their hexes.

    Attributes
    ----------
    first, last : array of int64, shape (crossings,)
        Points between which a river may be crossed, both included.
    least, most : array of int64, shape (points,)
        How many may have been crossed at each point.
    late, early : array of float, shape (points,)
        What it costs to begin, and to end, there.
    cost : int
        Of the way that was found, in millionths.
    """

    def __init__(self, along: Along, points: Points, crossings: Sequence[Crossing], towns: dict[int, Passed]) -> None:
        self.along, self.points, self.crossings, self.cost = along, points, crossings, 0
        self.towns = {cell: int(np.argmin(np.abs(points.along - one.along))) for cell, one in towns.items()}
        count = len(points.along)
        places = np.array([one.along for one in crossings])
        self.first = np.minimum(np.searchsorted(points.along, places - WINDOW), count - 1)
        self.last = np.maximum(np.searchsorted(points.along, places + WINDOW, side="right") - 1, 0)
        numbers = np.arange(count)
        self.least = np.searchsorted(self.last, numbers)
        self.most = np.searchsorted(self.first, numbers, side="right")
        near = along._tree.query_ball_point(points.spots, REACH, return_sorted=True)
        sizes = np.array([len(one) for one in near])
        self.whole = bool(sizes.all())
        if not self.whole:
            return
        self.point = np.repeat(numbers, sizes)
        self.cell = along.hexes[np.concatenate([np.asarray(one, dtype=np.int64) for one in near])]
        self.costs = self._costs(towns)
        worth = np.zeros(count)
        for cell, one in towns.items():
            worth[self.towns[cell]] += one.worth
        off = points.along - points.along[0]
        self.late = SHORT * off + np.cumsum(worth) - worth
        self.early = SHORT * (off[-1] - off) + worth.sum() - np.cumsum(worth)
        room = (self.most - self.least + 1)[self.point]
        self.begin = np.cumsum(room) - room
        self._keys = self.point * along.grid.cells + self.cell

    def _costs(self, towns: dict[int, Passed]) -> NDArray[np.float64]:
        """Return what it costs to be in a hex at a point of the line, for each pair of them."""
        spots, middles = self.points.spots[self.point], self.along.middles[self.cell]
        costs = PACE * ((spots - middles) ** 2).sum(axis=1)
        costs += HAND * self.along.streams.between(spots, middles)
        for cell, one in towns.items():
            here = self.point == self.towns[cell]
            if (self.cell[here] == cell).any():
                costs[here & (self.cell != cell)] += one.worth
        return np.asarray(costs)

    def way(self) -> list[tuple[int, int]] | None:
        """Return the point and the hex of each state of the cheapest way; None where there is none."""
        if not self.whole:
            return None
        arcs = [self._onward(), *self._steps(), *self._over()]
        tails, heads, costs = (np.concatenate([arc[n] for arc in arcs]) for n in range(3))
        starts, stops = self._ends()
        whole = _whole(costs)
        found = cheapest(tails, heads, whole, starts, stops)
        if found is None:
            return None
        self.cost = starts[found.nodes[0]] + int(whole[found.arcs].sum()) + stops[found.nodes[-1]]
        which = np.searchsorted(self.begin, np.array(found.nodes), side="right") - 1
        return list(zip(self.point[which].tolist(), self.cell[which].tolist(), strict=True))

    def _ends(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return what it costs to begin and to end in each state, of those where a road may."""
        along, every = self.points.along[self.point], len(self.crossings)
        a = np.flatnonzero((along <= along[0] + ENDS) & (self.least[self.point] == 0))
        b = np.flatnonzero((along >= along[-1] - ENDS) & (self.most[self.point] == every))
        starts = _whole(self.costs[a] + self.late[self.point[a]]).tolist()
        stops = _whole(self.early[self.point[b]]).tolist()
        return (
            dict(zip(self._node(a, 0).tolist(), starts, strict=True)),
            dict(zip(self._node(b, every).tolist(), stops, strict=True)),
        )

    def _find(self, point: NDArray[np.int64], cell: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the numbers of pairs of a point and a hex, -1 where there is none."""
        keys = point * self.along.grid.cells + cell
        at = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where((self._keys[at] == keys) & (cell >= 0), at, -1)

    def _arcs(
        self, a: NDArray[np.int64], b: NDArray[np.int64], costs: NDArray[np.float64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
        """Return the arcs between pairs, one for each number of rivers crossed that both may have."""
        low = np.maximum(self.least[self.point[a]], self.least[self.point[b]])
        high = np.minimum(self.most[self.point[a]], self.most[self.point[b]])
        room = np.maximum(0, high - low + 1)
        which = np.repeat(np.arange(len(a)), room)
        level = low[which] + np.arange(len(which)) - np.repeat(np.cumsum(room) - room, room)
        return self._node(a[which], level), self._node(b[which], level), costs[which]

    def _node(self, pair: NDArray[np.int64], level: NDArray[np.int64] | int) -> NDArray[np.int64]:
        found: NDArray[np.int64] = self.begin[pair] + level - self.least[self.point[pair]]
        return found

    def _onward(self) -> tuple[NDArray[Any], ...]:
        """Return the arcs from a point to the next, in one hex."""
        to = self._find(self.point + 1, self.cell)
        a = np.flatnonzero(to >= 0)
        return self._arcs(a, to[a], self.costs[to[a]])

    @cached_property
    def _beside(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Pairs of one point whose hexes are adjacent, the codes of their sides, and whether these have a river."""
        other = self.along.grid.neighbour_table[self.cell].astype(np.int64)
        to = self._find(np.repeat(self.point[:, None], 6, axis=1), other)
        row, column = np.nonzero(to >= 0)
        a, b = row, to[row, column]
        return a, b, self.cell[a] * self.along.grid.cells + self.cell[b], self.along.bed[self.cell[a], column]

    def _steps(self) -> list[tuple[NDArray[Any], ...]]:
        """Return the arcs from hex to hex that use up no crossing."""
        a, b, _, bed = self._beside
        return [self._arcs(a, b, np.where(bed, STEP + FALSE, STEP))]

    def _over(self) -> list[tuple[NDArray[Any], ...]]:
        """Return the arcs that use up a crossing: over a side of its river, or without one."""
        a, b, codes, bed = self._beside
        a, b, codes = a[bed], b[bed], codes[bed]
        pairs = np.arange(len(self.cell))
        found: list[tuple[NDArray[Any], ...]] = []
        for number, one in enumerate(self.crossings):
            first, last = self.first[number], self.last[number]
            near = np.isin(codes, self.along.streams.codes[one.river])
            near &= (self.point[a] >= first) & (self.point[a] <= last)
            middles = (self.along.middles[self.cell[a[near]]] + self.along.middles[self.cell[b[near]]]) / 2
            off = ((middles - np.array(one.spot)) ** 2).sum(axis=1)
            found.append((self._node(a[near], number), self._node(b[near], number + 1), STEP + NEAR * off))
            here = pairs[(self.point >= first) & (self.point <= last)]
            found.append((self._node(here, number), self._node(here, number + 1), np.full(len(here), SKIP)))
        return found


def _whole(costs: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return costs in whole millionths, so that sums are exact; nothing is free."""
    found: NDArray[np.int64] = np.maximum(1, np.rint(costs * UNIT)).astype(np.int64)
    return found
