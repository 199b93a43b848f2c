"""The part of a raster that a map needs."""

from __future__ import annotations

import math

import numpy as np

from studio.exchange.geodata.rasterfiles import Raster, RasterFile
from studio.exchange.geodata.world import known_crs, moved
from studio.exchange.geography.placing.grids import Placing
from studio.grid.fitting import inverse_affine

__all__ = ["cut_raster"]


def cut_raster(file: RasterFile, placing: Placing, within: float) -> tuple[Raster | None, str]:
    """Read the part of a raster in which the map and what lies around it are, or return None and why.

    Parameters
    ----------
    file : RasterFile
        With its reference system.
    placing : Placing
    within : float
        Metres around each pixel that are looked at.

    Returns
    -------
    Raster or None
        Of a world in degrees, the part is moved by whole turns of the earth to where the map is.
    str
    """
    rows, columns = file.shape
    system = known_crs(file.crs)
    back = inverse_affine(file.affine)
    net = placing.net(file.crs)
    if not np.isfinite(net).all():
        return file.read(), ""
    x, y = net[..., 0].copy(), net[..., 1]
    shifts: tuple[float, ...] = (0.0,)
    if system.is_geographic:
        turn = 2 * math.pi / float(system.axis_info[0].unit_conversion_factor)
        middle = x[x.shape[0] // 2, x.shape[1] // 2]
        x = (x - middle + turn / 2) % turn - turn / 2 + middle
        shifts = (0.0, turn, -turn)
    pixel = math.hypot(file.affine[0], file.affine[3])
    more = math.ceil(within / placing.hex_size * placing.hex_in(file.crs) / pixel) + 2
    parts = []
    for shift in shifts:
        across, down = moved(back, np.stack((x + shift, y), axis=-1)).T
        x0, y0 = (max(0, math.floor(np.min(one)) - more) for one in (across, down))
        x1, y1 = (min(size, math.ceil(np.max(one)) + more) for one, size in ((across, columns), (down, rows)))
        if x1 > x0 and y1 > y0:
            parts.append((shift, (x0, y0, x1, y1)))
    if not parts:
        return None, f"covers no part of the map: {_where(file, placing)}"
    if len(parts) > 1:  # the map lies across the edge of a raster of the whole world
        return file.read(), ""
    shift, window = parts[0]
    found = file.read(window)
    a, b, c, d, e, f = found.affine
    return found._replace(affine=(a, b, c - shift, d, e, f)), ""


def _where(file: RasterFile, placing: Placing) -> str:
    """Return where a raster lies and where the map does, in the units of the raster."""
    rows, columns = file.shape
    corners = moved(file.affine, np.array([(0, 0), (columns, 0), (0, rows), (columns, rows)]))
    net = placing.net(file.crs, around=False).reshape(-1, 2)
    degrees = known_crs(file.crs).is_geographic
    sides = [np.concatenate((one.min(axis=0), one.max(axis=0))) for one in (corners, net)]
    lies, asked = (", ".join(f"{side:.{3 if degrees else 0}f}" for side in four) for four in sides)
    text = f"it reaches over {lies} (west, south, east, north), and the map over {asked}"
    small = bool((np.abs(corners) <= 360).all())
    if degrees and not small:
        return f"{text}; its numbers are no degrees"
    return f"{text}; its numbers look like degrees" if small and not degrees else text
