"""The tables of the maps that come with the studio, as people use them in geographic information systems."""

from __future__ import annotations

from pathlib import Path

import geopandas
import pytest

import studio
from studio import Map
from studio.model import Georeference
from tests.project.tree import ROOT

MAPS = sorted((ROOT / "maps").glob("*.map.json"), key=lambda file: file.name)
COLUMNS = ["a", "b", "kinds", "roads", "rise", "through", "map_length", "geometry"]
PLACES = ["q", "r", "kind", "terrain", "level", "contour", "crest", "road", "half", "within", "sheet", "layer"]


@pytest.fixture(scope="module", params=MAPS, ids=lambda file: file.name.split(".")[0])
def map_(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Map:
    file = tmp_path_factory.mktemp("maps") / request.param.name
    file.write_bytes(request.param.read_bytes())
    opened = studio.open_map(file)
    if opened.model.georeference is not None:
        opened.set("georeference", None)  # so that every map is in its own units here
    return opened


def test_every_game_has_the_same_columns(map_: Map) -> None:
    sides, places = map_.sides, map_.locations
    assert list(sides.columns) == COLUMNS
    assert list(places.columns) == [*PLACES, "neighbours", "markers", "tags", "geometry"]
    assert places.index.is_unique
    assert set(sides.a) <= set(places.index)
    assert set(sides.b) <= {*places.index, ""}
    assert set(sides.geometry.geom_type) <= {"LineString", "MultiLineString"}
    assert (sides.geometry.length - sides.map_length).abs().max() < 1e-9
    known = {*map_.ruleset.border_kinds, *map_.ruleset.side_kinds}
    assert {kind for kinds in sides.kinds for kind in kinds.split(", ") if kind} <= known
    features = map_.model.features
    assert all(name in features for names in sides.through for name in names.split(", ") if name)


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_tables_plot_and_go_into_files(map_: Map, tmp_path: Path) -> None:
    for name, frame in (("locations", map_.locations), ("sides", map_.sides)):
        assert frame.plot() is not None
        frame.to_file(tmp_path / f"{name}.gpkg", layer=name)
        back = geopandas.read_file(tmp_path / f"{name}.gpkg", layer=name)
        assert len(back) == len(frame)
        assert back.geometry.geom_equals(frame.geometry.reset_index(drop=True)).all()
        frame.to_file(tmp_path / f"{name}.geojson", driver="GeoJSON")
        assert len(geopandas.read_file(tmp_path / f"{name}.geojson")) == len(frame)


def test_tables_join_and_overlay(map_: Map) -> None:
    places, sides = map_.locations.reset_index(), map_.sides
    joined = sides.sjoin(places[places.geometry.geom_type == "Polygon"], predicate="intersects")
    outlined = sides[sides.geometry.length > 0].a.isin(places[places.geometry.geom_type == "Polygon"].label)
    found = joined[joined.a == joined.label].index
    assert set(sides[outlined].index) <= set(found)  # every side lies on the outline of its first location
    areas = places[places.geometry.geom_type == "Polygon"][["label", "geometry"]]
    both = geopandas.overlay(areas.head(40), areas.head(40), how="intersection", keep_geom_type=True)
    assert set(both[both.label_1 == both.label_2].label_1) == set(areas.head(40).label)


def test_neighbours_are_mutual_and_exist(map_: Map) -> None:
    records = {record["label"]: record for record in map_.survey.location_records()}
    for label, record in records.items():
        assert len(set(record["neighbours"])) == len(record["neighbours"])
        assert all(label in records[other]["neighbours"] for other in record["neighbours"])
        assert label not in record["neighbours"]


def test_borders_of_the_ruleset_are_those_of_the_survey(map_: Map) -> None:
    sides = map_.ruleset.borders(map_.survey)
    assert sides is map_.survey.boundaries
    plain = studio.survey.Survey(map_.model)
    assert map_.ruleset.borders(plain) == sides
    assert map_.ruleset.joints(plain) == map_.survey.joints
    # What an area has beside others and towards nothing makes up its outline, and nothing more.
    for location in map_.survey.directory.of("area"):
        here = [side for side in sides if location.feature in (side.a_id, side.b_id)]
        own = [side for side in here if side.b_id or not side.b]  # a hex behind an opening is told beside the outline
        held = sum(float(((q[0] - p[0]) ** 2 + (q[1] - p[1]) ** 2) ** 0.5) for side in own for p, q in side.segments)
        assert held == pytest.approx(map_.survey.polygon(location.feature).length)


def test_a_georeference_puts_the_tables_into_the_world(map_: Map) -> None:
    flat, lines = map_.locations, map_.sides
    map_.set("georeference", Georeference(crs="EPSG:32638", affine=(50.0, 2.0, 440_000.0, 3.0, -50.0, 3_690_000.0)))
    try:
        world, sides = map_.locations, map_.sides
    finally:
        map_.undo()
    assert world.crs.to_epsg() == sides.crs.to_epsg() == 32638
    moved = flat.affine_transform([50.0, 2.0, 3.0, -50.0, 440_000.0, 3_690_000.0])
    assert world.geometry.geom_equals_exact(moved.set_crs(32638), 1e-6).all()
    assert sides.map_length.equals(lines.map_length)
    assert (sides.length / sides.map_length).between(45, 55).all()
    assert world.to_crs(4326).total_bounds[0] == pytest.approx(44.4, abs=1)
