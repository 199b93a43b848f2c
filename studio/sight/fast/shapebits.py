"""Which drawn pieces lines of one direction run through: in bits for all hexes at once, or for a few hexes each.

Of a piece only its extent across the line matters: the line runs through it when it passes between the two extremes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.sight.trace.pieces import Piece, Point

__all__ = ["Extents"]

_Ints = NDArray[np.int64]


class Extents:
    """Pieces of drawn shapes in hexes.

    Parameters
    ----------
    size : int
        Length of the flat layout.
    pieces : list of (index, piece)
        Flat index of the hex, and the corners as seen from its centre.
    graze : bool
        Touching an outline is enough.
    """

    def __init__(self, size: int, pieces: list[tuple[int, Piece]], *, graze: bool = False) -> None:
        self._octets, self._graze = (size + 7) // 8, graze
        pieces = sorted(pieces)
        self._index: _Ints = np.array([index for index, _ in pieces], dtype=np.int64)
        corners = np.array([corner for _, piece in pieces for corner in piece], dtype=np.int64)
        self._x, self._y, self._d = corners.T
        lengths = [len(piece) for _, piece in pieces]
        self._first = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        self._direction: Point | None = None
        self._extent: tuple[_Ints, _Ints]
        # Of every hex its first piece, the number of pieces + 1 where there is none, and how many there are.
        cells = np.arange(size)
        self._begin: _Ints = np.searchsorted(self._index, cells, side="left")
        self._count: _Ints = np.searchsorted(self._index, cells, side="right") - self._begin

    def _across(self, direction: Point) -> tuple[_Ints, _Ints]:
        """Return the extent of every piece across lines of a direction: the least and the largest that hit it."""
        if direction == self._direction:
            return self._extent
        self._direction = direction
        across = direction[0] * self._y - direction[1] * self._x
        down, up = across // self._d, -(-across // self._d)
        # Whole numbers s lie between two fractions when they lie between these.
        low, high = (up, down) if self._graze else (down + 1, up - 1)
        self._extent = np.minimum.reduceat(low, self._first), np.maximum.reduceat(high, self._first)
        return self._extent

    def hit(self, direction: Point, hexes: _Ints, away: _Ints) -> NDArray[np.bool_]:
        """Tell which lines run through a piece.

        Parameters
        ----------
        direction : (dx, dy)
            Of all lines.
        hexes : array of int64, shape (n, m)
            Flat indices of hexes that each line runs through; it has no end in them.
        away : array of int64, shape (m,)
            ``x dy - y dx`` of their centres as seen from the start of the line.

        Returns
        -------
        array of bool, shape (n,)
        """
        found = np.zeros(len(hexes), dtype=bool)
        row, column = np.nonzero(self._count[hexes])
        if not len(row):
            return found
        low, high = self._across(direction)
        piece, left, where = self._begin[hexes[row, column]], self._count[hexes[row, column]], away[column]
        while len(row):
            hit = (low[piece] <= where) & (where <= high[piece])
            found[row[hit]] = True
            more = left > 1
            row, piece, left, where = row[more], piece[more] + 1, left[more] - 1, where[more]
        return found

    def bits(self, direction: Point, offset: Point) -> int:
        """Return the bits of the hexes, so far from the start of a line, in which it runs through a piece."""
        low, high = self._across(direction)
        away = offset[0] * direction[1] - offset[1] * direction[0]
        flat = np.zeros(self._octets * 8, dtype=bool)
        flat[self._index[(low <= away) & (away <= high)]] = True
        return int.from_bytes(np.packbits(flat, bitorder="little").tobytes(), "little")
