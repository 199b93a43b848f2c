"""Checks of what chance decides: dice, random tables, cups that are drawn from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, product
from typing import NamedTuple

from studio.checks.finding import Yielded, check
from studio.checks.scenario_subject import ScenarioSubject, listed
from studio.model import CupMarker, DrawPool, RandomTable, TableRow

__all__ = ["Roll", "check_cup", "check_dice", "check_pools", "check_table_rows", "check_tables", "roll_of"]

_ROLL = re.compile(
    r"(?:(?P<before>[0-9]{1,4}) ?\+ ?)?(?P<dice>[0-9]{0,3})[dD](?P<sides>[0-9]{1,3})(?: ?(?P<more>[+-] ?[0-9]{1,4}))?"
)
_LIKE_DICE = re.compile(r"[0-9+\- ]*[dD][0-9+\- ]*")
_READ_APART = {66: 2, 666: 3}
"""Sides that no die has: dice of six that are read one after the other."""


class Roll(NamedTuple):
    """What a text of dice says.

    Attributes
    ----------
    dice, sides : int
        How many dice of how many sides; 0 dice for a plain number.
    more : int
        What is added.
    """

    dice: int
    sides: int
    more: int = 0

    @property
    def low(self) -> int:
        """Lowest result."""
        return (11 if self.sides == 66 else 111 if self.sides == 666 else self.dice) + self.more

    @property
    def high(self) -> int:
        """Highest result."""
        return (self.sides if self.sides in _READ_APART else self.dice * self.sides) + self.more

    def results(self) -> set[int]:
        """Return every result that there can be."""
        if self.sides in _READ_APART:
            digits = product("123456", repeat=_READ_APART[self.sides])
            return {int("".join(one)) + self.more for one in digits}
        return set(range(self.low, self.high + 1))


def roll_of(text: str) -> Roll | None:
    """Return what a text of dice says, None where it is no such text, or of no dice that there are.

    Examples
    --------
    >>> roll_of("3D6+1"), roll_of("8+1D6"), roll_of("5"), roll_of("0D6"), roll_of("high")
    (Roll(dice=3, sides=6, more=1), Roll(dice=1, sides=6, more=8), Roll(dice=0, sides=0, more=5), None, None)
    >>> len(roll_of("D66").results()), roll_of("D66").high
    (36, 66)
    """
    if re.fullmatch(r"-?[0-9]{1,9}", text):
        return Roll(0, 0, int(text))
    found = _ROLL.fullmatch(text)
    if found is None:
        return None
    dice, sides = int(found["dice"] or 1), int(found["sides"])
    if not dice or sides < 2 or (sides in _READ_APART and dice != 1):
        return None
    return Roll(dice, sides, int(found["before"] or 0) + int((found["more"] or "0").replace(" ", "")))


@check("scenario.dice", "error", "Dice are dice that there are, and can give the result that is asked for")
def check_dice(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the texts of dice that are none, and triggers that no roll ever reaches."""
    for at, text in _dice(subject):
        if text and roll_of(text) is None:
            yield at, f"{text!r} are no dice", "write them like 2D6, 1D6+3 or 8+1D6"
    for place, trigger in subject.triggers():
        roll = roll_of(trigger.dice)
        if roll is not None and trigger.least > roll.high:
            yield place, f"{trigger.dice} for {trigger.least} or more: at most {roll.high}", "ask for less"


def _dice(subject: ScenarioSubject) -> Iterator[tuple[str, str]]:
    document = subject.document
    yield from ((place, trigger.dice) for place, trigger in subject.triggers())
    yield from ((f"tables/{table.id}", table.dice) for table in document.tables)
    gifts: list[tuple[str, Mapping[str, str]]] = [(f"events/{event.id}", event.gives) for event in document.events]
    gifts += [(f"tables/{table.id}", row.gives) for table in document.tables for row in table.rows]
    yield from ((at, text) for at, given in gifts for text in given.values())
    ratings = [("ratings", document.ratings)]
    ratings += [(force.id, force.ratings) for force in document.forces]
    ratings += [(place, formation.ratings) for place, formation in subject.formations()]
    for at, rated in ratings:
        yield from ((at, text) for text in rated.values() if isinstance(text, str) and _LIKE_DICE.fullmatch(text))


# -- tables ------------------------------------------------------------------------------------------------------------


@check(
    "scenario.tables", "error", "A row of a table stands for results that the dice can give, and no result for two rows"
)
def check_tables(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the rows of tables that are never rolled, results of two rows, and results that a trigger misses."""
    for table in subject.document.tables:
        roll = roll_of(table.dice)
        yield from _row_faults(table, roll.results() if roll is not None and roll.dice else None)
    rolls = {table.id: {roll for row in table.rows for roll in row.rolls} for table in subject.document.tables}
    for place, trigger in subject.triggers():
        if trigger.kind == "table" and trigger.of in rolls:
            lost = [result for result in trigger.results if result not in rolls[trigger.of]]
            if lost:
                yield (
                    place,
                    f"the table {trigger.of} has no row for {listed(map(str, lost))}",
                    "name results of its rows",
                )


@check("scenario.table_rows", "warning", "Every result of the dice of a table has a row")
def check_table_rows(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield tables whose dice give results that no row is for."""
    for table in subject.document.tables:
        roll = roll_of(table.dice)
        if roll is None or not roll.dice or not table.rows:
            continue
        results = roll.results()
        if results is None:
            continue
        lost = sorted(results - {result for row in table.rows for result in row.rolls})
        if lost:
            shown = listed(map(str, lost))
            yield f"tables/{table.id}", f"no row for {shown} of {table.dice}", "add a row, such as one of no effect"


def _row_faults(table: RandomTable, possible: set[int] | None) -> Iterator[Yielded]:
    at = f"tables/{table.id}"
    rows: dict[int, list[TableRow]] = {}
    for row in table.rows:
        for result in row.rolls:
            rows.setdefault(result, []).append(row)
    never = sorted(result for result in rows if possible is not None and result not in possible)
    if never:
        yield at, f"{table.dice} never gives {listed(map(str, never))}", "change the row, or the dice"
    for result, found in rows.items():
        if any(_together(one, other) for one, other in pairwise(found)):
            yield at, f"{len(found)} rows for the result {result}", "leave it to one of them, or give them other turns"


def _together(one: TableRow, other: TableRow) -> bool:
    """Tell whether two rows count in the same turn."""
    last = min(row.last_turn or 10**9 for row in (one, other))
    return max(one.first_turn, other.first_turn) <= last


# -- cups --------------------------------------------------------------------------------------------------------------


@check("scenario.pools", "error", "A cup has lots for every draw from it")
def check_pools(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the cups that run out: more is drawn at once, or assigned, than there are lots."""
    units = subject.units_by_id
    for pool in subject.document.pools:
        lots = sum(lot.count for lot in pool.lots)
        places = len(pool.places) + sum(units[name].count for name in pool.for_units if name in units)
        draws = pool.draws or places
        if not lots:
            yield f"pools/{pool.id}", "a cup without lots", "say in `lots` what is in it"
        elif draws > lots and not pool.returns:
            yield f"pools/{pool.id}", f"{draws} are drawn of {lots} lots", "add lots (blanks, too), or draw fewer"
        for name, count in Counter(pool.places).items():
            if count > 1:
                yield f"pools/{pool.id}", f"{name} is named {count} times", "name each place once"
        yield from _too_many(subject, pool)


def _too_many(subject: ScenarioSubject, pool: DrawPool) -> Iterator[Yielded]:
    used: Counter[str] = Counter()
    for lot in pool.lots:
        used[lot.type] += lot.count
    for name, count in used.items():
        kind = subject.roster.get(name)
        if kind is not None and kind.quantity and count > kind.quantity:
            yield f"pools/{pool.id}", f"{count} of {name}, the game has {kind.quantity}", "put fewer in"


@check(
    "scenario.cup",
    "warning",
    "Every formation with units can be activated by a marker in the cup (2.01)",
    game="armageddon_war",
)
def check_cup(subject: ScenarioSubject) -> Iterator[Yielded]:
    """Yield the formations that never act because the cup holds no marker of theirs."""
    if subject.ruleset.id != "armageddon_war":
        return
    marked = {marker.formation for marker in subject.document.cup}
    of_sides = _sides_of_markers(subject.document.cup)
    for place, formation in subject.formations():
        fighting = any(subject.fights(unit) for unit in formation.units)
        if not fighting or formation.activation_markers or formation.id in marked or formation.part_of:
            continue
        if place.partition("/")[0] not in of_sides:
            yield place, "no marker of it goes into the cup", "give it `activation_markers`, or a marker in `cup`"


def _sides_of_markers(cup: Iterable[CupMarker]) -> set[str]:
    """Return the sides with a marker that is for no formation of its own: it can activate any of theirs."""
    return {one.side for one in cup if one.side and not one.formation and not one.support}
