"""Urban Operations: apertures, breaches, lines within buildings, above and below (5.1.9.4, 8.2.7.8.1, 13.5)."""

import msgspec
import numpy as np

from studio.rules.urban_operations.arcs import arc_of_fire
from studio.sight import Conditions
from tests.sight.urban_town import Town

# -- apertures and breaches ------------------------------------------------------------------------------------------


def cells(town: Town, at: tuple[int, int], inner: tuple[int, int], *arrows: str) -> set[str]:
    given = [town.map.labels.cells(arrow.split()) for arrow in arrows]
    mask = arc_of_fire(town.map.grid, at, inner, given)
    return {town.map.labels.label(int(cell)) for cell in np.flatnonzero(mask)}


def test_arcs_of_fire() -> None:
    town = Town(columns=9, rows=8)
    x, y = town.centre("0505")
    at = (x + 300, y)
    row = {"0604", "0704", "0803", "0903"}
    assert cells(town, at, (x, y), "0604") == row
    line = {"0604", "0605", "0705", "0804", "0805", "0905"}
    assert cells(town, at, (x, y), "0604 0605") == line
    assert cells(town, at, (x, y), "0605 0604") == line
    # Between two arrows everything belongs to the arc.
    between = {"0804", "0705", "0805", "0904", "0905", "0906"}
    both = row | {"0605", "0706", "0806", "0907"} | between
    assert cells(town, at, (x, y), "0604", "0605") == both
    assert cells(town, at, (x, y), "0605", "0604") == both
    # To the other side the same arrows lead the other way.
    assert cells(town, (x - 300, y), (x, y), "0404 0405") == {"0404", "0405", "0305", "0204", "0205", "0105"}


def test_arrows_in_opposite_and_in_one_direction() -> None:
    town = Town(columns=9, rows=8)
    x, y = town.centre("0505")
    # One to the north, one to the south, at the east side of a building: all that lies to the east.
    east = cells(town, (x + 300, y), (x, y), "0604", "0604 0605")
    assert "0504" not in east
    flat = cells(town, (x + 480, y), (x, y), "0504", "0506")
    assert {"0504", "0506", "0505", "0701", "0908"} <= flat
    assert not {"0404", "0405", "0305"} & flat
    side_by_side = cells(town, (x + 300, y), (x, y), "0704 0705", "0705 0706")
    assert {"0705", "0805", "0904", "0906"} <= side_by_side
    assert not {"0702", "0708", "0305"} & side_by_side


def house_with_window() -> Town:
    town = Town()
    town.house("25", town.box("0405", "0505"), rooms=2)
    x, y = town.centre("0505")
    town.opening("25.2", (x + 300, y), "0604", "0605")
    return town


def test_a_unit_at_an_aperture_sees_its_arc_only() -> None:
    town = house_with_window()
    for seen in ("0604", "0605", "0705", "0904", "0803"):
        assert town.status("25.2", seen) == "clear"
    assert town.status("25.2", "0503") == "blocked"
    assert "25.2 aperture door: 0503 lies outside its arc of fire" in town.why("25.2", "0503")
    assert town.why("25.1", "0305") == "25.1: no aperture, so the facade of its building hides it"
    assert town.status("25.1", "0705") == "blocked"  # only who is at the aperture


def test_an_aperture_does_not_take_away_what_stands_outside() -> None:
    town = house_with_window()
    town.map.paint("0705", terrain="wood")
    assert town.status("25.2", "0705") == "clear"
    assert town.status("25.2", "0905") == "blocked"


def test_two_rooms_need_an_aperture_each() -> None:
    town = house_with_window()
    town.house("26", town.box("0805"))
    x, y = town.centre("0805")
    assert town.status("25.2", "26.1") == "blocked"
    town.opening("26.1", (x - 300, y), "0705", "0706", id="window")
    assert town.status("25.2", "26.1") == "clear"


def test_apertures_and_breaches_of_page_14() -> None:
    town = Town()
    town.house("2", town.box("0405", "0505"), rooms=6)
    town.house("3", town.box("0909"))
    x, y = town.centre("0505")
    town.opening("2.6", (x + 300, y), "0604", "0604 0605", kind="breach", id="b26", open=False)
    x, y = town.centre("0909")
    town.opening("3.1", (x, y - 200), "0908")
    a, b, c, d, e = "2.6", "0604", "0906", "3.1", "0704"
    opened = Conditions(opened=frozenset({"b26"}))
    assert "2.6 breach b26: not made yet, so the facade hides 2.6" in town.why(a, b)
    assert [town.status(a, other, opened) for other in (b, e, c)] == ["clear", "clear", "blocked"]
    assert town.status(d, c) == "clear"
    town.map.add("aperture", id="b26", type="breach", at=[town.centre("0505")[0] + 300, town.centre("0505")[1]],
                 into="2.6", arrows=[["0604"], ["0604", "0605"]], open=True)  # fmt: skip
    assert town.status(a, b) == "clear"


def test_arc_readings() -> None:
    # The window looks along the facade: the line from the dot leaves the building through the next room.
    town = Town()
    town.house("25", town.box("0505", "0506", wide=200), rooms=2)
    x, y = town.centre("0505")
    town.opening("25.1", (x - 200, y), "0404", "0604")
    assert town.status("25.1", "0604") == "clear"
    assert town.status("25.1", "0604", arc="facade") == "blocked"
    assert "does not leave the building through the facade of 25.1" in town.why("25.1", "0604", arc="facade")
    assert town.status("25.1", "0404", arc="facade") == "clear"
    town.wall((x - 150, y - 300), (x - 150, y + 300), kind="partition")
    assert town.status("25.1", "0404") == "clear"
    assert town.status("25.1", "0404", arc="facade") == "blocked"


# -- breaches in outer walls (5.1.9.4, 13.5.1) -----------------------------------------------------------------------


def breached(*, open: bool = True) -> Town:
    town = Town()
    town.wall_below("0505")
    town.opening("0506", town.centre("0506"), "0505", kind="wall_breach", id="gap", open=open)
    return town


def test_a_breach_in_an_outer_wall() -> None:
    town = breached()
    a, b, c, d = "0502", "0507", "0506", "0606"
    for one, other in ((a, b), (a, c), (b, c)):
        assert town.status(one, other) == "clear"
    assert town.status(a, d) == "blocked"
    assert "through the breach gap in 0506" in str(town.sight(a, b))
    assert breached(open=False).status(a, b) == "blocked"
    assert breached(open=False).status(a, b, Conditions(opened=frozenset({"gap"}))) == "clear"


def test_wall_breach_readings() -> None:
    town = breached()
    # Past the dot, through the hex of the breach, to a hex in its arc.
    assert town.status("0504", "0609") == "blocked"
    assert town.status("0504", "0609", wall_breach_line="arc") == "clear"
    assert town.status("0403", "0608", wall_breach_line="arc") == "blocked"  # no end in the arc


def test_the_advanced_breach_opens_the_whole_hex() -> None:
    town = breached()
    assert town.status("0403", "0607") == "blocked"
    assert town.status("0403", "0607", whole_hex_breach=True) == "clear"
    assert town.status("0602", "0607", whole_hex_breach=True) == "blocked"  # through the wall beside it


def test_an_aperture_in_an_outer_wall_serves_who_is_at_it() -> None:
    town = Town()
    town.wall_below("0505")
    town.opening("0506", town.centre("0506"), "0505", id="gate")
    assert town.status("0502", "0506") == "clear"
    assert "through the aperture gate in 0506" in str(town.sight("0502", "0506"))
    for reading in (False, True):
        assert town.status("0502", "0507", whole_hex_breach=reading) == "blocked"
    assert town.cost("0505", "0506") == 2


def test_a_roof_sees_a_blind_hex_through_a_breach() -> None:
    town = Town()
    town.house("25", town.box("0502"), roof=True)
    town.wall_below("0504")
    assert town.status("25 roof", "0505") == "blocked"
    town.opening("0505", town.centre("0505"), "0504", kind="wall_breach", id="gap")
    assert town.status("25 roof", "0505") == "clear"


# -- within a building (8.2.7.8.1) -----------------------------------------------------------------------------------


def test_firing_within_a_building_zones_do_not_hide() -> None:
    town = Town()
    town.house("25", town.box("0405", "0605"), rooms=4, zones=True)
    assert town.status("25.1", "25.2") == "clear"
    assert town.status("25.1", "25.4") == "clear"
    assert "Zones of the same room" in str(town.sight("25.1", "25.4"))


def test_firing_within_a_building_one_partition() -> None:
    town = Town()
    town.house("25", town.box("0405", "0605"), rooms=3)
    assert town.status("25.1", "25.2") == "clear"  # adjacent
    assert town.status("25.1", "25.3") == "blocked"
    assert "25.2 | 25.3: partition 2" in town.why("25.1", "25.3")
    # Two of the three are zones of one room: one partition and a zone lie between the ends.
    for at in (2, 3):
        area = town.map.model.features[f"area-25.{at}"]
        town.map.add(msgspec.structs.replace(area, type="zone", tags=("room:hall",)))
    assert town.status("25.1", "25.3") == "clear"
    town.wall(*[(town.centre("0505")[0], town.centre("0505")[1] + dy) for dy in (0, 500)], kind="partition")
    assert town.status("25.1", "25.3") == "blocked"


def test_firing_within_a_building_facades_hide() -> None:
    town = Town()
    x, y = town.centre("0505")
    corners = [(0, 0), (300, 0), (300, 300), (600, 300), (600, 600), (0, 600)]
    town.map.add("area", id="L", type="building", name="32", outline=[[x + dx, y + dy] for dx, dy in corners])
    for name, box, dot, tags in (
        ("32.1", (0, 0, 300, 300), (250, 100), ["room:hall"]),
        ("32.2", (0, 300, 300, 600), (150, 450), ["room:hall"]),
        ("32.3", (300, 300, 600, 600), (500, 350), []),
    ):
        left, top, right, bottom = box
        town.area(name, "zone" if tags else "room", (x + left, y + top, x + right, y + bottom), within="L",
                  dot=[x + dot[0], y + dot[1]], tags=tags)  # fmt: skip
    e, c, d = "32.1", "32.2", "32.3"
    assert town.status(c, e) == town.status(c, d) == "clear"
    assert "in the same room" in str(town.sight(c, e))
    assert town.status(e, d) == "blocked"
    assert "facade of its building hides it" in town.why(e, d)
    # Apertures on both sides of the corner open it: each arc holds the hex under the dot of the other room.
    town.opening("32.1", (x + 300, y + 100), "0605", id="w1")
    town.opening("32.3", (x + 500, y + 300), "0505", id="w3")
    assert town.status(e, d) == "clear"


def test_a_cloud_fills_the_whole_room_and_fortified_only_its_zone() -> None:
    town = Town()
    town.house("25", town.box("0405", "0605"), rooms=4, zones=True)
    town.marker("fortified", "25.1")
    assert town.status("25.1", "25.3") == "clear"
    town.marker("fortified", "25.2")
    assert town.status("25.1", "25.3") == "blocked"
    smoky = Town()
    smoky.house("25", smoky.box("0405", "0605"), rooms=4, zones=True)
    smoky.marker("smoke", "25.4")
    assert smoky.status("25.1", "25.3") == "blocked"  # through the smoke in 25.2
    assert smoky.status("25.1", "25.2") == "clear"


# -- above and below -------------------------------------------------------------------------------------------------


def test_vertical_los() -> None:
    town = Town()
    town.house("25", town.box("0405", "0605"), rooms=2, roof=True)
    town.area("U", "underground", town.box("0505", "0506"))
    town.area("U.1", "room", town.box("0505", "0506"), within="area-U")
    town.map.add("link", type="underground_access", a="25.2", b="U.1")
    a, b, c, d = "25 roof", "25.1", "25.2", "U.1"
    assert town.status(c, d) == "clear"
    assert town.status(a, b) == "clear"
    assert town.status(a, c) == "blocked"
    assert town.status(a, d) == "blocked"  # F and G
    assert town.status("0508", d) == "blocked"
    assert "two ends of a roof access" in str(town.sight(a, b))


def test_underground_rooms_are_a_building_and_sewers_open_ground() -> None:
    town = Town(underground_sewer="0905 0906 0907 0909", wood="0404")
    town.area("U", "underground", town.box("0305", "0505"))
    for at, first in enumerate(("0305", "0405", "0505")):
        x = town.centre(first)[0]
        left, right = (x - 300 if at == 0 else x - 360), (x + 300 if at == 2 else x + 360)
        town.area(f"U.{at + 1}", "room", (left, town.centre("0305")[1] - 200, right, town.centre("0405")[1] + 200),
                  within="area-U")  # fmt: skip
    assert town.status("U.1", "U.2") == "clear"
    assert town.status("U.1", "U.3") == "blocked"
    assert town.status("0905", "0907") == "clear"
    assert town.status("0907", "0909") == "blocked"  # solid ground between
    assert town.status("U.1", "0905") == "blocked"
    town.map.paint("1105", terrain="open_sewer")
    assert town.status("0905", "1105") == "blocked"
    town.map.add("link", type="sewer_entrance", a="1105", b="0905")
    assert town.status("0905", "1105") == "clear"


# -- 13.5.2 ----------------------------------------------------------------------------------------------------------


def building_61() -> Town:
    town = Town()
    town.house("61", town.box("0305", "0505"), rooms=3)
    x, _ = town.centre("0505")
    middle = (town.box("0305", "0505")[1] + town.box("0305", "0505")[3]) // 2
    town.opening("61.3", (x + 300, middle), "0604", "0605")
    return town


def test_inner_zones_see_along_the_line_through_an_aperture() -> None:
    town = building_61()
    a, b = "61.1", "0705"
    assert town.status(a, b) == "blocked"
    assert town.status(a, b, inner_zones="all") == "clear"
    assert "on the line from its dot through the aperture door of 61.3" in str(town.sight(a, b, inner_zones="all"))
    assert town.status(a, "0703", inner_zones="all") == "blocked"
    town.map.paint("0605", terrain="wood")
    assert town.status(a, "0605", inner_zones="all") == "clear"
    assert town.status(a, b, inner_zones="all") == "blocked"  # the line ends at the first obstacle


def test_an_inner_zone_does_not_see_what_its_line_only_touches() -> None:
    town = Town()
    x, y = town.centre("0703")[0] - 480, town.centre("0603")[1]
    town.area("7", "building", (x - 100, y - 200, x + 100, y + 200))
    town.area("7.1", "room", (x - 100, y - 200, x + 100, y), within="area-7", dot=[x, y - 100])
    town.area("7.2", "room", (x - 100, y, x + 100, y + 200), within="area-7", dot=[x, y + 100])
    town.opening("7.2", (x, y + 200), "0604")
    assert town.status("7.1", "0606", inner_zones="all") == "clear"
    assert town.status("7.1", "0707", inner_zones="all") == "blocked"  # its corner is on the line


def test_inner_zones_for_snipers_only_are_not_reciprocal() -> None:
    town = building_61()
    sniper = Conditions(from_kind="sniper")
    assert town.sight("61.1", "0705", sniper, inner_zones="snipers").status == "clear"
    assert town.sight("0705", "61.1", sniper, inner_zones="snipers").status == "blocked"
    assert town.sight("61.1", "0705", inner_zones="snipers").status == "blocked"
    assert town.sight("61.1", "0705", sniper).status == "blocked"
    seen = town.map.field_of_view("61.1", options={"inner_zones": "snipers"}, conditions=sniper)
    assert seen.status("0705") == "clear"
    table = town.map.sight_table(options={"inner_zones": "snipers"}, conditions=sniper)
    assert (table.status("61.1", "0705"), table.status("0705", "61.1")) == ("clear", "blocked")


# -- unusual maps ----------------------------------------------------------------------------------------------------


def test_a_room_of_no_building_has_a_facade_of_its_own() -> None:
    town = Town()
    town.area("hut", "room", town.box("0504"))
    assert town.status("0502", "0506") == town.status("hut", "0506") == "blocked"
    x, y = town.centre("0504")
    town.opening("hut", (x, y + 200), "0505")
    assert town.status("hut", "0506") == "clear"


def test_what_a_map_names_in_vain_does_no_harm() -> None:
    town = Town()
    town.area("25.1", "room", town.box("0504"), within="nowhere")
    town.opening("nobody", town.centre("0506"), "0507")
    town.map.add("link", type="roof_access", a="25.1", b="no roof")
    town.map.add("place", type="roof", name="lone roof", at=list(town.centre("0804")))
    town.marker("smoke", "lone roof")
    assert town.status("0502", "0506") == "blocked"
    assert town.status("lone roof", "0806") == "clear"


def test_a_room_whose_dot_lies_outside_its_building_sees_by_its_aperture_only() -> None:
    town = Town()
    x, y = town.centre("0504")
    town.area("25", "building", town.box("0504"))
    town.area("25.1", "room", town.box("0504"), within="area-25", dot=[x, y + 300])
    assert town.status("25.1", "0506") == "blocked"
    town.opening("25.1", (x, y + 200), "0505")
    assert town.status("25.1", "0506") == "clear"


def test_a_line_along_a_facade_within_a_building() -> None:
    town = Town()
    x, y = town.centre("0505")
    # Three rooms in a row, the middle one with a bay whose back lies on the line between the outer dots.
    outline = [(0, 0), (200, 0), (200, 100), (400, 100), (400, 0), (600, 0), (600, 200), (0, 200)]
    town.map.add("area", id="B", type="building", name="9", outline=[[x + dx, y + dy] for dx, dy in outline])
    for at, box in enumerate([(0, 0, 200, 200), (200, 100, 400, 200), (400, 0, 600, 200)]):
        left, top, right, bottom = box
        dot = [x + (left + right) // 2, y + (100 if at != 1 else 150)]
        town.area(f"9.{at + 1}", "zone", (x + left, y + top, x + right, y + bottom), within="B", dot=dot,
                  tags=["room:hall"])  # fmt: skip
    assert town.status("9.1", "9.3") == "blocked"
