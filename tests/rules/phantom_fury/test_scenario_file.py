"""The scenario of Phantom Fury against tables typed from its text: 5, 6, 7, 9, 10, 13.4.3 and 15."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.files import write_scenario_text
from studio.model import Area, Place, SetField
from studio.rules.phantom_fury.district import District
from studio.survey import area_cells

FILE = Path(__file__).parents[3] / "scenarios" / "phantom-fury.scenario.json"

SUPPORT = {  # 9.3: missions, highest roll that succeeds
    "dragon-eye": ("drone", 4, 8),
    "super-cobra": ("air_strike", 2, 6),
    "hornet": ("air_strike", 1, 4),
}
TABLES = {  # 5.3.3, 5.3.4, 9.4, 13.4.3, by result from 0 to 9
    "suspect-normal": ["IED", "Dummy", "Dummy", "Dummy", "Dummy", "Dummy", "Guer", "Guer", "Guer", "Martyrs"],
    "suspect-fortified": ["Dummy", *["Martyrs"] * 7, "IED", "IED"],
    "reaction": ["No ef", "No ef", "Reinf", "Reinf", "Retre", "Retre", "The E", "Count", "Count", "House"],
    "events-usmc": ["Phant", "Phant", "Hero", "Hero", "Hero", "USMC", "USMC", "USMC", "Fligh", "Fligh"],
    "events-insurgents": ["Fanat", "Fanat", "Confu", "Confu", "Suici", "Suici", "Drug", "Drug", "Drug", "Drug"],
    "events-iif": ["Al Fa", "Al Fa", "Fallu", "Fallu", "Fallu", "Confu", "Confu", "Confu", "Drug", "Drug"],
}
POINTS = {  # 7.2.1
    "guerillas": 1,
    "turns-saved": 5,
    "battalion-used": -2,
    "caat-lost": -2,
    "iif-lost": -2,
    "squad-reduced": -2,
    "squad-lost": -5,
    "mosque-left": -5,
}
ARRIVAL = {  # 6.3, 10: formation, type, how many, first turn
    "company-reserve": ("usmc.squad", 3, 2),
    "armour": ("usmc.m1a1_abrams", 1, 2),
    "battalion": ("usmc.squad", 3, 9),
    "iif": ("usmc.iif_squad", 3, 2),
}


@pytest.fixture(scope="module")
def scenario() -> studio.Scenario:
    return studio.open_scenario(FILE, recover_unsaved=False)


def historical(scenario: studio.Scenario) -> studio.Scenario:
    changes = next(one for one in scenario.document.variants if one.id == "historical").changes
    return scenario.supposing(SetField(field="variants", value=[]), *changes)


def formations(scenario: studio.Scenario) -> dict[str, Any]:
    return {one.id: one for force in scenario.document.forces for one in force.formations}


def test_it_checks_and_is_written_as_the_studio_writes(scenario: studio.Scenario) -> None:
    assert {finding.severity for finding in scenario.check()} <= {"note"}
    assert FILE.read_bytes() == write_scenario_text(scenario.model)


def test_order_of_battle_and_reinforcements(scenario: studio.Scenario) -> None:
    found = formations(scenario)
    start = Counter({unit.type: 0 for unit in found["company"].units})
    for unit in found["company"].units:
        start[unit.type] += unit.count
    assert start == {"usmc.squad": 9, "usmc.caat": 4, "marker.ammo": 4, "marker.explosives": 4}
    assert {unit.figures["uses"] for unit in found["company"].units if unit.type == "marker.ammo"} == {4}
    for name, (kind, count, turn) in ARRIVAL.items():
        one = found[name]
        assert [(unit.type, unit.count) for unit in one.units] == [(kind, count)]
        assert (one.arrival, one.arrival_turn) == ("enter", turn)
    trigger = found["iif"].when
    assert trigger is not None
    assert (trigger.kind, trigger.of, trigger.delay) == ("clause", "beside-mosque", 1)


def test_squads_start_by_the_entry_symbols_and_suspects_in_the_start_zones(scenario: studio.Scenario) -> None:
    survey = scenario.map.survey
    start = {area.id for area in survey.features_of(Area) if "start" in area.tags}
    boxes = [place for place in survey.features_of(Place) if place.within in start]
    entries = {place.name for place in boxes if "entry" in place.tags}
    found = formations(scenario)
    assert sorted(unit.at for unit in found["company"].units if unit.type == "usmc.squad") == sorted(entries)
    for name in ("company-reserve", "battalion", "iif"):
        assert set(found[name].where.hexes) == entries
    suspects = [unit for unit in found["start-zones"].units if unit.type == "insurgents.suspect"]
    assert [unit.count for unit in suspects] == [2] * 9
    assert sorted(label for unit in suspects for label in unit.where.hexes) == sorted(place.name for place in boxes)
    north = {area.name for area in survey.features_of(Area) if "north-edge" in area.tags}
    assert set(found["armour"].where.hexes) == north


def test_zones_beside_the_mosque_let_the_iraqis_in(scenario: studio.Scenario) -> None:
    district = District(scenario.map.survey)
    beside = {district.label(zone) for zone in district.neighbouring("zone-26")}
    objective = next(one for one in scenario.document.objectives if one.id == "zone-beside-mosque")
    assert objective.where is not None
    assert set(objective.where.hexes) == beside
    assert objective.points == 0


def test_all_zones_but_27_count(scenario: studio.Scenario) -> None:
    objective = next(one for one in scenario.document.objectives if one.id == "all-zones")
    assert objective.where is not None
    survey = scenario.map.survey
    found = {survey.directory.location(cell) for cell in area_cells(survey, objective.where, survey.directory.numbers)}
    assert {int(one.label) for one in found if one.type == "zone"} == set(range(1, 62)) - {27}
    assert scenario.document.special.closed == ("27",)
    assert scenario.document.ends == ("all-controlled",)


def test_cups(scenario: studio.Scenario) -> None:
    pools = {pool.id: pool for pool in scenario.document.pools}
    assert [(lot.type, lot.count) for lot in pools["squads"].lots] == [("usmc.squad", 15)]
    white = {area.name for area in scenario.map.survey.features_of(Area) if "white" in area.tags}
    assert set(pools["zones"].places) == white
    assert len(white) == 61 - 9 - 1 - 1
    for strong, changed in enumerate([scenario, *(strong_points(scenario, n) for n in (2, 3, 4))], start=1):
        lots = next(pool for pool in changed.document.pools if pool.id == "zones").lots
        assert {lot.type: lot.count for lot in lots} == {"marker.zone": 50 - strong, "marker.strong_point": strong}
    assert scenario.document.ratings["strong_points"] == "1D4"


def strong_points(scenario: studio.Scenario, number: int) -> studio.Scenario:
    changes = next(one for one in scenario.document.variants if one.id == f"strong-points-{number}").changes
    return scenario.supposing(*changes)


@pytest.mark.parametrize("table", TABLES)
def test_tables_by_result(scenario: studio.Scenario, table: str) -> None:
    found = next(one for one in scenario.document.tables if one.id == table)
    assert found.dice == "1D10-1"
    names = {roll: row.name for row in found.rows for roll in row.rolls}
    assert sum(len(row.rolls) for row in found.rows) == 10
    for result, begin in enumerate(TABLES[table]):
        assert names[result].startswith(begin)


def test_support(scenario: studio.Scenario) -> None:
    found = {one.id: (one.kind, one.missions, one.figures["success_up_to"]) for one in scenario.document.support}
    assert found == SUPPORT
    without = {one.id: one.target.without for one in scenario.document.support if one.target is not None}
    assert "26" not in without["dragon-eye"]
    assert "26" in without["super-cobra"]
    assert "26" in without["hornet"]


def test_length_points_and_levels(scenario: studio.Scenario) -> None:
    document = scenario.document
    assert document.length == 16
    assert {one.id: one.points for one in document.objectives if one.points} == POINTS
    assert document.victory is not None
    levels = [(one.side, one.level, one.least_points, one.most_points) for one in document.victory.results]
    assert levels == [
        ("usmc", "major", 11, None),
        ("usmc", "minor", 0, 10),
        ("usmc", "bitter", None, -1),
        ("insurgents", "", None, None),
    ]
    clauses = {one.id: one for one in document.clauses}
    assert clauses["mosque-exception"].parts == ("last-turn", "only-mosque")
    assert clauses["last-turn"].count == 16


def test_the_historical_variant(scenario: studio.Scenario) -> None:
    changed = historical(scenario)
    assert {finding.severity for finding in changed.check()} <= {"note"}
    found = formations(changed)
    assert sum(unit.count for unit in found["armour"].units) == 2
    assert found["battalion"].arrival_turn == 7
    assert changed.document.length == 13
    assert {one.id: one.points for one in changed.document.objectives if one.points} == {
        name: points for name, points in POINTS.items() if name != "battalion-used"
    }
    assert next(one for one in changed.document.clauses if one.id == "last-turn").count == 13
    assert (changed.document.ratings["battalion_turn"], changed.document.ratings["battalion_penalty"]) == (7, 0)
    assert scenario.document.length == 16
