"""Hex grids: which cells of the raw rectangle are hexes of a map, where the map ends, who is whose neighbour."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.grid.parts import WHOLE, PartIndex
from studio.grid.raster import (
    CORNERS,
    DIRECTIONS,
    HALF,
    LINE_STEP,
    MAX_SIZE,
    STEP,
    Edge,
    Orientation,
    Raster,
    Stagger,
)

if TYPE_CHECKING:
    from shapely import Polygon

__all__ = ["DIRECTIONS", "HALF", "LINE_STEP", "MAX_SIZE", "STEP", "Edge", "HexGrid", "Orientation", "Stagger"]


class HexGrid(Raster, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A rectangle of hexes with straight or ragged edges.

    Parameters
    ----------
    columns, rows : int
        Size of the raw rectangle, 1 to 2 000 each.
    orientation : {"flat", "pointy"}
        Flat-top hexes stand in straight columns, pointy ones lie in straight rows.
    stagger : {"odd", "even"}
        Which columns (flat) or rows (pointy), counted from 0, are shifted by half a hex down or to the right.
        ``"odd"`` is a first column that stands high, ``"even"`` one that stands low.
    hex_width, hex_height : float
        Outer size of a hex in map units. A width of 0 stands for the regular one.
    short : bool
        The shifted lines have one hex fewer, so that both ends of the map are straight.
    half : tuple of {"top", "bottom", "left", "right"}
        Edges of the map where the hexes that stand out are cut in half.
    parts : tuple of Part
        The maps that lie on the grid, where it is that of several; all other cells are no hexes. Short lines and half
        hexes are those of the parts then.

    Raises
    ------
    GridError
        When the size is not from 1 to 2 000, or a hex has no area, or nothing is left of a short line, or parts
        overlap or reach out of the grid.

    Examples
    --------
    >>> grid = HexGrid(columns=3, rows=3)
    >>> [grid.distance(0, cell) for cell in range(9)]
    [0, 1, 2, 1, 2, 2, 2, 3, 3]
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        x0, y0, x1, y1 = self.frame
        if x1 <= x0 or y1 <= y0:
            msg = f"half: got {list(self.half)} on {self.columns} x {self.rows} hexes, which leaves nothing of the map"
            raise GridError(msg)

    # -- size and presence ---------------------------------------------------------------------------------------

    @cached_property
    def joint(self) -> PartIndex | None:
        """Where the hexes of the parts lie; None for a grid of one map."""
        return PartIndex(self) if self.parts else None

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which raw cells are hexes of the map; bool, shape (rows, columns)."""
        if self.joint is not None:
            return self.joint.present
        mask = np.ones((self._lines, self._positions), dtype=bool)
        if self.short:
            mask[1 if self.stagger == "odd" else 0 :: 2, -1] = False
        mask = mask.T if self.flat else mask
        mask = np.ascontiguousarray(mask)
        mask.flags.writeable = False
        return mask

    def has(self, cell: int) -> bool:
        """Tell whether a cell is a hex of the map."""
        return 0 <= cell < self.cells and bool(self.present.flat[cell])

    @cached_property
    def frame(self) -> tuple[int, int, int, int]:
        """Playing area as a lattice rectangle (x0, y0, x1, y1); half hexes reach beyond it and are cut there.

        Of a joint grid it is the rectangle around those of its parts.
        """
        if self.joint is not None:
            return self.joint.frame
        along0, along1 = 0, 2 * self._positions + (0 if self.short else 1)
        if self._lines == 1:
            along0 = self.shifted(0)
            along1 = along0 + 2 * (self._positions - (self.short and self.shifted(0)))
        across0, across1 = 0, (self._lines - 1) * LINE_STEP + 2 * STEP
        ends = ("top", "bottom") if self.flat else ("left", "right")
        flanks = ("left", "right") if self.flat else ("top", "bottom")
        along0 += ends[0] in self.half
        along1 -= ends[1] in self.half
        across0 += STEP if flanks[0] in self.half else 0
        across1 -= STEP if flanks[1] in self.half else 0
        if self.flat:
            return across0, along0 * HALF, across1, along1 * HALF
        return along0 * HALF, across0, along1 * HALF, across1

    def is_half(self, cell: int) -> bool:
        """Tell whether the map's edge cuts a hex in half."""
        if self.joint is not None:
            return int(self.joint.quarters[cell]) not in (0, WHOLE)
        x, y = self.centre(cell)
        x0, y0, x1, y1 = self.frame
        dx, dy = self.reach
        return x - dx < x0 or x + dx > x1 or y - dy < y0 or y + dy > y1

    # -- coordinates ---------------------------------------------------------------------------------------------

    def cell(self, column: int, row: int) -> int:
        """Return the cell of a raw column and row.

        Raises
        ------
        GridError
            When there is no such hex.
        """
        if 0 <= column < self.columns and 0 <= row < self.rows and self.present[row, column]:
            return row * self.columns + column
        msg = f"no hex at raw column {column}, row {row} (counted from 0); the grid has {self.columns} x {self.rows}"
        raise GridError(msg)

    def from_axial(self, q: int, r: int) -> int | None:
        """Return the cell at axial coordinates, or None when the map has no hex there."""
        line, sheared = (q, r) if self.flat else (r, q)
        position = sheared + self._shear(line)
        if not (0 <= line < self._lines and 0 <= position < self._positions):
            return None
        column, row = (line, position) if self.flat else (position, line)
        return row * self.columns + column if self.present[row, column] else None

    def neighbour(self, cell: int, direction: int) -> int | None:
        """Return the neighbour in a direction (0 to 5, clockwise from north or north-east), None off the map."""
        q, r = self.axial(cell)
        dq, dr = DIRECTIONS[self.orientation][direction]
        return self.from_axial(q + dq, r + dr)

    def neighbours(self, cell: int) -> list[int]:
        """Return the neighbours that are on the map, clockwise."""
        found = (self.neighbour(cell, direction) for direction in range(6))
        return [cell for cell in found if cell is not None]

    def direction(self, a: int, b: int) -> int | None:
        """Return the direction from a hex to its neighbour, None when they are not adjacent."""
        (qa, ra), (qb, rb) = self.axial(a), self.axial(b)
        try:
            return DIRECTIONS[self.orientation].index((qb - qa, rb - ra))
        except ValueError:
            return None

    @cached_property
    def neighbour_table(self) -> NDArray[np.int32]:
        """Neighbour of every cell in every direction, -1 where there is none; int32, shape (cells, 6)."""
        table = np.full((self.cells, 6), -1, dtype=np.int32)
        for direction, (dq, dr) in enumerate(DIRECTIONS[self.orientation]):
            other, inside = self._cells_at_axial(self.axials[:, 0] + dq, self.axials[:, 1] + dr)
            table[:, direction] = np.where(inside & self.present.ravel(), other, -1)
        return table

    def _cells_at_axial(self, q: NDArray[Any], r: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        raw = self.raw_cells(q, r)
        cell = np.maximum(raw, 0)
        return cell, (raw >= 0) & self.present.ravel()[cell]

    def ring(self, cell: int, radius: int) -> list[int]:
        """Return the hexes of the map at exactly a distance, clockwise from north (flat) or north-east (pointy).

        Raises
        ------
        GridError
            When the radius is negative.
        """
        if radius < 0:
            msg = f"radius: got {radius}, allowed 0 and more hexes"
            raise GridError(msg)
        if radius == 0:
            return [cell]
        q, r = self.axial(cell)
        steps = DIRECTIONS[self.orientation]
        q, r = q + radius * steps[0][0], r + radius * steps[0][1]
        found: list[int] = []
        for side in range(6):
            dq, dr = steps[(side + 2) % 6]
            for _ in range(radius):
                other = self.from_axial(q, r)
                if other is not None:
                    found.append(other)
                q, r = q + dq, r + dr
        return found

    def within(self, cell: int, radius: int) -> list[int]:
        """Return the hexes of the map within a distance, the hex itself first, ring by ring."""
        return [other for distance in range(radius + 1) for other in self.ring(cell, distance)]

    # -- lattice and map units -----------------------------------------------------------------------------------

    def side_ends(self, a: int, b: int) -> tuple[tuple[int, int], tuple[int, int]]:
        """Return the two corners, on the lattice, between which the side of two adjacent hexes runs.

        Raises
        ------
        GridError
            When the two hexes are not adjacent.
        """
        direction = self.direction(a, b)
        if direction is None:
            msg = f"cells {a} and {b} are not adjacent (distance {self.distance(a, b)}): they share no hexside"
            raise GridError(msg)
        corners = self.corners(a)
        return corners[direction], corners[(direction + 1) % 6]

    def cell_at(self, x: float, y: float) -> int | None:
        """Return the hex that holds a point in map units, or None outside the map."""
        sx, sy = self.scale
        found = int(self.cells_at(np.array([[x / sx, y / sy]]))[0])
        return None if found < 0 else found

    def cells_at(self, points: NDArray[Any]) -> NDArray[np.int64]:
        """Find the hexes that hold points.

        Parameters
        ----------
        points : array of shape (n, 2)
            Points in lattice units, whole or not.

        Returns
        -------
        array of int64, shape (n,)
            Cells, -1 outside the map. A point on a border belongs to the hex with the lower cell.
        """
        points = np.asarray(points, dtype=float)
        across, along = (points[:, 0], points[:, 1]) if self.flat else (points[:, 1], points[:, 0])
        best = np.full(len(points), -1, dtype=np.int64)
        first_line = np.floor((across - STEP) / LINE_STEP).astype(np.int64)
        for line in (first_line, first_line + 1):
            shift = ((line & 1) ^ (self.stagger == "even")) * HALF
            base = np.floor((along - shift) / STEP).astype(np.int64)
            for position in (base - 1, base):  # a point exactly on a border lies in two hexes of one line
                far = np.abs(across - (STEP + LINE_STEP * line))
                off = np.abs(along - (HALF + STEP * position + shift))
                ok = (off <= HALF) & (far + off <= STEP)
                ok &= (line >= 0) & (line < self._lines) & (position >= 0) & (position < self._positions)
                column, row = (line, position) if self.flat else (position, line)
                cell = np.where(ok, row * self.columns + column, 0)
                ok &= self.present.ravel()[cell]
                if self.joint is not None:
                    ok &= self.joint.covered(cell, points)
                best = np.where(ok & ((best < 0) | (cell < best)), cell, best)
        x0, y0, x1, y1 = self.frame
        in_frame = (points[:, 0] >= x0) & (points[:, 0] <= x1) & (points[:, 1] >= y0) & (points[:, 1] <= y1)
        return np.where(in_frame, best, -1)

    def outline(self, cell: int) -> Polygon:
        """Return the outline of a hex in map units, cut at the map's edge, as a shapely polygon."""
        return self.outlines([cell])[0]

    def outlines(self, cells: list[int] | NDArray[Any] | None = None) -> NDArray[Any]:
        """Return the outlines of many hexes (all that are present by default) in map units.

        Returns
        -------
        array of shapely polygons, shape (n,)
        """
        import shapely

        chosen = np.flatnonzero(self.present) if cells is None else np.asarray(cells, dtype=np.int64)
        lattice = self.centres[chosen][:, None, :] + np.array(CORNERS[self.orientation])[None]
        polygons = shapely.polygons(lattice * np.array(self.scale))
        if self.joint is not None:
            return self.joint.cut(chosen, polygons, CORNERS[self.orientation])
        if self.half:
            x0, y0, x1, y1 = self.frame
            (left, top), (right, bottom) = self.to_map(x0, y0), self.to_map(x1, y1)
            polygons = shapely.normalize(shapely.intersection(polygons, shapely.box(left, top, right, bottom)))
        return polygons  # type: ignore[no-any-return]
