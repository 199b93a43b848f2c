"""Modern Tactics: the printed movement examples, what each section says of movement, both values of each reading."""

import itertools
from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import studio
from studio.api import Map
from studio.cli import main
from studio.errors import GridError, ScenarioRuleError, UnknownNameError
from studio.rules import get_ruleset
from studio.rules.modern_tactics.move_state import FACINGS
from studio.rules.modern_tactics.paths import TacticsMoves, judge
from studio.survey import Survey
from tests.paths.makers.modern_tactics import make, make_state
from tests.sight.effort import random_maps
from tests.sight.makers.modern_tactics import small_map

FOOT, WHEELED, TRACKED, HELICOPTER = "foot", "wheeled", "tracked", "helicopter"
DIRECTIONS = ("N", "NE", "SE", "S", "SW", "NW")


def beside(map_: Map, label: str, direction: str) -> str:
    """Return the label of the hex beside another one."""
    cell = map_.grid.neighbour(map_.survey.directory.number(label), DIRECTIONS.index(direction))
    return map_.survey.directory.label(cell)


def rules_of(step: studio.paths.Step) -> list[str]:
    """Return the sections that a step names."""
    return [part.rule for part in step.parts]


def at_level(map_: Map, level: int, *labels: str) -> Map:
    """Return the map with some hexes at a level."""
    return map_.paint(list(labels), level=level)


# -- the network is its steps ----------------------------------------------------------------------------------------


def random_moves(seed: int) -> TacticsMoves:
    """Return a random mover on a random map, with a state that only its kind of unit can have."""
    rng = np.random.default_rng(seed)
    ruleset = get_ruleset("modern_tactics")
    survey = Survey(make(rng, *rng.integers(2, 5, size=2).tolist()), ruleset.survey_scheme)
    options = {name: one.values[int(rng.integers(len(one.values)))] for name, one in ruleset.option_specs.items()}
    mover = str(rng.choice([FOOT, FOOT, WHEELED, TRACKED, HELICOPTER]))
    state = make_state(rng, survey)
    if mover == FOOT:
        cover = str(rng.choice(["", "", WHEELED, TRACKED]))
        kind = "unit" if cover else str(rng.choice(["unit", "single", "sniper", "bomber"]))
        begins = str(rng.choice(["", "off_map", "aboard", "bunker"]))
        state = msgspec.structs.replace(state, kind=kind, begins=begins, rolling_cover=cover)
    elif mover != HELICOPTER:
        state = msgspec.structs.replace(state, facing=str(rng.choice(["", *FACINGS[survey.grid.orientation]])))
    if mover != HELICOPTER and state.kind == "unit" and rng.random() < 0.2:
        state = msgspec.structs.replace(state, assault=True)
    return judge(survey, mover, options, state)


@given(seed=st.integers(0, 10**6))
@random_maps(25)
def test_every_link_is_its_step_for_every_kind_of_unit_and_way_to_begin(seed: int) -> None:
    moves = random_moves(seed)
    linked = set()
    for a, b, cost in moves.network.links.tolist():
        step = moves.step(a, b)
        assert step.parts
        assert step.halves == (None if cost < 0 else cost), step
        linked.add((a, b))
    nodes = [node for number in moves.survey.directory.numbers.tolist() for node in moves.nodes(number)]
    for a in nodes[:: max(1, len(nodes) // 20)]:
        for b in nodes:
            if a != b and (a, b) not in linked:
                with pytest.raises(GridError):
                    moves.step(a, b)


# -- terrain ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "foot", "wheeled", "tracked", "bog"),
    [
        ("open", 1, 1, 1, ""),
        ("structure", 2, None, None, ""),
        ("ruins", 2, None, None, ""),
        ("farm", 1, 3, 2, "wheeled"),
        ("marijuana_fields", 2, 3, 2, "wheeled"),
        ("crops", 2, 3, 2, "wheeled"),
        ("bridge", 1, 1, 1, ""),
        ("wadi", 2, 3, 2, "wheeled tracked"),
        ("grape_fields", 2, None, 4, "tracked"),
        ("rubble", 2, 4, 3, "wheeled tracked"),
    ],
)
def test_the_terrain_key_of_playbook_1(
    terrain: str, foot: int, wheeled: int | None, tracked: int | None, bog: str
) -> None:
    map_ = small_map(**{terrain: "D4"})
    for mover, cost in ((FOOT, foot), (WHEELED, wheeled), (TRACKED, tracked), (HELICOPTER, 1)):
        step = map_.step("D5", "D4", mover=mover)
        assert step.cost == cost
        assert ("22.5" in rules_of(step)) == (mover in bog.split())


def test_bog_rolls_are_named_with_their_chance_and_never_rolled() -> None:
    map_ = small_map(wadi="D4")
    wheeled, tracked = (map_.step("D5", "D4", mover=mover) for mover in (WHEELED, TRACKED))
    assert wheeled.parts[-1].text == "D4: Bog Roll (wadi), a wheeled vehicle bogs down on 1 to 2 of 6"
    assert tracked.parts[-1].text == "D4: Bog Roll (wadi), a tracked vehicle bogs down on 1 of 6"
    assert wheeled.parts[-1].halves == 0


def test_the_printed_movement_example_of_22_0() -> None:
    # The Rifle Squad: mixed woods and two open hexes, 2 + 1 + 1.
    map_ = small_map(mixed_woods="E5", crops="J3")
    path = ["E4", "E5", "E6", "E7"]
    costs = [map_.step(a, b, mover=FOOT).cost for a, b in itertools.pairwise(path)]
    assert costs == [2, 1, 1]
    assert sum(costs) == 4
    # The M2 Bradley: an open hex, then across a low wall into the crops of J3, 1 + (2 + 2).
    before = beside(map_, "J3", "S")
    map_.set_side(before, "J3", "low_wall")
    start = beside(map_, before, "S")
    steps = [map_.step(a, b, mover=TRACKED, state={"facing": "N"}) for a, b in ((start, before), (before, "J3"))]
    assert [step.cost for step in steps] == [1, 4]
    assert "J3: Bog Roll (low wall), a tracked vehicle bogs down on 1 of 6" in str(steps[1])


@pytest.mark.parametrize(("mover", "cost"), [(FOOT, 3), (TRACKED, 4), (WHEELED, 6)])
def test_the_printed_low_wall_of_14_4(mover: str, cost: int) -> None:
    map_ = small_map(crops="D4").set_side("D5", "D4", "low_wall")
    step = map_.step("D5", "D4", mover=mover)
    assert step.cost == cost
    assert rules_of(step).count("22.5") == (mover != FOOT)  # one roll, for the wall and the crops
    assert small_map(crops="D4").set_side("D5", "D4", "hedge").step("D5", "D4", mover=mover).cost == cost
    assert map_.step("D5", "D4", mover=HELICOPTER).cost == 1


def test_one_hex_can_always_be_entered_as_by_the_mortar_team_of_22_0() -> None:
    map_ = small_map(crops="D4").set_side("D5", "D4", "low_wall")
    map_.add("marker", type="wire", at="D4")
    assert map_.step("D5", "D4", mover=FOOT).cost == 4
    route = map_.route("D5", "D4", mover=FOOT, points=3)
    assert (route.found, route.allowance, route.labels) == (True, "22.0 one hex", ["D5", "D4"])
    assert "D4" in map_.reach("D5", mover=FOOT, points=3).to_dict()["allowed"]
    assert not small_map(structure="D4").route("D5", "D4", mover=WHEELED, points=1).found


# -- roads -----------------------------------------------------------------------------------------------------------


def test_roads_paved_and_unpaved_hex_to_hex_along_the_road() -> None:
    map_ = small_map(crops="D4 D5 D6")
    map_.add("road", path=["D4", "D5", "D6"], surface="paved")
    assert map_.step("D6", "D5", mover=FOOT).cost == 1
    assert [map_.step("D6", "D5", mover=mover).cost for mover in (WHEELED, TRACKED)] == [Fraction(1, 2)] * 2
    # Terrain beside a road asks for no Bog Roll (14.3); from a hex that the road does not come from it costs its own.
    assert "22.5" not in rules_of(map_.step("D6", "D5", mover=WHEELED))
    off = map_.step("E5", "D5", mover=WHEELED)
    assert off.cost == 3
    assert "22.5" in rules_of(off)
    unpaved = small_map(mixed_woods="D4 D5")
    unpaved.add("road", path=["D4", "D5"], surface="unpaved")
    assert [unpaved.step("D5", "D4", mover=mover).cost for mover in (FOOT, WHEELED, TRACKED)] == [1, 1, 1]
    # Two roads side by side are no way along a road.
    apart = small_map(crops="D4 D5")
    apart.add("road", path=["D4", "E4"])
    apart.add("road", path=["D5", "E5"])
    assert apart.step("D5", "D4", mover=TRACKED).cost == 2


def test_a_paved_road_in_woods_as_in_14_3() -> None:
    map_ = small_map(mixed_woods="D4 D5")
    map_.add("road", path=["D4", "D5"], surface="paved")
    assert map_.step("D5", "D4", mover=WHEELED).cost == Fraction(1, 2)


def test_both_readings_of_a_bridge_on_a_road() -> None:
    map_ = small_map(bridge="D5")
    map_.add("road", path=["D4", "D5", "D6"], surface="paved")
    assert map_.step("D6", "D5", mover=WHEELED).cost == 1
    assert map_.step("D6", "D5", mover=WHEELED, options={"road_on_bridge": "road"}).cost == Fraction(1, 2)
    assert map_.step("D5", "D4", mover=WHEELED).cost == Fraction(1, 2)


def test_both_readings_of_a_road_through_a_low_wall() -> None:
    map_ = small_map().set_side("D5", "D4", "low_wall")
    map_.add("road", path=["D4", "D5"], surface="unpaved")
    paid = map_.step("D5", "D4", mover=WHEELED)
    assert paid.cost == 4
    assert "22.5" in rules_of(paid)
    gate = map_.step("D5", "D4", mover=WHEELED, options={"road_through_wall": "gate"})
    assert gate.cost == 1
    assert "22.5" not in rules_of(gate)


# -- structures ------------------------------------------------------------------------------------------------------


def street(**terrain: str) -> Map:
    """Return a map with a road down the column G, and a structure beside it in G10."""
    map_ = small_map(**{"structure": "G10", **terrain})
    map_.add("road", path=["G8", "G9", "G10", "G11", "G12"], surface="unpaved")
    return map_


def test_the_printed_structure_and_road_of_g10() -> None:
    map_ = street()
    assert map_.step("G11", "G10", mover=FOOT).cost == 2
    assert map_.step("G11", "G10 road", mover=FOOT).cost == 1
    # Vehicles keep to the road (14.6, 14.7).
    assert map_.step("G11", "G10", mover=TRACKED).cost is None
    assert map_.step("G11", "G10 road", mover=TRACKED).cost == 1
    assert map_.route("G12", "G8", mover=WHEELED, state={"facing": "N"}).labels == [
        "G12",
        "G11",
        "G10 road",
        "G9",
        "G8",
    ]
    assert map_.step("G10 road", "G9", mover=FOOT).cost == 1


def test_readings_of_how_one_gets_onto_the_road_beside_a_structure() -> None:
    map_ = street(crops="H10")
    side = next(one for one in map_.survey.grid.neighbours(map_.survey.directory.number("G10")) if one % 12 == 7)
    name = map_.survey.directory.label(side)
    assert map_.step(name, "G10 road", mover=FOOT).cost == 2
    assert map_.step(name, "G10 road", mover=TRACKED).cost is None
    by_road = {"road_from_beside": "road"}
    assert [map_.step(name, "G10 road", mover=mover, options=by_road).cost for mover in (FOOT, TRACKED)] == [1, 1]
    never = {"road_from_beside": "no"}
    for a, b in ((name, "G10 road"), ("G10 road", name)):
        with pytest.raises(GridError, match="no road leads"):
            map_.step(a, b, mover=FOOT, options=never)
    assert map_.step("G9", "G10 road", mover=FOOT, options=never).cost == 1
    assert map_.step("G10 road", name, mover=FOOT).cost in (1, 2)  # off the road, at the cost of that hex


def test_both_readings_of_road_and_structure_within_one_hex() -> None:
    map_ = street()
    assert map_.step("G10 road", "G10", mover=FOOT).cost == 2
    assert map_.step("G10", "G10 road", mover=FOOT).cost == 1
    assert map_.step("G10 road", "G10", mover=WHEELED).cost is None
    later = {"within_structure_hex": "on_entering"}
    assert map_.step("G10 road", "G10", mover=FOOT, options=later).cost is None
    assert "chosen on entering" in map_.step("G10", "G10 road", mover=FOOT, options=later).barrier.text


def test_both_readings_of_leaving_a_structure_by_the_road_in_its_hex() -> None:
    map_ = street(crops="G9")
    assert map_.step("G10 road", "G9", mover=FOOT).cost == 1
    assert map_.step("G10", "G9", mover=FOOT).cost == 2
    assert map_.step("G10", "G9", mover=FOOT, options={"road_from_structure": "road"}).cost == 1


def test_a_collapsed_structure_is_rubble_and_its_road_no_longer_counts() -> None:
    map_ = street()
    map_.add("marker", type="rubble", at="G10")
    assert [map_.step("G11", "G10", mover=mover).cost for mover in (FOOT, WHEELED, TRACKED)] == [2, 4, 3]
    barrier = map_.step("G11", "G10 road", mover=FOOT).barrier
    assert barrier.rule == "14.10"
    # Rubble on an open road leaves the road (14.3).
    open_road = small_map()
    open_road.add("road", path=["D4", "D5"])
    open_road.add("marker", type="rubble", at="D4")
    assert open_road.step("D5", "D4", mover=FOOT).cost == 1
    assert open_road.step("E4", "D4", mover=FOOT).cost == 2


def test_a_drawn_structure_makes_a_structure_of_its_hex() -> None:
    map_ = small_map()
    x, y = map_.grid.centre(map_.survey.directory.number("D4"))
    box = [(x - 100, y - 100), (x + 100, y - 100), (x + 100, y + 100), (x - 100, y + 100)]
    map_.add("area", type="structure", outline=box)
    assert map_.step("D5", "D4", mover=FOOT).cost == 2
    assert map_.step("D5", "D4", mover=WHEELED).cost is None


def test_ruins_beside_a_road_and_structures_of_several_hexes() -> None:
    map_ = small_map(ruins="D4", structure="F4 F5")
    map_.add("road", path=["D3", "D4", "D5"], surface="paved")
    assert map_.route("D5", "D3", mover=TRACKED, state={"facing": "N"}).labels == ["D5", "D4 road", "D3"]
    assert map_.step("D5", "D4", mover=TRACKED).cost is None
    assert map_.step("F5", "F4", mover=FOOT).cost == 2  # from one hex of it to the other
    inside = map_.step("F5", "F4", mover=FOOT, state={"assault": True, "enemies": ["F4"]})
    assert "24.1" in rules_of(inside)  # as from outside (14.8)


# -- levels ----------------------------------------------------------------------------------------------------------


def test_levels_cost_a_point_up_and_down_and_gullies_too() -> None:
    map_ = at_level(small_map(crops="D3", wadi="E6"), 1, "D4", "D3")
    at_level(map_, -1, "E6")
    assert [map_.step("D5", "D4", mover=mover).cost for mover in (FOOT, WHEELED, TRACKED)] == [2, 2, 2]
    assert map_.step("D4", "D5", mover=FOOT).cost == 2
    assert map_.step("D4", "D3", mover=FOOT).cost == 2  # on the hill: the crops alone
    assert map_.step("E5", "E6", mover=FOOT).cost == 3
    assert map_.step("E6", "E5", mover=FOOT).cost == 2
    assert map_.step("D5", "D4", mover=HELICOPTER).cost == 1


def test_both_readings_of_two_levels_at_once() -> None:
    map_ = at_level(small_map(crops="D4"), 2, "D4")
    assert map_.step("D5", "D4", mover=FOOT).cost == 6
    assert map_.step("D5", "D4", mover=FOOT, options={"two_levels": "extra"}).cost == 4
    assert map_.step("D4", "D5", mover=FOOT).cost == 4


def test_a_structure_of_several_storeys_costs_what_a_structure_costs() -> None:
    map_ = at_level(small_map(structure="D4"), 2, "D4")
    assert map_.step("D5", "D4", mover=FOOT).cost == 2
    assert map_.step("D4", "D5", mover=FOOT).cost == 1
    assert map_.step("D4", "D5", mover=FOOT, options={"out_of_structure": "levels"}).cost == 4
    on_hill = at_level(small_map(structure="D4"), 1, "D3", "D4")
    x, y = on_hill.grid.centre(on_hill.survey.directory.number("D4"))
    on_hill.add("area", type="structure", level=0, outline=[(x - 90, y - 90), (x + 90, y - 90), (x, y + 90)])
    assert on_hill.step("D5", "D4", mover=FOOT).cost == 3  # one storey, on the hill


# -- high walls ------------------------------------------------------------------------------------------------------


def walled() -> Map:
    """Return a map with a high wall between the rows 6 and 7 of the columns around D."""
    map_ = small_map()
    (_, y), (_, below) = (map_.grid.centre(map_.survey.directory.number(name)) for name in ("D6", "D7"))
    line = (y + below) // 2 + 40  # not through the dots of the columns beside
    map_.add("wall", type="high_wall", name="wall", line=[(0, line), (9000, line)])
    return map_


def test_readings_of_high_walls() -> None:
    map_ = walled()
    assert map_.step("D6", "D7", mover=FOOT).cost == 2
    assert map_.step("D6", "D7", mover=FOOT, options={"high_wall_on_foot": "free"}).cost == 1
    closed = map_.step("D6", "D7", mover=FOOT, options={"high_wall_on_foot": "closed"})
    text = "the high wall between D6 and D7 is closed to foot units: no gate or breach is open there"
    assert closed.barrier.text == text
    assert map_.step("D6", "D7", mover=WHEELED).cost is None
    over = map_.step("D6", "D7", mover=WHEELED, options={"high_wall_vehicles": "low_wall"})
    assert over.cost == 4
    assert "high wall" in over.parts[-1].text
    assert map_.step("D6", "D7", mover=HELICOPTER).cost == 1
    assert map_.step("D5", "D6", mover=WHEELED).cost == 1


def test_openings_and_roads_lead_through_high_walls() -> None:
    map_ = walled()
    for pair in (["D6", "D7"], ["D7", "D6"]):
        assert map_.step("D6", "D7", mover=WHEELED, state={"openings": [pair]}).cost == 1
    map_.add("road", path=["D6", "D7"], surface="unpaved")
    assert map_.step("D7", "D6", mover=WHEELED).cost == 1


def test_a_walled_compound_is_entered_over_its_outer_wall() -> None:
    map_ = small_map()
    x, y = map_.grid.centre(map_.survey.directory.number("F6"))
    map_.add(
        "area",
        type="compound",
        outline=[(x - 300, y - 200), (x + 300, y - 200), (x + 300, y + 200), (x - 300, y + 200)],
    )
    assert map_.step("F5", "F6", mover=FOOT).cost == 2
    assert not map_.route("F1", "F6", mover=WHEELED).found
    assert map_.route("F1", "F6", mover=WHEELED, state={"openings": [["F5", "F6"]]}).found


# -- markers ---------------------------------------------------------------------------------------------------------


def test_wire_costs_more_and_ends_the_move() -> None:
    map_ = small_map(crops="D4")
    map_.add("marker", type="wire", at="D4")
    assert [map_.step("D5", "D4", mover=mover).cost for mover in (FOOT, WHEELED, TRACKED)] == [3, 7, 5]
    assert map_.step("D5", "D4", mover=HELICOPTER).cost == 1
    assert "22.5" in rules_of(map_.step("D5", "D4", mover=TRACKED))
    walls = " ".join(f"{column}4" for column in "ABCDEFGHIJKL")
    across = small_map()
    for label in walls.split():
        across.add("marker", type="wire", at=label)
    for mover in (FOOT, WHEELED):
        route = across.route("D6", "D2", mover=mover)
        assert not route.found
        assert "wire, the move has ended there" in route.miss.text
        assert across.route("D4", "D2", mover=mover).found  # a move that begins in wire leaves it
        assert across.route("D6", "D4", mover=mover).legs[-1].state == "stopped"


def test_roadblocks_are_closed_to_vehicles() -> None:
    map_ = street()
    map_.add("marker", type="roadblock", at="G9")
    map_.add("marker", type="roadblock", at="G10 road")
    assert map_.step("G8", "G9", mover=FOOT).cost == 2
    assert map_.step("G8", "G9", mover=TRACKED).cost is None
    assert map_.step("G11", "G10 road", mover=TRACKED).cost is None
    assert map_.step("G11", "G10", mover=FOOT).cost == 3  # the roadblock is in the hex


def test_mines_are_named_and_other_markers_cost_nothing() -> None:
    map_ = small_map()
    for label, kind in (("D4", "mines"), ("E4", "foxholes"), ("F4", "trench"), ("G4", "wreck"), ("H4", "cover")):
        map_.add("marker", type=kind, at=label)
    for label in ("D4", "E4", "F4", "G4", "H4"):
        assert map_.step(beside(map_, label, "S"), label, mover=FOOT).cost == 1
    assert "13.3" in rules_of(map_.step("D5", "D4", mover=FOOT))
    assert "13.3" not in rules_of(map_.step("D5", "D4", mover=HELICOPTER))


def test_bunkers_cost_a_point_in_and_out_but_not_their_hex() -> None:
    map_ = small_map(crops="D4")
    map_.add("marker", type="bunker", at="D4")
    assert map_.step("D5", "D4", mover=FOOT).cost == 2
    assert map_.step("D5", "D4", mover=WHEELED).cost == 3
    assert map_.finish("D5", ending="bunker", mover=FOOT).cost == 3
    out = map_.route("D4", "D5", mover=FOOT, state={"begins": "bunker"})
    assert [leg.step.cost for leg in out.legs] == [1, 1]
    assert "there is no bunker" in map_.route("E5", "E6", mover=FOOT, state={"begins": "bunker"}).miss.text
    with pytest.raises(ScenarioRuleError, match="foot units"):
        map_.finish("D5", ending="bunker", mover=WHEELED)


# -- facing ----------------------------------------------------------------------------------------------------------


def test_vehicles_turn_for_free_reverse_and_spin() -> None:
    map_ = small_map()
    one = map_.movement(WHEELED, state={"facing": "N"})
    number = map_.survey.directory.number

    def node(label: str, facing: str) -> int:
        return number(label) * len(one.states) + one.states.index(f"facing {facing}")

    ahead, behind = beside(map_, "F6", "N"), beside(map_, "F6", "S")
    assert one.step(node("F6", "N"), node(ahead, "N")).cost == 1
    assert one.step(node("F6", "N"), node(ahead, "NE")).cost == 1
    with pytest.raises(GridError, match="one hexside"):
        one.step(node("F6", "N"), node(ahead, "SE"))
    for direction in ("NE", "NW"):
        assert one.step(node("F6", "N"), node(beside(map_, "F6", direction), "N")).cost == 1
    for direction in ("S", "SE", "SW"):
        step = one.step(node("F6", "N"), node(beside(map_, "F6", direction), "N"))
        assert step.cost == 2
        assert "in reverse" in str(step)
    assert one.step(node("F6", "N"), node("F6", "S")).cost == 1
    # Turned round, six hexes cost a point more than ahead; for one, going backwards will do.
    assert map_.route("F6", behind, mover=WHEELED, state={"facing": "N"}).cost == 2
    assert map_.route("F7", "F1", mover=WHEELED, state={"facing": "N"}).cost == 6
    assert map_.route("F7", "F1", mover=WHEELED, state={"facing": "S"}).cost == 7
    assert map_.route("F7", "F1", mover=WHEELED).cost == 6  # any facing


def test_the_printed_path_of_the_humvee_of_22_5() -> None:
    # Farm in the second hex entered, two free turns, and all of 7 points spent.
    map_ = small_map()
    path, turns = ["F10"], ["N", "N", "NE", "NE", "SE"]
    for direction in turns:
        path.append(beside(map_, path[-1], direction))
    map_.paint(path[2], terrain="farm")
    moves = map_.movement(WHEELED, state={"facing": "N"})
    facings = ["N", "N", "NE", "NE", "SE", "SE"]
    nodes = [
        map_.survey.directory.number(label) * len(moves.states) + moves.states.index(f"facing {facing}")
        for label, facing in zip(path, facings, strict=True)
    ]
    steps = [moves.step(a, b) for a, b in itertools.pairwise(nodes)]
    assert [step.cost for step in steps] == [1, 3, 1, 1, 1]
    assert sum(step.cost for step in steps) == 7
    assert [("22.5" in rules_of(step)) for step in steps] == [False, True, False, False, False]


# -- units -----------------------------------------------------------------------------------------------------------


def test_the_printed_stacking_of_u10() -> None:
    map_ = small_map(columns=24, rows=14)
    full = {"full": ["U10"]}
    rifle = map_.step("T9", "U10", mover=FOOT, state=full)
    assert rifle.barrier.text == "U10: 2 units are there already"
    assert map_.step("U9", "U10", mover=FOOT, state={**full, "kind": "single"}).cost == 1
    assert map_.step("T9", "U10", mover=WHEELED, state=full).cost is None
    assert map_.step("T9", "U10", mover=HELICOPTER, state=full).cost == 1
    crowd = {"full_of_singles": ["U10"]}
    assert map_.step("U9", "U10", mover=FOOT, state={**crowd, "kind": "single"}).cost is None
    assert map_.step("U9", "U10", mover=FOOT, state={**crowd, "kind": "sniper"}).cost == 1
    assert map_.step("U9", "U10", mover=FOOT, state={"blocked": ["U10"]}).cost is None
    through = map_.route("T9", beside(map_, "U10", "SE"), mover=FOOT, state=full)
    assert "U10" not in through.labels


def test_enemies_close_their_hex_but_helicopters_fly_over_them() -> None:
    map_ = street()
    state = {"enemies": ["G10 road"]}
    assert "an enemy unit is there" in map_.step("G11", "G10", mover=FOOT, state=state).barrier.text
    assert map_.step("G11", "G10 road", mover=TRACKED, state=state).cost is None
    assert map_.route("G11", "G9", mover=HELICOPTER, state=state).cost == 2
    reach = map_.reach("G11", mover=HELICOPTER, points=2, state=state)
    assert "G10" in reach.passed
    assert "not stop there" in map_.route("G11", "G10", mover=HELICOPTER, state=state).text


def test_bombers_enter_enemy_hexes_and_end_there() -> None:
    map_ = small_map()
    state = {"enemies": [f"{column}5" for column in "ABCDEFGHIJKL"], "kind": "bomber"}
    assert map_.route("D6", "D5", mover=FOOT, state=state).legs[-1].state == "stopped"
    assert "detonates" in str(map_.route("D6", "D5", mover=FOOT, state=state))
    assert not map_.route("D6", "D2", mover=FOOT, state=state).found


def test_civilians_stop_foot_units_but_no_snipers_and_vehicles() -> None:
    map_ = small_map()
    row = {"civilians": [f"{column}5" for column in "ABCDEFGHIJKL"]}
    assert not map_.route("D6", "D3", mover=FOOT, state=row).found
    assert map_.route("D6", "D5", mover=FOOT, state=row).found
    assert map_.route("D6", "D3", mover=FOOT, state={**row, "kind": "sniper"}).cost == 3
    assert map_.route("D6", "D3", mover=WHEELED, state=row).cost == 3


def test_rolling_cover_pays_on_foot_and_goes_where_both_can() -> None:
    map_ = small_map(crops="D5", grape_fields="E5")
    state = {"rolling_cover": WHEELED}
    step = map_.step("D6", "D5", mover=FOOT, state=state)
    assert step.cost == 2
    assert "22.5" in rules_of(step)
    beside_e5 = beside(map_, "E5", "S")
    assert map_.step(beside_e5, "E5", mover=FOOT).cost == 2
    assert map_.step(beside_e5, "E5", mover=FOOT, state=state).cost is None
    assert map_.step(beside_e5, "E5", mover=FOOT, state={"rolling_cover": TRACKED}).cost == 2


def test_assault_moves_are_one_hex_into_an_enemy_and_name_the_breach() -> None:
    map_ = small_map(structure="F9")
    state = {"assault": True, "enemies": ["F9", "G9"], "objectives": ["E9"]}
    below = beside(map_, "F9", "S")
    into = map_.step(below, "F9", mover=FOOT, state=state)
    assert into.cost == 2
    assert "F9: after a breach roll" in str(into)
    assert map_.step("F8", "F9", mover=WHEELED, state=state).cost is None  # no terrain of theirs
    assert map_.step("F8", "F7", mover=FOOT, state=state).barrier.rule == "24.0"
    beside_g9 = beside(map_, "G9", "S")
    assert "24.1" not in rules_of(map_.step(beside_g9, "G9", mover=FOOT, state=state))
    alone = map_.reach(below, mover=FOOT, points=1, state=state)
    assert set(alone.labels) == {below, *(name for name in ("F9", "G9", "E9") if alone.cost(name) is not None)}
    assert alone.cost("F9") == 2  # whatever it costs (22.0)
    wall = walled()
    across = wall.step("D6", "D7", mover=FOOT, state={"assault": True, "enemies": ["D7"]})
    assert (across.cost, "24.1" in rules_of(across)) == (1, True)


# -- beginning and ending --------------------------------------------------------------------------------------------


def test_entering_costs_the_terrain_and_leaving_a_point() -> None:
    map_ = small_map(crops="A5")
    map_.add("road", path=["A8", "B8", "C9"], surface="paved")
    into = map_.route("A5", "B5", mover=WHEELED, state={"begins": "off_map"})
    assert into.legs[0].step.cost == 3
    by_road = map_.route("A8", "C9", mover=WHEELED, state={"begins": "off_map"})
    assert by_road.cost == Fraction(3, 2)
    assert by_road.legs[0].step.parts[0].text == "A8: into the map along the paved road"
    terrain = {"enter_by_road": "terrain"}
    assert map_.route("A8", "C9", mover=WHEELED, state={"begins": "off_map"}, options=terrain).cost == 2
    inside = map_.route("E6", "E7", mover=FOOT, state={"begins": "off_map"})
    assert "E6 is not at the edge of the map" in inside.miss.text
    entries = {step.b: step.cost for step in map_.entries(WHEELED)}
    assert (entries["A5"], entries["A8"], "E6" in entries) == (3, Fraction(1, 2), False)
    out = map_.finish("B5", ending="exit", mover=FOOT)
    assert (out.labels, out.cost) == (["B5", "A6", "A6"], 2)
    assert out.legs[-1].step.parts[0].rule == "22.6"
    assert map_.finish("E6", "A6", ending="exit", mover=FOOT, points=9).found
    late = map_.finish("E6", "A6", ending="exit", mover=FOOT, points=4)
    assert not late.found
    with pytest.raises(ScenarioRuleError, match="edge of the map"):
        map_.finish("E6", "E7", ending="exit", mover=FOOT)


def test_the_printed_transport_of_23_0() -> None:
    # Two points to the MAT-V and one to load.
    map_ = small_map()
    route = map_.finish("F8", "F6", ending="load", mover=FOOT, points=3)
    assert [leg.step.cost for leg in route.legs] == [1, 1, 1]
    assert route.legs[-1].step.parts[0] == studio.paths.CostPart("23.0.1", 2, "F6: onto the vehicle")
    assert not map_.finish("F8", "F6", ending="load", mover=FOOT, points=2).found
    assert map_.finish("F6", "F6", ending="load", mover=FOOT, points=1).cost == 1
    waiting = map_.finish("F7", "F6", ending="load", mover=FOOT, points=1)
    assert not waiting.found  # with one point it must wait in the hex


def test_the_printed_unloading_of_30_5() -> None:
    # Off the Blackhawk in Q9 for 2 points, then R9 and S10 for one each.
    map_ = small_map(columns=24, rows=14)
    route = map_.route("Q9", "S10", mover=FOOT, state={"begins": "aboard"})
    assert [leg.step.cost for leg in route.legs] == [2, 1, 1]
    assert route.cost == 4
    assert map_.route("Q9", "R9", mover=FOOT, state={"begins": "aboard", "full": ["Q9"]}).cost is None


def test_both_readings_of_unloading_on_a_road() -> None:
    map_ = small_map(crops="D5")
    map_.add("road", path=["D5", "D6"])
    aboard = {"begins": "aboard"}
    assert map_.route("D5", "D6", mover=FOOT, state=aboard).legs[0].step.cost == 2
    off = map_.route("D5", "D6", mover=FOOT, state=aboard, options={"unload_on_road": "terrain"})
    assert off.legs[0].step.cost == 3


# -- ranges ----------------------------------------------------------------------------------------------------------


def test_command_range_leaves_out_the_hex_of_the_leader() -> None:
    map_ = small_map()
    found = map_.command("D6", 2, ["D6", "D4", "D3"])
    assert found.labels == ["D4", "D6"]
    assert found.why("D3").text == "D3: no; 3 hexes from the leader at D6, whose command range is 2"
    assert len(map_.command("F7", 1).labels) == 7
    with pytest.raises(ScenarioRuleError, match="whole hexes"):
        map_.command("D6", -1)


def test_spotting_for_strikes_takes_twenty_hexes_or_the_range_of_the_weapon_and_sight() -> None:
    map_ = small_map(columns=5, rows=26, grape_fields="B5")
    assert "C21" in map_.spotting("C1", ["C21"]).labels
    assert map_.spotting("C1", ["C22"]).labels == []
    assert map_.spotting("C1", ["C22"], weapon_range=24).labels == ["C22"]
    assert "no line of sight" in map_.spotting("B4", ["B6"]).why("B6").text
    assert map_.spotting("C1", ["C2"], status="shaken").labels == []
    with pytest.raises(ScenarioRuleError, match="purpose"):
        map_.spotting("C1", purpose="luck")


def test_the_printed_mortar_of_8_2_and_contacts_of_32() -> None:
    map_ = small_map()
    # The Captain in H7 directs the Mortar Team at F10, which is within 10 hexes.
    spot = map_.spotting("H7", ["F10"], purpose="mortar", team="H12").why("F10")
    assert spot.allowed
    assert "the Mortar Team is 5 hexes away, 10 at most" in str(spot)
    assert not map_.spotting("A1", ["A3"], purpose="mortar", team="A12").why("A3").allowed
    with pytest.raises(ScenarioRuleError, match="Mortar Team"):
        map_.spotting("H7", purpose="mortar")
    assert map_.spotting("J8", ["J12"], purpose="challenge", weapon_range=5).labels == ["J12"]
    assert map_.spotting("J8", ["J12"], purpose="challenge", weapon_range=3).labels == []
    assert map_.spotting("J4", ["J12"], purpose="challenge").labels == []
    assert map_.spotting("D6", ["D4", "D3"], purpose="contact").labels == ["D4"]
    hidden = small_map(grape_fields="D5")
    assert hidden.spotting("D6", ["D4"], purpose="contact").labels == []
    walled_off = small_map(structure="D5")
    assert walled_off.spotting("D6", ["D5"], purpose="contact").labels == ["D5"]


def test_states_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wall.map.json"
    walled().save(file)
    asked = ["route", str(file), "D6", "D7", "--mover", WHEELED]
    assert main([*asked, "--state", "openings=D6:D7", "--state", "facing=S"]) == 0
    assert "D6 to D7 (wheeled): 1 MP in 1 step" in capsys.readouterr().out
    main(asked)
    assert "no gate or breach is open there" in capsys.readouterr().out


# -- what is refused, and the maps -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mover", "state"),
    [
        (FOOT, {"facing": "N"}),
        (WHEELED, {"facing": "E"}),
        (WHEELED, {"begins": "aboard"}),
        (FOOT, {"begins": "somewhere"}),
        (FOOT, {"kind": "horse"}),
        (TRACKED, {"kind": "sniper"}),
        (WHEELED, {"rolling_cover": TRACKED}),
        (FOOT, {"rolling_cover": TRACKED, "kind": "single"}),
        (HELICOPTER, {"assault": True}),
    ],
)
def test_states_that_cannot_hold_are_refused(mover: str, state: dict[str, object]) -> None:
    with pytest.raises(ScenarioRuleError, match="state: "):
        small_map().movement(mover, state=state)


def test_unknown_movers_and_states_of_other_games_are_refused() -> None:
    map_ = small_map()
    with pytest.raises(UnknownNameError, match="horse"):
        judge(map_.survey, "horse")
    with pytest.raises(ScenarioRuleError, match="TacticsState"):
        judge(map_.survey, FOOT, None, studio.paths.MoveState())


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_the_maps_of_the_game_have_ways(number: int) -> None:
    map_ = studio.open_map(f"maps/tactics-{number}.map.json")
    start = map_.survey.directory.label(0)
    for mover in map_.ruleset.movers:
        reach = map_.reach(start, mover=mover, points=6)
        for label in reach.labels[::9]:
            route = map_.route(start, label, mover=mover, points=6)
            assert route.found
            assert route.cost == reach.cost(label)
    on_foot = map_.reach(start, mover=FOOT)
    assert len(on_foot.labels) == len(map_.survey.directory.numbers)
