"""What lines meet on their way, added up for every origin of a displacement: hexes, and the sides by which they enter.

Of every hex there are up to seven numbers in one: what the hex has, and that together with what each of its six sides
has. A line takes the number of the side by which it comes in, so that a hexside costs nothing more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout, sextant
from studio.sight.fast.pairs import Span

__all__ = ["Walk", "WalkSums", "in_lanes"]

_Words = NDArray[np.unsignedinteger[Any]]


def in_lanes(values: list[NDArray[Any]], width: int) -> _Words:
    """Put small whole numbers side by side into one word each.

    Parameters
    ----------
    values : list of arrays of int or bool, shape (n,)
        Not negative; no sum of them may need more bits than `width`.
    width : int
        Bits a lane; no more than 64 for all lanes together.

    Returns
    -------
    array of unsigned int, shape (n,)
        The first array in the lowest bits.
    """
    size = next(size for size in (8, 16, 32, 64) if size >= width * len(values))
    word = np.zeros(len(values[0]), dtype=f"u{size // 8}")
    for lane, value in enumerate(values):
        word |= value.astype(word.dtype) << word.dtype.type(lane * width)
    return word


class Walk:
    """The hexes that the shortest line of a direction runs through, in order, and the sides by which it enters them.

    Parameters
    ----------
    layout : FlatLayout
    span : Span
        Of a line that does not run along hexsides.
    corners : bool
        A line through the end of a side crosses it when it runs through both of its hexes.

    Attributes
    ----------
    steps : list of int
        Flat steps to the hexes, and to the end of the line.
    moves : list of int
        For each of them the direction in which the line comes in.
    entered : list of int
        The same, but 6 where it comes in through a corner, and corners do not count.
    """

    def __init__(self, layout: FlatLayout, span: Span, *, corners: bool) -> None:
        self.steps = [*span.through, span.step // span.times]
        direction = {offset: k for k, offset in enumerate(layout.offsets)}
        here = 0
        self.moves: list[int] = []
        for there in self.steps:
            self.moves.append(direction[there - here])
            here = there
        self.entered = self.moves
        if not corners and span.touch:
            self._leave_out_corners(span)

    def _leave_out_corners(self, span: Span) -> None:
        """Find the sides that the line crosses at one of their ends: else these lie on different sides of it."""
        k, a, b = sextant(span.dq // span.times, span.dr // span.times)
        n = a + b
        # How far from the line, and on which side of it, the next hex lies, and one that has a corner with both.
        turns = {k: (-b, -n), (k + 1) % 6: (a, -b), (k + 2) % 6: (n, a), (k + 5) % 6: (-n, -b)}
        aside, self.entered = 0, self.moves.copy()
        for at, into in enumerate(self.moves):
            more, corner = turns[into]
            # A corner is the middle of three hexes; the two beyond the corners of a side have the sum of the two on it.
            both, third = 2 * aside + more, aside + corner
            if (both + third) * (2 * both - third) == 0:
                self.entered[at] = 6
            aside += more


class WalkSums:
    """Adds up, or or-s together, what the lines of displacements meet, in the order of :meth:`Pairs.spans`.

    Parameters
    ----------
    layout : FlatLayout
    hexes : array of unsigned int, shape (cells,)
        What each hex has.
    sides : list of six arrays of unsigned int, shape (cells,), optional
        What the side has by which a line comes into a hex in each of the six directions.
    work : ufunc
        ``np.add`` or ``np.bitwise_or``.
    ends : bool
        The sides of the hexes of both ends count.
    """

    def __init__(
        self,
        layout: FlatLayout,
        hexes: _Words,
        sides: list[_Words] | None = None,
        *,
        work: np.ufunc = np.add,
        ends: bool = False,
    ) -> None:
        self._size, self._work = layout.size, work
        self._guard = 2 + max(abs(offset) for offset in layout.offsets)

        def padded(word: _Words) -> _Words:
            return np.pad(layout.pack(word, 0), self._guard)

        plain = padded(hexes)
        self._sides = [padded(side) for side in sides] if sides is not None else None
        self._entered = [padded(work(hexes, side)) for side in sides] if sides is not None else [plain] * 6
        self._entered.append(plain)
        self._joined = np.concatenate(self._entered)
        self._ends = ends and sides is not None
        self._last: _Words
        self._full: _Words

    def under(self, span: Span, walk: Walk) -> _Words:
        """Return what the lines of a displacement meet; unsigned int, shape (size - step,), not to be changed."""
        stride = span.step // span.times
        length, work = self._size - span.step, self._work
        if span.times == 1:
            self._last = self._shortest(walk, length)
            self._full = self._last
            if self._sides is not None and len(walk.steps) > 1:
                self._full = self._with_side(self._last, walk.entered[0], walk.steps[0])
        else:
            begin = span.step - stride
            # Where hexes lie in a row the first of them is entered from the end itself.
            into = 6 if span.times == 2 and len(walk.steps) == 1 else walk.entered[-1]
            last = work(self._last[:length], self._at(self._entered[into], begin, length))
            self._last = work(last, self._full[begin : begin + length], out=last) if len(walk.steps) > 1 else last
        if not self._ends:
            return self._last
        found = self._with_side(self._last, walk.entered[0], walk.steps[0])
        return self._with_side(found, walk.entered[-1], span.step) if span.length > 1 else found

    def under_some(self, span: Span, walk: Walk, starts: NDArray[np.int64]) -> _Words:
        """Return what a few lines meet, of a displacement that is alone.

        Parameters
        ----------
        span : Span
        walk : Walk
            Of it.
        starts : array of int64, shape (n,)
            Flat indices.

        Returns
        -------
        array of unsigned int, shape (n,)
        """
        into = np.array([6, *walk.entered[1:-1]][: len(walk.steps) - 1], dtype=np.int64)
        places = np.array(walk.steps[:-1], dtype=np.int64) + into * len(self._entered[6]) + self._guard
        met = self._joined[places[:, None] + starts]
        found: _Words = self._work.reduce(met, axis=0, dtype=met.dtype)
        if self._ends and self._sides is not None:
            crossed = [(walk.entered[0], walk.steps[0]), (walk.entered[-1], span.step)]
            for direction, step in crossed if span.length > 1 else crossed[:1]:
                if direction < 6:
                    found = self._work(found, self._sides[direction][self._guard + step + starts])
        return found

    def _shortest(self, walk: Walk, length: int) -> _Words:
        if len(walk.steps) == 1:
            return np.zeros(length, dtype=self._entered[6].dtype)
        found: _Words = self._at(self._entered[6], walk.steps[0], length).copy()
        work, guard = self._work, self._guard
        for step, into in zip(walk.steps[1:-1], walk.entered[1:-1], strict=True):
            begin = guard + step
            work(found, self._entered[into][begin : begin + length], found)
        return found

    def _at(self, word: _Words, step: int, length: int) -> _Words:
        return word[self._guard + step : self._guard + step + length]

    def _with_side(self, found: _Words, into: int, step: int) -> _Words:
        if into == 6 or self._sides is None:
            return found
        return np.asarray(self._work(found, self._at(self._sides[into], step, len(found))))
