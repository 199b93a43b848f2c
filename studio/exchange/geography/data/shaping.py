"""Shapes of the world made shapes of the map: of one kind, valid, cut to the map and what lies around it."""

from __future__ import annotations

import contextlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.exchange.geodata.world import known_crs
from studio.exchange.geography.placing.grids import Placing

__all__ = ["WORDS", "Box", "Boxes", "Laid", "lay_shapes", "map_boxes", "thinned"]

Box = tuple[float, float, float, float]
WORDS = {"point": "points", "line": "lines", "area": "polygons"}
"""Kinds of shapes, in words."""
_DIMENSION = {"point": 0, "line": 1, "area": 2}
_GRAIN = 1e-9  # part of its size to which the points of a polygon that cannot be mended are rounded
_FINE = 50  # parts of a hex's radius that lines are simplified to


class Boxes(NamedTuple):
    """Where a map lies in another reference system.

    Attributes
    ----------
    parts : tuple of Box
        x0, y0, x1, y1; two where the map lies on both sides of the 180th meridian, none where nobody knows.
    degrees : bool
        They are longitudes and latitudes.
    """

    parts: tuple[Box, ...]
    degrees: bool

    @property
    def one(self) -> Box | None:
        """The only part, by which a file can be asked; None otherwise."""
        return self.parts[0] if len(self.parts) == 1 else None


@dataclass
class Laid:
    """What was seen while shapes were laid.

    Attributes
    ----------
    out : Counter
        Rows that are left out, by why.
    mended : int
        Invalid polygons that were made valid.
    vertices : int
    """

    out: Counter[str] = field(default_factory=Counter)
    mended: int = 0
    vertices: int = 0


def map_boxes(placing: Placing, crs: str) -> Boxes:
    """Return the bounds of the map, and of what lies around it, in another reference system."""
    system = known_crs(crs)
    degrees = bool(system.is_geographic)
    net = placing.net(crs)
    if not np.isfinite(net).all():
        return Boxes((), degrees)
    x, y = net[..., 0], net[..., 1]
    turn = 360.0
    if degrees:
        unit = system.axis_info[0].unit_conversion_factor / np.radians(1.0)  # some systems count in grads
        turn = 360.0 / unit
        middle = x[x.shape[0] // 2, x.shape[1] // 2]
        x = (x - middle + turn / 2) % turn - turn / 2 + middle
    x0, y0, x1, y1 = float(x.min()), float(y.min()), float(x.max()), float(y.max())
    more = 0.01 * max(x1 - x0, y1 - y0)  # edges may bulge between the points of the net
    x0, y0, x1, y1 = x0 - more, y0 - more, x1 + more, y1 + more
    if not degrees:
        return Boxes(((x0, y0, x1, y1),), False)
    half = turn / 2
    if x1 - x0 > 0.75 * half:  # around a pole
        low, high = (-half, y1) if y0 + y1 < 0 else (y0, half)
        return Boxes(((-half, min(low, y0), half, max(high, y1)),), True)
    if x0 < -half or x1 > half:
        west = (x0, y0, half, y1) if x1 > half else (x0 + turn, y0, half, y1)
        east = (-half, y0, x1 - turn, y1) if x1 > half else (-half, y0, x1, y1)
        return Boxes((west, east), True)
    return Boxes(((x0, y0, x1, y1),), True)


class _Rows:
    """Rows that are left, with their shapes.

    Parameters
    ----------
    shapes : array of shapely shapes or None
    laid : Laid
    """

    def __init__(self, shapes: NDArray[Any], laid: Laid) -> None:
        self.shapes, self.laid = shapes, laid
        self.rows = np.arange(len(shapes))

    def keep(self, mask: NDArray[np.bool_], why: str = "") -> None:
        """Leave the others out, and count them where there is a reason that somebody should know."""
        if why and not mask.all():
            self.laid.out[why] += int((~mask).sum())
        self.shapes, self.rows = self.shapes[mask], self.rows[mask]

    def keep_some(self, why: str = "") -> None:
        """Leave out what is missing or empty."""
        import shapely

        self.keep(~(shapely.is_missing(self.shapes) | shapely.is_empty(self.shapes)), why)


def lay_shapes(
    geometry: NDArray[Any],
    crs: str,
    boxes: Boxes,
    placing: Placing,
    kind: Literal["point", "line", "area"],
    laid: Laid,
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the shapes of rows on the lattice, and the numbers of those rows.

    Parameters
    ----------
    geometry : array of bytes or None
        Well-known binary.
    crs : str
    boxes : Boxes
        Where the map lies in that system.
    placing : Placing
    kind : {"point", "line", "area"}
    laid : Laid
        Is added to.
    """
    import shapely

    left = _Rows(shapely.from_wkb(geometry, on_invalid="ignore"), laid)
    unread = shapely.is_missing(left.shapes) & np.array([one is not None for one in geometry], dtype=bool)
    left.keep(~unread, "shapes that cannot be read, such as surfaces in space")
    left.keep_some("empty shapes")
    left.shapes = _parts_of(left.shapes, kind)
    left.keep(~shapely.is_missing(left.shapes), f"no {WORDS[kind]}")
    _keep_known(left, boxes.degrees and kind != "point")
    if boxes.parts:
        left.keep(np.logical_or.reduce([_touching(left.shapes, part) for part in boxes.parts]))
    if kind != "point":
        # Thinned first: to mend and to cut takes much longer where there are many points.
        _thin(left, placing.hex_in(crs) / 3**0.5 / _FINE, kind)
        left.shapes = _clipped(left.shapes, boxes) if boxes.parts else left.shapes
        left.keep_some()
    left.shapes = placing.shapes(left.shapes, crs)
    left.keep(~shapely.is_missing(left.shapes), f"beyond what {placing.crs[:80]} can show")
    left.keep(_touching(left.shapes, placing.box))
    if kind == "area":
        left.shapes = _valid(left.shapes)
    left.shapes = _parts_of(_cut(left.shapes, placing.box), kind)
    left.keep_some()
    return left.shapes, left.rows


def _keep_known(left: _Rows, around: bool) -> None:
    """Leave out shapes with coordinates that are no numbers, and those that are drawn all around the earth."""
    import shapely

    coordinates, owners = shapely.get_coordinates(left.shapes, return_index=True)
    left.laid.vertices += len(coordinates)
    known = np.ones(len(left.shapes), dtype=bool)
    known[owners[~np.isfinite(coordinates).all(axis=1)]] = False
    del coordinates, owners
    left.keep(known, "a coordinate is no number")
    if around:
        left.keep(~_wrapped(left.shapes), "drawn across the 180th meridian, where they must be cut")


def _thin(left: _Rows, tolerance: float, kind: str) -> None:
    """Thin lines and polygons, and make polygons valid; those that were not so are counted."""
    import shapely

    whole, left.shapes = left.shapes, thinned(left.shapes, tolerance)
    if kind == "area" and len(whole):
        wrong = ~shapely.is_valid(left.shapes)
        left.laid.mended += int((~shapely.is_valid(whole[wrong])).sum())
        left.shapes = _valid(left.shapes)


def thinned(shapes: NDArray[Any], tolerance: float) -> NDArray[Any]:
    """Return lines and polygons with fewer points; polygons need not be valid, and lose parts that shrink to nothing.

    Rings are thinned as lines, since what simplifies polygons as such takes those that cross themselves apart first,
    and may lose half of them.
    """
    import shapely

    if not len(shapes) or shapely.get_dimensions(shapes).max() < 2:
        return np.asarray(shapely.simplify(shapes, tolerance, preserve_topology=False), dtype=object)
    parts, owners = shapely.get_parts(shapes, return_index=True)
    rings, homes = shapely.get_rings(parts, return_index=True)
    first = np.r_[True, homes[1:] != homes[:-1]]  # of the rings of a polygon, the first goes around it
    rings = shapely.simplify(rings, tolerance, preserve_topology=False)
    whole = shapely.get_num_coordinates(rings) >= 4
    alive = np.zeros(len(parts), dtype=bool)
    alive[homes[first & whole]] = True
    keep = whole & alive[homes]
    number = np.cumsum(alive) - 1
    found = np.full(len(shapes), shapely.Polygon(), dtype=object)
    if alive.any():
        made = shapely.polygons(rings[keep], indices=number[homes[keep]])
        owners = owners[alive]
        rows, counts = np.unique(owners, return_counts=True)
        found[rows[counts == 1]] = made[np.isin(owners, rows[counts == 1])]
        several = np.isin(owners, rows[counts > 1])
        if several.any():
            shapely.multipolygons(made[several], indices=owners[several], out=found)
    return found


def _parts_of(shapes: NDArray[Any], kind: str) -> NDArray[Any]:
    """Return shapes with only what is of a kind; None for those that have nothing of it."""
    import shapely

    if not len(shapes):
        return shapes
    types = shapely.get_type_id(shapes)
    dimension = shapely.get_dimensions(shapes)
    plain = (dimension == _DIMENSION[kind]) & (types != 7)
    found = np.array(shapes, dtype=object)
    found[~plain] = None
    # A ring is a line that is closed.
    for row in np.flatnonzero(plain & (types == 2)).tolist():
        found[row] = shapely.linestrings(shapely.get_coordinates(found[row]))
    for row in np.flatnonzero(types == 7).tolist():
        parts = _simple(shapes[row])
        parts = parts[shapely.get_dimensions(parts) == _DIMENSION[kind]] if len(parts) else parts
        if len(parts):
            make = {"point": shapely.multipoints, "line": shapely.multilinestrings, "area": shapely.multipolygons}[kind]
            found[row] = parts[0] if len(parts) == 1 else make(parts)
    return found


def _simple(shape: Any) -> NDArray[Any]:
    """Return the simple shapes of a collection, those of collections in it too."""
    import shapely

    parts = shapely.get_parts(shape)
    while len(parts) and (shapely.get_type_id(parts) > 3).any():
        parts = shapely.get_parts(parts)
    return np.asarray(parts[~shapely.is_empty(parts)], dtype=object)


def _wrapped(shapes: NDArray[Any]) -> NDArray[np.bool_]:
    """Tell which shapes jump from one side of the 180th meridian to the other, all around the earth."""
    import shapely

    found = np.zeros(len(shapes), dtype=bool)
    x0, _, x1, _ = shapely.bounds(shapes).reshape(-1, 4).T
    for row in np.flatnonzero(x1 - x0 > 180).tolist():
        parts = shapely.get_parts(shapes[row])
        rings = shapely.get_rings(parts) if shapely.get_dimensions(shapes[row]) == 2 else parts
        coordinates, owners = shapely.get_coordinates(rings, return_index=True)
        x = coordinates[:, 0]
        jump = (np.abs(np.diff(x)) > 180) & (owners[1:] == owners[:-1])
        jump &= (np.abs(x[1:]) > 90) & (np.abs(x[:-1]) > 90)
        # From edge to edge of a world map is the frame of polygons such as Antarctica, and no jump.
        jump &= ~((np.abs(x[1:]) >= 180 - 1e-9) & (np.abs(x[:-1]) >= 180 - 1e-9))
        found[row] = bool(jump.any())
    return found


def _touching(shapes: NDArray[Any], box: Box) -> NDArray[np.bool_]:
    """Tell which shapes have bounds that touch a box."""
    import shapely

    x0, y0, x1, y1 = shapely.bounds(shapes).reshape(-1, 4).T
    with np.errstate(invalid="ignore"):
        return np.asarray((x0 <= box[2]) & (x1 >= box[0]) & (y0 <= box[3]) & (y1 >= box[1]), dtype=bool)


def _valid(shapes: NDArray[Any]) -> NDArray[Any]:
    """Return polygons made valid; those that are left without an area are empty."""
    import shapely

    wrong = ~shapely.is_valid(shapes)
    if wrong.any():
        shapes = np.array(shapes, dtype=object)
        shapes[wrong] = _parts_of(_mended(shapes[wrong]), "area")
        shapes[shapely.is_missing(shapes)] = shapely.Polygon()
    return shapes


def _mended(shapes: NDArray[Any]) -> NDArray[Any]:
    """Return what invalid polygons cover: each part is mended by itself, and what several parts cover counts once.

    Mended as a whole, a shape would lose what two of its parts cover, and one part without an area may spoil it all.
    """
    import shapely

    parts, owners = shapely.get_parts(shapes, return_index=True)
    wrong = np.flatnonzero(~shapely.is_valid(parts))
    parts[wrong] = _parts_of(_made_valid(parts[wrong]), "area")
    found = np.full(len(shapes), shapely.Polygon(), dtype=object)
    some = ~shapely.is_missing(parts)
    parts, owners = parts[some], owners[some]
    edges = np.searchsorted(owners, np.arange(len(shapes) + 1))
    for row in np.unique(owners).tolist():
        own = parts[edges[row] : edges[row + 1]]
        found[row] = own[0] if len(own) == 1 else shapely.union_all(own)
    return found


def _made_valid(polygons: NDArray[Any]) -> NDArray[Any]:
    """Return single polygons made valid."""
    import shapely

    try:
        return np.asarray(shapely.make_valid(polygons), dtype=object)
    except shapely.errors.GEOSException:
        if len(polygons) > 1:
            return np.concatenate([_made_valid(one) for one in np.array_split(polygons, min(len(polygons), 8))])
    # A ring with hardly an area, or that runs back on itself.
    found = np.empty(1, dtype=object)
    found[0] = _by_other_means(polygons, float(np.ptp(shapely.get_coordinates(polygons), axis=0).max()) * _GRAIN)
    return found


def _by_other_means(part: NDArray[Any], grain: float) -> Any:
    """Return the area of a polygon that GEOS cannot mend; an empty one where nobody can."""
    import shapely

    for way in ("round", "structure", "buffer"):
        with contextlib.suppress(shapely.errors.GEOSException):
            if way == "round":
                return shapely.make_valid(shapely.set_precision(part, grain, mode="pointwise"))[0]
            if way == "structure":
                return shapely.make_valid(part, method="structure", keep_collapsed=False)[0]
            return shapely.buffer(part, 0.0)[0]
    return shapely.Polygon()


def _clipped(shapes: NDArray[Any], boxes: Boxes) -> NDArray[Any]:
    """Return shapes cut to the boxes; what reaches into several is in several parts."""
    import shapely

    parts = [_cut(shapes, part) for part in boxes.parts]
    if len(parts) == 1:
        return parts[0]
    one, two = parts
    both = ~shapely.is_empty(one) & ~shapely.is_empty(two)
    found = np.where(shapely.is_empty(one), two, one)
    for row in np.flatnonzero(both).tolist():
        simple = np.concatenate((_simple(one[row]), _simple(two[row])))
        found[row] = shapely.geometrycollections(simple)
        kind = {0: "point", 1: "line", 2: "area"}[int(shapely.get_dimensions(found[row]))]
        found[row] = _parts_of(found[row : row + 1], kind)[0]
    return np.asarray(found, dtype=object)


def _cut(shapes: NDArray[Any], box: Box) -> NDArray[Any]:
    """Return shapes cut to a box; those within it as they are."""
    import shapely

    if not len(shapes):
        return shapes
    x0, y0, x1, y1 = shapely.bounds(shapes).reshape(-1, 4).T
    out = ~((x0 >= box[0]) & (x1 <= box[2]) & (y0 >= box[1]) & (y1 <= box[3]))
    if not out.any():
        return shapes
    found = np.array(shapes, dtype=object)
    found[out] = shapely.intersection(found[out], shapely.box(*box))
    return found
