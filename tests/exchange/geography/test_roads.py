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
from studio.exchange.common.corners import UNIT as MILLION
from studio.exchange.common.ground import checked
from studio.exchange.common.lines import STAYS, hex_path, without_hairpins
from studio.exchange.geography.data.sources import Layer
from studio.exchange.geography.places.towns import find_towns
from studio.exchange.geography.roads import along as rules
from studio.exchange.geography.roads import given as given_roads
from studio.exchange.geography.roads.along import Along, Search, points_of
from studio.exchange.geography.roads.laying import lay_bridges, lay_roads
from studio.exchange.geography.roads.streams import Streams
from studio.exchange.geography.roads.ways import ALONG, STRAY, UNIT, Ways
from studio.exchange.geography.spec import DataSource, RoadRule, Town
from studio.exchange.geography.work import PlacedTown
from studio.grid import HexGrid
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
        patch.setattr(given_roads, "read_layer", lambda *_, **__: layer)
        lay_roads(work)
    steps = steps_of(work)
    assert len(steps) == len(set(steps))
    assert wet.isdisjoint(cell(work, label) for step in steps for label in step)
    checked(work.model, work.ruleset, "small")
    again = work_of(NOWHERE, sources=[{"id": "w", "file": "none"}], roads=[{"source": "w"}, {"source": "w"}])
    again.model.terrain[:] = work.model.terrain
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(given_roads, "read_layer", lambda *_, **__: layer._replace(shapes=shapes[::-1]))
        lay_roads(again)
    assert again.model.features == work.model.features  # the order of the rows does not matter


# -- roads of a source and rivers ----------------------------------------------------------------------------------


def flow(work, name, sides, line=None):
    """Give a work a river on a row of hexsides; its true line is that of these, or another."""
    for side in sides:
        work.model.sides[side] = ("river",)
    work.rivers[name] = list(sides)
    if line is None:
        line = shapely.line_merge(shapely.MultiLineString([work.model.grid.side_ends(*side) for side in sides]))
    work.river_lines[name] = line


def behind(work, column):
    """Return the hexsides between a column and the next."""
    grid = work.model.grid
    pairs = ((one, other) for one in range(grid.cells) for other in grid.neighbours(one) if one < other)
    return [pair for pair in pairs if sorted(one % grid.columns for one in pair) == [column, column + 1]]


def led(work, *points):
    """Return the roads along a line through points on the lattice, as labels."""
    return [[work.label(one) for one in part.path] for part in Along(work).lead(np.array(points, dtype=float))]


class Plain:
    """The search for a road, state by state: a point of the line, the hex, and the rivers crossed."""

    def __init__(self, work, line):
        self.work, self.grid, self.along = work, work.model.grid, Along(work)
        self.scale = self.along.scale
        self.points = points_of(line * self.scale, rules.SPACING)
        self.crossings = self.along.streams.crossings(line * self.scale)
        self.last = len(self.points.along) - 1
        lines = work.river_lines.values()
        self.rivers = [shapely.transform(one, lambda points: points * self.scale) for one in lines]
        every = [
            (number, [point for point in range(self.last + 1) if self._in_window(one, point)])
            for number, one in enumerate(self.crossings)
        ]
        self.window = dict(every)

    def _in_window(self, crossing, point):
        return abs(self.points.along[point] - crossing.along) <= rules.WINDOW

    def spot(self, one):
        return np.array(self.grid.centre(one)) * self.scale

    def near(self, point, one):
        return float(np.hypot(*(self.points.spots[point] - self.spot(one)))) <= rules.REACH

    def here(self, point, one):
        begin, end = self.points.spots[point], self.spot(one)
        between = any(shapely.LineString([begin, end]).intersects(river) for river in self.rivers)
        return rules.PACE * float(((begin - end) ** 2).sum()) + rules.HAND * between

    def following(self, state):
        point, one, done = state
        onward = point < self.last and self.near(point + 1, one)
        if onward and all(self.window[number][-1] > point for number in range(done, len(self.crossings))):
            yield (point + 1, one, done), self.here(point + 1, one)
        may = done < len(self.crossings) and point in self.window[done]
        if may:
            yield (point, one, done + 1), rules.SKIP
        for other in self.grid.neighbours(one):
            if self.near(point, other):
                rivers = self.along.streams.of((min(one, other), max(one, other)))
                yield (point, other, done), rules.STEP + rules.FALSE * bool(rivers)
                if may and self.crossings[done].river in rivers:
                    middle = (self.spot(one) + self.spot(other)) / 2
                    off = float(((middle - np.array(self.crossings[done].spot)) ** 2).sum())
                    yield (point, other, done + 1), rules.STEP + rules.NEAR * off

    def least(self):
        """Return the least cost of a way."""
        length = self.points.along[-1]
        best, queue = {}, []
        for point, along in enumerate(self.points.along):
            late = any(self.window[number][-1] < point for number in self.window)
            for one in range(self.grid.cells):
                if along <= rules.ENDS and self.near(point, one) and not late:
                    best[point, one, 0] = self.here(point, one) + rules.SHORT * along
                    queue.append((best[point, one, 0], (point, one, 0)))
        heapq.heapify(queue)
        found = math.inf
        while queue and queue[0][0] < found:
            spent, state = heapq.heappop(queue)
            if spent > best[state]:
                continue
            left = length - self.points.along[state[0]]
            if state[2] == len(self.crossings) and left <= rules.ENDS:
                found = min(found, spent + rules.SHORT * left)
            for to, cost in self.following(state):
                if spent + cost < best.get(to, math.inf):
                    best[to] = spent + cost
                    heapq.heappush(queue, (spent + cost, to))
        return found


BETWEEN = st.tuples(st.integers(300, 4000), st.integers(400, 2300))


@given(st.data())
def test_the_way_along_a_line_is_the_cheapest(data):
    work = work_of(NOWHERE, rivers=RIVERS)
    sides = [(one, other) for one in range(30) for other in work.model.grid.neighbours(one) if one < other]
    for name in data.draw(st.sampled_from([(), ("a",), ("a", "b")])):
        own = sorted(data.draw(st.sets(st.sampled_from(sides), min_size=1, max_size=12)))
        flow(work, name, own, shapely.LineString(data.draw(st.lists(BETWEEN, min_size=2, max_size=4, unique=True))))
    line = np.array(data.draw(st.lists(BETWEEN, min_size=2, max_size=3, unique=True)), dtype=float)
    plain = Plain(work, line)
    search = Search(plain.along, plain.points, plain.crossings, {})
    states = search.way()
    if states is None:
        assert not search.whole or plain.least() == math.inf
        return
    assert search.cost / MILLION == pytest.approx(plain.least(), abs=1e-3)
    assert all(plain.near(*state) for state in states)


@given(st.data())
def test_a_road_crosses_rivers_on_the_map_as_often_as_in_the_data(data):
    work = work_of(NOWHERE, columns=12, rows=8, rivers=RIVERS)
    columns = sorted(data.draw(st.sets(st.integers(1, 9), max_size=4)))
    for column in columns:
        flow(work, f"river {column}", behind(work, column))
    grid = work.model.grid
    a, b = (data.draw(st.sampled_from([one for one in range(96) if grid.has(one)])) for _ in range(2))
    if a == b:
        return
    along = Along(work)
    (road,) = along.lead(np.array([grid.centre(a), grid.centre(b)], dtype=float))
    low, high = sorted((a % 12, b % 12))
    # Straight lines from column to column may cross a winding river and come back.
    assert len(along.streams.crossed(road.path)) % 2 == len(road.crossings) % 2
    true = sum(low <= column < high for column in columns)
    assert true <= len(along.streams.crossed(road.path)) <= len(road.crossings)
    assert (road.path[0], road.path[-1]) == (a, b)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_road_beside_a_river_keeps_its_bank_and_has_no_bridges(orientation):
    work = work_of(NOWHERE, columns=8, rows=9, rivers=RIVERS, grid={"orientation": orientation})
    grid = work.model.grid
    flow(work, "r", behind(work, 3))
    x = float(np.mean([grid.side_ends(*side) for side in behind(work, 3)], axis=(0, 1))[0])
    work.river_lines["r"] = shapely.LineString([(x, -500), (x, 9000)])
    streams = Streams(work)
    for aside in (-40, 40):
        line = [(x + aside, grid.centre(0)[1]), (x + aside, grid.centre(grid.cells - 1)[1])]
        (path,) = led(work, *line)
        cells = [cell(work, label) for label in path]
        assert not streams.crossed(cells) and len(cells) >= 7
        assert {one % 8 <= 3 for one in cells} == {aside < 0}
    plain = hex_path(grid, [(x, grid.centre(0)[1]), (x + 60, grid.centre(grid.cells - 1)[1])])
    assert orientation == "flat" or streams.crossed(plain)


def test_what_differs_from_the_data_is_a_finding_and_what_does_not_is_said(tmp_path):
    bare = work_of(tmp_path)
    lines = [shapely.LineString(centres(bare, "0101", "0601")), shapely.LineString(centres(bare, "0105", "0605"))]
    save(tmp_path, "ways", [lines[0], lines[1]], {"ref": ["A1", "A2"]})
    work = work_of(tmp_path, rivers=RIVERS, roads=[{"source": "ways", "name": "ref"}])
    whole = shapely.line_merge(shapely.MultiLineString([work.model.grid.side_ends(*side) for side in behind(work, 2)]))
    upper = [side for side in behind(work, 2) if side[0] < 12]
    flow(work, "Tigris", upper, whole)
    lay_roads(work)
    fine = said(work, "A1 crosses rivers as often", "decided")
    assert "once" in fine.text and fine.figures == {"data": 1, "map": 1} and len(fine.at) == 1
    other = said(work, "A2 crosses Tigris once in the data, never on the map", "finding")
    assert other.figures == {"data": 1, "map": 0} and len(other.at) == 1


def test_a_touch_is_no_crossing():
    work = work_of(NOWHERE, rivers=RIVERS)
    flow(work, "r", behind(work, 2), shapely.LineString([(1000, 0), (2000, 500), (1000, 1000), (3000, 1000)]))
    scale = Along(work).scale

    def crossings(*line):
        return len(Streams(work).crossings(np.array(line, dtype=float) * scale))

    assert crossings((2000, 0), (2000, 900)) in (0, 2) and crossings((0, 1000), (0, 2000)) == 0
    assert crossings((500, 250), (3000, 250)) == 1
    # Along the river for a while, and off to the other side, or back.
    assert crossings((1500, 0), (1500, 1000), (2500, 1000), (2500, 2000)) % 2 == 1
    assert crossings((1500, 1500), (1500, 1000), (2500, 1000), (2500, 2000)) % 2 == 0


def test_a_road_goes_through_the_hex_that_its_town_is_given():
    work = work_of(NOWHERE)
    begin, town, end = centres(work, "0103", "0303", "0503")
    assert led(work, begin, end) == [["0103", "0203", "0303", "0403", "0503"]] or "0303" in led(work, begin, end)[0]
    work.towns.append(PlacedTown(Town(name="Kut"), town, cell(work, "0304")))
    assert "0304" in led(work, begin, end)[0]
    far = (town[0], town[1] + 170)
    work.towns[0] = PlacedTown(Town(name="Kut"), far, cell(work, "0304"))
    assert "0304" not in led(work, begin, end)[0]


def test_a_road_ends_rather_than_cross_a_river_that_leaves_the_map(tmp_path):
    bare = work_of(tmp_path)
    save(tmp_path, "way", [shapely.LineString(centres(bare, "0605", "0101"))])
    work = work_of(tmp_path, rivers=RIVERS, roads=[{"source": "way"}])
    corner = cell(work, "0101")
    sides = [(corner, other) for other in work.model.grid.neighbours(corner)]
    flow(work, "r", sides, shapely.LineString([(-900, -900), (-900, 9000)]))
    lay_roads(work)
    assert "0101" not in {label for path in paths(work).values() for label in path}
    assert said(work, "ends before its lines do", "nudged").at[0] in ("0102", "0201", "0202")


def test_the_name_is_a_column_where_the_source_has_one(tmp_path):
    bare = work_of(tmp_path)
    shapes = [shapely.LineString(centres(bare, "0101", "0301")), shapely.LineString(centres(bare, "0103", "0503"))]
    shapes += [shapely.LineString(centres(bare, "0301", "0501")), shapely.LineString(centres(bare, "0105", "0305"))]
    save(tmp_path, "ways", shapes, {"ref": ["A1", "A2", "A1", None]})
    work = work_of(tmp_path, roads=[{"source": "ways", "name": "ref"}])
    lay_roads(work)
    assert sorted((road.name, road.path[0]) for road in work.model.features_of(Road)) == [
        ("", "0105"),
        ("A1", "0101"),
        ("A2", "0103"),
    ]
    assert said(work, "ways: 3 roads of 4 lines", "decided")
    work = work_of(tmp_path, roads=[{"source": "ways", "name": "Ref"}])
    lay_roads(work)
    assert {road.name for road in work.model.features_of(Road)} == {"Ref"}


def test_a_stop_that_is_below_every_is_told_how_to_be_there(tmp_path):
    bare = work_of(tmp_path)
    spots = [shapely.Point(spot) for spot in centres(bare, "0101", "0303", "0304", "0505")]
    columns = {"name": ["Kut", "Hendijan", "Ali", "Badra"], "people": [90_000, 29_015, 70_000, 60_000]}
    save(tmp_path, "places", spots, columns)
    towns = {"source": "places", "name": "name", "population": "people", "every": {"town": 60_000}, "label": ["town"]}

    def refusal(name, **more):
        work = work_of(tmp_path, roads=[{"through": ["Kut", name]}], towns=towns | more)
        find_towns(work)
        with pytest.raises(DocumentError) as raised:
            lay_roads(work)
        return str(raised.value)

    text = refusal("Hendiján")
    assert "29015 people" in text and "from 60000 people" in text and 'rank = "town"' in text
    assert "[[towns.listed]]" in text
    assert "one of city, town" in refusal("Hendijan", every={"town": 60_000, "city": 80_000})
    assert "only places that are listed" in refusal("Hendijan", every={}, listed=[{"name": "Kut", "rank": "town"}])
    shared = refusal("Ali", listed=[{"name": "Other", "at": "0304", "lon": 45.0, "lat": 33.0}])
    assert "whose hex has another town" in shared
    assert "no town and no hex" in refusal("Nowhere")


# -- hairpins ------------------------------------------------------------------------------------------------------


def test_hexes_that_a_line_grazes_are_left_out_and_those_it_enters_are_not():
    grid = HexGrid(columns=8, rows=8)
    row = [grid.neighbour(20, 0), 20, grid.neighbour(20, 1)]
    assert without_hairpins(grid, row, [1.0, STAYS - 0.01, 1.0]) == [row[0], row[2]]
    assert without_hairpins(grid, row, [1.0, STAYS + 0.01, 1.0]) == row
    assert without_hairpins(grid, row, [1.0, 0.1, 1.0], lambda part: 20 in part) == row
    assert without_hairpins(grid, [row[0], 20, row[0]], [1.0, 0.3, 1.0]) == [row[0]]


@given(st.data())
def test_what_is_left_has_no_hairpins_and_lost_no_more_than_it_had_to(data):
    grid = HexGrid(columns=6, rows=6)
    path = [data.draw(st.integers(0, 35))]
    for _ in range(data.draw(st.integers(0, 10))):
        path.append(data.draw(st.sampled_from(list(grid.neighbours(path[-1])))))
    stays = [data.draw(st.sampled_from([0.1, 0.25, 0.4, 0.7, 1.0])) for _ in path]
    kept = data.draw(st.sets(st.sampled_from(path), max_size=2))
    left = without_hairpins(grid, path, stays, lambda part: bool(kept & set(part[1:-1])))
    assert (left[0], left[-1]) == (path[0], path[-1]) and kept <= set(left)
    assert all(grid.direction(a, b) is not None for a, b in itertools.pairwise(left))
    assert set(left) >= {cell for cell, stay in zip(path, stays, strict=True) if stay > STAYS}
    for gap in (2, 3):
        for first in range(len(left) - gap):
            near = grid.direction(left[first], left[first + gap]) is not None or left[first] == left[first + gap]
            inner = left[first + 1 : first + gap]
            assert not near or kept & set(inner) or sum(map(sum_of(path, stays), inner)) > STAYS


def sum_of(path, stays):
    return lambda cell: sum(stay for one, stay in zip(path, stays, strict=True) if one == cell)
