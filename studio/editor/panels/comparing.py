"""Two rulings on one drawing compared: what differs, listed beside the map and shown on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from studio.editor.overlays import OverlayDrawer
from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows, text
from studio.editor.panels.panel import Panel
from studio.editor.panels.ruling import option_fields, read_option
from studio.editor.sight import Inquiry, Rival, inquiry_of
from studio.editor.work import Progress
from studio.errors import EditError
from studio.rules import get_ruleset, ruleset_ids

if TYPE_CHECKING:
    from studio.editor.widget import MapEditor

__all__ = ["SHOWN", "ComparingPanel"]

SHOWN = 200
"""Lines of a table that are listed; the numbers of all are told."""


class ComparingPanel(Panel):
    """The part of a panel that compares the ruling in force with another one."""

    def __init__(self, editor: MapEditor) -> None:
        super().__init__(editor)
        self._compared: Any = None
        self._compared_stamp: Any = None
        self._start = ""
        self._differing = OverlayDrawer(editor, "compare")

    @property
    def inquiry(self) -> Inquiry:
        """What the editor asks beside the ends of a line."""
        return inquiry_of(self.editor)

    @property
    def _map(self) -> Any:
        return self.editor.document

    def _state(self) -> Any:
        """Return what an answer was made from; another one tells that it is out of date."""
        asked = self.inquiry
        return (self._map.revision, dict(asked.options), asked.conditions)

    def _suggestions(self) -> list[str]:
        return [one.label for one in self._map.survey.directory.others[:800]]

    def _label(self, written: Any) -> str:
        """Return the label of the location that somebody means.

        Raises
        ------
        LabelError
            When the map has no such location.
        """
        directory = self._map.survey.directory
        label: str = directory.label(directory.number(str(written).strip()))
        return label

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _comparing(self) -> list[Node]:
        rival = self.inquiry.rival
        own = self._map.ruleset
        games = [("", "none"), (own.id, f"{own.title}, read otherwise")]
        games += [(name, get_ruleset(name).title) for name in ruleset_ids() if name != own.id and _judges(name)]
        chosen = "" if rival is None else rival.ruleset.id
        found = [field("rival", "Ruling", chosen, kind="choice", choices=games, action="rival")]
        if rival is None:
            return found
        force = {**(self.inquiry.options if rival.ruleset is own else {}), **rival.options}
        readings = option_fields(rival.ruleset, force, "rival_option")
        found.append(group("Its readings of the rules", readings, name="rival", open=rival.ruleset is own))
        found += self._counterparts(rival)
        start = field(
            "start", "From", self._start, action="start", suggestions=self._suggestions(), hint="Empty: all lines"
        )
        found += [start, buttons(button("compare", "Show where they differ", primary=True))]
        return [*found, *self._differences()]

    def _counterparts(self, rival: Rival) -> list[Node]:
        """Return fields for what terrain of the map counts as in a game that does not have it."""
        if rival.ruleset is self._map.ruleset:
            return []
        model, terrains = self._map.model, rival.ruleset.terrains
        used = [model.terrain_ids[code] for code in np.unique(model.terrain[model.grid.present]).tolist()]
        choices = [("", "…"), *((name, kind.name) for name, kind in terrains.items())]
        return [
            field(
                name,
                f"{name.replace('_', ' ')} counts as",
                rival.terrain.get(name, ""),
                kind="choice",
                choices=choices,
                action="counts_as",
            )
            for name in used
            if name not in terrains
        ]

    def _differences(self) -> list[Node]:
        found = self._compared
        if found is None:
            return []
        state = [hint("Changed since then: show it again.")] if self._compared_stamp != self._comparing_state() else []
        share = found.differing_count / found.compared_count if found.compared_count else 0.0
        words = f"{found.differing_count:,} of {found.compared_count:,} lines differ ({share:.1%})."
        nodes = [*state, text(words), *(hint(note) for note in found.notes)]
        dot, number = self._map.survey.directory.dot, self._map.survey.directory.find
        lines = []
        for pair in [] if state else found.pairs(SHOWN):
            at = number(pair.b)
            values = {"a": pair.a, "b": pair.b}
            lines.append(
                row(
                    f"{pair.a} → {pair.b}",
                    f"{pair.first}, {pair.second}",
                    go=None if at is None else dot(at),
                    action="line",
                    values=values,
                )
            )
        if lines:
            nodes.append(group("Lines that differ", [rows(lines, label="Lines that differ")], name="pairs", open=True))
        return nodes

    def _comparing_state(self) -> Any:
        return (*self._state(), self.inquiry.rival)

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_rival(self, values: dict[str, Any]) -> None:
        """Choose the game to compare with."""
        name = str(values["value"])
        own = self._map.ruleset
        self.inquiry.rival = Rival(ruleset=own if name == own.id else get_ruleset(name)) if name else None
        self._forget_comparison()

    def do_rival_option(self, values: dict[str, Any]) -> None:
        """Choose a reading of a rule of the other ruling."""
        rival = self._rival()
        name, value = read_option(rival.ruleset, values)
        self.inquiry.rival = Rival(ruleset=rival.ruleset, options={**rival.options, name: value}, terrain=rival.terrain)
        self._forget_comparison()

    def do_counts_as(self, values: dict[str, Any]) -> None:
        """Say what terrain of the map counts as in the other game."""
        rival = self._rival()
        terrain = {name: value for name, value in rival.terrain.items() if name != values["id"]}
        if values["value"]:
            terrain[str(values["id"])] = str(values["value"])
        self.inquiry.rival = Rival(ruleset=rival.ruleset, options=rival.options, terrain=terrain)
        self._forget_comparison()

    def _rival(self) -> Rival:
        rival = self.inquiry.rival
        if rival is None:
            msg = "no ruling to compare with; choose one first"
            raise EditError(msg)
        return rival

    def _forget_comparison(self) -> None:
        self._compared = None
        self._differing.clear()
        self.editor.tell("ask")

    def do_start(self, values: dict[str, Any]) -> None:
        """Choose the location from which rulings are compared."""
        written = str(values["value"]).strip()
        self._start = self._label(written) if written else ""

    def do_compare(self, _values: dict[str, Any]) -> None:
        """Compare the two rulings, from one location or all of them."""
        self._rival()
        labels = [self._start] if self._start else None

        def job(progress: Progress) -> Any:
            with self._map.lock:
                state, still = self._comparing_state(), self.inquiry.ground.still()
            return state, still, self.inquiry.compare(labels, progress, still)

        def done(found: Any) -> None:
            self._show_comparison(*found)
            self.editor.desk.refresh(self.id)

        if labels is not None:
            done((self._comparing_state(), None, self.inquiry.compare(labels)))
        else:
            self.editor.work("Comparing rulings", job, done)

    def _show_comparison(self, state: Any, still: Any, found: Any) -> None:
        from studio.draw import draw_comparison

        self._compared, self._compared_stamp = found, state
        start = {"start": self._start} if self._start else {}
        if state == self._comparing_state():
            self._differing.show(draw_comparison, found, still, **start)

    def do_line(self, values: dict[str, Any]) -> None:
        """Lay a line of sight between two locations in the browser."""
        ends = [self._label(values[name]) for name in ("a", "b")]
        self.editor.tell("sight", a=ends[0], b=ends[1], client=self.editor.client)


def _judges(name: str) -> bool:
    return bool(get_ruleset(name).has_sight)
