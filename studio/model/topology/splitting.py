"""An area cut in two along a line from border to border; what belongs to it goes to the half that holds it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from studio.errors import EditError
from studio.model.edits import Edit
from studio.model.features import Aperture, Area, Feature, Link, Place, Point
from studio.model.topology.draft import Draft, said
from studio.model.topology.naming import area_of, label_of, next_name
from studio.model.topology.rings import (
    Weights,
    contacts,
    doubled_area,
    lies_on,
    line_edges,
    line_fault,
    place_in_area,
    place_in_ring,
)
from studio.model.topology.vertices import insert_corner

__all__ = ["split_area"]


def split_area(
    features: Mapping[str, Feature],
    area_id: str,
    line: Sequence[Point],
    names: Sequence[str] = (),
    *,
    reach: Fraction | int = 0,
    weights: Weights = (1, 3),
) -> tuple[list[Edit], str]:
    """Cut an area in two along a line from border to border.

    The part with the dot (without a dot the larger one) keeps the id and the name; the other is like it but for those.
    What is part of the area goes to the half that holds it, apertures to the half on whose border they are, links to
    the half that borders on their other end; markers stay.

    Parameters
    ----------
    features : mapping of str to Feature
    area_id : str
    line : sequence of (x, y)
        Its ends lie on the outline, or both on the same hole; what is between them lies inside.
    names : sequence of str
        Name of the new part; or two, of the part that keeps the id and of the new one. Without one the new part of a
        named area is called after it, with a letter.
    reach : Fraction
        Square of the distance up to which an end is drawn to the border.
    weights : (int, int)
        What the squares of dx and dy count in that distance.

    Returns
    -------
    edits : list of Edit
    new : str
        Id of the new part.

    Raises
    ------
    EditError
        When the line does not cut the area in two, or cuts through something that is part of it.
    """
    area = area_of(features, area_id, "split")
    if len(line) < 2:
        msg = f"split {said(area)}: got {len(line)} point{'s' * (len(line) != 1)}; give a line from border to border"
        raise EditError(msg)
    old_label = label_of(area)
    draft = Draft(features)
    begin, end = (_end_on(draft, area_id, point, reach, weights) for point in (line[0], line[-1]))
    area = area_of({area_id: draft.get(area_id) or area}, area_id, "split")
    cut = (begin, *line[1:-1], end)
    halves = _halves(area, cut)
    kept, new = halves if _keeps(area, halves) else halves[::-1]
    new_id, new_name = draft.new_id("area"), names[-1] if names else next_name(draft, area.name)
    dot = area.dot if area.dot is not None and place_in_area(area.dot, kept) > 0 else None
    kept = msgspec.structs.replace(kept, dot=dot)
    new = msgspec.structs.replace(new, id=new_id, name=new_name, dot=None)
    draft.put(kept)
    _share_out(draft, features, kept, new, cut, old_label)
    draft.put(new)
    draft.check()
    if len(names) > 1 and names[0] != area.name:
        draft.put(msgspec.structs.replace(kept, name=names[0]))
        draft.relabel({old_label: names[0] or kept.id})
    return draft.edits(), new_id


def _end_on(draft: Draft, area_id: str, point: Point, reach: Fraction | int, weights: Weights) -> Point:
    """Return the end of a cut on the border of the area, where everyone at that border has a corner then."""
    try:
        return insert_corner(draft, point, reach=reach, weights=weights, of=area_id)
    except EditError as error:
        msg = f"split {area_id}: the line ends at {point}, which is not on its border; draw it from border to border"
        raise EditError(msg) from error


def _halves(area: Area, cut: tuple[Point, ...]) -> tuple[Area, Area]:
    begin, end = cut[0], cut[-1]
    rings = [ring for ring in (area.outline, *area.holes) if begin in ring]
    ring = rings[0] if rings else area.outline
    name, remedy = f"split {said(area)}", "draw a line through the inside, from outline to outline"
    if begin == end or end not in ring:
        where = "ends where it begins" if begin == end else "joins two rings of the area, so that it stays in one piece"
        msg = f"{name}: the line from {begin} to {end} {where}; {remedy}"
        raise EditError(msg)
    crossed = line_fault(cut, closed=False)
    if crossed is not None:
        msg = f"{name}: the line meets itself at {crossed}; {remedy}"
        raise EditError(msg)
    edges = line_edges(cut, closed=False)
    for one in (area.outline, *area.holes):
        met, crossing = contacts(edges, line_edges(one, closed=True))
        if crossing is not None or met - {begin, end}:
            msg = f"{name}: the line meets its border at {crossing or min(met - {begin, end})}; {remedy}"
            raise EditError(msg)
    middle = (cut[0][0] + cut[1][0], cut[0][1] + cut[1][1])
    if place_in_area(middle, _doubled(area)) < 1:
        msg = f"{name}: the line from {begin} to {end} runs outside; {remedy}"
        raise EditError(msg)
    i, j = ring.index(begin), ring.index(end)
    first = _way(ring, i, j) + cut[-2:0:-1]
    second = _way(ring, j, i) + cut[1:-1]
    if ring == area.outline:
        return _half(area, first, area.holes), _half(area, second, area.holes)
    # A cut from a hole back to it: the loop around the old hole is the new hole of what lies outside.
    small, large = sorted((first, second), key=lambda loop: abs(doubled_area(loop)))
    holes = tuple(hole for hole in area.holes if hole != ring)
    outside = tuple(hole for hole in holes if not _within_ring(hole, small))
    return msgspec.structs.replace(area, holes=(*outside, large)), _half(area, small, holes)


def _doubled(area: Area) -> Area:
    def twice(ring: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((2 * x, 2 * y) for x, y in ring)

    return msgspec.structs.replace(area, outline=twice(area.outline), holes=tuple(map(twice, area.holes)))


def _way(ring: tuple[Point, ...], i: int, j: int) -> tuple[Point, ...]:
    """Return the corners of a ring from one to another, both included."""
    return ring[i : j + 1] if i < j else ring[i:] + ring[: j + 1]


def _within_ring(points: Sequence[Point], ring: Sequence[Point]) -> bool:
    return all(place_in_ring(point, ring) >= 0 for point in points)


def _half(area: Area, outline: tuple[Point, ...], holes: Sequence[tuple[Point, ...]]) -> Area:
    """Return an area with another outline, which goes round the same way, and the holes that lie in it."""
    if (doubled_area(outline) > 0) != (doubled_area(area.outline) > 0):
        outline = outline[::-1]
    inside = tuple(hole for hole in holes if _within_ring(hole, outline))
    return msgspec.structs.replace(area, outline=outline, holes=inside)


def _keeps(area: Area, halves: tuple[Area, Area]) -> bool:
    """Tell whether the first half keeps the id."""
    if area.dot is not None:
        places = [place_in_area(area.dot, half) for half in halves]
        if max(places) > 0:
            return places[0] > 0
    sizes = [abs(doubled_area(half.outline)) - sum(abs(doubled_area(hole)) for hole in half.holes) for half in halves]
    return sizes[0] >= sizes[1]


def _share_out(
    draft: Draft, features: Mapping[str, Feature], kept: Area, new: Area, cut: tuple[Point, ...], label: str
) -> None:
    """Give the new half what it holds."""
    cut_edges = line_edges(cut, closed=False)
    for feature in list(draft.all()):
        match feature:
            case Area() if feature.within == kept.id:
                edges = line_edges(feature.outline, closed=True)
                _, crossing = contacts(cut_edges, edges)
                homes = [half for half in (kept, new) if _within_ring(feature.outline, half.outline)]
                if crossing is not None or (not homes and _within_ring(feature.outline, _old_outline(features, kept))):
                    msg = (
                        f"split {said(kept)}: the line cuts through {said(feature, known_by_id=True)}, which is part "
                        "of it; split that first, or draw the line around it"
                    )
                    raise EditError(msg)
                if homes == [new]:
                    draft.put(msgspec.structs.replace(feature, within=new.id))
            case Place() if feature.within == kept.id and place_in_area(feature.at, new) > 0:
                draft.put(msgspec.structs.replace(feature, within=new.id))
            case Aperture() if feature.into == label:
                if place_in_area(feature.at, new) >= 0 and place_in_area(feature.at, kept) < 0:
                    draft.put(msgspec.structs.replace(feature, into=label_of(new)))
    _share_links(draft, kept, new, label)


def _old_outline(features: Mapping[str, Feature], area: Area) -> tuple[Point, ...]:
    """Return the outline of an area as it was."""
    old = features.get(area.id)
    return old.outline if isinstance(old, Area) else area.outline


def _share_links(draft: Draft, kept: Area, new: Area, label: str) -> None:
    """Give the new half the links whose other end borders on it alone, or is part of it."""
    named = {label_of(one): one for one in draft.all() if isinstance(one, Area | Place) and one.id != kept.id}
    for link in list(draft.all()):
        if not isinstance(link, Link) or label not in (link.a, link.b):
            continue
        other = named.get(link.b if link.a == label else link.a)
        near = [other is not None and _near(other, half) for half in (kept, new)]
        if near == [False, True]:
            ends = {"a": label_of(new)} if link.a == label else {"b": label_of(new)}
            draft.put(msgspec.structs.replace(link, **ends))


def _near(other: Area | Place, half: Area) -> bool:
    if isinstance(other, Place):
        return place_in_area(other.at, half) > 0
    rings = [edge for ring in (half.outline, *half.holes) for edge in line_edges(ring, closed=True)]
    return any(
        len({point for point in (p, q) if lies_on(point, r, s)} | {point for point in (r, s) if lies_on(point, p, q)})
        > 1
        for ring in (other.outline, *other.holes)
        for p, q in line_edges(ring, closed=True)
        for r, s in rings
    )
