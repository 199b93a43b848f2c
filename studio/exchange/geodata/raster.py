"""Rasters: pixels with a place in the world, and what most of the pixels of a hex say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, nearest
from studio.exchange.common.files import beside, refused, source_bytes, source_text
from studio.exchange.common.ground import as_level
from studio.exchange.common.shares import most_of
from studio.exchange.geodata.options import RasterRule
from studio.exchange.geodata.world import World, transformer
from studio.files.pictures import PictureFileError, picture_facts
from studio.grid import STEP, HexGrid
from studio.grid.fitting import Affine
from studio.model import LEVEL_LIMITS, MapModel
from studio.rules import Ruleset

__all__ = ["Lying", "Raster", "open_raster", "pixel_cells", "shares_of"]

MAX_PIXELS = 100_000_000
_FEW = 30  # pixels a hex below which what most of them say is chance
_MANY, _BAND = 50_000, 100_000  # pixels from which on a net is tried, and that are looked at in one go
_HAIR, _ROUGH = 0.2, 0.03  # lattice units that a pixel may be off, and the part of meshes that may be rough
_ASC_HEAD = ("ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value")


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


def open_raster(path: Path) -> Raster:
    """Read a GeoTIFF, an ESRI ASCII grid, a picture with a world file, or an elevation file of the studio.

    Raises
    ------
    DocumentError
        When it cannot be read, or says not where it lies.
    """
    ending = path.suffix.lower()
    if ending == ".asc":
        return _ascii(path)
    if ending == ".npz":
        return _arrays(path)
    return _picture(path)


def _ascii(path: Path) -> Raster:
    words = source_text(path).split()
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
        values = np.array(words[at:], dtype=float)
    except (KeyError, ValueError, OverflowError) as error:
        raise refused(path, f"is no ESRI ASCII grid: {error}", "it begins with ncols, nrows, cellsize ...") from error
    if columns < 1 or rows < 1 or values.size != columns * rows:
        raise refused(path, f"holds {values.size} values, allowed {columns} x {rows}", "check that the file is whole")
    affine = (size, 0.0, left, 0.0, -size, bottom + rows * size)
    return Raster(values.reshape(rows, columns), affine, "", head.get("nodata_value"))


def _arrays(path: Path) -> Raster:
    """Read a NumPy archive with ``elevation`` (or its only plane), and ``west, north, step`` or ``affine``."""
    source_bytes(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
    except (ValueError, OSError, EOFError) as error:
        raise refused(path, f"is no NumPy archive: {error}", "check that the file is whole") from error
    planes = [name for name, one in found.items() if one.ndim == 2]
    if not planes or found[planes[0]].size > MAX_PIXELS:
        raise refused(path, "holds no plane of values", "an array of rows north to south is needed")
    values = found[planes[0]]
    numbers = {name: one for name, one in found.items() if one.ndim < 2}
    try:
        if "affine" in numbers:
            affine = tuple(float(one) for one in numbers["affine"].ravel()[:6])
        else:
            west, north = _first(numbers, "west", "left"), _first(numbers, "north", "top")
            step = _first(numbers, "step", "step_deg", "resolution", "cellsize")
            affine = (step, 0.0, west, 0.0, -step, north)
    except (KeyError, TypeError, ValueError) as error:
        raise refused(path, f"does not say where it lies: {error}", "add west, north and step, or affine") from error
    crs = str(numbers["crs"]) if "crs" in numbers else "EPSG:4326"
    return Raster(values, affine, crs, None)  # type: ignore[arg-type]


def _first(numbers: dict[str, NDArray[Any]], *names: str) -> float:
    for name in names:
        if name in numbers:
            return float(numbers[name])
    raise KeyError(names[0])


def _picture(path: Path) -> Raster:
    from PIL import Image

    try:
        facts = picture_facts(path)
    except PictureFileError as error:
        raise DocumentError(str(path), [Fault("$", str(error), "name a GeoTIFF, or a picture")]) from error
    if facts.size[0] * facts.size[1] > MAX_PIXELS:
        raise refused(path, f"has {facts.size[0]} x {facts.size[1]} pixels, allowed {MAX_PIXELS}", "cut out a part")
    with Image.open(path) as image:
        tags = dict(getattr(image, "tag_v2", {}))
        if image.mode not in ("L", "P", "I", "I;16", "F", "1"):
            raise refused(
                path, f"has pixels of the kind {image.mode}, allowed one number each", "save it with one band"
            )
        values = np.asarray(image)
    affine = _tiff_place(tags) or _world_file(path)
    if affine is None:
        raise refused(path, "does not say where it lies", "use a GeoTIFF, or put its world file beside it")
    empty = str(tags.get(42113, "")).strip("\0 ")
    return Raster(values, affine, _tiff_crs(tags), float(empty) if as_number(empty) else None)


def as_number(text: str) -> bool:
    """Tell whether a text is a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _tiff_place(tags: dict[int, Any]) -> Affine | None:
    """Return the affine of a GeoTIFF: its transformation, or its scale with one tie point."""
    matrix, scale, tie = (tags.get(tag) for tag in (34264, 33550, 33922))
    shift = 0.0 if _geo_key(tags, 1025) != 2 else 0.5  # pixels may be named by their middle
    if matrix is not None and len(matrix) >= 8:
        a, b, c, d, e, f = (float(matrix[i]) for i in (0, 1, 3, 4, 5, 7))
    elif scale is not None and tie is not None and len(scale) >= 2 and len(tie) >= 6:
        a, e, b, d = float(scale[0]), -float(scale[1]), 0.0, 0.0
        c, f = float(tie[3]) - a * float(tie[0]), float(tie[4]) - e * float(tie[1])
    else:
        return None
    return a, b, c - shift * (a + b), d, e, f - shift * (d + e)


def _geo_key(tags: dict[int, Any], key: int) -> int:
    keys = tags.get(34735) or ()
    for start in range(4, len(keys) - 3, 4):
        if keys[start] == key and keys[start + 1] == 0:
            return int(keys[start + 3])
    return 0


def _tiff_crs(tags: dict[int, Any]) -> str:
    code = _geo_key(tags, 3072) or _geo_key(tags, 2048)
    return f"EPSG:{code}" if code and code != 32767 else ""


def _world_file(path: Path) -> Affine | None:
    suffix = path.suffix
    for name in (f"{path.stem}{suffix[:2]}{suffix[-1:]}w", f"{path.name}w", f"{path.stem}.wld"):
        file = beside(path, name)
        if file.is_file():
            try:
                a, d, b, e, c, f = (float(word) for word in source_text(file, limit=10_000).split()[:6])
            except ValueError as error:
                raise refused(file, "is no world file", "it holds six numbers, a line each") from error
            return a, b, c - (a + b) / 2, d, e, f - (d + e) / 2  # a world file names pixels by their middle
    return None


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
