"""Fields of view in Urban Operations: the verdicts of the judge for all locations at once, in arrays of whole numbers.

Arrays settle what is plain: segments that cross a facade or a wall, and obstacle hexes on the way. What only touches a
corner of a building, runs along a wall, or leaves a building in an unusual way is *doubtful*: the judge is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.rules.urban_operations.manylines import ManyLines
from studio.rules.urban_operations.plan import Plan
from studio.rules.urban_operations.scene import HEX, ROOM
from studio.sight import BLOCKED, CLEAR, PackedCodes

if TYPE_CHECKING:
    from studio.rules.urban_operations.sight import Judge

__all__ = ["field", "seen_from", "table"]

_Ints = NDArray[np.int64]
_Bools = NDArray[np.bool_]


def field(judge: Judge, a: int) -> NDArray[np.uint8]:
    """Return the codes of all numbers seen from a location.

    Parameters
    ----------
    judge : Judge
    a : int

    Returns
    -------
    array of uint8, shape (len(directory),)
    """
    numbers = judge.scene.directory.numbers
    codes = np.zeros(len(judge.scene.directory), dtype=np.uint8)
    codes[numbers] = np.where(seen_from(judge, a, numbers), CLEAR, BLOCKED)
    return codes


def table(judge: Judge, numbers: _Ints, progress: Callable[[int, int], None] | None = None) -> PackedCodes:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    judge : Judge
    numbers : array of int64, shape (n,)
    progress : callable, optional
        Called with the locations done and all of them.

    Returns
    -------
    PackedCodes
        Of n rows: two bits a pair, so that the table of 10 000 hexes takes 25 MB.
    """
    codes = PackedCodes(len(numbers))
    # Only snipers in inner zones see what does not see them (13.5.2).
    reciprocal = judge.options["inner_zones"] != "snipers"
    for row, number in enumerate(numbers.tolist()):
        first = row + 1 if reciprocal else 0
        found = np.full(len(numbers), CLEAR, dtype=np.uint8)
        found[first:] = np.where(seen_from(judge, number, numbers[first:]), CLEAR, BLOCKED)
        if reciprocal:
            found[:first] = codes.row(row)[:first]
            found[row] = CLEAR
            below = np.arange(first, len(numbers))
            for code in (CLEAR, BLOCKED):
                rows = below[found[first:] == code]
                codes.set(rows, np.full_like(rows, row), code)
        codes.set_row(row, found)
        if progress is not None:
            progress(row + 1, len(numbers))
    return codes


def seen_from(judge: Judge, a: int, numbers: _Ints) -> _Bools:
    """Tell which locations are seen from one.

    Parameters
    ----------
    judge : Judge
    a : int
    numbers : array of int64, shape (n,)

    Returns
    -------
    array of bool, shape (n,)
    """
    scene, plan = judge.scene, judge.plan
    asked, plain = _sort_out(judge, plan, a, numbers)
    seen = np.asarray(numbers == a)
    chosen = np.flatnonzero(plain)
    if len(chosen):
        view = ManyLines(judge, plan, a, numbers[chosen])
        view.look()
        seen[chosen[~view.blocked]] = True
        doubtful = chosen[view.doubt & ~view.blocked]
        seen[doubtful] = False
        asked[doubtful] = True
    if scene.options["inner_zones"] != "none":
        asked |= ~seen & _may_see_through(judge, plan, a, numbers)
    for at in np.flatnonzero(asked).tolist():
        seen[at] = judge.visible(a, int(numbers[at]))
    return seen


def _sort_out(judge: Judge, plan: Plan, a: int, numbers: _Ints) -> tuple[_Bools, _Bools]:
    """Tell which targets the judge is asked about, and which are left to the arrays; the others are not seen."""
    scene = judge.scene
    linked = np.isin(numbers, list(scene.links.get(a, ())))
    if scene.under[a]:
        return np.asarray((scene.under[numbers] | linked) & (numbers != a)), np.zeros(len(numbers), dtype=bool)
    same = (scene.building[numbers] == scene.building[a]) & (scene.building[a] >= 0)
    alike = (plan.dots[numbers] == plan.dots[a]).all(axis=1) & ~scene.under[numbers]
    asked = linked | same | alike | plan.odd[numbers] | plan.odd[a]
    asked &= ~scene.under[numbers] | linked
    plain = ~scene.under[numbers] & ~asked
    rooms = scene.kind[numbers] == ROOM
    row, seen = plan.arcs
    if scene.kind[a] == ROOM:
        plain &= seen[row[a], numbers]
    plain &= ~rooms | seen[row[numbers], a]
    if scene.options["arc"] == "facade":
        inside = plain & (rooms | (scene.kind[a] == ROOM))
        asked, plain = asked | inside, plain & ~inside
    asked &= numbers != a
    plain &= numbers != a
    return np.asarray(asked), np.asarray(plain)


def _may_see_through(judge: Judge, plan: Plan, a: int, numbers: _Ints) -> _Bools:
    """Tell which lines between an inner zone and a hex the advanced rule 13.5.2 may open."""
    kind = judge.scene.kind
    if kind[a] == ROOM:
        return np.isin(numbers, list(plan.on_inner_ray(a)))
    found = np.zeros(len(numbers), dtype=bool)
    if kind[a] == HEX and judge.options["inner_zones"] == "all":
        rooms = np.flatnonzero(kind[numbers] == ROOM)
        found[rooms] = [a in plan.on_inner_ray(int(number)) for number in numbers[rooms]]
    return found
