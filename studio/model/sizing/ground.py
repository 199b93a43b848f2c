"""Which drawings lie on the hexes of a map, before and after rows and columns were removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.grid import HexGrid
from studio.model.features import Point
from studio.model.sizing.frames import Frame
from studio.model.topology.rings import Box

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Ground"]

_FAR = 10**8
"""Further than any point of a map on the lattice."""


class Ground:
    """The ground that a map keeps, in the coordinates that it had before.

    Parameters
    ----------
    grid : HexGrid
        Before the change.
    frame : Frame
        After it.

    Attributes
    ----------
    box : (x0, y0, x1, y1)
        What is kept: the new frame where the map becomes smaller, everything on the other sides.
    """

    def __init__(self, grid: HexGrid, frame: Frame) -> None:
        self.before, self.after = grid, frame.grid
        self.away = frame.away
        x0, y0, x1, y1 = frame.grid.frame
        dx, dy = frame.away
        self.old = grid.frame
        self.new = (x0 - dx, y0 - dy, x1 - dx, y1 - dy)
        low = [new if new > old else -_FAR for new, old in zip(self.new[:2], self.old[:2], strict=True)]
        high = [new if new < old else _FAR for new, old in zip(self.new[2:], self.old[2:], strict=True)]
        self.box: Box = (low[0], low[1], high[0], high[1])
        # Removed hexes stand out from the edge by less than a hex: further in all ground is kept.
        rx, ry = grid.reach
        self.inner: Box = (self.box[0] + 2 * rx, self.box[1] + 2 * ry, self.box[2] - 2 * rx, self.box[3] - 2 * ry)

    @property
    def shrinks(self) -> bool:
        """True when some ground goes."""
        return self.box != (-_FAR, -_FAR, _FAR, _FAR)

    def keeps_point(self, point: Point) -> bool:
        """Tell whether a point stays: on the hexes of the map, or as far off them as it was along the edge."""
        if self._holds(self.after, self._moved(point)):
            return True
        if self._holds(self.before, point):
            return False
        for axis in (0, 1):
            was = self.old[axis] <= point[axis] <= self.old[axis + 2]
            if was and not self.new[axis] <= point[axis] <= self.new[axis + 2]:
                return False
        return True

    def _moved(self, point: Point) -> Point:
        return point[0] + self.away[0], point[1] + self.away[1]

    @staticmethod
    def _holds(grid: HexGrid, point: Point) -> bool:
        return int(grid.cells_at(np.array([point]))[0]) >= 0

    def was_on(self, shape: Any) -> bool:
        """Tell whether a shape, in coordinates before the change, had a part on the hexes of the map."""
        return self._meets(self.before, self.old, shape, (0, 0))

    def is_on(self, shape: Any) -> bool:
        """Tell whether a shape, in coordinates before the change, has a part on the hexes that are kept."""
        return self._meets(self.after, self.new, shape, self.away)

    @staticmethod
    def _meets(grid: HexGrid, frame: Sequence[int], shape: Any, away: Point) -> bool:
        """Tell whether a line has a length, or an area an inside, on the hexes of a grid within its frame."""
        import shapely

        shape = shapely.intersection(shape, shapely.box(*frame))
        if shape.is_empty or not (shape.length or shape.area):
            return False
        x0, y0, x1, y1 = shape.bounds
        rx, ry = grid.reach
        centres = grid.centres - np.array(away)
        near = (centres[:, 0] > x0 - rx - 1) & (centres[:, 0] < x1 + rx + 1)
        near &= (centres[:, 1] > y0 - ry - 1) & (centres[:, 1] < y1 + ry + 1) & grid.present.ravel()
        cells = np.flatnonzero(near)
        if not len(cells):
            return False
        corners = np.array(grid.corners(0)) - np.array(grid.centre(0))
        hexes = shapely.polygons(centres[cells][:, None, :] + corners[None])
        if shape.area:
            return bool(shapely.relate_pattern(hexes, shape, "T********").any())
        return bool((shapely.length(shapely.intersection(hexes, shape)) > 0).any())
