"""Features taken away or copied with what is part of them, so that nothing is left that names what is gone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import msgspec

from studio.errors import EditError, nearest
from studio.model.edits import Edit
from studio.model.features import Aperture, Area, Crest, Feature, Link, Marker, Place, Road, natural_key
from studio.model.topology.draft import Draft, said
from studio.model.topology.moving import shifted
from studio.model.topology.naming import label_of, next_name

__all__ = ["copy_features", "erase_features", "with_parts"]


def with_parts(features: Mapping[str, Feature], ids: Collection[str]) -> list[str]:
    """Return the ids of features and of what is part of their areas, however deep, in natural order.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : collection of str

    Raises
    ------
    EditError
        When there is no such feature.
    """
    for name in ids:
        if name not in features:
            msg = f"no feature has the id {name!r}; {nearest(str(name), features)}"
            raise EditError(msg)
    found, grown = set(ids), True
    while grown:
        new = {
            one.id
            for one in features.values()
            if isinstance(one, Area | Place) and one.within in found and one.id not in found
        }
        found |= new
        grown = bool(new)
    return sorted(found, key=natural_key)


def erase_features(features: Mapping[str, Feature], ids: Collection[str]) -> list[Edit]:
    """Take features away, with what is part of their areas and what goes by the labels of what is gone.

    Apertures into such a location, links from or to it, and markers that lie on it alone go too; a marker that covers
    others as well keeps those.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : collection of str

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When there is no such feature.
    """
    gone = with_parts(features, ids)
    draft = Draft(features)
    taken = [features[name] for name in gone]
    kept = {label_of(one) for one in features.values() if isinstance(one, Area | Place) and one.id not in gone}
    labels = {label_of(one) for one in taken if isinstance(one, Area | Place)} - kept
    for name in gone:
        draft.delete(name)
    for feature in list(draft.all()):
        match feature:
            case Aperture() if feature.into in labels:
                draft.delete(feature.id)
            case Link() if feature.a in labels or feature.b in labels:
                draft.delete(feature.id)
            case Marker() if feature.at in labels:
                draft.delete(feature.id)
            case Marker() if labels.intersection(feature.also):
                left = tuple(label for label in feature.also if label not in labels)
                draft.put(msgspec.structs.replace(feature, also=left))
    return draft.edits()


def copy_features(
    features: Mapping[str, Feature],
    ids: Sequence[str],
    dx: int,
    dy: int,
    moved: Callable[[str], str | None] | None = None,
) -> tuple[list[Edit], list[str]]:
    """Copy features with what is part of their areas, moved by a way.

    Copies of named areas and places are called after them: 12b beside 12. Apertures, links and markers, which name
    other locations, are not copied along. What goes by labels, such as a marker, gets those of the copies where their
    locations are copied too, and `moved` ones otherwise.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : sequence of str
    dx, dy : int
        Lattice units.
    moved : callable, optional
        Returns the label of the hex that lies so far from another, None where that is off the map; of what is no hex
        the same label.

    Returns
    -------
    edits : list of Edit
    new : list of str
        Ids of the copies of the features that were named, in their order.

    Raises
    ------
    EditError
        When there is no such feature, or one has nowhere to go: the copy of a link would join the same two locations.
    """
    draft = Draft(features)
    known: dict[str, str] = {}
    labels: dict[str, str] = {}
    # Locations first: what goes by labels follows them.
    for name in sorted(with_parts(features, ids), key=lambda name: not isinstance(features[name], Area | Place)):
        feature = features[name]
        kind = str(type(feature).__struct_config__.tag)
        new = shifted(feature, dx, dy)
        if new == feature and (dx or dy):
            new = _relabelled(feature, lambda label: labels.get(label) or (moved(label) if moved else label))
        if new == feature and (dx or dy):
            msg = f"copy: {said(feature, known_by_id=True)} goes by labels and has no points; add another one instead"
            raise EditError(msg)
        known[name] = draft.new_id(kind)
        fields: dict[str, object] = {"id": known[name]}
        if isinstance(feature, Area | Place):
            fields["name"] = next_name(draft, feature.name)
        copied = msgspec.structs.replace(new, **fields)
        if isinstance(feature, Area | Place) and isinstance(copied, Area | Place):
            labels[label_of(feature)] = label_of(copied)
        draft.put(copied)
    for new_id in known.values():
        copy = draft.get(new_id)
        if isinstance(copy, Area | Place) and copy.within in known:
            draft.put(msgspec.structs.replace(copy, within=known[copy.within]))
    return draft.edits(), [known[name] for name in dict.fromkeys(ids)]


def _relabelled(feature: Feature, moved: Callable[[str], str | None]) -> Feature:
    """Return what goes by labels with others; what a marker covers besides may be off the map, nothing else."""

    def there(label: str) -> str:
        found = moved(label)
        if found is None:
            msg = f"copy: {said(feature, known_by_id=True)} would lie off the map; copy it where there is room"
            raise EditError(msg)
        return found

    match feature:
        case Marker():
            also = tuple(label for one in feature.also if (label := moved(one)) is not None)
            return msgspec.structs.replace(feature, at=there(feature.at), also=also)
        case Link():
            return msgspec.structs.replace(feature, a=there(feature.a), b=there(feature.b))
        case Road() | Crest():
            return msgspec.structs.replace(feature, path=tuple(map(there, feature.path)))
    return feature
