"""Networks: nodes, directed links between them, and what each link costs.

A node is a location in one of the states that a mover can be in there (facing, on the road, at flank speed, …):
``node = number of the location * states + state``. Costs are whole half points. A link that the rules forbid is kept,
with the cost ``FORBIDDEN``: a search passes it by, and an answer can still say what stands in the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from studio.errors import GridError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["FORBIDDEN", "Network", "Table"]

FORBIDDEN = -1
"""Cost of a link that the rules forbid."""

Table = tuple[int, int, NDArray[Any], NDArray[Any]]
"""State at the start, state at the end, the locations that are reached (-1 for none) and the costs, both of shape
(locations, links of each)."""

EXACT = 2**53
"""Whole numbers up to here are exact in the arithmetic of the search."""


class Network:
    """Nodes and directed links with exact costs, in compressed rows.

    Parameters
    ----------
    indptr : array of int32, shape (nodes + 1,)
        Where the links of each node begin.
    ends : array of int32, shape (links,)
        Node at the end of each link. A link from a node to itself is none: rows are filled up with such.
    costs : array of int32, shape (links,)
        Half points, ``FORBIDDEN`` where the rules forbid it.
    states : int
        States of each location.
    width : int
        Length of the rows where all that are not empty have the same, and where whoever has a link to a location has a
        link from it: between hexes, say. 0 otherwise. It makes the way to a single node quick to tell.
    """

    def __init__(
        self,
        indptr: NDArray[np.int32],
        ends: NDArray[np.int32],
        costs: NDArray[np.int32],
        states: int = 1,
        width: int = 0,
    ) -> None:
        self.indptr, self.ends, self.costs, self.states, self.width = indptr, ends, costs, states, width
        self.size = len(indptr) - 1

    # -- making ----------------------------------------------------------------------------------------------------

    @classmethod
    def from_table(
        cls, neighbours: NDArray[Any], costs: NDArray[Any], size: int = 0, *, mutual: bool = False
    ) -> Network:
        """Make a network of one state from the neighbours of each location.

        Parameters
        ----------
        neighbours : array of int, shape (locations, links of each)
            Locations that are reached, -1 for none.
        costs : array of int, the same shape
            Half points, ``FORBIDDEN`` where the rules forbid it.
        size : int
            Number of all locations, where there are more than the table has; they have no links yet.
        mutual : bool
            Every neighbour of a location has it as a neighbour, too.
        """
        return cls.from_tables(1, [(0, 0, neighbours, costs)], size, mutual=mutual)

    @classmethod
    def from_tables(cls, states: int, tables: Sequence[Table], size: int = 0, *, mutual: bool = False) -> Network:
        """Make a network from tables, each of which leads from one state to one state; see :data:`Table`.

        With `mutual`, every neighbour of a location in any of the tables has it as a neighbour in one of them, too.
        """
        rows = len(tables[0][2])
        size = max(size, rows)
        width = max(sum(part[2].shape[1] for part in tables if part[0] == state) for state in range(states))
        own = np.arange(rows * states, dtype=np.int32).reshape(rows, states, 1)
        if len(tables) == states == 1:
            # The usual case, and the one that has to be fast.
            neighbours, costs = tables[0][2], tables[0][3]
            ends = np.where(neighbours < 0, own[:, 0], neighbours).astype(np.int32, copy=False)
            worth = costs.astype(np.int32, copy=False)
        else:
            ends = np.repeat(own, width, axis=2)
            worth = np.full(ends.shape, FORBIDDEN, dtype=np.int32)
            used = [0] * states
            for begin, end, neighbours, costs in tables:
                at = slice(used[begin], used[begin] + neighbours.shape[1])
                used[begin] = at.stop
                there = neighbours >= 0
                ends[:, begin, at] = np.where(there, neighbours * states + end, own[:, begin])
                worth[:, begin, at] = np.where(there, costs, FORBIDDEN)
        indptr = np.full(size * states + 1, rows * states * width, dtype=np.int32)
        indptr[: rows * states + 1] = np.arange(rows * states + 1, dtype=np.int32) * width
        return cls(indptr, ends.ravel(), worth.ravel(), states, width if mutual else 0)

    @classmethod
    def from_links(cls, size: int, links: Iterable[tuple[int, int, int]] | ArrayLike, states: int = 1) -> Network:
        """Make a network from single links.

        Parameters
        ----------
        size : int
            Number of locations.
        links : iterable of (node, node, half points), or array of shape (links, 3)
            Of several between the same two nodes the cheapest counts.
        states : int

        Raises
        ------
        GridError
            When a node does not exist.
        """
        listed = links if isinstance(links, np.ndarray) else np.array(list(links), dtype=np.int64)  # type: ignore[arg-type]
        found = listed.reshape(-1, 3).astype(np.int64)
        nodes = size * states
        if len(found) and (found[:, :2].min() < 0 or found[:, :2].max() >= nodes):
            msg = f"links: got nodes {found[:, :2].min()} to {found[:, :2].max()}, allowed 0 to {nodes - 1}"
            raise GridError(msg)
        # Cheapest first, the forbidden ones last, so that the first of equal pairs is the one that counts.
        worth = np.where(found[:, 2] < 0, np.iinfo(np.int64).max, found[:, 2])
        order = np.lexsort((worth, found[:, 1], found[:, 0]))
        found = found[order]
        fresh = np.ones(len(found), dtype=bool)
        fresh[1:] = np.any(found[1:, :2] != found[:-1, :2], axis=1)
        found = found[fresh]
        indptr = np.searchsorted(found[:, 0], np.arange(nodes + 1)).astype(np.int32)
        costs = np.maximum(found[:, 2], FORBIDDEN).astype(np.int32)
        return cls(indptr, found[:, 1].astype(np.int32), costs, states)

    def with_links(self, links: Iterable[tuple[int, int, int]]) -> Network:
        """Return the network with further links (node, node, half points), as :meth:`from_links` takes them.

        Raises
        ------
        GridError
            When a node does not exist.
        """
        more = np.array(list(links), dtype=np.int64).reshape(-1, 3)
        return Network.from_links(self.size // self.states, np.concatenate((self.links, more)), self.states)

    def closed(
        self, into: Iterable[int] = (), out_of: Iterable[int] = (), between: Iterable[tuple[int, int]] = ()
    ) -> Network:
        """Return the network with more links forbidden.

        Parameters
        ----------
        into, out_of : iterable of int, or arrays
            Nodes that no link leads into, or out of, any more.
        between : iterable of (node, node)
            Single links to forbid, in this direction.
        """
        costs = self.costs.copy()
        into, out_of = _nodes(into), _nodes(out_of)
        if len(into):
            shut = np.zeros(self.size, dtype=bool)
            shut[into] = True
            costs[shut[self.ends]] = FORBIDDEN
        for node in out_of.tolist():
            costs[self.row(node)] = FORBIDDEN
        for a, b in between:
            row = self.row(a)
            costs[row][self.ends[row] == b] = FORBIDDEN
        return Network(self.indptr, self.ends, costs, self.states, self.width)

    def priced(self, halves: int) -> Network:
        """Return the network in which every link that is allowed costs the same, so that searches count steps."""
        costs = np.where(self.costs < 0, FORBIDDEN, np.int32(halves))
        return Network(self.indptr, self.ends, costs.astype(np.int32, copy=False), self.states, self.width)

    def opened(self, penalty: int) -> Network:
        """Return the network in which forbidden links are allowed, at a price; for what stands in the way."""
        costs = np.where(self.costs < 0, np.int32(penalty), self.costs)
        return Network(self.indptr, self.ends, costs.astype(np.int32, copy=False), self.states, self.width)

    # -- asking ----------------------------------------------------------------------------------------------------

    def row(self, node: int) -> slice:
        """Return where the links of a node are."""
        return slice(int(self.indptr[node]), int(self.indptr[node + 1]))

    @cached_property
    def begins(self) -> NDArray[np.int32]:
        """Node at the start of each link; int32, shape (links,)."""
        return np.repeat(np.arange(self.size, dtype=np.int32), np.diff(self.indptr))

    @property
    def links(self) -> NDArray[np.int64]:
        """All links, forbidden ones included; int64, shape (links, 3): node, node, half points."""
        real = self.begins != self.ends
        return np.stack((self.begins[real], self.ends[real], self.costs[real]), axis=1).astype(np.int64)

    def cost(self, a: int, b: int) -> int | None:
        """Return the half points of the cheapest link between two nodes, None where there is none that is allowed."""
        row = self.row(a)
        found = self.costs[row][(self.ends[row] == b) & (self.costs[row] >= 0)]
        return int(found.min()) if len(found) and a != b else None

    def costs_along(self, nodes: Sequence[int] | NDArray[Any]) -> NDArray[np.int64]:
        """Return what each step of a way costs by its cheapest link, -1 where none is allowed.

        Parameters
        ----------
        nodes : sequence of int
            Nodes of the way, in order.

        Returns
        -------
        array of int64, shape (nodes - 1,)
        """
        way = np.asarray(nodes, dtype=np.int64)
        if len(way) < 2:
            return np.empty(0, dtype=np.int64)
        first, last = self.indptr[way[:-1]], self.indptr[way[:-1] + 1]
        widest = int((last - first).max())
        links = first[:, None] + np.arange(widest)
        inside = links < last[:, None]
        links = np.where(inside, links, 0)
        never = np.iinfo(np.int64).max
        costs = np.where(inside & (self.ends[links] == way[1:, None]), self.costs[links].astype(np.int64), FORBIDDEN)
        cheapest = np.where(costs < 0, never, costs).min(axis=1, initial=never)
        return np.where((cheapest == never) | (way[1:] == way[:-1]), FORBIDDEN, cheapest)

    @cached_property
    def reversed(self) -> Network:
        """The network with every link the other way round: for searches towards a place."""
        from scipy.sparse import csr_array

        # Numbers of links, transposed: sorted by where they end, and there by where they begin.
        numbers = csr_array(
            (np.arange(len(self.ends), dtype=np.int32), self.ends, self.indptr), shape=(self.size, self.size)
        ).tocsc()
        ends, indptr = (array.astype(np.int32, copy=False) for array in (numbers.indices, numbers.indptr))
        return Network(indptr, ends, self.costs[numbers.data], self.states)

    # -- searching -------------------------------------------------------------------------------------------------

    @cached_property
    def scale(self) -> int:
        """What the search multiplies costs by, to count steps in what is left over; 1 where every link costs something.

        A link that costs nothing is no step on for Dijkstra's algorithm, and two of them can go round in a circle;
        one more for every step makes both impossible, and the way with fewer steps the better one.
        """
        return 1 << self.size.bit_length() if bool((self.costs == 0).any()) else 1

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """Costs as the search takes them: whole numbers, infinite where a link is forbidden; shape (links,)."""
        weights = self.costs.astype(np.float64)
        if self.scale > 1:
            weights *= self.scale
            weights += 1
        weights[self.costs < 0] = np.inf
        return weights

    @cached_property
    def exact(self) -> bool:
        """No way can be so long that it is not counted exactly."""
        return int(self.costs.max(initial=0)) * self.scale * self.size < EXACT

    @cached_property
    def graph(self) -> csr_array:
        """The links as a sparse matrix for ``scipy.sparse.csgraph``, without most of those that are forbidden."""
        from scipy.sparse import csr_array

        weights, ends, indptr = self.weights, self.ends, self.indptr
        allowed = self.costs >= 0
        count = np.count_nonzero(allowed)
        # A search looks at every link there is; a few that lead nowhere cost less than taking them out.
        if count < 0.98 * len(allowed):
            before = np.concatenate((np.zeros(1, dtype=np.int32), np.cumsum(allowed, dtype=np.int32)))
            weights, ends, indptr = weights[allowed], ends[allowed], before[indptr]
        return csr_array((weights, ends, indptr), shape=(self.size, self.size))

    def __repr__(self) -> str:
        allowed = int(((self.costs >= 0) & (self.begins != self.ends)).sum())
        return f"Network({self.size} nodes, {allowed} links)"


def _nodes(nodes: Iterable[int]) -> NDArray[np.int64]:
    return np.asarray(nodes if isinstance(nodes, np.ndarray) else list(nodes), dtype=np.int64)
