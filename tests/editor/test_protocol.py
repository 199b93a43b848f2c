"""Messages between the kernel and the browser, without a browser."""

from __future__ import annotations

import functools
import io
import json
import subprocess
import threading
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import studio
from studio.editor import MapEditor, protocol
from studio.editor.requests import known_handlers
from studio.editor.thumbnail import thumbnail
from studio.errors import EditError
from studio.grid import Labels, LabelScheme
from studio.model import Batch, Delete, Paint, Put, SetField, SetSide
from tests.editor.fake import FakeMap

WEB = Path(protocol.__file__).parent / "web" / "src"

LIMIT = 8_000_000


class Wire:
    """An editor whose messages are caught, and a copy of the map kept current by them alone."""

    def __init__(self, document):
        self.document = document
        self.editor = MapEditor(document)
        self.sent = []
        self.editor.send = self._send
        self.seq = 0
        self.load(self.editor.get_state())

    def _send(self, content, buffers=None):
        size = len(json.dumps(content)) + sum(len(b) for b in buffers or [])
        assert size < LIMIT
        self.sent.append((json.loads(json.dumps(content)), [bytes(b) for b in buffers or []]))

    def load(self, state):
        self.revision = state["revision"]
        self.ids = state["catalogue"]["terrain_ids"]
        self.terrain = np.frombuffer(state["terrain"], dtype=np.uint8).copy()
        self.levels = np.frombuffer(state["levels"], dtype=np.int8).copy()
        self.features = {record["id"]: record for record in state["features"]}
        self.sides = {(a, b): tuple(kinds) for a, b, kinds in state["sides"]}

    def follow(self):
        """Take in all that was sent; return the acknowledgements."""
        acks, self.sent, got = [], [], self.sent
        snapshot = None
        for message, buffers in got:
            if message["type"] == "patch":
                acks.append(message["ack"])
                if message["revision"] <= self.revision:
                    continue
                assert message["base"] == self.revision
                self.revision = message["revision"]
                for part in message["planes"]:
                    plane = self.terrain if part["plane"] == "terrain" else self.levels
                    cells = np.frombuffer(buffers[part["cells"]], dtype="<u4")
                    plane[cells] = np.frombuffer(buffers[part["values"]], dtype=plane.dtype)
                for a, b, kinds in message["sides"]:
                    self.sides[a, b] = tuple(kinds)
                    if not kinds:
                        del self.sides[a, b]
                self.features.update({record["id"]: record for record in message["features"]})
                for name in message["removed"]:
                    self.features.pop(name, None)
            elif message["type"] == "snapshot":
                acks.append(message["ack"])
                size = message["state"]["geometry"]["rows"] * message["state"]["geometry"]["columns"]
                snapshot = {**message["state"], "terrain": bytearray(size), "levels": bytearray(size)}
                snapshot["present"] = bytearray(size)
                missing = message["parts"]
            elif message["type"] == "plane":
                start = message["offset"]
                snapshot[message["plane"]][start : start + len(buffers[0])] = buffers[0]
                missing -= 1
                if not missing:
                    self.load(snapshot)
        return [ack for ack in acks if ack]

    def post(self, *messages, buffers=()):
        self.editor._on_message(self.editor, {"type": "many", "messages": list(messages)}, list(buffers))

    def edit(self, edit):
        self.seq += 1
        return {"type": "edit", "client": "me", "seq": self.seq, "edit": edit, "buffers": 0}

    def assert_same(self):
        model = self.document.model
        assert self.revision == self.document.revision
        assert np.array_equal(self.terrain, model.terrain.ravel())
        assert np.array_equal(self.levels, model.levels.ravel())
        assert set(self.features) == set(model.features)
        assert self.sides == {key: tuple(kinds) for key, kinds in model.sides.items()}


@pytest.fixture(params=["fake", "real"])
def wire(request):
    if request.param == "fake":
        made = Wire(FakeMap(12, 9))
        yield made
        made.editor.close()
        return
    document = studio.new_map("armageddon_war", columns=12, rows=9)
    made = Wire(document)
    yield made
    made.editor.close()
    document.close()


def paint(cells, terrain="marsh"):
    return {"op": "paint", "plane": "terrain", "cells": cells, "values": [terrain]}


def test_an_edit_is_made_once_and_answered(wire):
    wire.post(wire.edit({"op": "batch", "title": "Paint marsh", "edits": [paint([3, 4])]}))
    assert wire.document.history[-1] == "Paint marsh"
    assert [wire.document.model.terrain_at(cell) for cell in (3, 4, 5)] == ["marsh", "marsh", "clear"]
    assert len(wire.sent) == 1
    assert wire.follow() == [{"client": "me", "seq": 1}]
    wire.assert_same()


def test_several_edits_in_one_message_are_one_patch(wire):
    wire.post(*(wire.edit(paint([cell])) for cell in range(5)))
    assert len(wire.sent) == 1
    assert wire.follow() == [{"client": "me", "seq": 5}]
    wire.assert_same()
    assert len(wire.document.history) == 5


@pytest.mark.parametrize(("numbers", "runs", "cells"), [([7, 3], False, [7, 3]), ([4, 3, 20, 1], True, [4, 5, 6, 20])])
def test_cells_come_as_numbers_or_runs(wire, numbers, runs, cells):
    buffer = np.array(numbers, dtype="<u4").tobytes()
    wire.post(wire.edit(paint({"buffer": 0, "runs": runs})), buffers=[buffer])
    code = wire.ids.index("marsh")
    assert sorted(np.flatnonzero(wire.document.model.terrain.ravel() == code).tolist()) == sorted(cells)


@given(st.lists(st.integers(0, 5000), min_size=1, max_size=80, unique=True))
def test_runs_give_back_their_cells(cells):
    cells = sorted(cells)
    runs: list[int] = []
    for cell in cells:
        if runs and runs[-2] + runs[-1] == cell:
            runs[-1] += 1
        else:
            runs += [cell, 1]
    edit = protocol.decode_edit(paint({"buffer": 0, "runs": True}), [np.array(runs, dtype="<u4").tobytes()])
    assert isinstance(edit, Paint)
    assert edit.cells == cells


def test_a_refused_edit_is_shown_and_the_browser_gets_the_truth(wire):
    wire.post(wire.edit(paint([1])), wire.edit(paint([2], "lava")), wire.edit(paint([3])))
    kinds = [message["type"] for message, _ in wire.sent]
    assert kinds[0] == "error"
    assert "lava" in wire.sent[0][0]["message"]
    assert "Traceback" in wire.sent[0][0]["traceback"]
    assert wire.follow() == [{"client": "me", "seq": 2}, {"client": "me", "seq": 3}]
    wire.assert_same()
    assert [wire.document.model.terrain_at(cell) for cell in (1, 2, 3)] == ["marsh", "clear", "marsh"]


@pytest.mark.parametrize(
    "edit", [{"op": "fly"}, {}, {"op": "paint", "plane": "terrain", "cells": None, "values": []}, 7]
)
def test_a_message_that_is_no_edit_is_an_error_not_a_crash(wire, edit):
    wire.post(wire.edit(edit))
    assert wire.sent[0][0]["type"] == "error"
    wire.follow()
    wire.assert_same()


JUNK = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.text(max_size=4)
    | st.sampled_from(["0303", "area-1"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "x", "values"]), inner, max_size=2)
    ),
    max_leaves=4,
)
FIELDS = (
    "edit",
    "ids",
    "touches",
    "moves",
    "buffers",
    "path",
    "panel",
    "action",
    "values",
    "a",
    "b",
    "id",
    "record",
    "x",
)
KINDS = sorted({*known_handlers(), "cancel", "fly", "many"} - {"save", "scan_edit"})


@functools.cache
def hostile():
    return Wire(studio.new_map("armageddon_war", columns=12, rows=9, title="Hostile"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"type": st.sampled_from(KINDS) | JUNK}, optional=dict.fromkeys(FIELDS, JUNK)) | JUNK,
        min_size=1,
        max_size=4,
    ),
    st.integers(0, 2),
)
def test_whatever_comes_the_edit_beside_it_is_made_and_every_refusal_is_told(messages, count):
    wire = hostile()
    wire.sent, wire.seq = [], wire.seq + 1
    good = {"type": "edit", "client": "me", "seq": wire.seq, "edit": paint([wire.seq % 80], "marsh")}
    content = {"type": "many", "messages": [*messages, good]}
    wire.editor._on_message(wire.editor, json.loads(json.dumps(content)), [b"\1\2\3\4"] * count)
    acks = [message["ack"] for message, _ in wire.sent if message["type"] in ("patch", "snapshot")]
    assert {"client": "me", "seq": wire.seq} in acks
    assert wire.document.model.terrain_at(wire.seq % 80) == "marsh"
    known = known_handlers().keys() | {"cancel"}
    strange = [
        m for m in messages if not (isinstance(m, dict) and isinstance(m.get("type"), str) and m["type"] in known)
    ]
    told = [message for message, _ in wire.sent if message["type"] == "error"]
    assert len(told) >= len(strange)
    while wire.document.can_undo:
        wire.document.undo()


def test_a_request_without_a_number_is_made_and_wants_no_answer(wire):
    wire.editor._on_message(wire.editor, {"type": "edit", "client": "me", "edit": paint([5])}, [])
    assert wire.document.model.terrain_at(5) == "marsh"
    assert wire.follow() == []
    wire.assert_same()


def test_the_map_of_a_scenario_is_left_alone():
    scenario = studio.open_scenario("scenarios/practice-front.scenario.json", recover_unsaved=False)
    editor, sent = scenario.edit(), []
    editor.send = lambda content, buffers=None: sent.append(content)
    revision = scenario.map.revision
    for kind in ("shape", "erase", "rename", "region_paste", "put_place"):
        editor._on_message(editor, {"type": kind, "client": "c", "seq": 1, "id": "road-1", "name": "x"}, [])
    errors = [message["message"] for message in sent if message["type"] == "error"]
    assert len(errors) == 5 and all("map.edit()" in words for words in errors)
    assert scenario.map.revision == revision
    editor.close()


def test_decode_says_what_is_wrong():
    with pytest.raises(EditError, match="not an edit"):
        protocol.decode_edit({"op": "paint", "plane": "air", "cells": [1], "values": [1]}, [])


def test_undo_and_redo_are_answered(wire):
    wire.post(wire.edit(paint([8])))
    wire.post({"type": "undo", "client": "me", "seq": 2})
    assert wire.document.model.terrain_at(8) == "clear"
    wire.post({"type": "redo", "client": "me", "seq": 3}, {"type": "redo", "client": "me", "seq": 4})
    assert wire.document.model.terrain_at(8) == "marsh"
    assert wire.follow()[-1] == {"client": "me", "seq": 4}
    wire.assert_same()


def test_changes_of_python_are_gathered(wire):
    for cell in range(60):
        wire.document.apply(Paint(plane="levels", cells=[cell], values=[1]))
    time.sleep(0.12)
    assert 1 <= len(wire.sent) <= 6
    wire.follow()
    wire.assert_same()


def test_features_and_sides_travel(wire):
    a, b = 14, wire.document.model.grid.neighbour(14, 2)
    label = wire.document.model.labels.label
    kind = next(iter(wire.document.ruleset.side_kinds))
    record = {"kind": "road", "id": "road-1", "path": [label(a), label(b)], "surface": "unpaved", "name": ""}
    wire.post(
        wire.edit({"op": "put", "collection": "features", "record": record}),
        wire.edit({"op": "set_side", "a": b, "b": a, "kinds": [kind]}),
    )
    wire.follow()
    wire.assert_same()
    assert wire.features["road-1"]["surface"] == "unpaved"
    wire.post(
        wire.edit({"op": "delete", "collection": "features", "id": "road-1"}),
        wire.edit({"op": "set_side", "a": a, "b": b, "kinds": []}),
    )
    wire.follow()
    wire.assert_same()
    assert not wire.features and not wire.sides


def test_state_is_current_without_anything_being_sent(wire):
    wire.document.apply(Paint(plane="terrain", cells=[0, 1], values=["rough"]))
    wire.document.apply(SetField(field="title", value="Renamed"))
    wire.sent.clear()
    wire.load(wire.editor.get_state())
    wire.assert_same()
    assert wire.editor.get_state("status")["status"]["title"] == "Renamed"
    assert not wire.sent


def test_a_page_with_an_old_state_is_given_the_new_one(wire):
    wire.document.apply(Paint(plane="terrain", cells=[0], values=["rough"]))
    wire.sent.clear()
    wire.post({"type": "hello", "client": "me", "revision": wire.document.revision, "complete": True})
    assert not wire.sent
    wire.post({"type": "hello", "client": "me", "revision": 0, "complete": True})
    wire.follow()
    wire.assert_same()


def test_new_labels_bring_a_new_state():
    document = FakeMap(12, 9)
    wire = Wire(document)
    scheme = LabelScheme.lettered()
    document.apply(SetField(field="labels", value=msgspec.to_builtins(scheme)))
    snapshot = next(message for message, _ in wire.sent if message["type"] == "snapshot")
    assert snapshot["state"]["labels"] == Labels(scheme, document.model.grid).tables()
    wire.editor.close()


def test_sight_tells_where_on_the_line_each_reason_lies():
    document = FakeMap(20, 3)
    for cell, kind in ((22, "light_woods"), (26, "dense_woods")):
        document.apply(Paint(plane="terrain", cells=[cell], values=[kind]))
    wire = Wire(document)
    wire.post({"type": "sight", "a": 20, "b": 30})
    ((message, _),) = [entry for entry in wire.sent if entry[0]["type"] == "sight"]
    result = message["result"]
    assert result["status"] == "blocked"
    places = [reason["t"] for reason in result["reasons"]]
    assert places == sorted(places)
    assert [reason["blocks"] for reason in result["reasons"]] == [False, True]
    assert places[0] == pytest.approx(0.2, abs=0.06)
    assert 0.5 < result["stop"] < places[1]
    wire.editor.close()


def test_field_of_view_comes_as_bytes(wire):
    wire.post({"type": "view", "a": 0})
    message, buffers = wire.sent[-1]
    assert message == {"type": "view", "a": 0}
    assert len(buffers[0]) == wire.document.model.grid.cells


def test_an_error_of_a_question_is_shown():
    document = FakeMap(6, 6)
    document.fail_sight = True
    wire = Wire(document)
    wire.post({"type": "sight", "a": 0, "b": 3}, {"type": "view", "a": 0})
    assert [message["type"] for message, _ in wire.sent] == ["sight", "error", "view"]
    assert wire.sent[0][0]["result"] is None
    wire.editor.close()


def test_save_asks_for_a_path_and_then_saves(tmp_path):
    document = studio.new_map("armageddon_war", columns=6, rows=5, title="Wadi: 3rd day")
    wire = Wire(document)
    wire.post({"type": "save", "client": "me", "path": None})
    question = wire.sent.pop()[0]
    assert question == {
        "type": "ask_path",
        "client": "me",
        "suggestion": "maps/wadi-3rd-day.map.json",
        "ending": ".map.json",
        "folder": str(Path.cwd()),
    }
    target = tmp_path / "w.map.json"
    wire.post({"type": "save", "client": "me", "path": str(target)})
    assert target.exists()
    assert [message["type"] for message, _ in wire.sent] == ["status", "saved"]
    wire.sent.clear()
    other = tmp_path / "taken.map.json"
    other.write_text("{}")
    wire.post({"type": "save", "client": "me", "path": str(other)})
    assert wire.sent[0][0]["type"] == "error"
    assert other.read_text() == "{}"
    wire.editor.close()
    document.close()


def test_paths_nearby_are_shown_from_the_folder_of_work(tmp_path, monkeypatch):
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")
    assert protocol.shown_path(tmp_path / "maps" / "a.map.json") == "../maps/a.map.json"
    assert protocol.shown_path("b.map.json") == "b.map.json"


def test_a_huge_map_travels_in_parts():
    document = FakeMap(1800, 1700)
    editor = MapEditor(document)
    state = editor.get_state()
    assert sum(len(value) for value in state.values() if isinstance(value, bytes)) < protocol.PART
    editor.close()
    parts = list(protocol.plane_parts(protocol.planes_of(document)))
    assert all(len(buffers[0]) <= protocol.PART for _, buffers in parts)
    assert sum(len(buffers[0]) for _, buffers in parts) == 2 * 1800 * 1700


def test_callbacks_wait_for_the_lock(wire):
    done = []
    with wire.document.lock:
        thread = threading.Thread(target=lambda: done.append(wire.post(wire.edit(paint([5])))))
        thread.start()
        time.sleep(0.05)
        assert not done
    thread.join(5)
    assert done
    wire.follow()
    wire.assert_same()


def test_repr_and_mimebundle():
    document = FakeMap(27, 17, title="Title")
    editor = MapEditor(document)
    assert repr(editor) == "MapEditor('Title', 27 x 17)"
    bundle = editor._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert data["text/plain"] == repr(editor)
    assert "application/vnd.jupyter.widget-view+json" in data
    picture = Image.open(io.BytesIO(data["image/png"]))
    assert picture.size[0] > 300
    editor.close()


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_picture_has_each_hex_in_its_tint(orientation):
    document = FakeMap(6, 5, orientation=orientation)
    document.apply(Paint(plane="terrain", cells=[8], values=["river"]))
    style = protocol.style_of(document)
    picture = Image.open(io.BytesIO(thumbnail(document.model, style)))
    grid = document.model.grid
    x0, y0, x1, y1 = grid.frame
    for cell, name in ((8, "river"), (20, "clear")):
        x, y = grid.centre(cell)
        place = (int((x - x0) / (x1 - x0) * picture.width), int((y - y0) / (y1 - y0) * picture.height))
        wanted = style["terrain"][name]["tint"]
        assert "#" + bytes(picture.getpixel(place)).hex() == wanted


def test_terrain_of_a_game_without_a_look_can_be_told_apart():
    document = FakeMap(4, 4)
    document.model.terrain_ids.extend(["lava", "glass"])
    looks = protocol.style_of(document)["terrain"]
    assert looks["lava"]["tint"] != looks["glass"]["tint"]


def test_a_closed_editor_follows_no_more():
    document = FakeMap(6, 6)
    editor = MapEditor(document)
    assert len(document.listeners) == 1
    editor.close()
    assert not document.listeners


def test_batches_of_every_kind_keep_the_copy_true():
    rng = np.random.default_rng(5)
    wire = Wire(FakeMap(12, 9))
    document, model = wire.document, wire.document.model
    kinds = list(document.ruleset.side_kinds)
    for step in range(120):
        choice = int(rng.integers(6))
        cell = int(rng.integers(model.grid.cells))
        if choice == 0:
            cells = sorted({int(c) for c in rng.integers(model.grid.cells, size=5)})
            values = [str(rng.choice(model.terrain_ids)) for _ in cells]
            document.apply(Paint(plane="terrain", cells=cells, values=values))
        elif choice == 1:
            other = model.grid.neighbours(cell)[0]
            chosen = tuple(kinds[:1]) if rng.integers(2) else ()
            document.apply(SetSide(a=cell, b=other, kinds=chosen))
        elif choice == 2:
            record = {"kind": "name", "id": f"name-{step % 7}", "text": str(step), "at": [10, 20]}
            document.apply(Batch(title="b", edits=[Put(collection="features", record=record)]))
        elif choice == 3 and model.features:
            document.apply(Delete(collection="features", id=next(iter(model.features))))
        elif choice == 4:
            document.undo()
        else:
            document.redo()
        if step % 10 == 0:
            wire.post(wire.edit(paint([cell])))
            wire.follow()
            wire.assert_same()
    wire.editor.close()


def test_a_failed_save_is_told_to_who_asked_and_names_get_their_ending(tmp_path):
    document = studio.new_map("armageddon_war", columns=6, rows=5)
    wire = Wire(document)
    taken = tmp_path / "taken.map.json"
    taken.write_text("{}")
    wire.post({"type": "save", "client": "me", "path": str(tmp_path / "taken")})
    ((message, _),) = wire.sent
    assert (message["type"], message["of"], message["client"]) == ("error", "save", "me")
    wire.sent.clear()
    wire.post({"type": "save", "client": "me", "path": str(tmp_path / "free")})
    assert (tmp_path / "free.map.json").exists()
    wire.editor.close()
    document.close()


@pytest.mark.parametrize(
    ("name", "file"),
    [("a", "a.map.json"), ("a.json", "a.map.json"), ("a.map", "a.map.json"), (" b/a.Map.json ", "b/a.Map.json")],
)
def test_endings(name, file):
    assert protocol.save_path(name) == file


def test_a_map_of_several_sheets_travels_with_their_frames_and_labels():
    first = studio.new_map("armageddon_war", columns=5, rows=4, title="West", half=("left", "right"))
    second = studio.new_map("armageddon_war", columns=5, rows=4, title="East", half=("left", "right"))
    both = studio.join_maps(first, second, prefixes=("", "E"))
    made = studio.join_maps(both, first, edge="apart", prefixes=("", "U"))
    state = protocol.document_state(made)
    geometry = state["geometry"]
    assert geometry["half"] == ["left", "right"]
    assert geometry["sheets"] == [list(frame) for frame in made.grid.joint.frames]
    assert len(geometry["border"]) == 2  # the two boards side by side, and the one apart
    assert geometry["seams"] == [[[3360, 0], [3360, 2160]]]
    assert [sheet["prefix"] for sheet in state["labels"]["sheets"]] == ["", "E", "U"]
    assert geometry == json.loads(json.dumps(geometry))
    planes = protocol.planes_of(made)
    assert planes["present"] == made.grid.present.astype(np.uint8).tobytes()
    assert "sheets" not in protocol.geometry_of(first.grid)


@pytest.mark.node
@given(seed=st.integers(0, 10**6), orientation=st.sampled_from(["flat", "pointy"]), short=st.booleans())
@settings(max_examples=5, deadline=None)
def test_the_browser_names_the_hexes_of_sheets_as_python_does(seed, orientation, short):
    rng = np.random.default_rng(seed)
    size = {"columns": int(rng.integers(2, 6)), "rows": int(rng.integers(2, 6))}
    boards = [studio.new_map("armageddon_war", title=t, orientation=orientation, short=short, **size) for t in "AB"]
    turned = bool(rng.random() < 0.5)
    made = studio.join_maps(*boards, edge="apart", turned=turned, prefixes=("", "B"), gap=1)
    present = made.grid.present.ravel().astype(int).tolist()
    script = f"""
      import {{ Grid }} from {json.dumps((WEB / "grid.js").as_uri())};
      import {{ labelsOf }} from {json.dumps((WEB / "labels.js").as_uri())};
      const grid = new Grid({json.dumps(protocol.geometry_of(made.grid))}, Uint8Array.from({present}));
      const labels = labelsOf(grid, {json.dumps(made.labels.tables())});
      const cells = [...Array(grid.size).keys()].filter((cell) => grid.has(cell));
      console.log(JSON.stringify(cells.map((cell) => [labels.of(cell), labels.cell(labels.of(cell))])));
    """
    told = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    cells = np.flatnonzero(made.grid.present).tolist()
    assert json.loads(told.stdout) == [[made.labels.label(cell), cell] for cell in cells]
