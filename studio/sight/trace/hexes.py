"""Contacts of a segment between any two lattice points with the hexes of a map, and what is near a segment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from studio.grid import HALF, LINE_STEP, STEP, Contact, HexGrid
from studio.sight.trace.contacts import Point

if TYPE_CHECKING:
    from shapely import STRtree

__all__ = ["Shapes", "hex_trace"]

_Ratio: TypeAlias = tuple[int, int]


def hex_trace(grid: HexGrid, a: Point, b: Point) -> tuple[Contact, ...]:
    """Return what the segment between two lattice points meets of the hexes of a map, in order.

    Parameters
    ----------
    grid : HexGrid
    a, b : tuple of int
        Ends on the lattice; they may lie off the map.

    Returns
    -------
    tuple of Contact
        As :func:`studio.grid.hex_line` gives them, but the hexes that hold the ends are contacts too. Hexes off the map
        are left out; an ``along`` contact keeps the one hex that is on the map. A segment of no length is ``through``
        the hex that holds it, or a ``touch`` of every hex on whose border it lies.

    Examples
    --------
    >>> grid = HexGrid(columns=3, rows=3)
    >>> [(contact.how, contact.cells, str(contact.leave)) for contact in hex_trace(grid, (480, 240), (480, 900))]
    [('through', (0,), '4/11'), ('through', (3,), '1')]
    """
    if b < a:
        turned = hex_trace(grid, b, a)
        return tuple(Contact(c.how, c.cells, _turn(c.leave_ratio), _turn(c.enter_ratio)) for c in reversed(turned))
    (u0, v0), (u1, v1) = (a, b) if grid.flat else (a[::-1], b[::-1])
    du, dv = u1 - u0, v1 - v0
    common = max(1, abs(dv)) * max(1, abs(du + dv)) * max(1, abs(du - dv))
    found: list[tuple[int, Contact]] = []
    sides: dict[tuple[int, int], tuple[list[int], _Ratio, _Ratio]] = {}
    for cell, x, y in _hexes_near(grid, u0, v0, du, dv):
        met = _clip(x, y, du, dv)
        if met is None:
            continue
        enter, leave, border = met
        first, last = enter[0] * (common // enter[1]), leave[0] * (common // leave[1])
        if not (du or dv):
            found.append((0, Contact("touch" if border else "through", (cell,), (0, 1), (1, 1))))
        elif first == last:
            found.append((first + last, Contact("touch", (cell,), enter, leave)))
        elif border:
            sides.setdefault((first, last), ([], enter, leave))[0].append(cell)
        else:
            found.append((first + last, Contact("through", (cell,), enter, leave)))
    for (first, last), (cells, enter, leave) in sides.items():
        found.append((first + last, Contact("along", tuple(sorted(cells)), enter, leave)))
    found.sort(key=lambda pair: (pair[0], pair[1].cells))
    return tuple(contact for _, contact in found)


def _turn(ratio: _Ratio) -> _Ratio:
    return ratio[1] - ratio[0], ratio[1]


def _hexes_near(grid: HexGrid, u0: int, v0: int, du: int, dv: int) -> Iterable[tuple[int, int, int]]:
    """Yield (cell, x, y) for the hexes of the map that a segment may meet; (x, y) is its start as seen from the hex."""
    lines, positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
    left, right = min(u0, u0 + du), max(u0, u0 + du)
    top, bottom = min(v0, v0 + dv), max(v0, v0 + dv)
    for line in range(max(0, -((2 * STEP - left) // LINE_STEP)), min(lines - 1, right // LINE_STEP) + 1):
        centre = STEP + LINE_STEP * line
        low, high = top, bottom
        if du:
            # The part of the segment over this line of hexes, rounded outwards.
            ends = [dv * (min(max(edge, left), right) - u0) for edge in (centre - STEP, centre + STEP)]
            if du < 0:
                ends = [-end for end in ends]
            low, high = v0 + min(ends) // abs(du), v0 - (-max(ends) // abs(du))
        first = HALF + HALF * grid.shifted(line)
        for position in range(
            max(0, -((first + HALF - low) // STEP)), min(positions - 1, (high - first + HALF) // STEP) + 1
        ):
            column, row = (line, position) if grid.flat else (position, line)
            if grid.present[row, column]:
                yield row * grid.columns + column, u0 - centre, v0 - first - STEP * position


def _clip(x: int, y: int, du: int, dv: int) -> tuple[_Ratio, _Ratio, bool] | None:
    """Return where a segment enters and leaves a hex, and whether it lies on its border; None when it misses it."""
    enter, leave, border = (0, 1), (1, 1), False
    for at, velocity, limit in ((y, dv, HALF), (x + y, du + dv, STEP), (x - y, du - dv, STEP)):
        if velocity == 0:
            if abs(at) > limit:
                return None
            border = border or abs(at) == limit
            continue
        place, speed = (at, velocity) if velocity > 0 else (-at, -velocity)
        if (-limit - place) * enter[1] > enter[0] * speed:
            enter = (-limit - place, speed)
        if (limit - place) * leave[1] < leave[0] * speed:
            leave = (limit - place, speed)
    return None if enter[0] * leave[1] > leave[0] * enter[1] else (enter, leave, border)


class Shapes:
    """Finds which of many drawn lines or rings a segment may meet.

    Parameters
    ----------
    lines_or_rings : sequence of sequences of points
        In lattice units; each with at least one point.

    Examples
    --------
    >>> Shapes([[(0, 0), (4, 0)], [(90, 90), (99, 99)]]).near((1, -1), (1, 1))
    [0]
    """

    def __init__(self, lines_or_rings: Sequence[Sequence[Point]]) -> None:
        boxes = np.empty((len(lines_or_rings), 4), dtype=np.int64)
        for at, points in enumerate(lines_or_rings):
            ring = np.asarray(points, dtype=np.int64)
            boxes[at, :2], boxes[at, 2:] = ring.min(axis=0), ring.max(axis=0)
        self._boxes = boxes
        self._tree: STRtree | None = None

    def near(self, a: Point, b: Point) -> list[int]:
        """Return the numbers of the shapes whose bounding box the segment between two points meets, lowest first."""
        if not len(self._boxes):
            return []
        import shapely

        if self._tree is None:
            self._tree = shapely.STRtree(shapely.box(*self._boxes.T))
        found = np.sort(self._tree.query(shapely.linestrings([a, b])))
        return [int(at) for at in found[self._meets(a, b, found)]]

    def _meets(self, a: Point, b: Point, which: Any) -> Any:
        """Tell whose box has corners on both sides of the segment's line, or on it."""
        x0, y0, x1, y1 = self._boxes[which].T
        dx, dy = b[0] - a[0], b[1] - a[1]
        # The corners farthest to either side depend on the direction only.
        near_x, far_x = (x0, x1) if dy >= 0 else (x1, x0)
        near_y, far_y = (y1, y0) if dx >= 0 else (y0, y1)
        most = dx * (near_y - a[1]) - dy * (near_x - a[0])
        least = dx * (far_y - a[1]) - dy * (far_x - a[0])
        return (most >= 0) & (least <= 0)
