"""Where and how large a picture draws: what the painters of things on the ground have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

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
    """

    ax: Axes
    style: Style
    unit: float
    px: float
    scale: float

    def width(self, thousandths: float, least: float = 0.6) -> float:
        """Return the points of a line's width."""
        return max(least, thousandths * self.scale)

    def dash(self, lengths: tuple[int, ...], width: float) -> object:
        """Return the line style of dashes; those of a collection are multiples of its line width, in points."""
        return [(0, [length * self.scale / width for length in lengths])] if lengths else "solid"
