"""Command in a scenario of Modern Tactics: which units are in the command range of a Leader (7.1, 7.3, 16.0, 19.0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from studio.errors import ScenarioRuleError, UnknownNameError, nearest
from studio.paths.command_answer import Command, CommandLink, commanded
from studio.rules.modern_tactics.ranges import Distances
from studio.rules.situation import Placed, Situation

__all__ = ["command"]

_LEADER, _ARMOR = "leader", "armor_leader"
_BARS = {
    "hidden": "which is hidden (19.0)",
    "shaken": "which is shaken (16.0)",
    "broken": "which is broken (16.0)",
    "suppressed": "which is suppressed (25.7.1)",
}
"""What keeps a Leader from helping to rally."""


def command(
    situation: Situation,
    asked: Sequence[Placed],
    *,
    options: Mapping[str, Any],
    ranges: Mapping[str, int] | None = None,
) -> Command:
    """Tell of units by which Leaders they are commanded.

    Parameters
    ----------
    situation : Situation
    asked : sequence of Placed
        Units, or places where a unit might stand.
    options : mapping
        Does not matter here.
    ranges : mapping of str to int, optional
        Command ranges by the ids of Leaders, instead of the figures of the scenario.

    Raises
    ------
    UnknownNameError
        When `ranges` names something that is no Leader on the map.
    ScenarioRuleError
        When the range of a Leader is not known, or is no whole number from 0.
    """
    del options
    sides = {unit.side for unit in asked}
    leaders = [unit for unit in situation.units if unit.kind is not None and unit.kind.role in (_LEADER, _ARMOR)]
    _check_ranges(ranges or {}, [unit.id for unit in leaders])
    known = {unit.id: (ranges or {}).get(unit.id, unit.figure("command_range")) for unit in leaders}
    ours = [unit for unit in leaders if unit.side in sides]
    unknown = [unit.id for unit in ours if known[unit.id] is None]
    if unknown:
        msg = (
            f"the command range of {', '.join(unknown)} is on the counter only (7.1): give "
            f"ranges={{{unknown[0]!r}: ...}}, or write it into the scenario as the figure command_range of the unit"
        )
        raise ScenarioRuleError(msg)
    label = situation.survey.directory.label
    near = {leader.id: Distances(situation.survey, leader.cell) for leader in ours}
    found = []
    for unit in asked:
        links = [
            _link(leader, near[leader.id].to(unit.cell), int(known[leader.id] or 0), label(leader.cell))
            for leader in ours
            if leader.side == unit.side and leader.id != unit.id and _may_command(leader, unit)
        ]
        nobody = "no other Leader of its side is on the map"
        found.append(commanded(unit.id, unit.side, unit.formation, label(unit.cell), links, nobody))
    told = {unit.id: (unit.side, label(unit.cell), int(known[unit.id] or 0)) for unit in ours}
    return Command(found, situation.survey, told)


def _may_command(leader: Placed, unit: Placed) -> bool:
    """Tell whether a Leader can help such a unit: Armor Leaders help vehicles (7.3)."""
    return leader.kind.role == _LEADER or unit.kind is None or unit.kind.kind == "vehicle"


def _link(leader: Placed, distance: int, limit: int, at: str) -> CommandLink:
    bar = next((text for status, text in _BARS.items() if leader.has(status)), "")
    return CommandLink(
        leader=leader.id, role=leader.kind.name, at=at, distance=distance, limit=limit, measure="hex", bar=bar
    )


def _check_ranges(ranges: Mapping[str, int], leaders: Sequence[str]) -> None:
    for name, value in ranges.items():
        if name not in leaders:
            msg = f"ranges: no Leader {name!r} on the map; {nearest(name, leaders)}"
            raise UnknownNameError(msg)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            msg = f"ranges: {name}: got {value!r}, allowed: whole hexes from 0"
            raise ScenarioRuleError(msg)
