"""Edits within a scenario: one unit changes and the others stay; every step is taken back to the byte."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import EditError
from studio.files import read_scenario, write_scenario_text
from studio.model import (
    Batch,
    Delete,
    Edit,
    Force,
    Formation,
    History,
    MapUse,
    Put,
    ScenarioDocument,
    ScenarioModel,
    SetField,
    UnitRecord,
)
from studio.model.forcepaths import paths_of, touched

FIRST, SECOND = "forces/red/formations/1st/units", "forces/red/formations/2nd/units"


def unit(name: str, **fields: object) -> UnitRecord:
    return UnitRecord(id=name, type="isil.m1a1", **fields)  # type: ignore[arg-type]


def made(*more: UnitRecord) -> ScenarioModel:
    first = Formation(id="1st", name="First", units=(unit("a"), unit("b", at="0101"), unit("c"), *more))
    forces = [
        Force(id="red", name="Red", formations=(first, Formation(id="2nd", name="Second"))),
        Force(id="blue", name="Blue"),
    ]
    return ScenarioModel(ScenarioDocument(ruleset="armageddon_war", map=MapUse(file="x.map.json"), forces=forces))


def put(name: str, path: str = FIRST, **fields: object) -> Put:
    return Put(collection=path, record={"id": name, "type": "isil.m1a1", **fields})


EDITS: list[Edit] = [
    put("a", at="0304", facing="NE"),
    put("new"),
    Put(collection=FIRST, record={"id": "front", "type": "isil.m1a1"}, index=0),
    put("b", SECOND, at="0909"),
    Delete(collection=FIRST, id="b"),
    SetField(field=f"{FIRST}/c/count", value=4),
    SetField(field="forces/red/formations/1st/arrival_turn", value=3),
    SetField(field="forces/red/formations/2nd/where", value={"hexes": ["0101"], "within": 2}),
    SetField(field="forces/blue/color", value="#0072b2"),
    Put(collection="forces/blue/formations", record={"id": "3rd", "name": "Third"}),
    Delete(collection="forces/red/formations", id="1st"),
    Put(collection="place_notes", record={"id": "n", "at": "0101", "text": "look"}),
    SetField(field="place_notes/n/text", value="look again"),
    Delete(collection="forces", id="red"),
    Batch(title="give", edits=[Delete(collection=FIRST, id="a"), put("a", SECOND)]),
]


@given(chosen=st.lists(st.sampled_from(EDITS), max_size=14))
def test_every_step_is_taken_back_to_the_byte_and_made_again(chosen: list[Edit]) -> None:
    model = made()
    history = History(model)
    states = [write_scenario_text(model)]
    for edit in chosen:
        before = write_scenario_text(model)
        try:
            history.apply(edit)
        except EditError:
            assert write_scenario_text(model) == before
            continue
        states.append(write_scenario_text(model))
    for state in reversed(states):
        assert write_scenario_text(model) == state
        history.undo()
    for state in states[1:]:
        history.redo()
        assert write_scenario_text(model) == state


def test_a_unit_changes_alone() -> None:
    model = made()
    before = paths_of(model.document)
    model.perform(SetField(field=f"{FIRST}/b/at", value="0505"))
    after = paths_of(model.document)
    assert after["b"] == (FIRST, unit("b", at="0505"))
    assert after["a"][1] is before["a"][1]
    assert model.document.forces[1] is made().document.forces[1] or model.document.forces[1].id == "blue"


def test_namesakes_are_taken_away_one_by_one_and_come_back() -> None:
    model = made(unit("b", at="0202"))
    before = write_scenario_text(model)
    history = History(model)
    history.apply(Delete(collection=FIRST, id="b"))
    assert [one.at for one in model.document.forces[0].formations[0].units if one.id == "b"] == ["0202"]
    history.undo()
    assert write_scenario_text(model) == before


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (put("x", "forces/red/units"), "no collection 'units'"),
        (put("x", "forces/red"), "formations"),
        (put("x", "forces/rad/formations/1st/units"), "did you mean|red"),
        (put("x", "forces/red/formations/1st/units", count=0), "count"),
        (put("x", "forces/red/formations/1st/units", facing="UP"), "facing"),
        (SetField(field=f"{FIRST}/a/id", value="z"), "no field 'id'"),
        (SetField(field="forces/red/formations/1st/units", value=[]), "no field 'units'"),
        (SetField(field="forces/red/color", value="blue"), "color"),
        (Delete(collection=FIRST, id="zz"), "no record 'zz'"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(edit: Edit, words: str) -> None:
    model = made()
    before = write_scenario_text(model)
    with pytest.raises(EditError, match=words):
        model.perform(edit)
    assert write_scenario_text(model) == before


def test_old_edits_and_files_still_read() -> None:
    old = b'{"op": "put", "collection": "forces", "record": {"id": "red", "name": "Reds"}}'
    edit = msgspec.json.decode(old, type=Edit)
    assert isinstance(edit, Put)
    assert edit.index is None
    assert b"index" not in msgspec.json.encode(edit)
    text = b'{"format": "wargame-studio/scenario", "version": 1, "ruleset": "armageddon_war", "map": {"file": "x"}}'
    document = read_scenario(text, name="x").document
    assert document.place_notes == []
    assert touched(edit) == {"forces/red"}
