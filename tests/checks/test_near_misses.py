"""Where borders miss each other by a little, what is said of neighbours names that border, and repairs mend it."""

import pytest

from studio.checks import Findings
from tests.checks.makers import change, district, drop, town


@pytest.mark.parametrize("wide", [-20, -15, -12, -5, 5, 12, 15, 20])
def test_a_corner_off_by_a_sliver_is_joined(wide: int) -> None:
    map_ = district()
    change(map_, "a3", outline=((800 + wide, 600), (1400, 600), (1400, 900), (800, 900)))
    rules = {one.rule for one in map_.check().errors}
    assert {"map.sliver", "map.borders_meet"} <= rules
    assert [one.rule for one in map_.repair()] == ["map.borders_meet"]
    assert map_.check() == []
    assert map_.features["a3"].outline[0] == (800, 600)  # type: ignore[union-attr]


@pytest.mark.parametrize("wide", [5, 12, 20])
def test_a_door_across_a_slit_does_not_ask_to_be_deleted(wide: int) -> None:
    map_ = district()
    change(map_, "a3", outline=((800 + wide, 600), (1400, 600), (1400, 900), (800 + wide, 900)))
    (door,) = [one for one in map_.check() if one.rule == "map.link_placed"]
    assert "at (800, 600) the borders of a2 and a3 miss each other" in door.message
    assert "delete" not in door.remedy and "map.repair()" in door.remedy


def test_a_street_that_misses_its_zones_is_named_with_their_doors_and_routes() -> None:
    map_ = district()
    change(map_, "s1", outline=((200, 506), (1400, 506), (1400, 600), (800, 600), (200, 600)))
    change(map_, "box-1-C", tags=("entry", "door"))
    found = {one.rule: one for one in map_.check() if "miss each other" in one.message}
    assert {"map.door_street", "map.egress_beside"} <= set(found)
    assert all("mend that border first" in one.remedy for one in found.values())


def test_a_room_behind_a_slit_is_told_of_it() -> None:
    map_ = town()
    change(map_, "r4", outline=((2324, 1000), (2520, 1000), (2520, 1400), (2324, 1400)))
    drop(map_, "door-2", "up-2", "roofs")
    (room,) = [one for one in map_.check() if (one.rule, one.at) == ("map.reachable", "2.1")]
    assert "borders of" in room.message and "mend that border first" in room.remedy


def test_a_link_between_zones_far_apart_is_told_as_before() -> None:
    map_ = district()
    change(map_, "a3", outline=((1000, 600), (1400, 600), (1400, 900), (1000, 900)))
    (door,) = [one for one in map_.check() if one.rule == "map.link_placed"]
    assert "miss each other" not in door.message and "delete the link" in door.remedy


def told(findings: Findings, rule: str) -> str:
    return "\n".join(one.remedy for one in findings if one.rule == rule)


def test_the_remedy_of_a_sliver_names_the_calls() -> None:
    map_ = district()
    change(map_, "a3", outline=((790, 600), (1400, 600), (1400, 900), (790, 900)))
    assert "map.move_vertex" in told(map_.check(), "map.sliver")
    assert "map.snap" in told(map_.check(), "map.sliver")
