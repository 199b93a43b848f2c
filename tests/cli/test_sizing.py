"""studio resize and studio crop: what they say, what they save, what they refuse."""

import json
from pathlib import Path

import pytest

import studio
from studio.cli import main
from studio.model import Put


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    map_ = studio.new_map("armageddon_war", columns=6, rows=5, title="Wadi")
    map_.paint("0202", terrain="rough").add("marker", type="wreck", at="0101")
    map_.save("wadi.map.json")
    scenario = studio.new_scenario(map_)
    record = {"id": "o", "side": "x", "points": 1, "event": "hold", "hexes": ["0202"]}
    scenario.apply(Put(collection="objectives", record=record))
    scenario.save("dawn.scenario.json")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *args: str) -> tuple[int, str, str]:
    code = main(list(args))
    return code, *capsys.readouterr()


def test_a_scenario_and_its_map_change_together(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "resize", "dawn.scenario.json", "--left", "1", "--terrain", "marsh")
    assert code == 0
    assert out.splitlines() == [
        "Add 1 column on the left: 7 x 5 hexes",
        "scenario 'Untitled scenario' follows",
        "saved wadi.map.json and dawn.scenario.json",
    ]
    again = studio.open_scenario("dawn.scenario.json")
    assert again.document.objectives[0].hexes == ("0302",)
    assert [again.map.model.terrain_at(again.map.labels.cell(name)) for name in ("0101", "0302")] == ["marsh", "rough"]


def test_a_map_alone_names_the_scenario_that_did_not_follow(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(
        capsys, "resize", "wadi.map.json", "--left", "-1", "--labels", "keep", "-o", "small.map.json", "--json"
    )
    data = json.loads(out)
    assert code == 0
    assert (data["columns"], data["rows"], data["saved"]) == (5, 5, ["small.map.json"])
    assert data["losses"]["features"] == ["marker-1"]
    assert data["unopened"] == ["dawn.scenario.json"]
    assert studio.open_map("small.map.json").labels.label(0) == "0201"
    assert studio.open_map("wadi.map.json").grid.columns == 6


def test_a_dry_run_changes_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path("wadi.map.json").read_bytes()
    code, out, _ = run(capsys, "crop", "wadi.map.json", "0202", "0404", "--dry-run")
    assert code == 0
    assert out.splitlines()[-1] == "nothing was changed (--dry-run)"
    assert "1 feature removed: marker-1" in out
    assert Path("wadi.map.json").read_bytes() == before
    code, out, _ = run(capsys, "crop", "wadi.map.json", "0202", "0404")
    assert code == 0
    assert studio.open_map("wadi.map.json").grid.columns == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["resize", "wadi.map.json"], "no columns and no rows"),
        (["resize", "wadi.map.json", "--left", "-6"], "6 of 6 columns would go"),
        (["resize", "wadi.map.json", "--left", "1", "-o", "x.json"], "is named NAME.map.json"),
        (["resize", "wadi.map.json", "--left", "1", "-o", "wadi.map.json"], "exists already"),
        (["resize", "dawn.scenario.json", "--left", "1", "-o", "x.map.json"], "leave -o off"),
        (["crop", "wadi.map.json", "9901"], "9901"),
    ],
)
def test_what_cannot_be_is_said(folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    before = Path("wadi.map.json").read_bytes()
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert Path("wadi.map.json").read_bytes() == before
