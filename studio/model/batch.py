"""Several edits as one: all of them are made, or none."""

from __future__ import annotations

from typing import Protocol

from studio.errors import EditError
from studio.model.change import Change
from studio.model.edits import Batch, Edit

__all__ = ["Model", "perform_batch"]


class Model(Protocol):
    """Anything that edits can change."""

    def perform(self, edit: Edit) -> tuple[Edit, Change]:
        """Make an edit; return its inverse and what it touched."""
        ...


def perform_batch(model: Model, edit: Batch) -> tuple[Edit, Change]:
    """Make the edits of a batch in order; return the batch that takes them back and what they touched.

    Raises
    ------
    EditError
        When one of them cannot be made; those before it have been taken back.
    """
    done: list[tuple[Edit, Change]] = []
    try:
        for step in edit.edits:
            done.append(model.perform(step))
    except EditError:
        for inverse, _ in reversed(done):
            model.perform(inverse)
        raise
    inverse = Batch(title=edit.title, edits=[inverse for inverse, _ in reversed(done)])
    return inverse, Change.join(edit, [change for _, change in done])
