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
from studio.sight import BLOCKED, CLEAR, PackedCodes
from studio.sight.fast.pairs import Pairs as Displacements
from studio.sight.fast.pairs import SeenPairs

if TYPE_CHECKING:
    from studio.rules.modern_tactics.sight import Judge

__all__ = ["suits", "table"]

_Codes = NDArray[np.uint8]


def suits(scene: Scene) -> bool:
    """Tell whether all pairs can be judged at once; fields of view serve where helicopters fly or every hex is seen."""
    return not (scene.conditions.from_air or scene.conditions.to_air or scene.conditions.surveillance)


def table(judge: Judge, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> PackedCodes:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    judge : Judge
        Of a scene that :func:`suits`.
    numbers : array of int64, shape (n,)
        All locations of the map.
    progress : callable, optional
        Called with how much is done, and of how much.
    """
    scene = judge.scene
    hexes = numbers[numbers < scene.grid.cells]
    codes = _widened(_hexes(scene, progress).codes(hexes), len(numbers))
    _one_structure(scene, hexes, codes)
    _special(judge, numbers, codes)
    return codes


def _widened(codes: PackedCodes, size: int) -> PackedCodes:
    """Return a larger table that begins with one, everything else in it blocked but for the diagonal."""
    if codes.size == size:
        return codes
    wide = PackedCodes(size)
    for first in range(0, size, 256):
        rows = np.full((min(256, size - first), size), BLOCKED, dtype=np.uint8)
        known = codes.rows(slice(first, first + 256))
        rows[: len(known), : codes.size] = known
        wide.set_rows(slice(first, first + 256), rows)
    wide.set(np.arange(size), np.arange(size), CLEAR)
    return wide


def _set_both(codes: PackedCodes, row: int, columns: NDArray[np.int64], values: _Codes) -> None:
    """Write verdicts of one location, and the same the other way round."""
    for code in np.unique(values).tolist():
        chosen = columns[values == code]
        codes.set(np.full(len(chosen), row), chosen, code)
        codes.set(chosen, np.full(len(chosen), row), code)


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


def _one_structure(scene: Scene, hexes: NDArray[np.int64], codes: PackedCodes) -> None:
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
                    codes.set(rank[a], rank[b], BLOCKED)


def _special(judge: Judge, numbers: NDArray[np.int64], codes: PackedCodes) -> None:
    """Judge what bits cannot express: gullies by fields of view, moved dots, roads and high walls line by line."""
    scene = judge.scene
    lone, gully = special_numbers(scene)
    everywhere = np.arange(len(numbers))
    for row, number in enumerate(numbers.tolist()):
        if number in gully and number not in lone:
            _set_both(codes, row, everywhere, judge.field(number)[0].ravel()[numbers])
    at_hand = np.array([number in lone for number in numbers.tolist()], dtype=bool)
    for row in np.flatnonzero(at_hand).tolist():
        columns = everywhere[~at_hand | (everywhere >= row)]
        here = int(numbers[row])
        verdicts = [code_of(judge.verdict(here, int(number))) for number in numbers[columns]]
        _set_both(codes, row, columns, np.array(verdicts, dtype=np.uint8))
    if scene.drawn.walls:
        for row, number in enumerate(numbers.tolist()):
            if number not in lone:
                columns = everywhere[(everywhere > row) & ~at_hand]
                mended = mend(judge, number, numbers[columns], codes.row(row)[columns])
                _set_both(codes, row, columns, mended)
