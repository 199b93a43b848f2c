"""What a ruleset must offer so that the studio can answer questions about movement.

Costs are whole numbers of half points, so that a road at 1/2 a hex is exact. A game offers, in its ``paths`` module,
``judge(survey, mover, options, state)``: a :class:`MoveJudge` with all links at once, and with each of them explained.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

import msgspec

from studio.paths.network import Network
from studio.paths.points import points_text
from studio.survey import Survey

__all__ = ["CostPart", "MoveJudge", "MoveState", "MovementRules", "Step"]


class CostPart(msgspec.Struct, frozen=True):
    """One part of the cost of a step: its rule, its half points (None forbids the step), and a sentence."""

    rule: str
    halves: int | None
    text: str


class Step(msgspec.Struct, frozen=True):
    """A step from a location to an adjacent one.

    Attributes
    ----------
    a, b : str
        Labels.
    mover : str
    parts : tuple of CostPart
        What adds up to the cost; a part with ``halves`` None forbids the step.
    least_halves : int
        Least cost of any step.
    unit : str
        What the points are called.
    """

    a: str
    b: str
    mover: str
    parts: tuple[CostPart, ...]
    least_halves: int = 0
    unit: str = "MP"

    @property
    def halves(self) -> int | None:
        """Cost in half points, None when the step is forbidden."""
        total = 0
        for part in self.parts:
            if part.halves is None:
                return None
            total += part.halves
        return max(total, self.least_halves)

    @property
    def cost(self) -> Fraction | None:
        """Cost in points, None when the step is forbidden."""
        halves = self.halves
        return None if halves is None else Fraction(halves, 2)

    @property
    def barrier(self) -> CostPart | None:
        """The part that forbids the step, None when it is allowed."""
        return next((part for part in self.parts if part.halves is None), None)

    def __str__(self) -> str:
        cost = "impassable" if self.halves is None else points_text(self.halves, self.unit)
        return f"{self.a} to {self.b} ({self.mover}): {cost}; " + "; ".join(part.text for part in self.parts)


class MoveState(msgspec.Struct, frozen=True, kw_only=True):
    """What holds for movement at the moment, beside the map; games add fields of their own.

    Parameters
    ----------
    enemies : frozenset of int
        Numbers of the locations with enemy units.
    blocked : frozenset of int
        Numbers of the locations that cannot be entered, such as those stacked to the limit.
    """

    enemies: frozenset[int] = frozenset()
    blocked: frozenset[int] = frozenset()


class MoveJudge(ABC):
    """Answers questions about movement for one mover on one state of one map.

    Nodes are ``number of a location * len(states) + state``; see :class:`Network`.

    Parameters
    ----------
    survey : Survey
    mover : str
    """

    states: tuple[str, ...] = ("",)
    """Names of the states that a mover can be in; one without a name in most games."""

    first_step = ""
    """Rule by which a unit can always move one location, whatever it costs; empty for none."""

    unit = "MP"
    """What the points are called."""

    def __init__(self, survey: Survey, mover: str) -> None:
        self.survey, self.mover = survey, mover
        self.revision = survey.revision

    @property
    @abstractmethod
    def network(self) -> Network:
        """All nodes and links."""

    @abstractmethod
    def step(self, a: int, b: int) -> Step:
        """Return the explained cost of the link between two nodes, or what forbids it.

        Raises
        ------
        GridError
            When no link can lead from the one to the other: they are not adjacent.
        """

    def starts(self, number: int) -> list[int]:
        """Return the nodes that a mover at a location begins at."""
        return [number * len(self.states)]

    def nodes(self, number: int) -> range:
        """Return the nodes of a location."""
        return range(number * len(self.states), (number + 1) * len(self.states))

    def number(self, node: int) -> int:
        """Return the number of the location of a node."""
        return node // len(self.states)

    def label(self, node: int) -> str:
        """Return the label of the location of a node."""
        return self.survey.directory.label(self.number(node))

    def stop(self, node: int) -> CostPart | None:
        """Return what keeps a mover from ending its move at a node that it may pass, None when nothing does."""
        del node
        return None

    def closed_to(self, number: int) -> CostPart | None:
        """Return the rule by which the mover is never in a location that no links lead to, None where there is none."""
        del number
        return None

    def state_of(self, node: int) -> str:
        """Return the name of the state of a node."""
        return self.states[node % len(self.states)]

    def between(self, a: int, b: int) -> Step:
        """Return the cheapest explained step from a location to another; of forbidden ones the first.

        Raises
        ------
        GridError
            When the two locations are not adjacent.
        """
        network = self.network
        pairs = [(begin, end) for begin in self.starts(a) for end in self.nodes(b)]
        allowed = [(cost, pair) for pair in pairs if (cost := network.cost(*pair)) is not None]
        if allowed:
            return self.step(*min(allowed)[1])
        linked = [(begin, end) for begin, end in pairs if end in network.ends[network.row(begin)]]
        return self.step(*(linked or pairs)[0])


class MovementRules(Protocol):
    """The ``paths`` module of a ruleset."""

    STATE: type[MoveState]

    def judge(
        self, survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
    ) -> MoveJudge:
        """Return a judge for the map as it is now.

        Raises
        ------
        UnknownNameError
            When the game has no such mover or option.
        ScenarioRuleError
            When an option cannot have such a value, or the state is of another game.
        """
        ...
