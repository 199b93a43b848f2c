"""Signs on the ground in matplotlib: numbers in discs, roofs and boxes, and the links between locations."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import area_look
from studio.draw.canvas import Canvas
from studio.draw.letters import draw_glyph, draw_text, held, text_path
from studio.draw.shapes import LinkLook, PlaceLook, looked_up
from studio.draw.sites import box_letters, short_label
from studio.draw.style import Style
from studio.draw.subject import Floats, areas_of, kind_of

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = [
    "draw_area_discs",
    "draw_area_names",
    "draw_links",
    "draw_places",
    "link_sample",
    "place_look",
    "place_sample",
]

_PLACE, _LINK = PlaceLook(), LinkLook()
_TEXT_PX = 5.5  # no letters below that height


def draw_area_discs(canvas: Canvas, sites: Sites, zorder: float = 8.9, only: Container[str] | None = None) -> None:
    """Write the numbers of areas in discs at their dots, or only those of the areas with the ids in `only`."""
    for area in areas_of(sites.subject):
        look, name = area_look(canvas.style, area.type), area.name or area.id
        if look.name == "disc" and (only is None or area.id in only):
            at = np.asarray(sites.grid.to_map(*sites.area_dot(area)))
            tagged = [look.disc.by_tag[tag] for tag in area.tags if tag in look.disc.by_tag]
            fill, ink = tagged[0] if tagged else (look.disc.fill, look.disc.ink)
            size = look.disc.size * canvas.unit
            _disc(canvas, at, size / 2, (fill, look.disc.edge), canvas.width(22), zorder)
            text = short_label(name)
            _letter(canvas, text, at, size * (0.62 if len(text) < 3 else 0.46), ink, zorder + 0.02, bold=True)


def draw_area_names(canvas: Canvas, sites: Sites) -> None:
    """Write the numbers of areas in discs at their dots (zorder 8.9), or their names (11)."""
    style = canvas.style
    draw_area_discs(canvas, sites)
    for area in areas_of(sites.subject):
        look, name = area_look(style, area.type), area.name or area.id
        at = np.asarray(sites.grid.to_map(*sites.area_dot(area)))
        if look.dot and canvas.px >= style.dots.from_px:
            radius = style.dots.size * canvas.unit / 2
            _disc(canvas, at, radius, (look.dot, style.dots.halo), canvas.width(14), 8.6)
        if look.name == "label":
            spot, height = at + np.array([0, 150 * canvas.unit]), 130 * canvas.unit
            _letter(canvas, name, spot, height, style.letters.ink, 10, halo=style.letters.halo)
        elif look.name == "text" and area.name:
            letters = style.letters
            height = 220 * canvas.unit
            _letter(canvas, area.name, at, height, letters.name_ink, 11, fonts=letters.name_fonts, halo=letters.halo)


def _letter(canvas: Canvas, text: str, at: Floats, height: float, ink: str, zorder: float, **options: Any) -> None:
    """Write a text where it is large enough to be read."""
    if text and height / (1000 * canvas.unit) * canvas.px >= _TEXT_PX:
        wide = text_path(text, options.get("fonts") or canvas.style.letters.fonts)[2] * height
        spot = held(canvas.ax, at, wide, height) if zorder >= 10 else at
        if spot is not None:
            draw_text(canvas, text, spot, height, ink, zorder, **options)


def _disc(canvas: Canvas, at: Floats, radius: float, inks: tuple[str, str], width: float, zorder: float) -> None:
    from matplotlib.patches import Circle

    fill, edge = inks
    canvas.ax.add_patch(
        Circle((float(at[0]), float(at[1])), radius, facecolor=fill, edgecolor=edge, linewidth=width, zorder=zorder)
    )


# -- places ----------------------------------------------------------------------------------------------------------


def draw_places(
    canvas: Canvas, sites: Sites, looks: Mapping[str, PlaceLook] | None = None, zorder: float = 8.8
) -> None:
    """Draw the symbols of places, or only those with a look in `looks`, by their ids."""
    subject = sites.subject
    names = [area.name for area in areas_of(subject)]
    pointing = _pointing(sites, canvas.style)
    for feature in subject.features.values():
        if kind_of(feature) == "place" and (looks is None or feature.id in looks):
            look = place_look(canvas.style, feature.type) if looks is None else looks[feature.id]
            at = np.asarray(sites.grid.to_map(*feature.at))
            text = feature.name if look.text == "name" else box_letters(feature.name, names)
            _paint_place(canvas, look, at, text, pointing.get(feature.name, []), zorder)


def place_look(style: Style, kind: str) -> PlaceLook:
    """Return how the places of a type look."""
    return looked_up(style.places, kind) or _PLACE


def _pointing(sites: Sites, style: Style) -> dict[str, list[Floats]]:
    """Return, by the name of a place, the directions to the places that its symbol points to."""
    places = {f.name: f for f in sites.subject.features.values() if kind_of(f) == "place"}
    found: dict[str, list[Floats]] = {}
    for link in sites.subject.features.values():
        if kind_of(link) != "link":
            continue
        for here, there in ((link.a, link.b), (link.b, link.a)):
            place = places.get(here)
            look = looked_up(style.places, place.type) if place is not None else None
            other = sites.find(there) if look and any(name in link.type for name in look.points_to) else None
            if place is not None and other is not None and there in places:
                way = other - np.asarray(sites.grid.to_map(*place.at))
                found.setdefault(here, []).append(way / (float(np.hypot(*way)) or 1.0))
    return found


def _paint_place(
    canvas: Canvas, look: PlaceLook, at: Floats, text: str, ways: Sequence[Floats] = (), zorder: float = 8.8
) -> None:
    from matplotlib.patches import FancyBboxPatch, Polygon

    r, edge = look.size * canvas.unit / 2, canvas.width(look.width)
    inks: dict[str, Any] = {"facecolor": look.fill, "edgecolor": look.edge, "linewidth": edge, "zorder": zorder}
    if look.shape == "box":
        shape = f"round,pad=0,rounding_size={0.3 * r}"
        canvas.ax.add_patch(FancyBboxPatch((at[0] - r, at[1] - r), 2 * r, 2 * r, boxstyle=shape, **inks))
    elif look.shape == "square":
        canvas.ax.add_patch(Polygon(_pointed(at, r, ways), joinstyle="miter", **inks))
    else:
        _disc(canvas, at, r, (look.fill, look.edge), edge, zorder)
    if look.shape == "manhole" and canvas.px >= 20:
        for share in (-0.42, 0.0, 0.42):
            half, y = r * math.sqrt(1 - share * share) * 0.72, at[1] + share * r
            x = [at[0] - half, at[0] + half]
            canvas.ax.plot(x, [y, y], color=look.edge, lw=edge, solid_capstyle="butt", zorder=zorder + 0.01)
    if look.dot:
        _disc(canvas, at, r * 0.3, (look.dot, "#ffffff"), edge * 0.7, zorder + 0.02)
    if look.text != "none":
        _letter(canvas, text, at, r * (1.05 if len(text) < 3 else 0.75), look.ink, zorder + 0.03, bold=True)


def _pointed(at: Floats, r: float, ways: Sequence[Floats]) -> Floats:
    """Return a square, with a point on the sides that lie in the given directions."""
    corners = np.array([[-r, -r], [r, -r], [r, r], [-r, r]])
    normals = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
    pointed = {int(np.argmax(normals @ way)) for way in ways}
    outline = []
    for side in range(4):
        outline.append(corners[side])
        if side in pointed:
            outline.append(normals[side] * r * 1.75)
    return np.asarray(at + np.asarray(outline))


def place_sample(canvas: Canvas, kind: str) -> None:
    """Draw a place's symbol in a legend's box, 1.1547 wide and 0.5 high."""
    _paint_place(canvas, place_look(canvas.style, kind), np.array([0.577, 0.25]), "")


# -- links -----------------------------------------------------------------------------------------------------------


def draw_links(canvas: Canvas, sites: Sites) -> None:
    """Draw links between locations: arrows and lines (zorder 8.7), signs at their ends (8.95)."""
    if canvas.px < canvas.style.zoom.marks:
        return
    links = [f for f in sites.subject.features.values() if kind_of(f) == "link"]
    for link in links:
        look = looked_up(canvas.style.links, link.type) or _LINK
        start, end = sites.find(link.a), sites.find(link.b)
        if start is None or end is None:
            continue
        way = end - start
        run = float(np.hypot(*way)) or 1.0
        rooms = _room(canvas, sites, link.a), _room(canvas, sites, link.b)
        p, q = start + way / run * rooms[0], end - way / run * rooms[1]
        if look.shape in ("arrow", "line") and run > sum(rooms):
            _stretch(canvas, link, look, p, q)
        elif look.shape == "twins" and look.glyph:
            size = look.size * canvas.unit
            for spot in (p + way / run * 0.62 * size, q - way / run * 0.62 * size):
                draw_glyph(canvas, look.glyph, (float(spot[0]), float(spot[1])), size, 8.95)
    _numbered(canvas, sites, links)


def _room(canvas: Canvas, sites: Sites, label: str) -> float:
    """Return how far from its dot a link to a location ends, in map units."""
    for feature in sites.subject.features.values():
        if kind_of(feature) == "place" and feature.name == label:
            look = place_look(canvas.style, feature.type)
            return look.size * 0.56 * canvas.unit
    return 120 * canvas.unit


def _stretch(canvas: Canvas, link: Any, look: LinkLook, p: Floats, q: Floats) -> None:
    from matplotlib.patches import FancyArrowPatch

    gap = float(np.hypot(*(q - p))) / canvas.unit * canvas.scale
    shape = "-" if look.shape == "line" else "-|>" if link.one_way else "<|-|>"
    head = shape if shape == "-" else f"{shape},head_length=0.36,head_width=0.24"
    layers = [(look.halo, 2.6), (look.color, 1.0)] if look.halo else [(look.color, 1.0)]
    for color, factor in layers:
        width = canvas.width(look.width, 0.7) * factor
        dash: Any = (0, [d * canvas.scale / width for d in look.dash]) if look.dash and factor == 1.0 else "-"
        canvas.ax.add_patch(
            FancyArrowPatch(
                (float(p[0]), float(p[1])),
                (float(q[0]), float(q[1])),
                arrowstyle=head,
                mutation_scale=min(max(4.0, look.size * canvas.scale), 1.15 * gap),
                shrinkA=0,
                shrinkB=0,
                color=color,
                linewidth=width,
                linestyle=dash,
                capstyle="butt",
                zorder=8.7 + (0.01 if factor == 1.0 else 0),
            )
        )


def link_sample(canvas: Canvas, kind: str) -> None:
    """Draw a link in a legend's box, 1.1547 wide and 0.5 high."""
    look = looked_up(canvas.style.links, kind) or _LINK
    p, q = np.array([0.25, 0.25]), np.array([0.9, 0.25])
    size = look.size * canvas.unit
    if look.shape in ("arrow", "line"):
        _stretch(canvas, _OneWay(), look, p, q)
    elif look.shape == "twins" and look.glyph:
        for spot in (p, q):
            draw_glyph(canvas, look.glyph, (float(spot[0]), float(spot[1])), size, 8.95)
    elif look.shape == "target":
        _target(canvas, np.array([0.45, 0.25]), size / 2, look)
        _letter(canvas, "17", np.array([0.72, 0.25]), 0.62 * size, look.color, 8.96, halo=look.halo or "", bold=True)
    elif look.shape == "egress":
        _letter(canvas, "17 23 9", np.array([0.577, 0.25]), size, look.color, 8.96, halo=look.halo or "")


class _OneWay:
    """Stands for a link that holds from one end only."""

    one_way = True


def _numbered(canvas: Canvas, sites: Sites, links: Sequence[Any]) -> None:
    """Draw target symbols with the numbers of the locations that they name, and egress numbers in their order."""
    ordered = sorted(links, key=lambda link: (link.type, link.a))
    for (kind, start), group in itertools.groupby(ordered, key=lambda link: (link.type, link.a)):
        look = looked_up(canvas.style.links, kind) or _LINK
        at = sites.find(start)
        if look.shape not in ("target", "egress") or at is None:
            continue
        found = sorted(group, key=lambda link: link.order)
        words = " ".join(link.text or short_label(link.b) for link in found)
        spot = _inside(sites, start, at, np.asarray(look.place) * canvas.unit)
        height = look.size * canvas.unit
        if look.shape == "target":
            _target(canvas, spot, height / 2, look)
            spot, height = spot + np.array([0, 0.95 * height]), 0.62 * height
        bold = look.shape == "target"
        _letter(canvas, words, spot, height, look.color, 8.96, halo=look.halo or "", bold=bold)


def _inside(sites: Sites, label: str, at: Floats, shift: Floats) -> Floats:
    """Return the place of a sign beside a dot: below it, or where else it lies inside the area, or at the dot."""
    from shapely import Point as ShapelyPoint

    from studio.survey.shapes import polygon_of

    area = next((area for area in areas_of(sites.subject) if label in (area.name, area.id)), None)
    if area is None:
        return at + shift
    # The sign itself should not stick out either.
    polygon, scale = polygon_of(area).buffer(-120), np.asarray(sites.grid.scale)
    turned = np.array([shift[1], shift[0]])
    for spot in (at + shift, at - shift, at + turned, at - turned):
        if polygon.contains(ShapelyPoint(*(spot / scale))):
            return np.asarray(spot)
    return at


def _target(canvas: Canvas, at: Floats, radius: float, look: LinkLook) -> None:
    width = canvas.width(26)
    if look.halo:
        _disc(canvas, at, radius * 1.12, (look.halo, look.halo), width, 8.94)
    _disc(canvas, at, radius * 0.78, ("none", look.color), width, 8.95)
    _disc(canvas, at, radius * 0.18, (look.color, look.color), 0.5, 8.95)
    for arm in (np.array([1.0, 0.0]), np.array([0.0, 1.0])):
        for sign in (-1, 1):
            (x0, y0), (x1, y1) = at + arm * sign * radius * 0.5, at + arm * sign * radius * 1.1
            canvas.ax.plot([x0, x1], [y0, y1], color=look.color, lw=width, solid_capstyle="butt", zorder=8.95)
