"""A ruleset as data: the catalogue of one game, read from its TOML file, with the modules that hold its logic."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Literal

import msgspec

from studio.errors import DocumentError, Fault, NoSightError, ScenarioRuleError, UnknownNameError, nearest
from studio.rules.generic import settings as own_sight
from studio.survey import SurveyScheme

__all__ = ["Cost", "DrawnType", "Mover", "OptionSpec", "Ruleset", "Terrain", "halves"]

_RESERVED = '"\\'  # they would have to be escaped in the text of a map

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
        doubled = Fraction(cost) * 2
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
    """

    name: str
    section: str = ""
    location: bool = False
    covers: bool = False
    sight: str = ""
    height: int = 0


class Mover(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A way of moving; ``like`` names the mover whose costs hold where it has none of its own."""

    name: str
    like: str = ""


class Movement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Costs that are not of one terrain."""

    road: Cost = 1
    elevation: Cost = 0
    least: Cost = 0
    flank: int = 0


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


class Catalogue(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The TOML file of a ruleset."""

    id: str
    title: str
    terrain: dict[str, Terrain]
    levels: tuple[int, int]
    sight_module: str = ""
    paths_module: str = ""
    scenario_module: str = ""
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
    road_in: tuple[str, ...] = ()
    movers: dict[str, Mover] = {}
    movement: Movement = Movement()
    modifiers: dict[str, int | str] = {}
    sight: dict[str, Any] | bool = {}
    options: dict[str, OptionSpec] = {}


def _judged_by_settings(catalogue: Catalogue) -> bool:
    """Tell whether the ``[sight]`` table says how lines of sight are judged: no module does, and they are not off."""
    return not catalogue.sight_module and catalogue.sight is not False


def _sight_options(catalogue: Catalogue) -> dict[str, OptionSpec]:
    """Return the settings of the ``[sight]`` table as options, what the table says as their defaults."""
    if not _judged_by_settings(catalogue):
        return {}
    chosen = own_sight.chosen(catalogue.sight if isinstance(catalogue.sight, dict) else {})
    return {
        name: OptionSpec(default=chosen[name], values=setting.values, section="sight", text=setting.text)
        for name, setting in own_sight.SETTINGS.items()
    }


class Ruleset:
    """One game: its catalogue and the functions that answer its questions.

    Parameters
    ----------
    catalogue : Catalogue
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.id, self.title = catalogue.id, catalogue.title
        self.terrains: dict[str, Terrain] = catalogue.terrain
        self.side_kinds: dict[str, SideKind] = catalogue.sides
        self.marker_types: dict[str, MarkerType] = catalogue.markers
        self.area_types: dict[str, DrawnType] = catalogue.areas
        self.place_types: dict[str, DrawnType] = catalogue.places
        self.wall_types: dict[str, DrawnType] = catalogue.walls
        self.aperture_types: dict[str, DrawnType] = catalogue.apertures
        self.link_types: dict[str, DrawnType] = catalogue.links
        self.movers: dict[str, Mover] = catalogue.movers
        self.levels: tuple[int, int] = catalogue.levels
        self.feature_kinds: tuple[str, ...] = catalogue.features
        self.option_specs: dict[str, OptionSpec] = {**_sight_options(catalogue), **catalogue.options}

    def __repr__(self) -> str:
        return f"Ruleset({self.id!r}, {len(self.terrains)} terrains)"

    @classmethod
    def read(cls, path: Path) -> Ruleset:
        """Read a ruleset from its TOML file.

        Raises
        ------
        DocumentError
            When the file is no TOML, or does not say what a ruleset must.
        """
        try:
            raw = tomllib.loads(path.read_text(encoding="utf-8"))
            catalogue = msgspec.convert(raw, Catalogue, strict=True)
        except OSError as error:
            remedy = "name a TOML file that can be read"
            raise DocumentError(str(path), [Fault("$", f"cannot be read: {error.strerror}", remedy)]) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise DocumentError(
                str(path), [Fault("$", f"is no TOML: {error}", "mend the line that is named")]
            ) from error
        except msgspec.ValidationError as error:
            message, _, place = str(error).partition(" - at ")
            remedy = "compare with the TOML file of a game that comes with the studio"
            raise DocumentError(str(path), [Fault(place.strip("`") or "$", message, remedy)]) from error
        ruleset = cls(catalogue)
        faults = list(ruleset._faults())
        if faults:
            raise DocumentError(str(path), faults)
        return ruleset

    def _faults(self) -> Iterator[Fault]:
        marks: dict[str, str] = {}
        for name, terrain in self.terrains.items():
            place = f"$.terrain.{name}"
            printable = len(terrain.char) == 1 and " " < terrain.char < "\x7f"
            if not printable or terrain.char in _RESERVED:
                allowed = "one printable ASCII character, not a space, quote or backslash"
                yield Fault(f"{place}.char", f"got {terrain.char!r}, allowed: {allowed}", "choose a letter")
            if terrain.char in marks:
                yield Fault(f"{place}.char", f"{terrain.char!r} is that of {marks[terrain.char]}", "choose another")
            marks[terrain.char] = name
            for mover, cost in terrain.move.items():
                try:
                    halves(cost)
                except ScenarioRuleError as error:
                    yield Fault(f"{place}.move.{mover}", str(error), "write 1, '1/2' or 'X'")
                if mover not in self.movers:
                    yield Fault(f"{place}.move.{mover}", "unknown mover", nearest(mover, self.movers))
        for name, option in self.catalogue.options.items():
            if option.default not in option.values:
                allowed = ", ".join(map(repr, option.values))
                yield Fault(f"$.options.{name}.default", f"got {option.default!r}, allowed: {allowed}", "choose one")
        if _judged_by_settings(self.catalogue):
            yield from own_sight.faults(self.catalogue)
        elif self.catalogue.sight_module and self.catalogue.sight:
            yield Fault("$.sight", "the game has a sight module of its own", "take out one of the two")

    @cached_property
    def survey_scheme(self) -> SurveyScheme:
        """What a survey needs to know of the game to tell locations from drawings."""
        return SurveyScheme(
            unplayable=frozenset(name for name, terrain in self.terrains.items() if not terrain.playable),
            location_areas=frozenset(name for name, kind in self.area_types.items() if kind.location),
            places=bool(self.place_types),
            road_in=frozenset(self.catalogue.road_in),
        )

    def drawn_types(self, kind: str) -> dict[str, Any]:
        """Return the types that features of one kind can have, by name: those of ``area``, ``wall``, ``marker``."""
        tables: dict[str, dict[str, Any]] = {
            "area": self.area_types,
            "place": self.place_types,
            "wall": self.wall_types,
            "aperture": self.aperture_types,
            "link": self.link_types,
            "marker": self.marker_types,
        }
        return tables.get(kind, {})

    @cached_property
    def terrain_characters(self) -> dict[str, str]:
        """Terrain ids with their characters in map files, the default terrain first."""
        return {name: terrain.char for name, terrain in self.terrains.items()}

    def terrain(self, name: str) -> Terrain:
        """Return one terrain.

        Raises
        ------
        UnknownNameError
            When the game has no such terrain.
        """
        if name not in self.terrains:
            msg = f"unknown terrain {name!r} in {self.title}; {nearest(name, self.terrains)}"
            raise UnknownNameError(msg)
        return self.terrains[name]

    def options(self, chosen: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return the options in force: the defaults, and what was chosen instead.

        Raises
        ------
        UnknownNameError
            When there is no such option.
        ScenarioRuleError
            When an option cannot have such a value.
        """
        force: dict[str, Any] = {name: spec.default for name, spec in self.option_specs.items()}
        if chosen is not None and not isinstance(chosen, Mapping):
            msg = f"options: got {chosen!r}; give a mapping such as {{'name': value}}"
            raise ScenarioRuleError(msg)
        for name, value in (chosen or {}).items():
            if name not in force:
                msg = f"unknown option {name!r} in {self.title}; {nearest(str(name), force)}"
                raise UnknownNameError(msg)
            spec = self.option_specs[name]
            # True == 1 in Python; an option of texts or truths must not take a number for one of them.
            if not any(value == allowed and type(value) is type(allowed) for allowed in spec.values):
                allowed = spec.choices if len(spec.values) > 8 else ", ".join(map(repr, spec.values))
                msg = f"option {name}: got {value!r}, allowed: {allowed} ({spec.section})"
                raise ScenarioRuleError(msg)
            force[name] = value
        return force

    def move_cost(self, terrain: str, mover: str) -> int | None:
        """Return the cost of entering a terrain in half points, None where the mover cannot.

        Raises
        ------
        UnknownNameError
            When the game has no such terrain or mover.
        """
        return halves(self._by_mover(self.terrain(terrain).move, mover, "X"))

    def cross_cost(self, side: str, mover: str) -> int | None:
        """Return the extra cost of crossing what runs on a hexside in half points, None where the mover cannot.

        Raises
        ------
        UnknownNameError
            When the game has no such hexside or mover.
        """
        if side not in self.side_kinds:
            msg = f"unknown hexside {side!r} in {self.title}; {nearest(side, self.side_kinds)}"
            raise UnknownNameError(msg)
        return halves(self._by_mover(self.side_kinds[side].cross, mover, 0))

    def _by_mover(self, table: Mapping[str, Cost], mover: str, default: Cost) -> Cost:
        if mover not in self.movers:
            msg = f"unknown mover {mover!r} in {self.title}; {nearest(mover, self.movers)}"
            raise UnknownNameError(msg)
        if mover in table:
            return table[mover]
        like = self.movers[mover].like
        return self._by_mover(table, like, default) if like else default

    def _module(self, name: str, what: str) -> Any:
        if not name:
            msg = f"{self.title} has no {what}"
            raise UnknownNameError(msg)
        return import_module(name)

    @property
    def has_sight(self) -> bool:
        """Whether the game has lines of sight at all; a module without any says so by ``HAS_SIGHT = False``."""
        if self.catalogue.sight_module:
            return bool(getattr(self.sight, "HAS_SIGHT", True))
        return _judged_by_settings(self.catalogue)

    @property
    def sight(self) -> Any:
        """What judges lines of sight: the game's module, or the settings of its ``[sight]`` table.

        Raises
        ------
        NoSightError
            When the file says that the game has none.
        """
        if _judged_by_settings(self.catalogue):
            return import_module("studio.rules.generic.sight").GenericSight(self)
        if not self.catalogue.sight_module:
            msg = f"{self.title} has no lines of sight: its file says sight = false; a [sight] table gives it some"
            raise NoSightError(msg)
        return import_module(self.catalogue.sight_module)

    @property
    def paths(self) -> Any:
        """Module that knows the costs of movement."""
        return self._module(self.catalogue.paths_module, "movement")

    @property
    def scenario(self) -> Any:
        """Module with the roster and the scenario rules."""
        return self._module(self.catalogue.scenario_module, "scenario rules")

    def to_bundle(self, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what an engine needs of the ruleset, with the options in force.

        Returns
        -------
        dict
            Costs are in half points (``null`` is impassable), so that every figure is a whole number.
        """
        movers = list(self.movers)
        return {
            "id": self.id,
            "title": self.title,
            "hex_metres": self.catalogue.hex_metres,
            "levels": list(self.levels),
            "stacking": self.catalogue.stacking,
            "options": self.options(options),
            "movers": {name: mover.name for name, mover in self.movers.items()},
            "movement": {
                "road_halves": halves(self.catalogue.movement.road),
                "elevation_halves": halves(self.catalogue.movement.elevation),
                "least_halves": halves(self.catalogue.movement.least),
                "flank_halves": 2 * self.catalogue.movement.flank,
            },
            "modifiers": dict(self.catalogue.modifiers),
            "terrain": {
                name: {
                    "name": terrain.name,
                    "sight": terrain.sight,
                    "height": terrain.height,
                    "playable": terrain.playable,
                    "section": terrain.section,
                    "enter_halves": {mover: self.move_cost(name, mover) for mover in movers},
                    "defence": dict(terrain.defence),
                }
                for name, terrain in self.terrains.items()
            },
            "sides": {
                name: {
                    "name": side.name,
                    "section": side.section,
                    "cross_halves": {mover: self.cross_cost(name, mover) for mover in movers},
                }
                for name, side in self.side_kinds.items()
            },
            "markers": {
                name: {"name": marker.name, "section": marker.section, "enter_halves": 2 * marker.enter}
                for name, marker in self.marker_types.items()
            },
            **{
                f"{kind}s": {name: msgspec.to_builtins(drawn) for name, drawn in self.drawn_types(kind).items()}
                for kind in ("area", "place", "wall", "aperture", "link")
            },
        }
