"""Data that break an import: each ends in words that name the file and a remedy, or in what the data mean."""

import http.server
import os
import shutil
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import geopandas
import numpy as np
import pandas
import pyogrio
import pytest
import shapely

from studio.errors import DocumentError
from studio.exchange.geography.data.choosing import chosen_rows
from studio.exchange.geography.data.shaping import _valid
from studio.exchange.geography.data.sources import read_layer, read_raster
from studio.exchange.geography.data.vectors import quiet_reads, wkb_batches
from studio.exchange.geography.spec import DataSource, read_spec
from tests.exchange.geography.placed import CRS, work_of

HERE = shapely.box(510_000, 3_610_000, 560_000, 3_660_000)
FLAT = shapely.Polygon([(0, 0), (5, 5), (0, 0)])
TEN = shapely.box(0, 0, 10, 10)


def saved(path: Path, shapes: Any, crs: str | None = CRS, **columns: Any) -> Path:
    columns = columns or {"n": list(range(len(shapes)))}
    geopandas.GeoDataFrame(columns, geometry=list(shapes), crs=crs).to_file(path)
    return path


def layer(folder: Path, file: str, kind: Any = "area", columns: Any = (), **source: Any) -> Any:
    made = work_of(folder, sources=[{"id": "data", "file": file, "licence": "CC0"} | source])
    return read_layer(made, "data", "areas", columns=columns, kinds=kind)


def refusal(folder: Path, file: str, **source: Any) -> str:
    with pytest.raises(DocumentError) as found:
        layer(folder, file, **source)
    return str(found.value)


# -- shapes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "area"),
    [
        (shapely.MultiPolygon([TEN, TEN]), 100),
        (shapely.MultiPolygon([TEN, shapely.box(5, 5, 15, 15)]), 175),
        (shapely.MultiPolygon([TEN, shapely.box(2, 2, 4, 4)]), 100),
        (shapely.MultiPolygon([FLAT, TEN]), 100),
        (shapely.MultiPolygon([FLAT, FLAT]), 0),
        (shapely.Polygon([(0, 0), (10, 10), (10, 0), (0, 10)]), 50),
        (shapely.Polygon(TEN.exterior, [shapely.box(1, 1, 9, 9).exterior, shapely.box(2, 2, 3, 3).exterior]), 37),
        (shapely.Polygon(TEN.exterior, [shapely.box(20, 20, 30, 30).exterior]), 200),
    ],
)
def test_invalid_polygons_keep_what_any_of_their_parts_covers(shape, area):
    (found,) = _valid(np.array([shape], dtype=object))
    assert found.is_valid and found.area == pytest.approx(area)


def test_polygons_that_geos_gives_up_on_are_mended_part_by_part():
    rng = np.random.default_rng(0)
    given_up = 0
    for _ in range(3000):
        rings = [rng.integers(0, 3, (rng.integers(3, 7), 2)) * rng.choice([1, 1e-7, 1e5]) for _ in range(3)]
        for ring in rings[1:]:
            ring[1:, 1] = ring[0, 1] if rng.random() < 0.4 else ring[1:, 1]
        shape = shapely.MultiPolygon([shapely.Polygon(ring) for ring in rings])
        try:
            shapely.make_valid(shape)
        except shapely.errors.GEOSException:
            given_up += 1
        found = _valid(np.array([shape, TEN], dtype=object))
        assert shapely.is_valid(found).all() and found[1] is TEN
        assert found[0].is_empty or shapely.get_dimensions(found[0]) == 2
    assert given_up, "no shape was broken enough"


# -- large layers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["gpkg", "fgb", "shp"])
@pytest.mark.parametrize("spread", [1.0, 20.0])
def test_each_row_of_the_box_comes_once_however_the_file_is_read(ending, spread, tmp_path, monkeypatch):
    monkeypatch.setattr("studio.exchange.geography.data.vectors._BYTES", 700)
    monkeypatch.setattr("studio.exchange.geography.data.vectors._MANY", 100)
    points = shapely.points(np.random.default_rng(5).uniform(0, 10, (1000, 2)))
    points[0] = shapely.Point(10 * spread, 10 * spread)  # one far off makes the box of the layer large
    path = saved(tmp_path / f"a.{ending}", points)
    box = (2.0, 2.0, 9.0, 9.0)
    parts = wkb_batches(path, "a", ["n"], box, 1000, pyogrio.read_info(path)["total_bounds"])
    rows = [(n, shape) for table, shapes in parts for n, shape in zip(table["n"].tolist(), shapes, strict=True)]
    inside = [n for n, shape in rows if shapely.from_wkb(shape).intersects(shapely.box(*box))]
    assert sorted(inside) == [n for n, one in enumerate(points) if one.intersects(shapely.box(*box))]
    assert len(set(inside)) == len(inside) and len(rows) == 1000


def test_a_small_box_is_asked_of_the_file(tmp_path):
    points = shapely.points(np.random.default_rng(5).uniform(0, 10, (1000, 2)))
    path = saved(tmp_path / "a.gpkg", points)
    parts = list(wkb_batches(path, "a", ["n"], (1, 1, 2, 2), 1000, (0, 0, 10, 10)))
    assert sum(len(shapes) for _, shapes in parts) < 30


def test_too_many_rows_are_refused_with_the_remedy(tmp_path, monkeypatch):
    monkeypatch.setattr("studio.exchange.geography.data.sources.MAX_ROWS", 3)
    saved(tmp_path / "a.gpkg", [HERE] * 5)
    assert "choose those that matter by where, most or least" in refusal(tmp_path, "a.gpkg")
    assert len(layer(tmp_path, "a.gpkg", least={"n": 2}).shapes) == 3


# -- columns ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "allowed", "rows"),
    [
        (np.array([6.0, 7.5, np.nan]), ["6"], [0]),
        (np.array([6.0, 7.5, np.nan]), ["6.0", "7.50"], [0, 1]),
        (np.array([6.0, 7.5, np.nan]), ["", "six"], [2]),
        (np.array([0.1, 6], dtype=np.float32), ["0.1"], [0]),
        (np.array([6, 300, 2**60]), ["6.0", str(2**60), "1e400", "9" * 30], [0, 2]),
        (np.array([6, 7], dtype=np.int8), ["300", "7"], [1]),
        (np.array([True, False]), ["True"], [0]),
        (np.array([True, False]), ["false", "maybe"], [1]),
        (np.array(["6.0", "6", None, 'a"; drop'], dtype=object), ["6", ""], [1, 2]),
        (np.array(["6.0", "6", None, 'a"; drop'], dtype=object), ['a"; drop'], [3]),
        (np.array(["2020-01-02", "NaT"], dtype="datetime64[D]"), ["2020-01-02"], [0]),
    ],
)
def test_values_are_what_they_mean_not_how_they_are_kept(column, allowed, rows):
    source = DataSource(id="d", file="d", where={"c": tuple(allowed)})
    assert chosen_rows(source, {"c": column}, len(column)).tolist() == rows


def test_most_and_least_of_texts_and_numbers():
    table = {"c": np.array([1, 5, 9]), "t": np.array(["1", "x", None], dtype=object)}
    assert chosen_rows(DataSource(id="d", file="d", most={"c": 5}), table, 3).tolist() == [0, 1]
    assert chosen_rows(DataSource(id="d", file="d", least={"t": 1}), table, 3).tolist() == [0]


def test_odd_names_of_columns_and_layers(tmp_path):
    names = ["select", "a b", "ü\"'", "%s;--"]
    table = {name: [1, 2] for name in names}
    frame = geopandas.GeoDataFrame(table, geometry=[HERE, HERE], crs=CRS)
    frame.to_file(tmp_path / "a %41 ü.gpkg", layer="x'; drop table x; --")
    for name in names:
        found = layer(tmp_path, "a %41 ü.gpkg", columns=(name,), where={name: ["2"]})
        assert found.columns == {name: [2]}


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("beside", ["a.cpg", "a.shp.aux.xml", "a.sbn"])
def test_pipes_beside_a_file_are_refused_and_not_waited_for(beside, tmp_path):
    saved(tmp_path / "a.shp", [HERE])
    (tmp_path / beside).unlink(missing_ok=True)
    os.mkfifo(tmp_path / beside)
    assert f"{beside}, which belongs to it, is no regular file" in refusal(tmp_path, "a.shp")


def test_devices_pipes_and_geodatabases_of_pipes(tmp_path):
    (tmp_path / "zero.gpkg").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.gpkg")
    (tmp_path / "a.gdb").mkdir()
    os.mkfifo(tmp_path / "a.gdb" / "a00000001.gdbtable")
    for file in ("zero.gpkg", "pipe.gpkg", "a.gdb"):
        assert "no regular file" in refusal(tmp_path, file)


def test_a_locked_geopackage_names_the_other_program(tmp_path):
    path = saved(tmp_path / "a.gpkg", [HERE])
    # Locks hold between processes; to wait for one takes SQLite ten seconds, so only its words are tried here.
    with pytest.raises(DocumentError, match="another program is writing to it"), quiet_reads(path):
        raise RuntimeError("sqlite3_prepare_v2(SELECT 1) failed: database is locked")


def test_texts_in_another_encoding_than_they_say(tmp_path):
    frame = geopandas.GeoDataFrame({"n": ["Łódź"]}, geometry=[HERE], crs=CRS)
    frame.to_file(tmp_path / "a.shp", encoding="cp1250")
    assert layer(tmp_path, "a.shp", columns=("n",)).columns == {"n": ["Łódź"]}
    (tmp_path / "a.cpg").write_text("UTF-8", encoding="ascii")
    with pytest.raises(DocumentError, match=r"not in the encoding that it names.*into a \.cpg file beside it"):
        layer(tmp_path, "a.shp", columns=("n",))


def test_archives_with_folders_and_with_long_texts(tmp_path, monkeypatch):
    saved(tmp_path / "a.geojson", [HERE])
    with zipfile.ZipFile(tmp_path / "deep.zip", "w") as archive:
        archive.write(tmp_path / "a.geojson", "some where/a.geojson")
    assert "such as some where/a.geojson Remedy: unpack it" in refusal(tmp_path, "deep.zip")
    with zipfile.ZipFile(tmp_path / "long.zip", "w") as archive:
        archive.write(tmp_path / "a.geojson", "a.geojson")
    monkeypatch.setattr("studio.exchange.geography.data.vectors.MAX_SOURCE", 10)
    assert "a.geojson in it has" in refusal(tmp_path, "long.zip")


def test_a_file_that_is_replaced_while_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("studio.exchange.geography.data.vectors._BYTES", 700)
    path = saved(tmp_path / "a.gpkg", [shapely.Point(i, i) for i in range(100)])
    saved(tmp_path / "b.gpkg", [shapely.Point(i, i) for i in range(200)])
    parts = wkb_batches(path, "a", ["n"], None, 100)
    next(parts)
    shutil.copy(tmp_path / "b.gpkg", tmp_path / "c.gpkg")
    os.replace(tmp_path / "c.gpkg", path)
    with pytest.raises(DocumentError):
        list(parts)


def test_layers_of_other_planets_and_without_shapes(tmp_path):
    saved(tmp_path / "mars.gpkg", [shapely.box(45, 32, 46, 33)], crs="IAU_2015:49900")
    assert "on another planet than the map" in refusal(tmp_path, "mars.gpkg")
    saved(tmp_path / "none.shp", [HERE])
    (tmp_path / "none.prj").unlink()
    assert "on another planet than the map" in refusal(tmp_path, "none.shp", crs="IAU_2015:30100")
    pyogrio.write_dataframe(pandas.DataFrame({"n": [1]}), tmp_path / "table.gpkg", layer="t")
    assert "layer 't' has no shapes" in refusal(tmp_path, "table.gpkg")


@pytest.fixture
def visits() -> Iterator[tuple[str, list[str]]]:
    """The address of a server, and what it was asked for."""
    asked: list[str] = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()
    thread.join()


def test_nothing_that_data_name_is_fetched(visits, tmp_path, monkeypatch):
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    address, asked = visits
    wfs = f"{address}/a?SERVICE=WFS&amp;REQUEST=DescribeFeatureType&amp;VERSION=1.0.0&amp;TYPENAME=a:x"
    gml = (
        '<wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs" xmlns:gml="http://www.opengis.net/gml" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:a="http://a" '
        f'xsi:schemaLocation="http://a {wfs}"><gml:featureMember><a:x fid="1"><a:g><gml:Point srsName="EPSG:4326">'
        "<gml:coordinates>45,32</gml:coordinates></gml:Point></a:g></a:x></gml:featureMember></wfs:FeatureCollection>"
    )
    (tmp_path / "a.gml").write_text(gml, encoding="utf-8")
    layer(tmp_path, "a.gml", kind="point", crs="EPSG:4326")
    link = '{"type":"FeatureCollection","features":[],"crs":{"properties":{"href":"%s/crs"},"type":"link"}}'
    (tmp_path / "b.txt").write_text(link % address, encoding="utf-8")  # by another name it is read, and not fetched
    layer(tmp_path, "b.txt", crs="EPSG:4326")
    (tmp_path / "b.geojson").write_text(link.replace("}}", '},"a":1}}') % address, encoding="utf-8")
    assert not asked
    plain = '{"type":"FeatureCollection","crs":{"type":"link","properties":{"href":"%s"}},"features":[]}'
    (tmp_path / "c.geojson").write_text(plain % address, encoding="utf-8")
    assert "names its reference system by an address" in refusal(tmp_path, "c.geojson", crs="EPSG:4326")
    assert not asked and pyogrio.get_gdal_config_option("GDAL_HTTP_PROXY") is None


# -- specifications --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"x = " + b"[" * 100_000, "nested too deep"),
        (".".join(["a"] * 100_000).encode() + b" = 1", "keys of a hundred parts"),
        (b"x = {" + ".".join(["a"] * 100_000).encode() + b" = 1}", "keys of a hundred parts"),
        (b"x = " + b"9" * 5000, "give plain numbers"),
        ('title = "Ü"\n'.encode("latin-1"), "byte 9, in line 1, is no UTF-8 Remedy: save it as UTF-8"),
        ("title = 1".encode("utf-16"), "save it as UTF-8"),
        (b"# " + b"a" * 17_000_000, "allowed 16000000"),
        (b"title = 1\n" + b"a" * 1_000_000, "cannot be read"),
    ],
)
def test_specifications_that_are_bombs_or_no_text(data, message, tmp_path):
    path = tmp_path / "a.geography.toml"
    path.write_bytes(data)
    with pytest.raises(DocumentError) as found:
        read_spec(path)
    assert message in str(found.value)


def test_a_mark_at_the_beginning_of_a_text_is_no_fault(tmp_path):
    path = tmp_path / "a.geography.toml"
    text = '\ufefftitle = "a.b. c. d."\nruleset = "ignorant_armies"\ncrs = "EPSG:32638"\ngrid = {}\n'
    path.write_text(text, encoding="utf-8")
    assert read_spec(path).title == "a.b. c. d."


def test_maps_of_other_planets_and_too_many_control_points(tmp_path):
    with pytest.raises(DocumentError, match="on another planet"):
        work_of(tmp_path, crs="IAU_2015:49910")
    points = [{"name": f"p{i}", "at": "0101", "lon": 45 + i / 1000, "lat": 32} for i in range(301)]
    grid = {"hex_size": 0, "left": None, "top": None}
    with pytest.raises(DocumentError, match="got 301 control points, allowed 300"):
        work_of(tmp_path, grid=grid, fit={"points": points})


def test_a_raster_in_the_wrong_system_says_where_it_lies(tmp_path):
    values = np.ones((10, 10))
    np.savez(tmp_path / "a.npz", elevation=values, west=45.0, north=33.0, step=0.1, crs="EPSG:32638")
    np.savez(tmp_path / "b.npz", elevation=values, west=500e3, north=3.7e6, step=1e4, crs="EPSG:4326")
    for file, message in (("a.npz", "numbers look like degrees"), ("b.npz", "numbers are no degrees")):
        made = work_of(tmp_path, sources=[{"id": "data", "file": file, "licence": "CC0"}])
        with pytest.raises(DocumentError, match=f"covers no part of the map: it reaches over .*{message}"):
            read_raster(made, "data", "levels")
