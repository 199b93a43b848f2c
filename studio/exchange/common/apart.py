"""How far lines are apart: straight pieces, points along them, and the farthest of these from another line."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["Apart", "along", "distances", "farthest", "segments"]

_SAMPLE = 0.25


def segments(line: Any) -> NDArray[np.float64]:
    """Return the straight pieces of a line or of several; shape (n, 2, 2). A point is a piece without length."""
    import shapely

    points, part = shapely.get_coordinates(shapely.get_parts(line), return_index=True)
    if len(points) == 1:
        return np.stack([points, points], axis=1)
    inner = part[1:] == part[:-1]
    return np.stack([points[:-1][inner], points[1:][inner]], axis=1)


class Apart(NamedTuple):
    """Where two lines are farthest apart.

    Attributes
    ----------
    distance : float
    point : (float, float)
    """

    distance: float
    point: tuple[float, float]


def along(pieces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points on straight pieces, shape (n, 2, 2), a quarter of a radius apart at most."""
    count = np.maximum(1, np.ceil(np.hypot(*(pieces[:, 1] - pieces[:, 0]).T) / _SAMPLE).astype(np.int64))
    which = np.repeat(np.arange(len(pieces)), count)
    part = (np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)) / count[which]
    return np.concatenate([pieces[which, 0] + part[:, None] * (pieces[which, 1] - pieces[which, 0]), pieces[-1:, 1]])


def farthest(pieces: NDArray[np.float64], other: NDArray[np.float64]) -> Apart:
    """Return the point of some straight pieces that is farthest from others."""
    spots = along(pieces)
    far = distances(spots, other)
    n = int(np.argmax(far))
    return Apart(float(far[n]), (float(spots[n, 0]), float(spots[n, 1])))


def distances(spots: NDArray[np.float64], pieces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far points are from the nearest of some straight pieces."""
    import shapely

    tree = shapely.STRtree(shapely.linestrings(pieces))
    (which, _), far = tree.query_nearest(shapely.points(spots), return_distance=True, all_matches=False)
    found = np.zeros(len(spots))
    found[which] = far
    return found
