"""Layers and rasters of a specification: what lies on the map is read, what cannot be is told, nothing is fetched."""

import zipfile
from pathlib import Path

import geopandas
import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import DocumentError
from studio.exchange.geography.data.shaping import thinned
from studio.exchange.geography.data.sources import point_of, read_layer, read_raster
from studio.exchange.geography.data.vectors import wkb_batches
from studio.exchange.geography.spec import ControlPoint, Geography
from tests.exchange.geography.placed import work_of

DEGREES = "EPSG:4326"
HERE = shapely.box(45.2, 33.0, 45.4, 33.2)
"""A field on the map of `work_of`, which reaches from 45 to about 46 east and 32.5 to 33.4 north."""


def saved(folder: Path, shapes, file="data.gpkg", crs=DEGREES, layer=None, **columns) -> Path:
    path = folder / file
    columns = columns or {"n": list(range(len(shapes)))}
    more = {"layer": layer} if layer else {}
    geopandas.GeoDataFrame(columns, geometry=list(shapes), crs=crs).to_file(path, **more)
    return path


def work(folder: Path, file="data.gpkg", licence="CC0", more=None, **source):
    rule = {"id": "data", "file": file, "licence": licence} | source
    return work_of(folder, sources=[rule], **(more or {}))


def told(made, *kinds):
    return [one.text for one in made.report.of(*kinds, step="sources")]


def test_shapes_come_to_lie_where_the_projection_has_them(tmp_path):
    saved(tmp_path, [HERE, shapely.box(10, 10, 11, 11)], names=["field", "elsewhere"])
    made = work(tmp_path)
    layer = read_layer(made, "data", "areas", columns=("names", "", "names"), kinds="area")
    assert layer.columns == {"names": ["field"]} and layer.total == 2 and layer.source.id == "data"
    ring = shapely.get_coordinates(HERE.segmentize(0.001))
    expected = shapely.Polygon(made.placing.from_degrees(ring[:, 0], ring[:, 1]))
    assert shapely.area(layer.shapes[0].symmetric_difference(expected)) < 0.001 * expected.area
    assert told(made) == ["data (data.gpkg): 1 of 2 rows lie on the map, as polygons"]


def test_what_reaches_out_is_cut_two_hexes_around(tmp_path):
    saved(tmp_path, [shapely.box(30, 20, 60, 45), shapely.LineString([(30, 33), (60, 33)])])
    made = work(tmp_path)
    (area,) = read_layer(made, "data", "areas", kinds="area").shapes
    (line,) = read_layer(made, "data", "rivers[0]", kinds="line").shapes
    x0, y0, x1, y1 = made.placing.grid.frame
    assert area.equals(shapely.box(x0 - 1920, y0 - 1920, x1 + 1920, y1 + 1920))
    assert (line.bounds[0], line.bounds[2]) == (x0 - 1920, x1 + 1920)
    # A parallel is no straight line on the map: it sags between its ends.
    ends = np.array([line.coords[0], line.coords[-1]])
    assert line.distance(shapely.Point(ends.mean(axis=0))) > 1


@pytest.mark.parametrize("crs", [DEGREES, "EPSG:32638", "EPSG:3857", "EPSG:2193"])
def test_any_system_of_coordinates(crs, tmp_path):
    shapes = geopandas.GeoSeries([shapely.Point(45.3, 33.1)], crs=DEGREES).to_crs(crs)
    if not np.isfinite(shapely.get_coordinates(shapes.values)).all():
        pytest.skip("this place has no coordinates there")
    saved(tmp_path, shapes, crs=crs)
    made = work(tmp_path)
    (point,) = read_layer(made, "data", "towns", kinds="point").shapes
    assert (point.x, point.y) == pytest.approx(made.placing.from_degrees(45.3, 33.1)[0], abs=0.5)


def test_rows_are_chosen_by_their_columns(tmp_path):
    shapes = [shapely.Point(45.1 + 0.1 * i, 33) for i in range(6)]
    saved(tmp_path, shapes, kind=["a", "b", "a", None, "a", "a"], rank=[1, 2, 3, 4, np.nan, 6], n=[0, 1, 2, 3, 4, 5])
    rows = [
        ({"where": {"kind": ["a"]}}, [0, 2, 4, 5]),
        ({"where": {"rank": ["2", "3"]}}, [1, 2]),
        ({"where": {"kind": [""]}}, [3]),
        ({"most": {"rank": 3}}, [0, 1, 2]),
        ({"least": {"rank": 3}}, [2, 3, 5]),
        ({"where": {"kind": ["a"]}, "least": {"rank": 3}, "most": {"rank": 5}}, [2]),
    ]
    for rules, expected in rows:
        layer = read_layer(work(tmp_path, **rules), "data", "towns", columns=("n",), kinds="point")
        assert sorted(layer.columns["n"]) == expected and layer.total == 6
    none = work(tmp_path, where={"kind": ["z"]})
    assert not len(read_layer(none, "data", "towns", kinds="point").shapes)
    assert any("where, most and least leave none" in text for text in told(none, "finding"))


def test_missing_values_are_none_and_whole_numbers_stay_whole(tmp_path):
    saved(tmp_path, [shapely.Point(45.2, 33), shapely.Point(45.3, 33)], a=[1, 2], b=["x", None], c=[0.5, np.nan])
    layer = read_layer(work(tmp_path), "data", "towns", columns=("a", "b", "c"), kinds="point")
    rows = sorted(zip(*layer.columns.values(), strict=True))
    assert [*layer.columns] == ["a", "b", "c"]
    assert rows == [(1, "x", 0.5), (2, None, None)]


# -- shapes of all kinds ---------------------------------------------------------------------------------------------


def test_collections_heights_curves_and_broken_shapes(tmp_path):
    rows = [
        "GEOMETRYCOLLECTION(POINT(45.2 33),GEOMETRYCOLLECTION(POLYGON((45.2 33,45.4 33,45.3 33.2,45.2 33))))",
        "POLYGON Z((45.2 33 5,45.4 33 6,45.3 33.2 7,45.2 33 5))",
        "CURVEPOLYGON(CIRCULARSTRING(45.2 33,45.3 33.1,45.4 33,45.3 32.9,45.2 33))",
        "TIN(((45.2 33 0,45.4 33 0,45.3 33.2 0,45.2 33 0)))",
        "POINT(45.3 33.1)",
        "POLYGON EMPTY",
        "",
    ]
    text = "id,wkt\n" + "".join(f'{number},"{row}"\n' for number, row in enumerate(rows))
    (tmp_path / "data.csv").write_text(text, encoding="utf-8")
    made = work(tmp_path, "data.csv", crs=DEGREES)
    layer = read_layer(made, "data", "areas", columns=("id",), kinds="area")
    assert sorted(int(one) for one in layer.columns["id"]) == [0, 1, 2] and not shapely.has_z(layer.shapes).any()
    first, second = (layer.shapes[layer.columns["id"].index(one)] for one in sorted(layer.columns["id"])[:2])
    assert first.equals_exact(second, 1e-6)
    findings = told(made, "finding")
    assert any("1 row is left out: no polygons" in one for one in findings)
    assert any("1 row is left out: shapes that cannot be read" in one for one in findings)
    points = read_layer(work(tmp_path, "data.csv", crs=DEGREES), "data", "towns", columns=("id",), kinds="point")
    assert sorted(int(one) for one in points.columns["id"]) == [0, 4]


def test_rows_come_from_the_top_of_the_map_down_whatever_their_order_in_the_file(tmp_path):
    shapes = [shapely.Point(45.2 + 0.1 * (i % 3), 32.9 + 0.1 * (i // 3)) for i in range(9)] + [shapely.Point(45.2, 33)]
    names = [*"abcdefghi", "z"]
    saved(tmp_path, shapes, name=names)
    there = read_layer(work(tmp_path), "data", "towns", columns=("name",), kinds="point")
    (tmp_path / "data.gpkg").unlink()
    saved(tmp_path, shapes[::-1], name=names[::-1])
    back = read_layer(work(tmp_path), "data", "towns", columns=("name",), kinds="point")
    assert back.columns["name"] == there.columns["name"]
    assert shapely.equals_exact(back.shapes, there.shapes).all()
    y = shapely.get_y(there.shapes)
    assert (np.diff(np.rint(y)) >= 0).all()
    # Two in one place: their columns decide.
    assert there.columns["name"].index("z") - there.columns["name"].index("d") == 1


def test_polygons_that_cross_themselves_are_mended_and_counted(tmp_path):
    bow = shapely.Polygon([(45.2, 32.8), (45.6, 33.2), (45.6, 32.8), (45.2, 33.2)])
    saved(tmp_path, [bow, HERE])
    made = work(tmp_path)
    layer = read_layer(made, "data", "areas", kinds="area")
    assert shapely.is_valid(layer.shapes).all() and layer.shapes[0].geom_type == "MultiPolygon"
    left, right = (part.area for part in layer.shapes[0].geoms)
    assert left == pytest.approx(right, rel=0.05)
    assert told(made, "note") == ["data (data.gpkg): 1 invalid polygon was mended"]


def test_coordinates_that_are_no_numbers_are_left_out(tmp_path):
    with np.errstate(invalid="ignore"):
        line = shapely.LineString([(45.2, 33), (45.3, np.nan), (45.4, 33)])
        saved(tmp_path, [line, shapely.LineString([(45.2, 33), (45.4, 33)])], "data.fgb", SPATIAL=[1, 2])
    made = work(tmp_path, "data.fgb")
    assert len(read_layer(made, "data", "rivers[0]", kinds="line").shapes) == 1


def test_what_is_drawn_around_the_earth_is_left_out(tmp_path):
    wrapped = shapely.Polygon([(179, 32), (-179, 32), (-179, 34), (179, 34)])
    world = shapely.box(-180, -90, 180, 90)
    saved(tmp_path, [wrapped, world], n=[0, 1])
    made = work(tmp_path)
    layer = read_layer(made, "data", "areas", columns=("n",), kinds="area")
    assert layer.columns["n"] == [1] and layer.shapes[0].area > 0
    assert any("drawn across the 180th meridian" in text for text in told(made, "finding"))


def test_a_map_across_the_180th_meridian_has_both_halves(tmp_path):
    west, east = shapely.box(179, -17.5, 180, -16.5), shapely.box(-180, -17.5, -179, -16.5)
    saved(tmp_path, [shapely.MultiPolygon([west, east]), shapely.box(44, 32, 46, 34)], n=[0, 1])
    grid = {"columns": 6, "rows": 5, "hex_size": 20_000, "left": 2_080_000, "top": 4_050_000}
    made = work(tmp_path, more={"crs": "EPSG:3460", "grid": grid})
    layer = read_layer(made, "data", "areas", columns=("n",), kinds="area")
    assert layer.columns["n"] == [0]
    lattice = made.placing.from_degrees([179.9, -179.9], [-17, -17])
    assert all(layer.shapes[0].buffer(1).contains(shapely.Point(one)) for one in lattice)


def test_beyond_a_projection_there_is_nothing(tmp_path):
    made = work_of(tmp_path)
    everywhere = np.array([shapely.Point(45.3, 33), shapely.Point(-134, -89.99999), None], dtype=object)
    found = made.placing.shapes(everywhere, DEGREES)
    assert found[0] is not None and found[2] is None


@given(st.integers(3, 60), st.floats(0.001, 0.2), st.integers(0, 2**31))
def test_thinning_keeps_holes_parts_and_what_crosses_itself(count, tolerance, seed):
    turns = np.linspace(0, 2 * np.pi, count, endpoint=False)
    wave = 1 + 0.01 * np.random.default_rng(seed).standard_normal(count)
    ring = np.stack((wave * np.cos(turns), wave * np.sin(turns)), axis=1)
    plain = shapely.Polygon(ring * 3, [ring * 0.5] if count > 5 else [])
    several = shapely.MultiPolygon([plain, shapely.Polygon(ring + 10), shapely.Polygon(ring * 1e-4 + 20)])
    shapes = np.array([plain, several, shapely.Polygon(ring * 1e-4)], dtype=object)
    thin = thinned(shapes, tolerance)
    assert [one.geom_type for one in thin[:2]] == ["Polygon", "MultiPolygon"] and thin[2].is_empty
    for before, after in zip(shapes[:2], thin[:2], strict=True):
        kept = [part for part in shapely.get_parts(before) if part.area > 1e-3]
        assert len(shapely.get_parts(after)) == len(kept)
        assert (
            shapely.make_valid(after).hausdorff_distance(shapely.make_valid(shapely.union_all(kept)))
            < 2 * tolerance + 1
        )


# -- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "driver"),
    [("a.shp", None), ("a.geojson", None), ("a.fgb", None), ("a.kml", "KML"), ("a.gml", "GML"), ("a.GPKG", "GPKG"),
     ("a.gdb", "OpenFileGDB")],
)  # fmt: skip
def test_formats(name, driver, tmp_path):
    frame = geopandas.GeoDataFrame({"n": ["x"]}, geometry=[HERE], crs=DEGREES)
    frame.to_file(tmp_path / name, **({"driver": driver} if driver else {}))
    assert len(read_layer(work(tmp_path, name), "data", "areas", kinds="area").shapes) == 1


def test_zipped_shapefiles_and_files_elsewhere(tmp_path):
    saved(tmp_path, [HERE], "a.shp")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for part in ("shp", "shx", "dbf", "prj"):
            archive.write(tmp_path / f"a.{part}", f"a.{part}")
    below = tmp_path / "below"
    below.mkdir()
    for file in ("../a.zip", "../a.shp", str(tmp_path / "a.shp")):
        assert len(read_layer(work(below, file), "data", "areas", kinds="area").shapes) == 1


def test_openstreetmap(tmp_path):
    text = (
        '<?xml version="1.0"?><osm version="0.6"><node id="1" lat="33" lon="45.2"/><node id="2" lat="33" lon="45.4"/>'
        '<way id="4"><nd ref="1"/><nd ref="2"/><tag k="highway" v="primary"/><tag k="name" v="A1"/></way></osm>'
    )
    (tmp_path / "a.osm").write_text(text, encoding="utf-8")
    layer = read_layer(work(tmp_path, "a.osm", layer="lines"), "data", "roads[0]", columns=("name",), kinds="line")
    assert layer.columns == {"name": ["A1"]}


@pytest.mark.parametrize(
    "file",
    ["/vsicurl/http://localhost/a.gpkg", "http://localhost/a.geojson", "PG:host=localhost", "WFS:http://localhost",
     '{"type":"FeatureCollection","features":[]}', "<OGRVRTDataSource/>"],
)  # fmt: skip
def test_addresses_are_no_files(file, tmp_path):
    with pytest.raises(DocumentError, match=r"is an address and no file.*download it"):
        read_layer(work(tmp_path, file), "data", "areas", kinds="area")


def test_pointers_are_refused_also_in_archives(tmp_path):
    text = (
        "<OGRVRTDataSource><OGRVRTLayer name='a'><SrcDataSource>a.shp</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
    )
    (tmp_path / "a.vrt").write_text(text, encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(tmp_path / "a.vrt", "a.vrt")
    for file in ("a.vrt", "a.zip"):
        with pytest.raises(DocumentError, match="only points to other files"):
            read_layer(work(tmp_path, file), "data", "areas", kinds="area")


def test_files_that_are_not_there(tmp_path):
    saved(tmp_path, [HERE], "Iraq.gpkg")
    (tmp_path / "folder").mkdir()
    (tmp_path / "broken.gpkg").write_bytes(b"SQLite format 3\0" + b"\1" * 200)
    faults = {
        "iraq.gpkg": "did you mean 'Iraq.gpkg'\\? Small and capital letters count",
        "none/a.gpkg": "there is no folder",
        "folder": "is a folder, not a file",
        "broken.gpkg": "cannot be read",
        "": "names no file",
    }
    for file, message in faults.items():
        with pytest.raises(DocumentError, match=message):
            read_layer(work(tmp_path, file), "data", "areas", kinds="area")


def test_texts_larger_than_the_memory_are_refused(tmp_path, monkeypatch):
    saved(tmp_path, [HERE], "a.geojson")
    monkeypatch.setattr("studio.exchange.geography.data.vectors.MAX_SOURCE", 10)
    with pytest.raises(DocumentError, match=r"read whole: allowed 10.*save it as a GeoPackage"):
        read_layer(work(tmp_path, "a.geojson"), "data", "areas", kinds="area")


def test_layers_and_columns_are_named_with_their_nearest(tmp_path):
    saved(tmp_path, [HERE], layer="fields", title=["x"])
    saved(tmp_path, [HERE], layer="woods", title=["x"])
    with pytest.raises(DocumentError, match=r"has no layer 'field'; did you mean 'fields'"):
        read_layer(work(tmp_path, layer="field"), "data", "areas", kinds="area")
    with pytest.raises(DocumentError, match="has 2 layers"):
        read_layer(work(tmp_path), "data", "areas", kinds="area")
    with pytest.raises(DocumentError, match=r"no column 'titel', which areas\[2\] needs; did you mean 'title'"):
        read_layer(work(tmp_path, layer="woods"), "data", "areas[2]", columns=("titel",), kinds="area")
    with pytest.raises(DocumentError, match=r"names the source 'dat'; did you mean 'data'"):
        read_layer(work(tmp_path), "dat", "areas", kinds="area")


def test_no_system_of_coordinates_is_refused_until_the_source_says_it(tmp_path):
    saved(tmp_path, [HERE], "a.shp")
    (tmp_path / "a.prj").unlink()
    with pytest.raises(DocumentError, match=r'give crs = "EPSG:4326" in the source'):
        read_layer(work(tmp_path, "a.shp"), "data", "areas", kinds="area")
    assert len(read_layer(work(tmp_path, "a.shp", crs=DEGREES), "data", "areas", kinds="area").shapes) == 1
    saved(tmp_path, [HERE])
    other = work(tmp_path, crs="EPSG:32638")
    assert len(read_layer(other, "data", "areas", kinds="area").shapes) == 1
    assert any("the file counts" in text for text in told(other, "finding"))


def test_a_source_without_a_licence_is_a_finding_once(tmp_path):
    saved(tmp_path, [HERE])
    made = work(tmp_path, licence=" ")
    for _ in range(2):
        read_layer(made, "data", "areas", kinds="area")
    assert len(told(made, "finding")) == 1 and "names no licence" in told(made, "finding")[0]


def test_nothing_on_the_map_is_a_finding_and_of_land_a_refusal(tmp_path):
    saved(tmp_path, [shapely.box(33.0, 45.2, 33.2, 45.4)])
    made = work(tmp_path)
    assert not len(read_layer(made, "data", "areas", kinds="area").shapes)
    (text,) = told(made, "finding")
    assert "none of its 1 rows lies on the map" in text and "its x and y seem to be swapped" in text
    with pytest.raises(DocumentError, match="lies on the map"):
        read_layer(work(tmp_path, more={"water": {"land": "data"}}), "data", "water.land", kinds="area")


def test_an_empty_layer_is_a_finding(tmp_path):
    saved(tmp_path, [HERE])
    geopandas.read_file(tmp_path / "data.gpkg").iloc[:0].to_file(tmp_path / "none.gpkg")
    made = work(tmp_path, "none.gpkg")
    assert not len(read_layer(made, "data", "areas", kinds="area").shapes)
    assert told(made, "finding") == ["data (none.gpkg) has no rows"]


def test_a_file_is_read_in_parts_each_row_once(tmp_path, monkeypatch):
    shapes = [shapely.Point(44.9 + 0.001 * i, 33) for i in range(1000)]
    path = saved(tmp_path, shapes)
    monkeypatch.setattr("studio.exchange.geography.data.vectors._BYTES", 700)
    parts = [table["n"].tolist() for table, _ in wkb_batches(path, "data", ["n"], (45, 32, 45.5, 34), 1000)]
    assert len(parts) > 10 and [n for part in parts for n in part] == list(range(100, 601))


# -- places ----------------------------------------------------------------------------------------------------------


def places(folder: Path, **more) -> Geography:
    points = [shapely.Point(45, 33), shapely.Point(46, 34), shapely.Point(47, 35), shapely.Point(48, 36)]
    saved(folder, points, "p.gpkg", name=["Alpha", "Beta", "Alpha", "Gamma"], key=[1, 2, 3, 4], people=[5, 6, 7, None])
    plain = {"title": "T", "ruleset": "ignorant_armies", "crs": "EPSG:32638", "grid": {}}
    plain |= {"sources": [{"id": "p", "file": "p.gpkg"}]} | more
    return msgspec.convert(plain, Geography)


def test_control_points_by_the_name_or_number_of_a_place(tmp_path):
    rule = {"towns": {"source": "p", "key": "key", "population": "people"}}
    spec = places(tmp_path, **rule)

    def at(**point):
        return point_of(spec, tmp_path, "test", ControlPoint(at="0101", **point))

    assert at(name="Beta") == pytest.approx((46, 34)) and at(name="B", place="Beta", source="p") == (46, 34)
    assert at(name="x", place="4") == (48, 36) and at(name="Alpha") == (47, 35)
    assert at(name="Alpha", lon=1.0, lat=2.0) == (1.0, 2.0)
    with pytest.raises(DocumentError, match=r"has no place 'Gama'; did you mean 'Gamma'"):
        at(name="Gama")
    with pytest.raises(DocumentError, match="names the source 'q'"):
        at(name="Beta", source="q")
    with pytest.raises(DocumentError, match="has neither lon and lat nor a place"):
        at(name="")
    spec = places(tmp_path)
    with pytest.raises(DocumentError, match="has 2 places 'Alpha'"):
        at(name="Alpha", source="p")


# -- rasters ---------------------------------------------------------------------------------------------------------


def raster(folder: Path, west=44.0, north=35.0, step=0.01, shape=(400, 500), **more):
    values = np.arange(shape[0] * shape[1], dtype=float).reshape(shape)
    np.savez(folder / "h.npz", elevation=values, west=west, north=north, step=step, **more)
    return values


def test_a_raster_is_cut_to_the_map(tmp_path):
    values = raster(tmp_path)
    made = work(tmp_path, "h.npz")
    found = read_raster(made, "data", "levels")
    assert found.crs == DEGREES and found.values.size < values.size / 2
    a, _, c, _, e, f = found.affine
    column, row = round((c - 44.0) / a), round((f - 35.0) / e)
    assert (values[row : row + found.values.shape[0], column : column + found.values.shape[1]] == found.values).all()
    net = made.placing.net(DEGREES).reshape(-1, 2)
    assert c <= net[:, 0].min() and c + a * found.values.shape[1] >= net[:, 0].max()
    assert f >= net[:, 1].max() and f + e * found.values.shape[0] <= net[:, 1].min()
    classes = {"classes": [{"terrain": "mountain", "source": "data", "relief": 1, "within": 50_000}]}
    wider = read_raster(work(tmp_path, "h.npz", more={"terrain": classes}), "data", "levels")
    assert wider.values.size > found.values.size


def test_a_raster_of_longitudes_up_to_360_is_moved(tmp_path):
    raster(tmp_path, west=300.0, north=60.0, step=0.25, shape=(200, 480))
    found = read_raster(work(tmp_path, "h.npz"), "data", "levels")
    assert 43 < found.affine[2] < 45.1 and found.values.shape[1] < 40


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"west": 10.0}, "covers no part of the map"),
        ({"crs": ""}, r'give crs = "EPSG:4326"'),
        ({"crs": "EPSG:0"}, r'give crs = "EPSG:4326"'),
        ({"step": 0.0}, "without a size"),
    ],
)
def test_rasters_without_a_place_are_refused(more, message, tmp_path):
    raster(tmp_path, **more)
    with pytest.raises(DocumentError, match=message):
        read_raster(work(tmp_path, "h.npz"), "data", "levels")


def test_an_ascii_grid_and_a_picture_with_a_world_file(tmp_path):
    from PIL import Image

    head = "ncols 30\nnrows 20\nxllcorner 44.5\nyllcorner 32\ncellsize 0.1\nnodata_value -9999\n"
    (tmp_path / "h.asc").write_text(head + " ".join(map(str, range(600))), encoding="utf-8")
    made = work(tmp_path, "h.asc", crs=DEGREES)
    assert read_raster(made, "data", "levels").empty == -9999
    with pytest.raises(DocumentError, match=r'give crs = "EPSG:4326"'):
        read_raster(work(tmp_path, "h.asc"), "data", "levels")
    Image.fromarray(np.zeros((20, 30), dtype=np.uint8)).save(tmp_path / "p.png")
    (tmp_path / "p.pgw").write_text("0.1\n0\n0\n-0.1\n44.55\n33.95\n", encoding="utf-8")
    assert read_raster(work(tmp_path, "p.png", crs=DEGREES), "data", "levels").affine[0] == 0.1
