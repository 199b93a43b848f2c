"""The verdicts of all ordered pairs in two bits each: a table of 10 000 locations takes 25 MB."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["PackedCodes"]

_LANES = 4  # codes in one byte
# The four codes of every byte, the first in the lowest bits.
_CODES = ((np.arange(256, dtype=np.uint8)[:, None] >> np.array([0, 2, 4, 6], dtype=np.uint8)) & 3).astype(np.uint8)
# The same four codes as one number, so that a whole row is looked up at one blow.
_QUADS = _CODES.view(np.uint32).ravel()


class PackedCodes:
    """A square of codes 0 to 3, row by row; all of them 0 at first.

    Parameters
    ----------
    size : int
        Number of rows, and of columns.

    Examples
    --------
    >>> codes = PackedCodes(3)
    >>> codes.set_row(1, [1, 2, 3])
    >>> codes.row(1).tolist(), codes.get(1, 2), codes.nbytes
    ([1, 2, 3], 3, 3)
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self._bytes: NDArray[np.uint8] = np.zeros((size, -(-size // _LANES)), dtype=np.uint8)

    @classmethod
    def from_array(cls, codes: Any) -> PackedCodes:
        """Pack an array of codes.

        Parameters
        ----------
        codes : array of int from 0 to 3, shape (n, n)
        """
        codes = np.asarray(codes)
        packed = cls(len(codes))
        for first in range(0, len(codes), 256):
            packed.set_rows(slice(first, first + 256), codes[first : first + 256])
        return packed

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.size, self.size

    @property
    def nbytes(self) -> int:
        """Bytes that the codes take."""
        return int(self._bytes.nbytes)

    def __len__(self) -> int:
        return self.size

    def set_row(self, i: int, codes: Any) -> None:
        """Set one row; codes from 0 to 3, shape (n,)."""
        self.set_rows([i], np.asarray(codes)[None, :])

    def set_rows(self, rows: Any, codes: Any) -> None:
        """Set several rows.

        Parameters
        ----------
        rows : slice, or array of int, shape (k,)
        codes : array of int from 0 to 3, shape (k, n)
        """
        codes = np.asarray(codes, dtype=np.uint8)
        full = self._bytes.shape[1] * _LANES
        if codes.shape[1] != full:
            padded = np.zeros((len(codes), full), dtype=np.uint8)
            padded[:, : codes.shape[1]] = codes
            codes = padded
        # Four codes are read as one number, and their low bits gathered in its highest byte.
        quads = np.ascontiguousarray(codes).view("<u4")
        self._bytes[rows] = ((quads * np.uint32(0x01041040)) >> np.uint32(24)).astype(np.uint8)

    def set(self, i: Any, j: Any, code: int) -> None:
        """Set single codes; i and j are whole numbers, or arrays of one shape in which no pair comes twice."""
        rows, columns = np.atleast_1d(np.asarray(i)), np.atleast_1d(np.asarray(j))
        for lane in range(_LANES):
            chosen = columns % _LANES == lane
            at = rows[chosen], columns[chosen] // _LANES
            keep = np.uint8(0xFF ^ (3 << 2 * lane))
            self._bytes[at] = (self._bytes[at] & keep) | np.uint8(code << 2 * lane)

    def row(self, i: int) -> NDArray[np.uint8]:
        """Return one row of codes; uint8, shape (n,)."""
        return np.asarray(_QUADS[self._bytes[i]].view(np.uint8)[: self.size])

    def column(self, j: int) -> NDArray[np.uint8]:
        """Return one column of codes; uint8, shape (n,)."""
        return np.asarray((self._bytes[:, j // _LANES] >> np.uint8(2 * (j % _LANES))) & np.uint8(3))

    def rows(self, rows: Any) -> NDArray[np.uint8]:
        """Return several rows of codes; uint8, shape (k, n)."""
        some = self._bytes[rows]
        return np.asarray(_QUADS[some].view(np.uint8).reshape(len(some), _LANES * some.shape[1])[:, : self.size])

    def get(self, i: int, j: int) -> int:
        """Return one code."""
        return int(self._bytes[i, j // _LANES]) >> 2 * (j % _LANES) & 3

    def counts(self) -> NDArray[np.int64]:
        """Return how many pairs have each code; int64, shape (4,)."""
        octets = np.zeros(256, dtype=np.int64)
        for first in range(0, self.size, 256):
            octets += np.bincount(self._bytes[first : first + 256].ravel(), minlength=256)
        found = np.array([(octets[:, None] * (code == _CODES)).sum() for code in range(4)], dtype=np.int64)
        found[0] -= self.size * (self._bytes.shape[1] * _LANES - self.size)  # the filling at the ends of the rows
        return found

    def to_array(self) -> NDArray[np.uint8]:
        """Return all codes, one byte each; uint8, shape (n, n)."""
        return self.rows(slice(None))

    def __iter__(self) -> Iterator[NDArray[np.uint8]]:
        return (self.row(i) for i in range(self.size))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PackedCodes):
            return NotImplemented
        return self.size == other.size and bool((self._bytes == other._bytes).all())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"PackedCodes({self.size} x {self.size}, {self.nbytes / 1e6:.1f} MB)"
