"""Panels of what a scenario lists: every field of every record can be typed in, and each change is one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import studio
from studio.api.scenario_records import RECORDS
from studio.editor.panels.recordform import record_fields
from studio.editor.panels.recordtypes import blank, shape_of, types_of, with_value
from studio.errors import EditError
from studio.files import write_scenario_text
from studio.model import Event, Force, Formation, Objective, RandomTable, ScenarioDocument, UnitRecord, Variant
from tests.editor.test_scenario_editor import Told

ROOT = Path(__file__).parents[2]
LISTS = {
    "events": ("events", "support", "cup", "periods"),
    "chance": ("pools", "tables"),
    "special": ("roster", "variants", "errata"),
    "objectives": ("clauses",),
}
WHERE = [(panel, name) for panel, names in LISTS.items() for name in names]


@pytest.fixture
def told() -> Iterator[Told]:
    made = Told(studio.open_scenario(ROOT / "scenarios" / "armageddon-01.scenario.json", recover_unsaved=False))
    yield made
    made.editor.close()


def fields_in(nodes: list[Any]) -> dict[str, Any]:
    """Return the fields among nodes, however deep, by id."""
    found: dict[str, Any] = {}
    for node in nodes:
        if node.get("t") == "field":
            found[node["id"]] = node
        found |= fields_in(node.get("nodes", []))
    return found


def buttons_in(nodes: list[Any]) -> list[Any]:
    """Return the buttons among nodes, however deep."""
    found = []
    for node in nodes:
        found += node.get("items", []) if node.get("t") == "buttons" else []
        found += buttons_in(node.get("nodes", []))
    return found


@pytest.mark.parametrize(("panel", "collection"), WHERE)
def test_every_field_of_a_new_record_can_be_seen_and_set(told: Told, panel: str, collection: str) -> None:
    before = write_scenario_text(told.scenario.model)
    there = len(getattr(told.scenario.document, collection))
    told.act(panel, "add", collection=collection)
    record = getattr(told.scenario.document, collection)[-1]
    # Records within it are made by their buttons, until there is nothing more to make.
    for _ in range(12):
        making = [one for one in buttons_in(told.editor.desk.panels[panel].nodes()) if one["action"] == "put"]
        own = [one for one in making if one["values"]["id"].startswith(f"{collection}/") and deep(one) < 3]
        if not own:
            break
        told.act(panel, "put", id=own[0]["values"]["id"])
        if own[0]["values"]["id"].count(".0") or own[0]["values"]["id"].endswith(".0"):
            break
    shown = fields_in(told.editor.desk.panels[panel].nodes())
    record = getattr(told.scenario.document, collection)[-1]
    kind: Any = type(record)
    plain = {name for name, hint in types_of(kind).items() if shape_of(hint)[0] not in ("record", "records")}
    assert {f"{collection}/{record.id}:{name}" for name in plain - {"id"}} <= set(shown)
    told.act(panel, "remove", collection=collection, id=record.id)
    assert len(getattr(told.scenario.document, collection)) == there
    while told.scenario.undo():
        pass
    assert write_scenario_text(told.scenario.model) == before


def deep(one: dict[str, Any]) -> int:
    return str(one["values"]["id"]).count(".")


def test_an_event_is_filled_in_by_the_panel(told: Told) -> None:
    told.act("events", "add", collection="events")
    (event,) = told.scenario.document.events
    key = f"events/{event.id}"
    told.act("events", "set", id=f"{key}:name", value="Dust storm")
    told.act("events", "set", id=f"{key}:turn", value=4)
    told.act("events", "set", id=f"{key}:kind", value="weather")
    told.act("events", "set", id=f"{key}:gives", value="smoke = 1D6, replacement_points = 5")
    told.act("events", "put", id=f"{key}:when")
    told.act("events", "set", id=f"{key}:when.kind", value="roll")
    told.act("events", "set", id=f"{key}:when.dice", value="1D6")
    told.act("events", "set", id=f"{key}:when.least", value=4)
    (event,) = told.scenario.document.events
    assert (event.name, event.turn, event.kind) == ("Dust storm", 4, "weather")
    assert event.gives == {"smoke": "1D6", "replacement_points": "5"}
    assert event.when is not None
    assert (event.when.kind, event.when.dice, event.when.least) == ("roll", "1D6", 4)
    assert "Dust storm, activation 4" in told.nodes("events")
    told.act("events", "drop_record", id=f"{key}:when")
    assert told.scenario.document.events[0].when is None


def test_tables_grow_row_by_row(told: Told) -> None:
    told.act("chance", "add", collection="tables")
    key = f"tables/{told.scenario.document.tables[0].id}"
    told.act("chance", "put", id=f"{key}:rows.0")
    told.act("chance", "put", id=f"{key}:rows.1")
    told.act("chance", "set", id=f"{key}:rows.1.rolls", value="2, 3")
    told.act("chance", "put", id=f"{key}:rows.1.units.0")
    told.act("chance", "set", id=f"{key}:rows.1.units.0.type", value="isil.militia")
    (table,) = told.scenario.document.tables
    assert [one.rolls for one in table.rows] == [(1,), (2, 3)]
    assert table.rows[1].units[0].type == "isil.militia"
    told.act("chance", "drop_record", id=f"{key}:rows.0")
    assert [one.rolls for one in told.scenario.document.tables[0].rows] == [(2, 3)]


def test_formations_sides_and_units_say_all_that_they_can(told: Told) -> None:
    part, side = "more/isil/saleh", "more/isil"
    told.act("forces", "put", id=f"{part}:when")
    told.act("forces", "set", id=f"{part}:when.kind", value="choice")
    told.act("forces", "set", id=f"{part}:loaded", value="must")
    told.act("forces", "set", id=f"{part}:ratings", value="morale_check = 8, impulse_bonus = 1D6")
    told.act("forces", "put", id=f"{part}:where.distances.0")
    told.act("forces", "set", id=f"{part}:where.distances.0.places", value="U9")
    told.act("forces", "set", id=f"{part}:where.distances.0.least", value=3)
    told.act("forces", "set", id=f"{side}:team", value="raiders")
    told.act("forces", "set", id="part:isil:saleh:arrival", value="pool")
    (_, isil) = told.scenario.document.forces
    (saleh,) = isil.formations
    assert (isil.team, saleh.loaded, saleh.arrival) == ("raiders", "must", "pool")
    assert saleh.when is not None
    assert saleh.when.kind == "choice"
    assert saleh.ratings == {"morale_check": 8, "impulse_bonus": "1D6"}
    assert (saleh.where.distances[0].places, saleh.where.distances[0].least) == (("U9",), 3)
    assert saleh.where.hexes == ("W1", "X0", "Y1", "Z0", "AA1")
    told.say(type="forces_select", ids=["rebel-technical"])
    told.editor.selected = ("rebel-technical",)
    told.act("unit", "set", id="more:name", value="Old Toyota")
    told.act("unit", "put", id="more:where")
    told.act("unit", "set", id="more:where.hexes", value="U9, V9")
    unit = told.scenario.unit("rebel-technical")
    assert unit.name == "Old Toyota"
    assert unit.where is not None
    assert unit.where.hexes == ("U9", "V9")


def test_victory_has_conditions_and_results(told: Told) -> None:
    told.act("objectives", "add", collection="clauses")
    (clause,) = told.scenario.document.clauses
    told.act("objectives", "set", id=f"clauses/{clause.id}:kind", value="casualties")
    told.act("objectives", "set", id=f"clauses/{clause.id}:side", value="rebel")
    told.act("objectives", "set", id=f"clauses/{clause.id}:count", value=10)
    told.act("objectives", "put", id="scenario:victory.results.0")
    told.act("objectives", "set", id="scenario:victory.results.0.when", value=clause.id)
    told.act("objectives", "set", id="scenario:victory.results.0.side", value="isil")
    told.act("objectives", "set", id="victory:margin", value=5)
    victory = told.scenario.document.victory
    assert victory is not None
    assert (victory.margin, victory.results[0].when, victory.results[0].side) == (5, clause.id, "isil")
    told.act("objectives", "set", id="scenario:ends", value=clause.id)
    assert told.scenario.document.ends == (clause.id,)


def test_special_rules_and_ratings(told: Told) -> None:
    told.act("special", "set", id="scenario:special.terrain_at", value="U9 = rough")
    told.act("special", "set", id="scenario:special.road_surface", value="unpaved")
    told.act("special", "set", id="scenario:special.visibility", value=8)
    told.act("special", "set", id="scenario:ratings", value="luck_cards = 3")
    special = told.scenario.document.special
    assert (special.terrain_at, special.road_surface, special.visibility) == ({"U9": "rough"}, "unpaved", 8)
    assert len(special.texts) > 1  # what was there stays
    assert told.scenario.document.ratings == {"luck_cards": 3}


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("turn", "soon", "whole number"),
        ("turn", 2.5, "whole number"),
        ("turn", -1, ">= 0"),
        ("kind", "party", "Invalid enum"),
        ("gives", "smoke", "name = value"),
        ("gives", "smoke = many", "matching regex"),
        ("nothing", 1, "no field"),
        ("when.kind", "roll", "no field 'kind'"),
    ],
)
def test_wrong_values_are_refused_with_the_field(path: str, value: Any, words: str) -> None:
    event = Event(id="dust", name="Dust")
    if path == "when.kind":
        words, event = "Invalid enum", with_value(event, "when", "blank")  # type: ignore[assignment]
        value = "perhaps"
    with pytest.raises(EditError, match=words):
        with_value(event, path, value)


@pytest.mark.parametrize("kind", [*RECORDS.values(), Force, Formation, UnitRecord, ScenarioDocument])
def test_what_is_shown_can_be_sent_back(kind: Any) -> None:
    """Each field gets the value that it shows, and nothing changes."""
    made: dict[str, Any] = {"id": "a"} if "id" in kind.__struct_fields__ else {"ruleset": "x", "map": {"file": "m"}}
    filled = {**made, "type": "t", "name": "n", "side": "s", "dice": "1D6", "event": "other", "kind": "other"}
    needs = {info.name for info in msgspec.structs.fields(kind) if info.required}
    more = {"at": "A1", "text": "t", "first_turn": 1, "last_turn": 2, "points": 0}
    kinds = {"Support": "artillery", "Objective": "hold"}
    filled = {name: value for name, value in {**more, **filled}.items() if name in needs}
    if kind.__name__ in kinds and "kind" in needs:
        filled["kind"] = kinds[kind.__name__]
    record = msgspec.convert(filled, kind)
    for name, hint in types_of(kind).items():
        if shape_of(hint)[0] == "record" and getattr(record, name) is None:
            record = with_value(record, name, "blank")
        shape, inner, _ = shape_of(hint)
        if shape == "records" and "id" not in inner.__struct_fields__:
            record = with_value(record, f"{name}.0", "blank")
    for key, shown in fields_in(record_fields(record, "r:")).items():
        assert with_value(record, key.partition(":")[2], shown["value"]) == record, key


def test_a_blank_record_is_valid() -> None:
    for kind in (Objective, RandomTable, Variant):
        with pytest.raises(msgspec.ValidationError):
            blank(kind)  # these need an id, which the panel gives
