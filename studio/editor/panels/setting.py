"""The setting of a scenario: title, date, situation, the part of the map in play, notes to places and to the whole."""

from __future__ import annotations

from typing import Any

from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows
from studio.editor.panels.scenario_panel import ScenarioPanel, labels_in, shown_labels
from studio.errors import EditError
from studio.model import Batch, SetField

__all__ = ["NotesPanel", "SettingPanel"]

_TEXTS = {"title": "Title", "date": "Date", "situation": "Situation", "notes": "Notes"}
_LIMITS = {
    "first_column": "First column",
    "last_column": "Last column",
    "first_row": "First row",
    "last_row": "Last row",
}


class SettingPanel(ScenarioPanel):
    """Title, date, situation, and the part of the map in play."""

    id = "setting"
    title = "Setting and map"

    def nodes(self) -> list[Node]:
        """Return the fields."""
        document, shut = self.document, self.editor.readonly
        use = document.map
        found = [
            field(
                name,
                words,
                getattr(document, name),
                kind="text" if name in ("title", "date") else "area",
                disabled=shut,
            )
            for name, words in _TEXTS.items()
        ]
        limits = [field(f"map:{name}", words, getattr(use, name), disabled=shut) for name, words in _LIMITS.items()]
        sheets = [sheet.id for sheet in self.scenario.map.model.sheets]
        if sheets:
            limits += [
                field(
                    f"sheet:{name}",
                    f"Sheet {name} in play",
                    not use.sheets or name in use.sheets,
                    kind="check",
                    disabled=shut,
                )
                for name in sheets
            ]
        words = "Labels of single hexes, zones and other places, with commas between them."
        limits.append(field("map:out_of_play", "Out of play", shown_labels(use.out_of_play), hint=words, disabled=shut))
        return [*found, group("Part of the map in play", limits, open=bool(use.first_column or use.out_of_play))]

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a field of the scenario, or of its use of the map.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        name, value = str(values["id"]), values.get("value")
        if name in _TEXTS:
            title = f"Set the {_TEXTS[name].lower()}"
            self.scenario.apply(Batch(title=title, edits=[SetField(field=name, value=str(value))]))
        elif name == "map:out_of_play":
            self.scenario.use_map(out_of_play=labels_in(str(value)))
        elif name.startswith("map:") and name[4:] in _LIMITS:
            self.scenario.use_map(**{name[4:]: str(value).strip()})
        elif name.startswith("sheet:"):
            self._set_sheet(name[6:], bool(value))
        else:
            msg = f"setting: no field {name!r}"
            raise EditError(msg)

    def _set_sheet(self, sheet: str, used: bool) -> None:
        known = [one.id for one in self.scenario.map.model.sheets]
        now = set(self.document.map.sheets or known)
        now = now | {sheet} if used else now - {sheet}
        if not now:
            msg = "setting: a scenario is played on one sheet at least"
            raise EditError(msg)
        self.scenario.use_map(sheets=[] if now == set(known) else [name for name in known if name in now])


class NotesPanel(ScenarioPanel):
    """Notes to places, each with its text."""

    id = "notes"
    title = "Notes to places"
    tools = ("note",)

    def nodes(self) -> list[Node]:
        """Return the notes, each with its place, for whom it is, and its text."""
        shut = self.editor.readonly
        notes = self.document.place_notes
        lines = [row(f"{n}  {note.at}", note=note.text, go=self.point(note.at)) for n, note in enumerate(notes, 1)]
        found: list[Node] = (
            [rows(lines, label="Notes")] if lines else [hint("The tool for notes pins one to a hex or zone.")]
        )
        for note in notes if not shut else ():
            fields = [
                field(f"{note.id}:at", "Place", note.at),
                field(f"{note.id}:side", "For", note.side, kind="choice", choices=self.sides("everybody")),
                field(f"{note.id}:text", "Text", note.text, kind="area"),
                buttons(button("remove", "Remove", values={"id": note.id})),
            ]
            found.append(group(f"Note at {note.at}", fields, name=note.id))
        return found

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a field of a note."""
        note, _, name = str(values["id"]).rpartition(":")
        self.scenario.change_note(note, **{name: str(values.get("value"))})

    def do_remove(self, values: dict[str, Any]) -> None:
        """Take a note away."""
        self.scenario.remove_note(str(values["id"]))
