"""The map as a scenario plays on it: with the terrain and the roads that its special rules say."""

from __future__ import annotations

import copy

import msgspec
import numpy as np

from studio.errors import LabelError, UnknownNameError, nearest
from studio.model import MapModel, Road, ScenarioDocument, SpecialRules
from studio.survey import Survey, numbers_called

__all__ = ["changes_ground", "closed_places", "model_as_played"]


def changes_ground(special: SpecialRules) -> bool:
    """Tell whether the special rules of a scenario change what is drawn on its map."""
    return bool(special.terrain_overrides or special.terrain_at or special.road_surface)


def model_as_played(model: MapModel, special: SpecialRules) -> MapModel:
    """Return a map with what the special rules of a scenario make of it; the map itself when they change nothing.

    Terrain that counts as another one is that one, all at once: of rough that counts as clear and clear that counts as
    sand, what was rough is clear. Then come the hexes with a terrain of their own, then the surface of the roads.

    Parameters
    ----------
    model : MapModel
        Stays as it is.
    special : SpecialRules

    Returns
    -------
    MapModel
        Hexsides, labels and features are those of the map, and change with it.

    Raises
    ------
    UnknownNameError
        When the game has no such terrain.
    LabelError
        When the map has no such hex.
    """
    if not changes_ground(special):
        return model
    made = copy.copy(model)
    codes = np.arange(len(model.terrain_ids), dtype=model.terrain.dtype)
    for name, counts_as in special.terrain_overrides.items():
        codes[_code(model, name, "terrain_overrides")] = _code(model, counts_as, "terrain_overrides")
    made.terrain = codes[model.terrain]
    for label, terrain in special.terrain_at.items():
        made.terrain.flat[model.labels.cell(label)] = _code(model, terrain, "terrain_at")
    if special.road_surface:
        made.features = {
            name: msgspec.structs.replace(one, surface=special.road_surface) if isinstance(one, Road) else one
            for name, one in model.features.items()
        }
    return made


def _code(model: MapModel, name: str, field: str) -> int:
    if name not in model.terrain_ids:
        msg = f"special.{field}: unknown terrain {name!r}; {nearest(name, model.terrain_ids)}"
        raise UnknownNameError(msg)
    return model.terrain_ids.index(name)


def closed_places(document: ScenarioDocument, survey: Survey) -> frozenset[int]:
    """Return the numbers of the locations that nothing may enter in a scenario; what the map has not is left out.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    """
    found: set[int] = set()
    for label in document.special.closed:
        try:
            found |= set(numbers_called(survey, label, "special.closed"))
        except LabelError:
            continue  # said by the check of references
    return frozenset(found)
