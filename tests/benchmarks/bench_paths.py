"""Movement: networks built, ways found, supply-like searches, beside plain csgraph, networkx and igraph on one graph.

Times are those of the processor. networkx and igraph take part where they are installed, on the smaller map: on the
larger one they take a quarter of a minute to build their graph.
"""

import time
from collections import Counter
from typing import Any

import numpy as np

from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel
from studio.paths import MoveJudge, Network, costs_between, make_reach, make_route, search
from studio.rules import get_ruleset
from studio.survey import Survey
from tests.benchmarks.measure import median, row

RULES = get_ruleset("armageddon_war")
SHARES = {
    "clear": 0.6,
    "dunes": 0.1,
    "light_woods": 0.1,
    "dense_urban": 0.1,
    "rough": 0.05,
    "wadi": 0.02,
    "river": 0.03,
}


def country(columns: int, rows: int, seed: int = 1) -> Survey:
    """Return a map with terrain, levels, fences on one hex in fifty and roads through one in ten."""
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=columns, rows=rows)
    model = MapModel("armageddon_war", grid, LabelScheme.ccrr(pad=4), RULES.terrain_characters)
    ids = [model.terrain_ids.index(name) for name in SHARES]
    model.terrain[:] = rng.choice(ids, size=model.terrain.shape, p=list(SHARES.values()))
    model.levels[:] = rng.choice([0, 0, 0, 1, 2], size=model.levels.shape)
    table = grid.neighbour_table
    for a in rng.choice(grid.cells, grid.cells // 50, replace=False).tolist():
        b = int(table[a, 2])
        if b >= 0:
            model.sides[min(a, b), max(a, b)] = ("fence",)
    survey = Survey(model, RULES.survey_scheme)
    for a in rng.choice(grid.cells, grid.cells // 10, replace=False).tolist():
        b = int(table[a, 1])
        if b >= 0:
            survey.roads[min(a, b), max(a, b)] = Counter(["paved"])
            survey.road_hexes.update((a, b))
    return survey


def judged(survey: Survey) -> MoveJudge:
    """Return a new judge, whose network is not built yet."""
    judge: MoveJudge = RULES.paths.judge(survey, "tracked")
    return judge


def plain(network: Network) -> Any:
    """Return the links that are allowed as anyone would hand them to scipy: costs as floats, nothing else."""
    from scipy.sparse import csr_array

    links = network.links
    links = links[links[:, 2] >= 0]
    matrix = csr_array((links[:, 2].astype(float), (links[:, 0], links[:, 1])), shape=(network.size, network.size))
    matrix.sort_indices()
    return matrix


def against(what: str, ours: Any, theirs: Any, bar: str = "") -> None:
    """Print the time of two calls and their ratio, taken in turns."""
    pairs = []
    for _ in range(7):
        spent = []
        for call in (ours, theirs):
            start = time.process_time()
            call()
            spent.append((time.process_time() - start) * 1000)
        pairs.append(spent)
    mine, other = np.median(np.array(pairs), axis=0)
    row(what, mine, "ms", bar)
    row("  plain csgraph.dijkstra", other, "ms")
    row("  times as fast", other / mine, "x", "not below 1")


def searches(survey: Survey, judge: MoveJudge) -> None:
    """Measure searches beside the same searches of csgraph on the same links."""
    from scipy.sparse.csgraph import dijkstra

    network, matrix = judge.network, plain(judge.network)
    cells = survey.grid.cells
    start = cells // 2 + survey.grid.columns // 2
    _ = network.graph, network.begins
    against(
        "one to all, with the way to one",
        lambda: search(network, start).path(start + 5),
        lambda: dijkstra(matrix, indices=[start], min_only=True, return_predecessors=True),
    )
    against(
        "one to all within 12 MP",
        lambda: search(network, start, 24).path(start + 1),
        lambda: dijkstra(matrix, indices=[start], min_only=True, limit=24, return_predecessors=True),
    )
    rng = np.random.default_rng(3)
    sources, units = (np.sort(rng.choice(cells, count, replace=False)) for count in (20, 500))
    towards = network.reversed
    _ = towards.graph, towards.begins
    row("the network the other way round", median(lambda: renewed(network).reversed, clock=time.process_time), "ms")
    backwards = plain(towards)

    def supply() -> list[list[int]]:
        found = search(towards, sources)
        return [found.path(int(unit)) for unit in units]

    def by_hand() -> list[list[int]]:
        _, before, _ = dijkstra(backwards, indices=sources, min_only=True, return_predecessors=True)
        ways = []
        for unit in units.tolist():
            ways.append([unit])
            while (unit := int(before[unit])) >= 0:
                ways[-1].append(unit)
        return ways

    against(
        "500 units to the nearest of 20 sources, with their ways",
        supply,
        by_hand,
        "under 100 ms at 100 000 hexes",
    )
    few = units[: 20 if cells <= 100_000 else 2]
    against(
        f"{len(few)} by 20 costs",
        lambda: costs_between(network, few, sources),
        lambda: dijkstra(matrix, indices=few)[:, sources],
    )


def rivals(judge: MoveJudge, start: int) -> None:
    """Measure one search from one hex to all by other libraries, and what it takes to build their graph."""
    network = judge.network
    links = network.links
    links = links[links[:, 2] >= 0]
    mine = median(lambda: search(network, start), clock=time.process_time)
    try:
        import networkx
    except ImportError:
        print("networkx is not installed")
    else:
        begin = time.process_time()
        graph = networkx.DiGraph()
        graph.add_weighted_edges_from(map(tuple, links.tolist()))
        built = time.process_time()
        networkx.single_source_dijkstra(graph, start)
        spent = (time.process_time() - built) * 1000
        row("networkx: one to all", spent, "ms")
        row("  to build", (built - begin) * 1000, "ms")
        row("  times as fast", spent / mine, "x", "10 and more")
    try:
        import igraph
    except ImportError:
        print("igraph is not installed")
    else:
        begin = time.process_time()
        other = igraph.Graph(n=network.size, edges=links[:, :2], directed=True)
        built = time.process_time()
        other.distances(source=start, weights=links[:, 2].astype(float), algorithm="dijkstra")
        spent = (time.process_time() - built) * 1000
        row("igraph: one to all", spent, "ms")
        row("  to build", (built - begin) * 1000, "ms")
        row("  times as fast", spent / mine, "x")


def measure(columns: int, rows: int) -> None:
    """Print the figures of one size of map."""
    print(f"\n{columns * rows:,} hexes")
    survey = country(columns, rows)
    _ = survey.grid.neighbour_table, survey.directory.playable
    bar = "15 to 30 ms" if columns == 400 else "200 to 300 ms"
    row("network of Armageddon War", median(lambda: judged(survey).network, clock=time.process_time), "ms", bar)
    judge = judged(survey)
    start = columns * rows // 2 + columns // 2
    row("  weights and matrix", median(lambda: renewed(judge.network).graph, clock=time.process_time), "ms")
    searches(survey, judge)
    end = start + columns // 4
    row("an explained route", median(lambda: make_route(judge, start, end), clock=time.process_time), "ms")
    row("reach for 12 MP", median(lambda: make_reach(judge, start, 12), clock=time.process_time), "ms")
    if columns * rows <= 100_000:
        rivals(judge, start)


def renewed(network: Network) -> Network:
    """Return a network whose matrix is not made yet."""
    return Network(network.indptr, network.ends, network.costs, network.states)


def main() -> None:
    """Print all figures."""
    for columns, rows in ((400, 250), (1000, 1000)):
        measure(columns, rows)


if __name__ == "__main__":
    main()
