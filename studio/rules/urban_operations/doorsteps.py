"""The hexes right before apertures and breaches, from which blocks cross them (8.1.4, 8.1.5)."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from studio.model import Aperture, Area, Point, Wall
from studio.rules import get_ruleset
from studio.rules.urban_operations.arcs import arc_of_fire
from studio.sight.trace import Shapes, line_contacts
from studio.survey import Survey

__all__ = ["HEX_APART", "Doorsteps"]

HEX_APART = 691_200
"""Square of the distance of two adjacent hexes: of steps (x, y) on a lattice of flat-top hexes it is x² + 3y²."""


class Doorsteps:
    """Tells of every opening the hexes right before it.

    These are the hexes in its arc of fire whose dot is not more than a hex away, with nothing between; where none is so
    near, as before a recess, the nearest within two hexes. An opening in an outer wall is crossed from its own hex.

    Parameters
    ----------
    survey : Survey
    """

    def __init__(self, survey: Survey) -> None:
        self.survey, self.grid, self.directory = survey, survey.grid, survey.directory
        self.rules = get_ruleset("urban_operations")

    @cached_property
    def dots(self) -> NDArray[np.int64]:
        """Dots of all hexes; int64, shape (cells, 2)."""
        dots = self.grid.centres.astype(np.int64)
        for cell, point in self.directory.moved_dots.items():
            dots[cell] = point
        return dots

    @cached_property
    def under(self) -> NDArray[np.bool_]:
        """Hexes below the ground; bool, shape (cells,)."""
        model = self.survey.model
        terrains = self.rules.terrains
        below = [name in terrains and terrains[name].sight == "underground" for name in model.terrain_ids]
        return np.asarray(np.array(below)[model.terrain.ravel()])

    def arc(self, opening: Aperture, number: int) -> NDArray[np.bool_]:
        """Return the hexes in the arc of fire of an opening, `number` being the location that it belongs to."""
        arrows = [self.survey.model.labels.cells(arrow) for arrow in opening.arrows]
        return arc_of_fire(self.grid, opening.at, self.directory.dot(number), arrows)

    def before(self, opening: Aperture, arc: NDArray[np.bool_] | None = None) -> list[int]:
        """Return the hexes right before an opening, in order; none when it belongs to no location.

        Parameters
        ----------
        opening : Aperture
        arc : array of bool, shape (cells,), optional
            Its arc of fire, where it is known.
        """
        number = self.directory.find(opening.into)
        if number is None:
            return []
        cells = self.arc(opening, number) if arc is None else arc
        offset = self.dots - np.array(opening.at)
        across, along = (offset[:, 0], offset[:, 1]) if self.grid.flat else (offset[:, 1], offset[:, 0])
        apart = across * across + 3 * along * along
        level = self.under == self._is_under(number)
        near = np.flatnonzero(cells & self.directory.playable.ravel() & level & (apart <= 4 * HEX_APART)).tolist()
        free = [cell for cell in near if cell != number and self._is_free(opening.at, cell, number)]
        limit = max(HEX_APART, min((int(apart[cell]) for cell in free), default=0))
        found = [cell for cell in free if apart[cell] <= limit]
        # An opening in an outer wall leads from its hex to those next to it.
        return found if number >= self.grid.cells else [c for c in found if self.grid.distance(number, c) == 1]

    def _is_under(self, number: int) -> bool:
        if number < self.grid.cells:
            return bool(self.under[number])
        area = self.survey.model.features.get(self.directory.location(number).feature)
        seen: set[str] = set()
        while isinstance(area, Area) and area.id not in seen:
            if self._sight(area) == "underground":
                return True
            seen.add(area.id)
            area = self.survey.model.features.get(area.within)
        return False

    def _sight(self, drawn: Area | Wall) -> str:
        """Return the class of an area or wall; empty for a type that the game does not know, which a check names."""
        types = self.rules.area_types if isinstance(drawn, Area) else self.rules.wall_types
        return types[drawn.type].sight if drawn.type in types else ""

    def _is_free(self, at: Point, cell: int, number: int) -> bool:
        """Tell whether nothing stands between an opening and a hex, or only the outer wall that it pierces."""
        under = self._is_under(number)
        ends = [self.directory.dot(cell), *([self.directory.dot(number)] if number < self.grid.cells else [])]
        legs = [(at, end) for end in ends if end != at]
        if any(self._crossed(self._facades[under], leg) for leg in legs):
            return False
        walls = 0 if under else sum(self._crossed(self._walls, leg) for leg in legs)
        return walls <= (1 if number < self.grid.cells else 0)

    @cached_property
    def _walls(self) -> tuple[Shapes, list[tuple[Point, ...]]]:
        lines = [wall.line for wall in self.survey.features_of(Wall) if self._sight(wall) == "wall"]
        return Shapes(lines), lines

    def facades(self, *, under: bool) -> list[tuple[Point, ...]]:
        """Return the rings of all buildings above the ground, or of all rooms below it; each ends where it begins."""
        return self._facades[under][1]

    @cached_property
    def _facades(self) -> tuple[tuple[Shapes, list[tuple[Point, ...]]], tuple[Shapes, list[tuple[Point, ...]]]]:
        """Outlines of buildings above the ground, and of rooms below it."""
        rings: tuple[list[tuple[Point, ...]], list[tuple[Point, ...]]] = ([], [])
        for area in self.survey.features_of(Area):
            kind = self._sight(area)
            # A room within no building is its own facade.
            if kind in ("building", "underground") or not area.within:
                rings[kind == "underground"].extend((*ring, ring[0]) for ring in (area.outline, *area.holes))
        return (Shapes(rings[0]), rings[0]), (Shapes(rings[1]), rings[1])

    @staticmethod
    def _crossed(lines: tuple[Shapes, list[tuple[Point, ...]]], leg: tuple[Point, Point]) -> int:
        """Return how many drawn lines a straight way passes from one side to the other."""
        shapes, drawn = lines
        return sum(
            any(contact.how == "cross" for contact in line_contacts(*leg, drawn[index])) for index in shapes.near(*leg)
        )
