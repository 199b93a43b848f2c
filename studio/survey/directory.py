"""The directory of locations: every place where a unit can be, by number and by label.

Hexes come first and keep their cells as numbers; then areas that are locations and places without an outline, in the
natural order of their labels; then roads that are locations of their own beside a structure in their hex.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import LabelError, nearest, shortened
from studio.model import Area, Dot, Place, natural_key

if TYPE_CHECKING:
    from studio.model import Point
    from studio.survey.sides import Joint, Side
    from studio.survey.survey import Survey

__all__ = ["ROAD_SUFFIX", "Directory", "Location", "LocationKind", "SurveyScheme"]

LocationKind = Literal["hex", "area", "place", "road"]

ROAD_SUFFIX = " road"
"""What follows the label of a hex in the label of its road."""


class SurveyScheme(msgspec.Struct, frozen=True, kw_only=True):
    """What of a game tells locations from mere drawings.

    Parameters
    ----------
    unplayable : frozenset of str
        Terrain ids of hexes that are no locations.
    location_areas : frozenset of str
        Area types that are locations.
    places : bool
        The game has places without an outline.
    road_in : frozenset of str
        Area types and terrain ids beside which a road in the same hex is a location of its own.
    closing : frozenset of str
        Kinds of borders that close what they run along.
    joining : frozenset of str
        Types of links whose ends are next to each other.
    sides, joints : callable, optional
        What parts and what joins the locations of a survey, as the game says; without them the rules of
        :mod:`studio.survey.sides` hold.
    """

    unplayable: frozenset[str] = frozenset()
    location_areas: frozenset[str] = frozenset()
    places: bool = False
    road_in: frozenset[str] = frozenset()
    closing: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    sides: Callable[[Survey], Iterable[Side]] | None = None
    joints: Callable[[Survey], Iterable[Joint]] | None = None


class Location(msgspec.Struct, frozen=True):
    """A place where a unit can be.

    Attributes
    ----------
    number : int
        Its number in the directory; of a hex, its cell.
    label : str
    kind : {"hex", "area", "place", "road"}
    type : str
        Terrain of a hex or of a road's hex; type of an area or a place.
    level : int
    dot : (x, y)
        Point on the lattice that lines of sight go to.
    feature : str
        Id of the area or place, empty for hexes and roads.
    within : str
        Id of the area that it is part of.
    cell : int
        Hex of a hex or road, and the hex under the dot of others; -1 where there is none.
    """

    number: int
    label: str
    kind: LocationKind
    type: str
    level: int
    dot: Point
    feature: str = ""
    within: str = ""
    cell: int = -1


class Directory:
    """Every location of a map, as it is now.

    Parameters
    ----------
    survey : Survey

    Attributes
    ----------
    others : list of Location
        Those that are no hexes, in the order of their numbers.
    clashes : dict of str to list of str
        Labels that several locations claim, with the ids of the features; the first of them bears the label.
    """

    def __init__(self, survey: Survey) -> None:
        self.survey, self.grid, self.labels = survey, survey.grid, survey.model.labels
        self.clashes: dict[str, list[str]] = {}
        self._dots: dict[int, Point] = {}
        for dot in survey.model.features_of(Dot):
            self._dots.setdefault(self.labels.cell(dot.at), dot.point)
        self.others: list[Location] = []
        self._by_label: dict[str, int] = {}
        self._list_features()
        self._list_roads()

    # -- making ----------------------------------------------------------------------------------------------------

    def _list_features(self) -> None:
        survey, scheme = self.survey, self.survey.scheme
        found: list[Area | Place] = []
        if scheme.location_areas:
            found += [area for area in survey.features_of(Area) if area.type in scheme.location_areas]
        if scheme.places:
            found += survey.features_of(Place)
        found.sort(key=lambda feature: (natural_key(feature.name or feature.id), natural_key(feature.id)))
        dots = [survey.dot_of(feature) if isinstance(feature, Area) else feature.at for feature in found]
        cells = self.grid.cells_at(np.array(dots)).tolist() if dots else []
        for feature, dot, cell in zip(found, dots, cells, strict=True):
            label = feature.name or feature.id
            if label in self._by_label or self._is_hex(label):
                first = "" if label not in self._by_label else self.location(self._by_label[label]).feature
                self.clashes.setdefault(label, [first or f"hex {label}"]).append(feature.id)
                label = feature.id
            kind: LocationKind = "area" if isinstance(feature, Area) else "place"
            found_at = (feature.id, feature.within, cell)
            self._add(Location(self._next, label, kind, feature.type, feature.level, dot, *found_at))

    def _list_roads(self) -> None:
        survey, road_in = self.survey, self.survey.scheme.road_in
        if not road_in or not survey.road_hexes:
            return
        beside = {
            cell for area in survey.features_of(Area) if area.type in road_in for cell in survey.area_cells(area.id)
        }
        model = survey.model
        for cell in sorted(survey.road_hexes):
            if (cell in beside or model.terrain_at(cell) in road_in) and self.exists(cell):
                label = self.labels.label(cell) + ROAD_SUFFIX
                level = model.level_at(cell)
                self._add(Location(self._next, label, "road", model.terrain_at(cell), level, self.dot(cell), cell=cell))

    def _add(self, location: Location) -> None:
        self._by_label.setdefault(location.label, location.number)
        self.others.append(location)

    @property
    def _next(self) -> int:
        return self.grid.cells + len(self.others)

    def _is_hex(self, label: str) -> bool:
        cell = self.labels.find(label)
        return cell is not None and self.exists(cell)

    # -- asking ----------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """Return how many numbers there are, those of absent hexes included."""
        return self.grid.cells + len(self.others)

    @cached_property
    def playable(self) -> NDArray[np.bool_]:
        """Hexes that are locations; bool, shape (rows, columns)."""
        model = self.survey.model
        unplayable = self.survey.scheme.unplayable
        if not unplayable:
            return self.grid.present
        closed = np.array([name in unplayable for name in model.terrain_ids])
        return np.asarray(self.grid.present & ~closed[model.terrain])

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Numbers of all locations, in order; int64, shape (locations,)."""
        hexes = np.flatnonzero(self.playable).astype(np.int64)
        return np.concatenate((hexes, np.arange(self.grid.cells, len(self), dtype=np.int64)))

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Which numbers are locations; bool, shape (len(self),)."""
        return np.concatenate((self.playable.ravel(), np.ones(len(self.others), dtype=bool)))

    def exists(self, number: int) -> bool:
        """Tell whether a number is that of a location."""
        if number >= self.grid.cells:
            return number < len(self)
        return number >= 0 and bool(self.playable.flat[number])

    def find(self, label: str) -> int | None:
        """Return the number of the location with a label, None where there is none."""
        found = self._by_label.get(label)
        if found is None:
            found = self.labels.find(label)
        return found if found is not None and self.exists(found) else None

    def number(self, label: str) -> int:
        """Return the number of the location with a label.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        found = self.find(label) if isinstance(label, str) else None
        if found is not None:
            return found
        try:
            cell = self.labels.cell(label)
        except LabelError as error:
            if not self.others and self.playable.any():
                raise
            raise LabelError(self._unknown(str(label))) from error
        terrain = self.survey.model.terrain_at(cell)
        known = nearest(label, self._by_label) if self.others else "name a hex that is played on"
        msg = f"{label} is no location: its terrain is {terrain}, where no unit can be; {known}"
        raise LabelError(msg)

    def _unknown(self, label: str) -> str:
        """Say what a label is that is no location: a building with rooms, say, or nothing; and what there is."""
        areas = {area.id: area for area in self.survey.features_of(Area)}
        named = [area for area in areas.values() if label in (area.name, area.id)]
        if named:
            inside = [one.label for one in self.others if self._is_within(one.within, named[0].id, areas)]
            listed = ", ".join(inside[:12]) + (" ..." if len(inside) > len(inside[:12]) else "")
            has = f"its locations are {listed}" if inside else "no location belongs to it"
            return f"{label} is no location but a drawn {named[0].type.replace('_', ' ')}; {has}"
        cells = np.flatnonzero(self.playable)
        ends = [self.labels.label(int(cell)) for cell in cells[[0, -1]]] if len(cells) else []
        hexes = f" (hexes are {' to '.join(ends)})" if ends else ""
        known = nearest(label, self._by_label) if self.others else "the map has none yet: draw areas or places"
        return f"unknown location {shortened(label)}; {known}{hexes}"

    @staticmethod
    def _is_within(inner: str, outer: str, areas: dict[str, Area]) -> bool:
        seen: set[str] = set()
        while inner and inner not in seen:
            if inner == outer:
                return True
            seen.add(inner)
            inner = areas[inner].within if inner in areas else ""
        return False

    def label(self, number: int) -> str:
        """Return the label of a location.

        Raises
        ------
        LabelError
            When there is no such number.
        """
        if number < self.grid.cells:
            return self.labels.label(number)
        if number >= len(self):
            msg = f"no location has the number {number}; the map has {len(self)}"
            raise LabelError(msg)
        return self.others[number - self.grid.cells].label

    def dot(self, number: int) -> Point:
        """Return the point on the lattice that lines of sight to a location go to."""
        if number >= self.grid.cells:
            return self.others[number - self.grid.cells].dot
        return self._dots.get(number) or self.grid.centre(number)

    @property
    def moved_dots(self) -> dict[int, Point]:
        """Dots of the hexes where they are not in the middle, by cell."""
        return dict(self._dots)

    def location(self, number: int) -> Location:
        """Return all that is known of a location.

        Raises
        ------
        LabelError
            When there is no such number.
        """
        if number >= self.grid.cells:
            self.label(number)
            return self.others[number - self.grid.cells]
        model = self.survey.model
        label = self.labels.label(number)
        return Location(
            number, label, "hex", model.terrain_at(number), model.level_at(number), self.dot(number), cell=number
        )

    def of(self, kind: LocationKind | None = None, type: str | None = None) -> list[Location]:
        """Return the locations that are no hexes, of one kind or type."""
        return [
            location
            for location in self.others
            if (kind is None or location.kind == kind) and (type is None or location.type == type)
        ]
