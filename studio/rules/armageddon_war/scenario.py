"""Scenarios of Armageddon War: the roster (7.2, 7.3), points, stacking (3.01) and who may stand where (3.0)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studio.model import Formation
from studio.rules import get_ruleset, points
from studio.rules.armageddon_war.moves import ArmageddonState
from studio.rules.roster import UnitKind, count_units, read_roster, unit_of
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.situation import Placed, Situation

__all__ = [
    "CARRIES",
    "INSTEAD_OF_COMMAND",
    "SEATS",
    "UnitType",
    "can_stand",
    "formation_points",
    "formation_units",
    "movement_state",
    "roster",
    "stacks",
    "unit_type",
]

CARRIES = 1
"""Infantry platoons that a transport carries (3.02); a sniper rides beside them (5.41)."""

INSTEAD_OF_COMMAND = (
    "formations act when their command chits are drawn (2.01), and what a unit needs is initiative and logistics: ask "
    "map.initiative(...), map.logistics(...) and map.resupply(...)"
)
"""What the game has where others have a command rule."""

SEATS = 1
"""Infantry units that a vehicle carries which can carry any (3.02)."""


class UnitType(UnitKind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A type of counter. Its figures are those that the text prints, 0 or empty where it does not (1.31 to 1.34).

    Attributes
    ----------
    firepower, range, defence : int
    attack, second : {"", "infantry", "vehicle", "air"}
        What its firepower is for: the colour of the number, and that of the starburst.
    shield : {"", "infantry", "vehicle", "air", "soft"}
        Colour of its defence; ``soft`` is gray.
    special_shield : bool
        Its defence is specialized (4.15).
    tech : {"", "green", "black", "red"}
        Colour of the lightning bolt.
    indirect, fixed_range, no_move, limited, recon, autonomous : bool
        Capable of indirect fire (5.1), neither far nor near range (1.34), no fire after a move (1.32), limited effect
        (5.3), recon and autonomous units (5.8).
    movement_cost : int
        Points of its movement where 7.2 prints these, and not the movement itself.
    """

    firepower: int = 0
    range: int = 0
    defence: int = 0
    attack: str = ""
    second: str = ""
    shield: str = ""
    special_shield: bool = False
    tech: str = ""
    indirect: bool = False
    fixed_range: bool = False
    no_move: bool = False
    limited: bool = False
    recon: bool = False
    autonomous: bool = False
    movement_cost: int = 0


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
    return count_units(roster(), formation)


def formation_points(formation: Formation) -> int:
    """Return the points of a formation from the roster, its markers included (7.2)."""
    return points.formation_points(get_ruleset("armageddon_war"), roster(), formation)


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
