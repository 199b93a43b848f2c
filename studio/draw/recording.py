"""What is being drawn while a picture is recorded for the editor's canvas: whose it is, and at which sizes it shows.

A recorded picture is drawn once and shown at every zoom. So painters say here what they would otherwise decide by the
size of a hex in pixels, and to which feature a path belongs. Outside of a recording nothing of this has an effect.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "Note",
    "Pattern",
    "answers_only",
    "belonging",
    "current",
    "lay_pattern",
    "marked",
    "note_of",
    "noted",
    "owned",
    "recorded",
    "sizes",
]

_STEP = 1.3  # from one size to the next, of things whose look depends on the size of a hex
_FULL = 76.0  # height of a hex in pixels from which nothing does

T = TypeVar("T")


class Note(NamedTuple):
    """What is known of a path beside its look.

    Parameters
    ----------
    owner : str
        Id of the feature that it belongs to, "" for none.
    low, high : float
        It shows where a hex is at least, and less than, so many pixels high.
    """

    owner: str = ""
    low: float = 0.0
    high: float = math.inf


class Pattern(NamedTuple):
    """A pattern that a canvas repeats by itself within some paths, instead of its thousands of lines and dots.

    Parameters
    ----------
    kind : str
        That of an area's look, or "rising", "falling" (lines of an answer) or "specks".
    pitch, phase : float
        Distance of its lines or dots, and where its lines begin, in map units.
    """

    kind: str
    pitch: float
    phase: float = 0.0


_NOTE: ContextVar[Note | None] = ContextVar("what is drawn", default=None)
_ANSWER: ContextVar[bool] = ContextVar("answers without their ground", default=False)


def current() -> Note | None:
    """Return what is being drawn; None outside of a recording."""
    return _NOTE.get()


def answers_only() -> bool:
    """Tell whether pictures are drawn without the map below the answer, and of the whole map."""
    return _ANSWER.get()


@contextmanager
def recorded(*, answer: bool = False) -> Iterator[None]:
    """Record what is drawn; with `answer` pictures leave out the map and show their answer over all of it."""
    note, kind = _NOTE.set(Note()), _ANSWER.set(answer)
    try:
        yield
    finally:
        _NOTE.reset(note)
        _ANSWER.reset(kind)


@contextmanager
def noted(*, owner: str | None = None, low: float = 0.0, high: float = math.inf) -> Iterator[None]:
    """Note for a while whose it is that is drawn, and from and below which height of a hex in pixels it shows."""
    now = _NOTE.get()
    if now is None:
        yield
        return
    token = _NOTE.set(Note(now.owner if owner is None else owner, max(now.low, low), min(now.high, high)))
    try:
        yield
    finally:
        _NOTE.reset(token)


def owned(features: Iterable[T]) -> Iterator[T]:
    """Yield features; what is drawn until the next one belongs to each."""
    now = _NOTE.get()
    if now is None:
        yield from features
        return
    try:
        for feature in features:
            _NOTE.set(now._replace(owner=str(getattr(feature, "id", ""))))
            yield feature
    finally:
        _NOTE.set(now)


def sizes(px: float, low: float) -> Iterator[float]:
    """Yield the height of a hex in pixels for something whose look depends on it, shown from `low` on.

    In a picture that is `px`; in a recording some heights from `low` on, for what is drawn meanwhile shows around each.
    """
    now = _NOTE.get()
    if now is None:
        yield px
        return
    try:
        while low < min(_FULL, now.high):
            high = _FULL if low * _STEP > _FULL / 1.1 else low * _STEP
            _NOTE.set(now._replace(low=max(now.low, low), high=min(now.high, high)))
            yield math.sqrt(low * high)
            low = high
        if low < now.high:
            _NOTE.set(now._replace(low=max(now.low, low)))
            yield max(px, low)
    finally:
        _NOTE.set(now)


def marked(thing: T, owner: str | None = None) -> T:
    """Write on a path or an artist what is known of it, and whose it is, unless that stands there; return it."""
    now = _NOTE.get()
    if now is not None:
        known = note_of(thing)
        whose = owner if owner is not None else known.owner if isinstance(known, Note) else now.owner
        setattr(thing, "ink_note", now._replace(owner=whose))  # noqa: B010
    return thing


def note_of(thing: Any) -> Note | Sequence[Note] | None:
    """Return what was written on a path or an artist (one for each of its paths, or one for all), None without."""
    found: Note | Sequence[Note] | None = getattr(thing, "ink_note", None)
    return found


def belonging(collection: T, owners: Sequence[str]) -> T:
    """Write on a collection which feature each of its paths belongs to; return it."""
    now = _NOTE.get()
    if now is not None:
        whose = [now._replace(owner=owner) for owner in owners] if owners else now
        setattr(collection, "ink_note", whose)  # noqa: B010
    return collection


def lay_pattern(
    ax: Axes, paths: Sequence[Any], pattern: Pattern, color: str, width: float, zorder: float, alpha: float = 1.0
) -> None:
    """Record a pattern within some paths."""
    from matplotlib.collections import PathCollection

    drawn = PathCollection(list(paths), facecolors=color, linewidths=width, alpha=alpha, zorder=zorder)
    setattr(drawn, "ink_pattern", pattern)  # noqa: B010
    ax.add_collection(marked(drawn), autolim=False)
