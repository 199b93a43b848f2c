"""Whether a feature fits the map that it is put on: its labels, its path, its points, its texts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from studio.errors import EditError, LabelError
from studio.grid import HexGrid, Labels
from studio.model.features import Aperture, Area, Crest, Dot, Feature, Marker, Place, Road, feature_points

__all__ = ["MARGIN", "Fitted", "check_fit", "check_text", "feature_cells"]

MARGIN = 10 * 480
"""Lattice units, ten hexes: what lies further off the map is a mistake."""


class Fitted(Protocol):
    """A map, as far as features have to fit it."""

    grid: HexGrid
    labels: Labels
    features: dict[str, Feature]


def check_fit(model: Fitted, feature: Feature) -> None:
    """Raise when a feature does not fit the grid.

    Raises
    ------
    EditError
        When a label is unknown or two hexes of a path are not adjacent.
    """
    try:
        match feature:
            case Road() | Crest():
                cells = model.labels.cells(feature.path)
                for a, b, name_a, name_b in zip(cells, cells[1:], feature.path, feature.path[1:], strict=False):
                    if model.grid.direction(a, b) is None:
                        msg = f"{feature.id}: {name_a} and {name_b} are not adjacent; list every hex on the way"
                        raise EditError(msg)
            case Marker():
                for label in (feature.at, *feature.also):
                    _check_place(model, label)
            case Dot():
                model.labels.cell(feature.at)
            case Aperture():
                _check_arrows(model, feature)
        for _, point in feature_points(feature):
            _check_point(model, feature.id, point)
        for field in feature.__struct_fields__:
            value = getattr(feature, field)
            if isinstance(value, str):
                check_text(f"{feature.id}: {field}", value)
    except LabelError as error:
        msg = f"{feature.id}: {error}"
        raise EditError(msg) from error


def _check_place(model: Fitted, label: str) -> None:
    """Refuse a label that neither a hex nor a drawn place bears."""
    try:
        model.labels.cell(label.removesuffix(" road"))
    except LabelError:
        if not any(
            label in (feature.name, feature.id)
            for feature in model.features.values()
            if isinstance(feature, Area | Place)
        ):
            raise


def _check_arrows(model: Fitted, feature: Aperture) -> None:
    for arrow in feature.arrows:
        cells = model.labels.cells(arrow)
        if len(cells) not in (1, 2) or (len(cells) == 2 and model.grid.direction(*cells) is None):
            msg = (
                f"{feature.id}: got the arrow {' '.join(arrow)!r}; an arrow is one hex, where a row begins, or two "
                "adjacent hexes, whose side it runs along"
            )
            raise EditError(msg)


def _check_point(model: Fitted, name: str, point: tuple[int, int]) -> None:
    """Refuse points so far off the map that they can only be a mistake."""
    x0, y0, x1, y1 = model.grid.frame
    if not (x0 - MARGIN <= point[0] <= x1 + MARGIN and y0 - MARGIN <= point[1] <= y1 + MARGIN):
        msg = f"{name}: the point {point} lies far off the map, which goes from ({x0}, {y0}) to ({x1}, {y1})"
        raise EditError(msg)


def check_text(place: str, text: str) -> None:
    """Refuse halves of characters, which no file can hold.

    Raises
    ------
    EditError
        With the place and the number of the character.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        msg = f"{place}: character {error.start + 1} of the text is half of a pair; type it anew"
        raise EditError(msg) from error


def feature_cells(labels: Labels, feature: Feature) -> Iterable[int]:
    """Return the hexes that a feature names, in order."""
    match feature:
        case Road() | Crest():
            return labels.cells(feature.path)
        case Marker() | Dot():
            try:
                return [labels.cell(feature.at)]
            except LabelError:
                return ()  # a marker on a drawn place
    return ()
