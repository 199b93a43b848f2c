"""The command line about sight for several locations, two rulings, and what holds at the moment."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio.cli import main
from studio.errors import ScenarioRuleError
from studio.sight import Conditions

ROOT = Path(__file__).parents[2]
MAP = str(ROOT / "maps" / "armageddon-1.map.json")
SCENARIO = str(ROOT / "scenarios" / "armageddon-01.scenario.json")


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    code = main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return code, out, err


def as_json(capsys: pytest.CaptureFixture[str], *args: object, code: int = 0) -> Any:
    found, out, err = run(capsys, *args, "--json")
    assert found == code, err
    return json.loads(out)


@pytest.fixture
def spine(tmp_path: Path) -> Path:
    """A map of 9 x 9 hexes with one border between two woods."""
    made = studio.new_map("armageddon_war", columns=9, rows=9, title="Spine")
    made.paint(["0402", "0403"], terrain="light_woods")
    made.save(tmp_path / "spine.map.json")
    return tmp_path / "spine.map.json"


def test_exposure(capsys: pytest.CaptureFixture[str], spine: Path) -> None:
    data = as_json(capsys, "exposure", spine, "0303", "0901")
    assert set(data) == {"units", "counts", "seers"}
    assert data == studio.open_map(spine).exposure(["0303", "0901"]).to_dict()
    assert (len(data["counts"]), data["units"]) == (81, ["0303", "0901"])
    code, out, _ = run(capsys, "exposure", spine, "0303", "0901")
    assert code == 0
    assert out.startswith("2 units see ")
    assert [line.split(":")[0] for line in out.splitlines() if line.startswith("seen by")] == ["seen by 2", "seen by 1"]


def test_dead_ground(capsys: pytest.CaptureFixture[str], spine: Path) -> None:
    data = as_json(capsys, "dead-ground", spine, "0303")
    assert set(data) == {"units", "unseen", "locations", "regions"}
    assert data["locations"] == 81
    assert data["unseen"] == sum(part["size"] for part in data["regions"]) > 0
    assert all(len(part["labels"]) == part["size"] for part in data["regions"])
    code, out, _ = run(capsys, "dead-ground", spine, "0303")
    assert (code, f"region 1 ({data['regions'][0]['size']}): " in out) == (0, True)
    reading = as_json(capsys, "dead-ground", spine, "0303", "--option", "border_rule=per_border")
    assert reading["unseen"] < data["unseen"]


def test_compare_two_readings(capsys: pytest.CaptureFixture[str], spine: Path) -> None:
    data = as_json(capsys, "compare", spine, "--option-b", "border_rule=per_border", "--limit", 2)
    assert set(data) == {"first", "second", "notes", "lines", "differing", "counts", "share", "pairs"}
    assert data["second"] == "Armageddon War (border_rule=per_border)"
    assert data["lines"] == 81 * 80 == sum(sum(row.values()) for row in data["counts"].values())
    assert data["counts"]["blocked"]["clear"] == data["differing"] > 0
    assert [set(pair) for pair in data["pairs"]] == [{"from", "to", "first", "second"}] * 2
    assert set(data["share"]) == set(studio.open_map(spine).labels.all())
    some = as_json(capsys, "compare", spine, "--option-a", "border_rule=per_border", "--from", "0303", "0101")
    assert (some["lines"], set(some["share"])) == (160, {"0303", "0101"})
    code, out, _ = run(capsys, "compare", spine, "--option-b", "border_rule=per_border", "--limit", 1)
    assert code == 0
    assert out.splitlines()[1].split() == ["clear", "hindered", "blocked"]
    assert out.splitlines()[-1].endswith(": blocked, clear")


def test_compare_with_another_game(capsys: pytest.CaptureFixture[str], spine: Path, tmp_path: Path) -> None:
    own = tmp_path / "steppe.toml"
    own.write_text(
        'id = "steppe"\ntitle = "Steppe"\nlevels = [0, 2]\n[terrain.plain]\nname = "Plain"\nchar = "."\n'
        '[terrain.crops]\nname = "Crops"\nchar = "c"\nsight = "hinder"\n'
    )
    code, _, err = run(capsys, "compare", spine, "--with", own)
    assert (code, "--terrain clear=... light_woods=..., with terrain of Steppe: crops, plain" in err) == (2, True)
    mapping = ("--terrain", "clear=plain", "light_woods=crops")
    data = as_json(capsys, "compare", spine, "--with", own, *mapping)
    assert (data["first"], data["second"]) == ("Armageddon War", "Steppe")
    assert data["counts"]["blocked"]["hindered"] > 0
    code, _, err = run(capsys, "compare", spine, "--with", own, "--terrain", "clear")
    assert (code, "--terrain 'clear': write name=value" in err) == (2, True)


def test_compare_says_what_it_needs(capsys: pytest.CaptureFixture[str], spine: Path) -> None:
    code, _, err = run(capsys, "compare", spine)
    assert (code, "--with R" in err) == (2, True)
    code, _, err = run(capsys, "compare", spine, "--with", "ignorant_armies")
    assert (code, "no lines of sight" in err) == (2, True)
    code, _, err = run(capsys, "compare", spine, "--option-b", "border_rule=per_border", "--limit", "-1")
    assert (code, "--limit: got -1" in err) == (2, True)


def test_units_are_checked(capsys: pytest.CaptureFixture[str], spine: Path) -> None:
    for command in ("exposure", "dead-ground"):
        code, _, err = run(capsys, command, spine, "0303", "0303")
        assert (code, "0303 is named twice" in err) == (2, True)
        assert "9999" in as_json(capsys, command, spine, "9999", code=2)["error"]
        with pytest.raises(SystemExit) as caught:
            main([command, str(spine)])
        assert caught.value.code == 2
        assert "usage" in capsys.readouterr().err


def test_what_holds_at_the_moment(capsys: pytest.CaptureFixture[str], spine: Path) -> None:
    def status(*flags: str) -> str:
        return str(as_json(capsys, "sight", spine, "0303", "0703", *flags)["status"])

    assert status() == "blocked"
    assert status("--from-air") == status("--to-air") == "clear"
    assert status("--from-air", "--smoke", "0503") == "blocked"
    air = ("--from-air", "--smoke", "0503", "0603")
    view = as_json(capsys, "view", spine, "0303", *air)
    assert "0703" in view["blocked"]
    dead = as_json(capsys, "dead-ground", spine, "0303", *air)
    assert sorted(label for part in dead["regions"] for label in part["labels"]) == sorted(view["blocked"])
    seen = as_json(capsys, "exposure", spine, "0303", *air)["counts"]
    assert sorted(label for label, count in seen.items() if not count) == sorted(view["blocked"])
    code, _, err = run(capsys, "sight", spine, "0303", "0703", "--smoke", "9999")
    assert (code, "9999" in err) == (2, True)
    code, _, err = run(capsys, "sight", spine, "0303", "0703", "--opened", "breach-1")
    assert (code, "--opened breach-1: no feature" in err) == (2, True)


@pytest.mark.parametrize(
    "question",
    [
        ["exposure", "0303", "0901"],
        ["dead-ground", "0303"],
        ["compare", "--option-b", "border_rule=per_border"],
        ["compare", "--option-b", "border_rule=per_border", "--from", "0303"],
    ],
)
def test_pictures(capsys: pytest.CaptureFixture[str], spine: Path, tmp_path: Path, question: list[str]) -> None:
    picture = tmp_path / "answer.png"
    data = as_json(capsys, question[0], spine, *question[1:], "--picture", picture)
    assert data["picture"] == str(picture)
    assert picture.read_bytes().startswith(b"\x89PNG")
    before = spine.read_bytes()
    code, _, err = run(capsys, question[0], spine, *question[1:], "--picture", spine)
    assert (code, "would replace a document" in err, spine.read_bytes() == before) == (2, True, True)


def test_flags_reach_the_judge(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from studio.api import Map

    asked: list[Conditions | None] = []
    judge = Map.judge

    def listening(self: Map, options: Any = None, conditions: Conditions | None = None) -> Any:
        asked.append(conditions)
        return judge(self, options, conditions)

    monkeypatch.setattr(Map, "judge", listening)
    town = tmp_path / "town.map.json"
    studio.new_map("urban_operations", 9, 9).save(town)
    flags = ("--vehicle", "0101", "--vehicle", "0201", "--from-kind", "sniper", "--to-kind", "sniper")
    as_json(capsys, "sight", town, "0303", "0703", *flags)
    as_json(capsys, "sight", town, "0303", "0703")
    assert asked == [Conditions(vehicles=frozenset([0, 1]), from_kind="sniper", to_kind="sniper"), None]


@pytest.mark.parametrize(
    ("ruleset", "flags", "says"),
    [
        ("armageddon_war", ("--vehicle", "0101"), "no rule of sight for vehicles; it knows smoke"),
        ("modern_tactics", ("--from-kind", "sniper"), "no rule of sight for from_kind"),
        ("urban_operations", ("--from-kind", "banana"), "from_kind is 'banana'; Urban Operations knows 'sniper'"),
        ("urban_operations", ("--from-air",), "no rule of sight for from_air"),
    ],
)
def test_conditions_that_a_game_does_not_know_are_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, ruleset: str, flags: tuple[str, ...], says: str
) -> None:
    file = tmp_path / "x.map.json"
    studio.new_map(ruleset, 9, 9).save(file)
    a, b = (studio.open_map(file).labels.label(cell) for cell in (20, 40))
    code, _, err = run(capsys, "sight", file, a, b, *flags)
    assert (code, says in err) == (2, True), err


def test_conditions_have_sensible_figures(spine: Path) -> None:
    map_ = studio.open_map(spine)
    for wrong in (Conditions(visibility=-5), Conditions(haze_step=-1)):
        with pytest.raises(ScenarioRuleError, match="allowed are whole numbers of hexes"):
            map_.sight("0303", "0703", conditions=wrong)


def test_a_scenario_keeps_its_special_rules_and_takes_more(capsys: pytest.CaptureFixture[str]) -> None:
    scenario = studio.open_scenario(SCENARIO, recover_unsaved=False)
    plain = scenario.map.exposure(
        ["W1", "U9"], options=scenario.document.special.options, conditions=scenario.conditions()
    )
    assert as_json(capsys, "exposure", SCENARIO, "W1", "U9") == plain.to_dict()
    smoky = as_json(capsys, "exposure", SCENARIO, "W1", "U9", "--smoke", "V2", "V8")
    assert sum(smoky["counts"].values()) < sum(plain.to_dict()["counts"].values())


def test_a_table_checks_its_file_before_it_judges(
    capsys: pytest.CaptureFixture[str], spine: Path, tmp_path: Path
) -> None:
    code, _, err = run(capsys, "table", spine, "-o", tmp_path / "t.xlsx")
    assert (code, ".npz (labels and codes)" in err) == (2, True)
    data = as_json(capsys, "table", spine, "-o", tmp_path / "t.npz", "--from-air")
    assert data == {"table": str(tmp_path / "t.npz"), "hexes": 81, "locations": 81}
    with np.load(tmp_path / "t.npz") as held:
        at = {label: number for number, label in enumerate(held["labels"].tolist())}
        assert held["codes"][at["0303"], at["0703"]] == 1


def test_locations_that_are_no_hexes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    made = studio.new_map("phantom_fury", columns=8, rows=8)
    for name, left in (("1", 0), ("2", 960), ("3", 1920)):
        outline = [[left, 0], [left + 960, 0], [left + 960, 960], [left, 960]]
        made.add("area", type="zone", name=name, outline=outline)
    made.add("place", type="courtyard", name="1 C", at=[100, 100], within="area-1")
    file = tmp_path / "zones.map.json"
    made.save(file)
    labels = ["1", "1 C", "2", "3"]
    view = as_json(capsys, "view", file, "1")
    assert sorted([*view["clear"], *view["hindered"], *view["blocked"]]) == labels
    assert as_json(capsys, "sight", file, "1 C", "2")["status"] == "clear"
    assert sorted(as_json(capsys, "exposure", file, "1", "3")["counts"]) == labels
    dead = as_json(capsys, "dead-ground", file, "1")
    assert (dead["locations"], dead["regions"][-1]["labels"]) == (4, ["3"])
    reading = as_json(capsys, "compare", file, "--option-b", "within_zone=clear")
    assert [(pair["from"], pair["to"]) for pair in reading["pairs"]] == [("1", "1 C")]
    for question in (["sight", "1 C", "2"], ["view", "1"], ["exposure", "1", "3"], ["dead-ground", "1"]):
        picture = tmp_path / f"{question[0]}.png"
        assert as_json(capsys, question[0], file, *question[1:], "--picture", picture)["picture"] == str(picture)
        assert picture.read_bytes().startswith(b"\x89PNG")
    for suffix in ("csv", "npz"):
        assert as_json(capsys, "table", file, "-o", tmp_path / f"t.{suffix}")["locations"] == 4
    with (tmp_path / "t.csv").open(newline="") as held:
        lines = list(csv.reader(held))
    assert len(lines) == 17
    assert {line[0] for line in lines[1:]} == set(labels)
