"""Levels of hexes as maps hold them: how low and high they go, and how they are written."""

from __future__ import annotations

__all__ = ["LEVEL_LIMITS", "level_character"]

LEVEL_LIMITS = (-20, 35)
"""Lowest and highest level that a map file can hold."""


def level_character(level: int) -> str:
    """Return the character that stands for a level in a map file.

    Examples
    --------
    >>> [level_character(level) for level in (-2, -1, 0, 9, 10)]
    ['b', 'a', '0', '9', 'A']
    """
    if level < 0:
        return chr(ord("a") - level - 1)
    return str(level) if level <= 9 else chr(ord("A") + level - 10)
