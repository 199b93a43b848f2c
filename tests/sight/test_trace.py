"""Exact contacts of any segment with hexes, drawn lines and areas: against rational clipping, and against shapely."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import shapely
from hypothesis import assume, example, given
from hypothesis import strategies as st

from studio.grid import HexGrid, hex_line
from studio.sight.trace import Shapes, area_contacts, hex_trace, line_contacts
from studio.sight.trace.many import ALONG, COORDINATE_LIMIT, CROSS, TOUCH, segments_hit_ring, segments_meet_line

Point = tuple[int, int]
GRIDS = [
    HexGrid(columns=9, rows=8),
    HexGrid(columns=9, rows=8, stagger="even", short=True),
    HexGrid(columns=8, rows=9, orientation="pointy"),
    HexGrid(columns=8, rows=9, orientation="pointy", stagger="even"),
]
# Few places, so that lines meet in corners and run along each other often.
near = st.tuples(st.integers(0, 5), st.integers(0, 5))
wide = st.tuples(st.integers(-40, 40), st.integers(-40, 40))
anywhere = st.one_of(near, wide)


def turned(contacts: tuple) -> list[tuple]:
    return [(c.how, 1 - c.leave, 1 - c.enter) for c in reversed(contacts)]


def spans(contacts: tuple) -> list[tuple]:
    return [(c.how, c.enter, c.leave) for c in contacts]


def at(a: Point, b: Point, t: Fraction) -> tuple[Fraction, Fraction]:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


# -- hexes ---------------------------------------------------------------------------------------------------------


def clip_hexes(grid: HexGrid, a: Point, b: Point) -> set[tuple]:
    """Clip the segment by every hex of the map with rationals; pair up the hexes that share a stretch."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    stretches: dict[tuple[Fraction, Fraction], list[int]] = {}
    contacts = set()
    for cell in np.flatnonzero(grid.present).tolist():
        corners = grid.corners(cell)
        enter, leave, inside, border = Fraction(0), Fraction(1), True, False
        for (px, py), (qx, qy) in zip(corners, corners[1:] + corners[:1], strict=True):
            start = (qx - px) * (a[1] - py) - (qy - py) * (a[0] - px)
            slope = (qx - px) * dy - (qy - py) * dx
            if slope == 0:
                inside &= start >= 0
                border |= start == 0
            elif slope > 0:
                enter = max(enter, Fraction(-start, slope))
            else:
                leave = min(leave, Fraction(-start, slope))
        if not inside or enter > leave:
            continue
        if a == b:
            contacts.add(("touch" if border else "through", (cell,), Fraction(0), Fraction(1)))
        elif enter == leave:
            contacts.add(("touch", (cell,), enter, leave))
        elif border:
            stretches.setdefault((enter, leave), []).append(cell)
        else:
            contacts.add(("through", (cell,), enter, leave))
    return contacts | {("along", tuple(sorted(cells)), *span) for span, cells in stretches.items()}


def lattice_points(grid: HexGrid) -> st.SearchStrategy[Point]:
    cells = st.sampled_from(np.flatnonzero(grid.present).tolist())
    corner = st.builds(lambda cell, n: grid.corners(cell)[n], cells, st.integers(0, 5))
    middle = st.builds(
        lambda cell, n, m: tuple(
            (p * m + q * (240 - m)) // 240
            for p, q in zip(grid.corners(cell)[n], grid.corners(cell)[n - 1], strict=True)
        ),
        cells,
        st.integers(0, 5),
        st.integers(0, 240),
    )
    free = st.tuples(st.integers(-900, 7000), st.integers(-900, 7000))
    return st.one_of(cells.map(grid.centre), corner, middle, free)


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.orientation}-{grid.stagger}")
@given(data=st.data())
def test_hexes_along_any_segment_are_those_of_rational_clipping(grid: HexGrid, data: st.DataObject) -> None:
    a, b = data.draw(lattice_points(grid)), data.draw(lattice_points(grid))
    found = hex_trace(grid, a, b)
    assert len(set(found)) == len(found)
    assert {(c.how, c.cells, c.enter, c.leave) for c in found} == clip_hexes(grid, a, b)
    middles = [c.enter + c.leave for c in found]
    assert middles == sorted(middles)


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.orientation}-{grid.stagger}")
@given(data=st.data())
def test_hexes_along_a_segment_are_reciprocal(grid: HexGrid, data: st.DataObject) -> None:
    a, b = data.draw(lattice_points(grid)), data.draw(lattice_points(grid))
    there = [(c.how, c.cells, c.enter, c.leave) for c in hex_trace(grid, a, b)]
    back = [(c.how, c.cells, 1 - c.leave, 1 - c.enter) for c in reversed(hex_trace(grid, b, a))]
    assert there == back or a == b


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{grid.orientation}-{grid.stagger}")
def test_between_centres_the_hexes_are_those_of_the_hex_line(grid: HexGrid) -> None:
    cells = np.flatnonzero(grid.present).tolist()
    for a in cells[::3]:
        for b in cells:
            if a == b:
                continue
            whole = hex_trace(grid, grid.centre(a), grid.centre(b))
            assert (whole[0].cells, whole[-1].cells) == ((a,), (b,))
            assert (whole[0].enter, whole[-1].leave) == (0, 1)
            inner = [(c.how, c.cells, c.enter, c.leave) for c in whole[1:-1]]
            assert inner == [(c.how, c.cells, c.enter, c.leave) for c in hex_line(grid, a, b)]


def test_a_dot_alone() -> None:
    grid = HexGrid(columns=3, rows=3)
    centre, corner = grid.centre(4), grid.corners(4)[0]
    assert [(c.how, c.cells, c.enter, c.leave) for c in hex_trace(grid, centre, centre)] == [("through", (4,), 0, 1)]
    assert [(c.how, len(c.cells)) for c in hex_trace(grid, corner, corner)] == [("touch", 1)] * 3
    assert hex_trace(grid, (-5000, 0), (-5000, 0)) == ()


def test_a_segment_from_far_off_the_map_meets_the_hexes_that_it_crosses() -> None:
    grid = HexGrid(columns=3, rows=3)
    assert [c.cells for c in hex_trace(grid, (480, -9000), (480, 9000))] == [(0,), (3,), (6,)]


# -- drawn lines ---------------------------------------------------------------------------------------------------


def slow_line_contacts(a: Point, b: Point, line: list[Point]) -> list[tuple]:
    """Cut the drawn line where it meets the segment, and look at what it does before and after."""
    points: list[tuple[Fraction, Fraction]] = []
    dx, dy = b[0] - a[0], b[1] - a[1]

    def side(point: tuple) -> Fraction:
        return dx * (point[1] - a[1]) - dy * (point[0] - a[0])

    def place(point: tuple) -> Fraction:
        return Fraction((point[0] - a[0]) * dx + (point[1] - a[1]) * dy, dx * dx + dy * dy)

    for p, q in zip(line, [*line[1:], line[-1]], strict=True):
        points.append(p)
        if side(p) * side(q) < 0:
            share = Fraction(side(p), side(p) - side(q))
            points.append((p[0] + (q[0] - p[0]) * share, p[1] + (q[1] - p[1]) * share))
    points = [point for n, point in enumerate(points) if n == 0 or point != points[n - 1]]
    if points[0] == points[-1] and len(points) > 3:
        begin = next((n for n, point in enumerate(points) if side(point)), 0)
        points = points[begin:-1] + points[: begin + 1]
    sides = [side(point) for point in points]
    found: list[tuple] = []
    n = 0
    while n < len(points):
        m = n
        while sides[n] == 0 and m + 1 < len(points) and sides[m + 1] == 0:
            m += 1
        if sides[n] == 0:
            places = [place(point) for point in points[n : m + 1]]
            low, high = max(min(places), 0), min(max(places), 1)
            if low < high:
                found.append(("along", low, high))
            elif low == high:
                ends = n == 0 or m == len(points) - 1
                passes = n == m and not ends and sides[n - 1] * sides[n + 1] < 0 and 0 < low < 1
                found.append(("cross" if passes else "touch", low, low))
        n = m + 1
    return found


@given(a=anywhere, b=anywhere, line=st.lists(anywhere, min_size=1, max_size=7), ring=st.booleans())
@example(a=(0, 0), b=(4, 0), line=[(1, 0), (3, 0), (2, 0), (2, 2)], ring=False)
@example(a=(0, 0), b=(4, 0), line=[(2, 0), (2, 1), (3, 0)], ring=True)
def test_contacts_with_a_drawn_line_are_those_of_the_slow_way(a: Point, b: Point, line: list, ring: bool) -> None:
    assume(a != b)
    line = [*line, line[0]] if ring else line
    found = line_contacts(a, b, line)
    expected = slow_line_contacts(a, b, line)
    alongs = shapely.union_all(
        [shapely.LineString([(float(low), 0), (float(high), 0)]) for how, low, high in expected if how == "along"]
    )
    assert {one for one in spans(found) if one[0] != "along"} == {one for one in expected if one[0] != "along"}
    joined = [one for one in spans(found) if one[0] == "along"]
    assert sum(float(high - low) for _, low, high in joined) == pytest.approx(alongs.length)
    for _, low, high in (one for one in expected if one[0] == "along"):
        assert any(first <= low and high <= last for _, first, last in joined)
    assert spans(found) == turned(line_contacts(b, a, line))
    assert spans(found) == spans(line_contacts(a, b, line[::-1]))


@given(a=anywhere, b=anywhere, line=st.lists(anywhere, min_size=2, max_size=7))
def test_a_drawn_line_is_met_where_shapely_says_so(a: Point, b: Point, line: list) -> None:
    assume(a != b and len(set(line)) > 1)
    matrix = shapely.relate(shapely.LineString([a, b]), shapely.LineString(line))
    found = {contact.how for contact in line_contacts(a, b, line)}
    assert bool(found) == (set(matrix[:2] + matrix[3:5]) != {"F"})
    assert ("along" in found) == (matrix[0] == "1")


def test_crossing_touching_and_running_along_a_drawn_line() -> None:
    a, b = (0, 0), (8, 0)

    def hows(*line: Point) -> list[str]:
        return [contact.how for contact in line_contacts(a, b, line)]

    assert hows((4, -2), (4, 2)) == ["cross"]
    assert hows((4, -2), (4, 0), (5, 2)) == ["cross"]  # exactly in an inner vertex
    assert hows((4, -2), (4, 0), (5, -2)) == ["touch"]  # touches and goes back
    assert hows((4, -2), (4, 0)) == ["touch"]  # ends on the segment
    assert hows((8, -2), (8, 2)) == ["touch"]  # the segment ends on it
    assert hows((0, -2), (0, 2)) == ["touch"]
    assert hows((2, -2), (2, 0), (4, 0), (4, 2)) == ["along"]
    assert hows((-4, 0), (0, 0), (0, 4)) == ["touch"]  # along its line, but before it
    assert hows((-4, 0), (12, 0)) == ["along"]
    assert hows((9, -2), (9, 2)) == []
    assert hows((4, 0)) == ["touch"]
    assert hows() == []
    assert hows((1, -1), (1, 1), (3, 1), (3, -1)) == ["cross", "cross"]
    # Drawn twice over, in parts: one stretch.
    assert spans(line_contacts(a, b, [(0, 0), (4, 0), (4, 1), (2, 0), (6, 0)])) == [("along", 0, Fraction(3, 4))]
    assert spans(line_contacts((3, 0), (3, 0), [(0, 0), (6, 0)])) == [("touch", 0, 1)]
    assert line_contacts((3, 1), (3, 1), [(0, 0), (6, 0)]) == ()


# -- areas ---------------------------------------------------------------------------------------------------------


def slow_area_contacts(a: Point, b: Point, rings: list[list[Point]]) -> list[tuple]:
    """Cut the segment at every border with rationals; ask of the middle of each part where it lies."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    pieces = [piece for ring in rings for piece in zip(ring, ring[1:] + ring[:1], strict=True)]
    cuts = {Fraction(0), Fraction(1)}
    for (px, py), (qx, qy) in pieces:
        ex, ey = qx - px, qy - py
        turn = dx * ey - dy * ex
        if turn:
            t = Fraction((px - a[0]) * ey - (py - a[1]) * ex, turn)
            s = Fraction((px - a[0]) * dy - (py - a[1]) * dx, turn)
            if 0 <= t <= 1 and 0 <= s <= 1:
                cuts.add(t)
        elif (px - a[0]) * dy == (py - a[1]) * dx:
            for x, y in ((px, py), (qx, qy)):
                t = Fraction((x - a[0]) * dx + (y - a[1]) * dy, dx * dx + dy * dy)
                if 0 <= t <= 1:
                    cuts.add(t)

    def where(t: Fraction) -> str:
        x, y = at(a, b, t)
        inside = False
        for (px, py), (qx, qy) in pieces:
            across = (qx - px) * (y - py) - (qy - py) * (x - px)
            if across == 0 and min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy):
                return "border"
            if (py > y) != (qy > y) and px + (y - py) * Fraction(qx - px, qy - py) > x:
                inside = not inside
        return "inside" if inside else "outside"

    edges = sorted(cuts)
    kinds = [where((low + high) / 2) for low, high in itertools.pairwise(edges)]
    found: list[tuple] = []
    for n, t in enumerate(edges):
        before, after = kinds[n - 1] if n else "outside", kinds[n] if n < len(kinds) else "outside"
        if before == after == "outside" and where(t) == "border":
            found.append(("touch", t, t))
        if after != "outside":
            how = {"inside": "through", "border": "along"}[after]
            if before == after:
                found[-1] = (how, found[-1][1], edges[n + 1])
            else:
                found.append((how, t, edges[n + 1]))
    return found


@st.composite
def areas(draw: st.DrawFn) -> list[list[Point]]:
    """Draw a valid area with holes: hulls, star shapes and combs on a coarse lattice, corners in line among them."""
    points = draw(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=3, max_size=7, unique=True))
    polygon = shapely.Polygon(points)
    if draw(st.booleans()) or not polygon.is_valid:
        polygon = shapely.MultiPoint(points).convex_hull
    assume(isinstance(polygon, shapely.Polygon) and polygon.area > 0)
    if draw(st.booleans()):
        x, y = draw(st.tuples(st.integers(0, 7), st.integers(0, 7)))
        cut = polygon.difference(shapely.box(x, y, x + draw(st.integers(1, 3)), y + draw(st.integers(1, 3))))
        whole = all(float(c).is_integer() for c in shapely.get_coordinates(cut).ravel())
        if isinstance(cut, shapely.Polygon) and not cut.is_empty and whole:
            polygon = cut
    rings = [polygon.exterior, *polygon.interiors]
    return [[(int(x), int(y)) for x, y in ring.coords[:-1]] for ring in rings]


places = st.tuples(st.integers(-1, 9), st.integers(-1, 9))


@given(a=places, b=places, rings=areas())
def test_contacts_with_an_area_are_those_of_the_slow_way(a: Point, b: Point, rings: list) -> None:
    assume(a != b)
    found = area_contacts(a, b, rings[0], rings[1:])
    assert spans(found) == slow_area_contacts(a, b, rings)
    assert spans(found) == turned(area_contacts(b, a, rings[0], rings[1:]))
    assert spans(found) == spans(area_contacts(a, b, rings[0][::-1], rings[1:]))


@given(a=places, b=places, rings=areas())
def test_an_area_is_met_where_shapely_says_so(a: Point, b: Point, rings: list) -> None:
    assume(a != b)
    matrix = shapely.relate(shapely.LineString([a, b]), shapely.Polygon(rings[0], rings[1:]))
    found = {contact.how for contact in area_contacts(a, b, rings[0], rings[1:])}
    assert bool(found) == (set(matrix[:2] + matrix[3:5]) != {"F"})
    assert ("through" in found) == (matrix[0] == "1")
    assert ("along" in found) == (matrix[1] == "1")


@given(a=places, rings=areas())
def test_a_dot_in_an_area(a: Point, rings: list) -> None:
    polygon, dot = shapely.Polygon(rings[0], rings[1:]), shapely.Point(a)
    expected = ["through"] if polygon.contains(dot) else ["touch"] if polygon.intersects(dot) else []
    assert [c.how for c in area_contacts(a, a, rings[0], rings[1:])] == expected


def test_passing_a_corner_from_inside_does_not_end_the_way_through() -> None:
    comb = [(0, 0), (8, 0), (8, 8), (6, 8), (4, 4), (2, 8), (0, 8)]
    assert spans(area_contacts((-4, 4), (12, 4), comb)) == [("through", Fraction(1, 4), Fraction(3, 4))]
    hole = [(3, 1), (5, 1), (4, 2)]
    assert spans(area_contacts((0, 2), (8, 2), comb, [hole])) == [("through", 0, 1)]
    assert [c.how for c in area_contacts((0, 1), (8, 1), comb, [hole])] == ["through", "along", "through"]
    assert [c.how for c in area_contacts((2, 9), (6, 7), comb)] == ["through"]
    assert [c.how for c in area_contacts((0, 9), (2, 7), comb)] == ["through"]
    assert [c.how for c in area_contacts((0, 0), (-3, 0), comb)] == ["touch"]


# -- many segments -------------------------------------------------------------------------------------------------


@given(rings=areas(), seed=st.integers(0, 10**6))
def test_many_segments_against_a_ring(rings: list, seed: int) -> None:
    rng = np.random.default_rng(seed)
    starts, ends = rng.integers(-1, 10, size=(2, 60, 2))
    found = segments_hit_ring(starts, ends, rings[0])
    for row, (a, b) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        hows = {c.how for c in area_contacts(tuple(a), tuple(b), rings[0])} if a != b else set()
        assert found[row] == bool(hows & {"through", "along"}), (a, b)


@given(line=st.lists(near, min_size=1, max_size=8), ring=st.booleans(), seed=st.integers(0, 10**6))
def test_many_segments_against_a_drawn_line(line: list, ring: bool, seed: int) -> None:
    line = [*line, line[0]] if ring else line
    rng = np.random.default_rng(seed)
    starts, ends = rng.integers(-1, 7, size=(2, 60, 2))
    found = segments_meet_line(starts, ends, line)
    bits = {"touch": TOUCH, "along": ALONG, "cross": CROSS}
    for row, (a, b) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        assert found[row] == sum({bits[c.how] for c in line_contacts(tuple(a), tuple(b), line)}), (a, b)


def test_the_largest_coordinates_still_fit() -> None:
    far = COORDINATE_LIMIT
    ring = [(-far, -far), (far, -far), (far, far), (-far, far)]
    starts, ends = [(-far, far - 1), (-far, far), (-far, -far)], [(far, far - 2), (far, far), (-far, -far)]
    assert segments_hit_ring(starts, ends, ring).tolist() == [True, True, False]
    assert segments_hit_ring([(-far, -far)], [(far, far)], [(0, 0), (1, 0), (far, far), (0, 1)]).tolist() == [True]
    with pytest.raises(OverflowError, match="allowed up to 268435456"):
        segments_hit_ring([(far + 1, 0)], [(0, 0)], ring)


# -- candidates ----------------------------------------------------------------------------------------------------


@given(lines=st.lists(st.lists(wide, min_size=1, max_size=4), max_size=12), a=wide, b=wide)
def test_candidates_leave_out_nothing_that_is_met(lines: list, a: Point, b: Point) -> None:
    chosen = Shapes(lines).near(a, b)
    assert chosen == sorted(set(chosen))
    for number, line in enumerate(lines):
        if line_contacts(a, b, line):
            assert number in chosen


def test_candidates_leave_out_what_lies_beside_the_segment() -> None:
    boxes = [[(10 * n, 10 * m), (10 * n + 4, 10 * m + 4)] for n in range(20) for m in range(20)]
    assert len(Shapes(boxes).near((0, 0), (199, 199))) < 40
