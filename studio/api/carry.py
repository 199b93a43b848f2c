"""A drawing carried over to the rules of another game: what both games know goes along, the rest is named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from studio.errors import LabelError, UnknownNameError, UnsupportedError, nearest
from studio.model import Aperture, Area, Contour, Feature, Link, MapModel, Place

if TYPE_CHECKING:
    from studio.rules import Ruleset

__all__ = ["MissingTerrainError", "carry_over", "check_mapping"]


class MissingTerrainError(UnknownNameError):
    """Terrain of a map that another game does not have, and that no mapping says a counterpart of.

    Parameters
    ----------
    what : str
        The terrain, as a sentence.
    missing : list of str
        Its ids.
    choice : str
        The other game, and the terrain that it has.
    """

    def __init__(self, what: str, missing: list[str], choice: str) -> None:
        self.what, self.missing, self.choice = what, missing, choice
        example = ", ".join(f'"{name}": "..."' for name in missing)
        super().__init__(f"{what}; say what it counts as: terrain={{{example}}}, with terrain of {choice}")


def check_mapping(model: MapModel, terrain: Mapping[str, str], rulesets: list[Ruleset]) -> None:
    """Check a mapping of terrain ids.

    Parameters
    ----------
    model : MapModel
        The map, whose terrain the keys name.
    terrain : mapping of str to str
    rulesets : list of Ruleset
        The other games, one of which has each terrain that a value names.

    Raises
    ------
    UnknownNameError
        When the map, or the other game, has no such terrain.
    """
    known = [name for ruleset in rulesets for name in ruleset.terrains]
    titles = " and ".join(ruleset.title for ruleset in rulesets)
    for name, counts_as in terrain.items():
        if name not in model.terrain_ids:
            near = nearest(str(name), model.terrain_ids)
            meant = f"{near} " if near.startswith("did") else ""
            used = ", ".join(model.terrain_ids[code] for code in np.unique(model.terrain[model.grid.present]).tolist())
            msg = f"terrain mapping: the map has no terrain {name!r}; {meant}Its terrain in use: {used}"
            raise UnknownNameError(msg)
        if not rulesets:
            msg = f"terrain mapping: got {name!r}, but both rulesets are the map's own; leave the mapping out"
            raise UnknownNameError(msg)
        if counts_as not in known:
            msg = f"terrain mapping: {titles} has no terrain {counts_as!r}; {nearest(str(counts_as), known)}"
            raise UnknownNameError(msg)


def carry_over(model: MapModel, ruleset: Ruleset, terrain: Mapping[str, str]) -> tuple[MapModel, list[str]]:
    """Make a map of another game from a drawing.

    Parameters
    ----------
    model : MapModel
        The drawing; it is left as it is.
    ruleset : Ruleset
        The other game.
    terrain : mapping of str to str
        Terrain of the other game for terrain of the map; what has the same id in both games needs no entry.

    Returns
    -------
    carried : MapModel
        On the same grid with the same labels, so that cells are the same.
    notes : list of str
        What was left out, as sentences.

    Raises
    ------
    UnknownNameError
        When terrain on the map has no counterpart; all of it is named.
    UnsupportedError
        When the other game does not have a level of the map.
    """
    carried = MapModel(
        ruleset.id,
        model.grid,
        model.labels.scheme,
        ruleset.terrain_characters,
        title=model.title,
        sheets=model.sheets,
    )
    carried.terrain[:] = _terrain_table(model, ruleset, terrain)[model.terrain]
    _check_levels(model, ruleset)
    carried.levels[:] = model.levels
    left: Counter[str] = Counter()
    for key, kinds in model.sides.items():
        kept = tuple(kind for kind in kinds if kind in ruleset.side_kinds)
        left.update(f"hexside {kind}" for kind in kinds if kind not in kept)
        if kept:
            carried.sides[key] = kept
    carried.features = _features(model, ruleset, left)
    return carried, [f"{ruleset.title} has no {what}: {count} left out" for what, count in sorted(left.items())]


def _terrain_table(model: MapModel, ruleset: Ruleset, terrain: Mapping[str, str]) -> Any:
    """Return the other game's terrain code for each code of the map; uint8, shape (256,)."""
    codes = {name: code for code, name in enumerate(ruleset.terrain_characters)}
    table = np.zeros(256, dtype=np.uint8)
    missing = {}
    used, hexes = np.unique(model.terrain[model.grid.present], return_counts=True)
    for code, count in zip(used.tolist(), hexes.tolist(), strict=True):
        name = model.terrain_ids[code]
        found = next((one for one in (terrain.get(name), name) if one in codes), None)
        if found is None:
            missing[name] = count
        else:
            table[code] = codes[found]
    if missing:
        tally = ", ".join(f"{name} ({count} hex{'es' * (count != 1)})" for name, count in missing.items())
        what = f"{ruleset.title} has no terrain {tally}"
        raise MissingTerrainError(what, list(missing), f"{ruleset.title}: {', '.join(sorted(codes))}")
    return table


def _check_levels(model: MapModel, ruleset: Ruleset) -> None:
    low, high = ruleset.levels
    wrong = np.flatnonzero(((model.levels < low) | (model.levels > high)) & model.grid.present)
    places = [(model.labels.label(int(cell)), model.level_at(int(cell))) for cell in wrong[:1]]
    contours = [contour for contour in model.features_of(Contour) if not low <= contour.level <= high]
    places += [(f"the contour {contour.id}", contour.level) for contour in contours]
    if places:
        where, level = places[0]
        others = len(wrong) + len(contours) - 1
        more = f" ({others} more place{'s' * (others != 1)} like it)" if others else ""
        msg = (
            f"{ruleset.title} has the levels {low} to {high}, but {where} has level {level}{more}; "
            "compare with a game that has such levels, or on a copy of the map with other levels"
        )
        raise UnsupportedError(msg)


def _features(model: MapModel, ruleset: Ruleset, left: Counter[str]) -> dict[str, Feature]:
    """Return the features that the other game knows; count in `left` those that it does not."""
    kept: dict[str, Feature] = {}
    for feature in model.features.values():
        kind = str(type(feature).__struct_config__.tag)
        type_ = getattr(feature, "type", "")
        if kind not in ruleset.feature_kinds:
            left[kind] += 1
        elif type_ and type_ not in ruleset.drawn_types(kind):
            left[f"{kind} {type_}"] += 1
        else:
            kept[feature.id] = feature
    places = {name for feature in kept.values() if isinstance(feature, Area | Place) for name in _names(feature)}

    def there(label: str) -> bool:
        try:
            model.labels.cell(label.removesuffix(" road"))
        except LabelError:
            return label in places
        return True

    for feature in list(kept.values()):
        match feature:
            case Aperture() if not there(feature.into):
                left["location for an aperture"] += 1
                del kept[feature.id]
            case Link() if not (there(feature.a) and there(feature.b)):
                left["location for a link"] += 1
                del kept[feature.id]
            case Area() | Place() if feature.within and feature.within not in kept:
                kept[feature.id] = msgspec.structs.replace(feature, within="")
    return kept


def _names(feature: Area | Place) -> tuple[str, str]:
    return feature.name, feature.id
