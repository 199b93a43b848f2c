"""Documents: what a map file and a scenario file say, as typed records. No file access, no picture, no rule."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from studio.grid import HexGrid, LabelScheme
from studio.model.features import Feature, Identifier, Text
from studio.model.mapuse import MapUse
from studio.model.sheets import Sheet

__all__ = [
    "MAP_FORMAT",
    "MAP_VERSION",
    "SCENARIO_FORMAT",
    "SCENARIO_VERSION",
    "Condition",
    "Force",
    "Formation",
    "Georeference",
    "MapDocument",
    "Objective",
    "Plane",
    "ScenarioDocument",
    "SetUp",
    "Source",
    "SpecialRules",
    "UnitRecord",
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


class Georeference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the map lies in the real world.

    Parameters
    ----------
    crs : str
        Coordinate reference system, such as ``EPSG:32637``.
    affine : tuple of 6 floats
        a, b, c, d, e, f with world x = a x + b y + c and world y = d x + e y + f, from map units.
    """

    crs: str
    affine: tuple[float, float, float, float, float, float]


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
    """One side of a scenario and its order of battle."""

    id: Identifier
    name: Text
    formations: tuple[Formation, ...] = ()
    set_up_order: Annotated[int, msgspec.Meta(ge=1)] = 1
    notes: Text = ""


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


class SpecialRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Rules that hold in one scenario only, as far as sight and terrain know them; the rest is text.

    Parameters
    ----------
    options : dict of str to str, bool or int
        Options of the ruleset, such as ``{"border_rule": "per_border"}``.
    terrain_overrides : dict of str to str
        Terrain that counts as another one, such as ``{"light_urban": "dense_urban"}``.
    smoke : tuple of str
        Hexes with permanent smoke.
    haze_step : int
        One point of hindrance for every so many hexes of range; 0 for none.
    visibility : int
        Longest sight in hexes; 0 for no limit.
    visibility_modifier : int
        Modifier of fire beyond half of the visibility.
    surveillance : tuple of str
        Forces that see every hex.
    texts : tuple of str
        Special rules in words.
    """

    options: dict[str, str | bool | int] = {}
    terrain_overrides: dict[str, str] = {}
    smoke: tuple[str, ...] = ()
    haze_step: Annotated[int, msgspec.Meta(ge=0)] = 0
    visibility: Annotated[int, msgspec.Meta(ge=0)] = 0
    visibility_modifier: int = 0
    surveillance: tuple[str, ...] = ()
    texts: tuple[Text, ...] = ()


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
    forces : list of Force
    length : int
        Number of turns or activations.
    length_unit : {"turn", "activation"}
    first_side : str
        Id of the force that acts first; empty when drawn.
    objectives : list of Objective
    victory : Condition or None
    special : SpecialRules
    home : dict of str to tuple of str
        Home country of a side: ids or names of areas of the map. Of a side that is not named, the area with its own id
        or name.
    control : dict of str to tuple of str
        Hexes that a side controls otherwise than the rest says: the country that they lie in, and the units in them.
    unrestored : tuple of str
        Sources of supply that were taken, came back to their side, and do not work again yet.
    rules_introduced : list of str
        Sections that the scenario introduces, for learning in steps.
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
    forces: list[Force] = []
    length: Annotated[int, msgspec.Meta(ge=1, le=10_000)] = 1
    length_unit: Literal["turn", "activation"] = "turn"
    first_side: str = ""
    objectives: list[Objective] = []
    victory: Condition | None = None
    special: SpecialRules = SpecialRules()
    home: dict[str, tuple[str, ...]] = {}
    control: dict[str, tuple[str, ...]] = {}
    unrestored: tuple[str, ...] = ()
    rules_introduced: list[str] = []
    notes: Text = ""
    sources: list[Source] = []
