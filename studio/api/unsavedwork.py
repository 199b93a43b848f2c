"""Work that no file has yet: of sessions that ended, and of documents that are still open in this one."""

from __future__ import annotations

import json
from datetime import datetime

import msgspec

from studio.api.document import LIVE, Document
from studio.api.map import Map, open_map, restore_map
from studio.api.scenario import Scenario, open_scenario, restore_scenario
from studio.errors import Fault, StudioError
from studio.files import MissingFileError, Recovery
from studio.files import unsaved as journals

__all__ = ["UnsavedWork", "recover_map", "recover_scenario", "unsaved"]


class UnsavedWork(msgspec.Struct, frozen=True, eq=False):
    """Work that can be got back; :meth:`open` does so.

    Attributes
    ----------
    title : str
    kind : {"map", "scenario"}
    steps : int
        Number of steps that no file has.
    where : str
        Its file, or why it has none.
    changed : str
        When the last step was made, as far as it is known.
    """

    title: str
    kind: str
    steps: int
    where: str
    changed: str
    source: Document | Recovery

    def open(self) -> Document:
        """Return the document with the unsaved steps made again.

        Raises
        ------
        RecoveryError, DocumentError
            When the journal cannot be followed to its end.
        MissingFileError
            When the file on which the steps were made is gone.
        """
        if isinstance(self.source, Document):
            return self.source
        file = self.source.document
        if file is not None and not file.exists():
            were = "was" if self.steps == 1 else "were"
            message = f"the file on which {self.steps} unsaved step{'s' * (self.steps != 1)} {were} made is gone"
            remedy = (
                f"put the file back (from git or a backup) and open it; the steps stay in {self.source.journal.name}"
            )
            raise MissingFileError(str(file), [Fault("$", message, remedy)])
        if file is not None:
            return (open_map if self.kind == "map" else open_scenario)(file)
        return (restore_map if self.kind == "map" else restore_scenario)(self.source)

    def __repr__(self) -> str:
        count = f"{self.steps} step{'s' * (self.steps != 1)}"
        return (
            f"UnsavedWork({self.title!r}, {self.kind}, {count}, {self.where}, {self.changed}; .open() brings it back)"
        )


def unsaved() -> list[UnsavedWork]:
    """Return the work that no file has: of sessions that ended, and of maps that are open here and were never saved.

    Returns
    -------
    list of UnsavedWork
        ``unsaved()[0].open()`` brings the first back. Looks beside the files in this folder and in ``maps`` and
        ``scenarios``, and where documents without a file are kept.
    """
    found = []
    for live in sorted(LIVE, key=lambda document: -document.revision):
        if live.path is None and live.dirty:
            found.append(UnsavedWork(live.title, live.kind, len(live.history), "open in this session", "now", live))
    for journal in journals(".", "maps", "scenarios"):
        moment = "at an unknown time"
        if journal.journal.exists():
            moment = datetime.fromtimestamp(journal.journal.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
        where = f"file {journal.document}" if journal.document else "no file yet"
        found.append(UnsavedWork(_title(journal), journal.header.kind, len(journal.steps), where, moment, journal))
    return found


def _title(journal: Recovery) -> str:
    if journal.document is not None:
        return journal.document.name
    try:
        return str(json.loads(journal.text)["title"])
    except (ValueError, KeyError, TypeError):
        return journal.journal.name


def recover_map(found: UnsavedWork) -> Map:
    """Return a map with the unsaved steps of a session that ended made again.

    Parameters
    ----------
    found : UnsavedWork
        What :func:`unsaved` listed.

    Raises
    ------
    RecoveryError, DocumentError
        When the journal cannot be followed to its end.
    StudioError
        When it is the work on a scenario.
    """
    opened = found.open()
    if not isinstance(opened, Map):
        msg = f"{found!r}: this is no map; use recover_scenario, or .open()"
        raise StudioError(msg)
    return opened


def recover_scenario(found: UnsavedWork) -> Scenario:
    """Return a scenario with the unsaved steps of a session that ended made again.

    Raises
    ------
    RecoveryError, DocumentError
        When the journal cannot be followed to its end, or the scenario's map is not there.
    StudioError
        When it is the work on a map.
    """
    opened = found.open()
    if not isinstance(opened, Scenario):
        msg = f"{found!r}: this is no scenario; use recover_map, or .open()"
        raise StudioError(msg)
    return opened
