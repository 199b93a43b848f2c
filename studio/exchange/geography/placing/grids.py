"""Where the grid lies on the world: by its corner, by a box that it covers, or by control points of a printed grid."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError, UnknownNameError
from studio.exchange.common.files import refused
from studio.exchange.geodata.world import known_crs, moved, transformer, unit_grid
from studio.exchange.geography.placing.pinning import fit_grid
from studio.exchange.geography.placing.sheet import Sheet
from studio.exchange.geography.spec import BoxRule, ControlPoint, Geography, GridRule
from studio.exchange.geography.work import Report
from studio.grid import HALF, LINE_STEP, MAX_SIZE, STEP, HexGrid
from studio.grid.fitting import Affine, inverse_affine
from studio.model import Georeference

__all__ = ["AROUND", "Placing", "place_grid"]

AROUND = 2
"""Hexes around the map within which data are kept."""
_SMALL, _LARGE = 0.01, 5e6  # hexes in metres that maps may have
_NET = 25  # points along an edge of a box


@dataclass(frozen=True, eq=False)
class Placing:
    """Where the lattice of a map lies in the world.

    Attributes
    ----------
    crs : str
    grid : HexGrid
    affine : tuple of 6 floats
        From map units (y down) to the world.
    sheet : Sheet or None
        What bends the world, as the affine has it, on to the map.
    real : bool
    """

    crs: str
    grid: HexGrid
    affine: Affine
    sheet: Sheet | None = None
    real: bool = True

    @property
    def warped(self) -> bool:
        """True when a rubber sheet lies between the world and the map."""
        return self.sheet is not None

    @property
    def georeference(self) -> Georeference:
        """The affine, as a map keeps it."""
        return Georeference(crs=self.crs, affine=self.affine)

    @property
    def hex_size(self) -> float:
        """From a hex to the next one in units of the world, by the affine."""
        a, b, _, d, e, _ = self.affine
        return math.sqrt(abs(a * e - b * d))

    @property
    def scale(self) -> NDArray[np.float64]:
        """Map units a lattice unit, in x and in y."""
        return np.array(self.grid.scale)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The map and what is kept around it, on the lattice."""
        x0, y0, x1, y1 = self.grid.frame
        more = AROUND * STEP * 2
        return x0 - more, y0 - more, x1 + more, y1 + more

    # -- points --------------------------------------------------------------------------------------------------

    def to_lattice(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Turn points of the world, shape (n, 2), into the lattice."""
        true = self._by_affine(points)
        if self.sheet is not None:
            true = self.sheet.bend(true)
        return np.asarray(true / self.scale, dtype=float)

    def _by_affine(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Turn points of the world into map units by the affine alone."""
        with np.errstate(invalid="ignore"):
            return moved(inverse_affine(self.affine), points)

    def to_world(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Turn points of the lattice, shape (n, 2), into the world."""
        true = np.asarray(points, dtype=float).reshape(-1, 2) * self.scale
        if self.sheet is not None:
            true = self.sheet.unbend(true)
        return moved(self.affine, true)

    def from_degrees(self, lon: Any, lat: Any) -> NDArray[np.float64]:
        """Turn longitudes and latitudes, shape (n,), into points of the lattice; not finite where there are none."""
        x, y = transformer("EPSG:4326", self.crs).transform(
            np.atleast_1d(np.asarray(lon, dtype=float)), np.atleast_1d(np.asarray(lat, dtype=float))
        )
        return self.to_lattice(np.stack((x, y), axis=1))

    def net(self, crs: str, *, around: bool = True, count: int = 33) -> NDArray[np.float64]:
        """Return a net of points over the map in another reference system, shape (count, count, 2)."""
        x0, y0, x1, y1 = self.box if around else self.grid.frame
        x, y = np.meshgrid(np.linspace(x0, x1, count), np.linspace(y0, y1, count))
        points = self.to_world(np.stack((x.ravel(), y.ravel()), axis=1))
        found = np.stack(transformer(self.crs, crs).transform(points[:, 0], points[:, 1]), axis=1)
        return np.asarray(found.reshape(count, count, 2), dtype=float)

    # -- shapes --------------------------------------------------------------------------------------------------

    def shapes(self, shapes: NDArray[Any], crs: str) -> NDArray[Any]:
        """Turn shapes of another reference system into the lattice.

        Parameters
        ----------
        shapes : array of shapely shapes or None
        crs : str

        Returns
        -------
        array of shapely shapes or None
            Long segments bend as the projection and the sheet do. None for what lies beyond the projection.
        """
        import shapely

        shapes = np.asarray(shapes, dtype=object)
        same = crs == self.crs or known_crs(crs) == known_crs(self.crs)
        turn = None if same else transformer(crs, self.crs)
        if turn is not None:
            shapes = self._dense(shapes, self.hex_in(crs))

        def flat(points: NDArray[Any]) -> NDArray[Any]:
            if turn is not None:
                points = np.stack(turn.transform(points[:, 0], points[:, 1]), axis=1)
            return self._by_affine(points) / self.scale

        found = _finite(shapely.transform(shapes, flat))
        if self.sheet is not None:
            sheet = self.sheet
            found = self._dense(found, STEP / 2)
            found = shapely.transform(found, lambda points: sheet.bend(points * self.scale) / self.scale)
        return np.asarray(found, dtype=object)

    def hex_in(self, crs: str) -> float:
        """Return about how large a hex is in units of another reference system, the way in which it is smallest."""
        net = self.net(crs, around=False, count=9)
        x0, y0, x1, y1 = self.grid.frame
        hexes = (x1 - x0) * self.scale[0] / 8, (y1 - y0) * self.scale[1] / 8
        sizes = []
        for axis, count in ((1, hexes[0]), (0, hexes[1])):
            steps = np.hypot(*np.moveaxis(np.diff(net, axis=axis), -1, 0))
            known = steps[np.isfinite(steps) & (steps > 0)]
            sizes.append(float(np.median(known)) / count if len(known) else math.inf)
        return min(sizes)

    @staticmethod
    def _dense(shapes: NDArray[Any], step: float) -> NDArray[Any]:
        """Return shapes none of whose segments is longer than a step, or a hundred-thousandth of all."""
        import shapely

        if not math.isfinite(step):
            return shapes
        lengths = shapely.length(shapes)
        whole = float(lengths[np.isfinite(lengths)].sum())
        long = np.isfinite(lengths) & (lengths > step)
        if not long.any():
            return shapes
        shapes = shapes.copy()
        shapes[long] = shapely.segmentize(shapes[long], max(step, whole / 2_000_000))
        return shapes


def _finite(shapes: NDArray[Any]) -> NDArray[Any]:
    """Return shapes with None in place of those that have a coordinate that is no number."""
    import shapely

    coordinates, owners = shapely.get_coordinates(shapes, return_index=True)
    nowhere = np.unique(owners[~np.isfinite(coordinates).all(axis=1)])
    if len(nowhere):
        shapes = np.array(shapes, dtype=object)
        shapes[nowhere] = None
    return shapes


# -- laying the grid -------------------------------------------------------------------------------------------------


def place_grid(
    spec: Geography, name: str, report: Report, places: Callable[[ControlPoint], tuple[float, float]]
) -> Placing:
    """Lay the grid on the world.

    Parameters
    ----------
    spec : Geography
    name : str
        What messages call the specification.
    report : Report
        Takes the residuals of control points, and how the grid lies.
    places : callable
        Returns longitude and latitude of a control point.

    Returns
    -------
    Placing

    Raises
    ------
    DocumentError
        When nothing or too much says where the grid lies, or the control points fit no grid.
    """
    crs = _map_crs(spec, name)
    rule, fitted = spec.grid, spec.fit is not None and bool(spec.fit.points)
    corner = rule.left is not None or rule.top is not None
    said = [
        word for word, given in (("control points", fitted), ("a box", rule.box), ("left and top", corner)) if given
    ]
    if len(said) != 1:
        got = " and ".join(said) if said else "nothing"
        remedy = "give one of them: [grid.box], left and top in [grid], or [[fit.points]]"
        raise refused(name, f"{got} says where the grid lies, allowed is one of three", remedy, path="$.grid")
    if fitted:
        grid = _grid(rule, rule.columns, rule.rows, name, "the labels of control points need")
        placing = Placing(spec.crs, grid, *fit_grid(spec, grid, name, report, places))
        _compare_size(placing, rule.hex_size, report)
    elif rule.box is not None:
        placing = _on_box(spec, rule.box, crs, name, report)
    else:
        if rule.left is None or rule.top is None:
            raise refused(name, "one of left and top is missing", "give both", path="$.grid")
        _need_size(rule, name)
        grid = _grid(rule, rule.columns, rule.rows, name, "a grid by its corner needs")
        size = rule.hex_size
        placing = Placing(spec.crs, grid, (size, 0.0, rule.left, 0.0, -size, rule.top))
    _check_extent(placing, crs, name, report)
    report.figures["hex_size"] = round(placing.hex_size, 6)
    return placing


def _map_crs(spec: Geography, name: str) -> Any:
    try:
        crs = known_crs(spec.crs)
    except UnknownNameError as error:
        raise refused(name, str(error), 'name one in metres, such as "EPSG:32638"', path="$.crs") from error
    if not crs.is_projected:
        what = "in degrees, in which hexes have no size" if crs.is_geographic else "no plane"
        message = f"{spec.crs[:80]!r} ({crs.name}) is {what}"
        raise refused(name, message, _utm_hint(spec), path="$.crs")
    try:
        transformer("EPSG:4326", spec.crs)
    except RuntimeError as error:  # of pyproj: there is no way from the earth to it
        message = f"{spec.crs[:80]!r} ({crs.name}) is on another planet than longitudes and latitudes are"
        raise refused(name, message, _utm_hint(spec), path="$.crs") from error
    if any(axis.direction.lower() == "west" for axis in crs.axis_info[:2]):
        message = f"{spec.crs[:80]!r} ({crs.name}) counts to the west, and maps count to the east"
        raise refused(name, message, _utm_hint(spec), path="$.crs")
    return crs


def _utm_hint(spec: Geography) -> str:
    """Return the zone of the Universal Transverse Mercator system in which the map lies, as a remedy."""
    box, points = spec.grid.box, [one for one in (spec.fit.points if spec.fit else ()) if one.lon is not None]
    lon = lat = None
    if box is not None:
        lon, lat = (box.west + box.east) / 2, (box.south + box.north) / 2
    elif points:
        lon = float(np.mean([one.lon for one in points]))
        lat = float(np.mean([one.lat or 0.0 for one in points]))
    if lon is None or lat is None:
        return 'name one in metres, such as "EPSG:32638"'
    zone = math.floor((lon + 180) % 360 / 6) + 1
    return f'name one in metres, such as "EPSG:{32600 + zone if lat >= 0 else 32700 + zone}" for this place'


def _grid(rule: GridRule, columns: int, rows: int, name: str, why: str) -> HexGrid:
    if not columns or not rows:
        remedy = "give columns and rows in [grid]"
        raise refused(name, f"got {columns} columns and {rows} rows; {why} both", remedy, path="$.grid")
    try:
        return unit_grid(columns, rows, orientation=rule.orientation or "flat", stagger=rule.stagger, short=rule.short)
    except GridError as error:
        remedy = "give a grid of 1 to 2,000 columns and rows"
        raise refused(name, str(error), remedy, path="$.grid") from error


def _need_size(rule: GridRule, name: str) -> None:
    if not rule.hex_size:
        message = "hex_size is 0, and no control points say how large a hex is"
        raise refused(name, message, "give hex_size in units of the reference system", path="$.grid.hex_size")


def _compare_size(placing: Placing, said: float, report: Report) -> None:
    """Report a hex size of the specification that is another than that of the control points."""
    if said and abs(placing.hex_size / said - 1) > 0.05:
        text = f"hex_size says {said:g}, and the control points say {placing.hex_size:.6g}; the points count"
        report.add("fit", "finding", text, said=said, fitted=placing.hex_size)


def _on_box(spec: Geography, box: BoxRule, crs: Any, name: str, report: Report) -> Placing:
    """Return a grid whose hexes cover a box, as many as it takes, the box in its middle."""
    rule = spec.grid
    _need_size(rule, name)
    west, south, east, north = _box_in_world(spec, box, name)
    size = rule.hex_size
    orientation = rule.orientation or "flat"
    flat = orientation == "flat"
    # On the lattice of a grid of one hex: what the hexes cover without gaps begins half a step within the frame.
    probe = unit_grid(3, 3, orientation=orientation, stagger=rule.stagger)
    sx, sy = probe.scale
    wide, high = (east - west) / size / sx, (north - south) / size / sy
    across, along = (wide, high) if flat else (high, wide)
    lines = max(1, math.ceil((across - (2 * STEP - 2 * HALF)) / LINE_STEP - 1e-9) + 1)
    positions = max(1, math.ceil((along + HALF) / STEP - 1e-9))
    if rule.short:
        positions = max(2, math.ceil((along + 2 * HALF) / STEP - 1e-9))
    columns, rows = (lines, positions) if flat else (positions, lines)
    columns, rows = rule.columns or columns, rule.rows or rows
    if max(columns, rows) > MAX_SIZE:
        least = size * max(columns, rows) / MAX_SIZE
        message = f"the box takes {columns} x {rows} hexes of {size:g}, allowed {MAX_SIZE} each way"
        raise refused(name, message, f"give a hex_size of {least:.3g} or more", path="$.grid.hex_size")
    grid = _grid(rule, columns, rows, name, "a box needs")
    x0, y0, x1, y1 = grid.frame
    left = (west + east) / 2 - size * sx * (x0 + x1) / 2
    top = (south + north) / 2 + size * sy * (y0 + y1) / 2
    digits = _digits(size)
    placing = Placing(spec.crs, grid, (size, 0.0, round(left, digits), 0.0, -size, round(top, digits)))
    text = f"The box takes {columns} columns and {rows} rows of hexes of {size:g}"
    report.add("fit", "decided", text, columns=columns, rows=rows, hex_size=size)
    if columns < (lines if flat else positions) or rows < (positions if flat else lines):
        more = (lines, positions) if flat else (positions, lines)
        text = f"{columns} x {rows} hexes do not cover the box, which takes {more[0]} x {more[1]}"
        report.add("fit", "finding", text)
    return placing


def _digits(size: float) -> int:
    """Return how many decimals a millionth of a hex has."""
    return 6 - math.floor(math.log10(size))


def _box_in_world(spec: Geography, box: BoxRule, name: str) -> tuple[float, float, float, float]:
    """Return the bounds of a box of degrees in the reference system of the map."""
    east = box.east + 360 if box.east < box.west and box.west - box.east > 180 else box.east
    faults = {
        f"west {box.west:g} is not west of east {box.east:g}": box.west >= east,
        f"south {box.south:g} is not south of north {box.north:g}": box.south >= box.north,
        f"latitudes from {box.south:g} to {box.north:g}, allowed -90 to 90": max(abs(box.south), abs(box.north)) > 90,
        f"it is {east - box.west:g} degrees wide, allowed 180": east - box.west > 180,
    }
    for message, wrong in faults.items():
        if wrong:
            remedy = "give west, south, east, north in degrees; are longitude and latitude swapped?"
            raise refused(name, f"the box is none: {message}", remedy, path="$.grid.box")
    lon, lat = np.meshgrid(np.linspace(box.west, east, _NET), np.linspace(box.south, box.north, _NET))
    x, y = transformer("EPSG:4326", spec.crs).transform(lon.ravel(), lat.ravel())
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        message = f"the box reaches beyond what {spec.crs[:80]} can show"
        raise refused(name, message, _utm_hint(spec), path="$.grid.box")
    return float(x.min()), float(y.min()), float(x.max()), float(y.max())


def _check_extent(placing: Placing, crs: Any, name: str, report: Report) -> None:
    """Refuse hexes of no size, or of none on earth, and maps beyond their projection."""
    metres = placing.hex_size * crs.axis_info[0].unit_conversion_factor
    if not _SMALL <= metres <= _LARGE:
        message = f"a hex measures {metres:.3g} metres, allowed {_SMALL:g} to {_LARGE:g}"
        raise refused(name, message, "check hex_size, or the control points and their labels", path="$.grid")
    degrees = placing.net("EPSG:4326", around=False)
    back = transformer("EPSG:4326", placing.crs).transform(degrees[..., 0].ravel(), degrees[..., 1].ravel())
    net = placing.net(placing.crs, around=False).reshape(-1, 2)
    off = np.hypot(back[0] - net[:, 0], back[1] - net[:, 1])
    if not np.isfinite(degrees).all() or not (off < 0.1 * placing.hex_size).all():
        message = f"the map reaches beyond what {placing.crs[:80]} can show"
        raise refused(name, message, "check hex_size, columns, rows and where the grid lies, or name another crs")
    use = crs.area_of_use
    lon, lat = degrees[16, 16]
    if use is not None:
        inside = (use.west <= lon <= use.east) if use.west <= use.east else (lon >= use.west or lon <= use.east)
        if not inside or not use.south <= lat <= use.north:
            text = (
                f"The map's middle, {lon:.3f} {lat:.3f}, lies outside the area that {placing.crs[:80]} is made for "
                f"({use.west:g} to {use.east:g} east, {use.south:g} to {use.north:g} north), so distances are stretched"
            )
            report.add("fit", "finding", text)
