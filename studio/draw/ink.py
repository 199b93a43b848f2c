"""Ink for the editor's canvas: what the painters of pictures draw, as display lists, so that all look alike.

A picture is drawn on axes that nobody looks at and never becomes pixels; `studio.draw.displaylist` reads it off them.

Examples
--------
>>> import studio
>>> from studio.draw.ink import ink_of_map
>>> town = studio.new_map("urban_operations", columns=6, rows=5)
>>> _ = town.add("wall", type="outer_wall", line=[(480, 480), (960, 480)])
>>> sorted({group.layer for group in ink_of_map(town).groups})
['border', 'sign']
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.displaylist import DisplayList, Scale, convert
from studio.draw.recording import marked, note_of, noted, recorded

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.draw.picture import Picture

__all__ = ["ink_of_answer", "ink_of_map"]

_MAP_PX = 100.0  # height of a hex at which a map is asked for: all details show
_ANSWER_PX, _FAR_PX = 64.0, 12.0  # likewise of an answer, and how it looks from afar
_BETWEEN_PX = (18.5, 30.5, 36.5)  # and between, where words and discs come that are not there from afar
_NAMES = 10  # zorder from which signs are names


def ink_of_map(map: Any, *, in_play: Any = None) -> DisplayList:
    """Return what the canvas does not draw by itself of a map: areas, borders, walls, signs, markers.

    Parameters
    ----------
    map : studio.Map
        Or anything that has its ``model`` and ``ruleset``.
    in_play : MapUse or Scenario, optional
        Grey what of the map is not in play.

    Returns
    -------
    DisplayList

    Raises
    ------
    StyleError
        When the ruleset has no style, or the style no look for a terrain of the map.
    InkError
        When a painter used an artist that cannot be turned into an instruction.
    """
    from studio.draw.picture import Picture, style_of, subject_of
    from studio.draw.sites import sites_of

    found = DisplayList()
    sites = sites_of(map)
    ax = _axes(subject_of(map), _MAP_PX)
    with recorded():
        picture = Picture(subject_of(map), style_of(map, None), ax=ax, sites=sites)
        scale = Scale(_MAP_PX, picture.subject.grid.hex_height)
        before = len(_drawn(ax))
        for layer, paint in _painters(picture, in_play):
            paint()
            artists = _drawn(ax)
            convert(found, ax, artists[before:], scale, layer)
            before = len(artists)
    return found.settle()


def _painters(picture: Picture, in_play: Any) -> Iterable[tuple[Callable[[Any], str], Callable[[], Any]]]:
    """Return the painters of a map in their order, each with what tells the layer of an artist."""
    from studio.draw.areas import draw_areas
    from studio.draw.borders import draw_borders, has_borders
    from studio.draw.clouds import draw_markers
    from studio.draw.ends import draw_ends
    from studio.draw.fixtures import draw_apertures, draw_dots, draw_walls
    from studio.draw.links import draw_links
    from studio.draw.sheets import draw_out_of_play, draw_sheet_titles, titles_shown, use_of
    from studio.draw.signs import draw_area_names
    from studio.draw.subject import cells_within
    from studio.draw.symbols import draw_places, draw_tags
    from studio.draw.targets import draw_numbered

    subject, sites, style = picture.subject, picture.sites, picture.style
    sites.titled = titles_shown(subject, picture.hex_px)
    marks = style.zoom.marks

    def signs(paint: Callable[..., Any], *rest: Any, low: float = 0.0) -> Callable[[], None]:
        def batched() -> None:
            with picture.batched() as canvas, noted(low=low):
                paint(canvas, sites, *rest)

        return batched

    yield _ground, lambda: draw_areas(picture.canvas, subject, shared=not has_borders(sites, style.borders))
    yield _ground, lambda: draw_borders(picture.canvas, sites)
    yield _ground, lambda: draw_walls(picture.canvas, subject)
    yield _sign, lambda: draw_dots(picture.canvas, sites, cells_within(subject.grid, picture.extent))
    yield _sign, signs(draw_apertures, low=marks)
    yield _sign, signs(draw_places)
    yield _sign, signs(draw_links, low=marks)
    yield _sign, signs(draw_numbered, low=marks)
    yield _sign, signs(draw_ends, low=marks)
    yield _sign, signs(draw_area_names)
    yield _sign, signs(draw_tags, picture._beside_number, low=marks)
    yield (lambda _: "marker"), signs(draw_markers)
    if subject.grid.joint is not None:
        yield _sign, lambda: draw_sheet_titles(picture.ax, subject, style, picture.hex_px, picture.line_scale)
    if in_play is not None:
        yield (lambda _: "play"), lambda: draw_out_of_play(picture.ax, sites.survey, use_of(in_play))


def _ground(artist: Any) -> str:
    """Return the layer of what lies on the ground: its lines are borders."""
    from matplotlib.collections import LineCollection

    return "border" if isinstance(artist, LineCollection) else "area"


def _sign(artist: Any) -> str:
    return "name" if artist.get_zorder() >= _NAMES else "sign"


def ink_of_answer(draw: Callable[..., Any], map: Any, answer: Any, **options: Any) -> DisplayList:
    """Return what a picture of an answer draws over the map, all over it, without its key.

    Parameters
    ----------
    draw : callable
        One of the functions ``draw_...`` of `studio.draw`.
    map : studio.Map or studio.Scenario
        What that takes first.
    answer : object
        What it takes next.
    **options
        What it takes besides.

    Returns
    -------
    DisplayList

    Raises
    ------
    StudioError
        Whatever the picture raises.
    """
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    from studio.draw.picture import subject_of

    subject = subject_of(getattr(map, "map", None) or map)

    def drawn(px: float) -> tuple[Axes, list[Any]]:
        ax = _axes(subject, px)
        before = len(_drawn(ax))
        draw(map, answer, ax=ax, **options)
        return ax, _drawn(ax)[before:]

    with recorded(answer=True):
        ax, near = drawn(_ANSWER_PX)
        pairs = _paired(near, drawn(_FAR_PX)[1], _FAR_PX)
        for px in _BETWEEN_PX:
            late = [artist for artist in near if isinstance(artist, Text | Line2D) and id(artist) not in pairs]
            if late:
                pairs |= _paired(late, drawn(px)[1], px)
        for artist in near:
            # What is not there from afar comes where it was first seen.
            if id(artist) in pairs and pairs[id(artist)][1] > _FAR_PX and note_of(artist) is None:
                with noted(low=pairs[id(artist)][1] - 0.5):
                    marked(artist)
    scale = Scale(_ANSWER_PX, subject.grid.hex_height)
    return convert(DisplayList(), ax, near, scale, lambda _: "answer", partial(_least, pairs)).settle()


def _paired(near: list[Any], far: list[Any], px: float) -> dict[int, tuple[Any, float]]:
    """Return the artists of a farther view, and how it was, by the identity of those that they stand for."""
    kinds: dict[Any, list[Any]] = {}
    for artist in far:
        kinds.setdefault(_kind(artist), []).append(artist)
    pairs = {}
    for artist in near:
        same = kinds.get(_kind(artist))
        if same:
            pairs[id(artist)] = same.pop(0), px
    return pairs


def _kind(artist: Any) -> tuple[Any, ...]:
    """Return what two artists for the same thing share."""
    from matplotlib.lines import Line2D
    from matplotlib.text import Text

    if isinstance(artist, Text):
        return "text", artist.get_text(), artist.get_zorder()
    if isinstance(artist, Line2D):
        return "line", artist.get_marker(), artist.get_zorder(), np.size(artist.get_xydata())
    return type(artist).__name__, artist.get_zorder()


def _least(pairs: dict[int, tuple[Any, float]], artist: Any, what: str) -> float:
    """Return the pixels that a length of an artist is at least; 0 where it just shrinks with the hexes."""
    far, px = pairs.get(id(artist), (None, _FAR_PX))
    read = {
        "width": "get_linewidth",
        "size": "get_markersize",
        "edge": "get_markeredgewidth",
        "font": "get_fontsize",
    }[what]
    if far is None or not hasattr(artist, read):
        return 0.0
    large, small = (float(np.max(getattr(one, read)(), initial=0.0)) for one in (artist, far))
    shrunk = large * px / _ANSWER_PX
    return small * 100 / 72 if small > 1.02 * shrunk else 0.0


def _axes(subject: Any, px: float) -> Axes:
    """Return axes over the whole map in which a hex is so many pixels high."""
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    class Unmeasured(Axes):
        """Axes that never search for the limits of what is drawn."""

        def add_collection(self, collection: Any, autolim: Any = False) -> Any:
            return super().add_collection(collection, autolim=False)

    x0, y0, x1, y1 = subject.grid.frame
    wide, high = np.subtract(subject.grid.to_map(x1, y1), subject.grid.to_map(x0, y0)) / subject.grid.hex_height
    figure = Figure(figsize=(float(wide) * px / 100, float(high) * px / 100), dpi=100)
    axes = Unmeasured(figure, (0, 0, 1, 1))
    figure.add_axes(axes)
    return axes


def _drawn(ax: Axes) -> list[Any]:
    """Return what was drawn on axes, in the order in which it came; not what belongs to all axes."""
    own = {id(artist) for artist in (*ax.spines.values(), ax.xaxis, ax.yaxis, ax.patch)}
    own |= {id(ax.title), id(ax._left_title), id(ax._right_title)}  # type: ignore[attr-defined]
    return [artist for artist in ax.get_children() if id(artist) not in own]
