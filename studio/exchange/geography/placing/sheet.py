"""A rubber sheet: a thin plate spline that bends what an affine leaves over, as stiff as the pinned points allow.

All points here are in map units, y down: a regular hex measures 1 across its flats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Sheet", "depths", "stiffest_sheet"]

_STIFF, _SOFT = 9.0, -9.0  # powers of ten of the smoothing between which it is sought
_HAIR = 1e-3  # step of a slope, in map units
_NET = 160  # points along each axis at which the sheet is searched for folds


def depths(points: NDArray[Any], middles: NDArray[Any], normals: NDArray[Any]) -> NDArray[np.float64]:
    """Return how deep points lie in hexes: 1 in the middle, 0 on the outline, less outside.

    Parameters
    ----------
    points, middles : array of shape (n, 2)
    normals : array of shape (6, 2)
        Of length 1, towards the sides.

    Returns
    -------
    array of float64, shape (n,)
        In parts of the inner radius.
    """
    out = (np.asarray(points, dtype=float) - middles) @ normals.T
    found: NDArray[np.float64] = 1.0 - out.max(axis=1) / 0.5
    return found


@dataclass(frozen=True, eq=False)
class Sheet:
    """A rubber sheet.

    Attributes
    ----------
    knots, pulls : array of shape (n, 2)
        Points by the affine, and how far each is pulled.
    smoothing : float
        Of the spline; the larger, the stiffer.
    box : tuple of 4 floats
        Where it bends: x0, y0, x1, y1. Beyond, everything is moved as the nearest point of the box is, so that nothing
        far away is folded onto the map.
    spline : object
    """

    knots: NDArray[np.float64]
    pulls: NDArray[np.float64]
    smoothing: float
    box: tuple[float, float, float, float]
    spline: Any

    @classmethod
    def of(
        cls,
        knots: NDArray[np.float64],
        pulls: NDArray[np.float64],
        smoothing: float,
        box: tuple[float, float, float, float],
    ) -> Sheet:
        """Return the sheet of a smoothing."""
        from scipy.interpolate import RBFInterpolator

        spline = RBFInterpolator(knots, pulls, kernel="thin_plate_spline", smoothing=smoothing)
        return cls(knots, pulls, smoothing, box, spline)

    def pull(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Return how far points by the affine, shape (n, 2), are moved."""
        x0, y0, x1, y1 = self.box
        found: NDArray[np.float64] = self.spline(np.clip(points, (x0, y0), (x1, y1)))
        return found

    def bend(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Return where points by the affine, shape (n, 2), come to lie; what is no number stays so."""
        points = np.array(points, dtype=float)
        known = np.isfinite(points).all(axis=1)
        points[known] += self.pull(points[known])
        return points

    def unbend(self, points: NDArray[Any]) -> NDArray[np.float64]:
        """Return the points by the affine that come to lie at points, shape (n, 2), by Newton's method."""
        goal = np.asarray(points, dtype=float)
        found = goal - self.pull(goal) if len(goal) else goal.copy()
        for _ in range(30):
            off = found + self.pull(found) - goal if len(goal) else np.zeros((0, 2))
            if not len(off) or float(np.abs(off).max()) < 1e-10:
                break
            (a, b), (c, d) = self._slopes(found)
            det = a * d - b * c
            det = np.where(np.abs(det) < 0.05, 0.05, det)
            found = (
                found - np.stack((d * off[:, 0] - b * off[:, 1], a * off[:, 1] - c * off[:, 0]), axis=1) / det[:, None]
            )
        return found

    def _slopes(self, points: NDArray[Any]) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """Return the matrix of slopes at points: ((dx'/dx, dx'/dy), (dy'/dx, dy'/dy))."""
        along, across = np.array((_HAIR, 0.0)), np.array((0.0, _HAIR))
        by_x = (self.pull(points + along) - self.pull(points - along)) / (2 * _HAIR)
        by_y = (self.pull(points + across) - self.pull(points - across)) / (2 * _HAIR)
        return (1 + by_x[:, 0], by_y[:, 0]), (by_x[:, 1], 1 + by_y[:, 1])

    def stretch(self) -> tuple[float, float, tuple[float, float]]:
        """Return the least and the greatest change of area, and where the least is; 0 and less is a fold.

        The whole sheet is looked at on a net, and closely around each knot, where it bends most.
        """
        x0, y0, x1, y1 = self.box
        rough = np.meshgrid(np.linspace(x0, x1, _NET), np.linspace(y0, y1, _NET))
        close = np.meshgrid(np.linspace(-1, 1, 21), np.linspace(-1, 1, 21))
        fine = np.stack([axis.ravel() for axis in close], axis=1)
        points = [np.stack([axis.ravel() for axis in rough], axis=1)]
        for knot, other in zip(self.knots, self._nearest(), strict=True):
            points += [knot + fine * reach for reach in (1.0, max(other, 1e-3))]
        every = np.clip(np.concatenate(points), (x0 + _HAIR, y0 + _HAIR), (x1 - _HAIR, y1 - _HAIR))
        (a, b), (c, d) = self._slopes(every)
        area = a * d - b * c
        worst = int(np.argmin(area))
        return float(area[worst]), float(area.max()), (float(every[worst, 0]), float(every[worst, 1]))

    def _nearest(self) -> NDArray[np.float64]:
        """Return the distance from each knot to the nearest other one."""
        away = np.hypot(*(self.knots[:, None] - self.knots[None]).transpose(2, 0, 1))
        np.fill_diagonal(away, np.inf)
        found: NDArray[np.float64] = np.minimum(away.min(axis=1), 1.0)
        return found


def stiffest_sheet(
    knots: NDArray[np.float64],
    middles: NDArray[np.float64],
    pinned: NDArray[np.bool_],
    normals: NDArray[np.float64],
    margin: float,
    frame: tuple[float, float, float, float],
) -> Sheet | None:
    """Return the stiffest sheet by which every pinned point lies so deep in its hex; None where none does.

    Parameters
    ----------
    knots : array of shape (n, 2)
        Control points by the affine, no two at one place.
    middles : array of shape (n, 2)
        Middles of their hexes.
    pinned : array of bool, shape (n,)
    normals : array of shape (6, 2)
    margin : float
        Depth, 0 to 1.
    frame : tuple of 4 floats
        Of the map, with what lies around it.
    """
    pulls = middles - knots
    reach = float(np.abs(pulls).max())
    box = (frame[0] - reach, frame[1] - reach, frame[2] + reach, frame[3] + reach)
    box = (
        min(box[0], float(knots[:, 0].min())),
        min(box[1], float(knots[:, 1].min())),
        max(box[2], float(knots[:, 0].max())),
        max(box[3], float(knots[:, 1].max())),
    )

    def holds(power: float) -> bool:
        sheet = Sheet.of(knots, pulls, 10.0**power, box)
        return bool(depths(sheet.bend(knots), middles, normals)[pinned].min() >= margin)

    fails, works = _STIFF, None
    for power in np.arange(_STIFF, _SOFT - 1, -1.0):
        if holds(float(power)):
            works = float(power)
            break
        fails = float(power)
    if works is None:
        return None
    for _ in range(20):
        middle = (works + fails) / 2
        works, fails = (middle, fails) if holds(middle) else (works, middle)
    # A little softer than the limit, so that the last bits of a machine do not decide.
    return Sheet.of(knots, pulls, float(f"{10.0**works * 0.999:.4g}"), box)
