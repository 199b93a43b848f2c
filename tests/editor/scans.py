"""Scans of maps that tests draw themselves, each hex in a colour of its own, laid on the picture by a known affine."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image, ImageDraw

PAPER, LINE = (250, 246, 235), (60, 40, 20)


class Known(NamedTuple):
    """A scan whose affine from map units to pixels is known."""

    path: Path
    linear: Any
    shift: tuple[float, float]
    grid: Any
    labels: Any

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Return the pixel of a point in map units."""
        u, v = self.linear @ (x, y) + self.shift
        return float(u), float(v)

    def of(self, label: str) -> tuple[float, float]:
        """Return the pixel of the middle of a hex."""
        return self.pixel(*self.grid.to_map(*self.grid.centre(self.labels.cell(label))))

    def of_point(self, point: tuple[int, int]) -> tuple[float, float]:
        """Return the pixel of a lattice point."""
        return self.pixel(*self.grid.to_map(*point))

    def points(self, *labels: str) -> dict[str, tuple[float, float]]:
        """Return control points that are right."""
        return {label: self.of(label) for label in labels}


def linear(scale: float = 60.0, turn: float = 0.7, shear: float = 0.015, squash: float = 1.0) -> Any:
    """Return turn (degrees) after shear and scale (pixels a map unit), x wider by `squash`."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return np.array([[c, -s], [s, c]]) @ np.array([[scale * squash, shear * scale], [0.0, scale]])


def colour(cell: int) -> tuple[int, int, int]:
    """Return the colour of a hex on the scan: far from those of its neighbours."""
    return (40 + cell * 67 % 200, 40 + cell * 131 % 200, 40 + cell * 29 % 200)


def draw(
    grid: Any,
    labels: Any,
    path: Path,
    *,
    shift: tuple[float, float] = (90.0, 70.0),
    mode: str = "RGB",
    options: Mapping[str, Any] | None = None,
    **shape: Any,
) -> Known:
    """Draw the scan of a map and save it."""
    known = Known(path, linear(**shape), shift, grid, labels)
    x0, y0, x1, y1 = grid.frame
    ends = [known.of_point(point) for point in ((x0, y0), (x1, y0), (x0, y1), (x1, y1))]
    wide, high = (math.ceil(max(end[n] for end in ends)) + 60 for n in (0, 1))
    image = Image.new("RGB", (wide, high), PAPER)
    pen = ImageDraw.Draw(image)
    for cell in np.flatnonzero(grid.present).tolist():
        corners = [known.of_point(point) for point in grid.corners(cell)]
        pen.polygon(corners, fill=colour(cell), outline=LINE)
    image.convert(mode).save(path, **(options or {}))
    return known
