"""Sets of hexes as whole numbers, one bit a hex of the flat layout: every origin of a displacement is judged at once.

Shifting such a number by the flat step of a displacement asks, for every hex, about the hex that lies so far from it. A
table of all pairs is then a loop over displacements, not over pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout, HexGrid

__all__ = ["BitPlane", "shift"]


def shift(bits: int, step: int) -> int:
    """Return, for every hex, the bit of the hex that lies a flat step from it.

    Examples
    --------
    >>> shift(0b1000, 2), shift(0b0010, -2)
    (2, 8)
    """
    return bits >> step if step >= 0 else bits << -step


class BitPlane:
    """Turns arrays over cells into bits and back, and knows which hexes a displacement leads to another hex.

    Parameters
    ----------
    grid : HexGrid
    layout : FlatLayout
    """

    def __init__(self, grid: HexGrid, layout: FlatLayout) -> None:
        self.grid, self.layout = grid, layout
        row, column = np.divmod(np.arange(grid.cells), grid.columns)
        line, position = (column, row) if grid.flat else (row, column)
        lines, positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
        self.present = self.pack(grid.present.ravel())
        self._lines = [self.pack(line >= first) for first in range(lines + 1)]
        self._positions = [self.pack(position >= first) for first in range(positions + 1)]
        self._parity = [self.pack(line % 2 == parity) for parity in (0, 1)]
        self._even = int(grid.stagger == "even")
        # What is asked for again: origins by lines across, and by parity of their line and positions along it.
        self._across: dict[int, int] = {}
        self._along: tuple[dict[int, int], dict[int, int]] = ({}, {})

    def pack(self, cells: NDArray[Any]) -> int:
        """Return the bits of a mask over cells."""
        flat = np.zeros(self.layout.size, dtype=bool)
        flat[self.layout.index] = cells
        return self.bits(flat)

    @staticmethod
    def bits(flat: NDArray[np.bool_]) -> int:
        """Return the bits of a mask over the flat layout."""
        return int.from_bytes(np.packbits(flat, bitorder="little").tobytes(), "little")

    def mask(self, bits: int) -> NDArray[np.bool_]:
        """Return bits as an array of bool over the flat layout."""
        octets = np.frombuffer(bits.to_bytes((self.layout.size + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(octets, count=self.layout.size, bitorder="little").view(np.bool_)

    def indices(self, bits: int) -> NDArray[np.int64]:
        """Return the flat indices of the bits that are set."""
        size = (self.layout.size + 7) // 8
        octets = np.frombuffer(bits.to_bytes(size, "little"), dtype=np.uint8)
        return np.flatnonzero(np.unpackbits(octets, bitorder="little"))

    def origins(self, dq: int, dr: int) -> int:
        """Return the hexes from which an axial displacement leads to a hex of the map."""
        across, along = (dq, dr) if self.grid.flat else (dr, dq)
        found = 0
        for parity in (0, 1):
            # Lines lean back by half a hex each, so the step along the line depends on where it starts.
            step = along + ((parity + across + self._even) >> 1) - ((parity + self._even) >> 1)
            there = self._along[parity].get(step)
            found |= self._positions_from(parity, step) if there is None else there
        lines = self._across.get(across)
        found &= self._lines_from(across) if lines is None else lines
        return found & shift(self.present, self.layout.offset(dq, dr))

    def _lines_from(self, across: int) -> int:
        """Return the hexes from whose line so many lines on there is another one."""
        lines = len(self._lines) - 1
        first, last = max(0, -across), min(lines, lines - across)
        found = self._lines[first] & ~self._lines[last] & self.present if first < last else 0
        self._across[across] = found
        return found

    def _positions_from(self, parity: int, step: int) -> int:
        """Return the hexes in lines of a parity from whose position a step leads to another one."""
        positions = len(self._positions) - 1
        low, high = max(0, -step), min(positions, positions - step)
        found = self._parity[parity] & self._positions[low] & ~self._positions[high] if low < high else 0
        self._along[parity][step] = found
        return found
