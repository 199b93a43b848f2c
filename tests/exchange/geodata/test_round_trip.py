"""Maps and scenarios to geodata and back, by every format; what was changed in a GIS is taken over."""

import json
import sqlite3
from pathlib import Path

import geopandas
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import DocumentError, UnsupportedError
from studio.exchange import geodata
from studio.exchange.geodata import GeodataOptions, GeodataReading
from studio.model import Georeference
from tests.exchange.contents import GAMES, content, content_of, maps, own_map, without

ENDINGS = ["gpkg", "geojson", "parquet"]
FROM_LAYERS = GeodataReading(from_layers=True)


def written(what, folder: Path, ending: str = "gpkg", **options) -> Path:
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    return geodata.write(what, folder / f"map.{ending}", options=GeodataOptions(**options)).files[0]


@pytest.mark.parametrize(("name", "scenario"), GAMES)
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_game_comes_back(name, scenario, ending, tmp_path):
    what = content_of(name, scenario)
    path = written(what, tmp_path, ending)
    taken = geodata.read(path)
    assert taken.document == what.model.to_document()
    assert taken.scenario == what.scenario
    assert taken.notes == ()
    built = geodata.read(path, options=FROM_LAYERS)
    assert built.document == without(what.model.to_document(), "notes", "sources", "backdrop")
    assert built.notes == ("the map is built from its layers: notes, sources and the scan are not in them",)


@settings(max_examples=15)
@given(what=maps(), ending=st.sampled_from(ENDINGS))
def test_random_maps_come_back(what, ending, tmp_path_factory):
    path = written(what, tmp_path_factory.mktemp("geodata"), ending)
    document = what.model.to_document()
    assert geodata.read(path).document == document
    assert geodata.read(path, options=FROM_LAYERS).document == without(document, "notes", "sources", "backdrop")


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_map_gives_the_same_bytes(ending, tmp_path):
    what = content_of("tactics-3")
    written(what, tmp_path, ending)
    first = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    written(what, tmp_path, ending)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == first


def test_without_the_document_the_layers_are_all_there_is(tmp_path):
    what = content_of("tactics-3")
    path = written(what, tmp_path, whole=False)
    assert geodata.read(path).document == without(what.model.to_document(), "notes", "sources")


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(UnsupportedError, match=r"\.gpkg"):
        geodata.write(content(own_map(columns=2, rows=2)), tmp_path / "a.shp")


# -- places in the world -----------------------------------------------------------------------------------------------


def test_a_georeference_is_the_place_of_every_layer(tmp_path):
    model = own_map(columns=4, rows=3)
    model.georeference = Georeference(crs="EPSG:32638", affine=(1000.0, 0.0, 500_000.0, 0.0, -1000.0, 3_500_000.0))
    frame = geopandas.read_file(written(content(model), tmp_path), layer="location_dots").set_index("label")
    assert frame.crs.to_epsg() == 32638
    dot = frame.geometry["0302"]
    x, y = model.grid.to_map(*model.grid.centre(model.labels.cell("0302")))
    assert (dot.x, dot.y) == pytest.approx((500_000 + 1000 * x, 3_500_000 - 1000 * y))


def test_metres_of_the_game_where_there_is_no_place(tmp_path):
    frame = geopandas.read_file(written(content_of("tactics-3"), tmp_path), layer="location_dots").set_index("label")
    assert "Wargame map, metres" in frame.crs.to_wkt()
    assert frame.geometry["A1"].distance(frame.geometry["A2"]) == pytest.approx(50)
    assert frame.geometry["A1"].y > frame.geometry["A2"].y  # north is up


def test_geojson_in_degrees_is_that_of_the_standard(tmp_path):
    model = own_map(columns=3, rows=3)
    model.georeference = Georeference(crs="EPSG:4326", affine=(0.1, 0.0, 44.0, 0.0, -0.1, 33.0))
    plain = json.loads(written(content(model), tmp_path, "geojson").read_bytes())
    assert "crs" not in plain
    first = next(one for one in plain["features"] if one["properties"]["layer"] == "locations")
    ring = shapely.LinearRing(first["geometry"]["coordinates"][0])
    assert ring.is_ccw and 43 < ring.bounds[0] < 45 and 32 < ring.bounds[1] < 34
    local = json.loads(written(content_of("tactics-3"), tmp_path, "geojson").read_bytes())
    assert "Wargame map, metres" in local["crs"]["properties"]["name"]


def test_lines_of_sight_on_request(tmp_path):
    what = content_of("armageddon-1")
    frame = geopandas.read_file(written(what, tmp_path, sight=(("X5", "U9"), ("A1", "A2"))), layer="sight_lines")
    assert frame["verdict"].tolist() == ["blocked", "clear"] or set(frame["verdict"]) <= {
        "clear",
        "hindered",
        "blocked",
    }
    assert frame["a"].tolist() == ["X5", "A1"]
    assert frame["reasons"].tolist()[0]


def test_what_is_in_play_and_closed_to_units(tmp_path):
    what = content_of("phantom-fury", "phantom-fury")
    frame = geopandas.read_file(written(what, tmp_path), layer="locations")
    hexes = frame[frame["kind"] == "hex"]
    assert len(hexes) == int(what.model.grid.present.sum())
    assert not hexes["playable"].all()
    areas = frame[frame["kind"] == "area"]
    assert len(areas) == len(what.survey.directory.of("area"))
    assert set(areas["label"]) == {one.label for one in what.survey.directory.of("area")}


# -- changes made in a GIS ---------------------------------------------------------------------------------------------


def run(path: Path, statement: str, *values: object) -> None:
    """Change a GeoPackage as a program that knows nothing of its shapes."""
    with sqlite3.connect(path) as base:
        # The triggers of the spatial index call functions that only GDAL has; the columns changed here are not in it.
        for (name,) in base.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            base.execute(f'drop trigger "{name}"')
        base.execute(statement, values)
    base.close()


def test_terrain_and_levels_are_taken_over(tmp_path):
    what = content_of("tactics-3")
    path = written(what, tmp_path)
    run(path, "update locations set terrain = 'bridge' where label = 'B3'")
    run(path, "update locations set level = 2 where label = 'C3'")
    taken = geodata.read(path)
    model, document = what.model, taken.document
    assert taken.notes == ("terrain of 1 hexes changed", "levels of 1 hexes changed")
    row, column = divmod(model.labels.cell("B3"), model.grid.columns)
    assert document.terrain.rows[row][column] == model.terrain_characters["bridge"]
    row, column = divmod(model.labels.cell("C3"), model.grid.columns)
    assert document.levels.rows[row][column] == "2"
    assert document.features == model.to_document().features


def test_unknown_terrain_is_refused_with_the_nearest(tmp_path):
    path = written(content_of("tactics-3"), tmp_path)
    run(path, "update locations set terrain = 'grap_fields' where label in ('B3', 'B4')")
    with pytest.raises(DocumentError, match="did you mean 'grape_fields'") as caught:
        geodata.read(path)
    assert "B3 and 1 more" in str(caught.value)


def test_shapes_that_were_moved_and_rows_that_are_new(tmp_path):
    import pyogrio

    what = content_of("practice-front")
    path = written(what, tmp_path)
    frame = pyogrio.read_dataframe(path, layer="names")
    first, gone = frame["id"][0], frame["id"][1]
    # As far to the right as a hex is high: 831 lattice units, since the lattice is finer across.
    frame.geometry = [shapely.affinity.translate(frame.geometry[0], xoff=20_000), *frame.geometry[1:]]
    frame.loc[2, "text"] = "Renamed"
    fresh = frame.iloc[[3]].assign(id="", text="Fresh")
    frame = geopandas.pd.concat([frame.drop(index=1), fresh])
    pyogrio.write_dataframe(frame, path, layer="names", driver="GPKG")
    taken = geodata.read(path)
    before = {one.id: one for one in what.model.to_document().features}
    after = {one.id: one for one in taken.document.features}
    assert after[first].at[0] == before[first].at[0] + 831 and after[first].at[1] == before[first].at[1]
    assert gone not in after
    assert [one.text for name, one in after.items() if name not in before] == ["Fresh"]
    assert any(getattr(one, "text", "") == "Renamed" for one in after.values())
    assert any(note.startswith("features changed") for note in taken.notes)
    assert f"features taken away: {gone}" in taken.notes


def test_hexsides_and_units_are_taken_over(tmp_path):
    what = content_of("armageddon-1", "armageddon-01")
    path = written(what, tmp_path)
    units = [unit for force in what.scenario.forces for part in force.formations for unit in part.units]
    run(path, "update units set at = 'H5' where id = ?", units[0].id)
    run(path, "update sides set hexside = 'fence' where fid = 1")
    taken = geodata.read(path)
    assert taken.scenario.forces[0].formations[0].units[0].at == "H5"
    assert len(taken.document.sides) == 1 and taken.document.sides[0][2] == ("fence",)
    assert any(note.startswith("hexsides changed") for note in taken.notes)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"studio": {"ruleset": "x"}, "features": []}', "[" * 90_000])
def test_broken_geojson_is_refused(text, tmp_path):
    path = tmp_path / "m.geojson"
    path.write_text(text)
    with pytest.raises(DocumentError):
        geodata.read(path)


def test_broken_files_are_refused(tmp_path):
    for name, data in (("a.gpkg", b"SQLite format 3\0" + b"\0" * 90), ("b.gpkg", b"")):
        (tmp_path / name).write_bytes(data)
        with pytest.raises(DocumentError):
            geodata.read(tmp_path / name)
    path = written(content_of("tactics-3"), tmp_path, "gpkg")
    run(path, "update studio set value = '{}' where key = 'document'")
    with pytest.raises(DocumentError, match="the map in it"):
        geodata.read(path)
