"""Retreat from fire in Armageddon War (4.16): whether a unit may, and into which hexes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from studio.errors import ScenarioRuleError
from studio.paths import MoveState
from studio.paths.spots import Check, Spot, Spots
from studio.rules.armageddon_war.enemies import Enemies, Ranges, by_label
from studio.rules.armageddon_war.moves import ArmageddonMoves, judge

if TYPE_CHECKING:
    from studio.sight import Conditions
    from studio.survey import Survey

__all__ = ["retreat"]

BOUND = {"pinned": "Pinned", "shaken": "Shaken"}
"""States of a unit in which it does not retreat."""

STATUS = ("", "action", "pinned", "shaken")
"""States of a unit that matter here."""


def retreat(
    survey: Survey,
    unit: str,
    attacker: str,
    *,
    mover: str,
    enemies: Ranges = (),
    status: str = "",
    options: Mapping[str, Any] | None = None,
    conditions: Conditions | None = None,
    state: MoveState | None = None,
) -> Spots:
    """Find the hexes that a unit can retreat to when it is fired at.

    Parameters
    ----------
    survey : Survey
    unit, attacker : str
        Labels of their hexes.
    mover : str
        Way of moving of the unit.
    enemies : mapping of str to int, or iterable of str
        Labels of the hexes with enemies, with their largest range in hexes; the attacker is one of them unasked.
    status : {"", "action", "pinned", "shaken"}
        Of the unit.
    options : mapping, optional
        ``retreat_out_of_sight_of`` says whom it has to hide from.
    conditions : Conditions, optional
        What holds for sight.
    state : MoveState, optional
        What holds for movement, such as ``blocked`` hexes.

    Returns
    -------
    Spots
        The adjacent hexes.

    Raises
    ------
    LabelError
        When a label is unknown.
    UnknownNameError, ScenarioRuleError
        When no attacker is named, or the mover, an option, the status or a range cannot be.
    """
    if not attacker:
        msg = "retreat: no attacker is named; give its label, such as retreat('0303', '0301', mover='infantry') (4.16)"
        raise ScenarioRuleError(msg)
    if status.lower() not in STATUS:
        allowed = ", ".join(map(repr, STATUS))
        msg = f"status: got {status!r}, allowed: {allowed}"
        raise ScenarioRuleError(msg)
    number = survey.directory.number
    at, from_ = number(unit), number(attacker)
    given = by_label(enemies)
    given.setdefault(attacker, None)
    known = Enemies(survey, given, options, conditions)
    moves = judge(survey, mover, options, state)
    unit_checks = (_status(unit, status), _cover(moves, at))
    only = from_ if moves.options["retreat_out_of_sight_of"] == "attacker" else None

    neighbours = survey.grid.neighbours(at)

    def spot(to: int) -> Spot:
        if to not in neighbours:
            text = f"not adjacent: a unit retreats one hex, and {survey.directory.label(to)} is not beside {unit}"
            return Spot(survey.directory.label(to), (Check("4.16", False, text),))
        checks = (
            *unit_checks,
            _enter(moves, known, at, to),
            _away(survey, at, to, from_),
            known.threat(to, "4.16", only),
        )
        return Spot(survey.directory.label(to), checks)

    return Spots(survey, f"retreat from {unit}, fired at from {attacker}", neighbours, spot)


def _status(unit: str, status: str) -> Check:
    bound = BOUND.get(status.lower())
    text = f"the unit at {unit} is {bound} and stays" if bound else f"the unit at {unit} is neither Pinned nor Shaken"
    return Check("4.16", bound is None, text)


def _cover(moves: ArmageddonMoves, at: int) -> Check:
    """Tell whether the terrain of a hex reduces the quality of attacks on a unit in it."""
    terrain = moves.ruleset.terrain(moves.survey.model.terrain_at(at))
    mover = moves.mover
    while mover and mover not in terrain.defence:
        mover = moves.ruleset.movers[mover].like
    quality = terrain.defence.get(mover, 0)
    text = f"{moves.survey.directory.label(at)} {terrain.name.lower()}: {quality:+d} DQ for attacks on it"
    if quality >= 0:
        text += "; a unit retreats from terrain that lowers them only"
    return Check("4.16", quality < 0, text)


def _enter(moves: ArmageddonMoves, enemies: Enemies, at: int, to: int) -> Check:
    label = moves.survey.directory.label(to)
    if to in enemies.ranges:
        return Check("4.16", False, f"{label}: an enemy is there")
    step = moves.between(at, to)
    barrier = step.barrier
    return Check("4.16", barrier is None, f"{label} can be entered" if barrier is None else barrier.text)


def _away(survey: Survey, at: int, to: int, attacker: int) -> Check:
    before, after = survey.grid.distance(attacker, at), survey.grid.distance(attacker, to)
    text = f"the range to {survey.directory.label(attacker)} goes from {before} to {after}"
    return Check("4.16", after >= before, text)
