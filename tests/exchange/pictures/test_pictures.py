"""Pictures whose colours are terrain, scans with control points, boards of VASSAL modules."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from studio.errors import DocumentError
from studio.exchange import pictures
from studio.exchange.common.ground import surveyed
from studio.exchange.pictures import ColourReading, HexesAt, ScanReading, VassalGrid
from studio.exchange.vassal.numbering import AxisNumbers, HexNumbers
from studio.files import read_map, write_map_text
from studio.grid import HexGrid, Labels
from studio.model import ControlPoint
from studio.survey.backdrop import fit_backdrop
from tests.exchange.contents import own_game, own_map

COLOURS = {"clear": "#e8dcc0", "woods": "#2e7d32", "lake": "#1f5fbf"}
NAMED = {colour: name for name, colour in COLOURS.items()}
GRID = {"columns": 6, "rows": 5}


def painted(
    folder: Path, grid: HexGrid, terrain, hex_px: float = 30.0, at: tuple[float, float] = (13, 7), line: str = ""
) -> Path:
    """A picture of hexes in flat colours."""
    sx, sy = (size * hex_px / grid.hex_height for size in grid.scale)
    at, (x1, y1) = (13, 7), grid.frame[2:]
    picture = Image.new("RGB", (int(x1 * sx + 2 * at[0]), int(y1 * sy + 2 * at[1])), "#ffffff")
    pen = ImageDraw.Draw(picture)
    for cell in range(grid.cells):
        corners = [(at[0] + x * sx, at[1] + y * sy) for x, y in grid.corners(cell)]
        pen.polygon(corners, fill=COLOURS[terrain(cell)], outline=line or None)
    path = folder / "map.png"
    picture.save(path)
    return path


def hexes(grid: HexGrid, hex_px: float = 30.0, at: tuple[float, float] = (13, 7)) -> HexesAt:
    return HexesAt(
        columns=grid.columns,
        rows=grid.rows,
        left=at[0],
        top=at[1],
        hex_width=grid.width * hex_px / grid.hex_height,
        hex_height=hex_px,
        orientation=grid.orientation,
        stagger=grid.stagger,
    )


def pattern(cell: int) -> str:
    return ("clear", "woods", "lake")[cell * cell % 7 % 3]


def read(path: Path, grid: HexGrid, **options):
    chosen = {"colours": NAMED, "tolerance": 2} | options
    return pictures.read(path, options=ColourReading(ruleset=own_game().id, hexes=hexes(grid), **chosen))


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("stagger", ["odd", "even"])
def test_colours_become_terrain(orientation, stagger, tmp_path):
    grid = HexGrid(**GRID, orientation=orientation, stagger=stagger)
    # The white around the map reaches into the outermost pixels of its hexes.
    taken = read(painted(tmp_path, grid, pattern), grid, colours={**NAMED, "#ffffff": ""})
    model = read_map(write_map_text(taken.document))
    assert [model.terrain_at(cell) for cell in range(grid.cells)] == [pattern(cell) for cell in range(grid.cells)]
    assert not [note for note in taken.notes if "hexes" in note and "pixels" not in note]


def test_lines_between_hexes_mean_nothing_when_told_so(tmp_path):
    grid = HexGrid(**GRID)
    path = painted(tmp_path, grid, pattern, line="#000000")
    with pytest.raises(DocumentError, match=r"the colour #000000 means nothing: \d+ pixels"):
        read(path, grid)
    taken = read(path, grid, colours={**NAMED, "#000000": "", "#ffffff": ""})
    model = read_map(write_map_text(taken.document))
    assert [model.terrain_at(cell) for cell in range(grid.cells)] == [pattern(cell) for cell in range(grid.cells)]


@settings(max_examples=10)
@given(noise=st.integers(0, 6), seed=st.integers(0, 99))
def test_the_tolerance_decides_what_is_still_a_colour(noise, seed, tmp_path_factory):
    folder, grid = tmp_path_factory.mktemp("picture"), HexGrid(**GRID)
    path = painted(folder, grid, pattern)
    with Image.open(path) as clean:
        pixels = np.asarray(clean.convert("RGB")).astype(int)
    shaken = pixels + np.random.default_rng(seed).integers(-noise, noise + 1, pixels.shape)
    Image.fromarray(shaken.clip(0, 255).astype(np.uint8)).save(path)
    known = {**NAMED, "#ffffff": ""}
    model = read_map(write_map_text(read(path, grid, colours=known, tolerance=noise).document))
    assert [model.terrain_at(cell) for cell in range(grid.cells)] == [pattern(cell) for cell in range(grid.cells)]
    if noise > 2:
        with pytest.raises(DocumentError, match="means nothing"):
            read(path, grid, colours=known, tolerance=0)


def test_unknown_and_twofold_colours_are_listed_with_their_pixels(tmp_path):
    grid = HexGrid(columns=2, rows=1)
    path = painted(tmp_path, grid, lambda cell: "woods" if cell else "clear")
    with pytest.raises(DocumentError) as caught:
        read(path, grid, colours={"#e8dcc0": "clear", "#ffffff": ""})
    assert "the colour #2e7d32 means nothing" in str(caught.value) and "%" in str(caught.value)
    two = {"#e8dcc0": "clear", "#2e7d30": "lake", "#2e7d34": "woods", "#ffffff": ""}
    with pytest.raises(DocumentError, match=r"#2e7d32 \(lake or woods\) lies between two"):
        read(path, grid, colours=two)
    notes = read(path, grid, colours=two, stray=0.9).notes
    assert any("hexes have no pixel that means a terrain: 0201" in note for note in notes)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"colours": {"green": "woods"}}, "got 'green'"),
        ({"colours": {"#2e7d32": "wods"}}, "did you mean 'woods'"),
        ({"colours": {}}, "no colour has a terrain"),
        ({"hexes": None}, "where its hexes are"),
    ],
)
def test_options_that_say_nothing_are_refused(options, words, tmp_path):
    grid = HexGrid(**GRID)
    path = painted(tmp_path, grid, pattern)
    chosen = {"colours": NAMED, "hexes": hexes(grid)} | options
    with pytest.raises(DocumentError, match=words):
        pictures.read(path, options=ColourReading(ruleset=own_game().id, **chosen))


def test_a_map_with_a_scan_is_painted_by_its_control_points(tmp_path):
    grid = HexGrid(**GRID)
    path = painted(tmp_path, grid, pattern)
    scale = 30 / 480
    pixel = {
        cell: (13 + grid.centre(cell)[0] * grid.scale[0] * 30, 7 + grid.centre(cell)[1] * scale)
        for cell in (0, 5, 24, 29)
    }
    labels = Labels(own_map(**GRID).labels.scheme, grid)
    points = tuple(ControlPoint(name=str(cell), pixel=at, at=labels.label(cell)) for cell, at in pixel.items())
    scan = pictures.read(path, options=ScanReading(ruleset=own_game().id, points=points, **GRID))
    assert scan.document.backdrop.file == "map.png" and scan.document.backdrop.sha256
    assert any("affine by 4 points, root mean square 0.0" in note for note in scan.notes)
    options = ColourReading(colours={**NAMED, "#ffffff": ""}, onto=scan.document, tolerance=2)
    model = read_map(write_map_text(pictures.read(path, options=options).document))
    assert [model.terrain_at(cell) for cell in range(grid.cells)] == [pattern(cell) for cell in range(grid.cells)]


def test_points_that_name_no_place_are_refused(tmp_path):
    path = painted(tmp_path, HexGrid(**GRID), pattern)
    wrong = ControlPoint(name="1", pixel=(5, 5), at="9999")
    with pytest.raises(DocumentError, match="no place has the label '9999'"):
        pictures.read(path, options=ScanReading(ruleset=own_game().id, points=(wrong,), **GRID))
    outside = ControlPoint(name="1", pixel=(50_000, 5), at="0101")
    with pytest.raises(DocumentError, match="allowed 0 to"):
        pictures.read(path, options=ScanReading(ruleset=own_game().id, points=(outside,), **GRID))


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n\x1a\n", b"<svg/>"])
def test_broken_pictures_are_refused(data, tmp_path):
    (tmp_path / "a.png").write_bytes(data)
    for options in (ColourReading(colours=NAMED, hexes=hexes(HexGrid(**GRID))), ScanReading(**GRID)):
        with pytest.raises(DocumentError):
            pictures.read(tmp_path / "a.png", options=options)


# -- boards of VASSAL --------------------------------------------------------------------------------------------------

HEAD = "VASSAL.build.module.map.boardPicker"


def module(folder: Path, *, size=(700, 420), picture="board.png", numbering="", **grid) -> Path:
    said = {"dx": "72.0", "dy": "83.1", "x0": "50", "y0": "42", "sideways": "false"} | grid
    words = " ".join(f'{key}="{value}"' for key, value in said.items())
    tag = f"{HEAD}.board.HexGrid"
    numbers = f"<{HEAD}.board.mapgrid.HexGridNumbering {numbering}/>" if numbering else ""
    build = f'<VASSAL.launch.BasicModule><{HEAD}.Board image="{picture}" name="Main">'
    build += f"<{tag} {words}>{numbers}</{tag}></{HEAD}.Board></VASSAL.launch.BasicModule>"
    buffer = io.BytesIO()
    Image.new("RGB", size, "#e8dcc0").save(buffer, "PNG")
    path = folder / "game.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", build)
        archive.writestr("images/board.png", buffer.getvalue())
    return path


NUMBERING = (
    'hType="A" vType="N" hLeading="0" vLeading="1" hOff="0" vOff="{}" first="H" sep="" stagger="{}" hDescend="false"'
)


@pytest.mark.parametrize("sideways", ["false", "true"])
@pytest.mark.parametrize("stagger", ["false", "true"])
@pytest.mark.parametrize("offset", [0, 3])
def test_a_board_comes_with_its_grid_and_its_names(sideways, stagger, offset, tmp_path):
    path = module(tmp_path, sideways=sideways, numbering=NUMBERING.format(offset, stagger))
    taken = pictures.read(path, options=ScanReading(ruleset=own_game().id))
    document = taken.document
    assert document.title == "Main" and (tmp_path / "board.png").is_file()
    model = read_map(write_map_text(document))
    fit = fit_backdrop(surveyed(model, own_game()), document.backdrop)
    assert fit.rms < 0.01
    turned = sideways == "true"
    numbers = HexNumbers(
        50,
        42,
        72.0,
        83.1,
        700,
        420,
        AxisNumbers("A", 0, 0),
        AxisNumbers("N", 1, offset),
        turned,
        stagger == "true",
    )
    grid = model.grid
    for cell in range(grid.cells):
        x, y = fit.fit.to_picture(*grid.to_map(*grid.centre(cell)))
        assert model.labels.label(cell) == numbers.name(round(x), round(y))
    assert grid.orientation == ("pointy" if turned else "flat")


def test_a_grid_by_hand_on_a_picture(tmp_path):
    Image.new("RGB", (700, 420)).save(tmp_path / "b.png")
    grid = VassalGrid(dx=72, dy=83.1, x0=50 + 72, y0=42, columns=9, rows=4)
    document = pictures.read(tmp_path / "b.png", options=ScanReading(ruleset=own_game().id, vassal=grid)).document
    # One line lies before the first of the count, so that the first column is one that is shifted.
    assert (document.grid.columns, document.grid.rows, document.grid.stagger) == (9, 4, "even")
    assert document.backdrop.points[0].pixel == (50.0, pytest.approx(42 + 83.1 / 2))


def test_the_module_says_which_boards_it_has(tmp_path):
    with pytest.raises(DocumentError, match="no board 'Mian' with hexes; did you mean 'Main'"):
        pictures.read(module(tmp_path), options=ScanReading(ruleset=own_game().id, board="Mian"))


@pytest.mark.parametrize("picture", ["../../evil.png", "none.png", "..", "C:\\x.png"])
def test_names_of_pictures_lead_nowhere_else(picture, tmp_path):
    folder = tmp_path / "inner"
    folder.mkdir()
    with pytest.raises(DocumentError):
        pictures.read(module(folder, picture=picture), options=ScanReading(ruleset=own_game().id))
    assert sorted(one.name for one in tmp_path.rglob("*")) == ["game.vmod", "inner"]


def test_another_picture_of_that_name_is_not_replaced(tmp_path):
    path = module(tmp_path)
    (tmp_path / "board.png").write_bytes(b"mine")
    with pytest.raises(DocumentError, match="another one of that name"):
        pictures.read(path, options=ScanReading(ruleset=own_game().id))
    assert (tmp_path / "board.png").read_bytes() == b"mine"


def test_modules_that_mean_harm_are_refused(tmp_path):
    bomb = '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'
    for content in ({}, {"buildFile.xml": bomb}, {"buildFile.xml": "<a/>"}, {"buildFile.xml": "<a"}):
        path = tmp_path / "bad.vmod"
        with zipfile.ZipFile(path, "w") as archive:
            for name, text in content.items():
                archive.writestr(name, text)
        with pytest.raises(DocumentError):
            pictures.read(path, options=ScanReading(ruleset=own_game().id))
    (tmp_path / "bad.vmod").write_bytes(b"PK\x03\x04 no zip")
    with pytest.raises(DocumentError, match="is no module"):
        pictures.read(tmp_path / "bad.vmod", options=ScanReading(ruleset=own_game().id))
