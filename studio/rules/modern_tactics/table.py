"""The table of all pairs in Modern Tactics: displacement by displacement, every origin of the map at once, in bits.

Every verdict is reciprocal, so one of two opposite displacements is judged and the other mirrored. The rules are
those of :mod:`studio.rules.modern_tactics.sight`; the tests hold the two equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.modern_tactics.bitmap import BitMap
from studio.rules.modern_tactics.pairs import Pairs
from studio.rules.modern_tactics.scene import Scene
from studio.rules.modern_tactics.special import code_of, mend, special_numbers
from studio.sight import BLOCKED, CLEAR
from studio.sight.fast.diagonals import DiagonalTable

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
    bits = BitMap(scene)
    made = DiagonalTable(scene.survey.layout)
    steps = list(_displacements(scene))
    for at, (dq, dr) in enumerate(steps):
        ends = bits.plane.origins(dq, dr)
        if ends:
            blocked, degraded = Pairs(bits, ends, dq, dr).verdicts()
            made.set(scene.survey.layout.offset(dq, dr), ends, blocked, degraded)
        if progress is not None and (at % 64 == 0 or at + 1 == len(steps)):
            progress(at + 1, len(steps))
    hexes = numbers[numbers < scene.grid.cells]
    codes = np.full((len(numbers), len(numbers)), BLOCKED, dtype=np.uint8)
    codes[: len(hexes), : len(hexes)] = made.codes(hexes)
    if scene.conditions.visibility:
        far = codes == 0
        codes[far] = BLOCKED
    _one_structure(scene, hexes, codes)
    np.fill_diagonal(codes, CLEAR)
    _special(judge, numbers, codes)
    return codes


def _displacements(scene: Scene) -> Iterator[tuple[int, int]]:
    """Yield one of every two opposite displacements that the map and the visibility allow."""
    axials = scene.grid.axials[scene.present]
    # From line to line of hexes, so that the flat step is more than 0.
    lines, places = (axials[:, 0], axials[:, 1]) if scene.grid.flat else (axials[:, 1], axials[:, 0])
    width, length = int(np.ptp(lines)), int(np.ptp(places))
    limit = scene.conditions.visibility or width + length
    for across in range(width + 1):
        for along in range(-length if across else 1, length + 1):
            if (abs(across) + abs(along) + abs(across + along)) // 2 <= limit:
                yield (across, along) if scene.grid.flat else (along, across)


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
