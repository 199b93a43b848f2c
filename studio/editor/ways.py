"""Movement, supply and command beside the map: what is asked, and the answers as ink and in words."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from studio.editor.overlays import OverlayDrawer
from studio.errors import ScenarioRuleError, StudioError
from studio.model import Put, ScenarioModel

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor
    from studio.model import UnitRecord

__all__ = ["HANDLERS", "Journey", "SupplyQuestion", "journey_of", "supply_of"]

MOST = 9_999
"""Points of a unit of which nothing says how many it has."""


class Journey:
    """What one editor asks about movement, and the last answers.

    In an editor of a scenario a unit that stands at the start moves: as its kind does, past the enemies and within the
    part in play. Where none stands there, the state of a side holds for a mover.

    Parameters
    ----------
    editor : MapEditor

    Attributes
    ----------
    mover : str
        Who moves where no unit does; "" never.
    points : str
        Most points, "" for no limit, or the allowance of the unit.
    enemies, blocked : tuple of str
        Locations of enemy units, and such without room; in a scenario in place of those that it gives.
    unit, unit_mover : str
        Id of the unit that moves, "" for none, and how it does, "" as its kind.
    side : str
        Id of the force whose state holds where no unit moves, "" for none.
    a, b : str
        Labels of start and goal, "" where not chosen.
    reach, route : Reach or None, Route or None
    fault, note : str
        Why there is no answer, and what is to be known of one.
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = weakref.proxy(editor)
        self._picture = OverlayDrawer(editor, "ways")
        movers = list(editor.document.ruleset.movers)
        self.mover: str = movers[0] if movers else ""
        self.points = ""
        self.enemies: tuple[str, ...] = ()
        self.blocked: tuple[str, ...] = ()
        self.unit = self.unit_mover = self.side = ""
        self._unit_of = ""
        self.a = self.b = ""
        self.reach: Any = None
        self.route: Any = None
        self.fault = self.note = ""
        if self.scenario is not None:
            self.side = next((force.id for force in self.scenario.document.forces), "")

    @property
    def scenario(self) -> Any:
        """The scenario whose map is shown, None in an editor of a map."""
        subject = self._editor.subject
        return None if subject is self._editor.document else subject

    @property
    def units(self) -> list[UnitRecord]:
        """Units that stand at the start."""
        return [] if self.scenario is None or not self.a else [u for u in self.scenario.units_of() if u.at == self.a]

    def ask(self) -> None:
        """Ask anew and show the answers."""
        from studio.draw import draw_reach, draw_route

        self.reach = self.route = None
        self.fault = self.note = ""
        try:
            if self.a:
                self._answer()
        except StudioError as error:
            self.fault = str(error)
        if self.route is not None:
            self._picture.show(draw_route, self.route)
        elif self.reach is not None:
            self._picture.show(draw_reach, self.reach)
        else:
            self._picture.clear()
        self._editor.desk.refresh("ways")

    def _answer(self) -> None:
        self._choose_unit()
        given = {name: list(getattr(self, name)) for name in ("enemies", "blocked") if getattr(self, name)}
        points = self.points or None
        if self.unit:
            asked: dict[str, Any] = {"points": points, "mover": self.unit_mover or None, **given}
            if self.b:
                self.route = self.scenario.route(self.unit, self.b, **asked)
            else:
                self.reach = self._reach_of_unit(asked)
            return
        asked = {"points": points, "mover": self.mover, "options": self._options(), "state": {**self._state(), **given}}
        map_: Any = self._editor.document
        if self.b:
            self.route = map_.route(self.a, self.b, **asked)
        else:
            self.reach = map_.reach(self.a, **asked)

    def _reach_of_unit(self, asked: dict[str, Any]) -> Any:
        try:
            return self.scenario.reach(self.unit, **asked)
        except ScenarioRuleError as error:
            if asked["points"] is not None:
                raise
            # Of some games only the counters say how far a unit moves: then all that it can ever reach is shown.
            try:
                found = self.scenario.reach(self.unit, **{**asked, "points": MOST})
            except StudioError:
                raise error from None
            self.note = str(error).partition(":")[2].partition(":")[0].strip()
            return found

    def _choose_unit(self) -> None:
        """Keep the unit that was chosen while it stands at the start; from a new start the first one there moves."""
        there = [unit.id for unit in self.units]
        if self._unit_of != self.a or (self.unit and self.unit not in there):
            self.unit = there[0] if there else ""
        self._unit_of = self.a

    def _state(self) -> dict[str, Any]:
        """Return what the scenario says of the side that moves."""
        scenario = self.scenario
        if scenario is None:
            return {}
        if self.side not in [force.id for force in scenario.document.forces]:
            self.side = ""
        return dict(scenario.movement_state(self.side)) if self.side else {}

    def _options(self) -> dict[str, Any]:
        """Return the readings of the rules that the scenario has, if one is open."""
        return {} if self.scenario is None else dict(self.scenario.document.special.options)


class SupplyQuestion:
    """What one editor asks about supply and command of a scenario, and the last answers.

    Attributes
    ----------
    side : str
        Id of the force.
    show : {"supply", "interdiction", "command"}
    lift, drop : str
        What would be if the enemy at `lift` stood at `drop`; one more enemy there where none stands at `lift`.
    answer : Supply, Interdiction, Command or None
    before : frozenset of str
        Units that were out of supply without the what-if.
    fault : str
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = weakref.proxy(editor)
        self._picture = OverlayDrawer(editor, "supply")
        self.side = ""
        self.show = "supply" if editor.document.ruleset.has_supply else "command"
        self.lift = self.drop = ""
        self.answer: Any = None
        self.before: frozenset[str] = frozenset()
        self.fault = ""
        self.on = False
        self._asked: Any = None
        self.settle()

    def settle(self) -> None:
        """Ask about a side that there is, and suppose only what the answer takes into account."""
        forces = [force.id for force in self._editor.subject.document.forces]
        if self.side not in forces:
            self.side = forces[0] if forces else ""
        if self.show == "command" or (self.show == "interdiction" and not self._enemies_at(self.lift)):
            self.lift = self.drop = ""

    @property
    def moved(self) -> bool:
        """True while an enemy stands where it does not."""
        return bool(self.drop) and not (self.lift == self.drop and self._enemies_at(self.lift))

    def ask(self) -> None:
        """Ask anew and show the answer."""
        from studio.draw import draw_command, draw_interdiction, draw_supply

        draws: dict[str, Callable[..., Any]] = {
            "supply": draw_supply, "interdiction": draw_interdiction, "command": draw_command,
        }  # fmt: skip
        self.settle()
        self.answer, self.fault, self.before = None, "", frozenset()
        if self.on and self.side:
            try:
                self._answer()
            except StudioError as error:
                self.fault = str(error)
        if self.answer is None:
            self._picture.clear()
        else:
            self._picture.show(draws[self.show], self.answer, self._asked)
        self._editor.desk.refresh("supply")

    def _answer(self) -> None:
        """Ask a copy of the scenario on a still of its map, which can be drawn while both are edited."""
        scenario = self._editor.subject
        model = ScenarioModel(scenario.document)
        for edit in self._edits():
            model.perform(edit)
        self._asked = type(scenario)(model, self._picture.still())
        more: dict[str, Any] = {}
        if self.show == "supply" and self.moved:
            self.before = frozenset(scenario.supply(self.side).out_of_supply)
            more = {} if self._enemies_at(self.lift) else {"enemy_at": [self.drop]}
        self.answer = getattr(self._asked, self.show)(self.side, **more)

    def tell(self, client: Any = None) -> None:
        """Answer the browser, with what is supposed now: a panel may have changed it, or it may not count."""
        moved = [unit.id for _, _, unit in self._enemies_at(self.lift)] if self.moved else []
        said = {"lift": self.lift, "drop": self.drop, "moved": moved, "marks": self._marks()}
        self._editor.send({"type": "supply", "client": client, **said})

    def _marks(self) -> list[list[float | bool]]:
        """Return where units of the side stand on the lattice and whether all of them there are in: x, y, in."""
        if self.answer is None or self.show == "interdiction":
            return []
        document: Any = self._editor.document
        directory, found = document.survey.directory, dict[str, bool]()
        for one in self.answer:
            fine = one.supplied if self.show == "supply" else one.in_command
            found[one.at] = fine and found.get(one.at, True)
        numbers = {label: directory.find(label) for label in found}
        return [
            [*map(float, directory.dot(number)), found[label]]
            for label, number in numbers.items()
            if number is not None
        ]

    def _enemies_at(self, label: str) -> list[tuple[str, str, Any]]:
        """Return the enemy units at a location, each with its force and formation."""
        return [
            (force.id, formation.id, unit)
            for force in self._editor.subject.document.forces
            if force.id != self.side
            for formation in force.formations
            for unit in formation.units
            if label and unit.at == label
        ]

    def _edits(self) -> list[Put]:
        """Return what moves the enemy to where it is supposed to be."""
        found = self._enemies_at(self.lift) if self.moved else []
        return [
            Put(
                collection=f"forces/{force}/formations/{formation}/units",
                record=msgspec.to_builtins(msgspec.structs.replace(unit, at=self.drop)),
            )
            for force, formation, unit in found
        ]


def _kept(editor: MapEditor, name: str, make: Callable[[MapEditor], Any]) -> Any:
    found = editor.__dict__.get(name)
    if found is None:
        found = editor.__dict__[name] = make(editor)
    return found


def journey_of(editor: MapEditor) -> Journey:
    """Return what an editor asks about movement."""
    found: Journey = _kept(editor, "_journey", Journey)
    return found


def supply_of(editor: MapEditor) -> SupplyQuestion:
    """Return what an editor asks about supply."""
    found: SupplyQuestion = _kept(editor, "_supply_question", SupplyQuestion)
    return found


def _ways(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    journey = journey_of(editor)
    journey.a, journey.b = str(message.get("a", "")), str(message.get("b", ""))
    try:
        journey.ask()
    finally:
        # In any case: the browser asks one question at a time.
        editor.send({"type": "ways", "client": message.get("client")})


def _supply(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    asked = supply_of(editor)
    asked.on = not message.get("off")
    asked.lift, asked.drop = str(message.get("lift", "")), str(message.get("drop", ""))
    try:
        asked.ask()
    finally:
        asked.tell(message.get("client"))


HANDLERS = {"ways": _ways, "supply": _supply}
