"""Target symbols with the numbers of the locations that they name, and egress numbers, in matplotlib."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.canvas import Canvas
from studio.draw.letters import text_path, write
from studio.draw.links import link_look, target
from studio.draw.recording import noted
from studio.draw.room import inside
from studio.draw.standing import standing_on
from studio.draw.subject import Floats, areas_of, kind_of

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_numbered"]


def draw_numbered(canvas: Canvas, sites: Sites) -> None:
    """Draw target symbols and egress numbers beside the numbers of their areas (zorder 8.95)."""
    if canvas.px < canvas.style.zoom.marks:
        return
    links = [f for f in sites.subject.features.values() if kind_of(f) == "link"]
    ordered = sorted(links, key=lambda link: (link.type, link.a))
    areas = {name: area for area in areas_of(sites.subject) for name in (area.id, area.name)}
    for (kind, start), group in itertools.groupby(ordered, key=lambda link: (link.type, link.a)):
        look = link_look(canvas.style, kind)
        at = sites.find(start)
        if look.shape not in ("target", "egress") or at is None:
            continue
        found = sorted(group, key=lambda link: link.order)
        words = " ".join(link.text or _end(sites, link.b) for link in found)
        height = look.size * canvas.unit
        aimed = look.shape == "target"
        wide = text_path(words, canvas.style.letters.fonts)[2] * height * (0.62 if aimed else 1.0)
        # A target symbol stands above its numbers.
        room = (max(wide, 1.2 * height), 2.1 * height) if aimed else (wide, 0.9 * height)
        drop = np.array([0.0, 0.45 * height]) if aimed else np.zeros(2)
        spot = _place(canvas, sites, areas.get(start), at, np.asarray(look.place) * canvas.unit, room, drop)
        with noted(owner=found[0].id):
            if aimed:
                target(canvas, spot, height / 2, look)
                spot, height = spot + np.array([0, 0.95 * height]), 0.62 * height
            write(canvas, words, spot, height, look.color, 8.96, halo=look.halo or "", bold=aimed)


def _end(sites: Sites, label: str) -> str:
    """Return what is written of the end of a link: its number, as its own sheet writes it."""
    at = sites.find(label)
    if at is None:
        return label
    x, y = np.round(at / np.asarray(sites.grid.scale)).astype(int).tolist()
    return sites.shown(label, (x, y), number=True)


def _place(
    canvas: Canvas, sites: Sites, area: Any, at: Floats, shift: Floats, room: tuple[float, float], drop: Floats
) -> Floats:
    """Return the place of a sign: below the number of its area, above or beside it, where it lies inside and free.

    Without a number in a disc the sign stands at the dot; `drop` goes from it to the middle of the room it needs.
    """
    if area is None:
        return at + shift
    standing = standing_on(canvas, sites)
    number = standing.numbers.get(area.id)
    if number is not None:
        at = number.at
    # Beside a disc there has to be room for more letters than below it.
    turned = 1.8 * np.array([shift[1], shift[0]])
    spots = np.array([at + shift, at - shift, at + turned, at - turned] if number is not None else [at, at + shift])
    polygon = standing.polygon(area)
    margin = 60 * canvas.unit
    over = standing.taken.overlap(spots + drop, *room) / (room[0] * room[1])
    cost = over + 0.6 * ~inside(polygon, spots, 2 * margin, 2 * margin) + 0.2 * ~inside(polygon, spots + drop, *room)
    found: Floats = spots[int(np.argmin(np.round(cost, 2) + 0.01 * np.arange(len(spots))))]
    standing.taken.add(found + drop, *room)
    return found
