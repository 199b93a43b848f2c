"""A new outline or wall fitted to the borders that it was meant to meet, where rounding to the lattice parted them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

import msgspec

from studio.errors import EditError
from studio.model.edits import Edit
from studio.model.features import Area, Feature, Point, Wall
from studio.model.topology.draft import Draft, said
from studio.model.topology.rings import Edge, Weights, area_fault, lies_on, without_repeats
from studio.model.topology.vertices import insert_corner

__all__ = ["fit"]

_WITHIN = 1  # lattice units, by which a point can be off after rounding


def fit(
    features: Mapping[str, Feature], new: Area | Wall, *, weights: Weights = (1, 3)
) -> tuple[list[Edit], Area | Wall]:
    """Fit a new area or wall to the borders within one unit of the lattice of its own.

    A corner of its goes to the corner of another that near; where there is none, but an edge, that edge gets a corner,
    for everyone who shares it, and the new one has it too. Corners of others next to its edges become its own.

    Parameters
    ----------
    features : mapping of str to Feature
        By id; one with the id of the new one is left out.
    new : Area or Wall
    weights : (int, int)
        What the squares of dx and dy count in a distance.

    Returns
    -------
    edits : list of Edit
        What changes for others.
    fitted : Area or Wall

    Raises
    ------
    EditError
        When an area would no longer be sound.
    """
    draft = Draft({name: feature for name, feature in features.items() if name != new.id})
    corners = {point for strand in draft.strands(borders=True) for point in strand.points}

    def meet(point: Point) -> Point:
        near = [(x, y) for x, y in _around(point) if (x, y) in corners]
        if near:
            return min(near, key=lambda at: ((at[0] - point[0]) ** 2 + (at[1] - point[1]) ** 2, at))
        for strand in draft.strands((point[0] - 1, point[1] - 1, point[0] + 1, point[1] + 1), borders=True):
            if any(_is_beside(point, edge) for edge in strand.edges()):
                at = insert_corner(draft, point, reach=sum(weights) * _WITHIN, weights=weights, of=strand.id)
                corners.add(at)
                return at
        return point

    def fitted(points: tuple[Point, ...], closed: bool) -> tuple[Point, ...]:
        met = [meet(point) for point in points]
        found: list[Point] = []
        for edge in pairwise([*met, met[0]] if closed else met):
            found += [edge[0], *_beside(edge, corners)]
        return without_repeats(found if closed else [*found, met[-1]], closed)

    if isinstance(new, Wall):
        made: Area | Wall = msgspec.structs.replace(new, line=fitted(new.line, closed=False))
    else:
        holes = tuple(fitted(hole, closed=True) for hole in new.holes)
        made = msgspec.structs.replace(new, outline=fitted(new.outline, closed=True), holes=holes)
        fault = area_fault(made)
        if fault is not None and area_fault(new) is None:
            msg = f"{said(new)}: fitted to its neighbours, {fault[0]}, at {fault[1]}; draw it without snap"
            raise EditError(msg)
    draft.check()
    return draft.edits(), made


def _around(point: Point) -> list[Point]:
    x, y = point
    return [(x + dx, y + dy) for dx in range(-_WITHIN, _WITHIN + 1) for dy in range(-_WITHIN, _WITHIN + 1)]


def _is_beside(point: Point, edge: Edge) -> bool:
    """Tell whether a point lies next to an edge, between its ends, but not on it."""
    (px, py), (qx, qy) = edge
    dx, dy, x, y = qx - px, qy - py, point[0] - px, point[1] - py
    length, along, away = dx * dx + dy * dy, dx * x + dy * y, dx * y - dy * x
    return 0 < along < length and bool(away) and away * away <= 2 * _WITHIN * _WITHIN * length


def _beside(edge: Edge, corners: Iterable[Point]) -> list[Point]:
    """Return the corners on an edge or next to it, in their order along it."""
    (px, py), (qx, qy) = edge
    low, high = (min(px, qx) - 1, min(py, qy) - 1), (max(px, qx) + 1, max(py, qy) + 1)
    near = [
        at
        for at in corners
        if low[0] <= at[0] <= high[0]
        and low[1] <= at[1] <= high[1]
        and at not in edge
        and (lies_on(at, *edge) or _is_beside(at, edge))
    ]
    return sorted(near, key=lambda at: (qx - px) * (at[0] - px) + (qy - py) * (at[1] - py))
