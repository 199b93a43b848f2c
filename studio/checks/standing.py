"""Checks of units: whether they can stand where they are placed, and face what they face."""

from __future__ import annotations

from collections.abc import Iterator

from studio.checks.finding import Fault, Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.rules.standing import Standing, facing_fault, stacking_fault, terrain_fault

__all__ = ["check_facing", "check_stacking"]


@check("scenario.stacking", "error", "Units that have a place keep to the stacking limit and to terrain they can enter")
def check_stacking(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Find units where they cannot be, and too many of a side in one place."""
    standing = Standing(subject.document, subject.survey, subject.ruleset, subject.ground)
    for place, _, unit in subject.units():
        number = standing.number(unit.at) if unit.at else None
        kind = subject.roster.get(unit.type)
        if number is not None and kind is not None:
            fault = terrain_fault(subject.ruleset, kind, subject.survey, number)
            if fault:
                remedy = "place it elsewhere, or lead a road there"
                yield Fault(place, f"{unit.at}: {fault}", remedy, subject.point(number))
    hexes, limit = subject.survey.grid.cells, subject.ruleset.catalogue.stacking
    for side, number, count in standing.over():
        fault = stacking_fault(count, limit, side, hexes=number < hexes)
        where = "hex" if number < hexes else "location"
        yield Fault(subject.called(number), fault, f"move some to another {where}", subject.point(number))


@check("scenario.facing", "error", "Units that face a hexside can, and the map has such hexsides")
def check_facing(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Find units that face what they cannot."""
    for place, _, unit in subject.units():
        fault = facing_fault(
            subject.ruleset, subject.roster.get(unit.type), unit.facing, subject.survey.grid.orientation
        )
        if fault:
            yield place, f"facing {unit.facing}: {fault}", "name a side of its hex, or leave `facing` out"
