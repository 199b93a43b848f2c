"""Stretches of straight lines on the lattice: what is left of one where others lie on it. Whole numbers decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from math import gcd
from typing import TypeAlias

from studio.model import Point

__all__ = ["Segment", "Stretches", "chains", "on_segment"]

Segment: TypeAlias = tuple[Point, Point]
"""Two different points of the lattice."""

_Line: TypeAlias = tuple[int, int, int]


class Stretches:
    """A set of segments, kept by the lines that they lie on.

    Parameters
    ----------
    segments : iterable of Segment
        They may overlap; those without length are left out.

    Examples
    --------
    >>> Stretches([((2, 0), (5, 0))]).outside(((0, 0), (6, 0)))
    [((0, 0), (2, 0)), ((5, 0), (6, 0))]
    """

    def __init__(self, segments: Iterable[Segment]) -> None:
        found: dict[_Line, list[tuple[int, int]]] = defaultdict(list)
        for p, q in segments:
            if p != q:
                line = _line_of(p, q)
                low, high = sorted((_along(line, p), _along(line, q)))
                found[line].append((low, high))
        self._spans = {line: _merged(spans) for line, spans in found.items()}

    @classmethod
    def of_lines(cls, lines: Iterable[tuple[Point, ...]]) -> Stretches:
        """Return the pieces of drawn lines."""
        return cls(piece for line in lines for piece in pairwise(line))

    def inside(self, segment: Segment) -> list[Segment]:
        """Return the parts of a segment, of positive length, that lie on the set, from its first end on.

        Examples
        --------
        >>> Stretches([((2, 0), (5, 0))]).inside(((0, 0), (4, 0)))
        [((2, 0), (4, 0))]
        """
        rest = self.outside(segment)
        return [] if rest == [segment] else Stretches(rest).outside(segment)

    def outside(self, segment: Segment) -> list[Segment]:
        """Return the parts of a segment, of positive length, on which none of the set lies, from its first end on."""
        if not self._spans:
            return [segment]
        p, q = segment
        line = _line_of(p, q)
        spans = self._spans.get(line)
        if not spans:
            return [segment]
        begin, end = _along(line, p), _along(line, q)
        low, high = min(begin, end), max(begin, end)
        parts: list[tuple[int, int]] = []
        at = low
        for first, last in spans:
            if first >= high:
                break
            if last > at:
                if first > at:
                    parts.append((at, first))
                at = last
        if at < high:
            parts.append((at, high))
        if begin > end:
            parts = [(last, first) for first, last in reversed(parts)]
        return [(_point(line, p, begin, first), _point(line, p, begin, last)) for first, last in parts]


def on_segment(at: Point, segment: Segment) -> bool:
    """Tell whether a point lies on a segment, its ends included.

    Examples
    --------
    >>> on_segment((2, 1), ((0, 0), (4, 2))), on_segment((2, 2), ((0, 0), (4, 2)))
    (True, False)
    """
    (x, y), ((px, py), (qx, qy)) = at, segment
    if (qx - px) * (y - py) != (qy - py) * (x - px):
        return False
    return min(px, qx) <= x <= max(px, qx) and min(py, qy) <= y <= max(py, qy)


def chains(segments: Iterable[Segment]) -> list[list[Point]]:
    """Join segments end to end to lines, as long as no third one begins where two meet.

    Returns
    -------
    list of list of (x, y)
        Each begins at its lower end and the lines are in order; a ring repeats its first point at its end.

    Examples
    --------
    >>> chains([((5, 0), (2, 0)), ((5, 0), (5, 3)), ((9, 9), (9, 8))])
    [[(2, 0), (5, 0), (5, 3)], [(9, 8), (9, 9)]]
    """
    near: dict[Point, list[Point]] = defaultdict(list)
    left: dict[frozenset[Point], None] = {}
    for p, q in segments:
        if p != q and frozenset((p, q)) not in left:
            left[frozenset((p, q))] = None
            near[p].append(q)
            near[q].append(p)
    found = []
    ends = sorted(point for point, others in near.items() if len(others) != 2)
    for start in (*ends, *sorted(near)):  # what has no end is a ring, and begins at its lowest corner
        for other in sorted(near[start]):
            if left.pop(frozenset((start, other)), True) is None:
                line = [start, other]
                while len(near[line[-1]]) == 2 and line[-1] != start:
                    onward = next(at for at in near[line[-1]] if at != line[-2])
                    del left[frozenset((line[-1], onward))]
                    line.append(onward)
                found.append(line if line[0] <= line[-1] else line[::-1])
    return sorted(found)


def _line_of(p: Point, q: Point) -> _Line:
    """Return the line of two points: its direction in lowest terms and its offset."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    if (dx, dy) < (0, 0):
        dx, dy = -dx, -dy
    step = gcd(dx, dy)
    dx, dy = dx // step, dy // step
    return dx, dy, dx * p[1] - dy * p[0]


def _along(line: _Line, at: Point) -> int:
    return line[0] * at[0] + line[1] * at[1]


def _point(line: _Line, p: Point, at_p: int, along: int) -> Point:
    """Return the point of a line by its place along it; `p` is one of its points."""
    dx, dy, _ = line
    steps = (along - at_p) // (dx * dx + dy * dy)
    return p[0] + steps * dx, p[1] + steps * dy


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for low, high in sorted(spans):
        if joined and low <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return joined
