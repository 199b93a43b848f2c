"""The legend on paper: a sample of each terrain and line of a map, and of each sign of a scenario, in columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from studio.draw.press.page import Placed
from studio.draw.press.pen import INK, Pen
from studio.draw.press.plate import Plate
from studio.draw.press.source import ShownScenario, Source
from studio.draw.press.tones import tone_of

__all__ = ["LegendItem", "lay_legend", "legend_items"]

_HIGH = 9.5  # millimetres of the sample of a terrain
_WIDE = 1.1547
_PX = 60.0  # of a hex in a sample
_SIZE = 2.9


class LegendItem(NamedTuple):
    """A sample.

    Parameters
    ----------
    title : str
    high : float
        In millimetres.
    plate : Plate
        In millimetres from its upper left corner.
    """

    title: str
    high: float
    plate: Plate


def legend_items(source: Source) -> list[LegendItem]:
    """Return the samples of a map, and of a scenario those of its signs."""
    from studio.draw.legend import legend_parts, swatch_of
    from studio.draw.picture import Picture
    from studio.draw.press.source import plain_axes

    picture = Picture(source.subject, source.style, ax=plain_axes((0, 0, 4, 4), _PX), sites=source.sites)
    titles, lines = legend_parts(picture)
    found = [
        LegendItem(title, _HIGH, _terrain(source, swatch_of(source.style, name))) for name, title in titles.items()
    ]
    found += [LegendItem(title, _HIGH / 2, _line(source, paint)) for title, paint in lines]
    return found + (_signs(source) if source.is_scenario else [])


def _terrain(source: Source, swatch: Any) -> Plate:
    from studio.draw.picture import Picture
    from studio.draw.press.recorder import record
    from studio.draw.press.source import plain_axes

    x, y = swatch.grid.to_map(*swatch.grid.centre(4))
    part = (x - _WIDE / 2, y - 0.5, x + _WIDE / 2, y + 0.5)
    ax = plain_axes(part, _PX)
    Picture(swatch, source.style, ax=ax, extent=part).ground(labels=False, frame=False)
    pen = Pen(Plate(shared=False))
    record(ax, pen.plate, mm=_HIGH / _PX, inks=source.options.inks)
    pen.box(0, 0, _HIGH * _WIDE, _HIGH, color=INK, width=0.12)
    return pen.plate


def _line(source: Source, paint: Callable[[Any, float], None]) -> Plate:
    from studio.draw.press.recorder import record
    from studio.draw.press.source import plain_axes
    from studio.draw.said import keep_words

    ax = plain_axes((0, 0, _WIDE, 0.5), _PX)
    ax.set_xlim(0, _WIDE)
    ax.set_ylim(0.5, 0)
    ax.axis("off")
    with keep_words():
        paint(ax, _PX * 72 / 100 / 1000)
    return record(ax, Plate(), mm=_HIGH / _PX, inks=source.options.inks, layer="signs")


def _signs(source: Source) -> list[LegendItem]:
    """Return the samples of the signs of a scenario."""
    from studio.draw.scenario_picture import scenario_entries

    shown: ShownScenario = source.shown
    units = source.options.units if source.options.units is not None else not source.options.counters
    entries = scenario_entries(shown.document, units=units, areas=True, objectives=True, notes=True)
    return [LegendItem(entry.word, _HIGH / 2, _entry(entry, source)) for entry in entries]


def _entry(entry: Any, source: Source) -> Plate:
    pen, tone = Pen(layer="signs"), tone_of(source.options.inks)
    color = tone(entry.color, "signs", True)
    wide, high = _HIGH * _WIDE, _HIGH / 2
    if entry.mark:
        _mark(pen, entry.mark, wide / 2, high / 2, high * 0.8, color)
    else:
        pen.box(1.5, 0.2, wide - 3, high - 0.4, fill="" if entry.hatch else color, alpha=entry.alpha)
        if entry.hatch:
            pen.box(1.5, 0.2, wide - 3, high - 0.4, fill=color, alpha=0.12)
            for way in dict.fromkeys("/\\" if entry.hatch[:1] == "x" else entry.hatch[:1]):
                pen.hatch((1.5, 0.2, wide - 3, high - 0.4), 1.5, color, rising=way == "/")
        pen.box(1.5, 0.2, wide - 3, high - 0.4, color=INK, width=0.18)
    if entry.sign:
        ink = tone(entry.ink, "signs", True)
        pen.text(wide / 2, high / 2 + 0.36 * _SIZE, entry.sign, _SIZE, anchor="middle", bold=True, color=ink)
    return pen.plate


def _mark(pen: Pen, mark: str, x: float, y: float, size: float, color: str) -> None:
    """Draw a marker of matplotlib around a point."""
    from matplotlib.markers import MarkerStyle
    from matplotlib.transforms import Affine2D

    style = MarkerStyle(mark)
    to_page = Affine2D().scale(size, -size).translate(x, y)
    filled = style.is_filled()
    path = to_page.transform_path(style.get_transform().transform_path(style.get_path()))
    pen.path(path, fill=color if filled else "", color=INK if filled else color, width=0.2 if filled else 0.9)


def lay_legend(
    items: list[LegendItem], box: tuple[float, float, float, float], *, column: float = 58.0
) -> tuple[list[Placed], list[LegendItem], float]:
    """Lay samples in columns within a box (left, top, right, bottom).

    Parameters
    ----------
    items : list of LegendItem
    box : (left, top, right, bottom)
        In millimetres on the page.
    column : float
        Width of a column, at least.

    Returns
    -------
    (placed, rest, bottom)
        What was laid, what had no room, and where the lowest ends.
    """
    columns = max(1, int((box[2] - box[0]) / column))
    wide = (box[2] - box[0]) / columns
    blocks = [_block(item, wide - 4) for item in items]
    count, room = len(blocks), box[3] - box[1]
    # Columns of one height, as low as all of them fit, or as high as the page.
    height = min(room, max(sum(high for _, high in blocks) / columns, max((high for _, high in blocks), default=0)))
    while height < room and _filled(blocks, columns, height) < count:
        height = min(room, height + 2)
    pens: list[Placed] = []
    x, y, n, lowest = box[0], box[1], 0, box[1]
    for at in range(columns):
        y = box[1]
        while n < count and y + blocks[n][1] <= box[1] + height + 1e-6:
            pens += [Placed(one.plate, x + at * wide + one.x, y + one.y) for one in blocks[n][0]]
            y += blocks[n][1]
            n += 1
        lowest = max(lowest, y)
    return pens, items[n:], lowest


def _filled(blocks: list[tuple[list[Placed], float]], columns: int, height: float) -> int:
    """Return how many blocks go into columns of a height."""
    n = 0
    for _ in range(columns):
        y = 0.0
        while n < len(blocks) and y + blocks[n][1] <= height + 1e-6:
            y += blocks[n][1]
            n += 1
    return n


def _block(item: LegendItem, wide: float) -> tuple[list[Placed], float]:
    """Return a sample with its title beside it, and the height that they take."""
    pen, left = Pen(), _HIGH * _WIDE + 2.5
    from studio.draw.press.fonts import wrapped

    lines = wrapped(item.title, pen.font(), _SIZE, wide - left)
    high = max(item.high, 1.3 * _SIZE * len(lines))
    first = high / 2 + 0.36 * _SIZE - 0.65 * _SIZE * (len(lines) - 1)
    for n, line in enumerate(lines):
        pen.text(left, first + 1.3 * n * _SIZE, line, _SIZE)
    return [Placed(item.plate, 0, (high - item.high) / 2), Placed(pen.plate)], high + 1.8
