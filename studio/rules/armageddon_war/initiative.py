"""Initiative in Armageddon War (2.023, optional): which units of a formation act without waiting for the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from studio.paths import MoveState, make_reach
from studio.paths.points import Points
from studio.paths.spots import Check, Spot
from studio.rules import get_ruleset
from studio.rules.armageddon_war.logistics import PLACE
from studio.rules.armageddon_war.moves import judge
from studio.sight import Conditions

if TYPE_CHECKING:
    from studio.survey import Survey

__all__ = ["initiative"]


def initiative(
    survey: Survey,
    unit: str,
    *,
    mover: str,
    points: Points,
    formation: Iterable[str] = (),
    markers: Iterable[str] = (),
    name: str = "",
    sniper: bool = False,
    options: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
    state: MoveState | None = None,
) -> Spot:
    """Tell whether a unit has initiative, and by which of the conditions.

    Parameters
    ----------
    survey : Survey
    unit : str
        Label of its hex.
    mover : str
    points : int or str
        Movement points printed on its counter.
    formation : iterable of str
        Labels of the hexes of the other units of its formation.
    markers : iterable of str
        Labels of the hexes with logistics markers of its side.
    name : str
        Name on the counter; ``recon`` in it gives initiative.
    sniper : bool
        Snipers always have it (5.41).
    options : mapping, optional
    conditions : Conditions, optional
        What holds for sight.
    state : MoveState, optional
        What holds for movement.

    Raises
    ------
    LabelError
        When a label is unknown.
    UnknownNameError, ScenarioRuleError
        When the mover, an option or the points cannot be.
    """
    number = survey.directory.number
    at = number(unit)
    others = [number(label) for label in formation]
    checks = [
        Check(
            "2.023",
            "recon" in name.lower(),
            f"{name or 'its name'} has recon in it" if "recon" in name.lower() else "no recon in its name",
        ),
        _near_marker(survey, at, [number(label) for label in markers]),
        _in_sight(survey, at, others, options, conditions),
        _in_reach(survey, at, others, mover, points, options, state),
    ]
    if sniper:
        checks.insert(0, Check("5.41", True, "a sniper always has initiative"))
    return Spot(unit, tuple(checks), one_will_do=True)


def _near_marker(survey: Survey, at: int, markers: list[int]) -> Check:
    far = sorted((survey.grid.distance(at, marker), survey.directory.label(marker)) for marker in markers)
    if not far:
        return Check("2.023", False, "there is no logistics marker")
    hexes, label = far[0]
    text = f"the logistics marker at {label} is {hexes} hex{'es' * (hexes != 1)} away"
    return Check("2.023", hexes <= PLACE, text)


def _in_sight(
    survey: Survey, at: int, others: list[int], options: Mapping[str, Any] | None, conditions: Conditions | None
) -> Check:
    ruleset = get_ruleset("armageddon_war")
    sight = ruleset.sight.judge(survey, ruleset.options(options), conditions or Conditions())
    for other in others:
        if sight.sighting(at, other).visible:
            text = f"it sees the unit of its formation at {survey.directory.label(other)}"
            return Check("2.023", True, text)
    return Check("2.023", False, "it sees no other unit of its formation")


def _in_reach(
    survey: Survey,
    at: int,
    others: list[int],
    mover: str,
    points: Points,
    options: Mapping[str, Any] | None,
    state: MoveState | None,
) -> Check:
    reach = make_reach(judge(survey, mover, options, state), at, points)
    for other in others:
        label = survey.directory.label(other)
        if reach.halves[other] >= 0:
            return Check("2.023", True, f"it can get to a unit of its formation in one turn: {reach.route(label).text}")
    nearest = min(others, key=lambda other: survey.grid.distance(at, other), default=None)
    why = "" if nearest is None else f": {reach.route(survey.directory.label(nearest)).text}"
    return Check("2.023", False, f"it can get to no other unit of its formation in one turn{why}")
