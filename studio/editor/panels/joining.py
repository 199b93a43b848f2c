"""The panel that joins another map to this one: both in a new document, saved in a file of its own."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from studio.editor.panels.nodes import Node, button, buttons, field, hint, text
from studio.editor.panels.panel import Panel
from studio.errors import EditError

__all__ = ["JoinPanel"]

_EDGES = [("right", "at the right"), ("left", "at the left"), ("top", "at the top"), ("bottom", "at the bottom")]
_EDGES += [("apart", "apart, such as the underground")]
_ENDING = ".map.json"


class JoinPanel(Panel):
    """Another map beside this one."""

    id = "join"
    title = "Join maps"

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._values: dict[str, Any] = {
            "file": "",
            "edge": "right",
            "turned": False,
            "shift": 0,
            "first": "",
            "second": "",
            "target": "",
        }
        self._made: list[Node] = []

    @classmethod
    def fits(cls, editor: Any) -> bool:
        """Tell whether the document can be joined with another: a map, not a scenario."""
        return hasattr(editor.document, "join_file") and editor.document is editor.subject

    @property
    def _folder(self) -> Path:
        path = self.editor.document.path
        return Path.cwd() if path is None else Path(path).parent

    def _suggested(self) -> str:
        """Return a file for the joint map that is not there yet."""
        name = re.sub(r"[^a-z0-9]+", "-", str(self.editor.document.title).lower()).strip("-")[:60] or "map"
        number, found = 2, f"{name}-joined{_ENDING}"
        while (self._folder / found).exists():
            found, number = f"{name}-joined-{number}{_ENDING}", number + 1
        return found

    def nodes(self) -> list[Node]:
        """Return which map, at which edge, where the joint one goes, and what came of it."""
        values, own = self._values, self.editor.document.path
        names = sorted(path.name for path in self._folder.glob(f"*{_ENDING}") if path != own)[:200]
        return [
            hint("Both maps become sheets of a new document in a file of its own; this one stays as it is."),
            field(
                "file", "Other map", values["file"], suggestions=names, hint=f"a file in {self._shown(self._folder)}"
            ),
            field("edge", "It lies", values["edge"], kind="choice", choices=_EDGES),
            field("turned", "Turned by half a turn", values["turned"], kind="check"),
            field("shift", "Moved along the edge by", values["shift"], kind="number", step=0.5, hint="in hexes"),
            field("first", "Before the labels of this map", values["first"]),
            field("second", "Before those of the other", values["second"], hint="such as B, where labels are the same"),
            field("target", "New file", values["target"] or self._suggested()),
            buttons(button("join", "Join", primary=True, disabled=not values["file"])),
            *self._made,
        ]

    @staticmethod
    def _shown(path: Path) -> str:
        try:
            near = os.path.relpath(path)
        except ValueError:  # another drive
            return str(path)
        return str(path) if near.count("..") > 2 else Path(near).as_posix()

    def do_set(self, values: dict[str, Any]) -> None:
        """Note a value.

        Raises
        ------
        EditError
            When there is no such field.
        """
        if values["id"] not in self._values:
            msg = f"join: no field {values['id']!r}"
            raise EditError(msg)
        self._values[values["id"]] = values["value"]

    def do_join(self, _values: dict[str, Any]) -> None:
        """Join the two maps, save the new one, and say where it is and how it is opened."""
        values, self._made = self._values, []
        target = str(values["target"]).strip() or self._suggested()
        if not target.endswith(_ENDING):
            target = re.sub(r"(\.map)?(\.json)?$", "", target) + _ENDING
        document: Any = self.editor.document
        made = document.join_file(
            self._folder / os.path.expanduser(str(values["file"]).strip()),
            self._folder / os.path.expanduser(target),
            edge=str(values["edge"]),
            turned=bool(values["turned"]),
            shift=float(values["shift"] or 0),
            prefixes=(str(values["first"]), str(values["second"])),
        )
        shown = self._shown(made.path)
        self._made = [
            text(f"Saved as {shown}: {made.grid.columns} x {made.grid.rows} hexes on {len(made.sheets)} sheets."),
            field("code", "To open it, in a cell", f"studio.open_map({shown!r}).edit()", action="code"),
            *(text(f"△ {note}", tone="error") for note in made.notes_on_opening[:12]),
        ]
        made.close()
        self._values["target"] = ""
        self.editor.tell("say", text=f"Joined: {shown}", client=self.editor.client)

    def do_code(self, _values: dict[str, Any]) -> None:
        """Leave the line to be copied as it is."""
