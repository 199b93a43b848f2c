"""Where units on the ground get from hex to hex: which hexsides outer walls and facades close, exactly (8.1.2).

A hexside is closed when no stretch of it lies open to the dots of both its hexes. Seen from a dot every piece of a wall
throws a shadow on the hexside; what the shadows of both dots leave over is the gap. Fractions decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.model import Point
from studio.rules.urban_operations.scene import HEX, Scene
from studio.sight.trace import area_contacts, line_contacts

__all__ = ["Barrier", "Gaps", "Side", "covered", "shadow"]

Interval = tuple[Fraction, Fraction]
Side = Literal["open", "wall", "facade"]

Number = int | Fraction

_ZERO, _ONE = Fraction(0), Fraction(1)


class Barrier(NamedTuple):
    """A straight piece of an outer wall or of a facade; `piece_of` is the index of the wall, or of the building."""

    p: Point
    q: Point
    wall: bool
    piece_of: int


class Gaps:
    """Tells of every two hexes that are next to each other what closes the side between them.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.grid = scene, scene.grid
        self._known: dict[tuple[int, int], tuple[Side, Barrier | None]] = {}

    @cached_property
    def barriers(self) -> list[Barrier]:
        """Pieces of all outer walls, then of all facades."""
        scene = self.scene
        found = [
            Barrier(p, q, True, index) for index, wall in enumerate(scene.outer_walls) for p, q in pairwise(wall.line)
        ]
        for building in scene.buildings:
            for ring in building.rings:
                found += [Barrier(p, q, False, building.index) for p, q in pairwise((*ring, ring[0])) if p != q]
        return found

    @cached_property
    def near(self) -> dict[int, list[int]]:
        """Barriers that may meet each hex, by cell; a superset, and only of hexes that have some."""
        import shapely

        found: dict[int, list[int]] = {}
        cells = np.flatnonzero(self.scene.kind[: self.grid.cells] == HEX)
        if not self.barriers or not len(cells):
            return found
        ends = np.array([(*one.p, *one.q) for one in self.barriers], dtype=np.float64)
        low, high = np.minimum(ends[:, :2], ends[:, 2:]), np.maximum(ends[:, :2], ends[:, 2:])
        tree = shapely.STRtree(shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1]))
        # A hex reaches two thirds of its pitch from its middle at most; a dot may lie off that.
        middle = self.grid.centres[cells].astype(np.float64)
        dots = np.array([self.scene.directory.dot(int(cell)) for cell in cells], dtype=np.float64)
        reach = 490.0
        low, high = np.minimum(middle - reach, dots), np.maximum(middle + reach, dots)
        at, barrier = tree.query(shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1]))
        below = self.scene.under[cells]
        for one, index in zip(at.tolist(), barrier.tolist(), strict=True):
            if self._is_under(self.barriers[index]) == bool(below[one]):
                found.setdefault(int(cells[one]), []).append(index)
        return {cell: sorted(found[cell]) for cell in sorted(found)}

    def between(self, start: Sequence[Number], end: Sequence[Number], near: Iterable[int]) -> list[Barrier]:
        """Return which of some barriers a straight way passes from one side to the other."""
        found = []
        for index in near:
            barrier = self.barriers[index]
            one, other = (_turn(start, end, corner) for corner in (barrier.p, barrier.q))
            here, there = (_turn(barrier.p, barrier.q, point) for point in (start, end))
            # A way through a corner passes one of the two pieces that meet there.
            if (one >= 0) != (other >= 0) and here * there < 0:
                found.append(barrier)
        return found

    def _is_under(self, barrier: Barrier) -> bool:
        return not barrier.wall and self.scene.buildings[barrier.piece_of].under

    @cached_property
    def clear(self) -> NDArray[np.bool_]:
        """Hexes that no wall and no facade comes near: their sides to each other are open; bool, shape (cells,)."""
        clear = np.ones(self.grid.cells, dtype=bool)
        clear[list(self.near)] = False
        return clear

    def side(self, a: int, b: int) -> tuple[Side, Barrier | None]:
        """Return what closes the side between two adjacent hexes, and the first barrier that does.

        A side that walls and facades close together counts as closed by the wall only where it is open without walls.
        """
        key = (min(a, b), max(a, b))
        if key not in self._known:
            self._known[key] = self._side(*key)
        return self._known[key]

    def _side(self, a: int, b: int) -> tuple[Side, Barrier | None]:
        if self.clear[a] and self.clear[b]:
            return "open", None
        if self.scene.options["wall_side"] == "dots":
            return self._between_dots(a, b)
        cast = [one for cell, other in ((a, b), (b, a)) for one in self._shadows(cell, other)]
        if not covered(interval for interval, _ in cast):
            return "open", None
        facades = [(interval, barrier) for interval, barrier in cast if not barrier.wall]
        if facades and covered(interval for interval, _ in facades):
            return "facade", facades[0][1]
        return "wall", next(barrier for _, barrier in cast if barrier.wall)

    def _shadows(self, cell: int, other: int) -> list[tuple[Interval, Barrier]]:
        """Return what barriers throw on the side to another hex, seen from the dot of a hex."""
        dot, ends = self.scene.directory.dot(cell), self.grid.side_ends(min(cell, other), max(cell, other))
        barriers = [self.barriers[index] for index in self.near.get(cell, ())]
        return [(cast, one) for one in barriers if (cast := shadow(dot, ends, one.p, one.q)) is not None]

    def _between_dots(self, a: int, b: int) -> tuple[Side, Barrier | None]:
        return self.on_line(self.scene.directory.dot(a), self.scene.directory.dot(b), bool(self.scene.under[a]))

    def on_line(self, start: Point, end: Point, under: bool) -> tuple[Side, Barrier | None]:
        """Return what a straight way on the ground would cross, the facade of a building before an outer wall.

        Parameters
        ----------
        start, end : (x, y)
        under : bool
            Below the ground.
        """
        scene = self.scene
        for index in scene.near_buildings.near(start, end):
            building = scene.buildings[index]
            if building.under == under:
                contacts = area_contacts(start, end, building.outline, building.holes)
                if any(one.how == "through" for one in contacts):
                    return "facade", Barrier(start, end, False, index)
        if not under:
            for index in scene.near_walls.near(start, end):
                contacts_of_wall = line_contacts(start, end, scene.outer_walls[index].line)
                if any(one.how == "cross" for one in contacts_of_wall):
                    return "wall", Barrier(start, end, True, index)
        return "open", None


def shadow(dot: Point, side: tuple[Point, Point], p: Point, q: Point) -> Interval | None:
    """Return which stretch of a hexside a straight barrier hides from a dot, 0 at its first end to 1 at its second.

    Examples
    --------
    >>> [str(end) for end in shadow((0, 0), ((4, -4), (4, 4)), (2, 0), (2, 9))]
    ['1/2', '1']
    >>> shadow((0, 0), ((4, -4), (4, 4)), (5, 0), (5, 9)) is None
    True
    """
    (ax, ay), (bx, by) = ((end[0] - dot[0], end[1] - dot[1]) for end in side)
    whole = ax * by - ay * bx
    if whole == 0:
        return None  # the dot lies on the line of the side, which has no width from there
    sign = 1 if whole > 0 else -1
    weights = []
    for x, y in (p, q):
        px, py = x - dot[0], y - dot[1]
        # How much of each end of the side a point is made of: inside their triangle none is below 0.
        first, second = sign * (px * by - py * bx), sign * (ax * py - ay * px)
        weights.append((first, second, sign * whole - first - second))
    low, high = _ZERO, _ONE
    for start, end in zip(*weights, strict=True):
        if start < 0 and end < 0:
            return None
        if start < 0:
            low = max(low, Fraction(start, start - end))
        elif end < 0:
            high = min(high, Fraction(start, start - end))
    if low > high:
        return None
    ends = []
    for along in (low, high):
        here, there = (weights[0][at] + (weights[1][at] - weights[0][at]) * along for at in (0, 1))
        if here + there:
            ends.append(there / (here + there))
    return (min(ends), max(ends)) if ends else None


def covered(intervals: Iterable[Interval]) -> bool:
    """Tell whether stretches leave nothing of a side but single points."""
    reached = _ZERO
    for low, high in sorted(intervals):
        if low > reached:
            return False
        reached = max(reached, high)
    return reached >= 1


def _turn(a: Sequence[Number], b: Sequence[Number], c: Sequence[Number]) -> Number:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
