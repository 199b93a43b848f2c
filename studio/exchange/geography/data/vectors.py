"""Vector files of this computer, read in batches, so that large ones do not fill the memory."""

from __future__ import annotations

import os
import re
import warnings
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.exchange.common.files import MAX_SOURCE, refused
from studio.exchange.geodata.stores import library_reads, refuse_pointer
from studio.exchange.geography.spec import DataSource
from studio.files.regular import open_regular

__all__ = ["local_file", "quiet_reads", "wkb_batches"]

_FIRST, _MOST = 5_000, 1_000_000  # rows of the first batch, and of any
_BYTES = 16_000_000  # of shapes that a batch is to hold: a million points of lines
_ADDRESS = re.compile(r"^(?:[A-Za-z][A-Za-z0-9+.-]+:|[/\\]vsi|[{<\[])")
_TEXTS = {".geojson", ".json", ".topojson", ".kml", ".kmz", ".gml", ".gpx", ".dxf", ".xml", ".geojsons", ".geojsonl"}
"""Files that GDAL reads whole into memory, many times as large as they are."""
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
        yield


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
        if path.suffix.lower() == ".gdb":
            return path
        raise refused(path, "is a folder, not a file", "name the file in it, such as a .shp or .gpkg")
    try:
        with open(open_regular(path), "rb") as file:
            head = file.read(4096)
            size = os.fstat(file.fileno()).st_size
    except FileNotFoundError as error:
        raise refused(path, f"there is no such file, which the source {source.id!r} names", _similar(path)) from error
    except (OSError, ValueError) as error:
        raise refused(path, f"cannot be read: {error}", "check the path and the right to read it") from error
    refuse_pointer(path, head)
    if path.suffix.lower() in _TEXTS and size > MAX_SOURCE:
        message = f"has {size} bytes, and files of this kind are read whole: allowed {MAX_SOURCE}"
        raise refused(path, message, "save it as a GeoPackage (.gpkg) or FlatGeobuf (.fgb), which are read in parts")
    if head[:4] == b"PK\x03\x04":
        _check_archive(path)
    return path


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
            with archive.open(one) as file:
                refuse_pointer(path, file.read(4096))


def wkb_batches(
    path: Path, layer: str, columns: Sequence[str], box: tuple[float, float, float, float] | None, rows: int = 0
) -> Iterator[tuple[dict[str, NDArray[Any]], NDArray[Any]]]:
    """Yield the rows of a layer in parts: their columns, and their shapes as well-known binary or None.

    Parameters
    ----------
    path : Path
    layer : str
    columns : sequence of str
    box : tuple of 4 floats or None
        Only rows that touch it, in units of the layer.
    rows : int
        How many the layer has, so that the first part is not too large; 0 where nobody knows.

    Raises
    ------
    DocumentError
        When the file breaks off.
    """
    from pyogrio.raw import read

    done, count = 0, _FIRST if rows < 1 or path.is_dir() else _batch(path.stat().st_size / rows)
    while True:
        with quiet_reads(path):
            meta, _, geometry, data = read(
                path,
                layer=layer,
                columns=list(columns),
                force_2d=True,
                bbox=box,
                skip_features=done,
                max_features=count,
                datetime_as_string=True,
            )
        if geometry is None:
            raise refused(path, f"layer {layer!r} has no shapes", "name a layer of points, lines or polygons")
        yield dict(zip(map(str, meta["fields"]), data, strict=True)), geometry
        if len(geometry) < count:
            return
        done += len(geometry)
        size = sum(len(one) for one in geometry if one is not None) / len(geometry)
        count = min(_batch(size), 20 * count)


def _batch(size: float) -> int:
    """Return how many rows of a size in bytes are read in one go."""
    return int(np.clip(_BYTES / max(size, 1.0), 1, _MOST))
