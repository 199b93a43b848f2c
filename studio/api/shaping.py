"""The shaping of a map: corners, cuts, moves and names, so that what is shared stays shared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Self, TypeAlias

import numpy as np

from studio.api.drawing import MapDrawing
from studio.errors import EditError, shortened
from studio.model import Area, Batch, Edit, Place, Point
from studio.model import topology as shapes
from studio.model.topology.draft import said
from studio.survey import ROAD_SUFFIX

__all__ = ["MapShaping", "PointLike", "Vertex"]

PointLike: TypeAlias = str | Sequence[int]
"""A point of the lattice, or the label of a hex for its middle."""

_FARTHEST, _LONG_REACH = 10_000_000, 1e15  # lattice units, map units; what lies further is a mistake
_POINT = "a point [x, y] in whole lattice units, or the label of a hex for its middle"


class Vertex(NamedTuple):
    """A corner of outlines and drawn lines.

    Attributes
    ----------
    point : (x, y)
        On the lattice.
    features : tuple of str
        Ids of the features that have it.
    """

    point: Point
    features: tuple[str, ...]


class MapShaping(MapDrawing):
    """A drawing whose shapes can be changed as one: who shares a corner or a border goes along."""

    def move_vertex(self, point: PointLike, to: PointLike, *, only: str | Iterable[str] | None = None) -> Self:
        """Move a corner in every outline, hole, wall and drawn line that has it, as one step.

        An outline or a wall that runs through the point without a corner gets one, so that no gap opens. Apertures on
        an edge that moves stay on it, at the same fraction of its length; places, apertures and dots of areas that lie
        exactly at the point go with it. Moved onto the next corner, the two become one.

        Parameters
        ----------
        point, to : (x, y) or str
            On the lattice, or the label of a hex for its middle.
        only : str or iterable of str, optional
            Ids or labels of the features that may change; borders with others part then.

        Returns
        -------
        Map
            The map itself, so that calls can be chained.

        Raises
        ------
        EditError
            When nothing runs through the point; or a sound area would cross itself, collapse, be turned inside out, or
            lose a hole or its dot. The message names the area and the place.
        LabelError
            When a label is unknown.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("phantom_fury", columns=8, rows=8)
        >>> left = town.add("area", type="zone", name="1", outline=[[0, 0], [960, 0], [960, 960], [0, 960]])
        >>> right = town.add("area", type="zone", name="2", outline=[[960, 0], [1920, 0], [1920, 960], [960, 960]])
        >>> _ = town.move_vertex([960, 960], [1200, 800])
        >>> town.features[left].outline[2], town.features[right].outline[3]
        ((1200, 800), (1200, 800))
        """
        with self.lock:
            begin, end = self._point("move_vertex: point", point), self._point("move_vertex: to", to)
            ids = None if only is None else self._ids("move_vertex", only)
            self._step(f"Move corner to {end[0]}, {end[1]}", shapes.move_vertex(self.features, begin, end, ids))
        return self

    def insert_vertex(self, point: PointLike, *, reach: float = 0.1) -> Point:
        """Insert a corner into every edge through a point, as one step.

        Parameters
        ----------
        point : (x, y) or str
        reach : float
            Where no edge runs through the point, the nearest edge up to this distance gets the corner, in map units (a
            hex is 1 high); on its own lattice point next to the point, where it has one.

        Returns
        -------
        (x, y)
            Where the corner is.

        Raises
        ------
        EditError
            When no edge is near, or the corner would bend an area into itself.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            weights = shapes.lattice_weights(self.grid)
            edits, at = shapes.insert_vertex(
                self.features,
                self._point("insert_vertex: point", point),
                reach=self._reach("insert_vertex", reach),
                weights=weights,
            )
            self._step(f"Insert corner at {at[0]}, {at[1]}", edits)
        return at

    def delete_vertex(self, point: PointLike) -> Self:
        """Delete a corner from every outline, hole and line that has it, as one step.

        Parameters
        ----------
        point : (x, y) or str

        Raises
        ------
        EditError
            When nothing has a corner there, a ring would have fewer than three corners, three borders or more meet
            there, so that a gap would open, or an area would cross itself.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            at = self._point("delete_vertex: point", point)
            weights = shapes.lattice_weights(self.grid)
            edits = shapes.delete_vertex(self.features, at, weights=weights)
            self._step(f"Delete corner at {at[0]}, {at[1]}", edits)
        return self

    def move(self, ids: str | Iterable[str], dx: int, dy: int, *, stretch: bool = False) -> Self:
        """Move features as one step, areas with what lies within them.

        Rooms, boxes, apertures, walls and names inside go along.

        Parameters
        ----------
        ids : str or iterable of str
            Ids, or labels of locations.
        dx, dy : int
            Lattice units to the right and down.
        stretch : bool
            True moves the corners that neighbours share along, so that borders stay shared; without it they part.

        Raises
        ------
        EditError
            When there is no such feature, or a neighbour would cross itself.
        """
        with self.lock:
            right, down = self._distance("move: dx", dx), self._distance("move: dy", dy)
            named = self._ids("move", ids)
            edits = shapes.move_features(self.features, named, right, down, stretch=stretch)
            self._step(f"Move {named[0] if len(named) == 1 else f'{len(named)} features'}", edits)
        return self

    def split_area(
        self, area: str, line: Sequence[PointLike], names: str | Sequence[str] = (), *, reach: float = 0.1
    ) -> str:
        """Cut an area in two along a line from border to border, as one step.

        The part with the dot (without a dot the larger one) keeps id, name and markers. Rooms, boxes, apertures and
        links go to the half that holds them; neighbours get the corners where the line meets the border.

        Parameters
        ----------
        area : str
            Id or label.
        line : sequence of (x, y)
        names : str or (str, str)
            Label of the new part; or two, of the part that keeps the id and of the new one. Without it the new part of
            a named area is called after it: 12b beside 12.
        reach : float
            How far from the border an end of the line may be, in map units.

        Returns
        -------
        str
            Id of the new part.

        Raises
        ------
        EditError
            When the line does not cut the area in two, cuts through a part of it, or a name is taken.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            found = self._ids("split_area", [area])[0]
            texts = self._names(names)
            for text in texts:
                self._free("split_area", text, found if len(texts) == 2 and text == texts[0] else "")
            points = [self._point("split_area: line", point) for point in self._several("split_area: line", line)]
            edits, new = shapes.split_area(
                self.features,
                found,
                points,
                texts,
                reach=self._reach("split_area", reach),
                weights=shapes.lattice_weights(self.grid),
            )
            self._step(f"Split {area}", edits)
        return new

    def merge_areas(self, areas: str | Iterable[str], *, name: str | None = None) -> str:
        """Make one area of several that share borders, as one step.

        The first keeps id, name, type and dot. Links, apertures and markers of the others become its own; apertures on
        a border that is gone, and links from one of them to another, go.

        Parameters
        ----------
        areas : iterable of str
            Ids or labels.
        name : str, optional
            Another label for the whole.

        Returns
        -------
        str
            Id of the whole.

        Raises
        ------
        EditError
            When they are of different types or levels, parts of different areas, do not hang together by borders, lie
            over each other, or the name is taken.
        """
        with self.lock:
            ids = self._ids("merge_areas", areas)
            if name is not None:
                self._free("merge_areas", name, *ids)
            self._step(f"Merge {len(ids)} areas", shapes.merge_areas(self.features, ids, name))
        return ids[0]

    def snap(
        self,
        ids: str | Iterable[str],
        to: shapes.SnapTarget | Sequence[shapes.SnapTarget] = ("corners", "sides", "centres", "vertices"),
        *,
        reach: float = 0.1,
    ) -> Self:
        """Move the corners of features onto hexes or other corners near them, as one step.

        Parameters
        ----------
        ids : str or iterable of str
            Ids, or labels of locations.
        to : {"corners", "sides", "centres", "vertices"} or sequence of them
            Corners, sides and centres of hexes, corners of other features.
        reach : float
            Greatest distance in map units (a hex is 1 high).

        Raises
        ------
        EditError
            When there is no such feature or target, or an area would cross itself.
        """
        with self.lock:
            named = self._ids("snap", ids)
            edits = shapes.snap(self.features, self.grid, named, to, reach=self._reach("snap", reach))
            self._step(f"Snap {named[0] if len(named) == 1 else f'{len(named)} features'}", edits)
        return self

    def rename(self, name: str, new: str) -> Self:
        """Give an area or a place another label and follow it through links, apertures and markers, as one step.

        Parameters
        ----------
        name : str
            Id or label.
        new : str
            Not the label of another location. Scenarios on the map name locations by their labels; change them too.

        Raises
        ------
        EditError
            When there is no such area or place, or the label is taken.
        """
        with self.lock:
            found = self._ids("rename", [name])[0]
            if not isinstance(new, str) or not new:
                msg = f"rename: got {new!r}; give the new label as a text"
                raise EditError(msg)
            feature = self.features[found]
            if isinstance(feature, Area | Place):
                self._free("rename", new, found)
            known = [one.label for one in self.survey.directory.others if one.feature == found]
            old = known[0] if known else shapes.label_of(feature) if isinstance(feature, Area | Place) else name
            self._step(f"Rename {old} to {new}", shapes.rename(self.features, found, old, new))
        return self

    def vertices(self, near: PointLike | None = None, *, reach: float | None = None) -> list[Vertex]:
        """Return the corners of outlines and drawn lines.

        Parameters
        ----------
        near : (x, y) or str, optional
            The nearest first; without it they are in the order of their points.
        reach : float, optional
            Only those up to this distance from ``near``, in map units.

        Returns
        -------
        list of Vertex

        Raises
        ------
        EditError
            When ``near`` is no point.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            found = sorted(Vertex(point, tuple(ids)) for point, ids in shapes.corners(self.features).items())
            if near is None:
                return found
            (x, y), (wx, wy) = self._point("vertices: near", near), shapes.lattice_weights(self.grid)
            far = {one.point: wx * (one.point[0] - x) ** 2 + wy * (one.point[1] - y) ** 2 for one in found}
            limit = None if reach is None else self._reach("vertices", reach)
            return sorted(
                (one for one in found if limit is None or far[one.point] <= limit), key=lambda one: far[one.point]
            )

    # -- what callers give -----------------------------------------------------------------------------------------

    def _step(self, title: str, edits: list[Edit]) -> None:
        if edits:
            self.apply(Batch(title=title, edits=edits))

    def _point(self, what: str, value: Any) -> Point:
        if isinstance(value, str):
            return self.grid.centre(self.labels.cell(value))
        try:
            x, y = value
            if isinstance(x, bool) or isinstance(y, bool) or int(x) != x or int(y) != y:
                raise ValueError
        except (TypeError, ValueError, OverflowError) as error:
            msg = f"{what}: got {shortened(value)}; allowed: {_POINT}"
            raise EditError(msg) from error
        return self._distance(what, int(x)), self._distance(what, int(y))

    def _distance(self, what: str, value: Any) -> int:
        """Return a whole number of lattice units that is not past all maps."""
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            raise EditError(f"{what}: got {shortened(value)}; allowed: a whole number of lattice units")
        if abs(int(value)) > _FARTHEST:
            raise EditError(
                f"{what}: got {shortened(value)}, far off the map; allowed: up to {_FARTHEST} lattice units"
            )
        return int(value)

    def _names(self, names: Any) -> list[str]:
        """Return the labels of the parts of an area, none, one or two."""
        texts = [names] if isinstance(names, str) else list(names) if isinstance(names, list | tuple) else [names]
        if len(texts) > 2 or not all(isinstance(text, str) for text in texts) or len(set(texts)) != len(texts):
            msg = f"split_area: got names={shortened(names)}; allowed: the label of the new part, or of both parts"
            raise EditError(msg)
        return texts

    def _reach(self, what: str, reach: Any) -> Fraction:
        """Return the square of a distance in map units, in the weights of the lattice."""
        if isinstance(reach, bool) or not isinstance(reach, int | float | np.number) or not 0 <= reach <= _LONG_REACH:
            msg = f"{what}: got reach={shortened(reach)}; allowed: a distance in map units (a hex is 1 high)"
            raise EditError(msg)
        sx, sy = self.grid.scale
        return 3 * (Fraction(float(reach)) / Fraction(sy if self.grid.flat else sx)) ** 2

    def _free(self, what: str, label: str, *own: str) -> None:
        """Refuse a label that a hex, a road or another area or place has."""
        if not isinstance(label, str):
            msg = f"{what}: got the label {shortened(label)}; give it as a text"
            raise EditError(msg)
        taken = [
            feature.id
            for feature in self.features.values()
            if isinstance(feature, Area | Place) and feature.id not in own and shapes.label_of(feature) == label
        ]
        cell = self.labels.find(label.removesuffix(ROAD_SUFFIX))
        if taken or cell is not None:
            who = taken[0] if taken else f"hex {label.removesuffix(ROAD_SUFFIX)}"
            msg = f"{what}: {shortened(label)} is the label of {who} already; choose another, or rename that first"
            raise EditError(msg)
        other = self.features.get(label)
        if isinstance(other, Area | Place) and label not in own:
            # Commands take ids and labels alike, and an id comes first: this label would lead to the wrong one.
            msg = f"{what}: {label!r} is the id of {said(other)} already, which it would be taken for; choose another"
            raise EditError(msg)
