"""Checks of the order of battle: kinds of units, how many there are, ratings, carriers with room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from studio.checks.finding import Yielded, check
from studio.checks.scenario_print import explained
from studio.checks.scenario_subject import ScenarioSubject, among
from studio.model import Force, Formation

__all__ = [
    "check_forces",
    "check_hidden",
    "check_own_kinds",
    "check_roster",
    "check_unit_known",
    "check_unit_quantity",
]


@check("scenario.forces", "error", "At least two forces that are not on one side, each with units")
def check_forces(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield forces without units, and a scenario without an enemy."""
    count = len(subject.forces)
    if count < 2:
        yield "forces", f"{count or 'no'} force{'s' * (count != 1)}", "a scenario has two or more"
    elif len({subject.team(side) for side in subject.forces}) < 2:
        team = next(iter(subject.forces.values())).team
        yield "forces", f"all {count} forces are of the team {team!r}", "give each side a word of its own, or none"
    for force in subject.document.forces:
        if not any(formation.units for formation in force.formations) and not _drawn(subject, force):
            yield force.id, "a force without units", "add a formation with units"


def _drawn(subject: ScenarioSubject, force: Force) -> bool:
    """Tell whether cups or tables bring the units of a force."""
    document = subject.document
    brought = [*(pool.side for pool in document.pools), *(table.side for table in document.tables)]
    return force.id in brought


@check("scenario.roster", "warning", "The studio knows the roster of the game")
def check_roster(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Say once that nothing is known of the units of a game."""
    if subject.rules is None:
        message = f"{subject.ruleset.title} has no roster in the studio yet, so that units are not checked against one"
        yield "forces", message, "compare types, numbers and points of units with the game"


@check("scenario.unit_known", "error", "Every unit is in the roster of the game, or a kind of the scenario's own")
def check_unit_known(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the units of types that there are not."""
    for place, _, unit in subject.units():
        if unit.type not in subject.roster:
            yield place, f"unknown unit type {unit.type!r}", among(unit.type, subject.roster)


@check("scenario.unit_quantity", "warning", "No type is used more often than the game has counters of it")
def check_unit_quantity(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the types that the box has too few of; of formations to choose from, the one with most counts."""
    used: Counter[str] = Counter()
    chosen: dict[tuple[str, str], Counter[str]] = {}
    for force in subject.document.forces:
        for formation in force.formations:
            counts = _counts([formation])
            if formation.choice:
                # A union of counters holds the largest number of each.
                chosen[force.id, formation.choice] = chosen.get((force.id, formation.choice), Counter()) | counts
            else:
                used += counts
    for counts in chosen.values():
        used += counts
    for name, count in sorted(used.items()):
        kind = subject.roster.get(name)
        if kind is not None and kind.quantity and count > kind.quantity and not explained(subject, name, count):
            yield name, f"{count} counters are used, the game has {kind.quantity}", "use fewer, or say what stands in"


def _counts(formations: Iterable[Formation]) -> Counter[str]:
    found: Counter[str] = Counter()
    for formation in formations:
        for unit in formation.units:
            found[unit.type] += unit.count
    return found


@check(
    "scenario.own_kinds", "error", "Kinds of units of one's own are like kinds of the game, and have ids of their own"
)
def check_own_kinds(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the kinds that hide one of the game, or are like none."""
    game = subject.ruleset.scenario.roster() if subject.ruleset.has_scenario else {}
    known = set(game)
    for kind in subject.document.roster:
        at = f"roster/{kind.id}"
        if kind.id in game:
            yield at, f"{kind.id!r} is a kind of {subject.ruleset.title}", "give it another id"
        if kind.like and kind.like not in known:
            yield (
                at,
                f"like {kind.like!r}, which neither the game nor the scenario before it has",
                among(kind.like, known),
            )
        known.add(kind.id)
        if kind.mover and kind.mover not in subject.ruleset.movers:
            yield (
                at,
                f"moves as {kind.mover!r}, which the game does not know",
                among(kind.mover, subject.ruleset.movers),
            )


@check("scenario.hidden", "error", "No more units set up hidden than a formation has")
def check_hidden(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the formations that hide more than there is."""
    for place, formation in subject.formations():
        count = sum(unit.count for unit in formation.units if subject.fights(unit))
        if formation.hidden > count:
            yield place, f"{formation.hidden} of {count} units set up hidden", "hide fewer, or add units"
