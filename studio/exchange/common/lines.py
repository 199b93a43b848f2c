"""Lines of other programs on the hexes of a map: the hexes that a line runs through, the hexsides that it follows."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import along, distances, segments
from studio.exchange.common.corners import CornerGraph, corner_graph, follow
from studio.grid import HexGrid, hex_line

__all__ = ["hex_path", "side_path"]

_GRAZED = 3  # samples of a line in a hex that it only grazes
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
