"""What chance decides: cups that units and markers are drawn from, and random tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from studio.model.features import Identifier, Text
from studio.model.schedule import Dice, Trigger, Turn
from studio.model.setup import SetUp

if TYPE_CHECKING:
    from studio.model.documents import ScenarioDocument

__all__ = ["DrawPool", "Lot", "RandomTable", "TableRow", "lots_by_id", "lots_of"]


class Lot(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Lots of one kind in a cup, or units that a table brings.

    Parameters
    ----------
    type : str
        Type in the roster of the game; empty for a blank.
    count : int
        How many; 0 where the source does not say it.
    id : str
        So that objectives and clauses can refer to it, as to a unit; empty where none do.
    name : str
        What it is called, where the type does not say it.
    figures : dict of str to int
        What is printed on it, such as ``combat_factor``.
    beside : tuple of str
        Types that come along, such as the machine gun of a fighter.
    choose : tuple of str
        Types of which the owner chooses one that comes along.
    text : str
    """

    type: str = ""
    count: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 1
    id: str = ""
    name: Text = ""
    figures: dict[Identifier, Annotated[int, msgspec.Meta(ge=0, le=1000)]] = {}
    beside: tuple[str, ...] = ()
    choose: tuple[str, ...] = ()
    text: Text = ""


class DrawPool(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A cup: lots of which some are drawn, or are assigned in secret.

    Parameters
    ----------
    id : str
    name : str
    side : str
        Id of the force whose it is.
    lots : tuple of Lot
    draws : int
        How many are drawn; as many as there are places when 0.
    for_units : tuple of str
        Ids of units (such as contact markers) under which, or for which, one lot each is drawn.
    places : tuple of str
        Labels of places that get one lot each.
    where : SetUp or None
        Where what is drawn may be placed otherwise.
    how : {"drawn", "chosen"}
        Drawn by chance, or chosen and noted down in secret by the side.
    when : {"set_up", "revealed", "event"}
        Before the first turn; when the marker is revealed; when an event says so.
    returns : bool
        What is drawn goes back into the cup.
    text : str
    """

    id: Identifier
    name: Text
    side: str = ""
    lots: tuple[Lot, ...] = ()
    draws: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    for_units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    where: SetUp | None = None
    how: Literal["drawn", "chosen"] = "drawn"
    when: Literal["set_up", "revealed", "event"] = "revealed"
    returns: bool = False
    text: Text = ""


class TableRow(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A row of a random table.

    Parameters
    ----------
    rolls : tuple of int
        Results that it stands for; of two dice that are read one after the other, such as 11 to 66.
    name : str
    units : tuple of Lot
        What it brings.
    gives : dict of str to str
        What the side receives, with a number or dice.
    once : bool
        Once a game; no event after that.
    first_turn, last_turn : int
        Turns in which it counts; 0 for no limit.
    text : str
    """

    rolls: Annotated[tuple[int, ...], msgspec.Meta(min_length=1)]
    name: Text = ""
    units: tuple[Lot, ...] = ()
    gives: dict[Identifier, Dice] = {}
    once: bool = False
    first_turn: Turn = 0
    last_turn: Turn = 0
    text: Text = ""


class RandomTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A table that dice are rolled on.

    Parameters
    ----------
    id : str
    name : str
    side : str
        Id of the force that rolls; of both when empty.
    dice : str
        Such as ``1D6``; ``2D6`` that are read one after the other are ``D66``.
    rows : tuple of TableRow
    when : Trigger or None
        When it is rolled on.
    limit : int
        How often it counts at most; 0 for no limit.
    where : SetUp or None
        Where units that it brings enter.
    text : str
    """

    id: Identifier
    name: Text
    side: str = ""
    dice: Dice
    rows: tuple[TableRow, ...] = ()
    when: Trigger | None = None
    limit: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    where: SetUp | None = None
    text: Text = ""


def lots_of(document: ScenarioDocument) -> list[Lot]:
    """Return all lots of the cups and tables of a scenario: units once they are drawn."""
    lots = [lot for pool in document.pools for lot in pool.lots]
    return lots + [lot for table in document.tables for row in table.rows for lot in row.units]


def lots_by_id(document: ScenarioDocument) -> dict[str, Lot]:
    """Return the lots that objectives and conditions can refer to, by id."""
    return {lot.id: lot for lot in lots_of(document) if lot.id}
