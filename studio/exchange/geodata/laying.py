"""Layers of others on a map: what their rows, whose shapes lie on the lattice already, become."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, StudioError, nearest
from studio.exchange.common.drawn import Shape, nearest_label
from studio.exchange.common.files import refused
from studio.exchange.common.ground import Words, as_level, listed, set_plane, surveyed
from studio.exchange.common.lines import hex_path, side_path
from studio.exchange.geodata.buildings import lay_areas
from studio.exchange.geodata.making import as_text, contour_of, course_of, name_of, pieces_of, place_of_type, wall_of
from studio.exchange.geodata.openings import lay_openings
from studio.exchange.geodata.options import LayerRule
from studio.exchange.geodata.streets import joined_rows, repeated
from studio.model import Feature, MapModel, Marker, Road
from studio.rules import Ruleset

__all__ = ["SHAPES", "Laying", "Row", "Say", "layer_name"]

Row: TypeAlias = tuple[Mapping[str, Any], Any]
"""The columns of a row, and its shape on the lattice."""
Say: TypeAlias = Callable[..., None]
"""Is told ``(kind, text, at=(), **figures)``: "note", "decided" or "finding", a sentence, labels of hexes."""

SHAPES: dict[str, str] = {
    "roads": "line", "sides": "line", "walls": "line", "contours": "line",
    "terrain": "area", "levels": "area", "areas": "area",
    "names": "point", "places": "point", "markers": "point", "openings": "point",
}  # fmt: skip
"""What rows must be to become something."""
_KINDS = {"openings": "aperture"}
"""Kinds of features that are called otherwise than what they are of."""
_GROUND = ("terrain", "levels", "sides")
_OTHERS = {"names": ("line", "area"), "terrain": ("point",), "levels": ("point",)}
"""What else they may be, where the rule says so."""


def layer_name(rule: LayerRule) -> str:
    """Return how messages name the layer of a rule."""
    return rule.layer or "the first layer"


class Laying:
    """Lays layers on one map, one after another.

    Parameters
    ----------
    source : Path or str
        Where the rows come from, for messages.
    model : MapModel
    ruleset : Ruleset
    say : callable
        Takes what was done; see :data:`Say`.
    """

    def __init__(self, source: Path | str, model: MapModel, ruleset: Ruleset, say: Say) -> None:
        self.source, self.model, self.ruleset, self.say = source, model, ruleset, say
        self.survey = surveyed(model, ruleset)
        self.laid: dict[str, None] = {}
        """Ids of the features of the last layer, in order."""
        self._numbers: dict[str, int] = {}

    def lay(self, rule: LayerRule, rows: Sequence[Row]) -> None:
        """Lay the rows of one layer.

        Raises
        ------
        DocumentError
            When names of the rule or of the rows mean nothing, or a row makes no sound feature.
        """
        self._fits(rule)
        words = self._words(rule)
        used = Counter[str]()
        count, self.laid = len(rows), {}
        if rule.join:
            rows = joined_rows(self.model.grid, rows, rule)
            text = f"{layer_name(rule)}: {count} lines are joined to {len(rows)}"
            self.say("decided", text, lines=count, joined=len(rows))
            count = len(rows)
        planes = {
            "terrain": self._ground, "levels": self._ground, "sides": self._sides,
            "areas": self._areas, "openings": self._openings,
        }  # fmt: skip
        planes.get(rule.to, self._features)(rule, rows, words, used)
        if words is not None:
            words.check(self.source)
        left_out = [f"{number} {why}" for why, number in used.items() if number]
        skipped = f"; not used: {listed(left_out)}" if left_out else ""
        self.say("note", f"{layer_name(rule)} to {rule.to}: {count - sum(used.values())} of {count} rows{skipped}")

    def _fits(self, rule: LayerRule) -> None:
        """Refuse names of a rule that the game does not have."""
        for what, name, known in (
            ("terrain", rule.under, self.ruleset.terrains),
            ("terrain", rule.reached, self.ruleset.terrains),
            ("area", rule.part, self.ruleset.area_types),
            ("opening", rule.doors, self.ruleset.aperture_types),
            ("place", rule.roof, self.ruleset.place_types),
            ("link", rule.stairs, self.ruleset.link_types),
        ):
            if name and name not in known:
                message = f"{name!r} is no {what} of {self.ruleset.title}; {nearest(name, known)}"
                raise refused(self.source, message, "name one of them")
        if (rule.roof or rule.stairs) and not rule.part:
            raise refused(self.source, "roofs and stairs belong to a part of each area", "name its type in part")
        kinds = self.ruleset.feature_kinds
        if rule.to not in _GROUND and kinds and _KINDS.get(rule.to, rule.to.removesuffix("s")) not in kinds:
            message = f"{self.ruleset.title} has no {rule.to}"
            raise refused(self.source, message, f"its features are {', '.join(kinds)}: leave the layer out")
        shape = rule.shape or SHAPES[rule.to]
        if shape not in (SHAPES[rule.to], *_OTHERS.get(rule.to, ())):
            message = f"{rule.to} are made of {SHAPES[rule.to]}s, not of {shape}s"
            raise refused(self.source, message, "leave shape out")

    def _words(self, rule: LayerRule) -> Words | None:
        """Return what the values of the column may mean; None where they are free."""
        tables: dict[str, tuple[str, Mapping[str, Any]]] = {
            "terrain": ("terrain", self.ruleset.terrains),
            "sides": ("hexside", self.ruleset.side_kinds),
            "areas": ("area", self.ruleset.area_types),
            "walls": ("wall", self.ruleset.wall_types),
            "places": ("place", self.ruleset.place_types),
            "markers": ("marker", self.ruleset.marker_types),
            "openings": ("opening", self.ruleset.aperture_types),
            "roads": ("surface", {"paved": None, "unpaved": None}),
        }
        if rule.to not in tables:
            return None
        what, names = tables[rule.to]
        words = Words(what, names, rule.mapping)
        if rule.type and rule.type not in names:
            message = f"type {rule.type!r} is no {what} of {self.ruleset.title}; {nearest(rule.type, names)}"
            raise refused(self.source, message, "name one of them")
        if not rule.type and not rule.attribute and rule.to != "roads":
            message = f"{rule.to}: neither a type nor an attribute says what they are"
            raise refused(self.source, message, f"give type=, such as {next(iter(names), '')!r}")
        return words

    def value(self, rule: LayerRule, record: Mapping[str, Any], words: Words | None, number: int) -> str | None:
        """Return what a row is; None where it is to be left out."""
        if not rule.attribute:
            return rule.type or ("paved" if rule.to == "roads" else None)
        text = as_text(record[rule.attribute])
        if words is None:
            return rule.mapping.get(text, text)
        if not text and text not in rule.mapping:
            return None
        return words.take(text, f"{rule.layer or 'layer'}, row {number + 1}") or None

    # -- polygons to ground ------------------------------------------------------------------------------------------

    def _ground(self, rule: LayerRule, rows: Sequence[Row], words: Words | None, used: Counter[str]) -> None:
        values: dict[int, Any] = {}
        best: dict[int, float] = {}
        cells = np.flatnonzero(self.model.grid.present)
        for number, (record, shape) in enumerate(rows):
            value: Any = self.value(rule, record, words, number)
            if rule.to == "levels":
                value = as_level(value)
            if value is None:
                used["without a value"] += 1
                continue
            for cell, share in self._at(shape) if rule.shape == "point" else self._covered(cells, shape, rule.share):
                if share > best.get(cell, 0.0):
                    best[cell], values[cell] = share, value
        if words is None or not words.unknown:
            set_plane(self.model, rule.to, values)

    def _at(self, shape: Any) -> Iterator[tuple[int, float]]:
        """Yield the hexes that points lie in."""
        points = [one.points[0] for one in pieces_of(shape) if one.kind == "point"]
        for cell in self.model.grid.cells_at(np.array(points, dtype=float).reshape(-1, 2)).tolist():
            if cell >= 0:
                yield cell, 1.0

    def _covered(self, cells: NDArray[np.int64], shape: Any, least: float) -> Iterator[tuple[int, float]]:
        """Yield the hexes that a polygon covers: by their middle, or by the part of their area."""
        import shapely

        shape = shape if shape.is_valid else shapely.make_valid(shape)
        grid = self.model.grid
        shapely.prepare(shape)
        if not least:
            inside = shapely.contains_xy(shape, grid.centres[cells].astype(float))
            yield from ((int(cell), 1.0) for cell in cells[inside])
            return
        corners = np.array(grid.corners(0)) - np.array(grid.centre(0))
        hexes = shapely.polygons(grid.centres[cells][:, None, :] + corners[None])
        near = shapely.intersects(shape, hexes)
        shares = shapely.area(shapely.intersection(hexes[near], shape)) / shapely.area(hexes[near])
        yield from ((int(c), float(s)) for c, s in zip(cells[near], shares, strict=True) if s >= least)

    # -- lines to sides ----------------------------------------------------------------------------------------------

    def _sides(self, rule: LayerRule, rows: Sequence[Row], words: Words | None, used: Counter[str]) -> None:
        for number, (record, shape) in enumerate(rows):
            kind = self.value(rule, record, words, number)
            path = [
                side
                for line in pieces_of(shape)
                if line.kind == "line"
                for side in side_path(self.model.grid, line.points)
            ]
            if kind is None or not path:
                used["without a value" if kind is None else "without a side on the map"] += 1
                continue
            for key in path:
                self.model.sides[key] = tuple(sorted({*self.model.sides.get(key, ()), kind}))

    # -- features ----------------------------------------------------------------------------------------------------

    def _areas(self, rule: LayerRule, rows: Sequence[Row], words: Words | None, used: Counter[str]) -> None:
        values = [self.value(rule, record, words, number) for number, (record, _) in enumerate(rows)]
        if words is None or not words.unknown:
            lay_areas(self, rule, rows, values, used)

    def _openings(self, rule: LayerRule, rows: Sequence[Row], words: Words | None, used: Counter[str]) -> None:
        values = [self.value(rule, record, words, number) for number, (record, _) in enumerate(rows)]
        if words is None or not words.unknown:
            lay_openings(self, rule, rows, values, used)

    def _features(self, rule: LayerRule, rows: Sequence[Row], words: Words | None, used: Counter[str]) -> None:
        makers: dict[str, tuple[str, Callable[..., Feature | None]]] = {
            "roads": ("road", self._road),
            "walls": ("wall", wall_of),
            "contours": ("contour", contour_of),
            "names": ("name", self._name),
            "places": ("place", place_of_type),
            "markers": ("marker", self._marker),
        }
        kind, make = makers[rule.to]
        shaped = rule.shape or SHAPES[rule.to]
        faults: list[Fault] = []
        for number, (record, geometry) in enumerate(rows):
            value = self.value(rule, record, words, number)
            name = as_text(record[rule.name]) if rule.name else ""
            pieces = [one for one in pieces_of(geometry) if one.kind == shaped]
            if value is None and rule.to != "names":
                used["without a value"] += 1
                continue
            if rule.least and shaped == "line":
                long = [one for one in pieces if self._length(one) >= rule.least]
                if pieces and not long:
                    used["too short"] += 1
                    continue
                pieces = long
            made = 0
            for piece in pieces:
                extra = (rule,) if rule.to in ("roads", "names") else ()
                try:
                    feature = make(self.new_id(kind), value or "", name, piece, *extra)
                except (msgspec.ValidationError, StudioError, ValueError) as error:
                    faults.append(Fault("$", str(error), "mend the row", f"{rule.layer}, row {number + 1}"))
                    continue
                if feature is not None:
                    self.put(feature)
                    made += 1
            if not made:
                used["of another shape, or off the hexes"] += 1
        if faults:
            raise DocumentError(str(self.source), faults)

    def new_id(self, kind: str) -> str:
        """Return an id that is not taken, such as ``road-3``; quicker for many than that of the model, and the same."""
        if kind not in self._numbers:
            self._numbers[kind] = sum(name.startswith(f"{kind}-") for name in self.model.features)
        number = self._numbers[kind] + 1
        while f"{kind}-{number}" in self.model.features:
            number += 1
        return f"{kind}-{number}"

    def put(self, feature: Feature) -> None:
        """Put a feature on the map."""
        kind = feature.id.rpartition("-")[0]
        if kind in self._numbers and feature.id not in self.model.features:
            self._numbers[kind] += 1
        self.model.features[feature.id] = feature
        self.laid[feature.id] = None

    def _length(self, piece: Shape) -> float:
        """Return the length of a line in hexes."""
        grid = self.model.grid
        steps = np.diff(np.asarray(piece.points) * np.array(grid.scale), axis=0)
        return float(np.hypot(steps[:, 0], steps[:, 1]).sum()) / (grid.hex_height if grid.flat else grid.width)

    def _road(self, new_id: str, value: str, name: str, piece: Shape, rule: LayerRule) -> Feature | None:
        grid = self.model.grid
        path = hex_path(grid, piece.points)
        if not path:
            return None
        label, surface = self.model.labels.label, cast(Any, value)
        steps = path[:1]
        for a, b in itertools.pairwise(path):
            if grid.direction(a, b) is None:
                self.say("note", f"{name or new_id} leaves the map at {label(a)} and was cut off there")
                break
            steps.append(b)
        if rule.join and repeated(self.model, steps, surface):
            at = tuple(map(label, steps))
            self.say("decided", f"{name or 'a road'} from {at[0]} to {at[-1]} repeats other roads and is left out", at)
            return None
        line = course_of(grid, steps, piece.points) if rule.course and len(steps) > 1 else ()
        if rule.course and len(steps) > 1 and not line:
            self.say("decided", f"{name or new_id} is drawn through the middles of its hexes", tuple(map(label, steps)))
        return Road(id=new_id, path=tuple(map(label, steps)), surface=surface, name=name, line=line)

    def _name(self, new_id: str, value: str, name: str, piece: Shape, rule: LayerRule) -> Feature | None:
        return name_of(self.model.grid, new_id, name or value, piece, rule.size)

    def _marker(self, new_id: str, value: str, name: str, piece: Shape) -> Feature:
        return Marker(id=new_id, type=value, at=nearest_label(self.survey, piece.points[0]))
