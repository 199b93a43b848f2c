"""Sight where all eyes are at one height, and hexes only block: what is higher hides all behind it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.rules.generic.borders import BLOCKED_FROM, border_points
from studio.rules.generic.scene import Scene
from studio.sight import BLOCKED, CLEAR
from studio.sight.fast.bits import BitPlane, shift
from studio.sight.fast.pairs import Span
from studio.sight.fast.sectors import open_hexes, rings_on_map

__all__ = ["LevelLines", "level_field"]

_Bools = NDArray[np.bool_]


def level_field(scene: Scene, a: int) -> NDArray[np.uint8]:
    """Return the plane of codes seen from a cell.

    Parameters
    ----------
    scene : Scene
        One that has `screens`.
    a : int
        Cell of the hex that looks.

    Returns
    -------
    array of uint8, shape (rows, columns)
    """
    screens, layout = scene.screens, scene.survey.layout
    assert screens is not None
    seen = open_hexes(layout, a, screens, scene.range)
    for k in range(6):
        _along_hexsides(scene, screens, a, k, seen)
    seen[layout.index[a]] = True
    codes = np.uint8(BLOCKED) - np.uint8(BLOCKED - CLEAR) * seen[layout.index]
    codes *= scene.present
    codes[a] = CLEAR
    return codes.reshape(scene.grid.rows, scene.grid.columns)


def _along_hexsides(scene: Scene, screens: _Bools, a: int, k: int, seen: _Bools) -> None:
    """Judge the lines straight along hexsides in one direction, each of which is the start of the next."""
    layout, options = scene.survey.layout, scene.options
    rings = rings_on_map(layout, a, k, scene.range)
    turn = np.arange((len(rings.low) + 1) // 2)
    # On the even rings the line runs through the hex in the middle, on the odd ones between two.
    there = (rings.low[::2] <= turn) & (turn < rings.high[::2])
    last = int(np.flatnonzero(there)[-1])
    if not last:
        return
    middle = rings.base[: 2 * last + 1 : 2] + turn[: last + 1] * rings.side
    beside = rings.base[1 : 2 * last : 2] + turn[:last] * rings.side
    pair = beside, beside + rings.side
    points = border_points(options, (screens[pair[0]], screens[pair[1]]), tuple(layout.cells[one] >= 0 for one in pair))
    points[1:] += BLOCKED_FROM * screens[middle[1:-1]]
    seen[middle[1:]] = np.cumsum(points) < BLOCKED_FROM


class LevelLines:
    """Lines between all pairs of hexes, a displacement at a time, in bits; those along hexsides are left to others.

    Parameters
    ----------
    plane : BitPlane
    screens, usable : int
        Hexes that hide all behind them, and hexes that may be an end.
    """

    def __init__(self, plane: BitPlane, screens: int, usable: int) -> None:
        self._plane, self._screens, self._usable = plane, screens, usable
        # Steps may be negative, and shifts may not.
        self._room = plane.layout.size
        self._shifted = screens << self._room
        self._shortest = self._under = 0

    def seen(self, span: Span) -> int:
        """Return the origins from which the displaced hex is seen; spans come in the order of their makers."""
        self._lie_under(span)
        usable, step = self._usable, span.step
        return self._plane.origins(span.dq, span.dr) & usable & shift(usable, step) & ~self._under

    def _lie_under(self, span: Span) -> None:
        """Note the origins whose line runs through a screen; a multiple of a displacement goes on from the last one."""
        if span.times == 1:
            room, shifted, under = self._room, self._shifted, 0
            for step in span.through:
                under |= shifted >> room + step
            self._shortest = self._under = under
        else:
            begin = span.step - span.step // span.times
            self._under |= (self._screens >> begin) | (self._shortest >> begin)
