"""Polygons as outlines: whatever comes in, what comes out lies on the lattice, overlaps nowhere, and loses little."""

import itertools

import pytest
import shapely
from hypothesis import example, given
from hypothesis import strategies as st
from shapely import Polygon, box

from studio.checks import check_map
from studio.exchange.common.footprints import Tidying, tidy
from studio.exchange.common.ground import new_map, surveyed
from studio.grid import HexGrid
from studio.model import Area
from studio.rules import get_ruleset

GRID = HexGrid(columns=8, rows=8)
HEX = Polygon(GRID.corners(0)).area
numbers = st.integers(-200, 4200).map(lambda n: n + 0.37)


@st.composite
def rings(draw: st.DrawFn) -> Polygon:
    """Rectangles that stand straight or slanted, and any three to six points, which may cross themselves."""
    if draw(st.booleans()):
        x, y, wide, high = draw(numbers), draw(numbers), draw(st.integers(20, 1500)), draw(st.integers(20, 1500))
        slant = draw(st.sampled_from([0, 0, 7, 120]))
        return Polygon([(x, y), (x + wide, y + slant), (x + wide - slant, y + high + slant), (x - slant, y + high)])
    return Polygon(draw(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=6, unique=True)))


def drawn(polygons: list[Polygon]) -> list[str]:
    """Draw polygons as buildings, and return what is wrong with them."""
    rules = get_ruleset("urban_operations")
    model = new_map(rules, GRID)
    for number, one in enumerate(polygons):
        (outline, *holes) = (
            tuple((int(x), int(y)) for x, y in ring.coords[:-1]) for ring in (one.exterior, *one.interiors)
        )
        area = Area(id=f"area-{number}", type="building", outline=outline, holes=tuple(holes), name=str(number))
        model.features[area.id] = area
    wrong = ("map.area_empty", "map.area_shape", "map.corner_repeated", "map.hole", "map.off_map", "map.overlap")
    return [one.rule for one in check_map(surveyed(model, rules), rules, file="") if one.rule in wrong]


LEAN = [Polygon([(0.37, 0.37), (0.37, 1.37), (0.37, -0.63)]), Polygon([(0, 19), (1, 37), (0, 0), (1, 20)])]


@given(st.lists(rings(), min_size=1, max_size=8), st.sampled_from([0.0, 0.05]), st.sampled_from([0.0, 0.1]))
@example(LEAN, 0.0, 0.1)
def test_areas_that_share_their_borders_cover_what_was_covered_once(shapes, simplify, close):
    found = tidy(GRID, shapes, Tidying(simplify=simplify, touching="share", close=close))
    polygons = [one.polygon for one in found.footprints]
    frame = box(*GRID.frame)
    assert all(one.is_valid and one.geom_type == "Polygon" and frame.covers(one) for one in polygons)
    assert all(value == int(value) for value in shapely.get_coordinates(polygons).ravel())
    for a, b in itertools.combinations(polygons, 2):
        assert not shapely.relate_pattern(a, b, "T********"), "the insides meet"
    # What lines remain of shapes that cross themselves has no size.
    before = shapely.union_all([shapely.buffer(shapely.make_valid(one), 0) for one in shapes]).intersection(frame)
    after = shapely.union_all(polygons)
    room = 4 + close * 600
    # A corner that goes takes with it, or adds, what it cut off: long and thin perhaps, but small.
    small = 1 + found.corners[0] * (simplify * 600) ** 2
    assert shapely.difference(after, before.buffer(room)).area < small
    assert shapely.difference(before.buffer(-3), after.buffer(room)).area < small
    rows = {row for one in found.footprints for row in one.rows}
    assert rows | {*found.small, *found.beside, *found.covered} == set(range(len(shapes)))
    assert not drawn(polygons)


@given(st.lists(rings(), min_size=1, max_size=6))
def test_areas_that_are_merged_touch_in_no_border(shapes):
    found = tidy(GRID, shapes, Tidying(touching="merge"))
    for a, b in itertools.combinations([one.polygon for one in found.footprints], 2):
        assert shapely.length(shapely.intersection(a, b)) == 0


@pytest.mark.parametrize("touching", ["as_is", "share", "merge"])
def test_nothing_and_what_has_no_area_give_nothing(touching):
    how = Tidying(touching=touching, simplify=0.1, close=0.1)
    assert tidy(GRID, [], how).footprints == []
    found = tidy(GRID, [None, shapely.Point(5, 5), Polygon(), box(-500, 0, -100, 100)], how)
    assert (found.footprints, found.beside, found.small) == ([], [1, 2, 3], [])


def test_a_row_of_houses_keeps_its_walls_when_corners_go():
    houses = [
        Polygon([(x, 500), (x + 400, 505), (x + 400, 900), (x + 200, 903), (x, 900)]) for x in range(500, 2500, 400)
    ]
    found = tidy(GRID, houses, Tidying(simplify=0.1, touching="share"))
    polygons = [one.polygon for one in found.footprints]
    assert shapely.coverage_is_valid(polygons) and [one.rows for one in found.footprints] == [(n,) for n in range(5)]
    for left, right in itertools.pairwise(polygons):
        assert set(left.exterior.coords) & set(right.exterior.coords) and left.intersection(right).length > 390
    assert found.corners[1] < found.corners[0]


def test_the_order_of_the_rows_decides_nothing_but_names():
    shapes = [box(500, 500, 1500, 1500), box(1400, 600, 2600, 1700), box(1000, 1450, 1900, 2500)]
    one, other = (tidy(GRID, order, Tidying(touching="share")) for order in (shapes, shapes[::-1]))
    assert {f.polygon.wkt for f in one.footprints} == {f.polygon.wkt for f in other.footprints}


def test_holes_that_are_too_small_are_filled_whatever_touches():
    ring = box(500, 500, 2500, 2500).difference(box(600, 600, 700, 700)).difference(box(1000, 1000, 2000, 2000))
    for touching in ("as_is", "share"):
        (found,) = tidy(GRID, [ring], Tidying(least=0.2, touching=touching)).footprints
        assert found.polygon.area == pytest.approx(ring.area + 100 * 100)
    assert HEX * 0.2 > 100 * 100
