"""What many lines have met so far: points towards blocking and hindrances of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.rules.generic.borders import BLOCKED_FROM
from studio.sight import BLOCKED, CLEAR, HINDERED

__all__ = ["Tally"]


class Tally:
    """Points and hindrances of many lines.

    Parameters
    ----------
    lines : int
    adjacent : bool
        Lines to adjacent hexes are never blocked.

    Attributes
    ----------
    points, hindrances : arrays of int64, shape (lines,)
    """

    def __init__(self, lines: int, *, adjacent: bool) -> None:
        self.points: NDArray[np.int64] = np.zeros(lines, dtype=np.int64)
        self.hindrances: NDArray[np.int64] = np.zeros(lines, dtype=np.int64)
        self._adjacent = adjacent

    def add(self, blocks: bool, up: NDArray[np.bool_], at: NDArray[np.int64] | None = None) -> None:
        """Add obstacles that rise into some lines.

        Parameters
        ----------
        blocks : bool
            They block; else they hinder once each.
        up : array of bool, shape (n,)
        at : array of int64, shape (n,), optional
            The lines meant, each once; all by default.
        """
        into, weight = (self.points, BLOCKED_FROM) if blocks else (self.hindrances, 1)
        lines = np.flatnonzero(up) if at is None else at[up]
        into[lines] += weight

    def settled(self, options: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Tell which lines are blocked already."""
        return np.asarray((self.points >= BLOCKED_FROM) | (self.hindrances > int(options["hindrance_limit"])))

    def codes(self, length: NDArray[np.int64], limit: int) -> NDArray[np.uint8]:
        """Return the verdicts of lines of some lengths; uint8, shape (lines,)."""
        blocked = (self.points >= BLOCKED_FROM) | (self.hindrances > limit)
        if self._adjacent:
            blocked &= length > 1
        return np.where(blocked, BLOCKED, np.where(self.hindrances > 0, HINDERED, CLEAR)).astype(np.uint8)
