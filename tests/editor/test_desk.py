"""Panels, long work, notices, read-only editors: what Python does for the browser, without a browser."""

from __future__ import annotations

import json
import threading
import time

import pytest

import studio
from studio.checks import Finding, Findings
from studio.editor import MapEditor
from studio.editor.desk import Desk
from studio.editor.panels import PANELS, Panel
from studio.editor.panels import nodes as make
from studio.model import Paint


@pytest.fixture
def document(request):
    # A title of its own: a map of the same name that was drawn on is warned of.
    made = studio.new_map("armageddon_war", columns=10, rows=8, title=request.node.name)
    yield made
    made.close()


class Heard:
    """An editor whose messages are kept."""

    def __init__(self, document, **options):
        self.editor = MapEditor(document, **options)
        self.messages = []
        self.editor.send = lambda content, buffers=None: self.messages.append(json.loads(json.dumps(content)))

    def ask(self, **message):
        self.editor._on_message(self.editor, {"client": "c", **message}, [])

    def of(self, kind):
        return [message for message in self.messages if message["type"] == kind]

    def wait(self, kind, test=lambda message: True, seconds=10):
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = [message for message in self.of(kind) if test(message)]
            if found:
                return found[-1]
            time.sleep(0.01)
        raise AssertionError(f"no {kind} in {[message['type'] for message in self.messages]}")

    def nodes(self, panel):
        return self.wait("panel", lambda message: message["panel"] == panel)["nodes"]


def walk(nodes):
    for node in nodes:
        yield node
        yield from walk(node.get("nodes", ()))


@pytest.fixture
def heard(document):
    made = Heard(document)
    yield made
    made.editor.close()


def test_every_panel_describes_itself_in_json(heard, document):
    document.paint("0303", terrain="marsh")
    for name in heard.editor.desk.panels:
        heard.ask(type="panel_open", panel=name, open=True)
        assert list(walk(heard.nodes(name)))
    assert not heard.of("error")
    assert len({kind.id for kind in PANELS}) == len(PANELS)
    assert all(kind.id and kind.title for kind in PANELS)


def test_a_closed_panel_is_not_described(heard, document):
    heard.ask(type="panel_open", panel="history", open=True)
    heard.ask(type="panel_open", panel="history", open=False)
    heard.messages.clear()
    document.paint("0303", terrain="marsh")
    time.sleep(0.3)
    assert not heard.of("panel")


def test_a_panel_follows_edits_of_cells_and_says_nothing_twice(heard, document):
    heard.ask(type="panel_open", panel="history", open=True)
    document.paint("0303", terrain="marsh")
    heard.wait("panel", lambda message: "Paint marsh on 1 hex" in json.dumps(message))
    heard.messages.clear()
    heard.editor.desk.refresh()
    time.sleep(0.3)
    assert not heard.of("panel")


def test_the_history_goes_back_and_forth(heard, document):
    for label in ("0303", "0304", "0305"):
        document.paint(label, terrain="marsh")
    heard.ask(type="panel_open", panel="history", open=True)
    heard.ask(type="panel", panel="history", action="go", values={"to": 1})
    assert (len(document.history), len(document.undone)) == (1, 2)
    lines = [row["cells"][0] for node in walk(heard.nodes("history")) for row in node.get("rows", ())]
    assert lines[-1] == "As it was opened" and len(lines) == 4
    heard.ask(type="panel", panel="history", action="go", values={"to": 3})
    assert len(document.history) == 3
    heard.ask(type="panel", panel="history", action="revert")
    assert document.history == []
    document.redo()
    assert document.history == ["Paint marsh on 1 hex"]


def test_findings_are_told_and_mended_as_a_step():
    town = studio.new_map("urban_operations", columns=4, rows=4)
    town.set("sources", [{"title": "drawn here"}]).add("wall", type="outer_wall", line=[[0, 0], [9, 0], [9, 0]])
    heard = Heard(town)
    heard.ask(type="panel_open", panel="findings", open=True)
    heard.ask(type="panel", panel="findings", action="check")
    nodes = heard.wait("panel", lambda message: "wall-1" in json.dumps(message))["nodes"]
    row = next(row for node in walk(nodes) for row in node.get("rows", ()))
    assert row["go"] and "wall-1" in row["cells"][0] and row["sign"] in "✕△" and row["note"]
    steps = len(town.history)
    heard.ask(type="panel", panel="findings", action="mend", values={"number": 0})
    assert town.check() == [] and len(town.history) == steps + 1
    town.undo()
    assert len(town.check()) == 1
    heard.editor.close()
    town.close()


def test_an_unknown_action_is_shown_and_the_panel_comes_back(heard):
    heard.ask(type="panel_open", panel="history", open=True)
    heard.messages.clear()
    heard.ask(type="panel", panel="history", action="explode")
    assert "no action 'explode'" in heard.of("error")[0]["message"]
    assert heard.nodes("history")
    heard.ask(type="panel", panel="nowhere", action="go")
    assert "no panel 'nowhere'" in heard.of("error")[-1]["message"]


def test_a_panel_that_fails_does_not_take_the_others_with_it(document):
    class Broken(Panel):
        id, title = "broken", "Broken"

        def nodes(self):
            raise ZeroDivisionError("by nought")

    class Sound(Panel):
        id, title = "sound", "Sound"

        def nodes(self):
            return [make.text("well")]

    heard = Heard(document)
    heard.editor.desk = Desk(heard.editor, (Broken, Sound))
    heard.ask(type="panel_open", panel="broken", open=True)
    heard.ask(type="panel_open", panel="sound", open=True)
    assert "by nought" in heard.of("error")[0]["message"]
    (shown,) = heard.nodes("broken")
    assert shown["tone"] == "error" and "by nought" in shown["text"], "no stale answer stays below its title"
    assert heard.nodes("sound") == [{"t": "text", "text": "well"}]
    heard.editor.close()


# -- long work ---------------------------------------------------------------------------------------------------------


def test_work_tells_how_far_it_is_and_hands_over_what_it_made(heard, document):
    made = []

    def job(progress):
        for number in range(20):
            progress(number, 20)
            time.sleep(0.02)
        return "done"

    heard.editor.work("Counting", job, made.append).join(10)
    assert made == ["done"]
    states = [message["state"] for message in heard.of("work")]
    assert states[-1] == "done" and states.count("running") >= 3


def test_work_can_be_cancelled_while_the_lock_is_held(heard, document):
    begun, made = threading.Event(), []

    def job(progress):
        with document.lock:
            begun.set()
            while True:
                progress(0, 0)
                time.sleep(0.005)

    thread = heard.editor.work("Endless", job, made.append)
    assert begun.wait(10)
    number = heard.wait("work")["id"]
    heard.ask(type="cancel", id=number)
    thread.join(10)
    assert not thread.is_alive() and not made
    assert heard.of("work")[-1]["state"] == "cancelled"


def test_work_that_fails_says_why(heard):
    def job(_progress):
        raise ValueError("nothing to count")

    heard.editor.work("Counting", job).join(10)
    assert "nothing to count" in heard.of("error")[0]["message"]
    assert heard.of("work")[-1]["state"] == "failed"


def test_a_page_that_is_loaded_anew_hears_of_work_that_runs(heard):
    go, told = threading.Event(), threading.Event()

    def job(progress):
        time.sleep(0.15)
        progress(3, 7)
        told.set()
        go.wait(10)

    thread = heard.editor.work("Counting", job)
    assert told.wait(10)
    heard.messages.clear()
    heard.ask(type="hello", revision=0, complete=True)
    assert [(message["done"], message["total"]) for message in heard.of("work")] == [(3, 7)]
    for number in ("1", None, [1], 99):
        heard.ask(type="cancel", id=number)
    go.set()
    thread.join(10)
    assert heard.of("work")[-1]["state"] == "done"
    heard.messages.clear()
    heard.ask(type="hello", revision=0, complete=True)
    assert heard.of("work") == []


# -- notices -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def recovered(tmp_path):
    """A map with one step that an ended session left in the journal."""
    file = tmp_path / "wadi.map.json"
    first = studio.new_map("armageddon_war", columns=10, rows=8, title="Wadi")
    first.save(file)
    first.paint("0303", terrain="marsh")
    first.close()
    with pytest.warns(studio.api.RecoveredWarning):
        again = studio.open_map(file)
    yield again
    again.close()


@pytest.mark.parametrize(("action", "steps", "dirty"), [("keep", 1, True), ("save", 1, False), ("revert", 0, False)])
def test_recovered_steps_wait_for_a_choice(recovered, action, steps, dirty):
    heard = Heard(recovered)
    notice = heard.editor.get_state()["status"]["notices"][0]
    assert "1 unsaved step" in notice["text"] and "Paint marsh" in notice["details"]
    heard.ask(type="notice", id=notice["id"], action=action)
    assert heard.of("status")[-1]["status"]["notices"] == []
    assert (len(recovered.history), recovered.dirty) == (steps, dirty)
    heard.editor.close()


def test_recovered_steps_that_a_cell_saves_need_no_choice(recovered):
    heard = Heard(recovered)
    heard.ask(type="notice", id="recovered", action="fly")
    assert "no choice 'fly'" in heard.of("error")[0]["message"]
    assert heard.editor.get_state()["status"]["notices"]
    recovered.save()
    heard.editor.refresh_status()
    assert heard.of("status")[-1]["status"]["notices"] == []
    heard.editor.close()


def test_keeping_recovered_steps_asks_about_a_file_that_changed(recovered):
    heard = Heard(recovered)
    other = studio.open_map(recovered.path, recover_unsaved=False)
    other.paint("0101", terrain="marsh").save()
    heard.ask(type="notice", id="recovered", action="save")
    assert "was changed since" in heard.of("error")[0]["message"]
    shown = [notice["id"] for notice in heard.of("status")[-1]["status"]["notices"]]
    assert shown == ["recovered", "conflict"]
    heard.ask(type="notice", id="conflict", action="overwrite")
    assert heard.of("status")[-1]["status"]["notices"] == [] and not recovered.dirty
    heard.editor.close()
    other.close()


def terrain(file, label):
    model = studio.open_map(file, recover_unsaved=False).model
    return model.terrain_at(model.labels.cell(label))


def test_a_file_that_changed_meanwhile_is_asked_about(tmp_path):
    file = tmp_path / "wadi.map.json"
    mine = studio.new_map("armageddon_war", columns=10, rows=8, title="Wadi")
    mine.save(file)
    other = studio.open_map(file)
    other.paint("0101", terrain="marsh").save()
    mine.paint("0202", terrain="dunes")
    heard = Heard(mine)
    heard.ask(type="save")
    notice = heard.of("status")[-1]["status"]["notices"][0]
    assert [words for _, words in notice["buttons"]] == ["Save over it", "Not now"]
    assert terrain(file, "0101") == "marsh"
    heard.ask(type="notice", id=notice["id"], action="overwrite")
    assert not mine.dirty and terrain(file, "0202") == "dunes"
    heard.editor.close()
    for document in (mine, other):
        document.close()


# -- read-only ---------------------------------------------------------------------------------------------------------


def test_a_read_only_editor_answers_and_changes_nothing(document):
    document.paint("0303", terrain="marsh")
    heard = Heard(document, readonly=True)
    assert heard.editor.get_state()["readonly"] is True
    edit = {"op": "batch", "title": "x", "edits": [{"op": "paint", "plane": "levels", "cells": [3], "values": [1]}]}
    for message in ({"type": "edit", "edit": edit}, {"type": "undo"}, {"type": "redo"}, {"type": "save"}):
        heard.ask(seq=1, **message)
        assert "looking only" in heard.of("error")[-1]["message"]
    assert document.history == ["Paint marsh on 1 hex"] and document.path is None
    heard.ask(type="sight", a=1, b=22)
    assert heard.of("sight")[-1]["result"]
    assert "history" not in heard.editor.desk.panels
    document.apply(Paint(plane="terrain", cells=[5], values=["dunes"]))
    assert heard.wait("patch")["revision"] == document.revision
    heard.editor.close()


def test_explore_is_the_same_widget_for_looking(document):
    shown = document.explore()
    assert isinstance(shown, MapEditor) and shown.readonly
    assert repr(shown) == f"MapEditor({document.title!r}, 10 x 8, read-only)"
    shown.close()


def test_notes_among_the_findings_have_a_sign_of_their_own_and_can_be_shown_alone(monkeypatch):
    town = studio.new_map("urban_operations", columns=4, rows=4)
    found = [
        Finding("warning", "town", "sources", "map.sources", "no source is named", "name yourself"),
        Finding("note", "town", "7.3", "scenario.print_error", "printed: 50; read as: 48", "nothing to do"),
    ]
    monkeypatch.setattr(type(town), "check", lambda _: Findings(found))
    heard = Heard(town)
    heard.ask(type="panel_open", panel="findings", open=True)
    heard.ask(type="panel", panel="findings", action="check")
    nodes = heard.wait("panel", lambda message: "printed: 50" in json.dumps(message))["nodes"]
    assert [row["sign"] for node in walk(nodes) for row in node.get("rows", ())] == ["△", "○"]
    heard.ask(type="panel", panel="findings", action="filter", values={"value": "note"})

    def alone(message):
        return "printed: 50" in json.dumps(message) and "no source" not in json.dumps(message)

    assert "0 errors, 1 warning, 1 note" in json.dumps(heard.wait("panel", alone))
    heard.editor.close()
    town.close()
