"""Which bank of a river a place lies on: in the world, by its line, and on the map, by the hexsides of its path."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import segments
from studio.exchange.common.corners import CornerGraph

__all__ = ["REACH", "Bank", "Banks", "Hand", "Pair", "hand_of", "held_by", "hexes_on", "pairs_near"]

Hand = Literal["left", "right"]
"""As one goes along the line, y pointing down as on the map."""

REACH = 1.5 * 3**0.5
"""How near to a river a town has a bank of it: 1.5 hexes, in radii."""

_ON_LINE = 1e-6
_PAST = 0.25  # of its distance across a line that a point may lie past its end and still have a hand
_FLOOD = 5  # hexes from a town to where the banks of a path are looked for


class Bank(NamedTuple):
    """Where a point lies beside a line.

    Attributes
    ----------
    hand : {"left", "right"}
    distance : float
        To the line, in its units.
    """

    hand: Hand
    distance: float


class Pair(NamedTuple):
    """A town and a piece of a river near it.

    Attributes
    ----------
    town : int
        Its number.
    cell : int
        Its hex.
    spot : (float, float)
        Where it lies, in radii.
    bank : Bank
        True one.
    """

    town: int
    cell: int
    spot: tuple[float, float]
    bank: Bank


def hand_of(line: Any, point: Sequence[float] | NDArray[np.float64], *, beyond: float = _PAST) -> Bank | None:
    """Return on which hand of a line a point lies, by the piece of the line that is nearest to it.

    Where the nearest piece is a bend, the directions before and behind it decide together; the sum of both tells the
    inside of a bend from its outside, however sharp it is.

    Parameters
    ----------
    line : shapely LineString
    point : (x, y)
    beyond : float
        How far past an end of the line a point still has a hand, that of the line extended: in parts of its distance
        across.

    Returns
    -------
    Bank or None
        None on the line, and too far past its ends.
    """
    pieces = segments(line)
    step = pieces[:, 1] - pieces[:, 0]
    length = np.hypot(step[:, 0], step[:, 1])
    pieces, step, length = pieces[length > 0], step[length > 0], length[length > 0]
    if not len(pieces):
        return None
    spot = np.asarray(point, dtype=float)
    along = ((spot - pieces[:, 0]) * step).sum(axis=1) / length**2
    foot = pieces[:, 0] + np.clip(along, 0, 1)[:, None] * step
    away = np.hypot(*(spot - foot).T)
    least = float(away.min())
    if least <= _ON_LINE:
        return None
    # Both pieces of a bend are as near as each other, but for the last digits.
    near = np.flatnonzero(away <= least * (1 + 1e-9))
    one = int(near[0])
    course = (step[near] / length[near, None]).sum(axis=0) if len(near) == 2 else step[one] / length[one]
    if near[-1] - one not in (0, 1):  # two far parts of the line are as near: the first decides
        course = step[one] / length[one]
    to = spot - foot[one]
    across, ahead = float(course[0] * to[1] - course[1] * to[0]), float(course @ to)
    past = (one == 0 and along[0] < 0) or (one == len(pieces) - 1 and along[-1] > 1)
    if past and abs(ahead) > beyond * abs(across):
        return None
    if across == 0:
        return None
    return Bank("right" if across > 0 else "left", least)


def hexes_on(graph: CornerGraph, line: Any, cells: Sequence[int], hand: Hand) -> list[int]:
    """Return those of some hexes whose centres lie on a hand of a line in radii."""
    found = []
    for cell in cells:
        bank = hand_of(line, graph.grid.centres[cell] * graph.scale)
        if bank is not None and bank.hand == hand:
            found.append(cell)
    return found


def held_by(pairs: Iterable[Pair]) -> dict[int, Hand]:
    """Return the bank that each hex with towns is to lie on: that of most of them, and of as many that of the first.

    Parameters
    ----------
    pairs : iterable of Pair
    """
    votes: dict[int, Counter[Hand]] = defaultdict(Counter)
    for pair in pairs:
        votes[pair.cell][pair.bank.hand] += 1
    # A counter keeps what came first first among equals.
    return {cell: found.most_common(1)[0][0] for cell, found in votes.items()}


class Banks:
    """The banks of a path over corners.

    Parameters
    ----------
    graph : CornerGraph
    corners : sequence of int
    closed : array of bool, shape (sides,), optional
        Sides of other rivers, which nothing crosses to get to a bank, unless there is no other way to it.
    """

    def __init__(self, graph: CornerGraph, corners: Sequence[int], closed: NDArray[np.bool_] | None = None) -> None:
        self.graph, self.corners = graph, list(corners)
        left, right = graph.hands(corners).T.tolist() if len(self.corners) > 1 else ([], [])
        self._own = set(graph.sides_along(corners)) if len(self.corners) > 1 else set()
        self._closed = closed
        self._hands: dict[int, set[Hand]] = defaultdict(set)
        for one, other in zip(left, right, strict=True):
            self._hands[one].add("left")
            self._hands[other].add("right")
        self._hands.pop(-1, None)

    def of(self, cell: int) -> Hand | None:
        """Return on which bank a hex lies: the one that is reached from it without crossing the path.

        The hexes around are taken in, ring by ring, none over a side of the path, until some touch it. Where they touch
        both banks at once, as at the end of a path, the nearest piece of the path decides.

        Parameters
        ----------
        cell : int

        Returns
        -------
        {"left", "right"} or None
            None where the path has no side, or the hex lies past its end, so that nothing parts it from either bank.
        """
        import shapely

        if len(self.corners) < 2:
            return None
        for over in (False, True) if self._closed is not None else (True,):
            touched = self._touched(cell, over=over)
            if touched:
                break
        if len(touched) == 1:
            return touched.pop()
        line = shapely.LineString(self.graph.spots[self.corners])
        past = _PAST if touched else np.inf  # what is far from it has no way round its end
        bank = hand_of(line, self.graph.grid.centres[cell] * self.graph.scale, beyond=past)
        return None if bank is None else bank.hand

    def touches(self, cell: int) -> Hand | None:
        """Return the bank of a hex that has a side on the path; None where it has none, or lies on both."""
        hands = self._hands.get(cell, set())
        return next(iter(hands)) if len(hands) == 1 else None

    def _touched(self, cell: int, *, over: bool) -> set[Hand]:
        """Return the hands that are reached first from a hex, over other rivers or not."""
        ring, seen = [cell], {cell}
        for _ in range(_FLOOD):
            touched: set[Hand] = set().union(*(self._hands[one] for one in ring if one in self._hands))
            if touched:
                return touched
            ring = self._beyond(ring, seen, over)
        return set()

    def _beyond(self, ring: list[int], seen: set[int], over: bool) -> list[int]:
        found = []
        for one in ring:
            around = self.graph.grid.neighbour_table[one].tolist()
            for other, side in zip(around, self.graph.of_cell[one].tolist(), strict=True):
                shut = side in self._own or (not over and self._closed is not None and self._closed[side])
                if other >= 0 and other not in seen and not shut:
                    seen.add(other)
                    found.append(other)
        return found


def pairs_near(
    line: Any, points: NDArray[np.float64], cells: Sequence[int], numbers: Sequence[int], reach: float = REACH
) -> list[Pair]:
    """Return the towns near a piece of a river, each with its true bank.

    Parameters
    ----------
    line : shapely LineString
        In radii.
    points : array of float, shape (n, 2)
        Towns, in radii.
    cells, numbers : sequence of int
        Hex and number of each.
    reach : float
        In radii.
    """
    import shapely

    found: list[Pair] = []
    if not len(points):
        return found
    for index in np.flatnonzero(shapely.dwithin(line, shapely.points(points), reach)).tolist():
        bank = hand_of(line, points[index])
        if bank is not None:
            found.append(Pair(numbers[index], cells[index], (float(points[index, 0]), float(points[index, 1])), bank))
    return found
