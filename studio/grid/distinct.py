"""Each value of an array once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["distinct"]


def distinct(values: NDArray[Any]) -> NDArray[Any]:
    """Return each value once, in ascending order.

    As ``numpy.unique`` does it. That one goes by a hash table, which takes seconds for a million cells in a row; cells
    mostly come in order already, or as a few rows of them, which a merging sort is made for.

    Parameters
    ----------
    values : array, shape (n,)

    Returns
    -------
    array, shape (m,)
        The array itself where its values ascend already.
    """
    if len(values) < 2 or bool((values[1:] > values[:-1]).all()):
        return values
    ordered = np.sort(values, kind="stable")
    first = np.empty(len(ordered), dtype=bool)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return ordered[first]
