"""Scenarios of Phantom Fury: units and markers (5), who may stand where, what holds for movement (12)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studio.model import Formation
from studio.rules.phantom_fury.situation import DistrictState
from studio.rules.roster import UnitKind, count_units, read_roster, unit_of
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.situation import Placed, Situation

__all__ = [
    "INSTEAD_OF_COMMAND",
    "INSTEAD_OF_MOVEMENT",
    "RETREATING",
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
    "every USMC unit acts on its own (11, 12, 13); what a squad depends on is who controls its zone: ask "
    "scenario.reach(...), map.infiltrations(...) and map.retreat(...)"
)
"""What the game has where others have a command rule."""

INSTEAD_OF_MOVEMENT = "insurgents move by Retreat Movement only (13.6): ask map.retreat(...)"
"""What units do that have no movement of their own."""


RETREATING = ("guerillas",)
"""Movers that have no movement of their own."""


class UnitType(UnitKind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of unit or marker; ``role`` tells what it is, such as ``squad`` or ``guerillas``.

    Attributes
    ----------
    combat : int
        Combat factor where all of the kind have the same; 0 where it is the single counter's.
    steps : int
        Step losses until it is eliminated; 0 of markers.
    """

    combat: int = 0
    steps: int = 0


@lru_cache(maxsize=1)
def roster() -> dict[str, UnitType]:
    """Return every kind of unit of the game and the markers that stand for somebody, by id."""
    return read_roster(Path(__file__).parent / "roster.toml", UnitType)


def unit_type(name: str) -> UnitType:
    """Return one kind of the roster.

    Raises
    ------
    UnknownNameError
        When the roster has no such kind.
    """
    return unit_of(roster(), name)


def stacks(kind: UnitType) -> bool:
    """Tell whether a counter counts towards the stacking limit (12.2): units do, what is with a squad does not."""
    return kind.stacks


def formation_units(formation: Formation) -> int:
    """Return the number of units of a formation, supports and markers left out."""
    return count_units(roster(), formation)


def formation_points(formation: Formation) -> int:
    """Return the points of a formation: none, the game has no points to buy units with."""
    del formation
    return 0


def can_stand(kind: UnitType, survey: Survey, cell: int) -> bool:
    """Tell whether a counter may stand somewhere: no hex is a location here, and a tank is in no upper box (12.6)."""
    if cell < survey.grid.cells:
        return False
    place = survey.directory.location(cell)
    if kind.role == "tank":
        return place.kind == "area" or place.label.endswith(" OG")
    return True


def movement_state(situation: Situation, side: str, turn: int = 0, unit: Placed | None = None) -> DistrictState:
    """Return what holds for movement as a scenario stands. Insurgents are the enemies whoever moves.

    Parameters
    ----------
    situation : Situation
    side : str
        Does not matter: the player has the Marines.
    turn : int
        Does not matter here.
    unit : Placed, optional
        What moves; it is not in its own way.
    """
    del side, turn
    marines = {one.side for one in situation.units if one.kind is not None and one.kind.mover not in ("", *RETREATING)}

    def where(*roles: str, status: str = "") -> frozenset[int]:
        return frozenset(
            one.cell
            for one in situation.units
            if one.kind is not None
            and one.kind.role in roles
            and (not status or one.has(status))
            and (unit is None or one.id != unit.id)
        )

    return DistrictState(
        enemies=where("guerillas", "martyrs"),
        suspects=where("suspect"),
        controlled=frozenset(place for one in marines for place in situation.places_of(one)),
        squads=where("squad"),
        pinned=where("squad", status="pinned"),
        tanks=where("tank"),
        security=where("security"),
        reduced=unit is not None and unit.has("reduced"),
        detached=unit is not None and unit.has("detached"),
    )
