"""Drawn pieces as seen from one hex: which of many lines run through one of them.

Seen from outside its hex, a piece lies between two of its corners. A line runs through it when it passes between
the two.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid
from studio.sight.fast.shadows import Directions
from studio.sight.fast.sums import TURN
from studio.sight.trace.pieces import Piece

__all__ = ["ShapeSides"]

_Ints = NDArray[np.int64]


class ShapeSides:
    """Pieces of drawn shapes in hexes.

    Parameters
    ----------
    grid : HexGrid
    pieces : list of (cell, piece)
        Corners as seen from the centre of the hex.
    graze : bool
        Touching an outline is enough.
    """

    def __init__(self, grid: HexGrid, pieces: list[tuple[int, Piece]], *, graze: bool = False) -> None:
        self.grid, self.graze = grid, graze
        self.cells: _Ints = np.array([cell for cell, _ in pieces], dtype=np.int64)
        most = max(len(piece) for _, piece in pieces)
        # Shorter pieces repeat their first corner.
        corners = [[*piece, *[piece[0]] * (most - len(piece))] for _, piece in pieces]
        self._corners: NDArray[Any] = np.array(corners, dtype=object if self._large(pieces) else np.int64)
        self._seen: dict[int, tuple[NDArray[Any], NDArray[Any]]] = {}

    def _large(self, pieces: list[tuple[int, Piece]]) -> bool:
        reach = int(np.abs(self.grid.centres).max()) + 1000
        return max(d for _, piece in pieces for _, _, d in piece) * reach * reach > 1 << 61

    def _extremes(self, a: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return, for every piece, its first and its last corner as seen from a hex, scaled by whole numbers."""
        if a not in self._seen:
            away = (self.grid.centres[self.cells] - self.grid.centres[a]).astype(self._corners.dtype)
            scale = self._corners[:, :, 2]
            x = self._corners[:, :, 0] + away[:, :1] * scale
            y = self._corners[:, :, 1] + away[:, 1:] * scale
            first, last = [np.stack((x[:, 0], y[:, 0]), axis=1) for _ in range(2)]
            for at in range(1, x.shape[1]):
                corner = np.stack((x[:, at], y[:, at]), axis=1)
                first = np.where((_cross(corner, first) > 0)[:, None], corner, first)
                last = np.where((_cross(corner, last) < 0)[:, None], corner, last)
            self._seen = {a: (first, last)}  # the next question is about the same hex, or a new one
        return self._seen[a]

    def _between(self, a: int, piece: _Ints, targets: _Ints) -> NDArray[np.bool_]:
        first, last = self._extremes(a)
        step = (self.grid.centres[targets] - self.grid.centres[a]).astype(self._corners.dtype)
        before, after = _cross(first[piece], step), _cross(step, last[piece])
        if self.graze:
            return np.asarray((before >= 0) & (after >= 0), dtype=bool)
        return np.asarray((before > 0) & (after > 0), dtype=bool)

    def hits(self, a: int, view: Directions, targets: _Ints, *, last_ring: int = 0) -> NDArray[np.bool_]:
        """Tell which lines from the centre of a hex to those of others run through a piece on their way.

        Parameters
        ----------
        a : int
            The hex that looks.
        view : Directions
            From it.
        targets : array of int64, shape (n,)
            None of them straight along hexsides.
        last_ring : int
            Only pieces up to this ring count; 0 for all.

        Returns
        -------
        array of bool, shape (n,)
        """
        pieces = np.flatnonzero(view.ring[self.cells] > 0)
        if last_ring:
            pieces = pieces[view.ring[self.cells[pieces]] <= last_ring]
        hit = np.zeros(len(targets), dtype=bool)
        order = np.argsort(keys := view.keys(targets))
        keys = keys[order]
        low, high = view.shadows(self.cells[pieces])
        for shift in (0, TURN):  # a hex across direction 0 lies at both ends of the turn
            begin = np.searchsorted(keys, low + shift, side="right")
            end = np.searchsorted(keys, high + shift, side="left")
            some = np.flatnonzero(begin < end)
            for named, lines in _runs(pieces[some], begin[some], end[some]):
                near = view.ring[self.cells[named]] < view.ring[targets[order[lines]]]
                near &= ~hit[order[lines]]
                piece, goal = named[near], order[lines[near]]
                hit[goal[self._between(a, piece, targets[goal])]] = True
        return hit

    def hits_in(self, a: int, targets: _Ints, cells: _Ints) -> NDArray[np.bool_]:
        """Tell which lines from a hex run through a piece in one hex each, that they run through."""
        order = np.argsort(self.cells, kind="stable")
        begin = np.searchsorted(self.cells[order], cells, side="left")
        end = np.searchsorted(self.cells[order], cells, side="right")
        hit = np.zeros(len(targets), dtype=bool)
        lines = np.arange(len(targets))
        for line, at in _runs(lines, begin, end):
            hit[line[self._between(a, order[at], targets[line])]] = True
        return hit


def _cross(a: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])


def _runs(names: _Ints, begin: _Ints, end: _Ints) -> list[tuple[_Ints, _Ints]]:
    """Spell out ranges: every name with each number from its begin to before its end, in lists not too long."""
    length = end - begin
    found = []
    first = 0
    while first < len(names):
        sizes = np.cumsum(length[first:])
        last = first + max(1, int(np.searchsorted(sizes, 1 << 18)))
        some = slice(first, last)
        name = np.repeat(names[some], length[some])
        start = np.repeat(begin[some] - np.concatenate(([0], np.cumsum(length[some])[:-1])), length[some])
        found.append((name, start + np.arange(len(name))))
        first = last
    return found
