"""Plates: what is printed, as paths, texts and pictures in millimetres from an upper left corner, layer by layer."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.draw.subject import Floats

__all__ = ["Box", "Clip", "Look", "PathMark", "PictureMark", "Plate", "TextMark", "codes_of", "glyphs_of"]

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in millimetres."""


class Look(NamedTuple):
    """How a path or a text is inked; lengths in millimetres, colours as ``#rrggbb`` or "" for none."""

    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()
    offset: float = 0.0
    cap: str = "butt"
    join: str = "miter"
    fill_alpha: float = 1.0
    stroke_alpha: float = 1.0


class Clip:
    """A region that marks are cut to; one object for all of them."""

    def __init__(self, points: Floats, codes: Sequence[int]) -> None:
        self.points, self.codes = points, codes
        low, high = points.min(axis=0), points.max(axis=0)
        self.box: Box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


class PathMark(NamedTuple):
    """A path: vertices of shape (n, 2), and codes as matplotlib has them."""

    points: Floats
    codes: Sequence[int]
    look: Look
    clip: Clip | None = None

    @property
    def box(self) -> Box:
        """What it may reach, its line with it."""
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        # A mitre reaches farther than half of the width.
        grow = (2.0 if self.look.join == "miter" else 0.5) * self.look.width if self.look.stroke else 0.0
        return float(low[0]) - grow, float(low[1]) - grow, float(high[0]) + grow, float(high[1]) + grow


class TextMark(NamedTuple):
    """A text in one line: where the pen starts on the base line, and its size of 1 em.

    Parameters
    ----------
    text : str
    font : str
        Path of the font's file.
    x, y, size, width : float
    look : Look
    angle : float
        Counter-clockwise, in degrees.
    halo : bool
        It is what surrounds the letters of another one.
    clip : Clip, optional
    """

    text: str
    font: str
    x: float
    y: float
    size: float
    width: float
    look: Look
    angle: float = 0.0
    halo: bool = False
    clip: Clip | None = None

    @property
    def box(self) -> Box:
        """What it may reach."""
        corners = np.array([[0, -1.1], [1, -1.1], [1, 0.35], [0, 0.35]]) * [self.width, self.size]
        points = _turned(corners, self.angle) + np.array([self.x, self.y])
        low, high = points.min(axis=0) - self.look.width, points.max(axis=0) + self.look.width
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def outline(self) -> PathMark | None:
        """Return its letters as a path, None where there is nothing to see."""
        points, codes = glyphs_of(self.text, self.font)
        if not len(points):
            return None
        placed = _turned(points * [self.size, -self.size], self.angle) + np.array([self.x, self.y])
        return PathMark(placed, codes, self.look, self.clip)


class PictureMark(NamedTuple):
    """A picture: pixels of shape (high, wide, 3 or 4), uint8, and where they lie.

    Parameters
    ----------
    pixels : array
    matrix : (a, b, c, d, e, f)
        From the share of its width and height, y down, to millimetres: x = a u + c v + e, y = b u + d v + f.
    smooth : bool
        Whether its pixels are samples of something that has none.
    clip : Clip, optional
    """

    pixels: NDArray[np.uint8]
    matrix: tuple[float, float, float, float, float, float]
    smooth: bool = True
    clip: Clip | None = None

    @property
    def box(self) -> Box:
        """What it covers."""
        a, b, c, d, e, f = self.matrix
        xs, ys = [e, e + a, e + c, e + a + c], [f, f + b, f + d, f + b + d]
        return min(xs), min(ys), max(xs), max(ys)


Mark = PathMark | TextMark | PictureMark


class Plate:
    """Marks in the order in which they are printed, by layer.

    Attributes
    ----------
    marks : list of (str, mark)
        Each with the id of its layer.
    shared : bool
        It is printed in many places, and kept once in a file.
    """

    def __init__(self, *, shared: bool = False) -> None:
        self.marks: list[tuple[str, Mark]] = []
        self.shared = shared
        self.texts: dict[int, Any] = {}  # what a writer made of a mark, by its place
        self._boxes: Floats | None = None

    def add(self, layer: str, mark: Mark) -> None:
        """Print one more mark, above the others."""
        self.marks.append((layer, mark))
        self._boxes = None

    @property
    def boxes(self) -> Floats:
        """What each mark may reach; shape (n, 4)."""
        if self._boxes is None or len(self._boxes) != len(self.marks):
            found = [_cut(mark.box, mark.clip) for _, mark in self.marks]
            self._boxes = np.asarray(found, dtype=float).reshape(-1, 4)
        return self._boxes

    def within(self, window: Box | None) -> Iterator[tuple[int, str, Mark]]:
        """Yield the marks that a window may show, each with its place and its layer."""
        chosen: Sequence[int] = range(len(self.marks))
        if window is not None:
            boxes = self.boxes
            seen = (boxes[:, 0] <= window[2]) & (boxes[:, 2] >= window[0])
            seen &= (boxes[:, 1] <= window[3]) & (boxes[:, 3] >= window[1])
            chosen = np.flatnonzero(seen).tolist()
        for n in chosen:
            layer, mark = self.marks[n]
            yield n, layer, mark

    def layers(self) -> list[str]:
        """Return the ids of its layers in the order in which they come."""
        return list(dict.fromkeys(layer for layer, _ in self.marks))


def _cut(box: Box, clip: Clip | None) -> Box:
    if clip is None:
        return box
    other = clip.box
    return max(box[0], other[0]), max(box[1], other[1]), min(box[2], other[2]), min(box[3], other[3])


def _turned(points: Floats, degrees: float) -> Floats:
    if not degrees:
        return points
    turn = np.radians(degrees)
    c, s = float(np.cos(turn)), float(np.sin(turn))
    return np.asarray(points @ np.array([[c, -s], [s, c]]))


@functools.lru_cache(maxsize=4096)
def glyphs_of(text: str, font: str) -> tuple[Floats, tuple[int, ...]]:
    """Return the outline of a text, 1 em high with y up and the pen's start at the origin: vertices and codes."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    vertices, codes = TextToPath().get_text_path(FontProperties(fname=font, size=100), text, ismath=False)
    return np.asarray(vertices, dtype=float).reshape(-1, 2) / 100, tuple(np.asarray(codes, dtype=int).tolist())


def codes_of(path: Any) -> list[int]:
    """Return the codes of a path of matplotlib, also of one that has none."""
    if path.codes is not None:
        return [int(code) for code in path.codes]
    return [1, *[2] * (len(path.vertices) - 1)]
