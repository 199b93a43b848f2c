"""Layers as features: footprints with borders in common, streets, names, trees, and what the report says of them."""

import itertools
from pathlib import Path
from typing import Any

import pytest
import shapely
from shapely import LineString, MultiPolygon, Point, Polygon, box

from studio.checks import check_map
from studio.errors import DocumentError
from studio.exchange.common.ground import checked, surveyed
from studio.exchange.geography.layers import lay_layers
from studio.exchange.geography.work import Work
from studio.model import Area, Dot, Name, Road, Wall
from tests.exchange.geography.placed import cell, entries, said, save, work_of

GRID = {"columns": 12, "rows": 10, "hex_size": 7}
HEX = Polygon([(240, 0), (720, 0), (960, 240), (720, 480), (240, 480), (0, 240)]).area


def laid(folder: Path, *layers: dict[str, Any], game: str = "urban_operations") -> Work:
    work = work_of(folder, grid=GRID, ruleset=game, layers=list(layers))
    lay_layers(work)
    checked(work.model, work.ruleset, "small")
    return work


def draw(folder: Path, store: str, /, *shapes: Any, **columns: list[Any]) -> None:
    save(folder, store, shapes, columns or None, grid=GRID)


def buildings(work: Work, kind: str = "building") -> list[Area]:
    return [area for area in work.model.features_of(Area) if area.type == kind]


def polygon(area: Area) -> Polygon:
    return Polygon(area.outline, area.holes)


def errors(work: Work) -> list[str]:
    found = check_map(surveyed(work.model, work.ruleset), work.ruleset, file="small")
    return [one.message for one in found.errors]


HOUSES = {"layer": "houses", "to": "areas", "type": "building", "touching": "share", "least": 0.1, "close": 0.1}


def test_walls_that_nearly_meet_become_one_and_the_larger_keeps_what_two_cover(tmp_path: Path) -> None:
    left, right, low = box(1000, 1000, 2000, 2000), box(2030, 1000, 2900, 2000), box(1000, 1960, 2000, 2700)
    draw(tmp_path, "houses", left, right, low)
    work = laid(tmp_path, HOUSES)
    found = [polygon(one) for one in buildings(work)]
    assert len(found) == 3 and shapely.coverage_is_valid(found)
    assert shapely.union_all(found).area == pytest.approx(
        left.area + right.area + low.area + 30 * 1000 - 40 * 1000, rel=0.02
    )
    shared = [a.intersection(b).length for a, b in itertools.combinations(found, 2)]
    assert shared[0] == pytest.approx(1000, rel=0.1) and shared[1] == pytest.approx(1000, rel=0.1)
    assert found[0].area > left.area - 100  # the larger
    assert said(work, "ground that two areas cover").figures["hexes"] == pytest.approx(40 * 1000 / HEX, abs=0.05)
    assert said(work, "narrow gaps").figures["hexes"] == pytest.approx(30 * 1000 / HEX, abs=0.05)


def test_gaps_stay_where_they_are_wider_than_asked(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 2000, 2000), box(2090, 1000, 2900, 2000))
    work = laid(tmp_path, HOUSES)
    a, b = (polygon(one) for one in buildings(work))
    assert a.distance(b) == pytest.approx(90, abs=3)
    assert not [one for one in entries(work) if "gaps" in one.text]


def test_areas_that_touch_become_one_where_they_are_of_one_type(tmp_path: Path) -> None:
    row = [box(1000 + 500 * n, 1000, 1500 + 500 * n, 1650 - 50 * (n == 1)) for n in range(4)]
    draw(tmp_path, "houses", *row, box(1000, 3000, 1500, 3600), kind=["a", "a", "ruin", "a", "a"], name=list("pqrst"))
    rule = {"layer": "houses", "to": "areas", "attribute": "kind", "name": "name", "touching": "merge"}
    work = laid(tmp_path, rule | {"mapping": {"a": "structure", "ruin": "ruins"}}, game="modern_tactics")
    found = {area.name: (area.type, round(polygon(area).area / (500 * 50))) for area in buildings(work, "structure")}
    assert found == {"p": ("structure", 25), "s": ("structure", 13), "t": ("structure", 12)}
    assert [area.name for area in buildings(work, "ruins")] == ["r"]
    assert said(work, "became part").figures == {"merged": 1.0}


def test_yards_stay_and_small_ones_are_closed(tmp_path: Path) -> None:
    yard, shaft = box(1500, 1500, 2100, 2100), box(1100, 1100, 1150, 1150)
    whole = box(1000, 1000, 2500, 2500)
    draw(tmp_path, "houses", whole.difference(yard).difference(shaft))
    (area,) = buildings(laid(tmp_path, HOUSES))
    assert len(area.holes) == 1 and polygon(area).area == pytest.approx(whole.area - yard.area, rel=0.01)


def test_what_crosses_itself_comes_in_parts_or_leaves_the_map_is_drawn_soundly(tmp_path: Path) -> None:
    bow = Polygon([(1000, 1000), (2000, 2000), (2000, 1000), (1000, 2000)])
    parts = MultiPolygon([box(3000, 1000, 3500, 1500), box(4000, 1000, 4500, 1500)])
    beyond = box(-1500, 3000, 600, 3600)
    draw(tmp_path, "houses", bow, parts, beyond, box(-800, 800, -300, 1300), box(5000, 3000, 5060, 3060))
    work = laid(tmp_path, HOUSES)
    found = [polygon(one) for one in buildings(work)]
    assert all(one.is_valid for one in found)
    assert sorted(round(one.area / 1000) for one in found) == pytest.approx([250, 250, 250, 250, 360], abs=5)
    assert shapely.union_all(found).bounds[0] == 0
    assert said(work, "cut at the edge").text == "houses: 1 areas are cut at the edge of the map"
    assert len(said(work, "smaller than 0.1 hexes and left out").at) == 1
    assert said(work, "houses to areas").text == (
        "houses to areas: 3 of 5 rows; not used: 1 beside the map, or of another shape, 1 smaller than 0.1 hexes"
    )


def test_corners_go_where_they_cut_off_little(tmp_path: Path) -> None:
    ragged = [(1000 + 50 * n, 1000 + 12 * (n % 2)) for n in range(21)]
    draw(tmp_path, "houses", Polygon([*ragged, (2000, 2000), (1000, 2000)]), box(2000, 1000, 2600, 2000))
    kept = sum(len(one.outline) for one in buildings(laid(tmp_path, HOUSES)))
    work = laid(tmp_path, HOUSES | {"simplify": 0.15})
    found = [polygon(one) for one in buildings(work)]
    assert sum(len(one.exterior.coords) - 1 for one in found) <= 10 < kept
    assert shapely.coverage_is_valid(found) and sum(one.area for one in found) == pytest.approx(1_600_000, rel=0.02)


def test_an_area_under_another_is_left_out_and_told(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 2500, 2500), box(1500, 1500, 2000, 2000))
    work = laid(tmp_path, HOUSES)
    assert len(buildings(work)) == 1
    assert said(work, "lie under larger ones").at == ("0304",)


# -- hexes, parts, storeys -------------------------------------------------------------------------------------------


def test_hexes_lose_their_dots_under_buildings_and_keep_them_clear_beside(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 3400, 2650), box(5000, 500, 5600, 3000))
    work = laid(tmp_path, HOUSES | {"under": "unplayable", "clear": 0.15, "part": "room"})
    solid = shapely.union_all([polygon(one) for one in buildings(work)])
    grid, directory = work.model.grid, surveyed(work.model, work.ruleset).directory
    moved = {dot.at: dot.point for dot in work.model.features_of(Dot)}
    scale = grid.scale
    true = shapely.transform(solid, lambda points: points * scale)
    unmoved_near = []
    for number in range(grid.cells):
        middle = Point(grid.centre(number))
        assert directory.exists(number) != solid.intersects(middle)
        if directory.exists(number):
            x, y = directory.dot(number)
            assert Polygon(grid.corners(number)).contains(Point(x, y))
            if true.distance(Point(x * scale[0], y * scale[1])) < 0.149:
                unmoved_near.append(work.label(number))
    assert moved and not unmoved_near
    assert said(work, "dots are moved").at == tuple(sorted(moved, key=lambda label: cell(work, label)))
    assert said(work, "have their dot under").figures["hexes"] == sum(
        work.model.terrain_at(number) == "unplayable" for number in range(grid.cells)
    )


def test_areas_are_numbered_with_their_parts_in_the_order_of_the_hexes(tmp_path: Path) -> None:
    draw(
        tmp_path, "houses",
        box(4000, 3000, 4600, 3500), box(4000, 500, 4600, 900), box(1000, 500, 1600, 900),
        name=["Town Hall", None, "Market"],
    )  # fmt: skip
    work = laid(tmp_path, HOUSES | {"name": "name", "part": "room", "under": "unplayable"})
    rooms = {one.name: one for one in buildings(work, "room")}
    whole = {one.id: one for one in buildings(work)}
    assert [one.name for one in whole.values()] == ["1 Market", "2", "3 Town Hall"]
    assert sorted(rooms) == ["1.1", "2.1", "3.1"]
    for name, room in rooms.items():
        building = whole[room.within]
        assert building.name.split()[0] == name.split(".")[0] and building.outline == room.outline
    assert not errors(work)


@pytest.mark.parametrize(("height", "levels"), [(0.0, [0, 1, 2, 0, 1]), (3.0, [0, 0, 2, 0, 0])])
def test_storeys_become_levels_as_far_as_the_game_has_them(tmp_path: Path, height: float, levels: list[int]) -> None:
    shapes = [box(500 + 1500 * n, 500, 1300 + 1500 * n, 1300) for n in range(5)]
    draw(tmp_path, "houses", *shapes, storeys=["1", "2", "9", None, "2.5"])
    rule = {"layer": "houses", "to": "areas", "type": "structure", "storeys": "storeys", "storey_height": height}
    assert [one.level for one in buildings(laid(tmp_path, rule, game="modern_tactics"), "structure")] == levels


# -- lines and points ------------------------------------------------------------------------------------------------

STREETS = {"layer": "streets", "to": "roads", "name": "name", "join": True, "course": True, "least": 1.0}


def test_pieces_of_one_street_are_one_road_that_runs_where_it_does_and_none_repeats_another(tmp_path: Path) -> None:
    first = [(240, 700), (2000, 760), (4000, 700), (7000, 760)]
    pieces = [LineString(first[n : n + 2]) for n in range(3)]
    twin = LineString([(x, y + 40) for x, y in first[:2]])
    cross = LineString([(4000, 700), (4100, 2000), (4000, 4600)])
    draw(tmp_path, "streets", *pieces, twin, cross, LineString([(300, 4000), (500, 4000)]), name=[*"AAABCD"])
    work = laid(tmp_path, STREETS, game="modern_tactics")
    roads = {road.name: road for road in work.model.features_of(Road)}
    assert set(roads) == {"A", "C"}
    assert said(work, "repeats other roads").text.startswith("B from")
    for road, line in ((roads["A"], LineString(first)), (roads["C"], cross)):
        assert LineString(road.line).hausdorff_distance(line) < 100
    assert set(roads["C"].path) & set(roads["A"].path)
    assert not errors(work)


def test_names_lie_along_streets_and_inside_parks(tmp_path: Path) -> None:
    draw(
        tmp_path,
        "streets",
        LineString([(500, 600), (3000, 2850)]),
        LineString([(3000, 2850), (3100, 4000)]),
        name=list("SS"),
    )
    draw(tmp_path, "parks", box(4000, 1000, 6000, 2000), name=["Park"])
    along = {"layer": "streets", "to": "names", "name": "name", "shape": "line", "join": True, "size": 0.9}
    work = laid(tmp_path, along, {"layer": "parks", "to": "names", "name": "name", "shape": "area"})
    street, park = work.model.features_of(Name)
    assert (street.text, street.size, park.text, park.size) == ("S", 0.9, "Park", 0.35)
    # Down to the right on the map, in its true shape: the lattice squeezes one of the axes.
    sx, sy = work.model.grid.scale
    assert -70 < street.angle < -45 and 2250 * sy / (2500 * sx) > 1
    assert LineString([(500, 600), (3000, 2850)]).distance(Point(street.at)) < 5
    assert box(4000, 1000, 6000, 2000).buffer(-400).contains(Point(park.at))


def test_names_of_streets_that_leave_the_map_lie_on_it(tmp_path: Path) -> None:
    draw(tmp_path, "streets", LineString([(500, 600), (500, -2000)]), name=["S"])
    along = {"layer": "streets", "to": "names", "name": "name", "shape": "line"}
    (street,) = laid(tmp_path, along).model.features_of(Name)
    assert 0 < street.at[1] < 600 and abs(street.angle) == 90


def test_trees_give_their_hexes_terrain_and_only_rows_that_are_asked_for(tmp_path: Path) -> None:
    draw(
        tmp_path,
        "trees",
        *[Point(480 + 720 * n, 240 + 240 * (n % 2)) for n in range(4)],
        kind=["oak", "oak", "bush", "oak"],
    )
    rule = {"layer": "trees", "to": "terrain", "type": "wood", "shape": "point", "where": {"kind": "oak"}}
    work = laid(tmp_path, rule)
    woods = [n for n in range(work.model.grid.cells) if work.model.terrain_at(n) == "wood"]
    assert [work.label(n) for n in woods] == ["0101", "0201", "0401"]


def test_walls_are_cut_at_the_edge_and_short_ones_left_out(tmp_path: Path) -> None:
    draw(tmp_path, "walls", LineString([(-900, 1000), (1500, 1000)]), LineString([(2000, 2000), (2100, 2000)]))
    work = laid(tmp_path, {"layer": "walls", "to": "walls", "type": "outer_wall", "least": 0.5})
    assert [wall.line for wall in work.model.features_of(Wall)] == [((0, 1000), (1500, 1000))]


def test_a_street_under_a_building_is_a_finding(tmp_path: Path) -> None:
    draw(tmp_path, "houses", box(2000, 500, 4000, 2500))
    draw(
        tmp_path, "streets",
        LineString([(500, 1500), (5500, 1500)]), LineString([(500, 3500), (5500, 3500)]),
        LineString([(1900, 2400), (2100, 2600)]),
        name=["Passage", "Free", "Corner"],
    )  # fmt: skip
    work = laid(tmp_path, HOUSES, {"layer": "streets", "to": "names", "name": "name", "shape": "line"})
    (finding,) = entries(work, "finding", step="layers")
    assert finding.text.startswith("Passage runs under area-1") and len(finding.at) == 1
    assert finding.figures["hexes"] == pytest.approx(2000 * work.model.grid.scale[0], abs=0.01)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (HOUSES | {"under": "sea"}, "'sea' is no terrain of Urban Operations"),
        (HOUSES | {"part": "rom"}, "did you mean 'room'"),
        (HOUSES | {"storeys": "levels"}, "'levels'"),
        (HOUSES | {"layer": "house"}, "did you mean 'houses'"),
        (HOUSES | {"shape": "line"}, "areas are made of areas, not of lines"),
        ({"layer": "houses", "to": "roads"}, "Urban Operations has no roads"),
    ],
)  # fmt: skip
def test_what_the_game_or_the_data_do_not_have_is_refused(tmp_path: Path, rule: dict[str, Any], words: str) -> None:
    draw(tmp_path, "houses", box(1000, 1000, 2000, 2000))
    if rule["to"] == "roads":
        draw(tmp_path, "houses", LineString([(1000, 1000), (3000, 1000)]))
    with pytest.raises(DocumentError, match=words):
        laid(tmp_path, rule)


def test_the_same_data_make_the_same_map(tmp_path: Path) -> None:
    row = [box(700 + 480 * n, 600 + 30 * n, 1200 + 480 * n, 1900 + 20 * n) for n in range(8)]
    draw(tmp_path, "houses", *row)
    rule = HOUSES | {"part": "room", "under": "unplayable", "clear": 0.1, "simplify": 0.05}
    one, other = (laid(tmp_path, rule) for _ in range(2))
    assert one.model.to_document() == other.model.to_document() and one.report.entries == other.report.entries
