"""Rivers on hexsides against the slow truth of `river_truth.py`: parts, loops, banks, distances, water."""

import itertools

import numpy as np
import pytest
import shapely

from studio.exchange.common.corners import corner_graph, radii
from studio.exchange.geography.rivers.banks import Banks, Pair, hand_of, held_by
from studio.exchange.geography.rivers.snapped import River, snap_rivers
from studio.grid import HexGrid
from tests.exchange.geography.river_truth import Truth
from tests.exchange.geography.river_worlds import World, hard_worlds, one_a_hex, size, tree

WORLDS = hard_worlds()


def told(world):
    made = snap_rivers(world.grid, world.rivers, world.towns, world.water)
    return made, Truth(world.grid, world.lines, world.towns, made, world.water)


@pytest.mark.parametrize("name", WORLDS)
def test_a_hard_world(name):
    world, loops, parts = WORLDS[name]
    world = one_a_hex(world)
    made, truth = told(world)
    assert truth.faults_of_sides() == []
    assert made.cycles == truth.loops() == loops == made.network.cycles
    if parts is not None:
        assert truth.parts() == parts and not made.failed
    assert (name == "ring" or truth.wrong() == []) and all(one.kept for one in made.kept)
    if name not in {"small meanders", "one hex", "two columns"}:
        # What bends within a hex, and what has no room beside the edge, has no hexsides that follow it.
        assert max(truth.off(river) for river in range(len(world.rivers))) < 2


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_trees_of_rivers_keep_their_towns(orientation):
    judged = wrong = said = kept = plain = 0
    for seed in range(6):
        world = one_a_hex(tree(100 + seed, orientation=orientation))
        made, truth = told(world)
        assert truth.faults_of_sides() == [] and truth.parts() == 1 and truth.loops() == 0
        # Tributaries meet the others in one corner each.
        for one, other in itertools.combinations(made.chains, 2):
            assert len(set(one.corners) & set(other.corners)) <= 1
        judged += len(list(truth.judged()))
        wrong += len(truth.wrong())
        kept += len(made.kept)
        said += sum(not one.kept for one in made.kept)
        plain += sum(not one.plain for one in made.kept)
    assert judged > 80 and kept > 150
    # Towns a hex apart all along rivers that meet every few hexes.
    assert wrong <= said <= kept / 60 and plain > kept / 10


# -- whether there is another way at all ---------------------------------------------------------------------------


def some_way(grid, ends, held):
    """Tell whether any way over corners, from edge to edge, has the hexes of `held` on their hands: all are tried.

    `ends` are the corners where it may begin, and those where it may end.
    """
    graph = corner_graph(grid)
    steps = {corner: [] for corner in range(len(graph.points))}
    for (a, b), (right, left) in zip(graph.ends.tolist(), graph.sides.tolist(), strict=True):
        for one, other, r, lt in ((a, b, right, left), (b, a, left, right)):
            if held.get(r) != "left" and held.get(lt) != "right":
                steps[one].append((other, r, lt))

    def parted(crossed, rights):
        """Flood from the hexes on the right: none on the left may be reached, and the other way round."""
        seen, queue = set(rights), list(rights)
        while queue:
            one = queue.pop()
            for other in grid.neighbours(one):
                if other not in seen and (min(one, other), max(one, other)) not in crossed:
                    seen.add(other)
                    queue.append(other)
        return all((cell in seen) == (hand == "right") for cell, hand in held.items())

    def go(way, crossed, rights):
        if len(way) > 1 and way[-1] in ends[1] and parted(crossed, rights):
            return True
        return any(
            go([*way, other], crossed | {(min(r, lt), max(r, lt))}, rights | ({r} - {-1}))
            for other, r, lt in steps[way[-1]]
            if other not in way
        )

    return any(go([start], frozenset(), frozenset()) for start in ends[0])


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_no_way_keeps_the_towns_where_the_one_that_was_found_does_not(orientation):
    """Small maps, a river across, a town in most hexes: where one is on a wrong bank, no way is better."""
    grid = HexGrid(columns=3, rows=3, orientation=orientation)
    graph = corner_graph(grid)
    w, h = size(grid)
    plain = towns = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        points = [
            (-1, rng.uniform(1, h - 1)),
            *rng.uniform((1, 1), (w - 1, h - 1), (2, 2)),
            (w + 1, rng.uniform(1, h - 1)),
        ]
        line = shapely.LineString(points)
        spots = [tuple(spot) for spot in rng.uniform((0, 0), (w, h), (5, 2))]
        world = one_a_hex(World(grid, [[line]], [[line]], spots))
        (chain,) = (made := snap_rivers(grid, world.rivers, world.towns)).chains
        towns += len(made.kept)
        held = {world.towns[one.town].cell: one.hand for one in made.kept}
        ends = [
            [
                c
                for c in np.flatnonzero(graph.on_edge).tolist()
                if np.hypot(*(graph.spots[c] - chain.line.coords[n])) < 2
            ]
            for n in (0, -1)
        ]
        plain += sum(not one.plain for one in made.kept)
        if seed % 8 == 0 or not all(one.kept for one in made.kept):
            assert some_way(grid, ends, held) == all(one.kept for one in made.kept), seed
    assert towns > 100 and plain > 5
    # In a hex that the river must touch on both sides no way is left.
    walled = dict.fromkeys(range(9), "left")
    assert not some_way(grid, ends, walled | {4: "right"})


def test_most_towns_of_a_hex_have_its_bank_and_of_as_many_the_first():
    def pair(town, hand):
        return Pair(
            town, 5, (0.0, 0.0), hand_of(shapely.LineString([(0, 0), (9, 0)]), (4, 1 if hand == "right" else -1))
        )

    one, two, three = pair(0, "right"), pair(1, "left"), pair(2, "left")
    assert held_by([one, two]) == {5: "right"} and held_by([two, one]) == {5: "left"}
    assert held_by([one, two, three]) == {5: "left"} and held_by([]) == {}
    grid = HexGrid(columns=12, rows=9)
    w, h = size(grid)
    points = [(w / 2, h / 2 - 0.2), (w / 2 - 0.1, h / 2 + 0.2), (w / 2 + 0.1, h / 2 + 0.2)]
    world = World(grid, [[shapely.LineString([(-2, h / 2), (w + 2, h / 2)])]], [[]], points)
    made = snap_rivers(grid, world.rivers, world.towns)
    if len({town.cell for town in world.towns}) == 1:
        assert [one.kept for one in made.kept] == [False, True, True]


def test_a_town_past_the_end_of_a_path_is_on_no_wrong_bank():
    grid = HexGrid(columns=12, rows=9)
    graph = corner_graph(grid)
    _, h = size(grid)
    line = shapely.LineString([(-2, h / 2), (6, h / 2)])
    (chain,) = snap_rivers(grid, [River("R", [shapely.transform(line, lambda p: p / radii(grid))])]).chains
    banks = Banks(graph, chain.corners)
    ahead = graph.spots[chain.corners[-1]] + (1.5, 0.1)
    assert banks.of(int(grid.cells_at(np.array([ahead / graph.scale]))[0])) is None
    for shift, hand in ((-2.5, "left"), (2.5, "right")):
        assert banks.of(int(grid.cells_at(np.array([(4, h / 2 + shift)]) / graph.scale)[0])) == hand


def test_other_rivers_part_a_hex_from_a_bank():
    """A hex in the angle of two rivers, past the end of one: round that end the other one runs."""
    grid = HexGrid(columns=12, rows=9)
    graph = corner_graph(grid)
    w, h = size(grid)
    lines = [shapely.LineString([(-2, h / 2), (w + 2, h / 2)]), shapely.LineString([(w / 2, -2), (w / 2, h / 2)])]
    world = World(grid, [[line] for line in lines], [[line] for line in lines])
    main, arm = snap_rivers(grid, world.rivers).chains
    closed = np.zeros(len(graph.sides), dtype=bool)
    closed[graph.sides_along(main.corners)] = True
    banks = Banks(graph, arm.corners, closed)
    meet = graph.spots[arm.corners[-1]]
    for way, hand in ((-1.5, "right"), (1.5, "left")):  # it comes down from the top
        cell = int(grid.cells_at(np.array([meet + np.array([way, -1.2])]) / graph.scale)[0])
        assert banks.of(cell) == hand


def test_a_town_in_the_angle_of_a_confluence_keeps_both_banks():
    """Where two rivers meet beside a town, their knot is moved until its hex lies between them."""
    kept = plain = 0
    for seed in range(12):
        grid = HexGrid(columns=14, rows=12, orientation="flat" if seed % 2 else "pointy")
        rng = np.random.default_rng(seed)
        w, h = size(grid)
        meet = np.array([w / 2, h / 2]) + rng.uniform(-1, 1, 2)
        lines = [
            shapely.LineString([(-2, 3), meet]),
            shapely.LineString([(-2, h - 3), meet]),
            shapely.LineString([meet, (w + 2, h / 2)]),
        ]
        world = World(grid, [[line] for line in lines], [[line] for line in lines], [tuple(meet - (0.9, 0))])
        made = snap_rivers(grid, world.rivers, world.towns)
        assert made.cycles == 0 and Truth(grid, world.lines, world.towns, made).parts() == 1
        kept += all(one.kept for one in made.kept)
        plain += all(one.plain for one in made.kept)
    assert kept == 12 > plain


def test_a_river_that_ends_within_a_hex_of_water_reaches_it():
    grid = HexGrid(columns=14, rows=9)
    w, h = size(grid)
    sea = shapely.box(w - 5, -9, w + 9, h + 9)
    shore = World(grid, [[shapely.LineString([(1, 1), (2, 1)])]], [[]], wet=sea).water
    for short, reaches in ((-1.0, True), (0.0, True), (0.6, True), (4.0, False)):
        line = shapely.LineString([(-2, h / 2), (w - 6 - short, h / 2 + 0.3)])
        made = snap_rivers(grid, World(grid, [[line]], [[line]]).rivers, (), shore)
        corner = made.chains[0].corners[-1]
        assert any(shore[cell] for cell in made.graph.cells_at(corner)) == reaches
        assert not any(shore[a] and shore[b] for a, b in made.sides(0))
        assert made.offs[0].distance < 2
