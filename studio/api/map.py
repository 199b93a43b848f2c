"""Maps as people use them in a notebook: draw, ask, look, check, save."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api.asking import MapAsking
from studio.api.document import LIVE, RecoveredWarning
from studio.api.exporting import Exporting
from studio.api.printing import Printing
from studio.api.sizing import MapSizing
from studio.errors import DocumentError, Fault, GridError, StaleAnswerError, UnsupportedError, shortened
from studio.files import MAX_BYTES, Recovery, load_map, recover
from studio.grid import Edge, HexGrid, LabelScheme, Orientation, Stagger
from studio.model import MapModel
from studio.rules import Ruleset, get_ruleset, load_ruleset
from studio.sight import FieldOfView, Sighting
from studio.sight.answers import DeadGround, Exposure
from studio.sight.view import check_fresh

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.api.compare import Comparison
    from studio.checks import Finding
    from studio.editor import MapEditor
    from studio.paths import Reach, Route
    from studio.rules.urban_operations.command import EffectReach

__all__ = ["Map", "new_map", "open_map", "restore_map"]


UNTITLED = "Untitled map"


class Map(MapSizing, MapAsking, Exporting, Printing):
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

    def __init__(self, model: MapModel, **known: Any) -> None:
        super().__init__(model, **known)
        self._editor: weakref.ref[MapEditor] | None = None

    def plot(self, *, findings: bool | Sequence[Finding] = False, **options: Any) -> Axes:
        """Draw the map with matplotlib; see :func:`studio.draw.draw_map` for the options.

        Parameters
        ----------
        findings : bool or sequence of Finding
            Number the findings at their places and list them beside: those of :meth:`check` with True.
        **options
            As for :func:`studio.draw.draw_map`; with findings, as for :func:`studio.draw.draw_findings`.

        Raises
        ------
        UnsupportedError
            When `findings` are none.
        StaleAnswerError
            When they are findings about another map.
        """
        from studio.draw import draw_findings, draw_map, pyplot_figures

        with self.lock, pyplot_figures():
            axes: Axes
            if findings is False:
                axes = draw_map(self, **options)
            else:
                axes = draw_findings(self, self.check() if findings is True else self._findings(findings), **options)
            return axes

    def _findings(self, given: Any) -> list[Finding]:
        """Return findings about this map; others would point anywhere."""
        from studio.checks import Finding

        listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
        wrong = [one for one in listed if not isinstance(one, Finding)]
        if wrong:
            msg = f"plot: got findings={shortened(given)}; allowed: True, False, or findings of map.check()"
            raise UnsupportedError(msg)
        named = {one.file for one in listed} <= {self.name or self.title, *self._told_as}
        if getattr(given, "about", 0) not in (0, self.serial) or not named:
            msg = "these are findings about another map; ask this one: map.check()"
            raise StaleAnswerError(msg)
        return listed

    def plot_sight(self, sighting: Sighting, **options: Any) -> Axes:
        """Draw a line of sight with its reasons and side profile; see :func:`studio.draw.draw_sight`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``map.sight(a, b)``.
        """
        from studio.draw import draw_sight, pyplot_figures

        _check_answer("plot_sight", sighting, Sighting, "map.sight(a, b)")
        with self.lock, pyplot_figures():
            axes: Axes = draw_sight(self, sighting, **options)
            return axes

    def plot_field_of_view(self, view: FieldOfView, **options: Any) -> Axes:
        """Draw a field of view; see :func:`studio.draw.draw_field_of_view`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``map.field_of_view(a)``.
        StaleAnswerError
            When the map has changed since, or it is an answer about another map.
        """
        from studio.draw import draw_field_of_view, pyplot_figures

        _check_answer("plot_field_of_view", view, FieldOfView, "map.field_of_view(a)")
        with self.lock, pyplot_figures():
            self._check_fresh(view, "map.field_of_view(a)")
            axes: Axes = draw_field_of_view(self, view, **options)
            return axes

    def plot_exposure(self, exposure: Exposure, **options: Any) -> Axes:
        """Draw how many units see each location; see :func:`studio.draw.draw_exposure`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``map.exposure(units)``.
        StaleAnswerError
            When the map has changed since, or it is an answer about another map.
        """
        from studio.draw import draw_exposure, pyplot_figures

        _check_answer("plot_exposure", exposure, Exposure, "map.exposure(units)")
        with self.lock, pyplot_figures():
            self._check_fresh(exposure, "map.exposure(units)")
            axes: Axes = draw_exposure(self, exposure, **options)
            return axes

    def plot_dead_ground(self, dead: DeadGround, **options: Any) -> Axes:
        """Draw what none of some units sees; see :func:`studio.draw.draw_dead_ground`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``map.dead_ground(units)``.
        StaleAnswerError
            When the map has changed since, or it is an answer about another map.
        """
        from studio.draw import draw_dead_ground, pyplot_figures

        _check_answer("plot_dead_ground", dead, DeadGround, "map.dead_ground(units)")
        with self.lock, pyplot_figures():
            self._check_fresh(dead, "map.dead_ground(units)")
            axes: Axes = draw_dead_ground(self, dead, **options)
            return axes

    def plot_route(self, route: Route, **options: Any) -> Axes:
        """Draw a route with its running cost and what bars it; see :func:`studio.draw.draw_route`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``map.route(a, b, mover=...)``.
        StaleAnswerError
            When the map has changed since, or it is an answer about another map.
        """
        from studio.draw import draw_route, pyplot_figures
        from studio.paths import Route

        _check_answer("plot_route", route, Route, "map.route(a, b, mover=...)")
        with self.lock, pyplot_figures():
            self._check_fresh(route, "map.route(a, b, mover=...)")
            axes: Axes = draw_route(self, route, **options)
            return axes

    def plot_reach(self, reach: Reach | EffectReach, **options: Any) -> Axes:
        """Draw all that a mover can reach, or that is in range; see :func:`studio.draw.draw_reach`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``map.reach(a, mover=...)`` or ``map.effect_reach(a)``.
        StaleAnswerError
            When the map has changed since, or it is an answer about another map.
        """
        from studio.draw import draw_reach, pyplot_figures
        from studio.paths import Reach
        from studio.rules.urban_operations.command import EffectReach

        if not isinstance(reach, EffectReach):
            _check_answer("plot_reach", reach, Reach, "map.reach(a, mover=...)")
        with self.lock, pyplot_figures():
            self._check_fresh(reach, "map.reach(a, mover=...)")
            axes: Axes = draw_reach(self, reach, **options)
            return axes

    def plot_comparison(self, comparison: Comparison, start: str | None = None, **options: Any) -> Axes:
        """Draw where two rulings differ, from one location or for all; see :func:`studio.draw.draw_comparison`.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``studio.compare_rulesets(map, a, b)``.
        """
        from studio.api.compare import Comparison
        from studio.draw import draw_comparison, pyplot_figures

        _check_answer("plot_comparison", comparison, Comparison, "studio.compare_rulesets(map, a, b)")
        with self.lock, pyplot_figures():
            axes: Axes = draw_comparison(self, comparison, start, **options)
            return axes

    def _check_fresh(
        self, answer: FieldOfView | Exposure | DeadGround | Route | Reach | EffectReach, question: str
    ) -> None:
        """Refuse to draw an answer on a map that is not the one it was given about."""
        if answer.directory.survey is not self.survey:
            msg = f"this is an answer about another map; ask this one: {question}"
            raise StaleAnswerError(msg)
        check_fresh(answer.directory, answer.revision, question)

    def picture_png(self) -> bytes:
        """Return a small picture of the map as PNG bytes, for readers of a notebook without widgets."""
        from studio.draw import preview_png

        with self.lock:
            return preview_png(self)

    def edit(self) -> MapEditor:
        """Return the editor widget for this map: the same one for as long as it is in use."""
        from studio.editor import MapEditor

        editor = self._editor() if self._editor is not None else None
        if editor is None or editor.comm is None:
            editor = MapEditor(self)
            self._editor = weakref.ref(editor)
        return editor

    def explore(self) -> MapEditor:
        """Return the map as a widget to look at and to ask: the editor without what draws, undoes and saves."""
        from studio.editor import MapEditor

        return MapEditor(self, readonly=True)


def _check_answer(method: str, got: Any, kind: type, ask: str) -> None:
    """Refuse to draw what is no answer of the kind that a method draws."""
    if not isinstance(got, kind):
        what = type(got).__name__ if type(got).__module__.startswith("studio") else shortened(got)
        msg = f"{method}: got {what}; allowed: the {kind.__name__} that {ask} answers"
        raise UnsupportedError(msg)


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
    half: Edge | Sequence[Edge] = (),
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
    half : {"top", "bottom", "left", "right"} or sequence of them
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
    edges = [half] if isinstance(half, str) else half
    for what, value, kind in (("labels", labels, LabelScheme | None), ("half", edges, Sequence), ("title", title, str)):
        if not isinstance(value, kind):
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
        half=tuple(edges),
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


def open_map(
    path: str | os.PathLike[str],
    *,
    ruleset: str | os.PathLike[str] | Ruleset | None = None,
    recover_unsaved: bool = True,
    limit: int = MAX_BYTES,
) -> Map:
    """Open a map.

    Parameters
    ----------
    path : str or path
        A ``.map.json`` file.
    ruleset : Ruleset or path, optional
        The designer's own game that the map is of, or its TOML file. By default the file ``ID.ruleset.toml`` beside
        the map, a game that comes with the studio, or one that was loaded before.
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
        When the file is no sound map, or of another game than the one handed over; all faults are listed.
    MissingFileError
        When there is no such file.
    """
    rules = load_ruleset(ruleset) if isinstance(ruleset, str | os.PathLike) else ruleset
    loaded = load_map(os.fspath(path), limit=limit, ruleset=rules)
    if rules is not None and rules.id != loaded.model.ruleset:
        message = f"got {loaded.model.ruleset!r}, the game handed over is {rules.id!r}"
        raise DocumentError(os.fspath(path), [Fault("$.ruleset", message, "hand over the game of the map")])
    opened = Map(loaded.model, path=Path(path), stamp=loaded.stamp, ruleset=rules)
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
