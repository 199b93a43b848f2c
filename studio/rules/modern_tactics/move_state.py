"""What holds for movement in Modern Tactics beside the map: who is where, and how the mover begins."""

from __future__ import annotations

from studio.errors import ScenarioRuleError, nearest
from studio.paths import MoveState
from studio.rules.standing import FACINGS

__all__ = ["FACINGS", "VEHICLES", "TacticsState", "check_state"]

VEHICLES = ("wheeled", "tracked")
"""Movers that have a facing (22.4)."""

_BEGINNINGS = ("", "off_map", "aboard", "bunker")
_KINDS = ("unit", "single", "sniper", "bomber")


class TacticsState(MoveState, frozen=True, kw_only=True):
    """What holds for movement in Modern Tactics; the rest is as of :class:`MoveState`.

    Parameters
    ----------
    kind : str
        ``unit`` (squads, teams, vehicles), ``single`` (a single person), ``sniper`` or ``bomber``: what it stacks with,
        and what stops it.
    facing : str
        Hexside that a vehicle faces at the start, such as ``N``; empty for any.
    begins : str
        Where the move begins: in the location, or ``off_map`` and enters there, ``aboard`` a vehicle there, in the
        ``bunker`` there.
    full, full_of_singles : frozenset of int
        Locations in whose hexes there are as many units, or single persons, as may be.
    civilians : frozenset of int
        Locations with Civilians (31.1).
    openings : frozenset of (int, int)
        Pairs of adjacent hexes between which a high wall is open: a gate, or blown up.
    assault : bool
        The move is an assault move (24.0).
    objectives : frozenset of int
        Hexes that an assault move may enter though no enemy is there.
    rolling_cover : str
        Kind of the vehicle that a foot unit moves with (22.2): ``wheeled`` or ``tracked``.
    """

    kind: str = "unit"
    facing: str = ""
    begins: str = ""
    full: frozenset[int] = frozenset()
    full_of_singles: frozenset[int] = frozenset()
    civilians: frozenset[int] = frozenset()
    openings: frozenset[tuple[int, int]] = frozenset()
    assault: bool = False
    objectives: frozenset[int] = frozenset()
    rolling_cover: str = ""


def check_state(state: TacticsState, mover: str, orientation: str) -> None:
    """Refuse what cannot hold for a mover.

    Raises
    ------
    ScenarioRuleError
        When a word of the state is unknown, or the mover cannot begin, face or move so.
    """
    facings = FACINGS[orientation]
    for name, value, allowed in (
        ("kind", state.kind, _KINDS),
        ("facing", state.facing, ("", *facings)),
        ("begins", state.begins, _BEGINNINGS),
        ("rolling_cover", state.rolling_cover, ("", *VEHICLES)),
    ):
        if value not in allowed:
            msg = f"state: {name}: got {value!r}; {nearest(value, [one for one in allowed if one])}"
            raise ScenarioRuleError(msg)
    if state.facing and mover not in VEHICLES:
        msg = f"state: facing: {mover} units face no hexside; vehicles do (22.4)"
        raise ScenarioRuleError(msg)
    for name, held in (("begins", state.begins in ("aboard", "bunker")), ("rolling_cover", bool(state.rolling_cover))):
        if held and mover != "foot":
            msg = f"state: {name}: got {getattr(state, name)!r} for {mover} units; it is for foot units"
            raise ScenarioRuleError(msg)
    if state.kind != "unit" and mover != "foot":
        msg = f"state: kind: got {state.kind!r} for {mover} units; single persons go on foot"
        raise ScenarioRuleError(msg)
    if state.rolling_cover and state.kind != "unit":
        msg = "state: rolling_cover: squads and weapon teams move so, single persons do not (22.2)"
        raise ScenarioRuleError(msg)
    if state.assault and (mover == "helicopter" or state.kind != "unit"):
        msg = "state: assault: helicopters and single persons make no assault moves (24.0)"
        raise ScenarioRuleError(msg)
