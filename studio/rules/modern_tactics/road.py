"""Units on the road of a hex with a structure see, and are seen, from any point of the road (14.7).

Which point is best is found exactly. What a segment meets inside changes only when its line passes through one of
finitely many points: a corner of a hex, of a drawn shape or of a high wall. Fix the point on the first road.
Between two neighbouring points of the second road whose lines pass through such a corner, every line meets the same
things, so it is enough to try those points and one between each two of them. Now let the point on the first road
move: the order of those points on the second road stays the same until a line passes through two corners at once,
or through a corner and an end of the second road. So on the first road, too, it is enough to try those points and
one between each two. Only corners between the two roads can matter. Before all that, a few points are tried; what
lies across every line says whether they can be bettered at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from studio.grid import STEP
from studio.model import Road
from studio.rules.modern_tactics.facts import whole_line
from studio.rules.modern_tactics.line import Line, clip
from studio.rules.modern_tactics.scene import BLOCK, End, Scene

if TYPE_CHECKING:
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["best_line", "road_stretches"]

Exact: TypeAlias = tuple[Fraction, Fraction]
Stretch: TypeAlias = tuple[Exact, Exact]


def best_line(judge: Judge, start: End, end: End) -> tuple[Line, list[tuple[str, str]]]:
    """Return the line between two ends that is degraded least.

    Parameters
    ----------
    judge : Judge
    start, end : End

    Returns
    -------
    line : Line
        Between the dots, where neither end is on a road.
    aims : list of (label, text)
        Says of every end on a road to which of its points the line goes.
    """
    scene = judge.scene
    if not (start.road or end.road) or start.cell == end.cell:
        return Line(scene, start, end), []
    straight = Line(scene, start, end)
    if any(fact.weight == BLOCK for fact in whole_line(straight)):
        return straight, []
    search = _Search(judge, start, end)
    for one in road_stretches(scene, start):
        for other in road_stretches(scene, end):
            if search.best:
                search.look(one, other)
    aims = []
    for on_road, point in zip((start, end), search.points, strict=True):
        if on_road.road:
            label = scene.directory.label(on_road.number)
            where = _part_of(point, road_stretches(scene, on_road))
            aims.append((label, f"{label}: the line uses {where}, the best point of the road"))
    return search.line, aims


def _part_of(point: Exact, stretches: list[Stretch]) -> str:
    """Say where on some stretches of road a point lies."""
    spans = [sorted(end[axis] for stretch in stretches for end in stretch) for axis in (0, 1)]
    axis = 0 if spans[0][-1] - spans[0][0] >= spans[1][-1] - spans[1][0] else 1
    low, high = spans[axis][0], spans[axis][-1]
    share = (point[axis] - low) / (high - low) if low < high else Fraction(1, 2)
    if abs(share - Fraction(1, 2)) <= Fraction(1, 10):
        return "its middle"
    side = ("western", "eastern") if axis == 0 else ("northern", "southern")
    return f"its {side[share > Fraction(1, 2)]} {'end' if share in (0, 1) else 'part'}"


def road_stretches(scene: Scene, end: End) -> list[Stretch]:
    """Return the straight stretches of road in the hex of an end; its dot alone where it is not on a road."""
    x, y = map(Fraction, end.point)
    found: list[Stretch] = []
    if end.road:
        grid, labels = scene.grid, scene.model.labels
        label = labels.label(end.cell)
        cx, cy = grid.centre(end.cell)
        for road in scene.survey.features_of(Road):
            if label not in road.path:
                continue
            points = road.line or tuple(grid.centre(cell) for cell in labels.cells(road.path))
            for (px, py), (qx, qy) in pairwise(points):
                step = (qx - px, qy - py)
                met = clip((px - cx, py - cy), step, 1, flat=grid.flat)
                if met is not None and met[0] < met[1]:
                    found.append(tuple((px + t * step[0], py + t * step[1]) for t in met[:2]))  # type: ignore[arg-type]
    return found or [((x, y), (x, y))]


class _Search:
    """The best line so far."""

    def __init__(self, judge: Judge, start: End, end: End) -> None:
        self.judge, self.start, self.end = judge, start, end
        self.best = 99
        self.points: tuple[Exact, Exact]
        self.line: Line

    def look(self, one: Stretch, other: Stretch) -> None:
        """Look for a better line from one stretch of road to another."""
        tries = [(p, q) for p in _some(one) for q in _some(other)]
        self._try(*tries[0])
        if not self.best or self.best <= self._least(one, other):
            return
        for p, q in tries[1:]:
            self._try(p, q)
            if not self.best:
                return
        corners = list(_between(_corners(self.judge.scene, [*one, *other]), [*one, *other]))
        for p in _points(one, _first_places(one, other, corners)):
            for q in _points(other, (_meeting(p, corner, other) for corner in corners)):
                self._try(p, q)
                if not self.best:
                    return

    def _make(self, p: Exact, q: Exact) -> Line:
        scale = lcm(*(value.denominator for value in (*p, *q)))
        points = (int(p[0] * scale), int(p[1] * scale)), (int(q[0] * scale), int(q[1] * scale))
        return Line(self.judge.scene, self.start, self.end, points, scale)

    def _try(self, p: Exact, q: Exact) -> None:
        line = self._make(p, q)
        weight = self.judge.weigh(line)
        if weight < self.best:
            self.best, self.points, self.line = weight, (p, q), line

    def _least(self, one: Stretch, other: Stretch) -> int:
        """Return what lies across both outer lines of two stretches, and so across all of them."""
        outer = [(one[0], other[0]), (one[1], other[1])]
        if _crossed(outer[0], outer[1]):
            outer = [(one[0], other[1]), (one[1], other[0])]
        return self.judge.certain(self._make(*outer[0]), self._make(*outer[1]))


def _cross(o: Exact, a: Exact, b: Exact) -> Fraction:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def _crossed(one: Stretch, other: Stretch) -> bool:
    """Tell whether two segments cross."""
    (a, b), (c, d) = one, other
    return _cross(a, b, c) * _cross(a, b, d) < 0 and _cross(c, d, a) * _cross(c, d, b) < 0


def _some(stretch: Stretch) -> list[Exact]:
    (x0, y0), (x1, y1) = stretch
    return [stretch[0]] if stretch[0] == stretch[1] else [((x0 + x1) / 2, (y0 + y1) / 2), *stretch]


def _corners(scene: Scene, around: list[Exact]) -> list[Exact]:
    """Return the corners near some points at which what a line meets may change."""
    grid = scene.grid
    ends = np.array([[float(value) for value in point] for point in around])
    first, last = ends[:2].mean(axis=0), ends[2:].mean(axis=0)
    # All lines lie in a strip around the middle one; floats only leave out what is far from it.
    reach = np.abs(ends - np.repeat([first, last], 2, axis=0)).max() * 2 + 2 * STEP
    away = grid.centres - first
    step = last - first
    near = np.abs(away[:, 0] * step[1] - away[:, 1] * step[0]) <= reach * np.hypot(*step)
    along = away @ step
    near &= (along >= -reach * np.hypot(*step)) & (along <= step @ step + reach * np.hypot(*step))
    found: set[Exact] = set()
    for cell in map(int, (near & scene.matters).nonzero()[0]):
        x, y = grid.centre(cell)
        found.update((Fraction(u), Fraction(v)) for u, v in grid.corners(cell))
        for shape in scene.drawn.shapes.get(cell, ()):
            found.update((x + Fraction(u, d), y + Fraction(v, d)) for u, v, d in shape.piece)
    for wall in scene.drawn.walls:
        found.update((Fraction(u), Fraction(v)) for u, v in wall.line)
    return sorted(found)


def _between(points: Iterable[Exact], around: list[Exact]) -> Iterator[Exact]:
    """Yield the points that lie in the hull of a few others, its border included."""
    hull: list[Exact] = []
    for way in (sorted(set(around)), sorted(set(around), reverse=True)):
        half: list[Exact] = []
        for point in way:
            while len(half) > 1 and _cross(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        hull += half[:-1]
    for point in points:
        if all(_cross(a, b, point) >= 0 for a, b in pairwise([*hull, hull[0]])):
            yield point


def _meeting(a: Exact, b: Exact, stretch: Stretch) -> Fraction | None:
    """Return where on a stretch, 0 to 1, the line through two points meets it, None where it does not."""
    here, there = _cross(a, b, stretch[0]), _cross(a, b, stretch[1])
    if here == there:
        return None
    place = here / (here - there)
    return place if 0 <= place <= 1 else None


def _first_places(one: Stretch, other: Stretch, corners: list[Exact]) -> Iterator[Fraction | None]:
    for a, b in combinations([*dict.fromkeys([*other, *corners])], 2):
        if a != b:
            yield _meeting(a, b, one)


def _points(stretch: Stretch, places: Iterable[Fraction | None]) -> Iterator[Exact]:
    """Yield the points of a stretch at some places, at its ends, and one between each two."""
    (x0, y0), (x1, y1) = stretch
    if stretch[0] == stretch[1]:
        yield stretch[0]
        return
    marks = sorted({Fraction(0), Fraction(1), *(place for place in places if place is not None)})
    for t in sorted([*marks, *((a + b) / 2 for a, b in pairwise(marks))]):
        yield x0 + t * (x1 - x0), y0 + t * (y1 - y0)
