"""The survey of a hex map: planes that say what every hex has, and the sides that have something on them.

A survey follows the model: after every change :meth:`Survey.update` brings the planes up to date where the change
reaches, and nowhere else. A survey that followed a thousand edits equals one made afresh.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import UnknownNameError, nearest, shortened
from studio.grid import FlatLayout
from studio.model import Area, Change, Contour, Crest, Feature, MapModel, Marker, Road, natural_key
from studio.survey import tables
from studio.survey.borders import Border, BorderIndex
from studio.survey.directory import Directory, SurveyScheme
from studio.survey.shapes import cells_inside, inner_point, is_sound, polygon_of
from studio.survey.sides import Joint, Side, default_joints, default_sides

if TYPE_CHECKING:
    from geopandas import GeoDataFrame
    from shapely import Polygon

    from studio.model import Point
    from studio.survey.coverage import Coverage

__all__ = ["NO_CONTOUR", "Survey"]

NO_CONTOUR = tables.NO_CONTOUR

SideKey = tuple[int, int]

_OF_SIDES = ("boundaries", "joints", "joined")

_F = TypeVar("_F")
_K = TypeVar("_K")


class Survey:
    """Locations and sides of a hex map.

    Parameters
    ----------
    model : MapModel
        The map; the survey reads its terrain and levels where they are.
    scheme : SurveyScheme, optional
        What of the game tells locations from drawings; without it every hex is a location, and nothing else.

    Attributes
    ----------
    contours : array of int8, shape (rows, columns)
        Height of the highest contour line in a hex: its own level where a neighbour lies lower, or the level of a
        contour drawn through it; ``NO_CONTOUR`` without one. Hexes off the map count for nothing.
    crests : array of bool, shape (rows, columns)
    roads : dict of (cell, cell) to Counter
        Surfaces of the roads that cross each side, how often.
    road_hexes : Counter
        Hexes with a road, how many roads each.
    revision : int
        Counts the updates, for caches built on the survey.
    memo : dict of str to dict
        What others derived and can tell by its keys whether it still holds; it outlives edits, not new labels.
    """

    def __init__(self, model: MapModel, scheme: SurveyScheme | None = None) -> None:
        self.model, self.grid = model, model.grid
        self.scheme = scheme or SurveyScheme()
        self.revision = 0
        self._begin()

    def _begin(self) -> None:
        self._drawn_contours: Counter[tuple[int, int]] = Counter()
        self._crest_count = np.zeros(self.grid.cells, dtype=np.int32)
        self.roads: dict[SideKey, Counter[str]] = {}
        self.road_hexes: Counter[int] = Counter()
        self._markers: dict[str, Counter[str]] = {}
        self._shapes: dict[str, tuple[Area, dict[str, Any]]] = {}
        self.memo: dict[str, dict[Any, Any]] = {}
        self._border_index: BorderIndex | None = None  # made when borders are first asked for
        self.contours: NDArray[np.int8] = np.full((self.grid.rows, self.grid.columns), NO_CONTOUR, dtype=np.int8)
        self._forget("hills", "directory", "borders", "_by_kind", "_marked", "area_neighbours", *_OF_SIDES)
        for feature in self.model.features.values():
            self._count(feature, 1)
        self._refresh_contours(None)

    def of_features(self, model: MapModel) -> Survey:
        """Return the survey of a model that has some of the same features, with what was derived from them.

        Parameters
        ----------
        model : MapModel
            Of the same grid.

        Returns
        -------
        Survey
        """
        found = Survey(model, self.scheme)
        found._shapes = {name: known for name, known in self._shapes.items() if model.features.get(name) is known[0]}
        return found

    # -- following the model ---------------------------------------------------------------------------------------

    def _forget(self, *names: str) -> None:
        for name in names:
            self.__dict__.pop(name, None)

    def update(self, change: Change) -> None:
        """Follow a change that the model has made."""
        self.revision += 1
        if change.relabelled:
            # Rare, and what else a batch did to the features can no longer be told by their old labels.
            self.grid = self.model.grid
            self._shapes.clear()
            self._forget("layout")
            self._begin()
            return
        before = [old for old in change.before if old is not None]
        after = [self.model.features[name] for name in change.features]
        if before or after:
            self._forget("_by_kind", "_marked", "directory", "area_neighbours", *_OF_SIDES)
        if any(isinstance(feature, Area) for feature in (*before, *after)):
            self._forget("borders")
        if change.planes:
            # Paint can make or remove locations, and everything below goes by their numbers or labels.
            self._forget("directory", "_marked", "area_neighbours", *_OF_SIDES)
        if change.sides:
            self._forget(*_OF_SIDES)
        for feature in before:
            self._count(feature, -1)
        for feature in after:
            self._count(feature, 1)
        self._update_contours(change, set().union(*map(self._contour_cells, (*before, *after))))

    def _update_contours(self, change: Change, cells: set[int]) -> None:
        if "levels" in change.planes:
            for cell in change.cells.tolist():
                cells.add(cell)
            if len(cells) < 500:
                for cell in list(cells):
                    cells.update(self.grid.neighbours(cell))
                self._refresh_contours(sorted(cells))
            else:
                self._refresh_contours(None)
            self._forget("hills")
        elif cells:
            self._refresh_contours(sorted(cells))
            self._forget("hills")

    def _contour_cells(self, feature: Feature) -> set[int]:
        return self._crossed(feature) if isinstance(feature, Contour) else set()

    def _count_road(self, road: Road, sign: int) -> None:
        cells = self.model.labels.cells(road.path)
        for cell in set(cells):
            self.road_hexes[cell] += sign
            if not self.road_hexes[cell]:
                del self.road_hexes[cell]
        for a, b in itertools.pairwise(cells):
            _tally(self.roads, (min(a, b), max(a, b)), road.surface, sign)

    def _count(self, feature: Feature, sign: int) -> None:
        match feature:
            case Road():
                self._count_road(feature, sign)
            case Crest():
                np.add.at(self._crest_count, sorted(set(self.model.labels.cells(feature.path))), sign)
            case Marker():
                for label in (feature.at, *feature.also):
                    _tally(self._markers, label, feature.type, sign)
            case Area() if self._border_index is not None:
                if sign > 0:
                    self._border_index.put(feature)
                else:
                    self._border_index.remove(feature.id)
            case Contour():
                for cell in self._crossed(feature):
                    key = (cell, feature.level)
                    self._drawn_contours[key] += sign
                    if not self._drawn_contours[key]:
                        del self._drawn_contours[key]
            case _:
                pass

    def _crossed(self, contour: Contour) -> set[int]:
        return self.crossed_by(contour.line)

    def crossed_by(self, line: Iterable[Point]) -> set[int]:
        """Return the hexes whose inside a drawn line meets; one that only follows the border of a hex is not in it."""
        import shapely

        points = np.array(list(line), dtype=np.int64)
        points = points[np.concatenate(([True], np.any(points[1:] != points[:-1], axis=1)))]
        if len(points) < 2:
            return set()
        low, high = points.min(axis=0) - 480, points.max(axis=0) + 480
        centres = self.grid.centres
        near = np.all((centres >= low) & (centres <= high), axis=1) & self.grid.present.ravel()
        cells = np.flatnonzero(near)
        if not len(cells):
            return set()
        corners = np.array(self.grid.corners(0)) - np.array(self.grid.centre(0))
        hexes = shapely.polygons(centres[cells][:, None, :] + corners[None])
        # Segment by segment: a long line that crosses itself would be cut up at every crossing first.
        segments = shapely.linestrings(np.stack((points[:-1], points[1:]), axis=1))
        segment, hex_ = shapely.STRtree(hexes).query(segments)
        # "T********": the insides meet; a line that only follows the border of a hex is not in it.
        inside = shapely.relate_pattern(segments[segment], hexes[hex_], "T********")
        return set(cells[np.unique(hex_[inside])].tolist())

    def _refresh_contours(self, cells: list[int] | None) -> None:
        levels = self.model.levels
        if cells is None:
            near = self.layout.pack(levels.astype(np.int16), 999)
            near[~self.layout.present] = 999
            here = self.layout.index
            lower = np.zeros(self.grid.cells, dtype=bool)
            for offset in self.layout.offsets:
                lower |= near[here + offset] < near[here]
            lower &= self.grid.present.ravel()
            self.contours[:] = np.where(lower.reshape(levels.shape), levels, NO_CONTOUR)
            drawn = list(self._drawn_contours)
        else:
            for cell in cells:
                level = levels.flat[cell]
                lower_near = any(levels.flat[other] < level for other in self.grid.neighbours(cell))
                self.contours.flat[cell] = level if lower_near else NO_CONTOUR
            wanted = set(cells)
            drawn = [key for key in self._drawn_contours if key[0] in wanted]

        for cell, height in drawn:
            self.contours.flat[cell] = np.int8(max(int(self.contours.ravel()[cell]), height))

    # -- places ----------------------------------------------------------------------------------------------------

    @cached_property
    def _by_kind(self) -> dict[type[Any], list[Any]]:
        return {}

    def features_of(self, kind: type[_F]) -> list[_F]:
        """Return the features of one kind, in the natural order of their ids."""
        if kind not in self._by_kind:
            self._by_kind[kind] = self.model.features_of(kind)
        found: list[_F] = self._by_kind[kind]
        return found

    def area(self, area_id: str) -> Area:
        """Return an area by its id.

        Raises
        ------
        UnknownNameError
            When the map has no such area.
        """
        found = self.model.features.get(area_id) if isinstance(area_id, str) else None
        if not isinstance(found, Area):
            known = nearest(str(area_id), [area.id for area in self.features_of(Area)])
            msg = f"no area has the id {shortened(area_id)}; {known}"
            raise UnknownNameError(msg)
        return found

    def derived(self, area_id: str, what: str, make: Callable[[Area], _F]) -> _F:
        """Return something derived from an area alone, made once: areas are never changed, only replaced.

        Parameters
        ----------
        area_id : str
        what : str
            Its name, one for each kind of thing.
        make : callable
            Makes it of the area where it is not known yet.

        Raises
        ------
        UnknownNameError
            When the map has no such area.
        """
        area = self.area(area_id)
        known = self._shapes.get(area_id)
        if known is None or known[0] is not area:
            known = self._shapes[area_id] = (area, {})
        if what not in known[1]:
            known[1][what] = make(area)
        found: _F = known[1][what]
        return found

    def polygon(self, area_id: str) -> Polygon:
        """Return an area as a shapely polygon on the lattice; one that crosses itself is made valid.

        Raises
        ------
        UnknownNameError
            When the map has no such area.
        """
        return self.derived(area_id, "polygon", polygon_of)

    def is_sound(self, area_id: str) -> bool:
        """Tell whether the outline of an area does not cross itself and its holes lie inside.

        Raises
        ------
        UnknownNameError
            When the map has no such area.
        """
        return self.derived(area_id, "sound", is_sound)

    def area_cells(self, area_id: str) -> list[int]:
        """Return the hexes whose inside the inside of an area meets.

        Raises
        ------
        UnknownNameError
            When the map has no such area.
        """
        return self.derived(area_id, "cells", lambda area: cells_inside(self.grid, self.polygon(area.id)))

    def dot_of(self, area: Area) -> Point:
        """Return the dot of an area: the one that is drawn, else a point well inside."""
        if area.dot is not None:
            return area.dot
        return self.derived(area.id, "dot", lambda area: inner_point(self.polygon(area.id)))

    @cached_property
    def borders(self) -> tuple[Border, ...]:
        """Borders that two areas share for a positive length, neither of them part of the other."""
        if self._border_index is None:
            self._border_index = BorderIndex()
            for feature in self.model.features.values():
                if isinstance(feature, Area):
                    self._border_index.put(feature)
        return self._border_index.borders()

    def coverage(self, ids: Iterable[str], within: str | None = None) -> Coverage:
        """Say where areas overlap and what they leave uncovered; see :class:`studio.survey.coverage.Coverage`.

        Parameters
        ----------
        ids : iterable of str
            Ids of the areas.
        within : str, optional
            Id of the area that they should cover; without it the gaps are what they enclose.

        Raises
        ------
        UnknownNameError
            When the map has no such area.
        """
        from studio.survey.coverage import Coverage

        return Coverage(self, ids, within)

    @cached_property
    def directory(self) -> Directory:
        """Every location of the map by number and label."""
        return Directory(self)

    # -- derived planes --------------------------------------------------------------------------------------------

    @cached_property
    def layout(self) -> FlatLayout:
        """Flat layout of the grid."""
        return FlatLayout(self.grid)

    @property
    def crests(self) -> NDArray[np.bool_]:
        """Hexes with a crest line; bool, shape (rows, columns)."""
        return (self._crest_count > 0).reshape(self.grid.rows, self.grid.columns)

    @cached_property
    def hills(self) -> NDArray[np.int32]:
        """Hill of every hex, 0 for none: connected hexes of level 1 and more, or with a contour of that height.

        Returns
        -------
        array of int32, shape (rows, columns)
        """
        mask = ((self.model.levels >= 1) | (self.contours >= 1)) & self.grid.present
        return self.layout.components(mask)

    @cached_property
    def _marked(self) -> dict[int, Counter[str]]:
        """Markers by the number of their location; those on a location that is gone lie nowhere."""
        found: dict[int, Counter[str]] = {}
        for label, kinds in self._markers.items():
            number = self.directory.find(label)
            if number is not None:
                found.setdefault(number, Counter()).update(kinds)
        return found

    def markers_at(self, number: int) -> list[str]:
        """Return the types of the markers on a location."""
        return sorted(self._marked.get(number, ()))

    def cells_with_marker(self, kind: str) -> list[int]:
        """Return the numbers of the locations that hold a marker of one type."""
        return sorted(number for number, kinds in self._marked.items() if kind in kinds)

    def has_road(self, cell: int) -> bool:
        """Tell whether a road runs in a hex."""
        return cell in self.road_hexes

    def road_across(self, a: int, b: int) -> bool:
        """Tell whether one road crosses the side of two hexes."""
        return (min(a, b), max(a, b)) in self.roads

    def side_kinds(self, a: int, b: int) -> tuple[str, ...]:
        """Return what runs on the side of two hexes."""
        return self.model.sides.get((min(a, b), max(a, b)), ())

    def state(self) -> dict[str, Any]:
        """Return everything that is derived, for comparing two surveys."""
        return {
            "contours": self.contours.tolist(),
            "crests": self.crests.tolist(),
            "hills": self.hills.tolist(),
            "roads": {side: dict(surfaces) for side, surfaces in sorted(self.roads.items())},
            "road_hexes": dict(sorted(self.road_hexes.items())),
            "markers": {label: dict(kinds) for label, kinds in sorted(self._markers.items())},
            "marked": {number: dict(kinds) for number, kinds in sorted(self._marked.items())},
            "area_neighbours": dict(sorted(self.area_neighbours.items())),
            "locations": [msgspec.to_builtins(location) for location in self.directory.others],
            "borders": self.borders,
            "boundaries": self.boundaries,
            "joined": dict(sorted(self.joined.items())),
            "sides": dict(sorted(self.model.sides.items())),
        }

    # -- what parts and what joins ---------------------------------------------------------------------------------

    @cached_property
    def boundaries(self) -> tuple[Side, ...]:
        """What parts the locations, with its kinds, as the game says: hexsides first, then the borders of areas."""
        make = self.scheme.sides
        return tuple(make(self)) if make is not None else default_sides(self, self.scheme.closing)

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """What joins locations that have no side in common, as the game says."""
        make = self.scheme.joints
        return tuple(make(self)) if make is not None else default_joints(self)

    @cached_property
    def joined(self) -> dict[str, list[str]]:
        """Labels of what is next to each location beside the hexes around a hex: across a side, or by a joint."""
        pairs = [(side.a, side.b) for side in self.boundaries if side.joined and (side.a_id or side.b_id)]
        pairs += [(joint.a, joint.b) for joint in self.joints]
        found: dict[str, dict[str, None]] = {}
        for a, b in pairs:
            if a != b:
                found.setdefault(a, {})[b] = None
                found.setdefault(b, {})[a] = None
        return {name: sorted(others, key=natural_key) for name, others in found.items()}

    # -- tables ----------------------------------------------------------------------------------------------------

    @cached_property
    def area_neighbours(self) -> dict[str, list[str]]:
        """Labels of the areas that share a border with each, where both are locations."""
        label = {location.feature: location.label for location in self.directory.of("area")}
        found: dict[str, list[str]] = {}
        for border in self.borders:
            if border.a in label and border.b in label:
                a, b = label[border.a], label[border.b]
                found.setdefault(a, []).append(b)
                found.setdefault(b, []).append(a)
        return {name: sorted(others, key=natural_key) for name, others in found.items()}

    def location_records(self) -> list[dict[str, Any]]:
        """Return every location as a plain record; see :func:`studio.survey.tables.location_records`."""
        return tables.location_records(self)

    def side_records(self) -> list[dict[str, Any]]:
        """Return every side that has something on it; see :func:`studio.survey.tables.side_records`."""
        return tables.side_records(self)

    def locations(self) -> GeoDataFrame:
        """Return the locations as a GeoDataFrame, indexed by label; areas by their outline, places by their dot."""
        return tables.locations_frame(self)

    def sides(self) -> GeoDataFrame:
        """Return the sides as a GeoDataFrame of lines; see :func:`studio.survey.tables.sides_frame`."""
        return tables.sides_frame(self)


def _tally(counts: dict[_K, Counter[str]], key: _K, kind: str, sign: int) -> None:
    """Count one thing more or less at a place, and drop what has come down to nothing."""
    kinds = counts.setdefault(key, Counter())
    kinds[kind] += sign
    if not kinds[kind]:
        del kinds[kind]
    if not kinds:
        del counts[key]
