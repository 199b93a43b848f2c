"""Drawn areas as shapely polygons on the lattice, and the hexes that they cover."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from studio.grid import STEP, HexGrid
from studio.model import Area

if TYPE_CHECKING:
    from shapely import Polygon

    from studio.model import Point

__all__ = ["cells_inside", "inner_point", "is_sound", "polygon_of"]


def polygon_of(area: Area) -> Polygon:
    """Return the polygon of an area; one that crosses itself becomes the largest sound part of what it covers."""
    import shapely

    polygon = shapely.Polygon(area.outline, area.holes)
    if polygon.is_valid:
        return polygon
    parts = [part for part in shapely.get_parts(shapely.make_valid(polygon)) if part.geom_type == "Polygon"]
    return max(parts, key=lambda part: part.area, default=shapely.Polygon())


def is_sound(area: Area) -> bool:
    """Tell whether the outline of an area does not cross itself and its holes lie inside."""
    import shapely

    return bool(shapely.is_valid(shapely.Polygon(area.outline, area.holes)))


def cells_inside(grid: HexGrid, polygon: Polygon) -> list[int]:
    """Return the hexes whose inside the inside of a polygon meets, in order."""
    import shapely

    if polygon.is_empty:
        return []
    x0, y0, x1, y1 = polygon.bounds
    centres = grid.centres
    near = (centres[:, 0] > x0 - STEP) & (centres[:, 0] < x1 + STEP)
    near &= (centres[:, 1] > y0 - STEP) & (centres[:, 1] < y1 + STEP) & grid.present.ravel()
    cells = np.flatnonzero(near)
    corners = np.array(grid.corners(0)) - np.array(grid.centre(0))
    hexes = shapely.polygons(centres[cells][:, None, :] + corners[None])
    # "T********": the insides meet; a polygon that only shares a border with a hex is not in it.
    return cells[shapely.relate_pattern(hexes, polygon, "T********")].tolist()  # type: ignore[no-any-return]


def inner_point(polygon: Polygon) -> Point:
    """Return a lattice point well inside a polygon, or one of its corners where it holds none."""
    import shapely

    if polygon.is_empty:
        return (0, 0)
    for candidate in (polygon.centroid, polygon.representative_point()):
        point = (round(candidate.x), round(candidate.y))
        if polygon.contains(shapely.Point(point)):
            return point
    x, y = polygon.exterior.coords[0]
    return (round(x), round(y))
