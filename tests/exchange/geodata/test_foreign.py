"""Vector files and rasters of others on a map: points, lines and polygons, pixels by majority."""

from pathlib import Path

import geopandas
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from PIL.TiffImagePlugin import ImageFileDirectory_v2

from studio.errors import DocumentError, UnknownNameError
from studio.exchange import geodata
from studio.exchange.common.lines import hex_path, side_path
from studio.exchange.geodata import Frame, GeodataReading, LayerRule, RasterRule
from studio.grid import HexGrid
from tests.exchange.contents import grids, own_game

FRAME = Frame(crs="EPSG:32638", left=500_000, top=3_500_000, hex_size=1000, columns=6, rows=5)
WIDE = 1000 * 2 / 3**0.5


def world(column: int, row: int) -> tuple[float, float]:
    """The middle of a hex of the frame."""
    x = 500_000 + WIDE * (0.5 + 0.75 * column)
    return x, 3_500_000 - 1000 * (0.5 + row + 0.5 * (column % 2))


def saved(folder: Path, crs: str = "EPSG:32638", **layers) -> Path:
    path = folder / "source.gpkg"
    for name, (columns, shapes) in layers.items():
        geopandas.GeoDataFrame(columns, geometry=shapes, crs="EPSG:32638").to_crs(crs).to_file(path, layer=name)
    return path


def reading(*rules: LayerRule, **more) -> GeodataReading:
    return GeodataReading(ruleset=own_game().id, frame=FRAME, layers=rules, **more)


def box(column: int, row: int, size: float = 400) -> shapely.Polygon:
    x, y = world(column, row)
    return shapely.box(x - size, y - size, x + size, y + size)


@pytest.mark.parametrize("crs", ["EPSG:32638", "EPSG:4326"])
def test_polygons_become_terrain_and_levels_whatever_their_system(crs, tmp_path):
    cover = ({"use": ["forest", "Lake", "rock"], "m": [1, 2, 3]}, [box(0, 0), box(2, 1), box(3, 3)])
    path = saved(tmp_path, crs, cover=cover)
    rules = (
        LayerRule(to="terrain", attribute="use", mapping={"forest": "woods", "rock": ""}),
        LayerRule(to="levels", attribute="m", where={"use": "rock"}),
    )
    taken = geodata.read(path, options=reading(*rules))
    document = taken.document
    assert document.terrain.rows == ["w.....", "..~...", "......", "......", "......"]
    assert document.levels.rows[3][3] == "3" and sum(row.count("0") for row in document.levels.rows) == 29
    assert "the first layer to terrain: 2 of 3 rows; not used: 1 without a value" in taken.notes
    assert document.georeference.crs == "EPSG:32638"


def test_the_middle_or_the_share_decides(tmp_path):
    x, y = world(2, 2)
    half = shapely.box(x + 1, y - 900, x + 3000, y + 900)  # nearly half of the hex, not its middle
    path = saved(tmp_path, water=({"n": [1]}, [half]))
    by_middle = geodata.read(path, options=reading(LayerRule(to="terrain", type="lake"))).document
    by_share = geodata.read(path, options=reading(LayerRule(to="terrain", type="lake", share=0.4))).document
    assert by_middle.terrain.rows[2][2] == "." and by_share.terrain.rows[2][2] == "~"


def test_points_and_lines_and_areas(tmp_path):
    path = saved(
        tmp_path,
        towns=(
            {"label": ["Alpha", "Beta", "Far"]},
            [shapely.Point(world(1, 1)), shapely.Point(world(4, 2)), shapely.Point(0, 0)],
        ),
        tracks=({"name": ["A 1"], "kind": ["dirt"]}, [shapely.LineString([world(0, 0), world(1, 0), world(2, 1)])]),
        fields=({"name": ["Acre"]}, [box(3, 3)]),
        fires=({"n": [1]}, [shapely.Point(world(5, 4))]),
        hedges=({"n": [1]}, [shapely.LineString([world(0, 3), world(1, 3)])]),
    )
    rules = (
        LayerRule(layer="towns", to="names", name="label"),
        LayerRule(layer="tracks", to="roads", attribute="kind", mapping={"dirt": "unpaved"}, name="name"),
        LayerRule(layer="fields", to="areas", type="field", name="name"),
        LayerRule(layer="fires", to="markers", type="smoke"),
        LayerRule(layer="hedges", to="walls", type="fence"),
    )
    taken = geodata.read(path, options=reading(*rules))
    found = {one.id: one for one in taken.document.features}
    grid = taken.document.grid
    assert [(found[f"name-{n}"].text, found[f"name-{n}"].at) for n in (1, 2)] == [
        ("Alpha", grid.centre(7)),
        ("Beta", grid.centre(16)),
    ]
    assert "name-3" not in found
    assert found["road-1"].path == ("0101", "0201", "0302") and found["road-1"].surface == "unpaved"
    assert found["area-1"].type == "field" and found["area-1"].name == "Acre" and len(found["area-1"].outline) == 4
    assert found["marker-1"].at == "0605"
    assert found["wall-1"].line == (grid.centre(18), grid.centre(19))


def test_a_river_follows_hexsides_and_does_not_cross_them(tmp_path):
    # Along the border between the first two columns, a little off it, from the top to the bottom.
    x = (world(0, 0)[0] + world(1, 0)[0]) / 2
    river = shapely.LineString([(x + 30 * (-1) ** n, 3_500_000 - 500 * n) for n in range(11)])
    path = saved(tmp_path, rivers=({"n": [1]}, [river]))
    document = geodata.read(path, options=reading(LayerRule(to="sides", type="river"))).document
    pairs = {(a, b) for a, b, _ in document.sides}
    assert pairs and all({a[:2], b[:2]} == {"01", "02"} for a, b in pairs)
    assert len(pairs) >= 8


@given(grid=grids(6), data=st.data())
def test_a_line_along_hexsides_gives_just_these(grid, data):
    cell = data.draw(st.sampled_from([cell for cell in range(grid.cells) if grid.has(cell)]))
    corners = grid.corners(cell)
    start, count = data.draw(st.integers(0, 5)), data.draw(st.integers(1, 3))
    line = [corners[(start + n) % 6] for n in range(count + 1)]
    others = [grid.neighbour(cell, (start + n) % 6) for n in range(count)]
    if None not in others:
        assert side_path(grid, line) == [(min(cell, other), max(cell, other)) for other in others]


@given(grid=grids(6), data=st.data())
def test_a_road_through_middles_has_those_hexes(grid, data):
    walk = [data.draw(st.sampled_from([cell for cell in range(grid.cells) if grid.has(cell)]))]
    for _ in range(data.draw(st.integers(0, 5))):
        ways = [other for other in grid.neighbours(walk[-1]) if other not in walk]
        walk += [data.draw(st.sampled_from(ways))] if ways else []
    assert hex_path(grid, [grid.centre(cell) for cell in walk]) == walk


def test_lines_off_the_map_and_past_corners():
    grid = HexGrid(columns=8, rows=8)
    assert hex_path(grid, [(-900, -900), (-800, -900)]) == []
    (x, y), corner = grid.centre(0), grid.corners(0)[3]
    # Past the lower right corner of the first hex, a hair within the hex beside it.
    assert hex_path(grid, [(x, y), (corner[0] + 8, corner[1]), grid.centre(8)]) == [0, 8]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (LayerRule(layer="no", to="names"), "no layer 'no'"),
        (LayerRule(to="names", name="nome"), "no column 'nome'"),
        (LayerRule(to="terrain"), "neither a type nor an attribute"),
        (LayerRule(to="terrain", type="wood"), "did you mean 'woods'"),
        (LayerRule(to="terrain", attribute="use"), "unknown terrain 'forest'"),
    ],
)
def test_what_means_nothing_is_named(rule, words, tmp_path):
    path = saved(tmp_path, cover=({"use": ["forest"], "name": ["x"]}, [box(0, 0)]))
    with pytest.raises(DocumentError, match=words):
        geodata.read(path, options=reading(rule))


def test_a_mapping_to_nothing_known_is_refused(tmp_path):
    path = saved(tmp_path, cover=({"use": ["forest"]}, [box(0, 0)]))
    with pytest.raises(UnknownNameError, match="'wods'"):
        geodata.read(path, options=reading(LayerRule(to="terrain", attribute="use", mapping={"forest": "wods"})))


def test_without_rules_the_layers_are_named(tmp_path):
    path = saved(tmp_path, cover=({"use": ["forest"]}, [box(0, 0)]))
    with pytest.raises(DocumentError, match="holds the layers cover"):
        geodata.read(path, options=reading())
    with pytest.raises(DocumentError, match="laid on no map"):
        geodata.read(path, options=GeodataReading(layers=(LayerRule(to="names"),)))


def test_the_real_world_is_not_laid_on_a_map_without_a_place(tmp_path):
    path = saved(tmp_path, cover=({"use": ["forest"]}, [box(0, 0)]))
    onto = geodata.read(path, options=reading(LayerRule(to="names", name="use"))).document
    onto.georeference = None
    with pytest.raises(DocumentError, match="the map has no place in it"):
        geodata.read(path, options=GeodataReading(onto=onto, layers=(LayerRule(to="names", name="use"),)))


def test_files_that_only_point_elsewhere_are_refused(tmp_path):
    path = tmp_path / "a.vrt"
    source = "<SrcDataSource>/etc/passwd</SrcDataSource>"
    path.write_text(f'<OGRVRTDataSource><OGRVRTLayer name="a">{source}</OGRVRTLayer></OGRVRTDataSource>')
    with pytest.raises(DocumentError, match="only points to other files"):
        geodata.read(path, options=reading(LayerRule(to="names")))


# -- rasters -----------------------------------------------------------------------------------------------------------


def values(size: float = 50) -> np.ndarray:
    """Rows north to south: 2 in the hex 0302, 1 in the western half of the map, 0 elsewhere."""
    found = np.zeros((120, 120), dtype=np.uint8)
    found[:, :45] = 1
    x, y = world(2, 1)
    column, row = int((x - 500_000) / size), int((3_500_000 - y) / size)
    found[row - 9 : row + 10, column - 9 : column + 10] = 2
    return found


def ascii_grid(folder: Path) -> str:
    rows = "\n".join(" ".join(map(str, row)) for row in values().tolist())
    head = "ncols 120\nnrows 120\nxllcorner 500000\nyllcorner 3494000\ncellsize 50\nNODATA_value -9999\n"
    (folder / "r.asc").write_text(head + rows)
    return "r.asc"


def geotiff(folder: Path) -> str:
    tags = ImageFileDirectory_v2()
    tags[33550], tags[33922] = (50.0, 50.0, 0.0), (0.0, 0.0, 0.0, 500_000.0, 3_500_000.0, 0.0)
    tags.tagtype[33550] = tags.tagtype[33922] = 12
    tags[34735] = (1, 1, 0, 1, 3072, 0, 1, 32638)
    tags.tagtype[34735] = 3
    Image.fromarray(values()).save(folder / "r.tif", tiffinfo=tags)
    return "r.tif"


def world_file(folder: Path) -> str:
    Image.fromarray(values()).save(folder / "r.png")
    (folder / "r.pgw").write_text("50\n0\n0\n-50\n500025\n3499975\n")
    return "r.png"


def arrays(folder: Path) -> str:
    np.savez(folder / "r.npz", values=values(), affine=[50, 0, 500_000, 0, -50, 3_500_000], crs="EPSG:32638")
    return "r.npz"


@pytest.mark.parametrize("make", [ascii_grid, geotiff, world_file, arrays])
def test_pixels_become_terrain_by_majority(make, tmp_path):
    rule = RasterRule(source=make(tmp_path), to="terrain", codes={"0": "clear", "1": "woods", "2": "lake"})
    taken = geodata.read(tmp_path / "none", options=reading(rasters=(rule,)))
    rows = taken.document.terrain.rows
    assert rows[1][2] == "~"
    assert {row[:2] for row in rows} == {"ww"} and {row[3:] for row in rows} == {"..."}
    assert taken.notes[0].startswith(f"{rule.source} to terrain: 30 hexes")


def test_heights_become_levels_by_breaks(tmp_path):
    np.savez(
        tmp_path / "h.npz", elevation=values().astype("f4") * 100, affine=[50, 0, 5e5, 0, -50, 3.5e6], crs="EPSG:32638"
    )
    rule = RasterRule(source="h.npz", to="levels", breaks=(100, 150))
    document = geodata.read(tmp_path / "none", options=reading(rasters=(rule,))).document
    assert document.levels.rows[1][:4] == "1120"


def test_codes_that_mean_nothing_are_listed_with_their_pixels(tmp_path):
    rule = RasterRule(source=ascii_grid(tmp_path), to="terrain", codes={"0": "clear", "2": "lak"})
    with pytest.raises(DocumentError) as caught:
        geodata.read(tmp_path / "none", options=reading(rasters=(rule,)))
    text = str(caught.value)
    assert "the value 1 (" in text and "pixels) means nothing" in text and "did you mean 'lake'?" in text


SHORT = b"ncols 2\nnrows 2\ncellsize 1\nxllcorner 0\nyllcorner 0\n1 2 3"


@pytest.mark.parametrize("data", [b"", SHORT, b"ncols 99999999\n"])
def test_broken_grids_are_refused(data, tmp_path):
    (tmp_path / "r.asc").write_bytes(data)
    rule = RasterRule(source="r.asc", to="terrain", codes={"1": "clear"})
    with pytest.raises(DocumentError):
        geodata.read(tmp_path / "none", options=reading(rasters=(rule,)))


def test_a_picture_without_a_place_is_refused(tmp_path):
    Image.fromarray(values()).save(tmp_path / "r.png")
    rule = RasterRule(source="r.png", to="terrain", codes={"1": "clear"})
    with pytest.raises(DocumentError, match="does not say where it lies"):
        geodata.read(tmp_path / "none", options=reading(rasters=(rule,)))


# -- what is tidied on the way -----------------------------------------------------------------------------------------


def structures(folder: Path, columns: dict, shapes: list, **more):
    path = saved(folder, houses=(columns, shapes))
    rule = LayerRule(to="areas", type="structure", **more)
    taken = geodata.read(path, options=GeodataReading(ruleset="modern_tactics", frame=FRAME, layers=(rule,)))
    return taken, taken.document.features


def test_footprints_share_their_borders_and_have_storeys(tmp_path):
    x, y = world(2, 2)
    houses = [
        shapely.box(x, y, x + 400, y + 300),
        shapely.box(x + 395, y, x + 700, y + 300),
        shapely.box(x, y - 90, x + 20, y - 80),
    ]
    columns = {"floors": ["2", "7", "1"]}
    taken, areas = structures(
        tmp_path, columns, houses, touching="share", least=0.01, storeys="floors", reached="structure"
    )
    assert [one.level for one in areas] == [1, 2]
    a, b = (shapely.Polygon(one.outline) for one in areas)
    assert shapely.coverage_is_valid([a, b]) and a.intersection(b).length > 100
    assert any("1 areas are smaller than 0.01 hexes and left out" in note for note in taken.notes)
    terrain, levels = "".join(taken.document.terrain.rows), "".join(taken.document.levels.rows)
    # The higher house reaches into both hexes that houses are in.
    assert [letter == "S" for letter in terrain] == [level == "2" for level in levels]
    assert terrain.count("S") == 2


def test_footprints_stay_as_they_are_unless_something_is_asked(tmp_path):
    x, y = world(2, 2)
    houses = [shapely.box(x, y, x + 400, y + 300), shapely.box(x + 395, y, x + 700, y + 300)]
    taken, areas = structures(tmp_path, {"n": [1, 2]}, houses)
    a, b = (shapely.Polygon(one.outline) for one in areas)
    assert a.intersection(b).area > 0 and taken.notes == ("the first layer to areas: 2 of 2 rows",)


def test_names_along_lines_and_roads_joined_along_their_course(tmp_path):
    points = [world(0, 1), world(2, 1), world(4, 2)]
    lines = [shapely.LineString(points[:2]), shapely.LineString(points[1:])]
    path = saved(tmp_path, streets=({"name": ["Long", "Long"]}, lines))
    rules = (
        LayerRule(to="roads", name="name", join=True, course=True),
        LayerRule(to="names", name="name", shape="line", join=True, size=0.5),
    )
    document = geodata.read(path, options=reading(*rules)).document
    (name,) = (one for one in document.features if one.id.startswith("name"))
    (road,) = (one for one in document.features if one.id.startswith("road"))
    assert road.path[0] == "0102" and road.path[-1] == "0503" and len(road.line) >= 3
    assert (name.text, name.size) == ("Long", 0.5) and -30 < name.angle < 0


def test_points_give_their_hex_a_terrain(tmp_path):
    path = saved(tmp_path, trees=({"n": [1]}, [shapely.Point(world(3, 2))]))
    document = geodata.read(path, options=reading(LayerRule(to="terrain", type="woods", shape="point"))).document
    assert document.terrain.rows == ["......", "......", "...w..", "......", "......"]


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (LayerRule(to="areas", type="field", under="wood"), "did you mean 'woods'"),
        (LayerRule(to="areas", type="field", reached="wood"), "did you mean 'woods'"),
        (LayerRule(to="areas", type="field", part="feild"), "did you mean 'field'"),
        (LayerRule(to="areas", type="field", storeys="flors"), "no column 'flors'"),
        (LayerRule(to="walls", type="fence", shape="area"), "walls are made of lines"),
    ],
)
def test_what_is_tidied_must_be_known(rule, words, tmp_path):
    path = saved(tmp_path, houses=({"floors": [1]}, [box(1, 1)]))
    with pytest.raises(DocumentError, match=words):
        geodata.read(path, options=reading(rule))
