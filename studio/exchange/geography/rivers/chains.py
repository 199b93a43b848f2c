"""What is laid on corners: stretches of rivers, where they join each other, and where they may begin and end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from studio.exchange.geography.rivers.banks import Pair

__all__ = ["Chain", "Joint", "Stop"]


class Joint(NamedTuple):
    """Where an end of a chain joins what was laid before.

    Attributes
    ----------
    node : int
        Of the network.
    corner : int
    off : float
        From the node to the corner, in radii.
    chain : int
        Number of the chain that it joins.
    early : bool
        It joins a strand that it does not join in the world, as there was no other way.
    """

    node: int
    corner: int
    off: float
    chain: int
    early: bool


@dataclass
class Chain:
    """A stretch of a strand between two joints, on corners.

    Attributes
    ----------
    strand : int
        Its number in the order of laying.
    river : int
    line : shapely LineString
        In radii.
    corners : list of int
        Empty where there was no way.
    pairs : list of Pair
        Towns near it.
    joints : list of Joint
    nodes : (int, int)
        Of the network, where it begins and ends.
    inside : bool
        It closes a loop, so that nothing of it may lie at the edge of the map, which parts nothing.
    """

    strand: int
    river: int
    line: Any
    corners: list[int] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    nodes: tuple[int, int] = (-1, -1)
    inside: bool = False


class Stop(NamedTuple):
    """What an end of a path may be.

    Attributes
    ----------
    costs : dict of int to int
        Corners with what it costs to begin, or to end, there.
    laid : bool
        They are used by what was laid already.
    """

    costs: dict[int, int]
    laid: bool
