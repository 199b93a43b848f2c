"""What a scenario is about: objectives, who wins when, and notes to places."""

from __future__ import annotations

from typing import Literal

import msgspec

from studio.model.features import Identifier, Text

__all__ = ["Condition", "Objective", "PlaceNote"]


class Objective(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that earns victory points.

    Parameters
    ----------
    id : str
    side : str
        Id of the force that earns the points.
    points : int
        Victory points each time.
    event : {"eliminate", "exit", "hold", "loot_and_exit", "other"}
    unit_types : tuple of str
        Types of unit that it is about; of the enemy for ``eliminate``, else of the side's own.
    hexes : tuple of str
        Hexes that it is about.
    terrain : tuple of str
        Terrain that it is about.
    edges : tuple of str
        Map edges that it is about.
    printed_total : int or None
        Most points that the source says can be earned.
    text : str
        The condition in words.
    """

    id: Identifier
    side: Identifier
    points: int
    event: Literal["eliminate", "exit", "hold", "loot_and_exit", "other"]
    unit_types: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    terrain: tuple[str, ...] = ()
    edges: tuple[Literal["north", "east", "south", "west"], ...] = ()
    text: Text = ""


class Condition(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who wins when.

    Parameters
    ----------
    side : str
        Id of the force that wins.
    margin : int or None
        Wins with at least this many victory points more than the other side.
    otherwise : str
        Id of the force that wins if the condition is not met.
    printed_totals : dict of str to int
        Most points a side can earn, as printed.
    text : str
    """

    side: Identifier
    margin: int | None = None
    otherwise: str = ""
    printed_totals: dict[str, int] = {}
    text: Text = ""


class PlaceNote(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A note to a hex, or to another place of the map, such as "reserves assemble here".

    Parameters
    ----------
    id : str
        Unique among the notes.
    at : str
        Label of the place.
    text : str
    side : str
        Id of the force that it is for; for everybody when empty.
    """

    id: Identifier
    at: str
    text: Text
    side: str = ""
