"""Texts of matplotlib as instructions for a canvas: measured here, written there, never as markup."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

from studio.draw.displaylist import Scale, Words, css_of
from studio.draw.recording import Note, note_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["words_of"]

_PX = 100 / 72


@functools.lru_cache(maxsize=1)
def _renderer() -> Any:
    from matplotlib.backends.backend_agg import RendererAgg

    return RendererAgg(4, 4, 100)  # type: ignore[no-untyped-call]


def words_of(ax: Axes, artist: Any, scale: Scale, layer: str, least: Any) -> Words | None:
    """Return a text as an instruction; None for one that shows nothing or is cut off by the axes.

    Parameters
    ----------
    ax : Axes
    artist : matplotlib.text.Text
    scale : Scale
    layer : str
    least : callable
        As for `studio.draw.displaylist.convert`.
    """
    text = artist.get_text()
    if artist.get_parse_math():
        text = text.replace(r"\$", "$")
    x, y = artist.get_unitless_position()
    (left, right), (low, high) = sorted(ax.get_xlim()), sorted(ax.get_ylim())
    if not text.strip() or (artist.get_clip_on() and not (left <= x <= right and low <= y <= high)):
        return None
    points = float(artist.get_fontsize())
    middle, wide, box = _measured(artist, points)
    halo, halo_width = _halo(artist)
    note = note_of(artist)
    return Words(
        layer,
        round(float(artist.get_zorder()), 4),
        " ".join(text.split("\n")),
        scale.steps(float(x)),
        scale.steps(float(y)),
        scale.width(points),
        round(100 * least(artist, "font")),
        middle,
        wide,
        _font(artist),
        css_of(artist.get_color())[:7],
        halo,
        scale.width(halo_width) if halo else 0,
        float(artist.get_rotation()),
        box,
        round(1000 * (1.0 if artist.get_alpha() is None else artist.get_alpha())),
        note.owner if isinstance(note, Note) else "",
        round(note.low, 1) if isinstance(note, Note) else 0.0,
        round(note.high, 1) if isinstance(note, Note) and note.high < math.inf else 0.0,
    )


def _font(artist: Any) -> str:
    families = ", ".join(f'"{name}"' for name in artist.get_fontfamily())
    weight = artist.get_fontweight()
    return f"{artist.get_fontstyle()} {weight if isinstance(weight, int) else str(weight)}|{families}, sans-serif"


def _measured(artist: Any, points: float) -> tuple[tuple[int, int], int, tuple[Any, ...]]:
    """Return the middle and the base line from the anchor, the width, and the box, in thousandths of the size."""
    size = points * _PX
    # Laid out along its own base line; the canvas turns it as a whole.
    angle, way = artist.get_rotation(), artist.get_verticalalignment()
    artist.set_rotation(0)
    x0, y0, x1, y1 = _extent(artist)
    artist.set_verticalalignment("baseline")
    base = y1 - _extent(artist)[3]
    artist.set(rotation=angle, verticalalignment=way)
    middle = (round(1000 * (x0 + x1) / 2 / size), round(1000 * base / size))
    return middle, round(1000 * (x1 - x0) / size), _box(artist, (x0, y0, x1, y1), size)


def _extent(artist: Any) -> tuple[float, float, float, float]:
    """Return the box of a text from its anchor, in pixels with y down."""
    box = artist.get_window_extent(_renderer(), dpi=100)
    x, y = artist.get_transform().transform(artist.get_unitless_position())
    return box.x0 - x, y - box.y1, box.x1 - x, y - box.y0


def _box(artist: Any, extent: tuple[float, float, float, float], size: float) -> tuple[Any, ...]:
    """Return the box behind a text: kind, fill, edge, width of the edge, its four sides, opacity."""
    patch = artist.get_bbox_patch()
    if patch is None:
        return ()
    style = patch.get_boxstyle()
    pad = float(getattr(style, "pad", 0.3)) * size
    x0, y0, x1, y1 = extent[0] - pad, extent[1] - pad, extent[2] + pad, extent[3] + pad
    kind = type(style).__name__.lower()
    if kind == "circle":
        half = max(x1 - x0, y1 - y0) / 2
        cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
        x0, y0, x1, y1 = cx - half, cy - half, cx + half, cy + half
    sides = [round(1000 * value / size) for value in (x0, y0, x1, y1)]
    alpha = patch.get_alpha()
    return (
        kind,
        css_of(patch.get_facecolor())[:7],
        css_of(patch.get_edgecolor())[:7] if patch.get_linewidth() else "",
        round(100 * patch.get_linewidth() * _PX),
        *sides,
        round(1000 * (1.0 if alpha is None else alpha)),
    )


def _halo(artist: Any) -> tuple[str, float]:
    from matplotlib.patheffects import Stroke

    for effect in artist.get_path_effects():
        if isinstance(effect, Stroke):
            told = effect._gc  # type: ignore[attr-defined]
            return css_of(told["foreground"])[:7], float(told["linewidth"])
    return "", 0.0
