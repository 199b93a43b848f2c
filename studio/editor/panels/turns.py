"""The turn track: who sets up at the start and who arrives when; formations move by drag or by buttons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.draw.counterfaces import side_colors
from studio.editor.panels.nodes import Node, button, buttons, field, hint, row, rows
from studio.editor.panels.scenario_panel import ScenarioPanel, whole_number
from studio.errors import EditError
from studio.model import Formation
from studio.model.calendar import ANY_TIME, CalendarItem, calendar_rows
from studio.rules.words import scenario_names

__all__ = ["TurnsPanel"]

_COMING = ("set_up", "pool", "arrival")
_SIGNS = {
    "event": ("◆", "event"),
    "support": ("✸", "support"),
    "cup": ("●", "into the cup"),
    "period": ("■", "begins"),
    "arrival_latest": ("≤", "enters at the latest"),
}
"""Signs of what else happens in a turn, those of the badges of a turn track."""


class TurnsPanel(ScenarioPanel):
    """Turns in a row, with the formations that arrive."""

    id = "turns"
    title = "Turns and arrivals"

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self._part: tuple[str, str] | None = None

    def nodes(self) -> list[Node]:
        """Return the length, the track, and what moves the chosen formation."""
        document, shut = self.document, self.editor.readonly
        units = [("turn", "turns"), ("activation", "activations")]
        found = [
            field("length", "Length", document.length, kind="number", low=1, high=10_000, disabled=shut),
            field("length_unit", "Counted in", document.length_unit, kind="choice", choices=units, disabled=shut),
            field(
                "first_side",
                "Acts first",
                document.first_side,
                kind="choice",
                choices=self.sides("drawn"),
                disabled=shut,
            ),
            rows(self._track(), label="Turn track"),
        ]
        part = self._chosen()
        if part is not None and not shut:
            now = part.arrival_turn if part.arrival == "enter" else 0
            found.append(
                buttons(
                    button("shift", "◀ Earlier", values={"by": -1}, disabled=now == 0),
                    button("shift", "Later ▶", values={"by": 1}, disabled=now >= document.length),
                )
            )
            found.append(hint(f"{part.name}: drag its line to another {document.length_unit}, or use the buttons."))
        elif self.parts():
            found.append(hint(f"Press a formation to choose it, or drag it to another {document.length_unit}."))
        return found

    def _track(self) -> list[Node]:
        names = scenario_names(self.document, self.scenario.ruleset)
        lines: list[Node] = []
        for turn in calendar_rows(self.document, names):
            if turn.turn == ANY_TIME or turn.extra:
                continue
            if turn.quiet:
                lines.append(row("…"))
                continue
            title = f"{turn.name}, {turn.title}" if turn.title else turn.name
            title = title if turn.turn else "Set up at the start"
            arriving = any(item.kind in _COMING for item in turn.items)
            lines.append(row(title, sign="▌" if arriving else "▏", drop={"turn": turn.turn}))
            lines += [line for item in turn.items for line in self._lines(item, turn.turn)]
        return lines

    def _lines(self, item: CalendarItem, turn: int) -> Iterator[Node]:
        """Yield the line of what happens in a turn: a formation that can be dragged, or something else."""
        if item.kind in _SIGNS:
            yield row(item.title, note=_SIGNS[item.kind][1], sign=_SIGNS[item.kind][0], drop={"turn": turn})
        if item.kind not in _COMING:
            return
        force, part = next(pair for pair in self.parts() if (pair[0].id, pair[1].id) == (item.side, item.formation))
        counters = sum(unit.count for unit in part.units)
        colors = dict(zip((one.id for one in self.document.forces), side_colors(self.document.forces), strict=True))
        key = {"force": force.id, "part": part.id}
        yield row(
            part.name,
            note=f"{force.name}, {counters} counter{'s' * (counters != 1)}",
            swatch=colors[force.id],
            action="choose",
            values=key,
            chosen=self._part == (force.id, part.id),
            drag=key,
            drop={"turn": turn},
        )

    def _chosen(self) -> Formation | None:
        found = [part for force, part in self.parts() if (force.id, part.id) == self._part]
        return found[0] if found else None

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose a formation."""
        self._part = (str(values["force"]), str(values["part"]))

    def do_drop(self, values: dict[str, Any]) -> None:
        """Let a formation that was dragged arrive in the turn that it was dropped on."""
        what, on = values.get("what") or {}, values.get("on") or {}
        if "part" in what and "turn" in on:
            self._part = (str(what["force"]), str(what["part"]))
            self.scenario.arrive(str(what["part"]), int(on["turn"]), force=str(what["force"]))

    def do_shift(self, values: dict[str, Any]) -> None:
        """Let the chosen formation arrive earlier or later.

        Raises
        ------
        EditError
            When none is chosen, or the scenario is not so long.
        """
        part = self._chosen()
        if part is None or self._part is None:
            msg = "turn track: no formation is chosen; press one"
            raise EditError(msg)
        self.scenario.arrive(part.id, _turn_of(part) + int(values["by"]), force=self._part[0])

    def do_set(self, values: dict[str, Any]) -> None:
        """Set the length, what it is counted in, or who acts first.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        name, value = str(values["id"]), values.get("value")
        if name == "length":
            self.scenario.last_for(whole_number(value, "length"))
        elif name == "length_unit":
            self.scenario.last_for(self.document.length, str(value))
        elif name == "first_side":
            self.scenario.begin_with(str(value))
        else:
            msg = f"turn track: no field {name!r}"
            raise EditError(msg)


def _turn_of(part: Formation) -> int:
    return part.arrival_turn if part.arrival == "enter" else 0
