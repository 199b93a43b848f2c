"""What is under the pointer, and where that is: in the grid, in map units, in the world, and from the last press."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from typing import Any

from studio.editor.panels.nodes import Node, group, hint, row, rows
from studio.editor.panels.panel import Panel
from studio.errors import DocumentError, LabelError
from studio.grid import HexGrid

__all__ = ["WherePanel", "lon_lat"]

_MOST = 64 * 1024 * 1024  # bytes of a record that is read while somebody points
_WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")


@lru_cache(maxsize=8)
def _transformer(crs: str) -> Any:
    from pyproj import Transformer
    from pyproj.exceptions import CRSError

    try:
        return Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    except CRSError:
        return None


def lon_lat(crs: str, x: float, y: float) -> tuple[float, float] | None:
    """Return longitude and latitude of a place of the world; None where the reference system is unknown.

    Examples
    --------
    >>> lon_lat("EPSG:4326", 44.4, 33.3)
    (44.4, 33.3)
    """
    found = _transformer(crs)
    if found is None:
        return None
    lon, lat = found.transform(x, y)
    return (float(lon), float(lat)) if math.isfinite(lon) and math.isfinite(lat) else None


def _record(document: Any) -> Any:
    """Return the record of geography that lies beside a map; None where there is none, or none that can be read."""
    from studio.exchange.geography.record import record_beside

    path = getattr(document, "map", document).path
    if path is None:
        return None
    file = record_beside(path)
    try:
        found = file.stat()
    except OSError:
        return None
    return _read(file, found.st_mtime_ns, found.st_size) if found.st_size <= _MOST else None


@lru_cache(maxsize=2)
def _read(file: Path, _changed: int, _size: int) -> Any:
    from studio.exchange.geography.record import read_record

    try:
        return read_record(file)
    except DocumentError:
        return None


class WherePanel(Panel):
    """The place under the pointer or the hex cursor, in words and numbers."""

    id = "where"
    title = "Under the pointer"
    for_readers = True

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._at: tuple[float, float] | None = None
        self._pressed: tuple[float, float] | None = None

    def nodes(self) -> list[Node]:
        """Return one line for everything that is known of the place."""
        if self._at is None:
            return [hint("Point at the map, or move the hex cursor.")]
        x, y = self._at
        lines = [*self._ground(x, y), *self._numbers(x, y)]
        return [rows([row(name, value) for name, value in lines if value], label="Under the pointer"), *self._why(x, y)]

    def _why(self, x: float, y: float) -> list[Node]:
        """Return why the hex is what it is, of a map that was made of geography."""
        from studio.exchange.geography.why import why

        model = self.editor.document.model
        cell = model.grid.cell_at(*model.grid.to_map(x, y))
        record = _record(self.editor.document) if cell is not None else None
        if record is None or cell is None:
            return []
        try:
            found = why(record, model.labels.label(cell), now=model.terrain_at(cell))
        except LabelError:  # the map was given another size or other labels since
            return []
        said = [row(topic, text) for topic, text in found.lines]
        return [group("Of the geography", [rows(said, label="Of the geography")], name="why")]

    def _ground(self, x: float, y: float) -> list[tuple[str, str]]:
        document = self.editor.document
        model, grid, rules = document.model, document.model.grid, document.ruleset
        cell = grid.cell_at(*grid.to_map(x, y))
        if cell is None:
            return [("Hex", "off the map")]
        terrain = model.terrain_at(cell)
        column, line = cell % grid.columns + 1, cell // grid.columns + 1
        return [
            ("Hex", model.labels.label(cell)),
            ("Column, row", f"{column}, {line}"),
            ("Terrain", rules.terrains[terrain].name if terrain in rules.terrains else terrain),
            ("Level", str(model.level_at(cell))),
            ("Hexsides", self._sides(cell)),
            ("Drawn here", ", ".join(self._drawn(cell))),
            ("Locations", ", ".join(self._locations(cell))),
        ]

    def _sides(self, cell: int) -> str:
        document = self.editor.document
        model, kinds = document.model, document.ruleset.side_kinds
        found = []
        for direction in range(6):
            other = model.grid.neighbour(cell, direction)
            here = () if other is None else model.sides.get((min(cell, other), max(cell, other)), ())
            if other is not None and here:
                names = " and ".join(kinds[kind].name.lower() if kind in kinds else kind for kind in here)
                found.append(f"{names} to {model.labels.label(other)}")
        return ", ".join(found)

    def _drawn(self, cell: int) -> list[str]:
        from studio.model import feature_points
        from studio.model.regioncopy import hexes_at

        document = self.editor.document
        grid, label = document.model.grid, document.model.labels.label(cell)
        (x, y), (dx, dy) = grid.centre(cell), grid.reach
        found: list[str] = []
        for feature in document.model.features.values():
            here = label in getattr(feature, "path", ()) or getattr(feature, "at", None) == label
            if not here:
                near = (p for _, p in feature_points(feature) if abs(p[0] - x) <= dx and abs(p[1] - y) <= dy)
                here = any(cell in hexes_at(grid, point) for point in near)
            if here:
                kind = str(type(feature).__struct_config__.tag)
                name = getattr(feature, "name", "") or getattr(feature, "text", "") or getattr(feature, "type", "")
                found.append(f"{kind} {str(name)[:40]}".strip())
            if len(found) == 12:
                break
        return found

    def _locations(self, cell: int) -> list[str]:
        survey = getattr(self.editor.document, "survey", None)
        if survey is None:
            return []
        return [str(one.label) for one in survey.directory.of() if one.kind != "hex" and one.cell == cell][:12]

    def _numbers(self, x: float, y: float) -> list[tuple[str, str]]:
        document = self.editor.document
        grid: HexGrid = document.model.grid
        u, v = grid.to_map(x, y)
        found = [("Lattice", f"{round(x):,}, {round(y):,}"), ("Map units", f"{u:,.4g}, {v:,.4g}")]
        world = document.model.georeference
        if world is not None:
            a, b, c, d, e, f = world.affine
            east, north = a * u + b * v + c, d * u + e * v + f
            found.append(
                (world.crs, f"{east:,.6g}, {north:,.6g}" if abs(east) <= 360 else f"{east:,.1f}, {north:,.1f}")
            )
            place = lon_lat(world.crs, east, north)
            if place is not None:
                found.append(("Longitude, latitude", f"{place[0]:.5f}°, {place[1]:.5f}°"))
        return [*found, ("From the last press", self._distance(x, y))]

    def _distance(self, x: float, y: float) -> str:
        if self._pressed is None:
            return ""
        grid, labels = self.editor.document.model.grid, self.editor.document.model.labels
        (u0, v0), (u1, v1) = grid.to_map(*self._pressed), grid.to_map(x, y)
        here, there = grid.cell_at(u1, v1), grid.cell_at(u0, v0)
        said = f"{math.hypot(u1 - u0, v1 - v0):,.3g} map units"
        if here is None or there is None:
            return said
        if here == there:
            return f"{said}, the same hex"
        wind = _WINDS[round(math.degrees(math.atan2(u1 - u0, v0 - v1)) / 45) % 8]
        hexes = grid.distance(there, here)
        return f"{hexes} hex{'es' * (hexes != 1)} {wind} of {labels.label(there)}, {said}"

    def do_point(self, values: dict[str, Any]) -> None:
        """Follow the pointer; `pressed` is where it was pressed last."""
        self._at = _point(values.get("at"))
        self._pressed = _point(values.get("pressed"))


def _point(value: Any) -> tuple[float, float] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    x, y = (float(one) if isinstance(one, int | float) else math.nan for one in value)
    return (x, y) if math.isfinite(x) and math.isfinite(y) else None
