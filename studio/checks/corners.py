"""Borders that do not meet: the check, and the repairs, which move a corner onto the border that it misses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from studio.checks.finding import Fault, check
from studio.checks.misses import (
    NEAR,
    Contacts,
    Edge,
    Miss,
    contacts_of,
    distance2,
    missed_borders,
    misses_of,
    near_on_segment,
)
from studio.checks.slits import SLIVER
from studio.checks.subject import MapSubject, mend, put
from studio.errors import EditError
from studio.model import Area, Batch, Point
from studio.model.topology import area_fault, move_vertex
from studio.survey import ring_edges

__all__ = ["CHECKS", "or_mend_border"]


@check(
    "map.borders_meet",
    "error",
    f"No corner of an area comes within {NEAR} lattice units of a border without meeting it",
)
def _borders_meet(subject: MapSubject) -> Iterator[Fault]:
    told: set[frozenset[Point]] = set()
    for miss in subject.once(misses_of):
        cluster = frozenset((miss.corner, *miss.others))
        if cluster not in told:
            told.add(cluster)
            yield _fault(subject, miss)


def or_mend_border(subject: MapSubject, fault: Fault, *area_ids: str | None) -> Fault:
    """Return a fault of neighbours that says where a border of one of the areas is missed by a little, if one is.

    What is asked of the designer then is that border: links, doors and routes come right with it.
    """
    missed = subject.once(missed_borders)
    near = [pair for pair in missed if pair & set(area_ids)]
    near.sort(key=lambda pair: (len(pair & set(area_ids)) < len(pair), sorted(pair)))
    point = missed[near[0]] if near else None
    ids = sorted(near[0]) if near else [area_id for area_id in area_ids if area_id in subject.areas]
    if point is None and len(ids) == 2:
        point = _slit(subject.areas[ids[0]], subject.areas[ids[1]]) or _slit(
            subject.areas[ids[1]], subject.areas[ids[0]]
        )
    if point is None:
        return fault
    message = f"{fault.message}; but at {point} the borders of {' and '.join(ids)} miss each other by a little"
    return fault._replace(message=message, remedy="mend that border first: map.repair(), map.snap or map.move_vertex")


def _slit(a: Area, b: Area) -> Point | None:
    """Return a corner of one area that lies as near to the border of another as a sliver is wide, but not on it."""
    edges = [edge for ring in (b.outline, *b.holes) for edge in ring_edges(ring)]
    for corner in a.outline:
        near = [near_on_segment(corner, edge, SLIVER) for edge in edges]
        if False in near and True not in near:
            return corner
    return None


def _fault(subject: MapSubject, miss: Miss) -> Fault:
    contacts = subject.once(contacts_of)
    corner, others, missed = miss
    moved, repair = corner, None
    if len(others) == 1:
        moved, repair = _join(subject, corner, others[0])
    elif not others:
        repair = _join_edges(subject, contacts, corner, missed)
    if moved != corner:
        missed = sorted(contacts.owners[corner])
    at = min(contacts.owners[moved], key=list(subject.areas).index)
    near = all(distance2(moved, other) <= NEAR * NEAR for other in (corner, *others))
    reach = NEAR if near else SLIVER
    what = f"its corner {moved} lies within {reach} lattice units of the border of {', '.join(missed)}, but not on it"
    choice = f"; corners near it are {', '.join(map(str, others))}" if len(others) > 1 else ""
    if len(others) == 1 and repair is None:
        (other,) = {corner, others[0]} - {moved}
        choice = f": which of {other} and {moved} is right cannot be told"
    return Fault(at, what, f"give both the same corner{choice}", moved, repair)


def _join(subject: MapSubject, a: Point, b: Point) -> tuple[Point, Batch | None]:
    """Return which of two corners gives way, and the repair; none where nothing tells which of them was moved.

    A whole does not give way to its parts, and no corner leaves the border of an area that it lies on. Right angles and
    straight lines tell nothing while the other end of an edge is at fault too: that end is to be mended first.
    """
    contacts = subject.once(contacts_of)
    order = list(subject.areas)
    wholes = {tiling.whole for tiling in subject.tilings}
    doubtful = not subject.once(_missing).isdisjoint((_beside(subject, a) | _beside(subject, b)) - {a, b})

    def weight(corner: Point) -> tuple[int, int, int]:
        mine = contacts.owners[corner]
        return len(mine), len(mine & wholes), 0 if doubtful else _regular(subject, corner)

    def later(corner: Point) -> int:
        return -min(map(order.index, contacts.owners[corner]))

    first, last = sorted((a, b), key=lambda corner: (weight(corner), later(corner)))
    told = weight(first) != weight(last)
    for moved, target in ((first, last), (last, first)):
        if all(contacts.holds(area_id, target) for area_id in contacts.on[moved]):
            # Where only one of them may move, that decides too; an edge that was drawn twice is one line either way.
            if told or _cannot_move(contacts, target, moved) or _is_shifted(subject, moved, target):
                repair = _move(subject, contacts, moved, target, f"to {target}")
                if repair is not None:
                    return moved, repair
            if not told:
                break
    return first, None


def _missing(subject: MapSubject) -> frozenset[Point]:
    """Return the corners that miss a border, and those that they were meant to be."""
    return frozenset(point for miss in subject.once(misses_of) for point in (miss.corner, *miss.others))


def _beside(subject: MapSubject, corner: Point) -> set[Point]:
    """Return the other ends of the edges that end at a corner."""
    areas = [subject.areas[area_id] for area_id in subject.once(contacts_of).owners[corner]]
    edges = [edge for area in areas for ring in (area.outline, *area.holes) for edge in ring_edges(ring)]
    return {end for edge in edges if corner in edge for end in edge if end != corner}


def _cannot_move(contacts: Contacts, corner: Point, target: Point) -> bool:
    return not all(contacts.holds(area_id, target) for area_id in contacts.on[corner])


def _is_shifted(subject: MapSubject, moved: Point, target: Point) -> bool:
    """Tell whether a whole edge of an area lies beside that of another, both of its corners equally far."""
    contacts = subject.once(contacts_of)
    dx, dy = target[0] - moved[0], target[1] - moved[1]
    for miss in subject.once(misses_of):
        for other in miss.others:
            for p, q in ((miss.corner, other), (other, miss.corner)):
                if p == moved or (q[0] - p[0], q[1] - p[1]) != (dx, dy):
                    continue
                if contacts.owners[p] & contacts.owners[moved] and contacts.owners[q] & contacts.owners[target]:
                    return True
    return False


def _regular(subject: MapSubject, corner: Point) -> int:
    """Count what shows that a corner is where it was meant to be: right angles, and lines that go straight on there.

    A corner that was moved by accident loses them.
    """
    contacts = subject.once(contacts_of)
    count = 0
    for area_id in contacts.owners[corner]:
        area = subject.areas[area_id]
        for ring in (area.outline, *area.holes):
            for at, here in enumerate(ring):
                if here == corner:
                    count += sum(_is_even(ring, at + step) for step in (-1, 0, 1))
                    for end in (ring[at - 1], ring[(at + 1) % len(ring)]):
                        count += _goes_on(subject, area_id, corner, end)
    return count


def _is_even(ring: Sequence[Point], at: int) -> bool:
    """Tell whether the edges at a corner of a ring go straight on or make a right angle."""
    count = len(ring)
    (px, py), (x, y), (qx, qy) = ring[(at - 1) % count], ring[at % count], ring[(at + 1) % count]
    ax, ay, bx, by = x - px, y - py, qx - x, qy - y
    return ax * by == ay * bx or ax * bx + ay * by == 0


def _goes_on(subject: MapSubject, area_id: str, corner: Point, end: Point) -> bool:
    """Tell whether the line from a corner to the end of an edge goes straight on in the border of another area."""
    contacts = subject.once(contacts_of)
    dx, dy = end[0] - corner[0], end[1] - corner[1]
    for other in contacts.owners[end] - {area_id}:
        for ring in (subject.areas[other].outline, *subject.areas[other].holes):
            for p, q in ring_edges(ring):
                if end in (p, q):
                    x, y = q if p == end else p
                    ex, ey = x - end[0], y - end[1]
                    if dx * ey == dy * ex and dx * ex + dy * ey > 0:
                        return True
    return False


def _move(subject: MapSubject, contacts: Contacts, corner: Point, target: Point, where: str) -> Batch | None:
    """Return the repair that moves a corner with all that is at it; None where an area would lose its shape or dot."""
    # What the corner only lies on the border of has the target there as well, and keeps its shape.
    only = subject.model.features.keys() - contacts.on[corner]
    try:
        edits = move_vertex(subject.model.features, corner, target, only)
    except EditError:
        return None
    return Batch(title=f"Move the corner {corner} of {', '.join(sorted(contacts.owners[corner]))} {where}", edits=edits)


def _join_edges(subject: MapSubject, contacts: Contacts, corner: Point, missed: Sequence[str]) -> Batch | None:
    """Return the repair of a corner near a border without corners: it moves there, or the border gets it too."""
    edges = [edge for area_id in missed for edge in contacts.near[corner][area_id]]
    foot = {_foot(corner, edge) for edge in edges}
    if len(foot) == 1 and None not in foot and not contacts.on[corner]:
        (target,) = (point for point in foot if point is not None)
        return _move(subject, contacts, corner, target, f"to {target}, onto the border of {', '.join(missed)}")
    if any(len(contacts.near[corner][area_id]) > 1 for area_id in missed):
        return None
    changed = [_with_corner(subject.areas[area_id], contacts.near[corner][area_id][0], corner) for area_id in missed]
    if any(area_fault(area) is not None for area in changed):
        return None
    return mend(f"Make {corner} a corner of {', '.join(missed)} too", *(put(area) for area in changed))


def _foot(point: Point, edge: Edge) -> Point | None:
    """Return the point of an edge that is nearest to a point, where it is a lattice point inside the edge."""
    (px, py), (qx, qy) = edge
    dx, dy = qx - px, qy - py
    length, along = dx * dx + dy * dy, dx * (point[0] - px) + dy * (point[1] - py)
    if not 0 < along < length or dx * along % length or dy * along % length:
        return None
    return (px + dx * along // length, py + dy * along // length)


def _with_corner(area: Area, edge: Edge, corner: Point) -> Area:
    """Return an area with a corner more between the ends of an edge."""

    def longer(ring: tuple[Point, ...]) -> tuple[Point, ...]:
        for at, here in enumerate(ring):
            if (here, ring[(at + 1) % len(ring)]) == edge:
                return (*ring[: at + 1], corner, *ring[at + 1 :])
        return ring

    return msgspec.structs.replace(area, outline=longer(area.outline), holes=tuple(map(longer, area.holes)))


CHECKS = (_borders_meet,)
