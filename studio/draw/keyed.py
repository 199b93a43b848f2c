"""A picture of an answer: the map with a key below it, or in axes of somebody's own, which get no key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from studio.draw.picture import Picture
from studio.draw.sites import Sites
from studio.draw.style import Style
from studio.draw.washes import Entry, draw_key, key_room

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["begin_keyed", "finish_keyed"]


def begin_keyed(
    sites: Sites,
    look: Style,
    title: str,
    entries: Sequence[Entry],
    *,
    ax: Axes | None,
    hex_px: float | None,
    extent: tuple[float, float, float, float] | None = None,
    labels: bool = True,
) -> Picture:
    """Return a picture with the map on it, and with room for the key unless it is drawn in given axes.

    Parameters
    ----------
    sites : Sites
        The locations of the map.
    look : Style
    title : str
    entries : sequence of Entry
        The samples of the key.
    ax : matplotlib.axes.Axes or None
        Draw here, without a key; a figure of its own otherwise.
    hex_px : float or None
        Height of a hex in pixels.
    extent : (x0, y0, x1, y1), optional
        Part of the map in map units; all of it otherwise.
    labels : bool
        Hex numbers and place names.

    Raises
    ------
    PictureError
        When a hex or the picture cannot be of such a size.
    """
    picture = Picture(
        sites.subject,
        look,
        ax=ax,
        hex_px=hex_px,
        extent=extent,
        panels=(0, 0 if ax is not None else lambda wide: key_room(wide, title, entries)),
        sites=sites,
    )
    picture.ground(labels=labels)
    return picture


def finish_keyed(picture: Picture, title: str, entries: Sequence[Entry], ax: Axes | None) -> Axes:
    """Write the key, unless the picture is in given axes, and return the axes of the map."""
    if ax is None:
        draw_key(picture, title, entries)
    return picture.ax
