"""What is drawn on a map of Modern Tactics beside its hexes: structures, hills and high walls, cut up by hexes."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.grid import STEP
from studio.model import Area, Wall
from studio.sight.trace.contacts import area_contacts, line_contacts
from studio.sight.trace.pieces import Piece, Triangle, hex_pieces, triangles
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.model import Point

__all__ = ["STRUCTURES", "Drawn", "HighWall", "Shape", "high_walls"]

STRUCTURES = ("structure", "ruins")


class Shape(NamedTuple):
    """A connected piece of a drawn structure or hill in one hex."""

    cell: int
    area: Area
    piece: Piece


class HighWall(NamedTuple):
    """A high wall, or the outer wall of a walled compound, as a line; ``ring`` is True for a compound."""

    name: str
    line: tuple[Point, ...]
    ring: bool

    @property
    def spoken(self) -> str:
        """What reasons call it: its kind once, and of an id only what tells it from others."""
        if self.ring:
            return f"high wall of {self.name.removeprefix('area-').replace('-', ' ')}"
        own = self.name.removeprefix("wall-")
        return self.name if own == self.name and "wall" in own.lower() else f"high wall {own}"


def high_walls(survey: Survey) -> list[HighWall]:
    """Return the outer walls of the compounds, and the high walls that are drawn as lines."""
    rings = [area for area in survey.features_of(Area) if area.type == "compound"]
    found = [HighWall(area.name or area.id, (*area.outline, area.outline[0]), True) for area in rings]
    return found + [HighWall(wall.name or wall.id, wall.line, False) for wall in survey.features_of(Wall)]


class Drawn:
    """Drawn structures, hills and high walls of one state of a map.

    Parameters
    ----------
    survey : Survey

    Attributes
    ----------
    structures, hills : list of Area
    structure_at, hill_at : dict of int to list of Area
        Those whose inside meets the inside of a hex, by cell.
    shapes : dict of int to list of Shape
        Their pieces, by cell.
    walls : list of HighWall
    """

    def __init__(self, survey: Survey) -> None:
        self.survey, self.grid = survey, survey.grid
        areas = survey.features_of(Area)
        self.structures = [area for area in areas if area.type in STRUCTURES]
        self.hills = [area for area in areas if area.type == "hill"]
        self.structure_at = self._by_cell(self.structures)
        self.hill_at = self._by_cell(self.hills)
        self.walls = high_walls(survey)

    def _by_cell(self, areas: list[Area]) -> dict[int, list[Area]]:
        found: dict[int, list[Area]] = defaultdict(list)
        for area in areas:
            for cell in self.survey.area_cells(area.id):
                found[cell].append(area)
        return dict(found)

    @cached_property
    def shapes(self) -> dict[int, list[Shape]]:
        """Pieces of the drawn structures and hills, by cell; an outline that crosses itself raises a GridError."""
        found: dict[int, list[Shape]] = defaultdict(list)
        for by_cell in (self.structure_at, self.hill_at):
            for cell, areas in by_cell.items():
                for area in areas:
                    found[cell] += self.survey.derived(area.id, "shapes", self._shapes_of).get(cell, ())
        return dict(found)

    def _shapes_of(self, area: Area) -> dict[int, list[Shape]]:
        """Return the pieces of one area by cell; they are kept with the area, for the map after the next edit."""
        corners = [(x - self.grid.centre(0)[0], y - self.grid.centre(0)[1]) for x, y in self.grid.corners(0)]
        cut = self._cut(area)
        return {
            cell: [Shape(cell, area, piece) for piece in hex_pieces(cut, self.grid.centre(cell), corners)]
            for cell in self.survey.area_cells(area.id)
        }

    def _cut(self, area: Area) -> list[Triangle]:
        try:
            return triangles(self.survey.polygon(area.id))
        except GridError as error:
            msg = f"{area.type} {area.id}: {error}"
            raise GridError(msg) from error

    @cached_property
    def _on_side(self) -> dict[tuple[Point, Point, bool], list[Area]]:
        return {}

    def on_side(self, cells: Sequence[int], corners: tuple[Point, Point], *, graze: bool) -> list[Area]:
        """Return the drawn structures and hills that a line along a hexside runs through.

        Parameters
        ----------
        cells : sequence of int
            The hexes on both sides, or the one that is on the map.
        corners : pair of points
            The ends of the side.
        graze : bool
            Running along an outline, or touching it, is enough.
        """
        first, last = sorted(corners)
        key = (first, last, graze)
        if key not in self._on_side:
            areas = {
                area.id: area
                for by_cell in (self.structure_at, self.hill_at)
                for cell in cells
                for area in by_cell.get(cell, ())
            }
            self._on_side[key] = [
                area
                for area in areas.values()
                if any(
                    graze or contact.how == "through" for contact in area_contacts(*corners, area.outline, area.holes)
                )
            ]
        return self._on_side[key]

    # -- walled compounds ------------------------------------------------------------------------------------------

    @cached_property
    def _wall_cells(self) -> dict[tuple[Point, ...], NDArray[np.bool_]]:
        return {}

    def wall_cells(self, wall: HighWall) -> NDArray[np.bool_]:
        """Tell in which hexes, or on whose border, a piece of a high wall lies; bool, shape (cells,)."""
        if wall.line not in self._wall_cells:
            self._wall_cells[wall.line] = self._cells_of(wall)
        return self._wall_cells[wall.line]

    def leaves_map(self, wall: HighWall) -> bool:
        """Tell whether a high wall has a piece where no hex is, between the sheets of a map."""
        if self.grid.present.all():
            return False
        return bool((self._met_by(wall) & ~self.grid.present.ravel()).any())

    def _cells_of(self, wall: HighWall) -> NDArray[np.bool_]:
        return self._met_by(wall) & self.grid.present.ravel()

    def _met_by(self, wall: HighWall) -> NDArray[np.bool_]:
        import shapely

        centres, points = self.grid.centres, np.array(wall.line)
        low, high = points.min(axis=0) - STEP, points.max(axis=0) + STEP
        found = ((centres >= low) & (centres <= high)).all(axis=1)
        cells = np.flatnonzero(found)
        if len(cells):
            corners = np.array(self.grid.corners(0)) - np.array(self.grid.centre(0))
            hexes = shapely.polygons(centres[cells][:, None, :] + corners[None])
            # Whole numbers below 2**53 are exact in floats, and so are the predicates of GEOS on them.
            found[cells] = shapely.intersects(hexes, shapely.LineString(wall.line))
        return np.asarray(found)

    @cached_property
    def _inside_only(self) -> dict[Point, list[HighWall]]:
        return {}

    def inside_only(self, point: Point) -> list[HighWall]:
        """Return the compounds out of which a unit at a point cannot see: it is in a structure off the outer wall."""
        if point not in self._inside_only:
            self._inside_only[point] = self._shut_in(point)
        return self._inside_only[point]

    def _shut_in(self, point: Point) -> list[HighWall]:
        found = []
        for wall in self.walls:
            if not wall.ring or not _holds(wall.line[:-1], point):
                continue
            mine = [area for area in self.structures if _holds(area.outline, point)]
            if mine and not any(_part_of(area, wall) for area in mine):
                found.append(wall)
        return found


def _holds(ring: tuple[Point, ...], point: Point) -> bool:
    return any(contact.how == "through" for contact in area_contacts(point, point, ring))


def _part_of(area: Area, wall: HighWall) -> bool:
    """Tell whether a structure is part of an outer wall: the wall runs along its outline, or through it."""
    ring = [*area.outline, area.outline[0]]
    return any(
        contact.how != "touch"
        for first, last in itertools.pairwise(ring)
        for contact in line_contacts(first, last, wall.line)
    )
