"""A contact sheet: every terrain of a game at three sizes and every drawn thing, to compare with the rules.

The sheets in ``docs/look`` are made so::

    python -m studio.draw.contact armageddon_war docs/look/armageddon-war.png
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.draw.canvas import Canvas
from studio.draw.shapes import looked_up
from studio.draw.style import Style, load_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["SIZES", "Sample", "contact_sheet", "sample"]

SIZES = (12, 40, 120)
"""Heights of a hex on the sheet, in pixels."""

_COLUMNS, _ROWS = 5, 3
_SWATCHES = 14  # of things to a line
_MIDDLE = (0.577, 0.25)
_CLUSTER = ((1, 0), (1, 1), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1))
_SPOTS = ((1, 0), (2, 1), (5, 2), (7, 1))
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
    from studio.draw.parts import Channel
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
    """Draw every terrain of a game's style at 12, 40 and 120 pixels a hex, and every other thing that it draws with.

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
    across, gap, head = 4, 16, 60
    widths = [round(s * (0.866 * (_COLUMNS - 1))) for s in SIZES]
    height = round(SIZES[-1] * (_ROWS - 0.5)) + 34
    block = sum(widths) + gap * 4
    names = list(style.terrain)
    scene = {"river", "clear"} <= set(names)
    lines = -(-len(names) // across) + (scene and len(names) % across == 0)
    things = _things(ruleset_id, style)
    below = head + lines * (height + gap)
    full = block * across + gap, below + 24 + 100 * -(-len(things) // _SWATCHES) + gap
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
            Picture(sample(style, name), style, ax=figure.add_axes(box)).ground(labels=False, frame=False)
            left += wide + gap
    if scene:
        line, place = divmod(len(names), across)
        _scene(figure, style, (gap + place * block, head + line * (height + gap)), full)
    _swatches(figure, style, things, below, full)
    return figure


def _swatches(
    figure: Figure, style: Style, things: list[tuple[str, Callable[[Canvas], None]]], top: int, full: tuple[int, int]
) -> None:
    """Draw the samples of what is no terrain, `_SWATCHES` to a line, from `top` pixels below the sheet's edge on."""
    from studio.draw.picture import DPI

    gap, size = 16, SIZES[-1]
    each = (full[0] - gap) // _SWATCHES
    for n, (title, paint) in enumerate(things):
        left, down = gap + (n % _SWATCHES) * each, top + 24 + 100 * (n // _SWATCHES)
        box = (left / full[0], 1 - (down + size / 2) / full[1], 1.1547 * size / full[0], size / 2 / full[1])
        axes = figure.add_axes(box)
        axes.set(xlim=(0, 1.1547), ylim=(0.5, 0), facecolor=style.ground, xticks=[], yticks=[])
        paint(Canvas(axes, style, 0.001, size, size * 72 / DPI / 1000))
        words, ink = textwrap.fill(title, 24), style.letters.name_ink
        figure.text(left / full[0], 1 - (down + 66) / full[1], words, fontsize=8.5, color=ink, va="top")


def _things(ruleset_id: str, style: Style) -> list[tuple[str, Callable[[Canvas], None]]]:
    """Return a title and a painter for each thing of a game that is no terrain."""
    from studio.draw.legend import painters
    from studio.draw.letters import draw_marker
    from studio.draw.lines import side_sample
    from studio.rules import get_ruleset

    rules = get_ruleset(ruleset_id)
    found: list[tuple[str, Callable[[Canvas], None]]] = []
    for name, side in rules.side_kinds.items():
        found.append((side.name, lambda c, n=name: side_sample(c.ax, style, n, c.scale)))  # type: ignore[misc]
    for kind, (table, paint) in painters(style).items():
        for name, type_ in rules.drawn_types(kind).items():
            if getattr(looked_up(table, name), "shape", "") == "none":
                continue
            found.append((type_.name, lambda c, n=name, p=paint: p(c, n)))  # type: ignore[misc]
    for name, marker in rules.marker_types.items():
        found.append((marker.name, lambda c, n=name: draw_marker(_smaller(c), n, _MIDDLE)))  # type: ignore[misc]
    return found


def _smaller(canvas: Canvas) -> Canvas:
    return canvas._replace(unit=canvas.unit * 0.72, scale=canvas.scale * 0.72)


def _scene(figure: Figure, style: Style, at: tuple[int, int], full: tuple[int, int]) -> None:
    """Draw what lies on the terrain: heights, roads with a bridge, hexside lines, a crest line, markers."""
    from studio.draw.picture import Picture

    columns, rows, size = 16, 3, SIZES[-1]
    ids = list(style.terrain)
    base = sample(style, "clear", columns=columns, rows=rows)
    cell = {(c, r): r * columns + c for c in range(columns) for r in range(rows)}
    for column, row in ((3, 0), (3, 1), (3, 2)):
        base.terrain[row, column] = ids.index("river")
    for column, row, level in (
        (9, 0, 1),
        (9, 1, 1),
        (10, 1, 2),
        (10, 0, 1),
        (11, 0, 1),
        (11, 1, 1),
        (10, 2, 1),
        (8, 1, 1),
    ):
        base.levels[row, column] = level
    paved = [cell[p] for p in ((0, 1), (1, 1), (2, 2), (3, 1), (4, 2), (5, 1), (6, 1), (7, 0))]
    track = [cell[p] for p in ((6, 1), (6, 2))]
    crest = [cell[p] for p in ((12, 1), (13, 1), (14, 2), (15, 1))]
    records = [
        _Record("road", path=paved, surface="paved"),
        _Record("road", path=track, surface="unpaved"),
        _Record("crest", path=crest),
        *(_Record("marker", type=kind, at=cell[at]) for kind, at in zip(sorted(style.markers), _SPOTS, strict=False)),
    ]
    pairs = {"fence": ((4, 0), (5, 0)), "wadi_end": ((7, 1), (7, 2)), "breached_fence": ((13, 0), (13, 1))}
    sides = {(min(cell[p], cell[q]), max(cell[p], cell[q])): (kind,) for kind, (p, q) in pairs.items()}
    shown = msgspec.structs.replace(base, sides=sides, features={str(i): r for i, r in enumerate(records)})
    wide, high = round(size * 0.866 * (columns - 1)), round(size * (rows - 0.5))
    # As much of it as the last line of the sheet has room for.
    wide = min(wide, full[0] - at[0] - 16)
    title = "Roads and bridge, markers, sides, heights and crest line"
    figure.text(
        at[0] / full[0], 1 - (at[1] + 14) / full[1], title, fontsize=12, color=style.letters.name_ink, weight="bold"
    )
    axes = figure.add_axes((at[0] / full[0], 1 - (at[1] + 24 + high) / full[1], wide / full[0], high / full[1]))
    x0, y0 = shown.grid.to_map(*shown.grid.frame[:2])
    part = (x0, y0, x0 + wide / size, y0 + high / size)
    Picture(shown, style, ax=axes, extent=part).ground(labels=False, frame=False)


class _Record:
    """A feature of a sample, whose labels are cells."""

    def __init__(self, kind: str, **values: Any) -> None:
        self.kind = kind
        self.__dict__.update(values)


def _shrink(path: str, style: Style) -> None:
    """Keep 256 colours, those of the markers and flat tints among them: a quarter of the bytes, for the repository."""
    from PIL import Image

    icons = [layer.fill for name in style.markers.values() for layer in style.glyphs[name] if layer.fill]
    kept = sorted({*icons, *(look.tint for look in style.terrain.values())})
    with Image.open(path) as opened:
        picture = opened.convert("RGB")
    plain = Image.Dither.NONE
    common = picture.quantize(256 - len(kept), method=Image.Quantize.MEDIANCUT, kmeans=4, dither=plain).getpalette()
    assert common is not None
    exact = [int(color[i : i + 2], 16) for color in kept for i in (1, 3, 5)]
    palette = Image.new("P", (1, 1))
    palette.putpalette(common[: 3 * (256 - len(kept))] + exact)
    picture.quantize(palette=palette, dither=plain).save(path, optimize=True)


if __name__ == "__main__":
    from studio.draw.picture import save_picture

    save_picture(contact_sheet(sys.argv[1]), sys.argv[2])
    _shrink(sys.argv[2], load_style(sys.argv[1]))
