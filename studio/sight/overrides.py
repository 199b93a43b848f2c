"""What conditions change on a map before a line is judged: terrain that counts as another one, and extra smoke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError, ScenarioRuleError, UnknownNameError, nearest
from studio.grid import HexGrid
from studio.model import MapModel
from studio.sight.protocol import Conditions
from studio.survey import Directory

__all__ = ["check_conditions", "check_numbers", "counted_terrain", "smoke_cells"]


def check_conditions(title: str, conditions: Conditions, known: Mapping[str, Iterable[str]]) -> None:
    """Refuse conditions that the rules of a game do not know, or could make no sense of.

    Parameters
    ----------
    title : str
        Of the game.
    conditions : Conditions
    known : mapping of str to iterable of str
        Names of the conditions that the game knows, each with the texts that it may be; none where it is no text.

    Raises
    ------
    ScenarioRuleError
        When one is given that the game does not know, or with a value that it cannot have.
    """
    default = Conditions()
    for name in conditions.__struct_fields__:
        value = getattr(conditions, name)
        if value == getattr(default, name):
            continue
        if name not in known:
            knows = ", ".join(known) or "none"
            msg = f"conditions: {title} has no rule of sight for {name}; it knows {knows}"
            raise ScenarioRuleError(msg)
        allowed = list(known[name])
        if allowed and value not in allowed:
            msg = f"conditions: {name} is {value!r}; {title} knows {', '.join(map(repr, allowed))}"
            raise ScenarioRuleError(msg)
        if name in ("visibility", "haze_step") and value < 0:
            msg = f"conditions: {name} is {value}; allowed are whole numbers of hexes from 0, which is none"
            raise ScenarioRuleError(msg)


def counted_terrain(model: MapModel, overrides: Mapping[str, str]) -> NDArray[np.uint8]:
    """Return the terrain that every hex counts as; uint8, shape (cells,), index into the terrain ids.

    Parameters
    ----------
    model : MapModel
    overrides : mapping of str to str
        Terrain ids, and what they count as.

    Raises
    ------
    UnknownNameError
        When the game has no such terrain.
    """
    names = model.terrain_ids
    table = np.arange(len(names), dtype=np.uint8)
    for name, counts_as in overrides.items():
        for checked in (name, counts_as):
            if checked not in names:
                msg = f"terrain override: unknown terrain {checked!r}; {nearest(checked, names)}"
                raise UnknownNameError(msg)
        table[names.index(name)] = names.index(counts_as)
    return np.asarray(table[model.terrain.ravel()], dtype=np.uint8)


def smoke_cells(grid: HexGrid, smoke: Iterable[int]) -> list[int]:
    """Return the cells of the hexes that a condition fills with smoke.

    Raises
    ------
    GridError
        When the map has no such hex.
    """
    cells = sorted(smoke)
    for cell in cells:
        if not grid.has(cell):
            msg = f"conditions: no hex has the cell {cell!r} for smoke"
            raise GridError(msg)
    return cells


def check_numbers(conditions: Conditions, directory: Directory) -> None:
    """Refuse smoke and vehicles where the map has nothing, or that are named by a label.

    Parameters
    ----------
    conditions : Conditions
    directory : Directory

    Raises
    ------
    GridError
        Naming what was got, and where the number is found.
    """
    known = directory.grid.cells, directory.grid.present.ravel()
    for field in ("smoke", "vehicles"):
        for number in getattr(conditions, field):
            whole = isinstance(number, int) and not isinstance(number, bool)
            if not whole or not (directory.exists(number) or (0 <= number < known[0] and known[1][number])):
                msg = (
                    f"conditions: {field} got {number!r}: no location has the number {number!r} for {field}; "
                    "map.survey.directory.number(label) gives it"
                )
                raise GridError(msg)
