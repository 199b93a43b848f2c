"""Scenarios with few units, said in short."""

from __future__ import annotations

from typing import Any

from studio.api import Map
from studio.api.scenario import Scenario
from studio.model import Force, Formation, MapUse, ScenarioDocument, ScenarioModel, UnitRecord

__all__ = ["force", "scenario", "unit"]


def unit(name: str, kind: str, at: str = "", **said: Any) -> UnitRecord:
    """Return a unit of a type at a place."""
    return UnitRecord(id=name, type=kind, at=at, **said)


def force(name: str, *units: UnitRecord, **formations: tuple[UnitRecord, ...]) -> Force:
    """Return a force with one formation of its own name, or with several."""
    parts = formations or {name: units}
    return Force(
        id=name, name=name, formations=tuple(Formation(id=part, name=part, units=of) for part, of in parts.items())
    )


def scenario(map_: Map, *forces: Force, **said: Any) -> Scenario:
    """Return a scenario on a map."""
    use = said.pop("map", MapUse(file="board.map.json"))
    document = ScenarioDocument(title="Test", ruleset=map_.ruleset.id, map=use, forces=list(forces), **said)
    return Scenario(ScenarioModel(document), map_)
