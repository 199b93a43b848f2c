"""Hex grids: which hexes there are, where they lie, who is whose neighbour.

A hex is known by its *cell*, the integer ``row * columns + column`` of the raw rectangle that holds the map. All
positions are integers on the *lattice*: an orthogonal grid, x to the right and y down, fine enough that every centre,
corner and middle of a hexside is a whole number. Only the way out to map units multiplies by a width and a height, so
squashed hexes change nothing that is counted.
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

__all__ = ["DIRECTIONS", "HALF", "LINE_STEP", "MAX_SIZE", "STEP", "Edge", "HexGrid", "Orientation", "Stagger"]

Orientation = Literal["flat", "pointy"]
Stagger = Literal["odd", "even"]
Edge = Literal["top", "bottom", "left", "right"]

MAX_SIZE = 2000
"""Most columns, and most rows, of one grid."""

HEX_SIZES = (1e-6, 1e9)
"""Smallest and largest width and height of a hex, in map units."""

STEP = 480
"""Lattice units from a hex to the next one in the same straight line (column of flat-top hexes, row of pointy ones)."""
LINE_STEP = 720
"""Lattice units from one straight line of hexes to the next."""
HALF = 240
"""Half a step: the shift of staggered lines, and half the distance between two opposite hexsides."""

DIRECTIONS: dict[str, tuple[tuple[int, int], ...]] = {
    "flat": ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    "pointy": ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
}
"""Axial steps (q, r) to the six neighbours, clockwise: from north (flat-top) or north-east (pointy)."""

# Corners from the centre, clockwise; corner n and n+1 end the hexside towards direction n.
_CORNERS = {
    "flat": ((-HALF, -HALF), (HALF, -HALF), (STEP, 0), (HALF, HALF), (-HALF, HALF), (-STEP, 0)),
    "pointy": ((0, -STEP), (HALF, -HALF), (HALF, HALF), (0, STEP), (-HALF, HALF), (-HALF, -HALF)),
}


class HexGrid(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
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

    Raises
    ------
    GridError
        When the size is not from 1 to 2 000, or a hex has no area, or nothing is left of a short line.

    Examples
    --------
    >>> grid = HexGrid(columns=3, rows=3)
    >>> [grid.distance(0, cell) for cell in range(9)]
    [0, 1, 2, 1, 2, 2, 2, 3, 3]
    """

    columns: int
    rows: int
    orientation: Orientation = "flat"
    stagger: Stagger = "odd"
    hex_width: float = 0.0
    hex_height: float = 1.0
    short: bool = False
    half: tuple[Edge, ...] = ()

    def __post_init__(self) -> None:
        for name, size in (("columns", self.columns), ("rows", self.rows)):
            if not isinstance(size, int) or isinstance(size, bool):
                msg = f"{name}: got {size!r}, allowed are whole numbers from 1 to {MAX_SIZE}"
                raise GridError(msg)
            if not 1 <= size <= MAX_SIZE:
                msg = f"{name}: got {size}, allowed 1 to {MAX_SIZE}; split a larger map into several"
                raise GridError(msg)
        low, high = HEX_SIZES
        if not (low <= self.hex_height <= high and (self.hex_width == 0 or low <= self.hex_width <= high)):
            msg = (
                f"hex size: got {self.hex_width} x {self.hex_height}; allowed are {low} to {high} map units, and a "
                "width of 0 for regular hexes"
            )
            raise GridError(msg)
        if self.short and self._positions < 2:
            msg = f"short lines need 2 hexes along a line, got {self._positions}; leave `short` off"
            raise GridError(msg)
        known = {"orientation": ("flat", "pointy"), "stagger": ("odd", "even")}
        for name, allowed in known.items():
            if getattr(self, name) not in allowed:
                msg = f"{name}: got {getattr(self, name)!r}, allowed: {', '.join(allowed)}"
                raise GridError(msg)
        if not isinstance(self.half, tuple) or not set(self.half) <= {"top", "bottom", "left", "right"}:
            msg = f"half: got {self.half!r}, allowed is a tuple of top, bottom, left, right"
            raise GridError(msg)
        if len(set(self.half)) != len(self.half):
            msg = f"half: got {list(self.half)}, each edge at most once"
            raise GridError(msg)
        x0, y0, x1, y1 = self.frame
        if x1 <= x0 or y1 <= y0:
            msg = f"half: got {list(self.half)} on {self.columns} x {self.rows} hexes, which leaves nothing of the map"
            raise GridError(msg)

    # -- size and presence ---------------------------------------------------------------------------------------

    @property
    def flat(self) -> bool:
        """True for flat-top hexes."""
        return self.orientation == "flat"

    @property
    def cells(self) -> int:
        """Number of raw cells, absent ones included."""
        return self.columns * self.rows

    @property
    def _lines(self) -> int:
        return self.columns if self.flat else self.rows

    @property
    def _positions(self) -> int:
        return self.rows if self.flat else self.columns

    @property
    def width(self) -> float:
        """Outer width of a hex in map units."""
        if self.hex_width:
            return self.hex_width
        return self.hex_height * (2 / 3**0.5 if self.flat else 3**0.5 / 2)

    def shifted(self, line: int) -> int:
        """Return 1 when a column (flat) or row (pointy) is shifted by half a hex, else 0."""
        return (line & 1) ^ (self.stagger == "even")

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which raw cells are hexes of the map; bool, shape (rows, columns)."""
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
        """Playing area as a lattice rectangle (x0, y0, x1, y1); half hexes reach beyond it and are cut there."""
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
        x, y = self.centre(cell)
        x0, y0, x1, y1 = self.frame
        dx, dy = (STEP, HALF) if self.flat else (HALF, STEP)
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

    def _line_position(self, cell: int) -> tuple[int, int]:
        row, column = divmod(cell, self.columns)
        return (column, row) if self.flat else (row, column)

    def _shear(self, line: int) -> int:
        return (line + (self.stagger == "even")) >> 1

    def axial(self, cell: int) -> tuple[int, int]:
        """Return the axial coordinates (q, r) of a cell."""
        line, position = self._line_position(cell)
        sheared = position - self._shear(line)
        return (line, sheared) if self.flat else (sheared, line)

    def from_axial(self, q: int, r: int) -> int | None:
        """Return the cell at axial coordinates, or None when the map has no hex there."""
        line, sheared = (q, r) if self.flat else (r, q)
        position = sheared + self._shear(line)
        if not (0 <= line < self._lines and 0 <= position < self._positions):
            return None
        column, row = (line, position) if self.flat else (position, line)
        return row * self.columns + column if self.present[row, column] else None

    @cached_property
    def axials(self) -> NDArray[np.int32]:
        """Axial coordinates of every raw cell; int32, shape (cells, 2)."""
        row, column = np.divmod(np.arange(self.cells, dtype=np.int32), np.int32(self.columns))
        line, position = (column, row) if self.flat else (row, column)
        sheared = position - ((line + (self.stagger == "even")) >> 1)
        return np.stack((line, sheared) if self.flat else (sheared, line), axis=1)

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
        line, sheared = (q, r) if self.flat else (r, q)
        position = sheared + ((line + (self.stagger == "even")) >> 1)
        inside = (line >= 0) & (line < self._lines) & (position >= 0) & (position < self._positions)
        column, row = (line, position) if self.flat else (position, line)
        cell = np.where(inside, row * self.columns + column, 0)
        return cell, inside & self.present.ravel()[cell]

    def distance(self, a: int, b: int) -> int:
        """Return the distance of two hexes, in hexes; it counts coordinates, so squashed hexes do not matter."""
        (qa, ra), (qb, rb) = self.axial(a), self.axial(b)
        dq, dr = qb - qa, rb - ra
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def distances(self, cell: int) -> NDArray[np.int32]:
        """Distance from one hex to every raw cell, in hexes; int32, shape (cells,)."""
        delta = self.axials - np.asarray(self.axial(cell), dtype=np.int32)
        dq, dr = delta[:, 0], delta[:, 1]
        found: NDArray[np.int32] = (np.abs(dq) + np.abs(dr) + np.abs(dq + dr)) // 2
        return found

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

    def centre(self, cell: int) -> tuple[int, int]:
        """Return the centre of a hex on the lattice."""
        line, position = self._line_position(cell)
        across = STEP + LINE_STEP * line
        along = HALF + STEP * position + HALF * self.shifted(line)
        return (across, along) if self.flat else (along, across)

    @cached_property
    def centres(self) -> NDArray[np.int64]:
        """Centres of every raw cell on the lattice; int64, shape (cells, 2)."""
        row, column = np.divmod(np.arange(self.cells, dtype=np.int64), self.columns)
        line, position = (column, row) if self.flat else (row, column)
        across = STEP + LINE_STEP * line
        along = HALF + STEP * position + HALF * ((line & 1) ^ (self.stagger == "even"))
        return np.stack((across, along) if self.flat else (along, across), axis=1)

    def corners(self, cell: int) -> list[tuple[int, int]]:
        """Return the six corners of a hex on the lattice, clockwise; side n lies between corners n and n + 1."""
        x, y = self.centre(cell)
        return [(x + dx, y + dy) for dx, dy in _CORNERS[self.orientation]]

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

    @property
    def scale(self) -> tuple[float, float]:
        """Map units a lattice unit, in x and in y."""
        wide, high = (2 * STEP, 2 * HALF) if self.flat else (2 * HALF, 2 * STEP)
        return self.width / wide, self.hex_height / high

    def to_map(self, x: float, y: float) -> tuple[float, float]:
        """Turn a point of the lattice into map units."""
        sx, sy = self.scale
        return x * sx, y * sy

    def to_lattice(self, x: float, y: float) -> tuple[int, int]:
        """Turn a point in map units into the nearest point of the lattice."""
        sx, sy = self.scale
        return round(x / sx), round(y / sy)

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
        lattice = self.centres[chosen][:, None, :] + np.array(_CORNERS[self.orientation])[None]
        polygons = shapely.polygons(lattice * np.array(self.scale))
        if self.half:
            x0, y0, x1, y1 = self.frame
            (left, top), (right, bottom) = self.to_map(x0, y0), self.to_map(x1, y1)
            polygons = shapely.normalize(shapely.intersection(polygons, shapely.box(left, top, right, bottom)))
        return polygons  # type: ignore[no-any-return]
