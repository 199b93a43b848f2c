"""What an import of geography decided and found: tables in a notebook, text in a terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.errors import StudioError

if TYPE_CHECKING:
    from studio.exchange.geography.record import Record
    from studio.exchange.geography.work import Entry

__all__ = ["GeographyReport", "check_report_name"]

_MOST_ROWS = 100


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
        from studio.exchange.geography.report import residual_table, source_line

        record = self._record
        sources = [{"source": source_line(one)} for one in record.sources]
        figures = [{"figure": name.replace("_", " "), "value": value} for name, value in record.figures.items()]
        parts = [("Provenance", sources), ("Fit, in hexes", residual_table(record)), ("Figures", figures)]
        for title, kind in (("Findings", "finding"), ("Nudged", "nudged"), ("Overrides", "override")):
            parts.append((title, [_row(one) for one in self.of(kind)]))
        return "".join(_html_table(title, rows) for title, rows in parts if rows)


def _row(entry: Entry) -> dict[str, Any]:
    figures = ", ".join(f"{name} {value:g}" for name, value in entry.figures.items())
    return {"step": entry.step, "at": ", ".join(entry.at), "text": entry.text, "measured": figures}


def _html_table(title: str, rows: list[dict[str, Any]]) -> str:
    """Return a table with a heading, cut where it is long."""
    from html import escape

    def cell(value: Any) -> str:
        return escape(f"{value:g}" if isinstance(value, float) else "" if value is None else str(value))

    head = "".join(f"<th>{escape(str(name))}</th>" for name in rows[0])
    shown = rows[:_MOST_ROWS]
    body = "".join(f"<tr>{''.join(f'<td>{cell(value)}</td>' for value in row.values())}</tr>" for row in shown)
    rest = f"<i>and {len(rows) - len(shown)} more</i>" if len(rows) > len(shown) else ""
    return f"<b>{escape(title)} ({len(rows)})</b><table><tr>{head}</tr>{body}</table>{rest}"


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
