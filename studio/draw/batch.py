"""Many small signs of one colour, drawn by matplotlib as one thing: some hundred boxes and letters in a few passes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.path import Path

__all__ = ["Batch", "Ink"]


class Ink(NamedTuple):
    """How a path is drawn; widths in points."""

    zorder: float
    face: str = "none"
    edge: str = "none"
    width: float = 0.0
    alpha: float = 1.0
    join: Any = "miter"
    cap: Any = "butt"
    dash: Any = "solid"


class Batch:
    """Paths waiting to be drawn, by their ink."""

    def __init__(self) -> None:
        self._paths: dict[str, tuple[Ink, list[Path]]] = {}

    def add(self, path: Path, ink: Ink) -> None:
        """Keep a path in map units."""
        self._paths.setdefault(repr(ink), (ink, []))[1].append(path)

    def flush(self, ax: Axes) -> None:
        """Draw what was kept, in the order of the zorders and of what came first."""
        for ink, paths in self._paths.values():
            put(ax, paths, ink)
        self._paths.clear()


def put(ax: Axes, paths: list[Path], ink: Ink) -> None:
    """Draw paths in map units with one ink."""
    from matplotlib.collections import PathCollection

    ax.add_collection(
        PathCollection(
            paths,
            facecolors=ink.face,
            edgecolors=ink.edge,
            linewidths=ink.width,
            linestyles=ink.dash,
            alpha=ink.alpha,
            joinstyle=ink.join,
            capstyle=ink.cap,
            zorder=ink.zorder,
        ),
        autolim=False,
    )
