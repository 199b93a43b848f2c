"""Checks of carriers: passengers ride in what can carry them, and there is room; support weapons are in good hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.checks.finding import Yielded, check
from studio.checks.scenario_circles import circles_in
from studio.checks.scenario_subject import ScenarioSubject, listed
from studio.model import UnitRecord
from studio.rules.roster import figure_of

__all__ = ["check_carriers", "check_carriers_room"]


@check(
    "scenario.carriers",
    "error",
    "Passengers ride in transports of their side, not in a circle; support weapons belong to units that can use them",
)
def check_carriers(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield units that ride where they cannot, and support weapons in the wrong hands."""
    places = {unit.id: place for place, _, unit in subject.units()}
    in_circles = set()
    for circle in _circles(subject):
        in_circles |= set(circle)
        if len(circle) == 1:
            yield places[circle[0]], "a unit that carries itself", "name another unit"
        else:
            message = f"units that carry each other in a circle: {listed(circle)}"
            yield places[circle[0]], message, "let one of them stand alone"
    for place, _, unit in subject.units():
        carrier = subject.units_by_id.get(unit.carried_by)
        if carrier is None or unit.id in in_circles:
            continue
        side, other = subject.side_of[unit.id], subject.side_of[carrier.id]
        if subject.enemies(side, other):
            message = f"carried by {carrier.id}, which is of {other}, not of {side}"
            yield place, message, "name a unit of its own side"
            continue
        fault = _fault(subject, unit, carrier)
        if fault:
            yield place, fault, "name another unit that can"


def _circles(subject: ScenarioSubject) -> Iterator[list[str]]:
    """Yield units that carry each other in a circle, the first of them by id first."""
    links = {("unit", one.id): [("unit", one.carried_by)] for one in subject.units_by_id.values() if one.carried_by}
    for circle in circles_in(links):
        names = [name for _, name in circle]
        first = names.index(min(names))
        yield names[first:] + names[:first]


def _fault(subject: ScenarioSubject, unit: UnitRecord, carrier: UnitRecord) -> str:
    """Return why a unit cannot carry another one, or use a support weapon; empty where it can."""
    kind, carrying = subject.roster.get(unit.type), subject.roster.get(carrier.type)
    if kind is None or carrying is None:
        return ""
    if kind.kind == "infantry" and not carrying.transport and not _attached(subject, kind, carrying):
        return f"{carrier.type} carries no infantry"
    if kind.kind == "support_weapon" and kind.used_by and kind.used_by != carrying.kind:
        return f"{unit.type} is for {kind.used_by} units, {carrier.type} is {carrying.kind}"
    return ""


def _attached(subject: ScenarioSubject, kind: Any, carrying: Any) -> bool:
    """Tell whether a game attaches such a unit to such another one, as Leaders of Modern Tactics are to squads."""
    attaches = getattr(subject.rules, "attaches", None)
    return attaches is not None and bool(attaches(kind, carrying))


@check(
    "scenario.carriers_room", "error", "Transports have room for those who ride in them, where the game says how much"
)
def check_carriers_room(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the transports with more aboard than they can carry."""
    aboard: dict[str, list[UnitRecord]] = {}
    for _, _, unit in subject.units():
        if unit.carried_by in subject.units_by_id:
            aboard.setdefault(unit.carried_by, []).append(unit)
    for place, _, unit in subject.units():
        riders = aboard.get(unit.id, [])
        room = _room(subject, unit) if riders else None
        if room is None:
            continue
        loads = [_load(subject, rider) for rider in riders]
        total = sum(load for load in loads if load is not None)
        if total > room:
            message = f"room for {room}, and {total} aboard: {listed(rider.id for rider in riders)}"
            yield place, message, "let some ride in another transport, or on foot"


def _room(subject: ScenarioSubject, unit: UnitRecord) -> int | None:
    """Return how much the transports of a record carry, None where the game or the counter does not say."""
    kind = subject.roster.get(unit.type)
    each = unit.figures.get("capacity") or figure_of(kind, "capacity")
    if not each and kind is not None and kind.transport:
        each = getattr(subject.rules, "CARRIES", None)
    return each * unit.count if each else None


def _load(subject: ScenarioSubject, unit: UnitRecord) -> int | None:
    """Return how much room the units of a record take, None where nobody says."""
    kind = subject.roster.get(unit.type)
    each = unit.figures.get("load") or figure_of(kind, "load")
    if not each and getattr(subject.rules, "CARRIES", None) and kind is not None:
        each = int(kind.kind == "infantry" and subject.rules.stacks(kind))
    return each * unit.count if each is not None else None
