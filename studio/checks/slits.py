"""Ground that no area covers between two that were meant to meet, open at its ends, so that nothing encloses it.

What areas enclose the coverage tells. Here whole numbers and fractions decide whether the straight way between two
borders runs over bare ground.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from fractions import Fraction
from itertools import pairwise, product
from math import ceil, floor, sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.checks.finding import MOST
from studio.checks.subject import LOCATIONS, MapSubject
from studio.model import Area, Point
from studio.survey import ring_edges

if TYPE_CHECKING:
    from shapely import Polygon, STRtree

__all__ = ["SLIVER", "Slit", "is_bare", "kin_of", "nearest_on", "side_by_side", "slits"]

SLIVER = 24
"""Lattice units, a twentieth of a hex: what is not as wide is a sliver, left by borders that were drawn twice."""

_CROWD = 40  # areas around each area, or edges beside each edge, on average

_Edge = tuple[Point, Point]
_Exact = tuple[Fraction, Fraction]
_Place = tuple[Fraction | int, Fraction | int]


def side_by_side(subject: MapSubject) -> list[Area]:
    """Return the areas whose borders are to meet: locations, wholes and their parts."""
    tiled = {area_id for tiling in subject.tilings for area_id in (tiling.whole, *tiling.parts)}
    return [area for area in subject.sound.values() if area.id in tiled or subject.layer(area) == LOCATIONS]


def kin_of(subject: MapSubject, area_id: str) -> set[str]:
    """Return the ids of an area and of all that it is part of."""
    found: set[str] = set()
    while area_id in subject.areas and area_id not in found:
        found.add(area_id)
        area_id = subject.areas[area_id].within
    return found


# -- bare ground -----------------------------------------------------------------------------------------------------


class _Ground(NamedTuple):
    """The areas that lie side by side, found by where they are, and their edges by how high they lie."""

    areas: list[Area]
    tree: STRtree
    edges: dict[str, tuple[list[_Edge], NDArray[np.float64], NDArray[np.float64]]]

    def edges_between(self, number: int, low: float, high: float) -> list[_Edge]:
        """Return the edges of an area that reach some height."""
        area = self.areas[number]
        if area.id not in self.edges:
            edges = [edge for ring in (area.outline, *area.holes) for edge in ring_edges(ring)]
            ys = np.array([(p[1], q[1]) for p, q in edges], dtype=float)
            self.edges[area.id] = edges, ys.min(axis=1), ys.max(axis=1)
        edges, lowest, highest = self.edges[area.id]
        return [edges[at] for at in np.flatnonzero((lowest <= high + 1) & (highest >= low - 1)).tolist()]


def _ground(subject: MapSubject) -> _Ground:
    import shapely

    areas = side_by_side(subject)
    return _Ground(areas, shapely.STRtree([subject.polygon(area.id) for area in areas]), {})


def is_bare(subject: MapSubject, start: _Place, end: _Place, but: Collection[str]) -> bool:
    """Tell whether the straight way between two points runs over ground that no area covers, in part at least.

    Parameters
    ----------
    subject : MapSubject
    start, end : (x, y)
    but : collection of str
        Ids of areas that do not count, such as the whole of which two parts do not meet.
    """
    import shapely

    p, q = _exact(start), _exact(end)
    if p == q:
        return False
    ground = subject.once(_ground)
    xs, ys = sorted((float(p[0]), float(q[0]))), sorted((float(p[1]), float(q[1])))
    around = shapely.box(xs[0] - 1, ys[0] - 1, xs[1] + 1, ys[1] + 1)
    near = [number for number in ground.tree.query(around).tolist() if ground.areas[number].id not in but]
    polygons = [subject.polygon(ground.areas[number].id) for number in near]
    if len(near) > _CROWD or bool(np.any(shapely.covers(polygons, around))):
        return False  # a heap of areas, of which the overlaps tell enough; or well inside one
    shapes = [ground.edges_between(number, *ys) for number in near]
    cuts = {Fraction(0), Fraction(1)}
    first, last = floor(min(p[0], q[0])), ceil(max(p[0], q[0]))
    for edge in (edge for edges in shapes for edge in edges):
        (ax, _), (bx, _) = edge
        if not (ax < first and bx < first) and not (ax > last and bx > last):
            cuts.update(_meetings(p, q, edge))
    row = sorted(cuts)
    for low, high in pairwise(row):
        part = (low + high) / 2
        middle = (p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1]))
        if not any(_covers(edges, middle) for edges in shapes):
            return True
    return False


def _exact(point: _Place) -> _Exact:
    return Fraction(point[0]), Fraction(point[1])


def _meetings(p: _Exact, q: _Exact, edge: _Edge) -> list[Fraction]:
    """Return how far along the way from p to q an edge crosses it; nothing where the two run side by side."""
    (ax, ay), (bx, by) = edge
    dx, dy, ex, ey = q[0] - p[0], q[1] - p[1], bx - ax, by - ay
    turn = dx * ey - dy * ex
    if not turn:
        return []
    along, across = ((ax - p[0]) * ey - (ay - p[1]) * ex) / turn, ((ax - p[0]) * dy - (ay - p[1]) * dx) / turn
    return [along] if 0 < along < 1 and 0 <= across <= 1 else []


def _covers(edges: list[_Edge], point: _Exact) -> bool:
    """Tell whether a point lies in an area or on its border; of its edges those at the height of the point suffice."""
    x, y = point
    inside, left, right, below = False, floor(x) - 1, ceil(x) + 1, floor(y)
    for (px, py), (qx, qy) in edges:
        if px < left and qx < left:
            continue
        if px > right and qx > right:
            inside ^= (py > below) != (qy > below)
            continue
        turn = (qx - px) * (y - py) - (qy - py) * (x - px)
        if not turn and min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy):
            return True
        if (py > y) != (qy > y) and (turn > 0) == (qy > py):
            inside = not inside
    return inside


def nearest_on(point: Point, edge: _Edge) -> _Exact:
    """Return the point of an edge that is nearest to a point, exactly."""
    (px, py), (qx, qy) = edge
    dx, dy = qx - px, qy - py
    part = Fraction(dx * (point[0] - px) + dy * (point[1] - py), dx * dx + dy * dy)
    part = min(max(part, Fraction(0)), Fraction(1))
    return px + part * dx, py + part * dy


# -- slits -----------------------------------------------------------------------------------------------------------


class Slit(NamedTuple):
    """A strip of bare ground between two areas, narrower than ``SLIVER`` and open at its ends.

    Attributes
    ----------
    a, b : str
        Ids of the areas, in order.
    point : (x, y)
        In its middle.
    polygon : shapely.Polygon
    corners : frozenset of (x, y)
        The corners of the two areas along it.
    """

    a: str
    b: str
    point: Point
    polygon: Polygon
    corners: frozenset[Point]


class _Strip(NamedTuple):
    """The part of a strip between two edges: its four corners, and its length along the first edge, squared."""

    ring: tuple[_Exact, _Exact, _Exact, _Exact]
    length: Fraction


def slits(subject: MapSubject) -> list[Slit]:
    """Return the strips of bare ground between two areas of which neither is part of the other, open at their ends."""
    import shapely

    ground = subject.once(_ground)
    polygons = [subject.polygon(area.id) for area in ground.areas]
    if not polygons or ground.tree.query(polygons).shape[1] > _CROWD * len(polygons):
        return []  # a heap of areas, of which the overlaps tell enough
    edges, owners = _outer_edges(subject)
    if len(edges) < 2:
        return []
    lines = shapely.linestrings(np.array(edges))
    one, other = shapely.STRtree(lines).query(lines, predicate="dwithin", distance=SLIVER)
    strips: dict[tuple[str, str], list[_Strip]] = defaultdict(list)
    tried: Counter[tuple[str, str]] = Counter()
    order = {area_id: number for number, area_id in enumerate(subject.areas)}
    ranks = np.array([order[owner] for owner in owners])
    apart = ranks[one] < ranks[other]
    if np.count_nonzero(apart) > _CROWD * len(edges):
        return []
    for i, j in zip(one[apart].tolist(), other[apart].tolist(), strict=True):
        a, b = owners[i], owners[j]
        strip = _strip(edges[i], edges[j])
        if strip is None or len(strips) > MOST:
            continue
        tried[a, b] += 1
        if tried[a, b] > MOST:
            continue  # by then the two have a strip, or none is to be found
        kin, other_kin = kin_of(subject, a), kin_of(subject, b)
        if a in other_kin or b in kin or subject.layer(subject.areas[a]) != subject.layer(subject.areas[b]):
            continue
        p, q, r, s = strip.ring
        if is_bare(subject, _halfway(p, q), _halfway(r, s), kin & other_kin):
            strips[a, b].append(strip)
    return [
        _slit(subject, a, b, found)
        for (a, b), found in sorted(strips.items(), key=lambda item: (order[item[0][0]], order[item[0][1]]))
        if _longer_than_wide(found) and not _of_wholes(subject, a, b, strips)
    ]


def _of_wholes(subject: MapSubject, a: str, b: str, strips: Collection[tuple[str, str]]) -> bool:
    """Tell whether the wholes of two areas have a strip too: that of two houses is that of their rooms."""
    pairs = {
        pair for one, other in product(kin_of(subject, a), kin_of(subject, b)) for pair in ((one, other), (other, one))
    }
    return any(pair != (a, b) and pair in strips for pair in pairs)


def _outer_edges(subject: MapSubject) -> tuple[list[_Edge], list[str]]:
    """Return the edges that no two areas share, and whose each is: along the others nothing is bare on either side."""
    found: dict[_Edge, list[tuple[_Edge, str]]] = defaultdict(list)
    for area in subject.once(side_by_side):
        for ring in (area.outline, *area.holes):
            for p, q in ring_edges(ring):
                if p != q:
                    found[(p, q) if p < q else (q, p)].append(((p, q), area.id))
    single = [pair for owned in found.values() if _is_outer(subject, [owner for _, owner in owned]) for pair in owned]
    return [edge for edge, _ in single], [owner for _, owner in single]


def _is_outer(subject: MapSubject, owners: list[str]) -> bool:
    """Tell whether an edge has areas on one side only: a whole and its parts lie on the same side."""
    first = owners[0]
    return len(owners) == 1 or all(
        owner in kin_of(subject, first) or first in kin_of(subject, owner) for owner in owners[1:]
    )


def _strip(edge: _Edge, other: _Edge) -> _Strip | None:
    """Return the strip between two edges where they run along each other, nearer than ``SLIVER`` all along."""
    (px, py), (qx, qy) = edge
    (rx, ry), (sx, sy) = other
    dx, dy, ex, ey = qx - px, qy - py, sx - rx, sy - ry
    square, along = dx * dx + dy * dy, dx * ex + dy * ey
    # Within thirty degrees: what meets at a wider angle is a corner, and no border drawn twice.
    if 4 * along * along < 3 * square * (ex * ex + ey * ey):
        return None
    r, s = (Fraction(dx * (x - px) + dy * (y - py), square) for x, y in other)
    low, high = max(Fraction(0), min(r, s)), min(Fraction(1), max(r, s))
    if low >= high:
        return None
    near = [(px + at * dx, py + at * dy) for at in (low, high)]
    far = [(rx + (at - r) / (s - r) * ex, ry + (at - r) / (s - r) * ey) for at in (low, high)]
    if any(_square(p, q) >= SLIVER * SLIVER for p, q in zip(near, far, strict=True)):
        return None
    if near == far:
        return None
    return _Strip((near[0], near[1], far[0], far[1]), _square(near[0], near[1]))


def _square(p: _Exact, q: _Exact) -> Fraction:
    return (p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2


def _halfway(p: _Exact, q: _Exact) -> _Exact:
    return (p[0] + q[0]) / 2, (p[1] + q[1]) / 2


def _longer_than_wide(strips: list[_Strip]) -> bool:
    """Tell whether strips are as long as a sliver may be wide: shorter ones are corners that do not meet."""
    return sum(sqrt(strip.length) for strip in strips) >= SLIVER


def _slit(subject: MapSubject, a: str, b: str, strips: list[_Strip]) -> Slit:
    import shapely

    longest = max(strips, key=lambda strip: strip.length)
    p, q, r, s = longest.ring
    x, y = _halfway(_halfway(p, q), _halfway(r, s))
    quads = [
        shapely.Polygon([(float(u), float(v)) for u, v in (p, q, s, r)]) for p, q, r, s in (one.ring for one in strips)
    ]
    polygon = shapely.union_all([quad if quad.is_valid else quad.convex_hull for quad in quads])
    around = polygon.buffer(1)
    corners = {
        corner
        for area_id in (a, b)
        for ring in (subject.areas[area_id].outline, *subject.areas[area_id].holes)
        for corner in ring
        if around.intersects(shapely.Point(corner))
    }
    return Slit(a, b, (round(x), round(y)), polygon, frozenset(corners))
