"""The frame of a map after rows and columns were added or removed: its grid, where its hexes go, their new labels.

Hexes go by whole lines and whole places along them. A line that was shifted by half a hex stays shifted, so an odd
number of lines before the first one turns the stagger of the grid round, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from studio.errors import EditError, GridError
from studio.grid import LINE_STEP, MAX_SIZE, STEP, Axis, HexGrid, Labels, LabelScheme
from studio.model.edits import Resize

__all__ = ["Frame", "crop_edit", "frame_after"]

_EDGES = ("left", "right", "top", "bottom")


class Frame(NamedTuple):
    """A frame and the way to it.

    Attributes
    ----------
    grid : HexGrid
    labels : Labels
    away : (x, y)
        How far everything moves on the lattice.
    """

    grid: HexGrid
    labels: Labels
    away: tuple[int, int]


def frame_after(grid: HexGrid, labels: Labels, edit: Resize) -> Frame:
    """Return the frame that a map has after an edit of its size.

    Raises
    ------
    EditError
        When there is no such frame, or the labels cannot be kept.
    """
    if grid.joint is not None:
        msg = (
            f"resize: this map holds {len(grid.parts)} sheets that fit each other at their edges; resize the single "
            "maps and join them again (studio.join_maps)"
        )
        raise EditError(msg)
    _check(grid, edit)
    first = edit.left if grid.flat else edit.top
    stagger = grid.stagger if first % 2 == 0 else ("even" if grid.stagger == "odd" else "odd")
    columns, rows = grid.columns + edit.left + edit.right, grid.rows + edit.top + edit.bottom
    after: HexGrid = msgspec.structs.replace(grid, columns=columns, rows=rows, stagger=stagger)
    across, along = (edit.left, edit.top) if grid.flat else (edit.top, edit.left)
    away = (LINE_STEP * across, STEP * along)
    keep = edit.labels == "keep"
    scheme = kept_scheme(labels.scheme, grid, edit) if keep else renumbered_scheme(labels.scheme, grid, edit)
    try:
        named = Labels(scheme, after)
    except GridError as error:
        remedy = "renumber the labels, or give the map another scheme first" if keep else "set other labels first"
        msg = f"resize: {columns} x {rows} hexes cannot have such labels: {error}. Remedy: {remedy}"
        raise EditError(msg) from error
    if keep:
        _check_kept(labels, named, edit)
    return Frame(after, named, away if grid.flat else (away[1], away[0]))


def _check(grid: HexGrid, edit: Resize) -> None:
    numbers = [getattr(edit, edge) for edge in _EDGES]
    for edge, number in zip(_EDGES, numbers, strict=True):
        if abs(number) > MAX_SIZE:
            msg = f"resize: {edge}: got {number}, allowed -{MAX_SIZE} to {MAX_SIZE}"
            raise EditError(msg)
    if not any(numbers):
        msg = "resize: got no columns and no rows to add or remove; give a number for an edge, such as left=1"
        raise EditError(msg)
    for what, size, one, two in (
        ("column", grid.columns, edit.left, edit.right),
        ("row", grid.rows, edit.top, edit.bottom),
    ):
        gone = -min(one, 0) - min(two, 0)
        if gone >= size:
            msg = f"resize: {gone} of {size} {what}s would go; at least one {what} stays"
            raise EditError(msg)
        if size + one + two > MAX_SIZE:
            msg = f"resize: the map would have {size + one + two} {what}s, allowed {MAX_SIZE}; split it into several"
            raise EditError(msg)


def crop_edit(grid: HexGrid, cells: Sequence[int]) -> Resize:
    """Return the edit that reduces a map to the smallest frame around some hexes; it changes nothing where that is all.

    Parameters
    ----------
    grid : HexGrid
    cells : sequence of int
    """
    rows, columns = np.divmod(np.array(cells), grid.columns)
    ends = [int(columns.max()) + 1, int(rows.max()) + 1]
    if grid.short:
        # A short line ends one place before the others, so that the frame around its last hex is one place longer.
        lines, places = (columns, rows) if grid.flat else (rows, columns)
        shifted = np.array([grid.shifted(int(line)) for line in lines])
        ends[1 if grid.flat else 0] = int((places + shifted).max()) + 1
    right, bottom = min(ends[0] - grid.columns, 0), min(ends[1] - grid.rows, 0)
    return Resize(left=-int(columns.min()), right=right, top=-int(rows.min()), bottom=bottom)


# -- labels ----------------------------------------------------------------------------------------------------------


def _firsts(scheme: LabelScheme, flat: bool) -> tuple[int, int]:
    """Return the first numbers along even and odd lines."""
    start = (scheme.rows if flat else scheme.columns).start
    return start, start if scheme.staggered_start is None else scheme.staggered_start


def _with_firsts(scheme: LabelScheme, flat: bool, even: int, odd: int) -> LabelScheme:
    name = "rows" if flat else "columns"
    axis = msgspec.structs.replace(getattr(scheme, name), start=even)
    # A scheme that says so though both are alike goes on saying it: there and back is the same scheme.
    staggered = None if scheme.staggered_start is None and even == odd else odd
    return msgspec.structs.replace(scheme, **{name: axis, "staggered_start": staggered})


def renumbered_scheme(scheme: LabelScheme, grid: HexGrid, edit: Resize) -> LabelScheme:
    """Return the scheme that counts a map of a new size from its first column and row on.

    Lines that began with another number than their neighbours still do after an odd number of lines was put before
    them: the numbers along the lines stay as they are.
    """
    first = edit.left if grid.flat else edit.top
    even, odd = _firsts(scheme, grid.flat)
    if first % 2 == 0:
        return scheme
    return _with_firsts(scheme, grid.flat, odd, even + scheme.slant)


def kept_scheme(scheme: LabelScheme, grid: HexGrid, edit: Resize) -> LabelScheme:
    """Return the scheme in which every hex that stays keeps its label.

    Raises
    ------
    EditError
        When letters would begin before A.
    """
    lines, places = ((edit.left, edit.right), (edit.top, edit.bottom))
    name, other = "columns", "rows"
    if not grid.flat:
        lines, places = places, lines
        name, other = other, name
    across, along = getattr(scheme, name), getattr(scheme, other)
    across = _moved(across, lines[1] if across.descending else lines[0], name)
    scheme = msgspec.structs.replace(scheme, **{name: across})
    even, odd = _firsts(scheme, grid.flat)
    slanted, back = scheme.slant, places[1] if along.descending else places[0]
    if lines[0] % 2:
        even, odd = odd - slanted * (lines[0] + 1) // 2, even - slanted * (lines[0] - 1) // 2
    else:
        even, odd = even - slanted * lines[0] // 2, odd - slanted * lines[0] // 2
    even, odd = (_moved(msgspec.structs.replace(along, start=one), back, other).start for one in (even, odd))
    return _with_firsts(scheme, grid.flat, even, odd)


def _moved(axis: Axis, by: int, what: str) -> Axis:
    """Return an axis that begins so many texts earlier; later for a negative number."""
    lettered, value = axis.style != "numbers", axis.start
    for _ in range(abs(by)):
        value = _written(axis, value, 1) + 1 if by < 0 else _written(axis, value - 1, -1)
        if lettered and value < 1:
            msg = (
                f"resize: the labels cannot be kept: {what} are counted by letters, and none comes before "
                f"{axis.text(1)}; renumber them (labels='renumber')"
            )
            raise EditError(msg)
    return msgspec.structs.replace(axis, start=value)


def _written(axis: Axis, value: int, step: int) -> int:
    """Return the next value, this one included, whose text is not left out."""
    while (axis.style == "numbers" or value > 0) and axis.text(value) in axis.skip:
        value += step
    return value


def _check_kept(before: Labels, after: Labels, edit: Resize) -> None:
    """Refuse labels that are not those that the hexes had, line by line."""
    old, new, flat = before.tables(), after.tables(), before.grid.flat
    across, along = ("columns", "rows") if flat else ("rows", "columns")
    line0, place0 = (edit.left, edit.top) if flat else (edit.top, edit.left)
    lines = len(old[across])
    for line in range(max(0, -line0), min(lines, len(new[across]) - line0)):
        # Texts along a line follow one another, so that the first and the last one decide.
        ends = (max(0, -place0), min(_places(before.grid, line), _places(after.grid, line + line0) - place0) - 1)
        had = [old[along][old["base"][line] + old["sign"] * place] for place in ends]
        base = new["base"][line + line0] + new["sign"] * place0
        has = [new[along][base + new["sign"] * place] for place in ends]
        if old[across][line] != new[across][line + line0] or had != has:
            msg = (
                "resize: the labels cannot be kept: this scheme has no way to count on from "
                f"{old[across][line]} and {had[0]}; renumber them (labels='renumber')"
            )
            raise EditError(msg)


def _places(grid: HexGrid, line: int) -> int:
    """Return how many hexes a line has."""
    return (grid.rows if grid.flat else grid.columns) - int(grid.short and grid.shifted(line))
