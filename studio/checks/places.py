"""Checks of drawn areas, places, walls, apertures and links: sound shapes, one label a location, both ends there."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Yielded, check
from studio.errors import LabelError
from studio.model import Aperture, Area, Dot, Link, Place, Wall
from studio.rules import Ruleset
from studio.survey import Survey

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


PLACE_CHECKS = (_drawn_type, _label_once, _area_shape, _dot_inside, _part_of, _ends_exist)
