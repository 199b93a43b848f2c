"""The marks of pictures of supply: units, sources, enemies, the lines of supply and whose the roads are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from studio.draw.picture import Picture
from studio.draw.road_ways import RoadWays
from studio.draw.subject import Floats, kind_of, map_points
from studio.draw.washes import DARK

__all__ = [
    "FIGURES_PX",
    "IN",
    "NAMES_PX",
    "NOBODY",
    "OUT",
    "OWNERS",
    "SHAPES",
    "SHAPE_OF_NOBODY",
    "SOURCE",
    "SupplyPainter",
]

IN, OUT, SOURCE = "#009E73", "#D55E00", "#F0E442"
OWNERS = ("#0072B2", "#CC79A7", "#56B4E9", "#E69F00")
"""Colours of the sides, in their order."""

SHAPES = ("o", "D", "v", "p")
SHAPE_OF_NOBODY = "h"
NOBODY = "#7a7a7a"
FIGURES_PX = 18
NAMES_PX = 30


def _built_up(picture: Picture) -> frozenset[int]:
    """Return the hexes with something in their middle that a mark would hide: markers, towns and other places."""
    subject = picture.subject
    found = {
        cell
        for feature in subject.features.values()
        if kind_of(feature) == "marker" and (cell := subject.labels.find(feature.at)) is not None
    }
    words = ("city", "town", "village", "urban", "port")
    built = [code for code, name in enumerate(subject.terrain_ids) if any(word in name for word in words)]
    return frozenset(found | set(np.flatnonzero(np.isin(np.asarray(subject.terrain).ravel(), built)).tolist()))


def _figure(cost: Fraction) -> str:
    whole, half = divmod(int(2 * cost), 2)
    return f"{whole or ''}½" if half else str(whole)


class SupplyPainter:
    """Draws the parts of a picture of supply.

    Parameters
    ----------
    picture : Picture
        With the map on it already.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture, self.ax = picture, picture.ax
        grid: Any = picture.subject.grid
        self.points: Floats = map_points(grid, grid.centres)
        self.unit = grid.hex_height
        self.scale = picture.line_scale
        self.ways = RoadWays(picture.subject)
        self.built = _built_up(picture)

    def at(self, cell: int) -> Floats:
        """Return the middle of a hex."""
        spot: Floats = self.points[cell]
        return spot

    def mark(self, at: Floats, shape: str, size: float, color: str, edge: str, zorder: float) -> None:
        """Draw a mark, or several with points of shape (n, 2), so many hex heights large."""
        points = max(4.0, size * self.picture.hex_px * 0.72)
        self.ax.plot(
            *np.reshape(at, (-1, 2)).T,
            shape,
            ls="none",
            ms=points,
            mfc=color,
            mec=edge,
            mew=max(0.8, points * 0.1),
            zorder=zorder,
        )

    def _road(self, a: int, b: int) -> Floats:
        """Return the line from a hex to the next along the road between them, straight where there is none."""
        piece = self.ways.piece(a, b)
        ends: Floats = self.points[[a, b]]
        return ends if piece is None else np.vstack((ends[:1], piece, ends[1:]))

    def segments(
        self,
        pairs: Iterable[tuple[int, int]],
        color: str,
        width: float,
        line: Any,
        zorder: float,
        drawn_as: Callable[[int, int], Floats] | None = None,
    ) -> None:
        """Draw the steps of lines."""
        from matplotlib.collections import LineCollection

        ends = [self.points[list(pair)] if drawn_as is None else drawn_as(*pair) for pair in pairs]
        if ends:
            wide = max(0.9, width * self.scale)
            under = LineCollection(ends, colors="#ffffff", linewidths=wide + 1.8, alpha=0.75, zorder=zorder)
            self.ax.add_collection(under, autolim=False)
            drawn = LineCollection(ends, colors=color, linewidths=wide, linestyles=[line], zorder=zorder + 0.1)
            self.ax.add_collection(drawn, autolim=False)

    def roads(self, supply: Any) -> None:
        """Mark the road hexes with the colour and the shape of the side that controls them."""
        if supply.owner is None:
            return
        owned: dict[int, list[int]] = {}
        for cell in sorted(supply.survey.road_hexes):
            owned.setdefault(max(-1, int(supply.owner[cell])), []).append(cell)
        for owner, cells in owned.items():
            color = OWNERS[owner % len(OWNERS)] if owner >= 0 else NOBODY
            shape = SHAPES[owner % len(SHAPES)] if owner >= 0 else SHAPE_OF_NOBODY
            self.mark(self.points[cells], shape, 0.15, color, "#ffffff", 24)

    def sources(self, sources: Any, closed: Any) -> None:
        """Draw the sources: stars, hollow and crossed where they do not work."""
        for cell, why in sources.items():
            works = not why and cell not in closed
            self.mark(self.at(cell), "*", 0.5, SOURCE if works else "#ffffff", DARK, 25)

    def lines(self, supply: Any) -> None:
        """Draw the lines of the units, and the nearest misses with what cuts them."""
        cell = supply.survey.model.labels.cell
        across, along, missed = set(), set(), set()
        spent: dict[int, set[Fraction]] = {}
        cuts: set[int] = set()
        for one in supply:
            steps = list(pairwise(map(cell, one.path)))
            across |= set(steps[: one.off_road])
            along |= set(steps[one.off_road :])
            missed |= set(pairwise(map(cell, one.attempt)))
            named = one.path or one.attempt
            figured = zip(named[1 : one.off_road + 1], one.costs[1 : one.off_road + 1], strict=False)
            for label, cost in figured:
                spent.setdefault(cell(label), set()).add(cost)
            cuts |= set(map(cell, one.cuts))
        self.segments(sorted(missed), OUT, 50, (0, (1, 1.4)), 23, self._road)
        self.segments(sorted(along), IN, 76, "solid", 23.4, self._road)
        self.segments(sorted(across), IN, 66, (0, (2.4, 1.2)), 23.6)
        shift = np.array([0.0, -0.3]) * self.unit
        self._figures([(self.at(at) + shift, "/".join(map(_figure, sorted(spent[at])))) for at in sorted(spent)])
        for at in sorted(cuts):
            # What cuts the line stands in the middle of its hex: the cross is above it, to the right.
            self.mark(self.at(at) + np.array([0.25, -0.2]) * self.unit, "X", 0.34, OUT, "#ffffff", 32)

    def _figures(self, words: Sequence[tuple[Floats, str]]) -> None:
        if self.picture.hex_px < FIGURES_PX:
            return
        for at, text in words:
            self.ax.text(
                float(at[0]),
                float(at[1]),
                text,
                fontsize=max(6.5, 0.2 * self.picture.hex_px * 0.72),
                ha="center",
                va="center",
                color=DARK,
                bbox={"boxstyle": "round,pad=0.15", "fc": "#ffffff", "ec": IN, "lw": 0.7},
                zorder=28,
            )

    def hostile(self, cells: Iterable[int]) -> None:
        """Draw enemies, those of a "what if" included."""
        for cell in cells:
            self.mark(self.at(cell) + self.shift(cell), "^", 0.34, DARK, "#ffffff", 29.5)

    def shift(self, cell: int) -> Floats:
        """Return by how much the mark of a unit is aside of what is drawn in the middle of its hex."""
        aside: Floats = np.array([-0.2, 0.14] if cell in self.built else [0.0, 0.0]) * self.unit
        return aside

    def units(self, supply: Any) -> None:
        """Draw the units, one mark a hex, with their ids and how many they are."""
        cell = supply.survey.model.labels.cell
        stacks: dict[int, list[Any]] = {}
        for one in supply:
            stacks.setdefault(cell(one.at), []).append(one)
        for at, stack in sorted(stacks.items()):
            fed = all(one.supplied for one in stack)
            spot, size = self.at(at) + self.shift(at), 0.34 if at in self.built else 0.46
            self.mark(spot, "o" if fed else "s", size * (1.0 if fed else 0.92), IN if fed else OUT, "#ffffff", 30)
            sign = ("✓" if fed else "✕") if len(stack) == 1 else str(len(stack))
            size = max(6.0, 0.52 * size * self.picture.hex_px * 0.72)
            self.ax.text(
                float(spot[0]),
                float(spot[1]),
                sign,
                fontsize=size,
                color="#ffffff",
                fontweight="bold",
                ha="center",
                va="center",
                zorder=31,
            )
            if self.picture.hex_px >= NAMES_PX:
                name = stack[0].unit if len(stack) == 1 else f"{stack[0].unit} +{len(stack) - 1}"
                self.name(self.at(at) + np.array([0.0, 0.36]) * self.unit, name)

    def name(self, at: Floats, text: str) -> None:
        """Write what is below a mark."""
        self.ax.text(
            float(at[0]),
            float(at[1]),
            text,
            fontsize=max(6.0, 0.17 * self.picture.hex_px * 0.72),
            ha="center",
            va="center",
            color=DARK,
            bbox={"boxstyle": "round,pad=0.12", "fc": "#ffffff", "ec": "none", "alpha": 0.85},
            zorder=31,
            parse_math=False,
            clip_on=True,
        )
