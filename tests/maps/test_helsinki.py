"""The quarter of Helsinki is made of OpenStreetMap data: it has to be what they say, but for what the report tells."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import cache
from typing import Any

import numpy as np
import pyogrio
import pytest
import shapely
from numpy.typing import NDArray
from pyproj import Transformer

import studio
from studio.checks import check_map
from studio.exchange.geography.build import Made, build
from studio.exchange.geography.spec import read_spec
from studio.files import write_map_text
from studio.model import Aperture, Area, Name
from tests.project.tree import ROOT

FILE = ROOT / "maps" / "helsinki.map.json"
SPEC = ROOT / "maps" / "geography" / "helsinki" / "helsinki.geography.toml"
LEFT, TOP, METRES = 385_920.0, 6_671_960.0, 7.0
LEAST = 0.4 * METRES**2 * 3**0.5 / 2
"""Square metres of the smallest building."""


@pytest.fixture(scope="module")
def quarter() -> studio.Map:
    return studio.open_map(FILE)


@pytest.fixture(scope="module")
def made() -> Made:
    return build(read_spec(SPEC), SPEC.parent, name=SPEC.name)


@cache
def source(layer: str) -> Any:
    """A layer of the data in metres from the top left corner of the map, y down: read without the studio."""
    table = pyogrio.read_dataframe(SPEC.parent / "helsinki.gpkg", layer=layer)
    change = Transformer.from_crs("EPSG:4326", "EPSG:3067", always_xy=True)

    def metres(points: NDArray[Any]) -> NDArray[Any]:
        east, north = change.transform(points[:, 0], points[:, 1])
        return np.stack([np.array(east) - LEFT, TOP - np.array(north)], axis=1)

    table["shape"] = shapely.transform(np.array(table.geometry.values, dtype=object), metres)
    return table


def in_metres(quarter: studio.Map, shape: Any) -> Any:
    scale = np.array(quarter.model.grid.scale) * METRES
    return shapely.transform(shape, lambda points: points * scale)


def frame(quarter: studio.Map) -> Any:
    return in_metres(quarter, shapely.box(*quarter.model.grid.frame))


def footprints(quarter: studio.Map, kind: str = "building") -> dict[str, Any]:
    return {
        area.id: in_metres(quarter, shapely.Polygon(area.outline, area.holes))
        for area in quarter.model.features_of(Area)
        if area.type == kind
    }


def whole_ones(quarter: studio.Map) -> list[Any]:
    return [shapely.intersection(shapely.make_valid(one), frame(quarter)) for one in source("buildings")["shape"]]


def expected(quarter: studio.Map) -> list[Any]:
    """The polygons of the data on the map that are not too small, cut at its edge."""
    sound = whole_ones(quarter)
    parts = [part for one in sound for part in shapely.get_parts(one).tolist() if part.geom_type == "Polygon"]
    return [part for part in parts if part.area >= LEAST]


# -- the map as a whole ----------------------------------------------------------------------------------------------


def test_the_map_is_what_the_specification_makes_of_the_data(made: Made) -> None:
    assert write_map_text(made.document) == FILE.read_bytes()


def test_it_lies_where_the_specification_says_in_hexes_of_7_metres(quarter: studio.Map) -> None:
    grid, place = quarter.model.grid, quarter.model.georeference
    assert (grid.columns, grid.rows, quarter.ruleset.id) == (84, 66, "urban_operations")
    assert place is not None and place.crs == "EPSG:3067"
    assert place.affine == (METRES, 0.0, LEFT, 0.0, -METRES, TOP)
    (x0, y0), (x1, y1) = (in_metres(quarter, shapely.Point(grid.centre(cell))).coords[0] for cell in (0, 84))
    assert (x1 - x0, y1 - y0) == pytest.approx((0, METRES))


def test_nothing_is_wrong_with_it(quarter: studio.Map) -> None:
    found = check_map(quarter.survey, quarter.ruleset, file=FILE.name)
    assert not found.errors and not found.warnings


def test_openstreetmap_is_named(quarter: studio.Map) -> None:
    sources = quarter.model.sources
    assert len(sources) == 6
    assert all("OpenStreetMap contributors" in one.note and one.licence == "ODbL 1.0" for one in sources)
    assert "must do" in quarter.model.notes and "are made up" in quarter.model.notes


# -- buildings -------------------------------------------------------------------------------------------------------


def test_every_building_of_the_data_is_there_once(quarter: studio.Map, made: Made) -> None:
    drawn, wanted = list(footprints(quarter).values()), expected(quarter)
    assert len(wanted) == len(drawn) == 126
    tree = shapely.STRtree(drawn)
    for one in wanted:
        near = [drawn[n] for n in tree.query(one, predicate="intersects").tolist()]
        best = max(shapely.intersection(one, other).area / shapely.union(one, other).area for other in near)
        assert best > 0.93, one.wkt
    texts = [entry.text for entry in made.work.report.of(step="layers")]
    small = [one for one in whole_ones(quarter) if 0 < one.area < LEAST]
    assert f"buildings: {len(small)} areas are smaller than 0.4 hexes and left out" in texts


def test_buildings_cover_what_those_of_the_data_cover(quarter: studio.Map) -> None:
    drawn, wanted = list(footprints(quarter).values()), shapely.union_all(expected(quarter))
    assert sum(one.area for one in drawn) == pytest.approx(wanted.area, rel=0.003)
    assert shapely.union_all(drawn).symmetric_difference(wanted).area < 0.01 * wanted.area


def test_buildings_share_their_walls_and_never_overlap(quarter: studio.Map) -> None:
    lattice = [
        shapely.Polygon(area.outline, area.holes) for area in quarter.model.features_of(Area) if area.type == "building"
    ]
    assert shapely.coverage_is_valid(lattice)
    pairs = shapely.STRtree(lattice).query(lattice, predicate="touches").T
    walls = [lattice[a].intersection(lattice[b]).length for a, b in pairs.tolist() if a < b]
    assert sum(length > 240 for length in walls) > 100  # half a hex


def test_yards_are_holes_or_gaps_and_no_yard_of_the_data_is_lost(quarter: studio.Map) -> None:
    before = [one for one in _yards(expected(quarter)) if one.area > LEAST + 5]
    after = shapely.union_all(list(footprints(quarter).values()))
    assert len(before) > 40
    for yard in before:
        assert yard.difference(after).area > 0.8 * yard.area


def _yards(polygons: list[Any]) -> list[Any]:
    whole = shapely.union_all(polygons)
    rings = [ring for one in shapely.get_parts(whole).tolist() for ring in one.interiors]
    return [shapely.difference(shapely.Polygon(ring), whole) for ring in rings]


def test_each_building_is_one_room_for_the_designer_to_divide(quarter: studio.Map) -> None:
    rooms = [area for area in quarter.model.features_of(Area) if area.type == "room"]
    buildings = {area.id: area for area in quarter.model.features_of(Area) if area.type == "building"}
    assert sorted(room.within for room in rooms) == sorted(buildings)
    for room in rooms:
        whole = buildings[room.within]
        assert (room.outline, room.holes) == (whole.outline, whole.holes)
        assert room.name == f"{whole.name.split()[0]}.1"
    assert {int(room.name[:-2]) for room in rooms} == set(range(1, 127))


# -- hexes -----------------------------------------------------------------------------------------------------------


def test_a_hex_has_no_dot_where_a_building_covers_its_middle_and_only_there(quarter: studio.Map) -> None:
    solid = shapely.union_all(list(footprints(quarter).values()))
    shapely.prepare(solid)
    grid, directory = quarter.model.grid, quarter.survey.directory
    for cell in range(grid.cells):
        middle = in_metres(quarter, shapely.Point(grid.centre(cell)))
        if solid.boundary.distance(middle) > 0.02:
            assert directory.exists(cell) != solid.contains(middle), quarter.labels.label(cell)


def test_dots_stand_clear_of_facades(quarter: studio.Map) -> None:
    walls = shapely.union_all([one.boundary for one in footprints(quarter).values()])
    shapely.prepare(walls)
    directory = quarter.survey.directory
    for cell in range(quarter.model.grid.cells):
        if directory.exists(cell):
            dot = in_metres(quarter, shapely.Point(directory.dot(cell)))
            assert not shapely.dwithin(walls, dot, 0.69), quarter.labels.label(cell)


def test_trees_are_hexes_of_wood_but_under_buildings(quarter: studio.Map) -> None:
    grid, model = quarter.model.grid, quarter.model
    points = [one.coords[0] for one in source("trees")["shape"]]
    cells = grid.cells_at(np.array(points) / METRES / np.array(grid.scale)).tolist()
    wanted = {cell for cell in cells if cell >= 0 and model.terrain_at(cell) != "unplayable"}
    assert wanted == {cell for cell in range(grid.cells) if model.terrain_at(cell) == "wood"}
    assert len(wanted) > 80


# -- streets ---------------------------------------------------------------------------------------------------------


def _streets(quarter: studio.Map) -> list[Any]:
    """Streets of the data on the map, but for tunnels and the ways into yards."""
    table = source("streets")
    table = table[table["tunnel"].isna() & (table["highway"] != "service")]
    inside = [shapely.intersection(one, frame(quarter).buffer(-METRES)) for one in table["shape"]]
    return [part for one in inside for part in shapely.get_parts(one).tolist() if part.length > 0]


def _along(quarter: studio.Map, line: Any) -> list[int]:
    """Hexes that a line runs through for more than the three metres of a corner."""
    grid = quarter.model.grid
    points = [line.interpolate(at).coords[0] for at in np.arange(0, line.length, 1.0)]
    cells = Counter(grid.cells_at(np.array(points) / METRES / np.array(grid.scale)).tolist())
    return [cell for cell, metres in cells.items() if metres > 3]


def test_streets_are_open_and_connected_as_in_the_data(quarter: studio.Map) -> None:
    streets = _streets(quarter)
    assert len(streets) > 100
    tree = shapely.STRtree(streets)
    parent = list(range(len(streets)))

    def root(n: int) -> int:
        while parent[n] != n:
            n = parent[n]
        return n

    for a, b in tree.query(streets, predicate="dwithin", distance=0.01).T.tolist():
        parent[root(a)] = root(b)
    together: dict[int, set[int]] = defaultdict(set)
    for number, line in enumerate(streets):
        cells = _along(quarter, line)
        closed = [quarter.labels.label(cell) for cell in cells if not quarter.survey.directory.exists(cell)]
        assert not closed
        together[root(number)] |= set(cells)
    for cells in together.values():
        labels = {quarter.labels.label(cell) for cell in cells}
        first = min(labels)
        assert labels <= {first, *quarter.reach(first, mover="vehicle").labels}
    assert max(map(len, together.values())) > 400


def test_streets_are_named_where_they_are(quarter: studio.Map) -> None:
    named: dict[str, list[Any]] = defaultdict(list)
    for layer in ("streets", "greens"):
        for name, shape in zip(source(layer)["name"], source(layer)["shape"], strict=True):
            named[name].append(shape)
    names = list(quarter.model.features_of(Name))
    assert {"Pohjoisesplanadi", "Unioninkatu", "Kasarmitori", "Esplanadinpuisto"} <= {one.text for one in names}
    for one in names:
        at = in_metres(quarter, shapely.Point(one.at))
        assert min(shape.distance(at) for shape in named[one.text]) < 1
        assert -90 <= one.angle <= 90


def test_the_one_street_under_a_building_is_a_finding(made: Made) -> None:
    found = [entry for entry in made.work.report.of("finding", step="layers") if "runs under" in entry.text]
    assert len(found) == 1 and "runs under 107" in found[0].text and found[0].at == ("5960",)


# -- sight -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "what"),
    [
        ("1641", "3141", "down Rikhardinkatu"),
        ("3330", "3360", "down Kasarmikatu"),
        ("1515", "1550", "down Korkeavuorenkatu"),
        ("3320", "5020", "along the park where no trees stand"),
    ],
)
def test_down_a_street_the_line_is_clear(quarter: studio.Map, a: str, b: str, what: str) -> None:
    assert quarter.sight(a, b).status == quarter.sight(b, a).status == "clear", what


@pytest.mark.parametrize(
    ("a", "b", "by"),
    [
        ("3341", "5040", ["72", "76", "77"]),  # from street to street through a block
        ("3141", "3348", ["75"]),  # round the corner of Rikhardinkatu and Kasarmikatu
        ("1515", "3315", ["wood"]),  # through the trees of the park
    ],
)
def test_buildings_and_trees_block(quarter: studio.Map, a: str, b: str, by: list[str]) -> None:
    found = quarter.sight(a, b)
    assert found.status == quarter.sight(b, a).status == "blocked"
    text = " ".join(reason.text for reason in found.reasons)
    assert all(f"{one} building" in text if one.isdigit() else one in text for one in by)


# -- openings --------------------------------------------------------------------------------------------------------


def _openings(quarter: studio.Map, prefix: str) -> list[Aperture]:
    return [one for one in quarter.model.features_of(Aperture) if one.id.startswith(prefix)]


def test_entrances_of_the_data_are_openings_where_they_lie(quarter: studio.Map) -> None:
    wanted = [one for one in source("entrances")["shape"] if frame(quarter).contains(one)]
    found = [in_metres(quarter, shapely.Point(one.at)) for one in _openings(quarter, "entrance-")]
    assert len(wanted) == 35 and len(found) == 34
    assert all(min(one.distance(other) for other in wanted) < 1 for one in found)
    (lost,) = [one for one in wanted if min(one.distance(other) for other in found) > 1]
    # It leads from one building into another.
    assert sum(one.distance(lost) < 0.1 for one in footprints(quarter).values()) == 2


def test_each_opening_is_on_the_facade_of_its_room_and_of_no_other(quarter: studio.Map) -> None:
    rooms = {
        area.name: shapely.Polygon(area.outline, area.holes)
        for area in quarter.model.features_of(Area)
        if area.type == "room"
    }
    for one in _openings(quarter, ""):
        at = shapely.Point(one.at)
        assert [name for name, room in rooms.items() if room.distance(at) < 1e-6] == [one.into]
        assert one.type == "aperture" and one.open and one.arrows


def test_what_is_made_up_is_told(quarter: studio.Map, made: Made) -> None:
    made_up = _openings(quarter, "made-up-")
    assert f"No data give the openings made-up-1 to made-up-{len(made_up)}" in quarter.model.notes
    told = [entry for entry in made.work.report.of("decided", step="layers") if "made up" in entry.text]
    assert sum(entry.figures["openings"] for entry in told) == len(made_up) > 150
    assert {one.into for one in _openings(quarter, "")} == {f"{number}.1" for number in range(1, 127)}


def test_units_get_from_the_street_into_every_room_and_yard(quarter: studio.Map) -> None:
    directory = quarter.survey.directory
    open_hexes = {quarter.labels.label(cell) for cell in range(quarter.grid.cells) if directory.exists(cell)}
    rooms = {one.label for one in directory.others}
    assert {"3320", *quarter.reach("3320", mover="foot").labels} == open_hexes | rooms
    assert quarter.route("3320", "3834", mover="foot").labels[-4:] == ["3334", "55.1", "3734", "3834"]
    assert not rooms & set(quarter.reach("3320", mover="vehicle").labels)


def test_a_room_sees_out_through_its_doors_and_nowhere_else(quarter: studio.Map) -> None:
    (street, yard) = sorted(_openings(quarter, ""), key=lambda one: (one.into != "55.1", one.at))[:2]
    assert street.into == yard.into == "55.1"
    for label in ("3334", "3234", "3734", "3834"):
        assert quarter.sight("55.1", label).status == quarter.sight(label, "55.1").status == "clear", label
    for label in ("3230", "3238", "4234", "41.1"):
        found = quarter.sight("55.1", label)
        assert found.status == quarter.sight(label, "55.1").status == "blocked", label
    assert "outside the arcs of fire" in quarter.sight("55.1", "3230").reasons[0].text
