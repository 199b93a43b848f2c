"""Maps and scenarios to Tiled and back: nothing is lost, and what was changed in Tiled is taken over."""

import io
import json
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from studio.errors import DocumentError, GridError, UnsupportedError
from studio.exchange import tiled
from studio.exchange.tiled.sizes import sizes_of
from studio.grid import HexGrid
from tests.exchange.contents import GAMES, content, content_of, grids, maps, own_map


def written(what, folder: Path, ending: str = "tmj", **options) -> Path:
    return tiled.write(what, folder / f"map.{ending}", options=tiled.TiledOptions(**options)).files[0]


@pytest.mark.parametrize(("name", "scenario"), GAMES)
@pytest.mark.parametrize("ending", ["tmj", "tmx"])
@pytest.mark.parametrize("whole", [True, False])
def test_every_game_comes_back(name, scenario, ending, whole, tmp_path):
    what = content_of(name, scenario)
    taken = tiled.read(written(what, tmp_path, ending, whole=whole))
    expected = what.model.to_document()
    if not whole:  # notes and sources go along with the frame of the map all the same
        assert taken.document.features == expected.features
    assert taken.document == expected
    assert taken.scenario == what.scenario
    assert taken.notes == ()


@given(what=maps(), ending=st.sampled_from(["tmj", "tmx"]))
def test_random_maps_come_back(what, ending, tmp_path_factory):
    path = written(what, tmp_path_factory.mktemp("tiled"), ending)
    assert tiled.read(path).document == what.model.to_document()


@given(what=maps())
def test_random_maps_come_back_from_their_layers(what, tmp_path_factory):
    path = written(what, tmp_path_factory.mktemp("tiled"), "tmj", whole=False)
    assert tiled.read(path).document == what.model.to_document()


def test_the_same_map_gives_the_same_bytes(tmp_path):
    what = content_of("tactics-3")
    first = {file.name: file.read_bytes() for file in tiled.write(what, tmp_path / "a.tmx").files}
    second = {file.name: file.read_bytes() for file in tiled.write(what, tmp_path / "a.tmx").files}
    assert first == second
    assert set(first) == {"a.tmx", "a-terrain.png", "a-levels.png"}


# -- where things lie --------------------------------------------------------------------------------------------------


def tiled_middle(data: dict, column: int, row: int) -> tuple[float, float]:
    """The middle of a tile in pixels, as Tiled's own renderer of hexes has it."""
    wide, high, side = data["tilewidth"], data["tileheight"], data["hexsidelength"]
    even = data["staggerindex"] == "even"
    if data["staggeraxis"] == "x":
        step = (wide - side) // 2 + side
        return column * step + wide / 2, row * high + (high // 2 if (column & 1) ^ even else 0) + high / 2
    step = (high - side) // 2 + side
    return column * wide + (wide // 2 if (row & 1) ^ even else 0) + wide / 2, row * step + high / 2


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
@pytest.mark.parametrize("hex_px", [24, 61.85, 90])
def test_middles_of_tiles_are_ours(orientation, stagger, hex_px, tmp_path):
    model = own_map(columns=2, rows=2, orientation=orientation, stagger=stagger)
    data = json.loads(written(content(model), tmp_path, hex_px=hex_px).read_bytes())
    sizes = sizes_of(model.grid, hex_px)
    assert data["tilewidth"] % 2 == data["tileheight"] % 2 == data["hexsidelength"] % 2 == 0
    for cell in range(4):
        middle = tiled_middle(data, cell % 2, cell // 2)
        assert middle == pytest.approx(sizes.pixel(*model.grid.centre(cell)))


@given(grid=grids(40), hex_px=st.floats(20, 200))
def test_middles_never_drift(grid, hex_px):
    sizes = sizes_of(grid, hex_px)
    data = {
        "tilewidth": sizes.wide,
        "tileheight": sizes.high,
        "hexsidelength": sizes.side,
        "staggerindex": grid.stagger,
        "staggeraxis": "x" if grid.flat else "y",
    }
    cell = grid.cells - 1
    assert tiled_middle(data, *divmod(cell, grid.columns)[::-1]) == pytest.approx(sizes.pixel(*grid.centre(cell)))
    assert sizes.lattice(*sizes.pixel(*grid.centre(cell))) == pytest.approx(grid.centre(cell))


def test_sizes_that_no_tile_can_have_are_refused():
    with pytest.raises(GridError, match="tiles would have 4 x 4 pixels"):
        sizes_of(HexGrid(columns=2, rows=2), 4)


def test_absent_hexes_have_no_tile_and_sheets_are_groups(tmp_path):
    what = content_of("urban-1")
    data = json.loads(written(what, tmp_path).read_bytes())
    groups = [layer for layer in data["layers"] if layer["type"] == "group"]
    assert [group["name"] for group in groups] == [f"sheet {sheet.id}" for sheet in what.model.sheets]
    planes = np.array([group["layers"][0]["data"] for group in groups])
    assert ((planes > 0).sum(axis=0) == what.model.grid.present.ravel()).all()


def test_tiles_are_drawn_by_the_painter_or_plain(tmp_path):
    class Painter:
        def tile(self, terrain: str, width: int, height: int) -> bytes:
            buffer = io.BytesIO()
            Image.new("RGBA", (width, height), "#112233" if terrain == "woods" else "#445566").save(buffer, "PNG")
            return buffer.getvalue()

    what = content(own_map(columns=2, rows=2))
    tiled.write(what, tmp_path / "a.tmj", pictures=Painter())
    with Image.open(tmp_path / "a-terrain.png") as atlas:
        assert atlas.size == (3 * 104, 90)
        found = [atlas.getpixel((104 * number + 5, 5))[:3] for number in range(3)]
    assert found == [(0x44, 0x55, 0x66), (0x11, 0x22, 0x33), (0x44, 0x55, 0x66)]
    files = tiled.write(what, tmp_path / "b.tmj", options=tiled.TiledOptions(tiles="collection")).files
    assert [file.name for file in files if "terrain" in file.name] == [
        "b-terrain-0-clear.png",
        "b-terrain-1-woods.png",
        "b-terrain-2-lake.png",
    ]
    with Image.open(tmp_path / "b-terrain-1-woods.png") as tile:
        assert tile.size == (104, 90)
        assert tile.convert("RGBA").getpixel((0, 0))[3] == 0 < tile.convert("RGBA").getpixel((52, 30))[3]
    assert tiled.read(tmp_path / "b.tmj").document == what.model.to_document()


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(UnsupportedError, match=r"\.tmj"):
        tiled.write(content(own_map(columns=2, rows=2)), tmp_path / "a.png")


# -- changes made in Tiled ---------------------------------------------------------------------------------------------


def changed(path: Path, change) -> Path:
    data = json.loads(path.read_bytes())
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


OTHER = "bridge"


def layer(data: dict, name: str) -> dict:
    return next(one for one in data["layers"] if one["name"] == name)


def test_painted_tiles_and_levels_are_taken_over(tmp_path):
    what = content_of("tactics-3")

    def paint(data: dict) -> None:
        terrain = [tile["properties"][0]["value"] for tile in data["tilesets"][0]["tiles"]]
        layer(data, "terrain")["data"][20] = 1 + terrain.index(OTHER)
        levels = layer(data, "levels")["data"]
        levels[21] = next(gid for gid in levels if gid)

    taken = tiled.read(changed(written(what, tmp_path), paint))
    model = what.model
    assert taken.notes == ("terrain of 1 hexes changed", "levels of 1 hexes changed")
    mark = model.terrain_characters[OTHER]
    row, column = divmod(20, model.grid.columns)
    assert taken.document.terrain.rows[row][column] == mark
    assert taken.document.features == model.to_document().features


def test_moved_added_and_deleted_objects_are_taken_over(tmp_path):
    what = content_of("practice-front", "practice-front")
    grid, label = what.model.grid, what.model.labels.label

    def edit(data: dict) -> None:
        names = layer(data, "names")["objects"]
        names[0]["x"] += 104 * 0.75  # one column to the right
        names[1]["text"]["text"] = "New name"
        del names[2]
        sizes = sizes_of(grid, 90)
        x, y = sizes.pixel(*grid.centre(30))
        step = sizes.pixel(*grid.centre(31))
        line = [{"x": 0, "y": 0}, {"x": step[0] - x, "y": step[1] - y}]
        roads = layer(data, "roads")["objects"]
        roads.append({"id": 9000, "name": "", "type": "road", "x": x, "y": y, "polyline": line, "properties": []})

    path = written(what, tmp_path)
    before = {one.id: one for one in what.model.to_document().features}
    ids = [thing["properties"] for thing in layer(json.loads(path.read_bytes()), "names")["objects"][:3]]
    first, second, third = (next(p["value"] for p in one if p["name"] == "id") for one in ids)
    taken = tiled.read(changed(path, edit))
    after = {one.id: one for one in taken.document.features}
    assert after[first].at == (before[first].at[0] + 720, before[first].at[1])
    assert after[second].text == "New name" and after[second].at == before[second].at
    assert third not in after
    fresh = next(after[name] for name in after if name not in before)
    assert fresh.path == (label(30), label(31)) and fresh.line == ()
    assert any(note.startswith("features changed") for note in taken.notes)
    assert any(note.startswith("features new: road-") for note in taken.notes)
    assert f"features taken away: {third}" in taken.notes


def test_a_moved_counter_stands_elsewhere(tmp_path):
    what = content_of("armageddon-1", "armageddon-01")
    grid = what.model.grid
    sizes = sizes_of(grid, 90)
    target = what.model.labels.cell("H5")

    def move(data: dict) -> None:
        thing = next(one for one in data["layers"] if one["name"].startswith("units"))["objects"][0]
        thing["x"], thing["y"] = sizes.pixel(*grid.centre(target))
        thing["x"] += 9

    taken = tiled.read(changed(written(what, tmp_path), move))
    units = [unit for force in taken.scenario.forces for part in force.formations for unit in part.units]
    assert units[0].at == "H5"
    assert taken.notes == (f"units moved: {units[0].id} to H5",)
    kept = [unit for force in what.scenario.forces for part in force.formations for unit in part.units]
    assert units[1:] == kept[1:]


def test_a_resized_map_is_refused(tmp_path):
    path = changed(written(content_of("tactics-3"), tmp_path), lambda data: data.update(width=16))
    with pytest.raises(DocumentError, match="was 15 x 9 hexes and has 16 x 9 now"):
        tiled.read(path)


def test_what_the_game_does_not_have_is_refused_by_name(tmp_path):
    def spoil(data: dict) -> None:
        for one in layer(data, "areas")["objects"][0]["properties"]:
            if one["name"] == "type":
                one["value"] = "castle"

    with pytest.raises(DocumentError, match="castle"):
        tiled.read(changed(written(content_of("tactics-3"), tmp_path), spoil))


def test_an_erased_tile_keeps_the_terrain_and_is_told(tmp_path):
    what = content_of("tactics-3")

    def erase(data: dict) -> None:
        layer(data, "terrain")["data"][0] = 0

    taken = tiled.read(changed(written(what, tmp_path), erase))
    assert taken.document == what.model.to_document()
    assert taken.notes == (f"1 hexes have no tile and keep their terrain: {what.model.labels.label(0)}",)


def test_notes_say_what_tiled_does_not_show(tmp_path):
    notes = tiled.write(content_of("armageddon-1", "armageddon-01"), tmp_path / "a.tmj").notes
    assert any("half hexes whole" in note for note in notes)
    assert any("turns, aims, events" in note for note in notes)
    assert tiled.write(content_of("tactics-3"), tmp_path / "b.tmj").notes == ()
    assert msgspec.json.decode((tmp_path / "a.tmj").read_bytes())["orientation"] == "hexagonal"
