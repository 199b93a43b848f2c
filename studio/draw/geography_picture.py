"""Maps made of geography: the map beside its data, how sure each hex is, and where control points came to lie."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.geography_data import DataLayer, DataPlace, GeographyData
from studio.draw.geography_fit import draw_fit, write_beside
from studio.draw.geography_world import WATER, WORLD_INKS, height_color, paint_world
from studio.draw.keyed import begin_keyed, finish_keyed
from studio.draw.options import called
from studio.draw.picture import Picture, PictureError, style_of
from studio.draw.regions import Regions
from studio.draw.room import Taken
from studio.draw.sites import sites_of
from studio.draw.style import Style, mix
from studio.draw.washes import DARK, Entry, draw_key, fill, key_room

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "DataLayer",
    "DataPlace",
    "GeographyData",
    "confidence_color",
    "draw_beside",
    "draw_confidence",
    "draw_fit",
]

_PANEL_PX, _GAP, _HEAD = 760, 18, 30
_WIDE = 1.7  # a map so much wider than high gets its data above it
_CREDIT_PX, _CREDIT_LETTER, _HEAD_LETTER = 17, 5.6, 8.9
_CLASSES = 10
_WASH, _PALE = 0.8, 0.55
_SURE = ("#221f67", "#463875", "#625282", "#7b6a8e", "#928299", "#aa9ba4", "#c1b5af", "#dcd3bb", "#fbf5c9")
"""From unsure to sure: a straight line through CIELAB, in steps that look even to every colour vision."""
_RING = "#D55E00"


def confidence_color(share: float) -> str:
    """Return the colour of a confidence from 0, dark, to 1, light."""
    at = min(max(share, 0.0), 1.0) * (len(_SURE) - 1)
    low = min(int(at), len(_SURE) - 2)
    return mix(_SURE[low], _SURE[low + 1], round((at - low) * 1000))


# -- the map beside its data -------------------------------------------------------------------------------------------


@called("plot")
def draw_beside(
    map: Any, data: GeographyData, *, hex_px: float | None = None, labels: bool = True, style: Style | str | None = None
) -> Axes:
    """Draw the data that a map was made of with its grid over them, and beside them, in the same frame, the map.

    A map much wider than high has its data above it. Where a rubber sheet laid the grid on the world, the data keep
    their shape and the grid is bent.

    Parameters
    ----------
    map : studio.Map
    data : GeographyData
    hex_px : float, optional
        Height of a hex in pixels; fitted to panels of about 760 pixels otherwise.
    labels : bool
        Hex numbers and place names on the map.
    style : Style or str, optional

    Returns
    -------
    matplotlib.axes.Axes
        Those of the map; the data are in the first of ``axes.figure.axes`` besides it. Its label says in words what
        the picture shows.

    Raises
    ------
    StyleError
        When the ruleset has no style.
    PictureError
        When the picture would be too large.
    """
    sites, look = sites_of(map), style_of(map, style)
    grid = sites.grid
    x0, y0, x1, y1 = grid.frame
    across, down = np.subtract(grid.to_map(x1, y1), grid.to_map(x0, y0)) / grid.hex_height
    px = hex_px if hex_px is not None else min(72.0, max(2.0, _PANEL_PX / max(across, down)))
    above = bool(across > _WIDE * down)
    right = 0.0 if above else across * px + _GAP
    nudged = _nudged(grid, data)
    entries = _world_entries(data, look, nudged)
    title = "From the data to the map"

    def below(wide: float) -> float:
        room = key_room(wide, title, entries) + _CREDIT_PX * len(_credit_lines(wide, data))
        return room + _HEAD + (down * px + _HEAD if above else 0.0)

    picture = Picture(sites.subject, look, hex_px=px, panels=(right, below), sites=sites)
    wide, high = across * px, down * px
    margin, top = picture.margin, picture.margin + _HEAD
    world = picture.panel(margin, top, wide, high)
    at = (margin, top + high + _HEAD) if above else (margin + wide + _GAP, top)
    full = picture.size
    picture.ax.set_position((at[0] / full[0], 1 - (at[1] + high) / full[1], wide / full[0], high / full[1]))
    picture.ground(labels=labels)
    world.set_xlim(picture.extent[0], picture.extent[2])
    world.set_ylim(picture.extent[3], picture.extent[1])
    world.set_aspect("equal")
    world.set_xticks([])
    world.set_yticks([])
    world.autoscale(False)
    span = paint_world(world, sites.subject, look, data, picture.hex_px)
    head = "The data, and the grid as it lies on them"
    _head(picture, head if _HEAD_LETTER * len(head) < wide else "The data", margin, top)
    _head(picture, "The map", *at)
    _credits(picture, data, key_room(full[0], title, entries))
    draw_key(picture, title, _with_span(entries, span))
    picture.ax.set_label(_beside_words(picture, data, span))
    return picture.ax


def _head(picture: Picture, text: str, x: float, y: float) -> None:
    wide, high = picture.size
    ink = picture.style.letters.name_ink
    picture.figure.text(
        x / wide, 1 - (y - 8) / high, text, fontsize=10, fontweight="bold", color=ink, va="bottom", parse_math=False
    )


def _nudged(grid: Any, data: GeographyData) -> int:
    """Return how many places were given another hex than the one that they lie in."""
    points = np.array([place.point for place in data.places], dtype=float).reshape(-1, 2)
    return int((grid.cells_at(points) != [place.cell for place in data.places]).sum()) if len(points) else 0


def _world_entries(data: GeographyData, look: Style, nudged: int) -> list[Entry]:
    """Return the samples of what the panel of the data shows."""
    entries = []
    if data.heights is not None:
        entries.append(Entry("heights, 0 to 0000 m", height_color(1.0), scale=True, shade=height_color))
    if data.of("land") or data.of("lake"):
        entries.append(Entry("water", WATER))
    terrains = dict.fromkeys([*data.cover_terrains, *(layer.terrain for layer in data.of("cover"))])
    entries += [Entry(look.look(name).title.lower(), look.tint(name)) for name in terrains]
    for role in ("area", "building", "river", "line", "road", "country"):
        layers = data.of(role)
        for title in dict.fromkeys(layer.title for layer in layers):
            if role in ("area", "building"):
                entries.append(Entry(title, WORLD_INKS[role], 0.75 if role == "building" else 0.3))
            else:
                entries.append(Entry(title, WORLD_INKS[role], stroke="--" if role in ("country", "line") else "-"))
    if data.places:
        entries.append(Entry("place", DARK, mark="o"))
    if nudged:
        entries.append(Entry("place that was given another hex", "#ffffff", mark="o"))
    return entries


def _with_span(entries: Sequence[Entry], span: tuple[float, float] | None) -> list[Entry]:
    found = [one for one in entries if not one.scale or span is not None]
    for one in found:
        if one.scale and span is not None:
            one.word = f"heights, {span[0]:.0f} to {span[1]:.0f} m"
    return found


def _credit_lines(wide: float, data: GeographyData) -> list[str]:
    import textwrap

    text = "Data: " + "; ".join(data.credits) + "."
    return textwrap.wrap(text, max(20, int((wide - 52) / _CREDIT_LETTER))) if data.credits else []


def _credits(picture: Picture, data: GeographyData, key: float) -> None:
    wide, high = picture.size
    lines = _credit_lines(wide, data)
    for n, line in enumerate(lines):
        y = high - key - _CREDIT_PX * (len(lines) - n) + 4
        picture.figure.text(
            26 / wide, 1 - y / high, line, fontsize=7.5, color=picture.style.letters.name_ink, va="center",
            alpha=0.85, parse_math=False,
        )  # fmt: skip


def _beside_words(picture: Picture, data: GeographyData, span: tuple[float, float] | None) -> str:
    """Return what the picture shows, for those who cannot see it."""
    grid = picture.subject.grid
    shown = list(dict.fromkeys(layer.title for layer in data.layers))
    if span is not None:
        shown.insert(0, f"heights from {span[0]:.0f} to {span[1]:.0f} m")
    bent = "bent by the rubber sheet" if data.frame is not None else "straight"
    places = f"; {len(data.places)} places, {_nudged(grid, data)} of them given another hex" if data.places else ""
    return (
        f"Two panels in one frame. The data: {', '.join(shown) or 'none'}{places}, with the grid over them, {bent}. "
        f"The map made of them: {int(grid.present.sum())} hexes."
    )


# -- confidence --------------------------------------------------------------------------------------------------------


@called("plot_confidence")
def draw_confidence(
    map: Any,
    confidence: Any,
    *,
    worst: int = 12,
    ax: Axes | None = None,
    hex_px: float | None = None,
    style: Style | str | None = None,
) -> Axes:
    """Draw how sure the terrain of each hex is: light where the data leave no doubt, dark where they nearly tie.

    Parameters
    ----------
    map : studio.Map
    confidence : array of float, shape (cells,)
        From 0 to 1 by cell; NaN where nothing was judged.
    worst : int
        How many of the least sure hexes are ringed, with their per cents.
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
        When there is not one value a cell, from 0 to 1.
    """
    sites, look = sites_of(map), style_of(map, style)
    values, present = np.asarray(confidence, dtype=float).ravel(), sites.grid.present.ravel()
    known = values[np.isfinite(values)]
    if len(values) != len(present) or ((known < 0) | (known > 1)).any():
        message = f"confidence: got {len(values)} values, allowed {len(present)} from 0 to 1, one a cell"
        raise PictureError(f"{message}; give the confidence of an import of this map")
    judged = np.isfinite(values) & present
    low = _least(values, judged, worst)
    title = "How sure the terrain is"
    entries = [Entry("0 to 100 %", confidence_color(1.0), _WASH, scale=True, shade=confidence_color)]
    if low:
        entries.append(Entry(f"the least sure ({len(low)})", "#ffffff", line=True, ring=_RING))
    if (present & ~judged).any():
        entries.append(Entry("not judged", "#ffffff", _PALE))
    picture = begin_keyed(sites, look, title, entries, ax=ax, hex_px=hex_px)
    regions = Regions(sites)
    pale = regions.path(np.flatnonzero(present))
    fill(picture, pale, "#ffffff", _PALE)
    classes = np.minimum((np.where(judged, values, 0.0) * _CLASSES).astype(int), _CLASSES - 1)
    for number in range(_CLASSES):
        region = regions.path(np.flatnonzero(judged & (classes == number)))
        if region is not None:
            fill(picture, region, confidence_color((number + 0.5) / _CLASSES), _WASH)
    _ring(picture, low)
    label = sites.subject.labels.label
    words = [(sites.hex_dot(cell), f"{label(cell)}: {100 * values[cell]:.0f} %", False) for cell in low]
    write_beside(picture, Taken(), words)
    picture.ax.set_label(_confidence_words(picture, values, judged, low))
    return finish_keyed(picture, title, entries, ax)


def _least(values: NDArray[np.float64], judged: NDArray[np.bool_], count: int) -> list[int]:
    """Return the cells of which the terrain is least sure, the least first; none that is quite sure."""
    order = np.argsort(np.where(judged, values, np.inf), kind="stable")[: max(0, count)]
    return [int(cell) for cell in order if judged[cell] and values[cell] < 1]


def _ring(picture: Picture, cells: Sequence[int]) -> None:
    from matplotlib.collections import LineCollection

    grid = picture.subject.grid
    outlines = []
    for cell in cells:
        middle = np.asarray(grid.to_map(*grid.centre(cell)))
        corners = np.array([grid.to_map(*corner) for corner in grid.corners(cell)])
        outlines.append(np.vstack([corners, corners[:1]]) * 1.12 - 0.12 * middle)
    for color, width in (("#ffffff", 130), (_RING, 74)):
        wide = max(1.2 if color == _RING else 2.4, width * picture.line_scale)
        made = LineCollection(outlines, colors=color, linewidths=wide, joinstyle="round", zorder=9.7)
        picture.ax.add_collection(made, autolim=False)


def _confidence_words(picture: Picture, values: Any, judged: Any, low: Sequence[int]) -> str:
    label = picture.subject.labels.label
    sure, half = (int((judged & (values >= bound)).sum()) for bound in (0.9, 0.5))
    named = ", ".join(f"{label(cell)} ({100 * values[cell]:.0f} %)" for cell in low)
    return (
        f"How sure the terrain of each hex is: {int(judged.sum())} hexes were judged, {sure} of them at least 90 % "
        f"sure, {int(judged.sum()) - half} less than 50 %." + (f" The least sure: {named}." if named else "")
    )
