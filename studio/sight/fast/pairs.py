"""All pairs of hexes, displacement by displacement: what lies under the lines of every origin at once.

Every hex carries a *record*: some bits that say what may matter of it. The records under a line are or-ed together, in
one numpy operation a hex for all origins, and a game reads its verdict off the bits. Where a displacement is a multiple
of a shorter one (two in five are) its line is that line several times over, and takes two operations more.

The verdicts are gathered as one bit an ordered pair, and turned into rows at the end, some at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import gcd
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout, HexGrid, sextant
from studio.sight.packed import PackedCodes

__all__ = ["Pairs", "Records", "SeenPairs", "Span"]

_Bools = NDArray[np.bool_]
_Words = NDArray[np.unsignedinteger[Any]]
_BLOCK = 128  # origins turned into rows in one go
_CLEAR, _HINDERED, _BLOCKED = 1, 2, 3


@lru_cache(maxsize=65536)
def _inside(a: int, b: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hexes that the line of a displacement runs through, and those that it only meets on their border.

    Returns
    -------
    tuple of two arrays of int64, shape (n, 2)
        Coordinates along the two axes of the sextant. The hexes of the ends are left out.
    """
    n = a + b
    ring = np.arange(1, n, dtype=np.int64)
    i, rest = np.divmod(b * ring, n)
    reach = n + max(a, b)
    ring, i = np.concatenate((ring, ring)), np.concatenate((i, i + 1))
    miss = np.concatenate((3 * rest, 3 * (n - rest)))
    place = np.stack((ring - i, i), axis=1)
    return place[miss < reach], place[miss == reach]


class Span:
    """One displacement: how far it is, and what lies under its lines, as flat steps from their origins.

    Attributes
    ----------
    dq, dr : int
        Axial displacement.
    step : int
        Flat step; always positive.
    length : int
        Distance in hexes.
    times : int
        How many times the shortest displacement in the same direction.
    first : int
        Number of the direction (0 to 5) of the hex that the line runs through first, and the opposite of that of the
        last; -1 for a line that begins along a hexside.
    through : list of int
        Of the shortest displacement in the direction: flat steps of the hexes that its line runs through.
    """

    def __init__(self, layout: FlatLayout, dq: int, dr: int, shortest: Span | None = None) -> None:
        self.dq, self.dr = dq, dr
        self.step = layout.offset(dq, dr)
        k, a, b = sextant(dq, dr)
        self.length = a + b
        self.times = gcd(dq, dr)
        self._stride = self.step // self.times
        self.first = k if a > b else (k + 1) % 6 if b > a else -1
        if shortest is not None:
            self.through: list[int] = shortest.through
            self._border: list[int] = shortest._border
            return
        one, other = layout.offsets[k], layout.offsets[(k + 1) % 6]
        through, border = _inside(a, b)
        self.through = (through[:, 0] * one + through[:, 1] * other).tolist()
        self._border = (border[:, 0] * one + border[:, 1] * other).tolist()

    @property
    def along(self) -> list[tuple[int, int]]:
        """Flat steps of the two hexes on either side of every hexside that the line runs along."""
        if self.first >= 0:
            return []
        one, other = self._border
        return [(one + turn * self._stride, other + turn * self._stride) for turn in range(self.times)]

    @property
    def touch(self) -> list[int]:
        """Flat steps of the hexes that the line only touches in a corner."""
        if self.first < 0:
            return []
        return [at + turn * self._stride for turn in range(self.times) for at in self._border]


class Pairs:
    """The displacements of a grid, and for each the origins from which it leads to a hex of the map.

    Parameters
    ----------
    grid : HexGrid
    layout : FlatLayout
        That of the grid.
    limit : int
        Longest distance in hexes; 0 for no limit.
    """

    def __init__(self, grid: HexGrid, layout: FlatLayout, limit: int = 0) -> None:
        self.grid, self.layout, self.limit = grid, layout, limit
        row, column = np.divmod(np.arange(grid.cells), grid.columns)
        self._line = (column if grid.flat else row).astype(np.int32)

    def spans(self) -> Iterator[Span]:
        """Yield one of every two opposite displacements; the multiples of one follow it, shortest first."""
        lines, positions = (
            (self.grid.columns, self.grid.rows) if self.grid.flat else (self.grid.rows, self.grid.columns)
        )
        for across in range(lines):
            # Lines lean back by half a hex each.
            low, high = -(positions - 1) - (across + 1) // 2, positions - 1 - across // 2
            for along in range(low if across else 1, high + 1):
                if gcd(across, along) == 1:
                    yield from self._multiples(across, along, lines, positions)

    def _multiples(self, across: int, along: int, lines: int, positions: int) -> Iterator[Span]:
        shortest: Span | None = None
        times = 1
        while times * across < lines:
            q, r = (times * across, times * along) if self.grid.flat else (times * along, times * across)
            far = abs(2 * along + across) * times  # twice the positions that it leads along its line
            distance = (abs(q) + abs(r) + abs(q + r)) // 2
            if far > 2 * positions - 1 or (self.limit and distance > self.limit):
                return
            span = Span(self.layout, q, r, shortest)
            shortest = shortest or span
            yield span
            times += 1

    @property
    def count(self) -> int:
        """How many displacements :meth:`spans` yields."""
        return sum(1 for _ in self.spans())

    def keys(self, usable: NDArray[np.bool_], kind: NDArray[Any] | None = None) -> tuple[Any, Any]:
        """Return what :meth:`origins` needs.

        Parameters
        ----------
        usable : array of bool, shape (cells,)
            Hexes that may be an end.
        kind : array of int, shape (cells,), optional
            Pairs of hexes of different kinds are left out.
        """
        key = self._line.copy()
        if kind is not None:
            key += 4096 * np.unique(kind, return_inverse=True)[1].astype(np.int32)
        usable = usable & self.grid.present.ravel()
        nowhere = np.int32(1 << 30)
        return (
            self.layout.pack(np.where(usable, key, -nowhere), -nowhere),
            self.layout.pack(np.where(usable, key, nowhere), nowhere),
        )

    def origins(self, span: Span, keys: tuple[Any, Any]) -> _Bools:
        """Tell which origins a displacement leads to another hex; bool, shape (size - step,)."""
        starts, ends = keys
        across = span.dq if self.grid.flat else span.dr
        return np.asarray(ends[span.step :] - starts[: -span.step] == across)


class Records:
    """Bits of every hex, in as few words as hold them.

    Parameters
    ----------
    layout : FlatLayout
    planes : list of arrays of bool, shape (cells,)
        One a bit.
    """

    def __init__(self, layout: FlatLayout, planes: list[_Bools]) -> None:
        self.layout = layout
        self.bits = len(planes)
        size = next(size for size in (8, 16, 32, 64) if size >= min(64, self.bits))
        self._type = np.dtype(f"u{size // 8}")
        self._guard = 2 + max(abs(offset) for offset in layout.offsets)
        self._padded = [np.pad(word, self._guard) for word in self.words(planes)]
        self._shortest: list[_Words] = []
        self._last: list[_Words] = []
        self._times, self._stride = 0, 0
        self._through: list[int] = []

    def words(self, planes: list[_Bools]) -> list[_Words]:
        """Pack planes of bool, shape (cells,), into words over the flat layout: the same bits in the same places."""
        width = 8 * self._type.itemsize
        words = []
        for first in range(0, len(planes), width):
            word = np.zeros(self.layout.grid.cells, dtype=self._type)
            for bit, plane in enumerate(planes[first : first + width]):
                word |= plane.astype(self._type) << self._type.type(bit)
            words.append(self.layout.pack(word, 0))
        return words

    def at(self, step: int, length: int) -> list[_Words]:
        """Return the records that lie a flat step from the first `length` flat indices."""
        begin = self._guard + step
        return [word[begin : begin + length] for word in self._padded]

    def under(self, span: Span) -> list[_Words]:
        """Return the records that the lines of a displacement run through, or-ed together, for every origin.

        In the order of :meth:`Pairs.spans` every multiple of a displacement is made from the one before.

        Returns
        -------
        list of arrays of unsigned int, shape (size - step,)
            One a word; not to be changed.
        """
        stride = span.step // span.times
        times = self._times + 1 if self._stride == stride and self._through is span.through else 1
        for reached in range(times if times <= span.times else 1, span.times + 1):
            length = self.layout.size - reached * stride
            if reached == 1:
                self._shortest = self._last = [self._gather(word, span.through, length) for word in self._padded]
                continue
            # The line so far, the hex that it has reached, and the same line on from there.
            begin = (reached - 1) * stride
            far = [word[begin : begin + length] for word in self._shortest]
            middle = self.at(begin, length)
            self._last = [last[:length] | there | on for last, there, on in zip(self._last, middle, far, strict=True)]
        self._times, self._stride, self._through = span.times, stride, span.through
        return self._last

    def _gather(self, word: _Words, steps: list[int], length: int) -> _Words:
        if not steps:
            return np.zeros(length, dtype=self._type)
        guard, either = self._guard, np.bitwise_or
        found: _Words = word[guard + steps[0] : guard + steps[0] + length].copy()
        for step in steps[1:]:
            begin = guard + step
            either(found, word[begin : begin + length], found)
        return found


class SeenPairs:
    """Gathers which pairs see each other, one bit an ordered pair, and gives them out as rows.

    Parameters
    ----------
    layout : FlatLayout
    """

    def __init__(self, layout: FlatLayout) -> None:
        self.layout = layout
        size = layout.size
        # Row s, bit a: the pair from flat index a to the index s after it, counted round the end into the next row. A
        # square of all pairs, read as rows one longer than it is wide, is this turned over.
        self._rows: NDArray[np.uint8] = np.zeros((size + 1, (size + 7) // 8), dtype=np.uint8)
        self._room: _Bools = np.zeros(size + 8, dtype=bool)
        self._hindered: list[tuple[NDArray[np.int64], int]] = []

    def add(self, step: int, seen: _Bools) -> None:
        """Add the origins, bool of shape (size - step,), that see, and are seen from, the hex a flat step away."""
        self._add(step, 0, seen)
        self._add(self.layout.size + 1 - step, step - 1, seen)

    def add_bits(self, step: int, seen: int) -> None:
        """Add the same origins as a whole number, one bit a flat index."""
        width = self._rows.shape[1]
        for row, begin in ((step, 0), (self.layout.size + 1 - step, step - 1)):
            self._rows[row] |= np.frombuffer((seen << begin).to_bytes(width, "little"), dtype=np.uint8)

    def _add(self, row: int, begin: int, seen: _Bools) -> None:
        shift = begin % 8
        self._room[:shift] = False
        end = shift + len(seen)
        self._room[shift:end] = seen
        octets = np.packbits(self._room[:end], bitorder="little")
        self._rows[row, begin // 8 : begin // 8 + len(octets)] |= octets

    def hinder(self, step: int, hindered: _Bools) -> None:
        """Note which of the origins that see the hex a flat step away do so through a hindrance."""
        index = np.flatnonzero(hindered)
        if len(index):
            self._hindered.append((index, step))

    def codes(self, cells: NDArray[np.int64]) -> PackedCodes:
        """Return the codes of all ordered pairs of some cells: 1 clear, 2 hindered, 3 blocked.

        Parameters
        ----------
        cells : array of int64, shape (n,)
            A cell sees itself clearly.
        """
        size, packed = self.layout.size, PackedCodes(len(cells))
        at = self.layout.index[cells]
        rank = np.full(size, -1, dtype=np.int64)
        rank[at] = np.arange(len(cells))
        before = np.zeros(0, dtype=np.uint8)
        for first in range(0, size, _BLOCK):
            octets = np.ascontiguousarray(self._rows[:, first // 8 : (first + _BLOCK) // 8])
            turned = np.ascontiguousarray(np.unpackbits(octets, axis=1, bitorder="little").T)
            square = np.concatenate((before, turned.ravel()))
            rows = min(_BLOCK, size - first)
            chosen = np.flatnonzero(rank[first : first + rows] >= 0)
            seen = square[: rows * size].reshape(rows, size)[chosen][:, at]
            packed.set_rows(rank[first + chosen], np.uint8(_BLOCKED) - np.uint8(_BLOCKED - _CLEAR) * seen)
            before = turned[-1, size + 1 - first - _BLOCK :]
        for index, step in self._hindered:
            packed.set(rank[index], rank[index + step], _HINDERED)
            packed.set(rank[index + step], rank[index], _HINDERED)
        packed.set(np.arange(len(cells)), np.arange(len(cells)), _CLEAR)
        return packed
