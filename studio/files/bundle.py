"""Writing bundles: what engines load, the same bytes from the same content on every machine."""

from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from studio import __version__
from studio.errors import StudioError
from studio.files.bundle_members import ContentError, checked, lines, location_list, pretty, side_list, sight_bytes
from studio.files.canonical import write_map_text, write_scenario_text
from studio.files.records import (
    BUNDLE_FORMAT,
    BUNDLE_MINOR,
    BUNDLE_VERSION,
    BundleManifest,
    GeneratorRecord,
    Member,
    RulesetRecord,
    SourceRecord,
)
from studio.files.resolved import resolved_roster, resolved_set_up
from studio.files.setup_records import KindRecord, SetUpRecord
from studio.files.steps import step_table
from studio.files.store import write_atomic
from studio.model import MapDocument, MapModel, ScenarioDocument, ScenarioModel
from studio.rules import Ruleset
from studio.rules.played import changes_ground, closed_places, model_as_played
from studio.survey import Survey

__all__ = ["ContentError", "ExportError", "bundle_bytes", "write_bundle"]

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


def _severity(finding: Any) -> str:
    severity = finding.get("severity") if isinstance(finding, Mapping) else getattr(finding, "severity", "")
    return str(severity)


def write_bundle(
    path: str | os.PathLike[str],
    *,
    map_model: MapModel,
    scenario_model: ScenarioModel | None = None,
    survey: Survey,
    ruleset: Ruleset,
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
    survey: Survey,
    ruleset: Ruleset,
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
    tables = checked(ruleset.to_bundle(scenario.special.options if scenario is not None else None), RulesetRecord)
    parts: dict[str, bytes] = {"map.json": write_map_text(_without_scan(map_model))}
    if scenario is not None:
        # The path on the author's disk means nothing to a reader, and would make two exports differ.
        here = msgspec.structs.replace(scenario.map, file="map.json")
        parts["scenario.json"] = write_scenario_text(msgspec.structs.replace(scenario, map=here))
    parts["ruleset.json"] = pretty(tables)
    if scenario is None:
        locations = location_list(survey, tables)
    else:
        survey = _as_played(map_model, survey, ruleset, scenario)
        parts["roster.json"] = pretty(
            {name: checked(kind, KindRecord) for name, kind in resolved_roster(ruleset, scenario).items()}
        )
        parts["setup.json"] = _by_key(checked(resolved_set_up(ruleset, survey, scenario), SetUpRecord))
        locations = location_list(survey, tables, scenario.map, closed_places(scenario, survey))
    parts["locations.json"] = lines(locations)
    parts["sides.json"] = lines(side_list(survey, tables))
    if ruleset.has_movement:
        parts["steps.json"] = _steps(ruleset, survey, tables["options"], locations)
    if sight_table is not None:
        parts["sight.bin"] = sight_bytes(sight_table, [location["label"] for location in locations])
    if preview is not None:
        parts["preview.png"] = preview
    manifest = BundleManifest(
        format=BUNDLE_FORMAT,
        version=BUNDLE_VERSION,
        minor=BUNDLE_MINOR,
        generator=GeneratorRecord(name="Wargame Studio", version=__version__),
        ruleset=map_model.ruleset,
        title=scenario.title if scenario is not None else map_model.title,
        sources=_sources(map_model, scenario),
        members=[
            Member(name=name, size=len(data), sha256=hashlib.sha256(data).hexdigest()) for name, data in parts.items()
        ],
    )
    return _archive({"bundle.json": pretty(msgspec.to_builtins(manifest)), **parts})


def _as_played(model: MapModel, survey: Survey, ruleset: Ruleset, scenario: ScenarioDocument) -> Survey:
    """Return the survey of the map as a scenario plays on it; the one given when it plays on it as it is."""
    if not changes_ground(scenario.special):
        return survey
    return Survey(model_as_played(model, scenario.special), ruleset.survey_scheme)


def _steps(ruleset: Ruleset, survey: Survey, options: Mapping[str, Any], locations: list[dict[str, Any]]) -> bytes:
    """Return what every step costs, a line for each mover and location."""
    numbers = survey.directory.numbers.tolist()
    entered = {
        number: place
        for place, (number, one) in enumerate(zip(numbers, locations, strict=True))
        if one["in_play"] and not one["closed"]
    }
    return _by_key(step_table(ruleset, survey, options, entered))


def _sources(model: MapModel, scenario: ScenarioDocument | None) -> list[SourceRecord]:
    """Return the sources of map and scenario, each once."""
    of: dict[Any, list[str]] = {}
    for what, sources in (("map", model.sources), ("scenario", [] if scenario is None else scenario.sources)):
        for source in sources:
            said = of.setdefault(source, [])
            said += [what] if what not in said else []
    return [
        SourceRecord(title=one.title, licence=one.licence, note=one.note, url=one.url, of=said)
        for one, said in of.items()
    ]


def _by_key(record: Mapping[str, Any]) -> bytes:
    """Write an object with one record a line in each of its lists."""
    if not record:
        return b"{}\n"
    encode = msgspec.json.Encoder().encode
    texts = [encode(key) + b": " + _list(value) for key, value in record.items()]
    return b"{\n" + b",\n".join(texts) + b"\n}\n"


def _list(value: Any) -> bytes:
    if not isinstance(value, list) or not value:
        return msgspec.json.encode(value)
    return b"[\n" + b",\n".join(msgspec.json.encode(one) for one in value) + b"\n]"


def _archive(parts: Mapping[str, bytes]) -> bytes:
    """Pack the members without compression: compressed bytes differ between versions of zlib."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system, info.external_attr = 3, 0o100644 << 16
            archive.writestr(info, data)
    return buffer.getvalue()
