"""Checks of who wins when: victory points, results, casualty limits, what team-mates win with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from studio.checks.finding import Yielded, check
from studio.checks.scenario_draws import roll_of
from studio.checks.scenario_print import explained
from studio.checks.scenario_subject import ScenarioSubject
from studio.model import Event, Objective, UnitRecord
from studio.rules.points import measure_of, unit_points

__all__ = [
    "check_casualty_limits",
    "check_results",
    "check_teams",
    "check_victory_points",
    "most_points",
]

_POINTS = ("victory_points", "points")
"""What an event calls the victory points that it gives."""


# -- victory points ----------------------------------------------------------------------------------------------------


@check("scenario.victory_points", "warning", "The most points that a side can earn are as printed")
def check_victory_points(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the printed totals of victory points that differ from those of objectives and events."""
    victory = subject.document.victory
    for side, printed in (victory.printed_totals if victory else {}).items():
        total = most_points(subject, side)
        at = f"victory/{side}"
        if total is not None and total != printed and not explained(subject, at, total):
            message = f"{printed} points printed, {total} by the objectives and events"
            yield at, message, f"compare with the source; if it errs, add an erratum at {at} that is read as {total}"


def most_points(subject: ScenarioSubject, side: str) -> int | None:
    """Return the most victory points that a side can earn, None where the scenario does not say enough to count.

    Parameters
    ----------
    subject : ScenarioSubject
    side : str
        Id of its force.
    """
    total = 0
    for objective in subject.document.objectives:
        if objective.side == side:
            points = _most(subject, objective)
            if points is None:
                return None
            total += max(points, 0)
    for event in subject.document.events:
        if event.side == side:
            total += _event_points(event)
    return total


def _most(subject: ScenarioSubject, objective: Objective) -> int | None:
    """Return the most points of one objective."""
    count = 1 if objective.measure == "once" else _measured(subject, objective)
    if count is None:
        return objective.most
    points = objective.points * count
    return points if objective.most is None else min(points, objective.most)


def _measured(subject: ScenarioSubject, objective: Objective) -> int | None:
    """Return how many units or hexes an objective counts, or their points; None where nobody can tell."""
    if objective.measure == "each" and not objective.unit_types and not objective.of:
        if objective.event in {"hold", "capture"} or (objective.event == "destroy" and _has_hexes(objective)):
            return _hexes(subject, objective)
        if objective.event == "other":
            return max(1, len(objective.hexes))
    units = list(_units(subject, objective))
    if objective.measure == "casualty_points":
        return _casualty_points(subject, units)
    if objective.measure == "roster_points":
        return sum(int(subject.roster[one.type].points) * one.count for one in units if one.type in subject.roster)
    return sum(unit.count for unit in units)


def _has_hexes(objective: Objective) -> bool:
    return bool(objective.hexes or objective.where is not None)


def _hexes(subject: ScenarioSubject, objective: Objective) -> int | None:
    if objective.hexes:
        return len(objective.hexes)
    if objective.where is not None:
        found = subject.described(objective.where)
        return None if found is None else len(found)
    if objective.terrain:
        location = subject.survey.directory.location
        return sum(location(number).type in objective.terrain for number in subject.in_play)
    return 1


_OF_ENEMIES = {"eliminate", "destroy"}


def _units(subject: ScenarioSubject, objective: Objective) -> Iterator[UnitRecord]:
    """Yield the units that an objective counts: enemies to eliminate and destroy, its own side's for the rest."""
    named = {unit.id for name in objective.of for unit in subject.members(name)}
    for place, _, unit in subject.units():
        enemy = subject.enemies(objective.side, place.partition("/")[0])
        if enemy != (objective.event in _OF_ENEMIES) or (objective.of and unit.id not in named):
            continue
        kind = subject.roster.get(unit.type)
        fights = kind is not None and subject.fights(unit)
        if unit.type in objective.unit_types if objective.unit_types else fights or bool(objective.of):
            yield unit


def _event_points(event: Event) -> int:
    """Return the most victory points that an event gives, as often as it happens."""
    roll = next((roll_of(event.gives[name]) for name in _POINTS if name in event.gives), None)
    if roll is None:
        return 0
    last = max(event.turn, event.last_turn)
    times = 1 if event.once or not event.turn else (last - event.turn) // max(event.every, 1) + 1
    return max(roll.high, 0) * times


# -- results -----------------------------------------------------------------------------------------------------------


@check("scenario.results", "warning", "Somebody wins however it ends: a victory, with what holds otherwise")
def check_results(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield results of one side only, results that nothing decides, and limits of points that exclude each other."""
    victory = subject.document.victory
    if victory is None:
        return
    for number, result in enumerate(victory.results, 1):
        at = f"victory.results/{number}"
        least, most = result.least_points, result.most_points
        if least is not None and most is not None and least > most:
            yield at, f"at least {least} points, and at most {most}", "exchange the two"
        open_still = not result.when and least is None and most is None and not result.text.strip()
        if open_still and number < len(victory.results):
            yield (
                at,
                "always true, so that no result after it counts",
                "say in `when` or by points when, or put it last",
            )
    teams = {subject.team(result.side) if result.side else "" for result in victory.results}
    last_holds = bool(victory.results) and not victory.results[-1].when and victory.results[-1].least_points is None
    if len(teams) == 1 and not victory.otherwise and not last_holds and not victory.side:
        side = victory.results[0].side or "nobody"
        message = f"every result is for {side}, and none says what holds otherwise"
        yield "victory", message, "name the side that wins `otherwise`, or add a result of the other side"
    if victory.margin is not None and victory.side and not victory.otherwise and not victory.results:
        yield "victory", f"{victory.side} wins by a margin, and nobody does else", "name the side that wins `otherwise`"


@check("scenario.teams", "warning", "No side wins by what befalls its own, and no victory is that of both sides")
def check_teams(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield objectives against team-mates, and victories in which a team beats itself."""
    for objective in subject.document.objectives:
        if objective.event not in _OF_ENEMIES or objective.side not in subject.forces or objective.points < 0:
            continue
        own = [one for one in objective.of if one in subject.side_of and not _enemy(subject, objective.side, one)]
        if own and len(own) == len(objective.of):
            message = f"{objective.side} earns points with the loss of {own[0]}, which is on its own side"
            yield objective.id, message, "name units of the enemy, or set the team right"
        elif objective.unit_types and not objective.of and not list(_units(subject, objective)):
            there = any(unit.type in objective.unit_types for _, _, unit in subject.units())
            if there:
                message = f"only its own side has {' or '.join(objective.unit_types)}"
                yield objective.id, message, "name types of the enemy, or set the side right"
    victory = subject.document.victory
    if victory is None or not {victory.side, victory.otherwise} <= set(subject.forces):
        return
    if not subject.enemies(victory.side, victory.otherwise):
        message = f"{victory.side} wins, otherwise {victory.otherwise}, which is on its side"
        yield "victory", message, "name a force of the other side in `otherwise`, or leave it empty"


def _enemy(subject: ScenarioSubject, side: str, name: str) -> bool:
    return subject.enemies(side, subject.side_of[name])


# -- casualties --------------------------------------------------------------------------------------------------------


@check("scenario.casualty_limit", "warning", "A side can lose as many casualty points as its limit says")
def check_casualty_limits(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the limits that are more than all that a side has."""
    limits = [
        (f"clauses/{clause.id}", clause.side, clause.count)
        for clause in subject.document.clauses
        if clause.kind == "casualties" and not clause.parts
    ]
    for force in subject.document.forces:
        given = force.ratings.get("break_contact")
        if isinstance(given, int):
            limits.append((force.id, force.id, given))
    for at, side, limit in limits:
        most = _losses(subject, side)
        if most is not None and limit > most:
            yield at, f"a limit of {limit} casualty points, {side} has {most}", "compare with the source"


def _losses(subject: ScenarioSubject, side: str) -> int | None:
    """Return the casualty points of all that a side has, None where the game or the side is not known."""
    if side not in subject.forces or any(pool.side == side for pool in subject.document.pools):
        return None
    return _casualty_points(subject, subject.members(side))


def _casualty_points(subject: ScenarioSubject, units: Iterable[UnitRecord]) -> int | None:
    """Return the casualty points of some units, None in a game without such points."""
    if measure_of(subject.ruleset) != "casualty points":
        return None
    known = ((unit, subject.roster[unit.type]) for unit in units if unit.type in subject.roster)
    return sum(unit_points(subject.ruleset, kind, unit) * unit.count for unit, kind in known)
