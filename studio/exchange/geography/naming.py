"""Names as data have them: compared whatever their marks and letters, made into ids, checked against a game."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Container, Iterable
from typing import Any

from studio.errors import nearest
from studio.exchange.common.files import refused
from studio.exchange.geography.work import Work

__all__ = ["alternatives", "check_known", "folded", "free_id", "said", "slug"]

_UNMARKED = str.maketrans(
    {"ı": "i", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th"}
    | {"æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ə": "e", "Ə": "E"}
)
"""Letters that are no others with marks, as Unicode has it, but are written as these where the marks are left out."""
_BETWEEN = re.compile(r"[/;|,()\[\]]")
_LONGEST = 80


def said(value: Any) -> str:
    """Return what a column says as text, empty where it says nothing.

    Examples
    --------
    >>> said(" Basra "), said(None), said(float("nan")), said(89482.0)
    ('Basra', '', '', '89482')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = unicodedata.normalize("NFC", str(value)).strip()
    return "" if text in ("<NA>", "NaT") else text.encode("utf-8", "replace").decode("utf-8")


def folded(text: str) -> str:
    """Return a name without marks, capitals and what stands between its letters.

    Examples
    --------
    >>> folded("Ţūz Khūrmātū"), folded("Al-'Amārah"), folded("STRASSE") == folded("Straße")
    ('tuzkhurmatu', 'alamarah', True)
    """
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return "".join(one for one in bare.translate(_UNMARKED).casefold() if one.isalnum() and one not in "ʿʾʼʻ")


def alternatives(text: str) -> list[str]:
    """Return the names that one text gives, parted by strokes, commas or brackets; none where it gives one only.

    Examples
    --------
    >>> alternatives("Abadan"), alternatives("Al Basrah (Basra)"), alternatives("Biel/Bienne")
    ([], ['Al Basrah', 'Basra'], ['Biel', 'Bienne'])
    """
    parts = [part.strip() for part in _BETWEEN.split(text)]
    return [part for part in parts if part] if len(parts) > 1 else []


def slug(text: str, other: str) -> str:
    """Return a name as an id, or another one where none of its letters can stand in an id.

    Examples
    --------
    >>> slug("Saudi Arabia", "country"), slug("Türkiye", "country"), slug("العراق", "country")
    ('saudi-arabia', 'turkiye', 'country')
    """
    bare = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return re.sub(r"[^a-z0-9]+", "-", bare.translate(_UNMARKED).lower()).strip("-")[:_LONGEST].strip("-") or other


def free_id(taken: Container[str], wanted: str) -> str:
    """Return an id, or the first of those with a number that is free.

    Examples
    --------
    >>> free_id({"iraq", "iraq-2"}, "iraq"), free_id((), "iraq")
    ('iraq-3', 'iraq')
    """
    if wanted not in taken:
        return wanted
    number = 2
    while f"{wanted}-{number}" in taken:
        number += 1
    return f"{wanted}-{number}"


def check_known(work: Work, what: str, name: str, names: Iterable[str], rule: str) -> None:
    """Refuse a name that the game does not have; an empty one names nothing.

    Parameters
    ----------
    work : Work
    what : str
        Such as ``type of area``.
    name : str
    names : iterable of str
        Those of the game.
    rule : str
        Part of the specification, such as ``countries.side``.

    Raises
    ------
    DocumentError
        With the nearest names.
    """
    allowed = list(names)
    if name and name not in allowed:
        close = nearest(name, allowed) if allowed else "the game has none"
        message = f"{rule} names the {what} {name!r}; {close}"
        raise refused(work.name, message, f"name one of {work.ruleset.title}, or leave it empty")
