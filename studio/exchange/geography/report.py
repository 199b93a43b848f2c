"""The record of an import for people: a report in Markdown, and tables for pandas and spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from studio.exchange.geography.record import Record
from studio.exchange.geography.work import Entry
from studio.model import Source

__all__ = [
    "FIGURES",
    "finding_line",
    "finding_lines",
    "hex_table",
    "report_csv",
    "report_markdown",
    "report_table",
    "residual_table",
    "source_line",
    "source_lines",
]

_MOST_PLACES = 8
_PARTS = (
    ("Findings: what to look at", "finding"),
    ("Nudged: what lies elsewhere than in the world", "nudged"),
    ("Decided", "decided"),
    ("Overrides", "override"),
    ("Notes", "note"),
)
_COUNTED = ("finding", "override", "note")
FIGURES = {
    "confidence": "how sure the terrain of the hexes is in the mean; 1 is sure",
    "fit_depth": "how deep inside its hex the worst pinned point can be laid without a sheet, in inner radii of a hex; "
    "below 0 it lies outside",
    "hex_size": "from the middle of a hex to that of the next, in units of the reference system",
    "hexes": "hexes of the map",
    "plain_wrong_banks": "towns that would be on the wrong bank if rivers took the nearest hexsides",
    "river_cycles": "rings of rivers on the map; more than true cycles are not in the world",
    "rms": "mean distance (root mean square) of the control points from the middles of their hexes, without a sheet, "
    "in hexes",
    "rms_final": "the same as the map was made, with the rubber sheet where there is one",
    "rms_squares": "the same by least squares alone, before pinned points were laid into their hexes",
    "sheet_least": "least part of its area that the rubber sheet leaves to any ground; far below 1 is squeezed",
    "sheet_most": "most times its area that the rubber sheet gives to any ground; far above 1 is stretched",
    "towns_by_rivers": "how often a town lies within one and a half hexes of a river",
    "true_cycles": "rings of rivers in the data",
    "wrong_banks": "towns that are on the wrong bank of a river on the map",
}
"""What each figure of the whole means, by its name in the record."""


def source_line(source: Source) -> str:
    """Return where data come from, in a line.

    Examples
    --------
    >>> source_line(Source(title="Natural Earth", licence="public domain"))
    'Natural Earth (public domain)'
    """
    known = ", ".join(part for part in (source.licence or "no licence named", source.url) if part)
    return f"{source.title} ({known})" + (f": {source.note}" if source.note else "")


def source_lines(record: Record) -> list[str]:
    """Return where the data of a record come from, what is alike once."""
    return list(dict.fromkeys(map(source_line, record.sources)))


def finding_line(entry: Entry, *, whole: bool = False) -> str:
    """Return an entry as a line: its step, its places and what it says.

    Parameters
    ----------
    entry : Entry
        Its figures have inner names and are for tables: what matters of them is in its sentence.
    whole : bool
        Name every place; else the first ones, and how many more there are.

    Examples
    --------
    >>> finding_line(Entry(step="rivers", kind="finding", at=("0101|0102",), text="is 1.2 off", figures={"off": 1.2}))
    'rivers: 0101|0102: is 1.2 off'
    """
    places = entry.at if whole else entry.at[:_MOST_PLACES]
    rest = len(entry.at) - len(places)
    shown = ", ".join(places) + (f" and {rest} more" if rest else "")
    return ": ".join(part for part in (entry.step, shown, entry.text) if part)


def finding_lines(record: Record, most: int, rest: str) -> list[str]:
    """Return the first findings as lines, those that are alike once, and a last line where there are more.

    Parameters
    ----------
    record : Record
    most : int
    rest : str
        What follows ``… and 3 more findings``: where they are.
    """
    lines = list(dict.fromkeys(map(finding_line, record.of("finding"))))
    more = len(lines) - most
    return lines[:most] + ([f"… and {more} more finding{'s' * (more != 1)}{rest}"] if more > 0 else [])


def counts_line(record: Record) -> str:
    """Return how many lines of each kind a report has.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
        Such as ``3 findings, 0 nudged, 9 decided, 1 override, 5 notes``.
    """
    counts = {kind: len(record.of(kind)) for _, kind in _PARTS}
    return ", ".join(f"{count} {kind}{'s' * (kind in _COUNTED and count != 1)}" for kind, count in counts.items())


# -- tables ------------------------------------------------------------------------------------------------------------


def report_table(record: Record) -> list[dict[str, Any]]:
    """Return the entries of the report as rows for ``pandas.DataFrame``.

    Parameters
    ----------
    record : Record

    Returns
    -------
    list of dict
        ``step``, ``kind``, ``at`` (labels set off by commas), ``text``, and what was measured under its own names; all
        rows have the same keys, None where nothing was measured.
    """
    names = sorted({name for one in record.entries for name in one.figures})
    return [
        {"step": one.step, "kind": one.kind, "at": ", ".join(one.at), "text": one.text}
        | {
            f"figure_{name}" if name in ("step", "kind", "at", "text") else name: one.figures.get(name)
            for name in names
        }
        for one in record.entries
    ]


def residual_table(record: Record) -> list[dict[str, Any]]:
    """Return how far each control point is off, as rows; all have the same keys."""
    names = list(dict.fromkeys(name for one in record.residuals for name in one))
    return [{name: one.get(name) for name in names} for one in record.residuals]


def hex_table(record: Record) -> list[dict[str, Any]]:
    """Return what is known of each hex, as rows: one column for each class of terrain.

    Parameters
    ----------
    record : Record

    Returns
    -------
    list of dict
        ``label``, ``terrain``, ``country``, ``confidence``, ``mean`` and ``relief`` in metres, and the share of each
        class under ``share:`` and its name.
    """
    names = sorted({name for one in record.hexes for name in one.shares})
    return [
        {
            "label": one.label,
            "terrain": one.terrain,
            "country": one.country,
            "confidence": one.confidence,
            "mean": one.mean,
            "relief": one.relief,
        }
        | {f"share:{name}": one.shares.get(name, 0.0) for name in names}
        for one in record.hexes
    ]


def report_csv(record: Record) -> bytes:
    """Write the report as CSV, UTF-8, one entry a line."""
    rows = report_table(record)
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]) if rows else ["step", "kind", "at", "text"])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode("utf-8")


# -- Markdown ----------------------------------------------------------------------------------------------------------


def report_markdown(record: Record) -> str:
    """Write the report for people: provenance, fit, figures, findings, and then what else was done.

    Parameters
    ----------
    record : Record

    Returns
    -------
    str
        Markdown, with every line and every hex.
    """
    title = f"# {_plain(record.title)}: how the map was made of geography"
    sources = [f"- {_plain(one)}" for one in source_lines(record)]
    parts = [
        [title, "", f"Game {record.ruleset}, {len(record.hexes)} hexes, {record.crs}. {counts_line(record)}."],
        ["## Provenance", "", *(sources or ["- none"])],
        _files(record),
        _fit(record),
        _figures(record),
        *(_list(heading, record.of(kind)) for heading, kind in _PARTS),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def _files(record: Record) -> list[str]:
    if not record.files:
        return []
    rows = [(one.name, f"{one.bytes:,}", one.sha256[:16]) for one in record.files]
    return ["## Files", "", *_table(("File", "Bytes", "SHA-256 begins"), rows)]


def _fit(record: Record) -> list[str]:
    if not record.residuals:
        return []
    rows = residual_table(record)
    names = list(rows[0])
    return ["## Fit", "", "Of each control point, in hexes.", "", *_table(names, [list(row.values()) for row in rows])]


def _figures(record: Record) -> list[str]:
    if not record.figures:
        return []
    rows = [
        (name.replace("_", " "), f"{value:g}", FIGURES.get(name, ""))
        for name, value in record.figures.items()
        if value is not None
    ]
    return ["## Figures", "", *_table(("Figure", "Value", "What it is"), rows)]


def _list(heading: str, entries: Sequence[Entry]) -> list[str]:
    if not entries:
        return []
    return [f"## {heading} ({len(entries)})", "", *(f"- {_plain(finding_line(one, whole=True))}" for one in entries)]


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    def row(cells: Sequence[Any]) -> str:
        return f"| {' | '.join(_plain(_cell(one)) for one in cells)} |"

    return [row(heads), f"|{' --- |' * len(heads)}", *map(row, rows)]


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def _plain(text: str) -> str:
    """Return text that Markdown shows as it is: names of data may hold anything."""
    flat = " ".join(str(text).split())
    return "".join(f"\\{mark}" if mark in "\\`*_|<>[]#" else mark for mark in flat)
