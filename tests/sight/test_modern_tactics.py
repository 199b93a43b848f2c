"""Sight in Modern Tactics, rule by rule (12.1 to 12.4, 13, 14, 30, Playbook 2), each with its other readings."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.api import Map
from studio.errors import GridError, UnknownNameError
from studio.model import MapModel
from studio.sight import STATUSES, Conditions, Sighting
from studio.survey import Survey
from tests.sight.makers.modern_tactics import RULES, make, outline, small_map, strew

DEGRADING = ["crops", "marijuana_fields", "rubble"]
OPEN = ["open", "farm", "bridge", "wadi"]


def see(map_: Map, a: str, b: str, **asked: object) -> Sighting:
    """Return the sighting, and hold it against the one the other way round."""
    there, back = map_.sight(a, b, **asked), map_.sight(b, a, **asked)  # type: ignore[arg-type]
    assert (there.status, there.hindrances) == (back.status, back.hindrances)
    return there


def status(map_: Map, a: str, b: str, **asked: object) -> str:
    return see(map_, a, b, **asked).status


def at(map_: Map, label: str, *points: tuple[int, int]) -> list[list[int]]:
    """Return points as seen from the centre of a hex."""
    x, y = map_.grid.centre(map_.labels.cell(label))
    return [[x + dx, y + dy] for dx, dy in points]


def box(map_: Map, label: str, x0: int, y0: int, x1: int, y1: int) -> list[list[int]]:
    return at(map_, label, (x0, y0), (x1, y0), (x1, y1), (x0, y1))


# -- the map ---------------------------------------------------------------------------------------------------------


def test_labels_are_those_of_the_printed_maps() -> None:
    map_ = small_map(columns=33, rows=20)
    grid, cell = map_.grid, map_.labels.cell
    assert grid.distance(cell("D0"), cell("C1")) == 1
    assert {cell(name) for name in ("B8", "B9")} <= set(grid.neighbours(cell("A9")))
    # The paved road of map 1 is a straight line of hexes, and so is a printed column of vehicles.
    assert grid.distance(cell("A17"), cell("GG1")) == 32
    row = [cell(name) for name in ("A9", "B9", "C10", "D10", "E11")]
    assert [grid.distance(a, b) for a, b in itertools.pairwise(row)] == [1, 1, 1, 1]
    assert grid.distance(row[0], row[-1]) == 4
    for name in ("Z0", "GG19", "GG10", "J0", "K1"):
        cell(name)


# -- 12.1 to 12.3: terrain on the way --------------------------------------------------------------------------------


@pytest.mark.parametrize("terrain", ["grape_fields", "structure", "ruins"])
def test_blocking_terrain_blocks(terrain: str) -> None:
    found = see(small_map(**{terrain: "C4"}), "C2", "C6")
    assert (found.status, found.blocked_at, found.modifiers) == ("blocked", "C4", {})


@pytest.mark.parametrize("terrain", DEGRADING)
def test_degrading_terrain_costs_a_point_each(terrain: str) -> None:
    for count, labels in enumerate(("C3", "C3 C5"), start=1):
        found = see(small_map(**{terrain: labels}), "C2", "C6")
        assert (found.status, found.hindrances) == ("hindered", count)
        assert found.modifiers == {"FP": -count, "to_hit": -count}


def test_the_third_degradation_blocks() -> None:
    found = see(small_map(crops="C3 C4 C5"), "C2", "C6")
    assert (found.status, found.hindrances, found.modifiers) == ("blocked", 0, {})
    assert found.blocked_at == "C5"
    assert [reason.effect for reason in found.reasons] == ["hinders", "hinders", "blocks"]


@pytest.mark.parametrize("terrain", OPEN)
def test_open_terrain_has_no_effect(terrain: str) -> None:
    assert status(small_map(**{terrain: "C3 C4 C5"}), "C2", "C6") == "clear"


@pytest.mark.parametrize(("reading", "expected"), [("block", "blocked"), ("degrade", "hindered")])
def test_both_readings_of_mixed_woods(reading: str, expected: str) -> None:
    assert status(small_map(mixed_woods="C4"), "C2", "C6", options={"mixed_woods": reading}) == expected


@pytest.mark.parametrize("terrain", ["grape_fields", "crops", "structure"])
def test_the_terrain_of_the_ends_does_not_count(terrain: str) -> None:
    assert status(small_map(**{terrain: "C2 C6"}), "C2", "C6") == "clear"
    assert status(small_map(**{terrain: "C2 C3"}), "C2", "C3") == "clear"


def test_a_hex_sees_itself() -> None:
    found = small_map(grape_fields="C2").sight("C2", "C2")
    assert (found.status, found.contacts, len(found.profile)) == ("clear", (), 1)


def test_one_hex_degrades_once() -> None:
    map_ = small_map(crops="C4")
    for kind in ("wreck", "smoke"):
        map_.add("marker", type=kind, at="C4")
    assert see(map_, "C2", "C6").hindrances == 1


def test_everything_that_blocks_is_named_and_what_was_passed_too() -> None:
    found = see(small_map(grape_fields="C3 C5", wadi="C4"), "C2", "C6")
    assert [(reason.at, reason.effect) for reason in found.reasons] == [
        ("C3", "blocks"),
        ("C4", "passes"),
        ("C5", "blocks"),
    ]
    assert all(reason.rule and reason.text for reason in found.reasons)


# -- 14: spines ------------------------------------------------------------------------------------------------------

# Between C4 and E4 the line runs along the side of D3 and D4.


@pytest.mark.parametrize(
    ("painted", "expected"),
    [
        ({}, "clear"),
        ({"crops": "D3"}, "hindered"),
        ({"crops": "D3 D4"}, "hindered"),
        ({"crops": "D3", "grape_fields": "D4"}, "blocked"),
        ({"grape_fields": "D3"}, "blocked"),
    ],
)
def test_along_a_spine_the_heavier_hex_counts_once(painted: dict, expected: str) -> None:
    found = see(small_map(**painted), "C4", "E4")
    assert (found.status, found.hindrances) == (expected, int(expected == "hindered"))


def test_the_printed_spines_of_j10() -> None:
    # J10 blocks, J9 and K9 degrade: along the sides of J10 the line is blocked, along that of J9 and K9 degraded.
    map_ = small_map(grape_fields="J10", crops="J9 K9")
    assert status(map_, "I10", "K10") == "blocked"  # side J9/J10
    assert status(map_, "I11", "K11") == "blocked"  # side J10/J11
    assert see(map_, "J8", "K10").hindrances == 1  # side J9/K9
    assert see(map_, "I9", "K9").hindrances == 1  # side J8/J9


@pytest.mark.parametrize(("reading", "expected"), [(False, "clear"), (True, "blocked")])
def test_a_touched_corner(reading: bool, expected: str) -> None:
    touching = small_map()
    line = touching.sight("B1", "F4")  # the shortest lines with touches have range 5
    corners = [str(contact.at) for contact in line.contacts if contact.how == "touch"]
    assert corners
    for corner in corners:
        touching.paint(corner, terrain="grape_fields")
    assert status(touching, "B1", "F4", options={"touch_counts": reading}) == expected


# -- 12.2, 14.6: drawn structures ------------------------------------------------------------------------------------


def test_a_structure_without_a_drawing_fills_its_hex() -> None:
    assert see(small_map(structure="D4"), "C4", "E4").blocked_at == ("D3", "D4")


@pytest.mark.parametrize("kind", ["structure", "ruins"])
def test_only_the_drawn_structure_blocks_and_the_rest_of_its_hex_degrades(kind: str) -> None:
    map_ = small_map(**{kind: "C4"})
    map_.add("area", type=kind, outline=box(map_, "C4", -200, -100, -60, 100))
    missed = see(map_, "C2", "C6")
    assert (missed.status, missed.hindrances, missed.reasons[1].rule) == ("hindered", 1, "12.2")
    map_.add("area", type=kind, outline=box(map_, "C4", -200, -100, 60, 100))
    hit = see(map_, "C2", "C6")
    assert (hit.status, hit.blocked_at, hit.reasons[1].rule) == ("blocked", "C4", "14.6")


def test_a_drawn_structure_makes_its_hexes_structure_hexes() -> None:
    map_ = small_map()
    map_.add("area", type="structure", outline=box(map_, "C4", -200, -100, -60, 100))
    assert status(map_, "C2", "C6") == "hindered"


@pytest.mark.parametrize(("reading", "expected"), [(False, "hindered"), (True, "blocked")])
def test_grazing_a_drawn_structure(reading: bool, expected: str) -> None:
    for x0, x1 in ((-200, 0), (0, 200)):
        map_ = small_map()
        map_.add("area", type="structure", outline=box(map_, "C4", x0, -100, x1, 100))
        assert status(map_, "C2", "C6", options={"graze_hits": reading}) == expected
    corner = small_map()
    corner.add("area", type="structure", outline=at(corner, "C4", (0, 0), (200, 100), (200, -100)))
    assert status(corner, "C2", "C6", options={"graze_hits": reading}) == expected


def test_a_spine_through_a_drawn_structure_is_blocked_and_beside_it_degraded() -> None:
    map_ = small_map()
    map_.add("area", type="structure", outline=box(map_, "D4", -100, -300, 100, -180))  # across the side of D3 and D4
    assert status(map_, "C4", "E4") == "blocked"
    beside = small_map()
    beside.add("area", type="structure", outline=box(beside, "D4", -100, -100, 100, 100))
    assert status(beside, "C4", "E4") == "hindered"


def test_a_line_through_the_gap_of_a_structure_in_two_pieces() -> None:
    map_ = small_map()
    map_.add("area", type="structure", outline=box(map_, "C4", -300, -100, -100, 100))
    map_.add("area", type="structure", outline=box(map_, "C4", 100, -100, 300, 100))
    found = see(map_, "C2", "C6")
    assert (found.status, found.hindrances) == ("hindered", 1)


def test_a_collapsed_structure_is_rubble() -> None:
    map_ = small_map(structure="C4")
    map_.add("marker", type="rubble", at="C4")
    found = see(map_, "C2", "C6")
    assert (found.status, found.hindrances, found.reasons[1].rule) == ("hindered", 1, "13.7")


def test_an_outline_that_crosses_itself_is_refused_by_name() -> None:
    map_ = small_map()
    bow = at(map_, "C4", (-100, -100), (100, 90), (100, -100), (-100, 100))
    map_.add("area", type="structure", id="bow", outline=bow)
    with pytest.raises(GridError, match="structure bow: the outline crosses itself"):
        map_.sight("C2", "C6")


# -- 13: markers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["smoke", "smoke_2", "wreck", "roadblock", "rubble"])
def test_markers_that_degrade(kind: str) -> None:
    map_ = small_map()
    map_.add("marker", type=kind, at="C4")
    assert see(map_, "C2", "C6").hindrances == 1


@pytest.mark.parametrize("kind", ["cover", "foxholes", "trench", "mines", "bunker", "wire"])
def test_markers_without_effect_on_sight(kind: str) -> None:
    map_ = small_map()
    map_.add("marker", type=kind, at="C4")
    assert status(map_, "C2", "C6") == "clear"


def test_fire_out_of_smoke_has_a_modifier() -> None:
    map_ = small_map()
    map_.add("marker", type="smoke", at="C2")
    assert map_.sight("C2", "C6").modifiers == {"FP": -1}
    assert map_.sight("C6", "C2").modifiers == {}


# -- 14.4: hexsides --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["low_wall", "hedge"])
def test_crossing_hexside_terrain_degrades(kind: str) -> None:
    map_ = small_map()
    map_.set_side("C4", "C5", kind)
    found = see(map_, "C2", "C7")
    assert (found.status, found.hindrances) == ("hindered", 1)
    assert found.reasons[2].at == ("C4", "C5")


def test_hexsides_of_the_ends_do_not_count() -> None:
    map_ = small_map()
    map_.set_side("C2", "C3", "low_wall")
    map_.set_side("C6", "C7", "low_wall")
    assert status(map_, "C2", "C7") == "clear"


def test_two_hexsides_of_one_hex_degrade_twice() -> None:
    map_ = small_map()
    map_.set_side("C3", "C4", "low_wall")
    map_.set_side("C4", "C5", "low_wall")
    assert see(map_, "C2", "C7").hindrances == 2


def test_the_printed_low_walls_of_l12_and_m13() -> None:
    map_ = small_map(columns=16, rows=18)
    for a, b in (("L12", "L11"), ("L11", "L10")):
        map_.set_side(a, b, "low_wall")
    assert status(map_, "L9", "L12") == "hindered"  # the wall of L10 and L11 lies beside neither
    assert status(map_, "L10", "L12") == "clear"  # that of L11 and L12 belongs to the target
    far = small_map(columns=16, rows=18)
    far.set_side("M10", "M11", "low_wall")
    assert far.sight("M8", "M13").modifiers == {"FP": -1, "to_hit": -1}


@pytest.mark.parametrize(("reading", "count"), [("adds", 2), ("heavier", 1)])
def test_along_hexside_terrain(reading: str, count: int) -> None:
    wall = small_map()
    wall.set_side("D3", "D4", "low_wall")
    assert see(wall, "C4", "E4", options={"spine_side": reading}).hindrances == 1
    both = small_map(crops="D3")
    both.set_side("D3", "D4", "low_wall")
    assert see(both, "C4", "E4", options={"spine_side": reading}).hindrances == count


def test_hexside_terrain_has_no_effect_between_levels_or_below_both() -> None:
    map_ = small_map()
    map_.set_side("C4", "C5", "low_wall")
    map_.paint("C2", level=1)
    assert status(map_, "C2", "C7") == "clear"
    map_.paint("C7", level=1)
    assert status(map_, "C2", "C7") == "clear"


# -- 12.4, 14.5: levels ----------------------------------------------------------------------------------------------


def hills(columns: int = 12, rows: int = 14, **levels: str) -> Map:
    made = small_map(columns, rows)
    for level, labels in levels.items():
        made.paint(labels.split(), level=int(level.strip("l_").replace("m", "-")))
    return made


def test_a_hill_blocks_between_lower_units() -> None:
    found = see(hills(l1="C4"), "C2", "C6")
    assert (found.status, found.blocked_at) == ("blocked", "C4")


def test_only_the_drawn_hill_blocks_as_in_the_example_of_m4() -> None:
    map_ = small_map(columns=16)
    map_.paint("M4", level=1)
    map_.add("area", type="hill", level=1, outline=box(map_, "M4", -200, -200, -60, 200))
    assert see(map_, "M2", "M6").hindrances == 1
    map_.add("area", type="hill", level=1, outline=box(map_, "M4", -60, -200, 60, 200))
    assert status(map_, "M2", "M6") == "blocked"


def test_units_on_one_hill_see_each_other() -> None:
    assert status(hills(l1="C2 C3 C4 C5 C6"), "C2", "C6") == "clear"


PLATEAU = "B2 B3 B4 C3 C4 C5 D2 D3 D4"  # with C4 in the middle


def test_from_a_plateau_lower_levels_are_not_seen() -> None:
    map_ = hills(l1=PLATEAU)
    found = see(map_, "C4", "C8")
    assert (found.status, found.blocked_at) == ("blocked", "C4")
    assert status(map_, "C5", "C8") == "clear"  # the crest hex in front of it


def test_the_printed_plateaus_of_i3_and_aa13() -> None:
    for middle, crests, outside in (("I3", ("I2", "I4", "H2", "J3"), "I8"), ("AA13", ("Y12", "Y13"), "V10")):
        map_ = small_map(columns=33, rows=20)
        hexes = [map_.labels.label(cell) for cell in map_.grid.within(map_.labels.cell(middle), 2)]
        map_.paint([one for one in hexes if one], level=1)
        assert status(map_, middle, outside) == "blocked"
        for crest in crests:
            if map_.grid.distance(map_.labels.cell(crest), map_.labels.cell(middle)) == 2:
                assert status(map_, crest, outside) == "clear"
        map_.paint(outside, level=1)
        assert status(map_, middle, outside) == "clear"  # its own level is seen
        map_.paint(outside, level=2)
        assert status(map_, middle, outside) == "clear"  # and higher ones


@pytest.mark.parametrize(("reading", "expected"), [("hex", "clear"), ("line", "blocked")])
def test_a_crest_hex_across_its_own_plateau(reading: str, expected: str) -> None:
    map_ = hills(l1=PLATEAU)
    assert status(map_, "C3", "C8", options={"crest": reading}) == expected
    assert status(map_, "C5", "C8", options={"crest": reading}) == "clear"


@pytest.mark.parametrize(("reading", "expected"), [("blocks", "blocked"), ("passes", "clear")])
def test_another_hill_of_the_same_level(reading: str, expected: str) -> None:
    map_ = hills(l1="C2 C5 C8")
    assert status(map_, "C2", "C8", options={"other_hill": reading}) == expected
    assert status(map_, "C2", "C9", options={"other_hill": reading}) == expected


def test_a_hill_higher_than_both_blocks_whatever_the_reading() -> None:
    for reading in ("blocks", "passes"):
        assert status(hills(l1="C2 C8", l2="C5"), "C2", "C8", options={"other_hill": reading}) == "blocked"


def test_ground_level_terrain_is_seen_over_but_for_one_blind_hex() -> None:
    map_ = small_map(structure="C5", rubble="D5")
    map_.paint("C2", level=1)
    assert see(map_, "C2", "C6").blocked_at == "C5"
    assert status(map_, "C2", "C7") == "clear"
    map_.paint("D2", level=1)
    assert see(map_, "D2", "D6").hindrances == 1
    assert status(map_, "D2", "D7") == "clear"


def test_the_blind_hex_of_a_wreck_is_degraded() -> None:
    map_ = small_map()
    map_.paint("C2", level=1)
    map_.add("marker", type="wreck", at="C5")
    assert see(map_, "C2", "C6").hindrances == 1
    assert status(map_, "C2", "C7") == "clear"


def test_the_printed_view_from_y12_and_y13() -> None:
    map_ = small_map(columns=33, rows=20, structure="W13 V14", crops="T11")
    map_.paint(["Y12", "Y13", "Z12", "Z13", "AA12", "AA13", "AA14", "BB12", "BB13"], level=1)
    assert see(map_, "Y12", "V13").blocked_at == "W13"  # the Fighters in the blind hex
    assert status(map_, "Y12", "U14") == "clear"  # the Recruits behind it
    assert status(map_, "Y12", "V10") == "clear"  # the Bomber
    assert see(map_, "Y13", "S11").modifiers == {"FP": -1, "to_hit": -1}  # over the crops in T11
    assert status(map_, "AA13", "V10") == "blocked"


def test_a_blind_hex_behind_a_structure_that_is_missed_is_degraded() -> None:
    map_ = small_map(structure="C5")
    map_.paint("C2", level=1)
    map_.add("area", type="structure", outline=box(map_, "C5", -200, -100, -60, 100))
    assert see(map_, "C2", "C6").hindrances == 1
    assert status(map_, "C2", "C7") == "clear"


def test_terrain_on_the_level_of_the_higher_end_counts_and_below_both_it_does_not() -> None:
    above = small_map(crops="C3")
    above.paint(["C2", "C3"], level=1)
    assert see(above, "C2", "C7").hindrances == 1
    below = small_map(grape_fields="C4 C5")
    below.paint(["C2", "C6"], level=1)
    assert status(below, "C2", "C6") == "clear"


def test_from_level_2_a_level_1_hill_is_seen_over_but_for_one_blind_hex() -> None:
    map_ = hills(l2="C2", l1="C6")
    assert see(map_, "C2", "C7").blocked_at == "C6"
    assert status(map_, "C2", "C8") == "clear"
    drawn = hills(l2="C2", l1="C6")
    drawn.add("area", type="hill", level=1, outline=box(drawn, "C6", -200, -100, -60, 100))
    assert see(drawn, "C2", "C7").hindrances == 1


def test_a_slope_has_no_blind_hex() -> None:
    assert status(hills(l2="C2", l1="C3"), "C2", "C4") == "clear"
    assert status(hills(l2="C2", l1="C3 C4"), "C2", "C5") == "blocked"  # a terrace of two hexes hides what is behind it
    crops = hills(l1="C2")
    crops.paint("C3", terrain="crops")
    assert status(crops, "C2", "C4") == "hindered"  # slopes are made by hills and structures only


def test_the_printed_slope_of_a_structure_of_two_storeys() -> None:
    map_ = small_map(columns=16, structure="K8 J8 J9 K9")
    map_.paint(["K8", "J8", "J9"], level=1)
    found = see(map_, "J8", "L9")
    assert found.status == "clear"
    assert "slope" in " ".join(reason.text for reason in found.reasons)
    map_.paint("K9", terrain="grape_fields")
    assert status(map_, "J8", "L9") == "blocked"


def test_smoke_is_never_seen_over() -> None:
    map_ = hills(l2="C2 C8")
    map_.add("marker", type="smoke", at="C5")
    assert see(map_, "C2", "C8").hindrances == 1
    map_.paint("C8", level=0)
    assert see(map_, "C2", "C8").hindrances == 1
    assert map_.sight("C1", "C9", conditions=Conditions(from_air=True, to_air=True)).hindrances == 1


# -- 12.4, 14.5: gullies ---------------------------------------------------------------------------------------------

GULLY = " ".join(f"{column}{row}" for column in "CDEFG" for row in range(5, 10))  # E7 lies two hexes inside


def test_the_inside_of_a_gully_is_seen_from_its_rim_only() -> None:
    map_ = hills(lm1=GULLY)
    assert status(map_, "E7", "E4") == "clear"
    found = see(map_, "E7", "E3")
    assert (found.status, found.blocked_at) == ("blocked", "E7")
    map_.paint("E2", level=2)
    assert status(map_, "E7", "E2") == "blocked"
    assert status(map_, "E7", "E6") == status(map_, "E7", "C7") == "clear"


@pytest.mark.parametrize(("reading", "expected"), [("gully_hex", "clear"), ("rim", "blocked")])
def test_both_readings_of_the_edge_of_a_gully(reading: str, expected: str) -> None:
    map_ = hills(lm1=GULLY)
    asked = {"gully_edge": reading}
    assert status(map_, "E5", "E1", options=asked) == expected
    assert status(map_, "E5", "E4", options=asked) == "clear"
    assert status(map_, "E7", "E1", options=asked) == "blocked"


@pytest.mark.parametrize(("reading", "expected"), [(True, "clear"), (False, "blocked")])
def test_a_helicopter_and_the_inside_of_a_gully(reading: bool, expected: str) -> None:
    map_ = hills(lm1=GULLY)
    asked = {"options": {"air_into_gully": reading}, "conditions": Conditions(from_air=True)}
    assert map_.sight("E1", "E7", **asked).status == expected
    assert map_.sight("E1", "E5", **asked).status == "clear"


def test_higher_lines_are_not_affected_by_a_gully() -> None:
    assert status(hills(lm1=GULLY), "E1", "E12") == "clear"


def test_ground_between_two_hexes_of_one_gully_blocks() -> None:
    map_ = hills(lm1="C4 D4 E5 E6 E7 D7 C8")
    assert status(map_, "C4", "C8") == "blocked"


# -- 14.8: structures of several levels and hexes --------------------------------------------------------------------


def test_a_structure_of_two_storeys_sees_from_its_top() -> None:
    map_ = small_map(structure="C2", grape_fields="C4")
    assert status(map_, "C2", "C8") == "blocked"
    map_.paint("C2", level=1)
    assert status(map_, "C2", "C8") == "clear"
    drawn = small_map(grape_fields="C4")
    drawn.add("area", type="structure", level=1, outline=box(drawn, "C2", -200, -200, 200, 200))
    assert status(drawn, "C2", "C8") == "clear"


def test_a_structure_of_two_storeys_blocks_level_1_and_is_seen_over_from_level_2() -> None:
    map_ = small_map(structure="C5")
    map_.paint(["C2", "C5", "C8"], level=1)
    assert status(map_, "C2", "C8") == "blocked"
    map_.paint(["C2", "C8"], level=2)
    assert status(map_, "C2", "C8") == "clear"
    assert see(map_, "C2", "C6").blocked_at == "C5"


def test_inside_one_structure_only_adjacent_hexes_are_seen() -> None:
    map_ = small_map()
    # An L around C4: from C2 to E4 the line runs outside of it.
    ring = (-100, -500), (100, -500), (100, 560), (1500, 560), (1500, 700), (-100, 700)
    map_.add("area", type="structure", outline=at(map_, "C3", *ring))
    assert status(map_, "C2", "C3") == "clear"
    found = see(map_, "C2", "E4")
    assert found.status == "blocked"
    assert "14.8" in [reason.rule for reason in found.reasons]


# -- 14.7: roads beside structures -----------------------------------------------------------------------------------


def town() -> Map:
    """Return the row A10 to D10 with a road, a structure beside it in each hex, and one in G10."""
    map_ = small_map(columns=16, structure="B10 C10")
    line = [map_.grid.centre(map_.labels.cell(label)) for label in ("A10", "B10", "C10", "D10")]
    map_.add("road", path=["A10", "B10", "C10", "D10"], line=[[x, y] for x, y in line])
    map_.add("area", type="structure", outline=box(map_, "B10", -200, 140, 200, 220))
    map_.add("area", type="structure", outline=box(map_, "C10", -200, -220, 200, -140))
    return map_


def test_down_a_road_between_structures_the_line_is_degraded_by_each_hex() -> None:
    found = see(town(), "A10", "D10")
    assert (found.status, found.hindrances, found.modifiers) == ("hindered", 2, {"FP": -2, "to_hit": -2})


def test_a_unit_on_the_road_uses_any_point_of_it_and_one_in_the_structure_the_dot() -> None:
    map_ = small_map(columns=16, structure="G10")
    map_.add("road", path=["F9", "G10", "H9"], line=at(map_, "G10", (-900, 200), (900, 200)))
    map_.add("area", type="structure", outline=box(map_, "G10", -150, -150, 150, 150))
    map_.add("area", type="structure", outline=box(map_, "G8", -40, -100, 240, 100))
    assert "G10 road" in [location.label for location in map_.survey.directory.others]
    assert status(map_, "G10", "G5") == "blocked"
    found = see(map_, "G10 road", "G5")
    assert (found.status, found.hindrances) == ("hindered", 1)
    assert found.reasons[0].rule == "14.7"
    assert status(map_, "G10 road", "G10") == "clear"


def test_a_gap_between_two_walls_is_found_though_it_is_narrow() -> None:
    map_ = small_map(columns=16, rows=16)
    map_.add("road", path=["G10"], line=at(map_, "G10", (-300, 0), (300, 0)))
    map_.paint("G10", terrain="structure")
    # Two screens leave a slit, two lattice units wide, that lines up with one short piece of the road only.
    map_.add("area", type="structure", outline=box(map_, "G8", -470, -10, 70, 0))
    map_.add("area", type="structure", outline=box(map_, "G8", 72, -10, 470, 0))
    found = see(map_, "G10 road", "G6")
    assert (found.status, found.hindrances) == ("hindered", 1)
    assert status(map_, "G10", "G6") == "blocked"


def test_both_on_roads() -> None:
    map_ = small_map(columns=16, rows=16, structure="G10 G4")
    for label, y in (("G10", 0), ("G4", 0)):
        map_.add("road", path=[label], line=at(map_, label, (-300, y), (300, y)))
    map_.add("area", type="structure", outline=box(map_, "G7", -470, -10, 131, 10))
    map_.add("area", type="structure", outline=box(map_, "G7", 133, -10, 470, 10))
    assert status(map_, "G10", "G4") == "blocked"
    found = see(map_, "G10 road", "G4 road")
    assert (found.status, found.hindrances) == ("hindered", 1)
    assert [reason.at for reason in found.reasons[:2]] == ["G10 road", "G4 road"]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=15)
def test_no_point_of_a_road_is_better_than_the_one_that_is_found(seed: int) -> None:
    from fractions import Fraction

    from studio.rules.modern_tactics.line import Line
    from studio.rules.modern_tactics.road import road_stretches

    rng = np.random.default_rng(seed)
    model = strew(rng, 7, 8, drawn=True, roads=True)
    judge = RULES.sight.judge(Survey(model, RULES.survey_scheme), RULES.options(), Conditions())
    scene = judge.scene
    roads = [location.number for location in scene.directory.of("road")]
    for number in roads[:2]:
        start = scene.end(number, air=False)
        for other in rng.choice(np.flatnonzero(model.grid.present), 3).tolist():
            end = scene.end(int(other), air=False)
            found = judge.sighting(number, int(other))
            least = 3 if found.status == "blocked" else found.hindrances
            if start.cell == end.cell:
                continue
            for (x0, y0), (x1, y1) in road_stretches(scene, start):
                for part in range(0, 41):
                    t = Fraction(part, 40)
                    x, y = x0 + t * (x1 - x0), y0 + t * (y1 - y0)
                    k = x.denominator * y.denominator
                    points = (int(x * k), int(y * k)), (end.point[0] * k, end.point[1] * k)
                    assert judge.weigh(Line(scene, start, end, points, k)) >= least


# -- Playbook 2: walled compounds ------------------------------------------------------------------------------------


def compound() -> Map:
    """Return a compound around X3, with the dot of W4 inside of it and that of Y4 outside, as in the playbook."""
    map_ = small_map(columns=30, rows=12)
    # Its wall runs through the hexes around X3: V..Z, rows 1 to 5.
    map_.add("area", type="compound", name="K", outline=box(map_, "X3", -1000, -700, 600, 700))
    return map_


def test_the_inside_of_a_compound_is_not_seen_from_far_outside() -> None:
    map_ = compound()
    found = see(map_, "X3", "X9")
    assert (found.status, found.reasons[-1].rule) in (("blocked", "Playbook 2"), ("blocked", "12.1"))
    assert "Playbook 2" in [reason.rule for reason in found.reasons if reason.effect == "blocks"]
    assert status(map_, "X3", "DD3") == status(map_, "X3", "O3") == "blocked"


def test_a_unit_at_the_outer_wall_sees_across_its_own_wall() -> None:
    map_ = compound()
    # X4 holds a piece of the south wall, with the dot inside: it sees out to the south, and only there.
    assert status(map_, "X4", "X9") == "clear"
    assert status(map_, "X4", "X0") == "blocked"
    assert status(map_, "X4", "DD3") == "blocked"


def test_an_outside_unit_at_the_wall_sees_inside() -> None:
    map_ = compound()
    # Y4 holds a piece of the wall and has its dot outside: it sees X3 and the inside, as the example says.
    assert status(map_, "Y4", "X3") == "clear"
    assert status(map_, "Y4", "W4") == "clear"
    assert status(map_, "AA4", "X3") == "blocked"


def test_the_dot_decides_the_side() -> None:
    map_ = compound()
    x, y = map_.grid.centre(map_.labels.cell("X5"))
    assert status(map_, "X5", "X9") == "clear"
    assert status(map_, "X5", "X1") == "blocked"  # outside, and behind the far wall
    map_.add("dot", at="X4", point=[x, y - 480 + 239])  # X4 outside now: the wall lies north of its dot
    assert status(map_, "X4", "X9") == "clear"
    assert status(map_, "X4", "X3") == "clear"


def test_an_inner_structure_sees_the_inside_and_units_along_the_wall_only() -> None:
    map_ = compound()
    assert status(map_, "X4", "X9") == "clear"
    map_.add("area", type="structure", outline=box(map_, "X4", -100, -100, 100, 100))
    assert status(map_, "X4", "X9") == "blocked"  # the wall runs through its hex, but it is no part of the wall
    assert status(map_, "X4", "X3") == "clear"
    assert status(map_, "X4", "W5") == "clear"  # its hex holds a piece of the wall, its dot lies outside
    assert status(map_, "X4", "V5") == "blocked"


def test_an_outer_structure_sees_both_sides() -> None:
    map_ = compound()
    map_.add(
        "area", type="structure", outline=box(map_, "X4", -100, -100, 100, 220)
    )  # its south wall is the outer wall
    assert status(map_, "X4", "X9") == "clear"
    assert status(map_, "X4", "X2") == "clear"


def test_a_high_wall_of_its_own_blocks_but_for_the_hexes_that_hold_it() -> None:
    map_ = small_map()
    map_.add("wall", type="high_wall", line=at(map_, "C5", (-300, 0), (300, 0)))
    assert status(map_, "C2", "C8") == "blocked"
    # The wall runs through the dot of C5, which lies on neither side.
    assert status(map_, "C5", "C8") == status(map_, "C5", "C2") == "clear"


@pytest.mark.parametrize(("reading", "expected"), [(False, "clear"), (True, "blocked")])
def test_the_end_of_a_high_wall(reading: bool, expected: str) -> None:
    map_ = small_map()
    map_.add("wall", type="high_wall", line=at(map_, "C5", (-300, 0), (0, 0)))
    assert status(map_, "C2", "C8", options={"graze_hits": reading}) == expected


def test_along_a_high_wall_the_line_is_blocked() -> None:
    map_ = small_map()
    map_.add("wall", type="high_wall", line=at(map_, "C5", (0, -300), (0, 300)))
    assert status(map_, "C2", "C8") == "blocked"
    assert status(map_, "C4", "C8") == "blocked"


@pytest.mark.parametrize(("reading", "expected"), [("tangible", "clear"), ("block", "blocked")])
def test_over_a_high_wall_from_above(reading: str, expected: str) -> None:
    map_ = small_map()
    map_.add("wall", type="high_wall", line=at(map_, "C5", (-300, 0), (300, 0)))
    map_.paint("C2", level=1)
    assert status(map_, "C2", "C8", options={"walls_from_above": reading}) == expected
    assert status(map_, "C2", "C6", options={"walls_from_above": reading}) == "blocked"  # its blind hex


# -- 30: helicopters -------------------------------------------------------------------------------------------------


def test_a_helicopter_sees_over_everything_but_for_one_blind_hex() -> None:
    map_ = small_map(structure="C5")
    map_.paint("C7", level=2)
    up = Conditions(from_air=True)
    assert map_.sight("C2", "C6", conditions=up).status == "blocked"
    assert map_.sight("C2", "C8", conditions=up).status == "blocked"  # behind the hill
    assert map_.sight("C2", "C9", conditions=up).status == "clear"
    assert map_.sight("C9", "C2", conditions=Conditions(to_air=True)).status == "clear"
    assert map_.sight("C2", "C9", conditions=Conditions(from_air=True, to_air=True)).status == "clear"


def test_a_helicopter_sees_the_middle_of_a_plateau() -> None:
    assert hills(l1=PLATEAU).sight("C9", "C4", conditions=Conditions(from_air=True)).status == "clear"


# -- scenario rules --------------------------------------------------------------------------------------------------


def test_visibility_terrain_overrides_surveillance_and_smoke() -> None:
    map_ = small_map(crops="C4")
    assert map_.sight("C2", "C6", conditions=Conditions(visibility=3)).status == "blocked"
    assert map_.sight("C2", "C6", conditions=Conditions(terrain_overrides={"crops": "open"})).status == "clear"
    assert map_.sight("C2", "C6", conditions=Conditions(surveillance=True)).status == "clear"
    smoke = Conditions(smoke=frozenset({map_.labels.cell("C3")}))
    assert map_.sight("C2", "C6", conditions=smoke).hindrances == 2
    with pytest.raises(UnknownNameError, match="did you mean 'crops'"):
        map_.sight("C2", "C6", conditions=Conditions(terrain_overrides={"crop": "open"}))
    with pytest.raises(GridError, match="no location"):
        map_.sight("C2", "C6", conditions=Conditions(smoke=frozenset({10**6})))


# -- what holds for every map ----------------------------------------------------------------------------------------


def chosen(rng: np.random.Generator) -> dict:
    picked = {name: spec.values[rng.integers(len(spec.values))] for name, spec in RULES.option_specs.items()}
    return RULES.options(picked if rng.random() < 0.6 else {})


def judge_of(model: MapModel, options: dict, conditions: Conditions):
    return RULES.sight.judge(Survey(model, RULES.survey_scheme), options, conditions)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=25)
def test_verdicts_are_reciprocal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make(rng, 7, 7)
    options = chosen(rng)
    air = [bool(rng.random() < 0.2) for _ in range(2)]
    there = judge_of(model, options, Conditions(from_air=air[0], to_air=air[1]))
    back = judge_of(model, options, Conditions(from_air=air[1], to_air=air[0]))
    numbers = there.scene.directory.numbers
    a = int(rng.choice(numbers))
    for b in numbers.tolist():
        first, second = there.sighting(a, b), back.sighting(b, a)
        assert (first.status, first.hindrances) == (second.status, second.hindrances), (a, b)


def test_all_pairs_of_ten_random_maps_are_reciprocal() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        judge = judge_of(strew(rng, 6, 6, drawn=True, walls=True), RULES.options(), Conditions())
        numbers = judge.scene.directory.numbers.tolist()
        codes = np.stack([judge.field(number)[0].ravel()[numbers] for number in numbers])
        assert (codes == codes.T).all()


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60)
def test_a_field_of_view_is_what_the_judge_says_of_every_line(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shape = {
        "orientation": str(rng.choice(["flat", "pointy"])),
        "stagger": str(rng.choice(["odd", "even"])),
        "short": bool(rng.random() < 0.3),
    }
    columns, rows = (int(value) for value in rng.integers(3, 13, size=2))
    model = strew(rng, columns, rows, drawn=rng.random() < 0.6, walls=rng.random() < 0.2, **shape)
    conditions = Conditions(
        from_air=bool(rng.random() < 0.15),
        to_air=bool(rng.random() < 0.15),
        visibility=int(rng.choice([0, 0, 5])),
        surveillance=bool(rng.random() < 0.05),
    )
    judge = judge_of(model, chosen(rng), conditions)
    numbers = judge.scene.directory.numbers
    for a in rng.choice(numbers, size=min(3, len(numbers)), replace=False).tolist():
        codes, hindrances = judge.field(a)
        codes = codes.ravel()
        assert set(np.flatnonzero(codes).tolist()) == set(numbers.tolist())
        for b in numbers.tolist():
            one = judge.sighting(a, b)
            assert STATUSES[codes[b]] == one.status, (a, b, str(one))
            assert hindrances.get(b, 0) == one.hindrances, (a, b, str(one))


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_table_is_what_the_fields_of_view_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, rows = (int(value) for value in rng.integers(3, 11, size=2))
    shape = {"orientation": str(rng.choice(["flat", "pointy"])), "short": bool(rng.random() < 0.3)}
    model = strew(
        rng, columns, rows, drawn=rng.random() < 0.6, walls=rng.random() < 0.2, roads=rng.random() < 0.2, **shape
    )
    judge = judge_of(model, chosen(rng), Conditions(visibility=int(rng.choice([0, 0, 4]))))
    numbers = judge.scene.directory.numbers
    for a, b in rng.choice(numbers, size=(10, 2)).tolist():
        found = judge.sighting(a, b)
        assert judge.verdict(a, b) == (3 if found.status == "blocked" else found.hindrances)
    codes = judge.table(numbers)
    assert codes is not None
    for row, number in enumerate(numbers.tolist()):
        assert (codes.row(row) == judge.field(number)[0].ravel()[numbers]).all(), number


def test_outlines_of_the_maker_are_polygons() -> None:
    model = small_map().model
    for seed in range(20):
        ring = outline(np.random.default_rng(seed), model, 20)
        assert len(set(ring)) == len(ring) >= 3
