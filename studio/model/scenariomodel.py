"""The working copy of a scenario: its document, changed by edits only."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec

from studio.errors import EditError, nearest
from studio.model.batch import perform_batch, refusing
from studio.model.change import Change
from studio.model.documents import Force, Objective, ScenarioDocument
from studio.model.edits import Batch, Delete, Edit, Paint, Put, SetField, SetSide

__all__ = ["ScenarioModel"]

_RECORDS: dict[str, type[Any]] = {"forces": Force, "objectives": Objective}
_FIXED = {"format", "version", "ruleset", *_RECORDS}


class ScenarioModel:
    """A scenario that can be changed.

    Parameters
    ----------
    document : ScenarioDocument
        Taken over; later edits replace its fields.
    """

    collections = tuple(_RECORDS)

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

    def _records(self, collection: str) -> list[Any]:
        if collection not in _RECORDS:
            msg = f"a scenario has no collection {collection!r}; {nearest(collection, _RECORDS)}"
            raise EditError(msg)
        return list(getattr(self.document, collection))

    def _replace(self, collection: str, records: list[Any]) -> None:
        setattr(self.document, collection, records)

    def _put(self, edit: Put) -> tuple[Edit, Change]:
        records = self._records(edit.collection)
        try:
            record = msgspec.convert(edit.record, _RECORDS[edit.collection])
        except msgspec.ValidationError as error:
            msg = f"put into {edit.collection}: {error}"
            raise EditError(msg) from error
        index = next((i for i, old in enumerate(records) if old.id == record.id), None)
        inverse: Edit
        if index is None:
            records.append(record)
            inverse = Delete(collection=edit.collection, id=record.id)
        else:
            inverse = Put(collection=edit.collection, record=msgspec.to_builtins(records[index]))
            records[index] = record
        self._replace(edit.collection, records)
        return inverse, Change(edit=edit, features=(record.id,))

    def _delete(self, edit: Delete) -> tuple[Edit, Change]:
        records = self._records(edit.collection)
        index = next((i for i, old in enumerate(records) if old.id == edit.id), None)
        if index is None:
            msg = f"delete: no record {edit.id!r} in {edit.collection}; {nearest(edit.id, [r.id for r in records])}"
            raise EditError(msg)
        # The place in the list is part of the document, so undo puts the whole list back.
        inverse = SetField(field=edit.collection, value=msgspec.to_builtins(records))
        del records[index]
        self._replace(edit.collection, records)
        return inverse, Change(edit=edit, removed=(edit.id,))

    def _set_field(self, edit: SetField) -> tuple[Edit, Change]:
        hints = get_type_hints(ScenarioDocument, include_extras=True)
        allowed = set(hints) - (_FIXED - set(_RECORDS))
        if edit.field not in allowed:
            msg = f"set: a scenario has no field {edit.field!r} to set; {nearest(edit.field, allowed)}"
            raise EditError(msg)
        try:
            value = msgspec.convert(edit.value, hints[edit.field])
        except msgspec.ValidationError as error:
            msg = f"set {edit.field}: {error}"
            raise EditError(msg) from error
        old = msgspec.to_builtins(getattr(self.document, edit.field))
        setattr(self.document, edit.field, value)
        return SetField(field=edit.field, value=old), Change(edit=edit, meta=True)

    def to_document(self) -> ScenarioDocument:
        """Return the scenario as its file holds it."""
        return msgspec.structs.replace(self.document)
