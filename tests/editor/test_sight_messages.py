"""Questions about sight: what the browser asks, what it is told, and what the panel beside the map says."""

from __future__ import annotations

import json
import shlex
import threading
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

import studio
from studio.cli import main
from studio.draw import draw_dead_ground
from studio.draw.ink import ink_of_answer
from studio.editor import MapEditor
from studio.editor.scenario_editor import ScenarioEditor
from studio.editor.sight import inquiry_of
from studio.errors import EditError, LabelError, ScenarioRuleError
from studio.model import SetField

MAPS = Path(__file__).parents[2] / "maps"


class Caught:
    """An editor whose messages are caught."""

    def __init__(self, document, **about):
        self.document, self.sent, self.overlays = document, [], {}
        self.editor = MapEditor(document, **about)
        self.editor.send = lambda message, buffers=None: self.sent.append((json.loads(json.dumps(message)), buffers))
        self.editor.overlay = lambda name, ink, **_: self.overlays.__setitem__(name, ink)
        self.panel = self.editor.desk["sight"]

    def post(self, type_, **about):
        """Send a message as the browser does; return what was sent for it, of that type."""
        self.sent.clear()
        self.editor._on_message(self.editor, {"type": type_, "client": "me", **about}, [])
        return next((found for found in self.sent if found[0]["type"] == type_), (None, None))

    def sight(self, a, b):
        return self.post("sight", a=a, b=b)[0]["result"]

    def act(self, action, **values):
        self.editor.client = "me"
        self.panel.act(action, values)

    def words(self):
        return json.dumps(self.panel.nodes(), ensure_ascii=False)

    def told(self, what):
        return [message for message, _ in self.sent if message["type"] == "tell" and message["what"] == what]


@pytest.fixture
def catch():
    made = []

    def make(document, **about):
        made.append(Caught(document, **about))
        return made[-1]

    yield make
    for one in made:
        one.editor.close()
        one.document.close()


def shipped(name):
    return studio.open_map(MAPS / f"{name}.map.json", recover_unsaved=False)


@pytest.fixture
def desert():
    made = studio.new_map("armageddon_war", columns=9, rows=7)
    made.paint(["0403", "0404"], terrain="light_woods")
    return made


# -- lines ------------------------------------------------------------------------------------------------------------


def test_a_line_between_a_room_and_a_roof_runs_from_dot_to_dot(catch):
    one = catch(shipped("urban-1"))
    found, expected = one.sight("1.1", "2 roof"), one.document.sight("1.1", "2 roof")
    dot = one.document.survey.directory.number
    assert found["status"] == expected.status == "blocked"
    ends = [one.document.survey.directory.dot(dot(label)) for label in ("1.1", "2 roof")]
    assert np.allclose(found["way"], ends, atol=0.01)
    assert [reason["text"] for reason in found["reasons"]] == [reason.text for reason in expected.reasons]
    assert found["side"]["eyes"][1] > found["side"]["eyes"][0]
    # By number it is the same.
    assert one.sight(dot("1.1"), dot("2 roof")) == found


def test_the_opening_that_a_line_goes_through_is_marked(catch):
    one = catch(shipped("urban-1"))
    found = one.sight("21.2", "0501")
    used = [opening for opening in found["openings"] if opening[2]]
    doors = [f for f in one.document.features.values() if getattr(f, "into", "") == "21.2" and "door" in f.id]
    assert [tuple(opening[:2]) for opening in used] == [doors[0].at]


def test_in_a_game_of_zones_the_line_runs_through_what_connects_them(catch):
    one = catch(shipped("phantom-fury"))
    found = one.sight("39 C", "41 R")
    assert found["status"] == "clear"
    assert found["zonal"] is True
    assert found["areas"] == ["zone-39", "zone-41"]
    assert len(found["way"]) == 5
    assert found["side"] is None
    apart = one.sight("7", "37 C")
    assert (apart["status"], len(apart["way"]), apart["stop"]) == ("blocked", 2, 0.5)


def test_reasons_lie_on_the_line_or_beside_it(catch, desert):
    one = catch(desert)
    found = one.sight("0203", "0604")
    assert found["status"] == "blocked"
    blocking = [reason for reason in found["reasons"] if reason["blocks"]]
    assert blocking
    assert all(0 < reason["t"] < 1 for reason in blocking)
    assert found["met"] == sorted(found["met"])
    assert 0 < found["stop"] <= blocking[0]["t"]


@pytest.mark.parametrize("name", ["armageddon-1", "urban-1"])
def test_command_and_python_give_the_same_answer(name, catch, capsys, monkeypatch):
    monkeypatch.chdir(MAPS.parent)
    one = catch(shipped(name))
    labels = [one.document.survey.directory.label(n) for n in one.document.survey.directory.numbers.tolist()]
    option = {"armageddon-1": ("border_rule", "per_border"), "urban-1": ("wall_touch", "passes")}[name]
    one.act("option", id=option[0], value=option[1])
    found = one.sight(labels[3], labels[-9])
    words = shlex.split(found["command"])
    assert words[:3] == ["studio", "sight", f"maps/{name}.map.json"]
    main(words[1:])
    told = capsys.readouterr().out
    exec(found["python"], {"map": one.document, "studio": studio})
    assert capsys.readouterr().out == told
    assert told.startswith(f"{labels[3]} to {labels[-9]}: {found['status']}")


def test_an_unknown_end_is_told_and_the_tool_is_free_again(catch, desert):
    one = catch(desert)
    assert one.sight("0101", "9999") is None
    error = next(message for message, _ in one.sent if message["type"] == "error")
    assert "9999" in error["message"]
    assert "Traceback" in error["traceback"]
    assert one.sight("0101", "0203")["status"] == "clear"


# -- fields -----------------------------------------------------------------------------------------------------------


def test_a_field_of_view_holds_all_locations(catch):
    one = catch(shipped("urban-1"))
    message, buffers = one.post("view", a="1 roof")
    codes = np.frombuffer(bytes(buffers[0]), dtype=np.uint8)
    assert message == {"type": "view", "a": "1 roof"}
    assert (codes == one.document.field_of_view("1 roof").codes).all()
    assert len(codes) == len(one.document.survey.directory)


def test_answers_follow_an_edit(catch, desert):
    one = catch(desert)
    desert.paint(["0403", "0404"], terrain="clear")
    assert one.sight("0203", "0604")["status"] == "clear"
    desert.paint(["0403", "0404"], terrain="dense_woods")
    assert one.sight("0203", "0604")["status"] == "blocked"
    codes = np.frombuffer(bytes(one.post("view", a="0203")[1][0]), dtype=np.uint8)
    assert codes[desert.labels.cell("0604")] == 3


# -- rulings ----------------------------------------------------------------------------------------------------------


def test_a_reading_of_the_rules_changes_every_answer(catch):
    desert = studio.new_map("armageddon_war", columns=7, rows=5).paint(["0402", "0403"], terrain="light_woods")
    one = catch(desert)
    assert one.sight("0103", "0503")["status"] == "blocked"
    one.sent.clear()
    one.act("option", id="border_rule", value="per_border")
    assert one.told("ask")
    assert one.sight("0103", "0503")["status"] == "clear"
    codes = np.frombuffer(bytes(one.post("view", a="0103")[1][0]), dtype=np.uint8)
    assert codes[desert.labels.cell("0503")] == 1
    one.act("reset")
    assert one.sight("0103", "0503")["status"] == "blocked"
    one.act("option", id="border_rule", value="per_hex")
    assert inquiry_of(one.editor).chosen == {}


def test_conditions_hold_for_lines_and_are_written_out(catch, desert):
    one = catch(desert)
    assert one.sight("0106", "0706")["status"] == "clear"
    through = [contact.at for contact in desert.sight("0106", "0706").contacts if contact.how == "through"]
    smoke = through[len(through) // 2]
    one.act("condition", id="smoke", value=smoke)
    found = one.sight("0106", "0706")
    assert found["status"] == "blocked"
    assert found["command"].endswith(f"--smoke {smoke}")
    number = desert.labels.cell(smoke)
    assert found["python"] == f"print(map.sight('0106', '0706', conditions=studio.sight.Conditions(smoke=[{number}])))"
    one.act("condition", id="smoke", value="")
    one.act("condition", id="visibility", value=3)
    assert one.sight("0106", "0706")["status"] == "blocked"
    one.act("condition", id="visibility", value=None)
    assert inquiry_of(one.editor).held == {}


@pytest.mark.parametrize(
    ("action", "values", "error"),
    [
        ("condition", {"id": "smoke", "value": "9999"}, LabelError),
        ("condition", {"id": "terrain_overrides", "value": "rough"}, EditError),
        ("condition", {"id": "visibility", "value": -4}, ScenarioRuleError),
        ("condition", {"id": "moon", "value": 1}, EditError),
        ("option", {"id": "border_rule", "value": "both"}, ScenarioRuleError),
        ("observe", {"label": "9999"}, LabelError),
        ("kind", {"value": "everything"}, EditError),
        ("compare", {}, EditError),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(catch, desert, action, values, error):
    one = catch(desert)
    before = one.sight("0203", "0604")
    with pytest.raises(error):
        one.act(action, **values)
    assert one.sight("0203", "0604") == before
    assert one.panel.observers == []


def test_a_second_ruling_is_told_beside_the_first(catch):
    desert = studio.new_map("armageddon_war", columns=7, rows=5).paint(["0402", "0403"], terrain="light_woods")
    one = catch(desert)
    one.act("rival", value="armageddon_war")
    assert one.sight("0103", "0503")["other"]["status"] == "blocked"
    one.act("rival_option", id="border_rule", value="per_border")
    other = one.sight("0103", "0503")["other"]
    assert other["status"] == "clear"
    assert "per_border" in other["name"]
    one.act("rival", value="modern_tactics")
    missing = one.sight("0103", "0503")
    assert missing["status"] == "blocked"
    assert missing["other"]["status"] == "none"
    assert "counts as" in missing["other"]["text"]
    assert "light woods counts as" in one.words()
    one.act("counts_as", id="light_woods", value="mixed_woods")
    one.act("counts_as", id="clear", value="open")
    assert one.sight("0103", "0503")["other"]["status"] in ("clear", "hindered", "blocked")
    one.act("rival", value="")
    assert "other" not in one.sight("0103", "0503")


def test_lines_that_differ_are_listed_and_lead_to_the_map(catch):
    desert = studio.new_map("armageddon_war", columns=7, rows=5).paint(["0402", "0403"], terrain="light_woods")
    one = catch(desert)
    one.act("rival", value="armageddon_war")
    one.act("rival_option", id="border_rule", value="per_border")
    one.act("start", value="0103")
    one.act("compare")
    assert "2 of 34 lines differ" in one.words()
    assert "0103 → 0503" in one.words()
    wait_for(lambda: one.overlays.get("compare") is not None)
    one.sent.clear()
    one.act("line", a="0103", b="0503")
    assert [(message["a"], message["b"]) for message in one.told("sight")] == [("0103", "0503")]
    desert.paint("0402", terrain="clear")
    assert "Changed since then" in one.words()
    assert one.overlays["compare"] is None
    one.act("start", value="")
    one.act("compare")
    wait_for(lambda: one.overlays["compare"] is not None)
    assert "Changed since then" not in one.words()


# -- those that look --------------------------------------------------------------------------------------------------


def wait_for(true, most=20.0):
    end = time.monotonic() + most
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_exposure_to_several_observers(catch, desert):
    one = catch(desert)
    one.act("observe", label="0203")
    one.act("add", value="0606, 0203")
    found = desert.exposure(["0203", "0606"])
    assert one.panel.observers == ["0203", "0606"]
    assert f"{found.seen_count} of 63 hexes are seen" in one.words()
    assert f"by none: {int((found.counts == 0).sum())}" in one.words()
    wait_for(lambda: one.overlays.get("exposure") is not None)
    one.act("observe", label="0203")
    assert one.panel.observers == ["0606"]
    one.act("clear")
    assert one.overlays["exposure"] is None


def test_dead_ground_follows_an_edit(catch, desert):
    one = catch(desert)
    one.act("observe", label="0203")
    one.act("kind", value="dead_ground")
    unseen = int(desert.dead_ground("0203").mask.sum())
    assert f"Nobody sees {unseen} of 63 hexes" in one.words()
    wait_for(lambda: one.overlays.get("exposure") is not None)
    first = one.overlays["exposure"]
    desert.paint(["0403", "0404"], terrain="clear")
    assert "Nobody sees 0 of 63 hexes" in one.words()
    wait_for(lambda: one.overlays["exposure"] is not first)
    # Many edits, one after another: the picture that stays is the newest.
    for terrain in ("rough", "clear", "dense_woods"):
        desert.paint("0403", terrain=terrain)
        one.panel.nodes()
    wait_for(lambda: one.panel._picture.settled)
    newest = ink_of_answer(draw_dead_ground, desert, desert.dead_ground("0203"))
    assert one.overlays["exposure"].groups == newest.groups
    assert one.overlays["exposure"] is not None


def test_observers_in_rooms_and_boxes(catch):
    one = catch(shipped("phantom-fury"))
    one.act("add", value="39 C, 46")
    found = one.document.exposure(["39 C", "46"])
    assert f"{found.seen_count} of 473 locations are seen" in one.words()


def test_an_observer_that_is_gone_looks_no_more(catch):
    one = catch(shipped("urban-1"))
    one.act("add", value="1 roof, 2 roof")
    one.document.remove("roof-1")
    assert '"label": "1 roof"' not in one.words()
    assert one.panel.observers == ["2 roof"]


def test_a_long_question_can_be_stopped_and_does_not_hold_the_map(catch):
    one = catch(studio.new_map("armageddon_war", columns=60, rows=60))
    labels = [one.document.labels.label(cell) for cell in range(0, 3600, 9)]
    started = threading.active_count()
    one.act("add", value=",".join(labels))
    one.document.paint("0101", terrain="rough")  # not kept waiting
    number = next(message["id"] for message, _ in one.sent if message["type"] == "work")
    one.editor._on_message(one.editor, {"type": "cancel", "id": number}, [])
    wait_for(lambda: any(m["type"] == "work" and m["state"] != "running" for m, _ in one.sent))
    wait_for(lambda: threading.active_count() <= started)
    one.act("show")
    wait_for(lambda: one.panel._answer is not None)
    assert "are seen" in one.words()


def test_a_reader_may_ask_everything(catch, desert):
    one = catch(desert, readonly=True)
    assert one.sight("0203", "0604")["status"] == "blocked"
    one.post("panel", panel="sight", action="observe", values={"label": "0203"})
    assert one.panel.observers == ["0203"]
    assert not [message for message, _ in one.sent if message["type"] == "error"]


def test_no_panel_in_a_game_without_lines_of_sight():
    document = shipped("practice-front")
    editor = MapEditor(document)
    assert "sight" not in editor.desk.panels
    editor.close()
    document.close()


# -- a scenario --------------------------------------------------------------------------------------------------------


@pytest.fixture
def fight(tmp_path):
    ground = studio.new_map("armageddon_war", columns=9, rows=7)
    ground.paint(["0403", "0404"], terrain="light_woods")
    ground.save(tmp_path / "ground.map.json")
    made = studio.new_scenario(ground, title="Fight")
    force = made.add_force("Reds")
    formation = made.add_formation(force, "First")
    for at in ("0203", "0606", "0203"):
        made.place("isil.bmp_2", at, force=force, formation=formation, anyway=True)
    made.save(tmp_path / "fight.scenario.json")
    yield made
    made.close()


def test_a_force_looks_from_where_its_units_stand(fight):
    editor = ScenarioEditor(fight)
    sent = []
    editor.send = lambda message, buffers=None: sent.append(json.loads(json.dumps(message)))
    panel = editor.desk["sight"]
    (force,) = fight.document.forces
    panel.act("force", {"value": force.id})
    assert panel.observers == ["0203", "0606"]
    seen = fight.map.exposure(["0203", "0606"]).seen_count
    assert f"{seen} of 63 hexes are seen" in json.dumps(panel.nodes())
    wait_for(lambda: any(m["type"] == "overlay" and m["name"] == "exposure" and m["parts"] for m in list(sent)))
    editor.close()


def test_the_special_rules_of_a_scenario_hold(fight):
    editor = ScenarioEditor(fight)
    sent = []
    editor.send = lambda message, buffers=None: sent.append(json.loads(json.dumps(message)))

    def ask():
        editor._on_message(editor, {"type": "sight", "a": "0106", "b": "0706"}, [])
        return next(message["result"] for message in reversed(sent) if message["type"] == "sight")

    editor.desk["sight"].nodes()
    assert ask()["status"] == "clear"
    assert ask()["python"] == "print(scenario.sight('0106', '0706'))"
    special = msgspec.to_builtins(msgspec.structs.replace(fight.document.special, visibility=3))
    fight.apply(SetField(field="special", value=special))
    sent.clear()
    editor.desk["sight"].nodes()
    assert [message for message in sent if message["type"] == "tell" and message["what"] == "ask"]
    blocked = ask()
    assert blocked["status"] == fight.sight("0106", "0706").status == "blocked"
    assert blocked["command"].endswith("fight.scenario.json 0106 0706")
    # What is chosen in the editor goes before; the command line cannot say it.
    editor.desk["sight"].act("condition", {"id": "visibility", "value": 9})
    clear = ask()
    assert clear["status"] == "clear"
    assert clear["command"] == ""
    assert "visibility=9" in clear["python"]
    editor.close()


# -- a still ----------------------------------------------------------------------------------------------------------


def test_a_still_is_the_map_as_it_was(desert):
    still = desert.still()
    assert still.path is None
    assert still.sight("0203", "0604").to_dict() == desert.sight("0203", "0604").to_dict()
    still.paint("0403", terrain="clear").paint("0404", terrain="clear")
    assert still.sight("0203", "0604").status == "clear"
    assert desert.sight("0203", "0604").status == "blocked"
    desert.add("marker", type="smoke", at="0203")
    assert not still.model.features
