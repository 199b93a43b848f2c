"""What conditions change on a map before a line is judged: terrain that counts as another one, and extra smoke."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError, ScenarioRuleError, UnknownNameError, nearest
from studio.grid import HexGrid
from studio.model import MapModel
from studio.sight.protocol import Conditions

__all__ = ["check_conditions", "counted_terrain", "smoke_cells"]


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
