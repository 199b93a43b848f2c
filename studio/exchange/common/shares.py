"""What the pixels of a hex say, counted: the whole table of shares, of which the largest is only the winner."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["most_of"]


def most_of(
    cells: NDArray[np.int64], codes: NDArray[np.int64], size: int, count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every hex how many of its pixels have each code, and how many there are.

    Parameters
    ----------
    cells : array of int64
        Hex of each pixel, -1 for none.
    codes : array of int64
        Code of each pixel, -1 for none.
    size : int
        Number of hexes.
    count : int
        Number of codes.

    Returns
    -------
    shares : array of int64, shape (size, count)
    pixels : array of int64, shape (size,)
    """
    inside = cells >= 0
    pixels = np.bincount(cells[inside], minlength=size)
    known = inside & (codes >= 0)
    shares = np.bincount(cells[known] * count + codes[known], minlength=size * count).reshape(size, count)
    return shares, pixels
