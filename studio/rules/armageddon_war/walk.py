"""Lines from one hex to many others, walked ring by ring, all of them together: what shadows do not settle."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from studio.rules.armageddon_war.scene import End, Scene
from studio.sight import Directions

__all__ = ["count_borders", "walk", "walk_hills"]

_Bools = NDArray[np.bool_]
_Ints = NDArray[np.int64]


def count_borders(scene: Scene, blocks: tuple[_Bools, _Bools], there: tuple[_Bools, _Bools]) -> _Ints:
    """Count the blocking borders of the stretches between two hexes each.

    Parameters
    ----------
    scene : Scene
    blocks, there : pairs of arrays of bool, shape (n,)
        Of the two hexes of each stretch: whether it blocks, and whether it is on the map.

    Returns
    -------
    array of int64, shape (n,)
    """
    if scene.options["border_rule"] == "per_hex":
        count = blocks[0].astype(np.int64) + blocks[1]
    else:
        count = (blocks[0] | blocks[1]).astype(np.int64)
    if scene.options["off_map"] == "absent_decides_nothing":
        count = np.where((blocks[0] | blocks[1]) & (there[0] != there[1]), 2, count)
    return count


def walk(scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> _Bools:
    """Walk the lines to some targets, all together, some rings at a time.

    Parameters
    ----------
    scene : Scene
    start : End
    view : Directions
        From the hex of `start`.
    targets : array of int64, shape (n,)
        Cells, none of them the start.
    height : array of int16, shape (cells,)
        Level that the unit in each target hex sees from.

    Returns
    -------
    array of bool, shape (n,)
        True where the line is blocked by what it meets.
    """
    lines = _Lines(scene, start, view, targets, height)
    borders = np.zeros(len(targets), dtype=np.int64)
    for line, ring in lines.steps():
        beside: list[tuple[_Bools, _Bools]] = []
        for index, met, inner, corner in lines.meets(line, ring):
            blocks = lines.blocks(index, line, ring) & met
            lines.blocked[line[blocks & inner]] = True
            on_border = met & ~inner & ~corner
            beside.append((blocks & on_border, scene.flat["present"][index] & on_border))
            if scene.options["touch_blocks"]:
                borders += np.bincount(line[blocks & corner], minlength=len(borders))
        count = count_borders(scene, *zip(*beside, strict=True))
        borders += np.bincount(line, weights=count, minlength=len(borders)).astype(np.int64)
        lines.blocked |= borders >= 2
    return lines.blocked


def walk_hills(scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> _Bools:
    """Walk the lines to targets on other hills where nothing but the hills can still block.

    Parameters and result are those of :func:`walk`.
    """
    lines = _Lines(scene, start, view, targets, height)
    matters = _hills_that_matter(scene, start)
    for active, ring in lines.stretches():
        chosen = active[:, None]
        n, reach = lines.n[chosen], lines.reach[chosen]
        index, before = lines.places(chosen, np.minimum(ring[None, :], n - 1))
        for at, met in ((index, before < reach), (index + lines.aside[chosen], before > 3 * n - reach)):
            line, step = np.nonzero(matters[at] & met)
            place, line = at[line, step], active[line]
            lines.blocked[line[lines.hills(place, line)]] = True
    return lines.blocked


def _hills_that_matter(scene: Scene, start: End) -> _Bools:
    """Leave out the hexes of hills that block no line from a hex, wherever it ends; bool over the flat layout."""
    flat = scene.flat
    if not start.hill:
        return np.asarray(flat["hill"] > 0)
    contour = flat["contour"]
    held = (contour < start.height) & start.has_contour
    if scene.options["contour_in_end_hex"] == "line" and start.has_contour:
        held |= contour <= start.contour
    return np.asarray((flat["hill"] > 0) & ((flat["hill"] != start.hill) | ((contour >= 1) & ~held)))


class _Lines:
    """Lines from one hex to many targets, walked together.

    Attributes
    ----------
    blocked : array of bool, shape (n,)
        Set by the walk; a blocked line is walked no further.
    """

    _STEPS = 60_000  # hexes looked at in one go

    def __init__(self, scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> None:
        self.scene, self.start, self.options = scene, start, scene.options
        air = scene.conditions.to_air
        first, second = scene.steps
        k = view.sextant[targets]
        # 32 bits hold every product below, and divide twice as fast.
        self.along, self.aside = first[k].astype(np.int32), (second - first)[k].astype(np.int32)
        self.origin = np.int32(scene.survey.layout.index[start.cell])
        self.n, self.b = view.ring[targets], view.position[targets]
        self.reach = self.n + np.maximum(self.n - self.b, self.b)
        self.level = height[targets]
        self.low, self.high = np.minimum(self.level, start.height), np.maximum(self.level, start.height)
        self.hill, self.contour = scene.hill[targets], scene.contour[targets]
        self.has_contour = (self.contour >= 1) | scene.crest[targets] | air
        self.obstacle = scene.obstacle[targets] & (not air)
        both_air = start.air and air
        self.inside = np.where((scene.wadi[targets] == start.wadi) & (not both_air), start.wadi, 0)
        self.blocked = np.zeros(len(targets), dtype=bool)

    def stretches(self) -> Iterator[tuple[_Ints, _Ints]]:
        """Yield the lines that are not settled and some rings to look at, nearest first."""
        ring, last = 1, int(self.n.max()) if len(self.n) else 0
        while ring < last:
            active = np.flatnonzero((self.n > ring) & ~self.blocked)
            if not len(active):
                return
            many = max(1, min(self._STEPS // len(active), ring, last - ring))
            yield active, np.arange(ring, ring + many, dtype=np.int32)
            ring += many

    def steps(self) -> Iterator[tuple[_Ints, _Ints]]:
        """Yield (line, ring) for the lines that are not settled, some rings at a time, nearest first."""
        for active, rings in self.stretches():
            line, step = np.nonzero(self.n[active][:, None] > rings[None, :])
            yield active[line], rings[step]

    def places(self, line: _Ints, ring: _Ints) -> tuple[_Ints, _Ints]:
        """Return the first of the two hexes of a ring that a line may meet, and by how much the line misses it.

        The other hex lies `aside` of it, and is missed by what is left of three times the length.
        """
        n, place = self.n[line], self.b[line] * ring
        # Whole numbers so small are divided without error: a quotient below the next whole number stays below it.
        i = (place / n).astype(np.int32)
        return self.origin + ring * self.along[line] + i * self.aside[line], 3 * (place - n * i)

    def meets(self, line: _Ints, ring: _Ints) -> Iterator[tuple[_Ints, _Bools, _Bools, _Bools]]:
        """Yield, for the two hexes of a ring that a line may meet: flat index, met at all, inside, in a corner only."""
        n, reach = self.n[line], self.reach[line]
        index, before = self.places(line, ring)
        along_side = 2 * self.b[line] == n
        for miss, at in ((before, index), (3 * n - before, index + self.aside[line])):
            met = miss <= reach
            inner = miss < reach
            yield np.where(met, at, 0), met, inner, met & ~inner & ~along_side

    def blocks(self, index: _Ints, line: _Ints, ring: _Ints) -> _Bools:
        """Tell which hexes block the line that meets them."""
        flat = self.scene.flat
        wadi, inside = flat["wadi"][index], self.inside[line]
        blocks = flat["crest"][index] & (flat["level"][index].astype(np.int16) + 1 > self.high[line])
        blocks |= self._obstacles(index, line, ring) | self.hills(index, line)
        if self.options["wadi_blocks_across"]:
            blocks |= wadi > 0
        blocks = np.where(inside > 0, wadi != inside, blocks)
        return np.asarray((blocks | flat["smoke"][index]) & flat["present"][index])

    def _obstacles(self, index: _Ints, line: _Ints, ring: _Ints) -> _Bools:
        flat, start = self.scene.flat, self.start
        level, low = flat["level"][index], self.low[line]
        hidden = (ring == self.n[line] - 1) & (self.level[line] == low) & self.obstacle[line]
        if start.obstacle:
            hidden |= (ring == 1) & (start.height == low)
        if self.options["obstacle_below_both"] == "ignored":
            hidden &= level >= low
        return np.asarray(flat["obstacle"][index] & ((level >= self.high[line]) | hidden))

    def hills(self, index: _Ints, line: _Ints) -> _Bools:
        """Tell which hexes block the line that meets them by their hill."""
        flat, start = self.scene.flat, self.start
        hill, contour = flat["hill"][index], flat["contour"][index]
        level, low, high = self.level[line], self.low[line], self.high[line]
        top = np.maximum(flat["level"][index], contour)
        own_start, own_end = hill == start.hill, hill == self.hill[line]
        other = ~own_start & ~own_end & (flat["height"][index] >= np.maximum(1, low))
        exempt = own_start & start.has_contour & (contour < start.height)
        exempt |= own_end & self.has_contour[line] & (contour < level)
        if self.options["contour_in_end_hex"] == "line":
            exempt |= own_start & start.has_contour & (contour <= start.contour)
            exempt |= own_end & self.has_contour[line] & (contour <= self.contour[line])
        own = (own_start | own_end) & (contour >= 1) & (low != high) & ~exempt
        return np.asarray((hill > 0) & ((top > high) | other | own))
