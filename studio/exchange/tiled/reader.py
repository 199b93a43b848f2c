"""What both kinds of Tiled maps have in common for their readers: sizes, tiles on hexes, objects as features."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from studio.exchange.common.drawn import KINDS, XY, Drawn, Plain, Shape, parted
from studio.exchange.common.files import refused
from studio.exchange.common.ground import Words
from studio.exchange.tiled.grids import FLAGS, TileLayer, tile_layers, whole
from studio.exchange.tiled.options import TiledReading
from studio.exchange.tiled.sets import TileFacts, properties_of, tiles_of
from studio.exchange.tiled.sizes import Sizes
from studio.grid import HexGrid
from studio.model import MapModel

__all__ = ["Reader"]


class Reader:
    """Reads one map.

    Parameters
    ----------
    source : Path
    data : dict
        The map in the form of Tiled's JSON.
    options : TiledReading
    """

    def __init__(self, source: Path, data: dict[str, Any], options: TiledReading) -> None:
        self.source, self.data, self.options = source, data, options
        self.sizes = self._sizes()
        self.tiles = tiles_of(data, source, options.tile_property)
        self.layers = list(tile_layers(data.get("layers"), source))
        self.notes: list[str] = []

    def lattice(self, x: float, y: float) -> XY:
        """Return the point of the lattice at a pixel."""
        return self.sizes.lattice(x, y)

    def _sizes(self) -> Sizes:
        wide, high = (whole(self.data.get(key), key, self.source) for key in ("tilewidth", "tileheight"))
        side = whole(self.data.get("hexsidelength", 0) or 0, "hexsidelength", self.source)
        axis = self.data.get("staggeraxis", "y")
        if axis not in ("x", "y"):
            raise refused(self.source, f"staggeraxis is {str(axis)[:20]!r}, allowed 'x' or 'y'", "save it with Tiled")
        if not (1 <= wide <= 100_000 and 1 <= high <= 100_000):
            raise refused(self.source, f"has tiles of {wide} x {high} pixels", "save it with Tiled again")
        return Sizes(axis == "x", wide, high, side)

    # -- tiles --------------------------------------------------------------------------------------------------------

    def cells(self, layer: TileLayer, grid: HexGrid, model: MapModel | None) -> Iterator[tuple[int, TileFacts, str]]:
        """Yield the hexes of a layer that have a tile, with what the tile is and where it lies."""
        turned = outside = 0
        for y, x in np.argwhere(layer.gids).tolist():
            gid = int(layer.gids[y, x])
            turned += bool(gid & FLAGS)
            column, row = x + layer.left, y + layer.top
            cell = row * grid.columns + column
            inside = 0 <= column < grid.columns and 0 <= row < grid.rows
            if not inside or not grid.has(cell):
                outside += 1
                continue
            tile = self.tiles.get(gid & ~FLAGS)
            if tile is None:
                tile = TileFacts({}, (f"gid {gid & ~FLAGS}",))
            place = model.labels.label(cell) if model is not None else f"column {column}, row {row}"
            yield cell, tile, f"layer {layer.name!r}, {place}"
        if turned:
            self.notes.append(f"layer {layer.name!r}: {turned} tiles are turned or flipped, which says nothing here")
        if outside:
            self.notes.append(f"layer {layer.name!r}: {outside} tiles lie where the map has no hex")

    def terrain_of(self, tile: TileFacts, words: Words, at: str) -> str | None:
        """Return the terrain that a tile means; None, and noted, where it means none."""
        for name in tile.names:
            found = words.find(name)
            if found is not None:
                return found
        words.take(tile.names[0], at)
        return None

    def spot(self, thing: dict[str, Any]) -> tuple[float, float]:
        """Return where an object lies, in pixels.

        Raises
        ------
        DocumentError
            When it is no place.
        """
        numbers = []
        for key in ("x", "y"):
            value = thing.get(key, 0)
            if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
                message = f"object {thing.get('id')}: {key} is {str(value)[:40]!r}, allowed a number"
                raise refused(self.source, message, "save it with Tiled again")
            numbers.append(float(value))
        return numbers[0], numbers[1]

    # -- objects -----------------------------------------------------------------------------------------------------

    def objects(self) -> Iterator[tuple[dict[str, Any], str]]:
        """Yield every object with the name of its layer."""

        def walk(layers: Any) -> Iterator[tuple[dict[str, Any], str]]:
            for layer in layers if isinstance(layers, list) else []:
                if not isinstance(layer, dict):
                    continue
                if layer.get("type") == "group":
                    yield from walk(layer.get("layers"))
                objects = layer.get("objects") if layer.get("type") == "objectgroup" else []
                for thing in objects if isinstance(objects, list) else []:
                    if isinstance(thing, dict):
                        kind = thing.get("type") or thing.get("class") or ""
                        yield {**thing, "type": kind}, str(layer.get("name", ""))

        yield from walk(self.data.get("layers"))

    def drawn(self, objects: Iterator[tuple[dict[str, Any], str]], model: MapModel) -> Iterator[Drawn]:
        """Yield the objects whose class is a kind of feature."""
        for thing, layer in objects:
            kind = str(thing.get("type", ""))
            if kind not in KINDS:
                continue
            fields: dict[str, Plain] = {
                name: value if isinstance(value, str | int | float | bool) else str(value)
                for name, value in properties_of(thing).items()
            }
            name = str(fields.pop("id", "") or "")
            shape = self._shape(thing)
            if kind == "name" and isinstance(thing.get("text"), dict):
                fields["text"] = str(thing["text"].get("text", ""))
            holes = parted(fields.pop("holes", "")) if kind == "area" else []
            known = model.features.get(name)
            if kind == "area" and shape is not None and (holes or getattr(known, "holes", ())):
                shape = Shape("area", (shape.rings[0], *(tuple(map(tuple, hole)) for hole in holes)))
            if kind == "link" and known is not None and shape is not None and shape.kind == "point":
                shape = None
            yield Drawn(kind, name, self._placed(kind, shape, layer), fields)

    def _placed(self, kind: str, shape: Shape | None, layer: str) -> Shape | None:
        wanted = {"area": "area", "contour": "line", "wall": "line"}.get(kind)
        if wanted and (shape is None or shape.kind != wanted):
            what = "polygon" if wanted == "area" else "polyline"
            raise refused(self.source, f"layer {layer!r}: {kind} without a {what}", f"draw it as a {what}")
        return shape

    def _shape(self, thing: dict[str, Any]) -> Shape | None:
        x, y = self.spot(thing)
        angle = float(thing.get("rotation", 0) or 0)
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))

        def at(dx: float, dy: float) -> tuple[float, float]:
            return self.lattice(x + dx * cos - dy * sin, y + dx * sin + dy * cos)

        for key, kind, least in (("polygon", "area", 3), ("polyline", "line", 2)):
            points = thing.get(key)
            if isinstance(points, list):
                offsets = [self.spot(point) for point in points if isinstance(point, dict)]
                if len(offsets) >= least:
                    ring: tuple[XY, ...] = tuple(at(*offset) for offset in offsets)
                    return Shape("area" if kind == "area" else "line", (ring,))
        wide, high = (float(thing.get(key, 0) or 0) for key in ("width", "height"))
        if thing.get("gid") is not None:
            return Shape("point", ((self._tile_middle(x, y, wide, high),),))
        if thing.get("type") == "area" and wide > 0 and high > 0 and "text" not in thing:
            ring = tuple(at(dx, dy) for dx, dy in ((0, 0), (wide, 0), (wide, high), (0, high)))
            return Shape("area", (ring,))
        return Shape("point", ((at(wide / 2, high / 2),),))

    def _tile_middle(self, x: float, y: float, wide: float, high: float) -> tuple[float, float]:
        return self.lattice(x + wide / 2, y - high / 2)
