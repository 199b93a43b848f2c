"""Searches in a network: from one node, or from the nearest of several, or between many; with limits and ways.

The searching is done by ``scipy.sparse.csgraph.dijkstra``. What way it would give of several that cost the same depends
on the order of its queue, so ways are told from the costs alone: to each node from the lowest of those nodes that lie
on a cheapest way. Where links cost nothing, ways of fewer steps come before those of more.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.paths.network import EXACT, Network

__all__ = ["Search", "costs_between", "search"]

UNREACHED = -1
"""Cost of a node that is not reached, and predecessor of one that no link leads to."""


class Search:
    """What one search found.

    Attributes
    ----------
    network : Network
    starts : array of int64
        Nodes that it began at.
    limit : int or None
        Most half points.
    """

    def __init__(
        self, network: Network, starts: NDArray[np.int64], limit: int | None, found: NDArray[np.float64]
    ) -> None:
        self.network, self.starts, self.limit = network, starts, limit
        self._found = _checked_lengths(network, found)
        self._walked = 0

    @cached_property
    def costs(self) -> NDArray[np.int64]:
        """Half points to each node, ``UNREACHED`` (-1) where none leads there in the limit; int64, shape (nodes,)."""
        return _in_halves(self.network, self._found)

    @cached_property
    def predecessors(self) -> NDArray[np.int32]:
        """Node before each on its way, -1 at the starts and where nothing leads; int32, shape (nodes,)."""
        network, found = self.network, self._found
        before = np.full(network.size, UNREACHED, dtype=np.int32)
        reached = np.isfinite(found)
        counts = np.diff(network.indptr)
        if np.count_nonzero(reached) * 4 < network.size:
            nodes = np.flatnonzero(reached)
            counts = counts[nodes]
            offsets = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
            links: Any = np.repeat(network.indptr[nodes], counts) + offsets
        else:
            nodes, links = np.arange(network.size, dtype=np.int32), slice(None)
        ends = network.ends[links]
        arrival = np.repeat(found[nodes], counts)
        arrival += network.weights[links]
        tight = arrival == found[ends]
        tight &= arrival < np.inf
        at = np.flatnonzero(tight)[::-1]
        # Links come in the order of the nodes they begin at; written from the last to the first, the lowest stays.
        before[ends[at]] = np.repeat(nodes, counts)[at]
        before[self.starts] = UNREACHED
        return before

    def path(self, node: int) -> list[int]:
        """Return the nodes of the way to a node, both ends included; empty where none leads there."""
        if not np.isfinite(self._found[node]):
            return []
        way = [node]
        # All predecessors at once take as long as some hundred looked for one by one.
        one_by_one = self.network.width and self._walked < self.network.size // 200 + 50
        if one_by_one and "predecessors" not in self.__dict__:
            starts = frozenset(self.starts.tolist())
            while way[-1] not in starts:
                way.append(self._before(way[-1]))
            self._walked += len(way)
            return way[::-1]
        before = self._chain
        while (node := before[node]) >= 0:
            way.append(node)
        return way[::-1]

    @cached_property
    def _chain(self) -> memoryview:
        # Read one by one, a view gives whole numbers faster than an array.
        return self.predecessors.data

    def _before(self, node: int) -> int:
        """Return the node before another on its way, from the links of its neighbours."""
        network, states, width = self.network, self.network.states, self.network.width
        first = node // states * states
        near = network.ends[first * width : (first + states) * width] // states
        begins = (np.unique(near)[:, None] * states + np.arange(states)).ravel()
        links = begins[:, None] * width + np.arange(width)
        tight = (network.ends[links] == node) & (
            self._found[begins][:, None] + network.weights[links] == self._found[node]
        )
        return int(begins[tight.any(axis=1)][0])

    @cached_property
    def origins(self) -> NDArray[np.int64]:
        """Start of the way to each node, -1 where none leads; int64, shape (nodes,)."""
        nodes = np.arange(self.network.size)
        before = np.where(self.predecessors < 0, nodes, self.predecessors)
        # Pointer doubling: after k rounds everyone knows who is 2^k steps before.
        while True:
            further = before[before]
            if np.array_equal(further, before):
                break
            before = further
        return np.where(np.isfinite(self._found), before, UNREACHED)


def _checked_lengths(network: Network, found: NDArray[np.float64]) -> NDArray[np.float64]:
    if not network.exact and found[np.isfinite(found)].max(initial=0.0) >= EXACT:
        msg = "the ways are too long to be counted exactly; search with a limit"
        raise GridError(msg)
    return found


def _in_halves(network: Network, found: NDArray[np.float64]) -> NDArray[np.int64]:
    # -1 stays -1: a shift rounds down.
    whole = np.where(found < np.inf, found, UNREACHED).astype(np.int64)
    return whole >> (network.scale.bit_length() - 1) if network.scale > 1 else whole


def search(network: Network, starts: int | Iterable[int] | Mapping[int, int], limit: int | None = None) -> Search:
    """Find the cheapest ways from a node, or from the best of several, to all others.

    Parameters
    ----------
    network : Network
        ``network.reversed`` finds the ways *to* the starts instead.
    starts : int, iterable of int, or mapping of int to int
        Nodes; a mapping gives the half points that are spent already at each.
    limit : int, optional
        Most half points of a way.

    Returns
    -------
    Search

    Raises
    ------
    GridError
        When a node does not exist, or there is none.

    Examples
    --------
    >>> found = search(Network.from_links(4, [(0, 1, 2), (1, 2, 3), (0, 2, 6), (2, 3, -1)]), 0)
    >>> found.costs.tolist(), found.path(2)
    ([0, 2, 5, -1], [0, 1, 2])
    """
    from scipy.sparse.csgraph import dijkstra

    if isinstance(starts, Mapping):
        return _search_from_costs(network, starts, limit)
    listed = _checked(network, [starts] if isinstance(starts, int | np.integer) else starts)
    found = dijkstra(network.graph, indices=listed, min_only=True, limit=_scaled(network, limit))
    return Search(network, listed, limit, found)


def _checked(network: Network, nodes: Iterable[int]) -> NDArray[np.int64]:
    listed = np.unique(np.asarray(nodes if isinstance(nodes, np.ndarray) else list(nodes), dtype=np.int64))
    if not len(listed) or listed[0] < 0 or listed[-1] >= network.size:
        msg = f"starts: got {listed.tolist()[:12]}, allowed are nodes 0 to {network.size - 1}, one at least"
        raise GridError(msg)
    return listed


def _scaled(network: Network, limit: int | None) -> float:
    # Always finite, so that the infinite weights of forbidden links are beyond it; and so far beyond what is exact that
    # a way that is too long is found out, not left out.
    return float(EXACT) ** 2 if limit is None else float(max(limit, 0) * network.scale + network.scale - 1)


def _search_from_costs(network: Network, starts: Mapping[int, int], limit: int | None) -> Search:
    """Search from one more node, which leads to each start at what is spent there."""
    listed = _checked(network, starts)
    spent = [(network.size, node, starts[node]) for node in listed.tolist()]
    ends = np.concatenate((network.ends, np.array([node for _, node, _ in spent], dtype=np.int32)))
    costs = np.concatenate((network.costs, np.array([cost for *_, cost in spent], dtype=np.int32)))
    indptr = np.append(network.indptr, np.int32(len(ends)))
    wider = Network(indptr, ends, costs)
    found = search(wider, network.size, limit)
    before = found.predecessors[:-1]
    begun = np.flatnonzero(before == network.size)
    own = Search(network, begun, limit, found._found[:-1])
    own.costs = found.costs[:-1]
    own.predecessors = np.where(before == network.size, UNREACHED, before).astype(np.int32)
    return own


def costs_between(
    network: Network, starts: Iterable[int], ends: Iterable[int], limit: int | None = None
) -> NDArray[np.int64]:
    """Return the half points of the cheapest way from each of some nodes to each of others.

    Parameters
    ----------
    network : Network
    starts, ends : iterable of int
        Nodes.
    limit : int, optional
        Most half points of a way.

    Returns
    -------
    array of int64, shape (starts, ends)
        ``UNREACHED`` (-1) where no way leads within the limit.

    Raises
    ------
    GridError
        When a node does not exist.
    """
    from scipy.sparse.csgraph import dijkstra

    begin, end = (np.asarray(list(nodes), dtype=np.int64) for nodes in (starts, ends))
    rows: list[NDArray[np.int64]] = []
    if not len(begin) or not len(end):
        return np.empty((len(begin), len(end)), dtype=np.int64)
    _checked(network, np.concatenate((begin, end)))
    # One search a row; so many at a time that they fit into some 200 MB.
    several = max(1, 25_000_000 // network.size)
    for first in range(0, len(begin), several):
        part = begin[first : first + several]
        found = dijkstra(network.graph, indices=part, limit=_scaled(network, limit))[:, end]
        rows.append(_in_halves(network, _checked_lengths(network, found)))
    return np.concatenate(rows)
