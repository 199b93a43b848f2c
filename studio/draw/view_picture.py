"""What one location sees, as light and shade on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.picture import Picture, style_of
from studio.draw.regions import Regions
from studio.draw.sites import sites_of
from studio.draw.style import Style
from studio.draw.subject import map_points
from studio.draw.washes import DARK, Entry, border, diagonals, draw_key, fill, key_room, specks, star

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_field_of_view", "shade"]

_CLEAR, _HINDERED, _BLOCKED = 1, 2, 3


def draw_field_of_view(
    map: Any, view: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw a field of view: what is seen in the light, hindered dotted in amber, blocked dark and hatched.

    Hexes and drawn areas are shaded by their outlines; places without one carry a disc.

    Parameters
    ----------
    map : studio.Map
    view : FieldOfView
        What `Map.field_of_view` answered: its ``codes`` and where it looks from.
    ax : matplotlib.axes.Axes, optional
        Draw here, without the key below the map.
    hex_px : float, optional
        Height of a hex in pixels.
    style : Style or str, optional

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    StyleError
        When the ruleset has no style.
    """
    sites = sites_of(map, view)
    look, codes = style_of(map, style), np.asarray(view.codes).ravel()
    title, entries = f"Field of view of {view.start}", _entries(look, codes)
    picture = Picture(
        sites.subject,
        look,
        ax=ax,
        hex_px=hex_px,
        panels=(0, 0 if ax is not None else lambda wide: key_room(wide, title, entries)),
        sites=sites,
    )
    picture.ground()
    regions = Regions(sites)
    for code, paint in ((_BLOCKED, shade), (_HINDERED, _dim)):
        region = regions.path(np.flatnonzero(codes == code))
        if region is not None:
            paint(picture, region)
    _rim(picture, codes[: sites.grid.cells])
    _discs(picture, regions, codes)
    star(picture, sites.dot(view.start), look.verdicts["clear"].color)
    if ax is None:
        draw_key(picture, title, entries)
    return picture.ax


def _entries(style: Style, codes: Any) -> list[Entry]:
    """Return the samples of the key, with the numbers of locations."""
    found = {code: int((codes == code).sum()) for code in (_CLEAR, _HINDERED, _BLOCKED)}
    entries = [Entry(f"seen ({found[_CLEAR]})", style.ground)]
    if found[_HINDERED]:
        entries.append(Entry(f"hindered ({found[_HINDERED]})", style.verdicts["hindered"].color, 0.5, ".."))
    return [*entries, Entry(f"not seen ({found[_BLOCKED]})", style.blind, 0.6, "////")]


def shade(picture: Picture, region: Any) -> None:
    """Darken and hatch a region that is not seen."""
    fill(picture, region, picture.style.blind, 0.54)
    diagonals(picture, region, 0.24, "#000000", 0.5, max(0.5, 20 * picture.line_scale))


def _dim(picture: Picture, region: Any) -> None:
    fill(picture, region, picture.style.verdicts["hindered"].color, 0.3)
    specks(picture, region, "#7a5200", 0.75)


def _rim(picture: Picture, codes: Any) -> None:
    """Draw the border between the hexes that are seen and those that are not."""
    grid = picture.subject.grid
    table = grid.neighbour_table
    seen = np.flatnonzero((codes == _CLEAR) | (codes == _HINDERED))
    other = table[seen]
    edge = (other >= 0) & (codes[np.maximum(other, 0)] == _BLOCKED)
    shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
    corners = grid.centres[seen][:, None, :] + shape[None, :, :]
    ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)[edge]
    border(picture, list(map_points(grid, ends.reshape(-1, 2)).reshape(-1, 2, 2)))


def _discs(picture: Picture, regions: Regions, codes: Any) -> None:
    """Put a disc on places and roads: light where they are seen, half filled where hindered, dark where not."""
    style = picture.style
    looks = {
        _CLEAR: (style.verdicts["clear"].color, "full"),
        _HINDERED: (style.verdicts["hindered"].color, "left"),
        _BLOCKED: (style.blind, "full"),
    }
    size = max(5.0, 0.2 * picture.hex_px * 0.72)
    for number, at in regions.spots(np.flatnonzero(codes > 0)):
        color, part = looks[int(codes[number])]
        ax = picture.ax
        ax.plot(
            at[0],
            at[1],
            "o",
            ms=size,
            mfc=color,
            mfcalt="#ffffff",
            mec="#ffffff",
            mew=size * 0.16,
            fillstyle=part,
            zorder=29,
        )
        ax.plot(at[0], at[1], "o", ms=size * 1.2, mfc="none", mec=DARK, mew=0.8, zorder=29.1)
        if codes[number] == _BLOCKED:
            ax.plot(at[0], at[1], "x", ms=size * 0.5, mec="#ffffff", mew=size * 0.16, zorder=29.2)
