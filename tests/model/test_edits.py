"""Edits and history: every step can be taken back to the byte, and a refused step changes nothing."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import EditError
from studio.files import write_map_text
from studio.grid import HexGrid, LabelScheme
from studio.model import (
    Batch,
    Delete,
    Edit,
    Force,
    History,
    MapModel,
    MapUse,
    Paint,
    Put,
    ScenarioDocument,
    ScenarioModel,
    SetField,
    SetSide,
)
from studio.rules import get_ruleset

RULES = get_ruleset("armageddon_war")


def make_model(columns: int = 6, rows: int = 5) -> MapModel:
    grid = HexGrid(columns=columns, rows=rows)
    return MapModel("armageddon_war", grid, LabelScheme.ccrr(), RULES.terrain_characters)


def walk(model: MapModel, start: int, steps: list[int]) -> list[str]:
    """Return labels of a walk over adjacent hexes."""
    path = [start]
    for step in steps:
        around = model.grid.neighbours(path[-1])
        path.append(around[step % len(around)])
    return [model.labels.label(cell) for cell in path]


_cells = st.lists(st.integers(0, 29), min_size=1, max_size=8, unique=True)
_ids = st.sampled_from(["a-1", "a-2", "a-10", "b"])


@st.composite
def edits(draw: st.DrawFn) -> Edit:
    model = make_model()
    kind = draw(
        st.sampled_from(["terrain", "levels", "side", "road", "crest", "name", "marker", "contour", "set", "batch"])
    )
    ident = draw(_ids)
    match kind:
        case "terrain":
            return Paint(plane="terrain", cells=draw(_cells), values=[draw(st.sampled_from(list(RULES.terrains)))])
        case "levels":
            cells = draw(_cells)
            values = draw(st.lists(st.integers(-1, 3), min_size=len(cells), max_size=len(cells)))
            return Paint(plane="levels", cells=cells, values=list(values))
        case "side":
            a = draw(st.integers(0, 29))
            b = draw(st.sampled_from(model.grid.neighbours(a)))
            kinds = draw(st.lists(st.sampled_from(["fence", "breached_fence", "wadi_end"]), unique=True))
            return SetSide(a=a, b=b, kinds=tuple(kinds))
        case "road" | "crest":
            steps = draw(st.lists(st.integers(0, 5), min_size=1, max_size=6))
            path = walk(model, draw(st.integers(0, 29)), steps)
            return Put(collection="features", record={"kind": kind, "id": ident, "path": path})
        case "name":
            record: dict[str, Any] = {"kind": "name", "id": ident, "text": draw(st.text(max_size=9)), "at": [5, 7]}
            return Put(collection="features", record=record)
        case "marker":
            at = model.labels.label(draw(st.integers(0, 29)))
            return Put(collection="features", record={"kind": "marker", "id": ident, "type": "smoke", "at": at})
        case "contour":
            points = draw(st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 2500)), min_size=2, max_size=5))
            line = [list(point) for point in points]
            return Put(collection="features", record={"kind": "contour", "id": ident, "level": 1, "line": line})
        case "set":
            return SetField(field=draw(st.sampled_from(["title", "notes"])), value=draw(st.text(max_size=20)))
    return Batch(title="several", edits=draw(st.lists(edits(), max_size=4)))


edit_lists = st.lists(st.one_of(edits(), st.sampled_from(["undo", "redo"])), max_size=25)


@given(steps=edit_lists)
def test_undo_and_redo_lead_through_the_same_states_to_the_byte(steps: list[Edit | str]) -> None:
    model = make_model()
    history = History(model)
    states = [write_map_text(model)]
    for step in steps:
        if step == "undo":
            history.undo()
        elif step == "redo":
            history.redo()
        else:
            del states[history.position[0] + 1 :]
            history.apply(step)
            states.append(write_map_text(model))
        assert write_map_text(model) == states[history.position[0]]
    while history.undo() is not None:
        assert write_map_text(model) == states[history.position[0]]
    assert history.position[0] == 0
    while history.redo() is not None:
        assert write_map_text(model) == states[history.position[0]]


@given(edit=edits())
def test_an_edit_survives_json(edit: Edit) -> None:
    assert msgspec.json.decode(msgspec.json.encode(edit), type=Edit) == edit


BAD: list[tuple[Edit, str]] = [
    (Paint(plane="terrain", cells=[0], values=["lite_woods"]), "did you mean 'light_woods'"),
    (Paint(plane="terrain", cells=[30], values=["clear"]), "cell 30"),
    (Paint(plane="terrain", cells=[-1], values=["clear"]), "cell -1"),
    (Paint(plane="terrain", cells=[1, 1], values=["clear"]), "twice"),
    (Paint(plane="terrain", cells=[1, 2, 3], values=["clear", "rough"]), "3 hexes and 2 values"),
    (Paint(plane="levels", cells=[1], values=["1"]), "whole numbers"),
    (Paint(plane="levels", cells=[1], values=[99]), "from -20 to 35"),
    (SetSide(a=0, b=12, kinds=("fence",)), "not adjacent"),
    (SetSide(a=0, b=99, kinds=("fence",)), "cell 99"),
    (Put(collection="units", record={}), "no collection 'units'"),
    (Put(collection="features", record={"kind": "road", "id": "r", "path": ["0101", "0105"]}), "0101 and 0105 are not"),
    (Put(collection="features", record={"kind": "road", "id": "r", "path": ["0101", "9901"]}), "no hex '9901'"),
    (Put(collection="features", record={"kind": "canal", "id": "r"}), "canal"),
    (Put(collection="features", record={"kind": "name", "id": "", "text": "", "at": [1, 2]}), "id"),
    (Delete(collection="features", id="nothing"), "nothing"),
    (SetField(field="grid", value={}), "no field 'grid'"),
    (SetField(field="title", value=7), "title"),
]


@pytest.mark.parametrize(("edit", "words"), BAD, ids=[words for _, words in BAD])
@pytest.mark.parametrize("wrapped", [False, True])
def test_a_refused_edit_changes_nothing(edit: Edit, words: str, wrapped: bool) -> None:
    model = make_model()
    history = History(model)
    history.apply(Paint(plane="terrain", cells=[3], values=["marsh"]))
    before = write_map_text(model)
    if wrapped:
        first = Paint(plane="levels", cells=[4, 5], values=[2])
        edit = Batch(title="both", edits=[first, edit])
    with pytest.raises(EditError, match=words):
        history.apply(edit)
    assert write_map_text(model) == before
    assert history.steps == ["Paint marsh on 1 hex"]


def test_a_new_label_scheme_renames_what_features_name() -> None:
    model = make_model()
    history = History(model)
    history.apply(Put(collection="features", record={"kind": "road", "id": "road-1", "path": ["0101", "0102"]}))
    before = write_map_text(model)
    history.apply(SetField(field="labels", value=msgspec.to_builtins(LabelScheme.lettered())))
    assert model.features["road-1"].path == ("A1", "A2")  # type: ignore[union-attr]
    history.undo()
    assert write_map_text(model) == before


def make_scenario() -> ScenarioModel:
    forces = [Force(id="red", name="Red"), Force(id="blue", name="Blue")]
    return ScenarioModel(ScenarioDocument(ruleset="armageddon_war", map=MapUse(file="x.map.json"), forces=forces))


SCENARIO_EDITS: list[Edit] = [
    Put(collection="forces", record={"id": "red", "name": "Reds"}),
    Put(collection="forces", record={"id": "green", "name": "Green"}),
    Delete(collection="forces", id="red"),
    SetField(field="title", value="A fight"),
    SetField(field="length", value=12),
    SetField(field="special", value={"smoke": ["0101"], "haze_step": 4}),
    Put(collection="objectives", record={"id": "o", "side": "red", "points": 2, "event": "hold", "hexes": ["0101"]}),
]


@given(chosen=st.lists(st.sampled_from(SCENARIO_EDITS), max_size=12))
def test_scenario_edits_can_be_taken_back(chosen: list[Edit]) -> None:
    model = make_scenario()
    history = History(model)
    states = [msgspec.json.encode(model.to_document())]
    for edit in chosen:
        try:
            history.apply(edit)
        except EditError:
            assert isinstance(edit, Delete)  # red is gone already
            continue
        states.append(msgspec.json.encode(model.to_document()))
    for state in reversed(states):
        assert msgspec.json.encode(model.to_document()) == state
        history.undo()


def test_a_scenario_refuses_what_it_does_not_have() -> None:
    model = make_scenario()
    for edit, words in (
        (Paint(plane="terrain", cells=[0], values=["clear"]), "paint the map"),
        (SetField(field="length", value=-1), "length"),
        (SetField(field="format", value="x"), "format"),
        (Put(collection="units", record={}), "units"),
        (Delete(collection="forces", id="grey"), "grey"),
    ):
        with pytest.raises(EditError, match=words):
            model.perform(edit)
