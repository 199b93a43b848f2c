"""What the tools for lines and areas ask for: draw, move corners, split, merge, copy, remove; each one step.

A request is ``{"type": "shape", "action": ..., "client": ..., "seq": ..., ...}``. When it is carried out, the editor
answers ``{"type": "shaped", "ids": ...}`` with what should be chosen then; when it is refused,
``{"type": "shape_refused", "point": ...}`` with the place, beside the words in the message bar.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from studio.errors import EditError, StudioError, shortened
from studio.model import Area, Batch, Edit, Put

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor
    from studio.model import Point

__all__ = ["HANDLERS"]

Message = dict[str, Any]

_POINT = re.compile(r"\((-?[0-9]+), (-?[0-9]+)\)")
_LINES = ("wall", "contour", "road")


def _shape(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Carry out a request; say where it went wrong when it is refused."""
    document: Any = editor.document
    action = _ACTIONS.get(str(message.get("action")))
    about = {"client": message.get("client"), "seq": message.get("seq"), "action": message.get("action")}
    try:
        if action is None:
            msg = f"shape: got the action {message.get('action')!r}; allowed: {', '.join(_ACTIONS)}"
            raise EditError(msg)
        ids = action(document, message)
    except Exception as error:
        text, point = _placed(document, str(error))
        editor.send({"type": "shape_refused", **about, "point": point, "text": text})
        if isinstance(error, StudioError):
            raise EditError(text) from error
        raise
    editor.answered(message)
    editor.send({"type": "shaped", **about, "ids": ids})


def _placed(document: Any, text: str) -> tuple[str, list[int] | None]:
    """Return a message with the hexes of the points that it names, and the first of those points."""
    grid, first = document.grid, None

    def with_hex(found: re.Match[str]) -> str:
        nonlocal first
        point = (int(found[1]), int(found[2]))
        first = first or [*point]
        cell = grid.cell_at(*grid.to_map(*point))
        return f"{found[0]} in hex {document.labels.label(cell)}" if cell is not None and cell >= 0 else found[0]

    return _POINT.sub(with_hex, text), first


# -- what a message holds ---------------------------------------------------------------------------------------------


def _points(message: Message, name: str = "points", least: int = 2) -> list[Point]:
    try:
        points = msgspec.convert(message.get(name), list[tuple[int, int]])
    except msgspec.ValidationError as error:
        msg = f"shape: got {name}={shortened(message.get(name))}; allowed: points [x, y] in whole lattice units"
        raise EditError(msg) from error
    if len(points) < least:
        msg = f"shape: got {len(points)} points; it needs {least}"
        raise EditError(msg)
    return points


def _point(message: Message, name: str = "point") -> Point:
    return _points({name: [message.get(name)]}, name, 1)[0]


def _ids(message: Message) -> list[str]:
    ids = message.get("ids")
    if not isinstance(ids, list) or not ids or not all(isinstance(one, str) for one in ids):
        msg = f"shape: got ids={shortened(ids)}; choose something first"
        raise EditError(msg)
    return ids


def _new_id(document: Any, message: Message) -> dict[str, str]:
    """Return the id that the browser gave what it shows already, unless it is taken."""
    name = message.get("id")
    return {"id": name} if isinstance(name, str) and name and name not in document.features else {}


def _on_map(document: Any, points: list[Point], what: str) -> None:
    """Refuse corners outside of the playing area; those that are there already may stay."""
    x0, y0, x1, y1 = document.grid.frame
    for x, y in points:
        if not (x0 <= x <= x1 and y0 <= y <= y1):
            msg = f"{what}: the corner ({x}, {y}) lies outside of the map; draw it to the map's edge at most"
            raise EditError(msg)


# -- the actions: each returns the ids that are chosen afterwards -----------------------------------------------------


def _area(document: Any, message: Message) -> list[str]:
    points = _points(message, least=3)
    _on_map(document, points, "area")
    fields = {
        name: message[name] for name in ("name", "level", "within", "tags") if message.get(name) not in (None, "")
    }
    fields |= _new_id(document, message)
    overlap = message.get("overlap", "cut")
    ids: list[str] = document.draw_area(str(message.get("kind_type")), points, overlap=overlap, **fields)
    return ids


def _line(document: Any, message: Message) -> list[str]:
    """Draw a wall, a contour or a road."""
    kind, points = str(message.get("kind")), _points(message)
    if kind not in _LINES:
        msg = f"shape: got the line {kind!r}; allowed: {', '.join(_LINES)}"
        raise EditError(msg)
    _on_map(document, points, kind)
    fields: dict[str, Any] = {"surface": str(message.get("surface", "paved"))}
    if kind == "wall":
        fields = {"type": str(message.get("kind_type"))}
    elif kind == "contour":
        fields = {"level": message.get("level")}
    return [document.draw_line(kind, points, **_new_id(document, message), **fields)]


def _move_vertex(document: Any, message: Message) -> list[str]:
    point, to = _point(message), _point(message, "to")
    _on_map(document, [to], "corner")
    only = message.get("only")
    with document.kept_apart():
        document.move_vertex(point, to, only=_ids({"ids": only}) if only else None)
    return []


def _insert_vertex(document: Any, message: Message) -> list[str]:
    """Give an edge a corner, and move it where it goes to another place."""
    point = _point(message)
    to = _point(message, "to") if message.get("to") is not None else point
    _on_map(document, [to], "corner")
    with document.kept_apart():
        document.bend_edge(point, to)
    return []


def _delete_vertex(document: Any, message: Message) -> list[str]:
    with document.kept_apart():
        document.delete_vertex(_point(message))
    return []


def _move(document: Any, message: Message) -> list[str]:
    dx, dy = _point(message, "by")
    with document.kept_apart():
        document.move(_ids(message), dx, dy, stretch=bool(message.get("stretch")))
    return _ids(message)


def _split(document: Any, message: Message) -> list[str]:
    (area,) = _ids(message)
    return [area, document.split_area(area, _points(message), reach=0.25)]


def _split_line(document: Any, message: Message) -> list[str]:
    (line,) = _ids(message)
    return list(dict.fromkeys([line, document.split_line(line, _point(message), reach=0.25)]))


def _join(document: Any, message: Message) -> list[str]:
    """Make one of areas or of lines; one line alone is closed."""
    ids = _ids(message)
    if all(isinstance(document.features.get(one), Area) for one in ids):
        return [document.merge_areas(ids)]
    return [document.join_lines(ids)]


def _hole(document: Any, message: Message) -> list[str]:
    (area,) = _ids(message)
    points = _points(message, least=3)
    return [document.cut_hole(area, points)]


def _fill_holes(document: Any, message: Message) -> list[str]:
    (area,) = _ids(message)
    return [document.fill_holes(area)]


def _reverse(document: Any, message: Message) -> list[str]:
    (line,) = _ids(message)
    return [document.reverse_line(line)]


def _retype(document: Any, message: Message) -> list[str]:
    """Give areas or walls another type, contours another level, roads another surface."""
    ids = _ids(message)
    edits: list[Edit] = []
    for name in ids:
        feature = document.features.get(name)
        field = next((one for one in ("type", "surface") if hasattr(feature, one)), "level")
        if feature is None or not hasattr(feature, field):
            msg = f"shape: {name} has no type to change; choose areas or walls"
            raise EditError(msg)
        record = {**msgspec.to_builtins(feature), field: message.get("kind_type")}
        edits.append(Put(collection="features", record=record))
    document.apply(Batch(title=f"Change to {str(message.get('kind_type')).replace('_', ' ')}", edits=edits))
    return ids


def _duplicate(document: Any, message: Message) -> list[str]:
    dx, dy = _point(message, "by")
    return list(document.duplicate(_ids(message), dx, dy))


def _delete(document: Any, message: Message) -> list[str]:
    document.erase(_ids(message))
    return []


_ACTIONS: dict[str, Callable[[Any, Message], list[str]]] = {
    "area": _area,
    "line": _line,
    "move_vertex": _move_vertex,
    "insert_vertex": _insert_vertex,
    "delete_vertex": _delete_vertex,
    "move": _move,
    "split": _split,
    "split_line": _split_line,
    "join": _join,
    "hole": _hole,
    "fill_holes": _fill_holes,
    "reverse": _reverse,
    "retype": _retype,
    "duplicate": _duplicate,
    "delete": _delete,
}

HANDLERS: dict[str, Callable[[MapEditor, Message, list[Buffer]], None]] = {"shape": _shape}
