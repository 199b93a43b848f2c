"""Answers for many hexes at once: the field of view of one hex, and the table of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.grid import Labels
from studio.sight.sighting import Status

if TYPE_CHECKING:
    from studio.sight.protocol import SightJudge

__all__ = ["ABSENT", "BLOCKED", "CLEAR", "HINDERED", "STATUSES", "TABLE_LIMIT", "FieldOfView", "SightTable"]

ABSENT, CLEAR, HINDERED, BLOCKED = 0, 1, 2, 3
STATUSES: tuple[Status | None, ...] = (None, "clear", "hindered", "blocked")
"""What the codes of a plane stand for."""

TABLE_LIMIT = 10_000
"""Most hexes of one sight table; it holds one byte an ordered pair."""


class FieldOfView:
    """What one hex sees.

    Attributes
    ----------
    start : str
        Label of the hex that looks.
    plane : array of uint8, shape (rows, columns)
        0 no hex, 1 clear, 2 hindered, 3 blocked.
    hindrances : dict of str to int
        How often the line to each hindered hex is hindered.
    """

    def __init__(self, labels: Labels, cell: int, plane: NDArray[np.uint8], hindrances: dict[int, int]) -> None:
        self.labels, self.cell, self.plane = labels, cell, plane
        self.start = labels.label(cell)
        self.hindrances = {labels.label(other): count for other, count in sorted(hindrances.items())}

    def status(self, label: str) -> Status:
        """Return the verdict for one hex.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        found: Status | None = STATUSES[self.plane.flat[self.labels.cell(label)]]
        assert found is not None
        return found

    def _labels_with(self, code: int) -> list[str]:
        return [self.labels.label(int(cell)) for cell in np.flatnonzero(self.plane.ravel() == code)]

    @property
    def clear(self) -> list[str]:
        """Labels of the hexes seen clearly."""
        return self._labels_with(CLEAR)

    @property
    def blocked(self) -> list[str]:
        """Labels of the hexes that are not seen."""
        return self._labels_with(BLOCKED)

    @property
    def visible_count(self) -> int:
        """Number of hexes seen, hindered ones included."""
        return int(((self.plane == CLEAR) | (self.plane == HINDERED)).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return the field of view as plain data for JSON."""
        return {
            "from": self.start,
            "clear": self.clear,
            "hindered": dict(self.hindrances),
            "blocked": self.blocked,
        }

    def __repr__(self) -> str:
        total = int((self.plane != ABSENT).sum())
        return f"FieldOfView({self.start!r}, sees {self.visible_count} of {total} hexes)"


class SightTable:
    """Verdicts of all ordered pairs of hexes.

    Attributes
    ----------
    names : list of str
        Labels in the order of the table.
    """

    def __init__(self, labels: Labels, cells: NDArray[np.int64], codes: NDArray[np.uint8]) -> None:
        self.labels, self.cells, self._codes = labels, cells, codes
        self.names = [labels.label(int(cell)) for cell in cells]
        self._at = {int(cell): index for index, cell in enumerate(cells)}

    def status(self, a: str, b: str) -> Status:
        """Return the verdict of the line from one hex to another.

        Raises
        ------
        LabelError
            When the map has no such hex.
        """
        found: Status | None = STATUSES[self._codes[self._at[self.labels.cell(a)], self._at[self.labels.cell(b)]]]
        assert found is not None
        return found

    def to_array(self) -> NDArray[np.uint8]:
        """Return the codes (1 clear, 2 hindered, 3 blocked); uint8, shape (hexes, hexes), in the order of `names`."""
        return self._codes

    def rows(self) -> Iterator[tuple[str, str, Status]]:
        """Yield every ordered pair with its verdict."""
        for i, a in enumerate(self.names):
            for j, b in enumerate(self.names):
                status = STATUSES[self._codes[i, j]]
                assert status is not None
                yield a, b, status

    def __repr__(self) -> str:
        share = float((self._codes != BLOCKED).mean()) if self._codes.size else 0.0
        return f"SightTable({len(self.names)} hexes, {share:.0%} of the pairs see each other)"


def make_table(labels: Labels, judge: SightJudge, progress: Callable[[int, int], None] | None = None) -> SightTable:
    """Make the sight table of a map.

    Parameters
    ----------
    labels : Labels
    judge : SightJudge
        Of the map as it is.
    progress : callable, optional
        Called with how much is done, and of how much.

    Raises
    ------
    GridError
        When the map has more than ``TABLE_LIMIT`` hexes.
    """
    cells = np.flatnonzero(labels.grid.present).astype(np.int64)
    if len(cells) > TABLE_LIMIT:
        pairs = len(cells) ** 2
        msg = (
            f"a sight table of {len(cells)} hexes would hold {pairs / 1e6:,.0f} million pairs and take "
            f"{pairs / 1e6:,.0f} MB; the limit is {TABLE_LIMIT} hexes. Ask for fields of view of the hexes that matter"
        )
        raise GridError(msg)
    codes = judge.table(cells, progress)
    if codes is None:
        codes = np.empty((len(cells), len(cells)), dtype=np.uint8)
        for index, cell in enumerate(cells.tolist()):
            codes[index] = judge.field(cell)[0].ravel()[cells]
            if progress is not None:
                progress(index + 1, len(cells))
    return SightTable(labels, cells, codes)
