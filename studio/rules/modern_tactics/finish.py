"""How moves begin and end otherwise than on the ground in Modern Tactics: at the map's edge, aboard, in a bunker."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import msgspec

from studio.errors import ScenarioRuleError, nearest
from studio.paths import CostPart, Leg, Miss, MoveState, Route, Step, make_route, search
from studio.paths.points import Points, points_text, to_halves
from studio.rules.modern_tactics.move_state import TacticsState
from studio.rules.modern_tactics.moves import TacticsMoves, judge
from studio.survey import Survey

__all__ = ["ENDINGS", "entries", "finish"]

ENDINGS = ("exit", "load", "bunker")
"""What a move can end with: leaving the map (22.6), getting on a vehicle (23.0.1), going into a bunker (13.4)."""


def entries(
    survey: Survey, mover: str, *, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> list[Step]:
    """Return what it costs to enter the map at each location of its edge, or what forbids it (22.6).

    Parameters
    ----------
    survey : Survey
    mover, options, state
        As of :func:`judge`.

    Raises
    ------
    UnknownNameError, ScenarioRuleError
        As of :func:`judge`.
    """
    known = state if isinstance(state, TacticsState) else TacticsState()
    moves = judge(survey, mover, options, msgspec.structs.replace(known, begins="off_map"))
    return list(_entered(moves))


def _entered(moves: TacticsMoves) -> Iterator[Step]:
    from studio.rules.modern_tactics import begins

    for number in moves.survey.directory.numbers.tolist():
        ends = begins.ends(moves, number)
        if ends and moves.ways.at_edge(moves.ways.cell_of(number)):
            parts = tuple(begins.parts(moves, number, ends[0]))
            yield Step("off the map", moves.label(number * len(moves.states)), moves.mover, parts)


def finish(
    survey: Survey,
    a: str,
    at: str | Iterable[str] | None,
    ending: str,
    *,
    mover: str,
    points: Points | None = None,
    options: Mapping[str, Any] | None = None,
    state: MoveState | None = None,
) -> Route:
    """Find the cheapest way to a location at which a unit leaves the map, gets on a vehicle, or goes into a bunker.

    Parameters
    ----------
    survey : Survey
    a : str
        Label of the location that it starts from.
    at : str, iterable of str, or None
        Labels of the locations where the move may end so; None for every one where a unit can leave the map, or that
        has a bunker.
    ending : str
        ``exit``, ``load`` or ``bunker``.
    mover, options, state
        As of :func:`judge`.
    points : int, str or Fraction, optional
        Most points, halves as ``"7/2"``.

    Returns
    -------
    Route
        Its last step is the ending: it leads to the location itself, or off the map.

    Raises
    ------
    LabelError
        When a label is unknown.
    UnknownNameError, ScenarioRuleError
        As of :func:`judge`; also when there is no such ending, or no place for it.
    """
    moves = judge(survey, mover, options, state)
    start = survey.directory.number(a)
    moves.first_step = ""  # the one hex that a unit may always enter leaves it nothing for what ends the move
    goal = _nearest(moves, start, _goals(moves, at, ending))
    last = _last(moves, goal, ending)
    limit = to_halves(points)
    spent = last.halves or 0
    left = None if limit is None else Fraction(max(limit - spent, 0), 2)
    route = make_route(moves, start, goal, left)
    if not route.found:
        return route
    total = (route.halves or 0) + spent
    if limit is not None and total > limit:
        short = total - limit
        text = f"{points_text(short)} short of what ends the move: {last.parts[0].text} costs {points_text(spent)}"
        return Route(moves, (start, goal), route.legs, _points(limit), miss=Miss(last.a, last, short, text))
    return Route(moves, (start, goal), (*route.legs, Leg(last, total)), _points(limit), stays=False)


def _points(limit: int | None) -> Fraction | None:
    return None if limit is None else Fraction(limit, 2)


def _goals(moves: TacticsMoves, at: str | Iterable[str] | None, ending: str) -> list[int]:
    """Return the locations at which the move may end so."""
    ways, survey = moves.ways, moves.survey
    if ending not in ENDINGS:
        msg = f"ending: got {ending!r}; {nearest(str(ending), ENDINGS)}"
        raise ScenarioRuleError(msg)
    if ending != "exit" and moves.mover != "foot":
        msg = f"ending: got {ending!r} for {moves.mover} units; it is for foot units"
        raise ScenarioRuleError(msg)

    def suits(number: int) -> bool:
        cell = ways.cell_of(number)
        if ending == "exit":
            return ways.at_edge(cell)
        return ending == "load" or "bunker" in ways.markers.get(cell, ())

    if at is None:
        if ending == "load":
            msg = "ending: name the location of the vehicle that is to be loaded"
            raise ScenarioRuleError(msg)
        found = [number for number in survey.directory.numbers.tolist() if suits(number)]
    else:
        found = [survey.directory.number(label) for label in ([at] if isinstance(at, str) else at)]
    wrong = [survey.directory.label(number) for number in found if not suits(number)]
    if wrong or not found:
        what = {"exit": "at the edge of the map", "bunker": "with a bunker", "load": "with a vehicle"}[ending]
        msg = f"at: {', '.join(wrong) or 'no location'} is no place for that; allowed are locations {what}"
        raise ScenarioRuleError(msg)
    return found


def _nearest(moves: TacticsMoves, start: int, goals: list[int]) -> int:
    """Return the goal with the cheapest way, the first one where none has any."""
    found = search(moves.network, moves.starts(start)).costs.reshape(-1, len(moves.states))
    reached = [(int(found[goal][found[goal] >= 0].min()), goal) for goal in goals if (found[goal] >= 0).any()]
    return min(reached)[1] if reached else goals[0]


def _last(moves: TacticsMoves, number: int, ending: str) -> Step:
    """Return the step that ends the move."""
    name = moves.survey.directory.label(number)
    figure = moves.ways.figure(ending)
    rule, text = {
        "exit": ("22.6", f"{name}: off the map"),
        "load": ("23.0.1", f"{name}: onto the vehicle"),
        "bunker": ("13.4", f"{name}: into the bunker"),
    }[ending]
    return Step(name, name, moves.mover, (CostPart(rule, figure, text),))
