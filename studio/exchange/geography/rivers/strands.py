"""The network of rivers as strands: the stem of each river and its arms, in the order of laying."""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.geography.rivers.streams import Edge, Network

__all__ = ["Strand", "strands_of"]

_STRAIGHT = 0.5  # cosine of the sharpest turn in which a river goes on as another one
_FAR = 1.0  # radii from a strand to where the data may lie that say its direction


@dataclass(frozen=True)
class Strand:
    """A stretch of a river, from one node of the network to another.

    Attributes
    ----------
    river : int
    nodes : tuple of int
        On the way, both ends among them.
    places : tuple of int
        Which of the points each node is.
    points : array of float, shape (n, 2)
        In radii.
    """

    river: int
    nodes: tuple[int, ...]
    places: tuple[int, ...]
    points: NDArray[np.float64]

    @property
    def length(self) -> float:
        """In radii."""
        return float(np.hypot(*np.diff(self.points, axis=0).T).sum())

    @property
    def line(self) -> Any:
        """Its line, a shapely LineString in radii."""
        import shapely

        return shapely.LineString(self.points)

    def between(self, first: int, last: int) -> Any:
        """Return the line from one of its nodes to another, by their positions."""
        import shapely

        return shapely.LineString(self.points[self.places[first] : self.places[last] + 1])

    def reversed(self) -> Strand:
        """Return it the other way round."""
        last = len(self.points) - 1
        return Strand(
            self.river, self.nodes[::-1], tuple(last - place for place in self.places[::-1]), self.points[::-1]
        )


def strands_of(
    network: Network, pieces: Sequence[Sequence[Any]], least: Sequence[float]
) -> tuple[list[Strand], Counter[int]]:
    """Take a network apart into strands.

    Parameters
    ----------
    network : Network
        A ring that begins and ends at one node gets a second one.
    pieces : sequence of sequence of shapely LineString
        The data of each river, which say in which direction it runs; in radii.
    least : sequence of float
        Strands of each river that are shorter, in radii, are left out where they join nothing to anything.

    Returns
    -------
    list of Strand
        The longest river first, each followed by the one that goes on where it ends; of a river the longest first.
    Counter of int
        How many strands of each river were left out.
    """
    _split_rings(network)
    by_river: dict[int, list[Edge]] = defaultdict(list)
    for edge in network.edges:
        by_river[edge.river].append(edge)
    strands = {river: _taken_apart(river, edges) for river, edges in sorted(by_river.items())}
    degrees = network.degrees()
    for those in strands.values():
        those[:] = [_trimmed(one, degrees, least[one.river]) for one in those]
    gone: Counter[int] = Counter()
    _drop_short(strands, least, gone)
    turned = {river: [_directed(one, pieces[river]) for one in those] for river, those in strands.items() if those}
    for those in turned.values():
        those.sort(key=lambda one: -one.length)
    return [one for river in _order(turned) for one in turned[river]], gone


def _split_rings(network: Network) -> None:
    edges: list[Edge] = []
    for edge in network.edges:
        if edge.a != edge.b:
            edges.append(edge)
            continue
        half = len(edge.points) // 2
        network.nodes.append((float(edge.points[half, 0]), float(edge.points[half, 1])))
        middle = len(network.nodes) - 1
        edges.append(Edge(edge.river, edge.a, middle, edge.points[: half + 1], edge.bridge))
        edges.append(Edge(edge.river, middle, edge.b, edge.points[half:], edge.bridge))
    network.edges = edges


def _taken_apart(river: int, edges: list[Edge]) -> list[Strand]:
    """Return the strands of a river: the longest way, and then those through what is left."""
    left = dict(enumerate(edges))
    found: list[Strand] = []
    while left:
        way = _longest_way(left)
        found.append(_strand(river, [_towards(left.pop(number), start) for number, start in way]))
    return found


def _towards(edge: Edge, start: int) -> Edge:
    return edge if edge.a == start else edge.reversed()


def _strand(river: int, edges: list[Edge]) -> Strand:
    nodes, places, points = [edges[0].a], [0], [edges[0].points[:1]]
    for edge in edges:
        nodes.append(edge.b)
        places.append(places[-1] + len(edge.points) - 1)
        points.append(edge.points[1:])
    return Strand(river, tuple(nodes), tuple(places), np.concatenate(points))


def _longest_way(edges: dict[int, Edge]) -> list[tuple[int, int]]:
    """Return the longest of the shortest ways of a river's first connected part: edges with the nodes that they leave.

    The node farthest from any is an end of it, and what is farthest from that its other one.
    """
    at: dict[int, list[int]] = defaultdict(list)
    for number, edge in edges.items():
        at[edge.a].append(number)
        at[edge.b].append(number)
    first = next(iter(edges.values())).a
    one, _ = _farthest(edges, at, first)
    other, before = _farthest(edges, at, one)
    way = []
    while other != one:
        number = before[other]
        other = edges[number].a if edges[number].b == other else edges[number].b
        way.append((number, other))
    return way[::-1]


def _farthest(edges: dict[int, Edge], at: dict[int, list[int]], start: int) -> tuple[int, dict[int, int]]:
    far, before = {start: 0.0}, {start: -1}
    queue, done = [(0.0, start)], set()
    while queue:
        length, node = heapq.heappop(queue)
        if node in done:
            continue
        done.add(node)
        for number in at[node]:
            edge = edges[number]
            other = edge.b if edge.a == node else edge.a
            longer = length + edge.length
            if other not in far or longer < far[other]:
                far[other], before[other] = longer, number
                heapq.heappush(queue, (longer, other))
    return max(far, key=lambda node: (far[node], -node)), before


def _trimmed(strand: Strand, degrees: Counter[int], least: float) -> Strand:
    """Return a strand without the short ends by which it runs over another river that it joins."""
    for _ in range(2):
        strand = strand.reversed()
        if len(strand.nodes) > 2 and degrees[strand.nodes[-1]] == 1 and degrees[strand.nodes[-2]] >= 4:
            whole = Strand(strand.river, strand.nodes[:-1], strand.places[:-1], strand.points[: strand.places[-2] + 1])
            strand = whole if strand.length - whole.length < least else strand
    return strand


def _drop_short(strands: dict[int, list[Strand]], least: Sequence[float], gone: Counter[int]) -> None:
    """Leave out short strands that hang on one node at most, until there are none."""
    while True:
        hung = Counter(node for those in strands.values() for one in those for node in set(one.nodes))
        loose = [
            (river, index)
            for river, those in strands.items()
            for index, one in enumerate(those)
            if one.length < least[river] and sum(hung[node] > 1 for node in set(one.nodes)) <= 1
        ]
        if not loose:
            return
        # One at a time: what hangs on it is loose only afterwards, and may then be longer as one.
        river, index = min(loose, key=lambda key: (strands[key[0]][key[1]].length, key))
        del strands[river][index]
        gone[river] += 1


def _directed(strand: Strand, pieces: Sequence[Any]) -> Strand:
    """Return a strand in the direction that most of its data have."""
    import shapely

    line, votes = strand.line, 0.0
    for piece in pieces:
        points = shapely.points(shapely.get_coordinates(shapely.segmentize(piece, _FAR)))
        near = points[shapely.distance(points, line) < _FAR]
        if len(near) > 1:
            votes += line.project(near[-1]) - line.project(near[0])
    return strand.reversed() if votes < 0 else strand


def _order(strands: dict[int, list[Strand]]) -> list[int]:
    """Return the rivers, the longest first, each followed by that which goes on where it ends."""
    waiting = sorted(strands, key=lambda river: (-strands[river][0].length, river))
    found: list[int] = []
    while waiting:
        river: int | None = waiting[0]
        while river is not None:
            waiting.remove(river)
            found.append(river)
            river = _continued(strands, waiting, river)
    return found


def _continued(strands: dict[int, list[Strand]], waiting: list[int], river: int) -> int | None:
    stem = strands[river][0]
    best: tuple[float, int] | None = None
    for way in (stem, stem.reversed()):
        for other in waiting:
            for one in (strands[other][0], strands[other][0].reversed()):
                if one.nodes[0] == way.nodes[-1]:
                    turn = float(_course(way.reversed()) @ -_course(one))
                    if turn > _STRAIGHT and (best is None or turn > best[0]):
                        best = (turn, other)
    return None if best is None else best[1]


def _course(strand: Strand) -> NDArray[np.float64]:
    """Return the direction in which a strand begins, looked at over a hex."""
    away = np.hypot(*(strand.points - strand.points[0]).T)
    far = int(np.argmax(away > 2)) or len(strand.points) - 1
    step = strand.points[far] - strand.points[0]
    found: NDArray[np.float64] = step / max(float(np.hypot(*step)), 1e-9)
    return found
