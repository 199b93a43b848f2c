"""Cards beside the map: the turn track, and for each side who sets up or enters where and with what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from studio.draw.press.page import Page, Placed
from studio.draw.press.paper import page_size
from studio.draw.press.pen import INK, Pen
from studio.draw.press.plate import Plate
from studio.draw.press.source import Source
from studio.draw.press.tones import tone_of

__all__ = ["card_pages"]

_GREY = "#6b665f"
_GAP = 7.0  # millimetres between columns
_BODY, _NAME, _SIDE = 2.75, 3.1, 3.9
_TRACK_PX = 150.0
_SMALLER = (1.0, 0.94, 0.88)  # sizes of the letters, of which one that saves a page is taken


class _Line(NamedTuple):
    """A line of the card."""

    text: str
    size: float
    indent: float = 0.0
    bold: bool = False
    color: str = INK
    bar: str = ""
    before: float = 0.0
    keep: int = 0  # so many lines stay together with it


def card_pages(source: Source) -> Iterator[Page]:
    """Yield the pages of the turn track and of the set-up.

    Parameters
    ----------
    source : Source
        Of a scenario.
    """
    wide, high = page_size(source.options)
    side = max(15.0, source.options.margin)
    columns = _Columns(wide, high, side)
    pen = Pen()
    y = pen.lines(side, side + 6.0, source.title, 6.0, wide - 2 * side, bold=True, serif=True) - 2.0
    if source.shown.document.date:
        y = pen.lines(side, y, source.shown.document.date, 3.0, wide - 2 * side, color=_GREY)
    track, size = _track(source)
    scale = min((wide - 2 * side) / size[0], (high - y - side) / size[1], 1.35)
    placed = [Placed(pen.plate), Placed(track, side, y + 1.0, scale)]
    y += 1.0 + size[1] * scale + 6.0
    # Where the track leaves little room the set-up begins on its own page.
    title = "Turn track and set-up" if y < 0.6 * high else "Turn track"
    if y >= 0.6 * high:
        yield Page(wide, high, tuple(placed), title)
        placed, y, title = [], columns.top, "Set-up"
    lines = min((_lines(source, columns.width, one) for one in _SMALLER), key=lambda lines: columns.pages(lines, y))
    while lines:
        body = Pen()
        lines = columns.fill(body, lines, y)
        if title == "Set-up":
            body.text(side, side + 1.0, f"{source.title} – set-up", 3.0, bold=True)
        placed.append(Placed(body.plate))
        yield Page(wide, high, tuple(placed), title)
        placed, y, title = [], columns.top, "Set-up"
    if placed:
        yield Page(wide, high, tuple(placed), title)


def _track(source: Source) -> tuple[Plate, tuple[float, float]]:
    """Return the turn track on a plate in which a box is 25.4 mm wide, and its size."""
    from studio.draw.calendar_picture import draw_calendar
    from studio.draw.press.recorder import record
    from studio.draw.said import keep_words
    from studio.rules.words import scenario_names

    names = scenario_names(source.shown.document, source.shown.ruleset, source.map.survey)
    with keep_words():
        ax = draw_calendar(source.shown, names=names)
    box = ax.get_window_extent()
    mm = 25.4 / _TRACK_PX
    plate = record(ax, Plate(), mm=mm, inks=source.options.inks, layer="press")
    return plate, (float(box.width) * mm, float(box.height) * mm)


def _lines(source: Source, wide: float, scale: float) -> list[_Line]:
    """Return what the card says, in lines that fit into a column, with letters of a part of their size."""
    from studio.draw.counterfaces import side_colors
    from studio.draw.press.faces import SIDE_SIGNS
    from studio.model.wording import force_sentences, formation_sentences, unit_lines
    from studio.rules.words import scenario_names

    document = source.shown.document
    names = scenario_names(document, source.shown.ruleset, source.map.survey)
    tone, colors = tone_of(source.options.inks), side_colors(document.forces)
    found: list[_Line] = []
    for n, force in enumerate(document.forces):
        color = tone(colors[n], "units", True)
        sign = SIDE_SIGNS[n % len(SIDE_SIGNS)]
        head = f"{sign} {names.side(force.id)}"
        found += _broken(head, wide - 2, _Line("", _SIDE * scale, 2.0, True, INK, color, 3.0, 3))
        for text in force_sentences(force, names):
            found += _broken(text, wide, _Line("", _BODY * scale, 0.0, False, _GREY))
        for part in force.formations:
            found += _broken(names.of_part(part), wide, _Line("", _NAME * scale, 0.0, True, INK, "", 1.6, 2))
            for text in formation_sentences(part, names):
                found += _broken(text, wide - 2, _Line("", _BODY * scale, 2.0, False, _GREY))
            for text in unit_lines(part.units, names):
                found += _broken(f"□ {text}", wide - 7, _Line("", _BODY * scale, 4.0), hang=3.0 * scale)
    return found


def _broken(text: str, wide: float, look: _Line, hang: float = 0.0) -> list[_Line]:
    from studio.draw.press.fonts import wrapped

    lines = wrapped(text, Pen().font(bold=look.bold), look.size, wide)
    return [
        look._replace(text=line)
        if n == 0
        else look._replace(text=line, indent=look.indent + hang, before=0.0, keep=0, bar="")
        for n, line in enumerate(lines)
    ]


class _Columns:
    """Two columns of a page, or three of a wide one."""

    def __init__(self, wide: float, high: float, side: float) -> None:
        self.side, self.high = side, high
        self.count = 3 if wide > 260 else 2 if wide > 150 else 1
        self.width = (wide - 2 * side - _GAP * (self.count - 1)) / self.count
        self.top = side + 3.0

    def pages(self, lines: list[_Line], top: float) -> int:
        """Return how many pages lines take, the first of them from `top` on."""
        count = 0
        while lines:
            lines, top = self.fill(Pen(), lines, top), self.top
            count += 1
        return count

    def fill(self, pen: Pen, lines: list[_Line], top: float) -> list[_Line]:
        """Write lines into the columns from `top` on; return those that have no room."""
        rest = list(lines)
        for column in range(self.count):
            x, y = self.side + column * (self.width + _GAP), top
            while rest:
                line = rest[0]
                ahead = sum(self._step(one) for one in rest[: line.keep + 1])
                if y + ahead > self.high - self.side and y > top:
                    break
                first = y == top
                y += self._step(line) - (line.before if first else 0.0)
                if line.bar:
                    pen.box(x, y - 0.85 * line.size, 1.1, line.size * 1.1, fill=line.bar)
                shift: Any = {"bold": line.bold, "color": line.color}
                pen.text(x + line.indent, y, line.text, line.size, **shift)
                rest.pop(0)
            if not rest:
                break
        return rest if len(rest) < len(lines) else []

    def _step(self, line: _Line) -> float:
        return line.before + 1.32 * line.size
