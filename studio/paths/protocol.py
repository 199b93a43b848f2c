"""What a ruleset must offer so that the studio can answer questions about movement.

Costs are whole numbers of half points, so that a road at 1/2 a hex is exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

import msgspec

from studio.survey import Survey

__all__ = ["CostPart", "MovementRules", "Step"]


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
    """

    a: str
    b: str
    mover: str
    parts: tuple[CostPart, ...]
    least_halves: int = 0

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

    def __str__(self) -> str:
        cost = "impassable" if self.halves is None else f"{self.cost} MP"
        return f"{self.a} to {self.b} ({self.mover}): {cost}; " + "; ".join(part.text for part in self.parts)


class MovementRules(Protocol):
    """The ``paths`` module of a ruleset."""

    def step(
        self,
        survey: Survey,
        a: int,
        b: int,
        mover: str,
        options: Mapping[str, Any] | None = None,
        *,
        flank: bool = False,
    ) -> Step:
        """Return the explained cost of moving from a cell to an adjacent one.

        Raises
        ------
        GridError
            When the two hexes are not adjacent.
        UnknownNameError
            When the game has no such mover.
        """
        ...
