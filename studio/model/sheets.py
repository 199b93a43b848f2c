"""Sheets: the maps of a document that holds several of them, side by side, turned, or apart and linked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import numpy as np

from studio.errors import GridError, shortened
from studio.grid import DIRECTIONS, HexGrid, LabelScheme
from studio.model.features import Identifier, Text
from studio.model.topology.naming import label_fault

__all__ = ["PREFIX_WORDS", "SURFACE", "Sheet", "check_layers", "layers_of", "plain_sheet"]

SURFACE = "surface"
"""Layer of a map that lies above the ground."""

# A blank may part the prefix from the label; `$` alone would let a line break follow.
Prefix = Annotated[str, msgspec.Meta(max_length=20, pattern=r"^([^\s,]([^,]*[^\s,])?[ ]?)?$(?!\n)")]

PREFIX_WORDS = "up to 20 characters that begin with no blank, without commas and line breaks"
"""What a prefix may be, for messages."""


class Sheet(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One map of a document of several: what it is called. Where it lies is the part of the grid with its number.

    Parameters
    ----------
    id : str
    title : str
    labels : LabelScheme
        How its hexes are named where it stands alone.
    prefix : str
        Text before each of its labels, such as ``B`` or ``U-``; may be empty where no label clashes.
    layer : str
        ``surface``, ``underground`` or a name of one's own. Sheets of different layers never touch.

    Raises
    ------
    GridError
        When the prefix could not begin a label.
    """

    id: Identifier
    title: Text = ""
    labels: LabelScheme = msgspec.field(default_factory=LabelScheme)
    prefix: Prefix = ""
    layer: Identifier = SURFACE

    def __post_init__(self) -> None:
        fault = label_fault(self.prefix.removesuffix(" "))
        if fault:
            msg = f"the prefix {shortened(self.prefix)} {fault}; allowed are {PREFIX_WORDS}"
            raise GridError(msg)


def plain_sheet(title: str, labels: LabelScheme, *, sheet_id: str = "map") -> Sheet:
    """Return the sheet that a map which stands alone is."""
    return Sheet(id=sheet_id, title=title, labels=labels)


def layers_of(grid: HexGrid, sheets: Sequence[Sheet]) -> list[str]:
    """Return the layers of a map in the order of its sheets, each once; one for a plain map."""
    return list(dict.fromkeys(sheet.layer for sheet in sheets)) if grid.parts else [SURFACE]


def check_layers(grid: HexGrid, sheets: Sequence[Sheet]) -> None:
    """Refuse sheets of different layers that touch or share a hex.

    Raises
    ------
    GridError
        Naming the two sheets and the remedy.
    """
    names = layers_of(grid, sheets)
    if grid.joint is None or len(names) < 2:
        return
    layer_of = np.array([names.index(sheet.layer) for sheet in sheets])
    owner = grid.joint.owner.astype(np.int64)
    pairs = [(numbers[0], other) for numbers in grid.joint.shared.values() for other in numbers[1:]]
    for dq, dr in DIRECTIONS[grid.orientation][:3]:
        other = grid.raw_cells(grid.axials[:, 0] + dq, grid.axials[:, 1] + dr)
        beside = np.where(other >= 0, owner[np.maximum(other, 0)], -1)
        both = (owner >= 0) & (beside >= 0)
        apart = np.flatnonzero(both)[layer_of[owner[both]] != layer_of[beside[both]]]
        pairs += [(int(owner[cell]), int(beside[cell])) for cell in apart[:1].tolist()]
    for one, two in pairs:
        if layer_of[one] != layer_of[two]:
            msg = (
                f"sheets: {sheets[one].id} ({sheets[one].layer}) and {sheets[two].id} ({sheets[two].layer}) are of "
                "different layers, but touch; leave a column of no hexes between them"
            )
            raise GridError(msg)
