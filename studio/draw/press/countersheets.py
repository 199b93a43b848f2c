"""Sheets of counters to cut out: fronts, and behind each its backs mirrored, for printing on both sides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studio.draw.press.faces import NOMINAL, CounterSet, Cut, scaled_width
from studio.draw.press.page import Page, Placed
from studio.draw.press.paper import page_size
from studio.draw.press.pen import Pen
from studio.draw.press.source import Source

__all__ = ["counter_pages"]

_GREY = "#6b665f"
_HEAD = 9.0  # millimetres above the counters
_TICK = (1.0, 5.0)  # of a cut line: from the counters, and its end


def counter_pages(source: Source) -> Iterator[Page]:
    """Yield the sheets of the counters of a scenario: fronts and backs in turn.

    Parameters
    ----------
    source : Source
        Of a scenario.
    """
    found = CounterSet(source)
    cuts = [*found.units(), *found.markers()]
    grid = _Grid(source)
    for n in range(0, len(cuts), grid.most):
        part = cuts[n : n + grid.most]
        sheet = n // grid.most + 1
        many = -(-len(cuts) // grid.most)
        yield grid.page(part, f"Counters, sheet {sheet} of {many}, front", back=False)
        yield grid.page(part, f"Counters, sheet {sheet} of {many}, back", back=True)


class _Grid:
    """How counters lie on a page: in the middle of it, so that fronts and backs meet."""

    def __init__(self, source: Source) -> None:
        self.source, self.size = source, scaled_width(source)
        self.wide, self.high = page_size(source.options)
        side = max(source.options.margin, _TICK[1] + 3)
        self.columns = max(1, int((self.wide - 2 * side) / self.size))
        self.rows = max(1, int((self.high - 2 * (side + _HEAD)) / self.size))
        self.left = (self.wide - self.columns * self.size) / 2
        self.top = (self.high - self.rows * self.size) / 2

    @property
    def most(self) -> int:
        """Counters of a page."""
        return self.columns * self.rows

    def page(self, cuts: Sequence[Cut], title: str, *, back: bool) -> Page:
        """Return a page of fronts, or of the backs of the same counters."""
        rows = -(-len(cuts) // self.columns)
        pen = Pen()
        self._words(pen, title, rows)
        placed = []
        scale = self.size / NOMINAL
        for n, cut in enumerate(cuts):
            row, column = divmod(n, self.columns)
            x, y = self._at(row, column, back=back)
            placed.append(Placed(cut.back if back else cut.front, x, y, scale))
        lines = Pen()
        self._lines(lines, rows, back=back)
        return Page(self.wide, self.high, (Placed(pen.plate), *placed, Placed(lines.plate)), title)

    def _at(self, row: int, column: int, *, back: bool) -> tuple[float, float]:
        """Return the corner of a place; on the back it is mirrored as the printer turns the paper."""
        if back and self.source.options.flip == "long":
            column = self.columns - 1 - column
        elif back:
            row = self.rows - 1 - row
        return self.left + column * self.size, self.top + row * self.size

    def _words(self, pen: Pen, title: str, rows: int) -> None:
        edge = self.source.options.flip
        pen.text(self.left, self.top - 7.5, f"{self.source.title} – {title}", 3.0, bold=True)
        how = f"counters {self.size:g} mm wide; print at 100 %, on both sides, turned over the {edge} edge"
        pen.text(self.left, self.high - self.top + 7.5, how, 2.5, color=_GREY)

    def _lines(self, pen: Pen, rows: int, *, back: bool) -> None:
        """Draw where to cut: hairlines between the counters, ticks around them."""
        first = self.rows - rows if back and self.source.options.flip == "short" else 0
        x0, x1 = self.left, self.left + self.columns * self.size
        y0, y1 = self.top + first * self.size, self.top + (first + rows) * self.size
        near, far = _TICK
        for n in range(self.columns + 1):
            x = x0 + n * self.size
            pen.line((x, y0), (x, y1), width=0.05, color="#9a948a")
            for y, way in ((y0, -1), (y1, 1)):
                pen.line((x, y + way * near), (x, y + way * far), width=0.12)
        for n in range(rows + 1):
            y = y0 + n * self.size
            pen.line((x0, y), (x1, y), width=0.05, color="#9a948a")
            for x, way in ((x0, -1), (x1, 1)):
                pen.line((x + way * near, y), (x + way * far, y), width=0.12)
