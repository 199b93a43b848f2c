"""Bends of a river that its path cuts off: the path is led round them where the hexes have room for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.exchange.common.apart import distances, farthest, segments
from studio.exchange.common.corners import UNIT, CornerGraph

__all__ = ["Leg", "mended"]

Leg = Callable[[Any, dict[int, int] | None, dict[int, int] | None, Sequence[int]], list[int]]
"""Finds a way along a line, from one of some corners to one of others, with their costs, over none of yet others. None
is where the whole path may begin, or end."""

_OFF = 1.0  # radii off the line from where on a path is mended
_BETTER = 0.1
_WINDOW = 5.0  # radii of the line before and behind the tip of a bend that are laid anew
_TIP = 1.2  # radii around the tip in which the path must touch a corner
_TRIES = 12
_LOST = 2.5  # radii off the line from where on a path does not follow it any more
_STAGE = 6.0  # radii of such a line that are laid at a time
_SAMPLE = 0.25
_VIA = 2


def mended(
    graph: CornerGraph, line: Any, corners: list[int], leg: Leg, faults: Callable[[Sequence[int]], int]
) -> list[int]:
    """Lead a path round the bends that it cuts off.

    Where a line comes back to where it was, the cheapest way leaves out all that lies between; then the path is laid
    anew, a few hexes of the line at a time. Where the line is more than a radius off the path, the stretch around is
    laid anew over a corner near the tip of the bend. It stays so if it comes nearer to the line, strays no farther from
    it, and has no more faults.

    Parameters
    ----------
    graph : CornerGraph
    line : shapely LineString
        In radii.
    corners : list of int
        Path.
    leg : callable
        Finds a way.
    faults : callable
        How many towns a path has on their wrong banks.

    Returns
    -------
    list of int
    """
    lost = farthest(segments(line), _path(graph, corners)).distance
    if lost > _LOST:
        new = _in_order(graph, line, leg)
        if new and farthest(segments(line), _path(graph, new)).distance < lost:
            corners = new
    tried: list[float] = []
    for _ in range(_TRIES):
        if len(corners) < 2:
            return corners
        tip = _tip(graph, line, corners, tried)
        if tip is None:
            break
        tried.append(tip)
        new = _round(graph, line, corners, tip, leg)
        if new and faults(new) <= faults(corners) and _nearer(graph, line, corners, new, tip):
            corners = new
    return corners


def _path(graph: CornerGraph, corners: Sequence[int]) -> NDArray[np.float64]:
    spots = graph.spots[list(corners) if len(corners) > 1 else [*corners, *corners]]
    return np.stack([spots[:-1], spots[1:]], axis=1)


def _tip(graph: CornerGraph, line: Any, corners: Sequence[int], tried: Sequence[float]) -> float | None:
    """Return how far along a line it is farthest off the path, None where it is near enough everywhere."""
    import shapely

    places = np.linspace(0, line.length, max(2, int(np.ceil(line.length / _SAMPLE)) + 1))
    spots = shapely.get_coordinates(shapely.line_interpolate_point(line, places))
    far = distances(spots, _path(graph, corners))
    for place in tried:
        far[np.abs(places - place) < _TIP] = 0
    n = int(np.argmax(far))
    return float(places[n]) if far[n] > _OFF else None


def _in_order(graph: CornerGraph, line: Any, leg: Leg) -> list[int]:
    """Return a path that is laid in stages along the line; nothing where one gets stuck between the others."""
    from shapely.ops import substring

    count = int(np.ceil(line.length / _STAGE))
    path: list[int] = []
    for n in range(count):
        begin, end = (line.length * part / count for part in (n, n + 1))
        via = None if n == count - 1 else _around(graph, line.interpolate(end), path)
        stage = leg(substring(line, begin, end), {path[-1]: 0} if path else None, via, path[:-1])
        if not stage:
            return []
        path = [*path[:-1], *stage]
    return path


def _around(graph: CornerGraph, point: Any, but: Sequence[int]) -> dict[int, int]:
    """Return the corners around a point with what it costs to go over them, but for some."""
    near = graph.near(point, _TIP + 1).sides
    spots = np.unique(graph.ends[near])
    away = np.hypot(*(graph.spots[spots] - (point.x, point.y)).T)
    return {
        corner: round(_VIA * UNIT * far**2)
        for corner, far in zip(spots.tolist(), away.tolist(), strict=True)
        if far <= _TIP and corner not in but
    }


def _nearest(graph: CornerGraph, corners: Sequence[int], point: Any) -> int:
    return int(np.argmin(np.hypot(*(graph.spots[list(corners)] - (point.x, point.y)).T)))


def _round(graph: CornerGraph, line: Any, corners: list[int], tip: float, leg: Leg) -> list[int]:
    """Return a path whose stretch around a bend goes over a corner near its tip; nothing where no way does."""
    from shapely.ops import substring

    begin, end = max(0.0, tip - _WINDOW), min(line.length, tip + _WINDOW)
    first = _nearest(graph, corners, line.interpolate(begin)) if begin > 0 else 0
    last = _nearest(graph, corners, line.interpolate(end)) if end < line.length else len(corners) - 1
    if first >= last:
        return []
    here = None if begin == 0 else {corners[first]: 0}
    there = None if end == line.length else {corners[last]: 0}
    rest = [*corners[:first], *corners[last + 1 :]]
    via = _around(graph, line.interpolate(tip), [*(here or ()), *(there or ())])
    one = leg(substring(line, begin, tip), here, via, [*rest, *(there or ())])
    if not one:
        return []
    other = leg(substring(line, tip, end), {one[-1]: 0}, there, [*rest, *one[:-1]])
    return [*corners[:first], *one, *other[1:], *corners[last + 1 :]] if other else []


def _nearer(graph: CornerGraph, line: Any, old: Sequence[int], new: Sequence[int], tip: float) -> bool:
    """Tell whether a new path is better around a bend than the old one."""
    from shapely.ops import substring

    bend = segments(substring(line, max(0.0, tip - _WINDOW), min(line.length, tip + _WINDOW)))
    whole = segments(line)
    before, after = (farthest(bend, _path(graph, corners)).distance for corners in (old, new))
    strays = farthest(_path(graph, new), whole).distance
    return after < before - _BETTER and strays <= max(_OFF, farthest(_path(graph, old), whole).distance)
