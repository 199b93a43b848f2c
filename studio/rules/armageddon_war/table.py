"""The table of all pairs in Armageddon War: displacement by displacement, every origin of the map at once.

The rules are those of :mod:`studio.rules.armageddon_war.sight`; the tests hold the two equal. Every hex has a record of
bits, every end of a line two masks: `some` and `both`. A line is blocked when a bit under it is in `some` of one end
and in `both` of the other. What each group of bits means is told where it is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.grid import sextant
from studio.rules.armageddon_war.scene import Scene
from studio.sight.fast.pairs import Pairs, Records, SeenPairs, Span, few
from studio.sight.packed import PackedCodes

__all__ = ["MOST_BITS", "suits", "table"]

_Bools = NDArray[np.bool_]

MOST_BITS = 1024
"""Most bits of a record; a map with so many hills is judged by fields of view."""


def suits(scene: Scene) -> bool:
    """Tell whether bits can express the readings in force and the map; fields of view serve for the others."""
    conditions, options = scene.conditions, scene.options
    air = conditions.from_air or conditions.to_air
    plain = options["obstacle_below_both"] == "ignored" and options["contour_in_end_hex"] == "hex"
    return not air and not conditions.surveillance and plain and _Bits(scene, count_only=True).count <= MOST_BITS


def table(scene: Scene, cells: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> PackedCodes:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    scene : Scene
        One that :func:`suits`.
    cells : array of int64, shape (n,)
        All hexes of the map.
    progress : callable, optional
        Called with the displacements done and all of them.
    """
    layout = scene.survey.layout
    pairs, seen = Pairs(scene.grid, layout, scene.conditions.visibility), SeenPairs(layout)
    bits = _Bits(scene)
    judge = _Judge(scene, bits)
    # Only hexes of one wadi see each other, adjacent ones too; in and out of smoke only adjacent ones do.
    near = pairs.keys(np.ones(scene.grid.cells, dtype=bool), scene.wadi)
    far = pairs.keys(~scene.smoke, scene.wadi)
    smoke = layout.pack(scene.smoke, False)
    total = pairs.count if progress is not None else 0
    for number, span in enumerate(pairs.spans(), start=1):
        if span.length == 1:
            found = pairs.origins(span, near)
            seen.hinder(span.step, found & (smoke[: -span.step] | smoke[span.step :]))
        else:
            found = pairs.origins(span, far)
            judge.block(span, found)
        seen.add(span.step, found)
        if progress is not None and (number % 64 == 0 or number == total):
            progress(number, total)
    return seen.codes(cells)


class _Bits:
    """The bits of every hex as what is met, and the masks of every hex as an end; lists of planes over cells.

    Attributes
    ----------
    met, some, both : lists of arrays of bool, shape (cells,)
        One a bit.
    level : slice
        The bits that say nothing where both ends are at one level.
    """

    def __init__(self, scene: Scene, *, count_only: bool = False) -> None:
        self.scene = scene
        self.present = scene.grid.present.ravel()
        self.met: list[_Bools] = []
        self.some: list[_Bools] = []
        self.both: list[_Bools] = []
        self.height = scene.heights(air=False)
        self.top = np.maximum(scene.level, scene.contour).astype(np.int16)
        self.on_hill = (scene.hill > 0) & self.present
        self.ground = self.present & (scene.wadi == 0)
        measure = scene.summit if scene.options["other_hill"] == "summit" else self.top
        # A hill of one hex never holds both an end and what lies under the line: all of them are one number, -1.
        single = np.bincount(scene.hill.ravel())[scene.hill] == 1
        self.hill = np.where(single & self.on_hill, -1, scene.hill)
        others = _distinct(self.hill, measure, self.on_hill)
        lines = _distinct(self.hill, scene.contour, self.on_hill & (scene.contour >= 1) & ~single)
        heights = np.unique(self.height[self.present]).tolist()
        wadis = int(scene.wadi.max()).bit_length()
        self.count = len(heights) + len(others) + len(lines) + (2 * wadis + 1 if wadis else 0)
        self.level = slice(len(heights) + len(others), len(heights) + len(others) + len(lines))
        if count_only:
            return
        for v in heights:
            self._add(self._blocks_from(v), self.height <= v, self.height <= v)
        for hill, height in others:
            self._other_hill(hill, height, measure)
        for hill, contour in lines:
            self._own_contour(hill, contour)
        self._wadi(wadis)

    def _add(self, met: _Bools, some: _Bools, both: _Bools, ends: _Bools | None = None) -> None:
        ends = self.ground if ends is None else ends
        self.met.append(met & self.present)
        self.some.append(some & ends)
        self.both.append(both & ends)

    def _blocks_from(self, v: int) -> _Bools:
        """Tell which hexes block whenever the higher end is at a level; whatever blocks it blocks a lower one too.

        So the line is blocked when both ends are no higher than the level of a bit that is set.
        """
        scene, level = self.scene, self.scene.level.astype(np.int16)
        blocks = scene.smoke | (scene.crest & (level + 1 > v)) | (scene.obstacle & (level >= v))
        if scene.options["wadi_blocks_across"]:
            blocks |= scene.wadi > 0
        return np.asarray(blocks | (self.on_hill & (self.top > v)))

    def _other_hill(self, hill: int, height: int, measure: NDArray[np.int16]) -> None:
        """Add a hill of some height: it blocks where it holds neither end, and one end is no higher."""
        met = (self.hill == hill) & self.on_hill & (measure == height)
        own = (self.hill == hill) & (hill > 0)
        reached = np.maximum(self.height, 1) <= height
        self._add(met, reached & ~own, ~own)

    def _own_contour(self, hill: int, contour: int) -> None:
        """Add a contour on a hill: it blocks where an end is on it, and no such end has a higher one in its hex."""
        scene = self.scene
        own = self.hill == hill
        exempt = ((scene.contour >= 1) | scene.crest) & (contour < self.height)
        self._add(own & self.on_hill & (scene.contour == contour), own & ~exempt, ~(own & exempt))

    def _wadi(self, digits: int) -> None:
        """Add the digits of a wadi's number, each as it is and turned over: one that an end lacks blocks its line."""
        scene = self.scene
        if not digits:
            return
        in_wadi = (scene.wadi > 0) & self.present
        everywhere = np.ones(scene.grid.cells, dtype=bool)
        self._add(scene.smoke, everywhere, everywhere, in_wadi)
        numbers = np.unique(scene.wadi, return_inverse=True)[1].ravel()
        for digit in range(digits):
            one = (numbers >> digit) & 1 == 1
            for met in (one, ~one):
                self._add(met, ~met, ~met, in_wadi)


def _distinct(hill: NDArray[np.int32], height: NDArray[np.integer], which: _Bools) -> list[tuple[int, int]]:
    """Return the different pairs of a hill and a height."""
    found = np.unique(np.stack((hill[which], height[which].astype(np.int32))), axis=1)
    return [(int(one), int(other)) for one, other in found.T.tolist()]


class _Judge:
    """Judges one displacement after the other for all its origins."""

    def __init__(self, scene: Scene, bits: _Bits) -> None:
        self.layout, self.options = scene.survey.layout, scene.options
        self.records = Records(self.layout, bits.met)
        self.some, self.both = self.records.words(bits.some), self.records.words(bits.both)
        nothing = np.zeros(scene.grid.cells, dtype=bool)
        everything = ~nothing
        level = [everything if bits.level.start <= bit < bits.level.stop else nothing for bit in range(bits.count)]
        words = self.records.words(level)
        self.of_level = [word.max() for word in words]
        self.height = self.layout.pack(bits.height, 0)
        self.present = np.pad(self.layout.present, self.layout.size)
        self.hidden = self._hidden(scene, bits)

    def _hidden(self, scene: Scene, bits: _Bits) -> list[_Bools] | None:
        """Tell, for every direction, which obstacles have another one, no lower than their ground, beside them (4.141).

        It hides them from everybody: from ends no higher than it anyway, and from a higher end by this rule.
        """
        if not scene.obstacle.any():
            return None
        obstacle = self.layout.pack(scene.obstacle & bits.present, False)
        level = self.layout.pack(scene.level.astype(np.int16), 0)
        found = []
        for offset in self.layout.offsets:
            beside = np.roll(obstacle, -offset) & (np.roll(level, -offset) >= self.height)
            found.append(obstacle & beside)
        return found

    def block(self, span: Span, found: _Bools) -> None:
        """Leave out the origins whose line is blocked; bool, shape (size - step,)."""
        if span.first >= 0 and not self.options["touch_blocks"] and few(span, found):
            # Few hexes have another one so far away, and nothing longer is made of these lines.
            some = np.flatnonzero(found)
            blocked = _any(self.records.under_some(span, some), self._masks(some, some + span.step))
            if self.hidden is not None:
                blocked |= self._behind(span.first, some, some + span.step)
            found[some[blocked]] = False
            return
        starts, stops = slice(None, -span.step), slice(span.step, None)
        masks = self._masks(starts, stops)
        blocked = _any(self.records.under(span), masks)
        if self.hidden is not None and span.first >= 0:
            blocked |= self._behind(span.first, starts, stops)
        if span.first < 0 or self.options["touch_blocks"]:
            blocked |= self._borders(span, masks)
        found &= ~blocked

    def _masks(self, starts: Any, stops: Any) -> list[NDArray[np.unsignedinteger]]:
        """Return the bits that block each line; `starts` and `stops` say where in a flat array its ends are."""
        masks = []
        differ = None
        for some, both, of_level in zip(self.some, self.both, self.of_level, strict=True):
            if some is both:
                mask = some[starts] & some[stops]
            else:
                mask = some[starts] & both[stops]
                mask |= both[starts] & some[stops]
            if of_level:
                if differ is None:
                    differ = self.height[starts] == self.height[stops]
                mask &= ~(differ * of_level)
            masks.append(mask)
        return masks

    def _behind(self, direction: int, starts: Any, stops: Any) -> _Bools:
        """Tell which lines begin or end at an obstacle right behind another, seen along a direction."""
        assert self.hidden is not None
        return np.asarray(self.hidden[direction][starts] | self.hidden[(direction + 3) % 6][stops])

    def _borders(self, span: Span, masks: list[NDArray[np.unsignedinteger]]) -> _Bools:
        """Tell which lines two borders stop: those of hexes beside a line along hexsides, or touched if so chosen."""
        length = self.layout.size - span.step
        once, twice = np.zeros(length, dtype=bool), np.zeros(length, dtype=bool)
        for steps in [*span.along, *((one,) for one in span.touch if self.options["touch_blocks"])]:
            found = [self._border(span, step, masks) for step in steps]
            if len(found) == 2:
                if self.options["off_map"] == "absent_decides_nothing":
                    there = [self.present[self.layout.size + step :][:length] for step in steps]
                    twice |= (found[0] | found[1]) & (there[0] ^ there[1])
                if self.options["border_rule"] != "per_hex":
                    found = [found[0] | found[1]]
            for one in found:
                twice |= once & one
                once |= one
        return twice

    def _border(self, span: Span, step: int, masks: list[NDArray[np.unsignedinteger]]) -> _Bools:
        """Tell the origins whose line the hex a flat step away blocks, were it counted."""
        blocks = _any(self.records.at(step, self.layout.size - span.step), masks)
        if self.hidden is not None and span.first < 0:
            k = sextant(span.dq, span.dr)[0]
            for direction in (k, (k + 1) % 6):
                offset = self.layout.offsets[direction]
                if step == offset:
                    blocks |= self.hidden[direction][: -span.step]
                if step == span.step - offset:
                    blocks |= self.hidden[(direction + 3) % 6][span.step :]
        return blocks


def _any(records: list[NDArray[np.unsignedinteger]], masks: list[NDArray[np.unsignedinteger]]) -> _Bools:
    """Tell where any bit of the records is in the masks."""
    found = (records[0] & masks[0]) != 0
    for record, mask in zip(records[1:], masks[1:], strict=True):
        found |= (record & mask) != 0
    return np.asarray(found)
