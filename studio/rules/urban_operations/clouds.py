"""Clouds (5.2.3.3): which hexes a marker of three hexes lies on, and which rooms, zones and roofs that takes in.

The head lies in the target location, the tail downwind of it. A hex of the marker takes in every room and zone of which
it covers a part, and the roof above; it does not reach from the surface into the underground, nor the other way. What
lies off the map is cut off. That a cloud fills the whole of every room it touches is left to the judge of sight, which
knows what one room is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from studio.errors import UnknownNameError, nearest
from studio.grid import HexGrid
from studio.model import Area, natural_key
from studio.rules import get_ruleset
from studio.survey import Survey

__all__ = ["cloud_hexes", "covered", "winds"]

_WINDS = {
    "flat": ("N", "NNE", "NE", "E", "SE", "SSE", "S", "SSW", "SW", "W", "NW", "NNW"),
    "pointy": ("NE", "ENE", "E", "ESE", "SE", "S", "SW", "WSW", "W", "WNW", "NW", "N"),
}


def winds(grid: HexGrid) -> tuple[str, ...]:
    """Return the twelve directions that the wind can blow to, clockwise: at each neighbour and between two.

    Examples
    --------
    >>> winds(HexGrid(columns=3, rows=3))[:4]
    ('N', 'NNE', 'NE', 'E')
    """
    return _WINDS[grid.orientation]


def cloud_hexes(grid: HexGrid, head: int, wind: str, shape: str) -> tuple[int, ...]:
    """Return the cells of a cloud: its head, then what of its tail is on the map.

    Parameters
    ----------
    grid : HexGrid
    head : int
        Cell under the head.
    wind : str
        Where the wind blows to, one of :func:`winds`.
    shape : {"row", "wedge"}
        The option ``cloud_shape``.

    Returns
    -------
    tuple of int
        One to three cells; none of the head where it is off the map (a negative cell).

    Raises
    ------
    UnknownNameError
        When the wind has no such direction on this grid.
    """
    known = winds(grid)
    if wind not in known:
        msg = f"wind: got {wind!r}; it blows to one of {', '.join(known)} here; {nearest(str(wind), known)}"
        raise UnknownNameError(msg)
    if head < 0:
        return ()
    way, between = divmod(known.index(wind), 2)
    clockwise = (way + 1) % 6
    if shape == "wedge":
        steps: list[tuple[int, ...]] = [(way,), (clockwise,)]
    else:
        steps = [(clockwise,), (clockwise, way)] if between else [(way,), (way, way)]
    found = [_walk(grid, head, step) for step in steps]
    return (head, *(cell for cell in found if cell is not None))


def _walk(grid: HexGrid, cell: int, ways: Sequence[int]) -> int | None:
    """Return where steps in some directions lead; the hexes on the way need not be on the map."""
    from studio.grid import DIRECTIONS

    q, r = grid.axial(cell)
    for way in ways:
        dq, dr = DIRECTIONS[grid.orientation][way]
        q, r = q + dq, r + dr
    return grid.from_axial(q, r)


def covered(survey: Survey, at: str, wind: str, options: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the labels of all locations beside its head that a cloud takes in: hexes, rooms and zones, roofs.

    Parameters
    ----------
    survey : Survey
    at : str
        Label of the location of its head.
    wind : str
        Where the wind blows to.
    options : mapping
        Options of the ruleset.

    Returns
    -------
    tuple of str
        The hexes of the tail first, then rooms, zones and roofs in natural order.

    Raises
    ------
    LabelError
        When the map has no such location.
    UnknownNameError
        When the wind has no such direction on this grid.
    """
    directory = survey.directory
    location = directory.location(directory.number(at))
    below = _is_below(survey, location.number)
    cells = cloud_hexes(survey.grid, location.cell, wind, str(options["cloud_shape"]))
    hexes = [
        directory.label(cell)
        for cell in cells
        if cell != location.number and directory.exists(cell) and _is_below(survey, cell) == below
    ]
    under = {area.id for area in survey.features_of(Area) if set(cells) & set(survey.area_cells(area.id))}
    others = [
        other.label
        for other in directory.others
        if other.number != location.number
        and (other.feature if other.kind == "area" else other.within) in under
        and _is_below(survey, other.number) == below
    ]
    return (*hexes, *sorted(others, key=natural_key))


def _is_below(survey: Survey, number: int) -> bool:
    """Tell whether a location is underground: a hex by its terrain, any other by what it is part of."""
    rules = get_ruleset("urban_operations")
    if number < survey.grid.cells:
        return rules.terrain(survey.model.terrain_at(number)).sight == "underground"
    location = survey.directory.location(number)
    area_id = location.feature if location.kind == "area" else location.within
    seen: set[str] = set()
    while area_id and area_id not in seen:
        seen.add(area_id)
        area = survey.model.features.get(area_id)
        if not isinstance(area, Area):
            return False
        kind = rules.area_types.get(area.type)
        if kind is not None and kind.sight == "underground":
            return True
        area_id = area.within
    return False
