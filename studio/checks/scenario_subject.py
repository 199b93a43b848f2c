"""A scenario with what its checks keep asking about it: its parts by id, its sides, and the areas that it describes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import msgspec

from studio.errors import StudioError, nearest
from studio.model import Formation, ScenarioDocument, SetUp, Trigger, UnitRecord
from studio.rules import Ruleset
from studio.rules.areas import ScenarioAreas, depends_on_units
from studio.rules.played import changes_ground, closed_places, model_as_played
from studio.rules.roster import FIGHTING, roster_of, rules_of
from studio.rules.standing import PlayGround
from studio.survey import Survey

__all__ = ["ScenarioSubject", "among", "listed", "says_nothing"]

_COMPARED = 400  # names that a wrong one is compared with; more would take long, and one of them is enough
_LISTED = 6


def among(got: str, known: Iterable[str]) -> str:
    """Return a remedy for a name that is not known: the nearest ones, or what there is."""
    names = sorted(set(known))
    if not names:
        return "there is none here: add it, or take the reference out"
    if len(names) > _COMPARED:
        head = got[:2].casefold()
        names = [name for name in names if name[:2].casefold() == head][:_COMPARED] or names[:_COMPARED]
    return nearest(got, names)


def listed(names: Iterable[str]) -> str:
    """Return names as a message tells them: few of many.

    Examples
    --------
    >>> listed("abc"), listed(map(str, range(100)))
    ('a, b, c', '0, 1, 2, 3, 4, 5 ... (100 in all)')
    """
    every = list(names)
    more = f" ... ({len(every)} in all)" if len(every) > _LISTED else ""
    return ", ".join(every[:_LISTED]) + more


class ScenarioSubject:
    """A scenario with what the checks keep asking about it.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset
    played : Survey, optional
        Of the map as the special rules of the scenario make it, where it is known already.

    Attributes
    ----------
    forces : dict of str to Force
    survey : Survey
        Of the map as the special rules of the scenario make it.
    in_play : set of int
        Numbers of the locations in play.
    closed : frozenset of int
        Numbers of the locations that nothing may enter.
    roster : dict of str to object
        Kinds of units by id: those of the game, and the scenario's own.
    """

    def __init__(
        self, document: ScenarioDocument, survey: Survey, ruleset: Ruleset, played: Survey | None = None
    ) -> None:
        self.document, self.ruleset = document, ruleset
        self.survey = _as_played(survey, document) if played is None else played
        self.labels = survey.model.labels
        self.rules: Any = rules_of(ruleset, document)
        self.roster: dict[str, Any] = roster_of(ruleset, document)
        self.forces = {force.id: force for force in document.forces}
        # Where the part in play is faulty, which the check of references says, the others go on with the whole map.
        self.ground = PlayGround(self.survey, document.map)
        self.in_play: set[int] = self.ground.in_play
        self.closed = closed_places(document, self.survey)
        self._areas = ScenarioAreas(document, self.survey, ruleset, ground=self.ground)
        self._stands: dict[tuple[str, int], bool] = {}
        self._found: dict[tuple[int, str], list[int] | StudioError] = {}  # by id(): the document holds them all along
        self._alike: dict[tuple[SetUp, str], list[int]] = {}  # what is described alike lies in memory once

    # -- the order of battle -----------------------------------------------------------------------------------------

    def formations(self) -> Iterator[tuple[str, Formation]]:
        """Yield the formations, each with its place: force/formation."""
        for force in self.document.forces:
            for formation in force.formations:
                yield f"{force.id}/{formation.id}", formation

    def units(self) -> Iterator[tuple[str, Formation, UnitRecord]]:
        """Yield the units, each with its place (force/formation/unit) and its formation."""
        for place, formation in self.formations():
            for unit in formation.units:
                yield f"{place}/{unit.id}", formation, unit

    @cached_property
    def units_by_id(self) -> dict[str, UnitRecord]:
        """Units by id."""
        return {unit.id: unit for _, _, unit in self.units()}

    @cached_property
    def formations_by_id(self) -> dict[str, Formation]:
        """Formations by id."""
        return {formation.id: formation for _, formation in self.formations()}

    @cached_property
    def parts_of(self) -> dict[str, list[Formation]]:
        """Formations that are groups of another one, by the id of that."""
        found: dict[str, list[Formation]] = {}
        for _, formation in self.formations():
            if formation.part_of:
                found.setdefault(formation.part_of, []).append(formation)
        return found

    @cached_property
    def side_of(self) -> dict[str, str]:
        """Id of the force of every unit, formation and force, by their ids."""
        found = {force: force for force in self.forces}
        for place, formation in self.formations():
            side = place.partition("/")[0]
            found.setdefault(formation.id, side)
            for unit in formation.units:
                found.setdefault(unit.id, side)
        return found

    @cached_property
    def formation_of(self) -> dict[str, str]:
        """Id of the formation of every unit, by its id."""
        return {unit.id: formation.id for _, formation, unit in self.units()}

    def team(self, side: str) -> str:
        """Return what the forces on one side have in common: the word of their team, else the id of the force."""
        force = self.forces.get(side)
        return force.team or f"/{side}" if force is not None else f"/{side}"

    def enemies(self, one: str, other: str) -> bool:
        """Tell whether two forces are on different sides."""
        return self.team(one) != self.team(other)

    def members(self, name: str) -> list[UnitRecord]:
        """Return the units that an id stands for: those of a force or a formation, or one; none where it is no such."""
        if name in self.forces:
            return [unit for formation in self.forces[name].formations for unit in formation.units]
        if name in self.formations_by_id:
            return list(self.formations_by_id[name].units)
        return [self.units_by_id[name]] if name in self.units_by_id else []

    @cached_property
    def ids(self) -> dict[str, frozenset[str]]:
        """Ids of whatever something can refer to, by collection."""
        found = {
            "forces": frozenset(self.forces),
            "formations": frozenset(self.formations_by_id),
            "units": frozenset(self.units_by_id),
        }
        for name in ("objectives", "clauses", "events", "support", "cup", "pools", "tables"):
            found[name] = frozenset(one.id for one in getattr(self.document, name))
        return found

    def fights(self, unit: UnitRecord) -> bool:
        """Tell whether a record is of units, as far as the roster knows: neither support weapons nor markers."""
        kind = self.roster.get(unit.type)
        return kind is None or kind.kind in FIGHTING

    @cached_property
    def last_turn(self) -> int:
        """Last turn (or activation) that there can be, those of extended play included; 0 for no limit."""
        document = self.document
        if not document.length:
            return 0
        return document.length + (document.extended.turns if document.extended is not None else 0)

    def can_stand(self, kind: Any, number: int) -> bool:
        """Tell whether units of a kind can be in a location, for its terrain and for what is closed here."""
        key = (kind.id, number)
        if key not in self._stands:
            self._stands[key] = number not in self.closed and self.rules.can_stand(kind, self.survey, number)
        return self._stands[key]

    # -- what is described ---------------------------------------------------------------------------------------------

    def set_ups(self) -> Iterator[tuple[str, SetUp, str]]:
        """Yield every described area with its place and whom it is for; what serves as well is part of it."""
        for place, formation in self.formations():
            yield f"{place}/where", formation.where, formation.id
            if formation.leaves is not None:
                yield f"{place}/leaves", formation.leaves, formation.id
            for number, restraint in enumerate(formation.restraints, 1):
                if restraint.stay is not None:
                    yield f"{place}/restraints/{number}", restraint.stay, formation.id
        for place, _, unit in self.units():
            if unit.where is not None:
                yield f"{place}/where", unit.where, unit.id
        document = self.document
        others: list[tuple[str, SetUp | None]] = [(one.id, one.where) for one in document.objectives]
        others += [(f"support/{one.id}", one.target) for one in document.support]
        others += [(f"pools/{one.id}", one.where) for one in document.pools]
        others += [(f"tables/{one.id}", one.where) for one in document.tables]
        yield from ((place, where, "") for place, where in others if where is not None)

    def triggers(self) -> Iterator[tuple[str, Trigger]]:
        """Yield every trigger with its place."""
        document = self.document
        found: list[tuple[str, Trigger | None]] = []
        for place, formation in self.formations():
            found.append((place, formation.when))
            found += [(f"{place}/restraints/{n}", one.until) for n, one in enumerate(formation.restraints, 1)]
        found += [(f"events/{event.id}", event.when) for event in document.events]
        found += [(f"support/{support.id}", support.when) for support in document.support]
        found += [(f"tables/{table.id}", table.when) for table in document.tables]
        if document.extended is not None:
            found.append(("extended", document.extended.when))
        yield from ((place, trigger) for place, trigger in found if trigger is not None)

    # -- places --------------------------------------------------------------------------------------------------------

    def place(self, label: str) -> int:
        """Return the number of what has a label: a location, or a hex that is none."""
        found = self.labels.find(label)
        return self.survey.directory.number(label) if found is None else found

    def number(self, label: str) -> int | None:
        """Return the number of what has a label, None where the map has nothing of that name."""
        return self.ground.number(label)

    def called(self, number: int) -> str:
        """Return the label of a location, or of a hex that is none."""
        hexes = self.survey.grid.cells
        return self.labels.label(number) if number < hexes else self.survey.directory.label(number)

    def point(self, number: int) -> tuple[int, int]:
        """Return where a location is, so that a finding leads there."""
        if number < self.survey.grid.cells:
            return self.survey.grid.centre(number)
        return self.survey.directory.dot(number)

    def cells(self, where: SetUp, asking: str = "") -> list[int]:
        """Return the locations in play, and not closed, that a description allows.

        Parameters
        ----------
        where : SetUp
        asking : str
            Id of the formation or unit that it is for.

        Raises
        ------
        StudioError
            When the description names what there is not.
        """
        key = (id(where), asking)
        if key not in self._found:
            try:
                alike = (where, asking if depends_on_units(where) else "")
                if alike not in self._alike:
                    self._alike[alike] = self._areas.cells(where, asking)
                self._found[key] = self._alike[alike]
            except StudioError as error:
                self._found[key] = error
        found = self._found[key]
        if isinstance(found, StudioError):
            raise found
        return found

    def described(self, where: SetUp | None, asking: str = "") -> list[int] | None:
        """Return the locations that a description allows; None where there is none, or it is faulty."""
        if where is None:
            return None
        try:
            return self.cells(where, asking)
        except StudioError:
            return None

    def area(self, formation: Formation, unit: UnitRecord | None = None) -> list[int] | None:
        """Return the hexes where a formation, or one of its units, sets up or enters; None when that is faulty."""
        if unit is not None and unit.where is not None:
            return self.described(unit.where, unit.id)
        return self.described(formation.where, formation.id)


def says_nothing(where: SetUp) -> bool:
    """Tell whether a description has no condition, so that every hex in play is meant, or none is known."""
    return msgspec.structs.replace(where, text="") == SetUp()


def _as_played(survey: Survey, document: ScenarioDocument) -> Survey:
    """Return the survey of the map as a scenario plays on it; of the map itself where it changes nothing, or errs."""
    if not changes_ground(document.special):
        return survey
    try:
        return Survey(model_as_played(survey.model, document.special), survey.scheme)
    except StudioError:
        return survey  # said by the checks of references and of special rules
