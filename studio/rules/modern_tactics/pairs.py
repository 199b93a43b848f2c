"""All pairs of hexes of one displacement on a map of Modern Tactics, judged at once in bits."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.grid import HALF, LINE_STEP, STEP, sextant
from studio.grid.lines import SEXTANTS
from studio.rules.modern_tactics.bitmap import BitMap, LayerBits
from studio.sight.fast.bits import shift
from studio.sight.trace.rays import Spot, ray

__all__ = ["Pairs", "lattice"]


class _Group(NamedTuple):
    """Pairs with one higher height, and what counts for them anywhere on the line."""

    pairs: int
    block: int
    degrade: int


class _Crest(NamedTuple):
    """Pairs for which hills of the height of their higher end count: of those that hold neither end, or one of them."""

    at: int
    bits: LayerBits
    other: int
    own: int
    pairs: int


class Pairs:
    """All pairs of one displacement.

    Parameters
    ----------
    bits : BitMap
    ends : int
        Bits of the first hex of each pair.
    dq, dr : int
        Axial displacement, of 2 hexes or more.
    """

    def __init__(self, bits: BitMap, ends: int, dq: int, dr: int) -> None:
        self.bits, self.ends = bits, ends
        self.step = bits.layout.offset(dq, dr)
        self.k, a, b = sextant(dq, dr)
        self.ray, self.n = ray(a, b), a + b
        self.first, self.second = bits.layout.offsets[self.k], bits.layout.offsets[(self.k + 1) % 6]
        self.blocked = self.once = self.twice = 0
        self.same: dict[int, int] = {}
        self._by_height()
        self.displacement = dq, dr

    def offset(self, spot: Spot) -> int:
        """Return the flat step to a hex of the line."""
        return (spot[0] - spot[1]) * self.first + spot[1] * self.second

    # -- the heights of the ends -----------------------------------------------------------------------------------

    def _by_height(self) -> None:
        """Find out for which pairs each layer counts; and block from plateaus down (12.4)."""
        bits, ends = self.bits, self.ends
        by_high: dict[int, int] = {}
        counts = [[0, 0, 0, 0] for _ in bits.layers]
        there = {v: shift(bits.at[v], self.step) & ends for v in bits.heights}
        for a in bits.heights:
            here = bits.at[a] & ends
            for b in bits.heights if here else ():
                pairs = here & there[b]
                if not pairs:
                    continue
                if a == b:
                    self.same[a] = pairs
                elif bits.plateau:
                    self.blocked |= pairs & (bits.plateau if a > b else shift(bits.plateau, self.step))
                by_high[max(a, b)] = by_high.get(max(a, b), 0) | pairs
                for at, when in bits.reaches[min(a, b), max(a, b)]:
                    found = counts[at]
                    if when.behind:
                        found[0 if a < b else 1] |= pairs
                    if when.other:
                        found[2] |= pairs
                    if when.own:
                        found[3] |= pairs
        self.groups = [_Group(pairs, *bits.full[high]) for high, pairs in by_high.items()]
        self.highs = by_high
        self.behind = [(at, bits.layers[at], one[0], one[1]) for at, one in enumerate(counts) if one[0] or one[1]]
        self.crests = [
            _Crest(at, bits.layers[at], one[2], one[3], one[2] | one[3])
            for at, one in enumerate(counts)
            if one[2] or one[3]
        ]
        heights = {crest.bits.layer.height for crest in self.crests} & bits.hills.keys()
        self.far = {height: [shift(plane, self.step) for plane in bits.hills[height][1]] for height in heights}

    # -- the line --------------------------------------------------------------------------------------------------

    def verdicts(self) -> tuple[int, int]:
        """Return the origins whose line is blocked, and those whose line is degraded.

        What is cheap comes first: most lines are blocked by then, and the rest is asked for those only that are not.
        """
        line = self.ray
        # A hex degrades once, whatever is in it; where a drawn hill may degrade, all is asked at once.
        whole = any(crest.bits.layer.degrade.any() for crest in self.crests)
        steps = line.steps
        offsets = steps[:, 0] * self.first + steps[:, 1] * self.second
        if not whole and self._run(offsets.tolist()):
            return self.blocked, self.once
        for spot in line.along:
            self._along(spot)
        if self.bits.options["touch_counts"]:
            for spot in line.touched:
                self._meet(*self._hex(spot, hit=False))
        if whole:
            for spot in line.through:
                self._meet(*self._hex(spot))
        elif self.behind:
            for spot in line.through:
                if spot[0] in (1, self.n - 1):
                    self._before_end(spot)
        if self.bits.sides:
            self._sides()
        if not whole and (self.crests or self.bits.leftover.shapes):
            self._leftover(steps, offsets)
        return self.blocked, self.once

    def _before_end(self, spot: Spot) -> None:
        """Meet what counts in a hex beside an end for the blind hex behind it only (12.4)."""
        offset, seen = self.offset(spot), self.ends & ~self.blocked
        block = degrade = 0
        for at, layer, at_start, at_end in self.behind:
            pairs = self._behind(spot, offset, at_start & seen, at_end & seen)
            if pairs:
                block |= pairs & shift(layer.block, offset)
                degrade |= pairs & shift(layer.degrade, offset)
                if layer.shapes is not None:
                    block |= pairs & self._hit(at, spot, offset, -1)
        if degrade:
            for pairs, _, already in self.groups:
                degrade &= ~(pairs & shift(already, offset))
        self._meet(block, degrade)

    def _leftover(self, steps: NDArray[np.int64], offsets: NDArray[np.int64]) -> None:
        """Block by what the loop leaves out: drawn structures, and hills as high as the higher end."""
        bits = self.bits
        seen = self.ends & ~self.blocked
        if not bits.leftover.shapes:
            pairs = 0
            for crest in self.crests:
                pairs |= crest.pairs
            seen &= pairs
        if not seen or not len(steps):
            return
        centres = steps @ np.array([lattice(bits.scene.grid.flat, *SEXTANTS[(self.k + turn) % 6]) for turn in (0, 1)])
        direction = lattice(bits.scene.grid.flat, *self.displacement)
        starts = bits.leftover.blocked(bits.plane.indices(seen), self.step, offsets, centres, direction)
        if len(starts):
            self.blocked |= bits.flat_bits(starts)

    def _sides(self) -> None:
        """Cross the sides of hexes (14.4)."""
        seen = [(pairs & ~self.blocked, self.bits.sides[v]) for v, pairs in self.same.items()]
        seen = [one for one in seen if one[0]]
        if not seen:
            return
        crossings = self.ray.crossings
        directions = (self.k + crossings[:, 4]) % 6
        # A side belongs to the one of its hexes from which it lies in one of the first three directions.
        spots = np.where((directions < 3)[:, None], crossings[:, :2], crossings[:, 2:4])
        offsets = spots[:, 0] * self.first + spots[:, 1] * self.second
        for offset, axis in zip(offsets.tolist(), (directions % 3).tolist(), strict=True):
            found = 0
            for pairs, planes in seen:
                found |= pairs & (planes[axis] >> offset if offset >= 0 else planes[axis] << -offset)
            if found:
                self.blocked |= self.twice & found
                self.twice |= self.once & found
                self.once |= found

    def _run(self, offsets: list[int]) -> bool:
        """Meet hexes by what counts anywhere, the innermost loop of a table; tell whether all is blocked."""
        groups, ends = self.groups, self.ends
        blocked, once, twice = self.blocked, self.once, self.twice
        for offset in offsets:
            found = 0
            for pairs, block, degrade in groups:
                if offset >= 0:
                    blocked |= pairs & (block >> offset)
                    found |= pairs & (degrade >> offset)
                else:
                    blocked |= pairs & (block << -offset)
                    found |= pairs & (degrade << -offset)
            if found:
                blocked |= twice & found
                twice |= once & found
                once |= found
            if blocked & ends == ends:
                break
        self.blocked, self.once, self.twice = blocked, once, twice
        return blocked & ends == ends

    def _meet(self, block: int, degrade: int) -> None:
        self.blocked |= block | (self.twice & degrade)
        self.twice |= self.once & degrade
        self.once |= degrade

    def _side(self, planes: list[int], one: Spot, other: Spot) -> int:
        """Return the origins for which the side of two hexes of the line has terrain that counts."""
        k = (self.k + 2) % 6  # within the ring
        return shift(planes[k % 3], self.offset(one if k < 3 else other))

    def _along(self, spot: Spot) -> None:
        """Meet the two hexes beside a stretch along their common side: the heavier one counts (14.0)."""
        other = (spot[0], spot[1] + 1)
        block, degrade = self._hex(spot, side=(self.k + 2) % 6)
        block_too, degrade_too = self._hex(other, side=(self.k + 5) % 6)
        block, degrade = block | block_too, degrade | degrade_too
        if self.bits.sides:
            found = 0
            for v, pairs in self.same.items():
                found |= pairs & self._side(self.bits.sides[v], spot, other)
            if self.bits.options["spine_side"] == "adds":
                self._meet(0, found)
            else:
                degrade |= found
        self._meet(block, degrade)

    def _hex(self, spot: Spot, *, side: int = -1, hit: bool = True) -> tuple[int, int]:
        """Return the pairs for which a hex of the line blocks, and for which it degrades.

        ``side`` is the direction of the side that the line runs along; ``hit`` is False where it touches a corner only.
        """
        offset = self.offset(spot)
        block = degrade = 0
        for pairs, plain_block, plain_degrade in self.groups:
            block |= pairs & shift(plain_block, offset)
            degrade |= pairs & shift(plain_degrade, offset)
        if self.bits.has_shapes and hit:
            for high, pairs in self.highs.items():
                for at in self.bits.full_shapes[high]:
                    block |= pairs & self._hit(at, spot, offset, side)
        masks = [(at, layer, self._behind(spot, offset, *pairs)) for at, layer, *pairs in self.behind]
        for crest in self.crests:
            met = crest.pairs & shift(crest.bits.block | crest.bits.degrade, offset)
            masks.append((crest.at, crest.bits, self._hills(crest, met, offset) if met else 0))
        for at, layer, mask in masks:
            if mask:
                block |= mask & shift(layer.block, offset)
                degrade |= mask & shift(layer.degrade, offset)
                if layer.shapes is not None and hit:
                    block |= mask & self._hit(at, spot, offset, side)
        return block, degrade

    def _behind(self, spot: Spot, offset: int, at_start: int, at_end: int) -> int:
        """Return the pairs whose lower end is the blind hex behind a hex of the line."""
        found = 0
        first, last = spot[0] == 1, spot[0] == self.n - 1
        if first and at_start:
            found |= at_start & ~(self.bits.slope(self.step, offset) if last else 0)
        if last and at_end:
            found |= at_end & ~(self.bits.slope(0, offset) if first else 0)
        return found

    def _hit(self, at: int, spot: Spot, offset: int, side: int) -> int:
        if side >= 0:
            return shift(self.bits.layers[at].on_side[side], offset)
        (q0, r0), (q1, r1) = SEXTANTS[self.k], SEXTANTS[(self.k + 1) % 6]
        u, v = spot[0] - spot[1], spot[1]
        flat, shapes = self.bits.scene.grid.flat, self.bits.layers[at].shapes
        assert shapes is not None
        place = lattice(flat, u * q0 + v * q1, u * r0 + v * r1)
        return shift(shapes.bits(lattice(flat, *self.displacement), place), offset)

    def _hills(self, crest: _Crest, met: int, offset: int) -> int:
        """Return the pairs, of those whose line meets a hill of the height of the higher end, for which it counts."""
        height = crest.bits.layer.height
        if height not in self.bits.hills:
            return met & crest.own  # where all ground is as high, it is the hill of both ends
        not_start = not_end = 0
        for hill, start, end in zip(*self.bits.hills[height], self.far[height], strict=True):
            there = shift(hill, offset)
            not_start |= there ^ start
            not_end |= there ^ end
        other = not_start & not_end
        return met & ((crest.other & other) | (crest.own & ~other))


def lattice(flat: bool, q: Any, r: Any) -> tuple[Any, Any]:
    """Return an axial displacement in lattice units."""
    if flat:
        return LINE_STEP * q, STEP * r + HALF * q
    return STEP * q + HALF * r, LINE_STEP * r
