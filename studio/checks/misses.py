"""Where borders do not meet: corners of one area that lie close to another area's border, but not on it.

Whole numbers decide: a corner lies on an edge or does not. Near are corners and edges within ``NEAR`` lattice units.
To be near is no fault by itself: a border may have short edges, and an area may be narrow. It is one where the way from
the corner to the border runs over ground that is covered twice or not at all.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from studio.checks.slits import SLIVER, is_bare, kin_of, nearest_on, side_by_side
from studio.checks.subject import MapSubject
from studio.checks.tilings import Flaw, flaws, slivers
from studio.model import Point
from studio.survey import ring_edges

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = [
    "NEAR",
    "Contacts",
    "Edge",
    "Miss",
    "contacts_of",
    "distance2",
    "missed_borders",
    "misses_of",
    "near_on_segment",
]

NEAR = 8
"""Lattice units, a sixtieth of a hex: corners and borders that come closer without meeting were meant to meet."""

_CROWD = 8  # corners or borders beside a corner

Edge = tuple[Point, Point]


def near_on_segment(point: Point, edge: Edge, within: int = NEAR) -> bool | None:
    """Tell where a point lies to an edge: True on it, False off it but near, None farther away. Exactly.

    Examples
    --------
    >>> edge = ((0, 0), (100, 0))
    >>> [near_on_segment(point, edge) for point in ((50, 0), (50, 3), (104, 3), (50, 9))]
    [True, False, False, None]
    """
    (px, py), (qx, qy) = edge
    dx, dy, x, y = qx - px, qy - py, point[0] - px, point[1] - py
    length, along, away = dx * dx + dy * dy, dx * x + dy * y, dx * y - dy * x
    if 0 <= along <= length:
        if not away:
            return True
        return False if away * away <= within * within * length else None
    if along > length:
        x, y = point[0] - qx, point[1] - qy
    return False if x * x + y * y <= within * within else None


class Contacts(NamedTuple):
    """Which areas have a corner, which have it on an edge, and which have an edge near it."""

    owners: dict[Point, set[str]]
    on: dict[Point, set[str]]
    near: dict[Point, dict[str, list[Edge]]]

    def holds(self, area_id: str, corner: Point) -> bool:
        """Tell whether a corner lies on the border of an area."""
        return area_id in self.owners[corner] or area_id in self.on[corner]


def contacts_of(subject: MapSubject) -> Contacts:
    """Return where the corners of areas that lie side by side meet the borders of others, or come near."""
    import shapely

    owners: dict[Point, set[str]] = defaultdict(set)
    edges: list[Edge] = []
    owner: list[str] = []
    for area in subject.once(side_by_side):
        for ring in (area.outline, *area.holes):
            for edge in ring_edges(ring):
                owners[edge[0]].add(area.id)
                edges.append(edge)
                owner.append(area.id)
    found = Contacts(owners, defaultdict(set), defaultdict(lambda: defaultdict(list)))
    if not edges:
        return found
    corners = list(owners)
    spots = np.array(corners)
    boxes = shapely.box(*(spots - NEAR).T, *(spots + NEAR).T)
    met = shapely.STRtree(shapely.linestrings(np.array(edges))).query(boxes, predicate="intersects")
    for at, number in met.T.tolist():
        corner, area_id = corners[at], owner[number]
        if area_id in owners[corner]:
            continue
        lies = near_on_segment(corner, edges[number])
        if lies:
            found.on[corner].add(area_id)
        elif lies is False:
            found.near[corner][area_id].append(edges[number])
    return found


def _close(contacts: Contacts, asked: Sequence[Point], within: int) -> dict[Point, list[Point]]:
    """Return for every corner in question the other corners near it, the nearest first."""
    if not asked:
        return {}
    import shapely

    corners = sorted(contacts.owners)
    tree = shapely.STRtree(shapely.points(np.array(corners)))
    spots = np.array(asked)
    met = tree.query(shapely.box(*(spots - within).T, *(spots + within).T), predicate="intersects")
    found: dict[Point, list[Point]] = defaultdict(list)
    for at, number in met.T.tolist():
        (x, y), (u, v) = asked[at], corners[number]
        if 0 < (x - u) ** 2 + (y - v) ** 2 <= within * within:
            found[asked[at]].append(corners[number])
    for corner, others in found.items():
        others.sort(key=lambda other: (distance2(corner, other), other))
    return found


class Miss(NamedTuple):
    """A corner that misses the border of some areas, and the corners near it that lie on one."""

    corner: Point
    others: list[Point]
    missed: list[str]


class _Flawed(NamedTuple):
    """Ground that is covered wrongly, a quarter of a lattice unit wider, so that no rounding leaves a corner out."""

    flaw: Flaw
    ground: BaseGeometry


def _flawed(subject: MapSubject) -> dict[Point, list[_Flawed]]:
    """Return for the corners at ground that is covered twice or not at all where that ground is."""
    import shapely

    found: dict[Point, list[_Flawed]] = defaultdict(list)
    wrong = [_Flawed(flaw, flaw.ground.buffer(0.25)) for flaw in subject.once(flaws)]
    corners = list(subject.once(contacts_of).owners)
    if wrong and corners:
        points = shapely.points(np.array(corners))
        tree = shapely.STRtree(points)
        for one in wrong:
            for at in tree.query(one.ground, predicate="intersects").tolist():
                found[corners[at]].append(one)
    return found


def misses_of(subject: MapSubject) -> list[Miss]:
    """Return every corner that misses a border, with the corners near it and the areas whose border it misses."""
    contacts, flawed = subject.once(contacts_of), subject.once(_flawed)
    asked = sorted(contacts.near.keys() | flawed.keys())
    close = _close(contacts, asked, max(2 * NEAR, SLIVER))
    found = []
    for corner in asked:
        if max(len(close.get(corner, ())), len(contacts.near.get(corner, ()))) > _CROWD:
            continue  # a heap of areas, of which the overlaps tell enough
        # Where a sliver shows that borders were meant to meet, they may be as far apart as it is wide.
        reach = SLIVER if any(one.flaw.thin for one in flawed.get(corner, ())) else NEAR
        beside = [other for other in close.get(corner, ()) if distance2(corner, other) <= reach * reach]
        missed = _missed(subject, corner, close.get(corner, []), beside)
        if missed:
            others = [other for other in beside if any(contacts.holds(area_id, other) for area_id in missed)]
            found.append(Miss(corner, others, missed))
    return found


def _missed(subject: MapSubject, corner: Point, close: Sequence[Point], beside: Sequence[Point]) -> list[str]:
    """Return the areas whose border is near a corner, with ground between that is covered wrongly."""
    contacts = subject.once(contacts_of)
    near = contacts.near.get(corner, {})
    mine = contacts.owners[corner]
    likely = dict.fromkeys((*near, *sorted(set().union(*(contacts.owners[other] for other in beside)) - mine)))
    return [area_id for area_id in likely if _misses_area(subject, corner, area_id, close, beside)]


def _misses_area(
    subject: MapSubject, corner: Point, area_id: str, close: Sequence[Point], beside: Sequence[Point]
) -> bool:
    contacts = subject.once(contacts_of)
    mine = contacts.owners[corner]
    meets, flawed = area_id in contacts.on[corner], subject.once(_flawed)
    targets = [other for other in beside if area_id in contacts.owners[other]]
    # A corner on a border meets it, unless the two cover the ground there both.
    told = [
        one
        for one in flawed.get(corner, ())
        if area_id in one.flaw.ids and mine & one.flaw.ids - {area_id} and (one.flaw.overlap or not meets)
    ]
    if any(_runs_over(one.ground, corner, target) for one in told for target in targets):
        return True
    # Of two corners apart in both directions the way between runs beside the thin overlap, not over it.
    if not meets and any(one.flaw.overlap and one.flaw.thin for one in told) and any(map(flawed.get, targets)):
        return True
    edges = contacts.near.get(corner, {}).get(area_id, [])
    ends = [nearest_on(corner, edge) for edge in edges] if told or not meets else []
    if any(_runs_over(one.ground, corner, end) for one in told for end in ends):
        return True
    if meets or not ends:
        return False
    # Areas that have another corner in common close by are joined there; a short edge was drawn on purpose.
    close = [other for other in close if distance2(corner, other) <= 4 * NEAR * NEAR]
    if all(any(contacts.holds(own, q) and contacts.holds(area_id, q) for q in close) for own in mine):
        return False
    kin = kin_of(subject, area_id)
    return any(is_bare(subject, corner, end, kin_of(subject, own) & kin) for own in sorted(mine) for end in ends)


def _runs_over(ground: BaseGeometry, corner: Point, target: tuple[Fraction | int, Fraction | int]) -> bool:
    import shapely

    return bool(ground.covers(shapely.LineString([corner, (float(target[0]), float(target[1]))])))


def missed_borders(subject: MapSubject) -> dict[frozenset[str], Point]:
    """Return the pairs of areas whose borders miss each other by a little, with a point where they do.

    What other checks say of neighbours there may be wrong: the two were meant to meet.
    """
    found: dict[frozenset[str], Point] = {}
    for corner, _, missed in subject.once(misses_of):
        for pair in product(sorted(subject.once(contacts_of).owners[corner]), missed):
            found.setdefault(frozenset(pair), corner)
    for ids, point in slivers(subject):
        for pair in combinations(ids, 2):
            found.setdefault(frozenset(pair), point)
    return found


def distance2(a: Point, b: Point) -> int:
    """Return the square of the distance of two points, which is a whole number."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2
