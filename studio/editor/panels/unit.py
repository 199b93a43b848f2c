"""The chosen units: type, number, place, facing, quality, state, who carries them, figures, notes."""

from __future__ import annotations

from typing import Any, get_args

import msgspec

from studio.editor.forcesfeed import kind_words
from studio.editor.panels.nodes import Node, button, buttons, field, group, hint, row, rows, text
from studio.editor.panels.recordform import record_fields
from studio.editor.panels.recordtypes import with_value
from studio.editor.panels.scenario_panel import FormPanel, whole_number
from studio.errors import EditError
from studio.model import UnitRecord, UnitStatus
from studio.rules.standing import FACINGS, facing_fault

__all__ = ["UnitPanel", "figures_in"]

_QUALITIES = [("", "as printed"), ("elite", "elite"), ("veteran", "veteran"), ("recruit", "recruit"), ("poor", "poor")]
_SHOWN = tuple(name for name in UnitRecord.__struct_fields__ if name not in ("name", "where"))
"""Fields of a unit that have their own place in the panel."""

_CARRIERS = 400
"""Units that are offered as carriers."""


class UnitPanel(FormPanel):
    """Fields of the chosen unit, or what can be done to several."""

    id = "unit"
    title = "Unit"
    open = True

    def nodes(self) -> list[Node]:
        """Return the fields of one unit, or the list of several."""
        chosen = self._chosen()
        if not chosen:
            return [hint("Click a counter on the map or a line of the order of battle. Ctrl+click chooses several.")]
        if len(chosen) > 1:
            lines = [
                row(self._name(unit), unit.at or "not placed", action="only", values={"id": unit.id}) for unit in chosen
            ]
            return [
                text(f"{len(chosen)} units"),
                rows(lines[:60], label="Chosen units"),
                self._states(chosen),
                self._do(chosen),
            ]
        return self._one(chosen[0])

    def _chosen(self) -> list[UnitRecord]:
        known = self.scenario.unit_ids
        return [self.scenario.unit(name) for name in self.editor.selected if name in known]

    def _name(self, unit: UnitRecord) -> str:
        name: str = self.editor.feed.counters.name(unit.type)
        return name

    def _one(self, unit: UnitRecord) -> list[Node]:
        shut = self.editor.readonly
        force, formation = self.scenario.unit_owner(unit.id)
        choices = [(f"{owner.id}/{part.id}", f"{owner.name}: {part.name}") for owner, part in self.parts()]
        why = self.scenario.standing.why_not(unit, unit.at, force) if unit.at else ""
        nodes = [
            text(f"{self._name(unit)} ({unit.id})"),
            self._type(unit),
            field("count", "Counters", unit.count, kind="number", low=1, high=1000, disabled=shut),
            field(
                "at", "Place", unit.at, fault=why or None, disabled=shut,
                hint=None if unit.at else "Empty: the player places it.",
            ),
            *self._facing(unit),
            field("quality", "Quality", unit.quality, kind="choice", choices=_QUALITIES, disabled=shut),
            field("formation", "Formation", f"{force}/{formation}", kind="choice", choices=choices, disabled=shut),
            self._carrier(unit, force),
            field(
                "figures", "Figures", ", ".join(f"{name}={value}" for name, value in unit.figures.items()),
                hint="What is printed on the counter, such as movement=4, combat=5.", disabled=shut,
            ),
            field("notes", "Notes", unit.notes, kind="area", disabled=shut),
            group(
                "Name, area of its own",
                record_fields(unit, "more:", leave=_SHOWN, disabled=shut),
                open=bool(unit.name or unit.where),
                name="more",
            ),
            self._states([unit]),
            self._do([unit]),
        ]  # fmt: skip
        carried = [other.id for other in self.scenario.units_of() if other.carried_by == unit.id]
        if carried:
            nodes.append(text(f"Carries {', '.join(carried[:12])}"))
        return nodes

    def _type(self, unit: UnitRecord) -> Node:
        roster = self.scenario.standing.roster
        choices = [
            (name, f"{kind.name} ({name.partition('.')[0]}, {kind_words(kind).lower()})")
            for name, kind in roster.items()
        ]
        if unit.type not in roster:
            choices.insert(0, (unit.type, unit.type))
        return field("type", "Type", unit.type, kind="choice", choices=choices, disabled=self.editor.readonly)

    def _facing(self, unit: UnitRecord) -> list[Node]:
        orientation = self.scenario.map.grid.orientation
        sides = FACINGS[orientation]
        kind = self.scenario.standing.roster.get(unit.type)
        if facing_fault(self.scenario.ruleset, kind, sides[0], orientation) and not unit.facing:
            return []
        choices = [("", "none"), *((name, name) for name in sides)]
        return [field("facing", "Faces", unit.facing, kind="choice", choices=choices, disabled=self.editor.readonly)]

    def _carrier(self, unit: UnitRecord, force: str) -> Node:
        others = [other for other in self.scenario.units_of(force) if other.id != unit.id][:_CARRIERS]
        choices = [("", "nobody"), *((other.id, f"{self._name(other)} ({other.id})") for other in others)]
        if unit.carried_by and unit.carried_by not in dict(choices):
            choices.append((unit.carried_by, unit.carried_by))
        return field(
            "carried_by", "Carried by", unit.carried_by, kind="choice", choices=choices, disabled=self.editor.readonly
        )

    def _states(self, units: list[UnitRecord]) -> Node:
        held = [
            field(
                f"status:{name}",
                name,
                all(name in unit.status for unit in units),
                kind="check",
                disabled=self.editor.readonly,
            )
            for name in get_args(UnitStatus)
        ]
        return group("State at the start", held, open=any(unit.status for unit in units))

    def _do(self, units: list[UnitRecord]) -> Node:
        if self.editor.readonly:
            return hint("For looking only.")
        items = [button("off", "Off the map", disabled=not any(unit.at for unit in units)), button("remove", "Remove")]
        return buttons(*items)

    # -- actions -----------------------------------------------------------------------------------------------------

    def change(self, name: str, value: Any) -> None:
        """Set a field of the chosen unit that stands in the fold."""
        inner = name.partition(":")[2]
        for unit in self._chosen()[:1]:
            made = msgspec.to_builtins(with_value(unit, inner, value))
            top = inner.partition(".")[0]
            self.scenario.change_unit(unit.id, anyway=True, **{top: made[top]})

    def do_only(self, values: dict[str, Any]) -> None:
        """Choose one of several."""
        self.editor.tell("choose", ids=[str(values["id"])], client=self.editor.client)

    def do_off(self, _values: dict[str, Any]) -> None:
        """Take the chosen units off the map; the player places them."""
        self.scenario.move([unit.id for unit in self._chosen()], "")

    def do_remove(self, _values: dict[str, Any]) -> None:
        """Take the chosen units out of the scenario."""
        self.scenario.remove([unit.id for unit in self._chosen()])
        self.editor.tell("choose", ids=[], client=self.editor.client)

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a field of the chosen unit, or a state of all chosen.

        Raises
        ------
        EditError
            When no unit is chosen, there is no such field, or the value is wrong.
        """
        name, value = str(values["id"]), values.get("value")
        chosen = self._chosen()
        if not chosen:
            msg = "no unit is chosen; click one"
            raise EditError(msg)
        ids = [unit.id for unit in chosen]
        if name.startswith("more:"):
            self.change(name, value)
        elif name.startswith("status:"):
            self.scenario.set_status(ids, name.partition(":")[2], bool(value))
        elif name == "formation":
            force, _, formation = str(value).partition("/")
            self.scenario.transfer(ids, formation, force=force)
        elif name == "at":
            self.scenario.move(ids, str(value).strip(), anyway=True)
        elif name == "carried_by" and value:
            self.scenario.change_unit(ids[0], carried_by=str(value), at="")
        elif name == "figures":
            self.scenario.change_unit(ids[0], figures=figures_in(str(value)))
        else:
            made = whole_number(value, "counters") if name == "count" else str(value)
            self.scenario.change_unit(ids[0], anyway=True, **{name: made})


def figures_in(typed: str) -> dict[str, int]:
    """Return the figures in a typed list.

    Raises
    ------
    EditError
        When a part of it is none.

    Examples
    --------
    >>> figures_in("movement=4, combat=5")
    {'movement': 4, 'combat': 5}
    """
    found = {}
    for part in typed.replace(";", ",").split(","):
        name, sign, value = part.partition("=")
        if not part.strip():
            continue
        if not sign or not value.strip().isdecimal() or not name.strip():
            msg = f"figures: got {part.strip()!r}; allowed: a name and a whole number, such as movement=4"
            raise EditError(msg)
        found[name.strip().replace(" ", "_")] = int(value)
    return found
