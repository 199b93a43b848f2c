"""How something large lies on sheets of paper: windows that overlap, as few as can be, all alike."""

from __future__ import annotations

import math
from typing import NamedTuple

from studio.draw.press.options import PrintOptions
from studio.draw.press.plate import Box

__all__ = ["Sheet", "Tiling", "page_size", "tile"]


class Sheet(NamedTuple):
    """A sheet of a tiling.

    Parameters
    ----------
    name : str
        A letter for its row and a number for its column, such as ``B3``.
    row, column : int
        From 0.
    window : (left, top, right, bottom)
        What of the whole it shows, in millimetres.
    """

    name: str
    row: int
    column: int
    window: Box


class Tiling(NamedTuple):
    """Sheets of one size.

    Parameters
    ----------
    wide, high : float
        Of a page.
    columns, rows : int
    sheets : tuple of Sheet
        Row by row.
    overlap : float
        What neighbours share.
    """

    wide: float
    high: float
    columns: int
    rows: int
    sheets: tuple[Sheet, ...]
    overlap: float

    @property
    def lying(self) -> bool:
        """Whether the pages are wider than high."""
        return self.wide > self.high

    def place(self, sheet: Sheet) -> tuple[float, float]:
        """Return where the upper left corner of a sheet's window lies on its page: in the middle of it."""
        x0, y0, x1, y1 = sheet.window
        return (self.wide - (x1 - x0)) / 2, (self.high - (y1 - y0)) / 2

    def neighbour(self, sheet: Sheet, right: int, down: int) -> Sheet | None:
        """Return the sheet so many columns and rows away."""
        row, column = sheet.row + down, sheet.column + right
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self.sheets[row * self.columns + column]
        return None


def tile(box: Box, options: PrintOptions) -> Tiling:
    """Lay a rectangle on sheets.

    Parameters
    ----------
    box : (left, top, right, bottom)
        In millimetres.
    options : PrintOptions
        Paper, margin, overlap, orientation.

    Returns
    -------
    Tiling

    Examples
    --------
    >>> found = tile((0, 0, 300, 200), PrintOptions(paper="A4", margin=10, overlap=8))
    >>> found.columns, found.rows, found.lying
    (2, 1, False)
    >>> [sheet.window for sheet in found.sheets]
    [(0.0, 0.0, 154.0, 200.0), (146.0, 0.0, 300.0, 200.0)]
    """
    wide, high = box[2] - box[0], box[3] - box[1]
    size = options.size()
    if size is None:
        page = wide + 2 * options.margin, high + 2 * options.margin
        return Tiling(*page, 1, 1, (Sheet("A1", 0, 0, box),), 0.0)
    found = [_laid(box, page, options) for page in _turned(size, options.orientation)]
    # Of two ways with as many sheets the one that leaves less paper blank on the fullest side.
    return min(
        found, key=lambda one: (len(one.sheets), abs(wide / high - one.wide * one.columns / one.high / one.rows))
    )


def page_size(options: PrintOptions) -> tuple[float, float]:
    """Return width and height of an upright page for what is no map; A4 where the map's has no size of its own."""
    size = options.size() or (210.0, 297.0)
    return min(size), max(size)


def _turned(size: tuple[float, float], orientation: str) -> list[tuple[float, float]]:
    upright, lying = (min(size), max(size)), (max(size), min(size))
    if orientation == "auto":
        return [upright, lying]
    return [upright if orientation == "portrait" else lying]


def _laid(box: Box, page: tuple[float, float], options: PrintOptions) -> Tiling:
    spans = []
    for low, high, room in ((box[0], box[2], page[0]), (box[1], box[3], page[1])):
        spans.append(_spans(low, high, room - 2 * options.margin, options.overlap))
    across, down = spans
    sheets = tuple(
        Sheet(f"{_letters(row)}{column + 1}", row, column, (x0, y0, x1, y1))
        for row, (y0, y1) in enumerate(down)
        for column, (x0, x1) in enumerate(across)
    )
    return Tiling(*page, len(across), len(down), sheets, options.overlap)


def _spans(low: float, high: float, room: float, overlap: float) -> list[tuple[float, float]]:
    """Return stretches of one length, no longer than `room`, that overlap and cover all from low to high."""
    length = high - low
    # A hair of a stretch would be a sheet of its own.
    count = 1 if length <= room + 1e-6 else math.ceil((length - overlap - 1e-6) / (room - overlap))
    each = (length + (count - 1) * overlap) / count
    starts = [low + n * (each - overlap) for n in range(count)]
    return [(float(start), float(start + each)) for start in starts]


def _letters(number: int) -> str:
    """Return A to Z, then AA, AB and so on, for 0, 1 and so on.

    Examples
    --------
    >>> [_letters(n) for n in (0, 25, 26, 27, 702)]
    ['A', 'Z', 'AA', 'AB', 'AAA']
    """
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(65 + rest) + text
    return text
