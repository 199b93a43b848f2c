"""The working copy of a scenario: its document, changed by edits only."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from studio.errors import EditError, nearest
from studio.model.batch import perform_batch, refusing
from studio.model.change import Change
from studio.model.documents import ScenarioDocument
from studio.model.edits import Batch, Delete, Edit, Paint, Put, SetField, SetSide
from studio.model.forcepaths import COLLECTIONS, changed_records, collection_type, index_of

__all__ = ["ScenarioModel"]

_TOP = COLLECTIONS[ScenarioDocument]
_FIXED = {"format", "version", "ruleset"}


class ScenarioModel:
    """A scenario that can be changed.

    Parameters
    ----------
    document : ScenarioDocument
        Taken over; later edits replace its fields.
    """

    collections = tuple(_TOP)

    def __init__(self, document: ScenarioDocument) -> None:
        self.document = document

    @property
    def title(self) -> str:
        """Title of the scenario."""
        return self.document.title

    def perform(self, edit: Edit) -> tuple[Edit, Change]:
        """Make an edit; return its inverse and what it touched.

        Raises
        ------
        EditError
            When the edit cannot be made; nothing has been changed then.
        """
        return refusing(self._perform, edit)

    def _perform(self, edit: Edit) -> tuple[Edit, Change]:
        match edit:
            case Put():
                return self._put(edit)
            case Delete():
                return self._delete(edit)
            case SetField():
                return self._set_field(edit)
            case Batch():
                return perform_batch(self, edit)
            case Paint() | SetSide():
                pass
        msg = f"not an edit of a scenario: {edit!r}; paint the map instead"
        raise EditError(msg)

    def _put(self, edit: Put) -> tuple[Edit, Change]:
        kind = collection_type(edit.collection)
        try:
            record = msgspec.convert(edit.record, kind)
        except msgspec.ValidationError as error:
            msg = f"put into {edit.collection}: {error}"
            raise EditError(msg) from error
        _check_text(record, f"put into {edit.collection}")

        def change(records: list[Any]) -> Edit:
            index = next((i for i, old in enumerate(records) if old.id == record.id), None)
            if index is None:
                records.insert(len(records) if edit.index is None else edit.index, record)
                return Delete(collection=edit.collection, id=record.id)
            old, records[index] = records[index], record
            return Put(collection=edit.collection, record=msgspec.to_builtins(old))

        inverse = changed_records(self.document, edit.collection, change)
        return inverse, Change(edit=edit, features=(record.id,))

    def _delete(self, edit: Delete) -> tuple[Edit, Change]:
        top = edit.collection.partition("/")[0]
        collection_type(edit.collection)
        before = getattr(self.document, top)

        def change(records: list[Any]) -> Edit:
            index = index_of(records, edit.id, edit.collection)
            old = records.pop(index)
            if any(other.id == edit.id for other in records):
                # Put could not tell it from its namesake, so that undo puts the whole list back.
                return SetField(field=top, value=msgspec.to_builtins(before))
            return Put(collection=edit.collection, record=msgspec.to_builtins(old), index=index)

        inverse = changed_records(self.document, edit.collection, change)
        return inverse, Change(edit=edit, removed=(edit.id,))

    def _set_field(self, edit: SetField) -> tuple[Edit, Change]:
        if "/" in edit.field:
            return self._set_field_of_record(edit)
        hints = _hints(ScenarioDocument)
        value = _converted(edit, edit.field, hints, set(hints) - _FIXED, "scenario")
        old = msgspec.to_builtins(getattr(self.document, edit.field))
        setattr(self.document, edit.field, value)
        return SetField(field=edit.field, value=old), Change(edit=edit, meta=True)

    def _set_field_of_record(self, edit: SetField) -> tuple[Edit, Change]:
        path, _, name = edit.field.rpartition("/")
        collection, _, record_id = path.rpartition("/")
        kind = collection_type(collection)
        hints = _hints(kind)
        allowed = set(hints) - {"id", *COLLECTIONS.get(kind, {})}
        value = _converted(edit, name, hints, allowed, kind.__name__.removesuffix("Record").lower())

        def change(records: list[Any]) -> Edit:
            index = index_of(records, record_id, collection)
            old = msgspec.to_builtins(getattr(records[index], name))
            records[index] = msgspec.structs.replace(records[index], **{name: value})
            return SetField(field=edit.field, value=old)

        inverse = changed_records(self.document, collection, change)
        return inverse, Change(edit=edit, features=(record_id,))

    def to_document(self) -> ScenarioDocument:
        """Return the scenario as its file holds it."""
        return msgspec.structs.replace(self.document)


_HINTS: dict[type[Any], dict[str, Any]] = {}


def _hints(kind: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a record; found once."""
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind, include_extras=True)
    return _HINTS[kind]


def _converted(edit: SetField, name: str, hints: dict[str, Any], allowed: set[str], what: str) -> Any:
    """Return the value of a field as its type has it."""
    if name not in allowed:
        msg = f"set: a {what} has no field {name!r} to set; {nearest(name, allowed)}"
        raise EditError(msg)
    try:
        value = msgspec.convert(edit.value, hints[name])
    except msgspec.ValidationError as error:
        msg = f"set {edit.field}: {error}"
        raise EditError(msg) from error
    _check_text(value, f"set {edit.field}")
    return value


def _check_text(value: Any, what: str) -> None:
    """Refuse what no file can hold, such as half of a character; a scenario with it could never be saved."""
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError as error:
        msg = f"{what}: the text has half of a character ({error.object[error.start]!a}); take it out"
        raise EditError(msg) from error
    except (TypeError, ValueError, RecursionError) as error:
        msg = f"{what}: a file cannot hold it: {error}"
        raise EditError(msg) from error
