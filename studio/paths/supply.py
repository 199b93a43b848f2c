"""Supply lines: from a unit across country to a road, and along the road to a source; of a whole side at once.

A line has two parts. The first runs from hex to hex off road, counts movement points and has a limit; the second runs
along one road net, never to leave it again, over any length or up to a number of hexes. The search goes the other way
round, from all sources at once, in a network of two storeys: the hexes, and above them the road hexes. Each storey can
be walked on its own; down from the road to its hex leads a link without a cost, up leads none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.paths.network import FORBIDDEN, Network
from studio.paths.search import Search, search

__all__ = ["Line", "SupplyGround", "SupplyLines", "SupplyNet", "SupplyRule"]


class SupplyRule(msgspec.Struct, frozen=True, kw_only=True):
    """How far a supply line may run.

    Parameters
    ----------
    off_road : int or None
        Most half points off road, the hex of the unit not counted, the first road hex counted; None for no limit.
    road_needed : bool
        A line has to end by road; without, a source within the limit off road will do.
    road_hexes : int
        Most hexes along the road; 0 for no limit.
    """

    off_road: int | None = 12
    road_needed: bool = False
    road_hexes: int = 0


class Line(msgspec.Struct, frozen=True):
    """A supply line.

    Attributes
    ----------
    path : tuple of int
        Hexes from the unit to the source, both included.
    off_road : int
        How many of its steps are off road; they come first.
    halves : int
        Half points of these steps.
    """

    path: tuple[int, ...]
    off_road: int
    halves: int

    @property
    def source(self) -> int:
        """Hex where the line ends."""
        return self.path[-1]

    @property
    def joint(self) -> int:
        """Hex where the part off road ends: the first road hex, or the source."""
        return self.path[self.off_road]


class SupplyGround(msgspec.Struct, frozen=True):
    """What holds for the supply of one side at the moment.

    Attributes
    ----------
    closed : dict of int to str
        Hexes that no line may run into, each with its cause in words, such as ``"an enemy unit"``. A line may start
        in one.
    sources : dict of int to str
        Hexes that can be sources of the side, each with why it is none now, in words; empty where it works.
    """

    closed: Mapping[int, str]
    sources: Mapping[int, str]

    @property
    def working(self) -> list[int]:
        """Sources that work, in order."""
        return sorted(cell for cell, why in self.sources.items() if not why and cell not in self.closed)


class _Storeys(Network):
    """Hexes, and above them the road hexes. Of ways that cost the same that over the fewest hexes is the best.

    Every step from hex to hex counts twice, the way down from the road to its hex once: it is no step, and decides
    between as many hexes with a road and without.
    """

    def __init__(
        self, indptr: NDArray[np.int32], ends: NDArray[np.int32], costs: NDArray[np.int32], hexes: int
    ) -> None:
        super().__init__(indptr, ends, costs)
        self.hexes = hexes

    @cached_property
    def scale(self) -> int:
        """What is left over counts steps; no way has more of them than there are nodes."""
        return 2 << self.size.bit_length()

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Costs as the search takes them, infinite where a link is forbidden; shape (links,)."""
        weights = self.costs.astype(np.float64)
        weights *= self.scale
        weights += 2
        first = int(self.indptr[self.hexes])
        weights[first:] -= self.ends[first:] < self.hexes
        weights[self.costs < 0] = np.inf
        return weights


class SupplyNet:
    """Where supply lines can run on a map: what does not change with the units and who controls what.

    Parameters
    ----------
    across : Network
        Off road: links from hex to hex in the direction of a line, with their half points.
    roads : iterable of (int, int)
        Pairs of hexes that a road joins.
    rule : SupplyRule

    Attributes
    ----------
    hexes : int
        Number of the hexes.
    road_hexes : array of int64
        Hexes with a road, in order; the node of the i-th is ``hexes + i``.
    network : Network
        Both storeys, against the direction of the lines.
    """

    def __init__(self, across: Network, roads: Iterable[tuple[int, int]], rule: SupplyRule) -> None:
        self.across, self.rule, self.hexes = across, rule, across.size
        pairs = np.array(sorted({(min(a, b), max(a, b)) for a, b in roads}), dtype=np.int64).reshape(-1, 2)
        self.road_hexes: NDArray[np.int64] = np.unique(pairs)
        number = np.searchsorted(self.road_hexes, pairs)
        both = np.concatenate((number, number[:, ::-1]))
        self._road_links = both[np.lexsort((both[:, 1], both[:, 0]))]
        self.network = self._both_storeys()

    def _both_storeys(self) -> Network:
        count, links = len(self.road_hexes), self._road_links
        back = self.across.reversed
        # Road nodes: first the way down to the own hex, then the roads to others.
        begins = np.concatenate((np.arange(count), links[:, 0]))
        ends = np.concatenate((self.road_hexes, links[:, 1] + self.hexes))
        order = np.argsort(begins, kind="stable")
        per_road = np.bincount(begins, minlength=count) if count else np.empty(0, dtype=np.int64)
        indptr = np.concatenate((back.indptr, back.indptr[-1] + np.cumsum(per_road))).astype(np.int32)
        return _Storeys(
            indptr,
            np.concatenate((back.ends, ends[order])).astype(np.int32),
            np.concatenate((back.costs, np.zeros(len(ends), dtype=np.int32))).astype(np.int32, copy=False),
            self.hexes,
        )

    @cached_property
    def _down(self) -> NDArray[np.bool_]:
        """Links from a road to the hex that it lies in."""
        return (self.network.begins >= self.hexes) & (self.network.ends < self.hexes)

    @cached_property
    def roads(self) -> Network:
        """The road hexes alone, one point a hex."""
        links = self._road_links
        return Network.from_links(len(self.road_hexes), np.column_stack((links, np.ones(len(links), dtype=np.int64))))

    def road_node(self, cell: int) -> int | None:
        """Return the node of a hex on the road, None where it has none."""
        at = int(np.searchsorted(self.road_hexes, cell))
        return self.hexes + at if at < len(self.road_hexes) and self.road_hexes[at] == cell else None

    def cell(self, node: int) -> int:
        """Return the hex of a node."""
        return int(self.road_hexes[node - self.hexes]) if node >= self.hexes else node

    def shut(self, closed: Iterable[int]) -> NDArray[np.bool_]:
        """Return which nodes lie in closed hexes; bool, shape (nodes,)."""
        shut = np.zeros(self.network.size, dtype=bool)
        shut[list(closed)] = True
        shut[self.hexes :] = shut[self.road_hexes]
        return shut

    def starts(self, cells: Iterable[int]) -> list[int]:
        """Return the nodes where lines end that reach some sources."""
        found = []
        for cell in cells:
            road = self.road_node(cell)
            found += [] if road is None else [road]
            found += [] if self.rule.road_needed else [cell]
        return found

    def open_to(self, closed: Iterable[int], sources: Sequence[int]) -> Network:
        """Return the network without the links that a line may not take."""
        network, shut = self.network, self.shut(closed)
        far = np.zeros_like(shut)
        if self.rule.road_hexes:
            far[self.hexes :] = ~self._in_road_range(shut, sources)
        if not shut.any() and not far.any():
            return network
        # Backwards, a line goes into a hex where a link comes out of it; only down from the road it is the same hex,
        # so that a line may start on the road of a closed one.
        costs = network.costs.copy()
        costs[(shut[network.begins] & ~self._down) | far[network.begins]] = FORBIDDEN
        opened = _Storeys(network.indptr, network.ends, costs, self.hexes)
        opened.begins = network.begins
        return opened

    def _in_road_range(self, shut: NDArray[np.bool_], sources: Sequence[int]) -> NDArray[np.bool_]:
        nodes = [road - self.hexes for cell in sources if (road := self.road_node(cell)) is not None]
        if not nodes:
            return np.zeros(len(self.road_hexes), dtype=bool)
        open_ = self.roads.closed(out_of=np.flatnonzero(shut[self.hexes :]))
        return search(open_, nodes, self.rule.road_hexes).costs >= 0


class SupplyLines:
    """The lines of one side as it stands now, from everywhere.

    Parameters
    ----------
    net : SupplyNet
    ground : SupplyGround

    Attributes
    ----------
    sources : list of int
        Those that work.
    search : Search or None
        From the sources; None where none works.
    """

    def __init__(self, net: SupplyNet, ground: SupplyGround) -> None:
        self.net, self.ground, self.limit = net, ground, net.rule.off_road
        self.sources = ground.working
        # A line may start in a closed hex: a unit in a source has none to run.
        self._at_source = {cell for cell, why in ground.sources.items() if not why}
        self._starts = net.starts(self.sources)
        self._network = net.open_to(ground.closed, self.sources) if self._starts else None
        self.search = self._searched()

    def _searched(self) -> Search | None:
        return None if self._network is None else search(self._network, self._starts, self.limit)

    def within(self, limit: int | None) -> SupplyLines:
        """Return the lines with another limit of half points off road, None for none."""
        other = copy(self)
        other.limit = limit
        other.search = other._searched()
        return other

    def cost(self, cell: int) -> int:
        """Return the half points off road of the line from a hex, -1 where there is none."""
        if cell in self._at_source:
            return 0
        return -1 if self.search is None else int(self.search.costs[cell])

    def line(self, cell: int) -> Line | None:
        """Return the line from a hex: the cheapest off road, of those the one over the fewest hexes.

        Of those that are as good it is always the same, whatever order units and roads were entered in.
        """
        if cell in self._at_source:
            return Line((cell,), 0, 0)
        if self.search is None or self.search.costs[cell] < 0:
            return None
        nodes = np.array(self.search.path(cell)[::-1], dtype=np.int64)
        on_road = nodes >= self.net.hexes
        cells = nodes.copy()
        cells[on_road] = self.net.road_hexes[nodes[on_road] - self.net.hexes]
        moved = np.append(True, cells[1:] != cells[:-1])  # not from a hex to the road in it
        return Line(tuple(cells[moved].tolist()), int((~on_road).sum()) - 1, int(self.search.costs[cell]))
