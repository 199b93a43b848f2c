"""Checks of drawn areas, places, walls, apertures and links: sound shapes, one label a location, both ends there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from studio.checks.finding import Yielded, check
from studio.errors import LabelError
from studio.model import Aperture, Area, Dot, Link, Place, Point, Wall
from studio.rules import Ruleset
from studio.survey import Survey, ring_edges

__all__ = ["PLACE_CHECKS"]


@check("map.drawn_type", "error", "Areas, places, walls, apertures and links are of the game's types")
def _drawn_type(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    for feature in survey.model.features.values():
        if not isinstance(feature, Area | Place | Wall | Aperture | Link):
            continue
        kind = str(type(feature).__struct_config__.tag)
        known = ruleset.drawn_types(kind)
        if feature.type not in known:
            has = ", ".join(known) or f"no {kind}s"
            yield feature.id, f"unknown {kind} {feature.type!r}", f"the game has {has}"


@check("map.label_once", "error", "No two locations have one label")
def _label_once(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    for label, claimants in sorted(survey.directory.clashes.items()):
        message = f"{len(claimants)} locations are called {label!r}: {', '.join(claimants)}"
        yield label, message, "give each a name of its own"


@check("map.area_shape", "error", "The outline of an area does not cross itself and its holes lie inside")
def _area_shape(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    import shapely

    del ruleset
    for area in survey.features_of(Area):
        polygon = shapely.Polygon(area.outline, area.holes)
        if not polygon.is_valid:
            yield area.id, shapely.is_valid_reason(polygon), "move the corner so that no edges cross"


@check("map.dot_inside", "error", "The dot of an area or a hex lies inside it")
def _dot_inside(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    import shapely

    del ruleset
    for area in survey.features_of(Area):
        if area.dot is not None and not survey.polygon(area.id).contains(shapely.Point(area.dot)):
            yield area.id, f"its dot {area.dot} lies outside", "move the dot inside, or leave it out"
    for dot in survey.features_of(Dot):
        cell = survey.model.labels.cell(dot.at)
        if not shapely.Polygon(survey.grid.corners(cell)).contains(shapely.Point(dot.point)):
            yield dot.at, f"{dot.id}: the dot {dot.point} lies outside its hex", "move it inside, or delete it"


@check("map.part_of", "error", "What an area or a place is part of is an area of the map")
def _part_of(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    areas = {area.id: area for area in survey.features_of(Area)}
    parts: list[Area | Place] = [*areas.values(), *survey.features_of(Place)]
    for feature in parts:
        if feature.within and feature.within not in areas:
            yield feature.id, f"is part of {feature.within!r}, which is no area", "name the id of an area"
        seen: set[str] = set()
        above = feature.within
        while above in areas and above not in seen:
            seen.add(above)
            above = areas[above].within
        if feature.id in seen:
            yield feature.id, "is part of itself", "name the area around it, or none"


@check("map.ends_exist", "error", "Links and apertures belong to locations of the map")
def _ends_exist(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    ends = [(link.id, label) for link in survey.features_of(Link) for label in (link.a, link.b)]
    ends += [(aperture.id, aperture.into) for aperture in survey.features_of(Aperture)]
    for name, label in ends:
        try:
            survey.directory.number(label)
        except LabelError as error:
            yield name, str(error), "name a location of the map"


@check("map.covered_hex", "error", "Where a building covers the dot of a hex, the hex is no location")
def _covered_hex(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    import shapely

    unplayable = [name for name, terrain in ruleset.terrains.items() if not terrain.playable]
    for area in survey.features_of(Area):
        kind = ruleset.area_types.get(area.type)
        if kind is None or not kind.covers:
            continue
        polygon = survey.polygon(area.id)
        for cell in survey.area_cells(area.id):
            covered = survey.directory.exists(cell) and polygon.contains(shapely.Point(survey.directory.dot(cell)))
            if covered:
                message = f"its dot lies under {area.name or area.id}, but units can be in it"
                yield (
                    survey.model.labels.label(cell),
                    message,
                    f"paint it {' or '.join(unplayable)}, or move its dot out",
                )


@check("map.aperture_on_wall", "error", "Apertures and breaches lie on a wall or on the outline of an area")
def _aperture_on_wall(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    apertures = survey.features_of(Aperture)
    if not apertures:
        return
    edges = [
        edge for area in survey.features_of(Area) for ring in (area.outline, *area.holes) for edge in ring_edges(ring)
    ]
    edges += [pair for wall in survey.features_of(Wall) for pair in pairwise(wall.line)]
    for aperture in apertures:
        if not any(_lies_on(aperture.at, p, q) for p, q in edges):
            yield (
                aperture.id,
                f"the point {aperture.at} lies on no wall",
                "move it onto a facade, a partition or a wall",
            )


def _lies_on(point: Point, p: Point, q: Point) -> bool:
    (x, y), (px, py), (qx, qy) = point, p, q
    if not (min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy)):
        return False
    return (qx - px) * (y - py) == (qy - py) * (x - px)


PLACE_CHECKS = (
    _drawn_type,
    _label_once,
    _area_shape,
    _dot_inside,
    _part_of,
    _ends_exist,
    _covered_hex,
    _aperture_on_wall,
)
