"""What parts and what joins the locations of an Urban Operations map (5.1.2, 5.1.3, 5.1.5 to 5.1.8, 8.1).

The outline of a building is its facade, towards the outside and towards a building that stands wall to wall with it.
Within a building two areas part along a zone boundary if they belong to one room, else along a partition. An outer
wall stands between two hexes when it passes between their dots. Below the ground the same holds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from studio.model import Aperture, Area, MapModel, Point, Wall
from studio.rules import Ruleset, get_ruleset
from studio.rules.urban_operations.doorsteps import Doorsteps
from studio.survey import Joint, Side, Stretch, Survey, area_sides, hex_sides, link_joints, parts_by, ring_edges
from studio.survey.stretches import Segment, Stretches, on_segment

__all__ = ["FACADE", "PARTITION", "ZONE_BOUNDARY", "Room", "borders", "chain_of", "joints", "kind_between", "room_of"]

FACADE, PARTITION, ZONE_BOUNDARY, OUTER_WALL = "facade", "partition", "zone_boundary", "outer_wall"


class Room(NamedTuple):
    """To what a room or zone belongs.

    Attributes
    ----------
    building : str
        Id of the building or of the block of underground rooms; of a room that stands alone, its own outermost area.
    room : str
        Id of the room, or the tag ``room:NAME`` that its zones have in common.
    alone : bool
        It is part of no building, so its own outline is its facade.
    """

    building: str
    room: str
    alone: bool


def chain_of(model: MapModel, area_id: str) -> list[Area]:
    """Return an area and those that it is part of, from the inside out."""
    chain: list[Area] = []
    while area_id and all(area.id != area_id for area in chain):
        area = model.features.get(area_id)
        if not isinstance(area, Area):
            break
        chain.append(area)
        area_id = area.within
    return chain


def building_in(rules: Ruleset, chain: list[Area]) -> int | None:
    """Return where in a chain the building or block of underground rooms is, None without any."""
    kinds = ("building", "underground")
    return next((at for at, area in enumerate(chain) if rules.area_types[area.type].sight in kinds), None)


def room_of(rules: Ruleset, chain: list[Area]) -> Room:
    """Return to what the first area of a chain belongs.

    Parameters
    ----------
    rules : Ruleset
    chain : list of Area
        As of :func:`chain_of`, not empty.
    """
    found = building_in(rules, chain)
    at = len(chain) - 1 if found is None else found
    tag = next((tag for tag in chain[0].tags if tag.startswith("room:")), "")
    return Room(chain[at].id, tag or chain[max(0, at - 1)].id, found is None)


def kind_between(a: Room, b: Room) -> str:
    """Return what parts two rooms or zones (5.1.2, 5.1.3.1) where nothing else is drawn."""
    if a.building != b.building:
        return FACADE
    return ZONE_BOUNDARY if a.room == b.room else PARTITION


# -- borders ---------------------------------------------------------------------------------------------------------


def borders(survey: Survey) -> Iterator[Side]:
    """Yield hexes with an outer wall between them, and the borders of rooms and zones, with what pierces them.

    Parameters
    ----------
    survey : Survey
        An opening joins the locations on its two sides when it is open on the map; one that leads from a room to hexes
        gives a side of its own with each, along the stretch of the facade that it is in.
    """
    rules = get_ruleset("urban_operations")
    walls: dict[str, list[tuple[Point, ...]]] = {"wall": [], "partition": []}
    for wall in survey.features_of(Wall):
        walls.setdefault(rules.wall_types[wall.type].sight, []).append(wall.line)
    partitions = {PARTITION: Stretches.of_lines(walls["partition"])} if walls["partition"] else {}
    rooms = {
        location.feature: room_of(rules, chain_of(survey.model, location.feature))
        for location in survey.directory.of("area")
    }

    def parts(a: Area, b: Area | None, segments: tuple[Segment, ...]) -> Iterator[Stretch]:
        if b is None:
            yield from _towards_nothing(survey, rooms[a.id], segments)
            return
        kind = kind_between(rooms[a.id], rooms[b.id])
        yield from parts_by(partitions if kind == ZONE_BOUNDARY else {}, segments, kind)

    hexes = list(hex_sides(survey, {OUTER_WALL: walls["wall"]}))
    areas = list(area_sides(survey, parts, [FACADE]))
    yield from _Openings(survey).through([*hexes, *areas])


def _towards_nothing(survey: Survey, room: Room, segments: tuple[Segment, ...]) -> Iterator[Stretch]:
    """Yield the outline of a room: the facade where the building ends, else a partition towards what is no room."""
    building = survey.area(room.building)
    edges = (edge for ring in (building.outline, *building.holes) for edge in ring_edges(ring))
    yield from parts_by({FACADE: Stretches(edges)}, segments, PARTITION)


class _Openings:
    """The openings of a map, and which sides they pierce."""

    def __init__(self, survey: Survey) -> None:
        self.survey, self.grid, self.directory = survey, survey.grid, survey.directory
        self.doorsteps = Doorsteps(survey)
        self.apertures = survey.features_of(Aperture)

    def through(self, sides: list[Side]) -> list[Side]:
        """Return the sides with what pierces them, and those that openings make between rooms and hexes."""
        by_label: dict[str, list[int]] = {}
        for at, side in enumerate(sides):
            for label in (side.a, side.b):
                by_label.setdefault(label, []).append(at)
        pierced: dict[int, list[Aperture]] = {}
        made: dict[tuple[str, str], list[tuple[Aperture, Segment]]] = {}
        for opening in self.apertures:
            number = self.directory.find(opening.into)
            if number is None:
                continue  # the check of the map names it
            near = [at for at in by_label.get(opening.into, ()) if sides[at].b]
            in_wall = number < self.grid.cells
            hit = (self._in_walls if in_wall else self._between)(opening, near, sides)
            for at in hit:
                pierced.setdefault(at, []).append(opening)
            outline = [] if in_wall or hit else [at for at in by_label.get(opening.into, ()) if not sides[at].b]
            edges = [edge for at in outline for edge in sides[at].segments]
            if edges:
                edge = min(edges, key=lambda one, at=opening.at: _distance(at, one))  # type: ignore[misc]
                for cell in self.doorsteps.before(opening):
                    made.setdefault((opening.into, self.directory.label(cell)), []).append((opening, edge))
        return [*(_pierced(side, pierced.get(at, ())) for at, side in enumerate(sides)), *self._made(made)]

    def _between(self, opening: Aperture, near: list[int], sides: list[Side]) -> list[int]:
        """Return the sides of a room that an opening in their line pierces."""
        return [at for at in near if any(on_segment(opening.at, edge) for edge in sides[at].segments)]

    def _in_walls(self, opening: Aperture, near: list[int], sides: list[Side]) -> list[int]:
        """Return the sides of the hex of an opening in an outer wall that lie in its arc."""
        before = set(self.doorsteps.before(opening))
        walled = [at for at in near if OUTER_WALL in sides[at].kinds]
        beyond = {at: sides[at].b if sides[at].a == opening.into else sides[at].a for at in walled}
        return [at for at, label in beyond.items() if self.directory.number(label) in before]

    def _made(self, made: dict[tuple[str, str], list[tuple[Aperture, Segment]]]) -> Iterator[Side]:
        number = self.directory.number
        for (room, cell), found in sorted(made.items(), key=lambda item: (number(item[0][0]), number(item[0][1]))):
            edges = tuple(dict.fromkeys(edge for _, edge in found))
            area = self.directory.location(number(room)).feature
            side = Side(room, cell, area, "", (Stretch(FACADE, edges),), joined=False)
            yield _pierced(side, [opening for opening, _ in found])


def _pierced(side: Side, openings: list[Aperture] | tuple[Aperture, ...]) -> Side:
    if not openings:
        return side
    joined = side.joined or any(opening.open for opening in openings)
    return msgspec.structs.replace(side, through=tuple(opening.id for opening in openings), joined=joined)


def _distance(at: Point, edge: Segment) -> float:
    """Return how far a point lies from a segment, in lattice units squared; only to choose the nearest edge."""
    (x, y), ((px, py), (qx, qy)) = at, edge
    dx, dy = qx - px, qy - py
    t = min(1.0, max(0.0, ((x - px) * dx + (y - py) * dy) / (dx * dx + dy * dy)))
    return float((px + t * dx - x) ** 2 + (py + t * dy - y) ** 2)


# -- joints ----------------------------------------------------------------------------------------------------------


def joints(survey: Survey) -> Iterator[Joint]:
    """Yield what stairs, access points, sewer entrances and linked roofs join (5.1.5 to 5.1.8).

    Parameters
    ----------
    survey : Survey
    """
    yield from link_joints(survey)
