"""The survey of a hex map: planes that say what every hex has, and the sides that have something on them.

A survey follows the model: after every change :meth:`Survey.update` brings the planes up to date where the change
reaches, and nowhere else. A survey that followed a thousand edits equals one made afresh.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import FlatLayout
from studio.model import Change, Contour, Crest, Feature, MapModel, Marker, Name, Road

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

__all__ = ["NO_CONTOUR", "Survey"]

NO_CONTOUR = -128
"""Value of the contour plane in a hex without a contour line."""

SideKey = tuple[int, int]


class Survey:
    """Locations and sides of a hex map.

    Parameters
    ----------
    model : MapModel
        The map; the survey reads its terrain and levels where they are.

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
    """

    def __init__(self, model: MapModel) -> None:
        self.model, self.grid = model, model.grid
        self.revision = 0
        self._begin()

    def _begin(self) -> None:
        self._drawn_contours: Counter[tuple[int, int]] = Counter()
        self._crest_count = np.zeros(self.grid.cells, dtype=np.int32)
        self.roads: dict[SideKey, Counter[str]] = {}
        self.road_hexes: Counter[int] = Counter()
        self._markers: dict[int, Counter[str]] = {}
        self.contours: NDArray[np.int8] = np.full((self.grid.rows, self.grid.columns), NO_CONTOUR, dtype=np.int8)
        self.__dict__.pop("hills", None)
        for feature in self.model.features.values():
            self._count(feature, 1)
        self._refresh_contours(None)

    # -- following the model ---------------------------------------------------------------------------------------

    def update(self, change: Change) -> None:
        """Follow a change that the model has made."""
        self.revision += 1
        if change.relabelled:
            # Rare, and what else a batch did to the features can no longer be told by their old labels.
            self._begin()
            return
        for old in change.before:
            if old is not None:
                self._count(old, -1)
        for name in change.features:
            self._count(self.model.features[name], 1)
        touched = [self._contour_cells(f) for f in (*change.before, *(self.model.features[n] for n in change.features))]
        cells = set().union(*touched) if touched else set()
        if "levels" in change.planes:
            for cell in change.cells.tolist():
                cells.add(cell)
            if len(cells) < 500:
                for cell in list(cells):
                    cells.update(self.grid.neighbours(cell))
                self._refresh_contours(sorted(cells))
            else:
                self._refresh_contours(None)
            self.__dict__.pop("hills", None)
        elif cells:
            self._refresh_contours(sorted(cells))
            self.__dict__.pop("hills", None)

    def _contour_cells(self, feature: Feature | None) -> set[int]:
        return self._crossed(feature) if isinstance(feature, Contour) else set()

    def _count(self, feature: Feature, sign: int) -> None:
        labels = self.model.labels
        match feature:
            case Road():
                cells = labels.cells(feature.path)
                for cell in set(cells):
                    self.road_hexes[cell] += sign
                    if not self.road_hexes[cell]:
                        del self.road_hexes[cell]
                for a, b in itertools.pairwise(cells):
                    self._count_road((min(a, b), max(a, b)), feature.surface, sign)
            case Crest():
                np.add.at(self._crest_count, sorted(set(labels.cells(feature.path))), sign)
            case Marker():
                cell = labels.cell(feature.at)
                kinds = self._markers.setdefault(cell, Counter())
                kinds[feature.type] += sign
                if not kinds[feature.type]:
                    del kinds[feature.type]
                if not kinds:
                    del self._markers[cell]
            case Contour():
                for cell in self._crossed(feature):
                    key = (cell, feature.level)
                    self._drawn_contours[key] += sign
                    if not self._drawn_contours[key]:
                        del self._drawn_contours[key]
            case Name():
                pass

    def _count_road(self, side: SideKey, surface: str, sign: int) -> None:
        surfaces = self.roads.setdefault(side, Counter())
        surfaces[surface] += sign
        if not surfaces[surface]:
            del surfaces[surface]
        if not surfaces:
            del self.roads[side]

    def _crossed(self, contour: Contour) -> set[int]:
        """Return the hexes whose inside a drawn contour meets."""
        import shapely

        points = np.array(contour.line, dtype=np.int64)
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

    def markers_at(self, cell: int) -> list[str]:
        """Return the types of the markers in a hex."""
        return sorted(self._markers.get(cell, ()))

    def cells_with_marker(self, kind: str) -> list[int]:
        """Return the hexes that hold a marker of one type."""
        return sorted(cell for cell, kinds in self._markers.items() if kind in kinds)

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
            "markers": {cell: dict(kinds) for cell, kinds in sorted(self._markers.items())},
            "sides": dict(sorted(self.model.sides.items())),
        }

    # -- tables ----------------------------------------------------------------------------------------------------

    def location_records(self) -> list[dict[str, Any]]:
        """Return every location as a plain record, in the order of the cells.

        Returns
        -------
        list of dict
            label, kind, q, r, column, row, terrain, level, contour (or None), crest, road, half, markers,
            neighbours (labels), dot and outline (map units).
        """
        import shapely

        grid, model = self.grid, self.model
        label = model.labels.label
        cells = np.flatnonzero(grid.present).tolist()
        names = {cell: label(cell) for cell in cells}
        outlines = grid.outlines(cells)
        axials, centres = grid.axials.tolist(), grid.centres.tolist()
        contours, crests = self.contours.ravel().tolist(), self.crests.ravel().tolist()
        records = []
        for cell, outline in zip(cells, outlines, strict=True):
            row, column = divmod(cell, grid.columns)
            records.append(
                {
                    "label": names[cell],
                    "kind": "hex",
                    "q": axials[cell][0],
                    "r": axials[cell][1],
                    "column": column,
                    "row": row,
                    "terrain": model.terrain_at(cell),
                    "level": model.level_at(cell),
                    "contour": None if contours[cell] == NO_CONTOUR else contours[cell],
                    "crest": crests[cell],
                    "road": cell in self.road_hexes,
                    "half": grid.is_half(cell),
                    "markers": self.markers_at(cell),
                    "neighbours": [names[other] for other in grid.neighbours(cell)],
                    "dot": [round(value, 6) for value in grid.to_map(*centres[cell])],
                    "outline": [[round(x, 6), round(y, 6)] for x, y in shapely.get_coordinates(outline)[:-1].tolist()],
                }
            )
        return records

    def side_records(self) -> list[dict[str, Any]]:
        """Return every hexside that has something on it as a plain record.

        Returns
        -------
        list of dict
            a, b (labels), kinds, roads (surfaces that cross it), rise (level of b less level of a) and
            ends (two corners in map units). A side is listed when something runs on it or a road crosses it.
        """
        grid, label = self.grid, self.model.labels.label
        records = []
        for a, b in sorted({*self.model.sides, *self.roads}):
            ends = [grid.to_map(*corner) for corner in grid.side_ends(a, b)]
            records.append(
                {
                    "a": label(a),
                    "b": label(b),
                    "kinds": list(self.side_kinds(a, b)),
                    "roads": sorted(self.roads.get((a, b), ())),
                    "rise": self.model.level_at(b) - self.model.level_at(a),
                    "ends": [[round(x, 6), round(y, 6)] for x, y in ends],
                }
            )
        return records

    def locations(self) -> GeoDataFrame:
        """Return the locations as a GeoDataFrame, indexed by label."""
        from geopandas import GeoDataFrame

        records = self.location_records()
        cells = [record["row"] * self.grid.columns + record["column"] for record in records]
        columns = ("q", "r", "kind", "terrain", "level", "contour", "crest", "road", "half")
        data = {name: [record[name] for record in records] for name in columns}
        index = [record["label"] for record in records]
        frame = GeoDataFrame(data, geometry=self.grid.outlines(cells), index=index, crs=self._crs)
        frame.index.name = "label"
        return frame

    def sides(self) -> GeoDataFrame:
        """Return the hexsides with something on them as a GeoDataFrame of lines."""
        import shapely
        from geopandas import GeoDataFrame

        records = self.side_records()
        columns = ("a", "b", "kinds", "roads", "rise")
        data: dict[str, list[Any]] = {name: [record[name] for record in records] for name in columns}
        data["kinds"] = [", ".join(kinds) for kinds in data["kinds"]]
        data["roads"] = [", ".join(roads) for roads in data["roads"]]
        lines = [shapely.LineString(record["ends"]) for record in records]
        return GeoDataFrame(data, geometry=lines, crs=self._crs)

    @property
    def _crs(self) -> str | None:
        # Without the affine applied the coordinates are the map's own, so no system is claimed for them.
        return None
