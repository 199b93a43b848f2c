"""Armageddon War: routes and reach, flank moves beside enemies, readings, logistics, initiative and retreat."""

from fractions import Fraction

import pytest

import studio
from studio.api import Map
from studio.errors import LabelError, ScenarioRuleError, StaleAnswerError, UnknownNameError, UnsupportedError
from studio.sight import Conditions
from tests.sight.maps import small_map


def test_a_route_takes_the_cheapest_way_and_explains_every_step() -> None:
    map_ = small_map(dunes="0302 0303 0304", soft_sand="0402")
    route = map_.route("0301", "0305", mover="tracked")
    assert route.found
    assert sum(leg.step.halves for leg in route.legs) == route.halves
    assert route.cost == route.legs[-1].total / Fraction(2) == 5
    assert "0302" not in route.labels
    for leg in route.legs:
        assert leg.step == map_.step(leg.step.a, leg.step.b, mover="tracked")
    assert str(route).startswith("0301 to 0305 (tracked): 5 MP in 5 steps\n  0301 to ")


def test_roads_make_far_ways_cheap() -> None:
    map_ = small_map()
    ring = ["0301", "0401", "0501", "0601", "0602", "0603", "0504", "0404", "0304"]
    map_.add("road", path=ring)
    assert map_.route("0301", "0304", mover="wheeled").labels == ring
    assert map_.route("0301", "0304", mover="wheeled").cost == 4
    assert map_.route("0301", "0304", mover="tracked").cost == 3


def test_a_way_that_costs_too_much_says_how_far_it_leads() -> None:
    route = small_map().route("0301", "0306", mover="tracked", points=3)
    assert not route.found
    assert (route.miss.at, route.miss.short, route.cost) == ("0304", 2, 5)
    assert route.text == "0301 to 0306 (tracked): 2 MP short: the cheapest way costs 5 MP; 3 MP lead to 0304"
    assert route.to_dict()["miss"]["step"]["to"] == "0305"


def test_a_way_that_is_barred_names_the_barrier() -> None:
    map_ = small_map(wadi="0304", rough="0404")
    for other in ("0303", "0203", "0204", "0305", "0404", "0403"):
        assert map_.step("0304", other, mover="tracked").cost is None
    route = map_.route("0301", "0304", mover="tracked")
    assert not route.found
    assert route.cost is None
    assert route.miss.short is None
    assert "stopped at" in route.text and "a wadi is entered and left at its ends only" in route.text
    assert route.labels[-1] == route.miss.at == route.miss.step.a
    map_.set_side("0304", "0303", "wadi_end")
    assert map_.route("0301", "0304", mover="tracked").cost == 3
    # A line of rough right across: the way stops before it.
    wall = small_map(rough=" ".join(f"{column:02}05" for column in range(1, 10)))
    assert "0305 rough: closed to wheeled units" in wall.route("0301", "0308", mover="wheeled").text
    assert wall.route("0301", "0308", mover="infantry").found


def test_one_hex_can_always_be_entered_but_not_a_closed_one() -> None:
    map_ = small_map(dunes="0302 0303", rough="0401")
    route = map_.route("0301", "0302", mover="wheeled", points=1)
    assert route.found
    assert (route.cost, route.allowance) == (4, "3.0 minimum move")
    assert not map_.route("0301", "0303", mover="wheeled", points=1).found
    reach = map_.reach("0301", mover="wheeled", points=1)
    assert reach.labels == ["0201", "0301", "0302"]
    assert reach.cost("0302") == 4
    assert reach.cost("0401") is None
    assert reach.to_dict()["allowed"] == ["0201", "0302"]
    # The way round costs less than the one step, and more than there is: the one step is the one that is allowed.
    fenced = small_map().set_side("0301", "0302", "fence")
    assert fenced.route("0301", "0302", mover="infantry").labels == ["0301", "0201", "0302"]
    direct = fenced.route("0301", "0302", mover="infantry", points=1)
    assert (direct.labels, direct.cost) == (["0301", "0302"], 5)
    assert fenced.reach("0301", mover="infantry", points=1).cost("0302") == 5


def test_reach_counts_points_and_shows_them() -> None:
    map_ = small_map(dunes="0402")
    reach = map_.reach("0402", mover="infantry", points="3/2")
    assert reach.costs == {label: 1 if label != "0402" else 0 for label in reach.labels}
    assert len(reach.labels) == 7
    frame = reach.to_frame()
    assert list(frame.index) == reach.labels
    assert frame.loc["0402", "cost"] == 0
    assert map_.reach("0402", mover="infantry").to_dict()["points"] is None
    assert len(map_.reach("0402", mover="infantry").labels) == 81


def test_answers_know_when_the_map_has_changed() -> None:
    map_ = small_map()
    before = map_.route("0301", "0304", mover="tracked")
    reach = map_.reach("0301", mover="tracked")
    map_.paint("0302", terrain="rough")
    assert map_.route("0301", "0304", mover="tracked").cost == 4  # never an answer of the map as it was
    assert before.cost == 3
    for late in (before.to_frame, reach.to_frame, lambda: reach.route("0304")):
        with pytest.raises(StaleAnswerError):
            late()
    map_.undo()
    assert map_.route("0301", "0304", mover="tracked").cost == 3


def test_enemies_end_a_move_and_full_hexes_are_not_entered() -> None:
    map_ = small_map()
    across = [f"{column:02}05" for column in range(1, 10)]
    assert not map_.route("0303", "0307", mover="tracked", state={"enemies": across}).found
    assert (
        "close combat with the enemy there ends the move"
        in map_.route("0303", "0307", mover="tracked", state={"enemies": across}).text
    )
    assert map_.route("0303", "0305", mover="tracked", state={"enemies": across}).found
    full = map_.route("0303", "0305", mover="tracked", state={"blocked": across})
    assert "full up to the stacking limit" in full.text
    assert map_.step("0303", "0304", mover="tracked", state={"civilians": ["0304"]}).cost == 2


def test_a_flank_move_goes_on_in_one_go_and_not_beside_enemies() -> None:
    map_ = small_map(columns=12)
    fast = map_.route("0105", "0905", mover="tracked", state={"flank": True})
    assert fast.cost == 4
    beside = {"flank": True, "enemies": ["0503"]}
    slow = map_.route("0105", "0905", mover="tracked", state=beside)
    near = {"0503", *(map_.labels.label(cell) for cell in map_.grid.neighbours(map_.labels.cell("0503")))}
    states = [leg.state for leg in slow.legs]
    for leg in slow.legs:
        assert leg.state != "flank speed" or not near & {leg.step.a, leg.step.b}
    assert states == sorted(states, key=["", "flank speed", "no longer at flank speed"].index)
    # A corridor past the enemy: the flank move can be made on one side of it only.
    corridor = small_map(
        columns=12, rough=" ".join(f"{column:02}{row:02}" for column in range(1, 13) for row in (4, 6))
    )
    halted = corridor.route("0105", "1205", mover="tracked", state={"flank": True, "enemies": ["0604"]})
    at_speed = [leg.state for leg in halted.legs].count("flank speed")
    assert 0 < at_speed < len(halted.legs)
    assert halted.cost == len(halted.legs) - Fraction(at_speed, 2)
    shaken = {"flank": True, "enemies": ["0604"], "shaken": ["0604"]}
    assert corridor.route("0105", "1205", mover="tracked", state=shaken).cost == Fraction(11, 2)
    assert "0605 beside an enemy is not entered at flank speed" in str(
        corridor.movement("tracked", state=beside | {"enemies": ["0604"]}).step(
            corridor.labels.cell("0505") * 3, corridor.labels.cell("0605") * 3 + 1
        )
    )


@pytest.mark.parametrize(("reading", "expected"), [("gate", Fraction(1, 2)), ("fence", None)])
def test_a_road_through_a_fence(reading: str, expected: Fraction | None) -> None:
    map_ = small_map().set_side("0303", "0304", "fence")
    map_.add("road", path=["0303", "0304"])
    options = {"road_through_fence": reading}
    assert map_.step("0303", "0304", mover="wheeled", options=options).cost == expected
    assert map_.step("0303", "0304", mover="infantry", options=options).cost == (expected or Fraction(9, 2))
    assert map_.route("0303", "0304", mover="wheeled", options=options).cost == (expected or 4)


@pytest.mark.parametrize(("reading", "expected"), [("keeps_to_road", None), ("may_leave", 1)])
def test_off_the_road_in_closed_terrain(reading: str, expected: int | None) -> None:
    map_ = small_map(dense_woods="0303")
    map_.add("road", path=["0302", "0303", "0304"])
    options = {"off_road_in_x": reading}
    assert map_.step("0303", "0403", mover="tracked", options=options).cost == expected
    assert map_.step("0303", "0304", mover="tracked", options=options).cost == Fraction(1, 2)
    assert map_.step("0303", "0403", mover="infantry", options=options).cost == 1
    bridge = small_map(river="0303")
    bridge.add("road", path=["0302", "0303", "0304"])
    assert bridge.step("0303", "0403", mover="tracked", options=options).cost == 1


def test_what_cannot_be_asked_is_refused() -> None:
    map_ = small_map()
    with pytest.raises(UnknownNameError, match=r"unknown mover 'trakced'.*'tracked'.*there are infantry, wheeled"):
        map_.route("0101", "0102", mover="trakced")
    with pytest.raises(UnknownNameError, match=r"unknown 'enemy'.*'enemies'"):
        map_.reach("0101", mover="tracked", state={"enemy": ["0102"]})
    with pytest.raises(LabelError):
        map_.reach("0101", mover="tracked", state={"enemies": ["9999"]})
    with pytest.raises(ScenarioRuleError, match="enemies: got 102; give a list"):
        map_.reach("0101", mover="tracked", state={"enemies": 102})
    one, several = (map_.reach("0101", mover="tracked", state={"enemies": asked}) for asked in ("0102", ["0102"]))
    assert one.costs == several.costs
    with pytest.raises(ScenarioRuleError, match="flank"):
        map_.reach("0101", mover="tracked", state={"flank": "yes"})
    for points in (-1, "1/3", True, "many"):
        with pytest.raises(ScenarioRuleError, match="points: got"):
            map_.route("0101", "0102", mover="tracked", points=points)


def supplied(map_: Map, unit: str, marker: str, **asked: object) -> bool:
    return map_.resupply(unit, marker, **asked).found


def test_a_logistics_marker_supplies_two_hexes_by_a_way_for_wheels() -> None:
    map_ = small_map(rough="0303 0403 0203")
    assert supplied(small_map(), "0302", "0304")
    assert not supplied(small_map(), "0302", "0305")
    assert not supplied(map_, "0302", "0304")  # rough between
    assert "1 hex short" in small_map().resupply("0302", "0305").text
    assert supplied(small_map(), "0302", "0403", enemies=["0303"])  # round the enemy
    assert not supplied(small_map(), "0302", "0304", enemies=["0303"])


@pytest.mark.parametrize(("reading", "expected"), [("from_unit", True), ("from_marker", False)])
def test_the_hex_of_the_unit_itself(reading: str, expected: bool) -> None:
    map_ = small_map(rough="0302")
    options = {"logistics_way": reading}
    assert supplied(map_, "0302", "0304", options=options) is expected
    assert ("0304" in map_.logistics(["0302"], options=options).labels) is expected


def test_a_logistics_marker_is_placed_out_of_sight_or_out_of_range() -> None:
    map_ = small_map(dunes="0404")
    seen = map_.logistics(["0405"], enemies=["0401"])
    assert "0405" in seen.labels  # behind the dunes
    assert "0305" not in seen.labels
    assert "in sight and in range of the enemy at 0401" in seen.why("0305").text
    short = map_.logistics(["0405"], enemies={"0401": 3})
    assert "0305" in short.labels
    assert "fires 3 hexes far" in str(short.why("0305"))
    assert not map_.logistics(["0405"], enemies={"0406": 0}).why("0407").allowed  # beside an enemy
    assert "no friendly unit is within 2 hexes" in seen.why("0909").text
    assert map_.logistics([], enemies=["0401"]).labels == []
    frame = seen.to_frame()
    assert frame.loc["0405", "allowed"] and not frame.loc["0305", "allowed"]
    with pytest.raises(ScenarioRuleError, match="range of -1 at 0401"):
        map_.logistics(["0405"], enemies={"0401": -1})


def test_a_logistics_marker_moves_three_hexes_and_ends_where_it_could_be_placed() -> None:
    map_ = small_map()
    moved = map_.logistics(["0306"], marker="0302")
    assert moved.labels
    for label in moved.labels:
        assert map_.grid.distance(map_.labels.cell(label), map_.labels.cell("0302")) <= 3
        assert map_.grid.distance(map_.labels.cell(label), map_.labels.cell("0306")) <= 2
    assert not moved.why("0306").allowed
    assert "1 hex short" in moved.why("0306").text
    # It may pass through what an enemy sees, and ends out of his sight.
    screened = small_map(dunes="0404 0504")
    passed = screened.logistics(["0405"], enemies=["0401"], marker="0205")
    assert "0405" in passed.labels
    assert not passed.why("0305").allowed


def test_initiative_by_any_of_the_conditions() -> None:
    rough = small_map(rough=" ".join(f"{column:02}05" for column in range(1, 10)))
    alone = rough.initiative("0303", mover="tracked", points=6, formation=["0307"])
    assert not alone.allowed
    assert {check.rule for check in alone.checks} == {"2.023"}
    assert "closed to tracked units" in alone.text
    assert rough.initiative("0303", mover="infantry", points=6, formation=["0307"]).allowed  # on foot in one turn
    assert not rough.initiative("0303", mover="infantry", points=4, formation=["0307"]).allowed
    assert rough.initiative("0303", mover="tracked", points=6, formation=["0307"], markers=["0301"]).allowed
    assert not rough.initiative("0303", mover="tracked", points=6, markers=["0306"]).allowed
    assert rough.initiative("0303", mover="tracked", points=6, name="BRDM Recon").allowed
    assert rough.initiative("0303", mover="tracked", points=6, sniper=True).allowed
    seen = small_map().initiative("0303", mover="tracked", points=1, formation=["0309"])
    assert seen.allowed and "it sees the unit of its formation at 0309" in seen.text
    hazy = small_map().initiative(
        "0303", mover="tracked", points=1, formation=["0309"], conditions=Conditions(visibility=3)
    )
    assert not hazy.allowed


def test_retreat_goes_out_of_sight_and_not_nearer() -> None:
    map_ = small_map(dense_urban="0304", light_woods="0305")
    found = map_.retreat("0304", "0301", mover="infantry")
    assert found.labels == ["0305"]
    assert "in sight and in range" in found.why("0204").text
    assert "the range to 0301 goes from 3 to 2" in str(found.why("0303"))
    assert map_.retreat("0304", "0301", mover="infantry", enemies={"0301": 2}).labels  # out of his range
    assert map_.retreat("0304", "0301", mover="infantry", status="pinned").labels == []
    assert map_.retreat("0304", "0301", mover="infantry", status="action").labels == ["0305"]
    assert small_map(light_woods="0305").retreat("0304", "0301", mover="infantry").labels == []  # no cover in the open
    assert map_.retreat("0304", "0301", mover="infantry", state={"blocked": ["0305"]}).labels == []
    rough = small_map(dense_urban="0304", rough="0305")
    assert rough.retreat("0304", "0301", mover="infantry").labels == ["0305"]
    assert rough.retreat("0304", "0301", mover="amphibious_tracked").labels == []
    assert rough.retreat("0304", "0301", mover="infantry", enemies=["0305"]).labels == []


@pytest.mark.parametrize(("reading", "expected"), [("enemies", []), ("attacker", ["0305"])])
def test_whom_a_retreat_hides_from(reading: str, expected: list[str]) -> None:
    map_ = small_map(dense_urban="0304", light_woods="0305")
    asked = {"enemies": ["0308"], "options": {"retreat_out_of_sight_of": reading}}
    assert map_.retreat("0304", "0301", mover="infantry", **asked).labels == expected


def test_the_network_is_kept_until_the_map_changes_and_not_for_ever() -> None:
    map_ = small_map()
    first = map_.movement("tracked")
    assert map_.movement("tracked") is first
    assert map_.movement("tracked", state={"enemies": ["0101"]}) is not first
    for column in range(1, 10):
        for row in (2, 3):
            map_.movement("tracked", state={"enemies": [f"{column:02}{row:02}"]})
    assert (
        map_.movement("tracked") is not first
    )  # as many as an enemy who is dragged over the map would fill the memory
    last = map_.movement("tracked")
    map_.set_side("0101", "0102", "fence")
    assert map_.movement("tracked") is not last


def test_other_games_say_that_they_have_no_such_rule() -> None:
    map_ = studio.new_map("urban_operations", 4, 4)
    with pytest.raises(UnsupportedError, match="has no logistics markers"):
        map_.logistics(["A1"])
    with pytest.raises(UnsupportedError, match="has no rule of initiative"):
        map_.initiative("A1")
