"""Movement in words: how far a mover comes, by what way, and what bars it."""

from __future__ import annotations

from typing import Any

from studio.editor.panels.nodes import Node, field, group, hint, row, rows, text, verdict
from studio.editor.panels.panel import Panel
from studio.editor.ways import MOST, Journey, journey_of

__all__ = ["WaysPanel"]

SHOWN = 120
"""Locations of a reach that are listed."""

_POINTS = {
    False: "Most points, halves as 7/2; none for no limit.",
    True: "Most points, halves as 7/2; none for what the unit has.",
}
"""By whether a unit moves."""


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
        listed = "labels, parted by commas"
        if asked.scenario is not None:
            listed += "; in place of those of the scenario"
        found: list[Node] = [
            *self._who(asked),
            field("points", "Points", asked.points, hint=_POINTS[bool(asked.unit)]),
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
        if asked.note:
            found.append(hint(f"⚠ {asked.note[:1].upper()}{asked.note[1:]}: all that it can ever reach is shown."))
        if asked.route is not None:
            return [*found, *self._route(asked.route)]
        if asked.reach is not None:
            return [*found, *self._reach(asked.reach, limited=not asked.note)]
        return [*found, hint("No start chosen yet.")]

    def _who(self, asked: Journey) -> list[Node]:
        """Return the fields of who moves: a unit at the start, or a mover of a side."""
        movers = [(name, mover.name) for name, mover in self.editor.document.ruleset.movers.items()]
        found, scenario, there = [], asked.scenario, asked.units
        if there:
            names = [(unit.id, f"{self.editor.feed.counters.name(unit.type)} ({unit.id})") for unit in there]
            choices = [*names, ("", "no unit, but a mover")]
            found.append(field("unit", "Who moves", asked.unit, kind="choice", choices=choices))
        if asked.unit:
            own = [("", "as its kind"), *movers]
            return [*found, field("unit_mover", "Moves", asked.unit_mover, kind="choice", choices=own)]
        found.append(field("mover", "Mover", asked.mover, kind="choice", choices=movers))
        if scenario is not None:
            sides = [("", "of no side"), *((force.id, force.name or force.id) for force in scenario.document.forces)]
            found.append(field("side", "Side", asked.side, kind="choice", choices=sides))
        return found

    def _go(self, label: str) -> tuple[float, float] | None:
        document: Any = self.editor.document
        directory = document.survey.directory
        number = directory.find(label)  # a place of the answer may be gone since
        if number is None:
            return None
        x, y = directory.dot(number)
        return (float(x), float(y))

    def _route(self, route: Any) -> list[Node]:
        head, *rest = str(route.text).splitlines()
        status, sign = ("clear", "✓") if route.found else ("blocked", "✕")
        found = [verdict(status, sign, "Can go" if route.found else "Cannot go"), text(head)]
        lines = [
            row(
                leg.step.b,
                f"{_points(leg.step.halves or 0)} MP",
                note=f"{_points(leg.total)} in all",
                go=self._go(leg.step.b),
            )
            for leg in route.legs
        ]
        found.append(rows(lines, label="Steps"))
        if rest:
            found.append(group("In words", [text(line.strip()) for line in rest]))
        if route.warning:
            found.append(hint(f"⚠ {route.warning}"))
        return found

    def _reach(self, reach: Any, *, limited: bool) -> list[Node]:
        costs = sorted(reach.costs.items(), key=lambda item: (item[1], item[0]))
        lines = [row(label, f"{_points(int(cost * 2))} MP", go=self._go(label)) for label, cost in costs[:SHOWN]]
        head = str(reach.text).splitlines()[0]
        head = head if limited else head.replace(f" for {MOST} MP", ", however many points it takes")
        found = [text(head), rows(lines, label="Locations in reach")]
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
        elif name in ("mover", "points", "unit", "unit_mover", "side"):
            setattr(asked, name, value.strip())
        asked.ask()


def _points(halves: int) -> str:
    whole, half = divmod(halves, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"
