"""Exact contacts of one segment with drawn lines and areas. Integers decide.

Every function works in one fixed direction of the segment and turns the result round where it was asked the other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Literal, TypeAlias

import msgspec

from studio.grid import How

__all__ = ["AreaContact", "LineContact", "LineHow", "Point", "area_contacts", "line_contacts"]

Point: TypeAlias = tuple[int, int]
LineHow = Literal["cross", "along", "touch"]

_START, _END = Fraction(0), Fraction(1)


class LineContact(msgspec.Struct, frozen=True):
    """One meeting of a segment with a drawn line.

    Attributes
    ----------
    how : {"cross", "along", "touch"}
        From one side of the drawn line to the other; a positive length in common; or in one point without passing,
        also at an end of either.
    enter, leave : Fraction
        Where the contact begins and ends, 0 to 1 along the segment; equal but for ``along``.
    """

    how: LineHow
    enter: Fraction
    leave: Fraction


class AreaContact(msgspec.Struct, frozen=True):
    """One meeting of a segment with an area.

    Attributes
    ----------
    how : {"through", "along", "touch"}
        Inside for a positive length, on the border for a positive length, or in one point only.
    enter, leave : Fraction
        Where the contact begins and ends, 0 to 1 along the segment; equal for a touch.
    """

    how: How
    enter: Fraction
    leave: Fraction


# -- drawn lines ---------------------------------------------------------------------------------------------------


def line_contacts(a: Point, b: Point, line: Sequence[Point]) -> tuple[LineContact, ...]:
    """Return the contacts of the segment between two points with a drawn line, in order.

    Parameters
    ----------
    a, b : tuple of int
    line : sequence of points
        Vertices; one that ends where it begins is a ring and has no ends.

    Returns
    -------
    tuple of LineContact
        ``cross`` where the segment passes from one side to the other, also exactly in an inner vertex; ``along`` for a
        positive length in common, whatever the drawn line does before and after; ``touch`` else: it is met without
        passing, or at its end, or by an end of the segment.

    Examples
    --------
    >>> [(contact.how, str(contact.enter)) for contact in line_contacts((0, 0), (4, 0), [(1, -1), (1, 1), (2, 0)])]
    [('cross', '1/4'), ('touch', '1/2')]
    """
    if b < a:
        return tuple(LineContact(c.how, 1 - c.leave, 1 - c.enter) for c in reversed(line_contacts(b, a, line)))
    points = [point for at, point in enumerate(line) if at == 0 or point != line[at - 1]]
    if not _boxes_meet(a, b, points):
        return ()
    if a == b:
        pieces = list(pairwise(points)) or [(points[0], points[0])]
        return (LineContact("touch", _START, _END),) if any(_on_piece(a, *piece) for piece in pieces) else ()
    dx, dy = b[0] - a[0], b[1] - a[1]
    side = [dx * (y - a[1]) - dy * (x - a[0]) for x, y in points]
    if min(side) > 0 or max(side) < 0:
        return ()
    ring = len(points) > 3 and points[0] == points[-1]
    if ring:
        # Begin off the segment's line, so that no stretch along it is cut in two.
        begin = next((at for at, value in enumerate(side) if value), 0)
        points = points[begin:-1] + points[: begin + 1]
        side = side[begin:-1] + side[: begin + 1]
    return _in_order(_line_contacts(a, (dx, dy), points, side))


def _line_contacts(a: Point, step: Point, points: list[Point], side: list[int]) -> Iterable[LineContact]:
    """Yield the contacts of a segment with a drawn line of which no two points in a row are equal, in the line's order.

    `side` tells on which side of the segment's line each point lies, 0 on it.
    """
    last = len(points) - 1
    at = 0
    while at <= last:
        if side[at]:
            if at < last and (side[at] > 0) != (side[at + 1] > 0) and side[at + 1]:
                where = _meeting(a, points[at], points[at + 1], side[at], side[at + 1])
                yield from _point_contact(where, crosses=True)
            at += 1
            continue
        end = at
        while end < last and side[end + 1] == 0:
            end += 1
        places = [_place(a, step, point) for point in points[at : end + 1]]
        low, high = max(min(places), _START), min(max(places), _END)
        if low < high:
            yield LineContact("along", low, high)
        elif low == high:
            passes = at == end and 0 < at < last and (side[at - 1] > 0) != (side[at + 1] > 0)
            yield from _point_contact(low, crosses=passes)
        at = end + 1


def _point_contact(where: Fraction, *, crosses: bool) -> Iterable[LineContact]:
    if _START <= where <= _END:
        yield LineContact("cross" if crosses and _START < where < _END else "touch", where, where)


def _place(a: Point, step: Point, point: Point) -> Fraction:
    """Return where on the segment's line a point of it lies."""
    if abs(step[0]) >= abs(step[1]):
        return Fraction(point[0] - a[0], step[0])
    return Fraction(point[1] - a[1], step[1])


def _meeting(a: Point, p: Point, q: Point, side_p: int, side_q: int) -> Fraction:
    """Return where the segment's line meets a piece p-q that has its ends on different sides, or one on the line."""
    ex, ey = q[0] - p[0], q[1] - p[1]
    return Fraction((p[0] - a[0]) * ey - (p[1] - a[1]) * ex, side_q - side_p)


def _in_order(contacts: Iterable[LineContact]) -> tuple[LineContact, ...]:
    """Sort contacts, and join stretches along the same line that overlap: it may be drawn twice over."""
    joined: list[LineContact] = []
    for contact in sorted(contacts, key=lambda one: (one.enter, one.leave, one.how)):
        if contact in joined[-1:]:
            continue
        if contact.how == "along":
            before = next(
                (at for at, one in enumerate(joined) if one.how == "along" and one.leave >= contact.enter), None
            )
            if before is not None:
                one = joined[before]
                joined[before] = LineContact("along", one.enter, max(one.leave, contact.leave))
                continue
        joined.append(contact)
    return tuple(joined)


def _boxes_meet(a: Point, b: Point, points: Sequence[Point]) -> bool:
    """Tell whether the box of some points meets that of a segment with a <= b."""
    if not points:
        return False
    xs, ys = [x for x, _ in points], [y for _, y in points]
    low, high = (a[1], b[1]) if a[1] <= b[1] else (b[1], a[1])
    return max(xs) >= a[0] and min(xs) <= b[0] and max(ys) >= low and min(ys) <= high


def _on_piece(at: Point, p: Point, q: Point) -> bool:
    """Tell whether a point lies on a closed segment."""
    (x, y), (px, py), (qx, qy) = at, p, q
    if (qx - px) * (y - py) != (qy - py) * (x - px):
        return False
    return min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy)


# -- areas ---------------------------------------------------------------------------------------------------------


def area_contacts(
    a: Point, b: Point, outline: Sequence[Point], holes: Sequence[Sequence[Point]] = ()
) -> tuple[AreaContact, ...]:
    """Return the contacts of the segment between two points with an area, in order.

    Parameters
    ----------
    a, b : tuple of int
    outline : sequence of points
        Ring; its first point need not be repeated.
    holes : sequence of rings

    Returns
    -------
    tuple of AreaContact
        A corner that is only touched from inside does not end a ``through``. A segment of no length is ``through`` the
        area that holds it, or a ``touch`` of its border.

    Examples
    --------
    >>> square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    >>> [(c.how, str(c.enter), str(c.leave)) for c in area_contacts((-4, 2), (8, 2), square)]
    [('through', '1/3', '2/3')]
    >>> [contact.how for contact in area_contacts((-4, 4), (8, 4), square)]
    ['along']
    """
    if b < a:
        turned = reversed(area_contacts(b, a, outline, holes))
        return tuple(AreaContact(contact.how, 1 - contact.leave, 1 - contact.enter) for contact in turned)
    if not _boxes_meet(a, b, outline):
        return ()
    rings = [list(outline), *(list(hole) for hole in holes)]
    if a == b:
        pieces = [piece for ring in rings for piece in _pieces(ring)]
        if any(_on_piece(a, *piece) for piece in pieces):
            return (AreaContact("touch", _START, _END),)
        return (AreaContact("through", _START, _END),) if _holds(pieces, a) else ()
    return _area_contacts(*_cuts(a, (b[0] - a[0], b[1] - a[1]), rings))


def _pieces(ring: Sequence[Point]) -> Iterable[tuple[Point, Point]]:
    return zip(ring, [*ring[1:], ring[0]], strict=True)


def _holds(pieces: Iterable[tuple[Point, Point]], at: Point) -> bool:
    """Tell whether a point that lies on no piece lies inside the rings, by counting what lies to the right of it."""
    inside = False
    for (px, py), (qx, qy) in pieces:
        if (py > at[1]) != (qy > at[1]):
            turn = (qx - px) * (at[1] - py) - (qy - py) * (at[0] - px)
            inside ^= (turn > 0) == (qy > py)
    return inside


def _cuts(a: Point, step: Point, rings: list[list[Point]]) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
    """Return where the rings meet the segment's line: passed just left of it, passed just right of it, and corners.

    A corner on the line counts as right of the path on the left, and as left of the path on the right. Along either
    path inside and outside then follow each other, and where they differ the segment runs along the border.
    """
    (dx, dy), left, right, corners = step, [], [], []
    for ring in rings:
        side = [dx * (y - a[1]) - dy * (x - a[0]) for x, y in ring]
        if min(side) > 0 or max(side) < 0:
            continue
        for at, (p, q) in enumerate(_pieces(ring)):
            here, there = side[at], side[(at + 1) % len(ring)]
            if here == 0:
                corners.append(_place(a, step, p))
            if (here > 0) == (there > 0) and (here < 0) == (there < 0):
                continue
            where = _meeting(a, p, q, here, there)
            if (here > 0) != (there > 0):
                left.append(where)
            if (here < 0) != (there < 0):
                right.append(where)
    return left, right, corners


def _area_contacts(left: list[Fraction], right: list[Fraction], corners: list[Fraction]) -> tuple[AreaContact, ...]:
    inner = {where for where in (*left, *right, *corners) if _START < where < _END}
    edges = [_START, *sorted(inner), _END]
    borders = {*left, *right, *corners}
    kinds: list[How | None] = []
    for low in edges[:-1]:
        sides = (sum(where <= low for where in left) % 2, sum(where <= low for where in right) % 2)
        kinds.append("along" if sides[0] != sides[1] else "through" if sides[0] else None)
    found: list[AreaContact] = []
    for at, where in enumerate(edges):
        before = kinds[at - 1] if at else None
        after = kinds[at] if at < len(kinds) else None
        if before is None and after is None and where in borders:
            found.append(AreaContact("touch", where, where))
        if after is None:
            continue
        if after == before:
            found[-1] = AreaContact(after, found[-1].enter, edges[at + 1])
        else:
            found.append(AreaContact(after, where, edges[at + 1]))
    return tuple(found)
