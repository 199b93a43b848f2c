"""Labels of a joint grid: each hex has the name that it bears on its own map, with a prefix to tell maps apart."""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

from studio.errors import GridError, LabelError, nearest, shortened
from studio.grid.hexgrid import HexGrid
from studio.grid.labels import Labels, LabelScheme
from studio.grid.parts import PartIndex

__all__ = ["NamedSheet", "PrefixError", "SheetLabels", "bind_labels", "prefixes_to_try"]

_HINTED = 5000  # cells up to which a wrong label is compared with all others


class PrefixError(GridError):
    """A label that would name two things of a joint map, since the prefixes of two sheets do not tell them apart.

    Parameters
    ----------
    clash : str
        What bears the label twice.
    remedy : str
        A prefix with which it would not.
    """

    def __init__(self, clash: str, remedy: str) -> None:
        self.clash = clash
        super().__init__(f"{clash}; {remedy}")


def prefixes_to_try() -> Iterator[str]:
    """Yield prefixes that are short and clear, one of which tells a map from others."""
    letters = [*string.ascii_uppercase[1:], "A"]
    yield from letters
    yield from (f"{letter}-" for letter in letters)


class NamedSheet(Protocol):
    """What labels need to know of a map on a joint grid."""

    @property
    def id(self) -> str:
        """Name in messages and files."""

    @property
    def labels(self) -> LabelScheme:
        """How its hexes are named where it stands alone."""

    @property
    def prefix(self) -> str:
        """Text before each of its labels."""


def bind_labels(scheme: LabelScheme, grid: HexGrid, sheets: Sequence[NamedSheet] = ()) -> Labels:
    """Bind the labels of a map, or of the sheets of a joint one, to the grid.

    Raises
    ------
    GridError
        When two hexes would carry one label, or the sheets are not as many as the parts of the grid.
    """
    if not sheets and grid.joint is None:
        return Labels(scheme, grid)
    return SheetLabels(sheets, grid)


class SheetLabels(Labels):
    """The labels of a joint grid.

    A hex in which two sheets meet has the name of the first of them; that of the other is understood as well.

    Parameters
    ----------
    sheets : sequence of NamedSheet
        One a part of the grid.
    grid : HexGrid

    Attributes
    ----------
    own : tuple of Labels
        Labels of each sheet where it stands alone.

    Raises
    ------
    GridError
        When two hexes would carry one label, or the sheets are not as many as the parts of the grid.
    """

    def __init__(self, sheets: Sequence[NamedSheet], grid: HexGrid) -> None:
        if grid.joint is None or len(sheets) != len(grid.parts):
            msg = (
                f"sheets: got {len(sheets)} for a grid of {len(grid.parts)} parts; each part of the grid is one sheet, "
                "and a map without parts has no sheets"
            )
            raise GridError(msg)
        self.sheets, self.grid, self.scheme = tuple(sheets), grid, sheets[0].labels
        self.parts: PartIndex = grid.joint
        ids = [sheet.id for sheet in sheets]
        if len(set(ids)) < len(ids):
            msg = (
                f"sheets: two have the id {next(one for one in ids if ids.count(one) > 1)!r}; give each one of its own"
            )
            raise GridError(msg)
        self.own = tuple(self._own(number) for number in range(len(sheets)))
        prefixes = [sheet.prefix for sheet in sheets]
        for second in range(len(sheets)):
            for first in range(second):
                text = self._twice(first, second, prefixes)
                if text:
                    raise self._clash(first, second, text)

    def _own(self, number: int) -> Labels:
        try:
            return Labels(self.sheets[number].labels, self.parts.grids[number])
        except GridError as error:
            msg = f"sheet {self.sheets[number].id}: {error}"
            raise GridError(msg) from error

    def _twice(self, first: int, second: int, prefixes: Sequence[str]) -> str:
        """Return a text that names a hex of one sheet and another hex of another; empty where none does."""
        one, two = prefixes[first], prefixes[second]
        if not (one.startswith(two) or two.startswith(one)):
            return ""
        small, large = sorted((first, second), key=lambda number: self.own[number].grid.cells)
        lead, start = prefixes[small], prefixes[large]
        for own in self.own[small].grid.present.ravel().nonzero()[0].tolist():
            text = lead + self.own[small].label(own)
            other = self.own[large].find(text[len(start) :]) if text.startswith(start) else None
            if other is not None and self.parts.joint_cell(large, other) != self.parts.joint_cell(small, own):
                return text
        return ""

    def _clash(self, first: int, second: int, text: str) -> PrefixError:
        """Return the error of two sheets that share a label, with a prefix for the second that was tried."""
        sheets, others = self.sheets, [number for number in range(len(self.sheets)) if number != second]

        def tells(prefix: str) -> bool:
            prefixes = [prefix if number == second else sheet.prefix for number, sheet in enumerate(sheets)]
            return not any(self._twice(min(other, second), max(other, second), prefixes) for other in others)

        clash = (
            f"labels: {text!r} names a hex of the sheet {sheets[first].id!r} and another one of the sheet "
            f"{sheets[second].id!r}"
        )
        good = next(filter(tells, prefixes_to_try()), "")
        example = f", such as {good!r}" if good else ""
        return PrefixError(clash, f"give {sheets[second].id!r} another prefix{example}")

    def sheet_number(self, sheet_id: str) -> int:
        """Return the place of a sheet in the list of them.

        Raises
        ------
        LabelError
            When the map has no such sheet.
        """
        ids = [sheet.id for sheet in self.sheets]
        if sheet_id not in ids:
            msg = f"no sheet {shortened(sheet_id)} on this map; {nearest(str(sheet_id), ids)}"
            raise LabelError(msg)
        return ids.index(sheet_id)

    def label(self, cell: int) -> str:
        """Return the label of a cell: that of the first sheet that has the hex.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        number = int(self.parts.owner[cell]) if 0 <= cell < self.grid.cells else -1
        own = self.parts.own_cell(number, cell) if number >= 0 else None
        if own is None:
            msg = f"no hex has the cell {cell}; cells go from 0 to {self.grid.cells - 1} and must be on the map"
            raise LabelError(msg)
        return self.sheets[number].prefix + self.own[number].label(own)

    def texts(self, cell: int) -> tuple[str, str]:
        """Return the column text and the row text of a hex on its first sheet.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        self.label(cell)
        number = int(self.parts.owner[cell])
        return self.own[number].texts(self.parts.own_cell(number, cell) or 0)

    @property
    def column_texts(self) -> list[str]:
        """The texts of the columns of all sheets, one after the other."""
        return [text for own in self.own for text in own.column_texts]

    @property
    def row_texts(self) -> list[str]:
        """The texts of the rows of all sheets, one after the other."""
        return [text for own in self.own for text in own.row_texts]

    def find(self, text: str) -> int | None:
        """Return the cell that carries a label on one of the sheets, None where no hex of the map does."""
        for number, sheet in enumerate(self.sheets):
            if text.startswith(sheet.prefix):
                own = self.own[number].find(text[len(sheet.prefix) :])
                if own is not None:
                    return self.parts.joint_cell(number, own)
        return None

    def cell(self, text: str) -> int:
        """Return the cell that carries a label on one of the sheets.

        Raises
        ------
        LabelError
            When no hex of the map carries it.
        """
        found = self.find(text) if isinstance(text, str) else None
        if found is not None:
            return found
        meant = [
            number for number, sheet in enumerate(self.sheets) if sheet.prefix and str(text).startswith(sheet.prefix)
        ]
        near = ""
        if isinstance(text, str) and self.grid.cells <= _HINTED:
            hint = nearest(text, self.all())
            near = f"; {hint}" if hint.startswith("did") else ""
        shown = meant or range(min(len(self.sheets), 8))
        spans = ", ".join(f"{self.sheets[number].id} from {self._span(number)}" for number in shown)
        msg = f"no hex {shortened(text)} on this map; its sheets: {spans}{near}"
        raise LabelError(msg)

    def _span(self, number: int) -> str:
        cells = self.own[number].grid.present.ravel().nonzero()[0]
        ends = [self.sheets[number].prefix + self.own[number].label(int(cell)) for cell in cells[[0, -1]]]
        return " to ".join(ends)

    @cached_property
    def second_names(self) -> dict[str, int]:
        """The names of the hexes in which sheets meet that the later sheets have for them, with their cells."""
        found: dict[str, int] = {}
        for cell, numbers in self.parts.shared.items():
            for number in numbers[1:]:
                own = self.parts.own_cell(number, cell)
                if own is not None:
                    found[self.sheets[number].prefix + self.own[number].label(own)] = cell
        return found

    def tables(self) -> dict[str, Any]:
        """Return what another program needs to write the labels itself.

        Returns
        -------
        dict
            ``sheets``: a list with the tables of each sheet as :meth:`Labels.tables` gives them, with its ``id``,
            ``prefix``, the size of its own rectangle (``columns``, ``rows`` in ``size``), ``stagger``, ``short`` and
            ``q``, ``r``, ``turned``, which lay it on the joint grid.
        """
        return {
            "sheets": [
                {
                    **own.tables(),
                    "id": sheet.id,
                    "prefix": sheet.prefix,
                    "size": [part.columns, part.rows],
                    "stagger": part.stagger,
                    "short": part.short,
                    "q": part.q,
                    "r": part.r,
                    "turned": part.turned,
                }
                for own, sheet, part in zip(self.own, self.sheets, self.grid.parts, strict=True)
            ]
        }
