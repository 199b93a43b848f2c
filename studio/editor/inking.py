"""The ink of an editor: what the browser's canvas does not draw by itself, drawn here in a thread of its own.

A drawing is made of a copy of the map, so that neither edits nor messages wait for it; the browser gets the whole at
first and then what has changed. Answers lie over the map as ink of their own.
"""

from __future__ import annotations

import copy
import threading
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from studio.editor.protocol import Buffer
from studio.errors import StudioError
from studio.model import Change

if TYPE_CHECKING:
    from studio.draw.displaylist import DisplayList
    from studio.draw.inkwire import InkSender
    from studio.editor.widget import MapEditor

__all__ = ["HANDLERS", "PAUSE", "InkFault", "Inking"]

PAUSE = 0.12
"""Seconds without a change after which the map is drawn anew."""

_PATIENCE = 8  # times that a change makes the drawing wait again: who draws on and on sees ink as well


class InkFault(StudioError, RuntimeError):
    """A map that cannot be drawn; its sketches stay on the screen."""


class Inking:
    """Keeps the ink of one editor current; nothing is drawn until a browser asks.

    Parameters
    ----------
    editor : MapEditor

    Attributes
    ----------
    in_play : MapUse or Scenario or None
        What of the map is in play; the rest is greyed. Call `refresh` after setting it.
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = weakref.ref(editor)
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None
        self._sender: InkSender | None = None
        self._overlays: dict[str, tuple[DisplayList, bool]] = {}
        self._asked = self._due = self._whole = self._closed = False
        self._word: threading.Timer | None = None
        self._fault = ""
        self.in_play: Any = None

    # -- what asks for ink -------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Send all to a browser that has nothing; called with the document's lock held."""
        self._asked = self._whole = True
        for name in self._overlays:
            self._send_overlay(name)
        self._start(at_once=True)

    def changed(self, change: Change) -> None:
        """Follow a change of the map; called with the document's lock held."""
        if not self._asked:
            return
        if self._matters(change):
            self._start()
        elif self._thread is None and self._sender is not None and not self._fault:
            # The browser waits for ink of this revision to forget its sketches. Once for many strokes: on a slow link
            # such words must not stand before the answers to them.
            self._say_right()

    def _say_right(self) -> None:
        with self._lock:
            if self._word is not None or self._closed:
                return
            me = weakref.ref(self)

            def say() -> None:
                inking = me()
                if inking is not None:
                    inking._said()

            self._word = threading.Timer(2 * PAUSE, say)
            self._word.daemon = True
            self._word.start()

    def _said(self) -> None:
        editor = self._editor()
        with self._lock:
            self._word = None
        if editor is None or self._closed:
            return
        with editor.document.lock:
            if self._thread is None and self._sender is not None and not self._fault:
                self._tell(self._sender.nothing())

    def refresh(self) -> None:
        """Draw anew because something else changed, such as what is in play."""
        if self._asked:
            self._start()

    def close(self) -> None:
        """Draw nothing any more."""
        self._closed = True
        self._wake.set()
        if self._word is not None:
            self._word.cancel()

    def _matters(self, change: Change) -> bool:
        """Tell whether a change can show in the ink: painted terrain does only where dots or triangles tell of it."""
        if not change.planes or change.features or change.removed or getattr(change, "relabelled", False):
            return True
        from studio.draw.picture import style_of

        editor = self._editor()
        if editor is None:
            return False
        look = style_of(editor.document, None)
        return bool(look.triangles.colors or look.dots.every or look.dots.beside or look.dots.by_terrain)

    # -- drawing -----------------------------------------------------------------------------------------------------

    def _start(self, *, at_once: bool = False) -> None:
        with self._lock:
            self._due = True
            if at_once:
                self._wake.set()
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=_run, args=(weakref.ref(self),), name="ink", daemon=True)
                self._thread.start()

    def _draw_once(self) -> bool:
        """Draw the map as it is now and send what is new; tell whether there is more to do."""
        editor = self._editor()
        if editor is None or self._closed:
            return False
        document = editor.document
        with document.lock:
            self._due = False
            taken, revision = _copied(document), int(document.revision)
            use = self.in_play
        try:
            from studio.draw.ink import ink_of_map

            drawn = ink_of_map(taken, in_play=use)
        except Exception as error:
            self._failed(editor, error)
        else:
            with document.lock:
                # What has changed meanwhile and cannot be seen in it does not make it old.
                self._send(drawn, revision if self._due else int(document.revision))
        return True

    def _tell(self, *messages: tuple[dict[str, Any], list[bytes]], revision: int | None = None) -> None:
        editor = self._editor()
        if editor is None:
            return
        number = int(editor.document.revision) if revision is None else revision
        for n, (message, buffers) in enumerate(messages, 1):
            editor.send({"type": "ink", "revision": number, "last": n == len(messages), **message}, list(buffers))

    def _send(self, drawn: DisplayList, revision: int) -> None:
        from studio.draw.inkwire import InkSender

        self._fault = ""
        self._sender = self._sender or InkSender()
        whole, self._whole = self._whole, False
        messages = list(self._sender.messages(drawn, whole=whole))
        if not messages:
            # Nothing looks different; the browser is told that its ink is right.
            messages = [self._sender.nothing()]
        self._tell(*messages, revision=revision)

    def _failed(self, editor: MapEditor, error: Exception) -> None:
        """Say in the message bar that the picture is a sketch; once for each reason."""
        text = str(error) if isinstance(error, StudioError) else f"{type(error).__name__}: {error}"
        if text != self._fault:
            self._fault = text
            fault = InkFault(f"the map cannot be drawn in full: {text}. What has changed is shown as a sketch")
            fault.__cause__ = error
            editor.report(fault)

    def finish(self) -> bool:
        """Tell whether the thread has nothing left to draw; it ends then."""
        with self._lock:
            if self._due and not self._closed:
                return False
            self._thread = None
            return True

    def wait(self) -> None:
        """Wait until nothing has changed for a while, or somebody waits for ink."""
        for _ in range(_PATIENCE):
            self._due = False
            if self._wake.wait(PAUSE) or not self._due:
                break
        self._wake.clear()

    @property
    def settled(self) -> bool:
        """Whether all that was asked for is drawn and sent."""
        return self._thread is None

    # -- answers -----------------------------------------------------------------------------------------------------

    def overlay(self, name: str, ink: DisplayList | None, *, above: bool = True) -> None:
        """Lay an answer over the map, or take it away with None."""
        if ink is None:
            if self._overlays.pop(name, None) is None:
                return
        else:
            self._overlays[name] = (ink, above)
        self._send_overlay(name)

    def _send_overlay(self, name: str) -> None:
        from studio.draw.inkwire import InkSender

        editor = self._editor()
        if editor is None:
            return
        if name not in self._overlays:
            editor.send({"type": "overlay", "name": name, "parts": None})
            return
        ink, above = self._overlays[name]
        letters = list(InkSender().messages(ink, whole=True))
        buffers = [buffer for _, some in letters for buffer in some]
        parts = [message for message, _ in letters]
        editor.send({"type": "overlay", "name": name, "above": above, "parts": parts}, buffers)


def _run(me: weakref.ref[Inking]) -> None:
    """Draw as long as there is something to draw; a closed editor is not kept alive by it."""
    while True:
        inking = me()
        if inking is None:
            return
        inking.wait()
        try:
            inking._draw_once()
        except BaseException:
            inking._thread = None  # the next change or question draws again
            raise
        if inking.finish():
            return
        del inking


def _copied(document: Any) -> Any:
    """Return what drawing needs of a map, so that edits do not reach it: the records are frozen, planes are copied."""
    model = copy.copy(document.model)
    model.terrain, model.levels = model.terrain.copy(), model.levels.copy()
    model.sides, model.features = dict(model.sides), dict(model.features)
    return SimpleNamespace(model=model, ruleset=document.ruleset)


def _ask(editor: MapEditor, _message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.inking.ask()


HANDLERS: dict[str, Callable[[Any, dict[str, Any], list[Buffer]], None]] = {"ink": _ask}
