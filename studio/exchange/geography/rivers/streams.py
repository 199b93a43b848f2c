"""The true network of rivers: pieces of lines put together, joined where they meet, freed of loops that are none.

Lines of real data are in pieces, some reversed, some doubled; tributaries end a little off the river that they join. A
network here is a plane graph: nodes where rivers end or meet, edges between them. It has a cycle only around ground
that holds at least one whole hex: the islands that a map can show.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Edge", "Network", "cycles", "network_of"]

_GRID = 1e-3  # radii: points nearer than that are one
_SHORT = 2.0  # radii
_TOUCH = 1e-9  # radii: what is nearer touches
_Key = tuple[int, int]


@dataclass(frozen=True)
class Edge:
    """A piece of a river between two nodes.

    Attributes
    ----------
    river : int
    a, b : int
        Nodes where it begins and ends.
    points : array of float, shape (n, 2)
        In radii.
    bridge : bool
        It is no data, but closes a gap.
    """

    river: int
    a: int
    b: int
    points: NDArray[np.float64]
    bridge: bool = False

    @property
    def length(self) -> float:
        """In radii."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())

    def reversed(self) -> Edge:
        """Return it the other way round."""
        return Edge(self.river, self.b, self.a, self.points[::-1], self.bridge)


@dataclass
class Network:
    """Rivers as a graph.

    Attributes
    ----------
    nodes : list of (float, float)
        In radii.
    edges : list of Edge
    loops : int
        False loops that were opened.
    gaps : Counter of int
        How many gaps of each river were closed.
    lost : dict of int to float
        How much of each river went with them, in radii.
    """

    nodes: list[tuple[float, float]] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    loops: int = 0
    gaps: Counter[int] = field(default_factory=Counter)
    lost: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def cycles(self) -> int:
        """Number of independent cycles."""
        return cycles((edge.a, edge.b) for edge in self.edges)

    def degrees(self) -> Counter[int]:
        """Return how many ends of edges are at each node."""
        return Counter(node for edge in self.edges for node in (edge.a, edge.b))


def cycles(pairs: Iterable[tuple[int, int]]) -> int:
    """Return the number of independent cycles of a graph: every edge whose ends are joined already closes one."""
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    found = 0
    for a, b in pairs:
        one, other = root(a), root(b)
        found += one == other
        parent[one] = other
    return found


def network_of(rivers: Sequence[Sequence[Any]], joins: Sequence[float], holds: Callable[[Any], bool]) -> Network:
    """Put the lines of rivers together.

    Parameters
    ----------
    rivers : sequence of sequence of shapely LineString
        Pieces of each river in radii, in any order and direction.
    joins : sequence of float
        How near an end of each river must come to another line to join it, in radii.
    holds : callable
        Whether a polygon, in radii, holds a whole hex: only such an island parts two arms.

    Returns
    -------
    Network
    """
    import shapely

    pieces, owner = [], []
    for number, lines in enumerate(rivers):
        for part in _lines(shapely.line_merge(shapely.union_all(np.array(list(lines), dtype=object), grid_size=_GRID))):
            pieces.append(part)
            owner.append(number)
    network = Network()
    if not pieces:
        return network
    lengths = np.zeros(len(rivers))
    np.add.at(lengths, owner, shapely.length(np.array(pieces, dtype=object)))
    rank = np.argsort(np.argsort(-lengths, kind="stable"), kind="stable")
    bridges = _bridges(pieces, owner, joins)
    for piece, _ in bridges:
        network.gaps[owner[piece]] += 1
    every = [*pieces, *(line for _, line in bridges)]
    whose = [*owner, *(owner[piece] for piece, _ in bridges)]
    made = np.arange(len(every)) >= len(pieces)
    noded = _lines(shapely.union_all(np.array(every, dtype=object), grid_size=_GRID))
    noded.sort(key=lambda line: [*map(tuple, line.coords)])
    order = sorted(range(len(every)), key=lambda n: (made[n], rank[whose[n]], n))
    tree = shapely.STRtree(np.array([every[n] for n in order], dtype=object))
    index: dict[_Key, int] = {}
    for line in noded:
        points = np.array(line.coords)
        longest = int(np.argmax(np.hypot(*np.diff(points, axis=0).T)))
        middle = shapely.Point(points[longest : longest + 2].mean(axis=0))
        near = tree.query(middle, predicate="dwithin", distance=2 * _GRID)
        best = order[int(near.min() if len(near) else tree.nearest(middle))]
        a, b = (index.setdefault(_key(points[n]), len(index)) for n in (0, -1))
        network.edges.append(Edge(whose[best], a, b, points, bool(made[best])))
    network.nodes = [(x * _GRID, y * _GRID) for x, y in index]
    _open_loops(network, holds, rank)
    _merge_edges(network)
    _gather_nodes(network, joins)
    return network


def _key(point: NDArray[np.float64]) -> _Key:
    return round(float(point[0]) / _GRID), round(float(point[1]) / _GRID)


def _lines(shape: Any) -> list[Any]:
    """Return the lines of a geometry that have a length."""
    import shapely

    return [part for part in shapely.get_parts(shape).tolist() if part.geom_type == "LineString" and part.length > 0]


def _bridges(pieces: list[Any], owner: list[int], joins: Sequence[float]) -> list[tuple[int, Any]]:
    """Return lines that join loose ends to the lines near them, each with the piece whose end it was.

    A loose end goes to the nearest line, to the end of it where that is near enough too, and then to such others as
    nothing joins to it yet.
    """
    import shapely

    shapes = np.array(pieces, dtype=object)
    tree = shapely.STRtree(shapes)
    group = list(range(len(pieces)))

    def root(n: int) -> int:
        while group[n] != n:
            group[n] = group[group[n]]
            n = group[n]
        return n

    for one, other in np.sort(tree.query(shapes, predicate="dwithin", distance=_TOUCH).T, axis=1).tolist():
        group[root(one)] = root(other)
    found: list[tuple[int, Any]] = []
    for number, line in enumerate(pieces):
        for end in (0, -1):
            spot = shapely.Point(line.coords[end])
            near = [int(n) for n in tree.query(spot, predicate="dwithin", distance=joins[owner[number]])]
            far = {n: float(shapely.distance(spot, shapes[n])) for n in near if n != number}
            if any(distance <= _TOUCH for distance in far.values()):
                continue
            # Of lines about as near, its own river first.
            ranked = sorted(far, key=lambda n: (far[n] if owner[n] != owner[number] else far[n] / 2, n))
            for n in ranked:
                if n != ranked[0] and root(n) == root(number):
                    continue
                found.append((number, shapely.LineString([spot, _landing(shapes[n], spot, joins[owner[number]])])))
                group[root(n)] = root(number)
    return found


def _landing(line: Any, spot: Any, join: float) -> Any:
    """Return the point of a line that an end near it is joined to."""
    import shapely

    ends = [shapely.Point(line.coords[n]) for n in (0, -1)]
    best = min(ends, key=lambda end: float(end.distance(spot)))
    return best if best.distance(spot) <= join else line.interpolate(line.project(spot))


def _merge_edges(network: Network) -> None:
    """Make one edge of two of one river between which nothing else ends."""
    edges: dict[int, Edge] = dict(enumerate(network.edges))
    at: dict[int, list[int]] = defaultdict(list)
    for number, edge in edges.items():
        at[edge.a].append(number)
        at[edge.b].append(number)
    for node in range(len(network.nodes)):
        if len(at[node]) != 2 or at[node][0] == at[node][1]:
            continue
        one, other = (edges[number] for number in at[node])
        if one.river != other.river:
            continue
        first = one if one.b == node else one.reversed()
        then = other if other.a == node else other.reversed()
        keep, gone = at[node]
        points = np.concatenate([first.points, then.points[1:]])
        edges[keep] = Edge(one.river, first.a, then.b, points, one.bridge and other.bridge)
        del edges[gone]
        at[node] = []
        at[then.b] = [keep if number == gone else number for number in at[then.b]]
    network.edges = list(edges.values())


def _gather_nodes(network: Network, joins: Sequence[float]) -> None:
    """Make one node of junctions that are as near to each other as what is joined anyway."""
    degrees = network.degrees()
    to = list(range(len(network.nodes)))
    nodes = np.array(network.nodes)
    inner = [edge for edge in network.edges if degrees[edge.a] > 1 and degrees[edge.b] > 1]
    gone = set()
    for edge in sorted(inner, key=lambda edge: (edge.length, edge.a, edge.b)):
        join = joins[edge.river]
        if edge.length > join or to[edge.a] == to[edge.b]:
            continue
        keep, drop = to[edge.a], to[edge.b]
        moved = [n for n in range(len(to)) if to[n] == drop]
        if (np.hypot(*(nodes[moved] - nodes[keep]).T) <= join).all():
            for n in moved:
                to[n] = keep
            gone.add(id(edge))
    network.edges = [
        Edge(edge.river, to[edge.a], to[edge.b], _ended(edge.points, nodes[to[edge.a]], nodes[to[edge.b]]), edge.bridge)
        for edge in network.edges
        if id(edge) not in gone
    ]


def _ended(points: NDArray[np.float64], first: NDArray[np.float64], last: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points led on to where a line begins and ends now."""
    before = [first[None]] if np.hypot(*(points[0] - first)) > _GRID else []
    after = [last[None]] if np.hypot(*(points[-1] - last)) > _GRID else []
    return np.concatenate([*before, points, *after])


# -- loops that hold no hex ------------------------------------------------------------------------------------------


def _open_loops(network: Network, holds: Callable[[Any], bool], rank: NDArray[Any]) -> None:
    """Take one arm out of every loop that holds no whole hex, until there is none.

    Of its arms the one goes that belongs to the shortest river, or is the longest.
    """
    known: dict[bytes, bool] = {}
    while True:
        faces = _faces(network.edges, holds, known)
        if not faces:
            return
        gone: set[int] = set()
        touched: set[int] = set()
        degrees = network.degrees()
        for _, around in faces:
            if around & touched:  # a neighbour was opened: it may be another loop now
                continue
            arm = _worst(network.edges, _arms(network.edges, around, degrees), rank)
            for number in arm:
                network.lost[network.edges[number].river] += network.edges[number].length
            gone |= arm
            touched |= around
            network.loops += 1
        network.edges = [edge for n, edge in enumerate(network.edges) if n not in gone]


def _arms(edges: list[Edge], around: set[int], degrees: Counter[int]) -> list[set[int]]:
    """Return the arms of a loop: its edges, those of one river together that nothing else joins between.

    What was made up to join ends is an arm by itself.
    """
    found: list[set[int]] = []
    left = sorted(around)
    while left:
        arm, ends = {left[0]}, [edges[left[0]].a, edges[left[0]].b]
        while ends:
            node = ends.pop()
            for n in left:
                alike = (edges[n].river, edges[n].bridge) == (edges[left[0]].river, edges[left[0]].bridge)
                goes_on = node in (edges[n].a, edges[n].b) and alike
                if n not in arm and goes_on and degrees[node] == 2:
                    arm.add(n)
                    ends.append(edges[n].a + edges[n].b - node)
        found.append(arm)
        left = [n for n in left if n not in arm]
    return found


def _worst(edges: list[Edge], arms: list[set[int]], rank: NDArray[Any]) -> set[int]:
    """Return the arm of a loop that goes."""

    def weight(arm: set[int]) -> tuple[int, float, int]:
        return int(rank[edges[min(arm)].river]), round(sum(edges[n].length for n in arm), 6), min(arm)

    if len(arms) == 1:  # a ring by itself: what closes it goes, and not all of it
        arms = [{n} for n in sorted(arms[0])]
    bridges = [arm for arm in arms if edges[min(arm)].bridge]
    worst = max((arm for arm in arms if arm not in bridges), key=weight, default=None)
    # Data that are as short as what was made up to join them may stay; a long arm without its bridge would lie beside
    # the other one with a loose end.
    return worst if worst is not None and (not bridges or weight(worst)[1] > _SHORT) else max(bridges, key=weight)


def _faces(edges: list[Edge], holds: Callable[[Any], bool], known: dict[bytes, bool]) -> list[tuple[float, set[int]]]:
    """Return the false loops, the smallest first, each as its area and the edges around it."""
    import shapely

    at: dict[tuple[_Key, _Key], int] = {}
    for number, edge in enumerate(edges):
        for one, other in itertools.pairwise(map(_key, edge.points)):
            at[min(one, other), max(one, other)] = number
    lines = np.array([shapely.LineString(edge.points) for edge in edges], dtype=object)
    found = []
    for face in shapely.get_parts(shapely.polygonize(lines)).tolist():
        name = shapely.to_wkb(shapely.normalize(face))
        if name not in known:
            known[name] = holds(face)
        if known[name]:
            continue
        # A ring inside a face holds loops of its own; opening one of the outer edges opens the face.
        keys = [_key(np.asarray(point)) for point in face.exterior.coords]
        around = {at[min(a, b), max(a, b)] for a, b in itertools.pairwise(keys) if (min(a, b), max(a, b)) in at}
        if around:
            found.append((round(face.area, 9), around))
    return sorted(found, key=lambda one: (one[0], sorted(one[1])))
