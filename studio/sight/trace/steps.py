"""What a line from hex centre to hex centre meets, ring by ring, in the two axes of its sextant; integers only.

The same hexes as in :func:`studio.grid.line_template`, without places along the line, for whoever needs thousands.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

__all__ = ["RingStep", "line_steps"]


class RingStep(NamedTuple):
    """What a line meets in one ring of hexes round its start: positions ``i`` of the hexes ``(ring - i, i)``.

    Attributes
    ----------
    ring : int
    through : tuple of int
        Hexes that it runs through, in the order of the line.
    along : tuple of int
        The two hexes of the side that it runs along, or none.
    touch : tuple of int
        Hexes that it meets in a corner only.
    """

    ring: int
    through: tuple[int, ...]
    along: tuple[int, ...]
    touch: tuple[int, ...]


@lru_cache(maxsize=65536)
def line_steps(a: int, b: int) -> tuple[RingStep, ...]:
    """Return what the line of a displacement meets between its ends.

    Parameters
    ----------
    a, b : int
        Displacement in the two axes of its sextant; see :func:`studio.grid.sextant`.

    Examples
    --------
    >>> line_steps(2, 1)
    (RingStep(ring=1, through=(0,), along=(), touch=()), RingStep(ring=2, through=(1,), along=(), touch=()))
    >>> line_steps(1, 1)
    (RingStep(ring=1, through=(), along=(0, 1), touch=()),)
    """
    n = a + b
    reach = n + max(a, b)
    steps = []
    for ring in range(1, n):
        i, rest = divmod(b * ring, n)
        near, far = 3 * rest, 3 * (n - rest)
        through: tuple[int, ...] = ()
        along: tuple[int, ...] = ()
        touch: tuple[int, ...] = ()
        if near < reach and far < reach:
            # The line leans to the axis of the larger coordinate, and meets the hex on the other side first.
            through = (i, i + 1) if b > a else (i + 1, i)
        elif near < reach:
            through = (i,)
        elif far < reach:
            through = (i + 1,)
        if a == b and near == reach:
            along = (i, i + 1)
        elif near == reach:
            touch = (i,)
        elif far == reach:
            touch = (i + 1,)
        steps.append(RingStep(ring, through, along, touch))
    return tuple(steps)
