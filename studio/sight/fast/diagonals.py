"""A table of all pairs, filled displacement by displacement: each is one diagonal of the table and its mirror."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout
from studio.sight.view import BLOCKED, CLEAR, HINDERED

__all__ = ["DiagonalTable"]


class DiagonalTable:
    """Codes of all pairs of hexes for verdicts that are the same both ways.

    Parameters
    ----------
    layout : FlatLayout
    """

    def __init__(self, layout: FlatLayout) -> None:
        self.layout, self._size = layout, layout.size
        self._octets = (layout.size + 7) // 8
        self._codes: NDArray[np.uint8] = np.zeros(layout.size * layout.size, dtype=np.uint8)

    def _unpack(self, bits: int) -> NDArray[np.uint8]:
        octets = np.frombuffer(bits.to_bytes(self._octets, "little"), dtype=np.uint8)
        return np.unpackbits(octets, bitorder="little")[: self._size]

    def set(self, step: int, ends: int, blocked: int, hindered: int) -> None:
        """Set the pairs of one displacement.

        Parameters
        ----------
        step : int
            Flat step from the first hex of each pair to the second, more than 0.
        ends : int
            Bits of the first hexes.
        blocked, hindered : int
            Bits of those whose line is blocked, and hindered if it is not; the others are clear.
        """
        assert (CLEAR, HINDERED, BLOCKED) == (1, 2, 3)  # two bits say which
        hindered &= ends & ~blocked
        codes = self._unpack(ends & ~hindered)
        upper = (blocked & ends) | hindered
        if upper:
            codes = codes + 2 * self._unpack(upper)
        count = self._size - step
        stride = self._size + 1
        self._codes[step : step + count * stride : stride][:count] |= codes[:count]
        first = step * self._size
        self._codes[first : first + count * stride : stride][:count] |= codes[:count]

    def codes(self, cells: NDArray[np.int64]) -> NDArray[np.uint8]:
        """Return the codes of all ordered pairs of some hexes; uint8, shape (n, n), 0 for pairs that were not set."""
        index = self.layout.index[cells]
        return self._codes.reshape(self._size, self._size)[index][:, index]
