"""Countries by the land that they cover, towns that keep theirs, and areas and borders drawn along hexsides."""

import itertools

import numpy as np
import pytest
import shapely
import shapely.affinity
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import DocumentError
from studio.exchange.geography.places.areas import connected, lay_areas, outlines_of
from studio.exchange.geography.places.nations import draw_countries, lay_countries, shares_in_order
from studio.exchange.geography.spec import Town
from studio.exchange.geography.work import PlacedTown
from studio.grid import HexGrid
from studio.model import Area
from tests.exchange.geography.placed import cell, entries, hexagon, paint, said, save, work_of

GRIDS = st.builds(
    HexGrid,
    columns=st.integers(2, 6),
    rows=st.integers(2, 6),
    orientation=st.sampled_from(["flat", "pointy"]),
    stagger=st.sampled_from(["odd", "even"]),
    short=st.booleans(),
)
BOXES = st.tuples(*[st.integers(-300, 3500)] * 4).map(
    lambda four: shapely.box(min(four[0], four[2]), min(four[1], four[3]), max(four[0], four[2]) + 1, max(four[1:]) + 1)
)
EAST = shapely.box(2280, -2000, 9000, 9000)
WEST = shapely.box(-3000, -2000, 2280, 9000)
"""Two countries whose border runs through the middle of the third column."""
RULE = {"source": "states", "name": "name", "type": "country", "side": "border"}


def states(folder, shapes, names) -> None:
    save(folder, "states", shapes, {"name": names})


def country(work, *labels):
    return [work.country[cell(work, label)] for label in labels]


# -- whose each hex is -------------------------------------------------------------------------------------------------


@given(GRIDS, st.lists(BOXES, min_size=1, max_size=4))
def test_shares_are_those_of_each_hex_cut_by_itself(grid, boxes):
    own, lost = shares_in_order(grid, np.array(boxes, dtype=object))
    for number in np.flatnonzero(grid.present).tolist():
        left = hexagon(grid, number)
        for column, box in enumerate(boxes):
            mine = left.intersection(box).area
            left = left.difference(box)
            assert own[number, column] == pytest.approx(mine / 345_600, abs=1e-6)
            alone = hexagon(grid, number).intersection(box).area / 345_600
            assert lost[number, column] == pytest.approx(alone - mine / 345_600, abs=1e-6)


def test_a_hex_is_of_the_country_that_covers_most_of_it(tmp_path):
    border = shapely.box(-3000, -2000, 1840, 9000)
    states(tmp_path, [border, EAST.union(WEST).difference(border)], ["West", "East"])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    assert country(work, "0101", "0203", "0303", "0401", "0605") == ["West", "West", "East", "East", "East"]
    assert said(work, "West has 10 hexes").figures == {"hexes": 10}
    assert not entries(work, "finding")


def test_a_hex_that_is_hardly_more_of_one_than_of_another_is_reported_with_the_shares(tmp_path):
    border = shapely.box(-3000, -2000, 1880, 9000)
    states(tmp_path, [border, EAST.union(WEST).difference(border)], ["West", "East"])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    unclear = entries(work, "finding")
    assert [one.at[0] for one in unclear] == ["0301", "0302", "0303", "0304", "0305"]
    share = hexagon(work.model.grid, cell(work, "0303")).intersection(border).area / 345_600
    assert unclear[0].figures == {"East": round(1 - share, 3), "West": round(share, 3)} and 0.4 < share < 0.5


def test_a_listed_town_keeps_its_hex_in_its_country(tmp_path):
    border = shapely.box(-3000, -2000, 1840, 9000)
    states(tmp_path, [border, EAST.union(WEST).difference(border)], ["West", "East"])
    towns = [{"name": "Here"}, {"name": "Rival"}, {"name": "Away", "at": "0101"}, {"name": "At sea"}]
    work = work_of(tmp_path, countries=RULE, towns={"listed": towns})
    here, rival, away, sea = work.spec.towns.listed
    at = cell(work, "0303")
    points = [(here, (1800.0, 1200.0), at), (rival, (2100.0, 1200.0), at), (away, (2500.0, 1200.0), cell(work, "0101"))]
    other = PlacedTown(Town(name="Not listed"), (1800.0, 700.0), cell(work, "0302"))
    far = PlacedTown(sea, (99_000.0, 0.0), cell(work, "0601"))
    work.towns = [*(PlacedTown(*one) for one in points), other, far]
    lay_countries(work)
    assert country(work, "0303", "0101", "0302", "0601") == ["West", "East", "East", "East"]
    nudged = entries(work, "nudged")
    assert [one.at for one in nudged] == [("0303",), ("0101",)] and nudged[0].figures["share"] < 0.5
    assert f"where the town lies, with {nudged[0].figures['share']:.0%} of its land; most is East's" in nudged[0].text
    assert "a town listed before it gives its hex to West" in said(work, "Rival", "finding").text


@pytest.mark.parametrize(("sea", "owner"), [(0.8, "West"), (0.0, "")])
def test_water_is_nobodys_and_land_alone_is_counted(sea, owner, tmp_path):
    headland = shapely.box(2280, 900, 2400, 1100)  # more than half of the fifth of its hex that is land
    states(tmp_path, [WEST.union(headland)], ["West"])
    work = work_of(tmp_path, countries=RULE)
    work.water[cell(work, "0101")] = True
    work.shares["sea"] = np.zeros(work.model.grid.cells)
    work.shares["sea"][cell(work, "0402")] = sea
    lay_countries(work)
    assert country(work, "0101", "0201", "0501", "0402") == ["", "West", "", owner]


@pytest.mark.parametrize(
    ("sea", "parts", "owner", "doubt"),
    [
        (0.43, 1, "Spit", False),  # the country's coast is drawn otherwise than that of the land
        (0.2, 1, "", True),  # more land than water is nobody's
        (0.43, 2, "", True),  # two countries, and neither has most
        (0.0, 1, "", False),
    ],
)
def test_what_may_as_well_be_water_casts_no_doubt_on_a_country(sea, parts, owner, doubt, tmp_path):
    empty = work_of(tmp_path)
    at = cell(empty, "0503")
    spit = shapely.affinity.scale(hexagon(empty.model.grid, at), 0.6, 0.6)
    x, *_ = spit.centroid.coords[0]
    halves = [spit.intersection(shapely.box(0, 0, x, 9000)), spit.intersection(shapely.box(x, 0, 9000, 9000))]
    states(tmp_path, [WEST, *([spit] if parts == 1 else halves)], ["West", "Spit", "Tips"][: parts + 1])
    work = work_of(tmp_path, countries=RULE)
    work.shares["sea"] = np.zeros(work.model.grid.cells)
    work.shares["sea"][at] = sea
    lay_countries(work)
    assert work.country[at] == owner
    assert [one.at for one in entries(work, "finding") if "not clearly" in one.text] == [(work.label(at),)] * doubt


def test_countries_that_are_left_out_are_nobodys_land_and_lie_outside(tmp_path):
    states(tmp_path, [WEST, EAST], ["West", "Neutral"])
    rule = {**RULE, "names": {"Neutral": "", "Wset": "W"}, "outside": "out_of_play"}
    work = work_of(tmp_path, countries=rule, towns={"listed": [{"name": "Embassy"}]})
    embassy = PlacedTown(work.spec.towns.listed[0], (3100.0, 1000.0), cell(work, "0502"))
    village = PlacedTown(Town(name="Village"), (3100.0, 1800.0), cell(work, "0504"))
    work.towns = [embassy, village]
    lay_countries(work)
    assert set(work.country) == {"West", ""}
    terrain = [work.model.terrain_at(cell(work, label)) for label in ("0101", "0501", "0502", "0504")]
    assert terrain == ["clear", "out_of_play", "clear", "out_of_play"]
    assert work.towns == [embassy] and "Village" in said(work, "not listed").text
    assert "did you mean 'West'?" in said(work, "renames 'Wset'", "finding").text


def test_two_names_can_mean_one_country(tmp_path):
    states(tmp_path, [WEST, EAST], ["West", "Ouest"])
    work = work_of(tmp_path, countries={**RULE, "names": {"Ouest": "West"}})
    lay_countries(work)
    draw_countries(work)
    assert set(work.country) == {"West"} and not work.model.sides
    assert [one.id for one in work.model.features_of(Area)] == ["west"]


def test_what_two_countries_cover_is_the_first_ones_by_name(tmp_path):
    states(tmp_path, [WEST.union(EAST), EAST], ["Zeta", "Alpha"])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    assert country(work, "0101", "0401", "0605") == ["Zeta", "Alpha", "Alpha"]
    overlap = said(work, "Zeta overlaps", "finding")
    assert "0605" in overlap.at and "0101" not in overlap.at and overlap.figures["hexes"] > 10


def test_broken_polygons_and_names_are_taken_as_far_as_they_go(tmp_path):
    bow = shapely.Polygon([(-2000, -2000), (2280, 9000), (-2000, 9000), (2280, -2000)])
    states(tmp_path, [bow, EAST, None, WEST], ["Côte d’Or", None, "Nowhere", float("nan")])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    assert set(work.country) == {"Côte d’Or", ""}
    assert said(work, "polygons of states without a name").text.endswith(": 2")


@pytest.mark.parametrize("shapes", [[], [shapely.box(90_000, 0, 99_000, 9000)]])
def test_without_a_country_on_the_map_nothing_is_made_outside(shapes, tmp_path):
    if shapes:
        states(tmp_path, shapes, ["Far"])
    work = work_of(tmp_path, countries={**RULE, "outside": "out_of_play"} if shapes else None)
    lay_countries(work)
    draw_countries(work)
    assert set(work.country) == {""} and not work.model.terrain.any() and not work.model.features
    assert bool(entries(work, "finding", step="countries")) == bool(shapes)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"name": ""}, "name the column"),
        ({"name": "nmae"}, "has no column 'nmae'"),
        ({"type": "contry"}, "did you mean 'country'"),
        ({"side": "frontier"}, "countries.side"),
        ({"outside": "off"}, "countries.outside"),
        ({"source": "stats"}, "did you mean 'states'"),
    ],
)
def test_what_the_game_or_the_source_does_not_have_is_refused(change, words, tmp_path):
    states(tmp_path, [WEST], ["West"])
    with pytest.raises(DocumentError, match=words):
        lay_countries(work_of(tmp_path, countries={**RULE, **change}))


def test_a_single_hex_amid_another_country_is_reported(tmp_path):
    grid = work_of(tmp_path).model.grid
    spot = hexagon(grid, 14)
    states(tmp_path, [WEST.union(spot), EAST.difference(spot)], ["West", "East"])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    parts = connected(grid, [one for one, name in enumerate(work.country) if name == "West"])
    alone = [one for one in entries(work, "finding") if "is cut off" in one.text]
    assert len(parts) == 1 and not alone  # 0303 touches the border still
    spot = hexagon(grid, 16)
    states(tmp_path, [WEST.union(spot), EAST.difference(spot)], ["West", "East"])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    assert said(work, "one hex of West is cut off from the rest by East", "finding").at == (work.label(16),)


# -- drawing -----------------------------------------------------------------------------------------------------------


@given(GRIDS, st.data())
def test_outlines_run_along_hexsides_round_exactly_these_hexes(grid, data):
    present = np.flatnonzero(grid.present).tolist()
    chosen = data.draw(st.sets(st.sampled_from(present)))
    found = outlines_of(grid, chosen)
    polygons = [shapely.Polygon(one.outline, one.holes) for one in found]
    whole = shapely.union_all([hexagon(grid, one) for one in chosen])
    assert shapely.union_all(polygons).equals(whole)
    assert sum(polygon.area for polygon in polygons) == 345_600 * len(chosen)
    for polygon, one in zip(polygons, found, strict=True):
        assert polygon.is_valid and polygon.exterior.is_ccw == polygons[0].exterior.is_ccw
        assert all(isinstance(value, int) for point in one.outline for value in point)
        corners = {corner for cell in chosen for corner in grid.corners(cell)}
        assert corners.issuperset([*one.outline, *itertools.chain(*one.holes)])
    # Parts hang together by sides, and no two of them do.
    for one, other in itertools.combinations(connected(grid, chosen), 2):
        assert not any(grid.direction(a, b) is not None for a in one.tolist() for b in other.tolist())


@given(st.lists(st.sampled_from(["", "Iraq", "Iran", "Kuwait"]), min_size=30, max_size=30), st.sets(st.integers(0, 29)))
def test_borders_part_land_of_two_countries(names, wet):
    work = BORDERED
    work.country, work.model.sides, work.model.features = names, {(0, 1): ("river",)}, {}
    work.model.terrain[:] = 0
    for one in wet:
        work.model.terrain.flat[one] = work.model.terrain_ids.index(("sea", "lake")[one % 2])
    draw_countries(work)
    grid = work.model.grid
    pairs = [(a, b) for a in range(30) for b in grid.neighbours(a) if a < b]
    expected = {(a, b) for a, b in pairs if {a, b}.isdisjoint(wet) and "" != names[a] != names[b] != ""}
    assert {side for side, kinds in work.model.sides.items() if "border" in kinds} == expected
    assert all("river" in work.model.sides[side] for side in [(0, 1)])
    for name in {*names} - {""}:
        areas = [one for one in work.model.features_of(Area) if one.name == name]
        parts = connected(grid, [one for one, own in enumerate(names) if own == name])
        assert [one.id for one in areas] == [name.lower(), *(f"{name.lower()}-{n}" for n in range(2, len(parts) + 1))]
        sizes = [shapely.Polygon(one.outline, one.holes).area for one in areas]
        assert sizes == [345_600 * len(part) for part in parts]


def _bordered():
    from pathlib import Path

    return work_of(Path("no-such-folder"), countries=RULE)


BORDERED = _bordered()


# -- areas -------------------------------------------------------------------------------------------------------------


def test_areas_of_polygons_and_of_lists_with_their_holes(tmp_path):
    grid = work_of(tmp_path).model.grid
    ring = shapely.union_all([hexagon(grid, one) for one in grid.ring(14, 1)])
    save(tmp_path, "zone", [ring])
    save(tmp_path, "half", [shapely.box(480, 0, 960, 480)])
    save(tmp_path, "far", [shapely.box(90_000, 0, 99_000, 900)])
    areas = [
        {"id": "ring", "type": "kurdish_area", "source": "zone", "name": "Ring", "hexes": ["0101"]},
        {"id": "half", "type": "kurdish_area", "source": "half"},
        {"id": "none", "type": "kurdish_area", "source": "far"},
        {"id": "empty", "type": "kurdish_area"},
    ]
    work = work_of(tmp_path, areas=areas)
    lay_areas(work)
    found = work.model.features
    assert sorted(found) == ["half", "ring", "ring-2"]
    assert shapely.Polygon(found["ring"].outline, found["ring"].holes).equals(ring) and len(found["ring"].holes) == 1
    assert shapely.Polygon(found["half"].outline).equals(hexagon(grid, 0))  # exactly half of it is covered
    assert said(work, "1 of them are listed").at == ("0101",)
    assert len(entries(work, "finding", step="areas")) == 2


@pytest.mark.parametrize(
    ("change", "words"), [({"hexes": ["0101", "9901"]}, "9901.*0101 to 0605"), ({"type": "zone"}, "type of area")]
)
def test_areas_of_unknown_hexes_or_types_are_refused(change, words, tmp_path):
    rule = {"id": "one", "type": "kurdish_area", **change}
    with pytest.raises(DocumentError, match=words):
        lay_areas(work_of(tmp_path, areas=[rule]))


def test_a_border_through_hexes_that_were_painted_is_no_border(tmp_path):
    states(tmp_path, [WEST, EAST], ["West", "East"])
    work = work_of(tmp_path, countries=RULE)
    lay_countries(work)
    paint(work, "sea", "0302", "0403")
    draw_countries(work)
    touched = {work.label(one) for side in work.model.sides for one in side}
    assert touched and touched.isdisjoint({"0302", "0403"})
