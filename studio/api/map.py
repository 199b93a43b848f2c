"""Maps as people use them in a notebook: draw, ask, look, check, save."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from studio.api.document import LIVE, Document, RecoveredWarning
from studio.errors import EditError, GridError, ScenarioRuleError, nearest
from studio.files import MAX_BYTES, Recovery, Stamp, load_map, recover, write_map_text
from studio.grid import Edge, HexGrid, Labels, LabelScheme, Orientation, Stagger
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
from studio.sight import Conditions, FieldOfView, Sighting, SightJudge, SightTable, make_table
from studio.survey import Survey

if TYPE_CHECKING:
    from geopandas import GeoDataFrame
    from matplotlib.axes import Axes

    from studio.checks import Findings
    from studio.editor import MapEditor
    from studio.paths import Step

__all__ = ["Map", "new_map", "open_map", "restore_map"]


UNTITLED = "Untitled map"


class Map(Document):
    """A map: what a designer drew, what it means, and the answers that the game gives about it.

    Made by :func:`studio.new_map` or :func:`studio.open_map`.

    Attributes
    ----------
    model : MapModel
        The drawing: planes of terrain and levels, hexsides, features.
    survey : Survey
        What the drawing means.
    ruleset : Ruleset
    """

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
        self._judges: dict[Any, SightJudge] = {}
        self._editor: weakref.ref[MapEditor] | None = None

    def __repr__(self) -> str:
        grid = self.grid
        return f"Map({self.title!r}, {grid.columns} x {grid.rows} hexes, {self.ruleset.id})"

    def _repr_html_(self) -> str:
        from html import escape

        where = f" - {escape(self.path.name)}" if self.path else ""
        size = f"{self.grid.columns} × {self.grid.rows} hexes, {escape(self.ruleset.title)}{where}"
        return f"<b>{escape(self.title)}</b><br>{size}"

    # -- the drawing -------------------------------------------------------------------------------------------------

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
                self._known("feature", record.get("kind"), rules.feature_kinds)
                if "type" in record:
                    kind = str(record["kind"])
                    self._known(kind, record["type"], rules.drawn_types(kind))
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
        self._judges.clear()
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
            A feature, its record, or just its kind with the fields as keywords. Without an id it gets a new one.

            * ``road``: ``path`` (labels of adjacent hexes), ``surface`` ("paved" or "unpaved"), ``name``
            * ``crest``: ``path`` (labels of adjacent hexes), ``name``
            * ``name``: ``text``, ``at`` (a label, or a point of the lattice), ``size`` (hex heights), ``angle``
            * ``marker``: ``type`` (such as "smoke" or "wreck"), ``at`` (a label)
            * ``contour``: ``level``, ``line`` (points of the lattice, the first repeated at the end)

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
        if record.get("kind") == "name" and isinstance(record.get("at"), str):
            record["at"] = list(self.grid.centre(self.labels.cell(record["at"])))
        if isinstance(record.get("path"), tuple):
            record["path"] = list(record["path"])
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
        self.apply(SetField(field=field, value=plain))
        return self

    # -- what it means -----------------------------------------------------------------------------------------------

    @property
    def locations(self) -> GeoDataFrame:
        """Every location with q, r, terrain, level and outline, indexed by label, as a GeoDataFrame."""
        with self.lock:
            return self.survey.locations()

    @property
    def sides(self) -> GeoDataFrame:
        """Every hexside that has something on it, as a GeoDataFrame of lines."""
        with self.lock:
            return self.survey.sides()

    # -- sight -------------------------------------------------------------------------------------------------------

    def judge(self, options: Mapping[str, Any] | None = None, conditions: Conditions | None = None) -> SightJudge:
        """Return the sight judge for the map as it is now, with its options and conditions.

        Raises
        ------
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        force = self.ruleset.options(options)
        conditions = conditions or Conditions()
        try:
            checked = msgspec.json.encode(conditions)
            msgspec.json.decode(checked, type=Conditions)
        except (TypeError, msgspec.MsgspecError) as error:
            msg = f"conditions: got {conditions!r}; give a Conditions with values of its types: {error}"
            raise ScenarioRuleError(msg) from error
        if not isinstance(conditions, Conditions):
            msg = f"conditions: got a {type(conditions).__name__}; give a Conditions"
            raise ScenarioRuleError(msg)
        key = (tuple(sorted(force.items())), checked)
        if key not in self._judges:
            self._judges[key] = self.ruleset.sight.judge(self.survey, force, conditions)
        return self._judges[key]

    def sight(
        self,
        a: str,
        b: str,
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> Sighting:
        """Judge the line of sight from one hex to another.

        Parameters
        ----------
        a, b : str
            Labels. The verdict is the same both ways; the modifiers are those of fire from `a` to `b`.
        options : mapping, optional
            Readings of the rules to use instead of the defaults; ``studio rules`` lists them.
        conditions : Conditions, optional
            Smoke, haze, air units and the like.

        Returns
        -------
        Sighting

        Raises
        ------
        LabelError
            When a label is unknown.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        with self.lock:
            number = self.survey.directory.number
            return self.judge(options, conditions).sighting(number(a), number(b))

    def field_of_view(
        self,
        a: str,
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> FieldOfView:
        """Judge the lines of sight from one hex to all others.

        Raises
        ------
        LabelError
            When the label is unknown.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        with self.lock:
            directory = self.survey.directory
            number = directory.number(a)
            codes, hindrances = self.judge(options, conditions).field(number)
            return FieldOfView(directory, number, codes, hindrances)

    def sight_table(
        self,
        *,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> SightTable:
        """Judge all pairs of hexes.

        Parameters
        ----------
        options, conditions
            As for :meth:`sight`.
        progress : callable, optional
            Called with how much is done, and of how much.

        Raises
        ------
        GridError
            When the map is too large for a table; the error says what it would cost.
        UnknownNameError, ScenarioRuleError
            When an option is unknown, or cannot have such a value.
        """
        with self.lock:
            return make_table(self.survey.directory, self.judge(options, conditions), progress)

    def step(self, a: str, b: str, *, mover: str, flank: bool = False) -> Step:
        """Return the explained movement cost of one step.

        Raises
        ------
        LabelError, GridError, UnknownNameError
            When a label is unknown, the hexes are not adjacent, or the game has no such mover.
        """
        with self.lock:
            cells = self.labels.cell(a), self.labels.cell(b)
            found: Step = self.ruleset.paths.step(self.survey, *cells, mover, flank=flank)
            return found

    # -- looking, checking -------------------------------------------------------------------------------------------

    def plot(self, **options: Any) -> Axes:
        """Draw the map with matplotlib; see :func:`studio.draw.draw_map` for the options."""
        from studio.draw import draw_map, pyplot_figures

        with self.lock, pyplot_figures():
            axes: Axes = draw_map(self.model, **options)
            return axes

    def plot_sight(self, sighting: Sighting, **options: Any) -> Axes:
        """Draw a line of sight with its reasons and side profile; see :func:`studio.draw.draw_sight`."""
        from studio.draw import draw_sight, pyplot_figures

        with self.lock, pyplot_figures():
            axes: Axes = draw_sight(self.model, sighting, **options)
            return axes

    def plot_field_of_view(self, view: FieldOfView, **options: Any) -> Axes:
        """Draw a field of view; see :func:`studio.draw.draw_field_of_view`."""
        from studio.draw import draw_field_of_view, pyplot_figures

        with self.lock, pyplot_figures():
            axes: Axes = draw_field_of_view(self.model, view, **options)
            return axes

    def picture_png(self) -> bytes:
        """Return a small picture of the map as PNG bytes, for readers of a notebook without widgets."""
        from studio.draw import preview_png

        with self.lock:
            return preview_png(self.model)

    def edit(self) -> MapEditor:
        """Return the editor widget for this map: the same one for as long as it is in use."""
        from studio.editor import MapEditor

        editor = self._editor() if self._editor is not None else None
        if editor is None or editor.comm is None:
            editor = MapEditor(self)
            self._editor = weakref.ref(editor)
        return editor

    def check(self) -> Findings:
        """Check the map.

        Returns
        -------
        Findings
        """
        from studio.checks import check_map

        with self.lock:
            return check_map(self.survey, self.ruleset, file=self.name or self.title)


def new_map(
    ruleset: str | Ruleset,
    columns: int,
    rows: int,
    *,
    title: str = UNTITLED,
    labels: LabelScheme | None = None,
    orientation: Orientation | None = None,
    stagger: Stagger = "odd",
    hex_width: float = 0.0,
    hex_height: float = 1.0,
    short: bool = False,
    half: Sequence[Edge] = (),
) -> Map:
    """Make a new map, all of it clear terrain at level 0.

    Parameters
    ----------
    ruleset : str or Ruleset
        Id of the game, such as ``"armageddon_war"``.
    columns, rows : int
        Size in hexes, up to 2 000 each.
    title : str
    labels : LabelScheme, optional
        CCRR with 0101 at the top left by default.
    orientation : {"flat", "pointy"}, optional
        That of the game by default.
    stagger : {"odd", "even"}
        Which columns (flat) or rows (pointy), counted from 0, are shifted by half a hex.
    hex_width, hex_height : float
        Size of a hex in map units; a width of 0 is the regular one.
    short : bool
        The shifted lines have one hex fewer.
    half : sequence of {"top", "bottom", "left", "right"}
        Edges with half hexes.

    Returns
    -------
    Map
        Not saved yet; its steps are kept in a journal in the user's state folder.

    Raises
    ------
    UnknownNameError
        When the studio knows no such game.
    GridError
        When such a grid, or such labels, cannot be.
    """
    rules = ruleset if isinstance(ruleset, Ruleset) else get_ruleset(ruleset)
    for what, value, kind in (("labels", labels, LabelScheme | None), ("half", half, Sequence), ("title", title, str)):
        if not isinstance(value, kind) or (what == "half" and isinstance(value, str)):
            msg = f"{what}: got {value!r}, which is no {getattr(kind, '__name__', kind)}"
            raise GridError(msg)
    grid = HexGrid(
        columns=columns,
        rows=rows,
        orientation=orientation or rules.catalogue.orientation,
        stagger=stagger,
        hex_width=hex_width,
        hex_height=hex_height,
        short=short,
        half=tuple(half),
    )
    if labels is None:
        digits = max(2, len(str(max(columns, rows))))
        labels = LabelScheme.ccrr(pad=digits)
    model = MapModel(rules.id, grid, labels, rules.terrain_characters, title=title)
    made = Map(model, ruleset=rules)
    _warn_of_twin(made)
    made._start_journal()
    return made


def _warn_of_twin(made: Map) -> None:
    """Say so when a cell is run again and its new, empty map takes the place of one that was drawn on."""
    for other in LIVE:
        twin = isinstance(other, Map) and other is not made and other.path is None and other.dirty
        if twin and other.title == made.title != UNTITLED and other.grid == made.grid:  # type: ignore[attr-defined]
            message = (
                f"this map {made.title!r} is new and empty; one of the same name with {len(other.history)} unsaved "
                "steps is still open in this session. Remedy: studio.unsaved()[0].open() brings it back; save it"
            )
            warnings.warn(message, RecoveredWarning, stacklevel=3)
            return


def open_map(path: str | os.PathLike[str], *, recover_unsaved: bool = True, limit: int = MAX_BYTES) -> Map:
    """Open a map.

    Parameters
    ----------
    path : str or path
        A ``.map.json`` file.
    recover_unsaved : bool
        Make the unsaved steps of a session that ended again, with a warning that says so.
    limit : int
        Largest size of the file in bytes.

    Returns
    -------
    Map

    Raises
    ------
    DocumentError
        When the file is no sound map; all faults are listed.
    MissingFileError
        When there is no such file.
    """
    loaded = load_map(os.fspath(path), limit=limit)
    opened = Map(loaded.model, path=Path(path), stamp=loaded.stamp)
    opened.notes_on_opening = loaded.notes
    opened._recover(recover(path, kind="map") if recover_unsaved else None)
    return opened


def restore_map(found: Recovery) -> Map:
    """Make a map of unsaved work that had no file yet.

    Raises
    ------
    RecoveryError, DocumentError
        When the journal cannot be followed to its end.
    """
    made = Map(load_map(found.text, name=str(found.journal)).model)
    made._recover(found)
    return made
