"""Supply as scenarios answer it: what would be, freshness, state in the file, other forms of the answer, pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import shapely

from studio.cli import main
from studio.errors import LabelError, ScenarioRuleError, StaleAnswerError, UnknownNameError, UnsupportedError
from studio.files import read_scenario, write_scenario_text
from studio.model import Force, MapUse, ScenarioDocument, ScenarioModel, SetField
from tests.paths.boards import Board, Unit, random_board
from tests.sight.maps import small_map

ROW = tuple(f"{column:02}05" for column in range(1, 17))


def board(**changes: Any) -> Board:
    plain = Board(
        columns=16,
        rows=10,
        border=8,
        terrain={"0105": "city"},
        roads=(ROW,),
        units=(Unit("a", "iraq", "1605"), Unit("b", "iraq", "0108"), Unit("x", "iran", "1410")),
    )
    return plain.but(**changes)


def test_what_would_be_with_an_enemy_or_without_a_hex() -> None:
    scenario = board().scenario()
    assert scenario.supply("iraq").supplied == ["a", "b"]
    assert scenario.supply("iraq", enemy_at=["0805"]).out_of_supply == ["a"]
    assert "road cut at 0805 by an enemy unit" in scenario.supply("iraq", enemy_at=["0805"]).unit("a").reason
    assert scenario.supply("iraq", without=["0805"]).out_of_supply == ["a"]
    assert scenario.supply("iraq", without=["0105"]).supplied == []
    # Units in a hex where an enemy stands are gone; and nothing of all that has happened.
    assert [one.unit for one in scenario.supply("iraq", enemy_at=["0108"])] == ["a"]
    assert scenario.supply("iraq").supplied == ["a", "b"]


def test_what_would_be_if_the_source_were_taken_or_worked_again() -> None:
    scenario = board().scenario()
    lost = scenario.supply("iraq", control={"iran": ["0105"]})
    assert lost.supplied == []
    assert lost.unit("b").reason == "no source works: 0105 is controlled by Iran"
    assert scenario.supply("iraq", control={"": ["0105"]}).unit("b").reason.endswith("is controlled by nobody")
    assert scenario.supply("iraq", enemy_at=["0105"]).supplied == []
    spent = board(unrestored=("0105",)).scenario()
    assert spent.supply("iraq").supplied == []
    assert spent.supply("iraq", restored=["0105"]).supplied == ["a", "b"]


def test_all_sides_at_once_in_the_order_of_the_scenario() -> None:
    found = board().scenario().supply()
    assert [(one.unit, one.side) for one in found] == [("a", "iraq"), ("b", "iraq"), ("x", "iran")]
    assert found.out_of_supply == ["x"]
    assert len(found) == 3
    assert found[0].unit == "a"
    assert found.only("b").supplied == ["b"]


def test_questions_that_cannot_be_answered() -> None:
    scenario = board().scenario()
    with pytest.raises(UnknownNameError, match="iraq"):
        scenario.supply("irak")
    with pytest.raises(LabelError):
        scenario.supply("iraq", enemy_at=["9999"])
    with pytest.raises(UnknownNameError, match="iran"):
        scenario.supply("iraq", control={"irann": ["0105"]})
    with pytest.raises(ScenarioRuleError, match="say whose supply"):
        scenario.supply(enemy_at=["0105"])
    assert repr(scenario.supply("iraq", without="0105")) == repr(scenario.supply("iraq", without=["0105"]))
    with pytest.raises(ScenarioRuleError, match=r"restored: 0305 is no source of supply; .*0105"):
        scenario.supply("iraq", restored=["0305"])
    with pytest.raises(UnknownNameError, match="'a'"):
        scenario.supply("iraq").unit("aa")


def test_a_game_without_supply_says_so() -> None:
    document = ScenarioDocument(ruleset="armageddon_war", map=MapUse(file="x"), forces=[Force(id="a", name="A")])
    from studio.api.scenario import Scenario

    scenario = Scenario(ScenarioModel(document), small_map())
    for ask in (scenario.supply, lambda: scenario.interdiction("a")):
        with pytest.raises(UnsupportedError, match="Armageddon War has no supply rule"):
            ask()


def test_no_answer_is_stale_after_an_edit_or_a_change_of_control() -> None:
    scenario = board().scenario()
    first = scenario.supply("iraq")
    scenario.map.paint("0405", terrain="lake")
    assert scenario.supply("iraq").out_of_supply == ["a"]
    with pytest.raises(StaleAnswerError):
        first.to_frame()
    with pytest.raises(StaleAnswerError):
        scenario.plot_supply(first)
    scenario.map.undo()
    assert scenario.supply("iraq").supplied == ["a", "b"]
    scenario.apply(SetField(field="control", value={"iran": ["0105"]}))
    assert scenario.supply("iraq").supplied == []
    scenario.undo()
    assert scenario.supply("iraq").supplied == ["a", "b"]


def test_adding_a_road_never_cuts_a_link() -> None:
    # A river between port and sea; a road is added over it (and one along it).
    river = frozenset({frozenset(("0405", "0505"))})
    where = board(roads=(), rivers=river, units=(Unit("a", "iraq", "0505"),))
    before = where.scenario().supply("iraq").unit("a")
    for road in (("0405", "0505"), ("0505", "0506"), ("0404", "0405", "0406")):
        after = where.but(roads=(road,)).scenario().supply("iraq").unit("a")
        assert before.supplied
        assert after.supplied
        assert after.cost is not None
        assert before.cost is not None
        assert after.cost <= before.cost


def test_the_answer_as_plain_data_frame_and_page() -> None:
    scenario = board(units=(Unit("a", "iraq", "0305"), Unit("b", "iraq", "1610"))).scenario()
    answer = scenario.supply("iraq")
    data = json.loads(json.dumps(answer.to_dict()))
    assert data["units"][0] == {
        "unit": "a",
        "side": "iraq",
        "at": "0305",
        "supplied": True,
        "source": "0105",
        "path": ["0305", "0205", "0105"],
        "cost": 0,
        "reason": "2 hexes by road to the source 0105",
        "off_road": 0,
        "costs": [0, 0, 0],
    }
    assert data["units"][1]["supplied"] is True
    frame = answer.to_frame()
    assert list(frame.columns) == ["side", "at", "supplied", "source", "path", "cost", "reason", "geometry"]
    assert isinstance(frame.geometry["a"], shapely.LineString)
    assert "a at 0305: in supply: 2 hexes by road to the source 0105" in repr(answer)
    assert "<table>" in answer._repr_html_()


def test_interdiction_in_all_its_forms() -> None:
    scenario = board().scenario()
    found = scenario.interdiction("iraq")
    assert found.count("0105") == 2
    assert found.units("0805") == ("a",)
    assert found.count("1610") == 0
    assert next(iter(found.counts)) == "0105"
    assert found.to_dict()["hexes"]["0105"] == ["a", "b"]
    assert "0105: 2 (a, b)" in repr(found)
    assert "<table>" in found._repr_html_()
    frame = found.to_frame()
    assert frame.cuts_off.to_dict() == found.counts
    assert frame.units["0105"] == "a, b"
    assert set(frame.geometry.geom_type) == {"Polygon"}
    assert len(board().scenario().interdiction("iraq").to_frame()) == len(found.counts)
    with pytest.raises(LabelError):
        found.count("9999")


def test_two_roads_to_a_source_leave_only_the_ends() -> None:
    loop = (("0305", "0405", "0505", "0605", "0705"), ("0305", "0306", "0406", "0506", "0606", "0706", "0705"))
    where = board(terrain={"0305": "city"}, roads=(*loop, ROW[6:]), units=(Unit("a", "iraq", "1605"),))
    cut = set(where.scenario().interdiction("iraq").counts)
    assert "0505" not in cut
    assert {"0305", "0705"} <= cut


@pytest.mark.parametrize("blocked_by", ["units", "neighbours", "neighbours_unless_held", "nothing"])
@pytest.mark.parametrize("seed", range(6))
def test_interdiction_under_every_way_to_block(seed: int, blocked_by: str) -> None:
    where, options = random_board(seed), {"supply_blocked_by": blocked_by}
    scenario = where.scenario()
    for side in ("iraq", "iran"):
        found = scenario.interdiction(side, options=options)
        now = set(scenario.supply(side, options=options).supplied)
        for label in where.labels():
            if where.terrain.get(label) == "lake":
                continue
            there = {unit.id for unit in where.units if unit.at == label}
            then = set(scenario.supply(side, enemy_at=[label], options=options).supplied)
            assert set(found.units(label)) == now - then - there, (side, label)


def test_the_check_of_a_scenario_names_units_out_of_supply() -> None:
    found = [one for one in board().scenario().check() if one.rule == "scenario.supply"]
    assert [(one.at, one.severity) for one in found] == [("x", "warning")]
    assert "no source" in found[0].message


def test_lines_stay_in_the_part_in_play() -> None:
    scenario = board().scenario()
    use = {"file": scenario.document.map.file, "out_of_play": ["0805"]}
    scenario.apply(SetField(field="map", value=use))
    found = scenario.supply("iraq").unit("a")
    assert found.supplied is False
    assert found.reason == "3 MP short of the road at 0705: 9 MP off road, 6 MP allowed"
    assert found.cuts == ()
    scenario.apply(SetField(field="map", value={**use, "out_of_play": ["0105"]}))
    assert scenario.supply("iraq").unit("a").reason == "no source: no city lies in the home country of Iraq (12.6)"


# -- the file ----------------------------------------------------------------------------------------------------------


def test_control_homes_and_spent_sources_are_part_of_the_file() -> None:
    scenario = board(control={"iran": ("0105", "0205")}, unrestored=("0105",)).scenario()
    scenario.apply(SetField(field="home", value={"iraq": ["Iraq"]}))
    text = write_scenario_text(scenario.document)
    assert b'"control": {\n    "iran": ["0105", "0205"]\n  }' in text
    back = read_scenario(text)
    assert back.document.control == {"iran": ("0105", "0205")}
    assert back.document.unrestored == ("0105",)
    assert back.document.home == {"iraq": ("Iraq",)}
    assert write_scenario_text(back) == text


def test_a_file_that_says_nothing_of_them_stays_as_it_is() -> None:
    text = Path("scenarios/armageddon-01.scenario.json").read_bytes()
    assert write_scenario_text(read_scenario(text)) == text
    assert b"control" not in text


def test_a_home_that_is_not_on_the_map_is_named() -> None:
    scenario = board().scenario()
    scenario.apply(SetField(field="home", value={"iraq": ["Irak"]}))
    with pytest.raises(UnknownNameError, match="'Iraq'"):
        scenario.supply("iraq")
    scenario.undo()
    scenario.apply(SetField(field="control", value={"turkey": ["0105"]}))
    with pytest.raises(UnknownNameError, match="turkey"):
        scenario.supply("iraq")


# -- pictures and the command line -------------------------------------------------------------------------------------


def test_pictures_of_supply_and_interdiction() -> None:
    scenario = board(units=(Unit("a", "iraq", "1605"), Unit("b", "iraq", "1509"), Unit("x", "iran", "0905"))).scenario()
    axes = scenario.plot_supply("iraq")
    texts = {text.get_text() for text in axes.texts}
    assert {"a", "b", "✕"} <= texts
    assert len(axes.figure.axes) == 2
    assert scenario.plot_supply().figure is not None
    assert scenario.plot_interdiction("iraq").figure is not None
    with pytest.raises(UnknownNameError):
        scenario.plot_supply("irak")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    scenario = board().scenario()
    scenario.map.save(tmp_path / "board.map.json")
    path = tmp_path / "board.scenario.json"
    path.write_bytes(write_scenario_text(scenario.document))
    return path


def test_the_command_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["supply", str(file), "--side", "iraq"]) == 0
    assert "2 units, none out of supply" in capsys.readouterr().out
    assert main(["supply", str(file), "--unit", "a", "--enemy-at", "0805", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["unit"] for one in data["units"]] == ["a"]
    assert data["units"][0]["supplied"] is False
    kept = ["unit", "side", "at", "supplied", "source", "path", "cost", "reason"]
    assert list(data["units"][0]) == [*kept, "off_road", "costs", "attempt", "cuts", "short"]
    assert data["units"][0]["cuts"] == ["0805"]
    assert data["units"][0]["attempt"][-1] == "0105"
    assert len(data["units"][0]["costs"]) == len(data["units"][0]["attempt"])
    assert main(["supply", str(file), "--side", "iraq", "--at", "0305", "0405"]) == 0
    assert capsys.readouterr().out.startswith("2 places, none out of supply\n0305: in supply")
    assert main(["supply", str(file), "--unit", "a", "--control", "iran=0105", "0205", "iraq=0305"]) == 0
    assert "0105 is controlled by Iran" in capsys.readouterr().out
    assert main(["supply", str(file), "--unit", "a", "--restored", "0105", "--control", "=0405"]) == 0
    capsys.readouterr()
    assert main(["supply", str(file), "--without", "0805", "0105"]) == 0
    assert "a at 1605: OUT OF SUPPLY" in capsys.readouterr().out
    picture = file.parent / "supply.png"
    assert main(["supply", str(file), "--side", "iraq", "--interdiction", "--picture", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["supply", str(file), "--picture", str(picture)]) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        ["--side", "irak"],
        ["--unit", "aa"],
        ["--unit", "a", "--side", "iran"],
        ["--enemy-at", "0105"],
        ["--side", "iraq", "--enemy-at", "9999"],
        ["--interdiction"],
        ["--at", "0305"],
        ["--unit", "a", "--at", "0305"],
        ["--side", "iraq", "--control", "0305"],
        ["--side", "iraq", "--control", "irann=0305"],
        ["--side", "iraq", "--restored", "0305"],
        ["--side", "iraq", "--interdiction", "--restored", "0105"],
        ["--option", "supply_off_road=x"],
    ],
)
def test_a_command_line_that_cannot_be_carried_out(
    wrong: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["supply", str(file), *wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_supply_is_asked_of_scenarios(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["supply", str(file.parent / "board.map.json")]) == 2
    assert "scenario" in capsys.readouterr().err
