"""The rows of the tables of a map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from studio.exchange.common.drawn import joined
from studio.exchange.content import Content
from studio.exchange.tables.text import Value
from studio.grid import LabelScheme
from studio.model import ScenarioDocument
from studio.model.wording import credit_sentences

__all__ = ["FORMAT", "HEXES", "SIDES", "UNITS", "hex_rows", "map_rows", "side_rows", "unit_rows"]

FORMAT = "wargame-studio/tables"

HEXES = ("label", "column", "row", "q", "r", "terrain", "level", "half", "playable", "x", "y")
SIDES = ("a", "b", "kinds", "rise")
UNITS = (
    "id",
    "side",
    "side_name",
    "formation",
    "formation_name",
    "type",
    "count",
    "at",
    "name",
    "carried_by",
    "quality",
    "status",
    "facing",
    "notes",
)


def hex_rows(content: Content) -> Iterator[dict[str, Value]]:
    """Yield a row a hex; x and y are its middle in map units, y down."""
    survey = content.survey
    grid, model = survey.grid, survey.model
    for cell in np.flatnonzero(grid.present).tolist():
        q, r = grid.axial(cell)
        x, y = grid.to_map(*grid.centre(cell))
        row, column = divmod(cell, grid.columns)
        yield {
            "label": model.labels.label(cell),
            "column": column,
            "row": row,
            "q": q,
            "r": r,
            "terrain": model.terrain_at(cell),
            "level": model.level_at(cell),
            "half": grid.is_half(cell),
            "playable": survey.directory.exists(cell),
            "x": round(x, 6),
            "y": round(y, 6),
        }


def side_rows(content: Content) -> Iterator[dict[str, Value]]:
    """Yield a row a hexside that has something on it."""
    model = content.model
    for (a, b), kinds in sorted(model.sides.items()):
        yield {
            "a": model.labels.label(a),
            "b": model.labels.label(b),
            "kinds": joined(kinds),
            "rise": model.level_at(b) - model.level_at(a),
        }


def map_rows(content: Content) -> Iterator[dict[str, Value]]:
    """Yield what the map itself is, key by key."""
    model = content.model
    pairs: dict[str, Any] = {
        "format": FORMAT,
        "title": model.title,
        "ruleset": model.ruleset,
        "grid": msgspec.json.encode(model.grid).decode(),
        "labels": msgspec.json.encode(LabelScheme() if model.sheets else model.labels.scheme).decode(),
    }
    if model.sheets:
        pairs["sheets"] = msgspec.json.encode(model.sheets).decode()
    credits = credit_sentences(model, content.scenario)
    pairs |= {f"source {n}": credit for n, credit in enumerate(credits, 1)}
    for key, value in pairs.items():
        yield {"key": key, "value": value}


def unit_rows(scenario: ScenarioDocument) -> Iterator[dict[str, Value]]:
    """Yield a row a unit, in the order of the scenario."""
    for force in scenario.forces:
        for part in force.formations:
            for unit in part.units:
                yield {
                    "id": unit.id,
                    "side": force.id,
                    "side_name": force.name,
                    "formation": part.id,
                    "formation_name": part.name,
                    "type": unit.type,
                    "count": unit.count,
                    "at": unit.at,
                    "name": unit.name,
                    "carried_by": unit.carried_by,
                    "quality": unit.quality,
                    "status": joined(unit.status),
                    "facing": unit.facing,
                    "notes": unit.notes,
                }
