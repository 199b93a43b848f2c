"""Label schemes: the names printed in the hexes, and the way back from a name to its hex.

A scheme is a small description that suits every printed map we know: letters or numbers, either axis first, any corner
as origin, padding, separators, skipped values, rows that start elsewhere in staggered lines, slanted rows. Bound to a
grid it becomes a :class:`Labels`, which is proved one-to-one before it is used.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any, Literal

import msgspec

from studio.errors import GridError, LabelError, nearest, shortened
from studio.grid.hexgrid import HexGrid

__all__ = ["Axis", "LabelScheme", "Labels", "letters"]

MAX_START, MAX_PAD = 99_999, 9
"""Furthest first value of an axis, and most digits of a number."""

Style = Literal["numbers", "letters", "doubled_letters"]


def letters(number: int, *, doubled: bool = False) -> str:
    """Write a number from 1 in letters: A..Z, AA, AB .. (or, doubled, A..Z, AA, BB ..).

    Raises
    ------
    GridError
        When the number is below 1.

    Examples
    --------
    >>> letters(27), letters(28), letters(28, doubled=True), letters(53, doubled=True)
    ('AA', 'AB', 'BB', 'AAA')
    """
    if number < 1:
        msg = f"letters start at 1 (A), got {number}; raise the axis' start"
        raise GridError(msg)
    if doubled:
        times, letter = divmod(number - 1, 26)
        return chr(65 + letter) * (times + 1)
    text = ""
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(65 + letter) + text
    return text


class Axis(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the columns or the rows of a map are counted.

    Parameters
    ----------
    style : {"numbers", "letters", "doubled_letters"}
        Digits; A..Z, AA, AB; or A..Z, AA, BB.
    start : int
        First value (1 is A).
    pad : int
        Least number of digits, filled with zeros.
    descending : bool
        Counted from the far edge: the last column or row has the first value.
    skip : tuple of str
        Texts that are left out, such as ``("I", "O")``.
    """

    style: Style = "numbers"
    start: int = 1
    pad: int = 0
    descending: bool = False
    skip: tuple[str, ...] = ()

    def text(self, value: int) -> str:
        """Write one value."""
        if self.style == "numbers":
            return f"{value:0{self.pad + (value < 0)}d}" if self.pad else str(value)
        return letters(value, doubled=self.style == "doubled_letters")

    def texts(self, first: int, count: int) -> list[str]:
        """Write `count` values from `first` on, without the skipped ones.

        Raises
        ------
        GridError
            When letters would have to start before A.
        """
        found: list[str] = []
        value = first
        while len(found) < count:
            text = self.text(value)
            if text not in self.skip:
                found.append(text)
            value += 1
        return found


class LabelScheme(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the hexes of a map are named.

    Parameters
    ----------
    columns, rows : Axis
        How each axis is counted.
    order : {"column_first", "row_first"}
        Which of the two is written first.
    separator : str
        Text between the two.
    staggered_start : int or None
        First row number (flat-top; column number for pointy hexes) in the odd lines, counted from 0, where it differs
        from the even ones: with 0, the map has D0 beside A1.
    slant : {-1, 0, 1}
        Oblique rows: the row number grows (1) or falls (-1) by one every two columns.

    Examples
    --------
    >>> scheme = LabelScheme(columns=Axis(pad=2), rows=Axis(pad=2))
    >>> Labels(scheme, HexGrid(columns=5, rows=5)).label(6)
    '0202'
    """

    columns: Axis = msgspec.field(default_factory=lambda: Axis(pad=2))
    rows: Axis = msgspec.field(default_factory=lambda: Axis(pad=2))
    order: Literal["column_first", "row_first"] = "column_first"
    separator: str = ""
    staggered_start: int | None = None
    slant: Literal[-1, 0, 1] = 0

    @classmethod
    def ccrr(cls, *, start: int = 1, pad: int = 2) -> LabelScheme:
        """Return the scheme CCRR: column and row in digits, 0101 at the top left."""
        return cls(columns=Axis(pad=pad, start=start), rows=Axis(pad=pad, start=start))

    @classmethod
    def lettered(cls, *, doubled: bool = True, staggered_start: int | None = None) -> LabelScheme:
        """Return the scheme A1: letters for the columns, numbers for the rows."""
        style: Style = "doubled_letters" if doubled else "letters"
        return cls(columns=Axis(style=style), rows=Axis(), staggered_start=staggered_start)


def _check_scheme(scheme: LabelScheme) -> None:
    """Refuse schemes that no printed map has, before they cost time or memory."""
    starts = [
        ("columns", scheme.columns.start),
        ("rows", scheme.rows.start),
        ("staggered", scheme.staggered_start or 0),
    ]
    for name, start in starts:
        if abs(start) > MAX_START:
            msg = f"label scheme: {name} start at {start}, allowed -{MAX_START} to {MAX_START}"
            raise GridError(msg)
    for name, axis in (("columns", scheme.columns), ("rows", scheme.rows)):
        if not 0 <= axis.pad <= MAX_PAD:
            msg = f"label scheme: {name} are padded to {axis.pad} digits, allowed 0 to {MAX_PAD}"
            raise GridError(msg)
    if len(scheme.separator) > MAX_PAD or any(mark.isalnum() for mark in scheme.separator):
        msg = (
            f"label scheme: separator {scheme.separator[:20]!r}; allowed are up to {MAX_PAD} marks that are neither "
            "letters nor digits, so that a label can be read in one way only"
        )
        raise GridError(msg)


class Labels:
    """The labels of one grid under one scheme: label to cell and back.

    Parameters
    ----------
    scheme : LabelScheme
    grid : HexGrid

    Raises
    ------
    GridError
        When two hexes would carry one label, or a label could be read in two ways.
    """

    def __init__(self, scheme: LabelScheme, grid: HexGrid) -> None:
        self.scheme, self.grid = scheme, grid
        _check_scheme(scheme)
        # The staggered axis is the one along which lines run: rows of flat-top maps, columns of pointy ones.
        along, across = (scheme.rows, scheme.columns) if grid.flat else (scheme.columns, scheme.rows)
        lines, positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
        self._across_texts = across.texts(across.start, lines)
        if across.descending:
            self._across_texts.reverse()
        firsts = [self._first(line, along) for line in range(lines)]
        low = min(firsts)
        self._offset = [first - low for first in firsts]
        self._along_texts = along.texts(low, max(self._offset) + positions)
        self._descending = along.descending
        self._positions = positions
        self._check()

    def _first(self, line: int, along: Axis) -> int:
        first = along.start
        if self.scheme.staggered_start is not None and line & 1:
            first = self.scheme.staggered_start
        return first + self.scheme.slant * (line // 2)

    def _along_index(self, line: int, position: int) -> int:
        if self._descending:
            # Short lines have no hex at the far end: they, too, begin with the first value.
            short = self.grid.short and self.grid.shifted(line)
            position = self._positions - 1 - short - position
        return self._offset[line] + position

    def _check(self) -> None:
        for axis, texts in (("across", self._across_texts), ("along", self._along_texts)):
            if len(set(texts)) != len(texts):
                msg = f"label scheme: the {axis} axis repeats a text"
                raise GridError(msg)
        self._pattern  # noqa: B018  (raises when a label could be read in two ways)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        column_texts, row_texts = self.column_texts, self.row_texts
        column_style, row_style = self.scheme.columns.style, self.scheme.rows.style
        first, second = (column_texts, row_texts), (column_style, row_style)
        if self.scheme.order == "row_first":
            first, second = (row_texts, column_texts), (row_style, column_style)
        separator = self.scheme.separator
        both_digits = second[0] == second[1] == "numbers"
        both_letters = "numbers" not in second
        if not separator and (both_digits or both_letters):
            widths = {len(text) for text in first[0]}
            if len(widths) > 1 and len({len(text) for text in first[1]}) > 1:
                kind = "digits" if both_digits else "letters"
                msg = (
                    f"label scheme: two runs of {kind} of different lengths and no separator, so that a label such as "
                    f"{first[0][-1] + first[1][-1]!r} could be read in two ways; set `separator`, or `pad` the first "
                    f"axis to {max(widths)} digits"
                )
                raise GridError(msg)
            mark = "[-0-9]" if both_digits else "[A-Z]"
            if len(widths) == 1:
                return re.compile(f"({mark}{{{widths.pop()}}})({mark}+)")
            return re.compile(f"({mark}+)({mark}{{{len(first[1][0])}}})")
        classes = [r"(-?[0-9]+)" if style == "numbers" else r"([A-Z]+)" for style in second]
        return re.compile(classes[0] + re.escape(separator) + classes[1])

    @property
    def column_texts(self) -> list[str]:
        """The texts of the columns, from left to right (of pointy hexes, all texts along the rows)."""
        return self._across_texts if self.grid.flat else self._along_texts

    @property
    def row_texts(self) -> list[str]:
        """The texts of the rows, from the top down (of flat-top hexes, all texts along the columns)."""
        return self._along_texts if self.grid.flat else self._across_texts

    def texts(self, cell: int) -> tuple[str, str]:
        """Return the column text and the row text of a hex, without the separator."""
        row, column = divmod(cell, self.grid.columns)
        line, position = (column, row) if self.grid.flat else (row, column)
        across, along = self._across_texts[line], self._along_texts[self._along_index(line, position)]
        return (across, along) if self.grid.flat else (along, across)

    @cached_property
    def _across_index(self) -> dict[str, int]:
        return {text: index for index, text in enumerate(self._across_texts)}

    @cached_property
    def _along_numbers(self) -> dict[str, int]:
        return {text: index for index, text in enumerate(self._along_texts)}

    def label(self, cell: int) -> str:
        """Return the label of a cell.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        if not self.grid.has(cell):
            msg = f"no hex has the cell {cell}; cells go from 0 to {self.grid.cells - 1} and must be on the map"
            raise LabelError(msg)
        column_text, row_text = self.texts(cell)
        if self.scheme.order == "row_first":
            column_text, row_text = row_text, column_text
        return f"{column_text}{self.scheme.separator}{row_text}"

    def all(self) -> list[str]:
        """Return the labels of all hexes of the map, in the order of their cells."""
        return [self.label(int(cell)) for cell in self.grid.present.ravel().nonzero()[0]]

    def cell(self, text: str) -> int:
        """Return the cell that carries a label.

        Raises
        ------
        LabelError
            When the text is no label of this scheme, or no hex of the map carries it.
        """
        if not isinstance(text, str):
            msg = f"a hex label is a text such as {self._example!r}, got {shortened(text)}"
            raise LabelError(msg)
        found = self.find(text)
        if found is not None:
            return found
        match = self._pattern.fullmatch(text)
        if match is None:
            hint = self._hint(text)
            msg = f"malformed hex label {shortened(text)}; labels of this map look like {self._example!r}{hint}"
            raise LabelError(msg)
        line = self._across_index.get(self._parts(match)[0])
        msg = f"no hex {shortened(text)} on this map; {self._extent(line)}{self._hint(text)}"
        raise LabelError(msg)

    def find(self, text: str) -> int | None:
        """Return the cell that carries a label, None where no hex of the map does."""
        match = self._pattern.fullmatch(text)
        if match is None:
            return None
        across, along = self._parts(match)
        line, index = self._across_index.get(across), self._along_numbers.get(along)
        if line is None or index is None:
            return None
        position = index - self._offset[line]
        if self._descending:
            position = self._positions - 1 - (self.grid.short and self.grid.shifted(line)) - position
        column, row = (line, position) if self.grid.flat else (position, line)
        if 0 <= column < self.grid.columns and 0 <= row < self.grid.rows and self.grid.present[row, column]:
            return row * self.grid.columns + column
        return None

    def _parts(self, match: re.Match[str]) -> tuple[str, str]:
        """Return the text that names the line, and the one that names the place along it."""
        first, second = match.groups()
        column_text, row_text = (first, second) if self.scheme.order == "column_first" else (second, first)
        return (column_text, row_text) if self.grid.flat else (row_text, column_text)

    def cells(self, texts: list[str] | tuple[str, ...] | str) -> list[int]:
        """Return the cells of one label or of several.

        Raises
        ------
        LabelError
            At the first text that is no label of the map.
        """
        return [self.cell(text) for text in ([texts] if isinstance(texts, str) else texts)]

    @cached_property
    def _example(self) -> str:
        return self.label(int(self.grid.present.ravel().nonzero()[0][0]))

    def _extent(self, line: int | None) -> str:
        if line is None:
            texts = self._across_texts
            return f"its {'columns' if self.grid.flat else 'rows'} go from {texts[0]} to {texts[-1]}"
        count = self._positions - (self.grid.short and self.grid.shifted(line))
        texts = [self._along_texts[self._along_index(line, position)] for position in (0, count - 1)]
        what, along = ("column", "rows") if self.grid.flat else ("row", "columns")
        return f"{what} {self._across_texts[line]} has the {along} {texts[0]} to {texts[1]}"

    def _hint(self, text: str) -> str:
        folded = text.strip().upper()
        if folded != text:
            try:
                self.cell(folded)
            except LabelError:
                return ""
            return f"; did you mean {folded!r}?"
        if self.grid.cells <= 5000:
            found = nearest(text, self.all())
            return f"; {found}" if found.startswith("did") else ""
        return ""

    def tables(self) -> dict[str, Any]:
        """Return what another program needs to write the labels itself.

        Returns
        -------
        dict
            ``columns`` and ``rows`` (texts), ``along`` ("row" or "column": the axis that lines run along), ``offset``
            (per line) and ``sign`` with ``base`` (per line): the text of position p in line i along the lines is
            ``texts[base[i] + sign * p]``; ``order`` and ``separator``. For flat-top maps the older keys ``rowTexts``
            and ``rowOffset`` say the same where rows ascend.
        """
        sign = -1 if self._descending else 1
        base = [self._along_index(line, 0) for line in range(len(self._across_texts))]
        return {
            "columns": self.column_texts,
            "rows": self.row_texts,
            "along": "row" if self.grid.flat else "column",
            "base": base,
            "sign": sign,
            "order": self.scheme.order,
            "separator": self.scheme.separator,
        }
