"""What part of hexes and lines polygons cover: the fast way is held equal to one cut after another."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from studio.exchange.common.shares import cover_by_hex, covered, most_of, reached
from studio.grid import HexGrid
from tests.exchange.contents import grids

POINTS = st.tuples(st.integers(-400, 5000), st.integers(-400, 4000))


@st.composite
def shapes(draw: Any) -> Any:
    """Something that a layer may hold: rings that cross themselves, holes, parts, other shapes, nothing."""
    kind = draw(st.sampled_from(["ring", "ring", "ring", "hole", "box", "parts", "line", "point", "empty", "none"]))
    ring = draw(st.lists(POINTS, min_size=3, max_size=9))
    if kind == "ring":
        return shapely.Polygon(ring)
    if kind == "hole":
        outer = shapely.box(-100, -100, 3000, 2500)
        return shapely.make_valid(outer).difference(shapely.make_valid(shapely.Polygon(ring)))
    if kind == "box":
        (x0, y0), (x1, y1) = ring[:2]
        return shapely.box(min(x0, x1), min(y0, y1), max(x0, x1) + 1, max(y0, y1) + 1)
    if kind == "parts":
        return shapely.MultiPolygon([shapely.Polygon(ring), shapely.box(100, 100, 700, 500)])
    if kind == "line":
        return shapely.LineString(ring)
    if kind == "point":
        return shapely.Point(ring[0])
    return shapely.Polygon() if kind == "empty" else None


def polygonal(shape: Any) -> Any:
    """The polygons of a shape, mended."""
    if shape is None:
        return shapely.Polygon()
    sound = [shapely.make_valid(part) for part in shapely.get_parts(shape)]
    parts = [one for part in sound for one in shapely.get_parts(part) if one.area > 0]
    return shapely.union_all(parts) if parts else shapely.Polygon()


def reference(one: Any, layer: list[Any]) -> float:
    whole = shapely.union_all([polygonal(shape) for shape in layer], grid_size=1e-6)
    size = one.length if one.geom_type == "LineString" else one.area
    cut = shapely.intersection(one, whole, grid_size=1e-6)
    return (cut.length if one.geom_type == "LineString" else cut.area) / size


def many(layer: list[Any]) -> Any:
    found = np.empty(len(layer), dtype=object)
    found[:] = layer
    return found


@given(grids(4), st.lists(shapes(), max_size=4))
def test_hexes_are_covered_as_one_cut_after_another_says(grid: HexGrid, layer: list[Any]) -> None:
    found = cover_by_hex(grid, many(layer))
    for cell in range(grid.cells):
        wanted = reference(shapely.Polygon(grid.corners(cell)), layer) if grid.has(cell) else 0.0
        assert found[cell] == pytest.approx(wanted, abs=1e-6), cell


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=6), st.lists(shapes(), max_size=4))
def test_lines_are_covered_as_one_cut_after_another_says(ends: list[Any], layer: list[Any]) -> None:
    lines = [shapely.LineString(pair) for pair in ends if pair[0] != pair[1]]
    found = covered(many(lines), many(layer))
    # Along borders the mended shapes of the two ways may differ by the last digit of a coordinate.
    wide = [polygonal(shape).buffer(1e-6) for shape in layer]
    slim = [polygonal(shape).buffer(-1e-6) for shape in layer]
    for share, line in zip(found, lines, strict=True):
        assert reference(line, slim) - 1e-6 <= share <= reference(line, wide) + 1e-6


def ragged(count: int, seed: int = 3) -> Any:
    """An island with a rough coast and a lake."""
    rng = np.random.default_rng(seed)
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    far = 1800 + np.cumsum(rng.normal(0, 200 / count**0.5, count))
    coast = np.stack((2200 + far * np.cos(turn), 1900 + far * np.sin(turn)), axis=1)
    lake = np.stack((2300 + 500 * np.cos(turn), 1700 + 400 * np.sin(turn)), axis=1)
    return shapely.make_valid(shapely.Polygon(coast, [lake]))


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_rough_coast_is_cut_into_pieces_and_covers_the_same(orientation: Any) -> None:
    grid, island = HexGrid(columns=6, rows=8, orientation=orientation), ragged(3000)
    found = cover_by_hex(grid, many([island]))
    wanted = [shapely.Polygon(grid.corners(cell)).intersection(island).area for cell in range(grid.cells)]
    assert found * shapely.Polygon(grid.corners(0)).area == pytest.approx(np.array(wanted), abs=1e-3)
    line = shapely.LineString([(0, 0), (4400, 3800)])
    assert covered(many([line]), many([island]))[0] == pytest.approx(line.intersection(island).length / line.length)


def test_a_line_on_a_border_where_polygons_are_cut_counts_once() -> None:
    # The box has so many vertices that it is cut in its middle, where the line runs.
    box = shapely.segmentize(shapely.box(0, 0, 1000, 400), 1.0)
    line = shapely.LineString([(500, 100), (500, 300)])
    half = shapely.LineString([(500, 300), (500, 500)])
    assert covered(many([line, half]), many([box, shapely.box(400, 0, 500, 400)])).tolist() == [1.0, 0.5]


def test_a_hole_of_no_width_does_not_swallow_the_hex_around_it() -> None:
    hole = [
        (1131.681397846049, 241.26264821739935), (784.2900347538988, 1.2672926329041359),
        (784.2900347538988, 1.267292632904134),
    ]  # fmt: skip
    sliver = shapely.Polygon(shapely.box(-9000, -9000, 9000, 9000).exterior, [hole])
    assert sliver.is_valid
    assert cover_by_hex(HexGrid(columns=2, rows=2), many([sliver])).tolist() == [1.0] * 4


def test_everything_nothing_and_no_hex() -> None:
    grid = HexGrid(columns=3, rows=3, short=True)
    whole = cover_by_hex(grid, many([shapely.box(-9e5, -9e5, 9e5, 9e5)]))
    assert whole.tolist() == grid.present.ravel().astype(float).tolist()
    assert not cover_by_hex(grid, many([shapely.box(1e6, 1e6, 2e6, 2e6)])).any()
    assert not cover_by_hex(grid, many([])).any()
    assert len(covered(many([]), many([shapely.box(0, 0, 1, 1)]))) == 0


@given(st.integers(1, 2000), st.data(), st.integers(0, 1000))
def test_a_threshold_that_is_reached_exactly_is_reached(total: int, data: Any, thousandths: int) -> None:
    count, least = data.draw(st.integers(0, total)), thousandths / 1000
    wanted = count > 0 and Fraction(count, total) >= Fraction(thousandths, 1000)
    assert reached(np.round(np.array([count / total]), 9), least).tolist() == [wanted]


@given(st.lists(st.tuples(st.integers(-1, 5), st.integers(-1, 2)), max_size=40))
def test_pixels_are_counted_by_hex_and_code(pixels: list[tuple[int, int]]) -> None:
    cells, codes = (np.array([pair[at] for pair in pixels], dtype=np.int64) for at in (0, 1))
    shares, counts = most_of(cells, codes, 6, 3)
    for cell in range(6):
        assert counts[cell] == sum(one == cell for one, _ in pixels)
        assert shares[cell].tolist() == [pixels.count((cell, code)) for code in range(3)]
