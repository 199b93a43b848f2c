"""Roads of lines, roads that are made up as the cheapest way, and the bridges where they cross rivers."""

import heapq
import itertools
import math
from pathlib import Path

import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from studio.errors import DocumentError
from studio.exchange.common.ground import checked
from studio.exchange.geography.data.sources import Layer
from studio.exchange.geography.places.towns import find_towns
from studio.exchange.geography.roads import laying as roads
from studio.exchange.geography.roads.laying import lay_bridges, lay_roads
from studio.exchange.geography.roads.ways import ALONG, STRAY, UNIT, Ways
from studio.exchange.geography.spec import DataSource, RoadRule
from studio.model import Road
from tests.exchange.geography.placed import cell, entries, paint, said, save, work_of

NOWHERE = Path("no-such-folder")
RIVERS = [{"source": "none", "kind": "river"}]
WATER = {"side": "all_water"}
TERRAIN = ["clear", "hills", "mountains", "marsh", "city", "lake", "sea", "out_of_play"]
MOVE = {"clear": 1, "hills": 2, "mountains": 3, "marsh": 2, "city": 1}


def steps_of(work) -> list[tuple[str, str]]:
    """Return every step of the roads on the map, in the order of their hexes."""
    paths = [road.path for road in work.model.features_of(Road)]
    return [(a, b) if a < b else (b, a) for path in paths for a, b in itertools.pairwise(path)]


def paths(work) -> dict[str, tuple[str, ...]]:
    return {road.id: road.path for road in work.model.features_of(Road)}


def laid(*rules, **spec):
    work = work_of(NOWHERE, roads=list(rules), **spec)
    lay_roads(work)
    return work


# -- the cheapest way ----------------------------------------------------------------------------------------------


def plain_dijkstra(work, a, b, costs, road_steps):
    """Return the cost of the cheapest way in parts of a point, counted step by step as the guide says."""
    grid, model = work.model.grid, work.model
    mean = work.heights["mean"]
    scale = np.array(grid.scale)

    def off(one):
        begin, end, spot = (np.array(grid.centre(here)) * scale for here in (a, b, one))
        along = float((spot - begin) @ (end - begin)) / float((end - begin) @ (end - begin)) if a != b else 0.0
        return float(np.hypot(*(spot - begin - min(1.0, max(0.0, along)) * (end - begin))))

    def enter(one):
        name = model.terrain_at(one)
        return costs.get(name, MOVE[name]) if name in MOVE else math.inf

    def kinds(one, other):
        return model.sides.get((min(one, other), max(one, other)), ())

    apart = [
        abs(mean[one] - mean[other])
        for one in range(grid.cells)
        for other in grid.neighbours(one)
        if enter(one) < math.inf and enter(other) < math.inf
    ]
    steep = float(np.percentile(apart, 90)) if apart else 0.0

    def step(one, other):
        if math.inf in (enter(one), enter(other)) or "all_water" in kinds(one, other):
            return None
        ground = enter(other) + (min(1.0, abs(mean[one] - mean[other]) / steep) if steep else 0.0)
        bed = costs.get("river", 1) if "river" in kinds(one, other) else 0
        points = ALONG * ground if (min(one, other), max(one, other)) in road_steps else ground + bed
        return max(1, round(UNIT * points)) + round(STRAY * off(other))

    best, queue = {a: 0}, [(0, a)]
    while queue:
        spent, one = heapq.heappop(queue)
        if spent > best[one]:
            continue
        for other in grid.neighbours(one):
            more = step(one, other)
            if more is not None and spent + more < best.get(other, math.inf):
                best[other] = spent + more
                heapq.heappush(queue, (spent + more, other))
    return None if math.inf in (enter(a), enter(b)) else best.get(b), step


@given(st.data())
def test_the_way_is_the_cheapest_and_never_leads_through_what_is_closed(data):
    work = data.draw(st.sampled_from(WORKS))
    grid, model = work.model.grid, work.model
    draw = data.draw
    model.terrain.flat[:] = draw(st.lists(st.integers(0, 7), min_size=30, max_size=30))
    sides = [(one, other) for one in range(30) for other in grid.neighbours(one) if one < other]
    kinds = st.sets(st.sampled_from(["river", "all_water", "border"]), max_size=2).map(
        lambda found: tuple(sorted(found))
    )
    model.sides = draw(st.dictionaries(st.sampled_from(sides), kinds, max_size=20))
    heights = draw(st.lists(st.integers(0, 900), min_size=30, max_size=30))
    work.heights["mean"] = np.array(heights, dtype=float)
    costs = draw(st.dictionaries(st.sampled_from(["marsh", "mountains", "river"]), st.integers(0, 9), max_size=2))
    road_steps = draw(st.sets(st.sampled_from(sides), max_size=12))
    a, b = draw(st.integers(0, 29)), draw(st.integers(0, 29))
    way = Ways(work, costs).find(a, b, road_steps)
    expected, step = plain_dijkstra(work, a, b, costs, road_steps)
    if expected is None:
        assert way is None
        return
    assert way is not None and way.points == expected / UNIT
    assert (way.cells[0], way.cells[-1]) == (a, b) and len(set(way.cells)) == len(way.cells)
    assert sum(step(one, other) for one, other in itertools.pairwise(way.cells)) == expected


WORKS = [
    work_of(NOWHERE, water=WATER, rivers=RIVERS, grid={"orientation": orientation, "stagger": stagger})
    for orientation in ("flat", "pointy")
    for stagger in ("odd", "even")
]


def test_on_even_ground_the_way_is_straight():
    work = laid({"through": ["0101", "0605"]})
    grid, path = work.model.grid, [cell(work, label) for label in paths(work)["road-1"]]
    line = shapely.LineString([grid.centre(path[0]), grid.centre(path[-1])])
    assert len(path) == grid.distance(path[0], path[-1]) + 1
    assert max(shapely.distance(line, shapely.Point(grid.centre(one))) for one in path) < 300


def test_roads_keep_to_valleys_and_out_of_mountains():
    work = work_of(NOWHERE, roads=[{"through": ["0103", "0603"]}])
    heights = np.full(30, 100.0)
    ridge = [cell(work, label) for label in ("0301", "0302", "0303", "0304")]
    heights[ridge] = 2000
    work.heights["mean"] = heights
    lay_roads(work)
    assert "0305" in paths(work)["road-1"]
    work = work_of(
        NOWHERE, roads=[{"through": ["0103", "0603"], "costs": {"mountains": 1}}, {"through": ["0103", "0603"]}]
    )
    paint(work, "mountains", "0302", "0303", "0304", "0402", "0403", "0404")
    flat, own = Ways(work, {"mountains": 1}), Ways(work, {})
    a, b = cell(work, "0103"), cell(work, "0603")
    assert len(flat.find(a, b).cells) == 6 < len(own.find(a, b).cells)


def test_a_river_is_crossed_where_a_road_crosses_it_already():
    work = work_of(
        NOWHERE,
        rivers=RIVERS,
        roads=[
            {"id": "old", "through": ["0301", "0401"]},
            {"id": "new", "through": ["0303", "0403"], "costs": {"river": 9}},
        ],
    )
    grid = work.model.grid
    west = [one for one in range(30) if one % 6 < 3]
    for one in west:
        for other in grid.neighbours(one):
            if other % 6 > 2:
                work.model.sides[min(one, other), max(one, other)] = ("river",)
    lay_roads(work)
    assert ("0301", "0401") in steps_of(work)
    crossing = [step for step in steps_of(work) if {step[0][:2], step[1][:2]} == {"03", "04"}]
    assert crossing == [("0301", "0401")]
    lay_bridges(work)
    bridges = said(work, "roads cross rivers")
    assert bridges.at == ("0301|0401",) and bridges.figures == {"bridges": 1}
    assert work.model.sides[cell(work, "0301"), cell(work, "0401")] == ("river",)


def test_bridges_are_marked_where_the_game_has_a_kind_for_them():
    work = work_of(NOWHERE, rivers=RIVERS, bridge="border", roads=[{"through": ["0101", "0301"]}])
    crossed, other = ((cell(work, "0101"), cell(work, one)) for one in ("0201", "0102"))
    work.model.sides = {crossed: ("river",), other: ("river",)}
    lay_roads(work)
    lay_bridges(work)
    assert paths(work) == {"road-1": ("0101", "0201", "0301")}
    assert work.model.sides == {crossed: ("border", "river"), other: ("river",)}
    with pytest.raises(DocumentError, match="kind of hexside 'brdge'"):
        lay_bridges(work_of(NOWHERE, bridge="brdge"))


# -- roads that are made up ----------------------------------------------------------------------------------------


def test_made_up_roads_lead_through_towns_and_hexes_and_are_marked_so():
    towns = {"listed": [{"name": "Kirkūk", "at": "0303"}, {"name": "Arbil", "at": "0101"}]}
    rules = [
        {"id": "north", "name": "Northern road", "through": ["Arbil", "kirkuk", "0605"], "note": "by guess"},
        {"through": ["0605", "0601"], "surface": "unpaved"},
    ]
    work = work_of(NOWHERE, towns=towns, roads=rules, notes="Mine.")
    work.model.notes = work.spec.notes
    find_towns(work)
    lay_roads(work)
    found = {road.id: road for road in work.model.features_of(Road)}
    assert sorted(found) == ["north", "road-1"] and found["north"].name == "Northern road"
    path = found["north"].path
    assert (path[0], path[-1]) == ("0101", "0605") and "0303" in path and found["road-1"].surface == "unpaved"
    entry = said(work, "Northern road is made up", "decided")
    assert entry.at == ("0101", "0303", "0605") and "by guess" in entry.text
    assert entry.figures["steps"] == len(path) - 1
    notes = work.model.notes.split("\n")
    assert notes[0] == "Mine." and "Northern road (north), road-1" in notes[1]
    checked(work.model, work.ruleset, "small")


def test_roads_merge_with_those_that_are_there_and_no_step_is_drawn_twice():
    rules = [
        {"id": "main", "through": ["0103", "0603"]},
        {"id": "side", "through": ["0102", "0602"]},
        {"id": "again", "through": ["0103", "0603"]},
        {"id": "spur", "through": ["0303", "0305", "0303", "0603"]},
    ]
    work = laid(*rules)
    steps = steps_of(work)
    assert len(steps) == len(set(steps))
    assert said(work, "side is made up").figures["shared"] >= 2
    assert "again" not in paths(work) and said(work, "again is made up").figures["steps"] == 0
    assert paths(work)["spur"] == ("0303", "0304", "0305") and "spur-2" not in paths(work)
    assert "again" not in work.model.notes


def test_a_paved_road_takes_the_place_of_an_unpaved_one_and_not_the_other_way_round():
    track, road = {"through": ["0101", "0401"], "surface": "unpaved"}, {"through": ["0101", "0401"]}
    assert [one.surface for one in laid(road, track).model.features_of(Road)] == ["paved"]
    assert "paved" in [one.surface for one in laid(track, road).model.features_of(Road)]


def test_where_no_way_leads_the_pair_is_named_and_the_rest_is_laid():
    towns = {"listed": [{"name": "Far", "lon": 0, "lat": 0}, {"name": "Isle", "at": "0601"}]}
    rule = {"id": "r", "through": ["0101", "0301", "Far", "0305", "0105", "Isle"]}
    work = work_of(NOWHERE, towns=towns, roads=[rule], water=WATER)
    find_towns(work)
    paint(work, "sea", "0501", "0502", "0602")
    lay_roads(work)
    assert {name: (path[0], path[-1]) for name, path in paths(work).items()} == {
        "r": ("0101", "0301"),
        "r-2": ("0305", "0105"),
    }
    findings = entries(work, "finding", step="roads")
    assert [one.text.split(": ")[0] for one in findings] == [
        "r does not lead from 0301 to Far",
        "r does not lead from Far to 0305",
        "r does not lead from 0105 to Isle",
    ]
    assert findings[2].at == ("0105", "0601") and "no way" in findings[2].text


def test_two_stops_in_one_hex_are_no_road():
    work = laid({"id": "r", "through": ["0101", "0101"]}, {"id": "s", "through": ["0303"]})
    assert not work.model.features and not work.model.notes
    assert said(work, "0101 and 0101 are in one hex", "note").at == ("0101",)


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"through": ["0101", "Kirkuck"]}, "did you mean 'Kirkuk'"),
        ({}, "neither"),
        ({"source": "x", "through": ["0101"]}, "both"),
        ({"through": ["0101", "0201"], "costs": {"hill": 2}}, "did you mean 'hills'"),
        ({"through": ["0101", "0201"], "costs": {"hills": -1}}, "cost -1"),
        ({"through": ["0101", "0201"], "costs": {"hills": math.nan}}, "cost nan"),
        ({"source": "lines"}, "source 'lines'"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused(rule, words):
    work = work_of(NOWHERE, towns={"listed": [{"name": "Kirkuk", "at": "0303"}]})
    work.spec = msgspec.structs.replace(work.spec, roads=(msgspec.convert(rule, RoadRule),))
    find_towns(work)
    with pytest.raises(DocumentError, match=words):
        lay_roads(work)


def test_costs_can_close_terrain_and_open_what_the_game_closes_save_water():
    work = work_of(NOWHERE)
    paint(work, "hills", "0101")
    paint(work, "lake", "0102")
    closed = Ways(work, {"hills": math.inf, "lake": 1.0})
    assert closed.enter[cell(work, "0101")] == closed.enter[cell(work, "0102")] == math.inf
    work = work_of(NOWHERE, ruleset="armageddon_war", water={"sea": "river"})
    names = work.model.terrain_ids
    work.model.terrain.flat[: len(names)] = range(len(names))
    enter = dict(zip(names, Ways(work, {}).enter, strict=False))
    # The first mover that may enter counts: infantry in the woods, and nobody in the sea.
    assert (enter["dense_woods"], enter["marsh"], enter["dunes"], enter["river"]) == (2, 3, 3, math.inf)


# -- roads of a source ---------------------------------------------------------------------------------------------


def centres(work, *labels):
    return [work.model.grid.centre(cell(work, label)) for label in labels]


def test_rows_that_join_are_one_road_and_the_same_row_twice_is_none(tmp_path):
    bare = work_of(tmp_path)
    one, two = centres(bare, "0101", "0201", "0302"), centres(bare, "0302", "0402", "0503")
    branch = centres(bare, "0302", "0303", "0304")
    shapes = [shapely.LineString(line) for line in (one, two, one[::-1], branch, one)]
    save(tmp_path, "ways", [*shapes, None, shapely.Point(0, 0)])
    work = work_of(tmp_path, roads=[{"source": "ways", "id": "w", "name": "Ways"}])
    lay_roads(work)
    assert paths(work)["w"] in {("0101", "0201", "0302", "0402", "0503"), ("0101", "0201", "0302", "0303", "0304")} | {
        ("0101", "0201", "0302")
    }
    steps = steps_of(work)
    assert len(steps) == len(set(steps)) == 6
    assert said(work, "Ways: ", "decided").figures["steps"] == 6
    assert not work.model.notes


def test_a_road_is_cut_at_the_edge_and_bridged_in_the_notches_of_it(tmp_path):
    bare = work_of(tmp_path)
    a, b, c = centres(bare, "0105", "0205", "0305")
    low = 2600  # beside the frame, below the first column and the third
    out = shapely.LineString([a, (a[0], 9000), (c[0] + 1400, 9000), (c[0] + 1400, 1500)])
    along = shapely.LineString([(300, low - 150), (2600, low - 150)])
    save(tmp_path, "out", [out])
    save(tmp_path, "along", [along])
    work = work_of(tmp_path, roads=[{"source": "along"}])
    lay_roads(work)
    assert len(paths(work)) == 1 and b[1] > a[1]
    work = work_of(tmp_path, roads=[{"source": "out"}])
    lay_roads(work)
    assert all(label.startswith("05") or label.startswith("04") for path in paths(work).values() for label in path)
    assert len(paths(work)) == 1  # the other end has one hex only


def test_roads_of_a_source_go_round_water_or_end_there(tmp_path):
    bare = work_of(tmp_path)
    save(tmp_path, "coast", [shapely.LineString(centres(bare, "0103", "0203", "0303", "0403", "0503", "0603"))])
    work = work_of(tmp_path, roads=[{"source": "coast"}], water=WATER)
    paint(work, "sea", "0303")
    lay_roads(work)
    assert len(paths(work)) == 1 and "0303" not in paths(work)["road-1"]
    assert said(work, "round water", "nudged").at == ("0203", "0403")
    work = work_of(tmp_path, roads=[{"source": "coast"}], water=WATER)
    paint(work, "sea", "0301", "0302", "0303", "0304", "0305", "0603")
    lay_roads(work)
    assert paths(work) == {"road-1": ("0403", "0503"), "road-2": ("0103", "0203")} or paths(work) == {
        "road-1": ("0103", "0203"),
        "road-2": ("0403", "0503"),
    }
    assert said(work, "ends at water", "finding").at == ("0203", "0403", "0503")


def test_a_source_without_lines_on_the_map_is_a_finding(tmp_path):
    save(tmp_path, "far", [shapely.LineString([(90_000, 0), (91_000, 0)])])
    work = work_of(tmp_path, roads=[{"source": "far"}])
    lay_roads(work)
    assert not work.model.features and said(work, "0 roads of 0 lines", "finding")


POINTS = st.lists(st.tuples(st.integers(-600, 5000), st.integers(-600, 3200)), min_size=2, max_size=6)


@given(st.lists(POINTS, max_size=6), st.sets(st.integers(0, 29), max_size=8))
def test_whatever_the_lines_each_step_is_drawn_once_over_open_ground(lines, wet):
    shapes = np.array([shapely.LineString(line) for line in lines], dtype=object)
    work = work_of(NOWHERE, sources=[{"id": "w", "file": "none"}], roads=[{"source": "w"}, {"source": "w"}])
    layer = Layer(shapes, {}, DataSource(id="w", file=""), len(shapes))
    for one in wet:
        work.model.terrain.flat[one] = work.model.terrain_ids.index("sea")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(roads, "read_layer", lambda *_, **__: layer)
        lay_roads(work)
    steps = steps_of(work)
    assert len(steps) == len(set(steps))
    assert wet.isdisjoint(cell(work, label) for step in steps for label in step)
    checked(work.model, work.ruleset, "small")
    again = work_of(NOWHERE, sources=[{"id": "w", "file": "none"}], roads=[{"source": "w"}, {"source": "w"}])
    again.model.terrain[:] = work.model.terrain
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(roads, "read_layer", lambda *_, **__: layer._replace(shapes=shapes[::-1]))
        lay_roads(again)
    assert again.model.features == work.model.features  # the order of the rows does not matter
