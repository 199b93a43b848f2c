"""Shapes that people hand over: shapely geometry in map units, and everything that is no shape at all."""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.api import Map, RecoveredWarning
from studio.errors import EditError, StudioError
from studio.model import Area


def town(**options: Any) -> Map:
    return studio.new_map("urban_operations", columns=6, rows=6, **options)


def tactics() -> Map:
    return studio.new_map("modern_tactics", columns=6, rows=6)


SQUARE = shapely.box(1, 1, 3, 2)
RING = shapely.Polygon(SQUARE.exterior, [shapely.box(1.5, 1.2, 2, 1.7).exterior])


# -- geometry ------------------------------------------------------------------------------------------------------


def test_a_polygon_is_an_area_with_its_holes_on_the_lattice() -> None:
    map_ = town()
    name = map_.add("area", type="building", name="12", geometry=RING)
    area: Any = map_.features[name]
    assert len(area.outline) == 4 and len(area.holes) == 1
    assert set(area.outline) == {map_.grid.to_lattice(x, y) for x, y in RING.exterior.coords}
    assert map_.geometry(name).symmetric_difference(RING).area < 0.01
    assert map_.add("area", type="building", geometry=geopandas.GeoSeries([SQUARE]))
    assert map_.add("area", type="building", geometry=geopandas.GeoDataFrame(geometry=[SQUARE]))
    assert map_.add({"kind": "area", "type": "building", "geometry": SQUARE.reverse()})
    high = shapely.Polygon([(1, 1, 9), (2, 1, 9), (2, 2, 9)])
    assert map_.add("area", type="building", geometry=high)


def test_lines_are_walls_contours_and_roads() -> None:
    map_ = town()
    line = shapely.LineString([(0.5, 1), (2, 1.5), (4, 1)])
    wall = map_.add("wall", type="outer_wall", geometry=line)
    assert map_.geometry(wall).equals_exact(line, tolerance=0.002)
    desert = studio.new_map("armageddon_war", columns=6, rows=6)
    contour = desert.add("contour", level=1, geometry=shapely.box(1, 1, 3, 3).exterior)
    drawn: Any = desert.features[contour]
    assert drawn.line[0] == drawn.line[-1]
    road = desert.add("road", geometry=line)
    path = desert.features[road].path  # type: ignore[union-attr]
    cells = desert.labels.cells(path)
    assert all(desert.grid.direction(a, b) is not None for a, b in pairwise(cells))
    crossed = [shapely.get_point(line, n) for n in range(3)]
    assert all(any(desert.grid.outline(cell).distance(point) < 0.01 for cell in cells) for point in crossed)
    named = desert.add("road", path=["0101", "0201"], geometry=shapely.LineString([(0.5, 0.5), (1, 1)]))
    assert desert.features[named].path == ("0101", "0201")  # type: ignore[union-attr]
    assert desert.geometry(desert.add("road", path=["0101", "0201"])).geom_type == "LineString"
    assert desert.geometry(desert.add("crest", path=["0101"])).geom_type == "Point"
    with pytest.raises(EditError, match="does not run from hex to hex on the map"):
        desert.add("road", geometry=shapely.LineString([(0.5, -3), (1, -4)]))


def test_a_road_along_hexsides_and_through_corners_runs_from_hex_to_hex() -> None:
    desert = studio.new_map("armageddon_war", columns=6, rows=6)
    corners = [desert.grid.to_map(*corner) for corner in desert.grid.corners(desert.labels.cell("0303"))]
    for line in ([corners[0], corners[3]], corners, [desert.grid.to_map(480, 240), corners[0], corners[1]]):
        road = desert.add("road", geometry=shapely.LineString(line))
        assert desert.features[road].path  # type: ignore[union-attr]


def test_points_are_places_names_apertures_and_dots() -> None:
    map_ = town()
    point = shapely.Point(map_.grid.to_map(480, 240))
    house = map_.add("area", type="room", name="12.1", geometry=SQUARE)
    names = [
        map_.add("place", type="roof", name="12 roof", geometry=point),
        map_.add("name", text="Inn", geometry=point),
        map_.add("aperture", type="aperture", into="12.1", geometry=point),
        map_.add("dot", at="0101", geometry=point),
    ]
    assert [map_.geometry(name).equals(point) for name in names] == [True] * 4
    link = map_.add("link", type="roof_access", a="12.1", b="12 roof")
    assert map_.geometry(link).geom_type == "LineString"
    assert map_.geometry(map_.add("marker", type="smoke", at="12.1")).geom_type == "Point"
    assert map_.geometry(map_.add("marker", type="smoke", at="0101", also=["0102"])).geom_type == "MultiPoint"
    assert map_.geometry(house).geom_type == "Polygon"
    with pytest.raises(EditError, match="no feature has the id or the label 'attic'"):
        map_.geometry("attic")


@given(corners=st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 2800)), min_size=3, max_size=7, unique=True))
def test_what_lies_on_the_lattice_comes_back_as_it_was(corners: list[tuple[int, int]]) -> None:
    ring = shapely.Polygon(corners)
    map_ = town()
    drawn = shapely.Polygon([map_.grid.to_map(x, y) for x, y in corners])
    if not ring.is_valid or not drawn.is_valid:
        return
    name = map_.add("area", type="building", geometry=drawn)
    area = map_.features[name]
    assert isinstance(area, Area) and area.outline == tuple(corners)
    again = map_.add("area", type="building", geometry=map_.geometry(name))
    assert map_.features[again].outline == area.outline  # type: ignore[union-attr]


with np.errstate(invalid="ignore"):
    NAN = shapely.LineString([(1, math.nan), (1, 1)])
    FAR = shapely.Polygon([(0, 0), (math.inf, 1), (0, 1)])
BOW = shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)])


@pytest.mark.parametrize(
    ("kind", "geometry", "match"),
    [
        ("area", None, r"got geometry=None; allowed: a shapely Polygon in map units"),
        ("area", [[0, 0], [1, 1]], r"allowed: a shapely Polygon"),
        ("area", shapely.Polygon(), "got an empty Polygon"),
        ("area", shapely.Point(1, 1), "got a Point; allowed: a shapely Polygon"),
        ("area", shapely.box(0, 0, 1, 1).exterior, "got a LinearRing; allowed: a shapely Polygon"),
        ("area", shapely.MultiPolygon([SQUARE, shapely.box(4, 4, 5, 5)]), "MultiPolygon of 2 parts; .*geometry.geoms"),
        ("area", shapely.GeometryCollection([SQUARE]), "GeometryCollection of 1 parts"),
        ("area", BOW, r"not valid: Self-intersection.*make_valid"),
        ("area", shapely.box(1, 1, 1.0001, 1.0001), "nothing is left of the geometry on the lattice"),
        ("area", shapely.Polygon([(0, 0), (3, 0.0001), (0, 0.0002)]), "nothing is left|on the lattice its outline"),
        ("area", FAR, "has the point \\(inf, 1.0\\)"),
        ("area", shapely.box(0, 0, 1e300, 1), "far off the map|whole lattice units|nothing is left"),
        ("area", geopandas.GeoSeries([SQUARE, SQUARE]), "got 2 geometries; add them one by one"),
        ("area", geopandas.GeoSeries([None]), "got geometry=None|allowed: a shapely Polygon"),
        ("wall", SQUARE, "got a Polygon; allowed: a shapely LineString"),
        ("wall", shapely.LineString([(1, 1), (1, 1)]), "nothing is left"),
        ("wall", NAN, "finite numbers"),
        ("name", shapely.LineString([(1, 1), (2, 1)]), "allowed: a shapely Point"),
        ("link", shapely.Point(1, 1), "no points to be drawn with"),
        ("lake", SQUARE, "has no feature 'lake'"),
    ],
)
def test_geometry_that_is_none(kind: str, geometry: Any, match: str) -> None:
    map_ = town()
    with pytest.raises(EditError, match=match):
        map_.add(kind, type={"area": "building", "wall": "outer_wall"}.get(kind, "roof_access"), geometry=geometry)
    assert not map_.features


def test_geometry_beside_points_is_refused() -> None:
    with pytest.raises(EditError, match="got both geometry and outline"):
        town().add("area", type="building", geometry=SQUARE, outline=[[0, 0], [9, 0], [9, 9]])


# -- bad shapes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "outline",
    [
        [],
        [[0, 0]],
        [[0, 0], [480, 0]],
        [[0, 0], [480, 0], [960, 0]],
        [[0, 0], [480, 0], [0, 0]],
        [[7, 7], [7, 7], [7, 7], [7, 7]],
        [[0, 0], [480, 0], [480, math.nan]],
        [[0, 0], [480, 0], [480, math.inf]],
        [[0, 0], [480, 0], [480, 0.5]],
        [[0, 0], [480, 0], [480, 1e9]],
        [[0, 0], [480, 0], [480, 10**30]],
        [[0, 0], [480, 0], [480, -(10**7)]],
        [[0, 0], [480, 0], [480, "480"]],
        [[0, 0], [480, 0], [480]],
        [[0, 0], [480, 0], [480, 1, 2]],
        [[0, 0], [480, 0], None],
        "outline",
        None,
        {"x": 1},
    ],
)
def test_outlines_that_are_none_are_refused_by_name(outline: Any) -> None:
    map_ = town()
    with pytest.raises(EditError, match="area") as told:
        map_.add("area", type="building", outline=outline)
    assert "outline" in str(told.value) or "far off the map" in str(told.value)
    assert not map_.features and not map_.can_undo


def test_whole_numbers_may_come_as_floats_and_from_numpy() -> None:
    map_ = town()
    name = map_.add("area", type="building", outline=np.array([[0.0, 0.0], [480.0, 0.0], [480.0, 480.0]]))
    assert map_.features[name].outline == ((0, 0), (480, 0), (480, 480))  # type: ignore[union-attr]


def test_a_hole_that_encloses_nothing_and_a_wall_that_goes_nowhere_are_refused() -> None:
    map_ = town()
    ring = [[0, 0], [480, 0], [480, 480]]
    with pytest.raises(EditError, match=r"holes\[0\]: got .* which lie on one line"):
        map_.add("area", type="building", outline=ring, holes=[[[1, 1], [2, 2], [3, 3]]])
    with pytest.raises(EditError, match=r"wall wall-1: line: got \(5, 5\) alone"):
        map_.add("wall", type="outer_wall", line=[[5, 5], [5, 5]])


@pytest.mark.parametrize(
    ("outline", "holes"),
    [
        ([[0, 0], [960, 960], [960, 0], [0, 900]], []),  # crosses itself
        ([[0, 0], [960, 0], [960, 0], [960, 960]], []),  # a corner twice
        ([[0, 0], [960, 0], [960, 960], [0, 0]], []),  # the first repeated
        ([[0, 0], [960, 0], [960, 960]], [[[2000, 2000], [2100, 2000], [2100, 2100]]]),  # a hole outside
    ],
)
def test_what_crosses_itself_is_drawn_and_looked_at_and_can_be_mended(outline: Any, holes: Any) -> None:
    map_ = town()
    name = map_.add("area", type="room", name="12.1", outline=outline, holes=holes)
    assert len(map_.locations) == 37
    map_.check()
    map_.move_vertex(outline[1], [970, 20])
    assert map_.survey.polygon(name).area > 0


def test_shapes_on_a_grid_with_pointy_tops() -> None:
    map_ = town(orientation="pointy")
    name = map_.add("area", type="room", name="1", geometry=SQUARE)
    assert map_.geometry(name).symmetric_difference(SQUARE).area < 0.01
    at = map_.insert_vertex(map_.grid.to_lattice(2, 1.05))
    assert map_.grid.to_map(*at)[1] == pytest.approx(1, abs=0.002)
    with pytest.raises(EditError, match="no edge runs through it"):
        map_.insert_vertex(map_.grid.to_lattice(2, 1.2), reach=0.15)


CUT = [[480, 600], [960, 600]]


@pytest.mark.parametrize(
    ("ask", "match"),
    [
        (lambda map_: map_.move_vertex([960, 960], [10**6, 0]), "room 1.2 .*Choose a point"),
        (lambda map_: map_.move_vertex([960, 960], [math.inf, 0]), "move_vertex: to: got"),
        (lambda map_: map_.move_vertex([960, 960], [1080, 1000], only=7), "give several, as a list"),
        (
            lambda map_: map_.move_vertex([960, 960], [1080, 1000], only=["hall"]),
            "no feature has the id or the label 'hall'",
        ),
        (lambda map_: map_.move_vertex([960, 961], [1080, 1000]), r"the nearest corner is \(960, 960\)"),
        (lambda map_: map_.insert_vertex([10**6, 0]), "no edge runs through it"),
        (lambda map_: map_.insert_vertex([10**30, 0]), "far off the map"),
        (lambda map_: map_.insert_vertex([700, 700], reach=math.nan), "got reach=nan"),
        (lambda map_: map_.delete_vertex("zzz"), "malformed hex label 'zzz'"),
        (lambda map_: map_.split_area("1.1", [[math.nan, 1], [2, 3]]), "split_area: line: got"),
        (lambda map_: map_.split_area("1.1", None), "give several, as a list"),
        (lambda map_: map_.split_area("1.1", []), "got 0 points"),
        (lambda map_: map_.split_area("1.1", CUT, 7), "got names=7"),
        (lambda map_: map_.split_area("1.1", CUT, ["a", "a"]), "the label of the new part, or of both"),
        (lambda map_: map_.split_area("1.1", CUT, ["a", "b", "c"]), "the label of the new part, or of both"),
        (lambda map_: map_.split_area(None, CUT), "no feature has the id or the label None"),
        (lambda map_: map_.merge_areas([]), "got 0 areas"),
        (lambda map_: map_.merge_areas("1.1"), "got 1 area;"),
        (lambda map_: map_.merge_areas(["1.1", "smoke"]), "no area has the id 'smoke'"),
        (lambda map_: map_.merge_areas(["1.1", "1.2"], name="0101"), "the label of hex 0101"),
        (lambda map_: map_.merge_areas(["1.1", "1.2"], name=7), "got the label 7"),
        (lambda map_: map_.snap("1.1", 7), "got to=7"),
        (lambda map_: map_.snap("1.1", reach=True), "got reach=True"),
        (lambda map_: map_.rename("1.1", "\ud800"), "half of a pair"),
        (lambda map_: map_.rename("1.1", "x" * 30_000), "name"),
        (lambda map_: map_.move("1.1", 10**30, 0), "far off the map"),
        (lambda map_: map_.vertices(near=5), "vertices: near: got 5"),
        (lambda map_: map_.vertices(near=[0, 0], reach="x"), "got reach='x'"),
    ],
)
def test_what_cannot_be_shaped_is_refused_and_changes_nothing(ask: Any, match: str) -> None:
    map_ = town()
    for name, x in (("1.1", 480), ("1.2", 960)):
        map_.add("area", type="room", name=name, outline=[[x, 480], [x + 480, 480], [x + 480, 960], [x, 960]])
    map_.add("marker", id="smoke", type="smoke", at="1.1")
    text = map_.to_text()
    with pytest.raises(StudioError, match=match):
        ask(map_)
    assert map_.to_text() == text and len(map_.history) == 3


def test_what_was_shaped_is_journalled_and_made_again(tmp_path: Path) -> None:
    path = tmp_path / "a.map.json"
    map_ = town()
    for name, x in (("1.1", 480), ("1.2", 960)):
        map_.add("area", type="room", name=name, outline=[[x, 480], [x + 480, 480], [x + 480, 960], [x, 960]])
    map_.add("marker", type="smoke", at="1.2")
    map_.add("area", type="building", geometry=SQUARE)
    map_.save(path)
    map_.close()
    map_ = studio.open_map(path)
    map_.move_vertex([960, 960], [980, 900]).rename("1.2", "Hall").snap("Hall", ("corners",), reach=0.2)
    map_.split_area("Hall", [[1440, 700], map_.insert_vertex([960, 700])], "Pantry")
    map_.merge_areas(["1.1", "Hall"])
    map_.move("Pantry", 0, 5, stretch=True).delete_vertex(map_.insert_vertex([480, 700]))
    assert map_.features["marker-1"].at == "1.1"  # type: ignore[union-attr]
    text, steps = map_.to_text(), len(map_.history)
    map_.close()
    with pytest.warns(RecoveredWarning, match=f"{steps} unsaved steps"):
        again = studio.open_map(path)
    assert again.to_text() == text
    again.revert()
    assert again.to_text() == path.read_text("utf-8")
    again.close()
