"""Rasters: pixels with a place in the world, and what most of the pixels of a hex say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, nearest
from studio.exchange.common.files import refused
from studio.exchange.common.ground import as_level
from studio.exchange.common.shares import most_of
from studio.exchange.geodata.options import RasterRule
from studio.exchange.geodata.rasterfiles import Raster, open_raster
from studio.exchange.geodata.world import World, transformer
from studio.grid import STEP, HexGrid
from studio.grid.fitting import Affine
from studio.model import LEVEL_LIMITS, MapModel
from studio.rules import Ruleset

__all__ = ["Lying", "Raster", "open_raster", "pixel_cells", "shares_of"]

_FEW = 30  # pixels a hex below which what most of them say is chance
_MANY, _BAND = 50_000, 100_000  # pixels from which on a net is tried, and that are looked at in one go
_HAIR, _ROUGH = 0.2, 0.03  # lattice units that a pixel may be off, and the part of meshes that may be rough


# -- pixels to hexes -------------------------------------------------------------------------------------------------


class Lying(Protocol):
    """What says where a lattice lies in the world: :class:`World`, or a placing with a rubber sheet.

    Attributes
    ----------
    crs : str
    real : bool
        It is the real world, so that other reference systems can be turned into it.
    """

    @property
    def crs(self) -> str:
        """Reference system of the map."""

    @property
    def real(self) -> bool:
        """Tell whether it is a place on earth."""

    def to_lattice(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Turn points of the world, shape (n, 2), into the lattice."""


def pixel_cells(raster: Raster, grid: HexGrid, world: Lying, crs: str) -> NDArray[np.int64]:
    """Return the hex of every pixel, -1 off the map; shape (rows, columns).

    Where a projection or a rubber sheet lies between them, the places of most pixels are interpolated from a net that
    is so close that they are off by no more than a two-thousandth of a hex.

    Parameters
    ----------
    raster : Raster
    grid : HexGrid
    world : Lying
    crs : str
        Of the raster; empty for that of the map.
    """
    rows, columns = raster.values.shape
    found = np.empty((rows, columns), dtype=np.int64)
    place = _pixel_place(raster.affine, world, crs)
    net = _close_net(place, rows, columns, grid) if rows * columns >= _MANY else None
    xs = np.arange(columns) + 0.5
    band = max(1, _BAND // columns)
    for start in range(0, rows, band):
        ys = np.arange(start, min(rows, start + band)) + 0.5
        points = place(*np.meshgrid(xs, ys)) if net is None else net.at(xs, ys, place)
        points = np.where(np.isfinite(points), points, -1e9).reshape(-1, 2)
        found[start : start + len(ys)] = grid.cells_at(points).reshape(len(ys), columns)
    return found


_Place: TypeAlias = Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]]


def _pixel_place(affine: Affine, world: Lying, crs: str) -> _Place:
    """Return what turns x and y in pixels, of one shape, into points of the lattice, of that shape and 2."""
    turn = transformer(crs, world.crs) if crs and world.real else None
    a, b, c, d, e, f = affine

    def place(x: NDArray[Any], y: NDArray[Any]) -> NDArray[np.float64]:
        wx, wy = (a * x + b * y + c).ravel(), (d * x + e * y + f).ravel()
        if turn is not None:
            wx, wy = turn.transform(wx, wy)
        return world.to_lattice(np.stack((wx, wy), axis=1)).reshape(*x.shape, 2)

    return place


class _Net(NamedTuple):
    """Points of the lattice at every so many pixels, between which others are interpolated.

    Attributes
    ----------
    points : array of shape (rows, columns, 2)
    step : int
        In pixels.
    rough : array of bool, shape (rows - 1, columns - 1)
        Meshes in which every pixel counts, since something bends there, or is no number.
    """

    points: NDArray[np.float64]
    step: int
    rough: NDArray[np.bool_]

    def at(self, xs: NDArray[Any], ys: NDArray[Any], place: _Place) -> NDArray[np.float64]:
        """Return the points at pixels; shape (len(ys), len(xs), 2)."""
        column, along = np.divmod(xs / self.step, 1.0)
        row, across = np.divmod(ys / self.step, 1.0)
        column, row = column.astype(np.int64), row.astype(np.int64)
        across, along = across[:, None, None], along[None, :, None]
        lines = self.points[row] * (1 - across) + self.points[row + 1] * across
        found = lines[:, column] * (1 - along) + lines[:, column + 1] * along
        rough = self.rough[np.ix_(row, column)]
        if rough.any():
            y, x = np.nonzero(rough)
            found[rough] = place(xs[x], ys[y])
        return np.asarray(found)


def _close_net(place: _Place, rows: int, columns: int, grid: HexGrid) -> _Net | None:
    """Return the widest net that leaves few meshes rough; None where each pixel counts."""
    x0, y0, x1, y1 = grid.frame
    for step in (16, 8, 4):
        knots = [np.arange(0, size + 2 * step, step, dtype=float) for size in (columns, rows)]
        points = place(*np.meshgrid(*knots))
        smooth = _Net(points, step, np.zeros((len(knots[1]) - 1, len(knots[0]) - 1), dtype=bool))
        xs, ys = (one[:-1] + step / 2 for one in knots)
        exact = place(*np.meshgrid(xs, ys))
        x, y = exact[..., 0], exact[..., 1]
        with np.errstate(invalid="ignore"):
            away = (x < x0 - STEP) | (x > x1 + STEP) | (y < y0 - STEP) | (y > y1 + STEP)
            close = (np.abs(exact - smooth.at(xs, ys, place)) <= _HAIR).all(axis=2)
        rough = ~(close | away)
        if rough.mean() <= _ROUGH:
            return smooth._replace(rough=_widened(rough))
    return None


def _widened(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask with all that is beside it."""
    for axis in (0, 1):
        on, back = np.roll(mask, 1, axis=axis), np.roll(mask, -1, axis=axis)
        mask = mask | on | back
    return mask


def shares_of(
    folder: Path, rule: RasterRule, model: MapModel, ruleset: Ruleset, world: World
) -> tuple[dict[int, Any], str]:
    """Return terrain or level by hex, as most of the pixels of a raster say, and a note on it.

    Raises
    ------
    DocumentError
        When the raster cannot be read, or values of it mean nothing; each is listed with how often it is there.
    """
    path = Path(rule.source) if Path(rule.source).is_absolute() else folder / rule.source
    raster = open_raster(path)
    cells = pixel_cells(raster, model.grid, world, rule.crs or raster.crs)
    if not (cells >= 0).any():
        message = "covers no hex of the map"
        raise refused(path, message, "check the coordinate reference systems of both")
    here = raster.values[cells >= 0]
    data = np.isfinite(here.astype(float)) & (here != raster.empty if raster.empty is not None else True)
    names, codes = _coded(path, rule, ruleset, here, data)
    shares, pixels = most_of(cells[cells >= 0], codes, model.grid.cells, max(1, len(names)))
    enough = shares.sum(axis=1) >= np.maximum(1, rule.least * pixels)
    chosen = np.flatnonzero(enough & model.grid.present.ravel())
    winner = shares.argmax(axis=1)
    values = {int(cell): names[int(winner[cell])] for cell in chosen}
    middle = int(np.median(pixels[model.grid.present.ravel()]))
    few = f"; only {middle} pixels a hex, so that chance has a say" if middle < _FEW else ""
    return values, f"{path.name} to {rule.to}: {len(values)} hexes by most of their pixels{few}"


def _coded(
    path: Path, rule: RasterRule, ruleset: Ruleset, here: NDArray[Any], data: NDArray[np.bool_]
) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the terrains or levels that pixels can have, and which each has, -1 for none."""
    if rule.breaks:
        if rule.to != "levels":
            raise refused(path, "breaks make levels, and the rule is for terrain", "give codes")
        names = list(range(len(rule.breaks) + 1))
        found = np.searchsorted(np.array(rule.breaks, dtype=float), here.astype(float), side="right")
        return names, np.where(data, found, -1).astype(np.int64)
    values, inverse, counts = np.unique(np.where(data, here, 0), return_inverse=True, return_counts=True)
    meanings: list[Any] = []
    codes = np.full(len(values), -1, dtype=np.int64)
    faults = []
    for number, value in enumerate(values.tolist()):
        text = str(int(value)) if float(value).is_integer() else str(value)
        if text not in rule.codes:
            if data[inverse.ravel() == number].any():
                message = f"the value {text} ({counts[number]} pixels) means nothing"
                faults.append(Fault("$", message, f"say what it is: codes={{{text!r}: '...'}}"))
            continue
        meaning: Any = rule.codes[text]
        if meaning == "":
            continue
        meaning = as_level(meaning) if rule.to == "levels" else meaning
        low, high = LEVEL_LIMITS
        if rule.to == "terrain" and meaning not in ruleset.terrains:
            faults.append(
                Fault("$", f"unknown terrain {meaning!r}; {nearest(meaning, ruleset.terrains)}", "mend codes")
            )
        elif rule.to == "levels" and (meaning is None or not low <= meaning <= high):
            faults.append(Fault("$", f"got level {rule.codes[text]!r}, allowed {low} to {high}", "mend codes"))
        else:
            if meaning not in meanings:
                meanings.append(meaning)
            codes[number] = meanings.index(meaning)
    if faults:
        raise DocumentError(str(path), faults[:40])
    return meanings, np.where(data, codes[inverse.ravel()], -1).astype(np.int64)
