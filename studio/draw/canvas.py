"""Where and how large a picture draws: what the painters of things on the ground have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from studio.draw.batch import Batch, Ink, put
from studio.draw.recording import marked

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.draw.style import Style

__all__ = ["Canvas"]


class Canvas(NamedTuple):
    """Axes with their measures.

    Parameters
    ----------
    ax : Axes
    style : Style
    unit : float
        A thousandth of a hex's height, in map units.
    px : float
        Height of a hex in pixels.
    scale : float
        Points of line width a thousandth of a hex's height.
    batch : Batch, optional
        Keeps paths until it is flushed; they are drawn at once without.
    """

    ax: Axes
    style: Style
    unit: float
    px: float
    scale: float
    batch: Batch | None = None

    def put(self, path: Any, ink: Ink) -> None:
        """Draw a path in map units, now or with its batch."""
        marked(path)
        if self.batch is not None:
            self.batch.add(path, ink)
        else:
            put(self.ax, [path], ink)

    def disc(self, at: Any, radius: float, ink: Ink) -> None:
        """Draw a disc around a point in map units."""
        from matplotlib.path import Path

        circle = Path.unit_circle()
        self.put(Path(np.asarray(circle.vertices) * radius + np.asarray(at), circle.codes), ink)

    def shape(self, points: Any, ink: Ink, *, closed: bool = True) -> None:
        """Draw a polygon, or with `closed` off a polyline, by its corners in map units."""
        from matplotlib.path import Path

        corners: Sequence[Any] = [*points, points[0]] if closed else list(points)
        last = 79 if closed else 2
        self.put(Path(np.asarray(corners, dtype=float), [1, *[2] * (len(corners) - 2), last]), ink)

    def width(self, thousandths: float, least: float = 0.6) -> float:
        """Return the points of a line's width."""
        return max(least, thousandths * self.scale)

    def dash(self, lengths: tuple[int, ...], width: float) -> object:
        """Return the line style of dashes; those of a collection are multiples of its line width, in points."""
        return [(0, [length * self.scale / width for length in lengths])] if lengths else "solid"
