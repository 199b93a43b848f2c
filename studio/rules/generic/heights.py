"""Whether an obstacle rises into a line of sight, in whole numbers: fixed, proportional and interpolated.

Places along a line are counted in half hexes, so that a hexside between two rings has a whole number too: the hex at
distance ``j`` is at ``2 j``, a hexside between hexes at ``i`` and ``j`` is at ``i + j``, the far end of a line of ``N``
hexes at ``2 N``. With eyes at the heights ``a`` and ``b``, and an obstacle whose top has the height ``t`` at the place
``x`` of ``m``, the obstacle rises into the line

* always when it is higher than both eyes, ``t > a`` and ``t > b`` (fixed, proportional);
* ``fixed``: when it is higher than one of them and no more than `depth` hexes from it: ``x <= 2 depth``;
* ``proportional``: when it is higher than one of them, ``t > a``, and no more hexes from it than ``depth`` times its
  height above that eye by the height of the other eye above it: ``x (b - t) <= 2 depth (t - a)``. A viewer exactly as
  high as the top sees nothing that is lower and behind it;
* ``interpolated``: when it is higher than the straight line between the eyes there: ``t m > a (m - x) + b x``.

All of them are the same from either end.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["FOREVER", "NOTHING", "Blind", "least_top", "rises", "span"]

FOREVER = 1 << 30
"""A distance in hexes beyond every map."""

NOTHING = -10_000
"""Height of an obstacle that is not there."""


class Blind(NamedTuple):
    """How far obstacles hide what is behind them.

    Attributes
    ----------
    kind : {"fixed", "proportional", "interpolated"}
    depth : int
        Hexes, or the factor.
    """

    kind: str
    depth: int


def rises(blind: Blind, top: Any, a: Any, b: Any, x: Any, m: Any) -> Any:
    """Tell whether an obstacle rises into a line; numbers, or arrays of them.

    Parameters
    ----------
    blind : Blind
    top : int
        Height of the top of the obstacle.
    a, b : int
        Heights of the eyes.
    x, m : int
        Place of the obstacle and of the far end, in half hexes.

    Examples
    --------
    >>> fixed = Blind("fixed", 1)
    >>> rises(fixed, 1, 0, 0, 2, 8), rises(fixed, 1, 2, 0, 6, 8), rises(fixed, 1, 2, 0, 4, 8)
    (True, True, False)
    >>> rises(Blind("interpolated", 0), 1, 2, 0, 6, 8), rises(Blind("interpolated", 0), 1, 2, 0, 4, 8)
    (True, False)
    """
    if blind.kind == "interpolated":
        return top * m > a * (m - x) + b * x
    over_a, over_b = top > a, top > b
    if blind.kind == "fixed":
        near = 2 * blind.depth
        return (over_a & over_b) | (over_a & (x <= near)) | (over_b & (m - x <= near))
    twice = 2 * blind.depth
    shaded_b = over_a & (x * (b - top) <= twice * (top - a))
    shaded_a = over_b & ((m - x) * (a - top) <= twice * (top - b))
    return shaded_b | shaded_a


@lru_cache(maxsize=1 << 16)
def least_top(blind: Blind, tops: tuple[int, ...], a: int, b: int, x: int, m: int) -> int:
    """Return the lowest of some tops, in rising order, that rises into a line; higher ones do too. FOREVER for none."""
    return next((top for top in tops if rises(blind, top, a, b, x, m)), FOREVER)


def span(
    blind: Blind, top: NDArray[np.int64], a: int, b: int, x: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for which lengths of line obstacles rise into it.

    Parameters
    ----------
    blind : Blind
    top, x : arrays of int64, shape (n,)
        Tops of the obstacles and their places in half hexes.
    a, b : int
        Heights of the eyes, at the start and at all targets.

    Returns
    -------
    after, until : arrays of int64, shape (n,)
        The obstacle rises into a line of N hexes when after < N <= until; until is FOREVER, or 0 for never.
    """
    after = np.zeros(len(top), dtype=np.int64)
    if blind.kind == "interpolated":
        up, fall = top - a, b - a
        slope = np.maximum(np.abs(up), 1) * 2
        until = np.where((up > 0) | ((up == 0) & (fall < 0)), FOREVER, 0)
        if fall > 0:
            after = np.where(up > 0, x * fall // slope, after)
        elif fall < 0:
            until = np.where(up < 0, -(x * fall // slope) - 1, until)
        return after, until
    over = top > b
    if blind.kind == "fixed":
        always = (top > a) & (over | (x <= 2 * blind.depth))
        return after, np.where(always, FOREVER, np.where(over & (top <= a), (2 * blind.depth + x) // 2, 0))
    twice = 2 * blind.depth
    always = ((top > a) & (x * (b - top) <= twice * (top - a))) | (over & (top == a))
    ahead = 2 * np.maximum(a - top, 1)
    until = np.where(over & (top < a), (x * (a - top) + twice * (top - b)) // ahead, 0)
    return after, np.where(always, FOREVER, until)
