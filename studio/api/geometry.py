"""Features from shapely geometry in map units, and the shapely geometry of features."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.errors import EditError
from studio.model import Aperture, Area, Contour, Crest, Dot, Feature, Link, Marker, Name, Place, Point, Road, Wall
from studio.model.mapmodel import MARGIN
from studio.model.topology import area_fault

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

    from studio.grid import HexGrid, Labels
    from studio.survey import Survey

__all__ = ["geometry_fields", "geometry_of", "line_path"]

_SHAPES = {
    "area": "Polygon",
    "wall": "LineString",
    "contour": "LineString",
    "road": "LineString",
    "place": "Point",
    "name": "Point",
    "aperture": "Point",
    "dot": "Point",
}


def geometry_fields(labels: Labels, kind: str, geometry: Any, *, path: bool = True) -> dict[str, Any]:
    """Return the fields of a feature that a shapely geometry stands for, snapped to the lattice.

    Parameters
    ----------
    labels : Labels
        Of the map, with its grid.
    kind : str
        An area is drawn with a Polygon, its holes included; a wall, a contour or a road with a LineString; a place, a
        name, an aperture or a dot with a Point.
    geometry : shapely geometry
        In map units, x to the right and y down; or a GeoSeries that holds one. Heights are left out.
    path : bool
        False leaves out the path of a road.

    Returns
    -------
    dict of str to list
        ``outline`` and ``holes``, ``line`` (of a road ``path`` too), ``at`` or ``point``. Each coordinate becomes the
        nearest of the lattice; corners that fall together become one.

    Raises
    ------
    EditError
        When the kind is drawn with another geometry, or none; the geometry is empty, not finite, of several parts or
        crosses itself; or nothing is left of it on the lattice.
    """
    wanted = _SHAPES.get(kind)
    if wanted is None:
        msg = f"{kind}: it has no points to be drawn with, so no geometry; give its fields, such as labels"
        raise EditError(msg)
    shape = _single(kind, wanted, geometry)
    if kind == "area":
        return _rings(labels.grid, shape)
    if wanted == "LineString":
        line = _points(kind, labels.grid, shape)
        fields: dict[str, Any] = {"line": line}
        if kind == "road" and path:
            fields["path"] = line_path(labels, line)
        return fields
    (at,) = _points(kind, labels.grid, shape)
    return {"point" if kind == "dot" else "at": at}


def _single(kind: str, wanted: str, geometry: Any) -> BaseGeometry:
    """Return the one geometry of the kind that is wanted, or say why it is not."""
    import shapely

    found = geometry
    if hasattr(found, "geometry") and not isinstance(found, shapely.Geometry):
        found = found.geometry  # a GeoDataFrame or a GeoSeries
    if not isinstance(found, shapely.Geometry) and hasattr(found, "iloc"):
        if len(found) != 1:
            msg = f"{kind}: got {len(found)} geometries; add them one by one: for one in geometry: map.add(...)"
            raise EditError(msg)
        found = found.iloc[0]
    article = f"a shapely {wanted} in map units"
    if not isinstance(found, shapely.Geometry):
        msg = f"{kind}: got geometry={geometry!r}; allowed: {article}"
        raise EditError(msg)
    got = found.geom_type
    if found.is_empty:
        msg = f"{kind}: got an empty {got}; allowed: {article} with coordinates"
        raise EditError(msg)
    if got.startswith("Multi") or got == "GeometryCollection":
        msg = (
            f"{kind}: got a {got} of {shapely.get_num_geometries(found)} parts; a feature is one piece: "
            "for part in geometry.geoms: map.add(...)"
        )
        raise EditError(msg)
    if got != wanted and not (wanted == "LineString" and got == "LinearRing"):
        msg = f"{kind}: got a {got}; allowed: {article}"
        raise EditError(msg)
    coordinates = shapely.get_coordinates(found)
    wrong = coordinates[~np.isfinite(coordinates).all(axis=1)]
    if len(wrong):
        msg = f"{kind}: the {got} has the point ({wrong[0][0]}, {wrong[0][1]}); coordinates are finite numbers"
        raise EditError(msg)
    if wanted == "Polygon" and not found.is_valid:
        msg = f"{kind}: the Polygon is not valid: {shapely.is_valid_reason(found)}; mend it with shapely.make_valid"
        raise EditError(msg)
    return found


def _points(kind: str, grid: HexGrid, shape: BaseGeometry) -> list[list[int]]:
    """Return the coordinates of a shape on the lattice, those that fall together once."""
    import shapely

    points: list[list[int]] = []
    low, high = (grid.to_map(*corner) for corner in (grid.frame[:2], grid.frame[2:]))
    dx, dy = grid.to_map(MARGIN, MARGIN)
    for x, y in shapely.get_coordinates(shape).tolist():
        if not (low[0] - dx <= x <= high[0] + dx and low[1] - dy <= y <= high[1] + dy):
            ends = " to ".join(f"({u:.6g}, {v:.6g})" for u, v in (low, high))
            msg = f"{kind}: the point ({x:.6g}, {y:.6g}) lies far off the map, which goes from {ends} in map units"
            raise EditError(msg)
        point = list(grid.to_lattice(x, y))
        if not points or points[-1] != point:
            points.append(point)
    least = {"Point": 1, "LineString": 2}.get(shape.geom_type, 3)
    ring = shape.geom_type == "LinearRing" and kind == "area"
    if ring and len(points) > 1 and points[0] == points[-1]:
        points.pop()
    if len(points) < least:
        raise EditError(_too_small(kind, grid, points[0]))
    return points


def _too_small(kind: str, grid: HexGrid, point: list[int]) -> str:
    sx, sy = grid.scale
    return (
        f"{kind}: nothing is left of the geometry on the lattice, near {tuple(point)}: its steps are {sx:.5f} map "
        f"units wide and {sy:.5f} high, and a hex is {grid.hex_height:g} high; draw it larger, in map units"
    )


def _rings(grid: HexGrid, polygon: Any) -> dict[str, Any]:
    outline = _points("area", grid, polygon.exterior)
    holes = [_points("area", grid, ring) for ring in polygon.interiors]
    made = Area(
        id="a",
        type="a",
        outline=tuple((x, y) for x, y in outline),
        holes=tuple(tuple((x, y) for x, y in hole) for hole in holes),
    )
    fault = area_fault(made)
    if fault is not None:
        msg = (
            f"area: on the lattice {fault[0]}, at {fault[1]}, since corners lie closer together than its steps; "
            "simplify the Polygon, or draw it larger"
        )
        raise EditError(msg)
    return {"outline": outline, "holes": holes} if holes else {"outline": outline}


def line_path(labels: Labels, line: list[list[int]]) -> list[str]:
    """Return the labels of the hexes that a line runs through, in order.

    Parameters
    ----------
    labels : Labels
    line : list of [x, y]

    Raises
    ------
    EditError
        When it leaves the map between its ends.
    """
    from studio.sight.trace import hex_trace

    grid = labels.grid
    cells: list[int] = []
    for p, q in pairwise(line):
        for contact in hex_trace(grid, (p[0], p[1]), (q[0], q[1])):
            if contact.how != "touch" and not (cells and cells[-1] in contact.cells):
                cells.append(contact.cells[0])
    steps = pairwise(cells)
    if not cells or any(grid.direction(a, b) is None for a, b in steps):
        msg = (
            f"road: the line from {tuple(line[0])} to {tuple(line[-1])} does not run from hex to hex on the map; keep "
            "it on the map, or give its path too: path=['0101', '0102']"
        )
        raise EditError(msg)
    return [labels.label(cell) for cell in cells]


def geometry_of(survey: Survey, feature: Feature) -> BaseGeometry:
    """Return a feature as shapely geometry in map units, x to the right and y down.

    Parameters
    ----------
    survey : Survey
    feature : Feature

    Returns
    -------
    shapely geometry
        A Polygon for an area; a LineString for a wall, a contour, a road, a crest (through the centres of its hexes
        where it has no line of its own; a Point where that is one hex) and a link (from dot to dot); a Point for the
        rest, and a MultiPoint for a marker that covers several locations.
    """
    import shapely

    to_map, directory = survey.grid.to_map, survey.directory

    def many(points: Any) -> list[tuple[float, float]]:
        return [to_map(*point) for point in points]

    def dots(names: tuple[str, ...]) -> list[Point]:
        return [directory.dot(directory.number(label)) for label in names]

    match feature:
        case Area():
            return shapely.Polygon(many(feature.outline), [many(hole) for hole in feature.holes])
        case Wall() | Contour():
            return shapely.LineString(many(feature.line))
        case Road() | Crest():
            line = feature.line if isinstance(feature, Road) else ()
            points = many(line or [survey.grid.centre(cell) for cell in survey.model.labels.cells(feature.path)])
            return shapely.LineString(points) if len(points) > 1 else shapely.Point(points[0])
        case Link():
            return shapely.LineString(many(dots((feature.a, feature.b))))
        case Marker():
            points = many(dots((feature.at, *feature.also)))
            return shapely.MultiPoint(points) if len(points) > 1 else shapely.Point(points[0])
        case Dot():
            return shapely.Point(to_map(*feature.point))
        case Name() | Place() | Aperture():
            return shapely.Point(to_map(*feature.at))
