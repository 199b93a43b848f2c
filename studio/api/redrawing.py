"""The drawing of areas and lines beside what is there: cuts at neighbours, holes, copies, lines cut and joined."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, TypeAlias, cast

import msgspec

from studio.api.lining import MapLining
from studio.api.records import check_record, check_surface
from studio.api.shaping import PointLike
from studio.errors import EditError, shortened
from studio.model import Area, Edit, Feature, Point, Put
from studio.model import topology as shapes
from studio.model.topology.draft import Draft, said

__all__ = ["MapRedrawing", "Overlap"]

Overlap: TypeAlias = Literal["cut", "over", "refuse", "leave"]
"""What becomes of ground that a new area and others would both cover."""

_OVERLAPS = ("cut", "over", "refuse", "leave")


class MapRedrawing(MapLining):
    """A shaped map on which areas are laid beside each other."""

    def draw_area(
        self,
        type: str,
        outline: Sequence[PointLike],
        *,
        holes: Sequence[Sequence[PointLike]] = (),
        overlap: Overlap = "cut",
        **fields: Any,
    ) -> list[str]:
        """Draw an area beside those that are there, as one step, so that borders are shared to the corner.

        Corners next to a border go onto it. What the area is part of is found where the game says what such an area
        lies within, such as the building of a room.

        Parameters
        ----------
        type : str
            An area type of the game.
        outline : sequence of (x, y)
        holes : sequence of outlines
        overlap : {"cut", "over", "refuse", "leave"}
            Where it would cover the ground of an area that the game keeps apart from it: the new one is cut, the other
            one is, the step is refused, or both stay as they are.
        **fields
            Further fields of an area: ``name``, ``level``, ``dot``, ``tags``, ``within``, ``id``.

        Returns
        -------
        list of str
            The id, and those of further pieces where others part it.

        Raises
        ------
        EditError
            When the outline crosses itself, the game has no such type, nothing is left of the area, or it covers
            another one wholly.
        LabelError
            When a label is unknown.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("phantom_fury", columns=8, rows=8)
        >>> town.draw_area("zone", [[0, 0], [960, 0], [960, 960], [0, 960]], name="1")
        ['area-1']
        >>> town.draw_area("zone", [[480, 0], [1920, 0], [1920, 960], [480, 960]], name="2")
        ['area-2']
        >>> sorted(town.features["area-2"].outline)
        [(960, 0), (960, 960), (1920, 0), (1920, 960)]
        """
        with self.lock:
            if overlap not in _OVERLAPS:
                msg = f"draw_area: got overlap={shortened(overlap)}; allowed: {', '.join(map(repr, _OVERLAPS))}"
                raise EditError(msg)
            record = self._checked(
                {
                    "kind": "area",
                    "type": type,
                    "outline": self._ring("draw_area: outline", outline),
                    "holes": [self._ring("draw_area: holes", hole) for hole in self._several("draw_area", holes)],
                    **fields,
                }
            )
            check_record(self.ruleset, record, self._known_label)
            check_surface(record)
            if record.get("name") and record["id"] not in self.features:
                self._free_place("draw_area", str(record["type"]), str(record["name"]))
            new = cast("Area", msgspec.convert(record, Feature, strict=True))
            if not new.within:
                new = msgspec.structs.replace(new, within=self._whole_of(new))
            beside = self._kept_apart(new) if overlap != "leave" else []
            weights = shapes.lattice_weights(self.grid)
            keep = beside if overlap in ("cut", "over") else []
            edits, pieces = shapes.lay_area(self.features, new, keep, over=overlap == "over", weights=weights)
            if overlap == "refuse":
                self._refuse_overlaps({piece.id: piece for piece in pieces})
            puts: list[Edit] = [Put(collection="features", record=msgspec.to_builtins(piece)) for piece in pieces]
            self._step(f"Draw {said(new)}", [*edits, *puts])
        return [piece.id for piece in pieces]

    def bend_edge(self, point: PointLike, to: PointLike, *, reach: float = 0.1) -> Point:
        """Insert a corner into every edge through a point and move it, as one step.

        Parameters
        ----------
        point : (x, y) or str
            Where no edge runs through it, the nearest edge gets the corner.
        to : (x, y) or str
        reach : float
            How far the edge may be from the point, in map units.

        Returns
        -------
        (x, y)
            Where the corner is.

        Raises
        ------
        EditError
            When no edge is near, or an area would cross itself.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            weights, limit = shapes.lattice_weights(self.grid), self._reach("bend_edge", reach)
            begin, end = self._point("bend_edge: point", point), self._point("bend_edge: to", to)
            edits, at = shapes.insert_vertex(self.features, begin, reach=limit, weights=weights)
            if begin != end:
                bent = Draft(self.features)
                for edit in edits:
                    bent.enact(edit)
                edits = [*edits, *shapes.move_vertex({one.id: one for one in bent.all()}, at, end)]
                at = end
            self._step(f"Insert corner at {at[0]}, {at[1]}", edits)
        return at

    def cut_hole(self, area: str, outline: Sequence[PointLike]) -> str:
        """Cut a hole into an area, as one step.

        Parameters
        ----------
        area : str
            Id or label.
        outline : sequence of (x, y)
            Where it crosses the border of the area, the border is cut back.

        Returns
        -------
        str
            Id of the area.

        Raises
        ------
        EditError
            When the outline crosses itself, takes the whole area or parts it.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            found, old = self._area("cut_hole", area)
            ring = tuple((x, y) for x, y in self._ring("cut_hole: outline", outline))
            stamp = msgspec.structs.replace(
                old, outline=ring, holes=(), dot=None, name="", id=self.model.new_id("area")
            )
            weights = shapes.lattice_weights(self.grid)
            edits, _ = shapes.lay_area(self.features, stamp, [found], over=True, weights=weights)
            if any(isinstance(edit, Put) and edit.record["id"] not in self.features for edit in edits):
                msg = f"cut_hole: it would cut {said(old, known_by_id=True)} in pieces; split it by a line instead"
                raise EditError(msg)
            self._step(f"Cut a hole into {said(old)}", edits)
        return found

    def fill_holes(self, area: str, number: int | None = None) -> str:
        """Fill one hole of an area, or all of them, as one step.

        Parameters
        ----------
        area : str
            Id or label.
        number : int, optional
            Which one, from 0.

        Returns
        -------
        str
            Id of the area.

        Raises
        ------
        EditError
            When it has no such hole, or another area that the game keeps apart from it lies in there.
        """
        with self.lock:
            found, old = self._area("fill_holes", area)
            if not old.holes or (number is not None and not 0 <= number < len(old.holes)):
                msg = f"fill_holes: {said(old, known_by_id=True)} has {len(old.holes)} holes; got the number {number}"
                raise EditError(msg)
            holes = () if number is None else tuple(hole for n, hole in enumerate(old.holes) if n != number)
            new = msgspec.structs.replace(old, holes=holes)
            self._refuse_overlaps({found: new})
            self._step(f"Fill a hole of {said(old)}", [Put(collection="features", record=msgspec.to_builtins(new))])
        return found

    def erase(self, ids: str | Iterable[str]) -> int:
        """Take features away with what is part of them and what goes by their labels, as one step.

        Parameters
        ----------
        ids : str or iterable of str
            Ids, or labels of locations.

        Returns
        -------
        int
            How many features went.

        Raises
        ------
        EditError
            When there is no such feature.
        """
        with self.lock:
            named, before = self._ids("erase", ids), len(self.features)
            edits = shapes.erase_features(self.features, named)
            what = said(self.features[named[0]]) if len(named) == 1 else f"{len(named)} features"
            self._step(f"Remove {what}", edits)
            return before - len(self.features)

    def duplicate(self, ids: str | Iterable[str], dx: int, dy: int) -> list[str]:
        """Copy features with what is part of them, moved by a way, as one step.

        Parameters
        ----------
        ids : str or iterable of str
            Ids, or labels of locations.
        dx, dy : int
            Lattice units to the right and down.

        Returns
        -------
        list of str
            Ids of the copies.

        Raises
        ------
        EditError
            When there is no such feature, a copy would lie off the map, or be no other, as that of a link between
            rooms that are not copied.
        """
        with self.lock:
            named = self._ids("duplicate", ids)
            right, down = self._distance("duplicate: dx", dx), self._distance("duplicate: dy", dy)
            edits, new = shapes.copy_features(
                self.features, named, right, down, lambda label: self._beside(label, right, down)
            )
            what = said(self.features[named[0]]) if len(named) == 1 else f"{len(named)} features"
            self._step(f"Copy {what}", edits)
        return new

    def _beside(self, label: str, dx: int, dy: int) -> str | None:
        """Return the label of the hex that lies so far from another; of what is no hex the same label."""
        grid, number = self.grid, self.survey.directory.find(label)
        if number is None or number >= grid.cells:
            return label
        x, y = grid.centre(number)
        cell = grid.cell_at(*grid.to_map(x + dx, y + dy))
        return None if cell is None or cell < 0 else str(self.labels.label(cell))

    # -- what callers give -----------------------------------------------------------------------------------------

    def _area(self, what: str, name: str) -> tuple[str, Area]:
        (found,) = self._ids(what, [name])
        area = self.features[found]
        if not isinstance(area, Area):
            msg = f"{what}: {said(area, known_by_id=True)} is no area; name one"
            raise EditError(msg)
        return found, area

    def _ring(self, what: str, points: Any) -> list[Point]:
        return [self._point(what, point) for point in self._several(what, points)]

    def _free_place(self, what: str, type_: str, name: str) -> None:
        """Refuse the label of another location for one that will be a location."""
        kind = self.ruleset.area_types.get(type_)
        if kind is not None and kind.location:
            self._free(what, name)
