"""Scenarios as people use them in a notebook: on their map, with their special rules, checked and handed over."""

from __future__ import annotations

import os
import weakref
from collections.abc import MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from studio.api.balance import ScenarioBalance
from studio.api.brief import ScenarioBrief
from studio.api.exporting import Exporting
from studio.api.following import ScenarioFollowing
from studio.api.map import Map, open_map
from studio.api.printing import Printing
from studio.api.setting_up import ScenarioSetUp
from studio.errors import DocumentError, EditError, Fault, StudioError, UnknownNameError, nearest
from studio.files import Recovery, Stamp, load_scenario, recover, write_scenario_text
from studio.model import Batch, Edit, MapUse, ScenarioDocument, ScenarioModel, SetField, SpecialRules
from studio.rules import get_ruleset
from studio.sight import Conditions, FieldOfView, Sighting

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.checks import Findings
    from studio.editor import ScenarioEditor

__all__ = ["Scenario", "new_scenario", "open_scenario", "restore_scenario"]


class Scenario(ScenarioFollowing, ScenarioBrief, ScenarioSetUp, ScenarioBalance, Exporting, Printing):
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
        # One lock for both: whoever changes one reads the other, from several threads.
        self.lock = map_.lock
        self._editor: weakref.ref[ScenarioEditor] | None = None
        self.ruleset = get_ruleset(model.document.ruleset)
        if self.ruleset.id != map_.ruleset.id:
            msg = (
                f"scenario {self.title!r} is for {self.ruleset.id}, its map {map_.title!r} for {map_.ruleset.id}; "
                "name a map of the same game in `map.file`"
            )
            raise StudioError(msg)
        self._follow_map()

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

    def _allow(self, edit: Edit) -> None:
        if isinstance(edit, SetField) and edit.field == "map" and isinstance(edit.value, dict):
            file = edit.value.get("file")
            if file != self.model.document.map.file:
                msg = f"set map: the scenario is open on {self.model.document.map.file}; make a new one on {file!r}"
                raise EditError(msg)
        for step in edit.edits if isinstance(edit, Batch) else ():
            self._allow(step)

    def _prepare(self, target: Path) -> None:
        """Name the map's file relative to where the scenario's own will lie."""
        use = self.model.document.map
        if self.map.path is None:
            return
        elsewhere = (target.parent / use.file).resolve() != self.map.path.resolve()
        if elsewhere or Path(use.file).is_absolute():
            file = Path(os.path.relpath(self.map.path, target.parent)).as_posix()
            self.model.document.map = msgspec.structs.replace(use, file=file)

    def _place(self, label: str) -> int:
        """Return the number of what has a label: a location, or a hex that is none."""
        cell = self.map.labels.find(label)
        return self.played.survey.directory.number(label) if cell is None else cell

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
            smoke=frozenset(map(self._place, special.smoke)),
            haze_step=special.haze_step,
            visibility=special.visibility,
            visibility_modifier=special.visibility_modifier,
            terrain_overrides=dict(special.terrain_overrides),
            opened=frozenset(special.opened),
            surveillance=bool(side) and side in special.surveillance,
        )

    def sight(self, a: str, b: str, *, side: str = "") -> Sighting:
        """Judge a line of sight under the special rules of the scenario, as ``Map.sight`` does without them.

        It is judged on :attr:`played`, the map as the scenario plays on it.

        Raises
        ------
        LabelError, UnknownNameError, ScenarioRuleError
            As for ``Map.sight``, and when the scenario has no such force.
        """
        options, conditions = self.document.special.options, self._played_conditions(side)
        return self.played.sight(a, b, options=options, conditions=conditions)

    def field_of_view(self, a: str, *, side: str = "") -> FieldOfView:
        """Judge all lines of sight from one hex under the special rules of the scenario.

        Raises
        ------
        LabelError, UnknownNameError, ScenarioRuleError
            As for ``Map.field_of_view``, and when the scenario has no such force.
        """
        special = self.document.special
        return self.played.field_of_view(a, options=special.options, conditions=self._played_conditions(side))

    def _played_conditions(self, side: str = "") -> Conditions:
        """Return what holds for sight on the map as the scenario plays on it, whose terrain counts as it should."""
        return msgspec.structs.replace(self.conditions(side=side), terrain_overrides={})

    def supposing(self, *edits: Edit) -> Scenario:
        """Return what the scenario would be after some edits; nobody else sees it, and it has no file.

        Parameters
        ----------
        *edits : Edit

        Raises
        ------
        EditError
            When an edit cannot be made.

        Examples
        --------
        >>> import studio
        >>> from studio.model import SetField
        >>> holding = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> holding.supposing(SetField(field="title", value="What if")).title, holding.dirty
        ('What if', False)
        """
        made = type(self)(ScenarioModel(self.document), self.map)
        for edit in edits:
            made.apply(edit)
        made._saved_mark = made._history.mark  # nothing that would have to be saved
        return made

    def check(self) -> Findings:
        """Check the scenario and its map.

        Returns
        -------
        Findings
        """
        from studio.checks import Findings, check_scenario

        file, played = self.name or self.title, self._shown.survey
        own = check_scenario(self.document, self.map.survey, self.ruleset, file=file, played=played)
        return Findings([*self.map.check(), *own])

    def plot(self, **options: Any) -> Axes:
        """Draw the scenario on its map: units, set-up areas, entries, objectives, notes; what is out of play is grey.

        Parameters
        ----------
        **options
            As for :func:`studio.draw.draw_scenario`; with ``findings``, as for ``Map.plot``.

        Raises
        ------
        OptionError
            When an option is unknown or its value wrong.
        """
        from studio.draw import draw_scenario, pyplot_figures

        if "findings" in options:
            return self._shown.plot(**{"in_play": self.document.map, **options})
        with self.lock, pyplot_figures():
            axes: Axes = draw_scenario(self, **options)
            return axes

    def edit(self) -> ScenarioEditor:
        """Return the editor widget for this scenario: the same one for as long as it is in use."""
        from studio.editor import ScenarioEditor

        editor = self._editor() if self._editor is not None else None
        if editor is None or editor.comm is None:
            editor = ScenarioEditor(self)
            self._editor = weakref.ref(editor)
        return editor

    def explore(self) -> ScenarioEditor:
        """Return the scenario as a widget to look at and to ask: the editor without what changes and saves it."""
        from studio.editor import ScenarioEditor

        return ScenarioEditor(self, readonly=True)


def open_scenario(
    path: str | os.PathLike[str], *, recover_unsaved: bool = True, maps: MutableMapping[Path, Map] | None = None
) -> Scenario:
    """Open a scenario and its map.

    Parameters
    ----------
    path : str or path
        A ``.scenario.json`` file; the file of its map is found relative to it.
    recover_unsaved : bool
        Make the unsaved steps of a session that ended again, with a warning that says so.
    maps : dict of Path to Map, optional
        Maps that are open already, by their whole path; that of the scenario is put in if it was not there. Scenarios
        on one map share it.

    Returns
    -------
    Scenario

    Raises
    ------
    DocumentError
        When the scenario or its map is unsound; all faults are listed.
    MissingFileError
        When the scenario is not there.
    """
    loaded = load_scenario(os.fspath(path))
    file = Path(path).parent / loaded.model.document.map.file
    plain = Path(os.path.normpath(file))
    if plain.resolve() == file.resolve():
        file = plain  # "maps/one.map.json" reads better than "scenarios/../maps/one.map.json"
    if not file.exists():
        message = f"there is no map {loaded.model.document.map.file!r} beside this scenario (looked for {file})"
        raise DocumentError(
            str(path), [Fault("$.map.file", message, "name the file relative to the scenario's folder")]
        )
    known = maps if maps is not None else {}
    whole = file.resolve()
    if whole not in known:
        known[whole] = open_map(file, recover_unsaved=recover_unsaved)
    map_ = known[whole]
    opened = Scenario(loaded.model, map_, path=Path(path), stamp=loaded.stamp)
    opened.notes_on_opening = loaded.notes
    opened._recover(recover(path, kind="scenario") if recover_unsaved else None)
    return opened


def new_scenario(map_: Map, *, title: str = "Untitled scenario") -> Scenario:
    """Make a new scenario on a map that has a file.

    Raises
    ------
    StudioError
        When the map was not saved yet, so that the scenario could not name it.
    """
    if map_.path is None:
        msg = f"{map_.title}: save the map first, so that the scenario can name its file"
        raise StudioError(msg)
    document = ScenarioDocument(title=title, ruleset=map_.ruleset.id, map=MapUse(file=str(map_.path)))
    made = Scenario(ScenarioModel(document), map_)
    made._start_journal()
    return made


def restore_scenario(found: Recovery) -> Scenario:
    """Make a scenario of unsaved work that had no file yet.

    Raises
    ------
    RecoveryError, DocumentError
        When the journal cannot be followed to its end, or the scenario's map is not there.
    """
    model = load_scenario(found.text, name=str(found.journal)).model
    made = Scenario(model, open_map(model.document.map.file))
    made._recover(found)
    return made
