"""The best line to or from the road of a hex (14.7), found by trying every line that may meet something else.

What a segment meets inside changes only when its line passes through one of finitely many points: a corner of a hex or
of a drawn shape, a vertex of a high wall, or a place where one goes from hex to hex. Fix the point on the first road.
Between two neighbouring points of the second road whose lines pass through such a corner, every line meets the same
things. Now let the point on the first road move: the order of those points on the second one stays the same until a
line passes through two corners, or through a corner and an end of the second road. So it is enough to try, on either
road, those points, its ends, and one between each two.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise
from math import lcm

from studio.rules.modern_tactics.facts import whole_line
from studio.rules.modern_tactics.line import Line
from studio.rules.modern_tactics.road import road_stretches
from studio.rules.modern_tactics.scene import BLOCK, Scene
from studio.rules.modern_tactics.sight import Judge
from studio.sight.trace import hex_trace

__all__ = ["slow_verdict", "weigh"]

Exact = tuple[Fraction, Fraction]
Stretch = tuple[Exact, Exact]


def slow_verdict(judge: Judge, a: int, b: int) -> int:
    """Return what `Judge.verdict` gives for two locations in different hexes of which one or both are on a road."""
    scene = judge.scene
    start, end = scene.end(a, air=judge.conditions.from_air), scene.end(b, air=judge.conditions.to_air)
    if any(fact.weight == BLOCK for fact in whole_line(Line(scene, start, end))):
        return 3
    best = 3
    for one in road_stretches(scene, start):
        for other in road_stretches(scene, end):
            best = min(best, _least(judge, a, b, one, other))
    return best


def weigh(judge: Judge, a: int, b: int, p: Exact, q: Exact) -> int:
    """Return how often the line between two points of two locations is degraded."""
    scene = judge.scene
    start, end = scene.end(a, air=judge.conditions.from_air), scene.end(b, air=judge.conditions.to_air)
    scale = lcm(*(value.denominator for value in (*p, *q)))
    points = (int(p[0] * scale), int(p[1] * scale)), (int(q[0] * scale), int(q[1] * scale))
    return judge.weigh(Line(scene, start, end, points, scale))


def _least(judge: Judge, a: int, b: int, one: Stretch, other: Stretch) -> int:
    corners = list(_between(_corners(judge.scene), [*one, *other]))
    if one[0] == one[1] or other[0] == other[1]:
        through: Iterable[tuple[Exact, Exact]] = ((other[0], corner) for corner in corners)
    else:
        through = combinations(dict.fromkeys([*other, *corners]), 2)
    best = 3
    for p in _points(one, (_meeting(u, v, one) for u, v in through)):
        for q in _points(other, (_meeting(p, corner, other) for corner in corners)):
            best = min(best, weigh(judge, a, b, p, q))
            if not best:
                return best
    return best


def _corners(scene: Scene) -> list[Exact]:
    """Return the corners at which what a line meets may change."""
    grid = scene.grid
    found: set[Exact] = set()
    for cell in map(int, scene.matters.nonzero()[0]):
        x, y = grid.centre(cell)
        found.update((Fraction(u), Fraction(v)) for u, v in grid.corners(cell))
        for shape in scene.drawn.shapes.get(cell, ()):
            found.update((x + Fraction(u, d), y + Fraction(v, d)) for u, v, d in shape.piece)
    for wall in scene.drawn.walls:
        found.update((Fraction(u), Fraction(v)) for u, v in wall.line)
        for (x0, y0), (x1, y1) in pairwise(wall.line):
            for met in hex_trace(grid, (x0, y0), (x1, y1)):
                found.update((x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in (met.enter, met.leave))
    return sorted(found)


def _cross(o: Exact, a: Exact, b: Exact) -> Fraction:
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


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


def _points(stretch: Stretch, places: Iterable[Fraction | None]) -> Iterator[Exact]:
    """Yield the points of a stretch at some places, at its ends, and one between each two."""
    (x0, y0), (x1, y1) = stretch
    if stretch[0] == stretch[1]:
        yield stretch[0]
        return
    marks = sorted({Fraction(0), Fraction(1), *(place for place in places if place is not None)})
    for t in sorted([*marks, *((a + b) / 2 for a, b in pairwise(marks))]):
        yield x0 + t * (x1 - x0), y0 + t * (y1 - y0)
