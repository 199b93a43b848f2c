"""The table of all pairs in a designer's own game: displacement by displacement, every origin at once, in bits.

The rules are those of :mod:`studio.rules.generic.sight`; the tests hold the two equal. Of an obstacle only its top
matters, so for every height there is a set of the hexes whose top is that high or higher. Which height it takes to rise
into a line depends on the heights of its two ends, and on the place: pairs of ends for which it is the same are taken
together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from studio.grid import sextant
from studio.rules.generic.bitmap import BitLayer, Bitmap
from studio.rules.generic.borders import BLOCKED_FROM
from studio.rules.generic.level import LevelLines
from studio.rules.generic.plain import plain_table, suits_plainly
from studio.rules.generic.scene import Scene
from studio.rules.generic.sums import SHORT, Sums, suits_sums
from studio.sight.fast.bits import shift
from studio.sight.fast.counters import BitCounter, ladder
from studio.sight.fast.pairs import Pairs, SeenPairs, Span
from studio.sight.packed import PackedCodes
from studio.sight.trace.hexsides import side_template
from studio.sight.trace.steps import RingStep, line_steps

__all__ = ["suits", "table"]


def suits(scene: Scene, numbers: NDArray[np.int64]) -> bool:
    """Tell whether bits can express the conditions: a line must be the same from either end, and hexes all there is."""
    conditions = scene.conditions
    hexes = not len(numbers) or int(numbers[-1]) < scene.grid.cells
    return hexes and conditions.from_air == conditions.to_air and not conditions.surveillance


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
    if suits_plainly(scene):
        return plain_table(scene, cells, progress)
    layout = scene.survey.layout
    pairs, seen = Pairs(scene.grid, layout, scene.range), SeenPairs(layout)
    bits = Bitmap(scene)
    level = LevelLines(bits.plane, bits.plane.bits(scene.screens), bits.usable) if scene.screens is not None else None
    sums, there = Sums(scene) if level is None and suits_sums(scene) else None, pairs.keys(scene.present)
    total = pairs.count if progress is not None else 0
    for number, span in enumerate(pairs.spans(), start=1):
        if level is not None and span.first >= 0:
            seen.add_bits(span.step, level.seen(span))
        elif sums is None or not _by_sums(sums, span, seen, pairs.origins(span, there)):
            clear, hindered = _verdicts(bits, span)
            seen.add_bits(span.step, clear | hindered)
            seen.hinder_bits(span.step, hindered)
        if progress is not None and (number % 64 == 0 or number == total):
            progress(number, total)
    return seen.codes(cells)


def _by_sums(sums: Sums, span: Span, seen: SeenPairs, ends: NDArray[np.bool_]) -> bool:
    """Judge lines not along hexsides by what they sum up; tell whether that is all there is to know."""
    if span.first < 0:
        return False
    hindered = sums.judge(span, ends)  # of short lines too, which longer ones are made of
    if span.length <= SHORT:
        return False
    seen.add(span.step, ends)
    if hindered is not None:
        seen.hinder(span.step, hindered)
    return True


def _verdicts(bits: Bitmap, span: Span) -> tuple[int, int]:
    """Return the origins from which the displaced hex is seen clearly, and hindered."""
    ends = bits.plane.origins(span.dq, span.dr) & bits.usable & shift(bits.usable, span.step)
    if not ends:
        return 0, 0
    lines = _Lines(bits, span, ends)
    lines.walk()
    return lines.verdict()


def _fixed(layer: BitLayer) -> bool:
    return layer.blind.kind == "fixed"


class _Lines:
    """All lines of one displacement.

    Attributes
    ----------
    once, blocked, left : int
        Origins whose line has one point towards blocking, those that have enough, and those that have not.
    """

    def __init__(self, bits: Bitmap, span: Span, ends: int) -> None:
        self.bits, self.span, self.ends = bits, span, ends
        self.m = 2 * span.length
        self.once = self.blocked = 0
        self.left = ends
        self.hindrances = BitCounter()
        self.pairs = self._eye_pairs()
        self._unions: dict[int, int] = {}

    def _eye_pairs(self) -> list[int]:
        """Return the origins of the lines between every two heights of eyes, in the order of those of the map."""
        bits = self.bits
        if len(bits.eyes) == 1:
            return [self.ends]
        there = [shift(mask, self.span.step) for mask in bits.at_eye.values()]
        return [here & self.ends & mask for here in bits.at_eye.values() for mask in there]

    def _origins(self, union: int) -> int:
        """Return the origins of the lines between some pairs of heights of eyes."""
        found = self._unions.get(union)
        if found is None:
            found = 0
            for pair in self.bits.unions[union]:
                found |= self.pairs[pair]
            self._unions[union] = found
        return found

    def _hits(self, layer: BitLayer, step: int, place: int) -> int:
        """Return the origins into whose line the obstacle that lies a flat step away rises."""
        if self.bits.level or _fixed(layer):
            return self._fixed_hits(layer, step, place)
        found, from_top, unions = 0, layer.from_top, self._unions
        for top, union in self.bits.needed(layer, place, self.m):
            origins = unions[union] if union in unions else self._origins(union)
            if origins:
                bits = from_top[top]
                found |= origins & (bits >> step if step >= 0 else bits << -step)
        return found

    def _fixed_hits(self, layer: BitLayer, step: int, place: int) -> int:
        """Return the same where blind hexes are fixed: an obstacle rises above both ends, or above one that is near."""
        above = layer.above
        start = above.get(step)
        if start is None:
            start = self.bits.rises_above(layer, step)
        if self.bits.level:
            return start & self.ends
        back = step - self.span.step
        end = above.get(back)
        if end is None:
            end = self.bits.rises_above(layer, back)
        end >>= self.span.step
        near = 2 * layer.blind.depth
        if place > near:
            return (end if self.m - place <= near else start & end) & self.ends
        return (start | end if self.m - place <= near else start) & self.ends

    # -- adding up -------------------------------------------------------------------------------------------------

    def walk(self) -> None:
        """Take what the lines meet, ring by ring, until all of them are blocked."""
        bits, span = self.bits, self.span
        if bits.at_ends:
            self._add(bits.at_ends, 0, 0, BLOCKED_FROM)
            self._add(bits.at_ends, span.step, self.m, BLOCKED_FROM)
        k, a, b = sextant(span.dq, span.dr)
        one = bits.layout.offsets[k]
        aside = bits.layout.offsets[(k + 1) % 6] - one
        steps = line_steps(a, b)
        for layer in bits.between:
            if layer.blocks:
                block = self._block_level if bits.level else self._block_fixed if _fixed(layer) else self._block
                block(layer, steps, one, aside)
        if span.length > 1 and not self.ends & ~self.blocked:
            return
        for ring, _, beside, touch in steps if a == b or bits.touches else ():
            if beside:
                self._add_pair([ring * one + i * aside for i in beside], 2 * ring)
            for i in touch if bits.touches else ():
                self._add(bits.between, ring * one + i * aside, 2 * ring, bits.touches)
        if bits.sides and a == b:
            self._sides_along()
        elif bits.sides:
            self._sides_across(steps, one, aside)
        if span.length == 1 and bits.options["adjacent"]:
            self.blocked = self.once = 0
        self.left = self.ends & ~self.blocked
        for layer in bits.between if self.left else ():
            if not layer.blocks:
                self._hinder(layer, steps, one, aside)

    def _block(self, layer: BitLayer, steps: Sequence[RingStep], one: int, aside: int) -> None:
        """Take the blocking hexes that the lines run through: those for which it takes the same top at one blow."""
        for first, last in ((0, 4), (4, 16), (16, len(steps))):
            pending: dict[tuple[int, int], list[int]] = {}
            for ring, through, _, _ in steps[first:last]:
                flat = [ring * one + i * aside for i in through]
                for group in self.bits.needed(layer, 2 * ring, self.m):
                    pending.setdefault(group, []).extend(flat)
            for (top, union), lying in pending.items():
                origins, bits, under = self._origins(union), layer.from_top[top], 0
                if origins & ~self.blocked:
                    for step in lying:
                        under |= bits >> step if step >= 0 else bits << -step
                    self.blocked |= under & origins
            if not self.ends & ~self.blocked:
                return

    def _block_level(self, layer: BitLayer, steps: Sequence[RingStep], one: int, aside: int) -> None:
        """Take the same where all eyes are at one height."""
        top = next((top for top in layer.tops if top > self.bits.eyes[0]), None)
        if top is not None:
            bits, under = layer.from_top[top], 0
            for step in [ring * one + i * aside for ring, through, _, _ in steps for i in through]:
                under |= bits >> step if step >= 0 else bits << -step
            self.blocked |= under & self.ends

    def _block_fixed(self, layer: BitLayer, steps: Sequence[RingStep], one: int, aside: int) -> None:
        """Take the same where blind hexes are fixed."""
        for ring, through, _, _ in steps:
            for i in through:
                self.blocked |= self._fixed_hits(layer, ring * one + i * aside, 2 * ring)
            if not self.ends & ~self.blocked:
                return

    def _hinder(self, layer: BitLayer, steps: Sequence[RingStep], one: int, aside: int) -> None:
        """Count the hindering hexes that the lines run through."""
        add, left = self.hindrances.add, self.left
        for ring, through, _, _ in steps:
            for i in through:
                add(self._hits(layer, ring * one + i * aside, 2 * ring) & left)

    def _add(self, layers: Sequence[BitLayer], step: int, place: int, points: int) -> None:
        for layer in layers:
            hits = self._hits(layer, step, place)
            if not hits:
                continue
            if layer.blocks:
                self._add_points(hits, points)
            else:
                self.hindrances.add(hits)

    def _add_points(self, origins: int, points: int) -> None:
        if points >= BLOCKED_FROM:
            self.blocked |= origins
        else:
            self.blocked |= self.once & origins
            self.once |= origins

    def _add_pair(self, steps: list[int], place: int) -> None:
        there = [shift(self.bits.on_grid, step) & self.ends for step in steps]
        met = [self._look(self.bits.between, step, place) for step in steps]
        self._add_both(met, there)

    def _look(self, layers: Sequence[BitLayer], step: int, place: int) -> tuple[int, list[int]]:
        """Return the origins for which one hex or side blocks, and for which it hinders so often, or more."""
        blocks, hinders = 0, []
        for layer in layers:
            hits = self._hits(layer, step, place)
            if layer.blocks:
                blocks |= hits
            else:
                hinders.append(hits)
        return blocks, ladder(hinders)

    def _add_both(self, met: list[tuple[int, list[int]]], there: list[int]) -> None:
        """Add what two hexes beside the line, or two sides that it passes between, do together."""
        options = self.bits.options
        (one, often), (other, other_often) = met
        alone = (there[0] ^ there[1]) if options["off_map"] == "absent_decides_nothing" else 0
        if options["along"] == "count":
            self._add_points((one | other) & alone, BLOCKED_FROM)
            self._add_points(one & ~alone, 1)
            self._add_points(other & ~alone, 1)
        else:
            both = one | other if options["along"] == "either" else one & other
            self._add_points(both | ((one | other) & alone), BLOCKED_FROM)
        for mine, yours in zip(often, other_often, strict=True):
            if options["along_hinder"] == "each":
                self.hindrances.add(mine)
                self.hindrances.add(yours)
            elif options["along_hinder"] == "heavier":
                self.hindrances.add(mine | yours)
            else:
                lighter = (mine | one) & (yours | other)
                self.hindrances.add((lighter & ~alone) | ((mine | yours) & alone))

    # -- hexsides --------------------------------------------------------------------------------------------------

    @property
    def _counted(self) -> tuple[int, int]:
        """Places of the first and the last hexside that may count."""
        return (2, self.m - 2) if self.bits.options["end_sides"] == "ignored" else (0, self.m)

    def _sides_across(self, steps: Sequence[RingStep], one: int, aside: int) -> None:
        """Take the hexsides that lines cross from one hex into the next."""
        sides, direction, (first, last) = self.bits.sides, self.bits.direction, self._counted
        here, inner = 0, 0
        path = [(ring, ring * one + i * aside) for ring, through, _, _ in steps for i in through]
        for ring, there in [*path, (self.span.length, self.span.step)]:
            place = inner + ring
            if first <= place <= last:
                self._add(sides[direction[there - here]], here, place, BLOCKED_FROM)
            here, inner = there, ring

    def _sides_along(self) -> None:
        """Take the hexsides of lines that run along some of them."""
        bits, options, (first, last) = self.bits, self.bits.options, self._counted
        for how, sides, place in side_template(self.span.dq, self.span.dr):
            if not first <= place <= last or (how == "along" and options["along_side"] == "free"):
                continue
            found = [self._side(*side) for side in sides]
            if how == "corner":
                on_grid = bits.on_grid
                there = [
                    shift(on_grid, bits.layout.offset(*u)) & shift(on_grid, bits.layout.offset(*v)) & self.ends
                    for u, v in sides
                ]
                self._add_both([self._look(layers, step, place) for layers, step in found], there)
            else:
                self._add(*found[0], place, BLOCKED_FROM)

    def _side(self, u: tuple[int, int], v: tuple[int, int]) -> tuple[list[BitLayer], int]:
        """Return the layers that hold the side of two hexes, and the flat step to the one that has it there."""
        offset = self.bits.layout.offset
        step = offset(*u)
        return self.bits.sides[self.bits.direction[offset(*v) - step]], step

    def verdict(self) -> tuple[int, int]:
        """Return the origins of the clear lines, and of the hindered ones."""
        seen = self.ends & ~self.blocked
        if not self.hindrances.digits:
            return seen, 0
        if not (self.bits.options["adjacent"] and self.span.length == 1):
            seen &= ~self.hindrances.more_than(self.bits.limit)
        hindered = seen & self.hindrances.more_than(0)
        return seen & ~hindered, hindered
