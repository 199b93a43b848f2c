"""Checks of ids and names in scenarios: each thing has an id of its own, and a name that tells it from the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from studio.checks.finding import Yielded, check
from studio.checks.scenario_subject import ScenarioSubject, listed

__all__ = ["check_id_once", "check_ids_unique", "check_named", "check_same_name"]


def _groups(subject: ScenarioSubject) -> dict[str, list[str]]:
    """Return the ids of every collection by what it holds."""
    document = subject.document
    return {
        "force": [force.id for force in document.forces],
        "formation": [formation.id for _, formation in subject.formations()],
        "unit": [unit.id for _, _, unit in subject.units()],
        "objective": [one.id for one in document.objectives],
        "clause": [one.id for one in document.clauses],
        "event": [one.id for one in document.events],
        "support": [one.id for one in document.support],
        "cup marker": [one.id for one in document.cup],
        "pool": [one.id for one in document.pools],
        "table": [one.id for one in document.tables],
        "period": [one.id for one in document.periods],
        "variant": [one.id for one in document.variants],
        "erratum": [one.id for one in document.errata],
        "kind of unit": [one.id for one in document.roster],
        "note": [one.id for one in document.place_notes],
    }


_MEANT_TOGETHER = (("force", "formation", "unit"), ("clause", "objective"), ("cup marker", "pool"))
"""Kinds of things that one and the same reference may mean: there an id has to say which."""


@check("scenario.ids_unique", "error", "No two things of one kind have one id")
def check_ids_unique(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the ids that several forces, units, clauses and so on have."""
    for what, ids in _groups(subject).items():
        for name, count in Counter(ids).items():
            if count > 1:
                several = {"erratum": "errata", "kind of unit": "kinds of units"}.get(what, f"{what}s")
                yield name, f"{count} {several} have the id {name!r}", "give each an id of its own"


@check("scenario.id_once", "warning", "An id stands for one thing: what refers to it can mean nothing else")
def check_id_once(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the ids that things of different kinds have."""
    groups = _groups(subject)
    for kinds in _MEANT_TOGETHER:
        used: dict[str, list[str]] = {}
        for what in kinds:
            for name in dict.fromkeys(groups[what]):
                used.setdefault(name, []).append(what)
        for name, found in used.items():
            if len(found) > 1:
                yield name, f"the id of a {' and of a '.join(found)}", "give one of them another id"


@check(
    "scenario.named",
    "warning",
    "The scenario, its forces, formations and whatever else has a name are called something",
)
def check_named(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield what has an empty name."""
    document = subject.document
    named = [("title", "the scenario", document.title)]
    named += [(force.id, "the force", force.name) for force in document.forces]
    named += [(place, "the formation", formation.name) for place, formation in subject.formations()]
    for what, records in (
        ("events", document.events),
        ("pools", document.pools),
        ("tables", document.tables),
        ("periods", document.periods),
        ("variants", document.variants),
        ("roster", document.roster),
    ):
        named += [(f"{what}/{one.id}", f"{what}/{one.id}", one.name) for one in records]
    for at, what, name in named:
        if not name.strip():
            yield at, f"{what} has no name", "name it as players call it"


@check("scenario.same_name", "warning", "No two forces, and no two formations of a force, have one name")
def check_same_name(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the names that players cannot tell apart."""
    forces: dict[str, list[str]] = {}
    for force in subject.document.forces:
        forces.setdefault(force.name, []).append(force.id)
        formations: dict[str, list[str]] = {}
        for formation in force.formations:
            formations.setdefault(formation.name, []).append(formation.id)
        for name, ids in formations.items():
            if name.strip() and len(ids) > 1:
                yield f"{force.id}/{ids[1]}", f"{listed(ids)} are all called {name!r}", "name them apart"
    for name, ids in forces.items():
        if name.strip() and len(ids) > 1:
            yield ids[1], f"{listed(ids)} are all called {name!r}", "name them apart"
