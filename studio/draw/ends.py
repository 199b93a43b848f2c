"""Ways below the ground in matplotlib: a sign and letters beside both ends of a link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.canvas import Canvas
from studio.draw.letters import draw_glyph, text_path, write
from studio.draw.links import link_look
from studio.draw.recording import owned, sizes
from studio.draw.standing import MARKER, standing_on
from studio.draw.subject import kind_of, map_points

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_ends"]

_LETTERS_PX = 9.5  # least height of the letters in pixels
_LABELS_FROM = 38  # height of a hex in pixels from which labels of other ends are written


def draw_ends(canvas: Canvas, sites: Sites) -> None:
    """Draw the signs of links that lead out of sight (zorder 8.95), each with the letters that both ends share.

    A link without letters has the label of its other end. Letters that a name beside says already are left out, and
    so is the sign where a marker of the type stands for it.
    """
    if canvas.px < canvas.style.zoom.marks:
        return
    features = sites.subject.features.values()
    marked = {(f.type, f.at) for f in features if kind_of(f) == "marker"}
    names = [f for f in features if kind_of(f) == "name"]
    for link in owned(features):
        look = link_look(canvas.style, link.type) if kind_of(link) == "link" else None
        if look is None or look.shape != "ends":
            continue
        for here, there in ((link.a, link.b), (link.b, link.a)):
            at = sites.find(here)
            if at is None:
                continue
            words = link.text or there
            said = words == here or any(
                name.text == words and float(np.hypot(*(map_points(sites.grid, [name.at])[0] - at))) < 1.2
                for name in names
            )
            _sign(canvas, sites, link, at, "" if said else words, (link.type, here) in marked)


def _sign(canvas: Canvas, sites: Sites, link: Any, at: Any, words: str, marked: bool) -> None:
    """Draw the sign of one end beside its dot, and its letters beside that."""
    look, standing = link_look(canvas.style, link.type), standing_on(canvas, sites)
    size = look.size * canvas.unit
    gap = 0.75 * canvas.style.dots.size * canvas.unit
    if marked:
        gap = 0.45 * MARKER * canvas.unit
    elif look.glyph:
        at = standing.beside(at, (gap, gap), size, size)
        draw_glyph(canvas, look.glyph, (float(at[0]), float(at[1])), size, 8.95)
        gap = 0.52 * size
    if words and (len(words) < 3 or canvas.px >= _LABELS_FROM):
        for px in sizes(canvas.px, canvas.style.zoom.marks if len(words) < 3 else _LABELS_FROM):
            height = max(0.9 * size, 1000 * _LETTERS_PX / px * canvas.unit) * (1.0 if len(words) < 3 else 0.72)
            wide = text_path(words, canvas.style.letters.fonts)[2] * height
            spot = standing.beside(at, (gap, gap), wide, 0.84 * height, take=px == canvas.px)
            write(canvas, words, spot, height, look.color, 10, halo=look.halo or "", bold=True)
