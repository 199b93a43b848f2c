"""Units and set-up areas of a scenario as things on a map: a place each, a polygon each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from studio.exchange.common.drawn import XY, Plain, joined
from studio.exchange.content import Content
from studio.files.resolved import resolved_set_up
from studio.model import Area
from studio.rules.played import changes_ground
from studio.survey import Survey

__all__ = ["AreaRow", "UnitRow", "areas_of", "cells_polygons", "played_notes", "set_up_of", "units_of"]


class UnitRow(NamedTuple):
    """Counters of one type of a formation.

    Attributes
    ----------
    id, side, formation : str
    at : str
        Label of the location; empty where the player places them.
    own : bool
        The scenario itself names the place; false where they are with what carries them.
    point : (x, y) or None
        On the lattice.
    fields : dict
    """

    id: str
    side: str
    formation: str
    at: str
    own: bool
    point: XY | None
    fields: dict[str, Plain]


class AreaRow(NamedTuple):
    """Where a formation, or a unit with an area of its own, sets up or enters.

    Attributes
    ----------
    id, side : str
        Of the formation or unit, and of its side.
    labels : tuple of str
    cells : tuple of int
        Hexes among the locations.
    areas : tuple of str
        Ids of the drawn areas among the locations.
    fields : dict
    """

    id: str
    side: str
    labels: tuple[str, ...]
    cells: tuple[int, ...]
    areas: tuple[str, ...]
    fields: dict[str, Plain]


def set_up_of(content: Content) -> dict[str, Any]:
    """Return the scenario with its conditions resolved; the map is given as the scenario plays on it.

    Raises
    ------
    StudioError
        When the scenario names what there is not.
    """
    assert content.scenario is not None
    return resolved_set_up(content.ruleset, content.survey, content.scenario)


def played_notes(content: Content) -> list[str]:
    """Return what is to be said of a map that a scenario changes."""
    if content.scenario is None or not changes_ground(content.scenario.special):
        return []
    return ["the map is written as the scenario plays on it, with the terrain and roads of its special rules"]


def units_of(content: Content, set_up: dict[str, Any]) -> list[UnitRow]:
    """Return the units of a scenario in their order."""
    assert content.scenario is not None
    directory = content.survey.directory
    own = {unit.id: unit.at for force in content.scenario.forces for part in force.formations for unit in part.units}
    rows = []
    for unit in set_up["units"]:
        number = directory.find(unit["at"]) if unit["at"] else None
        x, y = directory.dot(number) if number is not None else (0, 0)
        fields = {name: joined(value) for name, value in unit.items() if name not in ("id", "area", "figures", "at")}
        point = (float(x), float(y)) if number is not None else None
        row = UnitRow(unit["id"], unit["side"], unit["formation"], unit["at"], bool(own[unit["id"]]), point, fields)
        rows.append(row)
    return rows


def areas_of(content: Content, set_up: dict[str, Any]) -> list[AreaRow]:
    """Return the set-up areas of formations, and those of units that have their own."""
    areas, directory = set_up["areas"], content.survey.directory

    @cache
    def where(number: int) -> tuple[tuple[str, ...], tuple[int, ...], tuple[str, ...]]:
        numbers = [directory.find(label) for label in areas[number]["labels"]]
        found = [directory.location(one) for one in numbers if one is not None]
        cells = tuple(one.cell for one in found if one.kind in ("hex", "road"))
        drawn = [one.feature for one in found if one.kind == "area"]
        return tuple(areas[number]["labels"]), cells, tuple(drawn)

    rows = []
    of_formation = {}
    for part in set_up["formations"]:
        of_formation[part["id"]] = part["area"]
        fields: dict[str, Plain] = {name: part[name] for name in ("name", "arrival", "arrival_turn", "when_text")}
        rows.append(_row(part["id"], part["side"], where(part["area"]), areas[part["area"]], "formation", fields))
    for unit in set_up["units"]:
        if unit["area"] != of_formation[unit["formation"]]:
            fields = {"name": unit["name"], "arrival": "", "arrival_turn": 0, "when_text": ""}
            rows.append(_row(unit["id"], unit["side"], where(unit["area"]), areas[unit["area"]], "unit", fields))
    return [row for row in rows if row.labels]


def _row(name: str, side: str, where: Any, area: dict[str, Any], of: str, fields: dict[str, Plain]) -> AreaRow:
    fields |= {"of": of, "exact": area["exact"], "text": area["text"], "labels": joined(area["labels"])}
    labels, cells, areas = where
    return AreaRow(name, side, labels, cells, areas, fields)


def cells_polygons(survey: Survey, cells: Sequence[int], areas: Sequence[str] = ()) -> Any:
    """Return the union of hexes and drawn areas on the lattice, as a shapely polygon or several; None for nothing."""
    import shapely

    grid = survey.grid
    if not cells and not areas:
        return None
    shapes: list[Any] = []
    if cells:
        corners = np.array(grid.corners(0)) - np.array(grid.centre(0))
        shapes += list(shapely.polygons(grid.centres[np.array(sorted(set(cells)))][:, None, :] + corners[None]))
    for name in areas:
        feature = survey.model.features.get(name)
        if isinstance(feature, Area):
            shape = shapely.Polygon(feature.outline, feature.holes)
            shapes.append(shape if shape.is_valid else shapely.make_valid(shape))
    return shapely.normalize(shapely.union_all(shapes))
