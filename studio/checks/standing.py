"""Checks of units: whether they can stand where they are placed, face what they face, and ride in what carries them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.checks.finding import Fault, Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.model import UnitRecord
from studio.rules.standing import Standing, facing_fault, stacking_fault, terrain_fault

__all__ = ["check_area_holds", "check_carriers", "check_facing", "check_stacking"]


@check("scenario.area_holds", "error", "A set-up area can hold its units within the stacking limit")
def check_area_holds(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Find formations that do not fit where they set up."""
    limit = subject.ruleset.catalogue.stacking
    for place, formation in subject.formations():
        area = subject.area(formation)
        if formation.arrival != "set_up" or not area or not limit:
            continue
        placing = [
            unit for unit in formation.units if not unit.at and not unit.carried_by and unit.type in subject.roster
        ]
        stacking = [unit for unit in placing if subject.rules.stacks(subject.roster[unit.type])]
        count = sum(unit.count for unit in stacking)
        if count > limit * len(area):
            message = f"{count} units in {len(area)} hex{'es' * (len(area) != 1)}; the stacking limit is {limit} a hex"
            yield f"{place}/where", message, "widen the area, or set fewer units up"
        for unit in placing:
            if not any(subject.rules.can_stand(subject.roster[unit.type], subject.survey, cell) for cell in area):
                message = f"{unit.type} can stand in no hex of its area"
                yield f"{place}/{unit.id}", message, "choose an area with terrain or a road that it can enter"


@check("scenario.stacking", "error", "Units that have a place keep to the stacking limit and to terrain they can enter")
def check_stacking(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Find units where they cannot be, and too many of a side in one place."""
    standing = Standing(subject.document, subject.survey, subject.ruleset)
    for place, _, unit in subject.units():
        number = standing.number(unit.at) if unit.at else None
        kind = subject.roster.get(unit.type)
        if number is not None and kind is not None:
            fault = terrain_fault(subject.ruleset, kind, subject.survey, number)
            if fault:
                remedy = "place it elsewhere, or lead a road there"
                yield Fault(place, f"{unit.at}: {fault}", remedy, _point(subject, number))
    hexes, limit = subject.survey.grid.cells, subject.ruleset.catalogue.stacking
    for side, number, count in standing.over():
        fault = stacking_fault(count, limit, side, hexes=number < hexes)
        where = "hex" if number < hexes else "location"
        label = subject.labels.label(number) if number < hexes else subject.survey.directory.label(number)
        yield Fault(label, fault, f"move some to another {where}", _point(subject, number))


def _point(subject: ScenarioSubject, number: int) -> tuple[int, int]:
    """Return where a location is, so that a finding leads there."""
    if number < subject.survey.grid.cells:
        return subject.survey.grid.centre(number)
    return subject.survey.directory.dot(number)


@check("scenario.facing", "error", "Units that face a hexside can, and the map has such hexsides")
def check_facing(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Find units that face what they cannot."""
    for place, _, unit in subject.units():
        fault = facing_fault(
            subject.ruleset, subject.roster.get(unit.type), unit.facing, subject.survey.grid.orientation
        )
        if fault:
            yield place, f"facing {unit.facing}: {fault}", "name a side of its hex, or leave `facing` out"


@check(
    "scenario.carriers",
    "error",
    "Passengers ride in transports of their side, not in a circle; support weapons belong to units that can use them",
)
def check_carriers(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Find units that ride where they cannot, and support weapons in the wrong hands."""
    units = {unit.id: unit for _, _, unit in subject.units()}
    sides = {unit.id: place.partition("/")[0] for place, _, unit in subject.units()}
    for place, _, unit in subject.units():
        carrier = units.get(unit.carried_by)
        if carrier is None:
            continue
        if carrier.id == unit.id:
            yield place, "a unit that carries itself", "name another unit"
            continue
        if sides[carrier.id] != sides[unit.id]:
            message = f"carried by {carrier.id}, which is of {sides[carrier.id]}, not of {sides[unit.id]}"
            yield place, message, "name a unit of its own side"
            continue
        circle = _circle(unit, units)
        if circle:
            yield place, f"units that carry each other in a circle: {', '.join(circle)}", "let one of them stand alone"
            continue
        kind, carrying = subject.roster.get(unit.type), subject.roster.get(carrier.type)
        if kind is None or carrying is None:
            continue
        if kind.kind == "infantry" and not carrying.transport and not _attached(subject, kind, carrying):
            yield place, f"{carrier.type} carries no infantry", "name a unit that can"
        elif kind.kind == "support_weapon" and kind.used_by and kind.used_by != carrying.kind:
            yield (
                place,
                f"{unit.type} is for {kind.used_by} units, {carrier.type} is {carrying.kind}",
                "name another unit",
            )


def _circle(unit: UnitRecord, units: dict[str, UnitRecord]) -> list[str]:
    """Return the units that carry each other in a circle, told of the first of them by id; empty where none do."""
    seen, at = [unit.id], units.get(unit.carried_by)
    while at is not None and at.id not in seen:
        seen.append(at.id)
        at = units.get(at.carried_by)
    return seen if at is not None and at.id == unit.id == min(seen) else []


def _attached(subject: ScenarioSubject, kind: Any, carrying: Any) -> bool:
    """Tell whether a game attaches such a unit to such another one, as Leaders of Modern Tactics are to squads."""
    attaches = getattr(subject.rules, "attaches", None)
    return attaches is not None and bool(attaches(kind, carrying))
