"""What the members of a bundle hold, as typed records: the schemas come from here, and exports are checked with them.

A record may carry more keys than are named here; engines ignore what they do not know.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

__all__ = ["BUNDLE_FORMAT", "BUNDLE_VERSION", "BundleManifest", "Location", "Member", "RulesetRecord", "Side"]

BUNDLE_FORMAT: Literal["wargame-studio/bundle"] = "wargame-studio/bundle"
BUNDLE_VERSION = 1

Point = tuple[float, float]


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A member of a bundle.

    Parameters
    ----------
    name : str
    size : int
        In bytes.
    sha256 : str
        In lower-case hexadecimal.
    """

    name: str
    size: Annotated[int, msgspec.Meta(ge=0)]
    sha256: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class SourceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Where something in a bundle comes from, and its licence or terms."""

    title: str
    licence: str = ""
    note: str = ""
    url: str = ""


class BundleManifest(msgspec.Struct, frozen=True, kw_only=True):
    """``bundle.json``: what a bundle is and what it holds.

    Parameters
    ----------
    format, version : str, int
    ruleset : str
        Id of the game.
    title : str
        Of the scenario, or of the map where there is none.
    sources : list of source
        Of map and scenario.
    members : list of member
        Every other member, in the order of the archive.
    """

    format: Literal["wargame-studio/bundle"]
    version: Annotated[int, msgspec.Meta(ge=1)]
    ruleset: str
    title: str
    sources: list[SourceRecord]
    members: list[Member]


class Location(msgspec.Struct, frozen=True, kw_only=True):
    """A place where a unit can be.

    Parameters
    ----------
    label : str
        Name printed in the hex or on the place, unique.
    kind : {"hex", "area", "place", "road"}
        A hex, a drawn area such as a room or a zone, a place with a dot only such as a roof, or the road in a hex that
        has a structure too.
    q, r : int or null
        Axial coordinates of a hex.
    column, row : int or null
        Raw column and row of a hex, counted from 0 at the top left.
    terrain : str
        Id in ``ruleset.json``; of an area or a place, its type.
    level : int
    contour : int or null
        Height of the highest contour line in the hex; null without one.
    crest : bool
        A crest line runs through the hex.
    road : bool
        A road runs through the hex.
    half : bool
        The edge of the map cuts the hex in half.
    in_play : bool
        The scenario uses the hex; true everywhere without a scenario.
    markers : list of str
        Types of the markers in the hex.
    enter_halves : object of int or null
        Half movement points to enter, by mover: terrain and markers together, without roads and sides. Null is
        impassable. Empty for locations that are no hexes.
    neighbours : list of str
        Labels of the adjacent hexes of the map, clockwise from north (flat-top) or north-east (pointy); of an area, of
        the areas that share a border with it.
    within : str
        Id of the area in ``map.json`` that it is part of.
    dot : [x, y]
        Where lines of sight go to, in map units, x to the right and y down.
    outline : list of [x, y]
        Corners in map units, cut at the edge of the map; not closed. Empty for places and roads.
    holes : list of list of [x, y]
        Holes of an area.
    """

    label: str
    kind: Literal["hex", "area", "place", "road"]
    q: int | None
    r: int | None
    column: int | None
    row: int | None
    terrain: str
    level: int
    contour: int | None
    crest: bool
    road: bool
    half: bool
    in_play: bool
    markers: list[str]
    enter_halves: dict[str, int | None]
    neighbours: list[str]
    within: str
    dot: Point
    outline: list[Point]
    holes: list[list[Point]]


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """The border of two adjacent locations with something on it, or with a road across; one record for both directions.

    Parameters
    ----------
    a, b : str
        Labels of the two locations.
    kinds : list of str
        What runs along it: ids in ``ruleset.json``.
    roads : list of str
        Surfaces of the roads that cross it.
    rise : int
        Level of b less that of a.
    cross_halves : object of int or null
        Extra half movement points to cross, by mover, all kinds together, without roads; null is impassable.
    ends : list of 2 [x, y]
        Its two corners in map units.
    """

    a: str
    b: str
    kinds: list[str]
    roads: list[str]
    rise: int
    cross_halves: dict[str, int | None]
    ends: tuple[Point, Point]


class TerrainRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A terrain of the game; ``enter_halves`` by mover, null is impassable; ``sight`` is the game's class of effect."""

    name: str
    sight: str
    enter_halves: dict[str, int | None]
    section: str = ""
    defence: dict[str, int] = {}


class SideKindRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can run on a side; ``cross_halves`` by mover, null is impassable."""

    name: str
    cross_halves: dict[str, int | None]
    section: str = ""


class MarkerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A marker of the game; ``enter_halves`` are extra half movement points."""

    name: str
    enter_halves: int = 0
    section: str = ""


class DrawnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A type of area, place, wall, aperture or link."""

    name: str
    section: str = ""
    location: bool = False
    covers: bool = False
    sight: str = ""
    height: int = 0


class RulesetRecord(msgspec.Struct, frozen=True, kw_only=True):
    """``ruleset.json``: the tables of the game and the options in force.

    Parameters
    ----------
    id, title : str
    options : object
        Every option of the game with its value in force: what the scenario chose, or the default.
    movers : object of str
        Ways of moving, by id.
    movement : object of int or null
        Costs that belong to no terrain, in half movement points.
    terrain, sides, markers : object
        By id.
    areas, places, walls, apertures, links : object
        What can be drawn beside hexes, by type.
    """

    id: str
    title: str
    options: dict[str, str | bool | int]
    movers: dict[str, str]
    terrain: dict[str, TerrainRecord]
    sides: dict[str, SideKindRecord]
    markers: dict[str, MarkerRecord]
    movement: dict[str, int | None] = {}
    areas: dict[str, DrawnRecord] = {}
    places: dict[str, DrawnRecord] = {}
    walls: dict[str, DrawnRecord] = {}
    apertures: dict[str, DrawnRecord] = {}
    links: dict[str, DrawnRecord] = {}
