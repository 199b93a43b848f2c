"""The editor of scenarios without a browser: what it tells, what it does, what its panels show."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.editor import ScenarioEditor
from studio.editor.panels.unit import figures_in
from studio.errors import EditError
from studio.files import write_scenario_text

ROOT = Path(__file__).parents[2]


class Told:
    """An editor and what it sent."""

    def __init__(self, scenario: Any, **options: Any) -> None:
        self.scenario, self.sent = scenario, []
        self.editor = ScenarioEditor(scenario, **options)
        self.editor.send = lambda content, buffers=None: self.sent.append(content)  # type: ignore[method-assign]

    def say(self, **message: Any) -> list[dict[str, Any]]:
        self.sent.clear()
        self.editor._on_message(self.editor, {"client": "me", **message}, [])
        return list(self.sent)

    def do(self, action: str, **values: Any) -> dict[str, dict[str, Any]]:
        answers = self.say(type="forces", seq=7, action=action, values=values)
        assert next(one["ack"] for one in answers if one["type"] == "patch") == {"client": "me", "seq": 7}
        return {one["type"]: one for one in answers}

    def act(self, panel: str, action: str, **values: Any) -> None:
        for one in self.say(type="panel", panel=panel, action=action, values=values):
            assert one["type"] != "error", one

    def nodes(self, panel: str) -> str:
        return json.dumps(self.editor.desk.panels[panel].nodes(), ensure_ascii=False)


@pytest.fixture
def told() -> Any:
    made = Told(studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False))
    yield made
    made.editor.close()


def test_the_first_message_holds_all(told: Told) -> None:
    (whole,) = told.say(type="forces_state")
    assert whole["whole"]
    assert [side["name"] for side in whole["sides"]] == ["Rebels", "ISIL"]
    area = whole["sides"][0]["formations"][0]
    assert (len(area["cells"]), area["named"], area["within"], area["turn"]) == (19, ["U9"], 2, 0)
    entry = whole["sides"][1]["formations"][0]
    assert entry["turn"] == 1
    assert {tuple(edges) for _, edges in entry["entries"]} == {("north",)}
    assert len(whole["units"]) == 9
    faces = {number for number, _ in whole["faces"]}
    assert {unit["face"] for unit in whole["units"]} <= faces
    assert sum(len(group["types"]) for group in whole["palette"]) == len(told.scenario.ruleset.scenario.roster())
    json.dumps(whole)
    state = told.editor.get_state()
    assert state["catalogue"]["scenario"]
    assert state["status"]["title"] == "Scenario 1: Holding action"


def test_messages_hold_what_has_changed_and_are_steps_of_the_scenario(told: Told) -> None:
    before = write_scenario_text(told.scenario.model)
    told.say(type="forces_state")
    placed = told.do("place", unit_type="rebel.technical", formation="rebels", force="rebel", at="U9")
    assert [unit["at"] for unit in placed["forces"]["units"]] == ["U9"]
    assert "sides" not in placed["forces"]
    assert placed["forces_done"]["chosen"] == ["technical-1"]
    moved = told.do("move", ids=["technical-1"], at="B3")
    assert moved["forces_done"]["warning"] == "B3: not in play"
    hidden = told.do("hide", ids=["technical-1"])
    assert hidden["forces"]["units"][0]["words"] == "Technical, hidden"
    assert len(hidden["forces"]["faces"]) == 1
    assert told.do("area", formation="rebels", labels=["T4"])["forces"]["sides"]
    assert told.do("note", at="U9", text="wells")["forces"]["notes"][-1]["text"] == "wells"
    aim = told.do("objective", side="isil", points=2, at="U9")
    assert (
        told.do("objective", objective=aim["forces_done"]["chosen"][0], at="U9")["forces"]["objectives"][-1]["hexes"]
        == []
    )
    told.do("play", labels=["U9"])
    gone = told.do("remove", ids=["technical-1"])
    assert gone["forces"]["gone"] == ["technical-1"]
    steps = len(told.scenario.history)
    assert steps == 9
    for _ in range(steps):
        told.say(type="undo", seq=8)
    assert write_scenario_text(told.scenario.model) == before
    assert not told.scenario.map.can_undo


def test_refusals_change_nothing_and_are_said(told: Told) -> None:
    before = write_scenario_text(told.scenario.model)
    for action, values, words in (
        ("turn", {"ids": ["rebel-technical"], "steps": 1}, "face no hexside"),
        ("move", {"ids": ["nobody"], "at": "U9"}, "no unit 'nobody'"),
        ("place", {"unit_type": "isil.tank", "formation": "rebels"}, "no unit type 'isil.tank'"),
    ):
        answers = told.do(action, **values)
        assert words in answers["error"]["message"]
        assert "forces" not in answers
    assert "no action" in told.say(type="forces", seq=1, action="dance", values={})[0]["message"]
    assert write_scenario_text(told.scenario.model) == before


def test_cells_and_the_map_are_followed(told: Told) -> None:
    told.say(type="forces_state")
    told.sent.clear()
    told.scenario.place("isil.t_55a", formation="saleh")
    told.scenario.change_unit("t-55a-1", count=2)
    time.sleep(0.15)
    assert [unit["count"] for one in told.sent if one["type"] == "forces" for unit in one["units"]][-1] == 2
    told.sent.clear()
    told.scenario.map.add("name", text="Well", at="U9")
    time.sleep(0.3)
    assert any(one["type"] == "forces" and one["whole"] for one in told.sent)
    told.scenario.map.undo()


def test_a_title_is_the_scenarios_and_the_map_cannot_be_painted(told: Told) -> None:
    told.say(type="edit", seq=1, edit={"op": "set", "field": "title", "value": "Raid"})
    assert (told.scenario.title, told.scenario.map.title) != ("Raid", "Raid")
    assert told.scenario.title == "Raid"
    paint = {"op": "paint", "plane": "terrain", "cells": [1], "values": ["marsh"]}
    assert "paint the map" in told.say(type="edit", seq=2, edit=paint)[0]["message"]
    assert not told.scenario.map.can_undo


def test_why_not_is_answered_for_types_and_units(told: Told) -> None:
    (answer,) = told.say(type="forces_why", at="B3", unit_type="isil.bmp_2", side="isil", ids=[])
    assert (answer["why"], answer["side"]) == ("not in play", "isil")
    (answer,) = told.say(type="forces_why", at="U9", ids=["rebel-technical"])
    assert answer["why"] == ""
    (palette,) = told.say(type="forces_palette", side="isil")
    assert set(palette["faces"]) == set(told.scenario.ruleset.scenario.roster())


def test_readers_can_look_but_not_change() -> None:
    told = Told(
        studio.open_scenario(ROOT / "scenarios" / "practice-front.scenario.json", recover_unsaved=False), readonly=True
    )
    assert told.say(type="forces_state")[0]["whole"]
    assert "looking only" in told.say(type="forces", seq=1, action="remove", values={"ids": ["inf-7"]})[0]["message"]
    assert told.scenario.unit("inf-7").at == "1211"
    assert repr(told.scenario.explore()) == "ScenarioEditor('Practice front: who is in supply?', read-only)"
    told.editor.close()


# -- panels ------------------------------------------------------------------------------------------------------------


def test_the_order_of_battle_is_shown_and_changed(told: Told) -> None:
    shown = told.nodes("forces")
    assert "Rebels – 7 counters, 37 points" in shown
    assert "Saleh Militia – 10 counters, 48 points, activation 1" in shown
    told.act("forces", "add_force", value="Jordan", id="new")
    told.act("forces", "add_formation", id="new:jordan", value="Patrol")
    told.act("forces", "set", id="part:jordan:patrol:arrival", value="enter")
    told.act("forces", "set", id="part:jordan:patrol:turn", value=4)
    told.act("forces", "set", id="part:jordan:patrol:hexes", value="U9, V9")
    told.act("forces", "set", id="part:jordan:patrol:edges", value="north")
    told.act("forces", "set", id="force:jordan:color", value="#009e73")
    told.act("forces", "set", id="part:jordan:patrol:printed_units", value=3)
    told.act("forces", "drop", what={"units": ["rebel-technical"]}, on={"formation": "patrol", "force": "jordan"})
    told.act("forces", "drop_on_map", what={"units": ["rebel-technical"]}, label="V9", x=0, y=0, cell=0)
    force = told.scenario.document.forces[2]
    part = force.formations[0]
    assert (force.color, part.arrival, part.arrival_turn, part.where.hexes) == ("#009e73", "enter", 4, ("U9", "V9"))
    assert [(unit.id, unit.at) for unit in part.units] == [("rebel-technical", "V9")]
    told.act("forces", "remove_formation", part="patrol", force="jordan")
    told.act("forces", "remove_force", force="jordan")
    assert len(told.scenario.document.forces) == 2


def test_the_fields_of_a_unit(told: Told) -> None:
    assert "Click a counter" in told.nodes("unit")
    told.say(type="selected", ids=["rebel-technical"])
    for name, value in (
        ("at", "U9"), ("count", 2), ("quality", "veteran"), ("notes", "first"), ("figures", "movement=5"),
        ("status:reduced", True), ("formation", "isil/saleh"), ("carried_by", ""),
    ):  # fmt: skip
        told.act("unit", "set", id=name, value=value)
    unit = told.scenario.unit("rebel-technical")
    assert (unit.at, unit.count, unit.quality, unit.notes, unit.figures) == (
        "U9",
        2,
        "veteran",
        "first",
        {"movement": 5},
    )
    assert unit.status == ("reduced",)
    assert told.scenario.unit_owner("rebel-technical") == ("isil", "saleh")
    told.act("unit", "off")
    assert told.scenario.unit("rebel-technical").at == ""
    told.say(type="selected", ids=["rebel-technical", "saleh-trucks", "gone"])
    assert "2 units" in told.nodes("unit")
    told.act("unit", "set", id="status:hidden", value=True)
    assert "hidden" in told.scenario.unit("saleh-trucks").status
    told.act("unit", "remove")
    assert not {"rebel-technical", "saleh-trucks"} & set(told.scenario.unit_ids)
    with pytest.raises(EditError, match="movement=4"):
        figures_in("fast")


def test_the_turn_track(told: Told) -> None:
    told.act("turns", "choose", force="isil", part="saleh")
    told.act("turns", "shift", by=1)
    assert told.scenario.document.forces[1].formations[0].arrival_turn == 2
    told.act("turns", "drop", what={"force": "isil", "part": "saleh"}, on={"turn": 0})
    assert told.scenario.document.forces[1].formations[0].arrival == "set_up"
    told.act("turns", "set", id="length", value=200)
    told.act("turns", "set", id="first_side", value="isil")
    assert told.nodes("turns").count("Activation") < 10  # a long scenario shows the turns that matter
    document = told.scenario.document
    assert (document.length, document.first_side) == (200, "isil")


def test_objectives_victory_notes_and_setting(told: Told) -> None:
    told.act("objectives", "add", side="isil")
    for name, value in (("points", 4), ("hexes", "U9, V9"), ("text", "Hold it"), ("event", "hold"), ("edges", "north")):
        told.act("objectives", "set", id=name, value=value)
    told.act("objectives", "pick", label="T9")
    aim = told.scenario.document.objectives[-1]
    assert (aim.points, aim.hexes, aim.text, aim.edges) == (4, ("U9", "V9", "T9"), "Hold it", ("north",))
    told.act("objectives", "set", id="victory:margin", value=6)
    assert told.scenario.document.victory.margin == 6
    told.act("objectives", "set", id="victory:side", value="")
    assert told.scenario.document.victory is None
    told.act("objectives", "remove")
    assert told.scenario.document.objectives[-1].id != aim.id
    name = told.scenario.add_note("U9", "Well")
    told.act("notes", "set", id=f"{name}:side", value="rebel")
    assert told.scenario.document.place_notes[-1].side == "rebel"
    assert "Well" in told.nodes("notes")
    told.act("notes", "remove", id=name)
    told.act("setting", "set", id="situation", value="Dawn.")
    told.act("setting", "set", id="map:first_column", value="P")
    told.act("setting", "set", id="map:out_of_play", value="Q1, Q2")
    use = told.scenario.document.map
    assert (told.scenario.document.situation, use.first_column, use.out_of_play) == ("Dawn.", "P", ("Q1", "Q2"))
    (error,) = [
        one
        for one in told.say(
            type="panel", panel="setting", action="set", values={"id": "map:first_column", "value": "ZZ"}
        )
        if one["type"] == "error"
    ]
    assert "no column 'ZZ'" in error["message"]


def test_every_panel_shows_something_in_every_game(tmp_path: Path) -> None:
    for name in ("armageddon-1", "practice-front", "tactics-1", "phantom-fury", "urban-1"):
        scenario = studio.new_scenario(studio.open_map(ROOT / "maps" / f"{name}.map.json", recover_unsaved=False))
        told = Told(scenario)
        scenario.add_force("Blue")
        scenario.add_formation("blue", "First")
        first = next(iter(scenario.ruleset.scenario.roster()))
        told.do("place", unit_type=first, formation="first", force="blue", at="")
        told.say(type="selected", ids=scenario.unit_ids)
        for panel in ("forces", "unit", "turns", "objectives", "notes", "setting"):
            assert told.nodes(panel) != "[]", (name, panel)
        told.editor.close()
