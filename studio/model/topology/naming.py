"""Names of areas and places, followed through everything that goes by them."""

from __future__ import annotations

from collections.abc import Mapping
from unicodedata import category

import msgspec

from studio.errors import EditError, nearest
from studio.model.edits import Edit
from studio.model.features import Area, Feature, Place
from studio.model.topology.draft import Draft, said

__all__ = ["area_of", "label_fault", "label_of", "next_name", "rename"]


def label_of(feature: Area | Place) -> str:
    """Return what an area or a place is called: its name, or its id where it has none."""
    return feature.name or feature.id


def label_fault(label: str) -> str:
    """Return what is wrong with the label of a location; empty where nothing is.

    Lists of labels part them by commas, tables and commands by lines and blanks at their ends.

    Examples
    --------
    >>> label_fault("1, C"), label_fault("1 C")
    ('has a comma, which parts the labels of lists', '')
    """
    if "," in label:
        return "has a comma, which parts the labels of lists"
    if label and label.isspace():
        return "is blank"
    if label != label.strip():
        return "begins or ends with a blank"
    hidden = any(category(character) in ("Cc", "Zl", "Zp") for character in label)
    return "has a line break or another character that cannot be seen" if hidden else ""


def area_of(features: Mapping[str, Feature], area_id: str, what: str) -> Area:
    """Return an area by its id.

    Parameters
    ----------
    features : mapping of str to Feature
    area_id : str
    what : str
        What asks for it, for the message.

    Raises
    ------
    EditError
        When there is no such area.
    """
    found = features.get(area_id)
    if not isinstance(found, Area):
        known = [feature.id for feature in features.values() if isinstance(feature, Area)]
        msg = f"{what}: no area has the id {area_id!r}; {nearest(str(area_id), known)}"
        raise EditError(msg)
    return found


def next_name(draft: Draft, name: str, kept: str = "") -> str:
    """Return a free label made of another, with a letter: 12b beside 12; empty where that is empty."""
    if not name:
        return ""
    taken = {kept} | {label_of(feature) for feature in draft.all() if isinstance(feature, Area | Place)}
    letters = "bcdefghijklmnopqrstuvwxyz"
    free = (f"{name}{letter}" for letter in (*letters, *(f"-{number}" for number in range(2, len(taken) + 3))))
    return next(label for label in free if label not in taken)


def rename(features: Mapping[str, Feature], feature_id: str, old: str, new: str) -> list[Edit]:
    """Give an area or a place another name, and follow it through links, apertures and markers.

    Parameters
    ----------
    features : mapping of str to Feature
    feature_id : str
    old : str
        The label that others know it by.
    new : str

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When it is no area and no place, or another one is called so.
    """
    feature = features.get(feature_id)
    if not isinstance(feature, Area | Place):
        named = [one.id for one in features.values() if isinstance(one, Area | Place)]
        msg = f"rename: no area and no place has the id {feature_id!r}; {nearest(str(feature_id), named)}"
        raise EditError(msg)
    for other in features.values():
        if isinstance(other, Area | Place) and other.id != feature_id and label_of(other) == new:
            taken = f"{said(other, known_by_id=True)} is called {new!r} already"
            msg = f"rename: {taken}; choose another name, or rename that first"
            raise EditError(msg)
    draft = Draft(features)
    draft.put(msgspec.structs.replace(feature, name=new))
    if old != new:
        draft.relabel({old: new})
    return draft.edits()
