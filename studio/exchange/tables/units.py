"""Units from a table: a plain order of battle, or places and counts for the units of a scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from studio.errors import nearest
from studio.exchange.common.drawn import parted
from studio.exchange.common.ground import as_level, listed
from studio.exchange.tables.text import Table
from studio.model import Force, Formation, MapModel, MapUse, ScenarioDocument, UnitRecord
from studio.rules import Ruleset

__all__ = ["take_units"]

FaultNote = Callable[..., None]

_TEXTS = ("type", "at", "name", "carried_by", "quality", "facing", "notes")


def take_units(
    table: Table, scenario: ScenarioDocument | None, model: MapModel, ruleset: Ruleset, fault: FaultNote
) -> tuple[ScenarioDocument | None, list[str]]:
    """Return a scenario with the units of a table, and notes.

    Parameters
    ----------
    table : Table
    scenario : ScenarioDocument or None
        Its units get what the table says; without it the table makes a scenario with nothing but units.
    model : MapModel
    ruleset : Ruleset
    fault : callable
        Takes line, message, remedy and file of what is wrong.
    """
    found: dict[tuple[str, str], dict[tuple[str, str], list[UnitRecord]]] = {}
    units: dict[str, UnitRecord] = {}
    for row in table.rows:
        unit = _unit(row.values, row.line, table, fault)
        if unit is None:
            continue
        if unit.id in units:
            fault(row.line, f"the id {unit.id!r} stands there twice", "give each unit its own", table.path)
            continue
        units[unit.id] = unit
        side = row.values.get("side", "") or "side"
        part = row.values.get("formation", "") or "units"
        parts = found.setdefault((side, row.values.get("side_name", "") or side), {})
        parts.setdefault((part, row.values.get("formation_name", "") or part), []).append(unit)
    if scenario is not None:
        return _onto(scenario, units)
    forces = []
    try:
        for number, ((side, name), parts) in enumerate(found.items()):
            formations = tuple(msgspec.convert({"id": part, "name": title}, Formation) for part, title in parts)
            made = tuple(
                msgspec.structs.replace(formation, units=tuple(listed_units))
                for formation, listed_units in zip(formations, parts.values(), strict=True)
            )
            plain = msgspec.convert({"id": side, "name": name, "set_up_order": number + 1}, Force)
            forces.append(msgspec.structs.replace(plain, formations=made))
    except msgspec.ValidationError as error:
        fault(1, f"no side or formation: {error}", "ids have letters, digits and _ . : -", table.path)
        return None, []
    use = MapUse(file=f"{table.path.stem.removesuffix('-units')}.map.json")
    title = model.title
    made_scenario = ScenarioDocument(title=title, ruleset=ruleset.id, map=use, forces=forces)
    return made_scenario, [f"{table.path.name}: {len(units)} units; set-up, turns and aims are not in tables"]


def _unit(values: dict[str, str], line: int, table: Table, fault: FaultNote) -> UnitRecord | None:
    count = as_level(values.get("count", "") or "1")
    record: dict[str, Any] = {name: values[name] for name in _TEXTS if values.get(name)}
    record |= {"id": values.get("id", ""), "count": count, "status": parted(values.get("status", ""))}
    try:
        return msgspec.convert(record, UnitRecord)
    except msgspec.ValidationError as error:
        fault(line, f"no unit: {error}", "an id, a type and a whole count are needed", table.path)
        return None


def _onto(scenario: ScenarioDocument, units: dict[str, UnitRecord]) -> tuple[ScenarioDocument, list[str]]:
    """Return a scenario whose units have what a table says of them; what it does not name stays."""
    changed: list[str] = []
    known: set[str] = set()

    def told(unit: UnitRecord) -> UnitRecord:
        known.add(unit.id)
        said = units.get(unit.id)
        if said is None:
            return unit
        fields = {name: getattr(said, name) for name in (*_TEXTS, "count", "status")}
        after = msgspec.structs.replace(unit, **fields)
        if after != unit:
            changed.append(unit.id)
        return after

    forces = [
        msgspec.structs.replace(
            force,
            formations=tuple(
                msgspec.structs.replace(part, units=tuple(map(told, part.units))) for part in force.formations
            ),
        )
        for force in scenario.forces
    ]
    notes = [f"units changed: {listed(changed)}"] if changed else []
    for name in units:
        if name not in known:
            notes.append(f"the unit {name} is not in the scenario and was left out; {nearest(name, known)}")
    return msgspec.structs.replace(scenario, forces=forces), notes
