"""Pictures of whole maps: as a published wargame would print them, and small ones for previews."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.backdrop import scan_of
from studio.draw.legend import LEGEND_PX, draw_legend
from studio.draw.options import called
from studio.draw.picture import Picture, save_picture, style_of, subject_of
from studio.draw.sheets import draw_out_of_play, use_of
from studio.draw.sites import sites_of
from studio.draw.style import Style
from studio.draw.window import part_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_map", "preview_png"]

_LEAST_PX = 2.0  # height of a hex in pixels from which a preview is drawn like any map


def preview_png(map: Any, *, size: int = 800) -> bytes:
    """Return a small picture of a map as PNG bytes, the same for the same map.

    Parameters
    ----------
    map : studio.Map or its model
    size : int
        Longer side in pixels, about.
    """
    subject = subject_of(map)
    x0, y0, x1, y1 = subject.grid.frame
    wide, high = np.subtract(subject.grid.to_map(x1, y1), subject.grid.to_map(x0, y0)) / subject.grid.hex_height
    buffer = io.BytesIO()
    if size / max(wide, high) < _LEAST_PX:
        _raster(map, size, buffer)
        return buffer.getvalue()
    axes = draw_map(map, hex_px=size / max(wide, high))
    save_picture(axes, buffer, kind=".png", credits=())
    return buffer.getvalue()


def _raster(map: Any, size: int, buffer: io.BytesIO) -> None:
    """Write the tints of a map whose hexes are too small to draw, one look-up a pixel."""
    from matplotlib.colors import to_rgb
    from matplotlib.image import imsave

    subject, style = subject_of(map), style_of(map, None)
    grid = subject.grid
    x0, y0, x1, y1 = grid.frame
    sx, sy = grid.scale
    step = max((x1 - x0) * sx, (y1 - y0) * sy) / size
    xs = np.arange(x0 + step / sx / 2, x1, step / sx)
    ys = np.arange(y0 + step / sy / 2, y1, step / sy)
    points = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    cells = grid.cells_at(points)
    terrain, levels = subject.terrain.ravel()[cells], subject.levels.ravel()[cells]
    pixels = np.zeros((len(cells), 3))
    for code in np.unique(terrain).tolist():
        for level in np.unique(levels[terrain == code]).tolist():
            pixels[(terrain == code) & (levels == level)] = to_rgb(style.tint(subject.terrain_ids[code], level))
    pixels[cells < 0] = to_rgb(style.lines.margin_color)
    imsave(buffer, pixels.reshape(len(ys), len(xs), 3), format="png", metadata={"Software": None})  # type: ignore[dict-item]


@called("plot")
def draw_map(
    map: Any,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    labels: bool = True,
    legend: bool = False,
    style: Style | str | None = None,
    extent: tuple[float, float, float, float] | None = None,
    around: str | Sequence[str] | None = None,
    margin: float = 3.0,
    arcs: bool | str | Sequence[str] = False,
    in_play: Any = None,
    backdrop: bool = False,
) -> Axes:
    """Draw a map as a published wargame would print it.

    Parameters
    ----------
    map : studio.Map
        The map; anything with its grid, labels, terrain, levels, sides and features.
    ax : matplotlib.axes.Axes, optional
        Draw here. Without it the map gets a figure of its own, which `pyplot` knows nothing of: ``ax.figure``.
    hex_px : float, optional
        Height of a hex in pixels, 100 to the inch. Fitted to about 1500 pixels otherwise.
    labels : bool
        Hex numbers and place names.
    legend : bool
        Samples of the terrains and lines that the map holds, to the right of it (needs a figure of its own).
    style : Style or str, optional
        A look, the id of one, or a designer's TOML file over that of the map's game; that of the game otherwise.
    extent : (x0, y0, x1, y1), optional
        A part of the map in map units, y down, in which a hex is ``grid.hex_height`` high.
    around : str or sequence of str, optional
        The part around locations or features instead, by their labels, ids or names.
    margin : float
        How far `around` reaches beyond them, in hexes.
    arcs : bool, str or sequence of str
        Shade the arcs of fire of the openings with these ids or of the locations with these labels, or with True of
        all as far as a few hexes.
    in_play : MapUse or Scenario, optional
        Grey what of the map is not in play.
    backdrop : bool
        The scan of the map, by its control points: over the ground, or under it in place of its tints, as it is set.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UnknownNameError
        When the map has nothing with such a label, or no opening with such an id.
    StyleError
        When the ruleset has no style, or the style no look for a terrain of the map.
    PictureError
        When the picture would be too large, or the part is none.
    PictureFileError
        When the map has no scan, or its picture cannot be read.
    """
    sites = sites_of(map)
    picture = Picture(
        subject_of(map),
        style_of(map, style),
        ax=ax,
        hex_px=hex_px,
        extent=part_of(sites, extent, around, margin),
        panels=(LEGEND_PX if legend and ax is None else 0, 0),
        sites=sites,
    )
    picture.ground(labels=labels, arcs=arcs, scan=scan_of(map) if backdrop else None)
    if in_play is not None:
        draw_out_of_play(picture.ax, sites.survey, use_of(in_play))
    if legend and ax is None:
        draw_legend(picture)
    return picture.ax
