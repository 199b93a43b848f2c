"""Strands of rivers laid on hexsides, one after another: each keeps off those before it but where it joins them."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.corners import UNIT, CornerGraph, Near, cheapest, side_costs
from studio.exchange.geography.rivers.banks import Banks, Hand, Pair, hand_of, held_by, hexes_on
from studio.exchange.geography.rivers.bends import mended
from studio.exchange.geography.rivers.chains import Chain, Joint, Stop
from studio.exchange.geography.rivers.strands import Strand

__all__ = ["Bed"]

_REACHES = (3.0, 6.0, 12.0)  # radii from the line, tried in turn
_END = 2  # weight of the squared distance of a corner from where the line ends
_WRONG = 60 * UNIT  # a step that has a town on the wrong hand, or a beginning on the wrong side of another river
_SHORE = UNIT // 3  # a river that runs along a shore cannot be seen
_EDGE = UNIT // 2  # nor can one at the edge of the map
_WIDENED = 2  # how many rings of hexes are taken to a town whose bank a path misses
_TOUCH = 1e-3
_LAST = 8
_LINK = 3**0.5  # radii: a hex
_BESIDE = 2.5  # radii from another river within which an end must lie on its true side of it


class Bed:
    """The corners of a map on which rivers are laid.

    Parameters
    ----------
    graph : CornerGraph
    water : array of bool, shape (cells,)
        Hexes that are all water: nothing runs between two of them.
    ends : sequence of str
        What each node of the network is: ``joint`` of edges, ``edge`` of the map, ``shore``, or something else.
    nodes : sequence of (float, float)
        In radii.
    inside : bool
        Nothing is laid on sides at the edge of the map.

    Attributes
    ----------
    chains : list of Chain
        Laid so far.
    """

    def __init__(
        self,
        graph: CornerGraph,
        water: NDArray[np.bool_],
        nodes: Sequence[tuple[float, float]],
        ends: Sequence[str],
        *,
        inside: bool = False,
    ) -> None:
        self.graph, self.nodes, self.ends = graph, np.asarray(nodes, dtype=float).reshape(-1, 2), ends
        wet = np.where(graph.sides < 0, True, water[graph.sides])
        land = ~(wet[:, 0] & wet[:, 1])
        self.inner: NDArray[np.bool_] = land & (graph.sides[:, 1] >= 0)
        self.land: NDArray[np.bool_] = self.inner if inside else land
        self.shore_side: NDArray[np.bool_] = self.inner & wet.any(axis=1)
        self.shore: NDArray[np.bool_] = np.zeros(len(graph.points), dtype=bool)
        self.shore[graph.ends[self.shore_side].ravel()] = True
        self.used: NDArray[np.bool_] = np.zeros(len(graph.points), dtype=bool)
        self.taken: NDArray[np.bool_] = np.zeros(len(graph.sides), dtype=bool)
        self.chains: list[Chain] = []
        self.at_node: dict[int, list[int]] = defaultdict(list)
        self._chain_of: dict[int, int] = {}
        self._group: list[int] = []
        self._last: list[tuple[Any, float, Near]] = []
        self._bounds: list[tuple[float, float, float, float]] = []

    # -- strands -----------------------------------------------------------------------------------------------------

    def lay(self, number: int, strand: Strand, pairs_of: Any) -> Iterator[Chain]:
        """Lay a strand and yield its chains: it is cut where earlier ones meet it.

        Parameters
        ----------
        number : int
            Of the strand.
        strand : Strand
        pairs_of : callable
            Returns the towns near a line.
        """
        inner = range(1, len(strand.nodes) - 1)
        cuts = [0, *(n for n in inner if self.at_node[strand.nodes[n]]), len(strand.nodes) - 1]
        for first, last in itertools.pairwise(cuts):
            line = strand.between(first, last)
            # A short link between two joints says nothing about banks.
            asked = len(cuts) == 2 or line.length >= _LINK
            pairs = [pair for pair in pairs_of(line) if not self._beyond(pair, line, strand)] if asked else []
            chain = Chain(number, strand.river, line, pairs=pairs, nodes=(strand.nodes[first], strand.nodes[last]))
            self._lay_chain(chain)
            if chain.corners:
                self._keep(chain, strand.nodes[first : last + 1])
            yield chain

    def _beyond(self, pair: Pair, line: Any, strand: Strand) -> bool:
        """Tell whether a town lies past an end of a strand that joins others: their banks count there."""
        import shapely

        for node in (strand.nodes[0], strand.nodes[-1]):
            end = shapely.Point(self.nodes[node])
            if self.ends[node] == "joint" and end.distance(line) < _TOUCH:
                away = float(np.hypot(*(np.asarray(pair.spot) - self.nodes[node])))
                if away <= pair.bank.distance + _TOUCH:
                    return True
        return False

    def _keep(self, chain: Chain, nodes: Sequence[int]) -> None:
        me = len(self.chains)
        self.chains.append(chain)
        self._group.append(me)
        for joint in chain.joints:
            self._group[self._root(me)] = self._root(joint.chain)
        for corner in chain.corners:
            self._chain_of.setdefault(corner, me)
        for node in nodes:
            self.at_node[node].append(me)
        self.used[chain.corners] = True
        self.taken[self.graph.sides_along(chain.corners)] = True
        self._bounds.append(chain.line.bounds)

    def _root(self, chain: int) -> int:
        while self._group[chain] != chain:
            self._group[chain] = self._group[self._group[chain]]
            chain = self._group[chain]
        return chain

    def _lay_chain(self, chain: Chain) -> None:
        first, last = chain.nodes
        groups = [{self._root(one) for one in self.at_node[node]} for node in (first, last)]
        chain.inside = bool(groups[0] & groups[1])
        for early in (False, True):
            for reach in _REACHES:
                starts = self._end(first, chain, reach, early)
                stops = self._end(last, chain, reach, early)
                corners = self._kept_banks(chain, starts, stops, reach)
                if corners:
                    chain.corners = corners
                    chain.joints = [
                        self._joint(node, corner, early)
                        for node, corner, end in ((first, corners[0], starts), (last, corners[-1], stops))
                        if end.laid
                    ]
                    return

    def _joint(self, node: int, corner: int, early: bool) -> Joint:
        off = float(np.hypot(*(self.graph.spots[corner] - self.nodes[node])))
        chain = self._chain_of[corner]
        return Joint(node, corner, off, chain, early and chain not in self.at_node[node])

    @contextmanager
    def lifted(self, free: Sequence[int], sides: Sequence[int]) -> Iterator[None]:
        """Free some corners and sides for a while."""
        used, taken = self.used, self.taken
        self.used, self.taken = used.copy(), taken.copy()
        self.used[list(free)] = False
        self.taken[list(sides)] = False
        try:
            yield
        finally:
            self.used, self.taken = used, taken

    def replace(self, laid: dict[int, list[int]]) -> None:
        """Give chains other corners; how they meet stays as it is."""
        for number, corners in laid.items():
            self.chains[number].corners = corners
        self.used[:] = False
        self.taken[:] = False
        for chain in self.chains:
            self.used[chain.corners] = True
            self.taken[self.graph.sides_along(chain.corners)] = True

    # -- ends --------------------------------------------------------------------------------------------------------

    def _end(self, node: int, chain: Chain, reach: float, early: bool) -> Stop:
        spot = self.nodes[node]
        laid = self.at_node[node]
        if laid:
            if early:
                group = {self._root(one) for one in laid}
                laid = [n for n in range(len(self.chains)) if self._root(n) in group]
            corners = np.array(sorted({corner for one in laid for corner in self.chains[one].corners}))
        else:
            corners = self.ends_near(node, reach + 1, inside=chain.inside)
        if not len(corners):
            return Stop({}, bool(laid))
        away = ((self.graph.spots[corners] - spot) ** 2).sum(axis=1)
        if laid and not early:
            corners, away = corners[away <= (reach + 1) ** 2], away[away <= (reach + 1) ** 2]
        costs = np.rint(_END * UNIT * away).astype(np.int64)
        if not laid:
            costs += self._astray(spot, corners)
        return Stop(dict(zip(corners.tolist(), costs.tolist(), strict=True)), bool(laid))

    def ends_near(self, node: int, reach: float, *, inside: bool = False) -> NDArray[np.int64]:
        """Return the free corners near a node where a path may end: where the map ends, or on the shore, if it does.

        Parameters
        ----------
        node : int
        reach : float
            In radii.
        inside : bool
            None over sides at the edge of the map alone.
        """
        corners = self.corners_near(self.nodes[node], reach, inside=inside)
        wanted = {"edge": self.graph.on_edge, "shore": self.shore}.get(self.ends[node])
        return corners if wanted is None or not wanted[corners].any() else corners[wanted[corners]]

    def corners_near(self, spot: NDArray[np.float64], reach: float, *, inside: bool = False) -> NDArray[np.int64]:
        """Return the free corners on land near a place in radii."""
        near = self.graph.near(_point(spot), reach).sides
        corners = np.unique(self.graph.ends[near[(self.inner if inside else self.land)[near]]]).astype(np.int64)
        return corners[~self.used[corners]]

    def _astray(self, spot: NDArray[np.float64], corners: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return what corners cost that lie on another side of a laid river than the true end: rivers never swap."""
        import shapely

        found = np.zeros(len(corners), dtype=np.int64)
        for chain, (x0, y0, x1, y1) in zip(self.chains, self._bounds, strict=True):
            if not (x0 - _BESIDE < spot[0] < x1 + _BESIDE and y0 - _BESIDE < spot[1] < y1 + _BESIDE):
                continue
            true = hand_of(chain.line, spot, beyond=0)
            if true is None or true.distance > _BESIDE or len(chain.corners) < 2:
                continue
            path = shapely.LineString(self.graph.spots[chain.corners])
            for n, corner in enumerate(corners.tolist()):
                here = hand_of(path, self.graph.spots[corner], beyond=0)
                if here is not None and here.hand != true.hand:
                    found[n] += _WRONG
        return found

    # -- ways --------------------------------------------------------------------------------------------------------

    def _kept_banks(self, chain: Chain, starts: Stop, stops: Stop, reach: float) -> list[int]:
        """Return the corners of the best way that keeps the towns on their banks, none where there is no way."""
        held = held_by(chain.pairs)
        best: list[int] = []
        fewest = len(chain.pairs) + 1
        for ring in range(_WIDENED + 1):
            corners = self.way(chain.line, (starts, stops), reach, held, self.used, inside=chain.inside)
            if not corners:
                return best
            corners = self._bent(chain, corners, (starts, stops), reach, held)
            wrong = self._wrong(chain, corners)
            if len(wrong) < fewest:
                best, fewest = corners, len(wrong)
            if not wrong:
                break
            for pair in wrong:
                around = self.graph.grid.ring(pair.cell, ring + 1)
                for cell in hexes_on(self.graph, chain.line, around, pair.bank.hand):
                    held.setdefault(cell, pair.bank.hand)
        return best

    def _wrong(self, chain: Chain, corners: Sequence[int]) -> list[Pair]:
        if not chain.pairs:
            return []
        banks = Banks(self.graph, corners, self.taken)
        return [pair for pair in chain.pairs if banks.of(pair.cell) != pair.bank.hand]

    def _bent(
        self, chain: Chain, corners: list[int], ends: tuple[Stop, Stop], reach: float, held: dict[int, Hand]
    ) -> list[int]:
        """Return a path led round the bends of its line."""

        def leg(line: Any, first: dict[int, int] | None, last: dict[int, int] | None, over: Sequence[int]) -> list[int]:
            busy = self.used.copy()
            busy[list(over)] = True
            starts, stops = (
                Stop({corner: cost for corner, cost in costs.items() if laid or not busy[corner]}, laid)
                for costs, laid in (
                    ends[0] if first is None else (first, False),
                    ends[1] if last is None else (last, False),
                )
            )
            return self.way(line, (starts, stops), reach, held, busy, inside=chain.inside)

        return mended(self.graph, chain.line, corners, leg, lambda way: len(self._wrong(chain, way)))

    def _near(self, line: Any, reach: float) -> Near:
        """Return the sides near a line; those of the last ones that were asked for are kept."""
        for kept in self._last:
            if kept[0] is line and kept[1] == reach:
                return kept[2]
        self._last = [*self._last[1 - _LAST :], (line, reach, self.graph.near(line, reach))]
        return self._last[-1][2]

    def way(
        self,
        line: Any,
        ends: tuple[Stop, Stop],
        reach: float,
        held: dict[int, Hand],
        busy: NDArray[np.bool_],
        *,
        inside: bool = False,
    ) -> list[int]:
        """Return the corners of the cheapest way along a line, none where there is no way.

        Parameters
        ----------
        line : shapely LineString
            In radii.
        ends : (Stop, Stop)
        reach : float
            How far off the line the way may lie, in radii.
        held : dict of int to {"left", "right"}
            Hexes that are to lie on a hand of it.
        busy : array of bool, shape (corners,)
            It may begin and end there, where the ends say so, and else not use them.
        inside : bool
            Not along the edge of the map.
        """
        starts, stops = ends
        if not starts.costs or not stops.costs:
            return []
        graph = self.graph
        near = self._near(line, reach)
        free = (self.inner if inside else self.land)[near.sides] & ~self.taken[near.sides]
        sides, costs = near.sides[free], side_costs(near.distances[free])
        costs += np.where(self.shore_side[sides], _SHORE, 0) + np.where(graph.sides[sides, 1] < 0, _EDGE, 0)
        p, q = graph.ends[sides].astype(np.int64).T
        right, left = graph.sides[sides].T
        tails, heads = np.concatenate([p, q]), np.concatenate([q, p])
        lefts = np.array(sorted(cell for cell, hand in held.items() if hand == "left"), dtype=np.int64)
        rights = np.array(sorted(cell for cell, hand in held.items() if hand == "right"), dtype=np.int64)
        ahead = np.isin(right, lefts).astype(np.int64) + np.isin(left, rights)
        back = np.isin(left, lefts).astype(np.int64) + np.isin(right, rights)
        costs = np.concatenate([costs + ahead * _WRONG, costs + back * _WRONG])
        # What is laid already is only an end: as a beginning and as an end it is a node of its own.
        count = len(graph.points)
        begins, comes = np.isin(tails, list(starts.costs)), np.isin(heads, list(stops.costs))
        leaving, arriving = busy[tails], busy[heads]
        allowed = (~leaving | (begins & starts.laid)) & (~arriving | (comes & stops.laid))
        tails = np.where(leaving, tails + count, tails)[allowed]
        heads = np.where(arriving, heads + 2 * count, heads)[allowed]
        way = cheapest(
            tails,
            heads,
            costs[allowed],
            {corner + count * starts.laid: cost for corner, cost in starts.costs.items()},
            {corner + 2 * count * stops.laid: cost for corner, cost in stops.costs.items()},
        )
        corners = [] if way is None else [node % count for node in way.nodes]
        if len(corners) == 3 and corners[0] == corners[-1]:  # there and back over one side is no arm
            other = {corner: cost for corner, cost in stops.costs.items() if corner != corners[-1]}
            return self.way(line, (starts, Stop(other, stops.laid)), reach, held, busy, inside=inside)
        return corners


def _point(spot: NDArray[np.float64]) -> Any:
    import shapely

    return shapely.LineString([spot, spot])
