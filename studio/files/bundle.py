"""Writing bundles: what engines load, the same bytes from the same content on every machine."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np

from studio.errors import StudioError
from studio.files.canonical import write_map_text, write_scenario_text
from studio.files.records import (
    BUNDLE_FORMAT,
    BUNDLE_VERSION,
    BundleManifest,
    Location,
    Member,
    RulesetRecord,
    Side,
    SourceRecord,
)
from studio.files.store import write_atomic
from studio.model import MapDocument, MapModel, MapUse, ScenarioModel
from studio.survey import Survey, cells_in_play, locations_in_play

__all__ = ["ContentError", "ExportError", "bundle_bytes", "write_bundle"]

SIGHT_MAGIC = b"WGSIGHT1"
_EPOCH = (1980, 1, 1, 0, 0, 0)


class ExportError(StudioError, ValueError):
    """A bundle that was refused because the checks found errors; nothing was written.

    Parameters
    ----------
    path : str or path
        Where it would have gone.
    findings : list
        All findings, warnings included.
    """

    def __init__(self, path: str | os.PathLike[str], findings: list[Any]) -> None:
        self.path, self.findings = os.fspath(path), findings
        errors = [finding for finding in findings if _severity(finding) == "error"]
        lines = [f"  {finding}" for finding in errors[:10]]
        if len(errors) > 10:
            lines.append(f"  ... and {len(errors) - 10} more (all in the error's .findings)")
        count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
        head = f"{self.path}: no bundle written: the checks found {count}. Remedy: mend them, then export again"
        super().__init__("\n".join([head, *lines]))


class ContentError(StudioError, ValueError):
    """Something that is not what a bundle promises to its readers."""


class Records(Protocol):
    """What a survey hands out."""

    def location_records(self) -> list[dict[str, Any]]:
        """Return every location as a plain record."""
        ...

    def side_records(self) -> list[dict[str, Any]]:
        """Return every side with something on it as a plain record."""
        ...


class Tables(Protocol):
    """What a ruleset hands out."""

    def to_bundle(self, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the tables with the options in force."""
        ...


def _severity(finding: Any) -> str:
    severity = finding.get("severity") if isinstance(finding, Mapping) else getattr(finding, "severity", "")
    return str(severity)


def write_bundle(
    path: str | os.PathLike[str],
    *,
    map_model: MapModel,
    scenario_model: ScenarioModel | None = None,
    survey: Records,
    ruleset: Tables,
    sight_table: Any = None,
    preview: bytes | None = None,
    findings: Iterable[Any] = (),
) -> Path:
    """Write a bundle.

    Parameters
    ----------
    path : str or path
        ``NAME.bundle.zip``; an older bundle there is replaced.
    map_model : MapModel
    scenario_model : ScenarioModel, optional
    survey : Survey
        Of the map.
    ruleset : Ruleset
    sight_table : SightTable or array of uint8, shape (n, n), optional
        Codes of all ordered pairs in the order of the locations: 1 clear, 2 hindered, 3 blocked, 0 none.
    preview : bytes, optional
        A PNG picture.
    findings : list of Finding
        What the checks found.

    Returns
    -------
    Path

    Raises
    ------
    ExportError
        When the findings hold an error. Nothing is written.
    SaveError
        When the file cannot be written; an older one is whole.
    DocumentError, ContentError
        When a document could not be read back, or the sight table is not that of the map.
    """
    findings = list(findings)
    if any(_severity(finding) == "error" for finding in findings):
        raise ExportError(path, findings)
    data = bundle_bytes(
        map_model=map_model,
        scenario_model=scenario_model,
        survey=survey,
        ruleset=ruleset,
        sight_table=sight_table,
        preview=preview,
    )
    write_atomic(path, data)
    return Path(path)


def _without_scan(model: MapModel) -> MapDocument:
    """Return a map without the scan it was traced from: that is the author's, and does not go along."""
    return msgspec.structs.replace(model.to_document(), backdrop=None)


def bundle_bytes(
    *,
    map_model: MapModel,
    scenario_model: ScenarioModel | None,
    survey: Records,
    ruleset: Tables,
    sight_table: Any = None,
    preview: bytes | None = None,
) -> bytes:
    """Return the content of a bundle.

    Raises
    ------
    DocumentError
        When a document could not be read back.
    ContentError
        When the sight table is not that of the map, or a record is not what the format promises.
    """
    scenario = scenario_model.document if scenario_model is not None else None
    tables = ruleset.to_bundle(scenario.special.options if scenario is not None else None)
    locations = _locations(map_model, scenario_model, survey, tables)
    parts: dict[str, bytes] = {"map.json": write_map_text(_without_scan(map_model))}
    if scenario is not None:
        # The path on the author's disk means nothing to a reader, and would make two exports differ.
        here = msgspec.structs.replace(scenario.map, file="map.json")
        parts["scenario.json"] = write_scenario_text(msgspec.structs.replace(scenario, map=here))
    parts["ruleset.json"] = _pretty(_checked(tables, RulesetRecord))
    parts["locations.json"] = _lines(locations)
    parts["sides.json"] = _lines(_sides(survey, tables))
    if sight_table is not None:
        parts["sight.bin"] = _sight(sight_table, [location["label"] for location in locations])
    if preview is not None:
        parts["preview.png"] = preview
    sources = [*map_model.sources, *(scenario.sources if scenario is not None else ())]
    manifest = BundleManifest(
        format=BUNDLE_FORMAT,
        version=BUNDLE_VERSION,
        ruleset=map_model.ruleset,
        title=scenario.title if scenario is not None else map_model.title,
        sources=[
            SourceRecord(title=source.title, licence=source.licence, note=source.note, url=source.url)
            for source in dict.fromkeys(sources)
        ],
        members=[
            Member(name=name, size=len(data), sha256=hashlib.sha256(data).hexdigest()) for name, data in parts.items()
        ],
    )
    return _archive({"bundle.json": _pretty(msgspec.to_builtins(manifest)), **parts})


def _archive(parts: Mapping[str, bytes]) -> bytes:
    """Pack the members without compression: compressed bytes differ between versions of zlib."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()


# -- members ---------------------------------------------------------------------------------------------------------


def _pretty(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n"


def _lines(records: list[dict[str, Any]]) -> bytes:
    """Write a list with one record a line."""
    if not records:
        return b"[]\n"
    encode = msgspec.json.Encoder().encode
    return b"[\n" + b",\n".join(encode(record) for record in records) + b"\n]\n"


def _checked(record: dict[str, Any], kind: type[msgspec.Struct]) -> dict[str, Any]:
    """Return a record with the keys of its type first, in their order, after a check that it is one."""
    try:
        msgspec.convert(record, kind)
    except msgspec.ValidationError as error:
        msg = f"{kind.__name__.lower()} {record.get('label', record.get('id', ''))}: {error}; the bundle format differs"
        raise ContentError(msg) from error
    known = {name: record[name] for name in kind.__struct_fields__ if name in record}
    return {**known, **{name: record[name] for name in sorted(record) if name not in known}}


def _point(point: Iterable[float]) -> list[float]:
    """Round to a millionth of a map unit, so that no last digit of a float differs between machines."""
    return [round(float(value), 6) + 0.0 for value in point]


def _sum(costs: Iterable[int | None]) -> int | None:
    """Add costs; one that is impassable makes the sum impassable."""
    total = 0
    for cost in costs:
        if cost is None:
            return None
        total += cost
    return total


def _locations(
    map_model: MapModel, scenario_model: ScenarioModel | None, survey: Records, tables: dict[str, Any]
) -> list[dict[str, Any]]:
    in_play = None if scenario_model is None else _in_play(map_model, survey, scenario_model.document.map)
    movers, terrain, markers = tables["movers"], tables["terrain"], tables["markers"]
    found = []
    for record in survey.location_records():
        enter: dict[str, int | None] = {}
        played = in_play is None or record["label"] in in_play
        if record["kind"] == "hex":
            extra = sum(markers[name].get("enter_halves", 0) for name in record["markers"])
            costs = terrain[record["terrain"]]["enter_halves"]
            enter = {mover: _sum((costs.get(mover), extra)) for mover in movers}
        full = {
            **record,
            "in_play": played,
            "enter_halves": enter,
            "dot": _point(record["dot"]),
            "outline": [_point(corner) for corner in record["outline"]],
            "holes": [[_point(corner) for corner in hole] for hole in record["holes"]],
        }
        found.append(_checked(full, Location))
    return found


def _in_play(map_model: MapModel, survey: Records, use: MapUse) -> set[str]:
    """Return the labels of the locations in play."""
    if isinstance(survey, Survey):
        return {survey.directory.label(number) for number in locations_in_play(survey, use)}
    return {map_model.labels.label(cell) for cell in cells_in_play(map_model.labels, use)}


def _sides(survey: Records, tables: dict[str, Any]) -> list[dict[str, Any]]:
    movers, kinds = tables["movers"], tables["sides"]
    found = []
    for record in survey.side_records():
        cross = {
            mover: _sum(kinds[kind]["cross_halves"].get(mover, 0) for kind in record["kinds"] if kind in kinds)
            for mover in movers
        }
        lines = [[_point(point) for point in line] for line in record["lines"]]
        full = {**record, "cross_halves": cross, "ends": [_point(end) for end in record["ends"]], "lines": lines}
        found.append(_checked(full, Side))
    return found


def _sight(table: Any, labels: list[str]) -> bytes:
    """Pack a sight table: 2 bits an ordered pair, row by row, the first pair in the lowest bits of a byte."""
    names = getattr(table, "names", labels)
    codes = table.packed if hasattr(table, "packed") else np.asarray(table)
    count = len(labels)
    size = codes.size if hasattr(table, "packed") else len(codes)
    if size != count or list(names) != labels:
        msg = f"the sight table is for {size} locations in another order, the map has {count}; make it anew"
        raise ContentError(msg)
    # Rows of a whole number of bytes at a time, so that a large table is never held at a byte a pair.
    parts = []
    for first in range(0, count, 256):
        last = min(count, first + 256)
        rows = codes.rows(slice(first, last)) if hasattr(codes, "rows") else codes[first:last]
        pairs = ((rows.astype(np.uint8).ravel() - 1) & 3).astype(np.uint8)
        pairs = np.concatenate((pairs, np.zeros(-len(pairs) % 4, dtype=np.uint8))).reshape(-1, 4)
        packed = pairs[:, 0] | pairs[:, 1] << 2 | pairs[:, 2] << 4 | pairs[:, 3] << 6
        parts.append(packed.astype(np.uint8).tobytes())
    return SIGHT_MAGIC + count.to_bytes(4, "little") + b"".join(parts)
