"""Scenarios 1 to 15 of Armageddon War against facts of the print, typed from the text (see printed.py)."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

import studio
from studio.files import write_scenario_text
from studio.model import Force, Formation
from studio.rules.areas import ScenarioAreas
from studio.rules.points import formation_points
from studio.rules.roster import FIGHTING, roster_of
from tests.rules.armageddon_war.places import AREAS, CARRIED, ENTERS, STANDING
from tests.rules.armageddon_war.printed import ORDERS, PLAYERS, PRINT, ROSTER_DIFFERS, WORDS, Order

ROOT = Path(__file__).parents[3]
NUMBERS = sorted(PRINT)


@lru_cache(maxsize=16)
def opened(number: int) -> studio.Scenario:
    return studio.open_scenario(file_of(number), recover_unsaved=False)


def file_of(number: int) -> Path:
    return ROOT / "scenarios" / f"armageddon-{number:02}.scenario.json"


def formations(scenario: studio.Scenario) -> dict[str, tuple[Force, Formation]]:
    """Return the formations by force/name, without those of Civilians and those that are listed within another one."""
    return {
        f"{force.id}/{part.name}": (force, part)
        for force in scenario.document.forces
        for part in force.formations
        if part.printed_units is not None
    }


def groups(scenario: studio.Scenario, part: Formation) -> list[Formation]:
    """Return a formation and what arrives otherwise but is printed within it."""
    every = [one for force in scenario.document.forces for one in force.formations]
    return [part, *(one for one in every if one.part_of == part.id and one.printed_units is None)]


# -- head --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", NUMBERS)
def test_title_date_map_length_and_rules(number: int) -> None:
    document, printed = opened(number).document, PRINT[number]
    assert document.title == f"Scenario {number}: {printed.title}"
    assert document.date == printed.date
    assert document.map.file == f"../maps/armageddon-{printed.map}.map.json"
    assert (document.length, document.length_unit) == (printed.length, "activation")
    assert document.rules_introduced == printed.rules.split()
    use = document.map
    said = [
        f"{what} {first}-{last}"
        for what, first, last in (
            ("columns", use.first_column, use.last_column),
            ("rows", use.first_row, use.last_row),
        )
        if first or last
    ]
    assert ", ".join(said) == printed.play
    first = f"{document.first_side}/{document.first_formation}" if document.first_side else ""
    assert first == printed.first
    assert not (use.sheets or use.out_of_play)


@pytest.mark.parametrize("number", NUMBERS)
def test_forces_their_order_and_their_logistics_markers(number: int) -> None:
    document = opened(number).document
    order: dict[int, list[str]] = {}
    for force in document.forces:
        order.setdefault(force.set_up_order, []).append(force.id)
    assert " ".join("+".join(order[place]) for place in sorted(order)) == PLAYERS[number]
    found = [f"{one.id} {one.ratings['logistics_markers']}" for one in document.forces if one.ratings]
    assert ", ".join(found) == PRINT[number].logistics


@pytest.mark.parametrize("number", NUMBERS)
def test_it_checks_clean_but_for_errors_of_the_print_and_is_written_as_the_studio_writes(number: int) -> None:
    scenario = opened(number)
    assert [finding for finding in scenario.check() if finding.severity != "note"] == []
    assert file_of(number).read_bytes() == write_scenario_text(scenario.model)


# -- orders of battle --------------------------------------------------------------------------------------------------

CASES = [(number, order) for number in NUMBERS for order in ORDERS[number]]


def counted(has: str) -> dict[str, int]:
    pairs = (part.rsplit(" ", 1) for part in has.split(", "))
    return {WORDS.get(name, name): int(count) for name, count in pairs}


@pytest.mark.parametrize(("number", "order"), CASES, ids=[f"{number}: {order.where}" for number, order in CASES])
def test_formations_have_what_is_printed(number: int, order: Order) -> None:
    scenario = opened(number)
    _, part = formations(scenario)[order.where]
    roster = roster_of(scenario.ruleset, scenario.document)
    found: Counter[str] = Counter()
    for unit in (unit for group in groups(scenario, part) for unit in group.units):
        name = re.sub(r" \((lower grade|AA|sniper|dirty bomb)\)", "", roster[unit.type].name)
        found[name.removeprefix("Recon ")] += unit.count
    assert dict(found) == counted(order.has)
    assert part.activation_markers == order.markers
    assert (part.printed_units, part.printed_points) == (order.units, order.points)


@pytest.mark.parametrize(("number", "order"), CASES, ids=[f"{number}: {order.where}" for number, order in CASES])
def test_printed_totals_agree_with_the_roster_or_an_erratum_tells_the_difference(number: int, order: Order) -> None:
    scenario = opened(number)
    force, part = formations(scenario)[order.where]
    roster = roster_of(scenario.ruleset, scenario.document)
    every = groups(scenario, part)
    units = sum(unit.count for group in every for unit in group.units if roster[unit.type].kind in FIGHTING)
    points = sum(formation_points(scenario.ruleset, roster, group) for group in every)
    expected = ROSTER_DIFFERS.get((number, order.where), (order.units, order.points))
    assert units == expected[0]
    assert order.points is None or points == expected[1]
    for printed, read in zip((order.units, order.points), expected, strict=True):
        told = [
            one for one in scenario.document.errata if one.at == f"{force.id}/{part.id}" and str(read) in one.read_as
        ]
        assert printed == read or told


def test_every_formation_of_the_files_is_printed() -> None:
    for number in NUMBERS:
        assert list(formations(opened(number))) == [order.where for order in ORDERS[number]]


# -- places ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "name", "whole", "samples"), AREAS, ids=[f"{a[0]}: {a[1]}" for a in AREAS])
def test_where_formations_set_up_or_enter(number: int, name: str, whole: str, samples: str) -> None:
    scenario = opened(number)
    labels = scenario.map.labels
    areas = ScenarioAreas(scenario.document, scenario.map.survey, scenario.ruleset)
    found = {labels.label(cell) for cell in areas.of_formation(name)}
    if whole:
        assert found == set(whole.split())
    for sample in samples.split():
        assert (sample[1:] in found) == (sample[0] == "+"), sample


def test_who_enters_and_when() -> None:
    found = {
        (number, part.id): part.arrival_turn
        for number in NUMBERS
        for force in opened(number).document.forces
        for part in force.formations
        if part.arrival == "enter"
    }
    assert found == ENTERS


@pytest.mark.parametrize("number", NUMBERS)
def test_who_stands_in_a_hex_that_is_named(number: int) -> None:
    scenario = opened(number)
    roster = roster_of(scenario.ruleset, scenario.document)
    found: dict[str, Counter[str]] = {}
    for unit in (u for force in scenario.document.forces for part in force.formations for u in part.units):
        if unit.at:
            found.setdefault(unit.at, Counter())[roster[unit.type].name] += unit.count
    said = {at: ", ".join(f"{name} {count}" for name, count in sorted(has.items())) for at, has in found.items()}
    assert said == STANDING.get(number, {})


@pytest.mark.parametrize("number", NUMBERS)
def test_who_carries_what(number: int) -> None:
    scenario = opened(number)
    roster = roster_of(scenario.ruleset, scenario.document)
    units = {u.id: u for force in scenario.document.forces for part in force.formations for u in part.units}

    def first_word(name: str) -> str:
        return str(roster[units[name].type].name).removeprefix("Recon ").split(" ")[0]

    found = {f"{first_word(one.id)}>{first_word(one.carried_by)}" for one in units.values() if one.carried_by}
    assert ", ".join(sorted(found)) == CARRIED.get(number, "")


# -- ends, points, chance ----------------------------------------------------------------------------------------------

POINTS = {
    # side event points, for what.
    1: "isil eliminate 2; isil loot_and_exit 2; rebel eliminate 1; rebel eliminate 2; rebel eliminate 3",
    2: "isil eliminate 1; isil eliminate 1; rebel exit 4",
    3: "isil eliminate -2; isil hold 1; isil survive 1; rebel eliminate -2; rebel hold 1; rebel survive 1",
    4: "isil eliminate 1; isil exit 6; rebel eliminate 1; rebel eliminate 4",
    5: "isil eliminate 1; isil hold 2; isil other -1; israel eliminate 1",
    6: "russia eliminate -1; russia eliminate 1; russia hold 3; russia hold 3; russia hold 5; "
    "turkmenistan eliminate -1; turkmenistan eliminate 1; "
    "turkmenistan hold 3; turkmenistan hold 3; turkmenistan hold 5",
    7: "allies eliminate 2; allies lose -1; allies lose -2; allies lose -3",
    8: "isil exit 1; isil exit 2",
    9: "isil loot_and_exit 0; us capture 0; us destroy 0; us destroy 0",
    10: "rebel other 4; rebel survive 1",
    11: "isil eliminate 1; isil eliminate 3; russia eliminate 1",
    12: "isil eliminate -1; isil eliminate 2; isil hold 1; isil hold 2; isil hold 3; isil hold 4; us eliminate -1; "
    "us eliminate 1; us survive 1; us survive 2; us survive 3; us survive 4",
    13: "israel eliminate 1; israel eliminate 2; rebel eliminate 1; rebel eliminate 2; russia eliminate -1; "
    "russia eliminate 1; russia hold 2; russia hold 4; us eliminate -1; us eliminate 1; us hold 2; us hold 4",
    14: "isil eliminate 1; isil eliminate 2; isil survive 2; isil survive 4; rebel eliminate 1; rebel exit 2; "
    "rebel exit 3",
    15: "russia eliminate 2; russia eliminate 3; us eliminate 2; us eliminate 3",
}
TOTALS = {
    1: {"isil": 18, "rebel": 18},
    2: {"isil": 13, "rebel": 12},
    5: {"israel": 13},
    8: {"isil": 44},
    11: {"isil": 27 + 10, "russia": 21},
    14: {"rebel": 30 + 26},
}
MOST = {10: {"rebel-units": 14, "rebel-loot": 16}, 11: {"isil-russians": 27}, 14: {"rebel-eliminate": 26}}
WINS = {
    1: "isil by 4, else rebel",
    2: "more, else rebel",
    7: "allies at 18",
    8: "isil at 22",
    10: "rebel at 20",
    9: "4 ways",
}


@pytest.mark.parametrize("number", NUMBERS)
def test_points_and_victory(number: int) -> None:
    document = opened(number).document
    assert "; ".join(sorted(f"{o.side} {o.event} {o.points}" for o in document.objectives)) == "; ".join(
        sorted(POINTS[number].split("; "))
    )
    victory = document.victory
    assert victory is not None
    assert victory.printed_totals == TOTALS.get(number, {})
    assert {one.id: one.most for one in document.objectives if one.most is not None} == MOST.get(number, {})
    said = "more"
    if victory.margin is not None:
        said = f"{victory.side} by {victory.margin}"
    elif len(victory.results) == 2:
        said = f"{victory.results[0].side} at {victory.results[0].least_points}"
    elif victory.results:
        said = f"{len(victory.results)} ways"
    if victory.otherwise and not victory.results:
        said += f", else {victory.otherwise}"
    assert said == WINS.get(number, "more")


def hexes(number: int, objective: str) -> set[str]:
    found = next(one for one in opened(number).document.objectives if one.id == objective)
    if found.where is None:
        return set(found.hexes)
    scenario = opened(number)
    areas = ScenarioAreas(scenario.document, scenario.map.survey, scenario.ruleset)
    return {scenario.map.labels.label(cell) for cell in areas.cells(found.where)}


def test_hexes_that_count() -> None:
    assert hexes(3, "rebel-hold") == {"G11", "H11", "G13", "I12"}
    assert hexes(3, "isil-hold") == {"G15", "H14", "H15", "I14"}
    assert hexes(4, "isil-official") == {"X1", "X0"}  # X0 is the half hex between X1 and the edge
    assert hexes(5, "isil-village") == {"T7", "T9", "U9", "V8", "V10"}
    for side in ("russia", "turkmenistan"):
        assert hexes(6, f"{side}-palace") == {"X3"}
        assert hexes(6, f"{side}-parliament") == {"Z1"}
        assert hexes(6, f"{side}-ministry") == {"Z7"}
    assert hexes(8, "isil-vehicles") == hexes(8, "isil-militia") == {"AA6", "AA7", "AA8", "AA9", "AA10"}
    for side in ("us", "russia"):
        assert hexes(13, f"{side}-key-hexes") == {"Z1", "X3", "Z7"}
        assert {"Y2", "T6", "H12"} <= hexes(13, f"{side}-hexes")
        assert not {"Z1", "X3", "Z7", "V6"} & hexes(13, f"{side}-hexes")


@pytest.mark.parametrize(("column", "isil", "us"), [("AA", 1, 4), ("Z", 2, 3), ("Y", 3, 2), ("X", 4, 1)])
def test_scenario_12_counts_by_column(column: str, isil: int, us: int) -> None:
    document = opened(12).document
    points = {one.id: one.points for one in document.objectives}
    for side, value in (("isil", isil), ("us", us)):
        name = f"{side}-{column.lower()}"
        assert points[name] == value
        columns = {re.sub(r"\d", "", label) for label in hexes(12, name)}
        assert columns == ({column} if column != "X" else {"T", "U", "V", "W", "X"})


def test_what_ends_a_game_before_its_length() -> None:
    assert {number: len(opened(number).document.ends) for number in NUMBERS if opened(number).document.ends} == {
        2: 1,
        4: 2,
        8: 1,
        10: 2,
        15: 1,
    }


CUP = {
    2: "other.hidden_marker 2 start",
    3: "other.artillery_2 1 first_refill",
    8: "israel.harop_drone 1 start, other.artillery_1 1 start",
    10: "formation_marker 1 event, formation_marker 2 event",
    11: "other.rocket_strike 1 first_refill once, other.rocket_strike 1 start once",
    13: "formation_marker 1 first_refill, formation_marker 1 first_refill, formation_marker 2 first_refill",
    14: "formation_marker 1 activation 12, other.artillery_2 1 start",
}
SUPPORT = {
    3: "artillery 1",
    8: "drone 1, mines 1",
    9: "guided 2",
    11: "rockets 2",
    12: "artillery 3",
    14: "artillery 1",
}
POOLS = {4: "1+1 in 2, 1+3 in 4", 5: "1+2 in 3", 9: "1+2 in 3", 10: "4+4+6 in 14"}


@pytest.mark.parametrize("number", NUMBERS)
def test_cup_support_and_what_is_hidden(number: int) -> None:
    document = opened(number).document
    cup = [
        f"{one.type} {one.count} {one.enters}{f' {one.after}' * bool(one.after)}{' once' * (not one.returns)}"
        for one in document.cup
    ]
    assert ", ".join(sorted(cup)) == CUP.get(number, "")
    assert ", ".join(sorted(f"{one.kind} {one.missions}" for one in document.support)) == SUPPORT.get(number, "")
    pools = [
        f"{'+'.join(str(lot.count) for lot in pool.lots)} in {len(pool.for_units) + len(pool.places)}"
        for pool in document.pools
    ]
    assert ", ".join(pools) == POOLS.get(number, "")


# -- special rules -----------------------------------------------------------------------------------------------------


def test_special_rules_that_reach_sight_and_movement() -> None:
    special = {number: opened(number).document.special for number in NUMBERS}
    wells = {"E11", "G12", "H9", "J12", "M12", "T7", "U9", "V10"}
    assert {n: set(one.smoke) for n, one in special.items() if one.smoke} == {7: wells}
    assert {n: set(one.closed) for n, one in special.items() if one.closed} == {7: wells, 8: {"G12"}}
    assert {n: one.haze_step for n, one in special.items() if one.haze_step} == {7: 4}
    assert {n: one.surveillance for n, one in special.items() if one.surveillance} == {5: ("israel",), 12: ("us",)}
    assert {n: one.terrain_overrides for n, one in special.items() if one.terrain_overrides} == {
        13: {"light_urban": "dense_urban"},
        14: {"light_urban": "rough", "dense_urban": "rough"},
    }
    seen = {n: (one.visibility, one.visibility_modifier) for n, one in special.items() if one.visibility}
    assert seen == {15: (8, -2)}
    assert "4 black dice" in special[15].visibility_roll


def test_restraints_of_scenarios_13_and_15() -> None:
    detente = {part.id: part for force in opened(13).document.forces for part in force.formations}
    for name, other in (("armor-69", "russia"), ("infantry-36", "russia"), ("serduyakov", "us"), ("rifle-696", "us")):
        assert [(one.forbidden, one.against) for one in detente[name].restraints] == [(("fire",), (other,))]
    for name in ("saar", "gideon", "rebels"):
        assert not detente[name].restraints
    for name in ("saleh", "mansur", "shaddadeh"):
        assert [one.forbidden for one in detente[name].restraints] == [("move",)]
    teams = {force.id: force.team for force in opened(13).document.forces}
    assert teams["us"] == teams["israel"] != teams["russia"] == teams["rebel"]
    knives = opened(15).document.forces[1]
    assert {(one.forbidden, one.until is not None) for part in knives.formations for one in part.restraints} == {
        (("move", "fire"), True)
    }


def test_elite_loaded_and_grades() -> None:
    def of(number: int, field: str) -> dict[str, str]:
        parts = [part for force in opened(number).document.forces for part in force.formations]
        return {part.id: getattr(part, field) for part in parts if getattr(part, field)}

    assert of(9, "quality") == {"mansur": "elite", "saleh": "elite"}
    assert of(14, "quality") == {"defectors": "elite", "technicals": "elite"}
    assert of(1, "loaded") == of(5, "loaded") == {"saleh": "must"}
    assert of(15, "loaded") == {"rifle-696": "must"}
    red = {unit.type: unit.count for unit in opened(11).document.forces[0].formations[0].units}
    assert red == {"russia.t_14_armata": 1, "russia.t_14_armata_low": 2}


def test_what_is_noted_down_in_secret_is_so_before_the_first_turn() -> None:
    secret = {number: [one.when for one in opened(number).document.pools if one.how == "chosen"] for number in NUMBERS}
    assert {number: found for number, found in secret.items() if found} == {
        4: ["set_up", "set_up"],
        5: ["set_up"],
        9: ["set_up"],
    }


def test_all_units_of_scenario_12_recover_one_step_more() -> None:
    given = {number: dict(opened(number).document.ratings) for number in NUMBERS if opened(number).document.ratings}
    assert given == {12: {"extra_recovery": 1}}


def test_more_counters_than_the_box_holds_are_errata() -> None:
    used = {6: "support.kornet", 9: "isil.bmp_3m", 11: "russia.advanced_infantry", 13: "support.kornet"}
    for number, kind in used.items():
        assert kind in {one.at for one in opened(number).document.errata}
    assert {"isil.bmp_2", "isil.infantry", "rebel.technical"} <= {one.at for one in opened(14).document.errata}
