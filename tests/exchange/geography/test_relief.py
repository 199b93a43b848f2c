"""By how much the ground differs around a pixel: held equal to looking at every pair of pixels."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from pyproj import Geod

from studio.exchange.geodata.raster import Raster
from studio.exchange.geography.ground.relief import Reach, relief

GEOD = Geod(ellps="WGS84")


def even(rows: int, right: tuple[float, float], down: tuple[float, float]) -> Reach:
    """A raster on a plane."""
    return Reach(np.tile(np.array(right), (rows, 1)), np.tile(np.array(down), (rows, 1)))


def by_pairs(heights: NDArray[Any], known: NDArray[Any], reach: Reach, within: float) -> NDArray[Any]:
    """The reference: every pixel against every other one."""
    found = np.zeros(heights.shape)
    rows, columns = heights.shape
    for row in range(rows):
        right, down = reach.right[row], reach.down[row]
        for column in range(columns):
            if not known[row, column]:
                continue
            near = []
            for y in range(rows):
                for x in range(columns):
                    way = (x - column) * right + (y - row) * down
                    if known[y, x] and math.hypot(*way) <= within * (1 + 1e-9):
                        near.append(float(heights[y, x]))
            found[row, column] = max(near) - min(near)
    return found


@st.composite
def grounds(draw: Any, most: int = 7) -> tuple[NDArray[Any], NDArray[Any]]:
    rows, columns = draw(st.integers(1, most)), draw(st.integers(1, most))
    count = rows * columns
    heights = draw(st.lists(st.integers(-50, 3000), min_size=count, max_size=count))
    known = draw(st.lists(st.sampled_from([True, True, True, False]), min_size=count, max_size=count))
    return np.array(heights).reshape(rows, columns), np.array(known).reshape(rows, columns)


STEPS = [
    ((100.0, 0.0), (0.0, -100.0)),
    ((70.0, 0.0), (0.0, -110.0)),
    ((80.0, 30.0), (30.0, -80.0)),  # turned
    ((90.0, 0.0), (55.0, -100.0)),  # sheared
    ((60.0, 20.0), (70.0, -40.0)),
]


@given(grounds(), st.sampled_from(STEPS), st.floats(10, 700))
def test_it_is_what_every_pair_of_pixels_says(ground: Any, steps: Any, within: float) -> None:
    heights, known = ground
    reach = even(len(heights), *steps)
    found = relief(heights, known, reach, within)
    assert found.tolist() == by_pairs(heights, known, reach, within).tolist()


def test_pixels_on_the_very_distance_count() -> None:
    heights = np.zeros((7, 7))
    heights[3, 3] = 100
    found = relief(heights, np.ones((7, 7), bool), even(7, (1000.0, 0.0), (0.0, -1000.0)), 3000.0)
    far = np.hypot(*np.meshgrid(np.arange(7) - 3, np.arange(7) - 3))
    assert (found == np.where(far <= 3, 100, 0)).all()


@pytest.mark.parametrize("pixel", [20.0, 9.0])
def test_far_beyond_a_pixel_blocks_stand_for_pixels(pixel: float) -> None:
    rng = np.random.default_rng(5)
    heights = rng.integers(0, 1000, (90, 70)) ** 3 // 1_000_000
    known, within = rng.random((90, 70)) < 0.9, 700.0
    reach = even(90, (pixel, 0.0), (0.0, -pixel))
    found = relief(heights, known, reach, within)
    off = 1.5 * pixel * math.ceil(within / pixel / 24)
    # One disc of a little less and one of a little more lie around what was found.
    least, most = (_by_disc(heights, known, pixel, within + sign * off) for sign in (-1, 1))
    assert ((least <= found) & (found <= most)).all()
    assert found.max() > 0


def _by_disc(heights: NDArray[Any], known: NDArray[Any], pixel: float, within: float) -> NDArray[Any]:
    rows, columns = heights.shape
    y, x = np.mgrid[0:rows, 0:columns]
    found = np.zeros(heights.shape)
    for row in range(rows):
        for column in range(columns):
            near = known & (np.hypot(x - column, y - row) * pixel <= within)
            if known[row, column]:
                found[row, column] = heights[near].max() - heights[near].min()
    return found


def raster(values: NDArray[Any], affine: Any) -> Raster:
    return Raster(values, affine, "", None)


def test_pixels_in_degrees_are_narrow_in_the_north() -> None:
    values = np.zeros((7000, 4), dtype=np.int16)
    reach = Reach.of(raster(values, (0.01, 0.0, 20.0, 0.0, -0.01, 70.0)), "EPSG:4326")
    for row in (0, 1234, 6999):
        lat = 70 - 0.01 * (row + 0.5)
        wide = GEOD.inv(20.015, lat, 20.025, lat)[2]
        high = GEOD.inv(20.02, lat + 0.005, 20.02, lat - 0.005)[2]
        assert reach.right[row] == pytest.approx([wide, 0], abs=0.1)
        assert reach.down[row] == pytest.approx([0, -high], abs=0.1)
    bands = reach.bands()
    assert [first for first, _ in bands] == [0, *(last for _, last in bands[:-1])]
    assert bands[-1][1] == 7000
    for first, last in bands:
        ends = reach.right[[first, last - 1], 0]
        assert ends.max() / ends.min() < 1.012


@pytest.mark.parametrize(("crs", "affine", "metres"), [
    ("EPSG:32638", (500.0, 0.0, 500_000.0, 0.0, -500.0, 3_500_000.0), 500.0),
    ("EPSG:3857", (1000.0, 0.0, 5_000_000.0, 0.0, -1000.0, 8_399_737.0), 500.0),  # at 60 degrees north
    ("EPSG:2263", (1000.0, 0.0, 980_000.0, 0.0, -1000.0, 200_000.0), 304.8),  # in feet
])  # fmt: skip
def test_metres_are_those_of_the_ground(crs: str, affine: Any, metres: float) -> None:
    reach = Reach.of(raster(np.zeros((3, 3)), affine), crs)
    assert np.hypot(*reach.right.T) == pytest.approx(np.full(3, metres), rel=0.005)
    assert np.hypot(*reach.down.T) == pytest.approx(np.full(3, metres), rel=0.005)
    assert reach.least == pytest.approx(metres, rel=0.005)


def test_a_turned_raster_is_measured_along_its_own_axes() -> None:
    turned = (300.0, 400.0, 500_000.0, 400.0, -300.0, 3_500_000.0)
    reach = Reach.of(raster(np.zeros((2, 2)), turned), "EPSG:32638")
    assert np.hypot(*reach.right.T) == pytest.approx(np.full(2, 500.0), rel=0.001)
    assert (reach.right * reach.down).sum(axis=1) == pytest.approx(np.zeros(2), abs=100)


@settings(max_examples=10)
@given(st.integers(0, 1000))
def test_a_raster_across_latitudes_lies_between_two_distances(seed: int) -> None:
    rng = np.random.default_rng(seed)
    heights = rng.integers(0, 2000, (14, 10))
    known = rng.random((14, 10)) < 0.9
    affine, within = (1.0, 0.0, 10.0, 0.0, -1.0, 75.0), 260_000.0
    found = relief(heights, known, Reach.of(raster(heights, affine), "EPSG:4326"), within)
    reach = Reach.of(raster(heights, affine), "EPSG:4326")
    least, most = (by_pairs(heights, known, reach, within * part) for part in (0.98, 1.02))
    assert ((least <= found) & (found <= most)).all()


def test_the_pole_and_nowhere_do_no_harm() -> None:
    heights = np.arange(40.0).reshape(4, 10)
    found = relief(
        heights, np.ones((4, 10), bool), Reach.of(raster(heights, (36.0, 0, -180.0, 0, -0.5, 90.0)), "EPSG:4326"), 3e5
    )
    assert np.isfinite(found).all()
    nowhere = Reach.of(raster(heights, (1.0, 0, 5e9, 0, -1.0, 5e9)), "EPSG:32638")
    assert not relief(heights, np.ones((4, 10), bool), nowhere, 100.0).any()
    assert nowhere.least == 0


def test_nothing_known() -> None:
    heights = np.full((4, 4), np.nan)
    assert not relief(heights, np.zeros((4, 4), bool), even(4, (10.0, 0.0), (0.0, -10.0)), 30.0).any()
