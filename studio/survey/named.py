"""The places of a map by what is drawn there: features by id, by name or by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import UnknownNameError, nearest, shortened
from studio.grid import HALF, LINE_STEP, STEP
from studio.model import Aperture, Area, Contour, Crest, Dot, Feature, Link, Marker, Name, Place, Road, Wall
from studio.survey.survey import Survey

__all__ = ["FeaturePlaces"]


class FeaturePlaces:
    """Where the features of a map are.

    A word stands for the feature with that id; else for all features with that name or text, of that type (such as
    ``compound``), of that kind (such as ``road`` or ``crest``), roads of that surface (``paved``), and hexsides of that
    kind (such as ``fence``), whatever the case of its letters.

    Roads and crest lines are in the hexes of their path; walls and contours in those whose inside they meet; markers,
    apertures, links and names where they are. An area is in the hexes whose dot it holds, on its outline too; one that
    holds no dot is in those whose inside it meets. The rooms and zones of an area, and the places in it, belong to it.
    Hexsides are in the hexes on both sides of them.

    Parameters
    ----------
    survey : Survey
    """

    def __init__(self, survey: Survey) -> None:
        self.survey, self.grid = survey, survey.grid
        self._found: dict[str, NDArray[np.bool_]] = {}

    def of(self, words: Iterable[str], field: str = "features") -> NDArray[np.bool_]:
        """Return the locations in, or with, one of some features.

        Parameters
        ----------
        words : iterable of str
        field : str
            What the words stand in, for messages.

        Returns
        -------
        array of bool, shape (len(directory),)

        Raises
        ------
        UnknownNameError
            When the map has nothing of that id, name or kind.
        """
        found = np.zeros(len(self.survey.directory), dtype=bool)
        for word in words:
            if word not in self._found:
                self._found[word] = self._of_word(word, field)
            found |= self._found[word]
        return found

    def each(self, words: Iterable[str], field: str = "features") -> list[tuple[str, NDArray[np.bool_]]]:
        """Return the features that some words stand for one by one, each with its locations.

        Raises
        ------
        UnknownNameError
            When the map has nothing of that id, name or kind.
        """
        found: dict[str, NDArray[np.bool_]] = {}
        for word in words:
            features = self._called(word)
            for feature in features:
                found[feature.id] = self._mask(self._numbers(feature))
            if not features:
                found[word] = self.of([word], field)
        return list(found.items())

    # -- which ---------------------------------------------------------------------------------------------------------

    def _called(self, word: str) -> list[Feature]:
        features = self.survey.model.features
        if word in features:
            return [features[word]]
        wanted = word.casefold()
        return [feature for feature in features.values() if wanted in {name.casefold() for name in _names(feature)}]

    def _of_word(self, word: str, field: str) -> NDArray[np.bool_]:
        features = self._called(word)
        sides = self._sides(word) if word not in self.survey.model.features else []
        if not features and not sides:
            raise UnknownNameError(self._unknown(word, field))
        mask = self._mask(sides)
        for feature in features:
            mask |= self._mask(self._numbers(feature))
        return mask

    def _sides(self, word: str) -> list[int]:
        wanted = word.casefold()
        pairs = (pair for pair, kinds in self.survey.model.sides.items() if wanted in map(str.casefold, kinds))
        return [cell for pair in pairs for cell in pair]

    def _unknown(self, word: str, field: str) -> str:
        model = self.survey.model
        if word in model.terrain_ids:
            return f"{field}: {word!r} is a terrain and no feature of the map; name it among the terrains"
        known = {name for feature in model.features.values() for name in (feature.id, *_names(feature))}
        known |= {kind for kinds in model.sides.values() for kind in kinds}
        return f"{field}: the map has no feature {shortened(word)} by id, name or kind; {nearest(word, sorted(known))}"

    # -- where ---------------------------------------------------------------------------------------------------------

    def _mask(self, numbers: Iterable[int]) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.survey.directory), dtype=bool)
        mask[list(numbers)] = True
        return mask

    def _numbers(self, feature: Feature) -> Iterator[int]:
        labels = self.survey.model.labels
        match feature:
            case Road() | Crest():
                cells = labels.cells(feature.path)
                yield from cells
                if isinstance(feature, Road):
                    on_road = set(cells)
                    yield from (one.number for one in self.survey.directory.of("road") if one.cell in on_road)
            case Contour() | Wall():
                yield from self.survey.crossed_by(feature.line)
            case Name() | Place() | Aperture():
                yield from (cell for cell in self.grid.cells_at(np.array([feature.at])).tolist() if cell >= 0)
                named = [feature.into] if isinstance(feature, Aperture) else []
                yield from self._labelled(named)
                yield from self._belonging(feature.id)
            case Marker() | Dot() | Link():
                ends = {"a", "b"} if isinstance(feature, Link) else {"at"}
                also = feature.also if isinstance(feature, Marker) else ()
                yield from self._labelled([*(getattr(feature, end) for end in sorted(ends)), *also])
            case Area():
                yield from self._area(feature)
                yield from self._belonging(feature.id)

    def _labelled(self, labels: Iterable[str]) -> Iterator[int]:
        for label in labels:
            number = self.survey.directory.find(label)
            number = self.survey.model.labels.find(label) if number is None else number
            if number is not None:
                yield number

    def _belonging(self, feature: str) -> Iterator[int]:
        """Yield what is the location of a feature, or lies in it."""
        for one in self.survey.directory.others:
            if one.feature == feature or feature in self._around(one.within):
                yield one.number

    def _around(self, area_id: str) -> set[str]:
        found: set[str] = set()
        while area_id and area_id not in found:
            found.add(area_id)
            area = self.survey.model.features.get(area_id)
            area_id = area.within if isinstance(area, Area) else ""
        return found

    def _area(self, area: Area) -> set[int]:
        import shapely

        polygon = self.survey.polygon(area.id)
        found: set[int] = set(self.survey.derived(area.id, "middles", self._middles))
        for cell, (x, y) in self.survey.directory.moved_dots.items():
            (found.add if shapely.intersects_xy(polygon, x, y) else found.discard)(cell)
        return found or set(self.survey.area_cells(area.id))

    def _middles(self, area: Area) -> list[int]:
        """Return the hexes whose middle lies in an area or on its outline."""
        import shapely

        polygon, grid = self.survey.polygon(area.id), self.grid
        if polygon.is_empty:
            return []
        wide, high = (LINE_STEP, STEP) if grid.flat else (STEP, LINE_STEP)
        x0, y0, x1, y1 = (int(value) for value in polygon.bounds)
        columns = np.arange(max(0, (x0 - STEP - HALF) // wide), min(grid.columns, x1 // wide + 1))
        rows = np.arange(max(0, (y0 - STEP - HALF) // high), min(grid.rows, y1 // high + 1))
        cells: NDArray[Any] = (rows[:, None] * grid.columns + columns[None, :]).ravel()
        cells = cells[grid.present.ravel()[cells]]
        x, y = grid.centres[cells, 0], grid.centres[cells, 1]
        shapely.prepare(polygon)
        inside: list[int] = cells[shapely.intersects_xy(polygon, x, y)].tolist()
        return inside


def _names(feature: Feature) -> Iterator[str]:
    """Yield what a feature may be called beside its id."""
    yield str(type(feature).__struct_config__.tag)
    for field in ("name", "text", "type", "surface"):
        value = getattr(feature, field, "")
        if value:
            yield str(value)
