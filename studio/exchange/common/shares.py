"""What covers a hex: its pixels, counted, and the polygons on it, by area; always the whole table, not the winner."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import HexGrid
from studio.grid.raster import CORNERS

__all__ = ["cover_by_hex", "covered", "most_of", "reached"]

_DIGITS = 9  # of a share; what lies beyond is rounding of coordinates
_GRAIN = 2.0**-24
"""Lattice units that points are rounded to where polygons are cut: without it, a hole of no width, such as is left
between two borders that are the same but for the last digit, can make the cut of a whole hex an empty one."""
_MOST = 200  # vertices of a piece of a polygon
_HALVINGS = 40  # more of them would only be needed by vertices that all lie on one point
_POLYGON = 3  # shapely's number of its type; what is beyond it consists of parts


def most_of(
    cells: NDArray[np.int64], codes: NDArray[np.int64], size: int, count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every hex how many of its pixels have each code, and how many there are.

    Parameters
    ----------
    cells : array of int64
        Hex of each pixel, -1 for none.
    codes : array of int64
        Code of each pixel, -1 for none.
    size : int
        Number of hexes.
    count : int
        Number of codes.

    Returns
    -------
    shares : array of int64, shape (size, count)
    pixels : array of int64, shape (size,)
    """
    inside = cells >= 0
    pixels = np.bincount(cells[inside], minlength=size)
    known = inside & (codes >= 0)
    shares = np.bincount(cells[known] * count + codes[known], minlength=size * count).reshape(size, count)
    return shares, pixels


def reached(shares: NDArray[np.float64], least: float) -> NDArray[np.bool_]:
    """Tell which shares are at least so large; what is not there at all reaches nothing, not even 0."""
    return np.asarray((shares > 0) & (shares >= least - 10.0**-_DIGITS))


def cover_by_hex(grid: HexGrid, polygons: NDArray[Any]) -> NDArray[np.float64]:
    """Return the part of each hex, by area, that polygons on the lattice cover together; float, shape (cells,).

    Parameters
    ----------
    grid : HexGrid
    polygons : array of shapely geometries
        They may overlap; what is no polygon is left out. Those that are not valid are mended.
    """
    import shapely

    cells = np.flatnonzero(grid.present)
    corners = grid.centres[cells][:, None, :] + np.array(CORNERS[grid.orientation])[None]
    found = np.zeros(grid.cells)
    found[cells] = covered(shapely.polygons(corners.astype(float)), polygons)
    return found


def covered(shapes: NDArray[Any], polygons: NDArray[Any]) -> NDArray[np.float64]:
    """Return the part of each shape that polygons cover together: of its area, or of its length where it is a line.

    Parameters
    ----------
    shapes : array of shapely geometries, shape (n,)
        All of them polygons, or all of them lines that do not cross themselves. What of a line runs on the border of a
        polygon is covered.
    polygons : array of shapely geometries
        They may overlap; what is no polygon is left out. Those that are not valid are mended.

    Returns
    -------
    array of float, shape (n,)
        0 to 1, rounded to nine digits.
    """
    import shapely

    found = np.zeros(len(shapes))
    if not len(shapes):
        return found
    x0, y0, x1, y1 = shapely.total_bounds(shapes).tolist()
    more = (x1 - x0 + y1 - y0) / 100  # so that an upright line lies in a frame that has a width
    pieces = _small(polygons, (x0 - more, y0 - more, x1 + more, y1 + more))
    if not len(pieces):
        return found
    measure = _line_part if shapely.get_dimensions(shapes[0]) == 1 else _area_part
    tree = shapely.STRtree(pieces)
    found[np.unique(tree.query(shapes, predicate="within")[0])] = 1.0
    rest = np.flatnonzero(found == 0)
    which, piece = tree.query(shapes[rest], predicate="intersects")
    order = np.lexsort((piece, which))
    which, piece = which[order], piece[order]
    cuts = shapely.intersection(shapes[rest[which]], pieces[piece], grid_size=_GRAIN)
    starts = np.flatnonzero(np.diff(which, prepend=-1))
    ends = np.append(starts, len(which))[1:]
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        one = rest[which[start]]
        found[one] = measure(shapes[one], cuts[start:end])
    rounded: NDArray[np.float64] = np.minimum(np.round(found, _DIGITS), 1.0)
    return rounded


def _area_part(shape: Any, cuts: NDArray[Any]) -> float:
    """Return the part of a polygon that pieces of it cover; those of two polygons may overlap."""
    import shapely

    one = cuts[0] if len(cuts) == 1 else shapely.union_all(cuts, grid_size=_GRAIN)
    return float(shapely.area(one) / shapely.area(shape))


def _line_part(shape: Any, cuts: NDArray[Any]) -> float:
    """Return the part of a line that pieces of it cover.

    The union of lines that overlap is theirs only where they agree to the last digit; the ways along the line have an
    order, and are merged in it.
    """
    import shapely

    parts = shapely.get_parts(shapely.get_parts(cuts))
    parts = parts[shapely.get_dimensions(parts) == 1]
    ends = [shapely.line_locate_point(shape, shapely.get_point(parts, at)).tolist() for at in (0, -1)]
    reached_to = total = 0.0
    for first, last in sorted((min(pair), max(pair)) for pair in zip(*ends, strict=True)):
        total += max(0.0, last - max(first, reached_to))
        reached_to = max(reached_to, last)
    return total / float(shapely.length(shape))


def _small(polygons: NDArray[Any], frame: tuple[float, ...]) -> NDArray[Any]:
    """Return what lies of polygons in a frame, cut into pieces of few vertices, so that each costs little to cut."""
    import shapely

    parts = _polygons(np.asarray(polygons, dtype=object))
    parts = parts[shapely.intersects(parts, shapely.box(*frame))]
    beyond = ~shapely.within(parts, shapely.box(*frame))
    # An overlay of a whole coast takes a second, a clip a hundredth; what it leaves unclean is mended below.
    parts[beyond] = [shapely.clip_by_rect(one, *frame) for one in parts[beyond]]
    done: list[NDArray[Any]] = []
    for _ in range(_HALVINGS):
        parts = shapely.get_parts(parts)
        large = shapely.get_num_coordinates(parts) > _MOST
        done.append(parts[~large])
        parts = np.array([half for one in parts[large] for half in _halves(one)], dtype=object)
        if not len(parts):
            break
    return _polygons(np.concatenate([*done, parts]))


def _halves(shape: Any) -> tuple[Any, Any]:
    """Return a shape cut in half across its longer side."""
    import shapely

    x0, y0, x1, y1 = shape.bounds
    if x1 - x0 >= y1 - y0:
        x = (x0 + x1) / 2
        return shapely.clip_by_rect(shape, x0, y0, x, y1), shapely.clip_by_rect(shape, x, y0, x1, y1)
    y = (y0 + y1) / 2
    return shapely.clip_by_rect(shape, x0, y0, x1, y), shapely.clip_by_rect(shape, x0, y, x1, y1)


def _polygons(shapes: NDArray[Any]) -> NDArray[Any]:
    """Return the polygons among shapes, each by itself, mended where they are not valid."""
    import shapely

    # Each part is mended by itself: one without an area would break the mending of the whole.
    shapes = _single(shapes[~(shapely.is_missing(shapes) | shapely.is_empty(shapes))])
    bad = ~shapely.is_valid(shapes)
    if bad.any():
        shapes[bad] = shapely.make_valid(shapes[bad])
        shapes = _single(shapes)
    found: NDArray[Any] = shapes[(shapely.get_type_id(shapes) == _POLYGON) & (shapely.area(shapes) > 0)]
    return found


def _single(shapes: NDArray[Any]) -> NDArray[Any]:
    """Return the parts of shapes, and the parts of those that are collections again."""
    import shapely

    parts = shapely.get_parts(shapes)
    while (shapely.get_type_id(parts) > _POLYGON).any():
        parts = shapely.get_parts(parts)
    return np.asarray(parts, dtype=object)
