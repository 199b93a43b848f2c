"""Fields of view in Armageddon War: the verdicts of the judge for all hexes at once, in arrays.

Most targets are settled by ring shadows (:func:`studio.sight.shadow_sweep`), one class of target a height. Three kinds
need the line itself and are walked ring by ring, all of them together: targets straight along hexsides, targets on a
hill (for which the hexes of that hill are judged otherwise), and everything seen from a wadi.
"""

from __future__ import annotations

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
    view = Directions(grid, a)
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
    by_walk = far & _needs_walk(scene, start, view)
    by_sweep = far if not _always_walks(scene) and not (start.wadi and not start.air) else np.zeros_like(far)
    if by_sweep.any():
        kept = _sweep(scene, start, view, height, by_sweep)
        by_walk &= kept | (2 * view.position == view.ring)
        seen |= kept & ~by_walk
    targets = np.flatnonzero(by_walk)
    if len(targets):
        seen[targets[~walk(scene, start, view, targets, height)]] = True
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


def _needs_walk(scene: Scene, start: End, view: Directions) -> _Bools:
    if _always_walks(scene) or (start.wadi and not start.air):
        return np.ones(scene.grid.cells, dtype=bool)
    along_sides = 2 * view.position == view.ring
    same_wadi = (scene.wadi == start.wadi) & (start.wadi > 0)
    return np.asarray(along_sides | (scene.hill > 0) | same_wadi)


def _sweep(scene: Scene, start: End, view: Directions, height: NDArray[np.int16], targets: _Bools) -> _Bools:
    """Return the targets that no hex hides by itself; for targets on hills, leaving the hills out of account."""
    on_hill = scene.hill > 0
    same_wadi = (scene.wadi == start.wadi) & (start.wadi > 0)
    # A class of target is a height, on a hill or not.
    kind = (height.astype(np.int64) + _LOWEST) * 2 + on_hill
    aimed = targets & ~same_wadi
    kinds = np.flatnonzero(np.bincount(kind[aimed]))
    number = np.full(int(kind.max()) + 1, -1, dtype=np.int64)
    number[kinds] = np.arange(len(kinds))
    target_class = np.where(aimed, number[kind], -1)
    blocks = np.zeros((max(1, len(kinds)), scene.grid.cells), dtype=bool)
    for row, k in enumerate(kinds.tolist()):
        blocks[row] = _mask(scene, start, view, k // 2 - _LOWEST, hills=k % 2 == 0)
    kept = shadow_sweep(view, blocks, target_class)
    kept |= same_wadi & targets
    low = np.flatnonzero(kept & (height < start.height) & scene.obstacle & ~same_wadi)
    if len(low) and not scene.conditions.to_air:
        kept[low[_behind_obstacle(scene, start, view, low, height)]] = False
    return kept


def _mask(scene: Scene, start: End, view: Directions, target: int, *, hills: bool) -> _Bools:
    """Return the hexes that block the view of targets at one height, whatever else the targets are."""
    low, high = sorted((start.height, target))
    level, contour = scene.level, scene.contour
    blocks = scene.smoke | (scene.crest & (level.astype(np.int16) + 1 > high))
    if scene.options["wadi_blocks_across"]:
        blocks |= scene.wadi > 0
    obstacle = level >= high
    if start.height < target and start.obstacle:
        obstacle |= (view.ring == 1) & (level >= low)
    blocks |= scene.obstacle & obstacle
    on_hill = scene.hill > 0
    if not on_hill.any():
        return blocks & scene.grid.present.ravel()
    top = np.maximum(level, contour)
    blocks |= on_hill & (top > high)
    if hills:
        own = (scene.hill == start.hill) & on_hill
        measure = scene.summit if scene.options["other_hill"] == "summit" else top
        blocks |= on_hill & ~own & (measure >= max(1, low))
        if own.any() and start.height != target:
            exempt = contour < start.height if start.has_contour else np.zeros_like(own)
            if start.has_contour and scene.options["contour_in_end_hex"] == "line":
                exempt |= contour <= start.contour
            blocks |= own & (contour >= 1) & ~exempt
    return np.asarray(blocks & scene.grid.present.ravel())


def _behind_obstacle(scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> _Bools:
    """Tell which targets, themselves obstacles, lie right behind an obstacle that is looked down upon (4.141)."""
    flat, layout = scene.flat, scene.survey.layout
    k = view.sextant[targets]
    n, b = view.ring[targets].astype(np.int64), view.position[targets].astype(np.int64)
    hidden = np.zeros(len(targets), dtype=bool)
    for i in (b - 1, b):
        met = np.abs(3 * (n * i - b * (n - 1))) < n + np.maximum(n - b, b)
        met &= (i >= 0) & (i <= n - 1)
        index = _flat_index(scene, start, k, n - 1, i)
        index = np.where(met, index, layout.index[start.cell])
        level = flat["level"][index]
        hidden |= met & flat["obstacle"][index] & (level >= height[targets]) & (level < start.height)
    return hidden


def _flat_index(scene: Scene, start: End, k: NDArray[Any], ring: Any, i: _Ints) -> _Ints:
    layout = scene.survey.layout
    first, second = scene.steps
    return np.asarray(layout.index[start.cell] + (ring - i) * first[k] + i * second[k])


def walk(scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> _Bools:
    """Walk the lines to some targets, all together, ring by ring.

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
    blocked = np.zeros(len(targets), dtype=bool)
    borders = np.zeros(len(targets), dtype=np.int64)
    for ring in range(1, int(view.ring[targets].max()) if len(targets) else 0):
        lines.keep((lines.n > ring) & ~blocked[lines.number])
        if not len(lines.number):
            break
        through, count = lines.meet(ring)
        blocked[lines.number] |= through
        borders[lines.number] += count
        blocked |= borders >= 2
    return blocked


class _Lines:
    """Lines from one hex to many targets, walked together; arrays over the lines that are not settled yet."""

    _FIELDS = ("number", "k", "n", "b", "low", "high", "level", "hill", "contour", "has_contour", "obstacle", "inside")

    def __init__(self, scene: Scene, start: End, view: Directions, targets: _Ints, height: NDArray[np.int16]) -> None:
        self.scene, self.start, self.options = scene, start, scene.options
        air = scene.conditions.to_air
        self.number: _Ints = np.arange(len(targets))
        self.k = view.sextant[targets]
        self.n, self.b = view.ring[targets].astype(np.int64), view.position[targets].astype(np.int64)
        self.level = height[targets]
        self.low, self.high = np.minimum(self.level, start.height), np.maximum(self.level, start.height)
        self.hill, self.contour = scene.hill[targets], scene.contour[targets]
        self.has_contour = (self.contour >= 1) | scene.crest[targets] | air
        self.obstacle = scene.obstacle[targets] & (not air)
        both_air = start.air and air
        self.inside = np.where((scene.wadi[targets] == start.wadi) & (not both_air), start.wadi, 0)

    def keep(self, wanted: _Bools) -> None:
        if not wanted.all():
            for name in self._FIELDS:
                setattr(self, name, getattr(self, name)[wanted])

    def meet(self, ring: int) -> tuple[_Bools, _Ints]:
        """Return which lines are blocked outright in a ring, and how many blocking borders each meets there."""
        n, b = self.n, self.b
        base = (b * ring) // n
        reach = n + np.maximum(n - b, b)
        blocked = np.zeros(len(n), dtype=bool)
        beside: list[tuple[_Bools, _Bools]] = []
        count = np.zeros(len(n), dtype=np.int64)
        for i in (base, base + 1):
            miss = np.abs(3 * (n * i - b * ring))
            index = _flat_index(self.scene, self.start, self.k, ring, i)
            index = np.where(miss <= reach, index, 0)
            blocks = self._blocks(index, ring) & (miss <= reach)
            blocked |= blocks & (miss < reach)
            on_border = (miss == reach) & (2 * b == n)
            beside.append((blocks & on_border, self.scene.flat["present"][index] & on_border))
            if self.options["touch_blocks"]:
                count += blocks & (miss == reach) & (2 * b != n)
        return blocked, count + self._borders(beside)

    def _borders(self, beside: list[tuple[_Bools, _Bools]]) -> _Ints:
        (first, there1), (second, there2) = beside
        if self.options["border_rule"] == "per_hex":
            count = first.astype(np.int64) + second
        else:
            count = (first | second).astype(np.int64)
        if self.options["off_map"] == "absent_decides_nothing":
            count = np.where((first | second) & (there1 != there2), 2, count)
        return count

    def _blocks(self, index: _Ints, ring: int) -> _Bools:
        flat = self.scene.flat
        wadi = flat["wadi"][index]
        blocks = flat["crest"][index] & (flat["level"][index].astype(np.int16) + 1 > self.high)
        blocks |= self._obstacles(index, ring) | self._hills(index)
        if self.options["wadi_blocks_across"]:
            blocks |= wadi > 0
        blocks = np.where(self.inside > 0, (wadi != self.inside), blocks)
        return np.asarray((blocks | flat["smoke"][index]) & flat["present"][index])

    def _obstacles(self, index: _Ints, ring: int) -> _Bools:
        flat, start = self.scene.flat, self.start
        level = flat["level"][index]
        behind_end = (ring == self.n - 1) & (self.level == self.low) & self.obstacle
        behind_start = (ring == 1) & (start.height == self.low) & start.obstacle
        hidden = behind_end | behind_start
        if self.options["obstacle_below_both"] == "ignored":
            hidden &= level >= self.low
        return np.asarray(flat["obstacle"][index] & ((level >= self.high) | hidden))

    def _hills(self, index: _Ints) -> _Bools:
        flat, start = self.scene.flat, self.start
        hill, contour = flat["hill"][index], flat["contour"][index]
        top = np.maximum(flat["level"][index], contour)
        own_start, own_end = hill == start.hill, hill == self.hill
        other = ~own_start & ~own_end & (flat["height"][index] >= np.maximum(1, self.low))
        exempt = own_start & start.has_contour & (contour < start.height)
        exempt |= own_end & self.has_contour & (contour < self.level)
        if self.options["contour_in_end_hex"] == "line":
            exempt |= own_start & start.has_contour & (contour <= start.contour)
            exempt |= own_end & self.has_contour & (contour <= self.contour)
        own = (own_start | own_end) & (contour >= 1) & (self.low != self.high) & ~exempt
        return np.asarray((hill > 0) & ((top > self.high) | other | own))
