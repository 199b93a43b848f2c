"""What locations cover, as paths: hexes, drawn areas cut out of the hexes below them; dots where nothing is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any

import numpy as np

from studio.draw.sites import Sites, along
from studio.draw.subject import Floats, map_points

__all__ = ["Regions"]


class Regions:
    """What locations cover on the map.

    Parameters
    ----------
    sites : Sites
    """

    def __init__(self, sites: Sites) -> None:
        self.sites, self.grid = sites, sites.grid

    @cached_property
    def _areas(self) -> dict[int, Any]:
        """Polygons of the areas that are locations, each without those that lie in it, by number."""
        found = [place for place in self.sites.others() if place.kind == "area"]
        survey = self.sites.survey
        whole = {place.number: survey.polygon(place.feature) for place in found}
        inner: dict[str, list[Any]] = {}
        for place in found:
            inner.setdefault(place.within, []).append(whole[place.number])
        cut = {}
        for place in found:
            shape = whole[place.number]
            for other in inner.get(place.feature, []):
                shape = shape.difference(other)
            cut[place.number] = shape
        return cut

    @cached_property
    def _over(self) -> Any:
        """What drawn areas hide of the hexes: the union of those that are locations."""
        import shapely

        return shapely.union_all(list(self._areas.values())) if self._areas else None

    @cached_property
    def _hidden(self) -> set[int]:
        """Hexes that an area hides at least in part."""
        if not self._areas:
            return set()
        found = self.sites.others()
        names = [place.feature for place in found if place.number in self._areas]
        return {cell for name in names for cell in self.sites.survey.area_cells(name)}

    def path(self, numbers: Iterable[int]) -> Any:
        """Return what locations cover as one path in map units; None where they have no outlines."""
        from matplotlib.path import Path

        wanted = [int(number) for number in numbers]
        whole = [n for n in wanted if n < self.grid.cells and n not in self._hidden]
        pieces = [self._hexes(np.asarray(whole, dtype=np.int64))] if whole else []
        shapes = [self._areas[n] for n in wanted if n in self._areas]
        shapes += [self._rest(n) for n in wanted if n < self.grid.cells and n in self._hidden]
        for shape in shapes:
            pieces += _polygon_paths(self.grid, shape)
        return Path.make_compound_path(*pieces) if pieces else None

    def _hexes(self, cells: Any) -> Any:
        from matplotlib.path import Path

        grid = self.grid
        shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
        corners = grid.centres[cells][:, None, :] + np.vstack([shape, shape[:1]])[None, :, :]
        points = map_points(grid, corners.reshape(-1, 2))
        return Path(points, np.tile([1, 2, 2, 2, 2, 2, 79], len(cells)).astype(np.uint8))

    def _rest(self, cell: int) -> Any:
        import shapely

        return shapely.Polygon(self.grid.corners(cell)).difference(self._over)

    def rim(self, groups: Any) -> list[Floats]:
        """Return the lines between groups of locations, in map units.

        Parameters
        ----------
        groups : array over all location numbers
            Group of each location, 0 for none. No line runs between two locations of one group, or of none.
        """
        import shapely

        grid, groups = self.grid, np.asarray(groups).ravel()
        here = groups[: grid.cells]
        inside = np.flatnonzero(here)
        table = grid.neighbour_table[inside]
        edge = (table < 0) | (here[np.maximum(table, 0)] != here[inside][:, None])
        shape = np.asarray(grid.corners(0)) - np.asarray(grid.centre(0))
        corners = grid.centres[inside][:, None, :] + shape[None, :, :]
        ends = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2)[edge]
        lines = list(map_points(grid, ends.reshape(-1, 2)).reshape(-1, 2, 2))
        if not self._areas:
            return lines
        bare = shapely.difference(shapely.MultiLineString(list(ends)), self._over) if len(ends) else None
        found = [] if bare is None else [part for part in shapely.get_parts(bare) if part.geom_type == "LineString"]
        for group in np.unique(groups[groups > 0]).tolist():
            shapes = [cut for number, cut in self._areas.items() if groups[number] == group]
            found += shapely.get_parts(shapely.line_merge(shapely.boundary(shapely.union_all(shapes)))).tolist()
        return [map_points(grid, np.asarray(line.coords)) for line in found if len(line.coords)]

    def spots(self, numbers: Iterable[int]) -> list[tuple[int, Floats]]:
        """Return the locations without an outline with their dots in map units: places, and roads beside their hex."""
        wanted = set(map(int, numbers))
        return [
            (place.number, self._spot(place))
            for place in self.sites.others()
            if place.number in wanted and place.kind in ("place", "road")
        ]

    def spot(self, number: int) -> Floats:
        """Return the point that stands for a location in map units: its dot, of a road a point beside the hex's."""
        if number < self.grid.cells:
            return self.sites.hex_dot(number)
        return self._spot(self.sites.directory.location(number))

    def _spot(self, place: Any) -> Floats:
        at = np.asarray(self.grid.to_map(*place.dot))
        if place.kind != "road":
            return at
        drawn = self._road_point(place.cell)
        beside = at + np.array([0.2, 0.24]) * self.grid.hex_height
        return beside if drawn is None or float(np.hypot(*(drawn - at))) < 0.1 * self.grid.hex_height else drawn

    def _road_point(self, cell: int) -> Floats | None:
        """Return the middle of the road as it is drawn in a hex, None where it runs through the centre."""
        import shapely

        for road in self.sites.subject.features.values():
            line = getattr(road, "line", ()) if getattr(road, "surface", None) else ()
            if line and cell in self.sites.subject.labels.cells(road.path):
                part = shapely.LineString(line).intersection(shapely.Polygon(self.grid.corners(cell)))
                pieces = [p for p in shapely.get_parts(part) if p.geom_type == "LineString"]
                if pieces:
                    longest = max(pieces, key=lambda piece: piece.length)
                    return along(map_points(self.grid, np.asarray(longest.coords)), 0.5)
        return None


def _polygon_paths(grid: Any, shape: Any) -> list[Any]:
    import shapely
    from matplotlib.path import Path

    found = []
    for part in shapely.get_parts(shape):
        if part.geom_type != "Polygon" or part.is_empty:
            continue
        oriented = shapely.orient_polygons(part)
        for ring in (oriented.exterior, *oriented.interiors):
            points = map_points(grid, np.asarray(ring.coords))
            found.append(Path(points, [1, *[2] * (len(points) - 2), 79]))
    return found
