"""Pictures of whole maps: as a published wargame would print them, and small ones for previews."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.legend import LEGEND_PX, draw_legend
from studio.draw.picture import Picture, save_picture, style_of, subject_of
from studio.draw.style import Style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_map", "preview_png"]


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
    axes = draw_map(map, hex_px=max(2.0, size / max(wide, high)))
    buffer = io.BytesIO()
    save_picture(axes, buffer, kind=".png")
    return buffer.getvalue()


def draw_map(
    map: Any,
    *,
    ax: Axes | None = None,
    hex_px: float | None = None,
    labels: bool = True,
    legend: bool = False,
    style: Style | str | None = None,
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
        A look, or the id of one; that of the map's ruleset otherwise.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style, or the style no look for a terrain of the map.
    PictureError
        When the picture would be too large.
    """
    picture = Picture(
        subject_of(map),
        style_of(map, style),
        ax=ax,
        hex_px=hex_px,
        panels=(LEGEND_PX if legend and ax is None else 0, 0),
    )
    picture.ground(labels=labels)
    if legend and ax is None:
        draw_legend(picture)
    return picture.ax
