"""Exact questions about rings and lines of lattice points: which side, on which edge, does it cross itself.

Whole numbers decide everywhere; no float is looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from studio.model.features import Area, Point

__all__ = [
    "Box",
    "Edge",
    "Weights",
    "area_fault",
    "bounds",
    "boxes_meet",
    "contacts",
    "crossing_point",
    "distance",
    "doubled_area",
    "foot",
    "lies_between",
    "lies_on",
    "line_edges",
    "line_fault",
    "nearest_part",
    "place_in_area",
    "place_in_ring",
    "turn",
    "turns_sharply",
    "without_repeats",
]

Box: TypeAlias = tuple[int, int, int, int]
Edge: TypeAlias = "tuple[Point, Point]"
Weights: TypeAlias = tuple[int, int]
"""What the squares of dx and dy count in a distance: (1, 3) with flat tops, (3, 1) with pointy ones."""


def turn(a: Point, b: Point, c: Point) -> int:
    """Return twice the signed area of the triangle a, b, c: its sign is the side of the line a-b on which c lies."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def lies_on(point: Point, p: Point, q: Point) -> bool:
    """Tell whether a point lies on the edge p-q, its ends included."""
    (x, y), (px, py), (qx, qy) = point, p, q
    if not (min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy)):
        return False
    return (qx - px) * (y - py) == (qy - py) * (x - px)


def lies_between(point: Point, p: Point, q: Point) -> bool:
    """Tell whether a point lies on the edge p-q and is none of its ends."""
    return point not in (p, q) and lies_on(point, p, q)


def turns_sharply(before: Point, corner: Point, after: Point) -> bool:
    """Tell whether a ring turns at a corner by more than 45 degrees: less is a bend of one wall."""
    ax, ay, bx, by = corner[0] - before[0], corner[1] - before[1], after[0] - corner[0], after[1] - corner[1]
    ahead, across = ax * bx + ay * by, ax * by - ay * bx
    return ahead < abs(across)


def line_edges(points: Sequence[Point], closed: bool) -> list[Edge]:
    """Return the edges of a line, or of a ring whose first corner is not repeated."""
    return list(pairwise((*points, points[0]) if closed else points))


def without_repeats(points: Iterable[Point], closed: bool) -> tuple[Point, ...]:
    """Return the corners of a line or a ring without those that follow themselves."""
    kept: list[Point] = []
    for point in points:
        if not kept or kept[-1] != point:
            kept.append(point)
    if closed and len(kept) > 1 and kept[0] == kept[-1]:
        kept.pop()
    return tuple(kept)


def doubled_area(ring: Sequence[Point]) -> int:
    """Return twice the signed area of a ring."""
    return sum(p[0] * q[1] - q[0] * p[1] for p, q in line_edges(ring, closed=True))


@lru_cache(maxsize=1 << 16)
def bounds(points: tuple[Point, ...]) -> Box:
    """Return the box around points: lowest x, lowest y, highest x, highest y."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def boxes_meet(a: Box, b: Box) -> bool:
    """Tell whether two boxes have a point in common."""
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def _crosses(p: Point, q: Point, r: Point, s: Point) -> bool:
    """Tell whether two edges cross in a point inside both."""
    first, second = turn(p, q, r), turn(p, q, s)
    if (first > 0) == (second > 0) or not first or not second:
        return False
    third, fourth = turn(r, s, p), turn(r, s, q)
    return bool(third) and bool(fourth) and (third > 0) != (fourth > 0)


def crossing_point(p: Point, q: Point, r: Point, s: Point) -> Point | None:
    """Return the lattice point nearest to where two edges cross inside both; None where they do not."""
    if not _crosses(p, q, r, s):
        return None
    part = Fraction(turn(r, s, p), turn(r, s, p) - turn(r, s, q))
    return (p[0] + round(part * (q[0] - p[0])), p[1] + round(part * (q[1] - p[1])))


def _touches(p: Point, q: Point, r: Point, s: Point) -> set[Point]:
    """Return the ends of two edges in which they meet."""
    found = {end for end in (p, q) if lies_on(end, r, s)}
    return found | {end for end in (r, s) if lies_on(end, p, q)}


def _close_pairs(edges: Sequence[Edge]) -> Iterator[tuple[int, int]]:
    """Yield the numbers of every two edges whose boxes meet."""
    spans = sorted((min(p[0], q[0]), max(p[0], q[0]), number) for number, (p, q) in enumerate(edges))
    for at, (_, high, first) in enumerate(spans):
        (_, py), (_, qy) = edges[first]
        for low, _, second in spans[at + 1 :]:
            if low > high:
                break
            (_, ry), (_, sy) = edges[second]
            if max(ry, sy) >= min(py, qy) and min(ry, sy) <= max(py, qy):
                yield (first, second) if first < second else (second, first)


def line_fault(points: Sequence[Point], closed: bool) -> Point | None:
    """Return a place where a line, or a ring, meets itself; None where it does not.

    Parameters
    ----------
    points : sequence of (x, y)
        A ring does not repeat its first corner; a corner that follows itself is a fault.
    closed : bool
        True for a ring.
    """
    edges = line_edges(points, closed)
    count = len(edges)
    for p, q in edges:
        if p == q:
            return p
    for first, second in _close_pairs(edges):
        (p, q), (r, s) = edges[first], edges[second]
        shared = set()
        if second == first + 1:
            shared.add(q)
        if closed and first == 0 and second == count - 1:
            shared.add(p)
        if not shared and _crosses(p, q, r, s):
            return p
        for met in sorted(_touches(p, q, r, s) - shared):
            return met
    return None


def contacts(a: Sequence[Edge], b: Sequence[Edge]) -> tuple[set[Point], Point | None]:
    """Return the corners in which two lines meet, and the begin of an edge that crosses one of the other (or None)."""
    met: set[Point] = set()
    for first, second in _close_pairs([*a, *b]):
        if first < len(a) <= second:
            (p, q), (r, s) = a[first], b[second - len(a)]
            if _crosses(p, q, r, s):
                return met, p
            met |= _touches(p, q, r, s)
    return met, None


def place_in_ring(point: Point, ring: Sequence[Point]) -> int:
    """Return 1 for a point inside a ring, 0 for one on it, -1 for one outside."""
    x, y = point
    inside = False
    for p, q in line_edges(ring, closed=True):
        if (p[1] > y) != (q[1] > y):
            side = turn(p, q, point)
            if not side:
                return 0
            inside ^= (side > 0) == (q[1] > p[1])
        elif (p[1] == y == q[1] and min(p[0], q[0]) <= x <= max(p[0], q[0])) or point in (p, q):
            return 0
    return 1 if inside else -1


def place_in_area(point: Point, area: Area) -> int:
    """Return 1 for a point inside an area, 0 for one on its border, -1 for one outside or in a hole."""
    found = place_in_ring(point, area.outline)
    for hole in area.holes:
        if found > 0:
            found = min(found, -place_in_ring(point, hole))
    return found


def _inside(inner: Sequence[Point], outer: Sequence[Point], met: Iterable[Point]) -> bool:
    free = [corner for corner in inner if corner not in met]
    return bool(free) and place_in_ring(free[0], outer) > 0


def area_fault(area: Area) -> tuple[str, Point] | None:
    """Say what is wrong with the shape of an area, and where; None for one that is sound.

    A sound outline does not meet itself and has a surface; holes lie inside and touch the outline or each other in one
    point at most; the dot lies inside.
    """
    holes = [without_repeats(hole, closed=True) for hole in area.holes]
    rings = [without_repeats(area.outline, closed=True), *holes]
    for what, ring in zip(("outline", *(f"hole {n + 1}" for n in range(len(holes)))), rings, strict=True):
        met = line_fault(ring, closed=True) if len(ring) > 2 else ring[0]
        if met is not None:
            return f"its {what} meets itself", met
    edges = [line_edges(ring, closed=True) for ring in rings]
    for number, hole in enumerate(holes):
        met_at, crossing = contacts(edges[number + 1], edges[0])
        if crossing is not None or len(met_at) > 1 or not _inside(hole, rings[0], met_at):
            return f"its hole {number + 1} does not lie inside", crossing or hole[0]
    for first, second in combinations(range(len(holes)), 2):
        met_at, crossing = contacts(edges[first + 1], edges[second + 1])
        a, b = holes[first], holes[second]
        if crossing is not None or len(met_at) > 1 or _inside(a, b, met_at) or _inside(b, a, met_at):
            return f"its holes {first + 1} and {second + 1} lie over each other", crossing or a[0]
    if area.dot is not None and place_in_area(area.dot, area) < 1:
        return "its dot does not lie inside", area.dot
    return None


def distance(point: Point, p: Point, q: Point, weights: Weights) -> Fraction:
    """Return the square of the distance of a point from an edge."""
    part = nearest_part(point, p, q, weights)
    dx, dy = p[0] + part * (q[0] - p[0]) - point[0], p[1] + part * (q[1] - p[1]) - point[1]
    return Fraction(weights[0] * dx * dx + weights[1] * dy * dy)


def nearest_part(point: Point, p: Point, q: Point, weights: Weights) -> Fraction:
    """Return the fraction of the edge p-q at which it comes nearest to a point."""
    (wx, wy), dx, dy = weights, q[0] - p[0], q[1] - p[1]
    length = wx * dx * dx + wy * dy * dy
    if not length:
        return Fraction(0)
    along = Fraction(wx * dx * (point[0] - p[0]) + wy * dy * (point[1] - p[1]), length)
    return min(max(along, Fraction(0)), Fraction(1))


def foot(point: Point, p: Point, q: Point, weights: Weights = (1, 3), *, reach: Fraction | int | None = None) -> Point:
    """Return the lattice point of an edge that is nearest to a point, none of its ends.

    Parameters
    ----------
    point, p, q : (x, y)
    weights : (int, int)
        What the squares of dx and dy count in a distance.
    reach : Fraction, optional
        Square of the distance up to which it is taken.

    Returns
    -------
    (x, y)
        Where the edge has no such point within reach: the lattice point nearest to the foot of the perpendicular.
    """
    dx, dy = q[0] - p[0], q[1] - p[1]
    part, steps = nearest_part(point, p, q, weights), gcd(dx, dy)
    if steps > 1:
        step = min(max(round(part * steps), 1), steps - 1)
        at = (p[0] + dx // steps * step, p[1] + dy // steps * step)
        if reach is None or weights[0] * (at[0] - point[0]) ** 2 + weights[1] * (at[1] - point[1]) ** 2 <= reach:
            return at
    return (p[0] + round(part * dx), p[1] + round(part * dy))
