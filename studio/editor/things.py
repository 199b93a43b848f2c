"""What the tools for things ask of Python: walls and arrows exactly, labels that are free, clouds, links and dots."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.editor.fields import kind_of
from studio.errors import EditError, StudioError, UnknownNameError, nearest, shortened
from studio.model import Area, Batch, Edit, Link, Place, Put, SetSide, topology
from studio.model.topology.rings import place_in_area

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor

__all__ = ["HANDLERS", "choices_of", "proposed_place"]

Message = dict[str, Any]

_TO_DOT = 3 * 130 * 130
"""Square of the distance, a quarter of a hex, from which a place goes to the dot of the location below it."""


def choices_of(document: Any) -> dict[str, Any]:
    """Return what things a game has to be set on a map: types, their tags, winds, and which links have an order."""
    rules = document.ruleset

    def types(table: Mapping[str, Any]) -> list[dict[str, Any]]:
        return [
            {
                "id": name,
                "name": kind.name,
                "sight": getattr(kind, "sight", ""),
                "cloud": bool(getattr(kind, "cloud", False)),
            }
            for name, kind in table.items()
        ]

    winds: list[str] = []
    if any(kind.cloud for kind in rules.marker_types.values()):
        winds = list(rules.clouds.winds(document.model.grid))
    ordered = {one.type for one in document.model.features.values() if isinstance(one, Link) and one.order}
    return {
        "places": types(rules.place_types),
        "apertures": types(rules.aperture_types),
        "links": [{**one, "ordered": one["id"] in ordered} for one in types(rules.link_types)],
        "markers": types(rules.marker_types),
        "winds": winds,
    }


def _things(editor: MapEditor, _message: Message, _buffers: list[Buffer]) -> None:
    editor.send({"type": "things", **choices_of(editor.document)})


def _cursor(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Note which hex and which of its sides is pointed at: the inspector tells of it."""
    panel: Any = editor.desk.panels.get("inspect")
    if panel is not None:
        panel.point_at(int(message["cell"]), int(message.get("direction", -1)))


# -- openings --------------------------------------------------------------------------------------------------------


def _point(message: Message, x: str = "x", y: str = "y") -> list[int]:
    return [round(float(message[x])), round(float(message[y]))]


def _wall(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Say which point of a wall is nearest to the pointer; nothing is no fault, the pointer only passes."""
    document: Any = editor.document
    found = None
    try:
        point = document.snap_to_wall(_point(message), type=str(message["kind"]), reach=float(message["reach"]))
        found = {"at": point.at, "edge": point.edge, "into": point.into}
    except (EditError, UnknownNameError):
        pass
    asked = {name: message[name] for name in ("x", "y", "kind")}
    editor.send(
        {"type": "wall", "client": message.get("client"), **asked, "press": message.get("press", 0), "found": found}
    )


def _arrows(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    at, into = _point(message), str(message["into"])
    options: list[dict[str, Any]] = []
    try:
        options = [{"labels": one.labels, "begin": one.begin, "step": one.step} for one in document.arrows_at(at, into)]
    finally:
        editor.send({"type": "arrows", "client": message.get("client"), "at": at, "into": into, "options": options})


def _arc(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Send the cells in the arc of fire of an opening that is being drawn."""
    document: Any = editor.document
    cells = np.zeros(0, dtype=np.uint32)
    try:
        labels = document.arc_of_fire(_point(message), str(message["into"]), message["arrows"])
        cells = np.array(document.labels.cells(labels), dtype="<u4")
    finally:
        editor.send({"type": "arc", "client": message.get("client"), "key": message.get("key", "")}, [cells.tobytes()])


def _opening(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    record = message["record"]
    document.add_opening(
        str(record["type"]),
        [int(value) for value in record["at"]],
        into=str(record["into"]),
        arrows=record["arrows"],
        open=bool(record["open"]),
        id=str(record["id"]),
        reach=0.05,
    )
    editor.answered(message)


# -- places ----------------------------------------------------------------------------------------------------------


def proposed_place(document: Any, type: str, x: int, y: int) -> dict[str, Any]:
    """Return the record of a place where somebody points: in its area, on the dot there, with a free label.

    Parameters
    ----------
    document : studio.Map
    type : str
        A place type of the game.
    x, y : int
        On the lattice.

    Raises
    ------
    UnknownNameError
        When the game has no such places.
    """
    rules, features = document.ruleset, document.model.features
    if type not in rules.place_types:
        msg = f"{rules.title} has no place {shortened(type)}; {nearest(type, rules.place_types)}"
        raise UnknownNameError(msg)
    around = [one for one in features.values() if isinstance(one, Area) and place_in_area((x, y), one) >= 0]
    known = Counter(
        features[one.within].type
        for one in features.values()
        if isinstance(one, Place) and one.type == type and isinstance(features.get(one.within), Area)
    )
    ids = {one.id for one in around}
    outer = [one for one in around if one.within not in ids]
    usual = [one for one in around if known and one.type == known.most_common(1)[0][0]]
    within = (usual or outer or [None])[0]  # type: ignore[list-item]
    at, wx, wy = (x, y), *((1, 3) if document.model.grid.flat else (3, 1))
    taken = {one.at for one in features.values() if isinstance(one, Place)}
    dots = [one.dot for one in document.survey.directory.others if one.kind == "area" and one.feature in ids]
    near = [dot for dot in dots if dot not in taken and wx * (dot[0] - x) ** 2 + wy * (dot[1] - y) ** 2 <= _TO_DOT]
    if near:
        at = min(near, key=lambda dot: wx * (dot[0] - x) ** 2 + wy * (dot[1] - y) ** 2)
    return {
        "kind": "place",
        "id": document.model.new_id("place"),
        "type": type,
        "name": document.free_label(type, within.id if within is not None else ""),
        "at": list(at),
        "within": within.id if within is not None else "",
        "level": rules.place_types[type].height,
        "tags": [],
    }


def _place_at(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    record = proposed_place(editor.document, str(message["kind"]), *_point(message))
    editor.send(
        {"type": "place_at", "client": message.get("client"), "press": message.get("press", 0), "record": record}
    )


def _put_place(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    record = dict(message["record"])
    name = record.get("name")
    if document.survey.directory.find(str(name)) is not None and record.get("id") not in document.model.features:
        free = document.free_label(str(record["type"]), str(record.get("within", "")))
        msg = f"place: {shortened(name)} is the label of another location; {free!r} is free"
        raise EditError(msg)
    document.add(record)
    editor.answered(message)


# -- links, dots, clouds ---------------------------------------------------------------------------------------------


def _put_link(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Join two locations; an order of -1 is the next one from the first of them."""
    document: Any = editor.document
    record = dict(message["record"])
    for end in ("a", "b"):
        document.survey.directory.number(str(record[end]))
    if record["a"] == record["b"]:
        msg = f"link: both ends are {record['a']}; join two locations"
        raise EditError(msg)
    if record.get("order") == -1:
        others = _links(document.model.features.values(), record["type"], record["a"])
        record["order"] = max((one.order for one in others), default=0) + 1
    document.apply(
        Batch(title=f"Link {record['a']} and {record['b']}", edits=[Put(collection="features", record=record)])
    )
    editor.answered(message)


def _links(features: Iterable[Any], type: str, a: str) -> list[Link]:
    return [one for one in features if isinstance(one, Link) and one.type == type and one.a == a]


def _rename(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    document.rename(str(message["id"]), str(message["name"]))
    editor.answered(message)


def _erase(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Take features away with what is part of them, and clear sides, as one step."""
    document: Any = editor.document
    features = document.model.features
    ids = [str(name) for name in message.get("ids", ()) if name in features]
    edits: list[Edit] = [*topology.erase_features(features, ids)] if ids else []
    edits += [SetSide(a=int(a), b=int(b), kinds=()) for a, b in message.get("sides", ())]
    if edits:
        what = f"Remove {kind_of(features[ids[0]])}" if len(ids) == len(edits) == 1 else "Erase"
        document.apply(Batch(title=what, edits=edits))
    editor.answered(message)


def _move_dot(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    to = None if message.get("to") is None else [int(value) for value in message["to"]]
    document.move_dot(str(message["hex"]), to, id=str(message.get("id", "")))
    editor.answered(message)


def _cloud(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    """Say what a cloud would take in beside its head, while the pointer passes."""
    document: Any = editor.document
    labels: list[str] = []
    with contextlib.suppress(StudioError):
        labels = _tail(document, str(message["kind"]), str(message["at"]), str(message["wind"]))
    editor.send({"type": "cloud", "client": message.get("client"), "key": message.get("key", ""), "labels": labels})


def _tail(document: Any, kind: str, at: str, wind: str) -> list[str]:
    """Return the labels of what a cloud takes in beside its head."""
    rules = document.ruleset
    if kind not in rules.marker_types or not rules.marker_types[kind].cloud:
        return []
    return list(rules.clouds.covered(document.survey, at, wind, rules.options()))


def _put_cloud(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    record = dict(message["record"])
    record["also"] = _tail(document, str(record["type"]), str(record["at"]), str(message["wind"]))
    verb = "Move" if record["id"] in document.model.features else "Place"
    document.apply(Batch(title=f"{verb} {record['type']}", edits=[Put(collection="features", record=record)]))
    editor.answered(message)


def _turn_clouds(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    document: Any = editor.document
    document.turn_clouds(str(message["wind"]))
    editor.answered(message)


HANDLERS = {
    "things": _things,
    "cursor": _cursor,
    "wall": _wall,
    "arrows": _arrows,
    "arc": _arc,
    "opening": _opening,
    "place_at": _place_at,
    "put_place": _put_place,
    "put_link": _put_link,
    "rename": _rename,
    "erase": _erase,
    "move_dot": _move_dot,
    "cloud": _cloud,
    "put_cloud": _put_cloud,
    "turn_clouds": _turn_clouds,
}
