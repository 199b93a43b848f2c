"""Checks of areas that lie side by side: no overlap, no gap, no sliver, every part inside its whole.

Which areas may not overlap, which cover a whole and which lie side by side the catalogue of the game says (``layer``,
``parts``, ``tiles``). Contact in a corner is no fault, nor is a hole that another area fills.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from studio.checks.finding import MOST, Fault, check
from studio.checks.outlines import twice_the_area
from studio.checks.slits import SLIVER, Slit, slits
from studio.checks.subject import MapSubject, Tiling
from studio.model import Area, Place, Point

if TYPE_CHECKING:
    from shapely import Polygon
    from shapely.geometry.base import BaseGeometry

    from studio.survey.coverage import Gap, Overlap

__all__ = ["CHECKS", "Flaw", "flaws", "slivers"]

_MANY = 50  # overlaps among the areas of a tiling from which its gaps tell nothing
_CHUNK = 2000


def _overlapping(subject: MapSubject) -> Iterator[tuple[str, str]]:
    """Yield the pairs of areas of one layer that cover the same ground, neither part of the other, in order."""
    import shapely

    layers: dict[str, list[str]] = defaultdict(list)
    for area in subject.sound.values():
        layers[subject.layer(area)].append(area.id)
    for layer, ids in layers.items():
        if not layer or len(ids) < 2:
            continue
        polygons = np.array([subject.polygon(area_id) for area_id in ids])
        one, other = shapely.STRtree(polygons).query(polygons)
        one, other = one[one < other], other[one < other]
        order = np.lexsort((other, one))
        one, other = one[order], other[order]
        # Chunk by chunk: two thousand areas on one heap are two million pairs, of which a few are listed.
        for start in range(0, len(one), _CHUNK):
            a, b = one[start : start + _CHUNK], other[start : start + _CHUNK]
            # Predicates of GEOS are exact on whole numbers; "T********": the insides meet.
            met = shapely.relate_pattern(polygons[a], polygons[b], "T********")
            for i, j in zip(a[met].tolist(), b[met].tolist(), strict=True):
                if not subject.is_within(ids[i], ids[j]) and not subject.is_within(ids[j], ids[i]):
                    yield ids[i], ids[j]


def _overlaps(subject: MapSubject) -> list[Overlap]:
    pairs = islice(_overlapping(subject), MOST + 1)
    return [region for pair in pairs for region in subject.survey.coverage(pair).overlaps]


class _Hole(NamedTuple):
    """A gap, and the id of the area that it is a gap of; empty for the whole map."""

    whole: str
    gap: Gap


def _gaps(subject: MapSubject) -> list[_Hole]:
    found = []
    overlapped: dict[str, int] = defaultdict(int)
    for overlap in subject.once(_overlaps):
        overlapped[overlap.a] += 1
        overlapped[overlap.b] += 1
    for tiling in subject.tilings:
        parts = [part for part in tiling.parts if part in subject.sound]
        unsound = len(parts) < len(tiling.parts) or (tiling.whole and tiling.whole not in subject.sound)
        if unsound or sum(overlapped[part] for part in parts) > _MANY or _is_full(subject, tiling, overlapped):
            continue
        within = tiling.whole or None
        found += [_Hole(tiling.whole, gap) for gap in subject.survey.coverage(parts, within).gaps]
    return found


def _is_full(subject: MapSubject, tiling: Tiling, overlapped: dict[str, int]) -> bool:
    """Tell at once that parts fill their whole: apart and inside, they add up to it exactly."""
    if not tiling.whole or any(overlapped[part] for part in tiling.parts):
        return False
    sizes = {area_id: _doubled(subject.areas[area_id]) for area_id in (tiling.whole, *tiling.parts)}
    full = sum(sizes[part] for part in tiling.parts) == sizes[tiling.whole]
    whole = subject.polygon(tiling.whole)
    return full and all(whole.covers(subject.polygon(part)) for part in tiling.parts)


def _doubled(area: Area) -> int:
    return twice_the_area(area.outline) - sum(map(twice_the_area, area.holes))


def _is_thin(region: Gap | Overlap) -> bool:
    """Tell whether a region is narrower than a sliver: its size by its length, which may go round corners."""
    rings = (region.region.outline, *region.region.holes)
    corners = [corner for ring in rings for corner in ring]
    longer = max(max(c[axis] for c in corners) - min(c[axis] for c in corners) for axis in (0, 1))
    edges = [edge for ring in rings for edge in pairwise((*ring, ring[0]))]
    around = sum(max(abs(Fraction(q[0]) - p[0]), abs(Fraction(q[1]) - p[1])) for p, q in edges)
    return region.area < SLIVER * longer or 2 * region.area < SLIVER * (around - 2 * SLIVER)


class Flaw(NamedTuple):
    """Ground that is covered twice, or not at all, or by a part outside its whole.

    Attributes
    ----------
    ids : frozenset of str
        Ids of the areas around it.
    ground : shapely geometry
        Its corners are exact where they lie on the lattice.
    corners : frozenset of (x, y)
        Those of its corners that lie on the lattice.
    thin : bool
        Narrower than a sliver.
    overlap : bool
        Covered twice.
    point : (x, y)
    """

    ids: frozenset[str]
    ground: BaseGeometry
    corners: frozenset[Point]
    thin: bool
    overlap: bool
    point: Point


def flaws(subject: MapSubject) -> list[Flaw]:
    """Return all ground that is covered twice, or by no area, or by a part outside its whole."""
    found = [
        Flaw(frozenset((one.a, one.b)), one.polygon, _corners(one), _is_thin(one), True, one.point)
        for one in subject.once(_overlaps)
    ]
    for whole, gap in subject.once(_gaps):
        ids = frozenset((*gap.beside, whole)) - {""}
        found.append(Flaw(ids, gap.polygon, _corners(gap), _is_thin(gap), False, gap.point))
    found += [
        Flaw(frozenset((a, b)), ground, at, True, False, point) for a, b, point, ground, at in _open_slits(subject)
    ]
    for area in subject.once(_outside):
        ground = subject.polygon(area.id).difference(subject.polygon(area.within))
        corners = frozenset(corner for corner in area.outline if ground.intersects(_dot(corner)))
        found.append(Flaw(frozenset((area.id, area.within)), ground, corners, False, False, _point_in(ground)))
    return found


def _dot(corner: Point) -> BaseGeometry:
    import shapely

    return shapely.Point(corner)


def _open_slits(subject: MapSubject) -> list[Slit]:
    """Return the slits that are no part of a gap."""
    if not (found := subject.once(slits)):
        return []
    gaps: list[Polygon] = [hole.gap.polygon for hole in subject.once(_gaps)]
    return [one for one in found if not any(gap.intersects(one.polygon.representative_point()) for gap in gaps)]


def slivers(subject: MapSubject) -> Iterator[tuple[tuple[str, ...], Point]]:
    """Yield the areas at every thin overlap, gap or slit, with a point in it."""
    for one in subject.once(flaws):
        if one.thin:
            yield tuple(area_id for area_id in subject.areas if area_id in one.ids), one.point


def _corners(one: Overlap | Gap) -> frozenset[Point]:
    return frozenset(
        (int(x), int(y))
        for ring in (one.region.outline, *one.region.holes)
        for x, y in ring
        if x == int(x) and y == int(y)
    )


@check("map.overlap", "error", "No two areas of one layer overlap, such as rooms, zones or buildings")
def _overlap(subject: MapSubject) -> Iterator[Fault]:
    for one in subject.once(_overlaps):
        if not _is_thin(one):
            message = f"{one.a} and {one.b} overlap"
            yield Fault(f"{one.a}/{one.b}", message, "move the corners of one of them to those of the other", one.point)


@check("map.gap", "error", "Areas that lie side by side leave no gap, such as the rooms of a building")
def _gap(subject: MapSubject) -> Iterator[Fault]:
    for whole, gap in subject.once(_gaps):
        if not _is_thin(gap):
            yield Fault(
                whole or "/".join(gap.beside[:4]), _uncovered(whole, gap), "draw the areas around it on", gap.point
            )


def _uncovered(whole: str, gap: Gap) -> str:
    beside = ", ".join(gap.beside[:4]) + (" ..." if len(gap.beside) > 4 else "")
    where = f"part of {whole}" if whole else "a gap between areas"
    return f"{where} is covered by no area" + (f"; around it: {beside}" if beside else "")


@check("map.sliver", "error", f"Between areas there is no gap or overlap of less than {SLIVER} lattice units")
def _sliver(subject: MapSubject) -> Iterator[Fault]:
    remedy = "give both areas the same corners there: map.move_vertex(point, to), or map.snap(id, 'vertices')"
    for one in subject.once(_overlaps):
        if _is_thin(one):
            message = f"{one.a} and {one.b} overlap by a sliver of less than {SLIVER} lattice units"
            yield Fault(f"{one.a}/{one.b}", message, remedy, one.point)
    for whole, gap in subject.once(_gaps):
        if _is_thin(gap):
            message = f"{_uncovered(whole, gap)}, for a width of less than {SLIVER} lattice units"
            yield Fault(whole or "/".join(gap.beside[:4]), message, remedy, gap.point)
    for slit in _open_slits(subject):
        message = f"{slit.a} and {slit.b} do not meet: between them is a slit of less than {SLIVER} lattice units"
        yield Fault(f"{slit.a}/{slit.b}", message, remedy, slit.point)


@check("map.part_inside", "error", "Parts lie in their whole: rooms in their building, boxes in their zone")
def _part_inside(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in subject.once(_outside):
        whole, part = subject.polygon(area.within), subject.polygon(area.id)
        out = _corners_outside(subject, area)
        where = out[0] if out else _point_in(part.difference(whole))
        message = f"a part of it lies outside {area.within}, of which it is part"
        yield Fault(area.id, message, "move its corners inside, or name another area", where)
    for place in subject.survey.features_of(Place):
        if place.within in subject.sound and not subject.polygon(place.within).covers(shapely.Point(place.at)):
            message = f"{place.name} lies at {place.at}, outside {place.within}, to which it belongs"
            yield Fault(place.id, message, "move it inside, or name another area", place.at)


def _outside(subject: MapSubject) -> list[Area]:
    """Return the areas that do not lie in the one that they are part of."""
    found = []
    for area in subject.sound.values():
        if area.within not in subject.sound:
            continue
        whole, part = subject.polygon(area.within), subject.polygon(area.id)
        # A house that is part of a compound's wall stands across it; a room keeps to its building.
        keeps_inside = subject.areas[area.within].type in subject.whole_types(area)
        if not (whole.covers(part) if keeps_inside else whole.intersects(part)):
            found.append(area)
    return found


def _corners_outside(subject: MapSubject, area: Area) -> list[Point]:
    import shapely

    whole = subject.polygon(area.within)
    return [corner for corner in area.outline if not whole.intersects(shapely.Point(corner))]


def _point_in(region: object) -> Point:
    import shapely

    point = shapely.point_on_surface(region)
    return round(point.x), round(point.y)


CHECKS = (_overlap, _gap, _sliver, _part_inside)
