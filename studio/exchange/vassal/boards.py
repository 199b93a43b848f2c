"""The boards of a VASSAL module: where every location of a map lies in pixels, and how the engine will call it.

Hexes are numbered by VASSAL's own grid where that gives all of them their labels, and are named regions otherwise.
Areas become zones with their outlines; what lies in an area, or shares a hex, are regions of its zone. What a board
calls each location is worked out here as the engine does it, so that no name need be left to chance.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.exchange.content import BoardPicture
from studio.exchange.vassal.numbering import HexNumbers

__all__ = ["Board", "Box", "Region", "Zone", "box_board"]

Pixel = tuple[int, int]


class Region(NamedTuple):
    """A named point: whatever lies nearest to it bears its name."""

    name: str
    x: int
    y: int


class Zone(NamedTuple):
    """A part of a board with names of its own.

    Attributes
    ----------
    name : str
    path : tuple of (x, y)
        Its outline in pixels.
    regions : tuple of Region
        What lies in it; the zone bears its own name without any.
    numbers : HexNumbers or None
        The hexes in it, in place of regions.
    prefix : str
        Text before the names of its hexes.
    """

    name: str
    path: tuple[Pixel, ...]
    regions: tuple[Region, ...] = ()
    numbers: HexNumbers | None = None
    prefix: str = ""


class Board(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A board, and the names of all its places.

    Parameters
    ----------
    name : str
        Of the board and of its window.
    picture : BoardPicture
    zones : tuple of Zone
        The first one that holds a point names it.
    numbers : HexNumbers or None
        The hexes outside the zones.
    regions : tuple of Region
        Named points outside the zones, in place of a numbering.
    spots : dict of int to (x, y)
        Pixel of each location of the map by its number.
    """

    name: str
    picture: BoardPicture
    zones: tuple[Zone, ...] = ()
    numbers: HexNumbers | None = None
    regions: tuple[Region, ...] = ()
    spots: Mapping[int, Pixel] = {}

    def names_at(self, pixels: NDArray[Any]) -> list[str]:
        """Return what the engine will call some pixels; "" where nothing has a name.

        Parameters
        ----------
        pixels : array of int, shape (n, 2)
        """
        points = np.asarray(pixels, dtype=np.int64).reshape(-1, 2)
        zone = self._zones_of(points)
        found = [""] * len(points)
        for number in np.unique(zone).tolist():
            which = np.flatnonzero(zone == number)
            for index, name in zip(which.tolist(), self._named(number, points[which]), strict=True):
                found[index] = name
        return found

    def _zones_of(self, points: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the first zone that holds each point, -1 for none."""
        import shapely

        zone = np.full(len(points), len(self.zones), dtype=np.int64)
        if self.zones:
            point, held = self._zone_tree.query(shapely.points(points), predicate="within")
            np.minimum.at(zone, point, held)
        return np.where(zone == len(self.zones), -1, zone)

    @cached_property
    def _zone_tree(self) -> Any:
        import shapely

        return shapely.STRtree([shapely.Polygon(zone.path) for zone in self.zones])

    def _named(self, number: int, points: NDArray[np.int64]) -> list[str]:
        zone = Zone("", (), self.regions, self.numbers) if number < 0 else self.zones[number]
        if zone.numbers is not None:
            return [zone.prefix + name for name in zone.numbers.names(points)]
        if not zone.regions:
            return [zone.name] * len(points)
        from scipy.spatial import cKDTree

        _, nearest = cKDTree([(one.x, one.y) for one in zone.regions]).query(points)
        return [zone.regions[index].name for index in np.atleast_1d(nearest).tolist()]


class Box(NamedTuple):
    """A box on a board of boxes: its place in pixels, its title, its colour, and the pixels of its stacks."""

    title: str
    left: int
    top: int
    width: int
    height: int
    color: str = ""
    stacks: tuple[Pixel, ...] = ()


def box_board(name: str, boxes: tuple[Box, ...], png: bytes, size: tuple[int, int]) -> Board:
    """Return a board of boxes, each a zone with its title for a name."""
    zones = tuple(
        Zone(
            box.title,
            (
                (box.left, box.top),
                (box.left + box.width, box.top),
                (box.left + box.width, box.top + box.height),
                (box.left, box.top + box.height),
            ),
        )
        for box in boxes
    )
    return Board(name=name, picture=BoardPicture(png, *size, 0.0, 0.0, 1.0, 1.0), zones=zones)
