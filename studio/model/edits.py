"""Edits: one reversible change each, as data. The editor, the API, undo and the journal all speak them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

from studio.grid import HexGrid, LabelScheme
from studio.model.backdrop import Backdrop
from studio.model.features import Feature
from studio.model.georeference import Georeference

__all__ = ["Batch", "Delete", "Edit", "Paint", "Put", "Resize", "Restore", "SetField", "SetSide", "describe"]


class Paint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="paint"):
    """Give hexes a terrain or a level.

    Parameters
    ----------
    plane : {"terrain", "levels"}
    cells : list of int
        Hexes, by cell.
    values : list of str or int
        Terrain ids or levels: one for all hexes, or one a hex.
    """

    plane: Literal["terrain", "levels"]
    cells: list[int]
    values: list[str | int]


class SetSide(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="set_side"):
    """Say what runs on the side of two adjacent hexes; no kinds clear it."""

    a: int
    b: int
    kinds: tuple[str, ...]


class Put(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="op",
    tag="put",
):
    """Add a record, or replace the one with its id.

    Parameters
    ----------
    collection : str
        ``features`` of a map; ``forces``, ``objectives`` or ``place_notes`` of a scenario, and within them such as
        ``forces/red/formations`` and ``forces/red/formations/1st/units``.
    record : dict
        The record as its document would hold it.
    index : int, optional
        Where a new record of a scenario goes in its collection; at the end by default.
    """

    collection: str
    record: dict[str, Any]
    index: int | None = None


class Delete(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="delete"):
    """Take a record away."""

    collection: str
    id: str


class SetField(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="set"):
    """Set a field of the document itself, such as ``title``; of a scenario also one of a record within it.

    Parameters
    ----------
    field : str
        Such as ``title``, ``objectives/village/points`` or ``forces/red/formations/1st/units/tank/at``.
    value : object
        As the document would hold it.
    """

    field: str
    value: Any


class Batch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="batch"):
    """Several edits that are one step for the designer."""

    title: str
    edits: list[Edit]


class Resize(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="resize"):
    """Add rows and columns of hexes at the edges of a map, or remove them; everything else stays on its hex.

    Edges with half hexes have half hexes afterwards too: those that were cut and lie within the map now are whole.

    Parameters
    ----------
    left, right : int
        Columns to add at each edge; a negative number removes as many.
    top, bottom : int
        Rows to add; a negative number removes as many.
    terrain : str
        Terrain id of the new hexes; empty for the default terrain of the game.
    labels : {"renumber", "keep"}
        Whether the map is counted anew from its first column and row, or every hex keeps its label.
    """

    left: int = 0
    right: int = 0
    top: int = 0
    bottom: int = 0
    terrain: str = ""
    labels: Literal["renumber", "keep"] = "renumber"


class Restore(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="restore"):
    """Give a map the frame that it had before a :class:`Resize`, with all that lay on it.

    Parameters
    ----------
    title : str
    left, top : int
        Columns added on the left and rows added at the top by this edit; negative where it removes them.
    grid : HexGrid
    labels : LabelScheme
    terrain_ids : list of str
        What the codes of ``terrain`` stand for.
    terrain, levels : bytes
        One byte a raw cell, row by row; levels are signed.
    sides : list of (cell, cell, kinds)
    features : list of Feature
    georeference : Georeference or None
    backdrop : Backdrop or None
    """

    title: str
    left: int
    top: int
    grid: HexGrid
    labels: LabelScheme
    terrain_ids: list[str]
    terrain: bytes
    levels: bytes
    sides: list[tuple[int, int, tuple[str, ...]]]
    features: list[Feature]
    georeference: Georeference | None = None
    backdrop: Backdrop | None = None


Edit: TypeAlias = Paint | SetSide | Put | Delete | SetField | Batch | Resize | Restore


def describe(edit: Edit) -> str:
    """Return a short title for an edit, for the list of steps.

    Examples
    --------
    >>> describe(Paint(plane="terrain", cells=[1, 2], values=["marsh"]))
    'Paint marsh on 2 hexes'
    """
    match edit:
        case Paint():
            what = str(edit.values[0]).replace("_", " ") if len(set(edit.values)) == 1 else edit.plane
            if edit.plane == "levels" and len(set(edit.values)) == 1:
                what = f"level {edit.values[0]}"
            return f"Paint {what} on {len(edit.cells)} hex{'es' if len(edit.cells) != 1 else ''}"
        case SetSide():
            return f"Set hexside to {', '.join(edit.kinds)}" if edit.kinds else "Clear hexside"
        case Put():
            return f"Put {edit.record.get('kind', edit.collection)} {edit.record.get('id', '')}".strip()
        case Delete():
            return f"Delete {edit.id}"
        case SetField():
            return f"Set {edit.field}"
        case Batch() | Restore():
            return edit.title
        case Resize():
            return _describe_size(edit)


def _describe_size(edit: Resize) -> str:
    """Return a title for a change of size, such as ``Add 2 columns on the left, remove 1 row at the bottom``."""
    places = {"left": "on the left", "right": "on the right", "top": "at the top", "bottom": "at the bottom"}
    found = []
    for edge, where in places.items():
        number = int(getattr(edit, edge))
        if number:
            what = ("column" if edge in ("left", "right") else "row") + "s" * (abs(number) != 1)
            found.append(f"{'add' if number > 0 else 'remove'} {abs(number)} {what} {where}")
    text = ", ".join(found) or "resize"
    return text[0].upper() + text[1:]
