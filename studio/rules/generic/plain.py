"""The table of all pairs where hexes only block, with a fixed number of blind hexes: common rules on maps with hills.

A hex blocks all lines between ends that are lower than its top: one bit a height of eyes, or-ed together under all
lines of a displacement. Beside that only the few hexes near an end matter, which rise above that end alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from studio.grid import sextant
from studio.rules.generic.borders import BLOCKED_FROM, border_points
from studio.rules.generic.heights import NOTHING
from studio.rules.generic.scene import Scene
from studio.sight.fast.pairs import Pairs, Records, SeenPairs, Span
from studio.sight.packed import PackedCodes
from studio.sight.trace.steps import line_steps

__all__ = ["plain_table", "suits_plainly"]

_Bools = NDArray[np.bool_]
_Words = list[NDArray[np.unsignedinteger]]

_DEEPEST = 4
_MOST_EYES = 64


def suits_plainly(scene: Scene) -> bool:
    """Tell whether the map has levels, and hexes only block, with few blind hexes; corners and ends do nothing."""
    eyes = np.unique(scene.level[scene.present])
    blinds = [layer.blind for layer in scene.between]
    few = all(blind.kind == "fixed" and blind.depth <= _DEEPEST for blind in blinds)
    only_blocks = all(layer.blocks for layer in scene.between) and not scene.side_layers and not scene.at_ends
    return only_blocks and few and scene.options["touch"] == "free" and 1 < len(eyes) <= _MOST_EYES


def plain_table(
    scene: Scene, cells: NDArray[np.int64], progress: Callable[[int, int], None] | None = None
) -> PackedCodes:
    """Return the codes of all ordered pairs.

    Parameters
    ----------
    scene : Scene
        One that :func:`suits_plainly`.
    cells : array of int64, shape (n,)
        All hexes of the map.
    progress : callable, optional
        Called with the displacements done and all of them.
    """
    layout = scene.survey.layout
    pairs, seen = Pairs(scene.grid, layout, scene.range), SeenPairs(layout)
    judge = _Judge(scene)
    keys = pairs.keys(scene.present)
    total = pairs.count if progress is not None else 0
    for number, span in enumerate(pairs.spans(), start=1):
        found = pairs.origins(span, keys)
        if span.length > 1:
            found &= ~judge.blocked(span)
        seen.add(span.step, found)
        if progress is not None and (number % 64 == 0 or number == total):
            progress(number, total)
    return seen.codes(cells)


class _Judge:
    """Judges one displacement after the other for all its origins."""

    def __init__(self, scene: Scene) -> None:
        self.layout, self.options = scene.survey.layout, scene.options
        eyes = scene.eyes(air=scene.conditions.from_air)
        heights = np.unique(eyes[scene.present]).tolist()
        top = np.full(scene.grid.cells, NOTHING, dtype=np.int64)
        for layer in scene.between:
            top = np.maximum(top, layer.top)
        self.records = Records(self.layout, [top > eye for eye in heights])
        self.ends = self.records.words([eyes <= eye for eye in heights])
        self.near: dict[int, _Bools] = {}
        self.depth = 0
        for layer in scene.between:
            self.depth = max(self.depth, layer.blind.depth)
            self._add_near(layer.blind.depth, self.layout.pack(layer.top, NOTHING), self.layout.pack(eyes, -NOTHING))
        size = self.layout.size
        self.there = np.pad(self.layout.present, size)
        # Of the displacement along hexsides that is being multiplied: its one stretch, and all stretches so far.
        self._stretch: _Words = []
        self._so_far: _Words = []

    def _add_near(self, depth: int, top: NDArray[np.int64], eyes: NDArray[np.int64]) -> None:
        """Note for every hex which ones near it rise above its eyes, by the flat step to them."""
        size = self.layout.size
        padded = np.pad(top, size, constant_values=NOTHING)
        for q in range(-depth, depth + 1):
            for r in range(max(-depth, -q - depth), min(depth, depth - q) + 1):
                step = self.layout.offset(q, r)
                rises = padded[size + step : 2 * size + step] > eyes
                self.near[step] = rises | self.near.get(step, False)

    def blocked(self, span: Span) -> _Bools:
        """Tell the origins whose line is blocked; bool, shape (size - step,)."""
        masks: _Words = [word[: -span.step] & word[span.step :] for word in self.ends]
        blocked = self._any(self.records.under(span), masks)
        for step, ring in self._near_through(span) if self.depth else ():
            blocked |= self._near(span, step, ring)
        if span.first < 0:
            blocked |= self._along(span, masks)
        return blocked

    def _any(self, records: _Words, masks: _Words) -> _Bools:
        found = (records[0] & masks[0]) != 0
        for record, mask in zip(records[1:], masks[1:], strict=True):
            found |= (record & mask) != 0
        return np.asarray(found)

    def _near_through(self, span: Span) -> Iterator[tuple[int, int]]:
        """Yield the hexes near either end that the line runs through: flat step from the start, and ring."""
        if self.depth == 1 and span.first >= 0:
            offset = self.layout.offsets[span.first]
            yield offset, 1
            yield span.step - offset, span.length - 1
            return
        one, aside = self._axes(span)
        _, a, b = sextant(span.dq, span.dr)
        for ring, through, _, _ in line_steps(a, b):
            if min(ring, span.length - ring) <= self.depth:
                for i in through:
                    yield ring * one + i * aside, ring

    def _axes(self, span: Span) -> tuple[int, int]:
        k = sextant(span.dq, span.dr)[0]
        one = self.layout.offsets[k]
        return one, self.layout.offsets[(k + 1) % 6] - one

    def _near(self, span: Span, step: int, ring: int) -> _Bools:
        """Tell which lines a hex near one of their ends blocks by rising above that end."""
        found = np.zeros(self.layout.size - span.step, dtype=bool)
        if ring <= self.depth:
            found |= self.near[step][: -span.step]
        if span.length - ring <= self.depth:
            found |= self.near[step - span.step][span.step :]
        return found

    def _along(self, span: Span, masks: _Words) -> _Bools:
        """Tell which lines the hexes beside them block, where they run along hexsides."""
        size, length = self.layout.size, self.layout.size - span.step
        counted = self.options["along"] == "count"
        points = np.zeros(length, dtype=np.int64)
        for turn, steps in enumerate(span.along):
            ring = 2 * turn + 1
            if not counted and min(ring, span.length - ring) > self.depth:
                continue
            blocks = [self._any(self.records.at(step, length), masks) | self._near(span, step, ring) for step in steps]
            there = [self.there[size + step :][:length] for step in steps]
            points += border_points(self.options, (blocks[0], blocks[1]), (there[0], there[1]))
        if counted:
            return points >= BLOCKED_FROM
        return np.asarray((points >= BLOCKED_FROM) | self._any(self._beside(span), masks))

    def _beside(self, span: Span) -> _Words:
        """Return what the two hexes of every stretch along a side do together, or-ed for all stretches.

        Bits of higher eyes come with those of lower ones, so what both hexes block are the bits that both have.
        """
        size, length = self.layout.size, self.layout.size - span.step
        stride = span.step // span.times
        if span.times == 1:
            one, other = span.along[0]
            first, second = self.records.at(one, size - stride), self.records.at(other, size - stride)
            there = [self.there[size + step :][: size - stride] for step in (one, other)]
            alone = (there[0] ^ there[1]) & (self.options["off_map"] == "absent_decides_nothing")
            either = self.options["along"] == "either"
            pairs = zip(first, second, strict=True)
            self._stretch = [x | y if either else np.where(alone, x | y, x & y) for x, y in pairs]
            self._so_far = self._stretch
        else:
            begin = span.step - stride
            on = [word[begin : begin + length] for word in self._stretch]
            self._so_far = [word[:length] | there for word, there in zip(self._so_far, on, strict=True)]
        return self._so_far
