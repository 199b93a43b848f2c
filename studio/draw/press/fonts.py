"""Fonts of printed texts: their files, what letters they have, how wide they are."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

__all__ = ["font_file", "font_of", "has_letters", "text_width", "wrapped"]


@functools.lru_cache(maxsize=64)
def _found(families: tuple[str, ...], bold: bool, italic: bool) -> str:
    from matplotlib.font_manager import FontProperties, findfont

    weight = "bold" if bold else "normal"
    return str(findfont(FontProperties(family=list(families), weight=weight, style="italic" if italic else "normal")))


def font_file(families: Sequence[str], *, bold: bool = False, italic: bool = False) -> str:
    """Return the file of the best font of some families."""
    return _found(tuple(families), bold, italic)


@functools.lru_cache(maxsize=16)
def font_of(file: str) -> Any:
    """Return a font with its tables, as fontTools reads it."""
    from fontTools.ttLib import TTFont

    return TTFont(file, lazy=True, recalcTimestamp=False)


@functools.lru_cache(maxsize=16)
def _advances(file: str) -> dict[int, float]:
    """Return the advance of each letter in em, by its code point."""
    font = font_of(file)
    em, metrics = font["head"].unitsPerEm, font["hmtx"].metrics
    return {code: metrics[name][0] / em for code, name in font.getBestCmap().items()}


def has_letters(file: str, text: str) -> bool:
    """Tell whether a font that can go into a file has all letters of a text."""
    if "glyf" not in font_of(file):
        return False
    known = _advances(file)
    return all(ord(char) in known for char in text)


def text_width(text: str, file: str) -> float:
    """Return the width of a text in em; of a letter that the font has not, that of the box in its place."""
    font, known = font_of(file), _advances(file)
    box = font["hmtx"].metrics[".notdef"][0] / font["head"].unitsPerEm
    return float(sum(known.get(ord(char), box) for char in text))


def wrapped(text: str, file: str, size: float, wide: float) -> list[str]:
    """Return a text in lines no wider than `wide`, as far as its words are; `size` of 1 em in the same unit."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, file) * size > wide:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines
