"""Scenarios of Ignorant Armies: classes of units (2.7), stacking (7.0), who may stand where, the year of a turn."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from studio.model import Formation
from studio.rules import get_ruleset
from studio.rules.ignorant_armies.countries import IRAN, IRAQ, country
from studio.rules.ignorant_armies.paths import IgnorantArmiesState
from studio.rules.roster import UnitKind, count_units, read_roster, unit_of
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.situation import Placed, Situation

__all__ = [
    "INSTEAD_OF_COMMAND",
    "UnitType",
    "can_stand",
    "country_of",
    "formation_points",
    "formation_units",
    "movement_state",
    "roster",
    "stacking_groups",
    "stacks",
    "unit_type",
    "year_of",
]

INSTEAD_OF_COMMAND = (
    "headquarters add to battles that they are adjacent to (10.17) and have no range; what a unit needs is supply "
    "(12.0): ask scenario.supply(...)"
)
"""What the game has where others have a command rule."""


class UnitType(UnitKind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A class of counter.

    Attributes
    ----------
    kind : {"ground", "hq", "air", "marker"}
    country : {"", "Iraq", "Iran"}
    guard : bool
        It is of the Revolutionary Guards.
    always_supplied : bool
        It never traces a supply line (12.7).
    attack, defence, steps, support : int
        As the text prints them; 0 where it does not. The support of a headquarters goes over its die (10.17).
    """

    kind: str = "ground"
    country: str = ""
    guard: bool = False
    always_supplied: bool = False
    attack: int = 0
    defence: int = 0
    steps: int = 0
    support: int = 0


@lru_cache(maxsize=1)
def roster() -> dict[str, UnitType]:
    """Return every class of counter of the game, by id."""
    return read_roster(Path(__file__).parent / "roster.toml", UnitType)


def unit_type(name: str) -> UnitType:
    """Return one class of the roster.

    Raises
    ------
    UnknownNameError
        When the roster has no such class.
    """
    return unit_of(roster(), name)


def stacks(kind: UnitType) -> bool:
    """Tell whether a counter counts towards the stacking limit of four ground units a hex (7.1, 7.6)."""
    return kind.stacks


def formation_units(formation: Formation) -> int:
    """Return the number of units of a formation, aircraft among them, markers left out."""
    return count_units(roster(), formation)


def formation_points(formation: Formation) -> int:
    """Return the points of a formation: none, the game has no points to buy units with."""
    del formation
    return 0


def can_stand(kind: UnitType, survey: Survey, cell: int) -> bool:
    """Tell whether a counter may stand in a hex: one that is open to ground units (11.15, 11.17)."""
    if kind.kind not in {"ground", "hq", "infantry", "vehicle"}:
        return True
    return get_ruleset("ignorant_armies").move_cost(survey.model.terrain_at(cell), "ground") is not None


def year_of(turn: int) -> int:
    """Return the calendar year of a game turn: three turns a year, of which 1980 has the last only (3.4, 3.6).

    Examples
    --------
    >>> [year_of(turn) for turn in (1, 2, 4, 5, 24)]
    [1980, 1981, 1981, 1982, 1988]
    """
    return 1980 + (turn + 1) // 3


def country_of(situation: Situation, side: str) -> str:
    """Return which of the two countries a side of a scenario is; empty where its home is neither."""
    home = situation.home(side)
    for name in (IRAQ, IRAN):
        if side.casefold() == name.casefold() or bool(np.any(home & country(situation.survey, name))):
            return name
    return ""


def movement_state(situation: Situation, side: str, turn: int = 0, unit: Placed | None = None) -> IgnorantArmiesState:
    """Return what holds for the operational movement of a side (11.7, 11.19, 5.3) as a scenario stands.

    Parameters
    ----------
    situation : Situation
    side : str
    turn : int
        Game turn; 0 for any after the first.
    unit : Placed, optional
        Does not matter here.
    """
    del unit
    owned, survey = situation.owned(side), situation.survey
    return IgnorantArmiesState(
        enemies=frozenset(situation.enemies(side)),
        country=country_of(situation, side),
        turn=turn,
        hostile=frozenset(cell for cell in survey.road_hexes if survey.directory.exists(cell) and not owned[cell]),
    )


def stacking_groups(kind: UnitType) -> tuple[tuple[str, int], ...]:
    """Return the limits that a counter counts towards in one hex, the innermost first (7.1); one headquarters (7.2)."""
    if not stacks(kind):
        return ()
    units = ("units", get_ruleset("ignorant_armies").catalogue.stacking)
    return (("headquarters", 1), units) if kind.kind == "hq" else (units,)
