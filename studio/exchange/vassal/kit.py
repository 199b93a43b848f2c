"""The counters of a module: those to take from, those that stand on the map, and those that wait off it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import msgspec

from studio.exchange.content import Content, Pictures
from studio.exchange.vassal.archive import Images
from studio.exchange.vassal.pieces import Piece, clean
from studio.model import Force, Formation, UnitRecord
from studio.rules.roster import FIGHTING, figure_of

__all__ = ["STATES", "Group", "Kit", "Palette", "Slot", "Stack", "stack_shift"]

STATES = ("shaken", "broken", "suppressed", "pinned", "immobilised", "wreck", "detached")
"""What can come to hold for a unit in play: a marker each."""

_MARKER_COLOR, _MASK, _TURN_COLOR = "#e9e4d6", "?", "#f4dd8d"
_FEW = 60  # counters of one record that lie there one by one
_COVERED = {"hidden", "reduced"}  # what VASSAL shows by itself

Group: TypeAlias = list[tuple[Force, Formation, UnitRecord]]
"""Units that lie on one another, the lowest first."""


class Slot(NamedTuple):
    """A piece with its number in the module."""

    gpid: int
    piece: Piece


class Palette(NamedTuple):
    """Pieces to take from."""

    name: str
    slots: tuple[Slot, ...]


class Stack(NamedTuple):
    """Pieces that lie on a board at the start, the lowest first, at a pixel of it."""

    board: str
    name: str
    x: int
    y: int
    slots: tuple[Slot, ...]


class Kit:
    """The counters of a map or a scenario.

    Parameters
    ----------
    content : Content
    pictures : Pictures
    images : Images
    px : int
        Width of a counter in pixels.
    """

    def __init__(self, content: Content, pictures: Pictures, images: Images, px: int) -> None:
        self.content, self.pictures, self.images, self.px = content, pictures, images, px
        self.forces: list[Force] = list(content.scenario.forces) if content.scenario is not None else []
        self.last = 0
        self.notes: list[str] = []
        self._masks: dict[str, str] = {}
        units = [unit for _, _, unit in self.units()]
        parts = [part for force in self.forces for part in force.formations]
        self.masked = content.scenario is None or (
            any({"hidden", "covert"} & set(unit.status) for unit in units) or any(part.hidden for part in parts)
        )

    def units(self) -> Iterator[tuple[Force, Formation, UnitRecord]]:
        """Yield the units of the scenario."""
        for force in self.forces:
            for part in force.formations:
                for unit in part.units:
                    yield force, part, unit

    def slot(self, piece: Piece) -> Slot:
        """Give a piece the next number."""
        self.last += 1
        return Slot(self.last, piece)

    # -- pieces ------------------------------------------------------------------------------------------------------

    def called(self, unit_type: str) -> str:
        """Return what a type is called."""
        kind = self.content.roster.get(unit_type)
        return str(kind.name) if kind is not None else unit_type.rpartition(".")[2].replace("_", " ")

    def name_of(self, unit: UnitRecord) -> str:
        """Return the name of a piece: that of the unit, and what it is."""
        kind = self.called(unit.type)
        name = f"{unit.name} ({kind})" if unit.name and unit.name != kind else kind
        return clean(f"{name}, faces {unit.facing}" if unit.facing else name)

    def piece(self, unit: UnitRecord, side: str, *, part: str = "", force: Force | None = None) -> Piece:
        """Return the piece of a unit of a side, with the other side that it has."""
        name = self.name_of(unit)
        plain = tuple(word for word in unit.status if word not in _COVERED)
        front = msgspec.structs.replace(unit, count=unit.count if unit.count > _FEW else 1, status=plain)
        image = self.images.add(name, self.pictures.counter(front, side, self.px))
        back = ""
        if self._has_back(unit):
            reduced = msgspec.structs.replace(front, status=(*plain, "reduced"))
            back = self.images.add(f"{name} reduced", self.pictures.counter(reduced, side, self.px))
        kind = self.content.roster.get(unit.type)
        fights = kind is None or kind.kind != "marker"
        called = force.name if force is not None else ""
        hidden = "hidden" in unit.status and force is not None
        mask = self._mask(side, force) if (self.masked and fights) or hidden else ""
        marks = [("Side", called), ("Formation", part)] if called else []
        return Piece(name, image, back, "reduced" in unit.status, mask, clean(called) if hidden else "", tuple(marks))

    def _has_back(self, unit: UnitRecord) -> bool:
        """Tell whether a counter has a reduced side: kinds of several steps, and what is reduced already."""
        kind = self.content.roster.get(unit.type)
        if "reduced" in unit.status:
            return True
        if kind is None or kind.kind not in FIGHTING:
            return False
        return (figure_of(kind, "steps") or 0) > 1 or bool(figure_of(kind, "reduced_firepower"))

    def _mask(self, side: str, force: Force | None) -> str:
        if side not in self._masks:
            name = force.name if force is not None else "hidden"
            picture = self.pictures.marker(name, _MASK, side, self.px)
            self._masks[side] = self.images.add(f"mask {name}", picture)
        return self._masks[side]

    def marker(self, name: str, words: str, color: str = _MARKER_COLOR) -> Slot:
        """Return a marker with a word on it."""
        image = self.images.add(f"marker {name}", self.pictures.marker(name, words, color, self.px))
        return self.slot(Piece(name, image))

    def turn_marker(self) -> Slot:
        """Return the marker that goes along the turn track."""
        return self.marker("Turn", "Turn", _TURN_COLOR)

    def of_unit(self, force: Force, part: Formation, unit: UnitRecord) -> list[Slot]:
        """Return the counters of a unit record, one each; many of one kind are one counter with their number."""
        made = self.piece(unit, force.id, part=part.name, force=force)
        if unit.count > _FEW:
            self.notes.append(f"{unit.id}: {unit.count} counters are one piece with their number on it.")
            return [self.slot(made._replace(name=f"{made.name} x{unit.count}"))]
        return [self.slot(made) for _ in range(unit.count)]

    # -- palettes ----------------------------------------------------------------------------------------------------

    def palettes(self) -> list[Palette]:
        """Return the pieces to take from: every kind of the roster, by side, and markers of what can befall a unit."""
        roster, found, shown = self.content.roster, [], set()
        for name, side, types in self._groups():
            shown.update(types)
            found.append(Palette(name, tuple(self._of_type(one, side) for one in types)))
        rest = [one for one in roster if one not in shown]
        markers = [one for one in rest if roster[one].kind == "marker"]
        others = [one for one in rest if roster[one].kind != "marker"]
        if others:
            found.append(Palette("Other units", tuple(self._of_type(one, "") for one in others)))
        if markers:
            found.append(Palette("Markers", tuple(self._of_type(one, "") for one in markers)))
        states = tuple(self.marker(word.capitalize(), word.capitalize()) for word in STATES)
        return [one for one in (*found, Palette("States", states)) if one.slots]

    def _groups(self) -> Iterator[tuple[str, str, list[str]]]:
        """Yield the kinds of each side; without sides, those of each nation of the roster."""
        roster = self.content.roster
        fighting = [one for one in roster if roster[one].kind != "marker"]
        if not self.forces:
            for nation in dict.fromkeys(map(_nation, fighting)):
                name = nation.replace("_", " ").capitalize() or "Units"
                yield name, nation, [one for one in fighting if _nation(one) == nation]
            return
        for force in self.forces:
            used = list(dict.fromkeys(unit.type for part in force.formations for unit in part.units))
            nations = {_nation(one) for one in used if one in fighting and roster[one].kind in FIGHTING} - {""}
            yield force.name, force.id, used + [one for one in fighting if _nation(one) in nations and one not in used]

    def _of_type(self, unit_type: str, side: str) -> Slot:
        unit = UnitRecord(id=unit_type.rpartition(".")[2], type=unit_type)
        force = next((one for one in self.forces if one.id == side), None)
        return self.slot(self.piece(unit, side, force=force))

    # -- who lies where ----------------------------------------------------------------------------------------------

    @staticmethod
    def _roots(units: dict[str, UnitRecord]) -> dict[str, str]:
        """Return the unit that stands for each: itself, or whatever carries it in the end."""
        found = {}
        for name in units:
            at, seen = name, {name}
            while not units[at].at and units[at].carried_by in units:
                at = units[at].carried_by
                if at in seen:  # they carry each other, which the checks tell
                    at = name
                    break
                seen.add(at)
            found[name] = at
        return found

    @cached_property
    def groups(self) -> list[Group]:
        """Units that nothing carries, each with all that it carries after it."""
        everyone: dict[str, Any] = {unit.id: (force, part, unit) for force, part, unit in self.units()}
        roots = self._roots({name: unit for name, (_, _, unit) in everyone.items()})
        groups: dict[str, list[tuple[Force, Formation, UnitRecord]]] = {}
        for name, root in roots.items():
            groups.setdefault(root, [])
            if name != root:
                groups[root].append(everyone[name])
        return [[everyone[root], *carried] for root, carried in groups.items()]

    def slots_of(self, group: Group) -> tuple[Slot, ...]:
        """Return the counters of some units, one upon the other."""
        return tuple(slot for force, part, unit in group for slot in self.of_unit(force, part, unit))


def stack_shift(px: int) -> int:
    """Return how far each counter of a stack lies right of and above the one below it, in pixels."""
    return max(3, px // 14)


def _nation(unit_type: str) -> str:
    return unit_type.partition(".")[0] if "." in unit_type else ""
