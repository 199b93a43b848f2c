"""Kinds of borders of zones and street sections (4.1, 4.1.1, 4.3, 4.3.1.1).

Two zones part along a dashed line, two street sections along a dotted one, a zone and a street section along a
continuous one: all of them leave the two Adjacent. Where a wall of the type ``solid`` runs along a border, that
stretch is closed.
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.model import Area, Wall
from studio.survey import Stretch, Survey, parts_by
from studio.survey.stretches import Segment, Stretches

__all__ = ["DASHED", "DOTTED", "OUTLINE", "SOLID", "STREET_SIDE", "BorderParts"]

DASHED, DOTTED, STREET_SIDE, SOLID, OUTLINE = "dashed", "dotted", "street_side", "solid", "outline"
"""Kinds of borders: between zones, between street sections, between both; what closes one; towards nothing."""


class BorderParts:
    """Says of which kinds the stretches of borders are.

    Parameters
    ----------
    survey : Survey
    """

    def __init__(self, survey: Survey) -> None:
        walls = [wall.line for wall in survey.features_of(Wall) if wall.type == SOLID]
        self._closed = {SOLID: Stretches.of_lines(walls)} if walls else {}

    def __call__(self, a: Area, b: Area | None, segments: tuple[Segment, ...]) -> Iterator[Stretch]:
        """Yield the stretches of a border between two areas, or between one and nothing."""
        if b is None:
            yield Stretch(OUTLINE, segments)
            return
        types = {a.type, b.type}
        rest = DASHED if types == {"zone"} else DOTTED if types == {"street"} else STREET_SIDE
        yield from parts_by(self._closed, segments, rest)
