"""What a picture needs of a map, and the geometry that pictures share."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "POINTY",
    "Subject",
    "areas_of",
    "catmull_rom",
    "cells_within",
    "end_bits",
    "kind_of",
    "map_points",
    "road_bits",
    "road_points",
    "roads_of",
]

Floats = NDArray[np.float64]

# Side i of `studio.draw.marks` (flat top, clockwise from north; x and y swapped for a pointy top) in the grid's order.
POINTY = (4, 3, 2, 1, 0, 5)


class Subject(Protocol):
    """The part of a map that pictures read; `studio.Map` has it, and so has a contact sheet's little map."""

    @property
    def grid(self) -> Any:
        """The hexes (`studio.grid.HexGrid`)."""

    @property
    def labels(self) -> Any:
        """Labels of the hexes: ``label(cell)``, ``cell(text)``."""

    @property
    def terrain(self) -> NDArray[Any]:
        """Index into `terrain_ids` of every raw cell, shape (rows, columns)."""

    @property
    def terrain_ids(self) -> Sequence[str]:
        """Terrain ids in the order of the indices."""

    @property
    def levels(self) -> NDArray[Any]:
        """Level of every raw cell, shape (rows, columns)."""

    @property
    def sides(self) -> Mapping[tuple[int, int], Sequence[str]]:
        """What runs on hexsides, by the two cells."""

    @property
    def features(self) -> Mapping[str, Any]:
        """All that is drawn, by id."""


def cells_within(grid: Any, extent: tuple[float, float, float, float]) -> NDArray[np.int64]:
    """Return the cells whose hexes may meet a rectangle (x0, y0, x1, y1) in map units."""
    x0, y0, x1, y1 = extent
    points = map_points(grid, grid.centres)
    wide, high = grid.width, grid.hex_height
    near = (points[:, 0] > x0 - wide) & (points[:, 0] < x1 + wide)
    near &= (points[:, 1] > y0 - high) & (points[:, 1] < y1 + high)
    return np.flatnonzero(near & grid.present.ravel())


def map_points(grid: Any, points: Iterable[tuple[float, float]] | NDArray[Any]) -> Floats:
    """Turn lattice points into map units; array of shape (n, 2)."""
    array = np.asarray(points if isinstance(points, np.ndarray) else list(points), dtype=float)
    return np.asarray(array.reshape(-1, 2) * np.asarray(grid.scale))


def kind_of(feature: Any) -> str:
    """Return the kind of a feature record: its struct's tag."""
    return str(getattr(feature, "kind", None) or feature.__struct_config__.tag)


def roads_of(subject: Subject) -> list[tuple[Any, list[int]]]:
    """Return each road with the cells of its path, in the order of their ids' appearance."""
    cell = subject.labels.cell
    return [(f, [cell(text) for text in f.path]) for f in subject.features.values() if kind_of(f) == "road"]


def areas_of(subject: Subject) -> list[Any]:
    """Return the drawn areas, in the order of their ids' appearance."""
    return [feature for feature in subject.features.values() if kind_of(feature) == "area"]


def _bit(grid: Any, direction: int) -> int:
    return 1 << (direction if grid.orientation == "flat" else POINTY.index(direction))


def road_bits(subject: Subject) -> dict[int, int]:
    """Return, by cell, the sides that a road crosses, as bits in the order of `studio.draw.marks`."""
    bits: dict[int, int] = {}
    grid = subject.grid
    for _, cells in roads_of(subject):
        for a, b in itertools.pairwise(cells):
            for here, there in ((a, b), (b, a)):
                direction = grid.direction(here, there)
                if direction is not None:
                    bits[here] = bits.get(here, 0) | _bit(grid, direction)
        for end, before in ((cells[0], cells[1:2]), (cells[-1], cells[-2:-1])):
            out = _way_out(grid, end, before)
            if out is not None:
                bits[end] = bits.get(end, 0) | _bit(grid, out)
    return bits


def end_bits(subject: Subject) -> dict[int, int]:
    """Return, by cell, the sides where a wadi is open (side kind ``wadi_end``), as bits."""
    bits: dict[int, int] = {}
    for (a, b), kinds in subject.sides.items():
        if "wadi_end" in kinds:
            for here, there in ((a, b), (b, a)):
                direction = subject.grid.direction(here, there)
                if direction is not None:
                    bits[here] = bits.get(here, 0) | _bit(subject.grid, direction)
    return bits


def _way_out(grid: Any, end: int, before: Sequence[int]) -> int | None:
    """Return the side by which a road that ends in `end` leaves the map: the one most nearly straight on, or None."""
    if not before:
        return None
    came = grid.direction(before[0], end)
    if came is None:
        return None
    for turn in (0, 1, 5):
        direction = (came + turn) % 6
        if grid.neighbour(end, direction) is None:
            return int(direction)
    return None


def road_points(grid: Any, cells: Sequence[int]) -> Floats:
    """Return the points a road runs through, in map units: hex centres, and on to the map's edge at either end."""
    centres = map_points(grid, [grid.centre(cell) for cell in cells])
    if len(cells) < 2:
        return centres
    first = _leave(grid, cells[0], cells[1:2])
    last = _leave(grid, cells[-1], cells[-2:-1])
    return np.vstack([*first, centres, *last])


def _leave(grid: Any, end: int, before: Sequence[int]) -> list[Floats]:
    direction = _way_out(grid, end, before)
    if direction is None:
        return []
    corners = np.asarray(grid.corners(end), dtype=float)
    middle = (corners[direction] + corners[(direction + 1) % 6]) / 2
    if grid.half or getattr(grid, "joint", None) is not None:
        # The frame cuts the hexes at the edge: run on beyond it, the frame cuts the road as well.
        middle = 2 * middle - np.asarray(grid.centre(end), dtype=float)
    return [map_points(grid, middle[None, :])]


def catmull_rom(points: Floats) -> tuple[Floats, list[int]]:
    """Return a smooth curve through points as vertices and matplotlib path codes (cubic pieces).

    The curve is closed when the last point is the first.
    """
    count = len(points)
    if count < 3:
        return points, [1, *[2] * (count - 1)]
    closed = count > 3 and bool(np.allclose(points[0], points[-1]))
    before, after = (points[-2], points[1]) if closed else (points[0], points[-1])
    padded = np.vstack([before, points, after])
    vertices = [points[0]]
    for i in range(1, count):
        a, p, q, b = padded[i - 1 : i + 3]
        vertices += [p + (q - a) / 6, q - (b - p) / 6, q]
    return np.asarray(vertices), [1, *[4] * (3 * (count - 1))]
