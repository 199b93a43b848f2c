"""Control points, and the affines that lay every pinned one of them inside its hex, by linear programmes.

Points are in map units, y down, in which a hex measures 1 across its flats.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.exchange.geodata.world import moved
from studio.exchange.geography.placing.sheet import depths
from studio.exchange.geography.spec import ControlPoint
from studio.grid.fitting import Affine, FitError, inverse_affine

__all__ = ["SLACK", "ControlPoints", "all_inside", "deepest", "rounded"]

SLACK = 1e-6
"""What rounding may take of the depth of a point in its hex."""


@dataclass(frozen=True, eq=False)
class ControlPoints:
    """Control points.

    Attributes
    ----------
    points : tuple of ControlPoint
    degrees : array of shape (n, 2)
    world : array of shape (n, 2)
        In the reference system of the map.
    middles : array of shape (n, 2)
        Of their hexes, in map units.
    normals : array of shape (6, 2)
        Across the sides of a hex.
    """

    points: tuple[ControlPoint, ...]
    degrees: NDArray[np.float64]
    world: NDArray[np.float64]
    middles: NDArray[np.float64]
    normals: NDArray[np.float64]

    @property
    def pinned(self) -> NDArray[np.bool_]:
        """Which must fall into their hexes."""
        return np.array([one.pin for one in self.points])

    @property
    def names(self) -> list[str]:
        """Their names, or labels where they have none."""
        return [one.name or one.at for one in self.points]

    def by(self, affine: Affine) -> NDArray[np.float64]:
        """Return where the points lie, in map units."""
        return moved(inverse_affine(affine), self.world)

    def depth(self, places: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how deep in their hexes the points come to lie."""
        return depths(places, self.middles, self.normals)


def rounded(affine: Affine) -> Affine:
    """Return an affine with as many decimals as a thousand-millionth of a hex has, so that machines agree on it."""
    a, b, c, d, e, f = affine
    size = math.sqrt(abs(a * e - b * d))
    digits = 9 - math.floor(math.log10(size))
    a, b, d, e = (round(one, digits) + 0.0 for one in (a, b, d, e))
    return a, b, round(c, digits - 3) + 0.0, d, e, round(f, digits - 3) + 0.0


@dataclass(frozen=True, eq=False)
class _Programme:
    """All affines, or similarities, from the world to the map as a linear programme.

    Attributes
    ----------
    rows : array of shape (n, 2, unknowns)
        Place of each point is row @ unknowns.
    middle : array of shape (2,)
    size : float
        The world is moved to its middle and brought to size 1.
    stiff : bool
    """

    rows: NDArray[np.float64]
    middle: NDArray[np.float64]
    size: float
    stiff: bool

    @classmethod
    def of(cls, points: ControlPoints, *, stiff: bool) -> _Programme:
        """Return that of control points."""
        middle = points.world.mean(axis=0)
        size = float(np.abs(points.world - middle).max())
        x, y = ((points.world - middle) / size).T
        one, none = np.ones_like(x), np.zeros_like(x)
        # Up in the world is down in numbers on the map: a similarity that does not mirror has these signs.
        along = (x, -y, one, none) if stiff else (x, y, one, none, none, none)
        across = (-y, -x, none, one) if stiff else (none, none, none, x, y, one)
        return cls(np.stack((np.stack(along, axis=1), np.stack(across, axis=1)), axis=1), middle, size, stiff)

    def affine(self, unknowns: NDArray[np.float64]) -> Affine:
        """Return the affine from map units to the world."""
        if self.stiff:
            p, q, c, f = (float(one) for one in unknowns[:4])
            a, b, d, e = p, -q, -q, -p
        else:
            a, b, c, d, e, f = (float(one) for one in unknowns[:6])
        a, b, d, e = a / self.size, b / self.size, d / self.size, e / self.size
        x, y = self.middle.tolist()
        return inverse_affine((a, b, c - a * x - b * y, d, e, f - d * x - e * y))

    def sides(self, points: ControlPoints) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return how far pinned points lie beyond the middle towards each side: rows @ unknowns - right."""
        chosen = points.pinned
        left = np.einsum("kj,iju->iku", points.normals, self.rows[chosen]).reshape(-1, self.rows.shape[2])
        right = (points.middles[chosen] @ points.normals.T).ravel()
        return left, right


def deepest(points: ControlPoints, *, stiff: bool) -> float:
    """Return how deep in their hexes the best of all affines, or similarities, can lay all pinned points at once.

    1 is in the middle of all hexes, 0 on a hexside, and less than 0 says that there is none.
    """
    from scipy.optimize import linprog

    if not points.pinned.any():
        return 1.0
    programme = _Programme.of(points, stiff=stiff)
    left, right = programme.sides(points)
    size = left.shape[1]
    table = np.hstack((left, np.full((len(left), 1), 0.5)))
    goal = np.zeros(size + 1)
    goal[-1] = -1.0
    bounds = [(None, None)] * size + [(None, 1.0)]
    found = linprog(goal, A_ub=table, b_ub=right + 0.5, bounds=bounds, method="highs")
    return float(found.x[-1]) if found.success else -math.inf


def all_inside(points: ControlPoints, margin: float, *, stiff: bool) -> Affine | None:
    """Return the affine nearest to all middles, by the sum of what is off, that lays pinned points so deep."""
    from scipy.optimize import linprog

    programme = _Programme.of(points, stiff=stiff)
    left, right = programme.sides(points)
    size, count = left.shape[1], 2 * len(points.points)
    rows, middles = programme.rows.reshape(count, size), points.middles.ravel()
    off = -np.eye(count)
    table = np.vstack(
        (np.hstack((left, np.zeros((len(left), count)))), np.hstack((rows, off)), np.hstack((-rows, off)))
    )
    limits = np.concatenate((right + 0.5 * (1 - margin - 10 * SLACK), middles, -middles))
    goal = np.concatenate((np.zeros(size), np.ones(count)))
    bounds = [(None, None)] * size + [(0, None)] * count
    found = linprog(goal, A_ub=table, b_ub=limits, bounds=bounds, method="highs")
    if not found.success:
        return None
    try:
        affine = programme.affine(found.x)
    except FitError:
        return None
    a, b, _, d, e, _ = affine
    return affine if a * e - b * d < 0 else None
