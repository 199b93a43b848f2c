"""Objectives and who wins: what earns points, where, and the condition of victory."""

from __future__ import annotations

from typing import Any

from studio.draw.counterfaces import side_colors
from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows
from studio.editor.panels.recordform import record_fields
from studio.editor.panels.records import Listed, RecordsPanel, choices_of
from studio.editor.panels.scenario_panel import labels_in, shown_labels, whole_number
from studio.model import Objective

__all__ = ["ObjectivesPanel"]

_EVENTS = [
    ("hold", "holding a place"),
    ("eliminate", "eliminating units"),
    ("exit", "leaving the map"),
    ("loot_and_exit", "looting and leaving"),
    ("capture", "capturing a place"),
    ("destroy", "destroying something"),
    ("survive", "being there at the end"),
    ("lose", "losing units"),
    ("other", "something else"),
]
_LISTS = {"hexes": "Places", "unit_types": "Types of unit", "terrain": "Terrain", "edges": "Edges of the map"}


class ObjectivesPanel(RecordsPanel):
    """The objectives in a list, the fields of the chosen one, and the condition of victory."""

    id = "objectives"
    title = "Objectives and victory"
    tools = ("objectives",)
    lists = (Listed("clauses", "Conditions", "a condition"),)

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self.objective = ""

    def nodes(self) -> list[Node]:
        """Return the list, the fields of the chosen objective, and those of victory."""
        document, shut = self.document, self.editor.readonly
        colors = dict(zip((force.id for force in document.forces), side_colors(document.forces), strict=True))
        lines = [self._line(one, colors) for one in document.objectives]
        found: list[Node] = [rows(lines, label="Objectives")] if lines else [hint("Nothing earns points yet.")]
        if not shut:
            adding = [button("add", f"Add for {force.name}", values={"side": force.id}) for force in document.forces]
            found.append(buttons(*adding) if adding else hint("Add a side first."))
        chosen = next((one for one in document.objectives if one.id == self.objective), None)
        if chosen is not None:
            found += self._objective(chosen)
        found.append(group("Victory", self._victory(), open=document.victory is not None))
        return [*found, *super().nodes()]

    def _line(self, one: Objective, colors: dict[str, str]) -> Node:
        event = dict(_EVENTS)[one.event]
        where = ", ".join(one.hexes[:4]) + (" …" if len(one.hexes) > 4 else "")
        go = self.point(one.hexes[0]) if one.hexes else None
        return row(
            f"{one.points} for {event}" + (f": {where}" if where else ""),
            note=one.text or None,
            swatch=colors.get(one.side, "#777777"),
            sign="⚑",
            go=go,
            action="choose",
            values={"id": one.id},
            chosen=one.id == self.objective,
        )

    def _objective(self, one: Objective) -> list[Node]:
        shut = self.editor.readonly
        found = [
            field("side", "Earned by", one.side, kind="choice", choices=self.sides(), disabled=shut),
            field("points", "Points", one.points, kind="number", disabled=shut),
            field("event", "For", one.event, kind="choice", choices=_EVENTS, disabled=shut),
            *(field(name, words, shown_labels(getattr(one, name)), disabled=shut) for name, words in _LISTS.items()),
            field("text", "In words", one.text, kind="area", disabled=shut),
        ]
        given = ("id", "side", "points", "event", "text", *_LISTS)
        more = record_fields(
            one, f"objectives/{one.id}:", leave=given, choices=choices_of(self.scenario), disabled=shut
        )
        found.append(group("More", more, name=f"more:{one.id}"))
        if not shut:
            found.append(buttons(button("pick", "Pick a place"), button("remove", "Remove")))
        return found

    def _victory(self) -> list[Node]:
        victory, shut = self.document.victory, self.editor.readonly
        side, margin, otherwise, words = (
            (victory.side, victory.margin, victory.otherwise, victory.text) if victory else ("", None, "", "")
        )
        return [
            field("victory:side", "Wins", side, kind="choice", choices=self.sides("not said"), disabled=shut),
            field("victory:margin", "With so many points more", margin, kind="number", disabled=shut),
            field(
                "victory:otherwise", "Otherwise", otherwise, kind="choice", choices=self.sides("nobody"), disabled=shut
            ),
            field("victory:text", "In words", words, kind="area", disabled=shut),
            *self._results(),
        ]

    def _results(self) -> list[Node]:
        """Return the results, which say more than one side and a margin do."""
        victory, shut = self.document.victory, self.editor.readonly
        if victory is None:
            return [] if shut else [buttons(button("put", "Add results", values={"id": "scenario:victory"}))]
        clauses = {"when": choices_of(self.scenario)["clause"], "side": self.sides("a draw")}
        leave = ("side", "margin", "otherwise", "text")
        return record_fields(victory, "scenario:victory.", leave=leave, choices=clauses, disabled=shut)

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose an objective, to which the tool adds places then, or a condition."""
        if "collection" in values:
            super().do_choose(values)
            return
        self.objective = str(values["id"])
        self.editor.send({"type": "forces_objective", "id": self.objective, "client": self.editor.client})

    def do_add(self, values: dict[str, Any]) -> None:
        """Add an objective, or a condition, to be filled in."""
        if "collection" in values:
            super().do_add(values)
            return
        self.do_choose({"id": self.scenario.add_objective(str(values["side"]), 1)})

    def do_remove(self, values: dict[str, Any]) -> None:
        """Take the chosen objective, or a condition, away."""
        if "collection" in values:
            super().do_remove(values)
            return
        self.scenario.remove_objective(self.objective)
        self.do_choose({"id": ""})

    def do_pick(self, values: dict[str, Any]) -> None:
        """Ask for a click on the map, and take the place that was clicked into the objective."""
        label = str(values.get("label", ""))
        if not label:
            words = "Click the place of the objective"
            self.editor.tell("pick", panel=self.id, action="pick", text=words, client=self.editor.client)
            return
        old = next(one for one in self.document.objectives if one.id == self.objective)
        if label not in old.hexes:
            self.scenario.change_objective(self.objective, hexes=[*old.hexes, label])

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a field of the chosen objective or of the victory condition.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        name, value = str(values["id"]), values.get("value")
        if name.startswith("victory:"):
            self._set_victory(name.partition(":")[2], value)
        elif name in _LISTS:
            self.scenario.change_objective(self.objective, **{name: labels_in(str(value))})
        elif name in ("side", "event", "text", "points"):
            made = whole_number(value, "points") if name == "points" else str(value)
            self.scenario.change_objective(self.objective, **{name: made})
        else:
            super().do_set(values)

    def _set_victory(self, name: str, value: Any) -> None:
        old = self.document.victory
        first = self.document.forces[0].id if self.document.forces else ""
        fields: dict[str, Any] = {
            "side": old.side if old else first,
            "margin": old.margin if old else None,
            "otherwise": old.otherwise if old else "",
            "text": old.text if old else "",
        }
        fields[name] = (None if value is None else whole_number(value, "margin")) if name == "margin" else str(value)
        if not fields["side"]:
            self.scenario.set_victory("")
            return
        self.scenario.set_victory(fields.pop("side"), **fields)
