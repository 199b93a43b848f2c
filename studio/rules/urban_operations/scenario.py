"""Scenarios of Urban Operations: kinds of blocks (4.3), who may stand where, what holds for movement (8.1)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studio.model import Formation
from studio.rules import get_ruleset
from studio.rules.roster import UnitKind, count_units, read_roster, unit_of
from studio.rules.urban_operations.commanding import command
from studio.rules.urban_operations.paths import UrbanState
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.situation import Placed, Situation

__all__ = [
    "UnitType",
    "allowance",
    "can_stand",
    "command",
    "formation_points",
    "formation_units",
    "movement_state",
    "roster",
    "stacks",
    "unit_type",
]


class UnitType(UnitKind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of block or counter; ``role`` tells what it is, such as ``plt_comd``.

    Attributes
    ----------
    levels : int
        Operational Strength Levels (4.3.2.1), 0 of counters.
    armour : {"", "unarmored", "armored", "mbt"}
        Kind of a vehicle (4.3.5).
    command_range, scouting, request_range : int
        Effect points: of command (7.1), of scouting by day (8.2.6), of requests for 3D actions (7.3); 0 for none.
    load, capacity : int
        As its Unit Card shows (8.2.3); the text gives none.
    machine_guns, main_gun : tuple of int
        Firepower in an assault, then by ranges of 5 effect points each, 0 where it has none (4.3.6); of the Unit Cards
        that the text prints.
    """

    levels: int = 3
    armour: str = ""
    command_range: int = 0
    scouting: int = 5
    request_range: int = 0
    load: int = 0
    capacity: int = 0
    machine_guns: tuple[int, ...] = ()
    main_gun: tuple[int, ...] = ()


@lru_cache(maxsize=1)
def roster() -> dict[str, UnitType]:
    """Return every kind of block and counter that the text names, by id."""
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
    """Tell whether a block counts towards the limit of one a location (5.1.1)."""
    return kind.stacks


def formation_units(formation: Formation) -> int:
    """Return the number of blocks of a formation, those of the environment left out."""
    return count_units(roster(), formation)


def formation_points(formation: Formation) -> int:
    """Return the points of a formation: none, the game has no points to buy blocks with."""
    del formation
    return 0


def allowance(kind: UnitType) -> int | None:
    """Return the points of a block that only moves in its activation (7.2.2), None of what does not move."""
    figures = get_ruleset("urban_operations").catalogue.modifiers
    return int(figures[f"move_{kind.mover}_plain"]) if kind.mover else None


def can_stand(kind: UnitType, survey: Survey, cell: int) -> bool:
    """Tell whether a block may stand in a location: a hex of terrain open to it; rooms and roofs are for foot."""
    if kind.kind not in {"infantry", "vehicle"} or not kind.mover:
        return True
    if cell >= survey.grid.cells:
        return kind.mover == "foot"
    return get_ruleset("urban_operations").move_cost(survey.model.terrain_at(cell), kind.mover) is not None


def movement_state(situation: Situation, side: str, turn: int = 0, unit: Placed | None = None) -> UrbanState:
    """Return what holds for the movement of a side, or of one of its blocks, as a scenario stands.

    Parameters
    ----------
    situation : Situation
    side : str
    turn : int
        Does not matter here.
    unit : Placed, optional
        What moves; it is not in its own way.
    """
    del turn
    blocks = [
        one
        for one in situation.of(side)
        if one.on_ground
        and not (one.record is not None and one.record.carried_by)
        and (unit is None or one.id != unit.id)
    ]
    vehicles = {one.cell for one in blocks if one.kind is not None and one.kind.kind == "vehicle"}
    climbed = {one.cell for one in blocks if one.kind is not None and one.kind.role in {"transport", "mbt"}}
    ladders = {one.cell for one in blocks if one.has("ladder")}
    return UrbanState(
        enemies=frozenset(situation.enemies(side)),
        friends=frozenset(one.cell for one in blocks) - vehicles - ladders,
        vehicles=frozenset(vehicles - climbed),
        trucks=frozenset(climbed),
        ladders=frozenset(ladders),
        barricades=frozenset(
            one.cell for one in situation.units if one.kind is not None and one.kind.role == "barricade"
        ),
        ladder=unit is not None and unit.has("ladder"),
    )
