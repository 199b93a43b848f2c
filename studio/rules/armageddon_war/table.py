"""The table of all pairs in Armageddon War: displacement by displacement, every origin of the map at once, in bits.

The rules are those of :mod:`studio.rules.armageddon_war.sight`; the tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from studio.grid import line_template
from studio.rules.armageddon_war.field import field
from studio.rules.armageddon_war.scene import Scene
from studio.sight import BLOCKED, CLEAR, HINDERED
from studio.sight.bits import BitPlane, shift

__all__ = ["suits", "table"]

_Codes = NDArray[np.uint8]


def suits(scene: Scene) -> bool:
    """Tell whether the readings in force are those that bits can express; fields of view serve for the others."""
    conditions, options = scene.conditions, scene.options
    air = conditions.from_air or conditions.to_air
    plain = options["obstacle_below_both"] == "ignored" and options["contour_in_end_hex"] == "hex"
    return not air and not conditions.surveillance and plain


def table(scene: Scene, cells: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> _Codes:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    scene : Scene
        One that :func:`suits`.
    cells : array of int64, shape (n,)
        All hexes of the map.
    progress : callable, optional
        Called with the displacements done and all of them.

    Returns
    -------
    array of uint8, shape (n, n)
    """
    codes = np.full((len(cells), len(cells)), BLOCKED, dtype=np.uint8)
    rank = np.full(scene.survey.layout.size, -1, dtype=np.int64)
    rank[scene.survey.layout.index[cells]] = np.arange(len(cells))
    judge = _Bits(scene)
    steps = list(_displacements(scene))
    for number, (dq, dr) in enumerate(steps):
        clear, hindered = judge.displacement(dq, dr)
        for bits, code in ((clear, CLEAR), (hindered, HINDERED)):
            if bits:
                index = judge.plane.indices(bits)
                a, b = rank[index], rank[index + scene.survey.layout.offset(dq, dr)]
                codes[a, b] = codes[b, a] = code
        if progress is not None and (number % 64 == 0 or number + 1 == len(steps)):
            progress(number + 1, len(steps))
    np.fill_diagonal(codes, CLEAR)
    in_wadi = np.flatnonzero(scene.wadi[cells] > 0)
    for row in in_wadi.tolist():
        plane, _ = field(scene, int(cells[row]))
        codes[row, :] = codes[:, row] = plane.ravel()[cells]
    return codes


def _displacements(scene: Scene) -> Iterator[tuple[int, int]]:
    """Yield one of every two opposite displacements that the map and the visibility allow."""
    axials = scene.grid.axials[scene.grid.present.ravel()]
    (q0, r0), (q1, r1) = axials.min(axis=0).tolist(), axials.max(axis=0).tolist()
    limit = scene.conditions.visibility or q1 - q0 + r1 - r0
    for dq in range(q1 - q0 + 1):
        for dr in range(r0 - r1 if dq else 1, r1 - r0 + 1):
            if (abs(dq) + abs(dr) + abs(dq + dr)) // 2 <= limit:
                yield dq, dr


class _Bits:
    """The map as bits, and the verdict of one displacement for all its origins."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.plane = BitPlane(scene.grid, scene.survey.layout)
        pack, level = self.plane.pack, scene.level.astype(np.int16)
        height = scene.heights(air=False)
        present = scene.grid.present.ravel()
        self.heights = sorted(np.unique(height[present]).tolist())
        self.at = {v: pack((height == v) & present) for v in self.heights}
        self.up_to = {v: pack((height <= v) & present) for v in self.heights}
        self.smoke, self.obstacle = pack(scene.smoke & present), pack(scene.obstacle & present)
        self.ground = pack(present & (scene.wadi == 0))
        self.obstacle_from = {v: pack(scene.obstacle & present & (level >= v)) for v in self.heights}
        top = np.maximum(level, scene.contour)
        on_hill = (scene.hill > 0) & present
        across = scene.wadi > 0 if scene.options["wadi_blocks_across"] else np.zeros_like(present)
        self.base = {}
        for v in self.heights:
            mask = scene.smoke | across | (scene.crest & (level + 1 > v)) | (scene.obstacle & (level >= v))
            self.base[v] = pack((mask | (on_hill & (top > v))) & present)
        self.hill = pack(on_hill)
        _, ids = np.unique(scene.hill, return_inverse=True)
        planes = max(1, int(ids.max()).bit_length())
        self.ids = [pack(((ids >> p) & 1 == 1) & present) for p in range(planes)] if self.hill else []
        measure = scene.summit if scene.options["other_hill"] == "summit" else top
        self.hill_from = {v: pack(on_hill & (measure >= max(1, v))) for v in self.heights}
        self.contour = pack(on_hill & (scene.contour >= 1))
        carries = (scene.contour >= 1) | scene.crest
        self.carrier = {v: pack(present & carries & (height == v)) for v in self.heights}
        self.contour_below = {v: pack(on_hill & (scene.contour >= 1) & (scene.contour < v)) for v in self.heights}
        self.per_hex = scene.options["border_rule"] == "per_hex"
        self.edge_decides = scene.options["off_map"] == "absent_decides_nothing"

    def displacement(self, dq: int, dr: int) -> tuple[int, int]:
        """Return the origins from which the displaced hex is seen clearly, and hindered; none of them in a wadi."""
        step = self.scene.survey.layout.offset(dq, dr)
        ends = self.plane.origins(dq, dr) & self.ground & shift(self.ground, step)
        smoky = (self.smoke | shift(self.smoke, step)) & ends
        if (abs(dq) + abs(dr) + abs(dq + dr)) // 2 <= 1:
            return ends & ~smoky, smoky
        ends &= ~smoky
        if not ends:
            return 0, 0
        return ends & ~_Pair(self, ends, step).blocked(dq, dr), 0


class _Pair:
    """All pairs of one displacement: which of their two ends is higher, and what blocks between them."""

    def __init__(self, bits: _Bits, ends: int, step: int) -> None:
        self.bits, self.ends, self.step = bits, ends, step
        self.high: dict[int, int] = {}
        self.low: dict[int, int] = {}
        self.start_low = self.end_low = 0
        for v in bits.heights:
            here, there = bits.at[v], shift(bits.at[v], step)
            below_here, below_there = bits.up_to[v], shift(bits.up_to[v], step)
            self.high[v] = ((here & below_there) | (below_here & there)) & ends
            self.low[v] = ((here & ~(below_there & ~there)) | (there & ~(below_here & ~here))) & ends
            self.start_low |= here & ~below_there
            self.end_low |= there & ~below_here
        self.start_low &= ends
        self.end_low &= ends
        self.ids = [shift(plane, step) for plane in bits.ids]

    def blocked(self, dq: int, dr: int) -> int:
        """Return the origins whose line is blocked."""
        offset = self.bits.scene.survey.layout.offset
        blocked = once = twice = 0
        for how, hexes, _, _ in line_template(dq, dr):
            steps = [offset(*one) for one in hexes]
            if how == "through":
                blocked |= self._blocks(steps[0], hexes[0], (dq, dr))
                if not self.ends & ~blocked:
                    return blocked
                continue
            if how == "touch" and not self.bits.scene.options["touch_blocks"]:
                continue
            found = [self._blocks(one, at, (dq, dr)) for one, at in zip(steps, hexes, strict=True)]
            if len(found) == 2 and not self.bits.per_hex:
                found = [found[0] | found[1]]
            if how == "along" and self.bits.edge_decides:
                missing = [self.ends & ~shift(self.bits.plane.present, one) for one in steps]
                twice |= (missing[0] | missing[1]) & _any(found)
            for one in found:
                twice |= once & one
                once |= one
        return blocked | twice

    def _blocks(self, step: int, at: tuple[int, int], whole: tuple[int, int]) -> int:
        """Return the origins for which the hex so far from them blocks."""
        bits = self.bits
        found = 0
        for v in bits.heights:
            found |= self.high[v] & shift(bits.base[v], step)
        obstacle = shift(bits.obstacle, step) & self.ends
        if obstacle:
            if _length(*at) == 1:
                found |= self._hidden(step, bits.obstacle & self.start_low & obstacle, 0)
            if _length(whole[0] - at[0], whole[1] - at[1]) == 1:
                found |= self._hidden(step, shift(bits.obstacle, self.step) & self.end_low & obstacle, self.step)
        hill = shift(bits.hill, step) & self.ends & ~found
        return found | self._hills(step, hill) if hill else found

    def _hidden(self, step: int, pairs: int, end: int) -> int:
        """Return the pairs whose lower end, itself an obstacle, lies right behind an obstacle no lower than it."""
        found = 0
        if pairs:
            for v in self.bits.heights:
                found |= pairs & shift(self.bits.at[v], end) & shift(self.bits.obstacle_from[v], step)
        return found

    def _hills(self, step: int, hill: int) -> int:
        bits = self.bits
        not_start = not_end = 0
        for here, there in zip(bits.ids, self.ids, strict=True):
            met = shift(here, step)
            not_start |= met ^ here
            not_end |= met ^ there
        other = hill & not_start & not_end
        found = 0
        if other:
            for v in bits.heights:
                found |= other & self.low[v] & shift(bits.hill_from[v], step)
        own = hill & ~other & shift(bits.contour, step) & (self.start_low | self.end_low)
        if own:
            exempt = 0
            for v in bits.heights:
                carrier = bits.carrier[v]
                held = (carrier & ~not_start) | (shift(carrier, self.step) & ~not_end)
                exempt |= held & shift(bits.contour_below[v], step)
            found |= own & ~exempt
        return found


def _length(q: int, r: int) -> int:
    return (abs(q) + abs(r) + abs(q + r)) // 2


def _any(found: list[int]) -> int:
    return found[0] if len(found) == 1 else found[0] | found[1]
