"""The table of all pairs in Modern Tactics: displacement by displacement, every origin of the map at once, in bits.

Every verdict is reciprocal, so one of two opposite displacements is judged and the other mirrored. The rules are
those of :mod:`studio.rules.modern_tactics.sight`; the tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.bitmap import BitMap
from studio.rules.modern_tactics.pairs import Pairs
from studio.rules.modern_tactics.scene import Scene
from studio.rules.modern_tactics.special import code_of, mend, special_numbers
from studio.rules.modern_tactics.sums import Sums, suits_sums
from studio.sight import BLOCKED, CLEAR
from studio.sight.fast.pairs import Pairs as Displacements
from studio.sight.fast.pairs import SeenPairs

if TYPE_CHECKING:
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["suits", "table"]

_Codes = NDArray[np.uint8]


def suits(scene: Scene) -> bool:
    """Tell whether all pairs can be judged at once; fields of view serve where helicopters fly or every hex is seen."""
    return not (scene.conditions.from_air or scene.conditions.to_air or scene.conditions.surveillance)


def table(judge: Judge, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> _Codes:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    judge : Judge
        Of a scene that :func:`suits`.
    numbers : array of int64, shape (n,)
        All locations of the map.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    array of uint8, shape (n, n)
    """
    scene = judge.scene
    hexes = numbers[numbers < scene.grid.cells]
    codes = np.full((len(numbers), len(numbers)), BLOCKED, dtype=np.uint8)
    codes[: len(hexes), : len(hexes)] = _hexes(scene, progress).codes(hexes).to_array()
    _one_structure(scene, hexes, codes)
    np.fill_diagonal(codes, CLEAR)
    _special(judge, numbers, codes)
    return codes


def _hexes(scene: Scene, progress: Callable[[int, int], None] | None) -> SeenPairs:
    """Judge all pairs of hexes."""
    layout = scene.survey.layout
    displacements, seen = Displacements(scene.grid, layout, scene.conditions.visibility), SeenPairs(layout)
    bits, sums = BitMap(scene), Sums(scene) if suits_sums(scene) else None
    there = displacements.keys(scene.present)
    total = displacements.count if progress is not None else 0
    for at, span in enumerate(displacements.spans(), start=1):
        if sums is not None and span.first >= 0:
            found = displacements.origins(span, there)
            blocked, degraded = sums.judge(span, found)
        if sums is not None and span.first >= 0 and span.length > 2:
            found &= ~blocked
            seen.add(span.step, found)
            seen.hinder(span.step, found & degraded)
        else:
            ends = bits.plane.origins(span.dq, span.dr)
            block, degrade = Pairs(bits, ends, span.dq, span.dr).verdicts()
            seen.add_bits(span.step, ends & ~block)
            seen.hinder_bits(span.step, ends & ~block & degrade)
        if progress is not None and (at % 64 == 0 or at == total):
            progress(at, total)
    return seen


def _one_structure(scene: Scene, hexes: NDArray[np.int64], codes: _Codes) -> None:
    """Block the pairs inside one structure that are not adjacent (14.8)."""
    rank = {cell: at for at, cell in enumerate(hexes.tolist())}
    groups: dict[str, list[int]] = {}
    for cell, areas in scene.standing.items():
        for area in areas:
            groups.setdefault(area.id, []).append(cell)
    for cells in groups.values():
        for a in cells:
            for b in cells:
                if a in rank and b in rank and scene.grid.distance(a, b) > 1:
                    codes[rank[a], rank[b]] = BLOCKED


def _special(judge: Judge, numbers: NDArray[np.int64], codes: _Codes) -> None:
    """Judge what bits cannot express: gullies by fields of view, moved dots, roads and high walls line by line."""
    scene = judge.scene
    lone, gully = special_numbers(scene)
    for row, number in enumerate(numbers.tolist()):
        if number in gully and number not in lone:
            codes[row, :] = codes[:, row] = judge.field(number)[0].ravel()[numbers]
    at_hand = np.array([number in lone for number in numbers.tolist()], dtype=bool)
    for row in np.flatnonzero(at_hand).tolist():
        for column, number in enumerate(numbers.tolist()):
            if column < row and at_hand[column]:
                continue
            codes[row, column] = codes[column, row] = code_of(judge.verdict(int(numbers[row]), number))
    if scene.drawn.walls:
        for row, number in enumerate(numbers.tolist()):
            if number not in lone:
                right = slice(row + 1, None)
                mended = mend(judge, number, numbers[right][~at_hand[right]], codes[row, right][~at_hand[right]])
                columns = np.flatnonzero(~at_hand[right]) + row + 1
                codes[row, columns] = codes[columns, row] = mended
