"""Lines along a hexside: what the two hexes, or sides, beside the line do together; for numbers and for arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

__all__ = ["BLOCKED_FROM", "border_hindrances", "border_points", "touch_points"]

BLOCKED_FROM = 2
"""So many points block a line; what it runs through has them all at once."""

_HEAVIEST = 1 << 14


def border_points(options: Mapping[str, Any], blocks: tuple[Any, Any], there: tuple[Any, Any]) -> Any:
    """Return the points towards blocking that a stretch along a hexside has.

    Parameters
    ----------
    options : mapping
        ``along`` and ``off_map`` matter.
    blocks, there : tuple of two bool, or arrays of them
        Which of the two blocks, and which is on the map.
    """
    one, other = (np.asarray(value & here) for value, here in zip(blocks, there, strict=True))
    if options["along"] == "either":
        points = BLOCKED_FROM * (one | other)
    elif options["along"] == "both":
        points = BLOCKED_FROM * (one & other)
    else:
        points = one.astype(np.int64) + other
    if options["off_map"] == "absent_decides_nothing":
        points = np.where(np.asarray(there[0]) != there[1], BLOCKED_FROM * (one | other), points)
    return points


def border_hindrances(
    options: Mapping[str, Any], counts: tuple[Any, Any], blocks: tuple[Any, Any], there: tuple[Any, Any]
) -> Any:
    """Return how often a stretch along a hexside hinders.

    Parameters
    ----------
    options : mapping
        ``along_hinder`` and ``off_map`` matter.
    counts : tuple of two int, or arrays of them
        How often each of the two hinders.
    blocks, there : tuple of two bool, or arrays of them
    """
    one, other = (np.where(here, count, 0) for count, here in zip(counts, there, strict=True))
    if options["along_hinder"] == "each":
        return one + other
    if options["along_hinder"] == "heavier":
        return np.maximum(one, other)
    heavy, heavier = (
        np.where(np.asarray(value) & here, _HEAVIEST, count)
        for value, here, count in zip(blocks, there, (one, other), strict=True)
    )
    lighter = np.minimum(heavy, heavier)
    if options["off_map"] == "absent_decides_nothing":
        lighter = np.where(np.asarray(there[0]) != there[1], np.maximum(one, other), lighter)
    return np.where(lighter == _HEAVIEST, np.maximum(one, other), lighter)


def touch_points(options: Mapping[str, Any]) -> int:
    """Return the points of a blocking hex that the line touches in a corner."""
    if options["touch"] == "free":
        return 0
    return 1 if options["along"] == "count" else BLOCKED_FROM
