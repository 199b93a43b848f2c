"""What the members of a bundle hold, as typed records: the schemas come from here, and exports are checked with them.

A record may carry more keys than are named here; engines ignore what they do not know.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

__all__ = [
    "BUNDLE_FORMAT",
    "BUNDLE_MINOR",
    "BUNDLE_VERSION",
    "BundleManifest",
    "GeneratorRecord",
    "Location",
    "Member",
    "RulesetRecord",
    "Side",
    "SourceRecord",
]

BUNDLE_FORMAT: Literal["wargame-studio/bundle"] = "wargame-studio/bundle"
BUNDLE_VERSION, BUNDLE_MINOR = 1, 0

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
    """Where something in a bundle comes from, and its licence or terms.

    Parameters
    ----------
    title : str
    licence : str
        Licence or terms of use.
    note : str
        What was taken from it, and how.
    url : str
    of : list of {"map", "scenario"}
        Which of them it is a source of.
    """

    title: str
    licence: str = ""
    note: str = ""
    url: str = ""
    of: list[str] = []


class GeneratorRecord(msgspec.Struct, frozen=True, kw_only=True):
    """The program that wrote a bundle; ``name`` and ``version``, both empty where they are not known."""

    name: str = ""
    version: str = ""


class BundleManifest(msgspec.Struct, frozen=True, kw_only=True):
    """``bundle.json``: what a bundle is and what it holds.

    Parameters
    ----------
    format : str
    version, minor : int
        Version of the format. A reader refuses a higher `version`; a higher `minor` only adds. Bundles from before 1.0
        have no `minor`.
    generator : generator
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
    minor: Annotated[int, msgspec.Meta(ge=0)] = 0
    generator: GeneratorRecord = GeneratorRecord()
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
        The scenario uses the location; true everywhere without a scenario.
    closed : bool
        The scenario lets nothing enter it.
    edges : list of {"north", "east", "south", "west"}
        Edges of the map that a hex lies on, north being the top.
    markers : list of str
        Types of the markers in the hex.
    enter_halves : object of int or null
        Half movement points to enter, by mover: terrain (or what a marker makes of it) and markers together, without
        roads, levels and sides. Null is impassable, as every closed hex is. Empty for locations that are no hexes.
    neighbours : list of str
        Labels of the adjacent hexes of the map, clockwise from north (flat-top) or north-east (pointy); then of what
        is next to it across a side that is not closed, through an opening, or by a link of the game.
    within : str
        Id of the area in ``map.json`` that it is part of.
    tags : list of str
        What else the game says of an area or a place.
    dot : [x, y]
        Where lines of sight go to, in map units, x to the right and y down.
    outline : list of [x, y]
        Corners in map units, cut at the edge of the map; not closed. Empty for places and roads.
    holes : list of list of [x, y]
        Holes of an area.
    sheet, layer : str
        Ids of the sheet that it lies on and of its layer, on a map of several sheets only; empty where it lies on none.
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
    closed: bool = False
    edges: list[Literal["north", "east", "south", "west"]] = []
    tags: list[str] = []
    sheet: str = ""
    layer: str = ""


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """A hexside with something on it or with a road across, or a border of an area; one record for both directions.

    Parameters
    ----------
    a, b : str
        Labels of the two locations; `b` is empty where an area has no location on the other side.
    kinds : list of str
        What runs along it: ids of ``sides`` and ``borders`` in ``ruleset.json``.
    roads : list of str
        Surfaces of the roads that cross it.
    rise : int
        Level of b less that of a; 0 without b.
    cross_halves : object of int or null
        Extra half movement points to cross, by mover, all kinds together, without roads; null is impassable.
    ends : list of 2 [x, y]
        Its two corners in map units; of a border of several lines, its first point and its last.
    through : list of str
        Ids in ``map.json`` of what pierces it.
    lines : list of list of [x, y]
        The border in map units, as one line or several.
    """

    a: str
    b: str
    kinds: list[str]
    roads: list[str]
    rise: int
    cross_halves: dict[str, int | None]
    ends: tuple[Point, Point]
    through: list[str] = []
    lines: list[list[Point]] = []


class TerrainRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A terrain of the game; ``enter_halves`` by mover, null is impassable; ``sight`` is the game's class of effect."""

    name: str
    sight: str
    enter_halves: dict[str, int | None]
    section: str = ""
    defence: dict[str, int] = {}
    bog: list[str] = []


class SideKindRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Something that can run on a hexside; ``cross_halves`` and ``defence`` by mover, null is impassable.

    ``bog`` names the movers that may bog down in crossing it.
    """

    name: str
    cross_halves: dict[str, int | None]
    section: str = ""
    defence: dict[str, int] = {}
    bog: list[str] = []


class BorderRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of border of areas; one that closes joins nothing, unless something pierces it."""

    name: str
    section: str = ""
    closes: bool = False


class SupplyRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Figures of the supply rule of a game, as they are in force.

    Parameters
    ----------
    section : str
        Of the rulebook.
    mover : str
        Whose costs a line pays off road; empty where every hex counts one point.
    off_road : int
        Most movement points off road; 9999 for no limit.
    hexsides : str
        ``counts`` or ``free``: whether hexsides add to it.
    roads : list of str
        Surfaces of roads that lines run along.
    road_needed : bool
        A line always ends by road.
    road_hexes : int
        Most hexes along the road, 0 for any number.
    blocked_by : str
        Which enemies stop a line: ``units``, ``neighbours``, ``neighbours_unless_held``, ``nothing``.
    sources : object of list of str
        Types of ``terrain``, ``markers`` and ``areas`` that supply comes from.
    source_control : str
        ``held`` or ``not_enemy``: for whom a source works.
    home_only : bool
        Only sources in the home country of a side are its own.
    """

    section: str = ""
    mover: str = ""
    off_road: int = 0
    hexsides: str = "counts"
    roads: list[str] = []
    road_needed: bool = False
    road_hexes: int = 0
    blocked_by: str = "units"
    sources: dict[str, list[str]] = {}
    source_control: str = "held"
    home_only: bool = False


class MarkerRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A marker of the game; ``move_halves`` are extra half movement points by mover, null closes its hex to it.

    ``enter_halves`` are those of movers without their own; the rest is as of terrain. ``becomes`` is the terrain that
    its hex counts as, empty for its own.
    """

    name: str
    enter_halves: int = 0
    move_halves: dict[str, int | None] = {}
    section: str = ""
    sight: str = ""
    height: int = 0
    defence: dict[str, int] = {}
    bog: list[str] = []
    becomes: str = ""


class TagRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What a tag of an area or a place says."""

    name: str
    section: str = ""


class DrawnRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A type of area, place, wall, aperture or link.

    ``tags`` are those that an area or a place may have; one that ends in a colon stands for all that begin so.
    A wall that ``closes`` joins nothing across it; the ends of a link that ``joins`` are next to each other.
    """

    name: str
    section: str = ""
    location: bool = False
    covers: bool = False
    sight: str = ""
    height: int = 0
    closes: bool = False
    joins: bool = True
    tags: dict[str, TagRecord] = {}


class RulesetRecord(msgspec.Struct, frozen=True, kw_only=True):
    """``ruleset.json``: the tables of the game and the options in force.

    Parameters
    ----------
    id, title : str
    options : object
        Every option of the game with its value in force: what the scenario chose, or the default.
    movers : object of str
        Ways of moving, by id.
    movement : object of int, true or false, or null
        Costs that belong to no terrain, in half movement points; `bridges` and `minimum_one` say what holds of roads
        across hexsides, and of the first location of a move.
    supply : object or null
        Figures of the supply rule; null where the game has none.
    terrain, sides, markers, borders : object
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
    movement: dict[str, int | bool | None] = {}
    supply: SupplyRecord | None = None
    areas: dict[str, DrawnRecord] = {}
    places: dict[str, DrawnRecord] = {}
    walls: dict[str, DrawnRecord] = {}
    apertures: dict[str, DrawnRecord] = {}
    links: dict[str, DrawnRecord] = {}
    borders: dict[str, BorderRecord] = {}
