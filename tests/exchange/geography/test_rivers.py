"""Rivers on hexsides: their network, their loops and their banks, each against a slow and plain reference."""

import time
from collections import Counter

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import DocumentError
from studio.exchange.common.corners import corner_graph, follow
from studio.exchange.geography.rivers.banks import Banks, hand_of
from studio.exchange.geography.rivers.laying import lay_lines, lay_rivers
from studio.exchange.geography.rivers.shores import HEX
from studio.exchange.geography.rivers.snapped import River, TownSpot, snap_rivers
from studio.exchange.geography.rivers.streams import cycles, network_of
from studio.exchange.geography.work import PlacedTown
from studio.grid import HexGrid
from tests.exchange.contents import grids
from tests.exchange.geography.placed import cell, entries, said, save, work_of

GRID = HexGrid(columns=14, rows=12)


def at(*points, grid=GRID):
    """Return a line on the lattice through points in columns and rows of hexes, parts allowed."""
    return shapely.LineString([(480 + 720 * x, 240 + 480 * y) for x, y in points])


def wavy(*points, swing=0.15, seed=1, grid=GRID):
    """Return such a line with a bend every few hundred metres, as real ones have."""
    line = at(*points, grid=grid)
    rng = np.random.default_rng(seed)
    spots = [line.interpolate(part, normalized=True) for part in np.linspace(0, 1, int(line.length / 120) + 2)]
    moved = [(p.x + 480 * swing * rng.normal(), p.y + 480 * swing * rng.normal()) for p in spots[1:-1]]
    return shapely.LineString([line.coords[0], *moved, line.coords[-1]])


def sides_of(made):
    return [side for river in {chain.river for chain in made.chains} for side in made.sides(river)]


def loops(grid, sides):
    """Count independent loops by putting corners together, one side after another."""
    groups, found = {}, 0
    for a, b in sides:
        one, other = (groups.setdefault(corner, {corner}) for corner in grid.side_ends(a, b))
        if one is other:
            found += 1
            continue
        one |= other
        for corner in other:
            groups[corner] = one
    return found


def reached(grid, start, sides):
    """Return the hexes that are reached over no side with a river."""
    closed, seen, queue = set(sides), {start}, [start]
    while queue:
        one = queue.pop()
        for other in grid.neighbours(one):
            if other not in seen and (min(one, other), max(one, other)) not in closed:
                seen.add(other)
                queue.append(other)
    return seen


def spot(grid, x, y):
    point = (480 + 720 * x, 240 + 480 * y)
    return point, int(grid.cells_at(np.array([point]))[0])


# -- one river -----------------------------------------------------------------------------------------------------


def test_a_river_is_the_cheapest_way_along_its_line_and_ends_at_the_edge():
    line = wavy((-2, 5.2), (4, 6), (9, 5), (16, 7))
    made = snap_rivers(GRID, [River("Long", [line])])
    (chain,) = made.chains
    assert made.cut == {0} and not made.failed and made.cycles == 0
    assert made.graph.on_edge[[chain.corners[0], chain.corners[-1]]].all()
    assert {side[0] % 14 for side in made.sides(0)} | {side[1] % 14 for side in made.sides(0)} == set(range(14))
    # Every hex is on one of two sides of it.
    north = reached(GRID, 0, made.sides(0))
    assert GRID.cells - 1 not in north and len(north) + len(reached(GRID, GRID.cells - 1, made.sides(0))) == GRID.cells
    assert made.offs[0].distance < 1
    # Inside of the map nothing but the cost decides.
    inner = wavy((2, 5.2), (5, 6.1), (11, 5))
    (chain,) = snap_rivers(GRID, [River("Inner", [inner])]).chains
    assert set(chain.corners[1:-1]) <= set(follow(made.graph, chain.line))


def test_sides_that_a_line_crosses_carry_no_river():
    # Through the middles of hexes, one below the other: it crosses every side between them.
    made = snap_rivers(GRID, [River("Straight", [at((5, 0), (5, 11))])])
    assert made.sides(0) and not any(a % 14 == 5 == b % 14 for a, b in made.sides(0)[2:-2])


def test_pieces_of_one_name_are_one_river_whatever_their_order_and_direction():
    whole = wavy((1.2, 2.3), (5, 5), (12.1, 6.2))
    points = [tuple(point) for point in whole.coords]
    third = len(points) // 3
    pieces = [points[: third + 1], points[third : 2 * third + 1][::-1], points[2 * third :]]
    x, y = pieces[2][0]
    gap = [[*pieces[0]], pieces[1], [(x + 60, y + 40), *pieces[2][1:]]]  # a quarter of a radius
    one = snap_rivers(GRID, [River("R", [whole])])
    for some in (pieces, pieces[::-1], gap):
        made = snap_rivers(GRID, [River("R", [shapely.LineString(line) for line in some])])
        assert len(made.chains) == 1 and made.sides(0) == one.sides(0)
    # The direction is that of most of the data.
    turned = snap_rivers(GRID, [River("R", [shapely.LineString(line[::-1]) for line in pieces])])
    assert turned.sides(0) == one.sides(0)[::-1]


def test_pieces_that_lie_far_apart_stay_apart_and_short_ones_go():
    lines = [at((1, 2), (5, 3)), at((8, 3), (12, 2)), at((6.4, 9), (6.7, 9.2))]
    made = snap_rivers(GRID, [River("R", lines)])
    assert len(made.strands) == 2 and made.short == Counter({0: 1})
    touched = {corner for chain in made.chains for corner in chain.corners}
    assert len(touched) == sum(len(chain.corners) for chain in made.chains)
    joined = snap_rivers(GRID, [River("R", lines[:2], join=6.0)])
    assert len(joined.strands) == 1 and len(joined.chains) == 1


def test_doubled_strands_and_small_loops_are_no_islands():
    line = wavy((1, 3), (7, 6), (12, 5), swing=0.05)
    twin = shapely.transform(line, lambda points: points + np.array([15, 40]))
    x, y = line.coords[len(line.coords) // 2]
    loop = shapely.Point(x + 100, y).buffer(100).exterior
    made = snap_rivers(GRID, [River("R", [line, twin, loop])])
    assert made.network.loops > 0 and made.network.cycles == 0 == made.cycles == loops(GRID, made.sides(0))
    assert len(made.chains) == 1


def test_a_bend_that_has_room_is_not_cut_off():
    # Out and back again, a hex and a half apart: the straight way over its mouth is cheaper.
    line = at((1, 5), (5, 5), (5, 1.5), (7, 1.5), (7, 5), (12, 5))
    made = snap_rivers(GRID, [River("R", [line])])
    assert made.offs[0].distance < 1.2
    assert any(min(side) // 14 <= 2 for side in made.sides(0))
    plain = follow(made.graph, made.strands[0].line)
    assert len(plain) < len(made.chains[0].corners)


def test_rivers_end_at_the_water_and_none_runs_in_it():
    water = np.zeros(GRID.cells, dtype=bool)
    column = np.arange(GRID.cells) % 14
    water[column >= 10] = True
    lake = [cell for cell in range(GRID.cells) if GRID.distance(cell, 5 * 14 + 5) <= 1]
    water[lake] = True
    made = snap_rivers(GRID, [River("R", [wavy((1, 5.3), (13, 5.2))])], (), water)
    sides = made.sides(0)
    assert not any(water[a] and water[b] for a, b in sides)
    assert {True, False} == {max(a % 14, b % 14) < 5 for a, b in sides}  # before the lake and behind it
    for chain in made.chains:
        assert any(water[cell] for cell in made.graph.cells_at(chain.corners[-1]))
    assert len(made.chains) == 2
    # A river whose line ends a little before the shore is led on to it.
    short = snap_rivers(GRID, [River("R", [at((1, 9), (9.4, 9))])], (), water)
    assert any(water[cell] for cell in short.graph.cells_at(short.chains[-1].corners[-1]))


# -- junctions -----------------------------------------------------------------------------------------------------


def test_a_tributary_ends_on_a_corner_of_the_main_river_near_the_true_junction():
    main = wavy((-1, 8), (6, 7), (15, 9), seed=3)
    mouth = main.interpolate(0.5, normalized=True)
    for gap in (0, 90):  # also where it ends a little before the main river
        side = shapely.LineString([(mouth.x - 300, 700), (mouth.x - 60, 2000), (mouth.x, mouth.y - gap)])
        made = snap_rivers(GRID, [River("Side", [side]), River("Main", [main])])
        first, second = made.chains
        assert (first.river, second.river) == (1, 0)
        (joint,) = second.joints
        assert set(first.corners) & set(second.corners) == {joint.corner}
        assert joint.corner in (second.corners[0], second.corners[-1]) and joint.off < 1.2 and not joint.early
        assert made.cycles == 0


def test_rivers_that_lie_close_together_neither_touch_nor_change_sides():
    upper, lower = wavy((-1, 5), (15, 5), seed=5, swing=0.05), wavy((-1, 5.45), (15, 5.45), seed=6, swing=0.05)
    for rivers in ([upper, lower], [lower, upper]):
        made = snap_rivers(GRID, [River(f"R{n}", [line], join=0.3) for n, line in enumerate(rivers)])
        assert not made.failed and made.cycles == 0 == made.network.cycles
        one, other = made.chains
        assert not set(one.corners) & set(other.corners)
        spots = {chain.river: made.graph.spots[chain.corners][:, 1] for chain in made.chains}
        top = 0 if rivers[0] is upper else 1
        assert spots[top].mean() < spots[1 - top].mean()
        assert reached(GRID, 0, made.sides(top)) < reached(GRID, 0, made.sides(1 - top))


def test_two_rivers_that_meet_at_the_head_of_a_third_share_one_corner():
    head = (7.1, 6.2)
    lines = {
        "East": wavy((13, 1), (9, 5), head),
        "West": wavy((0, 2), (5, 5), head),
        "Down": wavy(head, (7, 12), seed=4),
    }
    made = snap_rivers(GRID, [River(name, [line]) for name, line in lines.items()])
    count = Counter(corner for chain in made.chains for corner in chain.corners)
    assert [corner for corner, number in count.items() if number == 3] and made.cycles == 0
    assert len(reached(GRID, 0, sides_of(made))) < GRID.cells


def test_a_river_that_crosses_another_does_not_close_a_loop_and_a_stub_behind_it_goes():
    main, other = wavy((-1, 6), (15, 6)), wavy((6, 1), (7, 11), seed=2)
    made = snap_rivers(GRID, [River("Main", [main]), River("Other", [other])])
    assert made.cycles == 0 and len([chain for chain in made.chains if chain.river == 1]) == 2
    stub = shapely.ops.substring(other, 0, other.project(other.intersection(main).centroid) + 150)
    made = snap_rivers(GRID, [River("Main", [main]), River("Other", [stub])])
    assert len([chain for chain in made.chains if chain.river == 1]) == 1


def test_an_island_is_a_loop_where_it_has_room_for_a_hex_and_else_none():
    main = at((-1, 6), (15, 6))
    for wide, wanted in ((3.0, 1), (0.8, 0)):
        arm = at((4, 6), (5, 6 + wide), (9, 6 + wide), (10, 6))
        made = snap_rivers(GRID, [River("R", [main, arm])])
        assert made.network.cycles == wanted == made.cycles == loops(GRID, made.sides(0))
        if wanted:
            inside = spot(GRID, 7, 7.5)[1]
            assert len(reached(GRID, inside, made.sides(0))) in range(5, 30)
        else:
            assert sum(made.network.lost.values()) > 0


@st.composite
def tangles(draw):
    """Rivers across a small map, of a few points each, crossing each other and themselves."""
    grid = draw(grids(9))
    x0, y0, x1, y1 = grid.frame
    spots = st.tuples(st.integers(x0 - 300, x1 + 300), st.integers(y0 - 300, y1 + 300))
    some = draw(st.lists(spots, min_size=3, max_size=8, unique=True))
    line = st.lists(st.sampled_from(some), min_size=2, max_size=4, unique=True).map(shapely.LineString)
    rivers = draw(st.lists(st.lists(line, min_size=1, max_size=2), min_size=1, max_size=4))
    towns = draw(st.lists(spots, max_size=4))
    cells = grid.cells_at(np.array(towns).reshape(-1, 2))
    found = [TownSpot(point, int(cell)) for point, cell in zip(towns, cells, strict=True) if cell >= 0]
    join = draw(st.sampled_from([0.0, 0.5]))
    return grid, [River(f"R{n}", lines, join=join) for n, lines in enumerate(rivers)], found


@settings(deadline=None)
@given(tangles())
def test_whatever_the_rivers_nothing_closes_a_loop_that_is_none(tangle):
    grid, rivers, towns = tangle
    made = snap_rivers(grid, rivers, towns)
    sides = sides_of(made)
    assert len(sides) == len(set(sides)) and all(grid.direction(*side) is not None for side in sides)
    assert made.cycles == loops(grid, sides) <= made.network.cycles
    assert made.network.cycles == cycles((edge.a, edge.b) for edge in made.network.edges)
    faces = shapely.polygonize([shapely.LineString(edge.points) for edge in made.network.edges])
    assert len(faces.geoms) <= made.network.cycles  # more only where junctions were gathered to one
    # A corner that several chains share is an end of all but one of them.
    inner = Counter(corner for chain in made.chains for corner in chain.corners[1:-1])
    assert not inner or max(inner.values()) == 1
    before = set()
    for chain in made.chains:
        assert set(chain.corners) & before == {joint.corner for joint in chain.joints}
        before |= set(chain.corners)
    again = snap_rivers(grid, rivers, towns)
    assert [chain.corners for chain in again.chains] == [chain.corners for chain in made.chains]


def test_the_number_of_loops_is_that_of_the_true_network_in_a_delta():
    rng = np.random.default_rng(7)
    grid = HexGrid(columns=30, rows=30)
    lines = []
    for n in range(8):
        a, b = [(0, 3 * n + 4), (29, 29 * rng.uniform())] if n % 2 else [(3 * n + 4, 0), (29 * rng.uniform(), 29)]
        lines.append(wavy(a, b, seed=n, swing=0.1, grid=grid))
    made = snap_rivers(grid, [River(f"R{n}", [line]) for n, line in enumerate(lines)])
    assert made.network.cycles > 2 and made.cycles == made.network.cycles == loops(grid, sides_of(made))


def test_a_network_by_hand():
    lines = [[shapely.LineString([(0, 0), (10, 0)])], [shapely.LineString([(5, 9), (5, 0.3)])]]
    made = network_of(lines, [0.5, 0.5], lambda face: True)
    assert sorted(made.degrees().values()) == [1, 1, 1, 3] and made.gaps == Counter({1: 1}) and made.cycles == 0
    apart = network_of(lines, [0.5, 0.2], lambda face: True)
    assert sorted(apart.degrees().values()) == [1, 1, 1, 1]
    square = [[shapely.LineString([(0, 0), (4, 0), (4, 4)])], [shapely.LineString([(0, 0), (0, 4), (4, 4)])]]
    assert network_of(square, [0, 0], lambda face: True).cycles == 1
    opened = network_of(square, [0, 0], lambda face: False)
    assert opened.cycles == 0 and opened.loops == 1 and [edge.river for edge in opened.edges] == [0]


# -- banks ---------------------------------------------------------------------------------------------------------


@given(st.data())
def test_the_hand_of_a_point_is_the_face_that_it_lies_in(data):
    """A line across a square parts it; which face is the right one is told by its area's sign."""
    spots = st.tuples(st.integers(1, 9), st.integers(1, 9))
    points = data.draw(st.lists(spots, min_size=1, max_size=5))
    line = shapely.LineString([(-20, 5), *points, (30, 5)])
    point = data.draw(st.tuples(st.floats(0.5, 9.5), st.floats(0.5, 9.5)))
    if not line.is_simple or line.distance(shapely.Point(point)) < 1e-6:
        return
    right = shapely.Polygon([*line.coords, (30, 60), (-20, 60)])  # y points down
    assert right.is_valid
    assert hand_of(line, point).hand == ("right" if right.contains(shapely.Point(point)) else "left")


def test_past_the_end_of_a_line_a_point_has_no_hand():
    line = shapely.LineString([(0, 0), (10, 0)])
    assert hand_of(line, (12, 1)) is None and hand_of(line, (5, 0)) is None
    assert hand_of(line, (10.2, 1)).hand == "right" and hand_of(line, (12, -1), beyond=9).hand == "left"
    assert hand_of(line, (3, -4)) == ("left", 4)


@given(st.data())
def test_the_bank_of_a_hex_is_the_part_of_the_map_that_it_lies_in(data):
    grid = HexGrid(columns=9, rows=8)
    start, stop = data.draw(st.floats(0, 7)), data.draw(st.floats(0, 7))
    middle = [(x, data.draw(st.floats(1, 6))) for x in (2, 4, 6)]
    graph = corner_graph(grid)
    line = shapely.LineString(np.array(at((-2, start), *middle, (11, stop)).coords) * graph.scale)
    path = follow(graph, line)
    north = reached(grid, 4, [graph.key(side) for side in graph.sides_along(path)])
    banks = Banks(graph, path)
    if grid.cells - 5 not in north:  # the path goes from edge to edge
        for one in range(grid.cells):
            assert banks.of(one) == ("left" if one in north else "right")


def test_towns_keep_their_banks_where_plain_snapping_loses_a_quarter():
    grid = HexGrid(columns=40, rows=36)
    rng = np.random.default_rng(11)
    rivers = [
        wavy((-1, y), (13, y + 3), (26, y - 2), (41, y + 2), seed=n, grid=grid) for n, y in enumerate((6, 16, 27))
    ]
    towns = {}
    for line in rivers:
        for _ in range(40):
            place = line.interpolate(rng.uniform(0, 1), normalized=True)
            point = (place.x + rng.normal(0, 160), place.y + rng.normal(0, 160))
            one = int(grid.cells_at(np.array([point]))[0])
            if one >= 0:
                towns.setdefault(one, TownSpot(point, one))  # one town a hex: every bank can be kept
    listed = list(towns.values())
    made = snap_rivers(grid, [River(f"R{n}", [line]) for n, line in enumerate(rivers)], listed)
    assert len(made.kept) > 80 and all(one.kept for one in made.kept)
    assert 0.12 < sum(not one.plain for one in made.kept) / len(made.kept) < 0.4
    for one in made.kept:  # topologically: from the hex to the north edge without crossing the river
        line = rivers[one.river]
        true_north = listed[one.town].point[1] < line.interpolate(line.project(shapely.Point(listed[one.town].point))).y
        north = reached(grid, grid.cell(20, 0), made.sides(one.river))
        assert (one.hand == "left") == (listed[one.town].cell in north)
        if abs(line.distance(shapely.Point(listed[one.town].point))) > 200:
            assert true_north == (one.hand == "left")
    assert made.cycles == 0


def test_a_town_far_on_its_side_of_a_river_draws_it_round():
    # The designer gives the town a hex on the far side of the line: the river goes round that hex.
    line = at((-1, 6.1), (15, 6.1))
    point, _ = spot(GRID, 7, 5.6)
    far = spot(GRID, 7, 6.9)[1]
    made = snap_rivers(GRID, [River("R", [line])], [TownSpot(point, far)])
    assert [one.kept for one in made.kept] == [True] and [one.plain for one in made.kept] == [False]
    assert far in reached(GRID, 0, made.sides(0))


def test_of_two_towns_in_a_hex_on_both_banks_the_first_keeps_its_own():
    line = at((-1, 6), (15, 6))
    (up, cell_up), (down, cell_down) = spot(GRID, 7, 5.3), spot(GRID, 7, 5.7)
    between = at((-1, 5.5), (15, 5.5))
    assert cell_up == cell_down
    for first, second in ((up, down), (down, up)):
        made = snap_rivers(GRID, [River("R", [between])], [TownSpot(first, cell_up), TownSpot(second, cell_up)])
        assert [one.kept for one in made.kept] == [True, False]
    made = snap_rivers(GRID, [River("R", [line]), River("S", [at((-1, 1), (15, 1))])], [TownSpot(up, cell_up, "s")])
    assert [one.river for one in made.kept] == []  # S is too far, and R is not asked


def test_a_town_behind_another_river_is_asked_for_the_bank_of_that_one_only():
    (town, one), lines = spot(GRID, 7, 4.6), [at((-1, 5), (15, 5)), at((-1, 5.8), (15, 5.8))]
    rivers = [River("Near", lines[:1], join=0.1), River("Far", lines[1:], join=0.1)]
    made = snap_rivers(GRID, rivers, [TownSpot(town, one)])
    assert [(kept.river, kept.hand, kept.kept) for kept in made.kept] == [(0, "left", True)]
    named = snap_rivers(GRID, rivers, [TownSpot(town, one, "FAR")])
    assert [(kept.river, kept.hand, kept.kept) for kept in named.kept] == [(1, "left", True)]


# -- the step ------------------------------------------------------------------------------------------------------


def river_work(folder, rows, rule=None, size=(14, 12), **spec):
    shape = {"columns": size[0], "rows": size[1]}
    save(folder, "rivers", [line for _, line in rows], {"name": [name for name, _ in rows]}, grid=shape)
    return work_of(folder, *size, rivers=[{"source": "rivers", "name": "name"} | (rule or {})], **spec)


def town(work, name, point, one=None, **more):
    from studio.exchange.geography.spec import Town

    placed = int(work.model.grid.cells_at(np.array([point]))[0]) if one is None else one
    return PlacedTown(Town(name=name, **more), point, placed)


def test_the_step_lays_rivers_and_tells_everything(tmp_path):
    main, side = wavy((-1, 8), (6, 7), (15, 9), seed=3), wavy((5, 1), (6, 4), (7, 7.2), seed=4)
    mouth = main.interpolate(main.project(shapely.Point(side.coords[-1])))
    side = shapely.LineString([*side.coords[:-1], (mouth.x, mouth.y)])
    rows = [("Main", main), ("Side", side), ("Brook", at((11, 2), (11.4, 2))), (None, at((9, 2), (12, 4)))]
    work = river_work(tmp_path, rows)
    x, y = main.interpolate(0.25, normalized=True).coords[0]
    work.towns = [
        town(work, "Northport", (x, y - 90)),
        town(work, "Southport", (x, y + 90), int(work.model.grid.cells_at(np.array([(x, y - 90)]))[0])),
        town(work, "Elsewhere", (480.0, 240.0), river="Nile"),
    ]
    lay_rivers(work)
    assert sorted(work.rivers) == ["Main", "Side", "river 1"]
    assert set(work.rivers["Main"]) <= {key for key, kinds in work.model.sides.items() if kinds == ("river",)}
    assert sum(map(len, work.rivers.values())) == len(work.model.sides)
    assert work.river_lines["Main"].geom_type == "LineString"
    assert work.river_lines["Main"].hausdorff_distance(main.intersection(shapely.box(*work.model.grid.frame))) < 480
    figures = said(work, "Main runs along", "decided").figures
    assert figures["sides"] == len(work.rivers["Main"]) and figures["off"] <= 1
    assert figures["length"] == pytest.approx(work.river_lines["Main"].length / 600, rel=0.25)
    assert len(said(work, "Side and Main meet").at) == 3
    assert said(work, "Brook has 1 pieces shorter than 1 hexes", "note")
    assert said(work, "Main is cut off", "note")
    assert said(work, "Northport lies left of Main", "decided").at
    wrong = said(work, "Southport lies right of Main", "finding")
    assert "; Northport in the same hex lies on the other bank; at = " in wrong.text
    better = cell(work, wrong.text.split('"')[1])  # the hex to give it: south of the river
    assert work.model.grid.distance(better, work.towns[1].cell) == 1
    assert better in reached(work.model.grid, work.model.grid.cells - 8, work.model.sides)
    assert said(work, "Elsewhere is to keep its bank of Nile", "finding")
    wanted = {"river_cycles": 0, "true_cycles": 0, "towns_by_rivers": 2, "wrong_banks": 1}
    assert {name: work.report.figures[name] for name in wanted} == wanted
    assert work.report.figures["plain_wrong_banks"] >= 1


def test_findings_and_notes_have_their_places(tmp_path):
    # A hairpin without room: its tip is off the path.
    hairpin = at((2, 9), (6, 9), (6.2, 4), (6.4, 9), (11, 9))
    rows = [
        ("Pin", hairpin),
        ("Ends", at((1, 2), (4, 2))),
        ("Ends", at((8, 2), (12, 2))),
        ("Off", at((15.5, 5), (15.5, 9))),
    ]
    work = river_work(tmp_path, rows)
    lay_rivers(work)
    far = said(work, "Pin and its line are", "finding")
    assert far.figures["off"] > 2 and work.model.grid.distance(cell(work, far.at[0]), cell(work, "0705")) <= 1
    parts = said(work, "Ends is in 2 parts", "note")
    assert parts.figures["gap"] == pytest.approx(4 * 720 / 480, rel=0.02)
    assert said(work, "Off does not touch the land of the map", "note")


def test_a_river_without_room_between_others_is_a_finding(tmp_path):
    lines = [at((-1, 5 + 0.12 * n), (15, 5 + 0.12 * n)) for n in range(9)]
    work = river_work(tmp_path, [(f"R{n}", line) for n, line in enumerate(lines)], {"join": 0.05})
    lay_rivers(work)
    assert work.report.figures["river_cycles"] == 0 == work.report.figures["true_cycles"]
    texts = [one.text for one in entries(work, "finding", step="rivers")]
    assert any("radii apart here" in text for text in texts)


def test_wrong_rules_are_refused(tmp_path):
    rows = [("R", at((1, 2), (9, 5)))]
    with pytest.raises(DocumentError, match=r"rivers.0..kind"):
        lay_rivers(river_work(tmp_path, rows, {"kind": "rivver"}))
    with pytest.raises(DocumentError, match="column 'names'"):
        lay_rivers(river_work(tmp_path, rows, {"name": "names"}))
    with pytest.raises(DocumentError, match=r"lines.0..kind"):
        lay_lines(river_work(tmp_path, rows, lines=[{"source": "rivers", "kind": "canall"}]))
    work = work_of(tmp_path)
    lay_rivers(work)
    assert not work.model.sides and not work.report.entries


def test_lines_lie_each_by_itself(tmp_path):
    ring = shapely.Point(at((6, 6), (7, 6)).coords[0]).buffer(1100).exterior
    work = river_work(
        tmp_path, [("a", ring), ("b", at((-3, 2), (15, 2.2)))], lines=[{"source": "rivers", "kind": "border"}]
    )
    lay_lines(work)
    assert set(work.model.sides.values()) == {("border",)}
    grid = work.model.grid
    inside = reached(grid, cell(work, "0707"), work.model.sides)
    assert 3 < len(inside) < 25 and cell(work, "0101") not in inside
    assert grid.cells - 1 not in reached(grid, 0, work.model.sides)
    told = said(work, "2 lines of rivers", "decided")
    assert told.figures["sides"] == len(work.model.sides)


def test_many_rivers_do_not_take_long():
    grid = HexGrid(columns=47, rows=47)
    rng = np.random.default_rng(3)
    rivers, towns = [], []
    for n in range(25):
        ends = rng.uniform(0, 46, (3, 2))
        line = wavy(*map(tuple, ends), seed=n, swing=0.08, grid=grid)
        rivers.append(River(f"R{n}", [line]))
        for part in rng.uniform(0, 1, 4):
            place = line.interpolate(part, normalized=True)
            point = (place.x + rng.normal(0, 150), place.y + rng.normal(0, 150))
            one = int(grid.cells_at(np.array([point]))[0])
            towns += [TownSpot(point, one)] if one >= 0 else []
    began = time.process_time()
    made = snap_rivers(grid, rivers, towns)
    assert time.process_time() - began < 20  # a few seconds: 25 rivers that cross each other some sixty times
    assert made.cycles == made.network.cycles
    assert sum(strand.length for strand in made.strands) / HEX > 500
