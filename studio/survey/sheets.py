"""Which sheet and which layer of a map of several every location lies on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.model import layers_of

if TYPE_CHECKING:
    from studio.survey.survey import Survey

__all__ = ["layer_numbers", "sheet_numbers", "sheets_at"]


def sheets_at(survey: Survey, number: int) -> tuple[int, ...]:
    """Return the numbers of the sheets that a location lies on: several where half hexes merge, none off all of them.

    What is no hex lies where its dot does.
    """
    joint, cells = survey.grid.joint, survey.grid.cells
    if joint is None:
        return ()
    cell = number if number < cells else survey.directory.location(number).cell
    return joint.parts_of(cell) if cell >= 0 else ()


def sheet_numbers(survey: Survey) -> NDArray[np.int16]:
    """Return the first sheet of every location by its number, -1 on none; int16, shape (len(directory),)."""
    joint, directory = survey.grid.joint, survey.directory
    if joint is None:
        return np.full(len(directory), -1, dtype=np.int16)
    others = [joint.owner[one.cell] if one.cell >= 0 else -1 for one in directory.others]
    return np.concatenate((joint.owner, np.array(others, dtype=np.int16)))


def layer_numbers(survey: Survey) -> NDArray[np.int16]:
    """Return the layer of every location by its number, as a place in the list of the layers, -1 on no sheet.

    Returns
    -------
    array of int16, shape (len(directory),)
        All 0 on a map of one layer.
    """
    model = survey.model
    if survey.grid.joint is None:
        return np.zeros(len(survey.directory), dtype=np.int16)
    names = layers_of(model.grid, model.sheets)
    table = np.array([*(names.index(sheet.layer) for sheet in model.sheets), -1], dtype=np.int16)
    return table[sheet_numbers(survey)]
