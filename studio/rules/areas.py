"""Set-up areas of a scenario in full: with distances from units and formations, empty hexes, and closed places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import ScenarioRuleError, StudioError, UnknownNameError, nearest
from studio.model import Distance, Force, Formation, ScenarioDocument, SetUp, UnitRecord
from studio.rules.played import closed_places
from studio.rules.roster import roster_of
from studio.rules.standing import PlayGround
from studio.survey import SetUpAreas, Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["ScenarioAreas", "depends_on_units"]

_NO_UNITS = frozenset({"support_weapon", "marker"})

_DEEPEST = 30
"""Units without a place that are described by one another in a row; where the next one may come to be is left open."""

_MOST_KEPT = 1 << 28
"""Bytes of areas that are kept; far more than the scenarios of any map that is drawn by hand need."""

_TOLD = 8


def depends_on_units(where: SetUp) -> bool:
    """Tell whether a set-up area depends on where units are, or on the areas of formations."""
    return _by_units(where) or bool(_areas_named(where))


def _by_units(where: SetUp) -> bool:
    """Tell whether a set-up area itself depends on where units are."""
    return where.empty or any(distance.units for distance in where.distances) or any(map(_by_units, where.also))


def _areas_named(where: SetUp) -> list[str]:
    """Return the formations by whose areas a set-up area is described."""
    own = [name for distance in where.distances for name in distance.areas_of]
    return own + [name for other in where.also for name in _areas_named(other)]


def _circle(way: list[str]) -> ScenarioRuleError:
    shown = way if len(way) <= _TOLD else [*way[:_TOLD], f"... ({len(way) - 1} in all)", way[-1]]
    msg = f"distances/areas_of: {' -> '.join(shown)} is a circle; describe one of these areas without the others"
    return ScenarioRuleError(msg)


class ScenarioAreas:
    """Where the formations and units of a scenario may set up, enter, stay or leave, as it stands.

    A distance from units that are not placed yet forbids nothing where they must keep away from these; where they must
    be near, it is measured from all places where those may come to be. Closed places of the scenario belong to no area.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset, optional
        Tells units from markers, which do not make a hex count as taken; without it every counter does.
    ground : PlayGround, optional
        Of the same map and use, where it is known already.
    placed : mapping of str to tuple of int, optional
        Where the counters of units are, by id; by default where the scenario says, those carried where their carriers
        are.

    Attributes
    ----------
    placed : dict of str to tuple of int
    left_out : frozenset of str
        Units that do not count in distances from their forces: those are not placed yet.
    counts_itself : bool
        Whether what ``placed`` has of the unit that asks counts: its other counters.
    in_play : array of bool, shape (len(directory),)
        Locations in play that are not closed.
    """

    def __init__(
        self,
        document: ScenarioDocument,
        survey: Survey,
        ruleset: Ruleset | None = None,
        *,
        ground: PlayGround | None = None,
        placed: Mapping[str, tuple[int, ...]] | None = None,
    ) -> None:
        self.document, self.survey = document, survey
        self.ground = ground or PlayGround(survey, document.map)
        self.areas = SetUpAreas(survey)
        self._roster: Mapping[str, Any] = {} if ruleset is None else roster_of(ruleset, document)
        self._units: dict[str, tuple[UnitRecord, Formation, Force]] = {}
        self._formations: dict[str, tuple[Formation, Force]] = {}
        self._of_force: dict[str, list[str]] = {force.id: [] for force in document.forces}
        for force in document.forces:
            for formation in force.formations:
                self._formations[formation.id] = formation, force
                for unit in formation.units:
                    self._units[unit.id] = unit, formation, force
                    self._of_force[force.id].append(unit.id)
        self.placed = dict(placed) if placed is not None else self.as_said()
        self.left_out: frozenset[str] = frozenset()
        self.counts_itself = False
        self.in_play = self._in_play()
        self._found: dict[tuple[SetUp, str], NDArray[np.bool_]] = {}
        self._asked: list[str] = []
        self._known: set[str] = set()
        self._faulty: dict[str, StudioError] = {}

    def as_said(self) -> dict[str, tuple[int, ...]]:
        """Return where units are as the scenario says, those carried where their carriers are."""
        found: dict[str, tuple[int, ...]] = {}
        at: dict[str, str] = {}
        for first in self._units:
            # Up to who stands somewhere, or is known already: long rows of carriers are walked once.
            row: dict[str, None] = {}
            name = first
            while name in self._units and name not in row and name not in at:
                row[name] = None
                unit = self._units[name][0]
                if unit.at:
                    at[name] = unit.at
                else:
                    name = unit.carried_by
            at |= dict.fromkeys(row, at.get(name, ""))
        for name in self._units:
            number = self.ground.number(at[name]) if at[name] else None
            if number is not None:
                found[name] = (number,)
        return found

    def _in_play(self) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.survey.directory), dtype=bool)
        numbers = np.fromiter(self.ground.in_play, dtype=np.int64, count=len(self.ground.in_play))
        mask[numbers] = True
        mask[list(closed_places(self.document, self.survey))] = False
        return mask

    def suppose(
        self, placed: Mapping[str, tuple[int, ...]], left_out: Iterable[str] = (), *, counts_itself: bool = False
    ) -> None:
        """Let units be elsewhere from now on."""
        self.placed, self.left_out = dict(placed), frozenset(left_out)
        self.counts_itself = counts_itself
        self._found = {key: mask for key, mask in self._found.items() if not key[1]}
        self._known -= self._moving
        self._faulty.clear()

    def moves(self, where: SetUp) -> bool:
        """Tell whether a set-up area depends on where units are, itself or by the areas of formations that it names."""
        return _by_units(where) or any(name in self._moving for name in _areas_named(where))

    @cached_property
    def _moving(self) -> set[str]:
        """Ids of the formations whose areas depend on where units are."""
        named_by: dict[str, list[str]] = {}
        for name, (formation, _) in self._formations.items():
            for other in _areas_named(formation.where):
                named_by.setdefault(other, []).append(name)
        waiting = [name for name, (formation, _) in self._formations.items() if _by_units(formation.where)]
        found = set(waiting)
        while waiting:
            more = set(named_by.get(waiting.pop(), ())) - found
            found |= more
            waiting += more
        return found

    # -- asking --------------------------------------------------------------------------------------------------------

    def mask(self, where: SetUp, asking: str = "") -> NDArray[np.bool_]:
        """Return the places that meet every condition of a set-up area.

        Parameters
        ----------
        where : SetUp
        asking : str
            Id of the formation or unit that it is for: its own units do not take hexes from it that must be empty.

        Returns
        -------
        array of bool, shape (len(directory),)
            Not to be changed.

        Raises
        ------
        UnknownNameError, LabelError
            When a sheet, a column, a row, an edge, a feature, a place, a unit or a formation is unknown.
        ScenarioRuleError
            When areas are described by one another in a circle.
        """
        key = (where, f"for {asking}" if self.moves(where) else "")
        if key not in self._found:
            self._from_the_end(where)
            if len(self._found) * len(self.in_play) > _MOST_KEPT:
                for old in list(self._found)[: len(self._found) // 2]:
                    del self._found[old]
            found = self.areas.mask(where, self.in_play, lambda distance: self._others(distance, asking))
            self._found[key] = self._without_taken(found, where, asking)
        return self._found[key]

    def _from_the_end(self, where: SetUp) -> None:
        """Find the areas of formations that an area is described by, those first that others are described by.

        Calls would go as deep as there are formations in a row.
        """
        row, rest = {"": 0}, [("", iter(_areas_named(where)))]
        try:
            while rest:
                name, following = rest[-1]
                other = next(following, None)
                if other is None:
                    rest.pop()
                    if name:
                        self._area_of(name)
                        self._known.add(name)
                    del row[name]
                elif other in self._faulty:
                    raise self._faulty[other]
                elif other in row:
                    raise _circle([*list(row)[row[other] :], other])
                elif other not in self._known and other in self._formations:
                    row[other] = len(rest)
                    rest.append((other, iter(_areas_named(self._formations[other][0].where))))
        except StudioError as error:
            self._faulty |= dict.fromkeys((name for name in row if name), error)
            raise

    def cells(self, where: SetUp, asking: str = "") -> list[int]:
        """Return the numbers of the places that meet every condition of a set-up area, in order.

        Raises
        ------
        UnknownNameError, LabelError, ScenarioRuleError
            As :meth:`mask` does.
        """
        found: list[int] = np.flatnonzero(self.mask(where, asking)).tolist()
        return found

    def of_formation(self, formation: str) -> list[int]:
        """Return the numbers of the places where a formation sets up or enters, in order.

        Raises
        ------
        UnknownNameError, LabelError, ScenarioRuleError
            When there is no such formation, and as :meth:`mask` does.
        """
        return self.cells(self._formation(formation, "formation").where, formation)

    def of_unit(self, unit: str) -> list[int]:
        """Return the numbers of the places where a unit may be placed: its own area if it has one, or its formation's.

        Raises
        ------
        UnknownNameError, LabelError, ScenarioRuleError
            When there is no such unit, and as :meth:`mask` does.
        """
        if unit not in self._units:
            msg = f"no unit {unit!r}; {nearest(unit, self._units)}"
            raise UnknownNameError(msg)
        return self.cells(self.where_of(unit), unit)

    def where_of(self, unit: str) -> SetUp:
        """Return the area of a unit that there is: its own, or that of its formation."""
        record, formation, _ = self._units[unit]
        return formation.where if record.where is None else record.where

    def _formation(self, name: str, field: str) -> Formation:
        if name not in self._formations:
            msg = f"{field}: no formation {name!r}; {nearest(name, self._formations)}"
            raise UnknownNameError(msg)
        return self._formations[name][0]

    # -- what depends on units -----------------------------------------------------------------------------------------

    def _without_taken(self, found: NDArray[np.bool_], where: SetUp, asking: str) -> NDArray[np.bool_]:
        if not where.empty:
            return found
        taken = found.copy()
        own = self._units[asking][1].id if asking in self._units else asking
        for name, numbers in self.placed.items():
            unit, formation, _ = self._units[name]
            kind = self._roster.get(unit.type)
            if getattr(kind, "kind", "") not in _NO_UNITS and formation.id != own:
                taken[list(numbers)] = False
        return taken

    def members(self, names: Iterable[str], field: str = "distances/units") -> list[str]:
        """Return the ids of the units that some ids stand for: units, all of a formation, all of a force.

        Raises
        ------
        UnknownNameError
            When the scenario has nothing with such an id.
        """
        found: list[str] = []
        forces = self._of_force
        for name in names:
            if name in self._units:
                found.append(name)
            elif name in self._formations:
                found += [unit.id for unit in self._formations[name][0].units]
            elif name in forces:
                found += self._of_force[name]
            else:
                known = [*forces, *self._formations, *self._units]
                msg = f"{field}: no unit, formation or force {name!r}; {nearest(name, known)}"
                raise UnknownNameError(msg)
        return found

    def counted(self, distance: Distance) -> list[str]:
        """Return the units that a distance is measured from, each once.

        Raises
        ------
        UnknownNameError
            When it names no unit, formation or force of the scenario.
        """
        found: dict[str, None] = {}
        for name in distance.units:
            through = name not in self._units and name not in self._formations
            found |= {one: None for one in self.members([name]) if not (through and one in self.left_out)}
        return list(found)

    def _others(self, distance: Distance, asking: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]] | None:
        directory, cells = self.survey.directory, self.survey.grid.cells
        itself = self.counts_itself and bool(self.placed.get(asking))
        others = asking in self._units and self._units[asking][0].count > 1
        counted = [name for name in self.counted(distance) if name != asking or itself or others]
        if not counted and not distance.areas_of:
            return None  # there is nobody to be far from or near to
        sure = np.zeros(cells, dtype=bool)
        may = np.zeros(len(directory), dtype=bool)
        for name in counted:
            if name == asking and not itself:
                may |= self.in_play  # its other counters
                continue
            numbers = self.placed.get(name)
            if numbers is None:
                may |= self._somewhere(name)
                continue
            under = (number if number < cells else directory.location(number).cell for number in numbers)
            sure[[cell for cell in under if cell >= 0]] = True
        for name in distance.areas_of:
            sure |= self._hexes(self._area_of(name))
        return sure, sure | self._hexes(may)

    def _hexes(self, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the hexes of some locations; of what is no hex those under their dots."""
        cells = self.survey.grid.cells
        found = mask[:cells].copy()
        for one in self.survey.directory.others:
            if mask[one.number] and one.cell >= 0:
                found[one.cell] = True
        return found

    def _area_of(self, name: str) -> NDArray[np.bool_]:
        formation = self._formation(name, "distances/areas_of")
        if name in self._asked:
            raise _circle([*self._asked[self._asked.index(name) :], name])
        self._asked.append(name)
        try:
            return self.mask(formation.where, name)
        finally:
            self._asked.pop()

    def _somewhere(self, name: str) -> NDArray[np.bool_]:
        """Return where a unit that is not placed may come to be; anywhere, where that is what is being asked."""
        key = f"unit {name}"
        if key in self._asked or len(self._asked) >= _DEEPEST:
            return self.in_play
        carrier = self._units[name][0].carried_by
        self._asked.append(key)
        try:
            if carrier in self._units:
                numbers = self.placed.get(carrier)
                return self._somewhere(carrier) if numbers is None else self._at(numbers)
            return self.mask(self.where_of(name), name)
        finally:
            self._asked.pop()

    def _at(self, numbers: tuple[int, ...]) -> NDArray[np.bool_]:
        mask = np.zeros(len(self.survey.directory), dtype=bool)
        mask[list(numbers)] = True
        return mask
