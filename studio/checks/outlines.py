"""Checks of single drawn shapes: outlines that cross themselves, needless corners, holes, dots, things off the map."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject, mend, put
from studio.model import Aperture, Area, Contour, Delete, Dot, Place, Point, Wall, feature_points
from studio.survey import ring_edges

__all__ = ["CHECKS", "cleaned", "twice_the_area"]

_PLACE = re.compile(r"\[(-?[0-9.e+]+) (-?[0-9.e+]+)\]")


def twice_the_area(ring: Sequence[Point]) -> int:
    """Return twice the size of what a ring encloses, exactly."""
    return abs(sum(p[0] * q[1] - q[0] * p[1] for p, q in ring_edges(ring)))


def cleaned(ring: Sequence[Point]) -> list[Point]:
    """Return a ring without corners that follow themselves and without spikes, which enclose nothing.

    Examples
    --------
    >>> cleaned(((0, 0), (4, 0), (4, 0), (4, 4), (4, 9), (4, 4), (0, 4)))
    [(0, 0), (4, 0), (4, 4), (0, 4)]
    """
    found = list(ring)
    at = 0
    while at < len(found) and len(found) > 2:
        before, here, after = found[at - 1], found[at], found[(at + 1) % len(found)]
        if here == after or _is_spike(before, here, after):
            del found[at]
            at = max(at - 2, 0)
        else:
            at += 1
    return found


def _is_spike(before: Point, here: Point, after: Point) -> bool:
    (ax, ay), (bx, by) = (before[0] - here[0], before[1] - here[1]), (after[0] - here[0], after[1] - here[1])
    return ax * by == ay * bx and ax * bx + ay * by > 0


def _rings(area: Area) -> list[tuple[str, Sequence[Point]]]:
    return [("outline", area.outline), *((f"hole {number}", hole) for number, hole in enumerate(area.holes, 1))]


@check("map.area_empty", "error", "Every area has a size")
def _area_empty(subject: MapSubject) -> Iterator[Fault]:
    for area in subject.areas.values():
        for name, ring in _rings(area):
            if not twice_the_area(ring) and len(cleaned(ring)) < 3:
                message = f"its {name} has no size: all its corners lie on one line"
                yield Fault(area.id, message, "draw it with three corners or more, or delete it", ring[0])


@check("map.corner_repeated", "error", "No corner of an area follows itself, and no edge runs back on itself")
def _corner_repeated(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in subject.areas.values():
        rings = [cleaned(ring) for _, ring in _rings(area)]
        if any(len(ring) < 3 for ring in rings):
            continue  # of no size
        for (name, ring), sound in zip(_rings(area), rings, strict=True):
            if len(sound) == len(ring):
                continue
            where = next(here for at, here in enumerate(ring) if here not in sound or here == ring[at - 1])
            message = f"the corner {where} of its {name} is drawn twice, or an edge runs out to it and back"
            repair = None
            if shapely.Polygon(rings[0], rings[1:]).is_valid:
                dropped = sum(len(ring) for _, ring in _rings(area)) - sum(map(len, rings))
                change = put(area, outline=tuple(rings[0]), holes=tuple(map(tuple, rings[1:])))
                repair = mend(f"Drop {dropped} corner{'s' * (dropped != 1)} of {area.id}", change)
            yield Fault(area.id, message, "take the corner out", where, repair)
            break


@check("map.area_shape", "error", "The outline of an area does not cross or touch itself")
def _area_shape(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in subject.areas.values():
        ring = area.outline if subject.survey.is_sound(area.id) else cleaned(area.outline)
        if subject.survey.is_sound(area.id) or len(ring) < 3:
            continue
        reason = shapely.is_valid_reason(shapely.Polygon(ring))
        if reason != "Valid Geometry":
            where = _named(reason) or area.outline[0]
            how = "touches" if reason.startswith("Ring") else "crosses"
            yield Fault(
                area.id, f"its outline {how} itself at {where}", "move the corners so that no edges cross", where
            )


@check("map.hole", "error", "The holes of an area lie inside it and apart from each other")
def _hole(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in subject.areas.values():
        if subject.survey.is_sound(area.id) or not area.holes:
            continue
        rings = [cleaned(ring) for _, ring in _rings(area)]
        if any(len(ring) < 3 for ring in rings) or not shapely.Polygon(rings[0]).is_valid:
            continue  # named by another check
        reason = shapely.is_valid_reason(shapely.Polygon(rings[0], rings[1:]))
        if reason != "Valid Geometry":
            where = _named(reason) or area.holes[0][0]
            what = reason.partition("[")[0].lower()
            said = {
                "hole lies outside shell": "a hole lies outside its outline",
                "holes are nested": "a hole lies in another hole",
                "interior is disconnected": "holes cut it into pieces",
            }.get(what, "a hole crosses or touches its outline, another hole or itself")
            yield Fault(area.id, f"{said}, at {where}", "move the hole inside, or leave it out", where)


def _named(reason: str) -> Point | None:
    """Return the point that shapely names in its reason; a crossing between lattice points by the nearest of them."""
    found = _PLACE.search(reason)
    return None if found is None else (round(float(found[1])), round(float(found[2])))


@check("map.wall_length", "error", "Every piece of a wall has a length")
def _wall_length(subject: MapSubject) -> Iterator[Fault]:
    for wall in subject.survey.features_of(Wall):
        kept = [point for at, point in enumerate(wall.line) if not at or point != wall.line[at - 1]]
        if len(kept) == len(wall.line):
            continue
        where = next(point for at, point in enumerate(wall.line) if at and point == wall.line[at - 1])
        if len(kept) < 2:
            repair = mend(f"Delete {wall.id}, which has no length", Delete(collection="features", id=wall.id))
            yield Fault(wall.id, "a wall without length", "draw it on to a second point, or delete it", where, repair)
        else:
            repair = mend(f"Drop a repeated point of {wall.id}", put(wall, line=tuple(kept)))
            yield Fault(wall.id, f"the point {where} follows itself", "take it out", where, repair)


@check("map.wall_once", "warning", "A wall is drawn once")
def _wall_once(subject: MapSubject) -> Iterator[Fault]:
    first: dict[tuple[str, tuple[Point, ...]], Wall] = {}
    for wall in subject.survey.features_of(Wall):
        # Drawn from the other end it is the same wall.
        kept = first.setdefault((wall.type, min(wall.line, wall.line[::-1])), wall)
        if kept is not wall:
            repair = mend(f"Delete {wall.id}, the same as {kept.id}", Delete(collection="features", id=wall.id))
            message = f"{kept.id} and {wall.id} are the same wall, drawn twice"
            yield Fault(wall.id, message, "delete one of them", wall.line[0], repair)


@check("map.dot_inside", "error", "The dot of an area or a hex lies inside it")
def _dot_inside(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in subject.areas.values():
        if area.dot is not None and not subject.polygon(area.id).contains(shapely.Point(area.dot)):
            repair = None
            if area.id in subject.sound:
                repair = mend(f"Let the dot of {area.id} be a point well inside", put(area, dot=None))
            message = f"its dot {area.dot} lies outside, or on its outline"
            yield Fault(area.id, message, "move the dot inside, or leave it out", area.dot, repair)
    for dot in subject.survey.features_of(Dot):
        cell = subject.labels.cell(dot.at)
        if not shapely.Polygon(subject.grid.corners(cell)).contains(shapely.Point(dot.point)):
            repair = mend(f"Let the dot of {dot.at} be its middle", Delete(collection="features", id=dot.id))
            message = f"{dot.id}: the dot {dot.point} lies outside its hex"
            yield Fault(dot.at, message, "move it inside, or delete it", dot.point, repair)


@check("map.dot_once", "error", "A hex has one dot")
def _dot_once(subject: MapSubject) -> Iterator[Fault]:
    first: dict[int, Dot] = {}
    for dot in subject.survey.features_of(Dot):
        kept = first.setdefault(subject.labels.cell(dot.at), dot)
        if kept is not dot:
            repair = None
            if kept.point == dot.point:
                repair = mend(f"Delete {dot.id}, the same as {kept.id}", Delete(collection="features", id=dot.id))
            message = f"{kept.id} and {dot.id} both say where the dot of {dot.at} is"
            yield Fault(dot.at, message, "delete one of them", dot.point, repair)


@check("map.off_map", "error", "What is drawn lies on the map, in part at least")
def _off_map(subject: MapSubject) -> Iterator[Fault]:
    x0, y0, x1, y1 = subject.grid.frame
    for feature in subject.survey.model.features_of(Area, Place, Wall, Aperture, Contour):
        points = [point for field, point in feature_points(feature) if field != "dot"]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        if max(xs) < x0 or min(xs) > x1 or max(ys) < y0 or min(ys) > y1:
            message = f"lies off the map, which goes from ({x0}, {y0}) to ({x1}, {y1})"
            yield Fault(feature.id, message, "move it onto the map, or delete it", points[0])


CHECKS = (
    _area_empty,
    _corner_repeated,
    _area_shape,
    _hole,
    _wall_length,
    _wall_once,
    _dot_inside,
    _dot_once,
    _off_map,
)
