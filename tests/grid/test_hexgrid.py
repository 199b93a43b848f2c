"""Grids: presence, neighbours, distance, rings, the lattice and points."""

import math
from collections import deque

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from studio.errors import GridError
from studio.grid import DIRECTIONS, FlatLayout, HexGrid

EDGES = ("top", "bottom", "left", "right")


@st.composite
def grids(draw: st.DrawFn, most: int = 14) -> HexGrid:
    orientation = draw(st.sampled_from(["flat", "pointy"]))
    columns, rows = draw(st.integers(1, most)), draw(st.integers(1, most))
    short = draw(st.booleans())
    assume(not short or (rows if orientation == "flat" else columns) > 1)
    try:
        return HexGrid(
            columns=columns,
            rows=rows,
            orientation=orientation,
            stagger=draw(st.sampled_from(["odd", "even"])),
            short=short,
            half=tuple(draw(st.lists(st.sampled_from(EDGES), unique=True))),
            hex_width=draw(st.sampled_from([0.0, 1.0, 71.45])),
            hex_height=draw(st.sampled_from([1.0, 61.85])),
        )
    except GridError as error:
        assert "leaves nothing of the map" in str(error)
        reject()


@given(grid=grids())
def test_axial_coordinates_lead_back_to_the_cell(grid: HexGrid) -> None:
    for cell in np.flatnonzero(grid.present).tolist():
        assert grid.from_axial(*grid.axial(cell)) == cell
        assert tuple(grid.axials[cell]) == grid.axial(cell)
        assert tuple(grid.centres[cell]) == grid.centre(cell)


@given(grid=grids())
def test_neighbours_are_the_hexes_that_share_a_side_of_their_outline(grid: HexGrid) -> None:
    present = np.flatnonzero(grid.present).tolist()
    corners = {cell: set(grid.corners(cell)) for cell in present}
    for cell in present:
        touching = {other for other in present if other != cell and len(corners[cell] & corners[other]) == 2}
        assert set(grid.neighbours(cell)) == touching
        for direction in range(6):
            other = grid.neighbour(cell, direction)
            assert grid.neighbour_table[cell, direction] == (-1 if other is None else other)
            if other is not None:
                assert grid.direction(cell, other) == direction
                assert set(grid.side_ends(cell, other)) == corners[cell] & corners[other]


@given(grid=grids(), data=st.data())
def test_distance_is_the_length_of_the_shortest_walk(grid: HexGrid, data: st.DataObject) -> None:
    # A walk on an endless grid: on the map itself an absent corner may force a detour.
    start = data.draw(st.sampled_from(np.flatnonzero(grid.present).tolist()))
    origin = grid.axial(start)
    found, queue = {origin: 0}, deque([origin])
    while queue:
        q, r = queue.popleft()
        for dq, dr in DIRECTIONS[grid.orientation]:
            if (q + dq, r + dr) not in found and found[q, r] < 8:
                found[q + dq, r + dr] = found[q, r] + 1
                queue.append((q + dq, r + dr))
    for cell in np.flatnonzero(grid.present).tolist():
        expected = found.get(grid.axial(cell))
        if expected is not None:
            assert grid.distance(start, cell) == grid.distance(cell, start) == expected == grid.distances(start)[cell]
    for radius in range(4):
        ring = grid.ring(start, radius)
        assert len(ring) == len(set(ring))
        assert set(ring) == {c for c in np.flatnonzero(grid.present).tolist() if grid.distance(start, c) == radius}


def test_distance_does_not_know_the_size_of_the_hexes() -> None:
    regular, squashed = HexGrid(columns=9, rows=9), HexGrid(columns=9, rows=9, hex_width=3.0, hex_height=1.1)
    pairs = [(a, b) for a in range(0, 81, 7) for b in range(81)]
    assert [regular.distance(*pair) for pair in pairs] == [squashed.distance(*pair) for pair in pairs]


@given(grid=grids(), data=st.data())
def test_a_point_just_inside_a_corner_belongs_to_the_hex(grid: HexGrid, data: st.DataObject) -> None:
    cell = data.draw(st.sampled_from(np.flatnonzero(grid.present).tolist()))
    x, y = grid.centre(cell)
    x0, y0, x1, y1 = grid.frame
    for cx, cy in grid.corners(cell):
        px, py = cx + math.copysign(4, x - cx) * (cx != x), cy + math.copysign(3, y - cy) * (cy != y)
        if x0 <= px <= x1 and y0 <= py <= y1:
            assert grid.cell_at(*grid.to_map(px, py)) == cell
        else:
            assert grid.cell_at(*grid.to_map(px, py)) is None


@given(grid=grids(8), x=st.floats(-3, 20), y=st.floats(-3, 20))
def test_a_point_lies_in_the_outline_of_its_hex(grid: HexGrid, x: float, y: float) -> None:
    x, y = x * grid.width, y * grid.hex_height
    found = grid.cell_at(x, y)
    point = shapely.Point(x, y)
    near = 1e-9 * max(grid.width, grid.hex_height) * 20
    cells = np.flatnonzero(grid.present)
    holding = {
        int(cell) for cell, outline in zip(cells, grid.outlines(), strict=True) if outline.distance(point) <= near
    }
    if found is None:
        inner = [c for c in holding if grid.outline(c).buffer(-near * 10).contains(point)]
        assert not inner
    else:
        assert found in holding


@given(grid=grids())
def test_outlines_cover_the_frame_without_overlap(grid: HexGrid) -> None:
    outlines = grid.outlines()
    union = shapely.union_all(outlines)
    assert math.isclose(union.area, sum(outline.area for outline in outlines), rel_tol=1e-9)
    x0, y0, x1, y1 = grid.frame
    (left, top), (right, bottom) = grid.to_map(x0, y0), grid.to_map(x1, y1)
    assert shapely.box(left, top, right, bottom).buffer(1e-9 * right).contains(union)


def test_half_hexes_stand_at_the_ends_of_the_lines_that_stick_out() -> None:
    grid = HexGrid(columns=5, rows=4, stagger="even", short=True, half=("top", "bottom"))
    halves = [[grid.has(r * 5 + c) and grid.is_half(r * 5 + c) for c in range(5)] for r in range(4)]
    assert halves == [[c % 2 == 1 for c in range(5)], [False] * 5, [False] * 5, [c % 2 == 1 for c in range(5)]]
    assert not grid.has(3 * 5)
    full = grid.outline(1 * 5 + 1).area
    assert math.isclose(grid.outline(1).area, full / 2)


@given(grid=grids())
def test_the_flat_layout_has_every_neighbour_at_a_fixed_offset(grid: HexGrid) -> None:
    layout = FlatLayout(grid)
    assert len(set(layout.index.tolist())) == grid.cells
    number = layout.pack(np.arange(grid.cells).reshape(grid.rows, grid.columns), -1)
    steps = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    for cell in np.flatnonzero(grid.present).tolist():
        q, r = grid.axial(cell)
        for (dq, dr), offset in zip(steps, layout.offsets, strict=True):
            other = grid.from_axial(q + dq, r + dr)
            at = layout.index[cell] + offset
            assert bool(layout.present[at]) == (other is not None)
            if other is not None:
                assert number[at] == other


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"columns": 0}, "columns"),
        ({"rows": 2001}, "split"),
        ({"hex_height": 0}, "hex size"),
        ({"hex_width": -1}, "hex size"),
        ({"hex_height": 1e300}, "hex size"),
        ({"columns": 5.0}, "whole numbers"),
        ({"stagger": "both"}, "odd, even"),
        ({"half": 5}, "tuple"),
        ({"columns": 1, "rows": 1, "half": ("top", "bottom", "left", "right")}, "leaves nothing"),
        ({"rows": 1, "short": True}, "short"),
        ({"half": ("top", "top")}, "once"),
    ],
)
def test_grids_that_cannot_be_are_refused(change: dict, word: str) -> None:
    with pytest.raises(GridError, match=word):
        HexGrid(**{"columns": 5, "rows": 5, **change})


def test_the_largest_grid_is_quick_to_ask() -> None:
    grid = HexGrid(columns=2000, rows=2000)
    assert grid.distance(0, 3_999_999) == 2999
    assert grid.neighbours(3_999_999) == [3_997_999, 3_999_998]
