"""What is left of a drawn polygon in one hex: its connected pieces, exactly, and which lines run through them.

A line that has no end in the hex runs through the inside of a connected piece just when the piece has corners on both
sides of the line. So the corners are all that is kept, as homogeneous whole numbers ``(X, Y, D)``: the point
``(X / D, Y / D)`` as seen from the centre of the hex, D > 0. No float decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from studio.errors import GridError

if TYPE_CHECKING:
    from shapely import Polygon

__all__ = ["Corner", "Piece", "hex_pieces", "hits", "triangles"]

Point: TypeAlias = tuple[int, int]
Corner: TypeAlias = tuple[int, int, int]
Piece: TypeAlias = tuple[Corner, ...]
Triangle: TypeAlias = tuple[Point, Point, Point]
_HalfPlane: TypeAlias = tuple[int, int, int]


def hits(piece: Piece, offset: Point, direction: Point, *, graze: bool = False) -> bool:
    """Tell whether a line runs through the inside of a piece.

    Parameters
    ----------
    piece : tuple of corners
    offset : (x, y)
        Centre of the hex of the piece, as seen from a point of the line.
    direction : (dx, dy)
        Of the line, which has no end in the hex.
    graze : bool
        Touching its outline is enough.

    Examples
    --------
    >>> square = ((0, 0, 1), (9, 0, 1), (9, 9, 1), (0, 9, 1))
    >>> hits(square, (20, 0), (1, 0)), hits(square, (20, 0), (1, 0), graze=True), hits(square, (20, -3), (1, 0))
    (False, True, True)
    """
    dx, dy = direction
    away = dx * offset[1] - dy * offset[0]
    low = high = False
    for x, y, d in piece:
        side = dx * y - dy * x + away * d
        low = low or side < 0 or (graze and side == 0)
        high = high or side > 0 or (graze and side == 0)
    return low and high


def triangles(polygon: Polygon) -> list[Triangle]:
    """Cut a polygon with corners on the lattice into triangles with the same corners.

    Raises
    ------
    GridError
        When a corner is off the lattice, as where an outline crosses itself.
    """
    import shapely

    corners = shapely.get_coordinates(polygon)
    found: list[Triangle] = []
    if (corners == corners.round()).all():
        for part in shapely.get_parts(shapely.constrained_delaunay_triangles(polygon)):
            (ax, ay), (bx, by), (cx, cy) = ((round(x), round(y)) for x, y in part.exterior.coords[:3])
            found.append(((ax, ay), (bx, by), (cx, cy)))
    rings = [polygon.exterior, *polygon.interiors]
    sizes = [abs(_twice_area([(round(x), round(y)) for x, y in ring.coords[:-1]])) for ring in rings]
    if not found or sum(abs(_twice_area(one)) for one in found) != sizes[0] - sum(sizes[1:]):
        msg = "the outline crosses itself, or has corners off the lattice; draw it anew without crossing lines"
        raise GridError(msg)
    return found


def _twice_area(ring: Sequence[Point]) -> int:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*ring, ring[0]]))


def hex_pieces(cut: Iterable[Triangle], centre: Point, corners: Sequence[Point]) -> list[Piece]:
    """Return the connected pieces of a polygon inside one hex.

    Parameters
    ----------
    cut : iterable of triangles
        The polygon, as :func:`triangles` gives it.
    centre : (x, y)
        Of the hex.
    corners : sequence of (x, y)
        Of the hex, as seen from its centre, in order.

    Returns
    -------
    list of pieces
        Corners of the parts of each; which of them are inner ones does not matter.
    """
    planes = [_inner_side(a, b) for a, b in pairwise([*corners, corners[0]])]
    parts: list[tuple[Triangle, list[Corner]]] = []
    for triangle in cut:
        clipped: list[Corner] = [(x - centre[0], y - centre[1], 1) for x, y in triangle]
        for plane in planes:
            clipped = _clip(clipped, plane)
        if _has_inside(clipped):
            parts.append((triangle, clipped))
    group = list(range(len(parts)))
    for second in range(len(parts)):
        for first in range(second):
            common = sorted(set(parts[first][0]) & set(parts[second][0]))
            if group[first] != group[second] and len(common) == 2 and _crosses_inside(common, centre, planes):
                old, new = group[second], group[first]
                group = [new if number == old else number for number in group]
    return [
        tuple(sorted({corner for at, (_, ring) in enumerate(parts) if group[at] == number for corner in ring}))
        for number in dict.fromkeys(group)
    ]


def _inner_side(a: Point, b: Point) -> _HalfPlane:
    """Return (p, q, r) with p x + q y + r >= 0 on the side of a line where the centre (0, 0) lies."""
    p, q = a[1] - b[1], b[0] - a[0]
    r = -(p * a[0] + q * a[1])
    return (p, q, r) if r > 0 else (-p, -q, -r)


def _value(plane: _HalfPlane, at: Corner) -> int:
    return plane[0] * at[0] + plane[1] * at[1] + plane[2] * at[2]


def _between(one: Corner, other: Corner, one_value: int, other_value: int) -> Corner:
    """Return where the line through two corners meets the border of a half plane that has them on different sides."""
    x, y, d = (one_value * b - other_value * a for a, b in zip(one, other, strict=True))
    common = gcd(x, y, d) * (1 if d > 0 else -1)
    return x // common, y // common, d // common


def _clip(ring: list[Corner], plane: _HalfPlane) -> list[Corner]:
    values = [_value(plane, corner) for corner in ring]
    kept: list[Corner] = []
    for at, corner in enumerate(ring):
        here, before = values[at], values[at - 1]
        if (here < 0 < before) or (before < 0 < here):
            kept.append(_between(ring[at - 1], corner, before, here))
        if here >= 0:
            kept.append(corner)
    return kept


def _has_inside(ring: list[Corner]) -> bool:
    """Tell whether a convex ring has an area: some corner does not lie on the line of two others."""
    if len(ring) < 3:
        return False
    (x0, y0, d0), rest = ring[0], ring[1:]
    arms = [(x * d0 - x0 * d, y * d0 - y0 * d) for x, y, d in rest]
    first = next((arm for arm in arms if arm != (0, 0)), None)
    return first is not None and any(first[0] * y != first[1] * x for x, y in arms)


def _crosses_inside(ends: list[Point], centre: Point, planes: list[_HalfPlane]) -> bool:
    """Tell whether a segment has a positive length inside the hex, its border left out."""
    a, b = ((x - centre[0], y - centre[1], 1) for x, y in ends)
    for plane in planes:
        here, there = _value(plane, a), _value(plane, b)
        if here <= 0 and there <= 0:
            return False
        if here < 0:
            a = _between(a, b, here, there)
        elif there < 0:
            b = _between(a, b, here, there)
    return a != b
