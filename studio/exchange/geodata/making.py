"""Single features of a map made of shapes of others, which lie on the lattice already."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.drawn import XY, Shape
from studio.exchange.common.ground import as_level
from studio.exchange.geodata.layers import shape_in
from studio.grid import HexGrid
from studio.model import Area, Contour, Feature, Name, Place, Wall

__all__ = [
    "area_of",
    "as_text",
    "contour_of",
    "course_of",
    "name_of",
    "pieces_of",
    "place_of_type",
    "storeys_of",
    "wall_of",
    "whole_points",
]

_TURN = 30.0
"""Degrees between letters and the line that they run along, at most, before another stretch of it is looked for."""


def pieces_of(geometry: Any) -> Iterator[Shape]:
    """Yield the simple shapes of a geometry."""
    import shapely

    for part in shapely.get_parts(geometry).tolist() if geometry is not None else []:
        shape = shape_in(part)
        if shape is not None:
            yield shape


def as_text(value: Any) -> str:
    """Return what a column says as text, empty where it says nothing."""
    return "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)


def whole_points(points: Sequence[XY]) -> tuple[tuple[int, int], ...]:
    """Return points of the lattice without those that fall together."""
    found = [(round(x), round(y)) for x, y in points]
    return tuple(one for number, one in enumerate(found) if not number or one != found[number - 1])


def wall_of(new_id: str, value: str, name: str, piece: Shape) -> Feature | None:
    """Return a wall along a line; None where it shrinks to a point."""
    line = whole_points(piece.points)
    return Wall(id=new_id, type=value, line=line, name=name) if len(line) > 1 else None


def contour_of(new_id: str, value: str, name: str, piece: Shape) -> Feature | None:
    """Return a contour along a line; None where it shrinks to a point.

    Raises
    ------
    ValueError
        When its level is no whole number.
    """
    level, line = as_level(value), whole_points(piece.points)
    if level is None:
        msg = f"got level {value!r}, allowed a whole number"
        raise ValueError(msg)
    return Contour(id=new_id, level=level, line=line) if len(line) > 1 else None


def area_of(new_id: str, value: str, name: str, piece: Shape) -> Feature | None:
    """Return an area with an outline; None where it shrinks to a line."""
    rings = [whole_points(ring) for ring in piece.rings]
    rings = [ring[:-1] if len(ring) > 1 and ring[0] == ring[-1] else ring for ring in rings]
    rings = [ring for ring in rings if len(set(ring)) > 2]
    return Area(id=new_id, type=value, outline=rings[0], holes=tuple(rings[1:]), name=name) if rings else None


def place_of_type(new_id: str, value: str, name: str, piece: Shape) -> Feature:
    """Return a place at a point."""
    return Place(id=new_id, type=value, name=name or new_id, at=whole_points(piece.points)[0])


# -- names -----------------------------------------------------------------------------------------------------------


def name_of(grid: HexGrid, new_id: str, text: str, piece: Shape, size: float) -> Feature | None:
    """Return a name at a point, inside an area, or along a line; None without a text.

    Parameters
    ----------
    grid : HexGrid
    new_id, text : str
    piece : Shape
    size : float
        Height of the letters in hexes, 0 for the usual one.
    """
    import shapely

    if not text:
        return None
    at, angle = piece.points[0], 0.0
    if piece.kind == "line":
        at, angle = _along(grid, piece.points)
    elif piece.kind == "area":
        inside = shapely.maximum_inscribed_circle(shapely.Polygon(piece.points, piece.rings[1:])).coords[0]
        at = (inside[0], inside[1])
    more = {"size": size} if size else {}
    return Name(id=new_id, text=text, at=whole_points([at])[0], angle=round(angle, 1), **more)


def _along(grid: HexGrid, points: Sequence[XY]) -> tuple[XY, float]:
    """Return the middle of the straightest long stretch of a line, and the angle to read along it, in degrees."""
    line = np.asarray(points, dtype=float) * np.array(grid.scale)
    steps = np.diff(line, axis=0)
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    best, start = (0.0, 0, 0), 0
    for stop in range(1, len(line)):
        while start < stop - 1 and _bend(steps[start:stop]) > _TURN:
            start += 1
        best = max(best, (float(lengths[start:stop].sum()), start, stop), key=lambda one: one[0])
    _, start, stop = best
    middle = _at_length(line[start : stop + 1], best[0] / 2)
    dx, dy = line[stop] - line[start]
    angle = -math.degrees(math.atan2(dy, dx))  # y runs down, angles run counter-clockwise
    if angle > 90 or angle <= -90:
        angle -= math.copysign(180, angle)
    x, y = middle / np.array(grid.scale)
    return (float(x), float(y)), angle


def _bend(steps: NDArray[np.float64]) -> float:
    """Return by how many degrees a run of steps turns from its mean direction, at most."""
    mean = math.atan2(*steps.sum(axis=0)[::-1])
    turns = [(math.atan2(dy, dx) - mean + math.pi) % (2 * math.pi) - math.pi for dx, dy in steps]
    return max(abs(math.degrees(turn)) for turn in turns)


def _at_length(line: NDArray[np.float64], length: float) -> NDArray[np.float64]:
    """Return the point of a line that lies so far along it."""
    for a, b in itertools.pairwise(line):
        step = float(np.hypot(*(b - a)))
        if step and step >= length:
            return np.asarray(a + (b - a) * (length / step), dtype=float)
        length -= step
    return np.asarray(line[-1], dtype=float)


# -- roads -----------------------------------------------------------------------------------------------------------


def course_of(grid: HexGrid, path: Sequence[int], points: Sequence[XY]) -> tuple[tuple[int, int], ...]:
    """Return a line as far as it lies in a row of hexes; where it cuts a corner of another hex, by that corner.

    Parameters
    ----------
    grid : HexGrid
    path : sequence of int
        Hexes that the line runs through; it may graze others.
    points : sequence of (x, y)

    Returns
    -------
    tuple of (int, int)
        Empty where the line cannot be kept within the hexes.
    """
    import shapely

    hexes = shapely.union_all([shapely.Polygon(grid.corners(cell)) for cell in path])
    inside = shapely.intersection(shapely.LineString(points), hexes)
    lines = [one for one in shapely.get_parts(inside).tolist() if one.geom_type == "LineString"]
    if not lines:
        return ()
    corners = np.array(sorted({corner for cell in path for corner in grid.corners(cell)}), dtype=float)
    course = list(lines[0].coords)
    for line in lines[1:]:
        first = line.coords[0]
        middle = (np.array(course[-1]) + np.array(first)) / 2
        if course[-1] != first:
            course.append(tuple(corners[int(np.argmin(((corners - middle) ** 2).sum(axis=1)))].tolist()))
        course += list(line.coords)
    found = whole_points(course)
    return found if len(found) > 1 and hexes.buffer(1).covers(shapely.LineString(found)) else ()


# -- areas -----------------------------------------------------------------------------------------------------------


def storeys_of(value: Any, height: float) -> float | None:
    """Return a number of storeys: the value itself, or a height in metres by the height of a storey; None without one.

    Examples
    --------
    >>> storeys_of("3", 0), storeys_of(7.5, 3.0), storeys_of("2-3", 0), storeys_of(None, 0), storeys_of("12 m", 3)
    (3.0, 2.0, None, None, 4.0)
    """
    text = "" if value is None else str(value).strip().removesuffix("m").strip()
    try:
        number = float(text)
    except ValueError:
        return None
    if not math.isfinite(number) or number < 0:
        return None
    return max(1.0, float(math.floor(number / height))) if height else number
