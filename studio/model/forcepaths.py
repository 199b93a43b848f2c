"""Records of a scenario by their path, so that an edit changes one unit and leaves alone what others change.

A path names a collection: ``forces``, ``forces/red/formations``, ``forces/red/formations/1st/units``, ``objectives``,
``events`` and so on. A collection and an id name a record, and with a field behind it one field of the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from studio.errors import EditError, nearest
from studio.model.aims import Clause, Objective, PlaceNote
from studio.model.documents import Erratum, ScenarioDocument, Variant
from studio.model.draws import DrawPool, RandomTable
from studio.model.edits import Batch, Delete, Edit, Put, SetField
from studio.model.forces import Force, Formation, UnitRecord
from studio.model.ownkinds import OwnKind
from studio.model.schedule import CupMarker, Event, Period, Support

__all__ = ["COLLECTIONS", "changed_records", "collection_type", "index_of", "paths_of", "touched"]

COLLECTIONS: dict[type[Any], dict[str, type[Any]]] = {
    ScenarioDocument: {
        "roster": OwnKind,
        "forces": Force,
        "objectives": Objective,
        "place_notes": PlaceNote,
        "clauses": Clause,
        "events": Event,
        "support": Support,
        "cup": CupMarker,
        "pools": DrawPool,
        "tables": RandomTable,
        "periods": Period,
        "variants": Variant,
        "errata": Erratum,
    },
    Force: {"formations": Formation},
    Formation: {"units": UnitRecord},
}
"""Collections of each type of record, with what they hold."""

R = TypeVar("R")


def collection_type(path: str) -> type[Any]:
    """Return what a collection holds.

    Raises
    ------
    EditError
        When a scenario has no such collection.
    """
    owner: type[Any] = ScenarioDocument
    parts = path.split("/")
    if len(parts) % 2 == 0:
        msg = f"{path}: a path of a collection ends with its name, such as {path}/formations"
        raise EditError(msg)
    for name in parts[::2]:
        known = COLLECTIONS.get(owner, {})
        if name not in known:
            what = "scenario" if owner is ScenarioDocument else owner.__name__.lower()
            msg = f"a {what} has no collection {name!r}; {nearest(name, known)}"
            raise EditError(msg)
        owner = known[name]
    return owner


def index_of(records: list[Any], name: str, path: str) -> int:
    """Return the place of a record among others by its id.

    Raises
    ------
    EditError
        When there is none.
    """
    for index, record in enumerate(records):
        if record.id == name:
            return index
    msg = f"no record {name!r} in {path}; {nearest(name, [record.id for record in records])}"
    raise EditError(msg)


def changed_records(document: ScenarioDocument, path: str, change: Callable[[list[Any]], R]) -> R:
    """Change a collection of a scenario; everything beside it stays as it is.

    Parameters
    ----------
    document : ScenarioDocument
    path : str
    change : callable
        Changes the list of records that it is given. Its result is returned.

    Raises
    ------
    EditError
        When there is no such collection, and whatever the change raises; the document is as it was then.
    """
    collection_type(path)
    results: list[R] = []
    document_path = path.split("/")
    top = _changed(list(getattr(document, document_path[0])), document_path, change, results)
    setattr(document, document_path[0], top)
    return results[0]


def _changed(records: list[Any], path: list[str], change: Callable[[list[Any]], R], results: list[R]) -> list[Any]:
    if len(path) == 1:
        results.append(change(records))
        return records
    index = index_of(records, path[1], path[0])
    inner = _changed(list(getattr(records[index], path[2])), path[2:], change, results)
    records[index] = msgspec.structs.replace(records[index], **{path[2]: tuple(inner)})
    return records


def paths_of(document: ScenarioDocument) -> dict[str, tuple[str, UnitRecord]]:
    """Return the units by id, each with the path of the collection that it is in; the first of several of one id."""
    found: dict[str, tuple[str, UnitRecord]] = {}
    for force in document.forces:
        for formation in force.formations:
            path = f"forces/{force.id}/formations/{formation.id}/units"
            for unit in formation.units:
                found.setdefault(unit.id, (path, unit))
    return found


def touched(edit: Edit) -> set[str]:
    """Return the paths of the records and fields of a scenario that an edit touches.

    Examples
    --------
    >>> touched(SetField(field="forces/red/formations/1st/units/tank/at", value="0304"))
    {'forces/red/formations/1st/units/tank'}
    >>> sorted(
    ...     touched(
    ...         Batch(title="both", edits=[Delete(collection="forces", id="red"), SetField(field="length", value=4)])
    ...     )
    ... )
    ['forces/red', 'length']
    """
    match edit:
        case Put():
            return {f"{edit.collection}/{edit.record.get('id', '')}"}
        case Delete():
            return {f"{edit.collection}/{edit.id}"}
        case SetField():
            return {edit.field.rpartition("/")[0] or edit.field}
        case Batch():
            return {path for step in edit.edits for path in touched(step)}
        case _:
            return set()
