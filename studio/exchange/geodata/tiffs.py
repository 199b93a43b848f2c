"""Rasters in pictures: GeoTIFF, and others with a world file beside them.

Pillow reads what most people have. The library rasterio, where it is installed, reads all other GeoTIFFs: larger ones,
of which only the part that a map needs is read then, and those with pixels or a compression that Pillow does not know.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError
from studio.exchange.common.files import beside, need_library, refused, source_text
from studio.files.pictures import PictureFileError, opened_picture
from studio.files.regular import open_regular
from studio.grid.fitting import Affine

__all__ = ["picture_raster"]

_MOST = 100_000_000  # pixels that Pillow decodes, since it decodes all of them
_STRIP = 20_000_000  # pixels that are read in one go where most are left out
_TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
_INSTALL = "pip install 'wargame-studio[raster]', which reads it"
_MODES = ("L", "P", "I", "F", "1")

_Found: TypeAlias = "tuple[tuple[int, int], Affine, str, float | None, Callable[[tuple[int, int, int, int], int], Any]]"


def picture_raster(path: Path) -> _Found:
    """Return rows and columns, affine, reference system and the empty value of a raster, and what loads its values.

    Raises
    ------
    DocumentError
        When it cannot be read, has more than one number a pixel, or does not say where it lies.
    """
    head = _head(path)
    try:
        with opened_picture(path) as (image, _):
            facts = _Facts(image)
    except PictureFileError as error:
        if head not in _TIFF:
            remedy = "name a GeoTIFF, an ESRI ASCII grid (.asc), a NumPy archive (.npz), or a picture with a world file"
            raise refused(path, "is no raster that can be read", remedy) from error
        return _by_rasterio(path, "has pixels or a compression that Pillow does not read")
    if facts.bands > 1:
        message = f"has {facts.bands} numbers each pixel, allowed is one"
        raise refused(path, message, f"take one of them: gdal_translate -b 1 {path.name} one.tif")
    if why := facts.unread:
        if head in _TIFF:
            return _by_rasterio(path, why)
        raise refused(path, why, "cut out a part, or save it as a GeoTIFF with one number each pixel")
    affine = _tiff_place(facts.tags) or _world_file(path)
    if affine is None:
        raise refused(path, "does not say where it lies", "use a GeoTIFF, or put its world file beside it")
    scale, offset = _scaling(facts.tags)
    empty = _empty(facts.tags)

    def load(window: tuple[int, int, int, int], every: int) -> NDArray[Any]:
        try:
            with opened_picture(path) as (image, _):
                raw = _unscaled_codes(np.asarray(image.crop(window)), facts.coding)
        except PictureFileError as error:
            raise refused(
                path, f"cannot be decoded: {error.__cause__ or error}", "check that the file is whole"
            ) from error
        return _scaled(raw[every // 2 :: every, every // 2 :: every], scale, offset, empty)

    columns, rows = facts.size
    crs = _tiff_crs(facts.tags) or _crs_by_rasterio(path, head)
    return (rows, columns), affine, crs, _left(empty, scale, offset), load


def _head(path: Path) -> bytes:
    try:
        with open(open_regular(path), "rb") as file:
            return file.read(4)
    except (OSError, ValueError) as error:
        raise refused(path, f"cannot be read: {error}", "check the path and the right to read it") from error


class _Facts:
    """What a picture says of itself before it is decoded.

    Attributes
    ----------
    tags : dict of int to object
    size : (int, int)
    bands : int
        Numbers each pixel.
    coding : str
        How Pillow unpacks pixels.
    unread : str
        Why Pillow cannot read it as it is; empty where it can.
    """

    def __init__(self, image: Any) -> None:
        self.tags = dict(getattr(image, "tag_v2", {}))
        self.size: tuple[int, int] = image.size
        self.bands = max(len(image.getbands()), int(self.tags.get(277, 1)))
        args = image.tile[0][3] if image.tile else ""
        self.coding = str(args[0] if isinstance(args, tuple) else args)
        self.unread = self._unread(image)

    def _unread(self, image: Any) -> str:
        bits, form = (_first_of(self.tags.get(tag, 1)) for tag in (258, 339))
        if self.size[0] * self.size[1] > _MOST:
            return f"has {self.size[0]} x {self.size[1]} pixels, allowed {_MOST} where they are read all at once"
        if image.mode not in _MODES and not image.mode.startswith("I;16"):
            return f"has pixels of the kind {image.mode}, allowed one number each"
        if bits == 32 and form == 1:
            return "has whole numbers of 32 bits without a sign, which Pillow does not read"
        if int(self.tags.get(274, 1)) != 1:
            return "is stored turned or mirrored"
        return ""


def _first_of(value: Any) -> int:
    return int(value[0] if isinstance(value, tuple) else value)


def _unscaled_codes(values: NDArray[Any], coding: str) -> NDArray[Any]:
    """Undo that Pillow stretches grey of 2 and 4 bits to 8, and turns white that is 0 to black."""
    found = re.fullmatch(r"L(?:;([24]))?(I?)(?:R?)", coding)
    if found is None or values.dtype != np.uint8 or coding == "L":
        return values
    bits = int(found[1] or 8)
    values = values // (255 // (2**bits - 1))
    return (2**bits - 1) - values if found[2] else values


def _scaled(values: NDArray[Any], scale: float, offset: float, empty: float | None) -> NDArray[Any]:
    """Return values as a file says that they are counted; without data they are no numbers then."""
    if (scale, offset) == (1.0, 0.0):
        return values
    found = values * scale + offset
    if empty is not None:
        found[values == empty] = np.nan
    return np.asarray(found)


def _left(empty: float | None, scale: float, offset: float) -> float | None:
    return empty if (scale, offset) == (1.0, 0.0) else None


# -- rasterio --------------------------------------------------------------------------------------------------------


@contextmanager
def _dataset(path: Path) -> Iterator[Any]:
    """Open a GeoTIFF by rasterio: that file alone, no other that lies beside it or that it names.

    Raises
    ------
    DocumentError
        When it cannot be read.
    """
    rasterio = need_library("rasterio", "such GeoTIFFs", _INSTALL)
    try:
        with (
            warnings.catch_warnings(action="ignore"),  # that it does not say where it lies, which we tell ourselves
            rasterio.Env(GDAL_DISABLE_READDIR_ON_OPEN="EMPTY_DIR", GDAL_CACHEMAX=128, GDAL_PAM_ENABLED="NO"),
            rasterio.open(path, driver="GTiff") as dataset,
        ):
            yield dataset
    except DocumentError:
        raise
    except (rasterio.errors.RasterioError, rasterio.errors.RasterioIOError, OSError, ValueError) as error:
        raise refused(path, f"cannot be read: {error}", "check that the file is whole") from error


def _rasterio() -> bool:
    """Tell whether rasterio is installed."""
    from importlib.util import find_spec

    return find_spec("rasterio") is not None


def _by_rasterio(path: Path, why: str) -> _Found:
    """Open a GeoTIFF that Pillow does not read.

    Raises
    ------
    DocumentError
        When rasterio is not installed, or does not read it either.
    """
    if not _rasterio():
        remedy = f"{_INSTALL}; or cut it out and save it as Pillow does: gdal_translate -projwin WEST NORTH EAST SOUTH "
        raise refused(path, why, remedy + f"-ot Float32 -co COMPRESS=DEFLATE {path.name} part.tif")
    with _dataset(path) as dataset:
        if dataset.count != 1:
            message = f"has {dataset.count} numbers each pixel, allowed is one"
            raise refused(path, message, f"take one of them: gdal_translate -b 1 {path.name} one.tif")
        if np.dtype(dataset.dtypes[0]).kind not in "biuf":
            raise refused(path, f"has {dataset.dtypes[0]} numbers, allowed are plain ones", "save one part of them")
        shape, plain = (int(dataset.height), int(dataset.width)), tuple(map(float, dataset.transform[:6]))
        affine = plain if not dataset.transform.is_identity else _world_file(path)
        crs, empty = _named(dataset.crs), dataset.nodata
        scale, offset = float(dataset.scales[0]), float(dataset.offsets[0])
    if affine is None:
        raise refused(path, "does not say where it lies", "use a GeoTIFF, or put its world file beside it")

    def load(window: tuple[int, int, int, int], every: int) -> NDArray[Any]:
        return _scaled(_strips(path, window, every), scale, offset, empty)

    return shape, affine, crs, _left(empty, scale, offset), load  # type: ignore[return-value]


def _strips(path: Path, window: tuple[int, int, int, int], every: int) -> NDArray[Any]:
    """Return a part of a raster, of every so many pixels; never more of it is read at once than is kept or a strip."""
    x0, y0, x1, y1 = window
    with _dataset(path) as dataset:
        if every == 1:
            return np.asarray(dataset.read(1, window=((y0, y1), (x0, x1))))
        high = max(1, _STRIP // ((x1 - x0) * every)) * every
        parts = []
        for top in range(y0, y1, high):
            strip = dataset.read(1, window=((top, min(y1, top + high)), (x0, x1)))
            parts.append(strip[every // 2 :: every, every // 2 :: every].copy())
        return np.concatenate(parts)


def _named(crs: Any) -> str:
    """Return the name of a reference system of rasterio, or its well-known text where it has none."""
    if crs is None:
        return ""
    code = crs.to_epsg()
    return f"EPSG:{code}" if code else str(crs.to_wkt())


def _crs_by_rasterio(path: Path, head: bytes) -> str:
    """Return a reference system that a GeoTIFF describes and does not name, where rasterio is installed to read it."""
    if head not in _TIFF or not _rasterio():
        return ""
    with _dataset(path) as dataset:
        return _named(dataset.crs)


# -- what tags say ---------------------------------------------------------------------------------------------------


def _empty(tags: dict[int, Any]) -> float | None:
    """Return the value of pixels without data, as GDAL writes it."""
    try:
        return float(str(tags.get(42113, "")).strip("\0 "))
    except ValueError:
        return None


def _scaling(tags: dict[int, Any]) -> tuple[float, float]:
    """Return by what values are multiplied and what is added, as GDAL writes it."""
    found = {"scale": 1.0, "offset": 0.0}
    for item, value in re.findall(r"<Item([^>]*)>([^<]*)</Item>", str(tags.get(42112, ""))):
        role = re.search(r'role="(scale|offset)"', item)
        if role and 'sample="0"' in item:
            with suppress(ValueError):
                found[role[1]] = float(value)
    return found["scale"], found["offset"]


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
    code = _geo_key(tags, 3072)
    if not code and _geo_key(tags, 1024) != 1:  # 1 is a projection, which stands in keys of its own
        code = _geo_key(tags, 2048)
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
