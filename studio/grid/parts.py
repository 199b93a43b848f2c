"""The parts of a joint grid: several maps on one lattice, each a rectangle of hexes as if it stood alone.

Every hex is looked at in four quarters, cut through its middle both ways, because that is how maps cut their half
hexes: a plain map leaves one, two or all four quarters of a hex. Two maps may share a hex where their quarters do not
overlap; that is how the half hexes of two maps that lie side by side merge into whole ones.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError

if TYPE_CHECKING:
    from shapely import Polygon

    from studio.grid.hexgrid import HexGrid

__all__ = ["MAX_PARTS", "QUARTERS", "WHOLE", "Part", "PartIndex", "plain_quarters", "turned_quarters"]

MAX_PARTS = 64
"""Most parts of one grid."""

_FAR = 10_000  # no axial coordinate of a grid of 2 000 x 2 000 hexes is as large

WHOLE = 15
"""All four quarters of a hex: left above 1, right above 2, left below 4, right below 8."""

QUARTERS: tuple[tuple[int, int, int], ...] = ((1, -1, -1), (2, 1, -1), (4, -1, 1), (8, 1, 1))
"""The quarters: bit, and the side of the middle where it lies in x (right is 1) and in y (down is 1)."""

_TURNED = np.array([sum(1 << (3 - bit) for bit in range(4) if value >> bit & 1) for value in range(16)], dtype=np.uint8)


class Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One map of a joint grid: its own rectangle of hexes, and where it lies.

    Parameters
    ----------
    columns, rows : int
        Size of its own raw rectangle.
    stagger : {"odd", "even"}
    short : bool
    half : tuple of {"top", "bottom", "left", "right"}
        As of a :class:`HexGrid` that stands alone, before it is turned.
    q, r : int
        Axial coordinates, in the joint grid, of its own hex with the axial coordinates (0, 0): a hex (x, y) of its own
        is (q + x, r + y) of the joint grid, and (q - x, r - y) when the map is turned.
    turned : bool
        The map lies turned by half a turn.
    """

    columns: int
    rows: int
    stagger: Literal["odd", "even"] = "odd"
    short: bool = False
    half: tuple[Literal["top", "bottom", "left", "right"], ...] = ()
    q: int = 0
    r: int = 0
    turned: bool = False


def turned_quarters(quarters: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return what the quarters of hexes become in half a turn."""
    return _TURNED[quarters]


def plain_quarters(grid: HexGrid) -> NDArray[np.uint8]:
    """Return the quarters of the hexes of a grid without parts; uint8, shape (cells,), 0 where no hex is."""
    x0, y0, x1, y1 = grid.frame
    reach = np.array(grid.reach)
    low, high = grid.centres - reach, grid.centres + reach
    left, right = low[:, 0] >= x0, high[:, 0] <= x1
    above, below = low[:, 1] >= y0, high[:, 1] <= y1
    found = np.zeros(grid.cells, dtype=np.uint8)
    for bit, x, y in QUARTERS:
        found |= np.where((right if x > 0 else left) & (below if y > 0 else above), bit, 0).astype(np.uint8)
    found[~grid.present.ravel()] = 0
    return found


def _quarter_shape(corners: Any, reach: tuple[int, int], quarters: int) -> Polygon:
    """Return the outline of a hex around (0, 0) of which some quarters are left, in lattice units."""
    import shapely

    boxes = [
        shapely.box(min(0, x * reach[0]), min(0, y * reach[1]), max(0, x * reach[0]), max(0, y * reach[1]))
        for bit, x, y in QUARTERS
        if quarters & bit
    ]
    found: Polygon = shapely.normalize(shapely.intersection(shapely.Polygon(corners), shapely.union_all(boxes)))
    return found


class PartIndex:
    """Where the hexes of the parts lie in their joint grid.

    Parameters
    ----------
    grid : HexGrid
        A grid with parts.

    Attributes
    ----------
    grids : tuple of HexGrid
        Each part as it stands alone.
    owner : array of int16, shape (cells,)
        The first part that has a hex, -1 where there is none.
    quarters : array of uint8, shape (cells,)
        Which quarters of a hex there are.
    shared : dict of int to tuple of int
        The parts of every hex that more than one has.
    frames : tuple of (x0, y0, x1, y1)
        Playing area of each part on the joint lattice.

    Raises
    ------
    GridError
        When a part cannot be, reaches out of the grid, or overlaps another by more than half hexes that merge.
    """

    def __init__(self, grid: HexGrid) -> None:
        self.grid = grid
        if len(grid.parts) > MAX_PARTS:
            msg = f"parts: got {len(grid.parts)}, allowed {MAX_PARTS} maps in one grid"
            raise GridError(msg)
        self.grids = tuple(self._alone(number) for number in range(len(grid.parts)))
        self.owner: NDArray[np.int16] = np.full(grid.cells, -1, dtype=np.int16)
        self.quarters: NDArray[np.uint8] = np.zeros(grid.cells, dtype=np.uint8)
        self.shared: dict[int, tuple[int, ...]] = {}
        for number in range(len(grid.parts)):
            self._lay(number)
        if np.isin(self.quarters, (6, 9)).any():
            cell = int(np.flatnonzero(np.isin(self.quarters, (6, 9)))[0])
            msg = f"parts: two maps meet in the middle of the hex {self._place(cell)} only; lay them side by side"
            raise GridError(msg)
        boxes = np.array([self._frame(number) for number in range(len(grid.parts))])
        self.frames = tuple((int(a), int(b), int(c), int(d)) for a, b, c, d in boxes)
        low, high = boxes.min(axis=0), boxes.max(axis=0)
        self.frame = (int(low[0]), int(low[1]), int(high[2]), int(high[3]))

    def _alone(self, number: int) -> HexGrid:
        part, grid = self.grid.parts[number], self.grid
        # A part may be larger than the grid by the one place at the end of its short lines, where no hex is.
        spare = 1 if part.short else 0
        large = part.columns > grid.columns + spare * (not grid.flat) or part.rows > grid.rows + spare * grid.flat
        if max(abs(part.q), abs(part.r)) > _FAR or large:
            raise GridError(self._outside(number))
        try:
            return msgspec.structs.replace(
                grid,
                columns=part.columns,
                rows=part.rows,
                stagger=part.stagger,
                short=part.short,
                half=part.half,
                parts=(),
            )
        except GridError as error:
            msg = f"parts[{number}]: {error}"
            raise GridError(msg) from error

    def _outside(self, number: int) -> str:
        part, grid = self.grid.parts[number], self.grid
        return (
            f"parts[{number}]: {part.columns} x {part.rows} hexes at q {part.q}, r {part.r} reach out of the grid of "
            f"{grid.columns} x {grid.rows} hexes; enlarge the grid, or lay the part elsewhere"
        )

    def _place(self, cell: int) -> str:
        row, column = divmod(cell, self.grid.columns)
        return f"in raw column {column}, row {row} (counted from 0)"

    def _lay(self, number: int) -> None:
        own = plain_quarters(self.grids[number])
        cells = self.cells(number)
        there = own > 0
        if (cells[there] < 0).any():
            raise GridError(self._outside(number))
        cells, own = cells[there], own[there]
        if self.grid.parts[number].turned:
            own = turned_quarters(own)
        clash = self.quarters[cells] & own
        if clash.any():
            cell = int(cells[clash > 0][0])
            msg = (
                f"parts[{number}] and parts[{int(self.owner[cell])}] overlap in the hex {self._place(cell)}; two maps "
                "share no more than the hexes that both cut in half along their common edge"
            )
            raise GridError(msg)
        for cell in cells[self.owner[cells] >= 0].tolist():
            self.shared[cell] = (*self.shared.get(cell, (int(self.owner[cell]),)), number)
        self.quarters[cells] |= own
        self.owner[cells] = np.where(self.owner[cells] < 0, number, self.owner[cells])

    def cells(self, number: int) -> NDArray[np.int64]:
        """Return the joint cell of every raw cell of a part, -1 outside the grid; int64, shape (cells of the part,)."""
        part, own = self.grid.parts[number], self.grids[number]
        sign = -1 if part.turned else 1
        axials = own.axials.astype(np.int64) * sign + (part.q, part.r)
        return self.grid.raw_cells(axials[:, 0], axials[:, 1]).astype(np.int64)

    def own_cell(self, number: int, cell: int) -> int | None:
        """Return the cell that a joint hex has on the map of a part, None where that map has no such hex."""
        part = self.grid.parts[number]
        q, r = self.grid.axial(cell)
        sign = -1 if part.turned else 1
        return self.grids[number].from_axial(sign * (q - part.q), sign * (r - part.r))

    def joint_cell(self, number: int, own: int) -> int:
        """Return the joint cell of a hex of a part."""
        part = self.grid.parts[number]
        q, r = self.grids[number].axial(own)
        sign = -1 if part.turned else 1
        return int(self.grid.raw_cells(np.array([part.q + sign * q]), np.array([part.r + sign * r]))[0])

    def parts_of(self, cell: int) -> tuple[int, ...]:
        """Return the parts that have a hex, the first one first."""
        first = int(self.owner[cell])
        return self.shared.get(cell, (first,) if first >= 0 else ())

    def point(self, number: int, x: int, y: int) -> tuple[int, int]:
        """Return a lattice point of a part that stands alone as one of the joint lattice."""
        part, own = self.grid.parts[number], self.grids[number]
        (x0, y0), (x1, y1) = own.point_at(0, 0), self.grid.point_at(part.q, part.r)
        return (x1 + x0 - x, y1 + y0 - y) if part.turned else (x1 - x0 + x, y1 - y0 + y)

    def _frame(self, number: int) -> tuple[int, int, int, int]:
        x0, y0, x1, y1 = self.grids[number].frame
        (ax, ay), (bx, by) = self.point(number, x0, y0), self.point(number, x1, y1)
        return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)

    def covered(self, cells: NDArray[np.int64], points: NDArray[Any]) -> NDArray[np.bool_]:
        """Tell which points, each within the hex of a cell, lie in a quarter that is there; bool, shape (n,)."""
        away = points - self.grid.centres[cells]
        found = np.zeros(len(cells), dtype=bool)
        for bit, x, y in QUARTERS:
            found |= (away[:, 0] * x >= 0) & (away[:, 1] * y >= 0) & (self.quarters[cells] & bit > 0)
        return found

    def cut(self, cells: NDArray[np.int64], polygons: NDArray[Any], corners: Any) -> NDArray[Any]:
        """Replace the outlines of the hexes of which not all quarters are there; in map units, shape (n,)."""
        import shapely

        for value in np.unique(self.quarters[cells]).tolist():
            if value not in (0, WHOLE):
                shape = _quarter_shape(corners, self.grid.reach, value)
                which = np.flatnonzero(self.quarters[cells] == value)
                points = self.grid.centres[cells[which]][:, None, :] + shapely.get_coordinates(shape)[None]
                polygons[which] = shapely.polygons(points * np.array(self.grid.scale))
        return polygons

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which raw cells are hexes of a part; bool, shape (rows, columns)."""
        mask: NDArray[np.bool_] = (self.quarters > 0).reshape(self.grid.rows, self.grid.columns)
        mask.flags.writeable = False
        return mask
