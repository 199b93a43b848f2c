"""Which hexes of a road net every line from a road hex to the sources runs through.

In a net that can be walked both ways these are the cut vertices between the hex and the sources, taken together as one
root: a depth-first walk with low points finds them in time proportional to the net.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from studio.paths.network import Network

__all__ = ["Dominators"]

_ROOT = -1
_NONE = -2


class Dominators:
    """The dominator tree of a net that can be walked both ways.

    Parameters
    ----------
    network : Network
        Links there and back; forbidden ones are none.
    roots : iterable of int
        Nodes where all ways end.

    Attributes
    ----------
    above : list of int
        Nearest node that all ways from a node to the roots run through: -1 where there is none, -2 where no way leads.
    depth : list of int
        How many such nodes there are, the node itself included; 0 where no way leads.
    """

    def __init__(self, network: Network, roots: Iterable[int]) -> None:
        self._rows = _rows(network)
        self.above = [_NONE] * network.size
        self.depth = [0] * network.size
        self._begin = np.zeros(network.size, dtype=np.int64)
        self._end = np.zeros(network.size, dtype=np.int64)
        self._walk(sorted(set(roots)))

    def _walk(self, roots: list[int]) -> None:
        order, parent, low = self._depth_first(roots)
        if not order:
            return
        number = {node: at for at, node in enumerate(order)}
        children: dict[int, list[int]] = {}
        for node in order:
            up = parent[node]
            if up == _ROOT:
                above = _ROOT
            elif low[node] >= number[up]:
                above = up  # nothing below the link reaches over its upper end
            else:
                above = self.above[up]
            self.above[node] = above
            self.depth[node] = 1 if above == _ROOT else self.depth[above] + 1
            children.setdefault(above, []).append(node)
        self._number(children)

    def _depth_first(self, roots: list[int]) -> tuple[list[int], dict[int, int], dict[int, int]]:
        """Walk the net; return the nodes in order, the node before each, and the lowest place each subtree reaches.

        A root is joined to the one common root, which stands before all others: its low point is below every place.
        """
        order: list[int] = []
        parent: dict[int, int] = {}
        low: dict[int, int] = {}
        place: dict[int, int] = {}
        is_root = set(roots)
        for root in roots:
            if root in place:
                continue
            parent[root] = _ROOT
            stack = [(root, iter(self._rows[root]))]
            place[root], low[root] = len(order), _ROOT
            order.append(root)
            while stack:
                node, others = stack[-1]
                for other in others:
                    if other not in place:
                        parent[other] = node
                        place[other] = len(order)
                        low[other] = _ROOT if other in is_root else place[other]
                        order.append(other)
                        stack.append((other, iter(self._rows[other])))
                        break
                    if other != parent[node]:
                        low[node] = min(low[node], place[other])
                else:
                    stack.pop()
                    if stack:
                        up = stack[-1][0]
                        low[up] = min(low[up], low[node])
        return order, parent, low

    def _number(self, children: dict[int, list[int]]) -> None:
        """Give the nodes of the tree numbers, so that what lies below a node is a range."""
        clock = 0
        stack = [(node, False) for node in reversed(children.get(_ROOT, []))]
        while stack:
            node, done = stack.pop()
            if done:
                self._end[node] = clock
                continue
            self._begin[node] = clock
            clock += 1
            stack.append((node, True))
            stack += [(child, False) for child in reversed(children.get(node, []))]

    def reaches(self, node: int) -> bool:
        """Tell whether a way leads from a node to the roots."""
        return self.depth[node] > 0

    def through(self, node: int, nodes: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Tell of some nodes, from which ways lead, whether every such way runs through a node, or begins there."""
        if not self.reaches(node):
            return np.zeros(len(nodes), dtype=bool)
        found: NDArray[np.bool_] = (self._begin[node] <= self._begin[nodes]) & (self._begin[nodes] < self._end[node])
        return found

    def common(self, nodes: Iterable[int]) -> int:
        """Return the nearest node that every way from each of some nodes runs through, -1 for none."""
        found: int | None = None
        for node in nodes:
            found = node if found is None else self._nearest(found, node)
        return _ROOT if found is None else found

    def _nearest(self, a: int, b: int) -> int:
        """Return the nearest node above two, or one of them."""
        while a != b:
            if _ROOT in (a, b):
                return _ROOT
            if self.depth[a] >= self.depth[b]:
                a = self.above[a]
            else:
                b = self.above[b]
        return a

    def chain(self, node: int) -> list[int]:
        """Return a node and all those that every way from it runs through, up to the roots."""
        found = []
        while node >= 0:
            found.append(node)
            node = self.above[node]
        return found


def _rows(network: Network) -> list[list[int]]:
    kept = (network.costs >= 0) & (network.ends != network.begins)
    ends = network.ends[kept].tolist()
    bounds = np.concatenate(([0], np.cumsum(np.bincount(network.begins[kept], minlength=network.size)))).tolist()
    return [ends[bounds[node] : bounds[node + 1]] for node in range(network.size)]
