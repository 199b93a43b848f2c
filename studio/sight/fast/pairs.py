"""All pairs of hexes, displacement by displacement: what lies under the lines of every origin at once.

Every hex carries a *record*: some bits that say what may matter of it. The records under a line are or-ed together, in
one numpy operation a hex for all origins, and a game reads its verdict off the bits. Where a displacement is a multiple
of a shorter one (two in five are) its line is that line several times over, and takes two operations more.

The verdicts are gathered as one bit an ordered pair, and turned into rows at the end, some at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout, HexGrid, sextant
from studio.sight.packed import PackedCodes

__all__ = ["Pairs", "Records", "SeenPairs", "Span", "few"]

_Bools = NDArray[np.bool_]
_Words = NDArray[np.unsignedinteger[Any]]
_BLOCK = 128  # origins turned into rows in one go
_CLEAR, _HINDERED, _BLOCKED = 1, 2, 3


def _inside(ends: NDArray[np.int64], steps: NDArray[np.int64]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield, for each of some lines, the hexes that it runs through and those that it only meets on their border.

    Parameters
    ----------
    ends : array of int64, shape (n, 2)
        Displacements in the two axes of their sextants.
    steps : array of int64, shape (n, 2)
        Flat steps along these axes.

    Yields
    ------
    tuple of two lists of int
        Flat steps from the start of the line. The hexes of the ends are left out.
    """
    length = ends.sum(axis=1)
    line = np.repeat(np.arange(len(ends)), length - 1)
    last = np.cumsum(length - 1)
    ring = np.arange(1, len(line) + 1) - (last - length + 1)[line]
    n, wide = length[line], (length + ends.max(axis=1))[line]
    i, rest = np.divmod(ends[line, 1] * ring, n)
    one, aside = steps[line, 0], (steps[:, 1] - steps[:, 0])[line]
    # A line that leans to its first axis meets the hex on the other side first.
    swap = ends[line, 0] > ends[line, 1]
    near, far = ring * one + i * aside, 3 * rest
    flat = np.stack((near + aside * swap, near + aside * ~swap), axis=1)
    miss = np.stack((np.where(swap, 3 * n - far, far), np.where(swap, far, 3 * n - far)), axis=1)
    found = []
    for met in (miss < wide[:, None], miss == wide[:, None]):
        many = np.concatenate(([0], np.cumsum(met.sum(axis=1))))[last].tolist()
        found.append((flat[met].tolist(), many))
    (through, upto), (border, border_upto) = found
    begin = border_begin = 0
    for end, border_end in zip(upto, border_upto, strict=True):
        yield through[begin:end], border[border_begin:border_end]
        begin, border_begin = end, border_end


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
    alone : bool
        It has no multiples on the map, and is none.
    first : int
        Number of the direction (0 to 5) of the hex that the line runs through first, and the opposite of that of the
        last; -1 for a line that begins along a hexside.
    through : list of int
        Of the shortest displacement in the direction: flat steps of the hexes that its line runs through, in its order.
    """

    __slots__ = ("_border", "_stride", "alone", "dq", "dr", "first", "length", "step", "through", "times")

    def __init__(self, layout: FlatLayout, dq: int, dr: int, through: list[int], border: list[int]) -> None:
        self.dq, self.dr, self.times, self.alone = dq, dr, 1, True
        self.step = self._stride = layout.offset(dq, dr)
        k, a, b = sextant(dq, dr)
        self.length = a + b
        self.first = k if a > b else (k + 1) % 6 if b > a else -1
        self.through, self._border = through, border

    def multiple(self, times: int) -> Span:
        """Return a multiple of this one, which is the shortest in its direction."""
        span: Span = object.__new__(Span)
        span.dq, span.dr, span.times, span.alone = times * self.dq, times * self.dr, times, False
        span.step, span._stride, span.length = times * self.step, self.step, times * self.length
        span.first, span.through, span._border = self.first, self.through, self._border
        return span

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


def few(span: Span, origins: _Bools) -> bool:
    """Tell whether a displacement is alone and has so few origins that picking their hexes beats taking all in rows."""
    return span.alone and 8 * int(np.count_nonzero(origins)) < len(origins) + 1600


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
        self._lines, self._positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
        row, column = np.divmod(np.arange(grid.cells), grid.columns)
        self._line = (column if grid.flat else row).astype(np.int32)

    def spans(self) -> Iterator[Span]:
        """Yield one of every two opposite displacements; the multiples of one follow it, shortest first."""
        offset = self.layout.offsets
        for across in range(self._lines):
            along = self._alongs(across)
            along = along[np.gcd(along, across) == 1]
            displacements = [(across, one) if self.grid.flat else (one, across) for one in along.tolist()]
            if not displacements:
                continue
            turned = [sextant(dq, dr) for dq, dr in displacements]
            ends = np.array([(a, b) for _, a, b in turned], dtype=np.int64)
            steps = np.array([(offset[k], offset[(k + 1) % 6]) for k, _, _ in turned], dtype=np.int64)
            for (dq, dr), (through, border) in zip(displacements, _inside(ends, steps), strict=True):
                span = Span(self.layout, dq, dr, through, border)
                most = self._most(across, dr if self.grid.flat else dq, span.length)
                span.alone = most == 1
                yield span
                for times in range(2, most + 1):
                    yield span.multiple(times)

    def _alongs(self, across: int) -> NDArray[np.int64]:
        """Return how far displacements lead along their line that lead so many lines across."""
        # Lines lean back by half a hex each.
        low, high = -(self._positions - 1) - (across + 1) // 2, self._positions - 1 - across // 2
        along = np.arange(low if across else 1, high + 1)
        along = along[np.abs(2 * along + across) < 2 * self._positions]
        if self.limit:
            along = along[(across + np.abs(along) + np.abs(across + along)) // 2 <= self.limit]
        return along

    def _most(self, across: int, along: int, length: int) -> int:
        """Return how many times a displacement fits on the map."""
        aside = abs(2 * along + across)
        most = (2 * self._positions - 1) // aside if aside else self._lines
        if across:
            most = min(most, (self._lines - 1) // across)
        return min(most, self.limit // length) if self.limit else most

    @property
    def count(self) -> int:
        """How many displacements :meth:`spans` yields."""
        return sum(len(self._alongs(across)) for across in range(self._lines))

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

    def under_some(self, span: Span, starts: NDArray[np.int64]) -> list[_Words]:
        """Return the same for a few origins of a displacement that is alone.

        Parameters
        ----------
        span : Span
        starts : array of int64, shape (n,)
            Flat indices.

        Returns
        -------
        list of arrays of unsigned int, shape (n,)
        """
        places = np.array(span.through, dtype=np.int64)[:, None] + (self._guard + starts)
        return [np.bitwise_or.reduce(word[places], axis=0) for word in self._padded]

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
        # Row s, bit a: the pair from flat index a to the index s after it, counted round the end into the next row. A
        # square of all pairs, read as rows one longer than it is wide, is this turned over.
        size = layout.size
        self._width = (size + 7) // 8
        self._seen: NDArray[np.uint8] = np.zeros((size + 1, self._width), dtype=np.uint8)
        self._hindered: NDArray[np.uint8] | None = None

    def add(self, step: int, seen: _Bools) -> None:
        """Add the origins, bool of shape (size - step,), that see, and are seen from, the hex a flat step away."""
        self.add_bits(step, _bits(seen))

    def add_bits(self, step: int, seen: int) -> None:
        """Add the same origins as a whole number, one bit a flat index."""
        self._add(self._seen, step, seen)

    def hinder(self, step: int, hindered: _Bools) -> None:
        """Note which of the origins that see the hex a flat step away do so through a hindrance."""
        self.hinder_bits(step, _bits(hindered))

    def hinder_bits(self, step: int, hindered: int) -> None:
        """Note the same origins as a whole number."""
        if hindered:
            if self._hindered is None:
                self._hindered = np.zeros_like(self._seen)
            self._add(self._hindered, step, hindered)

    def _add(self, rows: NDArray[np.uint8], step: int, bits: int) -> None:
        for row, found in ((step, bits), (self.layout.size + 1 - step, bits << (step - 1))):
            rows[row] |= np.frombuffer(found.to_bytes(self._width, "little"), dtype=np.uint8)

    def codes(self, cells: NDArray[np.int64]) -> PackedCodes:
        """Return the codes of all ordered pairs of some cells: 1 clear, 2 hindered, 3 blocked.

        Parameters
        ----------
        cells : array of int64, shape (n,)
            A cell sees itself clearly.
        """
        packed = PackedCodes(len(cells))
        at = self.layout.index[cells]
        rank = np.full(self.layout.size, -1, dtype=np.int64)
        rank[at] = np.arange(len(cells))
        hindered = self._squares(self._hindered, rank, at) if self._hindered is not None else None
        for chosen, seen in self._squares(self._seen, rank, at):
            codes = np.uint8(_BLOCKED) - np.uint8(_BLOCKED - _CLEAR) * seen
            if hindered is not None:
                codes += np.uint8(_HINDERED - _CLEAR) * (next(hindered)[1] & seen)
            packed.set_rows(rank[chosen], codes)
        packed.set(np.arange(len(cells)), np.arange(len(cells)), _CLEAR)
        return packed

    def _squares(
        self, turned_over: NDArray[np.uint8], rank: NDArray[np.int64], at: NDArray[np.int64]
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.uint8]]]:
        """Yield the rows of the square that stand for a cell, some at a time: their flat indices, and 0 or 1 a pair."""
        size = self.layout.size
        before = np.zeros(0, dtype=np.uint8)
        for first in range(0, size, _BLOCK):
            octets = np.ascontiguousarray(turned_over[:, first // 8 : (first + _BLOCK) // 8])
            turned = np.ascontiguousarray(np.unpackbits(octets, axis=1, bitorder="little").T)
            square = np.concatenate((before, turned.ravel()))
            rows = min(_BLOCK, size - first)
            chosen = np.flatnonzero(rank[first : first + rows] >= 0)
            yield first + chosen, square[: rows * size].reshape(rows, size)[chosen][:, at]
            before = turned[-1, size + 1 - first - _BLOCK :]


def _bits(flags: _Bools) -> int:
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
