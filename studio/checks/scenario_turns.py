"""Checks of the schedule of a scenario: what happens in a turn happens before the end, and the game has an end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from studio.checks.finding import Yielded, check
from studio.checks.scenario_subject import ScenarioSubject
from studio.model import Trigger

__all__ = ["check_arrival", "check_end", "check_periods", "check_turn_names", "check_turns"]


@check("scenario.arrival", "error", "Reinforcements arrive before the end")
def check_arrival(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the formations that come too late."""
    last, unit = subject.last_turn, subject.document.length_unit
    for place, formation in subject.formations():
        if formation.arrival == "enter" and last and formation.arrival_turn > last:
            message = f"arrives in {unit} {formation.arrival_turn} of {last}"
            yield place, message, "let it arrive earlier, or lengthen the scenario"


class _Window(NamedTuple):
    """Turns between which something can be; 0 for no limit."""

    at: str
    first: int
    last: int


@check(
    "scenario.turns",
    "error",
    "Events, support, tables, triggers and periods lie within the length, first turn before last",
)
def check_turns(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the windows that close before they open, and the turns after the end."""
    unit, end = subject.document.length_unit, subject.last_turn
    for at, first, last in _windows(subject):
        if last and first > last:
            yield at, f"from {unit} {first} to {unit} {last}", "exchange the two, or leave one out"
        for turn in dict.fromkeys((first, last)):
            if end and turn > end:
                yield at, f"{unit} {turn} of {end}", "name an earlier one, or lengthen the scenario"
    for event in subject.document.events:
        if event.last_turn > event.turn and not event.every:
            yield f"events/{event.id}", f"happens again every 0 {unit}s", "give `every` 1 or more"
        if not event.turn and event.last_turn and event.when is None:
            yield f"events/{event.id}", "a last turn, and no first one", f"name the {unit} in which it first happens"
    for place, trigger in subject.triggers():
        yield from _trigger_faults(subject, place, trigger)


def _windows(subject: ScenarioSubject) -> Iterator[_Window]:
    document = subject.document
    for event in document.events:
        yield _Window(f"events/{event.id}", event.turn, event.last_turn)
    for support in document.support:
        yield _Window(f"support/{support.id}", support.first_turn, support.last_turn)
    for marker in document.cup:
        yield _Window(f"cup/{marker.id}", marker.after, 0)
    for period in document.periods:
        yield _Window(f"periods/{period.id}", period.first_turn, period.last_turn)
    for table in document.tables:
        yield from (_Window(f"tables/{table.id}", row.first_turn, row.last_turn) for row in table.rows)
    for place, trigger in subject.triggers():
        yield _Window(place, trigger.first_turn, trigger.last_turn)


def _trigger_faults(subject: ScenarioSubject, place: str, trigger: Trigger) -> Iterator[Yielded]:
    unit, end, turn = subject.document.length_unit, subject.last_turn, trigger.automatic_turn
    if end and turn > end:
        message = f"happens by itself in {unit} {turn} of {end}"
        yield place, message, "name an earlier one, or 0 for never"
    if turn and trigger.first_turn > turn:
        message = f"happens by itself in {unit} {turn}, before the first in which it can, {trigger.first_turn}"
        yield place, message, "name a later one for `automatic_turn`"
    if end and trigger.delay >= end:
        message = f"{trigger.delay} {unit}s after its trigger, in a game of {end}"
        yield place, message, "make the delay shorter"


@check("scenario.end", "error", "A game without a last turn is ended by a clause, or by a victory that counts at once")
def check_end(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the fault of a game that never ends."""
    document = subject.document
    at_once = document.victory is not None and any(one.immediate for one in document.victory.results)
    if not document.length and not document.ends and not at_once:
        yield "length", "no last turn, and nothing else ends the game", "name clauses in `ends`, or give a length"


@check("scenario.turn_names", "error", "There are as many names of turns as turns")
def check_turn_names(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the fault of names that are too few or too many."""
    names, document = subject.document.turn_names, subject.document
    if names and document.length and len(names) not in {document.length, subject.last_turn}:
        message = f"{len(names)} names for {document.length} {document.length_unit}s"
        yield "turn_names", message, "name each of them, or none"


@check("scenario.periods", "warning", "No two periods of light overlap")
def check_periods(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the periods that say of one turn that it is day and night."""
    lit = sorted((one for one in subject.document.periods if one.light), key=lambda one: (one.first_turn, one.id))
    for one, following in pairwise(lit):
        if following.first_turn <= one.last_turn and following.light != one.light:
            message = f"{following.light} from {following.first_turn}, and {one.id} is {one.light} to {one.last_turn}"
            yield f"periods/{following.id}", message, "let the one end before the other begins"
