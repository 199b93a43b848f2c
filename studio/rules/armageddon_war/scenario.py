"""Scenarios of Armageddon War: the roster (7.2, 7.3), points, stacking (3.01) and who may stand where (3.0)."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec

from studio.errors import UnknownNameError, nearest
from studio.model import Formation
from studio.rules import get_ruleset
from studio.survey import Survey

__all__ = ["UnitType", "can_stand", "formation_points", "formation_units", "roster", "stacks", "unit_type"]


class UnitType(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of counter.

    Attributes
    ----------
    id : str
        Such as ``rebel.militia``.
    name : str
        As printed.
    kind : {"infantry", "vehicle", "air", "support_weapon", "marker"}
    mover : str
        Way of moving where the text gives it; empty otherwise.
    transport : bool
        It can carry an infantry unit.
    stacks : bool
        It counts towards the stacking limit if it is infantry or a vehicle.
    used_by : str
        Kind of unit that may use a support weapon; any when empty.
    quantity : int
        Counters in the box; 0 where the text does not say.
    points : int
        Cost as printed.
    """

    id: str = ""
    name: str
    kind: str
    mover: str = ""
    transport: bool = False
    stacks: bool = True
    used_by: str = ""
    quantity: int = 0
    points: int = 0


@lru_cache(maxsize=1)
def roster() -> dict[str, UnitType]:
    """Return every type of counter of the game, by id (7.3 unit roster)."""
    raw = tomllib.loads((Path(__file__).parent / "roster.toml").read_text(encoding="utf-8"))
    found: dict[str, UnitType] = {}
    for group, entries in raw.items():
        if "name" in entries:
            found[group] = msgspec.convert({**entries, "id": group}, UnitType)
            continue
        for name, entry in entries.items():
            found[f"{group}.{name}"] = msgspec.convert({**entry, "id": f"{group}.{name}"}, UnitType)
    return found


def unit_type(name: str) -> UnitType:
    """Return one type of the roster.

    Raises
    ------
    UnknownNameError
        When the roster has no such type.
    """
    if name not in roster():
        msg = f"unknown unit type {name!r}; {nearest(name, roster())}"
        raise UnknownNameError(msg)
    return roster()[name]


def stacks(kind: UnitType) -> bool:
    """Tell whether a counter counts towards the stacking limit of 2 platoons a hex (3.01)."""
    return kind.kind in {"infantry", "vehicle"} and kind.stacks


def formation_units(formation: Formation) -> int:
    """Return the number of units of a formation as the scenarios print it: infantry, vehicles and air units."""
    known = roster()
    units = (unit for unit in formation.units if unit.type in known)
    return sum(unit.count for unit in units if known[unit.type].kind in {"infantry", "vehicle", "air"})


def formation_points(formation: Formation) -> int:
    """Return the points of a formation from the roster, its activation markers included (7.2)."""
    known = roster()
    units = sum(unit.count * known[unit.type].points for unit in formation.units if unit.type in known)
    return units + formation.activation_markers * known["formation_marker"].points


def can_stand(kind: UnitType, survey: Survey, cell: int) -> bool:
    """Tell whether a counter may stand in a hex: terrain that is open to it, or a road (3.0)."""
    if kind.kind not in {"infantry", "vehicle"} or survey.has_road(cell):
        return True
    mover = kind.mover or ("infantry" if kind.kind == "infantry" else "")
    if not mover:
        return True  # the text does not say how it moves
    return get_ruleset("armageddon_war").move_cost(survey.model.terrain_at(cell), mover) is not None
