"""Scenarios of Modern Tactics: kinds of units (6 to 10), casualty points (1.6), stacking (18.0), state of movement."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from studio.model import Formation
from studio.rules import get_ruleset
from studio.rules.modern_tactics.commanding import command
from studio.rules.modern_tactics.move_state import VEHICLES, TacticsState
from studio.rules.roster import UnitKind, count_units, read_roster, unit_of
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.situation import Placed, Situation

__all__ = [
    "FACING_UNITS",
    "UnitType",
    "attaches",
    "can_stand",
    "casualty_points",
    "command",
    "faces",
    "formation_points",
    "formation_units",
    "movement_state",
    "roster",
    "stacking_groups",
    "stacks",
    "unit_type",
]

_POINTS = {"helicopter": 3, "armored": 2, "squad": 2, "weapon_team": 1, "team": 1, "truck": 1}
_BY_KIND = {"air": 3, "vehicle": 2, "infantry": 1}
_SINGLES = {"leader": "single", "single": "single", "sniper": "sniper", "bomber": "bomber"}
"""Roles of single persons, with their kinds in movement."""

FACING_UNITS = "vehicles (22.4)"
"""Which units have a facing, in words."""


class UnitType(UnitKind, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A kind of counter; ``role`` tells what it is, such as ``squad`` or ``leader``.

    Attributes
    ----------
    quality : {"", "elite", "poor"}
        As of its data card or of the text (17.0, Playbook 3).
    stealth : bool
        The text says that it can use stealth movement (22.3).
    placed : {"", "off_structures", "roads"}
        Where a marker of the battlefield may be placed: not in structures, or in hexes with a road only (13.2 to 13.6).
    firepower, anti_tank, range, defence, command_range : int
        As the text prints them, 0 where it does not. The defence of a vehicle is that of its front.
    reduced_firepower, secondary_firepower, flank_defence : int
        Firepower of a reduced squad and of the machine guns of a vehicle, its defence from the side (9.0); likewise.
    """

    quality: str = ""
    stealth: bool = False
    placed: str = ""
    firepower: int = 0
    anti_tank: int = 0
    range: int = 0
    defence: int = 0
    command_range: int = 0
    reduced_firepower: int = 0
    secondary_firepower: int = 0
    flank_defence: int = 0


@lru_cache(maxsize=1)
def roster() -> dict[str, UnitType]:
    """Return every kind of counter that the text names, by id."""
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
    """Tell whether a counter counts towards the limit of 2 units a hex (18.0): no single person, no helicopter."""
    return kind.stacks and kind.kind in {"infantry", "vehicle"} and kind.role not in _SINGLES


def faces(kind: UnitType) -> bool:
    """Tell whether a counter faces a hexside: vehicles do (22.4)."""
    return kind.mover in VEHICLES


def attaches(kind: UnitType, to: UnitType) -> bool:
    """Tell whether a Leader can be attached to a unit: to squads and teams (7.2), an Armor Leader to a vehicle."""
    if kind.role == "armor_leader":
        return to.role == "armored"
    return kind.role == "leader" and to.role in {"squad", "weapon_team", "team"}


def casualty_points(kind: UnitType, *, reduced: bool = False) -> int:
    """Return the Enemy Casualty Points of a counter, which are those of its exit too (1.6, 22.6, Playbook 3).

    Kinds of a designer's own that give points count these, half of them, rounded up, when reduced. Those that have no
    role of the game count by what they are: helicopter 3, vehicle 2, foot unit 1.

    Examples
    --------
    >>> casualty_points(unit_type("us.rifle")), casualty_points(unit_type("us.rifle"), reduced=True)
    (2, 1)
    """
    if kind.points:  # of a designer's own
        return -(-kind.points // 2) if reduced else kind.points
    if kind.role == "squad":
        return 1 if reduced else 2
    if kind.role == "bomber":
        return 0
    return _POINTS.get(kind.role, 1 if kind.role == "civilians" else _BY_KIND.get(kind.kind, 0))


def formation_units(formation: Formation) -> int:
    """Return the number of units of a formation: no support weapons, and nothing of the battlefield."""
    return count_units(roster(), formation)


def formation_points(formation: Formation) -> int:
    """Return the points of a formation: none, the game has no points to buy units with."""
    del formation
    return 0


def can_stand(kind: UnitType, survey: Survey, cell: int) -> bool:
    """Tell whether a counter may stand in a hex: terrain that is open to it, or a road (Playbook 1).

    Markers of the battlefield are placed as 13.2 to 13.6 say.
    """
    if kind.placed == "roads":
        return survey.has_road(cell)
    if kind.placed == "off_structures":
        return not _in_structure(survey, cell)
    if kind.kind not in {"infantry", "vehicle"} or not kind.mover or cell >= survey.grid.cells or survey.has_road(cell):
        return True
    return get_ruleset("modern_tactics").move_cost(survey.model.terrain_at(cell), kind.mover) is not None


def _in_structure(survey: Survey, cell: int) -> bool:
    location = survey.directory.location(cell)
    return location.kind != "road" and location.type == "structure"


def movement_state(situation: Situation, side: str, turn: int = 0, unit: Placed | None = None) -> TacticsState:
    """Return what holds for the movement of a side, or of one of its units, as a scenario stands.

    Parameters
    ----------
    situation : Situation
    side : str
    turn : int
        Does not matter here.
    unit : Placed, optional
        What moves; it does not count in its own hex.
    """
    del turn
    catalogue = get_ruleset("modern_tactics").catalogue
    units: Counter[int] = Counter()
    singles: Counter[int] = Counter()
    for other in situation.of(side):
        aboard = other.record is not None and other.record.carried_by
        if other.kind is None or not other.on_ground or aboard or (unit is not None and other.id == unit.id):
            continue
        count = 1 if other.record is None else other.record.count
        if stacks(other.kind):
            units[other.cell] += count
        elif other.kind.role in _SINGLES and other.kind.stacks:
            singles[other.cell] += count
    most = int(catalogue.modifiers["stacking_singles"])
    return TacticsState(
        enemies=frozenset(situation.enemies(side)),
        kind=_SINGLES.get(unit.kind.role, "unit") if unit is not None and unit.kind is not None else "unit",
        facing=unit.record.facing if unit is not None and unit.record is not None and faces(unit.kind) else "",
        begins="aboard" if unit is not None and _is_aboard(situation, unit) else "",
        full=frozenset(cell for cell, count in units.items() if count >= catalogue.stacking),
        full_of_singles=frozenset(cell for cell, count in singles.items() if count >= most),
        civilians=frozenset(
            one.cell for one in situation.units if one.kind is not None and one.kind.role == "civilians"
        ),
    )


def _is_aboard(situation: Situation, unit: Placed) -> bool:
    """Tell whether a foot unit rides in or on a vehicle; a Leader that a squad has with it does not."""
    carrier = unit.record.carried_by if unit.record is not None else ""
    riding = [one.kind for one in situation.units if one.id == carrier]
    return bool(riding) and riding[0] is not None and riding[0].kind in {"vehicle", "air"} and unit.kind.mover == "foot"


def stacking_groups(kind: UnitType) -> tuple[tuple[str, int], ...]:
    """Return the limits that a counter counts towards in one hex, the innermost first (18.0)."""
    catalogue = get_ruleset("modern_tactics").catalogue
    if stacks(kind):
        return (("units", catalogue.stacking),)
    if kind.role == "fortification":
        return (("markers of the battlefield", 1),)
    if kind.role in _SINGLES and kind.stacks:
        return (("single persons", int(catalogue.modifiers["stacking_singles"])),)
    return ()
