"""A contact sheet: every terrain of a game at three sizes, to look at and to compare with the rules' descriptions.

The sheet of Armageddon War in ``docs/look`` is made by::

    python -m studio.draw.contact armageddon_war docs/look/armageddon-war.png
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.draw.style import Style, load_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SIZES", "Sample", "contact_sheet", "sample"]

SIZES = (12, 40, 120)
"""Heights of a hex on the sheet, in pixels."""

_COLUMNS, _ROWS = 5, 4
_CLUSTER = ((1, 1), (2, 0), (2, 1), (2, 2), (3, 1))
_RUN = ((0, 1), (1, 1), (2, 2), (3, 1), (4, 1))


class _Labels(msgspec.Struct, frozen=True):
    """Labels of a sample: its cells' numbers."""

    def label(self, cell: int) -> str:
        return ""

    def cell(self, text: str) -> int:
        return int(text)


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A little map that shows one thing; what pictures need of a map (`studio.draw.subject.Subject`)."""

    grid: Any
    terrain: NDArray[Any]
    terrain_ids: Sequence[str]
    levels: NDArray[Any]
    sides: Mapping[tuple[int, int], Sequence[str]] = {}
    features: Mapping[str, Any] = {}
    labels: Any = _Labels()


def sample(style: Style, terrain: str, *, columns: int = _COLUMNS, rows: int = _ROWS) -> Sample:
    """Return a little map of one terrain amid clear ground, with its straight edges cut through the hexes."""
    from studio.draw.style import Channel
    from studio.grid import HexGrid

    ids = list(style.terrain)
    grid = HexGrid(columns=columns, rows=rows, half=("top", "bottom", "left", "right"))
    ground = ids.index("clear") if "clear" in ids else 0
    plane = np.full((rows, columns), ground, dtype=np.uint8)
    channel = any(isinstance(m, Channel) for m in style.look(terrain).marks)
    for column, row in _RUN if channel else _CLUSTER:
        plane[row, column] = ids.index(terrain)
    return Sample(grid=grid, terrain=plane, terrain_ids=ids, levels=np.zeros((rows, columns), dtype=np.int8))


def contact_sheet(ruleset_id: str, *, override: str | None = None) -> Figure:
    """Draw every terrain of a game's style at 12, 40 and 120 pixels a hex.

    Parameters
    ----------
    ruleset_id : str
    override : path, optional
        A designer's style file, as for `load_style`.

    Raises
    ------
    StyleError
        When there is no such style or it is not valid.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from studio.draw.picture import DPI, Picture

    style = load_style(ruleset_id, override)
    across, gap, head = 3, 18, 64
    widths = [round(s * (0.866 * (_COLUMNS - 1))) for s in SIZES]
    height = round(SIZES[-1] * (_ROWS - 0.5)) + 34
    block = sum(widths) + gap * 4
    names = list(style.terrain)
    lines = -(-len(names) // across)
    full = block * across + gap, head + lines * (height + gap)
    figure = Figure(figsize=(full[0] / DPI, full[1] / DPI), dpi=DPI, facecolor=style.lines.margin_color)
    FigureCanvasAgg(figure)
    ink = style.letters.name_ink
    figure.text(gap / full[0], 1 - 40 / full[1], f"{style.title} – terrain", fontsize=20, color=ink, fontfamily="serif")
    for n, name in enumerate(names):
        left, top = gap + (n % across) * block, head + (n // across) * (height + gap)
        title = f"{style.look(name).title}"
        figure.text(left / full[0], 1 - (top + 14) / full[1], title, fontsize=12, color=ink, weight="bold")
        for size, wide in reversed(list(zip(SIZES, widths, strict=True))):
            high = round(size * (_ROWS - 0.5))
            box = (left / full[0], 1 - (top + 24 + high) / full[1], wide / full[0], high / full[1])
            Picture(sample(style, name), style, ax=figure.add_axes(box)).ground(labels=False)
            left += wide + gap
    return figure


if __name__ == "__main__":
    from studio.draw.picture import save_picture

    save_picture(contact_sheet(sys.argv[1]), sys.argv[2])
