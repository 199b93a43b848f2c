"""The part of a raster that a map needs."""

from __future__ import annotations

import math

import numpy as np

from studio.exchange.geodata.raster import Raster
from studio.exchange.geodata.world import known_crs, moved
from studio.exchange.geography.placing.grids import Placing
from studio.grid.fitting import FitError, inverse_affine

__all__ = ["cut_raster"]


def cut_raster(raster: Raster, placing: Placing, within: float) -> tuple[Raster | None, str]:
    """Return a raster cut to the map and what lies around it, or None and why.

    Parameters
    ----------
    raster : Raster
    placing : Placing
    within : float
        Metres around each pixel that are looked at.

    Returns
    -------
    Raster or None
        Of a world in degrees, the part is moved by whole turns of the earth to where the map is.
    str
    """
    rows, columns = raster.values.shape
    system = known_crs(raster.crs)
    try:
        back = inverse_affine(raster.affine)
    except FitError:
        return None, "has pixels without a size"
    net = placing.net(raster.crs)
    if not np.isfinite(net).all():
        return raster, ""
    x, y = net[..., 0].copy(), net[..., 1]
    shifts: tuple[float, ...] = (0.0,)
    if system.is_geographic:
        turn = 2 * math.pi / float(system.axis_info[0].unit_conversion_factor)
        middle = x[x.shape[0] // 2, x.shape[1] // 2]
        x = (x - middle + turn / 2) % turn - turn / 2 + middle
        shifts = (0.0, turn, -turn)
    pixel = math.hypot(raster.affine[0], raster.affine[3])
    more = math.ceil(within / placing.hex_size * placing.hex_in(raster.crs) / pixel) + 2
    parts = []
    for shift in shifts:
        across, down = moved(back, np.stack((x + shift, y), axis=-1)).T
        x0, x1 = max(0, math.floor(np.min(across)) - more), min(columns, math.ceil(np.max(across)) + more)
        y0, y1 = max(0, math.floor(np.min(down)) - more), min(rows, math.ceil(np.max(down)) + more)
        if x1 > x0 and y1 > y0:
            parts.append((shift, x0, y0, x1, y1))
    if not parts:
        return None, "covers no part of the map"
    if len(parts) > 1:  # the map lies across the edge of a raster of the whole world
        return raster, ""
    shift, x0, y0, x1, y1 = parts[0]
    a, b, c, d, e, f = raster.affine
    affine = (a, b, a * x0 + b * y0 + c - shift, d, e, d * x0 + e * y0 + f)
    return raster._replace(values=raster.values[y0:y1, x0:x1], affine=affine), ""
