"""What is refused on the way out and in: in the studio's own words, with nothing left behind and nothing replaced."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from PIL import Image

import studio
from studio.errors import DocumentError, StudioError, UnknownNameError
from studio.exchange.common.files import parse_json
from studio.exchange.pictures import VassalGrid
from studio.files import SaveError

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "exports" / "engine"
SHAPES = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {},
            "geometry": {"type": "Polygon", "coordinates": [[[44, 33], [44.05, 33], [44.05, 33.03], [44, 33]]]},
        }
    ],
}
FRAME = {"crs": "EPSG:32638", "left": 406_000, "top": 3_655_000, "hex_size": 500, "columns": 10, "rows": 8}


def small(**changes: object) -> studio.Map:
    return studio.new_map("armageddon_war", **{"columns": 3, "rows": 3, "title": "Wells", **changes})


# -- out ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".bundle.zip", ".vmod", ".tmj", ".gpkg", ".csv", ".pdf", ".svg", ".png"])
def test_folders_and_read_only_files_and_impossible_names_are_refused(tmp_path, suffix):
    folder, guarded = tmp_path / f"d{suffix}", tmp_path / f"ro{suffix}"
    folder.mkdir()
    guarded.write_bytes(b"old")
    guarded.chmod(0o400)
    before = sorted(one.name for one in tmp_path.iterdir())
    for target in (folder, guarded, tmp_path / f"{'n' * 250}{suffix}", tmp_path / f"a\0b{suffix}"):
        with pytest.raises(StudioError):
            small().export(target)
    assert guarded.read_bytes() == b"old"
    assert sorted(one.name for one in tmp_path.iterdir()) == before


def test_a_print_that_fails_leaves_the_old_file_whole(tmp_path):
    guarded = tmp_path / "x.pdf"
    guarded.write_bytes(b"old")
    guarded.chmod(0o400)
    with pytest.raises(SaveError):
        small().print(guarded)
    assert [one.name for one in tmp_path.iterdir()] == ["x.pdf"]


@pytest.mark.parametrize("wrong", [{"hex_px": 3}, {"sight": "x"}, {"preview": 7}, {"sights": True}])
def test_options_of_bundles_are_checked(tmp_path, wrong):
    with pytest.raises(StudioError, match=next(iter(wrong))):
        small().export(tmp_path / "x.bundle.zip", **wrong)
    assert not list(tmp_path.iterdir())


def test_an_ending_that_no_format_has_is_no_bundle(tmp_path):
    with pytest.raises(UnknownNameError, match=r"x\.docx"):
        small().export(tmp_path / "x.docx")
    assert not list(tmp_path.iterdir())


def test_letters_that_no_font_has_are_printed_as_boxes(tmp_path):
    printed = small(title="Wells \U0001f600 \u4e95").print(tmp_path / "x.pdf")
    data = printed.files[0].read_bytes()
    assert data.startswith(b"%PDF")
    assert b"%%EOF" in data[-10:]


# -- in ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [b"null", b"3", b"true", b'"x"'])
def test_json_that_is_one_value_is_read(text):
    assert parse_json(text, "x.tmj") == json.loads(text)


def test_a_scenario_beside_the_map_is_not_replaced(tmp_path):
    written = studio.open_scenario(ROOT / "scenarios" / "practice-front.scenario.json").export(tmp_path / "x.gpkg")
    there = tmp_path / "mine.scenario.json"
    there.write_bytes(b"precious")
    with pytest.raises(StudioError, match=r"mine\.scenario\.json"):
        studio.import_file(written, tmp_path / "mine.map.json")
    assert there.read_bytes() == b"precious"
    assert not (tmp_path / "mine.map.json").exists()


def test_a_picture_that_is_none_leaves_no_map_behind(tmp_path):
    (tmp_path / "x.png").write_bytes(b"no picture")
    with pytest.raises(StudioError):
        studio.import_file(tmp_path / "x.png", tmp_path / "x.map.json", ruleset="armageddon_war", columns=3, rows=3)
    assert not (tmp_path / "x.map.json").exists()


def test_control_points_are_given_by_their_labels(tmp_path):
    Image.new("RGB", (400, 300)).save(tmp_path / "x.png")
    notes: list[str] = []
    points = {"0101": (30, 25), "0801": (340, 50), "0106": (30, 275)}
    options = {"ruleset": "armageddon_war", "columns": 8, "rows": 6}
    made = studio.import_file(tmp_path / "x.png", tmp_path / "x.map.json", notes=notes, points=points, **options)
    assert made.kind == "map"
    assert "affine by 3 points" in " ".join(notes)


@pytest.mark.parametrize(
    "grid",
    ['dx="0.5" dy="20"', 'dx="-20" dy="20"', 'dx="20" dy="20"><n.HexGridNumbering hLeading="999999"/></n.HexGrid'],
)
def test_grids_of_modules_that_cannot_be_are_refused(tmp_path, grid):
    closed = "" if "</" in grid else "/"
    build = f'<m><n.Board name="b" image="a.png"><n.HexGrid {grid}{closed}></n.Board></m>'
    with zipfile.ZipFile(tmp_path / "x.vmod", "w") as module:
        module.writestr("buildFile.xml", build)
    with pytest.raises(DocumentError, match="grid of the board"):
        studio.import_file(tmp_path / "x.vmod", tmp_path / "x.map.json", ruleset="armageddon_war")


def test_a_module_without_a_game_leaves_no_picture_behind(tmp_path):
    written = small().export(tmp_path / "x.vmod")
    with pytest.raises(DocumentError, match="game"):
        studio.import_file(written, tmp_path / "new" / "x.map.json")
    assert not list((tmp_path / "new").iterdir())
    assert studio.import_file(written, tmp_path / "newer" / "x.map.json", ruleset="armageddon_war").kind == "map"


def test_the_grid_of_a_board_is_finite():
    import msgspec

    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"dx": 20, "dy": 20, "x0": float("nan")}, VassalGrid)


@pytest.mark.parametrize("number", ["NaN", "1e300"])
def test_shapes_that_lie_nowhere_are_left_out_and_told(tmp_path, number):
    (tmp_path / "x.geojson").write_text(json.dumps(SHAPES).replace("44.05", number))
    notes: list[str] = []
    layers = [{"to": "terrain", "type": "clear"}]
    options = {"ruleset": "armageddon_war", "frame": FRAME, "layers": layers}
    studio.import_file(tmp_path / "x.geojson", tmp_path / "x.map.json", notes=notes, **options)
    assert any("no number" in note for note in notes)


@pytest.mark.parametrize("left", [float("nan"), 1e300])
def test_a_frame_lies_in_the_world(tmp_path, left):
    (tmp_path / "x.geojson").write_text(json.dumps(SHAPES))
    with pytest.raises(StudioError, match="left"):
        studio.import_file(
            tmp_path / "x.geojson", tmp_path / "x.map.json", ruleset="armageddon_war", frame={**FRAME, "left": left}
        )


@pytest.mark.filterwarnings("ignore")  # GDAL warns of broken files, from where nobody can catch it
@pytest.mark.parametrize("suffix", [".gpkg", ".parquet"])
def test_garbled_geodata_is_refused_or_read_and_nothing_else(tmp_path, suffix):
    pytest.importorskip("pyarrow" if suffix == ".parquet" else "pyogrio")
    whole = small().export(tmp_path / f"x{suffix}").read_bytes()
    garbled = tmp_path / f"y{suffix}"
    refused = 0
    for n in range(60):
        data = bytearray(whole)
        at = n * len(data) // 60
        data[at : at + 40] = bytes((value ^ 0xA5) for value in data[at : at + 40])
        garbled.write_bytes(data)
        try:
            studio.import_file(garbled, tmp_path / f"{n}.map.json")
        except StudioError:
            refused += 1
    assert refused > 0


# -- engines -----------------------------------------------------------------------------------------------------------


def test_engines_without_their_reader_say_what_is_missing(tmp_path):
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    for file, program in (("engine.py", [sys.executable, "-S", "-E"]), ("engine.mjs", ["node"])):
        if shutil.which(program[0]) is None:
            pytest.skip("no Node.js")
        shutil.copy(ENGINE / file, deep)
        done = subprocess.run([*program, file, "x"], cwd=deep, capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert "beside it" in done.stderr
        assert "Traceback" not in done.stderr


def test_engines_say_that_there_is_no_such_file():
    for file, program in (("engine.py", [sys.executable]), ("engine.mjs", ["node"])):
        if shutil.which(program[0]) is None:
            pytest.skip("no Node.js")
        done = subprocess.run([*program, str(ENGINE / file), "/no/x"], capture_output=True, text=True, check=False)
        assert done.returncode == 1
        assert done.stderr.startswith("refused: ")
