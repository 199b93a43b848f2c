"""Changes of size in the editor: what the panels say and do, and that no stroke lands on a wrong hex."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest

import studio
from studio.editor import MapEditor
from tests.editor.test_desk import Heard, walk
from tests.editor.test_protocol import Wire


@pytest.fixture
def document(request):
    made = studio.new_map("armageddon_war", columns=8, rows=6, title=request.node.name)
    made.paint("0202", terrain="rough").add("road", path=["0101", "0201", "0302"])
    made.add("marker", type="wreck", at="0404")
    yield made
    made.close()


@pytest.fixture
def heard(document):
    made = Heard(document)
    made.ask(type="panel_open", panel="size", open=True)
    yield made
    made.editor.close()


def press(heard, action, panel="size", **values):
    heard.messages.clear()
    heard.ask(type="panel", panel=panel, action=action, values=values)
    heard.editor.desk.send_due()


def words(heard, panel="size"):
    return [str(node.get("text", node.get("value", ""))) for node in walk(heard.editor.desk[panel].nodes())]


# -- the panel of the size ---------------------------------------------------------------------------------------------


def test_numbers_go_up_and_down_and_the_size_is_told_before(heard, document):
    press(heard, "more", edge="left")
    press(heard, "more", edge="left")
    press(heard, "less", edge="bottom")
    assert "Then 10 columns x 5 rows. Add 2 columns on the left, remove 1 row at the bottom." in words(heard)
    assert document.history[-1] == "Put marker marker-1"
    press(heard, "edge", id="left", value=1)
    press(heard, "clear")
    assert not [line for line in words(heard) if line.startswith("Then")]
    assert not heard.of("error")


def test_what_would_be_lost_is_told_before_and_after(heard, document):
    press(heard, "edge", id="left", value=-4)
    before = [line for line in words(heard) if line.startswith("△")]
    assert before == [
        "△ 1 of 24 removed hexes had a terrain or a level",
        "△ 2 features removed: marker-1, road-1",
    ]
    press(heard, "apply")
    assert (document.grid.columns, document.history[-1]) == (4, "Remove 4 columns on the left")
    assert [message["text"] for message in heard.of("tell")] == ["Remove 4 columns on the left: 4 x 6 hexes"]
    assert "2 features removed: marker-1, road-1" in words(heard)
    document.undo()
    assert set(document.features) == {"marker-1", "road-1"}


def test_terrain_and_labels_are_chosen(heard, document):
    press(heard, "edge", id="right", value=1)
    press(heard, "choose", id="terrain", value="marsh")
    press(heard, "choose", id="labels", value="keep")
    press(heard, "edge", id="left", value=1)
    press(heard, "apply")
    assert document.labels.label(0) == "0001"
    assert {document.model.terrain_at(document.labels.cell(name)) for name in ("0001", "0906")} == {"marsh"}


@pytest.mark.parametrize(
    ("edge", "value", "said"),
    [("left", -8, "8 of 8 columns would go"), ("right", 1995, "2003 columns, allowed 2000")],
)
def test_what_cannot_be_is_said_in_the_panel(heard, document, edge, value, said):
    press(heard, "edge", id=edge, value=value)
    assert not heard.of("error")
    assert any(said in line for line in words(heard))
    press(heard, "apply")
    assert said in heard.of("error")[-1]["message"]
    assert document.grid.columns == 8


@pytest.mark.parametrize("value", [1.5, True, "2", None])
def test_a_number_that_is_none_is_refused(heard, document, value):
    press(heard, "edge", id="left", value=value)
    assert "whole numbers" in heard.of("error")[-1]["message"]


def test_two_corners_crop(heard, document):
    cells = [document.labels.cell(name) for name in ("0505", "0202")]
    press(heard, "pick")
    assert heard.of("tell")[-1]["action"] == "corner"
    press(heard, "corner", cell=cells[0], label="0505", x=0, y=0)
    assert "other corner" in heard.of("tell")[-1]["text"]
    press(heard, "corner", cell=cells[1], label="0202", x=0, y=0)
    assert any(line.startswith("Then 4 columns x 4 rows") for line in words(heard))
    press(heard, "apply")
    assert document.features["marker-1"].at == "0303"
    press(heard, "corner", cell=-1, label="")
    assert "click a hex of the map" in heard.of("error")[-1]["message"]


def test_a_corner_picked_before_the_hexes_moved_is_forgotten(heard, document):
    press(heard, "corner", cell=document.labels.cell("0505"))
    document.resize(left=-2)
    press(heard, "corner", cell=document.labels.cell("0303"))
    assert "other corner" in heard.of("tell")[-1]["text"]
    assert not any(line.startswith("Then") for line in words(heard))


def test_the_selection_crops(heard, document):
    press(heard, "selection")
    assert "nothing that is chosen" in heard.of("error")[-1]["message"]
    heard.ask(type="selected", ids=["road-1", "marker-1"])
    press(heard, "selection")
    assert any(line.startswith("Then 4 columns x 4 rows") for line in words(heard))


def test_sheets_and_scenarios_keep_their_size(document, tmp_path, request):
    both = studio.join_maps(document, studio.turn_map(document), prefixes=("", "B"), title=request.node.name + " both")
    editor = MapEditor(both)
    assert any("join them again" in str(node.get("text")) for node in walk(editor.desk["size"].nodes()))
    editor.close()
    both.close()
    document.save(tmp_path / "m.map.json")
    scenario = studio.new_scenario(document).edit()
    assert not {"size", "join"} & set(scenario.desk.panels)
    scenario.close()


# -- joining -----------------------------------------------------------------------------------------------------------


def test_another_map_is_joined_in_a_file_of_its_own(heard, document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document.save("west.map.json")
    east = studio.new_map("armageddon_war", columns=8, rows=6, title="East of it")
    east.save("east.map.json")
    fields = [node for node in walk(heard.editor.desk["join"].nodes()) if node.get("id") == "file"]
    assert fields[0]["list"] == ["east.map.json"]
    for name, value in (("file", "east.map.json"), ("second", "E"), ("edge", "bottom"), ("target", "both")):
        press(heard, "set", "join", id=name, value=value)
    press(heard, "join", "join")
    assert not heard.of("error")
    assert [message["text"] for message in heard.of("tell")] == ["Joined: both.map.json"]
    assert any("studio.open_map('both.map.json').edit()" in line for line in words(heard, "join"))
    both = studio.open_map("both.map.json")
    assert (both.grid.columns, both.grid.rows, len(both.sheets)) == (8, 12, 2)
    assert both.features["marker-1"].at == "0404"
    assert document.grid.rows == 6
    press(heard, "set", "join", id="target", value="both")
    press(heard, "join", "join")
    assert "is there already" in heard.of("error")[-1]["message"]
    press(heard, "set", "join", id="file", value="none.map.json")
    press(heard, "set", "join", id="target", value="")
    press(heard, "join", "join")
    assert "none.map.json" in heard.of("error")[-1]["message"]


# -- what is on its way ------------------------------------------------------------------------------------------------


def follow(wire):
    """Take in what Python sent of its own accord, at most thirty times a second."""
    time.sleep(0.1)
    return wire.follow()


def paint(cell, terrain="marsh"):
    return {"op": "paint", "plane": "terrain", "cells": [cell], "values": [terrain]}


def test_a_change_of_size_comes_as_a_snapshot(document):
    wire = Wire(document)
    document.resize(left=1, bottom=-1)
    follow(wire)
    wire.assert_same()
    state = wire.editor.get_state()
    assert (state["geometry"]["columns"], state["geometry"]["rows"]) == (9, 5)
    assert state["geometry"]["stagger"] == document.grid.stagger
    assert state["status"]["moves"] == [1, 720, 0]
    document.undo()
    follow(wire)
    wire.assert_same()
    assert wire.editor.get_state()["status"]["moves"] == [2, 0, 0]
    wire.editor.close()


def test_a_stroke_that_was_under_way_when_the_size_changed_lands_nowhere(document):
    one, two = Wire(document), Wire(document)
    before = document.to_text()
    stale = [{**wire.edit(paint(9)), "moves": 0} for wire in (one, two)]
    document.resize(left=1)
    larger = document.to_text()
    for wire, message in zip((one, two), stale, strict=True):
        wire.post(message)
        errors = [sent for sent, _ in wire.sent if sent["type"] == "error"]
        assert "moved while this was on its way" in errors[-1]["message"]
        assert wire.follow() == [{"client": "me", "seq": 1}]
        wire.assert_same()
    assert document.to_text() == larger
    one.post({**one.edit(paint(9)), "moves": 1})
    assert document.model.terrain_at(9) == "marsh"
    follow(two)
    two.assert_same()
    document.undo()
    document.undo()
    # Back in the old frame: what was meant for the larger map is refused as well.
    two.post({**two.edit(paint(10)), "moves": 1})
    assert document.to_text() == before
    for wire in (one, two):
        wire.editor.close()


def test_a_record_with_labels_from_before_is_refused_too(document):
    wire = Wire(document)
    record = {"kind": "marker", "id": "marker-9", "type": "wreck", "at": "0101"}
    message = wire.edit({"op": "put", "collection": "features", "record": record})
    document.resize(left=1)
    wire.post({**message, "moves": 0})
    assert "marker-9" not in document.features
    wire.follow()
    wire.assert_same()
    wire.editor.close()


def test_undo_that_was_under_way_is_done(document):
    wire = Wire(document)
    document.resize(left=1)
    wire.post({"type": "undo", "client": "me", "seq": 1, "moves": 0})
    assert document.grid.columns == 8
    wire.follow()
    wire.assert_same()
    wire.editor.close()


def test_a_click_for_a_panel_from_before_is_refused(heard, document):
    document.resize(left=1)
    heard.messages.clear()
    heard.ask(type="panel", panel="size", action="corner", values={"cell": 3, "label": "0401"}, moves=0)
    assert "do it again" in heard.of("error")[-1]["message"]
    heard.ask(type="panel", panel="size", action="more", values={"edge": "left"}, moves=0)
    assert len(heard.of("error")) == 1


def test_a_large_map_changes_its_size_in_parts():
    document = studio.new_map("armageddon_war", columns=1500, rows=1500, title="Large")
    wire = Wire(document)
    document.resize(left=1, right=-1)
    follow(wire)
    wire.assert_same()
    assert np.array_equal(document.terrain.shape, (1500, 1500))
    assert json.dumps(wire.editor.get_state()["status"]["moves"]) == "[1, 720, 0]"
    wire.editor.close()
    document.revert()
    document.close()
