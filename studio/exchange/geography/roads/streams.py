"""The rivers that a road may cross: where its line does so in the world, and which hexsides they have on the map."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import segments
from studio.exchange.common.corners import radii
from studio.exchange.geography.work import Work

__all__ = ["Crossing", "Streams"]

_ASIDE = (1.3e-6, 0.7e-6)
"""Radii by which a line is moved, so that it crosses or misses what it only touched or ran along."""
_TOUCH = 0.05
"""Radii between two crossings of one river from which on they are two, and not a touch."""


class Crossing(NamedTuple):
    """A place where a line crosses a river.

    Attributes
    ----------
    river : int
        Its number.
    along : float
        Radii from the start of the line.
    spot : (float, float)
        In radii.
    """

    river: int
    along: float
    spot: tuple[float, float]


class Streams:
    """The rivers of a map, by their true lines and by their hexsides.

    Parameters
    ----------
    work : Work

    Attributes
    ----------
    names : list of str
        Of the rivers, by their numbers.
    codes : list of array of int64
        Of each river its sides, as ``cell * cells + other cell``, in both directions, ascending.
    every : array of int64
        Sides of all rivers.
    """

    def __init__(self, work: Work) -> None:
        import shapely

        self.cells = work.model.grid.cells
        self.names = sorted(work.river_lines)
        self.codes = [self._coded(work.rivers.get(name, [])) for name in self.names]
        self.every = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *self.codes]))
        self._sets = [set(codes.tolist()) for codes in self.codes]
        self._known = set[int]().union(*self._sets)
        scale = radii(work.model.grid)
        pieces = [segments(work.river_lines[name]) * scale for name in self.names]
        self._pieces = np.concatenate([np.zeros((0, 2, 2)), *pieces])
        self._river = np.repeat(np.arange(len(pieces)), [len(part) for part in pieces])
        self._tree = shapely.STRtree(shapely.linestrings(self._pieces) if len(self._pieces) else [])

    def _coded(self, sides: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
        pairs = np.array(sides, dtype=np.int64).reshape(-1, 2)
        both = np.concatenate((pairs, pairs[:, ::-1]))
        found: NDArray[np.int64] = np.unique(both[:, 0] * self.cells + both[:, 1])
        return found

    def crossed(self, path: Sequence[int]) -> list[tuple[int, int]]:
        """Return the hexsides with rivers that a row of hexes crosses, the lower cell first, as often as it does."""
        return [(min(a, b), max(a, b)) for a, b in itertools.pairwise(path) if a * self.cells + b in self._known]

    def of(self, side: tuple[int, int]) -> list[int]:
        """Return the rivers that run along a hexside."""
        code = side[0] * self.cells + side[1]
        return [river for river, codes in enumerate(self._sets) if code in codes]

    def crossings(self, line: NDArray[np.float64]) -> list[Crossing]:
        """Return where a line crosses rivers, in order; touches are none.

        Parameters
        ----------
        line : array of float, shape (n, 2)
            In radii.
        """
        import shapely

        begin, end = line[:-1] + _ASIDE, line[1:] + _ASIDE
        which, other = self._tree.query(shapely.linestrings(np.stack([begin, end], axis=1)), predicate="intersects")
        a, step = begin[which], (end - begin)[which]
        c, bed = self._pieces[other, 0], self._pieces[other, 1] - self._pieces[other, 0]
        turn = step[:, 0] * bed[:, 1] - step[:, 1] * bed[:, 0]
        real = turn != 0
        to = c - a
        part = (to[:, 0] * bed[:, 1] - to[:, 1] * bed[:, 0])[real] / turn[real]
        length = np.hypot(*(line[1:] - line[:-1]).T)
        at = (np.cumsum(length) - length)[which[real]] + np.clip(part, 0, 1) * length[which[real]]
        spots = a[real] + part[:, None] * step[real]
        rivers = self._river[other[real]]
        found: list[Crossing] = []
        for n in np.lexsort((rivers, at)).tolist():
            one = Crossing(int(rivers[n]), float(at[n]), (float(spots[n, 0]), float(spots[n, 1])))
            if found and found[-1].river == one.river and one.along - found[-1].along < _TOUCH:
                found.pop()
            else:
                found.append(one)
        return found

    def between(self, begin: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell of straight pieces, from points to points of shape (n, 2) in radii, whether a river runs between."""
        import shapely

        found = np.zeros(len(begin), dtype=bool)
        if len(self._pieces):
            found[self._tree.query(shapely.linestrings(np.stack([begin, end], axis=1)), predicate="intersects")[0]] = 1
        return found
