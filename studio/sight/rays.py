"""Lines of one displacement in the frame of its sextant: which hexes they run through, and which sides they cross.

The displacement is ``a e_k + b e_(k+1)``; hex ``i`` of ring ``j`` lies at ``(j - i) e_k + i e_(k+1)``. All six
sextants share one answer, so it is worked out once for all of them. Integers only; see :mod:`studio.grid.lines`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple, TypeAlias

__all__ = ["Ray", "Spot", "ray"]

Spot: TypeAlias = tuple[int, int]
"""Ring and place in it."""


class Ray(NamedTuple):
    """What a line meets between its ends.

    Attributes
    ----------
    through : tuple of (ring, place)
    along : tuple of (ring, place)
        The line runs along the side of this hex and the next one in the ring.
    touched : tuple of (ring, place)
        Hexes of which it meets one corner only.
    crossed : tuple of pairs of (ring, place)
        Two hexes each whose common side it crosses, its corners left out, the one of the nearer ring first.
    """

    through: tuple[Spot, ...]
    along: tuple[Spot, ...]
    touched: tuple[Spot, ...]
    crossed: tuple[tuple[Spot, Spot], ...]


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
    n = a + b
    reach = n + max(a, b)
    through, along, touched = [], [], []
    for j in range(1, n):
        place = b * j
        i = place // n
        before = 3 * (place - n * i)
        for miss, at in ((before, i), (3 * n - before, i + 1)):
            if miss < reach:
                through.append((j, at))
            elif miss == reach and a != b:
                touched.append((j, at))
            elif miss == reach and at == i:
                along.append((j, at))
    inside = set(through)
    crossed = []
    for j, i in through:
        beyond = ((j, i + 1), (j + 1, i + 1)), ((j + 1, i), (j, i - 1)), ((j + 1, i + 1), (j + 1, i))
        for other, corner in beyond:
            if other in inside and _crosses(a, b, (j, i), other, corner):
                crossed.append(((j, i), other))
    return Ray(tuple(through), tuple(along), tuple(touched), tuple(crossed))


def _crosses(a: int, b: int, one: Spot, other: Spot, corner: Spot) -> bool:
    """Tell whether the line passes between the two corners of a side.

    A corner is the middle of three hexes; the two beyond the corners of a side have the same sum as the two on it.
    """
    x, y, z = (a * i - b * (j - i) for j, i in (one, other, corner))
    return (x + y + z < 0) != (2 * (x + y) - z < 0) and x + y + z != 0 and 2 * (x + y) - z != 0
