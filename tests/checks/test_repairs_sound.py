"""What is sound is no fault, however narrow or near; and repairs keep neighbours, and go on to the end."""

import time

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.model import Aperture, Area, Point, Wall
from tests.checks.makers import put, rectangle, town

SHAPES = {"map.borders_meet", "map.sliver", "map.overlap", "map.gap"}
Ring = tuple[Point, ...]


def zones(**rings: Ring) -> Map:
    made = studio.new_map("phantom_fury", 20, 20)
    put(made, *(Area(id=name, type="zone", outline=ring) for name, ring in rings.items()))
    return made


def grid(count: int, size: int = 480) -> Map:
    cells = [(i, j) for i in range(count) for j in range(count)]
    return zones(**{f"z{i}-{j}": rectangle(i * size, j * size, i * size + size, j * size + size) for i, j in cells})


def shape_rules(map_: Map) -> list[str]:
    return [one.rule for one in map_.check() if one.rule in SHAPES]


AROUND_A_SHORT_EDGE = {
    "top": ((0, 0), (1800, 0), (900, 897)),
    "below": ((900, 903), (1800, 1800), (0, 1800)),
    "left": ((0, 0), (900, 897), (900, 903), (0, 1800)),
    "right": ((1800, 0), (1800, 1800), (900, 903), (900, 897)),
}
ALLEY = {
    "a": rectangle(0, 0, 900, 900),
    "alley": rectangle(900, 0, 906, 900),
    "c": rectangle(906, 0, 1800, 450),
    "d": rectangle(906, 450, 1800, 900),
}
BRICKS = {
    "a": rectangle(0, 0, 900, 900),
    "c": rectangle(900, 0, 1800, 897),
    "d": rectangle(900, 897, 1800, 1800),
    "e": rectangle(0, 900, 900, 1800),
}


@pytest.mark.parametrize("rings", [AROUND_A_SHORT_EDGE, ALLEY, BRICKS], ids=["short edge", "alley", "bricks"])
def test_what_is_near_and_sound_is_no_fault(rings: dict[str, Ring]) -> None:
    map_ = zones(**rings)
    assert shape_rules(map_) == []
    map_.repair(sorted(SHAPES))
    assert {name: area.outline for name, area in map_.features.items()} == rings  # type: ignore[union-attr]


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(3, 80), st.integers(3, 80)), min_size=5, max_size=60, unique=True))
def test_a_sound_partition_of_any_shape_has_no_fault(points: list[Point]) -> None:
    """Voronoi cells have short edges at random; drawn on the lattice with their corners shared they are sound."""
    map_ = studio.new_map("phantom_fury", 10, 10)
    frame = shapely.box(0.3, 0.3, 8, 8)
    middles = shapely.MultiPoint([(x / 10 + y % 7 / 97, y / 10 + x % 5 / 89) for x, y in points])
    for cell in shapely.voronoi_polygons(middles, extend_to=frame).geoms:
        map_.add("area", type="zone", geometry=cell.intersection(frame))
    coverage = map_.survey.coverage(map_.features)
    if not coverage.gaps and not coverage.overlaps and all(map(map_.survey.is_sound, map_.features)):
        assert shape_rules(map_) == []


def test_cutting_an_area_close_to_its_border_makes_no_fault() -> None:
    map_ = grid(2)
    map_.split_area("z0-0", [[0, 475], [480, 475]])
    assert shape_rules(map_) == []


@settings(max_examples=25, deadline=None)
@given(st.tuples(st.integers(-16, 16), st.integers(-16, 16)).filter(any))
def test_a_zone_that_was_moved_goes_back(by: Point) -> None:
    map_ = grid(3)
    sound = dict(map_.features)
    ring = sound["z1-1"].outline  # type: ignore[union-attr]
    put(map_, Area(id="z1-1", type="zone", outline=tuple((x + by[0], y + by[1]) for x, y in ring)))
    map_.repair()
    assert map_.features == sound


@pytest.mark.parametrize("wide", [1, 9, 15, 23])
def test_a_slit_that_is_open_at_its_ends_is_found(wide: int) -> None:
    map_ = zones(a=rectangle(0, 0, 960, 900), b=rectangle(960 + wide, 0, 1920, 900))
    (found,) = [one for one in map_.check() if one.rule == "map.sliver"]
    assert found.at == "a/b" and found.point is not None and 960 <= found.point[0] <= 960 + wide
    map_.repair()
    assert [border.segments for border in map_.survey.borders] == [(((960, 0), (960, 900)),)]


def test_which_of_two_corners_is_right_is_not_guessed() -> None:
    map_ = zones(a=((0, 0), (500, 30), (470, 400), (0, 370)), b=((503, 31), (990, 0), (1000, 380), (470, 400)))
    (found,) = [one for one in map_.check() if one.rule == "map.borders_meet"]
    assert found.repair is None and "cannot be told" in found.remedy


def test_a_corner_is_not_judged_by_an_edge_whose_other_end_is_at_fault() -> None:
    """The lower end of the border was moved too; mended, it shows that the upper corner of zone 1 is right."""
    rings = {
        "a": rectangle(0, 0, 1440, 1440),
        "b": rectangle(1440, 0, 2880, 1440),
        "c": rectangle(2880, 0, 4320, 1440),
        "d": rectangle(0, 1440, 4320, 1920),
    }
    moved = {"a": ((0, 0), (1440, 0), (1444, 1437), (0, 1440)), "b": ((1445, 0), *rings["b"][1:])}
    assert rings["a"][2] == (1440, 1440) and rings["b"][0] == (1440, 0)
    map_ = zones(**(rings | moved))
    offers = {one.point: one.repair for one in map_.check() if one.rule == "map.borders_meet"}
    assert offers.pop((1444, 1437)) is not None and set(offers.values()) == {None}
    map_.repair("map.borders_meet")
    assert {name: area.outline for name, area in map_.features.items()} == rings  # type: ignore[union-attr]
    assert shape_rules(map_) == []


def test_an_aperture_beside_another_is_not_moved_onto_it() -> None:
    map_ = town()
    put(map_, Aperture(id="e", type="aperture", at=(1720, 997), into="1.1", arrows=(("0303",),)))
    (found,) = [one for one in map_.check() if one.rule == "map.aperture_on_wall"]
    assert found.repair is None and "map.aperture_once" in found.remedy


def test_a_wall_drawn_twice_and_an_aperture_at_a_corner_are_told() -> None:
    map_ = town()
    wall = map_.features["wall"]
    assert isinstance(wall, Wall)
    put(map_, Wall(id="wall-2", type=wall.type, line=wall.line[::-1]))
    put(map_, Aperture(id="e", type="aperture", at=(1520, 1000), into="1.1", arrows=(("0302",),)))
    found = {(one.rule, one.at) for one in map_.check()}
    assert {("map.wall_once", "wall-2"), ("map.aperture_corner", "e")} <= found
    map_.repair("map.wall_once")
    assert "wall-2" not in map_.features


def test_a_repair_costs_no_more_than_looking_again() -> None:
    map_ = grid(40, 100)
    map_.move("z20-20", 3, 0)
    begin = time.process_time()
    map_.check()
    once = time.process_time() - begin
    begin = time.process_time()
    assert len(map_.repair("map.borders_meet")) == 4
    assert time.process_time() - begin < 3 * once + 1
