"""Shared borders stay shared, exactly: random edits of random tilings, and what each edit takes along."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.api import Map
from studio.errors import EditError
from studio.grid import HexGrid, LabelScheme
from studio.model import Aperture, Area, Contour, Feature, Link, MapModel, Marker, Name, Place, Road, Wall
from studio.model.topology import delete_vertex, insert_vertex, merge_areas, move_features, move_vertex, split_area
from studio.model.topology.rings import area_fault, doubled_area, line_edges, line_fault, place_in_area
from studio.rules import get_ruleset
from studio.survey import Survey
from tests.model.tilings import apertures_on, frame_of, on_borders, random_tiling

RULES = get_ruleset("urban_operations")


def map_of(features: Sequence[Feature]) -> Map:
    grid = HexGrid(columns=5, rows=5)
    model = MapModel("urban_operations", grid, LabelScheme.ccrr(), RULES.terrain_characters)
    model.features = {feature.id: feature for feature in features}
    return Map(model)


def box(area_id: str, x0: int, y0: int, x1: int, y1: int, **more: Any) -> Area:
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    return Area(id=area_id, type=more.pop("type", "room"), outline=ring, **more)


def areas_of(map_: Map) -> list[Area]:
    return [feature for feature in map_.features.values() if isinstance(feature, Area)]


def by_id(*features: Feature) -> dict[str, Feature]:
    return {feature.id: feature for feature in features}


# -- random tilings ------------------------------------------------------------------------------------------------


def change(map_: Map, rng: np.random.Generator) -> None:
    """Make a random edit inside the frame of a tiling."""
    areas = areas_of(map_)
    frame = frame_of(areas)
    edges = [edge for area in areas for edge in line_edges(area.outline, closed=True)]
    inner = sorted({p for p, _ in edges if not any(_on(p, *e) for e in line_edges(frame, closed=True))})
    what = rng.choice(["move", "move", "insert", "delete", "split", "merge", "stretch", "snap"])
    p, q = edges[int(rng.integers(len(edges)))]
    part = rng.random()
    near = (round(p[0] + part * (q[0] - p[0])), round(p[1] + part * (q[1] - p[1])))
    if what in ("move", "delete") and inner:
        at = inner[int(rng.integers(len(inner)))]
        if what == "delete":
            map_.delete_vertex(at)
        else:
            far = int(rng.choice([3, 40, 400]))
            map_.move_vertex(at, (at[0] + int(rng.integers(-far, far + 1)), at[1] + int(rng.integers(-far, far + 1))))
    elif what == "insert":
        map_.insert_vertex(near)
    elif what == "split":
        area = areas[int(rng.integers(len(areas)))]
        ends = [line_edges(area.outline, closed=True)[int(rng.integers(len(area.outline)))][0] for _ in range(2)]
        bend = shapely.Polygon(area.outline).representative_point()
        middle = [(round(bend.x), round(bend.y))] if rng.random() < 0.4 else []
        map_.split_area(area.id, [ends[0], *middle, near if rng.random() < 0.3 else ends[1]])
    elif what == "merge" and map_.survey.borders:
        border = map_.survey.borders[int(rng.integers(len(map_.survey.borders)))]
        map_.merge_areas([border.a, border.b])
    elif what in ("stretch", "snap"):
        inside = [area for area in areas if not any(_on(c, *e) for c in area.outline for e in line_edges(frame, True))]
        if inside and what == "stretch":
            area = inside[int(rng.integers(len(inside)))]
            map_.move(area.id, int(rng.integers(-60, 61)), int(rng.integers(-60, 61)), stretch=True)
        elif inside:
            map_.snap([area.id for area in inside], reach=0.1)


def _on(point: tuple[int, int], p: tuple[int, int], q: tuple[int, int]) -> bool:
    return on_borders(point, [Area(id="e", type="e", outline=(p, q, p))])


@given(seed=st.integers(0, 10**6), cuts=st.integers(1, 9))
@settings(max_examples=60, deadline=None)
def test_a_tiling_stays_one_and_every_step_can_be_taken_back(seed: int, cuts: int) -> None:
    rng = np.random.default_rng(seed)
    tiles = random_tiling(rng, cuts)
    frame_of(tiles)
    drawn: list[Feature] = [*tiles, *apertures_on(rng, tiles, 6)]
    map_ = map_of(drawn)
    texts, made = [map_.to_text()], 0
    for _ in range(10):
        try:
            change(map_, rng)
        except EditError:
            assert map_.to_text() == texts[-1]
            continue
        if map_.to_text() != texts[-1]:
            texts.append(map_.to_text())
            made += 1
        areas = areas_of(map_)
        frame_of(areas)
        for feature in map_.features.values():
            if isinstance(feature, Aperture):
                assert on_borders(feature.at, areas), feature
    assert map_.survey.state() == Survey(map_.model, RULES.survey_scheme).state()
    assert len(map_.history) == made
    for text in reversed(texts[:-1]):
        map_.undo()
        assert map_.to_text() == text
    while map_.can_redo:
        map_.redo()
    assert map_.to_text() == texts[-1]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=150, deadline=None)
def test_soundness_is_what_shapely_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def ring(count: int, low: int, high: int) -> tuple[tuple[int, int], ...]:
        return tuple((int(x), int(y)) for x, y in rng.integers(low, high, size=(count, 2)))

    holes = tuple(ring(3, 2, 11) for _ in range(int(rng.integers(3))))
    outline = ((0, 0), (12, 0), (12, 12), (0, 12)) if holes else ring(int(rng.integers(3, 7)), 0, 9)
    area = Area(id="a", type="room", outline=outline, holes=holes)
    polygon = shapely.Polygon(outline, holes)
    assert (area_fault(area) is None) == shapely.is_valid(polygon)
    if shapely.is_valid(polygon):
        for x, y in rng.integers(-1, 13, size=(20, 2)).tolist():
            point = shapely.Point(x, y)
            place = 1 if polygon.contains(point) else 0 if polygon.intersects(point) else -1
            assert place_in_area((x, y), area) == place


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_a_wall_along_borders_stays_along_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tiles = random_tiling(rng, 6)
    outlines = [tiles[int(number)].outline for number in rng.integers(len(tiles), size=3)]
    walls = [Wall(id=f"w{n}", type="partition", line=(*ring[n:], *ring[: n + 2])) for n, ring in enumerate(outlines)]
    drawn: list[Feature] = [*tiles, *walls]
    map_ = map_of(drawn)
    inner = {point for area in tiles for point in area.outline} - set(frame_of(tiles))
    for x, y in sorted(inner)[:6]:
        far = int(rng.choice([2, 60]))
        try:
            map_.move_vertex((x, y), (x + int(rng.integers(-far, far + 1)), y + int(rng.integers(-far, far + 1))))
        except EditError:
            continue
    areas = areas_of(map_)
    corners = {point for area in areas for point in area.outline}
    for name in ("w0", "w1", "w2"):
        wall = map_.features[name]
        assert isinstance(wall, Wall)
        for p, q in line_edges(wall.line, closed=False):
            middle = (p[0] + q[0], p[1] + q[1])
            doubled = [Area(id="d", type="d", outline=tuple((2 * x, 2 * y) for x, y in a.outline)) for a in areas]
            assert p in corners and q in corners and on_borders(middle, doubled), (name, p, q)


@given(seed=st.integers(0, 10**6))
@settings(max_examples=60, deadline=None)
def test_what_is_split_and_merged_again_is_what_it_was(seed: int) -> None:
    rng = np.random.default_rng(seed)
    tiles = random_tiling(rng, 5)
    map_ = map_of(tiles)
    area = tiles[int(rng.integers(len(tiles)))]
    corners = rng.choice(len(area.outline), size=2, replace=False).tolist()
    try:
        new = map_.split_area(area.id, [area.outline[corner] for corner in corners])
    except EditError:
        return
    map_.merge_areas([area.id, new])
    again = map_.features[area.id]
    assert isinstance(again, Area)
    assert shapely.Polygon(again.outline).equals(shapely.Polygon(area.outline))
    assert set(again.outline) <= set(area.outline)


# -- moving a corner -----------------------------------------------------------------------------------------------


def test_a_shared_corner_moves_both_with_walls_lines_and_what_lies_there() -> None:
    a, b = box("a", 0, 0, 480, 480), box("b", 480, 0, 960, 480)
    features: list[Feature] = [
        a,
        b,
        Wall(id="w", type="partition", line=((480, 0), (480, 480))),
        Contour(id="c", level=1, line=((480, 480), (700, 900))),
        Road(id="r", path=("0101", "0102"), line=((480, 240), (480, 480))),
        Aperture(id="door", type="aperture", at=(480, 480), into="a"),
        Place(id="roof", type="roof", name="roof", at=(480, 480)),
        Name(id="n", text="N", at=(480, 480)),
    ]
    map_ = map_of(features)
    changed = {edit.record["id"]: edit.record for edit in move_vertex(map_.features, (480, 480), (500, 470))}  # type: ignore[union-attr]
    assert set(changed) == {"a", "b", "w", "c", "r", "door", "roof"}
    assert changed["a"]["outline"][2] == changed["b"]["outline"][3] == changed["w"]["line"][1] == (500, 470)
    assert changed["c"]["line"][0] == changed["r"]["line"][1] == changed["door"]["at"] == changed["roof"]["at"]
    parted = move_vertex(map_.features, (480, 480), (500, 470), only=["a"])
    assert [edit.record["id"] for edit in parted] == ["a"]  # type: ignore[union-attr]


def test_where_a_border_ends_on_an_edge_the_edge_gets_the_corner() -> None:
    long, left, right = box("long", 0, 0, 960, 240), box("left", 0, 240, 480, 480), box("right", 480, 240, 960, 480)
    wall = Wall(id="w", type="outer_wall", line=((0, 240), (960, 240)))
    map_ = map_of([long, left, right, wall])
    map_.move_vertex((480, 240), (500, 200))
    areas = areas_of(map_)
    assert len(frame_of(areas)) == 7  # the corners of the frame, and the ends of the two borders on it
    assert (500, 200) in map_.features["long"].outline  # type: ignore[union-attr]
    assert map_.features["w"].line == ((0, 240), (500, 200), (960, 240))  # type: ignore[union-attr]


def test_the_far_end_of_an_edge_takes_neighbours_along_that_end_on_it() -> None:
    long, left, right = box("long", 0, 0, 960, 240), box("left", 0, 240, 480, 480), box("right", 480, 240, 960, 480)
    map_ = map_of([long, left, right])
    map_.move_vertex((960, 240), (960, 300))
    frame_of(areas_of(map_))
    assert (480, 240) in map_.features["long"].outline  # type: ignore[union-attr]


def test_an_aperture_stays_on_its_wall_at_its_place_of_it() -> None:
    a, b = box("a", 0, 0, 480, 480), box("b", 480, 0, 960, 480)
    door = Aperture(id="door", type="aperture", at=(480, 120), into="a")
    map_ = map_of([a, b, door, Aperture(id="far", type="aperture", at=(0, 7), into="a")])
    map_.move_vertex((480, 480), (487, 481))
    at = map_.features["door"].at  # type: ignore[union-attr]
    assert at == (482, 120)
    assert at in map_.features["a"].outline and at in map_.features["b"].outline  # type: ignore[union-attr]
    assert map_.features["far"].at == (0, 7)  # type: ignore[union-attr]
    frame_of(areas_of(map_))
    map_.undo()
    map_.move_vertex((480, 480), (484, 480))  # a quarter of the way is a point of the lattice: no corner is needed
    assert map_.features["door"].at == (481, 120)  # type: ignore[union-attr]
    assert len(map_.features["a"].outline) == 4  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("to", "why"),
    [
        ((-100, 700), "meets itself"),
        ((0, 0), "meets itself"),
        ((200, 200), "hole 1 does not lie inside"),
        ((480, 459), "dot does not lie inside"),
        ((-960, -960), "meets itself|inside out"),
    ],
)
def test_a_move_that_breaks_an_area_is_refused_and_names_it(to: tuple[int, int], why: str) -> None:
    hole = ((300, 300), (400, 300), (400, 400), (300, 400))
    area = Area(
        id="hall",
        type="room",
        name="12.1",
        outline=((0, 0), (960, 0), (960, 960), (500, 500), (0, 960)),
        holes=(hole,),
        dot=(480, 460),
    )
    point = (500, 500) if to != (-960, -960) else (960, 960)
    with pytest.raises(EditError, match=rf"room 12\.1 \(hall\) would no longer be sound: .*({why}).*Choose a point"):
        move_vertex(by_id(area), point, to)
    (edit,) = move_vertex(by_id(area), point, to, check=False)
    assert edit.record["id"] == "hall"  # type: ignore[union-attr]


def test_a_triangle_is_not_turned_inside_out() -> None:
    triangle = Area(id="t", type="room", outline=((0, 0), (960, 0), (480, 480)))
    with pytest.raises(EditError, match="turned inside out"):
        move_vertex(by_id(triangle), (480, 480), (480, -480))
    with pytest.raises(EditError, match="would have 2 corners left"):
        move_vertex(by_id(triangle), (480, 480), (960, 0))


def test_what_crossed_itself_before_may_be_mended_step_by_step() -> None:
    bow = Area(id="bow", type="room", outline=((0, 0), (480, 480), (480, 0), (0, 480)))
    (edit,) = move_vertex(by_id(bow), (0, 480), (100, 480))
    assert edit.record["outline"][3] == (100, 480)  # type: ignore[union-attr]


def test_where_nothing_is_the_nearest_corner_is_named() -> None:
    with pytest.raises(EditError, match=r"got the point \(7, 9\); .*the nearest corner is \(0, 0\)"):
        move_vertex(by_id(box("a", 0, 0, 480, 480)), (7, 9), (8, 8))
    with pytest.raises(EditError, match="the map has no outline"):
        move_vertex({}, (7, 9), (8, 8))


# -- inserting and deleting ----------------------------------------------------------------------------------------


def test_a_corner_is_inserted_for_everyone_on_the_edge() -> None:
    map_ = map_of([box("a", 0, 0, 480, 480), box("b", 480, 0, 960, 480)])
    assert map_.insert_vertex((490, 131)) == (480, 131)
    assert [len(area.outline) for area in areas_of(map_)] == [5, 5]
    assert map_.insert_vertex((480, 131)) == (480, 131)
    assert len(map_.history) == 1
    with pytest.raises(EditError, match="no edge runs through it"):
        map_.insert_vertex((240, 240))


def test_beside_the_lattice_the_corner_bends_the_edge_for_everyone() -> None:
    a = Area(id="a", type="room", outline=((0, 0), (97, 301), (0, 600)))
    b = Area(id="b", type="room", outline=((0, 0), (300, 0), (97, 301)))
    edits, at = insert_vertex(by_id(a, b), (50, 150), reach=100)
    assert at not in ((0, 0), (97, 301))
    changed: list[Any] = [edit.record for edit in edits]  # type: ignore[union-attr]
    assert all(at in record["outline"] for record in changed)
    assert len(changed) == 2


def test_a_corner_of_two_is_deleted_from_both_and_one_of_three_from_none() -> None:
    map_ = map_of([box("a", 0, 0, 480, 480), box("b", 480, 0, 960, 480), box("c", 0, 480, 960, 960)])
    map_.insert_vertex((480, 200))
    map_.move_vertex((480, 200), (520, 200))
    map_.delete_vertex((520, 200))
    assert [len(area.outline) for area in areas_of(map_)] == [4, 4, 4]
    with pytest.raises(EditError, match=r"3 borders meet at \(480, 480\), of room a, room b, room c"):
        map_.delete_vertex((480, 480))
    with pytest.raises(EditError, match="nothing has a corner there"):
        map_.delete_vertex((480, 200))
    with pytest.raises(EditError, match="would have 2 corners left"):
        delete_vertex(by_id(Area(id="t", type="room", outline=((0, 0), (9, 0), (9, 9)))), (9, 9))


def test_apertures_stay_on_the_wall_when_its_corner_goes() -> None:
    a = Area(id="a", type="room", outline=((0, 0), (480, 0), (600, 240), (480, 480), (0, 480)))
    doors = [
        Aperture(id=f"d{n}", type="aperture", at=at, into="a")
        for n, at in enumerate([(540, 120), (600, 240), (570, 300)])
    ]
    map_ = map_of([a, *doors])
    map_.delete_vertex((600, 240))
    places = [map_.features[door.id].at for door in doors]  # type: ignore[union-attr]
    assert places == [(480, 120), (480, 240), (480, 300)]
    assert len(map_.features["a"].outline) == 4  # type: ignore[union-attr]


# -- moving whole features -----------------------------------------------------------------------------------------


def house() -> list[Feature]:
    return [
        box("house", 0, 0, 960, 480, type="building", name="12"),
        box("one", 0, 0, 480, 480, name="12.1", within="house", dot=(100, 100)),
        box("two", 480, 0, 960, 480, name="12.2", within="house"),
        Place(id="roof", type="roof", name="12 roof", at=(480, 240), within="house"),
        Aperture(id="door", type="aperture", at=(960, 240), into="12.2"),
        Wall(id="inner", type="partition", line=((480, 0), (480, 480))),
        Name(id="inn", text="Inn", at=(200, 200)),
        box("next", 960, 0, 1440, 480, type="building", name="13"),
        Aperture(id="gate", type="aperture", at=(960, 100), into="13"),
        Name(id="far", text="Far", at=(1400, 900)),
        Link(id="l", type="roof_access", a="12.1", b="12 roof"),
        Marker(id="m", type="smoke", at="12.1", also=("12.2", "0505")),
    ]


def test_a_house_moves_with_all_that_is_in_it() -> None:
    edits = move_features(by_id(*house()), ["house"], 10, 20)
    assert [edit.record["id"] for edit in edits] == ["door", "house", "inn", "inner", "one", "roof", "two"]  # type: ignore[union-attr]
    one = next(edit.record for edit in edits if edit.record["id"] == "one")  # type: ignore[union-attr]
    assert one["outline"][0] == (10, 20) and one["dot"] == (110, 120)


def test_neighbours_stretch_along_or_part() -> None:
    map_ = map_of(house())
    map_.move("12", 10, 20, stretch=True)
    assert map_.features["next"].outline == ((970, 20), (1440, 0), (1440, 480), (970, 500))  # type: ignore[union-attr]
    assert map_.features["gate"].at == (970, 120)  # type: ignore[union-attr]
    map_.undo()
    map_.move("12", -10, 0)
    assert map_.features["next"].outline[0] == (960, 0)  # type: ignore[union-attr]
    assert map_.features["gate"].at == (960, 100)  # type: ignore[union-attr]


def test_what_cannot_be_moved_is_said() -> None:
    map_ = map_of(house())
    for ids, dx, match in (
        ("l", 1, "goes by labels"),
        ("nobody", 1, "no feature has the id or the label 'nobody'"),
        ([], 1, "got no feature"),
        ("house", 1.5, "whole number"),
        ("house", float("nan"), "whole number"),
        (7, 1, "give several"),
        ("house", 10**9, "far off the map"),
    ):
        with pytest.raises(EditError, match=match):
            map_.move(ids, dx, 0)  # type: ignore[arg-type]
    assert not map_.history


# -- splitting and merging -----------------------------------------------------------------------------------------


def test_a_room_is_split_and_everything_goes_to_the_half_that_holds_it() -> None:
    room = box("one", 0, 0, 480, 480, name="12.1", dot=(100, 100))
    below = box("below", 0, 480, 480, 960, name="12.3")
    right = box("right", 480, 0, 960, 480, name="12.2")
    features: list[Feature] = [
        room,
        below,
        right,
        Aperture(id="up", type="aperture", at=(0, 100), into="12.1"),
        Aperture(id="down", type="aperture", at=(0, 400), into="12.1"),
        Place(id="trap", type="roof", name="trap", at=(100, 400), within="one"),
        Link(id="stairs", type="roof_access", a="12.1", b="trap"),
        Link(id="below-door", type="roof_access", a="12.3", b="12.1"),
        Link(id="side-door", type="roof_access", a="12.1", b="12.2"),
        Marker(id="m", type="smoke", at="12.1"),
    ]
    map_ = map_of(features)
    new = map_.split_area("12.1", [(0, 240), (200, 260), (470, 240)])
    lower: Any = map_.features[new]
    assert (lower.name, lower.within, lower.dot) == ("12.1b", "", None)
    found: dict[str, Any] = map_.features
    assert found["one"].dot == (100, 100)
    assert (found["up"].into, found["down"].into) == ("12.1", "12.1b")
    assert (found["trap"].within, found["stairs"].a, found["below-door"].b) == (new, "12.1b", "12.1b")
    assert (found["side-door"].a, found["m"].at) == ("12.1", "12.1")
    assert (480, 240) in found["right"].outline  # the end was drawn to the border, and the neighbour has the corner
    assert len(map_.history) == 1
    frame_of(areas_of(map_))


def test_names_of_both_halves() -> None:
    map_ = map_of([box("z", 0, 0, 480, 480, name="4"), Link(id="l", type="roof_access", a="4", b="0505")])
    new = map_.split_area("z", [(0, 100), (480, 100)], ("4a", "4b"))
    found: dict[str, Any] = map_.features
    assert (found["z"].name, found[new].name, found["l"].a) == ("4a", "4b", "4a")
    assert found["z"].outline[0][1] == 100 or (480, 480) in found["z"].outline  # the larger half keeps the id
    with pytest.raises(EditError, match="'4b' is the label of"):
        map_.split_area("z", [(0, 200), (480, 200)], "4b")
    with pytest.raises(EditError, match="'0101' is the label of hex 0101"):
        map_.split_area("z", [(0, 200), (480, 200)], "0101")


def test_cuts_around_holes() -> None:
    ring = box("ring", 0, 0, 900, 900)
    hole = ((300, 300), (600, 300), (600, 600), (300, 600))
    ring = Area(id="ring", type="room", outline=ring.outline, holes=(hole,))
    yard = Area(id="yard", type="room", outline=hole)
    map_ = map_of([ring, yard])
    new = map_.split_area("ring", [(300, 300), (300, 200), (600, 200), (600, 300)])
    found: dict[str, Any] = map_.features
    assert len(found["ring"].holes) == 1 and not found[new].holes
    assert (doubled_area(found[new].outline) > 0) == (doubled_area(ring.outline) > 0)
    frame_of(areas_of(map_))
    map_.merge_areas(["ring", new, "yard"])
    assert set(found["ring"].outline) == set(ring.outline) and not found["ring"].holes
    with pytest.raises(EditError, match="joins two rings"):
        split_area(by_id(ring), "ring", [(0, 0), (300, 300)])
    upper, _ = split_area(by_id(ring), "ring", [(0, 100), (900, 100)])
    assert sorted(len(edit.record.get("holes", ())) for edit in upper) == [0, 1]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("line", "match"),
    [
        ([(0, 240)], "got 1 point"),
        ([(0, 240), (200, 200)], "not on its border"),
        ([(0, 240), (0, 240)], "ends where it begins"),
        ([(0, 240), (600, 240), (480, 300)], "meets its border"),
        ([(0, 240), (0, 300)], "meets its border|runs outside"),
        ([(0, 240), (300, 240), (300, 100), (200, 300), (480, 400)], "meets itself"),
        ([(0, 0), (-100, 240), (0, 480)], "runs outside"),
        ([(0, 100), (480, 100)], "cuts through room cupboard, which is part of it"),
    ],
)
def test_lines_that_cut_nothing_in_two(line: list[tuple[int, int]], match: str) -> None:
    features = by_id(box("a", 0, 0, 480, 480), box("cupboard", 50, 50, 150, 150, within="a"))
    with pytest.raises(EditError, match=match):
        split_area(features, "a", line)


def test_rooms_are_merged_with_all_that_was_theirs() -> None:
    features = house()
    features += [
        Aperture(id="between", type="aperture", at=(480, 40), into="12.2"),
        Link(id="pass", type="roof_access", a="12.1", b="12.2"),
        Link(id="up", type="roof_access", a="12.2", b="12 roof"),
        box("cupboard", 500, 100, 600, 200, within="two"),
    ]
    features = [feature for feature in features if feature.id != "inner"]
    map_ = map_of(features)
    assert map_.merge_areas(["12.1", "12.2"]) == "one"
    found: dict[str, Any] = map_.features
    assert set(found["one"].outline) == {(0, 0), (960, 0), (960, 480), (0, 480)}
    assert not {"two", "between", "pass", "up"} & set(found)  # 12.1 has a link to the roof already
    assert (found["l"].a, found["door"].into, found["cupboard"].within) == ("12.1", "12.1", "one")
    assert found["m"].also == ("12.1", "0505")
    map_.undo()
    map_.merge_areas(["12.1", "12.2"], name="12.9")
    assert (found["l"].a, found["one"].name) == ("12.9", "12.9")


def test_a_hole_that_touches_the_outline_is_kept_and_a_corner_in_common_is_no_border() -> None:
    c_shape = Area(
        id="c",
        type="room",
        outline=((0, 0), (900, 0), (900, 900), (300, 900), (300, 600), (600, 600), (600, 300), (0, 300)),
    )
    rest = Area(id="d", type="room", outline=((0, 300), (300, 300), (300, 600), (300, 900), (0, 900)))
    whole = [edit.record for edit in merge_areas(by_id(c_shape, rest), ["c", "d"]) if hasattr(edit, "record")]
    assert (
        len(whole) == 1
        and len(whole[0]["holes"]) == 1
        and set(whole[0]["holes"][0]) == {(300, 300), (600, 300), (600, 600), (300, 600)}
    )
    with pytest.raises(EditError, match="do not share borders"):
        merge_areas(by_id(box("a", 0, 0, 9, 9), box("b", 9, 9, 20, 20)), ["a", "b"])
    with pytest.raises(EditError, match="lie over each other"):
        merge_areas(by_id(box("a", 0, 0, 9, 9), box("b", 0, 0, 5, 5)), ["a", "b"])
    with pytest.raises(EditError, match="lie over each other"):
        merge_areas(by_id(box("a", 0, 0, 9, 9), box("b", 5, 0, 15, 9)), ["a", "b"])
    with pytest.raises(EditError, match="got 1 area"):
        merge_areas(by_id(box("a", 0, 0, 9, 9)), ["a", "a"])


def test_the_half_with_the_dot_keeps_the_id_though_it_is_the_smaller() -> None:
    hole = ((300, 300), (300, 600), (600, 600), (600, 300))
    ring = Area(
        id="ring", type="room", name="7", outline=box("x", 0, 0, 900, 900).outline, holes=(hole,), dot=(450, 250)
    )
    edits, new = split_area(by_id(ring), "ring", [(300, 300), (300, 200), (600, 200), (600, 300)])
    found = {edit.record["id"]: edit.record for edit in edits}  # type: ignore[union-attr]
    assert found["ring"]["dot"] == (450, 250) and found["ring"]["holes"] == ()
    assert (found[new]["dot"], found[new]["name"], len(found[new]["holes"])) == (None, "7b", 1)


# -- snapping, names, corners --------------------------------------------------------------------------------------


def test_corners_snap_to_hexes_and_to_each_other() -> None:
    loose = Area(id="loose", type="room", outline=((485, 243), (959, 8), (1190, 250), (950, 470)))
    map_ = map_of([loose, Area(id="other", type="room", outline=((485, 243), (100, 100), (100, 400)))])
    map_.snap("loose", ("centres",), reach=0.05)
    assert map_.features["loose"].outline[0] == map_.features["other"].outline[0] == (480, 240)  # type: ignore[union-attr]
    map_.undo()
    map_.snap(["loose"], ("corners",), reach=0.05)
    assert (960, 240) not in map_.features["loose"].outline  # type: ignore[union-attr]
    map_.undo()
    map_.snap(["other"], ("vertices",), reach=0.01)
    assert not map_.can_undo
    for to, reach, match in (
        (("edges",), 0.1, "allowed"),
        ("edges", 0.1, "allowed"),
        (7, 0.1, "allowed"),
        (("corners",), -1, "distance"),
    ):
        with pytest.raises(EditError, match=match):
            map_.snap("loose", to, reach=reach)  # type: ignore[arg-type]


def test_two_outlines_drawn_a_little_apart_are_joined_at_their_corners() -> None:
    map_ = map_of(
        [box("a", 0, 0, 480, 480), Area(id="b", type="room", outline=((483, 2), (960, 0), (960, 480), (478, 483)))]
    )
    assert not map_.survey.borders
    map_.snap("b", ("vertices",), reach=0.02)
    assert [(border.a, border.b) for border in map_.survey.borders] == [("a", "b")]


def test_a_location_is_renamed_wherever_it_is_named() -> None:
    map_ = map_of(house())
    map_.rename("12.1", "12.A")
    found: dict[str, Any] = map_.features
    assert (found["one"].name, found["l"].a, found["m"].at) == ("12.A", "12.A", "12.A")
    map_.rename("two", "12.B")
    assert (found["door"].into, found["m"].also) == ("12.B", ("12.B", "0505"))
    assert len(map_.history) == 2
    for name, new, match in (
        ("12.A", "12.B", r"'12\.B' is the label of two"),
        ("12.A", "0303", "the label of hex 0303"),
        ("12.A", "0303 road", "the label of hex 0303"),
        ("12.A", "", "as a text"),
        ("12.A", 7, "as a text"),
        ("door", "x", "no area and no place"),
        ("attic", "x", "'attic'"),
    ):
        with pytest.raises(EditError, match=match):
            map_.rename(name, new)  # type: ignore[arg-type]


def test_corners_near_a_point() -> None:
    map_ = map_of([box("a", 0, 0, 480, 480), box("b", 480, 0, 960, 480)])
    assert len(map_.vertices()) == 6
    first = map_.vertices(near=(470, 470))[0]
    assert (first.point, first.features) == ((480, 480), ("a", "b"))
    assert [one.point for one in map_.vertices(near="0101", reach=0.51)] == [(480, 0), (480, 480)]
    for point in ("9999", [1, 2, 3], (0.5, 1), (float("nan"), 0), None, (True, 1)):
        with pytest.raises(ValueError):
            map_.move_vertex(point, (1, 1))  # type: ignore[arg-type]


def test_lines_that_meet_themselves() -> None:
    assert line_fault(((0, 0), (9, 9), (9, 0), (0, 9)), closed=False) == (0, 0)
    assert line_fault(((0, 0), (9, 0), (4, 0)), closed=False) == (4, 0)
    assert line_fault(((0, 0), (9, 0), (9, 9)), closed=False) is None
    assert line_fault(((0, 0), (0, 0), (9, 9)), closed=True) == (0, 0)
