"""The drawing of a map: what a designer paints, draws and names, each step an edit with its way back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from studio.api.document import Document
from studio.api.records import check_record
from studio.errors import EditError, nearest
from studio.files import Stamp, write_map_text
from studio.grid import HexGrid, Labels
from studio.model import (
    Batch,
    Change,
    Delete,
    Edit,
    Feature,
    MapDocument,
    MapModel,
    Paint,
    Put,
    SetField,
    SetSide,
    describe,
)
from studio.rules import Ruleset, get_ruleset
from studio.survey import Survey

__all__ = ["MapDrawing"]

_ALLOWED = {
    "title": "a text",
    "notes": "a text",
    "sources": "a list of texts",
    "georeference": "a Georeference with its affine of six numbers, or None",
    "labels": "a LabelScheme, such as LabelScheme.ccrr() or LabelScheme.lettered()",
}


class MapDrawing(Document):
    """The drawing of a map, and the edits that change it."""

    kind = "map"

    def __init__(
        self,
        model: MapModel,
        *,
        path: Path | None = None,
        stamp: Stamp | None = None,
        ruleset: Ruleset | None = None,
    ) -> None:
        super().__init__(model, path, stamp)
        self.model = model
        self.ruleset = ruleset or get_ruleset(model.ruleset)
        self.survey = Survey(model, self.ruleset.survey_scheme)

    def __repr__(self) -> str:
        grid = self.grid
        return f"Map({self.title!r}, {grid.columns} x {grid.rows} hexes, {self.ruleset.id})"

    def _repr_html_(self) -> str:
        from html import escape

        where = f" - {escape(self.path.name)}" if self.path else ""
        size = f"{self.grid.columns} × {self.grid.rows} hexes, {escape(self.ruleset.title)}{where}"
        return f"<b>{escape(self.title)}</b><br>{size}"

    @property
    def grid(self) -> HexGrid:
        """The hex grid."""
        return self.model.grid

    @property
    def labels(self) -> Labels:
        """The labels, bound to the grid."""
        return self.model.labels

    @property
    def terrain(self) -> Any:
        """Terrain plane: uint8, shape (rows, columns), index into ``terrain_ids``."""
        return self.model.terrain

    @property
    def terrain_ids(self) -> list[str]:
        """Terrain ids in the order of their codes."""
        return self.model.terrain_ids

    @property
    def levels(self) -> Any:
        """Level plane: int8, shape (rows, columns)."""
        return self.model.levels

    @property
    def features(self) -> dict[str, Feature]:
        """Features by id."""
        return self.model.features

    @property
    def document(self) -> MapDocument:
        """The map as its file holds it."""
        return self.model.to_document()

    def _text(self) -> bytes:
        return write_map_text(self.model)

    def to_text(self) -> str:
        """Return the map as the text of its file."""
        return self._text().decode("utf-8")

    def _allow(self, edit: Edit) -> None:
        rules = self.ruleset
        match edit:
            case SetSide():
                for kind in edit.kinds:
                    self._known("hexside", kind, rules.side_kinds)
            case Put():
                record = edit.record
                if edit.collection == "features":
                    check_record(rules, record)
                if record.get("kind") == "contour":
                    self._allow_levels([record.get("level")], "contour")
            case Paint() if edit.plane == "levels":
                self._allow_levels(edit.values, "paint")
            case Batch():
                for step in edit.edits:
                    self._allow(step)

    def _known(self, what: str, name: Any, known: Iterable[str]) -> None:
        if not isinstance(name, str) or name not in known:
            msg = f"{self.ruleset.title} has no {what} {name!r}; {nearest(str(name), known)}"
            raise EditError(msg)

    def _allow_levels(self, values: Iterable[Any], what: str) -> None:
        low, high = self.ruleset.levels
        for value in values:
            if isinstance(value, int) and not low <= value <= high:
                msg = f"{what}: level {value}; {self.ruleset.title} has the levels {low} to {high}"
                raise EditError(msg)

    def _follow(self, change: Change) -> Change:
        self.survey.update(change)
        return super()._follow(change)

    def paint(
        self,
        labels: str | Iterable[str],
        *,
        terrain: str | None = None,
        level: int | None = None,
    ) -> Self:
        """Give hexes a terrain, a level, or both, as one step.

        Parameters
        ----------
        labels : str or iterable of str
            One hex or several.
        terrain : str, optional
            Terrain id, such as ``"light_woods"``.
        level : int, optional

        Returns
        -------
        Map
            The map itself, so that calls can be chained.

        Raises
        ------
        LabelError
            When a label is unknown.
        EditError
            When the terrain is unknown or the level out of range; nothing is painted then.
        """
        if not isinstance(labels, Iterable):
            msg = f"paint: got {labels!r}; name one hex, or several, by their labels"
            raise EditError(msg)
        cells = list(dict.fromkeys(self.labels.cells([labels] if isinstance(labels, str) else list(labels))))
        edits: list[Edit] = []
        if terrain is not None:
            edits.append(Paint(plane="terrain", cells=cells, values=[terrain]))
        if level is not None:
            edits.append(Paint(plane="levels", cells=cells, values=[level]))
        if not edits or not cells:
            msg = "paint: name hexes, and a terrain or a level"
            raise EditError(msg)
        self.apply(edits[0] if len(edits) == 1 else Batch(title=describe(edits[0]), edits=edits))
        return self

    def set_side(self, a: str, b: str, kind: str | Sequence[str] | None) -> Self:
        """Say what runs on the side of two adjacent hexes.

        Parameters
        ----------
        a, b : str
            Labels.
        kind : str, sequence of str or None
            Such as ``"fence"``; None clears the side.

        Raises
        ------
        LabelError
            When a label is unknown.
        EditError
            When the hexes are not adjacent, or the game has no such hexside.
        """
        if not isinstance(kind, str | Sequence | None):
            msg = f"hexside: got {kind!r}; give a kind such as 'fence', several, or None to clear the side"
            raise EditError(msg)
        kinds = () if kind is None else (kind,) if isinstance(kind, str) else tuple(kind)
        self.apply(SetSide(a=self.labels.cell(a), b=self.labels.cell(b), kinds=kinds))
        return self

    def add(self, feature: Feature | Mapping[str, Any] | str, **fields: Any) -> str:
        """Add a feature, or replace the one with its id.

        Parameters
        ----------
        feature : Feature, mapping or str
            A feature, its record, or just its kind with the fields as keywords. Without an id it gets a new one. A game
            has some of these kinds, and of each the types that ``studio rules`` lists:

            * ``road``: ``path`` (labels of adjacent hexes), ``surface`` ("paved" or "unpaved"), ``name``, ``line``
              (points, where it is not drawn through the centres of its hexes)
            * ``crest``: ``path`` (labels of adjacent hexes), ``name``
            * ``contour``: ``level`` of its higher side, ``line`` (points, the first repeated at the end if closed)
            * ``name``: ``text``, ``at`` (a label, or a point), ``size`` (hex heights), ``angle`` (degrees)
            * ``marker``: ``type`` (such as "smoke"), ``at`` (a label), ``also`` (labels that it covers too)
            * ``area``: ``type``, ``outline`` (points, the first not repeated), ``holes``, ``name`` (its label, if it
              is a location), ``dot`` (a point), ``level``, ``within`` (id of the area around it), ``tags``
            * ``place``: ``type``, ``name`` (its label), ``at`` (a label, or a point), ``within``, ``level``, ``tags``
            * ``wall``: ``type``, ``line`` (points), ``name``
            * ``aperture``: ``type``, ``at`` (a point), ``into`` (label of the location that it belongs to), ``arrows``
              (its arc of fire: one or two lists, each of one label or of two), ``open``
            * ``link``: ``type``, ``a`` and ``b`` (labels), ``one_way``, ``order``, ``text``
            * ``dot``: ``at`` (label of a hex), ``point``

            A point is [x, y] in whole units of the lattice, y down: ``grid.centre(labels.cell("0101"))`` is the middle
            of a hex, ``grid.corners(...)`` its corners. With flat tops a hex is 960 units wide and 480 high; from one
            column to the next it is 720, and 240 up or down. ``docs/drawing.md`` is the guide.

        Returns
        -------
        str
            The id.

        Raises
        ------
        EditError
            When the feature does not fit the map or the game.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=4, rows=4)
        >>> desert.add("road", path=["0101", "0201", "0302"])
        'road-1'
        >>> town = studio.new_map("modern_tactics", columns=4, rows=4)
        >>> x, y = town.grid.centre(town.labels.cell("0202"))
        >>> town.add("area", type="structure", outline=[[x, y], [x + 200, y], [x + 200, y + 100], [x, y + 100]])
        'area-1'
        """
        if not isinstance(feature, str | Mapping | msgspec.Struct):
            msg = f"add: got {feature!r}; give a feature, its record, or its kind with the fields as keywords"
            raise EditError(msg)
        if isinstance(feature, str):
            record: dict[str, Any] = {"kind": feature, **fields}
        elif isinstance(feature, Mapping):
            record = {**feature, **fields}
        else:
            record = msgspec.to_builtins(feature)
        record.setdefault("id", self.model.new_id(str(record.get("kind", "feature"))))
        if record.get("kind") in ("name", "place") and isinstance(record.get("at"), str):
            record["at"] = list(self.grid.centre(self.labels.cell(record["at"])))
        record = {name: _plain(value) for name, value in record.items()}
        self.apply(Put(collection="features", record=record))
        return str(record["id"])

    def remove(self, feature_id: str) -> Self:
        """Take a feature away.

        Raises
        ------
        EditError
            When there is no such feature.
        """
        self.apply(Delete(collection="features", id=feature_id))
        return self

    def set(self, field: str, value: Any) -> Self:
        """Set a field of the map: ``title``, ``notes``, ``sources``, ``georeference`` or ``labels`` (a scheme).

        Raises
        ------
        EditError
            When there is no such field, or it cannot have such a value.
        """
        try:
            plain = msgspec.to_builtins(value)
        except TypeError as error:
            msg = f"set {field}: got {value!r}; {error}"
            raise EditError(msg) from error
        try:
            self.apply(SetField(field=field, value=plain))
        except EditError as error:
            if isinstance(error.__cause__, msgspec.ValidationError) and field in _ALLOWED:
                msg = f"set {field}: got {value!r}; allowed: {_ALLOWED[field]}"
                raise EditError(msg) from error
            raise
        return self


def _plain(value: Any) -> Any:
    """Return a value as a record holds it: lists for tuples and arrays, plain numbers for those of NumPy."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_plain(one) for one in value] if isinstance(value, list | tuple) else value
