"""The check of room: all units can be set up, whatever else sets up in the same hexes."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.errors import StudioError
from studio.rules.areas import depends_on_units
from studio.rules.setting_up import SetUpAnswer, set_up_answer

__all__ = ["check_area_holds"]

_FORCES = 60
"""Most forces of which it is asked whether all of them fit together; no game has more."""

_TANGLED = 500  # units with areas that go by where others are; each of them alone asks about all others

_ASKED_ALONE = 40
"""Formations of which each is asked about alone, where they do not all fit; of more, those that are named alone."""


@check(
    "scenario.area_holds", "error", "All units can set up: by stacking, terrain, distances, and what else sets up there"
)
def check_area_holds(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield formations that do not fit where they set up, alone or together with the others."""
    if len(subject.forces) > _FORCES or _tangled(subject) > _TANGLED:
        yield from _crowded(subject)
        return
    whole = _asked(subject)
    if whole is None or whole.possible is not False:
        return  # all fit; or an area is faulty, which another check says; or nobody knows
    formations = [(place, formation.id) for place, formation in subject.formations()]
    if len(formations) > _ASKED_ALONE:
        named = {subject.formation_of.get(unit) for unit in whole.units}
        formations = [(place, name) for place, name in formations if name in named]
    alone = False
    for place, name in formations:
        answer = _asked(subject, name)
        if answer is not None and answer.possible is False:
            alone = True
            yield (
                _at(subject, place, answer),
                answer.reason,
                "widen its area, choose other terrain, or set fewer units up",
            )
    if not alone:
        last = subject.formation_of.get(whole.units[-1], "") if whole.units else ""
        place = f"{subject.side_of[last]}/{last}" if last in subject.formations_by_id else "forces"
        yield f"{place}/where", whole.reason, "widen the areas, move them apart, or set fewer units up"


def _tangled(subject: ScenarioSubject) -> int:
    """Return how many records of units have an area of their own that goes by where others are."""
    return sum(unit.where is not None and depends_on_units(unit.where) for _, _, unit in subject.units())


def _crowded(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the formations with more units than their hexes hold, each taken alone."""
    limit = subject.ruleset.catalogue.stacking
    for place, formation in subject.formations():
        area = subject.area(formation)
        if formation.arrival != "set_up" or not area or not limit or formation.loaded:
            continue
        kinds = ((unit, subject.roster.get(unit.type)) for unit in formation.units if not unit.at)
        own = [unit.count for unit, kind in kinds if kind is not None and subject.rules.stacks(kind)]
        if sum(own) > limit * len(area):
            message = f"{sum(own)} units in {len(area)} hexes; the stacking limit is {limit} a hex"
            yield f"{place}/where", message, "widen its area, or set fewer units up"


def _asked(subject: ScenarioSubject, formation: str = "") -> SetUpAnswer | None:
    try:
        return set_up_answer(
            subject.document, subject.survey, subject.ruleset, formation=formation, ground=subject.ground
        )
    except StudioError:
        return None


def _at(subject: ScenarioSubject, place: str, answer: SetUpAnswer) -> str:
    """Return the place of the fault: one unit among several, or the area of them all."""
    formation = subject.formations_by_id[place.rpartition("/")[2]]
    if len(answer.units) == 1 and len(formation.units) > 1:
        return f"{place}/{answer.units[0]}"
    return f"{place}/where"
