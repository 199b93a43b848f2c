"""Rows and columns added and removed: everything stays on its hex, and undo is equal to the byte."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from studio.errors import EditError, GridError
from studio.files import write_map_text
from studio.grid import Axis, HexGrid, LabelScheme
from studio.model import (
    Area,
    Backdrop,
    Batch,
    Change,
    ControlPoint,
    Edit,
    Georeference,
    History,
    MapModel,
    Paint,
    Put,
    Resize,
    Restore,
    SetSide,
    feature_points,
)
from studio.model.sizing import plan_resize
from studio.model.sizing.cutting import Nodes, cut_line
from studio.rules import get_ruleset
from studio.survey import Survey, SurveyScheme
from tests.model.tilings import frame_of, random_tiling

RULES = get_ruleset("armageddon_war")
SCHEME = SurveyScheme(location_areas=frozenset({"structure"}), places=True, road_in=frozenset({"structure"}))
TERRAINS = list(RULES.terrain_characters)

NUMBERS = Axis(pad=3)
SCHEMES = [
    LabelScheme.ccrr(),
    LabelScheme.ccrr(start=5, pad=3),
    LabelScheme(columns=NUMBERS, rows=NUMBERS, staggered_start=0, separator="."),
    LabelScheme(columns=NUMBERS, rows=NUMBERS, slant=1, separator="."),
    LabelScheme(columns=NUMBERS, rows=NUMBERS, slant=-1, separator="-", staggered_start=3),
    LabelScheme(columns=Axis(descending=True), rows=Axis(descending=True, start=4), separator="/", order="row_first"),
    LabelScheme(columns=Axis(style="letters", start=4, skip=("F", "I")), rows=Axis(start=3, skip=("5",))),
]


def model_of(scheme: LabelScheme | None = None, **grid: Any) -> MapModel:
    made = MapModel(RULES.id, HexGrid(**grid), scheme or LabelScheme.ccrr(), RULES.terrain_characters)
    made.georeference = Georeference(crs="EPSG:32637", affine=(2.0, 0.5, 100.0, -0.25, 3.0, -40.0))
    return made


@st.composite
def models(draw: st.DrawFn) -> MapModel:
    """A small map of any shape, with something of everything on it."""
    scheme, numbers = draw(st.sampled_from(SCHEMES)), np.random.default_rng(draw(st.integers(0, 10**6)))
    half = draw(st.lists(st.sampled_from(["top", "bottom", "left", "right"]), unique=True, max_size=2))
    try:
        model = model_of(
            scheme,
            columns=draw(st.integers(1, 7)),
            rows=draw(st.integers(1, 7)),
            orientation=draw(st.sampled_from(["flat", "pointy"])),
            stagger=draw(st.sampled_from(["odd", "even"])),
            short=draw(st.booleans()),
            half=tuple(half),
        )
    except GridError:
        model = model_of(columns=4, rows=4)
    there = np.flatnonzero(model.grid.present)
    model.terrain.flat[there] = numbers.integers(0, len(TERRAINS), len(there))
    model.levels.flat[there] = numbers.integers(-1, 3, len(there))
    for number in range(30):
        record = record_on(model, numbers, number)
        if record is not None:
            model.perform(record)
    label = model.labels.label(int(numbers.choice(there)))
    points = (ControlPoint(name="1", pixel=(5, 5), at=label), ControlPoint(name="2", pixel=(9, 7), point=(480, 240)))
    model.backdrop = Backdrop(file="scan.png", size=(100, 80), points=points)
    return model


KINDS = ["side", "road", "crest", "contour", "name", "marker", "area", "place", "wall", "aperture", "link", "dot"]


def record_on(model: MapModel, numbers: np.random.Generator, number: int) -> Edit | None:
    """Return an edit that draws something at random."""
    grid, labels = model.grid, model.labels
    there = np.flatnonzero(grid.present)

    def cell() -> int:
        return int(numbers.choice(there))

    def point() -> list[int]:
        x, y = grid.centre(cell())
        return [x + int(numbers.integers(-400, 400)), y + int(numbers.integers(-400, 400))]

    def walk() -> list[str]:
        path = [cell()]
        for _ in range(int(numbers.integers(0, 6))):
            path.append(int(numbers.choice(grid.neighbours(path[-1]) or [path[-1]])))
        return [labels.label(one) for one, two in pairwise([*path, -1]) if one != two]

    named = [one.name for one in model.features.values() if getattr(one, "type", "") == "structure" and one.name]  # type: ignore[union-attr]
    kind = str(numbers.choice(KINDS))
    fields: dict[str, Any]
    match kind:
        case "side":
            a = cell()
            around = grid.neighbours(a)
            return SetSide(a=a, b=int(numbers.choice(around)), kinds=("fence",)) if around else None
        case "road" | "crest":
            fields = {"path": walk()}
            if kind == "road" and numbers.random() < 0.4:
                fields["line"] = [list(grid.centre(labels.cell(one))) for one in fields["path"]]
                fields["line"].append([fields["line"][-1][0] + 100, fields["line"][-1][1] + 50])
        case "contour" | "wall":
            line = [point() for _ in range(int(numbers.integers(2, 6)))]
            line += [line[0]] if numbers.random() < 0.4 else []
            fields = {"line": line, **({"level": 1} if kind == "contour" else {"type": "wall"})}
        case "name":
            fields = {"text": "Bir", "at": point()}
        case "marker":
            at = str(numbers.choice(named)) if named and numbers.random() < 0.3 else labels.label(cell())
            fields = {"type": "smoke", "at": at, "also": [labels.label(cell())]}
        case "area":
            (x, y), wide, high = point(), int(numbers.integers(50, 900)), int(numbers.integers(50, 900))
            outline = [[x, y], [x + wide, y + 37], [x + wide + 61, y + high], [x - 23, y + high - 9]]
            fields = {"type": "structure", "outline": outline, "name": f"Farm {number}"}
        case "place":
            inside = [one.id for one in model.features.values() if isinstance(one, Area)]
            fields = {"type": "roof", "name": f"Roof {number}", "at": point(), "within": inside[0] if inside else ""}
        case "aperture":
            fields = {"type": "door", "at": point(), "into": labels.label(cell()), "arrows": [[labels.label(cell())]]}
        case "link":
            ends = [labels.label(cell()), str(numbers.choice(named)) if named else labels.label(cell())]
            fields = {"type": "stairs", "a": ends[0], "b": ends[1]}
        case _:
            at = cell()
            fields = {"at": labels.label(at), "point": list(grid.centre(at))}
    return Put(collection="features", record={"kind": kind, "id": f"{kind}-{number}", **fields})


sizes = st.integers(-3, 3)
resizes = st.builds(
    Resize,
    left=sizes,
    right=sizes,
    top=sizes,
    bottom=sizes,
    terrain=st.sampled_from(["", "marsh"]),
    labels=st.sampled_from(["renumber", "keep"]),
)
growths = st.builds(Resize, left=st.integers(0, 3), right=st.integers(0, 3), top=st.integers(0, 3), bottom=sizes)


def tried(model: MapModel, edit: Edit) -> tuple[Edit, Change] | None:
    """Make an edit where it is allowed; one that is refused leaves the map as it was."""
    before = write_map_text(model)
    try:
        return model.perform(edit)
    except EditError:
        assert write_map_text(model) == before
        return None


# -- where everything is, told by the world and not by cells ----------------------------------------------------------


def world(model: MapModel, point: tuple[float, float]) -> tuple[float, float]:
    assert model.georeference is not None
    a, b, c, d, e, f = model.georeference.affine
    x, y = model.grid.to_map(*point)
    return round(a * x + b * y + c, 5) + 0.0, round(d * x + e * y + f, 5) + 0.0


def hexes(model: MapModel) -> dict[tuple[float, float], tuple[str, int, str]]:
    """Terrain, level and label of every hex by its place in the world."""
    cells = np.flatnonzero(model.grid.present).tolist()
    return {
        world(model, model.grid.centre(cell)): (model.terrain_at(cell), model.level_at(cell), model.labels.label(cell))
        for cell in cells
    }


def sides(model: MapModel) -> dict[frozenset[tuple[float, float]], tuple[str, ...]]:
    centre = model.grid.centre
    return {
        frozenset({world(model, centre(a)), world(model, centre(b))}): kinds for (a, b), kinds in model.sides.items()
    }


def drawn(model: MapModel, feature: Any) -> list[Any]:
    """All that a feature says of places: its points, and its labels as the middles of their hexes."""
    found: list[Any] = [world(model, point) for _, point in feature_points(feature)]
    record = msgspec.to_builtins(feature)
    for field in ("path", "at", "also", "into", "arrows", "a", "b"):
        stack = [record.get(field)]
        while stack:
            one = stack.pop()
            if isinstance(one, str):
                cell = model.labels.find(one)
                found.append(one if cell is None else world(model, model.grid.centre(cell)))
            elif isinstance(one, list | tuple):
                stack += one
    return found


@settings(max_examples=150)
@given(model=models(), edit=resizes)
def test_what_stays_stays_where_it_is_in_the_world(model: MapModel, edit: Resize) -> None:
    old, old_sides = hexes(model), sides(model)
    old_features = {name: drawn(model, one) for name, one in model.features.items()}
    done = tried(model, edit)
    if done is None:
        return
    new, new_sides = hexes(model), sides(model)
    shared = set(old) & set(new)
    assert shared
    assert {place: old[place][:2] for place in shared} == {place: new[place][:2] for place in shared}
    assert {new[place][:2] for place in set(new) - shared} <= {(edit.terrain or TERRAINS[0], 0)}
    if edit.labels == "keep":
        assert {place: old[place][2] for place in shared} == {place: new[place][2] for place in shared}
    assert new_sides == {side: kinds for side, kinds in old_sides.items() if side <= shared}
    lost = plan_back(done)
    for name, one in model.features.items():
        if name in old_features and name not in lost:
            assert drawn(model, one) == old_features[name]
    assert set(old_features) - set(model.features) <= lost
    assert_sound(model)


def plan_back(done: tuple[Edit, Change]) -> set[str]:
    """Return the ids of the features that an edit of the size took away or cut, by comparing both states."""
    inverse, change = done
    assert isinstance(inverse, Restore)
    before = MapModel(RULES.id, inverse.grid, inverse.labels, RULES.terrain_characters)
    before.perform(inverse)
    assert isinstance(change.edit, Resize)
    losses = plan_resize(before, change.edit).losses
    return {*losses.features, *losses.cut}


def assert_sound(model: MapModel) -> None:
    """Every hex has one label, and everything that is drawn fits the map."""
    cells = np.flatnonzero(model.grid.present).tolist()
    assert [model.labels.find(model.labels.label(cell)) for cell in cells] == cells
    for feature in model.features.values():
        model.check_feature(feature)
        if isinstance(feature, Area):
            assert shapely.Polygon(feature.outline, feature.holes).is_valid


@given(model=models(), edit=growths)
def test_a_map_that_only_grows_loses_nothing(model: MapModel, edit: Resize) -> None:
    grown = msgspec.structs.replace(edit, bottom=abs(edit.bottom))
    before = dict(model.features)
    done = tried(model, grown)
    if done is not None:
        assert done[1].lost == ()
        assert set(model.features) == set(before)


@settings(max_examples=60)
@given(model=models(), data=st.data())
def test_sizes_paint_undo_and_redo_lead_through_the_same_states_to_the_byte(
    model: MapModel, data: st.DataObject
) -> None:
    history, survey, numbers = History(model), Survey(model, SCHEME), np.random.default_rng(5)
    states = [write_map_text(model)]
    for number in range(8):
        what = data.draw(st.sampled_from(["size", "size", "paint", "draw", "undo", "redo"]))
        change = None
        if what in ("undo", "redo"):
            change = history.undo() if what == "undo" else history.redo()
        else:
            edit = {
                "size": lambda: data.draw(resizes),
                "paint": lambda: Paint(plane="levels", cells=[int(np.flatnonzero(model.grid.present)[0])], values=[3]),
                "draw": lambda number=number: record_on(model, numbers, 100 + number),
            }[what]()
            try:
                change = history.apply(edit) if edit is not None else None
            except EditError:
                change = None
            if change is not None:
                del states[history.position[0] :]
                states.append(write_map_text(model))
        if change is not None:
            survey.update(change)
        assert write_map_text(model) == states[history.position[0]]
        assert survey.state() == Survey(model, SCHEME).state()
    while (change := history.undo()) is not None:
        survey.update(change)
        assert write_map_text(model) == states[history.position[0]]
    assert survey.state() == Survey(model, SCHEME).state()
    while history.redo() is not None:
        assert write_map_text(model) == states[history.position[0]]


@given(model=models(), edit=resizes)
def test_the_way_back_survives_json_and_is_exact(model: MapModel, edit: Resize) -> None:
    before = write_map_text(model)
    done = tried(model, edit)
    if done is None:
        return
    after = write_map_text(model)
    back = msgspec.json.decode(msgspec.json.encode(done[0]), type=Edit)
    assert back == done[0]
    again, _ = model.perform(back)
    assert write_map_text(model) == before
    model.perform(again)
    assert write_map_text(model) == after


# -- labels ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", SCHEMES, ids=range(len(SCHEMES)))
@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("short", [False, True])
def test_every_scheme_can_keep_its_labels(scheme: LabelScheme, orientation: str, short: bool) -> None:
    for left, top in ((1, 0), (2, 1), (-1, -2), (0, 1), (-2, 2), (1, -1)):
        model = model_of(scheme, columns=7, rows=7, orientation=orientation, short=short)
        model.perform(Resize(right=1, bottom=1))
        old = hexes(model)
        try:
            model.perform(Resize(left=left, top=top, right=-1, labels="keep"))
        except EditError as error:
            # Skipped texts leave holes in staggered rows; nothing else may stand in the way of one row or column.
            assert "cannot be kept" in str(error)
            assert scheme.columns.skip or "staggered" in str(error)
            continue
        new = hexes(model)
        assert all(old[place][2] == new[place][2] for place in set(old) & set(new))


def test_labels_that_cannot_be_kept_are_refused_with_the_reason() -> None:
    model = model_of(LabelScheme.lettered(), columns=4, rows=4)
    with pytest.raises(EditError, match=r"none comes before A.*renumber"):
        model.perform(Resize(left=1, labels="keep"))
    model.perform(Resize(left=-1, labels="keep"))
    assert model.labels.label(0) == "B1"


def test_rows_that_begin_staggered_keep_their_numbers_when_a_column_comes_before_them() -> None:
    model = model_of(LabelScheme.lettered(staggered_start=0), columns=4, rows=4, stagger="even")
    assert [model.labels.label(cell) for cell in (0, 1)] == ["A1", "B0"]
    old = hexes(model)
    model.perform(Resize(left=1))
    new = hexes(model)
    assert [model.labels.label(cell) for cell in (0, 1, 2)] == ["A0", "B1", "C0"]
    assert all(old[place][2][1:] == new[place][2][1:] for place in old)


def test_digits_that_run_into_each_other_are_refused_with_a_remedy() -> None:
    model = model_of(columns=99, rows=99)
    with pytest.raises(EditError, match=r"read in two ways.*pad"):
        model.perform(Resize(right=1, bottom=1))


# -- refusals ----------------------------------------------------------------------------------------------------------

REFUSED: list[tuple[Edit, str]] = [
    (Resize(), "no columns and no rows"),
    (Resize(left=-6), "6 of 6 columns would go"),
    (Resize(left=-3, right=-3), "6 of 6 columns would go"),
    (Resize(top=-5, bottom=1), "5 of 5 rows would go"),
    (Resize(right=1995), "2001 columns, allowed 2000"),
    (Resize(right=10**9), "allowed -2000 to 2000"),
    (Resize(left=1, terrain="lava"), "unknown terrain 'lava'"),
    (Batch(title="both", edits=[Resize(left=1)]), "a step of their own"),
]


@pytest.mark.parametrize(("edit", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_a_refused_size_changes_nothing(edit: Edit, words: str) -> None:
    model = model_of(columns=6, rows=5)
    before = write_map_text(model)
    with pytest.raises(EditError, match=words):
        model.perform(edit)
    assert write_map_text(model) == before


def test_the_largest_map_is_allowed() -> None:
    model = model_of(LabelScheme.ccrr(pad=4), columns=1999, rows=3)
    model.perform(Resize(left=1))
    assert (model.grid.columns, model.grid.stagger) == (2000, "even")


def test_a_place_is_not_mistaken_for_a_new_hex() -> None:
    model = model_of(columns=4, rows=4)
    place = {"kind": "place", "id": "box", "type": "box", "name": "0505", "at": [500, 500]}
    model.perform(Put(collection="features", record=place))
    with pytest.raises(EditError, match=r"'0505'.*a hex would bear it.*rename"):
        model.perform(Resize(right=1, bottom=1))
    model.perform(Resize(right=1))


def test_an_area_that_crosses_itself_is_refused_only_where_it_is_cut() -> None:
    model = model_of(columns=6, rows=5)
    bow = {"kind": "area", "id": "bow", "type": "hill", "outline": [[600, 600], [1500, 1200], [1500, 600], [600, 1200]]}
    model.perform(Put(collection="features", record=bow))
    with pytest.raises(EditError, match=r"bow .*crosses itself.*Remedy"):
        model.perform(Resize(left=-1))
    model.perform(Resize(right=-1))


# -- cutting -----------------------------------------------------------------------------------------------------------


@settings(max_examples=80)
@given(seed=st.integers(0, 10**6), cuts=st.integers(1, 12), left=st.integers(0, 2), top=st.integers(0, 2))
def test_areas_that_share_borders_share_them_at_the_new_edge(seed: int, cuts: int, left: int, top: int) -> None:
    if not left and not top:
        left = 1
    model = model_of(columns=6, rows=7, half=("top", "bottom", "left", "right"))
    x0, y0, _, _ = model.grid.frame
    # Straight edges all round, so that the whole frame is covered by hexes and every piece lies on some.
    away = (720 + x0, 240 + y0)
    tiles = random_tiling(np.random.default_rng(seed), cuts)
    for tile in tiles:
        outline = tuple((x + away[0], y + away[1]) for x, y in tile.outline)
        model.features[tile.id] = msgspec.structs.replace(tile, outline=outline)
    assert frame_of([one for one in model.features.values() if isinstance(one, Area)])
    try:
        model.perform(Resize(left=-left, top=-top))
    except EditError as error:
        # Where an edge cuts off a tip that is narrower than the lattice, the area is named and nothing is done.
        assert "narrower at the edge than the lattice" in str(error)
        reject()
    areas = [one for one in model.features.values() if isinstance(one, Area)]
    ring = frame_of(areas)  # proves that they tile what lies inside it
    nx, ny, _, _ = model.grid.frame
    low = max(nx, away[0] - 720 * left), max(ny, away[1] - 480 * top)
    high = away[0] - 720 * left + 1440, away[1] - 480 * top + 1200
    assert shapely.Polygon(ring).equals(shapely.box(*low, *high))


@given(
    points=st.lists(st.tuples(st.integers(-50, 150), st.integers(-50, 150)), min_size=2, max_size=8),
    closed=st.booleans(),
)
def test_a_cut_line_is_what_a_box_leaves_of_it(points: list[tuple[int, int]], closed: bool) -> None:
    line = [*points, points[0]] if closed else points
    box = (0, 0, 100, 100)
    pieces = cut_line(line, box, Nodes([]))
    for piece in pieces:
        assert len(piece) > 1
        assert shapely.box(*box).covers(shapely.LineString(piece))
    inside = shapely.intersection(shapely.unary_union(shapely.LineString(line)), shapely.box(*box))
    exact = [part for part in shapely.get_parts(inside) if part.length]  # what touches the box in a point is no piece
    found = shapely.union_all([shapely.LineString(piece) for piece in pieces])
    # Ends at the edge are rounded to the lattice, by half a unit; what is no longer than that may vanish.
    assert not pieces or shapely.buffer(shapely.union_all(exact), 1).covers(found)
    assert all(shapely.buffer(found, 1).covers(part) for part in exact if part.length > 1.5)


def test_a_closed_contour_stays_in_one_piece_where_it_begins() -> None:
    square = [(20, 20), (180, 20), (180, 80), (20, 80), (20, 20)]
    assert cut_line(square, (0, 0, 100, 100), Nodes([])) == [((100, 80), (20, 80), (20, 20), (100, 20))]


def test_a_road_is_cut_into_pieces_and_the_first_keeps_its_id() -> None:
    model = model_of(columns=5, rows=5)
    path = ["0203", "0103", "0202", "0302", "0201", "0102", "0103", "0202"]
    model.perform(Put(collection="features", record={"kind": "road", "id": "road-1", "path": path}))
    model.perform(Resize(left=-1))
    roads: Any = {name: one.path for name, one in model.features.items()}  # type: ignore[union-attr]
    assert roads == {"road-1": ("0103",), "road-2": ("0102", "0202", "0101"), "road-3": ("0102",)}


def test_everything_of_an_area_goes_with_it() -> None:
    model = model_of(columns=8, rows=6)
    records: list[dict[str, Any]] = [
        {"kind": "area", "id": "a", "type": "structure", "name": "Farm", "outline": [[60, 60], [300, 60], [300, 300]]},
        {"kind": "link", "id": "l", "type": "stairs", "a": "Farm", "b": "0404"},
        {"kind": "marker", "id": "m", "type": "smoke", "at": "0505", "also": ["0404", "Farm"]},
        {"kind": "aperture", "id": "d", "type": "door", "at": [2000, 1200], "into": "Farm"},
        {"kind": "place", "id": "p", "type": "roof", "name": "Tower", "at": [2000, 1200], "within": "a"},
    ]
    for record in records:
        model.perform(Put(collection="features", record=record))
    before = write_map_text(model)
    inverse, change = model.perform(Resize(left=-1))
    assert set(model.features) == {"m", "p"}
    assert model.features["m"].also == ("0304",)  # type: ignore[union-attr]
    assert model.features["p"].within == ""  # type: ignore[union-attr]
    assert "3 features removed: a, d, l" in change.lost
    assert any("p: a, which it was part of, is gone" in line for line in change.lost)
    assert change.moved is not None
    assert change.moved.label("Farm") is None
    model.perform(inverse)
    assert write_map_text(model) == before


def test_an_area_in_two_pieces_keeps_id_and_dot_in_the_piece_with_the_dot() -> None:
    model = model_of(columns=8, rows=8, half=("left",))
    x0 = 720 + 480  # the new edge
    outline = [[x0 - 300, 600], [x0 + 900, 600], [x0 + 900, 900], [x0 - 100, 900]]
    outline += [[x0 - 100, 1500], [x0 + 300, 1500], [x0 + 300, 1900], [x0 - 300, 1900]]
    record = {"kind": "area", "id": "u", "type": "hill", "name": "Tell", "outline": outline, "dot": [x0 + 100, 1700]}
    model.perform(Put(collection="features", record=record))
    room = {"kind": "place", "id": "p", "type": "roof", "name": "R", "at": [x0 + 800, 700], "within": "u"}
    model.perform(Put(collection="features", record=room))
    model.perform(Resize(left=-1))
    u: Any = model.features["u"]
    other: Any = model.features["area-1"]
    assert u.dot is not None and shapely.Polygon(u.outline).covers(shapely.Point(u.dot))
    assert (other.name, other.dot) == ("Tell", None)
    assert shapely.Polygon(u.outline).area == 300 * 400
    assert model.features["p"].within == "area-1"  # type: ignore[union-attr]


def test_a_control_point_stays_where_its_hex_was() -> None:
    model = model_of(columns=5, rows=5)
    model.backdrop = Backdrop(
        file="scan.png",
        size=(10, 10),
        points=(ControlPoint(name="1", pixel=(1, 1), at="0101"), ControlPoint(name="2", pixel=(2, 2), at="0303")),
    )
    model.perform(Resize(left=-1))
    assert [(one.at, one.point) for one in model.backdrop.points] == [("", (480 - 720, 240)), ("0203", None)]


# -- a state that comes from a file ------------------------------------------------------------------------------------


def test_a_state_that_does_not_fit_is_refused() -> None:
    model = model_of(columns=3, rows=3)
    inverse, _ = model.perform(Resize(left=1))
    assert isinstance(inverse, Restore)
    before = write_map_text(model)
    for change, words in (
        ({"terrain": b"\0" * 8}, "8 bytes for 9"),
        ({"levels": b""}, "0 bytes for 9"),
        ({"terrain": b"\xff" * 9}, "terrain code 255"),
        ({"terrain_ids": ["lava"]}, "lava"),
        ({"sides": [(0, 8, ("fence",))]}, "no hexside"),
        ({"features": [Area(id="a", type="b", outline=((0, 0), (5, 0), (5, 5)))] * 2}, "one id"),
    ):
        with pytest.raises(EditError, match=words):
            model.perform(msgspec.structs.replace(inverse, **change))  # type: ignore[arg-type]
        assert write_map_text(model) == before
