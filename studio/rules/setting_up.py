"""Can the units of a scenario be placed? The answer is a placement, or the units and the places that are too few."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from studio.errors import UnknownNameError, nearest
from studio.model import Batch, Edit, Formation, Put, ScenarioDocument, SetField, UnitRecord
from studio.rules.set_up_search import TRIES, Failure, SetUpSearch, Spent
from studio.rules.set_up_task import SetUpTask
from studio.rules.standing import PlayGround
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["SetUpAnswer", "placing_step", "set_up_answer"]

_LISTED = 8


class SetUpAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Whether units can be placed, and how or why not. It is true where they can.

    Attributes
    ----------
    possible : bool or None
        None where the search gave up before it knew.
    placement : dict of str to tuple of str
        Place of each counter by the id of its unit; of one unit with several counters as many places.
    aboard : dict of str to tuple of str
        Counters that are carried: id of the unit that carries each. Their places are those of their carriers.
    reason : str
        Why they cannot be placed; empty where they can.
    units : tuple of str
        Ids of the units that have too little room.
    places : tuple of str
        All places where these may be.
    missing : int
        How many counters have no place.
    """

    possible: bool | None
    placement: dict[str, tuple[str, ...]] = {}
    aboard: dict[str, tuple[str, ...]] = {}
    reason: str = ""
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    missing: int = 0

    def __bool__(self) -> bool:
        """Whether the units can be placed."""
        return self.possible is True

    def __repr__(self) -> str:
        if self.possible:
            counters = sum(map(len, self.placement.values()))
            return f"SetUpAnswer: possible, {counters} counters of {len(self.placement)} units placed"
        return f"SetUpAnswer: {'not possible' if self.possible is False else 'not known'}: {self.reason}"


def set_up_answer(
    document: ScenarioDocument,
    survey: Survey,
    ruleset: Ruleset,
    *,
    force: str = "",
    formation: str = "",
    ground: PlayGround | None = None,
    rng: random.Random | None = None,
) -> SetUpAnswer:
    """Place all units of a scenario that have no place, or tell why that cannot be.

    A placement is legal when every counter is in play, in its area and where its kind can stand; when no place holds
    more than the stacking limit of its game, or than its area says; when distances are kept, and what must be in one
    hex, on one edge or in one area is; and when no unit is where a unit of an enemy is. Units, formations and forces
    that the scenario has placed already stay; of forces only those count that are placed before. What must be loaded
    rides in the transports of its formation, one unit that counts towards stacking a seat. What enters needs a place to
    enter by; such places hold any number, since units enter one after the other. Markers stand where their area is.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset
    force, formation : str
        Ids, to ask for one of them only; the others count where they are placed already.
    ground : PlayGround, optional
        Of the same map and use, where it is known already.
    rng : random.Random, optional
        Chooses among the places; without it the first that fit are taken.

    Returns
    -------
    SetUpAnswer

    Raises
    ------
    UnknownNameError, LabelError, ScenarioRuleError
        When an area names what there is not, or areas are described in a circle.
    """
    task = SetUpTask(document, survey, ruleset, force=force, formation=formation, ground=ground)
    answer = _answer(task, rng)
    if answer.possible is False and any(part.loaded == "may" for _, part in _formations(document)):
        riding = SetUpTask(
            document, survey, ruleset, force=force, formation=formation, ground=task.areas.ground, loaded=True
        )
        other = _answer(riding, rng) if riding.riders != task.riders else answer
        return other if other.possible else answer
    return answer


def _formations(document: ScenarioDocument) -> list[tuple[str, Formation]]:
    return [(force.id, part) for force in document.forces for part in force.formations]


def _answer(task: SetUpTask, rng: random.Random | None) -> SetUpAnswer:
    for formation, wanted, seats in task.short_of_seats:
        carriers = "no transport" if not seats else f"seats for {seats}"
        reason = f"{formation.name}: {wanted} units must be loaded, and it has {carriers}"
        units = tuple(piece.id for piece in task.pieces if piece.formation.id == formation.id)
        return SetUpAnswer(possible=False, reason=reason, units=units, missing=wanted - seats)
    search = SetUpSearch(task, rng)
    try:
        found = (search.scatter(rng) if rng is not None else None) or search.run()
    except Spent:
        told = f" The first one failed: {_told(task, search.failure)}" if search.failure is not None else ""
        reason = f"no set-up among {TRIES} tries, and more are left.{told}"
        return SetUpAnswer(possible=None, reason=reason)
    if found is None:
        failure = search.failure
        return SetUpAnswer(
            possible=False,
            reason=_told(task, failure) if failure is not None else "no choice of hexes, edges or areas is left",
            units=tuple(piece.id for piece in failure.pieces) if failure is not None else (),
            places=tuple(map(task.survey.directory.label, failure.places)) if failure is not None else (),
            missing=max(0, failure.number - failure.room) if failure is not None and failure.kind != "few" else 0,
        )
    label = task.survey.directory.label
    placement = {name: tuple(map(label, places)) for name, places in found.items()}
    aboard = {name: tuple(carriers) for name, carriers in task.riders.items()}
    aboard |= _weapons(task, {**placement, **aboard})
    for name in task.riders:
        placement[name] = _with_carriers(task, name, placement)
    return SetUpAnswer(possible=True, placement=placement, aboard=aboard)


def _with_carriers(task: SetUpTask, name: str, placement: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return where counters are that are carried: with their carriers, these one after the other."""
    seen: set[str] = {name}
    turns: dict[str, int] = defaultdict(int)
    found: list[str] = []
    for carrier in task.riders[name]:
        here = carrier
        while here in task.riders and here not in seen:
            seen.add(here)
            here = task.riders[here][0]
        places = placement.get(here) or [task.survey.directory.label(one) for one in task.fixed.get(here, ())]
        if places:
            found.append(places[turns[here] % len(places)])
            turns[here] += 1
    return tuple(found)


def _weapons(task: SetUpTask, placed: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Give support weapons that nobody has yet to the units of their formation that may use them, one each in turn."""
    found: dict[str, tuple[str, ...]] = {}
    turns: dict[str, int] = defaultdict(int)
    for weapon, formation in task.weapons:
        used_by = getattr(task.roster.get(weapon.type), "used_by", "")
        users = [unit.id for unit in formation.units for _ in range(unit.count) if _uses(task, unit, used_by, placed)]
        if users:
            start = turns[used_by]
            found[weapon.id] = tuple(users[(start + number) % len(users)] for number in range(weapon.count))
            turns[used_by] += weapon.count
    return found


def _uses(task: SetUpTask, unit: UnitRecord, used_by: str, placed: Mapping[str, Sequence[str]]) -> bool:
    piece = task.record(unit.id)
    if not piece.fights or not (unit.id in placed or unit.id in task.fixed):
        return False
    kind = piece.kind
    named = {getattr(kind, "kind", ""), getattr(kind, "role", ""), getattr(kind, "id", "")}
    return used_by in named if used_by else task.seated(piece)


# -- why not -----------------------------------------------------------------------------------------------------------


def _told(task: SetUpTask, failure: Failure) -> str:
    """Say in a sentence why units cannot be placed."""
    pieces, directory = failure.pieces, task.survey.directory
    shown = ", ".join(directory.label(place) for place in failure.places[:_LISTED])
    more = f" and {len(failure.places) - _LISTED} more" if len(failure.places) > _LISTED else ""
    names = ", ".join(dict.fromkeys(piece.formation.name for piece in pieces))
    first = pieces[0] if pieces else None
    what = "hexes" if all(place < task.survey.grid.cells for place in failure.places) else "places"
    if first is not None and failure.kind == "nowhere":
        return f"{names}: there is no place in the area of {first.id}"
    if first is not None and failure.kind == "no_ground":
        called = getattr(first.kind, "name", "") or first.unit.type
        mover = getattr(first.kind, "mover", "")
        where = f"{len(failure.places)} {what} of its area" if len(failure.places) > 1 else f"{shown}"
        return f"{names}: {called} ({first.id}) can stand in none of the {where}" + (
            f"; it moves as {mover}" * bool(mover)
        )
    if first is not None and failure.kind == "apart":
        return f"{names}: other units, or the distance from them, leave no place to {first.id}"
    if failure.kind == "few":
        each = first.where.least_in_hex if first is not None else 0
        return f"{names}: {len(failure.places)} {what} must hold {each} each, and there are {failure.number} counters"
    if len(failure.places) == 1:
        return f"{names}: {failure.number} units in {shown}, which holds {failure.room}"
    return f"{names}: {failure.number} units in {len(failure.places)} {what} that hold {failure.room} ({shown}{more})"


# -- a step ------------------------------------------------------------------------------------------------------------


def placing_step(
    document: ScenarioDocument,
    placement: Mapping[str, str | Sequence[str]],
    aboard: Mapping[str, Sequence[str]] | None = None,
    title: str = "",
) -> Batch:
    """Return the step that places units: those whose counters go to several places become several records.

    Parameters
    ----------
    document : ScenarioDocument
    placement : mapping of str to str or sequence of str
        Place of a unit, or of each of its counters, by its id.
    aboard : mapping of str to sequence of str, optional
        Ids of the units that carry each counter.
    title : str

    Raises
    ------
    UnknownNameError
        When the scenario has no such unit.
    """
    known = {
        unit.id: (force.id, part.id, unit)
        for force in document.forces
        for part in force.formations
        for unit in part.units
    }
    aboard = aboard or {}
    for name in (*placement, *aboard):
        if name not in known:
            msg = f"placement: the scenario has no unit {name!r}; {nearest(name, known)}"
            raise UnknownNameError(msg)
    splitter = _Splitter({name: unit for name, (_, _, unit) in known.items()}, placement, aboard)
    edits: list[Edit] = []
    for name in dict.fromkeys((*placement, *aboard)):
        force, part, unit = known[name]
        path = f"forces/{force}/formations/{part}/units"
        records = splitter.records(name)
        for record in records:
            if record.id == unit.id:
                changed = {
                    field: getattr(record, field)
                    for field in ("count", "at", "carried_by")
                    if getattr(record, field) != getattr(unit, field)
                }
                edits += [SetField(field=f"{path}/{unit.id}/{field}", value=value) for field, value in changed.items()]
            else:
                edits.append(Put(collection=path, record=msgspec.to_builtins(record)))
    return Batch(title=title or "Set up", edits=edits)


class _Splitter:
    """Splits records of several counters by where these go."""

    def __init__(
        self,
        units: Mapping[str, UnitRecord],
        placement: Mapping[str, str | Sequence[str]],
        aboard: Mapping[str, Sequence[str]],
    ) -> None:
        self.units, self.placement, self.aboard = units, placement, aboard
        self._taken = set(units)
        self._made: dict[str, list[UnitRecord]] = {}

    def records(self, name: str, asked: tuple[str, ...] = ()) -> list[UnitRecord]:
        """Return what becomes of a record: itself first."""
        if name in self._made:
            return self._made[name]
        unit = self.units[name]
        if name not in self.placement and name not in self.aboard:
            return [unit]
        groups: dict[tuple[str, str], int] = defaultdict(int)
        for place in self._places(name, (*asked, name)):
            groups[place] += 1
        found = []
        for number, ((at, carrier), count) in enumerate(groups.items()):
            made = unit.id if not number else self._free_id(unit.id)
            found.append(msgspec.structs.replace(unit, id=made, count=count, at=at, carried_by=carrier))
        self._made[name] = found
        return found

    def _places(self, name: str, asked: tuple[str, ...]) -> list[tuple[str, str]]:
        """Return place and carrier of each counter."""
        unit, carriers = self.units[name], self.aboard.get(name, ())
        if not carriers:
            said = self.placement[name]
            labels = [said] * unit.count if isinstance(said, str) else list(said)
            return [(label, "") for label in labels]
        found: list[tuple[str, str]] = []
        turns: dict[str, int] = defaultdict(int)
        for carrier in carriers:
            parts = self.records(carrier, asked) if carrier not in asked else [self.units[carrier]]
            each = [part.id for part in parts for _ in range(part.count)]
            found.append(("", each[turns[carrier] % len(each)]))
            turns[carrier] += 1
        return found

    def _free_id(self, stem: str) -> str:
        number = 2
        while f"{stem}-{number}" in self._taken:
            number += 1
        self._taken.add(f"{stem}-{number}")
        return f"{stem}-{number}"
