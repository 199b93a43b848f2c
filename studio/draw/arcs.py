"""Arcs of fire in matplotlib: what an opening looks upon, as a sector of hexes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.draw.areas import polygon_path
from studio.draw.batch import Ink
from studio.draw.canvas import Canvas
from studio.draw.fixtures import arrow_directions, inner_dot
from studio.draw.shapes import ApertureLook, looked_up
from studio.draw.subject import Floats, kind_of, map_points
from studio.errors import UnknownNameError, nearest

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["draw_arcs"]

_ARROW = ApertureLook(color="#c4161c")
_REACH = 1900  # radius of the sectors where all arcs are drawn, in thousandths of a hex's height
_SAME = 1e-6  # two angles are equal, in degrees
_NARROW = 15  # half the angle of the sector of one arrow, in degrees


def draw_arcs(canvas: Canvas, sites: Sites, chosen: bool | str | Iterable[str]) -> None:
    """Shade arcs of fire (zorder 7.8).

    Parameters
    ----------
    canvas : Canvas
    sites : Sites
    chosen : bool, str or iterable of str
        Of the openings with these ids, or of the locations with these labels, every hex that they look upon; with
        True of all openings a short sector.

    Raises
    ------
    UnknownNameError
        When the map has no opening with such an id, and no location of that label that has one.
    """
    openings = {f.id: f for f in sites.subject.features.values() if kind_of(f) == "aperture"}
    if isinstance(chosen, bool):
        for opening in openings.values() if chosen else ():
            _paint_sector(canvas, sites, opening)
        return
    wanted: dict[str, Any] = {}
    for name in [chosen] if isinstance(chosen, str) else chosen:
        wanted.update({opening.id: opening for opening in _named(sites, openings, str(name))})
    for opening in wanted.values():
        _paint_hexes(canvas, sites, opening)


def _named(sites: Sites, openings: dict[str, Any], name: str) -> list[Any]:
    """Return the openings that a name stands for: that with the id, or all of the location with the label."""
    if name in openings:
        return [openings[name]]
    number = None if sites.plain else sites.directory.find(name)
    found = [
        one
        for one in openings.values()
        if one.into == name or (number is not None and sites.directory.find(one.into) == number)
    ]
    if found:
        return found
    rooms = sorted({one.into for one in openings.values() if one.into})
    if number is not None:
        msg = f"arcs: {name} has no openings; {nearest(name, rooms)}"
    else:
        msg = f"arcs: no opening has the id {name!r} and no location with openings that label; "
        msg += f"ids: {nearest(name, openings)}; labels: {nearest(name, rooms)}"
    raise UnknownNameError(msg)


def _look(canvas: Canvas, opening: Any) -> ApertureLook:
    return looked_up(canvas.style.apertures, opening.type) or _ARROW


def _paint_sector(canvas: Canvas, sites: Sites, opening: Any) -> None:
    """Draw the sector between the arrows, or a narrow one around a single arrow."""
    at = map_points(sites.grid, [opening.at])[0]
    ways = arrow_directions(sites, opening)
    if not ways:
        return
    angles = [float(np.degrees(np.arctan2(way[1], way[0]))) for way in ways]
    first, turn = angles[0], (angles[-1] - angles[0] + 180) % 360 - 180
    if abs(turn) < _SAME:
        first, turn = first - _NARROW, 2.0 * _NARROW
    elif abs(turn) > 180 - _SAME:
        turn = _half_turn(sites, opening, ways[0])
    spread = np.radians(np.linspace(first, first + turn, 19))
    rim = at + _REACH * canvas.unit * np.stack([np.cos(spread), np.sin(spread)], axis=1)
    color = _look(canvas, opening).color
    canvas.shape([at, *rim], Ink(7.8, color, alpha=0.24))
    canvas.shape([at, *rim], Ink(7.82, edge=color, width=canvas.width(12), alpha=0.7))


def _half_turn(sites: Sites, opening: Any, way: Floats) -> float:
    """Return the turn between two arrows in opposite directions, to the side on which the arc of fire lies."""
    away = map_points(sites.grid, sites.grid.centres[_cells(sites, opening)]) - map_points(sites.grid, [opening.at])
    near = away[np.hypot(*away.T) < 4 * sites.grid.hex_height]
    across = way[0] * near[:, 1] - way[1] * near[:, 0]
    return 180.0 if float(np.sign(np.round(across, 6)).sum()) >= 0 else -180.0


def _paint_hexes(canvas: Canvas, sites: Sites, opening: Any) -> None:
    """Draw every hex of an arc as one field."""
    import shapely

    cells = _cells(sites, opening)
    if not len(cells):
        return
    color = _look(canvas, opening).color
    hexes = [shapely.Polygon(map_points(sites.grid, sites.grid.corners(cell))) for cell in cells.tolist()]
    # A hair wider, so that hexes that share a side become one.
    path = polygon_path(shapely.union_all([one.buffer(2 * canvas.unit) for one in hexes]))
    canvas.put(path, Ink(7.8, color, alpha=0.24))
    canvas.put(path, Ink(7.85, edge=color, width=canvas.width(26), alpha=0.9))


def _cells(sites: Sites, opening: Any) -> NDArray[np.int64]:
    """Return the hexes in an arc; int64, shape (hexes,)."""
    from studio.rules.urban_operations.arcs import arc_of_fire

    arrows = [sites.subject.labels.cells(arrow) for arrow in opening.arrows]
    inner = inner_dot(sites, opening)
    return np.flatnonzero(arc_of_fire(sites.grid, opening.at, inner, arrows)).astype(np.int64)
