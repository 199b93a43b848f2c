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
        self._x, self._y, self._d = corners.T.copy()
        self._reach = (1 << 51) // max(1, int(np.abs(corners[:, :2]).max()))
        lengths = [len(piece) for _, piece in pieces]
        self._first = np.concatenate(([0], np.cumsum(lengths)[:-1]))
        self._direction: Point | None = None
        self._extent: tuple[_Ints, _Ints]
        # Of every hex its first piece, the number of pieces + 1 where there is none, and how many there are.
        cells = np.arange(size)
        self._begin: _Ints = np.searchsorted(self._index, cells, side="left")
        self._count: _Ints = np.searchsorted(self._index, cells, side="right") - self._begin

    def across(self, direction: Point) -> tuple[_Ints, _Ints]:
        """Return the extent of every piece across lines of a direction: the least and the largest that hit it."""
        if direction == self._direction:
            return self._extent
        self._direction = direction
        # Division is the fastest in floats; of such small whole numbers it never rounds past another whole number.
        small = max(abs(direction[0]), abs(direction[1])) < self._reach
        across = direction[0] * self._y - direction[1] * self._x
        first, last = np.minimum.reduceat, np.maximum.reduceat
        if small:
            ratio = across / self._d
            low, high = first(ratio, self._first), last(ratio, self._first)
            # Whole numbers s lie between two fractions when they lie between these.
            low, high = (np.ceil(low), np.floor(high)) if self._graze else (np.floor(low) + 1, np.ceil(high) - 1)
            self._extent = low.astype(np.int64), high.astype(np.int64)
        else:
            down, up = across // self._d, -(-across // self._d)
            lows, highs = (up, down) if self._graze else (down + 1, up - 1)
            self._extent = first(lows, self._first), last(highs, self._first)
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
        low, high = self.across(direction)
        piece, left, where = self._begin[hexes[row, column]], self._count[hexes[row, column]], away[column]
        while len(row):
            hit = (low[piece] <= where) & (where <= high[piece])
            found[row[hit]] = True
            more = left > 1
            row, piece, left, where = row[more], piece[more] + 1, left[more] - 1, where[more]
        return found

    def bits(self, direction: Point, offset: Point) -> int:
        """Return the bits of the hexes, so far from the start of a line, in which it runs through a piece."""
        low, high = self.across(direction)
        away = offset[0] * direction[1] - offset[1] * direction[0]
        flat = np.zeros(self._octets * 8, dtype=bool)
        flat[self._index[(low <= away) & (away <= high)]] = True
        return int.from_bytes(np.packbits(flat, bitorder="little").tobytes(), "little")
