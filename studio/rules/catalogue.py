"""The records of a game's TOML file: terrain, hexsides, markers, what is drawn, movers, options."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any, Literal

import msgspec

from studio.errors import ScenarioRuleError

__all__ = [
    "BorderKind",
    "Catalogue",
    "Cost",
    "DrawnType",
    "MarkerType",
    "Movement",
    "Mover",
    "OptionSpec",
    "RatingSpec",
    "SideKind",
    "Tag",
    "Terrain",
    "halves",
]

Cost = int | str
"""A cost as written: whole points, a fraction such as "1/2", or "X" for impassable."""


def halves(cost: Cost) -> int | None:
    """Return a cost in half points, None for impassable.

    Raises
    ------
    ScenarioRuleError
        When the cost is no whole number of halves.

    Examples
    --------
    >>> halves(3), halves("1/2"), halves("X")
    (6, 1, None)
    """
    if cost == "X":
        return None
    try:
        # "1e999999999" would be counted out.
        is_plain = not isinstance(cost, str) or re.fullmatch(r"-?[0-9]{1,20}([/.][0-9]{1,20})?", cost.strip())
        doubled = Fraction(cost if is_plain else "") * 2
    except (ValueError, ZeroDivisionError) as error:
        msg = f"cost {cost!r}: allowed are whole points, halves such as '1/2', and 'X' for impassable"
        raise ScenarioRuleError(msg) from error
    if doubled.denominator != 1:
        msg = f"cost {cost!r}: points come in halves"
        raise ScenarioRuleError(msg)
    return int(doubled)


class Terrain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One terrain of a game.

    Attributes
    ----------
    name : str
        The game's term.
    char : str
        Character in map files.
    sight : str
        Class of effect on sight; its meaning is the game's.
    move : dict of str to int or str
        Movement points to enter, by mover; "X" is impassable.
    defence : dict of str to int
        Modifier to attacks on a unit in it, by mover.
    height : int
        How many levels it rises above its ground, for sight.
    playable : bool
        False where no unit can be: such a hex is no location.
    bog : tuple of str
        Movers that may bog down in it.
    """

    name: str
    char: str
    sight: str = "open"
    section: str = ""
    height: int = 0
    playable: bool = True
    move: dict[str, Cost] = {}
    bog: tuple[str, ...] = ()
    defence: dict[str, int] = {}


class SideKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that can run on a hexside; ``cross`` is the extra cost, by mover; the rest is as of terrain."""

    name: str
    section: str = ""
    sight: str = ""
    height: int = 0
    cross: dict[str, Cost] = {}
    bog: tuple[str, ...] = ()
    defence: dict[str, int] = {}


class MarkerType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A marker that can lie in a hex.

    Attributes
    ----------
    enter : int
        Extra movement points to enter its hex.
    terrain : tuple of str
        Terrain that it may lie in; any when empty.
    sight, height, bog, defence
        As of terrain.
    move : dict of str to int or str
        Extra movement points to enter its hex, by mover, where they differ; "X" is impassable.
    becomes : str
        Terrain that its hex counts as, empty for its own.
    cloud : bool
        Its tail covers further hexes downwind; `Ruleset.clouds` says which.
    """

    name: str
    section: str = ""
    sight: str = ""
    height: int = 0
    enter: int = 0
    terrain: tuple[str, ...] = ()
    move: dict[str, Cost] = {}
    bog: tuple[str, ...] = ()
    defence: dict[str, int] = {}
    becomes: str = ""
    cloud: bool = False


class Tag(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a tag of an area or a place says: in the game's term, with the section that tells of it."""

    name: str
    section: str = ""


class DrawnType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of area, place, wall, aperture or link that a game knows.

    Attributes
    ----------
    name : str
        The game's term.
    location : bool
        Areas only: units can be in it.
    covers : bool
        Areas only: hexes whose dot it covers are no locations of their own.
    sight, height : str, int
        As of terrain.
    tags : dict of str to Tag
        Areas and places only: the tags that one may have. A name that ends in a colon stands for all that begin so,
        such as ``room:`` for ``room:1``.
    layer : str
        Areas only: two areas of one layer do not overlap. Locations are a layer of their own without saying so.
    parts : tuple of str
        Areas only: types of the areas that lie within one of this type and cover it without a gap.
    closes : bool
        Walls only: what it runs along is closed, and joins nothing.
    joins : bool
        Links only: the two locations are next to each other.
    """

    name: str
    section: str = ""
    location: bool = False
    covers: bool = False
    sight: str = ""
    height: int = 0
    tags: dict[str, Tag] = {}
    layer: str = ""
    parts: tuple[str, ...] = ()
    closes: bool = False
    joins: bool = True

    def tag(self, name: str) -> Tag | None:
        """Return what a tag says, None where this type has no such tag."""
        if name in self.tags:
            return self.tags[name]
        return self.tags.get(f"{name.partition(':')[0]}:") if ":" in name.strip(":") else None


class BorderKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of border between two locations, or of the outline of one.

    Attributes
    ----------
    name : str
        The game's term.
    closes : bool
        What it runs along is closed, and joins nothing, unless something pierces it.
    """

    name: str
    section: str = ""
    closes: bool = False


class Mover(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way of moving; ``like`` names the mover whose costs hold where it has none of its own."""

    name: str
    like: str = ""


class Movement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Costs that are not of one terrain.

    Attributes
    ----------
    road : int or str
        Of a step along a road.
    elevation : int or str
        Of each level up.
    least : int or str
        Of any step.
    flank : int
        What flank speed adds to a step.
    bridges : bool
        A road passes what is on a hexside as over a bridge, or through a gate.
    minimum_one : bool
        A mover can always go one location, whatever it costs.
    """

    road: Cost = 1
    elevation: Cost = 0
    least: Cost = 0
    flank: int = 0
    bridges: bool = True
    minimum_one: bool = False


class OptionSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reading of the rules that a designer can choose."""

    default: str | bool | int
    values: tuple[str | bool | int, ...]
    section: str = ""
    text: str = ""

    @property
    def choices(self) -> str:
        """The values as a person types them; a long row of numbers by its ends."""
        if len(self.values) > 8 and all(type(value) is int for value in self.values):
            return f"{self.values[0]} to {self.values[-1]}"
        return " | ".join(str(value).lower() if isinstance(value, bool) else str(value) for value in self.values)


class RatingSpec(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rating that a scenario of the game can give, such as the dice for the impulses of a side.

    Attributes
    ----------
    title : str
        The game's term.
    of : tuple of {"scenario", "force", "formation"}
        What can have it.
    value : {"number", "dice", "choice"}
        A number; dice such as ``2D6+3``, or a number; or one of ``values``.
    least, most : int or None
        Limits of the number, and of what dice can give; None for none.
    values : tuple of str
    section, text : str
        Where the game tells of it, and what it is.
    """

    title: str
    of: tuple[Literal["scenario", "force", "formation"], ...]
    value: Literal["number", "dice", "choice"] = "number"
    least: int | None = None
    most: int | None = None
    values: tuple[str, ...] = ()
    section: str = ""
    text: str = ""

    @property
    def allowed(self) -> str:
        """What is allowed, in words."""
        if self.value == "choice":
            return " | ".join(self.values)
        least, most = ("" if one is None else str(one) for one in (self.least, self.most))
        words = "dice or a number" if self.value == "dice" else "a number"
        only = f"from {least}" if least else f"up to {most}" if most else ""
        limits = f"{least} to {most}" if least and most else only
        return f"{words}, {limits}" if limits else words


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The TOML file of a ruleset."""

    id: str
    title: str
    terrain: dict[str, Terrain]
    levels: tuple[int, int]
    sight_module: str = ""
    paths_module: str = ""
    scenario_module: str = ""
    supply_module: str = ""
    clouds_module: str = ""
    places_module: str = ""
    hex_metres: int = 0
    stacking: int = 0
    orientation: Literal["flat", "pointy"] = "flat"
    features: tuple[str, ...] = ()
    sides: dict[str, SideKind] = {}
    markers: dict[str, MarkerType] = {}
    areas: dict[str, DrawnType] = {}
    places: dict[str, DrawnType] = {}
    walls: dict[str, DrawnType] = {}
    apertures: dict[str, DrawnType] = {}
    links: dict[str, DrawnType] = {}
    borders: dict[str, BorderKind] = {}
    road_in: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    movers: dict[str, Mover] = {}
    movement: Movement = Movement()
    modifiers: dict[str, int | str] = {}
    sight: dict[str, Any] | bool = {}
    supply: dict[str, Any] = {}
    options: dict[str, OptionSpec] = {}
    ratings: dict[str, RatingSpec] = {}
