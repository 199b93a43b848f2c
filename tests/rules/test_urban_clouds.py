"""Clouds in Urban Operations: markers of three hexes, head in the target location, tail downwind (5.2.3.3)."""

import math

import pytest

import studio
from studio.errors import EditError, LabelError, UnknownNameError
from studio.grid import DIRECTIONS, HexGrid
from studio.model import Marker
from studio.rules import get_ruleset
from studio.rules.urban_operations.clouds import cloud_hexes, winds
from tests.draw.scenes import box
from tests.sight.urban_town import Town

GRIDS = [HexGrid(columns=9, rows=9, orientation="flat"), HexGrid(columns=9, rows=9, orientation="pointy")]
# Where a name on the compass points, in eighths of a turn times two, clockwise from north.
COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")


def head(grid: HexGrid) -> int:
    return grid.cell(4, 4)


def bearing(grid: HexGrid, cells: tuple[int, ...]) -> float:
    """Degrees, clockwise from north, from the head to the middle of the tail."""
    points = [grid.to_map(*grid.centre(cell)) for cell in cells]
    tail = [sum(axis) / (len(points) - 1) for axis in zip(*points[1:], strict=True)]
    return math.degrees(math.atan2(tail[0] - points[0][0], points[0][1] - tail[1])) % 360


@pytest.mark.parametrize("grid", GRIDS, ids=["flat", "pointy"])
@pytest.mark.parametrize("shape", ["row", "wedge"])
def test_the_tail_lies_downwind_of_the_head(grid: HexGrid, shape: str) -> None:
    assert len(winds(grid)) == 12
    for wind in winds(grid):
        cells = cloud_hexes(grid, head(grid), wind, shape)
        off = (bearing(grid, cells) - COMPASS.index(wind) * 22.5 + 180) % 360 - 180
        # A hex is off the compass by 15 degrees at most; an uneven shape by another 30.
        assert abs(off) <= 15 + 30.1, wind
        assert len(cells) == len(set(cells)) == 3
        assert cells[0] == head(grid)


@pytest.mark.parametrize("grid", GRIDS, ids=["flat", "pointy"])
def test_a_row_is_straight_at_a_hex_and_straight_on_between_two(grid: HexGrid) -> None:
    q, r = grid.axial(head(grid))
    for way, (dq, dr) in enumerate(DIRECTIONS[grid.orientation]):
        straight = cloud_hexes(grid, head(grid), winds(grid)[2 * way], "row")
        assert [grid.axial(cell) for cell in straight] == [(q, r), (q + dq, r + dr), (q + 2 * dq, r + 2 * dr)]
        between = cloud_hexes(grid, head(grid), winds(grid)[2 * way + 1], "row")
        eq, er = DIRECTIONS[grid.orientation][(way + 1) % 6]
        assert [grid.axial(cell) for cell in between] == [(q, r), (q + eq, r + er), (q + dq + eq, r + dr + er)]


@pytest.mark.parametrize("grid", GRIDS, ids=["flat", "pointy"])
def test_the_hexes_of_a_wedge_touch_each_other(grid: HexGrid) -> None:
    for wind in winds(grid):
        a, b, c = cloud_hexes(grid, head(grid), wind, "wedge")
        assert [grid.distance(*pair) for pair in ((a, b), (a, c), (b, c))] == [1, 1, 1]


def test_the_two_readings_of_the_marker() -> None:
    street = studio.new_map("urban_operations", columns=6, rows=6)
    row = street.add_cloud("smoke", "0303", "N")
    wedge = street.add_cloud("smoke", "0505", "N", options={"cloud_shape": "wedge"})
    assert street.features[row].also == ("0302", "0301")
    assert street.features[wedge].also == ("0504", "0604")
    assert get_ruleset("urban_operations").options()["cloud_shape"] == "row"


def test_what_lies_off_the_map_is_cut() -> None:
    street = studio.new_map("urban_operations", columns=6, rows=6)
    corner = street.add_cloud("smoke", "0101", "N")
    edge = street.add_cloud("smoke", "0102", "N")
    assert street.features[corner].also == ()
    assert street.features[edge].also == ("0101",)
    assert not [found for found in street.check() if found.severity == "error"]


def test_turning_is_one_step_and_turns_clouds_only() -> None:
    street = studio.new_map("urban_operations", columns=7, rows=7)
    ids = [street.add_cloud(kind, at, "N") for kind, at in (("smoke", "0404"), ("toxic_cloud", "0604"))]
    street.add("marker", type="barricade", at="0202")
    before, steps = dict(street.features), len(street.history)
    street.turn_clouds("S")
    assert [street.features[name].also for name in ids] == [("0405", "0406"), ("0605", "0606")]
    assert len(street.history) == steps + 1
    street.turn_clouds("S")
    assert len(street.history) == steps + 1
    street.undo()
    assert dict(street.features) == before


def quarter() -> Town:
    """Building 25 from hex 0504 to 0704, with a roof: room 25.1 over 0504, 25.2 over 0704, both at 0603."""
    town = Town()
    town.house("25", town.box("0504", "0704"), rooms=2, roof=True)
    return town


def also(town: Town, kind: str, at: str, wind: str) -> tuple[str, ...]:
    marker = town.map.features[town.map.add_cloud(kind, at, wind)]
    assert isinstance(marker, Marker)
    return marker.also


def test_a_tail_under_a_building_takes_in_its_rooms_and_its_roof() -> None:
    town = quarter()
    # No unit can be in hex 0504 under the building.
    assert also(town, "smoke", "0505", "N") == ("0503", "25 roof", "25.1")
    scene = town.map.judge().scene  # type: ignore[attr-defined]
    assert [town.map.survey.directory.label(body.number) for body in scene.bodies] == ["25.1"]
    assert scene.buildings[0].level == 3


def test_a_head_in_a_room_or_on_a_roof() -> None:
    assert also(quarter(), "smoke", "25.1", "N") == ("0503", "0502", "25 roof")
    assert {"25.1", "25.2"} <= set(also(quarter(), "wreck", "25 roof", "N"))


def test_a_toxic_cloud_is_no_obstacle() -> None:
    town = quarter()
    town.map.add_cloud("toxic_cloud", "0803", "S")
    assert town.status("0801", "0808") == "clear"
    town.map.add_cloud("smoke", "0803", "S")
    assert town.status("0801", "0808") == "blocked"


def test_clouds_stay_above_or_below_the_ground() -> None:
    street = studio.new_map("urban_operations", columns=6, rows=6)
    street.paint(["0302", "0505", "0504"], terrain="underground_passage")
    above = street.add_cloud("smoke", "0303", "N")
    below = street.add_cloud("smoke", "0505", "N")
    assert street.features[above].also == ("0301",)
    assert street.features[below].also == ("0504",)
    x, y = street.grid.centre(street.labels.cell("0301"))
    street.add("area", id="cellar", type="underground", name="K", outline=box(x - 200, y - 100, 400, 200))
    street.add("area", type="room", name="K.1", outline=box(x - 200, y - 100, 400, 200), within="cellar")
    street.turn_clouds("NNE").turn_clouds("N")
    assert street.features[above].also == ("0301",)


def test_what_cannot_be_a_cloud() -> None:
    street = studio.new_map("urban_operations", columns=6, rows=6)
    with pytest.raises(EditError, match="Urban Operations has smoke, wreck, toxic_cloud"):
        street.add_cloud("barricade", "0303", "N")
    with pytest.raises(UnknownNameError, match="N, NNE, NE, E, SE"):
        street.add_cloud("smoke", "0303", "ENE")
    with pytest.raises(UnknownNameError, match="it blows to one of"):
        street.turn_clouds("up")
    with pytest.raises(LabelError):
        street.add_cloud("smoke", "0909", "N")
    assert not street.features
    with pytest.raises(UnknownNameError, match="no clouds with a tail"):
        studio.new_map("modern_tactics", columns=4, rows=4).turn_clouds("N")


def test_a_cloud_whose_head_is_gone_is_named() -> None:
    town = quarter()
    name = town.map.add_cloud("smoke", "25.1", "N")
    town.map.remove("area-25.1")
    with pytest.raises(EditError, match=name):
        town.map.turn_clouds("S")
