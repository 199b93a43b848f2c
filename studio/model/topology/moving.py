"""Features moved as a whole with what lies within them, and their corners snapped to the hexes or to other corners."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import TYPE_CHECKING, Literal, TypeAlias

import msgspec
import numpy as np

from studio.errors import EditError, nearest
from studio.model.features import Aperture, Area, Contour, Dot, Feature, Name, Place, Point, Road, Wall, feature_points
from studio.model.topology.displace import displace
from studio.model.topology.draft import Draft, PointIndex, strands_of
from studio.model.topology.rings import Weights, bounds, foot, lies_on, place_in_area

if TYPE_CHECKING:
    from studio.grid import HexGrid
    from studio.model.edits import Edit

__all__ = ["SnapTarget", "belongings", "lattice_weights", "move_features", "shifted", "snap"]

SnapTarget: TypeAlias = Literal["corners", "sides", "centres", "vertices"]

_TARGETS: tuple[SnapTarget, ...] = ("corners", "sides", "centres", "vertices")


def lattice_weights(grid: HexGrid) -> Weights:
    """Return what the squares of dx and dy count in a distance on the lattice of a grid."""
    return (1, 3) if grid.flat else (3, 1)


def shifted(feature: Feature, dx: int, dy: int) -> Feature:
    """Return a feature with all its points moved; one without points as it is."""

    def moved(points: Iterable[Point]) -> tuple[Point, ...]:
        return tuple((x + dx, y + dy) for x, y in points)

    match feature:
        case Area():
            dot = feature.dot and moved([feature.dot])[0]
            holes = tuple(moved(hole) for hole in feature.holes)
            return msgspec.structs.replace(feature, outline=moved(feature.outline), holes=holes, dot=dot)
        case Wall() | Contour() | Road():
            return msgspec.structs.replace(feature, line=moved(feature.line))
        case Place() | Name() | Aperture():
            return msgspec.structs.replace(feature, at=moved([feature.at])[0])
        case Dot():
            return msgspec.structs.replace(feature, point=moved([feature.point])[0])
    return feature


def belongings(features: Mapping[str, Feature], ids: Iterable[str]) -> set[str]:
    """Return features with what lies within their areas.

    Areas and places that are part of them, apertures that belong to them or lie on their outlines and nobody else's,
    and walls and names that lie inside. What lies on a border with an area that is not among them is not theirs.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : iterable of str
    """
    found = set(ids)
    parts = [feature for feature in features.values() if isinstance(feature, Area | Place)]
    grown = True
    while grown:
        new = {part.id for part in parts if part.within in found and part.id not in found}
        found |= new
        grown = bool(new)
    areas = [area for area in (features[name] for name in sorted(found)) if isinstance(area, Area)]
    if not areas:
        return found
    labels = {part.name or part.id for part in parts if part.id in found}
    box = bounds(tuple(point for area in areas for point in area.outline))
    others = [s for s in Draft(features).strands(box, borders=True) if s.id not in found and s.closed]
    edges = [edge for strand in others for edge in strand.edges()]

    def inside(point: Point) -> bool:
        return any(place_in_area(point, area) >= 0 for area in areas)

    def foreign(point: Point) -> bool:
        return any(lies_on(point, p, q) for p, q in edges)

    for feature in features.values():
        match feature:
            case Aperture() if feature.into in labels:
                found.add(feature.id)
            case Aperture() | Name() if inside(feature.at) and not foreign(feature.at):
                found.add(feature.id)
            case Wall() if all(map(inside, feature.line)) and not all(map(foreign, feature.line)):
                found.add(feature.id)
    return found


def move_features(
    features: Mapping[str, Feature], ids: Collection[str], dx: int, dy: int, *, stretch: bool = False
) -> list[Edit]:
    """Move features with what lies within them.

    Parameters
    ----------
    features : mapping of str to Feature
    ids : collection of str
    dx, dy : int
        Lattice units.
    stretch : bool
        True moves the corners that others share with them along, so that borders stay shared; without it they part.

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When there is no such feature, one has no points to move, or a neighbour would cross itself.
    """
    for name in ids:
        if name not in features:
            msg = f"move: no feature has the id {name!r}; {nearest(str(name), features)}"
            raise EditError(msg)
        if not feature_points(features[name]):
            kind = type(features[name]).__struct_config__.tag
            msg = f"move: {name} is a {kind} that goes by labels; put it with other labels instead"
            raise EditError(msg)
    if not ids:
        msg = "move: got no feature; name one or several by their ids"
        raise EditError(msg)
    moving = belongings(features, ids)
    draft = Draft(features, only=[name for name in features if name not in moving])
    if stretch:
        displace(draft, {(x, y): (x + dx, y + dy) for x, y in _seams(features, moving)})
        draft.check()
    for name in sorted(moving):
        draft.put(shifted(features[name], dx, dy))
    return draft.edits()


def _seams(features: Mapping[str, Feature], moving: Collection[str]) -> set[Point]:
    """Return the corners that features which move have, and those of others on their edges."""
    own = [strand for name in moving for strand in strands_of(features[name]) if strand.border]
    points = {point for strand in own for point in strand.points}
    if not points:
        return points
    around = Draft(features).strands(bounds(tuple(sorted(points))), borders=True)
    index = PointIndex(point for strand in around for point in strand.points)
    return points | {point for strand in own for edge in strand.edges() for point in index.on(*edge)}


def snap(
    features: Mapping[str, Feature],
    grid: HexGrid,
    ids: Collection[str],
    to: SnapTarget | Sequence[SnapTarget] = _TARGETS,
    *,
    reach: Fraction | int,
) -> list[Edit]:
    """Move the corners of features onto what is near; whoever shares a corner goes with it.

    Parameters
    ----------
    features : mapping of str to Feature
    grid : HexGrid
    ids : collection of str
    to : {"corners", "sides", "centres", "vertices"} or sequence of them
        Corners, sides and centres of hexes, and corners of other features. Where several are within reach the nearest
        point; a side only where there is no point.
    reach : Fraction
        Square of the greatest distance, in the weights of :func:`lattice_weights`.

    Returns
    -------
    list of Edit

    Raises
    ------
    EditError
        When there is no such feature or target, or an area would cross itself.
    """
    wanted = [to] if isinstance(to, str) else list(to) if isinstance(to, Iterable) else [to]
    if not all(isinstance(name, str) and name in _TARGETS for name in wanted):
        msg = f"snap: got to={to!r}; allowed: one or several of {', '.join(map(repr, _TARGETS))}"
        raise EditError(msg)
    for name in ids:
        if name not in features:
            msg = f"snap: no feature has the id {name!r}; {nearest(str(name), features)}"
            raise EditError(msg)
    points = sorted({point for name in ids for strand in strands_of(features[name]) for point in strand.points})
    others: set[Point] = set()
    if "vertices" in wanted:
        others = {s_point for s in Draft(features).strands() if s.id not in ids for s_point in s.points}
    fixed = _Targets(grid, wanted, others, points)
    moves = {point: found for point in points if (found := fixed.near(point, reach)) not in (None, point)}
    draft = Draft(features)
    displace(draft, {point: to_point for point, to_point in moves.items() if to_point is not None})
    draft.check()
    return draft.edits()


class _Targets:
    """What corners snap to."""

    def __init__(self, grid: HexGrid, to: Sequence[str], others: Iterable[Point], points: Sequence[Point]) -> None:
        self._grid, self._to, self._others = grid, to, sorted(others)
        self._weights = lattice_weights(grid)
        found = grid.cells_at(np.array(points)).tolist() if points else []
        self._cell: dict[Point, int] = dict(zip(points, found, strict=True))

    def near(self, point: Point, reach: Fraction | int) -> Point | None:
        """Return the nearest target of a point within reach."""
        cells = self._cells(point)
        corners = [self._grid.corners(cell) for cell in cells]
        points = self._others_near(point, reach)
        if "corners" in self._to:
            points += [corner for ring in corners for corner in ring]
        if "centres" in self._to:
            points += [self._grid.centre(cell) for cell in cells]
        found = self._nearest(point, points, reach)
        if found is None and "sides" in self._to:
            sides = [
                foot(point, ring[n], ring[(n + 1) % 6], self._weights) for ring in corners for n in range(len(ring))
            ]
            found = self._nearest(point, sides, reach)
        return found

    def _others_near(self, point: Point, reach: Fraction | int) -> list[Point]:
        """Return the corners of others that are near across; all of them where the reach is long."""
        far = isqrt(int(reach) // min(self._weights)) + 1
        low, high = bisect_left(self._others, (point[0] - far,)), bisect_left(self._others, (point[0] + far + 1,))
        return self._others[low:high]

    def _nearest(self, point: Point, points: Iterable[Point], reach: Fraction | int) -> Point | None:
        (x, y), (wx, wy) = point, self._weights
        far = min(((wx * (x - px) ** 2 + wy * (y - py) ** 2, (px, py)) for px, py in points), default=None)
        return far[1] if far is not None and far[0] <= reach else None

    def _cells(self, point: Point) -> list[int]:
        """Return the hexes at a point: their corners, sides and middles are all that can be near."""
        cell = self._cell[point]
        if cell >= 0:
            return [cell, *self._grid.neighbours(cell)]
        (wx, wy), centres = self._weights, self._grid.centres
        far = wx * (centres[:, 0] - point[0]) ** 2 + wy * (centres[:, 1] - point[1]) ** 2
        far[~self._grid.present.ravel()] = np.iinfo(np.int64).max
        return [int(cell) for cell in np.argsort(far, kind="stable")[:7] if far[cell] < np.iinfo(np.int64).max]
