"""The specification of a map made of geography: which data, how the grid lies on them, and what they become.

A designer writes it as TOML (or JSON); :func:`read_spec` reads it, with every fault by its place in the file. Names of
terrain, kinds of hexsides, areas, markers and places are those of the game.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from studio.errors import DocumentError, Fault
from studio.exchange.common.files import source_bytes
from studio.exchange.geodata.options import LayerRule
from studio.files.structure import structural_faults
from studio.grid import LabelScheme, Stagger
from studio.model import Source
from studio.model.features import Feature, Identifier, Text

__all__ = [
    "SPEC_FORMAT",
    "AreaRule",
    "BoxRule",
    "ControlPoint",
    "CountryRule",
    "DataSource",
    "FitRule",
    "Geography",
    "GridRule",
    "LevelRule",
    "LineRule",
    "Override",
    "RiverRule",
    "RoadRule",
    "TerrainClass",
    "TerrainRule",
    "Town",
    "TownRule",
    "WaterRule",
    "read_spec",
]

SPEC_FORMAT = "wargame-studio/geography"
_MOST_BYTES = 16_000_000  # of a specification
_LONG_KEY = re.compile(r"(?<![\w-])(?:[\w-]++\s*+\.\s*+){100}")  # each part of a key becomes a table

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Degrees = Annotated[float, msgspec.Meta(ge=-360, le=360)]
_World = Annotated[float, msgspec.Meta(ge=-1e9, le=1e9)]
_Hexes = Annotated[float, msgspec.Meta(ge=0, le=50)]


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every part of a specification has in common: it is frozen, and knows its fields."""


class DataSource(_Part, frozen=True):
    """A layer of a vector file, or a raster.

    Parameters
    ----------
    id : str
        What the rules call it.
    file : str
        Beside the specification, or with a path from there.
    layer : str
        Of a vector file; its only layer when empty.
    crs : str
        Coordinate reference system, where the file does not say it.
    where : dict of str to list of str
        Only features that have one of these values in these columns.
    most, least : dict of str to float
        Only features with at most, or at least, so much in these columns: ``most = {scalerank = 6}`` are the main
        rivers.
    title, licence, url, note : str
        Where the data come from; they go into the map's sources. A source without a licence is a finding.
    """

    id: Identifier
    file: str
    layer: str = ""
    crs: str = ""
    where: dict[str, tuple[str, ...]] = {}
    most: dict[str, float] = {}
    least: dict[str, float] = {}
    title: Text = ""
    licence: Text = ""
    url: Text = ""
    note: Text = ""

    @property
    def provenance(self) -> Source:
        """The record in the map's sources; named by its file and layer where nobody gave it a title."""
        plain = f"{self.id} ({self.file}, {self.layer})" if self.layer else f"{self.id} ({self.file})"
        return Source(title=self.title or plain, licence=self.licence, url=self.url, note=self.note)


class BoxRule(_Part, frozen=True):
    """A box in degrees that the grid is to cover.

    Parameters
    ----------
    west, south, east, north : float
        In degrees of longitude and latitude.
    """

    west: Degrees
    south: Degrees
    east: Degrees
    north: Degrees


class GridRule(_Part, frozen=True):
    """The grid.

    Parameters
    ----------
    columns, rows : int
        0 for as many as cover the box.
    hex_size : float
        From a hex to the next one, in units of the reference system; 0 where control points say it.
    left, top : float or None
        World point of the map's top left corner, where neither a box nor control points say it.
    box : BoxRule or None
    orientation : {"", "flat", "pointy"}
        Empty for that of the game.
    stagger : {"odd", "even"}
    short : bool
    labels : LabelScheme
    """

    columns: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    rows: Annotated[int, msgspec.Meta(ge=0, le=2000)] = 0
    hex_size: Annotated[float, msgspec.Meta(ge=0, le=1e8)] = 0.0
    left: _World | None = None
    top: _World | None = None
    box: BoxRule | None = None
    orientation: Literal["", "flat", "pointy"] = ""
    stagger: Stagger = "odd"
    short: bool = False
    labels: LabelScheme = LabelScheme()


class ControlPoint(_Part, frozen=True):
    """A point of the world whose hex on a printed grid is known.

    Parameters
    ----------
    name : str
    at : str
        Hex by its label.
    lon, lat : float
        In degrees; or
    place, source : str
        a place by its name in a source of points.
    pin : bool
        The point must fall into its hex; without it, it only helps to fit.
    note : str
    """

    name: Text
    at: str
    lon: Degrees | None = None
    lat: Degrees | None = None
    place: str = ""
    source: str = ""
    pin: bool = True
    note: Text = ""


class FitRule(_Part, frozen=True):
    """How a printed grid is laid on the world.

    Parameters
    ----------
    kind : {"similarity", "affine", "sheet"}
        ``sheet`` is an affine and then the stiffest rubber sheet (thin plate spline) that lays every pinned point
        inside its hex.
    points : tuple of ControlPoint
    margin : float
        How far inside its hex a pinned point must come to lie, in parts of the hex's inner radius.
    """

    kind: Literal["similarity", "affine", "sheet"] = "affine"
    points: tuple[ControlPoint, ...] = ()
    margin: Annotated[float, msgspec.Meta(ge=0, lt=1)] = 0.1


class TerrainClass(_Part, frozen=True):
    """What makes a terrain: polygons, values of a raster, or height and relief.

    Parameters
    ----------
    terrain : str
    source : str
    outside : bool
        Of polygons: what lies outside of them, such as the sea around the land.
    values : tuple of str
        Of a raster of codes: these ones.
    above, below : float or None
        Of a raster of heights: pixels at least so high, and lower than that.
    relief : float
        Pixels around which heights differ by at least so much, within
    within : float
        so many metres.
    share : float
        Part of a hex that the class must cover to win it.
    """

    terrain: Identifier
    source: str
    outside: bool = False
    values: tuple[str, ...] = ()
    above: float | None = None
    below: float | None = None
    relief: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    within: Annotated[float, msgspec.Meta(ge=0, le=1e6)] = 5000.0
    share: Share = 0.5


class TerrainRule(_Part, frozen=True):
    """Terrain by shares and priority.

    Parameters
    ----------
    base : str
        Terrain of hexes that no class wins; the game's first when empty.
    classes : tuple of TerrainClass
        Earlier ones have priority: the first that covers its share of a hex wins it.
    """

    base: str = ""
    classes: tuple[TerrainClass, ...] = ()


class LevelRule(_Part, frozen=True):
    """Levels of the ground.

    Parameters
    ----------
    source : str
        A raster of heights.
    breaks : tuple of float
        Level 1 begins at the first, level 2 at the second.
    by : {"mean", "most", "highest"}
        By the mean height of a hex, by what most of its pixels say, or by its highest pixel.
    """

    source: str
    breaks: tuple[float, ...]
    by: Literal["mean", "most", "highest"] = "mean"


class WaterRule(_Part, frozen=True):
    """Sea, lakes and coast.

    Parameters
    ----------
    land : str
        Source of land polygons; what lies outside is sea. Empty where there is no sea.
    lakes : str
        Source of lakes; empty for none.
    sea, lake : str
        Terrain of all-water hexes.
    share : float
        Part of a hex that water must cover to make it all water. A hex with a town stays land.
    side : str
        Kind of hexside between two land hexes that lies in water.
    side_share : float
        Part of a hexside that water must cover.
    """

    land: str = ""
    lakes: str = ""
    sea: str = "sea"
    lake: str = "lake"
    share: Share = 0.5
    side: str = ""
    side_share: Share = 0.8


class RiverRule(_Part, frozen=True):
    """Rivers on hexsides.

    Parameters
    ----------
    source : str
        Lines.
    kind : str
        Kind of hexside.
    name : str
        Column with the names of rivers; pieces of one name are one river.
    join : float
        How near ends must be to another line to join it, in radii of a hex.
    least : float
        Rivers shorter than so many hexes on the map are left out.
    """

    source: str
    kind: Identifier = "river"
    name: str = ""
    join: _Hexes = 0.5
    least: _Hexes = 1.0


class LineRule(_Part, frozen=True):
    """Other lines on hexsides, each by itself: walls, cliffs, canals, provincial borders.

    Parameters
    ----------
    source : str
    kind : str
        Kind of hexside.
    """

    source: str
    kind: Identifier


class CountryRule(_Part, frozen=True):
    """Countries: whose each hex is, and the borders between them.

    Parameters
    ----------
    source : str
        Polygons.
    name : str
        Column with the names.
    names : dict of str to str
        Other names on the map; an empty one leaves a country out.
    type : str
        Type of the areas drawn round the hexes of a country; empty for none.
    side : str
        Kind of hexside on borders; empty for none.
    outside : str
        Terrain of land that is in none of the countries that remain; empty to leave it as it is.
    """

    source: str
    name: str = ""
    names: dict[str, str] = {}
    type: str = ""
    side: str = ""
    outside: str = ""


class AreaRule(_Part, frozen=True):
    """An area drawn round hexes: of polygons, of a list, or both.

    Parameters
    ----------
    id : str
    type : str
    name : str
    source : str
        Polygons; hexes that they cover by half belong to it.
    hexes : tuple of str
    note : str
    """

    id: Identifier
    type: Identifier
    name: Text = ""
    source: str = ""
    hexes: tuple[str, ...] = ()
    note: Text = ""


class Town(_Part, frozen=True):
    """A town that the map is to have.

    Parameters
    ----------
    name : str
        On the map.
    rank : str
        One of the ranks of the rule.
    place : str
        Its name or number in the source of places, where that is another one.
    lon, lat : float or None
        Where it lies, instead.
    at : str
        The hex that the designer gives it, wherever it lies.
    river : str
        Name of the river whose bank it keeps; the nearest ones when empty.
    note : str
    """

    name: Text
    rank: str = ""
    place: str = ""
    lon: Degrees | None = None
    lat: Degrees | None = None
    at: str = ""
    river: str = ""
    note: Text = ""


class TownRule(_Part, frozen=True):
    """Places.

    Parameters
    ----------
    source : str
        Points.
    name, key : str
        Columns with the names, and with the numbers that a town may be named by.
    population : str
        Column by which the largest of several places of one name is taken.
    listed : tuple of Town
    every : dict of str to float
        Places of the source that are not listed: rank by the least population, such as ``{town = 50000}``.
    terrain, marker, place : dict of str to str
        What a rank becomes: terrain of its hex, a marker on it, or a place of the game.
    label : tuple of str
        Ranks whose names are written on the map.
    """

    source: str = ""
    name: str = "name"
    key: str = ""
    population: str = ""
    listed: tuple[Town, ...] = ()
    every: dict[str, float] = {}
    terrain: dict[str, str] = {}
    marker: dict[str, str] = {}
    place: dict[str, str] = {}
    label: tuple[str, ...] = ()


class RoadRule(_Part, frozen=True):
    """Roads: of a source, or the cheapest way through towns and hexes.

    Parameters
    ----------
    id : str
        Of a road through towns.
    source : str
        Lines; or
    through : tuple of str
        names of towns, or hexes by label, in order. Such a road is made up, and the report and the notes say so.
    surface : {"paved", "unpaved"}
    name : str
        Column of the source with the names of its roads, where it has a column of that name; else the name itself.
    costs : dict of str to float
        Cost to enter a terrain, where it is not that of the game; ``river`` is that of an unbridged river.
    note : str
    """

    id: str = ""
    source: str = ""
    through: tuple[str, ...] = ()
    surface: Literal["paved", "unpaved"] = "paved"
    name: Text = ""
    costs: dict[str, float] = {}
    note: Text = ""


class Override(_Part, frozen=True):
    """What the designer wants, whatever the data say. It survives every run, and touches nothing but what it names.

    Parameters
    ----------
    hexes : tuple of str
        By label.
    sides : tuple of str
        Hexsides as two labels with a bar, such as ``2731|2732``.
    terrain : str
    level : int or None
    country : str or None
        Whose the hexes are; empty for nobody's.
    within, out_of : str
        Id of an area that the hexes are to belong to, or not.
    marker, no_marker : str
        Type of a marker that each hex is to have, or not.
    name : str
        Written on the first hex.
    add, remove : tuple of str
        Kinds of hexsides.
    feature : Feature or None
        A feature that is to be there as it is; it takes the place of one with its id.
    delete : str
        Id of a feature that is not to be there.
    was : str
        What was there under that id when a map was edited, ``nothing`` for a feature that was drawn anew; empty when
        nobody said it. Another feature that the data give that id since is left alone, with a finding.
    note : str
        Why.
    """

    hexes: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    terrain: str = ""
    level: int | None = None
    country: str | None = None
    within: str = ""
    out_of: str = ""
    marker: str = ""
    no_marker: str = ""
    name: Text = ""
    add: tuple[Identifier, ...] = ()
    remove: tuple[Identifier, ...] = ()
    feature: Feature | None = None
    delete: str = ""
    was: str = ""
    note: Text = ""


class Geography(_Part, frozen=True, kw_only=True):
    """A whole specification.

    Parameters
    ----------
    format, version : str, int
    title : str
    ruleset : str
        Game of the map.
    crs : str
        Coordinate reference system that the map is laid out in, in metres, such as ``EPSG:32638``.
    grid : GridRule
    fit : FitRule or None
    sources : tuple of DataSource
    terrain : TerrainRule
    levels : LevelRule or None
    water : WaterRule
    rivers : tuple of RiverRule
    lines : tuple of LineRule
    countries : CountryRule or None
    areas : tuple of AreaRule
    towns : TownRule
    roads : tuple of RoadRule
    bridge : str
        Kind of hexside where a road crosses a river; empty where the game needs no mark.
    layers : tuple of LayerRule
        Other layers that become features as they are: buildings, walls, streets of a tactical map. ``layer`` is the id
        of a source here.
    overrides : tuple of Override
    overrides_file : str
        More of them, gathered from a map that was edited; JSON, beside the specification.
    notes : str
        Of the map.
    """

    format: Literal["wargame-studio/geography"] = "wargame-studio/geography"
    version: Literal[1] = 1
    title: Text
    ruleset: str
    crs: str
    grid: GridRule
    fit: FitRule | None = None
    sources: tuple[DataSource, ...] = ()
    terrain: TerrainRule = TerrainRule()
    levels: LevelRule | None = None
    water: WaterRule = WaterRule()
    rivers: tuple[RiverRule, ...] = ()
    lines: tuple[LineRule, ...] = ()
    countries: CountryRule | None = None
    areas: tuple[AreaRule, ...] = ()
    towns: TownRule = TownRule()
    roads: tuple[RoadRule, ...] = ()
    bridge: str = ""
    layers: tuple[LayerRule, ...] = ()
    overrides: tuple[Override, ...] = ()
    overrides_file: str = ""
    notes: Text = ""


def read_spec(file: str | os.PathLike[str]) -> Geography:
    """Read a specification, TOML or JSON by the ending of the file.

    Raises
    ------
    DocumentError
        When it cannot be read, with every fault and its place.
    """
    path = Path(file)
    data = source_bytes(path, limit=_MOST_BYTES)
    plain: Any
    try:
        text = data.decode("utf-8-sig")
        if _LONG_KEY.search(text):
            message = "has keys of a hundred parts and more, which would fill the memory"
            raise DocumentError(str(path), [Fault("$", message, "write tables as the guide to geography does")])
        plain = msgspec.json.decode(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"cannot be read: byte {error.start}, in line {line}, is no UTF-8"
        raise DocumentError(str(path), [Fault("$", message, "save it as UTF-8")]) from error
    except (msgspec.DecodeError, tomllib.TOMLDecodeError) as error:
        message = f"cannot be read: {error}"
        raise DocumentError(str(path), [Fault("$", message, "mend the text at that place")]) from error
    except RecursionError as error:
        message = "cannot be read: it is nested too deep"
        raise DocumentError(str(path), [Fault("$", message, "this is another kind of file")]) from error
    except ValueError as error:
        if isinstance(error, DocumentError):
            raise
        message = f"cannot be read: {str(error).partition(';')[0]}"  # a number of thousands of digits
        raise DocumentError(str(path), [Fault("$", message, "give plain numbers")]) from error
    try:
        return msgspec.convert(plain, Geography)
    except msgspec.ValidationError as error:
        # Faults are told of what JSON holds, in which dates are texts.
        told = msgspec.json.decode(msgspec.json.encode(plain))
        told = {"format": SPEC_FORMAT, "version": 1, **told} if isinstance(told, dict) else told
        raise DocumentError(str(path), structural_faults(told, Geography, str(error))) from error
