"""What is written on a map, and its markers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.recording import noted
from studio.draw.said import said
from studio.draw.sheets import top_of
from studio.draw.sites import prefix_of
from studio.draw.style import Style, toned
from studio.draw.subject import Floats, Subject, kind_of, map_points
from studio.draw.terrain import Pen, glyph_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes


__all__ = [
    "brief",
    "draw_glyph",
    "draw_marker",
    "draw_names",
    "draw_numbers",
    "draw_text",
    "held",
    "readable",
    "text_path",
    "write",
]

_TEXT_PX = 5.5  # no letters below that height
_MOST = 80  # letters of a name: no map has room for more


def brief(text: str) -> str:
    """Return a text as it is written on a map: cut where no map has room for it, and in one line.

    Examples
    --------
    >>> brief("Midlands"), len(brief("a" * 10_000)), brief("a" * 100)[-2:]
    ('Midlands', 80, 'a…')
    """
    text = text if text.isprintable() else " ".join(text.split())
    return text if len(text) <= _MOST else f"{text[: _MOST - 1]}…"


@functools.lru_cache(maxsize=256)
def _letter(char: str, family: tuple[str, ...]) -> tuple[Floats, Any, float]:
    """Return outline, codes and advance of a character, 1 em high."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(family=list(family), size=100)
    width, _, _ = TextToPath().get_text_width_height_descent(char, font, ismath=False)
    if char.isspace():
        return np.zeros((0, 2)), np.zeros(0, dtype=np.uint8), max(0.32, width / 100)
    vertices, codes = TextToPath().get_text_path(font, char, ismath=False)
    # Joiners, marks of direction and the like have no outline.
    return np.asarray(vertices, dtype=float).reshape(-1, 2) / 100, np.asarray(codes, dtype=np.uint8), width / 100


def text_path(text: str, family: list[str]) -> tuple[Floats, Any, float]:
    """Return a text's outline, 1 em high with y up and the pen's start at the origin: vertices, codes and width."""
    vertices, codes, x = [], [], 0.0
    for char in text:
        points, kinds, advance = _letter(char, tuple(family))
        vertices.append(points + np.array([x, 0.0]))
        codes.append(kinds)
        x += advance
    return np.vstack(vertices), np.concatenate(codes), x


def draw_numbers(
    ax: Axes,
    subject: Subject,
    style: Style,
    hex_px: float,
    line_scale: float,
    cells: NDArray[np.int64],
    *,
    titled: bool = False,
) -> None:
    """Write the numbers of hexes at their tops, with a halo (zorder 10); nothing where hexes are too small.

    Where the titles of sheets tell them apart (`titled`), numbers are written without the prefix of their sheet.
    """
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    if hex_px < style.zoom.numbers:
        return
    grid, look = subject.grid, style.letters
    # Never smaller than 6.5 pixels, so that a number is read or left out, not guessed.
    size = max(look.number_size / 1000, 6.5 / hex_px) * grid.hex_height
    paths = []
    # Under the corner of a pointy top there is less room.
    place = look.number_place / 1000 * grid.hex_height * (1.0 if grid.orientation == "flat" else 0.74)
    top = grid.to_map(0, grid.frame[1])[1]
    index = subject.terrain.ravel()
    for cell in cells.tolist():
        if not style.look(subject.terrain_ids[int(index[cell])]).outlined:
            continue
        label = str(subject.labels.label(cell))
        if titled:
            label = label[len(prefix_of(subject, label, grid.centre(cell))) :]
        vertices, codes, width = text_path(label, look.fonts)
        x, y = grid.to_map(*grid.centre(cell))
        y += place
        # In a half hex at the upper edge the number moves down into what is left of it.
        y = max(y, top_of(grid, cell, top) + size * 0.75)
        placed = (vertices - [width / 2, 0.36]) * [size, -size] + [x, y]
        path = Path._fast_from_codes_and_verts(placed, codes)  # type: ignore[attr-defined]
        paths.append(said(path, label, (x - width / 2 * size, y + 0.36 * size), size, look.fonts))
    if not paths:
        return
    halo = max(0.8, 0.28 * size / grid.hex_height * 1000 * line_scale)
    alpha = look.number_opacity / 1000
    ax.add_collection(
        PathCollection(
            paths, facecolors=look.halo, edgecolors=look.halo, linewidths=halo, alpha=0.6, joinstyle="round", zorder=10
        )
    )
    ax.add_collection(PathCollection(paths, facecolors=look.ink, edgecolors="none", alpha=alpha, zorder=10.1))


def draw_names(ax: Axes, subject: Subject, style: Style, hex_px: float, line_scale: float) -> None:
    """Write place names with a halo (zorder 12); none below 5 pixels."""
    from matplotlib.patheffects import Normal, Stroke

    look, grid = style.letters, subject.grid
    for feature in subject.features.values():
        if kind_of(feature) != "name" or feature.size * hex_px < 5:
            continue
        at, size = map_points(grid, [feature.at])[0], feature.size * 1000 * line_scale
        high = feature.size * grid.hex_height
        # Bold letters are wider than those measured.
        text = brief(feature.text)
        wide = 1.16 * text_path(text, look.name_fonts)[2] * high
        angle = readable(feature.angle)
        spot = held(ax, at, wide, high, angle)
        if spot is None:
            continue
        halo = Stroke(linewidth=max(1.6, 2 * look.name_halo * line_scale), foreground=look.halo, joinstyle="round")
        ax.text(
            float(spot[0]),
            float(spot[1]),
            # A dollar sign would start matplotlib's formulas.
            text.replace("$", r"\$"),
            fontsize=size,
            fontfamily=look.name_fonts,
            fontstyle="italic",
            fontweight="bold",
            color=look.name_ink,
            rotation=angle,
            rotation_mode="anchor",
            ha="center",
            va="center_baseline",
            path_effects=[halo, Normal()],
            clip_on=True,
            zorder=12,
        )


def readable(angle: float) -> float:
    """Return the angle at which a text is written: never upside down, as on a sheet that was turned by half.

    Examples
    --------
    >>> [readable(angle) for angle in (0, 90, -90, 180, 200, 270, -135)]
    [0, 90, -90, 0, 20, -90, 45]
    """
    return angle if -90 <= angle <= 90 else (angle + 90) % 180 - 90


def held(ax: Axes, at: Floats, wide: float, high: float, angle: float = 0.0) -> Floats | None:
    """Return where a text stands whole inside the axes: moved in from the edge; None where its middle is outside.

    Parameters
    ----------
    ax : Axes
    at : array of shape (2,)
        The text's middle in map units.
    wide, high : float
        Its size in map units.
    angle : float
        By which it is turned, in degrees.
    """
    (x0, x1), (y1, y0) = ax.get_xlim(), ax.get_ylim()
    low, end = np.minimum([x0, y0], [x1, y1]), np.maximum([x0, y0], [x1, y1])
    if (at < low).any() or (at > end).any():
        return None
    turn = np.radians(angle)
    c, s = abs(np.cos(turn)), abs(np.sin(turn))
    half = np.minimum(0.5 * np.array([wide * c + high * s, wide * s + high * c]) + 0.15 * high, (end - low) / 2)
    return np.asarray(np.clip(at, low + half, end - half))


def draw_marker(canvas: Canvas, kind: str, at: tuple[float, float], length: float = 620) -> None:
    """Draw one marker's icon at a point in map units, so many thousandths of a hex's height wide."""
    size = length * canvas.unit
    name = canvas.style.markers.get(kind)
    if name is None:
        r, look, middle = size * 0.36, canvas.style.letters, np.asarray(at)
        corners = middle + np.array([[-r, -r], [r, -r], [r, r], [-r, r]])
        canvas.shape(corners, Ink(9, look.halo, look.ink, canvas.width(24)))
        draw_text(canvas, kind[:1].upper(), middle, 1.3 * r, look.ink, 9.01)
        return
    draw_glyph(canvas, name, at, size, 9)


def draw_glyph(
    canvas: Canvas, name: str, at: tuple[float, float], size: float, zorder: float, alpha: float = 1.0
) -> None:
    """Draw one glyph of the style, `size` map units wide, at a point in map units."""
    from matplotlib.path import Path

    for n, layer in enumerate(canvas.style.glyphs[name]):
        pen = Pen()
        glyph_path(pen, layer.d, at, size, 0, layer.shift)
        ink = Ink(
            zorder + 0.001 * n,
            toned(layer.fill, layer.tone) if layer.fill else "none",
            toned(layer.stroke, layer.tone) if layer.stroke else "none",
            layer.width * size / (1000 * canvas.unit) * canvas.scale,
            layer.opacity / 1000 * alpha,
            "round",
            "round",
        )
        canvas.put(Path(*pen.arrays()), ink)


def draw_text(
    canvas: Canvas,
    text: str,
    at: Floats,
    height: float,
    color: str,
    zorder: float,
    *,
    fonts: list[str] | None = None,
    halo: str = "",
    bold: bool = False,
) -> None:
    """Write a text around a point as outlines that grow with the map; `height` of 1 em in map units."""
    from matplotlib.path import Path

    fonts = fonts or canvas.style.letters.fonts
    vertices, codes, width = text_path(text, fonts)
    path = Path((vertices - [width / 2, 0.36]) * [height, -height] + at, codes)
    said(path, text, (float(at[0]) - width / 2 * height, float(at[1]) + 0.36 * height), height, fonts)
    em = height / canvas.unit * canvas.scale
    with noted(low=_TEXT_PX * 1000 * canvas.unit / height):
        if halo:
            canvas.put(path, Ink(zorder, halo, halo, 0.34 * em, join="round"))
        edge = color if bold else "none"
        canvas.put(path, Ink(zorder + 0.005, color, edge, 0.06 * em if bold else 0))


def write(canvas: Canvas, text: str, at: Floats, height: float, ink: str, zorder: float, **options: Any) -> None:
    """Write a text where it is large enough to be read."""
    text = brief(text)
    if text and height / (1000 * canvas.unit) * canvas.px >= _TEXT_PX:
        wide = text_path(text, options.get("fonts") or canvas.style.letters.fonts)[2] * height
        spot = held(canvas.ax, at, wide, height) if zorder >= 10 else at
        if spot is not None:
            draw_text(canvas, text, spot, height, ink, zorder, **options)
