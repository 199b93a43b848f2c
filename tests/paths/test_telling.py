"""What answers about movement tell beside the way: odd starts, the rule that bars, what was not asked well."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.errors import ScenarioRuleError, UnknownNameError, UnsupportedError
from studio.model import Force, Formation, SetField, UnitRecord
from studio.paths.barriers import fewest_barriers
from studio.paths.state import read_state, written_state
from tests.paths.boards import Unit
from tests.paths.test_ignorant_armies import ROW, board, rail
from tests.sight.maps import small_map


def tactics(**painted: str) -> Any:
    made = studio.new_map("modern_tactics", columns=7, rows=7)
    for terrain, labels in painted.items():
        made.paint(labels.split(), terrain=terrain)
    return made


@pytest.mark.parametrize("mover", ["foot", "wheeled", "tracked"])
def test_a_move_that_leaves_the_map_is_told_and_drawn(mover: str) -> None:
    made = tactics()
    route = made.finish("0404", ending="exit", mover=mover)
    assert route.stop is None
    assert route.text.startswith("0404 to ")
    assert "off the map" in str(route)
    assert route.to_dict()["found"]
    made.plot_route(route)


def test_it_is_no_stop_where_a_move_ends_aboard() -> None:
    made = tactics()
    assert made.finish("0404", "0403", ending="load", mover="foot", state={"full": ["0403"]}).stop is None


# -- starts ------------------------------------------------------------------------------------------------------------


def test_a_start_where_the_mover_cannot_be_is_told() -> None:
    made = small_map(river="0303", rough="0505")
    route, reach = made.route("0303", "0306", mover="wheeled"), made.reach("0303", mover="wheeled", points=4)
    warning = "the mover cannot be where it starts: 0303 river: closed to wheeled units [3.0]"
    assert route.found
    assert route.warning == reach.warning == warning
    assert route.to_dict()["warning"] == reach.to_dict()["warning"] == warning
    for told in (str(route), str(reach), repr(reach), route._repr_html_(), reach._repr_html_()):
        assert warning in told
    assert made.route("0505", "0506", mover="infantry").warning == ""
    assert "warning" not in made.route("0306", "0303", mover="infantry").to_dict()


def test_a_start_that_the_state_closes_is_not_odd() -> None:
    made = small_map()
    for state in ({"blocked": ["0303"]}, {"enemies": ["0303"]}, {"blocked": ["0302", "0304"]}):
        assert made.reach("0303", mover="tracked", points=4, state=state).warning == ""


def test_who_never_moves_says_why() -> None:
    reach = rail().scenario().map.reach("0105", mover="garrison")
    assert len(reach.labels) == 1
    assert reach.warning == "the mover goes nowhere at all: the Baghdad Garrison never moves [11.1]"
    district = studio.new_map("phantom_fury", columns=12, rows=12)
    district.add("area", id="z1", type="zone", name="1", outline=[[0, 0], [960, 0], [960, 720], [0, 720]])
    district.add("area", id="s1", type="street", name="S1", outline=[[0, 720], [960, 720], [960, 960], [0, 960]])
    district.add("place", type="courtyard", name="1 C", at=[100, 100], within="z1", tags=["door"])
    assert "move by retreat only" in district.reach("1 C", mover="guerillas").warning
    route = district.route("S1", "1 C", mover="m1a1_abrams")
    assert "nothing leads to 1 C: an M1A1 Abrams keeps to street sections and Open Ground [12.6]" in route.text
    assert "squads move from box to box [12.2]" in district.route("S1", "1", mover="usmc_squad").text


# -- barriers ----------------------------------------------------------------------------------------------------------


def test_of_ways_with_as_many_barriers_the_one_without_a_lake_is_told() -> None:
    where = board(terrain={"0904": "lake", "0905": "lake", "1004": "lake"})
    made = where.scenario().map
    state = {"country": "Iraq", "turn": 1}
    route = made.route("0704", "1104", mover="ground", state=state)
    assert not route.found
    assert route.miss is not None
    assert "on game turn 1 only the border hexes of Iran may be entered [5.3]" in route.miss.text
    assert "lake" not in route.miss.text
    judge = made.movement("ground", state=state)
    number = made.survey.directory.number
    path = fewest_barriers(judge, number("0704"), number("1104"))
    assert path is not None
    assert not {"0904", "0905", "1004"} & {judge.label(node) for node in path}


# -- reach -------------------------------------------------------------------------------------------------------------


def test_places_that_can_only_be_passed_are_counted_apart() -> None:
    town = studio.new_map("urban_operations", columns=5, rows=5)
    reach = town.reach("0303", mover="foot", points=1, state={"friends": "0302"})
    assert "7 of 25 hexes for 1 MP, 6 where a move can end" in reach.text
    assert "passed only: 0302" in str(reach)
    assert "where a move can end" not in town.reach("0303", mover="foot", points=1).text
    axes = town.plot_reach(reach, hex_px=40)
    written = [text.get_text() for panel in axes.figure.axes for text in panel.texts]
    assert "passed only, no move ends there (1)" in written
    assert "7 reached, 6 where a move can end" in " ".join(written)


def test_effect_points_are_listed_and_drawn() -> None:
    town = studio.new_map("urban_operations", columns=5, rows=5)
    reach = town.effect_reach("0303", 1)
    assert str(reach).splitlines()[1:] == ["  0 EP: 0303", "  1 EP: 0202 0302 0402 0203 0403 0304"]
    axes = town.plot_reach(reach)
    assert "for 1 EP" in " ".join(text.get_text() for panel in axes.figure.axes for text in panel.texts)
    with pytest.raises(UnsupportedError, match="plot_reach"):
        town.plot_reach("0303")  # type: ignore[arg-type]


def test_points_with_a_half_are_read_as_they_are_written() -> None:
    made = small_map()
    assert (
        made.reach("0303", mover="tracked", points="2½").to_dict()
        == made.reach("0303", mover="tracked", points="5/2").to_dict()
    )
    town = studio.new_map("urban_operations", columns=5, rows=5)
    judge: Any = town.movement("foot")
    assert town.reach("0303", mover="foot", points=judge.allowances()["action"]).points == 3


def test_the_state_of_a_leg_is_told_once() -> None:
    told = str(small_map().route("0301", "0305", mover="tracked", state={"flank": True}))
    assert all(line.count("flank speed") == 1 for line in told.splitlines()[1:])


# -- questions of single games -----------------------------------------------------------------------------------------


def test_retreats_that_are_asked_wrongly() -> None:
    made = small_map(light_woods="0303")
    with pytest.raises(ScenarioRuleError, match=r"status: got 'happy', allowed: '', 'action', 'pinned', 'shaken'"):
        made.retreat("0303", "0301", mover="infantry", status="happy")
    with pytest.raises(ScenarioRuleError, match="no attacker is named"):
        made.retreat("0303", mover="infantry")
    with pytest.raises(ScenarioRuleError, match="needs 'mover', too; give mover='infantry'"):
        made.retreat("0303", "0301")
    with pytest.raises(TypeError):
        made.retreat("0303", "0301", mover="infantry", enemys=["0301"])  # type: ignore[call-arg]
    district = studio.new_map("phantom_fury", columns=5, rows=5)
    with pytest.raises(ScenarioRuleError, match=r"does not ask for 'mover'; .*options"):
        district.retreat("1 C", mover="usmc_squad")
    spots = made.retreat("0303", "0301", mover="infantry")
    assert "not adjacent" in spots.why("0909").text
    assert not spots.why("0909").allowed


def test_nowhere_says_what_fails_for_all() -> None:
    spots = small_map().retreat("0303", "0301", mover="infantry")
    assert spots.labels == []
    told = "0303 clear: +0 DQ for attacks on it; a unit retreats from terrain that lowers them only"
    assert [check.text for check in spots.missing] == [told]
    assert str(spots) == f"retreat from 0303, fired at from 0301: nowhere; {told}"


def test_one_label_or_several_everywhere() -> None:
    made = small_map()
    assert made.logistics("0305", enemies="0301").labels == made.logistics(["0305"], enemies=["0301"]).labels
    one = made.initiative("0303", mover="tracked", points=6, formation="0305", markers="0304")
    assert one == made.initiative("0303", mover="tracked", points=6, formation=["0305"], markers=["0304"])
    land = tactics()
    assert land.command("0404", 2, "0403").labels == ["0403"]
    assert land.spotting("0404", "0403").labels == ["0403"]


# -- scenarios ---------------------------------------------------------------------------------------------------------


def test_a_state_is_written_in_labels_and_read_again() -> None:
    scenario = rail(units=(Unit("a", "iraq", "0105"), Unit("x", "iran", "0905"))).scenario()
    state = scenario.movement_state("iraq", turn=1)
    assert json.loads(json.dumps(state)) == state
    assert state["enemies"] == ["0905"]
    assert (state["country"], state["turn"]) == ("Iraq", 1)
    directory, kind = scenario.map.survey.directory, scenario.ruleset.paths.STATE
    assert written_state(directory, read_state(directory, kind, state)) == state
    pairs = {"openings": [["0404", "0405"]], "kind": "single"}
    land = tactics()
    assert (
        written_state(land.survey.directory, read_state(land.survey.directory, land.ruleset.paths.STATE, pairs))
        == pairs
    )


def test_supply_of_a_hex_where_nobody_can_be_is_odd() -> None:
    scenario = board(terrain={"0105": "city", "0206": "lake"}).scenario()
    (lake,) = scenario.supply("iraq", at="0206")
    assert "no such unit can be there: 0206 lake" in lake.warning
    assert lake.warning in str(lake)
    assert lake.to_dict()["warning"] == lake.warning
    assert str(lake).startswith("0206: ")  # a place stands for itself
    assert scenario.supply("iraq", at="0205")[0].warning == ""


def test_strategic_movement_by_unit() -> None:
    scenario = rail(units=(Unit("a", "iraq", "0105"), Unit("b", "iraq", "0206"))).scenario()
    moves = scenario.strategic_movement("iraq", turn=5)
    assert [one.unit for one in moves] == ["a", "b"]
    assert moves.of("a") == moves[0]
    assert "game turn 5: 1 of 2 units can move strategically, 6 at most" in repr(moves)
    assert list(moves.to_frame()["eligible"]) == [True, False]
    data = json.loads(json.dumps(moves.to_dict()))
    assert set(data["units"][0]["reach"]) == set(ROW[1:8])
    assert "<table>" in moves._repr_html_()
    assert moves.route("a", ROW[2]) == list(ROW[:3])
    with pytest.raises(UnknownNameError, match="'a'"):
        moves.of("aa")


def test_no_strategic_way_says_why() -> None:
    bare = rail(roads=()).scenario().strategic_movement("iraq").of("a")
    assert bare.eligible
    assert not bare.reach
    assert "no road leads out of 0105 (9.2)" in str(bare)
    lost = rail(control={"iran": (ROW[1],)}).scenario().strategic_movement("iraq").of("a")
    assert f"{ROW[1]} is not friendly, it is held by Iran" in lost.reason


def test_a_situation_prints() -> None:
    told = repr(rail().scenario().situation)
    assert told.startswith("Situation: 1 units of 2 sides")
    assert "Iraq (iraq): 1 units, controls" in told


def test_entry_places_are_named_once(tmp_path: Path) -> None:
    made = studio.new_map("ignorant_armies", columns=6, rows=6).paint("0204", terrain="city")
    made.add("area", id="iraq", type="country", name="Iraq", outline=[(0, 0), (4200, 0), (4200, 4800), (0, 4800)])
    made.save(tmp_path / "border.map.json")
    scenario = studio.new_scenario(made)
    units = (UnitRecord(id="a", type="iraq.infantry", at="0303"),)
    force = Force(id="iraq", name="Iraq", formations=(Formation(id="f", name="F", units=units),))
    other = Force(id="iran", name="Iran", formations=())
    scenario.apply(SetField(field="forces", value=[force, other]))
    told = repr(scenario.entry_places("iraq"))
    assert told.startswith("1 place, none out of supply\n0204: in supply")
