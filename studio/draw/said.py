"""What outlines say: the letters of a map are drawn as paths, and paper wants them as text in an embedded font."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeVar

__all__ = ["Said", "keep_words", "said", "said_by"]

T = TypeVar("T")

_KEPT: ContextVar[bool] = ContextVar("words of outlines are kept", default=False)


class Said(NamedTuple):
    """The text of an outline.

    Parameters
    ----------
    text : str
    x, y : float
        Where the pen starts, on the base line, in map units.
    size : float
        Height of 1 em in map units.
    fonts : tuple of str
        Families, the best first.
    """

    text: str
    x: float
    y: float
    size: float
    fonts: tuple[str, ...]


@contextmanager
def keep_words() -> Iterator[None]:
    """Keep for a while what the outlines that are drawn say."""
    token = _KEPT.set(True)
    try:
        yield
    finally:
        _KEPT.reset(token)


def said(path: T, text: str, at: tuple[float, float], size: float, fonts: list[str]) -> T:
    """Write on a path what it says, where that is kept; return it."""
    if _KEPT.get():
        setattr(path, "press_said", Said(text, *at, size, tuple(fonts)))  # noqa: B010
    return path


def said_by(path: Any) -> Said | None:
    """Return what a path says, None for what is no text."""
    found: Said | None = getattr(path, "press_said", None)
    return found
