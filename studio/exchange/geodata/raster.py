"""Rasters: pixels with a place in the world, and what most of the pixels of a hex say."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, Fault, nearest
from studio.exchange.common.files import beside, refused, source_bytes, source_text
from studio.exchange.common.ground import as_level
from studio.exchange.common.shares import most_of
from studio.exchange.geodata.options import RasterRule
from studio.exchange.geodata.world import World, known_crs
from studio.files.pictures import PictureFileError, picture_facts
from studio.grid import HexGrid
from studio.grid.fitting import Affine
from studio.model import LEVEL_LIMITS, MapModel
from studio.rules import Ruleset

__all__ = ["Raster", "open_raster", "shares_of"]

MAX_PIXELS = 100_000_000
_FEW = 30  # pixels a hex below which what most of them say is chance
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


def pixel_cells(raster: Raster, grid: HexGrid, world: World, crs: str) -> NDArray[np.int64]:
    """Return the hex of every pixel, -1 off the map; shape (rows, columns).

    Parameters
    ----------
    raster : Raster
    grid : HexGrid
    world : World
    crs : str
        Of the raster; empty for that of the map.
    """
    rows, columns = raster.values.shape
    found = np.empty((rows, columns), dtype=np.int64)
    turn = None
    if crs and world.real:
        from pyproj import Transformer

        turn = Transformer.from_crs(known_crs(crs), known_crs(world.crs), always_xy=True)
    a, b, c, d, e, f = raster.affine
    xs = np.arange(columns) + 0.5
    band = max(1, 2_000_000 // columns)
    for start in range(0, rows, band):
        ys = np.arange(start, min(rows, start + band)) + 0.5
        x, y = (axis.ravel() for axis in np.meshgrid(xs, ys))
        wx, wy = a * x + b * y + c, d * x + e * y + f
        if turn is not None:
            wx, wy = turn.transform(wx, wy)
        points = world.to_lattice(np.stack((wx, wy), axis=1))
        points = np.where(np.isfinite(points), points, -1e9)
        found[start : start + len(ys)] = grid.cells_at(points).reshape(len(ys), columns)
    return found


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
