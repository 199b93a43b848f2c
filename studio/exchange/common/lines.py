"""Lines of other programs on the hexes of a map: the hexes that a line runs through, the hexsides that it follows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import along, distances, segments
from studio.exchange.common.corners import CornerGraph, corner_graph, follow, radii
from studio.grid import HexGrid, hex_line

__all__ = ["STAYS", "hex_path", "side_path", "without_hairpins"]

STAYS = 0.6
"""For how many hexes a line has to be in a hex that a row of hexes is not led past, where it can be."""

_HEX = 3**0.5  # radii from a hex to the next
_STEP = 60.0  # lattice units from one sample of a line to the next: a sixteenth of a hex
_LOST = 2.0  # radii off a way from where on it does not follow a line any more
_WHOLE = 4.0  # radii of a line that are not parted for that


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
        Cells in order. Hexes that the line only grazes are left out where those before and after them are adjacent, as
        :func:`without_hairpins` does; what lies off the map is cut off at the ends and bridged between, where a row of
        hexes does.
    """
    samples = _samples(points)
    # Each sample stands for the piece up to it.
    steps = np.hypot(*(np.diff(samples, axis=0, prepend=samples[:1]) * radii(grid) / _HEX).T)
    cells = zip(grid.cells_at(samples).tolist(), steps.tolist(), strict=True)
    runs = [(cell, sum(step for _, step in group)) for cell, group in itertools.groupby(cells, key=lambda one: one[0])]
    parts: list[tuple[list[int], list[float]]] = []
    for cell, stay in runs:
        if cell < 0:
            continue
        if not parts or (parts[-1][0][-1] != cell and grid.direction(parts[-1][0][-1], cell) is None):
            parts.append(([cell], [stay]))
        elif parts[-1][0][-1] == cell:
            parts[-1][1][-1] += stay
        else:
            parts[-1][0].append(cell)
            parts[-1][1].append(stay)
    path: list[int] = []
    for row, stays in parts:
        short = without_hairpins(grid, row, stays)
        path += (_between(grid, path[-1], short[0]) if path else []) + short
    return path


def without_hairpins(
    grid: HexGrid, path: Sequence[int], stays: Sequence[float], fixed: Callable[[Sequence[int]], bool] | None = None
) -> list[int]:
    """Return a row of hexes without the one or two between such as are adjacent, or the same; the shortest go first.

    Parameters
    ----------
    grid : HexGrid
    path : sequence of int
        Cells in order.
    stays : sequence of float
        For how many hexes the line is in each of them. What it stays in for more than 0.6 hexes is not left out.
    fixed : callable, optional
        Tells of a part of the row, from the first hex that stays to the next that does, that it is to stay as it is.
    """
    row, lengths = list(path), list(stays)
    while True:
        best: tuple[float, int, int] | None = None
        for first, gap in itertools.product(range(len(row)), (2, 3)):
            last = first + gap
            if last >= len(row):
                continue
            stay = sum(lengths[first + 1 : last])
            near = row[first] == row[last] or grid.direction(row[first], row[last]) is not None
            if not near or stay > STAYS or (best is not None and best <= (stay, gap, first)):
                continue
            if fixed is None or not fixed(row[first : last + 1]):
                best = (stay, gap, first)
        if best is None:
            return row
        _, gap, first = best
        end = first + gap
        if row[first] == row[end]:
            lengths[first] += lengths[end]
            end += 1
        del row[first + 1 : end], lengths[first + 1 : end]


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
        On the lattice. A line that comes back to where it began is followed all the way round.

    Returns
    -------
    list of (int, int)
        Sides in order along the line, the lower cell first, none twice; sides at the edge of the map, which part
        nothing, left out.
    """
    import shapely

    graph = corner_graph(grid)
    line = shapely.LineString(np.asarray(points, dtype=float) * graph.scale)
    found: dict[tuple[int, int], None] = {}
    for corners in _followed(graph, line):
        found |= dict.fromkeys(map(graph.key, graph.sides_along(corners)))
    return [side for side in found if side[1] >= 0]


def _followed(graph: CornerGraph, line: Any) -> list[list[int]]:
    """Return ways along a line: halves of it where the cheapest way of the whole leaves out much of what is on the map.

    So it does where the line comes back to where it was.
    """
    from shapely.ops import substring

    corners = follow(graph, line)
    if not corners or line.length < _WHOLE:
        return [corners]
    spots = along(segments(line))
    spots = spots[graph.grid.cells_at(spots / graph.scale) >= 0]
    path = graph.spots[corners if len(corners) > 1 else corners * 2]
    if not len(spots) or distances(spots, np.stack([path[:-1], path[1:]], axis=1)).max() <= _LOST:
        return [corners]
    half = line.length / 2
    return [*_followed(graph, substring(line, 0, half)), *_followed(graph, substring(line, half, line.length))]
