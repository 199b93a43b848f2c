"""Tables of the links between hexes: what a game adds up, for all links at once.

A table has one row a hex and one column a direction; ``position = cell * 6 + direction`` names a link. Rules add their
parts to such a table, and forbid links by the amount ``NEVER``, which no sum of real costs reaches.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.paths.network import FORBIDDEN
from studio.survey import Survey

__all__ = ["NEVER", "HexTable"]

NEVER = 1 << 24
"""Half points of a forbidden link while costs are added up."""


class HexTable:
    """The links between the hexes of a survey, as it is now.

    Parameters
    ----------
    survey : Survey

    Attributes
    ----------
    neighbours : array of int32, shape (cells, 6)
        Hex in each direction, -1 where no unit can be, there or here.
    """

    def __init__(self, survey: Survey) -> None:
        self.survey = survey
        playable = survey.directory.playable.ravel()
        table = survey.grid.neighbour_table
        if not playable.all():
            inside = playable[table] & playable[:, None] & (table >= 0)
            table = np.where(inside, table, np.int32(-1))
        self.neighbours: NDArray[np.int32] = table

    def entered(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return, for every link, the value of the hex that it leads into; shape (cells, 6), anything off the map."""
        return values.ravel()[self.neighbours]

    def left(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return, for every link, the value of the hex that it leads out of; shape (cells, 1), to be broadcast."""
        return values.ravel()[:, None]

    def positions(self, sides: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
        """Return the positions of the links across some hexsides, there and back.

        Parameters
        ----------
        sides : iterable of (cell, cell)
            Pairs that are not adjacent (where sheets meet otherwise than they are drawn, say) have none.
        """
        pairs = np.fromiter(itertools.chain.from_iterable(sides), dtype=np.int64).reshape(-1, 2)
        pairs = np.concatenate((pairs, pairs[:, ::-1]))
        here = self.neighbours[pairs[:, 0]] == pairs[:, 1:]
        row, direction = np.nonzero(here)
        found: NDArray[np.int64] = pairs[row, 0] * 6 + direction
        return found

    @cached_property
    def roads(self) -> NDArray[np.int64]:
        """Positions of the links along a road: one road crosses the hexside."""
        return self.positions(self.survey.roads)

    @cached_property
    def sides(self) -> dict[tuple[str, ...], NDArray[np.int64]]:
        """Positions of the links across the hexsides with something on them, by the kinds that are there."""
        found: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for side, kinds in self.survey.model.sides.items():
            found.setdefault(kinds, []).append(side)
        return {kinds: self.positions(sides) for kinds, sides in found.items()}

    def mask(self, positions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Return a table that is true at some positions; bool, shape (cells, 6)."""
        found = np.zeros(self.neighbours.shape, dtype=bool)
        found.ravel()[positions] = True
        return found

    def plane(self, cells: Iterable[int]) -> NDArray[np.bool_]:
        """Return which hexes are among some numbers of locations; bool, shape (cells,)."""
        found = np.zeros(self.survey.grid.cells, dtype=bool)
        listed = np.array([cell for cell in cells if cell < len(found)], dtype=np.int64)
        found[listed] = True
        return found

    @cached_property
    def climbs(self) -> NDArray[np.int16]:
        """Levels that each link goes up, 0 where it does not; int16, shape (cells, 6)."""
        levels = self.survey.model.levels.ravel()
        rise: NDArray[np.int16] = np.maximum(self.entered(levels) - levels[:, None].astype(np.int16), 0)
        return rise

    def add_sides(self, sums: NDArray[np.int32], cost: Callable[[tuple[str, ...], bool], int | None]) -> None:
        """Add what the hexsides cost to cross.

        Parameters
        ----------
        sums : array of int32, shape (cells, 6)
            Changed in place.
        cost : callable
            Takes the kinds on a hexside, and whether the link goes along a road there; returns half points, None where
            it is closed.
        """
        flat, along = sums.ravel(), self.mask(self.roads).ravel()
        for kinds, positions in self.sides.items():
            for road in (False, True):
                halves = cost(kinds, road)
                flat[positions[along[positions] == road]] += NEVER if halves is None else halves

    def add_markers(self, sums: NDArray[np.int32], cost: Mapping[str, int | None]) -> None:
        """Add what the markers cost to enter, by their types; each type counts once in a hex, None closes it."""
        extra = np.zeros(self.survey.grid.cells, dtype=np.int32)
        for kind, halves in cost.items():
            extra[self.plane(self.survey.cells_with_marker(kind))] += NEVER if halves is None else halves
        if extra.any():
            sums += self.entered(extra)

    def finish(self, costs: NDArray[Any], least: int = 0) -> NDArray[np.int32]:
        """Return the sums as costs of links: int32, shape (cells, 6), ``FORBIDDEN`` at ``NEVER`` and off the map."""
        done: NDArray[np.int32] = np.maximum(costs, least).astype(np.int32, copy=False)
        done[(costs >= NEVER // 2) | (self.neighbours < 0)] = FORBIDDEN
        return done
