"""What is written on a map, and its markers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.style import Style, toned
from studio.draw.subject import Floats, Subject, kind_of, map_points
from studio.draw.terrain import Pen, glyph_path

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_markers", "draw_names", "draw_numbers", "text_path"]


@functools.lru_cache(maxsize=256)
def _letter(char: str, family: tuple[str, ...]) -> tuple[Floats, Any, float]:
    """Return outline, codes and advance of a character, 1 em high."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath, TextToPath

    font = FontProperties(family=list(family), size=100)
    path = TextPath((0, 0), char, size=100, prop=font)
    width, _, _ = TextToPath().get_text_width_height_descent(char, font, ismath=False)
    codes = path.codes if path.codes is not None else np.zeros(0, dtype=np.uint8)
    return np.asarray(path.vertices) / 100, codes, width / 100


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
    ax: Axes, subject: Subject, style: Style, hex_px: float, line_scale: float, cells: NDArray[np.int64]
) -> None:
    """Write the numbers of hexes at their tops, with a halo (zorder 10); nothing where hexes are too small."""
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
    for cell in cells.tolist():
        vertices, codes, width = text_path(str(subject.labels.label(cell)), look.fonts)
        x, y = grid.to_map(*grid.centre(cell))
        y += place
        # In a half hex at the upper edge the number moves down into what is left of it.
        y = max(y, top + size * 0.75)
        placed = (vertices - [width / 2, 0.36]) * [size, -size] + [x, y]
        paths.append(Path._fast_from_codes_and_verts(placed, codes))  # type: ignore[attr-defined]
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
        (x, y), size = map_points(grid, [feature.at])[0], feature.size * 1000 * line_scale
        halo = Stroke(linewidth=max(1.6, 2 * look.name_halo * line_scale), foreground=look.halo, joinstyle="round")
        ax.text(
            x,
            y,
            # A dollar sign would start matplotlib's formulas.
            feature.text.replace("$", r"\$"),
            fontsize=size,
            fontfamily=look.name_fonts,
            fontstyle="italic",
            fontweight="bold",
            color=look.name_ink,
            rotation=feature.angle,
            rotation_mode="anchor",
            ha="center",
            va="center_baseline",
            path_effects=[halo, Normal()],
            clip_on=True,
            zorder=12,
        )


def draw_markers(ax: Axes, subject: Subject, style: Style, line_scale: float) -> None:
    """Draw markers as icons (zorder 9); a marker without an icon as a counter with its first letter."""
    for feature in subject.features.values():
        if kind_of(feature) == "marker":
            at = subject.grid.to_map(*subject.grid.centre(subject.labels.cell(feature.at)))
            draw_marker(ax, style, feature.type, at, subject.grid.hex_height, line_scale)


def draw_marker(
    ax: Axes, style: Style, kind: str, at: tuple[float, float], hex_height: float, line_scale: float
) -> None:
    """Draw one marker's icon at a point in map units."""
    from matplotlib.patches import PathPatch, Rectangle
    from matplotlib.path import Path

    size = 0.62 * hex_height
    name = style.markers.get(kind)
    if name is None:
        r, look = size * 0.36, style.letters
        ax.add_patch(Rectangle((at[0] - r, at[1] - r), 2 * r, 2 * r, facecolor=look.halo, edgecolor=look.ink, zorder=9))
        font = r * 1.3 / hex_height * 1000 * line_scale
        ax.text(*at, kind[:1].upper(), fontsize=font, color=look.ink, ha="center", va="center", zorder=9)
        return
    for layer in style.glyphs[name]:
        pen = Pen()
        glyph_path(pen, layer.d, at, size, 0, layer.shift)
        ax.add_patch(
            PathPatch(
                Path(*pen.arrays()),
                facecolor=toned(layer.fill, layer.tone) if layer.fill else "none",
                edgecolor=toned(layer.stroke, layer.tone) if layer.stroke else "none",
                linewidth=layer.width * 0.62 * line_scale,
                alpha=layer.opacity / 1000,
                joinstyle="round",
                capstyle="round",
                zorder=9,
            )
        )
