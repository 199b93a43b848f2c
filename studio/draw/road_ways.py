"""Ways along drawn roads: a route follows the smooth line that the map shows, not the straight one below it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from studio.draw.subject import Floats, catmull_rom, map_points, road_points, roads_of

__all__ = ["RoadWays"]

_PIECES = 10
"""Straight pieces that one curved piece of a road is followed by."""


class RoadWays:
    """The lines of the roads of a map between the hexes that they join.

    Parameters
    ----------
    subject : Subject
        Of the picture.
    """

    def __init__(self, subject: Any) -> None:
        self.subject, self.grid = subject, subject.grid
        self._curves: dict[str, Floats] = {}

    @cached_property
    def _roads(self) -> dict[tuple[int, int], Any]:
        """The road between two hexes, with its cells; of several the first."""
        found: dict[tuple[int, int], Any] = {}
        for road, cells in roads_of(self.subject):
            for a, b in itertools.pairwise(cells):
                found.setdefault((min(a, b), max(a, b)), (road, cells))
        return found

    def _curve(self, road: Any, cells: Sequence[int]) -> Floats:
        """Return the line of a road as it is drawn, as many short straight pieces."""
        if road.id not in self._curves:
            drawn = getattr(road, "line", ())
            points = map_points(self.grid, drawn) if drawn else road_points(self.grid, cells)
            self._curves[road.id] = _straightened(*catmull_rom(points))
        return self._curves[road.id]

    def piece(self, a: int, b: int) -> Floats | None:
        """Return the line from a hex to the next along the road between them, None where there is none.

        Parameters
        ----------
        a, b : int
            Hexes.

        Returns
        -------
        array of float, shape (n, 2), or None
            Map units, from the point of the road that is nearest to the one centre to that nearest to the other.
        """
        known = self._roads.get((min(a, b), max(a, b)))
        if known is None or a == b:
            return None
        road, cells = known
        curve = self._curve(road, cells)
        ends = map_points(self.grid, [self.grid.centre(cell) for cell in (a, b)])
        first, last = (_nearest(curve, end) for end in ends)
        if first is None or last is None or first == last:
            return None
        part = curve[min(first, last) : max(first, last) + 1]
        part = part if first < last else part[::-1]
        straight = float(np.hypot(*(ends[1] - ends[0])))
        # A road that comes by twice, or in a wide bend, is no line from the one to the other.
        return part if float(np.hypot(*np.diff(part, axis=0).T).sum()) < 2.0 * straight else None


def _nearest(curve: Floats, at: Floats) -> int:
    return int(np.argmin(np.hypot(*(curve - at).T)))


def _straightened(vertices: Floats, codes: Sequence[int]) -> Floats:
    """Return a curve of cubic pieces as straight ones."""
    points = np.asarray(vertices, dtype=float)
    if 4 not in codes:
        parts = [np.linspace(p, q, _PIECES, endpoint=False) for p, q in itertools.pairwise(points)]
        return np.vstack([*parts, points[-1:]])
    t = np.linspace(0, 1, _PIECES, endpoint=False)[:, None]
    parts = []
    for i in range(0, len(points) - 1, 3):
        a, b, c, d = points[i : i + 4]
        parts.append((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)
    return np.vstack([*parts, points[-1:]])
