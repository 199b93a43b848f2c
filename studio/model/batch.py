"""What every model does alike: refuse with one kind of error, and make several edits as one, or none of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from studio.errors import EditError
from studio.model.change import Change
from studio.model.edits import Batch, Edit, Resize, Restore

__all__ = ["Model", "perform_batch", "refusing"]

MAX_DEPTH = 50
"""How deep batches may lie in batches."""


class Model(Protocol):
    """Anything that edits can change."""

    def perform(self, edit: Edit) -> tuple[Edit, Change]:
        """Make an edit; return its inverse and what it touched."""
        ...


def refusing(perform: Callable[[Edit], tuple[Edit, Change]], edit: Edit) -> tuple[Edit, Change]:
    """Make an edit; whatever is wrong with it is an EditError.

    Edits come from files and from browsers, so they may hold anything that JSON can.

    Raises
    ------
    EditError
        When the edit cannot be made; nothing has been changed then.
    """
    try:
        return perform(edit)
    except EditError:
        raise
    except (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, MemoryError, RecursionError) as error:
        msg = f"{type(edit).__name__}: {error or type(error).__name__}; nothing was changed"
        raise EditError(msg) from error


def perform_batch(model: Model, edit: Batch) -> tuple[Edit, Change]:
    """Make the edits of a batch in order; return the batch that takes them back and what they touched.

    Raises
    ------
    EditError
        When one of them cannot be made, or they lie too deep; those before it have been taken back.
    """
    if _depth(edit) > MAX_DEPTH:
        msg = f"batch {edit.title!r}: more than {MAX_DEPTH} batches lie in each other; list the edits one after another"
        raise EditError(msg)
    if any(isinstance(step, Resize | Restore) for step in edit.edits):
        # All that follows would have to name other hexes: what a batch touched could no longer be told.
        msg = f"batch {edit.title!r}: rows and columns are added and removed in a step of their own"
        raise EditError(msg)
    done: list[tuple[Edit, Change]] = []
    try:
        for step in edit.edits:
            done.append(model.perform(step))
    except BaseException:
        for inverse, _ in reversed(done):
            model.perform(inverse)
        raise
    inverse = Batch(title=edit.title, edits=[inverse for inverse, _ in reversed(done)])
    return inverse, Change.join(edit, [change for _, change in done])


def _depth(edit: Batch) -> int:
    depth, layer = 0, [edit]
    while layer and depth <= MAX_DEPTH:
        depth += 1
        layer = [step for batch in layer for step in batch.edits if isinstance(step, Batch)]
    return depth
