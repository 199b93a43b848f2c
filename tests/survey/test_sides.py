"""What parts and what joins locations where the game has no say of its own, and how drawn lines pass between hexes."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.grid import HexGrid, LabelScheme
from studio.model import Area, Delete, Edit, Feature, History, Link, MapModel, Place, Put, Road, Wall, natural_key
from studio.rules import load_ruleset
from studio.sight.trace import line_contacts
from studio.survey import Side, Survey, SurveyScheme
from studio.survey.parted import passes_between
from studio.survey.stretches import Stretches, chains

SCHEME = SurveyScheme(
    unplayable=frozenset({"outside"}),
    location_areas=frozenset({"room"}),
    places=True,
    road_in=frozenset({"house", "town"}),
    closing=frozenset({"rampart"}),
    joining=frozenset({"stairs"}),
)


def survey_of(*features: Feature, ground: str = "outside") -> Survey:
    grid = HexGrid(columns=6, rows=6)
    model = MapModel("test", grid, LabelScheme.ccrr(), {"clear": ".", "outside": "#", "town": "t"})
    model.terrain[:] = model.terrain_ids.index(ground)
    model.features = {feature.id: feature for feature in features}
    return Survey(model, SCHEME)


def box(name: str, x0: int, y0: int, x1: int, y1: int, *, type: str = "room", within: str = "") -> Area:
    return Area(id=name, type=type, outline=((x0, y0), (x1, y0), (x1, y1), (x0, y1)), within=within)


def told(side: Side) -> tuple[str, str, dict[str, float], bool]:
    lengths = {
        stretch.kind: shapely.MultiLineString([list(piece) for piece in stretch.segments]).length
        for stretch in side.stretches
    }
    return side.a, side.b, lengths, side.joined


# -- areas -----------------------------------------------------------------------------------------------------------


def test_walls_along_a_border_give_their_kind_and_the_rest_is_a_border() -> None:
    survey = survey_of(
        box("a", 0, 0, 100, 100),
        box("b", 100, 0, 200, 100),
        box("c", 200, 100, 300, 200),
        Wall(id="w", type="fence", line=((100, -50), (100, 30))),
        Wall(id="v", type="rampart", line=((150, 50), (250, 50))),
    )
    assert list(map(told, survey.boundaries)) == [
        ("a", "b", {"fence": 30.0, "border": 70.0}, True),
        ("a", "", {"outline": 300.0}, False),
        ("b", "", {"outline": 300.0}, False),
        ("c", "", {"outline": 400.0}, False),
    ]
    assert survey.joined == {"a": ["b"], "b": ["a"]}  # c meets b in a corner only


def test_a_wall_that_closes_all_of_a_border_joins_nothing() -> None:
    rooms = (box("a", 0, 0, 100, 100), box("b", 100, 0, 200, 100))
    whole = survey_of(*rooms, Wall(id="w", type="rampart", line=((100, 0), (100, 100))))
    assert whole.boundaries[0].kinds == ("rampart",)
    assert whole.joined == {}
    part = survey_of(*rooms, Wall(id="w", type="rampart", line=((100, 0), (100, 99))))
    assert part.boundaries[0].kinds == ("rampart", "border")
    assert part.joined == {"a": ["b"], "b": ["a"]}
    assert whole.area_neighbours == part.area_neighbours  # as drawn they lie side by side all the same


def test_what_is_part_of_a_location_borders_on_it() -> None:
    survey = survey_of(
        box("hall", 0, 0, 300, 300),
        box("nook", 0, 0, 100, 100, within="hall"),
        box("shelf", 40, 0, 100, 100, type="furniture", within="nook"),
        box("yard", 300, 0, 400, 300),
    )
    assert [told(side) for side in survey.boundaries] == [
        ("hall", "nook", {"border": 200.0}, True),
        ("hall", "yard", {"border": 300.0}, True),
        ("hall", "", {"outline": 900.0}, False),
        ("nook", "", {"outline": 200.0}, False),
        ("yard", "", {"outline": 500.0}, False),
    ]


def test_a_hole_that_is_another_area_is_a_border() -> None:
    ring = Area(
        id="a",
        type="room",
        outline=((0, 0), (30, 0), (30, 30), (0, 30)),
        holes=(((10, 10), (20, 10), (20, 20), (10, 20)),),
    )
    survey = survey_of(ring, box("b", 10, 10, 20, 20))
    assert [told(side)[:3] for side in survey.boundaries] == [
        ("a", "b", {"border": 40.0}),
        ("a", "", {"outline": 120.0}),
    ]
    (row,) = [record for record in survey.side_records() if record["b"] == "b"]
    assert len(row["lines"]) == 1
    assert row["lines"][0][0] == row["lines"][0][-1] == row["ends"][0] == row["ends"][1]


def test_links_roads_and_places_join() -> None:
    survey = survey_of(
        box("a", 0, 0, 100, 100),
        Place(id="p", type="roof", name="roof", at=(50, 50), within="a"),
        Place(id="q", type="roof", name="mast", at=(60, 50)),
        Link(id="l", type="stairs", a="roof", b="mast"),
        Link(id="m", type="radio", a="a", b="mast"),
        Link(id="n", type="stairs", a="roof", b="nowhere"),
    )
    assert [(joint.a, joint.b, joint.by, joint.link) for joint in survey.joints] == [
        ("roof", "mast", "stairs", "l"),
        ("a", "roof", "within", ""),
    ]
    assert survey.joined == {"a": ["roof"], "roof": ["a", "mast"], "mast": ["roof"]}
    road = Road(id="r", path=("0101", "0102", "0103"))
    town = survey_of(road, box("h", 300, 200, 600, 700, type="house"), ground="clear")
    records = {record["label"]: record["neighbours"] for record in town.location_records()}
    roads = [label for label in records if label.endswith(" road")]
    assert roads == ["0101 road", "0102 road"]
    assert records["0101 road"] == ["0101", "0102 road"]
    assert records["0102 road"] == ["0101 road", "0102", "0103"]
    assert "0102 road" in records["0103"]


# -- hexes -----------------------------------------------------------------------------------------------------------


def test_a_wall_parts_the_hexes_between_whose_dots_it_passes() -> None:
    grid = HexGrid(columns=6, rows=6)
    x, y = grid.centre(0)
    along = Wall(id="w", type="rampart", line=((x - 200, y + 240), (x + 200, y + 240)))
    short = Wall(id="v", type="fence", line=((x - 200, y + 700), (x, y + 720)))
    survey = survey_of(along, short, ground="clear")
    assert [(side.a, side.b, side.kinds, side.joined) for side in survey.boundaries] == [
        ("0101", "0102", ("rampart",), True)
    ]
    row = survey.sides().iloc[0]
    shared = survey.locations().loc["0101"].geometry.intersection(survey.locations().loc["0102"].geometry)
    assert row.geometry.equals(shared)


POINT = st.tuples(st.integers(-6, 6), st.integers(-6, 6))


@settings(max_examples=500)
@given(POINT, POINT, st.lists(POINT, min_size=2, max_size=6), st.booleans())
def test_a_line_passes_between_two_points_as_contacts_say(
    a: tuple[int, int], b: tuple[int, int], line: list[tuple[int, int]], closed: bool
) -> None:
    line = [p for at, p in enumerate(line) if at == 0 or p != line[at - 1]]
    if closed and line[0] != line[-1]:
        line = [*line, line[0]]
    if a == b or len(line) < 2:
        return
    crossed = [one for one in line_contacts(a, b, line) if one.how == "cross"]
    inner = [one for one in crossed if one.enter > 0 and one.leave < 1]
    ends = any(one.enter == 0 or one.leave == 1 for one in line_contacts(a, b, line))
    if not ends:  # a dot on the line itself belongs to neither side
        assert passes_between(a, b, line) == passes_between(b, a, line)
        if inner:
            assert passes_between(a, b, line)
        elif not any(one.how == "along" for one in line_contacts(a, b, line)) and not closed:
            assert not passes_between(a, b, line)


# -- stretches -------------------------------------------------------------------------------------------------------


@settings(max_examples=200)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), max_size=4), st.tuples(POINT, POINT))
def test_what_lies_on_stretches_and_what_does_not_make_up_the_segment(
    spans: list[tuple[int, int]], ends: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    (px, py), (qx, qy) = ends
    if ends[0] == ends[1]:
        return

    def at(step: int) -> tuple[int, int]:
        return px + (qx - px) * step, py + (qy - py) * step

    segment = (at(5), at(15))
    lines = Stretches([(at(low), at(high)) for low, high in spans])
    covered = shapely.union_all([shapely.LineString([at(low), at(high)]) for low, high in spans if low != high])
    inside, outside = lines.inside(segment), lines.outside(segment)
    whole = shapely.LineString(segment)
    assert sum(map(_length, inside)) == pytest.approx(whole.intersection(covered).length)
    assert sum(map(_length, inside)) + sum(map(_length, outside)) == pytest.approx(whole.length)


def _length(segment: tuple[tuple[int, int], tuple[int, int]]) -> float:
    return float(shapely.LineString(segment).length)


@settings(max_examples=200)
@given(st.lists(st.tuples(POINT, POINT).filter(lambda pair: pair[0] != pair[1]), max_size=12))
def test_chains_hold_every_segment_once(segments: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    lines = chains(segments)
    pieces = [frozenset(pair) for line in lines for pair in pairwise(line)]
    assert sorted(map(sorted, pieces)) == sorted(map(sorted, {frozenset(pair) for pair in segments}))
    assert lines == chains([(q, p) for p, q in reversed(segments)])


# -- the second opinion ----------------------------------------------------------------------------------------------


def tiling(rng: np.random.Generator, size: int) -> list[Feature]:
    """Return rooms that tile a square, aslant, with walls along some of their edges."""
    corner = {
        (i, j): (i * 90 + int(rng.integers(-25, 26)), j * 90 + int(rng.integers(-25, 26)))
        for i in range(size + 1)
        for j in range(size + 1)
    }
    features: list[Feature] = []
    for i in range(size):
        for j in range(size):
            outline = tuple(corner[at] for at in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)))
            if rng.random() < 0.9:
                features.append(Area(id=f"r{i}-{j}", type="room", outline=outline))
            if rng.random() < 0.4:
                kind = str(rng.choice(["fence", "rampart"]))
                line = outline[: int(rng.integers(2, 5))]
                features.append(Wall(id=f"w{i}-{j}", type=kind, line=line))
    return features


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_borders_and_kinds_are_those_of_shapely(seed: int) -> None:
    survey = survey_of(*tiling(np.random.default_rng(seed), 4))
    rooms = {area.id: shapely.Polygon(area.outline) for area in survey.features_of(Area)}
    walls = {
        kind: shapely.union_all(
            [shapely.LineString(w.line) for w in survey.features_of(Wall) if w.type == kind] or [shapely.Point()]
        )
        for kind in ("fence", "rampart")
    }
    found = {(side.a, side.b): side for side in survey.boundaries}
    names = sorted(rooms, key=natural_key)
    for at, a in enumerate(names):
        for b in names[at + 1 :]:
            common = rooms[a].boundary.intersection(rooms[b].boundary)
            assert ((a, b) in found) == (common.length > 0)
            if (a, b) in found:
                _same_kinds(found[a, b], common, walls, "border")
                assert found[a, b].joined == ("rampart" not in found[a, b].kinds or len(found[a, b].kinds) > 1)
        rest = rooms[a].boundary.difference(shapely.union_all([rooms[b] for b in names if b != a]).boundary)
        alone = rest.difference(shapely.union_all([rooms[b].boundary for b in names if b != a]))
        assert ((a, "") in found) == (alone.length > 1e-6)
        if (a, "") in found:
            _same_kinds(found[a, ""], alone, walls, "outline")


def _same_kinds(side: Side, line: shapely.Geometry, walls: dict[str, shapely.Geometry], rest: str) -> None:
    kinds = {stretch.kind: sum(map(_length, stretch.segments)) for stretch in side.stretches}
    fence = line.intersection(walls["fence"]).length
    rampart = line.difference(walls["fence"]).intersection(walls["rampart"]).length
    wanted = {"fence": fence, "rampart": rampart, rest: line.length - fence - rampart}
    for kind, length in wanted.items():
        assert kinds.get(kind, 0.0) == pytest.approx(length, abs=1e-6)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_sides_that_followed_edits_equal_fresh_ones(seed: int) -> None:
    rng = np.random.default_rng(seed)
    survey = survey_of(*tiling(rng, 3))
    history = History(survey.model)
    fence = {"id": "new", "kind": "wall", "type": "rampart", "line": [[0, 0], [90, 90], [180, 90]]}
    stairs = {"id": "up", "kind": "link", "type": "stairs", "a": "r0-0", "b": "r2-2"}
    edits: list[Edit] = [Put(collection="features", record=record) for record in (fence, stairs)]
    for name in [*map(str, rng.choice(sorted(survey.model.features), 3, replace=False)), "new", "up"]:
        edits.append(Delete(collection="features", id=name))
    for edit in edits:
        survey.update(history.apply(edit))
        fresh = Survey(survey.model, SCHEME)
        assert survey.boundaries == fresh.boundaries
        assert survey.joined == fresh.joined
    while history.can_undo:
        change = history.undo()
        assert change is not None
        survey.update(change)
    fresh = Survey(survey.model, SCHEME)
    assert (survey.boundaries, survey.joints) == (fresh.boundaries, fresh.joints)


# -- a game of one's own ---------------------------------------------------------------------------------------------


def test_a_game_of_ones_own_names_its_walls_and_links(tmp_path: Path) -> None:
    file = tmp_path / "mine.ruleset.toml"
    file.write_text(
        'id = "mine"\ntitle = "Mine"\nlevels = [0, 2]\nfeatures = ["area", "wall", "link", "place"]\n'
        '[terrain.clear]\nname = "Clear"\nchar = "."\nplayable = false\n'
        '[areas.zone]\nname = "Zone"\nlocation = true\n'
        '[walls.hedge]\nname = "Hedge"\n[walls.moat]\nname = "Moat"\nsection = "7.2"\ncloses = true\n'
        '[links.tunnel]\nname = "Tunnel"\n[links.beam]\nname = "Beam"\njoins = false\n'
        '[borders.border]\nname = "Open field"\n'
    )
    mine = load_ruleset(file)
    assert {name: (kind.name, kind.closes) for name, kind in mine.border_kinds.items()} == {
        "border": ("Open field", False),
        "outline": ("Outline, with no location on the other side", False),
        "hedge": ("Hedge", False),
        "moat": ("Moat", True),
    }
    assert mine.to_bundle()["borders"]["moat"] == {"name": "Moat", "section": "7.2", "closes": True}
    map_ = studio.new_map(mine, 4, 4)
    for at, name in enumerate("abc"):
        left = 200 * at
        corners = [[left, 0], [left + 200, 0], [left + 200, 200], [left, 200]]
        map_.add("area", id=name, type="zone", outline=corners)
    map_.add("wall", type="moat", line=[[200, 0], [200, 200]])
    map_.add("link", type="tunnel", a="a", b="c")
    map_.add("link", type="beam", a="a", b="b")
    assert map_.locations.neighbours.to_dict() == {"a": "c", "b": "c", "c": "a, b"}
    assert map_.sides[["a", "b", "kinds"]].head(2).to_numpy().tolist() == [["a", "b", "moat"], ["a", "", "outline"]]


def test_tables_without_rows_keep_their_columns() -> None:
    empty = studio.new_map("phantom_fury", 3, 3)
    for frame, columns in ((empty.sides, {"a", "kinds", "map_length"}), (empty.locations, {"q", "level", "within"})):
        assert len(frame) == 0
        assert columns < set(frame.columns)
        assert frame.geometry.dtype == "geometry"
        assert frame.total_bounds.shape == (4,)
    full = studio.new_map("phantom_fury", 3, 3)
    full.add("area", type="zone", outline=[[0, 0], [400, 0], [400, 400]])
    assert empty.sides.dtypes.equals(full.sides.dtypes)
    assert empty.locations.dtypes.equals(full.locations.dtypes)


@pytest.mark.filterwarnings("ignore:'crs' was not provided")
def test_tables_of_half_drawn_maps_go_into_files(tmp_path: Path) -> None:
    map_ = studio.new_map("phantom_fury", 3, 3)
    map_.sides.to_file(tmp_path / "empty.gpkg")
    drawn = {  # as a file may hold them that was written by hand
        "bow": ((0, 0), (400, 400), (400, 0), (0, 400)),
        "flat": ((500, 0), (700, 0), (600, 0)),
        "dot": ((500, 300), (500, 300), (500, 300)),
    }
    map_.model.features.update({name: Area(id=name, type="zone", outline=ring) for name, ring in drawn.items()})
    map_ = studio.Map(map_.model)
    for frame in (map_.sides, map_.locations):
        frame.to_file(tmp_path / "half.gpkg")
        assert frame.plot() is not None
    assert set(map_.sides.a) == {"bow", "flat"}
    assert map_.survey.coverage(["bow", "flat", "dot"]).gaps == []


def test_an_unknown_coordinate_system_is_named() -> None:
    map_ = studio.new_map("armageddon_war", 3, 3)
    map_.set("georeference", studio.model.Georeference(crs="EPSG:nothing", affine=(1, 0, 0, 0, 1, 0)))
    with pytest.raises(studio.StudioError, match="'EPSG:nothing'; give one such as 'EPSG:32637'"):
        _ = map_.locations
