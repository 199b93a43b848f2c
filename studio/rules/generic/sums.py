"""The table of all pairs where blind hexes are fixed, one at most, and hexes and hexsides block or hinder.

In the middle of a line only what rises above both ends counts, so that the higher end alone tells what does: it is
or-ed together, or counted, for all origins of a displacement at once, a bit or a number for every height of eyes. What
rises above one end alone counts beside that end only, and is looked at there. Lines along hexsides, and very short
ones, are left to :mod:`studio.rules.generic.table`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid.lines import SEXTANTS
from studio.rules.generic.heights import NOTHING
from studio.rules.generic.scene import Layer, Scene, SideLayer
from studio.sight.fast.pairs import Span, few
from studio.sight.fast.walks import Walk, WalkSums, in_lanes

__all__ = ["SHORT", "Sums", "suits_sums"]

_Bools = NDArray[np.bool_]
_Ints = NDArray[np.int64]
_Words = NDArray[np.unsignedinteger[Any]]

SHORT = 3
"""Lines up to so many hexes have both ends near each other; they are left to others."""

_MOST_EYES = 8


def suits_sums(scene: Scene) -> bool:
    """Tell whether the map and the settings can be put into bits and counts."""
    blinds = {layer.blind for layer in scene.between} | ({scene.blind} if scene.side_layers else set())
    near = all(blind.kind == "fixed" and blind.depth <= 1 for blind in blinds)
    eyes = len(np.unique(scene.level[scene.present]))
    if eyes < 2 and not scene.side_layers:
        return False  # sets of hexes without heights are faster still
    return near and not scene.at_ends and scene.options["touch"] == "free" and eyes * _width(scene) <= 8 * _MOST_EYES


def _width(scene: Scene) -> int:
    """Return the bits that no count of hindrances on a line outgrows."""
    hinder = sum(not layer.blocks for layer in scene.between) + any(not layer.blocks for layer in scene.side_layers)
    # A line runs through no more than four hexes in three rings.
    most = hinder * 2 * (scene.grid.rows + scene.grid.columns)
    return 8 if most < 1 << 8 else 16 if most < 1 << 16 else 64


class Sums:
    """Judges one displacement after the other, longer than `SHORT` and not along hexsides, for all its origins.

    Parameters
    ----------
    scene : Scene
        One that :func:`suits_sums`.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.layout = scene, scene.survey.layout
        self.limit = int(scene.options["hindrance_limit"])
        eyes = scene.eyes(air=scene.conditions.from_air)
        self.heights = np.unique(eyes[scene.present]).tolist()
        self.eyes: _Ints = np.clip(eyes, self.heights[0], self.heights[-1])
        rank = np.searchsorted(self.heights, self.eyes)
        ends = scene.options["end_sides"] == "counts"
        sides = {
            blocks: [self._side_tops(layer) for layer in scene.side_layers if layer.blocks == blocks]
            for blocks in (True, False)
        }
        blocking = [layer for layer in scene.between if layer.blocks]
        hindering = [layer for layer in scene.between if not layer.blocks]
        self.blocks = self._made(blocking, sides[True], 1, work=np.bitwise_or, ends=ends)
        self.high = self.layout.pack((1 << rank).astype(np.uint8), 0)
        self.near_block = self._near_block(blocking, sides[True] if ends else [])
        self.hinders: WalkSums | None = None
        self.near_hinder: list[list[NDArray[np.uint8]]] = []
        if hindering or sides[False]:
            width = _width(scene)
            self.hinders = self._made(hindering, sides[False], width, work=np.add, ends=ends)
            word = in_lanes([rank] * len(self.heights), width).dtype
            self.places = self.layout.pack((rank * width).astype(word), 0)
            self.most = word.type((1 << width) - 1)
            self._near_hinder(hindering, sides[False] if ends else [])

    def _side_tops(self, layer: SideLayer) -> _Ints:
        """Return the top of the side by which lines come into each hex, by direction; int64, shape (6, cells)."""
        grid = self.scene.grid
        tops = np.full((6, grid.cells), NOTHING, dtype=np.int64)
        step = grid.axials[layer.sides[:, 1]] - grid.axials[layer.sides[:, 0]]
        for k, axis in enumerate(SEXTANTS):
            chosen = np.flatnonzero((step == axis).all(axis=1))
            tops[k, layer.sides[chosen, 1]] = layer.top[chosen]
            tops[(k + 3) % 6, layer.sides[chosen, 0]] = layer.top[chosen]
        return tops

    def _made(self, layers: list[Layer], sides: list[_Ints], width: int, *, work: np.ufunc, ends: bool) -> WalkSums:
        """Gather for every height of the higher end what rises above it."""

        def lanes(tops: list[_Ints]) -> _Words:
            none = np.zeros(self.scene.grid.cells, dtype=np.int64)
            found = [sum((work(none, top > eye) for top in tops), none) for eye in self.heights]
            return in_lanes([np.minimum(one, 1) if width == 1 else one for one in found], width)

        hexes = lanes([layer.top for layer in layers])
        of_sides = [lanes([tops[k] for tops in sides]) for k in range(6)] if sides else None
        return WalkSums(self.layout, hexes, of_sides, work=work, ends=ends)

    # -- beside the ends -------------------------------------------------------------------------------------------

    def _beside(self, layers: list[Layer], sides: list[_Ints], k: int) -> list[_Ints]:
        """Return the tops of what lies beside every hex in one direction and hides what is right behind it."""
        pack, offset = self.layout.pack, self.layout.offsets[k]
        tops = [np.roll(pack(layer.top, NOTHING), -offset) for layer in layers if layer.blind.depth]
        if self.scene.blind.depth:
            # A line that goes this way leaves by the side by which one that comes back enters.
            tops += [pack(one[(k + 3) % 6], NOTHING) for one in sides]
        return tops

    def _near_block(self, layers: list[Layer], sides: list[_Ints]) -> list[_Bools]:
        eyes = self.layout.pack(self.eyes, -NOTHING)
        found = []
        for k in range(6):
            blocks = np.zeros(self.layout.size, dtype=bool)
            for top in self._beside(layers, sides, k):
                blocks |= top > eyes
            found.append(blocks)
        return found

    def _near_hinder(self, layers: list[Layer], sides: list[_Ints]) -> None:
        """Note what rises above the eyes in a hex, but not above those of the other end, as bits of the latter."""
        eyes = self.layout.pack(self.eyes, -NOTHING)
        by_direction = []
        for k in range(6):
            one_by_one = []
            for top in self._beside(layers, sides, k):
                bits = np.zeros(self.layout.size, dtype=np.uint8)
                for place, eye in enumerate(self.heights):
                    bits |= ((top > eyes) & (top <= eye)).astype(np.uint8) << np.uint8(place)
                one_by_one.append(bits)
            by_direction.append(one_by_one)
        self.near_hinder = [list(one) for one in zip(*by_direction, strict=True) if any(bits.any() for bits in one)]

    # -- one displacement ------------------------------------------------------------------------------------------

    def judge(self, span: Span, found: _Bools) -> _Bools | None:
        """Leave out the origins whose line is blocked, and return those whose line is hindered.

        Parameters
        ----------
        span : Span
        found : array of bool, shape (size - step,)
            Origins that matter.

        Returns
        -------
        array of bool, shape (size - step,)
            None where nothing hinders.
        """
        if span.times == 1:
            self._walk = Walk(self.layout, span, corners=True)
        if not few(span, found):
            starts, stops = slice(None, -span.step), slice(span.step, None)
            under = self.blocks.under(span, self._walk)
            sums = self.hinders.under(span, self._walk) if self.hinders is not None else None
            blocked, count = self._judge(span.first, starts, stops, under, sums)
            found &= ~blocked
            return None if count is None else found & (count > 0)
        # Few hexes have another one so far away, and nothing longer is made of these lines.
        some = np.flatnonzero(found)
        under = self.blocks.under_some(span, self._walk, some)
        sums = self.hinders.under_some(span, self._walk, some) if self.hinders is not None else None
        blocked, count = self._judge(span.first, some, some + span.step, under, sums)
        found[some[blocked]] = False
        if count is None:
            return None
        hindered = np.zeros_like(found)
        hindered[some] = ~blocked & (count > 0)
        return hindered

    def _judge(
        self, first: int, starts: Any, stops: Any, under: _Words, sums: _Words | None
    ) -> tuple[_Bools, _Words | None]:
        """Tell which lines are blocked, and how often each is hindered.

        Parameters
        ----------
        first : int
            Direction of the first hex on the lines.
        starts, stops : slice or array of int64
            Where in a flat array their ends are.
        under, sums : array of unsigned int, shape (n,)
            What blocks, and what hinders, by the height of the higher end.
        """
        back = (first + 3) % 6
        high = np.maximum(self.high[starts], self.high[stops])
        blocked = (under & high) != 0
        blocked |= self.near_block[first][starts]
        blocked |= self.near_block[back][stops]
        if sums is None:
            return blocked, None
        count: _Words = sums >> np.maximum(self.places[starts], self.places[stops])
        count &= self.most
        for near in self.near_hinder:
            count += (near[first][starts] & high) != 0
            count += (near[back][stops] & high) != 0
        blocked |= count > self.limit
        return blocked, count
