"""Unsaved work of sessions that ended without saving: find it, make it again, or give it up."""

from __future__ import annotations

import contextlib
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

from studio.errors import StudioError
from studio.files.journal import JOURNAL_FORMAT, JOURNAL_VERSION, Header, Journal, Step
from studio.files.locks import try_lock
from studio.files.places import journals_of, state_folder
from studio.files.regular import open_regular
from studio.files.store import Stamp
from studio.model import Change, Edit

__all__ = ["MAX_JOURNAL", "Recovery", "RecoveryError", "recover", "recoveries", "unsaved"]

MAX_JOURNAL = 256 * 1024 * 1024
"""Most bytes of a journal that are read; the steps beyond them are not recovered, and the file is kept."""
_MAX_DOCUMENT = 1024 * 1024 * 1024
"""Largest file that a journal is compared with, in bytes; what a journal names may be anything."""

_LINE = msgspec.json.Decoder(Step)
_HEADER = msgspec.json.Decoder(Header)


class RecoveryError(StudioError, ValueError):
    """A step of a journal that cannot be made again."""


class Steps(Protocol):
    """A history: what steps are made on."""

    def apply(self, edit: Edit) -> Change:
        """Make an edit."""
        ...

    def undo(self) -> Change | None:
        """Take the last step back."""
        ...

    def redo(self) -> Change | None:
        """Make the last undone step again."""
        ...


@dataclass
class Recovery:
    """Steps that a session left unsaved.

    Attributes
    ----------
    journal : Path
        The journal's file.
    header : Header
        Its document, and what the document's file was.
    steps : list of Step
        What to make again, in order.
    notes : list of str
        What a designer should know: a cut line, a damaged one, a file that changed since.
    base_matches : bool
        The document's file is what the steps were made on.
    damaged : bool
        Lines after the last good step could not be read; the file is kept aside when the journal goes on.
    end : int
        Bytes of the journal up to the last good step.
    """

    journal: Path
    header: Header
    steps: list[Step] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    base_matches: bool = True
    damaged: bool = False
    end: int = 0

    @property
    def document(self) -> Path | None:
        """The document's file, None when it had none."""
        return Path(self.header.document) if self.header.document else None

    @property
    def text(self) -> bytes:
        """The document that the steps were made on, when it had no file."""
        return self.header.text.encode("utf-8")

    def __bool__(self) -> bool:
        return bool(self.steps)

    def replay(self, history: Steps) -> int:
        """Make the steps again.

        Parameters
        ----------
        history : History
            Of the document as it was; its ``record`` must be off, because the steps are in the journal already.

        Returns
        -------
        int
            Number of steps made.

        Raises
        ------
        RecoveryError
            When a step cannot be made; those before it stay made.
        """
        for number, step in enumerate(self.steps, 1):
            try:
                if step.edit is not None:
                    history.apply(step.edit)
                elif (history.undo() if step.undo else history.redo()) is None:
                    self.notes.append(f"step {number} undoes or redoes what was before the last save: left out")
            except (StudioError, ArithmeticError, LookupError, TypeError, ValueError) as error:
                msg = (
                    f"{self.journal}: step {number} of {len(self.steps)} cannot be made again: {error}. The "
                    "steps before it were made. Remedy: check the document, save it elsewhere, discard the journal"
                )
                raise RecoveryError(msg) from error
        return len(self.steps)

    def resume(self) -> Journal:
        """Go on in the recovered journal: later steps follow those in it, and a save empties it.

        Returns
        -------
        Journal

        Raises
        ------
        RecoveryError
            When another session took it meanwhile, or it cannot be written.
        """
        base = self.header.base
        journal = Journal(
            self.header.document or None,
            opened=None if base is None else Stamp(base.sha256, base.size),
            text=self.text,
            kind=self.header.kind,
        )
        done = undone = 0
        for step in self.steps:
            if step.edit is not None:
                done, undone = done + 1, 0
            elif step.undo and done:
                done, undone = done - 1, undone + 1
            elif step.redo and undone:
                done, undone = done + 1, undone - 1
        try:
            if self.damaged:
                self.notes.append(f"the damaged journal is kept as {_keep_aside(self.journal).name}")
            descriptor = open_regular(self.journal, os.O_RDWR | os.O_APPEND)
            if not _lock(descriptor):
                os.close(descriptor)
                msg = f"{self.journal}: another session took this journal meanwhile; look there for the work"
                raise RecoveryError(msg)
            os.ftruncate(descriptor, self.end)
        except OSError as error:
            msg = f"{self.journal}: cannot go on in this journal: {error.strerror or error}; save to another path"
            raise RecoveryError(msg) from error
        journal.adopt(self.journal, descriptor, end=self.end, done=done, undone=undone, steps=len(self.steps))
        return journal

    def discard(self) -> None:
        """Give the steps up: remove the journal."""
        with contextlib.suppress(OSError):
            os.unlink(self.journal)


def _keep_aside(journal: Path) -> Path:
    """Copy a damaged journal to a name of its own and return it."""
    number = 1
    while True:
        aside = journal.with_name(f"{journal.name}.damaged-{number}")
        try:
            with open(open_regular(journal), "rb") as damaged, open(aside, "xb") as file:
                shutil.copyfileobj(damaged, file)
        except FileExistsError:
            number += 1
            continue
        return aside


def _lock(descriptor: int) -> bool:
    try:
        return try_lock(descriptor)
    except OSError:
        return True  # a file system without locks


def recoveries(path: str | os.PathLike[str], *, kind: str | None = None) -> list[Recovery]:
    """Return the unsaved work on a document, that made on the file as it is now first, and the latest first in each.

    Journals of live sessions are left alone. Those without any step, as a kill just after a save leaves them, are
    removed.

    Parameters
    ----------
    path : str or path
        The document's file.
    kind : {"map", "scenario"}, optional
        Leave journals of another kind alone, with a note that names them.

    Returns
    -------
    list of Recovery
        Empty when there is none.
    """
    target = Path(os.path.realpath(path))
    current = _stamp(target)
    found = [_read(journal, current, kind=kind) for journal in journals_of(target)]
    kept = [recovery for recovery in found if recovery]
    ours = [recovery for recovery in kept if kind is None or recovery.header.kind == kind]
    for other in kept:
        if other not in ours:
            for recovery in ours:
                recovery.notes.append(
                    f"{other.journal.name} holds steps of a {other.header.kind[:20]}, not of a {kind}; it is left alone"
                )
    return sorted(_latest_first(ours), key=lambda recovery: not recovery.base_matches)


def recover(path: str | os.PathLike[str], *, kind: str | None = None) -> Recovery | None:
    """Return the unsaved work on a document that should be made again, None when there is none.

    That is the latest that was made on the file as it is now, else the latest of all; its ``notes`` name the others.

    Parameters
    ----------
    path : str or path
        The document's file.
    kind : {"map", "scenario"}, optional
        Leave journals of another kind alone.

    Returns
    -------
    Recovery or None
        Open the document, make the steps again with ``replay`` and go on with ``resume``; or ``discard``.
    """
    found = recoveries(path, kind=kind)
    if not found:
        return None
    best, others = found[0], found[1:]
    alike = [other.journal.name for other in others if other.base_matches == best.base_matches]
    changed = [other.journal.name for other in others if other.base_matches != best.base_matches]
    if changed:
        best.notes.append(f"there is unsaved work on another state of the file too, in {', '.join(changed)}")
    if alike:
        best.notes.append(f"there is older unsaved work too, in {', '.join(alike)}")
    return best


def unsaved(*folders: str | os.PathLike[str]) -> list[Recovery]:
    """Return unsaved work that no session has open, the latest first.

    Parameters
    ----------
    folders : str or path
        Folders with documents to look into, beside the state folder where documents without a file have theirs.

    Returns
    -------
    list of Recovery
    """
    found: list[Recovery] = []
    for folder in (state_folder(), *map(Path, folders)):
        with contextlib.suppress(OSError):
            for journal in sorted(folder.iterdir()):
                tail = journal.name.rpartition(".journal")
                if tail[1] and (not tail[2] or tail[2].lstrip(".").isdigit()):
                    recovery = _read(journal, None, look=True)
                    if recovery:
                        found.append(recovery)
    return _latest_first(found)


def _latest_first(found: list[Recovery]) -> list[Recovery]:
    def moment(recovery: Recovery) -> float:
        try:
            return recovery.journal.stat().st_mtime
        except OSError:
            return 0.0

    return sorted(found, key=moment, reverse=True)


def _stamp(path: str | os.PathLike[str]) -> Stamp | None:
    try:
        return Stamp.of_file(path, limit=_MAX_DOCUMENT)
    except (OSError, ValueError):
        return None


def _read(journal: Path, current: Stamp | None, *, look: bool = False, kind: str | None = None) -> Recovery | None:
    """Read one journal; None when a live session has it or it is no journal of ours.

    Parameters
    ----------
    journal : Path
    current : Stamp or None
        What the document's file is now.
    look : bool
        Find that out from the path in the journal instead.
    kind : str, optional
        A journal of another kind is only looked at; one of this kind that holds nothing is removed.
    """
    try:
        descriptor = open_regular(journal, os.O_RDWR)
    except OSError:
        return None
    recovery, spent = None, False
    try:
        # Without locks in the file system somebody may be writing: read it, but do not remove it.
        ours = True
        try:
            if not try_lock(descriptor):
                return None
        except OSError:
            ours = False
        with open(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_JOURNAL + 1)
        recovery = _parsed(journal, data, current, look=look)
        if recovery is None:
            return None
        spent = ours and kind in (None, recovery.header.kind) and _spent(recovery, data)
        if spent and os.name != "nt":  # while it is locked, so that no session takes it meanwhile
            _remove(descriptor, journal)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    if spent and os.name == "nt":  # an open file cannot be removed there
        recovery.discard()
    return recovery


def _spent(recovery: Recovery, data: bytes) -> bool:
    """Tell whether a journal holds nothing: no step but what the document's file has, nothing damaged or cut."""
    return not recovery.steps and not recovery.damaged and recovery.end == len(data)


def _remove(descriptor: int, journal: Path) -> None:
    with contextlib.suppress(OSError):
        if os.path.samestat(os.fstat(descriptor), os.stat(journal)):
            os.unlink(journal)


def _parsed(journal: Path, data: bytes, current: Stamp | None, *, look: bool) -> Recovery | None:
    first, newline, _ = data.partition(b"\n")
    try:
        header = _HEADER.decode(first)
    except (msgspec.DecodeError, RecursionError):
        return None
    if header.format != JOURNAL_FORMAT or header.version > JOURNAL_VERSION:
        return None
    recovery = Recovery(journal, header, end=len(first) + len(newline))
    if look and header.document:
        current = _stamp(header.document)
    _read_steps(recovery, data, current)
    return recovery


def _read_steps(recovery: Recovery, data: bytes, current: Stamp | None) -> None:
    base = recovery.header.base
    lines = data[recovery.end :].split(b"\n")
    rest = lines.pop()
    for number, line in enumerate(lines, 2):
        step = _decoded(line)
        if step is None or step.lost:
            why = f"was not written ({step.lost})" if step is not None else "cannot be read"
            recovery.damaged = True
            recovery.notes.append(
                f"line {number} of {recovery.journal.name} {why}; {len(recovery.steps)} steps before it are recovered, "
                f"{len(lines) + 1 - number} lines after it are not. The file is kept"
            )
            break
        recovery.end += len(line) + 1
        if step.saving is not None:
            if current == Stamp(step.saving.sha256, step.saving.size):
                # Saved, and killed before the journal was emptied: what came before is in the file.
                recovery.steps.clear()
                base = step.saving
                recovery.header.base = base
            continue
        recovery.steps.append(step)
    if len(data) > MAX_JOURNAL and not recovery.damaged:
        recovery.damaged = True
        recovery.notes.append(
            f"{recovery.journal.name} has over {MAX_JOURNAL} bytes; the steps beyond them are not recovered. "
            "The file is kept"
        )
    if rest and not recovery.damaged:
        recovery.notes.append("the last step was cut off while it was written and is lost")
    if base is not None and current != Stamp(base.sha256, base.size):
        recovery.base_matches = False
        recovery.notes.append(
            "the file is not what these steps were made on: it was changed or removed since; check the result well"
        )


def _decoded(line: bytes) -> Step | None:
    """Return a step, None when the line is none."""
    try:
        step = _LINE.decode(line)
    except (msgspec.DecodeError, RecursionError):
        return None
    marks = (step.edit is not None, step.undo, step.redo, step.saving is not None, bool(step.lost))
    return step if sum(marks) == 1 else None
