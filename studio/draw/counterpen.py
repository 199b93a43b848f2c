"""What counters are drawn with: paths and words on a field of 1000 by 1000, for matplotlib and for a canvas alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from studio.draw.subject import Floats

__all__ = ["FIELD", "CounterPen", "Face", "Mark", "Word", "vertices_of"]

FIELD = 1000
"""Width and height of the field that a counter is drawn on; x right, y down."""

_ROUND = 0.5523
"""How far the handles of a curve reach that stands for a quarter of a circle."""

Pair = tuple[float, float]


class Mark(NamedTuple):
    """A path: M, L, C and Z with whole numbers, filled, drawn along, or both."""

    path: str
    fill: str = ""
    stroke: str = ""
    width: int = 0
    dash: int = 0


class Word(NamedTuple):
    """A text around a point; size is that of 1 em."""

    text: str
    x: int
    y: int
    size: int
    color: str
    bold: bool = True


class Face(NamedTuple):
    """What is on a counter, from below to above: its marks, then its words."""

    marks: tuple[Mark, ...]
    words: tuple[Word, ...]

    def to_list(self) -> list[list[list[Any]]]:
        """Return plain lists for the browser."""
        return [[list(mark) for mark in self.marks], [list(word) for word in self.words]]


class CounterPen:
    """Gathers the marks of a counter.

    Parameters
    ----------
    ink : str
        Colour of lines.
    """

    def __init__(self, ink: str = "#1d1a17") -> None:
        self.ink = ink
        self.marks: list[Mark] = []
        self.words: list[Word] = []

    def face(self) -> Face:
        """Return what was drawn."""
        return Face(tuple(self.marks), tuple(self.words))

    def path(self, path: str, fill: str = "", stroke: str = "", width: int = 0, dash: int = 0) -> None:
        """Draw a path."""
        self.marks.append(Mark(path, fill, stroke, width if stroke else 0, dash))

    def line(self, *points: Pair, width: int = 30, stroke: str = "") -> None:
        """Draw a polyline."""
        self.path(_poly(points), stroke=stroke or self.ink, width=width)

    def shape(self, *points: Pair, fill: str = "", stroke: str = "", width: int = 0) -> None:
        """Draw a polygon."""
        self.path(_poly(points) + "Z", fill, stroke, width)

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        *,
        round: float = 0,
        fill: str = "",
        stroke: str = "",
        width: int = 0,
        dash: int = 0,
    ) -> None:
        """Draw a rectangle, with rounded corners where `round` is not 0."""
        self.path(_box(x, y, wide, high, round), fill, stroke, width, dash)

    def disc(self, x: float, y: float, radius: float, *, fill: str = "", stroke: str = "", width: int = 0) -> None:
        """Draw a circle."""
        self.path(_box(x - radius, y - radius, 2 * radius, 2 * radius, radius), fill, stroke, width)

    def word(self, text: str, x: float, y: float, size: float, color: str = "", *, bold: bool = True) -> None:
        """Write a text around a point."""
        if text:
            self.words.append(Word(text, int(x), int(y), int(size), color or self.ink, bold))


def _poly(points: Iterable[Pair]) -> str:
    return "".join(f"{'L' if n else 'M'}{x:.0f} {y:.0f}" for n, (x, y) in enumerate(points))


def _box(x: float, y: float, wide: float, high: float, round: float) -> str:
    right, low = x + wide, y + high
    if not round:
        return _poly([(x, y), (right, y), (right, low), (x, low)]) + "Z"
    k = round * (1 - _ROUND)
    parts: Sequence[tuple[str, tuple[Pair, ...]]] = (
        ("M", ((x + round, y),)),
        ("L", ((right - round, y),)),
        ("C", ((right - k, y), (right, y + k), (right, y + round))),
        ("L", ((right, low - round),)),
        ("C", ((right, low - k), (right - k, low), (right - round, low))),
        ("L", ((x + round, low),)),
        ("C", ((x + k, low), (x, low - k), (x, low - round))),
        ("L", ((x, y + round),)),
        ("C", ((x, y + k), (x + k, y), (x + round, y))),
    )
    return "".join(op + " ".join(f"{a:.0f} {b:.0f}" for a, b in points) for op, points in parts) + "Z"


_CODES = {"M": 1, "L": 2, "C": 4}


def vertices_of(path: str) -> tuple[Floats, list[int]]:
    """Return the vertices of a path and their codes for matplotlib.

    Examples
    --------
    >>> points, codes = vertices_of("M0 0L10 0Z")
    >>> points.tolist(), codes
    ([[0.0, 0.0], [10.0, 0.0], [0.0, 0.0]], [1, 2, 79])
    """
    points: list[tuple[float, float]] = []
    codes: list[int] = []
    start = (0.0, 0.0)
    for part in path.replace("M", "|M").replace("L", "|L").replace("C", "|C").replace("Z", "|Z").split("|")[1:]:
        op, numbers = part[0], [float(text) for text in part[1:].split()]
        found = list(zip(numbers[::2], numbers[1::2], strict=True))
        if op == "M":
            start = found[0]
        points += found or [start]
        codes += [_CODES[op]] * len(found) if found else [79]
    return np.asarray(points, dtype=float), codes
