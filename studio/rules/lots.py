"""What chance decides in a scenario: dice, cups that lots are drawn from, and random tables; the same for a seed."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import NamedTuple

from studio.errors import ScenarioRuleError
from studio.model import DrawPool, Lot, RandomTable, ScenarioDocument, TableRow

__all__ = ["Draw", "Roll", "draw_lots", "lucky", "roll_dice", "roll_table"]

_DICE = re.compile(r"(?:(-?\d+) ?\+ ?)?(\d*)[dD](\d+)(?: ?([+-]) ?(\d+))?")
_READ_APART = {"66": 6, "88": 8, "00": 10}
"""Two dice that are read one after the other, by what their sides are written as."""


class Draw(NamedTuple):
    """What was drawn from a cup.

    Attributes
    ----------
    pool : str
        Id of the cup.
    drawn : tuple of (str, Lot)
        Each lot with the unit or place that it is for, empty where it is for none; each of one piece.
    left : tuple of Lot
        What the cup holds afterwards.
    """

    pool: str
    drawn: tuple[tuple[str, Lot], ...]
    left: tuple[Lot, ...]


class Roll(NamedTuple):
    """What was rolled on a table.

    Attributes
    ----------
    table : str
        Id of the table.
    dice : int
        Result of the dice.
    row : TableRow or None
        Row that it stands for; None where no row counts then.
    gives : dict of str to int
        What the side receives, with its own dice rolled.
    """

    table: str
    dice: int
    row: TableRow | None
    gives: dict[str, int]

    def __str__(self) -> str:
        if self.row is None:
            return f"{self.table}: {self.dice}, nothing happens"
        row = self.row
        brings = [f"{lot.count} x {lot.type or lot.name}" for lot in row.units]
        brings += [f"{name.replace('_', ' ')} {number}" for name, number in self.gives.items()]
        said = [part for part in (row.name, ", ".join(brings), row.text) if part]
        return f"{self.table}: {self.dice}" + (f", {'; '.join(said)}" if said else "")


def lucky(seed: int | str, what: str) -> random.Random:
    """Return the source of chance for something: the same for a seed, whatever else is drawn.

    Examples
    --------
    >>> lucky(7, "cup").random() == lucky(7, "cup").random()
    True
    """
    return random.Random(f"{seed} {what}")


def roll_dice(dice: str, rng: random.Random) -> int:
    """Return the result of dice such as ``2D6``, ``1D6+3``, ``8+1D6`` or ``D66``, or of a plain number.

    Raises
    ------
    ScenarioRuleError
        When the text says no dice.

    Examples
    --------
    >>> roll_dice("4", lucky(1, "dice"))
    4
    """
    text = dice.strip()
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    match = _DICE.fullmatch(text)
    if match is None or (not int(match[3]) and match[3] not in _READ_APART):
        msg = f"dice {dice!r}; allowed: a number, or dice such as 2D6, 1D6+3, 8+1D6 or D66"
        raise ScenarioRuleError(msg)
    before, number, sides, sign, after = match.groups()
    if sides in _READ_APART and not number:
        tens, ones = (rng.randint(1, _READ_APART[sides]) for _ in range(2))
        total = 10 * tens + ones
    else:
        total = sum(rng.randint(1, int(sides)) for _ in range(int(number or 1)))
    return total + int(before or 0) + int(after or 0) * (-1 if sign == "-" else 1)


def draw_lots(document: ScenarioDocument, pool: DrawPool, rng: random.Random, number: int = 0) -> Draw:
    """Draw from a cup: one lot for each of its units and places, or as many as it says.

    What the side chooses in secret is chosen by chance here. From a cup that lots go back into each is drawn from all.

    Parameters
    ----------
    document : ScenarioDocument
        Says how many counters the units are.
    pool : DrawPool
    rng : random.Random
    number : int
        How many to draw; as the cup says when 0.

    Raises
    ------
    ScenarioRuleError
        When the cup holds too few lots.
    """
    counts = {unit.id: unit.count for force in document.forces for part in force.formations for unit in part.units}
    places = [unit for unit in pool.for_units for _ in range(counts.get(unit, 1))] + list(pool.places)
    wanted = number or pool.draws or len(places)
    lots = [index for index, lot in enumerate(pool.lots) for _ in range(lot.count)]
    if wanted > len(lots) and not (pool.returns and lots):
        msg = f"pool {pool.id}: {wanted} lots to draw, and it holds {len(lots)}; add lots or draw fewer"
        raise ScenarioRuleError(msg)
    chosen = [rng.choice(lots) for _ in range(wanted)] if pool.returns else rng.sample(lots, wanted)
    gone = Counter() if pool.returns else Counter(chosen)
    left = [(lot, lot.count - gone[index]) for index, lot in enumerate(pool.lots)]
    places += [""] * (wanted - len(places))
    return Draw(
        pool.id,
        tuple((place, _of(pool.lots[index], 1)) for place, index in zip(places, chosen, strict=False)),
        tuple(_of(lot, count) for lot, count in left if count),
    )


def _of(lot: Lot, count: int) -> Lot:
    from msgspec.structs import replace

    return replace(lot, count=count)


def roll_table(table: RandomTable, rng: random.Random, turn: int = 0) -> Roll:
    """Roll on a table.

    Parameters
    ----------
    table : RandomTable
    rng : random.Random
    turn : int
        Rows that do not count in this turn are passed over; all of them count when 0.

    Raises
    ------
    ScenarioRuleError
        When the table has no dice.
    """
    result = roll_dice(table.dice, rng)
    for row in table.rows:
        early, late = turn and turn < row.first_turn, turn and row.last_turn and turn > row.last_turn
        if result in row.rolls and not early and not late:
            return Roll(table.id, result, row, {name: roll_dice(dice, rng) for name, dice in row.gives.items()})
    return Roll(table.id, result, None, {})
