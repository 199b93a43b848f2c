"""Tiled maps that the studio wrote: the map as it was, with what was changed in Tiled since."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from studio.errors import DocumentError, Fault
from studio.exchange.common.drawn import KINDS, nearest_label, parted
from studio.exchange.common.files import refused
from studio.exchange.common.ground import (
    Words,
    as_level,
    checked,
    document_in,
    known_game,
    scenario_in,
    set_plane,
    surveyed,
)
from studio.exchange.common.patch import place_units, put_features, put_sides
from studio.exchange.content import Taken
from studio.exchange.tiled.grids import TileLayer, whole
from studio.exchange.tiled.reader import Reader
from studio.exchange.tiled.sets import properties_of
from studio.model import MapModel
from studio.rules import Ruleset

__all__ = ["OwnMap"]


class OwnMap(Reader):
    """Reads a map of the studio."""

    def take(self, said: dict[str, Any]) -> Taken:
        """Return the map, with what was changed in Tiled.

        Parameters
        ----------
        said : dict
            Properties of the map.

        Raises
        ------
        DocumentError
            When it was resized, or something on it is not what the game has.
        """
        self.changes: list[str] = []
        ruleset = known_game(str(said.get("ruleset", "")), self.source)
        model = document_in(str(said.get("document", "")), ruleset, self.source)
        grid = model.grid
        size = tuple(whole(self.data.get(key), key, self.source) for key in ("width", "height"))
        if size != (grid.columns, grid.rows):
            message = f"was {grid.columns} x {grid.rows} hexes and has {size[0]} x {size[1]} now"
            raise refused(self.source, message, "undo the resizing in Tiled, and resize the map with the studio")
        self._own_ground(model)
        self.changes += put_sides(model, self._own_sides(model))
        self.changes += put_features(
            model, ruleset, self.drawn(self.objects(), model), set(KINDS), str(self.source), slack=self.sizes.slack
        )
        if said.get("whole", True):  # without the document, everything is as the layers say, and nothing a change
            self.notes += self.changes
        scenario = None
        if said.get("scenario"):
            scenario = scenario_in(str(said["scenario"]), self.source)
            scenario, moved = place_units(scenario, self._unit_places(model, ruleset))
            self.notes += moved
        return Taken(checked(model, ruleset, self.source), scenario, tuple(self.notes))

    def _own_ground(self, model: MapModel) -> None:
        terrain: dict[int, str] = {}
        levels: dict[int, int] = {}
        words = Words("terrain", dict.fromkeys(model.terrain_ids), self.options.mapping)
        seen_levels = False
        for layer in self.layers:
            if layer.name.split("/")[-1] == "levels":
                seen_levels = True
                levels |= self._levels(layer, model)
                continue
            for cell, tile, at in self.cells(layer, model.grid, model):
                name = self.terrain_of(tile, words, at)
                if name:
                    terrain[cell] = name
        words.check(self.source)
        bare = [cell for cell in np.flatnonzero(model.grid.present).tolist() if cell not in terrain]
        if bare:
            labels = ", ".join(map(model.labels.label, bare[:12]))
            self.notes.append(f"{len(bare)} hexes have no tile and keep their terrain: {labels}")
        count = set_plane(model, "terrain", terrain)
        if count:
            self.changes.append(f"terrain of {count} hexes changed")
        if seen_levels:
            flat = dict.fromkeys(np.flatnonzero(model.grid.present).tolist(), 0)
            count = set_plane(model, "levels", flat | levels)
            if count:
                self.changes.append(f"levels of {count} hexes changed")

    def _levels(self, layer: TileLayer, model: MapModel) -> dict[int, int]:
        found = {}
        for cell, tile, at in self.cells(layer, model.grid, model):
            level = as_level(tile.properties.get("level", ""))
            if level is None:
                message = f"layer {layer.name!r}: the tile {tile.names[-1]!r} has no level"
                raise refused(self.source, message, "use the tiles of the tileset 'levels' there", at=at)
            found[cell] = level
        return found

    def _own_sides(self, model: MapModel) -> dict[tuple[int, int], tuple[str, ...]]:
        found: dict[tuple[int, int], tuple[str, ...]] = {}
        faults = []
        for thing, _ in self.objects():
            if thing.get("type") != "side":
                continue
            fields = properties_of(thing)
            a, b = (model.labels.find(str(fields.get(key, ""))) for key in ("a", "b"))
            if a is None or b is None or model.grid.direction(a, b) is None:
                names = f"{str(fields.get('a', ''))[:20]!r} and {str(fields.get('b', ''))[:20]!r}"
                faults.append(Fault("$", f"a side has a and b {names}", "name two hexes that share a side", "sides"))
                continue
            key = (min(a, b), max(a, b))
            found[key] = (*found.get(key, ()), *map(str, parted(fields.get("kinds", ""))))
        if faults:
            raise DocumentError(str(self.source), faults)
        return found

    def _unit_places(self, model: MapModel, ruleset: Ruleset) -> dict[str, str]:
        """Return the label of each unit that was moved by hand; the others stay as their scenario has them."""
        survey = surveyed(model, ruleset)
        found = {}
        for thing, _ in self.objects():
            fields = properties_of(thing)
            if thing.get("type") != "unit" or not fields.get("id"):
                continue
            x, y = self.spot(thing)
            was = survey.directory.find(str(fields.get("at", "")))
            point = self.sizes.lattice(x, y)
            inside = survey.grid.cells_at(np.array([point]))[0] >= 0
            if was is not None:
                away = math.hypot(*np.subtract(self.sizes.pixel(*survey.directory.dot(was)), (x, y)))
                if away < 0.45 * min(self.sizes.wide, self.sizes.high) or not fields.get("own", True):
                    continue
            if inside:
                found[str(fields["id"])] = nearest_label(survey, point)
            elif was is not None:
                found[str(fields["id"])] = ""
        return found
