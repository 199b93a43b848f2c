"""What can be chosen when geodata are written or read."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from studio.exchange.common.footprints import Touching
from studio.grid import LabelScheme, Orientation, Stagger
from studio.model import MapDocument

__all__ = ["Frame", "GeodataOptions", "GeodataReading", "LayerRule", "RasterRule"]


Target: TypeAlias = Literal[
    "roads", "sides", "terrain", "levels", "areas", "walls", "contours", "names", "places", "markers", "openings"
]
_Metres = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]  # the world is smaller in any unit that maps have


class GeodataOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How geodata are written.

    Parameters
    ----------
    sight : tuple of (str, str)
        Pairs of locations whose lines of sight become a layer, by their labels.
    whole : bool
        The file carries the whole document along, so that reading it back loses nothing; without it, what the layers
        say is all there is.
    """

    sight: tuple[tuple[str, str], ...] = ()
    whole: bool = True


class Frame(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new map in the real world.

    Parameters
    ----------
    crs : str
        Coordinate reference system of the map, in metres, such as ``EPSG:32638``.
    left, top : float
        World point of the map's top left corner.
    hex_size : float
        From a hex to the next one, in units of the reference system.
    columns, rows : int
    orientation : {"flat", "pointy"}
    stagger : {"odd", "even"}
    labels : LabelScheme
    """

    crs: str
    left: _Metres
    top: _Metres
    hex_size: Annotated[float, msgspec.Meta(gt=0, le=1e8)]
    columns: int
    rows: int
    orientation: Orientation = "flat"
    stagger: Stagger = "odd"
    labels: LabelScheme = LabelScheme()


class LayerRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a layer of a vector file becomes on the map.

    Parameters
    ----------
    layer : str
        Name of the layer; the first one of the file when empty.
    to : {"roads", "sides", "terrain", "levels", "areas", "walls", "contours", "names", "places", "markers", "openings"}
        Lines become roads (the hexes that they run through), hexsides (those that follow them best), walls or contours;
        polygons become terrain, levels or areas; points become names, places, markers, or openings on the wall that is
        nearest, with an arc of fire straight out.
    type : str
        What all of them are: terrain, kind of hexside, area type, marker ..., the surface of roads, or a level.
    attribute : str
        Column that says it instead.
    mapping : dict of str to str
        What the values of that column mean; an empty text leaves the row out.
    name : str
        Column with the name.
    share : float
        Part of a hex that polygons must cover for terrain and levels, 0 to 1; 0 asks for the middle of the hex alone.
    where : dict of str to str
        Only rows that have these values in these columns.
    shape : {"", "point", "line", "area"}
        What the rows are, where they are not what the rest becomes: names lie along the straightest part of a line,
        or inside an area, and points give their hex a terrain or level.
    least : float
        In hexes: areas that are smaller, and lines that are shorter, are left out.
    simplify : float
        In hexes: corners of areas that cut off less than the square of this are left out. Borders in common stay so.
    touching : {"as_is", "share", "merge"}
        Areas that touch or overlap stay as they are; share their borders, the larger one keeping what both cover; or
        become one where they are of one type. Small yards, less than ``least``, are closed.
    close : float
        In hexes: gaps between such areas that are narrower are closed.
    storeys : str
        Column with the number of storeys; an area of one storey has level 0, and none is higher than the game knows.
    storey_height : float
        The column has heights in metres, and a storey so many.
    under : str
        Terrain of the hexes whose dots lie under an area.
    reached : str
        Terrain of all hexes that an area reaches into, as structures that stand in hexes have it. Their level is that
        of the highest area there, where a column says the storeys.
    clear : float
        In hexes: dots that lie nearer to an area, but not under it, are moved so far off within their hexes, where
        there is room.
    part : str
        Type of an area that each area has within it, with its outline, such as the room of a building. Areas are
        numbered then, 1, 2 ..., and their parts 1.1, 2.1 ...
    roof, stairs : str
        Type of a place on top of each area, such as its roof, and of the link that leads there from its part. Data
        seldom say which roofs a unit can stand on: take away those that are none.
    doors : str
        Type of opening that areas which are locations, or their parts, get where no layer gives them one: on the
        longest facade at a street or other open hexes; yards that nobody gets into get one too. They are made up, and
        the report and the notes of the map say so.
    join : bool
        Lines of one name and value that meet end to end are one line, and roads that only repeat others are left out.
    course : bool
        Roads are drawn where the lines run, not through the middles of their hexes.
    size : float
        Of names, in hexes; 0 for the usual one.
    """

    layer: str = ""
    to: Target
    type: str = ""
    attribute: str = ""
    mapping: dict[str, str] = {}
    name: str = ""
    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    where: dict[str, str] = {}
    shape: Literal["", "point", "line", "area"] = ""
    least: Annotated[float, msgspec.Meta(ge=0, le=1000)] = 0.0
    simplify: Annotated[float, msgspec.Meta(ge=0, le=10)] = 0.0
    touching: Touching = "as_is"
    close: Annotated[float, msgspec.Meta(ge=0, le=2)] = 0.0
    storeys: str = ""
    storey_height: Annotated[float, msgspec.Meta(ge=0, le=100)] = 0.0
    under: str = ""
    reached: str = ""
    clear: Annotated[float, msgspec.Meta(ge=0, le=0.4)] = 0.0
    part: str = ""
    roof: str = ""
    stairs: str = ""
    doors: str = ""
    join: bool = False
    course: bool = False
    size: Annotated[float, msgspec.Meta(ge=0, le=20)] = 0.0

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it reads."""
        named = (self.attribute, self.name, self.storeys, *self.where)
        return tuple(dict.fromkeys(one for one in named if one))

    @property
    def tidies(self) -> bool:
        """Areas are tidied: cut at the edge of the map, their corners on the lattice, sound."""
        return self.to == "areas" and bool(self.least or self.simplify or self.close or self.touching != "as_is")


class RasterRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a raster becomes on the map.

    Parameters
    ----------
    source : str
        A GeoTIFF, an ESRI ASCII grid (``.asc``), a picture with a world file beside it, or a NumPy file with the arrays
        of the studio's elevation files.
    to : {"terrain", "levels"}
    codes : dict of str to str
        Terrain or level of each value of the raster; an empty text leaves pixels out.
    breaks : tuple of float
        For levels of an elevation, in place of codes: level 1 begins at the first of them, level 2 at the second ...
    crs : str
        Where the file does not say it.
    least : float
        Part of a hex that must have data, 0 to 1.
    """

    source: str
    to: Literal["terrain", "levels"]
    codes: dict[str, str] = {}
    breaks: tuple[float, ...] = ()
    crs: str = ""
    least: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.5


class GeodataReading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How geodata are read.

    Parameters
    ----------
    from_layers : bool
        Of a file that the studio wrote: build the map from its layers alone, and do not look at the document in it.
    ruleset : str
        Game of a new map.
    title : str
    onto : MapDocument or None
        The map that features of others are laid on; it needs a place in the world, or the data its own units.
    frame : Frame or None
        A new map instead.
    layers : tuple of LayerRule
        What the layers of others become.
    rasters : tuple of RasterRule
    """

    from_layers: bool = False
    ruleset: str = ""
    title: str = ""
    onto: MapDocument | None = None
    frame: Frame | None = None
    layers: tuple[LayerRule, ...] = ()
    rasters: tuple[RasterRule, ...] = ()


Rows = list[dict[str, Any]]
