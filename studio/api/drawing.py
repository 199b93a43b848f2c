"""The drawing of a map: what a designer paints, draws and names, each step an edit with its way back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from studio.api.clouds import cloud_record, turning
from studio.api.geometry import geometry_fields, geometry_of
from studio.api.naming import MapNaming
from studio.api.records import check_record, check_surface
from studio.errors import EditError, shortened
from studio.files import Stamp, write_map_text
from studio.model import (
    Area,
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
    Sheet,
    Wall,
    describe,
)
from studio.model.relabelling import renamed_sheets
from studio.model.sheets import PREFIX_WORDS
from studio.model.topology import fit, lattice_weights
from studio.rules import Ruleset, get_ruleset
from studio.survey import Survey

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

__all__ = ["MapDrawing"]

_ALLOWED = {
    "title": "a text",
    "notes": "a text",
    "sources": "a list of texts",
    "georeference": "a Georeference with its affine of six numbers, or None",
    "labels": "a LabelScheme, such as LabelScheme.ccrr() or LabelScheme.lettered()",
    "sheets": f"a list of Sheets, one for each of map.sheets, with prefixes of {PREFIX_WORDS}",
}


class MapDrawing(MapNaming):
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
        # How often the hexes moved or were renamed, and how far they are from where they were, on the lattice.
        self.moves = (0, 0, 0)

    def __repr__(self) -> str:
        grid = self.grid
        return f"Map({self.title!r}, {grid.columns} x {grid.rows} hexes, {self.ruleset.id})"

    def _repr_html_(self) -> str:
        from html import escape

        where = f" - {escape(self.path.name)}" if self.path else ""
        size = f"{self.grid.columns} × {self.grid.rows} hexes, {escape(self.ruleset.title)}{where}"
        return f"<b>{escape(self.title)}</b><br>{size}"

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """The maps that lie on the grid, where there are several, with their labels and layers; empty for one map."""
        return self.model.sheets

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
                    check_record(rules, record, self._known_label)
                    self._allow_label(record)
                if record.get("kind") == "contour":
                    self._allow_levels([record.get("level")], "contour")
            case Paint() if edit.plane == "levels":
                self._allow_levels(edit.values, "paint")
            case Batch():
                for step in edit.edits:
                    self._allow(step)

    def _follow(self, change: Change) -> Change:
        self.survey.update(change)
        if change.moved is not None:
            count, x, y = self.moves
            dx, dy = change.moved.away
            self.moves = (count + 1, x + dx, y + dy)
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
            msg = f"paint: got {shortened(labels)}; name one hex, or several, by their labels"
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
            msg = f"hexside: got {shortened(kind)}; give a kind such as 'fence', several, or None to clear the side"
            raise EditError(msg)
        kinds = () if kind is None else (kind,) if isinstance(kind, str) else tuple(kind)
        self.apply(SetSide(a=self.labels.cell(a), b=self.labels.cell(b), kinds=kinds))
        return self

    def add(self, feature: Feature | Mapping[str, Any] | str, *, snap: bool = False, **fields: Any) -> str:
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
              is a location), ``dot`` (a point), ``level``, ``within`` (id or label of the area around it), ``tags``
            * ``place``: ``type``, ``name`` (its label), ``at`` (a label, or a point), ``within``, ``level``, ``tags``
            * ``wall``: ``type``, ``line`` (points), ``name``
            * ``aperture``: ``type``, ``at`` (a point), ``into`` (label of the location that it belongs to), ``arrows``
              (its arc of fire: one or two lists, each of one label or of two), ``open``
            * ``link``: ``type``, ``a`` and ``b`` (labels), ``one_way``, ``order``, ``text``
            * ``dot``: ``at`` (label of a hex), ``point``

            A point is [x, y] in whole units of the lattice, y down: ``grid.centre(labels.cell("0101"))`` is the middle
            of a hex, ``grid.corners(...)`` its corners. With flat tops a hex is 960 units wide and 480 high; from one
            column to the next it is 720, and 240 up or down. ``docs/drawing.md`` is the guide.

            Instead of ``outline``, ``line``, ``at`` or ``point`` give ``geometry``, a shapely geometry in map units:
            a Polygon for an area, a LineString for a wall, a contour or a road (whose ``path`` may be left out then),
            a Point for a place, a name, an aperture or a dot. It is snapped to the lattice.
        snap : bool
            True fits an area or a wall to the borders within one unit of the lattice of it: rounding parts a corner
            from the slanted edge that it was to lie on. Both have the same corner then.
        **fields
            Fields of the feature.

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
            msg = f"add: got {shortened(feature)}; give a feature, its record, or its kind with the fields as keywords"
            raise EditError(msg)
        if isinstance(feature, str):
            record: dict[str, Any] = {"kind": feature, **fields}
        elif isinstance(feature, Mapping):
            record = {**feature, **fields}
        else:
            record = {**msgspec.to_builtins(feature), **fields}
        if "geometry" in record:
            record = self._with_points(record)
        record = self._checked(record)
        check_surface(record)
        put: Edit = Put(collection="features", record=record)
        self.apply(self._fitted(record) or put if snap else put)
        return str(record["id"])

    def _fitted(self, record: dict[str, Any]) -> Edit | None:
        """Return the edit that puts an area or a wall with the corners of its neighbours, None for all else."""
        check_record(self.ruleset, record, self._known_label)
        new = msgspec.convert(record, Feature, strict=True)
        if not isinstance(new, Area | Wall):
            return None
        edits, made = fit(self.features, new, weights=lattice_weights(self.grid))
        put = Put(collection="features", record=msgspec.to_builtins(made))
        return Batch(title=describe(put), edits=[*edits, put]) if edits else put

    def _with_points(self, record: dict[str, Any]) -> dict[str, Any]:
        """Return a record with points for its shapely geometry."""
        kind, geometry = str(record.get("kind")), record.pop("geometry")
        if kind not in self.ruleset.feature_kinds:
            check_record(self.ruleset, record, self._known_label)
        fields = geometry_fields(self.labels, kind, geometry, path="path" not in record)
        twice = [name for name in fields if name in record]
        if twice:
            msg = f"{kind}: got both geometry and {twice[0]}; give one of them"
            raise EditError(msg)
        return {**fields, **record}

    def geometry(self, feature_id: str) -> BaseGeometry:
        """Return a feature as shapely geometry in map units, x to the right and y down.

        Parameters
        ----------
        feature_id : str
            Or the label of an area or a place.

        Returns
        -------
        shapely geometry
            A Polygon for an area, a LineString for what is drawn as a line or joins two locations, else a Point.

        Raises
        ------
        EditError
            When there is no such feature.
        LabelError
            When it names a location that is gone.
        """
        with self.lock:
            (found,) = self._ids("geometry", [feature_id])
            return geometry_of(self.survey, self.features[found])

    def add_cloud(self, type: str, at: str, wind: str, options: Mapping[str, Any] | None = None) -> str:
        """Place a cloud: a marker with its head in a location and its tail downwind, as one step.

        Parameters
        ----------
        type : str
            A marker of the game with a tail, such as ``"smoke"``, ``"toxic_cloud"`` or ``"wreck"``.
        at : str
            Label of the location of its head: a hex, a room, a zone or a roof.
        wind : str
            Where the wind blows to: with flat tops at a neighbour N, NE, SE, S, SW, NW, or between two NNE, E, SSE,
            SSW, W, NNW; with pointy tops NE, E, SE, SW, W, NW, or between two N, ENE, ESE, S, WSW, WNW.
        options : mapping, optional
            Options of the ruleset: ``cloud_shape`` says how the marker is cut.

        Returns
        -------
        str
            The id of the marker. Its ``also`` holds what else it takes in: the hexes of the tail that are on the map,
            and the rooms, zones and roofs under any of its hexes (Urban Operations 5.2.3.3).

        Raises
        ------
        EditError
            When the game has no such marker, or it has no tail.
        LabelError
            When the map has no such location.
        UnknownNameError
            When the game has no clouds, or its grid no such wind.

        Examples
        --------
        >>> import studio
        >>> street = studio.new_map("urban_operations", columns=6, rows=6)
        >>> smoke = street.add_cloud("smoke", "0303", wind="N")
        >>> street.features[smoke].also
        ('0302', '0301')
        >>> street.turn_clouds("E").features[smoke].also
        ('0403', '0503')
        """
        return self.add(cloud_record(self.ruleset, self.survey, type, at, wind, options))

    def turn_clouds(self, wind: str, options: Mapping[str, Any] | None = None) -> Self:
        """Turn the tails of all clouds downwind, as one step; see :meth:`add_cloud`.

        Raises
        ------
        EditError
            When the head of a cloud lies nowhere on the map.
        UnknownNameError
            When the game has no clouds, or its grid no such wind.
        """
        edit = turning(self.ruleset, self.survey, wind, options)
        if edit is not None:
            self.apply(edit)
        return self

    def remove(self, feature_id: str) -> Self:
        """Take a feature away.

        Parameters
        ----------
        feature_id : str
            Or the label of an area or a place.

        Raises
        ------
        EditError
            When there is no such feature.
        """
        (found,) = self._ids("remove", [feature_id])
        self.apply(Delete(collection="features", id=found))
        return self

    def set(self, field: str, value: Any) -> Self:
        """Set a field of the map: ``title``, ``notes``, ``sources``, ``georeference``, ``labels`` or ``sheets``.

        All that names hexes follows new labels; the labels of zones and other places follow the prefix of their sheet.

        Raises
        ------
        EditError
            When there is no such field, or it cannot have such a value.
        """
        try:
            plain = msgspec.to_builtins(value)
        except TypeError as error:
            msg = f"set {field}: got {shortened(value)}; {error}"
            raise EditError(msg) from error
        try:
            self.apply(self._setting(field, plain))
        except EditError as error:
            if isinstance(error.__cause__, msgspec.ValidationError) and field in _ALLOWED:
                msg = f"set {field}: got {shortened(value)}: {error.__cause__}; allowed: {_ALLOWED[field]}"
                raise EditError(msg) from error
            raise
        return self

    def _setting(self, field: str, plain: Any) -> Edit:
        """Return the edit that sets a field; of sheets with the labels of what is drawn on them."""
        if field == "sheets":
            with contextlib.suppress(msgspec.ValidationError):  # the model says what is wrong
                return renamed_sheets(self.model, msgspec.convert(plain, list[Sheet]), self.survey.directory.others)
        return SetField(field=field, value=plain)
