"""The widget: keeps the browser's copy of a map current, makes the edits that it asks for, answers its questions."""

from __future__ import annotations

import re
import threading
import time
import traceback
import uuid
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
import traitlets

from studio.editor.protocol import (
    ENDING,
    PART,
    Buffer,
    EditableMap,
    PatchBuilder,
    decode_edit,
    document_state,
    plane_parts,
    planes_of,
    save_path,
    shown_path,
    sight_message,
    status_of,
    style_of,
)
from studio.editor.thumbnail import thumbnail
from studio.errors import StudioError
from studio.model import Change

__all__ = ["MapEditor"]

PAUSE = 1 / 30
"""Seconds between two messages about changes that Python made."""

_BUNDLE = Path(__file__).parent / "static" / "editor.js"
_JSON_TRAITS = ("geometry", "labels", "look", "catalogue", "features", "sides", "status", "revision")
_PLANES = ("terrain", "levels", "present")


class MapEditor(anywidget.AnyWidget):
    """A map in a notebook cell, to be drawn by pointer and keys.

    The map is the truth, the widget shows it: edits from cells show at once, and edits by pointer are steps of the same
    history. Several views of one editor, and several editors of one map, stay together.

    Parameters
    ----------
    document : studio.Map

    Examples
    --------
    >>> import studio
    >>> studio.new_map("armageddon_war", columns=5, rows=4, title="Wadi").edit()
    MapEditor('Wadi', 5 x 4)
    """

    _esm = _BUNDLE
    uid = traitlets.Unicode().tag(sync=True)
    geometry = traitlets.Dict().tag(sync=True)
    labels = traitlets.Dict().tag(sync=True)
    look = traitlets.Dict().tag(sync=True)
    catalogue = traitlets.Dict().tag(sync=True)
    features: traitlets.List[Any] = traitlets.List().tag(sync=True)
    sides: traitlets.List[Any] = traitlets.List().tag(sync=True)
    status = traitlets.Dict().tag(sync=True)
    revision = traitlets.Int().tag(sync=True)
    terrain = traitlets.Bytes().tag(sync=True)
    levels = traitlets.Bytes().tag(sync=True)
    present = traitlets.Bytes().tag(sync=True)

    def __init__(self, document: EditableMap) -> None:
        self._document = document
        self._patch = PatchBuilder()
        self._sent_revision = int(document.revision)
        self._sent_at = 0.0
        self._timer: threading.Timer | None = None
        self._ack: dict[str, Any] | None = None
        self._answering: int | None = None
        super().__init__(uid=uuid.uuid4().hex)
        # A weak reference, so that the map does not keep closed editors alive.
        me = weakref.ref(self)

        def changed(change: Change) -> None:
            editor = me()
            if editor is not None:
                editor._changed(change)

        self._unsubscribe: Callable[[], None] = document.on_change(changed)
        self._told = status_of(document)
        self._follow_cells(me)
        self.on_msg(self._on_message)

    def _follow_cells(self, me: weakref.ref[MapEditor]) -> None:
        """Look after every cell whether the file was saved: that is no edit, so nobody would say so."""
        from IPython import get_ipython

        shell = get_ipython()
        if shell is None:
            return

        def cell_ran(*_: Any) -> None:
            editor = me()
            if editor is None:
                shell.events.unregister("post_run_cell", cell_ran)
            elif editor._told != status_of(editor._document):
                editor.refresh_status()

        shell.events.register("post_run_cell", cell_ran)

    @property
    def document(self) -> EditableMap:
        """The map that is edited."""
        return self._document

    def close(self) -> None:
        """Stop following the map and take the widget away."""
        self._unsubscribe()
        if self._timer is not None:
            self._timer.cancel()
        super().close()

    def __repr__(self) -> str:
        grid = self._document.model.grid
        return f"MapEditor({self._document.title!r}, {grid.columns} x {grid.rows})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        try:
            with self._document.lock:
                data["image/png"] = thumbnail(self._document.model, style_of(self._document))
        except Exception as error:  # the picture is for readers without widgets; the editor works without it
            self._report(error)
        return data, metadata

    # -- the state as a page that is opened later gets it ------------------------------------------------------------

    def get_state(self, key: Any = None, drop_defaults: bool = False) -> dict[str, Any]:
        """Return the state, current whenever it is asked for: the traits are filled from the map, nothing is sent."""
        wanted = {key} if isinstance(key, str) else set(key) if key is not None else None
        if wanted is None or wanted & {*_JSON_TRAITS, *_PLANES}:
            with self._document.lock:
                self._fill()
                state: dict[str, Any] = super().get_state(key=key, drop_defaults=drop_defaults)
                return state
        return super().get_state(key=key, drop_defaults=drop_defaults)  # type: ignore[no-any-return]

    def _fill(self) -> None:
        planes = planes_of(self._document)
        if sum(map(len, planes.values())) > PART:
            # Too much for one message: the browser asks for the planes in parts.
            planes = {"terrain": b"", "levels": b"", "present": planes["present"]}
        # Set below traitlets' notice, or every value would be sent to the browser as well.
        self._trait_values.update({**document_state(self._document), **planes})

    # -- Python to browser -------------------------------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        """Follow a change of the map, whoever made it; called with the map's lock held."""
        self._patch.add(change)
        if self._answering == threading.get_ident():
            return  # the message that asked for it is answered at its end
        wait = self._sent_at + PAUSE - time.monotonic()
        if wait <= 0 and self._timer is None:
            self._flush()
        elif self._timer is None:
            self._timer = threading.Timer(wait, self._flush_later)
            self._timer.daemon = True
            self._timer.start()

    def _flush_later(self) -> None:
        with self._document.lock:
            self._timer = None
            try:
                self._flush()
            except Exception as error:
                self._report(error)

    def _flush(self) -> None:
        """Send what has changed, with the last edit that is answered by it."""
        document, patch, ack = self._document, self._patch, self._ack
        self._patch, self._ack = PatchBuilder(), None
        self._sent_at = time.monotonic()
        if patch.whole:
            self._send_snapshot(ack)
            return
        body, buffers = patch.build(document)
        revision = int(document.revision)
        message = {"type": "patch", "base": self._sent_revision, "revision": revision, "ack": ack, **body}
        self._sent_revision = revision
        self._told = status_of(document)
        self.send({**message, "status": self._told}, buffers)

    def _send_snapshot(self, ack: dict[str, Any] | None) -> None:
        document = self._document
        self._patch = PatchBuilder()
        state, parts = document_state(document), list(plane_parts(planes_of(document)))
        self._sent_revision, self._told = state["revision"], state["status"]
        present = any(message["plane"] == "present" for message, _ in parts)
        self.send({"type": "snapshot", "state": state, "ack": ack, "parts": len(parts), "present": present})
        for message, buffers in parts:
            self.send(message, buffers)

    def refresh_status(self) -> None:
        """Tell the browser title, file and state of saving, after something that is no edit."""
        with self._document.lock:
            self._told = status_of(self._document)
            self.send({"type": "status", "status": self._told})

    def _report(self, error: Exception, **about: Any) -> None:
        """Show an error in the widget's own message bar: an exception of a callback shows nowhere else."""
        kind = type(error).__name__
        text = str(error) if isinstance(error, StudioError) else f"{kind}: {error}"
        trace = "".join(traceback.format_exception(error))
        self.send({"type": "error", "message": text, "kind": kind, "traceback": trace, **about})

    # -- browser to Python -------------------------------------------------------------------------------------------

    def _on_message(self, _widget: Any, content: Any, buffers: Sequence[Buffer]) -> None:
        messages = content.get("messages", []) if content.get("type") == "many" else [content]
        with self._document.lock:
            self._answering = threading.get_ident()
            try:
                for message in messages:
                    self._handle(message, list(buffers[message.get("buffers", 0) :]))
                if self._patch.changes or self._ack is not None:
                    self._flush()
            except Exception as error:  # a fault of ours, not of an edit: say so and start afresh
                self._report(error)
                self._send_snapshot(self._ack)
            finally:
                self._answering = None

    def _handle(self, message: dict[str, Any], buffers: list[Buffer]) -> None:
        """Do what one message asks; an error is shown, and the browser gets the true state."""
        handler = self._HANDLERS.get(message.get("type", ""))
        if handler is None:
            return
        try:
            handler(self, message, buffers)
        except Exception as error:
            self._report(error)
            if "seq" in message:
                # The browser painted what Python refused; everything up to this edit is answered by the snapshot.
                self._ack = None
                self._send_snapshot({"client": message.get("client"), "seq": message.get("seq", 0)})

    def _edit(self, message: dict[str, Any], buffers: list[Buffer]) -> None:
        self._document.apply(decode_edit(message["edit"], buffers))
        self._ack = {"client": message.get("client"), "seq": message["seq"]}

    def _undo(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        if self._document.can_undo:
            self._document.undo()
        self._ack = {"client": message.get("client"), "seq": message["seq"]}

    def _redo(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        if self._document.can_redo:
            self._document.redo()
        self._ack = {"client": message.get("client"), "seq": message["seq"]}

    def _save(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        path, client = message.get("path"), message.get("client")
        if path is None and self._document.path is None:
            name = re.sub(r"[^a-z0-9]+", "-", self._document.title.lower()).strip("-") or "map"
            question = {"suggestion": name + ENDING, "ending": ENDING, "folder": str(Path.cwd())}
            self.send({"type": "ask_path", "client": client, **question})
            return
        try:
            self._document.save(None if path is None else save_path(path))
        except Exception as error:  # whoever asked is told where they asked: the name is still there to be changed
            self._report(error, of="save", client=client)
            return
        self.refresh_status()
        self.send({"type": "saved", "client": client, "path": shown_path(self._document.path or "")})

    def _hello(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        if not message.get("complete") or message.get("revision") != self._document.revision:
            self._send_snapshot(None)

    def _resync(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        ack, self._ack = self._ack, None
        self._send_snapshot(ack)

    def _sight(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        a, b = int(message["a"]), int(message["b"])
        result = None
        try:
            result = sight_message(self._document, a, b)
        finally:
            # An answer in any case: the browser asks one question at a time.
            self.send({"type": "sight", "a": a, "b": b, "result": result})

    def _view(self, message: dict[str, Any], _buffers: list[Buffer]) -> None:
        cell = int(message["a"])
        plane = self._document.field_of_view(self._document.model.labels.label(cell)).plane
        self.send({"type": "view", "a": cell}, [np.ascontiguousarray(plane, dtype=np.uint8).tobytes()])

    def _check(self, _message: dict[str, Any], _buffers: list[Buffer]) -> None:
        self.send({"type": "findings", **self._document.check().to_dict()})

    _HANDLERS: dict[str, Callable[[Any, dict[str, Any], list[Buffer]], None]] = {  # noqa: RUF012
        "edit": _edit,
        "undo": _undo,
        "redo": _redo,
        "save": _save,
        "hello": _hello,
        "resync": _resync,
        "sight": _sight,
        "view": _view,
        "check": _check,
    }
