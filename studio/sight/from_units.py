"""What answers for several locations that look at once are made of: the units, their fields of view, the reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.errors import LabelError
from studio.sight.sighting import Sighting
from studio.sight.view import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

    from studio.sight.protocol import SightJudge
    from studio.survey import Directory

__all__ = ["FromUnits", "fields_from", "location_numbers"]


class FromUnits:
    """What the answers for several units share: the units, the judge that was asked, and its explanations."""

    _question = ""  # the method of a map that asks it

    def __init__(self, directory: Directory, judge: SightJudge, numbers: list[int]) -> None:
        self.directory, self.judge, self.numbers = directory, judge, numbers
        self.units = [directory.label(number) for number in numbers]
        self.revision = directory.survey.revision

    def why(self, label: str) -> list[Sighting]:
        """Explain how each unit sees a location, or why it does not; one sighting a unit, in the order of `units`.

        Raises
        ------
        LabelError
            When the map has no such location.
        StaleAnswerError
            When the map has been changed since.
        """
        self._check_fresh()
        number = self.directory.number(label)
        return [self.judge.sighting(unit, number) for unit in self.numbers]

    def _check_fresh(self) -> None:
        # The judge reads the planes of the map where they are: after an edit it would explain another map.
        check_fresh(self.directory, self.revision, f"map.{self._question}(...)")

    def _locations(self) -> GeoDataFrame:
        self._check_fresh()
        return self.directory.survey.locations()[["kind", "geometry"]].copy()

    @property
    def _noun(self) -> str:
        return "locations" if self.directory.others else "hexes"

    @property
    def _lookers(self) -> str:
        return self.units[0] if len(self.units) == 1 else f"{len(self.units)} units"


def location_numbers(directory: Directory, labels: str | Iterable[str], what: str = "units") -> list[int]:
    """Return the numbers of several locations, in their order.

    Parameters
    ----------
    directory : Directory
    labels : str or iterable of str
        One alone may stand without a list.
    what : str
        What they are, for the message of an error.

    Raises
    ------
    LabelError
        When a label is unknown or named twice, or there is none.
    """
    if not isinstance(labels, Iterable):
        msg = f"{what}: got {labels!r}; name one location, or several, by their labels"
        raise LabelError(msg)
    listed = [labels] if isinstance(labels, str) else list(labels)
    if not listed:
        msg = f"{what}: got none; name one location at least from which somebody looks"
        raise LabelError(msg)
    found: dict[int, str] = {}
    for label in listed:
        number = directory.number(label)
        if number in found:
            msg = f"{what}: {label} is named twice; name each location once, however many units are there"
            raise LabelError(msg)
        found[number] = label
    return list(found)


def fields_from(
    directory: Directory, judge: SightJudge, numbers: list[int], progress: Callable[[int, int], None] | None
) -> Iterator[NDArray[np.uint8]]:
    """Yield the codes of all numbers as seen from each unit; uint8, shape (len(directory),)."""
    for done, number in enumerate(numbers, 1):
        codes = judge.field(number)[0].ravel()
        yield np.pad(codes, (0, len(directory) - len(codes)))
        if progress is not None:
            progress(done, len(numbers))
