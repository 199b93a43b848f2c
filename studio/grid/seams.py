"""Where the sheets of a joint grid end and meet: the border around them, and the seams between them, for pictures."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from studio.grid.hexgrid import HexGrid

__all__ = ["borders", "seams"]

_Point = tuple[int, int]


def borders(grid: HexGrid) -> list[list[_Point]]:
    """Return the outer lines of a map: closed rings of lattice points, the first not repeated.

    A plain map has one, its frame; sheets that lie apart have one each.
    """
    x0, y0, x1, y1 = grid.frame
    if grid.joint is None:
        return [[(x0, y0), (x1, y0), (x1, y1), (x0, y1)]]
    import shapely

    whole = shapely.normalize(shapely.union_all([shapely.box(*frame) for frame in grid.joint.frames]))
    shapes = [shape for shape in shapely.get_parts(whole) if not shape.is_empty]
    rings = [ring for shape in shapes for ring in (shape.exterior, *shape.interiors)]
    return [[(int(x), int(y)) for x, y in shapely.get_coordinates(ring)[:-1].tolist()] for ring in rings]


def seams(grid: HexGrid) -> list[tuple[_Point, _Point]]:
    """Return the lines along which sheets meet, as pieces between two lattice points.

    Where half hexes merge a seam is the straight line through them, where whole hexes interlock it follows their sides.
    """
    if grid.joint is None:
        return []
    found: list[tuple[_Point, _Point]] = []
    merged = {pair for numbers in grid.joint.shared.values() for pair in combinations(sorted(numbers), 2)}
    for one, two in (tuple(grid.joint.frames[number] for number in pair) for pair in sorted(merged)):
        x0, y0, x1, y1 = max(one[0], two[0]), max(one[1], two[1]), min(one[2], two[2]), min(one[3], two[3])
        if (x0 == x1 and y0 < y1) or (y0 == y1 and x0 < x1):
            found.append(((x0, y0), (x1, y1)))
    owner, table = grid.joint.owner, grid.neighbour_table
    shared = np.zeros(grid.cells, dtype=bool)
    shared[list(grid.joint.shared)] = True
    for direction in range(3):
        other = table[:, direction]
        apart = (other >= 0) & (owner >= 0) & (owner != owner[np.maximum(other, 0)])
        apart &= ~shared & ~shared[np.maximum(other, 0)]
        for cell in np.flatnonzero(apart).tolist():
            found.append(grid.side_ends(cell, int(other[cell])))
    return found
