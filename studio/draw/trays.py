"""Trays in matplotlib: wide boxes with a title, as wide as the title needs and the room around them bears."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.letters import text_path
from studio.draw.subject import Floats, kind_of, map_points

if TYPE_CHECKING:
    from studio.draw.shapes import PlaceLook
    from studio.draw.sites import Sites
    from studio.draw.style import Style

__all__ = ["Tray", "tray_of"]

_LETTERS = 0.24  # height of a title, as a share of the tray's
_MOST_LINES = 3


class Tray(NamedTuple):
    """How a tray lies.

    Parameters
    ----------
    middle : array of shape (2,)
        In map units.
    wide : float
        Width in map units.
    lines : tuple of str
        Its title.
    height : float
        Height of the letters in map units.
    """

    middle: Floats
    wide: float
    lines: tuple[str, ...]
    height: float


def tray_of(sites: Sites, style: Style, place: Any, look: PlaceLook, title: str) -> Tray:
    """Return how the tray of a place lies: it keeps clear of its neighbours and of the frame."""
    unit = sites.grid.hex_height / 1000
    at = np.asarray(sites.grid.to_map(*place.at))
    size, fonts = look.size * unit, style.letters.name_fonts
    pad = 0.2 * size
    needed = text_path(title, fonts)[2] * _LETTERS * size + 2 * pad if title else 0.0
    wish = min(look.wide * unit, max(needed, 1.6 * size))
    left, right = _room(sites, style, place, at, look, 0.04 * size)
    # What one side has not, the other gives as far as it can.
    west = min(wish / 2, left)
    east = min(wish - west, right)
    west = min(wish - east, left)
    lines, height = _wrapped(title, max(west + east - pad, pad), size, fonts)
    return Tray(at + np.array([(east - west) / 2, 0.0]), west + east, lines, height)


def _room(sites: Sites, style: Style, place: Any, at: Floats, look: PlaceLook, gap: float) -> tuple[float, float]:
    """Return how far a tray may reach to the left and to the right."""
    from studio.draw.symbols import place_look

    unit = sites.grid.hex_height / 1000
    (x0, _), (x1, _) = map_points(sites.grid, np.asarray(sites.frame_at(place.at)).reshape(2, 2))
    rooms = [float(at[0] - x0) - gap, float(x1 - at[0]) - gap]
    for other in sites.subject.features.values():
        if kind_of(other) != "place" or other.id == place.id:
            continue
        its = place_look(style, other.type)
        there = np.asarray(sites.grid.to_map(*other.at))
        away = there - at
        if abs(away[1]) >= (look.size + its.size) * unit / 2 or not away[0]:
            continue
        # Two trays share what lies between them.
        clear = abs(away[0]) / 2 if its.shape == "tray" else abs(away[0]) - (its.wide or its.size) * unit / 2
        side = int(away[0] > 0)
        rooms[side] = min(rooms[side], float(clear) - gap)
    least = 0.02 * look.size * unit
    return max(rooms[0], least), max(rooms[1], least)


def _wrapped(title: str, wide: float, size: float, fonts: list[str]) -> tuple[tuple[str, ...], float]:
    """Return a title in the lines in which it is largest, and the height of its letters."""
    best: tuple[tuple[str, ...], float] = ((title,), 0.0)
    for count in range(1, _MOST_LINES + 1):
        lines = _lines(tuple(title.split()), count, tuple(fonts))
        longest = max((text_path(line, fonts)[2] for line in lines if line), default=1.0)
        height = min(_LETTERS * size, wide / longest, 0.86 * size / (1.25 * len(lines)))
        if height > 1.02 * best[1]:
            best = (lines, height)
    return best


@functools.lru_cache(maxsize=256)
def _lines(words: tuple[str, ...], count: int, fonts: tuple[str, ...]) -> tuple[str, ...]:
    """Return words in at most so many lines, the longest of which is as short as can be."""

    def width(part: Sequence[str]) -> float:
        return float(text_path(" ".join(part), list(fonts))[2])

    if count == 1 or len(words) < 2:
        return (" ".join(words),)
    splits = [(" ".join(words[:n]), *_lines(words[n:], count - 1, fonts)) for n in range(1, len(words))]
    return min(splits, key=lambda lines: max(width([line]) for line in lines))
