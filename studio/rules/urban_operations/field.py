"""Fields of view in Urban Operations: the verdicts of the judge for all locations at once, in arrays of whole numbers.

Arrays settle what is plain: segments that cross a facade or a wall, and obstacle hexes on the way. What only touches a
corner, runs along a wall, or leaves a building in an unusual way is *doubtful*, and is handed to the judge itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.rules.urban_operations.plan import Edges, Plan, hexes_met, segments_met
from studio.rules.urban_operations.scene import HEX, NOTHING, ROOF, ROOM
from studio.sight import BLOCKED, CLEAR

if TYPE_CHECKING:
    from studio.rules.urban_operations.sight import Judge

__all__ = ["field", "seen_from", "table"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]
_BLOCK = 1 << 18  # lines times things looked at in one go
_SAFE = 500_000  # lattice units: up to here the products of three differences fit 64 bits


def field(judge: Judge, a: int) -> NDArray[np.uint8]:
    """Return the codes of all numbers seen from a location.

    Parameters
    ----------
    judge : Judge
    a : int

    Returns
    -------
    array of uint8, shape (len(directory),)
    """
    numbers = judge.scene.directory.numbers
    codes = np.zeros(len(judge.scene.directory), dtype=np.uint8)
    codes[numbers] = np.where(seen_from(judge, a, numbers), CLEAR, BLOCKED)
    return codes


def table(judge: Judge, numbers: _Ints, progress: Callable[[int, int], None] | None = None) -> NDArray[np.uint8]:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    judge : Judge
    numbers : array of int64, shape (n,)
    progress : callable, optional
        Called with the locations done and all of them.

    Returns
    -------
    array of uint8, shape (n, n)
    """
    codes = np.full((len(numbers), len(numbers)), CLEAR, dtype=np.uint8)
    # Only snipers in inner zones see what does not see them (13.5.2).
    reciprocal = judge.options["inner_zones"] != "snipers"
    for row, number in enumerate(numbers.tolist()):
        first = row + 1 if reciprocal else 0
        found = np.where(seen_from(judge, number, numbers[first:]), CLEAR, BLOCKED)
        codes[row, first:] = found
        if reciprocal:
            codes[first:, row] = found
        if progress is not None:
            progress(row + 1, len(numbers))
    return codes


def seen_from(judge: Judge, a: int, numbers: _Ints) -> _Bools:
    """Tell which locations are seen from one.

    Parameters
    ----------
    judge : Judge
    a : int
    numbers : array of int64, shape (n,)

    Returns
    -------
    array of bool, shape (n,)
    """
    scene, plan = judge.scene, judge.plan
    asked, plain = _sort_out(judge, plan, a, numbers)
    seen = np.asarray(numbers == a)
    chosen = np.flatnonzero(plain)
    if len(chosen):
        view = _View(judge, plan, a, numbers[chosen])
        view.look()
        seen[chosen[~view.blocked]] = True
        doubtful = chosen[view.doubt & ~view.blocked]
        seen[doubtful] = False
        asked[doubtful] = True
    if scene.options["inner_zones"] != "none":
        asked |= ~seen & _may_see_through(judge, plan, a, numbers)
    for at in np.flatnonzero(asked).tolist():
        seen[at] = judge.visible(a, int(numbers[at]))
    return seen


def _sort_out(judge: Judge, plan: Plan, a: int, numbers: _Ints) -> tuple[_Bools, _Bools]:
    """Tell which targets the judge is asked about, and which are left to the arrays; the others are not seen."""
    scene = judge.scene
    linked = np.isin(numbers, list(scene.links.get(a, ())))
    if scene.under[a]:
        return np.asarray((scene.under[numbers] | linked) & (numbers != a)), np.zeros(len(numbers), dtype=bool)
    same = (scene.building[numbers] == scene.building[a]) & (scene.building[a] >= 0)
    alike = (plan.dots[numbers] == plan.dots[a]).all(axis=1) & ~scene.under[numbers]
    asked = linked | same | alike | plan.odd[numbers] | plan.odd[a]
    asked &= ~scene.under[numbers] | linked
    plain = ~scene.under[numbers] & ~asked
    rooms = scene.kind[numbers] == ROOM
    row, seen = plan.arcs
    if scene.kind[a] == ROOM:
        plain &= seen[row[a], numbers]
    plain &= ~rooms | seen[row[numbers], a]
    if scene.options["arc"] == "facade":
        inside = plain & (rooms | (scene.kind[a] == ROOM))
        asked, plain = asked | inside, plain & ~inside
    asked &= numbers != a
    plain &= numbers != a
    return np.asarray(asked), np.asarray(plain)


def _may_see_through(judge: Judge, plan: Plan, a: int, numbers: _Ints) -> _Bools:
    """Tell which lines between an inner zone and a hex the advanced rule 13.5.2 may open."""
    kind = judge.scene.kind
    if kind[a] == ROOM:
        return np.isin(numbers, list(plan.on_inner_ray(a)))
    found = np.zeros(len(numbers), dtype=bool)
    if kind[a] == HEX and judge.options["inner_zones"] == "all":
        rooms = np.flatnonzero(kind[numbers] == ROOM)
        found[rooms] = [a in plan.on_inner_ray(int(number)) for number in numbers[rooms]]
    return found


class _View:
    """Lines from one location on the surface to others, looked at together.

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
        plan, cells = self.plan, self.scene.grid.cells
        edges = (len(plan.building_edges.p), len(plan.wall_edges.p), len(plan.body_edges.p))
        for step, count in (
            (self._buildings, edges[0]),
            (self._hexes, len(plan.blockers)),
            (self._walls, edges[1]),
            (self._bodies, edges[2]),
            (self._ground, cells),
        ):
            rows = np.flatnonzero(~self.blocked)
            many = max(1, _BLOCK // max(1, count))
            for begin in range(0, len(rows), many):
                step(rows[begin : begin + many])

    def _effect(self, rows: _Ints, levels: NDArray[Any]) -> tuple[_Bools, _Bools]:
        """Tell which obstacles block wherever they are met, and which only right in front of the lower end."""
        low, high = self.low[rows, None], self.high[rows, None]
        above = levels[None, :] > low
        return above & (levels[None, :] >= high), above & (levels[None, :] < high)

    # -- buildings -------------------------------------------------------------------------------------------------

    def _shapes(self, rows: _Ints, edges: Edges, held: _Bools) -> tuple[_Bools, _Bools, NDArray[Any]]:
        """Return contacts with shapes for certain, possible other ones, and how often edges are crossed."""
        crossed, maybe = segments_met(self.dot, self.dots[rows], edges)
        times = np.add.reduceat(crossed.astype(np.int16), edges.first, axis=1)
        touched = np.logical_or.reduceat(maybe, edges.first, axis=1)
        inside = held[self.a][None, :] | held[self.numbers[rows]]
        return (times > 0) | inside, touched, times

    def _buildings(self, rows: _Ints) -> None:
        plan = self.plan
        if not plan.surface:
            return
        held = plan.in_buildings
        contact, maybe, times = self._shapes(rows, plan.building_edges, held)
        # The usual case: from inside to outside across one edge.
        once, mine, theirs = (times == 1) & ~maybe, held[self.a][None, :], held[self.numbers[rows]]
        out, into = once & mine & ~theirs, once & theirs & ~mine
        maybe &= ~contact
        if self.own_column >= 0:
            roof = bool(self.scene.kind[self.a] == ROOF)
            contact[:, self.own_column] = False
            maybe[:, self.own_column] = False if roof else ~out[:, self.own_column]
        ends = np.flatnonzero(self.column[rows] >= 0)
        column = self.column[rows[ends]]
        contact[ends, column] = False
        maybe[ends, column] = (self.kind[rows[ends]] == ROOM) & ~into[ends, column]
        blocks, in_front = self._effect(rows, plan.building_levels)
        self.blocked[rows] |= (contact & blocks).any(axis=1)
        self.doubt[rows] |= ((contact & in_front) | (maybe & (blocks | in_front))).any(axis=1)

    def _bodies(self, rows: _Ints) -> None:
        plan = self.plan
        if not plan.bodies:
            return
        contact, maybe, _ = self._shapes(rows, plan.body_edges, plan.in_bodies)
        for at, body in enumerate(plan.bodies):
            own = (self.numbers[rows] == body.number) | (self.a == body.number)
            building = plan.column.get(body.building, -2)
            own |= (self.kind[rows] == ROOF) & (self.column[rows] == building)
            own |= (self.scene.kind[self.a] == ROOF) & (self.own_column == building)
            contact[own, at] = maybe[own, at] = False
        blocks, in_front = self._effect(rows, np.array([body.level for body in plan.bodies], dtype=np.int64))
        self.blocked[rows] |= (contact & blocks).any(axis=1)
        self.doubt[rows] |= ((contact & in_front) | (maybe & (blocks | in_front))).any(axis=1)

    # -- hexes -----------------------------------------------------------------------------------------------------

    def _hexes(self, rows: _Ints) -> None:
        cells = self.plan.blockers
        if not len(cells):
            return
        blocks, in_front = self._effect(rows, self.scene.obstacle[cells].astype(np.int64))
        met, _ = hexes_met(self.dot, self.dots[rows], self.scene.grid.centres[cells], flat=self.scene.grid.flat)
        self._settle(rows, cells, met & blocks, met & in_front)

    def _ground(self, rows: _Ints) -> None:
        """Ground that is no obstacle, where one end lies lower than it."""
        scene, options = self.scene, self.options
        rows = rows[self.low[rows] < int(scene.ground.max(initial=NOTHING))]
        if not len(rows):
            return
        open_ground = (scene.obstacle == NOTHING) & scene.grid.present.ravel()
        cells = np.flatnonzero(open_ground & (scene.ground > int(self.low[rows].min())))
        if not len(cells):
            return
        met, inner = hexes_met(self.dot, self.dots[rows], scene.grid.centres[cells], flat=scene.grid.flat)
        met = met if options["ground_border"] == "blocks" else inner
        level, low, high = scene.ground[cells][None, :], self.low[rows, None], self.high[rows, None]
        met &= level > low
        always = (level >= high) if options["low_ground"] == "plateau" else (level > high)
        front = np.zeros_like(met)
        if options["low_ground"] == "edge":
            front |= level == high
        if options["level_change"] == "ground":
            front |= level <= high
        self._settle(rows, cells, met & always, met & front & ~always)

    def _settle(self, rows: _Ints, cells: _Ints, blocking: _Bools, in_front: _Bools) -> None:
        """Decide what hexes do that are met: all of `blocking` block, of `in_front` those beside a lower end."""
        numbers = self.numbers[rows]
        own = np.asarray((cells[None, :] == self.a) | (cells[None, :] == numbers[:, None]))
        blocking &= ~own
        open_rows = np.asarray(~blocking.any(axis=1))
        row, at = np.nonzero(in_front & ~own & open_rows[:, None])
        if len(row):
            plain = self.lower_is_hex[rows[row]]
            self.doubt[rows[row[~plain]]] = True
            row, at = row[plain], at[plain]
            lower = np.where(self.lower_is_target[rows[row]], numbers[row], self.a)
            beside = self._adjacent(lower, cells[at])
            blocking[row[beside], at[beside]] = True
        # Hexes that reach under the building of an end count only where the line is out of it.
        near = self.plan.beside[self.own_column][cells][None, :] | self.plan.beside[self.column[rows]][:, cells]
        self.doubt[rows] |= (blocking & near).any(axis=1)
        self.blocked[rows] |= (blocking & ~near).any(axis=1)

    def _adjacent(self, a: _Ints, b: _Ints) -> _Bools:
        axials = self.scene.grid.axials.astype(np.int64)
        dq, dr = (axials[a] - axials[b]).T
        return np.asarray(np.abs(dq) + np.abs(dr) + np.abs(dq + dr) == 2)

    # -- outer walls -----------------------------------------------------------------------------------------------

    def _walls(self, rows: _Ints) -> None:
        plan, scene = self.plan, self.scene
        if not len(plan.wall_edges.p):
            return
        crossed, maybe = segments_met(self.dot, self.dots[rows], plan.wall_edges)
        blocks, in_front = self._effect(rows, plan.wall_levels)
        self.doubt[rows] |= (maybe & (blocks | in_front)).any(axis=1)
        blocking = crossed & blocks
        row, at = np.nonzero(crossed & in_front)
        if len(row):
            plain = self.lower_is_hex[rows[row]] & bool(np.abs(plan.dots).max() < _SAFE)
            self.doubt[rows[row[~plain]]] = True
            row, at = row[plain], at[plain]
            close = self._nearer_than_a_hex(rows[row], at)
            blocking[row[close], at[close]] = True
        if scene.wall_openings:
            openings = scene.grid.centres[[opening.cell for opening in scene.wall_openings]]
            near, _ = hexes_met(self.dot, self.dots[rows], openings, flat=scene.grid.flat)
            self.doubt[rows] |= blocking.any(axis=1) & near.any(axis=1)
            blocking[near.any(axis=1)] = False
        self.blocked[rows] |= blocking.any(axis=1)

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
