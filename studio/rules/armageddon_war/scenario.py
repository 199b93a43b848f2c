"""Scenarios of Armageddon War: the roster (7.2, 7.3), points, stacking (3.01) and who may stand where (3.0)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from studio.model import Formation
from studio.rules import get_ruleset
from studio.rules.armageddon_war.moves import ArmageddonState
from studio.rules.roster import read_roster, unit_of
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.situation import Placed, Situation

__all__ = [
    "INSTEAD_OF_COMMAND",
    "UnitType",
    "can_stand",
    "formation_points",
    "formation_units",
    "movement_state",
    "roster",
    "stacks",
    "unit_type",
]

INSTEAD_OF_COMMAND = (
    "formations act when their command chits are drawn (2.01), and what a unit needs is initiative and logistics: ask "
    "map.initiative(...), map.logistics(...) and map.resupply(...)"
)
"""What the game has where others have a command rule."""


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
    return read_roster(Path(__file__).parent / "roster.toml", UnitType)


def unit_type(name: str) -> UnitType:
    """Return one type of the roster.

    Raises
    ------
    UnknownNameError
        When the roster has no such type.
    """
    return unit_of(roster(), name)


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


def movement_state(situation: Situation, side: str, turn: int = 0, unit: Placed | None = None) -> ArmageddonState:
    """Return what holds for the movement of a side as a scenario stands (3.0, 5.7).

    Parameters
    ----------
    situation : Situation
    side : str
    turn, unit : optional
        Do not matter here.
    """
    del turn, unit
    enemies = frozenset(situation.enemies(side))
    good = {one.cell for one in situation.units if one.side != side and one.on_ground and not one.has("shaken")}
    return ArmageddonState(
        enemies=enemies,
        shaken=enemies - good,
        civilians=frozenset(one.cell for one in situation.units if one.type == "other.civilians"),
    )
