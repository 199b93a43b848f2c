"""Scenario 1 of Armageddon War, Holding action, field by field against the facts of the text."""

from pathlib import Path

import pytest

import studio
from studio.files import write_scenario_text
from studio.survey import area_cells, cells_in_play

ROOT = Path(__file__).parents[2]
FILE = ROOT / "scenarios" / "armageddon-01.scenario.json"


@pytest.fixture(scope="module")
def scenario() -> studio.Scenario:
    return studio.open_scenario(FILE, recover_unsaved=False)


def test_it_checks_clean_and_is_written_as_the_studio_writes(scenario: studio.Scenario) -> None:
    """Notes tell errors of the print: the examples of 7.3 contradict the roster."""
    assert [finding for finding in scenario.check() if finding.severity != "note"] == []
    assert FILE.read_bytes() == write_scenario_text(scenario.model)


def test_forces_units_and_points(scenario: studio.Scenario) -> None:
    rebels, saleh = (force.formations[0] for force in scenario.document.forces)
    count = {unit.type: 0 for formation in (rebels, saleh) for unit in formation.units}
    for formation in (rebels, saleh):
        for unit in formation.units:
            count[unit.type] += unit.count
    assert count == {
        "rebel.militia": 4,
        "rebel.technical": 1,
        "support.rpg_7v": 1,
        "support.sagger": 1,
        "isil.bmp_2": 2,
        "other.truck": 4,
        "isil.militia": 4,
    }
    rules = scenario.ruleset.scenario
    assert (rules.formation_units(rebels), rules.formation_points(rebels), rebels.activation_markers) == (5, 37, 2)
    assert (rules.formation_units(saleh), rules.formation_points(saleh), saleh.activation_markers) == (10, 48, 2)


def test_set_up_entry_and_the_part_in_play(scenario: studio.Scenario) -> None:
    labels, survey = scenario.map.labels, scenario.map.survey
    play = cells_in_play(labels, scenario.document.map)
    assert {labels.label(cell)[0] for cell in play} == set("QRSTUVWXYZA")
    assert labels.cell("P5") not in play
    rebels, saleh = (force.formations[0] for force in scenario.document.forces)
    area = area_cells(survey, rebels.where, play)
    assert set(area) == set(scenario.map.grid.within(labels.cell("U9"), 2)) & play
    assert (rebels.arrival, saleh.arrival, saleh.arrival_turn) == ("set_up", "enter", 1)
    entry = {labels.label(cell) for cell in area_cells(survey, saleh.where, play)}
    assert entry == {"W1", "X0", "Y1", "Z0", "AA1"}


def test_length_and_victory(scenario: studio.Scenario) -> None:
    document = scenario.document
    assert (document.length, document.length_unit) == (16, "activation")
    assert {(o.side, o.event, o.points, o.unit_types) for o in document.objectives} == {
        ("isil", "eliminate", 2, ()),
        ("isil", "loot_and_exit", 2, ("other.truck",)),
        ("rebel", "eliminate", 3, ("isil.bmp_2",)),
        ("rebel", "eliminate", 2, ("isil.militia",)),
        ("rebel", "eliminate", 1, ("other.truck",)),
    }
    victory = document.victory
    assert victory is not None
    assert (victory.side, victory.margin, victory.otherwise, victory.printed_totals) == (
        "isil",
        4,
        "rebel",
        {"isil": 18, "rebel": 18},
    )
    assert document.rules_introduced == ["2.01", "3.0", "4.1", "4.171", "4.3", "1.32"]
