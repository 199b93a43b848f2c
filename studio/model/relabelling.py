"""New labels: every feature keeps its hexes and gets their new names, drawn places those with the new prefixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from studio.errors import EditError, GridError
from studio.grid import Labels, LabelScheme, bind_labels
from studio.model.edits import Batch, Delete, Edit, Put, SetField
from studio.model.features import Area, Feature, Marker, Place, Point, relabelled
from studio.model.sheets import Sheet

__all__ = ["DrawnPlace", "Relabelled", "hex_renamer", "renamed_sheets"]

_ROAD = " road"


class DrawnPlace(Protocol):
    """What is known of a location that is drawn."""

    @property
    def feature(self) -> str:
        """Id of its area or place, empty for others."""

    @property
    def label(self) -> str:
        """What others know it by."""

    @property
    def dot(self) -> Point:
        """Its dot on the lattice."""


class Relabelled(Protocol):
    """A map, as far as its labels are concerned."""

    labels: Labels
    sheets: tuple[Sheet, ...]
    features: dict[str, Feature]


def hex_renamer(old: Labels, new: Labels) -> Callable[[str], str]:
    """Return what gives the new label of a hex, or of the road in it; the names of drawn places stay."""

    def rename(text: str) -> str:
        cell = old.find(text.removesuffix(_ROAD))
        if cell is None:
            return text
        return new.label(cell) + (_ROAD if text.endswith(_ROAD) else "")

    return rename


def renamed_sheets(model: Relabelled, sheets: Sequence[Sheet], places: Iterable[DrawnPlace]) -> Edit:
    """Return the edit that gives a map other sheets, with the labels of the drawn places on those of new prefixes.

    Parameters
    ----------
    model : MapModel
    sheets : sequence of Sheet
    places : iterable of DrawnPlace
        The locations that are no hexes.

    Returns
    -------
    Edit
        A batch where places get new labels; a plain :class:`SetField` where none does, or the sheets cannot be.

    Raises
    ------
    EditError
        When a place would bear the label of a hex or of another place.
    """
    plain = SetField(field="sheets", value=msgspec.to_builtins(list(sheets)))
    if len(sheets) != len(model.sheets) or model.labels.grid.joint is None:
        return plain
    listed = [place for place in places if place.feature]
    names, followed = _new_names(model, sheets, listed)
    try:
        after = bind_labels(LabelScheme(), model.labels.grid, sheets)
    except GridError:
        return plain  # the map says why it has no such sheets
    if not names:
        return plain
    _check_free(model, after, listed, names)
    rename = hex_renamer(model.labels, after)
    puts: dict[bool, list[Edit]] = {False: [], True: []}
    gone: list[Edit] = []
    for old in model.features.values():
        new = relabelled(old, lambda text: followed.get(text) or rename(text))
        if old.id in names:
            new = msgspec.structs.replace(new, name=names[old.id])
        if new == relabelled(old, rename):
            continue
        # A map takes no marker on a place that it does not have, neither now nor when this is taken back.
        marker = isinstance(old, Marker)
        puts[marker].append(Put(collection="features", record=msgspec.to_builtins(new)))
        gone += [Delete(collection="features", id=old.id)] if marker else []
    return Batch(title="Set sheets", edits=[*gone, plain, *puts[False], *puts[True]])


def _new_names(
    model: Relabelled, sheets: Sequence[Sheet], places: Sequence[DrawnPlace]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the new names of features by their ids, and the new labels that others know them by, by the old ones."""
    names: dict[str, str] = {}
    followed: dict[str, str] = {}
    for place in places:
        feature: Any = model.features[place.feature]
        number = _sheet_of(model, place.dot, feature.name)
        if not feature.name or number is None:
            continue
        name = sheets[number].prefix + feature.name[len(model.sheets[number].prefix) :]
        if name != feature.name:
            names[feature.id] = name
            if place.label == feature.name:
                followed[feature.name] = name
    return names, followed


def _sheet_of(model: Relabelled, dot: Point, name: str) -> int | None:
    """Return the sheet on which a place lies whose name begins with its prefix; None where it does on none."""
    joint = model.labels.grid.joint
    found = [
        number
        for number, (x0, y0, x1, y1) in enumerate(joint.frames if joint is not None else ())
        if x0 <= dot[0] <= x1 and y0 <= dot[1] <= y1 and name.startswith(model.sheets[number].prefix)
    ]
    return max(found, key=lambda number: (len(model.sheets[number].prefix), -number)) if found else None


def _check_free(model: Relabelled, after: Labels, places: Sequence[DrawnPlace], names: Mapping[str, str]) -> None:
    """Refuse new names of places that hexes or other places have."""
    labels = {
        place.feature: names.get(place.feature) or place.label
        for place in places
        if isinstance(model.features[place.feature], Area | Place)
    }
    often = Counter(labels.values())
    for feature_id, name in names.items():
        if after.find(name) is not None or often[name] > 1:
            what = "a hex" if after.find(name) is not None else "another place"
            old: Any = model.features[feature_id]
            msg = f"set sheets: the place {old.name!r} would bear the label {name!r} of {what}; give another prefix"
            raise EditError(msg)
