"""What one hex sees, as light and shade on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.picture import Picture, style_of, subject_of
from studio.draw.style import Style
from studio.draw.subject import map_points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_field_of_view"]

_CLEAR, _HINDERED, _BLOCKED = 1, 2, 3
_KEY_PX = 46


def draw_field_of_view(
    map: Any, view: Any, *, ax: Axes | None = None, hex_px: float | None = None, style: Style | str | None = None
) -> Axes:
    """Draw a field of view: seen hexes in the light, hindered ones dotted in amber, blocked ones dark and hatched.

    Parameters
    ----------
    map : studio.Map
    view : FieldOfView
        What `Map.field_of_view` answered: its ``plane`` and where it looks from.
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
    subject, look = subject_of(map), style_of(map, style)
    picture = Picture(subject, look, ax=ax, hex_px=hex_px, panels=(0, 0 if ax is not None else _KEY_PX))
    picture.ground()
    plane = np.asarray(view.plane).ravel()
    for code, paint in ((_BLOCKED, _shade), (_HINDERED, _dim)):
        cells = np.flatnonzero(plane == code)
        if len(cells):
            paint(picture, _region(subject, cells))
    _rim(picture, plane)
    _origin(picture, int(view.cell if hasattr(view, "cell") else subject.labels.cell(view.start)))
    if ax is None:
        _key(picture, plane, str(getattr(view, "start", "")))
    return picture.ax


def _region(subject: Any, cells: Any) -> Any:
    from matplotlib.path import Path

    grid = subject.grid
    shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
    corners = grid.centres[cells][:, None, :] + np.vstack([shape, shape[:1]])[None, :, :]
    points = map_points(grid, corners.reshape(-1, 2))
    return Path(points, np.tile([1, 2, 2, 2, 2, 2, 79], len(cells)).astype(np.uint8))


def _diagonals(picture: Picture, region: Any, gap: float, color: str, alpha: float, width: float) -> None:
    """Hatch a region with lines `gap` hex heights apart, unbroken from hex to hex."""
    from matplotlib.collections import LineCollection

    x0, y0, x1, y1 = picture.extent
    step, high = gap * picture.subject.grid.hex_height, y1 - y0
    lines = []
    for x in np.arange(x0 - high, x1, step):
        # Cut to the map's panel here: the clip path of the region takes the place of the panel's.
        first, last = max(0.0, x0 - x), min(high, x1 - x)
        lines.append([(x + first, y1 - first), (x + last, y1 - last)])
    hatch = LineCollection(lines, colors=color, linewidths=width, alpha=alpha, zorder=9.4)
    hatch.set_clip_path(region, transform=picture.ax.transData)
    picture.ax.add_collection(hatch)


def _fill(picture: Picture, region: Any, color: str, alpha: float) -> None:
    from matplotlib.patches import PathPatch

    picture.ax.add_patch(PathPatch(region, facecolor=color, edgecolor="none", alpha=alpha, zorder=9.3))


def _shade(picture: Picture, region: Any) -> None:
    _fill(picture, region, picture.style.blind, 0.54)
    _diagonals(picture, region, 0.24, "#000000", 0.5, max(0.5, 20 * picture.line_scale))


def _dim(picture: Picture, region: Any) -> None:
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    amber = picture.style.verdicts["hindered"].color
    _fill(picture, region, amber, 0.3)
    x0, y0, x1, y1 = picture.extent
    unit = picture.subject.grid.hex_height
    xs, ys = np.meshgrid(np.arange(x0, x1, 0.22 * unit), np.arange(y0, y1, 0.22 * unit))
    dot = Path.circle(radius=0.032 * unit)
    dots = [
        Path(np.asarray(dot.vertices) + np.array([x, y]), dot.codes)
        for x, y in zip(xs.ravel(), ys.ravel(), strict=True)
    ]
    spots = PathCollection(dots, facecolors="#7a5200", edgecolors="none", alpha=0.75, zorder=9.4)
    spots.set_clip_path(region, transform=picture.ax.transData)
    picture.ax.add_collection(spots)


def _rim(picture: Picture, plane: Any) -> None:
    """Draw the border between what is seen and what is not."""
    from matplotlib.collections import LineCollection

    grid = picture.subject.grid
    table = grid.neighbour_table
    seen = np.flatnonzero((plane == _CLEAR) | (plane == _HINDERED))
    other = table[seen]
    border = (other >= 0) & (plane[np.maximum(other, 0)] == _BLOCKED)
    shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
    corners = grid.centres[seen][:, None, :] + shape[None, :, :]
    ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)[border]
    if len(ends):
        lines = list(map_points(grid, ends.reshape(-1, 2)).reshape(-1, 2, 2))
        for color, width in (("#ffffff", 70), ("#1d1a17", 30)):
            wide = max(0.6, width * picture.line_scale)
            picture.ax.add_collection(
                LineCollection(lines, colors=color, linewidths=wide, capstyle="round", zorder=9.6)
            )


def _origin(picture: Picture, cell: int) -> None:
    grid, px = picture.subject.grid, picture.hex_px * 0.72
    at = grid.to_map(*grid.centre(cell))
    color = picture.style.verdicts["clear"].color
    picture.ax.plot(
        *at, "o", ms=max(9, 0.52 * px), mfc="#ffffff", mec="#1d1a17", mew=max(1, 40 * picture.line_scale), zorder=30
    )
    picture.ax.plot(*at, "*", ms=max(7, 0.42 * px), mfc=color, mec="#1d1a17", mew=0.6, zorder=31)


def _key(picture: Picture, plane: Any, start: str) -> None:
    """Write below the map what the signs mean, with the numbers of hexes."""
    from matplotlib.patches import Rectangle

    wide, high = picture.size
    panel = picture.panel(0, high - _KEY_PX - 2, wide, _KEY_PX)
    panel.set_xlim(0, wide)
    panel.set_ylim(_KEY_PX, 0)
    panel.axis("off")
    style, ink = picture.style, picture.style.letters.name_ink
    panel.text(
        picture.margin,
        20,
        f"Field of view of {start}",
        fontsize=10,
        fontweight="bold",
        color=ink,
        va="center",
        parse_math=False,
    )
    x = picture.margin + 190.0
    entries = (
        (_CLEAR, "seen", style.ground, None, 1.0),
        (_HINDERED, "hindered", style.verdicts["hindered"].color, "..", 0.5),
        (_BLOCKED, "not seen", style.blind, "////", 0.6),
    )
    for code, word, color, hatch, alpha in entries:
        count = int((plane == code).sum())
        if code == _HINDERED and not count:
            continue
        panel.add_patch(Rectangle((x, 9), 30, 22, fc=color, ec="#1d1a17", lw=0.8, hatch=hatch, alpha=alpha))
        panel.text(x + 38, 20, f"{word} ({count})", fontsize=9, color=ink, va="center")
        x += 150
