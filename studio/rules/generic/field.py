"""Fields of view in a designer's own game: the verdicts of the judge for all hexes at once, in arrays.

Where things only block, targets are settled by ring shadows, one class of target a height
(:func:`studio.sight.shadow_sweep`); else what lies on each line is counted (:mod:`studio.sight.fast.weighted`).
Lines straight along hexsides, and the few blind hexes right behind what is looked down upon, are looked at directly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.rules.generic.borders import BLOCKED_FROM, touch_points
from studio.rules.generic.heights import FOREVER, NOTHING, rises, span
from studio.rules.generic.level import level_field
from studio.rules.generic.scene import Layer, Scene
from studio.rules.generic.spines import add_spines
from studio.rules.generic.tally import Tally
from studio.sight import ABSENT, BLOCKED, CLEAR, HINDERED, Directions, shadow_sweep
from studio.sight.fast.weighted import Shadows, count_shadows, hex_shadows, side_shadows

__all__ = ["field"]

_Bools = NDArray[np.bool_]
_Ints = NDArray[np.int64]

_MOST_CLASSES = 24
_LOOK_BACK = 6  # longer rows of blind hexes are counted as shadows that end

# Counts of shadows hold four numbers: hindrances, points beside lines, blocks that end, blocks that do not.
_HINDER, _POINT, _BLOCK, _ALWAYS = 1, 1 << 15, 1 << 30, 1 << 45
_PART = (1 << 15) - 1


def field(scene: Scene, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
    """Return the plane of codes seen from a cell, and how often each hindered cell is hindered.

    Parameters
    ----------
    scene : Scene
    a : int
        Cell of the hex that looks.

    Returns
    -------
    plane : array of uint8, shape (rows, columns)
    hindrances : dict of int to int
    """
    grid, conditions = scene.grid, scene.conditions
    if scene.screens is not None:
        return level_field(scene, a), {}
    present = scene.present
    codes = np.where(present, CLEAR, ABSENT).astype(np.uint8)
    hindered: dict[int, int] = {}
    if not conditions.surveillance:
        view = Directions(grid, a, scene.survey.layout)
        reach = present & (view.ring > 0)
        if scene.range:
            reach &= view.ring <= scene.range
        sight = _Sight(scene, a, view, np.flatnonzero(reach))
        tally = sight.tally()
        codes[present] = BLOCKED
        codes[a] = CLEAR
        codes[sight.targets] = tally.codes(sight.rings, int(scene.options["hindrance_limit"]))
        if tally.hindrances.any():
            at = np.flatnonzero(codes[sight.targets] == HINDERED)
            hindered = dict(zip(sight.targets[at].tolist(), tally.hindrances[at].tolist(), strict=True))
    return codes.reshape(grid.rows, grid.columns), hindered


class _Class(NamedTuple):
    """Targets whose eyes are at one height."""

    number: int
    eye: int


def _classes(eyes: _Ints) -> tuple[list[_Class], _Ints]:
    """Return the heights of some eyes, lowest first, and the number of that of each."""
    if not len(eyes):
        return [], eyes
    lowest = int(eyes.min())
    heights = np.flatnonzero(np.bincount(eyes - lowest))
    number = np.zeros(int(heights[-1]) + 1, dtype=np.int64)
    number[heights] = np.arange(len(heights))
    return [_Class(place, lowest + height) for place, height in enumerate(heights.tolist())], number[eyes - lowest]


class _Sight:
    """The lines from one hex to its targets."""

    def __init__(self, scene: Scene, start: int, view: Directions, targets: _Ints) -> None:
        self.scene, self.options, self.start, self.view, self.targets = scene, scene.options, start, view, targets
        self.rings = view.ring[targets].astype(np.int64)
        self.last = int(self.rings.max()) if len(targets) else 0
        self.eye = scene.eye(start, air=scene.conditions.from_air)
        self.eyes = scene.eyes(air=scene.conditions.to_air)[targets]
        self.classes, self.kind = _classes(self.eyes)
        self.spine = (2 * view.position[targets] == view.ring[targets]) & (self.rings > 1)
        self.touches = touch_points(scene.options)

    def tally(self) -> Tally:
        """Add up what the lines meet."""
        tally = Tally(len(self.targets), adjacent=bool(self.options["adjacent"]))
        if not len(self.targets):
            return tally
        self._ends(tally)
        only_blocks = all(layer.blocks for layer in self.scene.between) and not self.scene.side_layers
        back = self._longest_back()
        plain = only_blocks and not self.touches and len(self.classes) <= _MOST_CLASSES and 0 <= back <= _LOOK_BACK
        looks_back = not self.touches and 0 <= back <= _LOOK_BACK
        if plain:
            self._sweep(tally)
        else:
            self._count(tally, ending=not looks_back)
        if looks_back:
            for distance in range(1, back + 1):
                self._behind(tally, distance)
        add_spines(self.scene, self.start, self.view, (self.eye, self.eyes), self.targets, self.spine, tally)
        return tally

    def _ends(self, tally: Tally) -> None:
        for layer in self.scene.at_ends:
            for top, place in ((layer.top[self.start], 0), (layer.top[self.targets], 2 * self.rings)):
                up = rises(layer.blind, top, self.eye, self.eyes, place, 2 * self.rings)
                tally.add(layer.blocks, np.asarray((top > NOTHING) & up))

    # -- what is hidden for good -----------------------------------------------------------------------------------

    def _obstacles(self, layer: Layer) -> _Ints:
        """Return the cells of a layer that can rise into any of the lines."""
        lowest = min(self.eye, self.classes[0].eye)
        ring = self.view.ring
        return np.flatnonzero((layer.top > lowest) & (ring > 0) & (ring < self.last))

    def _sweep(self, tally: Tally) -> None:
        masks = np.zeros((len(self.classes), self.scene.grid.cells), dtype=bool)
        for layer in self.scene.between:
            cells = self._obstacles(layer)
            top, place = layer.top[cells], 2 * self.view.ring[cells].astype(np.int64)
            for kind in self.classes:
                _, until = span(layer.blind, top, self.eye, kind.eye, place)
                masks[kind.number, cells[until == FOREVER]] = True
        number = np.full(self.scene.grid.cells, -1, dtype=np.int64)
        open_ = np.flatnonzero(~self.spine & (self.rings > 1))
        number[self.targets[open_]] = self.kind[open_]
        seen = shadow_sweep(self.view, masks, number)
        hidden = np.zeros(len(self.targets), dtype=bool)
        hidden[open_] = ~seen[self.targets[open_]]
        tally.add(True, hidden)

    def _longest_back(self) -> int:
        """Return how many hexes before its end a line can meet what hides that end only; -1 for no such number."""
        longest = 0
        for layer in self.scene.between:
            if layer.blind.kind == "interpolated":
                return -1
            cells = self._obstacles(layer)
            top = layer.top[cells]
            low = top[(top <= self.eye) & (top > self.classes[0].eye)]
            if layer.blind.kind == "fixed":
                longest = max(longest, layer.blind.depth if len(low) else 0)
            for height in np.unique(low[low < self.eye]).tolist() if layer.blind.kind == "proportional" else ():
                shade = layer.blind.depth * (height - self.classes[0].eye) // (self.eye - height)
                longest = max(longest, shade)
        return longest

    def _behind(self, tally: Tally, back: int) -> None:
        """Look at the hexes so many rings before the ends, for what hides those ends only."""
        open_ = ~self.spine & (self.rings > back) & (self.eyes < self.eye) & ~tally.settled(self.options)
        chosen = np.flatnonzero(open_)
        cells = self.view.crossed(self.targets[chosen], back)
        length, eyes = 2 * self.rings[chosen], self.eyes[chosen]
        for layer in self.scene.between:
            # What is as high as the higher eye hides all behind it where blind hexes grow with the height.
            ceiling = self.eye + (layer.blind.kind == "fixed")
            for met in cells:
                top = np.where(met >= 0, layer.top[met], NOTHING)
                up = np.asarray((top < ceiling) & rises(layer.blind, top, self.eye, eyes, length - 2 * back, length))
                tally.add(layer.blocks, up, at=chosen)

    # -- counting --------------------------------------------------------------------------------------------------

    def _count(self, tally: Tally, *, ending: bool) -> None:
        shadows = [*self._hexes(ending=ending), *self._sides()]
        open_ = np.flatnonzero(~self.spine)
        limit = int(self.options["hindrance_limit"])
        lasting = not any(bool((part.until < FOREVER).any()) for part in shadows)

        def settled(counts: _Ints) -> _Bools:
            done = counts >= _ALWAYS
            return np.asarray(done | ((counts & _PART) > limit) if lasting else done)

        counts = count_shadows(self.view, self.targets[open_], self.kind[open_], shadows, settled)
        tally.hindrances[open_] += counts & _PART
        points = (counts // _POINT & _PART) + BLOCKED_FROM * (counts >= _BLOCK)
        tally.points[open_] += points

    def _hexes(self, *, ending: bool) -> list[Shadows]:
        parts: list[Shadows] = []
        for layer in self.scene.between:
            cells = self._obstacles(layer)
            ring = self.view.ring[cells].astype(np.int64)
            low, high = hex_shadows(self.view, cells)
            for kind in self.classes:
                after, until = span(layer.blind, layer.top[cells], self.eye, kind.eye, 2 * ring)
                chosen = np.flatnonzero((until > ring) if ending else (until == FOREVER))
                after, until, left, right = np.maximum(after, ring)[chosen], until[chosen], low[chosen], high[chosen]
                if self.touches and layer.blocks and self.touches < BLOCKED_FROM:
                    points = np.full(len(until), _POINT * self.touches)
                    for edge in (left - 1, right):
                        parts.append(Shadows(edge, edge + 1, after, until, points, kind.number))
                elif self.touches:
                    left, right = left - 1, right + 1
                parts.append(Shadows(left, right, after, until, self._weight(layer.blocks, until), kind.number))
        return parts

    @staticmethod
    def _weight(blocks: bool, until: _Ints) -> _Ints:
        if not blocks:
            return np.full(len(until), _HINDER)
        return np.where(until == FOREVER, _ALWAYS, _BLOCK)

    def _sides(self) -> list[Shadows]:
        parts: list[Shadows] = []
        counts_ends = self.options["end_sides"] == "counts"
        for layer in self.scene.side_layers:
            # What is not above the lowest eyes rises into no line.
            tall = layer.top > min(self.eye, self.classes[0].eye)
            if not counts_ends:
                tall &= (layer.sides != self.start).all(axis=1)
            chosen = np.flatnonzero(tall)
            ring = self.view.ring[layer.sides[chosen]].astype(np.int64)
            # The side by which a line comes into its last hex is a side of that hex.
            stage = ring.min(axis=1) if counts_ends else ring.max(axis=1)
            stage = np.where(ring[:, 0] == ring[:, 1], ring[:, 0], stage)
            low, high = side_shadows(self.scene.grid, self.start, layer.ends[:, chosen])
            for kind in self.classes:
                after, until = span(self.scene.blind, layer.top[chosen], self.eye, kind.eye, ring.sum(axis=1))
                after = np.maximum(after, stage)
                parts.append(Shadows(low, high, after, until, self._weight(layer.blocks, until), kind.number))
        return parts
