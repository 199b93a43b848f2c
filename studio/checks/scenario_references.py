"""Checks of references in scenarios: sides, units, clauses, events and kinds of units that are named exist."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from studio.checks.finding import Yielded, check
from studio.checks.scenario_places import place_faults
from studio.checks.scenario_subject import ScenarioSubject, among
from studio.model import Clause, Lot, SetUp, Trigger, lots_by_id

__all__ = ["check_choices", "check_clauses", "check_references"]

_Reference = tuple[str, str, str, Iterable[str]]
"""Where something is named, what kind of thing, its name, and what there is of that kind."""


@check("scenario.references", "error", "Everything that is referred to exists")
def check_references(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield what is named and does not exist: places first, then sides, units, and whatever has an id."""
    yield from place_faults(subject)
    for at, what, name, known in _references(subject):
        if name and name not in known:
            yield at, f"no {what} {name[:100]!r}", among(name, known)


def _references(subject: ScenarioSubject) -> Iterator[_Reference]:
    yield from _of_sides(subject)
    yield from _of_units(subject)
    yield from _of_aims(subject)
    yield from _of_schedule(subject)
    for place, where, _ in subject.set_ups():
        yield from _of_area(subject, place, where)
    if subject.rules is not None:
        yield from _of_types(subject)
    for place, trigger in subject.triggers():
        yield from _of_trigger(subject, place, trigger)


def _of_sides(subject: ScenarioSubject) -> Iterator[_Reference]:
    document, forces = subject.document, subject.forces
    sides = [("first_side", document.first_side)]
    sides += [(one.id, one.side) for one in document.objectives]
    sides += [(one.id, one.side) for one in document.place_notes]
    sides += [("special.surveillance", side) for side in document.special.surveillance]
    for folder in ("clauses", "events", "support", "cup", "pools", "tables"):
        sides += [(f"{folder}/{one.id}", one.side) for one in getattr(document, folder)]
    if (victory := document.victory) is not None:
        sides += [("victory", victory.side), ("victory", victory.otherwise)]
        sides += [("victory.printed_totals", side) for side in victory.printed_totals]
        sides += [(f"victory.results/{n}", one.side) for n, one in enumerate(victory.results, 1)]
    yield from ((at, "force with the id", side, forces) for at, side in sides)
    players = {*forces, *_PLAYERS}
    for force in document.forces:
        own = "itself" if force.played_by == force.id else force.played_by
        yield force.id, "other force, `opponent` or `rules`: it is played by", own, players


_PLAYERS = ("opponent", "rules")


def _of_units(subject: ScenarioSubject) -> Iterator[_Reference]:
    units, formations = subject.units_by_id, subject.formations_by_id
    for place, _, unit in subject.units():
        yield place, "unit that could carry it:", unit.carried_by, units
    whole = {
        force.id: {formation.id for formation in force.formations if not formation.part_of}
        for force in subject.document.forces
    }
    for place, formation in subject.formations():
        own = {unit.id for unit in formation.units}
        for number, restraint in enumerate(formation.restraints, 1):
            for name in restraint.units:
                yield f"{place}/restraints/{number}", "unit of the formation has the id", name, own
            for name in restraint.against:
                yield f"{place}/restraints/{number}", "force or formation with the id", name, subject.side_of
        # No part of a part, so that none is part of itself.
        yield place, "whole formation of its force with the id", formation.part_of, whole[place.partition("/")[0]]
    yield "first_formation", "formation with the id", subject.document.first_formation, formations
    anybody = {*subject.side_of, *lots_by_id(subject.document)}
    for objective in subject.document.objectives:
        for name in objective.of:
            yield objective.id, "unit, formation, force or lot with the id", name, anybody
    for pool in subject.document.pools:
        for name in pool.for_units:
            yield f"pools/{pool.id}", "unit with the id", name, units


def _of_aims(subject: ScenarioSubject) -> Iterator[_Reference]:
    document = subject.document
    clauses, objectives = subject.ids["clauses"], subject.ids["objectives"]
    whole = {*subject.side_of, *lots_by_id(subject.document)}
    for name in document.ends:
        yield "ends", "clause with the id", name, clauses
    for number, result in enumerate(document.victory.results if document.victory is not None else (), 1):
        yield f"victory.results/{number}", "clause with the id", result.when, clauses
    kinds: dict[str, tuple[str, Iterable[str]]] = {
        **dict.fromkeys(("all", "any", "not"), ("clause with the id", clauses)),
        "objectives": ("objective with the id", objectives),
        **dict.fromkeys(("eliminated", "exited"), ("unit, formation, force or lot with the id", whole)),
    }
    anything = ("clause, objective, unit, formation, force or lot with the id", {*clauses, *objectives, *whole})
    for clause in document.clauses:
        what, known = kinds.get(clause.kind, anything)
        yield from ((f"clauses/{clause.id}", what, name, known) for name in clause.parts)


def _of_schedule(subject: ScenarioSubject) -> Iterator[_Reference]:
    document = subject.document
    events, support = subject.ids["events"], subject.ids["support"]
    for marker in document.cup:
        yield f"cup/{marker.id}", "event with the id", marker.event, events
        yield f"cup/{marker.id}", "support with the id", marker.support, support
        yield f"cup/{marker.id}", "formation with the id", marker.formation, subject.formations_by_id


def _of_area(subject: ScenarioSubject, place: str, where: SetUp) -> Iterator[_Reference]:
    terrains = subject.ruleset.terrains
    named = [*where.terrain, *where.without_terrain]
    for distance in where.distances:
        named += distance.terrain
    yield from ((place, "terrain is called", name, terrains) for name in named)
    # Units and formations of distances are found, or not, with the hexes.
    formations = subject.formations_by_id
    others = (*where.same_edge_as, *where.other_edge_than, *where.other_hex_than)
    yield from ((place, "formation with the id", name, formations) for name in others)
    for other in where.also:
        yield from _of_area(subject, place, other)


def _of_types(subject: ScenarioSubject) -> Iterator[_Reference]:
    document = subject.document
    types = [(one.id, name) for one in document.objectives for name in one.unit_types]
    types += [(f"support/{one.id}", one.type) for one in document.support]
    types += [(f"cup/{one.id}", one.type) for one in document.cup]
    for pool in document.pools:
        types += [(f"pools/{pool.id}", name) for name in _lot_types(pool.lots)]
    for table in document.tables:
        for row in table.rows:
            types += [(f"tables/{table.id}", name) for name in _lot_types(row.units)]
    yield from ((at, "unit type in the roster is called", name, subject.roster) for at, name in types)
    for objective in document.objectives:
        for name in objective.terrain:
            yield objective.id, "terrain is called", name, subject.ruleset.terrains


def _lot_types(lots: Iterable[Lot]) -> Iterator[str]:
    for lot in lots:
        yield from (lot.type, *lot.beside, *lot.choose)


def _of_trigger(subject: ScenarioSubject, place: str, trigger: Trigger) -> Iterator[_Reference]:
    ids = subject.ids
    yield place, "force with the id", trigger.side, subject.forces
    kinds: dict[str, tuple[str, tuple[str, ...]]] = {
        "clause": ("clause with the id", ("clauses",)),
        "event": ("event with the id", ("events",)),
        "table": ("table with the id", ("tables",)),
        "draw": ("marker in the cup with the id", ("cup", "pools", "formations", "units")),
        "activation": ("formation with the id", ("formations", "forces")),
    }
    what, collections = kinds.get(trigger.kind, ("thing here with the id", tuple(ids)))
    if trigger.of and not any(trigger.of in ids[name] for name in collections):
        yield place, what, trigger.of, {known for name in collections for known in ids[name]}
    if trigger.kind in {"clause", "event", "table"} and not trigger.of:
        yield place, what, f"(a trigger of the kind {trigger.kind} names one in `of`)", ids[collections[0]]


@check(
    "scenario.clauses",
    "error",
    "A clause has the parts, the side or the turn that its kind needs, and not more than there are",
)
def check_clauses(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the clauses that cannot be judged for what they leave out, or never come true for how many they ask."""
    for clause in subject.document.clauses:
        fault = _clause_fault(subject, clause)
        if fault:
            yield f"clauses/{clause.id}", fault[0], fault[1]


def _clause_fault(subject: ScenarioSubject, clause: Clause) -> tuple[str, str] | None:
    if clause.kind in {"all", "any", "not", "objectives", "eliminated", "exited"} and not clause.parts:
        return f"a clause of the kind {clause.kind} with nothing in `parts`", "name in `parts` what it is about"
    if clause.kind == "casualties" and not clause.side and not clause.parts:
        return "casualties of nobody", "name the force in `side`"
    if clause.kind == "turn":
        last = subject.last_turn
        if not clause.count:
            return "the end of no turn", "give the number of the turn in `count`"
        if last and clause.count > last:
            return f"the end of {subject.document.length_unit} {clause.count} of {last}", "name an earlier one"
    if clause.kind == "other" and not clause.text.strip():
        return "a clause in words without words", "write in `text` when it is true"
    if clause.kind == "objectives" and clause.count > len(clause.parts):
        return f"{clause.count} objectives of {len(clause.parts)}", "ask for fewer, or name more"
    if clause.kind in {"eliminated", "exited"} and clause.count:
        there = sum(sum(unit.count for unit in subject.members(part)) for part in clause.parts)
        if there and clause.count > max(there, len(clause.parts)):
            return f"{clause.count} of {there} units", "ask for fewer, or name more"
    return None


@check("scenario.choice", "warning", "Where the player chooses one formation of several there are several")
def check_choices(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the formations that are alone with their word for a choice, and choices between things of two sides."""
    groups: dict[str, list[str]] = {}
    for place, formation in subject.formations():
        if formation.choice:
            groups.setdefault(f"{place.partition('/')[0]}/{formation.choice}", []).append(place)
    for group, places in groups.items():
        if len(places) == 1:
            word = group.partition("/")[2]
            yield places[0], f"the only one to choose from with the choice {word!r}", "give the others the same word"
