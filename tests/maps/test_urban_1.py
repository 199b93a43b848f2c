"""The town quarter for Urban Operations is our own: it has to obey what the rulebook says that a map is made of."""

from collections import Counter, deque

import pytest
import shapely

from studio.model import Dot, Link, Place, Wall
from studio.sight import Conditions
from tests.maps.quarter import FILE, HEX_METRES, Quarter


@pytest.fixture(scope="module")
def quarter() -> Quarter:
    return Quarter()


# -- size, hexes and dots (5.1, 5.1.1) -------------------------------------------------------------------------------


def test_it_covers_260_by_180_metres_in_hexes_of_7_metres(quarter: Quarter) -> None:
    _, top, _, bottom = quarter.grid.frame
    assert quarter.map.ruleset.catalogue.hex_metres == HEX_METRES
    west, east = quarter.grid.centre(quarter.labels.cell("0101")), quarter.grid.centre(quarter.labels.cell("4301"))
    assert quarter.metres(west, east) == pytest.approx(260, rel=0.03)
    assert quarter.metres((0, top), (0, bottom)) == pytest.approx(180, rel=0.03)


def test_half_hexes_on_the_edges_are_playable(quarter: Quarter) -> None:
    half = [cell for cell in quarter.hexes if quarter.grid.is_half(cell) and quarter.on_surface(cell)]
    sides = Counter(quarter.labels.label(cell)[:2] == "01" for cell in half)
    assert sides[True] == quarter.grid.rows
    for cell in half:
        covered = quarter.solid.covers(shapely.Point(quarter.grid.centre(cell)))
        assert quarter.directory.exists(cell) != covered


def test_a_hex_has_no_dot_where_a_building_covers_its_middle_and_only_there(quarter: Quarter) -> None:
    for cell in quarter.hexes:
        if quarter.on_surface(cell):
            covered = quarter.solid.covers(shapely.Point(quarter.grid.centre(cell)))
            assert quarter.directory.exists(cell) != covered, quarter.labels.label(cell)


def test_dots_stand_clear_of_buildings_and_walls(quarter: Quarter) -> None:
    moved = {dot.at for dot in quarter.survey.features_of(Dot)}
    assert moved
    lines = shapely.union_all([quarter.walls, quarter.solid.boundary])
    for cell in quarter.hexes:
        if quarter.directory.exists(cell):
            x, y = quarter.directory.dot(cell)
            assert not quarter.solid.intersects(shapely.Point(x, y))
            near = shapely.box(x - 60, y - 40, x + 60, y + 40)  # half a metre
            assert not lines.intersects(near), quarter.labels.label(cell)
    for label in moved:
        x, y = quarter.grid.centre(quarter.labels.cell(label))
        assert lines.intersects(shapely.box(x - 110, y - 70, x + 110, y + 70)), f"{label}: moved for nothing"


def test_surface_and_underground_are_two_sheets_that_do_not_touch(quarter: Quarter) -> None:
    surface, under = quarter.map.model.sheets
    assert (surface.layer, under.layer) == ("surface", "underground")
    frame = quarter.map.locations
    assert set(frame["sheet"]) == {surface.id, under.id}
    below = frame.index[(frame["kind"] == "hex") & (frame["sheet"] == under.id)]
    assert min(below) >= "46"
    access = [link for link in quarter.survey.features_of(Link) if link.type == "underground_access"]
    assert len(access) == 7
    for link in access:
        assert [frame.loc[label, "layer"] for label in (link.a, link.b)] == ["surface", "underground"]


# -- buildings, rooms and zones (5.1.2) ------------------------------------------------------------------------------


def test_there_are_20_to_30_buildings_with_numbers(quarter: Quarter) -> None:
    names = [area.name for area in quarter.areas("building")]
    assert 20 <= len(names) <= 30
    assert sorted(map(int, names)) == list(range(1, len(names) + 1))


def test_divided_rooms_have_zones_and_no_part_has_holes(quarter: Quarter) -> None:
    """That rooms tile their building and zones their room the check of the map says."""
    zones = Counter(area.within for area in quarter.areas("zone"))
    assert all(zones[room.id] >= 2 for room in quarter.areas("divided_room"))
    assert not any(area.holes for area in quarter.areas("building", "underground", "divided_room", "room", "zone"))


def test_rooms_and_zones_are_numbered_within_their_building(quarter: Quarter) -> None:
    found: dict[str, list[int]] = {}
    for area in quarter.areas("room", "zone"):
        building = quarter.building(area.name)
        if building.type == "building":
            number, _, room = area.name.partition(".")
            assert number == building.name
            found.setdefault(number, []).append(int(room))
        assert quarter.survey.polygon(area.id).contains(shapely.Point(quarter.survey.dot_of(area)))
    assert all(sorted(rooms) == list(range(1, len(rooms) + 1)) for rooms in found.values())


def test_a_room_may_have_several_apertures(quarter: Quarter) -> None:
    count = Counter(opening.into for opening in quarter.openings)
    assert max(count[area.name] for area in quarter.areas("room")) > 1


def test_not_every_building_has_a_roof_that_can_be_used(quarter: Quarter) -> None:
    roofs = quarter.survey.features_of(Place)
    assert {(roof.type, roof.level) for roof in roofs} == {("roof", 2)}
    assert len(roofs) < len(quarter.areas("building"))  # those without a symbol have no usable roof


def test_the_school_has_large_divided_rooms(quarter: Quarter) -> None:
    halls = [area for area in quarter.areas("divided_room") if area.within == "b19"]
    zones = Counter(area.within for area in quarter.areas("zone"))
    assert sorted(zones[hall.id] for hall in halls) == [2, 8]


# -- walls, apertures and breaches (5.1.3, page 13) ------------------------------------------------------------------


def test_outer_walls_are_no_part_of_a_building(quarter: Quarter) -> None:
    for wall in quarter.survey.features_of(Wall):
        assert wall.type == "outer_wall"
        inside = shapely.LineString(wall.line).intersection(quarter.solid.buffer(-2))
        assert inside.is_empty, wall.name


def test_breaches_are_closed_and_apertures_open(quarter: Quarter) -> None:
    assert {(one.type, one.open) for one in quarter.openings} == {
        ("aperture", True), ("breach", False), ("wall_breach", False)
    }  # fmt: skip


def test_every_opening_can_be_crossed_from_a_hex_in_its_arc(quarter: Quarter) -> None:
    """8.1.4, 8.1.5; and a unit there and a unit behind the opening see each other once it is open."""
    ids = frozenset(opening.id for opening in quarter.openings)
    judge = quarter.map.judge(conditions=Conditions(opened=ids))
    for opening in quarter.openings:
        here = quarter.directory.number(opening.into)
        assert any(judge.sighting(here, cell).status == "clear" for cell in quarter.before(opening)), opening.id


def test_arrows_point_at_rows_and_along_hexsides_one_or_two_to_an_opening(quarter: Quarter) -> None:
    assert {len(arrow) for one in quarter.openings for arrow in one.arrows} == {1, 2}
    assert {len(one.arrows) for one in quarter.openings} == {1, 2}


# -- levels and terrain (5.1.4) --------------------------------------------------------------------------------------


def test_the_levels_run_from_below_the_ground_to_the_roofs(quarter: Quarter) -> None:
    levels = quarter.map.judge().scene.level  # type: ignore[attr-defined]
    assert set(levels[quarter.directory.numbers].tolist()) == {-1, 0, 1, 2}


@pytest.mark.parametrize("name", ["wood", "defensive_terrain", "elevation", "alley", "water", "open_sewer"])
def test_every_terrain_of_the_surface_is_there(quarter: Quarter, name: str) -> None:
    assert len(quarter.terrain(name)) >= 5
    assert all(quarter.on_surface(cell) for cell in quarter.terrain(name))


def test_vehicles_keep_out_of_alleys_and_get_along_the_streets(quarter: Quarter) -> None:
    ruleset = quarter.map.ruleset
    assert ruleset.terrain("alley").move["vehicle"] == "X"
    start, goals = quarter.labels.cell("0121"), {quarter.labels.cell(label) for label in ("0110", "2716", "4024")}
    found, queue = {start}, deque([start])
    while queue:
        for other in quarter.steps(queue.popleft()):
            if other not in found and ruleset.terrain(quarter.map.model.terrain_at(other)).move["vehicle"] != "X":
                found.add(other)
                queue.append(other)
    assert goals <= found


# -- underground, sewers and roofs (5.1.5 to 5.1.8) ------------------------------------------------------------------


def test_accesses_lead_to_the_zones_a_to_g(quarter: Quarter) -> None:
    assert [link.b for link in quarter.links("underground_access")] == list("ABCDEFG")


def test_underground_sewers_are_left_by_open_sewers_only(quarter: Quarter) -> None:
    links = quarter.links("sewer_entrance")
    assert len(links) == 3
    open_sewer = set(quarter.terrain("open_sewer"))
    ends = {quarter.labels.cell(link.a) for link in links}
    reached, queue = set(ends), deque(ends)
    while queue:
        for other in quarter.grid.neighbours(queue.popleft()):
            if other in open_sewer - reached:
                reached.add(other)
                queue.append(other)
    assert reached == open_sewer


def test_the_underground_lies_apart_from_the_surface(quarter: Quarter) -> None:
    for cell in quarter.hexes:
        below = quarter.map.model.terrain_at(cell) in ("underground_sewer", "underground_passage")
        if quarter.directory.exists(cell):
            assert below != quarter.on_surface(cell)
            around = [other for other in quarter.grid.neighbours(cell) if quarter.directory.exists(other)]
            assert all(quarter.on_surface(other) == quarter.on_surface(cell) for other in around)
    left = min(quarter.grid.centre(cell)[0] for cell in quarter.hexes if not quarter.on_surface(cell)) - 480
    for area in quarter.areas("underground"):
        assert all(x > left for x, _ in area.outline)


def test_every_location_can_be_reached(quarter: Quarter) -> None:
    left = set(quarter.directory.numbers.tolist()) - quarter.reached
    assert not left, [quarter.directory.label(number) for number in sorted(left)]


# -- what the examples name ------------------------------------------------------------------------------------------


def test_the_hexes_that_the_text_names_are_there(quarter: Quarter) -> None:
    """Entry by 0121 and 0110 (page 7), the moves of 8.3, the hexes of the errata."""
    for label in ("0110", "0121"):
        assert quarter.grid.is_half(quarter.directory.number(label))
    for chain in ("1204 1304", "1304 1305"):
        a, b = map(quarter.directory.number, chain.split())
        assert b in set(quarter.steps(a))
    for label in ("0817", "2716", "1504", "1704"):
        assert quarter.map.model.terrain_at(quarter.directory.number(label)) == "clear"


def test_the_rooms_that_the_text_names_are_there(quarter: Quarter) -> None:
    """A breach in zone 2.6 (page 14), stairs from 10.2 to linked roofs with 11.1 (page 22), 25.2 (page 8)."""
    openings = {(one.into, one.type) for one in quarter.openings}
    assert ("2.6", "breach") in openings
    assert quarter.directory.location(quarter.directory.number("2.6")).type == "zone"
    assert ("25.2", "aperture") in openings
    stairs = {(link.a, link.b) for link in quarter.links("roof_access")}
    assert {("10.2", "10 roof"), ("11.1", "11 roof")} <= stairs
    assert {(link.a, link.b) for link in quarter.links("linked_roofs")} == {("10 roof", "11 roof")}


# -- the document ----------------------------------------------------------------------------------------------------


def test_it_says_that_it_is_our_own_and_where_its_facts_come_from(quarter: Quarter) -> None:
    assert "of our own" in quarter.map.model.notes
    assert [source.title.split()[0] for source in quarter.map.model.sources] == ["Urban", "The"]


def test_it_checks_clean_and_is_written_as_the_studio_writes(quarter: Quarter) -> None:
    assert quarter.map.check() == []
    assert FILE.read_text(encoding="utf-8") == quarter.map.to_text()
    assert FILE.stat().st_size < 1_400_000
