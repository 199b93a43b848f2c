"""What maps and scenarios share: one history, a journal, a file, and the views that follow."""

from __future__ import annotations

import itertools
import os
import threading
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from studio.errors import StudioError
from studio.files import Journal, Recovery, RecoveryError, Stamp, save_document
from studio.model import Change, Edit, History

__all__ = ["LIVE", "Document", "RecoveredWarning"]


LIVE: weakref.WeakSet[Document] = weakref.WeakSet()
"""The documents that are open in this process."""

_SERIALS = itertools.count(1)


class RecoveredWarning(UserWarning):
    """Unsaved steps of a session that ended were made again."""


class Document:
    """What maps and scenarios share: history, journal, file, followers.

    Attributes
    ----------
    serial : int
        Number of the document among those of this process.
    lock : RLock
        Held while the document changes; hold it to read several things that belong together from another thread.
    """

    kind = ""

    def __init__(self, model: Any, path: Path | None, stamp: Stamp | None) -> None:
        self.lock = threading.RLock()
        self._model = model
        LIVE.add(self)
        self.serial = next(_SERIALS)
        # Where the file is does not change with the working folder; how it was named is what people recognise.
        self.path: Path | None = path.absolute() if path is not None else None
        self.name = str(path) if path is not None else ""
        self._closed = False
        self._first_text = b""  # a document without a file as it was before the first step
        self._stamp = stamp
        self._followers: list[Callable[[Change], None]] = []
        self._history = History(model)
        self._saved_mark = self._history.mark
        self.recovered: Recovery | None = None
        self.notes_on_opening: tuple[str, ...] = ()
        self._journal: Journal | None = None

    def _start_journal(self) -> Journal:
        text = self._text() if self.path is None and not self._history.mark else self._first_text
        self._first_text = text
        self._journal = Journal(self.path, opened=self._stamp, text=text, kind=self.kind)
        self._history.record = self._journal.record
        return self._journal

    def _recover(self, found: Recovery | None) -> None:
        """Make the steps of an ended session again, if they were made on this very file."""
        if found is None or not found:
            self._start_journal()
            return
        if not found.base_matches:
            others = "".join(f" {note}." for note in found.notes)
            message = (
                f"{self.path}: a session that ended left unsaved steps in {found.journal.name}, but the file was "
                "changed since, so they were not made again. Remedy: put the older file back and open it, or remove "
                f"the journal.{others}"
            )
            warnings.warn(message, RecoveredWarning, stacklevel=4)
            self._start_journal()
            return
        try:
            count = found.replay(_Allowed(self))
            self._journal = found.resume()
        except RecoveryError as error:
            # What could be made again stays, and is written into a journal of its own; the old one is left as it is.
            warnings.warn(str(error), RecoveredWarning, stacklevel=4)
            self._history.retell(self._start_journal().record)
            self.recovered = found
            return
        self._history.record = self._journal.record
        self.recovered = found
        notes = "".join(f" {note}." for note in found.notes)
        message = (
            f"{self.path or self.title}: {count} unsaved step{'s' if count != 1 else ''} of a session that ended "
            f"{'were' if count != 1 else 'was'} made again.{notes} Save to keep them, undo or revert() to give them up"
        )
        warnings.warn(message, RecoveredWarning, stacklevel=4)

    def _text(self) -> bytes:
        raise NotImplementedError

    # -- history -----------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Title of the document."""
        return str(self._model.title)

    @property
    def revision(self) -> int:
        """Number of changes since the document was opened, undos included."""
        return self._history.revision

    @property
    def can_undo(self) -> bool:
        """True when there is a step to take back."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """True when there is a step to make again."""
        return self._history.can_redo

    @property
    def history(self) -> list[str]:
        """Titles of the steps that were made, the oldest first."""
        return self._history.steps

    @property
    def undone(self) -> list[str]:
        """Titles of the steps that were taken back, the one that :meth:`redo` makes again first."""
        return self._history.undone

    @property
    def dirty(self) -> bool:
        """True when there are changes that the file does not have."""
        return self._history.mark != self._saved_mark

    @property
    def journal_fault(self) -> str:
        """Why unsaved steps are in memory only; empty when the journal keeps them."""
        return self._journal.fault if self._journal is not None else ""

    def apply(self, edit: Edit) -> Change:
        """Make an edit; it goes to the journal and into the history, and every view follows.

        Parameters
        ----------
        edit : Edit

        Returns
        -------
        Change

        Raises
        ------
        EditError
            When the edit cannot be made; the document is as it was.
        """
        with self.lock:
            self._allow(edit)
            self._reopen()
            return self._follow(self._history.apply(edit))

    def _reopen(self) -> None:
        """Go on after `close`: what is done then is journalled like everything else."""
        if self._closed:
            self._closed = False
            journal = self._start_journal()
            if self.dirty:
                self._history.retell(journal.record)

    def _allow(self, edit: Edit) -> None:
        """Refuse what the ruleset does not know; the model itself knows no rules."""

    def undo(self) -> Change | None:
        """Take the last step back; None when there is none."""
        with self.lock:
            self._reopen()
            change = self._history.undo()
            return None if change is None else self._follow(change)

    def redo(self) -> Change | None:
        """Make the last undone step again; None when there is none."""
        with self.lock:
            self._reopen()
            change = self._history.redo()
            return None if change is None else self._follow(change)

    def revert(self) -> None:
        """Take back every step since the document was opened; redo makes them again."""
        with self.lock:
            while self.undo() is not None:
                pass

    def _follow(self, change: Change) -> Change:
        """Bring up to date what depends on the document, and tell the views."""
        self._tell(change)
        return change

    def on_change(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Call a function after every change.

        Parameters
        ----------
        callback : callable
            Takes the change. What it raises is shown as a warning and stops nothing.

        Returns
        -------
        callable
            Stops the calls.
        """
        self._followers.append(callback)

        def stop() -> None:
            if callback in self._followers:
                self._followers.remove(callback)

        return stop

    def _tell(self, change: Change) -> None:
        for callback in list(self._followers):
            try:
                callback(change)
            except Exception as error:  # a view that fails must not undo what was done
                warnings.warn(f"a view could not follow the change: {error!r}", RuntimeWarning, stacklevel=4)

    # -- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> Path:
        """Save the document; the old file is whole until the new one is complete.

        Parameters
        ----------
        path : str or path, optional
            Where to; its own file by default.
        overwrite : bool
            Save even if the file was changed by someone else since it was opened.

        Returns
        -------
        Path

        Raises
        ------
        ConflictError
            When the file was changed by someone else, or another file stands there already.
        SaveError
            When the file cannot be written; the old one is whole and the unsaved steps are in the journal.
        StudioError
            When the document has no file yet and no path is given.
        """
        with self.lock:
            target = Path(path).absolute() if path is not None else self.path
            if target is None:
                example = f"save('{self.kind}s/x.{self.kind}.json')"
                msg = f"{self.title}: this {self.kind} has no file yet; name one, such as {example}"
                raise StudioError(msg)
            if "\0" in str(target):
                msg = f"{str(target)!r}: a path has no NUL character; name another file"
                raise StudioError(msg)
            self._prepare(target)
            text = self._text()
            same = self.path is not None and os.path.realpath(target) == os.path.realpath(self.path)
            if same and self._journal is not None:
                self._journal.saving(Stamp.of(text))
            stamp = save_document(target, text, opened=self._stamp if same else None, overwrite=overwrite)
            self._stamp, self.path = stamp, target
            self.name = str(path) if path is not None else self.name
            if self._journal is not None:
                self._journal.saved(target, stamp)
            self._saved_mark = self._history.mark
            return target

    def _prepare(self, target: Path) -> None:
        """Change what depends on where the file lies."""

    def close(self) -> None:
        """End the work on the document; unsaved steps stay in the journal and are offered at the next opening."""
        if self._journal is not None:
            if self.dirty:
                self._journal.close()
            else:
                self._journal.discard()
            self._history.record = None
            self._journal = None
            self._closed = True


class _Allowed:
    """A history that refuses what the ruleset does not know: journals are files, and may hold anything."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def apply(self, edit: Edit) -> Change:
        """Make an edit that is allowed."""
        self._document._allow(edit)
        return self._document._follow(self._document._history.apply(edit))

    def undo(self) -> Change | None:
        """Take the last step back."""
        change = self._document._history.undo()
        return None if change is None else self._document._follow(change)

    def redo(self) -> Change | None:
        """Make it again."""
        change = self._document._history.redo()
        return None if change is None else self._document._follow(change)
