"""Sheets of a joint map in a picture: border, seams and titles; and what a scenario leaves out of play, greyed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.arguments import OptionError
from studio.draw.style import Style
from studio.draw.subject import Subject, map_points
from studio.grid import borders, seams
from studio.model import MapUse
from studio.survey import Survey, ground_in_play, locations_in_play

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_out_of_play", "draw_sheet_titles", "draw_sheets", "titles_shown", "top_of", "use_of"]

_TITLE = 0.28  # height of the letters of a title, in hexes
_LEAST_PX = 6  # letters smaller than this cannot be read


def draw_sheets(
    ax: Axes, subject: Subject, style: Style, hex_px: float, line_scale: float, *, titles: bool, clip: bool = False
) -> None:
    """Draw the border around the sheets of a joint map and the seams between them, with their titles (zorder 20)."""
    from matplotlib.collections import LineCollection

    grid = subject.grid
    rings = [map_points(grid, ring) for ring in borders(grid)]
    _cover_outside(ax, subject, style)
    width = max(0.8, style.lines.frame_width * line_scale)
    look: dict[str, Any] = {"colors": style.lines.frame_color, "joinstyle": "miter", "clip_on": clip}
    closed = [np.vstack([ring, ring[:1]]) for ring in rings]
    ax.add_collection(LineCollection(closed, linewidths=width, zorder=20, **look))
    pieces = [map_points(grid, piece) for piece in seams(grid)]
    if pieces:
        look |= {"linewidths": max(0.6, width / 3), "linestyles": [(0, (4, 3))]}
        ax.add_collection(LineCollection(pieces, zorder=19.5, **look))
    if titles:
        draw_sheet_titles(ax, subject, style, hex_px, line_scale)


def draw_sheet_titles(ax: Axes, subject: Subject, style: Style, hex_px: float, line_scale: float) -> None:
    """Write the titles of the sheets of a joint map, where they can be read (zorder 20.5)."""
    if titles_shown(subject, hex_px):
        _write_titles(ax, subject, style, line_scale)


def titles_shown(subject: Subject, hex_px: float) -> bool:
    """Tell whether the titles of sheets can be read where hexes are so many pixels high."""
    grid = subject.grid
    return grid.joint is not None and len(grid.parts) > 1 and _TITLE * hex_px >= _LEAST_PX


def top_of(grid: Any, cell: int, top: float) -> float:
    """Return where a hex begins at the top of the map, in map units: `top`, or the edge of its sheet through it."""
    if grid.joint is None or int(grid.joint.quarters[cell]) & 3:
        return top
    return float(grid.to_map(*grid.centre(cell))[1])


def _cover_outside(ax: Axes, subject: Subject, style: Style) -> None:
    """Hide what reaches beyond the playing areas of the sheets: the other halves of half hexes."""
    import shapely
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    grid = subject.grid
    x0, y0, x1, y1 = grid.frame
    inside = shapely.union_all([shapely.box(*frame) for frame in grid.joint.frames])
    outside = shapely.box(x0, y0, x1, y1).difference(inside)
    for shape in shapely.get_parts(outside):
        if shape.is_empty or shape.geom_type != "Polygon":
            continue
        rings = [map_points(grid, shapely.get_coordinates(ring)) for ring in (shape.exterior, *shape.interiors)]
        path = Path.make_compound_path(*(Path(ring, closed=True) for ring in rings))
        patch = PathPatch(path, facecolor=style.lines.margin_color, edgecolor="none", zorder=10.2)
        ax.add_patch(patch)


def _write_titles(ax: Axes, subject: Subject, style: Style, line_scale: float) -> None:
    """Write the title of each sheet, with its prefix, small at the lower left of what is seen of its playing area."""
    from matplotlib.patheffects import Normal, Stroke

    grid = subject.grid
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    seen = []
    for sheet, frame in zip(getattr(subject, "sheets", ()), grid.joint.frames, strict=False):
        (x0, y0), (x1, y1) = grid.to_map(*frame[:2]), grid.to_map(*frame[2:])
        if max(x0, left) < min(x1, right) and max(y0, top) < min(y1, bottom):
            seen.append((sheet, x0, y1))
    for sheet, west, south in seen:
        # In a part of one sheet without a prefix the title tells nothing, unless its corner is there anyway.
        if len(seen) == 1 and not sheet.prefix and (west < left or south > bottom):
            continue
        x, y = max(west, left), min(south, bottom)
        title = sheet.title or sheet.id
        size = _TITLE * 1000 * line_scale
        inset = _TITLE * grid.hex_height * 0.4
        ax.text(
            x + inset,
            y - inset,
            f"{title} ({sheet.prefix})" if sheet.prefix else title,
            fontsize=size,
            fontfamily=style.letters.name_fonts,
            fontstyle="italic",
            color=style.letters.ink,
            ha="left",
            va="bottom",
            parse_math=False,
            clip_on=True,
            zorder=20.5,
            path_effects=[Stroke(linewidth=max(1.2, size / 5), foreground=style.letters.halo), Normal()],
        )


# -- parts in play ---------------------------------------------------------------------------------------------------


def use_of(in_play: Any) -> MapUse:
    """Return the part of the map that is in play: of a `MapUse`, a scenario, or its document.

    Raises
    ------
    OptionError
        When it is nothing of the kind.
    """
    for found in (in_play, getattr(in_play, "map", None), getattr(getattr(in_play, "document", None), "map", None)):
        if isinstance(found, MapUse):
            return found
    msg = f"in_play: got a {type(in_play).__name__}; give a scenario, or its MapUse"
    raise OptionError(msg)


def draw_out_of_play(ax: Axes, survey: Survey, use: MapUse, *, hide: str = "") -> None:
    """Grey the hexes, zones and other areas that are not in play (zorder 18).

    Parameters
    ----------
    ax : matplotlib.axes.Axes
    survey : Survey
    use : MapUse
    hide : str
        Colour of a line around what is in play: the rest is left white (zorder 21), frame and names with it.
    """
    import shapely
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    grid, directory = survey.grid, survey.directory
    there = locations_in_play(survey, use)
    ground = ground_in_play(survey, use)
    cells = [cell for cell in np.flatnonzero(grid.present).tolist() if cell not in ground]
    scale = np.array([*grid.scale])
    covered = list(grid.outlines(cells)) if cells else []
    for one in directory.others:
        if one.kind == "area":
            shape = shapely.transform(survey.polygon(one.feature), lambda points: points * scale)
            if one.number in there:
                covered = [part.difference(shape) if part.intersects(shape) else part for part in covered]
            else:
                covered.append(shape)
    for part in shapely.get_parts(shapely.union_all(covered)) if covered else ():
        if part.geom_type != "Polygon":
            continue
        rings = [Path(shapely.get_coordinates(ring), closed=True) for ring in (part.exterior, *part.interiors)]
        look: dict[str, Any] = {"facecolor": "#8f8a80", "edgecolor": "none", "alpha": 0.62, "zorder": 18}
        if hide:
            look = {"facecolor": "#ffffff", "edgecolor": hide, "linewidth": 1.2, "zorder": 21}
        ax.add_patch(PathPatch(Path.make_compound_path(*rings), **look))
