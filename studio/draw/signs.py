"""Numbers and names of areas in matplotlib: in discs and control boxes, beside their dots, or large."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import area_look
from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.letters import brief, text_path, write
from studio.draw.recording import noted, owned, sizes
from studio.draw.standing import MARKER, standing_on
from studio.draw.subject import areas_of, kind_of
from studio.draw.symbols import rounded

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_area_discs", "draw_area_names"]

_LABEL, _LABEL_PX = 130, 9.5  # height of a label in thousandths of a hex's height, and at least, in pixels
_LABELS_FROM = 38  # height of a hex in pixels from which labels are written


def draw_area_discs(canvas: Canvas, sites: Sites, zorder: float = 8.9, only: Container[str] | None = None) -> None:
    """Write the numbers of areas in discs, or only those of the areas with the ids in `only`."""
    standing = standing_on(canvas, sites)
    for area in owned(areas_of(sites.subject)):
        spot = standing.numbers.get(area.id)
        if spot is None or (only is not None and area.id not in only):
            continue
        disc, name = area_look(canvas.style, area.type).disc, area.name or area.id
        at, unit = spot.at, canvas.unit * spot.scale
        tagged = [disc.by_tag[tag] for tag in area.tags if tag in disc.by_tag]
        fill, ink = tagged[0] if tagged else (disc.fill, disc.ink)
        size = disc.size * unit
        if disc.box:
            half = disc.box * unit / 2
            canvas.put(rounded(at, half, half), Ink(zorder - 0.02, disc.box_fill, disc.edge, canvas.width(18)))
        canvas.disc(at, size / 2, Ink(zorder, fill, disc.edge, canvas.width(22)))
        text = sites.shown(name, sites.area_dot(area), number=True)
        write(canvas, text, at, size * (0.62 if len(text) < 3 else 0.46), ink, zorder + 0.02, bold=True)


def draw_area_names(canvas: Canvas, sites: Sites) -> None:
    """Write the numbers of areas in discs (zorder 8.9), or their names (10 and 11)."""
    style = canvas.style
    draw_area_discs(canvas, sites)
    marked = {f.at for f in sites.subject.features.values() if kind_of(f) == "marker"}
    for area in owned(areas_of(sites.subject)):
        look, name = area_look(style, area.type), brief(sites.shown(area.name or area.id, sites.area_dot(area)))
        at = np.asarray(sites.grid.to_map(*sites.area_dot(area)))
        if look.dot and canvas.px >= style.dots.from_px:
            radius = style.dots.size * canvas.unit / 2
            with noted(low=style.dots.from_px):
                canvas.disc(at, radius, Ink(8.6, look.dot, style.dots.halo, canvas.width(14)))
        if look.name == "label" and canvas.px >= _LABELS_FROM:
            _label(canvas, sites, area, name, (area.name or area.id) in marked)
        elif look.name == "text" and area.name:
            letters = style.letters
            height = 220 * canvas.unit
            write(canvas, name, at, height, letters.name_ink, 11, fonts=letters.name_fonts, halo=letters.halo)


def _label(canvas: Canvas, sites: Sites, area: Any, name: str, marked: bool) -> None:
    """Write the label of an area beside its dot, or beside the marker that lies on it, where it hides nothing."""
    standing, letters = standing_on(canvas, sites), canvas.style.letters
    gap = (0.45 * MARKER if marked else 0.75 * canvas.style.dots.size) * canvas.unit
    at = np.asarray(sites.grid.to_map(*sites.area_dot(area)))
    for px in sizes(canvas.px, _LABELS_FROM):
        height = max(_LABEL, 1000 * _LABEL_PX / px) * canvas.unit
        wide = text_path(name, letters.fonts)[2] * height
        spot = standing.beside(at, (gap, gap), wide, 0.84 * height, standing.polygon(area), take=px == canvas.px)
        write(canvas, name, spot, height, letters.ink, 10, halo=letters.halo)
