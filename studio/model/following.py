"""A scenario after the hexes of its map moved or were renamed: every label in it goes along."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias, TypeVar

import msgspec

from studio.model.aims import Objective, PlaceNote
from studio.model.documents import ScenarioDocument
from studio.model.edits import Edit, SetField
from studio.model.forces import Force, Formation, UnitRecord
from studio.model.mapuse import MapUse
from studio.model.moved import Moved
from studio.model.setup import SetUp

__all__ = ["Followed", "follow"]

_UNPLACED = "Unplaced: {at} was removed from the map."

S = TypeVar("S", MapUse, SetUp)
_Key: TypeAlias = "tuple[str, ...]"


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

    Parameters
    ----------
    document : ScenarioDocument
    moved : Moved
        What happened to the map.
    former : (ScenarioDocument, ScenarioDocument), optional
        The scenario before the map went the other way, and after it had followed: what it lost then comes back.
    """
    return _Follower(document, moved, former).follow()


class _Follower:
    def __init__(
        self, document: ScenarioDocument, moved: Moved, former: tuple[ScenarioDocument, ScenarioDocument] | None
    ) -> None:
        self.document, self.moved = document, moved
        self.notes: list[str] = []
        self.faults: list[str] = []
        before, after = (_parts(one) for one in former or (None, None))
        # What each part was, and what became of it.
        self._former = {key: (value, after.get(key)) for key, value in before.items()}

    def follow(self) -> Followed:
        """Go through all fields that hold labels."""
        document = self.document
        special = document.special
        values: dict[str, Any] = {
            "map": self._map_use(document.map),
            "forces": [self._force(force) for force in document.forces],
            "objectives": [self._objective(one) for one in document.objectives],
            "special": msgspec.structs.replace(special, smoke=self._labels("smoke", special.smoke, ("smoke",))),
            "place_notes": self._place_notes(),
            "control": {
                side: self._labels(f"control of {side}", hexes, ("control", side))
                for side, hexes in document.control.items()
            },
            "unrestored": self._labels("unrestored sources", document.unrestored, ("unrestored",)),
        }
        edits: list[Edit] = [
            SetField(field=field, value=msgspec.to_builtins(value))
            for field, value in values.items()
            if value != getattr(document, field)
        ]
        return Followed(edits, self.notes, self.faults)

    # -- labels --------------------------------------------------------------------------------------------------------

    def _untouched(self, key: _Key, value: Any) -> Any:
        """Return what a part was before the map went the other way, None where it is not what became of that."""
        before, after = self._former.get(key, (None, None))
        return before if after is not None and after == value else None

    def _labels(self, what: str, labels: tuple[str, ...], key: _Key) -> tuple[str, ...]:
        """Return the new labels of hexes; those that are gone are left out, those that come back are put in again."""
        old: tuple[str, ...] | None = self._untouched(key, labels)
        if old is not None:
            return old
        found: list[str] = []
        for label in labels:
            new = self.moved.label(label)
            if new is None:
                self.notes.append(f"{what}: {label} is gone")
            else:
                found.append(new)
        former: tuple[str, ...] = self._former.get(key, ((), None))[0]
        return (*found, *(label for label in former if self._comes_back(label) and label not in found))

    def _comes_back(self, label: str) -> bool:
        """Tell whether a hex was not on the map until now."""
        cell = self.moved.after.find(label)
        return cell is not None and self.moved.back.cell(cell) is None

    def _needed(self, what: str, labels: tuple[str, ...], key: _Key) -> tuple[str, ...]:
        """Return the new labels where no label at all would stand for every hex."""
        found = self._labels(what, labels, key)
        if labels and not found:
            self.faults.append(f"{what}: all of its hexes would go ({', '.join(labels[:4])})")
        return found

    def _limits(self, what: str, record: S, key: _Key) -> S:
        """Return the first and last columns and rows of a part of the map, as they are printed now."""
        changes: dict[str, str] = {}
        for axis, single in (("columns", "column"), ("rows", "row")):
            for end in ("first", "last"):
                name = f"{end}_{single}"
                text = getattr(record, name, "")
                old = self._untouched((*key, name), text)
                new = old if old is not None else self.moved.limit(text, axis, last=end == "last") if text else ""
                if new is None:
                    self.faults.append(f"{what}: the {end} {single} {text} has no place on the new map")
                elif new != text:
                    changes[name] = new
        return msgspec.structs.replace(record, **changes)

    # -- records -------------------------------------------------------------------------------------------------------

    def _map_use(self, use: MapUse) -> MapUse:
        out = self._labels("out of play", use.out_of_play, ("out",))
        return msgspec.structs.replace(self._limits("part in play", use, ("map",)), out_of_play=out)

    def _force(self, force: Force) -> Force:
        formations = tuple(self._formation(force, formation) for formation in force.formations)
        return msgspec.structs.replace(force, formations=formations)

    def _formation(self, force: Force, formation: Formation) -> Formation:
        where, key = formation.where, (force.id, formation.id)
        what = "/".join(key)
        where = self._limits(what, where, key)
        where = msgspec.structs.replace(where, hexes=self._needed(what, where.hexes, (*key, "hexes")))
        units = tuple(self._unit(unit, (*key, "unit", unit.id)) for unit in formation.units)
        return msgspec.structs.replace(formation, where=where, units=units)

    def _unit(self, unit: UnitRecord, key: _Key) -> UnitRecord:
        former: UnitRecord | None = self._former.get(key, (None, None))[0]
        if former is not None and former.at and not unit.at:
            note = _UNPLACED.format(at=former.at)
            if note in unit.notes:
                notes = unit.notes.replace("\n" + note, "", 1).replace(note, "", 1)
                return msgspec.structs.replace(unit, at=former.at, notes=notes)
        if not unit.at:
            return unit
        new = self.moved.label(unit.at)
        if new is not None:
            return msgspec.structs.replace(unit, at=new)
        force, formation, *_ = key
        self.notes.append(f"{force}/{formation}/{unit.id}: not placed any more, {unit.at} is gone")
        notes = "\n".join(filter(None, (unit.notes, _UNPLACED.format(at=unit.at))))
        return msgspec.structs.replace(unit, at="", notes=notes)

    def _objective(self, objective: Objective) -> Objective:
        hexes = self._needed(f"objective {objective.id}", objective.hexes, ("objective", objective.id))
        return msgspec.structs.replace(objective, hexes=hexes)

    def _place_notes(self) -> list[PlaceNote]:
        old: list[PlaceNote] | None = self._untouched(("notes",), self.document.place_notes)
        if old is not None:
            return old
        found = []
        for note in self.document.place_notes:
            new = self.moved.label(note.at)
            if new is None:
                self.notes.append(f"note {note.id}: {note.at} is gone, and the note with it")
            else:
                found.append(msgspec.structs.replace(note, at=new))
        there = {note.id for note in found}
        former: list[PlaceNote] = self._former.get(("notes",), ([], None))[0]
        return [*found, *(note for note in former if self._comes_back(note.at) and note.id not in there)]


def _parts(document: ScenarioDocument | None) -> dict[_Key, Any]:
    """Return the parts of a scenario that hold labels, each with a key of its own."""
    if document is None:
        return {}
    found: dict[_Key, Any] = {
        ("out",): document.map.out_of_play,
        ("smoke",): document.special.smoke,
        ("unrestored",): document.unrestored,
        ("notes",): list(document.place_notes),
        **{("control", side): hexes for side, hexes in document.control.items()},
        **{("objective", one.id): one.hexes for one in document.objectives},
    }
    for name in ("first_column", "last_column", "first_row", "last_row"):
        found["map", name] = getattr(document.map, name)
    for force in document.forces:
        for formation in force.formations:
            key = (force.id, formation.id)
            found[(*key, "hexes")] = formation.where.hexes
            for name in ("first_column", "last_column"):
                found[(*key, name)] = getattr(formation.where, name)
            found |= {(*key, "unit", unit.id): unit for unit in formation.units}
    return found
