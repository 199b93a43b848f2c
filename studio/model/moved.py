"""Where the hexes of a map went, and what they are called now: for all that names hexes and is no part of the map."""

from __future__ import annotations

from typing import Any, NamedTuple

from studio.grid import LINE_STEP, STEP, Labels

__all__ = ["ROAD", "Moved"]

ROAD = " road"
"""What follows the label of a hex in the label of the road in it."""


class Moved(NamedTuple):
    """How a change moved or renamed the hexes of a map.

    Attributes
    ----------
    before, after : Labels
        The labels, bound to the grids before and after the change.
    left, top : int
        Columns added on the left and rows added at the top; negative where they were removed.
    gone : frozenset of str
        Labels of drawn places that are there no more.
    """

    before: Labels
    after: Labels
    left: int = 0
    top: int = 0
    gone: frozenset[str] = frozenset()

    @property
    def back(self) -> Moved:
        """The way back."""
        return Moved(self.after, self.before, -self.left, -self.top)

    @property
    def away(self) -> tuple[int, int]:
        """How far everything moved on the lattice, in x and y."""
        wide, high = (LINE_STEP, STEP) if self.after.grid.flat else (STEP, LINE_STEP)
        return wide * self.left, high * self.top

    def cell(self, cell: int) -> int | None:
        """Return the cell that a hex has now, None where it is gone."""
        row, column = divmod(cell, self.before.grid.columns)
        row, column = row + self.top, column + self.left
        grid = self.after.grid
        if 0 <= column < grid.columns and 0 <= row < grid.rows and grid.present[row, column]:
            return row * grid.columns + column
        return None

    def label(self, text: str) -> str | None:
        """Return the new label of a hex or of the road in it, None where it is gone; labels of drawn places stay."""
        found = self.before.find(text.removesuffix(ROAD))
        if found is None:
            return None if text in self.gone else text
        cell = self.cell(found)
        if cell is None:
            return None
        return self.after.label(cell) + (ROAD if text.endswith(ROAD) else "")

    def limit(self, text: str, axis: str, *, last: bool) -> str | None:
        """Return the new text of a column or row that bounds a part of the map.

        Parameters
        ----------
        text : str
            As it is printed on the map.
        axis : {"columns", "rows"}
        last : bool
            The part ends with it; else it begins with it.

        Returns
        -------
        str or None
            Empty where the part reaches to the edge of the map now. None where nothing of it is left, or no one column
            or row bounds it any more.
        """
        old, new = self.before.tables(), self.after.tables()
        if text not in old[axis]:
            return text
        number = old[axis].index(text)
        found = {number + self._across} if axis != _along(old) else self._along_numbers(old, new, axis, number)
        if len(found) != 1:
            return None
        place = found.pop()
        if 0 <= place < len(new[axis]):
            return str(new[axis][place])
        beyond = place >= len(new[axis])
        return "" if beyond == last else None

    @property
    def _across(self) -> int:
        return self.left if self.before.grid.flat else self.top

    def _along_numbers(self, old: dict[str, Any], new: dict[str, Any], axis: str, number: int) -> set[int]:
        """Return the numbers, among the texts along the lines, that all hexes with one text have now."""
        grid, shift = self.before.grid, self.top if self.before.grid.flat else self.left
        places = grid.rows if grid.flat else grid.columns
        found = set()
        for line, base in enumerate(old["base"]):
            place = (number - base) * old["sign"]
            if 0 <= place < places and 0 <= line + self._across < len(new["base"]):
                found.add(new["base"][line + self._across] + new["sign"] * (place + shift))
        return found


def _along(tables: dict[str, Any]) -> str:
    """Return the axis along which the lines of hexes run."""
    return "rows" if tables["along"] == "row" else "columns"
