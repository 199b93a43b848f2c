"""Fields of view in Armageddon War: the verdicts of the judge for all hexes at once, in arrays.

Most targets are settled by ring shadows (:func:`studio.sight.shadow_sweep`), one class of target a height. Three kinds
need the line itself and are walked ring by ring, all of them together: targets on another hill (for which the hexes of
that hill are judged otherwise), targets in the same wadi, and obstacles straight along hexsides seen from above.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.rules.armageddon_war.scene import HILL_COLOURS, End, Scene
from studio.rules.armageddon_war.walk import count_borders, walk, walk_hills
from studio.sight import ABSENT, BLOCKED, CLEAR, HINDERED, Directions, shadow_sweep

__all__ = ["field"]

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


# What a class of target stands for, beside its height. Targets on other hills come in several colours, each from here
# on: a hill of another colour is another hill, so that its hexes block.
_GROUND, _OWN_HILL, _OWN_CONTOUR, _OTHER_HILL = range(4)
_KINDS = _OTHER_HILL + HILL_COLOURS


def _sweep(scene: Scene, start: End, view: Directions, height: NDArray[np.int16], targets: _Bools) -> _Bools:
    """Return which of the targets are seen: by shadows where the class of a target settles it, else by walking."""
    on_hill = scene.hill > 0
    kind = np.zeros(scene.grid.cells, dtype=np.int16)
    if on_hill.any():
        same = (scene.hill == start.hill) & on_hill
        contour = (scene.contour >= 1) | scene.crest | scene.conditions.to_air
        kind = np.where(on_hill, _OTHER_HILL + scene.hill_colour, _GROUND)
        if scene.options["contour_in_end_hex"] == "hex":  # else the contour of the target itself matters
            kind[same] = np.where(contour[same], _OWN_CONTOUR, _OWN_HILL)
    number, masks = _classes(scene, start, view, (height + np.int16(_LOWEST)) * np.int16(_KINDS) + kind, targets)
    other_hill = kind >= _OTHER_HILL
    walked = targets & other_hill
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
    whole = walked & seen & (along | ~other_hill | ((scene.wadi == start.wadi) & (start.wadi > 0)))
    for chosen, judge in ((whole, walk), (walked & seen & ~whole, walk_hills)):
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
    hills = bool(scene.hill.any())
    own = (scene.hill == start.hill) & scene.grid.present.ravel() if start.hill else None
    ground: dict[int, _Bools] = {}
    for row, k in enumerate(kinds.tolist()):
        target = k // _KINDS - _LOWEST
        if target not in ground:
            ground[target] = _mask(scene, start, view, target)
        masks[row] = ground[target]
        if hills:
            masks[row] |= _hill_mask(scene, start, target, k % _KINDS, own)
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
            borders = np.cumsum(count_borders(scene, blocks, there) * ~even)
            clear = (through == 0) & (borders < 2)
            seen[mine] = clear[view.ring[mine] - 2]
    return seen


def _mask(scene: Scene, start: End, view: Directions, target: int) -> _Bools:
    """Return the hexes that block the view of all targets at a level."""
    low, high = sorted((start.height, target))
    level = scene.level
    blocks = scene.smoke | (scene.crest & (level.astype(np.int16) + 1 > high))
    if scene.options["wadi_blocks_across"]:
        blocks |= scene.wadi > 0
    obstacle = level >= high
    if start.height < target and start.obstacle:
        obstacle |= (view.ring == 1) & (level >= low)
    blocks |= scene.obstacle & obstacle
    blocks |= (scene.hill > 0) & (np.maximum(level, scene.contour) > high)
    return np.asarray(blocks & scene.grid.present.ravel())


def _hill_mask(scene: Scene, start: End, target: int, kind: int, own: _Bools | None) -> _Bools:
    """Return the hexes whose hill blocks the view of one class of targets; of those on other hills, not all of them.

    `own` are the hexes of the hill that the start is on, None where it is on none.
    """
    blocks = scene.hill_measure >= max(1, min(start.height, target))
    if kind >= _OTHER_HILL:
        blocks &= scene.hill_colour != kind - _OTHER_HILL
    if own is None:
        return np.asarray(blocks)
    blocks &= ~own
    known = kind < _OTHER_HILL or scene.options["contour_in_end_hex"] == "hex"  # else the target may be on this hill
    if known and start.height != target:
        contour = scene.contour
        exempt = contour < (start.height if start.has_contour else -100)
        if start.has_contour and scene.options["contour_in_end_hex"] == "line":
            exempt |= contour <= start.contour
        if kind == _OWN_CONTOUR:
            exempt |= contour < target
        blocks |= own & (contour >= 1) & ~exempt
    return np.asarray(blocks)


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
