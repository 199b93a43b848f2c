"""Lines and areas cut at the straight edges of a box, exactly: what two of them share they share afterwards, too.

A slanted line meets an edge between two points of the lattice. It is cut at the nearer one, which depends on the line
alone and not on where it begins; and whatever lies on the rest of the line becomes a corner of it first, so that only
the last bit before the edge is bent, for all that run along it alike.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.model.features import Area, Point
from studio.model.topology.rings import Box, bounds, doubled_area, without_repeats

if TYPE_CHECKING:
    from shapely import Polygon

__all__ = ["CutError", "Nodes", "cut_area", "cut_line", "reaches_over"]

Ring: TypeAlias = tuple[Point, ...]


class CutError(Exception):
    """An area that cannot be cut exactly; the message says why."""


def reaches_over(points: Sequence[Point], box: Box) -> bool:
    """Tell whether something lies in part or wholly outside a box."""
    x0, y0, x1, y1 = bounds(tuple(points))
    return x0 < box[0] or y0 < box[1] or x1 > box[2] or y1 > box[3]


class Nodes:
    """All points of a drawing, to be found on a line.

    Parameters
    ----------
    points : sequence of (x, y)
    """

    def __init__(self, points: Sequence[Point]) -> None:
        self.points: NDArray[np.int64] = np.array(sorted(set(points)), dtype=np.int64).reshape(-1, 2)

    def between(self, p: Point, q: Point) -> list[Point]:
        """Return the points that lie on the line between two others, in order from the first."""
        low, high = np.minimum(p, q), np.maximum(p, q)
        near = self.points[np.all((self.points >= low) & (self.points <= high), axis=1)]
        turned = (near[:, 0] - p[0]) * (q[1] - p[1]) - (near[:, 1] - p[1]) * (q[0] - p[0])
        found = [(int(x), int(y)) for x, y in near[turned == 0].tolist()]
        found = [point for point in found if point not in (p, q)]
        return sorted(found, key=lambda point: abs(point[0] - p[0]) + abs(point[1] - p[1]))


def _inside(p: Point, q: Point, box: Box) -> tuple[Fraction, Fraction] | None:
    """Return the part of a line from p (0) to q (1) that lies in a box, None where it has no length."""
    low, high = Fraction(0), Fraction(1)
    for axis in (0, 1):
        start, step = p[axis], q[axis] - p[axis]
        least, most = box[axis], box[axis + 2]
        if not step:
            if not least <= start <= most:
                return None
            continue
        ends = sorted((Fraction(least - start, step), Fraction(most - start, step)))
        low, high = max(low, ends[0]), min(high, ends[1])
    return (low, high) if low < high else None


def _point_on(p: Point, q: Point, part: Fraction) -> tuple[Point, bool]:
    """Return the lattice point nearest to a place on a line, and whether it lies on the line."""
    exact = [p[axis] + part * (q[axis] - p[axis]) for axis in (0, 1)]
    x, y = (floor(value + Fraction(1, 2)) for value in exact)
    return (x, y), exact == [x, y]


def _kept(p: Point, q: Point, box: Box, nodes: Nodes) -> list[Point]:
    """Return the corners of what a box leaves of the line between two points; none where it leaves nothing."""
    part = _inside(p, q, box)
    if part is None:
        return []
    (first, first_on), (last, last_on) = _point_on(p, q, part[0]), _point_on(p, q, part[1])
    middle: list[Point] = []
    if not (first_on and last_on):
        on_way = [point for point in nodes.between(p, q) if not reaches_over([point], box)]
        middle = [point for point in on_way if point not in (first, last)]
    return [first, *middle, last]


def cut_line(points: Sequence[Point], box: Box, nodes: Nodes) -> list[tuple[Point, ...]]:
    """Return the pieces of a line that lie in a box, in order; a closed line is not parted where it begins.

    Parameters
    ----------
    points : sequence of (x, y)
    box : (x0, y0, x1, y1)
    nodes : Nodes
        What may lie on the line.
    """
    pieces: list[list[Point]] = []
    joined = False
    for p, q in pairwise(without_repeats(points, closed=False)):
        kept = _kept(p, q, box, nodes)
        if not kept:
            joined = False
            continue
        if joined and kept[0] == p:
            pieces[-1] += kept[1:]
        else:
            pieces.append(kept)
        joined = kept[-1] == q
    closed = len(pieces) > 1 and points[0] == points[-1] and pieces[0][0] == points[0] and pieces[-1][-1] == points[0]
    if closed:
        pieces[0] = [*pieces.pop(), *pieces[0][1:]]
    found = [without_repeats(piece, closed=False) for piece in pieces]
    return [piece for piece in found if len(piece) > 1]


def cut_area(area: Area, box: Box, nodes: Nodes) -> list[tuple[Ring, tuple[Ring, ...]]]:
    """Return what a box leaves of an area: outline and holes of each piece, the largest first.

    Raises
    ------
    CutError
        When the area crosses itself, or is so narrow at the edge that the lattice cannot hold its pieces.
    """
    import shapely

    if not shapely.Polygon(area.outline, area.holes).is_valid:
        raise CutError("its outline crosses itself")
    rings = [_with_crossings(ring, box, nodes) for ring in (area.outline, *area.holes)]
    polygon = shapely.Polygon(rings[0], rings[1:])
    if not polygon.is_valid:
        raise CutError("it is narrower at the edge than the lattice")
    parts = shapely.get_parts(shapely.intersection(polygon, shapely.box(*box)))
    found = [part for part in parts if part.geom_type == "Polygon" and part.area > 0]
    order = {point: number for number, point in enumerate(reversed([*area.outline, *sum(area.holes, ())]))}
    signs = [doubled_area(area.outline) > 0, *(doubled_area(hole) > 0 for hole in area.holes)]
    pieces = [_piece(part, signs, lambda point: order.get(point, -1)) for part in found]
    return sorted(pieces, key=lambda piece: (-abs(doubled_area(piece[0])), piece[0]))


def _with_crossings(ring: Ring, box: Box, nodes: Nodes) -> Ring:
    """Return a ring with a corner wherever it meets the edges of a box."""
    found: list[Point] = []
    for p, q in pairwise((*ring, ring[0])):
        found.append(p)
        kept = _kept(p, q, box, nodes) if reaches_over((p, q), box) else []
        found += [point for point in kept if point not in (p, q)]
    return without_repeats(found, closed=True)


def _piece(part: Polygon, signs: Sequence[bool], rank: Callable[[Point], int]) -> tuple[Ring, tuple[Ring, ...]]:
    """Return a polygon as rings that begin and run as those of the area did, as far as they are left."""

    def ring_of(line: Any, positive: bool) -> Ring:
        values = np.array(line.coords)[:-1]
        if not np.array_equal(values, np.rint(values)):
            raise CutError("it cannot be cut on the lattice")
        points: list[Point] = [(round(x), round(y)) for x, y in values.tolist()]
        if (doubled_area(points) > 0) != positive:
            points.reverse()
        start = max(range(len(points)), key=lambda index: (rank(points[index]), points[index]))
        return (*points[start:], *points[:start])

    holes = [ring_of(line, signs[1] if len(signs) > 1 else False) for line in part.interiors]
    return ring_of(part.exterior, signs[0]), tuple(sorted(holes))
