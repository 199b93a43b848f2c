"""What areas leave uncovered and where they overlap: known cases, and shapely as the second opinion."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import UnknownNameError
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, MapModel, Point
from studio.survey import Survey, find_gaps, find_overlaps


def survey_of(*areas: Area) -> Survey:
    model = MapModel("test", HexGrid(columns=6, rows=6), LabelScheme.ccrr(), {"clear": "."})
    model.features = {area.id: area for area in areas}
    return Survey(model)


def area(name: str, *outline: Point, holes: tuple[tuple[Point, ...], ...] = (), within: str = "") -> Area:
    return Area(id=name, type="zone", outline=outline, holes=holes, within=within)


def box(name: str, x0: int, y0: int, x1: int, y1: int, **more: object) -> Area:
    return area(name, (x0, y0), (x1, y0), (x1, y1), (x0, y1), **more)  # type: ignore[arg-type]


def test_a_common_border_and_a_common_corner_are_no_overlap() -> None:
    survey = survey_of(box("a", 0, 0, 10, 10), box("b", 10, 0, 20, 10), box("c", 20, 10, 30, 20))
    assert find_overlaps(survey, ["a", "b", "c"]) == []
    assert find_gaps(survey, ["a", "b", "c"]) == []


def test_an_overlap_is_told_with_its_exact_region() -> None:
    survey = survey_of(box("a", 0, 0, 10, 10), box("b", 7, 4, 20, 8), box("c", 100, 100, 110, 110))
    (overlap,) = find_overlaps(survey, ["c", "b", "a"])
    assert (overlap.a, overlap.b, overlap.area) == ("a", "b", Fraction(12))
    assert overlap.polygon.equals(shapely.box(7, 4, 10, 8))
    assert overlap.polygon.contains(shapely.Point(overlap.point))


def test_a_sliver_thinner_than_the_lattice_is_found() -> None:
    # The two borders differ by one unit at the far end of a long edge, and cross between lattice points.
    left = area("a", (0, 0), (1000, 0), (1001, 3001), (0, 3001))
    right = area("b", (1000, 0), (3000, 0), (3000, 3001), (1002, 3001), (1000, 1500))
    (overlap,) = find_overlaps(survey_of(left, right), ["a", "b"])
    assert 0 < overlap.area < Fraction(500)
    assert overlap.area.denominator > 1
    exact = left_and_right = shapely.Polygon(left.outline).intersection(shapely.Polygon(right.outline))
    assert float(overlap.area) == pytest.approx(exact.area, rel=1e-6)
    assert left_and_right.distance(shapely.Point(overlap.point)) <= 1.5


def test_equal_areas_overlap_and_parts_do_not() -> None:
    survey = survey_of(box("a", 0, 0, 10, 10), box("b", 0, 0, 10, 10), box("c", 0, 0, 10, 5, within="a"))
    found = find_overlaps(survey, ["a", "b", "c"])
    assert [(one.a, one.b, one.area) for one in found] == [("a", "b", Fraction(100)), ("b", "c", Fraction(50))]


def test_what_areas_enclose_is_a_gap_and_a_zone_in_it_fills_it() -> None:
    ring = box("a", 0, 0, 30, 30, holes=(((10, 10), (20, 10), (20, 20), (10, 20)),))
    (gap,) = find_gaps(survey_of(ring), ["a"])
    assert (gap.beside, gap.area) == (("a",), Fraction(100))
    assert gap.polygon.contains(shapely.Point(gap.point))
    filled = survey_of(ring, box("b", 10, 10, 20, 20))
    assert find_gaps(filled, ["a", "b"]) == []
    assert find_overlaps(filled, ["a", "b"]) == []


def test_gaps_that_meet_in_a_corner_are_two() -> None:
    holes = (((2, 2), (4, 2), (4, 4), (2, 4)), ((4, 4), (6, 4), (6, 6), (4, 6)))
    parts = [box("n", 0, 0, 8, 2), box("s", 0, 6, 8, 8), box("w", 0, 2, 2, 6), box("e", 6, 2, 8, 6)]
    parts += [box("ne", 4, 2, 6, 4), box("sw", 2, 4, 4, 6)]
    survey = survey_of(*parts)
    gaps = find_gaps(survey, [part.id for part in parts])
    assert [gap.polygon.equals(shapely.Polygon(hole)) for gap, hole in zip(gaps, holes, strict=True)] == [True, True]
    assert [gap.beside for gap in gaps] == [("n", "ne", "sw", "w"), ("e", "ne", "s", "sw")]


def test_a_gap_may_touch_itself_in_a_corner() -> None:
    # The building is left uncovered but for a room that touches its wall in one corner.
    building, room = box("house", 0, 0, 10, 10), area("room", (0, 5), (5, 2), (5, 8))
    (gap,) = find_gaps(survey_of(building, room), ["room"], within="house")
    assert gap.area == 100 - 15
    assert gap.polygon.is_valid
    assert gap.beside == ("room",)


def test_what_an_area_leaves_open_of_another() -> None:
    survey = survey_of(
        box("house", 0, 0, 20, 10),
        box("a", 0, 0, 8, 10, within="house"),
        box("b", 8, 0, 19, 10, within="house"),
        box("far", 50, 50, 60, 60),
    )
    (gap,) = survey.coverage(["a", "b", "far"], within="house").gaps
    assert gap.polygon.equals(shapely.box(19, 0, 20, 10))
    assert find_gaps(survey, ["house"], within="house")[0].area == 200
    assert "1 gaps, 0 overlaps" in repr(survey.coverage(["a", "b"], within="house"))


def test_an_area_that_crosses_itself_is_left_out() -> None:
    survey = survey_of(box("a", 0, 0, 10, 10), area("x", (0, 0), (10, 10), (10, 0), (0, 10)))
    assert survey.coverage(["a", "x"]).ids == ["a"]
    assert find_overlaps(survey, ["a", "x"]) == []
    assert find_gaps(survey, ["a"], within="x") == []


def test_unknown_areas_are_named() -> None:
    with pytest.raises(UnknownNameError, match="no area has the id 'b'"):
        find_gaps(survey_of(box("a", 0, 0, 10, 10)), ["b"])


@st.composite
def sound_areas(draw: st.DrawFn, most: int = 12) -> list[Area]:
    """Small polygons on a coarse lattice, some moved a little: common borders, slivers, corners and crossings."""
    point = st.tuples(st.integers(0, most), st.integers(0, most))
    found = []
    for name in "abcde"[: draw(st.integers(1, 5))]:
        corners = draw(st.lists(point, min_size=3, max_size=6, unique=True))
        shape = shapely.Polygon(corners)
        if not shape.is_valid or not shape.area:
            shape = shapely.MultiPoint(corners).convex_hull
        if shape.geom_type == "Polygon" and shape.is_valid:
            found.append(area(name, *((round(x), round(y)) for x, y in shape.exterior.coords[:-1])))
    return found


@settings(max_examples=120, deadline=None)
@given(sound_areas())
def test_overlaps_are_those_of_shapely(areas: list[Area]) -> None:
    found: dict[tuple[str, str], list[shapely.Polygon]] = {}
    for overlap in find_overlaps(survey_of(*areas), [one.id for one in areas]):
        assert overlap.polygon.is_valid
        assert overlap.area > 0
        found.setdefault((overlap.a, overlap.b), []).append(overlap.polygon)
    for a, b in combinations(areas, 2):
        common = shapely.Polygon(a.outline).intersection(shapely.Polygon(b.outline))
        told = shapely.union_all(found.get((a.id, b.id), [shapely.Polygon()]))
        assert told.symmetric_difference(common).area < 1e-9
        assert ((a.id, b.id) in found) == (common.area > 1e-12)


def test_areas_that_meet_in_corners_enclose_a_gap() -> None:
    parts = [area("a", (0, 0), (0, 1), (1, 1)), area("b", (0, 0), (0, 2), (1, 0)), area("c", (0, 2), (0, 3), (1, 1))]
    (gap,) = find_gaps(survey_of(*parts), ["a", "b", "c"])
    assert set(gap.region.outline) == {(Fraction(1, 2), 1), (1, 1), (0, 2)}
    assert gap.area == Fraction(1, 4)


@settings(max_examples=120, deadline=None)
@given(sound_areas(), st.booleans())
def test_gaps_are_those_of_shapely(areas: list[Area], framed: bool) -> None:
    frame = box("frame", 1, 1, 11, 9)
    survey = survey_of(*areas, frame)
    gaps = find_gaps(survey, [one.id for one in areas], within="frame" if framed else None)
    union = shapely.union_all([shapely.Polygon(one.outline) for one in areas])
    if framed:
        wanted = shapely.Polygon(frame.outline).difference(union)
    else:
        # Faces between parts that meet in corners are enclosed too, though they are no holes of one polygon.
        faces = shapely.get_parts(shapely.polygonize([shapely.union_all(union.boundary)]))
        wanted = shapely.union_all(faces).difference(union)
    told = shapely.union_all([gap.polygon for gap in gaps])
    assert all(gap.polygon.is_valid for gap in gaps)
    assert told.symmetric_difference(wanted).area < 1e-9
    assert float(sum(gap.area for gap in gaps)) == pytest.approx(wanted.area, abs=1e-9)
    for gap in gaps:
        for name in gap.beside:
            edge = shapely.Polygon(next(one.outline for one in areas if one.id == name)).exterior
            assert edge.distance(gap.polygon) < 1e-9
