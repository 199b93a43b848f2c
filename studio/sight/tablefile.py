"""Sight tables as files: one line a pair as text, or labels and codes for numpy, written row by row."""

from __future__ import annotations

import csv
import zipfile
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from studio.errors import UnsupportedError

if TYPE_CHECKING:
    from studio.sight.view import SightTable

__all__ = ["check_table_file", "write_table"]

_ROWS = 256  # of codes that are unpacked at once


def check_table_file(path: str | Path) -> None:
    """Check the name of a file that a table is to be written to.

    Raises
    ------
    UnsupportedError
        When it ends in anything but ``.csv`` or ``.npz``.
    """
    if Path(path).suffix not in (".csv", ".npz"):
        msg = f"{path}: a table is written as .csv (one line a pair) or .npz (labels and codes)"
        raise UnsupportedError(msg)


def write_table(table: SightTable, path: str | Path) -> None:
    """Write a sight table.

    Parameters
    ----------
    table : SightTable
    path : str or path
        ``.csv``: the columns from, to and status, one line an ordered pair. ``.npz``: the arrays ``labels`` and
        ``codes`` (uint8, shape (locations, locations): 1 clear, 2 hindered, 3 blocked), for ``numpy.load``.

    Raises
    ------
    UnsupportedError
        When the name ends in anything else.
    OSError
        When the file cannot be written.
    """
    check_table_file(path)
    if Path(path).suffix == ".csv":
        with Path(path).open("w", encoding="utf-8", newline="") as file:
            lines = csv.writer(file, lineterminator="\n")
            lines.writerow(("from", "to", "status"))
            lines.writerows(table.rows())
        return
    size = len(table.names)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        labels = np.array(table.names)
        with _member(archive, "labels.npy") as held:
            np.lib.format.write_array(held, labels, allow_pickle=False)
        with _member(archive, "codes.npy") as held:
            header = {"descr": "|u1", "fortran_order": False, "shape": (size, size)}
            np.lib.format.write_array_header_1_0(held, header)
            for first in range(0, size, _ROWS):
                held.write(table.packed.rows(slice(first, first + _ROWS)).tobytes())


def _member(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    # A date of its own, the same one always, so that equal tables give equal files.
    info: Any = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    return archive.open(info, "w", force_zip64=True)
