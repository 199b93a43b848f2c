"""The order of battle of a scenario: forces, their formations and units, and how these arrive."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model.features import Identifier, Text
from studio.model.schedule import Trigger
from studio.model.setup import SetUp

__all__ = ["Facing", "Force", "Formation", "Quality", "Rating", "Restraint", "UnitRecord", "UnitStatus"]


UnitStatus = Literal[
    "hidden",
    "covert",
    "reduced",
    "immobilised",
    "wreck",
    "shaken",
    "broken",
    "suppressed",
    "pinned",
    "detached",
    "ladder",
]
"""What can hold for units at the start of a scenario."""


Quality = Literal["", "elite", "veteran", "recruit", "poor"]
"""Quality of troops, where it is not that of the roster."""

Rating = str | Annotated[int, msgspec.Meta(ge=-10_000, le=10_000)]
"""What a game gives a side or a group of units for a scenario: a number, or dice such as ``3D6+1``."""


Facing = Literal["", "N", "NE", "E", "SE", "S", "SW", "W", "NW"]
"""Directions of hexsides, north being the top of the map; which there are goes by the grid."""


class UnitRecord(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units of one type, or support weapons and markers, in a formation.

    Parameters
    ----------
    id : str
        Unique in the scenario.
    type : str
        Type in the roster of the game (or in ``roster`` of the scenario).
    count : int
        How many counters, at least 1.
    at : str
        Label where they stand at the start; empty when the player places them.
    carried_by : str
        Id of the unit that carries them, or that uses the support weapon.
    quality : {"", "elite", "veteran", "recruit", "poor"}
        Where it is not that of the roster.
    status : tuple of str
        What else holds for them at the start, such as ``hidden`` or ``reduced``.
    facing : {"", "N", "NE", "E", "SE", "S", "SW", "W", "NW"}
        Hexside that they face, in games whose units face one.
    figures : dict of str to int
        What is printed on the counter or card and the roster does not have, such as ``movement`` or ``command_range``.
    name : str
        Name of its own, such as that of a leader; empty where the type names it.
    where : SetUp or None
        Where they may be placed, if not where their formation is.
    notes : str
    """

    id: Identifier
    type: Identifier
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    at: str = ""
    carried_by: str = ""
    quality: Quality = ""
    status: tuple[UnitStatus, ...] = ()
    facing: Facing = ""
    figures: dict[Identifier, Annotated[int, msgspec.Meta(ge=0, le=1000)]] = {}
    name: Text = ""
    where: SetUp | None = None
    notes: Text = ""


class Restraint(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where units must stay, or what they may not do, and until when.

    Parameters
    ----------
    stay : SetUp or None
        Where they must stay; None where they may only not do something.
    forbidden : tuple of {"move", "fire", "exit", "enter"}
        What they may not do; ``enter`` is for the hexes of ``stay``, which are closed to them then.
    units : tuple of str
        Ids of the units that it is for; the whole formation when empty.
    against : tuple of str
        Ids of the forces or formations that they may not fire on, or move up to; of everybody when empty.
    until : Trigger or None
        What releases them; None for the whole game.
    text : str
    """

    stay: SetUp | None = None
    forbidden: tuple[Literal["move", "fire", "exit", "enter"], ...] = ()
    units: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    until: Trigger | None = None
    text: Text = ""


class Formation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A formation: units that act together.

    Parameters
    ----------
    id : str
    name : str
    units : tuple of UnitRecord
    activation_markers : int
        How many of its markers go into the cup.
    arrival : {"set_up", "enter", "pool"}
        On the map at the start; entering during play; or waiting in a pool from which it is bought, drawn or rebuilt.
    arrival_turn : int
        First turn or activation of the entry, 1 at the earliest.
    when : Trigger or None
        What lets it enter, where it is not the turn alone.
    where : SetUp
        Where it sets up or enters.
    loaded : {"", "may", "must"}
        Whether it sets up or enters in its transports.
    hidden : int
        So many of its units, as the player chooses, set up hidden.
    quality : {"", "elite", "veteran", "recruit", "poor"}
        Of all its units, where it is not that of the roster.
    nation : str
        Nation or organization, where a side has several.
    part_of : str
        Id of the formation that this is a group of, which arrives otherwise: it acts by the markers of that one, whose
        printed totals count it where it has none of its own.
    choice : str
        Of the formations of a side with the same word here only one enters, as the player chooses.
    set_up_order : int
        Place in the order of set-up of all formations; 0 for that of its force.
    ratings : dict of str to str or int
        Ratings that the game gives it for the scenario, such as ``{"morale_check": 8}``.
    restraints : tuple of Restraint
    leaves : SetUp or None
        Where it may leave the map; None where nothing is said.
    printed_units, printed_points : int or None
        Totals as printed in the source, to compare with.
    notes : str
    """

    id: Identifier
    name: Text
    units: tuple[UnitRecord, ...] = ()
    activation_markers: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1
    arrival: Literal["set_up", "enter", "pool"] = "set_up"
    arrival_turn: Annotated[int, msgspec.Meta(ge=1)] = 1
    when: Trigger | None = None
    where: SetUp = SetUp()
    loaded: Literal["", "may", "must"] = ""
    hidden: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    quality: Quality = ""
    nation: Text = ""
    part_of: str = ""
    choice: str = ""
    set_up_order: Annotated[int, msgspec.Meta(ge=0)] = 0
    ratings: dict[Identifier, Rating] = {}
    restraints: tuple[Restraint, ...] = ()
    leaves: SetUp | None = None
    printed_units: int | None = None
    printed_points: int | None = None
    notes: Text = ""


class Force(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a scenario and its order of battle.

    Parameters
    ----------
    id : str
    name : str
    formations : tuple of Formation
    set_up_order : int
        Sides set up one after another, 1 first.
    color : str
        Colour of its counters, such as ``#0072b2``; chosen by its place among the forces when empty.
    team : str
        Forces with the same word here are on one side: they are no enemies, and their points count together.
    played_by : str
        Who plays it: id of another force, ``opponent``, ``rules`` (nobody: it acts by rules); its own player when
        empty.
    ratings : dict of str to str or int
        Ratings that the game gives it for the scenario, such as ``{"impulse": "3D6", "break_contact": 10}``.
    notes : str
    """

    id: Identifier
    name: Text
    formations: tuple[Formation, ...] = ()
    set_up_order: Annotated[int, msgspec.Meta(ge=1)] = 1
    color: Annotated[str, msgspec.Meta(pattern="^(#[0-9a-fA-F]{6})?$")] = ""
    team: str = ""
    played_by: str = ""
    ratings: dict[Identifier, Rating] = {}
    notes: Text = ""
