"""What the browser asks of an editor: edits, undo, saving, the whole state, parts; and who takes which request."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.editor import desk, inking, notices, regions, scan, shaping, sight, things, ways
from studio.editor.protocol import ENDING, SCENARIO_ENDING, Buffer, decode_edit, save_path, shown_path
from studio.errors import ConflictError, EditError

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["Handler", "handler_of", "known_handlers"]

Handler = Callable[[Any, dict[str, Any], list[Buffer]], None]

_MODULES: tuple[Any, ...] = (
    desk,
    notices,
    regions,
    inking,
    scan,
    shaping,
    sight,
    things,
    ways,
)
"""Modules whose ``HANDLERS`` answer messages of the browser, by their type."""

_PARTS = {file.stem: file.read_bytes() for file in (Path(__file__).parent / "static").glob("*.js")}
"""The JavaScript of the parts, read with the core: another version that is installed later does not go with it."""

_READING = frozenset(
    {
        "hello",
        "resync",
        "sight",
        "view",
        "part",
        "panel",
        "panel_open",
        "selected",
        "notice",
        "things",
        "ink",
        "scan",
        "ways",
        "supply",
        "forces_state",
        "forces_palette",
        "forces_why",
    }
)
"""Messages that a read-only editor answers."""

_DRAWING = frozenset(
    {
        "shape",
        "region_paste",
        "region_move",
        "region_cut",
        "scan_edit",
        "rename",
        "erase",
        "put_place",
        "put_link",
        "move_dot",
        "put_cloud",
    }
)
"""Messages that change a map beside plain edits; an editor of what is played on the map leaves it alone."""


def handler_of(editor: MapEditor, message: Mapping[str, Any]) -> Handler:
    """Return what answers a message of the browser.

    Raises
    ------
    EditError
        When no browser of ours sends such a message, the editor is not for it, or it was meant for hexes that moved.
    """
    kind = message.get("type")
    known = {**known_handlers(), **editor.more_handlers}
    if not isinstance(kind, str) or kind not in known:
        msg = f"message from the editor: {kind!r} is not understood; reload the page if this happens again"
        raise EditError(msg)
    if editor.readonly and kind not in _READING:
        msg = "this view of the map is for looking only; map.edit() shows the editor"
        raise EditError(msg)
    if kind in _DRAWING and editor.subject is not editor.document:
        msg = "the map of a scenario is drawn on in its own editor: map.edit() shows it"
        raise EditError(msg)
    _check_hexes(editor, message)
    return known[kind]


def _check_hexes(editor: MapEditor, message: Mapping[str, Any]) -> None:
    """Refuse what was meant for hexes that have moved or were renamed while it was on its way."""
    moves = getattr(editor.document, "moves", (0, 0, 0))[0]
    if message.get("moves", moves) == moves or message["type"] in ("undo", "redo"):
        return
    values = message.get("values")
    if "seq" in message or (isinstance(values, dict) and values.keys() & {"cell", "label", "x"}):
        msg = "the hexes of the map moved while this was on its way, so that it was not done; do it again"
        raise EditError(msg)


@cache
def known_handlers() -> dict[str, Handler]:
    """Return what answers the messages that every editor takes, by their types."""
    found: dict[str, Handler] = {**HANDLERS}
    for module in _MODULES:
        found.update(module.HANDLERS)
    return found


# -- the requests of every editor ------------------------------------------------------------------------------------


def _edit(editor: MapEditor, message: dict[str, Any], buffers: list[Buffer]) -> None:
    editor.subject.apply(decode_edit(message["edit"], buffers))
    editor.acknowledge(message)


def _undo(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    if editor.subject.can_undo:
        editor.subject.undo()
    editor.acknowledge(message)


def _redo(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    if editor.subject.can_redo:
        editor.subject.redo()
    editor.acknowledge(message)


def _save(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    path, client, subject = message.get("path"), message.get("client"), editor.subject
    ending = ENDING if subject is editor.document else SCENARIO_ENDING
    if path is None and subject.path is None:
        name = re.sub(r"[^a-z0-9]+", "-", subject.title.lower()).strip("-") or subject.kind
        question = {"suggestion": _home(ending) + name + ending, "ending": ending, "folder": str(Path.cwd())}
        editor.send({"type": "ask_path", "client": client, **question})
        return
    try:
        subject.save(None if path is None else save_path(path, ending))
    except ConflictError as error:
        if path is None:
            editor.notices.conflict(error)
            editor.refresh_status()
        editor.report(error, of="save", client=client)
        return
    except Exception as error:  # whoever asked is told where they asked: the name is still there to be changed
        editor.report(error, of="save", client=client)
        return
    editor.notices.drop("conflict")
    editor.notices.drop("recovered")
    editor.refresh_status()
    editor.send({"type": "saved", "client": client, "path": shown_path(subject.path or "")})


def _home(ending: str) -> str:
    """Return the folder in which a project keeps its maps or scenarios, from here; empty where there is none."""
    name = "maps" if ending == ENDING else "scenarios"
    if Path(name).is_dir():
        return f"{name}/"
    return f"../{name}/" if Path.cwd().name == "notebooks" and (Path.cwd().parent / name).is_dir() else ""


def _hello(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.desk.forget()
    editor.works.tell_again()
    if not message.get("complete") or message.get("revision") != editor.document.revision:
        editor.send_snapshot()


def _resync(editor: MapEditor, _message: dict[str, Any], _buffers: list[Buffer]) -> None:
    editor.send_snapshot(editor.take_acknowledgement())


def _part(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    """Send the JavaScript of a part, such as the tools that draw areas."""
    name = str(message.get("name"))
    known = sorted(_PARTS.keys() - {"editor"})
    if name not in known:
        msg = f"the editor has no part {name!r}; it has {', '.join(known)}"
        raise EditError(msg)
    editor.send({"type": "part", "name": name}, [_PARTS[name]])


def _selected(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    ids = message.get("ids", [])
    editor.selected = tuple(map(str, ids)) if isinstance(ids, list) else ()
    editor.desk.refresh()


HANDLERS: dict[str, Handler] = {
    "edit": _edit,
    "undo": _undo,
    "redo": _redo,
    "save": _save,
    "hello": _hello,
    "resync": _resync,
    "part": _part,
    "selected": _selected,
}
