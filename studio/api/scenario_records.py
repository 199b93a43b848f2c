"""What a scenario lists beside its order of battle: events, support, cups, tables, clauses, periods and so on."""

from __future__ import annotations

from itertools import count as counting
from typing import TYPE_CHECKING, Any

import msgspec

from studio.api.aims import ScenarioAims
from studio.errors import EditError, UnknownNameError, nearest
from studio.model import Delete, Put, ScenarioDocument, SetField
from studio.model.forcepaths import COLLECTIONS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studio.api.scenario import Scenario

__all__ = ["RECORDS", "ScenarioRecords"]

RECORDS = {name: kind for name, kind in COLLECTIONS[ScenarioDocument].items() if name != "forces"}
"""Lists of a scenario with what they hold."""

_FIXED = {"format", "version", "ruleset", "forces", "map", *RECORDS}


class ScenarioRecords(ScenarioAims):
    """A scenario whose lists can be added to."""

    def add_record(self, collection: str, fields: Mapping[str, Any] | None = None, /, **more: Any) -> str:
        """Add a record to a list of the scenario; return its id.

        Parameters
        ----------
        collection : str
            ``events``, ``support``, ``cup``, ``pools``, ``tables``, ``clauses``, ``periods``, ``objectives``,
            ``place_notes``, ``roster``, ``variants`` or ``errata``.
        fields : mapping, optional
            Fields of the record, as its class has them; records within it as such or as plain data.
        **more
            The same, by name. Without ``id`` one is made.

        Raises
        ------
        UnknownNameError
            When there is no such list.
        EditError
            When a field is unknown or its value wrong, or the id is taken.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.add_record("events", name="Dust settles", turn=4, kind="weather")
        'event-1'
        """
        kind = self._kind(collection)
        given = {**(fields or {}), **more}
        known = {one.id for one in getattr(self.document, collection)}
        name = str(given.get("id") or "")
        if name in known:
            msg = f"{collection}: the scenario has {name!r} already; give another id"
            raise EditError(msg)
        stem = {"support": "support", "cup": "marker", "roster": "kind"}.get(collection, kind.__name__.lower())
        given["id"] = name or next(made for n in counting(1) if (made := f"{stem}-{n}") not in known)
        self._put_record(collection, kind, given, f"Add {stem} {given['id']}")
        return str(given["id"])

    def change_record(self, collection: str, record: str, **fields: Any) -> None:
        """Change fields of a record.

        Parameters
        ----------
        collection : str
            As for :meth:`add_record`.
        record : str
            Its id.
        **fields
            What changes; the rest stays.

        Raises
        ------
        UnknownNameError
            When there is no such list or record.
        EditError
            When a field is unknown or its value wrong.
        """
        kind = self._kind(collection)
        old = self._record(collection, record)
        self._put_record(collection, kind, {**msgspec.to_builtins(old), **fields, "id": record}, f"Change {record}")

    def remove_record(self, collection: str, record: str) -> None:
        """Take a record away.

        Raises
        ------
        UnknownNameError
            When there is no such list or record.
        """
        self._kind(collection)
        self._record(collection, record)
        self._step(f"Remove {record}", [Delete(collection=collection, id=record)])

    def set_details(self, **fields: Any) -> None:
        """Set what the scenario says of itself: ``title``, ``ratings``, ``special``, ``victory`` and the rest.

        Parameters
        ----------
        **fields
            Fields of :class:`studio.model.ScenarioDocument`. Of ``special`` only what is given changes.

        Raises
        ------
        EditError
            When a field is unknown or its value wrong.
        """
        known = [name for name in ScenarioDocument.__struct_fields__ if name not in _FIXED]
        edits = []
        for name, value in fields.items():
            if name not in known:
                msg = f"{self.title}: no field {name!r} to set; {nearest(name, known)}"
                raise EditError(msg)
            made = msgspec.to_builtins(value)
            if name == "special" and isinstance(made, dict):
                made = {**msgspec.to_builtins(self.document.special), **made}
            edits.append(SetField(field=name, value=made))
        self._step("Set " + ", ".join(name.replace("_", " ") for name in fields), list(edits))

    def variant(self, name: str) -> Scenario:
        """Return a variant of the scenario: what it is after the changes that the variant lists.

        Parameters
        ----------
        name : str
            Id or name of the variant.

        Raises
        ------
        UnknownNameError
            When there is no such variant.
        EditError
            When one of its changes cannot be made.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> changes = [{"op": "set", "field": "length", "value": 20}]
        >>> raid.add_record("variants", id="longer", name="Late relief", changes=changes)
        'longer'
        >>> raid.variant("longer").document.length, raid.document.length
        (20, 16)
        """
        known = {one.id: one for one in self.document.variants}
        found = known.get(name) or next((one for one in self.document.variants if one.name == name), None)
        if found is None:
            msg = f"{self.title}: no variant {name!r}; {nearest(name, known)}"
            raise UnknownNameError(msg)
        made: Scenario = self.supposing(*found.changes)  # type: ignore[attr-defined]
        return made

    # -- what all of them need ---------------------------------------------------------------------------------------

    def _kind(self, collection: str) -> type[Any]:
        if not isinstance(collection, str) or collection not in RECORDS:
            msg = f"{self.title}: no list {collection!r}; {nearest(str(collection), RECORDS)}"
            raise UnknownNameError(msg)
        return RECORDS[collection]

    def _record(self, collection: str, name: str) -> Any:
        known = {one.id: one for one in getattr(self.document, collection)}
        if name not in known:
            msg = f"{self.title}: no record {name!r} in {collection}; {nearest(str(name), known)}"
            raise UnknownNameError(msg)
        return known[name]

    def _put_record(self, collection: str, kind: type[Any], fields: Mapping[str, Any], title: str) -> None:
        try:
            made = msgspec.convert(msgspec.to_builtins(dict(fields)), kind)
            record = msgspec.to_builtins(made)
        except (msgspec.ValidationError, TypeError, RecursionError) as error:
            msg = f"{collection} {fields['id']}: {error}"
            raise EditError(msg) from error
        self._step(title, [Put(collection=collection, record=record)])
