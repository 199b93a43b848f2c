"""Files of rasters: what they hold and where it lies, read whole or in part."""

from __future__ import annotations

import math
import warnings
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.files import refused, source_bytes, source_text
from studio.grid.fitting import Affine, FitError, inverse_affine

__all__ = ["MAX_PIXELS", "Raster", "RasterFile", "Window", "open_raster", "raster_file"]

MAX_PIXELS = 100_000_000
"""Most pixels of a raster that are read into memory."""
_ASC_HEAD = ("ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value")

Window: TypeAlias = tuple[int, int, int, int]
"""The first column and row of a part of a raster, and those behind its last."""


class Raster(NamedTuple):
    """A raster.

    Attributes
    ----------
    values : array, shape (rows, columns)
    affine : tuple of 6 floats
        From pixels, (0, 0) being the outer corner of the first, to the world.
    crs : str
        Empty where the file does not say it.
    empty : float or None
        Value of pixels without data.
    """

    values: NDArray[Any]
    affine: Affine
    crs: str
    empty: float | None


class RasterFile(NamedTuple):
    """A file of a raster, whose pixels may not have been read yet.

    Attributes
    ----------
    path : Path
    shape : (int, int)
        Rows and columns.
    affine : tuple of 6 floats
    crs : str
        Empty where the file does not say it.
    empty : float or None
    load : callable
        Returns the values of a window, of every so many pixels each way.
    """

    path: Path
    shape: tuple[int, int]
    affine: Affine
    crs: str
    empty: float | None
    load: Callable[[Window, int], NDArray[Any]]

    def read(self, window: Window | None = None) -> Raster:
        """Read a part of the raster, or all of it; of more pixels than :data:`MAX_PIXELS` only every second or third.

        Raises
        ------
        DocumentError
            When the file breaks off.
        """
        rows, columns = self.shape
        x0, y0, x1, y1 = window or (0, 0, columns, rows)
        every = max(1, math.ceil(math.sqrt((x1 - x0) * (y1 - y0) / MAX_PIXELS)))
        values = self.load((x0, y0, x1, y1), every)
        if values.dtype.kind not in "biuf":
            raise refused(self.path, f"holds {values.dtype.name}, allowed are numbers", "save the heights, or codes")
        a, b, c, d, e, f = self.affine
        shift = every // 2 + 0.5 - every / 2  # the middle of a new pixel is that of the one that is left
        x, y = x0 + shift, y0 + shift
        affine = (a * every, b * every, a * x + b * y + c, d * every, e * every, d * x + e * y + f)
        return Raster(values, affine, self.crs, self.empty)


def open_raster(path: Path) -> Raster:
    """Read a GeoTIFF, an ESRI ASCII grid, a picture with a world file, or an elevation file of the studio.

    Raises
    ------
    DocumentError
        When it cannot be read, or says not where it lies.
    """
    return raster_file(path).read()


def raster_file(path: Path) -> RasterFile:
    """Open the file of a raster; the pixels of pictures are not read yet.

    Raises
    ------
    DocumentError
        When it cannot be read, or says not where it lies.
    """
    from studio.exchange.geodata.tiffs import picture_raster

    reader = {".asc": _ascii, ".npz": _arrays}.get(path.suffix.lower())
    found = reader(path) if reader is not None else RasterFile(path, *picture_raster(path))
    if not _lies_somewhere(found.affine):
        shown = ", ".join(f"{one:g}" for one in found.affine)
        message = f"has pixels without a size, or that lie nowhere ({shown})"
        raise refused(path, message, "mend its affine, or its corner and step")
    return found


def _lies_somewhere(affine: Affine) -> bool:
    """Tell whether an affine can be turned round."""
    try:
        inverse_affine(affine)
    except FitError:
        return False
    return all(map(math.isfinite, affine))


def _held(path: Path, values: NDArray[Any], affine: Affine, crs: str, empty: float | None) -> RasterFile:
    """Return the file of a raster that is in memory."""

    def load(window: Window, every: int) -> NDArray[Any]:
        x0, y0, x1, y1 = window
        return values[y0 + every // 2 : y1 : every, x0 + every // 2 : x1 : every]

    return RasterFile(path, (values.shape[0], values.shape[1]), affine, crs, empty, load)


def _ascii(path: Path) -> RasterFile:
    text = source_text(path)
    words = text[:4000].split()
    head: dict[str, float] = {}
    at = 0
    try:
        while at + 1 < len(words) and words[at].lower() in _ASC_HEAD:
            head[words[at].lower()] = float(words[at + 1])
            at += 2
        columns, rows, size = int(head["ncols"]), int(head["nrows"]), head["cellsize"]
        half = size / 2
        left = head["xllcorner"] if "xllcorner" in head else head["xllcenter"] - half
        bottom = head["yllcorner"] if "yllcorner" in head else head["yllcenter"] - half
        values = _numbers(text.split(maxsplit=at)[at])
    except (KeyError, ValueError, OverflowError, IndexError, DeprecationWarning) as error:
        raise refused(path, f"is no ESRI ASCII grid: {error}", "it begins with ncols, nrows, cellsize ...") from error
    if columns < 1 or rows < 1 or values.size != columns * rows:
        raise refused(path, f"holds {values.size} values, allowed {columns} x {rows}", "check that the file is whole")
    affine = (size, 0.0, left, 0.0, -size, bottom + rows * size)
    return _held(path, values.reshape(rows, columns), affine, "", head.get("nodata_value"))


def _numbers(text: str) -> NDArray[np.float64]:
    """Return numbers with spaces and lines between them; a list of words would be many times as large."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return np.fromstring(text, dtype=float, sep=" ")


def _arrays(path: Path) -> RasterFile:
    """Read a NumPy archive with ``elevation`` (or its only plane), and ``west, north, step`` or ``affine``."""
    source_bytes(path)
    try:
        size = _unpacked(path)
    except zipfile.BadZipFile as error:
        raise refused(path, f"is no NumPy archive: {error}", "check that the file is whole") from error
    if size > 9 * MAX_PIXELS:
        message = f"unpacks to {size} bytes, allowed {9 * MAX_PIXELS}"
        raise refused(path, message, "cut out a part, or save it as a GeoTIFF")
    try:
        with np.load(path, allow_pickle=False) as archive:
            found = {name: one for name in archive.files if isinstance(one := archive[name], np.ndarray)}
    except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, NotImplementedError, zlib.error) as error:
        raise refused(path, f"is no NumPy archive: {error}", "check that the file is whole") from error
    planes = [name for name, one in found.items() if one.ndim == 2]
    if not planes or not 0 < found[planes[0]].size <= MAX_PIXELS:
        raise refused(path, "holds no plane of values", "an array of rows north to south is needed")
    values = found[planes[0]]
    numbers = {name: one for name, one in found.items() if one.ndim < 2}
    try:
        if "affine" in numbers:
            a, b, c, d, e, f = (float(one) for one in numbers["affine"].ravel()[:6])
            affine = (a, b, c, d, e, f)
        else:
            west, north = _first(numbers, "west", "left"), _first(numbers, "north", "top")
            step = _first(numbers, "step", "step_deg", "resolution", "cellsize")
            affine = (step, 0.0, west, 0.0, -step, north)
    except (KeyError, TypeError, ValueError) as error:
        raise refused(path, f"does not say where it lies: {error}", "add west, north and step, or affine") from error
    if "affine" not in numbers and affine[0] < 0:
        message = f"has the step {affine[0]:g}: rows run from north to south, and steps are more than 0"
        raise refused(path, message, "turn the rows round, or give an affine")
    crs = str(numbers["crs"]) if "crs" in numbers else "EPSG:4326"
    return _held(path, values, affine, crs, None)


def _unpacked(path: Path) -> int:
    """Return to how many bytes an archive unpacks."""
    with zipfile.ZipFile(path) as archive:
        return sum(one.file_size for one in archive.infolist())


def _first(numbers: dict[str, NDArray[Any]], *names: str) -> float:
    for name in names:
        if name in numbers:
            return float(numbers[name])
    raise KeyError(names[0])
