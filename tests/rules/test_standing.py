"""Where units may stand at the start, and what they face."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import studio
from studio.errors import EditError, LabelError, UnknownNameError
from studio.model import UnitRecord
from studio.rules import get_ruleset
from studio.rules.standing import facing_fault

MAPS = Path(__file__).parents[2] / "maps"


def scenario_on(name: str) -> Any:
    made = studio.new_scenario(studio.open_map(MAPS / f"{name}.map.json", recover_unsaved=False))
    made.add_force("Blue")
    made.add_formation("Blue", "First")
    return made


@pytest.mark.parametrize(
    ("name", "unit_type", "at", "words"),
    [
        ("armageddon-1", "isil.m1a1", "C4", ""),
        ("armageddon-1", "isil.m1a1", "ZZ99", "no such place"),
        ("phantom-fury", "usmc.m1a1_abrams", "28", ""),
        ("phantom-fury", "usmc.m1a1_abrams", "28 2", "cannot enter"),
        ("phantom-fury", "usmc.squad", "28 2", ""),
        ("urban-1", "foot.infantry", "2.1", ""),
        ("urban-1", "vehicle.apc", "2.1", "cannot enter room"),
        ("tactics-1", "us.rifle", "C2", ""),
    ],
)
def test_why_not(name: str, unit_type: str, at: str, words: str) -> None:
    made = scenario_on(name)
    found = made.why_not(unit_type, at)
    assert (words in found) if words else found == ""


def test_the_stacking_limit_counts_a_side_and_not_what_moves() -> None:
    made = scenario_on("tactics-1")
    made.add_force("Red")
    made.add_formation("Red", "Cells")
    ids = [made.place("us.rifle", "C2", formation="first") for _ in range(2)]
    assert "3 units of blue; the stacking limit is 2" in made.why_not("us.rifle", "C2", force="blue")
    assert made.why_not("us.rifle", "C2", force="blue", moving=ids[:1]) == ""
    assert made.why_not("us.rifle", "C2", force="red") == ""
    assert made.why_not("us.captain", "C2", force="blue") == ""  # a single person does not count
    with pytest.raises(EditError, match=r"rifle-3 at C2: 3 units of blue.*anyway=True"):
        made.place("us.rifle", "C2", formation="first")
    third = made.place("us.rifle", "C2", formation="first", anyway=True)
    assert made.units_at("C2") == [*ids, third]
    other = made.place("us.rifle", "D2", formation="first", count=2)
    with pytest.raises(EditError, match="stacking"):
        made.move([*ids, other], "E2")


def test_facings_go_by_the_grid_and_the_game() -> None:
    tactics, armageddon = get_ruleset("modern_tactics"), get_ruleset("armageddon_war")
    roster = tactics.scenario.roster()
    assert facing_fault(tactics, roster["us.humvee"], "NE", "flat") == ""
    assert "no hexside E" in facing_fault(tactics, roster["us.humvee"], "E", "flat")
    assert facing_fault(tactics, roster["us.humvee"], "E", "pointy") == ""
    assert "only vehicles (22.4) do" in facing_fault(tactics, roster["us.rifle"], "NE", "flat")
    assert "face no hexside" in facing_fault(armageddon, armageddon.scenario.roster()["isil.m1a1"], "N", "flat")


def test_a_vehicle_moves_from_its_facing() -> None:
    made = scenario_on("tactics-1")
    here = next(label for label in ("F10", "L9", "M10", "N10") if not made.why_not("us.humvee", label))
    name = made.place("us.humvee", here, formation="first", facing="N")
    ahead = made.reach(name).to_frame()
    made.turn(name, "S")
    behind = made.reach(name).to_frame()
    assert not ahead.equals(behind)
    assert made.situation.units[0].record == UnitRecord(id=name, type="us.humvee", at=here, facing="S")


def test_names_are_told_with_what_there_is() -> None:
    made = scenario_on("armageddon-1")
    with pytest.raises(UnknownNameError, match=r"isil\.m1a1"):
        made.place("isil.m1a", "C4")
    with pytest.raises(LabelError, match="ZZ99"):
        made.place("isil.m1a1", "ZZ99")
    with pytest.raises(UnknownNameError, match="first"):
        made.place("isil.m1a1", "C4", formation="frist")
    with pytest.raises(EditError, match="count"):
        made.place("isil.m1a1", "C4", count=0)
    with pytest.raises(EditError, match="unknown field"):
        made.place("isil.m1a1", "C4", armour=3)
    name = made.place("isil.m1a1", "C4")
    with pytest.raises(UnknownNameError, match=name):
        made.move("m1a1-9", "C4")
    with pytest.raises(EditError, match="carried by"):
        made.change_unit(name, carried_by=name)
    assert made.unit(name).at == "C4"


def test_carried_units_fall_off_what_is_removed_and_areas_are_made() -> None:
    made = scenario_on("armageddon-1")
    truck = made.place("other.truck", "C4")
    men = made.place("isil.infantry", carried_by=truck)
    made.remove(truck)
    assert (made.unit(men).carried_by, made.unit(men).at) == ("", "C4")
    made.undo()
    assert made.unit(men).carried_by == truck
    made.last_for(6)
    made.set_up_area("first", ["C4", "C5"], within=1)
    made.set_up_area("first", "D4", add=True)
    made.set_up_area("first", ["C4"], take=True)
    assert made.document.forces[0].formations[0].where.hexes == ("C5", "D4")
    assert {"C5", "C6", "D4"} <= set(made.area("first"))
    made.enter_at("first", edges=["north"], turn=2)
    assert made.document.forces[0].formations[0].where.hexes == ()
    with pytest.raises(EditError, match="allowed: 1 to 6"):
        made.arrive("first", 7)
    with pytest.raises(LabelError):
        made.set_up_area("first", ["nowhere"])
    aim = made.add_objective("blue", 2, hexes=["C4"])
    made.change_objective(aim, points=5, unit_types="isil.m1a1")
    assert made.document.objectives[0].unit_types == ("isil.m1a1",)
    note = made.add_note("C4", "Wells")
    made.change_note(note, side="blue")
    made.use_map(out_of_play=["C4"])
    assert "scenario.in_play" in {one.rule for one in made.check()}
    assert made.history[-1] == "Change the part in play"


def test_what_enters_does_not_stack_at_its_entry(tmp_path: Path) -> None:
    desert = studio.new_map("armageddon_war", columns=6, rows=5)
    desert.save(tmp_path / "desert.map.json")
    raid = studio.new_scenario(desert)
    raid.add_force("Red", force_id="red")
    raid.add_formation("red", "Column", formation_id="column")
    raid.set_up_area("column", "0101")
    raid.place("rebel.militia", "0101", formation="column", count=5, unit_id="militia", anyway=True)
    assert [finding.at for finding in raid.check() if finding.rule == "scenario.stacking"] == ["0101"]
    assert raid.why_not("rebel.militia", "0101", force="red") == "6 units of red; the stacking limit is 2 a hex"
    raid.enter_at("column", "0101")
    assert not [finding for finding in raid.check() if finding.rule == "scenario.stacking"]
    assert raid.why_not("rebel.militia", "0101", force="red") == ""
    raid.change_unit("militia", at="", anyway=True)
    raid.place_set_up(raid.set_up_answer())
    assert not raid.units_at("0101")  # it is not on the map before it enters
    raid.place_set_up(raid.set_up_answer(), entering=True)
    assert raid.units_at("0101")
    assert "scenario.stacking" not in {finding.rule for finding in raid.check()}
