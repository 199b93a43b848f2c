"""Markers in matplotlib: icons, and clouds that cover further locations with their tail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import area_look, polygon_path
from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.letters import draw_glyph, draw_marker, write
from studio.draw.recording import owned
from studio.draw.shapes import CloudLook, Disc, looked_up
from studio.draw.standing import standing_on
from studio.draw.subject import Floats, areas_of, kind_of

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_markers"]

_CLOUD = CloudLook()
_HEAD, _TAIL = 470, 340  # radius of the body at the head and along the tail, in thousandths of a hex's height


def draw_markers(canvas: Canvas, sites: Sites) -> None:
    """Draw markers as icons (zorder 9); of a cloud the body from head to tail (8.75), small icons along the tail.

    A marker on an area with a control box lies in that.
    """
    boxes = {area.name or area.id: area for area in areas_of(sites.subject) if _disc(canvas, area).box}
    for feature in owned(sites.subject.features.values()):
        if kind_of(feature) != "marker":
            continue
        at = sites.where(feature.at)
        if at is not None and feature.at in boxes:
            _control(canvas, sites, feature, boxes[feature.at])
            continue
        also = getattr(feature, "also", ())
        if at is not None and also:
            _paint_cloud(canvas, sites, feature, at)
        if at is not None:
            draw_marker(canvas, feature.type, (float(at[0]), float(at[1])))


def _disc(canvas: Canvas, area: Any) -> Disc:
    look = area_look(canvas.style, area.type)
    return look.disc if look.name == "disc" else Disc()


def _control(canvas: Canvas, sites: Sites, marker: Any, area: Any) -> None:
    """Draw a marker in the control box of its area, with the number of the area again in its corner."""
    disc = _disc(canvas, area)
    at, scale = standing_on(canvas, sites).numbers[area.id]
    draw_marker(canvas, marker.type, (float(at[0]), float(at[1])), 1.2 * disc.box * scale)
    tagged = [disc.by_tag[tag] for tag in area.tags if tag in disc.by_tag]
    fill, ink = tagged[0] if tagged else (disc.fill, disc.ink)
    spot, size = at + 0.45 * disc.box * canvas.unit * scale * np.array([1, -1]), 0.7 * disc.size * canvas.unit * scale
    canvas.disc(spot, size / 2, Ink(9.1, fill, disc.edge, canvas.width(18)))
    text = sites.shown(area.name or area.id, sites.area_dot(area), number=True)
    write(canvas, text, spot, 0.6 * size, ink, 9.12, bold=True)


def _paint_cloud(canvas: Canvas, sites: Sites, marker: Any, head: Floats) -> None:
    look = looked_up(canvas.style.clouds, marker.type) or _CLOUD
    hexes, name = [], canvas.style.markers.get(marker.type)
    for label in marker.also:
        at = sites.where(label)
        if at is None:
            continue
        location = _location(sites, label)
        if location is None or location.kind == "hex":
            hexes.append(at)
        elif location.kind == "area":
            # The whole room is in the cloud, whatever part of it the marker covers.
            ink = Ink(8.72, look.fill, look.edge, canvas.width(16), 0.55 * look.opacity / 1000)
            canvas.put(sites.outline(location), ink)
        if name is not None:
            draw_glyph(canvas, name, (float(at[0]), float(at[1])), 330 * canvas.unit, 9, alpha=0.85)
    _paint_body(canvas, look, head, hexes)


def _location(sites: Sites, label: str) -> Any:
    """Return a location that is no hex by its label, None for a hex."""
    if sites.plain:
        return None
    number = sites.directory.find(label)
    return sites.directory.location(number) if number is not None else None


def _paint_body(canvas: Canvas, look: CloudLook, head: Floats, tail: list[Floats]) -> None:
    """Draw the body: a wide puff at the head, narrower ones along the tail; a hex without a dot leaves no gap."""
    import shapely

    ordered = sorted(tail, key=lambda at: float(np.hypot(*(at - head))))
    puffs = [shapely.Point(*head).buffer(_HEAD * canvas.unit, 12)]
    before = head
    for at in ordered:
        steps = math.ceil(float(np.hypot(*(at - before))) / (500 * canvas.unit))
        for step in range(1, steps + 1):
            spot, size = before + (at - before) * step / steps, _TAIL * (1.0 if step == steps else 0.8)
            puffs.append(shapely.Point(*spot).buffer(size * canvas.unit, 12))
        before = at
    body = shapely.union_all(puffs)
    canvas.put(polygon_path(body), Ink(8.75, look.fill, look.edge, canvas.width(24), look.opacity / 1000, "round"))
