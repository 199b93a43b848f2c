"""Exact lines from hex centre to hex centre: what they run through, run along, or touch. Integers only.

The displacement of two hexes is turned into its sextant, ``d = a e_k + b e_(k+1)`` with ``a > 0, b >= 0``; its length
is ``N = a + b`` hexes. Of the ring at distance ``j`` the line meets the inside of hex ``i`` when
``|3 (N i - b j)| < N + max(a, b)`` and its border alone when the two are equal: along a side if ``a == b``, else in a
corner. The frame is affine, so incidence and order are those of the real hexes, whatever their size.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal

import msgspec

from studio.grid.hexgrid import HexGrid

__all__ = ["SEXTANTS", "Contact", "How", "hex_line", "line_template", "sextant"]

How = Literal["through", "along", "touch", "cross"]

SEXTANTS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial unit steps (q, r) in the order of their directions, 60 degrees apart."""

_Ratio = tuple[int, int]
_Step = tuple[How, tuple[tuple[int, int], ...], _Ratio, _Ratio]


class Contact(msgspec.Struct, frozen=True):
    """One meeting of a sight line with a hex or a hexside.

    Attributes
    ----------
    how : {"through", "along", "touch", "cross"}
        Through the inside, along a side for a positive length, or in one corner only; drawn lines are crossed.
    cells : tuple of int
        The hex, or for ``along`` the hexes on the two sides (only one where the other is off the map); none for what
        is drawn freely.
    enter, leave : Fraction
        Where the contact begins and ends, from 0 at the start of the line to 1 at its end; equal for a touch.
    """

    how: How
    cells: tuple[int, ...]
    enter_ratio: tuple[int, int]
    leave_ratio: tuple[int, int]

    @property
    def enter(self) -> Fraction:
        """Where the contact begins, 0 to 1 along the line."""
        return Fraction(*self.enter_ratio)

    @property
    def leave(self) -> Fraction:
        """Where the contact ends, 0 to 1 along the line."""
        return Fraction(*self.leave_ratio)


def sextant(dq: int, dr: int) -> tuple[int, int, int]:
    """Return (k, a, b) with (dq, dr) = a e_k + b e_(k+1), a > 0 and b >= 0; (0, 0, 0) for no displacement.

    Examples
    --------
    >>> sextant(2, 1), sextant(0, -3)
    ((0, 2, 1), (4, 3, 0))
    """
    if dq > 0 and dr >= 0:
        return 0, dq, dr
    if dq <= 0 and dq + dr > 0:
        return 1, dq + dr, -dq
    if dr > 0 and dq + dr <= 0:
        return 2, dr, -dq - dr
    if dq < 0 and dr <= 0:
        return 3, -dq, -dr
    if dq >= 0 and dq + dr < 0:
        return 4, -dq - dr, dq
    return (5, -dr, dq + dr) if dr < 0 else (0, 0, 0)


def _interval(a: int, b: int, alpha: int, beta: int) -> tuple[_Ratio, _Ratio]:
    """Return the part t0..t1 of the line t (a, b) inside the hex at (alpha, beta), as two ratios.

    A hex is where three pairs of borders leave at most one unit: |2x + y|, |x + 2y| and |y - x|, measured from its
    centre in the skew frame of the sextant.
    """
    enter, leave = (0, 1), (1, 1)
    for speed, middle in ((2 * a + b, 2 * alpha + beta), (a + 2 * b, alpha + 2 * beta), (b - a, beta - alpha)):
        if speed == 0:
            continue
        low, high, rate = (middle - 1, middle + 1, speed) if speed > 0 else (-middle - 1, -middle + 1, -speed)
        if low * enter[1] > enter[0] * rate:
            enter = (low, rate)
        if high * leave[1] < leave[0] * rate:
            leave = (high, rate)
    return enter, leave


@lru_cache(maxsize=16384)
def line_template(dq: int, dr: int) -> tuple[_Step, ...]:
    """Return the contacts of every line with one displacement, as axial offsets from its start, in order.

    Parameters
    ----------
    dq, dr : int
        Axial displacement from the start to the end.

    Returns
    -------
    tuple of (how, offsets, enter, leave)
        Offsets are one (q, r) pair, or two for ``along``; enter and leave are (numerator, denominator).
        The hexes of the two ends are left out.
    """
    k, a, b = sextant(dq, dr)
    n = a + b
    (q0, r0), (q1, r1) = SEXTANTS[k], SEXTANTS[(k + 1) % 6]
    reach = n + max(a, b)
    steps: list[tuple[Fraction, _Step]] = []
    for j in range(1, n):
        for i in range(max(0, (b * j) // n - 1), min(j, (b * j) // n + 2) + 1):
            miss = abs(3 * (n * i - b * j))
            if miss > reach:
                continue
            alpha, beta = j - i, i
            here = (alpha * q0 + beta * q1, alpha * r0 + beta * r1)
            enter, leave = _interval(a, b, alpha, beta)
            how: How = "through" if miss < reach else "along" if a == b else "touch"
            if how == "along":
                if 2 * i > j:
                    continue  # the pair is listed with its first hex
                other = ((alpha - 1) * q0 + (beta + 1) * q1, (alpha - 1) * r0 + (beta + 1) * r1)
                step: _Step = (how, (here, other), enter, leave)
            else:
                step = (how, (here,), enter, leave)
            middle = Fraction(enter[0] * leave[1] + leave[0] * enter[1], enter[1] * leave[1])
            steps.append((middle, step))
    steps.sort(key=lambda pair: pair[0])
    return tuple(step for _, step in steps)


def hex_line(grid: HexGrid, a: int, b: int) -> tuple[Contact, ...]:
    """Return what the line from the centre of one hex to the centre of another meets on the map, in order.

    Parameters
    ----------
    grid : HexGrid
    a, b : int
        Cells of the two ends. Their own hexes are not contacts.

    Returns
    -------
    tuple of Contact
        Hexes off the map are left out; an ``along`` contact keeps the one hex that is on the map.

    Examples
    --------
    >>> grid = HexGrid(columns=5, rows=5)
    >>> [(contact.how, contact.cells) for contact in hex_line(grid, 0, 6)]
    [('along', (1, 5))]
    >>> [(contact.how, contact.cells) for contact in hex_line(grid, 0, 12)]
    [('through', (1,)), ('through', (6,))]
    """
    (qa, ra), (qb, rb) = grid.axial(a), grid.axial(b)
    contacts: list[Contact] = []
    for how, offsets, enter, leave in line_template(qb - qa, rb - ra):
        if len(offsets) == 1:
            cell = grid.from_axial(qa + offsets[0][0], ra + offsets[0][1])
            cells: tuple[int, ...] = () if cell is None else (cell,)
        else:
            pair = (grid.from_axial(qa + q, ra + r) for q, r in offsets)
            cells = tuple(sorted(cell for cell in pair if cell is not None))
        if cells:
            contacts.append(Contact(how, cells, enter, leave))
    return tuple(contacts)
