"""A new area laid beside others: where they would cover the same ground, one of them is cut, with corners of both."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import cast

import msgspec

from studio.errors import EditError
from studio.model.edits import Edit
from studio.model.features import Area, Feature, Point
from studio.model.topology.draft import Draft, PointIndex, said
from studio.model.topology.fitting import fit
from studio.model.topology.merging import rings_of
from studio.model.topology.naming import next_name
from studio.model.topology.rings import (
    Edge,
    Weights,
    area_fault,
    bounds,
    boxes_meet,
    crossing_point,
    doubled_area,
    line_edges,
    place_in_area,
)
from studio.model.topology.vertices import insert_corner

__all__ = ["lay_area", "pieces_without"]

_ROUNDS = 12
"""How often rounding a crossing to the lattice may make new ones before it is given up."""


def lay_area(
    features: Mapping[str, Feature],
    new: Area,
    beside: Collection[str],
    *,
    over: bool = False,
    weights: Weights = (1, 3),
) -> tuple[list[Edit], list[Area]]:
    """Lay a new area beside others, so that no ground is covered twice and borders are shared to the corner.

    Corners within one unit of the lattice of somebody's border go onto it, as :func:`fit` does. Where edges cross,
    both get the lattice point nearest to the crossing as a corner, for everyone who shares the edge.

    Parameters
    ----------
    features : mapping of str to Feature
        By id; one with the id of the new one is left out.
    new : Area
    beside : collection of str
        Ids of the areas that it must not overlap.
    over : bool
        True cuts those, False the new one.
    weights : (int, int)
        What the squares of dx and dy count in a distance.

    Returns
    -------
    edits : list of Edit
        What changes for others.
    pieces : list of Area
        The new one; where others part it, the largest piece first, each further one with an id and a name of its own.

    Raises
    ------
    EditError
        When its outline is not sound, nothing is left of it or of one that it is laid over, or edges lie so close
        together that the lattice cannot part them.
    """
    fault = area_fault(new)
    if fault is not None:
        msg = f"{said(new)}: {fault[0]}, at {fault[1]}; move that corner, or take it back"
        raise EditError(msg)
    edits, met = fit(features, new, weights=weights)
    draft = Draft({name: feature for name, feature in features.items() if name != new.id})
    for edit in edits:
        draft.enact(edit)
    laid = _with_crossings(draft, cast("Area", met), beside, weights)
    covered = [area for area in _near(draft, beside, laid) if _overlap(laid, area)]
    pieces = [laid]
    if over:
        for area in covered:
            _give_way(draft, area, laid)
    else:
        for area in covered:
            pieces = [rest for piece in pieces for rest in pieces_without(piece, area)]
        if not pieces:
            named = ", ".join(said(area, known_by_id=True) for area in covered[:3]) + ", …" * (len(covered) > 3)
            msg = f"{said(new)}: nothing is left of it beside {named}; draw it where there is room, or over them"
            raise EditError(msg)
    draft.check()
    found = _named(draft, new, pieces)
    return draft.edits(), found


def pieces_without(area: Area, other: Area) -> list[Area]:
    """Return what is left of an area without the ground of another: pieces like it, the largest first.

    Parameters
    ----------
    area, other : Area
        Their edges meet in corners of one of them, or run along each other; none crosses another between corners.
    """
    (own, left), (theirs, right) = _directed(area, other), _directed(other, area)
    # Of an edge that both have, the first has its ground on the one side and the other on the other side, or neither.
    edges = {(u, v) for u, v in own if (u, v) not in theirs and ((v, u) in theirs or _middle_in((u, v), other) < 0)}
    edges |= {(v, u) for u, v in theirs if (u, v) not in own and (v, u) not in own and _middle_in((u, v), area) > 0}
    outlines, holes = rings_of(edges, left & right)
    found = []
    if doubled_area(area.outline) < 0:  # each piece goes round as the area does
        outlines, holes = [ring[::-1] for ring in outlines], [ring[::-1] for ring in holes]
    for outline in outlines:
        piece = msgspec.structs.replace(area, outline=outline, holes=(), dot=None)
        inside = tuple(hole for hole in holes if _lies_in(hole, piece))
        dot = area.dot if area.dot is not None and place_in_area(area.dot, piece) > 0 else None
        found.append(msgspec.structs.replace(piece, holes=inside, dot=dot))
    return sorted(found, key=lambda piece: (-abs(doubled_area(piece.outline)), piece.outline))


def _with_crossings(draft: Draft, laid: Area, beside: Collection[str], weights: Weights) -> Area:
    """Give the area and those beside it a corner wherever their edges cross."""
    for _ in range(_ROUNDS):
        crossings = _crossings(laid, _near(draft, beside, laid))
        if not crossings:
            return laid
        new: dict[Edge, list[Point]] = {}
        for edge, other, point in crossings:
            at = insert_corner(draft, point, reach=sum(weights), weights=weights, of=other)
            new.setdefault(edge, []).append(at)
        laid = msgspec.structs.replace(
            laid,
            outline=_with_corners(laid.outline, new),
            holes=tuple(_with_corners(hole, new) for hole in laid.holes),
        )
    at = crossings[0][2]
    msg = f"{said(laid)}: edges lie too close together near {at} to be told apart; draw it onto the corners there"
    raise EditError(msg)


def _crossings(laid: Area, areas: Sequence[Area]) -> list[tuple[Edge, str, Point]]:
    """Return the edges of an area that cross edges of others between their ends, whose, and where, nearly."""
    found = []
    own = [edge for ring in (laid.outline, *laid.holes) for edge in line_edges(ring, closed=True)]
    for area in areas:
        for ring in (area.outline, *area.holes):
            for r, s in line_edges(ring, closed=True):
                low, high = (min(r[0], s[0]), min(r[1], s[1])), (max(r[0], s[0]), max(r[1], s[1]))
                for p, q in own:
                    if max(p[0], q[0]) < low[0] or min(p[0], q[0]) > high[0]:
                        continue
                    if max(p[1], q[1]) < low[1] or min(p[1], q[1]) > high[1]:
                        continue
                    at = crossing_point(p, q, r, s)
                    if at is not None:
                        found.append(((p, q), area.id, at))
    return found


def _with_corners(ring: tuple[Point, ...], new: Mapping[Edge, Sequence[Point]]) -> tuple[Point, ...]:
    corners: list[Point] = []
    for p, q in line_edges(ring, closed=True):
        corners.append(p)
        added = {at for at in new.get((p, q), ()) if at not in (p, q)}
        corners += sorted(added, key=lambda at: (q[0] - p[0]) * (at[0] - p[0]) + (q[1] - p[1]) * (at[1] - p[1]))
    return tuple(corners)


def _near(draft: Draft, ids: Collection[str], laid: Area) -> list[Area]:
    """Return the sound areas whose boxes meet that of the new one."""
    box = bounds(laid.outline)
    met = [
        area for area in map(draft.get, sorted(ids)) if isinstance(area, Area) and boxes_meet(bounds(area.outline), box)
    ]
    return [area for area in met if area_fault(area) is None]


def _overlap(laid: Area, area: Area) -> bool:
    """Tell whether two areas cover the same ground, whose edges do not cross between corners."""
    (own, _), (theirs, _) = _directed(laid, area), _directed(area, laid)
    return (
        bool(own & theirs)
        or any(_middle_in(edge, area) > 0 for edge in own if edge[::-1] not in theirs)
        or any(_middle_in(edge, laid) > 0 for edge in theirs if edge[::-1] not in own)
    )


def _directed(area: Area, other: Area) -> tuple[set[Edge], set[Point]]:
    """Return the edges of an area, its ground on the same hand of each, cut at corners of another; and its corners."""
    rings = [
        ring if (doubled_area(ring) > 0) == (number == 0) else ring[::-1]
        for number, ring in enumerate((area.outline, *area.holes))
    ]
    index = PointIndex(point for ring in (other.outline, *other.holes, *rings) for point in ring)
    edges = {
        piece for ring in rings for p, q in line_edges(ring, closed=True) for piece in pairwise([p, *index.on(p, q), q])
    }
    return edges, {point for ring in rings for point in ring}


def _middle_in(edge: Edge, area: Area) -> int:
    """Return 1 for an edge whose middle lies inside an area, 0 for one on its border, -1 for one outside."""
    (px, py), (qx, qy) = edge
    twice = tuple((2 * x, 2 * y) for x, y in area.outline)
    holes = tuple(tuple((2 * x, 2 * y) for x, y in hole) for hole in area.holes)
    return place_in_area((px + qx, py + qy), msgspec.structs.replace(area, outline=twice, holes=holes))


def _lies_in(hole: tuple[Point, ...], piece: Area) -> bool:
    return all(place_in_area(point, piece) >= 0 for point in hole) and any(
        _middle_in(edge, piece) > 0 for edge in line_edges(hole, closed=True)
    )


def _give_way(draft: Draft, area: Area, laid: Area) -> None:
    """Take the ground of a new area from another; the piece with the dot, or the largest, stays that area."""
    pieces = pieces_without(area, laid)
    if not pieces:
        msg = f"{said(laid)}: it covers {said(area, known_by_id=True)} wholly; remove that first, or draw around it"
        raise EditError(msg)
    pieces.sort(key=lambda piece: piece.dot is None)
    draft.put(msgspec.structs.replace(pieces[0], id=area.id))
    for piece in pieces[1:]:
        new_id, name = draft.new_id("area", kept=laid.id), next_name(draft, area.name, kept=laid.name)
        draft.put(msgspec.structs.replace(piece, id=new_id, name=name))


def _named(draft: Draft, new: Area, pieces: Sequence[Area]) -> list[Area]:
    """Return the pieces of a new area with ids and names of their own."""
    found = [msgspec.structs.replace(pieces[0], id=new.id, name=new.name)]
    trial = Draft({feature.id: feature for feature in draft.all()})
    trial.put(found[0])
    for piece in pieces[1:]:
        found.append(msgspec.structs.replace(piece, id=trial.new_id("area"), name=next_name(trial, new.name)))
        trial.put(found[-1])
    return found
