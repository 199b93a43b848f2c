"""The record of an import: what the data said of each hex, what was decided, and the map as it was made.

It lies beside the map. A later run tells by it what the designer has changed since. It holds no time and no path, so
that the same data and the same specification give the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec
import numpy as np

from studio.exchange.common.files import refused, source_bytes
from studio.exchange.geography.ground.terrain import winning_classes
from studio.exchange.geography.rulings import Ruling, rulings_of
from studio.exchange.geography.spec import Geography
from studio.exchange.geography.work import Entry, Work
from studio.files.canonical import map_text
from studio.files.store import Stamp
from studio.model import MapDocument, Source

__all__ = [
    "RECORD_FORMAT",
    "DataFile",
    "HexRecord",
    "Record",
    "read_record",
    "record_beside",
    "record_of",
    "record_text",
    "spec_fingerprint",
]

RECORD_FORMAT = "wargame-studio/geography-record"
_MOST = 512 * 1024 * 1024
_SMALL = 0.0005
"""Shares of a hex below it are left out."""
_BESIDE = (".dbf", ".shx", ".prj", ".cpg", ".tfw", ".pgw", ".jgw", ".wld", ".hdr")
"""Endings of what lies beside shapefiles and rasters and belongs to them."""


class DataFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was read.

    Parameters
    ----------
    name : str
        As the specification names it.
    sha256 : str
        Of its content, in hexadecimal.
    bytes : int
    """

    name: str
    sha256: str
    bytes: int


class HexRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is known of a hex.

    Parameters
    ----------
    label : str
    terrain : str
        On the map.
    shares : dict of str to float
        Part of the hex that each class of terrain covers, by ``terrain:source``; ``sea`` and ``lake`` too.
    mean, relief : float or None
        Of the ground, in metres; None where no raster says it.
    country : str
    confidence : float
        How sure its terrain is, 0 to 1.
    won : str
        Class of terrain that won the ground, by the name of its shares; empty where none did.
    by : str
        Step that gave the hex its terrain, where that was not the ground: ``water``, ``towns``, ``overrides`` ...
    """

    label: str
    terrain: str
    shares: dict[str, float] = {}
    mean: float | None = None
    relief: float | None = None
    country: str = ""
    confidence: float = 1.0
    won: str = ""
    by: str = ""


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The record of an import.

    Parameters
    ----------
    format, version : str, int
    title, ruleset, crs : str
        Of the specification.
    spec : str
        SHA-256 of the specification as canonical JSON: equal ones ask for the same.
    files : tuple of DataFile
        In the order of their names.
    sources : tuple of Source
        Provenance with licences.
    figures : dict of str to float
        Of the whole, such as ``hexes`` and ``rms``.
    residuals : tuple of dict
        One for each control point.
    entries : tuple of Entry
        What was decided, nudged, overridden and found.
    rules : tuple of Ruling
        What made hexes what they are.
    hexes : tuple of HexRecord
        In the order of the map's cells.
    base : MapDocument
        The map as it was made.
    """

    format: Literal["wargame-studio/geography-record"] = "wargame-studio/geography-record"
    version: Literal[1] = 1
    title: str
    ruleset: str
    crs: str
    spec: str
    files: tuple[DataFile, ...] = ()
    sources: tuple[Source, ...] = ()
    figures: dict[str, float] = {}
    residuals: tuple[dict[str, Any], ...] = ()
    entries: tuple[Entry, ...] = ()
    rules: tuple[Ruling, ...] = ()
    hexes: tuple[HexRecord, ...] = ()
    base: MapDocument

    def of(self, *kinds: str) -> list[Entry]:
        """Return the entries of some kinds, in order."""
        return [one for one in self.entries if one.kind in kinds]


def record_beside(target: Path) -> Path:
    """Return where the record of a map lies.

    Examples
    --------
    >>> record_beside(Path("delta.map.json")).name
    'delta.geography.json'
    """
    return target.with_name(target.name.removesuffix(".map.json") + ".geography.json")


# -- making ------------------------------------------------------------------------------------------------------------


def record_of(work: Work, document: MapDocument) -> Record:
    """Return the record of an import.

    Parameters
    ----------
    work : Work
        At the end of the import.
    document : MapDocument
        The map that was made.

    Returns
    -------
    Record

    Raises
    ------
    DocumentError
        When a file that was read is gone.
    """
    report = work.report
    return Record(
        title=work.spec.title,
        ruleset=work.spec.ruleset,
        crs=work.spec.crs,
        spec=spec_fingerprint(work.spec),
        files=tuple(_files(work)),
        sources=tuple(work.model.sources),
        figures={name: _rounded(value) for name, value in sorted(report.figures.items()) if name != "seconds"},
        residuals=tuple({name: _rounded(value) for name, value in one.items()} for one in report.residuals),
        entries=tuple(report.entries),
        rules=tuple(rulings_of(work)),
        hexes=tuple(_hexes(work)),
        base=document,
    )


def spec_fingerprint(spec: Geography) -> str:
    """Return the SHA-256 of a specification: the same for the same content, however its file is written."""
    return hashlib.sha256(msgspec.json.encode(spec, order="deterministic")).hexdigest()


def _rounded(value: Any) -> Any:
    """Return a value as JSON has it: numbers with six digits behind the point, so that the last bits do not matter."""
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, int | float | np.number):
        number = round(float(value), 6) + 0.0
        return number if np.isfinite(number) else None
    return value


def _files(work: Work) -> Iterable[DataFile]:
    """Yield what was read: of a folder file by file, and with a file what lies beside it and belongs to it."""
    own = work.spec.overrides_file
    found: dict[str, Path] = {}
    for name in {source.file for source in work.spec.sources}:
        path = work.folder / name
        if path.is_dir():
            inside = (one for one in path.rglob("*") if one.is_file())
            found |= {Path(name, one.relative_to(path)).as_posix(): one for one in inside}
            continue
        found[name] = path
        beside = (path.with_suffix(ending) for ending in _BESIDE)
        found |= {Path(name).with_name(one.name).as_posix(): one for one in beside if one.is_file()}
    if own and (work.overrides is not None or (work.folder / own).exists()):
        found[own] = work.folder / own
    for name, path in sorted(found.items()):
        if name == own and work.overrides is not None:
            stamp = Stamp.of(work.overrides)
            yield DataFile(name=name, sha256=stamp.sha256, bytes=stamp.size)
        else:
            yield _data_file(name, path)


def _data_file(name: str, path: Path) -> DataFile:
    try:
        stamp = Stamp.of_file(path)
    except OSError as error:
        raise refused(path, f"cannot be read: {error.strerror or error}", "put the file back") from error
    if stamp is None:
        raise refused(path, "is gone since it was read", "put the file back")
    return DataFile(name=name, sha256=stamp.sha256, bytes=stamp.size)


def _hexes(work: Work) -> Iterable[HexRecord]:
    shares = {name: np.round(table, 3) for name, table in sorted(work.shares.items())}
    heights = {name: np.round(work.heights[name], 1) for name in ("mean", "relief") if name in work.heights}
    won = winning_classes(work)
    sure = np.round(work.confidence, 3) if len(work.confidence) else np.ones(work.model.grid.cells)

    def height(name: str, cell: int) -> float | None:
        value = float(heights[name][cell]) if name in heights else np.nan
        return value + 0.0 if np.isfinite(value) else None

    for cell in np.flatnonzero(work.model.grid.present).tolist():
        yield HexRecord(
            label=work.label(cell),
            terrain=work.model.terrain_at(cell),
            shares={name: float(table[cell]) for name, table in shares.items() if table[cell] > _SMALL},
            mean=height("mean", cell),
            relief=height("relief", cell),
            country=work.country[cell] if work.country else "",
            confidence=float(sure[cell]),
            won=won[cell],
            by=work.laid_by.get(cell, ""),
        )


# -- text --------------------------------------------------------------------------------------------------------------


def record_text(record: Record) -> bytes:
    """Write a record as canonical text: JSON with one entry or hex a line, and the map at its end.

    Parameters
    ----------
    record : Record

    Returns
    -------
    bytes
        UTF-8 with a newline at the end; equal records give equal bytes.
    """
    parts = []
    for name in record.__struct_fields__:
        value = getattr(record, name)
        if name == "base":
            text = map_text(value).decode("utf-8").rstrip("\n").replace("\n", "\n  ")
        elif isinstance(value, tuple) and value:
            text = "[\n    " + ",\n    ".join(map(_line, value)) + "\n  ]"
        else:
            text = _line(value)
        parts.append(f"  {json.dumps(name)}: {text}")
    return ("{\n" + ",\n".join(parts) + "\n}\n").encode("utf-8")


def _line(value: Any) -> str:
    return msgspec.json.format(msgspec.json.encode(value, order="deterministic"), indent=0).decode("utf-8")


def read_record(file: Path) -> Record:
    """Read a record.

    Parameters
    ----------
    file : Path

    Returns
    -------
    Record

    Raises
    ------
    DocumentError
        When it is none, or damaged.
    """
    try:
        return msgspec.json.decode(source_bytes(file, limit=_MOST), type=Record)
    except (msgspec.DecodeError, RecursionError) as error:
        remedy = "put it back as it was written, or make the import under another name"
        raise refused(file, f"is no record of an import: {error}", remedy) from error
