"""Where the control points of a printed grid came to lie, on the map; and names that stand beside hexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, PictureError, style_of
from studio.draw.regions import Regions
from studio.draw.room import Taken, around
from studio.draw.sites import sites_of
from studio.draw.style import Style
from studio.draw.washes import DARK, Entry, fill

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_fit", "write_beside"]

_INSIDE, _SHEET, _OUTSIDE = "#0072B2", "#E69F00", "#D55E00"


@called("plot_fit")
def draw_fit(
    map: Any,
    residuals: Sequence[Mapping[str, Any]],
    *,
    times: float = 1.0,
    ax: Axes | None = None,
    hex_px: float | None = None,
    style: Style | str | None = None,
) -> Axes:
    """Draw for each control point an arrow from where the affine puts it to its hex, with how far off it is in hexes.

    Parameters
    ----------
    map : studio.Map
    residuals : sequence of mappings
        One a control point, as in the report of an import: ``name``, ``at``, ``dx``, ``dy``, ``off``, ``sheet_off``,
        ``inside``.
    times : float
        Arrows so many times as long as they are, where they are too short to see.
    ax : matplotlib.axes.Axes, optional
        Draw here, without the key below the map.
    hex_px : float, optional
        Height of a hex in pixels.
    style : Style or str, optional

    Returns
    -------
    matplotlib.axes.Axes
        Its label says in words what the picture shows.

    Raises
    ------
    StyleError
        When the ruleset has no style.
    PictureError
        When there are no control points.
    """
    if not len(residuals):
        raise PictureError("residuals: got none, allowed one a control point; only a grid with [fit] has them")
    sites, look = sites_of(map), style_of(map, style)
    points = [_Point(sites, one, times) for one in residuals]
    offs = np.array([one.off for one in points])
    rms = float(np.sqrt((offs**2).mean()))
    longer = f", arrows {times:g} times as long" if times != 1 else ""
    title = f"{len(points)} control points: {rms:.2f} hexes rms, {offs.max():.2f} at most{longer}"
    entries = _fit_entries(points)
    picture = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px, labels=False)
    whole = Regions(sites).path(np.flatnonzero(sites.grid.present.ravel()))
    fill(picture, whole, "#ffffff", 0.5)
    for one in points:
        _arrow(picture, one)
    _point_names(picture, points)
    picture.ax.set_label(_fit_words(points, rms))
    return finish_keyed(picture, title, entries, ax)


class _Point:
    """A control point on the picture."""

    def __init__(self, sites: Any, residual: Mapping[str, Any], times: float) -> None:
        self.name, self.at = str(residual["name"]), str(residual["at"])
        self.off, self.inside = float(residual["off"]), bool(residual.get("inside", True))
        self.sheet = residual.get("sheet_off")
        self.cell = sites.subject.labels.cell(self.at)
        self.middle = np.asarray(sites.grid.to_map(*sites.grid.centre(self.cell)), dtype=float)
        shift = np.array([float(residual["dx"]), float(residual["dy"])])
        step = sites.grid.hex_height if sites.grid.flat else sites.grid.width
        self.start = self.middle + shift * step * times
        there = (self.middle + shift * step) / np.asarray(sites.grid.scale)
        self.by_affine = int(sites.grid.cells_at(there[None, :])[0]) == self.cell

    @property
    def state(self) -> int:
        """0 where the affine alone puts the point into its hex, 1 where the rubber sheet does, 2 where neither does."""
        return 0 if self.by_affine else 1 if self.inside else 2


_STATES = (
    ("the affine puts it into its hex", _INSIDE, "o"),
    ("the rubber sheet does", _SHEET, "D"),
    ("it lies outside its hex", _OUTSIDE, "X"),
)


def _fit_entries(points: Sequence[_Point]) -> list[Entry]:
    found = []
    for number, (word, color, mark) in enumerate(_STATES):
        count = sum(one.state == number for one in points)
        if count:
            found.append(Entry(f"{word} ({count})", color, mark=mark))
    return found


def _arrow(picture: Picture, point: _Point) -> None:
    from matplotlib.collections import PolyCollection
    from matplotlib.patheffects import Normal, Stroke

    _, color, mark = _STATES[point.state]
    grid, ax = picture.subject.grid, picture.ax
    outline = np.array([grid.to_map(*corner) for corner in grid.corners(point.cell)])
    wide = max(1.2, 50 * picture.line_scale)
    made = PolyCollection([outline], facecolors=[(1, 1, 1, 0.75)], edgecolors=color, linewidths=wide, zorder=9.5)
    ax.add_collection(made, autolim=False)
    arrow = ax.annotate(
        "", xy=tuple(point.middle), xytext=tuple(point.start), zorder=30, annotation_clip=False,
        arrowprops={"arrowstyle": "-|>", "color": color, "lw": wide, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 9},
    )  # fmt: skip
    assert arrow.arrow_patch is not None
    arrow.arrow_patch.set_path_effects([Stroke(linewidth=wide + 1.6, foreground="#ffffff"), Normal()])
    size = min(9.0, max(5.0, 0.2 * picture.hex_px)) * (1.3 if point.state else 1.0)
    ax.plot(*point.start, mark, ms=size, mfc=color, mec="#ffffff", mew=0.8, zorder=31)


def _point_names(picture: Picture, points: Sequence[_Point]) -> None:
    """Write names and residuals, those of points outside their hexes in any case."""
    taken = Taken()
    for one in points:
        taken.add_line(one.start, one.middle, 8 * picture.subject.grid.hex_height / picture.hex_px)
    order = sorted(points, key=lambda each: (-each.state, -each.off, each.name))
    write_beside(picture, taken, [(one.middle, f"{one.name} {one.off:.2f}", one.state > 0) for one in order])


def write_beside(picture: Picture, taken: Taken, words: Sequence[tuple[Any, str, bool]]) -> None:
    """Write texts beside hexes where they hide neither those nor each other, or in any case where that is said."""
    from matplotlib.patheffects import Normal, Stroke

    unit = picture.subject.grid.hex_height / picture.hex_px
    for middle, _, _ in words:
        taken.add(middle, 0.8 * picture.hex_px * unit, 0.8 * picture.hex_px * unit)
    gap = 0.62 * picture.hex_px * unit + 2 * unit
    for middle, text, needed in words:
        wide, high = 6.0 * len(text) * unit, 12 * unit
        spots = [spot for spot in around(middle, (gap, gap), wide, high) if _within(spot, wide, high, picture.extent)]
        if not spots:
            continue
        over = taken.overlap(spots, wide, high)
        if over.min() > 0.25 * wide * high and not needed:
            continue
        x, y = spots[int(np.argmin(over))].tolist()
        taken.add((x, y), wide, high)
        written = picture.ax.text(
            x, y, text, fontsize=7.5, color=DARK, ha="center", va="center", zorder=32, parse_math=False
        )
        written.set_path_effects([Stroke(linewidth=2.4, foreground="#ffffff"), Normal()])


def _within(at: Any, wide: float, high: float, frame: tuple[float, float, float, float]) -> bool:
    x0, y0, x1, y1 = frame
    return bool(x0 <= at[0] - wide / 2 and at[0] + wide / 2 <= x1 and y0 <= at[1] - high / 2 and at[1] + high / 2 <= y1)


def _fit_words(points: Sequence[_Point], rms: float) -> str:
    worst = max(points, key=lambda one: one.off)
    states = "; ".join(filter(None, (_state_words(points, number) for number in range(len(_STATES)))))
    return (
        f"{len(points)} control points, {rms:.2f} hexes rms by the affine; the farthest off is {worst.name} at "
        f"{worst.at}, {worst.off:.2f} hexes. {states[0].upper()}{states[1:]}."
    )


def _state_words(points: Sequence[_Point], number: int) -> str:
    count = sum(one.state == number for one in points)
    where = ("in {} by the affine", "in {} by the rubber sheet", "outside of {}")[number]
    if not count:
        return ""
    many = "all " if count == len(points) > 1 else ""
    return f"{many}{count} {'lies' if count == 1 else 'lie'} {where.format('its hex' if count == 1 else 'their hexes')}"
