"""Drawn structures on the lines of one direction, for all origins of a displacement at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.grid.lines import SEXTANTS
from studio.rules.modern_tactics.layers import Layer, reach
from studio.rules.modern_tactics.pairs import lattice
from studio.rules.modern_tactics.scene import Scene
from studio.sight.fast.pairs import Span
from studio.sight.fast.shapebits import Extents
from studio.sight.fast.walks import Walk

__all__ = ["PieceBits"]

_Ints = NDArray[np.int64]
_Octets = NDArray[np.uint8]


class PieceBits:
    """Pieces of drawn structures: which lines run through one that blocks them.

    Parameters
    ----------
    scene : Scene
    layers : list of Layer
    heights : list of int
        Levels of units, lowest first; bits stand for that of the higher end.
    """

    def __init__(self, scene: Scene, layers: list[Layer], heights: list[int]) -> None:
        self.flat, self.layout = scene.grid.flat, scene.survey.layout
        index = self.layout.index
        shapes = [(int(index[one.cell]), number, one) for number, layer in enumerate(layers) for one in layer.shapes]
        shapes.sort(key=lambda shape: (shape[0], shape[2].piece))
        pieces = [(at, one.piece) for at, _, one in shapes]
        self.extents = Extents(self.layout.size, pieces, graze=bool(scene.options["graze_hits"]))
        self.at: _Ints = np.array([at for at, _ in pieces], dtype=np.int64)
        of_layer = [
            sum(1 << place for place, high in enumerate(heights) if reach(layer, high, high, scene.options).full)
            for layer in layers
        ]
        self.full: _Octets = np.array([of_layer[number] for _, number, _ in shapes], dtype=np.uint8)
        # For every height of the lower end, the higher ones for which a piece counts right before it (12.4).
        behind = [
            [
                sum(
                    1 << place
                    for place, high in enumerate(heights)
                    if high > low and reach(layer, low, high, scene.options).behind
                )
                for low in heights
            ]
            for layer in layers
        ]
        counts: _Octets = np.array([behind[number] for _, number, _ in shapes], dtype=np.uint8)
        low = self.layout.pack(np.searchsorted(heights, scene.level), 0)
        # By the direction in which a piece lies from the end: that end, and the heights of the other one.
        self.behind: list[tuple[_Ints, _Octets]] = []
        for offset in self.layout.offsets if counts.any() else ():
            at = self.at - offset
            self.behind.append((at, counts[np.arange(len(at)), np.minimum(low[at], len(heights) - 1)]))
        # Of every hex its first piece, -1 where there is none; and whether the next piece is in the same hex.
        self._first: _Ints = np.full(self.layout.size, -1, dtype=np.int64)
        self._first[self.at[::-1]] = np.arange(len(self.at))[::-1]
        self._more: NDArray[np.bool_] = np.append(self.at[1:] == self.at[:-1], False)
        self._by_full: _Ints = np.argsort(self.full, kind="stable")
        self._at_by_full: _Ints = self.at[self._by_full][:, None]
        self._values = np.unique(self.full).tolist()
        self._bounds: _Ints = np.searchsorted(self.full[self._by_full], [*self._values, 256])
        self._steps: _Ints = np.array([lattice(self.flat, *axis) for axis in SEXTANTS], dtype=np.int64)
        self._last: _Octets
        self._once: _Octets
        self._middle: _Octets
        self._begins: _Octets
        self._ends: _Octets

    def under(self, span: Span, walk: Walk) -> _Octets:
        """Return the heights of higher ends for which each line runs through a piece that blocks it, as bits.

        Spans come in the order of :meth:`Pairs.spans`.
        """
        size, stride = self.layout.size, span.step // span.times
        length = size - span.step
        if span.times == 1:
            self._direction(span, walk)
            self._last = self._once[:length]
        else:
            begin = span.step - stride
            last = self._last[:length] | self._middle[begin : begin + length]
            last |= self._once[begin : begin + length]
            self._last = last
        return np.asarray(self._last | self._begins[:length] | self._ends[span.step :])

    def hit(self, span: Span, walk: Walk, starts: _Ints, higher: _Octets) -> NDArray[np.bool_]:
        """Tell which of a few lines run through a piece that blocks them.

        Parameters
        ----------
        span : Span
            One that is alone.
        walk : Walk
            Of it.
        starts : array of int64, shape (n,)
            Flat indices.
        higher : array of uint8, shape (n,)
            The bit of the level of the higher end.

        Returns
        -------
        array of bool, shape (n,)
        """
        low, high, aside = self._seen_along(span)
        found = np.zeros(len(starts), dtype=bool)
        first = self._first[starts[:, None] + np.array(span.through, dtype=np.int64)]
        row, column = np.nonzero(first >= 0)
        piece, away = first[row, column], np.cumsum(aside[walk.moves[:-1]])[column]
        while len(row):
            met = (low[piece] <= away) & (away <= high[piece]) & ((self.full[piece] & higher[row]) != 0)
            found[row[met]] = True
            more = self._more[piece]
            row, piece, away = row[more], piece[more] + 1, away[more]
        if self.behind:
            self._begins, self._ends = np.zeros((2, self.layout.size), dtype=np.uint8)
            self._behind(span, low, high, int(aside[span.first]))
            found |= ((self._begins[starts] | self._ends[starts + span.step]) & higher) != 0
        return found

    def _seen_along(self, span: Span) -> tuple[_Ints, _Ints, _Ints]:
        """Return the extent of every piece across lines of a direction, and how far the six neighbours of a hex lie."""
        dx, dy = lattice(self.flat, span.dq, span.dr)
        low, high = self.extents.across((dx, dy))
        return low, high, self._steps[:, 0] * dy - self._steps[:, 1] * dx

    def _behind(self, span: Span, low: _Ints, high: _Ints, miss: int) -> None:
        """Find the pieces right before an end."""
        for found, k, here in ((self._begins, span.first, miss), (self._ends, (span.first + 3) % 6, -miss)):
            at, bits = self.behind[k]
            met = (low <= here) & (here <= high)
            found[at[met]] = bits[met]

    def _direction(self, span: Span, walk: Walk) -> None:
        """Find the hexes from which the shortest line of a direction runs through a piece, and what lies near ends."""
        low, high, aside = self._seen_along(span)
        self._once, self._middle, self._begins, self._ends = np.zeros((4, self.layout.size), dtype=np.uint8)
        if span.through:
            away = np.cumsum(aside[walk.moves[:-1]])
            order = self._by_full
            met = low[order, None] <= away
            met &= away <= high[order, None]
            found = np.flatnonzero(met)
            starts = (self._at_by_full - np.array(span.through, dtype=np.int64)).ravel()[found]
            # What is higher counts for all heights that what is lower counts for, so it may take its place.
            bounds = np.searchsorted(found, self._bounds * len(away)).tolist()
            for value, begin, end in zip(self._values, bounds[:-1], bounds[1:], strict=True):
                self._once[starts[begin:end]] = value
        # Pieces of one hex stand for the same heights.
        met = (low <= 0) & (high >= 0)
        self._middle[self.at[met]] = self.full[met]
        if self.behind:
            self._behind(span, low, high, int(aside[span.first]))
