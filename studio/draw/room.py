"""Room on a map: boxes that are taken, and the place for one more sign that hides none of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from studio.draw.subject import Floats

__all__ = ["Taken", "around", "inside"]


class Taken:
    """Boxes in map units in which something stands already."""

    def __init__(self) -> None:
        self._boxes: list[tuple[float, float, float, float]] = []
        self._array: Floats | None = None

    def add(self, at: Any, wide: float, high: float) -> None:
        """Take a box around a point."""
        x, y = float(at[0]), float(at[1])
        self._boxes.append((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
        self._array = None

    def add_line(self, p: Any, q: Any, wide: float) -> None:
        """Take small boxes along a line, each as wide as the line."""
        p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
        steps = max(1, round(float(np.hypot(*(q - p))) / wide))
        for step in range(steps + 1):
            self.add(p + (q - p) * step / steps, wide, wide)

    def overlap(self, spots: Iterable[Any], wide: float, high: float) -> Floats:
        """Return how much of a box would lie on others, for each of some middles; array of shape (spots,)."""
        if self._array is None:
            self._array = np.asarray(self._boxes, dtype=float).reshape(-1, 4)
        at = np.asarray(list(spots), dtype=float).reshape(-1, 2)
        half = np.array([wide, high]) / 2
        low, end = at.min(axis=0) - half, at.max(axis=0) + half
        boxes = self._array
        near = boxes[(boxes[:, :2] < end).all(axis=1) & (boxes[:, 2:] > low).all(axis=1)]
        over = np.minimum(near[None, :, 2:], (at + half)[:, None]) - np.maximum(near[None, :, :2], (at - half)[:, None])
        return np.asarray(np.clip(over, 0, None).prod(axis=2).sum(axis=1))


def inside(polygon: Any, spots: Any, wide: float, high: float) -> Any:
    """Tell for each of some middles whether the box lies in a polygon; array of bool."""
    import shapely

    at = np.asarray(spots, dtype=float).reshape(-1, 2)
    x, y = at.T
    shapely.prepare(polygon)
    return shapely.contains(polygon, shapely.box(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))


def around(at: Floats, gap: tuple[float, float], wide: float, high: float) -> list[Floats]:
    """Return middles of a box beside a point, the best first: below, above, at the sides, at the corners, farther off.

    Parameters
    ----------
    at : array of shape (2,)
    gap : (float, float)
        From the point to the box, across and up or down.
    wide, high : float
        Size of the box.
    """
    found = []
    for far in (1.0, 1.45):
        across, down = far * gap[0] + wide / 2, far * gap[1] + high / 2
        ways = [(0, 1), (0, -1), (1, 0), (-1, 0), (0.75, 0.8), (-0.75, 0.8), (0.75, -0.8), (-0.75, -0.8)]
        found += [at + np.array([x * across, y * down]) for x, y in ways]
    return found
