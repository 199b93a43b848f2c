"""What may stand in the way of lines from any point of a road: its outlines, and what it does to a line that meets it.

Everything that counts is here an open convex thing: the inside of a hex, a piece of what is drawn in one, a hexside, a
stretch of a high wall in one hex. A line meets it just when it has corners of it on both sides. Two stretches of a high
wall have a point in common through which a line slips between them, but the wall has no gap there: so the two
together are one thing more, from the far end of one to the far end of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.grid import HALF, STEP
from studio.rules.modern_tactics import facts
from studio.rules.modern_tactics.ground import FULL
from studio.rules.modern_tactics.line import Line
from studio.rules.modern_tactics.scene import BLOCK, End, Scene
from studio.sight.trace import hex_trace
from studio.sight.trace.contacts import LineContact

if TYPE_CHECKING:
    from studio.rules.modern_tactics.drawn import HighWall, Shape
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["Corner", "Exact", "Facing", "Outlines", "Parted", "Thing"]

Exact: TypeAlias = tuple[Fraction, Fraction]
Corner: TypeAlias = tuple[int, int, int]
"""A point exactly: (X, Y, D) is (X / D, Y / D), D > 0."""

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]

_LIMITS = np.array((HALF, STEP, STEP))
_HALF_WAY = LineContact("cross", Fraction(1, 2), Fraction(1, 2))
_UNKNOWN = -1


class Facing(Line):
    """Two ends before a line is drawn between them; tells what anything would do to a line that met it.

    Parameters
    ----------
    scene : Scene
    start, end : End

    Attributes
    ----------
    met : Shape or None
        The drawn piece that the line is taken to hit.
    under : tuple of int
        The hexes that it is taken to meet at a high wall.
    kind : tuple
        All that far things know of the ends.
    beside, weights : array of bool or None, dict of int to int
        What is known of the things beside the ends: which they are, and what they weigh.
    """

    def __init__(self, scene: Scene, start: End, end: End) -> None:
        self.scene, self.start, self.end = scene, start, end
        self.ends = (start, end)
        self.leaves, self.enters = Fraction(0), Fraction(1)
        self.distance = scene.grid.distance(start.cell, end.cell)
        self.heights = self._heights()
        self.low, self.high = min(self.heights), max(self.heights)
        self.met: Shape | None = None
        self.under: tuple[int, ...] = ()
        self.kind = self._kind()
        self.beside: _Bools | None = None
        self.weights: dict[int, int] = {}

    def hits(self, shape: Shape) -> bool:
        """Tell whether it is taken to hit a piece."""
        return shape is self.met

    def cells_at(self, where: Fraction) -> list[int]:
        """Return the hexes that it is taken to meet, wherever that is."""
        return list(self.under)

    def _kind(self) -> tuple[object, ...]:
        """Return all that far things know of the ends: their heights, and which of the highest hills they are on."""
        hill = self.scene.hills.get(self.high)
        on = () if hill is None else [int(hill[e.cell]) for e in self.ends if not e.air and e.ground >= self.high]
        return (self.low, self.high, *sorted(on))


class Thing(NamedTuple):
    """Something that a line may meet.

    Attributes
    ----------
    cells : tuple of int
        The hex that it is in, or the two of a side; of two stretches of a wall those that have the point in common.
    corners : tuple of int
        Numbers of its corners.
    shape, wall : Shape or None, HighWall or None
        What it is a piece of; neither for a hex or a hexside.
    parts : tuple of (tuple of int)
        Of two stretches of a wall the hexes of each.
    """

    cells: tuple[int, ...]
    corners: tuple[int, ...]
    shape: Shape | None = None
    wall: HighWall | None = None
    parts: tuple[tuple[int, ...], ...] = ()

    @property
    def homes(self) -> tuple[int, int]:
        """Two hexes in which it lies, -1 off the map."""
        first, *rest = [part[0] if part else -1 for part in self.parts] or self.cells or [-1]
        return first, rest[0] if self.parts and rest else first


class Parted(NamedTuple):
    """Hexes that a side of one hex parts from it; arrays of bool, shape (cells,).

    Attributes
    ----------
    beyond, within : arrays of bool
        By a side beyond which all of a segment lies, and by one on whose inner side all of it lies. A line from the
        hex to the segment that meets a hex of the first kind does not meet it behind its start; and none of those
        lines meets a hex of the second kind at all.
    """

    beyond: NDArray[np.bool_]
    within: NDArray[np.bool_]


class Outlines:
    """All things of one scene, and their corners.

    Parameters
    ----------
    judge : Judge

    Attributes
    ----------
    things : list of Thing
    points : array of float64, shape (points, 2)
        The corners, as near as floats come.
    exact : list of Corner
        The same exactly.
    corners : array of int64, shape (n,)
        Numbers of the corners of all things, one after another.
    first, sizes : arrays of int64, shape (things,)
        Where those of each thing begin, and how many it has.
    homes : array of int64, shape (things, 2)
        See `Thing.homes`.
    axes : array of int64, shape (cells, 3)
        How far the centres of hexes lie along the normals of three sides of a hex.
    size : float
        No coordinate is larger.
    roads : dict of int to list
        Stretches of road that have been looked up, by location.
    """

    def __init__(self, judge: Judge) -> None:
        self.judge, self.scene = judge, judge.scene
        self._numbers: dict[Exact, int] = {}
        self.things = [*self._hexes(), *self._sides(), *self._walls()]
        self.exact = [_homogeneous(x, y) for x, y in self._numbers]
        self.points = np.array([(x / d, y / d) for x, y, d in self.exact], dtype=np.float64).reshape(-1, 2)
        self.size = float(np.abs(self.points).max(initial=1))
        self.sizes = np.array([len(thing.corners) for thing in self.things], dtype=np.int64)
        self.first = np.cumsum(self.sizes) - self.sizes
        self.corners = np.array([number for thing in self.things for number in thing.corners], dtype=np.int64)
        self.is_wall = np.array([thing.wall is not None for thing in self.things], dtype=bool)
        self.homes = np.array([thing.homes for thing in self.things], dtype=np.int64).reshape(-1, 2)
        self.axes = _axes(self.scene.grid.centres, flat=self.scene.grid.flat)
        self.roads: dict[int, list[tuple[Exact, Exact]]] = {}
        self._weights: dict[tuple[object, ...], NDArray[np.int8]] = {}
        self._sides_of: dict[int, list[_Bools]] = {}
        self._by_cell: dict[int, list[int]] = {}
        for at, thing in enumerate(self.things):
            for cell in {*thing.cells, *(cell for part in thing.parts for cell in part)}:
                self._by_cell.setdefault(cell, []).append(at)

    # -- what there is ---------------------------------------------------------------------------------------------

    def _number(self, point: Exact) -> int:
        return self._numbers.setdefault(point, len(self._numbers))

    def _hexes(self) -> Iterator[Thing]:
        grid, shapes = self.scene.grid, self.scene.drawn.shapes
        for cell in np.flatnonzero(self.scene.matters).tolist():
            x, y = grid.centre(cell)
            yield Thing((cell,), tuple(self._number((Fraction(u), Fraction(v))) for u, v in grid.corners(cell)))
            for shape in shapes.get(cell, ()):
                ring = [(x + Fraction(u, d), y + Fraction(v, d)) for u, v, d in shape.piece]
                yield Thing((cell,), tuple(map(self._number, ring)), shape=shape)

    def _sides(self) -> Iterator[Thing]:
        for a, b in self.scene.sides:
            ends = self.scene.grid.side_ends(a, b)
            yield Thing((a, b), tuple(self._number((Fraction(u), Fraction(v))) for u, v in ends))

    def _walls(self) -> Iterator[Thing]:
        for wall in self.scene.drawn.walls:
            parts = list(_stretches(self.scene, wall))
            for part in parts:
                yield Thing(part.cells, (self._number(part.first), self._number(part.last)), wall=wall)
            ring = [*parts, parts[0]] if len(parts) > 2 and parts[0].first == parts[-1].last else parts
            for one, other in pairwise(ring):
                near = tuple(sorted({*one.cells_last, *other.cells_first}))
                ends = self._number(one.first), self._number(other.last)
                yield Thing(near, ends, wall=wall, parts=(one.cells, other.cells))

    # -- where it is -----------------------------------------------------------------------------------------------

    def met(self, left: _Bools, right: _Bools) -> _Bools:
        """Tell which things have some corner on the left, and some on the right; bool, shape (things,)."""
        found = np.logical_or.reduceat(left[self.corners], self.first)
        return np.asarray(found & np.logical_or.reduceat(right[self.corners], self.first))

    def all_in(self, cells: _Bools) -> _Bools:
        """Tell which things lie in some hexes, none of it off the map; bool, shape (things,)."""
        inside = np.append(cells, False)[self.homes]
        return np.asarray(inside[:, 0] & inside[:, 1])

    def touching(self, cells: list[int]) -> _Ints:
        """Return the things in some hexes, or on their borders."""
        return np.array([at for cell in cells for at in self._by_cell.get(cell, ())], dtype=np.int64)

    def parted(self, home: int, goal: tuple[Exact, Exact]) -> Parted:
        """Return which hexes the sides of one part from it, as it matters for lines from it to a segment.

        Parameters
        ----------
        home : int
            The hex.
        goal : pair of points
            Ends of the segment.
        """
        if home not in self._sides_of:
            away = self.axes - self.axes[home]
            self._sides_of[home] = [(away >= 2 * _LIMITS).T, (away <= -2 * _LIMITS).T]
        beyond, within = np.zeros(len(self.axes), dtype=bool), np.zeros(len(self.axes), dtype=bool)
        scale = lcm(*(value.denominator for point in goal for value in point))
        flat = self.scene.grid.flat
        seen = [(int(u * scale), int(v * scale)) for u, v in (point if flat else point[::-1] for point in goal)]
        along = zip(*((v, u + v, u - v) for u, v in seen), strict=True)
        for axis, (limit, places) in enumerate(zip(_LIMITS.tolist(), along, strict=True)):
            own = int(self.axes[home, axis])
            for sign, other_side in zip((1, -1), self._sides_of[home], strict=True):
                past = [sign * (place - own * scale) - limit * scale for place in places]
                if min(past) >= 0:
                    beyond |= other_side[axis]
                elif max(past) <= 0:
                    within |= other_side[axis]
        return Parted(beyond, within)

    # -- what it does ----------------------------------------------------------------------------------------------

    def weights(self, facing: Facing, wanted: _Ints) -> NDArray[np.int8]:
        """Return what some things weigh for two ends: how often they degrade a line that meets them, FULL to block.

        Parameters
        ----------
        facing : Facing
        wanted : array of int64, shape (n,)

        Returns
        -------
        array of int8, shape (n,)
        """
        if facing.kind not in self._weights:
            self._weights[facing.kind] = np.full(len(self.things), _UNKNOWN, dtype=np.int8)
        known = self._weights[facing.kind]
        found = np.where(self._beside(facing)[wanted], _UNKNOWN, known[wanted])
        for at in np.flatnonzero(found == _UNKNOWN).tolist():
            number = int(wanted[at])
            near = self._beside(facing)[number]
            if near and number not in facing.weights:
                facing.weights[number] = self._weigh(facing, self.things[number])
            elif not near:
                known[number] = self._weigh(facing, self.things[number])
            found[at] = facing.weights[number] if near else known[number]
        return found

    def _beside(self, facing: Facing) -> _Bools:
        """Tell which things lie beside one of the ends, or with it in one hex."""
        if facing.beside is None:
            cells = [end.cell for end in facing.ends]
            cells += [beside for cell in cells for beside in self.scene.grid.neighbours(cell)]
            facing.beside = np.zeros(len(self.things), dtype=bool)
            facing.beside[self.touching(cells)] = True
        return facing.beside

    def _weigh(self, facing: Facing, thing: Thing) -> int:
        if thing.wall is not None:
            parts = [*thing.parts, thing.cells]
            return min(_wall_weight(facing, thing.wall, cells) for cells in parts)
        if {facing.start.cell, facing.end.cell} & set(thing.cells):
            return 0
        if len(thing.cells) == 2:
            side = facts.hexside(facing, *thing.cells)
            return side.weight if side else 0
        facing.met = thing.shape
        weight = max(fact.weight for fact in self.judge.effects(facing, thing.cells[0], "through", []))
        facing.met = None
        # Where a drawing is hit but does not block, its hex says all there is to say.
        return FULL if weight == BLOCK else 0 if thing.shape else weight


def _wall_weight(facing: Facing, wall: HighWall, cells: tuple[int, ...]) -> int:
    facing.under = cells
    return FULL if any(fact.weight == BLOCK for fact in facts.high_wall(facing, wall, _HALF_WAY)) else 0


def _homogeneous(x: Fraction, y: Fraction) -> Corner:
    common = lcm(x.denominator, y.denominator)
    return int(x * common), int(y * common), common


class _Stretch(NamedTuple):
    """A straight stretch of a high wall in one hex, or on the side of two; none off the map."""

    first: Exact
    last: Exact
    cells: tuple[int, ...]
    cells_first: tuple[int, ...]
    cells_last: tuple[int, ...]


def _stretches(scene: Scene, wall: HighWall) -> Iterator[_Stretch]:
    for a, b in pairwise(wall.line):
        if a == b:
            continue
        met = hex_trace(scene.grid, a, b)
        marks = sorted({Fraction(0), Fraction(1), *(place for one in met for place in (one.enter, one.leave))})
        points = [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for t in marks]
        touching = [tuple(cell for one in met if one.enter <= t <= one.leave for cell in one.cells) for t in marks]
        for at in range(len(marks) - 1):
            middle = (marks[at] + marks[at + 1]) / 2
            cells = tuple(cell for one in met if one.enter < middle < one.leave for cell in one.cells)
            yield _Stretch(points[at], points[at + 1], cells, touching[at], touching[at + 1])


def _axes(points: NDArray[np.int64], *, flat: bool) -> _Ints:
    """Return how far points lie along the normals of three sides of a hex; shape (n, 3)."""
    u, v = (points[:, 0], points[:, 1]) if flat else (points[:, 1], points[:, 0])
    return np.stack((v, u + v, u - v), axis=1).astype(np.int64)
