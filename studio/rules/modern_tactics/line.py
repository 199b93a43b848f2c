"""One line of sight in Modern Tactics before it is judged: its ends, their heights, and what it meets.

A line between two dots has ends on the lattice. One that starts or ends on a road (14.7) may start at any rational
point: its coordinates are then counted in parts of a lattice unit, ``scale`` of them to one.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from studio.grid import HALF, LINE_STEP, STEP, Contact, HexGrid, How, hex_line, line_template
from studio.rules.modern_tactics.scene import End, Scene
from studio.sight.trace import hex_trace
from studio.sight.trace.contacts import LineContact, line_contacts
from studio.sight.trace.pieces import hits

if TYPE_CHECKING:
    from studio.model import Area, Point
    from studio.rules.modern_tactics.drawn import HighWall, Shape

__all__ = ["Line", "clip", "scaled_trace"]


class Line:
    """A line of sight between two points.

    Parameters
    ----------
    scene : Scene
    start, end : End
    points : pair of points, optional
        Where it starts and ends, in parts of a lattice unit; the dots of both ends without.
    scale : int
        Parts of a lattice unit.

    Attributes
    ----------
    contacts : tuple of Contact
        What it meets of the hexes between its ends, in order.
    leaves, enters : Fraction
        Where it leaves the hex of its start, and enters that of its end, 0 to 1.
    heights : tuple of int
        Level that each end counts with against the other.
    low, high : int
        The lower and the higher of the two.
    """

    def __init__(
        self, scene: Scene, start: End, end: End, points: tuple[Point, Point] | None = None, scale: int = 1
    ) -> None:
        self.scene, self.start, self.end, self.scale = scene, start, end, scale
        self.ends = (start, end)
        self.p, self.q = points or (start.point, end.point)
        grid = scene.grid
        cells = {start.cell, end.cell}
        if points is None and start.point == grid.centre(start.cell) and end.point == grid.centre(end.cell):
            self.contacts = hex_line(grid, start.cell, end.cell)
            self.leaves, self.enters = _own_parts(grid, start.cell, end.cell)
        else:
            found = hex_trace(grid, self.p, self.q) if scale == 1 else scaled_trace(grid, self.p, self.q, scale)
            own = [{cell: c for c in found if c.how != "touch" for cell in c.cells}.get(e.cell) for e in self.ends]
            self.leaves = own[0].leave if own[0] is not None else Fraction(0)
            self.enters = own[1].enter if own[1] is not None else Fraction(1)
            self.contacts = tuple(contact for contact in found if not cells & set(contact.cells))
        self.distance = grid.distance(start.cell, end.cell)
        self.heights = self._heights()
        self.low, self.high = min(self.heights), max(self.heights)

    def _heights(self) -> tuple[int, int]:
        """Return the levels of both ends; a unit in an edge hex of a gully looks out as from level 0 (14.5)."""
        scene, (start, end) = self.scene, self.ends
        if not scene.has_gullies or start.gully == end.gully:
            return start.level, end.level
        low = [0 if one.gully and scene.gully_edge[one.cell] else one.level for one in self.ends]
        return low[0], low[1]

    @property
    def lower(self) -> End:
        """The lower end; the end of the line when both are as high."""
        return self.start if self.heights[0] < self.heights[1] else self.end

    @property
    def higher(self) -> End:
        """The higher end; the start of the line when both are as high."""
        return self.end if self.heights[0] < self.heights[1] else self.start

    def is_behind(self, cell: int) -> bool:
        """Tell whether the lower end lies in the one hex right behind another hex of the line (12.4)."""
        return self.low < self.high and self.scene.grid.distance(cell, self.lower.cell) == 1

    def is_slope(self, cell: int) -> bool:
        """Tell whether the higher end looks down a slope over a hex, which then hides nothing (12.4, 14.5)."""
        scene, higher = self.scene, self.higher
        if higher.air or scene.grid.distance(cell, higher.cell) != 1:
            return False
        if higher.indoors and scene.raised[higher.cell] and scene.structure[cell] and not scene.raised[cell]:
            return True
        return bool(higher.ground >= 1 and scene.top[cell] >= 1 and higher.ground != scene.top[cell])

    # -- what is drawn ---------------------------------------------------------------------------------------------

    @property
    def direction(self) -> Point:
        """From the start to the end."""
        return self.q[0] - self.p[0], self.q[1] - self.p[1]

    def hits(self, shape: Shape) -> bool:
        """Tell whether the line runs through a piece of a drawn structure or hill."""
        x, y = self.scene.grid.centre(shape.cell)
        k = self.scale
        piece = shape.piece if k == 1 else tuple((u * k, v * k, d) for u, v, d in shape.piece)
        offset = (x * k - self.p[0], y * k - self.p[1])
        return hits(piece, offset, self.direction, graze=bool(self.scene.options["graze_hits"]))

    def wall_contacts(self, wall: HighWall) -> tuple[LineContact, ...]:
        """Return how the line meets a high wall."""
        k = self.scale
        return line_contacts(self.p, self.q, wall.line if k == 1 else [(x * k, y * k) for x, y in wall.line])

    def crosses_side(self, a: int, b: int) -> bool:
        """Tell whether the line crosses the side of two adjacent hexes, its corners left out."""
        sides = [self._side_of(corner) for corner in self.scene.grid.side_ends(a, b)]
        return min(sides) < 0 < max(sides)

    def _side_of(self, point: Point) -> int:
        """Return on which side of the line a point of the lattice lies, 0 on it."""
        dx, dy = self.direction
        return dx * (point[1] * self.scale - self.p[1]) - dy * (point[0] * self.scale - self.p[0])

    def areas_along(self, cells: tuple[int, ...]) -> list[Area]:
        """Return the drawn structures and hills that the line runs through along the side of one or two hexes."""
        corners = self.scene.grid.corners(cells[0])
        at = next(n for n in range(6) if self._side_of(corners[n]) == 0 == self._side_of(corners[(n + 1) % 6]))
        graze = bool(self.scene.options["graze_hits"])
        return self.scene.drawn.on_side(cells, (corners[at], corners[(at + 1) % 6]), graze=graze)

    def cells_at(self, where: Fraction) -> list[int]:
        """Return the hexes that the line meets at a place, those of its ends too."""
        found = [cell for c in self.contacts if c.enter <= where <= c.leave for cell in c.cells]
        if where <= self.leaves:
            found.append(self.start.cell)
        if where >= self.enters:
            found.append(self.end.cell)
        return sorted(set(found))


def _own_parts(grid: HexGrid, a: int, b: int) -> tuple[Fraction, Fraction]:
    """Return where the line between two centres leaves the first hex, and where it enters the last."""
    (qa, ra), (qb, rb) = grid.axial(a), grid.axial(b)
    lying = [step for step in line_template(qb - qa, rb - ra) if step[0] != "touch"]
    if not lying:
        return (Fraction(1), Fraction(0)) if a == b else (Fraction(1, 2), Fraction(1, 2))
    return Fraction(*lying[0][2]), Fraction(*lying[-1][3])


def scaled_trace(grid: HexGrid, a: Point, b: Point, scale: int) -> tuple[Contact, ...]:
    """Return what the segment between two points given in parts of a lattice unit meets, as `hex_trace` does."""
    step = (b[0] - a[0], b[1] - a[1])
    found: list[tuple[Fraction, Contact]] = []
    sides: dict[tuple[Fraction, Fraction], list[int]] = {}
    for cell in _near(grid, a, b, scale):
        x, y = grid.centre(cell)
        met = clip((a[0] - x * scale, a[1] - y * scale), step, scale, flat=grid.flat)
        if met is None:
            continue
        enter, leave, border = met
        if border and enter < leave:
            sides.setdefault((enter, leave), []).append(cell)
        else:
            found.append((enter + leave, _contact("touch" if enter == leave else "through", [cell], enter, leave)))
    found += [(one[0] + one[1], _contact("along", cells, *one)) for one, cells in sides.items()]
    return tuple(contact for _, contact in sorted(found, key=lambda pair: (pair[0], pair[1].cells)))


def _contact(how: How, cells: list[int], enter: Fraction, leave: Fraction) -> Contact:
    return Contact(how, tuple(sorted(cells)), enter.as_integer_ratio(), leave.as_integer_ratio())


def _near(grid: HexGrid, a: Point, b: Point, scale: int) -> Iterator[int]:
    """Yield the hexes that a segment may meet: column by column (of pointy hexes, row by row), a few too many."""
    (u0, v0), (u1, v1) = sorted((a, b) if grid.flat else (a[::-1], b[::-1]))
    lines, positions = (grid.columns, grid.rows) if grid.flat else (grid.rows, grid.columns)
    first, last = (u0 // scale - 2 * STEP) // LINE_STEP, (u1 // scale) // LINE_STEP
    for line in range(max(0, first), min(lines - 1, last) + 1):
        centre = STEP + LINE_STEP * line
        low, high = min(v0, v1), max(v0, v1)
        if u1 > u0:
            # Where the segment enters and leaves the strip of this line of hexes.
            edges = (max((centre - STEP) * scale, u0), min((centre + STEP) * scale, u1))
            ends = [v0 + (v1 - v0) * (edge - u0) // (u1 - u0) for edge in edges]
            low, high = min(ends), max(ends) + 1
        top = HALF + HALF * grid.shifted(line)
        for position in range((low // scale - top - HALF) // STEP, (high // scale + 1 - top + HALF) // STEP + 1):
            column, row = (line, position) if grid.flat else (position, line)
            if 0 <= position < positions and grid.present[row, column]:
                yield row * grid.columns + column


def clip(start: Point, step: Point, scale: int, *, flat: bool) -> tuple[Fraction, Fraction, bool] | None:
    """Return where a segment, as seen from a hex, enters and leaves it, and whether it runs along its border."""
    (u, v), (du, dv) = (start, step) if flat else (start[::-1], step[::-1])
    enter, leave, border = (0, 1), (1, 1), False
    for at, speed, limit in ((v, dv, HALF * scale), (u + v, du + dv, STEP * scale), (u - v, du - dv, STEP * scale)):
        if speed == 0:
            if abs(at) > limit:
                return None
            border = border or abs(at) == limit
            continue
        place, rate = (at, speed) if speed > 0 else (-at, -speed)
        if (-limit - place) * enter[1] > enter[0] * rate:
            enter = (-limit - place, rate)
        if (limit - place) * leave[1] < leave[0] * rate:
            leave = (limit - place, rate)
    if enter[0] * leave[1] > leave[0] * enter[1]:
        return None
    return Fraction(*enter), Fraction(*leave), border
