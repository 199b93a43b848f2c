"""A draft of changed features: outlines and lines as strands of corners, collected into edits at the end."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from studio.errors import EditError
from studio.model.edits import Delete, Edit, Put
from studio.model.features import (
    Aperture,
    Area,
    Contour,
    Feature,
    Link,
    Marker,
    Point,
    Road,
    Wall,
    natural_key,
    relabelled,
)
from studio.model.topology.rings import (
    Box,
    area_fault,
    bounds,
    boxes_meet,
    doubled_area,
    lies_between,
    line_edges,
    without_repeats,
)

__all__ = ["Draft", "PointIndex", "Strand", "said", "strands_of"]

OUTLINE = -1
"""Part of a strand that is an outline; holes have their number, lines OUTLINE too."""


class Strand(NamedTuple):
    """The corners of one outline, hole or line.

    Attributes
    ----------
    id : str
        The feature.
    part : int
        Number of the hole; -1 for an outline or a line.
    points : tuple of (x, y)
    closed : bool
        True for the ring of an area, whose first corner is not repeated.
    border : bool
        True for areas and walls: what others may share an edge with.
    """

    id: str
    part: int
    points: tuple[Point, ...]
    closed: bool
    border: bool

    def edges(self) -> list[tuple[Point, Point]]:
        """Return its edges in order."""
        return line_edges(self.points, self.closed)


class PointIndex:
    """Points in order, to find those on an edge."""

    def __init__(self, points: Iterable[Point]) -> None:
        self._across = sorted(set(points))
        self._along = sorted((y, x) for x, y in self._across)

    def on(self, p: Point, q: Point) -> list[Point]:
        """Return the points on an edge that are none of its ends, from p to q."""
        (px, py), (qx, qy) = p, q
        found = []
        if abs(px - qx) <= abs(py - qy):
            for point in self._across[bisect_left(self._across, (min(px, qx), min(py, qy))) :]:
                if point[0] > max(px, qx):
                    break
                if lies_between(point, p, q):
                    found.append(point)
        else:
            for y, x in self._along[bisect_left(self._along, (min(py, qy), min(px, qx))) :]:
                if y > max(py, qy):
                    break
                if lies_between((x, y), p, q):
                    found.append((x, y))
        return sorted(found, key=lambda point: abs(point[0] - px) + abs(point[1] - py))


def strands_of(feature: Feature) -> list[Strand]:
    """Return the outline, the holes or the line of a feature."""
    match feature:
        case Area():
            rings = enumerate((feature.outline, *feature.holes), start=OUTLINE)
            return [Strand(feature.id, part, ring, True, True) for part, ring in rings]
        case Wall():
            return [Strand(feature.id, OUTLINE, feature.line, False, True)]
        case Contour():
            return [Strand(feature.id, OUTLINE, feature.line, False, False)]
        case Road() if feature.line:
            return [Strand(feature.id, OUTLINE, feature.line, False, False)]
    return []


def said(feature: Feature, *, known_by_id: bool = False) -> str:
    """Return how a message names a feature: its type or kind, and its name or id; both where it is looked for."""
    kind = getattr(feature, "type", "") or str(type(feature).__struct_config__.tag)
    name = getattr(feature, "name", "") or feature.id
    also = f" ({feature.id})" if known_by_id and name != feature.id else ""
    return f"{kind.replace('_', ' ')} {name}{also}"


def _boxed(feature: Feature) -> list[tuple[Box, Feature]]:
    if isinstance(feature, Area):
        return [(bounds(feature.outline), feature)]  # holes lie inside
    if isinstance(feature, Wall | Contour | Road) and feature.line:
        return [(bounds(feature.line), feature)]
    return []


class Draft:
    """Features as they will be.

    Parameters
    ----------
    features : mapping of str to Feature
        As they are; left alone.
    only : collection of str, optional
        Ids of the features that may change; all of them without it.
    """

    def __init__(self, features: Mapping[str, Feature], only: Collection[str] | None = None) -> None:
        self._old = features
        self._new: dict[str, Feature | None] = {}
        self._boxes: list[tuple[Box, Feature]] | None = None
        self._only = None if only is None else frozenset(only)

    def get(self, feature_id: str) -> Feature | None:
        """Return a feature as it will be; None where there is none."""
        return self._new[feature_id] if feature_id in self._new else self._old.get(feature_id)

    def may_change(self, feature_id: str) -> bool:
        """Tell whether a feature may change."""
        return self._only is None or feature_id in self._only

    def all(self) -> Iterator[Feature]:
        """Yield every feature as it will be."""
        if not self._new:
            yield from self._old.values()
            return
        for feature_id, feature in self._old.items():
            now = self._new.get(feature_id, feature) if feature_id in self._new else feature
            if now is not None:
                yield now
        for feature_id, new in self._new.items():
            if feature_id not in self._old and new is not None:
                yield new

    def put(self, feature: Feature) -> None:
        """Add a feature, or take it instead of the one with its id."""
        if self._old.get(feature.id) == feature:
            self._new.pop(feature.id, None)
        else:
            self._new[feature.id] = feature

    def delete(self, feature_id: str) -> None:
        """Take a feature away."""
        self._new[feature_id] = None

    def enact(self, edit: Edit) -> None:
        """Make an edit of a feature that a draft gave."""
        if isinstance(edit, Put):
            self.put(msgspec.convert(edit.record, Feature, strict=True))
        elif isinstance(edit, Delete):
            self.delete(edit.id)

    def new_id(self, kind: str, kept: str = "") -> str:
        """Return an id that is not taken and is not kept for another, such as ``area-3``."""
        number = sum(feature.id.startswith(kind + "-") for feature in self.all()) + 1
        while self.get(f"{kind}-{number}") is not None or f"{kind}-{number}" == kept:
            number += 1
        return f"{kind}-{number}"

    def strands(self, box: Box | None = None, *, borders: bool = False, anyone: bool = False) -> list[Strand]:
        """Return outlines and lines that may change.

        Parameters
        ----------
        box : Box, optional
            Those that reach it, by their bounding boxes.
        borders : bool
            Those of areas and walls.
        anyone : bool
            Those that may not change too.
        """
        found = []
        for around, feature in self._drawn(box):
            if (borders and not isinstance(feature, Area | Wall)) or not (anyone or self.may_change(feature.id)):
                continue
            if box is None or boxes_meet(around, box):
                found += [s for s in strands_of(feature) if box is None or boxes_meet(bounds(s.points), box)]
        return found

    def _drawn(self, box: Box | None) -> Iterator[tuple[Box, Feature]]:
        """Yield what has an outline or a line, as it will be, with the box around it: what may reach a box."""
        if self._boxes is None:
            self._boxes = [one for feature in self._old.values() for one in _boxed(feature)]
        if box is None:
            kept = self._boxes
        else:
            x0, y0, x1, y1 = box
            kept = [
                one
                for one in self._boxes
                if one[0][0] <= x1 and one[0][2] >= x0 and one[0][1] <= y1 and one[0][3] >= y0
            ]
        for one in kept:
            if one[1].id not in self._new:
                yield one
        for new in self._new.values():
            if new is not None:
                yield from _boxed(new)

    def set_points(self, strand: Strand, points: Iterable[Point]) -> None:
        """Give an outline, a hole or a line other corners; those that follow themselves are left out.

        Raises
        ------
        EditError
            When too few corners are left.
        """
        feature = self.get(strand.id)
        kept = without_repeats(points, strand.closed)
        least = 3 if strand.closed else 2
        if len(kept) < least and feature is not None:
            what = f"hole {strand.part + 1}" if strand.part != OUTLINE else "outline" if strand.closed else "line"
            msg = (
                f"{said(feature)}: its {what} would have {len(kept)} corner{'s' * (len(kept) != 1)} left, near "
                f"{kept[0]}; it needs {least}. Choose another point, or remove {strand.id!r}"
            )
            raise EditError(msg)
        match feature:
            case Area() if strand.part == OUTLINE:
                self.put(msgspec.structs.replace(feature, outline=kept))
            case Area():
                holes = [*feature.holes]
                holes[strand.part] = kept
                self.put(msgspec.structs.replace(feature, holes=tuple(holes)))
            case Wall() | Contour() | Road():
                self.put(msgspec.structs.replace(feature, line=kept))

    def node(self, points: Collection[Point]) -> None:
        """Give every border that reaches one of the points all corners that others have on the edges there.

        Afterwards two borders that run along each other at one of the points have the same edges there, so that what
        moves one moves the other.
        """
        wanted = set(points)
        if not wanted:
            return
        index = PointIndex(wanted)
        touched: dict[Strand, set[tuple[Point, Point]]] = {}
        for strand in self.strands(bounds(tuple(wanted)), borders=True):
            edges = {(p, q) for p, q in strand.edges() if p in wanted or q in wanted or index.on(p, q)}
            if edges:
                touched[strand] = edges
        ends = tuple({end for edges in touched.values() for edge in edges for end in edge})
        if not ends:
            return
        corners = {point for strand in self.strands(bounds(ends), borders=True) for point in strand.points}
        index = PointIndex(corners | wanted)
        for strand, edges in touched.items():
            noded: list[Point] = []
            for p, q in strand.edges():
                noded.append(p)
                if (p, q) in edges:
                    noded += index.on(p, q)
            if not strand.closed:
                noded.append(strand.points[-1])
            if len(noded) != len(strand.points):
                self.set_points(strand, noded)

    def relabel(self, renamed: Mapping[str, str]) -> None:
        """Follow new labels of locations through links, apertures and markers."""
        for feature in list(self.all()):
            if isinstance(feature, Link | Aperture | Marker):
                new = relabelled(feature, lambda text: renamed.get(text, text))
                if new != feature:
                    self.put(new)

    def check(self) -> None:
        """Refuse shapes that were sound and are so no longer.

        Raises
        ------
        EditError
            Naming the area, the place and what to do.
        """
        for feature_id, new in self._new.items():
            old = self._old.get(feature_id)
            if not isinstance(new, Area) or not isinstance(old, Area):
                continue
            fault = area_fault(new)
            if fault is None and (doubled_area(new.outline) > 0) != (doubled_area(old.outline) > 0):
                fault = "its outline is turned inside out", new.outline[0]
            if fault is not None and area_fault(old) is None:
                msg = (
                    f"{said(new, known_by_id=True)} would no longer be sound: {fault[0]}, at {fault[1]}. Choose a "
                    "point that leaves its edges apart and its holes and dot inside, or move those first"
                )
                raise EditError(msg)

    def edits(self) -> list[Edit]:
        """Return the edits that lead from the features as they were to those of the draft, by their ids.

        A map takes no marker on a place that it does not have, neither forwards nor when the edits are taken back. So
        markers that change are taken away first, and put when the places are there.
        """
        names = sorted(self._new, key=natural_key)
        markers = [name for name in names if isinstance(self._new[name] or self._old.get(name), Marker)]
        edits: list[Edit] = [Delete(collection="features", id=name) for name in markers if name in self._old]
        for name in (*(name for name in names if name not in markers), *markers):
            new = self._new[name]
            if new is not None:
                edits.append(Put(collection="features", record=msgspec.to_builtins(new)))
            elif name in self._old and name not in markers:
                edits.append(Delete(collection="features", id=name))
        return edits
