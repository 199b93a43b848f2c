"""Maps and scenarios as people use them in a notebook: one object each that draws, answers, checks and saves."""

from __future__ import annotations

import os
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

from studio.errors import EditError, StudioError, UnknownNameError, UnsupportedError, nearest
from studio.files import (
    Journal,
    Recovery,
    RecoveryError,
    Stamp,
    load_map,
    load_scenario,
    recover,
    save_document,
    write_map_text,
    write_scenario_text,
)
from studio.files import unsaved as unsaved_journals
from studio.grid import Edge, HexGrid, Labels, LabelScheme, Orientation, Stagger
from studio.model import (
    Batch,
    Change,
    Delete,
    Edit,
    Feature,
    History,
    MapDocument,
    MapModel,
    Paint,
    Put,
    ScenarioDocument,
    ScenarioModel,
    SetField,
    SetSide,
    SpecialRules,
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
    from studio.files.reader import Bundle
    from studio.paths import Step

__all__ = [
    "Map",
    "RecoveredWarning",
    "Scenario",
    "export_bundle",
    "new_map",
    "new_scenario",
    "open_bundle",
    "open_map",
    "open_scenario",
    "recover_map",
    "unsaved",
]


class RecoveredWarning(UserWarning):
    """Unsaved steps of a session that ended were made again."""


class _Document:
    """What maps and scenarios share: history, journal, file, followers.

    Attributes
    ----------
    lock : RLock
        Held while the document changes; hold it to read several things that belong together from another thread.
    """

    kind = ""

    def __init__(self, model: Any, path: Path | None, stamp: Stamp | None) -> None:
        self.lock = threading.RLock()
        self._model = model
        self.path: Path | None = path
        self._stamp = stamp
        self._followers: list[Callable[[Change], None]] = []
        self._history = History(model)
        self._saved_at = (0, 0) if path is not None else None
        self.recovered: Recovery | None = None
        self.notes_on_opening: tuple[str, ...] = ()
        self._journal: Journal | None = None

    def _start_journal(self) -> None:
        self._journal = Journal(
            self.path, opened=self._stamp, text=self._text() if self.path is None else b"", kind=self.kind
        )
        self._history.record = self._journal.record

    def _recover(self, found: Recovery | None) -> None:
        """Make the steps of an ended session again, if they were made on this very file."""
        if found is None or not found:
            self._start_journal()
            return
        if not found.base_matches:
            message = (
                f"{self.path}: a session that ended left unsaved steps in {found.journal.name}, but the file was "
                "changed since, so they were not made again. Remedy: put the older file back and open it, or remove "
                "the journal"
            )
            warnings.warn(message, RecoveredWarning, stacklevel=4)
            self._start_journal()
            return
        try:
            count = found.replay(self._history)
            self._journal = found.resume()
        except RecoveryError as error:
            warnings.warn(str(error), RecoveredWarning, stacklevel=4)
            self._start_journal()
            return
        self._history.record = self._journal.record
        self.recovered = found
        self._saved_at = (0, 0) if self.path is not None else None
        notes = "".join(f" {note}." for note in found.notes)
        message = (
            f"{self.path or self.title}: {count} unsaved step{'s' if count != 1 else ''} of a session that ended "
            f"{'were' if count != 1 else 'was'} made again.{notes} Save to keep them, undo or revert() to give them up"
        )
        warnings.warn(message, RecoveredWarning, stacklevel=4)

    def _text(self) -> bytes:
        raise NotImplementedError

    # -- history -----------------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """Title of the document."""
        return str(self._model.title)

    @property
    def revision(self) -> int:
        """Number of changes since the document was opened, undos included."""
        return self._history.revision

    @property
    def can_undo(self) -> bool:
        """True when there is a step to take back."""
        return self._history.can_undo

    @property
    def can_redo(self) -> bool:
        """True when there is a step to make again."""
        return self._history.can_redo

    @property
    def history(self) -> list[str]:
        """Titles of the steps that were made, the oldest first."""
        return self._history.steps

    @property
    def dirty(self) -> bool:
        """True when there are changes that the file does not have."""
        if self._saved_at is None:
            return bool(self._history.revision)
        return self._history.revision != self._saved_at[0] or (self.recovered is not None and not self._saved_at[1])

    @property
    def journal_fault(self) -> str:
        """Why unsaved steps are in memory only; empty when the journal keeps them."""
        return self._journal.fault if self._journal is not None else ""

    def apply(self, edit: Edit) -> Change:
        """Make an edit; it goes to the journal and into the history, and every view follows.

        Parameters
        ----------
        edit : Edit

        Returns
        -------
        Change

        Raises
        ------
        EditError
            When the edit cannot be made; the document is as it was.
        """
        with self.lock:
            self._allow(edit)
            return self._follow(self._history.apply(edit))

    def _allow(self, edit: Edit) -> None:
        """Refuse what the ruleset does not know; the model itself knows no rules."""

    def undo(self) -> Change | None:
        """Take the last step back; None when there is none."""
        with self.lock:
            change = self._history.undo()
            return None if change is None else self._follow(change)

    def redo(self) -> Change | None:
        """Make the last undone step again; None when there is none."""
        with self.lock:
            change = self._history.redo()
            return None if change is None else self._follow(change)

    def revert(self) -> None:
        """Take back every step since the document was opened; redo makes them again."""
        with self.lock:
            while self.undo() is not None:
                pass

    def _follow(self, change: Change) -> Change:
        """Bring up to date what depends on the document, and tell the views."""
        self._tell(change)
        return change

    def on_change(self, callback: Callable[[Change], None]) -> Callable[[], None]:
        """Call a function after every change.

        Parameters
        ----------
        callback : callable
            Takes the change. What it raises is shown as a warning and stops nothing.

        Returns
        -------
        callable
            Stops the calls.
        """
        self._followers.append(callback)

        def stop() -> None:
            if callback in self._followers:
                self._followers.remove(callback)

        return stop

    def _tell(self, change: Change) -> None:
        for callback in list(self._followers):
            try:
                callback(change)
            except Exception as error:  # a view that fails must not undo what was done
                warnings.warn(f"a view could not follow the change: {error!r}", RuntimeWarning, stacklevel=4)

    # -- files -------------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str] | None = None, *, overwrite: bool = False) -> Path:
        """Save the document; the old file is whole until the new one is complete.

        Parameters
        ----------
        path : str or path, optional
            Where to; its own file by default.
        overwrite : bool
            Save even if the file was changed by someone else since it was opened.

        Returns
        -------
        Path

        Raises
        ------
        ConflictError
            When the file was changed by someone else, or another file stands there already.
        SaveError
            When the file cannot be written; the old one is whole and the unsaved steps are in the journal.
        StudioError
            When the document has no file yet and no path is given.
        """
        with self.lock:
            target = Path(path) if path is not None else self.path
            if target is None:
                example = f"save('{self.kind}s/x.{self.kind}.json')"
                msg = f"{self.title}: this {self.kind} has no file yet; name one, such as {example}"
                raise StudioError(msg)
            text = self._text()
            same = self.path is not None and os.path.realpath(target) == os.path.realpath(self.path)
            if same and self._journal is not None:
                self._journal.saving(Stamp.of(text))
            stamp = save_document(target, text, opened=self._stamp if same else None, overwrite=overwrite)
            self._stamp, self.path = stamp, target
            if self._journal is not None:
                self._journal.saved(target, stamp)
            self._saved_at = (self._history.revision, 1)
            return target

    def close(self) -> None:
        """End the work on the document; unsaved steps stay in the journal and are offered at the next opening."""
        if self._journal is not None:
            self._journal.close()
            self._history.record = None
            self._journal = None


class Map(_Document):
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
        self.survey = Survey(model)
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
                if record.get("kind") == "marker":
                    self._known("marker", record.get("type"), rules.marker_types)
                if record.get("kind") == "contour":
                    self._allow_levels([record.get("level")], "contour")
            case Paint() if edit.plane == "levels":
                self._allow_levels(edit.values, "paint")
            case Batch():
                for step in edit.edits:
                    self._allow(step)

    def _known(self, what: str, name: Any, known: Iterable[str]) -> None:
        if name not in known:
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
        kinds = () if kind is None else (kind,) if isinstance(kind, str) else tuple(kind)
        self.apply(SetSide(a=self.labels.cell(a), b=self.labels.cell(b), kinds=kinds))
        return self

    def add(self, feature: Feature | Mapping[str, Any] | str, **fields: Any) -> str:
        """Add a feature, or replace the one with its id.

        Parameters
        ----------
        feature : Feature, mapping or str
            A feature, its record, or just its kind (``"road"``, ``"crest"``, ``"contour"``, ``"name"``, ``"marker"``)
            with the fields as keywords. Without an id it gets a new one.

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
        if isinstance(feature, str):
            record: dict[str, Any] = {"kind": feature, **fields}
        elif isinstance(feature, Mapping):
            record = {**feature, **fields}
        else:
            record = msgspec.to_builtins(feature)
        record.setdefault("id", self.model.new_id(str(record.get("kind", "feature"))))
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
        self.apply(SetField(field=field, value=msgspec.to_builtins(value)))
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
        key = (tuple(sorted(force.items())), msgspec.json.encode(conditions))
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
            return self.judge(options, conditions).sighting(self.labels.cell(a), self.labels.cell(b))

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
            cell = self.labels.cell(a)
            plane, hindrances = self.judge(options, conditions).field(cell)
            return FieldOfView(self.labels, cell, plane, hindrances)

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
            return make_table(self.labels, self.judge(options, conditions), progress)

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
            return check_map(self.survey, self.ruleset, file=str(self.path or self.title))


class Scenario(_Document):
    """A scenario on its map.

    Made by :func:`studio.new_scenario` or :func:`studio.open_scenario`.

    Attributes
    ----------
    model : ScenarioModel
    map : Map
    ruleset : Ruleset
    """

    kind = "scenario"

    def __init__(
        self,
        model: ScenarioModel,
        map_: Map,
        *,
        path: Path | None = None,
        stamp: Stamp | None = None,
    ) -> None:
        super().__init__(model, path, stamp)
        self.model, self.map = model, map_
        self.ruleset = get_ruleset(model.document.ruleset)
        if self.ruleset.id != map_.ruleset.id:
            msg = (
                f"scenario {self.title!r} is for {self.ruleset.id}, its map {map_.title!r} for {map_.ruleset.id}; "
                "name a map of the same game in `map.file`"
            )
            raise StudioError(msg)

    def __repr__(self) -> str:
        return f"Scenario({self.title!r} on {self.map.title!r}, {self.ruleset.id})"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<b>{escape(self.title)}</b><br>on {escape(self.map.title)}, {escape(self.ruleset.title)}"

    @property
    def document(self) -> ScenarioDocument:
        """The scenario as its file holds it."""
        return self.model.to_document()

    def _text(self) -> bytes:
        return write_scenario_text(self.model)

    def conditions(self, *, side: str = "") -> Conditions:
        """Return what the special rules of the scenario say about sight.

        Parameters
        ----------
        side : str
            Id of the force that looks; matters for total surveillance.

        Raises
        ------
        UnknownNameError
            When the scenario has no such force.
        """
        forces = [force.id for force in self.document.forces]
        if side and side not in forces:
            msg = f"{self.title}: no force {side!r}; {nearest(side, forces)}"
            raise UnknownNameError(msg)
        special: SpecialRules = self.document.special
        return Conditions(
            smoke=frozenset(self.map.labels.cells(special.smoke)),
            haze_step=special.haze_step,
            visibility=special.visibility,
            visibility_modifier=special.visibility_modifier,
            terrain_overrides=dict(special.terrain_overrides),
            surveillance=bool(side) and side in special.surveillance,
        )

    def sight(self, a: str, b: str, *, side: str = "") -> Sighting:
        """Judge a line of sight under the special rules of the scenario, as ``Map.sight`` does without them.

        Raises
        ------
        LabelError, UnknownNameError, ScenarioRuleError
            As for ``Map.sight``, and when the scenario has no such force.
        """
        return self.map.sight(a, b, options=self.document.special.options, conditions=self.conditions(side=side))

    def field_of_view(self, a: str, *, side: str = "") -> FieldOfView:
        """Judge all lines of sight from one hex under the special rules of the scenario.

        Raises
        ------
        LabelError, UnknownNameError, ScenarioRuleError
            As for ``Map.field_of_view``, and when the scenario has no such force.
        """
        special = self.document.special
        return self.map.field_of_view(a, options=special.options, conditions=self.conditions(side=side))

    def supply(self, side: str = "") -> None:
        """Ask which units are in supply.

        Raises
        ------
        UnsupportedError
            When the game has no supply, as Armageddon War has none.
        """
        msg = (
            f"{self.ruleset.title} has no supply rule; it has logistics markers (2.022). Ask for lines of sight instead"
        )
        raise UnsupportedError(msg)

    def check(self) -> Findings:
        """Check the scenario and its map.

        Returns
        -------
        Findings
        """
        from studio.checks import Findings, check_scenario

        own = check_scenario(self.document, self.map.survey, self.ruleset, file=str(self.path or self.title))
        return Findings([*self.map.check(), *own])

    def plot(self, **options: Any) -> Axes:
        """Draw the map of the scenario with matplotlib."""
        return self.map.plot(**options)

    def export(self, path: str | os.PathLike[str], to: str = "bundle", **options: Any) -> Path:
        """Check the scenario and hand it over in another format.

        Parameters
        ----------
        path : str or path
        to : {"bundle"}
            Format.
        sight : bool, optional
            Whether a bundle holds the sight table; by default when the map is small enough.
        preview : bool, optional
            Whether a bundle holds a picture; by default yes.

        Returns
        -------
        Path

        Raises
        ------
        ExportError
            When the checks find an error; nothing is written, and the findings are in the error.
        UnknownNameError
            When the studio has no such format.
        """
        if to != "bundle":
            msg = f"unknown export format {to!r}; {nearest(to, ['bundle'])}"
            raise UnknownNameError(msg)
        return export_bundle(self.map, self, Path(path), **options)


SIGHT_TABLE_IN_BUNDLE = 4000
"""Most hexes of a map whose bundle holds the table of all pairs by default."""


def export_bundle(
    map_: Map,
    scenario: Scenario | None,
    path: Path,
    *,
    sight: bool | None = None,
    preview: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Check a map, with a scenario on it or without, and write its bundle.

    Parameters
    ----------
    map_ : Map
    scenario : Scenario or None
    path : Path
    sight : bool, optional
        Whether it holds the sight table; by default when the map has at most ``SIGHT_TABLE_IN_BUNDLE`` hexes.
    preview : bool
        Whether it holds a picture.
    progress : callable, optional
        Called with how much of the sight table is done, and of how much.

    Returns
    -------
    Path

    Raises
    ------
    ExportError
        When the checks find an error; nothing is written, and the findings are in the error.
    """
    from studio.files.bundle import ExportError, write_bundle

    findings = scenario.check() if scenario is not None else map_.check()
    if findings.errors:
        raise ExportError(path, list(findings))
    with map_.lock:
        table = None
        special = scenario.document.special if scenario is not None else SpecialRules()
        conditions = scenario.conditions() if scenario is not None else None
        if sight or (sight is None and int(map_.grid.present.sum()) <= SIGHT_TABLE_IN_BUNDLE):
            table = map_.sight_table(options=special.options, conditions=conditions, progress=progress)
        picture = None
        if preview:
            from studio.draw import preview_png

            picture = preview_png(map_.model)
        return write_bundle(
            path,
            map_model=map_.model,
            scenario_model=scenario.model if scenario is not None else None,
            survey=map_.survey,
            ruleset=map_.ruleset,
            sight_table=table,
            preview=picture,
            findings=list(findings),
        )


def new_map(
    ruleset: str | Ruleset,
    columns: int,
    rows: int,
    *,
    title: str = "Untitled map",
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
    made._start_journal()
    return made


def open_map(path: str | os.PathLike[str], *, recover_unsaved: bool = True) -> Map:
    """Open a map.

    Parameters
    ----------
    path : str or path
        A ``.map.json`` file.
    recover_unsaved : bool
        Make the unsaved steps of a session that ended again, with a warning that says so.

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
    loaded = load_map(path)
    opened = Map(loaded.model, path=Path(path), stamp=loaded.stamp)
    opened.notes_on_opening = loaded.notes
    opened._recover(recover(path) if recover_unsaved else None)
    return opened


def open_scenario(path: str | os.PathLike[str], *, recover_unsaved: bool = True) -> Scenario:
    """Open a scenario and its map.

    Parameters
    ----------
    path : str or path
        A ``.scenario.json`` file; the file of its map is found relative to it.
    recover_unsaved : bool
        Make the unsaved steps of a session that ended again, with a warning that says so.

    Returns
    -------
    Scenario

    Raises
    ------
    DocumentError
        When the scenario or its map is unsound; all faults are listed.
    MissingFileError
        When the scenario or its map is not there.
    """
    loaded = load_scenario(path)
    map_ = open_map(Path(path).parent / loaded.model.document.map.file, recover_unsaved=recover_unsaved)
    opened = Scenario(loaded.model, map_, path=Path(path), stamp=loaded.stamp)
    opened.notes_on_opening = loaded.notes
    opened._recover(recover(path) if recover_unsaved else None)
    return opened


def new_scenario(map_: Map, *, title: str = "Untitled scenario") -> Scenario:
    """Make a new scenario on a map that has a file.

    Raises
    ------
    StudioError
        When the map was not saved yet, so that the scenario could not name it.
    """
    from studio.model import MapUse

    if map_.path is None:
        msg = f"{map_.title}: save the map first, so that the scenario can name its file"
        raise StudioError(msg)
    document = ScenarioDocument(title=title, ruleset=map_.ruleset.id, map=MapUse(file=str(map_.path)))
    made = Scenario(ScenarioModel(document), map_)
    made._start_journal()
    return made


def open_bundle(path: str | os.PathLike[str]) -> Bundle:
    """Open a bundle with the reader that other engines use.

    Raises
    ------
    BundleError
        When the bundle is not whole and sound.
    """
    from studio.files.reader import read_bundle

    return read_bundle(os.fspath(path))


def unsaved() -> list[Recovery]:
    """Return unsaved work that no session has open, the latest first.

    Returns
    -------
    list of Recovery
        Those of documents with a file come back by opening it; ``recover_map`` makes a map of one without.
    """
    return unsaved_journals(".", "maps", "scenarios")


def recover_map(found: Recovery) -> Map:
    """Make a map of unsaved work that had no file yet.

    Raises
    ------
    RecoveryError, DocumentError
        When the journal cannot be followed to its end.
    """
    if found.document is not None:
        return open_map(found.document)
    made = Map(load_map(found.text, name=str(found.journal)).model)
    made._recover(found)
    return made
