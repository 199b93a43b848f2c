"""What parts the hexes of a Modern Tactics map: hexside terrain, high walls, the outlines of structures (14.4, 14.6).

A high wall, the outer wall of a compound or the outline of a structure lies between two adjacent hexes when it passes
between their dots, for the dot says on which side of a wall a unit is (Playbook 2).
"""

from __future__ import annotations

from collections.abc import Iterator

from studio.model import Area
from studio.rules.modern_tactics.drawn import STRUCTURES, high_walls
from studio.survey import Joint, Side, Survey, hex_sides, road_joints

__all__ = ["HIGH_WALL", "STRUCTURE", "borders", "joints"]

HIGH_WALL, STRUCTURE = "high_wall", "structure"


def borders(survey: Survey) -> Iterator[Side]:
    """Yield the sides of hexes with something on them: hexside terrain first, then high walls, then structures.

    Parameters
    ----------
    survey : Survey
    """
    walls = [wall.line for wall in high_walls(survey)]
    standing = [area for area in survey.features_of(Area) if area.type in STRUCTURES]
    outlines = [(*ring, ring[0]) for area in standing for ring in (area.outline, *area.holes)]
    yield from hex_sides(survey, {HIGH_WALL: walls, STRUCTURE: outlines})


def joints(survey: Survey) -> Iterator[Joint]:
    """Yield what the road in a hex with a structure is next to (14.7): its hex, and where it leads.

    Parameters
    ----------
    survey : Survey
    """
    yield from road_joints(survey)
