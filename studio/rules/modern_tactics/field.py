"""Fields of view in Modern Tactics: the verdicts of the judge for all locations at once, in arrays.

Targets go in classes: by the heights of both ends. For each, the hexes under a line weigh 0, 1 (degrade) or 3
(block), and the sums along all lines are found at once (:func:`studio.sight.fast.sums.sum_along`). Targets straight
along hexsides, the blind hex before the target, drawn shapes and hills of the ends' height are looked at
afterwards, where the line is still free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.ground import FULL
from studio.rules.modern_tactics.scene import AIR, Scene
from studio.rules.modern_tactics.special import code_of, mend, special_numbers
from studio.rules.modern_tactics.sweep import Sweep
from studio.sight import ABSENT, BLOCKED, CLEAR, HINDERED, Directions

if TYPE_CHECKING:
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["field"]

_Bools = NDArray[np.bool_]
_NEAR = 2  # so few targets lie so near that they are judged one by one


def field(judge: Judge, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
    """Return the codes of all locations as seen from one, and how often each hindered one is degraded.

    Parameters
    ----------
    judge : Judge
    a : int
        Number of the location that looks.

    Returns
    -------
    codes : array of uint8, shape (len(directory),)
    hindrances : dict of int to int
    """
    scene = judge.scene
    numbers = scene.directory.numbers
    counts = np.full(len(scene.directory), FULL, dtype=np.int64)
    lone, _ = special_numbers(scene)
    if scene.conditions.surveillance:
        counts[numbers] = 0
    elif a in lone:
        counts[numbers] = [judge.verdict(a, number) for number in numbers.tolist()]
    else:
        counts[: scene.grid.cells] = _hexes(judge, a)
        hexes = numbers[numbers < scene.grid.cells]
        if scene.drawn.walls:
            codes = np.where(counts[hexes] >= FULL, BLOCKED, CLEAR).astype(np.uint8)
            changed = mend(judge, a, hexes, codes)
            counts[hexes[(changed == BLOCKED) & (codes != BLOCKED)]] = FULL
        for number in lone:
            if number >= scene.grid.cells or scene.present[number]:
                counts[number] = judge.verdict(a, number)
    counts[a] = 0
    table = np.array([code_of(count) for count in range(FULL + 1)], dtype=np.uint8)
    codes = np.full(len(counts), ABSENT, dtype=np.uint8)
    codes[numbers] = table[counts[numbers]]
    hindered = np.flatnonzero(codes == HINDERED)
    return codes, dict(zip(hindered.tolist(), counts[hindered].tolist(), strict=True))


def _hexes(judge: Judge, a: int) -> NDArray[np.int64]:
    """Return how often the line to the centre of every hex is degraded, ``FULL`` if blocked; without high walls."""
    scene = judge.scene
    view = Directions(scene.grid, a, scene.survey.layout)
    heights = _heights(scene, a)
    targets = _allowed(scene, a, view, *heights) & (view.ring > _NEAR)
    counts = np.full(scene.grid.cells, FULL, dtype=np.int64)
    counts[targets] = Sweep(judge, a, view, *heights).counts(np.flatnonzero(targets))
    for cell in np.flatnonzero((view.ring <= _NEAR) & scene.present).tolist():
        counts[cell] = judge.verdict(a, cell)
    return counts


def _heights(scene: Scene, a: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the heights of the start and the end for the line to every hex; see `Line.heights`."""
    conditions = scene.conditions
    start = np.full(scene.grid.cells, AIR if conditions.from_air else int(scene.level[a]), dtype=np.int64)
    end = np.full(scene.grid.cells, AIR, dtype=np.int64) if conditions.to_air else scene.level.astype(np.int64)
    if scene.has_gullies:
        mine, theirs = _gullies(scene, a)
        if mine and scene.gully_edge[a]:
            start[theirs != mine] = 0
        end[(theirs != 0) & (theirs != mine) & scene.gully_edge] = 0
    return start, end


def _gullies(scene: Scene, a: int) -> tuple[int, NDArray[np.int32]]:
    """Return the gully of the start, and of the end in every hex; 0 without, and for helicopters."""
    conditions = scene.conditions
    mine = 0 if conditions.from_air else int(scene.gully[a])
    return mine, np.zeros_like(scene.gully) if conditions.to_air else scene.gully


def _allowed(scene: Scene, a: int, view: Directions, start: NDArray[np.int64], end: NDArray[np.int64]) -> _Bools:
    """Tell which lines nothing that concerns them as a whole blocks: visibility, gullies, plateaus, one structure."""
    conditions, options = scene.conditions, scene.options
    allowed = scene.present & (view.ring > 0)
    if conditions.visibility:
        allowed &= view.ring <= conditions.visibility
    if scene.has_gullies:
        mine, theirs = _gullies(scene, a)
        inside = (theirs != 0) & (theirs != mine) & ~scene.gully_edge
        if conditions.from_air:
            allowed &= ~inside | bool(options["air_into_gully"])
        else:
            around = {int(scene.gully[cell]) for cell in scene.grid.neighbours(a)}
            allowed &= ~inside | np.isin(theirs, sorted(around))
        if mine and not scene.gully_edge[a]:
            seen = np.full(scene.grid.cells, bool(options["air_into_gully"]))
            if not conditions.to_air:
                seen[:] = False
                seen[list(scene.rim(mine))] = True
            allowed &= seen | (theirs == mine)
    plateau = (scene.level == scene.ground) & (scene.ground >= 1) & ~scene.crest
    if plateau[a] and not conditions.from_air:
        allowed &= end >= start
    if not conditions.to_air:
        allowed &= ~plateau | (start >= end)
    if not conditions.from_air and not conditions.to_air:
        for area in scene.standing.get(a, ()):
            mates = [cell for cell in scene.survey.area_cells(area.id) if scene.structure[cell]]
            allowed[mates] &= view.ring[mates] < 2
    return allowed
