"""Rosters: the kinds of units of a game, from the ``roster.toml`` beside its scenario module, and of scenarios."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from studio.errors import UnknownNameError, nearest
from studio.model import Formation, OwnKind, ScenarioDocument, UnitRecord

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = [
    "FIGHTING",
    "UnitKind",
    "count_units",
    "figure_of",
    "kinds_of_unit",
    "own_kinds",
    "read_roster",
    "roster_of",
    "rules_of",
    "unit_of",
]

FIGHTING = frozenset({"infantry", "vehicle", "air", "ground", "hq"})
"""Kinds of counters that are units: neither support weapons nor markers."""

_TEXTS = ("kind", "role", "mover", "used_by")
_VALUES = ("transport", "stacks", "movement", "quantity", "points")


class UnitKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of unit, support weapon or marker; games add what their counters show.

    Attributes
    ----------
    id : str
        Such as ``us.rifle``.
    name : str
    kind : {"infantry", "vehicle", "air", "support_weapon", "marker"}
    role : str
        What it is in the game; its words are the game's.
    section : str
        Where the text tells of it.
    mover : str
        Way of moving; empty of what does not move by itself.
    transport : bool
        It can carry foot units.
    used_by : str
        Kind of unit that may use a support weapon; any when empty.
    stacks : bool
        It counts towards the stacking limit.
    movement, quantity, points : int
        Movement allowance, counters in the box, cost; 0 where the text gives none.
    figures : dict of str to int
        What else the counter shows and no field says; of kinds of a designer's own.
    """

    id: str = ""
    name: str
    kind: str = "infantry"
    role: str = ""
    section: str = ""
    mover: str = ""
    transport: bool = False
    used_by: str = ""
    stacks: bool = True
    movement: int = 0
    quantity: int = 0
    points: int = 0
    figures: dict[str, int] = {}


K = TypeVar("K", bound=msgspec.Struct)


def read_roster(file: Path, kind: type[K]) -> dict[str, K]:
    """Return the entries of a roster by id: the name of their table, behind that of its group where there is one.

    Parameters
    ----------
    file : Path
    kind : type
        What an entry is.
    """
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    found = {}
    for group, entries in raw.items():
        alone = "name" in entries
        for name, entry in (
            ((group, entries),) if alone else ((f"{group}.{name}", one) for name, one in entries.items())
        ):
            found[name] = msgspec.convert({**entry, "id": name}, kind)
    return found


def unit_of(roster: Mapping[str, K], name: str) -> K:
    """Return one entry of a roster.

    Raises
    ------
    UnknownNameError
        When there is no such entry.
    """
    if name not in roster:
        msg = f"unknown unit type {name!r}; {nearest(name, roster)}"
        raise UnknownNameError(msg)
    return roster[name]


def kinds_of_unit(units: Iterable[UnitRecord], roster: Mapping[str, K]) -> Iterator[tuple[UnitRecord, K]]:
    """Yield the units that a roster knows, each with its entry."""
    for unit in units:
        kind = roster.get(unit.type)
        if kind is not None:
            yield unit, kind


def count_units(roster: Mapping[str, Any], formation: Formation) -> int:
    """Return how many counters of a formation are units: neither support weapons nor markers."""
    return sum(unit.count for unit, kind in kinds_of_unit(formation.units, roster) if kind.kind in FIGHTING)


def figure_of(kind: Any, name: str) -> int | None:
    """Return a figure of a kind of unit, None where it has none (or no kind is given).

    Parameters
    ----------
    kind : UnitKind or None
    name : str
        A field of the game's kinds, or a figure of a kind of the designer's own.
    """
    found = getattr(kind, name, None) or getattr(kind, "figures", {}).get(name)
    return found if isinstance(found, int) else None


# -- a designer's own --------------------------------------------------------------------------------------------------


def roster_of(ruleset: Ruleset, document: ScenarioDocument) -> dict[str, Any]:
    """Return the kinds of units that a scenario can use: those of its game, then its own.

    Parameters
    ----------
    ruleset : Ruleset
        A game with a roster or without one.
    document : ScenarioDocument

    Returns
    -------
    dict of str to UnitKind
        By id. The scenario's own take the place of kinds of the game with the same id.
    """
    base: dict[str, Any] = ruleset.scenario.roster() if ruleset.has_scenario else {}
    return own_kinds(base, document.roster, _type_of(ruleset)) if document.roster else base


def rules_of(ruleset: Ruleset, document: ScenarioDocument) -> Any:
    """Return what says how the units of a scenario stack and where they stand; None where nothing does.

    Parameters
    ----------
    ruleset : Ruleset
    document : ScenarioDocument

    Returns
    -------
    module, PlainScenario or None
        The scenario module of the game. A game without one has plain rules for kinds that the scenario brings along.
    """
    if ruleset.has_scenario:
        return ruleset.scenario
    if not document.roster:
        return None
    from studio.rules.generic.scenario import PlainScenario

    return PlainScenario(ruleset)


def own_kinds(base: Mapping[str, K], own: Iterable[OwnKind], made: type[K]) -> dict[str, Any]:
    """Return kinds of units with those of a designer added, each over the one that it is like.

    Parameters
    ----------
    base : mapping of str to UnitKind
        Kinds of the game by id.
    own : iterable of OwnKind
        In order; one may be like an earlier one. Like nothing that there is, it is a new one.
    made : type
        What an entry is.
    """
    found: dict[str, Any] = dict(base)
    for one in own:
        found[one.id] = _merged(one, found.get(one.like), made)
    return found


def _type_of(ruleset: Ruleset) -> type[Any]:
    """Return what an entry of the roster of a game is."""
    made: type[Any] = getattr(ruleset.scenario, "UnitType", UnitKind) if ruleset.has_scenario else UnitKind
    return made


def _merged(own: OwnKind, like: Any, made: type[Any]) -> Any:
    """Return a kind of a designer's own with what it does not say from the kind that it is like."""
    said: dict[str, Any] = {name: getattr(own, name) for name in _TEXTS if getattr(own, name)}
    said |= {name: getattr(own, name) for name in _VALUES if getattr(own, name) is not None}
    extra = dict(like.figures) if like is not None else {}
    for name, value in own.figures.items():
        # A field of the kinds of the game that holds a number is one and the same figure.
        if isinstance(_default(made, name), int) and not isinstance(_default(made, name), bool):
            said[name] = value
        else:
            extra[name] = value
    said |= {"id": own.id, "name": own.name, "figures": extra}
    return msgspec.structs.replace(like, **said) if like is not None else made(**said)


def _default(made: type[Any], name: str) -> Any:
    return next((field.default for field in msgspec.structs.fields(made) if field.name == name), None)
