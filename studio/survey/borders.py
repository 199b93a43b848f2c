"""Borders that drawn areas share, found exactly: whole numbers decide whether two edges lie on one line and overlap."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import gcd
from typing import TYPE_CHECKING

import msgspec

from studio.model import Area

if TYPE_CHECKING:
    from studio.model import Point

__all__ = ["Border", "find_borders", "ring_edges"]


class Border(msgspec.Struct, frozen=True):
    """What two areas have in common.

    Attributes
    ----------
    a, b : str
        Ids of the areas, in the order of the list they were found in.
    segments : tuple of ((x, y), (x, y))
        Pieces of positive length on the lattice, each with its lower point first, in order.
    """

    a: str
    b: str
    segments: tuple[tuple[Point, Point], ...]


def ring_edges(ring: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Return the edges of a ring whose first corner is not repeated; corners that follow themselves give none."""
    return [(p, q) for p, q in pairwise((*ring, ring[0])) if p != q]


def find_borders(areas: Iterable[Area]) -> tuple[Border, ...]:
    """Find the borders of positive length that areas share.

    Parameters
    ----------
    areas : iterable of Area

    Returns
    -------
    tuple of Border
        None between an area and one that it is part of, however deep. Areas that meet in points only share no border.
    """
    listed = list(areas)
    parents = {area.id: area.within for area in listed}
    # Every edge lies on a line with whole coefficients; edges of one line are compared, and no others.
    lines: dict[tuple[int, int, int], list[tuple[int, int, int]]] = defaultdict(list)
    for index, area in enumerate(listed):
        for ring in (area.outline, *area.holes):
            for p, q in ring_edges(ring):
                key, low, high = _on_line(p, q)
                lines[key].append((low, high, index))
    found: dict[tuple[int, int], list[tuple[Point, Point]]] = defaultdict(list)
    for key, spans in lines.items():
        spans.sort()
        active: list[tuple[int, int]] = []
        for low, high, index in spans:
            active = [(end, other) for end, other in active if end > low]
            for end, other in active:
                if other != index:
                    ends = _point_on(key, low), _point_on(key, min(end, high))
                    found[min(index, other), max(index, other)].append(ends)
            active.append((high, index))
    return tuple(
        Border(listed[i].id, listed[j].id, tuple(sorted(set(segments))))
        for (i, j), segments in sorted(found.items())
        if not _part_of(parents, listed[i].id, listed[j].id) and not _part_of(parents, listed[j].id, listed[i].id)
    )


def _part_of(parents: dict[str, str], inner: str, outer: str) -> bool:
    seen: set[str] = set()
    while inner and inner not in seen:
        seen.add(inner)
        inner = parents.get(inner, "")
        if inner == outer:
            return True
    return False


def _on_line(p: Point, q: Point) -> tuple[tuple[int, int, int], int, int]:
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


def _point_on(key: tuple[int, int, int], step: int) -> Point:
    dx, dy, c = key
    if not dx:
        return (c, step)
    constant, remainder = divmod(c, dx)
    return (remainder + step * dx, constant + step * dy)
