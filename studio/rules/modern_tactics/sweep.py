"""All lines from one hex of Modern Tactics, by classes of targets; see :mod:`studio.rules.modern_tactics.field`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.drawn import Shape
from studio.rules.modern_tactics.ground import FULL, Kind
from studio.rules.modern_tactics.layers import Layer
from studio.sight import Directions
from studio.sight.fast.sums import STRIDE, TURN, Bars, directions, sum_along
from studio.sight.trace.pieces import hits

if TYPE_CHECKING:
    from studio.model import Area
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["Sweep"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]


class Sweep:
    """Lines from one hex.

    Parameters
    ----------
    judge : Judge
    a : int
        The hex that looks.
    view : Directions
    start, end : array of int64, shape (cells,)
        Heights of both ends, for the line to every hex.
    """

    def __init__(self, judge: Judge, a: int, view: Directions, start: _Ints, end: _Ints) -> None:
        self.judge, self.a, self.view, self.start, self.end = judge, a, view, start, end
        self.scene, self.ground = judge.scene, judge.ground_of_fields
        self.touches = bool(self.scene.options["touch_counts"])

    def counts(self, targets: _Ints) -> _Ints:
        """Return how often the lines to some hexes, all farther than two, are degraded; ``FULL`` for blocked ones."""
        found = np.zeros(len(targets), dtype=np.int64)
        view = self.view
        spine = 2 * view.position[targets] == view.ring[targets]
        pair = self.start[targets] * 64 + self.end[targets]
        kinds, number = np.unique(pair, return_inverse=True)
        far = np.flatnonzero(~spine)
        found[far] = self._sum(targets[far], number[far], kinds)
        for at, code in enumerate(kinds.tolist()):
            a, b = (code + 32) // 64, (code + 32) % 64 - 32
            mine = number == at
            self._class(targets, found, mine & ~spine, a, b)
            self._spines(targets, found, np.flatnonzero(mine & spine), a, b)
        return np.minimum(found, FULL)

    # -- by shadows ------------------------------------------------------------------------------------------------

    def _sum(self, targets: _Ints, number: _Ints, kinds: _Ints) -> _Ints:
        """Sum the weights of the hexes and hexsides along the lines to some targets, none of them along hexsides."""
        if not len(targets):
            return np.zeros(0, dtype=np.int64)
        several, crossed = [], []
        for at, code in enumerate(kinds.tolist()):
            a, b = (code + 32) // 64, (code + 32) % 64 - 32
            several.append(self._bars(at, a, b))
            if a == b and self.scene.sides:
                crossed.append(self._side_bars(at, a))
        keys = self.view.keys(targets) + number * STRIDE
        rings = self.view.ring[targets]
        if crossed and not self.touches:
            several, crossed = several + crossed, []
        found = sum_along(keys, rings, Bars.join(several), limit=FULL, closed=self.touches)
        if crossed:
            found += sum_along(keys, rings, Bars.join(crossed), limit=FULL)
        return found

    def _weights(self, a: int, b: int) -> NDArray[np.int8]:
        """Return the weights of hexes for one class, those of the hexes right before the start among them (12.4)."""
        kind = self.ground.kind(min(a, b), max(a, b))
        if a >= b:
            return kind.full
        weight = kind.full.copy()
        near = self.scene.grid.neighbours(self.a)
        weight[near] = np.maximum(weight[near], kind.behind[near])
        return weight

    def _bars(self, at: int, a: int, b: int) -> Bars:
        weight = self._weights(a, b)
        cells = np.flatnonzero(weight)
        cells = cells[self.view.ring[cells] > 0]
        low, high = self.view.shadows(cells)
        return Bars(low + at * STRIDE, high + at * STRIDE, self.view.ring[cells], weight[cells].astype(np.int64))

    def _side_bars(self, at: int, height: int) -> Bars:
        one, other, corners = self.ground.sides(height)
        ring = np.maximum(self.view.ring[one], self.view.ring[other])
        free = np.flatnonzero((one != self.a) & (other != self.a))
        q, r = self.scene.grid.axial(self.a)
        ends = corners[free] - 3 * np.array([q, r], dtype=np.int64)
        keys = np.stack([directions(ends[:, side, 0], ends[:, side, 1]) for side in (0, 1)])
        low, high = keys.min(axis=0), keys.max(axis=0)
        wraps = high - low > TURN // 2
        low, high = np.where(wraps, high - TURN, low), np.where(wraps, low, high)
        # A side that begins in direction 0 does not lie across it.
        return Bars(low + at * STRIDE, high + at * STRIDE, ring[free], np.ones(len(free), dtype=np.int64))

    # -- what is looked at afterwards ------------------------------------------------------------------------------

    def _class(self, targets: _Ints, found: _Ints, mine: _Bools, a: int, b: int) -> None:
        """Add what sums alone do not tell: drawn shapes, the blind hex before the target, hills of the ends' height."""
        kind = self.ground.kind(min(a, b), max(a, b))
        free = np.flatnonzero(mine & (found < FULL))
        if kind.full_shapes is not None and len(free):
            hit = kind.full_shapes.hits(self.a, self.view, targets[free])
            found[free[hit]] = FULL
        if a < b and kind.behind_shapes is not None:
            free = np.flatnonzero(mine & (found < FULL))
            hit = kind.behind_shapes.hits(self.a, self.view, targets[free], last_ring=1)
            found[free[hit]] = FULL
        if a > b and kind.behind.any():
            free = np.flatnonzero(mine & (found < FULL))
            found[free] += self._blind(targets[free], kind)
        for layer, other, own in kind.crests:
            free = np.flatnonzero(mine & (found < FULL))
            if len(free):
                self._crest(targets, found, free, layer, other, own)

    def _blind(self, targets: _Ints, kind: Kind) -> _Ints:
        """Return what the hexes right before the targets weigh more than anywhere else (12.4)."""
        more = np.zeros(len(targets), dtype=np.int64)
        for before, inner, met in self._before(targets):
            there = met & (inner | self.touches)
            cells = np.where(there, before, 0)
            weight = np.maximum(kind.full[cells], kind.behind[cells]).astype(np.int64) - kind.full[cells]
            more += np.where(there, weight, 0)
            if kind.behind_shapes is not None:
                tried = np.flatnonzero(there & inner)
                more[tried[kind.behind_shapes.hits_in(self.a, targets[tried], cells[tried])]] = FULL
        return more

    def _before(self, targets: _Ints) -> list[tuple[_Ints, _Bools, _Bools]]:
        """Return the two hexes of the ring before some targets: cells, met inside, met at all."""
        view, layout = self.view, self.scene.survey.layout
        k, n, b = (plane[targets].astype(np.int64) for plane in (view.sextant, view.ring, view.position))
        ring = n - 1
        i = b * ring // n
        before, limit = 3 * (b * ring - n * i), n + np.maximum(n - b, b)
        along = np.array(layout.offsets, dtype=np.int64)
        aside = (np.roll(along, -1) - along)[k]
        index = view.origin + ring * along[k] + i * aside
        found = []
        for miss, at in ((before, index), (3 * n - before, index + aside)):
            met = miss <= limit
            cells = layout.cells[np.where(met, at, view.origin)]
            found.append((cells, miss < limit, met & (cells >= 0)))
        return found

    def _crest(self, targets: _Ints, found: _Ints, free: _Ints, layer: Layer, other: bool, own: bool) -> None:
        """Block by hills as high as the higher end: those that hold neither end, or one (12.4, 14.5).

        Of the hills that a line meets it is summed how many, their numbers, and the squares of these: all are the
        target's own hill just when the numbers differ from its number by nothing in the sum of squares.
        """
        scene, height = self.scene, layer.height
        if height not in scene.hills:
            if own:
                found[free[self._meets(targets[free], np.flatnonzero(layer.block))]] = FULL
            return
        if layer.shapes or own or self.touches:
            # Readings and drawings that sums of whole numbers do not tell apart: line by line.
            lines = targets[free[self._meets(targets[free], np.flatnonzero(layer.block | layer.degrade))]]
            exact = {cell: self.judge.verdict(self.a, cell) for cell in lines.tolist()}
            for at in free.tolist():
                found[at] = exact.get(int(targets[at]), found[at])
            return
        goal = targets[free]
        ids, source, mine = self._hill_numbers(height, goal)
        cells = np.flatnonzero(layer.block & (ids != source))
        keys, rings = self.view.keys(goal), self.view.ring[goal]
        low, high = self.view.shadows(cells)
        sums = [
            sum_along(keys, rings, Bars(low, high, self.view.ring[cells], ids[cells] ** power)) for power in (0, 1, 2)
        ]
        found[free[sums[2] - 2 * mine * sums[1] + mine * mine * sums[0] != 0]] = FULL

    def _hill_numbers(self, height: int, goal: _Ints) -> tuple[_Ints, int, _Ints]:
        """Return the number of the hill in every hex, of that of the start and of those of some targets; 0 for none."""
        scene = self.scene
        ids = self.ground.hill_numbers(height)
        source = int(ids[self.a]) if scene.ground[self.a] >= height and not scene.conditions.from_air else 0
        return ids, source, np.where((scene.ground[goal] >= height) & (not scene.conditions.to_air), ids[goal], 0)

    def _meets(self, targets: _Ints, cells: _Ints) -> _Bools:
        """Tell which lines meet one of some hexes."""
        cells = cells[self.view.ring[cells] > 0]
        low, high = self.view.shadows(cells)
        bars = Bars(low, high, self.view.ring[cells], np.ones(len(cells), dtype=np.int64))
        keys, rings = self.view.keys(targets), self.view.ring[targets]
        return sum_along(keys, rings, bars, limit=1, closed=self.touches) > 0

    # -- straight along hexsides -----------------------------------------------------------------------------------

    def _spines(self, targets: _Ints, found: _Ints, mine: _Ints, a: int, b: int) -> None:
        """Judge the targets straight along hexsides: in one direction all share one line."""
        kind = self.ground.kind(min(a, b), max(a, b))
        weight = self._weights(a, b)
        for k in range(6):
            some = mine[self.view.sextant[targets[mine]] == k]
            if not len(some):
                continue
            rings = self.view.ring[targets[some]].astype(np.int64)
            cells, there = self._spine(k, int(rings.max()))
            aim = int(targets[some[0]])
            side = self._spine_sides(cells, there, a) if a == b else np.zeros(len(cells), dtype=np.int64)
            lines = np.where(there, weight[cells], 0)
            if kind.full_drawn:
                lines = np.maximum(lines, FULL * self._spine_hits(aim, cells, there, kind.full_drawn))
            if a < b and kind.behind_drawn:
                lines[0] = np.maximum(
                    lines[0], FULL * self._spine_hits(aim, cells[:1], there[:1], kind.behind_drawn)[0]
                )
            full = self._along(lines, side)
            found[some] = np.concatenate(([0, 0], np.cumsum(full)))[rings]
            if a > b and kind.behind.any():
                both = np.where(there, np.maximum(lines, kind.behind[cells]), 0)
                if kind.behind_drawn:
                    both = np.maximum(both, FULL * self._spine_hits(aim, cells, there, kind.behind_drawn))
                found[some] += (self._along(both, side) - full)[rings - 2]
            for layer, _, own in kind.crests:
                met = layer.block[cells] & there
                free = some[found[some] < FULL]
                if layer.shapes or own or layer.height not in self.scene.hills:
                    some_met: _Bools = np.any((layer.degrade[cells] & there) | met, axis=1)
                    self._spine_lines(targets, found, free, some_met)
                elif len(free):
                    found[free[self._other_hills(layer.height, targets[free], cells, met)]] = FULL

    def _spine_lines(self, targets: _Ints, found: _Ints, free: _Ints, met: _Bools) -> None:
        """Judge one by one the lines along hexsides to targets behind some rings."""
        upto = np.concatenate(([False, False], np.logical_or.accumulate(met)))
        for at in free[upto[self.view.ring[targets[free]]]].tolist():
            found[at] = self.judge.verdict(self.a, int(targets[at]))

    def _other_hills(self, height: int, goal: _Ints, cells: _Ints, met: _Bools) -> _Bools:
        """Tell which lines along hexsides meet a hill that holds neither end; as :meth:`_crest` does."""
        ids, source, mine = self._hill_numbers(height, goal)
        there = np.where(met & (ids[cells] != source), ids[cells], 0)
        sums = [((there > 0) * there**power).sum(axis=1) for power in (0, 1, 2)]
        count, total, squares = (np.concatenate(([0, 0], np.cumsum(one)))[self.view.ring[goal]] for one in sums)
        return np.asarray(squares - 2 * mine * total + mine * mine * count != 0)

    def _spine_hits(self, aim: int, cells: _Ints, there: _Bools, shapes: list[Shape]) -> NDArray[np.int8]:
        """Return 1 for the hexes beside a line straight along hexsides in which it runs through what is drawn."""
        found = np.zeros(cells.shape, dtype=np.int8)
        drawn = there & np.isin(cells, [shape.cell for shape in shapes])
        for at in np.flatnonzero(drawn.any(axis=1)).tolist():
            along = at % 2 == 0  # the first ring, the third ...
            inside = self._inside_side(sorted(set(cells[at, there[at]].tolist())), aim) if along else []
            for which in np.flatnonzero(drawn[at]).tolist():
                mine = [shape for shape in shapes if shape.cell == cells[at, which]]
                if along:
                    found[at, which] = any(shape.area in inside for shape in mine)
                else:
                    found[at, which] = any(self._runs_through(shape) for shape in mine)
        return found

    def _runs_through(self, shape: Shape) -> bool:
        """Tell whether the line through the centre of a hex runs through a piece in it."""
        (x, y), (u, v) = self.scene.grid.centre(self.a), self.scene.grid.centre(shape.cell)
        offset = (u - x, v - y)
        return hits(shape.piece, offset, offset, graze=bool(self.scene.options["graze_hits"]))

    def _inside_side(self, cells: list[int], aim: int) -> list[Area]:
        """Return the drawn areas that the line along a side of two hexes, or of one at the map's edge, runs through."""
        (x, y), (u, v) = self.scene.grid.centre(self.a), self.scene.grid.centre(aim)
        corners = self.scene.grid.corners(cells[0])
        on_line = [(u - x) * (d - y) == (v - y) * (c - x) for c, d in corners]
        at = next(n for n in range(6) if on_line[n] and on_line[(n + 1) % 6])
        ends = corners[at], corners[(at + 1) % 6]
        return self.scene.drawn.on_side(cells, ends, graze=bool(self.scene.options["graze_hits"]))

    def _spine(self, k: int, last: int) -> tuple[_Ints, _Bools]:
        """Return the two hexes of every ring beside a line straight along hexsides; the same one in even rings."""
        layout = self.scene.survey.layout
        rings = np.arange(1, last, dtype=np.int64)
        first, second = layout.offsets[k], layout.offsets[(k + 1) % 6]
        places = np.stack((rings // 2, (rings + 1) // 2), axis=1)
        index = self.view.origin + (rings[:, None] - places) * first + places * second
        cells = layout.cells[index]
        return np.where(cells >= 0, cells, 0), cells >= 0

    def _spine_sides(self, cells: _Ints, there: _Bools, height: int) -> _Ints:
        """Return where the line runs along a side with terrain that counts."""
        sides = self.scene.sides
        found = np.zeros(len(cells), dtype=np.int64)
        if sides:
            for at in np.flatnonzero(there.all(axis=1)).tolist():
                one, other = sorted(cells[at].tolist())
                found[at] = sides.get((one, other), height - 1) >= height
        return found

    def _along(self, weight: _Ints, side: _Ints) -> _Ints:
        heavier: _Ints = weight.max(axis=1).astype(np.int64)
        if self.scene.options["spine_side"] == "adds":
            return np.asarray(heavier + side)
        return np.asarray(np.maximum(heavier, side))
