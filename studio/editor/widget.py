"""The widget: keeps the browser's copy of a map current, makes the edits that it asks for, answers its questions."""

from __future__ import annotations

import threading
import time
import traceback
import uuid
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from studio.editor.desk import Desk
from studio.editor.inking import Inking
from studio.editor.notices import Notices
from studio.editor.panels import PANELS, Panel
from studio.editor.places import PlacesWatch
from studio.editor.protocol import (
    PART,
    Buffer,
    EditableMap,
    PatchBuilder,
    ack_of,
    document_state,
    first_buffer,
    messages_of,
    plane_parts,
    planes_of,
    status_of,
    style_of,
    touched_of,
)
from studio.editor.requests import Handler, handler_of
from studio.editor.scan import ScanLink
from studio.editor.thumbnail import thumbnail
from studio.editor.work import Job, Works
from studio.errors import StudioError
from studio.model import Change

__all__ = ["MapEditor"]

PAUSE = 1 / 30
"""Seconds between two messages about changes that Python made."""

_BUNDLE = Path(__file__).parent / "static" / "editor.js"
_JSON_TRAITS = (
    "geometry",
    "labels",
    "look",
    "catalogue",
    "features",
    "sides",
    "places",
    "backdrop",
    "status",
    "revision",
)

_PLANES = ("terrain", "levels", "present")


class MapEditor(anywidget.AnyWidget):
    """A map in a notebook cell, to be drawn by pointer and keys.

    The map is the truth, the widget shows it: edits from cells show at once, and edits by pointer are steps of the same
    history. Several views of one editor, and several editors of one map, stay together.

    Parameters
    ----------
    document : studio.Map
    readonly : bool
        For looking and asking only: nothing can be drawn, undone or saved.

    Attributes
    ----------
    desk : Desk
        The panels beside the map.
    works : Works
        Long work that runs.
    notices : Notices
        What waits for a choice.
    selected : tuple of str
        Ids of the features that are chosen in the browser.
    client : str
        The page that sent the message under way.

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
    places: traitlets.List[Any] = traitlets.List().tag(sync=True)
    status = traitlets.Dict().tag(sync=True)
    revision = traitlets.Int().tag(sync=True)
    terrain = traitlets.Bytes().tag(sync=True)
    levels = traitlets.Bytes().tag(sync=True)
    present = traitlets.Bytes().tag(sync=True)
    readonly = traitlets.Bool().tag(sync=True)
    panels: traitlets.List[Any] = traitlets.List().tag(sync=True)
    backdrop = traitlets.Dict().tag(sync=True)

    panel_kinds: ClassVar[tuple[type[Panel], ...]] = PANELS
    """The panels to choose from."""

    def __init__(self, document: EditableMap, *, readonly: bool = False) -> None:
        self._document = document
        self.selected: tuple[str, ...] = ()
        self.client = ""
        self._patch = PatchBuilder()
        self._places = PlacesWatch(document)
        self._sent_revision = int(document.revision)
        self._sent_at = 0.0
        self._timer: threading.Timer | None = None
        self._ack: dict[str, Any] | None = None
        self._answering: int | None = None
        # Before the widget is made: its state is asked for while it is.
        self._trait_values["readonly"] = readonly
        self.works = Works(self)
        self.desk = Desk(self, self.panel_kinds)
        self.notices = Notices(self)
        self.scan = ScanLink(self)
        self.inking = Inking(self)
        super().__init__(uid=uuid.uuid4().hex, readonly=readonly, panels=self.desk.state())
        # A weak reference, so that the map does not keep closed editors alive.
        me = weakref.ref(self)

        def changed(change: Change) -> None:
            editor = me()
            if editor is not None:
                editor._changed(change)

        self._unsubscribe: Callable[[], None] = document.on_change(changed)
        self._told = self._status()
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
            elif editor._told != editor._status():
                editor.refresh_status()

        shell.events.register("post_run_cell", cell_ran)

    @property
    def document(self) -> EditableMap:
        """The map that is edited."""
        return self._document

    @property
    def more_handlers(self) -> Mapping[str, Handler]:
        """What answers messages that this kind of editor alone gets."""
        return {}

    @property
    def subject(self) -> Any:
        """What is edited: its steps are undone, and it is saved. Here the map itself."""
        return self._document

    def _status(self) -> dict[str, Any]:
        status = {**status_of(self.subject), "notices": self.notices.state()}
        return {**status, "moves": list(getattr(self._document, "moves", (0, 0, 0)))}

    def close(self) -> None:
        """Stop following the map and take the widget away."""
        self._unsubscribe()
        self.works.close()
        self.desk.close()
        self.inking.close()
        if self._timer is not None:
            self._timer.cancel()
        super().close()

    def __repr__(self) -> str:
        grid = self._document.model.grid
        shut = ", read-only" if self.readonly else ""
        return f"MapEditor({self._document.title!r}, {grid.columns} x {grid.rows}{shut})"

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        try:
            with self._document.lock:
                data["image/png"] = thumbnail(self._document.model, style_of(self._document))
        except Exception as error:  # the picture is for readers without widgets; the editor works without it
            self.report(error)
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
        self._trait_values.update({**self._state(), **planes})

    def _state(self) -> dict[str, Any]:
        """Return everything but the planes, as JSON."""
        state = document_state(self._document)
        state["catalogue"]["supply"] = "supply" in self.desk.panels
        return {**state, "backdrop": self.scan.state(), "status": self._status()}

    # -- Python to browser -------------------------------------------------------------------------------------------

    def _changed(self, change: Change) -> None:
        """Follow a change of the map, whoever made it; called with the map's lock held."""
        self._patch.add(change)
        self._places.note(change)
        self.scan.changed(change)
        self.inking.changed(change)
        self.desk.refresh()
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
                self.report(error)

    def _flush(self) -> None:
        """Send what has changed, with the last edit that is answered by it."""
        document, patch, ack = self._document, self._patch, self._ack
        self._patch = PatchBuilder()
        self._sent_at = time.monotonic()
        if patch.whole:
            self.send_snapshot(ack)
            self._ack = None
            return
        body, buffers = patch.build(document)
        places = self._places.news()
        if places is not None:
            body["places"] = places
        scan = self.scan.news()
        if scan is not None:
            body["backdrop"] = scan
        revision = int(document.revision)
        message = {"type": "patch", "base": self._sent_revision, "revision": revision, "ack": ack, **body}
        self._sent_revision = revision
        self._told = self._status()
        self.send({**message, "status": self._told}, buffers)
        self._ack = None  # not before: a patch that fails leaves it to the snapshot after it

    def send_snapshot(self, ack: dict[str, Any] | None = None) -> None:
        """Send the whole state, with the last edit that is answered by it."""
        document = self._document
        self._patch = PatchBuilder()
        self.scan.news()
        state, parts = self._state(), list(plane_parts(planes_of(document)))
        self._sent_revision, self._told = state["revision"], state["status"]
        present = any(message["plane"] == "present" for message, _ in parts)
        self.send({"type": "snapshot", "state": state, "ack": ack, "parts": len(parts), "present": present})
        for message, buffers in parts:
            self.send(message, buffers)

    def refresh_status(self) -> None:
        """Tell the browser title, file and state of saving, after something that is no edit."""
        with self._document.lock:
            self._told = self._status()
            self.send({"type": "status", "status": self._told})

    def tell(self, what: str, **about: Any) -> None:
        """Tell the browser to do something.

        Parameters
        ----------
        what : {"goto", "tool", "say", "pick", "choose", "open"}
            Go to a ``point`` of the lattice; take up the tool ``id``; say ``text``; let somebody click on the map,
            which comes as ``action`` of ``panel``; choose the features ``ids``; open ``panel``.
        **about
            What it needs; with ``client`` one page only does it.
        """
        self.send({"type": "tell", "what": what, **about})

    def work(self, title: str, job: Job, done: Callable[[Any], None] | None = None) -> threading.Thread:
        """Run long work in a thread, with a bar and a Cancel button in the browser; see `Works.start`."""
        return self.works.start(title, job, done)

    def overlay(self, name: str, ink: Any, *, above: bool = True) -> None:
        """Lay an answer over the map: its ink (`studio.draw.ink.ink_of_answer`), or None to take it away.

        Parameters
        ----------
        name : str
            Of the answer; a new one takes the place of that of the same name.
        ink : DisplayList or None
        above : bool
            Over the signs of the map, or below them.
        """
        self.inking.overlay(name, ink, above=above)

    def acknowledge(self, message: Mapping[str, Any]) -> None:
        """Note that an edit of the browser was made: the next patch says so."""
        self._ack = ack_of(message)

    def take_acknowledgement(self) -> dict[str, Any] | None:
        """Return the edit that the next patch would answer, for who answers it otherwise."""
        ack, self._ack = self._ack, None
        return ack

    def answered(self, message: Mapping[str, Any]) -> None:
        """Note that a request of the browser was carried out: the next patch says so, and its guess is over."""
        self._ack = ack_of(message)
        # Its guess may have been another: what it showed is sent as it is.
        self._patch.features.update(dict.fromkeys(touched_of(message)))

    def report(self, error: Exception, **about: Any) -> None:
        """Show an error in the widget's own message bar: an exception of a callback shows nowhere else."""
        kind = type(error).__name__
        text = str(error) if isinstance(error, StudioError) else f"The editor could not do this ({kind}: {error})"
        trace = "".join(traceback.format_exception(error))
        self.send(
            {
                "type": "error",
                "message": text,
                "kind": kind,
                "traceback": trace,
                "passing": isinstance(error, StudioError),
                **about,
            }
        )

    # -- browser to Python -------------------------------------------------------------------------------------------

    def _on_message(self, _widget: Any, content: Any, buffers: Sequence[Buffer]) -> None:
        messages = messages_of(content)
        for message in messages:
            # Before the lock: what is to be stopped may hold it.
            if message.get("type") == "cancel":
                self.works.cancel(message.get("id"))
        with self._document.lock:
            self._answering = threading.get_ident()
            try:
                for message in messages:
                    self._handle(message, list(buffers[first_buffer(message) :]))
                if self._patch.changes or self._ack is not None:
                    self._flush()
                self.desk.settle()
            except Exception as error:  # a fault of ours, not of an edit: say so and start afresh
                self.report(error)
                self.send_snapshot(self._ack)
                self._ack = None
            finally:
                self._answering = None

    def _handle(self, message: dict[str, Any], buffers: list[Buffer]) -> None:
        """Do what one message asks; an error is shown, and the browser gets the true state."""
        kind = message.get("type")
        if kind == "cancel":
            return
        try:
            handler_of(self, message)(self, message, buffers)
        except Exception as error:
            self.report(error)
            if ack_of(message) is not None:
                self._take_back(message)

    def _take_back(self, message: dict[str, Any]) -> None:
        """Send what is true: the browser shows what Python refused."""
        ack, touched = ack_of(message), touched_of(message)
        if touched:
            # Everything up to this request is answered by the patch.
            self._patch.features.update(dict.fromkeys(touched))
            self._ack = ack
            return
        self._ack = None
        self.send_snapshot(ack)
