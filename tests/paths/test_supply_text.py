"""Supply in Ignorant Armies, sentence by sentence of section 12 (and 3.7, 3.8, 8.2), each on a small board."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.paths.boards import Board, Unit

# Iraq is columns 01 to 08, Iran 09 to 16. Rows of hexes with one number are joined eastwards.
ROW = tuple(f"{column:02}05" for column in range(1, 17))


def board(**changes: Any) -> Board:
    plain = Board(columns=16, rows=10, border=8, terrain={"0105": "city"}, units=(Unit("a", "iraq", "0905"),))
    return plain.but(**changes)


def asked(where: Board, unit: str = "a", **what: Any) -> Any:
    side = next(one.side for one in where.units if one.id == unit)
    return where.scenario().supply(side, **what).unit(unit)


def at(where: Board, label: str, side: str = "iraq", **what: Any) -> Any:
    return where.scenario().supply(side, at=[label], **what)[0]


# -- 12.4: two portions ------------------------------------------------------------------------------------------------


def test_six_points_off_road_to_a_road_hex_and_no_seventh() -> None:
    road = board(roads=(ROW[:8],))
    assert at(road, "1405").cost == 6
    assert at(road, "1405").off_road == 6
    assert at(road, "1405").path[6] == "0805"
    assert at(road, "1505").supplied is False
    assert at(road, "1505").reason == "1 MP short of the road at 0805: 7 MP off road, 6 MP allowed"
    assert at(road, "1505").short == 1


def test_from_there_along_the_road_over_any_length() -> None:
    long = Board(
        columns=60, rows=3, border=50, terrain={"0102": "city"}, roads=(tuple(f"{c:02}02" for c in range(1, 61)),)
    )
    answer = at(long, "6002")
    assert answer.supplied
    assert answer.cost == 0
    assert len(answer.path) == 60
    assert answer.reason == "59 hexes by road to the source 0102"


def test_never_leaving_the_contiguous_road_again() -> None:
    # A gap of one hex in the road: six points would do for it, had the line not left the road before.
    gap = board(roads=(ROW[:4], ROW[5:12]))
    assert at(gap, "0605").cost == 2  # on foot from its hex over the gap
    assert at(gap, "1205").supplied is False
    assert at(gap, "1205").path == ()


def test_the_course_of_the_road_counts_and_not_its_neighbourhood() -> None:
    # Two roads in adjacent hexes that do not join are two roads.
    other = tuple(f"{column:02}06" for column in range(5, 14))
    apart = board(roads=(ROW[:4], other))
    assert at(apart, "1306").supplied is False
    assert at(apart.but(roads=(ROW[:4], other, ("0405", "0505", "0506"))), "1306").supplied


def test_a_unit_on_the_road_traces_directly() -> None:
    road = board(roads=(ROW,))
    answer = at(road, "1605")
    assert (answer.off_road, answer.cost) == (0, 0)


def test_within_six_points_of_a_source_no_road_is_needed() -> None:
    assert at(board(), "0705").cost == 6
    assert at(board(), "0705").reason == "6 MP off road to the source 0105"
    assert at(board(), "0805").supplied is False
    assert at(board(), "0805").reason == "1 MP short of the source 0105: 7 MP off road, 6 MP allowed"


@pytest.mark.parametrize(("terrain", "cost"), [("hills", 2), ("mountains", 3), ("marsh", 2), ("clear", 1)])
@pytest.mark.parametrize("unit", ["iraq.mountain_infantry", "iraq.infantry"])
def test_the_higher_cost_where_the_chart_shows_two(terrain: str, cost: int, unit: str) -> None:
    where = board(terrain={"0105": "city", "0305": terrain}, rivers=frozenset())
    ring = {label: "lake" for label in where.neighbours("0405") if label != "0305"}
    where = where.but(terrain={**where.terrain, **ring}, units=(Unit("a", "iraq", "0405", unit),))
    assert asked(where).cost == cost + 2


# -- 12.5: limits ------------------------------------------------------------------------------------------------------


def test_its_own_hex_is_not_counted_and_the_road_hex_is() -> None:
    where = board(terrain={"0105": "city", "0505": "mountains", "0405": "mountains"}, roads=(ROW[:4],))
    around = {label: "lake" for label in where.neighbours("0505") if label != "0405"}
    where = where.but(terrain={**where.terrain, **around})
    assert at(where, "0505").cost == 3
    assert at(where, "0405").cost == 0


def test_not_into_or_through_enemy_units_by_road() -> None:
    cut = board(roads=(ROW,), units=(Unit("a", "iraq", "1605"), Unit("x", "iran", "0505")))
    assert asked(cut).supplied is False
    assert asked(cut).cuts == ("0505",)
    assert asked(cut).reason == "road cut at 0505 by an enemy unit; the next best line needs 12 MP off road"


def test_not_into_or_through_enemy_units_off_road() -> None:
    ring = board(units=(Unit("a", "iraq", "0405"),))
    blocked = ring.but(
        units=(*ring.units, *(Unit(f"x{n}", "iran", name) for n, name in enumerate(ring.neighbours("0405"))))
    )
    assert asked(ring).supplied
    assert asked(blocked).supplied is False
    assert "way off road closed at" in asked(blocked).reason
    assert len(asked(blocked).cuts) == 1


def test_not_across_all_water_hexes() -> None:
    wall = {f"04{row:02}": "lake" for row in range(1, 11)}
    island = board(terrain={"0105": "city", **wall})
    assert at(island, "0505").supplied is False
    assert at(island, "0505").reason == "no way over land leads to a road or to a source"
    assert at(island.but(roads=(ROW,)), "0505").supplied is False


def test_not_across_all_water_hexsides_though_a_road_is_drawn_there() -> None:
    where = board(roads=(ROW,), units=(Unit("a", "iraq", "1605"),))
    wet = where.but(all_water=frozenset({frozenset(("0405", "0505"))}))
    assert asked(where).supplied
    assert asked(wet).supplied is False


def test_across_bridged_and_unbridged_river_hexsides() -> None:
    sides = frozenset(frozenset(("0405", other)) for other in board().neighbours("0405"))
    river = board(rivers=sides, units=(Unit("a", "iraq", "0605"),))
    assert asked(river).cost == 5  # around it
    trapped = board(rivers=sides, units=(Unit("a", "iraq", "0405"),))
    assert asked(trapped).cost == 4
    by_road = trapped.but(roads=(ROW[1:],), terrain={"0205": "city"})
    assert asked(by_road).cost == 0


@pytest.mark.parametrize(("reading", "cost"), [("counts", 7), ("free", 6)])
def test_what_an_unbridged_river_costs_is_a_reading(reading: str, cost: int) -> None:
    all_around = frozenset(frozenset(("0705", other)) for other in board().neighbours("0705"))
    where = board(rivers=all_around, units=(Unit("a", "iraq", "0705"),), options={"supply_hexsides": reading})
    assert asked(where).supplied == (cost == 6)
    assert (asked(where).cost or 6 + asked(where).short) == cost


def test_a_bridge_costs_no_river_off_the_road_either() -> None:
    all_around = frozenset(frozenset(("0705", other)) for other in board().neighbours("0705"))
    bridge = board(rivers=all_around, units=(Unit("a", "iraq", "0705"),), roads=(("0705", "0605"),))
    assert asked(bridge).cost == 6


def test_through_an_enemy_city_only_while_a_unit_garrisons_it() -> None:
    where = board(roads=(ROW,), terrain={"0105": "city", "0905": "city"}, units=(Unit("a", "iraq", "1605"),))
    assert asked(where).supplied is False
    assert "road cut at 0905 by an enemy city without a garrison (12.5)" in asked(where).reason
    assert asked(where.but(units=(*where.units, Unit("b", "iraq", "0905")))).supplied


def test_a_city_at_home_may_be_passed_though_nobody_holds_it() -> None:
    where = board(roads=(ROW,), terrain={"0105": "city", "0505": "city"}, units=(Unit("a", "iraq", "1605"),))
    taken = where.but(control={"iran": ("0505",)})
    assert asked(taken).supplied
    assert asked(taken).source == "0105"


def test_next_to_enemy_units_there_is_no_penalty() -> None:
    lined = board(
        roads=(ROW,),
        units=(Unit("a", "iraq", "1605"), *(Unit(f"x{c}", "iran", f"{c:02}04") for c in range(2, 16))),
    )
    assert asked(lined).supplied


def test_roads_need_not_be_friendly_for_supply() -> None:
    # 3.7 names what control matters for: victory points, 9.0 and 11.19.
    assert asked(board(roads=(ROW,), units=(Unit("a", "iraq", "1605"),))).supplied


@pytest.mark.parametrize(("reading", "supplied"), [(True, True), (False, False)])
def test_lines_through_kuwait_are_a_reading(reading: bool, supplied: bool) -> None:
    strait = {"0702": "city", "0701": "lake", "0703": "lake"}
    where = Board(columns=16, rows=3, border=16, kuwait=6, terrain=strait, options={"supply_in_kuwait": reading})
    where = where.but(units=(Unit("a", "iraq", "0402"),))
    assert asked(where).supplied is supplied


# -- 12.6: sources -----------------------------------------------------------------------------------------------------


def test_sources_are_friendly_controlled_cities_at_home() -> None:
    assert at(board(), "0105").reason == "in the source 0105"
    foreign = board(terrain={"1205": "city"}, units=(Unit("a", "iraq", "1205"),))
    assert asked(foreign).supplied is False
    assert asked(foreign).reason == "no source: no city lies in the home country of Iraq (12.6)"


def test_a_city_that_the_enemy_controls_supplies_nobody() -> None:
    taken = board(units=(Unit("a", "iraq", "0305"), Unit("x", "iran", "0105")))
    assert asked(taken).supplied is False
    assert asked(taken).reason == "no source works: 0105 is controlled by Iran"
    assert at(taken, "0106", side="iran").supplied is False
    recorded = board(units=(Unit("a", "iraq", "0305"),), control={"iran": ("0105",)})
    assert asked(recorded).reason == "no source works: 0105 is controlled by Iran"


def test_a_retaken_city_supplies_after_a_successful_check_only() -> None:
    retaken = board(units=(Unit("a", "iraq", "0105"),), unrestored=("0105",))
    assert asked(retaken).supplied is False
    assert "was retaken and does not supply again yet: the check of 12.6 was not passed" in asked(retaken).reason
    assert asked(retaken, restored=["0105"]).supplied


def test_each_side_has_its_own_cities() -> None:
    both = board(terrain={"0105": "city", "1605": "city"}, units=(Unit("a", "iraq", "1505"), Unit("x", "iran", "0205")))
    assert [one.supplied for one in both.scenario().supply()] == [False, False]
    assert at(both.but(units=()), "1505", side="iran").source == "1605"


# -- 12.7, 12.8 --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_", ["iraq.kdpi", "iraq.aircraft", "iran.kdp", "iran.puk", "iran.special_force_29"])
def test_kurds_the_29th_brigade_and_aircraft_never_trace(type_: str) -> None:
    far = Board(columns=16, rows=10, border=8, units=(Unit("a", type_.partition(".")[0], "1010", type_),))
    assert asked(far).reason == "always in supply (12.7)"
    assert asked(far).path == ()


def test_in_a_working_source_a_unit_is_in_supply_though_it_is_surrounded() -> None:
    around = [Unit(f"x{n}", "iran", name) for n, name in enumerate(board().neighbours("0105"))]
    assert asked(board(units=(Unit("a", "iraq", "0105"), *around))).supplied


def test_any_number_of_units_use_one_line() -> None:
    many = board(roads=(ROW,), units=tuple(Unit(f"u{n}", "iraq", "1605") for n in range(20)))
    assert len(many.scenario().supply("iraq").supplied) == 20


# -- 3.7, 8.2, 12.2 ----------------------------------------------------------------------------------------------------


def test_who_enters_a_hex_controls_it() -> None:
    where = board(units=(Unit("a", "iraq", "1205"), Unit("x", "iran", "0305")))
    situation = where.scenario().situation
    assert [situation.owner_name(where.cell(label)) for label in ("1205", "0305", "0101", "1601")] == [
        "Iraq",
        "Iran",
        "Iraq",
        "Iran",
    ]


def test_kuwait_is_nobodys() -> None:
    where = Board(columns=16, rows=4, border=8, kuwait=2)
    assert where.scenario().situation.owner_name(where.cell("0101")) == "nobody"


def test_towns_and_cities_let_reinforcements_in_while_they_are_supplied() -> None:
    where = board(towns=frozenset({"0305", "0810", "1205"}), units=(Unit("x", "iran", "1605"),))
    found = where.scenario().entry_places("iraq")
    assert {one.unit: one.supplied for one in found} == {"0105": True, "0305": True, "0810": False}
    held = where.but(units=(Unit("x", "iran", "0305"),))
    assert "0305" not in [one.unit for one in held.scenario().entry_places("iraq")]


def test_running_costs_stand_at_each_hex() -> None:
    where = board(terrain={"0105": "city", "0205": "hills"}, units=(Unit("a", "iraq", "0305"),))
    ring = {label: "lake" for label in where.neighbours("0105") if label != "0205"}
    answer = asked(where.but(terrain={**where.terrain, **ring}))
    assert answer.costs == (Fraction(0), Fraction(2), Fraction(3))


def test_a_source_that_does_not_work_counts_as_one_more_obstacle() -> None:
    # A causeway between lakes: westwards an enemy and a lost city, eastwards, further off, an enemy only.
    lakes = {label: "lake" for label in board().labels() if label[2:] != "05"}
    cities = {"0105": "city", "1205": "city"}
    enemies = (Unit("x", "iran", "0305"), Unit("y", "iran", "0905"))
    where = board(border=16, roads=(ROW,), terrain={**lakes, **cities}, unrestored=("0105",))
    answer = asked(where.but(units=(Unit("a", "iraq", "0405"), *enemies)))
    assert answer.cuts == ("0905",)
    nearer = where.but(unrestored=("1205",), units=(Unit("a", "iraq", "0405"), *enemies))
    assert asked(nearer).cuts == ("0305",)
