"""Geodata of others: what the layers of any vector file, and rasters, become on a map."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, StudioError, nearest
from studio.exchange.common.drawn import XY, nearest_label
from studio.exchange.common.files import refused, source_bytes
from studio.exchange.common.ground import (
    Words,
    as_level,
    checked,
    known_game,
    listed,
    model_of,
    new_map,
    set_plane,
    surveyed,
)
from studio.exchange.common.lines import hex_path, side_path
from studio.exchange.content import Taken
from studio.exchange.geodata.layers import shape_in
from studio.exchange.geodata.options import GeodataReading, LayerRule
from studio.exchange.geodata.raster import shares_of
from studio.exchange.geodata.stores import library_reads, listed_layers
from studio.exchange.geodata.world import World, known_crs, place_of
from studio.grid import HexGrid
from studio.model import Area, Contour, Feature, Georeference, MapModel, Marker, Name, Place, Road, Wall
from studio.rules import Ruleset

__all__ = ["take_foreign"]

_POINTERS = (b"<OGRVRT", b"<OGRWFS", b"<OGRGML", b"gdal_streamed_alg", b"<WMS_", b"<GDAL_")
"""How files begin that only point to other files or to the network."""


def take_foreign(source: Path, options: GeodataReading) -> Taken:
    """Return a map with what the layers of a file become on it.

    Raises
    ------
    DocumentError
        When the file cannot be read, names of it mean nothing, or no map is named to lay it on.
    """
    model, ruleset = _base(source, options)
    world = place_of(model.grid, model.georeference, ruleset.catalogue.hex_metres)
    laying = _Laying(source, model, ruleset, world)
    for raster in options.rasters:
        values, note = shares_of(source.parent, raster, model, ruleset, world)
        laying.notes.append(note)
        set_plane(model, raster.to, values)
    if options.layers:
        head = source_bytes(source)[:4096]
        if any(mark in head for mark in _POINTERS):
            raise refused(source, "only points to other files", "name the file that holds the features")
        for rule in options.layers:
            laying.lay(rule)
    elif not options.rasters:
        names = ", ".join(name for name, _ in listed_layers(source))
        raise refused(
            source, f"holds the layers {names}", "say what they become: layers=(LayerRule(layer=..., to=...),)"
        )
    return Taken(checked(model, ruleset, source), None, tuple(laying.notes))


def _base(source: Path, options: GeodataReading) -> tuple[MapModel, Ruleset]:
    """Return the map that everything is laid on."""
    if options.onto is not None:
        ruleset = known_game(options.onto.ruleset, source)
        return model_of(options.onto, ruleset, source), ruleset
    if options.frame is None:
        raise refused(source, "is to be laid on no map", "give onto=, a map, or frame=, where a new one lies")
    frame = options.frame
    ruleset = known_game(options.ruleset, source)
    flat = frame.orientation == "flat"
    # A hex of one map unit across the flats; the affine makes it as large as it is in the world.
    wide = 2 / 3**0.5
    grid = HexGrid(
        columns=frame.columns,
        rows=frame.rows,
        orientation=frame.orientation,
        stagger=frame.stagger,
        hex_width=wide if flat else 1.0,
        hex_height=1.0 if flat else wide,
    )
    model = new_map(ruleset, grid, frame.labels, title=options.title or source.stem, source=source)
    known_crs(frame.crs)
    size = frame.hex_size
    affine = (size, 0.0, frame.left, 0.0, -size, frame.top)
    model.georeference = Georeference(crs=frame.crs, affine=affine)
    return model, ruleset


class _Laying:
    """Lays layers on one map, one after another."""

    def __init__(self, source: Path, model: MapModel, ruleset: Ruleset, world: World) -> None:
        self.source, self.model, self.ruleset, self.world = source, model, ruleset, world
        self.survey = surveyed(model, ruleset)
        self.notes: list[str] = []

    def lay(self, rule: LayerRule) -> None:
        """Lay one layer."""
        rows = list(self._rows(rule))
        words = self._words(rule)
        used = Counter[str]()
        put = {"terrain": self._ground, "levels": self._ground, "sides": self._sides}.get(rule.to, self._features)
        put(rule, rows, words, used)
        if words is not None:
            words.check(self.source)
        what = rule.layer or "the first layer"
        skipped = f"; not used: {listed(f'{count} {why}' for why, count in used.items())}" if used else ""
        self.notes.append(f"{what} to {rule.to}: {len(rows) - sum(used.values())} of {len(rows)} rows{skipped}")

    def _words(self, rule: LayerRule) -> Words | None:
        """Return what the values of the column may mean; None where they are free."""
        tables: dict[str, tuple[str, Mapping[str, Any]]] = {
            "terrain": ("terrain", self.ruleset.terrains),
            "sides": ("hexside", self.ruleset.side_kinds),
            "areas": ("area", self.ruleset.area_types),
            "walls": ("wall", self.ruleset.wall_types),
            "places": ("place", self.ruleset.place_types),
            "markers": ("marker", self.ruleset.marker_types),
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

    def _rows(self, rule: LayerRule) -> Iterator[tuple[dict[str, Any], Any]]:
        """Yield fields and shape, on the lattice, of the rows that a rule is about and that lie on the map."""
        import pyogrio
        import shapely

        names = [name for name, _ in listed_layers(self.source)]
        layer = rule.layer or (names[0] if names else "")
        if layer not in names:
            raise refused(self.source, f"has no layer {layer!r}; {nearest(layer, names)}", "name one that it has")
        # Coordinates that are no numbers are found below; numpy need not warn of them.
        with library_reads(self.source), np.errstate(invalid="ignore", over="ignore"):
            frame = pyogrio.read_dataframe(self.source, layer=layer, force_2d=True)
        wanted = {one for one in (rule.attribute, rule.name, *rule.where) if one}
        missing = sorted(wanted - set(frame.columns))
        if missing:
            known = nearest(missing[0], map(str, frame.columns))
            raise refused(self.source, f"layer {layer!r} has no column {missing[0]!r}; {known}", "name one that it has")
        for column, value in rule.where.items():
            frame = frame[frame[column].astype(str) == value]
        with np.errstate(invalid="ignore", over="ignore"):
            shapes = np.array(self._placed(frame, layer), dtype=object)
        coordinates, owners = shapely.get_coordinates(shapes, return_index=True)
        nowhere = np.unique(owners[~np.isfinite(coordinates).all(axis=1)])
        if len(nowhere):
            self.notes.append(f"layer {layer!r}: {len(nowhere)} rows are left out: a coordinate is no number")
            shapes[nowhere] = None
        x0, y0, x1, y1 = self.model.grid.frame
        box = shapely.box(x0, y0, x1, y1)
        near = shapely.intersects(shapes, box)
        columns = [column for column in frame.columns if column != frame.geometry.name]
        records = frame[columns].to_dict("records")
        for record, shape, inside in zip(records, shapes, near, strict=True):
            if inside:
                yield record, shape

    def _placed(self, frame: Any, layer: str) -> NDArray[Any]:
        """Return the shapes of a table on the lattice."""
        crs = known_crs(self.world.crs)
        if frame.crs is None:
            self.notes.append(
                f"layer {layer!r} names no coordinate reference system; its numbers are taken as they are"
            )
        elif self.world.real:
            frame = frame.to_crs(crs)
        elif frame.crs.is_geographic or frame.crs.is_projected:
            message = f"layer {layer!r} lies in the real world ({frame.crs.name}), and the map has no place in it"
            raise refused(self.source, message, "give the map a georeference, or a new one a frame")
        return self.world.shapes_to_lattice(np.array(frame.geometry.values, dtype=object))

    def _value(self, rule: LayerRule, record: Mapping[str, Any], words: Words | None, number: int) -> str | None:
        """Return what a row is; None where it is to be left out."""
        if not rule.attribute:
            return rule.type or ("paved" if rule.to == "roads" else None)
        value = record[rule.attribute]
        text = "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)
        if words is None:
            return rule.mapping.get(text, text)
        if not text and text not in rule.mapping:
            return None
        return words.take(text, f"{rule.layer or 'layer'}, row {number + 1}") or None

    # -- polygons to ground ------------------------------------------------------------------------------------------

    def _ground(
        self, rule: LayerRule, rows: list[tuple[dict[str, Any], Any]], words: Words | None, used: Counter[str]
    ) -> None:
        values: dict[int, Any] = {}
        best: dict[int, float] = {}
        cells = np.flatnonzero(self.model.grid.present)
        for number, (record, shape) in enumerate(rows):
            value: Any = self._value(rule, record, words, number)
            if rule.to == "levels":
                value = as_level(value)
            if value is None:
                used["without a value"] += 1
                continue
            for cell, share in self._covered(cells, shape, rule.share):
                if share > best.get(cell, 0.0):
                    best[cell], values[cell] = share, value
        if words is None or not words.unknown:
            set_plane(self.model, rule.to, values)

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

    def _sides(
        self, rule: LayerRule, rows: list[tuple[dict[str, Any], Any]], words: Words | None, used: Counter[str]
    ) -> None:
        for number, (record, shape) in enumerate(rows):
            kind = self._value(rule, record, words, number)
            path = [
                side
                for line in _pieces(shape)
                if line.kind == "line"
                for side in side_path(self.model.grid, line.points)
            ]
            if kind is None or not path:
                used["without a value" if kind is None else "without a side on the map"] += 1
                continue
            for key in path:
                self.model.sides[key] = tuple(sorted({*self.model.sides.get(key, ()), kind}))

    # -- features ----------------------------------------------------------------------------------------------------

    def _features(
        self, rule: LayerRule, rows: list[tuple[dict[str, Any], Any]], words: Words | None, used: Counter[str]
    ) -> None:
        makers: dict[str, tuple[str, str, Callable[..., Feature | None]]] = {
            "roads": ("road", "line", self._road),
            "walls": ("wall", "line", _wall),
            "contours": ("contour", "line", _contour),
            "areas": ("area", "area", _area),
            "names": ("name", "point", _name),
            "places": ("place", "point", _place),
            "markers": ("marker", "point", self._marker),
        }
        kind, shaped, make = makers[rule.to]
        faults: list[Fault] = []
        for number, (record, geometry) in enumerate(rows):
            value = self._value(rule, record, words, number)
            name = str(record[rule.name]) if rule.name and record[rule.name] is not None else ""
            pieces = [one for one in _pieces(geometry) if one.kind == shaped]
            if value is None and rule.to != "names":
                used["without a value"] += 1
                continue
            made = 0
            for piece in pieces:
                try:
                    feature = make(self.model.new_id(kind), value or "", name, piece)
                except (msgspec.ValidationError, StudioError, ValueError) as error:
                    faults.append(Fault("$", str(error), "mend the row", f"{rule.layer}, row {number + 1}"))
                    continue
                if feature is not None:
                    self.model.features[feature.id] = feature
                    made += 1
            if not made:
                used["of another shape, or off the hexes"] += 1
        if faults:
            raise DocumentError(str(self.source), faults)

    def _road(self, new_id: str, value: str, name: str, piece: Any) -> Feature | None:
        path = hex_path(self.model.grid, piece.points)
        if not path:
            return None
        label, surface = self.model.labels.label, cast(Any, value)
        steps = path[:1]
        for a, b in itertools.pairwise(path):
            if self.model.grid.direction(a, b) is None:
                self.notes.append(f"{name or new_id} leaves the map at {label(a)} and was cut off there")
                break
            steps.append(b)
        return Road(id=new_id, path=tuple(map(label, steps)), surface=surface, name=name)

    def _marker(self, new_id: str, value: str, name: str, piece: Any) -> Feature:
        return Marker(id=new_id, type=value, at=nearest_label(self.survey, piece.points[0]))


def _pieces(geometry: Any) -> Iterator[Any]:
    """Yield the simple shapes of a geometry."""
    import shapely

    for part in shapely.get_parts(geometry).tolist() if geometry is not None else []:
        shape = shape_in(part)
        if shape is not None:
            yield shape


def _whole(points: tuple[XY, ...]) -> tuple[tuple[int, int], ...]:
    """Return points of the lattice without those that fall together."""
    found = [(round(x), round(y)) for x, y in points]
    return tuple(one for number, one in enumerate(found) if not number or one != found[number - 1])


def _wall(new_id: str, value: str, name: str, piece: Any) -> Feature | None:
    line = _whole(piece.points)
    return Wall(id=new_id, type=value, line=line, name=name) if len(line) > 1 else None


def _contour(new_id: str, value: str, name: str, piece: Any) -> Feature | None:
    level, line = as_level(value), _whole(piece.points)
    if level is None:
        msg = f"got level {value!r}, allowed a whole number"
        raise ValueError(msg)
    return Contour(id=new_id, level=level, line=line) if len(line) > 1 else None


def _area(new_id: str, value: str, name: str, piece: Any) -> Feature | None:
    rings = [_whole(ring) for ring in piece.rings]
    rings = [ring[:-1] if len(ring) > 1 and ring[0] == ring[-1] else ring for ring in rings]
    rings = [ring for ring in rings if len(set(ring)) > 2]
    return Area(id=new_id, type=value, outline=rings[0], holes=tuple(rings[1:]), name=name) if rings else None


def _name(new_id: str, value: str, name: str, piece: Any) -> Feature | None:
    text = name or value
    return Name(id=new_id, text=text, at=_whole(piece.points)[0]) if text else None


def _place(new_id: str, value: str, name: str, piece: Any) -> Feature:
    return Place(id=new_id, type=value, name=name or new_id, at=_whole(piece.points)[0])
