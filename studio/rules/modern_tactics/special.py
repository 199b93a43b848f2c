"""Locations and lines of Modern Tactics that the fast paths leave to the judge of one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.facts import high_wall
from studio.rules.modern_tactics.line import Line
from studio.rules.modern_tactics.scene import BLOCK, Scene
from studio.sight import BLOCKED, CLEAR, HINDERED
from studio.sight.trace import ALONG, CROSS, TOUCH, segments_meet_line

if TYPE_CHECKING:
    from studio.rules.modern_tactics.drawn import HighWall
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["code_of", "mend", "special_numbers"]


def code_of(count: int) -> int:
    """Return the code of a line that is degraded so often; more than two is blocked."""
    return (CLEAR, HINDERED, HINDERED, BLOCKED)[count]


def special_numbers(scene: Scene) -> tuple[set[int], set[int]]:
    """Return the locations whose lines do not start in the centre of a hex, and the hexes of gullies."""
    moved = {cell for cell, dot in scene.directory.moved_dots.items() if dot != scene.grid.centre(cell)}
    lone = moved | set(range(scene.grid.cells, len(scene.directory)))
    gully = set(np.flatnonzero(scene.gully).tolist()) if scene.has_gullies else set()
    return lone, gully


def mend(judge: Judge, a: int, numbers: NDArray[np.int64], codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the codes of lines from one hex to others, with those blocked that a high wall blocks.

    Parameters
    ----------
    judge : Judge
    a : int
    numbers : array of int64, shape (n,)
        Hexes with their dots in the middle.
    codes : array of uint8, shape (n,)
        What the lines have but for the walls.

    Returns
    -------
    array of uint8, shape (n,)
    """
    codes = codes.copy()
    scene = judge.scene
    seen = np.flatnonzero((codes != BLOCKED) & (codes != 0) & (numbers != a))
    goal = numbers[seen]
    ends = scene.grid.centres[goal]
    starts = np.broadcast_to(scene.grid.centres[a], ends.shape)
    high = np.maximum(np.maximum(scene.level[goal], scene.level[a]), 0 if scene.has_gullies else -9)
    low = np.minimum(scene.level[goal], scene.level[a])
    shut = np.zeros(len(seen), dtype=bool)
    asked: dict[int, list[HighWall]] = {}
    counted = CROSS | ALONG | (TOUCH if scene.options["graze_hits"] else 0)
    for wall in scene.drawn.walls:
        how = segments_meet_line(starts, ends, wall.line)
        # From hexes without a piece of it, a wall that is as high as both ends is seen across nowhere.
        held = scene.drawn.wall_cells(wall)
        plain = ~held[goal] & (not held[a]) & (high <= int(scene.ground[held].min(initial=9)))
        plain &= not (scene.conditions.from_air or scene.conditions.to_air or scene.options["graze_hits"])
        shut |= plain & ((how & (CROSS | ALONG)) != 0)
        # One that is lower everywhere is seen over, but by ends beside it: there may be a blind hex.
        beside = held.copy()
        near = scene.grid.neighbour_table[held].ravel()
        beside[near[near >= 0]] = True
        over = ~beside[goal] & (not beside[a]) & (low >= 0) & (scene.options["walls_from_above"] == "tangible")
        over &= (high > int(scene.ground[held].max(initial=-9))) & (not scene.drawn.leaves_map(wall))
        for at in np.flatnonzero(~plain & ~over & ((how & counted) != 0)).tolist():
            asked.setdefault(at, []).append(wall)
    codes[seen[shut]] = BLOCKED
    for at, walls in asked.items():
        if not shut[at] and _is_shut(judge, a, int(goal[at]), walls):
            codes[seen[at]] = BLOCKED
    return codes


def _is_shut(judge: Judge, a: int, b: int, walls: list[HighWall]) -> bool:
    """Tell whether one of some high walls blocks the line between two dots."""
    scene, conditions = judge.scene, judge.conditions
    line = Line(scene, scene.end(a, air=conditions.from_air), scene.end(b, air=conditions.to_air))
    met = ((wall, contact) for wall in walls for contact in line.wall_contacts(wall))
    return any(fact.weight == BLOCK for wall, contact in met for fact in high_wall(line, wall, contact))
