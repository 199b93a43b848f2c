"""Geodata that the studio wrote: the map as it was with what was changed since, or built anew from the layers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from studio.errors import DocumentError, Fault
from studio.exchange.common.drawn import KINDS, Drawn, Plain, nearest_label, parted
from studio.exchange.common.files import refused
from studio.exchange.common.ground import (
    Words,
    as_level,
    checked,
    document_in,
    known_game,
    new_map,
    scenario_in,
    set_plane,
    surveyed,
)
from studio.exchange.common.patch import place_units, put_features, put_sides
from studio.exchange.content import Taken
from studio.exchange.geodata.layers import Layer, kind_layer, shape_in
from studio.exchange.geodata.options import GeodataReading
from studio.exchange.geodata.stores import Found
from studio.exchange.geodata.world import World, place_of
from studio.grid import HexGrid, LabelScheme
from studio.model import Georeference, MapModel, ScenarioDocument, Sheet
from studio.rules import Ruleset

__all__ = ["Frame", "take_own"]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """What layers do not say of a map: ``frame`` among the texts of a file."""

    title: str
    grid: HexGrid
    labels: LabelScheme
    sheets: list[Sheet] = []
    georeference: Georeference | None = None


def take_own(source: Path, found: Found, options: GeodataReading) -> Taken:
    """Return the map of a file that the studio wrote.

    Raises
    ------
    DocumentError
        When something in it is not what the game has, or the file is broken.
    """
    return _Own(source, found, options).take()


class _Own:
    def __init__(self, source: Path, found: Found, options: GeodataReading) -> None:
        self.source, self.layers, self.texts, self.options = source, found.layers, found.texts, options
        self.notes: list[str] = []
        self.changes: list[str] = []

    def take(self) -> Taken:
        ruleset = known_game(self.texts.get("ruleset", ""), self.source)
        model, carried = self._begin(ruleset)
        self.world = self._world(model, ruleset)
        self._ground(model)
        if "sides" in self.layers:
            self.changes += put_sides(model, self._sides(model))
        said = {kind for kind in KINDS if kind_layer(kind) in self.layers}
        self.changes += put_features(model, ruleset, self._drawn(said), said, str(self.source))
        if carried:
            self.notes += self.changes
            gone = [kind for kind in KINDS if kind not in said and model.features_of(KINDS[kind])]
            self.notes += [f"the layer {kind_layer(kind)} is missing; the map keeps what it had" for kind in gone]
        scenario = None
        if self.texts.get("scenario"):
            scenario = scenario_in(self.texts["scenario"], self.source)
            scenario, moved = place_units(scenario, self._unit_places(model, ruleset, scenario))
            self.notes += moved
        return Taken(checked(model, ruleset, self.source), scenario, tuple(self.notes))

    def _begin(self, ruleset: Ruleset) -> tuple[MapModel, bool]:
        """Return the map that the layers are laid over, and whether it is the one that was written."""
        if self.texts.get("document") and not self.options.from_layers:
            return document_in(self.texts["document"], ruleset, self.source), True
        try:
            frame = msgspec.json.decode(self.texts.get("frame", ""), type=Frame)
        except (msgspec.DecodeError, ValueError) as error:
            raise refused(self.source, f"its frame cannot be read: {error}", "export the map again") from error
        model = new_map(ruleset, frame.grid, frame.labels, title=frame.title, sheets=frame.sheets, source=self.source)
        model.georeference = frame.georeference
        lost = "notes, sources and the scan" if self.options.from_layers else "what no layer says"
        self.notes.append(f"the map is built from its layers: {lost} are not in them")
        return model, False

    def _world(self, model: MapModel, ruleset: Ruleset) -> World:
        return place_of(model.grid, model.georeference, ruleset.catalogue.hex_metres)

    # -- ground ------------------------------------------------------------------------------------------------------

    def _rows(self, name: str) -> Iterator[tuple[int, dict[str, Any], Any]]:
        """Yield number, fields and shape (on the lattice) of the rows of a layer."""
        layer = self.layers.get(name)
        if layer is None:
            return
        shapes = self.world.shapes_to_lattice(layer.shapes)
        for number, shape in enumerate(shapes):
            yield number, {key: values[number] for key, values in layer.columns.items()}, shape

    def _ground(self, model: MapModel) -> None:
        layer = self.layers.get("locations")
        if layer is None:
            self.notes.append("the layer locations is missing; terrain and levels stay as they were")
            return
        self._need(layer, "label", "terrain", "level")
        words = Words("terrain", dict.fromkeys(model.terrain_ids))
        terrain: dict[int, str] = {}
        levels: dict[int, int] = {}
        faults = []
        for number, fields, _ in self._plain_rows(layer):
            if fields.get("kind", "hex") != "hex":
                continue
            label = str(fields["label"])
            cell = model.labels.find(label)
            if cell is None or not model.grid.has(cell):
                at = f"locations, row {number + 1}"
                faults.append(Fault("$", f"no hex has the label {label!r}", "leave labels as they are", at))
                continue
            name = words.take(str(fields["terrain"]), label)
            if name:
                terrain[cell] = name
            level = as_level(fields["level"])
            if level is None:
                faults.append(Fault("$", f"got level {fields['level']!r}", "write a whole number", label))
            else:
                levels[cell] = level
        faults += words.faults()
        if faults:
            raise DocumentError(str(self.source), faults)
        for plane, values in (("terrain", terrain), ("levels", levels)):
            count = set_plane(model, plane, values)
            if count:
                self.changes.append(f"{plane} of {count} hexes changed")

    def _plain_rows(self, layer: Layer) -> Iterator[tuple[int, dict[str, Any], None]]:
        for number in range(len(layer.shapes)):
            yield number, {key: values[number] for key, values in layer.columns.items()}, None

    def _need(self, layer: Layer, *names: str) -> None:
        missing = [name for name in names if name not in layer.columns]
        if missing:
            message = f"the layer {layer.name} has no column {missing[0]!r}; it has {', '.join(layer.columns)}"
            raise refused(self.source, message, "keep the columns that the studio wrote")

    def _sides(self, model: MapModel) -> dict[tuple[int, int], tuple[str, ...]]:
        self._need(self.layers["sides"], "a", "b", "hexside")
        found: dict[tuple[int, int], tuple[str, ...]] = {}
        faults = []
        for number, fields, _ in self._plain_rows(self.layers["sides"]):
            kinds = tuple(map(str, parted(fields["hexside"])))
            if not kinds:
                continue
            a, b = (model.labels.find(str(fields[key])) for key in ("a", "b"))
            if a is None or b is None or model.grid.direction(a, b) is None:
                message = f"{str(fields['a'])[:20]!r} and {str(fields['b'])[:20]!r} share no hexside"
                faults.append(Fault("$", message, "name two adjacent hexes", f"sides, row {number + 1}"))
                continue
            found[min(a, b), max(a, b)] = kinds
        if faults:
            raise DocumentError(str(self.source), faults)
        return found

    # -- features and units ------------------------------------------------------------------------------------------

    def _drawn(self, said: set[str]) -> Iterator[Drawn]:
        for kind in KINDS:
            if kind not in said:
                continue
            for number, fields, geometry in self._rows(kind_layer(kind)):
                shape = shape_in(geometry)
                if geometry is not None and not geometry.is_empty and shape is None:
                    what = f"row {number + 1} of {kind_layer(kind)} is a {geometry.geom_type}"
                    raise refused(self.source, f"{what}, and a {kind} has one piece", "split it into several")
                name = str(fields.pop("id", "") or "")
                plain: dict[str, Plain] = {key: value for key, value in fields.items() if key != "fid"}
                yield Drawn(kind, name, shape, plain)

    def _unit_places(self, model: MapModel, ruleset: Ruleset, scenario: ScenarioDocument) -> dict[str, str]:
        """Return the label of each unit whose point was moved, or whose ``at`` was changed."""
        survey = surveyed(model, ruleset)
        units = [unit for force in scenario.forces for part in force.formations for unit in part.units]
        before = {unit.id: unit for unit in units}
        found = {}
        for _, fields, geometry in self._rows("units"):
            name, at = str(fields.get("id") or ""), str(fields.get("at") or "")
            unit = before.get(name)
            if unit is None or (unit.carried_by and not unit.at):
                continue  # those that are carried stand where their carrier does
            shape = shape_in(geometry)
            number = survey.directory.find(unit.at) if unit.at else None
            if at != unit.at:
                found[name] = at
            elif shape is not None:
                far = number is None or np.abs(np.subtract(survey.directory.dot(number), shape.points[0])).max() > 1
                found[name] = nearest_label(survey, shape.points[0]) if far else at
            elif number is not None:
                found[name] = ""
        return found
