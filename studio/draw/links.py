"""Links between locations in matplotlib: arrows and lines, door and roof symbols, target symbols."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.letters import draw_glyph, write
from studio.draw.recording import owned
from studio.draw.shapes import LinkLook, looked_up
from studio.draw.style import Style
from studio.draw.subject import Floats, kind_of
from studio.draw.symbols import place_look

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_links", "link_look", "link_sample", "stretch_ends", "target", "twin_spots"]

_LINK = LinkLook()


def link_look(style: Style, kind: str) -> LinkLook:
    """Return how the links of a type look."""
    return looked_up(style.links, kind) or _LINK


def draw_links(canvas: Canvas, sites: Sites) -> None:
    """Draw links between locations: arrows and lines (zorder 8.7), the same sign at both ends (8.95)."""
    if canvas.px < canvas.style.zoom.marks:
        return
    for link in owned(sites.subject.features.values()):
        if kind_of(link) == "link":
            look = link_look(canvas.style, link.type)
            ends = stretch_ends(canvas, sites, link)
            if ends is not None:
                _stretch(canvas, look, *ends, one_way=link.one_way)
            for spot, size in twin_spots(canvas, sites, link):
                draw_glyph(canvas, look.glyph, (float(spot[0]), float(spot[1])), size, 8.95)


def _between(canvas: Canvas, sites: Sites, link: Any) -> tuple[Floats, Floats, Floats] | None:
    """Return where a link begins and ends beside its two locations, and its direction; None without a location."""
    start, end = sites.find(link.a), sites.find(link.b)
    if start is None or end is None:
        return None
    way = end - start
    way = way / (float(np.hypot(*way)) or 1.0)
    gaps = [_gap(canvas, sites, label) for label in (link.a, link.b)]
    return start + way * gaps[0], end - way * gaps[1], way


def _gap(canvas: Canvas, sites: Sites, label: str) -> float:
    """Return how far from its dot a link to a location ends."""
    if "places" not in sites.kept:
        sites.kept["places"] = {f.name: f.type for f in sites.subject.features.values() if kind_of(f) == "place"}
    if label not in sites.kept["places"]:
        return 120 * canvas.unit
    look = place_look(canvas.style, sites.kept["places"][label])
    return max(look.size, look.wide) * 0.56 * canvas.unit


def stretch_ends(canvas: Canvas, sites: Sites, link: Any) -> tuple[Floats, Floats] | None:
    """Return the ends of a link that is drawn as an arrow or a line; None of any other, or one too short."""
    if link_look(canvas.style, link.type).shape not in ("arrow", "line"):
        return None
    found = _between(canvas, sites, link)
    if found is None or float((found[1] - found[0]) @ found[2]) <= 0:
        return None
    return found[:2]


def twin_spots(canvas: Canvas, sites: Sites, link: Any) -> list[tuple[Floats, float]]:
    """Return the middles and sizes of the signs at both ends of a link, none where it has no such signs."""
    look = link_look(canvas.style, link.type)
    found = _between(canvas, sites, link) if look.shape == "twins" and look.glyph else None
    if found is None:
        return []
    size = look.size * canvas.unit
    p, q, way = found
    return [(p + way * 0.62 * size, size), (q - way * 0.62 * size, size)]


def _stretch(canvas: Canvas, look: LinkLook, p: Floats, q: Floats, *, one_way: bool) -> None:
    """Draw a line between two points, or an arrow: with one head, or with one at either end."""
    way = q - p
    gap = float(np.hypot(*way))
    along = way / (gap or 1.0)
    across = np.array([-along[1], along[0]])
    shafts, heads = (p, q), []
    if look.shape == "arrow":
        length = min(0.44 * look.size * canvas.unit, 0.46 * gap)
        ends = [(q, -along)] if one_way else [(q, -along), (p, along)]
        heads = [[tip, tip + back * length + across * 0.52 * length, tip + back * length - across * 0.52 * length]
                 for tip, back in ends]  # fmt: skip
        shafts = (p if one_way else p + along * 0.8 * length, q - along * 0.8 * length)
    width = canvas.width(look.width, 0.7)
    if look.halo:
        halo = width * 2.6
        canvas.shape(shafts, Ink(8.7, edge=look.halo, width=halo), closed=False)
        for head in heads:
            canvas.shape(head, Ink(8.7, look.halo, look.halo, halo - width))
    canvas.shape(shafts, Ink(8.71, edge=look.color, width=width, dash=canvas.dash(look.dash, width)), closed=False)
    for head in heads:
        canvas.shape(head, Ink(8.71, look.color, look.color, 0.3 * width))


def link_sample(canvas: Canvas, kind: str) -> None:
    """Draw a link in a legend's box, 1.1547 wide and 0.5 high."""
    look = link_look(canvas.style, kind)
    p, q = np.array([0.25, 0.25]), np.array([0.9, 0.25])
    size = look.size * canvas.unit
    if look.shape in ("arrow", "line"):
        _stretch(canvas, look, p, q, one_way=True)
    elif look.shape == "twins" and look.glyph:
        for spot in (p, q):
            draw_glyph(canvas, look.glyph, (float(spot[0]), float(spot[1])), size, 8.95)
    elif look.shape == "ends" and look.glyph:
        draw_glyph(canvas, look.glyph, (0.45, 0.25), size, 8.95)
        write(canvas, "A", np.array([0.76, 0.25]), size, look.color, 8.96, halo=look.halo or "", bold=True)
    elif look.shape == "target":
        target(canvas, np.array([0.45, 0.25]), size / 2, look)
        write(canvas, "17", np.array([0.72, 0.25]), 0.62 * size, look.color, 8.96, halo=look.halo or "", bold=True)
    elif look.shape == "egress":
        write(canvas, "17 23 9", np.array([0.577, 0.25]), size, look.color, 8.96, halo=look.halo or "")


def target(canvas: Canvas, at: Floats, radius: float, look: LinkLook) -> None:
    """Draw a target symbol."""
    width = canvas.width(26)
    if look.halo:
        canvas.disc(at, radius * 1.12, Ink(8.94, look.halo, look.halo, width))
    canvas.disc(at, radius * 0.78, Ink(8.95, edge=look.color, width=width))
    canvas.disc(at, radius * 0.18, Ink(8.95, look.color))
    for arm in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
        for sign in (-1, 1):
            line = [at + arm * sign * radius * 0.5, at + arm * sign * radius * 1.1]
            canvas.shape(line, Ink(8.95, edge=look.color, width=width), closed=False)
