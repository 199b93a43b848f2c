"""What travels between the kernel and the browser: the whole state, patches to it, and edits.

Planes go as bytes, everything else as JSON. A message stays below 4 MB, because a Jupyter server closes the connection
at one of 10 MiB.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.editor.places import closed_terrain, places_of
from studio.editor.sideneeds import side_needs
from studio.errors import EditError
from studio.grid import MAX_SIZE, HexGrid, borders, seams
from studio.grid.distinct import distinct
from studio.model import Change, Edit, MapModel

__all__ = [
    "ENDING",
    "PART",
    "SCENARIO_ENDING",
    "EditableMap",
    "PatchBuilder",
    "ack_of",
    "catalogue_of",
    "decode_edit",
    "document_state",
    "first_buffer",
    "geometry_of",
    "messages_of",
    "plane_parts",
    "save_path",
    "shown_path",
    "status_of",
    "style_of",
    "touched_of",
]

PART = 4_000_000
"""Most bytes of planes in one message."""

ENDING = ".map.json"
"""Ending of the files of maps."""

SCENARIO_ENDING = ".scenario.json"
"""Ending of the files of scenarios."""

MOST_CELLS = MAX_SIZE**2
"""More hexes than a map can have."""

HISTORY = 40
"""Titles of the last steps that the browser is told."""

_SPARE_TINTS = ("#e6dcc0", "#a9c48a", "#7ea36b", "#c3b5a6", "#9fc4dc", "#d8b98a", "#b7a7c9", "#e3c9b8", "#8f9aa3")

Buffer = bytes | bytearray | memoryview


class EditableMap(Protocol):
    """What the editor needs of a map; `studio.api.Map` has it."""

    lock: Any
    path: Path | None

    @property
    def model(self) -> MapModel:
        """The drawing: grid, labels, planes, hexsides, features."""

    @property
    def ruleset(self) -> Any:
        """The game: id, title, terrains, side kinds, marker types, levels."""

    @property
    def title(self) -> str:
        """Title of the map."""

    @property
    def dirty(self) -> bool:
        """Whether there are changes that no file holds."""

    @property
    def revision(self) -> int:
        """Number of changes since the map was opened."""

    @property
    def can_undo(self) -> bool:
        """Whether a step can be taken back."""

    @property
    def can_redo(self) -> bool:
        """Whether a step that was taken back can be made again."""

    @property
    def history(self) -> Sequence[str]:
        """Titles of the steps."""

    def apply(self, edit: Edit) -> Change:
        """Make an edit."""

    def undo(self) -> Any:
        """Take the last step back."""

    def redo(self) -> Any:
        """Make it again."""

    def save(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Write the file."""

    def on_change(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Call back after every change; returns the way to stop that."""

    def sight(self, a: str, b: str) -> Any:
        """Judge the line of sight between two hexes, by label."""

    def field_of_view(self, label: str) -> Any:
        """Judge all lines of sight from one hex, by label."""

    def check(self) -> Any:
        """Return the findings: faults and warnings with their place."""


# -- the whole state -------------------------------------------------------------------------------------------------


def geometry_of(grid: HexGrid) -> dict[str, Any]:
    """Return the grid for the browser: sizes in map units, the frame on the lattice."""
    return {
        "orientation": grid.orientation,
        "stagger": grid.stagger,
        "columns": grid.columns,
        "rows": grid.rows,
        "hex_width": grid.width,
        "hex_height": grid.hex_height,
        "half": list(grid.half),
        "frame": [int(value) for value in grid.frame],
        **_joint(grid),
    }


def _joint(grid: HexGrid) -> dict[str, Any]:
    """Return the frames, the border and the seams of the sheets of a joint map; nothing for a map of one sheet."""
    if grid.joint is None:
        return {}
    cut = {edge for part in grid.parts for edge in part.half}
    return {
        "half": [edge for edge in ("top", "bottom", "left", "right") if edge in cut],
        "sheets": [list(frame) for frame in grid.joint.frames],
        "border": [[list(point) for point in ring] for ring in borders(grid)],
        "seams": [[list(p), list(q)] for p, q in seams(grid)],
    }


def _entries(table: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return [{id, name}] of a part of the game's catalogue."""
    return [{"id": key, "name": value.name} for key, value in table.items()]


def catalogue_of(document: EditableMap) -> dict[str, Any]:
    """Return what the game offers to draw with."""
    rules = document.ruleset
    return {
        "ruleset": rules.id,
        "title": rules.title,
        "terrains": _entries(rules.terrains),
        "terrain_ids": list(document.model.terrain_ids),
        "side_kinds": _entries(rules.side_kinds),
        "side_needs": side_needs(rules),
        "marker_types": _entries(rules.marker_types),
        "feature_kinds": list(rules.feature_kinds),
        "area_types": _entries(rules.area_types),
        "wall_types": _entries(rules.wall_types),
        "levels": [int(level) for level in rules.levels],
        "sight": rules.has_sight,
        "movement": bool(getattr(rules, "has_movement", False)),
        "closed": closed_terrain(document),
        "sheets": [sheet.title or sheet.id for sheet in document.model.sheets],
    }


def style_of(document: EditableMap) -> dict[str, Any]:
    """Return the look of the game, or one made for a ruleset of one's own."""
    from studio.draw.plain import style_for

    own = getattr(document, "style", None)
    if own is not None:
        data: dict[str, Any] = own if isinstance(own, dict) else own.to_dict()
        return _complete(data, document.model.terrain_ids)
    return _complete(style_for(document.ruleset, document.model.terrain_ids).to_dict(), document.model.terrain_ids)


def _complete(style: dict[str, Any], terrain_ids: Sequence[str]) -> dict[str, Any]:
    """Give terrains that the look does not know a flat tint each, so that they can be told apart."""
    looks = dict(style["terrain"])
    unknown = [name for name in terrain_ids if name not in looks]
    for number, name in enumerate(unknown):
        tint = _SPARE_TINTS[number % len(_SPARE_TINTS)]
        looks[name] = {"title": name, "tint": tint, "joins": [], "patch": None, "marks": [], "bridged": False}
    return {**style, "terrain": looks}


def save_path(name: str, ending: str = ENDING) -> str:
    """Return the file that a typed name means: with its kind's ending, in the home folder where it begins with ~."""
    path = os.path.expanduser(name.strip())
    if path.lower().endswith(ending):
        return path
    return re.sub(r"\.(map\.?|scenario\.?|json)$", "", path, flags=re.IGNORECASE) + ending


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return a path as seen from the folder of work, where it lies nearby; a saved notebook then names no machine."""
    try:
        near = os.path.relpath(path)
    except ValueError:  # another drive
        return str(path)
    return str(path) if near.count("..") > 2 else Path(near).as_posix()


def status_of(document: EditableMap) -> dict[str, Any]:
    """Return what the top bar and the list of steps say."""
    steps = [str(step) for step in document.history]
    return {
        "title": document.title,
        "path": shown_path(document.path) if document.path is not None else None,
        "dirty": bool(document.dirty),
        "can_undo": bool(document.can_undo),
        "can_redo": bool(document.can_redo),
        "undo": steps[-1] if steps and document.can_undo else "",
        "history": steps[-HISTORY:],
        "fault": str(getattr(document, "journal_fault", "")),
    }


def _feature(record: Any) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.to_builtins(record)
    return data


def document_state(document: EditableMap) -> dict[str, Any]:
    """Return everything but the planes, as JSON."""
    return {
        "geometry": geometry_of(document.model.grid),
        "labels": document.model.labels.tables(),
        "look": style_of(document),
        "catalogue": catalogue_of(document),
        "features": [_feature(record) for record in document.model.features.values()],
        "sides": [[int(a), int(b), list(kinds)] for (a, b), kinds in document.model.sides.items()],
        "places": places_of(document),
        "status": status_of(document),
        "revision": int(document.revision),
    }


def planes_of(document: EditableMap) -> dict[str, bytes]:
    """Return the planes as bytes, row by row; `present` is empty where every raw cell is a hex."""
    present = document.model.grid.present
    return {
        "terrain": np.ascontiguousarray(document.model.terrain, dtype=np.uint8).tobytes(),
        "levels": np.ascontiguousarray(document.model.levels, dtype=np.int8).tobytes(),
        "present": b"" if present.all() else present.astype(np.uint8).tobytes(),
    }


def plane_parts(planes: Mapping[str, bytes], size: int = PART) -> Iterator[tuple[dict[str, Any], list[Buffer]]]:
    """Yield the planes in messages of at most `size` bytes."""
    for name, data in planes.items():
        for offset in range(0, len(data), size):
            message = {"type": "plane", "plane": name, "offset": offset}
            yield message, [memoryview(data)[offset : offset + size]]


# -- patches ---------------------------------------------------------------------------------------------------------


class PatchBuilder:
    """Gathers changes until they are sent; what is sent is the map as it is then.

    Attributes
    ----------
    whole : bool
        So much changed that the whole state is shorter or simpler than a patch.
    """

    def __init__(self) -> None:
        self.cells: dict[str, list[NDArray[np.int64]]] = {"terrain": [], "levels": []}
        self.sides: dict[tuple[int, int], None] = {}
        self.features: dict[str, None] = {}
        self.count = 0
        self.whole = False
        self.changes = 0

    def add(self, change: Change) -> None:
        """Note what a change touched."""
        self.changes += 1
        for plane in change.planes:
            self.cells[plane].append(np.asarray(change.cells, dtype=np.int64))
            self.count += len(change.cells)
        self.sides.update(dict.fromkeys((min(a, b), max(a, b)) for a, b in change.sides))
        self.features.update(dict.fromkeys((*change.features, *change.removed)))
        self.whole = self.whole or bool(getattr(change, "relabelled", False)) or self.count * 5 > PART

    def build(self, document: EditableMap) -> tuple[dict[str, Any], list[Buffer]]:
        """Return the patch and its buffers: pairs of uint32 cells and one byte a cell."""
        model = document.model
        buffers: list[Buffer] = []
        planes = []
        for name, arrays in self.cells.items():
            if not arrays:
                continue
            cells = distinct(np.concatenate(arrays))
            values = (model.terrain if name == "terrain" else model.levels).ravel()[cells]
            planes.append({"plane": name, "cells": len(buffers), "values": len(buffers) + 1})
            buffers += [cells.astype("<u4").tobytes(), values.tobytes()]
        message = {
            "planes": planes,
            "sides": [[int(a), int(b), list(model.sides.get((a, b), ()))] for a, b in self.sides],
            "features": [_feature(model.features[name]) for name in self.features if name in model.features],
            "removed": [name for name in self.features if name not in model.features],
        }
        return message, buffers


# -- what the browser sends -------------------------------------------------------------------------------------------


def messages_of(content: Any) -> list[dict[str, Any]]:
    """Return the messages that came together; what is none is refused by its type, and those after it are not lost."""
    found = content.get("messages") if isinstance(content, dict) and content.get("type") == "many" else [content]
    some = found if isinstance(found, list) else [found]
    return [message if isinstance(message, dict) else {"type": message} for message in some]


def first_buffer(message: Mapping[str, Any]) -> int:
    """Return where the buffers of a message begin among those that came together."""
    first = message.get("buffers", 0)
    return first if type(first) is int and first >= 0 else 0


def ack_of(message: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return what answers a request: who asked, and its number; None for a message that wants no answer."""
    number, client = message.get("seq"), message.get("client")
    if type(number) is not int:
        return None
    return {"client": client if isinstance(client, str) else None, "seq": number}


def touched_of(message: Mapping[str, Any]) -> list[str]:
    """Return the ids of the features that a request showed otherwise than they are."""
    touched = message.get("touches")
    return [str(name) for name in touched] if isinstance(touched, list) else []


# -- edits -----------------------------------------------------------------------------------------------------------


def _cells(reference: Any, buffers: Sequence[Buffer]) -> list[int]:
    if isinstance(reference, list):
        return [*reference]
    numbers = np.frombuffer(buffers[reference["buffer"]], dtype="<u4").astype(np.int64)
    if not reference["runs"]:
        return [int(number) for number in numbers]
    starts, counts = numbers[::2], numbers[1::2]
    # Each run written out: the start, repeated, plus the place within its run.
    total = int(counts.sum())
    if len(starts) != len(counts) or total > MOST_CELLS:
        msg = f"{len(starts)} starts and {len(counts)} counts of {total:,} hexes; no map has such runs"
        raise ValueError(msg)
    within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
    cells: list[int] = (np.repeat(starts, counts) + within).tolist()
    return cells


def decode_edit(data: Mapping[str, Any], buffers: Sequence[Buffer]) -> Edit:
    """Return the edit that a message holds.

    Parameters
    ----------
    data : mapping
        The edit in its JSON form; cells of a paint edit may stand in a buffer, as numbers or as runs.
    buffers : sequence of bytes
        Buffers that belong to it.

    Raises
    ------
    EditError
        When the message is no edit.
    """

    def resolve(node: Mapping[str, Any]) -> dict[str, Any]:
        plain = dict(node)
        if plain.get("op") == "batch":
            plain["edits"] = [resolve(step) for step in plain.get("edits", [])]
        elif plain.get("op") == "paint":
            plain["cells"] = _cells(plain.get("cells"), buffers)
        return plain

    try:
        edit: Edit = msgspec.convert(resolve(data), Edit)
    except (msgspec.ValidationError, LookupError, TypeError, ValueError, AttributeError, MemoryError) as error:
        msg = f"message from the editor: not an edit ({error}); reload the page if this happens again"
        raise EditError(msg) from error
    return edit
