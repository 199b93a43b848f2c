"""What the region tool asks for: copy, read what was copied elsewhere, paste, cut, move; each change one step.

Messages are ``region_copy`` and ``region_read``, answered by ``{"type": "region", "text": ..., "said": ...}``, and the
requests ``region_paste``, ``region_cut`` and ``region_move``, whose terrain the browser shows before they are answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from studio.errors import EditError
from studio.model import Batch
from studio.model.region import Mirror, Region, read_region, write_region
from studio.model.regioncopy import copy_region, cut_edits
from studio.model.regionpaste import Pasted, move_edits, paste_edits

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor

__all__ = ["HANDLERS"]

Message = dict[str, Any]

_SHARED = {"text": ""}
"""The region that was copied last: all editors of a kernel can paste it."""


class _Packed(msgspec.Struct):
    """Cells of a region; those in a row as the first and how many."""

    numbers: list[int]
    runs: bool = False

    def cells(self, most: int) -> list[int]:
        """Return them one by one; -1, which no hex has, where the runs cannot be or hold more than ``most``."""
        starts, counts = self.numbers[::2], self.numbers[1::2]
        if not self.runs or len(starts) != len(counts) or min(counts, default=0) < 0 or sum(counts) > most:
            return [-1] if self.runs else self.numbers
        return [cell for start, many in zip(starts, counts, strict=True) for cell in range(start, start + many)]


class _Cells(msgspec.Struct):
    """What a message says of a region of this map."""

    cells: list[int] | _Packed
    anchor: int | None = None
    features: bool = True
    title: str = "Empty"


class _Place(msgspec.Struct):
    """What a message says of where a region goes."""

    at: int
    turn: int = 0
    mirror: Mirror = ""
    features: bool = True
    text: str = ""


def _told(editor: MapEditor, message: Message, kind: type[Any]) -> Any:
    """Return what a message says, its hexes looked after.

    Raises
    ------
    EditError
        When it names no hexes of this map.
    """
    try:
        told = msgspec.convert(message, kind, strict=True)
    except msgspec.ValidationError as error:
        msg = f"region: not understood ({error}); reload the page if this happens again"
        raise EditError(msg) from error
    grid = editor.document.model.grid
    named: list[int]
    if isinstance(told, _Place):
        named = [told.at]
    else:
        named = told.cells.cells(grid.cells) if isinstance(told.cells, _Packed) else told.cells
        told.cells = named
    anchor = getattr(told, "anchor", None)
    wrong = [cell for cell in (*named, *(() if anchor is None else (anchor,))) if not grid.has(cell)]
    if wrong or not named:
        msg = f"region: got {wrong[:3] if wrong else 'no hexes'}; choose hexes of this map"
        raise EditError(msg)
    return told


def _copy(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    told = _told(editor, message, _Cells)
    region = copy_region(editor.document.model, told.cells, told.anchor, features=told.features)
    _SHARED["text"] = write_region(region)
    _send(editor, message, region)


def _read(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    text = message.get("text") or _SHARED["text"]
    region = read_region(text)
    model = editor.document.model
    unknown = [name for name in region.terrains if name not in model.terrain_ids]
    if region.orientation != model.grid.orientation or unknown:
        # The same words as at pasting, before anybody aims.
        paste_edits(model, region, int(model.grid.present.argmax()))
    _SHARED["text"] = text
    _send(editor, message, region)


def _send(editor: MapEditor, message: Message, region: Region) -> None:
    count, drawn = len(region.hexes), len(region.features)
    said = f"{count:,} hex{'es' * (count != 1)}" + (f", {drawn} feature{'s' * (drawn != 1)}" if drawn else "")
    about = {"client": message.get("client"), "float": bool(message.get("float"))}
    editor.send({"type": "region", **about, "text": write_region(region), "said": said})


def _paste(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    told = _told(editor, message, _Place)
    region = read_region(told.text or _SHARED["text"])
    model = editor.document.model
    pasted = paste_edits(model, region, told.at, turn=told.turn, mirror=told.mirror, features=told.features)
    _apply(editor, message, f"Paste {pasted.hexes} hexes", pasted)


def _move(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    place, told = _told(editor, message, _Place), _told(editor, message, _Cells)
    pasted = move_edits(
        editor.document.model,
        told.cells,
        place.at,
        anchor=told.anchor,
        turn=place.turn,
        mirror=place.mirror,
        features=place.features,
    )
    here = place.at == told.anchor
    title = "Turn" if here and place.turn % 6 else "Mirror" if here and place.mirror else "Move"
    _apply(editor, message, f"{title} {len(told.cells)} hexes", pasted)


def _cut(editor: MapEditor, message: Message, _buffers: list[Buffer]) -> None:
    told = _told(editor, message, _Cells)
    edits = cut_edits(editor.document.model, told.cells, features=told.features)
    if edits:
        editor.document.apply(Batch(title=f"{told.title[:20]} {len(told.cells)} hexes", edits=edits))
    editor.answered(message)


def _apply(editor: MapEditor, message: Message, title: str, pasted: Pasted) -> None:
    if pasted.edits:
        editor.document.apply(Batch(title=title, edits=list(pasted.edits)))
    editor.answered(message)
    editor.tell("say", text=f"{title.split(maxsplit=1)[0]}: {pasted}", client=message.get("client"))


HANDLERS = {
    "region_copy": _copy,
    "region_read": _read,
    "region_paste": _paste,
    "region_move": _move,
    "region_cut": _cut,
}
