"""Towns that the rivers leave on a wrong bank: the paths around are laid anew over another corner.

Paths are laid one after another, and what comes later finds the corners of the former taken: where two rivers meet,
the second may find no way round a town. So a knot, which is the end of a path, the corner where several meet, or a
corner of one near a town, is moved: its arms, up to the next knot, are taken up and laid anew to each corner around.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import farthest, segments
from studio.exchange.common.corners import CornerGraph
from studio.exchange.geography.rivers.banks import Banks, Pair, held_by
from studio.exchange.geography.rivers.bed import Bed
from studio.exchange.geography.rivers.chains import Chain, Stop

__all__ = ["right_banks", "rivalled", "wrong_pairs"]

_ARM = 6.0  # radii from a knot to where its arms stay as they are
_MOVED = 3.0  # radii from where a knot lies in the world to where it may be moved
_REACH = 6.0  # radii from the line of an arm to where it may be laid
_CORNERS = 24  # corners that a knot is moved to, at most
_ORDERS = 6
_WIDE = 4  # sides that the corners of one knot lie apart on a chain, at most
_WELL = 1.5  # radii off its line that a path that keeps towns on their banks may lie


class _Arm(NamedTuple):
    """A stretch of a chain that begins or ends at a knot.

    Attributes
    ----------
    chain : int
    low, high : int
        Positions of its corners in the chain, both among them.
    comes : bool
        It ends at the knot.
    line : shapely LineString
        Its part of the line of the chain.
    """

    chain: int
    low: int
    high: int
    comes: bool
    line: Any


_Knot = tuple[NDArray[np.float64], frozenset[int], list[_Arm], int | None]
"""Where it lies in the world, its corners, its arms, and its node where a path ends there."""


def right_banks(bed: Bed) -> None:
    """Move knots of laid rivers where that brings towns to their true banks, and none to a wrong one.

    Parameters
    ----------
    bed : Bed
        With all rivers laid.
    """
    tried: set[tuple[int, int]] = set()
    while True:
        wrong = [
            (me, pair)
            for me, chain in enumerate(bed.chains)
            for pair in _wrong(bed, chain)
            if (me, pair.town) not in tried and not rivalled(chain, pair)
        ]
        if not wrong:
            return
        for me, pair in wrong:
            tried.add((me, pair.town))
            if pair in _wrong(bed, bed.chains[me]):
                _right(bed, me, pair)


def wrong_pairs(graph: CornerGraph, chain: Chain, closed: NDArray[np.bool_], corners: Sequence[int] = ()) -> list[Pair]:
    """Return the towns that lie on the other bank of a chain; what lies past its end lies on none.

    Parameters
    ----------
    graph : CornerGraph
    chain : Chain
    closed : array of bool, shape (sides,)
        Those with a river.
    corners : sequence of int
        Where the chain is to be laid, if not where it is.
    """
    if not chain.pairs or len(chain.corners) < 2:
        return []
    banks = Banks(graph, corners or chain.corners, closed)
    return [pair for pair in chain.pairs if banks.of(pair.cell) not in (pair.bank.hand, None)]


def rivalled(chain: Chain, pair: Pair) -> bool:
    """Tell whether the hex of a town is to lie on the other bank, for the sake of other towns in it."""
    return held_by(chain.pairs)[pair.cell] != pair.bank.hand


def _wrong(bed: Bed, chain: Chain, laid: dict[int, list[int]] | None = None) -> list[Pair]:
    """Return the towns on the other bank of a chain, where chains are to be laid otherwise by their numbers."""
    if laid is None or not chain.pairs:
        return wrong_pairs(bed.graph, chain, bed.taken)
    closed, corners = bed.taken.copy(), chain.corners
    for number, way in laid.items():
        closed[bed.graph.sides_along(way)] = True
        corners = way if bed.chains[number] is chain else corners
    return wrong_pairs(bed.graph, chain, closed, corners)


def _right(bed: Bed, me: int, pair: Pair) -> None:
    """Bring a town to its bank, by the first knot that does, and the corner nearest to it."""
    for spot, knot, arms, end in _knots(bed, me, pair):
        if not arms:
            continue
        numbers = sorted({arm.chain for arm in arms})
        before = sum(len(_wrong(bed, bed.chains[n])) for n in numbers)
        best: tuple[tuple[int, float], dict[int, list[int]], int] | None = None
        with bed.lifted(*_stretches(bed, arms)):
            for corner in _around(bed, spot, end):
                for order in itertools.islice(itertools.permutations(arms), _ORDERS):
                    laid = _laid(bed, order, corner)
                    if laid is None:
                        continue
                    after = sum(len(_wrong(bed, bed.chains[n], laid)) for n in numbers)
                    if after > (before - 1 if best is None else best[0][0]):
                        continue
                    score = after, max(_off(bed, n, way) for n, way in laid.items())
                    if best is None or score < best[0]:
                        best = score, laid, corner
                if best is not None and best[0] <= (0, _WELL):
                    break
        if best is not None:
            _apply(bed, knot, best[1], best[2])
            return


def _off(bed: Bed, number: int, corners: Sequence[int]) -> float:
    """Return how far a chain and its line are apart, 1.5 radii at least."""
    spots = bed.graph.spots[list(corners)]
    path, line = np.stack([spots[:-1], spots[1:]], axis=1), segments(bed.chains[number].line)
    return max(_WELL, round(farthest(path, line).distance, 6), round(farthest(line, path).distance, 6))


# -- knots ---------------------------------------------------------------------------------------------------------


def _knots(bed: Bed, me: int, pair: Pair) -> Iterator[_Knot]:
    """Yield what may be moved for a town: where it lies in the world, its arms, and its node where one ends there."""
    import shapely

    chain = bed.chains[me]
    shared = Counter(corner for one in bed.chains for corner in set(one.corners))
    spots = bed.graph.spots
    home = bed.graph.grid.centres[pair.cell] * bed.graph.scale
    place = shapely.get_coordinates(chain.line.interpolate(chain.line.project(shapely.Point(pair.spot))))[0]
    last = len(chain.corners) - 1
    knots = []
    for n, corner in enumerate(chain.corners):
        away = min(float(np.hypot(*(spots[corner] - at))) for at in (home, place))
        if away <= _ARM and (n in (0, last) or shared[corner] > 1):
            knots.append((round(away, 6), n))
    for _, n in sorted(knots):
        node = chain.nodes[0 if n == 0 else 1] if n in (0, last) else _node_at(bed, chain.corners[n])
        spot = bed.nodes[node]
        end = None if shared[chain.corners[n]] > 1 else node
        knot = _knot_at(bed, chain.corners[n])
        yield spot, knot, _arms(bed, knot, shared, spot), end
    middle = int(np.argmin(np.hypot(*(spots[chain.corners] - place).T)))
    if shared[chain.corners[middle]] == 1 and 0 < middle < last:
        yield place, (one := frozenset([chain.corners[middle]])), _arms(bed, one, shared, place), None
    middle = int(np.argmin(np.hypot(*(spots[chain.corners] - home).T)))
    if shared[chain.corners[middle]] == 1 and 0 < middle < last:
        yield home, (one := frozenset([chain.corners[middle]])), _arms(bed, one, shared, place), None


def _node_at(bed: Bed, corner: int) -> int:
    """Return the node of the network that lies at a corner where chains meet."""
    return next(joint.node for one in bed.chains for joint in one.joints if joint.corner == corner)


def _knot_at(bed: Bed, corner: int) -> frozenset[int]:
    """Return the corners of the place where chains meet in a corner: those of one node may lie a few sides apart."""
    nodes = {joint.node for one in bed.chains for joint in one.joints if joint.corner == corner}
    return frozenset({corner, *(joint.corner for one in bed.chains for joint in one.joints if joint.node in nodes)})


def _arms(bed: Bed, knot: frozenset[int], shared: Counter[int], spot: NDArray[np.float64]) -> list[_Arm]:
    """Return the arms of a knot; none where a chain goes from it a long way round back to it."""
    import shapely

    found = []
    for number, chain in enumerate(bed.chains):
        places = [n for n, corner in enumerate(chain.corners) if corner in knot]
        if not places:
            continue
        low, high, last = places[0], places[-1], len(chain.corners) - 1
        if high - low > _WIDE:
            return []
        at = 0.0 if low == 0 else chain.line.length if high == last else chain.line.project(shapely.Point(spot))
        if low > 0:
            end = _reached(bed, chain.corners, low, -1, shared)
            found.append(_Arm(number, end, high, True, _piece(bed, chain, at, end)))
        if high < last:
            end = _reached(bed, chain.corners, high, 1, shared)
            found.append(_Arm(number, low, end, False, _piece(bed, chain, at, end)))
    return found


def _reached(bed: Bed, corners: Sequence[int], start: int, step: int, shared: Counter[int]) -> int:
    """Return how far an arm goes: to the next knot, or some way from its own."""
    n = start
    while 0 <= n + step < len(corners):
        n += step
        if shared[corners[n]] > 1 or np.hypot(*(bed.graph.spots[corners[n]] - bed.graph.spots[corners[start]])) > _ARM:
            break
    return n


def _piece(bed: Bed, chain: Chain, at: float, end: int) -> Any:
    """Return the line of a chain between a knot and the corner where an arm stays, in the direction of the chain."""
    import shapely
    from shapely.ops import substring

    if end in (0, len(chain.corners) - 1):
        far = 0.0 if end == 0 else chain.line.length
    else:
        far = chain.line.project(shapely.Point(bed.graph.spots[chain.corners[end]]))
    piece = substring(chain.line, min(at, far), max(at, far))
    return piece if piece.length > 0 else shapely.LineString([piece.coords[0], piece.coords[0]])


def _around(bed: Bed, spot: NDArray[np.float64], end: int | None) -> list[int]:
    """Return the corners that a knot may be moved to, the nearest to it first."""
    corners = bed.corners_near(spot, _MOVED) if end is None else bed.ends_near(end, _MOVED)
    away = np.hypot(*(bed.graph.spots[corners] - spot).T)
    order = np.lexsort((corners, away))
    found: list[int] = corners[order[away[order] <= _MOVED]][:_CORNERS].tolist()
    return found


def _stretches(bed: Bed, arms: Sequence[_Arm]) -> tuple[list[int], list[int]]:
    """Return the corners and sides of arms, but for the corners where they stay."""
    corners, sides = [], []
    for arm in arms:
        every = bed.chains[arm.chain].corners[arm.low : arm.high + 1]
        corners += every[1:] if arm.comes else every[:-1]
        sides += bed.graph.sides_along(every)
    return corners, sides


# -- laying --------------------------------------------------------------------------------------------------------


def _laid(bed: Bed, arms: Sequence[_Arm], corner: int) -> dict[int, list[int]] | None:
    """Return the chains with their arms laid to a corner, one after another; None where one finds no way."""
    found: dict[tuple[int, bool], list[int]] = {}
    busy = bed.used.copy()
    for arm in arms:
        chain = bed.chains[arm.chain]
        outer = chain.corners[arm.low if arm.comes else arm.high]
        if outer == corner:
            return None
        ends = Stop({outer: 0}, bool(busy[outer])), Stop({corner: 0}, bool(busy[corner]))
        held = held_by(chain.pairs)
        way = bed.way(arm.line, ends if arm.comes else ends[::-1], _REACH, held, busy, inside=chain.inside)
        if not way:
            return None
        found[arm.chain, arm.comes] = way
        busy[way] = True
    laid: dict[int, list[int]] = {}
    for number in {arm.chain for arm in arms}:
        corners = bed.chains[number].corners
        mine = sorted((arm for arm in arms if arm.chain == number), key=lambda arm: arm.low)
        middle = [corner for arm in mine for corner in found[number, arm.comes]]
        if len(mine) == 2:
            middle.remove(corner)  # both arms have it
        laid[number] = [*corners[: mine[0].low], *middle, *corners[mine[-1].high + 1 :]]
    return laid


def _apply(bed: Bed, knot: frozenset[int], laid: dict[int, list[int]], corner: int) -> None:
    bed.replace(laid)
    for chain in bed.chains:
        for n, joint in enumerate(chain.joints):
            if joint.corner in knot:
                off = float(np.hypot(*(bed.graph.spots[corner] - bed.nodes[joint.node])))
                chain.joints[n] = joint._replace(corner=corner, off=off)
