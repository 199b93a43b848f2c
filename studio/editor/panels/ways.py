"""Movement in words: how far a mover comes, by what way, and what bars it."""

from __future__ import annotations

from typing import Any

from studio.editor.panels.nodes import Node, field, group, hint, row, rows, text, verdict
from studio.editor.panels.panel import Panel
from studio.editor.ways import journey_of

__all__ = ["WaysPanel"]

SHOWN = 120
"""Locations of a reach that are listed."""


class WaysPanel(Panel):
    """Who moves, what holds, and the answer."""

    id = "ways"
    title = "Movement"
    tools = ("ways",)
    for_readers = True

    @classmethod
    def fits(cls, editor: Any) -> bool:
        """Tell whether the game has movement."""
        return bool(getattr(editor.document.ruleset, "has_movement", False))

    def nodes(self) -> list[Node]:
        """Return the fields, and the answer with its legs."""
        asked = journey_of(self.editor)
        movers = [(name, mover.name) for name, mover in self.editor.document.ruleset.movers.items()]
        listed = "labels, parted by commas"
        found: list[Node] = [
            field("mover", "Mover", asked.mover, kind="choice", choices=movers),
            field("points", "Points", asked.points, hint="Most points, halves as 7/2; none for no limit."),
            group(
                "What holds",
                [
                    field("enemies", "Enemies at", ", ".join(asked.enemies), hint=listed),
                    field("blocked", "No room at", ", ".join(asked.blocked), hint=listed),
                ],
                open=bool(asked.enemies or asked.blocked),
            ),
        ]
        if asked.fault:
            return [*found, text(asked.fault, tone="error")]
        if asked.route is not None:
            return [*found, *self._route(asked.route)]
        if asked.reach is not None:
            return [*found, *self._reach(asked.reach)]
        return [*found, hint("No start chosen yet.")]

    def _go(self, label: str) -> tuple[float, float] | None:
        document: Any = self.editor.document
        directory = document.survey.directory
        x, y = directory.dot(directory.number(label))
        return (float(x), float(y))

    def _route(self, route: Any) -> list[Node]:
        head, *rest = str(route.text).splitlines()
        status, sign = ("clear", "✓") if route.found else ("blocked", "✕")
        found = [verdict(status, sign, "Can go" if route.found else "Cannot go"), text(head)]
        lines = [
            row(leg.step.b, f"{leg.step.cost} MP", note=f"{_points(leg.total)} in all", go=self._go(leg.step.b))
            for leg in route.legs
        ]
        found.append(rows(lines, label="Steps"))
        if rest:
            found.append(group("In words", [text(line.strip()) for line in rest]))
        if route.warning:
            found.append(hint(f"⚠ {route.warning}"))
        return found

    def _reach(self, reach: Any) -> list[Node]:
        costs = sorted(reach.costs.items(), key=lambda item: (item[1], item[0]))
        lines = [row(label, f"{cost} MP", go=self._go(label)) for label, cost in costs[:SHOWN]]
        found = [text(str(reach.text).splitlines()[0]), rows(lines, label="Locations in reach")]
        if len(costs) > SHOWN:
            found.append(hint(f"… and {len(costs) - SHOWN} more."))
        if reach.warning:
            found.append(hint(f"⚠ {reach.warning}"))
        return found

    def do_set(self, values: dict[str, Any]) -> None:
        """Set who moves and what holds, and ask again."""
        asked, name, value = journey_of(self.editor), str(values["id"]), str(values["value"] or "")
        if name in ("enemies", "blocked"):
            setattr(asked, name, tuple(label.strip() for label in value.split(",") if label.strip()))
        elif name in ("mover", "points"):
            setattr(asked, name, value.strip())
        asked.ask()


def _points(halves: int) -> str:
    whole, half = divmod(halves, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"
