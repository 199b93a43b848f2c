"""Units on the road of a hex with a structure see, and are seen, from any point of the road (14.7).

Which point is best is found exactly; see :mod:`studio.rules.modern_tactics.aims`.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

from studio.model import Road
from studio.rules.modern_tactics.aims import Aims, Stretch
from studio.rules.modern_tactics.facts import whole_line
from studio.rules.modern_tactics.ground import FULL
from studio.rules.modern_tactics.line import Line, clip
from studio.rules.modern_tactics.outlines import Exact, Facing
from studio.rules.modern_tactics.scene import BLOCK, End, Scene

if TYPE_CHECKING:
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["best_line", "least", "road_stretches"]


def best_line(judge: Judge, start: End, end: End) -> tuple[Line, list[tuple[str, str]]]:
    """Return the line between two ends that is degraded least.

    Parameters
    ----------
    judge : Judge
    start, end : End

    Returns
    -------
    line : Line
        Between the dots, where neither end is on a road.
    aims : list of (label, text)
        Says of every end on a road to which of its points the line goes.
    """
    scene = judge.scene
    if not (start.road or end.road) or start.cell == end.cell:
        return Line(scene, start, end), []
    # Several lines can be equally good: from either end the same one is found.
    turned = start.number > end.number
    first, second = (end, start) if turned else (start, end)
    found = _search(judge, first, second)
    if found is None:
        return Line(scene, start, end), []
    # Where every line is blocked, that between the middles shall tell why.
    points = found.points or tuple(_middle(road_stretches(scene, one)[0]) for one in (first, second))
    if turned:
        points = points[::-1]
        found = Aims(judge, judge.outlines, Facing(scene, start, end))
    aims = []
    for on_road, point in zip((start, end), points, strict=True):
        if on_road.road:
            label = scene.directory.label(on_road.number)
            where = _part_of(point, road_stretches(scene, on_road))
            aims.append((label, f"{label}: the line uses {where}, the best point of the road"))
    return found.line(*points), aims


def least(judge: Judge, start: End, end: End) -> int:
    """Return how often the best line between two ends in different hexes is degraded, ``FULL`` if blocked.

    Parameters
    ----------
    judge : Judge
    start, end : End
        One or both on a road.
    """
    found = _search(judge, start, end)
    return FULL if found is None else found.best


def _search(judge: Judge, start: End, end: End) -> Aims | None:
    """Look for the best line; None where all are blocked as a whole."""
    facing = Facing(judge.scene, start, end)
    if any(fact.weight == BLOCK for fact in whole_line(facing)):
        return None
    found = Aims(judge, judge.outlines, facing)
    for one in _stretches(judge, start):
        for other in _stretches(judge, end):
            if found.best:
                found.look(one, other)
    return found


def _stretches(judge: Judge, end: End) -> list[Stretch]:
    """Return what `road_stretches` does; looked up once for every road."""
    if not end.road:
        return road_stretches(judge.scene, end)
    known = judge.outlines.roads
    if end.number not in known:
        known[end.number] = road_stretches(judge.scene, end)
    return known[end.number]


def _middle(stretch: Stretch) -> Exact:
    (x0, y0), (x1, y1) = stretch
    return (x0 + x1) / 2, (y0 + y1) / 2


def _part_of(point: Exact, stretches: list[Stretch]) -> str:
    """Say where on some stretches of road a point lies."""
    spans = [sorted(end[axis] for stretch in stretches for end in stretch) for axis in (0, 1)]
    axis = 0 if spans[0][-1] - spans[0][0] >= spans[1][-1] - spans[1][0] else 1
    low, high = spans[axis][0], spans[axis][-1]
    share = (point[axis] - low) / (high - low) if low < high else Fraction(1, 2)
    if abs(share - Fraction(1, 2)) <= Fraction(1, 10):
        return "its middle"
    side = ("western", "eastern") if axis == 0 else ("northern", "southern")
    return f"its {side[share > Fraction(1, 2)]} {'end' if share in (0, 1) else 'part'}"


def road_stretches(scene: Scene, end: End) -> list[Stretch]:
    """Return the straight stretches of road in the hex of an end; its dot alone where it is not on a road."""
    x, y = map(Fraction, end.point)
    found: list[Stretch] = []
    if end.road:
        grid, labels = scene.grid, scene.model.labels
        label = labels.label(end.cell)
        cx, cy = grid.centre(end.cell)
        for road in scene.survey.features_of(Road):
            if label not in road.path:
                continue
            points = road.line or tuple(grid.centre(cell) for cell in labels.cells(road.path))
            for (px, py), (qx, qy) in pairwise(points):
                step = (qx - px, qy - py)
                met = clip((px - cx, py - cy), step, 1, flat=grid.flat)
                if met is not None and met[0] < met[1]:
                    found.append(tuple((px + t * step[0], py + t * step[1]) for t in met[:2]))  # type: ignore[arg-type]
    return found or [((x, y), (x, y))]
