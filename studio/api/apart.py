"""Areas that a game keeps apart: which they are, and steps refused that would lay one over another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from studio.api.geometry import line_path
from studio.api.shaping import MapShaping
from studio.errors import EditError
from studio.model import Area, Edit, Feature, Put, Road
from studio.model.topology.draft import said
from studio.model.topology.rings import bounds, boxes_meet

__all__ = ["MapApart"]

_LOCATIONS = "locations"


class MapApart(MapShaping):
    """A shaped map that can refuse steps after which areas would cover the same ground."""

    _apart = False

    @contextmanager
    def kept_apart(self) -> Iterator[None]:
        """Refuse steps after which areas that the game keeps apart would cover the same ground, where they did not."""
        with self.lock:
            before, self._apart = self._apart, True
            try:
                yield
            finally:
                self._apart = before

    # -- what every step follows -----------------------------------------------------------------------------------

    def _step(self, title: str, edits: list[Edit]) -> None:
        edits = [self._with_path(edit) for edit in edits]
        if self._apart:
            changed = [msgspec.convert(edit.record, Feature) for edit in edits if isinstance(edit, Put)]
            gone = {edit.id for edit in edits if not isinstance(edit, Put) and hasattr(edit, "id")}
            self._refuse_overlaps({one.id: one for one in changed if isinstance(one, Area)}, gone)
        super()._step(title, edits)

    def _with_path(self, edit: Edit) -> Edit:
        """Return an edit whose road goes through the hexes of its line, where the line is another than before."""
        if not isinstance(edit, Put) or edit.record.get("kind") != "road" or not edit.record.get("line"):
            return edit
        old, line = self.features.get(edit.record["id"]), [list(point) for point in edit.record["line"]]
        if isinstance(old, Road) and [list(point) for point in old.line] == line:
            return edit
        path = line_path(self.labels, line)
        if [*edit.record.get("path", ())][1:] == path:
            return edit  # from the side of two hexes it goes on from another road, in the hex before
        return Put(collection="features", record={**edit.record, "path": path})

    def _layer(self, area: Area) -> str:
        kind = self.ruleset.area_types.get(area.type)
        return "" if kind is None else kind.layer or (_LOCATIONS if kind.location else "")

    def _part_of(self, inner: Area, outer: Area, new: dict[str, Area]) -> bool:
        seen: set[str] = set()
        around = inner.within
        while around and around not in seen:
            if around == outer.id:
                return True
            seen.add(around)
            whole = new.get(around, self.features.get(around))
            around = whole.within if isinstance(whole, Area) else ""
        return False

    def _kept_apart(self, area: Area, new: dict[str, Area] | None = None) -> list[str]:
        """Return the ids of the areas that may not cover the same ground as an area, near it."""
        layer, box, known = self._layer(area), bounds(area.outline), {**(new or {}), area.id: area}
        if not layer:
            return []
        parts = self.ruleset.area_types[area.type].parts
        return [
            one.id
            for one in self.features.values()
            if isinstance(one, Area)
            and one.id != area.id
            and boxes_meet(bounds(one.outline), box)
            and self._layer(one) == layer
            and one.type not in parts
            and not self._part_of(area, one, known)
            and not self._part_of(one, area, known)
        ]

    def _refuse_overlaps(self, new: dict[str, Area], gone: Iterable[str] = ()) -> None:
        """Refuse areas that would lie over others of their layer where they did not before."""
        import shapely

        gone = frozenset(gone)
        made = {name: shapely.Polygon(area.outline, area.holes) for name, area in new.items()}
        extra = {name: area for name, area in new.items() if name not in self.features}
        for name, area in new.items():
            old = self.features.get(name)
            beside = [*self._kept_apart(area, new), *(one for one in extra if one != name)]
            for other in beside:
                known = new.get(other) or self.features.get(other)
                if other in gone or not isinstance(known, Area) or (other in new and other < name):
                    continue
                if self._layer(known) != self._layer(area) or not self._layer(area):
                    continue
                if self._part_of(known, area, new) or self._part_of(area, known, new):
                    continue
                theirs = made[other] if other in new else self.survey.polygon(other)
                if not (made[name].is_valid and theirs.is_valid) or not _covers_too(made[name], theirs):
                    continue
                if isinstance(old, Area) and other in self.features:
                    before = self.survey.polygon(name), self.survey.polygon(other)
                    if all(one.is_valid for one in before) and _covers_too(*before):
                        continue  # it was so before: moving corners is how a designer mends it
                at = made[name].intersection(theirs).representative_point()
                msg = (
                    f"{said(area, known_by_id=True)} would lie over {said(known, known_by_id=True)} at "
                    f"({round(at.x)}, {round(at.y)}); {self.ruleset.title} keeps them apart. Keep off it, or cut one"
                )
                raise EditError(msg)

    def _whole_of(self, new: Area) -> str:
        """Return the id of the smallest area that a new one lies within, of the types that it is part of."""
        import shapely

        wholes = [name for name, kind in self.ruleset.area_types.items() if new.type in kind.parts]
        box = bounds(new.outline)
        near = [
            one
            for one in self.features.values()
            if isinstance(one, Area) and one.type in wholes and boxes_meet(bounds(one.outline), box)
        ]
        if not near:
            return ""
        shape = shapely.Polygon(new.outline)
        if not shape.is_valid:
            return ""
        point = shape.representative_point()
        around = [
            (self.survey.polygon(one.id).area, one.id)
            for one in near
            if self.survey.polygon(one.id).is_valid and self.survey.polygon(one.id).covers(point)
        ]
        return min(around)[1] if around else ""


def _covers_too(a: Any, b: Any) -> bool:
    """Tell whether two polygons have ground in common; exact on whole numbers."""
    return bool(a.relate_pattern(b, "T********"))
