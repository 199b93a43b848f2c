"""A legend: a sample hex of each terrain and of each line that a map holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.draw.picture import Picture

if TYPE_CHECKING:
    pass

__all__ = ["LEGEND_PX", "draw_legend"]

LEGEND_PX = 250


def draw_legend(picture: Picture) -> None:
    """Draw the legend in the room that a picture keeps to its right."""
