"""The sheared flat layout: every hex in one long array in which the six neighbours lie at six fixed offsets.

Lines of hexes follow each other with guard cells between them, so that a walk to a neighbour, or to a hex beside a line
of sight, needs no test of bounds: off the map it meets a guard.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid.hexgrid import HexGrid
from studio.grid.lines import SEXTANTS

__all__ = ["FlatLayout"]


class FlatLayout:
    """Flat indices of the hexes of one grid.

    Parameters
    ----------
    grid : HexGrid

    Attributes
    ----------
    size : int
        Length of a flat array.
    index : array of int64, shape (cells,)
        Flat index of every raw cell.
    offsets : tuple of 6 int
        Flat step in the direction of each of the six sextant axes.
    cells : array of int64, shape (size,)
        Cell of every flat index, -1 where no hex of the map is.
    present : array of bool, shape (size,)
        True where a flat index is a hex of the map.
    """

    def __init__(self, grid: HexGrid) -> None:
        self.grid = grid
        self._stride = (grid.rows if grid.flat else grid.columns) + 2
        even = int(grid.stagger == "even")
        row, column = np.divmod(np.arange(grid.cells, dtype=np.int64), grid.columns)
        line, position = (column, row) if grid.flat else (row, column)
        self.index: NDArray[np.int64] = (self._stride + 2 + line * self._stride) + position - ((line + even) >> 1)
        # Lines lean back by half a hex each, so the first flat index in use may lie below the base.
        lowest = int(self.index.min()) - self._stride - 1
        if lowest < 0:
            self.index -= lowest
        self.size = int(self.index.max()) + self._stride + 2
        self.offsets = tuple(self.offset(q, r) for q, r in SEXTANTS)
        self.present: NDArray[np.bool_] = self.pack(grid.present, False)
        self.cells: NDArray[np.int64] = np.full(self.size, -1, dtype=np.int64)
        self.cells[self.index] = np.where(grid.present.ravel(), np.arange(grid.cells), -1)

    def offset(self, q: int, r: int) -> int:
        """Return the flat step of an axial displacement."""
        return q * self._stride + r if self.grid.flat else r * self._stride + q

    def pack(self, plane: NDArray[Any], fill: Any) -> NDArray[Any]:
        """Turn a plane of shape (rows, columns), or (cells,), into a flat array; guards hold `fill`."""
        flat = np.full(self.size, fill, dtype=plane.dtype)
        flat[self.index] = plane.ravel()
        return flat

    def unpack(self, flat: NDArray[Any]) -> NDArray[Any]:
        """Turn a flat array into a plane of shape (rows, columns)."""
        return flat[self.index].reshape(self.grid.rows, self.grid.columns)

    def components(self, mask: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Give every connected group of hexes a number.

        Parameters
        ----------
        mask : array of bool, shape (rows, columns)
            The hexes to group.

        Returns
        -------
        array of int32, shape (rows, columns)
            0 outside the mask; else the lowest cell of the group plus 1, so that equal maps give equal numbers.
        """
        groups = np.zeros(mask.size, dtype=np.int32)
        if not mask.any():
            return groups.reshape(mask.shape)
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        cells = np.flatnonzero(mask.ravel())
        number = np.full(self.size, -1, dtype=np.int64)
        number[self.index[cells]] = np.arange(len(cells))
        here = self.index[cells]
        starts, ends = [], []
        for offset in self.offsets[:3]:
            other = number[here + offset]
            linked = other >= 0
            starts.append(np.flatnonzero(linked))
            ends.append(other[linked])
        start, end = np.concatenate(starts), np.concatenate(ends)
        graph = coo_array((np.ones(len(start), dtype=np.int8), (start, end)), shape=(len(cells), len(cells)))
        count, label = connected_components(graph, directed=False)
        lowest = np.full(count, mask.size, dtype=np.int64)
        np.minimum.at(lowest, label, cells)
        groups[cells] = lowest[label] + 1
        return groups.reshape(mask.shape)
