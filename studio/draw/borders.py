"""Borders of areas in matplotlib, by the kinds that the game gives them: partitions, zone boundaries, dashed lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import stroke
from studio.draw.canvas import Canvas
from studio.draw.subject import areas_of, map_points

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_borders", "has_borders"]


def has_borders(sites: Sites, looks: Any) -> bool:
    """Tell whether the kinds of borders are known and have looks, so that areas need not guess at shared ones."""
    return bool(looks) and sites.ruleset is not None and bool(areas_of(sites.subject)) and not sites.plain


def draw_borders(canvas: Canvas, sites: Sites) -> None:
    """Draw the borders of areas whose kind has a look: over the outlines of rooms, below facades (zorder 5.687)."""
    import shapely

    looks = canvas.style.borders
    if not has_borders(sites, looks):
        return
    found: dict[str, list[Any]] = {}
    for side in sites.ruleset.borders(sites.survey):
        for stretch in side.stretches:
            # Hexsides have looks of their own.
            if stretch.kind in looks and (side.a_id or side.b_id):
                found.setdefault(stretch.kind, []).extend(stretch.segments)
    for kind, segments in found.items():
        lines = [map_points(sites.grid, segment) for segment in sorted(set(segments))]
        # One line from end to end, so that dashes do not begin anew at every corner.
        merged = shapely.line_merge(shapely.MultiLineString([np.round(line, 9) for line in lines]))
        look = looks[kind]
        joined = [shapely.get_coordinates(part) for part in shapely.get_parts(merged)]
        stroke(canvas, joined, look.color, look.width, look.dash, 5.687)
