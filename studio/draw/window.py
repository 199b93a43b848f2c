"""Which part of a map a picture shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from studio.draw.subject import Floats, kind_of, map_points
from studio.errors import StudioError, UnknownNameError, nearest

if TYPE_CHECKING:
    from studio.draw.sites import Sites

__all__ = ["part_of"]

Extent = tuple[float, float, float, float]


def part_of(
    sites: Sites, extent: Sequence[float] | None, around: str | Sequence[str] | None, margin: float
) -> Extent | None:
    """Return the part of a map to show in map units, None for all of it.

    Parameters
    ----------
    sites : Sites
    extent : (x0, y0, x1, y1), optional
        The part in map units.
    around : str or sequence of str, optional
        Labels of locations, ids or names of features, of which the part shows all.
    margin : float
        How far the part reaches beyond them, in hexes.

    Raises
    ------
    PictureError
        When the part has no size, lies off the map, or both ways of saying it are used.
    UnknownNameError
        When the map has nothing of such a name.
    """
    from studio.draw.picture import PictureError

    if extent is None and around is None:
        return None
    if extent is not None and around is not None:
        raise PictureError("extent and around both say which part of the map to show; give one of them")
    x0, y0, x1, y1 = sites.grid.frame
    whole = (*sites.grid.to_map(x0, y0), *sites.grid.to_map(x1, y1))
    if around is not None:
        if not (math.isfinite(margin) and margin >= 0):
            raise PictureError(f"margin: got {margin!r}; allowed: a number of hexes, 0 or more")
        names = [around] if isinstance(around, str) else list(around)
        if not names:
            raise PictureError("around: got no label; name one or more locations or features")
        points = np.vstack([_points(sites, name) for name in names])
        gap = max(margin, 0.5) * sites.grid.hex_height
        extent = (*(points.min(axis=0) - gap), *(points.max(axis=0) + gap))
        whole = _sheets_around(sites, points, extent) or whole
    assert extent is not None
    if len(extent) != 4 or not all(map(math.isfinite, extent)) or extent[0] >= extent[2] or extent[1] >= extent[3]:
        raise PictureError(f"extent: got {tuple(extent)!r}; allowed: (x0, y0, x1, y1) with x0 < x1 and y0 < y1")
    part = (*np.maximum(extent[:2], whole[:2]), *np.minimum(extent[2:], whole[2:]))
    if part[0] >= part[2] or part[1] >= part[3]:
        raise PictureError(f"extent: got {tuple(extent)!r}, off the map, which goes from {whole[:2]} to {whole[2:]}")
    return tuple(float(value) for value in part)  # type: ignore[return-value]


def _sheets_around(sites: Sites, points: Floats, extent: Sequence[float]) -> Extent | None:
    """Return the box of what an extent shows of the sheets that points lie on, and of sheets joined to those.

    Sheets that lie apart stay out, with the blank ground between; None where the map has one sheet, or none there.
    """
    joint = sites.grid.joint
    if joint is None:
        return None
    frames = [map_points(sites.grid, np.reshape(frame, (2, 2))).reshape(4) for frame in joint.frames]
    low, end = points.min(axis=0), points.max(axis=0)

    def meet(a: Floats, b: Floats) -> bool:
        return bool((np.maximum(a[:2], b[:2]) <= np.minimum(a[2:], b[2:]) + 1e-9).all())

    chosen = [n for n, frame in enumerate(frames) if meet(frame, np.array([*low, *end]))]
    for n in chosen:
        chosen += [m for m, other in enumerate(frames) if m not in chosen and meet(frames[n], other)]
    seen = [frames[n] for n in chosen if meet(frames[n], np.asarray(extent))]
    if not seen:
        return None
    boxes = np.array([[*np.maximum(f[:2], extent[:2]), *np.minimum(f[2:], extent[2:])] for f in seen])
    return (*boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0))


def _points(sites: Sites, name: str) -> Floats:
    """Return points in map units that the picture of a location or a feature has to show."""
    features = sites.subject.features
    named = (one for one in features.values() if kind_of(one) == "area" and one.name == name)
    feature = features.get(name) or next(named, None)  # an id comes first
    if feature is not None and kind_of(feature) == "area":
        return map_points(sites.grid, feature.outline)
    if feature is not None and kind_of(feature) in ("wall", "contour"):
        return map_points(sites.grid, feature.line)
    found = sites.where(name)
    if found is None:
        try:
            sites.directory.number(name)
        except StudioError as error:
            raise UnknownNameError(f"around: {error}; {nearest(str(name), sites.subject.features)}") from error
    return np.asarray(found, dtype=float).reshape(1, 2)
