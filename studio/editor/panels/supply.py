"""Supply and command in words: which units are in, by what line; which are out, and what keeps them out."""

from __future__ import annotations

from typing import Any

from studio.editor.panels.nodes import Node, button, buttons, field, hint, row, rows, text
from studio.editor.panels.panel import Panel
from studio.editor.ways import SupplyQuestion, supply_of

__all__ = ["SupplyPanel"]

SHOWN = 300
"""Units that are listed."""


class SupplyPanel(Panel):
    """Whose supply is asked, what would be, and the answer unit by unit."""

    id = "supply"
    title = "Supply and command"
    tools = ("supply",)
    for_readers = True

    @classmethod
    def fits(cls, editor: Any) -> bool:
        """Tell whether a scenario is open whose game has supply or command."""
        return editor.subject is not editor.document and bool(_shows(editor))

    def nodes(self) -> list[Node]:
        """Return the fields and a line for every unit."""
        asked = supply_of(self.editor)
        asked.settle()
        sides = [(force.id, force.name or force.id) for force in self.editor.subject.document.forces]
        found: list[Node] = [
            field("side", "Side", asked.side, kind="choice", choices=sides),
            field("show", "Show", asked.show, kind="choice", choices=_shows(self.editor)),
        ]
        if asked.moved:
            who = f"the enemy of {asked.lift}" if asked.lift != asked.drop else "an enemy"
            found.append(text(f"What if {who} stood at {asked.drop}?"))
            found.append(buttons(button("clear", "As it stands")))
        if asked.fault:
            return [*found, text(asked.fault, tone="error")]
        if asked.answer is None:
            return [*found, hint("Nothing asked yet." if sides else "The scenario has no sides yet.")]
        tell = {"supply": self._supply, "interdiction": self._interdiction, "command": self._command}[asked.show]
        return [*found, *tell(asked)]

    def _go(self, label: str) -> tuple[float, float] | None:
        document: Any = self.editor.document
        directory = document.survey.directory
        number = directory.find(label)
        if number is None:
            return None
        x, y = directory.dot(number)
        return (float(x), float(y))

    def _supply(self, asked: SupplyQuestion) -> list[Node]:
        units = sorted(asked.answer, key=lambda one: (one.supplied, one.unit))
        out = [one for one in units if not one.supplied]
        fresh = [one.unit for one in out if asked.moved and one.unit not in asked.before]
        head = f"{len(units) - len(out)} of {len(units)} in supply"
        if fresh:
            head += f"; cut off by this: {', '.join(fresh[:8])}{' …' if len(fresh) > 8 else ''}"
        lines = [
            row(
                f"{one.who}: {one.reason}",
                sign="✓" if one.supplied else "✕",
                note=_line(one),
                go=self._go(one.at),
                tone=None if one.supplied else "error",
            )
            for one in units[:SHOWN]
        ]
        return [text(head), rows(lines, label="Units")]

    def _interdiction(self, asked: SupplyQuestion) -> list[Node]:
        counts = sorted(asked.answer.counts.items(), key=lambda item: (-item[1], item[0]))
        if not counts:
            return [text("No single hex would cut anybody off.")]
        lines = [
            row(f"{label}: cuts off {count}", note=", ".join(asked.answer.units(label)[:6]), go=self._go(label))
            for label, count in counts[:SHOWN]
        ]
        return [text("Hexes by the units that an enemy there would cut off:"), rows(lines, label="Hexes")]

    def _command(self, asked: SupplyQuestion) -> list[Node]:
        lines = []
        for one in list(asked.answer)[:SHOWN]:
            sign, tone = ("✓", None) if one.in_command else ("✕", "error")
            lines.append(row(str(one), sign=sign, go=self._go(one.at), tone=tone))
        return [rows(lines, label="Units")]

    def do_set(self, values: dict[str, Any]) -> None:
        """Choose a side or what is shown."""
        asked, name = supply_of(self.editor), str(values["id"])
        if name in ("side", "show"):
            setattr(asked, name, str(values["value"]))
            asked.on = True
            asked.ask()
            asked.tell()

    def do_clear(self, _values: dict[str, Any]) -> None:
        """Take the supposed enemy away."""
        asked = supply_of(self.editor)
        asked.lift = asked.drop = ""
        asked.ask()
        asked.tell()


def _line(one: Any) -> str:
    """Return the line of a unit with its running cost, or the nearest miss."""
    way = one.path or one.attempt
    if not way:
        return ""
    costs = list(one.costs)
    shown = [f"{label} ({costs[n]})" if n < len(costs) else label for n, label in enumerate(way[:12])]
    return ("by " if one.path else "nearest miss: ") + " → ".join(shown) + (" …" if len(way) > 12 else "")


def _shows(editor: Any) -> list[tuple[str, str]]:
    rules = editor.document.ruleset
    found = []
    if getattr(rules, "has_supply", False):
        found += [("supply", "Supply: in and out"), ("interdiction", "Interdiction: what would cut")]
    if getattr(rules, "has_scenario", False) and hasattr(rules.scenario, "command"):
        found.append(("command", "Command ranges"))
    return found
