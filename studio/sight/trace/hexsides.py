"""Which hexsides a line from hex centre to hex centre crosses, runs along, or passes between. Integers only."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias

from studio.grid.lines import SEXTANTS, sextant
from studio.sight.trace.steps import line_steps

__all__ = ["Axial", "SideHow", "SideMeeting", "side_template"]

Axial: TypeAlias = tuple[int, int]
SideHow = Literal["cross", "along", "corner"]
SideMeeting: TypeAlias = tuple[SideHow, tuple[tuple[Axial, Axial], ...], int]


@lru_cache(maxsize=16384)
def side_template(dq: int, dr: int) -> tuple[SideMeeting, ...]:
    """Return the hexsides that every line with one displacement meets, as pairs of axial offsets, in order.

    Parameters
    ----------
    dq, dr : int
        Axial displacement from the start to the end.

    Returns
    -------
    tuple of (how, sides, place)
        ``cross``: the line passes from one hex into the next, also where the end of their side is. ``along``: it runs
        along the side. ``corner``: it passes from a hex to a side along which it runs, or back: between the two sides
        that the hex has in common with the hexes beside the line. Sides that are only met at an end are left out.
        The place is the sum of the distances of the two hexes from the start, so in half hexes.

    Examples
    --------
    >>> side_template(1, 0)
    (('cross', (((0, 0), (1, 0)),), 1),)
    >>> [(how, place) for how, _, place in side_template(1, 1)]
    [('corner', 1), ('along', 2), ('corner', 3)]
    """
    if (dq, dr) == (0, 0):
        return ()
    k, a, b = sextant(dq, dr)
    (q0, r0), (q1, r1) = SEXTANTS[k], SEXTANTS[(k + 1) % 6]

    def at(ring: int, i: int) -> Axial:
        return (ring - i) * q0 + i * q1, (ring - i) * r0 + i * r1

    steps: list[tuple[Axial, ...]] = [((0, 0),)]
    for ring, through, along, _ in line_steps(a, b):
        steps += [(at(ring, i),) for i in through]
        if along:
            steps.append((at(ring, along[0]), at(ring, along[1])))
    steps.append(((dq, dr),))
    found: list[SideMeeting] = []
    for one, other in pairwise(steps):
        sides = tuple((u, v) for u in one for v in other)
        found.append(("cross" if len(sides) == 1 else "corner", sides, _place(*sides[0])))
        if len(other) == 2:
            found.append(("along", ((other[0], other[1]),), _place(other[0], other[1])))
    return tuple(found)


def _place(u: Axial, v: Axial) -> int:
    return sum((abs(q) + abs(r) + abs(q + r)) // 2 for q, r in (u, v))
