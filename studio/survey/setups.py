"""Set-up areas: the places of a map that meet every condition of a description, as far as the map alone tells."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import LabelError, StudioError
from studio.grid import SheetLabels
from studio.model import Distance, MapUse, SetUp
from studio.survey.areas import cells_in_play, hexes_between, hexes_on_edge, numbers_called
from studio.survey.named import FeaturePlaces
from studio.survey.reach import hexes_beside, hexes_from
from studio.survey.survey import Survey

__all__ = ["Others", "SetUpAreas", "area_cells", "names_a_place"]

Others = Callable[[Distance], "tuple[NDArray[np.bool_], NDArray[np.bool_]] | None"]
"""Gives for a distance the hexes of the units and formations that it names: where they are, and where they are or may
come to be, shape (cells,) each; None where it names none."""

_PLACES = (
    "hexes",
    "terrain",
    "edges",
    "sheets",
    "first_column",
    "last_column",
    "first_row",
    "last_row",
    "features",
    "without",
    "without_features",
    "without_terrain",
    "distances",
)


def names_a_place(where: SetUp) -> bool:
    """Tell whether a set-up area has a condition of its own that says which places it is about."""
    return any(getattr(where, field) for field in _PLACES)


class SetUpAreas:
    """Resolves set-up areas on one state of a map.

    Parameters
    ----------
    survey : Survey
    """

    def __init__(self, survey: Survey) -> None:
        self.survey, self.grid, self.directory = survey, survey.grid, survey.directory
        self.features = FeaturePlaces(survey)
        self._terrains: dict[str, NDArray[np.bool_]] = {}
        self._reached: dict[bytes, NDArray[np.int32]] = {}

    def mask(self, where: SetUp, in_play: NDArray[np.bool_], others: Others | None = None) -> NDArray[np.bool_]:
        """Return the places that meet every condition of a set-up area, or of one of its others (``also``).

        Where an area has others and no condition of its own, it is those others alone.

        Parameters
        ----------
        where : SetUp
        in_play : array of bool, shape (len(directory),)
        others : callable, optional
            Gives the hexes of units and formations; without it distances from these do not count.

        Returns
        -------
        array of bool, shape (len(directory),)

        Raises
        ------
        UnknownNameError, LabelError
            When a sheet, a column, a row, an edge, a feature or a place is unknown; the field is named.
        """
        if where.also and not names_a_place(where):
            kept = np.zeros(len(self.directory), dtype=bool)
        else:
            kept = self._own(where, in_play, others)
        for other in where.also:
            kept |= self.mask(other, in_play, others)
        return kept

    def _own(self, where: SetUp, in_play: NDArray[np.bool_], others: Others | None) -> NDArray[np.bool_]:
        kept = in_play.copy()
        if where.hexes:
            kept &= self._named(where)
        if where.features:
            kept &= self.features.of(where.features)
        elif not where.hexes and self.directory.playable.any():
            kept[self.grid.cells :] = False
        if where.terrain:
            kept &= self._terrain(where.terrain)
        if where.edges:
            kept &= self._spread(self._edges(where.edges))
        if where.first_column or where.last_column or where.first_row or where.last_row or where.sheets:
            kept &= self._spread(self._between(where, in_play))
        for label in where.without:
            kept[list(numbers_called(self.survey, label, "without"))] = False
        if where.without_features:
            kept &= ~self.features.of(where.without_features, "without_features")
        if where.without_terrain:
            kept &= ~self._terrain(where.without_terrain)
        for distance in where.distances:
            kept &= self._spread(self._distant(distance, others))
        return kept

    # -- conditions ----------------------------------------------------------------------------------------------------

    def _spread(self, hexes: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return what holds for hexes for all locations: of those that are no hexes what holds under their dot."""
        return np.concatenate((hexes, hexes[self._under] & (self._under >= 0)))

    @property
    def _under(self) -> NDArray[np.int64]:
        return np.array([one.cell for one in self.directory.others], dtype=np.int64)

    def _named(self, where: SetUp) -> NDArray[np.bool_]:
        found = np.zeros(len(self.directory), dtype=bool)
        for text in where.hexes:
            number = self.directory.find(text)
            if number is not None and number >= self.grid.cells:
                found[number] = True
            else:
                found[self._cell(text, "hexes")] = True
        if where.within:
            hexes = found[: self.grid.cells]
            around = 3 * where.within * (where.within + 1) * len(where.hexes)
            if around < self.grid.cells // 8 and self.grid.joint is None:
                found[
                    [other for cell in np.flatnonzero(hexes) for other in self.grid.within(int(cell), where.within)]
                ] = True
            else:
                found[: self.grid.cells] = self._from(hexes) <= where.within
        return found

    def _cell(self, text: str, field: str) -> int:
        try:
            return self.survey.model.labels.cell(text)
        except LabelError:
            pass
        try:
            return self.directory.number(text)  # tells what the map has instead
        except LabelError as error:
            msg = f"{field}: {error}"
            raise LabelError(msg) from error

    def _terrain(self, names: Iterable[str]) -> NDArray[np.bool_]:
        found = np.zeros(len(self.directory), dtype=bool)
        for name in names:
            if name not in self._terrains:
                self._terrains[name] = self._of_terrain(name)
            found |= self._terrains[name]
        return found

    def _of_terrain(self, name: str) -> NDArray[np.bool_]:
        model = self.survey.model
        known = np.array([one == name for one in model.terrain_ids], dtype=bool)
        hexes = known[model.terrain].ravel() if len(known) else np.zeros(self.grid.cells, dtype=bool)
        types = np.array([one.type == name for one in self.directory.others], dtype=bool)
        return np.concatenate((hexes & self.grid.present.ravel(), types))

    def _edges(self, edges: Iterable[str], field: str = "edges") -> NDArray[np.bool_]:
        found = np.zeros(self.grid.cells, dtype=bool)
        for edge in edges:
            try:
                found |= hexes_on_edge(self.grid, edge)
            except StudioError as error:
                msg = f"{field}: {error}"
                raise type(error)(msg) from error
        return found

    def _between(self, where: SetUp, in_play: NDArray[np.bool_]) -> NDArray[np.bool_]:
        labels = self.survey.model.labels
        limits = (where.first_column, where.last_column, where.first_row, where.last_row)
        if not isinstance(labels, SheetLabels) and not where.sheets:
            return hexes_between(labels, limits)
        sheets = where.sheets
        if not sheets and any(limits) and isinstance(labels, SheetLabels):
            # Where one sheet alone is in play, columns and rows are those of that one.
            owners = {labels.parts.parts_of(cell) for cell in np.flatnonzero(in_play[: self.grid.cells]).tolist()}
            shared = set.intersection(*map(set, owners)) if owners else set()
            sheets = tuple(labels.sheets[number].id for number in sorted(shared)[:1])
        first_column, last_column, first_row, last_row = limits
        use = MapUse(
            file="",
            first_column=first_column,
            last_column=last_column,
            first_row=first_row,
            last_row=last_row,
            sheets=sheets,
        )
        found = np.zeros(self.grid.cells, dtype=bool)
        found[list(cells_in_play(labels, use))] = True
        return found

    # -- distances -----------------------------------------------------------------------------------------------------

    def _distant(self, distance: Distance, others: Others | None) -> NDArray[np.bool_]:
        sure = self.targets(distance)
        named = bool(distance.places or distance.edges or distance.terrain or distance.features)
        may = sure
        found = others(distance) if others is not None and (distance.units or distance.areas_of) else None
        if found is None and not named:
            return np.ones(self.grid.cells, dtype=bool)  # from nothing that can be told here
        if found is not None:
            sure, may = sure | found[0], sure | found[1]
        kept = np.ones(self.grid.cells, dtype=bool)
        if distance.most is not None and distance.least > distance.most and may.any():
            return ~kept  # wherever they come to be, nothing is as far and as near as that
        if distance.least:
            kept &= self._from(sure) >= distance.least
        if distance.most is not None:
            kept &= self._from(may) <= distance.most
        if distance.direction and (named or sure.any()):
            kept &= hexes_beside(self.survey, sure, distance.direction)
        return kept

    def targets(self, distance: Distance) -> NDArray[np.bool_]:
        """Return the hexes of the map that a distance is measured from, units and formations left out.

        Returns
        -------
        array of bool, shape (cells,)

        Raises
        ------
        UnknownNameError, LabelError
            When an edge, a feature or a place is unknown; the field is named.
        """
        found = self._edges(distance.edges, "distances/edges")
        for text in distance.places:
            number = self.directory.find(text)
            cell = self._cell(text, "distances/places") if number is None else number
            if cell >= self.grid.cells:
                cell = self.directory.location(cell).cell
            if cell >= 0:
                found[cell] = True
        if distance.terrain:
            found |= self._terrain(distance.terrain)[: self.grid.cells]
        if distance.features:
            found |= self.features.of(distance.features, "distances/features")[: self.grid.cells]
        return found

    def _from(self, targets: NDArray[np.bool_]) -> NDArray[np.int32]:
        key = np.packbits(targets).tobytes()
        if key not in self._reached:
            if len(self._reached) > 32:
                self._reached.clear()
            self._reached[key] = hexes_from(self.survey, targets)
        return self._reached[key]


def area_cells(survey: Survey, where: SetUp, in_play: Iterable[int]) -> list[int]:
    """Return the places that meet every condition of a set-up area, in the order of their numbers.

    What depends on the scenario does not count: distances from units and formations, and whether a hex is empty; for
    these see :mod:`studio.rules.areas`.

    Parameters
    ----------
    survey : Survey
    where : SetUp
        Its ``hexes`` may name zones and other locations too.
    in_play : iterable of int
        Numbers of the locations in play.

    Returns
    -------
    list of int
        Numbers of locations. Those that are no hexes are among them where they are named, by label or by feature, and
        in games that have no hexes to be in where none are.

    Raises
    ------
    UnknownNameError, LabelError
        When a sheet, a column, a row, an edge, a feature or a place is unknown; the field is named.
    """
    mask = np.zeros(len(survey.directory), dtype=bool)
    numbers: Any = np.fromiter(in_play, dtype=np.int64)
    mask[numbers[numbers < len(mask)]] = True
    return np.flatnonzero(SetUpAreas(survey).mask(where, mask)).tolist()
