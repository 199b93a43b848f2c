"""How a scenario stands: which units are where, whose each hex is, and what is home to whom."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.errors import ScenarioRuleError, UnknownNameError, nearest
from studio.model import MapUse, ScenarioDocument, UnitRecord
from studio.rules.roster import figure_of, roster_of
from studio.survey import Survey, locations_in_play
from studio.survey.countries import areas_called, hexes_in, names_by_hex

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["NOBODY", "Placed", "Situation", "read_situation"]

NOBODY = -1
"""Owner of a hex that no side controls."""

_OFF_GROUND = ("air", "marker", "support_weapon")


class Placed(NamedTuple):
    """A unit that stands on the map.

    Attributes
    ----------
    id : str
    side : str
        Id of its force.
    cell : int
        Its hex; in a game with other locations, the number of its location.
    type : str
        Type in the roster.
    kind : object
        Its entry in the roster of the game, None where there is none.
    formation : str
        Id of its formation.
    record : UnitRecord or None
        What the scenario says of it.
    """

    id: str
    side: str
    cell: int
    type: str
    kind: Any
    formation: str = ""
    record: UnitRecord | None = None

    def has(self, status: str) -> bool:
        """Tell whether the scenario says that something holds for the unit, such as ``hidden``."""
        return self.record is not None and status in self.record.status

    def figure(self, name: str) -> int | None:
        """Return a figure of the unit: as the scenario gives it, else as the roster does, None where neither does."""
        given = None if self.record is None else self.record.figures.get(name)
        if given is not None:
            return given
        return figure_of(self.kind, name)

    @property
    def on_ground(self) -> bool:
        """Whether it is a ground unit: it holds its hex, and stands in the way."""
        return (self.kind is None or self.kind.kind not in _OFF_GROUND) and not self.has("wreck")


class Situation:
    """Units, control and countries of a scenario at one moment.

    Parameters
    ----------
    survey : Survey
    sides : dict of str to str
        Names of the forces by id.
    units : list of Placed
    homes : dict of str to array of bool
        Hexes of the home country of each side, shape (cells,).
    control : list of mapping of str to iterable of int
        Hexes and other locations that sides control otherwise than the countries say; later ones over earlier ones.
    unrestored : frozenset of int
    out_of_play : frozenset of int
        Hexes that are on the map, but not in play.
    intruders : mapping of int to str
        Hexes into which enemies are put to see what would be, with their side. Units that stand there are gone.
    """

    def __init__(
        self,
        survey: Survey,
        sides: Mapping[str, str],
        units: Iterable[Placed],
        homes: Mapping[str, NDArray[np.bool_]],
        *,
        control: Iterable[Mapping[str, Iterable[int]]] = (),
        unrestored: frozenset[int] = frozenset(),
        out_of_play: frozenset[int] = frozenset(),
        intruders: Mapping[int, str] | None = None,
    ) -> None:
        self.survey, self.sides, self.homes = survey, dict(sides), homes
        self.intruders = dict(intruders or {})
        self.units = [unit for unit in units if unit.cell not in self.intruders]
        self.control, self.unrestored, self.out_of_play = list(control), unrestored, out_of_play
        self._order = list(sides)

    # -- asking ----------------------------------------------------------------------------------------------------

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """Place of the side that controls each hex in the order of the sides, ``NOBODY`` (-1) for none.

        A hex is its country's; what the scenario says goes over that; and who stands in it controls it. Where units
        of several sides stand in one hex nobody does, whatever order they are listed in.

        Returns
        -------
        array of int32, shape (cells,)
        """
        owner = np.full(self.survey.grid.cells, NOBODY, dtype=np.int32)
        for side, hexes in self.homes.items():
            owner[hexes] = self._order.index(side)
        for said in self.control:
            for side, cells in said.items():
                hexes_said = [cell for cell in cells if cell < len(owner)]
                owner[hexes_said] = self._order.index(side) if side else NOBODY
        for cell, held_by in self._holders.items():
            if cell < len(owner):
                owner[cell] = self._order.index(next(iter(held_by))) if len(held_by) == 1 else NOBODY
        for cell, side in self.intruders.items():
            owner[cell] = self._order.index(side)
        return owner

    @property
    def _holders(self) -> dict[int, set[str]]:
        """Sides with ground units, by hex (location)."""
        found: dict[int, set[str]] = {}
        for unit in self.units:
            if unit.on_ground:
                found.setdefault(unit.cell, set()).add(unit.side)
        return found

    @property
    def disputed(self) -> list[int]:
        """Hexes (locations) with ground units of several sides, in order."""
        return sorted(cell for cell, sides in self._holders.items() if len(sides) > 1)

    def owned(self, side: str) -> NDArray[np.bool_]:
        """Return the hexes that a side controls; bool, shape (cells,)."""
        owned: NDArray[np.bool_] = self.owner == self._order.index(side)
        return owned

    def controls(self, side: str, cell: int) -> bool:
        """Tell whether a side controls a hex."""
        return int(self.owner[cell]) == self._order.index(side)

    def places_of(self, side: str) -> set[int]:
        """Return the numbers of the locations, other than hexes, that a side is said to control, such as zones."""
        found: set[int] = set()
        for said in self.control:
            for name, numbers in said.items():
                places = {number for number in numbers if number >= self.survey.grid.cells}
                found = found | places if name == side else found - places
        return found

    def owner_name(self, cell: int) -> str:
        """Return the name of the side that controls a hex, ``"nobody"`` for none."""
        place = int(self.owner[cell])
        return "nobody" if place == NOBODY else self.sides[self._order[place]]

    def enemies(self, side: str) -> list[int]:
        """Return the hexes (locations) with ground units of another side, in order."""
        found = {unit.cell for unit in self.units if unit.side != side and unit.on_ground}
        return sorted(found | {cell for cell, other in self.intruders.items() if other != side})

    def garrisons(self, side: str) -> set[int]:
        """Return the hexes with ground units of a side."""
        return {unit.cell for unit in self.units if unit.side == side and unit.on_ground}

    def of(self, side: str) -> list[Placed]:
        """Return the units of a side."""
        return [unit for unit in self.units if unit.side == side]

    def home(self, side: str) -> NDArray[np.bool_]:
        """Return the hexes of a side's home country; bool, shape (cells,)."""
        return self.homes[side]

    def abroad(self, side: str) -> NDArray[np.bool_]:
        """Return the hexes of the home countries of the other sides; bool, shape (cells,)."""
        found = np.zeros(self.survey.grid.cells, dtype=bool)
        for other, hexes in self.homes.items():
            if other != side:
                found |= hexes
        return found & ~self.homes[side]

    @cached_property
    def names(self) -> dict[int, str]:
        """Place names by the hex that they are written in."""
        return names_by_hex(self.survey)

    def called(self, cell: int) -> str:
        """Return what people call a hex: its name, if it has one, and its label."""
        label, name = self.survey.model.labels.label(cell), self.names.get(cell)
        return f"{name} ({label})" if name else label

    def __repr__(self) -> str:
        lines = []
        for side, name in self.sides.items():
            units, hexes = len(self.of(side)), int(self.owned(side).sum())
            home = int(self.homes[side].sum())
            lines.append(f"  {name} ({side}): {units} units, controls {hexes} hexes, {home} of its home country")
        if self.unrestored:
            lines.append(f"  not restored: {', '.join(self.called(cell) for cell in sorted(self.unrestored))}")
        if self.out_of_play:
            lines.append(f"  out of play: {len(self.out_of_play)} hexes")
        return "\n".join([f"Situation: {len(self.units)} units of {len(self.sides)} sides", *lines])

    # -- what would be ---------------------------------------------------------------------------------------------

    def changed(
        self,
        side: str,
        *,
        enemy_at: Iterable[str] = (),
        control: Mapping[str, Iterable[str]] | None = None,
        restored: Iterable[str] = (),
    ) -> Situation:
        """Return the situation as it would be.

        Parameters
        ----------
        side : str
            The side that asks.
        enemy_at : iterable of str
            Labels of hexes with an enemy unit; units of the side that stand there are gone.
        control : mapping of str to iterable of str
            Hexes that each side would control; an empty id stands for nobody.
        restored : iterable of str
            Sources that would work again.

        Raises
        ------
        LabelError
            When the map has no such hex.
        UnknownNameError
            When the scenario has no such side.
        ScenarioRuleError
            When there is no enemy to put there.
        """
        cells = self.survey.model.labels.cells
        intruders = dict(self.intruders)
        for cell in cells(list(enemy_at)):
            others = [other for other in self.sides if other != side]
            if not others:
                msg = f"enemy_at: {side} is the only side; a scenario has two or more"
                raise ScenarioRuleError(msg)
            intruders[cell] = others[0]
        said = {name: cells(list(labels)) for name, labels in (control or {}).items()}
        for name in said:
            if name and name not in self.sides:
                msg = f"control: no side {name!r}; {nearest(name, self.sides)}"
                raise UnknownNameError(msg)
        return Situation(
            self.survey,
            self.sides,
            self.units,
            self.homes,
            control=[*self.control, *([said] if said else [])],
            unrestored=self.unrestored - frozenset(cells(list(restored))),
            out_of_play=self.out_of_play,
            intruders=intruders,
        )


def read_situation(survey: Survey, ruleset: Ruleset, document: ScenarioDocument) -> Situation:
    """Return how a scenario stands at its start: its units that have a hex, with what they carry.

    Raises
    ------
    LabelError
        When a hex of the scenario is not on the map.
    UnknownNameError
        When it names a side or an area that there is not.
    """
    sides = {force.id: force.name for force in document.forces}
    cells = survey.model.labels.cells
    for what, named in (("home", document.home), ("control", document.control)):
        for side in named:
            if side not in sides:
                msg = f"{what}: no side {side!r}; {nearest(side, sides)}"
                raise UnknownNameError(msg)
    return Situation(
        survey,
        sides,
        _placed(survey, ruleset, document),
        {side: hexes_in(survey, _home_areas(survey, document, side)) for side in sides},
        control=[{side: _numbers(survey, labels) for side, labels in document.control.items()}],
        unrestored=frozenset(cells(document.unrestored)),
        out_of_play=_out_of_play(survey, document),
    )


def _numbers(survey: Survey, labels: Iterable[str]) -> list[int]:
    """Return the numbers of hexes and of other locations."""
    find = survey.model.labels.find
    return [survey.directory.number(label) if (cell := find(label)) is None else cell for label in labels]


def _out_of_play(survey: Survey, document: ScenarioDocument) -> frozenset[int]:
    if document.map == MapUse(file=document.map.file):
        return frozenset()  # all of it is in play
    hexes = frozenset(np.flatnonzero(survey.grid.present.ravel()).tolist())
    return hexes - locations_in_play(survey, document.map)


def _home_areas(survey: Survey, document: ScenarioDocument, side: str) -> list[Any]:
    named = document.home.get(side)
    force = next(force for force in document.forces if force.id == side)
    if named is None:
        return areas_called(survey, (force.id, force.name))
    for name in named:
        if not areas_called(survey, [name]):
            from studio.model import Area

            known = [area.name or area.id for area in survey.features_of(Area)]
            msg = f"home of {side}: no area {name!r} on the map; {nearest(name, known)}"
            raise UnknownNameError(msg)
    return areas_called(survey, named)


def _placed(survey: Survey, ruleset: Ruleset, document: ScenarioDocument) -> list[Placed]:
    roster = roster_of(ruleset, document)
    records = [
        (force.id, formation.id, unit)
        for force in document.forces
        for formation in force.formations
        for unit in formation.units
    ]
    where = {unit.id: unit for _, _, unit in records}
    found = []
    for side, formation, unit in records:
        label, seen, carrier = unit.at, {unit.id}, unit.carried_by
        while not label and carrier in where and carrier not in seen:
            seen.add(carrier)
            label, carrier = where[carrier].at, where[carrier].carried_by
        if label:
            number = survey.directory.number(label)
            found.append(Placed(unit.id, side, number, unit.type, roster.get(unit.type), formation, unit))
    return found
