"""The list of steps: every one can be gone back to, whoever made it."""

from __future__ import annotations

from typing import Any

from studio.editor.panels.nodes import Node, button, buttons, hint, row, rows
from studio.editor.panels.panel import Panel

__all__ = ["HistoryPanel"]

SHOWN = 200
"""Steps that are listed, the newest first."""


class HistoryPanel(Panel):
    """The steps made since the document was opened, those that were taken back as well."""

    id = "history"
    title = "History"

    def nodes(self) -> list[Node]:
        """Return the steps, the newest first; a press on one makes the document what it was after it."""
        subject = self.editor.subject
        done, undone = list(subject.history), list(getattr(subject, "undone", ()))
        if not done and not undone:
            return [hint("Nothing was changed since the document was opened.")]
        lines = [
            row(title, sign="↷", action="go", values={"to": len(done) + number + 1}, note="taken back")
            for number, title in reversed(list(enumerate(undone)))
        ]
        first = max(0, len(done) - SHOWN)
        lines += [
            row(title, sign="●" if number + 1 == len(done) else "○", action="go", values={"to": number + 1})
            for number, title in reversed(list(enumerate(done))[first:])
        ]
        start = row("As it was opened", sign="○" if done else "●", action="go", values={"to": 0})
        return [
            buttons(button("revert", "Take everything back", disabled=not done)),
            rows([*lines, start], label="Steps"),
        ]

    def do_go(self, values: dict[str, Any]) -> None:
        """Undo or redo until so many steps are done."""
        subject, target = self.editor.subject, int(values["to"])
        while len(subject.history) > target and subject.can_undo:
            subject.undo()
        while len(subject.history) < target and subject.can_redo:
            subject.redo()

    def do_revert(self, _values: dict[str, Any]) -> None:
        """Take back every step; redo makes them again."""
        self.do_go({"to": 0})
