"""The journal: every step is on disk before the next one, so that a killed process loses nothing.

A journal is lines of JSON. The first says which document it belongs to and what that document's file was; the others
are steps: ``{"edit": …}``, ``{"undo": true}``, ``{"redo": true}``, and ``{"saving": {…}}`` just before a save. It is
made with the first step, emptied (removed) by a save, and kept when a process ends with unsaved steps.

One write a step hands the line to the operating system, which keeps it when the process dies. It is not forced onto
the disk each time: a power cut may cost the last seconds.
"""

from __future__ import annotations

import contextlib
import os
import time
import weakref
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from studio.files.locks import try_lock
from studio.files.places import MAX_JOURNALS, journal_path, unsaved_path
from studio.files.regular import open_regular
from studio.files.store import Stamp
from studio.model import Edit

__all__ = ["JOURNAL_FORMAT", "JOURNAL_VERSION", "Header", "Journal", "Saving", "Step"]

JOURNAL_FORMAT, JOURNAL_VERSION = "wargame-studio/journal", 1


class Saving(msgspec.Struct, frozen=True, kw_only=True):
    """Stamp of a file."""

    sha256: str
    size: int


class Header(msgspec.Struct, kw_only=True):
    """First line of a journal.

    Parameters
    ----------
    format, version : str, int
    kind : {"map", "scenario"}
    document : str
        Path of the document's file, empty when it has none yet.
    base : Saving or None
        What that file was.
    text : str
        The whole document as it was, when it has no file.
    process : int
        Who writes the journal.
    started : str
        When, in ISO 8601 with the offset to UTC.
    """

    format: str
    version: int
    kind: str
    document: str = ""
    base: Saving | None = None
    text: str = ""
    process: int = 0
    started: str = ""


class Step(msgspec.Struct, kw_only=True, omit_defaults=True):
    """One line of a journal after the first; exactly one field is set."""

    edit: Edit | None = None
    undo: bool = False
    redo: bool = False
    saving: Saving | None = None
    lost: str = ""


def _plain(value: Any) -> Any:
    """Write numbers of numpy as what they are; edits made in Python hold them easily."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    msg = f"{type(value).__name__} is nothing that JSON can hold"
    raise TypeError(msg)


_ENCODE = msgspec.json.Encoder(enc_hook=_plain).encode
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Journal:
    """The journal of one open document. Give :meth:`record` to its history.

    Parameters
    ----------
    path : str or path or None
        The document's file; None when it has none yet.
    opened : Stamp or None
        What the file was when it was opened.
    text : bytes
        The document as it is now, kept when it has no file.
    kind : {"map", "scenario"}

    Attributes
    ----------
    fault : str
        Why steps are kept in memory only; empty when all is well. Steps are never refused: the next one tries again.
    notice : str
        What a designer should know, such as that another session edits the same file.
    steps : int
        Steps since the document was opened or saved, undos included.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        *,
        opened: Stamp | None = None,
        text: bytes = b"",
        kind: str = "map",
    ) -> None:
        self.kind, self.fault, self.notice, self.steps = kind, "", "", 0
        self._target = None if path is None else Path(os.path.realpath(path))
        self._opened, self._text = opened, text
        self._file: Path | None = None
        self._end = 0
        self._waiting: list[bytes] = []
        self._done = self._undone = 0
        self._descriptor: list[int] = []
        weakref.finalize(self, _close, self._descriptor)

    @property
    def file(self) -> Path | None:
        """The journal's file; None before the first step."""
        return self._file

    # -- steps -----------------------------------------------------------------------------------------------------

    def record(self, what: str, edit: Edit | None = None) -> None:
        """Note a step; it is with the operating system when this returns.

        Parameters
        ----------
        what : {"edit", "undo", "redo"}
        edit : Edit, optional
            The edit that is made; for an undo or a redo the one that does it, which is needed when the step that it
            takes back was made before the last save.

        Raises
        ------
        ValueError
            When `what` is none of the three. Trouble with the disk raises nothing: see ``fault``.
        """
        if what not in ("edit", "undo", "redo"):
            msg = f"a step is 'edit', 'undo' or 'redo', got {what!r}"
            raise ValueError(msg)
        self.steps += 1
        step = self._step(what, edit)
        try:
            line = _ENCODE(step) + b"\n"
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            line = _ENCODE(Step(lost=f"{what}: {error}"[:500])) + b"\n"
        self._waiting.append(line)
        self._flush()

    def _step(self, what: str, edit: Edit | None) -> Step:
        """Choose the line for a step.

        A journal starts empty after a save, but the history goes on: what is undone beyond that point is written as
        the edit that undoes it, and ``_done`` and ``_undone`` count what a replay could undo and redo by itself.
        """
        if what == "undo" and (self._done or edit is None):
            if self._done:
                self._done, self._undone = self._done - 1, self._undone + 1
            return Step(undo=True)
        if what == "redo" and (self._undone or edit is None):
            if self._undone:
                self._done, self._undone = self._done + 1, self._undone - 1
            return Step(redo=True)
        self._undone = 0
        self._done += what != "undo"
        return Step(edit=edit)

    def saving(self, stamp: Stamp) -> None:
        """Note that the file is about to become this; call it just before a save, so that a kill between the two
        does not make the steps before it again.
        """  # noqa: D205
        if self._file is not None:
            self._waiting.append(_ENCODE(Step(saving=Saving(sha256=stamp.sha256, size=stamp.size))) + b"\n")
            self._flush()

    def saved(self, path: str | os.PathLike[str], stamp: Stamp) -> None:
        """Empty the journal after a save, and go on beside the file that was written.

        Parameters
        ----------
        path : str or path
        stamp : Stamp
            What ``save_document`` returned.
        """
        self.discard()
        self._target, self._opened, self._text = Path(os.path.realpath(path)), stamp, b""

    def discard(self) -> None:
        """Give the recorded steps up: remove the journal."""
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):
                if os.name == "nt":  # an open file cannot be removed there
                    _close(self._descriptor)
                os.unlink(file)
        _close(self._descriptor)
        self._waiting.clear()
        self._end = self._done = self._undone = self.steps = 0
        self.fault = ""

    def close(self) -> None:
        """End the journal: removed when there are no unsaved steps, else kept for :func:`recover`."""
        if self.steps == 0:
            self.discard()
        else:
            self._flush()
            _close(self._descriptor)

    def adopt(self, file: Path, descriptor: int, *, end: int, done: int, undone: int, steps: int) -> None:
        """Go on in a journal that was recovered and whose lock is held by the descriptor."""
        self._file, self._end = file, end
        self._descriptor[:] = [descriptor]
        self._done, self._undone, self.steps = done, undone, steps

    # -- the file --------------------------------------------------------------------------------------------------

    def _flush(self) -> None:
        """Write the lines that wait, each with one call; keep them when the disk refuses."""
        try:
            if not self._descriptor:
                self._open()
            while self._waiting:
                line = self._waiting[0]
                written = os.write(self._descriptor[0], line)
                if written < len(line):
                    os.ftruncate(self._descriptor[0], self._end)
                    msg = "the disk is full"
                    raise OSError(msg)
                self._end += written
                self._waiting.pop(0)
            self.fault = ""
        except OSError as error:
            why = error.strerror or str(error)
            self.fault = (
                f"unsaved steps are kept in memory only ({len(self._waiting)} not in the journal): {why}. "
                "Remedy: save soon, to another disk if this one is full"
            )

    def _header(self) -> bytes:
        base = None if self._opened is None else Saving(sha256=self._opened.sha256, size=self._opened.size)
        return (
            _ENCODE(
                Header(
                    format=JOURNAL_FORMAT,
                    version=JOURNAL_VERSION,
                    kind=self.kind,
                    document="" if self._target is None else os.fspath(self._target),
                    base=base,
                    text=self._text.decode("utf-8") if base is None else "",
                    process=os.getpid(),
                    started=time.strftime("%Y-%m-%dT%H:%M:%S%z"),
                )
            )
            + b"\n"
        )

    def _open(self) -> None:
        """Make the journal's file, locked, under the first number that nobody holds."""
        if self._file is not None:
            # Closed with steps in it: go on there.
            descriptor = os.open(self._file, _FLAGS, 0o600)
            self._descriptor[:] = [descriptor]
            return
        if self._target is None:
            unsaved = unsaved_path(self.kind)
            unsaved.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._take(unsaved)
            return
        try:
            self._open_numbered(beside=True)
        except OSError:
            # A folder that may be read only, or a file name that has no room for the suffix.
            elsewhere = journal_path(self._target, beside=False)
            elsewhere.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._open_numbered(beside=False)

    def _open_numbered(self, *, beside: bool) -> None:
        assert self._target is not None
        for number in range(1, MAX_JOURNALS + 1):
            if self._take(journal_path(self._target, number, beside=beside)):
                return
        msg = f"there are {MAX_JOURNALS} journals of {self._target.name} already; remove those that are not needed"
        raise OSError(msg)

    def _take(self, path: Path) -> bool:
        """Make and lock one journal; False when it is held by another session, holds steps of a dead one, or when
        something that is no regular file has its name.
        """  # noqa: D205
        try:
            descriptor = open_regular(path, _FLAGS, 0o600)
        except OSError:
            if os.path.lexists(path) and not os.path.isfile(path):
                return False
            raise
        try:
            locked = True
            # Without locks in the file system the number alone must keep sessions apart.
            with contextlib.suppress(OSError):
                locked = try_lock(descriptor)
            if not locked:
                self.notice = (
                    f"{path.name[1:].split('.journal')[0]} is open in another session too; "
                    "whoever saves second will be told, and nothing is lost"
                )
            if not locked or os.fstat(descriptor).st_size or not _same_file(descriptor, path):
                os.close(descriptor)
                return False
        except BaseException:
            with contextlib.suppress(OSError):
                os.close(descriptor)
            raise
        header = self._header()
        try:
            written = os.write(descriptor, header)
            if written < len(header):
                msg = "the disk is full"
                raise OSError(msg)
        except OSError:
            os.close(descriptor)
            with contextlib.suppress(OSError):
                os.unlink(path)
            raise
        self._file, self._end = path, len(header)
        self._descriptor[:] = [descriptor]
        return True


def _same_file(descriptor: int, path: Path) -> bool:
    """Tell whether an open file still has its name: its last owner may have removed it before we got the lock."""
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False


def _close(descriptor: list[int]) -> None:
    if descriptor:
        with contextlib.suppress(OSError):
            os.close(descriptor.pop())
