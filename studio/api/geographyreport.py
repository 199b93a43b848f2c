"""What an import of geography decided and found: tables in a notebook, text in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.exchange.geography.record import Record
    from studio.exchange.geography.work import Entry

__all__ = ["GeographyReport", "check_report_name"]

_MOST_ROWS, _MOST_OPEN, _MOST_PLACES = 50, 10, 8
_LEFT = 'style="text-align:left"'


class GeographyReport:
    """What an import decided and found; a notebook shows it as tables, a terminal as text.

    Parameters
    ----------
    record : Record

    Attributes
    ----------
    findings : list of Entry
        What a designer should look at.
    """

    def __init__(self, record: Record) -> None:
        self._record = record
        self.findings: list[Entry] = record.of("finding")

    def of(self, *kinds: str) -> list[Entry]:
        """Return the lines of some kinds: ``finding``, ``nudged``, ``decided``, ``override``, ``note``."""
        return self._record.of(*kinds)

    def table(self) -> list[dict[str, Any]]:
        """Return all lines as rows for ``pandas.DataFrame``."""
        from studio.exchange.geography.report import report_table

        return report_table(self._record)

    def to_markdown(self) -> str:
        """Return the whole report as Markdown."""
        from studio.exchange.geography.report import report_markdown

        return report_markdown(self._record)

    def __str__(self) -> str:
        return self.to_markdown()

    def __repr__(self) -> str:
        from studio.exchange.geography.report import counts_line

        return f"GeographyReport({counts_line(self._record)})"

    def _repr_html_(self) -> str:
        """Return what is to be looked at, and below it all else, folded away."""
        from studio.exchange.geography.report import FIGURES, counts_line, residual_table, source_lines

        record = self._record
        parts = [
            ("Nudged", [_row(one) for one in self.of("nudged")]),
            ("Overrides", [_row(one) for one in self.of("override")]),
            ("Fit, in hexes", residual_table(record)),
            ("Figures", [_figure(name, value, FIGURES) for name, value in record.figures.items()]),
            ("Decided", [_row(one) for one in self.of("decided")]),
            ("Notes", [_row(one) for one in self.of("note")]),
            ("Provenance", [{"source": one} for one in source_lines(record)]),
        ]
        found = [_row(one) for one in self.findings]
        head = f"<p>{counts_line(record)}</p>"
        first = [_folded("Findings", found[:_MOST_OPEN], len(found), open=True)] if found else []
        rest = found[_MOST_OPEN:]
        more = [_folded("More findings", rest, len(rest))] if rest else []
        return head + "".join([*first, *more, *(_folded(title, rows, len(rows)) for title, rows in parts if rows)])


def _figure(name: str, value: float, words: Mapping[str, str]) -> dict[str, Any]:
    return {"figure": name.replace("_", " "), "value": value, "what it is": words.get(name, "")}


def _row(entry: Entry) -> dict[str, Any]:
    figures = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in entry.figures.items())
    at = ", ".join(entry.at[:_MOST_PLACES])
    rest = len(entry.at) - _MOST_PLACES
    return {
        "step": entry.step,
        "at": f"{at} and {rest} more" if rest > 0 else at,
        "text": entry.text,
        "measured": figures,
    }


def _folded(title: str, rows: list[dict[str, Any]], count: int, *, open: bool = False) -> str:
    """Return a table that folds away under its heading, cut where it is long."""
    from html import escape

    shown = rows[:_MOST_ROWS]
    rest = f"<p><i>and {len(rows) - len(shown)} more in .report.table()</i></p>" if len(rows) > len(shown) else ""
    head = f"<summary><b>{escape(title)} ({count})</b></summary>"
    return f"<details{' open' * open}>{head}{_html_table(title, shown)}{rest}</details>"


def _html_table(title: str, rows: list[dict[str, Any]]) -> str:
    """Return a table with heads of its columns; words stand at the left, as JupyterLab would not have them."""
    from html import escape

    def cell(value: Any) -> str:
        if isinstance(value, bool):
            return "<td>yes</td>" if value else "<td><b>no</b></td>"
        if isinstance(value, int | float):
            return f"<td>{value:.4g}</td>" if abs(value) < 1000 else f"<td>{value:.0f}</td>"
        return f"<td {_LEFT}>{escape('' if value is None else str(value))}</td>"

    numbers = {name for name, value in rows[0].items() if isinstance(value, bool | int | float)}
    head = "".join(
        f'<th scope="col"{"" if name in numbers else " " + _LEFT}>{escape(str(name).replace("_", " "))}</th>'
        for name in rows[0]
    )
    body = "".join(f"<tr>{''.join(map(cell, row.values()))}</tr>" for row in rows)
    label = f'aria-label="{escape(title)}"'
    return f'<table {label} style="margin-left:0"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def check_report_name(path: Path) -> None:
    """Refuse a report whose ending says no way to write it.

    Raises
    ------
    StudioError
        Naming those that do.
    """
    if path.suffix.lower() not in (".md", ".csv", ".json"):
        msg = f"{path}: a report is written as .md, .csv or .json; give the file one of these endings"
        raise StudioError(msg)
