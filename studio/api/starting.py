"""Where work begins: a widget that makes new maps, opens what is there, takes files in, brings unsaved work back."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api.geography import SPEC_ENDINGS, GeographyImport, import_geography
from studio.api.importing import import_file
from studio.api.importtab import ImportTab, works_in
from studio.api.map import Map, new_map, open_map
from studio.api.scenario import Scenario, new_scenario, open_scenario
from studio.api.unsavedwork import unsaved
from studio.errors import StudioError
from studio.rules import get_ruleset, ruleset_ids

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["Launcher", "launcher", "works_in"]

_REPORT = (  # styled as the output of a cell is; the keyboard can scroll it
    '<div class="jp-RenderedHTMLCommon" role="region" aria-label="How the map was made" tabindex="0" '
    'style="max-height: 360px; overflow: auto">{}</div>'
)


def launcher(folder: str | os.PathLike[str] = ".") -> Launcher:
    """Return the widget to begin with: new map, open, import, samples, unsaved work.

    Parameters
    ----------
    folder : path
        Where maps and scenarios are looked for, and where new ones go.

    Examples
    --------
    >>> import studio
    >>> studio.launcher()
    Launcher(nothing open yet)
    """
    return Launcher(folder)


class Launcher:
    """What `launcher` shows; below it the editor of what was opened.

    Attributes
    ----------
    document : Map, Scenario or None
        What was opened or made last.
    imported : GeographyImport or None
        The import of geography that made it, where one did.
    """

    def __init__(self, folder: str | os.PathLike[str] = ".") -> None:
        self.folder = Path(folder)
        self.document: Map | Scenario | None = None
        self.imported: GeographyImport | None = None
        self._box = self._build()

    @property
    def map(self) -> Map:
        """The map that was opened, or that of the scenario.

        Raises
        ------
        StudioError
            When nothing was opened yet.
        """
        if self.document is None:
            msg = "nothing is open yet: choose something in the launcher first"
            raise StudioError(msg)
        return self.document.map if isinstance(self.document, Scenario) else self.document

    @property
    def scenario(self) -> Scenario:
        """The scenario that was opened.

        Raises
        ------
        StudioError
            When none was.
        """
        if not isinstance(self.document, Scenario):
            msg = "no scenario is open: choose one in the launcher first"
            raise StudioError(msg)
        return self.document

    def __repr__(self) -> str:
        return f"Launcher({self.document!r})" if self.document is not None else "Launcher(nothing open yet)"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        bundle = self._box._repr_mimebundle_(**options)
        data, *rest = bundle if isinstance(bundle, tuple) else (bundle,)
        named = {**data, "text/plain": repr(self)}
        return (named, rest[0]) if rest else named

    # -- what it does; each can be called without a browser ------------------------------------------------------------

    def open(self, name: str) -> None:
        """Open a map or a scenario by its path from the folder."""
        path = self.folder / name
        self._show(open_scenario(path) if name.endswith(".scenario.json") else open_map(path))

    def make_map(self, ruleset: str, columns: int, rows: int, title: str = "", labels: str = "") -> None:
        """Make a new map of a game."""
        from studio.grid import LabelScheme

        scheme = LabelScheme.lettered() if labels == "letters" else None
        self._show(new_map(ruleset, columns, rows, title=title or "Untitled map", labels=scheme))

    def make_scenario(self, name: str, title: str = "") -> None:
        """Make a new scenario on a map, by the map's path from the folder."""
        self._show(new_scenario(open_map(self.folder / name), title=title or "Untitled scenario"))

    def take_in(self, source: str, target: str, **options: Any) -> None:
        """Make a map or a scenario of a bundle, a picture or geography; see `import_file`, `import_geography`."""
        goal = self.folder / (target if target.endswith(".map.json") else target + ".map.json")
        if source.lower().endswith(SPEC_ENDINGS):
            self.show_import(import_geography(self.folder / source, goal, **options))
        else:
            self._show(import_file(self.folder / source, goal, **options))

    def show_import(self, made: GeographyImport) -> None:
        """Open a map that was made of geography, and show beside it what was decided and found."""
        self._show(made.map)
        self.imported = made
        self._report.value = _REPORT.format(made._repr_html_())

    def _show(self, document: Any) -> None:
        self.document, self.imported = document, None
        self._report.value = ""
        name = "scenario" if isinstance(document, Scenario) else "map"
        where = f"the launcher's .{name}, such as start.{name}, or {self._code(document)}"
        self.say(f"Open: {document.title}. In a cell it is {where}")
        before, self._place.children = self._place.children, (document.edit(),)
        for editor in before:
            editor.close()  # one that nobody can see any more must not follow its map

    def _code(self, document: Any) -> str:
        if document.path is None:
            return "save it first to open it by its name"
        where = os.path.relpath(document.path)
        kind = "scenario" if isinstance(document, Scenario) else "map"
        return f"studio.open_{kind}({where!r})"

    # -- the widgets --------------------------------------------------------------------------------------------------

    def _build(self) -> ipywidgets.Widget:
        import ipywidgets as w

        self._said, self._report = w.HTML(), w.HTML()
        self._place = w.VBox([])
        taking = ImportTab(self, w)
        tabs = w.Tab([self._open_tab(w), self._new_tab(w), self._scenario_tab(w), taking.box, w.HTML()])
        titles = ("Open", "New map", "New scenario", "Import", "Unsaved work")
        for number, title in enumerate(titles):
            tabs.set_title(number, title)
        # What lies in files changes meanwhile: it is looked for when somebody asks for it.
        listing = {0: self._open_tab, 2: self._scenario_tab, 4: self._unsaved_tab}

        def shown(change: Any) -> None:
            number = change["new"]
            if number == 3:
                taking.list_files()  # what was typed there stays
            if number in listing:
                tabs.children = tuple(listing[number](w) if n == number else tab for n, tab in enumerate(tabs.children))

        tabs.observe(shown, names="selected_index")
        return w.VBox([tabs, self._said, self._report, self._place])

    def say(self, words: str, fault: bool = False) -> None:
        """Tell how it went, below the tabs."""
        from html import escape

        self._said.value = f"<span role='status'>{'⚠ ' if fault else ''}{escape(words)}</span>"

    def trying(self, act: Callable[[], None]) -> None:
        """Do something and tell its faults in words: those of callbacks show nowhere by themselves."""
        try:
            act()
        except (StudioError, OSError, ValueError) as error:
            self.say(str(error), fault=True)
        except Exception as error:
            self.say(f"This could not be done ({type(error).__name__}: {error})", fault=True)

    def button(self, w: Any, label: str, act: Callable[[], None]) -> Any:
        """Return a button whose faults are told in words."""
        button = w.Button(description=label, button_style="primary")
        button.on_click(lambda _button: self.trying(act))
        return button

    def field(self, w: Any, kind: str, label: str, value: Any, *, wide: int = 480, **more: Any) -> Any:
        """Return a field with its label beside it."""
        room = {"layout": w.Layout(width=f"min(100%, {wide}px)"), "style": {"description_width": "110px"}}
        return getattr(w, kind)(description=label, value=value, **room, **more)

    def _open_tab(self, w: Any) -> Any:
        names = works_in(self.folder, ".map.json", ".scenario.json")
        if not names:
            return w.HTML("No maps or scenarios in this folder yet: make one, or start the notebook beside them.")
        chosen = w.Select(options=names, value=names[0], rows=min(12, len(names)), layout=w.Layout(width="480px"))
        return w.VBox([chosen, self.button(w, "Open", lambda: self.open(chosen.value))])

    def games(self) -> list[tuple[str, str]]:
        """Return the games by their titles, with their ids."""
        return [(get_ruleset(name).title, name) for name in ruleset_ids()]

    def _new_tab(self, w: Any) -> Any:
        game = self.field(w, "Dropdown", "Game", self.games()[0][1], options=self.games())
        title = self.field(w, "Text", "Title", "", placeholder="Untitled map")
        columns = self.field(w, "BoundedIntText", "Columns", 30, min=1, max=2000)
        rows = self.field(w, "BoundedIntText", "Rows", 20, min=1, max=2000)
        labels = self.field(w, "Dropdown", "Labels", "", options=[("0101 at the top left", ""), ("A1", "letters")])

        def make() -> None:
            self.make_map(game.value, columns.value, rows.value, title.value, labels.value)

        return w.VBox([game, title, columns, rows, labels, self.button(w, "Make", make)])

    def _scenario_tab(self, w: Any) -> Any:
        names = works_in(self.folder, ".map.json")
        if not names:
            return w.HTML("A scenario is played on a map that has a file: make a map and save it first.")
        chosen = self.field(w, "Dropdown", "Map", self._at_hand(names), options=names)
        title = self.field(w, "Text", "Title", "", placeholder="Untitled scenario")
        return w.VBox([chosen, title, self.button(w, "Make", lambda: self.make_scenario(chosen.value, title.value))])

    def _at_hand(self, names: list[str]) -> str:
        """Return the map that is open, else the first."""
        path = self.map.path if self.document is not None else None
        return next((name for name in names if path == (self.folder / name).absolute()), names[0])

    def _unsaved_tab(self, w: Any) -> Any:
        found = unsaved()
        if not found:
            return w.HTML("Nothing: every step is in a file.")
        options = [(f"{one.title}, {one.steps} steps, {one.where}, {one.changed}", n) for n, one in enumerate(found)]
        chosen = w.Select(options=options, value=0, rows=min(8, len(found)), layout=w.Layout(width="640px"))
        return w.VBox([chosen, self.button(w, "Bring it back", lambda: self._show(found[chosen.value].open()))])
