"""What sight in Urban Operations needs to know of every location, gathered once for one state of a map."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError, LabelError, UnknownNameError, nearest
from studio.model import Aperture, Area, Link, Place, Point, Wall
from studio.rules import get_ruleset
from studio.rules.urban_operations.arcs import arc_of_fire
from studio.rules.urban_operations.places import FACADE, Room, building_in, chain_of, kind_between, room_of
from studio.sight import Conditions
from studio.sight.trace import Shapes, hex_trace
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules import Ruleset

__all__ = ["HEX", "NOTHING", "ROOF", "ROOM", "Body", "Building", "Opening", "Scene"]

NONE, HEX, ROOM, ROOF = range(4)
"""Kinds of location: a hex, a room or zone, a roof."""

NOTHING = -100
"""Obstacle level of a hex without an obstacle."""


class Building:
    """A building, or a block of underground rooms: one outline with the rooms and roofs that are part of it.

    Attributes
    ----------
    name : str
        Its name, or its id.
    under : bool
        It lies below the ground.
    level : int
        Obstacle level: 2, or that of a cloud or a Fortified marker on its roof.
    crown : str
        What on its roof raises that level.
    rooms : list of int
        Numbers of its rooms and zones.
    """

    def __init__(self, index: int, area: Area, under: bool, level: int) -> None:
        self.index, self.id, self.name = index, area.id, area.name or area.id
        self.outline, self.holes = area.outline, area.holes
        self.under, self.level, self.crown = under, level, ""
        self.rooms: list[int] = []

    @property
    def rings(self) -> list[tuple[Point, ...]]:
        """The outline and the holes."""
        return [self.outline, *self.holes]


class Body:
    """A room or zone that is an obstacle by a marker in it."""

    def __init__(self, number: int, building: int, area: Area, level: int, what: str) -> None:
        self.number, self.building, self.level, self.what = number, building, level, what
        self.outline, self.holes = area.outline, area.holes

    @property
    def rings(self) -> list[tuple[Point, ...]]:
        """The outline and the holes."""
        return [self.outline, *self.holes]


class Opening:
    """An aperture or breach with its arc of fire.

    Attributes
    ----------
    sight : str
        ``"aperture"``, ``"breach"`` or ``"wall_breach"``.
    number : int
        Location that it belongs to.
    cell : int
        Hex of that location, -1 off the map.
    open : bool
        False for a breach that has not been made.
    cells : array of bool, shape (cells,)
        Hexes in its arc.
    """

    def __init__(self, record: Aperture, sight: str, number: int, cell: int, cells: NDArray[np.bool_]) -> None:
        self.id, self.at, self.sight, self.number, self.cell = record.id, record.at, sight, number, cell
        self.into = record.into
        self.cells, self.open = cells, record.open

    @property
    def name(self) -> str:
        """What reasons call it, such as ``aperture door 1``: of its id what tells it from others of its location."""
        kind = self.sight.removeprefix("wall_")
        words = [
            word
            for word in self.id.replace("_", "-").split("-")
            if word.lower() not in (kind, "wall", self.into.lower())
        ]
        return " ".join([kind, *words])


class Scene:
    """Everything about one map that the sight judge asks.

    Parameters
    ----------
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    conditions : Conditions

    Attributes
    ----------
    level : array of int16, shape (len(directory),)
        Level that a unit sees from (5.1.4).
    kind : array of uint8, shape (len(directory),)
        HEX, ROOM or ROOF; 0 for numbers that are no locations.
    under : array of bool, shape (len(directory),)
        Below the ground.
    building : array of int64, shape (len(directory),)
        Index of the building of a room or roof, -1 for hexes.
    ground, obstacle : array of int16, shape (cells,)
        Level of the ground, and of the highest obstacle in a hex, NOTHING without one.

    Raises
    ------
    GridError
        When smoke or a vehicle is said to be where no location is, or an area crosses itself.
    """

    def __init__(self, survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> None:
        self.survey, self.grid, self.model = survey, survey.grid, survey.model
        self.directory = survey.directory
        self.options, self.conditions = dict(options), conditions
        self.ruleset: Ruleset = get_ruleset("urban_operations")
        self.figures = self.ruleset.catalogue.modifiers
        self._hexes()
        self._buildings()
        self._places()
        self._markers()

    # -- gathering -------------------------------------------------------------------------------------------------

    def _hexes(self) -> None:
        names, rules = self.model.terrain_ids, self.ruleset
        terrain = self.model.terrain.ravel()
        own = np.array([int(self.figures.get(f"level_{name}", 0)) for name in names], dtype=np.int16)[terrain]
        drawn = self.model.levels.ravel().astype(np.int16)
        self.ground: NDArray[np.int16] = np.where(drawn != 0, drawn, own).astype(np.int16)
        classes = [rules.terrain(name).sight for name in names]
        heights = np.array([rules.terrain(name).height for name in names], dtype=np.int16)[terrain]
        blocks = np.array([kind == "obstacle" for kind in classes])[terrain]
        self.obstacle: NDArray[np.int16] = np.where(blocks, np.maximum(heights, self.ground), NOTHING).astype(np.int16)
        self.earth: NDArray[np.bool_] = ~np.array([kind == "underground" for kind in classes])[terrain]
        self.hex_markers: dict[int, list[str]] = {}
        size = len(self.directory)
        self.level: NDArray[np.int16] = np.zeros(size, dtype=np.int16)
        self.kind: NDArray[np.uint8] = np.zeros(size, dtype=np.uint8)
        self.under: NDArray[np.bool_] = np.zeros(size, dtype=bool)
        self.building: NDArray[np.int64] = np.full(size, -1, dtype=np.int64)
        self.level[: self.grid.cells] = self.ground
        self.under[: self.grid.cells] = ~self.earth
        self.kind[: self.grid.cells][self.directory.playable.ravel()] = HEX

    def _buildings(self) -> None:
        self.buildings: list[Building] = []
        self._index: dict[str, int] = {}
        for area in self.survey.features_of(Area):
            if not self.survey.is_sound(area.id):
                msg = (
                    f"{area.id}: its outline crosses itself or a hole lies outside, so no line can be judged; "
                    "move its corners, `studio check` says where"
                )
                raise GridError(msg)
            kind = self.ruleset.area_types[area.type]
            if kind.sight in ("building", "underground"):
                self._found_building(area, under=kind.sight == "underground", level=kind.height)

    def _found_building(self, area: Area, *, under: bool, level: int) -> int:
        self._index[area.id] = len(self.buildings)
        self.buildings.append(Building(len(self.buildings), area, under, level))
        return self._index[area.id]

    def _places(self) -> None:
        self.areas: dict[int, Area] = {}
        self.room: dict[int, Room] = {}
        for location in self.directory.others:
            feature = self.model.features[location.feature]
            assert isinstance(feature, Area | Place)
            chain = chain_of(self.model, feature.id if isinstance(feature, Area) else location.within)
            if isinstance(feature, Place):
                at = building_in(self.ruleset, chain)
                index = self._index[chain[at].id] if at is not None else -1
                if index >= 0 and self.buildings[index].under:
                    index = -1  # nothing below the ground has a roof that a unit could stand on
                level = location.level or self.ruleset.place_types[location.type].height
                self.kind[location.number], self.level[location.number] = ROOF, level
                self.building[location.number] = index
                continue
            room = room_of(self.ruleset, chain)
            if room.building not in self._index:
                # A room of no building stands alone: its own outline is its facade.
                level = self.ruleset.area_types["building"].height
                self._found_building(chain[-1], under=False, level=level)
            index = self._index[room.building]
            self.room[location.number] = room
            self.areas[location.number] = feature
            self.kind[location.number], self.building[location.number] = ROOM, index
            under = self.buildings[index].under
            self.under[location.number] = under
            self.level[location.number] = location.level or (-1 if under else 0)
            self.buildings[index].rooms.append(location.number)

    def _markers(self) -> None:
        self.bodies: list[Body] = []
        marked: dict[int, dict[str, int]] = {}
        for name, kind in self.ruleset.marker_types.items():
            if kind.sight not in ("obstacle", "cloud"):
                continue
            numbers = set(self.survey.cells_with_marker(name)) | self._conditional(name)
            for number in sorted(self._spread(numbers) if kind.sight == "cloud" else numbers):
                marked.setdefault(number, {})[name] = kind.height
        for number, found in sorted(marked.items()):
            what = " and ".join(map(self._marker_name, found))
            if number < self.grid.cells:
                self.hex_markers[number] = list(found)
                self.obstacle[number] = max(int(self.obstacle[number]), *found.values())
            elif self.kind[number] == ROOM:
                self._add_body(number, max(found.values()), what)
            elif self.building[number] >= 0:
                if "fortified" in found:
                    found["fortified"] = int(self.figures["height_fortified_roof"])
                building = self.buildings[self.building[number]]
                building.level = max(building.level, *found.values())
                building.crown = what.replace("Fortified", "a Fortified")

    def _marker_name(self, name: str) -> str:
        """Return what reasons call a marker in a hex, a room or on a roof."""
        return "Fortified marker" if name == "fortified" else self.ruleset.marker_types[name].name.lower()

    def _add_body(self, number: int, level: int, what: str) -> None:
        self.bodies.append(Body(number, int(self.building[number]), self.areas[number], level, what))

    def _conditional(self, name: str) -> frozenset[int]:
        """Return the locations that the conditions put a kind of marker on."""
        numbers = {"smoke": self.conditions.smoke, "vehicle": self.conditions.vehicles}.get(name, frozenset())
        for number in numbers:
            if not 0 <= number < len(self.kind) or not self.kind[number]:
                msg = f"conditions: no location has the number {number!r} for {name}; ask the map's directory"
                raise GridError(msg)
        return numbers

    def _spread(self, numbers: set[int]) -> set[int]:
        """Let clouds fill the whole of every room that they touch (5.2.3.3)."""
        rooms = {self.room[number] for number in numbers if number in self.room}
        return numbers | {number for number, room in self.room.items() if room in rooms}

    # -- asking ----------------------------------------------------------------------------------------------------

    def label(self, number: int) -> str:
        """Return the label of a location, or of a hex that is none."""
        return self.directory.label(number)

    def hex_name(self, cell: int) -> str:
        """Return a hex by label with what stands in it, as reasons name it."""
        kinds = [self._marker_name(name) for name in self.hex_markers.get(cell, ())]
        terrain = self.ruleset.terrain(self.model.terrain_at(cell))
        if terrain.sight == "obstacle" or not kinds:
            kinds.insert(0, terrain.name.lower())
        # Ground off the playing area has no name that says anything.
        named = [kind for kind in kinds if kind != "no dot"]
        return f"{self.directory.label(cell)} {' with '.join(named)}".rstrip()

    @cached_property
    def links(self) -> dict[int, dict[int, str]]:
        """Locations above and below each other at the two ends of a vertical link, with the name of the link."""
        found: dict[int, dict[int, str]] = {}
        for link in self.survey.features_of(Link):
            kind = self.ruleset.link_types[link.type]
            ends = [self._number(link.a), self._number(link.b)]
            if kind.sight == "vertical" and ends[0] is not None and ends[1] is not None:
                found.setdefault(ends[0], {})[ends[1]] = kind.name.lower()
                found.setdefault(ends[1], {})[ends[0]] = kind.name.lower()
        return found

    def _number(self, label: str) -> int | None:
        try:
            return self.directory.number(label)
        except LabelError:
            return None  # the check of the map names it

    @cached_property
    def openings(self) -> list[Opening]:
        """Every aperture and breach, those that are still closed included.

        Raises
        ------
        UnknownNameError
            When the conditions open what is no breach of the map.
        """
        found = []
        arcs = self.survey.memo.setdefault("arcs", {})
        apertures = self.survey.features_of(Aperture)
        for name in sorted(self.conditions.opened.difference(one.id for one in apertures)):
            closed = [one.id for one in apertures if not one.open]
            msg = f"conditions: opened names {name!r}, which is no breach of the map; {nearest(name, closed)}"
            raise UnknownNameError(msg)
        for record in apertures:
            number = self._number(record.into)
            if number is None:
                continue
            key = (record, self.directory.dot(number))
            if key not in arcs:
                arrows = [self.model.labels.cells(arrow) for arrow in record.arrows]
                arcs[key] = arc_of_fire(self.grid, record.at, self.directory.dot(number), arrows)
            cells = arcs[key]
            cell = number if number < self.grid.cells else -1
            opening = Opening(record, self.ruleset.aperture_types[record.type].sight, number, cell, cells)
            opening.open = record.open or record.id in self.conditions.opened
            found.append(opening)
        return found

    @cached_property
    def openings_of(self) -> dict[int, list[Opening]]:
        """Apertures and breaches in facades by the location that they belong to."""
        found: dict[int, list[Opening]] = {}
        for opening in self.openings:
            if opening.sight != "wall_breach":
                found.setdefault(opening.number, []).append(opening)
        return found

    @cached_property
    def wall_openings(self) -> list[Opening]:
        """Open breaches and apertures in outer walls: those that belong to a hex."""
        return [one for one in self.openings if one.open and one.cell >= 0]

    @cached_property
    def dot_cells(self) -> dict[int, tuple[int, ...]]:
        """Hexes that hold the dot of each location that is no hex, both where it lies on a side."""
        found = {}
        for location in self.directory.others:
            met = hex_trace(self.grid, location.dot, location.dot)
            found[location.number] = tuple(cell for contact in met for cell in contact.cells)
        return found

    def in_arc(self, opening: Opening, number: int) -> bool:
        """Tell whether a location lies in an arc of fire: a room or a roof by the hex under its dot."""
        cells = (number,) if number < self.grid.cells else self.dot_cells[number]
        return any(bool(opening.cells[cell]) for cell in cells)

    @cached_property
    def outer_walls(self) -> list[Wall]:
        """Walls that are part of no building."""
        return [wall for wall in self.survey.features_of(Wall) if self._wall_sight(wall) == "wall"]

    @cached_property
    def partitions(self) -> list[Wall]:
        """Partitions that are drawn by hand."""
        return [wall for wall in self.survey.features_of(Wall) if self._wall_sight(wall) == "partition"]

    def _wall_sight(self, wall: Wall) -> str:
        return self.ruleset.wall_types[wall.type].sight

    def wall_name(self, wall: Wall) -> str:
        """Return what reasons call an outer wall: its kind once."""
        if not wall.name:
            return f"the outer wall {wall.id.removeprefix('wall-').replace('-', ' ').replace('_', ' ')}"
        return wall.name if "wall" in wall.name.lower() else f"{wall.name} outer wall"

    @staticmethod
    def building_name(building: Building) -> str:
        """Return what reasons call a building: its kind once."""
        return building.name if "building" in building.name.lower() else f"{building.name} building"

    def wall_level(self, wall: Wall) -> int:
        """Return the obstacle level of a wall."""
        return self.ruleset.wall_types[wall.type].height

    @cached_property
    def adjacent_rooms(self) -> set[tuple[int, int]]:
        """Pairs of rooms and zones of one building that share a border, both ways round."""
        number = {area.id: at for at, area in self.areas.items()}
        found = set()
        for border in self.survey.borders:
            if border.a in number and border.b in number:
                a, b = number[border.a], number[border.b]
                if self.parting(a, b) != FACADE:
                    found |= {(a, b), (b, a)}
        return found

    @cached_property
    def border_kinds(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """Kinds of the border of rooms and zones that share one, both ways round; partitions drawn by hand count."""
        number = {area.id: at for at, area in self.areas.items()}
        found = {}
        for side in self.ruleset.borders(self.survey):
            if side.a_id in number and side.b_id in number:
                a, b = number[side.a_id], number[side.b_id]
                found[a, b] = found[b, a] = side.kinds
        return found

    def parting(self, a: int, b: int) -> str:
        """Return what parts two rooms or zones: a zone boundary, a partition, or facades."""
        return kind_between(self.room[a], self.room[b])

    @cached_property
    def near_buildings(self) -> Shapes:
        """Finds buildings by their outlines."""
        return Shapes([building.outline for building in self.buildings])

    @cached_property
    def near_walls(self) -> Shapes:
        """Finds outer walls."""
        return Shapes([wall.line for wall in self.outer_walls])

    @cached_property
    def near_bodies(self) -> Shapes:
        """Finds rooms with a marker in them."""
        return Shapes([body.outline for body in self.bodies])
