"""The order of battle of a scenario: forces, their formations and units, and where these set up or enter."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model.features import Identifier, Text

__all__ = ["Facing", "Force", "Formation", "SetUp", "UnitRecord", "UnitStatus"]


class SetUp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where units may be placed or enter: the hexes that meet every condition given.

    Parameters
    ----------
    hexes : tuple of str
        Labels to choose from; all hexes in play when empty.
    within : int
        Also hexes up to this many hexes from those named.
    terrain : tuple of str
        Only hexes with one of these terrains.
    edges : tuple of {"north", "east", "south", "west"}
        Only hexes on one of these edges of the map.
    sheets : tuple of str
        Only hexes of these sheets, by their ids, on a map of several.
    first_column, last_column : str
        Only columns between these two, named by their printed text.
    text : str
        What no field says.
    """

    hexes: tuple[str, ...] = ()
    within: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    terrain: tuple[str, ...] = ()
    edges: tuple[Literal["north", "east", "south", "west"], ...] = ()
    sheets: tuple[str, ...] = ()
    first_column: str = ""
    last_column: str = ""
    text: Text = ""


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
    notes : str
    """

    id: Identifier
    type: Identifier
    count: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 1
    at: str = ""
    carried_by: str = ""
    quality: Literal["", "elite", "veteran", "recruit", "poor"] = ""
    status: tuple[UnitStatus, ...] = ()
    facing: Facing = ""
    figures: dict[Identifier, Annotated[int, msgspec.Meta(ge=0, le=1000)]] = {}
    notes: Text = ""


class Formation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A formation: units that act together.

    Parameters
    ----------
    id : str
    name : str
    units : tuple of UnitRecord
    activation_markers : int
        How many of its markers go into the cup.
    arrival : {"set_up", "enter"}
        On the map at the start, or entering during play.
    arrival_turn : int
        First turn or activation of the entry, 1 at the earliest.
    where : SetUp
        Where it sets up or enters.
    printed_units, printed_points : int or None
        Totals as printed in the source, to compare with.
    notes : str
    """

    id: Identifier
    name: Text
    units: tuple[UnitRecord, ...] = ()
    activation_markers: Annotated[int, msgspec.Meta(ge=0, le=100)] = 1
    arrival: Literal["set_up", "enter"] = "set_up"
    arrival_turn: Annotated[int, msgspec.Meta(ge=1)] = 1
    where: SetUp = SetUp()
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
    notes : str
    """

    id: Identifier
    name: Text
    formations: tuple[Formation, ...] = ()
    set_up_order: Annotated[int, msgspec.Meta(ge=1)] = 1
    color: Annotated[str, msgspec.Meta(pattern="^(#[0-9a-fA-F]{6})?$")] = ""
    notes: Text = ""
