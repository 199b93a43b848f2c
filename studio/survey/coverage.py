"""What drawn areas leave uncovered and where they overlap, exactly: no tolerance, fractions decide where edges cross.

All edges are cut where they meet. Of every piece it is known which areas lie on its left and which on its right, so
any question about what is covered becomes one about the two sides of a piece: those whose sides give different answers
bound the regions that were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import msgspec

from studio.errors import UnknownNameError, shortened, texts_of
from studio.model import Area, natural_key
from studio.survey.arrangement import Arrangement, Region

if TYPE_CHECKING:
    from shapely import Polygon

    from studio.model import Point
    from studio.survey.survey import Survey

__all__ = ["Coverage", "Gap", "Overlap", "find_gaps", "find_overlaps"]


class Overlap(msgspec.Struct, frozen=True):
    """A region that two areas cover both.

    Attributes
    ----------
    a, b : str
        Ids of the areas, in their natural order. Neither is part of the other.
    region : Region
        The region, with exact corners.
    """

    a: str
    b: str
    region: Region

    @property
    def polygon(self) -> Polygon:
        """The region as a shapely polygon on the lattice."""
        return self.region.polygon

    @property
    def point(self) -> Point:
        """A lattice point in the region; of a sliver that holds none, the nearest to its middle."""
        return self.region.point

    @property
    def area(self) -> Fraction:
        """Exact size of the region in square lattice units."""
        return self.region.area


class Gap(msgspec.Struct, frozen=True):
    """A region that no area covers.

    Attributes
    ----------
    beside : tuple of str
        Ids of the areas along its border, in their natural order.
    region : Region
        The region, with exact corners.
    """

    beside: tuple[str, ...]
    region: Region

    @property
    def polygon(self) -> Polygon:
        """The region as a shapely polygon on the lattice."""
        return self.region.polygon

    @property
    def point(self) -> Point:
        """A lattice point in the region; of a sliver that holds none, the nearest to its middle."""
        return self.region.point

    @property
    def area(self) -> Fraction:
        """Exact size of the region in square lattice units."""
        return self.region.area


class Coverage:
    """How some areas cover the ground.

    Parameters
    ----------
    survey : Survey
    ids : iterable of str
        Ids of the areas. Those whose outline crosses itself cover nothing that could be told, and are left out.
    within : str, optional
        Id of the area that they should cover. Without it the gaps are what they enclose.

    Raises
    ------
    UnknownNameError
        When the map has no such area.

    Attributes
    ----------
    ids : list of str
        Ids of the areas that were looked at.
    """

    def __init__(self, survey: Survey, ids: Iterable[str], within: str | None = None) -> None:
        self.survey, self.within = survey, within
        texts = None if isinstance(ids, str) else texts_of(ids)
        if texts is None:
            msg = f"coverage: got {shortened(ids)}; allowed: the ids of areas, as a list"
            raise UnknownNameError(msg)
        named = sorted(dict.fromkeys(texts), key=natural_key)
        self.ids = [area.id for area in map(survey.area, named) if survey.is_sound(area.id) and area.id != within]
        shapes = {area_id: _rings(survey.area(area_id)) for area_id in self.ids}
        self._frame = ""
        if within is not None:
            area = survey.area(within)
            if survey.is_sound(within):
                # No id can be this text, so the area may be asked to cover itself.
                self._frame = " within"
                shapes[self._frame] = _rings(area)
        self._arrangement = Arrangement(shapes)

    def __repr__(self) -> str:
        return f"Coverage({len(self.ids)} areas, {len(self.gaps)} gaps, {len(self.overlaps)} overlaps)"

    @cached_property
    def overlaps(self) -> list[Overlap]:
        """Where two of the areas cover the same ground, neither of them part of the other, in the order of the ids."""
        pairs: set[tuple[str, str]] = set()
        for piece in self._arrangement.pieces:
            for side in (piece.left, piece.right):
                areas = sorted(side - {self._frame}, key=natural_key) if len(side) > 1 else []
                pairs.update((a, b) for at, a in enumerate(areas) for b in areas[at + 1 :])
        found = []
        for a, b in sorted(pairs, key=lambda pair: (natural_key(pair[0]), natural_key(pair[1]))):
            if not (self._part_of(a, b) or self._part_of(b, a)):
                both = frozenset((a, b))
                found += [Overlap(a, b, region) for region, _ in self._arrangement.regions(both.issubset)]
        return found

    @cached_property
    def gaps(self) -> list[Gap]:
        """What the areas leave uncovered, from the top left on."""
        frame = self._frame
        asked: Callable[[Collection[str]], bool]
        asked = (lambda side: len(side) == 1 and frame in side) if frame else (lambda side: not side)
        if self.within is not None and not frame:
            return []
        found = [
            Gap(tuple(sorted(beside - {frame}, key=natural_key)), region)
            for region, beside in self._arrangement.regions(asked)
        ]
        return sorted(found, key=lambda gap: (gap.point[1], gap.point[0], gap.beside))

    def _part_of(self, inner: str, outer: str) -> bool:
        seen: set[str] = set()
        features: dict[str, Any] = self.survey.model.features
        while inner and inner not in seen:
            seen.add(inner)
            inner = getattr(features.get(inner), "within", "")
            if inner == outer:
                return True
        return False


def _rings(area: Area) -> list[tuple[Point, ...]]:
    return [area.outline, *area.holes]


def find_overlaps(survey: Survey, ids: Iterable[str]) -> list[Overlap]:
    """Find where areas cover the same ground.

    Parameters
    ----------
    survey : Survey
    ids : iterable of str
        Ids of areas.

    Returns
    -------
    list of Overlap
        In the order of the ids. Areas that meet along a border or in a corner do not overlap, nor does an area with one
        that it is part of.

    Raises
    ------
    UnknownNameError
        When the map has no such area.
    """
    return Coverage(survey, ids).overlaps


def find_gaps(survey: Survey, ids: Iterable[str], within: str | None = None) -> list[Gap]:
    """Find what areas leave uncovered.

    Parameters
    ----------
    survey : Survey
    ids : iterable of str
        Ids of areas.
    within : str, optional
        Id of the area that they should cover. Without it the gaps are what they enclose.

    Returns
    -------
    list of Gap
        From the top left on. A hole that another of the areas fills is no gap.

    Raises
    ------
    UnknownNameError
        When the map has no such area.
    """
    return Coverage(survey, ids, within).gaps
