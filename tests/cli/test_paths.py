"""The command line about movement: routes, and what can be reached."""

import json
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.cli import main


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def as_json(capsys: pytest.CaptureFixture[str], *args: object) -> Any:
    code, out, err = run(capsys, *args, "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.fixture
def desert(tmp_path: Path) -> Path:
    made = studio.new_map("armageddon_war", columns=9, rows=9, title="Dunes")
    made.paint(["0302", "0303"], terrain="dunes")
    made.save(tmp_path / "dunes.map.json")
    return tmp_path / "dunes.map.json"


def test_a_route(capsys: pytest.CaptureFixture[str], desert: Path, tmp_path: Path) -> None:
    map_ = studio.open_map(desert)
    data = as_json(capsys, "route", desert, "0301", "0304", "--mover", "tracked")
    assert data == map_.route("0301", "0304", mover="tracked").to_dict()
    assert set(data) == {
        *("from", "to", "mover", "found", "cost", "halves", "points", "allowance", "path", "steps", "miss", "text"),
    }
    picture = tmp_path / "route.png"
    code, out, _ = run(
        capsys, "route", desert, "0301", "0304", "--mover", "tracked", "--points", 2, "--picture", picture
    )
    assert code == 0
    assert out.startswith("0301 to 0304 (tracked): 2 MP short")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_what_holds_at_the_moment(capsys: pytest.CaptureFixture[str], desert: Path) -> None:
    asked = ("route", desert, "0501", "0504", "--mover", "tracked")
    slow, fast = as_json(capsys, *asked), as_json(capsys, *asked, "--state", "flank")
    assert (slow["cost"], fast["cost"]) == (3, 1.5)
    held = as_json(capsys, *asked, "--state", "flank", "--enemies", "0702", "--state", "shaken=0702")
    assert held["cost"] == 1.5
    held = as_json(capsys, *asked, "--state", "flank=true", "--enemies", "0503", "0603")
    assert held["cost"] > 3
    assert not as_json(capsys, *asked, "--blocked", "0504")["found"]


def test_reach(capsys: pytest.CaptureFixture[str], desert: Path, tmp_path: Path) -> None:
    data = as_json(capsys, "reach", desert, "0301", "--mover", "wheeled", "--points", "2")
    assert data == studio.open_map(desert).reach("0301", mover="wheeled", points=2).to_dict()
    picture = tmp_path / "reach.png"
    code, out, _ = run(capsys, "reach", desert, "0301", "--mover", "wheeled", "--points", "2", "--picture", picture)
    assert code == 0
    assert out.splitlines()[:2] == ["0301 (wheeled), 4 of 81 hexes for 2 MP", "0 MP: 0301"]
    assert "by 3.0 minimum move: 0302" in out
    assert picture.exists()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--mover", "horse"), "unknown mover 'horse'"),
        (("--mover", "tracked", "--points", "1/3"), "points: got '1/3'"),
        (("--mover", "tracked", "--state", "flnk"), "knows no such state; did you mean 'flank'"),
        (("--mover", "tracked", "--enemies", "9999"), "9999"),
        (("--mover", "tracked", "--option", "off_road_in_x=no"), "option off_road_in_x"),
    ],
)
def test_what_cannot_be_asked(capsys: pytest.CaptureFixture[str], desert: Path, args: Any, message: str) -> None:
    code, _, err = run(capsys, "reach", desert, "0301", *args)
    assert code == 2
    assert message in err
