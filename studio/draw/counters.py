"""Counters on a map: single ones, stacks, and what they face; drawn by matplotlib of the same marks as a canvas."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.counterpen import FIELD, Face, vertices_of
from studio.draw.letters import draw_text
from studio.draw.sites import Sites
from studio.draw.subject import Floats

if TYPE_CHECKING:
    from studio.survey.directory import Location

__all__ = ["BEARINGS", "SHOWN", "SIZE", "Spot", "Standee", "draw_counter", "draw_stack", "spot_of"]

SIZE = 0.68
"""Width of a counter, in hex heights."""

SHOWN = 3
"""Counters of a stack that show."""

BEARINGS = {"N": -90, "NE": -30, "E": 0, "SE": 30, "S": 90, "SW": 150, "W": 180, "NW": -150}
"""Directions of the hexsides of flat-top hexes (and E and W of the others), in degrees from the right, y down."""

_POINTY = {"NE": -60, "SE": 60, "SW": 120, "NW": -120}
_SHIFT = 0.075  # of a counter to the next of its stack, in its width
_WORDS_PX = 5.5  # no letters below that height


class Standee(NamedTuple):
    """A counter that stands somewhere."""

    face: Face
    facing: str = ""


class Spot(NamedTuple):
    """Where counters stand in a location: the middle, in map units, and the width of one, in hex heights."""

    x: float
    y: float
    size: float


def bearing(facing: str, orientation: str) -> float:
    """Return the direction of a hexside in degrees from the right, y down.

    Examples
    --------
    >>> bearing("NE", "flat"), bearing("NE", "pointy")
    (-30, -60)
    """
    return BEARINGS[facing] if orientation == "flat" else _POINTY.get(facing, BEARINGS[facing])


def spot_of(sites: Sites, number: int) -> Spot:
    """Return where the counters of a location stand: clear of a hex's or a zone's number, smaller in a small room.

    Parameters
    ----------
    sites : Sites
    number : int
        Of the location.
    """
    grid: Any = sites.grid
    if number < grid.cells:
        x, y = sites.hex_dot(number)
        return Spot(float(x), float(y) + 0.06 * grid.hex_height, SIZE)
    place = sites.directory.location(number)
    x, y = grid.to_map(*place.dot)
    if place.kind != "area":
        return Spot(float(x), float(y), 0.46)
    return _in_area(sites, place, float(x), float(y))


def _in_area(sites: Sites, place: Location, x: float, y: float) -> Spot:
    """Return where counters stand in an area: beside its dot where there is room, for its number stands there."""
    import shapely

    grid: Any = sites.grid
    scale, high = np.array([*grid.scale]), grid.hex_height
    rim = shapely.transform(sites.survey.polygon(place.feature), lambda points: points * scale).boundary
    shapely.prepare(rim)
    away = (SIZE / 2 + 0.3) * high
    angles = np.arange(8) * np.pi / 4
    tried = shapely.points(x + away * np.cos(angles), y + away * np.sin(angles))
    room = shapely.distance(tried, rim)
    room[~shapely.contains(sites.survey.polygon(place.feature), shapely.transform(tried, lambda p: p / scale))] = 0
    best = int(np.argmax(room))
    if room[best] > 0.62 * SIZE * high:
        return Spot(float(tried[best].x), float(tried[best].y), SIZE)
    here = float(shapely.distance(shapely.Point(x, y), rim))
    return Spot(x, y, float(min(SIZE, max(0.3, 1.5 * here / high))))


def draw_stack(canvas: Canvas, standees: Sequence[Standee], spot: Spot, orientation: str, zorder: float) -> None:
    """Draw the counters of one place, the first one lowest; of many the uppermost, and their number.

    Parameters
    ----------
    canvas : Canvas
    standees : sequence of Standee
    spot : Spot
    orientation : {"flat", "pointy"}
        Of the grid.
    zorder : float
    """
    shown = standees[-SHOWN:]
    size = spot.size if len(shown) == 1 else spot.size * 0.9
    wide = size * 1000 * canvas.unit
    middle = np.array([spot.x, spot.y])
    for n, standee in enumerate(shown):
        shift = _SHIFT * (n - (len(shown) - 1) / 2) * wide
        draw_counter(canvas, standee, middle + np.array([shift, -shift]), wide, orientation, zorder + 0.02 * n)
    if len(standees) > 1:
        at = middle + np.array([-0.5, 0.5]) * wide
        canvas.disc(at, 0.19 * wide, Ink(zorder + 0.1, "#ffffff", "#1d1a17", max(0.5, 28 * size * canvas.scale)))
        draw_text(canvas, str(len(standees)), at, 0.26 * wide, "#1d1a17", zorder + 0.11, bold=True)


def draw_counter(canvas: Canvas, standee: Standee, at: Floats, wide: float, orientation: str, zorder: float) -> None:
    """Draw one counter around a point; `wide` in map units."""
    from matplotlib.path import Path

    step = wide / FIELD
    points_wide = step / canvas.unit * canvas.scale  # points of a line that is one step of the field wide
    for n, mark in enumerate(standee.face.marks):
        vertices, codes = vertices_of(mark.path)
        width = max(0.3, mark.width * points_wide) if mark.stroke else 0.0
        dash: Any = [(0, [mark.dash / mark.width, mark.dash / mark.width])] if mark.dash else "solid"
        ink = Ink(zorder + n * 1e-5, mark.fill or "none", mark.stroke or "none", width, dash=dash, join="round")
        canvas.put(Path((vertices - FIELD / 2) * step + at, codes), ink)
    if standee.facing:
        _arrow(canvas, bearing(standee.facing, orientation), at, wide, zorder + 0.005)
    for word in standee.face.words:
        if word.size * step / canvas.unit / 1000 * canvas.px < _WORDS_PX:
            continue
        spot = at + (np.array([word.x, word.y]) - FIELD / 2) * step
        draw_text(canvas, word.text, spot, word.size * step, word.color, zorder + 0.006, bold=word.bold)


def _arrow(canvas: Canvas, degrees: float, at: Floats, wide: float, zorder: float) -> None:
    """Draw the arrow of the side that a counter faces, at its rim."""
    ahead = np.array([cos(radians(degrees)), sin(radians(degrees))])
    across = np.array([-ahead[1], ahead[0]])
    # A counter is square: its rim lies further off towards the corners.
    rim = 0.5 / max(abs(ahead[0]), abs(ahead[1]))
    points = [(rim - 0.06, -0.22), (rim + 0.19, 0.0), (rim - 0.06, 0.22)]
    corners = [at + (a * ahead + b * across) * wide for a, b in points]
    width = max(0.4, 26 * wide / canvas.unit / 1000 * canvas.scale)
    canvas.shape(corners, Ink(zorder, "#1d1a17", "#ffffff", width, join="round"))
