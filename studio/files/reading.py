"""Opening documents: a file becomes a model, or one error that lists everything that is wrong with it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from studio.errors import DocumentError, UnknownNameError
from studio.files.decode import MAP, MAX_BYTES, SCENARIO, Kind, file_bytes, quiet_collector, typed
from studio.files.faults import FaultList
from studio.files.mapcheck import Catalogue, build_map, find_ruleset
from studio.files.store import Stamp
from studio.model import MapDocument, MapModel, ScenarioDocument, ScenarioModel

__all__ = ["Loaded", "load_map", "load_scenario", "read_map", "read_scenario"]

Source: TypeAlias = str | os.PathLike[str] | bytes
M = TypeVar("M", MapModel, ScenarioModel)


@dataclass(frozen=True)
class Loaded(Generic[M]):
    """A document that was opened.

    Parameters
    ----------
    model : MapModel or ScenarioModel
    stamp : Stamp
        What the file was when it was read; saving compares with it.
    notes : tuple of str
        What a designer should know, such as that the file is of an older version.
    """

    model: M
    stamp: Stamp
    notes: tuple[str, ...] = ()


def _bytes(source: Source, name: str, limit: int) -> tuple[bytes, str]:
    if isinstance(source, bytes | bytearray | memoryview):
        data = bytes(source)
        if len(data) > limit:
            faults = FaultList()
            faults.add("$", f"has {len(data)} bytes, allowed {limit}", "raise `limit` when you trust it")
            raise DocumentError(name or "document", faults.all())
        return data, name or "document"
    return file_bytes(source, limit=limit), name or os.fspath(source)


def _folders(source: Source, map_file: str = "") -> list[Path]:
    """Return the folders in which a document's own game may have its file: its own, and that of its map."""
    if not isinstance(source, str | os.PathLike):
        return []
    folder = Path(source).parent
    return [folder, (folder / map_file).parent] if map_file else [folder]


def _notes(version: int, kind: Kind[MapDocument] | Kind[ScenarioDocument]) -> tuple[str, ...]:
    if version == kind.version:
        return ()
    return (f"the file has version {version}; saving writes version {kind.version}, which older studios do not open",)


def load_map(
    source: Source, *, name: str = "", limit: int = MAX_BYTES, ruleset: Catalogue | None = None
) -> Loaded[MapModel]:
    """Open a map and keep what saving needs to know.

    Parameters
    ----------
    source : str, path or bytes
        The file, or its content.
    name : str
        How errors call it; the path when empty.
    limit : int
        Largest size in bytes.
    ruleset : Catalogue, optional
        Instead of the one that the file names.

    Returns
    -------
    Loaded

    Raises
    ------
    DocumentError
        When it is not a sound map; ``faults`` lists everything found.
    MissingFileError
        When there is no such file.
    """
    data, name = _bytes(source, name, limit)
    faults = FaultList()
    with quiet_collector():
        document, version = typed(data, MAP, name, limit=limit)
        model = build_map(document, faults, ruleset, _folders(source))
    if model is None:
        raise DocumentError(name, faults.all())
    return Loaded(model, Stamp.of(data), _notes(version, MAP))


def load_scenario(
    source: Source, *, name: str = "", limit: int = MAX_BYTES, ruleset: Catalogue | None = None
) -> Loaded[ScenarioModel]:
    """Open a scenario and keep what saving needs to know; its map is not opened.

    Raises
    ------
    DocumentError
        When it is not a sound scenario; ``faults`` lists everything found.
    MissingFileError
        When there is no such file.
    """
    data, name = _bytes(source, name, limit)
    faults = FaultList()
    with quiet_collector():
        document, version = typed(data, SCENARIO, name, limit=limit)
        if ruleset is None:
            try:
                find_ruleset(document.ruleset, _folders(source, document.map.file))
            except UnknownNameError as error:
                remedy = (
                    "mend the id, or put the game's ID.ruleset.toml beside the map (studio.load_ruleset reads others)"
                )
                faults.add("$.ruleset", str(error), remedy)
        _unique(document, faults)
    if faults:
        raise DocumentError(name, faults.all())
    return Loaded(ScenarioModel(document), Stamp.of(data), _notes(version, SCENARIO))


def _unique(document: ScenarioDocument, faults: FaultList) -> None:
    """Refuse ids given twice where edits and the journal find records by them; deeper ids are for the checks."""
    groups: dict[str, list[tuple[str, str]]] = {
        "force": [(force.id, f"$.forces[{i}]") for i, force in enumerate(document.forces)],
        "objective": [(objective.id, f"$.objectives[{i}]") for i, objective in enumerate(document.objectives)],
        "note": [(note.id, f"$.place_notes[{i}]") for i, note in enumerate(document.place_notes)],
    }
    for what, records in groups.items():
        first: dict[str, str] = {}
        for name, path in records:
            if faults.stop():
                return
            if name in first:
                message = f"the id {name!r} is taken by {first[name]}"
                faults.add(f"{path}.id", message, f"give each {what} an id of its own", name)
            first.setdefault(name, path)


def read_map(source: Source, *, name: str = "", limit: int = MAX_BYTES, ruleset: Catalogue | None = None) -> MapModel:
    """Open a map.

    Parameters
    ----------
    source : str, path or bytes
        The file, or its content.
    name : str
        How errors call it; the path when empty.
    limit : int
        Largest size in bytes.
    ruleset : Catalogue, optional
        Instead of the one that the file names.

    Returns
    -------
    MapModel

    Raises
    ------
    DocumentError
        When it is not a sound map; ``faults`` lists everything found.
    MissingFileError
        When there is no such file.
    """
    return load_map(source, name=name, limit=limit, ruleset=ruleset).model


def read_scenario(
    source: Source, *, name: str = "", limit: int = MAX_BYTES, ruleset: Catalogue | None = None
) -> ScenarioModel:
    """Open a scenario; its map is not opened.

    Raises
    ------
    DocumentError
        When it is not a sound scenario; ``faults`` lists everything found.
    MissingFileError
        When there is no such file.
    """
    return load_scenario(source, name=name, limit=limit, ruleset=ruleset).model
