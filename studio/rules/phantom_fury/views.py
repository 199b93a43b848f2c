"""Which windows see each other across open ground: exact in whole numbers, many pairs at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.model import Area, Point
from studio.survey import ring_edges
from studio.survey.stretches import Segment, on_segment

__all__ = ["Windows", "clear_views", "oriented"]

_Ints = NDArray[np.int64]
_BATCH = 50_000  # pairs of windows that are looked at together
_SOURCES = 512  # windows from which they are gathered


class Windows:
    """Pieces of fronts, each with the open ground on its left (x to the right, y up).

    Parameters
    ----------
    pieces : sequence of (owner, segment)

    Attributes
    ----------
    owner : array of int64, shape (windows,)
    first, last : arrays of int64, shape (windows, 2)
    """

    def __init__(self, pieces: Sequence[tuple[int, Segment]]) -> None:
        self.owner: _Ints = np.array([owner for owner, _ in pieces], dtype=np.int64)
        ends = np.array([segment for _, segment in pieces], dtype=np.int64).reshape(-1, 2, 2)
        self.first: _Ints = ends[:, 0]
        self.last: _Ints = ends[:, 1]

    def __len__(self) -> int:
        """Return how many windows there are."""
        return len(self.owner)

    def middle(self, number: int) -> Point:
        """Return the middle of a window, in half lattice units."""
        x, y = (self.first[number] + self.last[number]).tolist()
        return x, y


def oriented(area: Area, segments: Iterable[Segment]) -> list[Segment]:
    """Return pieces of an area's outline, each turned so that the area lies on its left (x to the right, y up)."""
    rings = [_inside_left(area.outline), *(_inside_left(hole)[::-1] for hole in area.holes)]
    edges = [edge for ring in rings for edge in ring_edges(ring)]
    found = []
    for p, q in segments:
        a, b = next(edge for edge in edges if on_segment(p, edge) and on_segment(q, edge))
        along = (b[0] - a[0]) * (q[0] - p[0]) + (b[1] - a[1]) * (q[1] - p[1])
        found.append((p, q) if along > 0 else (q, p))
    return found


def _inside_left(ring: Sequence[Point]) -> Sequence[Point]:
    doubled = sum(p[0] * q[1] - q[0] * p[1] for p, q in pairwise((*ring, ring[0])))
    return ring if doubled > 0 else ring[::-1]


def _cross(u: _Ints, v: _Ints) -> _Ints:
    return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])


def clear_views(
    windows: Windows,
    edge: Sequence[Segment],
    wanted: Callable[[int, int], bool],
    width: int,
    reach: int,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[_Ints, dict[tuple[int, int], int]]:
    """Find the pairs of windows that see each other.

    Parameters
    ----------
    windows : Windows
    edge : sequence of Segment
        What ends the open ground.
    wanted : callable
        Tells of two owners, the lower number first, whether they matter.
    width, reach : int
        Least width and greatest length of a view, lattice units.
    progress : callable, optional
        Called with how many windows are done, and of how many.

    Returns
    -------
    pairs : array of int64, shape (views, 2)
        Numbers of the two windows, that of the lower owner first, in order.
    looked_at : dict of (owner, owner) to int
        How many pairs of windows of every two owners that matter are within reach.
    """
    import shapely

    looked_at: dict[tuple[int, int], int] = defaultdict(int)
    matters: dict[tuple[int, int], bool] = {}
    if not len(windows):
        return np.empty((0, 2), dtype=np.int64), looked_at
    middles = shapely.points((windows.first + windows.last) / 2.0)
    tree = shapely.STRtree(middles)
    lines = np.array(edge, dtype=np.int64).reshape(-1, 2, 2)
    edge_tree = shapely.STRtree(shapely.linestrings(lines))
    found = [np.empty((0, 2), dtype=np.int64)]
    for begin in range(0, len(windows), _SOURCES):
        near, other = tree.query(middles[begin : begin + _SOURCES], predicate="dwithin", distance=reach + 1)
        pairs = np.stack((near + begin, other), axis=1).astype(np.int64)
        pairs = pairs[windows.owner[pairs[:, 0]] < windows.owner[pairs[:, 1]]]
        pairs = pairs[_within(windows, pairs, reach)]
        pairs = pairs[_that_matter(windows, pairs, wanted, matters, looked_at)]
        pairs = pairs[_facing(windows, pairs, width)]
        for first in range(0, len(pairs), _BATCH):
            batch = pairs[first : first + _BATCH]
            found.append(batch[~_hidden(windows, batch, lines, edge_tree)])
        if progress is not None:
            progress(min(begin + _SOURCES, len(windows)), len(windows))
    seen = np.concatenate(found)
    return seen[np.lexsort((seen[:, 1], seen[:, 0]))], looked_at


def _that_matter(
    windows: Windows,
    pairs: _Ints,
    wanted: Callable[[int, int], bool],
    matters: dict[tuple[int, int], bool],
    looked_at: dict[tuple[int, int], int],
) -> NDArray[np.bool_]:
    """Tell which pairs are of owners that matter, and count those; what is wanted is asked once of every two owners."""
    areas = int(windows.owner.max()) + 1
    owners = windows.owner[pairs[:, 0]] * areas + windows.owner[pairs[:, 1]]
    keys, which, times = np.unique(owners, return_inverse=True, return_counts=True)
    good = np.zeros(len(keys), dtype=bool)
    for at, (key, count) in enumerate(zip(keys.tolist(), times.tolist(), strict=True)):
        both = divmod(key, areas)
        if both not in matters:
            matters[both] = wanted(*both)
        if matters[both]:
            good[at] = True
            looked_at[both] += count
    return np.asarray(good[which.ravel()])


def _within(windows: Windows, pairs: _Ints, reach: int) -> NDArray[np.bool_]:
    step = (windows.first + windows.last)[pairs[:, 1]] - (windows.first + windows.last)[pairs[:, 0]]
    return np.asarray((step**2).sum(axis=1) <= (2 * reach) ** 2)


def _facing(windows: Windows, pairs: _Ints, width: int) -> NDArray[np.bool_]:
    """Tell which windows lie in front of each other and look wide enough along the line between their middles."""
    i, j = pairs.T
    step = (windows.first + windows.last)[j] - (windows.first + windows.last)[i]  # twice the way between the middles
    good = np.ones(len(pairs), dtype=bool)
    for one, other in ((i, j), (j, i)):
        along = windows.last[one] - windows.first[one]
        sides = [_cross(along, ends[other] - windows.first[one]) for ends in (windows.first, windows.last)]
        good &= (sides[0] >= 0) & (sides[1] >= 0) & (sides[0] + sides[1] > 0)
        # The width is |along x step| / |step|; both sides are squared, so that no root is taken.
        seen, far = _cross(along, step), (step**2).sum(axis=1)
        if len(pairs) and max(int(np.abs(seen).max()) ** 2, width**2 * int(far.max())) >= 2**63:
            seen, far = seen.astype(object), far.astype(object)  # whole numbers of any size
        good &= (seen**2 >= width**2 * far).astype(bool)
    return good


def _hidden(windows: Windows, pairs: _Ints, lines: _Ints, edge_tree: Any) -> NDArray[np.bool_]:
    """Tell between which windows something of the edge lies inside the quadrilateral from one to the other."""
    import shapely

    i, j = pairs.T
    hidden = np.zeros(len(pairs), dtype=bool)
    # The line between the middles lies inside, and is hidden in most cases: it is looked at first.
    middles = np.stack(((windows.first + windows.last)[i], (windows.first + windows.last)[j]), axis=1)
    corners = np.stack((windows.first[i], windows.last[i], windows.first[j], windows.last[j]), axis=1)
    for shapes in (shapely.linestrings(middles / 2.0), shapely.polygons(corners)):
        open_ = np.flatnonzero(~hidden)
        # The tree only picks candidates; what lies inside is decided in whole numbers.
        view, line = edge_tree.query(shapes[open_], predicate="intersects")
        view = open_[view]
        hidden[view[_enters(corners[view], lines[line])]] = True
    return hidden


def _enters(corners: _Ints, lines: _Ints) -> NDArray[np.bool_]:
    """Tell which segments meet the inside of a convex quadrilateral, its corners with the inside on the left.

    Two convex shapes are apart just when a line along a side of one of them separates them.
    """
    start, end = lines[:, 0], lines[:, 1]
    apart = np.zeros(len(lines), dtype=bool)
    for number in range(4):
        corner, along = corners[:, number], corners[:, (number + 1) % 4] - corners[:, number]
        # Windows that meet in a corner make a triangle, whose fourth side is a point and separates nothing.
        side = (along != 0).any(axis=1)
        apart |= side & (_cross(along, start - corner) <= 0) & (_cross(along, end - corner) <= 0)
    sides = np.stack([_cross(end - start, corners[:, number] - start) for number in range(4)])
    apart |= (sides <= 0).all(axis=0) | (sides >= 0).all(axis=0)
    return ~apart
