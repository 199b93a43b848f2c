"""Where units may set up, enter, stay or leave: areas described by conditions, as set-up instructions describe them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.model.features import Text

__all__ = ["Distance", "MapEdge", "SetUp"]

MapEdge = Literal["north", "east", "south", "west"]
"""An edge of the map."""

Direction = Literal["", "north", "east", "south", "west"]


class Distance(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """How far a hex must lie from something, and on which side of it.

    Everything that is named counts together: the nearest of it decides. "At least 7 hexes from X14" is
    ``Distance(places=("X14",), least=7)``, "3 or more hexes east of the crest" is
    ``Distance(features=("crest-2",), direction="east", least=3)``.

    Parameters
    ----------
    places : tuple of str
        Labels of hexes, zones or other places.
    edges : tuple of {"north", "east", "south", "west"}
        Edges of the map; a hex on an edge is 0 hexes away from it.
    terrain : tuple of str
        Hexes with one of these terrains.
    features : tuple of str
        Features of the map by id, name or kind, such as ``road`` or ``compound``: the hexes that they run through
        or lie in.
    units : tuple of str
        Units by id; formations by id, for all their units; forces by id, for all of theirs that are placed already.
    areas_of : tuple of str
        Formations whose set-up area or entry counts.
    least : int
        At least so many hexes from the nearest.
    most : int or None
        At most so many; None for no limit.
    direction : {"", "north", "east", "south", "west"}
        Only on that side of it.
    """

    places: tuple[str, ...] = ()
    edges: tuple[MapEdge, ...] = ()
    terrain: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    areas_of: tuple[str, ...] = ()
    least: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    most: Annotated[int, msgspec.Meta(ge=0, le=2000)] | None = None
    direction: Direction = ""


class SetUp(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where units may be placed, enter, stay or leave: the hexes that meet every condition given.

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
    first_row, last_row : str
        Only rows between these two, named by their printed text.
    features : tuple of str
        Only hexes in, or with, one of these features of the map by id, name or kind, such as ``road``, ``compound``
        or the name of an area.
    without : tuple of str
        Not these hexes or other places.
    without_features : tuple of str
        Not hexes in, or with, these features.
    without_terrain : tuple of str
        Not hexes with these terrains.
    distances : tuple of Distance
        Only hexes as far as each of these says.
    empty : bool
        Only hexes without units.
    same : {"", "hex", "edge", "area"}
        All units of the formation choose the same hex, the same edge, or the same area of the map.
    same_edge_as, other_edge_than : tuple of str
        Ids of formations that use the same edge of the map, and of those that use another one.
    other_hex_than : tuple of str
        Ids of formations that use other hexes.
    least_in_hex, most_in_hex : int
        Units that each of the hexes must, and may, hold; 0 for what the rules of stacking say.
    most_in_area : int
        Units that each of the areas named in ``features`` may hold; 0 for no limit.
    also : tuple of SetUp
        Other places that serve as well: hexes that meet every condition of one of these.
    text : str
        What no field says.
    """

    hexes: tuple[str, ...] = ()
    within: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    terrain: tuple[str, ...] = ()
    edges: tuple[MapEdge, ...] = ()
    sheets: tuple[str, ...] = ()
    first_column: str = ""
    last_column: str = ""
    first_row: str = ""
    last_row: str = ""
    features: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    without_features: tuple[str, ...] = ()
    without_terrain: tuple[str, ...] = ()
    distances: tuple[Distance, ...] = ()
    empty: bool = False
    same: Literal["", "hex", "edge", "area"] = ""
    same_edge_as: tuple[str, ...] = ()
    other_edge_than: tuple[str, ...] = ()
    other_hex_than: tuple[str, ...] = ()
    least_in_hex: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    most_in_hex: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    most_in_area: Annotated[int, msgspec.Meta(ge=0, le=1000)] = 0
    also: tuple[SetUp, ...] = ()
    text: Text = ""
