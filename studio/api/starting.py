"""Where work begins: a widget that makes new maps, opens what is there, takes files in, brings unsaved work back."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api.importing import BUNDLE, PICTURES, import_file
from studio.api.map import Map, new_map, open_map
from studio.api.scenario import Scenario, new_scenario, open_scenario
from studio.api.unsavedwork import unsaved
from studio.errors import StudioError
from studio.rules import get_ruleset, ruleset_ids

if TYPE_CHECKING:
    import ipywidgets

__all__ = ["Launcher", "launcher", "works_in"]

_DEEP = 3  # folders below the one of work in which files are looked for
_MOST = 500
_PASSED_OVER = {"node_modules", "__pycache__", "build", "dist"}


def works_in(folder: str | os.PathLike[str], *endings: str) -> list[str]:
    """Return the files below a folder with some endings, as paths from it, those nearest to it first.

    Parameters
    ----------
    folder : path
    *endings : str
        Such as ``.map.json``.

    Examples
    --------
    >>> works_in("maps", ".nothing")
    []
    """
    root, found = Path(folder), []
    for where, inner, names in os.walk(root):
        inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in _PASSED_OVER)
        depth = len(Path(where).relative_to(root).parts)
        if depth >= _DEEP:
            inner.clear()
        for name in names:
            if name.lower().endswith(endings) and not name.startswith("."):
                found.append((depth, (Path(where) / name).relative_to(root).as_posix()))
    return [name for _, name in sorted(found)[:_MOST]]


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
    """

    def __init__(self, folder: str | os.PathLike[str] = ".") -> None:
        self.folder = Path(folder)
        self.document: Map | Scenario | None = None
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

    def take_in(self, source: str, target: str, **size: Any) -> None:
        """Make a map or a scenario of a bundle or a picture; see `import_file`."""
        goal = target if target.endswith(".map.json") else target + ".map.json"
        self._show(import_file(self.folder / source, self.folder / goal, **size))

    def _show(self, document: Any) -> None:
        self.document = document
        name = "scenario" if isinstance(document, Scenario) else "map"
        where = f"the launcher's .{name}, such as start.{name}, or {self._code(document)}"
        self._say(f"Open: {document.title}. In a cell it is {where}")
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

        self._said = w.HTML()
        self._place = w.VBox([])
        tabs = w.Tab([self._open_tab(w), self._new_tab(w), self._scenario_tab(w), self._import_tab(w), w.HTML()])
        titles = ("Open", "New map", "New scenario", "Import", "Unsaved work")
        for number, title in enumerate(titles):
            tabs.set_title(number, title)
        # What lies in files changes meanwhile: it is looked for when somebody asks for it.
        listing = {0: self._open_tab, 2: self._scenario_tab, 4: self._unsaved_tab}

        def shown(change: Any) -> None:
            number = change["new"]
            if number in listing:
                tabs.children = tuple(listing[number](w) if n == number else tab for n, tab in enumerate(tabs.children))

        tabs.observe(shown, names="selected_index")
        return w.VBox([tabs, self._said, self._place])

    def _say(self, words: str, fault: bool = False) -> None:
        from html import escape

        self._said.value = f"<span role='status'>{'⚠ ' if fault else ''}{escape(words)}</span>"

    def _button(self, w: Any, label: str, act: Callable[[], None]) -> Any:
        """Return a button whose faults are told in words: those of callbacks show nowhere by themselves."""

        def pressed(_button: Any) -> None:
            try:
                act()
            except (StudioError, OSError, ValueError) as error:
                self._say(str(error), fault=True)
            except Exception as error:
                self._say(f"This could not be done ({type(error).__name__}: {error})", fault=True)

        button = w.Button(description=label, button_style="primary")
        button.on_click(pressed)
        return button

    def _field(self, w: Any, kind: str, label: str, value: Any, **more: Any) -> Any:
        wide = {"layout": w.Layout(width="min(100%, 480px)"), "style": {"description_width": "110px"}}
        return getattr(w, kind)(description=label, value=value, **wide, **more)

    def _open_tab(self, w: Any) -> Any:
        names = works_in(self.folder, ".map.json", ".scenario.json")
        if not names:
            return w.HTML("No maps or scenarios in this folder yet: make one, or start the notebook beside them.")
        chosen = w.Select(options=names, value=names[0], rows=min(12, len(names)), layout=w.Layout(width="480px"))
        return w.VBox([chosen, self._button(w, "Open", lambda: self.open(chosen.value))])

    def _games(self) -> list[tuple[str, str]]:
        return [(get_ruleset(name).title, name) for name in ruleset_ids()]

    def _new_tab(self, w: Any) -> Any:
        game = self._field(w, "Dropdown", "Game", self._games()[0][1], options=self._games())
        title = self._field(w, "Text", "Title", "", placeholder="Untitled map")
        columns = self._field(w, "BoundedIntText", "Columns", 30, min=1, max=2000)
        rows = self._field(w, "BoundedIntText", "Rows", 20, min=1, max=2000)
        labels = self._field(w, "Dropdown", "Labels", "", options=[("0101 at the top left", ""), ("A1", "letters")])

        def make() -> None:
            self.make_map(game.value, columns.value, rows.value, title.value, labels.value)

        return w.VBox([game, title, columns, rows, labels, self._button(w, "Make", make)])

    def _scenario_tab(self, w: Any) -> Any:
        names = works_in(self.folder, ".map.json")
        if not names:
            return w.HTML("A scenario is played on a map that has a file: make a map and save it first.")
        chosen = self._field(w, "Dropdown", "Map", self._at_hand(names), options=names)
        title = self._field(w, "Text", "Title", "", placeholder="Untitled scenario")
        return w.VBox([chosen, title, self._button(w, "Make", lambda: self.make_scenario(chosen.value, title.value))])

    def _at_hand(self, names: list[str]) -> str:
        """Return the map that is open, else the first."""
        path = self.map.path if self.document is not None else None
        return next((name for name in names if path == (self.folder / name).absolute()), names[0])

    def _import_tab(self, w: Any) -> Any:
        names = works_in(self.folder, BUNDLE, *PICTURES)
        source = self._field(
            w, "Combobox", "File", "", options=names, placeholder="a bundle, or the scan of a printed map"
        )
        target = self._field(w, "Text", "New map", "", placeholder="maps/new.map.json")
        game = self._field(w, "Dropdown", "Game", self._games()[0][1], options=self._games())
        columns = self._field(w, "BoundedIntText", "Columns", 30, min=1, max=2000)
        rows = self._field(w, "BoundedIntText", "Rows", 20, min=1, max=2000)

        def take() -> None:
            stem = re.sub(r"[^a-z0-9]+", "-", Path(source.value).stem.lower()).strip("-") or "new"
            size = {"ruleset": game.value, "columns": columns.value, "rows": rows.value}
            self.take_in(source.value, target.value or f"maps/{stem}.map.json", **size)

        note = w.HTML("A bundle brings its map and scenario; under a picture a new map of this game and size is made.")
        return w.VBox([source, target, note, game, columns, rows, self._button(w, "Import", take)])

    def _unsaved_tab(self, w: Any) -> Any:
        found = unsaved()
        if not found:
            return w.HTML("Nothing: every step is in a file.")
        options = [(f"{one.title}, {one.steps} steps, {one.where}, {one.changed}", n) for n, one in enumerate(found)]
        chosen = w.Select(options=options, value=0, rows=min(8, len(found)), layout=w.Layout(width="640px"))
        return w.VBox([chosen, self._button(w, "Bring it back", lambda: self._show(found[chosen.value].open()))])
