"""Panels of what a scenario lists: events, support, the cup; draws and tables; special rules, variants, errata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

import msgspec

from studio.editor.panels.nodes import Node, button, buttons, group, row, rows
from studio.editor.panels.recordform import Choices, record_fields
from studio.editor.panels.recordtypes import with_value
from studio.editor.panels.scenario_panel import FormPanel
from studio.errors import EditError
from studio.model import ScenarioDocument

__all__ = ["ChancePanel", "EventsPanel", "RecordsPanel", "SpecialPanel", "choices_of"]

SHOWN = 200
"""Records of a list that are shown."""


class Listed(NamedTuple):
    """A list of the scenario in a panel.

    Attributes
    ----------
    collection, title, one : str
        Its name, what stands above it, and what one record is called.
    """

    collection: str
    title: str
    one: str


def choices_of(scenario: Any) -> Choices:
    """Return what fields that name something of a scenario choose from."""
    document: ScenarioDocument = scenario.document
    sides = [("", "–"), *((force.id, force.name) for force in document.forces)]
    formations = [("", "–"), *((part.id, part.name) for force in document.forces for part in force.formations)]
    clauses = [("", "–"), *((one.id, one.text[:60] or one.id) for one in document.clauses)]
    events = [("", "–"), *((one.id, one.name or one.id) for one in document.events)]
    support = [("", "–"), *((one.id, one.text[:60] or one.id) for one in document.support)]
    return {
        "side": sides,
        "formation": formations,
        "first_side": sides,
        "first_formation": formations,
        "otherwise": sides,
        "event": events,
        "support": support,
        "clause": clauses,
    }


class RecordsPanel(FormPanel):
    """Lists of records, the fields of the chosen one, and buttons to add and remove."""

    lists: ClassVar[tuple[Listed, ...]] = ()

    def __init__(self, editor: Any) -> None:
        super().__init__(editor)
        self.chosen: tuple[str, str] = ("", "")

    def nodes(self) -> list[Node]:
        """Return a fold for each list."""
        return [self._listed(one) for one in self.lists]

    def _listed(self, listed: Listed) -> Node:
        records = getattr(self.document, listed.collection)
        lines = [
            row(
                self.words(listed.collection, one),
                note=getattr(one, "text", "")[:200] or None,
                action="choose",
                values={"collection": listed.collection, "id": one.id},
                chosen=self.chosen == (listed.collection, one.id),
            )
            for one in records[:SHOWN]
        ]
        nodes: list[Node] = [rows(lines, label=listed.title)] if lines else []
        chosen = next((one for one in records if (listed.collection, one.id) == self.chosen), None)
        if chosen is not None:
            nodes += self._fields(listed, chosen)
        if not self.editor.readonly:
            nodes.append(buttons(button("add", f"Add {listed.one}", values={"collection": listed.collection})))
        count = f" ({len(records)})" if records else ""
        return group(listed.title + count, nodes, open=chosen is not None, name=listed.collection)

    def _fields(self, listed: Listed, chosen: Any) -> list[Node]:
        shut, prefix = self.editor.readonly, f"{listed.collection}/{chosen.id}:"
        found = record_fields(chosen, prefix, leave=("id",), choices=self.choices(listed.collection), disabled=shut)
        if not shut:
            values = {"collection": listed.collection, "id": chosen.id}
            found.append(buttons(button("remove", f"Remove {listed.one}", values=values)))
        return found

    def choices(self, collection: str) -> Choices:
        """Return what fields of a list choose from."""
        found = dict(choices_of(self.scenario))
        if collection in ("clauses", "events", "pools", "tables", "errata", "periods"):
            found.pop("event", None)
        return found

    def words(self, collection: str, record: Any) -> str:
        """Return a record in a few words."""
        del collection
        name = str(getattr(record, "name", "") or record.id)
        turn = getattr(record, "turn", 0) or getattr(record, "first_turn", 0)
        return f"{name}, {self.document.length_unit} {turn}" if turn else name

    def blank(self, collection: str) -> dict[str, Any]:
        """Return what a new record says at first, beside its id."""
        side = self.document.forces[0].id if self.document.forces else ""
        found: dict[str, dict[str, Any]] = {
            "events": {"name": "New event", "turn": 1},
            "support": {"side": side, "kind": "artillery"},
            "cup": {"type": self._marker(), "side": side},
            "periods": {"name": "Night", "first_turn": 1, "last_turn": max(1, self.document.length), "light": "night"},
            "pools": {"name": "New cup", "side": side},
            "tables": {"name": "New table", "dice": "1D6"},
            "clauses": {"kind": "other"},
            "roster": {"name": "New kind", "kind": "infantry"},
            "variants": {"name": "Variant"},
            "errata": {},
        }
        return found[collection]

    def _marker(self) -> str:
        roster = self.scenario.ruleset.scenario.roster() if self.scenario.ruleset.has_scenario else {}
        return next((name for name, kind in roster.items() if kind.kind == "marker"), "marker")

    # -- actions -----------------------------------------------------------------------------------------------------

    def do_choose(self, values: dict[str, Any]) -> None:
        """Choose a record, or leave the one that is chosen."""
        made = (str(values["collection"]), str(values["id"]))
        self.chosen = ("", "") if made == self.chosen else made

    def do_add(self, values: dict[str, Any]) -> None:
        """Add a record, to be filled in."""
        collection = str(values["collection"])
        self.chosen = (collection, self.scenario.add_record(collection, self.blank(collection)))

    def do_remove(self, values: dict[str, Any]) -> None:
        """Take a record away."""
        self.scenario.remove_record(str(values["collection"]), str(values["id"]))
        self.chosen = ("", "")

    def do_set(self, values: dict[str, Any]) -> None:
        """Set a field of a record, or of the scenario.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        self.change(str(values["id"]), values.get("value"))

    def change(self, name: str, value: Any) -> None:
        """Set a field of a record, or of the scenario.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        path, sign, inner = name.partition(":")
        collection, _, record = path.partition("/")
        if not sign:
            msg = f"{self.title}: no field {name!r}"
            raise EditError(msg)
        if collection == "scenario":
            self.change_details(inner, value)
            return
        old = next((one for one in getattr(self.document, collection, ()) if one.id == record), None)
        if old is None:
            msg = f"{self.title}: no record {path!r}"
            raise EditError(msg)
        made = with_value(old, inner, value)
        top = inner.partition(".")[0]
        self.scenario.change_record(collection, record, **{top: msgspec.to_builtins(getattr(made, top))})

    def change_details(self, inner: str, value: Any) -> None:
        """Set a field of the scenario itself.

        Raises
        ------
        EditError
            When there is no such field, or the value is wrong.
        """
        made: Any = with_value(self.document, inner, value)
        top = inner.partition(".")[0]
        self.scenario.set_details(**{top: msgspec.to_builtins(getattr(made, top))})

    def details(self, names: Sequence[str]) -> list[Node]:
        """Return fields of the scenario itself."""
        leave = [name for name in ScenarioDocument.__struct_fields__ if name not in names]
        return record_fields(
            self.document,
            "scenario:",
            leave=leave,
            choices=choices_of(self.scenario),
            disabled=self.editor.readonly,
        )


class EventsPanel(RecordsPanel):
    """What happens when: events, support from off the map, the cup, day and night, and turns that may follow."""

    id = "events"
    title = "Events and support"
    lists = (
        Listed("events", "Events", "an event"),
        Listed("support", "Support from off the map", "support"),
        Listed("cup", "Markers in the cup", "a marker"),
        Listed("periods", "Day, night and other periods", "a period"),
    )

    def nodes(self) -> list[Node]:
        """Return the lists, and how the game ends early or late."""
        more = self.details(("first_formation", "ends", "extended", "turn_names"))
        return [*super().nodes(), group("Early end, extra turns, names of turns", more, name="ends")]


class ChancePanel(RecordsPanel):
    """What chance decides: cups that are drawn from, and tables."""

    id = "chance"
    title = "Cups and tables"
    lists = (Listed("pools", "Cups", "a cup"), Listed("tables", "Tables", "a table"))


class SpecialPanel(RecordsPanel):
    """Special rules, ratings, kinds of units of one's own, variants and errata."""

    id = "special"
    title = "Special rules and own kinds"
    lists = (
        Listed("roster", "Kinds of units of your own", "a kind"),
        Listed("variants", "Variants", "a variant"),
        Listed("errata", "Errata of the source", "an erratum"),
    )

    def nodes(self) -> list[Node]:
        """Return the special rules, the ratings, and the lists."""
        rules = record_fields(self.document.special, "scenario:special.", disabled=self.editor.readonly)
        return [
            group("Special rules", rules, name="special"),
            group("Ratings of the scenario", self.details(("ratings",)), name="ratings"),
            *super().nodes(),
        ]
