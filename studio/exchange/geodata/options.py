"""What can be chosen when geodata are written or read."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from studio.grid import LabelScheme, Orientation, Stagger
from studio.model import MapDocument

__all__ = ["Frame", "GeodataOptions", "GeodataReading", "LayerRule", "RasterRule"]


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
    to : {"roads", "sides", "terrain", "levels", "areas", "walls", "contours", "names", "places", "markers"}
        Lines become roads (the hexes that they run through), hexsides (those that follow them best), walls or contours;
        polygons become terrain, levels or areas; points become names, places or markers.
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
    """

    layer: str = ""
    to: Literal["roads", "sides", "terrain", "levels", "areas", "walls", "contours", "names", "places", "markers"]
    type: str = ""
    attribute: str = ""
    mapping: dict[str, str] = {}
    name: str = ""
    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.0
    where: dict[str, str] = {}


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
