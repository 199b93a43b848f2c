"""Corners that borders share: moved, inserted and deleted everywhere at once, so that no gap opens.

Every function takes the features of a map by id and returns edits, one batch of which is one step. An outline or a
wall whose edge runs through the point without a corner there gets the corner; so do two borders that run along each
other and have not the same corners. Whole numbers and fractions decide.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from itertools import pairwise
from math import isqrt

import msgspec

from studio.errors import EditError
from studio.model.edits import Edit
from studio.model.features import Aperture, Feature, Point
from studio.model.topology.displace import Piece, Straight, along, carry, displace, piece_of
from studio.model.topology.draft import Draft, PointIndex, Strand, said
from studio.model.topology.rings import Weights, bounds, distance, foot, lies_on, nearest_part

__all__ = ["corners", "delete_vertex", "insert_corner", "insert_vertex", "move_vertex"]


def move_vertex(
    features: Mapping[str, Feature],
    point: Point,
    to: Point,
    only: Collection[str] | None = None,
    *,
    check: bool = True,
) -> list[Edit]:
    """Move a corner in every outline, hole and line that has it.

    Parameters
    ----------
    features : mapping of str to Feature
        By id.
    point, to : (x, y)
        On the lattice. Where ``to`` is a corner next to it, the two become one.
    only : collection of str, optional
        Ids of the features that may change; borders with others part.
    check : bool
        False moves also where an outline then crosses itself, as while dragging.

    Returns
    -------
    list of Edit
        Apertures on an edge that moves are carried along on it; apertures, places and dots of areas at the point move.

    Raises
    ------
    EditError
        When nothing runs through the point, or a sound area would cross itself, collapse, be turned inside out, or lose
        a hole or its dot; the message names the area and the place.
    """
    draft = Draft(features, only)
    if not any(
        point in strand.points or any(lies_on(point, p, q) for p, q in strand.edges())
        for strand in draft.strands((*point, *point))
    ):
        raise EditError(_no_corner("move", draft, point, "no outline and no line runs through it"))
    if point == to:
        return []
    displace(draft, {point: to})
    if check:
        draft.check()
    return draft.edits()


def corners(features: Mapping[str, Feature]) -> dict[Point, list[str]]:
    """Return every corner of an outline, a hole or a line with the ids of the features that have it."""
    found: dict[Point, dict[str, None]] = {}
    for strand in Draft(features).strands():
        for point in strand.points:
            found.setdefault(point, {})[strand.id] = None
    return {point: list(ids) for point, ids in found.items()}


def _no_corner(what: str, draft: Draft, point: Point, why: str) -> str:
    x, y = point
    known = {corner for strand in draft.strands() for corner in strand.points}
    near = min(known, key=lambda corner: ((corner[0] - x) ** 2 + (corner[1] - y) ** 2, corner), default=None)
    remedy = f"the nearest corner is {near}" if near is not None else "the map has no outline and no drawn line"
    return f"{what}: got the point {point}; {why}; {remedy}"


def insert_vertex(
    features: Mapping[str, Feature],
    point: Point,
    *,
    reach: Fraction | int = 0,
    weights: Weights = (1, 3),
    only: Collection[str] | None = None,
) -> tuple[list[Edit], Point]:
    """Insert a corner into every edge through a point.

    Parameters
    ----------
    features : mapping of str to Feature
    point : (x, y)
    reach : Fraction
        Square of the distance up to which the nearest edge is taken where none runs through the point itself.
    weights : (int, int)
        What the squares of dx and dy count in that distance.
    only : collection of str, optional
        Ids of the features that may change.

    Returns
    -------
    edits : list of Edit
    at : (x, y)
        Where the corner is: the point, or the lattice point of the nearest edge, or the nearest to it.

    Raises
    ------
    EditError
        When no edge runs through the point or near it, or the corner would bend an area into itself.
    """
    draft = Draft(features, only)
    at = insert_corner(draft, point, reach=reach, weights=weights)
    draft.check()
    return draft.edits(), at


def insert_corner(
    draft: Draft, point: Point, *, reach: Fraction | int = 0, weights: Weights = (1, 3), of: str = ""
) -> Point:
    """Insert a corner into a draft; see :func:`insert_vertex`.

    Parameters
    ----------
    draft : Draft
    point : (x, y)
    reach : Fraction
    weights : (int, int)
    of : str
        Id of the feature on whose edge the corner has to be; any without it.

    Raises
    ------
    EditError
        When no edge runs through the point or near it.
    """
    around = isqrt(int(reach) // min(weights)) + 1
    near = draft.strands((point[0] - around, point[1] - around, point[0] + around, point[1] + around))
    edges = [(strand, p, q) for strand in near for p, q in strand.edges()]
    own = [(strand, p, q) for strand, p, q in edges if of in ("", strand.id)]
    if any(lies_on(point, p, q) for _, p, q in own):
        for strand in dict.fromkeys(strand for strand, p, q in edges if lies_on(point, p, q)):
            _insert(draft, strand, (point,))
        return point
    far, p, q = min(((distance(point, p, q, weights), p, q) for _, p, q in own), default=(None, point, point))
    if far is None or far > reach:
        raise EditError(_no_corner("insert", draft, point, "no edge runs through it"))
    draft.node({p, q})
    points = {corner for strand in draft.strands(bounds((p, q)), borders=True) for corner in strand.points}
    u, v = min(pairwise([p, *PointIndex(points).on(p, q), q]), key=lambda one: distance(point, one[0], one[1], weights))
    at = foot(point, u, v, weights, reach=reach)
    # Beside the straight edge the corner bends it; what lies on the edge becomes a corner then, and stays.
    kept = PointIndex(feature.at for feature in draft.all() if isinstance(feature, Aperture)).on(u, v)
    (wx, wy), dx, dy = weights, v[0] - u[0], v[1] - u[1]
    chain = sorted({u, at, v, *kept}, key=lambda one: (wx * dx * one[0] + wy * dy * one[1], one == at))
    for strand in draft.strands(bounds((u, v))):
        if any(lies_on(u, *edge) and lies_on(v, *edge) for edge in strand.edges()):
            _insert(draft, strand, (u, at, v) if lies_on(at, u, v) else tuple(chain), (u, v))
    return at


def _insert(draft: Draft, strand: Strand, new: tuple[Point, ...], on: Piece | None = None) -> None:
    """Insert corners into the edges of a strand that hold them, or that hold a whole piece."""
    points: list[Point] = []
    for p, q in strand.edges():
        points.append(p)
        held = all(lies_on(end, p, q) for end in on or new)
        if held:
            ahead = (q[0] - p[0]) * (new[-1][0] - new[0][0]) + (q[1] - p[1]) * (new[-1][1] - new[0][1]) >= 0
            points += [point for point in (new if ahead else new[::-1]) if point not in (p, q)]
    if not strand.closed:
        points.append(strand.points[-1])
    draft.set_points(strand, points)


def delete_vertex(
    features: Mapping[str, Feature],
    point: Point,
    only: Collection[str] | None = None,
    *,
    check: bool = True,
    weights: Weights = (1, 3),
) -> list[Edit]:
    """Delete a corner from every outline, hole and line that has it.

    Parameters
    ----------
    features : mapping of str to Feature
    point : (x, y)
    only : collection of str, optional
        Ids of the features that may change.
    check : bool
        False deletes also where an outline then crosses itself.
    weights : (int, int)
        What the squares of dx and dy count in a distance.

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When nothing has a corner there, a ring would have fewer than three corners, three borders or more meet there
        (a gap would open between them), or a sound area would not be so any more.
    """
    draft = Draft(features, only)
    near = draft.strands((*point, *point))
    if not any(point in strand.points for strand in near):
        raise EditError(_no_corner("delete", draft, point, "nothing has a corner there"))
    draft.node({point})
    strands = [strand for strand in draft.strands((*point, *point)) if point in strand.points]
    ends = {q if p == point else p for s in strands if s.border for p, q in s.edges() if point in (p, q)}
    if len(ends) > 2:
        named = ", ".join(said(feature) for s in strands if s.border and (feature := draft.get(s.id)) is not None)
        msg = (
            f"delete: {len(ends)} borders meet at {point}, of {named}; without it a gap would open between them. "
            "Move the corner onto a neighbouring one, or merge two of the areas"
        )
        raise EditError(msg)
    bends: dict[Piece, list[Point]] = {}
    if len(ends) == 2:
        a, b = sorted(ends)
        if not lies_on(point, a, b):
            bends = _close_up(draft, point, a, b, weights)
    for strand in strands:
        _drop(draft, strand, point, bends)
    if check:
        draft.check()
    return draft.edits()


def _close_up(draft: Draft, point: Point, a: Point, b: Point, weights: Weights) -> dict[Piece, list[Point]]:
    """Carry the apertures of the two edges at a corner onto the one that takes their place, from a to b."""
    middle = nearest_part(point, a, b, weights)
    first, second = piece_of(a, point), piece_of(point, b)

    def onto(piece: Piece, low: Fraction, high: Fraction) -> Straight:
        return Straight(piece, a, b, low, high)

    pieces = {
        first: onto(first, Fraction(0), middle) if first[0] == a else onto(first, middle, Fraction(0)),
        second: onto(second, Fraction(1), middle) if second[0] == b else onto(second, middle, Fraction(1)),
    }
    found = [at for carried in carry(draft, pieces).values() for at in carried]
    for feature in list(draft.all()):
        if isinstance(feature, Aperture) and feature.at == point and draft.may_change(feature.id):
            at = (a[0] + round(middle * (b[0] - a[0])), a[1] + round(middle * (b[1] - a[1])))
            draft.put(msgspec.structs.replace(feature, at=at))
            found.append(at)
    if all(lies_on(at, a, b) for at in found):
        return {}
    dx, dy = b[0] - a[0], b[1] - a[1]
    return {piece_of(a, b): sorted(found, key=lambda at: dx * (at[0] - a[0]) + dy * (at[1] - a[1]))}


def _drop(draft: Draft, strand: Strand, point: Point, bends: Mapping[Piece, list[Point]]) -> None:
    kept: list[Point] = []
    around = (*strand.points[-1:], *strand.points, *strand.points[:1])
    for number, corner in enumerate(strand.points):
        if corner != point:
            kept.append(corner)
        elif strand.border and (strand.closed or 0 < number < len(strand.points) - 1):
            kept += along(bends, around[number], around[number + 2])
    if not strand.closed and len(strand.points) > 2 and strand.points[0] == strand.points[-1] == point:
        kept.append(kept[0])
    draft.set_points(strand, kept)
