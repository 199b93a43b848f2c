"""What an edit touched: enough for the survey and every view to follow without looking at the whole map."""

from __future__ import annotations

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.grid.distinct import distinct
from studio.model.edits import Edit
from studio.model.features import Feature
from studio.model.moved import Moved

__all__ = ["Change"]

_NONE = np.empty(0, dtype=np.int64)


class Change(msgspec.Struct, kw_only=True, eq=False):
    """What one edit changed.

    Attributes
    ----------
    edit : Edit
        The edit that was made (for an undo, its inverse).
    cells : array of int64
        Hexes whose terrain or level was set.
    planes : frozenset of {"terrain", "levels"}
    sides : tuple of (cell, cell)
    features, removed : tuple of str
        Ids of features put, and taken away.
    before : tuple of Feature or None
        Those features as they were, in the order of ``features`` and then ``removed``.
    meta : bool
        A field of the document itself was set.
    relabelled : bool
        The labels of all hexes changed.
    moved : Moved or None
        How the hexes moved or were renamed, where they did.
    lost : tuple of str
        What went with removed hexes, as sentences.
    revision : int
        Number of changes since the map was opened, this one included; set by the history.
    """

    edit: Edit
    cells: NDArray[np.int64] = msgspec.field(default_factory=lambda: _NONE)
    planes: frozenset[str] = frozenset()
    sides: tuple[tuple[int, int], ...] = ()
    features: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    before: tuple[Feature | None, ...] = ()
    meta: bool = False
    relabelled: bool = False
    moved: Moved | None = None
    lost: tuple[str, ...] = ()
    revision: int = 0

    @classmethod
    def join(cls, edit: Edit, changes: list[Change]) -> Change:
        """Return one change for the steps of a batch."""
        cells = distinct(np.concatenate([change.cells for change in changes])) if changes else _NONE
        # A feature put and then deleted in one batch is gone: the last step decides. What it was before the batch is
        # what it was before the first step that touched it.
        present: dict[str, bool] = {}
        before: dict[str, Feature | None] = {}
        for change in changes:
            for name, old in zip((*change.features, *change.removed), change.before, strict=False):
                before.setdefault(name, old)
            present.update(dict.fromkeys(change.features, True))
            present.update(dict.fromkeys(change.removed, False))
        kept = tuple(name for name, there in present.items() if there)
        gone = tuple(name for name, there in present.items() if not there)
        return cls(
            edit=edit,
            cells=cells,
            planes=frozenset().union(*(change.planes for change in changes)),
            sides=tuple(dict.fromkeys(side for change in changes for side in change.sides)),
            features=kept,
            removed=gone,
            before=tuple(before[name] for name in (*kept, *gone) if name in before),
            meta=any(change.meta for change in changes),
            relabelled=any(change.relabelled for change in changes),
            moved=_through([change.moved for change in changes if change.moved is not None]),
        )


def _through(steps: list[Moved]) -> Moved | None:
    """Return new labels given one after another as one step; sizes change in steps of their own."""
    return Moved(steps[0].before, steps[-1].after) if steps else None
