"""What the browser is told of a scenario: its sides, formations and their areas, units, counters, objectives, notes.

The first message holds all of it; after that only what has changed is sent.
"""

from __future__ import annotations

from typing import Any

import msgspec

from studio.draw.counterfaces import SIDE_SHAPES, Counters, FaceOf, side_colors
from studio.draw.counters import spot_of
from studio.draw.scenario_marks import areas_of, edges_of
from studio.draw.sites import sites_of
from studio.model import Batch, Change, Delete, Edit, Put, ScenarioDocument, SetField, SetUp, UnitRecord
from studio.model.forcepaths import paths_of
from studio.rules.roster import figure_of, roster_of
from studio.rules.standing import FACINGS

__all__ = ["ForcesFeed", "kind_words", "palette_of"]

_KINDS = {
    "infantry": "Infantry",
    "vehicle": "Vehicles",
    "ground": "Units",
    "hq": "Headquarters",
    "air": "Aircraft",
    "support_weapon": "Support weapons",
    "marker": "Markers",
}


def kind_words(kind: Any) -> str:
    """Return what kinds of units are called in lists."""
    name = str(getattr(kind, "kind", ""))
    return _KINDS.get(name, name.replace("_", " ").title() or "Units")


def palette_of(ruleset: Any, document: ScenarioDocument | None = None) -> list[dict[str, Any]]:
    """Return the types of units of a game by their groups, for the palette, with those of a scenario's own.

    Parameters
    ----------
    ruleset : Ruleset
    document : ScenarioDocument, optional

    Returns
    -------
    list of dict
        ``title`` and ``types``: each with its ``type``, ``name`` and ``note`` (kind, points, how many the box holds).
    """
    groups: dict[str, list[dict[str, Any]]] = {}
    own = {one.id for one in document.roster} if document is not None else set()
    if document is not None:
        roster = roster_of(ruleset, document)
    else:
        roster = ruleset.scenario.roster() if ruleset.has_scenario else {}
    for name, kind in roster.items():
        group = "your own" if name in own else name.partition(".")[0].replace("_", " ")
        title = group.upper() if len(group) < 5 else group.capitalize()
        facts = [kind_words(kind)]
        for field, words in (("points", "{} points"), ("quantity", "{} in the box"), ("movement", "movement {}")):
            value = figure_of(kind, field)
            facts += [words.format(value)] if value else []
        groups.setdefault(title, []).append({"type": name, "name": kind.name, "note": ", ".join(facts)})
    return [{"title": title, "types": types} for title, types in groups.items()]


class ForcesFeed:
    """Gathers what has changed of a scenario until it is sent.

    Parameters
    ----------
    scenario : studio.Scenario
    """

    def __init__(self, scenario: Any) -> None:
        self.scenario = scenario
        self.counters = Counters.of(scenario.ruleset, scenario.document)
        self._faces: dict[FaceOf, int] = {}
        self._told_faces = 0
        self._units: set[str] = set()
        self._known: set[str] = set()
        self._sides = self._aims = self._all = False
        self._areas: tuple[Any, dict[SetUp, tuple[int, ...]]] = (None, {})

    # -- what has changed --------------------------------------------------------------------------------------------

    def note(self, change: Change) -> None:
        """Note a change of the scenario."""
        self._note(change.edit)

    def _note(self, edit: Edit) -> None:
        match edit:
            case Batch():
                for step in edit.edits:
                    self._note(step)
            case Put():
                self._note_record(edit.collection, str(edit.record.get("id", "")))
            case Delete():
                self._note_record(edit.collection, edit.id)
            case SetField():
                self._note_field(edit.field.split("/"))
            case _:
                pass

    def _note_record(self, collection: str, name: str) -> None:
        if collection.endswith("/units"):
            self._units.add(name)
        elif collection == "roster":
            self._renew()
        elif collection.startswith("forces"):
            self._all = True
        else:
            self._aims = True

    def _note_field(self, path: list[str]) -> None:
        if path[0] == "roster":
            self._renew()
        elif path[0] == "map" or path == ["forces"] or (len(path) == 3 and path[2] == "color"):
            self._all = True
        elif path[0] == "forces" and len(path) > 6:
            self._units.add(path[5])
        elif path[0] == "forces":
            self._sides = True
        else:
            self._aims = True

    def _renew(self) -> None:
        """Make the counters anew: what the scenario's own kinds of units are has changed."""
        self.counters = Counters.of(self.scenario.ruleset, self.scenario.document)
        self._faces.clear()
        self._all = True

    def stale(self) -> None:
        """Note that the map has changed: labels, places and areas may be others."""
        self._all = True

    # -- messages ----------------------------------------------------------------------------------------------------

    def whole(self) -> dict[str, Any]:
        """Return everything, for a page that knows nothing."""
        document = self.scenario.document
        self._units.clear()
        self._sides = self._aims = self._all = False
        units = self._unit_list(paths_of(document))
        self._known = {unit["id"] for unit in units}
        self._told_faces = len(self._faces)
        grid = self.scenario.map.grid
        return {
            "type": "forces",
            "whole": True,
            "sides": self._side_list(),
            "units": units,
            "faces": [[number, self.counters.face(look).to_list()] for look, number in self._faces.items()],
            "names": {name: self.counters.name(name) for name in {unit["type"] for unit in units}},
            "palette": palette_of(self.scenario.ruleset, document),
            "spots": self._spots(),
            "facings": list(FACINGS[grid.orientation]) if self._faces_any() else [],
            "limit": int(self.scenario.ruleset.catalogue.stacking),
            **self._aim_list(),
        }

    def news(self) -> dict[str, Any] | None:
        """Return what has changed since the last message, None when nothing has."""
        if self._all:
            return self.whole()
        if not (self._units or self._sides or self._aims):
            return None
        message: dict[str, Any] = {"type": "forces", "whole": False}
        if self._units:
            paths = paths_of(self.scenario.document)
            changed = {name: paths[name] for name in self._units if name in paths}
            message["units"] = self._unit_list(changed)
            message["gone"] = [name for name in self._units if name not in paths]
            message["names"] = {unit["type"]: self.counters.name(unit["type"]) for unit in message["units"]}
            self._known = (self._known | changed.keys()) - set(message["gone"])
        if self._sides:
            message["sides"] = self._side_list()
        if self._aims:
            message.update(self._aim_list())
        fresh = list(self._faces.items())[self._told_faces :]
        message["faces"] = [[number, self.counters.face(look).to_list()] for look, number in fresh]
        self._told_faces = len(self._faces)
        self._units.clear()
        self._sides = self._aims = False
        return message

    def face_of(self, look: FaceOf) -> int:
        """Return the number of a face."""
        return self._faces.setdefault(look, len(self._faces))

    def palette_faces(self, side: str) -> dict[str, Any]:
        """Return the counters of all types in the colours of a side, for the palette."""
        document = self.scenario.document
        ids = [force.id for force in document.forces]
        index = ids.index(side) if side in ids else 0
        color = side_colors(document.forces)[index] if ids else "#0072b2"
        faces = {name: self.counters.face(self.counters.of_type(name, index, color)) for name in self.counters.roster}
        return {"type": "forces_palette", "side": side, "faces": {name: face.to_list() for name, face in faces.items()}}

    # -- parts of them -----------------------------------------------------------------------------------------------

    def _unit_list(self, units: dict[str, tuple[str, UnitRecord]]) -> list[dict[str, Any]]:
        document = self.scenario.document
        colors = side_colors(document.forces)
        sides = {force.id: n for n, force in enumerate(document.forces)}
        found = []
        for path, unit in units.values():
            _, side, _, formation, _ = path.split("/")
            look = self.counters.of_unit(unit, sides[side], colors[sides[side]])
            found.append(
                {
                    "id": unit.id,
                    "type": unit.type,
                    "side": sides[side],
                    "formation": formation,
                    "at": unit.at,
                    "count": unit.count,
                    "facing": unit.facing,
                    "face": self.face_of(look),
                    "by": unit.carried_by,
                    "words": self._words(unit),
                }
            )
        return found

    def _words(self, unit: UnitRecord) -> str:
        """Return what a unit is, in words, for the status line and the ear."""
        count = f"{unit.count} × " if unit.count > 1 else ""
        states = ", ".join(filter(None, [unit.quality, *unit.status]))
        facing = f"faces {unit.facing}" if unit.facing else ""
        return ", ".join(filter(None, [f"{count}{self.counters.name(unit.type)}", states, facing]))

    def _side_list(self) -> list[dict[str, Any]]:
        document, survey = self.scenario.document, self.scenario.play_ground.survey
        ground = self.scenario.play_ground
        if self._areas[0] is not ground:
            self._areas = (ground, {})
        areas = {(area.side, area.formation.id): area for area in areas_of(document, *self._areas)}
        colors = side_colors(document.forces)
        cells, directory = survey.grid.cells, survey.directory
        found = []
        for side, force in enumerate(document.forces):
            formations = []
            for part in force.formations:
                area = areas[side, part.id]
                entries = [
                    [n, edges_of(survey, n, part.where.edges)] for n in area.numbers if n < cells and area.enters
                ]
                formations.append(
                    {
                        "id": part.id,
                        "name": part.name,
                        "turn": part.arrival_turn if part.arrival == "enter" else 0,
                        "cells": [n for n in area.numbers if n < cells],
                        "places": [directory.label(n) for n in area.numbers if n >= cells],
                        "named": list(part.where.hexes),
                        "edges": list(part.where.edges),
                        "within": part.where.within,
                        "entries": entries,
                    }
                )
            found.append(
                {
                    "id": force.id,
                    "name": force.name,
                    "color": colors[side],
                    "shape": SIDE_SHAPES[side % len(SIDE_SHAPES)],
                    "formations": formations,
                }
            )
        return found

    def _aim_list(self) -> dict[str, Any]:
        document = self.scenario.document
        return {
            "objectives": [
                {"id": one.id, "side": one.side, "points": one.points, "hexes": list(one.hexes), "text": one.text}
                for one in document.objectives
            ],
            "notes": [msgspec.to_builtins(note) for note in document.place_notes],
            "length": document.length,
            "unit": document.length_unit,
        }

    def _spots(self) -> dict[str, list[float]]:
        """Return where counters stand in the places that are no hexes, in hex heights: x, y, width."""
        sites = sites_of(self.scenario.map)
        high = self.scenario.map.grid.hex_height
        found = {}
        for place in sites.directory.others:
            x, y, size = spot_of(sites, place.number)
            found[place.label] = [round(x / high, 4), round(y / high, 4), round(size, 3)]
        return found

    def _faces_any(self) -> bool:
        rules = self.scenario.ruleset
        return not rules.has_scenario or hasattr(rules.scenario, "faces")
