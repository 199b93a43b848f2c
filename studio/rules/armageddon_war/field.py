"""Fields of view in Armageddon War: the verdicts of the judge for all hexes at once, in arrays.

Most targets are settled by ring shadows (:func:`studio.sight.shadow_sweep`), one class of target a height. Three kinds
need the line itself and are walked ring by ring, all of them together: targets on another hill (for which the hexes of
that hill are judged otherwise), targets in the same wadi, and obstacles straight along hexsides seen from above.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.rules.armageddon_war.scene import End, Scene
from studio.sight import ABSENT, BLOCKED, CLEAR, HINDERED, Directions, shadow_sweep

__all__ = ["field", "walk"]

_Bools = NDArray[np.bool_]
_Ints = NDArray[np.int64]
_LOWEST = 200  # added to heights so that they count from 0


def field(scene: Scene, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
    """Return the plane of codes seen from a cell, and how often each hindered cell is hindered.

    Parameters
    ----------
    scene : Scene
    a : int
        Cell of the hex that looks.

    Returns
    -------
    plane : array of uint8, shape (rows, columns)
    hindrances : dict of int to int
    """
    grid, conditions = scene.grid, scene.conditions
    present = grid.present.ravel()
    if conditions.surveillance:
        codes = np.where(present, CLEAR, ABSENT).astype(np.uint8)
        return codes.reshape(grid.rows, grid.columns), {}
    view = Directions(grid, a, scene.survey.layout)
    start = scene.end(a, air=conditions.from_air)
    height = scene.heights(air=conditions.to_air)
    allowed = present & (view.ring > 0)
    if scene.smoke[a]:
        allowed &= view.ring <= 1
    allowed &= ~(scene.smoke & (view.ring > 1))
    if conditions.visibility:
        allowed &= view.ring <= conditions.visibility
    allowed &= _wadi_allows(scene, start)
    seen = allowed & (view.ring <= 1)
    far = allowed & (view.ring > 1)
    if _always_walks(scene) or (start.wadi and not start.air):
        targets = np.flatnonzero(far)
        if len(targets):
            seen[targets[~walk(scene, start, view, targets, height)]] = True
    elif far.any():
        seen |= _sweep(scene, start, view, height, far)
    codes = np.where(present, np.where(seen, CLEAR, BLOCKED), ABSENT).astype(np.uint8)
    codes[a] = CLEAR
    smoky = seen & (view.ring == 1) & (scene.smoke | bool(scene.smoke[a]))
    codes[smoky] = HINDERED
    hindrances = dict.fromkeys(np.flatnonzero(smoky).tolist(), 1)
    return codes.reshape(grid.rows, grid.columns), hindrances


def _wadi_allows(scene: Scene, start: End) -> _Bools:
    """Tell which targets a wadi at either end leaves possible."""
    if start.wadi and not start.air:
        return np.asarray(scene.wadi == start.wadi)
    if scene.conditions.to_air:
        return np.ones(scene.grid.cells, dtype=bool)
    return np.asarray((scene.wadi == 0) | (scene.wadi == start.wadi))


def _always_walks(scene: Scene) -> bool:
    return bool(scene.options["touch_blocks"]) or scene.options["obstacle_below_both"] == "counts"


# What a class of target stands for, beside its height.
_GROUND, _OWN_HILL, _OWN_CONTOUR, _OTHER_HILL = range(4)


def _sweep(scene: Scene, start: End, view: Directions, height: NDArray[np.int16], targets: _Bools) -> _Bools:
    """Return which of the targets are seen: by shadows where the class of a target settles it, else by walking."""
    on_hill = scene.hill > 0
    kind = np.zeros(scene.grid.cells, dtype=np.int64)
    if on_hill.any():
        same = (scene.hill == start.hill) & on_hill
        contour = (scene.contour >= 1) | scene.crest | scene.conditions.to_air
        kind = np.where(on_hill, np.where(same, np.where(contour, _OWN_CONTOUR, _OWN_HILL), _OTHER_HILL), _GROUND)
        if scene.options["contour_in_end_hex"] == "line":
            kind = np.where(on_hill, _OTHER_HILL, _GROUND)  # the contour of the target itself matters
    number, masks = _classes(scene, start, view, (height.astype(np.int64) + _LOWEST) * 4 + kind, targets)
    walked = targets & (kind == _OTHER_HILL)
    if start.wadi:
        same_wadi = (scene.wadi == start.wadi) & targets
        number = np.where(same_wadi, -1, number)
        walked |= same_wadi
    seen = shadow_sweep(view, masks, number)
    along = targets & (2 * view.position == view.ring)
    seen[along] = True
    seen &= ~along | _along_spines(scene, start, view, masks, number)
    if start.wadi:
        seen |= same_wadi
    if not scene.conditions.to_air:
        low = np.flatnonzero(seen & (height < start.height) & scene.obstacle & ~(walked & along))
        if len(low):
            spine = along[low]
            walked[low[spine]] = True
            low = low[~spine]
            seen[low[_behind_obstacle(scene, start, view, low, height)]] = False
    whole = walked & seen & (along | (kind != _OTHER_HILL) | ((scene.wadi == start.wadi) & (start.wadi > 0)))
    for chosen, judge in ((whole, walk), (walked & seen & ~whole, _walk_hills)):
        last = np.flatnonzero(chosen)
        if len(last):
            seen[last] = ~judge(scene, start, view, last, height)
    return seen


def _classes(
    scene: Scene, start: End, view: Directions, kind: _Ints, targets: _Bools
) -> tuple[_Ints, NDArray[np.bool_]]:
    """Give the classes of the targets numbers; return that of every hex (-1 for none), and what blocks each class."""
    kinds = np.flatnonzero(np.bincount(kind[targets]))
    number = np.full(int(kind.max()) + 1, -1, dtype=np.int64)
    number[kinds] = np.arange(len(kinds))
    masks = np.zeros((len(kinds), scene.grid.cells), dtype=bool)
    for row, k in enumerate(kinds.tolist()):
        masks[row] = _mask(scene, start, view, k // 4 - _LOWEST, k % 4)
    return np.where(targets, number[kind], -1), masks


def _along_spines(scene: Scene, start: End, view: Directions, masks: NDArray[np.bool_], number: _Ints) -> _Bools:
    """Tell which hexes straight along hexsides are seen, for the targets that have a class.

    All targets in one such direction share one line: in every even ring it runs through a hex, in every odd one between
    two. What blocks is counted along it once for all.
    """
    seen = np.zeros(scene.grid.cells, dtype=bool)
    cells = scene.survey.layout.cells
    on_spine = (2 * view.position == view.ring) & (view.ring > 0) & (number >= 0)
    for k in range(6):
        targets = np.flatnonzero(on_spine & (view.sextant == k))
        if not len(targets):
            continue
        last = int(view.ring[targets].max())
        rings = np.arange(1, last, dtype=np.int64)
        turn = np.full(len(rings), k)
        first = cells[_flat_index(scene, start, turn, rings, rings // 2)]
        second = cells[_flat_index(scene, start, turn, rings, (rings + 1) // 2)]
        even = rings % 2 == 0
        there = (first >= 0, second >= 0)
        for row in np.unique(number[targets]).tolist():
            mine = targets[number[targets] == row]
            blocks = masks[row][first] & there[0], masks[row][second] & there[1]
            through = np.cumsum(blocks[0] & even)
            borders = np.cumsum(_count_borders(scene, blocks, there) * ~even)
            clear = (through == 0) & (borders < 2)
            seen[mine] = clear[view.ring[mine] - 2]
    return seen


def _count_borders(scene: Scene, blocks: tuple[_Bools, _Bools], there: tuple[_Bools, _Bools]) -> _Ints:
    """Count the blocking borders of the stretches between two hexes each."""
    if scene.options["border_rule"] == "per_hex":
        count = blocks[0].astype(np.int64) + blocks[1]
    else:
        count = (blocks[0] | blocks[1]).astype(np.int64)
    if scene.options["off_map"] == "absent_decides_nothing":
        count = np.where((blocks[0] | blocks[1]) & (there[0] != there[1]), 2, count)
    return count


def _mask(scene: Scene, start: End, view: Directions, target: int, kind: int) -> _Bools:
    """Return the hexes that block the view of one class of targets; for those on other hills without any hill hex."""
    low, high = sorted((start.height, target))
    level, contour = scene.level, scene.contour
    blocks = scene.smoke | (scene.crest & (level.astype(np.int16) + 1 > high))
    if scene.options["wadi_blocks_across"]:
        blocks |= scene.wadi > 0
    obstacle = level >= high
    if start.height < target and start.obstacle:
        obstacle |= (view.ring == 1) & (level >= low)
    blocks |= scene.obstacle & obstacle
    if not scene.hill.any():
        return np.asarray(blocks & scene.grid.present.ravel())
    on_hill = scene.hill > 0
    top = np.maximum(level, contour)
    blocks |= on_hill & (top > high)
    if kind != _OTHER_HILL:
        own = (scene.hill == start.hill) & on_hill
        measure = scene.summit if scene.options["other_hill"] == "summit" else top
        blocks |= on_hill & ~own & (measure >= max(1, low))
        if own.any() and start.height != target:
            exempt = contour < (start.height if start.has_contour else -100)
            if start.has_contour and scene.options["contour_in_end_hex"] == "line":
                exempt |= contour <= start.contour
            if kind == _OWN_CONTOUR:
                exempt |= contour < target
            blocks |= own & (contour >= 1) & ~exempt
    return np.asarray(blocks & scene.grid.present.ravel())


def _behind_obstacle(scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> _Bools:
    """Tell which targets, themselves obstacles, lie right behind an obstacle that is looked down upon (4.141)."""
    hidden = np.zeros(len(targets), dtype=bool)
    for cells in view.crossed(targets, 1):
        level = scene.level[cells]
        over = scene.obstacle[cells] & (level >= height[targets]) & (level < start.height)
        hidden |= over & (cells >= 0)
    return hidden


def _flat_index(scene: Scene, start: End, k: NDArray[Any], ring: Any, i: _Ints) -> _Ints:
    layout = scene.survey.layout
    first, second = scene.steps
    return np.asarray(layout.index[start.cell] + (ring - i) * first[k] + i * second[k])


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
        count = _count_borders(scene, *zip(*beside, strict=True))
        borders += np.bincount(line, weights=count, minlength=len(borders)).astype(np.int64)
        lines.blocked |= borders >= 2
    return lines.blocked


def _walk_hills(scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> _Bools:
    """Walk the lines to targets on other hills where nothing but the hills can still block, as :func:`walk` does."""
    lines = _Lines(scene, start, view, targets, height)
    hills = scene.flat["hill"]
    for line, ring in lines.steps():
        for index, _, inner, _ in lines.meets(line, ring):
            met = np.flatnonzero(inner & (hills[index] > 0))
            if len(met):
                lines.blocked[line[met[lines.hills(index[met], line[met])]]] = True
    return lines.blocked


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
        self.origin = int(scene.survey.layout.index[start.cell])
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

    def steps(self) -> Iterator[tuple[_Ints, _Ints]]:
        """Yield (line, ring) for the lines that are not settled, some rings at a time, nearest first."""
        ring, last = 1, int(self.n.max()) if len(self.n) else 0
        while ring < last:
            active = np.flatnonzero((self.n > ring) & ~self.blocked)
            if not len(active):
                return
            many = max(1, min(self._STEPS // len(active), ring, last - ring))
            line, step = np.nonzero(self.n[active][:, None] > np.arange(ring, ring + many)[None, :])
            yield active[line], step.astype(np.int32) + np.int32(ring)
            ring += many

    def meets(self, line: _Ints, ring: _Ints) -> Iterator[tuple[_Ints, _Bools, _Bools, _Bools]]:
        """Yield, for the two hexes of a ring that a line may meet: flat index, met at all, inside, in a corner only."""
        n, b, reach = self.n[line], self.b[line], self.reach[line]
        place = b * ring
        i = place // n
        before = 3 * (place - n * i)
        index = self.origin + ring * self.along[line] + i * self.aside[line]
        along_side = 2 * b == n
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
