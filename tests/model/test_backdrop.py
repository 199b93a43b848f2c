"""The record of a scan: edits and their way back, canonical text, faults of files, labels that change."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import DocumentError, EditError
from studio.files import read_map, write_map_text
from studio.grid import HexGrid, LabelScheme
from studio.model import Backdrop, Batch, ControlPoint, Dot, History, MapModel, Put, SetField
from studio.model.backdrop import moved_backdrop, new_point_name
from studio.model.joining import turned_model
from tests.files.helpers import STUB, maps, new_map

SHA = "ab" * 32


def scan(**changes: Any) -> Backdrop:
    points = (
        ControlPoint(name="1", pixel=(10, 20.5), at="0101"),
        ControlPoint(name="2", pixel=(400.25, 30), at="0501"),
        ControlPoint(name="3", pixel=(12, 310), point=(480, 1920)),
    )
    record = Backdrop(file="scans/Golan 1.jpg", sha256=SHA, size=(500, 400), points=points)
    return msgspec.structs.replace(record, **changes)


def set_scan(record: Backdrop | None) -> SetField:
    return SetField(field="backdrop", value=msgspec.to_builtins(record))


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
pixels = st.tuples(st.floats(0, 500), st.floats(0, 400))
places = st.one_of(
    st.builds(lambda at: {"at": at}, st.sampled_from(["0101", "0203", "0504", "zone 7"])),
    st.builds(lambda x, y: {"point": (x, y)}, st.integers(-5000, 5000), st.integers(-5000, 5000)),
)


@st.composite
def scans(draw: st.DrawFn) -> Backdrop:
    points = [
        ControlPoint(name=name, pixel=draw(pixels), **draw(places))
        for name in draw(st.lists(names, unique=True, max_size=6))
    ]
    return Backdrop(
        file=draw(names.filter(str.strip)),
        sha256=draw(st.sampled_from(["", SHA])),
        size=(500, 400),
        points=tuple(points),
        opacity=draw(st.floats(0, 1)),
        layer=draw(st.sampled_from(["over", "under"])),
        visible=draw(st.booleans()),
        locked=draw(st.booleans()),
    )


@given(maps(), scans(), scans())
def test_every_step_goes_back_to_the_byte_and_comes_back_from_its_text(
    model: MapModel, one: Backdrop, two: Backdrop
) -> None:
    history, texts = History(model), []
    for record in (one, two, None, two):
        texts.append(write_map_text(model))
        history.apply(Batch(title="Set backdrop", edits=[set_scan(record)]))
        text = write_map_text(model)
        back = read_map(text, ruleset=STUB)
        assert back.backdrop == model.backdrop
        assert write_map_text(back) == text
    last = write_map_text(model)
    for text in reversed(texts):
        history.undo()
        assert write_map_text(model) == text
    while history.redo() is not None:
        pass
    assert write_map_text(model) == last


def test_maps_without_a_scan_are_written_as_before() -> None:
    assert b"backdrop" not in write_map_text(new_map())
    document = json.loads(write_map_text(new_map()))
    assert read_map(json.dumps(document).encode(), ruleset=STUB).backdrop is None


def test_the_text_is_made_for_git() -> None:
    model = new_map()
    model.perform(set_scan(scan()))
    before = write_map_text(model).decode().splitlines()
    points = list(scan().points)
    points[1] = msgspec.structs.replace(points[1], pixel=(401, 31))
    model.perform(set_scan(scan(points=tuple(points))))
    after = write_map_text(model).decode().splitlines()
    assert set(after) - set(before) == {'      {"name": "2", "pixel": [401.0, 31.0], "at": "0501"},'}
    assert "affine" not in "\n".join(after)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"file": " "}, "file: got ' '"),
        ({"file": "a\0b"}, "allowed is the path"),
        ({"points": (ControlPoint(name="1", pixel=(501, 3), at="0101"),)}, "got pixel 501, 3, allowed 0 to 500"),
        ({"points": (ControlPoint(name="1", pixel=(float("nan"), 3), at="0101"),)}, "got pixel nan"),
        ({"points": (ControlPoint(name="1", pixel=(1, 3)),)}, "neither of a label and a lattice point"),
        ({"points": (ControlPoint(name="1", pixel=(1, 3), at="0101", point=(0, 0)),)}, "both of a label"),
        ({"points": (ControlPoint(name="1", pixel=(1, 3), point=(10**9, 0)),)}, "lies off every map"),
        ({"points": (*scan().points, ControlPoint(name="2", pixel=(1, 3), at="0102"))}, "the name '2' is taken"),
        ({"opacity": 1.5}, "opacity"),
        ({"opacity": float("nan")}, "opacity"),
        ({"sha256": "xyz"}, "sha256"),
        ({"size": (0, 10)}, "size"),
        ({"layer": "beside"}, "layer"),
    ],
)
def test_what_cannot_be_is_refused_by_edits_and_by_files(changes: dict[str, Any], words: str) -> None:
    model = new_map()
    before = write_map_text(model)
    with pytest.raises(EditError) as caught:
        model.perform(set_scan(scan(**changes)))
    assert words in str(caught.value)
    assert write_map_text(model) == before
    document = json.loads(before) | {"backdrop": msgspec.to_builtins(scan(**changes))}
    with pytest.raises(DocumentError) as refused:
        read_map(json.dumps(document).encode(), ruleset=STUB)
    assert "NaN" in str(refused.value) or "$.backdrop" in str(refused.value)


def test_control_points_follow_new_labels_and_come_back() -> None:
    model = new_map()
    model.perform(set_scan(scan()))
    before = write_map_text(model)
    history = History(model)
    history.apply(SetField(field="labels", value=msgspec.to_builtins(LabelScheme.lettered())))
    assert model.backdrop is not None
    assert [point.at for point in model.backdrop.points] == ["A1", "E1", ""]
    history.undo()
    assert write_map_text(model) == before


def test_a_point_at_a_place_that_looks_like_a_new_label_comes_back() -> None:
    model = new_map()
    record = scan(
        points=(ControlPoint(name="1", pixel=(1, 1), at="A1"), ControlPoint(name="2", pixel=(9, 1), at="0101"))
    )
    model.perform(set_scan(record))
    before = write_map_text(model)
    history = History(model)
    history.apply(SetField(field="labels", value=msgspec.to_builtins(LabelScheme.lettered())))
    history.undo()
    assert write_map_text(model) == before


def test_the_size_of_hexes_is_an_edit_that_moves_nothing() -> None:
    model = new_map(HexGrid(columns=5, rows=4, stagger="even", half=("left",)))
    model.perform(Put(collection="features", record=msgspec.to_builtins(Dot(id="d", at="0101", point=(500, 260)))))
    before, centre, frame = write_map_text(model), model.grid.centre(7), model.grid.frame
    history = History(model)
    change = history.apply(SetField(field="hex_size", value=[71.45, 61.85]))
    assert change.relabelled
    assert (model.grid.width, model.grid.hex_height) == (71.45, 61.85)
    assert (model.grid.centre(7), model.grid.frame) == (centre, frame)
    assert model.labels.grid is model.grid
    assert read_map(write_map_text(model), ruleset=STUB).grid == model.grid
    history.undo()
    assert write_map_text(model) == before
    for wrong in ([0, 0], [-1, 1], [1, float("nan")], [1], "1"):
        with pytest.raises(EditError):
            history.apply(SetField(field="hex_size", value=wrong))
    assert write_map_text(model) == before


def test_a_map_turned_by_half_a_turn_takes_its_scan_along() -> None:
    model = new_map(HexGrid(columns=5, rows=4))
    model.perform(set_scan(scan()))
    turned = turned_model(model)
    assert turned.backdrop is not None and model.backdrop is not None
    for old, new in zip(model.backdrop.points, turned.backdrop.points, strict=True):
        assert new.pixel == old.pixel
        assert new.at == old.at  # the label stays on its hex
    assert turned.backdrop.points[2].point != model.backdrop.points[2].point
    again = turned_model(turned)
    assert again.backdrop == model.backdrop


def test_helpers_of_points() -> None:
    record = scan()
    assert new_point_name(record) == "4"
    assert new_point_name(msgspec.structs.replace(record, points=record.points[1:])) == "1"
    assert moved_backdrop(record) is record
    moved = moved_backdrop(record, rename=str.lower, move=lambda point: (point[0] + 720, point[1]))
    assert moved.points[2].point == (1200, 1920)
    assert record.point("2") is record.points[1] and record.point("9") is None
