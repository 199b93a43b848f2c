"""The rosters: every kind is what the text says, moves as the game moves, and can be in a scenario."""

import json
from pathlib import Path

import pytest

import studio
from studio.cli import main
from studio.errors import UnknownNameError
from studio.model import Formation, UnitRecord
from studio.rules import get_ruleset, ruleset_ids
from studio.rules.modern_tactics.scenario import casualty_points
from tests.maps.quarter import Quarter
from tests.paths.units import force, scenario, unit

MAPS = Path(__file__).parents[2] / "maps"


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_kind_moves_as_the_game_moves(name: str) -> None:
    ruleset = get_ruleset(name)
    roster = ruleset.scenario.roster()
    assert roster
    for key, kind in roster.items():
        assert kind.id == key
        assert kind.name
        assert not kind.mover or kind.mover in ruleset.movers, key
        assert not kind.transport or kind.kind in {"vehicle", "air"}, key
    with pytest.raises(UnknownNameError, match="unknown unit type"):
        ruleset.scenario.unit_type("none")


@pytest.mark.parametrize("name", ["modern_tactics", "urban_operations", "phantom_fury"])
def test_every_unit_has_a_role_and_a_section(name: str) -> None:
    rules = get_ruleset(name).scenario
    for key, kind in rules.roster().items():
        assert kind.role, key
        assert kind.section, key
        assert rules.unit_type(key) is kind
    kinds = rules.roster()
    units = tuple(UnitRecord(id=f"u{n}", type=key, count=2) for n, key in enumerate(kinds))
    formation = Formation(id="all", name="all", units=units)
    fighting = [kind for kind in kinds.values() if kind.kind in {"infantry", "vehicle", "air"}]
    assert rules.formation_units(formation) == 2 * len(fighting)
    assert rules.formation_points(formation) == 0


def test_modern_tactics_has_the_figures_that_the_text_prints() -> None:
    """22.1 and 22.4 (allowances), 8, 10 and 25 (firepower), Playbook 3 (quality)."""
    kind = get_ruleset("modern_tactics").scenario.unit_type
    assert [kind(name).movement for name in ("us.rifle", "us.humvee", "us.bradley", "canadian.ceng")] == [4, 7, 6, 3]
    assert (kind("us.rifle").firepower, kind("us.rifle").defence, kind("insurgent.fighters").defence) == (5, 4, 3)
    assert (kind("support.rpg_7").firepower, kind("support.rpg_7").range, kind("support.rpg_7").anti_tank) == (3, 7, 8)
    assert (kind("support.demo").firepower, kind("insurgent.bomber").firepower) == (10, 5)
    assert [kind(name).quality for name in ("us.ranger", "insurgent.recruits", "us.rifle")] == ["elite", "poor", ""]
    assert kind("us.sergeant").command_range == 0  # on its counter only


def test_casualty_points_of_modern_tactics() -> None:
    """1.6 and Playbook 3: those of units that exit, too."""
    kind = get_ruleset("modern_tactics").scenario.unit_type
    names = (
        "us.apache", "us.stryker", "insurgent.truck", "us.rifle", "us.mortar", "canadian.team", "us.sergeant",
        "insurgent.sniper", "field.civilians", "insurgent.bomber", "support.lmg", "field.wire",
    )  # fmt: skip
    assert [casualty_points(kind(name)) for name in names] == [3, 2, 1, 2, 1, 1, 1, 1, 1, 0, 0, 0]
    assert casualty_points(kind("us.rifle"), reduced=True) == 1
    assert casualty_points(kind("us.stryker"), reduced=True) == 2


def test_what_stacks_in_modern_tactics() -> None:
    """18.0: vehicles, squads and teams; neither single persons, helicopters nor weapons."""
    rules = get_ruleset("modern_tactics").scenario
    names = ("us.rifle", "us.humvee", "us.mortar", "us.sergeant", "us.sniper", "us.apache", "support.lmg", "field.wire")
    stacking = [rules.stacks(rules.unit_type(name)) for name in names]
    assert stacking == [True, True, True, False, False, False, False, False]


def test_leaders_are_attached() -> None:
    """7.2 and 7.3"""
    rules = get_ruleset("modern_tactics").scenario
    kind = rules.unit_type
    to = ("us.rifle", "us.mortar", "us.sniper", "us.humvee")
    assert [rules.attaches(kind("us.captain"), kind(name)) for name in to] == [True, True, False, False]
    assert [rules.attaches(kind("other.armor_leader"), kind(name)) for name in to] == [False, False, False, True]
    land = studio.new_map("modern_tactics", columns=3, rows=3)
    said = force("us", unit("a", "us.rifle", "0101"), unit("b", "us.captain", carried_by="a"))
    assert "scenario.carriers" not in {found.rule for found in scenario(land, said).check()}
    wrong = force("us", unit("a", "us.rifle", "0101"), unit("b", "us.mortar", carried_by="a"))
    assert "scenario.carriers" in {found.rule for found in scenario(land, wrong).check()}


def test_the_units_of_a_game_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "modern_tactics", "--units"]) == 0
    out = capsys.readouterr().out
    assert "us.rifle" in out
    assert " points" not in out
    assert main(["rules", "armageddon_war", "--units", "--json"]) == 0
    assert {"type", "mover", "points"} <= set(json.loads(capsys.readouterr().out)["units"][0])


def test_who_may_stand_where_in_modern_tactics() -> None:
    rules = get_ruleset("modern_tactics").scenario
    land = studio.new_map("modern_tactics", columns=3, rows=3).paint("0202", terrain="grape_fields")
    cell = land.labels.cell("0202")
    names = ("us.rifle", "us.humvee", "us.bradley", "us.apache", "support.lmg")
    assert [rules.can_stand(rules.unit_type(name), land.survey, cell) for name in names] == [
        True, False, True, True, True,
    ]  # fmt: skip


def test_blocks_of_urban_operations() -> None:
    """4.3.2.1 (levels), 7.1 (command), 8.2.6 (scouting), 7.3 (requests), 7.2.2 (allowances)."""
    rules = get_ruleset("urban_operations").scenario
    kinds = rules.roster().values()
    two = {kind.role for kind in kinds if kind.levels == 2}
    assert two == {"coy_comd", "logistics", "jfo", "sniper"}
    assert {kind.role: kind.command_range for kind in kinds if kind.command_range} == {"coy_comd": 6, "plt_comd": 6}
    assert {kind.role for kind in kinds if kind.scouting == 10} == {"scout", "sniper", "jfo"}
    assert {kind.role: kind.request_range for kind in kinds if kind.request_range} == {
        "plt_comd": 15,
        "cp": 20,
        "jfo": 20,
    }
    assert [rules.allowance(rules.unit_type(name)) for name in ("foot.scout", "vehicle.mbt")] == [6, 12]
    assert rules.allowance(rules.unit_type("environment.dummy")) is None


def test_who_may_stand_where_in_urban_operations() -> None:
    quarter = Quarter()
    rules = get_ruleset("urban_operations").scenario
    foot, tank = rules.unit_type("foot.infantry"), rules.unit_type("vehicle.mbt")
    room, street = (quarter.directory.number(label) for label in ("1.1", "1210"))
    assert [rules.can_stand(kind, quarter.survey, at) for kind in (foot, tank) for at in (room, street)] == [
        True, True, False, True,
    ]  # fmt: skip


def test_units_of_phantom_fury() -> None:
    """5.1 and 5.2: points of movement, combat factors, step losses, and how many there are."""
    rules = get_ruleset("phantom_fury").scenario
    kind = rules.unit_type
    assert [kind(name).movement for name in ("usmc.squad", "usmc.iif_squad", "usmc.m1a1_abrams")] == [4, 4, 0]
    assert [kind(name).combat for name in ("usmc.squad", "usmc.iif_squad", "usmc.m1a1_abrams")] == [0, 4, 8]
    assert [kind(name).quantity for name in ("usmc.squad", "usmc.iif_squad", "usmc.caat")] == [15, 3, 4]
    assert (kind("usmc.squad").steps, kind("insurgents.martyrs").steps, kind("insurgents.martyrs").mover) == (2, 1, "")


def test_who_may_stand_where_in_phantom_fury() -> None:
    """No hex is a location, and tanks keep to the ground (12.6)."""
    rules = get_ruleset("phantom_fury").scenario
    survey = studio.open_map(MAPS / "phantom-fury.map.json", recover_unsaved=False).survey
    squad, tank = rules.unit_type("usmc.squad"), rules.unit_type("usmc.m1a1_abrams")
    assert not rules.can_stand(squad, survey, 0)
    boxes = [one for one in survey.directory.others if one.kind == "place"]
    upper = next(one.number for one in boxes if one.label.endswith(" R"))
    ground = next(one.number for one in boxes if one.label.endswith(" OG"))
    assert [rules.can_stand(kind, survey, at) for kind in (squad, tank) for at in (upper, ground)] == [
        True, True, False, True,
    ]  # fmt: skip
