"""The order of battle: forces, formations, units, with numbers and points; units can be dragged onto the map."""

from __future__ import annotations

from typing import Any

import msgspec

from studio.draw.counterfaces import side_colors
from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows, text
from studio.editor.panels.recordform import record_fields
from studio.editor.panels.records import choices_of
from studio.editor.panels.recordtypes import with_value
from studio.editor.panels.scenario_panel import FormPanel, labels_in, shown_labels, whole_number
from studio.errors import EditError
from studio.model import Force, Formation, UnitRecord
from studio.rules.points import formation_points, measure_of

__all__ = ["ForcesPanel"]

SHOWN = 120
"""Units of a formation that are listed; the numbers of all are told."""

_SHOWN_OF_FORMATION = (
    "id",
    "name",
    "units",
    "arrival",
    "arrival_turn",
    "activation_markers",
    "printed_units",
    "printed_points",
    "notes",
)
"""Fields of a formation that stand above the fold with the others."""

_WHERE = {"within": "number", "text": "area"}


class ForcesPanel(FormPanel):
    """The order of battle as a tree: force, formation, units."""

    id = "forces"
    title = "Order of battle"
    open = True

    def nodes(self) -> list[Node]:
        """Return a fold a force, and a form to add one."""
        colors = side_colors(self.document.forces)
        found = [self._force(force, colors[n]) for n, force in enumerate(self.document.forces)]
        if not found:
            found.append(hint("A scenario has two or more sides, each with its formations. Begin with a side."))
        if not self.editor.readonly:
            found.append(field("new", "Add a side", "", action="add_force", hint="Type its name and press Enter."))
        return found

    # -- what is shown -----------------------------------------------------------------------------------------------

    def _numbers(self, parts: list[Formation]) -> str:
        counters = sum(unit.count for part in parts for unit in part.units)
        words = f"{counters} counter{'s' * (counters != 1)}"
        roster = self.scenario.standing.roster
        if roster and measure_of(self.scenario.ruleset) == "points":
            points = sum(formation_points(self.scenario.ruleset, roster, part) for part in parts)
            words += f", {points} points" if points else ""
        return words

    def _force(self, force: Force, color: str) -> Node:
        nodes: list[Node] = []
        for part in force.formations:
            nodes.append(self._formation(force, part))
        if not self.editor.readonly:
            nodes.append(field(f"new:{force.id}", "Add a formation", "", action="add_formation"))
            nodes.append(self._force_fields(force, color))
        title = f"{force.name} – {self._numbers(list(force.formations))}"
        return group(title, nodes, open=True, name=f"force:{force.id}")

    def _force_fields(self, force: Force, color: str) -> Node:
        key = f"force:{force.id}"
        return group(
            "Name, colour, order",
            [
                field(f"{key}:name", "Name", force.name),
                field(f"{key}:color", "Colour", color, kind="color"),
                field(f"{key}:set_up_order", "Sets up as number", force.set_up_order, kind="number", low=1),
                field(f"{key}:notes", "Notes", force.notes, kind="area"),
                *self._more(force, f"more/{force.id}:", ("id", "formations", "name", "color", "set_up_order", "notes")),
                buttons(button("remove_force", f"Remove {force.name}", values={"force": force.id})),
            ],
            name=f"fields:{force.id}",
        )

    def _formation(self, force: Force, part: Formation) -> Node:
        unit = self.document.length_unit
        when = {"enter": f"{unit} {part.arrival_turn}", "pool": "in a pool"}.get(part.arrival, "at the start")
        placed = sum(one.count for one in part.units if one.at)
        whole = sum(one.count for one in part.units)
        title = f"{part.name} – {self._numbers([part])}, {when}"
        nodes: list[Node] = [rows(self._lines(part), label=f"Units of {part.name}")] if part.units else []
        if len(part.units) > SHOWN:
            nodes.append(hint(f"… and {len(part.units) - SHOWN} more."))
        if whole:
            nodes.append(text(f"{placed} of {whole} on the map; drag a line onto the map to place it."))
        if not self.editor.readonly:
            nodes.append(self._formation_fields(force, part))
        drop = {"formation": part.id, "force": force.id}
        nodes.insert(0, rows([row("Drop units here to give them to it", drop=drop)], label=part.name))
        return group(title, nodes, open=len(part.units) <= 40, name=f"formation:{force.id}:{part.id}")

    def _lines(self, part: Formation) -> list[Node]:
        chosen = set(self.editor.selected)
        return [self._line(unit, unit.id in chosen) for unit in part.units[:SHOWN]]

    def _line(self, unit: UnitRecord, chosen: bool) -> Node:
        name = self.editor.feed.counters.name(unit.type)
        where = unit.at or (f"with {unit.carried_by}" if unit.carried_by else "to be placed")
        states = ", ".join(filter(None, [unit.quality, *unit.status, unit.facing and f"faces {unit.facing}"]))
        count = f"{unit.count} × " if unit.count > 1 else ""
        return row(
            f"{count}{name}",
            where,
            sign="●" if unit.at else "◌",
            note=states or None,
            go=self.point(unit.at),
            action="choose",
            values={"id": unit.id},
            chosen=chosen,
            drag={"units": [unit.id]},
        )

    def _formation_fields(self, force: Force, part: Formation) -> Node:
        key, where = f"part:{force.id}:{part.id}", part.where
        arrivals = [("set_up", "sets up at the start"), ("enter", "enters during play"), ("pool", "waits in a pool")]
        markers = part.activation_markers
        return group(
            "Name, arrival, area",
            [
                field(f"{key}:name", "Name", part.name),
                field(f"{key}:arrival", "Arrival", part.arrival, kind="choice", choices=arrivals),
                field(
                    f"{key}:turn", f"First {self.document.length_unit}", part.arrival_turn, kind="number", low=1,
                    disabled=part.arrival != "enter",
                ),
                field(f"{key}:hexes", "Places", shown_labels(where.hexes), hint="Labels, with commas between them."),
                field(f"{key}:within", "Or within hexes of them", where.within, kind="number", low=0),
                field(f"{key}:edges", "On edges", ", ".join(where.edges), hint="north, east, south, west."),
                field(f"{key}:text", "Area in words", where.text, kind="area"),
                field(f"{key}:activation_markers", "Activation markers", markers, kind="number", low=0),
                field(f"{key}:printed_units", "Units as printed", part.printed_units, kind="number", low=0),
                field(f"{key}:printed_points", "Points as printed", part.printed_points, kind="number", low=0),
                field(f"{key}:notes", "Notes", part.notes, kind="area"),
                *self._more(part, f"more/{force.id}/{part.id}:", _SHOWN_OF_FORMATION),
                buttons(button("remove_formation", f"Remove {part.name}", values={"part": part.id, "force": force.id})),
            ],
            name=f"fields:{force.id}:{part.id}",
        )  # fmt: skip

    def _more(self, record: Force | Formation, prefix: str, leave: tuple[str, ...]) -> list[Node]:
        """Return a fold with all that a record can say beside what stands above it."""
        known = choices_of(self.scenario)
        choices = {name: known[name] for name in ("side", "clause")}
        fields = record_fields(record, prefix, leave=leave, choices=choices, disabled=self.editor.readonly)
        return [group("More", fields, name=prefix)]

    # -- actions -----------------------------------------------------------------------------------------------------

    def change(self, name: str, value: Any) -> None:
        """Set a field of a side or a formation that stands in the fold.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        path, _, inner = name.partition(":")
        top = inner.partition(".")[0]
        _, force, *part = path.split("/")
        owner = next((one for one in self.document.forces if one.id == force), None)
        record: Any = owner
        if part and owner is not None:
            record = next((one for one in owner.formations if one.id == part[0]), None)
        if record is None:
            msg = f"order of battle: no {path.partition('/')[2]!r}"
            raise EditError(msg)
        made = msgspec.to_builtins(with_value(record, inner, value))
        if not part:
            self.scenario.change_force(force, **{top: made[top]})
        elif top == "where":
            self.scenario.set_up_area(part[0], force=force, **made[top])
        else:
            self.scenario.change_formation(part[0], force=force, **{top: made.get(top)})

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose a unit: the map shows it, and the panel of units tells of it."""
        self.editor.tell("choose", ids=[str(values["id"])], client=self.editor.client)

    def do_drop(self, values: dict[str, Any]) -> None:
        """Give dragged units to the formation that they were dropped on."""
        units, on = list((values.get("what") or {}).get("units", [])), values.get("on") or {}
        if units and "formation" in on:
            self.scenario.transfer(units, str(on["formation"]), force=str(on.get("force", "")))

    def do_drop_on_map(self, values: dict[str, Any]) -> None:
        """Place dragged units where they were dropped."""
        units = list((values.get("what") or {}).get("units", []))
        if units and values.get("label"):
            self.scenario.move(units, str(values["label"]), anyway=True)

    def do_add_force(self, values: dict[str, Any]) -> None:
        """Add a side with a first formation."""
        name = str(values.get("value") or "").strip()
        if name:
            self.scenario.add_force(name)

    def do_add_formation(self, values: dict[str, Any]) -> None:
        """Add a formation to a side."""
        name = str(values.get("value") or "").strip()
        if name:
            self.scenario.add_formation(str(values["id"]).partition(":")[2], name)

    def do_remove_force(self, values: dict[str, Any]) -> None:
        """Take a side out of the scenario."""
        self.scenario.remove_force(str(values["force"]))

    def do_remove_formation(self, values: dict[str, Any]) -> None:
        """Take a formation out of the scenario."""
        self.scenario.remove_formation(str(values["part"]), force=str(values["force"]))

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a field of a side or a formation.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        kind, *path, name = str(values["id"]).split(":")
        value = values.get("value")
        if kind.startswith("more/"):
            self.change(str(values["id"]), value)
        elif kind == "force":
            self._set_force(path[0], name, value)
        elif kind == "part" and len(path) == 2:
            self._set_part(path[0], path[1], name, value)
        else:
            msg = f"order of battle: no field {values['id']!r}"
            raise EditError(msg)

    def _set_force(self, force: str, name: str, value: Any) -> None:
        number = name == "set_up_order"
        self.scenario.change_force(force, **{name: whole_number(value, "order") if number else str(value)})

    def _set_part(self, force: str, part: str, name: str, value: Any) -> None:
        named = {"force": force}
        if name == "arrival":
            if value == "pool":
                self.scenario.change_formation(part, **named, arrival="pool")
                return
            turn = next(one.arrival_turn for owner, one in self.parts() if owner.id == force and one.id == part)
            self.scenario.arrive(part, turn if value == "enter" else 0, **named)
        elif name == "turn":
            self.scenario.arrive(part, whole_number(value, "turn"), **named)
        elif name == "hexes":
            self.scenario.set_up_area(part, labels_in(str(value)), **named)
        elif name == "edges":
            self.scenario.set_up_area(part, edges=labels_in(str(value)), **named)
        elif name in _WHERE:
            made = whole_number(value, name) if _WHERE[name] == "number" else str(value)
            self.scenario.set_up_area(part, **named, **{name: made})
        elif name in ("printed_units", "printed_points", "activation_markers"):
            empty = value is None and name != "activation_markers"
            self.scenario.change_formation(part, **named, **{name: None if empty else whole_number(value, name)})
        else:
            self.scenario.change_formation(part, **named, **{name: str(value)})
