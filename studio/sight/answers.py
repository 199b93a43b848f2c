"""Answers for several locations that look at once: how many of them see each location, and what none of them sees.

Both are made from fields of view, one a unit, so that they work on maps of any size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.sight.from_units import FromUnits, fields_from, location_numbers
from studio.sight.sighting import Status
from studio.sight.view import CLEAR, HINDERED

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.sight.protocol import SightJudge
    from studio.survey import Directory

__all__ = ["DeadGround", "Exposure", "Seer", "make_dead_ground", "make_exposure"]


class Seer(NamedTuple):
    """A unit that sees a location, and how: ``"clear"`` or ``"hindered"``."""

    unit: str
    status: Status


class Exposure(FromUnits):
    """How many of some units see each location; the verdicts are those from the unit to the location.

    A unit counts for its own location, too: whoever comes there is seen by it.

    Attributes
    ----------
    units : list of str
        Labels of the locations that look.
    numbers : list of int
        Their numbers.
    counts : array of int32, shape (len(directory),)
        How many units see each location, by number; -1 where there is no location.
    """

    _question = "exposure"

    def __init__(
        self,
        directory: Directory,
        judge: SightJudge,
        numbers: list[int],
        planes: tuple[NDArray[np.uint8], NDArray[np.uint8]],
    ) -> None:
        super().__init__(directory, judge, numbers)
        # Two bits a unit and location: seen, and seen hindered; rows of bits, one row a unit.
        self._seen, self._hindered = planes
        self.counts: NDArray[np.int32] = np.zeros(len(directory), dtype=np.int32)
        for row in self._seen:
            self.counts += np.unpackbits(row, count=len(directory))
        self.counts[~directory.present] = -1

    def status(self, label: str) -> int:
        """Return how many units see a location.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        return int(self.counts[self.directory.number(label)])

    def seers(self, label: str) -> list[Seer]:
        """Return the units that see a location, each with its verdict, in the order of `units`.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        return self._seers(self.directory.number(label))

    def _seers(self, number: int) -> list[Seer]:
        at, bit = number >> 3, 0x80 >> (number & 7)
        return [
            Seer(unit, "hindered" if self._hindered[row, at] & bit else "clear")
            for row, unit in enumerate(self.units)
            if self._seen[row, at] & bit
        ]

    @property
    def seen_count(self) -> int:
        """Number of locations that one unit sees at least."""
        return int((self.counts > 0).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return the exposure as plain data for JSON.

        Returns
        -------
        dict
            ``units``; ``counts`` of every location by label; ``seers`` of those that are seen: unit to status.
        """
        numbers = self.directory.numbers.tolist()
        labels = [self.directory.label(number) for number in numbers]
        counts = self.counts[self.directory.numbers].tolist()
        return {
            "units": list(self.units),
            "counts": dict(zip(labels, counts, strict=True)),
            "seers": {
                label: {seer.unit: seer.status for seer in self._seers(number)}
                for label, number, count in zip(labels, numbers, counts, strict=True)
                if count
            },
        }

    def to_frame(self) -> GeoDataFrame:
        """Return a GeoDataFrame of all locations, indexed by label.

        Returns
        -------
        GeoDataFrame
            count, share (of the units, 0 to 1), units (their labels as one text), kind and geometry.

        Raises
        ------
        StaleAnswerError
            When the map has been changed since.
        """
        frame = self._locations()
        numbers = self.directory.numbers
        counts = self.counts[numbers]
        frame.insert(0, "count", counts)
        frame.insert(1, "share", counts / len(self.units))
        frame.insert(2, "units", [", ".join(seer.unit for seer in self._seers(n)) for n in numbers.tolist()])
        return frame

    def __repr__(self) -> str:
        total = len(self.directory.numbers)
        most = int(self.counts.max(initial=0))
        return f"Exposure({self._lookers}, {self.seen_count} of {total} {self._noun} seen, by {most} at most)"

    def _repr_html_(self) -> str:
        from html import escape

        tally = np.bincount(self.counts[self.counts >= 0], minlength=len(self.units) + 1)
        rows = "".join(
            f"<tr><td>{seen}</td><td>{count}</td></tr>" for seen, count in enumerate(tally.tolist()) if count
        )
        head = f"<b>Exposure to {escape(', '.join(self.units))}</b>"
        return f"{head}<table><tr><th>seen by</th><th>{self._noun}</th></tr>{rows}</table>"


class DeadGround(FromUnits):
    """The locations that none of some units sees.

    Attributes
    ----------
    units : list of str
        Labels of the locations that look.
    numbers : list of int
        Their numbers.
    mask : array of bool, shape (len(directory),)
        True for the locations that no unit sees, by number.
    """

    _question = "dead_ground"

    def __init__(self, directory: Directory, judge: SightJudge, numbers: list[int], mask: NDArray[np.bool_]) -> None:
        super().__init__(directory, judge, numbers)
        self.mask = mask
        # Kept as they are now: the survey makes new ones after a change.
        self._layout, self._neighbours = directory.survey.layout, _with_places(directory)

    @property
    def labels(self) -> list[str]:
        """Labels of the locations that no unit sees, in the order of their numbers."""
        return [self.directory.label(number) for number in np.flatnonzero(self.mask).tolist()]

    @cached_property
    def regions(self) -> NDArray[np.int32]:
        """Connected groups of unseen locations; int32, shape (len(directory),): 1 the largest, and so on, 0 none.

        Hexes hang together where they are adjacent, areas where they share a border, and a place with the area that it
        is part of, where units can be in that; any other location is a group by itself. Of groups of one size the one
        with the lower number comes first.
        """
        groups = self._groups()
        keys, first, at, sizes = np.unique(
            groups[self.mask], return_index=True, return_inverse=True, return_counts=True
        )
        rank = np.empty(len(keys), dtype=np.int32)
        rank[np.lexsort((first, -sizes))] = np.arange(1, len(keys) + 1)
        found = np.zeros(len(groups), dtype=np.int32)
        found[self.mask] = rank[at]
        return found

    def _groups(self) -> NDArray[np.int64]:
        """Return the lowest number, plus 1, of the group of each unseen location."""
        grid, directory = self.directory.grid, self.directory
        groups = np.zeros(len(self.mask), dtype=np.int64)
        hexes = self.mask[: grid.cells].reshape(grid.rows, grid.columns)
        groups[: grid.cells] = self._layout.components(hexes).ravel()
        for location in directory.others:
            if not self.mask[location.number] or groups[location.number]:
                continue
            reached = [location.number]
            groups[location.number] = location.number + 1
            for number in reached:
                for label in self._neighbours.get(directory.label(number), ()):
                    other = directory.number(label)
                    if self.mask[other] and not groups[other]:
                        groups[other] = location.number + 1
                        reached.append(other)
        return groups

    @property
    def sizes(self) -> list[int]:
        """Numbers of locations of the regions, the first region first."""
        return [int(size) for size in np.bincount(self.regions)[1:]]

    def region(self, label: str) -> int:
        """Return the region of a location, 0 where a unit sees it.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        return int(self.regions[self.directory.number(label)])

    def to_dict(self) -> dict[str, Any]:
        """Return the dead ground as plain data for JSON.

        Returns
        -------
        dict
            ``units``; ``unseen`` (how many locations); ``locations`` (how many there are); ``regions``: region, size
            and labels of each, the largest first.
        """
        inside: list[list[str]] = [[] for _ in self.sizes]
        numbers = np.flatnonzero(self.mask)
        for number, region in zip(numbers.tolist(), self.regions[numbers].tolist(), strict=True):
            inside[region - 1].append(self.directory.label(number))
        return {
            "units": list(self.units),
            "unseen": len(numbers),
            "locations": len(self.directory.numbers),
            "regions": [
                {"region": region, "size": len(labels), "labels": labels} for region, labels in enumerate(inside, 1)
            ],
        }

    def to_frame(self) -> GeoDataFrame:
        """Return a GeoDataFrame of the unseen locations, indexed by label, with region, kind and outline.

        Raises
        ------
        StaleAnswerError
            When the map has been changed since.
        """
        numbers = self.directory.numbers
        frame = self._locations()[self.mask[numbers]]
        frame.insert(0, "region", self.regions[numbers][self.mask[numbers]])
        return frame

    def regions_frame(self) -> GeoDataFrame:
        """Return a GeoDataFrame of the regions, indexed by their numbers, with size (locations) and joined outline.

        Raises
        ------
        StaleAnswerError
            When the map has been changed since.
        """
        import shapely
        from geopandas import GeoDataFrame

        frame = self.to_frame()
        shapes = [shapely.union_all(part.to_numpy()) for _, part in frame.geometry.groupby(frame["region"].to_numpy())]
        made = GeoDataFrame({"size": self.sizes}, geometry=shapes, index=range(1, len(shapes) + 1))
        made.index.name = "region"
        return made

    def __repr__(self) -> str:
        total, unseen, regions = len(self.directory.numbers), int(self.mask.sum()), len(self.sizes)
        where = f" in {regions} region{'s' * (regions != 1)}" if unseen else ""
        see = "sees" if len(self.units) == 1 else "see"
        return f"DeadGround({self._lookers} {see} nothing of {unseen} of {total} {self._noun}{where})"

    def _repr_html_(self) -> str:
        from html import escape

        sizes = self.sizes
        rows = "".join(f"<tr><td>{number}</td><td>{size}</td></tr>" for number, size in enumerate(sizes[:20], 1))
        more = f"<tr><td colspan='2'>{len(sizes) - 20} more</td></tr>" if len(sizes) > len(sizes[:20]) else ""
        head = f"<b>Dead ground of {escape(', '.join(self.units))}</b>"
        return f"{head}<table><tr><th>region</th><th>{self._noun}</th></tr>{rows}{more}</table>"


def make_exposure(
    directory: Directory,
    judge: SightJudge,
    units: str | Iterable[str],
    progress: Callable[[int, int], None] | None = None,
) -> Exposure:
    """Count how many units see each location.

    Parameters
    ----------
    directory : Directory
        Locations of the map.
    judge : SightJudge
        Of the map as it is.
    units : str or iterable of str
        Labels of the locations that look.
    progress : callable, optional
        Called with how much is done, and of how much.

    Raises
    ------
    LabelError
        When a label is unknown or named twice, or there is none.
    """
    numbers = location_numbers(directory, units)
    width = -(-len(directory) // 8)
    seen, hindered = (np.zeros((len(numbers), width), dtype=np.uint8) for _ in range(2))
    for row, codes in enumerate(fields_from(directory, judge, numbers, progress)):
        seen[row] = np.packbits((codes == CLEAR) | (codes == HINDERED))
        hindered[row] = np.packbits(codes == HINDERED)
    return Exposure(directory, judge, numbers, (seen, hindered))


def make_dead_ground(
    directory: Directory,
    judge: SightJudge,
    units: str | Iterable[str],
    progress: Callable[[int, int], None] | None = None,
) -> DeadGround:
    """Find the locations that no unit sees; parameters and errors are those of :func:`make_exposure`."""
    numbers = location_numbers(directory, units)
    mask = directory.present.copy()
    for codes in fields_from(directory, judge, numbers, progress):
        mask &= ~((codes == CLEAR) | (codes == HINDERED))
    return DeadGround(directory, judge, numbers, mask)


def _with_places(directory: Directory) -> dict[str, list[str]]:
    """Return what each area is next to, the places in it included."""
    found = {label: list(others) for label, others in directory.survey.area_neighbours.items()}
    label = {area.feature: area.label for area in directory.of("area")}
    for place in directory.of("place"):
        if place.within in label:
            found.setdefault(label[place.within], []).append(place.label)
            found.setdefault(place.label, []).append(label[place.within])
    return found
