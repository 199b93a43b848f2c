"""Where openings can be: the walls near a point, exactly, and whose they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from studio.errors import UnknownNameError, nearest
from studio.model import Area, Point, Wall
from studio.model.topology import lattice_weights
from studio.model.topology.rings import Edge, foot, lies_on, nearest_part, turns_sharply
from studio.sight.trace import Shapes, hex_trace
from studio.survey import ring_edges

if TYPE_CHECKING:
    from studio.model.topology import Weights
    from studio.rules import Ruleset
    from studio.survey import Survey

__all__ = ["WallPoint", "Walls", "check_type", "far", "whole_of"]

_CORNER = 40
"""Lattice units, a twelfth of a hex: an opening is set that far from the corners of its wall, where there is room."""

_ALONG = 3 * 60 * 60
"""Square of the way along a wall, an eighth of a hex, up to which a lattice point of it is taken."""

_BEND = 3 * 6 * 6
"""Square of the distance up to which a bend of the wall is taken, where another opening may have been."""

_TRIED = 60
"""Edges near a point that are looked at, the nearest first."""


class WallPoint(msgspec.Struct, frozen=True):
    """A point of a wall where an opening can be.

    Attributes
    ----------
    at : (x, y)
        On the lattice.
    edge : tuple of two points
        The edge of the wall that it is on.
    feature : str
        Id of the area or the wall whose edge that is.
    into : tuple of str
        Labels of the locations that an opening there can belong to, the one on the side of the point asked for first.
    corner : bool
        No lattice point of the wall is near: the wall needs a corner there, which :meth:`Map.add_opening` gives it.
    """

    at: Point
    edge: tuple[Point, Point]
    feature: str
    into: tuple[str, ...]
    corner: bool = False


def whole_of(survey: Survey, area: Area) -> Area:
    """Return the outermost area that an area is part of."""
    seen: set[str] = set()
    while area.within and area.within not in seen:
        seen.add(area.within)
        around = survey.model.features.get(area.within)
        if not isinstance(around, Area):
            break
        area = around
    return area


def _edges_of(area: Area) -> Iterator[Edge]:
    for ring in (area.outline, *area.holes):
        yield from ring_edges(ring)


class Walls:
    """The edges that openings of some type can lie on, for one state of a map.

    Parameters
    ----------
    survey : Survey
    ruleset : Ruleset
    type : str
        An aperture type of the game, which says what it can lie on; any wall will do for one that is none.
    """

    def __init__(self, survey: Survey, ruleset: Ruleset, type: str) -> None:
        self.survey, self.weights = survey, lattice_weights(survey.grid)
        sight = ruleset.aperture_types[type].sight if type in ruleset.aperture_types else ""
        self.edges: list[Edge] = []
        self.owner: list[Area | Wall] = []
        if sight != "wall_breach":
            named = [place.feature for place in survey.directory.of("area")]
            for area in (feature for name in named if isinstance(feature := survey.model.features[name], Area)):
                for edge in _edges_of(area):
                    self._take(edge, area)
        if sight != "breach":
            inner = {name for name, kind in ruleset.wall_types.items() if kind.sight == "partition"}
            for wall in survey.features_of(Wall):
                if wall.type not in inner:
                    for edge in pairwise(wall.line):
                        self._take(edge, wall)
        # In the games that have facades an opening of a room is in one, never in a wall to the next room.
        self.facades = any(kind.covers for kind in ruleset.area_types.values())
        wholes = [whole_of(survey, owner) for owner in self.owner if isinstance(owner, Area)]
        self.wholes = {whole.id: whole for whole in wholes}
        self.corners = _corners_of(survey)
        self._scale = np.sqrt(np.array(self.weights, dtype=float))
        table = np.array(self.edges, dtype=float).reshape(-1, 2, 2) * self._scale
        self._begins, self._along = table[:, 0], table[:, 1] - table[:, 0]
        self._lengths = (self._along**2).sum(axis=1)

    def _take(self, edge: Edge, owner: Area | Wall) -> None:
        if edge[0] != edge[1]:
            self.edges.append(edge)
            self.owner.append(owner)

    def near(self, point: Point, reach: float) -> Iterator[tuple[Edge, Area | Wall]]:
        """Yield the edges within the square of a distance; of equally near ones the shortest first."""
        if not self.edges:
            return
        off = np.array(point) * self._scale - self._begins
        part = np.clip((off * self._along).sum(axis=1) / self._lengths, 0.0, 1.0)
        away = ((off - part[:, None] * self._along) ** 2).sum(axis=1)
        # Edges of a house and of its room lie on each other: to a hundredth of a unit they are equally near.
        order = np.lexsort((self._lengths, np.round(away, 2)))
        for number in order[:_TRIED].tolist():
            if away[number] > reach:
                return
            yield self.edges[number], self.owner[number]

    def find(self, point: Point, reach: float) -> WallPoint | None:
        """Return the point of a wall that is nearest to a point, None where no wall is within the square of a distance.

        Parameters
        ----------
        point : (x, y)
        reach : float
            Square of the farthest distance, in the weights of the lattice.
        """
        for edge, owner in self.near(point, reach):
            if isinstance(owner, Area) and not self.is_free(owner, edge):
                continue
            found = self.point_on(edge, owner, point)
            if found is not None:
                return found
        return None

    def point_on(self, edge: Edge, owner: Area | Wall, point: Point) -> WallPoint | None:
        """Return the point of an edge that is nearest to a point; None where an opening could belong to no location.

        Parameters
        ----------
        edge : tuple of two points
        owner : Area or Wall
            Whose edge it is.
        point : (x, y)
        """
        at = _spot(point, edge, self.weights, self.corners)
        into = _beside(self.survey, owner, at, point)
        return WallPoint(at, edge, owner.id, into, corner=not lies_on(at, *edge)) if into else None

    def is_free(self, area: Area, edge: Edge) -> bool:
        """Tell whether an edge of a location is part of the facade of its house, and of no other house beside it."""
        if not self.facades:
            return True
        whole = whole_of(self.survey, area)
        p, q = edge
        if whole.id != area.id and not any(lies_on(p, *one) and lies_on(q, *one) for one in _edges_of(whole)):
            return False
        middle = (p[0] + q[0], p[1] + q[1])  # doubled, to be whole
        tree, edges, of = self._houses
        near = tree.near((middle[0] // 2, middle[1] // 2), (middle[0] - middle[0] // 2, middle[1] - middle[1] // 2))
        return not any(of[n] != whole.id and _holds(middle, *edges[n]) for n in near)

    @cached_property
    def _houses(self) -> tuple[Shapes, list[Edge], list[str]]:
        """The edges of all houses, what finds them, and the id of the house of each."""
        found = [(edge, whole.id) for whole in self.wholes.values() for edge in _edges_of(whole)]
        edges = [edge for edge, _ in found]
        return Shapes(edges), edges, [name for _, name in found]


def _holds(doubled: Point, p: Point, q: Point) -> bool:
    """Tell whether an edge holds a point that is given doubled."""
    return lies_on(doubled, (2 * p[0], 2 * p[1]), (2 * q[0], 2 * q[1]))


def _corners_of(survey: Survey) -> set[Point]:
    """Return the corners at which an outline turns, and the ends of walls; a slight bend is none."""
    found = {end for wall in survey.features_of(Wall) for end in (wall.line[0], wall.line[-1])}
    for area in survey.features_of(Area):
        for ring in (area.outline, *area.holes):
            for before, corner, after in zip((ring[-1], *ring[:-1]), ring, (*ring[1:], ring[0]), strict=True):
                if turns_sharply(before, corner, after):
                    found.add(corner)
    return found


def _spot(point: Point, edge: Edge, weights: Weights, corners: set[Point]) -> Point:
    """Return the lattice point of an edge near a point, away from the corners; else the nearest beside the edge."""
    (px, py), (qx, qy) = edge
    length = (weights[0] * (qx - px) ** 2 + weights[1] * (qy - py) ** 2) ** 0.5
    room = min(0.5, _CORNER * 3**0.5 / length)
    low, high = (room if end in corners else 0.0 for end in edge)
    part = min(max(float(nearest_part(point, *edge, weights)), low), 1 - high)
    near = (round(px + part * (qx - px)), round(py + part * (qy - py)))
    for end in edge:
        if end not in corners and weights[0] * (near[0] - end[0]) ** 2 + weights[1] * (near[1] - end[1]) ** 2 <= _BEND:
            return end
    return foot(near, *edge, weights, reach=_ALONG)


def _beside(survey: Survey, owner: Area | Wall, at: Point, point: Point) -> tuple[str, ...]:
    """Return the labels of the locations that an opening can belong to."""
    directory = survey.directory
    if isinstance(owner, Area):
        number = next((place.number for place in directory.of("area") if place.feature == owner.id), None)
        return () if number is None else (directory.label(number),)
    met = [cell for contact in hex_trace(survey.grid, at, at) for cell in contact.cells]
    cells = [cell for cell in dict.fromkeys(met) if directory.exists(cell)]
    under = survey.grid.cell_at(*survey.grid.to_map(*point))
    cells.sort(key=lambda cell: (cell != under, far(survey, directory.dot(cell), point)))
    return tuple(directory.label(cell) for cell in cells)


def far(survey: Survey, a: Point, b: Point) -> int:
    """Return the square of the distance of two points."""
    wx, wy = lattice_weights(survey.grid)
    return wx * (a[0] - b[0]) ** 2 + wy * (a[1] - b[1]) ** 2


def check_type(ruleset: Ruleset, type: str) -> None:
    """Refuse a type of opening that a game does not have.

    Raises
    ------
    UnknownNameError
        When the game has no such openings.
    """
    if type not in ruleset.aperture_types:
        msg = f"{ruleset.title} has no aperture {type!r}; {nearest(type, ruleset.aperture_types)}"
        raise UnknownNameError(msg)
