"""Comma-separated values: RFC 4180, harmless in spreadsheets, and read whatever a spreadsheet made of it.

A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a line break) gets an apostrophe
before it, which is taken off again on the way back. Numbers are left alone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from studio.exchange.common.files import refused, source_text

__all__ = ["Row", "Table", "cell_in", "cell_out", "read_table", "table_text"]

Value = str | int | float | bool | None

_RISKY = ("=", "+", "-", "@", "\t", "\r", "\n", "'")
_GUESSED = re.compile(r"[-+]?[0-9][0-9.,]*([eE][-+]?[0-9]+)?|[0-9]+[-/.][0-9]+([-/.][0-9]+)?|(?i:true|false)")
MAX_ROWS, MAX_CELL = 5_000_000, 200_000


class Row(NamedTuple):
    """A row of a table: the line of the file that it begins on, and its values by header."""

    line: int
    values: dict[str, str]


class Table(NamedTuple):
    """A table that was read.

    Attributes
    ----------
    path : Path
    headers : list of str
        As written.
    rows : list of Row
    delimiter : str
    """

    path: Path
    headers: list[str]
    rows: list[Row]
    delimiter: str


def cell_out(value: Value, *, excel: bool = False) -> str:
    """Return how a value is written, before quotes.

    Examples
    --------
    >>> [cell_out(value) for value in ("=A1+B1", -1, "'tis", "0101", None, True)]
    ["'=A1+B1", '-1', "''tis", '0101', '', 'true']
    >>> cell_out("1E5", excel=True)
    '="1E5"'
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if value.startswith(_RISKY):
        return f"'{value}"
    if excel and _GUESSED.fullmatch(value):
        return f'="{value}"'
    return value


def cell_in(text: str) -> str:
    """Return what a value was before it was written, by the studio or by a spreadsheet.

    Examples
    --------
    >>> [cell_in(text) for text in ("'=A1+B1", '="0101"', "''tis")]
    ['=A1+B1', '0101', "'tis"]
    """
    plain = text
    if len(plain) > 2 and plain.startswith('="') and plain.endswith('"'):
        return plain[2:-1].replace('""', '"')
    if len(plain) > 1 and plain[0] == "'" and plain[1:].startswith(_RISKY):
        return plain[1:]
    return plain


def table_text(headers: Sequence[str], rows: Iterable[Mapping[str, Value]], *, excel: bool = False) -> bytes:
    """Return a table as the bytes of its file.

    Parameters
    ----------
    headers : sequence of str
    rows : iterable of mapping
    excel : bool
        With a byte order mark, and texts that look like numbers kept as texts.
    """
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(headers)
    for row in rows:
        writer.writerow([cell_out(row.get(name), excel=excel) for name in headers])
    return buffer.getvalue().encode("utf-8-sig" if excel else "utf-8")


def read_table(path: Path, *, delimiter: str = "") -> Table:
    """Read a table.

    Parameters
    ----------
    path : Path
    delimiter : {"", ",", ";", "tab"}
        Found out from the first line when empty.

    Raises
    ------
    DocumentError
        When it is no table, has no header, or one twice.
    """
    text = source_text(path)
    skipped = 0
    said = re.match(r"sep=(.)\r?\n", text)
    if said:
        text, skipped = text[said.end() :], 1
    mark = "\t" if delimiter == "tab" else delimiter or (said[1] if said else _sniffed(text))
    before = csv.field_size_limit(MAX_CELL)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
        headers: list[str] = []
        rows: list[Row] = []
        line = 1 + skipped
        for values in reader:
            here, line = line, reader.line_num + 1 + skipped
            if not any(value.strip() for value in values):
                continue
            if not headers:
                headers = [cell_in(value).strip() for value in values]
                _check_headers(path, headers)
                continue
            if len(values) > len(headers) and any(value.strip() for value in values[len(headers) :]):
                message = f"{len(values)} values, allowed {len(headers)}, one a header"
                raise refused(path, message, "put texts with a separator in quotes", at=f"line {here}")
            rows.append(Row(here, dict(zip(headers, map(cell_in, values), strict=False))))
            if len(rows) > MAX_ROWS:
                raise refused(path, f"holds over {MAX_ROWS} rows", "split it")
    except csv.Error as error:
        raise refused(path, f"is no table: {error}", "check the quotes", at=f"line {line}") from error
    finally:
        csv.field_size_limit(before)
    if not headers:
        raise refused(path, "is empty", "the first line names the columns")
    return Table(path, headers, rows, mark)


def _check_headers(path: Path, headers: list[str]) -> None:
    named = [name.casefold() for name in headers if name]
    twice = next((name for name in named if named.count(name) > 1), "")
    if twice:
        raise refused(path, f"has two columns {twice!r}", "name each column once", at="line 1")


def _sniffed(text: str) -> str:
    """Return what parts the values of the first line that is not empty, outside of quotes."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    plain = re.sub(r'"[^"]*"', "", first)
    counts = {mark: plain.count(mark) for mark in (",", ";", "\t", "|")}
    best = max(counts, key=lambda mark: counts[mark])
    return best if counts[best] else ","
