"""Between which adjacent hexes a drawn line passes: it runs from one side of the way from dot to dot to the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import STEP

if TYPE_CHECKING:
    from studio.model import Point
    from studio.survey.survey import Survey

__all__ = ["cells_parted", "passes_between"]


def cells_parted(survey: Survey, line: Sequence[Point]) -> list[tuple[int, int]]:
    """Return the pairs of adjacent hexes, both of them locations, between whose dots a drawn line passes.

    Parameters
    ----------
    survey : Survey
    line : sequence of (x, y)
        A closed line repeats its first point.

    Returns
    -------
    list of (int, int)
        Cells, the lower one first, in order. A line that ends on the way from dot to dot, or only touches it, parts
        nothing; nor does one through a dot.
    """
    directory, grid = survey.directory, survey.grid
    points = np.array(line, dtype=np.int64)
    reach = 2 * STEP
    around = np.flatnonzero(_inside(grid.centres, points.min(axis=0) - reach, points.max(axis=0) + reach))
    near = np.zeros(grid.cells, dtype=bool)
    for p, q in pairwise(points):
        near[around[_inside(grid.centres[around], np.minimum(p, q) - reach, np.maximum(p, q) + reach)]] = True
    near &= directory.playable.ravel()
    cells = np.flatnonzero(near)
    table = grid.neighbour_table[cells]
    row, direction = np.nonzero((table > cells[:, None]) & near[table])
    pairs: NDArray[np.int64] = np.stack((cells[row], table[row, direction].astype(np.int64)), axis=1)
    found = []
    for cell, other in pairs[_may_be_parted(survey, pairs, points)].tolist():
        if passes_between(directory.dot(cell), directory.dot(other), line):
            found.append((cell, other))
    return found


def _inside(dots: NDArray[Any], low: NDArray[Any], high: NDArray[Any]) -> NDArray[np.bool_]:
    return np.asarray(((dots >= low) & (dots <= high)).all(axis=1))


def _may_be_parted(survey: Survey, pairs: NDArray[np.int64], points: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Sift out, for all pairs at once, those that a line comes nowhere near, or has on one side."""
    dots = survey.grid.centres[pairs].astype(np.int64)
    for cell, dot in survey.directory.moved_dots.items():
        dots[pairs == cell] = dot
    a, b = dots[:, 0], dots[:, 1]
    way = b - a
    sides = way[:, :1] * (points[:, 1] - a[:, 1:]) - way[:, 1:] * (points[:, 0] - a[:, :1])
    first, last = points[:-1], points[1:]
    low, high = np.minimum(first, last), np.maximum(first, last)
    met = ((np.minimum(a, b)[:, None] <= high) & (np.maximum(a, b)[:, None] >= low)).all(axis=2)
    return np.asarray((sides.min(axis=1) < 0) & (sides.max(axis=1) > 0) & np.any(met, axis=1))


def passes_between(a: Point, b: Point, line: Sequence[Point]) -> bool:
    """Tell whether a line goes from one side of the straight way between two points to the other.

    Examples
    --------
    >>> passes_between((0, 0), (10, 0), [(5, -5), (5, 5)]), passes_between((0, 0), (10, 0), [(5, -5), (5, 0), (6, -5)])
    (True, False)
    """
    (ax, ay), (dx, dy) = a, (b[0] - a[0], b[1] - a[1])
    sides = [dx * (y - ay) - dy * (x - ax) for x, y in line]
    if min(sides) >= 0 or max(sides) <= 0:
        return False
    points = list(line)
    if line[0] == line[-1]:
        # A closed line goes on over its first point: begin where it is off the way.
        start = next(at for at, side in enumerate(sides) if side)
        points = [*points[start:-1], *points[: start + 1]]
        sides = [*sides[start:-1], *sides[: start + 1]]
    before, on_way = 0, False
    for at, side in enumerate(sides):
        if side == 0:
            along = dx * (points[at][0] - ax) + dy * (points[at][1] - ay)
            on_way = on_way or 0 < along < dx * dx + dy * dy
            continue
        if before and (side > 0) != (before > 0):
            if sides[at - 1] == 0:
                if on_way:
                    return True
            elif _splits(points[at - 1], points[at], a, b):
                return True
        before, on_way = side, False
    return False


def _splits(p: Point, q: Point, a: Point, b: Point) -> bool:
    """Tell whether two points lie on different sides of the straight line through p and q."""
    ex, ey = q[0] - p[0], q[1] - p[1]
    one, other = (ex * (y - p[1]) - ey * (x - p[0]) for x, y in (a, b))
    return (one > 0 > other) or (one < 0 < other)
