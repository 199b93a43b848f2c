"""Rivers on hexsides: their lines cut to the land, put together as a network, laid on corners, and measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import Apart, farthest
from studio.exchange.common.corners import CornerGraph, corner_graph, follow
from studio.exchange.geography.naming import folded
from studio.exchange.geography.rivers.banks import REACH, Banks, Hand, Pair, pairs_near
from studio.exchange.geography.rivers.bed import Bed
from studio.exchange.geography.rivers.chains import Chain
from studio.exchange.geography.rivers.righting import right_banks, rivalled, wrong_pairs
from studio.exchange.geography.rivers.shores import HEX, Ground, holds_hex, led_on
from studio.exchange.geography.rivers.strands import Strand, strands_of
from studio.exchange.geography.rivers.streams import Network, cycles, network_of
from studio.grid import HexGrid

__all__ = ["HEX", "Ground", "Kept", "River", "Snapped", "TownSpot", "snap_rivers"]

_ALMOST = 0.98  # part of the way to a river on which another one lies between
_OTHER_ORDERS = 2
_FEW = 3  # towns on wrong banks; where there are more, rivers are too crowded for another order to help
_NAMED_REACH = 4 * HEX  # a town keeps its bank of the river that it names from farther off


class River(NamedTuple):
    """A river as the data have it.

    Attributes
    ----------
    name : str
    lines : sequence of shapely LineString
        On the lattice.
    join : float
        How near an end comes to what it joins, in radii.
    least : float
        Pieces that are shorter, in hexes, are left out.
    """

    name: str
    lines: Sequence[Any]
    join: float = 0.5
    least: float = 1.0


class TownSpot(NamedTuple):
    """A town.

    Attributes
    ----------
    point : (float, float)
        On the lattice.
    cell : int
    river : str
        Name of the only river whose bank it keeps; empty for all that are near.
    """

    point: tuple[float, float]
    cell: int
    river: str = ""


class Kept(NamedTuple):
    """A town and a river near it.

    Attributes
    ----------
    town, river : int
    hand : {"left", "right"}
        Its true bank.
    kept, plain : bool
        Whether it lies there on the map, and whether it would if nothing had been done about it.
    """

    town: int
    river: int
    hand: Hand
    kept: bool
    plain: bool


@dataclass
class Snapped:
    """Rivers on a map.

    Attributes
    ----------
    graph : CornerGraph
    network : Network
        The true one.
    strands : list of Strand
        In the order of laying.
    chains : list of Chain
        Laid, in order; and
    failed : list of Chain
        those for which there was no way.
    offs : dict of int to Apart
        Where each strand and its path are farthest apart: radii, and the place on the lattice.
    kept : list of Kept
    short : Counter of int
        How many pieces of each river were too short.
    cut : set of int
        Rivers that the edge of the map cuts.
    outside : set of int
        Rivers that are not on the map.
    """

    graph: CornerGraph
    network: Network
    strands: list[Strand] = field(default_factory=list)
    chains: list[Chain] = field(default_factory=list)
    failed: list[Chain] = field(default_factory=list)
    offs: dict[int, Apart] = field(default_factory=dict)
    kept: list[Kept] = field(default_factory=list)
    short: Counter[int] = field(default_factory=Counter)
    cut: set[int] = field(default_factory=set)
    outside: set[int] = field(default_factory=set)

    def sides(self, river: int) -> list[tuple[int, int]]:
        """Return the hexsides of a river in order, stem first; those at the edge of the map left out."""
        found = dict.fromkeys(
            self.graph.key(side)
            for chain in self.chains
            if chain.river == river
            for side in self.graph.sides_along(chain.corners)
        )
        return [side for side in found if side[1] >= 0]

    def line(self, river: int) -> Any:
        """Return the line of a river as far as it was laid, on the lattice."""
        import shapely

        lines = [shapely.LineString(one.points / self.graph.scale) for one in self.strands if one.river == river]
        return lines[0] if len(lines) == 1 else shapely.MultiLineString(lines)

    @property
    def cycles(self) -> int:
        """Number of independent cycles of all hexsides with a river."""
        return _cycles(self.graph, self.chains)


def snap_rivers(
    grid: HexGrid, rivers: Sequence[River], towns: Sequence[TownSpot] = (), water: NDArray[np.bool_] | None = None
) -> Snapped:
    """Lay rivers on the hexsides of a map.

    Every strand of the network takes the cheapest way along its line (0.15 and the square of the distance in radii a
    side) over corners that no other river uses, from where it joins what was laid before it to its own end. Towns
    within 1.5 hexes lie on their true banks wherever a way allows it.

    Parameters
    ----------
    grid : HexGrid
    rivers : sequence of River
    towns : sequence of TownSpot
    water : array of bool, shape (cells,), optional
        Hexes that are all water.

    Returns
    -------
    Snapped
    """
    import shapely

    graph = corner_graph(grid)
    wet = np.zeros(grid.cells, dtype=bool) if water is None or not len(water) else water
    ground = Ground(graph, [line for river in rivers for line in river.lines], wet)
    cut: set[int] = set()
    pieces: list[list[Any]] = []
    for number, river in enumerate(rivers):
        lines, outside = ground.cut(river.lines)
        pieces.append(lines)
        if outside:
            cut.add(number)
    network = network_of(pieces, [river.join for river in rivers], holds_hex)
    strands, short = strands_of(network, pieces, [river.least * HEX for river in rivers])
    ends = ground.ends(network, [river.join for river in rivers])
    strands = [led_on(ground, network, strand, ends) for strand in strands]
    spots = np.array([town.point for town in towns], dtype=float).reshape(-1, 2) * graph.scale
    tree = shapely.STRtree(np.array([strand.line for strand in strands], dtype=object))
    near = [_Towns(towns, spots, rivers[strand.river].name, tree) for strand in strands]
    made = Snapped(graph, network, strands, short=short)
    made.outside = {number for number, lines in enumerate(pieces) if not lines}
    made.cut = cut - made.outside
    laying = _Laying(made, wet, ends, [one.pairs for one in near])
    laying.best()
    for number, strand in enumerate(strands):
        made.offs[number] = _farthest(graph, strand, [one for one in made.chains if one.strand == number])
    made.kept = _kept(made)
    return made


class _Laying:
    """The ways to lay the strands of rivers one after another.

    Parameters
    ----------
    made : Snapped
        Gets the chains.
    water : array of bool, shape (cells,)
    ends : list of str
        What each node is.
    pairs : list of callable
        For each strand, what returns the towns near a line.
    """

    def __init__(self, made: Snapped, water: NDArray[np.bool_], ends: list[str], pairs: list[Any]) -> None:
        self.made, self.water, self.ends, self.pairs = made, water, ends, pairs
        self.score = (np.inf, np.inf)

    def best(self) -> None:
        """Lay the strands in their order; where that is not good, in others."""
        order = list(range(len(self.made.strands)))
        self._try(order, inside=False)
        if self.score[0]:
            # What runs along the edge of the map parts nothing, and may be missing in a loop.
            self._try(order, inside=True)
        if not 0 < self.score[1] <= _FEW:
            return
        # Where rivers meet, the first of them has the most room for its towns.
        wrong = Counter(self.made.strands[me].river for me in self._wrong(self.made.chains))
        for river, _ in sorted(wrong.items(), key=lambda one: (-one[1], one[0]))[:_OTHER_ORDERS]:
            self._try(sorted(order, key=lambda n: self.made.strands[n].river != river), inside=False)

    def _try(self, order: Sequence[int], *, inside: bool) -> None:
        made = self.made
        bed = Bed(made.graph, self.water, made.network.nodes, self.ends, inside=inside)
        laid = [chain for n in order for chain in bed.lay(n, made.strands[n], self.pairs[n])]
        right_banks(bed)
        chains = [chain for chain in laid if chain.corners]
        score = abs(_cycles(made.graph, chains) - made.network.cycles), len(self._wrong(chains))
        if score < self.score and len(laid) - len(chains) <= (len(made.failed) if made.chains else len(laid)):
            self.score = score
            made.chains, made.failed = chains, [chain for chain in laid if not chain.corners]

    def _wrong(self, chains: Sequence[Chain]) -> list[int]:
        """Return the strand of every town on a wrong bank but for those whose hex has a rival on the other one."""
        closed = _closed(self.made.graph, chains)
        return [
            chain.strand
            for chain in chains
            for pair in wrong_pairs(self.made.graph, chain, closed)
            if not rivalled(chain, pair)
        ]


def _closed(graph: CornerGraph, chains: Sequence[Chain]) -> NDArray[np.bool_]:
    found = np.zeros(len(graph.sides), dtype=bool)
    for chain in chains:
        found[graph.sides_along(chain.corners)] = True
    return found


def _cycles(graph: CornerGraph, chains: Sequence[Chain]) -> int:
    """Return the number of independent cycles of all hexsides of some chains."""
    numbers = {side for chain in chains for side in graph.sides_along(chain.corners)}
    inner = [side for side in sorted(numbers) if graph.sides[side, 1] >= 0]
    return cycles(map(tuple, graph.ends[inner].tolist()))


class _Towns:
    """The towns that keep their bank of a river."""

    def __init__(self, towns: Sequence[TownSpot], spots: NDArray[np.float64], name: str, strands: Any) -> None:
        self.strands = strands
        fold = folded(name)
        self.groups = []
        for named, reach in ((False, REACH), (True, _NAMED_REACH)):
            numbers = [
                n
                for n, town in enumerate(towns)
                if bool(town.river) == named and (not named or folded(town.river) == fold)
            ]
            self.groups.append((named, numbers, [towns[n].cell for n in numbers], spots[numbers], reach))

    def pairs(self, line: Any) -> list[Pair]:
        """Return those near a line, in their order."""
        found = [
            pair
            for named, numbers, cells, spots, reach in self.groups
            for pair in pairs_near(line, spots, cells, numbers, reach)
            if named or not self._parted(pair, line)
        ]
        return sorted(found, key=lambda pair: pair.town)

    def _parted(self, pair: Pair, line: Any) -> bool:
        """Tell whether a river lies between a town and a line: then it is the bank of that one that counts."""
        import shapely

        way = shapely.shortest_line(shapely.Point(pair.spot), line)
        (x, y), (u, v) = way.coords
        short = shapely.LineString([(x, y), (x + _ALMOST * (u - x), y + _ALMOST * (v - y))])
        return len(self.strands.query(short, predicate="intersects")) > 0


# -- measuring -------------------------------------------------------------------------------------------------------


def _farthest(graph: CornerGraph, strand: Strand, chains: Sequence[Chain]) -> Apart:
    """Return where a strand and its path are farthest apart, measured from either to the other."""
    sides = [side for chain in chains for side in graph.sides_along(chain.corners)]
    if not sides:
        return Apart(0.0, (0.0, 0.0))
    path = graph.spots[graph.ends[sides]]
    line = np.stack([strand.points[:-1], strand.points[1:]], axis=1)
    far, (x, y) = max(farthest(path, line), farthest(line, path), key=lambda one: one.distance)
    return Apart(far, (x / float(graph.scale[0]), y / float(graph.scale[1])))


def _kept(made: Snapped) -> list[Kept]:
    """Return every town with every river near it, by town."""
    found: dict[tuple[int, int], tuple[float, Kept]] = {}
    closed = _closed(made.graph, made.chains)
    for chain in made.chains:
        if len(chain.corners) < 2 or not chain.pairs:
            continue
        banks = [Banks(made.graph, chain.corners, closed), Banks(made.graph, follow(made.graph, chain.line))]
        for pair in chain.pairs:
            kept, would = (one.of(pair.cell) in (pair.bank.hand, None) for one in banks)
            key = pair.town, chain.river
            far, one = found.get(key, (np.inf, Kept(*key, pair.bank.hand, True, True)))
            hand = pair.bank.hand if pair.bank.distance < far else one.hand
            far = min(far, pair.bank.distance)
            found[key] = far, Kept(*key, hand, one.kept and kept, one.plain and would)
    return [one for _, (_, one) in sorted(found.items())]
