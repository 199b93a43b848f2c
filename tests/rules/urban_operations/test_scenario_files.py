"""The two scenarios of our own for Urban Operations: day and night, and what the rules ask of both."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.files import write_scenario_text
from studio.model import Aperture, SetField

FOLDER = Path(__file__).parents[3] / "scenarios"
NAMES = ("urban-day", "urban-night")

LIGHT = {"urban-day": {"day": (1, 8), "night": (9, 10)}, "urban-night": {"night": (1, 8), "dawn": (9, 10)}}
CHAIN = {  # blocks that each impulse force on the map can activate (7.2.1)
    "urban-day": {"alpha": 7, "square": 7, "store": 5, "cellars": 5},
    "urban-night": {"collector": 7, "school": 5, "hall": 7, "church": 5},
}
BREACHES = {  # markers of breaches made before play, with the breach that each opens
    "urban-day": {"breach-yard": "wall-breach-5", "breach-hall": "breach-29.7-1", "breach-souk": "breach-10.3-1"},
    "urban-night": {"breach-gym": "breach-19.13-1", "breach-shelter": "breach-u3.1-1", "breach-yard": "wall-breach-9"},
}
ROOFS = {"urban-day": 4, "urban-night": 2}
UNDERGROUND = {"urban-day": ("cellars", 5), "urban-night": ("collector", 8)}


@pytest.fixture(scope="module", params=NAMES)
def scenario(request: pytest.FixtureRequest) -> studio.Scenario:
    return studio.open_scenario(FOLDER / f"{request.param}.scenario.json", recover_unsaved=False)


def name_of(scenario: studio.Scenario) -> str:
    assert scenario.path is not None
    return scenario.path.name.removesuffix(".scenario.json")


def placed(scenario: studio.Scenario) -> list[tuple[str, Any, Any]]:
    return [
        (force.id, formation, unit)
        for force in scenario.document.forces
        for formation in force.formations
        for unit in formation.units
    ]


def test_it_checks_and_is_written_as_the_studio_writes(scenario: studio.Scenario) -> None:
    assert {finding.severity for finding in scenario.check()} <= {"note"}
    assert scenario.path is not None
    assert scenario.path.read_bytes() == write_scenario_text(scenario.model)
    for variant in scenario.document.variants:
        changed = scenario.supposing(SetField(field="variants", value=[]), *variant.changes)
        assert {finding.severity for finding in changed.check()} <= {"note"}
    assert scenario.document.sources[0].licence == "CC0-1.0"


def test_day_and_night(scenario: studio.Scenario) -> None:
    periods = scenario.document.periods
    assert {one.id: (one.first_turn, one.last_turn) for one in periods} == LIGHT[name_of(scenario)]
    assert {one.light for one in periods} == {"day", "night"}
    turns = [turn for one in periods for turn in range(one.first_turn, one.last_turn + 1)]
    assert sorted(turns) == list(range(1, scenario.document.length + 1))


def test_every_impulse_force_has_one_platoon_commander(scenario: studio.Scenario) -> None:
    commanders: Counter[str] = Counter()
    platoons: Counter[str] = Counter()
    for side, formation, unit in placed(scenario):
        if side == "nobody":
            continue
        commanders[formation.id] += unit.type == "foot.plt_comd"
        platoons[side] += unit.type == "foot.plt_comd"
    grouped = {formation.id for _, formation, _ in placed(scenario) if formation.part_of}
    assert {name for name, count in commanders.items() if count == 1} == set(commanders) - grouped
    for force in scenario.document.forces[:2]:
        assert force.ratings["impulse_forces"] == platoons[force.id]
        kinds = [unit.type for side, _, unit in placed(scenario) if side == force.id]
        assert kinds.count("foot.coy_comd") == kinds.count("foot.cp") == 1


def test_the_chain_of_command(scenario: studio.Scenario) -> None:
    found: dict[str, int] = {}
    for side in ("green", "red"):
        found |= {chain.formation: chain.blocks for chain in scenario.command(side).chains}
    assert found == CHAIN[name_of(scenario)]


def test_breaches_made_before_play_are_where_their_breach_leads_in(scenario: studio.Scenario) -> None:
    markers = {unit.id: unit for _, _, unit in placed(scenario) if unit.type == "environment.breach"}
    assert set(markers) == set(BREACHES[name_of(scenario)])
    breaches = {one.id: one for one in scenario.map.survey.features_of(Aperture)}
    for marker, breach in BREACHES[name_of(scenario)].items():
        assert breaches[breach].type in {"breach", "wall_breach"}
        assert breaches[breach].into == markers[marker].at
        assert breach in markers[marker].notes
        # No other one leads in there, so that the marker alone says which it is.
        others = [one.id for one in breaches.values() if one.into == markers[marker].at and one.type != "aperture"]
        assert others == [breach]


def test_roofs_ladders_and_the_underground(scenario: studio.Scenario) -> None:
    name = name_of(scenario)
    units = placed(scenario)
    assert sum(unit.at.endswith(" roof") for _, _, unit in units) == ROOFS[name]
    assert any("ladder" in unit.status for _, _, unit in units)
    formation, count = UNDERGROUND[name]
    below = [unit.at for _, one, unit in units if one.id == formation]
    directory = scenario.map.survey.directory
    assert len(below) == count
    for label in below:
        place = directory.location(directory.number(label))
        assert place.type.startswith("underground_") or label == "B" or label.startswith("U")


def test_blocks_stand_apart_and_nobody_is_in_contact_at_the_start(scenario: studio.Scenario) -> None:
    blocks = [
        (side, unit.at) for side, _, unit in placed(scenario) if unit.at and not unit.type.startswith("environment.")
    ]
    blocks += [("red", label) for pool in scenario.document.pools if pool.side == "red" for label in pool.places]
    assert len(set(blocks)) == len(blocks)
    red = {label for side, label in blocks if side == "red"}
    for label in (label for side, label in blocks if side == "green"):
        near = set(scenario.map.effect_reach(label, 3).labels) & red
        # Within 3 EP and in sight is contact (8.1.12).
        assert [other for other in near if scenario.sight(label, other).visible] == []


def test_draw_piles_have_a_lot_for_every_place(scenario: studio.Scenario) -> None:
    formations = {formation.id: formation for _, formation, _ in placed(scenario)}
    for pool in scenario.document.pools:
        lots = Counter({lot.type: lot.count for lot in pool.lots})
        if pool.places:
            assert sum(lots.values()) == len(pool.places) == len(set(pool.places))
        if pool.side:
            held: Counter[str] = Counter()
            for unit in formations[pool.id.removesuffix("-pile")].units:
                held[unit.type] += unit.count
            assert held == lots


def test_victory_has_a_level_for_every_total(scenario: studio.Scenario) -> None:
    document = scenario.document
    assert document.victory is not None
    counts = {one.id: one.count for one in document.clauses if one.kind == "points"}
    steps = [counts[one.when] for one in document.victory.results if one.when]
    assert steps == sorted(steps, reverse=True)
    assert [(one.side, one.level) for one in document.victory.results] == [
        ("green", "decisive"),
        ("green", "marginal"),
        ("", "draw"),
        ("red", "marginal"),
        ("red", "decisive"),
    ]
    times = {"freed": 3}
    most = sum(one.points * times.get(one.id, 1) for one in document.objectives if one.points > 0)
    assert steps[0] <= most
