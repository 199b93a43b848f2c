"""What is drawn on a map, carried to a new frame: moved, cut at the new edge, or gone with the hexes it lay on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypeVar

import msgspec
import numpy as np

from studio.model.featurecheck import MARGIN
from studio.model.features import (
    Aperture,
    Area,
    Contour,
    Crest,
    Dot,
    Feature,
    Link,
    Marker,
    Name,
    Place,
    Point,
    Road,
    Wall,
    feature_points,
    natural_key,
    relabelled,
)
from studio.model.moved import ROAD, Moved
from studio.model.sizing.cutting import CutError, Nodes, cut_area, cut_line, reaches_over
from studio.model.sizing.frames import Frame
from studio.model.sizing.ground import Ground
from studio.model.topology.rings import without_repeats

__all__ = ["Carried", "Carrier"]

Line: TypeAlias = tuple[Point, ...]
F = TypeVar("F", bound=Feature)


class Carried(msgspec.Struct):
    """What became of the features of a map.

    Attributes
    ----------
    features : dict of str to Feature
        In the new frame.
    gone : list of str
        Ids of those that lay on removed hexes.
    cut : dict of str to list of str
        Ids of those of which a part is left, each with the ids of its further pieces.
    notes : list of str
        What else changed, as sentences.
    faults : list of str
        Areas that cannot be cut, each with the reason.
    """

    features: dict[str, Feature] = {}
    gone: list[str] = []
    cut: dict[str, list[str]] = {}
    notes: list[str] = []
    faults: list[str] = []


class Carrier:
    """Carries the features of a map to a new frame.

    Parameters
    ----------
    features : dict of str to Feature
    frame : Frame
    moved : Moved
    """

    def __init__(self, features: dict[str, Feature], frame: Frame, moved: Moved) -> None:
        self.features, self.frame, self.moved = features, frame, moved
        self.ground = Ground(moved.before.grid, frame)
        self.found = Carried()
        self._new_dots: list[str] = []
        self._nodes: Nodes | None = None

    def carry(self) -> Carried:
        """Return all features in the new frame."""
        order = sorted(self.features.values(), key=lambda one: natural_key(one.id))
        if not self.ground.shrinks:
            self.found.features = {one.id: self._move(one) for one in order}
            return self.found
        kept: dict[str, list[Feature]] = {one.id: list(self._pieces(one)) for one in order}
        self._settle_parts(kept)
        self._drop_homeless(kept)
        self._rank_anew(kept)
        for one in order:
            self._note(one, kept[one.id])
        if self._new_dots:
            names = ", ".join(self._new_dots)
            self.found.notes.append(f"the dot lay on removed hexes, and is well inside what is left now: {names}")
        return self.found

    # -- moving --------------------------------------------------------------------------------------------------------

    def _point(self, point: Point) -> Point:
        return point[0] + self.frame.away[0], point[1] + self.frame.away[1]

    def _points(self, points: Line) -> Line:
        return tuple(map(self._point, points))

    def _move(self, feature: F) -> F:
        """Return a feature at its place in the new frame, with the new labels; all its hexes are there."""
        moved: F = feature
        if self.frame.away != (0, 0):
            match feature:
                case Area():
                    dot = None if feature.dot is None else self._point(feature.dot)
                    holes = tuple(map(self._points, feature.holes))
                    outline = self._points(feature.outline)
                    moved = msgspec.structs.replace(feature, outline=outline, holes=holes, dot=dot)
                case Wall() | Contour() | Road() if feature.line:
                    moved = msgspec.structs.replace(feature, line=self._points(feature.line))
                case Name() | Place() | Aperture():
                    moved = msgspec.structs.replace(feature, at=self._point(feature.at))
                case Dot():
                    moved = msgspec.structs.replace(feature, point=self._point(feature.point))
        found: F = relabelled(moved, lambda text: self.moved.label(text) or text)  # type: ignore[assignment]
        return found

    # -- what is left of one feature -----------------------------------------------------------------------------------

    def _pieces(self, feature: Feature) -> Iterator[Feature]:
        """Yield what is left of a feature, in coordinates and labels before the change; the first piece has its id."""
        match feature:
            case Road() | Crest():
                yield from self._path_pieces(feature)
            case Contour() | Wall():
                yield from (msgspec.structs.replace(feature, line=line) for line in self._line_pieces(feature.line))
            case Area():
                yield from self._area_pieces(feature)
            case Marker():
                if self._label_stays(feature.at):
                    also = tuple(filter(self._label_stays, feature.also))
                    yield feature if also == feature.also else msgspec.structs.replace(feature, also=also)
            case Dot():
                if self._label_stays(feature.at) and self.ground.keeps_point(feature.point):
                    yield feature
            case Aperture():
                labels = [label for arrow in feature.arrows for label in arrow]
                if self._point_stays(feature.at) and all(map(self._label_stays, labels)):
                    yield feature
            case Name() | Place():
                if self._point_stays(feature.at):
                    yield feature
            case Link():
                yield feature  # its ends are looked at when all places are known

    def _label_stays(self, label: str) -> bool:
        return self.moved.label(label) is not None

    def _point_stays(self, point: Point) -> bool:
        return self.ground.keeps_point(point) and self._near([point])

    def _near(self, points: Sequence[Point]) -> bool:
        """Tell whether points lie within what a map may hold around its frame."""
        x0, y0, x1, y1 = self.ground.new
        return not reaches_over(points, (x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN))

    @property
    def nodes(self) -> Nodes:
        """All points of the drawing."""
        if self._nodes is None:
            self._nodes = Nodes([point for one in self.features.values() for _, point in feature_points(one)])
        return self._nodes

    def _path_pieces(self, feature: Road | Crest) -> Iterator[Feature]:
        runs: list[list[str]] = [[]]
        for label in feature.path:
            if self._label_stays(label):
                runs[-1].append(label)
            elif runs[-1]:
                runs.append([])
        runs = [run for run in runs if run]
        pieces = self._line_pieces(feature.line) if isinstance(feature, Road) and feature.line else []
        for run in runs:
            piece = msgspec.structs.replace(feature, path=tuple(run))
            if isinstance(piece, Road) and piece.line and tuple(run) != feature.path:
                line = self._line_of(run, pieces)
                piece = msgspec.structs.replace(piece, line=line)
                if not line:
                    self.found.notes.append(f"{feature.id}: what is left of it runs through the centres of its hexes")
            yield piece

    def _line_of(self, run: list[str], pieces: list[Line]) -> Line:
        """Return the drawn piece of a road in some of its hexes; none where it is no single line there."""
        import shapely

        grid, labels = self.ground.before, self.moved.before
        hexes = shapely.union_all([shapely.Polygon(grid.corners(labels.cell(label))) for label in run])
        # Lines cross hexsides between two points of the lattice.
        near = shapely.buffer(hexes, 1)
        found = shapely.line_merge(shapely.intersection(shapely.MultiLineString(pieces), near))
        if found.geom_type != "LineString":
            return ()
        points = np.rint(shapely.get_coordinates(shapely.intersection(found, hexes))).astype(int).tolist()
        line = without_repeats(((int(x), int(y)) for x, y in points), closed=False)
        return line if len(line) > 1 and near.covers(shapely.LineString(line)) else ()

    def _line_pieces(self, line: Line) -> list[Line]:
        import shapely

        ground = self.ground
        if not reaches_over(line, ground.inner):
            return [line]
        whole = shapely.LineString(line)
        if not ground.was_on(whole):
            return [line] if self._near(line) else []
        pieces = cut_line(line, ground.box, self.nodes) if reaches_over(line, ground.box) else [line]
        return [piece for piece in pieces if ground.is_on(shapely.LineString(piece))]

    def _area_pieces(self, area: Area) -> Iterator[Feature]:
        import shapely

        ground = self.ground
        if not reaches_over(area.outline, ground.inner):
            yield area
            return
        whole = shapely.make_valid(shapely.Polygon(area.outline, area.holes))
        if not ground.was_on(whole):
            if self._near(area.outline):
                yield area
            return
        if not ground.is_on(shapely.intersection(whole, shapely.box(*ground.box))):
            return
        if not reaches_over(area.outline, ground.box):
            yield area
            return
        try:
            pieces = cut_area(area, ground.box, self.nodes)
        except CutError as error:
            self.found.faults.append(f"{_called(area)} ({error})")
            yield area
            return
        left = [piece for piece in pieces if ground.is_on(shapely.Polygon(*piece))]
        if area.dot is not None:
            dot = shapely.Point(area.dot)
            left.sort(key=lambda piece: not shapely.Polygon(*piece).covers(dot))  # the one with the dot comes first
        for number, (outline, holes) in enumerate(left):
            keeps = number == 0 and area.dot is not None and shapely.Polygon(outline, holes).covers(dot)
            if number == 0 and area.dot is not None and not keeps:
                self._new_dots.append(_called(area))
            yield msgspec.structs.replace(area, outline=outline, holes=holes, dot=area.dot if keeps else None)

    # -- what belongs together -----------------------------------------------------------------------------------------

    def _settle_parts(self, kept: dict[str, list[Feature]]) -> None:
        """Give pieces ids of their own, and what is part of an area the piece that it lies in."""
        taken = set(self.features)
        for feature_id, pieces in kept.items():
            for number, piece in enumerate(pieces[1:], 1):
                pieces[number] = msgspec.structs.replace(piece, id=self._new_id(piece, taken))
            if len(pieces) > 1 or (pieces and pieces[0] != self.features[feature_id]):
                self.found.cut[feature_id] = [piece.id for piece in pieces[1:]]
        for feature_id, pieces in kept.items():
            for number, piece in enumerate(pieces):
                if isinstance(piece, Area | Place) and piece.within in kept:
                    around = _around(piece, kept[piece.within])
                    if around != piece.within:
                        pieces[number] = msgspec.structs.replace(piece, within=around)
                        if not around:
                            self.found.notes.append(f"{feature_id}: {piece.within}, which it was part of, is gone")

    @staticmethod
    def _new_id(piece: Feature, taken: set[str]) -> str:
        kind = str(type(piece).__struct_config__.tag)
        number = 1
        while f"{kind}-{number}" in taken:
            number += 1
        taken.add(f"{kind}-{number}")
        return f"{kind}-{number}"

    def _drop_homeless(self, kept: dict[str, list[Feature]]) -> None:
        """Take away what belongs to places that are gone: openings, links, and markers."""
        before = {label for one in self.features.values() for label in _labels(one)}
        after = {label for pieces in kept.values() for one in pieces for label in _labels(one)}

        def there(label: str) -> bool:
            if self.moved.before.find(label.removesuffix(ROAD)) is not None:
                return self._label_stays(label)
            return label in after or label not in before

        def stays(feature: Feature) -> bool:
            match feature:
                case Link():
                    return there(feature.a) and there(feature.b)
                case Aperture():
                    return there(feature.into)
                case Marker():
                    return there(feature.at)
            return True

        for feature_id, pieces in kept.items():
            kept[feature_id] = list(filter(stays, pieces))
            for number, one in enumerate(kept[feature_id]):
                if isinstance(one, Marker) and not all(map(there, one.also)):
                    kept[feature_id][number] = msgspec.structs.replace(one, also=tuple(filter(there, one.also)))
                    self.found.cut.setdefault(feature_id, [])

    def _rank_anew(self, kept: dict[str, list[Feature]]) -> None:
        """Close the gaps that links which are gone leave in the ranks of the others from the same place."""
        ranked: dict[tuple[str, str], list[Link]] = {}
        for one in self.features.values():
            if isinstance(one, Link) and one.order:
                ranked.setdefault((one.type, one.a), []).append(one)
        for group in ranked.values():
            left = sorted((one for one in group if kept[one.id]), key=lambda one: one.order)
            orders = sorted(one.order for one in group)
            if len(left) < len(group) and len(set(orders)) == len(orders):
                for one, order in zip(left, orders, strict=False):
                    kept[one.id] = [msgspec.structs.replace(one, order=order)]

    def _note(self, feature: Feature, pieces: list[Feature]) -> None:
        if not pieces:
            self.found.gone.append(feature.id)
            self.found.cut.pop(feature.id, None)
        for piece in pieces:
            self.found.features[piece.id] = self._move(piece)


def _called(area: Area) -> str:
    return f"{area.id} {area.name!r}" if area.name else area.id


def _labels(feature: Feature) -> tuple[str, ...]:
    """Return what others may know an area or a place by."""
    return (feature.name, feature.id) if isinstance(feature, Area | Place) else ()


def _around(part: Area | Place, pieces: list[Feature]) -> str:
    """Return the id of the piece of an area that a part of it lies in; empty when the area is gone."""
    if len(pieces) < 2:
        return pieces[0].id if pieces else ""
    import shapely

    if isinstance(part, Area):
        inside = shapely.Polygon(part.outline, part.holes).representative_point()
    else:
        inside = shapely.Point(part.at)
    for piece in pieces:
        if isinstance(piece, Area) and shapely.Polygon(piece.outline, piece.holes).covers(inside):
            return piece.id
    return pieces[0].id
