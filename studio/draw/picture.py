"""A whole map as a matplotlib picture, and pictures saved byte for byte alike."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from studio.draw.arcs import draw_arcs
from studio.draw.areas import draw_areas
from studio.draw.backdrop import DrawnScan, draw_scan, fade_fills
from studio.draw.batch import Batch
from studio.draw.borders import draw_borders, has_borders
from studio.draw.canvas import Canvas
from studio.draw.clouds import draw_markers
from studio.draw.crediting import credit, credits_of
from studio.draw.ends import draw_ends
from studio.draw.fixtures import draw_apertures, draw_dots, draw_walls
from studio.draw.letters import draw_names, draw_numbers
from studio.draw.lines import draw_crests, draw_frame, draw_hex_lines, draw_roads, draw_sides
from studio.draw.links import draw_links
from studio.draw.plain import style_for
from studio.draw.recording import answers_only
from studio.draw.relief import draw_contours, draw_levels
from studio.draw.sheets import draw_sheets, titles_shown
from studio.draw.signs import draw_area_names
from studio.draw.sites import Sites
from studio.draw.standing import standing_on
from studio.draw.style import Style, load_style
from studio.draw.subject import Floats, Subject, cells_within
from studio.draw.symbols import draw_places, draw_tags
from studio.draw.targets import draw_numbered
from studio.draw.terrain import draw_fills, draw_marks
from studio.errors import StudioError
from studio.model.wording import credit_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["DPI", "Picture", "PictureError", "new_figure", "save_picture", "style_of", "subject_of"]

DPI = 100
_LONGEST, _MOST = 30000, 250_000_000  # pixels of a picture, either way and in all
_SALT = "wargame-studio"
_LINES_PX = 7  # below it the outlines of the hexes would be all there is to see
_SAVING = threading.Lock()  # settings of matplotlib are the whole process's
_METADATA: dict[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
_CREDITED = {".png": ("Source", "Copyright"), ".svg": ("Source", "Rights"), ".pdf": ("Subject",)}


_MAKER: ContextVar[Callable[..., Any] | None] = ContextVar("maker of figures", default=None)


@contextmanager
def pyplot_figures() -> Iterator[None]:
    """Make the figures of pictures with pyplot for a while, so that a notebook shows them below its cell.

    Only for people's own cells: pyplot must not be used in the callbacks of widgets, which may run in other threads.
    """
    import matplotlib.pyplot as plt

    token = _MAKER.set(plt.figure)
    try:
        yield
    finally:
        _MAKER.reset(token)


def new_figure(wide: float, high: float, color: str) -> Figure:
    """Return a figure of so many pixels, made with pyplot where its figures are wanted."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    make = _MAKER.get()
    size: dict[str, Any] = {"figsize": (wide / DPI, high / DPI), "dpi": DPI, "facecolor": color}
    if make is not None:
        made: Figure = make(**size)
        return made
    figure = Figure(**size)
    FigureCanvasAgg(figure)
    return figure


class PictureError(StudioError, ValueError):
    """A picture that cannot be drawn or saved as asked."""


class Picture:
    """A figure with a map on it, measured in hexes: where the map's panel lies and how large a hex is.

    Parameters
    ----------
    subject : Subject
        The map.
    style : Style
    ax : Axes, optional
        Draw here; a figure of its own otherwise.
    hex_px : float, optional
        Height of a hex in pixels at `DPI`; fitted to a handy picture otherwise.
    extent : (x0, y0, x1, y1), optional
        Part of the map in map units; all of it otherwise.
    panels : (right, bottom), optional
        Room for panels beside and below, in pixels; that below may depend on the picture's width.
    sites : Sites, optional
        The locations of the map, where they are known already.
    """

    def __init__(
        self,
        subject: Subject,
        style: Style,
        *,
        ax: Axes | None = None,
        hex_px: float | None = None,
        extent: tuple[float, float, float, float] | None = None,
        panels: tuple[float, float | Callable[[float], float]] = (0, 0),
        sites: Sites | None = None,
    ) -> None:
        self.subject, self.style = subject, style
        self.sites = sites or Sites(subject)
        grid = subject.grid
        x0, y0, x1, y1 = grid.frame
        extent = None if answers_only() else extent
        self.part = extent is not None
        self.extent = extent or (*grid.to_map(x0, y0), *grid.to_map(x1, y1))
        wide, high = (b - a for a, b in zip(self.extent[:2], self.extent[2:], strict=True))
        wide, high = wide / grid.hex_height, high / grid.hex_height
        if ax is None:
            self.hex_px = _checked(hex_px) if hex_px is not None else min(72.0, max(2.0, 1500 / max(wide, high)))
            self.ax = self._own_axes(wide * self.hex_px, high * self.hex_px, panels)
        else:
            box = ax.get_window_extent()
            fit = min(box.width / wide, box.height / high)
            self.hex_px, self.ax = fit * DPI / ax.figure.dpi, ax
        self.line_scale = self.hex_px * 72 / DPI / 1000
        credit(self.figure, subject)
        self._set_up()

    def _own_axes(self, wide: float, high: float, panels: tuple[float, float | Callable[[float], float]]) -> Axes:
        margin = max(6.0, 0.35 * self.hex_px)
        self.margin = margin
        across = math.ceil(wide + 2 * margin + panels[0])
        below = panels[1](across) if callable(panels[1]) else panels[1]
        full = across, math.ceil(high + 2 * margin + below)
        if max(full) > _LONGEST or full[0] * full[1] > _MOST:
            raise PictureError(
                f"hex_px: got {self.hex_px:g}, which makes a picture of {full[0]} x {full[1]} pixels; at most "
                f"{_LONGEST} either way and {_MOST // 1_000_000} million in all. Give a smaller hex_px"
            )
        figure = new_figure(*full, self.style.lines.margin_color)
        self.size = full
        return figure.add_axes((margin / full[0], 1 - (margin + high) / full[1], wide / full[0], high / full[1]))

    def panel(self, x: float, y: float, wide: float, high: float) -> Axes:
        """Return axes for a panel; pixels from the figure's upper left corner."""
        full = self.size
        box = (x / full[0], 1 - (y + high) / full[1], wide / full[0], high / full[1])
        axes: Axes = self.figure.add_axes(box)
        return axes

    @property
    def figure(self) -> Figure:
        """The figure of the map's axes."""
        figure: Any = self.ax.figure
        while hasattr(figure, "figure") and figure.figure is not figure:
            figure = figure.figure
        return figure  # type: ignore[no-any-return]

    def _set_up(self) -> None:
        x0, y0, x1, y1 = self.extent
        self.ax.set_xlim(x0, x1)
        self.ax.set_ylim(y1, y0)
        self.ax.set_aspect("equal")
        self.ax.set_xticks([])
        self.ax.set_yticks([])
        self.ax.set_facecolor(self.style.lines.margin_color)
        for spine in self.ax.spines.values():
            spine.set_visible(False)
        self.ax.autoscale(False)

    def ground(
        self,
        *,
        labels: bool = True,
        frame: bool = True,
        arcs: bool | Iterable[str] = False,
        scan: DrawnScan | None = None,
    ) -> None:
        """Draw the map itself, with the arcs of fire of all openings or those with some ids, and the scan beneath it.

        Raises
        ------
        UnknownNameError
            When the map has no opening with such an id.
        """
        ax, subject, style, scale = self.ax, self.subject, self.style, self.line_scale
        self.sites.titled = labels and frame and titles_shown(subject, self.hex_px)
        if answers_only():
            return  # the map is there already
        cells = cells_within(subject.grid, self.extent)
        draw_fills(ax, subject, style, self.hex_px, cells)
        if scan is not None:
            fade_fills(ax, scan)
            draw_scan(ax, scan)
        draw_marks(ax, subject, style, self.hex_px, scale, cells)
        draw_levels(ax, subject, style, self.extent)
        if self.hex_px >= _LINES_PX:
            draw_hex_lines(ax, subject, style, scale, cells)
        draw_contours(ax, subject, style, scale)
        draw_crests(ax, subject, style, scale)
        draw_areas(self.canvas, subject, shared=not has_borders(self.sites, style.borders))
        draw_borders(self.canvas, self.sites)
        draw_roads(ax, subject, style, self.hex_px, scale)
        draw_sides(ax, subject, style, scale)
        draw_walls(self.canvas, subject)
        if arcs is not False:
            draw_arcs(self.canvas, self.sites, arcs)
        self._signs(cells)
        if labels:
            draw_numbers(ax, subject, style, self.hex_px, scale, cells, titled=self.sites.titled)
            draw_names(ax, subject, style, self.hex_px, scale)
        if frame and subject.grid.joint is not None:
            draw_sheets(ax, subject, style, self.hex_px, scale, titles=labels, clip=self.part)
        elif frame:
            draw_frame(ax, subject, style, scale, clip=self.part)
        if self.part:
            for spine in ax.spines.values():
                spine.set(visible=True, linewidth=0.9, edgecolor=style.lines.frame_color, zorder=21)
        ax.set_xlim(self.extent[0], self.extent[2])
        ax.set_ylim(self.extent[3], self.extent[1])

    def _signs(self, cells: Any) -> None:
        """Draw what stands at locations: openings, dots, places, links, numbers in discs, tags, markers."""
        draw_dots(self.canvas, self.sites, cells)
        with self.batched() as canvas:
            draw_apertures(canvas, self.sites)
            draw_places(canvas, self.sites)
            draw_links(canvas, self.sites)
            draw_numbered(canvas, self.sites)
            draw_ends(canvas, self.sites)
            draw_area_names(canvas, self.sites)
            draw_tags(canvas, self.sites, self._beside_number)
            draw_markers(canvas, self.sites)

    def _beside_number(self, area: Any, shift: Floats, size: float) -> Floats | None:
        standing = standing_on(self.canvas, self.sites)
        return standing.beside_number(area, shift, size) if area.id in standing.numbers else None

    @contextmanager
    def batched(self) -> Iterator[Canvas]:
        """Lend a canvas that draws many signs of one colour as one thing, when it is given back."""
        batch = Batch()
        yield self.canvas._replace(batch=batch)
        batch.flush(self.ax)

    @property
    def canvas(self) -> Canvas:
        """The map's axes with their measures."""
        return Canvas(self.ax, self.style, self.subject.grid.hex_height / 1000, self.hex_px, self.line_scale)


def _checked(hex_px: Any) -> float:
    """Return the height of a hex in pixels, if it is one."""
    number = isinstance(hex_px, int | float | np.number) and not isinstance(hex_px, bool)
    if not number or not math.isfinite(hex_px) or hex_px < 1:
        raise PictureError(f"hex_px: got {hex_px!r}; allowed: the height of a hex in pixels, a number of 1 or more")
    return float(hex_px)


def subject_of(map: Any) -> Subject:
    """Return what pictures read of a map: the drawing itself, of a `studio.Map` its model."""
    subject: Subject = getattr(map, "model", map)
    return subject


def style_of(map: Any, style: Style | str | None) -> Style:
    """Return the style to use: the one given, or by id, or that of the map's game, with a designer's file over it."""
    if isinstance(style, Style):
        return style.with_terrains(subject_of(map).terrain_ids)
    if style is not None and style.endswith(".toml"):
        return style_for(getattr(map, "ruleset", ""), subject_of(map).terrain_ids, style)
    if style is not None:
        return load_style(style).with_terrains(subject_of(map).terrain_ids)
    return style_for(getattr(map, "ruleset", ""), subject_of(map).terrain_ids)


def save_picture(
    figure: Any,
    path: str | Path | IO[bytes],
    *,
    dpi: float | None = None,
    kind: str = "",
    credits: Sequence[str] | None = None,
) -> None:
    """Save a figure (or the figure of some axes) as PNG, SVG or PDF; the same picture gives the same bytes.

    The sources of the maps and scenarios on it, with their licences, go into the properties of the file.

    Parameters
    ----------
    figure : matplotlib.figure.Figure or matplotlib.axes.Axes
    path : path or binary file
        A path's suffix chooses the format.
    dpi : float, optional
        Dots per inch of a PNG; the figure's own otherwise.
    kind : {".png", ".svg", ".pdf"}, optional
        The format, where the path does not say.
    credits : sequence of str, optional
        Sources to name instead; none with an empty one, for pictures inside files that name them.

    Raises
    ------
    PictureError
        When the suffix is none of ``.png``, ``.svg`` and ``.pdf``.
    """
    from matplotlib import rc_context

    name = str(path) if isinstance(path, str | Path) else ""
    suffix = kind or Path(name).suffix.lower()
    if suffix not in _METADATA:
        raise PictureError(f"picture {name!r}: suffix {suffix or 'missing'}; allowed are .png, .svg and .pdf")
    figure = getattr(figure, "figure", None) or figure
    line = credit_line(credits_of(figure) if credits is None else credits)
    metadata = _METADATA[suffix] | (dict.fromkeys(_CREDITED[suffix], line) if line else {})
    with _SAVING, rc_context({"svg.hashsalt": _SALT, "svg.fonttype": "path"}):
        figure.savefig(
            path,
            format=suffix[1:],
            dpi=dpi or figure.dpi,
            metadata=metadata,
            facecolor=figure.get_facecolor(),
        )
