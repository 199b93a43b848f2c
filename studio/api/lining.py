"""Lines drawn on a map: walls, contours and roads, drawn, cut in two, joined, closed and turned round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import msgspec

from studio.api.apart import MapApart
from studio.api.geometry import line_path
from studio.api.records import check_record, check_surface
from studio.api.shaping import PointLike
from studio.errors import EditError, shortened
from studio.model import Batch, Edit, Feature, Put
from studio.model import topology as shapes
from studio.model.topology.draft import said

__all__ = ["MapLining"]

_LINES = ("wall", "contour", "road")


class MapLining(MapApart):
    """A map on which lines are drawn."""

    def draw_line(self, kind: str, line: Sequence[PointLike], *, snap: bool = True, **fields: Any) -> str:
        """Draw a wall, a contour or a road as a line, as one step.

        Parameters
        ----------
        kind : {"wall", "contour", "road"}
            A road leads through the hexes that its line runs through.
        line : sequence of (x, y)
            The first point repeated at the end where it is closed.
        snap : bool
            True fits a wall to the borders within one unit of the lattice, as :meth:`add` does.
        **fields
            Further fields: ``type`` of a wall, ``level`` of a contour, ``surface`` of a road, ``name``, ``id``.

        Returns
        -------
        str
            The id.

        Raises
        ------
        EditError
            When the game has no such line, it goes nowhere, or a road leaves the map between its ends.
        LabelError
            When a label is unknown.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=6, rows=6)
        >>> desert.draw_line("road", ["0102", "0104"], surface="unpaved")
        'road-1'
        >>> desert.features["road-1"].path
        ('0102', '0103', '0104')
        """
        with self.lock:
            if kind not in _LINES:
                msg = f"draw_line: got the kind {shortened(kind)}; allowed: {', '.join(map(repr, _LINES))}"
                raise EditError(msg)
            points = [list(self._point("draw_line: line", point)) for point in self._several("draw_line: line", line)]
            path = {"path": line_path(self.labels, points)} if kind == "road" else {}
            record = self._checked({"kind": kind, "line": points, **path, **fields})
            check_record(self.ruleset, record, self._known_label)
            check_surface(record)
            put: Edit = Put(collection="features", record=record)
            edit = (self._fitted(record) if snap else None) or put
            made = cast("Feature", msgspec.convert(record, Feature, strict=True))
            self._step(f"Draw {said(made)}", edit.edits if isinstance(edit, Batch) else [edit])
        return str(record["id"])

    def split_line(self, line: str, point: PointLike, *, reach: float = 0.1) -> str:
        """Cut a wall, a contour or a drawn road in two at a point, as one step; one that is closed is opened.

        Parameters
        ----------
        line : str
            Id.
        point : (x, y) or str
        reach : float
            How far from the line the point may be, in map units.

        Returns
        -------
        str
            Id of the new line, or of the old one where it was closed.

        Raises
        ------
        EditError
            When there is no such line, or the point is not on it or is its end.
        LabelError
            When a label is unknown.
        """
        with self.lock:
            (found,) = self._ids("split_line", [line])
            edits, new = shapes.split_line(
                self.features,
                found,
                self._point("split_line: point", point),
                reach=int(self._reach("split_line", reach)),
                weights=shapes.lattice_weights(self.grid),
            )
            self._step(f"Split {found}", self._joined_at(edits, found, new))
        return new

    def join_lines(self, ids: str | Iterable[str]) -> str:
        """Make one line of two walls, contours or drawn roads, or close one, as one step.

        Parameters
        ----------
        ids : str or iterable of str
            Two lines, joined at their nearest ends; or one.

        Returns
        -------
        str
            Id of the first, which is the whole now.

        Raises
        ------
        EditError
            When they are not alike, one is closed, or there are more than two.
        """
        with self.lock:
            named = self._ids("join_lines", ids)
            edits = shapes.join_lines(self.features, named, shapes.lattice_weights(self.grid))
            self._step(f"Join {' and '.join(named)}" if len(named) > 1 else f"Close {named[0]}", edits)
        return named[0]

    def reverse_line(self, line: str) -> str:
        """Turn a wall, a contour or a drawn road round, as one step; returns its id.

        Raises
        ------
        EditError
            When there is no such line.
        """
        with self.lock:
            (found,) = self._ids("reverse_line", [line])
            self._step(f"Turn {found} round", shapes.reverse_line(self.features, found))
        return found

    def _joined_at(self, edits: list[Edit], first: str, second: str) -> list[Edit]:
        """Return the edits of a split; of a road on the side of two hexes both pieces have the hex before it."""
        records = {edit.record["id"]: edit.record for edit in edits if isinstance(edit, Put)}
        if first == second or records[first]["kind"] != "road":
            return edits
        paths = {name: line_path(self.labels, [list(p) for p in records[name]["line"]]) for name in (first, second)}
        if paths[first][-1] != paths[second][0]:
            paths[second].insert(0, paths[first][-1])
        return [
            Put(collection="features", record={**edit.record, "path": paths[edit.record["id"]]})
            if isinstance(edit, Put) and edit.record["id"] in paths
            else edit
            for edit in edits
        ]
