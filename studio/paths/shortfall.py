"""The nearest miss of a unit that is out of supply: the fewest hexes that stand in its way, or the points it lacks.

Which hexes are the fewest is asked of a network in which every closed hex costs one to enter, and a source that does
not work costs one to end at. The limit off road is kept by layers: a node a hex and number of points that are spent.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.paths.network import Network
from studio.paths.search import Search, search
from studio.paths.supply import Line, SupplyGround, SupplyLines

__all__ = ["Shortfall", "Shortfalls"]

_MOST_LAYERS = 200
"""With more steps off road the limit is looked at last: then only the line with the fewest cuts of all is tried."""


class Shortfall(msgspec.Struct, frozen=True):
    """What keeps a unit out of supply.

    Attributes
    ----------
    cuts : tuple of int
        The fewest hexes that would have to be otherwise: closed ones, and a source that does not work. Empty where
        no such change would help.
    line : Line or None
        The line over them; of those with as few cuts the shortest.
    next_best : Line or None
        The cheapest line as things are, over the limit off road.
    unhindered : Line or None
        Where neither is: the cheapest line if nothing stood in the way and every source worked.
    """

    cuts: tuple[int, ...] = ()
    line: Line | None = None
    next_best: Line | None = None
    unhindered: Line | None = None


class Shortfalls:
    """The nearest misses of some units of one side.

    Parameters
    ----------
    lines : SupplyLines
        As things are.
    cells : sequence of int
        Hexes of units that are out of supply.
    """

    def __init__(self, lines: SupplyLines, cells: Sequence[int]) -> None:
        self.lines, self.net, self.ground = lines, lines.net, lines.ground
        self.cells = sorted(set(cells))

    def of(self, cell: int) -> Shortfall:
        """Return the nearest miss of a unit in one of the hexes."""
        line, next_best = self._fewest(cell), self._next_best(cell)
        cuts = tuple(at for at in line.path[1:] if at in self.ground.closed) if line is not None else ()
        if line is not None:
            end = line.source
            lost = bool(self.ground.sources[end]) and end not in cuts
            cuts += (end,) if lost else ()
        unhindered = None if line is not None or next_best is not None else self._unhindered.line(cell)
        return Shortfall(cuts, line, next_best, unhindered)

    def _next_best(self, cell: int) -> Line | None:
        """Return the line from a hex as things are, without a limit off road."""
        if self.net.rule.off_road is None or not self.ground.working:
            return None
        return self._next_near.line(cell) or self._next_far.line(cell)

    @cached_property
    def _next_near(self) -> SupplyLines:
        """Lines within twice the limit: most units miss by little."""
        return self.lines.within(2 * (self.net.rule.off_road or 0) + 4)

    @cached_property
    def _next_far(self) -> SupplyLines:
        return self.lines.within(None)

    @cached_property
    def _unhindered(self) -> SupplyLines:
        """Lines if nothing stood in the way."""
        return SupplyLines(self.net, SupplyGround({}, dict.fromkeys(self.ground.sources, ""))).within(None)

    # -- the fewest hexes in the way -------------------------------------------------------------------------------

    @cached_property
    def _near(self) -> NDArray[np.int64]:
        """Hexes that the units reach off road within the limit, in order."""
        return np.flatnonzero(search(self.net.across, self.cells, self.net.rule.off_road).costs >= 0)

    @cached_property
    def _unit_cost(self) -> int:
        """What all costs off road are multiples of: the points that one layer stands for."""
        limit, costs = self.net.rule.off_road, self.net.across.costs
        if limit is None:
            return 1
        different = np.flatnonzero(np.bincount(np.minimum(costs[costs > 0], limit + 1)))
        return max(1, math.gcd(limit, *different[different <= limit].tolist()))

    @property
    def _layers(self) -> int:
        limit = self.net.rule.off_road
        return 1 if limit is None or not self._layered_limit else limit // self._unit_cost + 1

    @property
    def _layered_limit(self) -> bool:
        """Whether the layers keep the limit; without one, or with a very wide one, there is a single layer."""
        limit = self.net.rule.off_road
        return limit is not None and limit // self._unit_cost < _MOST_LAYERS

    @cached_property
    def _price(self) -> int:
        """What a cut costs where the hexes along the road count, too."""
        return len(self.net.road_hexes) + 1 if self.net.rule.road_hexes else 1

    @cached_property
    def _layered(self) -> Network:
        net, near, layers = self.net, self._near, self._layers
        place = np.full(net.hexes, -1, dtype=np.int64)
        place[near] = np.arange(len(near))
        closed = np.zeros(net.hexes, dtype=np.int64)
        closed[list(self.ground.closed)] = self._price
        back = net.across.reversed
        inside = (place[back.begins] >= 0) & (place[back.ends] >= 0) & (back.costs >= 0)
        if net.rule.off_road is not None:
            inside &= back.costs <= net.rule.off_road  # the unit cost divides those alone
        used = np.flatnonzero(inside)
        begin, end, spent = back.begins[used], back.ends[used], back.costs[used] // self._unit_cost
        spent = spent if self._layered_limit else np.zeros_like(spent)
        parts = []
        for layer in range(layers):
            fits = layer + spent < layers
            nodes = place[begin[fits]] * layers + layer, place[end[fits]] * layers + layer + spent[fits]
            parts.append(np.column_stack((*nodes, closed[begin[fits]])))
        first, roads = len(near) * layers, net.road_hexes
        links = net.roads.links
        step = 1 if net.rule.road_hexes else 0
        parts.append(np.column_stack((first + links[:, :2], closed[roads[links[:, 0]]] + step)))
        down = np.flatnonzero(place[roads] >= 0)
        parts.append(np.column_stack((first + down, place[roads[down]] * layers, np.zeros_like(down))))
        return Network.from_links(first + len(roads), np.concatenate(parts))

    @cached_property
    def _found(self) -> Search | None:
        net, layers = self.net, self._layers
        starts: dict[int, int] = {}
        for cell, why in self.ground.sources.items():
            spent = self._price if why and cell not in self.ground.closed else 0
            road = net.road_node(cell)
            if road is not None:
                starts[len(self._near) * layers + road - net.hexes] = spent
            at = int(np.searchsorted(self._near, cell))
            if not net.rule.road_needed and at < len(self._near) and self._near[at] == cell:
                starts[at * layers] = spent
        return search(self._layered, starts) if starts else None

    def _fewest(self, cell: int) -> Line | None:
        """Return the line from a hex with the fewest hexes in its way, None where the limit allows none."""
        found, layers = self._found, self._layers
        if found is None:
            return None
        first = int(np.searchsorted(self._near, cell)) * layers
        costs = found.costs[first : first + layers]
        if not bool((costs >= 0).any()):
            return None
        fewest = first + np.flatnonzero(costs == costs[costs >= 0].min())
        ways = {node: found.path(node) for node in fewest.tolist()}
        node = min(ways, key=lambda node: (len(ways[node]), node))
        line, limit = self._line(ways[node][::-1]), self.net.rule.off_road
        return line if limit is None or line.halves <= limit else None

    def _line(self, nodes: list[int]) -> Line:
        layers, first = self._layers, len(self._near) * self._layers
        hexes = [int(self._near[node // layers]) for node in nodes if node < first]
        roads = [int(self.net.road_hexes[node - first]) for node in nodes if node >= first]
        path = hexes + (roads[1:] if roads else [])
        halves = np.maximum(self.net.across.costs_along(hexes), 0).sum()
        return Line(tuple(path), len(hexes) - 1, int(halves))
