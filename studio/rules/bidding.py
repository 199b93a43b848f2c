"""Bidding for a side of a scenario (Armageddon War 7.3): where it starts, and what a bid makes of the forces."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from studio.errors import ScenarioRuleError, UnsupportedError
from studio.model import ScenarioDocument, UnitRecord
from studio.rules.balance import SideStrength, strengths
from studio.rules.points import measure_of, point_scale, unit_points
from studio.rules.roster import kinds_of_unit, roster_of

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["Addition", "Bidding", "LeftOut", "bid_for", "bidding", "leave_out", "may_add", "substitutes", "tenth"]

_SHOWN = 5  # ways to leave counters out that are told
_BEYOND = 3  # points more than must be left out at which further ways are looked for


class LeftOut(NamedTuple):
    """Counters that a side leaves behind: their points, and how many of each type."""

    points: int
    counters: tuple[tuple[str, int], ...]


class Addition(NamedTuple):
    """A counter that a side could take in addition: its type, its points, how many are left in the box."""

    type: str
    points: int
    left: int


class Bidding(NamedTuple):
    """Who is bid for, and what the sides get.

    Attributes
    ----------
    option : {1, 2, 3}
    base : {1, 2}
        Option that option 3 goes with; else the option itself.
    side : str
        Side with the most points: that is bid for.
    start : int
        Highest bid that is allowed: its points, with a tenth more in option 2.
    totals : dict of str to int
        Points of the sides of players.
    bonus : dict of str to int
        Points that the other sides get.
    substitutes : dict of str to int
        Units that each side may change for others of the same formation and type, in option 3.
    """

    option: int
    base: int
    side: str
    start: int
    totals: dict[str, int]
    bonus: dict[str, int]
    substitutes: dict[str, int]


def tenth(number: int) -> int:
    """Return a tenth, rounded up.

    Examples
    --------
    >>> tenth(48), tenth(37), tenth(50)
    (5, 4, 5)
    """
    return -(-number // 10)


def bidding(
    document: ScenarioDocument, ruleset: Ruleset, option: Literal[1, 2, 3] = 1, *, base: Literal[1, 2] = 1
) -> Bidding:
    """Return where the bidding for a scenario starts (Armageddon War 7.3).

    Parameters
    ----------
    document : ScenarioDocument
    ruleset : Ruleset
    option : {1, 2, 3}
        Bids from the points as they are; from a tenth more, the other side getting a tenth; or one of these with a
        tenth of the units changed for others.
    base : {1, 2}
        What option 3 goes with.

    Raises
    ------
    UnsupportedError
        When the game has no points to bid with.
    ScenarioRuleError
        When there is no such option, or fewer than two sides of players with points.
    """
    if option not in (1, 2, 3) or base not in (1, 2):
        msg = f"bidding: got option {option!r}, base {base!r}; allowed are options 1, 2 and 3, the last on base 1 or 2"
        raise ScenarioRuleError(msg)
    sides = _players(document, ruleset)
    top = max(sides, key=lambda one: one.points)
    start_of = option if option != 3 else base
    totals = {one.side: one.points for one in sides}
    return Bidding(
        option,
        start_of,
        top.side,
        top.points + (tenth(top.points) if start_of == 2 else 0),
        totals,
        {name: tenth(points) if start_of == 2 else 0 for name, points in totals.items() if name != top.side},
        {one.side: tenth(one.units) if option == 3 else 0 for one in sides},
    )


def _players(document: ScenarioDocument, ruleset: Ruleset) -> list[SideStrength]:
    if measure_of(ruleset) != "points":
        msg = f"{ruleset.title} has no points to bid with: its units have casualty points only"
        raise UnsupportedError(msg)
    sides = [one for one in strengths(document, ruleset) if one.player and one.points]
    if len(sides) < 2:
        msg = "bidding: it takes two sides of players whose units have points; add units, or give your own kinds points"
        raise ScenarioRuleError(msg)
    return sides


def bid_for(found: Bidding, points: int) -> int:
    """Return how many points a bid leaves over what the side has; below 0, how many it must leave behind.

    Parameters
    ----------
    found : Bidding
    points : int
        The bid.

    Raises
    ------
    ScenarioRuleError
        When the bid is no whole number from 0 to the start.
    """
    if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= found.start:
        msg = f"bid: got {points!r}; allowed are whole numbers from 0 to {found.start} (option {found.option})"
        raise ScenarioRuleError(msg)
    return points - found.totals[found.side]


# -- what a side takes and leaves --------------------------------------------------------------------------------------


def _units(document: ScenarioDocument, side: SideStrength) -> list[UnitRecord]:
    return [
        unit
        for force in document.forces
        if force.id in side.forces
        for formation in force.formations
        for unit in formation.units
    ]


def leave_out(document: ScenarioDocument, ruleset: Ruleset, side: SideStrength, need: int) -> tuple[LeftOut, ...]:
    """Return what a side can leave behind to be some points cheaper: the smallest losses first, then few counters.

    Parameters
    ----------
    document : ScenarioDocument
    ruleset : Ruleset
    side : SideStrength
    need : int
        Points that must go.

    Returns
    -------
    tuple of LeftOut
        At most five; none where nothing must go, or all of its counters are not enough. Markers that activate
        formations stay.
    """
    if need <= 0:
        return ()
    roster = roster_of(ruleset, document)
    worth: dict[str, int] = {}
    held: Counter[str] = Counter()
    for unit, kind in kinds_of_unit(_units(document, side), roster):
        points = unit_points(ruleset, kind, unit)
        if points > 0:
            worth[unit.type] = points
            held[unit.type] += unit.count
    most = need + max(_BEYOND, max(worth.values(), default=0))
    ways = _ways([(name, worth[name], held[name]) for name in sorted(worth)], most)
    listed = [LeftOut(points, counters) for points, found in ways.items() if points >= need for counters in found]
    listed.sort(key=lambda one: (one.points, sum(n for _, n in one.counters), one.counters))
    return tuple(one for one in listed if one.points <= listed[0].points + _BEYOND)[:_SHOWN]


def _ways(items: Iterable[tuple[str, int, int]], most: int) -> dict[int, list[tuple[tuple[str, int], ...]]]:
    """Return by sums up to `most` the ways to them with the fewest counters; an item is its name, points and count."""
    ways: dict[int, list[tuple[tuple[str, int], ...]]] = {0: [()]}
    for name, points, count in items:
        found = {total: list(listed) for total, listed in ways.items()}
        for total, listed in ways.items():
            for taken in range(1, min(count, (most - total) // points) + 1):
                found.setdefault(total + taken * points, []).extend((*way, (name, taken)) for way in listed)
        for listed in found.values():
            listed.sort(key=lambda way: (sum(n for _, n in way), way))
            del listed[_SHOWN:]
        ways = found
    return ways


def may_add(document: ScenarioDocument, ruleset: Ruleset, side: SideStrength, points: int) -> tuple[Addition, ...]:
    """Return what a side could take for some points: of the nations that it has, support weapons, and markers.

    Parameters
    ----------
    document : ScenarioDocument
    ruleset : Ruleset
    side : SideStrength
    points : int

    Returns
    -------
    tuple of Addition
        Single counters, the dearest first, of which the box has one left; the first parts of the ids of types tell
        nations.
    """
    roster = roster_of(ruleset, document)
    used = Counter[str]()
    for force in document.forces:
        for formation in force.formations:
            for unit in formation.units:
                used[unit.type] += unit.count
    nations = {_nation(unit.type) for unit in _units(document, side)}
    nations |= {_nation(name) for name, kind in roster.items() if kind.kind in ("support_weapon", "marker")}
    formation_marker = point_scale(ruleset.id).markers.formation
    found = [
        Addition(name, kind.points, kind.quantity - used[name])
        for name, kind in roster.items()
        if 0 < kind.points <= points
        and name != formation_marker
        and _nation(name) in nations
        and (not kind.quantity or kind.quantity > used[name])
    ]
    return tuple(sorted(found, key=lambda one: (-one.points, one.type)))


def _nation(unit_type: str) -> str:
    return unit_type.partition(".")[0]


def substitutes(roster: Mapping[str, Any], side: Iterable[UnitRecord]) -> dict[str, list[str]]:
    """Return by type of unit the other types of the same nation and kind that could stand in for it (option 3)."""
    found: dict[str, list[str]] = {}
    for unit, kind in kinds_of_unit(side, roster):
        if kind.kind in ("infantry", "vehicle", "support_weapon"):
            found[unit.type] = [
                name
                for name, other in roster.items()
                if other.kind == kind.kind and name != unit.type and _nation(name) == _nation(unit.type)
            ]
    return found
