"""The town quarter for Urban Operations is our own: it has to obey what the rulebook says that a map is made of."""

from collections import Counter, deque
from collections.abc import Iterable
from itertools import pairwise
from math import sqrt

import pytest
import shapely

from studio.model import Area, Dot, Marker, Place, Point, Wall
from studio.sight import Conditions
from studio.survey import ring_edges
from tests.maps.quarter import FILE, HEX_METRES, Quarter


@pytest.fixture(scope="module")
def quarter() -> Quarter:
    return Quarter()


def twice_the_area(ring: Iterable[Point]) -> int:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in ring_edges(tuple(ring))))


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


# -- buildings, rooms and zones (5.1.2) ------------------------------------------------------------------------------


def test_there_are_20_to_30_buildings_with_numbers(quarter: Quarter) -> None:
    names = [area.name for area in quarter.areas("building")]
    assert 20 <= len(names) <= 30
    assert sorted(map(int, names)) == list(range(1, len(names) + 1))


def test_rooms_tile_their_building_and_zones_their_room(quarter: Quarter) -> None:
    areas = quarter.survey.features_of(Area)
    for whole in quarter.areas("building", "underground", "divided_room"):
        parts = [area for area in areas if area.within == whole.id]
        assert not whole.holes
        assert sum(twice_the_area(part.outline) for part in parts) == twice_the_area(whole.outline)
        assert shapely.union_all([quarter.survey.polygon(part.id) for part in parts]).equals(
            quarter.survey.polygon(whole.id)
        )
        if whole.type == "divided_room":
            assert len(parts) >= 2
            assert {part.type for part in parts} == {"zone"}


def test_buildings_do_not_overlap(quarter: Quarter) -> None:
    shapes = [quarter.survey.polygon(area.id) for area in quarter.areas("building", "underground")]
    tree = shapely.STRtree(shapes)
    for one, shape in enumerate(shapes):
        assert all(shape.intersection(shapes[other]).area == 0 for other in tree.query(shape) if other != one)


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


def test_a_zone_has_one_aperture_at_most_and_a_room_may_have_several(quarter: Quarter) -> None:
    count = Counter(opening.into for opening in quarter.openings)
    assert all(count[area.name] <= 1 for area in quarter.areas("zone"))
    assert max(count[area.name] for area in quarter.areas("room")) > 1


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


def test_apertures_and_facade_breaches_lie_on_the_facade_of_their_room(quarter: Quarter) -> None:
    facade = quarter.solid.boundary
    for opening in quarter.openings:
        number = quarter.directory.number(opening.into)
        at = shapely.Point(opening.at)
        if number < quarter.grid.cells:
            assert opening.type != "breach"
            continue
        room = quarter.survey.polygon(quarter.directory.location(number).feature)
        assert room.exterior.distance(at) == 0
        assert quarter.survey.polygon(quarter.building(opening.into).id).exterior.distance(at) == 0
        assert facade.distance(at) == 0  # not where two buildings stand wall to wall


def test_openings_in_outer_walls_lie_on_the_wall_and_in_their_hex(quarter: Quarter) -> None:
    own = [one for one in quarter.openings if quarter.directory.number(one.into) < quarter.grid.cells]
    assert {one.type for one in own} == {"aperture", "wall_breach"}
    for opening in own:
        at = shapely.Point(opening.at)
        assert quarter.walls.distance(at) == 0
        assert shapely.Polygon(quarter.grid.corners(quarter.labels.cell(opening.into))).distance(at) == 0


def test_breaches_are_closed_and_apertures_open(quarter: Quarter) -> None:
    assert {(one.type, one.open) for one in quarter.openings} == {
        ("aperture", True), ("breach", False), ("wall_breach", False)
    }  # fmt: skip


def test_arcs_of_fire_lead_out_of_the_building(quarter: Quarter) -> None:
    outlines = {area.id: area.outline for area in quarter.areas("building", "underground")}
    for opening in quarter.openings:
        if quarter.directory.number(opening.into) < quarter.grid.cells:
            continue
        building = quarter.building(opening.into)
        ring, shape = outlines[building.id], quarter.survey.polygon(building.id)
        at = shapely.Point(opening.at)
        p, q = next(edge for edge in ring_edges(ring) if shapely.LineString(edge).distance(at) == 0)
        across = (p[1] - q[1], q[0] - p[0])  # positive on one side of the facade, negative on the other
        x, y = opening.at
        size = sqrt(across[0] ** 2 + across[1] ** 2)
        if shape.contains(shapely.Point(x + 40 * across[0] / size, y + 40 * across[1] / size)):
            across = (-across[0], -across[1])
        for cell in quarter.arc(opening):
            cx, cy = quarter.grid.centre(cell)
            assert (cx - x) * across[0] + (cy - y) * across[1] > 0, (opening.id, quarter.labels.label(cell))


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


def test_each_access_marker_leads_to_the_zone_of_its_letter(quarter: Quarter) -> None:
    markers = [marker.at for marker in quarter.survey.features_of(Marker) if marker.type == "underground_access"]
    links = quarter.links("underground_access")
    assert sorted(markers) == sorted(link.a for link in links)
    assert [link.b for link in links] == list("ABCDEFG")
    for link in links:
        assert link.text == link.b
        assert quarter.building(link.b).type == "underground"
        number = quarter.directory.number(link.a)
        if number < quarter.grid.cells:
            assert quarter.on_surface(number)
        else:
            assert quarter.building(link.a).type == "building"


def test_underground_sewers_are_left_by_open_sewers_only(quarter: Quarter) -> None:
    links = quarter.links("sewer_entrance")
    assert len(links) == 3
    for link in links:
        assert quarter.map.model.terrain_at(quarter.labels.cell(link.a)) == "open_sewer"
        assert quarter.map.model.terrain_at(quarter.labels.cell(link.b)) == "underground_sewer"
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


def test_stairs_lead_up_from_the_room_that_holds_the_symbol(quarter: Quarter) -> None:
    roofs = {roof.name: roof for roof in quarter.survey.features_of(Place)}
    stairs = {link.b: link.a for link in quarter.links("roof_access")}
    assert stairs.keys() == roofs.keys()
    for name, roof in roofs.items():
        assert (roof.type, roof.level) == ("roof", 2)
        room = quarter.directory.location(quarter.directory.number(stairs[name]))
        assert quarter.building(stairs[name]).id == roof.within
        assert quarter.survey.polygon(room.feature).contains(shapely.Point(roof.at))
    assert len(roofs) < len(quarter.areas("building"))  # those without a symbol have no usable roof


def test_linked_roofs_belong_to_buildings_that_stand_wall_to_wall(quarter: Quarter) -> None:
    links = quarter.links("linked_roofs")
    assert links
    shared = {frozenset((border.a, border.b)) for border in quarter.survey.borders}
    for link in links:
        assert frozenset((quarter.building(link.a).id, quarter.building(link.b).id)) in shared


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


def test_corners_follow_one_another(quarter: Quarter) -> None:
    for area in quarter.survey.features_of(Area):
        assert len(set(area.outline)) == len(area.outline)
    for wall in quarter.survey.features_of(Wall):
        assert all(a != b for a, b in pairwise(wall.line))


def test_it_says_that_it_is_our_own_and_where_its_facts_come_from(quarter: Quarter) -> None:
    assert "of our own" in quarter.map.model.notes
    assert [source.title.split()[0] for source in quarter.map.model.sources] == ["Urban", "The"]


def test_it_checks_clean_and_is_written_as_the_studio_writes(quarter: Quarter) -> None:
    assert quarter.map.check() == []
    assert FILE.read_text(encoding="utf-8") == quarter.map.to_text()
    assert FILE.stat().st_size < 1_400_000
