"""Lines of one displacement in the frame of its sextant: which hexes they run through, and which sides they cross.

The displacement is ``a e_k + b e_(k+1)``; hex ``i`` of ring ``j`` lies at ``(j - i) e_k + i e_(k+1)``. All six sextants
share one answer, so it is worked out once for all of them. Integers only; see :mod:`studio.grid.lines`.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Ray", "Spot", "ray"]

Spot: TypeAlias = tuple[int, int]
"""Ring and place in it."""


class Ray:
    """What a line meets between its ends.

    Parameters
    ----------
    a, b : int
        The displacement in the frame of its sextant.

    Attributes
    ----------
    through : tuple of (ring, place)
    along : tuple of (ring, place)
        The line runs along the side of this hex and the next one in the ring.
    touched : tuple of (ring, place)
        Hexes of which it meets one corner only.
    """

    def __init__(self, a: int, b: int) -> None:
        self.a, self.b = a, b
        n = a + b
        reach = n + max(a, b)
        through, along, touched = [], [], []
        for j in range(1, n):
            i, rest = divmod(b * j, n)
            before, spots = 3 * rest, _ring(j)
            for miss, at in ((before, i), (3 * n - before, i + 1)):
                if miss < reach:
                    through.append(spots[at])
                elif miss == reach and a != b:
                    touched.append(spots[at])
                elif miss == reach and at == i:
                    along.append(spots[at])
        self.through, self.along, self.touched = tuple(through), tuple(along), tuple(touched)

    @property
    def crossed(self) -> tuple[tuple[Spot, Spot], ...]:
        """Two hexes each whose common side the line crosses, its corners left out, the one of the nearer ring first."""
        return tuple(((u + v, v), (x + y, y)) for u, v, x, y, _ in self.crossings.tolist())

    @cached_property
    def steps(self) -> NDArray[np.int64]:
        """Steps along both axes to the hexes that the line runs through; int64, shape (n, 2)."""
        rings, places = np.array(self.through, dtype=np.int64).reshape(-1, 2).T
        return np.stack((rings - places, places), axis=1)

    @cached_property
    def crossings(self) -> NDArray[np.int64]:
        """Hexes on both sides of the sides that the line crosses, the corners left out.

        Returns
        -------
        array of int64, shape (n, 5)
            Steps to the first hex, steps to the second, and 0, 1 or 2: the second lies along the first axis, along the
            second one, or further in the ring.
        """
        a, b, n = self.a, self.b, self.a + self.b
        x = a * self.steps[:, 1] - b * self.steps[:, 0]  # on which side of the line each hex lies, and how far
        rings = self.steps.sum(axis=1)
        found = []
        # A corner is the middle of three hexes; the two beyond the corners of a side have the sum of the two on it.
        for turn, (du, dv, more, corner) in enumerate(((1, 0, -b, -n), (0, 1, a, -b), (-1, 1, n, a))):
            y, z = x + more, x + corner
            sides = (x + y + z) * (2 * (x + y) - z)
            met = np.flatnonzero((sides < 0) & (3 * np.abs(y) < n + max(a, b)) & (rings + du + dv < n))
            one = self.steps[met]
            found.append(np.column_stack((one, one + np.array([du, dv]), np.full(len(met), turn))))
        return np.concatenate(found)


@lru_cache(maxsize=4096)
def _ring(j: int) -> tuple[Spot, ...]:
    """Return the spots of a ring; all rays share them, or they would take most of the memory of a large table."""
    return tuple((j, at) for at in range(j + 2))


@lru_cache(maxsize=16384)
def ray(a: int, b: int) -> Ray:
    """Return what the lines of a displacement meet.

    Parameters
    ----------
    a, b : int
        The displacement in the frame of its sextant.

    Examples
    --------
    >>> ray(2, 1).through, ray(1, 1).along, ray(2, 0).crossed
    (((1, 0), (2, 1)), ((1, 0),), ())
    """
    return Ray(a, b)
