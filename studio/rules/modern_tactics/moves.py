"""Movement in Modern Tactics (14, 22, 23): the cost of a step, part by part; figures stand in terrain.toml."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import msgspec

from studio.errors import GridError, ScenarioRuleError
from studio.paths import CostPart, MoveJudge, MoveState, Network, Step
from studio.paths.state import check_mover
from studio.rules import get_ruleset
from studio.rules.modern_tactics import begins, footing, links
from studio.rules.modern_tactics.move_state import FACINGS, VEHICLES, TacticsState, check_state
from studio.rules.modern_tactics.ways import Ways
from studio.survey import Survey

__all__ = ["STATE", "TacticsMoves", "judge"]

STATE = TacticsState


def judge(
    survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> TacticsMoves:
    """Return the judge of movement for the map as it is now.

    Parameters
    ----------
    survey : Survey
    mover : str
        ``foot``, ``wheeled``, ``tracked`` or ``helicopter``.
    options : mapping, optional
        Readings to use instead of the defaults.
    state : TacticsState, optional

    Raises
    ------
    UnknownNameError
        When the game has no such mover or option.
    ScenarioRuleError
        When an option cannot have such a value, or the state is of another game or cannot hold for the mover.
    """
    state = TacticsState() if state is None else state
    if not isinstance(state, TacticsState):
        msg = f"state: got a {type(state).__name__}, allowed: a TacticsState"
        raise ScenarioRuleError(msg)
    return TacticsMoves(survey, mover, options, state)


class TacticsMoves(MoveJudge):
    """Movement of one kind of unit on one map.

    States are the facings of a vehicle (one state for foot units and helicopters); where moves end early, one for
    units that go no further; and one for units that begin off the map, aboard or in a bunker.
    """

    first_step = "22.0 one hex"

    def __init__(self, survey: Survey, mover: str, options: Mapping[str, Any] | None, state: TacticsState) -> None:
        super().__init__(survey, mover)
        self.ruleset = get_ruleset("modern_tactics")
        check_mover(mover, self.ruleset.movers, self.ruleset.title)
        check_state(state, mover, survey.grid.orientation)
        self.options, self.state = self.ruleset.options(options), state
        self.ways = Ways(survey, mover, self.options, state)
        self.turns = mover in VEHICLES
        facings = FACINGS[survey.grid.orientation]
        self.states = tuple(f"facing {name}" for name in facings) if self.turns else ("",)
        self.facings = len(self.states)
        self.stopped = self.facings if self.ways.stops else None
        if self.ways.stops:
            self.states += ("stopped",)
        self.begun = len(self.states) if state.begins else None
        if state.begins:
            self.states += (begins.NAMES[state.begins],)

    @cached_property
    def covering(self) -> TacticsMoves | None:
        """Movement of the vehicle that gives rolling cover (22.2), None without one."""
        if not self.state.rolling_cover:
            return None
        begun = self.state.begins if self.state.begins == "off_map" else ""
        state = msgspec.structs.replace(self.state, rolling_cover="", begins=begun)
        return TacticsMoves(self.survey, self.state.rolling_cover, self.options, state)

    @cached_property
    def network(self) -> Network:
        """All nodes and links."""
        return links.network(self)

    def starts(self, number: int) -> list[int]:
        """Return the nodes that a mover begins at: a vehicle faces where the state says, or anywhere."""
        first = number * len(self.states)
        if self.begun is not None:
            return [first + self.begun]
        if self.turns and self.state.facing:
            return [first + self.states.index(f"facing {self.state.facing}")]
        return [first + facing for facing in range(self.facings)]

    def stop(self, node: int) -> CostPart | None:
        """Return what keeps a helicopter from ending its move at a node: an enemy below it (30.0)."""
        number = self.number(node)
        if not self.ways.flies or self.ways.cell_of(number) not in self.ways.enemies:
            return None
        return CostPart("30.0", None, f"{self.label(node)}: a helicopter may fly over an enemy, not stop there")

    # -- one step --------------------------------------------------------------------------------------------------

    def step(self, a: int, b: int) -> Step:
        """Return the explained cost of the link between two nodes, or what forbids it.

        Raises
        ------
        GridError
            When no link leads from the one to the other.
        """
        count = len(self.states)
        here, there, before, after = self.number(a), self.number(b), a % count, b % count
        begun, stopped = before == self.begun, before == self.stopped
        if begun and here == there:
            parts = begins.parts(self, here, after)
        elif after == self.begun or begun:
            raise self._no_link(a, b, "a move begins once, where the unit is")
        elif stopped:
            parts = self._gone_far_enough(here, there, after)
        elif here == there:
            parts = self._spin(a, b)
        else:
            parts = self._move(a, b)
        return Step(self.label(a), self.label(b), self.mover, tuple(parts))

    def _no_link(self, a: int, b: int, why: str) -> GridError:
        return GridError(f"{self.label(a)} to {self.label(b)}: {why}")

    def _spin(self, a: int, b: int) -> list[CostPart]:
        count = len(self.states)
        if not self.turns or a == b or b % count >= self.facings:
            raise self._no_link(a, b, "the unit is there already")
        text = f"{self.label(a)}: spins to {self.states[b % count].replace('facing', 'face')}"
        return [CostPart("22.4", self.ways.figure("spin"), text)]

    def _gone_far_enough(self, here: int, there: int, after: int) -> list[CostPart]:
        """Return what holds a unit that goes no further; ways on are known, so that an answer can name it."""
        cell = self.ways.cell_of(here)
        direction = None if self.ways.on_road(there) else self.survey.grid.direction(cell, there)
        if direction is None or cell not in self.ways.stops or after != self.lands(there, direction):
            raise self._no_link(here * len(self.states), there * len(self.states), "the move has ended")
        rule, what = self.ways.stops[cell]
        name = self.survey.directory.label(here)
        return [CostPart(rule, None, f"{name}: {what}, the move has ended there")]

    def lands(self, number: int, direction: int) -> int:
        """Return the state in which a unit that goes straight on in a direction comes to a location."""
        if self.stopped is not None and self.ways.cell_of(number) in self.ways.stops:
            return self.stopped
        return direction if self.turns else 0

    def _move(self, a: int, b: int) -> list[CostPart]:
        count, ways = len(self.states), self.ways
        here, there, before, after = self.number(a), self.number(b), a % count, b % count
        within = ways.cell_of(here) == ways.cell_of(there)
        ends = not within and ways.cell_of(there) in ways.stops
        if after != self.stopped and ends:
            raise self._no_link(a, b, "a move that enters this hex ends there")
        if after == self.stopped and not ends:
            raise self._no_link(a, b, "nothing ends the move there")
        if self.turns and after != self.stopped:
            turned = (after - before) % 6
            if turned not in ((0,) if within else (0, 1, 5)):
                raise self._no_link(a, b, "a vehicle turns by one hexside for free in a new hex (22.4)")
        parts = footing.parts(self, here, there)
        direction = self.survey.grid.direction(ways.cell_of(here), ways.cell_of(there))
        if self.turns and direction is not None and (direction - before) % 6 in (2, 3, 4):
            parts.append(CostPart("22.4", ways.figure("reverse"), "in reverse"))
        if ends:
            rule, what = ways.stops[ways.cell_of(there)]
            parts.append(CostPart(rule, 0, f"{self.label(b)}: {what}, the move ends there"))
        return parts

    def between(self, a: int, b: int) -> Step:
        """Return the cheapest explained step from a location to another; of forbidden ones the first.

        Raises
        ------
        GridError
            When the two locations are not adjacent.
        """
        if a == b:
            raise self._no_link(self.starts(a)[0], self.starts(b)[0], "the unit is there already")
        steps: list[Step] = []
        failed: GridError | None = None
        for begin in self.starts(a):
            for end in self.nodes(b):
                try:
                    steps.append(self.step(begin, end))
                except GridError as error:
                    failed = failed or error
        if not steps:
            raise failed or self._no_link(a, b, "no step leads there")
        allowed = [step for step in steps if step.halves is not None]
        return min(allowed or steps[:1], key=lambda step: step.halves or 0)
