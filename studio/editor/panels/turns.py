"""The turn track: who sets up at the start and who arrives when; formations move by drag or by buttons."""

from __future__ import annotations

from typing import Any

from studio.draw.counterfaces import side_colors
from studio.editor.panels.nodes import Node, button, buttons, field, hint, row, rows
from studio.editor.panels.scenario_panel import ScenarioPanel, whole_number
from studio.errors import EditError
from studio.model import Formation

__all__ = ["TurnsPanel"]

SHOWN = 60
"""Turns that are listed one by one; of longer scenarios those with arrivals and those beside them."""


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

    def _turns(self) -> list[int]:
        length = self.document.length
        if length <= SHOWN:
            return list(range(length + 1))
        arrivals = {part.arrival_turn for _, part in self.parts() if part.arrival == "enter"}
        near = {turn + by for turn in arrivals for by in (-1, 0, 1)} | {0, 1, length}
        return sorted(turn for turn in near if 0 <= turn <= length)

    def _track(self) -> list[Node]:
        colors = dict(zip((force.id for force in self.document.forces), side_colors(self.document.forces), strict=True))
        lines, last = [], -1
        for turn in self._turns():
            arriving = [(force, part) for force, part in self.parts() if _turn_of(part) == turn]
            if turn > last + 1:
                lines.append(row("…"))
            last = turn
            title = f"{self.document.length_unit.capitalize()} {turn}" if turn else "Set up at the start"
            lines.append(row(title, sign="▌" if arriving else "▏", drop={"turn": turn}))
            for force, part in arriving:
                counters = sum(unit.count for unit in part.units)
                lines.append(
                    row(
                        part.name,
                        note=f"{force.name}, {counters} counter{'s' * (counters != 1)}",
                        swatch=colors[force.id],
                        action="choose",
                        values={"force": force.id, "part": part.id},
                        chosen=self._part == (force.id, part.id),
                        drag={"force": force.id, "part": part.id},
                        drop={"turn": turn},
                    )
                )
        return lines

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
