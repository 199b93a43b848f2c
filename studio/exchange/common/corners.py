"""The corners of the hexes of a map as a graph, and cheapest ways along it: what follows hexsides runs on it.

Distances are true ones in radii of a hex (from a centre to a corner), so that squashed lattices and the size of the
map change nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import segments
from studio.grid import HALF, LINE_STEP, STEP, HexGrid
from studio.grid.raster import CORNERS

__all__ = [
    "UNIT",
    "CornerGraph",
    "Near",
    "Way",
    "cheapest",
    "corner_graph",
    "follow",
    "radii",
    "segments",
    "side_costs",
]

BASE = 0.15
"""Cost of a hexside that the line follows exactly; off the line the square of the distance comes to it."""
UNIT = 1_000_000
"""Costs are whole millionths, so that their sums are exact and ties are ties."""

_REACH = 3.0  # radii from a line within which its sides are looked for
_SAMPLE = 240.0  # lattice units from one sample of a line to the next


class Near(NamedTuple):
    """Hexsides near a line.

    Attributes
    ----------
    sides : array of int64, shape (k,)
        Their numbers, ascending.
    distances : array of float, shape (k,)
        From the middle of each to the line, in radii.
    """

    sides: NDArray[np.int64]
    distances: NDArray[np.float64]


class Way(NamedTuple):
    """A cheapest way.

    Attributes
    ----------
    nodes : list of int
        In order.
    arcs : list of int
        Numbers of the arcs between them, one fewer than nodes.
    """

    nodes: list[int]
    arcs: list[int]


def radii(grid: HexGrid) -> NDArray[np.float64]:
    """Return the radii of a hex that a lattice unit is, in x and in y; shape (2,)."""
    return np.array(grid.scale) / (grid.hex_height / (3**0.5 if grid.flat else 2))


class CornerGraph:
    """The corners and hexsides of a map, those at its edge among them: a line can leave the map along these.

    Parameters
    ----------
    grid : HexGrid

    Attributes
    ----------
    points : array of int64, shape (n, 2)
        Corners on the lattice, by x and then y.
    sides : array of int32, shape (m, 2)
        The cells that each side parts, the lower one first; -1 second where the map ends. By cell, then clockwise.
    ends : array of int32, shape (m, 2)
        Corners of each side: on the way from the first to the second, the first cell lies on the right hand.
    of_cell : array of int32, shape (cells, 6)
        Side of every cell in every direction, -1 of what is no hex.
    scale : array of float, shape (2,)
        Radii that a lattice unit is.
    """

    def __init__(self, grid: HexGrid) -> None:
        self.grid = grid
        self.scale = radii(grid)
        cells = np.flatnonzero(grid.present)
        other = grid.neighbour_table[cells]
        row, direction = np.nonzero((other < 0) | (cells[:, None] < other))
        cell, beyond = cells[row], other[row, direction]
        shape = np.array(CORNERS[grid.orientation])
        both = np.stack([grid.centres[cell] + shape[(direction + turn) % 6] for turn in (0, 1)], axis=1)
        span = int(both[..., 1].max()) - int(both[..., 1].min()) + 1 if len(both) else 1
        low = int(both[..., 1].min()) if len(both) else 0
        keys, inverse = np.unique(both[..., 0] * span + (both[..., 1] - low), return_inverse=True)
        self.points = np.stack([keys // span, keys % span + low], axis=1)
        self.ends = inverse.reshape(-1, 2).astype(np.int32)
        self.sides = np.stack([cell, beyond], axis=1).astype(np.int32)
        self.of_cell: NDArray[np.int32] = np.full((grid.cells, 6), -1, dtype=np.int32)
        numbers = np.arange(len(cell), dtype=np.int32)
        self.of_cell[cell, direction] = numbers
        inner = beyond >= 0
        self.of_cell[beyond[inner], (direction[inner] + 3) % 6] = numbers[inner]

    @cached_property
    def spots(self) -> NDArray[np.float64]:
        """Corners in radii; shape (n, 2)."""
        found: NDArray[np.float64] = self.points * self.scale
        return found

    @cached_property
    def at_corner(self) -> NDArray[np.int32]:
        """Sides at every corner, ascending, -1 after the last; int32, shape (n, 3)."""
        corners = self.ends.ravel()
        order = np.argsort(corners, kind="stable")
        sorted_corners = corners[order]
        first = np.searchsorted(sorted_corners, np.arange(len(self.points)))
        table = np.full((len(self.points), 3), -1, dtype=np.int32)
        table[sorted_corners, np.arange(len(order)) - first[sorted_corners]] = order // 2
        return table

    @cached_property
    def on_edge(self) -> NDArray[np.bool_]:
        """Corners where the map ends; shape (n,)."""
        found = np.zeros(len(self.points), dtype=bool)
        found[self.ends[self.sides[:, 1] < 0].ravel()] = True
        return found

    def sides_along(self, corners: Sequence[int]) -> list[int]:
        """Return the numbers of the sides on the way over corners, each next to the one before."""
        way = np.asarray(corners, dtype=np.int64)
        found: list[int] = self._along(way).tolist()
        return found

    def _along(self, way: NDArray[np.int64]) -> NDArray[np.int32]:
        around = self.at_corner[way[:-1]]
        fits = (self.ends[around] == way[1:, None, None]).any(axis=2) & (around >= 0)
        found: NDArray[np.int32] = around[np.arange(len(around)), fits.argmax(axis=1)]
        return found

    def hands(self, corners: Sequence[int]) -> NDArray[np.int32]:
        """Return the cells on the left and on the right hand of each step over corners, -1 off the map; (n, 2)."""
        way = np.asarray(corners, dtype=np.int64)
        sides = self._along(way)
        ahead = self.ends[sides, 0] == way[:-1]
        return np.where(ahead[:, None], self.sides[sides][:, ::-1], self.sides[sides])

    def cells_at(self, corner: int) -> list[int]:
        """Return the hexes that meet in a corner, ascending."""
        numbers = self.at_corner[corner]
        return sorted({cell for cell in self.sides[numbers[numbers >= 0]].ravel().tolist() if cell >= 0})

    def key(self, side: int) -> tuple[int, int]:
        """Return the two cells of a side."""
        a, b = self.sides[side].tolist()
        return a, b

    # -- near a line -------------------------------------------------------------------------------------------------

    def cells_near(self, line: Any, reach: float) -> NDArray[np.int64]:
        """Return the hexes near a line: all within a distance, and a few more.

        Parameters
        ----------
        line : shapely geometry
            In radii.
        reach : float
            In radii.
        """
        grid = self.grid
        places = _sampled(segments(line) / self.scale)
        across, along = (places[:, 0], places[:, 1]) if grid.flat else (places[:, 1], places[:, 0])
        lines = np.rint((across - STEP) / LINE_STEP).astype(np.int64)
        positions = np.rint((along - HALF) / STEP).astype(np.int64)
        raw = np.unique(np.stack([lines, positions], axis=1), axis=0)
        wide = int(np.ceil(reach / 1.5)) + 2  # a line of hexes is 1.5 radii wide, and the shift may be half a hex
        step = np.arange(-wide, wide + 1)
        near = (raw[:, None, None, :] + np.stack(np.meshgrid(step, step, indexing="ij"), axis=-1)[None]).reshape(-1, 2)
        column, row = (near[:, 0], near[:, 1]) if grid.flat else (near[:, 1], near[:, 0])
        inside = (column >= 0) & (column < grid.columns) & (row >= 0) & (row < grid.rows)
        cells = np.unique(row[inside] * grid.columns + column[inside])
        found: NDArray[np.int64] = cells[grid.present.ravel()[cells]]
        return found

    def near(self, line: Any, reach: float = _REACH) -> Near:
        """Return the sides whose middles lie within a distance of a line.

        Parameters
        ----------
        line : shapely geometry
            In radii.
        reach : float
            In radii.
        """
        import shapely

        every = np.unique(self.of_cell[self.cells_near(line, reach)].ravel())
        numbers: NDArray[np.int64] = every[every >= 0].astype(np.int64)
        if not len(numbers):
            return Near(numbers, np.zeros(0))
        tree = shapely.STRtree(shapely.linestrings(segments(line)))
        middles = shapely.points(self.spots[self.ends[numbers]].mean(axis=1))
        (which, _), far = tree.query_nearest(middles, max_distance=reach, return_distance=True, all_matches=False)
        order = np.argsort(which, kind="stable")
        return Near(np.take(numbers, which[order]), far[order])


@lru_cache(maxsize=2)
def corner_graph(grid: HexGrid) -> CornerGraph:
    """Return the graph of a grid; the last ones are kept."""
    return CornerGraph(grid)


def _sampled(pieces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points on pieces on the lattice, not far apart."""
    count = np.maximum(1, np.ceil(np.abs(pieces[:, 1] - pieces[:, 0]).max(axis=1) / _SAMPLE).astype(np.int64))
    which = np.repeat(np.arange(len(pieces)), count)
    part = (np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)) / count[which]
    points = pieces[which, 0] + part[:, None] * (pieces[which, 1] - pieces[which, 0])
    return np.concatenate([points, pieces[:, 1]])


def side_costs(distances: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the cost of sides by their distance from the line, in millionths."""
    found: NDArray[np.int64] = np.rint((BASE + distances**2) * UNIT).astype(np.int64)
    return found


def cheapest(
    tails: NDArray[np.int64],
    heads: NDArray[np.int64],
    costs: NDArray[np.int64],
    starts: dict[int, int],
    stops: dict[int, int],
) -> Way | None:
    """Return the cheapest way from one of several nodes to one of others.

    Parameters
    ----------
    tails, heads, costs : array of int64, shape (a,)
        Arcs, each in one direction and at most one from a node to another; costs are above 0.
    starts, stops : dict of int to int
        What it costs to begin, and to end, at a node.

    Returns
    -------
    Way or None
        None where no way is. Of ways that cost the same it is the one that comes, from its end back, over the lowest
        numbers.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import dijkstra

    if not starts or not stops:
        return None
    first, last = np.array(sorted(starts)), np.array(sorted(stops))
    names, inverse = np.unique(np.concatenate([tails, heads, first, last]), return_inverse=True)
    parts = np.split(inverse, np.cumsum([len(tails), len(heads), len(first)]))
    count = len(names)
    source, sink = count, count + 1
    tail = np.concatenate([parts[0], np.full(len(first), source), parts[3]])
    head = np.concatenate([parts[1], parts[2], np.full(len(last), sink)])
    # A zero in a sparse matrix is no arc: every way pays 1 at both ends.
    ends = [[starts[n] + 1 for n in first.tolist()], [stops[n] + 1 for n in last.tolist()]]
    cost = np.concatenate([costs, *map(np.array, ends)]).astype(np.int64)
    matrix = coo_matrix((cost.astype(float), (tail, head)), shape=(count + 2,) * 2).tocsr()
    far = dijkstra(matrix, indices=source)
    if not np.isfinite(far[sink]):
        return None
    tight = np.flatnonzero(np.isfinite(far[tail]) & (far[tail] + cost == far[head]))
    tight = tight[np.lexsort((tail[tight], head[tight]))]
    known, at = np.unique(head[tight], return_index=True)
    before = dict(zip(known.tolist(), tight[at].tolist(), strict=True))
    nodes, arcs = [], []
    arc = before[sink]
    while tail[arc] != source:
        nodes.append(int(names[tail[arc]]))
        arc = before[int(tail[arc])]
        arcs.append(arc)
    return Way(nodes[::-1], arcs[-2::-1])


def follow(graph: CornerGraph, line: Any, reach: float = _REACH) -> list[int]:
    """Return the corners of the cheapest way along a line, from the corner nearest to its start to that of its end.

    Parameters
    ----------
    graph : CornerGraph
    line : shapely LineString
        In radii.
    reach : float
        Sides farther off are no part of it; in radii.

    Returns
    -------
    list of int
        Corners in order; empty where the line is nowhere near the map.
    """
    import shapely

    near = graph.near(line, reach)
    if not len(near.sides):
        return []
    ends = graph.ends[near.sides].astype(np.int64)
    corners = np.unique(ends)
    start, stop = (
        int(corners[np.argmin(np.hypot(*(graph.spots[corners] - spot).T))])
        for spot in shapely.get_coordinates(line)[[0, -1]]
    )
    costs = side_costs(near.distances)
    tails, heads = np.concatenate([ends[:, 0], ends[:, 1]]), np.concatenate([ends[:, 1], ends[:, 0]])
    way = cheapest(tails, heads, np.concatenate([costs, costs]), {start: 0}, {stop: 0})
    return [] if way is None else way.nodes
