"""Where a map lies in the real world."""

from __future__ import annotations

import msgspec

__all__ = ["Georeference"]


class Georeference(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the map lies in the real world.

    Parameters
    ----------
    crs : str
        Coordinate reference system, such as ``EPSG:32637``.
    affine : tuple of 6 floats
        a, b, c, d, e, f with world x = a x + b y + c and world y = d x + e y + f, from map units.
    """

    crs: str
    affine: tuple[float, float, float, float, float, float]
