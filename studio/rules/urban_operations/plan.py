"""A map of Urban Operations in arrays, for fields of view: dots, obstacle hexes, edges of buildings, walls, arcs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from studio.model import Point
from studio.rules.urban_operations.hexlines import HexLines
from studio.rules.urban_operations.inside import inner_rays
from studio.rules.urban_operations.scene import HEX, NOTHING, ROOM, Body, Building, Scene
from studio.sight.trace import hex_trace

__all__ = ["Edges", "Plan", "hexes_met", "segments_met"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]


class Edges:
    """The edges of several drawn shapes in one row.

    Parameters
    ----------
    p, q : arrays of int64, shape (edges, 2)
        Ends of the edges.
    first : array of int64, shape (shapes,)
        First edge of each shape.
    """

    def __init__(self, p: _Ints, q: _Ints, first: _Ints) -> None:
        self.p, self.q, self.first = p, q, first

    @classmethod
    def of(cls, shapes: Sequence[Sequence[Sequence[Point]]], *, closed: bool) -> Edges:
        """Return the edges of shapes, each given by its lines or, when closed, its rings."""
        p: list[Point] = []
        q: list[Point] = []
        first = []
        for lines in shapes:
            first.append(len(p))
            for line in lines:
                points = [*line, line[0]] if closed else list(line)
                p += points[:-1]
                q += points[1:]
        return cls(_points(p), _points(q), np.array(first, dtype=np.int64))

    @cached_property
    def counts(self) -> _Ints:
        """How many edges each shape has."""
        return np.diff(self.first, append=len(self.p))

    @cached_property
    def boxes(self) -> _Ints:
        """The box around each shape; int64, shape (shapes, 4)."""
        if not len(self.first):
            return np.zeros((0, 4), dtype=np.int64)
        low, high = np.minimum(self.p, self.q), np.maximum(self.p, self.q)
        least, most = np.minimum.reduceat(low, self.first), np.maximum.reduceat(high, self.first)
        return np.concatenate((least, most), axis=1)

    @cached_property
    def edge_boxes(self) -> _Ints:
        """The box around each edge; int64, shape (edges, 4)."""
        return np.concatenate((np.minimum(self.p, self.q), np.maximum(self.p, self.q)), axis=1)


def _points(points: list[Point]) -> _Ints:
    return np.array(points, dtype=np.int64).reshape(-1, 2)


def segments_met(a: _Ints, b: _Ints, p: _Ints, q: _Ints) -> tuple[_Bools, _Bools]:
    """Tell which segments from one point cross an edge, and which may meet it otherwise.

    Parameters
    ----------
    a : array of int64, shape (2,)
    b : array of int64, shape (n, 2)
    p, q : arrays of int64, shape (n, 2)
        Ends of the edge for every segment.

    Returns
    -------
    crossed : array of bool, shape (n,)
        The insides of segment and edge cross.
    maybe : array of bool, shape (n,)
        They do not, but may touch or overlap: everything that does is among these.
    """
    (dx, dy), (px, py), (qx, qy) = (b - a).T, (p - a).T, (q - a).T
    side_p, side_q = np.sign(dx * py - dy * px), np.sign(dx * qy - dy * qx)
    ex, ey = qx - px, qy - py
    side_a = np.sign(ey * px - ex * py)
    side_b = np.sign(ex * (dy - py) - ey * (dx - px))
    apart, split = side_p * side_q, side_a * side_b
    crossed = (apart < 0) & (split < 0)
    return crossed, (apart <= 0) & (split <= 0) & ~crossed


def hexes_met(a: _Ints, b: _Ints, centres: _Ints, *, flat: bool) -> tuple[_Bools, _Bools]:
    """Tell which segments from one point meet a hex, and which its inside.

    Parameters
    ----------
    a : array of int64, shape (2,)
    b : array of int64, shape (n, 2)
    centres : array of int64, shape (n, 2)
        Centre of the hex for every segment.
    flat : bool

    Returns
    -------
    met, inner : arrays of bool, shape (n,)
    """
    if not flat:
        a, b, centres = a[::-1], b[:, ::-1], centres[:, ::-1]
    (du, dv), (ru, rv) = (b - a).T, (centres - a).T
    away = np.abs(du * rv - dv * ru)
    reach = np.maximum(480 * np.abs(dv), 240 * (np.abs(dv) + np.abs(du)))
    met, inner = away <= reach, away < reach
    # A hex is where three pairs of borders leave room; the segment must not end before it or begin behind it.
    for start, speed, limit in ((-rv, dv, 240), (-ru - rv, du + dv, 480), (-ru + rv, du - dv, 480)):
        low, high = start + np.minimum(speed, 0), start + np.maximum(speed, 0)
        met &= (low <= limit) & (high >= -limit)
        inner &= (low < limit) & (high > -limit)
    return met, inner


class Plan:
    """Arrays of one scene.

    Parameters
    ----------
    scene : Scene

    Attributes
    ----------
    dots : array of int64, shape (len(directory), 2)
    blockers : array of int64, shape (n,)
        Cells of the hexes with an obstacle.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        directory = scene.directory
        self.dots: _Ints = np.zeros((len(directory), 2), dtype=np.int64)
        self.dots[: scene.grid.cells] = scene.grid.centres
        for cell, point in directory.moved_dots.items():
            self.dots[cell] = point
        for location in directory.others:
            self.dots[location.number] = location.dot
        self.blockers: _Ints = np.flatnonzero((scene.obstacle > NOTHING) & scene.grid.present.ravel()).astype(np.int64)
        self.surface = [building for building in scene.buildings if not building.under]
        self.column = {building.index: at for at, building in enumerate(self.surface)}
        self.bodies = [body for body in scene.bodies if not scene.under[body.number]]
        self.building_edges = Edges.of([building.rings for building in self.surface], closed=True)
        self.body_edges = Edges.of([body.rings for body in self.bodies], closed=True)
        self.wall_edges = Edges.of([[wall.line] for wall in scene.outer_walls], closed=False)

    @cached_property
    def hex_lines(self) -> HexLines:
        """Lines from hex centre to hex centre."""
        return HexLines(self)

    @cached_property
    def centred(self) -> _Bools:
        """Whether each location is a hex on the surface whose dot is its centre; bool, shape (len(directory),)."""
        found = (self.scene.kind == HEX) & ~self.scene.under
        found[list(self.scene.directory.moved_dots)] = False
        return np.asarray(found)

    def hex_boxes(self, cells: _Ints) -> _Ints:
        """Return the boxes around some hexes; int64, shape (n, 4)."""
        centres = self.scene.grid.centres[cells].astype(np.int64)
        half = np.array([480, 240] if self.scene.grid.flat else [240, 480], dtype=np.int64)
        return np.concatenate((centres - half, centres + half), axis=1)

    @cached_property
    def building_column(self) -> _Ints:
        """Column of the building of every location among those on the surface, -1 for none."""
        table = np.full(len(self.scene.buildings) + 1, -1, dtype=np.int64)
        for index, at in self.column.items():
            table[index] = at
        return table[self.scene.building]

    @cached_property
    def building_levels(self) -> _Ints:
        """Obstacle levels of the buildings on the surface."""
        return np.array([building.level for building in self.surface], dtype=np.int64)

    @cached_property
    def wall_levels(self) -> _Ints:
        """Obstacle level of every edge of an outer wall."""
        walls = self.scene.outer_walls
        return np.array([self.scene.wall_level(wall) for wall in walls for _ in wall.line[1:]], dtype=np.int64)

    @cached_property
    def in_buildings(self) -> _Bools:
        """Whether the dot of each location lies inside each building; bool, shape (len(directory), buildings)."""
        return self._held(self.surface)

    @cached_property
    def odd(self) -> _Bools:
        """Locations whose dot lies on the side of a hex and in no building of theirs; bool, shape (len(directory),)."""
        grid = self.scene.grid
        found = np.zeros(len(self.dots), dtype=bool)
        for number in (*self.scene.directory.moved_dots, *self.scene.dot_cells):
            column = self.building_column[number]
            if column < 0 or not self.in_buildings[number, column]:
                dot = self.scene.directory.dot(number)
                met = hex_trace(grid, dot, dot)
                found[number] = any(contact.how == "touch" for contact in met)
        return found

    @cached_property
    def in_bodies(self) -> _Bools:
        """Whether the dot of each location lies inside each room with a marker."""
        return self._held(self.bodies)

    def _held(self, shapes: Sequence[Building | Body]) -> _Bools:
        import shapely

        found = np.zeros((len(self.dots), len(shapes)), dtype=bool)
        for at, shape in enumerate(shapes):
            ring = np.array(shape.outline)
            near = np.flatnonzero(((self.dots >= ring.min(axis=0)) & (self.dots <= ring.max(axis=0))).all(axis=1))
            polygon = shapely.Polygon(shape.outline, shape.holes)
            found[near, at] = shapely.contains_xy(polygon, self.dots[near, 0], self.dots[near, 1])
        return found

    @cached_property
    def beside(self) -> _Bools:
        """Whether each hex meets each building, its outline included; bool, shape (buildings + 1, cells), last none."""
        import shapely

        grid = self.scene.grid
        found = np.zeros((len(self.surface) + 1, grid.cells), dtype=bool)
        if self.surface:
            corners = np.array(grid.corners(0)) - np.array(grid.centre(0))
            tree = shapely.STRtree(shapely.polygons(grid.centres[:, None, :] + corners[None]))
            shapes = [shapely.Polygon(building.outline, building.holes) for building in self.surface]
            building, cell = tree.query(shapes, predicate="intersects")
            found[building, cell] = True
        return found

    @cached_property
    def arcs(self) -> tuple[_Ints, _Bools]:
        """What lies in an open arc of fire of each room.

        Returns
        -------
        row : array of int64, shape (len(directory),)
            Row of a location in the other array; the last row, in which nothing lies, for those without an opening.
        seen : array of bool, shape (rows, len(directory))
        """
        scene = self.scene
        row = np.full(len(self.dots), len(scene.openings_of), dtype=np.int64)
        seen = np.zeros((len(scene.openings_of) + 1, len(self.dots)), dtype=bool)
        others = np.array(list(scene.dot_cells), dtype=np.int64)
        held = [cells for cells in scene.dot_cells.values() if cells]
        under = np.array([cell for cells in held for cell in cells], dtype=np.int64)
        others = others[[bool(cells) for cells in scene.dot_cells.values()]]
        first = np.cumsum([0, *map(len, held)])[:-1]
        for at, (number, openings) in enumerate(scene.openings_of.items()):
            row[number] = at
            for opening in openings:
                if opening.open:
                    seen[at, : scene.grid.cells] |= opening.cells
                    if len(others):
                        seen[at, others] |= np.logical_or.reduceat(opening.cells[under], first)
        return row, seen

    @cached_property
    def _rays(self) -> dict[int, frozenset[int]]:
        return {}

    def on_inner_ray(self, number: int) -> frozenset[int]:
        """Return the hexes on the lines from a zone through the openings of other zones (13.5.2)."""
        if number not in self._rays:
            scene = self.scene
            cells: set[int] = set()
            if scene.kind[number] == ROOM and not scene.under[number]:
                start = scene.directory.dot(number)
                for _, end in inner_rays(scene, number):
                    cells.update(cell for contact in hex_trace(scene.grid, start, end) for cell in contact.cells)
            self._rays[number] = frozenset(cell for cell in cells if scene.kind[cell] == HEX)
        return self._rays[number]
