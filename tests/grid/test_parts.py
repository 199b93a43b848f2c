"""Joint grids: several maps on one lattice, whole hexes that interlock and half hexes that merge."""

from fractions import Fraction
from itertools import combinations
from typing import Any

import msgspec
import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from studio.errors import GridError
from studio.grid import HexGrid, Part, borders, joint_grid, place, seams

SIZES = st.integers(2, 5)
HALVES = st.sampled_from([(), ("left", "right"), ("top", "bottom"), ("left", "right", "top", "bottom"), ("right",)])


@st.composite
def grids(draw: Any, orientation: str) -> HexGrid:
    shape = {
        "columns": draw(SIZES),
        "rows": draw(SIZES),
        "stagger": draw(st.sampled_from(["odd", "even"])),
        "half": draw(HALVES),
        "short": draw(st.booleans()),
        "orientation": orientation,
    }
    try:
        return HexGrid(**shape)
    except GridError:
        assume(False)
        raise


@st.composite
def joints(draw: Any) -> tuple[HexGrid, HexGrid, HexGrid, Any, Any]:
    """Return two grids and the grid that holds both, with where each lies in it."""
    orientation = draw(st.sampled_from(["flat", "pointy"]))
    first, second = draw(grids(orientation)), draw(grids(orientation))
    edge = draw(st.sampled_from(["right", "left", "top", "bottom", "apart"]))
    shift = Fraction(draw(st.integers(-2, 2)), draw(st.sampled_from([1, 2])))
    try:
        laid = place(first, second, edge, turned=draw(st.booleans()), shift=shift)
        grid, one, two = joint_grid(first, second, laid)
    except GridError:
        assume(False)
        raise
    return first, second, grid, one, two


@given(joints())
@settings(max_examples=150)
def test_a_joint_grid_has_every_hex_of_both_and_nothing_else(found: tuple) -> None:
    first, second, grid, one, two = found
    taken: dict[int, float] = {}
    for own, where, part in ((first, one, 0), (second, two, 1)):
        cells = grid.joint.cells(part)
        outlines = dict(zip(np.flatnonzero(own.present).tolist(), own.outlines(), strict=True))
        for cell, shape in outlines.items():
            q, r = own.axial(cell)
            sign = -1 if where.turned else 1
            joint = grid.from_axial(where.q + sign * q, where.r + sign * r)
            assert joint == cells[cell]
            assert grid.joint.own_cell(part, joint) == cell
            assert grid.joint.joint_cell(part, cell) == joint
            x, y = own.centre(cell)
            assert grid.joint.point(part, x, y) == grid.centre(joint)
            taken[joint] = taken.get(joint, 0.0) + shape.area
    assert sorted(taken) == np.flatnonzero(grid.present).tolist()
    # No hex is lost, none lies over another, and none is cut where it need not be.
    whole = HexGrid(columns=3, rows=3, orientation=grid.orientation).outline(4).area
    for cell, shape in zip(taken, grid.outlines(list(taken)), strict=True):
        assert shape.area == pytest.approx(taken[cell])
        assert grid.is_half(cell) == (taken[cell] < 0.99 * whole)
    for shape in map(shapely.Polygon, borders(grid)):
        assert shape.is_valid


@given(joints())
@settings(max_examples=60)
def test_points_are_in_the_hex_and_in_the_quarter_that_is_there(found: tuple) -> None:
    grid = found[2]
    outlines = shapely.union_all(list(grid.outlines()))
    rng = np.random.default_rng(1)
    x0, y0, x1, y1 = grid.frame
    points = rng.uniform((x0 - 300, y0 - 300), (x1 + 300, y1 + 300), (200, 2))
    cells = grid.cells_at(points)
    inside = shapely.contains_xy(outlines, points * np.array(grid.scale))
    assert ((cells >= 0) == inside).all()
    for cell, point in zip(cells.tolist(), points, strict=True):
        if cell >= 0:
            assert shapely.distance(grid.outline(cell), shapely.Point(point * np.array(grid.scale))) < 1e-9
    assert (grid.cells_at(grid.centres[grid.present.ravel()]) == np.flatnonzero(grid.present)).all()


@given(joints())
@settings(max_examples=60)
def test_maps_that_lie_side_by_side_touch_and_maps_apart_do_not(found: tuple) -> None:
    grid = found[2]
    pairs = {
        (a, b)
        for a in np.flatnonzero(grid.joint.owner == 0).tolist()
        for b in grid.neighbours(a)
        if grid.joint.owner[b] == 1
    }
    if not pairs and not grid.joint.shared:
        assert not seams(grid)
        assert grid.joint.frames[0][2] < grid.joint.frames[1][0]  # only maps laid apart do not touch
    else:
        assert seams(grid)


EDGES = ["right", "left", "top", "bottom"]


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("half", [(), ("left", "right")])
@pytest.mark.parametrize("columns", [4, 5])
def test_flat_maps_alike_fit_at_every_edge_where_their_stagger_goes_on(edge: str, half: tuple, columns: int) -> None:
    grid = HexGrid(columns=columns, rows=4, half=half)  # type: ignore[arg-type]
    # Beside each other the columns must go on high and low in turn: even numbers of whole columns, odd ones of halves.
    goes_on = (columns % 2 == 0) != bool(half) or edge in ("top", "bottom")
    if goes_on:
        joint, *_ = joint_grid(grid, grid, place(grid, grid, edge, turned=False, shift=Fraction(0)))
        merged = bool(half) and edge in ("left", "right")
        assert len(joint.joint.shared) == (4 if merged else 0)
        assert int(joint.present.sum()) == 2 * 4 * columns - (4 if merged else 0)
        return
    with pytest.raises(GridError, match=r"staggered the other way.*shift=0\.5 fits"):
        place(grid, grid, edge, turned=False, shift=Fraction(0))
    place(grid, grid, edge, turned=False, shift=Fraction(1, 2))


def test_an_edge_of_halves_does_not_fit_one_of_whole_hexes() -> None:
    first, second = HexGrid(columns=4, rows=4, half=("right",)), HexGrid(columns=4, rows=4)
    with pytest.raises(GridError, match=r"right edge .* one has half hexes, the other whole hexes"):
        place(first, second, "right", turned=False, shift=Fraction(0))
    halves = HexGrid(columns=4, rows=4, half=("right",), stagger="even")
    with pytest.raises(GridError, match="turned=True fits"):
        place(first, halves, "right", turned=False, shift=Fraction(0))
    place(first, halves, "right", turned=True, shift=Fraction(0))


def test_maps_below_each_other_merge_half_hexes_or_interlock() -> None:
    plain, other = HexGrid(columns=5, rows=4), HexGrid(columns=5, rows=4, stagger="even")
    with pytest.raises(GridError, match="holes would be left"):
        place(plain, other, "bottom", turned=False, shift=Fraction(0))
    cut = HexGrid(columns=5, rows=4, half=("top", "bottom"))
    with pytest.raises(GridError, match=r"one has .* hexes where the other has"):
        place(cut, cut, "bottom", turned=False, shift=Fraction(0))
    laid = place(cut, cut, "bottom", turned=True, shift=Fraction(0))
    assert len(joint_grid(cut, cut, laid)[0].joint.shared) == 2  # the low columns of the first map


def test_four_maps_meet_in_one_hex() -> None:
    grid = HexGrid(columns=5, rows=4, half=("left", "right", "top", "bottom"))
    joint = grid
    row, *_ = joint_grid(grid, grid, place(grid, grid, "right", turned=False, shift=Fraction(0)))
    joint, *_ = joint_grid(row, row, place(row, row, "bottom", turned=True, shift=Fraction(0)))
    assert len(joint.parts) == 4
    assert max(map(len, joint.joint.shared.values())) == 2  # high columns are flush where low ones are cut
    assert not any(joint.is_half(cell) for cell in joint.joint.shared if cell not in _outer(joint))


def _outer(grid: HexGrid) -> set[int]:
    return {cell for cell in np.flatnonzero(grid.present).tolist() if len(grid.neighbours(cell)) < 6}


def test_parts_that_cannot_be_are_refused() -> None:
    def grid(*parts: Part, **more: Any) -> HexGrid:
        return HexGrid(columns=8, rows=4, parts=parts, **more)

    plain = Part(columns=4, rows=4)
    with pytest.raises(GridError, match=r"parts\[1\] and parts\[0\] overlap"):
        grid(plain, msgspec.structs.replace(plain, q=2, r=-1))
    with pytest.raises(GridError, match="reach out of the grid"):
        grid(msgspec.structs.replace(plain, q=5, r=-2))
    with pytest.raises(GridError, match="reach out of the grid"):
        grid(msgspec.structs.replace(plain, q=10**12))
    with pytest.raises(GridError, match=r"parts\[0\]: columns: got 0"):
        grid(msgspec.structs.replace(plain, columns=0))
    with pytest.raises(GridError, match="leave `short` and `half`"):
        grid(plain, half=("left",))
    with pytest.raises(GridError, match="got 65, allowed 64"):
        HexGrid(columns=65, rows=1, parts=tuple(Part(columns=1, rows=1, q=n) for n in range(65)))


def test_a_grid_without_parts_is_as_before() -> None:
    grid = HexGrid(columns=4, rows=4, half=("left",))
    assert grid.joint is None
    assert "parts" in msgspec.structs.asdict(grid)
    assert not seams(grid)
    x0, y0, x1, y1 = grid.frame
    assert borders(grid) == [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]
    assert all(grid.point_at(*grid.axial(cell)) == grid.centre(cell) for cell in range(grid.cells))
    assert all(a != b for a, b in combinations(grid.centres.tolist(), 2))
