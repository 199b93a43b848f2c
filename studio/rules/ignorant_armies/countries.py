"""The countries on the map (3.7, 3.8) and the Kurdish active area (11.21), as hexes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.model import Area
from studio.survey import Survey
from studio.survey.countries import areas_called, hexes_in

__all__ = ["IRAN", "IRAQ", "KUWAIT", "border_hexes", "country", "enemy_of", "kurdish_area"]

IRAQ, IRAN, KUWAIT = "Iraq", "Iran", "Kuwait"


def country(survey: Survey, name: str) -> NDArray[np.bool_]:
    """Return the hexes of a country, whose area bears its name; bool, shape (cells,)."""
    return hexes_in(survey, areas_called(survey, [name], "country"))


def kurdish_area(survey: Survey) -> NDArray[np.bool_]:
    """Return the hexes of the Kurdish active area; bool, shape (cells,)."""
    return hexes_in(survey, [area for area in survey.features_of(Area) if area.type == "kurdish_area"])


def enemy_of(name: str) -> str:
    """Return the enemy of a country: Iran of Iraq, and Iraq of Iran; empty for none."""
    return {IRAQ: IRAN, IRAN: IRAQ}.get(name, "")


def border_hexes(survey: Survey, name: str) -> NDArray[np.bool_]:
    """Return the hexes of a country that are next to one of its enemy's; bool, shape (cells,)."""
    own, other = country(survey, name), country(survey, enemy_of(name))
    table = survey.grid.neighbour_table
    found: NDArray[np.bool_] = own & np.any(other[table] & (table >= 0), axis=1)
    return found
