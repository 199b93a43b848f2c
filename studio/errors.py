"""The tree of errors: one base, each leaf also a ValueError or KeyError, each with place, value, choice and remedy."""

from __future__ import annotations

import difflib
import re
import reprlib
from collections.abc import Iterable
from typing import Any

__all__ = [
    "ConflictError",
    "DocumentError",
    "EditError",
    "Fault",
    "GridError",
    "LabelError",
    "NoSightError",
    "ScenarioRuleError",
    "StaleAnswerError",
    "StudioError",
    "UnknownNameError",
    "UnsupportedError",
    "nearest",
    "shortened",
    "texts_of",
]


_LONGEST, _SHOWN = 300, 80  # characters of one word, of which a message shows so many where it is longer
_WORDS = re.compile(rf"\S{{{_LONGEST + 1},}}")


def _cut(word: re.Match[str]) -> str:
    return f"{word[0][: _SHOWN // 2]}...{word[0][-(_SHOWN // 2) :]}"


class StudioError(Exception):
    """Base of every error that the studio raises on purpose."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument; people should read the sentence itself. What was got may be anything
        # and stands in many messages, so words that nobody can read to their end are cut here once for all.
        return _WORDS.sub(_cut, " ".join(str(part) for part in self.args))


class GridError(StudioError, ValueError):
    """A grid or a label scheme that cannot exist, or coordinates outside the grid."""


class LabelError(StudioError, KeyError, ValueError):
    """A hex label that is malformed, or that no hex of the map carries."""


class UnknownNameError(StudioError, KeyError, ValueError):
    """A name (terrain, side kind, ruleset, option ...) that the catalogue does not know."""


class NoSightError(UnknownNameError):
    """A question about lines of sight in a game that has none; the message says what it has instead."""


class EditError(StudioError, ValueError):
    """An edit that cannot be made; the document is as it was."""


class UnsupportedError(StudioError, ValueError):
    """A question that the game does not have."""


class ScenarioRuleError(StudioError, ValueError):
    """A special rule or option with a value that the game does not allow."""


class StaleAnswerError(StudioError, ValueError):
    """A question to an answer whose map has been changed since it was given."""


class ConflictError(StudioError, ValueError):
    """A file that somebody else changed since it was opened."""


class Fault:
    """One fault of a document.

    Parameters
    ----------
    path : str
        Path in the document, such as ``$.terrain.rows[1]``.
    message : str
        What is wrong: the value received and what is allowed.
    remedy : str
        What to do about it.
    at : str
        Place on the map (a label, or row and column), empty when it has none.
    """

    __slots__ = ("at", "message", "path", "remedy")

    def __init__(self, path: str, message: str, remedy: str = "", at: str = "") -> None:
        self.path, self.message, self.remedy, self.at = path, message, remedy, at

    def __repr__(self) -> str:
        return f"Fault({self.path!r}, {self.message!r}, remedy={self.remedy!r}, at={self.at!r})"

    def __str__(self) -> str:
        place = f"{self.path} ({self.at})" if self.at else self.path
        return f"{place}: {self.message}" + (f" Remedy: {self.remedy}" if self.remedy else "")


class DocumentError(StudioError, ValueError):
    """A file that cannot be read as what it should be; ``faults`` lists every fault found.

    Parameters
    ----------
    file : str
        The file, as the caller named it.
    faults : list of Fault
        All of them, in the order of the document.
    """

    SHOWN = 20

    def __init__(self, file: str, faults: list[Fault]) -> None:
        self.file, self.faults = file, faults
        count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
        lines = [f"{file}: {count}.", *(f"  {fault}" for fault in faults[: self.SHOWN])]
        if len(faults) > self.SHOWN:
            lines.append(f"  ... and {len(faults) - self.SHOWN} more (all in the error's .faults)")
        super().__init__("\n".join(lines))


class _Short(reprlib.Repr):
    """Values as messages show them: large numbers and long texts cut, few of many."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = _SHOWN
        self.maxlong = 40

    def repr_int(self, x: int, level: int) -> str:
        return f"a number of {x.bit_length()} bits" if x.bit_length() > 4000 else super().repr_int(x, level)


def shortened(got: Any) -> str:
    """Return how a message shows a value that was got: its ``repr``, cut in the middle where it is long.

    Examples
    --------
    >>> shortened("12b"), shortened([1, None])
    ("'12b'", '[1, None]')
    >>> len(shortened("x" * 10_000)), len(shortened([10**400, 1])) < 100
    (80, True)
    """
    return _SHORT.repr(got)


_SHORT = _Short()


def texts_of(got: Any) -> list[str] | None:
    """Return one text or several as a list, None where something else was given.

    Examples
    --------
    >>> texts_of("a"), texts_of(("a", "b")), texts_of(5), texts_of([None])
    (['a'], ['a', 'b'], None, None)
    """
    if isinstance(got, str):
        return [got]
    listed = list(got) if isinstance(got, Iterable) else None
    return listed if listed is not None and all(isinstance(one, str) for one in listed) else None


def nearest(got: str, allowed: Iterable[str], *, count: int = 3) -> str:
    """Return 'did you mean ...' for the allowed names closest to `got`, else the allowed names themselves.

    Examples
    --------
    >>> nearest("lite_woods", ["light_woods", "clear"])
    "did you mean 'light_woods'?"
    >>> nearest("zzz", ["light_woods", "clear"])
    'allowed: clear, light_woods'
    """
    names = sorted(set(allowed))
    got = str(got)[:200]  # what is longer is like no name, and takes long to compare
    close = difflib.get_close_matches(got, names, n=count, cutoff=0.6)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    shown = ", ".join(names[:30])
    return f"allowed: {shown}" + (f" ... ({len(names)} in all)" if len(names) > len(names[:30]) else "")
