"""Finding out how the hexes of a map are named from some of its labels and where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from studio.errors import GridError
from studio.grid import Axis, HexGrid, Labels, LabelScheme
from studio.grid.labels import Style

__all__ = ["Named", "guess_scheme"]

_MOST = 20_000  # candidates that are looked at, far more than any printed scheme takes


class Named(NamedTuple):
    """A label and the raw column and row of its hex."""

    column: int
    row: int
    label: str


class _Split(NamedTuple):
    """A label in its two parts, and which is the column."""

    separator: str
    column: str
    row: str
    order: str


def guess_scheme(grid: HexGrid, named: Sequence[Named]) -> LabelScheme | None:
    """Return a label scheme that gives every hex named the label that it has; None where none does.

    Parameters
    ----------
    grid : HexGrid
    named : sequence of Named
        The more of them, the surer the scheme; one of an even and one of an odd line are the least.
    """
    known = [one for one in named if grid.has(one.row * grid.columns + one.column)]
    if not known or len(known) < len(named):
        return None
    probes = _probes(grid, known)
    for number, scheme in enumerate(_candidates(grid, probes)):
        if number > _MOST:
            return None
        try:
            labels = Labels(scheme, grid)
        except GridError:
            continue
        if all(labels.find(one.label) == one.row * grid.columns + one.column for one in (*probes, *known)):
            return scheme
    return None


def _probes(grid: HexGrid, known: Sequence[Named]) -> list[Named]:
    """Return one hex of an even line and, where there is one, one of an odd line."""
    line = [(one.column if grid.flat else one.row) % 2 for one in known]
    return [known[line.index(parity)] for parity in (0, 1) if parity in line]


def _splits(label: str) -> Iterator[_Split]:
    """Yield the ways in which a label may be two parts."""
    found = re.fullmatch(r"(-?[0-9]+|[A-Z]+)([^A-Za-z0-9]{1,9})(-?[0-9]+|[A-Z]+)", label)
    pairs = [(found[1], found[2], found[3])] if found else []
    mixed = re.fullmatch(r"([A-Z]+)(-?[0-9]+)|([0-9]+)([A-Z]+)", label)
    if mixed:
        parts = [part for part in mixed.groups() if part is not None]
        pairs.append((parts[0], "", parts[1]))
    if re.fullmatch(r"[0-9]{2,}|[A-Z]{2,}", label):
        middle = len(label) // 2
        cuts = sorted(range(1, len(label)), key=lambda cut: (abs(cut - middle), cut))
        pairs += [(label[:cut], "", label[cut:]) for cut in cuts]
    for first, separator, second in pairs:
        yield _Split(separator, first, second, "column_first")
        yield _Split(separator, second, first, "row_first")


def _axes(text: str) -> Iterator[tuple[Style, int, int]]:
    """Yield style, padding and value of a text."""
    if not text.isalpha():
        if len(text.lstrip("-")) > 1:
            yield "numbers", len(text), int(text)
        yield "numbers", 0, int(text)
        return
    value = 0
    for letter in text:
        value = value * 26 + ord(letter) - 64
    yield "letters", 0, value
    if len(set(text)) == 1:
        yield "doubled_letters", 0, (len(text) - 1) * 26 + ord(text[0]) - 64


def _candidates(grid: HexGrid, probes: Sequence[Named]) -> Iterator[LabelScheme]:
    first = probes[0]
    for split in _splits(first.label):
        for style_c, pad_c, value_c in _axes(split.column):
            for style_r, pad_r, value_r in _axes(split.row):
                for down_c, down_r in ((False, False), (False, True), (True, False), (True, True)):
                    columns = Axis(style=style_c, pad=pad_c, start=1, descending=down_c)
                    rows = Axis(style=style_r, pad=pad_r, start=1, descending=down_r)
                    yield from _starts(grid, probes, split, columns, rows, (value_c, value_r))


def _starts(
    grid: HexGrid, probes: Sequence[Named], split: _Split, columns: Axis, rows: Axis, values: tuple[int, int]
) -> Iterator[LabelScheme]:
    """Yield schemes whose counts begin so that the first probe has its label."""
    for slant in (0, -1, 1):
        made = _begun(grid, probes[0], split, (columns, rows), values, slant)
        yield made
        if len(probes) > 1:
            for step in (-1, 1):
                along = made.rows if grid.flat else made.columns
                # The first line may be the odd one of the two, so that either may be the one that differs.
                yield _replaced(made, staggered_start=along.start + step)


def _begun(
    grid: HexGrid, probe: Named, split: _Split, axes: tuple[Axis, Axis], values: tuple[int, int], slant: int
) -> LabelScheme:
    columns, rows = axes
    places = [probe.column, probe.row]
    sizes = (grid.columns, grid.rows)
    line = probe.column if grid.flat else probe.row
    short = int(grid.short and bool(grid.shifted(line)))
    starts = []
    for number, axis in enumerate((columns, rows)):
        along = number == (1 if grid.flat else 0)
        place = sizes[number] - 1 - (short if along else 0) - places[number] if axis.descending else places[number]
        starts.append(values[number] - place - (slant * (line // 2) if along else 0))
    return LabelScheme(
        columns=_replaced_axis(columns, starts[0]),
        rows=_replaced_axis(rows, starts[1]),
        order="column_first" if split.order == "column_first" else "row_first",
        separator=split.separator,
        slant=slant,  # type: ignore[arg-type]
    )


def _replaced_axis(axis: Axis, start: int) -> Axis:
    return Axis(style=axis.style, pad=axis.pad, start=start, descending=axis.descending)


def _replaced(scheme: LabelScheme, *, staggered_start: int) -> LabelScheme:
    return LabelScheme(
        columns=scheme.columns,
        rows=scheme.rows,
        order=scheme.order,
        separator=scheme.separator,
        staggered_start=staggered_start,
        slant=scheme.slant,
    )
