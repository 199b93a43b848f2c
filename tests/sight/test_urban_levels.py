"""Levels in Urban Operations: visual obstruction, plateau effect, view from above, blind hexes (5.1.9.2, 5.1.9.3)."""

import pytest

from tests.sight.makers.urban_operations import RULES
from tests.sight.urban_town import Town

# -- 5.1.9.2, 5.1.9.3: levels ----------------------------------------------------------------------------------------


def test_units_stand_on_their_levels() -> None:
    town = Town(elevation="0101", water="0102", open_sewer="0103", wood="0104", defensive_terrain="0105")
    town.house("25", town.box("0503", "0504"), roof=True)
    town.area("U", "underground", town.box("0907", "0908"))
    town.area("U.1", "room", town.box("0907", "0908"), within="area-U")
    scene = town.map.judge().scene  # type: ignore[attr-defined]
    number = town.map.survey.directory.number
    labels = ["0101", "0102", "0103", "0104", "0105", "0106", "25.1", "25 roof", "U.1"]
    assert [int(scene.level[number(label)]) for label in labels] == [1, -1, -1, 0, 0, 0, 0, 2, -1]


@pytest.mark.parametrize(
    ("what", "level"),
    [("wood", 3), ("defensive_terrain", 1), ("elevation", 1), ("smoke", 3), ("wreck", 3), ("fortified", 1),
     ("vehicle", 1)],
)  # fmt: skip
def test_obstacle_levels(what: str, level: int) -> None:
    town = Town(**({what: "0505"} if what in RULES.terrains else {}))
    if what in RULES.marker_types:
        town.marker(what, "0505")
    town.house("25", town.box("0502"), roof=True)
    # From a roof (level 2) all but the tallest are seen over.
    assert town.status("25 roof", "0507") == ("blocked" if level == 3 else "clear")
    assert f"level {level}" in str(town.sight("25 roof", "0507"))


def test_an_obstacle_higher_than_both_ends_is_a_visual_obstruction() -> None:
    town = Town(elevation="0502 0504 0506")
    assert town.status("0502", "0506") == "clear"  # all three on level 1
    town.map.paint("0504", terrain="wood")
    assert "0504 wood: level 3, higher than both ends" in town.why("0502", "0506")


def test_plateau_effect() -> None:
    town = Town(elevation="0602 0603")
    town.house("24", town.box("0502"), roof=True)
    town.house("25", town.box("0504"))
    # A on a roof cannot see B behind building 25 (ER4).
    assert town.why("24 roof", "0506") == (
        "25 building: level 2, as high as 24 roof, and hides 0506 below (plateau effect)"
    )
    # C on an elevation cannot see D: the first hex of the line is an elevation.
    assert "0603 elevation: level 1, as high as 0602" in town.why("0602", "0605")
    # C cannot see E: an outer wall as high as C.
    town.wall_below("0703", name="east wall")
    assert town.status("0602", "0704") == "blocked"
    assert "east wall: level 1, as high as 0602" in town.why("0602", "0704")


def test_a_roof_sees_over_its_own_building_and_to_other_roofs() -> None:
    town = Town()
    town.house("24", town.box("0502", "0503"), rooms=2, roof=True)
    town.house("25", town.box("0505"))
    town.house("26", town.box("0507"), roof=True)
    assert town.status("24 roof", "0504") == "clear"
    assert town.status("24 roof", "0501") == "clear"
    assert town.status("24 roof", "26 roof") == "clear"
    assert town.status("24 roof", "0506") == "blocked"


def test_view_from_above_and_blind_hexes() -> None:
    town = Town(defensive_terrain="0505")
    town.house("25", town.box("0502"), roof=True)
    assert town.status("25 roof", "0507") == "clear"  # B, a hex away from the obstacle
    assert town.status("25 roof", "0506") == "blocked"  # C, right behind it
    assert town.why("25 roof", "0506") == (
        "0505 defensive terrain: level 1, and 0506 (level 0) is in the blind hex right behind it"
    )
    assert town.status("25 roof", "0505") == "clear"  # on the obstacle, not behind it


def test_a_blind_hex_behind_a_wall() -> None:
    town = Town()
    town.house("25", town.box("0502"), roof=True)
    town.wall_below("0505")
    assert town.status("25 roof", "0506") == "blocked"
    assert town.status("25 roof", "0507") == "clear"
    # Inside a hex: what lies nearer than a hex to the dot is right in front.
    inside = Town()
    inside.house("25", inside.box("0502"), roof=True)
    x, y = inside.centre("0505")
    inside.wall((x - 300, y - 100), (x + 300, y - 100))
    assert inside.status("25 roof", "0505") == "blocked"
    assert inside.status("25 roof", "0506") == "clear"


def test_a_fortified_marker_on_a_roof_is_level_3() -> None:
    town = Town()
    for name, at in (("24", "0502"), ("25", "0504"), ("26", "0506")):
        town.house(name, town.box(at), roof=True)
    assert town.status("24 roof", "26 roof") == "clear"
    town.marker("fortified", "25 roof")
    assert town.why("24 roof", "26 roof") == (
        "25 building with a Fortified marker on its roof: level 3, higher than both ends"
    )
    assert town.status("24 roof", "25 roof") == "clear"


def test_smoke_hides_from_every_level() -> None:
    town = Town(water="0507 0508")
    for name, at in (("24", "0502"), ("26", "0510")):
        town.house(name, town.box(at), roof=True)
    town.marker("smoke", "0506")
    assert town.status("24 roof", "26 roof") == "blocked"
    assert town.status("24 roof", "0508") == "blocked"
    other = Town(water="0505 0506 0507")
    assert other.status("0505", "0507") == "clear"
    other.marker("smoke", "0506")
    assert other.status("0505", "0507") == "blocked"


def test_visual_obstructions() -> None:
    town = Town(defensive_terrain="0505 0705")
    a = "0503"
    assert town.status(a, "0504") == "clear"  # B
    assert town.status(a, "0505") == "clear"  # E, on the obstacle
    town.wall_below("0501", name="north wall")
    assert "north wall: level 1" in town.why(a, "0501")  # C
    assert town.status("0605", "0805") == "blocked"  # D: along the side of an obstacle hex
    assert "0705 defensive terrain (along its side)" in town.why("0605", "0805")


# -- levels below the ground -----------------------------------------------------------------------------------------


def sewer() -> Town:
    """Return the third side view of page 14 from north to south: G, A, D, then the sewer C, B, F, then ground, E."""
    return Town(elevation="0501 0508", open_sewer="0504 0505 0506")


def test_terrain_in_3d_first_view() -> None:
    town = Town()
    town.house("A", town.box("0502"), roof=True)
    town.house("C", town.box("0504"), roof=True)
    town.house("D", town.box("0506"), roof=True)
    x, y = town.centre("0504")
    town.opening("C.1", (x, y - 200), "0503", id="window")
    assert town.status("A roof", "0503") == "clear"  # B
    assert town.status("A roof", "C roof") == town.status("A roof", "C.1") == "clear"
    assert town.status("A roof", "D roof") == "clear"
    assert town.status("A roof", "D.1") == "blocked"
    assert town.status("A roof", "0508") == "blocked"  # E


def test_terrain_in_3d_second_view() -> None:
    town = Town(elevation="0506", wood="0502")
    town.house("A", town.box("0503"), roof=True)
    assert town.status("A roof", "0505") == "clear"  # B
    assert "and 0507 (level" in town.why("A roof", "0507")  # C
    assert "0502 wood: level 3, higher than both ends" in town.why("A roof", "0501")  # D


def test_terrain_in_3d_third_view() -> None:
    town = sewer()
    g, a, d, c, b, f, e = "0501", "0502", "0503", "0504", "0505", "0506", "0508"
    for one in (a, d, e, g):
        for other in (a, d, e, g):
            assert town.status(one, other) == "clear"
    assert town.status(d, c) == "clear"
    assert [town.status(e, at) for at in (b, c, f)] == ["clear", "clear", "blocked"]
    assert "blind hex" in town.why(e, f)
    for at in (f, b, c):
        assert "plateau effect" in town.why(a, at)
        assert town.status(a, at) == "blocked"
    assert [town.status(g, at) for at in (b, f, c)] == ["clear", "clear", "blocked"]
    assert "blind hex" in town.why(g, c)


def test_terrain_in_3d_third_view_the_other_side() -> None:
    town = Town(elevation="0501", open_sewer="0503")
    town.house("J", town.box("0507"), roof=True)
    town.wall_below("0505")
    g, h, i, j, k = "0501", "0505", "0503", "J roof", "0705"
    assert town.status(g, h) == town.status(k, h) == "clear"
    assert town.status(h, i) == town.status(h, j) == "blocked"
    assert "and 0503 (level" in town.why(h, i)
    assert "and 0505 (level" in town.why(h, j)


def test_low_ground_readings() -> None:
    town = sewer()
    assert town.status("0502", "0505") == "blocked"
    assert town.status("0502", "0505", low_ground="edge") == "clear"
    assert town.status("0502", "0504", low_ground="edge") == "blocked"
    two = Town(water="0503 0507")
    for reading in ("plateau", "edge"):
        assert two.status("0503", "0507", low_ground=reading) == "blocked"  # higher ground between two low places


def test_level_change_readings() -> None:
    town = sewer()
    assert town.status("0508", "0506") == "blocked"
    assert town.status("0508", "0506", level_change="obstacles") == "clear"


def test_ground_border_readings() -> None:
    # Along the side of a bank: the line between two water hexes runs beside ground.
    town = Town(water="0505 0604 0705")
    assert town.status("0505", "0705") == "clear"
    assert town.status("0505", "0705", ground_border="blocks") == "blocked"


def test_blind_locations_readings() -> None:
    town = Town(defensive_terrain="0505")
    town.house("24", town.box("0502"), roof=True)
    town.house("25", town.box("0506", high=239))
    x, y = town.centre("0506")
    town.opening("25.1", (x, y - 239), "0505")
    assert "and 25.1 (level" in town.why("24 roof", "25.1")
    assert town.status("24 roof", "25.1", blind_locations="hexes") == "clear"


def test_various_los_cases() -> None:
    town = Town(water="0505", wood="0507")
    town.house("E", town.box("0703"), roof=True)
    town.marker("vehicle", "0705")
    a, b, c, d, e, f, g = "0504", "0508", "0506", "0505", "E roof", "0706", "0906"
    for one, other in ((a, c), (a, d), (c, d), (e, g), (c, f), (c, g), (f, g)):
        assert town.status(one, other) == "clear", (one, other)
    assert town.status(b, c) == town.status(e, f) == "blocked"
    assert "blind hex" in town.why(e, f)
    for other in (f, g):
        assert "plateau effect" in town.why(d, other)


def test_how_to_see_the_environment_in_3d() -> None:
    town = Town(elevation="0505", wood="0606")
    a, b, c, d, e = "0504", "0505", "0507", "0605", "0704"
    for one, other in ((a, b), (b, c), (b, d), (e, a), (e, b), (e, d)):
        assert town.status(one, other) == "clear", (one, other)
    for one, other in ((a, c), (e, c), (c, d), (a, d)):
        assert town.status(one, other) == "blocked", (one, other)
    assert "0505 elevation" in town.why(a, c)
    assert "0505 elevation (along its side)" in town.why(a, d)
