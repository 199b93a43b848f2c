"""Polygons of other programs as outlines of a map: whole lattice points, borders in common, nothing covered twice.

Cadastres draw neighbours each by itself: with walls in common that miss each other by a hand, with parts that overlap,
with yards too small to be seen. What is done to each is counted, so that it can be told.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid

__all__ = ["Footprint", "Tidied", "Tidying", "Touching", "tidy"]

Touching = Literal["as_is", "share", "merge"]

_CRUMB = 4.0
"""Lattice units squared: what is smaller comes of rounding."""


class Footprint(NamedTuple):
    """An outline that is ready to be drawn.

    Attributes
    ----------
    rows : tuple of int
        Rows that it comes from, the one that gives it its name first; several where areas were merged.
    polygon : shapely.Polygon
        With corners on the lattice.
    """

    rows: tuple[int, ...]
    polygon: Any


class Tidying(NamedTuple):
    """How polygons are tidied; lengths and sizes in hexes.

    Attributes
    ----------
    least : float
        Areas, and holes in them, that are smaller are left out.
    simplify : float
        A corner goes when the triangle that it cuts off is smaller than the square of this.
    touching : {"as_is", "share", "merge"}
        Whether areas stay as they are, share their borders, or become one where they touch.
    close : float
        Gaps that are narrower are closed, unless areas stay as they are.
    """

    least: float = 0.0
    simplify: float = 0.0
    touching: Touching = "as_is"
    close: float = 0.0


@dataclass
class Tidied:
    """Outlines, and what was done to get them.

    Attributes
    ----------
    footprints : list of Footprint
        In the order of their rows.
    small, beside, repaired, cut, covered : list of int
        Rows that were left out as too small, that lie beside the map or have no area, that crossed themselves, that
        were cut at the edge of the map, and that lie under others altogether.
    merged : int
        Areas that became part of another one.
    overlaps : float
        Size of what was covered twice, in hexes.
    closed : float
        Size of gaps and small yards that were closed, in hexes.
    corners : (int, int)
        Corners before and after.
    """

    footprints: list[Footprint] = field(default_factory=list)
    small: list[int] = field(default_factory=list)
    beside: list[int] = field(default_factory=list)
    repaired: list[int] = field(default_factory=list)
    cut: list[int] = field(default_factory=list)
    covered: list[int] = field(default_factory=list)
    merged: int = 0
    overlaps: float = 0.0
    closed: float = 0.0
    corners: tuple[int, int] = (0, 0)


def tidy(grid: HexGrid, shapes: Sequence[Any], how: Tidying, groups: Sequence[str] | None = None) -> Tidied:
    """Make polygons ready to be drawn on a map.

    Parameters
    ----------
    grid : HexGrid
    shapes : sequence of shapely geometries
        On the lattice, anywhere; None for none.
    how : Tidying
    groups : sequence of str, optional
        What each shape is; only shapes of one group are merged.

    Returns
    -------
    Tidied
    """
    import shapely

    unit = _Unit(grid)
    found = Tidied()
    parts, rows = _parts(grid, shapes, found)
    found.corners = (sum(int(shapely.get_num_coordinates(part)) for part in parts), 0)
    kept = [at for at, part in enumerate(parts) if part.area >= max(how.least * unit.area, _CRUMB)]
    found.small += sorted(set(rows) - {rows[at] for at in kept})
    found.beside += sorted({row for row, shape in enumerate(shapes) if shape is not None} - set(rows))
    parts, rows = [parts[at] for at in kept], [rows[at] for at in kept]
    if how.touching == "as_is":
        pieces: list[tuple[tuple[int, ...], Any]] = [
            ((row,), _whole(part)) for row, part in zip(rows, parts, strict=True)
        ]
    else:
        pieces = []
        for members in _blocks(parts, how.close, unit):
            block = [parts[at] for at in members], [rows[at] for at in members]
            if len(members) == 1:
                pieces.append(_alone(*block, how, unit, found))
            else:
                pieces += _together(*block, how, unit, found, groups or [""] * len(shapes))
    _finish(pieces, how, unit, found)
    return found


class _Unit:
    """A hex in lattice units.

    Attributes
    ----------
    area : float
    step : float
        Length whose square is that of the way from hex to hex, whichever axis the lattice squeezes.
    scale : (float, float)
        Map units a lattice unit, by which distances are true.
    hexes : float
        Map units from a hex to the next.
    frame : tuple of 4 int
        Of the map.
    """

    def __init__(self, grid: HexGrid) -> None:
        import shapely

        self.frame = grid.frame
        cell = int(np.flatnonzero(grid.present)[0])
        self.area = float(shapely.Polygon(grid.corners(cell)).area)
        self.scale = (float(grid.scale[0]), float(grid.scale[1]))
        self.hexes = float(grid.hex_height if grid.flat else grid.width)
        self.step = self.hexes / (self.scale[0] * self.scale[1]) ** 0.5


def _polygons(geometry: Any) -> list[Any]:
    """Return the polygons of a geometry, those in collections too."""
    import shapely

    if geometry is None or geometry.is_empty:
        return []
    if geometry.geom_type == "GeometryCollection":
        return [one for part in geometry.geoms for one in _polygons(part)]
    return [one for one in shapely.get_parts(geometry).tolist() if one.geom_type == "Polygon" and not one.is_empty]


def _parts(grid: HexGrid, shapes: Sequence[Any], found: Tidied) -> tuple[list[Any], list[int]]:
    """Return the sound polygons of all shapes within the frame of the map, and the row of each."""
    import shapely

    frame = shapely.box(*grid.frame)
    parts: list[Any] = []
    rows: list[int] = []
    for row, shape in enumerate(shapes):
        if shape is None:
            continue
        sound = shape if shape.is_valid else shapely.make_valid(shape)
        if sound is not shape:
            found.repaired.append(row)
        inside = sound
        if not frame.contains(sound):
            inside = shapely.intersection(sound, frame)
            if 0 < inside.area < sound.area:
                found.cut.append(row)
        for part in _polygons(inside):
            parts.append(part)
            rows.append(row)
    return parts, rows


def _whole(polygon: Any) -> Any:
    """Return a polygon with corners on the lattice."""
    import shapely

    return shapely.set_precision(polygon, 1)


# -- together ----------------------------------------------------------------------------------------------------------


def _blocks(parts: list[Any], close: float, unit: _Unit) -> list[list[int]]:
    """Return the numbers of polygons that touch, overlap, or lie so near that a gap between them is to be closed."""
    import shapely
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import connected_components

    if not parts:
        return []
    reach = close * unit.hexes / min(unit.scale) + 2 * _CRUMB
    a, b = shapely.STRtree(parts).query(parts, predicate="dwithin", distance=reach)
    graph = coo_matrix((np.ones(len(a), dtype=np.int8), (a, b)), shape=(len(parts),) * 2)
    count, block = connected_components(graph, directed=False)
    order = np.argsort(block, kind="stable")
    return [one.tolist() for one in np.split(order, np.searchsorted(block[order], np.arange(1, count)))]


def _alone(parts: list[Any], rows: list[int], how: Tidying, unit: _Unit, found: Tidied) -> tuple[tuple[int, ...], Any]:
    """Return a polygon that has nothing beside it."""
    filled = _no_small_holes(parts[0], how.least * unit.area)
    found.closed += (filled.area - parts[0].area) / unit.area
    return (rows[0],), _whole(filled)


def _together(
    parts: list[Any], rows: list[int], how: Tidying, unit: _Unit, found: Tidied, groups: Sequence[str]
) -> list[tuple[tuple[int, ...], Any]]:
    """Return polygons that share their borders, corner for corner.

    All lines make one net of whole points, and each of its faces has one owner: the larger of two that cover it.
    """
    import shapely

    order = sorted(range(len(parts)), key=lambda at: (-parts[at].area, rows[at], at))
    parts, rows = [parts[at] for at in order], [rows[at] for at in order]
    gaps = _gaps(parts, how.close, unit) if how.close else []
    net = shapely.union_all(shapely.boundary(np.array([*parts, *gaps], dtype=object)), grid_size=1)
    faces = [face for face in shapely.get_parts(shapely.polygonize([net])).tolist() if face.area >= 1]
    faces.sort(key=lambda face: face.bounds)
    owner = _owners(faces, parts, gaps, how, unit, found)
    found.covered += set(rows) - {rows[at] for at in owner.values()}
    of: dict[Any, list[int]] = defaultdict(list)
    for face, at in owner.items():
        of[groups[rows[at]] if how.touching == "merge" else rows[at]].append(face)
    pieces: list[tuple[tuple[int, ...], Any]] = []
    for members in of.values():
        # Faces of one net fit corner for corner, so that this union moves no point.
        for polygon in _polygons(shapely.coverage_union_all([faces[face] for face in members])):
            shapely.prepare(polygon)
            inside = {owner[face] for face in members if polygon.contains(faces[face].representative_point())}
            pieces.append((tuple(dict.fromkeys(rows[at] for at in sorted(inside))), polygon))
    found.merged += len({row for of_it, _ in pieces for row in of_it[1:]})
    return pieces


def _owners(
    faces: list[Any], parts: list[Any], gaps: list[Any], how: Tidying, unit: _Unit, found: Tidied
) -> dict[int, int]:
    """Return of each face the part that it belongs to; faces of the open ground are left out."""
    import shapely

    points = np.array([face.representative_point() for face in faces], dtype=object)
    owner: dict[int, int] = {}
    for face, at in zip(*shapely.STRtree(points).query(parts, predicate="intersects")[::-1].tolist(), strict=True):
        if face in owner:
            found.overlaps += faces[face].area / unit.area
        owner[face] = min(at, owner.get(face, at))
    closing = {int(face) for face in shapely.STRtree(points).query(gaps, predicate="intersects")[1]} if gaps else set()
    small = {face for face, shape in enumerate(faces) if shape.area < how.least * unit.area}
    tree = shapely.STRtree(faces)
    for face in sorted((closing | small) - set(owner)):
        beside = [int(one) for one in tree.query(faces[face], predicate="touches") if int(one) in owner]
        lengths: dict[int, float] = defaultdict(float)
        for one in sorted(beside):
            lengths[owner[one]] += shapely.length(shapely.intersection(faces[one], faces[face]))
        longest = max(lengths.items(), key=lambda pair: (pair[1], -pair[0]), default=(0, 0.0))
        if longest[1] > 0:
            owner[face] = longest[0]
            found.closed += faces[face].area / unit.area
    return owner


def _gaps(parts: list[Any], width: float, unit: _Unit) -> list[Any]:
    """Return the ground between polygons that is narrower than a width in hexes; distances are true ones."""
    import shapely

    scale = np.array(unit.scale)
    true = shapely.transform(shapely.union_all(parts), lambda points: points * scale)
    half = width * unit.hexes / 2
    wide = shapely.buffer(true, half, join_style="mitre", mitre_limit=2.0)
    closed = shapely.difference(shapely.buffer(wide, -half, join_style="mitre", mitre_limit=2.0), true)
    # The mitre of a sharp corner may leave the map.
    closed = shapely.intersection(closed, shapely.box(*(np.array(unit.frame) * np.tile(scale, 2))))
    back = shapely.transform(closed, lambda points: points / scale)
    return [one for one in _polygons(back) if one.area >= _CRUMB]


# -- the end -----------------------------------------------------------------------------------------------------------


def _finish(pieces: Sequence[tuple[tuple[int, ...], Any]], how: Tidying, unit: _Unit, found: Tidied) -> None:
    """Leave corners out, drop what has become too small, and put all in order."""
    import shapely

    listed = [(rows, part) for rows, polygon in pieces for part in _polygons(polygon)]
    polygons: NDArray[Any] = np.array([part for _, part in listed], dtype=object)
    if how.simplify and len(polygons):
        # Corners only go, none moves: what remains is of whole points. Borders in common go on being so.
        tolerance = how.simplify * unit.step
        if how.touching == "as_is":
            polygons = np.array([shapely.coverage_simplify([one], tolerance)[0] for one in polygons], dtype=object)
        else:
            polygons = np.asarray(shapely.coverage_simplify(polygons, tolerance), dtype=object)
    left = {row for rows, _ in pieces for row in rows}  # what rounding leaves nothing of is too small
    for (rows, _), polygon in zip(listed, polygons, strict=True):
        if polygon.area < max(how.least * unit.area, _CRUMB):
            continue
        sound = _no_small_holes(polygon, how.least * unit.area) if how.touching == "as_is" else polygon
        found.footprints.append(Footprint(rows, shapely.normalize(sound)))
    found.footprints.sort(key=lambda one: (one.rows[0], one.polygon.bounds))
    standing = {row for one in found.footprints for row in one.rows}
    found.small = sorted({*found.small, *(left - standing)})
    found.covered = sorted({*found.covered} - standing)
    after = sum(int(shapely.get_num_coordinates(one.polygon)) for one in found.footprints)
    found.corners = (found.corners[0], after)


def _no_small_holes(polygon: Any, least: float) -> Any:
    import shapely

    kept = [ring for ring in polygon.interiors if shapely.Polygon(ring).area >= least]
    return polygon if len(kept) == len(polygon.interiors) else shapely.Polygon(polygon.exterior, kept)
