"""How display lists travel: a header of plain data and one run of bytes, and then only what has changed.

The bytes hold whole numbers (`studio.draw.varints`). First come shapes that the browser does not have yet, then paths
group by group, then the numbers of what is gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from studio.draw.displaylist import DisplayList, Group, Stroke, Words
from studio.draw.varints import varint, zigzag

__all__ = ["MOST", "InkSender"]

MOST = 1_500_000
"""Bytes of one message, about."""


class InkSender:
    """Says what a browser has to draw, the whole at first and then what changed.

    Attributes
    ----------
    number : int
        Of the last message.
    """

    def __init__(self) -> None:
        self.number = 0
        self._forget()

    def _forget(self) -> None:
        self._shapes: dict[bytes, int] = {}
        self._owners: dict[str, int] = {"": 0}
        self._groups: dict[Group, int] = {}
        self._ids: dict[tuple[Group, Stroke] | Words, list[int]] = {}
        self._next = 0

    def messages(self, wanted: DisplayList, *, whole: bool = False) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
        """Yield the messages after which a browser draws a display list; none where it does so already.

        Parameters
        ----------
        wanted : DisplayList
        whole : bool
            The browser is to forget what it has.
        """
        whole = whole or not self.number
        if whole:
            self._forget()
        had, self._ids = self._ids, defaultdict(list)
        fresh: dict[Group, list[Stroke]] = {}
        for group, strokes in wanted.groups.items():
            for stroke in strokes:
                if not self._kept(had, (group, stroke)):
                    fresh.setdefault(group, []).append(stroke)
        words = [one for one in wanted.words if not self._kept(had, one)]
        gone = sorted(number for numbers in had.values() for number in numbers)
        if not (whole or fresh or words or gone):
            return
        letter = _Letter(self, whole=whole, gone=gone, words=words)
        for group, strokes in fresh.items():
            for stroke in strokes:
                if letter.size > MOST:
                    yield letter.seal()
                    letter = _Letter(self)
                letter.add(group, stroke)
        yield letter.seal()

    def nothing(self) -> tuple[dict[str, Any], list[bytes]]:
        """Return a message that changes nothing."""
        return _Letter(self).seal()

    def _kept(self, had: dict[Any, list[int]], key: Any) -> bool:
        """Tell whether the browser has a thing already, and keep its number."""
        numbers = had.get(key)
        if not numbers:
            return False
        self._ids[key].append(numbers.pop(0))
        return True

    def named(self, key: Any) -> int:
        """Return the number of a thing that the browser gets now."""
        self._next += 1
        self._ids[key].append(self._next)
        return self._next

    def shape(self, shape: bytes, fresh: list[bytes]) -> int:
        """Return the number of a shape, noting in `fresh` one that the browser does not have."""
        if shape not in self._shapes:
            self._shapes[shape] = len(self._shapes)
            fresh.append(shape)
        return self._shapes[shape]

    def owner(self, owner: str, fresh: list[str]) -> int:
        """Return the number of the id of a feature, likewise."""
        if owner not in self._owners:
            self._owners[owner] = len(self._owners)
            fresh.append(owner)
        return self._owners[owner]

    def group(self, group: Group, fresh: list[Any]) -> int:
        """Return the number of a group, likewise."""
        if group not in self._groups:
            self._groups[group] = len(self._groups)
            fresh.append([self._groups[group], *_plain(group)])
        return self._groups[group]


class _Letter:
    """One message in the making."""

    def __init__(
        self, sender: InkSender, *, whole: bool = False, gone: list[int] | None = None, words: list[Words] | None = None
    ) -> None:
        self.sender, self.whole = sender, whole
        self.gone = gone or []
        self.shapes: list[bytes] = []
        self.owners: list[str] = []
        self.groups: list[Any] = []
        self.words = [[sender.named(one), *_plain(one)] for one in words or []]
        self.parts: dict[int, tuple[list[int], bytearray]] = {}
        self.size = 0
        self.at = (0, 0)

    def add(self, group: Group, stroke: Stroke) -> None:
        """Add a path."""
        sender = self.sender
        ids, out = self.parts.setdefault(sender.group(group, self.groups), ([], bytearray()))
        before = len(out)
        ids.append(sender.named((group, stroke)))
        varint(out, sender.owner(stroke.owner, self.owners))
        # From the path before: neighbours come one after the other.
        varint(out, zigzag(stroke.x - self.at[0]))
        varint(out, zigzag(stroke.y - self.at[1]))
        self.at = stroke.x, stroke.y
        varint(out, len(stroke.pieces))
        px = py = 0
        for shape, x, y in stroke.pieces:
            known = len(self.shapes)
            varint(out, sender.shape(shape, self.shapes))
            self.size += len(shape) if len(self.shapes) > known else 0
            varint(out, zigzag(x - px))
            varint(out, zigzag(y - py))
            px, py = x, y
        self.size += len(out) - before

    def seal(self) -> tuple[dict[str, Any], list[bytes]]:
        """Return the message and its bytes."""
        out = bytearray()
        varint(out, len(self.shapes))
        for shape in self.shapes:
            out += shape
        varint(out, len(self.parts))
        for group, (ids, data) in self.parts.items():
            varint(out, group)
            varint(out, len(ids))
            # Numbers run on within a group as a rule.
            last = 0
            for number in ids:
                varint(out, number - last)
                last = number
            out += data
        varint(out, len(self.gone))
        last = 0
        for number in self.gone:
            varint(out, number - last)
            last = number
        self.sender.number += 1
        message = {
            "base": 0 if self.whole else self.sender.number - 1,
            "number": self.sender.number,
            "owners": self.owners,
            "groups": self.groups,
            "words": self.words,
        }
        return message, [bytes(out)]


def _plain(record: tuple[Any, ...]) -> list[Any]:
    """Return a record as plain data."""
    return [list(value) if isinstance(value, tuple) else value for value in record]
