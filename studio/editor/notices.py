"""What the editor has to say until somebody chooses: steps that were brought back, a file that changed meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from studio.errors import ConflictError, EditError, nearest

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor

__all__ = ["HANDLERS", "Notices"]

Notice = dict[str, Any]


class Notices:
    """The notices of one editor; they are a part of its status, so that every page shows them.

    Parameters
    ----------
    editor : MapEditor
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = editor
        self._shown: dict[str, Notice] = {}
        self._clean = not editor.subject.dirty
        self._recovered()

    def _recovered(self) -> None:
        """Say so when unsaved steps of a session that ended were made again."""
        subject = self._editor.subject
        found = getattr(subject, "recovered", None)
        if found is None or self._editor.readonly:
            return
        steps = list(subject.history)
        words = (
            f"{len(steps)} unsaved step{'s' * (len(steps) != 1)} of a session that ended "
            f"{'were' if len(steps) != 1 else 'was'} made again. "
        )
        if subject.path is None:
            words += "Keep them, or begin anew?"
            buttons = [["keep", "Keep"], ["revert", "Give them up"]]
        else:
            words += "Keep them, or go back to the file as it was saved?"
            buttons = [["keep", "Keep"], ["save", "Keep and save"], ["revert", "Go back to the file"]]
        self.add("recovered", words, buttons, "\n".join(steps))

    def add(self, name: str, words: str, buttons: list[list[str]], details: str = "") -> None:
        """Show a notice with its buttons, each an action and its words; one of the same name is replaced."""
        self._shown[name] = {"id": name, "text": words, "buttons": buttons, "details": details}

    def drop(self, name: str) -> None:
        """Take a notice away."""
        self._shown.pop(name, None)

    def conflict(self, error: ConflictError) -> None:
        """Ask what to do about a file that changed meanwhile."""
        self.add("conflict", f"{error}", [["overwrite", "Save over it"], ["keep", "Not now"]])

    def state(self) -> list[Notice]:
        """Return the notices as the browser shows them; what was saved meanwhile, in a cell too, needs no choice."""
        clean = not self._editor.subject.dirty
        if clean and not self._clean:
            self._shown.clear()
        self._clean = clean
        return list(self._shown.values())

    def act(self, name: str, action: str) -> None:
        """Do what was chosen; a choice that fails leaves the notice there.

        Raises
        ------
        EditError
            When the notice offers no such choice.
        ConflictError
            When the file was changed by somebody else; the next notice asks about it.
        """
        if name not in self._shown:
            return
        known, subject = [key for key, _ in self._shown[name]["buttons"]], self._editor.subject
        if action not in known:
            msg = f"notice {name!r}: no choice {action!r}; {nearest(action, known)}"
            raise EditError(msg)
        if action == "revert":
            while subject.can_undo:
                subject.undo()
        elif action == "save":
            try:
                subject.save()
            except ConflictError as error:
                self.conflict(error)
                self._editor.refresh_status()
                raise
        elif action == "overwrite":
            subject.save(overwrite=True)
        self.drop(name)
        self._editor.refresh_status()


def _notice(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.notices.act(str(message.get("id")), str(message.get("action")))


HANDLERS = {"notice": _notice}
