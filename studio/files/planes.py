"""Terrain and levels of a map file: rows of characters with a legend, read into arrays; every fault with its hex."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import nearest
from studio.files.faults import MAX_FAULTS, FaultList, json_path, shown
from studio.grid import HexGrid, Labels
from studio.model import LEVEL_LIMITS, Plane

__all__ = ["read_levels", "read_terrain"]

_MAX_LEGEND = 1000
"""Most characters of a legend; no ruleset has as many terrains."""
_CUT = 100
"""Most characters of a text of the file that a message repeats or compares."""


class _Reader:
    """One plane of a map file.

    Parameters
    ----------
    plane : Plane
    name, what : str
        Its key in the document, and what one character of it is.
    grid : HexGrid
    labels : Labels or None
        None when the labels have faults of their own; places are told by row and column then.
    faults : FaultList
    """

    def __init__(
        self, plane: Plane, name: str, what: str, grid: HexGrid, labels: Labels | None, faults: FaultList
    ) -> None:
        self.plane, self.name, self.what = plane, name, what
        self.grid, self.labels, self.faults = grid, labels, faults

    def points(self) -> NDArray[np.uint32] | None:
        """Return the characters as code points, shape (rows, columns); None when the rows do not fit the grid."""
        before, grid, rows = self.faults.count, self.grid, self.plane.rows
        path = f"$.{self.name}.rows"
        if len(rows) != grid.rows:
            message = f"got {len(rows)} rows, allowed {grid.rows} (grid.rows)"
            self.faults.add(path, message, "one text a row of hexes")
        for index, row in enumerate(rows):
            if self.faults.stop():
                break
            if len(row) != grid.columns:
                message = f"row {index + 1} has {len(row)} characters, allowed {grid.columns} (grid.columns)"
                remedy = "one character a hex, a space where there is no hex"
                self.faults.add(f"{path}[{index}]", message, remedy, f"row {index + 1}")
        if self.faults.count > before:
            return None
        points = np.frombuffer("".join(rows).encode("utf-32-le", "surrogatepass"), dtype="<u4")
        return points.reshape(grid.rows, grid.columns)

    def legend(self) -> dict[str, str | int]:
        """Return the entries of the legend that are one character each."""
        sound: dict[str, str | int] = {}
        if len(self.plane.legend) > _MAX_LEGEND:
            message = f"got {len(self.plane.legend)} characters, allowed {_MAX_LEGEND}"
            self.faults.add(f"$.{self.name}.legend", message, "list those that the rows use")
        for mark, value in islice(self.plane.legend.items(), _MAX_LEGEND):
            if self.faults.stop():
                break
            if len(mark) != 1 or mark == " ":
                message = f"got the character {mark[:_CUT]!r}, allowed one character other than a space"
                self.faults.add(
                    json_path([self.name, "legend", mark[:_CUT]]), message, "a space always stands for no hex"
                )
            else:
                sound[mark] = value
        return sound

    def values(
        self,
        points: NDArray[np.uint32],
        codes: Mapping[str, int],
        dtype: Any,
        own: Mapping[str, str],
    ) -> NDArray[Any]:
        """Return the code of every hex, 0 where there is no hex.

        Parameters
        ----------
        points : array of uint32, shape (rows, columns)
        codes : dict of str to int
            What each character of the legend stands for.
        dtype : dtype
            Of the result.
        own : dict of str to str
            Characters that the ruleset itself uses, for a better remedy.
        """
        values, known = _coded(points, codes, dtype)
        space, present = points == ord(" "), self.grid.present
        wrong = (~known & ~space) | (space == present)
        values[~present] = 0
        if wrong.any():
            rows, columns = wrong.nonzero()
            places = zip(rows[: MAX_FAULTS + 1].tolist(), columns[: MAX_FAULTS + 1].tolist(), strict=True)
            for number, (row, column) in enumerate(places):
                if self.faults.full:
                    self.faults.skip(len(rows) - number)
                    break
                message, remedy = self._wrong(chr(points[row, column]), bool(present[row, column]), own)
                path = f"$.{self.name}.rows[{row}][{column}]"
                self.faults.add(path, message, remedy, self._place(row, column))
        return values

    def _place(self, row: int, column: int) -> str:
        text = f"row {row + 1}, column {column + 1}"
        cell = row * self.grid.columns + column
        return f"{text}, hex {self.labels.label(cell)}" if self.labels and self.grid.has(cell) else text

    def _wrong(self, mark: str, present: bool, own: Mapping[str, str]) -> tuple[str, str]:
        """Return message and remedy for a character that cannot stand where it does."""
        near = _near(mark, self.plane.legend)
        if mark == " ":
            return f"got a space (no hex), but the grid has a hex here; {near}", f"give it a {self.what}"
        if not present:
            remedy = "write a space, or make the lines of the grid not `short`"
            return f"got {self.what} code {mark!r}, but the grid has no hex here", remedy
        message = f"unknown {self.what} code {mark!r}; {near}"
        if mark in own:
            return message, f"add {mark!r}: {own[mark]!r} to the legend; that is how the ruleset writes it"
        return message, "use a code of the legend, or add this one to it"


def _coded(points: NDArray[np.uint32], codes: Mapping[str, int], dtype: Any) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """Replace all characters by their codes at once; also return which are known."""
    # A table of all characters up to the highest one: at most a million entries, whatever the file holds.
    size = max(256, int(points.max(initial=0)) + 1)
    table, there = np.zeros(size, dtype=dtype), np.zeros(size, dtype=bool)
    for mark, code in codes.items():
        if ord(mark) < size:
            table[ord(mark)], there[ord(mark)] = code, True
    index = points.astype(np.uint8) if size == 256 else points
    return table[index], there[index]


def _near(mark: str, legend: Mapping[str, str | int], count: int = 3) -> str:
    """Name the codes of a legend that are closest to a character: the other case first, then by alphabet."""
    single = [known for known in legend if len(known) == 1]
    if not single:
        return "the legend is empty"

    def distance(known: str) -> tuple[bool, int]:
        return known.casefold() != mark.casefold(), abs(ord(known.casefold()[0]) - ord(mark.casefold()[0]))

    close = sorted(single, key=distance)[:count]
    texts = ", ".join(f"{known!r} ({legend[known]})" for known in close)
    return f"nearest known codes: {texts}" + (f"; {len(single)} in the legend" if len(single) > count else "")


def read_terrain(
    plane: Plane,
    grid: HexGrid,
    labels: Labels | None,
    characters: Mapping[str, str] | None,
    faults: FaultList,
) -> NDArray[np.uint8] | None:
    """Read the terrain of a map.

    Parameters
    ----------
    plane : Plane
    grid : HexGrid
    labels : Labels or None
    characters : dict of str to str or None
        Terrain ids of the ruleset with their characters; None when the ruleset is unknown.
    faults : FaultList
        Takes every fault.

    Returns
    -------
    array of uint8, shape (rows, columns), or None
        Index into the ids of the ruleset; None when the rows do not fit the grid.
    """
    reader = _Reader(plane, "terrain", "terrain", grid, labels, faults)
    points = reader.points()
    index = {name: number for number, name in enumerate(characters or ())}
    codes: dict[str, int] = {}
    for mark, value in reader.legend().items():
        where = json_path(["terrain", "legend", mark])
        codes[mark] = 0
        if not isinstance(value, str):
            faults.add(where, f"got the number {value}, allowed a terrain id", "write a terrain id in quotes")
        elif value in index:
            codes[mark] = index[value]
        elif characters is not None:
            message = f"unknown terrain {value[:_CUT]!r}; {nearest(value[:_CUT], index)}"
            faults.add(where, message, "use an id of the ruleset")
    if points is None:
        return None
    own = {mark: name for name, mark in (characters or {}).items()}
    return reader.values(points, codes, np.uint8, own)


def read_levels(
    plane: Plane | None,
    grid: HexGrid,
    labels: Labels | None,
    allowed: tuple[int, int],
    faults: FaultList,
) -> NDArray[np.int8] | None:
    """Read the levels of a map.

    Parameters
    ----------
    plane : Plane or None
        None where every hex lies at level 0.
    grid : HexGrid
    labels : Labels or None
    allowed : (int, int)
        Lowest and highest level of the ruleset. Level 0 is always allowed.
    faults : FaultList
        Takes every fault.

    Returns
    -------
    array of int8, shape (rows, columns), or None
        None when there is no plane, or its rows do not fit the grid.
    """
    if plane is None:
        return None
    reader = _Reader(plane, "levels", "level", grid, labels, faults)
    points = reader.points()
    low, high = min(0, max(LEVEL_LIMITS[0], allowed[0])), max(0, min(LEVEL_LIMITS[1], allowed[1]))
    codes: dict[str, int] = {}
    for mark, value in reader.legend().items():
        where = json_path(["levels", "legend", mark])
        codes[mark] = 0
        if not isinstance(value, int):
            faults.add(where, f"got {shown(value)}, allowed a whole number", "write the level without quotes")
        elif not low <= value <= high:
            faults.add(where, f"got level {value}, allowed {low} to {high}", "use a level of the ruleset")
        else:
            codes[mark] = value
    return None if points is None else reader.values(points, codes, np.int8, {})
