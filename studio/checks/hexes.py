"""Checks of hexes: terrain, levels, what runs on hexsides, rivers and wadis, roads, contours."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject, mend, put
from studio.model import Batch, Contour, Road, SetSide
from studio.rules import Ruleset
from studio.survey import on_edge

__all__ = ["CHECKS"]

_EDGES = ("north", "east", "south", "west")


def _at_edge(subject: MapSubject, cell: int) -> bool:
    return any(on_edge(subject.grid, cell, edge) for edge in _EDGES)


def _is_wadi(ruleset: Ruleset, terrain: str) -> bool:
    return terrain in ruleset.terrains and ruleset.terrains[terrain].sight == "wadi"


@check("map.terrain_known", "error", "Every terrain is one of the game's")
def _terrain_known(subject: MapSubject) -> Iterator[Fault]:
    model, present = subject.model, subject.grid.present
    for code in np.unique(model.terrain[present]).tolist():
        name = model.terrain_ids[code]
        if name not in subject.ruleset.terrains:
            cell = int(np.flatnonzero((model.terrain == code).ravel() & present.ravel())[0])
            message = f"unknown terrain {name!r}, first in this hex"
            remedy = f"paint it as one of: {', '.join(subject.ruleset.terrains)}"
            yield Fault(subject.labels.label(cell), message, remedy, subject.centre(cell))


@check("map.level_range", "error", "Every level is one of the game's")
def _level_range(subject: MapSubject) -> Iterator[Fault]:
    low, high = subject.ruleset.levels
    wrong = ((subject.model.levels < low) | (subject.model.levels > high)) & subject.grid.present
    for cell in np.flatnonzero(wrong).tolist():
        message = f"level {subject.model.level_at(cell)}, the game has {low} to {high}"
        yield Fault(subject.labels.label(cell), message, f"set a level from {low} to {high}", subject.centre(cell))


@check("map.level_step", "warning", "Levels of adjacent hexes differ by one at most")
def _level_step(subject: MapSubject) -> Iterator[Fault]:
    levels = subject.model.levels.ravel().astype(np.int16)
    table, present = subject.grid.neighbour_table, subject.grid.present.ravel()
    label = subject.labels.label
    for direction in range(3):
        other = table[:, direction]
        linked = (other >= 0) & present
        steep = linked & (np.abs(levels - levels[np.maximum(other, 0)]) > 1)
        for cell in np.flatnonzero(steep).tolist():
            far = int(other[cell])
            message = f"levels {levels[cell]} and {levels[far]} are next to each other"
            remedy = "put a hex of the level between them, unless it is a cliff"
            yield Fault(f"{label(cell)}/{label(far)}", message, remedy, subject.between(cell, far))


def _side(subject: MapSubject, a: int, b: int) -> str:
    return f"{subject.labels.label(a)}/{subject.labels.label(b)}"


@check("map.side_known", "error", "What runs on hexsides is one of the game's")
def _side_known(subject: MapSubject) -> Iterator[Fault]:
    known = subject.ruleset.side_kinds
    for (a, b), kinds in sorted(subject.model.sides.items()):
        for kind in kinds:
            if kind not in known:
                remedy = f"choose one of: {', '.join(known)}"
                yield Fault(_side(subject, a, b), f"unknown hexside {kind!r}", remedy, subject.between(a, b))


@check("map.side_pair", "warning", "A breached fence lies on a fence")
def _side_pair(subject: MapSubject) -> Iterator[Fault]:
    for (a, b), kinds in sorted(subject.model.sides.items()):
        if "breached_fence" in kinds and "fence" not in kinds:
            remedy = "set the fence too, or clear the breach"
            yield Fault(_side(subject, a, b), "a breach without a fence", remedy, subject.between(a, b))


@check("map.wadi_end", "error", "A wadi end lies between a wadi hex and another")
def _wadi_end(subject: MapSubject) -> Iterator[Fault]:
    for (a, b), kinds in sorted(subject.model.sides.items()):
        if "wadi_end" not in kinds:
            continue
        wadis = sum(_is_wadi(subject.ruleset, subject.model.terrain_at(cell)) for cell in (a, b))
        if wadis != 1:
            message = f"a wadi end between {'two wadi hexes' if wadis else 'two hexes outside a wadi'}"
            # Where no wadi can end, the symbol can only go.
            left = tuple(kind for kind in kinds if kind != "wadi_end")
            title = f"Clear the wadi end of {_side(subject, a, b)}"
            repair = Batch(title=title, edits=[SetSide(a=a, b=b, kinds=left)]) if wadis == 2 else None
            remedy = "set it where the wadi begins or ends, or clear it"
            yield Fault(_side(subject, a, b), message, remedy, subject.between(a, b), repair)


@check("map.wadi_reachable", "warning", "Every wadi can be entered: at an end, by a road or from the map's edge")
def _wadi_reachable(subject: MapSubject) -> Iterator[Fault]:
    model, grid, survey = subject.model, subject.grid, subject.survey
    classes = np.array([_is_wadi(subject.ruleset, name) for name in model.terrain_ids])
    if not classes.any():
        return
    groups = survey.layout.components(classes[model.terrain] & grid.present).ravel()
    ways_in = {cell for side, kinds in model.sides.items() if "wadi_end" in kinds for cell in side}
    ways_in |= {cell for side in survey.roads for cell in side}
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.diff(groups[order], prepend=-1))
    for cells in np.split(order, starts[1:]):
        if groups[cells[0]] and not any(cell in ways_in or _at_edge(subject, cell) for cell in cells.tolist()):
            message = f"this wadi of {len(cells)} hexes cannot be entered"
            cell = int(cells[0])
            yield Fault(
                subject.labels.label(cell), message, "set a wadi end on one of its hexsides", subject.centre(cell)
            )


@check("map.river_continuous", "warning", "River hexes form rivers")
def _river_continuous(subject: MapSubject) -> Iterator[Fault]:
    model, grid = subject.model, subject.grid
    if "river" not in model.terrain_ids:
        return
    river = (model.terrain == model.terrain_ids.index("river")) & grid.present
    for cell in np.flatnonzero(river).tolist():
        wet = sum(bool(river.flat[other]) for other in grid.neighbours(cell))
        if not wet and not _at_edge(subject, cell):
            message = "a river hex that touches no other river hex"
            remedy = "paint the hexes that join it, or another terrain for a pond"
            yield Fault(subject.labels.label(cell), message, remedy, subject.centre(cell))


_BUILT_UP = ("urban", "camp", "city", "town", "village", "suburb", "port", "harbour", "harbor", "base", "airfield")
"""Words of terrains and markers where a road may well end."""


def _goals(subject: MapSubject) -> set[int]:
    """Return the hexes where a road may well end beside its terrain: towns that are markers, and sources of supply."""
    ruleset, survey = subject.ruleset, subject.survey
    goals = {
        cell
        for kind in ruleset.marker_types
        if any(word in kind for word in _BUILT_UP)
        for cell in survey.cells_with_marker(kind)
    }
    return goals | (ruleset.supply.candidates(survey) if ruleset.has_supply else set())


@check("map.road_end", "warning", "A road ends at the map's edge, at another road, in a built-up hex or at a source")
def _road_end(subject: MapSubject) -> Iterator[Fault]:
    model, survey, goals = subject.model, subject.survey, _goals(subject)
    for road in survey.features_of(Road):
        cells = model.labels.cells(road.path)
        if len(cells) == 1:
            remedy = "draw it on to a neighbour, or delete it"
            yield Fault(road.path[0], f"{road.id} has a single hex", remedy, subject.centre(cells[0]))
            continue
        for cell, name in ((cells[0], road.path[0]), (cells[-1], road.path[-1])):
            built_up = cell in goals or any(word in model.terrain_at(cell) for word in _BUILT_UP)
            shared = survey.road_hexes[cell] > 1 or cells.count(cell) > 1
            if not (built_up or shared or _at_edge(subject, cell)):
                remedy = "draw it on to a place, a road or the edge of the map"
                yield Fault(name, f"{road.id} ends in the open", remedy, subject.centre(cell))


@check("map.road_line", "error", "A road that is drawn as a line keeps to the hexes of its path")
def _road_line(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    for road in subject.survey.features_of(Road):
        if not road.line:
            continue
        hexes = [shapely.Polygon(subject.grid.corners(cell)) for cell in subject.model.labels.cells(road.path)]
        line = shapely.LineString(road.line) if len(set(road.line)) > 1 else shapely.Point(road.line[0])
        outside = line.difference(shapely.union_all(hexes).buffer(1))  # lines cross hexsides between lattice points
        if not outside.is_empty:
            x, y = outside.representative_point().coords[0]
            message = "its line leaves the hexes of its path"
            remedy = "name every hex that it runs through in its path, or draw the line inside them"
            repair = mend(f"Draw {road.id} through the middle of its hexes", put(road, line=()))
            yield Fault(road.id, message, remedy, (round(x), round(y)), repair if len(set(road.line)) < 2 else None)


@check("map.contour_closed", "error", "A drawn contour is closed or ends at the map's edge")
def _contour_closed(subject: MapSubject) -> Iterator[Fault]:
    x0, y0, x1, y1 = subject.grid.frame
    for contour in subject.survey.features_of(Contour):
        first, last = contour.line[0], contour.line[-1]
        if first == last:
            continue
        for x, y in (first, last):
            if x0 < x < x1 and y0 < y < y1:
                message = f"the contour ends at ({x}, {y}), inside the map"
                remedy = "close it by repeating its first point, or draw it on to the edge"
                yield Fault(contour.id, message, remedy, (x, y))


@check("map.contour_level", "error", "A drawn contour has a level of the game")
def _contour_level(subject: MapSubject) -> Iterator[Fault]:
    low, high = subject.ruleset.levels
    for contour in subject.survey.features_of(Contour):
        if not low < contour.level <= high:
            message = f"a contour of level {contour.level}; the game has the levels {low} to {high}"
            yield Fault(contour.id, message, f"give it a level from {low + 1} to {high}", contour.line[0])


CHECKS = (
    _terrain_known,
    _level_range,
    _level_step,
    _side_known,
    _side_pair,
    _wadi_end,
    _wadi_reachable,
    _river_continuous,
    _road_end,
    _road_line,
    _contour_closed,
    _contour_level,
)
