"""Documents: what a map file and a scenario file say, as typed records. No file access, no picture, no rule."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.grid import HexGrid, LabelScheme
from studio.model.aims import Clause, Condition, Objective, PlaceNote
from studio.model.backdrop import Backdrop
from studio.model.draws import DrawPool, RandomTable
from studio.model.edits import Delete, Put, SetField
from studio.model.features import Feature, Identifier, Text
from studio.model.forces import Force, Rating
from studio.model.georeference import Georeference
from studio.model.mapuse import MapUse
from studio.model.ownkinds import OwnKind
from studio.model.schedule import CupMarker, Event, ExtendedPlay, Period, Support
from studio.model.sheets import Sheet

__all__ = [
    "MAP_FORMAT",
    "MAP_VERSION",
    "SCENARIO_FORMAT",
    "SCENARIO_VERSION",
    "Erratum",
    "Georeference",
    "MapDocument",
    "Plane",
    "ScenarioDocument",
    "Source",
    "SpecialRules",
    "Variant",
]

MAP_FORMAT, MAP_VERSION = "wargame-studio/map", 1
SCENARIO_FORMAT, SCENARIO_VERSION = "wargame-studio/scenario", 1


class Source(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where something on a map or in a scenario comes from.

    Parameters
    ----------
    title : str
    licence : str
        Licence or terms of use.
    note : str
        What was taken from it, and how.
    url : str
    """

    title: Text
    licence: Text = ""
    note: Text = ""
    url: Text = ""


class Plane(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One value a hex, written as rows of characters.

    Parameters
    ----------
    legend : dict of str to str or int
        What each character stands for. A space is no hex.
    rows : list of str
        One text a raw row, one character a raw column.
    """

    legend: dict[str, str | int]
    rows: list[str]


class MapDocument(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A map as its file holds it.

    Parameters
    ----------
    format, version : str, int
        Kind of document and version of its layout.
    title : str
    ruleset : str
        Game that the map is for, such as ``armageddon_war``.
    grid : HexGrid
    labels : LabelScheme
        Of a map without sheets.
    sheets : list of Sheet
        The maps that the document holds, one a part of the grid; empty where it is one map.
    terrain : Plane
        Terrain ids by hex.
    levels : Plane or None
        Levels by hex; None where every hex lies at level 0.
    sides : list of (label, label, kinds)
        Hexsides with something on them, one record a side.
    features : list of Feature
    notes : str
    sources : list of Source
    georeference : Georeference or None
    backdrop : Backdrop or None
        The scan that the map is traced from.
    """

    format: Literal["wargame-studio/map"] = "wargame-studio/map"
    version: Annotated[int, msgspec.Meta(ge=1)] = MAP_VERSION
    title: Text = "Untitled map"
    ruleset: Identifier
    grid: HexGrid
    labels: LabelScheme = msgspec.field(default_factory=LabelScheme)
    sheets: list[Sheet] = []
    terrain: Plane
    levels: Plane | None = None
    sides: list[tuple[str, str, tuple[Identifier, ...]]] = []
    features: list[Feature] = []
    notes: Text = ""
    sources: list[Source] = []
    georeference: Georeference | None = None
    backdrop: Backdrop | None = None


class SpecialRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules that hold in one scenario only, as far as sight and terrain know them; the rest is text.

    Parameters
    ----------
    options : dict of str to str, bool or int
        Options of the ruleset, such as ``{"border_rule": "per_border"}``.
    terrain_overrides : dict of str to str
        Terrain that counts as another one, such as ``{"light_urban": "dense_urban"}``.
    terrain_at : dict of str to str
        Terrain of single hexes, where it is not that of the map, such as ``{"C2": "rubble"}``.
    road_surface : {"", "paved", "unpaved"}
        Surface that all roads count as; empty for what the map says.
    closed : tuple of str
        Hexes and other places that nothing may enter.
    defence_at : dict of str to int
        Defence of single hexes, where it is not that of their terrain.
    opened : tuple of str
        Ids of breaches and other openings of the map that are open from the start.
    smoke : tuple of str
        Hexes with permanent smoke.
    haze_step : int
        One point of hindrance for every so many hexes of range; 0 for none.
    visibility : int
        Longest sight in hexes; 0 for no limit.
    visibility_roll : str
        Dice that the visibility is rolled with, in words or as dice; empty when it stays.
    visibility_modifier : int
        Modifier of fire beyond half of the visibility.
    surveillance : tuple of str
        Forces that see every hex.
    texts : tuple of str
        Special rules in words.
    """

    options: dict[str, str | bool | int] = {}
    terrain_overrides: dict[str, str] = {}
    terrain_at: dict[str, str] = {}
    road_surface: Literal["", "paved", "unpaved"] = ""
    closed: tuple[str, ...] = ()
    defence_at: dict[str, int] = {}
    opened: tuple[str, ...] = ()
    smoke: tuple[str, ...] = ()
    haze_step: Annotated[int, msgspec.Meta(ge=0)] = 0
    visibility: Annotated[int, msgspec.Meta(ge=0)] = 0
    visibility_roll: Text = ""
    visibility_modifier: int = 0
    surveillance: tuple[str, ...] = ()
    texts: tuple[Text, ...] = ()


class Erratum(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where the source of a scenario errs, or contradicts itself, and how it is read here.

    Parameters
    ----------
    id : str
    at : str
        What it is about: a path in the scenario such as ``isil/saleh``, or a section of the source.
    printed : str
        What the source says, shortened.
    read_as : str
        What holds here.
    text : str
        Why.
    """

    id: Identifier
    at: str = ""
    printed: Text = ""
    read_as: Text = ""
    text: Text = ""


class Variant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A variant of a scenario: what is different in it.

    Parameters
    ----------
    id : str
    name : str
    changes : tuple of edits
        Edits that make the variant of the scenario, in order.
    text : str
    """

    id: Identifier
    name: Text
    changes: tuple[Put | Delete | SetField, ...] = ()
    text: Text = ""


class ScenarioDocument(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A scenario as its file holds it.

    Parameters
    ----------
    format, version : str, int
    title : str
    ruleset : str
    map : MapUse
    date : str
        Date of the action, as printed.
    situation : str
        Background in words.
    aim : str
        What it is about in a line, as sheets of scenarios print it.
    roster : list of OwnKind
        Kinds of units of the designer's own.
    forces : list of Force
    length : int
        Number of turns or activations; 0 where only conditions end the game.
    length_unit : {"turn", "activation"}
    ends : tuple of str
        Ids of clauses of which each ends the game before that.
    extended : ExtendedPlay or None
        Turns that may follow the last one.
    turn_names : tuple of str
        What the turns are called, where numbers do not do, such as ``1980-III``.
    first_side : str
        Id of the force that acts first; empty when drawn.
    first_formation : str
        Id of the formation that acts first; empty when the player chooses.
    ratings : dict of str to str or int
        Ratings of the game for the scenario, such as ``{"luck_cards": 3}``.
    objectives : list of Objective
    clauses : list of Clause
    victory : Condition or None
    events : list of Event
    support : list of Support
    cup : list of CupMarker
        What goes into the cup beside the markers of the formations.
    pools : list of DrawPool
    tables : list of RandomTable
    periods : list of Period
    special : SpecialRules
    place_notes : list of PlaceNote
        Notes to hexes and other places of the map.
    home : dict of str to tuple of str
        Home country of a side: ids or names of areas of the map. Of a side that is not named, the area with its own id
        or name.
    control : dict of str to tuple of str
        Hexes that a side controls otherwise than the rest says: the country that they lie in, and the units in them.
    unrestored : tuple of str
        Sources of supply that were taken, came back to their side, and do not work again yet.
    rules_introduced : list of str
        Sections that the scenario introduces, for learning in steps.
    variants : list of Variant
    errata : list of Erratum
        Where the source errs, and how it is read here.
    notes : str
    sources : list of Source
    """

    format: Literal["wargame-studio/scenario"] = "wargame-studio/scenario"
    version: Annotated[int, msgspec.Meta(ge=1)] = SCENARIO_VERSION
    title: Text = "Untitled scenario"
    ruleset: Identifier
    map: MapUse
    date: Text = ""
    situation: Text = ""
    aim: Text = ""
    roster: list[OwnKind] = []
    forces: list[Force] = []
    length: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 1
    length_unit: Literal["turn", "activation"] = "turn"
    ends: tuple[str, ...] = ()
    extended: ExtendedPlay | None = None
    turn_names: tuple[str, ...] = ()
    first_side: str = ""
    first_formation: str = ""
    ratings: dict[Identifier, Rating] = {}
    objectives: list[Objective] = []
    clauses: list[Clause] = []
    victory: Condition | None = None
    events: list[Event] = []
    support: list[Support] = []
    cup: list[CupMarker] = []
    pools: list[DrawPool] = []
    tables: list[RandomTable] = []
    periods: list[Period] = []
    special: SpecialRules = SpecialRules()
    place_notes: list[PlaceNote] = []
    home: dict[str, tuple[str, ...]] = {}
    control: dict[str, tuple[str, ...]] = {}
    unrestored: tuple[str, ...] = ()
    rules_introduced: list[str] = []
    variants: list[Variant] = []
    errata: list[Erratum] = []
    notes: Text = ""
    sources: list[Source] = []
