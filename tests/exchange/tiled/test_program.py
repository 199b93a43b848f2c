"""Tiled itself loads what we write, and what it saves comes back the same, hex by hex and object by object."""

import os
import subprocess
from pathlib import Path

import pytest
from PIL import Image

from studio.draw.tiles import tile_png
from studio.exchange import tiled
from studio.exchange.tiled.sizes import sizes_of
from tests.exchange.contents import GAMES, content, content_of, own_map, program

pytestmark = pytest.mark.programs


def run(name: str, *arguments: object) -> None:
    said = subprocess.run(
        [program(name), *map(str, arguments)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_RUNTIME_DIR": "/nonexistent"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    assert not [line for line in said.stderr.splitlines() if "XDG_RUNTIME_DIR" not in line], said.stderr


@pytest.mark.parametrize(("name", "scenario"), GAMES)
def test_tiled_saves_what_it_loaded(name, scenario, tmp_path: Path):
    what = content_of(name, scenario)
    for whole in (True, False):
        options = tiled.TiledOptions(whole=whole, tiles="atlas" if whole else "collection")
        tiled.write(what, tmp_path / "a.tmj", options=options)
        run("tiled", "--export-map", "tmx", tmp_path / "a.tmj", tmp_path / "b.tmx")
        run("tiled", "--export-map", "json", tmp_path / "b.tmx", tmp_path / "c.tmj")
        for file in ("b.tmx", "c.tmj"):
            taken = tiled.read(tmp_path / file)
            assert taken.document == what.model.to_document()
            assert taken.scenario == what.scenario
            assert taken.notes == ()


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
def test_tiled_draws_each_hex_where_we_have_it(orientation, stagger, tmp_path: Path):
    model = own_map(columns=4, rows=3, orientation=orientation, stagger=stagger)
    model.terrain[:] = [[0, 1, 2, 0], [1, 2, 0, 1], [2, 0, 1, 2]]
    colours = {"clear": (250, 10, 10), "woods": (10, 250, 10), "lake": (10, 10, 250)}

    class Painter:
        def tile(self, terrain: str, width: int, height: int) -> bytes:
            import io

            buffer = io.BytesIO()
            Image.new("RGBA", (width, height), colours[terrain]).save(buffer, "PNG")
            return buffer.getvalue()

    options = tiled.TiledOptions(labels=False, hex_px=48)
    tiled.write(content(model), tmp_path / "a.tmx", options=options, pictures=Painter())
    run("tmxrasterizer", tmp_path / "a.tmx", tmp_path / "a.png")
    sizes = sizes_of(model.grid, 48)
    with Image.open(tmp_path / "a.png") as picture:
        drawn = picture.convert("RGB")
    for cell in range(model.grid.cells):
        x, y = sizes.pixel(*model.grid.centre(cell))
        assert drawn.getpixel((int(x), int(y))) == colours[model.terrain_at(cell)], model.labels.label(cell)


def test_a_tile_of_the_games_look_is_a_hex(tmp_path: Path):
    (tmp_path / "t.png").write_bytes(tile_png("armageddon_war", "dense_woods", 104, 90))
    with Image.open(tmp_path / "t.png") as tile:
        alpha = tile.convert("RGBA").getchannel("A")
    assert alpha.size == (104, 90)
    assert alpha.getpixel((2, 2)) == 0 and alpha.getpixel((52, 45)) == 255 and alpha.getpixel((3, 45)) > 200
    assert tile_png("armageddon_war", "river", 104, 90) == tile_png("armageddon_war", "river", 104, 90)
