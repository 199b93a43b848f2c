"""The turn track of a scenario as a picture: a box a turn, the counters that arrive in it, what happens, the end."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studio.draw.batch import Batch
from studio.draw.calendar_track import BADGES, TrackPen, badge_key, height_of
from studio.draw.canvas import Canvas
from studio.draw.counterfaces import Counters
from studio.draw.options import called
from studio.draw.picture import DPI, PictureError, new_figure
from studio.draw.plain import style_for
from studio.model.calendar import CalendarRow, calendar_rows
from studio.model.wording import Names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["MOST_BOXES", "badge_numbers", "draw_calendar"]

MOST_BOXES = 72
"""Boxes of a track; of more the first ones and the last are drawn."""

_BOX_PX, _NOTE, _KEY = 150, 0.16, 0.24
_BADGE_NAMES = {
    "event": "event",
    "support": "support",
    "cup": "into the cup",
    "period": "period",
    "ending": "early end",
}


def badge_numbers(rows: Sequence[CalendarRow]) -> dict[tuple[str, str], int]:
    """Return the numbers of what has a badge in a track, in the order in which they come."""
    found: dict[tuple[str, str], int] = {}
    for row in rows:
        for item in row.items:
            if item.kind in BADGES:
                found.setdefault(badge_key(item), len(found) + 1)
    return found


@called("plot")
def draw_calendar(
    scenario: Any,
    *,
    ax: Axes | None = None,
    columns: int | None = None,
    notes: bool = True,
    key: bool = True,
    names: Names | None = None,
    rows: Sequence[CalendarRow] | None = None,
) -> Axes:
    """Draw the turn track of a scenario.

    Parameters
    ----------
    scenario : studio.Scenario
    ax : matplotlib.axes.Axes, optional
        Draw here; a figure of its own otherwise.
    columns : int, optional
        Boxes side by side, at least 3; as they fit otherwise.
    notes : bool
        Whether what the badges stand for is written below.
    key : bool
        Whether the shapes of the badges are explained.
    names : Names, optional
        What things are called.
    rows : sequence of CalendarRow, optional
        The calendar, where it is known already.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    PictureError
        When there are less than 3 columns.
    """
    if columns is not None and columns < 3:
        raise PictureError(f"columns: got {columns!r}; allowed: a whole number from 3 on, or None")
    document, ruleset = scenario.document, scenario.ruleset
    names = names or Names(document)
    rows = tuple(rows if rows is not None else calendar_rows(document, names))
    track = _Track(document, rows, columns, notes=notes, key=key)
    if ax is None:
        figure = new_figure(track.wide * _BOX_PX, track.high * _BOX_PX, "#ffffff")
        ax = figure.add_axes((0, 0, 1, 1))
    _measure(ax, track)
    box = ax.get_window_extent()
    px = box.width / track.wide * DPI / ax.figure.dpi
    batch = Batch()
    canvas = Canvas(ax, style_for(ruleset, []), 0.001, px, px * 72 / DPI / 1000, None)
    track.draw(TrackPen(canvas, document, Counters.of(ruleset, document), track.numbers))
    batch.flush(ax)
    return ax


def _measure(ax: Axes, track: _Track) -> None:
    ax.set_xlim(0, track.wide)
    ax.set_ylim(track.high, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    ax.autoscale(False)


class _Track:
    """How the boxes of a track lie."""

    def __init__(
        self, document: Any, rows: Sequence[CalendarRow], columns: int | None, *, notes: bool, key: bool
    ) -> None:
        self.length = document.length
        self.rows = rows
        self.turns = _few([row for row in rows if row.turn > 0])
        self.start = [item for row in rows[:1] for item in row.items if item.kind in ("set_up", "pool")]
        self.numbers = badge_numbers(rows)
        self.columns = columns or _columns(len(self.turns))
        self.wide = float(self.columns)
        self.across = max(1, min(len(self.start), round(self.wide / 1.9)))
        self.set_up_high = 0.0
        if self.start:
            lines = min(4, -(-len(self.start) // self.across))
            self.set_up_high = 0.2 + 0.44 * lines + (0.16 if len(self.start) > 4 * self.across else 0.04)
        starts = range(0, len(self.turns), self.columns)
        self.lines = [(at, height_of(self.turns[at : at + self.columns])) for at in starts]
        self.open = any(
            part.when is not None and part.arrival == "enter" for force in document.forces for part in force.formations
        )
        self.notes = self._notes() if notes else []
        kinds = {kind for kind, _ in self.numbers}
        self.kinds = [kind for kind in BADGES if kind in kinds] if key else []
        self.key = bool(self.kinds) or (key and self.open)
        below = _KEY * self.key + _NOTE * len(self.notes) + 0.06 * bool(self.notes)
        self.high = self.set_up_high + sum(high for _, high in self.lines) + below + 0.02

    def _notes(self) -> list[tuple[tuple[str, int] | None, str]]:
        """Return the lines of the notes, the first of each with its badge."""
        found: list[tuple[tuple[str, int] | None, str]] = []
        told: set[tuple[str, str]] = set()
        letters = int(self.wide * 20.5)
        for row in self.rows:
            for item in row.items:
                name = badge_key(item)
                if name not in self.numbers or name in told:
                    continue
                told.add(name)
                lead = "" if item.kind == "ending" else f"{item.title}: "
                lines = textwrap.wrap(f"{lead}{item.text}", letters, max_lines=3, placeholder=" …") or [item.title]
                found += [((item.kind, self.numbers[name]) if n == 0 else None, line) for n, line in enumerate(lines)]
        return found[:60]

    def draw(self, pen: TrackPen) -> None:
        """Draw everything from above to below."""
        y = pen.set_up(self.start, 0, 0, self.wide, self.across) if self.start else 0.0
        for at, high in self.lines:
            for n, row in enumerate(self.turns[at : at + self.columns]):
                last = bool(self.length) and row.turn <= self.length <= row.last
                pen.turn(row, n, y, high, last=last)
            y += high
        if self.key:
            self._draw_key(pen, y + 0.12)
            y += _KEY
        for badge, line in self.notes:
            if badge is not None:
                pen.badge(badge[0], str(badge[1]), 0.1, y + 0.08, 0.064)
            pen.word(line, 0.22, y + 0.08, 0.09, most=self.wide - 0.26)
            y += _NOTE

    def _draw_key(self, pen: TrackPen, y: float) -> None:
        x = 0.1
        for kind in self.kinds:
            pen.badge(kind, "", x, y)
            x += 0.32 + pen.word(_BADGE_NAMES[kind], x + 0.11, y, 0.092)
        if self.open:
            for mark, text in (("?", "when its condition is met"), ("≤", "at the latest")):
                x += 0.08 + pen.word(mark, x, y, 0.12, bold=True)
                x += 0.25 + pen.word(text, x, y, 0.092, most=max(0.1, self.wide - x))


def _columns(boxes: int) -> int:
    """Return how many boxes stand side by side so that the last line is well filled."""
    if boxes <= 8:
        return max(boxes, 6)
    few, many = (6, 8) if boxes <= 14 else (8, 10)
    return min(range(few, many + 1), key=lambda wide: (-(-boxes // wide) * wide - boxes, -wide))


def _few(rows: list[CalendarRow]) -> list[CalendarRow]:
    if len(rows) <= MOST_BOXES:
        return rows
    gap = rows[MOST_BOXES - 2 : -1]
    between = gap[0]._replace(last=max(gap[-1].last, gap[0].turn + 1), items=(), name="", title="")
    return [*rows[: MOST_BOXES - 2], between, rows[-1]]
