"""Checks of ways: units can leave where they must, somebody gets to each objective, the sides meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from studio.checks.finding import Fault, Yielded, check
from studio.checks.scenario_places import edge_cells
from studio.checks.scenario_reach import Reaching
from studio.checks.scenario_subject import ScenarioSubject, listed, says_nothing
from studio.errors import StudioError
from studio.model import Objective, UnitRecord
from studio.survey import ground_in_play, on_edge

__all__ = ["check_exit", "check_objective_ground", "check_objective_reached", "check_sides_meet", "check_way_out"]


@check("scenario.exit", "error", "Map edges by which units must leave have hexes in play")
def check_exit(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the edges that lie outside the part in play."""
    grid = subject.survey.grid
    try:
        ground = ground_in_play(subject.survey, subject.document.map)
    except StudioError:
        return  # said by the check of references
    for objective in subject.document.objectives:
        for edge in objective.edges:
            if not any(on_edge(grid, cell, edge) for cell in ground):
                yield objective.id, f"no hex in play lies on the {edge} edge", "name an edge of the part in play"


_LEAVING = {"exit", "loot_and_exit"}


@check("scenario.way_out", "error", "Some unit that may, or must, leave the map finds a way to where it can")
def check_way_out(subject: ScenarioSubject, reaching: Reaching) -> Iterator[Yielded]:
    """Yield the exits that no unit of those meant gets to."""
    for place, formation in subject.formations():
        out = subject.described(formation.leaves, formation.id)
        if out and formation.leaves is not None and not says_nothing(formation.leaves):
            yield from _no_way(subject, reaching, f"{place}/leaves", formation.units, set(out))
    for objective in subject.document.objectives:
        if objective.event in _LEAVING:
            out_of = _exits(subject, objective)
            units = _meant(subject, objective)
            if out_of and units:
                yield from _no_way(subject, reaching, objective.id, units, out_of)


def _no_way(
    subject: ScenarioSubject, reaching: Reaching, at: str, units: Iterable[UnitRecord], out: set[int]
) -> Iterator[Yielded]:
    listed_units = list(units)
    if any(reaching.gets_to(unit, out) for unit in listed_units):
        return
    names = listed(unit.id for unit in listed_units)
    message = f"no way for {names} to {listed(map(subject.called, sorted(out)))}"
    remedy = "name another exit, let them start elsewhere, or open a way on the map"
    yield Fault(at, message, remedy, subject.point(min(out)))


def _exits(subject: ScenarioSubject, objective: Objective) -> set[int]:
    """Return where units leave the map for an objective; nothing where it does not say."""
    described = subject.described(objective.where)
    if described:
        return set(described)
    on_edges = edge_cells(subject, objective.edges) if objective.edges else None
    numbers = {subject.number(label) for label in objective.hexes} if objective.event == "exit" else set()
    named = {number for number in numbers if number is not None and number in subject.in_play}
    if on_edges is None:
        return named
    return named & on_edges or on_edges


def _meant(subject: ScenarioSubject, objective: Objective) -> list[UnitRecord]:
    """Return the units that can earn an objective: those that it names, or all of its side's that move."""
    named = {unit.id for name in objective.of for unit in subject.members(name)}
    found = []
    for place, _, unit in subject.units():
        own = not subject.enemies(place.partition("/")[0], objective.side)
        counts = unit.type in objective.unit_types if objective.unit_types else subject.fights(unit)
        if (own or objective.of) and (unit.id in named if objective.of else counts):
            found.append(unit)
    return found


# -- objectives --------------------------------------------------------------------------------------------------------


@check("scenario.objective_ground", "error", "Objectives lie in terrain that something can enter")
def check_objective_ground(subject: ScenarioSubject, reaching: Reaching) -> Iterator[Yielded]:
    """Yield the hexes of objectives that nothing ever stands in, such as the sea."""
    for objective in subject.document.objectives:
        for label in objective.hexes:
            number = subject.number(label)
            if number is None or objective.event in {"destroy", "eliminate", "other"}:
                continue
            if not subject.survey.directory.exists(number):
                message = f"{label} is no place to be: {subject.survey.model.terrain_at(number)}"
                yield Fault(objective.id, message, "name a hex or another place next to it", subject.point(number))
            elif reaching.shut_to_all(number):
                terrain = subject.survey.directory.location(number).type.replace("_", " ")
                message = f"{label} is {terrain}, which nothing can enter"
                yield Fault(objective.id, message, "name another hex, or lead a road there", subject.point(number))


@check("scenario.objective_reached", "warning", "Some unit of the side that scores finds a way to each objective")
def check_objective_reached(subject: ScenarioSubject, reaching: Reaching) -> Iterator[Yielded]:
    """Yield the objectives that nobody gets to who could earn them."""
    for objective in subject.document.objectives:
        if objective.event not in {"hold", "capture", "loot_and_exit"} or objective.side not in subject.forces:
            continue
        own = [unit for unit in _meant(subject, objective) if not objective.of]
        own = own or [
            unit
            for place, _, unit in subject.units()
            if not subject.enemies(place.partition("/")[0], objective.side) and subject.fights(unit)
        ]
        for label in objective.hexes:
            number = subject.number(label)
            if number is None or number not in subject.in_play or reaching.shut_to_all(number):
                continue
            if own and not any(reaching.gets_to(unit, {number}) for unit in own):
                message = f"no unit of {objective.side} finds a way to {label}"
                remedy = "name another place, let a unit start elsewhere, or open a way on the map"
                yield Fault(objective.id, message, remedy, subject.point(number))


# -- sides -------------------------------------------------------------------------------------------------------------


_PAIRED = 12  # sides of which each is asked about with each other; no game has more


@check("scenario.sides_meet", "warning", "Sides can reach, or see, each other")
def check_sides_meet(subject: ScenarioSubject, reaching: Reaching) -> Iterator[Yielded]:
    """Yield the pairs of sides that never come near each other."""
    sides: dict[str, list[UnitRecord]] = {}
    first: dict[str, str] = {}
    for place, _, unit in subject.units():
        side = place.partition("/")[0]
        if subject.fights(unit):
            sides.setdefault(subject.team(side), []).append(unit)
            first.setdefault(subject.team(side), side)
    there = {team: units for team, units in sides.items() if reaching.somewhere(units)}
    if len(there) > _PAIRED:
        return
    for one, other in combinations(there, 2):
        if not reaching.meet(there[one], there[other]):
            message = f"no unit of {first[one]} and of {first[other]} can reach or see each other"
            yield first[other], message, "let one of them start, or enter, elsewhere, or open a way on the map"
