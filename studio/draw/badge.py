"""Numbered discs: the same number on the map, in the side view and in the list of reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.draw.parts import Verdict
from studio.draw.recording import marked
from studio.draw.style import toned

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["badge"]


def badge(ax: Axes, at: tuple[float, float], text: str, look: Verdict, size: float) -> None:
    """Draw a numbered disc, square for what blocks, so that colour is never the only sign."""
    shape = "square" if look.sign == "✕" else "circle"
    hollow = look.sign == "○"
    drawn = ax.text(
        *at,
        text,
        fontsize=size,
        fontweight="bold",
        color=toned(look.color, -280) if hollow else "#ffffff",
        ha="center",
        va="center",
        bbox={
            "boxstyle": f"{shape},pad=0.24",
            "fc": "#ffffff" if hollow else look.color,
            "ec": look.color if hollow else "#ffffff",
            "lw": 1.0,
        },
        zorder=36,
    )
    marked(drawn)
