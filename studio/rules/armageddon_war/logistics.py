"""Logistics markers in Armageddon War (2.021, 2.022): where they can be put and moved to, and whom they supply.

Ways of a marker are counted in hexes that a wheeled vehicle can pass; its hex lies out of sight or range of every
enemy.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from studio.paths import CostPart, MoveJudge, Network, Route, Step, make_route, search
from studio.paths.spots import Check, Spot, Spots
from studio.rules.armageddon_war.enemies import Enemies, Ranges
from studio.rules.armageddon_war.moves import ArmageddonState, judge

if TYPE_CHECKING:
    from studio.sight import Conditions
    from studio.survey import Survey

__all__ = ["LogisticsMoves", "logistics", "resupply"]

PLACE, MOVE = 2, 3
"""Hexes from a friendly unit to the marker, and hexes that it moves (2.022)."""


class LogisticsMoves(MoveJudge):
    """Hexes that a wheeled vehicle can pass, counted one by one.

    Parameters
    ----------
    survey : Survey
    options : mapping, optional
    enemies : iterable of int
        Numbers of hexes with enemies: no way leads on from there.
    """

    unit = "hexes"

    def __init__(self, survey: Survey, options: Mapping[str, Any] | None = None, enemies: Iterable[int] = ()) -> None:
        super().__init__(survey, "logistics")
        self.wheeled = judge(survey, "wheeled", options, ArmageddonState(enemies=frozenset(enemies)))

    @cached_property
    def network(self) -> Network:
        """All hexes, one each step that a wheeled vehicle can take."""
        return self.wheeled.network.priced(2)

    @property
    def from_unit(self) -> bool:
        """Ways are counted from the unit, so that its own hex need not be passable."""
        return bool(self.wheeled.options["logistics_way"] == "from_unit")

    def way(self, unit: int, marker: int) -> Route:
        """Return the way between a unit and a marker, found when it is no longer than two hexes."""
        return make_route(self, unit, marker, PLACE) if self.from_unit else make_route(self, marker, unit, PLACE)

    def step(self, a: int, b: int) -> Step:
        """Return the explained step: one hex, or what stops a wheeled vehicle.

        Raises
        ------
        GridError
            When the two hexes are not adjacent.
        """
        found = self.wheeled.step(a, b)
        part = CostPart("2.022", 2, f"{found.b}: a wheeled vehicle can go there")
        parts = (part,) if found.barrier is None else (found.barrier,)
        return Step(found.a, found.b, self.mover, parts, unit=self.unit)


def logistics(
    survey: Survey,
    units: Iterable[str],
    enemies: Ranges = (),
    *,
    marker: str | None = None,
    options: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
) -> Spots:
    """Find the hexes where a logistics marker can be put, or that one can be moved to (2.022).

    Parameters
    ----------
    survey : Survey
    units : iterable of str
        Labels of the hexes with friendly units.
    enemies : mapping of str to int, or iterable of str
        Labels of the hexes with enemies, with their largest range in hexes.
    marker : str, optional
        Label of the hex with the marker that is to be moved; without one, a marker is placed from the reserve.
    options : mapping, optional
        Readings of the rules.
    conditions : Conditions, optional
        What holds for sight.

    Returns
    -------
    Spots

    Raises
    ------
    LabelError
        When a label is unknown.
    UnknownNameError, ScenarioRuleError
        When an option or a range cannot be.
    """
    number = survey.directory.number
    friends = [number(label) for label in ([units] if isinstance(units, str) else units)]
    known = Enemies(survey, enemies, options, conditions)
    moves = LogisticsMoves(survey, options, known)
    ways = moves.network if moves.from_unit else moves.network.reversed
    near = search(ways, friends, 2 * PLACE) if friends else None
    start = None if marker is None else number(marker)
    hauled = None if start is None else search(moves.network, start, 2 * MOVE)

    def spot(at: int) -> Spot:
        checks = [_within_two(moves, friends, at)]
        if start is not None:
            checks.append(_hauled(moves, start, at))
        checks += [known.threat(at, "2.022"), _alone(survey, known, at)]
        return Spot(survey.directory.label(at), tuple(checks))

    looked_at = hauled if hauled is not None else near
    found = [] if looked_at is None else (looked_at.costs >= 0).nonzero()[0].tolist()
    what = "place a logistics marker" if marker is None else f"move the logistics marker at {marker}"
    return Spots(survey, what, found, spot)


def _within_two(moves: LogisticsMoves, friends: list[int], at: int) -> Check:
    if not friends:
        return Check("2.022", False, "there is no friendly unit to place it near")
    survey = moves.survey
    routes = [(moves.way(friend, at), survey.grid.distance(friend, at)) for friend in friends]
    best = min(routes, key=lambda one: (not one[0].found, one[0].halves or 0, one[1]))[0]
    text = best.text if best.found else f"no friendly unit is within {PLACE} hexes by a way for wheels: {best.text}"
    return Check("2.022", best.found, text)


def _hauled(moves: LogisticsMoves, start: int, at: int) -> Check:
    route = make_route(moves, start, at, MOVE)
    return Check("2.022", route.found, route.text)


def _alone(survey: Survey, enemies: Enemies, at: int) -> Check:
    label = survey.directory.label
    beside = [label(enemy) for enemy in enemies if survey.grid.distance(enemy, at) <= 1]
    if beside:
        text = f"the enemy at {beside[0]} is beside {label(at)}: the marker goes back to the reserve at once"
        return Check("2.022", False, text)
    return Check("2.022", True, f"no enemy is beside {label(at)}")


def resupply(
    survey: Survey, unit: str, marker: str, enemies: Ranges = (), *, options: Mapping[str, Any] | None = None
) -> Route:
    """Return the way between a unit and a logistics marker: found when it is near enough to recover by it (2.021).

    Parameters
    ----------
    survey : Survey
    unit, marker : str
        Labels of their hexes.
    enemies : mapping or iterable of str
        Labels of hexes with enemies; the way does not lead through them.
    options : mapping, optional
        ``logistics_way`` says at which end it is counted from.

    Raises
    ------
    LabelError, UnknownNameError, ScenarioRuleError
        As for :func:`logistics`.
    """
    number = survey.directory.number
    moves = LogisticsMoves(survey, options, Enemies(survey, enemies, options))
    return moves.way(number(unit), number(marker))
