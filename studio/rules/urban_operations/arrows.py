"""The arrows that openings can have: rows of hexes, and lines along their sides, that lead away from a wall."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.model import Area, Point, Wall
from studio.model.topology.rings import Edge, lies_on
from studio.rules.urban_operations.arcs import arrow_rows
from studio.rules.urban_operations.walls import far, whole_of
from studio.survey import ring_edges

if TYPE_CHECKING:
    from studio.survey import Survey

__all__ = ["Arrow", "Behind", "arrows_from", "behind_of"]

_ROW = 8
"""Hexes of an arrow that are looked at, to tell whether it leads back behind its wall."""


class Arrow(msgspec.Struct, frozen=True):
    """An arrow that can bound the arc of fire of an opening.

    Attributes
    ----------
    labels : tuple of str
        As an aperture holds them: one hex, whose row it is, or two adjacent ones, along whose side it runs.
    begin : (x, y)
        Where it begins on the lattice.
    step : (x, y)
        From there to the next hex of the row, or to the next such side.
    """

    labels: tuple[str, ...]
    begin: Point
    step: Point


def arrows_from(survey: Survey, at: Point, into: str, edge: Edge | None = None) -> list[Arrow]:
    """Return the arrows that an opening can have, those that begin nearest first.

    Parameters
    ----------
    survey : Survey
    at : (x, y)
        Where the opening is on the lattice.
    into : str
        Label of the location that it belongs to.
    edge : tuple of two points, optional
        The edge that it lies on or gets a corner in; found without it.

    Raises
    ------
    LabelError
        When the map has no such location.
    """
    grid, directory = survey.grid, survey.directory
    number = directory.number(into)
    inner = directory.dot(number)
    middle = grid.cell_at(*grid.to_map(*at))
    if middle is None:
        return []
    behind = behind_of(survey, at, inner, number, edge)
    found: dict[tuple[str, ...], Arrow] = {}
    for cells in _candidates(survey, middle):
        rows = arrow_rows(grid, at, inner, cells)
        if len(rows) != 1:
            continue  # exactly between two directions: which one, no designer could tell
        begin, step, firsts = rows[0]
        # Of an outer wall only the arrow itself has to lead across; hexes on both sides may lie along it.
        rows_from, skip = (firsts, 0) if number >= grid.cells else ([begin], 1)
        if any(behind((x + n * step[0], y + n * step[1])) for x, y in rows_from for n in range(skip, _ROW)):
            continue
        labels = tuple(directory.labels.label(cell) for cell in cells)
        found[labels] = Arrow(labels, begin, step)
    return sorted(found.values(), key=lambda one: (far(survey, one.begin, at), one.labels))


def _candidates(survey: Survey, middle: int) -> Iterator[tuple[int, ...]]:
    """Yield the hexes near one, and the pairs of neighbours among them; arcs of fire begin that near (page 13)."""
    grid = survey.grid
    near = grid.within(middle, 2)
    kept = set(near)
    for cell in near:
        yield (cell,)
        for other in grid.neighbours(cell):
            if other > cell and other in kept:
                yield (cell, other)


class Behind:
    """What lies behind a wall: all of a house, or the side of an outer wall that its location is on.

    Parameters
    ----------
    edges : list of edges
        Those at an opening, turned so that what lies behind is on their positive side.
    """

    def __init__(self, edges: list[Edge]) -> None:
        self.edges = edges

    def __call__(self, point: Point) -> bool:
        """Tell whether a point lies behind."""
        x, y = point
        return bool(self.edges) and all(
            (qx - px) * (y - py) - (qy - py) * (x - px) > 0 for (px, py), (qx, qy) in self.edges
        )

    def any_of(self, points: NDArray[np.int64]) -> bool:
        """Tell whether any of some points, shape (n, 2), lies behind."""
        found = np.full(len(points), bool(self.edges))
        x, y = points.T
        for (px, py), (qx, qy) in self.edges:
            found &= (qx - px) * (y - py) - (qy - py) * (x - px) > 0
        return bool(found.any())


def behind_of(survey: Survey, at: Point, inner: Point, number: int, edge: Edge | None = None) -> Behind:
    """Return what lies behind the wall of an opening.

    Parameters
    ----------
    survey : Survey
    at : (x, y)
        Where the opening is on the lattice.
    inner : (x, y)
        Dot of the location that it belongs to.
    number : int
        Of that location.
    edge : tuple of two points, optional
        The edge that it lies on or gets a corner in; found without it.
    """
    place = survey.directory.location(number)
    feature = survey.model.features.get(place.feature)
    if isinstance(feature, Area):
        return Behind(_turned(whole_of(survey, feature), at, edge))
    # An opening of a hex looks through its wall to the other side.
    edges = [one for wall in survey.features_of(Wall) for one in pairwise(wall.line) if lies_on(at, *one)] or (
        [] if edge is None else [edge]
    )
    kept = []
    for p, q in edges:
        side = (q[0] - p[0]) * (inner[1] - p[1]) - (q[1] - p[1]) * (inner[0] - p[0])
        if side:
            kept.append((p, q) if side > 0 else (q, p))
    return Behind(kept)


def _turned(area: Area, at: Point, edge: Edge | None) -> list[Edge]:
    """Return the edges of an area at a point, turned so that what lies inside is on their positive side."""
    found = []
    for number, ring in enumerate((area.outline, *area.holes)):
        doubled = sum(p[0] * q[1] - q[0] * p[1] for p, q in ring_edges(ring))
        for p, q in ring_edges(ring):
            if lies_on(at, p, q):
                parts = [(p, q)]
            elif edge is not None and all(lies_on(end, p, q) for end in edge):
                parts = [(p, at), (at, q)]  # it gets a corner there
            else:
                continue
            found += parts if (doubled > 0) == (number == 0) else [(b, a) for a, b in parts]
    return found
