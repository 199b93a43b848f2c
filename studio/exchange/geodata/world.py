"""Where the lattice of a map lies in the world of its geodata: an affine and a coordinate reference system."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnknownNameError
from studio.grid import HexGrid, Orientation, Stagger
from studio.grid.fitting import Affine, inverse_affine
from studio.model import Georeference, MapModel
from studio.rules import Ruleset

__all__ = ["World", "known_crs", "moved", "place_of", "transformer", "unit_grid", "world_of"]

_LOCAL = (
    'ENGCRS["{name}",EDATUM["Map sheet"],CS[Cartesian,2],AXIS["x",east,ORDER[1],LENGTHUNIT["{unit}",1]],'
    'AXIS["y",north,ORDER[2],LENGTHUNIT["{unit}",1]]]'
)


@dataclass(frozen=True)
class World:
    """The world of a map.

    Attributes
    ----------
    crs : str
        Name or well-known text of the coordinate reference system.
    affine : tuple of 6 floats
        From map units (y down) to the world.
    scale : (float, float)
        Map units a lattice unit.
    real : bool
        The map has a place in the real world; otherwise it is in metres or map units of its own, y up.
    """

    crs: str
    affine: Affine
    scale: tuple[float, float]
    real: bool

    def to_world(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Turn points of the lattice, shape (n, 2), into the world."""
        return moved(self.affine, np.asarray(points, dtype=float) * np.array(self.scale))

    def to_lattice(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Turn points of the world, shape (n, 2), into the lattice."""
        found: NDArray[np.float64] = moved(inverse_affine(self.affine), points) / np.array(self.scale)
        return found

    def shapes_to_world(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """Turn shapes of the lattice into the world; None stays None."""
        import shapely

        return np.asarray(shapely.transform(shapes, self.to_world), dtype=object)

    def shapes_to_lattice(self, shapes: NDArray[Any]) -> NDArray[Any]:
        """Turn shapes of the world into the lattice; None stays None."""
        import shapely

        return np.asarray(shapely.transform(shapes, self.to_lattice), dtype=object)


def world_of(model: MapModel, ruleset: Ruleset) -> World:
    """Return the world of a map: that of its georeference, else metres where the game has them, else map units.

    Raises
    ------
    UnknownNameError
        When the coordinate reference system is unknown.
    """
    return place_of(model.grid, model.georeference, ruleset.catalogue.hex_metres)


def place_of(grid: HexGrid, place: Georeference | None, hex_metres: int = 0) -> World:
    """Return the world of a grid; see :func:`world_of`.

    Raises
    ------
    UnknownNameError
        When the coordinate reference system is unknown.
    """
    if place is not None:
        known_crs(place.crs)
        return World(place.crs, place.affine, grid.scale, True)
    step = grid.hex_height if grid.flat else grid.width
    unit = hex_metres / step if hex_metres else 1.0
    bottom = grid.to_map(*grid.frame[2:])[1] * unit
    name = _LOCAL.format(name="Wargame map, metres" if hex_metres else "Wargame map, map units", unit="metre")
    if not hex_metres:
        name = name.replace('"metre"', '"map unit"')
    return World(name, (unit, 0.0, 0.0, 0.0, -unit, bottom), grid.scale, False)


def unit_grid(
    columns: int, rows: int, *, orientation: Orientation = "flat", stagger: Stagger = "odd", short: bool = False
) -> HexGrid:
    """Return a grid of regular hexes, one map unit across the flats; the affine makes it as large as in the world.

    Raises
    ------
    GridError
        When there is no such grid.
    """
    flat = orientation == "flat"
    wide = 2 / 3**0.5
    return HexGrid(
        columns=columns,
        rows=rows,
        orientation=orientation,
        stagger=stagger,
        hex_width=wide if flat else 1.0,
        hex_height=1.0 if flat else wide,
        short=short,
    )


def moved(affine: Affine, points: NDArray[Any]) -> NDArray[np.float64]:
    """Return points, shape (n, 2), as an affine has them."""
    x, y = np.asarray(points, dtype=float).reshape(-1, 2).T
    a, b, c, d, e, f = affine
    return np.stack((a * x + b * y + c, d * x + e * y + f), axis=1)


def known_crs(name: str) -> Any:
    """Return a coordinate reference system by its name or well-known text.

    Raises
    ------
    UnknownNameError
        When there is none.
    """
    from pyproj import CRS
    from pyproj.exceptions import CRSError

    try:
        return CRS.from_user_input(name)
    except CRSError as error:
        msg = f"unknown coordinate reference system {name[:80]!r}; give one such as 'EPSG:32637'"
        raise UnknownNameError(msg) from error


@lru_cache(maxsize=64)
def transformer(source: str, target: str) -> Any:
    """Return what turns x and y of one reference system into another; longitude, or east, comes first.

    Raises
    ------
    UnknownNameError
        When one of them is unknown.
    """
    from pyproj import Transformer

    return Transformer.from_crs(known_crs(source), known_crs(target), always_xy=True)
