"""The town quarter of Urban Operations with what its tests ask of it time and again."""

from collections import deque
from collections.abc import Iterable
from functools import cached_property
from math import sqrt
from pathlib import Path

import numpy as np
import shapely

import studio
from studio.model import Aperture, Area, Link, Point, Wall
from studio.rules.urban_operations.arcs import arc_of_fire

FILE = Path(__file__).parents[2] / "maps" / "urban-1.map.json"
LAST_COLUMN = 43  # of the surface; the underground lies east of it
HEX_METRES = 7
BESIDE = 7.5  # metres from an opening to the dot of a hex right before it


class Quarter:
    """The map with what the tests ask of it time and again."""

    def __init__(self) -> None:
        self.map = studio.open_map(FILE, recover_unsaved=False)
        self.grid, self.labels, self.survey = self.map.grid, self.map.labels, self.map.survey
        self.directory = self.survey.directory

    def areas(self, *types: str) -> list[Area]:
        return [area for area in self.survey.features_of(Area) if area.type in types]

    @cached_property
    def hexes(self) -> list[int]:
        return [int(cell) for cell in np.flatnonzero(self.grid.present)]

    def on_surface(self, cell: int) -> bool:
        return cell % self.grid.columns < LAST_COLUMN

    def terrain(self, name: str) -> list[int]:
        return [cell for cell in self.hexes if self.map.model.terrain_at(cell) == name]

    @cached_property
    def solid(self) -> shapely.Geometry:
        return shapely.union_all([self.survey.polygon(area.id) for area in self.areas("building", "underground")])

    @cached_property
    def walls(self) -> shapely.Geometry:
        return shapely.union_all([shapely.LineString(wall.line) for wall in self.survey.features_of(Wall)])

    @cached_property
    def openings(self) -> list[Aperture]:
        return self.survey.features_of(Aperture)

    def building(self, location: str) -> Area:
        """Return the building of a room, zone or roof."""
        area = self.survey.area(self.directory.location(self.directory.number(location)).within)
        while area.within:
            area = self.survey.area(area.within)
        return area

    def links(self, kind: str) -> list[Link]:
        return [link for link in self.survey.features_of(Link) if link.type == kind]

    def arc(self, opening: Aperture) -> set[int]:
        arrows = [self.labels.cells(arrow) for arrow in opening.arrows]
        inner = self.directory.dot(self.directory.number(opening.into))
        return {int(cell) for cell in np.flatnonzero(arc_of_fire(self.grid, opening.at, inner, arrows))}

    def metres(self, a: Point, b: Point) -> float:
        dx, dy = (a[0] - b[0]) * HEX_METRES * sqrt(3) / 1440, (a[1] - b[1]) * HEX_METRES / 480
        return sqrt(dx * dx + dy * dy)

    def before(self, opening: Aperture) -> list[int]:
        """Return the hexes right before an opening from which it can be crossed (8.1.4, 8.1.5)."""
        dot = self.directory.dot
        return [c for c in self.arc(opening) if self.directory.exists(c) and self.metres(dot(c), opening.at) <= BESIDE]

    def steps(self, cell: int) -> Iterable[int]:
        """Yield the hexes that a unit reaches without climbing a wall or making a breach."""
        here = self.directory.dot(cell)
        for other in self.grid.neighbours(cell):
            way = shapely.LineString([here, self.directory.dot(other)])
            if self.directory.exists(other) and not way.crosses(self.walls):
                yield other

    @cached_property
    def reached(self) -> set[int]:
        """Numbers of the locations that a unit on foot gets to from the west edge, by open doors and stairs alone."""
        number = self.directory.number
        ways: dict[int, set[int]] = {}
        pairs = [(number(link.a), number(link.b)) for link in self.survey.features_of(Link)]
        pairs += [(number(one.into), cell) for one in self.openings if one.open for cell in self.before(one)]
        names = {area.id: area.name for area in self.areas("room", "zone")}
        for border in self.survey.borders:
            if (
                border.a in names
                and border.b in names
                and self.building(names[border.a]) == self.building(names[border.b])
            ):
                pairs.append((number(names[border.a]), number(names[border.b])))
        for a, b in pairs:
            ways.setdefault(a, set()).add(b)
            ways.setdefault(b, set()).add(a)
        start = number("0121")
        found, queue = {start}, deque([start])
        while queue:
            here = queue.popleft()
            nearby = set(ways.get(here, ()))
            nearby |= set(self.steps(here)) if here < self.grid.cells else set()
            queue.extend(nearby - found)
            found |= nearby
        return found
