"""The best of all lines from one stretch of road to another, or to a dot, found exactly (14.7).

A line from a place s of one stretch (0 to 1) to a place t of the other has a corner on its left, on its right, or
runs through it; where the corner lies is a function of s and t that is linear in each. So over a box of places it is
greatest and least in corners of the box. A thing (see `outlines`) with one corner on the left of all lines of a box
and one on the right of them is met by all of them: the weights of such things are a lower bound for the box. Boxes
whose bound is not below the best line so far are dropped; the others are cut up, the most promising first.

In a small box few corners are loose, that is, on no certain side. Then what lines meet changes only where one runs
through a loose corner. Fix the place on the first stretch: the places on the second one whose lines run through loose
corners part it, and what is met is the same between two neighbours. As the first place moves, their order stays
the same until a line runs through two loose corners, or through one and an end of the box. So it is enough to try
those places, the ends, and one between each two.

Floats sort out only what is clear by a wide margin. Loose corners are tried in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.ground import FULL
from studio.rules.modern_tactics.line import Line
from studio.rules.modern_tactics.outlines import Corner, Exact, Facing, Outlines

if TYPE_CHECKING:
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["Aims", "Stretch"]

Stretch: TypeAlias = tuple[Exact, Exact]
_Bools = NDArray[np.bool_]
_Floats = NDArray[np.float64]

_AT_ONCE = 64  # boxes
_LOOSE = {1: 8, 2: 2}  # so few loose corners are tried, with one stretch and with two
_SMALLEST = 2.0**-16


class Aims:
    """The best line so far between two ends of which one or both are on a road.

    Parameters
    ----------
    judge : Judge
    outlines : Outlines
    facing : Facing

    Attributes
    ----------
    best : int
        How often it is degraded, ``FULL`` if blocked.
    points : pair of points, or None
        Where it starts and ends; None while no line is better than blocked.
    """

    def __init__(self, judge: Judge, outlines: Outlines, facing: Facing) -> None:
        self.judge, self.outlines, self.facing = judge, outlines, facing
        self.best = FULL
        self.points: tuple[Exact, Exact] | None = None

    def look(self, one: Stretch, other: Stretch) -> None:
        """Look for a better line from one stretch to another."""
        strip = _Strip(self.outlines, self.facing, one, other)
        if strip.floor() >= self.best:
            return
        scope = _Scope(strip)
        boxes = scope.boxes(np.array([[0.0, float(one[0] != one[1]), 0.0, float(other[0] != other[1])]]))
        while True:
            boxes = boxes.take(np.flatnonzero(boxes.least < self.best))
            if not len(boxes.least):
                return
            boxes = boxes.take(np.argsort(boxes.least, kind="stable"))
            some, rest = boxes.take(slice(_AT_ONCE)), boxes.take(slice(_AT_ONCE, None))
            self._middles(scope, some)
            few = (scope.ways(some.loose) <= _LOOSE[scope.wide]) | scope.is_small(some.places)
            for at in np.flatnonzero(few).tolist():
                if some.least[at] < self.best:
                    self._loose(scope, some.take(slice(at, at + 1)))
            parts = scope.cut(some.places[~few & (some.least < self.best)])
            boxes = scope.boxes(parts).join(rest) if len(parts) else rest

    def line(self, p: Exact, q: Exact) -> Line:
        """Return the line between two points of the ends."""
        (px, py, scale), (qx, qy, _) = _scaled(p, q)
        return Line(self.judge.scene, self.facing.start, self.facing.end, ((px, py), (qx, qy)), scale)

    def _take(self, count: int, p: Exact, q: Exact) -> None:
        if count < self.best:
            self.best, self.points = count, (p, q)

    def _middles(self, scope: _Scope, boxes: _Boxes) -> None:
        """Try the middle of the box whose middle is best."""
        low, high = boxes.places[:, ::2], boxes.places[:, 1::2]
        middles = np.repeat((low + high) / 2, 2, axis=1)
        found = scope.boxes(middles)
        at = int(np.argmin(found.least))
        if found.least[at] < self.best:
            s, t = (Fraction(float(place)) for place in middles[at, ::2])
            p, q = _at(scope.one, s), _at(scope.other, t)
            sure = scope.clear and not found.loose[at].any() and not found.on_line[at].any()
            self._take(int(found.least[at]) if sure else self.judge.weigh(self.line(p, q)), p, q)

    def _loose(self, scope: _Scope, box: _Boxes) -> None:
        """Try all lines of a box that may meet different things."""
        numbers = np.flatnonzero(box.loose[0] | box.on_line[0])
        corners = [scope.corners[at] for at in numbers.tolist()]
        tried: set[tuple[int, ...]] = set()
        for p, q in _lines(scope.one, scope.other, box.places[0], corners):
            start, end = _scaled(p, q)
            sides = _sides(start, end, corners)
            if sides in tried:
                continue
            tried.add(sides)
            left, right = box.left.copy(), box.right.copy()
            left[0, numbers] = [side > 0 for side in sides]
            right[0, numbers] = [side < 0 for side in sides]
            if scope.least(left, right)[0] < self.best:
                self._take(self.judge.weigh(self.line(p, q)), p, q)
                if box.least[0] >= self.best:
                    return


class _Boxes(NamedTuple):
    """Boxes of places on two stretches, arrays over boxes, and over boxes and corners.

    Attributes
    ----------
    places : array of float64, shape (boxes, 4)
        From and to on the first stretch, from and to on the second one.
    least : array of int64, shape (boxes,)
        No line of the box is degraded less often.
    left, right : arrays of bool, shape (boxes, corners)
        Corners that are surely on the left, on the right, of all lines of the box.
    loose : array of bool
        Corners that may be on either side.
    on_line : array of bool
        Corners so near to all lines that cutting the box does not help.
    """

    places: _Floats
    least: NDArray[np.int64]
    left: _Bools
    right: _Bools
    loose: _Bools
    on_line: _Bools

    def take(self, which: slice | NDArray[np.int64]) -> _Boxes:
        """Return some of the boxes."""
        columns: list[Any] = [column[which] for column in self]
        return _Boxes(*columns)

    def join(self, others: _Boxes) -> _Boxes:
        """Return these boxes and others."""
        columns: list[Any] = [np.concatenate(pair) for pair in zip(self, others, strict=True)]
        return _Boxes(*columns)


class _Strip:
    """All lines between two stretches, and the things of a scene as seen from them.

    Attributes
    ----------
    ends : array of float64, shape (2, 2, 2)
        The ends of both stretches.
    margin : float
        No height is wrong by more.
    heights : array of float64, shape (4, points)
        On which side of the lines between ends of the stretches corners lie, and how far.
    between, in_doubt : arrays of bool, shape (things,)
        Things that a line meets between its ends where it meets them at all; and those that it may meet elsewhere.
    """

    def __init__(self, outlines: Outlines, facing: Facing, one: Stretch, other: Stretch) -> None:
        self.outlines, self.facing, self.one, self.other = outlines, facing, one, other
        self.ends = np.array([[[float(value) for value in point] for point in stretch] for stretch in (one, other)])
        size = max(float(np.abs(self.ends).max()), outlines.size)
        # A float has 53 bits. Ten roundings of products of two differences leave more than this margin.
        self.margin = size * size * 2.0**-44
        away = [[point - outlines.points for point in stretch] for stretch in self.ends]
        self.heights = np.stack([_cross(p, q) for p in away[0] for q in away[1]])
        self.low, self.high = self.heights.min(axis=0), self.heights.max(axis=0)
        self.between, self.in_doubt = self._order()

    def _order(self) -> tuple[_Bools, _Bools]:
        outlines, facing = self.outlines, self.facing
        here, there = outlines.parted(facing.start.cell, self.other), outlines.parted(facing.end.cell, self.one)
        certain = outlines.all_in(here.beyond & there.beyond)
        never = outlines.all_in(here.within | there.within)
        # A high wall in the hex of an end may be behind that end, or have the end on it.
        own = outlines.touching([facing.start.cell, facing.end.cell])
        own = own[outlines.is_wall[own]]
        certain[own] = never[own] = False
        return certain & ~never, ~(certain | never)

    def floor(self) -> int:
        """Return how often all lines are degraded at least."""
        met = self.outlines.met(self.low > self.margin, self.high < -self.margin)
        return min(int(self.outlines.weights(self.facing, np.flatnonzero(met & self.between)).sum()), FULL)

    def things(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the things that some line may meet and that may count, and their weights."""
        met = self.outlines.met(self.high >= -self.margin, self.low <= self.margin)
        things = np.flatnonzero(met & (self.between | self.in_doubt))
        weights = self.outlines.weights(self.facing, things).astype(np.int64)
        counts = (weights > 0) | self.outlines.is_wall[things]
        return things[counts], weights[counts]


class _Scope:
    """The things that lines between two stretches may meet, and on which side of lines their corners are.

    Attributes
    ----------
    clear : bool
        A line off all corners is degraded just as often as it is at least: no order along it is open, no touch counts.
    corners : list of (int, int, int)
        As whole numbers.
    wide : int
        How many of the stretches are longer than a dot.
    """

    def __init__(self, strip: _Strip) -> None:
        outlines, ends, self.margin = strip.outlines, strip.ends, strip.margin
        self.one, self.other = strip.one, strip.other
        self.wide = max(1, (self.one[0] != self.one[1]) + (self.other[0] != self.other[1]))
        things, weights = strip.things()
        sizes = outlines.sizes[things]
        self.first = np.cumsum(sizes) - sizes
        flat = np.repeat(outlines.first[things] - self.first, sizes) + np.arange(int(sizes.sum()))
        numbers, self.corner = np.unique(outlines.corners[flat], return_inverse=True)
        self.heights = strip.heights[:, numbers]
        self.corners = [outlines.exact[number] for number in numbers.tolist()]
        # Corners on the straight line of a stretch that is no dot.
        points = outlines.points[numbers]
        along = [_cross(a - points, b - points) for a, b in ends if (a != b).any()]
        self.along = np.abs(np.array(along).reshape(len(along), len(points))) <= self.margin
        in_doubt = strip.in_doubt[things]
        self.weights = np.where(in_doubt, 0, weights)
        options = outlines.scene.options
        self.clear = not ((in_doubt & (weights > 0)).any() or options["touch_counts"] or options["graze_hits"])

    def boxes(self, places: _Floats) -> _Boxes:
        """Return what is sure of some boxes of places."""
        s, t = places[:, [0, 0, 1, 1]], places[:, [2, 3, 2, 3]]
        shares = np.stack(((1 - s) * (1 - t), (1 - s) * t, s * (1 - t), s * t), axis=2)
        heights = shares @ self.heights
        low, high = heights.min(axis=1), heights.max(axis=1)
        left, right = low > self.margin, high < -self.margin
        on_line = (low >= -self.margin) & (high <= self.margin)
        return _Boxes(places, self.least(left, right), left, right, ~(left | right | on_line), on_line)

    def least(self, left: _Bools, right: _Bools) -> NDArray[np.int64]:
        """Return how often lines are degraded at least that have some corners on their left, and some on the right."""
        if not len(self.weights):
            return np.zeros(len(left), dtype=np.int64)
        met = np.logical_or.reduceat(left[:, self.corner], self.first, axis=1)
        met &= np.logical_or.reduceat(right[:, self.corner], self.first, axis=1)
        return np.asarray(np.minimum(met @ self.weights, FULL))

    def cut(self, places: _Floats) -> _Floats:
        """Cut boxes into smaller ones, those of a dot into more."""
        for axis in (0, 2):
            if not len(places) or (places[:, axis] == places[:, axis + 1]).all():
                continue
            parts = 8 if self.wide == 1 else 2
            low, step = places[:, axis], (places[:, axis + 1] - places[:, axis]) / parts
            cut = np.repeat(places, parts, axis=0)
            at = np.tile(np.arange(parts), len(places))
            cut[:, axis] = np.repeat(low, parts) + at * np.repeat(step, parts)
            cut[:, axis + 1] = np.repeat(low, parts) + (at + 1) * np.repeat(step, parts)
            places = cut
        return places

    def ways(self, loose: _Bools) -> NDArray[np.int64]:
        """Return through how many of some loose corners lines run apart: those along a stretch are met together."""
        found = (loose & ~self.along.any(axis=0)).sum(axis=1)
        for along in self.along:
            found += (loose & along).any(axis=1)
        return np.asarray(found)

    def is_small(self, places: _Floats) -> _Bools:
        """Tell which boxes are not worth cutting."""
        return np.asarray(np.maximum(places[:, 1] - places[:, 0], places[:, 3] - places[:, 2]) <= _SMALLEST)


def _cross(p: _Floats, q: _Floats) -> _Floats:
    return np.asarray(p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0])


# -- in whole numbers ----------------------------------------------------------------------------------------------


def _at(stretch: Stretch, place: Fraction) -> Exact:
    (x0, y0), (x1, y1) = stretch
    return x0 + place * (x1 - x0), y0 + place * (y1 - y0)


def _scaled(*points: Exact) -> list[Corner]:
    """Return points as whole numbers with one divisor in common."""
    scale = lcm(*(value.denominator for point in points for value in point))
    return [(int(x * scale), int(y * scale), scale) for x, y in points]


def _turn(a: Corner, b: Corner, c: Corner) -> int:
    """Return on which side of the line from one point to another a third lies: more than 0 for the left."""
    (ax, ay, ad), (bx, by, bd), (cx, cy, cd) = a, b, c
    return ad * (bx * cy - by * cx) - bd * (ax * cy - ay * cx) + cd * (ax * by - ay * bx)


def _sides(p: Corner, q: Corner, corners: list[Corner]) -> tuple[int, ...]:
    """Return 1 for a corner on the left of a line, -1 for one on its right, 0 for one on it."""
    turns = [_turn(p, q, corner) for corner in corners]
    return tuple((turn > 0) - (turn < 0) for turn in turns)


def _lines(one: Stretch, other: Stretch, box: _Floats, corners: list[Corner]) -> Iterator[tuple[Exact, Exact]]:
    """Yield lines of a box, of all that run differently past some corners at least one."""
    s0, s1, t0, t1 = (Fraction(float(place)) for place in box)
    first, second = _scaled(*one), _scaled(*other)
    ends = [point for place in (t0, t1) for point in _scaled(_at(other, place))]
    through = combinations([*corners, *ends], 2) if one[0] != one[1] else ()
    for s in _marks(s0, s1, (_meeting(a, b, first) for a, b in through)):
        p = _at(one, s)
        (start,) = _scaled(p)
        for t in _marks(t0, t1, (_meeting(start, corner, second) for corner in corners)):
            yield p, _at(other, t)


def _meeting(a: Corner, b: Corner, ends: list[Corner]) -> Fraction | None:
    """Return where the line through two points meets that of a stretch, None where it does not.

    The ends of the stretch have one divisor.
    """
    here, there = _turn(a, b, ends[0]), _turn(a, b, ends[1])
    return None if here == there else Fraction(here, here - there)


def _marks(first: Fraction, last: Fraction, places: Iterable[Fraction | None]) -> list[Fraction]:
    """Return some places from first to last, both of these too, and one between each two."""
    marks = sorted({first, last, *(place for place in places if place is not None and first < place < last)})
    return [*((a + b) / 2 for a, b in pairwise(marks)), *marks]
