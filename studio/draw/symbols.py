"""Symbols of places in matplotlib: boxes, roofs, manholes, exits and trays, and the signs of tags."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.draw.areas import area_look
from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.letters import draw_glyph, write
from studio.draw.recording import noted, owned
from studio.draw.shapes import PlaceLook, TagSign, looked_up
from studio.draw.sites import box_letters
from studio.draw.style import Style
from studio.draw.subject import Floats, areas_of, kind_of, map_points
from studio.draw.trays import Tray, tray_of

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["Nearest", "draw_places", "draw_tags", "place_look", "place_sample", "rounded", "tag_sample", "tag_spots"]

_PLACE = PlaceLook()
_RAISED = {"'": "\N{PRIME}", '"': "\N{DOUBLE PRIME}"}  # 1' and 1" as they are printed


def rounded(at: Floats, wide: float, high: float) -> Any:
    """Return a box with rounded corners, by its half width and half height."""
    from matplotlib.path import Path

    r, x, y = 0.3 * min(wide, high), wide, high
    corners = [(-x, r - y), (-x, -y), (r - x, -y), (x - r, -y), (x, -y), (x, r - y)]
    # Around the middle the other half is the same.
    points = np.array([*corners, *(-np.array(corners))])
    return Path(np.vstack([points, points[:1]]) + at, [1, 3, 3, *[2, 3, 3] * 3, 79])


# -- places ----------------------------------------------------------------------------------------------------------


def draw_places(
    canvas: Canvas, sites: Sites, looks: Mapping[str, PlaceLook] | None = None, zorder: float = 8.8
) -> None:
    """Draw the symbols of places, or only those with a look in `looks`, by their ids."""
    subject = sites.subject
    names = [sites.shown(area.name, sites.area_dot(area)) for area in areas_of(subject)]
    pointing = _pointing(sites, canvas.style)
    for feature in owned(subject.features.values()):
        if kind_of(feature) == "place" and (looks is None or feature.id in looks):
            look = place_look(canvas.style, feature.type) if looks is None else looks[feature.id]
            at = np.asarray(sites.grid.to_map(*feature.at))
            whole = sites.shown(feature.name, feature.at)
            text = whole if look.text == "name" else box_letters(whole, names)
            ways = pointing.get(feature.name, [])
            if look.shape == "tray":
                _paint_tray(canvas, look, tray_of(sites, canvas.style, feature, look, text), zorder)
            else:
                _paint_place(canvas, look, at, text, ways, zorder)
            if look.levels and feature.level:
                # On the side that no point is in the way of.
                side = -1 if sum(float(way[0]) for way in ways) > 0 else 1
                spot = at + np.array([side * 0.92 * look.size * canvas.unit, 0])
                sign = f"{feature.level:+d}".replace("-", "\N{MINUS SIGN}")
                height = 0.46 * look.size * canvas.unit
                write(
                    canvas,
                    sign,
                    spot,
                    height,
                    look.dot or look.ink,
                    zorder + 0.03,
                    halo=canvas.style.letters.halo,
                    bold=True,
                )


def place_look(style: Style, kind: str) -> PlaceLook:
    """Return how the places of a type look."""
    return looked_up(style.places, kind) or _PLACE


def _pointing(sites: Sites, style: Style) -> dict[str, list[Floats]]:
    """Return, by the name of a place, the directions to the places that its symbol points to."""
    places = {f.name: f for f in sites.subject.features.values() if kind_of(f) == "place"}
    looks = {name: place_look(style, place.type) for name, place in places.items()}
    found: dict[str, list[Floats]] = {}
    for link in sites.subject.features.values():
        if kind_of(link) != "link":
            continue
        for here, there in ((link.a, link.b), (link.b, link.a)):
            if here not in places or there not in places:
                continue
            if any(name in link.type for name in looks[here].points_to):
                start, end = (np.asarray(sites.grid.to_map(*places[name].at)) for name in (here, there))
                found.setdefault(here, []).append((end - start) / (float(np.hypot(*(end - start))) or 1.0))
    return found


def _paint_place(
    canvas: Canvas, look: PlaceLook, at: Floats, text: str, ways: Sequence[Floats] = (), zorder: float = 8.8
) -> None:
    r, edge = look.size * canvas.unit / 2, canvas.width(look.width)
    wide = (look.wide or look.size) * canvas.unit / 2
    ink = Ink(zorder, look.fill, look.edge, edge)
    if look.shape in ("box", "tray"):
        canvas.put(rounded(at, wide, r), ink)
    elif look.shape == "square":
        canvas.shape(_pointed(at, r, ways), ink)
    elif look.shape == "exit":
        corners = np.array([[-wide, -r], [wide, -r], [wide, 0.4 * r], [0, 1.5 * r], [-wide, 0.4 * r]])
        canvas.shape(at + corners, ink)
    else:
        canvas.disc(at, r, ink)
    if look.shape == "manhole" and canvas.px >= 20:
        for share in (-0.42, 0.0, 0.42):
            half, y = r * math.sqrt(1 - share * share) * 0.72, at[1] + share * r
            line = [[at[0] - half, y], [at[0] + half, y]]
            with noted(low=20):
                canvas.shape(line, Ink(zorder + 0.01, edge=look.edge, width=edge), closed=False)
    if look.dot:
        canvas.disc(at, r * 0.3, Ink(zorder + 0.02, look.dot, "#ffffff", edge * 0.7))
    if look.text != "none":
        printed = "".join(_RAISED.get(char, char) for char in text)
        height = r * (1.05 if len(text) < 3 else 0.75)
        write(canvas, printed, at, height, look.ink, zorder + 0.03, bold=True)


def _paint_tray(canvas: Canvas, look: PlaceLook, tray: Tray, zorder: float) -> None:
    high = look.size * canvas.unit
    box = rounded(tray.middle, tray.wide / 2, high / 2)
    canvas.put(box, Ink(zorder, look.fill, look.edge, canvas.width(look.width)))
    for n, line in enumerate(tray.lines):
        spot = tray.middle + np.array([0, (0.8 + 1.15 * n) * tray.height - high / 2])
        write(canvas, line, spot, tray.height, look.ink, zorder + 0.03, fonts=_fonts(canvas))


def _fonts(canvas: Canvas) -> list[str]:
    return canvas.style.letters.name_fonts


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
    look = place_look(canvas.style, kind)
    shrunk = min(1.0, 1000 / max(look.wide, 1), 420 / max(look.size, 1))
    small = canvas._replace(unit=canvas.unit * shrunk) if look.wide else canvas
    _paint_place(small, look, np.array([0.577, 0.25]), "")


# -- tags ------------------------------------------------------------------------------------------------------------


def draw_tags(canvas: Canvas, sites: Sites, dodge: Callable[[Any, Floats, float], Floats | None]) -> None:
    """Draw the signs of the tags of areas and places (zorder 8.96).

    `dodge` may place the sign of an area otherwise, by the area, the way from its dot to the sign, and its size.
    """
    if canvas.px < canvas.style.zoom.marks:
        return
    nearest = Nearest(sites)
    for feature in owned(sites.subject.features.values()):
        if kind_of(feature) not in ("area", "place") or not feature.tags:
            continue
        for sign, spot in tag_spots(canvas, sites, nearest, feature):
            size = sign.size * canvas.unit
            moved = None
            if kind_of(feature) == "area":
                moved = dodge(feature, spot - sites.grid.to_map(*sites.area_dot(feature)), size)
            x, y = (spot if moved is None else moved).tolist()
            draw_glyph(canvas, sign.glyph, (x, y), size, 8.96)


def tag_spots(canvas: Canvas, sites: Sites, nearest: Nearest, feature: Any) -> Iterable[tuple[TagSign, Floats]]:
    """Yield the signs of the tags of an area or a place, and where they stand beside its dot."""
    style, is_area = canvas.style, kind_of(feature) == "area"
    signs = area_look(style, feature.type).tags if is_area else place_look(style, feature.type).tags
    point = np.asarray(sites.grid.to_map(*(sites.area_dot(feature) if is_area else feature.at)))
    for sign in (signs[tag] for tag in feature.tags if tag in signs):
        yield sign, point + _shift(nearest, sign, point) * canvas.unit


def tag_sample(canvas: Canvas, sign: TagSign) -> None:
    """Draw the sign of a tag in a legend's box, 1.1547 wide and 0.5 high."""
    draw_glyph(canvas, sign.glyph, (0.577, 0.25), 300 * canvas.unit, 8.96)


def _shift(nearest: Nearest, sign: TagSign, at: Floats) -> Floats:
    x, y = sign.place
    way = nearest.way(sign.toward, at) if sign.toward else None
    if way is None:
        return np.array([float(x), float(y)])
    return np.asarray(way * x + np.array([-way[1], way[0]]) * y)


class Nearest:
    """Finds the way from a point to the nearest area of a type."""

    def __init__(self, sites: Sites) -> None:
        self._sites = sites
        self._trees: dict[str, Any] = {}

    def way(self, kind: str, at: Floats) -> Floats | None:
        """Return the direction from a point in map units to the nearest area of a type, None without one."""
        import shapely

        if kind not in self._trees:
            self._trees[kind] = shapely.STRtree(list(self._polygons(kind)))
        tree, point = self._trees[kind], shapely.Point(*at)
        found = tree.nearest(point)
        if found is None:
            return None
        run = np.diff(shapely.get_coordinates(shapely.shortest_line(point, tree.geometries[found])), axis=0)[0]
        length = float(np.hypot(*run))
        return run / length if length else None

    def _polygons(self, kind: str) -> Iterable[Any]:
        import shapely

        grid = self._sites.grid
        for area in areas_of(self._sites.subject):
            if area.type == kind:
                yield shapely.Polygon(map_points(grid, area.outline), [map_points(grid, hole) for hole in area.holes])
