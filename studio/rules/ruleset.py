"""A ruleset as data: the catalogue of one game, read from its TOML file, with the modules that hold its logic."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from studio.errors import (
    DocumentError,
    Fault,
    NoSightError,
    ScenarioRuleError,
    UnknownNameError,
    UnsupportedError,
    nearest,
)
from studio.rules.catalogue import (
    BorderKind,
    Catalogue,
    Cost,
    DrawnType,
    MarkerType,
    Mover,
    OptionSpec,
    RatingSpec,
    SideKind,
    Terrain,
    halves,
)
from studio.rules.generic import settings as own_sight
from studio.rules.generic import supply_settings as own_supply
from studio.rules.lists import Disagreements, DrawnAreas, compare_lists, read_lists
from studio.rules.own_costs import cost_faults
from studio.rules.typed_file import form_faults
from studio.survey import BORDER, OUTLINE, Joint, Side, Survey, SurveyScheme

__all__ = ["Ruleset"]

_RESERVED = '"\\'  # they would have to be escaped in the text of a map


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


def _supply_options(catalogue: Catalogue) -> dict[str, OptionSpec]:
    """Return the settings of the ``[supply]`` table as options, what the table says as their defaults."""
    if not catalogue.supply:
        return {}
    said, section = own_supply.chosen_supply(catalogue.supply), catalogue.supply.get("section", "supply")
    return {
        own_supply.PREFIX + name: OptionSpec(
            default=said[own_supply.PREFIX + name], values=setting.values, section=str(section), text=setting.text
        )
        for name, setting in own_supply.SUPPLY_SETTINGS.items()
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
        self.option_specs: dict[str, OptionSpec] = {
            **_sight_options(catalogue),
            **_supply_options(catalogue),
            **catalogue.options,
        }

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
            faults, rest = form_faults(raw, Catalogue)
            if rest is not None:
                faults += cls(msgspec.convert(rest, Catalogue, strict=True))._faults()
            message, _, place = str(error).partition(" - at ")
            remedy = "compare with the TOML file of a game that comes with the studio"
            raise DocumentError(str(path), faults or [Fault(place.strip("`") or "$", message, remedy)]) from error
        ruleset = cls(catalogue)
        faults = list(ruleset._faults())
        if faults:
            raise DocumentError(str(path), faults)
        return ruleset

    def _faults(self) -> Iterator[Fault]:
        yield from cost_faults(self.catalogue, halves)
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
        for name, option in self.catalogue.options.items():
            if option.default not in option.values:
                allowed = ", ".join(map(repr, option.values))
                yield Fault(f"$.options.{name}.default", f"got {option.default!r}, allowed: {allowed}", "choose one")
        yield from own_supply.supply_faults(self.catalogue)
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
            closing=frozenset(name for name, kind in self.border_kinds.items() if kind.closes),
            joining=frozenset(name for name, kind in self.link_types.items() if kind.joins),
            sides=self.places.borders if self.places is not None else None,
            joints=self.places.joints if self.places is not None else None,
        )

    @cached_property
    def border_kinds(self) -> dict[str, BorderKind]:
        """Kinds of borders by name: those of the game, and one for every type of wall that can run along a border."""
        kinds = dict(self.catalogue.borders)
        if self.places is None and any(kind.location for kind in self.area_types.values()):
            kinds.setdefault(BORDER, BorderKind(name="Border"))
            kinds.setdefault(OUTLINE, BorderKind(name="Outline, with no location on the other side"))
        for name, wall in self.wall_types.items():
            kinds.setdefault(name, BorderKind(name=wall.name, section=wall.section, closes=wall.closes))
        return kinds

    def borders(self, survey: Survey) -> tuple[Side, ...]:
        """Return what parts the locations of a map, with its kinds.

        Parameters
        ----------
        survey : Survey
            A survey with the scheme of this game has them ready; of another one they are found anew.

        Returns
        -------
        tuple of Side
            Hexsides first, then the borders of areas in the order of the directory.
        """
        return Survey(survey.model, self.survey_scheme).boundaries if not self._own(survey) else survey.boundaries

    def joints(self, survey: Survey) -> tuple[Joint, ...]:
        """Return what joins locations that have no side in common, such as stairs, arrows, and doors.

        Parameters
        ----------
        survey : Survey
        """
        return Survey(survey.model, self.survey_scheme).joints if not self._own(survey) else survey.joints

    def compare_adjacency(self, survey: Survey, lists: Mapping[str, Any] | str | PathLike[str]) -> Disagreements:
        """Compare lists of what is next to what with the map.

        Parameters
        ----------
        survey : Survey
        lists : mapping or path
            See :func:`studio.rules.lists.read_lists`.

        Raises
        ------
        DocumentError
            When the lists cannot be read.
        UnsupportedError
            When no area of the map is a location, or the game has not what the lists tell.
        """
        given = read_lists(lists)
        own = getattr(self.places, "compare_adjacency", None)
        if own is not None:
            found: Disagreements = own(survey, given)
            return found
        return compare_lists(DrawnAreas(survey, self.title), given)

    def _own(self, survey: Survey) -> bool:
        return survey.scheme == self.survey_scheme

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

    def marker_cost(self, kind: str, mover: str) -> int | None:
        """Return the extra cost of entering a location with a marker in half points, None where the mover cannot.

        Raises
        ------
        UnknownNameError
            When the game has no such marker or mover.
        """
        if kind not in self.marker_types:
            msg = f"unknown marker {kind!r} in {self.title}; {nearest(kind, self.marker_types)}"
            raise UnknownNameError(msg)
        marker = self.marker_types[kind]
        return halves(self._by_mover(marker.move, mover, marker.enter))

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
        """What knows the costs of movement: the game's module, or else the tables of its file.

        Raises
        ------
        UnknownNameError
            When the file gives no costs of movement.
        """
        if not self.catalogue.paths_module and self.has_movement:
            return import_module("studio.rules.generic.paths").GenericPaths(self)
        return self._module(self.catalogue.paths_module, "movement")

    @property
    def has_movement(self) -> bool:
        """Whether the game says what movement costs: in a module, or in the ``move`` tables of its terrain."""
        in_tables = bool(self.movers) and any(terrain.move for terrain in self.terrains.values())
        return bool(self.catalogue.paths_module) or in_tables

    @cached_property
    def places(self) -> Any:
        """Module that knows the borders and joints of the game; None where those of drawn walls and links will do."""
        return import_module(self.catalogue.places_module) if self.catalogue.places_module else None

    @property
    def has_supply(self) -> bool:
        """Whether the game has a supply rule."""
        return bool(self.catalogue.supply_module or self.catalogue.supply)

    @cached_property
    def supply(self) -> Any:
        """What knows the supply of the game: its module, or the settings of its ``[supply]`` table.

        Raises
        ------
        UnsupportedError
            When the game has no supply.
        """
        if self.catalogue.supply_module:
            return import_module(self.catalogue.supply_module).supply(self)
        if not self.catalogue.supply:
            msg = f"{self.title} has no supply rule; a [supply] table in the file of a game of one's own gives it one"
            raise UnsupportedError(msg)
        return import_module("studio.rules.generic.supply").TableSupply(self)

    @cached_property
    def ratings(self) -> dict[str, RatingSpec]:
        """Ratings that scenarios of the game can give, by name: those of its own file, and of a ``ratings.toml``."""
        found = dict(self.catalogue.ratings)
        if self.has_scenario:
            file = Path(self.scenario.__file__).parent / "ratings.toml"
            if file.is_file():
                found |= msgspec.convert(tomllib.loads(file.read_text(encoding="utf-8")), dict[str, RatingSpec])
        return found

    @property
    def has_scenario(self) -> bool:
        """Whether the studio knows the roster and the scenario rules of the game."""
        return bool(self.catalogue.scenario_module)

    @property
    def scenario(self) -> Any:
        """Module with the roster and the scenario rules."""
        return self._module(self.catalogue.scenario_module, "scenario rules")

    @property
    def clouds(self) -> Any:
        """Module that says which hexes and locations a cloud covers.

        Raises
        ------
        UnknownNameError
            When the game has no clouds with a tail.
        """
        return self._module(self.catalogue.clouds_module, "clouds with a tail that the wind turns")

    def to_bundle(self, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return what an engine needs of the ruleset, with the options in force; see ``studio.rules.in_bundles``."""
        from studio.rules.in_bundles import bundle_tables

        return bundle_tables(self, options)
