"""Units of a scenario as people place them: on the map, in trays, facing, hidden; each change is one step."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from studio.api.forcenames import ScenarioNames, plain
from studio.errors import EditError
from studio.model import Batch, Delete, Edit, Put, UnitRecord
from studio.rules.standing import FACINGS

__all__ = ["ScenarioUnits"]


class ScenarioUnits(ScenarioNames):
    """A scenario whose units can be placed, moved, turned and taken away."""

    # -- asking ------------------------------------------------------------------------------------------------------

    def unit(self, unit_id: str) -> UnitRecord:
        """Return what the scenario says of a unit.

        Raises
        ------
        UnknownNameError
            When it has no such unit.
        """
        return self._unit_path(unit_id)[1]

    def unit_owner(self, unit_id: str) -> tuple[str, str]:
        """Return the ids of the force and of the formation of a unit.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit.
        """
        _, force, _, formation, _ = self._unit_path(unit_id)[0].split("/")
        return force, formation

    def units_at(self, label: str) -> list[str]:
        """Return the ids of the units in a place, in the order of battle; those that they carry are not among them.

        Raises
        ------
        LabelError
            When the map has no such place.
        """
        number = self._place_number(label)
        standing = self.standing
        return [name for name, (_, unit) in self._paths().items() if unit.at and standing.number(unit.at) == number]

    def why_not(self, unit_type: str, at: str, *, force: str = "", count: int = 1, moving: Iterable[str] = ()) -> str:
        """Return why units of a type may not stand in a place at the start; empty where they may.

        Parameters
        ----------
        unit_type : str
            Type of the roster.
        at : str
            Label of a hex, zone, room or other place.
        force : str
            Whose they are, for the stacking limit; that of the first by default.
        count : int
            How many.
        moving : iterable of str
            Ids of units that do not count there, because they are what moves.

        Raises
        ------
        UnknownNameError
            When the roster or the scenario has no such name.

        Examples
        --------
        >>> import studio
        >>> town = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> town.why_not("isil.bmp_2", "B3")
        'not in play'
        """
        self._check_type(unit_type)
        sides = [self._force(force).id] if force else self._sides()
        made = UnitRecord(id="new", type=unit_type, count=count)
        return self.standing.why_not(made, at, sides[0] if sides else "", frozenset(moving))

    # -- placing -----------------------------------------------------------------------------------------------------

    def place(
        self,
        unit_type: str,
        at: str = "",
        *,
        force: str = "",
        formation: str = "",
        count: int = 1,
        facing: str = "",
        hidden: bool = False,
        unit_id: str = "",
        anyway: bool = False,
        **fields: Any,
    ) -> str:
        """Add units of one type to a formation, on the map or to be placed by the player.

        Parameters
        ----------
        unit_type : str
            Type of the roster, such as ``isil.bmp_2``.
        at : str
            Label of a hex, zone, room or other place; empty when the player places them.
        force, formation : str
            Where they belong; may be left out where there is only one.
        count : int
            How many counters.
        facing : str
            Hexside that they face, such as ``NE``.
        hidden : bool
        unit_id : str
            One is made of the type otherwise.
        anyway : bool
            Also where such units may not stand; the check tells of it then.
        **fields
            Other fields of :class:`studio.model.UnitRecord`, such as ``carried_by``, ``quality`` or ``notes``.

        Returns
        -------
        str
            Id of the units.

        Raises
        ------
        UnknownNameError
            When the roster has no such type, or the scenario no such force or formation.
        LabelError
            When the map has no such place.
        EditError
            When they may not stand there, cannot face that side, or a field is wrong.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.place("rebel.technical", "U9", formation="rebels", hidden=True)
        'technical-1'
        >>> raid.unit("technical-1").at
        'U9'
        """
        self._check_type(unit_type)
        owner, part = self._formation(formation, force)
        name = unit_id or self._free_id(unit_type)
        if name in self._paths():
            msg = f"place {name}: the scenario has a unit of that id; give it another one"
            raise EditError(msg)
        if hidden:
            fields["status"] = [*dict.fromkeys([*fields.get("status", ()), "hidden"])]
        made = self._made({"id": name, "type": unit_type, "count": count, "at": at, "facing": facing, **fields})
        self._check_place(made, owner.id, anyway=anyway)
        path = f"forces/{owner.id}/formations/{part.id}/units"
        where = f" at {at}" if at else f" in {part.name}"
        self.apply(_batch(f"Place {self._called(unit_type)}{where}", [Put(collection=path, record=plain(made))]))
        return name

    def move(self, units: str | Iterable[str], at: str, *, anyway: bool = False) -> None:
        """Move units to a place, or off the map with an empty label: the player places them then.

        Units that others carried are no longer carried. What they carry goes with them.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit.
        LabelError
            When the map has no such place.
        EditError
            When they may not stand there, unless `anyway`.
        """
        chosen = self._units(units)
        changed = [(path, msgspec.structs.replace(unit, at=at, carried_by="")) for path, unit in chosen]
        leaving = frozenset(unit.id for _, unit in chosen)
        for path, unit in changed:
            self._check_place(unit, path.split("/")[1], anyway=anyway, leaving=leaving)
        if at and not anyway and len(changed) > 1:
            self._check_together(changed, at)
        where = f"to {at}" if at else "off the map"
        self._put(f"Move {self._several(chosen)} {where}", chosen, changed)

    def copy(self, units: str | Iterable[str], at: str, *, anyway: bool = False) -> list[str]:
        """Add units like others, with ids of their own, in a place; return their ids.

        Raises
        ------
        UnknownNameError, LabelError, EditError
            As :meth:`move` does.
        """
        chosen = self._units(units)
        taken: set[str] = set()
        edits: list[Edit] = []
        for path, unit in chosen:
            name = self._free_id(unit.type, taken)
            taken.add(name)
            made = msgspec.structs.replace(unit, id=name, at=at, carried_by="")
            self._check_place(made, path.split("/")[1], anyway=anyway)
            edits.append(Put(collection=path, record=plain(made)))
        self.apply(_batch(f"Copy {self._several(chosen)} to {at or 'the tray'}", edits))
        return [edit.record["id"] for edit in edits if isinstance(edit, Put)]

    def remove(self, units: str | Iterable[str]) -> None:
        """Take units out of the scenario; what they carry is then carried by nobody.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit.
        """
        chosen = self._units(units)
        gone = {unit.id for _, unit in chosen}
        edits: list[Edit] = [Delete(collection=path, id=unit.id) for path, unit in chosen]
        for path, unit in self._paths().values():
            if unit.carried_by in gone and unit.id not in gone:
                at = self._paths()[unit.carried_by][1].at
                edits.append(Put(collection=path, record=plain(msgspec.structs.replace(unit, carried_by="", at=at))))
        self.apply(_batch(f"Remove {self._several(chosen)}", edits))

    def turn(self, units: str | Iterable[str], facing: str) -> None:
        """Let units face a hexside, such as ``NE``; none with an empty text.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit.
        EditError
            When a unit faces no hexside in this game, or the map has no such side.
        """
        chosen = self._units(units)
        changed = [(path, self._changed(unit, {"facing": facing})) for path, unit in chosen]
        words = f"face {facing}" if facing else "face no side"
        self._put(f"Let {self._several(chosen)} {words}", chosen, changed)

    def turn_by(self, units: str | Iterable[str], steps: int) -> None:
        """Turn units by so many hexsides, clockwise; those that face none begin with the first.

        Raises
        ------
        UnknownNameError, EditError
            As :meth:`turn` does.
        """
        sides = FACINGS[self.map.grid.orientation]
        chosen = self._units(units)
        changed = []
        for path, unit in chosen:
            now = sides.index(unit.facing) + steps if unit.facing in sides else 0
            changed.append((path, self._changed(unit, {"facing": sides[now % 6]})))
        self._put(f"Turn {self._several(chosen)}", chosen, changed)

    def hide(self, units: str | Iterable[str], hidden: bool = True) -> None:
        """Let units begin hidden, or in the open.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit.
        """
        self.set_status(units, "hidden", hidden)

    def set_status(self, units: str | Iterable[str], status: str, holds: bool = True) -> None:
        """Say what holds for units at the start, such as ``reduced`` or ``immobilised``.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit.
        EditError
            When the studio knows no such status.
        """
        chosen = self._units(units)
        changed = []
        for path, unit in chosen:
            rest = [one for one in unit.status if one != status]
            changed.append((path, self._changed(unit, {"status": [*rest, status] if holds else rest})))
        words = status if holds else f"no longer {status}"
        self._put(f"Let {self._several(chosen)} be {words}", chosen, changed)

    def change_unit(self, unit_id: str, *, anyway: bool = False, **fields: Any) -> None:
        """Change fields of a unit, such as ``type``, ``count``, ``at``, ``quality``, ``figures`` or ``notes``.

        Parameters
        ----------
        unit_id : str
        anyway : bool
            Also where it may not stand.
        **fields
            Of :class:`studio.model.UnitRecord`.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit, or the roster no such type.
        LabelError
            When the map has no such place.
        EditError
            When a field is unknown or its value wrong, or the unit may not stand there.
        """
        path, unit = self._unit_path(unit_id)
        if "type" in fields:
            self._check_type(fields["type"])
        changed = self._changed(unit, fields)
        if changed.id != unit.id:
            msg = f"unit {unit_id}: its id stays; place another one and remove this one"
            raise EditError(msg)
        self._check_carrier(changed)
        if {"at", "type", "count"} & fields.keys():
            self._check_place(changed, path.split("/")[1], anyway=anyway)
        self._put(f"Change {self._called(unit.type)} ({', '.join(fields)})", [(path, unit)], [(path, changed)])

    def transfer(self, units: str | Iterable[str], formation: str, *, force: str = "") -> None:
        """Give units to another formation; they stay where they are.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit or formation.
        """
        chosen = self._units(units)
        owner, part = self._formation(formation, force)
        path = f"forces/{owner.id}/formations/{part.id}/units"
        edits: list[Edit] = []
        for old, unit in chosen:
            if old != path:
                edits += [Delete(collection=old, id=unit.id), Put(collection=path, record=plain(unit))]
        if edits:
            self.apply(_batch(f"Give {self._several(chosen)} to {part.name}", edits))

    def _put(self, title: str, old: list[tuple[str, UnitRecord]], new: list[tuple[str, UnitRecord]]) -> None:
        edits: list[Edit] = [
            Put(collection=path, record=plain(unit))
            for (path, unit), (_, before) in zip(new, old, strict=True)
            if unit != before
        ]
        if edits:
            self.apply(_batch(title, edits))


def _batch(title: str, edits: list[Edit]) -> Batch:
    return Batch(title=title, edits=edits)
