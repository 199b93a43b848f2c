"""Checks of Modern Tactics: structures in their hexes, hills and levels, compounds, roads beside structures."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject
from studio.model import Area, Road

__all__ = ["CHECKS"]

_GAME = "modern_tactics"
_BUILT = ("structure", "ruins")
_LOW = ("low_wall", "hedge")


def _drawn(subject: MapSubject, *types: str) -> list[Area]:
    return [area for area in subject.areas.values() if area.type in types]


@check("map.structure_terrain", "warning", "A structure is drawn in hexes of its terrain (14.6, 14.9)", game=_GAME)
def _structure_terrain(subject: MapSubject) -> Iterator[Fault]:
    for area in _drawn(subject, *_BUILT):
        for cell in subject.survey.area_cells(area.id):
            terrain = subject.model.terrain_at(cell)
            if terrain not in _BUILT:
                label = subject.labels.label(cell)
                message = f"it is drawn in {label}, which is {terrain.replace('_', ' ')}"
                yield Fault(area.id, message, f"paint {label} {area.type}, or draw it smaller", subject.centre(cell))


@check("map.structure_drawn", "warning", "In a hex of structure or ruins one is drawn (12.2, 14.6)", game=_GAME)
def _structure_drawn(subject: MapSubject) -> Iterator[Fault]:
    drawn = {cell for area in _drawn(subject, *_BUILT) for cell in subject.survey.area_cells(area.id)}
    if not drawn:
        return  # a map without outlines: every structure fills its hex
    codes = [code for code, name in enumerate(subject.model.terrain_ids) if name in _BUILT]
    for code in codes:
        for cell in ((subject.model.terrain == code) & subject.grid.present).ravel().nonzero()[0].tolist():
            if cell not in drawn:
                message = f"{subject.model.terrain_ids[code]} without an outline, which blocks all over its hex"
                yield Fault(subject.labels.label(cell), message, "draw what stands there", subject.centre(cell))


@check("map.structure_level", "warning", "The hexes of one structure are of one level (14.8)", game=_GAME)
def _structure_level(subject: MapSubject) -> Iterator[Fault]:
    for area in _drawn(subject, *_BUILT):
        cells = subject.survey.area_cells(area.id)
        levels = {subject.model.level_at(cell) for cell in cells}
        if len(levels) > 1:
            odd = next(cell for cell in cells if subject.model.level_at(cell) != subject.model.level_at(cells[0]))
            message = f"it stands in hexes of the levels {', '.join(map(str, sorted(levels)))}"
            yield Fault(area.id, message, "give its hexes one level, or draw two structures", subject.centre(odd))


@check("map.structure_road", "warning", "A road passes beside the structures in its hexes (14.7)", game=_GAME)
def _structure_road(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    houses = [area.id for area in _drawn(subject, *_BUILT)]
    tree = shapely.STRtree([subject.polygon(area_id) for area_id in houses])
    for road in subject.survey.features_of(Road):
        points = road.line or [subject.centre(cell) for cell in subject.labels.cells(road.path)]
        if len(set(points)) < 2:
            continue
        line = shapely.LineString(points)
        for number in sorted(tree.query(line, predicate="intersects").tolist()):
            x, y = line.intersection(subject.polygon(houses[number])).representative_point().coords[0]
            message = f"{road.id} runs into {houses[number]}"
            yield Fault(road.id, message, "draw its line beside the structure (line)", (round(x), round(y)))


@check("map.hill_level", "warning", "A hex whose dot is on a drawn hill has at least its level (14.5)", game=_GAME)
def _hill_level(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in _drawn(subject, "hill"):
        for cell in subject.survey.area_cells(area.id):
            dot, level = subject.directory.dot(cell), subject.model.level_at(cell)
            if level < area.level and subject.polygon(area.id).contains(shapely.Point(dot)):
                message = f"its dot lies on {area.id} of level {area.level}, but its level is {level}"
                remedy = f"paint it level {area.level}, or draw the hill smaller"
                yield Fault(subject.labels.label(cell), message, remedy, dot)


@check("map.compound_inside", "warning", "A compound has the dot of a hex inside (Playbook 2)", game=_GAME)
def _compound_inside(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for area in _drawn(subject, "compound"):
        shape = subject.polygon(area.id)
        dots = (subject.directory.dot(cell) for cell in subject.survey.area_cells(area.id))
        if not any(shape.contains(shapely.Point(dot)) for dot in dots):
            message = "no dot of a hex lies inside its wall, so that no unit can be in it"
            yield Fault(area.id, message, "draw it larger, or move a dot inside", subject.place_of(area))


@check("map.side_covered", "warning", "Low walls and hedges run outside structures (14.4)", game=_GAME)
def _side_covered(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    houses = [area.id for area in _drawn(subject, *_BUILT)]
    tree = shapely.STRtree([subject.polygon(area_id) for area_id in houses])
    for (a, b), kinds in sorted(subject.model.sides.items()):
        if not houses or not set(_LOW) & set(kinds):
            continue
        ends = set(subject.grid.corners(a)) & set(subject.grid.corners(b))
        for number in tree.query(shapely.LineString(sorted(ends)), predicate="within").tolist():
            label = f"{subject.labels.label(a)}/{subject.labels.label(b)}"
            message = f"the {kinds[0].replace('_', ' ')} runs inside {houses[number]}"
            yield Fault(label, message, "clear the hexside, or draw the structure smaller", subject.between(a, b))


CHECKS = (
    _structure_terrain,
    _structure_drawn,
    _structure_level,
    _structure_road,
    _hill_level,
    _compound_inside,
    _side_covered,
)
