"""What stands in the way of many lines from one location, in arrays of whole numbers (5.1.9).

Hexes come first, and for lines between hex centres all at one blow; walls, buildings and rooms with a marker are looked
at for the lines that are left, the nearest first, and only where directions and boxes allow for a contact.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.rules.urban_operations.plan import Edges, Plan, hexes_met, segments_met
from studio.rules.urban_operations.scene import HEX, NOTHING, ROOF, ROOM
from studio.sight.fast.fan import line_shape_pairs

if TYPE_CHECKING:
    from studio.rules.urban_operations.sight import Judge

__all__ = ["ManyLines"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_SAFE = 500_000  # lattice units: up to here the products of three differences fit 64 bits


class ManyLines:
    """Lines from one location on the surface to others, looked at together.

    Parameters
    ----------
    judge : Judge
    plan : Plan
    a : int
    numbers : array of int64, shape (n,)
        Locations on the surface, their dots elsewhere than the dot of `a`.

    Attributes
    ----------
    blocked, doubt : array of bool, shape (n,)
        What blocks for certain, and what the judge has to look at.
    """

    def __init__(self, judge: Judge, plan: Plan, a: int, numbers: _Ints) -> None:
        scene = judge.scene
        self.scene, self.options, self.plan = scene, judge.options, plan
        self.a, self.numbers = a, numbers
        self.dot, self.dots = plan.dots[a], plan.dots[numbers]
        self.kind = scene.kind[numbers]
        self.column = plan.building_column[numbers]
        self.own_column = int(plan.building_column[a])
        self.start, level = int(scene.level[a]), scene.level[numbers].astype(np.int64)
        self.low, self.high = np.minimum(level, self.start), np.maximum(level, self.start)
        self.lower_is_target = level < self.start
        self.lower_is_hex = np.where(self.lower_is_target, self.kind == HEX, scene.kind[a] == HEX)
        self.blocked = np.zeros(len(numbers), dtype=bool)
        self.doubt = np.zeros(len(numbers), dtype=bool)

    def look(self) -> None:
        """Fill in what blocks and what is doubtful."""
        plan = self.plan
        straight = plan.centred[self.numbers] & bool(plan.centred[self.a])
        if straight.any():
            self.blocked[straight] = plan.hex_lines.hidden(self.a, self.numbers[straight])
        if not straight.all():
            self._hexes(straight)
            self._ground(straight)
        self._own_buildings()
        self._buildings()
        self._walls()
        self._bodies()

    def _effect(self, rows: _Ints, levels: NDArray[Any]) -> tuple[_Bools, _Bools]:
        """Tell which obstacles block wherever they are met, and which only right in front of the lower end."""
        low, high = self.low[rows], self.high[rows]
        above = levels > low
        return above & (levels >= high), above & (levels < high)

    def _near(self, boxes: _Ints, settled: _Bools | None = None) -> Iterator[tuple[_Ints, _Ints]]:
        return line_shape_pairs(self.dot, self.dots, boxes, self.blocked if settled is None else settled)

    # -- hexes -----------------------------------------------------------------------------------------------------

    def _hexes(self, straight: _Bools) -> None:
        """Obstacle hexes on the lines of which an end is no hex centre."""
        scene, blockers = self.scene, self.plan.blockers
        settled = self.blocked | straight
        for row, at in self._near(self.plan.hex_boxes(blockers), settled):
            cells = blockers[at]
            blocks, in_front = self._effect(row, scene.obstacle[cells])
            met, _ = hexes_met(self.dot, self.dots[row], scene.grid.centres[cells], flat=scene.grid.flat)
            self._settle(row, cells, met & blocks, met & in_front)
            settled |= self.blocked

    def _ground(self, straight: _Bools) -> None:
        """Ground that is no obstacle, where one end lies lower than it."""
        scene, options = self.scene, self.options
        settled = self.blocked | straight | (self.low >= int(scene.ground.max(initial=NOTHING)))
        if settled.all():
            return
        open_ground = (scene.obstacle == NOTHING) & scene.grid.present.ravel()
        hexes = np.flatnonzero(open_ground & (scene.ground > int(self.low[~settled].min())))
        for row, at in self._near(self.plan.hex_boxes(hexes), settled):
            cells = hexes[at]
            met, inner = hexes_met(self.dot, self.dots[row], scene.grid.centres[cells], flat=scene.grid.flat)
            met = met if options["ground_border"] == "blocks" else inner
            level, low, high = scene.ground[cells], self.low[row], self.high[row]
            met &= level > low
            always = (level >= high) if options["low_ground"] == "plateau" else (level > high)
            front = np.zeros_like(met)
            if options["low_ground"] == "edge":
                front |= level == high
            if options["level_change"] == "ground":
                front |= level <= high
            self._settle(row, cells, met & always, met & front & ~always)
            settled |= self.blocked

    def _settle(self, row: _Ints, cells: _Ints, blocking: _Bools, in_front: _Bools) -> None:
        """Decide what hexes do that are met: all of `blocking` block, of `in_front` those beside a lower end."""
        some = np.flatnonzero(blocking | in_front)
        row, cells, blocking, in_front = row[some], cells[some], blocking[some], in_front[some]
        numbers = self.numbers[row]
        own = (cells == self.a) | (cells == numbers)
        blocking &= ~own
        in_front &= ~own
        plain = self.lower_is_hex[row]
        self.doubt[row[in_front & ~plain]] = True
        lower = np.where(self.lower_is_target[row], numbers, self.a)
        front = np.flatnonzero(in_front & plain)
        blocking[front[self._adjacent(lower[front], cells[front])]] = True
        # Hexes that reach under the building of an end count only where the line is out of it.
        near = self.plan.beside[self.own_column, cells] | self.plan.beside[self.column[row], cells]
        self.doubt[row[blocking & near]] = True
        self.blocked[row[blocking & ~near]] = True

    def _adjacent(self, a: _Ints, b: _Ints) -> _Bools:
        axials = self.scene.grid.axials.astype(np.int64)
        dq, dr = (axials[a] - axials[b]).T
        return np.asarray(np.abs(dq) + np.abs(dr) + np.abs(dq + dr) == 2)

    # -- buildings, and rooms with a marker ------------------------------------------------------------------------

    def _shapes(self, row: _Ints, shape: _Ints, edges: Edges, held: _Bools) -> tuple[_Bools, _Bools, _Ints]:
        """Return contacts with shapes for certain, possible other ones, and how often edges are crossed; by pair."""
        counts = edges.counts[shape]
        first = np.cumsum(counts) - counts
        edge = np.arange(int(counts.sum())) + np.repeat(edges.first[shape] - first, counts)
        lines = np.repeat(row, counts)
        crossed, maybe = segments_met(self.dot, self.dots[lines], edges.p[edge], edges.q[edge])
        times = np.add.reduceat(crossed.astype(np.int64), first)
        touched = np.logical_or.reduceat(maybe, first)
        inside = held[self.a, shape] | held[self.numbers[row], shape]
        return (times > 0) | inside, touched, times

    def _own_buildings(self) -> None:
        """Leave lines of a room to the judge that do not leave its building by crossing just one edge."""
        plan, scene = self.plan, self.scene
        pairs = []
        if self.own_column >= 0 and scene.kind[self.a] != ROOF:
            rows = np.flatnonzero(~self.blocked)
            pairs.append((rows, np.full(len(rows), self.own_column)))
        rows = np.flatnonzero(~self.blocked & (self.column >= 0) & (self.kind == ROOM))
        pairs.append((rows, self.column[rows]))
        for row, shape in pairs:
            if len(row):
                held = plan.in_buildings
                _, maybe, times = self._shapes(row, shape, plan.building_edges, held)
                mine, theirs = held[self.a, shape], held[self.numbers[row], shape]
                plain = (times == 1) & ~maybe & (mine != theirs)
                own = np.where(shape == self.own_column, mine, theirs)
                blocks, in_front = self._effect(row, plan.building_levels[shape])
                self.doubt[row[~(plain & own) & (blocks | in_front)]] = True

    def _buildings(self) -> None:
        plan = self.plan
        for row, shape in self._near(plan.building_edges.boxes):
            other = (shape != self.own_column) & (shape != self.column[row])
            self._block(row[other], shape[other], plan.building_edges, plan.in_buildings, plan.building_levels)

    def _bodies(self) -> None:
        plan, roof = self.plan, self.scene.kind[self.a] == ROOF
        number = np.array([body.number for body in plan.bodies], dtype=np.int64)
        levels = np.array([body.level for body in plan.bodies], dtype=np.int64)
        building = np.array([plan.column.get(body.building, -2) for body in plan.bodies], dtype=np.int64)
        for row, shape in self._near(plan.body_edges.boxes):
            own = (self.numbers[row] == number[shape]) | (number[shape] == self.a)
            own |= (self.kind[row] == ROOF) & (self.column[row] == building[shape])
            own |= roof & (building[shape] == self.own_column)
            self._block(row[~own], shape[~own], plan.body_edges, plan.in_bodies, levels)

    def _block(self, row: _Ints, shape: _Ints, edges: Edges, held: _Bools, levels: NDArray[Any]) -> None:
        """Decide what shapes do that may be met."""
        blocks, in_front = self._effect(row, levels[shape])
        some = blocks | in_front
        row, shape, blocks, in_front = row[some], shape[some], blocks[some], in_front[some]
        if len(row):
            contact, maybe, _ = self._shapes(row, shape, edges, held)
            self.blocked[row[contact & blocks]] = True
            self.doubt[row[(contact & in_front) | (maybe & ~contact)]] = True

    # -- outer walls -----------------------------------------------------------------------------------------------

    def _walls(self) -> None:
        plan, edges = self.plan, self.plan.wall_edges
        safe = not len(edges.p) or bool(np.abs(plan.dots).max() < _SAFE)
        for row, at in self._near(edges.edge_boxes):
            crossed, maybe = segments_met(self.dot, self.dots[row], edges.p[at], edges.q[at])
            blocks, in_front = self._effect(row, plan.wall_levels[at])
            self.doubt[row[maybe & (blocks | in_front)]] = True
            blocking, front = crossed & blocks, crossed & in_front
            plain = self.lower_is_hex[row] & safe
            self.doubt[row[front & ~plain]] = True
            chosen = np.flatnonzero(front & plain)
            blocking[chosen[self._nearer_than_a_hex(row[chosen], at[chosen])]] = True
            rows = np.unique(row[blocking])
            opened = self._by_an_opening(rows)
            self.doubt[rows[opened]] = True
            self.blocked[rows[~opened]] = True

    def _by_an_opening(self, rows: _Ints) -> _Bools:
        """Tell which lines meet a hex with an opening in an outer wall."""
        found = np.zeros(len(rows), dtype=bool)
        grid = self.scene.grid
        for opening in self.scene.wall_openings:
            centre = np.broadcast_to(grid.centres[opening.cell], (len(rows), 2))
            found |= hexes_met(self.dot, self.dots[rows], centre, flat=grid.flat)[0]
        return found

    def _nearer_than_a_hex(self, rows: _Ints, at: _Ints) -> _Bools:
        """Tell which crossings of walls lie less than a hex from the dot of the lower end."""
        edges = self.plan.wall_edges
        dx, dy = (self.dots[rows] - self.dot).T
        px, py = (edges.p[at] - self.dot).T
        ex, ey = (edges.q[at] - edges.p[at]).T
        part, whole = px * ey - py * ex, dx * ey - dy * ex
        part, whole = part * np.sign(whole), np.abs(whole)
        part = np.where(self.lower_is_target[rows], whole - part, part)
        u, v = (dx, dy) if self.scene.grid.flat else (dy, dx)
        q, r = 2 * u, 3 * v - u
        length = np.maximum(np.maximum(np.abs(q), np.abs(r)), np.abs(q + r))
        return np.asarray(part * length < 1440 * whole)
