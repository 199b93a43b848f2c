"""Maps and scenarios handed over to VASSAL by a notebook and by the command line, with their real pictures."""

import io
import json
import zipfile

import pytest
from PIL import Image

import studio
from studio.api.export_pictures import ExportPictures
from studio.cli import main
from studio.draw.arguments import OptionError
from studio.errors import UnknownNameError, UnsupportedError
from studio.exchange.formats import format_of, formats
from tests.exchange.vassal.reading import Module, opened

SCENARIO, MAP = "scenarios/tactics-02.scenario.json", "maps/tactics-4.map.json"


def picture(module: Module, name: str) -> Image.Image:
    return Image.open(io.BytesIO(module.archive.read(f"images/{name}")))


def test_a_scenario_is_written_with_its_pictures(tmp_path):
    notes: list[str] = []
    made = opened("tactics-02").export(tmp_path / "run.vmod", notes=notes, hex_px=48)
    assert made == tmp_path / "run.vmod"
    assert (tmp_path / "run.vsav").exists()
    assert any("no rules" in note for note in notes)
    module = Module(made)
    for board in module.root.iter("VASSAL.build.module.map.boardPicker.Board"):
        assert picture(module, board.get("image")).size == (int(board.get("width")), int(board.get("height")))
    counter = picture(module, module.slots[0].image).convert("RGBA")
    assert counter.size == (33, 33)
    assert counter.getpixel((0, 0))[3] == 0 < counter.getpixel((16, 16))[3]
    assert "<h1>" in module.archive.read("scenario.html").decode("utf-8")


def test_a_board_has_its_hexes_where_it_says(tmp_path):
    """The middle of a hex that alone is painted has its colour on the board, and the hexes beside it have not."""
    map_ = studio.new_map("armageddon_war", columns=12, rows=7)
    plain = ExportPictures(map_).board(60)
    map_.paint("1105", terrain="dense_urban")
    painted = ExportPictures(map_).board(60)
    assert plain[1:] == painted[1:]
    before, after = (Image.open(io.BytesIO(one.png)).convert("RGB") for one in (plain, painted))
    for label, differs in (("1105", True), ("1005", False), ("1205", False), ("1104", False), ("0101", False)):
        x, y = painted.pixel(*map_.grid.centre(map_.labels.cell(label)))
        x, y = round(x), round(y)
        box = (x - 22, y - 22, x + 23, y + 23)
        assert (before.crop(box).tobytes() != after.crop(box).tobytes()) == differs


def test_middles_of_hexes_are_on_whole_pixels():
    picture = ExportPictures(studio.new_map("armageddon_war", columns=5, rows=5)).board(61)
    x, y = picture.pixel(480, 240)
    assert (x, y) == pytest.approx((round(x), round(y)), abs=1e-9)


def test_a_map_alone_is_a_module_without_a_saved_game(tmp_path):
    map_ = opened("tactics-4", "map")
    map_.export(tmp_path / "four.vmod", hex_px=48)
    assert [one.name for one in tmp_path.iterdir()] == ["four.vmod"]
    assert Module(tmp_path / "four.vmod").laid() == []


def test_what_cannot_be_is_refused_by_name(tmp_path):
    scenario = opened("tactics-02")
    with pytest.raises(OptionError, match="hex_px"):
        scenario.export(tmp_path / "x.vmod", hex_pixels=3)
    with pytest.raises(OptionError, match="wrong"):
        scenario.export(tmp_path / "x.vmod", hex_px="wide")
    with pytest.raises(UnknownNameError, match="vassal"):
        scenario.export(tmp_path / "x.vmod", to="vasal")
    with pytest.raises(UnsupportedError, match=r"NAME\.vmod"):
        scenario.export(tmp_path / "x.bundle.zip", to="vassal")
    with pytest.raises(UnsupportedError, match="saved game needs"):
        scenario.map.export(tmp_path / "x.vsav")
    with pytest.raises(UnknownNameError, match=r"\.vmod"):
        format_of(tmp_path / "x.doc")
    assert not list(tmp_path.iterdir())


def test_a_failed_export_leaves_the_old_file_whole(tmp_path, monkeypatch):
    old = tmp_path / "x.vmod"
    old.write_bytes(b"old")
    monkeypatch.setattr("studio.exchange.vassal.making.build_xml", lambda module: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        opened("tactics-02").export(old, hex_px=24)
    assert old.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["x.vmod"]


def test_every_format_is_known_by_its_name_and_its_endings(tmp_path):
    for one in formats():
        assert format_of(tmp_path / "x", one.id) == one
        for suffix in one.suffixes:
            assert format_of(tmp_path / f"x{suffix}") == one
        if one.module:
            assert callable(one.load().print_map if one.printed else one.load().write)
            assert one.options_type.__struct_fields__


def test_the_command_line_writes_one_and_many(tmp_path, capsys):
    target = tmp_path / "one.vmod"
    assert main(["export", SCENARIO, "-o", str(target), "--option", "hex_px=24"]) == 0
    told = capsys.readouterr().out
    assert "one.vmod" in told
    assert "one.vsav" in told
    folder = tmp_path / "many"
    command = ["export", SCENARIO, MAP, "--to", "vassal", "-o", str(folder), "--option", "hex_px=24", "--json"]
    assert main(command) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [entry["file"] for entry in files] == [SCENARIO, MAP]
    assert {one.name for one in folder.iterdir()} == {"tactics-02.vmod", "tactics-02.vsav", "tactics-4.vmod"}
    assert (folder / "tactics-02.vmod").read_bytes() == target.read_bytes()
    with zipfile.ZipFile(target) as archive:
        assert {info.date_time[0] for info in archive.infolist()} == {1980}


def test_the_command_line_refuses_what_it_cannot_write(tmp_path, capsys):
    assert main(["export", SCENARIO, MAP, "-o", str(tmp_path / "x.vmod")]) == 2
    assert main(["export", SCENARIO, "-o", str(tmp_path / "x.vmod"), "--option", "size=3"]) == 2
    assert "hex_px" in capsys.readouterr().err
    assert main(["export", SCENARIO, "-o", str(tmp_path / "x.bundle.zip"), "--option", "hex_px=3"]) == 2
    assert not list(tmp_path.iterdir())
