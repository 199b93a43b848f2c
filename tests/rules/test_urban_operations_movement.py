"""Movement in Urban Operations: every rule about a step, the examples of page 22, the town quarter."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import GridError, ScenarioRuleError, UnknownNameError
from studio.paths import Step, read_state, search
from studio.rules.urban_operations.gaps import shadow
from studio.rules.urban_operations.paths import Judge, UrbanState, judge
from studio.survey import Survey
from tests.maps.quarter import Quarter
from tests.sight.makers.urban_operations import RULES, make
from tests.sight.urban_town import Town


def moving(town: Town, mover: str = "foot", options: dict[str, object] | None = None, **state: object) -> Judge:
    survey = town.map.survey
    return judge(survey, mover, options, read_state(survey.directory, UrbanState, state))


def step(town: Town, a: str, b: str, mover: str = "foot", **more: object) -> Step:
    """Return a step, which is the link of the network."""
    found, number = moving(town, mover, **more), town.map.survey.directory.number  # type: ignore[arg-type]
    told = found.step(number(a), number(b))
    assert found.network.cost(number(a), number(b)) == told.halves
    return told


def cost(town: Town, a: str, b: str, mover: str = "foot", **more: object) -> int | None:
    found = step(town, a, b, mover, **more).cost
    return None if found is None else int(found)


def both_ways(town: Town, a: str, b: str, mover: str = "foot", **more: object) -> int | None:
    """Return the cost of a step that is the same in either direction."""
    there, back = cost(town, a, b, mover, **more), cost(town, b, a, mover, **more)
    assert there == back
    return there


def total(town: Town, way: Iterable[str], mover: str = "foot", *, cheapest: bool = True, **more: object) -> int:
    """Return what a way costs; unless said otherwise it is a cheapest one between its ends."""
    found, number = moving(town, mover, **more), town.map.survey.directory.number  # type: ignore[arg-type]
    nodes = [number(label) for label in way]
    halves = [found.step(a, b).halves for a, b in pairwise(nodes)]
    assert None not in halves, [str(found.step(a, b)) for a, b in pairwise(nodes)]
    spent = sum(cost for cost in halves if cost is not None)
    least = search(found.network, [nodes[0]]).costs[nodes[-1]]
    assert least == spent if cheapest else least <= spent
    return spent // 2


def why_not(town: Town, a: str, b: str, mover: str = "foot", **more: object) -> str:
    found = step(town, a, b, mover, **more)
    assert found.cost is None
    assert found.barrier is not None
    return f"[{found.barrier.rule}] {found.barrier.text}"


def held(kind: str, *labels: str) -> dict[str, Any]:
    """Return a field of the state with some locations."""
    return {kind: list(labels)}


def door(town: Town, house: str, *arrows: str, into: str = "", kind: str = "aperture", **rest: object) -> None:
    """Make an opening in the lower facade of a house in one hex."""
    x, y = town.centre(house)
    town.opening(into or f"{house}.1", (x, y + 200), *arrows, kind=kind, id=f"{kind}-{house}", **rest)  # type: ignore[arg-type]


def long_wall(town: Town, label: str) -> None:
    """Build a wall right across the map, a little below the dot of a hex."""
    left, _, right, _ = town.map.grid.frame
    y = town.centre(label)[1] + 120
    town.wall((left - 100, y), (right + 100, y))


# -- hexes (8.1, 8.1.2) ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "foot", "vehicle"),
    [
        ("clear", 1, 1), ("wood", 1, 1), ("elevation", 1, 1), ("open_sewer", 1, 1), ("water", 2, 2),
        ("alley", 1, None), ("defensive_terrain", 1, None),
    ],
)  # fmt: skip
def test_entering_a_hex(terrain: str, foot: int, vehicle: int | None) -> None:
    town = Town()
    town.map.paint("0404", terrain=terrain)
    assert cost(town, "0403", "0404") == foot
    assert cost(town, "0403", "0404", "vehicle") == vehicle
    assert cost(town, "0404", "0403", "vehicle") == 1


def test_closed_terrain_is_named() -> None:
    assert why_not(Town(alley="0404"), "0403", "0404", "vehicle") == (
        "[5.1.4] 0404: alleyway is closed to vehicle blocks"
    )


def test_steps_lead_to_what_is_next_to_a_hex() -> None:
    town = Town()
    with pytest.raises(GridError, match="0403 and 0405 are not adjacent"):
        step(town, "0403", "0405")
    with pytest.raises(UnknownNameError, match="unknown mover 'boat'"):
        moving(town, "boat")
    with pytest.raises(UnknownNameError, match="wall_side"):
        moving(town, options={"wall_sides": "dots"})
    with pytest.raises(ScenarioRuleError, match="enemies"):
        moving(town, enemies=403)


def test_entering_the_map() -> None:
    town = Town(water="0101", alley="0102")
    found, number = moving(town), town.map.survey.directory.number
    assert found.entry(number("0101")).cost == 2
    assert found.entry(number("0102")).cost == 1
    assert moving(town, "vehicle").entry(number("0102")).cost is None
    edge = {entry.b: entry.cost for entry in town.map.entries("foot")}
    assert len(edge) == 4 * 11
    assert (edge["0101"], edge["0103"]) == (2, 1)
    assert [entry.b for entry in town.map.entries("vehicle") if entry.cost is None] == ["0102"]
    town.house("1", town.box("0404"))
    with pytest.raises(GridError, match=r"1\.1 is no hex"):
        moving(town).entry(town.map.survey.directory.number("1.1"))


# -- walls (8.1.2, 8.1.6) --------------------------------------------------------------------------------------------


def test_a_wall_costs_five_points_two_with_a_ladder() -> None:
    town = Town()
    town.wall_below("0404")
    assert both_ways(town, "0404", "0405") == 5
    assert both_ways(town, "0404", "0405", ladder=True) == 2
    assert cost(town, "0404", "0403") == 1
    found = step(town, "0404", "0405")
    assert [(part.rule, part.halves) for part in found.parts] == [("8.1.6", 10)]
    assert found.parts[0].text == "0405: over wall"


def test_costs_are_not_cumulative() -> None:
    town = Town(water="0405")
    town.wall_below("0404")
    assert cost(town, "0404", "0405") == 5
    assert cost(town, "0404", "0405", ladder=True) == 2


def test_over_a_vehicle_or_a_ladder_a_wall_costs_three_points_in_all() -> None:
    town = Town()
    long_wall(town, "0404")
    for helper in ("vehicles", "trucks", "ladders"):
        assert total(town, ["0403", "0404", "0405"], **held(helper, "0404")) == 3
        assert total(town, ["0405", "0404", "0403"], **held(helper, "0404")) == 3
    assert total(town, ["0403", "0404", "0405"]) == 6


def test_vehicles_cross_a_wall_through_its_breaches_only() -> None:
    town = Town()
    town.wall_below("0404")
    assert why_not(town, "0404", "0405", "vehicle") == (
        "[8.1.6] 0405: behind wall, which vehicles cross through opened breaches only"
    )
    x, y = town.centre("0404")
    town.opening("0404", (x, y + 240), "0405", kind="wall_breach", id="gap", open=False)
    assert cost(town, "0404", "0405", "vehicle") is None
    assert both_ways(town, "0404", "0405") == 5
    for mover in ("foot", "vehicle"):
        assert both_ways(town, "0404", "0405", mover, opened=["gap"]) == 2
    assert "through the breach gap of 0404" in str(step(town, "0404", "0405", opened=["gap"]))


def test_an_aperture_in_a_wall_is_for_blocks_on_foot() -> None:
    town = Town()
    town.wall_below("0404")
    x, y = town.centre("0404")
    town.opening("0404", (x, y + 240), "0405", id="gate")
    assert both_ways(town, "0404", "0405") == 2
    assert cost(town, "0404", "0405", "vehicle") is None


def test_a_breach_leads_into_its_arc_only() -> None:
    town = Town()
    long_wall(town, "0404")
    x, y = town.centre("0404")
    town.opening("0404", (x, y + 120), "0505", kind="wall_breach", id="gap")
    assert {cost(town, "0404", label) for label in ("0405", "0305")} == {5}
    arc = {label for label in ("0405", "0505", "0305") if cost(town, "0404", label) == 2}
    assert arc == {"0505"}


def test_only_a_wall_along_the_whole_side_closes_it() -> None:
    town = Town()
    x, y = town.centre("0404")
    town.wall((x - 240, y + 240), (x + 100, y + 240))
    assert both_ways(town, "0404", "0405") == 1
    dots = {"wall_side": "dots"}
    assert both_ways(town, "0404", "0405", options=dots) == 5
    # Two pieces that leave a gap, and two that leave none.
    town.wall((x + 101, y + 240), (x + 240, y + 240), name="other")
    assert both_ways(town, "0404", "0405") == 1
    town.wall((x + 100, y + 240), (x + 240, y + 240), name="third")
    assert both_ways(town, "0404", "0405") == 5


def test_a_wall_through_the_hexes_closes_the_sides_that_it_cuts_off() -> None:
    town = Town()
    x, y = town.centre("0404")
    town.wall((x - 480, y + 100), (x + 480, y + 100))
    assert both_ways(town, "0404", "0405") == 5  # all of the side lies behind it, seen from the dot of 0404
    assert both_ways(town, "0404", "0403") == 1
    aside = Town()
    aside.wall((x + 400, y - 200), (x + 400, y + 200))
    assert both_ways(aside, "0404", "0405") == 1


def test_a_facade_is_not_crossed() -> None:
    town = Town()
    x, y = town.centre("0404")
    town.area("7", "building", (x - 300, y + 150, x + 300, y + 330))
    assert why_not(town, "0404", "0405") == (
        "[5.1.3.1] 0405: behind the facade of 7 building, which is crossed through apertures and breaches only"
    )
    assert cost(town, "0404", "0405", ladder=True) is None
    narrow = Town()
    narrow.area("7", "building", (x - 30, y + 150, x + 30, y + 330))
    assert both_ways(narrow, "0404", "0405") == 1
    assert cost(narrow, "0404", "0405", options={"wall_side": "dots"}) is None


@given(st.integers(0, 2**32 - 1), st.tuples(*[st.integers(-400, 400)] * 4), st.tuples(*[st.integers(-100, 100)] * 2))
def test_shadows_are_those_of_single_lines_of_view(seed: int, piece: tuple[int, ...], dot: tuple[int, int]) -> None:
    side = ((240, -240), (480, 0))
    p, q = piece[:2], piece[2:]
    cast = shadow(dot, side, p, q)  # type: ignore[arg-type]
    along = Fraction(int(np.random.default_rng(seed).integers(0, 1001)), 1000)
    aim = (240 + along * 240, -240 + along * 240)

    def turn(a: tuple[Fraction | int, ...], b: tuple[Fraction | int, ...], c: tuple[Fraction | int, ...]) -> object:
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    ends = [turn(dot, aim, end) for end in (p, q)]
    views = [turn(p, q, end) for end in (dot, aim)]
    hidden = ends[0] * ends[1] < 0 and views[0] * views[1] < 0  # type: ignore[operator]
    if hidden:
        assert cast is not None and cast[0] <= along <= cast[1]
    elif all(ends) and all(views):
        assert cast is None or not cast[0] <= along <= cast[1]


# -- buildings (8.1.3 to 8.1.5) --------------------------------------------------------------------------------------


def rooms() -> Town:
    """Return a house of two rooms with a door to 0405, another of two zones, and a store of one room."""
    town = Town()
    town.house("1", town.box("0404"), rooms=2)
    x, y = town.centre("0404")
    town.opening("1.1", (x - 100, y + 200), "0405", id="door")
    town.house("2", town.box("0804"), rooms=2, zones=True)
    return town


def test_partitions_and_zone_boundaries() -> None:
    town = rooms()
    assert both_ways(town, "1.1", "1.2") == 2
    assert both_ways(town, "2.1", "2.2") == 1
    assert step(town, "1.1", "1.2").parts[0].rule == "8.1.3"
    x, y = town.centre("0804")
    town.wall((x, y - 200), (x, y), kind="partition", name="half")
    assert both_ways(town, "2.1", "2.2") == 1
    town.wall((x, y - 50), (x, y + 200), kind="partition", name="rest")
    assert both_ways(town, "2.1", "2.2") == 2


def test_an_aperture_is_crossed_within_its_arc() -> None:
    town = rooms()
    assert both_ways(town, "1.1", "0405") == 2
    assert str(step(town, "0405", "1.1")) == "0405 to 1.1 (foot): 2 MP; 1.1: through the aperture door of 1.1"
    with pytest.raises(GridError, match="not adjacent"):
        step(town, "0305", "1.1")
    with pytest.raises(GridError, match="not adjacent"):
        step(town, "0405", "1.2")


def test_before_a_recess_the_nearest_hex_counts() -> None:
    town = Town()
    town.house("1", town.box("0403", "0404"), rooms=1)
    x, y = town.centre("0403")
    town.opening("1.1", (x - 300, y), "0304", id="door")
    town.map.paint(["0303", "0304"], terrain="unplayable")
    town.opening("1.1", (x - 300, y), "0203", id="deep")
    assert both_ways(town, "1.1", "0203") == 2


def test_breaches_in_facades_are_crossed_when_they_are_open() -> None:
    town = Town()
    town.house("0404", town.box("0404"))
    door(town, "0404", "0405", kind="breach", open=False)
    assert why_not(town, "0405", "0404.1") == (
        "[8.1.5] 0404.1: through the breach 0404 of 0404.1, which has not been opened"
    )
    assert both_ways(town, "0405", "0404.1", opened=["breach-0404"]) == 2
    assert cost(town, "0405", "0404.1", "vehicle", opened=["breach-0404"]) is None


def test_vehicles_enter_warehouses_only() -> None:
    town = rooms()
    assert why_not(town, "0405", "1.1", "vehicle") == (
        "[8.1.4] 1.1: through the aperture door of 1.1, where blocks on foot go only"
    )
    town = Town()
    town.area("53", "building", town.box("0404", wide=300), tags=["warehouse"])
    left, top, right, bottom = town.box("0404")
    middle = (left + right) // 2
    town.map.paint("0404", terrain="unplayable")
    town.area("53 hall", "divided_room", (left, top, middle, bottom), within="area-53")
    half = (left + middle) // 2
    town.area("53.1", "zone", (left, top, half, bottom), within="area-53-hall")
    town.area("53.2", "zone", (half, top, middle, bottom), within="area-53-hall")
    town.area("53.3", "room", (middle, top, right, bottom), within="area-53")
    town.opening("53.1", (left + 50, bottom), "0405", id="gate")
    town.opening("53.3", (right - 50, bottom), "0405", id="hole", kind="breach")
    assert both_ways(town, "0405", "53.1", "vehicle") == 2
    assert both_ways(town, "53.1", "53.2", "vehicle") == 1
    assert cost(town, "53.2", "53.3", "vehicle") is None
    assert cost(town, "53.2", "53.3", "vehicle", options={"warehouses": "partitions"}) == 2
    assert cost(town, "0405", "53.3", "vehicle") is None  # breaches in facades are for blocks on foot


def test_an_opening_between_houses_that_stand_wall_to_wall() -> None:
    town = Town()
    left, top, right, bottom = town.box("0404")
    middle = (left + right) // 2
    town.house("1", (left, top, middle, bottom))
    town.house("2", (middle, top, right, bottom))
    with pytest.raises(GridError, match="not adjacent"):
        step(town, "1.1", "2.1")
    town.opening("1.1", (middle, (top + bottom) // 2), "0504", id="through")
    assert both_ways(town, "1.1", "2.1") == 2


# -- roofs (5.1.8, 8.1.7 to 8.1.9) -----------------------------------------------------------------------------------


def test_roofs_from_inside_and_outside() -> None:
    town = Town(wood="0405")
    town.house("1", town.box("0404"), roof=True)
    assert both_ways(town, "1.1", "1 roof") == 2
    assert both_ways(town, "0405", "1 roof", ladder=True) == 2
    assert why_not(town, "0405", "1 roof") == (
        "[8.1.7] 1 roof: up or down the facade takes a ladder, or a truck, APC, MBT or block with a ladder in 0405"
    )
    assert cost(town, "1.1", "1 roof", "vehicle") is None
    assert cost(town, "0405", "1 roof", "vehicle") is None


def test_over_a_truck_or_a_ladder_a_roof_costs_three_points_in_all() -> None:
    town = Town()
    town.house("1", town.box("0404"), roof=True)
    for helper in ("trucks", "ladders"):
        assert total(town, ["0406", "0405", "1 roof"], **held(helper, "0405")) == 3
        assert total(town, ["1 roof", "0405", "0406"], **held(helper, "0405")) == 3
    assert cost(town, "0405", "1 roof", vehicles=["0405"]) is None


def test_a_roof_is_climbed_from_the_hexes_beside_its_building() -> None:
    town = Town()
    town.house("1", town.box("0404"), roof=True)
    found, number = moving(town, ladder=True), town.map.survey.directory.number
    beside = {town.map.labels.label(cell) for cell in town.map.grid.neighbours(town.map.labels.cell("0404"))}
    roof = number("1 roof")
    assert {found.label(cell) for cell in found.ways.all[roof] if cell < town.map.grid.cells} == beside
    town.wall_below("0404", wide=240)  # a wall between the house and 0405
    assert number("0405") not in moving(town).ways.all[roof]


def test_linked_roofs() -> None:
    town = Town()
    left, top, right, bottom = town.box("0404")
    middle = (left + right) // 2
    town.house("1", (left, top, middle, bottom), roof=True)
    town.house("2", (middle, top, right, bottom), roof=True)
    with pytest.raises(GridError, match="not adjacent"):
        step(town, "1 roof", "2 roof")
    town.map.add("link", type="linked_roofs", a="1 roof", b="2 roof")
    assert both_ways(town, "1 roof", "2 roof") == 4


# -- below the ground (8.1.10, 8.1.11) -------------------------------------------------------------------------------


def cellar() -> Town:
    """Return an underground of two zones and a room below A, and an open sewer with an underground one."""
    town = Town(open_sewer="0404 0405", underground_sewer="1004 1005")
    left, top, right, bottom = town.box("1008", wide=360)
    third = (right - left) // 3
    town.area("u", "underground", (left, top, right, bottom))
    town.area("u hall", "divided_room", (left, top, left + 2 * third, bottom), within="area-u")
    town.area("A", "zone", (left, top, left + third, bottom), within="area-u-hall")
    town.area("B", "zone", (left + third, top, left + 2 * third, bottom), within="area-u-hall")
    town.area("C", "room", (left + 2 * third, top, right, bottom), within="area-u")
    town.map.paint("1008", terrain="unplayable")
    town.map.add("link", type="underground_access", a="0202", b="A")
    town.map.add("link", type="sewer_entrance", a="0405", b="1004")
    return town


def test_underground_access_costs_two_points() -> None:
    town = cellar()
    assert both_ways(town, "0202", "A") == 2
    assert cost(town, "0202", "A", "vehicle") is None
    assert both_ways(town, "A", "B") == 1
    assert both_ways(town, "B", "C") == 2


def test_sewers() -> None:
    town = cellar()
    assert both_ways(town, "0404", "0405", "vehicle") == 1
    assert both_ways(town, "0405", "1004") == 1
    assert both_ways(town, "1004", "1005") == 1
    assert cost(town, "0405", "1004", "vehicle") is None
    # An underground hex that is drawn beside one of the surface is not next to it.
    with pytest.raises(GridError, match="not adjacent"):
        step(town, "1004", "1003")


# -- counters and blocks (5.2.2, 8.1.1) ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["barricade", "ied_uxo", "civilian_population"])
def test_counters_that_no_block_moves_through(kind: str) -> None:
    town = Town()
    town.marker(kind, "0404")
    for mover in ("foot", "vehicle"):
        assert cost(town, "0403", "0404", mover) is None
    assert "no block moves through a" in why_not(town, "0403", "0404")
    assert cost(town, "0404", "0403") is not None


@pytest.mark.parametrize(
    "kind", ["vehicle", "wreck", "smoke", "fortified", "toxic_cloud", "at_mine", "unknown_counter"]
)
def test_counters_that_cost_nothing(kind: str) -> None:
    town = Town()
    town.marker(kind, "0404")
    assert cost(town, "0403", "0404") == cost(town, "0403", "0404", "vehicle") == 1


def test_what_else_happens_is_told() -> None:
    town = Town()
    town.marker("at_mine", "0404")
    assert "sets off the mine" in str(step(town, "0403", "0404", "vehicle"))
    assert "mine" not in str(step(town, "0403", "0404"))
    town.marker("toxic_cloud", "0604")
    assert "toxic cloud" in str(step(town, "0603", "0604"))
    town.marker("unknown_counter", "0804")
    assert "revealed" in str(step(town, "0803", "0804"))


def test_locations_next_to_a_barricade_cost_two_points() -> None:
    town = Town(water="0403")
    town.marker("barricade", "0404")
    town.marker("barricade", "0504")
    assert cost(town, "0406", "0405") == 2
    assert cost(town, "0402", "0403") == 2  # water costs two already
    assert cost(town, "0405", "0406") == 1
    assert step(town, "0406", "0405").parts[0].rule == "5.2.2.5, ER6"
    below = cellar()
    below.marker("barricade", "A")
    assert cost(below, "0201", "0202") == 1  # the access to it does not bring it nearer
    halls = Town()
    halls.house("3", halls.box("0404"), rooms=3, zones=True)
    halls.marker("barricade", "3.1")
    assert cost(halls, "3.3", "3.2") == 2
    assert cost(halls, "3.2", "3.3") == 1
    by_state = Town()
    assert cost(by_state, "0406", "0405", barricades=["0404"]) == 2


def test_behind_a_wall_a_barricade_has_no_effect() -> None:
    town = Town()
    town.marker("barricade", "0404")
    town.wall_below("0404", wide=2400)
    assert cost(town, "0406", "0405") == 1
    assert cost(town, "0402", "0403") == 2


def test_blocks_pass_friends_and_not_enemies() -> None:
    town = Town()
    number = town.map.survey.directory.number
    found = moving(town, friends=["0404"], trucks=["0405"])
    assert cost(town, "0403", "0404", friends=["0404"]) == 1
    ends = {label: found.stop(number(label)) for label in ("0403", "0404", "0405")}
    assert ends["0403"] is None
    for label in ("0404", "0405"):
        part = ends[label]
        assert part is not None
        assert part.text == f"{label}: a friendly block, to be passed through only"
    assert why_not(town, "0403", "0404", enemies=["0404"]) == (
        "[8.1.1] 0404: an enemy block, and a block passes through friendly blocks only"
    )
    assert why_not(town, "0403", "0404", blocked=["0404"]) == "[8.1] 0404: closed at the moment"


# -- points (7.2.2, 8.1.14) ------------------------------------------------------------------------------------------


def test_points_of_an_activation() -> None:
    town = Town()
    assert moving(town).allowances() == {"action": "3 MP", "plain": "6 MP", "enhanced": "9 MP"}
    assert moving(town, "vehicle").allowances() == {"action": "6 MP", "plain": "12 MP", "enhanced": "18 MP"}
    assert "enhanced" not in moving(town, night=True).allowances()


def test_enhanced_movement_stays_out_of_sight() -> None:
    town = Town(wood="0404")
    more: dict[str, Any] = {"enemies": ["0402"], "enhanced": True}
    assert cost(town, "0405", "0406", **more) == 1  # behind the wood
    assert why_not(town, "0405", "0505", **more) == (
        "[8.1.14] 0505: an enemy sees it, and enhanced movement stays out of sight"
    )
    assert cost(town, "0505", "0405", **more) is None
    assert cost(town, "0405", "0505", enemies=["0402"]) == 1
    with pytest.raises(GridError, match="at night"):
        moving(town, enhanced=True, night=True)


def test_no_enhanced_movement_below_the_ground() -> None:
    town = cellar()
    assert cost(town, "A", "B", enhanced=True) is None
    assert "below the ground" in why_not(town, "0405", "1004", enhanced=True)


# -- the examples of page 22, with the totals of the clarifications --------------------------------------------------


def test_example_a_apertures() -> None:
    town = Town()
    town.house("0404", town.box("0404"))
    door(town, "0404", "0405")
    x, y = town.centre("0404")
    town.opening("0404.1", (x, y - 200), "0403", id="back")
    for row in ("01", "02", "03", "04", "05", "06", "07"):
        town.map.paint([f"03{row}", f"05{row}"], terrain="unplayable")
    assert total(town, ["0406", "0405", "0404.1", "0403", "0402"]) == 6


def test_example_b_two_apertures_a_breach_and_a_partition() -> None:
    town = Town()
    town.house("1", town.box("0404"))
    town.house("2", town.box("0406"), rooms=2)
    for name, house, side, arrow in (("1", "0404", -200, "0403"), ("1", "0404", 200, "0405")):
        x, y = town.centre(house)
        town.opening(f"{name}.1", (x, y + side), arrow, id=f"door-{arrow}")
    x, y = town.centre("0406")
    town.opening("2.1", (x - 150, y - 200), "0405", kind="breach", id="hole")
    way = ["0402", "0403", "1.1", "0405", "2.1", "2.2"]
    for row in range(1, 9):
        town.map.paint([f"03{row:02}", f"05{row:02}"], terrain="unplayable")
    assert total(town, way, opened=["hole"]) == 9
    assert moving(town).allowances()["enhanced"] == "9 MP"


def test_example_c_an_arc_of_fire_on_the_way_in() -> None:
    town = Town()
    town.house("31", town.box("0404"))
    town.house("32", town.box("0606"))
    for house, name, side, arrow in (("0404", "31", -200, "0403"), ("0404", "31", 200, "0405")):
        x, y = town.centre(house)
        town.opening(f"{name}.1", (x, y + side), arrow, id=f"door-{arrow}")
    x, y = town.centre("0606")
    town.opening("32.1", (x, y - 200), "0605", id="door-32")
    # From 0405 the block has to get into the arc of 32.1 first, which is 0605 and beyond.
    with pytest.raises(GridError, match="not adjacent"):
        step(town, "0506", "32.1")
    assert [cost(town, *pair) for pair in pairwise(["0403", "31.1", "0405"])] == [2, 2]
    assert cost(town, "0605", "32.1") == 2
    assert total(town, ["0405", "0505", "0605", "32.1"]) == 4
    assert total(town, ["31.1", "0405", "0505", "0605", "32.1"]) == 6


def test_example_d_half_a_hex_of_water_and_a_breach() -> None:
    town = Town(water="0101")
    long_wall(town, "0102")
    x, y = town.centre("0102")
    town.opening("0102", (x, y + 120), "0103", kind="wall_breach", id="gap")
    for mover in ("foot", "vehicle"):
        found, number = moving(town, mover), town.map.survey.directory.number
        assert found.entry(number("0101")).cost == 2
        assert total(town, ["0101", "0102", "0103"], mover) == 3
    # The APC of the clarifications spends its 12 points.
    way = ["0101", "0102", "0103", *(f"01{row:02}" for row in range(4, 11))]
    assert 2 + total(town, way, "vehicle") == 12
    assert moving(town, "vehicle").allowances()["plain"] == "12 MP"


def roofs() -> Town:
    """Return buildings 10 and 11 wall to wall with linked roofs."""
    town = Town()
    left, top, right, bottom = town.box("0404", "0504", wide=200, high=150)
    middle = (left + right) // 2
    town.house("10", (left, top, middle, bottom), rooms=2, roof=True)
    town.house("11", (middle, top, right, bottom), rooms=2, roof=True)
    town.map.add("link", type="linked_roofs", a="10 roof", b="11 roof")
    return town


def test_second_example_a_with_a_ladder_from_roof_to_roof() -> None:
    town = roofs()
    found, number = moving(town, ladder=True), town.map.survey.directory.number
    way = ["0303", "0304", "10 roof", "11 roof", "0604"]
    nodes = [number(label) for label in way]
    assert [found.step(a, b).cost for a, b in pairwise(nodes)] == [1, 2, 4, 2]
    assert sum(found.step(a, b).halves or 0 for a, b in pairwise(nodes)) == 2 * 9


def test_second_example_b_a_barricade_and_a_wall() -> None:
    town = Town()
    town.marker("barricade", "0404")
    long_wall(town, "0404")
    # 0305 and 0405 are as near to the barricade as 0304, but behind the wall.
    assert total(town, ["0204", "0304", "0305", "0405", "0406"], cheapest=False) == 2 + 5 + 1 + 1


def test_second_example_c_over_a_block_up_and_over_a_vehicle_down() -> None:
    town = roofs()
    more: dict[str, Any] = {"ladders": ["0603"], "trucks": ["0605"]}
    way = ["0602", "0603", "11 roof", "0605", "0606", "0607"]
    found, number = moving(town, **more), town.map.survey.directory.number
    nodes = [number(label) for label in way]
    assert [found.step(a, b).cost for a, b in pairwise(nodes)] == [1, 2, 2, 1, 1]
    assert total(town, ["0602", "0603", "11 roof"], **more) == 3
    assert total(town, ["11 roof", "0605", "0606"], **more) == 3


def test_second_example_d_down_the_stairs() -> None:
    town = roofs()
    _, _, right, bottom = town.box("0404", "0504", wide=200, high=150)
    town.opening("11.2", (right - 40, bottom), "0505", id="out")
    assert total(town, ["11 roof", "11.1", "11.2", "0505"]) == 2 + 2 + 2
    assert total(town, ["11 roof", "11.1", "11.2", "0505", "0506", "0507", "0508"]) == 9


def test_second_example_e_underground() -> None:
    town = cellar()
    assert total(town, ["C", "B", "A", "0202", "0203", "0204", "0205", "0206"]) == 9


# -- all of it -------------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(2, 6))
def test_ways_lead_back(seed: int, columns: int, rows: int) -> None:
    """Changing level and crossing things work in both directions (5.1.4), so every link has one back."""
    survey = Survey(make(np.random.default_rng(seed), columns, rows), RULES.survey_scheme)
    links = {(a, b) for a, b, _ in judge(survey, "foot").network.links.tolist()}
    assert links == {(b, a) for a, b in links}


# -- the town quarter ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def quarter() -> Quarter:
    return Quarter()


def test_every_location_of_the_quarter_is_reached_by_doors_and_stairs(quarter: Quarter) -> None:
    found = judge(quarter.survey, "foot")
    network = found.network
    climbs = [
        (a, b) for a, b, cost in network.links.tolist() if cost == 10 and "over" in found.step(a, b).parts[0].text
    ]
    assert climbs
    start = quarter.directory.number("0121")
    costs = search(network.closed(between=climbs), [start]).costs
    left = [quarter.directory.label(number) for number in quarter.directory.numbers.tolist() if costs[number] < 0]
    assert left == []


def test_every_opening_of_the_quarter_can_be_crossed(quarter: Quarter) -> None:
    ids = frozenset(opening.id for opening in quarter.openings)
    found = judge(quarter.survey, "foot", None, UrbanState(opened=ids))
    used = {
        way.opening.id for others in found.ways.all.values() for ways in others.values() for way in ways if way.opening
    }
    assert used == ids


def test_vehicles_get_along_the_streets_of_the_quarter(quarter: Quarter) -> None:
    found = judge(quarter.survey, "vehicle")
    number = quarter.directory.number
    costs = search(found.network, [number("0121")]).costs
    for label in ("0110", "2716", "4024"):
        assert costs[number(label)] > 0
    others = [one.number for one in quarter.directory.others]
    assert (costs[others] < 0).all()


def test_a_map_is_asked_by_labels(quarter: Quarter) -> None:
    route = quarter.map.route("0121", "10 roof", mover="foot")
    assert route.found
    assert quarter.map.reach("0121", mover="foot", points=6, state={"friends": ["0120"]}).passed == ["0120"]
    assert quarter.map.step("10.2", "10 roof", mover="foot").cost == 2
    near = quarter.map.route("0121", "10 roof", mover="vehicle")
    assert not near.found
    assert near.miss is not None
    assert near.miss.step is not None
