"""Set-up areas on the map alone: each condition as the plain definition has it, on maps of all shapes."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import studio
from studio.api import Map, open_map
from studio.errors import LabelError, UnknownNameError
from studio.grid import HALF, HexGrid
from studio.model import Distance, Paint, Put, SetUp
from studio.survey import FAR, Survey, area_cells, hexes_beside, hexes_from, on_edge
from tests.checks.makers import district, town

DIRECTIONS = ("north", "east", "south", "west")

grids = st.builds(
    HexGrid,
    columns=st.integers(2, 7),
    rows=st.integers(2, 6),
    orientation=st.sampled_from(["flat", "pointy"]),
    stagger=st.sampled_from(["odd", "even"]),
    short=st.booleans(),
)


def survey_of(grid: HexGrid) -> Survey:
    made = studio.new_map(
        "armageddon_war",
        columns=grid.columns,
        rows=grid.rows,
        orientation=grid.orientation,
        stagger=grid.stagger,
        short=grid.short,
    )
    return made.survey


def slow_beside(grid: HexGrid, cell: int, targets: Iterable[int], direction: str) -> bool:
    """Tell whether a hex lies on a side of others, straight from the definition."""
    along, across = (0, 1) if direction in ("east", "west") else (1, 0)
    sign = 1 if direction in ("east", "south") else -1
    some = set(targets)
    if not some or cell in some:
        return False
    here = grid.centre(cell)
    # Hexes of one column share their x, those of one row of a staggered grid lie up to half a hex apart.
    reach = HALF if (direction in ("east", "west")) == grid.flat else 0
    off = {one: abs(grid.centre(one)[across] - here[across]) for one in some}
    row = [one for one in some if off[one] <= reach] or [one for one in some if off[one] == min(off.values())]
    gap = min(abs(grid.centre(one)[along] - here[along]) for one in row)
    sides = {
        np.sign((here[along] - grid.centre(one)[along]) * sign)
        for one in row
        if abs(grid.centre(one)[along] - here[along]) == gap
    }
    return sides == {1}


@settings(max_examples=60)
@given(grid=grids, data=st.data())
def test_distances_and_sides_equal_their_definitions(grid: HexGrid, data: st.DataObject) -> None:
    survey = survey_of(grid)
    cells = np.flatnonzero(survey.grid.present).tolist()
    some = data.draw(st.sets(st.sampled_from(cells), max_size=6))
    mask = np.zeros(survey.grid.cells, dtype=bool)
    mask[list(some)] = True
    expected = [min((grid.distance(cell, one) for one in some), default=FAR) for cell in range(grid.cells)]
    assert hexes_from(survey, mask).tolist() == expected
    for direction in DIRECTIONS:
        found = set(np.flatnonzero(hexes_beside(survey, mask, direction)).tolist())
        assert found & set(cells) == {cell for cell in cells if slow_beside(survey.grid, cell, some, direction)}


# -- all conditions together -------------------------------------------------------------------------------------------


def slow_area(made: Map, where: SetUp, in_play: Iterable[int]) -> set[int]:
    """Return the hexes of a set-up area one by one, each condition on its own."""
    own = SetUp(also=where.also, text=where.text) != where
    found = {cell for cell in in_play if _fits(made, where, cell)} if own or not where.also else set()
    for other in where.also:
        found |= slow_area(made, other, in_play)
    return found


def _fits(made: Map, where: SetUp, cell: int) -> bool:
    labels, grid, model = made.labels, made.grid, made.model
    columns, rows = labels.column_texts, labels.row_texts
    column, row = labels.texts(cell)
    named = [labels.cell(text) for text in where.hexes]
    tests = [
        not named or min(grid.distance(cell, one) for one in named) <= where.within,
        not where.terrain or model.terrain_at(cell) in where.terrain,
        not where.edges or any(on_edge(grid, cell, edge) for edge in where.edges),
        not where.first_column or columns.index(column) >= columns.index(where.first_column),
        not where.last_column or columns.index(column) <= columns.index(where.last_column),
        not where.first_row or rows.index(row) >= rows.index(where.first_row),
        not where.last_row or rows.index(row) <= rows.index(where.last_row),
        not where.features or cell in _drawn(made, where.features),
        labels.label(cell) not in where.without,
        cell not in _drawn(made, where.without_features),
        model.terrain_at(cell) not in where.without_terrain,
    ]
    return all(tests) and all(_far_enough(made, one, cell) for one in where.distances)


def _drawn(made: Map, words: Iterable[str]) -> set[int]:
    roads = {"road-1": ("paved", "Highway", "road"), "road-2": ("unpaved", "", "road")}
    found: set[int] = set()
    for word in words:
        for name, called in roads.items():
            if word in (name, *called):
                found.update(made.labels.cells(made.model.features[name].path))
        if word in ("fence",):
            found.update(cell for pair in made.model.sides for cell in pair)
    return found


def _far_enough(made: Map, distance: Distance, cell: int) -> bool:
    if distance == Distance(least=distance.least, most=distance.most, direction=distance.direction):
        return True
    grid = made.grid
    every = np.flatnonzero(grid.present).tolist()
    targets = set(made.labels.cells(distance.places)) | _drawn(made, distance.features)
    targets |= {one for one in every if made.model.terrain_at(one) in distance.terrain}
    targets |= {one for one in every for edge in distance.edges if on_edge(grid, one, edge)}
    near = min((grid.distance(cell, one) for one in targets), default=FAR)
    if near < distance.least or (distance.most is not None and near > distance.most):
        return False
    return not distance.direction or slow_beside(grid, cell, targets, distance.direction)


def plain(**shape: object) -> Map:
    made = studio.new_map("armageddon_war", columns=6, rows=6, **shape)
    made.apply(Paint(plane="terrain", cells=[8, 9, 15, 20], values=["marsh"]))
    made.apply(Paint(plane="terrain", cells=[1, 27, 28], values=["rough"]))
    a, b, c = (made.labels.label(cell) for cell in (13, 14, 15))
    made.apply(Put(collection="features", record={"kind": "road", "id": "road-1", "name": "Highway", "path": [a, b]}))
    made.apply(Put(collection="features", record={"kind": "road", "id": "road-2", "surface": "unpaved", "path": [c]}))
    one, two = made.labels.label(21), made.labels.label(made.grid.neighbours(21)[0])
    made.set_side(one, two, "fence")
    return made


MAPS = {
    "flat": plain(),
    "halves": plain(short=True, half=("top", "bottom"), stagger="even"),
    "pointy": plain(orientation="pointy"),
}
WORDS = ("road", "road-1", "Highway", "unpaved", "fence")


@st.composite
def set_ups(draw: st.DrawFn, name: str, depth: int = 1) -> SetUp:
    made = MAPS[name]
    labels = st.lists(st.sampled_from(made.labels.all()), max_size=2).map(tuple)
    terrain = st.lists(st.sampled_from(["marsh", "rough", "clear"]), max_size=2).map(tuple)
    words = st.lists(st.sampled_from(WORDS), max_size=1).map(tuple)
    edges = st.lists(st.sampled_from(DIRECTIONS), max_size=1).map(tuple)
    distances = st.builds(
        Distance,
        places=labels,
        edges=edges,
        terrain=terrain,
        features=words,
        least=st.integers(0, 3),
        most=st.one_of(st.none(), st.integers(1, 5)),
        direction=st.sampled_from(["", *DIRECTIONS]),
    )
    columns, rows = (st.sampled_from(["", *texts]) for texts in (made.labels.column_texts, made.labels.row_texts))
    fields = {
        "hexes": labels,
        "terrain": terrain,
        "edges": edges,
        "features": words,
        "first_column": columns,
        "last_column": columns,
        "first_row": rows,
        "last_row": rows,
        "without": labels,
        "without_features": words,
        "without_terrain": terrain,
        "distances": st.lists(distances, max_size=2).map(tuple),
    }
    chosen = draw(st.sets(st.sampled_from(sorted(fields)), max_size=3))
    also = draw(st.lists(set_ups(name, depth - 1), max_size=1)) if depth else []
    return SetUp(**{field: draw(fields[field]) for field in chosen}, within=draw(st.integers(0, 2)), also=tuple(also))


@pytest.mark.parametrize("name", sorted(MAPS))
@settings(max_examples=80)
@given(data=st.data())
def test_areas_equal_the_conditions_one_by_one(name: str, data: st.DataObject) -> None:
    made = MAPS[name]
    every = np.flatnonzero(made.grid.present).tolist()
    in_play = data.draw(st.one_of(st.just(every), st.just(every[::2])))
    where = data.draw(set_ups(name))
    if not where.hexes:
        where = SetUp(**{f: getattr(where, f) for f in where.__struct_fields__ if f != "within"})
    assert area_cells(made.survey, where, in_play) == sorted(slow_area(made, where, in_play))


# -- what words mean ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crests() -> Map:
    return open_map("maps/armageddon-2.map.json", recover_unsaved=False)


def labelled(made: Map, where: SetUp) -> set[str]:
    directory = made.survey.directory
    return {directory.label(number) for number in area_cells(made.survey, where, directory.numbers.tolist())}


def beside(direction: str, feature: str = "crest-2", **limits: int) -> SetUp:
    return SetUp(distances=(Distance(features=(feature,), direction=direction, **limits),))


def test_a_crest_line_with_bends_has_two_sides(crests: Map) -> None:
    east, west = labelled(crests, beside("east")), labelled(crests, beside("west"))
    line = set(crests.model.features["crest-2"].path)
    assert not east & west
    assert not (east | west) & line
    assert {"Q8", "Q11", "R12", "S15", "AA4"} <= east
    assert {"A1", "P2", "P6", "P12", "Q14", "O10"} <= west
    # A line parts the two: no two adjacent hexes lie on different sides of it.
    for label in east:
        around = {crests.labels.label(cell) for cell in crests.grid.neighbours(crests.labels.cell(label))}
        assert not around & west


def test_so_many_hexes_east_of_a_crest_line(crests: Map) -> None:
    line = crests.labels.cells(crests.model.features["crest-2"].path)
    cells = [crests.labels.cell(label) for label in labelled(crests, beside("east", least=3))]
    assert {min(crests.grid.distance(cell, one) for one in line) for cell in cells} == set(range(3, 10))
    assert labelled(crests, beside("east", most=1)) == {
        label
        for label in labelled(crests, beside("east"))
        if min(crests.grid.distance(crests.labels.cell(label), one) for one in line) == 1
    }


def test_a_line_goes_straight_on_beyond_its_ends(crests: Map) -> None:
    north = labelled(crests, beside("north", "crest-1"))
    assert {"B1", "A3", "F0", "L0", "AA1"} - set(crests.labels.all()) == set()
    assert {"A1", "A3", "B1"} <= north
    assert "A5" not in north
    assert "Z3" not in north


def test_single_places_have_sides_too(crests: Map) -> None:
    found = labelled(crests, SetUp(distances=(Distance(places=("X12",), direction="north", least=2),)))
    assert {"X10", "X1", "A3"} <= found
    assert not {"X11", "X12", "X13", "A14"} & found


def test_names_written_on_the_map_stand_for_their_hex(crests: Map) -> None:
    assert labelled(crests, SetUp(features=("hospital",))) == {"X3"}
    assert labelled(crests, SetUp(features=("Mosque",))) == {"Z1", "Z7"}


def test_an_area_is_where_the_dots_of_hexes_are_in_it() -> None:
    made = studio.new_map("modern_tactics", columns=5, rows=5)
    names = [made.labels.label(cell) for cell in (6, 12)]
    (x, y), (far_x, far_y) = made.grid.centre(6), made.grid.centre(12)
    # From dot to dot: other hexes have a part of the yard, but not their middle.
    made.add("area", type="compound", name="Yard", outline=[[x, y], [far_x, y], [far_x, far_y], [x, far_y]])
    held = {
        made.labels.label(c)
        for c in range(25)
        if x <= made.grid.centre(c)[0] <= far_x and y <= made.grid.centre(c)[1] <= far_y
    }
    assert labelled(made, SetUp(features=("yard",))) == held >= set(names)
    assert labelled(made, SetUp(features=("compound",))) == held
    # A hut between dots holds none: it is in the hexes that it covers a part of.
    made.add("area", type="ruins", name="Hut", outline=[[x + 20, y + 20], [x + 60, y + 20], [x + 60, y + 60]])
    assert labelled(made, SetUp(features=("hut",))) == {names[0]}
    made.apply(Put(collection="features", record={"kind": "dot", "id": "d", "at": names[0], "point": [x - 30, y]}))
    assert names[0] not in labelled(made, SetUp(features=("yard",)))


def test_zones_and_rooms_belong_to_their_areas() -> None:
    place = district()
    assert labelled(place, SetUp(hexes=("1", "S1"))) == {"1", "S1"}
    assert labelled(place, SetUp(features=("a1",))) == {"1", "1 C", "1 1"}
    assert labelled(place, SetUp(features=("zone",), without=("1",))) >= {"2", "3", "2 C", "3 C"}
    assert not labelled(place, SetUp(features=("zone",), without=("1",))) & {"1", "1 C", "1 1"}
    houses = town()
    assert {"1.1", "1.2", "1.3", "1 roof"} <= labelled(houses, SetUp(features=("b1",)))
    assert not labelled(houses, SetUp(without=("b1",))) & {"1.1", "1.2"}


def test_others_alone_where_nothing_else_is_said(crests: Map) -> None:
    both = SetUp(also=(SetUp(hexes=("A1",)), SetUp(hexes=("B2",))))
    assert labelled(crests, both) == {"A1", "B2"}
    assert labelled(crests, SetUp(hexes=("C3",), also=both.also)) == {"A1", "B2", "C3"}


@pytest.mark.parametrize(
    ("where", "error", "text"),
    [
        (SetUp(features=("rode",)), UnknownNameError, "features: the map has no feature 'rode'.*did you mean 'road'"),
        (SetUp(without_features=("crst-2",)), UnknownNameError, "without_features: .*did you mean 'crest-2'"),
        (SetUp(features=("dunes",)), UnknownNameError, "'dunes' is a terrain"),
        (SetUp(hexes=("ZZ44",)), LabelError, "hexes: no hex 'ZZ44'"),
        (SetUp(without=("A99",)), LabelError, "without: no hex 'A99'"),
        (SetUp(distances=(Distance(places=("a4",)),)), LabelError, "distances/places: .*did you mean 'A4'"),
        (SetUp(distances=(Distance(features=("rode",)),)), UnknownNameError, "distances/features: .*'road'"),
        (SetUp(first_row="99"), UnknownNameError, "first_row: no row '99'"),
        (SetUp(last_column="a"), UnknownNameError, "last_column: no column 'a'.*did you mean 'A'"),
        (SetUp(sheets=("west",)), UnknownNameError, "no sheet 'west'"),
        (SetUp(also=(SetUp(features=("rode",)),)), UnknownNameError, "did you mean 'road'"),
    ],
)
def test_what_is_unknown_is_named_with_its_field(crests: Map, where: SetUp, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        area_cells(crests.survey, where, [0])


def test_distances_stop_at_layers() -> None:
    both = studio.join_maps(
        studio.new_map("armageddon_war", columns=4, rows=4, title="Streets"),
        studio.new_map("armageddon_war", columns=4, rows=4, title="Caves"),
        edge="apart",
        prefixes=("", "U"),
    )
    every = np.flatnonzero(both.grid.present).tolist()
    near = SetUp(distances=(Distance(places=("0101",), most=50),))
    far = SetUp(distances=(Distance(places=("0101",), least=50),))
    names = [{both.labels.label(cell)[0] for cell in area_cells(both.survey, where, every)} for where in (near, far)]
    assert names == [{"0"}, {"U"}]
