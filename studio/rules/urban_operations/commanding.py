"""Command in a scenario of Urban Operations: ranges of the commanders, and the chain of command (7.1, 7.2.1)."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from studio.errors import ScenarioRuleError
from studio.paths.command_answer import Command, CommandLink, ForceChain, UnitCommand, commanded
from studio.rules.situation import Placed, Situation
from studio.rules.urban_operations.command import Chain, chain_of_command
from studio.rules.urban_operations.effect_points import count_effect_points
from studio.rules.urban_operations.scene import Scene
from studio.sight import Conditions

__all__ = ["command"]

_COMPANY, _PLATOON, _POST = "coy_comd", "plt_comd", "cp"


def command(
    situation: Situation,
    asked: Sequence[Placed],
    *,
    options: Mapping[str, Any],
    ranges: Mapping[str, int] | None = None,
) -> Command:
    """Tell of blocks by which commanders they are commanded, and how many of each Impulse Force can be activated.

    A block is in command within 6 EP of the Platoon Commander of its formation; a Platoon Commander and a Command Post
    within 6 EP of the Company Commander, whom nobody commands.

    Parameters
    ----------
    situation : Situation
    asked : sequence of Placed
        Blocks, or places where a block might stand.
    options : mapping
        All options in force.
    ranges : mapping, optional
        None here: the command range is 6 EP for all (7.1).

    Raises
    ------
    ScenarioRuleError
        When `ranges` are given.
    """
    if ranges:
        msg = "ranges: the command range is 6 EP for every commander (7.1); leave them out"
        raise ScenarioRuleError(msg)
    staff = _Staff(situation, options)
    found = [staff.answer(unit) for unit in asked]
    leaders = {
        unit.id: (unit.side, staff.label(unit), staff.limit)
        for unit in situation.units
        if _role(unit) in (_COMPANY, _PLATOON) and unit.side in {one.side for one in asked}
    }
    return Command(found, situation.survey, leaders, staff.chains({unit.side for unit in asked}))


def _role(unit: Placed) -> str:
    return str(unit.kind.role) if unit.kind is not None else ""


class _Staff:
    """Commanders on the map, and distances from them."""

    def __init__(self, situation: Situation, options: Mapping[str, Any]) -> None:
        self.situation, self.options = situation, dict(options)
        self.scene = Scene(situation.survey, self.options, Conditions())
        self.limit = int(self.scene.figures["command_range"])

    def label(self, unit: Placed) -> str:
        """Return the label of a block's location."""
        return self.situation.survey.directory.label(unit.cell)

    def of(self, side: str, role: str, formation: str = "") -> list[Placed]:
        """Return the blocks of a role, of one formation where it is named."""
        units = self.situation.of(side)
        return [unit for unit in units if _role(unit) == role and formation in ("", unit.formation)]

    def answer(self, unit: Placed) -> UnitCommand:
        """Return the answer for one block."""
        role, at = _role(unit), self.label(unit)
        if role == _COMPANY:
            return UnitCommand(
                unit=unit.id,
                side=unit.side,
                formation=unit.formation,
                at=at,
                in_command=True,
                reason="commands the company",
            )
        if role in (_PLATOON, _POST):
            above, nobody = self.of(unit.side, _COMPANY), "the company commander is not on the map"
        else:
            above = self.of(unit.side, _PLATOON, unit.formation)
            nobody = "its platoon commander is not on the map"
        links = [self._link(leader, unit.cell) for leader in above]
        return commanded(unit.id, unit.side, unit.formation, at, links, nobody)

    def _link(self, leader: Placed, to: int) -> CommandLink:
        points = count_effect_points(self.scene, leader.cell, to, fire=False)
        return CommandLink(
            leader=leader.id,
            role=leader.kind.name,
            at=points.start,
            distance=points.total,
            limit=self.limit,
            measure="EP",
            path=(points.start, *(step.at for step in points.steps)),
        )

    # -- the chain -------------------------------------------------------------------------------------------------

    def chains(self, sides: Iterable[str]) -> list[ForceChain]:
        """Return the chain of command of every formation that has blocks on the map."""
        found = []
        for side in self.situation.sides:
            units = [unit for unit in self.situation.of(side) if unit.on_ground]
            if side in sides:
                found += [self._chain(side, name) for name in dict.fromkeys(unit.formation for unit in units)]
        return found

    def _chain(self, side: str, formation: str) -> ForceChain:
        """Return the best that the commanders of a side make of a formation."""
        roles = ((_PLATOON, formation), (_COMPANY, ""), (_POST, ""))
        nobody: list[Placed | None] = [None]
        staffs = itertools.product(*(self.of(side, role, part) or nobody for role, part in roles))
        found = [(self._counted(*staff), staff) for staff in staffs]
        chain, (platoon, company, post) = max(found, key=lambda one: one[0].blocks)
        members = [unit for unit in (platoon, post) if unit is not None]
        links = [self._link(company, unit.cell) for unit in members] if company is not None and chain.links else []
        to = tuple(self.label(unit) for unit in members) if links else ()
        return ForceChain(
            side=side, formation=formation, blocks=chain.blocks, text=chain.text, links=tuple(links), to=to
        )

    def _counted(self, platoon: Placed | None, company: Placed | None, post: Placed | None) -> Chain:
        """Return what commanders make of a platoon; None is not on the map."""
        names = {"platoon": platoon, "company": company, "post": post}
        labels = {name: "" if unit is None else self.label(unit) for name, unit in names.items()}
        return chain_of_command(self.situation.survey, options=self.options, **labels)
