"""Areas that share borders made into one; what belonged to each belongs to the whole."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise

import msgspec

from studio.errors import EditError
from studio.model.edits import Edit
from studio.model.features import Aperture, Area, Feature, Link, Place, Point, Wall, natural_key
from studio.model.topology.draft import Draft, PointIndex, said
from studio.model.topology.naming import area_of, label_of
from studio.model.topology.rings import (
    area_fault,
    bounds,
    boxes_meet,
    doubled_area,
    lies_on,
    line_edges,
)

__all__ = ["merge_areas", "rings_of"]

_Edge = tuple[Point, Point]


def merge_areas(features: Mapping[str, Feature], ids: Sequence[str], name: str | None = None) -> list[Edit]:
    """Make one area of several that share borders.

    The first keeps its id, its name, its type and its dot. What was part of the others becomes part of it, and links,
    apertures and markers that named them name it. What was drawn on the border that is gone goes with it: apertures,
    the pieces of walls along it, links from one of the areas to another and two-way links from a place in one to a
    place in another. Links that are the same now are one, and those in order from one location count on from 1.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : sequence of str
        Two or more.
    name : str, optional
        Another name for the whole.

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When they are not of one type and level, are not part of the same area, do not hang together by borders, or lie
        over each other.
    """
    areas = [area_of(features, area_id, "merge") for area_id in dict.fromkeys(ids)]
    if len(areas) < 2:
        msg = f"merge: got {len(areas)} area{'s' * (len(areas) != 1)}; name two or more that share borders"
        raise EditError(msg)
    _check_wholes(features, areas)
    _check_alike(areas)
    first, others = areas[0], areas[1:]
    edges, gone = _union_edges(areas)
    outlines, holes = rings_of(edges, {point for edge in gone for point in edge})
    if len(outlines) != 1:
        named = ", ".join(map(said, areas))
        msg = f"merge: {named} do not share borders; name areas that hang together by their borders, not in corners"
        raise EditError(msg)
    merged = msgspec.structs.replace(first, outline=outlines[0], holes=tuple(holes))
    draft = Draft(features)
    for other in others:
        draft.delete(other.id)
    draft.put(merged)
    _take_walls(draft, gone)
    merged = _without_seams(draft, merged, {point for edge in gone for point in edge})
    if area_fault(msgspec.structs.replace(merged, dot=None)) is not None:
        msg = f"merge: {', '.join(map(said, areas))} lie over each other; move their borders apart first"
        raise EditError(msg)
    draft.put(msgspec.structs.replace(merged, name=first.name if name is None else name))
    _take_over(draft, areas, name, gone)
    _count_links(draft, features, areas, name)
    return draft.edits()


def _check_wholes(features: Mapping[str, Feature], areas: Sequence[Area]) -> None:
    """Refuse areas that are parts of different ones, or one of which is part of another.

    A room and a zone of the room beside it share a border, but the divided room would keep a gap where the zone was.
    """
    ids = {area.id for area in areas}
    for area in areas:
        around, seen = area.within, set[str]()
        while around and around not in seen:
            if around in ids:
                other = area_of(features, around, "merge")
                pair = [said(one, known_by_id=True) for one in (area, other)]
                msg = f"merge: {pair[0]} is part of {pair[1]}; name areas beside each other, or remove the part"
                raise EditError(msg)
            seen.add(around)
            whole = features.get(around)
            around = whole.within if isinstance(whole, Area) else ""
    first = areas[0]
    for area in areas[1:]:
        if area.within != first.within:
            parts = " and ".join(f"{said(one, known_by_id=True)} of {one.within or 'none'}" for one in (first, area))
            msg = (
                f"merge: they are parts of different areas: {parts}; merge parts of one area, or first those that they "
                "are part of"
            )
            raise EditError(msg)


def _check_alike(areas: Sequence[Area]) -> None:
    """Refuse areas of different types or levels: the whole would be what only one of them was."""
    first = areas[0]
    for area in areas[1:]:
        pair = f"{said(first, known_by_id=True)} and {said(area, known_by_id=True)}"
        if area.type != first.type:
            msg = (
                f"merge: {pair} are of different types, {first.type!r} and {area.type!r}; name areas of one type, or "
                "give them the same type first"
            )
            raise EditError(msg)
        if area.level != first.level:
            msg = (
                f"merge: {pair} have different levels, {first.level} and {area.level}; name areas of one level, or "
                "give them the same level first"
            )
            raise EditError(msg)


def _union_edges(areas: Sequence[Area]) -> tuple[set[_Edge], set[_Edge]]:
    """Return the edges of the union, its inside always on the same hand, and those of the borders that are gone."""
    rings = []
    for area in areas:
        for number, ring in enumerate((area.outline, *area.holes)):
            ahead = (doubled_area(ring) > 0) == (number == 0)
            rings.append(ring if ahead else ring[::-1])
    index = PointIndex(point for ring in rings for point in ring)
    edges: set[_Edge] = set()
    gone: set[_Edge] = set()
    for ring in rings:
        for p, q in line_edges(ring, closed=True):
            nodes = [p, *index.on(p, q), q]
            for u, v in pairwise(nodes):
                if (u, v) in edges or (u, v) in gone or (u, v) == (v, u):
                    named = ", ".join(map(said, areas))
                    msg = f"merge: {named} lie over each other at {u}; move their borders apart first"
                    raise EditError(msg)
                if (v, u) in edges:
                    edges.remove((v, u))
                    gone |= {(v, u), (u, v)}
                else:
                    edges.add((u, v))
    return edges, gone


def rings_of(edges: set[_Edge], seams: Collection[Point]) -> tuple[list[tuple[Point, ...]], list[tuple[Point, ...]]]:
    """Chain edges into rings that have each corner once; return those around a surface and those around holes."""
    out: dict[Point, list[Point]] = {}
    for p, q in sorted(edges):
        out.setdefault(p, []).append(q)
    outlines: list[tuple[Point, ...]] = []
    holes: list[tuple[Point, ...]] = []
    starts = sorted(out, key=lambda point: (point in seams, point))
    for start in starts:
        while out.get(start):
            trail, places, at = [start], {start: 0}, start
            while True:
                before = trail[-2] if len(trail) > 1 else None
                after = _turn_inward(before, at, out[at])
                out[at].remove(after)
                if after in places:
                    ring = tuple(trail[places[after] :])
                    (outlines if doubled_area(ring) > 0 else holes).append(ring)
                    for point in ring[1:]:
                        del places[point]
                    del trail[places[after] + 1 :]
                    if len(trail) == 1:
                        break
                    at = after
                    continue
                places[after] = len(trail)
                trail.append(after)
                at = after
    return outlines, holes


def _turn_inward(before: Point | None, at: Point, choices: Sequence[Point]) -> Point:
    """Return the way on along the same wedge of the surface where several lead on."""
    if before is None or len(choices) == 1:
        return choices[0]
    back = (before[0] - at[0], before[1] - at[1])

    def key(point: Point) -> tuple[int, Fraction]:
        dx, dy = point[0] - at[0], point[1] - at[1]
        # The angle from the way back, as a half turn and a falling cotangent, which fractions tell exactly.
        cross, dot = back[0] * dy - back[1] * dx, back[0] * dx + back[1] * dy
        if not cross:
            return (0, Fraction(0)) if dot > 0 else (2, Fraction(0))
        return (1 if cross > 0 else 3, Fraction(-dot, abs(cross)) if cross > 0 else Fraction(dot, abs(cross)))

    return max(choices, key=key)


def _without_seams(draft: Draft, merged: Area, seams: Collection[Point]) -> Area:
    """Drop corners where a border that is gone met a straight one, unless somebody else has them."""
    held = {s_point for s in draft.strands(borders=True) if s.id != merged.id for s_point in s.points}
    held |= {feature.at for feature in draft.all() if isinstance(feature, Aperture)}

    def thin(ring: tuple[Point, ...]) -> tuple[Point, ...]:
        kept = list(ring)
        for point in ring:
            at = kept.index(point)
            before, after = kept[at - 1], kept[(at + 1) % len(kept)]
            if point in seams and point not in held and len(kept) > 3 and lies_on(point, before, after):
                del kept[at]
        return tuple(kept)

    return msgspec.structs.replace(merged, outline=thin(merged.outline), holes=tuple(map(thin, merged.holes)))


def _take_walls(draft: Draft, gone: Collection[_Edge]) -> None:
    """Take away what walls have along the border that is gone, unless another border runs there too."""
    if not gone:
        return
    corners = {point for edge in gone for point in edge}
    box = bounds(tuple(corners))
    rings = [strand for strand in draft.strands(box, borders=True) if strand.closed]
    left = [edge for strand in rings for edge in strand.edges()]
    ends = PointIndex(corners.union(*(strand.points for strand in rings)))

    def runs_along(edges: Collection[_Edge], u: Point, v: Point) -> bool:
        return any(lies_on(u, *edge) and lies_on(v, *edge) for edge in edges)

    for wall in [one for one in draft.all() if isinstance(one, Wall) and boxes_meet(bounds(one.line), box)]:
        runs: list[list[Point]] = [[]]
        for p, q in line_edges(wall.line, closed=False):
            for u, v in pairwise([p, *ends.on(p, q), q]):
                if runs_along(gone, u, v) and not runs_along(left, u, v):
                    runs.append([])
                else:
                    runs[-1] += [v] if runs[-1] else [u, v]
        if len(runs) == 1:
            continue
        if wall.line[0] == wall.line[-1] and runs[0] and runs[-1]:
            runs[0] = [*runs.pop(), *runs[0][1:]]
        kept = [run for run in runs if run]
        if not kept:
            draft.delete(wall.id)
        for number, run in enumerate(kept):
            wall_id = wall.id if number == 0 else draft.new_id("wall")
            draft.put(msgspec.structs.replace(wall, id=wall_id, line=tuple(run)))


def _take_over(draft: Draft, areas: Sequence[Area], name: str | None, gone: Collection[_Edge]) -> None:
    """Let the first area have what the others had, and take away what only their border had."""
    first, ids = areas[0], {area.id for area in areas}
    labels = {label_of(area) for area in areas}
    new_label = name or first.name or first.id
    homes = {one.name: one.within for one in draft.all() if isinstance(one, Place) and one.within in ids}
    for feature in sorted(draft.all(), key=lambda one: natural_key(one.id)):
        match feature:
            case Area() | Place() if feature.within in ids and feature.id != first.id:
                draft.put(msgspec.structs.replace(feature, within=first.id))
            case Link() if feature.a in labels and feature.b in labels:
                draft.delete(feature.id)
            case Link() if not feature.one_way and {feature.a, feature.b} <= homes.keys():
                # Both ends are in the whole now: what joined two areas joins none any more.
                if homes[feature.a] != homes[feature.b]:
                    draft.delete(feature.id)
            case Aperture() if any(lies_on(feature.at, p, q) for p, q in gone):
                box = (*feature.at, *feature.at)
                edges = [edge for strand in draft.strands(box, borders=True) for edge in strand.edges()]
                if not any(lies_on(feature.at, p, q) for p, q in edges):
                    draft.delete(feature.id)
    draft.relabel({label: new_label for label in labels if label != new_label})


def _count_links(draft: Draft, before: Mapping[str, Feature], areas: Sequence[Area], name: str | None) -> None:
    """Keep one of the links that have become the same, and count those in order from one location from 1 again."""
    rank = {label_of(area): number for number, area in enumerate(areas)}
    label = name or label_of(areas[0])
    old = {one.id: one for one in before.values() if isinstance(one, Link)}

    def key(link: Link) -> tuple[int, int, object]:
        return link.order, rank.get(old[link.id].a, -1), natural_key(link.id)

    links = sorted((one for one in draft.all() if isinstance(one, Link) and label in (one.a, one.b)), key=key)
    kept: dict[tuple[str, str, str, bool], Link] = {}
    sources = {(one.type, label) for one in links}
    for link in links:
        first = kept.setdefault((link.type, link.a, link.b, link.one_way), link)
        # What was drawn twice before is left for the check.
        if (old[first.id].a, old[first.id].b) != (old[link.id].a, old[link.id].b):
            draft.delete(link.id)
            sources.add((link.type, link.a))
    ordered = sorted((one for one in draft.all() if isinstance(one, Link) and one.one_way and one.order), key=key)
    for kind, source in sorted(sources):
        own = [one for one in ordered if (one.type, one.a) == (kind, source)]
        for number, link in enumerate(own, 1):
            draft.put(msgspec.structs.replace(link, order=number))
