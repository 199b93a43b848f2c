"""The raw rectangle of a hex grid: its size, coordinates and places, whether a cell is a hex of the map or not.

A hex is known by its *cell*, the integer ``row * columns + column`` of the raw rectangle that holds the map. All
positions are integers on the *lattice*: an orthogonal grid, x to the right and y down, fine enough that every centre,
corner and middle of a hexside is a whole number. Only the way out to map units multiplies by a width and a height, so
squashed hexes change nothing that is counted.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.grid.parts import Part

__all__ = ["CORNERS", "DIRECTIONS", "HALF", "LINE_STEP", "MAX_SIZE", "STEP", "Edge", "Orientation", "Raster", "Stagger"]

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

CORNERS = {
    "flat": ((-HALF, -HALF), (HALF, -HALF), (STEP, 0), (HALF, HALF), (-HALF, HALF), (-STEP, 0)),
    "pointy": ((0, -STEP), (HALF, -HALF), (HALF, HALF), (0, STEP), (-HALF, HALF), (-HALF, -HALF)),
}
"""Corners from the centre, clockwise; corner n and n+1 end the hexside towards direction n."""


class Raster(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """All that can be told of a grid by its size alone; :class:`studio.grid.HexGrid` adds which cells are hexes.

    Raises
    ------
    GridError
        When such a grid cannot be.
    """

    columns: int
    rows: int
    orientation: Orientation = "flat"
    stagger: Stagger = "odd"
    hex_width: float = 0.0
    hex_height: float = 1.0
    short: bool = False
    half: tuple[Edge, ...] = ()
    parts: tuple[Part, ...] = ()

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
        if self.parts and (self.short or self.half):
            msg = "parts: short lines and half hexes are those of the parts; leave `short` and `half` of the grid off"
            raise GridError(msg)

    # -- size ----------------------------------------------------------------------------------------------------

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

    # -- coordinates ---------------------------------------------------------------------------------------------

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

    @cached_property
    def axials(self) -> NDArray[np.int32]:
        """Axial coordinates of every raw cell; int32, shape (cells, 2)."""
        row, column = np.divmod(np.arange(self.cells, dtype=np.int32), np.int32(self.columns))
        line, position = (column, row) if self.flat else (row, column)
        sheared = position - ((line + (self.stagger == "even")) >> 1)
        return np.stack((line, sheared) if self.flat else (sheared, line), axis=1)

    def raw_cells(self, q: NDArray[Any], r: NDArray[Any]) -> NDArray[Any]:
        """Return the raw cells at axial coordinates, hexes or not, -1 outside the raw rectangle; shape (n,)."""
        line, sheared = (q, r) if self.flat else (r, q)
        position = sheared + ((line + (self.stagger == "even")) >> 1)
        inside = (line >= 0) & (line < self._lines) & (position >= 0) & (position < self._positions)
        column, row = (line, position) if self.flat else (position, line)
        return np.where(inside, row * self.columns + column, -1)

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

    # -- lattice and map units -----------------------------------------------------------------------------------

    def centre(self, cell: int) -> tuple[int, int]:
        """Return the centre of a hex on the lattice."""
        line, position = self._line_position(cell)
        across = STEP + LINE_STEP * line
        along = HALF + STEP * position + HALF * self.shifted(line)
        return (across, along) if self.flat else (along, across)

    @property
    def reach(self) -> tuple[int, int]:
        """How far a hex reaches from its centre on the lattice, in x and in y."""
        return (STEP, HALF) if self.flat else (HALF, STEP)

    def point_at(self, q: int, r: int) -> tuple[int, int]:
        """Return the centre on the lattice of the hex at axial coordinates, on the map or not."""
        line, sheared = (q, r) if self.flat else (r, q)
        across = STEP + LINE_STEP * line
        along = HALF + STEP * sheared + HALF * line + HALF * (self.stagger == "even")
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
        return [(x + dx, y + dy) for dx, dy in CORNERS[self.orientation]]

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
