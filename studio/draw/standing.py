"""What stands on a map already, so that numbers and labels dodge it: symbols, openings, markers, names, dots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.areas import area_look
from studio.draw.canvas import Canvas
from studio.draw.fixtures import aperture_lines
from studio.draw.letters import brief, readable, text_path
from studio.draw.links import stretch_ends, twin_spots
from studio.draw.room import Taken, around, inside
from studio.draw.subject import Floats, areas_of, kind_of
from studio.draw.symbols import Nearest, place_look, tag_spots
from studio.draw.trays import tray_of

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["Spot", "Standing", "standing_on"]

MARKER = 620
"""Width of a marker, in thousandths of a hex's height."""

_SCALES = (1.0, 0.85, 0.7, 0.58, 0.46)  # of a number for which there is no room
_STEPS = 26  # of the lattice on which room is looked for, along the longer side of an area


class Spot(NamedTuple):
    """Where the number of an area stands, and by how much it is smaller than others."""

    at: Floats
    scale: float = 1.0


class Standing:
    """What stands on a map, with the places of the numbers of its areas.

    Parameters
    ----------
    canvas : Canvas
    sites : Sites

    Attributes
    ----------
    taken : Taken
    numbers : dict of str to Spot
        By the id of the area: at the dot that the designer drew, else where there is room.
    """

    def __init__(self, canvas: Canvas, sites: Sites) -> None:
        self._canvas, self._sites, self._unit = canvas, sites, canvas.unit
        self.taken = Taken()
        self._boxed = {
            area.name or area.id for area in areas_of(sites.subject) if area_look(canvas.style, area.type).disc.box
        }
        for feature in sites.subject.features.values():
            add = getattr(self, f"_add_{kind_of(feature)}", None)
            if add is not None:
                add(feature)
        self.numbers: dict[str, Spot] = {}
        self._settle()

    def _map(self, point: Any) -> Floats:
        return np.asarray(self._sites.grid.to_map(*point))

    # -- what is drawn ------------------------------------------------------------------------------------------

    def _add_place(self, place: Any) -> None:
        look, at, unit = place_look(self._canvas.style, place.type), self._map(place.at), self._unit
        if look.shape == "tray":
            tray = tray_of(self._sites, self._canvas.style, place, look, place.name)
            self.taken.add(tray.middle, tray.wide, look.size * unit)
        else:
            self.taken.add(at, (look.wide or look.size) * unit, look.size * unit)
        for sign, spot in tag_spots(self._canvas, self._sites, self._nearest, place):
            self.taken.add(spot, sign.size * unit, sign.size * unit)

    @property
    def _nearest(self) -> Nearest:
        found: Nearest = self._sites.kept.setdefault("nearest", Nearest(self._sites))
        return found

    def _add_link(self, link: Any) -> None:
        for spot, size in twin_spots(self._canvas, self._sites, link):
            self.taken.add(spot, size, size)
        ends = stretch_ends(self._canvas, self._sites, link)
        if ends is not None:
            self.taken.add_line(*ends, 60 * self._unit)

    def _add_marker(self, marker: Any) -> None:
        at = self._sites.where(marker.at)
        if at is not None and marker.at not in self._boxed:
            self.taken.add(at, 0.84 * MARKER * self._unit, 0.84 * MARKER * self._unit)

    def _add_aperture(self, opening: Any) -> None:
        for p, q in aperture_lines(self._canvas, self._sites, opening):
            self.taken.add_line(p, q, 70 * self._unit)

    def _add_name(self, name: Any) -> None:
        high = name.size * 1000 * self._unit
        wide = 1.16 * text_path(brief(name.text), self._canvas.style.letters.name_fonts)[2] * high
        turn = np.radians(readable(name.angle))
        along = np.array([np.cos(turn), -np.sin(turn)]) * max(wide - high, 0.0) / 2
        self.taken.add_line(self._map(name.at) - along, self._map(name.at) + along, high)

    def _add_dot(self, dot: Any) -> None:
        size = self._canvas.style.dots.size * self._unit
        self.taken.add(self._map(dot.point), size, size)

    # -- numbers of areas ---------------------------------------------------------------------------------------

    def _settle(self) -> None:
        """Find the places of all numbers in discs; those that the designer placed come first."""
        searched = []
        for area in areas_of(self._sites.subject):
            look = area_look(self._canvas.style, area.type)
            if look.dot:
                self.taken.add(self._map(self._sites.area_dot(area)), 80 * self._unit, 80 * self._unit)
            if look.name != "disc":
                continue
            size = max(look.disc.box, look.disc.size) * self._unit
            if area.dot is None:
                searched.append((area, size))
            else:
                self.numbers[area.id] = Spot(self._map(area.dot))
                self.taken.add(self.numbers[area.id].at, size, size)
        for area, size in searched:
            spot = self._free(area, size)
            self.numbers[area.id] = spot
            self.taken.add(spot.at, size * spot.scale, size * spot.scale)

    def polygon(self, area: Any) -> Any:
        """Return the polygon of an area in map units."""
        import shapely

        from studio.survey.shapes import polygon_of

        scale = np.asarray(self._sites.grid.scale)
        return shapely.transform(polygon_of(area), lambda points: points * scale)

    def _free(self, area: Any, size: float) -> Spot:
        """Return the place nearest to the middle of an area where its number hides nothing, smaller if it must be."""
        polygon, middle = self.polygon(area), self._map(self._sites.area_dot(area))
        x0, y0, x1, y1 = polygon.bounds if not polygon.is_empty else (*middle, *middle)
        step = max(x1 - x0, y1 - y0) / _STEPS or 1.0
        lattice = np.stack(np.meshgrid(np.arange(x0, x1, step), np.arange(y0, y1, step)), axis=-1).reshape(-1, 2)
        spots = np.vstack([middle[None, :], lattice])
        spots = spots[np.argsort(np.hypot(*(spots - middle).T), kind="stable")]
        for scale in _SCALES:
            room = size * scale * 1.08
            fits = spots[inside(polygon, spots, room, room)]
            free = fits[self.taken.overlap(fits, room, room) == 0] if len(fits) else fits
            if len(free):
                return Spot(free[0], scale)
        room = size * _SCALES[-1]
        within = spots[inside(polygon, spots, 0.1 * room, 0.1 * room)]
        within = within if len(within) else spots[:1]
        return Spot(within[int(np.argmin(self.taken.overlap(within, room, room)))], _SCALES[-1])

    def beside_number(self, area: Any, shift: Floats, size: float) -> Floats:
        """Return the middle of a sign beside the number of an area: on the side where it hides least, and take it."""
        spot = self.numbers[area.id]
        turned = np.array([shift[1], shift[0]])
        spots = np.array([spot.at + way for way in (shift, -shift, turned, -turned)])
        found: Floats = spots[int(np.argmin(np.round(self.taken.overlap(spots, 1.2 * size, 1.2 * size) / size**2, 2)))]
        self.taken.add(found, size, size)
        return found

    # -- labels -------------------------------------------------------------------------------------------------

    def beside(
        self,
        at: Floats,
        gap: tuple[float, float],
        wide: float,
        high: float,
        polygon: Any = None,
        *,
        take: bool = True,
    ) -> Floats:
        """Return the middle of a free box beside a point, inside a polygon where that can be had, and take it."""
        spots = np.asarray(around(at, gap, wide, high))
        cost = self.taken.overlap(spots, wide, high) / (wide * high)
        if polygon is not None:
            cost = cost + 0.45 * ~inside(polygon, spots, wide, high)
        # The first of equal ones; those that come later are worth a little less.
        found: Floats = spots[int(np.argmin(np.round(cost, 3) + 0.02 * np.arange(len(spots))))]
        if take:
            self.taken.add(found, wide, high)
        return found


def standing_on(canvas: Canvas, sites: Sites) -> Standing:
    """Return what stands on a map, made once for a picture."""
    kept = sites.kept.get("standing")
    if kept is None or kept[0] is not canvas.style or kept[1] != canvas.px:
        kept = sites.kept["standing"] = (canvas.style, canvas.px, Standing(canvas, sites))
    found: Standing = kept[2]
    return found
