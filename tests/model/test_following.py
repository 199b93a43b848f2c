"""Every label that a scenario holds goes along with the map, wherever it stands, and comes back with an undo."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import studio
from studio.api import Scenario
from studio.errors import EditError
from studio.grid import LabelScheme
from studio.model import ScenarioDocument, SetField
from studio.model.following import follow
from studio.model.moved import Moved

PLACE, OTHER = "0404", "0605"


def area(**more: Any) -> dict[str, Any]:
    """Return a set-up area with a label in every field that can hold one."""
    return {
        "hexes": [PLACE, OTHER],
        "without": [PLACE],
        "first_column": "03",
        "last_column": "06",
        "first_row": "03",
        "last_row": "05",
        "distances": [{"places": [PLACE, OTHER], "least": 1}, {"places": [PLACE], "edges": ["north"], "most": 9}],
        **more,
    }


def everything() -> dict[str, Any]:
    """Return a scenario with a label wherever one can be."""
    where = area(also=[area(also=[area()])])
    unit = {"id": "tank", "type": "isil.bmp_2", "at": PLACE, "where": area(), "notes": "Full of fuel."}
    formation = {
        "id": "first",
        "name": "First",
        "units": [unit, {"id": "rider", "type": "isil.militia", "carried_by": "tank"}],
        "where": where,
        "leaves": area(),
        "restraints": [{"stay": area(), "forbidden": ["exit"]}, {"forbidden": ["fire"], "units": ["tank"]}],
    }
    changes = [
        {
            "op": "put",
            "collection": "forces/isil/formations/first/units",
            "record": {"id": "gun", "type": "x", "at": PLACE},
        },
        {
            "op": "put",
            "collection": "forces/isil/formations",
            "record": {"id": "x", "name": "X", "where": {"hexes": [PLACE]}},
        },
        {"op": "set", "field": "forces/isil/formations/first/where", "value": {"hexes": [PLACE, OTHER], "within": 1}},
        {"op": "set", "field": "forces/isil/formations/first/units/tank/at", "value": PLACE},
        {"op": "set", "field": "objectives/hold/hexes", "value": [PLACE, OTHER]},
        {"op": "set", "field": "special", "value": {"terrain_at": {PLACE: "rubble"}, "texts": ["Dust."]}},
        {"op": "set", "field": "special/terrain_at", "value": {PLACE: "rubble"}},
        {"op": "set", "field": "control", "value": {"isil": [PLACE]}},
        {"op": "set", "field": "map", "value": {"file": "m.map.json", "out_of_play": [PLACE], "first_column": "03"}},
        {"op": "set", "field": "title", "value": "Noon"},
        {"op": "set", "field": "no/such/field", "value": 7},
        {"op": "delete", "collection": "objectives", "id": "hold"},
    ]
    return {
        "ruleset": "armageddon_war",
        "map": {"file": "m.map.json", "first_row": "02", "last_row": "05", "out_of_play": [PLACE]},
        "forces": [{"id": "isil", "name": "ISIL", "formations": [formation]}],
        "objectives": [
            {"id": "hold", "side": "isil", "event": "hold", "hexes": [PLACE, OTHER], "where": area()},
        ],
        "support": [{"id": "guns", "kind": "artillery", "target": area()}],
        "pools": [{"id": "cup", "name": "Cup", "places": [PLACE, OTHER], "where": area()}],
        "tables": [{"id": "luck", "name": "Luck", "dice": "1D6", "rows": [{"rolls": [1]}], "where": area()}],
        "special": {"smoke": [PLACE], "closed": [PLACE], "terrain_at": {PLACE: "rubble", OTHER: "clear"}},
        "place_notes": [{"id": "n", "at": PLACE, "text": "Dust"}],
        "control": {"isil": [PLACE]},
        "unrestored": [PLACE],
        "variants": [{"id": "late", "name": "Late", "changes": changes}],
    }


@pytest.fixture
def battle(tmp_path: Path) -> Scenario:
    map_ = studio.new_map("armageddon_war", 8, 6, title="Wadi")
    map_.save(tmp_path / "m.map.json")
    scenario = studio.new_scenario(map_, title="Dawn")
    for field, value in everything().items():
        if field == "map":
            value["file"] = scenario.document.map.file
        if field != "ruleset":
            scenario.apply(SetField(field=field, value=value))
    scenario.save(tmp_path / "dawn.scenario.json")
    return scenario


def words(scenario: Scenario) -> str:
    return msgspec.json.encode(scenario.document).decode()


def test_every_label_moves_by_a_column(battle: Scenario) -> None:
    before = words(battle)
    battle.map.resize(left=1)
    # The new text is the old one with other words in the same places: nothing is lost, nothing is left behind.
    expected = before
    for old, new in (
        (f'"{PLACE}"', '"0504"'),
        (f'"{OTHER}"', '"0705"'),
        ('"first_column":"03"', '"first_column":"04"'),
        ('"last_column":"06"', '"last_column":"07"'),
    ):
        assert before.count(old) >= 8
        expected = expected.replace(old, new)
    assert words(battle) == expected
    battle.map.undo()
    assert words(battle) == before
    battle.map.set("labels", LabelScheme.lettered())
    assert f'"{PLACE}"' not in words(battle)
    assert words(battle).count('"D4"') == before.count(f'"{PLACE}"')
    battle.map.undo()
    assert words(battle) == before


def test_what_goes_with_its_hexes_comes_back_with_them(battle: Scenario) -> None:
    before = battle._text()
    lost = battle.map.resize(right=-2, top=-2).scenarios["Dawn"]
    assert lost == []
    assert f'"{OTHER}"' not in words(battle)
    battle.map.undo()
    assert battle._text() == before
    plain = battle.map.resize(bottom=-2)
    document = battle.document
    assert document.special.terrain_at == {PLACE: "rubble"}
    assert document.forces[0].formations[0].where.distances[0].places == (PLACE,)
    assert document.pools[0].places == (PLACE,)
    assert "terrain of single hexes: 0605 is gone" in plain.scenarios["Dawn"]
    assert any(line.startswith("isil/first restraints 1 stay: 0605") for line in plain.scenarios["Dawn"])
    assert any(line.startswith("isil/first/tank: 0605") for line in plain.scenarios["Dawn"])
    assert any(line.startswith("pool cup: 0605") for line in plain.scenarios["Dawn"])
    battle.map.undo()
    assert battle._text() == before


def test_a_variant_that_places_a_unit_where_nothing_is_any_more_loses_the_place(battle: Scenario) -> None:
    document = battle.document
    for field in ("forces", "objectives", "support", "pools", "tables", "special", "place_notes", "control", "map"):
        value: Any = {"file": document.map.file} if field == "map" else {} if field in ("special", "control") else []
        battle.apply(SetField(field=field, value=value))
    only = [document.variants[0].changes[number] for number in (0, 3, 6)]
    battle.apply(SetField(field="variants", value=[{"id": "v", "name": "V", "changes": msgspec.to_builtins(only)}]))
    battle.apply(SetField(field="unrestored", value=[]))
    before = battle._text()
    report = battle.map.resize(left=-4)
    put, at, terrain = battle.document.variants[0].changes
    assert put.record == {  # type: ignore[union-attr]
        "id": "gun",
        "type": "x",
        "at": "",
        "notes": "Unplaced: 0404 was removed from the map.",
    }
    assert (at.value, terrain.value) == ("", {})  # type: ignore[union-attr]
    assert any("not placed any more" in line for line in report.scenarios["Dawn"])
    battle.map.undo()
    assert battle._text() == before


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        (
            "forces/isil/formations/first/restraints",
            [{"stay": {"hexes": ["0101"]}}],
            "isil/first restraints 1 stay: all",
        ),
        (
            "forces/isil/formations/first/leaves",
            {"distances": [{"places": ["0101"]}]},
            "isil/first leaves distances 1: all",
        ),
        ("pools", [{"id": "cup", "name": "Cup", "places": ["0101"]}], "pool cup: all of its hexes"),
        (
            "tables",
            [{"id": "luck", "name": "L", "dice": "1D6", "rows": [{"rolls": [1]}], "where": {"last_row": "01"}}],
            "table luck: the last row 01 has no place",
        ),
        ("support", [{"id": "guns", "kind": "smoke", "target": {"hexes": ["0101"]}}], "support guns target: all"),
    ],
)
def test_what_would_mean_something_else_is_refused(battle: Scenario, field: str, value: Any, words: str) -> None:
    battle.apply(SetField(field=field, value=value))
    with pytest.raises(EditError, match=words):
        battle.map.resize(left=-1, top=-1)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_sizes_and_labels_undone_lead_back_through_the_same_texts(battle: Scenario, data: st.DataObject) -> None:
    start = battle._text()
    states = [start]
    for _ in range(data.draw(st.integers(1, 4))):
        try:
            if data.draw(st.booleans()):
                battle.map.resize(
                    **{edge: data.draw(st.integers(-1, 2)) for edge in ("left", "right", "top", "bottom")}
                )
            else:
                battle.map.set("labels", data.draw(st.sampled_from([LabelScheme.ccrr(pad=3), LabelScheme.lettered()])))
        except EditError:
            continue
        states.append(battle._text())
    for state in reversed(states[:-1]):
        battle.map.undo()
        assert battle._text() == state
    assert battle._text() == start


def test_a_scenario_of_ten_thousand_units_follows_at_once() -> None:
    labels = studio.new_map("armageddon_war", 100, 100).labels
    moved = studio.new_map("armageddon_war", 101, 100).labels
    units = [{"id": f"u{number}", "type": "x", "at": labels.label(number)} for number in range(10_000)]
    document = msgspec.convert(
        {
            "ruleset": "armageddon_war",
            "map": {"file": "m"},
            "forces": [{"id": "f", "name": "F", "formations": [{"id": "p", "name": "P", "units": units}]}],
        },
        ScenarioDocument,
    )
    found = follow(document, Moved(labels, moved, left=1))
    assert (len(found.edits), found.notes, found.faults) == (1, [], [])
    after = found.edits[0].value[0]["formations"][0]["units"]  # type: ignore[union-attr]
    assert [unit["at"] for unit in after[:2]] == [moved.label(1), moved.label(2)]
