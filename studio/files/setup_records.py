"""What ``setup.json`` and ``roster.json`` of a bundle hold, as typed records: a scenario with all of it resolved."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model import Trigger

__all__ = [
    "AreaRecord",
    "DistanceRecord",
    "FormationRecord",
    "KindRecord",
    "ObjectiveRecord",
    "PlacedUnitRecord",
    "RestraintRecord",
    "SetUpRecord",
    "SideRecord",
    "TurnRecord",
]

Edge = Literal["north", "east", "south", "west"]
Number = Annotated[int, msgspec.Meta(ge=0)]
AreaNumber = Number
"""Place in ``areas``, counted from 0."""

Rating = str | int


class DistanceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """How far a hex must lie from the nearest of some units, wherever these are when it is chosen.

    Parameters
    ----------
    units : list of str
        Ids of units.
    least : int
        At least so many hexes.
    most : int or null
        At most so many; null for no limit.
    direction : {"", "north", "east", "south", "west"}
        Only on that side of them.
    """

    units: list[str]
    least: Number = 0
    most: Number | None = None
    direction: Literal["", "north", "east", "south", "west"] = ""


class AreaRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where units may be placed, enter, stay or leave: labels, in the order of ``locations.json``.

    Parameters
    ----------
    labels : list of str
        What meets every condition as the scenario stands at its start.
    exact : bool
        The labels are all there is to it. False where units that are not placed yet decide too: then `labels` is the
        most that it may be, and `distances`, `empty` and `text` narrow it.
    edges : list of {"north", "east", "south", "west"}
        Edges of the map that units come in or go out by; of any edge that a hex lies on when empty.
    distances : list of distance
        Each must hold for the units as they stand.
    empty : bool
        Only hexes without units.
    same : {"", "hex", "edge", "area"}
        All units of the formation choose the same hex, the same edge, or the same area of the map.
    same_edge_as, other_edge_than, other_hex_than : list of str
        Ids of formations that use the same edge, another edge, other hexes.
    least_in_hex, most_in_hex, most_in_area : int
        Units that each chosen hex must and may hold, and each area of the map; 0 for what stacking says.
    text : str
        The whole condition in words, for players.
    """

    labels: list[str]
    exact: bool = True
    edges: list[Edge] = []
    distances: list[DistanceRecord] = []
    empty: bool = False
    same: Literal["", "hex", "edge", "area"] = ""
    same_edge_as: list[str] = []
    other_edge_than: list[str] = []
    other_hex_than: list[str] = []
    least_in_hex: Number = 0
    most_in_hex: Number = 0
    most_in_area: Number = 0
    text: str = ""


class SideRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A side of the scenario.

    Parameters
    ----------
    id, name : str
    team : str
        Sides with the same word here are on one side.
    enemies : list of str
        Ids of the sides on other teams.
    played_by : str
        Id of the side whose player plays it, ``opponent``, or ``rules`` for nobody; its own player when empty.
    color : str
        Of its counters, such as ``#0072b2``; empty for any.
    formations : list of str
        Ids, as listed.
    ratings : object of str or int
        What the game gives it for the scenario.
    home, control : list of str
        Labels of its home country, and of the locations that it controls at the start.
    """

    id: str
    name: str
    team: str = ""
    enemies: list[str] = []
    played_by: str = ""
    color: str = ""
    formations: list[str] = []
    ratings: dict[str, Rating] = {}
    home: list[str] = []
    control: list[str] = []


class RestraintRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where units must stay or what they may not do, until something releases them.

    Parameters
    ----------
    units : list of str
        Ids of the units that it is for.
    stay : int or null
        Number of the area in which they must stay; null for none.
    forbidden : list of {"move", "fire", "exit", "enter"}
        What they may not do; ``enter`` is for the hexes of `stay`.
    against : list of str
        Ids of the sides or formations that it is about; of everybody when empty.
    until : trigger or null
        What releases them; null for the whole game. As in ``scenario.json``.
    text : str
    """

    units: list[str]
    stay: AreaNumber | None = None
    forbidden: list[Literal["move", "fire", "exit", "enter"]] = []
    against: list[str] = []
    until: Trigger | None = None
    text: str = ""


class FormationRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A formation: units that arrive and act together.

    Parameters
    ----------
    id, side, name : str
    arrival : {"set_up", "enter", "pool"}
        On the map at the start; entering during play; or waiting until it is bought, drawn or rebuilt.
    arrival_turn : int
        First turn of an entry; 0 for what is set up.
    when : trigger or null
        What lets it enter beside the turn, as in ``scenario.json``.
    when_text : str
        The same in words.
    area : int
        Number of the area where it sets up or enters.
    leaves : int or null
        Number of the area where it may leave the map; null where nothing is said.
    units : list of str
        Ids, as listed.
    activation_markers : int
    loaded : {"", "may", "must"}
        Whether it comes in its transports.
    hidden : int
        So many of its units, as the player chooses, set up hidden.
    nation, part_of, choice : str
        As in ``scenario.json``: where a side has several; the formation that it is a group of; of those with the same
        word only one enters.
    ratings : object of str or int
    restraints : list of restraint
    """

    id: str
    side: str
    name: str
    arrival: Literal["set_up", "enter", "pool"]
    arrival_turn: Number
    area: AreaNumber
    when: Trigger | None = None
    when_text: str = ""
    leaves: AreaNumber | None = None
    units: list[str] = []
    activation_markers: Number = 1
    loaded: Literal["", "may", "must"] = ""
    hidden: Number = 0
    nation: str = ""
    part_of: str = ""
    choice: str = ""
    ratings: dict[str, Rating] = {}
    restraints: list[RestraintRecord] = []


class PlacedUnitRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Counters of one type in a formation.

    Parameters
    ----------
    id, formation, side : str
    type : str
        Id in ``roster.json``.
    name : str
        Its own name, else that of its type.
    count : int
        How many counters.
    at : str
        Label where they stand at the start, that of their carrier where they are carried; empty when the player places
        them, or they come later.
    area : int
        Number of the area where they may be placed or enter: their own, else that of their formation.
    carried_by : str
        Id of the unit that carries or uses them.
    quality : {"", "elite", "veteran", "recruit", "poor"}
        Where it is not that of the roster.
    status : list of str
        What else holds for them at the start, such as ``hidden``.
    facing : str
        Hexside that they face, such as ``NE``; empty for none.
    movement : int
        Movement allowance in whole points: that of the counter, else that of the roster.
    figures : object of int
        What is printed on the counter and differs from the roster.
    """

    id: str
    formation: str
    side: str
    type: str
    name: str
    area: AreaNumber
    count: Annotated[int, msgspec.Meta(ge=1)] = 1
    at: str = ""
    carried_by: str = ""
    quality: str = ""
    status: list[str] = []
    facing: str = ""
    movement: Number = 0
    figures: dict[str, int] = {}


class ObjectiveRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where an objective of ``scenario.json`` is, and whom it is about.

    Parameters
    ----------
    id, side : str
    labels : list of str
        The locations that it names, by whatever condition; empty where it is not about places.
    units : list of str
        Ids of the units that it names; empty where it names none.
    """

    id: str
    side: str
    labels: list[str] = []
    units: list[str] = []


class TurnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A turn (or activation) of the game.

    Parameters
    ----------
    turn : int
    name : str
        Such as ``1980-III``; empty where the number does.
    light : {"", "day", "dusk", "night", "dawn"}
    visibility : int
        Longest sight in hexes while it lasts; 0 for no limit.
    extra : bool
        It is one of those that may follow the last.
    arrivals : list of str
        Ids of the formations that may enter from it on.
    events, support : list of str
        Ids of what happens in it, and of what support from off the map can be used first in it.
    """

    turn: Number
    name: str = ""
    light: Literal["", "day", "dusk", "night", "dawn"] = ""
    visibility: Number = 0
    extra: bool = False
    arrivals: list[str] = []
    events: list[str] = []
    support: list[str] = []


class SetUpRecord(msgspec.Struct, frozen=True, kw_only=True):
    """``setup.json``: the scenario with all its conditions resolved to labels and ids.

    Parameters
    ----------
    sides : list of side
    order : list of list of str
        Ids of the formations that set up before the first turn, in order; those in one list have no order among them.
    areas : list of area
        Others refer to them by number, counted from 0.
    formations : list of formation
    units : list of unit
    objectives : list of objective
    turns : list of turn
    other_areas : object of int
        Number of the area of ``support:ID``, ``pool:ID`` and ``table:ID``, where these have one.
    """

    sides: list[SideRecord]
    order: list[list[str]]
    areas: list[AreaRecord]
    formations: list[FormationRecord]
    units: list[PlacedUnitRecord]
    objectives: list[ObjectiveRecord] = []
    turns: list[TurnRecord] = []
    other_areas: dict[str, AreaNumber] = {}


class KindRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of unit, support weapon or marker that the scenario uses; games add keys for what their counters show.

    Parameters
    ----------
    id, name : str
    kind : str
        ``infantry``, ``vehicle``, ``air``, ``ground`` or ``hq`` for units; ``support_weapon`` or ``marker``.
    role : str
        What it is in the game.
    section : str
        Of the rulebook.
    mover : str
        Way of moving, id in ``movers`` of ``ruleset.json``; empty of what does not move by itself.
    transport : bool
        It can carry foot units.
    used_by : str
        Kind of unit that may use a support weapon; any when empty.
    stacks : bool
        It counts towards the stacking limit.
    movement : int
        Movement allowance in whole points; 0 where the counter gives none.
    quantity, points : int
        Counters in the box, and cost; 0 where the text gives none.
    figures : object of int
        What else a counter of a designer's own shows.
    """

    id: str
    name: str
    kind: str = "infantry"
    role: str = ""
    section: str = ""
    mover: str = ""
    transport: bool = False
    used_by: str = ""
    stacks: bool = True
    movement: int = 0
    quantity: int = 0
    points: int = 0
    figures: dict[str, int] = {}
