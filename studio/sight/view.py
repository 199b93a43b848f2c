"""Answers for many locations at once: the field of view of one, and the table of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError, LabelError
from studio.sight.packed import PackedCodes
from studio.sight.sighting import Status
from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.sight.protocol import SightJudge
    from studio.survey import Directory

__all__ = [
    "ABSENT",
    "BLOCKED",
    "CLEAR",
    "HINDERED",
    "STATUSES",
    "TABLE_LIMIT",
    "FieldOfView",
    "SightTable",
    "check_fresh",
]

ABSENT, CLEAR, HINDERED, BLOCKED = 0, 1, 2, 3
STATUSES: tuple[Status | None, ...] = (None, "clear", "hindered", "blocked")
"""What the codes of a plane stand for."""

TABLE_LIMIT = 10_000
"""Most locations of one sight table, which then takes 25 MB."""


class FieldOfView:
    """What one location sees.

    Attributes
    ----------
    directory : Directory
        Locations of the map by number and label.
    start : str
        Label of the location that looks.
    number : int
        Its number.
    codes : array of uint8, shape (len(directory),)
        By number of the location: 0 none, 1 clear, 2 hindered, 3 blocked.
    hindrances : dict of str to int
        How often the line to each hindered location is hindered.
    revision : int
        State of the survey that it was made from.
    """

    def __init__(self, directory: Directory, number: int, codes: NDArray[np.uint8], hindrances: dict[int, int]) -> None:
        self.directory, self.number, self.revision = directory, number, directory.survey.revision
        self.codes: NDArray[np.uint8] = codes.ravel()
        if len(self.codes) < len(directory):
            self.codes = np.concatenate((self.codes, np.zeros(len(directory) - len(self.codes), dtype=np.uint8)))
        self.start = directory.label(number)
        self.hindrances = {directory.label(other): count for other, count in sorted(hindrances.items())}

    @property
    def plane(self) -> NDArray[np.uint8]:
        """The codes of the hexes; uint8, shape (rows, columns)."""
        grid = self.directory.grid
        return self.codes[: grid.cells].reshape(grid.rows, grid.columns)

    def status(self, label: str) -> Status:
        """Return the verdict for one location.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        found: Status | None = STATUSES[self.codes[self.directory.number(label)]]
        assert found is not None
        return found

    def _labels_with(self, code: int) -> list[str]:
        return [self.directory.label(number) for number in np.flatnonzero(self.codes == code).tolist()]

    @property
    def clear(self) -> list[str]:
        """Labels of the locations seen clearly."""
        return self._labels_with(CLEAR)

    @property
    def blocked(self) -> list[str]:
        """Labels of the locations that are not seen."""
        return self._labels_with(BLOCKED)

    @property
    def visible_count(self) -> int:
        """Number of locations seen, hindered ones included."""
        return int(((self.codes == CLEAR) | (self.codes == HINDERED)).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return the field of view as plain data for JSON."""
        return {
            "from": self.start,
            "clear": self.clear,
            "hindered": dict(self.hindrances),
            "blocked": self.blocked,
        }

    def to_frame(self) -> GeoDataFrame:
        """Return the verdicts as a GeoDataFrame, indexed by label, with status, hindrances and outline.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "map.field_of_view(...)")
        frame = self.directory.survey.locations()[["kind", "geometry"]].copy()
        numbers = self.directory.numbers
        frame.insert(0, "status", [STATUSES[code] for code in self.codes[numbers].tolist()])
        frame.insert(1, "hindrances", [self.hindrances.get(label, 0) for label in frame.index])
        return frame

    def __repr__(self) -> str:
        total = int((self.codes != ABSENT).sum())
        noun = "locations" if self.directory.others else "hexes"
        return f"FieldOfView({self.start!r}, sees {self.visible_count} of {total} {noun})"


class SightTable:
    """Verdicts of all ordered pairs of locations.

    Attributes
    ----------
    numbers : array of int64, shape (locations,)
        Numbers of the locations, in the order of the table.
    names : list of str
        Their labels.
    packed : PackedCodes
        The codes: 1 clear, 2 hindered, 3 blocked.
    """

    def __init__(self, directory: Directory, codes: NDArray[np.uint8] | PackedCodes) -> None:
        self.directory, self.revision = directory, directory.survey.revision
        self.numbers = directory.numbers
        self.packed = codes if isinstance(codes, PackedCodes) else PackedCodes.from_array(codes)
        self.names = [directory.label(number) for number in self.numbers.tolist()]
        self._at = {number: index for index, number in enumerate(self.numbers.tolist())}

    def _index(self, label: str) -> int:
        number = self.directory.number(label)
        if number not in self._at:
            msg = f"{label} was no location when the table was made; make it anew"
            raise LabelError(msg)
        return self._at[number]

    def status(self, a: str, b: str) -> Status:
        """Return the verdict of the line from one location to another.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        found: Status | None = STATUSES[self.packed.get(self._index(a), self._index(b))]
        assert found is not None
        return found

    def codes_from(self, a: str) -> NDArray[np.uint8]:
        """Return the codes of the lines from one location, in the order of `names`; uint8, shape (locations,).

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        return self.packed.row(self._index(a))

    def to_array(self) -> NDArray[np.uint8]:
        """Return all codes, one byte each; uint8, shape (locations, locations), in the order of `names`."""
        return self.packed.to_array()

    def rows(self) -> Iterator[tuple[str, str, Status]]:
        """Yield every ordered pair with its verdict."""
        for i, a in enumerate(self.names):
            for b, code in zip(self.names, self.packed.row(i).tolist(), strict=True):
                status = STATUSES[code]
                assert status is not None
                yield a, b, status

    def seen_counts(self) -> NDArray[np.int64]:
        """Return how many locations each one sees, itself included; int64, in the order of `names`."""
        counts = [
            ((codes == CLEAR) | (codes == HINDERED)).sum(axis=1)
            for codes in (self.packed.rows(slice(first, first + 256)) for first in range(0, len(self.names), 256))
        ]
        return np.concatenate(counts) if counts else np.empty(0, dtype=np.int64)

    def to_frame(self) -> GeoDataFrame:
        """Return a GeoDataFrame of the locations, indexed by label, with how many others each sees and the share.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "map.sight_table()")
        frame = self.directory.survey.locations()[["kind", "geometry"]].copy()
        others = self.seen_counts() - 1
        frame.insert(0, "sees", others)
        frame.insert(1, "share", others / max(1, len(self.names) - 1))
        return frame

    def __repr__(self) -> str:
        pairs = len(self.names) ** 2
        share = 1 - int(self.packed.counts()[BLOCKED]) / pairs if pairs else 0.0
        noun = "locations" if self.directory.others else "hexes"
        return f"SightTable({len(self.names)} {noun}, {share:.0%} of the pairs see each other)"


def make_table(
    directory: Directory, judge: SightJudge, progress: Callable[[int, int], None] | None = None
) -> SightTable:
    """Make the sight table of a map.

    Parameters
    ----------
    directory : Directory
        Locations of the map.
    judge : SightJudge
        Of the map as it is.
    progress : callable, optional
        Called with how much is done, and of how much.

    Raises
    ------
    GridError
        When the map has more than ``TABLE_LIMIT`` locations; the error says what the table would cost.
    """
    numbers = directory.numbers
    check_table_size(len(numbers))
    codes = judge.table(numbers, progress)
    if codes is None:
        codes = PackedCodes(len(numbers))
        for index, number in enumerate(numbers.tolist()):
            row = judge.field(number)[0].ravel()
            codes.set_row(index, row[numbers])
            if progress is not None:
                progress(index + 1, len(numbers))
    return SightTable(directory, codes)


def check_table_size(count: int) -> None:
    """Refuse a table of more locations than there may be.

    Raises
    ------
    GridError
        Saying what the table would cost, and what to ask instead.
    """
    if count <= TABLE_LIMIT:
        return
    pairs = count**2
    msg = (
        f"a sight table of {count:,} locations would hold {pairs / 1e6:,.0f} million pairs, take {pairs / 4e6:,.0f} MB "
        f"and some {pairs / 3e6 / 60:,.0f} minutes; the limit is {TABLE_LIMIT:,} locations. "
        "Ask for fields of view of the locations that matter: map.field_of_view(label), or map.exposure(labels) for "
        "several at once"
    )
    raise GridError(msg)
