"""Dots of hexes under and beside areas that were laid: which hexes close, which dots move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.ground import set_plane, surveyed
from studio.exchange.geodata.options import LayerRule
from studio.model import Area, Dot

if TYPE_CHECKING:
    from studio.exchange.geodata.laying import Laying

__all__ = ["clear_dots", "cover", "reach_into"]


def cover(laying: Laying, terrain: str, ids: Sequence[str]) -> None:
    """Paint the hexes whose dots lie under areas, or on their outlines.

    Parameters
    ----------
    laying : Laying
    terrain : str
    ids : sequence of str
        Of the areas.
    """
    import shapely

    cells, dots = _dots(laying)
    met = shapely.STRtree(shapely.points(dots)).query(_polygons(laying, ids), predicate="intersects")[1]
    under = np.unique(cells[met])
    set_plane(laying.model, "terrain", {int(cell): terrain for cell in under})
    laying.say("decided", f"{len(under)} hexes have their dot under these areas and become {terrain}", hexes=len(under))


def reach_into(laying: Laying, rule: LayerRule, ids: Sequence[str]) -> None:
    """Paint all hexes that areas reach into, and give them the level of the highest area there.

    Parameters
    ----------
    laying : Laying
    rule : LayerRule
        With the terrain, ``reached``; levels change where it names a column of storeys.
    ids : sequence of str
        Of the areas.
    """
    levels: dict[int, int] = {}
    survey = surveyed(laying.model, laying.ruleset)
    for area_id in ids:
        area = laying.model.features[area_id]
        if isinstance(area, Area):
            for cell in survey.area_cells(area_id):
                levels[cell] = max(area.level, levels.get(cell, area.level))
    set_plane(laying.model, "terrain", dict.fromkeys(levels, rule.reached))
    if rule.storeys:
        set_plane(laying.model, "levels", levels)
    text = f"{len(levels)} hexes that these areas reach into become {rule.reached}"
    laying.say("decided", text, hexes=len(levels))


def clear_dots(laying: Laying, least: float, ids: Sequence[str]) -> None:
    """Move dots that lie hard by an area away from it, within their hexes, where there is room.

    Parameters
    ----------
    laying : Laying
    least : float
        Hexes that a dot is to lie off every outline.
    ids : sequence of str
        Of the areas.
    """
    import shapely

    grid, labels = laying.model.grid, laying.model.labels
    scale = np.array(grid.scale)
    cells, dots = _dots(laying)
    open_here = np.array([laying.survey.directory.exists(int(cell)) for cell in cells])
    polygons = shapely.transform(_polygons(laying, ids), lambda points: points * scale)
    if not len(polygons) or not open_here.any():
        return
    away = least * (grid.hex_height if grid.flat else grid.width)
    points = shapely.points(dots * scale)
    tree = shapely.STRtree(polygons)
    close = np.unique(tree.query(points, predicate="dwithin", distance=away)[0])
    known = {one.at: one.id for one in laying.model.features_of(Dot)}
    moved: list[str] = []
    crowded: list[str] = []
    for at in close[open_here[close]].tolist():
        near = polygons[np.sort(tree.query(points[at], predicate="dwithin", distance=2 * away))]
        if (shapely.distance(points[at], near) == 0).any():
            continue  # under a building: no location once it is painted
        cell, label = int(cells[at]), labels.label(int(cells[at]))
        found = _clear_point(dots[at] * scale, near, away)
        point = None if found is None else (round(found[0] / scale[0]), round(found[1] / scale[1]))
        if point is None or not shapely.Polygon(grid.corners(cell)).contains_properly(shapely.Point(point)):
            crowded.append(label)
            continue
        laying.put(Dot(id=known.get(label) or laying.new_id("dot"), at=label, point=point))
        moved.append(label)
    text = f"{len(moved)} dots are moved, so that they lie {least:g} hexes off these areas"
    if moved:
        laying.say("decided", text, tuple(moved), dots=len(moved))
    if crowded:
        text = f"{len(crowded)} hexes have too little room for a dot {least:g} hexes off these areas: it stays"
        laying.say("finding", text, tuple(crowded), dots=len(crowded))


def _clear_point(start: NDArray[np.float64], polygons: NDArray[Any], away: float) -> tuple[float, float] | None:
    """Return the nearest point that lies so far off polygons; None where there is none."""
    import shapely

    # A hair farther than asked, for the rounding to the lattice.
    outline = shapely.union_all(shapely.buffer(polygons, away * 1.02, quad_segs=8)).boundary
    if outline.is_empty:
        return None
    x, y = shapely.shortest_line(outline, shapely.Point(start)).coords[0]
    return float(x), float(y)


def _dots(laying: Laying) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return all hexes and their dots."""
    grid = laying.model.grid
    cells = np.flatnonzero(grid.present)
    dots = grid.centres[cells].astype(float)
    for cell, dot in sorted(laying.survey.directory.moved_dots.items()):
        dots[np.searchsorted(cells, cell)] = dot
    return cells, dots


def _polygons(laying: Laying, ids: Sequence[str]) -> NDArray[Any]:
    """Return the polygons of areas."""
    import shapely

    areas = [one for one in (laying.model.features[area_id] for area_id in ids) if isinstance(one, Area)]
    return np.array([shapely.Polygon(area.outline, area.holes) for area in areas], dtype=object)
