"""The panels of one editor: which there are, which stand open, and what the browser shows of them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from studio.editor.panels import PANELS, Panel
from studio.editor.panels.nodes import text as text_node
from studio.errors import EditError, nearest

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor

__all__ = ["HANDLERS", "Desk"]

PAUSE = 0.12
"""Seconds after a change before open panels are described anew."""


class Desk:
    """The panels beside the map.

    Parameters
    ----------
    editor : MapEditor
    kinds : sequence of Panel types, optional
        The panels to choose from.
    """

    def __init__(self, editor: MapEditor, kinds: Sequence[type[Panel]] = PANELS) -> None:
        self._editor = editor
        fitting = [kind for kind in kinds if (kind.for_readers or not editor.readonly) and kind.fits(editor)]
        self.panels: dict[str, Panel] = {kind.id: kind(editor) for kind in fitting}
        self._open: set[str] = set()
        self._sent: dict[str, str] = {}
        self._timer: threading.Timer | None = None
        self._due: set[str] = set()
        self._last = 0.0
        self._own = threading.Lock()

    def state(self) -> list[dict[str, Any]]:
        """Return what the browser needs to set the panels up."""
        return [
            {"id": panel.id, "title": panel.title, "open": panel.open, "tools": list(panel.tools)}
            for panel in self.panels.values()
        ]

    def __getitem__(self, name: str) -> Panel:
        if name not in self.panels:
            msg = f"no panel {name!r} here; {nearest(name, self.panels)}"
            raise EditError(msg)
        return self.panels[name]

    def set_open(self, name: str, open: bool) -> None:
        """Note that a panel was opened or closed in the browser."""
        self._sent.pop(name, None)
        if open and name in self.panels:
            self._open.add(name)
            self._send(name)
        else:
            self._open.discard(name)

    def show(self, name: str) -> None:
        """Open a panel in the browser."""
        self._editor.tell("open", panel=self[name].id)

    def refresh(self, *names: str) -> None:
        """Describe panels anew, all open ones without names: now when it was quiet, else a moment later."""
        with self._own:
            self._due |= {name for name in names or self._open if name in self._open}
            if self._timer is not None or not self._due:
                return
            self._timer = threading.Timer(max(0.0, self._last + PAUSE - time.monotonic()), self._later)
            self._timer.daemon = True
            self._timer.start()

    def settle(self) -> None:
        """Send what waits if it was quiet: at the end of a message nobody has to wait for the clock."""
        if self._due and time.monotonic() - self._last >= PAUSE:
            self.send_due()

    def close(self) -> None:
        """Describe nothing any more."""
        with self._own:
            self._open.clear()
            if self._timer is not None:
                self._timer.cancel()

    def forget(self) -> None:
        """Send every open panel whole: a page that was loaded anew asked for the state."""
        self._sent.clear()

    def _later(self) -> None:
        with self._editor.document.lock:
            self.send_due()

    def send_due(self) -> None:
        """Send the panels that wait; the document's lock is held."""
        with self._own:
            due, self._due, self._timer = self._due, set(), None
            self._last = time.monotonic()
        for name in due:
            self._send(name)

    def _send(self, name: str) -> None:
        try:
            nodes = self.panels[name].nodes()
            text = json.dumps(nodes, allow_nan=False)
        except Exception as error:  # a panel that fails must not take the others with it
            self._editor.report(error)
            nodes = [text_node(f"⚠ This cannot be shown now ({type(error).__name__}: {error}).", tone="error")]
            text = json.dumps(nodes)
        if self._sent.get(name) != text:
            self._sent[name] = text
            self._editor.send({"type": "panel", "panel": name, "nodes": nodes})

    def act(self, name: str, action: str, values: Mapping[str, Any]) -> None:
        """Do what somebody asked of a panel, and show what came of it.

        Raises
        ------
        EditError
            When there is no such panel or action.
        StudioError
            As the action does.
        """
        try:
            self[name].act(action, values)
        finally:
            # Also after a refusal: the browser shows what was typed, and what holds must come back.
            self._sent.pop(name, None)
            self.refresh()


def _panel(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    values = message.get("values") or {}
    if not isinstance(values, dict):
        msg = (
            f"message from the editor: got {values!r} for the values of a panel; reload the page if this happens again"
        )
        raise EditError(msg)
    editor.client = str(message.get("client", ""))
    editor.desk.act(str(message.get("panel")), str(message.get("action")), values)


def _panel_open(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.desk.set_open(str(message.get("panel")), bool(message.get("open")))


HANDLERS = {"panel": _panel, "panel_open": _panel_open}
