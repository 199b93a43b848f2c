"""Answers drawn over the map in a thread: no edit and no question waits for a picture, and an old one never stays."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["OverlayDrawer"]


class _Wanted(NamedTuple):
    """A picture that is asked for."""

    number: int
    draw: Callable[..., Any]
    still: Any
    answer: Any
    options: dict[str, Any]


class OverlayDrawer:
    """Draws one overlay of an editor, one picture at a time; of those that come meanwhile only the newest is drawn.

    While somebody drags, each picture is shown when it is there, in their order; so the map keeps up.

    Parameters
    ----------
    editor : MapEditor
    name : str
        Of the overlay.
    """

    def __init__(self, editor: MapEditor, name: str) -> None:
        self._editor = weakref.ref(editor)
        self._name = name
        self._count = 0
        self._cleared = self._shown = 0
        self._wanted: _Wanted | None = None
        self._drawing = False
        self._lock = threading.Lock()
        self._still: tuple[Any, Any] = (None, None)

    @property
    def settled(self) -> bool:
        """True when what was asked for last is shown, or taken away, and nothing is being drawn."""
        with self._lock:
            return not self._drawing and self._count in (self._shown, self._cleared)

    def still(self) -> Any:
        """Return the map as it is now; the same still as long as nothing changes, since much is kept with it."""
        editor = self._editor()
        assert editor is not None
        document: Any = editor.document
        if self._still[0] != document.revision:
            self._still = (document.revision, document.still())
        return self._still[1]

    def show(self, draw: Callable[..., Any], answer: Any, still: Any = None, **options: Any) -> None:
        """Draw an answer about the map as it is now; called with the document's lock held.

        Parameters
        ----------
        draw : callable
            Takes the map and the answer, such as :func:`studio.draw.draw_exposure`.
        answer
            What is drawn.
        still : Map or Scenario, optional
            What was asked, where it is not the map that is edited; a still of that is made otherwise.
        **options
            More that `draw` takes.
        """
        if self._editor() is None:
            return
        taken = self.still() if still is None else still
        with self._lock:
            self._count += 1
            self._wanted = _Wanted(self._count, draw, taken, answer, options)
            if self._drawing:
                return
            self._drawing = True
        threading.Thread(target=self._run, name=f"overlay {self._name}", daemon=True).start()

    def clear(self) -> None:
        """Take the overlay away, and forget what is being drawn; called with the document's lock held."""
        with self._lock:
            self._count += 1
            self._cleared = self._count
            self._wanted = None
        editor = self._editor()
        if editor is not None:
            editor.overlay(self._name, None)

    def _next(self) -> _Wanted | None:
        with self._lock:
            found, self._wanted = self._wanted, None
            self._drawing = found is not None
            return found

    def _run(self) -> None:
        while (wanted := self._next()) is not None:
            self._draw(wanted)

    def _draw(self, wanted: _Wanted) -> None:
        from studio.draw.ink import ink_of_answer

        ink = fault = None
        try:
            ink = ink_of_answer(wanted.draw, wanted.still, wanted.answer, **wanted.options)
        except Exception as error:  # told where somebody looks: a thread has nobody to raise it to
            fault = error
        editor = self._editor()
        if editor is None:
            return
        with editor.document.lock:
            if wanted.number <= self._cleared:
                return
            if fault is not None:
                editor.report(fault)
            self._shown = wanted.number
            editor.overlay(self._name, ink)  # without any, what was drawn before would be that of another answer
