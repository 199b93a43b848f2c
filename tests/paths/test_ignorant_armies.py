"""Operational movement (11.0, 5.3) and strategic movement (9.0) of Ignorant Armies, rule by rule."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import GridError, ScenarioRuleError, UnknownNameError
from studio.rules.ignorant_armies.paths import landing_hexes
from studio.rules.ignorant_armies.scenario import roster, unit_type, year_of
from tests.paths.boards import Board, Unit, random_board

ROW = tuple(f"{column:02}05" for column in range(1, 17))
HALF = Fraction(1, 2)


def board(**changes: Any) -> Board:
    return Board(columns=16, rows=10, border=8).but(**changes)


def cost(where: Board, a: str, b: str, mover: str = "ground", **state: Any) -> Fraction | None:
    found: Fraction | None = where.drawn().step(a, b, mover=mover, state=state or None).cost
    return found


def why(where: Board, a: str, b: str, mover: str = "ground", **state: Any) -> str:
    return str(where.drawn().step(a, b, mover=mover, state=state or None))


# -- 11.9 to 11.21 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "ground", "mountain"),
    [("clear", 1, 1), ("hills", 2, 1), ("mountains", 3, 1), ("marsh", 2, 2), ("city", 1, 1), ("lake", None, None)],
)
def test_terrain_by_unit_type(terrain: str, ground: int | None, mountain: int | None) -> None:
    where = board(terrain={"0404": terrain})
    assert cost(where, "0304", "0404") == ground
    assert cost(where, "0304", "0404", "mountain_infantry") == mountain
    assert cost(where, "0304", "0404", "marines") == ground


def test_half_a_point_along_the_drawn_road_only() -> None:
    where = board(terrain={"0505": "mountains"}, roads=(ROW[:8],))
    assert cost(where, "0405", "0505") == HALF
    assert cost(where, "0504", "0505") == 3  # into the road hex from aside


@pytest.mark.parametrize(("reading", "leaving"), [("both", 1), ("entered", HALF)])
def test_the_road_rate_needs_hexes_friendly_at_the_start(reading: str, leaving: Fraction) -> None:
    made = board(roads=(ROW,)).drawn()
    asked: dict[str, Any] = {"mover": "ground", "options": {"road_friendly": reading}, "state": {"hostile": ["0905"]}}
    assert made.step("0805", "0905", **asked).cost == 1
    assert made.step("0905", "0805", **asked).cost == leaving
    assert "0905 was not friendly at the start of the phase" in str(made.step("0805", "0905", **asked))


def test_the_scenario_says_which_roads_are_friendly() -> None:
    where = board(roads=(ROW,), units=(Unit("a", "iraq", "0905"), Unit("x", "iran", "0205")))
    scenario = where.scenario()
    state = scenario.movement_state("iraq")
    assert {"1005", "0205"} <= set(state["hostile"])
    assert "0905" not in state["hostile"]
    assert (state["country"], state["enemies"]) == ("Iraq", ["0205"])
    assert "turn" not in state  # what says nothing is left out
    assert scenario.map.step("0805", "0905", mover="ground", state=state).cost == HALF
    assert scenario.map.step("0905", "1005", mover="ground", state=state).cost == 1


def test_rivers_and_bridges() -> None:
    river = board(rivers=frozenset({frozenset(("0405", "0505"))}))
    assert cost(river, "0405", "0505") == 2
    assert cost(river, "0405", "0505", "marines") == 1
    bridge = river.but(roads=(ROW[:8],))
    assert cost(bridge, "0405", "0505") == HALF
    # The bridge stands whoever holds the road: only the road rate is lost.
    assert cost(bridge, "0405", "0505", hostile=["0505"]) == 1


def test_all_water_hexes_and_hexsides_are_closed_under_a_road_too() -> None:
    wet = board(all_water=frozenset({frozenset(("0405", "0505"))}), roads=(ROW,))
    assert cost(wet, "0405", "0505") is None
    assert "across an all-water hexside" in why(wet, "0405", "0505")
    lake = board(terrain={"0505": "lake"}, roads=(ROW,))
    assert cost(lake, "0405", "0505") is None


def test_cities_cost_one_off_the_road_and_towns_nothing_of_their_own() -> None:
    where = board(terrain={"0404": "city", "0604": "hills"}, towns=frozenset({"0604"}))
    assert cost(where, "0304", "0404", "mountain_infantry") == 1
    assert cost(where, "0504", "0604") == 2


def test_enemy_occupied_hexes_are_closed_and_full_ones_too() -> None:
    assert cost(board(), "0304", "0404", enemies=["0404"]) is None
    assert "an enemy unit is there" in why(board(), "0304", "0404", enemies=["0404"])
    assert cost(board(), "0304", "0404", blocked=["0404"]) is None


def test_every_unit_can_move_one_hex() -> None:
    made = board(terrain={"0404": "mountains"}, rivers=frozenset({frozenset(("0304", "0404"))})).drawn()
    reach = made.reach("0304", mover="ground", points=2)
    assert "0404" in reach.labels  # 4 points with the river
    lake = board(terrain={"0404": "lake"}).drawn().reach("0304", mover="ground", points=2)
    assert "0404" not in lake.labels


def test_the_baghdad_garrison_never_moves() -> None:
    assert board().drawn().reach("0304", mover="garrison", points=9).labels in (["0304"], ("0304",), [])
    assert "never moves" in why(board(), "0304", "0404", "garrison")
    assert unit_type("iraq.baghdad_garrison").mover == "garrison"


def test_kurdish_units_stay_in_their_area() -> None:
    where = board(kurdish=(3, 10))
    assert cost(where, "0304", "0404", "kurdish") == 1
    assert cost(where, "0804", "0904", "kurdish") == 1  # over the border
    assert cost(where, "0304", "0204", "kurdish") is None
    assert cost(where, "0304", "0204", "ground") == 1


@settings(max_examples=25)
@given(st.integers(0, 10**9))
def test_one_more_road_never_shrinks_what_can_be_reached(seed: int) -> None:
    where, rng = random_board(seed), random.Random(seed)
    a = rng.choice(where.labels())
    b = rng.choice(where.neighbours(a))
    start = rng.choice([label for label in where.labels() if where.terrain.get(label) != "lake"])
    before = where.drawn().reach(start, mover="ground", points=5)
    after = where.but(roads=(*where.roads, (a, b))).drawn().reach(start, mover="ground", points=5)
    assert all(after.costs[label] <= cost for label, cost in before.costs.items())


# -- 3.8, 5.3, 11.16, 11.17 --------------------------------------------------------------------------------------------


def test_iraqi_units_never_enter_kuwait() -> None:
    where = board(kuwait=2)
    assert cost(where, "0304", "0204", country="Iraq") is None
    assert cost(where, "0304", "0204", country="Iran") == 1
    assert "Iraqi units never enter Kuwait" in why(where, "0304", "0204", country="Iraq")


def test_on_turn_1_only_border_hexes_abroad() -> None:
    assert cost(board(), "0804", "0904", country="Iraq", turn=1) == 1
    assert cost(board(), "0904", "1004", country="Iraq", turn=1) is None
    assert cost(board(), "0904", "1004", country="Iraq", turn=2) == 1
    assert cost(board(), "0904", "0804", country="Iran", turn=1) == 1
    assert cost(board(), "0804", "0704", country="Iran", turn=1) is None


@pytest.mark.parametrize("terrain", ["city", "mountains"])
def test_on_turn_1_no_iraqi_unit_enters_cities_and_mountains_of_iran(terrain: str) -> None:
    where = board(terrain={"0904": terrain, "0704": terrain})
    assert cost(where, "0804", "0904", country="Iraq", turn=1) is None
    assert cost(where, "0904", "0804", country="Iran", turn=1) == 1
    assert cost(where, "0604", "0704", country="Iraq", turn=1) is not None


def test_on_turn_1_no_iraqi_mountain_infantry_moves() -> None:
    assert cost(board(), "0304", "0404", "mountain_infantry", country="Iraq", turn=1) is None
    assert cost(board(), "1204", "1304", "mountain_infantry", country="Iran", turn=1) == 1


def test_marines_land_on_the_coast_between_two_columns() -> None:
    sea = {f"{column:02}10": "sea" for column in range(1, 17)}
    where = board(terrain=sea, kuwait=4)
    coast = landing_hexes(where.drawn().survey, "0310", "0910")
    assert {where.drawn().labels.label(cell) for cell in coast} == {f"{column:02}09" for column in range(5, 10)}


def test_marines_land_behind_islands_that_are_out_of_play() -> None:
    sea = {f"{column:02}10": "sea" for column in range(1, 17)}
    where = board(terrain={**sea, "0609": "out_of_play", "0804": "out_of_play"}, kuwait=4)
    coast = landing_hexes(where.drawn().survey, "0310", "0910")
    assert {where.drawn().labels.label(cell) for cell in coast} == {"0509", "0608", "0709", "0809", "0909"}


def test_marines_land_on_no_other_sea() -> None:
    water = {f"{column:02}{row}": "sea" for column in range(1, 17) for row in ("01", "10")}
    coast = landing_hexes(board(terrain=water, kuwait=4).drawn().survey, "0309", "0909")
    assert {cell // 16 for cell in coast} == {8}


def test_what_is_no_step_is_an_error() -> None:
    with pytest.raises(GridError):
        cost(board(), "0304", "0604")
    with pytest.raises(UnknownNameError):
        cost(board(), "0304", "0404", "tracked")
    with pytest.raises(ScenarioRuleError, match="Iraq"):
        cost(board(), "0304", "0404", country="Kuwait")


def test_a_year_has_three_turns_and_the_first_has_one() -> None:
    # 3.4: turn 5 is the first of 1982; 3.6: turn 1 is 1980-III; 4.1: 24 turns.
    assert [year_of(turn) for turn in (1, 2, 5, 11, 24)] == [1980, 1981, 1982, 1984, 1988]


def test_the_roster_has_what_the_text_names() -> None:
    always = {name for name, kind in roster().items() if kind.always_supplied}
    assert always == {"iraq.kdpi", "iraq.aircraft", "iran.special_force_29", "iran.kdp", "iran.puk"}
    assert [(unit_type("iraq.adnan").attack, unit_type("iraq.adnan").defence, unit_type("iraq.adnan").movement)] == [
        (5, 7, 5)
    ]
    assert {name for name, kind in roster().items() if kind.steps == 3} == {
        "iraq.hammurabi",
        "iraq.medina",
        "iraq.tawikalna",
    }
    assert {name for name, kind in roster().items() if kind.mover == "marines"} == {
        "iran.marine_23",
        "iran.guard_marine",
    }
    with pytest.raises(UnknownNameError):
        unit_type("iraq.mariner")


# -- 9.0 ---------------------------------------------------------------------------------------------------------------


def strategic(where: Board, unit: str = "a", turn: int = 2, **options: Any) -> Any:
    scenario = where.scenario()
    side = next(one.side for one in where.units if one.id == unit)
    moves = scenario.strategic_movement(side, turn=turn, options=options)
    return moves, moves.of(next(one for one in scenario.situation.of(side) if one.id == unit))


def rail(**changes: Any) -> Board:
    plain = board(terrain={"0105": "city"}, roads=(ROW,), units=(Unit("a", "iraq", "0105"),))
    return plain.but(**changes)


def test_along_friendly_controlled_road_hexes_any_distance() -> None:
    moves, found = strategic(rail())
    assert found.eligible
    assert set(found.reach) == set(ROW[1:8])  # up to the border
    assert moves.route(moves.situation.of("iraq")[0], rail().cell("0805")) == list(ROW[:8])
    assert moves.route(moves.situation.of("iraq")[0], rail().cell("0905")) == []
    _, further = strategic(rail(control={"iraq": ("0905", "1005")}))
    assert set(further.reach) == set(ROW[1:10])


def test_never_next_to_enemy_units() -> None:
    _, found = strategic(rail(units=(Unit("a", "iraq", "0105"), Unit("x", "iran", "0507"))))
    assert set(found.reach) == set(ROW[1:8])
    _, near = strategic(rail(units=(Unit("a", "iraq", "0105"), Unit("x", "iran", "0506"))))
    watched = rail().neighbours("0506")
    assert list(near.reach) == list(takewhile(lambda label: label not in watched, ROW[1:8]))


def test_it_begins_in_a_supplied_town_or_city_away_from_enemies() -> None:
    _, on_road = strategic(rail(units=(Unit("a", "iraq", "0405"),)))
    assert (on_road.eligible, on_road.reason) == (False, "0405 is no town or city (9.1)")
    _, town = strategic(rail(units=(Unit("a", "iraq", "0405"),), towns=frozenset({"0405"})))
    assert town.eligible
    _, near = strategic(rail(units=(Unit("a", "iraq", "0105"), Unit("x", "iran", "0205"))))
    assert near.reason == "an enemy unit is next to 0105 (9.1)"
    _, hungry = strategic(rail(unrestored=("0105",)))
    assert hungry.reason == "it is out of supply (9.1, 12.2)"
    assert "cannot move strategically" in str(hungry)
    _, garrison = strategic(rail(units=(Unit("a", "iraq", "0105", "iraq.baghdad_garrison"),)))
    assert not garrison.eligible


def test_kurds_move_strategically_inside_their_area_only() -> None:
    where = rail(kurdish=(1, 4), units=(Unit("a", "iraq", "0105", "iraq.kdpi"),))
    assert set(strategic(where)[1].reach) == {"0205", "0305", "0405"}


@pytest.mark.parametrize(("improved", "limit"), [(False, 6), (True, 9)])
def test_six_units_a_turn_and_nine_of_iraq_from_1984_by_choice(improved: bool, limit: int) -> None:
    both = rail(units=(Unit("a", "iraq", "0105"), Unit("x", "iran", "1605")))
    assert strategic(both, turn=11, strategic_improvement=improved)[0].limit == limit
    assert strategic(both, turn=10, strategic_improvement=improved)[0].limit == 6
    assert strategic(both, "x", turn=11, strategic_improvement=improved)[0].limit == 6


def test_there_is_none_on_turn_1() -> None:
    moves, found = strategic(rail(), turn=1)
    assert moves.limit == 0
    assert found.reason == "there is none on game turn 1 (5.3)"


def test_a_scenario_can_give_its_own_number_of_strategic_moves() -> None:
    scenario = rail().scenario()
    side = scenario.document.forces[0].id
    plain = scenario.strategic_movement(side, turn=2).limit
    scenario.set_details(ratings={"strategic_moves": plain + 3})
    assert scenario.strategic_movement(side, turn=2).limit == plain + 3
    scenario.change_force(side, ratings={"strategic_moves": 1})
    assert [scenario.strategic_movement(side, turn=turn).limit for turn in (1, 2)] == [0, 1]
    assert str(scenario.strategic_movement(side, turn=2)).splitlines()[0].endswith("1 at most")
