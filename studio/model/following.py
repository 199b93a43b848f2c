"""A scenario after the hexes of its map moved or were renamed: every label in it goes along."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec

from studio.model.aims import Objective, PlaceNote
from studio.model.documents import ScenarioDocument, SpecialRules, Variant
from studio.model.draws import DrawPool
from studio.model.edits import Delete, Edit, Put, SetField
from studio.model.forces import UnitRecord
from studio.model.mapuse import MapUse
from studio.model.moved import Moved
from studio.model.setup import Distance, SetUp

__all__ = ["Followed", "follow"]

_UNPLACED = "Unplaced: {at} was removed from the map."

_Path: TypeAlias = "tuple[str, ...]"

_INSIDE = (msgspec.Struct, list, tuple)

_LIMITS = ("first_column", "last_column", "first_row", "last_row")

_LABELS: dict[tuple[type, str], str] = {
    (ScenarioDocument, "control"): "labels_by_key",
    (ScenarioDocument, "unrestored"): "labels",
    (ScenarioDocument, "place_notes"): "place_notes",
    (MapUse, "out_of_play"): "labels",
    (SetUp, "hexes"): "needed",
    (SetUp, "without"): "labels",
    (Distance, "places"): "needed",
    (Objective, "hexes"): "needed",
    (DrawPool, "places"): "needed",
    (SpecialRules, "smoke"): "labels",
    (SpecialRules, "closed"): "labels",
    (SpecialRules, "terrain_at"): "keys",
    (UnitRecord, "at"): "at",
    (Variant, "changes"): "changes",
    **{(record, field): "limit" for record in (MapUse, SetUp) for field in _LIMITS},
}
"""Every field that holds labels, and how: a new field that does needs a line here, and nothing else."""

_CALLED = {
    ("special", "smoke"): "smoke",
    ("special", "closed"): "closed places",
    ("special", "terrain_at"): "terrain of single hexes",
    ("map", "out_of_play"): "out of play",
    ("unrestored",): "unrestored sources",
}
_KINDS = {
    "objectives": "objective",
    "pools": "pool",
    "tables": "table",
    "variants": "variant",
    "control": "control of",
    "place_notes": "note",
}


class Followed(NamedTuple):
    """What a scenario has to change.

    Attributes
    ----------
    edits : list of Edit
        One for each field of the document that changes.
    notes : list of str
        What is lost, as sentences.
    faults : list of str
        What would mean something else afterwards.
    """

    edits: list[Edit]
    notes: list[str]
    faults: list[str]


def follow(
    document: ScenarioDocument, moved: Moved, former: tuple[ScenarioDocument, ScenarioDocument] | None = None
) -> Followed:
    """Return the edits by which a scenario follows its map.

    Labels in the changes of variants go along as far as these tell by their paths what they hold.

    Parameters
    ----------
    document : ScenarioDocument
    moved : Moved
        What happened to the map.
    former : (ScenarioDocument, ScenarioDocument), optional
        The scenario before the map went the other way, and after it had followed: what it lost then comes back.
    """
    follower = _Follower(moved, former)
    made = follower.walk(document, ())
    edits: list[Edit] = [
        SetField(field=field, value=msgspec.to_builtins(getattr(made, field)))
        for field in document.__struct_fields__
        if getattr(made, field) != getattr(document, field)
    ]
    return Followed(edits, follower.notes, follower.faults)


class _Walk:
    """Goes through a scenario and hands every field that holds labels to the method for its kind."""

    known: Mapping[_Path, Any] = {}
    """What fields held before; those are gone through when they are empty, too."""

    def walk(self, value: Any, path: _Path) -> Any:
        """Return a value with all labels in it as they are now; the value itself where nothing changes."""
        if isinstance(value, msgspec.Struct):
            return self._record(value, path)
        if isinstance(value, list | tuple) and value and isinstance(value[0], msgspec.Struct):
            found = [
                self.walk(one, (*path, getattr(one, "id", "") or str(number))) for number, one in enumerate(value, 1)
            ]
            changed = any(new is not old for new, old in zip(found, value, strict=True))
            return type(value)(found) if changed else value
        return value

    def _record(self, record: Any, path: _Path) -> Any:
        changes: dict[str, Any] = {}
        for field in record.__struct_fields__:
            old = getattr(record, field)
            kind = _LABELS.get((type(record), field), "")
            if not (old or (kind and (*path, field) in self.known)) or not (kind or isinstance(old, _INSIDE)):
                continue
            new = self.leaf(kind, old, (*path, field), record) if kind else self.walk(old, (*path, field))
            if new is not old:
                changes[field] = new
        return msgspec.structs.replace(record, **changes) if changes else record

    def leaf(self, kind: str, value: Any, path: _Path, record: Any = None) -> Any:
        """Return the new value of a field that holds labels."""
        raise NotImplementedError


class _Recorder(_Walk):
    """Collects what every field that holds labels has, by its path."""

    def __init__(self, document: ScenarioDocument | None) -> None:
        self.parts: dict[_Path, Any] = {}
        if document is not None:
            self.walk(document, ())

    def _record(self, record: Any, path: _Path) -> Any:
        if isinstance(record, UnitRecord):
            self.parts[path] = record
        for field in record.__struct_fields__:
            if (type(record), field) in _LABELS:
                self.leaf("", getattr(record, field), (*path, field))  # empty ones as well
        return super()._record(record, path)

    def leaf(self, kind: str, value: Any, path: _Path, record: Any = None) -> Any:
        del kind, record
        self.parts[path] = value
        for number, one in enumerate(value, 1) if path[-1] == "changes" else ():
            self.parts[*path, str(number)] = one
            _of_change(self, one, (*path, str(number)))
        if path[0] == "control":
            self.parts |= {(*path, side): labels for side, labels in value.items()}
        return value


class _Follower(_Walk):
    def __init__(self, moved: Moved, former: tuple[ScenarioDocument, ScenarioDocument] | None) -> None:
        self.moved = moved
        self.notes: list[str] = []
        self.faults: list[str] = []
        # What each part was before the map went the other way, and what became of it.
        self.known, self._after = (_Recorder(one).parts for one in former or (None, None))

    def _record(self, record: Any, path: _Path) -> Any:
        found = super()._record(record, path)
        return self._unit(found, record, path) if isinstance(record, UnitRecord) else found

    def leaf(self, kind: str, value: Any, path: _Path, record: Any = None) -> Any:
        """Return the new value of a field that holds labels."""
        if kind == "at":
            return (self.moved.label(value) or "") if value else value  # what is lost is said with the unit
        old = self._untouched(path, value)
        if old is not None:
            return old
        if kind == "limit" and not value:
            return value
        made: Callable[..., Any] = getattr(self, f"_{kind}")
        new = made(value, path, record)
        return value if new == value else new

    def _untouched(self, path: _Path, value: Any) -> Any:
        """Return what a part was before the map went the other way, None where it is not what became of that."""
        before, after = self.known.get(path), self._after.get(path)
        return before if before is not None and after is not None and after == value else None

    # -- labels --------------------------------------------------------------------------------------------------------

    def _labels(self, labels: Sequence[str], path: _Path, record: Any = None) -> tuple[str, ...]:
        """Return the new labels of hexes; those that are gone are left out, those that come back are put in again."""
        del record
        found: list[str] = []
        for label in labels:
            new = self.moved.label(label)
            if new is None:
                self.notes.append(f"{_called(path)}: {label} is gone")
            else:
                found.append(new)
        former: Sequence[str] = self.known.get(path, ())
        return (*found, *(label for label in former if self._comes_back(label) and label not in found))

    def _comes_back(self, label: str) -> bool:
        """Tell whether a hex was not on the map until now."""
        cell = self.moved.after.find(label)
        return cell is not None and self.moved.back.cell(cell) is None

    def _needed(self, labels: Sequence[str], path: _Path, record: Any = None) -> tuple[str, ...]:
        """Return the new labels where no label at all would mean something else, such as every hex."""
        found = self._labels(labels, path)
        others = isinstance(record, Distance) and any(
            (record.edges, record.terrain, record.features, record.units, record.areas_of)
        )
        if labels and not found and not others:
            self.faults.append(f"{_called(path)}: all of its hexes would go ({', '.join(labels[:4])})")
        return found

    def _labels_by_key(self, value: dict[str, tuple[str, ...]], path: _Path, record: Any = None) -> dict[str, Any]:
        del record
        return {key: self.leaf("labels", labels, (*path, key)) for key, labels in value.items()}

    def _keys(self, value: dict[str, str], path: _Path, record: Any = None) -> dict[str, str]:
        """Return what is said of single hexes by their new labels."""
        del record
        found: dict[str, str] = {}
        for label, said in value.items():
            new = self.moved.label(label)
            if new is None:
                self.notes.append(f"{_called(path)}: {label} is gone")
            else:
                found[new] = said
        former: dict[str, str] = self.known.get(path, {})
        return {**{label: said for label, said in former.items() if self._comes_back(label)}, **found}

    def _limit(self, text: str, path: _Path, record: Any = None) -> str:
        """Return the first or last column or row of a part of the map as it is printed now."""
        del record
        end, _, single = path[-1].partition("_")
        new = self.moved.limit(text, f"{single}s", last=end == "last")
        if new is None:
            self.faults.append(f"{_called(path)}: the {end} {single} {text} has no place on the new map")
            return text
        return new

    # -- records -------------------------------------------------------------------------------------------------------

    def _unit(self, unit: UnitRecord, old: UnitRecord, path: _Path) -> UnitRecord:
        former: UnitRecord | None = self.known.get(path)
        if former is not None and former.at and not old.at:
            note = _UNPLACED.format(at=former.at)
            if note in unit.notes:
                notes = unit.notes.replace("\n" + note, "", 1).replace(note, "", 1)
                return msgspec.structs.replace(unit, at=former.at, notes=notes)
        if not old.at or unit.at:
            return unit
        self.notes.append(f"{_called((*path, 'at'))}: not placed any more, {old.at} is gone")
        notes = "\n".join(filter(None, (unit.notes, _UNPLACED.format(at=old.at))))
        return msgspec.structs.replace(unit, notes=notes)

    def _place_notes(self, notes: list[PlaceNote], path: _Path, record: Any = None) -> list[PlaceNote]:
        del record
        found = []
        for note in notes:
            new = self.moved.label(note.at)
            if new is None:
                self.notes.append(f"note {note.id}: {note.at} is gone, and the note with it")
            else:
                found.append(msgspec.structs.replace(note, at=new))
        there = {note.id for note in found}
        former: list[PlaceNote] = self.known.get(path, [])
        return [*found, *(note for note in former if self._comes_back(note.at) and note.id not in there)]

    def _changes(self, changes: Sequence[Any], path: _Path, record: Any = None) -> tuple[Any, ...]:
        """Return the edits of a variant with the labels in what they put or set."""
        del record
        found = []
        for number, change in enumerate(changes, 1):
            own = (*path, str(number))
            old = self._untouched(own, change)
            found.append(_of_change(self, change, own) if old is None else old)
        return tuple(found)


def _called(path: _Path) -> str:
    """Return what a part of a scenario is called in messages."""
    if path in _CALLED:
        return _CALLED[path]
    if path[0] == "map":
        return "part in play"
    if path[0] == "forces":
        owners = [name for name, field in zip(path[1::2], path[::2], strict=False) if field in _OWNERS]
        rest = [word for word in path[2 * len(owners) : -1] if word != "where"]
        return " ".join(["/".join(owners), *rest])
    rest = [word for word in path[2:-1] if word != "where"]
    return " ".join([_KINDS.get(path[0], path[0]), *path[1:2], *rest])


_OWNERS = ("forces", "formations", "units")


# -- the changes of variants -------------------------------------------------------------------------------------------


def _of_change(walk: _Walk, change: Put | Delete | SetField, path: _Path) -> Put | Delete | SetField:
    """Return an edit of a variant with what it puts or sets walked through, as far as its path tells what that is."""
    match change:
        case Put():
            new = _walked(walk, change.record, (*change.collection.split("/"), "*"), path)
            return change if new is change.record else msgspec.structs.replace(change, record=new)
        case SetField():
            value = _walked(walk, change.value, tuple(change.field.split("/")), path)
            return change if value is change.value else msgspec.structs.replace(change, value=value)
    return change


def _walked(walk: _Walk, value: Any, field: _Path, path: _Path) -> Any:
    """Return plain data of a field of a scenario with the labels in it as they are now."""
    try:
        kind, hint = _kind_and_type(field)
        if kind in ("", "labels_by_key", "place_notes", "changes"):
            typed = msgspec.convert(value, hint)
        else:
            typed = tuple(value) if isinstance(value, list) else value
    except (KeyError, TypeError, msgspec.ValidationError):
        return value  # nothing that a scenario has: the check of variants tells
    new = walk.leaf(kind, typed, (*path, field[-1])) if kind else walk.walk(typed, path)
    if new is typed:
        return value
    return _like(value, msgspec.to_builtins(typed), msgspec.to_builtins(new))


def _kind_and_type(field: _Path) -> tuple[str, Any]:
    """Return how a field of a scenario holds labels, empty where it does not itself, and what type it has."""
    kind, here, several = "", typing.cast("Any", ScenarioDocument), False
    for name in field:
        if several:
            here, several = typing.get_args(here)[0], False
            continue
        kind = _LABELS.get((here, name), "")
        here = _plain(typing.get_type_hints(here)[name])
        several = not kind and typing.get_origin(here) in (list, tuple)
    return kind, here


def _plain(hint: Any) -> Any:
    """Return a type that may be None without that."""
    if isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union:
        found = [one for one in typing.get_args(hint) if one is not type(None)]
        return found[0] if len(found) == 1 else hint
    return hint


def _like(said: Any, old: Any, new: Any) -> Any:
    """Return plain data as it is now, without what was left out of it and stayed as it was."""
    if isinstance(said, dict) and isinstance(new, dict):
        known = old if isinstance(old, dict) else {}
        kept = {key: _like(value, known.get(key), new[key]) for key, value in said.items() if key in new}
        return kept | {key: value for key, value in new.items() if key not in said and known.get(key) != value}
    if isinstance(said, list) and isinstance(new, list) and isinstance(old, list) and len(said) == len(new) == len(old):
        return [_like(*each) for each in zip(said, old, new, strict=True)]
    return new
