"""A pen for what is on a page beside the map: lines, boxes, discs and texts in millimetres."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from studio.draw.press.fonts import font_file, text_width, wrapped
from studio.draw.press.plate import Clip, Look, PathMark, Plate, TextMark, codes_of

__all__ = ["INK", "Pen"]

INK = "#1d1a17"
_SANS, _SERIF = ("DejaVu Sans",), ("DejaVu Serif", "DejaVu Sans")

Anchor = Literal["left", "middle", "right"]


class Pen:
    """Writes on a plate.

    Parameters
    ----------
    plate : Plate, optional
    layer : str
    """

    def __init__(self, plate: Plate | None = None, layer: str = "press") -> None:
        self.plate, self.layer = plate or Plate(), layer

    def line(
        self, *points: tuple[float, float], width: float = 0.15, color: str = INK, dash: tuple[float, ...] = ()
    ) -> None:
        """Draw a polyline."""
        codes = [1, *[2] * (len(points) - 1)]
        look = Look(stroke=color, width=width, dash=dash)
        self.plate.add(self.layer, PathMark(np.asarray(points, dtype=float), codes, look))

    def shape(
        self, *points: tuple[float, float], fill: str = "", color: str = "", width: float = 0.15, alpha: float = 1.0
    ) -> None:
        """Draw a polygon."""
        corners = np.asarray([*points, points[0]], dtype=float)
        look = Look(fill, color, width if color else 0.0, fill_alpha=alpha)
        self.plate.add(self.layer, PathMark(corners, [1, *[2] * (len(points) - 1), 79], look))

    def box(
        self,
        x: float,
        y: float,
        wide: float,
        high: float,
        *,
        fill: str = "",
        color: str = "",
        width: float = 0.15,
        alpha: float = 1.0,
    ) -> None:
        """Draw a rectangle."""
        corners = ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high))
        self.shape(*corners, fill=fill, color=color, width=width, alpha=alpha)

    def disc(self, x: float, y: float, radius: float, *, fill: str = "", color: str = "", width: float = 0.15) -> None:
        """Draw a circle."""
        from matplotlib.path import Path

        circle = Path.unit_circle()
        points = np.asarray(circle.vertices) * radius + [x, y]
        self.plate.add(self.layer, PathMark(points, codes_of(circle), Look(fill, color, width if color else 0.0)))

    def path(self, path: Any, *, fill: str = "", color: str = "", width: float = 0.15) -> None:
        """Draw a path of matplotlib whose vertices are millimetres on the page."""
        points = np.asarray(path.vertices, dtype=float)
        self.plate.add(self.layer, PathMark(points, codes_of(path), Look(fill, color, width if color else 0.0)))

    def hatch(self, box: tuple[float, float, float, float], gap: float, color: str, *, rising: bool) -> None:
        """Hatch a rectangle (x, y, wide, high)."""
        x, y, wide, high = box
        corners = np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high], [x, y]])
        clip = Clip(corners, [1, 2, 2, 2, 79])
        for n in range(int((wide + high) / gap) + 1):
            left = x - high + n * gap
            ends = [[left, y + high], [left + high, y]] if rising else [[left, y], [left + high, y + high]]
            self.plate.add(self.layer, PathMark(np.asarray(ends), [1, 2], Look(stroke=color, width=0.4), clip))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        anchor: Anchor = "left",
        bold: bool = False,
        italic: bool = False,
        serif: bool = False,
        color: str = INK,
        angle: float = 0.0,
    ) -> float:
        """Write a text on a base line; return its width."""
        if not text:
            return 0.0
        font = self.font(bold=bold, italic=italic, serif=serif)
        wide = text_width(text, font) * size
        back = {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor] * wide
        turn = np.radians(angle)
        at = x - back * float(np.cos(turn)), y + back * float(np.sin(turn))
        self.plate.add(self.layer, TextMark(text, font, *at, size, wide, Look(color), angle))
        return wide

    def lines(self, x: float, y: float, text: str, size: float, wide: float, **how: Any) -> float:
        """Write a text in lines of a width, the first base line at `y`; return where the next one would be."""
        font = self.font(bold=how.get("bold", False), italic=how.get("italic", False), serif=how.get("serif", False))
        for line in wrapped(text, font, size, wide):
            self.text(x, y, line, size, **how)
            y += 1.35 * size
        return y

    def font(self, *, bold: bool = False, italic: bool = False, serif: bool = False) -> str:
        """Return the file of a font."""
        return font_file(_SERIF if serif else _SANS, bold=bold, italic=italic)
