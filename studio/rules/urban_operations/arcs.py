"""Arcs of fire: which hexes an aperture or breach looks upon (page 13, "Apertures & Breaches"). Whole numbers only.

An arrow at the middle of a hex is the row of hexes that begins there. An arrow along a hexside is the line of that
hexside, extended: all hexes that it crosses, and those on both sides where it runs along a side. Between two arrows
everything belongs to the arc.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import DIRECTIONS, HexGrid
from studio.model import Point

__all__ = ["arc_of_fire", "arrow_rows", "arrow_steps"]

_Axial = tuple[int, int]


class _Ray(NamedTuple):
    """One arrow: rows of hexes by their first ones and the step along them, and the same on the lattice."""

    firsts: list[_Axial]
    ahead: _Axial
    point: Point
    step: Point


def arc_of_fire(grid: HexGrid, at: Point, inner: Point, arrows: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """Return the hexes in an arc of fire.

    Parameters
    ----------
    grid : HexGrid
    at : (x, y)
        Where the opening is; its arrows lead away from there.
    inner : (x, y)
        Dot of the location that it belongs to, for arrows that have no side of their own.
    arrows : sequence of sequences of int
        One or two arrows, each the cell of one hex or of two adjacent ones.

    Returns
    -------
    array of bool, shape (cells,)
        Hexes under buildings are listed as well: a roof or a room is in the arc by the hex under its dot.
    """
    rays = [_row(grid, at, inner, *cells) if len(cells) == 1 else _spine(grid, at, inner, *cells) for cells in arrows]
    mask = np.zeros(grid.cells, dtype=bool)
    for ray in chain.from_iterable(rays):
        for start in ray.firsts:
            mask |= _in_row(grid, start, ray.ahead)
    if len(rays) == 2:
        for first, second in product(*rays):
            mask |= _between(grid, at, inner, first, second)
    return mask & grid.present.ravel()


def arrow_steps(grid: HexGrid, at: Point, inner: Point, cells: Sequence[int]) -> list[Point]:
    """Return the steps on the lattice in which an arrow leads: one, or two where it points exactly between them.

    Parameters
    ----------
    grid : HexGrid
    at : (x, y)
        Where the opening is.
    inner : (x, y)
        Dot of the location that it belongs to.
    cells : sequence of int
        The arrow: one hex, or two adjacent ones.
    """
    rays = _row(grid, at, inner, *cells) if len(cells) == 1 else _spine(grid, at, inner, *cells[:2])
    return [ray.step for ray in rays]


def arrow_rows(grid: HexGrid, at: Point, inner: Point, cells: Sequence[int]) -> list[tuple[Point, Point, list[Point]]]:
    """Return where an arrow leads: for each of its steps the point that it begins at, the step, and its rows of hexes.

    Parameters
    ----------
    grid : HexGrid
    at, inner, cells
        As for :func:`arrow_steps`.

    Returns
    -------
    list of (point, step, middles)
        On the lattice. ``middles`` are those of the first hexes of its rows, whether they are on the map or not; each
        row goes on from there by the step.
    """
    rays = _row(grid, at, inner, *cells) if len(cells) == 1 else _spine(grid, at, inner, *cells[:2])
    (q, r), (x, y) = grid.axial(cells[0]), grid.centre(cells[0])
    found = []
    for ray in rays:
        away = [_vector(grid, (first - q, second - r)) for first, second in ray.firsts]
        found.append((ray.point, ray.step, [(x + dx, y + dy) for dx, dy in away]))
    return found


def _in_row(grid: HexGrid, first: _Axial, step: _Axial) -> NDArray[np.bool_]:
    """Return the hexes of a row without end; the two coordinates of its step have no common divisor."""
    q, r = grid.axials[:, 0] - np.int32(first[0]), grid.axials[:, 1] - np.int32(first[1])
    dq, dr = np.int32(step[0]), np.int32(step[1])
    return np.asarray((q * dr == r * dq) & (q * dq + r * dr >= 0))


def _dot(grid: HexGrid, a: Point, b: Point) -> int:
    """Return three times the scalar product of two lattice vectors on regular hexes, whose lattice is squeezed."""
    (u, v), (s, t) = (a, b) if grid.flat else (a[::-1], b[::-1])
    return u * s + 3 * v * t


def _vector(grid: HexGrid, axial: _Axial) -> Point:
    """Return the lattice vector of an axial step."""
    q, r = axial
    return (720 * q, 480 * r + 240 * q) if grid.flat else (480 * q + 240 * r, 720 * r)


def _minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def _cross(a: Point, b: Point) -> int:
    return a[0] * b[1] - a[1] * b[0]


def _leading(grid: HexGrid, steps: Sequence[_Axial], away: Point, outward: Point) -> list[int]:
    """Return which of some steps lead away best; of equal ones those that lead outward better.

    An arrow that points exactly between two steps has both: to prefer one would depend on how the map is turned.
    """
    ranks = [
        (_dot(grid, vector, away), _dot(grid, vector, outward)) for vector in (_vector(grid, step) for step in steps)
    ]
    return [n for n, rank in enumerate(ranks) if rank == max(ranks)]


def _row(grid: HexGrid, at: Point, inner: Point, cell: int) -> list[_Ray]:
    steps = DIRECTIONS[grid.orientation]
    away = _minus(grid.centre(cell), at)
    outward = _minus(at, inner)
    q, r = grid.axial(cell)
    rays = []
    for chosen in _leading(grid, steps, away if any(away) else outward, outward):
        rays.append(_Ray([(q, r)], steps[chosen], grid.centre(cell), _vector(grid, steps[chosen])))
    return rays


def _spine(grid: HexGrid, at: Point, inner: Point, a: int, b: int) -> list[_Ray]:
    steps = DIRECTIONS[grid.orientation]
    turn = grid.direction(a, b)
    assert turn is not None  # the model refuses arrows between hexes that are not adjacent
    (qa, ra), (qb, rb) = grid.axial(a), grid.axial(b)
    # The line goes on through the middle of one of the two hexes that are neighbours of both.
    choices = [(1, 2), (-1, -2)]
    ahead = [steps[(turn + first) % 6] for first, _ in choices]
    (xa, ya), (xb, yb) = grid.centre(a), grid.centre(b)
    middle = ((xa + xb) // 2, (ya + yb) // 2)
    lines = [_sum(steps[(turn + first) % 6], steps[(turn + second) % 6]) for first, second in choices]
    rays = []
    for chosen in _leading(grid, lines, _minus(middle, at), _minus(at, inner)):
        firsts = [(qa, ra), (qb, rb), _sum((qa, ra), ahead[chosen])]
        rays.append(_Ray(firsts, lines[chosen], middle, _vector(grid, lines[chosen])))
    return rays


def _sum(a: _Axial, b: _Axial) -> _Axial:
    return a[0] + b[0], a[1] + b[1]


def _between(grid: HexGrid, at: Point, inner: Point, first: _Ray, second: _Ray) -> NDArray[np.bool_]:
    """Return the hexes whose middle lies between two arrows, on them included."""
    turn = _cross(first.step, second.step)
    opposite = turn == 0 and _dot(grid, first.step, second.step) < 0
    if turn == 0:
        # Side by side the arrows hold a strip between them, in opposite directions all that lies outward.
        turn = _cross(first.step, _minus(at, inner) if opposite else _minus(second.point, first.point))
    side = (turn > 0) - (turn < 0)
    after = side * _left_of(grid, first) >= 0
    if opposite:
        return np.asarray(after)
    # What lies behind the opening is in no arc, though it may lie between the arrows drawn on backwards.
    x, y = (grid.centres - np.array(at)).T
    sx, sy = first.step[0] + second.step[0], first.step[1] + second.step[1]
    ahead = (sx * x + 3 * sy * y if grid.flat else 3 * sx * x + sy * y) > 0
    return np.asarray(after & (side * _left_of(grid, second) <= 0) & ahead)


def _left_of(grid: HexGrid, ray: _Ray) -> NDArray[np.int64]:
    """Return for the middle of every hex on which side of an arrow it lies, 0 on it."""
    x, y = (grid.centres - np.array(ray.point)).T
    return np.asarray(ray.step[0] * y - ray.step[1] * x)
