"""The table of all pairs in Modern Tactics where lines do not run along hexsides: bits and counts for all origins.

Every hex has bits for what blocks a line through it, each with two masks of ends, `some` and `both`: it blocks where it
is in `some` of one end and in `both` of the other. What degrades is counted, once a hex and once a side, for the height
of the higher end. Other displacements, and drawn hills, are left to :mod:`studio.rules.modern_tactics.pairs`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid.lines import SEXTANTS
from studio.rules.modern_tactics.layers import Layer, layers_of, reach
from studio.rules.modern_tactics.pieces import PieceBits
from studio.rules.modern_tactics.scene import Scene
from studio.sight.fast.pairs import Records, Span, few
from studio.sight.fast.walks import Walk, WalkSums, in_lanes

__all__ = ["Sums", "suits_sums"]

_Bools = NDArray[np.bool_]
_Words = NDArray[np.unsignedinteger[Any]]

_MOST_HEIGHTS = 8
_MOST_BITS = 512
_ENOUGH = 3  # what degrades so often blocks
_LANE = 8
_LONGEST = 160  # longest line, in hexes, on which no count of hexes grows beyond one lane


def suits_sums(scene: Scene) -> bool:
    """Tell whether the map and the readings can be put into bits and counts."""
    layers = layers_of(scene)
    drawn_hills = any(layer.kind == "hill" and layer.degrade.any() for layer in layers)
    heights = len(np.unique(scene.level[scene.present]))
    small = scene.grid.rows + scene.grid.columns <= _LONGEST and heights <= _MOST_HEIGHTS
    return small and not drawn_hills and not scene.options["touch_counts"] and _bits(scene, layers) <= _MOST_BITS


def _bits(scene: Scene, layers: list[Layer]) -> int:
    return sum(2 * len(np.unique(scene.hills[layer.height])) for layer in layers if layer.height in scene.hills)


class Sums:
    """Judges one displacement after the other, of two hexes or more and not along hexsides, for all its origins.

    Parameters
    ----------
    scene : Scene
        One that :func:`suits_sums`.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene, self.layout, self.options = scene, scene.survey.layout, scene.options
        self.layers = layers_of(scene)
        self.heights = np.unique(scene.level[scene.present]).tolist()
        self.rank: NDArray[np.uint8] = np.searchsorted(self.heights, np.clip(scene.level, *self._ends())).astype(
            np.uint8
        )
        self._planes: tuple[list[_Bools], list[_Bools], list[_Bools]] = ([], [], [])
        full = [self._full(high) for high in self.heights]
        for place, (block, _) in enumerate(full):
            self._add(block, self.rank == place, self.rank <= place)
        for layer in self.layers:
            if layer.kind == "hill" and layer.height in scene.hills and layer.height in self.heights:
                self._hills(layer)
        met, some, both = self._planes
        self.records = Records(self.layout, met)
        self.some, self.both = self.records.words(some), self.records.words(both)
        self._count([degrade for _, degrade in full])
        self._near_ends([degrade for _, degrade in full])
        pack = self.layout.pack
        self.places = pack(self.rank, 0)
        # Of one kind with what is shifted, which saves a conversion each time.
        self.lanes = pack((self.rank * np.uint8(_LANE)).astype(self.lane_type), 0)
        self.high = pack(np.uint8(1) << self.rank, 0)
        plateau = (scene.level == scene.ground) & (scene.ground >= 1) & ~scene.crest & scene.present
        self.plateau = pack(plateau, False) if plateau.any() else None
        self.pieces = PieceBits(scene, self.layers, self.heights) if any(one.shapes for one in self.layers) else None

    def _ends(self) -> tuple[int, int]:
        return self.heights[0], self.heights[-1]

    def _add(self, met: _Bools, some: _Bools, both: _Bools) -> None:
        for planes, plane in zip(self._planes, (met, some, both), strict=True):
            planes.append(plane & self.scene.present)

    def _full(self, high: int) -> tuple[_Bools, _Bools]:
        """Return the hexes that block, and degrade, lines with one height of the higher end anywhere."""
        block, degrade = np.zeros((2, self.scene.grid.cells), dtype=bool)
        for layer in self.layers:
            if reach(layer, high, high, self.options).full:
                block, degrade = block | layer.block, degrade | layer.degrade
        return block, degrade & ~block

    def _hills(self, layer: Layer) -> None:
        """Add the hills of a height, for lines whose higher end is as high (12.4, 14.5)."""
        scene, height = self.scene, layer.height
        number = scene.hills[height]
        mine = np.where(scene.ground >= height, number, 0)
        at, below = scene.level == height, scene.level < height
        up_to = below | at if height >= 1 else below
        size = np.bincount(number)
        # A hill of one hex never holds both an end and what lies under the line: all of them go together.
        groups = [(layer.block & (size[number] == 1) & (number > 0), np.zeros_like(at))]
        for one in np.unique(number[layer.block]).tolist():
            if one == 0 or size[one] > 1:
                groups.append((layer.block & (number == one), (mine == one) & (scene.ground >= height)))
        for met, own in groups:
            if not met.any():
                continue
            if self.options["other_hill"] == "blocks":
                self._add(met, at & ~own, up_to & ~own)
            if self.options["crest"] == "line" and own.any():
                self._add(met, at & own, below)
                self._add(met, at, below & own)

    # -- what degrades ---------------------------------------------------------------------------------------------

    def _count(self, degrade: list[_Bools]) -> None:
        """Make the counts of hexes by the higher end, and of sides by the height that both ends share."""
        scene, sides = self.scene, []
        for high in self.heights if scene.sides else ():
            planes = np.zeros((6, scene.grid.cells), dtype=bool)
            for (a, b), level in scene.sides.items():
                if level >= high:
                    (qa, ra), (qb, rb) = scene.grid.axial(a), scene.grid.axial(b)
                    k = SEXTANTS.index((qb - qa, rb - ra))
                    planes[k, b] = planes[(k + 3) % 6, a] = True
            sides.append(planes)
        none = np.zeros_like(scene.present)
        together = len(sides) and len(self.heights) * 2 * _LANE <= 64
        hexes = in_lanes([*degrade, *([none] * len(sides) if together else [])], _LANE)
        of_sides = [
            in_lanes([*([none] * len(sides) if together else []), *(planes[k] for planes in sides)], _LANE)
            for k in range(6 if sides else 0)
        ]
        self.side_lane = len(sides) * _LANE if together else 0
        if together or not sides:
            self.sums, self.side_sums = WalkSums(self.layout, hexes, of_sides or None), None
        else:
            self.sums = WalkSums(self.layout, hexes)
            self.side_sums = WalkSums(self.layout, np.zeros_like(of_sides[0]), of_sides)
        self.all_sums = [sums for sums in (self.sums, self.side_sums) if sums is not None]
        self.has_sides = bool(sides)
        self.lane_type = hexes.dtype

    def _near_ends(self, degrade: list[_Bools]) -> None:
        """Note what counts in the hex beside an end for this end only, by direction and height of the other (12.4)."""
        scene, layout = self.scene, self.layout
        self.near_block = [np.zeros(layout.size, dtype=np.uint8) for _ in range(6)]
        self.near_degrade = [np.zeros(layout.size, dtype=np.uint8) for _ in range(6)]
        packed = {id(plane): layout.pack(plane, False) for plane in degrade}
        level = layout.pack(scene.level.astype(np.int16), -99)
        for layer in self.layers:
            block, thin = (
                layout.pack(layer.block & scene.present, False),
                layout.pack(layer.degrade & scene.present, False),
            )
            for low_place, low in enumerate(self.heights):
                for place in range(low_place + 1, len(self.heights)):
                    if not reach(layer, low, self.heights[place], self.options).behind:
                        continue
                    bit, here = np.uint8(1 << place), level == low
                    already = packed[id(degrade[place])]
                    for k, offset in enumerate(layout.offsets):
                        self.near_block[k] |= bit * (here & np.roll(block, -offset))
                        self.near_degrade[k] |= bit * (here & np.roll(thin & ~already, -offset))
        self.any_near = any(plane.any() for plane in (*self.near_block, *self.near_degrade))

    # -- one displacement ------------------------------------------------------------------------------------------

    def judge(self, span: Span, ends: _Bools) -> tuple[_Bools, _Bools]:
        """Return the origins whose line is blocked, and those whose line is degraded or blocked.

        Parameters
        ----------
        span : Span
        ends : array of bool, shape (size - step,)
            Origins that matter.

        Returns
        -------
        tuple of two arrays of bool, shape (size - step,)
        """
        walk = self._walk(span)
        if few(span, ends):
            return self._alone(span, walk, ends)
        starts, stops = slice(None, -span.step), slice(span.step, None)
        high = np.maximum(self.high[starts], self.high[stops])
        blocked = self._blocked(span, self.records.under(span), high, starts, stops)
        if self.pieces is not None:
            blocked |= (self.pieces.under(span, walk) & high) != 0
        count = self._degrades([sums.under(span, walk) for sums in self.all_sums], starts, stops)
        self._add_near(span, count, high, starts, stops)
        blocked |= count >= _ENOUGH
        return blocked, count > 0

    def _alone(self, span: Span, walk: Walk, ends: _Bools) -> tuple[_Bools, _Bools]:
        """Look at the few lines of a long displacement one by one, as nothing longer is made of them."""
        starts, degraded = np.flatnonzero(ends), np.zeros(len(ends), dtype=bool)
        high = np.maximum(self.high[starts], self.high[starts + span.step])
        open_ = ~self._blocked(span, self.records.under_some(span, starts), high, starts, starts + span.step)
        starts, high = starts[open_], high[open_]
        seen = np.zeros(len(ends), dtype=bool)
        if len(starts):
            stops = starts + span.step
            words = [sums.under_some(span, walk, starts) for sums in self.all_sums]
            count = self._degrades(words, starts, stops)
            self._add_near(span, count, high, starts, stops)
            open_ = count < _ENOUGH
            starts, high, count = starts[open_], high[open_], count[open_]
            if self.pieces is not None and len(starts):
                open_ = ~self.pieces.hit(span, walk, starts, high)
                starts, count = starts[open_], count[open_]
            seen[starts], degraded[starts] = True, count > 0
        return ~seen, degraded

    def _add_near(self, span: Span, count: NDArray[np.uint8], high: NDArray[np.uint8], starts: Any, stops: Any) -> None:
        if self.any_near:
            count += (self.near_degrade[span.first][starts] & high) != 0
            count += (self.near_degrade[(span.first + 3) % 6][stops] & high) != 0

    def _walk(self, span: Span) -> Walk:
        if span.times == 1:
            self._last_walk = Walk(self.layout, span, corners=False)
        return self._last_walk

    def _blocked(self, span: Span, records: list[_Words], high: NDArray[np.uint8], starts: Any, stops: Any) -> _Bools:
        """Tell which lines are blocked by what lies under them in whole hexes, or beside their ends.

        `starts` and `stops` say where in a flat array the ends are.
        """
        near = self.near_block[span.first][starts] | self.near_block[(span.first + 3) % 6][stops]
        found: _Bools = (near & high) != 0
        for record, some, both in zip(records, self.some, self.both, strict=True):
            mask = some[starts] & both[stops]
            mask |= both[starts] & some[stops]
            mask &= record
            found |= mask != 0
        if self.plateau is not None:
            start, end = self.places[starts], self.places[stops]
            found |= self.plateau[starts] & (start > end)
            found |= self.plateau[stops] & (end > start)
        return found

    def _degrades(self, words: list[_Words], starts: Any, stops: Any) -> NDArray[np.uint8]:
        """Count what degrades each line; `starts` and `stops` say where in a flat array its ends are."""
        lane = np.maximum(self.lanes[starts], self.lanes[stops])
        count: NDArray[np.uint8] = np.minimum((words[0] >> lane).astype(np.uint8), _ENOUGH)
        if self.has_sides:
            lane += self.lane_type.type(self.side_lane)
            crossed = np.minimum((words[-1] >> lane).astype(np.uint8), _ENOUGH)
            crossed *= self.places[starts] == self.places[stops]
            count += crossed
        return count
