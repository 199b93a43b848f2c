"""Where a block gets to in Urban Operations, beside the open hexes around it (5.1.8, 8.1.3 to 8.1.11).

Apertures and breaches join a room with the hexes right before them; stairs, ladders and vehicles lead to roofs; links
lead below the ground. What a way costs, and whether a block may take it, is said in :mod:`.paths`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.model import Aperture, Link, Point
from studio.rules.urban_operations.doorsteps import HEX_APART, Doorsteps
from studio.rules.urban_operations.gaps import Gaps
from studio.rules.urban_operations.places import ZONE_BOUNDARY
from studio.rules.urban_operations.scene import HEX, ROOF, ROOM, Building, Opening, Scene
from studio.sight.trace import Shapes, line_contacts
from studio.survey import ring_edges

__all__ = ["Way", "Ways"]

LINKS = ("roof_access", "underground_access", "sewer_entrance", "linked_roofs")


class Way(NamedTuple):
    """A way from one location to another.

    Attributes
    ----------
    kind : str
        ``aperture``, ``breach``, ``wall_aperture``, ``wall_breach``, ``zone``, ``partition``, ``climb`` (onto a roof or
        off it, outside), or the type of a link.
    opening : Opening or None
        The aperture or breach.
    helper : int
        Hex of the climb, else -1.
    """

    kind: str
    opening: Opening | None = None
    helper: int = -1


class Ways:
    """The ways of one state of a map, whoever takes them.

    Parameters
    ----------
    scene : Scene
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.grid = scene, scene.grid
        self.gaps, self.doorsteps = Gaps(scene), Doorsteps(scene.survey)

    @cached_property
    def all(self) -> dict[int, dict[int, list[Way]]]:
        """Ways by the two locations that they join; each is there in both directions."""
        found: dict[int, dict[int, list[Way]]] = defaultdict(lambda: defaultdict(list))
        for a, b, way in self._gathered():
            found[a][b].append(way)
            found[b][a].append(way)
        return {a: dict(others) for a, others in sorted(found.items())}

    def between(self, a: int, b: int) -> list[Way]:
        """Return the ways from one location to another; the open ground from hex to hex is none."""
        return self.all.get(a, {}).get(b, [])

    def _gathered(self) -> Iterator[tuple[int, int, Way]]:
        yield from self._through_openings()
        yield from self._within_buildings()
        yield from self._by_links()
        yield from self._onto_roofs()

    # -- apertures and breaches (8.1.4, 8.1.5) ---------------------------------------------------------------------

    def _through_openings(self) -> Iterator[tuple[int, int, Way]]:
        records = {one.id: one for one in self.scene.survey.features_of(Aperture)}
        for opening in self.scene.openings:
            kind, what = int(self.scene.kind[opening.number]), opening.sight.removeprefix("wall_")
            if kind not in (ROOM, HEX):
                continue
            for cell in self.doorsteps.before(records[opening.id], opening.cells):
                yield opening.number, cell, Way(what if kind == ROOM else f"wall_{what}", opening)
            if kind == ROOM:
                for room in self._rooms_behind(opening):
                    yield opening.number, room, Way(what, opening)

    def _rooms_behind(self, opening: Opening) -> Iterator[int]:
        """Yield the rooms of other buildings that stand wall to wall with the room of an opening, where it is."""
        scene, own = self.scene, int(self.scene.building[opening.number])
        for number in self._near_rooms.near(opening.at, opening.at):
            room = self._rooms[number]
            other = int(scene.building[room])
            if other != own and scene.buildings[other].under == scene.buildings[own].under:
                area = scene.areas[room]
                rings = [area.outline, *area.holes]
                if any(line_contacts(*edge, (opening.at,)) for ring in rings for edge in ring_edges(ring)):
                    yield room

    @cached_property
    def _rooms(self) -> list[int]:
        return sorted(self.scene.areas)

    @cached_property
    def _near_rooms(self) -> Shapes:
        return Shapes([self.scene.areas[number].outline for number in self._rooms])

    # -- inside (8.1.3) --------------------------------------------------------------------------------------------

    def _within_buildings(self) -> Iterator[tuple[int, int, Way]]:
        scene = self.scene
        for a, b in sorted(scene.adjacent_rooms):
            if a < b:
                zones = ZONE_BOUNDARY in scene.border_kinds[a, b]
                yield a, b, Way("zone" if zones else "partition")

    # -- links (5.1.5, 5.1.6, 8.1.8 to 8.1.11) ---------------------------------------------------------------------

    def _by_links(self) -> Iterator[tuple[int, int, Way]]:
        find = self.scene.directory.find
        for link in self.scene.survey.features_of(Link):
            a, b = find(link.a), find(link.b)
            if link.type in LINKS and a is not None and b is not None and a != b:
                yield a, b, Way(link.type)

    # -- roofs from outside (8.1.7) --------------------------------------------------------------------------------

    def _onto_roofs(self) -> Iterator[tuple[int, int, Way]]:
        scene = self.scene
        for roof in np.flatnonzero(scene.kind == ROOF).tolist():
            if scene.building[roof] >= 0:
                for cell in self.at_foot_of(scene.buildings[scene.building[roof]]):
                    yield cell, roof, Way("climb", helper=cell)

    def at_foot_of(self, building: Building) -> list[int]:
        """Return the hexes beside a building: not more than a hex from its facade, with nothing between."""
        scene = self.scene
        corners = np.array(building.outline)
        low, high = corners.min(axis=0) - 960, corners.max(axis=0) + 960
        near = (self.doorsteps.dots >= low).all(axis=1) & (self.doorsteps.dots <= high).all(axis=1)
        hexes = (scene.kind[: self.grid.cells] == HEX) & (scene.under[: self.grid.cells] == building.under)
        edges = [edge for ring in building.rings for edge in ring_edges(ring)]
        cells = np.flatnonzero(near & hexes)
        rough = self._rough(self.doorsteps.dots[cells], np.array(edges, dtype=np.float64))
        found = []
        for cell, distances in zip(cells.tolist(), rough, strict=True):
            # Floats only leave out what is clearly farther off.
            least = float(distances.min())
            if least > HEX_APART + 1:
                continue
            dot = scene.directory.dot(cell)
            apart, foot = min(self._foot(dot, *edges[at]) for at in np.flatnonzero(distances <= least + 1).tolist())
            barriers = [
                index
                for index in self.gaps.near.get(cell, ())
                if self.gaps.barriers[index].wall or self.gaps.barriers[index].piece_of != building.index
            ]
            if apart <= HEX_APART and not self.gaps.between(dot, foot, barriers):
                found.append(cell)
        return found

    def _rough(self, dots: NDArray[np.int64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return about how far dots are from edges, squared; shape (dots, edges)."""
        stretch = np.array([1.0, np.sqrt(3.0)] if self.grid.flat else [np.sqrt(3.0), 1.0])
        p, q = edges[:, 0] * stretch, edges[:, 1] * stretch
        to, edge = (dots * stretch)[:, None] - p[None], (q - p)[None]
        along = np.clip((to * edge).sum(axis=2) / (edge**2).sum(axis=2), 0, 1)
        away = to - along[..., None] * edge
        return np.asarray((away**2).sum(axis=2))

    def _foot(self, dot: Point, p: Point, q: Point) -> tuple[Fraction, tuple[Fraction, Fraction]]:
        """Return how far a dot is from an edge, squared, and the point of the edge that is nearest to it."""
        flat = self.grid.flat
        edge, to = (q[0] - p[0], q[1] - p[1]), (dot[0] - p[0], dot[1] - p[1])
        along = min(max(Fraction(_product(to, edge, flat), _product(edge, edge, flat)), Fraction(0)), Fraction(1))
        foot = (p[0] + along * edge[0], p[1] + along * edge[1])
        away = (dot[0] - foot[0], dot[1] - foot[1])
        return Fraction(away[0] ** 2 + 3 * away[1] ** 2 if flat else 3 * away[0] ** 2 + away[1] ** 2), foot


def _product(a: Point, b: Point, flat: bool) -> int:
    """Return the scalar product of two lattice vectors as on regular hexes, times a constant."""
    return a[0] * b[0] + 3 * a[1] * b[1] if flat else 3 * a[0] * b[0] + a[1] * b[1]
