"""The fields of features as a person reads and types them, and the edits that a change of one comes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from studio.errors import EditError, nearest, shortened
from studio.model import (
    Aperture,
    Area,
    Batch,
    Delete,
    Dot,
    Edit,
    Feature,
    Link,
    Marker,
    Place,
    Put,
)
from studio.model.features import relabelled

__all__ = ["FIELDS", "change", "common_fields", "kind_of", "rename_id", "shown", "text_of_point", "typed"]

FIELDS: dict[str, tuple[str, ...]] = {
    "road": ("surface", "name", "path", "id"),
    "crest": ("name", "path", "id"),
    "contour": ("level", "id"),
    "name": ("text", "at", "size", "angle", "id"),
    "marker": ("type", "at", "also", "id"),
    "area": ("type", "name", "level", "tags", "within", "dot", "id"),
    "place": ("type", "name", "level", "tags", "within", "at", "id"),
    "wall": ("type", "name", "id"),
    "aperture": ("type", "into", "open", "arrow_1", "arrow_2", "at", "id"),
    "link": ("type", "a", "b", "one_way", "order", "text", "id"),
    "dot": ("at", "point", "id"),
}
"""What can be changed of each kind of feature, in the order in which it is shown."""

_POINTS = frozenset({"dot", "point"})
_POINT = "a point, as two whole numbers 'x, y' on the lattice, or the label of a hex for its middle"
_WHOLE = {"level": (-20, 100), "order": (0, 1000)}
_NUMBERS = {"size": (0.01, 20.0), "angle": (-360.0, 360.0)}


def kind_of(feature: Feature) -> str:
    """Return the kind of a feature, such as ``area``."""
    return str(type(feature).__struct_config__.tag)


def common_fields(features: Sequence[Feature]) -> list[str]:
    """Return the fields that some features have in common, in their order; of several those that may be alike."""
    if not features:
        return []
    names = [FIELDS[kind_of(one)] for one in features]
    alike = [name for name in names[0] if all(name in other for other in names)]
    if len(features) == 1:
        return alike
    kinds = {kind_of(one) for one in features}
    own = {"id", "path", "point", "dot", "arrow_1", "arrow_2", "at"} - ({"at"} if kinds == {"marker"} else set())
    if kinds & {"area", "place"}:
        own.add("name")  # labels are one a location
    if len(kinds) > 1:
        own.add("type")
    return [name for name in alike if name not in own]


# -- as it is shown ----------------------------------------------------------------------------------------------------


def text_of_point(point: tuple[int, int] | None) -> str:
    """Return a point as it is typed; nothing for none."""
    return "" if point is None else f"{point[0]}, {point[1]}"


def shown(document: Any, feature: Feature, name: str) -> Any:
    """Return the value of a field as a person types it: points, labels and arrows as texts.

    Parameters
    ----------
    document : studio.Map
    feature : Feature
    name : str
        One of `FIELDS`.
    """
    if name.startswith("arrow_"):
        assert isinstance(feature, Aperture)
        number = int(name[-1]) - 1
        return " ".join(feature.arrows[number]) if number < len(feature.arrows) else ""
    value = getattr(feature, name)
    if name in _POINTS or (name == "at" and not isinstance(value, str)):
        return text_of_point(value)
    if name == "within":
        around = document.model.features.get(value)
        return (around.name or around.id) if isinstance(around, Area) else value
    if name in ("path", "also"):
        return ", ".join(value)
    return value


# -- as it is typed ----------------------------------------------------------------------------------------------------


def _labels(text: Any) -> list[str]:
    return [part.strip() for part in str(text or "").split(",") if part.strip()]


def _point(document: Any, value: Any, what: str) -> list[int]:
    text = str(value).strip()
    found = re.fullmatch(r"[(\[]?\s*(-?[0-9]{1,9})\s*[,; ]\s*(-?[0-9]{1,9})\s*[)\]]?", text)
    if found:
        return [int(found[1]), int(found[2])]
    cell = document.labels.find(text)
    if cell is None:
        msg = f"{what}: got {shortened(value)}; allowed: {_POINT}"
        raise EditError(msg)
    return list(document.grid.centre(cell))


def _number(value: Any, name: str) -> float | int:
    whole = name in _WHOLE
    low, high = _WHOLE[name] if whole else _NUMBERS[name]
    good = isinstance(value, int | float) and not isinstance(value, bool) and low <= value <= high
    if not good or (whole and int(value) != value):
        kind = "a whole number" if whole else "a number"
        msg = f"{name}: got {shortened(value)}; allowed: {kind} from {low:g} to {high:g}"
        raise EditError(msg)
    return int(value) if whole else float(value)


def _around(document: Any, value: Any) -> str:
    text = str(value or "").strip()
    areas = {one.id: one for one in document.model.features.values() if isinstance(one, Area)}
    if not text or text in areas:
        return text
    named = [one.id for one in areas.values() if one.name == text]
    if len(named) != 1:
        known = [one.name or one.id for one in areas.values()]
        why = f"several areas are called so: {', '.join(named)}" if named else f"no such area; {nearest(text, known)}"
        msg = f"within: got {shortened(text)}; {why}"
        raise EditError(msg)
    return named[0]


def _location(document: Any, value: Any) -> str:
    text = str(value or "").strip()
    document.survey.directory.number(text)  # refuses what is none, with the nearest
    return text


def _arrows(document: Any, feature: Feature, name: str, value: Any) -> list[list[str]]:
    assert isinstance(feature, Aperture)
    rows = [list(arrow) for arrow in feature.arrows]
    labels = str(value or "").replace(",", " ").split()
    document.labels.cells(labels)
    number = int(name[-1]) - 1
    rows[number : number + 1] = [labels] if labels else []
    return rows


def typed(document: Any, feature: Feature, name: str, value: Any) -> dict[str, Any]:
    """Return the record of a feature with a field as somebody typed it.

    Parameters
    ----------
    document : studio.Map
    feature : Feature
    name : str
        One of `FIELDS`, or ``tag:NAME`` for one tag, with True, False, or what follows a colon in it.
    value

    Raises
    ------
    EditError
        When the field cannot have such a value, with what is allowed.
    LabelError
        When it names no location.
    """
    record: dict[str, Any] = msgspec.to_builtins(feature)
    if name.startswith("tag:"):
        record["tags"] = _tags(record["tags"], name[4:], value)
        return record
    if name not in FIELDS[kind_of(feature)]:
        msg = f"{feature.id}: a {kind_of(feature)} has no field {name!r}; it has {', '.join(FIELDS[kind_of(feature)])}"
        raise EditError(msg)
    ways: dict[str, Callable[[], Any]] = {
        "within": lambda: _around(document, value),
        "tags": lambda: _labels(value),
        "also": lambda: [_location(document, label) for label in _labels(value)],
        "path": lambda: str(value or "").replace(",", " ").split() if "," not in str(value) else _labels(value),
        "dot": lambda: None if not str(value or "").strip() else _point(document, value, "dot"),
        "point": lambda: _point(document, value, "point"),
        "into": lambda: _location(document, value),
        "a": lambda: _location(document, value),
        "b": lambda: _location(document, value),
    }
    if name.startswith("arrow_"):
        record["arrows"] = _arrows(document, feature, name, value)
    elif name == "at":
        place = isinstance(feature, Marker | Dot)
        record["at"] = str(value or "").strip() if place else _point(document, value, "at")
    elif name in ways:
        record[name] = ways[name]()
    elif name in _WHOLE or name in _NUMBERS:
        record[name] = _number(value, name)
    else:
        record[name] = bool(value) if name in ("open", "one_way") else str(value or "")
    return record


def _tags(tags: Sequence[str], name: str, value: Any) -> list[str]:
    """Return tags with one of them set; of those that begin with a word and a colon there is one."""
    if name.endswith(":"):
        kept = [tag for tag in tags if not tag.startswith(name)]
        return [*kept, name + str(value).strip()] if str(value or "").strip() else kept
    kept = [tag for tag in tags if tag != name]
    return [*kept, name] if value else kept


# -- what it comes to --------------------------------------------------------------------------------------------------


def change(document: Any, features: Sequence[Feature], name: str, value: Any) -> None:
    """Change a field of one feature or of several, as one step.

    Labels of locations are followed through all that names them.

    Parameters
    ----------
    document : studio.Map
    features : sequence of Feature
    name : str
        As for `typed`.
    value

    Raises
    ------
    EditError
        When the field cannot have such a value; nothing is changed then.
    LabelError
        When it names no location.
    """
    first = features[0]
    if name == "name" and isinstance(first, Area | Place) and len(features) == 1:
        located = isinstance(first, Place) or any(one.feature == first.id for one in document.survey.directory.others)
        if located and str(value or "").strip():
            if str(value) != first.name:
                document.rename(first.id, str(value))
            return
    if name == "id":
        document.apply(rename_id(document.model.features, first, str(value or "")))
        return
    records = [typed(document, one, name, value) for one in features]
    puts: list[Edit] = [
        Put(collection="features", record=record)
        for record, one in zip(records, features, strict=True)
        if record != msgspec.to_builtins(one)
    ]
    if puts:
        what = name.replace("tag:", "").replace("_", " ").strip(":")
        whose = (
            f"{kind_of(first)} {getattr(first, 'name', '') or first.id}"
            if len(features) == 1
            else f"{len(puts)} features"
        )
        document.apply(Batch(title=f"Change {what} of {shortened_title(whose)}", edits=puts))


def shortened_title(text: str) -> str:
    """Return a text that is short enough for the list of steps."""
    return text if len(text) <= 60 else f"{text[:59]}…"


def rename_id(features: Mapping[str, Feature], feature: Feature, new: str) -> Edit:
    """Return the edit that gives a feature another id; what is within it and what goes by it follow.

    Raises
    ------
    EditError
        When another feature has the id.
    """
    if new == feature.id:
        return Batch(title="Change nothing", edits=[])
    if new in features:
        msg = f"id: {new!r} is taken by {kind_of(features[new])} {new}; choose another"
        raise EditError(msg)
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}", new):
        words = "letters, digits and _ . : - that begin with a letter or digit, 100 at most"
        msg = f"id: got {shortened(new)}; allowed: {words}"
        raise EditError(msg)
    edits: list[Edit] = [
        Delete(collection="features", id=feature.id),
        Put(collection="features", record={**msgspec.to_builtins(feature), "id": new}),
    ]
    nameless = isinstance(feature, Area | Place) and not feature.name

    def follow(label: str) -> str:
        return new if label == feature.id else label

    for other in _others(features.values(), feature):
        after = relabelled(other, follow) if nameless and isinstance(other, Link | Marker | Aperture) else other
        if isinstance(after, Area | Place) and after.within == feature.id:
            after = msgspec.structs.replace(after, within=new)
        if after != other:
            edits.append(Put(collection="features", record=msgspec.to_builtins(after)))
    return Batch(title=f"Change id to {new}", edits=edits)


def _others(features: Iterable[Feature], feature: Feature) -> list[Feature]:
    return [other for other in features if other.id != feature.id]
