"""Lines of other programs on the hexes of a map: the hexes that a line runs through, the hexsides that it follows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid, hex_line

__all__ = ["hex_path", "side_path"]

_GRAZED = 3  # samples of a line in a hex that it only grazes
_STEP = 60.0  # lattice units from one sample of a line to the next: a sixteenth of a hex
_BASE = 0.15
"""Cost of a hexside that the line follows exactly; off the line the square of the distance comes to it."""


def _samples(points: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """Return points close together on a line, its corners among them."""
    line = np.asarray(points, dtype=float)
    pieces = [line[:1]]
    for a, b in itertools.pairwise(line):
        count = max(1, int(np.ceil(np.hypot(*(b - a)) / _STEP)))
        steps = np.arange(1, count + 1)[:, None] / count
        pieces.append(a + steps * (b - a))
    return np.concatenate(pieces)


def hex_path(grid: HexGrid, points: Sequence[Sequence[float]]) -> list[int]:
    """Return the row of adjacent hexes that a line runs through.

    Parameters
    ----------
    grid : HexGrid
    points : sequence of (x, y)
        On the lattice.

    Returns
    -------
    list of int
        Cells in order. A hex that the line only grazes is left out where those before and after it are adjacent; what
        lies off the map is cut off at the ends and bridged between, where a row of hexes does.
    """
    samples = grid.cells_at(_samples(points)).tolist()
    runs = [(cell, sum(1 for _ in group)) for cell, group in itertools.groupby(samples) if cell >= 0]
    kept: list[int] = []
    for number, (cell, count) in enumerate(runs):
        if kept and number + 1 < len(runs) and count <= _GRAZED:
            after = runs[number + 1][0]
            if after == kept[-1] or grid.direction(kept[-1], after) is not None:
                continue
        if not kept or kept[-1] != cell:
            kept.append(cell)
    path = kept[:1]
    for cell in kept[1:]:
        if grid.direction(path[-1], cell) is None:
            path += _between(grid, path[-1], cell)
        path.append(cell)
    return path


def _between(grid: HexGrid, a: int, b: int) -> list[int]:
    """Return adjacent hexes between two, both left out; nothing where a gap of the map lies between."""
    found: list[int] = []
    for contact in hex_line(grid, a, b):
        if contact.how != "touch":
            found.append(contact.cells[0])
    steps = [a, *found, b]
    whole = all(grid.direction(one, other) is not None for one, other in itertools.pairwise(steps))
    return found if whole else []


def side_path(grid: HexGrid, points: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """Return the hexsides that follow a line best: the cheapest way from corner to corner.

    A side costs 0.15 and the square of its distance from the line in radii of a hex, so that the way keeps to the line
    without a step more than it needs. Sides that the line merely crosses are no part of it.

    Parameters
    ----------
    grid : HexGrid
    points : sequence of (x, y)
        On the lattice.

    Returns
    -------
    list of (int, int)
        Sides in order along the line, the lower cell first; sides at the edge of the map, which part nothing, left out.
    """
    import shapely
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import dijkstra

    # True shape: the lattice squeezes one axis, and distances must not.
    radius = grid.hex_height / (3**0.5 if grid.flat else 2)
    scale = np.array(grid.scale) / radius
    line = shapely.LineString(np.asarray(points, dtype=float) * scale)
    sides = _near_sides(grid, line, scale)
    if not sides:
        return []
    ends = [grid_ends for _, grid_ends in sides]
    corners = sorted({corner for pair in ends for corner in pair})
    number = {corner: index for index, corner in enumerate(corners)}
    spots = np.array(corners) * scale
    a = np.array([number[one] for one, _ in ends])
    b = np.array([number[other] for _, other in ends])
    middles = shapely.points((spots[a] + spots[b]) / 2)
    cost = _BASE + shapely.distance(middles, line) ** 2
    graph = coo_matrix((cost, (a, b)), shape=(len(corners),) * 2).tocsr()
    first, last = (shapely.Point(line.coords[0]), shapely.Point(line.coords[-1]))
    start = int(np.argmin(shapely.distance(shapely.points(spots), first)))
    stop = int(np.argmin(shapely.distance(shapely.points(spots), last)))
    _, before = dijkstra(graph, directed=False, indices=start, return_predecessors=True)
    of = {(min(p, q), max(p, q)): key for (key, _), p, q in zip(sides, a.tolist(), b.tolist(), strict=True)}
    path: list[tuple[int, int]] = []
    here = stop
    while here != start and before[here] >= 0:
        there = int(before[here])
        path.append(of[min(here, there), max(here, there)])
        here = there
    return path[::-1]


def _near_sides(
    grid: HexGrid, line: object, scale: NDArray[np.float64]
) -> list[tuple[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]]:
    """Return the hexsides between hexes near a line, with their ends on the lattice."""
    import shapely

    zone = shapely.buffer(line, 2.2)
    near = np.flatnonzero(shapely.intersects(shapely.points(grid.centres * scale), zone) & grid.present.ravel())
    return list(_sides_of(grid, near.tolist()))


def _sides_of(
    grid: HexGrid, cells: Iterable[int]
) -> Iterable[tuple[tuple[int, int], tuple[tuple[int, int], tuple[int, int]]]]:
    for cell in cells:
        for other in grid.neighbours(cell):
            if cell < other:
                yield (cell, other), grid.side_ends(cell, other)
