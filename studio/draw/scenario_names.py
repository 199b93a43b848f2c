"""Where the names of a scenario's areas and entries stand on its map: whole, apart, and off what must be seen."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.draw.counters import Spot
from studio.draw.letters import brief, text_path
from studio.draw.picture import Picture
from studio.draw.subject import Floats, kind_of, map_points

__all__ = ["ARROW", "COUNTER", "LINE", "NAMED", "SIGN", "WORDS", "NameRoom", "Words", "words_of"]

COUNTER, SIGN, ARROW, NAMED, WORDS = 3.0, 2.0, 1.5, 1.2, 4.0
"""How much it costs a name to hide a counter, a flag or sheet, an arrow, a name of the map, another name."""

_SIZE, _LEAST_PX = 0.26, 8.5
LINE = 1.18
"""From one line of a name to the next, in the size of its letters."""

_LETTERS, _LINES = 24, 6  # of a name
_NEAREST = 60  # places of an area at which its name is tried
_AROUND = 12  # places beside which it is tried
_STEP = 0.07  # what each hex away from the middle costs, beside what is hidden
_BESIDE = ((0.0, -0.3), (0.0, 0.0), (0.0, 0.34))


class Words(NamedTuple):
    """A text in lines.

    Parameters
    ----------
    lines : tuple of str
    size : float
        Of its letters, in map units.
    wide, high : float
        In map units.
    """

    lines: tuple[str, ...]
    size: float
    wide: float
    high: float


def words_of(picture: Picture, names: Sequence[str]) -> Words:
    """Return names under one another as they are written on a picture; long ones broken, of many the first."""
    each = [_broken(brief(name)) for name in dict.fromkeys(names)]
    lines: list[str] = []
    while each and (len(lines) + len(each[0]) + (len(each) > 1) <= _LINES or not lines):
        lines += each.pop(0)
    if each:
        lines.append(f"and {len(each)} more")
    size = max(_SIZE, _LEAST_PX / picture.hex_px) * picture.subject.grid.hex_height
    fonts = picture.style.letters.fonts
    # Bold letters and their halo are wider than those measured.
    wide = (max(text_path(line, fonts)[2] for line in lines) + 0.35) * size
    return Words(tuple(lines), size, wide, (len(lines) - 1) * LINE * size + 1.15 * size)


def _broken(name: str) -> list[str]:
    """Return the lines of a name: of a long one what follows a colon in a line of its own."""
    if len(name) <= _LETTERS:
        return [name]
    head, colon, tail = name.rpartition(": ")
    parts = [f"{head}:", tail] if colon else [name]
    return [line for part in parts for line in textwrap.wrap(part, _LETTERS)] or [name]


class NameRoom:
    """Finds room for names on a picture.

    Parameters
    ----------
    picture : Picture
        With the map on it; the names of the map are hidden by no other where there is room elsewhere.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.unit: float = picture.subject.grid.hex_height
        self._boxes: list[tuple[float, float, float, float]] = []
        self._weights: list[float] = []
        self._keep_map_names()

    def _keep_map_names(self) -> None:
        subject, fonts = self.picture.subject, self.picture.style.letters.name_fonts
        for feature in subject.features.values():
            if kind_of(feature) == "name" and feature.size * self.picture.hex_px >= 5:
                high = feature.size * self.unit
                wide = 1.16 * text_path(brief(feature.text), fonts)[2] * high
                self.keep(map_points(subject.grid, [feature.at])[0], wide, 1.1 * high, NAMED)

    def keep(self, at: Floats, wide: float, high: float, weight: float) -> None:
        """Remember something that names should not hide, by its middle and its size in map units."""
        x, y = float(at[0]), float(at[1])
        self._boxes.append((x - wide / 2, y - high / 2, x + wide / 2, y + high / 2))
        self._weights.append(weight)

    def keep_counters(self, spots: Iterable[Spot]) -> None:
        """Remember where counters stand."""
        for spot in spots:
            self.keep(np.array([spot.x, spot.y]), spot.size * self.unit, spot.size * self.unit, COUNTER)

    def hidden(self, middles: Floats, wide: float, high: float) -> NDArray[np.float64]:
        """Return what a name would hide at each of some points, as shares of its own size times their weights."""
        if not self._boxes:
            return np.zeros(len(middles))
        boxes, weights = np.asarray(self._boxes), np.asarray(self._weights)
        half = np.array([wide / 2, high / 2])
        low, end = (middles - half)[:, None, :], (middles + half)[:, None, :]
        both = np.minimum(end, boxes[None, :, 2:]) - np.maximum(low, boxes[None, :, :2])
        found: NDArray[np.float64] = (np.clip(both, 0, None).prod(axis=2) * weights).sum(axis=1) / (wide * high)
        return found

    def claim(self, words: Words, tries: Sequence[Floats], costs: Sequence[float]) -> Floats:
        """Return the best of some points for the middle of a name, moved into the picture, and keep that room."""
        x0, y0, x1, y1 = self.picture.extent
        half = np.array([words.wide, words.high]) / 2 + 0.06 * self.unit
        low, end = np.array([x0, y0]) + half, np.array([x1, y1]) - half
        points = np.asarray(tries, dtype=float).reshape(-1, 2)
        # A name that is wider than the picture stands in its middle.
        inside = np.where(low <= end, np.clip(points, low, np.maximum(low, end)), (low + end) / 2)
        moved = np.hypot(*(inside - points).T) / self.unit
        cost = np.asarray(costs) + _STEP * moved + self.hidden(inside, words.wide, words.high)
        best: Floats = inside[int(np.argmin(np.round(cost, 9)))]
        self.keep(best, words.wide, words.high, WORDS)
        return best

    def in_area(self, words: Words, spots: Floats) -> Floats:
        """Return the middle of the name of an area: at one of its places, near its middle; else just outside of it."""
        middle, unit = spots.mean(axis=0), self.unit
        away = np.hypot(*(spots - middle).T) / unit
        nearest = np.argsort(np.round(away, 9), kind="stable")[:_NEAREST]
        tries = [spots[n] + np.array(shift) * unit for n in nearest for shift in _BESIDE]
        costs = [_STEP * float(away[n]) + 0.01 * k for n in nearest for k in range(len(_BESIDE))]
        gap, side = 0.55 * unit + words.high / 2, 0.65 * unit + words.wide / 2
        (left, top), (right, foot) = spots.min(axis=0), spots.max(axis=0)
        tries += [np.array([middle[0], top - gap]), np.array([middle[0], foot + gap])]
        tries += [np.array([right + side, middle[1]]), np.array([left - side, middle[1]])]
        costs += [0.35, 0.35, 0.4, 0.4]
        for n in nearest[:_AROUND]:
            tries += [spots[n] + np.array(shift) for shift in ((0, gap), (0, -gap), (side, 0), (-side, 0))]
            costs += [0.3 + _STEP * float(away[n] - away[nearest[0]])] * 4
        return self.claim(words, tries, costs)

    def at_entry(self, words: Words, spots: Sequence[Floats], ways: Sequence[Floats]) -> Floats:
        """Return the middle of the name of an entry: beside, before or behind one of its arrows."""
        tries, costs, middle = [], [], (len(spots) - 1) / 2
        reach = np.array([words.wide, words.high]) / 2
        for n, (at, way) in enumerate(zip(spots, ways, strict=True)):
            across = np.array([-way[1], way[0]])
            for direction, gap, cost in ((way, 0.3, 0.0), (across, 0.3, 0.05), (-across, 0.3, 0.05), (way, 0.9, 0.2)):
                shift = direction * (gap * self.unit + float(np.abs(direction) @ reach))
                tries.append(at + shift)
                costs.append(cost + 0.04 * abs(n - middle))
        return self.claim(words, tries, costs)
