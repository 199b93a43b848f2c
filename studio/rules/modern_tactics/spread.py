"""Links between locations, spread over the states of a mover: facings, and what stops and begins a move.

A vehicle goes forwards into the three hexes that it faces and backwards into the other three, and turns by one hexside
or none in the hex that it enters; or it spins in its hex (22.4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.paths import FORBIDDEN, HexTable, Network
from studio.rules.modern_tactics import begins

if TYPE_CHECKING:
    from studio.rules.modern_tactics.moves import TacticsMoves

__all__ = ["Spread"]

_Links = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""Nodes at both ends, and costs."""

_TURNS = np.array([-1, 0, 1])


class Spread:
    """The nodes of one mover, and the links between them as they are added.

    Parameters
    ----------
    moves : TacticsMoves
    table : HexTable
    """

    def __init__(self, moves: TacticsMoves, table: HexTable) -> None:
        self.moves, self.table = moves, table
        self.states, self.facings = len(moves.states), moves.facings
        self.size = len(moves.survey.directory)
        self.stops: NDArray[np.bool_] = table.plane(moves.ways.stops)
        self.reverse = moves.ways.figure("reverse")
        self.links: list[_Links] = []

    def _cells(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        cells = np.arange(self.size, dtype=np.int64)
        roads = self.moves.ways.road_at
        cells[list(roads.values())] = list(roads)
        return cells[numbers]

    def _add(self, a: NDArray[np.int64], b: NDArray[np.int64], costs: NDArray[np.int64]) -> None:
        self.links.append((a.ravel(), b.ravel(), np.broadcast_to(costs, a.shape).ravel()))

    # -- single links ----------------------------------------------------------------------------------------------

    def add_roads(
        self,
        a: NDArray[np.int64],
        b: NDArray[np.int64],
        directions: NDArray[np.int64],
        costs: NDArray[np.int64],
    ) -> None:
        """Add steps between locations, in every facing; and the spins on the roads.

        Parameters
        ----------
        a, b, directions, costs : array of int64, shape (steps,)
            Locations, the direction (-1 within a hex), half points or ``FORBIDDEN``.
        """
        within = directions < 0
        ends = self.stops[self._cells(b)] & ~within
        if not self.moves.turns:
            stopped = self.moves.stopped or 0
            self._add(a * self.states, b * self.states + np.where(ends, stopped, 0), costs)
            return
        for facing in range(6):
            backwards = ~within & np.isin((directions - facing) % 6, (2, 3, 4)) & (costs >= 0)
            paid = costs + np.where(backwards, self.reverse, 0)
            if ends.any():
                self._add(a[ends] * self.states + facing, b[ends] * self.states + self.facings, paid[ends])
            for turn in _TURNS.tolist():
                kept = ~ends & (~within | (turn == 0))
                to = b[kept] * self.states + (facing + turn) % 6
                self._add(a[kept] * self.states + facing, to, paid[kept])
        roads = np.array(sorted(self.moves.ways.road_at.values()), dtype=np.int64)
        for facing in range(6):
            for turn in range(1, 6):
                spin = np.full(len(roads), self.moves.ways.figure("spin"), dtype=np.int64)
                self._add(roads * self.states + facing, roads * self.states + (facing + turn) % 6, spin)

    def add_stopped(self) -> None:
        """Add the ways on from where moves have ended, all of them forbidden."""
        held = np.flatnonzero(self.stops)
        roads = self.moves.ways.road_at
        also = [(roads[cell], cell) for cell in held.tolist() if cell in roads]
        numbers = np.concatenate((held, np.array([number for number, _ in also], dtype=np.int64)))
        cells = np.concatenate((held, np.array([cell for _, cell in also], dtype=np.int64)))
        around = self.table.neighbours[cells].astype(np.int64)
        row, direction = np.nonzero(around >= 0)
        there = around[row, direction]
        state = np.where(self.stops[there], self.facings, direction if self.moves.turns else 0)
        a = numbers[row] * self.states + self.facings
        self._add(a, there * self.states + state, np.full(len(a), FORBIDDEN, dtype=np.int64))

    def add_beginnings(self, costs: NDArray[np.int64]) -> None:
        """Add the steps with which moves begin.

        Parameters
        ----------
        costs : array of int64, shape (locations,)
            Half points or ``FORBIDDEN``.
        """
        numbers = self.moves.survey.directory.numbers
        if self.moves.ways.flies:
            numbers = numbers[numbers < self.moves.survey.grid.cells]
        stops = self.stops[self._cells(numbers)] & (self.moves.state.begins == "off_map")
        kinds = numbers[~stops], numbers[stops]
        for some in kinds:
            if not len(some):
                continue
            for state in begins.ends(self.moves, int(some[0])):
                begin = some * self.states + self.states - 1
                self._add(begin, some * self.states + state, costs[some])

    # -- all together ----------------------------------------------------------------------------------------------

    def network(self, costs: NDArray[np.int32]) -> Network:
        """Return the network of the steps from hex to hex and all that was added.

        Parameters
        ----------
        costs : array of int32, shape (cells, 6)
            Half points or ``FORBIDDEN``.
        """
        ends, worth = self._facing(costs) if self.moves.turns else self._straight(costs)
        cells, width = len(costs), ends.shape[2]
        counts = np.zeros((self.size, self.states), dtype=np.int32)
        counts[:cells, : self.facings] = width
        indptr = np.zeros(self.size * self.states + 1, dtype=np.int32)
        np.cumsum(counts.ravel(), out=indptr[1:])
        return _with_links(Network(indptr, ends.ravel(), worth.ravel(), self.states), self.links)

    def _straight(self, costs: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        around, states = self.table.neighbours, np.int32(self.states)
        ends = around * states
        if self.moves.stopped is not None:
            ends = ends + self.stops[around] * np.int32(self.moves.stopped)
        own = np.arange(len(costs), dtype=np.int32)[:, None] * states
        return np.where(around < 0, own, ends)[:, None, :], costs[:, None, :]

    def _facing(self, costs: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the links of vehicles; int32, shape (cells, 6, 23): three a direction, and five spins."""
        cells, states = len(costs), np.int32(self.states)
        around, facing = self.table.neighbours, np.arange(6)
        ends = np.empty((cells, 6, 23), dtype=np.int32)
        worth = np.empty((cells, 6, 23), dtype=np.int32)
        first, paid = np.repeat(around * states, 3, axis=1), np.repeat(costs, 3, axis=1)
        dear = np.where(paid < 0, FORBIDDEN, paid + np.int32(self.reverse)).astype(np.int32)
        own = np.arange(cells, dtype=np.int32)[:, None] * states
        for way in facing.tolist():
            backwards = np.repeat(np.isin((facing - way) % 6, (2, 3, 4)), 3)
            turned = np.tile((way + _TURNS) % 6, 6).astype(np.int32)
            ends[:, way, :18] = first + turned
            worth[:, way, :18] = np.where(backwards, dear, paid)
            ends[:, way, 18:] = own + np.delete(facing, way).astype(np.int32)
        worth[:, :, 18:] = self.moves.ways.figure("spin")
        # What leads off the map is no link, nor is a spin where there is no hex.
        off, direction = np.nonzero(around < 0)
        self._take_out(ends, worth, off, direction * 3, 3)
        gone = np.flatnonzero(~self.moves.survey.directory.playable.ravel())
        self._take_out(ends, worth, gone, np.full(len(gone), 18), 5)
        if self.moves.stopped is not None:
            held, direction = np.nonzero(self.stops[around] & (around >= 0))
            self._take_out(ends, worth, held, direction * 3, 2)
            ends[held, :, direction * 3 + 2] = (around[held, direction] * states + np.int32(self.facings))[:, None]
        return ends, worth

    def _take_out(
        self,
        ends: NDArray[np.int32],
        worth: NDArray[np.int32],
        cells: NDArray[np.int64],
        columns: NDArray[np.int64],
        width: int,
    ) -> None:
        """Make no links of some columns of some hexes: a link from a node to itself is none."""
        own = cells[:, None] * self.states + np.arange(6)
        for column in range(width):
            ends[cells, :, columns + column] = own
            worth[cells, :, columns + column] = FORBIDDEN


def _with_links(network: Network, links: list[_Links]) -> Network:
    """Return a network with further links, each at the end of the row of its first node."""
    if not sum(len(link[0]) for link in links):
        return network
    begin, end, cost = (np.concatenate(column) for column in zip(*links, strict=True))
    order = np.argsort(begin, kind="stable")
    begin, end, cost = begin[order], end[order], cost[order]
    at = network.indptr[begin + 1]
    ends = np.insert(network.ends, at, end.astype(np.int32))
    costs = np.insert(network.costs, at, cost.astype(np.int32))
    more = np.zeros(len(network.indptr), dtype=np.int64)
    np.cumsum(np.bincount(begin, minlength=network.size), out=more[1:])
    return Network((network.indptr + more).astype(np.int32), ends, costs, network.states)
