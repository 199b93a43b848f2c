"""History: every edit with its inverse, so that all of it can be taken back and made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from studio.model.batch import Model
from studio.model.change import Change
from studio.model.edits import Edit, describe

__all__ = ["History"]


class _Step(NamedTuple):
    """An edit that was made, the edit that takes it back, and a number of its own."""

    number: int
    edit: Edit
    inverse: Edit


class History:
    """The steps made on a model since it was opened.

    Parameters
    ----------
    model : Model
    record : callable, optional
        The journal: called with ``"edit"``, ``"undo"`` or ``"redo"`` and the edit that was made for it.

    Attributes
    ----------
    revision : int
        Number of changes, undos included; it never goes back.
    last : (str, int)
        What was done last, ``"edit"``, ``"undo"`` or ``"redo"``, and the number of the step that it was done to.
    """

    def __init__(self, model: Model, record: Callable[[str, Edit | None], None] | None = None) -> None:
        self.model, self.record = model, record
        self.revision = 0
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._count_steps = 0
        self.last: tuple[str, int] = ("", 0)

    @property
    def can_undo(self) -> bool:
        """True when there is a step to take back."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """True when there is a step to make again."""
        return bool(self._undone)

    @property
    def steps(self) -> list[str]:
        """Titles of the steps that were made, the oldest first."""
        return [describe(step.edit) for step in self._done]

    @property
    def undone(self) -> list[str]:
        """Titles of the steps that were taken back, the one that redo makes again first."""
        return [describe(step.edit) for step in reversed(self._undone)]

    @property
    def mark(self) -> int:
        """A number that names the state: taking a step back and making it again leads to the same number."""
        return self._done[-1].number if self._done else 0

    @property
    def next_mark(self) -> int:
        """The number that :attr:`mark` has after a redo; 0 when there is none."""
        return self._undone[-1].number if self._undone else 0

    def retell(self, record: Callable[[str, Edit | None], None]) -> None:
        """Tell a journal everything that was done, and what was undone, as if it had just happened."""
        for step in (*self._done, *reversed(self._undone)):
            record("edit", step.edit)
        for step in self._undone:
            record("undo", step.inverse)

    @property
    def position(self) -> tuple[int, int]:
        """How many steps are done and how many undone."""
        return len(self._done), len(self._undone)

    def apply(self, edit: Edit) -> Change:
        """Make an edit and remember it.

        Raises
        ------
        EditError
            When the model refuses it; model and history are as they were.
        """
        inverse, change = self.model.perform(edit)
        self._note("edit", edit)
        self._count_steps += 1
        self._done.append(_Step(self._count_steps, edit, inverse))
        self._undone.clear()
        self.last = ("edit", self._count_steps)
        return self._count(change)

    def undo(self) -> Change | None:
        """Take the last step back; None when there is none."""
        if not self._done:
            return None
        inverse = self._done[-1].inverse
        _, change = self.model.perform(inverse)
        self._note("undo", inverse)
        self._undone.append(self._done.pop())
        self.last = ("undo", self.next_mark)
        return self._count(change)

    def redo(self) -> Change | None:
        """Make the last undone step again; None when there is none."""
        if not self._undone:
            return None
        edit = self._undone[-1].edit
        _, change = self.model.perform(edit)
        self._note("redo", edit)
        self._done.append(self._undone.pop())
        self.last = ("redo", self.mark)
        return self._count(change)

    def _note(self, what: str, edit: Edit | None) -> None:
        if self.record is not None:
            self.record(what, edit)

    def _count(self, change: Change) -> Change:
        self.revision += 1
        change.revision = self.revision
        return change
