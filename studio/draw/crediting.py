"""Whose work is on a figure: pictures note it when they draw, and files tell it when they are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from studio.model.wording import credit_sentences

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["credit", "credits_of"]

_CREDITS: WeakKeyDictionary[Any, dict[str, None]] = WeakKeyDictionary()


def credit(figure: Figure, credited: Any) -> None:
    """Note the sources of a map or a scenario that is drawn on a figure; samples of a legend have none.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    credited : MapModel, ScenarioDocument or a picture's subject
    """
    if getattr(credited, "sources", ()):
        _CREDITS.setdefault(figure, {}).update(dict.fromkeys(credit_sentences(credited)))


def credits_of(figure: Figure) -> tuple[str, ...]:
    """Return the sources of all that was drawn on a figure, in order, each once."""
    return tuple(_CREDITS.get(figure, ()))
