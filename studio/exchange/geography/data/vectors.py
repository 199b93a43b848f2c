"""Vector files of this computer, read in batches, so that large ones do not fill the memory."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import DocumentError, nearest
from studio.exchange.common.files import MAX_SOURCE, refused, source_bytes
from studio.exchange.geodata.stores import library_reads, refuse_pointer
from studio.exchange.geography.data.shaping import Box
from studio.exchange.geography.spec import DataSource
from studio.files.regular import open_regular

__all__ = ["local_file", "quiet_reads", "wkb_batches"]

_FIRST, _MOST = 5_000, 1_000_000  # rows of the first batch, and of any
_BYTES = 16_000_000  # of shapes that a batch is to hold: a million points of lines
_MANY, _DEAR = 200_000, 6  # rows of a box from which on it is asked whether the box is worth its index, and its price
_ADDRESS = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]+:|[/\\]vsi|[{<\[])")
_TEXTS = {".geojson", ".json", ".topojson", ".kml", ".kmz", ".gml", ".gpx", ".dxf", ".xml", ".geojsons", ".geojsonl"}
"""Files that GDAL reads whole into memory, many times as large as they are."""
_LINK = re.compile(rb'"crs"\s*:\s*\{[^{}]{0,200}"type"\s*:\s*"link"')
_UNPACKED = 8_000_000_000


@contextmanager
def quiet_reads(path: Path) -> Iterator[None]:
    """Refuse a file that libraries stumble over, and keep to ourselves what they only warn of.

    Raises
    ------
    DocumentError
    """
    # Coordinates that are no numbers are left out later, with a note; numpy need not warn of them.
    with library_reads(path), warnings.catch_warnings(), np.errstate(invalid="ignore", over="ignore"):
        warnings.simplefilter("ignore")
        try:
            yield
        except UnicodeDecodeError as error:
            message = f"its texts are not in the encoding that it names: {error.reason} at {error.object[:40]!r}"
            remedy = "put the name of the right one, such as ISO-8859-1 or CP1252, into a .cpg file beside it"
            raise refused(path, message, remedy) from error
        except Exception as error:
            if "database is locked" in str(error):
                remedy = "close that program, or copy the file"
                raise refused(path, "another program is writing to it", remedy) from error
            raise


def local_file(folder: Path, source: DataSource, name: str) -> Path:
    """Return the file of a source.

    Raises
    ------
    DocumentError
        When it is not there, lies in the network, only points to other files, or is too large for its kind.
    """
    if not source.file or "\0" in source.file:
        raise refused(name, f"the source {source.id!r} names no file", "give file = ...", path="$.sources")
    if _ADDRESS.match(source.file):
        message = f"the source {source.id!r} is {source.file[:80]!r}, which is an address and no file"
        raise refused(name, message, "download it, and name the file beside the specification", path="$.sources")
    path = folder / source.file
    if path.is_dir():
        if path.suffix.lower() != ".gdb":
            raise refused(path, "is a folder, not a file", "name the file in it, such as a .shp or .gpkg")
        _check_plain(path, path.iterdir())
        return path
    try:
        with open(open_regular(path), "rb") as file:
            head = file.read(4096)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError as error:
        raise refused(path, f"there is no such file, which the source {source.id!r} names", _similar(path)) from error
    except (OSError, ValueError) as error:
        raise refused(path, f"cannot be read: {error}", "check the path and the right to read it") from error
    refuse_pointer(path, head)
    _check_plain(path, (one for one in path.parent.iterdir() if one.name.startswith(path.stem)))
    if path.suffix.lower() in _TEXTS and size > MAX_SOURCE:
        raise _too_long(path, "it", size)
    if path.suffix.lower() in {".geojson", ".json"} and _LINK.search(source_bytes(path)):
        message = "names its reference system by an address"
        raise refused(path, message, 'take the member "crs" out of it, and give crs in the source')
    if head[:4] == b"PK\x03\x04":
        _check_archive(path)
    return path


def _check_plain(path: Path, parts: Iterable[Path]) -> None:
    """Refuse a source with parts, such as the index beside it, that are pipes or devices: to read them never ends."""
    for part in parts:
        with contextlib.suppress(OSError):
            kind = part.stat().st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                message = f"{part.name}, which belongs to it, is no regular file (a pipe, a socket or a device)"
                raise refused(path, message, "take it away")


def _similar(path: Path) -> str:
    """Return the remedy for a file that is not there."""
    folder = path.parent
    names = [one.name for one in folder.iterdir()] if folder.is_dir() else []
    if not names:
        return f"there is no folder {folder}" if not folder.is_dir() else "put the file there"
    same = [one for one in names if one.casefold() == path.name.casefold()]
    return f"did you mean {same[0]!r}? Small and capital letters count" if same else nearest(path.name, names)


def _check_archive(path: Path) -> None:
    """Refuse an archive that holds pointers to elsewhere, or unpacks to more than a disk holds."""
    with library_reads(path), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        whole = sum(one.file_size for one in members)
        if whole > _UNPACKED:
            raise refused(path, f"unpacks to {whole} bytes, allowed {_UNPACKED}", "cut out a part")
        for one in members:
            if Path(one.filename).suffix.lower() in _TEXTS and one.file_size > MAX_SOURCE:
                raise _too_long(path, f"{one.filename} in it", one.file_size)
            if one.flag_bits & 1:
                raise refused(path, f"{one.filename} in it is locked by a password", "unpack it, and name the file")
            with archive.open(one) as file:
                refuse_pointer(path, file.read(4096))
        tops = {one.filename.split("/")[0] for one in members}
        if members and all("/" in one.filename for one in members) and not any(map(_is_table, tops)):
            first = next((one.filename for one in members if not one.is_dir()), members[0].filename)
            raise refused(path, f"has its files in folders, such as {first}", "unpack it, and name the file in it")


def _is_table(name: str) -> bool:
    return name.lower().endswith(".gdb")


def _too_long(path: Path, what: str, size: int) -> DocumentError:
    message = f"{what} has {size} bytes, and files of this kind are read whole: allowed {MAX_SOURCE}"
    remedy = "save it as a GeoPackage (.gpkg) or FlatGeobuf (.fgb), which are read in parts"
    return refused(path, message, remedy)


def wkb_batches(
    path: Path,
    layer: str,
    columns: Sequence[str],
    box: Box | None,
    rows: int = 0,
    bounds: Sequence[float] | None = None,
) -> Iterator[tuple[dict[str, NDArray[Any]], NDArray[Any]]]:
    """Yield the rows of a layer in parts: their columns, and their shapes as well-known binary or None.

    Parameters
    ----------
    path : Path
    layer : str
    columns : sequence of str
    box : tuple of 4 floats or None
        All rows that touch it, in units of the layer, are there; others may be.
    rows : int
        How many the layer has, so that the first part is not too large; 0 where nobody knows.
    bounds : sequence of 4 floats or None
        Of the layer, where the file says them.

    Raises
    ------
    DocumentError
        When the file breaks off.

    Notes
    -----
    To ask a file for a box is fast where little lies in it; an index costs several times as much a row as reading
    does, and whoever reads on in parts goes through it from its beginning each time. So a layer that lies in the box
    for the most part is read from end to end, also where that shows only on the way.
    """
    from pyogrio.raw import read

    done, count = 0, _FIRST if rows < 1 or path.is_dir() else _batch(path.stat().st_size / rows)
    box = None if box is not None and bounds is not None and _mostly_in(bounds, box) else box
    numbers: list[NDArray[np.int64]] = []
    seen = np.zeros(0, dtype=np.int64)
    same = _same_file(path)
    while True:
        with quiet_reads(path):
            meta, fids, geometry, data = read(
                path,
                layer=layer,
                columns=list(columns),
                force_2d=True,
                bbox=box,
                skip_features=done,
                max_features=count,
                datetime_as_string=True,
                return_fids=True,
            )
        if geometry is None:
            raise refused(path, f"layer {layer!r} has no shapes", "name a layer of points, lines or polygons")
        if _same_file(path) != same:
            raise refused(path, "was replaced by another file while it was read", "run the import again")
        table, got = dict(zip(map(str, meta["fields"]), data, strict=True)), len(geometry)
        if len(seen):
            new = ~np.isin(fids, seen)
            table, geometry = {name: one[new] for name, one in table.items()}, geometry[new]
        elif box is not None:
            numbers.append(fids)
        yield table, geometry
        if got < count:
            return
        done += got
        size = sum(len(one) for one in geometry if one is not None) / max(len(geometry), 1)
        count = min(_batch(size), 20 * count)
        if box is not None and done >= _MANY and done * _DEAR > rows > 0:
            box, done, seen, numbers = None, 0, np.concatenate(numbers), []


def _same_file(path: Path) -> tuple[int, int]:
    """Return what tells a file from one that takes its place; a folder of a geodatabase keeps its own."""
    with quiet_reads(path):
        found = path.stat()
    return (found.st_ino, 0 if path.is_dir() else found.st_size)


def _mostly_in(bounds: Sequence[float], box: Box) -> bool:
    """Tell whether a box covers much of where a layer lies."""
    sizes = [
        ((min(bounds[axis + 2], box[axis + 2]) - max(bounds[axis], box[axis])), bounds[axis + 2] - bounds[axis])
        for axis in (0, 1)
    ]
    if not np.isfinite(sizes).all():
        return False
    part = 1.0
    for inside, whole in sizes:
        part *= 1.0 if whole <= 0 else max(inside, 0.0) / whole
    return part * _DEAR > 1


def _batch(size: float) -> int:
    """Return how many rows of a size in bytes are read in one go."""
    return int(np.clip(_BYTES / max(size, 1.0), 1, _MOST))
