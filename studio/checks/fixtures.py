"""Checks of what stands on a map: apertures on their walls, markers, clouds, the dots of hexes and what covers them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from math import gcd
from typing import Any

import numpy as np

from studio.checks.finding import Fault, check
from studio.checks.misses import near_on_segment
from studio.checks.subject import MapSubject, mend, put
from studio.errors import LabelError, UnknownNameError
from studio.model import Aperture, Batch, Delete, Marker, Paint, Place, Point, Wall, layers_of
from studio.model.topology.rings import turns_sharply
from studio.survey import layer_numbers, ring_edges

__all__ = ["CHECKS", "REACH", "Lines", "walls_of"]

REACH = 24
"""Lattice units: an aperture that is not on a wall is moved onto one that is as near as this."""

_UNDERGROUND = "underground"
"""What such areas are for sight, and the layer on which maps of them lie beside that of the surface."""

_Edge = tuple[Point, Point]


class Lines:
    """The edges of drawn walls and areas, found by where they are."""

    def __init__(self, edges: list[_Edge]) -> None:
        import shapely

        self.edges = edges
        self._tree = shapely.STRtree(shapely.linestrings(np.array(edges)) if edges else [])

    def near(self, point: Point, reach: int) -> list[_Edge]:
        """Return the edges near a point; all within reach are among them."""
        import shapely

        x, y = point
        return [self.edges[n] for n in self._tree.query(shapely.box(x - reach, y - reach, x + reach, y + reach))]

    def hold(self, point: Point) -> bool:
        """Tell whether a point lies on a line."""
        return any(near_on_segment(point, edge) for edge in self.near(point, 1))


def walls_of(subject: MapSubject) -> Lines:
    """Return what an aperture can lie on: every wall and every outline."""
    edges = [
        edge for area in subject.areas.values() for ring in (area.outline, *area.holes) for edge in ring_edges(ring)
    ]
    edges += [pair for wall in subject.survey.features_of(Wall) for pair in pairwise(wall.line) if pair[0] != pair[1]]
    return Lines(edges)


def _barriers(subject: MapSubject) -> Lines:
    """Return what no dot may lie on: walls, and the outlines of what covers hexes or is judged as a wall."""
    kinds = {name for name, kind in subject.ruleset.area_types.items() if kind.covers or kind.sight == "wall"}
    areas = [area for area in subject.areas.values() if area.type in kinds]
    edges = [edge for area in areas for ring in (area.outline, *area.holes) for edge in ring_edges(ring)]
    edges += [pair for wall in subject.survey.features_of(Wall) for pair in pairwise(wall.line) if pair[0] != pair[1]]
    return Lines(edges)


# -- apertures -------------------------------------------------------------------------------------------------------


@check("map.aperture_on_wall", "error", "Apertures and breaches lie on a wall or on the outline of an area")
def _aperture_on_wall(subject: MapSubject) -> Iterator[Fault]:
    for aperture in subject.survey.features_of(Aperture):
        if subject.once(walls_of).hold(aperture.at):
            continue
        message = f"the point {aperture.at} lies on no wall"
        remedy = "move it onto a facade, a partition or a wall"
        yield Fault(aperture.id, message, remedy, aperture.at, _onto_wall(subject, aperture))


def _onto_wall(subject: MapSubject, aperture: Aperture) -> Batch | None:
    """Return the repair where exactly one point of a wall is nearest, and near."""
    found: dict[Point, int] = {}
    for edge in subject.once(walls_of).near(aperture.at, REACH):
        for point in _points_near(aperture.at, edge):
            away = (point[0] - aperture.at[0]) ** 2 + (point[1] - aperture.at[1]) ** 2
            if away <= REACH * REACH and _touches(subject, aperture.into, point) is not False:
                found[point] = away
    nearest_ones = [point for point, away in found.items() if away == min(found.values())]
    if len(nearest_ones) != 1:
        return None
    return mend(f"Move {aperture.id} to {nearest_ones[0]}, onto the wall", put(aperture, at=nearest_ones[0]))


def _points_near(point: Point, edge: _Edge) -> list[Point]:
    """Return the lattice points of an edge between which the point of it lies that is nearest to a point."""
    (px, py), (qx, qy) = edge
    count = gcd(qx - px, qy - py)
    dx, dy = (qx - px) // count, (qy - py) // count
    step = ((point[0] - px) * dx + (point[1] - py) * dy) // (dx * dx + dy * dy)
    steps = {min(max(at, 0), count) for at in (step, step + 1)}
    return [(px + at * dx, py + at * dy) for at in steps]


def _touches(subject: MapSubject, label: str, point: Point) -> bool | None:
    """Tell whether a location touches a point: an area by its outline, a hex anywhere; None of what has no shape."""
    import shapely

    number = subject.directory.find(label)
    if number is None:
        return None
    place = subject.directory.location(number)
    if place.kind == "area":
        area = subject.areas[place.feature]
        return any(near_on_segment(point, edge) for ring in (area.outline, *area.holes) for edge in ring_edges(ring))
    if place.kind == "hex":
        return bool(shapely.Polygon(subject.grid.corners(place.cell)).intersects(shapely.Point(point)))
    return None


@check("map.aperture_location", "error", "An aperture lies where its location touches the wall")
def _aperture_location(subject: MapSubject) -> Iterator[Fault]:
    for aperture in subject.survey.features_of(Aperture):
        if _touches(subject, aperture.into, aperture.at) is False and subject.once(walls_of).hold(aperture.at):
            message = f"the point {aperture.at} does not lie on the border of {aperture.into}, to which it belongs"
            yield Fault(aperture.id, message, "move it there, or name another location (into)", aperture.at)


@check("map.aperture_once", "error", "A location has one aperture at a point")
def _aperture_once(subject: MapSubject) -> Iterator[Fault]:
    first: dict[tuple[Point, str], Aperture] = {}
    for aperture in subject.survey.features_of(Aperture):
        kept = first.setdefault((aperture.at, aperture.into), aperture)
        if kept is not aperture:
            same = (kept.type, kept.arrows, kept.open) == (aperture.type, aperture.arrows, aperture.open)
            title = f"Delete {aperture.id}, the same as {kept.id}"
            repair = mend(title, Delete(collection="features", id=aperture.id)) if same else None
            message = f"{kept.id} and {aperture.id} of {aperture.into} are at one point"
            yield Fault(aperture.id, message, "move one along the wall, or delete it", aperture.at, repair)


@check("map.aperture_corner", "warning", "An aperture lies beside the corners and the ends of its wall")
def _aperture_corner(subject: MapSubject) -> Iterator[Fault]:
    ends = {end for wall in subject.survey.features_of(Wall) for end in (wall.line[0], wall.line[-1])}
    turns = {
        corner
        for area in subject.areas.values()
        for ring in (area.outline, *area.holes)
        for before, corner, after in zip((ring[-1], *ring[:-1]), ring, (*ring[1:], ring[0]), strict=True)
        if turns_sharply(before, corner, after)
    }
    for aperture in subject.survey.features_of(Aperture):
        if aperture.at in turns or aperture.at in ends:
            what = "the corner of an area" if aperture.at in turns else "the end of a wall"
            message = f"it lies exactly on {what}, so that it is open to two sides"
            yield Fault(aperture.id, message, "move it along the wall", aperture.at)


# -- markers ---------------------------------------------------------------------------------------------------------


@check("map.marker", "error", "Markers are the game's, and lie in terrain that allows them")
def _marker(subject: MapSubject) -> Iterator[Fault]:
    ruleset, directory = subject.ruleset, subject.directory
    for marker in subject.survey.features_of(Marker):
        kind, where = ruleset.marker_types.get(marker.type), subject.dot(marker.at)
        if kind is None:
            remedy = f"choose one of: {', '.join(ruleset.marker_types)}"
            yield Fault(marker.at, f"{marker.id}: unknown marker {marker.type!r}", remedy, where)
            continue
        try:
            lies_in = [directory.location(directory.number(at)) for at in (marker.at, *marker.also)]
        except LabelError as error:
            yield Fault(marker.at, f"{marker.id}: {error}", "move it to a location, or delete it", where)
            continue
        if kind.terrain and lies_in[0].type not in kind.terrain:
            message = f"{marker.id}: {kind.name.lower()} in {lies_in[0].type}"
            yield Fault(marker.at, message, f"move it to {' or '.join(kind.terrain)}", where)


@check("map.marker_once", "warning", "A location holds one marker of a kind")
def _marker_once(subject: MapSubject) -> Iterator[Fault]:
    found: dict[tuple[str, str], list[Marker]] = defaultdict(list)
    for marker in subject.survey.features_of(Marker):
        found[marker.at, marker.type].append(marker)
    for (at, kind), markers in sorted(found.items()):
        if len(markers) < 2:
            continue
        repair = None
        if len({marker.also for marker in markers}) == 1:
            extra = [Delete(collection="features", id=marker.id) for marker in markers[1:]]
            repair = mend(f"Keep one {kind} marker in {at}", *extra)
        yield Fault(at, f"{len(markers)} {kind} markers in one place", "keep one", subject.dot(at), repair)


@check("map.cloud", "error", "The tail of a cloud lies downwind of its head, as its marker does")
def _cloud(subject: MapSubject) -> Iterator[Fault]:
    ruleset = subject.ruleset
    clouds = [
        marker
        for marker in subject.survey.features_of(Marker)
        if marker.also and (kind := ruleset.marker_types.get(marker.type)) is not None and kind.cloud
    ]
    if not clouds:
        return
    try:
        rule: Any = ruleset.clouds
    except UnknownNameError:
        return
    spec = ruleset.option_specs.get("cloud_shape")
    for marker in clouds:
        numbers = [subject.directory.find(label) for label in (marker.at, *marker.also)]
        if None in numbers:
            continue  # named by another check
        places = [subject.directory.location(number) for number in numbers if number is not None]
        head, hexes = places[0].cell, {place.cell for place in places if place.kind == "hex"}
        shapes = spec.values if spec is not None else ("row",)
        likely = [
            (wind, shape)
            for wind in rule.winds(subject.grid)
            for shape in shapes
            if hexes <= set(rule.cloud_hexes(subject.grid, head, wind, shape))
        ]
        lacking: list[list[str]] = [
            [subject.labels.label(cell) for cell in sorted(_tail(subject, rule, marker.at, wind, str(shape)) - hexes)]
            for wind, shape in likely
        ]
        over = f"{marker.id}: {marker.type} from {marker.at} over {', '.join(marker.also)}"
        remedy = "place it with map.add_cloud(type, at, wind)"
        if not likely:
            yield Fault(marker.at, f"{over} is no cloud of three hexes", remedy, places[0].dot)
        elif all(lacking):
            fewest = min(map(len, lacking))
            missing = " and ".join(next(labels for labels in lacking if len(labels) == fewest))
            yield Fault(marker.at, f"{over} leaves out {missing}, which its marker covers", remedy, places[0].dot)


def _tail(subject: MapSubject, rule: Any, at: str, wind: str, shape: str) -> set[int]:
    """Return the hexes that the tail of a cloud takes in."""
    numbers = [
        subject.directory.number(label) for label in rule.covered(subject.survey, at, wind, {"cloud_shape": shape})
    ]
    return {number for number in numbers if number < subject.grid.cells}


# -- places ----------------------------------------------------------------------------------------------------------


@check("map.place_apart", "warning", "No two places lie at one point")
def _place_apart(subject: MapSubject) -> Iterator[Fault]:
    found: dict[Point, list[Place]] = defaultdict(list)
    for place in subject.survey.features_of(Place):
        found[place.at].append(place)
    for at, places in sorted(found.items()):
        if len(places) > 1:
            message = f"{' and '.join(place.name for place in places)} lie at one point, {at}"
            yield Fault(places[1].id, message, "move one of them", at)


# -- dots of hexes ---------------------------------------------------------------------------------------------------


@check("map.covered_hex", "error", "Where a building covers the dot of a hex, the hex is no location")
def _covered_hex(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    unplayable = [name for name, terrain in subject.ruleset.terrains.items() if not terrain.playable]
    for area_id, cells in _covered(subject):
        polygon, area = subject.polygon(area_id), subject.areas[area_id]
        dots = [(cell, subject.directory.dot(cell)) for cell in cells if subject.directory.exists(cell)]
        under = [(cell, dot) for cell, dot in dots if polygon.contains(shapely.Point(dot))]
        if not under:
            continue
        labels = [subject.labels.label(cell) for cell, _ in under]
        name, repair = area.name or area_id, None
        message = f"its dot lies under {name}, but units can be in it"
        if len(labels) > 1:
            more = f" and {len(labels) - len(labels[1:13])} more" if len(labels) > 13 else ""
            message = f"its dot and those of {', '.join(labels[1:13])}{more} lie under {name}, but units can be there"
        if len(unplayable) == 1:
            what = f"{len(under)} hexes under {name}" if len(under) > 1 else f"{labels[0]}, under {name},"
            paint = Paint(plane="terrain", cells=[cell for cell, _ in under], values=[unplayable[0]])
            repair = mend(f"Paint {what} {unplayable[0]}", paint)
        remedy = f"paint {'them' if len(under) > 1 else 'it'} {' or '.join(unplayable)}, or move the dots out"
        yield Fault(labels[0], message, remedy, under[0][1], repair)


def _covered(subject: MapSubject) -> Iterator[tuple[str, list[int]]]:
    """Yield the areas that take the place of hexes, with those under them.

    An underground building lies below the hexes of the surface; on a sheet of its own layer it takes their place.
    """
    for area_id in subject.covering:
        yield area_id, subject.survey.area_cells(area_id)
    if not subject.model.sheets:
        return
    layers, names = layer_numbers(subject.survey), layers_of(subject.grid, subject.model.sheets)
    below = {name for name, kind in subject.ruleset.area_types.items() if kind.sight == _UNDERGROUND}
    for area in subject.areas.values():
        if area.type in below:
            cells = subject.survey.area_cells(area.id)
            yield area.id, [cell for cell in cells if layers[cell] >= 0 and names[layers[cell]] == _UNDERGROUND]


@check("map.dot_free", "error", "The dot of a hex lies on no wall and no facade")
def _dot_free(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    lines = subject.once(_barriers)
    if not lines.edges:
        return
    dots = subject.grid.centres.copy()
    for cell, point in subject.directory.moved_dots.items():
        dots[cell] = point
    shapes = shapely.linestrings(np.array(lines.edges))
    _, met = shapely.STRtree(shapely.points(dots)).query(shapes, predicate="intersects")
    kinds = {name for name, kind in subject.ruleset.area_types.items() if kind.sight == "shape"}
    houses = [subject.polygon(area.id) for area in subject.areas.values() if area.type in kinds]
    for cell in np.unique(met).tolist():
        dot = subject.directory.dot(cell)
        point = shapely.Point(dot)
        # A house can be a piece of the wall around it: the unit is in the house then.
        if subject.directory.exists(cell) and not any(house.contains(point) for house in houses):
            message = f"its dot {dot} lies on a wall, so that it is on neither side"
            yield Fault(subject.labels.label(cell), message, "move its dot to one side: add a dot for it", dot)


@check("map.hex_lost", "warning", "A hex beside a building that has its dot free is a location")
def _hex_lost(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    covering: dict[int, list[str]] = defaultdict(list)
    for area_id in subject.covering:
        for cell in subject.survey.area_cells(area_id):
            covering[cell].append(area_id)
    for cell, ids in sorted(covering.items()):
        dot = subject.directory.dot(cell)
        if not subject.directory.exists(cell) and not any(
            subject.polygon(area_id).intersects(shapely.Point(dot)) for area_id in ids
        ):
            message = f"no building covers its dot {dot}, but no unit can be in it"
            yield Fault(subject.labels.label(cell), message, "paint it as what is on the ground there", dot)


CHECKS = (
    _aperture_on_wall,
    _aperture_location,
    _aperture_once,
    _aperture_corner,
    _marker,
    _marker_once,
    _cloud,
    _place_apart,
    _covered_hex,
    _dot_free,
    _hex_lost,
)
