"""studio join: two files in, a third out; refused with options as they are typed."""

import json
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.cli import main


@pytest.fixture
def boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    studio.new_map("armageddon_war", columns=4, rows=3, title="West").save("west.map.json")
    east = studio.new_map("armageddon_war", columns=4, rows=3, title="East")
    east.paint("0101", terrain="rough").save("east.map.json")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(["join", *args])
    return code, *capsys.readouterr()


def test_two_maps_become_one_file(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "west.map.json", "east.map.json", "-o", "both.map.json", "--prefix", "", "E")
    assert code == 0
    assert out.startswith("made both.map.json: West and East, 8 x 3 hexes of Armageddon War")
    assert "sheet east: prefix E, surface\n" in out
    both = studio.open_map("both.map.json")
    assert both.model.terrain_at(both.labels.cell("E0101")) == "rough"
    assert not both.grid.parts[1].turned


def test_apart_and_turned_as_json(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--edge", "apart", "--turned", "--shift", "1", "--prefix", "", "U", "--title", "Both", "--json"]
    code, out, _ = run(capsys, "west.map.json", "east.map.json", "-o", "both.map.json", *options)
    data = json.loads(out)
    assert (code, data["map"], data["notes"]) == (0, "both.map.json", [])
    assert data["sheets"][1] == {"id": "east", "title": "East", "prefix": "U", "layer": "underground"}
    both = studio.open_map("both.map.json")
    assert (both.title, both.grid.columns, both.grid.rows) == ("Both", data["columns"], data["rows"])
    assert both.grid.parts[1].turned


def test_where_halves_differ_it_is_told(boards: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shape: dict[str, Any] = {"columns": 5, "rows": 4, "short": True, "half": ("left", "right")}
    studio.new_map("armageddon_war", title="One", **shape).save("one.map.json")
    studio.new_map("armageddon_war", title="Two", **shape).paint("0102", terrain="marsh").save("two.map.json")
    code, out, err = run(capsys, "one.map.json", "two.map.json", "-o", "row.map.json", "--prefix", "", "B")
    assert (code, err) == (0, "")
    assert "note: 0502: terrain clear of the first map holds, the second has marsh" in out


@pytest.mark.parametrize(
    ("files", "options", "code", "words"),
    [
        (("west", "east"), [], 2, "another prefix, such as 'B': --prefix '' 'B'"),
        (("west", "east"), ["--shift", "0.25", "--prefix", "", "E"], 2, "whole and half hexes"),
        (("west", "odd"), ["--prefix", "", "E", "--turned"], 2, "--shift 0.5 fits"),
        (("west", "none"), [], 2, "there is no such file"),
        (("west", "town"), [], 2, "join maps of one game"),
        (("west", "east"), ["-o", "both.json"], 2, "NAME.map.json"),
        (("west", "east"), ["-o", "west.map.json"], 2, "exists already"),
        (("west", "east"), ["-o", "nowhere/both.map.json"], 2, "no folder"),
        (("west", "broken"), [], 1, "broken.map.json"),
    ],
)
def test_what_cannot_be_joined(
    boards: Path, capsys: pytest.CaptureFixture[str], files: tuple[str, str], options: list[str], code: int, words: str
) -> None:
    studio.new_map("urban_operations", columns=4, rows=3).save("town.map.json")
    studio.new_map("armageddon_war", columns=5, rows=3).save("odd.map.json")
    Path("broken.map.json").write_text("{}", encoding="utf-8")
    names = [f"{name}.map.json" for name in files]
    found, _, err = run(capsys, *names, "-o", "both.map.json", *options)
    assert found == code
    assert words in err
    assert not Path("both.map.json").exists()
