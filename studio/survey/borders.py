"""Borders that drawn areas share, found exactly: whole numbers decide whether two edges lie on one line and overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING, Any

import msgspec

from studio.model import Area, natural_key

if TYPE_CHECKING:
    from studio.model import Point

__all__ = ["Border", "BorderIndex", "find_borders", "ring_edges"]

_Line = tuple[int, int, int]
_Span = tuple[_Line, int, int]


class Border(msgspec.Struct, frozen=True):
    """What two areas have in common.

    Attributes
    ----------
    a, b : str
        Ids of the areas, in their natural order.
    segments : tuple of ((x, y), (x, y))
        Pieces of positive length on the lattice, each with its lower point first, in order.
    """

    a: str
    b: str
    segments: tuple[tuple[Point, Point], ...]


def ring_edges(ring: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Return the edges of a ring whose first corner is not repeated; corners that follow themselves give none."""
    return [(p, q) for p, q in pairwise((*ring, ring[0])) if p != q]


class BorderIndex:
    """The borders of a changing set of areas: an area that is put or taken away touches its own lines alone.

    Examples
    --------
    >>> index = BorderIndex()
    >>> index.put(Area(id="a", type="zone", outline=((0, 0), (9, 0), (9, 9))))
    >>> index.put(Area(id="b", type="zone", outline=((9, 2), (20, 0), (9, 20))))
    >>> index.borders()
    (Border(a='a', b='b', segments=(((9, 2), (9, 9)),)),)
    """

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}
        self._rank: dict[str, Any] = {}
        self._edges: dict[str, list[_Span]] = {}
        # Every edge lies on a line with whole coefficients; edges of one line are compared, and no others.
        self._lines: dict[_Line, list[tuple[int, int, str]]] = {}
        self._common: dict[tuple[str, str], Border] = {}
        self._partners: dict[str, set[str]] = {}

    def put(self, area: Area) -> None:
        """Add an area, or take it instead of the one with its id."""
        self.remove(area.id)
        self._parents[area.id], self._rank[area.id] = area.within, natural_key(area.id)
        edges = [_on_line(p, q) for ring in (area.outline, *area.holes) for p, q in ring_edges(ring)]
        found: dict[str, list[tuple[Point, Point]]] = {}
        for line, low, high in edges:
            for other_low, other_high, other in self._lines.get(line, ()):
                start, end = max(low, other_low), min(high, other_high)
                if start < end:
                    found.setdefault(other, []).append((_point_on(line, start), _point_on(line, end)))
        self._edges[area.id] = edges
        for line, low, high in edges:
            self._lines.setdefault(line, []).append((low, high, area.id))
        for other, segments in found.items():
            a, b = sorted((area.id, other), key=self._rank.__getitem__)
            self._common[a, b] = Border(a, b, tuple(sorted(set(segments))))
            self._partners.setdefault(a, set()).add(b)
            self._partners.setdefault(b, set()).add(a)

    def remove(self, area_id: str) -> None:
        """Take an area away; nothing happens when it is not there."""
        for line in {line for line, _, _ in self._edges.pop(area_id, ())}:
            self._lines[line] = [span for span in self._lines[line] if span[2] != area_id]
            if not self._lines[line]:
                del self._lines[line]
        for other in self._partners.pop(area_id, ()):
            self._partners[other].discard(area_id)
            self._common.pop((area_id, other), None)
            self._common.pop((other, area_id), None)
        self._parents.pop(area_id, None)

    def borders(self) -> tuple[Border, ...]:
        """Return the borders of positive length, in the natural order of the ids.

        Returns
        -------
        tuple of Border
            None between an area and one that it is part of, however deep. Areas that meet in points only share none.
        """
        rank = self._rank
        found = sorted(self._common.values(), key=lambda border: (rank[border.a], rank[border.b]))
        nested = any(self._parents.values())
        return tuple(border for border in found if not (nested and self._related(border.a, border.b)))

    def _related(self, a: str, b: str) -> bool:
        return _part_of(self._parents, a, b) or _part_of(self._parents, b, a)


def find_borders(areas: Iterable[Area]) -> tuple[Border, ...]:
    """Find the borders of positive length that areas share; see :meth:`BorderIndex.borders`.

    Parameters
    ----------
    areas : iterable of Area
    """
    index = BorderIndex()
    for area in areas:
        index.put(area)
    return index.borders()


def _part_of(parents: dict[str, str], inner: str, outer: str) -> bool:
    seen: set[str] = set()
    while inner and inner not in seen:
        seen.add(inner)
        inner = parents.get(inner, "")
        if inner == outer:
            return True
    return False


def _on_line(p: Point, q: Point) -> _Span:
    """Return the line of an edge as (dx, dy, c) in lowest terms, and its two ends as steps along it."""
    dx, dy = q[0] - p[0], q[1] - p[1]
    if dx < 0 or (dx == 0 and dy < 0):
        p, q, dx, dy = q, p, -dx, -dy
    step = gcd(dx, dy)
    dx, dy = dx // step, dy // step
    # Along the line x (or y, where it is upright) grows by dx (dy) a step, so floor division counts the steps.
    at = (p[0] // dx, q[0] // dx) if dx else (p[1], q[1])
    offset = (p[0] % dx, p[1] - at[0] * dy) if dx else (p[0], 0)
    return (dx, dy, _pair(*offset, dx)), at[0], at[1]


def _pair(remainder: int, constant: int, dx: int) -> int:
    """Put the two numbers that place a line into one: which x the steps stand on, and y at step 0."""
    return constant * dx + remainder if dx else remainder


def _point_on(key: _Line, step: int) -> Point:
    dx, dy, c = key
    if not dx:
        return (c, step)
    constant, remainder = divmod(c, dx)
    return (remainder + step * dx, constant + step * dy)
