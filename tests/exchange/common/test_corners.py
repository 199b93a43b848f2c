"""The graph of corners against plain counting, its cheapest ways against a search that takes one corner at a time."""

import heapq
import itertools

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from studio.exchange.common.apart import distances, farthest, segments
from studio.exchange.common.corners import UNIT, CornerGraph, cheapest, corner_graph, follow, radii
from studio.exchange.common.lines import side_path
from studio.grid import HexGrid
from tests.exchange.contents import grids


def plain_way(arcs, starts, stops):
    """Return the nodes of the cheapest way: one node after another, then back over the lowest numbers."""
    out = {}
    for tail, head, cost in arcs:
        out.setdefault(tail, []).append((head, cost))
    far, queue = {}, [(cost, node) for node, cost in starts.items()]
    heapq.heapify(queue)
    while queue:
        cost, node = heapq.heappop(queue)
        if node in far:
            continue
        far[node] = cost
        for head, more in out.get(node, ()):
            heapq.heappush(queue, (cost + more, head))
    ends = [(far[node] + cost, node) for node, cost in stops.items() if node in far]
    if not ends:
        return None
    way = [min(ends)[1]]
    while True:
        here = way[-1]
        before = [tail for tail, head, cost in arcs if head == here and tail in far and far[tail] + cost == far[here]]
        if not before:
            return way[::-1]
        way.append(min(before))


@st.composite
def nets(draw):
    count = draw(st.integers(2, 9))
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1)).filter(lambda pair: pair[0] != pair[1])
    arcs = draw(st.dictionaries(pairs, st.integers(1, 3), max_size=24))
    ends = st.dictionaries(st.integers(0, count - 1), st.integers(5, 8), min_size=1, max_size=3)
    return [(a, b, cost) for (a, b), cost in sorted(arcs.items())], draw(ends), draw(ends)


@given(nets())
def test_the_cheapest_way_is_that_of_a_plain_search(net):
    arcs, starts, stops = net
    columns = np.array(arcs, dtype=np.int64).reshape(-1, 3).T
    way, plain = cheapest(*columns, starts, stops), plain_way(arcs, starts, stops)
    assert (way and way.nodes) == plain
    if way is not None:
        assert [(columns[0][arc], columns[1][arc]) for arc in way.arcs] == list(itertools.pairwise(way.nodes))


def test_of_ways_that_cost_the_same_it_is_the_one_over_low_numbers():
    arcs = np.array([(0, 3, 1), (0, 2, 1), (0, 1, 1), (3, 4, 1), (2, 4, 1), (1, 4, 1)]).T
    assert cheapest(*arcs, {0: 0}, {4: 0}).nodes == [0, 1, 4]
    assert cheapest(*arcs, {0: 0}, {3: 5, 2: 5}).nodes == [0, 2]
    assert cheapest(*arcs, {4: 0}, {0: 0}) is None and cheapest(*arcs, {}, {0: 0}) is None


@given(grids())
def test_every_side_of_every_hex_is_there_once(grid):
    graph = CornerGraph(grid)
    cells = [cell for cell in range(grid.cells) if grid.has(cell)]
    wanted = {}
    for cell in cells:
        corners = grid.corners(cell)
        for direction in range(6):
            ends = frozenset((corners[direction], corners[(direction + 1) % 6]))
            other = grid.neighbour(cell, direction)
            wanted[ends] = (cell, -1) if other is None else (min(cell, other), max(cell, other))
    points = [tuple(point) for point in graph.points.tolist()]
    assert points == sorted({corner for ends in wanted for corner in ends})
    got = {frozenset(points[n] for n in graph.ends[side]): graph.key(side) for side in range(len(graph.sides))}
    assert got == wanted and len(graph.sides) == len(wanted)
    for side, (first, last) in enumerate(graph.ends.tolist()):
        along, to = (graph.spots[last] - graph.spots[first]), grid.centres[graph.sides[side, 0]] * graph.scale
        to = to - graph.spots[first]
        assert along[0] * to[1] - along[1] * to[0] > 0  # y points down: the right hand
        assert side in graph.at_corner[first] and side in graph.at_corner[last]
        assert np.hypot(*along) == pytest.approx(1)
    edge = {n for side in range(len(graph.sides)) if graph.sides[side, 1] < 0 for n in graph.ends[side].tolist()}
    assert np.flatnonzero(graph.on_edge).tolist() == sorted(edge)
    for cell in cells:
        around = {n for side in graph.of_cell[cell] for n in graph.ends[side].tolist()}
        assert len(around) == 6 and all(cell in graph.cells_at(n) for n in around)


@st.composite
def lines(draw, grid, most=6):
    """A line over a map and a little beyond, mostly through points of the lattice where many ways cost the same."""
    x0, y0, x1, y1 = grid.frame
    spot = st.tuples(st.integers(x0 // 240 - 1, x1 // 240 + 1), st.integers(y0 // 240 - 1, y1 // 240 + 1))
    points = draw(st.lists(spot, min_size=2, max_size=most).filter(lambda points: len(set(points)) > 1))
    return [(240 * x, 240 * y) for x, y in points]


@given(st.data())
def test_sides_near_a_line_and_the_way_along_it_are_those_of_plain_counting(data):
    grid = data.draw(grids())
    graph = corner_graph(grid)
    line = shapely.LineString(np.array(data.draw(lines(grid))) * graph.scale)
    reach = data.draw(st.sampled_from([1.0, 3.0]))
    middles = graph.spots[graph.ends].mean(axis=1)
    far = shapely.distance(shapely.points(middles), line)
    near = graph.near(line, reach)
    sure = np.flatnonzero(far < reach - 1e-9)
    assert set(sure) <= set(near.sides.tolist()) and (far[near.sides] <= reach + 1e-9).all()
    assert near.distances == pytest.approx(far[near.sides]) and (np.diff(near.sides) > 0).all()
    path = follow(graph, line)
    near = graph.near(line)
    if not len(near.sides):
        assert path == []
        return
    costs = np.rint((0.15 + near.distances**2) * UNIT).astype(int).tolist()
    arcs = []
    for side, cost in zip(near.sides.tolist(), costs, strict=True):
        a, b = graph.ends[side].tolist()
        arcs += [(a, b, cost), (b, a, cost)]
    corners = sorted({arc[0] for arc in arcs})
    start, stop = (
        min(corners, key=lambda n: (np.hypot(*(graph.spots[n] - spot)), n)) for spot in np.array(line.coords)[[0, -1]]
    )
    plain = plain_way(arcs, {start: 0}, {stop: 0})
    assert path == (plain or [])
    sides = graph.sides_along(path)
    for (a, b), side, (left, right) in zip(itertools.pairwise(path), sides, graph.hands(path).tolist(), strict=True):
        assert {a, b} == set(graph.ends[side].tolist())
        assert sorted((left, right)) == sorted(graph.sides[side].tolist())
        assert right == graph.sides[side, 0 if graph.ends[side, 0] == a else 1]


@given(st.data())
def test_how_far_lines_are_apart(data):
    grid = HexGrid(columns=5, rows=5)
    one, other = (shapely.LineString(np.array(data.draw(lines(grid))) / 240) for _ in range(2))
    spots = shapely.points(np.linspace(0, 1, 5)[:, None] * [3, 4])
    assert distances(shapely.get_coordinates(spots), segments(one)) == pytest.approx(shapely.distance(spots, one))
    apart = farthest(segments(one), segments(other))
    assert apart.distance == pytest.approx(other.distance(shapely.Point(apart.point)))
    wanted = max(other.distance(one.interpolate(part, normalized=True)) for part in np.linspace(0, 1, 400))
    assert wanted - 0.13 <= apart.distance <= wanted + 0.13  # half a sample at most lies between


def test_radii_are_true_lengths_also_of_wide_hexes():
    plain, wide = HexGrid(columns=8, rows=7), HexGrid(columns=8, rows=7, hex_width=2, hex_height=1)
    assert radii(plain) == pytest.approx(np.array([1 / 480, 3**0.5 / 480]))
    assert radii(wide) == pytest.approx(np.array([3**0.5 / 480, 3**0.5 / 480]))


def test_a_line_that_comes_back_is_followed_all_the_way():
    grid = HexGrid(columns=9, rows=9)
    middle = 4 * 9 + 4
    ring = shapely.MultiPoint([grid.centre(cell) for cell in grid.ring(middle, 2)]).convex_hull.exterior
    sides = side_path(grid, list(ring.coords))
    inside = [cell for cell in range(81) if shapely.Polygon(ring).contains(shapely.Point(grid.centre(cell)))]
    reached, queue = {middle}, [middle]
    while queue:
        cell = queue.pop()
        for other in grid.neighbours(cell):
            if other not in reached and (min(cell, other), max(cell, other)) not in sides:
                reached.add(other)
                queue.append(other)
    assert set(inside) <= reached and len(reached) < 25  # it is closed
    # A hairpin as wide as two hexes, whose ends are side by side.
    hairpin = [(720, 500), (5800, 500), (5800, 1500), (720, 1500)]
    columns = {cell % 9 for side in side_path(grid, hairpin) for cell in side}
    assert columns >= set(range(1, 8))


def test_a_line_off_the_map_has_no_sides_and_one_along_its_edge_parts_nothing():
    grid = HexGrid(columns=6, rows=6)
    assert side_path(grid, [(-9000, -9000), (-8000, -9000)]) == []
    x0, y0, x1, _ = grid.frame
    assert side_path(grid, [(x0, y0 - 400), (x1, y0 - 400)]) == []


def test_graphs_are_kept():
    assert corner_graph(HexGrid(columns=4, rows=4)) is corner_graph(HexGrid(columns=4, rows=4))
