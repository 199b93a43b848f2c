"""Drawn polygons cut up by hexes, sums along lines, and rays: each against a slower way to the same answer."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.errors import GridError
from studio.grid import FlatLayout, HexGrid, hex_line, line_template, sextant
from studio.grid.lines import SEXTANTS
from studio.sight import Directions
from studio.sight.fast.pairs import SeenPairs
from studio.sight.fast.shapebits import Extents
from studio.sight.fast.shapesides import ShapeSides
from studio.sight.fast.sums import STRIDE, Bars, directions, sum_along
from studio.sight.trace.contacts import area_contacts
from studio.sight.trace.pieces import hex_pieces, hits, triangles
from studio.sight.trace.rays import ray


def ring(rng: np.random.Generator, grid: HexGrid) -> list[tuple[int, int]]:
    """Return a polygon that does not cross itself, with corners on a coarse lattice, so that much of it coincides."""
    while True:
        x, y = grid.centre(int(rng.integers(grid.cells)))
        points = [(x + 60 * int(u), y + 60 * int(v)) for u, v in rng.integers(-14, 15, size=(rng.integers(3, 7), 2))]
        polygon = shapely.Polygon(points)
        if polygon.is_valid and polygon.area:
            return points


def pieces_of(grid: HexGrid, points: list[tuple[int, int]]) -> list[tuple[int, tuple]]:
    corners = [(x - grid.centre(0)[0], y - grid.centre(0)[1]) for x, y in grid.corners(0)]
    cut = triangles(shapely.Polygon(points))
    return [(cell, piece) for cell in range(grid.cells) for piece in hex_pieces(cut, grid.centre(cell), corners)]


@given(seed=st.integers(0, 10**6))
@settings(max_examples=40)
def test_a_line_runs_through_a_piece_just_when_it_runs_through_the_polygon_in_that_hex(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=5, rows=5, orientation=str(rng.choice(["flat", "pointy"])))
    points = ring(rng, grid)
    by_cell: dict[int, list] = {}
    for cell, piece in pieces_of(grid, points):
        by_cell.setdefault(cell, []).append(piece)
    hexes = {cell: shapely.Polygon(grid.corners(cell)) for cell in range(grid.cells)}
    polygon = shapely.Polygon(points)
    for cell, hexagon in hexes.items():
        assert (cell in by_cell) == shapely.relate_pattern(hexagon, polygon, "T********")
    for a, b in rng.integers(0, grid.cells, size=(25, 2)).tolist():
        (x, y), (u, v) = grid.centre(a), grid.centre(b)
        inside = [c for c in area_contacts((x, y), (u, v), points) if c.how == "through"]
        for contact in hex_line(grid, a, b):
            if contact.how != "through":
                continue
            p, q = grid.centre(contact.cells[0])
            found = any(hits(one, (p - x, q - y), (u - x, v - y)) for one in by_cell.get(contact.cells[0], ()))
            expected = any(max(c.enter, contact.enter) < min(c.leave, contact.leave) for c in inside)
            assert found == expected, (a, b, contact.cells)


def test_pieces_that_meet_in_a_point_only_are_two() -> None:
    grid = HexGrid(columns=1, rows=1)
    x, y = grid.centre(0)
    # Two teeth that reach into the hex from above.
    teeth = [(-300, -900), (300, -900), (300, -100), (200, -300), (-200, -300), (-300, -100)]
    found = pieces_of(grid, [(x + u, y + v) for u, v in teeth])
    assert len(found) == 2


def test_a_polygon_off_the_lattice_is_refused() -> None:
    with pytest.raises(GridError, match="draw it anew"):
        triangles(shapely.Polygon([(0, 0), (10.4, 0), (0, 7.3)]))


@given(seed=st.integers(0, 10**6))
def test_extents_and_sides_say_what_hits_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = HexGrid(columns=6, rows=6, orientation=str(rng.choice(["flat", "pointy"])))
    layout = FlatLayout(grid)
    pieces = pieces_of(grid, ring(rng, grid)) + pieces_of(grid, ring(rng, grid))
    graze = bool(rng.random() < 0.5)
    if not pieces:
        return
    extents = Extents(layout.size, [(int(layout.index[cell]), piece) for cell, piece in pieces], graze=graze)
    sides = ShapeSides(grid, pieces, graze=graze)
    a = int(rng.integers(grid.cells))
    view = Directions(grid, a)
    targets = np.flatnonzero((view.ring > 1) & (2 * view.position != view.ring))
    seen = sides.hits(a, view, targets)
    (x, y) = grid.centre(a)
    for target, hit in zip(targets.tolist(), seen.tolist(), strict=True):
        u, v = grid.centre(target)
        direction = (u - x, v - y)
        through = [contact.cells[0] for contact in hex_line(grid, a, target) if contact.how == "through"]
        expected = []
        for cell in through:
            p, q = grid.centre(cell)
            mine = [hits(one, (p - x, q - y), direction, graze=graze) for there, one in pieces if there == cell]
            expected.append(any(mine))
            bits = extents.bits(direction, (p - x, q - y))
            assert bool(bits >> int(layout.index[cell]) & 1) == any(mine)
            assert sides.hits_in(a, np.array([target]), np.array([cell]))[0] == any(mine)
        assert hit == any(expected)
        if through:
            places = np.array([grid.centre(cell) for cell in through]) - np.array([x, y])
            away = places[:, 0] * direction[1] - places[:, 1] * direction[0]
            assert extents.hit(direction, layout.index[through][None, :], away)[0] == any(expected)


@given(a=st.integers(1, 14), b=st.integers(0, 14), k=st.integers(0, 5))
def test_rays_are_the_templates_of_their_displacements(a: int, b: int, k: int) -> None:
    (q0, r0), (q1, r1) = SEXTANTS[k], SEXTANTS[(k + 1) % 6]
    dq, dr = a * q0 + b * q1, a * r0 + b * r1
    assert sextant(dq, dr) == (k, a, b)

    def place(spot: tuple[int, int]) -> tuple[int, int]:
        u, v = spot[0] - spot[1], spot[1]
        return u * q0 + v * q1, u * r0 + v * r1

    found = ray(a, b)
    template = line_template(dq, dr)
    assert {place(s) for s in found.through} == {at[0] for how, at, _, _ in template if how == "through"}
    assert {place(s) for s in found.touched} == {at[0] for how, at, _, _ in template if how == "touch"}
    pairs = [{place(s), place((s[0], s[1] + 1))} for s in found.along]
    assert sorted(map(sorted, pairs)) == sorted(sorted(at) for how, at, _, _ in template if how == "along")
    through = [(at[0], Fraction(*enter), Fraction(*leave)) for how, at, enter, leave in template if how == "through"]
    corners = {Fraction(*enter) for how, _, enter, _ in template if how == "touch"}
    crossed = [
        sorted((one[0], other[0])) for one, other in pairwise(through) if one[2] == other[1] and one[2] not in corners
    ]
    assert sorted(sorted((place(one), place(other))) for one, other in found.crossed) == sorted(crossed)


@given(seed=st.integers(0, 10**6))
def test_sums_along_lines_are_those_of_their_hexes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, rows = rng.integers(1, 16, size=2).tolist()
    grid = HexGrid(columns=columns, rows=rows, orientation=str(rng.choice(["flat", "pointy"])))
    a = int(rng.integers(grid.cells))
    view = Directions(grid, a)
    weights = rng.integers(0, 4, size=(2, grid.cells)) * (rng.random((2, grid.cells)) < rng.choice([0.05, 0.4]))
    several = []
    for at, weight in enumerate(weights):
        cells = np.flatnonzero((weight > 0) & (view.ring > 0))
        low, high = view.shadows(cells)
        several.append(Bars(low + at * STRIDE, high + at * STRIDE, view.ring[cells], weight[cells]))
    targets = np.flatnonzero((view.ring > 0) & (2 * view.position != view.ring))
    kind = rng.integers(0, 2, size=len(targets))
    for limit, closed in ((0, False), (3, False), (0, True)):
        keys = view.keys(targets) + kind * STRIDE
        found = sum_along(keys, view.ring[targets], Bars.join(several), limit=limit, closed=closed)
        for target, mine, total in zip(targets.tolist(), kind.tolist(), found.tolist(), strict=True):
            met = [c for c in hex_line(grid, a, target) if c.how == "through" or (closed and c.how == "touch")]
            expected = sum(int(weights[mine, contact.cells[0]]) for contact in met)
            assert total == (min(expected, limit) if limit else expected)


def test_directions_of_vectors_are_those_of_the_hexes() -> None:
    grid = HexGrid(columns=9, rows=9)
    view = Directions(grid, 40)
    cells = np.flatnonzero(view.ring > 0)
    away = (grid.axials[cells] - grid.axials[40]).astype(np.int64)
    for scale in (1, 3):
        assert (directions(scale * away[:, 0], scale * away[:, 1]) == view.keys(cells)).all()


def test_a_table_by_displacements() -> None:
    layout = FlatLayout(HexGrid(columns=3, rows=2))
    table = SeenPairs(layout)
    a, b, c = (int(layout.index[cell]) for cell in (0, 3, 4))
    table.add_bits(b - a, 1 << a)
    table.add_bits(c - a, 1 << a)
    table.hinder_bits(c - a, 1 << a)
    expected = np.full((6, 6), 3)
    np.fill_diagonal(expected, 1)
    expected[0, 3] = expected[3, 0] = 1
    expected[0, 4] = expected[4, 0] = 2
    assert (table.codes(np.arange(6)).to_array() == expected).all()
