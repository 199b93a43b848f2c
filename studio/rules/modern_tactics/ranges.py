"""Ranges in Modern Tactics: command (7.1), spotting for strikes and mortars (33.0, 34.1, 8.2), Contacts (32.0)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from studio.errors import ScenarioRuleError, nearest
from studio.paths.spots import Check, Spot, Spots
from studio.rules import get_ruleset
from studio.sight import BLOCKED, Conditions
from studio.survey import Survey

__all__ = ["PURPOSES", "Distances", "command", "spotting"]

PURPOSES = ("strike", "mortar", "contact", "challenge")
"""What a place is spotted for."""

_GOOD_ORDER = "good_order"
_STATUS = (_GOOD_ORDER, "shaken", "broken", "suppressed")
_RULES = {"strike": "33.0, 34.1", "mortar": "8.2", "contact": "32.0", "challenge": "32.2"}


def command(survey: Survey, leader: str, reach: int, units: Iterable[str] | None = None) -> Spots:
    """Tell which locations are in the command range of a leader (7.1).

    Parameters
    ----------
    survey : Survey
    leader : str
        Label of the leader's location.
    reach : int
        Command range on the counter, in hexes; the hex of the leader does not count.
    units : iterable of str, optional
        Labels of the locations to look at; all that are in range without.

    Raises
    ------
    LabelError
        When a label is unknown.
    ScenarioRuleError
        When the range is no whole number from 0.
    """
    _check_hexes("reach", reach)
    start = survey.directory.number(leader)
    near = Distances(survey, start)

    def spot(number: int) -> Spot:
        told = f"{near.told(number)} from the leader at {leader}, whose command range is {reach}"
        return Spot(survey.directory.label(number), (Check("7.1", near.to(number) <= reach, told),))

    return Spots(survey, f"in command of the leader at {leader}", _numbers(survey, units, near, reach), spot)


def spotting(
    survey: Survey,
    unit: str,
    targets: Iterable[str] | None = None,
    *,
    purpose: str = "strike",
    weapon_range: int = 0,
    team: str = "",
    status: str = _GOOD_ORDER,
    options: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
) -> Spots:
    """Tell which locations a unit can spot, and why not the others.

    Parameters
    ----------
    survey : Survey
    unit : str
        Label of the unit's location.
    targets : iterable of str, optional
        Labels of the locations to look at; all that are in range without.
    purpose : str
        ``strike`` (Airstrikes and OBA), ``mortar`` (a Leader who directs a Mortar Team), ``contact`` (a Contact that is
        revealed) or ``challenge`` (one that is challenged).
    weapon_range : int
        Longest range of the unit's weapons in hexes; it adds to what a strike is spotted at, and limits challenges.
    team : str
        Label of the Mortar Team's location.
    status : str
        ``good_order``, ``shaken``, ``broken`` or ``suppressed``.
    options, conditions : optional
        Readings, and what holds for sight.

    Raises
    ------
    LabelError
        When a label is unknown.
    UnknownNameError, ScenarioRuleError
        When an option, a word or a range cannot be.
    """
    for name, value, allowed in (("purpose", purpose, PURPOSES), ("status", status, _STATUS)):
        if value not in allowed:
            msg = f"{name}: got {value!r}; {nearest(str(value), allowed)}"
            raise ScenarioRuleError(msg)
    _check_hexes("weapon_range", weapon_range)
    if purpose == "mortar" and not team:
        msg = "team: name the location of the Mortar Team that is directed (8.2)"
        raise ScenarioRuleError(msg)
    ruleset = get_ruleset("modern_tactics")
    start, number_of = survey.directory.number(unit), survey.directory.number
    limit = _limit(ruleset.catalogue.modifiers, purpose, weapon_range)
    judge = ruleset.sight.judge(survey, ruleset.options(options), conditions or Conditions())
    seen = judge.field(start)[0].ravel() != BLOCKED
    near, rule = Distances(survey, start), _RULES[purpose]
    own = list(_own_checks(survey, ruleset.catalogue.modifiers, purpose, unit, status, team))

    def spot(number: int) -> Spot:
        label, checks = survey.directory.label(number), list(own)
        if purpose == "contact" and near.to(number) <= 1:
            return Spot(label, (Check(rule, True, f"{label} is adjacent to {unit}"),))
        if limit is not None:
            text = f"{near.told(number)} from {unit}, {limit} at most"
            checks.append(Check(rule, near.to(number) <= limit, text))
        sees = bool(seen[number]) or number == start
        checks.append(Check("12.1", sees, f"{unit} {'has' if sees else 'has no'} line of sight to {label}"))
        return Spot(label, tuple(checks))

    given = None if targets is None else [number_of(label) for label in targets]
    looked = _within(survey, near, limit) if given is None else given
    return Spots(survey, f"spotted from {unit} ({purpose})", looked, spot)


def _limit(figures: Mapping[str, Any], purpose: str, weapon_range: int) -> int | None:
    """Return the hexes that a place may be away, None for no limit."""
    if purpose == "strike":
        return max(int(figures["spotting_range"]), weapon_range)
    if purpose == "challenge":
        most = int(figures["challenge_range"])
        return min(most, weapon_range) if weapon_range else most
    return int(figures["contact_range"]) if purpose == "contact" else None


def _own_checks(
    survey: Survey, figures: Mapping[str, Any], purpose: str, unit: str, status: str, team: str
) -> Iterator[Check]:
    """Yield the conditions that are the unit's own, whatever it looks at."""
    if purpose != "contact":
        good = status == _GOOD_ORDER
        yield Check(_RULES[purpose], good, f"the unit at {unit} is {'in good order' if good else status}")
    if purpose == "mortar":
        most = int(figures["mortar_leader_range"])
        near = Distances(survey, survey.directory.number(unit))
        number = survey.directory.number(team)
        yield Check("8.2", near.to(number) <= most, f"the Mortar Team is {near.told(number)} away, {most} at most")


class Distances:
    """Hexes from a location to others; a road beside a structure is in its hex."""

    def __init__(self, survey: Survey, start: int) -> None:
        self.survey, self.start = survey, survey.directory.location(start).cell

    def to(self, number: int) -> int:
        """Return the hexes to a location."""
        return self.survey.grid.distance(self.start, self.survey.directory.location(number).cell)

    def told(self, number: int) -> str:
        """Return the hexes to a location in words."""
        hexes = self.to(number)
        return f"{hexes} hex{'es' * (hexes != 1)}"


def _check_hexes(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        msg = f"{name}: got {value!r}, allowed: whole hexes from 0"
        raise ScenarioRuleError(msg)


def _within(survey: Survey, near: Distances, limit: int | None) -> list[int]:
    numbers: list[int] = survey.directory.numbers.tolist()
    return numbers if limit is None else [number for number in numbers if near.to(number) <= limit]


def _numbers(survey: Survey, labels: Iterable[str] | None, near: Distances, limit: int) -> list[int]:
    return _within(survey, near, limit) if labels is None else [survey.directory.number(label) for label in labels]
