"""Printed PDF, SVG and PNG, measured: sizes of hexes, sheets that fit, embedded fonts, layers, equal bytes."""

import math
import re
import shutil
import struct
import subprocess
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.api import JoinWarning, Map
from studio.cli import main
from studio.draw.press.options import read_options
from studio.draw.press.source import EDGE, Source
from tests.draw.print_reader import MM, found_paths, hull, open_pdf
from tests.editor.scans import colour, draw

HEXES = "Hex grid"
SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


def board(orientation: Any = "flat", columns: int = 6, rows: int = 5) -> Map:
    """Return a map with a little of everything that is drawn."""
    made = studio.new_map("armageddon_war", columns=columns, rows=rows, orientation=orientation, title="Proof")
    made.paint(["0202", "0303"], terrain="dense_woods").paint(["0402", "0403"], level=1)
    made.add("road", path=["0101", "0201", "0301"])
    made.add("name", text="Halfway", at="0304", size=0.3)
    return made


def hex_width(page: Any, reader: Any, columns: int, rows: int, orientation: str) -> float:
    """Return the width of a hex as it is on a page, from the box around all of them."""
    left, top, right, bottom = hull(found_paths(page, reader), HEXES)
    if orientation == "flat":  # columns stand three quarters of a hex apart
        by_width = (right - left) / (0.75 * (columns - 1) + 1)
        by_height = (bottom - top) / (rows + 0.5) * 2 / math.sqrt(3)
    else:
        by_width = (right - left) / (columns + 0.5)
        by_height = (bottom - top) / (0.75 * (rows - 1) + 1) * math.sqrt(3) / 2
    assert math.isclose(by_width, by_height, rel_tol=1e-3)
    return float(by_width)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize(("hex_mm", "paper"), [(8.0, "A4"), (15.875, "Letter"), (31.4, "Tabloid"), (20.0, "one")])
def test_hexes_are_as_wide_as_asked_for(tmp_path: Path, orientation: str, hex_mm: float, paper: str) -> None:
    printed = board(orientation).print(
        tmp_path / "x.pdf", hex_mm=hex_mm, paper=paper, front=False, orientation="landscape"
    )
    assert printed.sheets == 1
    reader = open_pdf(tmp_path / "x.pdf")
    assert math.isclose(hex_width(reader.pages[0], reader, 6, 5, orientation), hex_mm, rel_tol=1e-3)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_the_distance_of_two_sides_may_be_given_instead(tmp_path: Path, orientation: str) -> None:
    printed = board(orientation).print(tmp_path / "x.pdf", flats_mm=15.0, front=False)
    reader = open_pdf(tmp_path / "x.pdf")
    wide = hex_width(reader.pages[0], reader, 6, 5, orientation)
    assert math.isclose(wide, 15.0 * (2 / math.sqrt(3) if orientation == "flat" else 1), rel_tol=1e-3)
    assert math.isclose(printed.flats_mm, 15.0) and math.isclose(printed.hex_mm, wide, rel_tol=1e-3)


@pytest.fixture(scope="module")
def sheets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("print") / "sheets.pdf"
    printed = board().print(target, hex_mm=60, overlap=9, margin=12)
    assert (printed.sheets, printed.pages) == (4, 5)
    return target


def test_neighbours_show_the_same_hexes_at_the_same_place_but_for_one_shift(sheets: Path) -> None:
    reader = open_pdf(sheets)
    pages = reader.pages[1:5]
    found = [list(found_paths(page, reader)) for page in pages]
    boxes = [[float(v) * MM for v in page["/TrimBox"]] for page in pages]
    # A1 and A2 side by side, A1 and B1 one above the other.
    for a, b, axis in ((0, 1, 0), (0, 2, 1)):
        wide = boxes[a][2] - boxes[a][0] if axis == 0 else boxes[a][3] - boxes[a][1]
        shift = np.array([wide - 9.0, 0.0] if axis == 0 else [0.0, wide - 9.0])
        # Of the strip that both show, from where the one begins: 12 mm is the margin, or more.
        begin = boxes[b][0] if axis == 0 else float(pages[b].mediabox.height) * MM - boxes[b][3]
        common = [
            path
            for path in found[b]
            if path.layer in (HEXES, "Terrain")
            and path.points[:, axis].max() > begin + 0.5
            and path.points[:, axis].min() < begin + 8.5
        ]
        assert len(common) >= 10
        starts = np.asarray([path.points[0] for path in found[a]])
        for path in common:
            here = path.points + shift
            near = np.flatnonzero(np.abs(starts - here[0]).max(axis=1) < 0.003)
            assert any(
                found[a][n].paint == path.paint
                and len(found[a][n].points) == len(here)
                and np.allclose(found[a][n].points, here, atol=0.003)
                for n in near
            )


def test_marks_of_neighbours_meet(sheets: Path) -> None:
    """Registration marks of A1 and A2 lie on the same point of the map."""
    reader = open_pdf(sheets)
    spots = []
    for page in reader.pages[1:3]:
        circles = [
            path.points
            for path in found_paths(page, reader)
            if path.layer.startswith("Crop") and len(path.points) > 6 and np.ptp(path.points[:, 0]) > 1.5
        ]
        assert circles
        spots.append(np.asarray([circle.mean(axis=0) for circle in circles]))
    left = [float(v) * MM for v in reader.pages[1]["/TrimBox"]]
    right = [float(v) * MM for v in reader.pages[2]["/TrimBox"]]
    ours = spots[0][np.isclose(spots[0][:, 0], left[2] - 4.5, atol=0.1)]
    theirs = spots[1][np.isclose(spots[1][:, 0], right[0] + 4.5, atol=0.1)]
    assert len(ours) == len(theirs) == 2
    assert np.allclose(sorted(ours[:, 1]), sorted(theirs[:, 1]), atol=0.01)


def test_bars_are_as_long_as_they_say(sheets: Path) -> None:
    reader = open_pdf(sheets)
    for page, length in ((reader.pages[0], 100.0), (reader.pages[1], 50.0)):
        assert f"this bar is {length:g} mm" in page.extract_text()
        bars = [path.points for path in found_paths(page, reader) if path.layer.startswith("Crop")]
        flat = [np.ptp(points[:, 0]) for points in bars if len(points) == 2 and np.ptp(points[:, 1]) == 0]
        assert any(math.isclose(one, length, abs_tol=0.002) for one in flat)


def test_readers_are_told_not_to_scale(sheets: Path) -> None:
    reader = open_pdf(sheets)
    root: Any = reader.trailer["/Root"]
    assert root["/ViewerPreferences"]["/PrintScaling"] == "/None"
    assert {str(one.get_object()["/Name"]) for one in root["/OCProperties"]["/OCGs"]} >= {
        HEXES,
        "Terrain",
        "Roads",
        "Hex numbers and names",
        "Crop marks and texts of the sheet",
    }
    assert [item["/Title"] for item in reader.outline][:3] == [  # type: ignore[call-overload, index]
        "How the sheets fit together",
        "Proof – sheet A1",
        "Proof – sheet A2",
    ]


def test_letters_are_text_in_embedded_fonts(sheets: Path) -> None:
    reader = open_pdf(sheets)
    for page in reader.pages:
        fonts = page["/Resources"]["/Font"].get_object()
        assert fonts
        for font in fonts.values():
            below = font.get_object()["/DescendantFonts"][0].get_object()
            program = below["/FontDescriptor"].get_object()["/FontFile2"].get_object().get_data()
            assert program[:4] == b"\0\1\0\0" and len(program) > 500
    texts = [page.extract_text() for page in reader.pages]
    assert "Halfway" in "".join(texts[1:]) and "0101" in texts[1] and "Legend" in texts[0]
    assert "Dense woods" in texts[0]


@pytest.mark.parametrize("suffix", [".pdf", ".svg", ".png"])
def test_equal_maps_have_equal_bytes(tmp_path: Path, suffix: str) -> None:
    for name in "ab":
        board(columns=4, rows=4).print(tmp_path / f"{name}{suffix}", hex_mm=12, dpi=100)
    data = [(tmp_path / f"{name}{suffix}").read_bytes() for name in "ab"]
    assert data[0] == data[1]
    assert b"2026" not in data[0] or suffix == ".png"


def test_pictures_have_the_dots_asked_for(tmp_path: Path) -> None:
    board().print(tmp_path / "x.pdf", hex_mm=20, front=False, dpi=300)
    reader = open_pdf(tmp_path / "x.pdf")
    (picture,) = reader.pages[0]["/Resources"]["/XObject"].values()  # type: ignore[index]
    whole = picture.get_object()
    wide = 20 * (0.75 * 5 + 1)
    assert int(whole["/Width"]) >= 300 * wide / 25.4
    assert "/SMask" in whole


def test_bleed_goes_beyond_the_crop_marks(tmp_path: Path) -> None:
    board().print(tmp_path / "x.pdf", hex_mm=16, front=False, bleed=3, margin=12)
    page = open_pdf(tmp_path / "x.pdf").pages[0]
    trim, bleed = ([float(v) for v in page[name]] for name in ("/TrimBox", "/BleedBox"))
    assert [round((a - b) * MM, 3) for a, b in zip(trim, bleed, strict=True)] == [3, 3, -3, -3]


def test_groups_can_be_left_out_and_ink_saved(tmp_path: Path) -> None:
    made = board(columns=4, rows=4)
    for name, options in (("all", {}), ("few", {"hide": ["labels", "terrain"]}), ("saver", {"inks": "saver"})):
        made.print(tmp_path / f"{name}.pdf", hex_mm=16, front=False, **options)
    readers = {name: open_pdf(tmp_path / f"{name}.pdf") for name in ("all", "few", "saver")}
    layers = {name: {path.layer for path in found_paths(reader.pages[0], reader)} for name, reader in readers.items()}
    assert layers["all"] - layers["few"] == {"Terrain"}
    assert "0101" in readers["all"].pages[0].extract_text() and "0101" not in readers["few"].pages[0].extract_text()
    assert "0101" in readers["saver"].pages[0].extract_text()


def test_greys_only_in_a_grey_print(tmp_path: Path) -> None:
    board(columns=4, rows=4).print(tmp_path / "x.pdf", hex_mm=16, inks="grey")
    reader = open_pdf(tmp_path / "x.pdf")
    for page in reader.pages:
        data = page["/Contents"].get_object().get_data().decode("latin-1")  # type: ignore[union-attr]
        colors = re.findall(r"(\S+) (\S+) (\S+) (?:rg|RG)", data)
        # What is written beside the map is nearly black, and no colour of the map.
        assert colors and all(max(map(float, c)) - min(map(float, c)) < 0.06 for c in colors)


def test_layers_of_a_map_of_several_sheets_are_pages_of_their_own(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", JoinWarning)
        both = studio.join_maps(
            board(), studio.new_map("armageddon_war", 4, 4, title="Caves"), edge="apart", prefixes=("", "U")
        )
    ids = [sheet.id for sheet in both.sheets]
    both.set("sheets", [{**_plain(sheet), "layer": f"layer{n}"} for n, sheet in enumerate(both.sheets)])
    printed = both.print(tmp_path / "x.pdf", hex_mm=12, front=False)
    reader = open_pdf(tmp_path / "x.pdf")
    assert (printed.sheets, len(reader.pages)) == (2, 2)
    texts = [page.extract_text() for page in reader.pages]
    assert "1A1" in texts[0] and "2A1" in texts[1]
    assert both.print(tmp_path / "y.pdf", hex_mm=12, front=False, parts=ids[1]).sheets == 1
    assert [file.name for file in both.print(tmp_path / "z.svg", hex_mm=12).files] == ["z-layer0.svg", "z-layer1.svg"]


def _plain(sheet: Any) -> dict[str, Any]:
    import msgspec

    return dict(msgspec.to_builtins(sheet))


# -- SVG and PNG -------------------------------------------------------------------------------------------------------


def test_an_svg_has_true_size_layers_and_data(tmp_path: Path) -> None:
    board().print(tmp_path / "x.svg", hex_mm=20, text="text", hex_data=True)
    root = ET.parse(tmp_path / "x.svg").getroot()
    wide, high = (float(root.attrib[name].removesuffix("mm")) for name in ("width", "height"))
    assert [float(v) for v in root.attrib["viewBox"].split()] == [0, 0, wide, high]
    layers = {
        group.attrib["id"]: group for group in root.iter(f"{SVG}g") if group.get(f"{INKSCAPE}groupmode") == "layer"
    }
    assert {"ground", "hexes", "roads", "numbers", "labels", "frame", "hex-data"} <= set(layers)
    hexes = layers["hex-data"].findall(f"{SVG}path")
    assert len(hexes) == 30
    one = next(path for path in hexes if path.attrib["data-label"] == "0202")
    assert (one.attrib["id"], one.attrib["data-terrain"]) == ("hex-0202", "dense_woods")
    assert math.isclose(_span(one.attrib["d"]), 20, rel_tol=1e-3)
    words = {text.text for text in root.iter(f"{SVG}text")}
    assert {"0101", "Halfway", "Proof"} <= words
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))


def _span(data: str) -> float:
    """Return the width of a path of steps in a row."""
    start, steps = re.match(r"M(\S+) \S+?(l.*)z$", data.replace("-", " -")).groups()  # type: ignore[union-attr]
    numbers = [float(one) for one in re.findall(r"-?[0-9]*\.?[0-9]+", steps)]
    xs = np.cumsum([float(start.split("l")[0]), *numbers[::2]])
    return float(np.ptp(xs))


def test_letters_of_an_svg_may_be_outlines(tmp_path: Path) -> None:
    board().print(tmp_path / "x.svg", hex_mm=20)
    root = ET.parse(tmp_path / "x.svg").getroot()
    assert not list(root.iter(f"{SVG}text"))
    numbers = next(group for group in root.iter(f"{SVG}g") if group.get("id") == "numbers")
    assert len(list(numbers.iter(f"{SVG}path"))) == 60  # each with its halo


def test_a_png_tells_its_dots(tmp_path: Path) -> None:
    board().print(tmp_path / "x.png", hex_mm=20, dpi=200, front=False, legend=False, marks=False, margin=0)
    data = (tmp_path / "x.png").read_bytes()
    at = data.index(b"pHYs")
    across, down, unit = struct.unpack(">IIB", data[at + 4 : at + 13])
    assert unit == 1 and across == down and math.isclose(across, 200 / 0.0254, rel_tol=1e-4)
    wide, _ = struct.unpack(">II", data[16:24])
    # The hexes, and the blank ground around them.
    assert abs(wide / 200 * 25.4 - (20 * 4.75 + 5)) < 0.2


@pytest.mark.slow
def test_a_large_svg_stays_handy(tmp_path: Path) -> None:
    large = studio.new_map("modern_tactics", columns=50, rows=40, title="Large")
    large.paint([large.labels.label(cell) for cell in range(0, 2000, 5)], terrain="crops")
    large.print(tmp_path / "x.svg", hex_mm=16, legend=False, hex_data=True)
    assert (tmp_path / "x.svg").stat().st_size < 15_000_000
    assert len(ET.parse(tmp_path / "x.svg").getroot()) > 1


# -- scenarios ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("print") / "played.pdf"
    scenario = studio.open_scenario("scenarios/tactics-08.scenario.json", recover_unsaved=False)
    printed = scenario.print(target, hex_mm=14, counters=True, counter_mm=13)
    assert printed.pages == printed.sheets + 4
    return target


def test_backs_of_counters_lie_behind_their_fronts(played: Path) -> None:
    reader = open_pdf(played)
    titles = [item["/Title"] for item in reader.outline]  # type: ignore[call-overload, index]
    first = titles.index("Counters, sheet 1 of 1, front")
    spots = []
    for page in reader.pages[first : first + 2]:
        data = page["/Contents"].get_object().get_data().decode("latin-1")  # type: ignore[union-attr]
        found = re.findall(r"q (\S+) 0 0 -\S+ (\S+) (\S+) cm\n/P\d+ Do", data)
        # A plate of ten millimetres is scaled to the size of the counters.
        assert all(math.isclose(float(scale) * 10_000 * MM, 13, rel_tol=1e-6) for scale, _, _ in found)
        spots.append([(float(x) * MM, float(y) * MM) for _, x, y in found])
    assert len(spots[0]) == len(spots[1]) > 20
    wide = float(reader.pages[first].mediabox.width) * MM
    for (x, y), (behind, below) in zip(*spots, strict=True):
        assert math.isclose(x + 13 + behind, wide, abs_tol=0.001) and y == below


def test_cards_tell_who_sets_up_what(played: Path) -> None:
    text = open_pdf(played).pages[-1].extract_text()
    scenario = studio.open_scenario("scenarios/tactics-08.scenario.json", recover_unsaved=False)
    for force in scenario.document.forces:
        assert force.name in text
        for part in force.formations:
            assert part.name.split()[0] in text


def test_only_what_is_in_play(tmp_path: Path) -> None:
    scenario = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
    part = scenario.print(tmp_path / "part.pdf", hex_mm=14, front=False, only_in_play=True)
    (whole,) = Source(scenario, read_options({"hex_mm": 14})).grounds()
    (ground,) = Source(scenario, read_options({"hex_mm": 14, "only_in_play": True})).grounds()
    assert part.sheets == 1 and ground.frame[2] - ground.frame[0] < 0.6 * (whole.frame[2] - whole.frame[0])
    text = "".join(page.extract_text() for page in open_pdf(tmp_path / "part.pdf").pages)
    assert "U8" in text


def test_the_command_line_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = board()
    made.save(tmp_path / "proof.map.json")
    arguments = ["print", str(tmp_path / "proof.map.json"), "-o", str(tmp_path / "x.pdf")]
    assert main([*arguments, "--hex-mm", "18", "--paper", "330x480", "--no-front", "--inks", "grey"]) == 0
    assert "1 sheet; hexes 18 mm wide" in capsys.readouterr().out
    reader = open_pdf(tmp_path / "x.pdf")
    assert math.isclose(hex_width(reader.pages[0], reader, 6, 5, "flat"), 18, rel_tol=1e-3)
    assert main([*arguments, "--paper", "4x"]) == 2
    assert main([*arguments, "--hex-mm", "1"]) == 2
    assert "allowed: 3 to 300 mm" in capsys.readouterr().err


# -- other programs ----------------------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="poppler-utils is not installed")
def test_poppler_finds_all_fonts_embedded(sheets: Path) -> None:
    done = subprocess.run(["pdffonts", str(sheets)], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()[2:]
    assert lines and all(re.search(r"CID TrueType +Identity-H +yes yes yes", line) for line in lines)
    assert not done.stderr


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler-utils is not installed")
def test_poppler_draws_hexes_of_the_size_asked_for(tmp_path: Path) -> None:
    """On paper as a printer makes it: the frame of the map, measured in dots."""
    board().print(
        tmp_path / "x.pdf", hex_mm=20, front=False, marks=False, hide=["terrain", "relief", "labels", "roads"]
    )
    subprocess.run(
        ["pdftoppm", "-r", "600", "-gray", str(tmp_path / "x.pdf"), str(tmp_path / "x")],
        check=True,
        capture_output=True,
    )
    (file,) = tmp_path.glob("x-*.pgm")
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = None
    with Image.open(file) as opened:
        dark = np.asarray(opened) < 90
    columns = np.flatnonzero(dark.any(axis=0))
    # From the middle of the frame's line on one side to that on the other.
    line = 34 / 1000 * 20 * math.sqrt(3) / 2
    wide = (columns[-1] + 1 - columns[0]) / 600 * 25.4
    assert abs(wide - 20 * 4.75) < 2 * line


@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_a_scan_lies_where_its_hexes_are(tmp_path: Path, suffix: str) -> None:
    """Also one that was scanned askew: each hex shows its own colour of it."""
    if suffix == ".pdf" and shutil.which("pdftoppm") is None:
        pytest.skip("poppler-utils is not installed")
    made = studio.new_map("armageddon_war", columns=6, rows=5)
    scan = draw(made.grid, made.labels, tmp_path / "scan.png", turn=3.0, shear=0.05, squash=0.9)
    made.set_backdrop(scan.path, scan.points("0101", "0601", "0105", "0605"), opacity=1)
    made.print(
        tmp_path / f"x{suffix}", hex_mm=20, paper="one", backdrop=True, front=False, marks=False, margin=0, dpi=100
    )
    if suffix == ".pdf":
        subprocess.run(["pdftoppm", "-r", "100", "-png", "-singlefile", "x.pdf", "x"], check=True, cwd=tmp_path)
    from PIL import Image

    with Image.open(tmp_path / "x.png") as opened:
        pixels = np.asarray(opened.convert("RGB")).astype(int)
    source = Source(made, read_options({"hex_mm": 20}))
    for label in ("0101", "0305", "0601", "0604"):
        cell = made.labels.cell(label)
        ((x, y),) = source.millimetres([made.grid.centre(cell)]) + EDGE + [[0, 0.2 * source.flats_mm]]
        got = pixels[int(y / 25.4 * 100), int(x / 25.4 * 100)]
        assert np.abs(got - colour(cell)).max() <= 3
