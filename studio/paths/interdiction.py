"""Interdiction: for each hex, which units an enemy there would cut off from supply.

Only a hex on the line that a unit has can cut it off. Of those on the road the dominators of the road net tell at once
which do; of those near the unit, a search of its surroundings without the hex does. Where an enemy closes more hexes
than its own, or the length of the road counts, lines are searched anew for each hex in question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.paths.dominators import Dominators
from studio.paths.network import FORBIDDEN, Network
from studio.paths.search import search
from studio.paths.supply import SupplyGround, SupplyLines

__all__ = ["Closing", "cut_off"]

_FAR = 24
"""Steps off road up to which the surroundings of a unit are small enough to be searched for each hex."""


class Closing(msgspec.Struct, frozen=True):
    """What an enemy in a hex does to the lines of a side.

    Attributes
    ----------
    hexes : callable
        Takes a hex, returns those that are closed then.
    own_only : bool
        It closes its own hex and no other.
    """

    hexes: Callable[[int], Iterable[int]]
    own_only: bool


def cut_off(lines: SupplyLines, cells: Iterable[int], closing: Closing) -> dict[int, list[int]]:
    """Return, for each hex that cuts off any, the hexes of the units that an enemy there would cut off.

    Parameters
    ----------
    lines : SupplyLines
        As things are.
    cells : iterable of int
        Hexes of units. Those out of supply count for nothing, and none is cut off by an enemy in its own hex.
    closing : Closing

    Returns
    -------
    dict of int to list of int
        In order.
    """
    supplied = sorted({cell for cell in cells if lines.cost(cell) >= 0})
    if closing.own_only and not lines.net.rule.road_hexes and _steps(lines) <= _FAR:
        found = _NearAndRoad(lines).cut_off(supplied)
    else:
        found = _one_by_one(lines, supplied, closing)
    return {cell: sorted(found[cell]) for cell in sorted(found)}


def _steps(lines: SupplyLines) -> int:
    """Return how many steps off road there are at most."""
    limit, costs = lines.net.rule.off_road, lines.net.across.costs
    least = int(costs[costs >= 0].min()) if (costs >= 0).any() else 1
    return _FAR + 1 if limit is None or not least else limit // least


def _one_by_one(lines: SupplyLines, cells: list[int], closing: Closing) -> dict[int, list[int]]:
    """Search anew without each hex that can matter: one that closes, or takes the source of, the line of a unit."""
    net, ground = lines.net, lines.ground
    users: dict[int, set[int]] = {}
    for cell in cells:
        line = lines.line(cell)
        for at in line.path if line is not None else ():
            users.setdefault(at, set()).add(cell)
    reach: set[int] = set(users)
    for at in users:
        reach.update(net.across.ends[net.across.row(at)].tolist())
    found: dict[int, list[int]] = {}
    for at in sorted(reach):
        shut = set(closing.hexes(at))
        touched = set().union(*(users.get(cell, set()) for cell in shut | {at})) - {at}
        if not touched:
            continue
        sources = {cell: ("is taken" if cell == at else why) for cell, why in ground.sources.items()}
        closed = {**dict.fromkeys(shut, "an enemy unit"), **ground.closed}
        then = SupplyLines(net, SupplyGround(closed, sources))
        lost = [cell for cell in sorted(touched) if then.cost(cell) < 0]
        if lost:
            found[at] = lost
    return found


class _NearAndRoad:
    """Cut hexes from the dominators of the road net and the surroundings of each unit."""

    def __init__(self, lines: SupplyLines) -> None:
        self.lines, self.net, self.ground = lines, lines.net, lines.ground
        self.steps = _steps(lines)

    @cached_property
    def shut(self) -> NDArray[np.bool_]:
        shut = np.zeros(self.net.hexes, dtype=bool)
        shut[list(self.ground.closed)] = True
        return shut

    @cached_property
    def sources(self) -> set[int]:
        return set(self.lines.sources)

    @cached_property
    def road(self) -> Dominators:
        """Dominators of the road hexes that lines may run through."""
        closed = np.flatnonzero(self.shut[self.net.road_hexes])
        roots = [node - self.net.hexes for cell in self.sources if (node := self.net.road_node(cell)) is not None]
        return Dominators(self.net.roads.closed(into=closed, out_of=closed), roots)

    def cut_off(self, cells: list[int]) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for cell in cells:
            for at in self.cuts(cell):
                found.setdefault(at, []).append(cell)
        return found

    def cuts(self, cell: int) -> list[int]:
        """Return the hexes each of which cuts a unit in a hex off."""
        line = self.lines.line(cell)
        if line is None or len(line.path) == 1:
            return []
        near, local = self._surroundings(cell)
        goals = self._goals(cell, near, search(local, int(np.searchsorted(near, cell)), self.net.rule.off_road).costs)
        always = set(self._common(goals)) - {cell}
        close = [at for at in line.path[1:] if at not in always and _among(near, at)]
        return sorted(always | {at for at in close if self._cuts(cell, at, near, local)})

    def _surroundings(self, cell: int) -> tuple[NDArray[np.int64], Network]:
        """Return the hexes that a unit may reach off road, and the links between them."""
        across = self.net.across
        near = np.array([cell], dtype=np.int64)
        front = near
        for _ in range(self.steps):
            links = _links(across, front)
            front = np.setdiff1d(across.ends[links[across.costs[links] >= 0]].astype(np.int64), near)
            near = np.union1d(near, front)
            front = front[~self.shut[front]]
        links = _links(across, near)
        begin, end, cost = across.begins[links], across.ends[links], across.costs[links]
        cost = np.where(self.shut[end], FORBIDDEN, cost)
        kept = (cost >= 0) & np.isin(end, near)
        pairs = np.searchsorted(near, begin[kept]), np.searchsorted(near, end[kept])
        return near, Network.from_links(len(near), np.column_stack((*pairs, cost[kept])))

    def _goals(self, cell: int, near: NDArray[np.int64], costs: NDArray[np.int64]) -> list[tuple[int, ...]]:
        """Return where the part off road of some line of a unit can end: the road nodes there, or a source itself."""
        found: list[tuple[int, ...]] = []
        for at in near[costs >= 0].tolist():
            if at in self.sources and not self.net.rule.road_needed:
                found.append((_SOURCE, at))
            road = self.net.road_node(at)
            if road is None:
                continue
            node = road - self.net.hexes
            if at == cell and self.shut[at]:
                row = self.net.roads.row(node)
                nodes = [int(other) for other in self.net.roads.ends[row] if self.road.reaches(int(other))]
            else:
                nodes = [node] if self.road.reaches(node) else []
            found += [(_ROAD, other) for other in nodes]
        return found

    def _common(self, goals: list[tuple[int, ...]]) -> list[int]:
        """Return the hexes that all lines over some goals run through."""
        ends = {at for kind, at in goals if kind == _SOURCE}
        nodes = [node for kind, node in goals if kind == _ROAD]
        if not ends:
            chain = self.road.chain(self.road.common(nodes))
            return self.net.road_hexes[chain].tolist() if chain else []
        if len(ends) > 1:
            return []
        (end,) = ends
        road = self.net.road_node(end)
        if road is None:
            return [] if nodes else [end]
        through = self.road.through(road - self.net.hexes, np.array(nodes, dtype=np.int64))
        return [end] if bool(through.all()) else []

    def _cuts(self, cell: int, at: int, near: NDArray[np.int64], local: Network) -> bool:
        """Tell whether a unit is cut off without a hex in its surroundings."""
        without = local.closed(into=[int(np.searchsorted(near, at))])
        start = int(np.searchsorted(near, cell))
        goals = self._goals(cell, near, search(without, start, self.net.rule.off_road).costs)
        nodes = np.array([node for kind, node in goals if kind == _ROAD], dtype=np.int64)
        road = self.net.road_node(at)
        if road is not None and len(nodes):
            nodes = nodes[~self.road.through(road - self.net.hexes, nodes)]
        return not len(nodes) and not any(kind == _SOURCE for kind, _ in goals)


_ROAD, _SOURCE = 0, 1


def _links(network: Network, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the positions of the links that begin at some nodes."""
    rows = [np.arange(network.indptr[node], network.indptr[node + 1]) for node in nodes.tolist()]
    return np.concatenate(rows) if rows else np.empty(0, dtype=np.int64)


def _among(ordered: NDArray[np.int64], value: int) -> bool:
    at = int(np.searchsorted(ordered, value))
    return at < len(ordered) and int(ordered[at]) == value
