"""Answers drawn over the map in a thread: no edit and no question waits for a picture, and only the newest is shown."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["OverlayDrawer"]


class OverlayDrawer:
    """Draws one overlay of an editor.

    Parameters
    ----------
    editor : MapEditor
    name : str
        Of the overlay.
    """

    def __init__(self, editor: MapEditor, name: str) -> None:
        self._editor = weakref.ref(editor)
        self._name = name
        self._wanted = 0

    def show(self, draw: Callable[..., Any], answer: Any, still: Any = None, **options: Any) -> None:
        """Draw an answer about the map as it is now; called with the document's lock held.

        Parameters
        ----------
        draw : callable
            Takes the map and the answer, such as :func:`studio.draw.draw_exposure`.
        answer
            What is drawn.
        still : Map, optional
            The map that was asked, where it is not the one that is edited; a still of that is made otherwise.
        **options
            More that `draw` takes.
        """
        editor = self._editor()
        if editor is None:
            return
        self._wanted += 1
        document: Any = editor.document
        taken = (self._wanted, draw, document.still() if still is None else still, answer, options)
        threading.Thread(target=self._run, args=taken, name=f"overlay {self._name}", daemon=True).start()

    def clear(self) -> None:
        """Take the overlay away, and forget what is being drawn; called with the document's lock held."""
        self._wanted += 1
        editor = self._editor()
        if editor is not None:
            editor.overlay(self._name, None)

    def _run(self, number: int, draw: Callable[..., Any], still: Any, answer: Any, options: dict[str, Any]) -> None:
        from studio.draw.ink import ink_of_answer

        try:
            ink = ink_of_answer(draw, still, answer, **options) if number == self._wanted else None
        except Exception as error:
            editor = self._editor()
            if editor is not None:
                editor.report(error)
            return
        editor = self._editor()
        if editor is None or ink is None:
            return
        with editor.document.lock:
            if number == self._wanted:
                editor.overlay(self._name, ink)
