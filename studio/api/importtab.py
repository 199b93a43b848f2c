"""The launcher's part that takes in bundles, scans, and specifications of geography, with a bar while they run."""

from __future__ import annotations

import asyncio
import contextvars
import os
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studio.api.geography import SPEC_ENDINGS, GeographyImport, import_geography
from studio.api.importing import BUNDLE, PICTURES
from studio.errors import ConflictError, StudioError

if TYPE_CHECKING:
    from studio.api.starting import Launcher

__all__ = ["ImportTab", "works_in"]

_DEEP = 3  # folders below the one of work in which files are looked for
_MOST = 500
_PASSED_OVER = {"node_modules", "__pycache__", "build", "dist"}
_KEEP = "Keep what was edited by hand, as overrides"
_NOTES = {
    "geography": "A specification says the game, the grid and the data: a map is made of them, with a report.",
    "bundle": "A bundle brings its map and scenario.",
    "picture": "Under a picture a new map of this game and size is made.",
    "": "A bundle brings its map and scenario; under a picture a new map of the game and size below is made; "
    "NAME.geography.toml makes a map of the real world.",
}


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


def _kind(name: str) -> str:
    """Return what a file is by its name; empty for what is not known yet."""
    low = name.lower()
    if low.endswith(SPEC_ENDINGS):
        return "geography"
    return "bundle" if low.endswith(BUNDLE) else "picture" if low.endswith(PICTURES) else ""


class _StoppedError(StudioError):
    """Somebody pressed Stop."""


class ImportTab:
    """The fields of the tab, and what they do.

    Parameters
    ----------
    launcher : Launcher
    w : module
        ``ipywidgets``.

    Attributes
    ----------
    box : Widget
    """

    def __init__(self, launcher: Launcher, w: Any) -> None:
        self._launcher, self._stop = launcher, threading.Event()
        field, games = launcher.field, launcher.games()
        hint = "a bundle, a scan, or NAME.geography.toml"
        self._source = field(w, "Combobox", "File", "", wide=640, options=(), placeholder=hint)
        self._target = field(
            w, "Text", "New map", "", wide=640, placeholder="maps/new.map.json", continuous_update=False
        )
        self._note = w.HTML()
        self._keep = w.Checkbox(description=_KEEP, indent=False, value=False)
        self._sizes = [
            field(w, "Dropdown", "Game", games[0][1], options=games),
            field(w, "BoundedIntText", "Columns", 30, min=1, max=2000),
            field(w, "BoundedIntText", "Rows", 20, min=1, max=2000),
        ]
        self._bar = field(w, "FloatProgress", "", 0.0, min=0.0, max=1.0)
        self._stopper = w.Button(description="Stop")
        self._stopper.on_click(lambda _button: self._stop.set())
        self._running = w.HBox([self._bar, self._stopper])
        self._button = launcher.button(w, "Import", self._take)
        parts = [self._source, self._target, self._note, self._keep, *self._sizes, self._running, self._button]
        self.box = w.VBox(parts)
        _show(self._running, False)
        self.list_files()
        self._follow()
        for one in (self._source, self._target):
            one.observe(lambda _change: self._follow(), names="value")

    def list_files(self) -> None:
        """Look up what there is to take in; the record of a map is not, though it may end as specifications do."""
        root = self._launcher.folder
        names = works_in(root, BUNDLE, *PICTURES, *SPEC_ENDINGS)
        records = {name for name in names if (root / _map_beside(name)).exists()}
        self._source.options = tuple(name for name in names if name not in records)

    @property
    def goal(self) -> str:
        """The map to write, as a path from the folder: as it was typed, else named after the file."""
        typed = self._target.value.strip()
        if typed:
            return typed if typed.endswith(".map.json") else f"{typed}.map.json"
        name = Path(self._source.value.strip()).name.lower()
        ends = (*SPEC_ENDINGS, BUNDLE)
        stem = next((name.removesuffix(end) for end in ends if name.endswith(end)), Path(name).stem)
        return f"maps/{re.sub(r'[^a-z0-9]+', '-', stem).strip('-') or 'new'}.map.json"

    # -- what is shown -------------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Show the fields that the chosen file needs, and what stands where the map is to be."""
        from html import escape

        kind = _kind(self._source.value.strip())
        for one in self._sizes:
            _show(one, kind in ("picture", ""))
        self._target.placeholder = self.goal
        words = _NOTES[kind]
        edited = ""
        if kind == "geography":
            try:
                edited, there = self._standing()
            except StudioError as error:
                there = f"⚠ {error}"
            words = f"{words} {there}".strip()
        _show(self._keep, bool(edited))
        self._note.value = f"<span role='status'>{escape(words)}</span>"

    def _standing(self) -> tuple[str, str]:
        """Return what was edited on the map that is there, and how it is with that map, in words.

        Raises
        ------
        ConflictError
            When that map was made otherwise.
        StudioError
            When it cannot be made anew.
        """
        from studio.api.remaking import Standing
        from studio.exchange.common.ground import known_game
        from studio.exchange.geography.record import record_beside
        from studio.exchange.geography.spec import read_spec

        source, goal = self._paths()
        if not source.is_file():
            return "", ""
        spec = read_spec(source)
        if not goal.exists():
            return "", f"{goal.name} is new."
        if not record_beside(goal).exists():
            msg = f"{goal.name} is there already, and was not made of geography: name another map"
            raise ConflictError(msg)
        standing = Standing(goal, source, known_game(spec.ruleset, source))
        if standing.edited:
            return standing.edited, f"{goal.name} was edited since it was made: {standing.edited}."
        return "", f"{goal.name} is there, as it was made: it is made anew."

    def _paths(self) -> tuple[Path, Path]:
        root = self._launcher.folder
        return root / self._source.value.strip(), root / self.goal

    # -- what it does --------------------------------------------------------------------------------------------------

    def _take(self) -> None:
        """Take the file in.

        Raises
        ------
        ConflictError
            When the map was edited since and nobody said to keep that.
        StudioError
            When no file is named, or it cannot be taken in.
        """
        name = self._source.value.strip()
        if not name:
            msg = "File: choose what is to be taken in"
            raise StudioError(msg)
        if _kind(name) != "geography":
            game, columns, rows = (one.value for one in self._sizes)
            self._launcher.take_in(name, self.goal, ruleset=game, columns=columns, rows=rows)
            return
        source, goal = self._paths()
        self._follow()
        if source.is_file() and goal.exists():
            edited, _ = self._standing()
            if edited and not self._keep.value:
                msg = (
                    f"{self.goal} was edited since it was made: {edited}. Nothing was written. Tick “{_KEEP}” above, "
                    "or name another map"
                )
                raise ConflictError(msg)
        keep = bool(self._keep.value and self._keep.layout.display is None)
        self._run(lambda: import_geography(source, goal, keep=keep, progress=self._tell))

    def _tell(self, step: str, part: float) -> None:
        if self._stop.is_set():
            msg = "Stopped; nothing was written"
            raise _StoppedError(msg)
        self._bar.description, self._bar.value = step, part

    def _run(self, job: Callable[[], GeographyImport]) -> None:
        """Run an import beside the kernel's messages, so that Stop and other cells are heard meanwhile."""
        self._stop.clear()
        self._bar.value, self._button.disabled = 0.0, True
        _show(self._running, True)
        self._launcher.say(f"{self.goal} is made …")
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # no kernel: whoever calls waits
            self._ended(_outcome(job))
            return
        context = contextvars.copy_context()

        def work() -> None:
            outcome = _outcome(job)
            loop.call_soon_threadsafe(self._ended, outcome, context=context)

        threading.Thread(target=work, name="studio import", daemon=True).start()

    def _ended(self, outcome: Callable[[], GeographyImport]) -> None:
        _show(self._running, False)
        self._button.disabled = False
        self._launcher.trying(lambda: self._launcher.show_import(outcome()))
        self._keep.value = False
        self._follow()


def _outcome(job: Callable[[], GeographyImport]) -> Callable[[], GeographyImport]:
    """Do something now, and return what gives its result or raises its fault."""
    try:
        made = job()
    except Exception as error:
        fault = error

        def fail() -> GeographyImport:
            raise fault

        return fail
    return lambda: made


def _show(widget: Any, shown: bool) -> None:
    widget.layout.display = None if shown else "none"


def _map_beside(name: str) -> str:
    """Return the map whose record a file would be."""
    return f"{name.removesuffix('.geography.json')}.map.json"
