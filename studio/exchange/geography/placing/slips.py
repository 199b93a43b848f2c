"""Slips in the labels of control points: the one without which a similarity lays all the others well.

Few points fit an affine however wrong one of them is: its six numbers follow the slip, and the residuals spread it over
all. Printed hexes are regular, or nearly so, and a similarity has four numbers only, so it is asked instead.
"""

from __future__ import annotations

import math

import numpy as np

from studio.exchange.geography.placing.inside import ControlPoints
from studio.grid import HexGrid, Labels, fit_points
from studio.grid.fitting import Fit, FitError

__all__ = ["found_slip"]

_FAR = 1.5  # hexes that a slip is off the others at least
_BETTER = 2.5  # times better that the others must fit without it, and than without any other point
_CLOSE = 0.05  # hexes: no fit is called better than this


def found_slip(points: ControlPoints, grid: HexGrid, labels: Labels) -> tuple[int, str] | None:
    """Return the number of the point whose label or place is likely a slip, and a sentence on it; None for none.

    Parameters
    ----------
    points : ControlPoints
    grid : HexGrid
    labels : Labels
    """
    count = len(points.points)
    whole = _similarity(points, list(range(count)))
    if count < 4 or whole is None:
        return None
    left: list[tuple[float, int, Fit]] = []
    for i in range(count):
        without = _similarity(points, [j for j in range(count) if j != i])
        if without is not None:
            left.append((max(without.rms, _CLOSE), i, without))
    left.sort(key=lambda one: one[:2])
    if len(left) < 2 or whole.rms < _BETTER * left[0][0] or left[1][0] < _BETTER * left[0][0]:
        return None
    rms, i, others = left[0]
    x, y = others.to_picture(*points.world[i])
    off = math.dist((x, -y), points.middles[i])
    if off < _FAR:
        return None
    cell = int(grid.cells_at(np.array([[x, -y]]) / np.array(grid.scale))[0])
    where = f"it would lie in {labels.label(cell)}" if cell >= 0 else "it would lie off the map"
    text = (
        f"{points.names[i]} does not fit the others: without it they lie {rms:.2f} hexes off, and {where}, {off:.1f} "
        f"hexes from the middle of {points.points[i].at}; look for a slip in its label or its coordinates"
    )
    return i, text


def _similarity(points: ControlPoints, chosen: list[int]) -> Fit | None:
    """Return the similarity of some points; None where they fix none."""
    picture = [tuple(points.middles[j] * (1, -1)) for j in chosen]
    world = [tuple(points.world[j]) for j in chosen]
    try:
        return fit_points(picture, world, [points.names[j] for j in chosen], scale=1.0, stiff=True, apart=False)
    except FitError:
        return None
