"""Supply of a whole side on 100 000 and 1 000 000 hexes, with and without roads, against other tools on the same graph.

Run by ``python -m tests.benchmarks.bench_supply [COLUMNS …]``, of square maps. Every rival must find the same costs, or
the run ends. Times are those of the processor. networkx and igraph take part where they are installed (``make bench``
installs them), on the smaller map.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from studio.grid import HexGrid
from studio.paths import Network
from studio.paths.interdiction import Closing, cut_off
from studio.paths.shortfall import Shortfalls
from studio.paths.supply import SupplyGround, SupplyLines, SupplyNet, SupplyRule
from tests.benchmarks import measure as timing
from tests.benchmarks.measure import row

median = partial(timing.median, clock=time.process_time)

UNITS = 300
LIMIT = 12  # half points


class Case:
    """A large random map with its roads, enemies, sources and units."""

    def __init__(self, size: int, *, roads: bool) -> None:
        self.size = size
        rng = np.random.default_rng(7)
        self.grid = HexGrid(columns=size, rows=size)
        self.neighbours = self.grid.neighbour_table
        enter = rng.choice([2, 4, 6], size=size * size)
        self.costs = np.where(self.neighbours >= 0, enter[self.neighbours], -1)
        self.pairs = list(self._roads()) if roads else []
        self.net = self.build()
        self.closed = {
            int(cell): "an enemy unit" for cell in rng.choice(size * size, size * size // 300, replace=False)
        }
        pool = self.net.road_hexes if roads else np.arange(size * size)
        picked = rng.choice(pool, 24, replace=False).tolist()
        self.sources = {int(cell): "" for cell in picked if int(cell) not in self.closed}
        self.ground = SupplyGround(self.closed, self.sources)
        near = SupplyLines(self.net, self.ground).within(2 * LIMIT)
        fed = np.flatnonzero(near.search.costs[: size * size] >= 0) if near.search is not None else pool
        self.units = rng.choice(fed, min(UNITS, len(fed)), replace=False).tolist()

    def _roads(self) -> Iterable[tuple[int, int]]:
        size = self.size
        for column in range(0, size, 12):
            yield from ((at * size + column, (at + 1) * size + column) for at in range(size - 1))
        for line in range(6, size, 30):
            cells = [line * size + column for column in range(size)]
            yield from (pair for pair in itertools.pairwise(cells) if self.grid.direction(*pair) is not None)

    def build(self) -> SupplyNet:
        """Return the network, made anew, with what is made once for all questions."""
        net = SupplyNet(Network.from_table(self.neighbours, self.costs), self.pairs, SupplyRule(off_road=LIMIT))
        net.open_to([0], [])
        return net

    def lines(self) -> list[Any]:
        """Return the line of each unit."""
        lines = SupplyLines(self.net, self.ground)
        return [lines.line(unit) for unit in self.units]


def scipy_costs(case: Case) -> np.ndarray[Any, Any]:
    """Return the cost from each hex by plain scipy: road flood, then one search back from the road."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order, dijkstra

    cells = case.size**2
    open_ = np.ones(cells, dtype=bool)
    open_[list(case.closed)] = False
    live = set(case.sources)
    if case.pairs:
        a, b = np.array(case.pairs).T
        kept = open_[a] & open_[b]
        road = coo_array((np.ones(kept.sum()), (a[kept], b[kept])), shape=(cells, cells)).tocsr()
        for source in case.sources:
            live.update(breadth_first_order(road, source, directed=False, return_predecessors=False).tolist())
    begin = np.repeat(np.arange(cells), 6)
    end, cost = case.neighbours.ravel(), case.costs.ravel()
    kept = (end >= 0) & (cost >= 0)
    kept[kept] = open_[end[kept]]
    back = coo_array((cost[kept].astype(float), (end[kept], begin[kept])), shape=(cells, cells)).tocsr()
    return dijkstra(back, indices=sorted(live), min_only=True, limit=LIMIT)  # type: ignore[no-any-return]


def networkx_costs(case: Case) -> dict[int, float]:
    """Return the cost from each hex by networkx, its graph built before."""
    import networkx as nx  # type: ignore[import-untyped]

    road = nx.Graph((a, b) for a, b in case.pairs if a not in case.closed and b not in case.closed)
    live = set(case.sources)
    for source in case.sources:
        live |= nx.node_connected_component(road, source) if source in road else set()
    graph = nx.DiGraph()
    for cell in range(case.size**2):
        for other, cost in zip(case.neighbours[cell].tolist(), case.costs[cell].tolist(), strict=True):
            if other >= 0 and other not in case.closed:
                graph.add_edge(other, cell, weight=cost)
    found: dict[int, float] = nx.multi_source_dijkstra_path_length(graph, live, cutoff=LIMIT)
    return found


def igraph_costs(case: Case) -> np.ndarray[Any, Any]:
    """Return the cost from each hex by igraph, which knows one start and no limit: a start before all live hexes."""
    import igraph  # type: ignore[import-not-found]

    cells = case.size**2
    open_ = np.ones(cells, dtype=bool)
    open_[list(case.closed)] = False
    live = set(case.sources)
    if case.pairs:
        a, b = np.array(case.pairs).T
        kept = open_[a] & open_[b]
        road = igraph.Graph(n=cells, edges=np.column_stack((a[kept], b[kept])))
        part = np.array(road.connected_components().membership)
        live |= set(np.flatnonzero(np.isin(part, part[sorted(live)])).tolist())
    begin = np.repeat(np.arange(cells), 6)
    end, cost = case.neighbours.ravel(), case.costs.ravel()
    kept = (end >= 0) & (cost >= 0)
    kept[kept] = open_[end[kept]]
    first = np.array([(cells, cell) for cell in sorted(live)])
    edges = np.concatenate((np.column_stack((end[kept], begin[kept])), first))
    weights = np.concatenate((cost[kept].astype(float), np.zeros(len(first))))
    graph = igraph.Graph(n=cells + 1, edges=edges, directed=True)
    found = np.array(graph.distances(source=cells, weights=weights, algorithm="dijkstra")[0][:cells])
    return np.where(found <= LIMIT, found, np.inf)


def _agree(case: Case, costs: Any) -> None:
    lines = SupplyLines(case.net, case.ground)
    assert lines.search is not None
    ours = lines.search.costs[: case.size**2]
    theirs = np.where(np.isfinite(costs), costs, -1)
    open_ = np.setdiff1d(np.arange(case.size**2), list(case.closed))
    assert np.array_equal(ours[open_], theirs[open_]), "the two disagree"


def measure(size: int, *, roads: bool) -> None:
    """Print the figures of one size."""
    case = Case(size, roads=roads)
    count, kind = f"{size * size:,} hexes", "" if roads else ", no roads"
    print(f"-- {count}{kind}: {len(case.pairs):,} road steps, {len(case.closed):,} enemies, {len(case.units)} units")
    times = 5 if size < 500 else 3
    build = median(case.build, times=times)
    ours = median(case.lines, times=times)
    row("build the network", build, "ms")
    row("supply of all units, with their lines", ours, "ms", "100 ms" if size < 500 else "1 500 ms")
    out = [unit for unit, line in zip(case.units, case.lines(), strict=True) if line is None]

    def misses() -> None:
        short = Shortfalls(SupplyLines(case.net, case.ground), out)
        for unit in out:
            short.of(unit)

    row(f"the same and the nearest misses of {len(out)} units", median(misses, times=times), "ms")
    lines = SupplyLines(case.net, case.ground)
    cut = median(lambda: cut_off(lines, case.units, Closing(lambda cell: [cell], True)), times=3)
    row("interdiction of every hex", cut, "ms")
    _agree(case, scipy_costs(case))
    plain = median(lambda: scipy_costs(case), times=3)
    row("plain scipy, graph and search, costs only", plain, "ms")
    row("  times ours", plain / ours, "x")
    if roads:  # at a million hexes networkx takes half a minute and some gigabytes
        rivals(case, ours + build)


def rivals(case: Case, ours: float) -> None:
    """Print the figures of the other libraries that are installed, beside ours with the network built anew."""

    def by_networkx() -> np.ndarray[Any, Any]:
        costs = networkx_costs(case)
        return np.array([costs.get(cell, np.inf) for cell in range(case.size**2)])

    for name, ask, bar in (("networkx", by_networkx, ">= 10 x"), ("igraph", partial(igraph_costs, case), "")):
        try:
            _agree(case, ask())
        except ImportError:
            print(f"{name} is not installed: no figures of it")
            continue
        slow = median(ask, times=1, warm=0)
        row(f"{name}, graph and search, costs only", slow, "ms")
        row("  times ours with the network built anew", slow / ours, "x", bar)


def main(sizes: list[str]) -> None:
    """Print all figures."""
    for size in [int(one) for one in sizes] or [316, 1000]:
        measure(size, roads=True)
    measure(1000 if not sizes else int(sizes[-1]), roads=False)


if __name__ == "__main__":
    main(sys.argv[1:])
