"""Edits: one reversible change each, as data. The editor, the API, undo and the journal all speak them."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import msgspec

__all__ = ["Batch", "Delete", "Edit", "Paint", "Put", "SetField", "SetSide", "describe"]


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


class Put(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="put"):
    """Add a record, or replace the one with its id.

    Parameters
    ----------
    collection : str
        ``features`` of a map; ``forces`` or ``objectives`` of a scenario.
    record : dict
        The record as its document would hold it.
    """

    collection: str
    record: dict[str, Any]


class Delete(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="delete"):
    """Take a record away."""

    collection: str
    id: str


class SetField(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="set"):
    """Set a field of the document itself, such as the title."""

    field: str
    value: Any


class Batch(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="op", tag="batch"):
    """Several edits that are one step for the designer."""

    title: str
    edits: list[Edit]


Edit: TypeAlias = Paint | SetSide | Put | Delete | SetField | Batch


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
        case Batch():
            return edit.title
