"""Checks of hex maps: each yields the place, what is wrong, and what to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from studio.checks.finding import Findings, Yielded, check
from studio.checks.places import PLACE_CHECKS
from studio.errors import LabelError
from studio.model import Contour, Marker, Name, Road
from studio.rules import Ruleset
from studio.survey import Survey, on_edge

__all__ = ["check_map"]

_EDGES = ("north", "east", "south", "west")


def _at_edge(survey: Survey, cell: int) -> bool:
    return any(on_edge(survey.grid, cell, edge) for edge in _EDGES)


def _is_wadi(ruleset: Ruleset, terrain: str) -> bool:
    return terrain in ruleset.terrains and ruleset.terrains[terrain].sight == "wadi"


@check("map.terrain_known", "error", "Every terrain is one of the game's")
def _terrain_known(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    model = survey.model
    for code in np.unique(model.terrain[survey.grid.present]).tolist():
        name = model.terrain_ids[code]
        if name not in ruleset.terrains:
            cell = int(np.flatnonzero((model.terrain == code).ravel() & survey.grid.present.ravel())[0])
            message = f"unknown terrain {name!r}, first in this hex"
            yield model.labels.label(cell), message, f"paint it as one of: {', '.join(ruleset.terrains)}"


@check("map.level_range", "error", "Every level is one of the game's")
def _level_range(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    low, high = ruleset.levels
    wrong = ((survey.model.levels < low) | (survey.model.levels > high)) & survey.grid.present
    for cell in np.flatnonzero(wrong).tolist():
        level = survey.model.level_at(cell)
        message = f"level {level}, the game has {low} to {high}"
        yield survey.model.labels.label(cell), message, f"set a level from {low} to {high}"


@check("map.level_step", "warning", "Levels of adjacent hexes differ by one at most")
def _level_step(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    levels = survey.model.levels.ravel().astype(np.int16)
    table = survey.grid.neighbour_table
    label = survey.model.labels.label
    for direction in range(3):
        other = table[:, direction]
        linked = (other >= 0) & survey.grid.present.ravel()
        steep = linked & (np.abs(levels - levels[np.maximum(other, 0)]) > 1)
        for cell in np.flatnonzero(steep).tolist():
            far = int(other[cell])
            message = f"levels {levels[cell]} and {levels[far]} are next to each other"
            yield f"{label(cell)}/{label(far)}", message, "put a hex of the level between them, unless it is a cliff"


@check("map.side_known", "error", "What runs on hexsides is one of the game's")
def _side_known(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    label = survey.model.labels.label
    for (a, b), kinds in sorted(survey.model.sides.items()):
        for kind in kinds:
            if kind not in ruleset.side_kinds:
                at = f"{label(a)}/{label(b)}"
                yield at, f"unknown hexside {kind!r}", f"choose one of: {', '.join(ruleset.side_kinds)}"


@check("map.side_pair", "warning", "A breached fence lies on a fence")
def _side_pair(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    label = survey.model.labels.label
    for (a, b), kinds in sorted(survey.model.sides.items()):
        if "breached_fence" in kinds and "fence" not in kinds:
            yield f"{label(a)}/{label(b)}", "a breach without a fence", "set the fence too, or clear the breach"


@check("map.wadi_end", "error", "A wadi end lies between a wadi hex and another")
def _wadi_end(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    label = survey.model.labels.label
    for (a, b), kinds in sorted(survey.model.sides.items()):
        if "wadi_end" not in kinds:
            continue
        wadis = sum(_is_wadi(ruleset, survey.model.terrain_at(cell)) for cell in (a, b))
        if wadis != 1:
            message = f"a wadi end between {'two wadi hexes' if wadis else 'two hexes outside a wadi'}"
            yield f"{label(a)}/{label(b)}", message, "set it where the wadi begins or ends, or clear it"


@check("map.wadi_reachable", "warning", "Every wadi can be entered: at an end, by a road or from the map's edge")
def _wadi_reachable(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    model, grid = survey.model, survey.grid
    classes = np.array([_is_wadi(ruleset, name) for name in model.terrain_ids])
    groups = survey.layout.components(classes[model.terrain] & grid.present).ravel()
    ways_in = {cell for side, kinds in model.sides.items() if "wadi_end" in kinds for cell in side}
    ways_in |= {cell for side in survey.roads for cell in side}
    for group in np.unique(groups[groups > 0]).tolist():
        cells = np.flatnonzero(groups == group).tolist()
        if not any(cell in ways_in or _at_edge(survey, cell) for cell in cells):
            message = f"this wadi of {len(cells)} hexes cannot be entered"
            yield model.labels.label(cells[0]), message, "set a wadi end on one of its hexsides"


@check("map.river_continuous", "warning", "River hexes form rivers")
def _river_continuous(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    model, grid = survey.model, survey.grid
    if "river" not in model.terrain_ids:
        return
    river = (model.terrain == model.terrain_ids.index("river")) & grid.present
    for cell in np.flatnonzero(river).tolist():
        wet = sum(bool(river.flat[other]) for other in grid.neighbours(cell))
        if not wet and not _at_edge(survey, cell):
            message = "a river hex that touches no other river hex"
            yield model.labels.label(cell), message, "paint the hexes that join it, or another terrain for a pond"


@check("map.road_end", "warning", "A road ends at the map's edge, at another road or in a built-up hex")
def _road_end(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    model = survey.model
    for road in model.features_of(Road):
        cells = model.labels.cells(road.path)
        if len(cells) == 1:
            yield road.path[0], f"{road.id} has a single hex", "draw it on to a neighbour, or delete it"
            continue
        for cell, name in ((cells[0], road.path[0]), (cells[-1], road.path[-1])):
            built_up = any(word in model.terrain_at(cell) for word in ("urban", "camp"))
            shared = survey.road_hexes[cell] > 1 or cells.count(cell) > 1
            if not (built_up or shared or _at_edge(survey, cell)):
                yield name, f"{road.id} ends in the open", "draw it on to a place, a road or the edge of the map"


@check("map.contour_closed", "error", "A drawn contour is closed or ends at the map's edge")
def _contour_closed(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    x0, y0, x1, y1 = survey.grid.frame
    for contour in survey.model.features_of(Contour):
        first, last = contour.line[0], contour.line[-1]
        if first == last:
            continue
        for x, y in (first, last):
            if x0 < x < x1 and y0 < y < y1:
                message = f"the contour ends at ({x}, {y}), inside the map"
                yield contour.id, message, "close it by repeating its first point, or draw it on to the edge"


@check("map.contour_level", "error", "A drawn contour has a level of the game")
def _contour_level(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    low, high = ruleset.levels
    for contour in survey.model.features_of(Contour):
        if not low < contour.level <= high:
            message = f"a contour of level {contour.level}; the game has the levels {low} to {high}"
            yield contour.id, message, f"give it a level from {low + 1} to {high}"


@check("map.marker", "error", "Markers are the game's, and lie in terrain that allows them")
def _marker(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    for marker in survey.features_of(Marker):
        kind = ruleset.marker_types.get(marker.type)
        if kind is None:
            known = ", ".join(ruleset.marker_types)
            yield marker.at, f"{marker.id}: unknown marker {marker.type!r}", f"choose one of: {known}"
            continue
        try:
            lies_in = [survey.directory.location(survey.directory.number(at)) for at in (marker.at, *marker.also)]
        except LabelError as error:
            yield marker.at, f"{marker.id}: {error}", "move it to a location, or delete it"
            continue
        if kind.terrain and lies_in[0].type not in kind.terrain:
            message = f"{marker.id}: {kind.name.lower()} in {lies_in[0].type}"
            yield marker.at, message, f"move it to {' or '.join(kind.terrain)}"


@check("map.marker_once", "warning", "A hex holds one marker of a kind")
def _marker_once(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    count = Counter((marker.at, marker.type) for marker in survey.model.features_of(Marker))
    for (at, kind), number in sorted(count.items()):
        if number > 1:
            yield at, f"{number} {kind} markers in one hex", "keep one"


@check("map.name_inside", "warning", "Place names lie on the map and say something")
def _name_inside(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    x0, y0, x1, y1 = survey.grid.frame
    for name in survey.model.features_of(Name):
        if not (x0 <= name.at[0] <= x1 and y0 <= name.at[1] <= y1):
            yield name.id, f"the name {name.text[:40]!r} lies off the map at {name.at}", "move it onto the map"
        if not name.text.strip():
            yield name.id, "an empty name", "write its text, or delete it"


@check("map.sources", "warning", "A map says where it comes from")
def _sources(survey: Survey, ruleset: Ruleset) -> Iterator[Yielded]:
    del ruleset
    if not survey.model.sources:
        yield "sources", "no source is named", "name at least yourself: map.set('sources', [{'title': ...}])"


_CHECKS = (
    _terrain_known,
    _level_range,
    _level_step,
    _side_known,
    _side_pair,
    _wadi_end,
    _wadi_reachable,
    _river_continuous,
    _road_end,
    _contour_closed,
    _contour_level,
    _marker,
    _marker_once,
    _name_inside,
    *PLACE_CHECKS,
    _sources,
)


def check_map(survey: Survey, ruleset: Ruleset, *, file: str) -> Findings:
    """Check a hex map.

    Parameters
    ----------
    survey : Survey
    ruleset : Ruleset
    file : str
        How the findings call the map.

    Returns
    -------
    Findings
        Errors first.
    """
    found = [finding for run in _CHECKS for finding in run(survey, ruleset, file=file)]
    return Findings(sorted(found, key=lambda finding: finding.severity != "error"))
