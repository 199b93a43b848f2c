"""Rasters under hexes: which pixels lie in each, whether they are enough, and how high the ground is there."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.files import refused
from studio.exchange.geodata.raster import Raster, pixel_cells
from studio.exchange.geodata.world import known_crs, transformer
from studio.exchange.geography.data.sources import read_raster
from studio.exchange.geography.work import Work
from studio.grid import apply_affine
from studio.grid.fitting import inverse_affine
from studio.grid.raster import CORNERS

__all__ = ["COARSE", "ENOUGH", "SHOWN", "Pixels", "heights_by_hex", "listed_hexes", "read_pixels"]

ENOUGH = 30
"""Pixels a hex below which chance has a say in what most of them are."""
COARSE = 4
"""Pixels a hex below which a raster says little about single hexes."""
SHOWN = 20
"""Most hexes that a line of the report lists."""
_MANY = 25_000_000  # pixels beyond which only every second or third one is looked at


@dataclass(frozen=True, eq=False)
class Pixels:
    """A raster on the map.

    Attributes
    ----------
    source : str
    raster : Raster
    cells : array of int64, shape (rows, columns)
        Hex of each pixel, -1 off the map.
    known : array of bool, shape (rows, columns)
        Pixels that have a value, those around the map too.
    data : array of bool, shape (rows, columns)
        Pixels on the map that have one.
    counts : array of int64, shape (cells,)
        Pixels with a value in each hex.
    expected : array of float, shape (cells,)
        Pixels that would lie in each hex if the raster covered all of it.
    reliefs : dict of float to array of float32, shape (n,)
        Relief around each pixel of ``where``, by the distance.
    """

    source: str
    raster: Raster
    cells: NDArray[np.int64]
    known: NDArray[np.bool_]
    data: NDArray[np.bool_]
    counts: NDArray[np.int64]
    expected: NDArray[np.float64]
    reliefs: dict[float, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def where(self) -> NDArray[np.int64]:
        """Hex of each pixel that has a value on the map, shape (n,)."""
        return self.cells[self.data]

    @property
    def values(self) -> NDArray[np.float64]:
        """Value of each of them, shape (n,)."""
        return np.asarray(self.raster.values[self.data], dtype=float)

    def share(self, chosen: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the part of the pixels with a value, by hex, that are chosen; 0 where there are none.

        Parameters
        ----------
        chosen : array of bool, shape (n,)
            In the order of ``where``.

        Returns
        -------
        array of float, shape (cells,)
        """
        count = np.bincount(self.where[chosen], minlength=len(self.counts))
        return np.asarray(np.round(count / np.maximum(self.counts, 1), 9))


# -- reading ---------------------------------------------------------------------------------------------------------


def read_pixels(work: Work, source: str, rule: str, step: str) -> Pixels:
    """Return a raster with the hex of each pixel; it is read once, and what is wrong with it reported then.

    Parameters
    ----------
    work : Work
    source : str
        Id of a source.
    rule : str
        What asks for it, for messages.
    step : str
        Of the report.

    Raises
    ------
    DocumentError
        When it cannot be read, has no value on the map, or its pixels are larger than hexes.
    """
    if source in work.pixels:
        return work.pixels[source]
    grid = work.placing.grid
    raster = _thinned(work, source, read_raster(work, source, rule), step)
    cells = pixel_cells(raster, grid, work.placing, raster.crs)
    known = _has_value(raster)
    data = (cells >= 0) & known
    counts = np.bincount(cells[data], minlength=grid.cells)
    found = Pixels(source, raster, cells, known, data, counts, _expected(work, raster))
    file = work.source(source, rule).file
    here = found.expected[grid.present.ravel()]
    if here.size and here.max() < 1:
        message = f"{source}: the pixels are larger than the hexes, {float(np.median(here)):.2g} of them to a hex"
        raise refused(
            file, message, f"take a raster of {COARSE} pixels a hex at least, better {ENOUGH}, or larger hexes"
        )
    if not data.any():
        what = "no pixel lies on the map" if not (cells >= 0).any() else "no pixel on the map has a value"
        raise refused(file, f"{source}: {what}", "check its reference system, and which value stands for no data")
    _report_pixels(work, found, step)
    work.pixels[source] = found
    return found


def _has_value(raster: Raster) -> NDArray[np.bool_]:
    values = raster.values
    some = np.isfinite(values) if values.dtype.kind == "f" else np.ones(values.shape, dtype=bool)
    if raster.empty is not None and math.isfinite(raster.empty):
        some &= values != raster.empty
    return np.asarray(some)


def _thinned(work: Work, source: str, raster: Raster, step: str) -> Raster:
    """Return a raster of which only every second or third pixel is left where there are more than anybody needs."""
    size = raster.values.size
    every = math.ceil(math.sqrt(size / _MANY))
    if every < 2:
        return raster
    first = every // 2
    a, b, c, d, e, f = raster.affine
    shift = first + 0.5 - every / 2  # the middle of a new pixel is that of the one that is left
    affine = (a * every, b * every, c + shift * (a + b), d * every, e * every, f + shift * (d + e))
    text = f"{source} has {size} pixels here; one of {every} is looked at, each way"
    work.report.add(step, "note", text, pixels=size, every=every)
    return raster._replace(values=np.ascontiguousarray(raster.values[first::every, first::every]), affine=affine)


def _expected(work: Work, raster: Raster) -> NDArray[np.float64]:
    """Return how many pixels of a raster, were it endless, are as large as each hex, shape (cells,)."""
    grid = work.placing.grid
    corners = grid.centres[:, None, :] + np.array(CORNERS[grid.orientation])[None]
    x, y = work.placing.to_world(corners.reshape(-1, 2).astype(float)).T
    if raster.crs:
        x, y = transformer(work.placing.crs, raster.crs).transform(x, y)
        system = known_crs(raster.crs)
        if system.is_geographic:  # a hex may lie on both sides of the meridian where longitudes jump
            turn = 2 * math.pi / float(system.axis_info[0].unit_conversion_factor)
            first = np.repeat(x[::6], 6)
            x = first + (x - first + turn / 2) % turn - turn / 2
    with np.errstate(invalid="ignore", over="ignore"):
        px, py = (np.reshape(one, (-1, 6)) for one in apply_affine(inverse_affine(raster.affine), x, y))
        px, py = px - px[:, :1], py - py[:, :1]
        double = (px * np.roll(py, -1, axis=1) - np.roll(px, -1, axis=1) * py).sum(axis=1)
    return np.where(np.isfinite(double), np.abs(double) / 2, 0.0)


def listed_hexes(work: Work, cells: NDArray[Any]) -> tuple[str, ...]:
    """Return the labels of the first hexes, as many as a line of the report lists."""
    return tuple(work.label(int(cell)) for cell in cells[:SHOWN])


def _report_pixels(work: Work, pixels: Pixels, step: str) -> None:
    """Report how many pixels the hexes have, hexes that have none, and chance where they are few."""
    present = work.placing.grid.present.ravel()
    middle = float(np.median(pixels.counts[present & (pixels.counts > 0)]))
    none = np.flatnonzero(present & (pixels.counts == 0))
    add, name = work.report.add, pixels.source
    if len(none):
        text = f"Hexes of which {name} says nothing: {len(none)} of {int(present.sum())}; no pixel in them has a value"
        add(step, "finding", text, listed_hexes(work, none), hexes=len(none))
    partly = np.flatnonzero(present & (pixels.counts > 0) & (pixels.counts < 0.5 * pixels.expected - 1))
    if len(partly):
        text = f"Hexes of which {name} says something, but for less than half of each: {len(partly)}"
        add(step, "finding", text, listed_hexes(work, partly), hexes=len(partly))
    if middle < COARSE:
        text = (
            f"{name} is too coarse: half of the hexes have {middle:g} pixels or fewer, and at least {COARSE} are needed"
        )
        add(step, "finding", text, pixels=middle)
    elif middle < ENOUGH:
        text = f"{name}: half of the hexes have {middle:g} pixels or fewer, and below {ENOUGH} chance has a say"
        add(step, "finding", text, pixels=middle)
    else:
        add(step, "note", f"{name}: half of the hexes have {middle:g} pixels or more", pixels=middle)


# -- heights ---------------------------------------------------------------------------------------------------------


def heights_by_hex(pixels: Pixels) -> dict[str, NDArray[np.float64]]:
    """Return mean, lowest and highest value of the pixels of each hex, and as relief how far these two differ.

    Returns
    -------
    dict of str to array of float, shape (cells,)
        Not a number where there is no pixel.
    """
    where, values = pixels.where, pixels.values
    size, some = len(pixels.counts), pixels.counts > 0
    lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(lowest, where, values)
    np.maximum.at(highest, where, values)
    # Sums of differences from the lowest keep their digits where heights are counted from far away.
    mean = np.bincount(where, weights=values, minlength=size) / np.maximum(pixels.counts, 1)
    found = {"mean": mean, "lowest": lowest, "highest": highest}
    found = {name: np.where(some, one, np.nan) for name, one in found.items()}
    return found | {"relief": found["highest"] - found["lowest"]}
