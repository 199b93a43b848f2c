"""What things of a scenario are called: records by their ids, kinds of units, terrain and features by theirs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from studio.model.documents import ScenarioDocument
from studio.model.draws import lots_by_id
from studio.model.forces import Force, Formation, UnitRecord
from studio.model.wording.english import counted, listed, span, spoken

__all__ = ["Names"]

Table = Mapping[str, str]

_ALIKE = 3
"""Units of one name in a formation that are counted instead of named one by one."""


class Names:
    """What things are called in the words of a scenario.

    Parameters
    ----------
    document : ScenarioDocument, optional
        Whose records are named; ids are spoken as they are without.
    types, terrain, features, areas : mapping of str to str, optional
        Names of kinds of units, of terrain, of features of the map by id or kind, and of areas by id, as the game and
        its map have them; what is not among them is called by its id.
    """

    def __init__(
        self,
        document: ScenarioDocument | None = None,
        *,
        types: Table | None = None,
        terrain: Table | None = None,
        features: Table | None = None,
    ) -> None:
        self.document = document
        self._types = dict(types or {})
        self._terrain, self._features = dict(terrain or {}), dict(features or {})
        self.records: dict[str, dict[str, Any]] = {}
        self.turns: tuple[str, ...] = ()
        self.unit = "turn"
        if document is not None:
            self._read(document)

    def _read(self, document: ScenarioDocument) -> None:
        self.unit, self.turns = document.length_unit, document.turn_names
        self._types.update({kind.id: kind.name for kind in document.roster if kind.name})
        parts = [(force, part) for force in document.forces for part in force.formations]
        self.records = {
            "force": {force.id: force for force in document.forces},
            "formation": {part.id: part for _, part in parts},
            "unit": {unit.id: unit for _, part in parts for unit in part.units},
            **{
                name: {record.id: record for record in records}
                for name, records in (
                    ("objective", document.objectives),
                    ("clause", document.clauses),
                    ("event", document.events),
                    ("support", document.support),
                    ("cup", document.cup),
                    ("pool", document.pools),
                    ("table", document.tables),
                )
            },
        }
        self.records["lot"] = lots_by_id(document)
        self._home = {unit.id: part for _, part in parts for unit in part.units}
        alike: dict[str, int] = {}
        for _, part in parts:
            for unit in part.units:
                alike[self.of_unit(unit)] = alike.get(self.of_unit(unit), 0) + 1
        self._alike = alike

    def find(self, kind: str, name: str) -> Any:
        """Return a record by its kind and id; None where there is none."""
        return self.records.get(kind, {}).get(name)

    # -- what the game and the map have ------------------------------------------------------------------------------

    def type(self, name: str) -> str:
        """Return what a kind of unit or marker is called."""
        return self._types.get(name) or spoken(name)

    def terrain(self, name: str) -> str:
        """Return what a terrain is called."""
        found = self._terrain.get(name)
        return found.lower() if found else spoken(name)

    def feature(self, name: str) -> str:
        """Return what a feature of the map, or a kind of features, is called."""
        return self._features.get(name) or spoken(name)

    # -- sides and units ---------------------------------------------------------------------------------------------

    def side(self, name: str, nobody: str = "") -> str:
        """Return what a force is called."""
        found: Force | None = self.find("force", name)
        return (found.name or spoken(name)) if found else spoken(name) or nobody

    def of_unit(self, unit: UnitRecord) -> str:
        """Return what a unit is called: by its name, else by its type."""
        return unit.name or self.type(unit.type)

    def of_part(self, part: Formation) -> str:
        """Return what a formation is called."""
        return part.name or spoken(part.id)

    def whom(self, name: str, *, beside: str = "") -> str:
        """Return what a force, a formation or a unit is called; a unit with its formation where others are alike.

        Parameters
        ----------
        name : str
            Id.
        beside : str
            Id of a unit that is spoken of: its formation need not be named.
        """
        force, part, unit = (self.find(kind, name) for kind in ("force", "formation", "unit"))
        if force is not None and part is None:
            return self.side(name)
        if part is not None:
            return self.of_part(part)
        if unit is None:
            return self.called("lot", name)
        called, part = self.of_unit(unit), self._home[name]
        own = f"{unit.count} × {called}" if unit.count > 1 else called
        if self._alike[called] < 2:
            return own
        twins = sum(self.of_unit(other) == called for other in part.units)
        if twins > 1:
            own = f"{own} (at {unit.at})" if unit.at else f"{own} ({spoken(name)})"
        known = self._home.get(beside) is part or called == self.of_part(part)
        return own if known else f"{own} of {self.of_part(part)}"

    def all_of(self, names: Iterable[str], word: str = "and") -> str:
        """Return what forces, formations and units are called, as a list; of several alike ones how many there are."""
        groups: dict[tuple[str, str], list[str]] = {}
        for name in names:
            unit = self.find("unit", name)
            key = (self.of_unit(unit), self._home[name].id) if unit is not None else (name, "")
            groups.setdefault(key, []).append(name)
        return listed((self._group(found) for found in groups.values()), word)

    def _group(self, names: list[str]) -> str:
        if len(names) < _ALIKE:
            return listed(self.whom(name) for name in names)
        units = [self.find("unit", name) for name in names]
        if any(unit is None for unit in units):
            return self.whom(names[0])
        called = f"{sum(unit.count for unit in units)} × {self.of_unit(units[0])}"
        part = self._home[names[0]]
        return called if self.of_unit(units[0]) == self.of_part(part) else f"{called} of {self.of_part(part)}"

    def types_of(self, names: Iterable[str], word: str = "or") -> str:
        """Return kinds of units as a list."""
        return listed((self.type(name) for name in names), word)

    def called(self, kind: str, name: str) -> str:
        """Return what a record with a name is called: an event, a table, a pool; a marker by its type."""
        found = self.find(kind, name)
        if found is None:
            return spoken(name)
        own: str = getattr(found, "name", "") or (self.type(found.type) if getattr(found, "type", "") else "")
        return own or spoken(name)

    # -- turns -------------------------------------------------------------------------------------------------------

    def turn(self, number: int) -> str:
        """Return a turn with its name, where the turns have names."""
        name = self.turns[number - 1] if 0 < number <= len(self.turns) else ""
        return f"{self.unit} {number}" + (f" ({name})" if name else "")

    def span(self, first: int, last: int) -> str:
        """Return a stretch of turns."""
        if first and first == last:
            return f"in {self.turn(first)}"
        return span(first, last, self.unit)

    def length(self, number: int) -> str:
        """Return a number of turns or activations."""
        return counted(number, self.unit)
