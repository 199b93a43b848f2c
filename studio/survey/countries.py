"""Which hexes lie in drawn areas, such as countries: those whose middle does."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from studio.model import Area, Name
from studio.survey.survey import Survey

__all__ = ["areas_called", "hexes_in", "names_by_hex"]


def hexes_in(survey: Survey, areas: Iterable[Area]) -> NDArray[np.bool_]:
    """Return the hexes whose middle lies in one of some areas.

    Parameters
    ----------
    survey : Survey
    areas : iterable of Area

    Returns
    -------
    array of bool, shape (cells,)
    """
    import shapely

    grid = survey.grid
    inside = np.zeros(grid.cells, dtype=bool)
    for area in areas:
        polygon = survey.polygon(area.id)
        low_x, low_y, high_x, high_y = polygon.bounds
        x, y = grid.centres[:, 0], grid.centres[:, 1]
        near = np.flatnonzero((x >= low_x) & (x <= high_x) & (y >= low_y) & (y <= high_y))
        shapely.prepare(polygon)
        inside[near[shapely.intersects_xy(polygon, x[near], y[near])]] = True
    return inside & grid.present.ravel()


def areas_called(survey: Survey, names: Iterable[str], kind: str = "") -> list[Area]:
    """Return the areas that bear one of some names, as their id or as their name, whatever the case of the letters.

    Parameters
    ----------
    survey : Survey
    names : iterable of str
    kind : str
        Type of the areas; any when empty.
    """
    wanted = {name.casefold() for name in names if name}
    return [
        area
        for area in survey.features_of(Area)
        if (not kind or area.type == kind) and {area.id.casefold(), area.name.casefold()} & wanted
    ]


def names_by_hex(survey: Survey) -> dict[int, str]:
    """Return the place names that are written inside a hex, by the hex; of several the first by id."""
    names = survey.features_of(Name)
    if not names:
        return {}
    found: dict[int, str] = {}
    for name, cell in zip(names, survey.grid.cells_at(np.array([name.at for name in names])).tolist(), strict=True):
        if cell >= 0:
            found.setdefault(cell, name.text)
    return found
