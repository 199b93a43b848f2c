"""Units of a scenario and movement: mover, allowance and state come from the scenario, in every game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import studio
from studio.errors import LabelError, ScenarioRuleError, UnknownNameError, UnsupportedError
from studio.files import read_scenario, write_scenario_text
from studio.model import Area, MapUse, SpecialRules
from studio.rules import get_ruleset, ruleset_ids
from tests.maps.quarter import Quarter
from tests.paths.units import force, scenario, unit

MAPS = Path(__file__).parents[2] / "maps"


def land(game: str, size: int = 9) -> Any:
    return studio.new_map(game, columns=size, rows=size)


# -- Modern Tactics --------------------------------------------------------------------------------------------------


def patrol(*others: Any, **said: Any) -> Any:
    enemy = force("insurgent", unit("fighters", "insurgent.fighters", "0503"))
    return scenario(land("modern_tactics"), force("us", unit("rifle", "us.rifle", "0505"), *others), enemy, **said)


def test_a_squad_moves_by_the_roster_and_past_enemies() -> None:
    board = patrol()
    found = board.reach("rifle")
    alone = board.map.reach("0505", mover="foot", points=4, state={"enemies": ["0503"]})
    assert found.labels == alone.labels
    assert "0503" not in found.labels
    assert (
        board.route("rifle", "0502").cost
        == board.map.route("0505", "0502", mover="foot", state={"enemies": ["0503"]}).cost
    )
    assert "0503" in board.reach("rifle", enemies=[]).labels
    assert board.reach("rifle", 1).labels == board.map.reach("0505", mover="foot", points=1).labels


def test_the_allowance_of_a_counter_goes_over_that_of_the_roster() -> None:
    slow = patrol(unit("slow", "us.rifle", "0505", figures={"movement": 1}))
    assert slow.reach("slow").labels == slow.reach("rifle", 1).labels
    stuck = patrol(unit("stuck", "us.humvee", "0507", status=("immobilised",)))
    with pytest.raises(UnsupportedError, match="it is immobilised, so that it does not move"):
        stuck.reach("stuck")
    with pytest.raises(ScenarioRuleError, match="nothing says how far it can move"):
        patrol(unit("team", "us.hmg", "0507")).reach("team")
    assert patrol(unit("team", "us.hmg", "0507")).route("team", "0505").cost == 2


def test_who_fills_a_hex_of_modern_tactics() -> None:
    """18.0: two units, or two single persons; what rides does not count, nor does the unit itself."""
    two = (unit("a", "us.humvee", "0506"), unit("b", "us.mortar", "0506"))
    rider = unit("rider", "us.rifle", carried_by="a")
    board = patrol(*two, unit("chief", "us.captain", "0507"), rider)
    assert "0506" not in board.reach("rifle").labels
    assert "0506" in board.reach("chief", 4).labels
    assert board.reach("a", 2).labels[0]
    singles = (unit("c", "us.sergeant", "0506"), unit("d", "us.lieutenant", "0506"), unit("e", "us.sniper", "0507"))
    full = patrol(*singles, unit("chief", "us.captain", "0507"))
    assert "0506" in full.reach("rifle").labels
    assert "0506" not in full.reach("chief", 4).labels
    assert "0506" in full.reach("e", 4).labels
    state = full.movement_state("us")
    assert state["full_of_singles"] == ["0506"]


def test_a_squad_aboard_gets_off_first() -> None:
    """23.0: a point to unload, and the terrain."""
    board = patrol(unit("car", "us.humvee", "0506"), unit("rider", "us.rifle", carried_by="car"))
    riding = board.map.reach("0506", mover="foot", points=4, state={"begins": "aboard", "enemies": ["0503"]})
    assert board.reach("rider").labels == riding.labels
    led = patrol(unit("chief", "us.captain", carried_by="rifle"))
    assert led.reach("chief", 4).labels == led.reach("rifle", 4, kind="single").labels


def test_civilians_and_wrecks_on_the_way() -> None:
    crowd = unit("crowd", "field.civilians", "0506")
    board = patrol(crowd)
    assert board.movement_state("us")["civilians"] == ["0506"]
    wreck = force("other", unit("wreck", "canadian.bison", "0504", status=("wreck",)))
    empty = scenario(land("modern_tactics"), force("us", unit("rifle", "us.rifle", "0505")), wreck)
    assert "0504" in empty.reach("rifle").labels


# -- Urban Operations ------------------------------------------------------------------------------------------------


def test_blocks_move_by_the_rules_of_their_kind() -> None:
    """7.2.2 (6 and 12 points), 8.1.1 (friendly blocks), 8.1.6 and 8.1.7 (what one climbs on)."""
    quarter = Quarter()
    red = force("red", unit("enemy", "foot.infantry", "1309"))
    blocks = (
        unit("squad", "foot.infantry", "1213"),
        unit("truck", "vehicle.truck", "1211"),
        unit("cp", "vehicle.cp", "1210"),
        unit("sappers", "foot.engineer", "1212", status=("ladder",)),
        unit("rider", "foot.infantry", carried_by="truck"),
    )
    board = scenario(quarter.map, force("green", *blocks), red)
    state = board.movement_state("green")
    found = {name: state[name] for name in ("friends", "vehicles", "trucks", "ladders")}
    assert found == {"friends": ["1213"], "vehicles": ["1210"], "trucks": ["1211"], "ladders": ["1212"]}
    said = {"enemies": ["1309"], "vehicles": ["1210"], "trucks": ["1211"], "ladders": ["1212"]}
    assert board.reach("squad").labels == quarter.map.reach("1213", mover="foot", points=6, state=said).labels
    alone = scenario(quarter.map, force("green", unit("truck", "vehicle.truck", "1211")))
    assert alone.reach("truck").labels == quarter.map.reach("1211", mover="vehicle", points=12).labels
    assert board.reach("sappers", 3).labels[0]


# -- Phantom Fury ----------------------------------------------------------------------------------------------------


def test_squads_move_between_boxes_and_insurgents_only_retreat() -> None:
    """12, 13.6"""
    district = studio.open_map(MAPS / "phantom-fury.map.json", recover_unsaved=False)
    boxes = [one for one in district.survey.directory.others if one.kind == "place" and one.label.endswith(" OG")]
    here, there = boxes[0].label, boxes[1].label
    units = (unit("squad", "usmc.squad", here), unit("caat", "usmc.caat", carried_by="squad"))
    foes = (unit("guerillas", "insurgents.guerillas", there), unit("suspect", "insurgents.suspect", boxes[2].label))
    zone = here.partition(" ")[0]
    board = scenario(
        district,
        force("usmc", *units),
        force("insurgents", *foes, unit("martyrs", "insurgents.martyrs", boxes[3].label)),
        control={"usmc": (zone,)},
    )
    said = {"enemies": [there, boxes[3].label], "suspects": [boxes[2].label], "controlled": [zone]}
    found = board.reach("squad")
    assert found.labels == district.reach(here, mover="usmc_squad", points=4, state=said).labels
    state = board.movement_state("usmc")
    assert (state["controlled"], state["squads"]) == ([zone], [here])
    for name in ("guerillas", "martyrs"):
        with pytest.raises(UnsupportedError, match="Retreat Movement only"):
            board.reach(name)


def test_the_points_of_a_tank_are_the_die_s() -> None:
    """12.6.1"""
    district = studio.open_map(MAPS / "phantom-fury.map.json", recover_unsaved=False)
    street = next(area.name or area.id for area in district.survey.features_of(Area) if area.type == "street")
    board = scenario(district, force("usmc", unit("tank", "usmc.m1a1_abrams", street)))
    with pytest.raises(ScenarioRuleError, match="a die"):
        board.reach("tank")
    assert board.reach("tank", 2).labels


# -- Armageddon War and Ignorant Armies ------------------------------------------------------------------------------


def test_units_of_armageddon_war() -> None:
    """3.0, 5.7: enemies, those that are Shaken, and civilians; how a vehicle moves is on its counter."""
    rebels = (unit("militia", "rebel.militia", "0505"), unit("technical", "rebel.technical", "0506"))
    foes = (unit("isil", "isil.militia", "0503", status=("shaken",)), unit("crowd", "other.civilians", "0504"))
    board = scenario(land("armageddon_war"), force("rebel", *rebels), force("isil", *foes))
    state = {"enemies": ["0503"], "shaken": ["0503"], "civilians": ["0504"]}
    expected = board.map.reach("0505", mover="infantry", points=3, state=state)
    assert board.reach("militia", 3).labels == expected.labels
    with pytest.raises(ScenarioRuleError, match="the roster does not say how it moves; give mover="):
        board.reach("technical", 3)
    assert board.reach("technical", 3, mover="wheeled").labels
    with pytest.raises(ScenarioRuleError, match="nothing says how far"):
        board.reach("militia")


def test_units_of_ignorant_armies() -> None:
    """2.4, 5.3, 11: the allowance of a counter that the text prints, and the limits of the first turn."""
    board = scenario(land("ignorant_armies"), force("iraq", unit("adnan", "iraq.adnan", "0505")), force("iran"))
    assert board.reach("adnan").labels == board.map.reach("0505", mover="ground", points=5).labels
    first = board.reach("adnan", turn=1)
    state = {"country": "Iraq", "turn": 1}
    assert first.labels == board.map.reach("0505", mover="ground", points=5, state=state).labels


# -- all games -------------------------------------------------------------------------------------------------------


def test_options_of_the_scenario_hold_for_its_units() -> None:
    rules = get_ruleset("armageddon_war")
    name = next(option for option in rules.option_specs if option == "border_rule")
    value = rules.option_specs[name].values[-1]
    special = SpecialRules(options={name: value})
    board = scenario(land("armageddon_war"), force("one", unit("a", "rebel.militia", "0505")), special=special)
    assert board._options(None)[name] == value
    assert board.reach("a", 2, options={name: rules.option_specs[name].default}).labels
    with pytest.raises(UnknownNameError, match="unknown option"):
        board.reach("a", 2, options={"border": value})


def test_what_is_out_of_play_is_closed() -> None:
    use = MapUse(file="board.map.json", first_column="05")
    board = scenario(land("modern_tactics"), force("us", unit("rifle", "us.rifle", "0505")), map=use)
    columns = {label[:2] for label in board.reach("rifle").labels}
    assert min(columns) == "05"
    route = board.route("rifle", "0405")
    assert route.cost is None
    assert "0405" in route.text


@pytest.mark.parametrize("game", ruleset_ids())
def test_a_unit_has_to_be_there(game: str) -> None:
    kinds = get_ruleset(game).scenario.roster()
    name = next(key for key, kind in kinds.items() if kind.mover)
    board = scenario(land(game), force("one", unit("a", name)))
    with pytest.raises(ScenarioRuleError, match="it has no location yet"):
        board.reach("a", 2)
    with pytest.raises(UnknownNameError, match="did you mean 'a'"):
        board.route("aa", "0101")


def test_what_cannot_be_asked() -> None:
    board = patrol()
    with pytest.raises(UnknownNameError, match="unknown 'enemy'"):
        board.reach("rifle", enemy=["0503"])
    with pytest.raises(LabelError):
        board.reach("rifle", enemies=["9999"])
    with pytest.raises(LabelError):
        board.route("rifle", "9999")
    with pytest.raises(UnknownNameError, match="unknown mover"):
        board.reach("rifle", mover="feet")


def test_quality_status_and_figures_are_kept_in_the_file() -> None:
    said = unit("a", "us.rifle", "0505", quality="elite", status=("reduced", "hidden"), figures={"movement": 3})
    board = scenario(land("modern_tactics"), force("us", said))
    again = read_scenario(write_scenario_text(board.document)).document
    assert again.forces[0].formations[0].units[0] == said
    text = write_scenario_text(board.document).decode()
    assert '"status": ["reduced", "hidden"]' in text
    plain = write_scenario_text(scenario(land("modern_tactics"), force("us", unit("a", "us.rifle"))).document).decode()
    assert "status" not in plain
    assert "figures" not in plain
