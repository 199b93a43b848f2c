"""What callers name in a scenario: forces, formations, units and types; and what a unit may be and where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import count as counting
from typing import Any

import msgspec

from studio.api.commanding import ScenarioCommand
from studio.errors import EditError, LabelError, UnknownNameError, nearest, shortened
from studio.model import Force, Formation, MapUse, ScenarioModel, UnitRecord
from studio.model.forcepaths import paths_of
from studio.rules.standing import PlayGround, Standing, facing_fault

__all__ = ["ScenarioNames", "plain"]


def plain(record: Any) -> dict[str, Any]:
    """Return a record as an edit holds it."""
    found: dict[str, Any] = msgspec.to_builtins(record)
    return found


class ScenarioNames(ScenarioCommand):
    """A scenario by its names."""

    model: ScenarioModel
    _ground: tuple[tuple[int, MapUse], PlayGround] | None = None

    @property
    def standing(self) -> Standing:
        """What stands where now, to ask where one more unit may."""
        kept = self._fresh()
        if "standing" not in kept:
            kept["standing"] = Standing(self.document, self._shown.survey, self.ruleset, self.play_ground)
        found: Standing = kept["standing"]
        return found

    @property
    def play_ground(self) -> PlayGround:
        """The part of the map in play; found anew only when the map or its use has changed."""
        survey = self._shown.survey
        key = (survey.revision, self.model.document.map)
        if self._ground is None or self._ground[0] != key or self._ground[1].survey is not survey:
            self._ground = (key, PlayGround(survey, self.model.document.map))
        return self._ground[1]

    @property
    def unit_ids(self) -> list[str]:
        """Ids of all units, in the order of battle."""
        return list(self._paths())

    def units_of(self, force: str = "") -> list[UnitRecord]:
        """Return the units of a force, or of all, in the order of battle.

        Raises
        ------
        UnknownNameError
            When the scenario has no such force.
        """
        owner = self._force(force).id if force else ""
        return [unit for path, unit in self._paths().values() if not owner or path.split("/")[1] == owner]

    def _paths(self) -> dict[str, tuple[str, UnitRecord]]:
        kept = self._fresh()
        if "paths" not in kept:
            kept["paths"] = paths_of(self.model.document)
        found: dict[str, tuple[str, UnitRecord]] = kept["paths"]
        return found

    def _sides(self) -> list[str]:
        return [force.id for force in self.document.forces]

    def _check_force(self, what: str, side: str) -> None:
        if side not in self._sides():
            msg = f"{what}: no force {side!r}; {nearest(str(side), self._sides())}"
            raise UnknownNameError(msg)

    def _force(self, force: str) -> Force:
        """Return a force by its id or name; the only one where none is named."""
        forces = self.document.forces
        found = [one for one in forces if force in (one.id, one.name)] if force else list(forces)
        if len(found) == 1:
            return found[0]
        if not forces:
            msg = f"{self.title}: the scenario has no force yet; add one: scenario.add_force('Red')"
            raise UnknownNameError(msg)
        if not force:
            msg = f"{self.title}: say which force; it has {', '.join(one.id for one in forces)}"
            raise UnknownNameError(msg)
        msg = f"{self.title}: no force {force!r}; {nearest(str(force), [one.id for one in forces])}"
        raise UnknownNameError(msg)

    def _formation(self, formation: str, force: str = "") -> tuple[Force, Formation]:
        """Return a formation by its id or name, with its force; the only one where none is named."""
        forces = [self._force(force)] if force else list(self.document.forces)
        all_parts = [(owner, part) for owner in forces for part in owner.formations]
        found = [(owner, part) for owner, part in all_parts if part.id == formation]
        found = found or [(owner, part) for owner, part in all_parts if part.name == formation]
        if not formation:
            found = all_parts
        if len(found) == 1:
            return found[0]
        ids = [part.id for _, part in all_parts]
        if not all_parts:
            whose = f"{force!r} has" if force else "the scenario has"
            msg = f"{self.title}: {whose} no formation yet; add one: scenario.add_formation(force, 'Company A')"
        elif not formation:
            msg = f"{self.title}: say which formation; there are {', '.join(ids)}"
        elif found:
            msg = f"{self.title}: several formations are called {formation!r}; say of which force"
        else:
            msg = f"{self.title}: no formation {formation!r}; {nearest(str(formation), ids)}"
        raise UnknownNameError(msg)

    def _unit_path(self, unit_id: str) -> tuple[str, UnitRecord]:
        found = self._paths().get(unit_id) if isinstance(unit_id, str) else None
        if found is None:
            msg = f"{self.title}: no unit {shortened(unit_id)}; {nearest(str(unit_id), self._paths())}"
            raise UnknownNameError(msg)
        return found

    def _units(self, units: str | Iterable[str]) -> list[tuple[str, UnitRecord]]:
        names = [units] if isinstance(units, str) else list(units)
        return [self._unit_path(name) for name in dict.fromkeys(names)]

    def _check_type(self, unit_type: Any) -> None:
        roster = self.standing.roster
        if not isinstance(unit_type, str) or (roster and unit_type not in roster):
            msg = f"{self.ruleset.title} has no unit type {shortened(unit_type)}; {nearest(str(unit_type), roster)}"
            raise UnknownNameError(msg)

    def _place_number(self, label: str) -> int:
        number = self.standing.number(label) if isinstance(label, str) else None
        return self._shown.survey.directory.number(label) if number is None else number

    def _check_place(self, unit: UnitRecord, side: str, *, anyway: bool, leaving: frozenset[str] = frozenset()) -> None:
        if not unit.at:
            return
        try:
            self._place_number(unit.at)
        except LabelError as error:
            msg = f"{unit.id}: {error}"
            raise LabelError(msg) from error
        why = self.standing.why_not(unit, unit.at, side, leaving)
        if why and not anyway:
            msg = f"{unit.id} at {unit.at}: {why}; choose another place, or say anyway=True and mend it later"
            raise EditError(msg)

    def _check_together(self, units: list[tuple[str, UnitRecord]], at: str) -> None:
        """Refuse several units that each fit into a place alone, but not together."""
        counted: Counter[str] = Counter()
        for path, unit in units:
            if self.standing.counts(unit):
                counted[path.split("/")[1]] += unit.count
        leaving = frozenset(unit.id for _, unit in units)
        for path, unit in units:
            side = path.split("/")[1]
            why = self.standing.why_not(msgspec.structs.replace(unit, count=max(1, counted[side])), at, side, leaving)
            if why:
                msg = f"{unit.id} at {at}: {why}; choose another place, or say anyway=True and mend it later"
                raise EditError(msg)

    def _check_carrier(self, unit: UnitRecord) -> None:
        if not unit.carried_by:
            return
        carrier = self._unit_path(unit.carried_by)[1]
        seen = {unit.id}
        while carrier.id not in seen and carrier.carried_by:
            seen.add(carrier.id)
            carrier = self._unit_path(carrier.carried_by)[1]
        if carrier.id in seen:
            msg = f"{unit.id}: carried by {unit.carried_by}, which it carries itself; name another unit"
            raise EditError(msg)

    def _free_id(self, unit_type: str, taken: Iterable[str] = ()) -> str:
        stem = unit_type.rpartition(".")[2].replace("_", "-")
        known = self._paths()
        return next(name for n in counting(1) if (name := f"{stem}-{n}") not in known and name not in taken)

    def _made(self, fields: Mapping[str, Any]) -> UnitRecord:
        try:
            made = msgspec.convert(dict(fields), UnitRecord)
        except msgspec.ValidationError as error:
            known = [name for name in UnitRecord.__struct_fields__ if name != "id"]
            msg = f"unit {fields['id']}: {error}; fields are {', '.join(known)}"
            raise EditError(msg) from error
        fault = facing_fault(self.ruleset, self.standing.roster.get(made.type), made.facing, self.map.grid.orientation)
        if fault:
            msg = f"unit {made.id}: facing {made.facing}: {fault}"
            raise EditError(msg)
        return made

    def _changed(self, unit: UnitRecord, fields: Mapping[str, Any]) -> UnitRecord:
        return self._made({**plain(unit), **fields})

    def _called(self, unit_type: str) -> str:
        kind = self.standing.roster.get(unit_type)
        return str(kind.name) if kind is not None else unit_type

    def _several(self, chosen: list[tuple[str, UnitRecord]]) -> str:
        if len(chosen) == 1:
            return self._called(chosen[0][1].type)
        return f"{len(chosen)} units"
