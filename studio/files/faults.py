"""Words for faults of files: paths in a document, values as people read them, lists that do not grow without end."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from studio.errors import Fault

__all__ = ["MAX_FAULTS", "FaultList", "json_path", "line_column", "shown"]

MAX_FAULTS = 1000
"""Most faults that are listed for one file; the rest is counted."""


class FaultList:
    """Faults of one file, at most :data:`MAX_FAULTS` kept and all counted."""

    def __init__(self) -> None:
        self.kept: list[Fault] = []
        self.count = 0
        self.stopped = False

    def add(self, path: str, message: str, remedy: str = "", at: str = "") -> None:
        """Note one fault."""
        self.count += 1
        if len(self.kept) < MAX_FAULTS:
            self.kept.append(Fault(path, message, remedy, at))

    def skip(self, number: int) -> None:
        """Count faults that are not worth a text of their own, because the list is full."""
        self.count += number

    def stop(self) -> bool:
        """Tell whether to look no further because the list is full, and remember that there may be more."""
        self.stopped = self.stopped or self.full
        return self.stopped

    @property
    def full(self) -> bool:
        """True when further faults are only counted."""
        return len(self.kept) >= MAX_FAULTS

    def all(self) -> list[Fault]:
        """Return the faults, the last one saying how many were left out."""
        more = self.count - len(self.kept)
        if more or self.stopped:
            counted = f"{more} more faults are not listed" if more else ""
            beyond = "the rest of the file was not looked at" if self.stopped else ""
            words = ", and ".join(text for text in (counted, beyond) if text)
            return [*self.kept, Fault("$", words, "mend these first and open it again")]
        return list(self.kept)

    def __bool__(self) -> bool:
        return self.count > 0


def json_path(parts: Iterable[str | int]) -> str:
    """Return a path in a document as text.

    Examples
    --------
    >>> json_path(["terrain", "rows", 1])
    '$.terrain.rows[1]'
    >>> json_path(["legend", " "])
    "$.legend[' ']"
    """
    text = "$"
    for part in parts:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{part}" if part.isidentifier() else f"[{part!r}]"
    return text


def shown(value: Any, most: int = 60) -> str:
    """Return a value of a JSON document as people read it, cut when it is long.

    Examples
    --------
    >>> shown("4"), shown(4), shown(None), shown([1, 2]), shown({"a": 1})
    ("text '4'", '4', 'null', 'a list of 2', 'an object with 1 key')
    """
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case str():
            return f"text {value!r}" if len(value) <= most else f"text {value[:most]!r}… ({len(value)} characters)"
        case list():
            return f"a list of {len(value)}"
        case dict():
            return f"an object with {len(value)} key{'' if len(value) == 1 else 's'}"
        case int() if abs(value) >= 10**most:
            return f"a number of over {most} digits"
    return str(value)


def line_column(data: bytes, offset: int) -> tuple[int, int]:
    r"""Return the line and the column, both from 1, of a byte.

    Examples
    --------
    >>> line_column(b"ab\ncd", 4)
    (2, 2)
    """
    before = data[:offset]
    return before.count(b"\n") + 1, offset - (before.rfind(b"\n") + 1) + 1
