"""The calendar of a scenario for a notebook: what happens turn by turn, as rows, as a table, as a picture."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from studio.api.forcenames import ScenarioNames
from studio.model.calendar import ANY_TIME, CalendarItem, CalendarRow, calendar_rows
from studio.model.wording import Names
from studio.rules.words import scenario_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

__all__ = ["Calendar", "ScenarioCalendar"]

_COLUMNS = ("turn", "last", "name", "title", "light", "extra", "kind", "side", "formation", "what", "text")


class Calendar:
    """What happens in a scenario turn by turn.

    Parameters
    ----------
    scenario : Scenario
    names : Names
        What things are called.

    Attributes
    ----------
    rows : tuple of CalendarRow
        The set-up first (turn 0), then the turns; of a scenario of more than 60 those in which something begins or ends
        and those beside them, each stretch between them as one row; last what can happen at any time (turn -1).
    """

    def __init__(self, scenario: Any, names: Names) -> None:
        self._scenario, self.names = scenario, names
        self.title: str = scenario.document.title
        self.rows: tuple[CalendarRow, ...] = calendar_rows(scenario.document, names)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, turn: int) -> CalendarRow:
        """Return the row of a turn: 0 for the set-up, -1 for what can happen at any time.

        Raises
        ------
        KeyError
            When the calendar has no such turn.
        """
        for row in self.rows:
            if row.turn == turn or (turn > ANY_TIME and row.turn <= turn <= row.last):
                return row
        raise KeyError(turn)

    def __str__(self) -> str:
        lines = [self.title]
        for row in self.rows:
            marks = [mark for mark in (row.title, row.light, "if play goes on" if row.extra else "") if mark]
            lines.append(row.name + (f" ({', '.join(marks)})" if marks else ""))
            lines += [f"  {_told(item)}" for item in row.items]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        body = []
        for row in self.rows:
            if not row.items and not row.title:
                continue
            items = "".join(f"<li>{escape(_told(item))}</li>" for item in row.items)
            name = escape(", ".join(part for part in (row.name, row.title, row.light) if part))
            left = "text-align:left;vertical-align:top"
            body.append(
                f'<tr><th scope="row" style="{left}">{name}</th>'
                f'<td style="{left}"><ul style="margin:0;padding-left:1.2em">{items}</ul></td></tr>'
            )
        return f"<b>{escape(self.title)}</b><table><tbody>{''.join(body)}</tbody></table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the calendar as plain data."""
        rows = [{**row._asdict(), "items": [item._asdict() for item in row.items]} for row in self.rows]
        return {"title": self.title, "unit": self.names.unit, "length": self._scenario.document.length, "rows": rows}

    def to_frame(self) -> DataFrame:
        """Return a line for each thing that happens, and one for each turn in which nothing does.

        Returns
        -------
        pandas.DataFrame
            With the columns ``turn`` (0 for the set-up, -1 for any time), ``last``, ``name``, ``title``, ``light``,
            ``extra``, ``kind``, ``side``, ``formation``, ``what``, ``text``.
        """
        import pandas as pd

        lines: list[tuple[Any, ...]] = []
        nothing = ("", "", "", "", "")
        for row in self.rows:
            head = (row.turn, row.last, row.name, row.title, row.light, row.extra)
            found: list[tuple[str, ...]] = [
                (one.kind, one.side, one.formation, one.title, one.text) for one in row.items
            ]
            lines += [(*head, *rest) for rest in found or [nothing]]
        return pd.DataFrame(lines, columns=list(_COLUMNS))

    def plot(self, **options: Any) -> Axes:
        """Draw the turn track.

        Parameters
        ----------
        **options
            ``ax``, ``columns``, ``notes``, ``key`` of :func:`studio.draw.draw_calendar`.

        Raises
        ------
        OptionError, PictureError
            When an option is unknown or its value wrong.
        """
        from studio.draw import draw_calendar, pyplot_figures

        with self._scenario.lock, pyplot_figures():
            axes: Axes = draw_calendar(self._scenario, rows=self.rows, names=self.names, **options)
            return axes


def _told(item: CalendarItem) -> str:
    return item.text if item.kind in ("end", "ending", "extended", "first") else f"{item.title}. {item.text}"


class ScenarioCalendar(ScenarioNames):
    """A scenario that tells what happens when."""

    def calendar(self) -> Calendar:
        """Return what happens turn by turn: set-up, arrivals, events, support, markers, day and night, the end.

        Returns
        -------
        Calendar

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> calendar = raid.calendar()
        >>> [(item.kind, item.title) for item in calendar[1].items]
        [('arrival', 'Saleh Militia')]
        >>> calendar[16].items[0].title
        'End'
        """
        return Calendar(self, scenario_names(self.document, self.ruleset, self.map.survey))
