"""Searches in networks against Dijkstra's algorithm as in a textbook, and the making of networks."""

import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from studio.errors import GridError
from studio.grid import HexGrid, LabelScheme
from studio.model import MapModel
from studio.paths import FORBIDDEN, HexTable, Network, costs_between, search
from studio.rules import get_ruleset
from studio.survey import Survey
from tests.paths.slow import canonical_path, cheapest

SIZE = 7
NODES = st.integers(0, SIZE - 1)
COSTS = st.sampled_from([FORBIDDEN, 0, 0, 1, 2, 2, 5])
PRICES = st.sampled_from([FORBIDDEN, 1, 1, 2, 2, 3])
PAIRS = st.tuples(NODES, NODES).filter(lambda pair: pair[0] != pair[1])
LINKS = st.dictionaries(PAIRS, COSTS, max_size=25) | st.dictionaries(PAIRS, PRICES, max_size=25)


def network_of(links: dict[tuple[int, int], int]) -> Network:
    return Network.from_links(SIZE, [(a, b, cost) for (a, b), cost in links.items()])


@given(links=LINKS, starts=st.sets(NODES, min_size=1, max_size=3), limit=st.none() | st.integers(0, 8))
@example(links={(0, 1): 0, (1, 0): 0, (1, 2): 0, (2, 1): 0}, starts={1}, limit=None)  # free links round in a circle
def test_a_search_is_dijkstras_with_the_lowest_nodes(
    links: dict[tuple[int, int], int], starts: set[int], limit: int | None
) -> None:
    found = search(network_of(links), starts, limit)
    expected = cheapest(links, dict.fromkeys(starts, 0), limit)
    assert found.costs.tolist() == [expected[node][0] if node in expected else -1 for node in range(SIZE)]
    for node in range(SIZE):
        way = canonical_path(links, starts, node) if node in expected else []
        assert found.path(node) == way
        assert found.origins[node] == (way[0] if way else -1)


@given(links=LINKS, order=st.randoms(use_true_random=False), start=NODES)
def test_the_order_of_the_links_does_not_matter(links: dict[tuple[int, int], int], order: object, start: int) -> None:
    listed = [(a, b, cost) for (a, b), cost in links.items()]
    order.shuffle(listed)  # type: ignore[attr-defined]
    one, other = search(network_of(links), start), search(Network.from_links(SIZE, listed), start)
    assert one.predecessors.tolist() == other.predecessors.tolist()


@given(links=LINKS, starts=st.dictionaries(NODES, st.integers(0, 4), min_size=1, max_size=3))
def test_a_search_can_begin_with_points_that_are_spent(
    links: dict[tuple[int, int], int], starts: dict[int, int]
) -> None:
    found = search(network_of(links), starts)
    expected = cheapest(links, starts)
    assert found.costs.tolist() == [expected[node][0] if node in expected else -1 for node in range(SIZE)]
    for node in expected:
        way = found.path(node)
        spent = starts[way[0]] + sum(links[a, b] for a, b in itertools.pairwise(way))
        assert spent == expected[node][0]
        assert found.origins[node] == way[0]


@given(links=LINKS, starts=st.lists(NODES, max_size=4), ends=st.lists(NODES, max_size=4), limit=st.integers(0, 8))
def test_many_to_many_is_many_searches(
    links: dict[tuple[int, int], int], starts: list[int], ends: list[int], limit: int
) -> None:
    network = network_of(links)
    expected = [[int(search(network, start, limit).costs[end]) for end in ends] for start in starts]
    assert costs_between(network, starts, ends, limit).reshape(len(starts), len(ends)).tolist() == expected


@given(links=LINKS, start=NODES, end=NODES)
def test_the_reversed_network_finds_the_ways_towards_a_node(
    links: dict[tuple[int, int], int], start: int, end: int
) -> None:
    network = network_of(links)
    assert search(network, start).costs[end] == search(network.reversed, end).costs[start]
    assert network.reversed.reversed.links.tolist() == network.links.tolist()


@given(links=LINKS, into=st.sets(NODES), out_of=st.sets(NODES), start=NODES)
def test_closed_links_are_not_taken(
    links: dict[tuple[int, int], int], into: set[int], out_of: set[int], start: int
) -> None:
    between = set(list(links)[:1])
    kept = {
        pair: cost
        for pair, cost in links.items()
        if pair[1] not in into and pair[0] not in out_of and pair not in between
    }
    network = network_of(links)
    closed = search(network.closed(into, out_of, between), start)
    assert closed.costs.tolist() == search(network_of(kept), start).costs.tolist()
    assert network.links.tolist() == network_of(links).links.tolist()  # the network itself stays as it was


def test_of_parallel_links_the_cheapest_counts_and_a_forbidden_one_does_not_hide_it() -> None:
    network = Network.from_links(3, [(0, 1, 5), (0, 1, FORBIDDEN), (0, 1, 3), (1, 2, FORBIDDEN)])
    assert network.cost(0, 1) == 3
    assert network.cost(1, 2) is None
    assert network.with_links([(1, 2, 4), (0, 1, 1)]).links.tolist() == [[0, 1, 1], [1, 2, 4]]


def test_steps_are_counted_and_barriers_opened() -> None:
    network = Network.from_links(4, [(0, 1, 7), (1, 2, 9), (2, 3, FORBIDDEN)])
    assert search(network.priced(2), 0).costs.tolist() == [0, 2, 4, -1]
    assert search(network.opened(100), 0).costs.tolist() == [0, 7, 16, 116]


def test_tables_of_several_states_are_the_same_network_as_a_list() -> None:
    neighbours = np.array([[1, -1], [0, 2], [1, -1]])
    slow, fast = np.array([[2, -1], [2, 3], [2, -1]]), np.array([[1, -1], [-1, 1], [1, -1]])
    network = Network.from_tables(2, [(0, 0, neighbours, slow), (0, 1, neighbours, fast), (1, 1, neighbours, fast)], 4)
    listed = []
    for begin, end, costs in ((0, 0, slow), (0, 1, fast), (1, 1, fast)):
        for row, others in enumerate(neighbours.tolist()):
            for at, other in enumerate(others):
                if other >= 0:
                    listed.append((row * 2 + begin, other * 2 + end, int(costs[row, at])))
    assert network.size == 8
    assert sorted(network.links.tolist()) == Network.from_links(4, listed, states=2).links.tolist()


@given(seed=st.integers(0, 10**6), states=st.integers(1, 3), free=st.booleans())
def test_the_way_to_one_node_is_that_of_all_predecessors(seed: int, states: int, free: bool) -> None:
    rng = np.random.default_rng(seed)
    neighbours = HexGrid(columns=4, rows=3).neighbour_table
    tables = []
    for begin in range(states):
        for end in {begin, int(rng.integers(states))}:
            costs = rng.choice([FORBIDDEN, 0 if free else 1, 1, 2], size=neighbours.shape)
            tables.append((begin, end, neighbours, costs))
    network = Network.from_tables(states, tables, 14, mutual=True)
    listed = Network.from_links(14, network.links, states)
    starts = {int(start) for start in rng.integers(0, 12 * states, size=2)}
    one, other = search(network, starts), search(listed, starts)
    assert network.width and not listed.width
    assert one.costs.tolist() == other.costs.tolist()
    for node in range(network.size):
        assert one.path(node) == other.path(node)
    assert search(network, starts).predecessors.tolist() == other.predecessors.tolist()
    assert network.reversed.links.tolist() == listed.reversed.links.tolist()


def test_a_node_that_does_not_exist_is_named() -> None:
    with pytest.raises(GridError, match="nodes 0 to 5, allowed 0 to 3"):
        Network.from_links(4, [(0, 5, 1)])
    network = Network.from_links(4, [(0, 1, 1)])
    for starts in ([], [4], [-1]):
        with pytest.raises(GridError, match="allowed are nodes 0 to 3"):
            search(network, starts)


def test_ways_that_cannot_be_counted_exactly_are_refused() -> None:
    dear = 2**31 - 1
    size = 2**21
    chain = np.stack((np.arange(6), np.arange(1, 7), np.full(6, dear)), axis=1)
    chain = np.concatenate((chain, [[7, 8, 0]]))  # makes the search count steps, too
    network = Network.from_links(size, chain)
    with pytest.raises(GridError, match="too long to be counted exactly"):
        search(network, 0)
    assert search(network, 0, limit=dear).costs[:3].tolist() == [0, dear, -1]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_table_of_hexes_knows_neighbours_roads_and_sides(orientation: str) -> None:
    grid = HexGrid(columns=4, rows=4, orientation=orientation, short=True)
    model = MapModel("armageddon_war", grid, LabelScheme.ccrr(), get_ruleset("armageddon_war").terrain_characters)
    a = 5
    for b in grid.neighbours(a):
        model.sides[min(a, b), max(a, b)] = ("fence",)
    table = HexTable(Survey(model))
    for cell in np.flatnonzero(grid.present).tolist():
        assert [other for other in table.neighbours[cell].tolist() if other >= 0] == grid.neighbours(cell)
    marked = {divmod(position, 6) for position in table.sides["fence",].tolist()}
    expected = {(a, grid.direction(a, b)) for b in grid.neighbours(a)}
    expected |= {(b, grid.direction(b, a)) for b in grid.neighbours(a)}
    assert marked == expected
    assert not len(table.roads)
