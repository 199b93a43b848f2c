"""What the checks of one map have in common: its areas by id, which of them lie side by side, where things are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from studio.model import Area, Batch, Edit, Feature, Link, Marker, Point, Put, feature_points
from studio.rules import Ruleset
from studio.survey import Survey

if TYPE_CHECKING:
    from shapely import Polygon

__all__ = ["LOCATIONS", "MapSubject", "Tiling", "mend", "put", "with_article"]

_Made = TypeVar("_Made")

LOCATIONS = "locations"
"""Layer of the areas that are locations and name no other."""


class Tiling(NamedTuple):
    """Areas that lie side by side without a gap.

    Attributes
    ----------
    whole : str
        Id of the area that they cover; empty where the game asks them to cover whatever they enclose.
    parts : tuple of str
        Their ids, in order.
    """

    whole: str
    parts: tuple[str, ...]


class MapSubject:
    """A map that is being checked.

    Parameters
    ----------
    survey : Survey
    ruleset : Ruleset

    Attributes
    ----------
    areas : dict of str to Area
        By id, in the natural order of the ids.
    """

    def __init__(self, survey: Survey, ruleset: Ruleset) -> None:
        self.survey, self.ruleset = survey, ruleset
        self.model, self.grid, self.labels = survey.model, survey.grid, survey.model.labels
        self.directory = survey.directory
        self.areas: dict[str, Area] = {area.id: area for area in survey.features_of(Area)}
        self._made: dict[Callable[..., Any], Any] = {}

    def once(self, make: Callable[[MapSubject], _Made]) -> _Made:
        """Return what a function finds out about the map, asked for by several checks and made once."""
        if make not in self._made:
            self._made[make] = make(self)
        found: _Made = self._made[make]
        return found

    # -- areas -----------------------------------------------------------------------------------------------------

    def layer(self, area: Area) -> str:
        """Return the layer of an area, in which no two overlap; empty for those that may lie anywhere."""
        kind = self.ruleset.area_types.get(area.type)
        if kind is None:
            return ""
        return kind.layer or (LOCATIONS if kind.location else "")

    def polygon(self, area_id: str) -> Polygon:
        """Return the polygon of an area."""
        return self.survey.polygon(area_id)

    @cached_property
    def sound(self) -> dict[str, Area]:
        """The areas whose outline has a size and does not cross itself: the others cover nothing that could be told."""
        return {area_id: area for area_id, area in self.areas.items() if self.survey.is_sound(area_id)}

    @cached_property
    def parts_of(self) -> dict[str, list[str]]:
        """Ids of the areas that say they are part of each area, in order."""
        found: dict[str, list[str]] = defaultdict(list)
        for area in self.areas.values():
            if area.within in self.areas:
                found[area.within].append(area.id)
        return dict(found)

    @cached_property
    def tilings(self) -> list[Tiling]:
        """The groups of areas that should leave no gap: parts of a whole, and what the game lays side by side."""
        found = []
        for area_id, area in self.areas.items():
            kinds = self._part_types(area)
            parts = tuple(part for part in self.parts_of.get(area_id, ()) if self.areas[part].type in kinds)
            if parts:
                found.append(Tiling(area_id, parts))
        tiles = tuple(area_id for area_id, area in self.areas.items() if area.type in self.ruleset.catalogue.tiles)
        return [*found, Tiling("", tiles)] if tiles else found

    def _part_types(self, area: Area) -> tuple[str, ...]:
        kind = self.ruleset.area_types.get(area.type)
        return kind.parts if kind is not None else ()

    def whole_types(self, area: Area) -> list[str]:
        """Return the types of area that one of this type should lie within, none where the game does not say."""
        return [name for name, kind in self.ruleset.area_types.items() if area.type in kind.parts]

    def is_within(self, inner: str, outer: str) -> bool:
        """Tell whether an area is part of another, however deep."""
        seen: set[str] = set()
        while inner in self.areas and inner not in seen:
            seen.add(inner)
            inner = self.areas[inner].within
            if inner == outer:
                return True
        return False

    def outermost(self, area_id: str) -> str:
        """Return the id of the area around all that an area is part of; its own where it is part of none."""
        seen: set[str] = set()
        while area_id in self.areas and area_id not in seen and self.areas[area_id].within in self.areas:
            seen.add(area_id)
            area_id = self.areas[area_id].within
        return area_id

    @cached_property
    def covering(self) -> list[str]:
        """Ids of the areas under which a hex is no location, such as buildings."""
        kinds = {name for name, kind in self.ruleset.area_types.items() if kind.covers}
        return [area_id for area_id, area in self.areas.items() if area.type in kinds]

    # -- places ----------------------------------------------------------------------------------------------------

    def links(self, kind: str) -> list[Link]:
        """Return the links of one type."""
        return [link for link in self.survey.features_of(Link) if link.type == kind]

    def dot(self, label: str) -> Point | None:
        """Return the dot of the location with a label, None without any."""
        number = self.directory.find(label)
        if number is not None:
            return self.directory.dot(number)
        cell = self.labels.find(label)
        return None if cell is None else self.grid.centre(cell)

    def centre(self, cell: int) -> Point:
        """Return the middle of a hex."""
        return self.grid.centre(cell)

    def between(self, a: int, b: int) -> Point:
        """Return the middle of the side of two hexes."""
        (xa, ya), (xb, yb) = self.grid.centre(a), self.grid.centre(b)
        return ((xa + xb) // 2, (ya + yb) // 2)

    def place_of(self, feature: Feature) -> Point | None:
        """Return where a feature is: its dot, its first point, or that of the first location that it names."""
        match feature:
            case Area():
                return self.survey.dot_of(feature)
            case Link():
                return self.dot(feature.a) or self.dot(feature.b)
            case Marker():
                return self.dot(feature.at)
        points = feature_points(feature)
        if points:
            return points[0][1]
        path = getattr(feature, "path", ())
        return self.dot(path[0]) if path else None


def with_article(noun: str) -> str:
    """Return a noun with its article.

    Examples
    --------
    >>> with_article("room"), with_article("underground")
    ('a room', 'an underground')
    """
    return f"{'an' if noun[:1].lower() in tuple('aeiou') else 'a'} {noun}"


def put(feature: Feature, **changes: Any) -> Put:
    """Return the edit that changes some fields of a feature."""
    return Put(collection="features", record=msgspec.to_builtins(msgspec.structs.replace(feature, **changes)))


def mend(title: str, *edits: Edit) -> Batch:
    """Return a repair: edits under a title that says what they do."""
    return Batch(title=title, edits=list(edits))
