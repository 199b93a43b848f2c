"""Movement, supply and command beside the map: what is asked, and the answers as ink and in words."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from studio.errors import StudioError
from studio.model import Put

if TYPE_CHECKING:
    from studio.editor.protocol import Buffer
    from studio.editor.widget import MapEditor

__all__ = ["HANDLERS", "Journey", "SupplyQuestion", "journey_of", "supply_of"]


class Journey:
    """What one editor asks about movement, and the last answers.

    Parameters
    ----------
    editor : MapEditor

    Attributes
    ----------
    mover : str
    points : str
        Most points, "" for no limit.
    enemies, blocked : tuple of str
        Locations of enemy units, and such without room.
    a, b : str
        Labels of start and goal, "" where not chosen.
    reach, route : Reach or None, Route or None
    fault : str
        Why there is no answer.
    """

    def __init__(self, editor: MapEditor) -> None:
        self._editor = editor
        movers = list(editor.document.ruleset.movers)
        self.mover: str = movers[0] if movers else ""
        self.points = ""
        self.enemies: tuple[str, ...] = ()
        self.blocked: tuple[str, ...] = ()
        self.a = self.b = ""
        self.reach: Any = None
        self.route: Any = None
        self.fault = ""

    def ask(self) -> None:
        """Ask anew and show the answers."""
        from studio.draw import draw_reach, draw_route
        from studio.draw.ink import ink_of_answer

        editor, map_ = self._editor, self._map()
        self.reach = self.route = None
        self.fault = ""
        ink = None
        try:
            if self.a:
                asked = {"mover": self.mover, "points": self.points or None, "options": self._options()}
                state = {name: list(getattr(self, name)) for name in ("enemies", "blocked") if getattr(self, name)}
                if self.b:
                    self.route = map_.route(self.a, self.b, state=state, **asked)
                    ink = ink_of_answer(draw_route, map_, self.route)
                else:
                    self.reach = map_.reach(self.a, state=state, **asked)
                    ink = ink_of_answer(draw_reach, map_, self.reach)
        except StudioError as error:
            self.fault = str(error)
        editor.overlay("ways", ink)
        editor.desk.refresh("ways")

    def _map(self) -> Any:
        return self._editor.document

    def _options(self) -> dict[str, Any]:
        """Return the readings of the rules that the scenario has, if one is open."""
        subject = self._editor.subject
        return {} if subject is self._map() else dict(subject.document.special.options)


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
        self._editor = editor
        forces = editor.subject.document.forces
        self.side: str = forces[0].id if forces else ""
        self.show = "supply" if editor.document.ruleset.has_supply else "command"
        self.lift = self.drop = ""
        self.answer: Any = None
        self.before: frozenset[str] = frozenset()
        self.fault = ""
        self.on = False

    @property
    def _cuts(self) -> bool:
        return self.moved and self.show == "supply"

    @property
    def moved(self) -> bool:
        """True while an enemy stands where it does not."""
        return bool(self.drop) and not (self.lift == self.drop and self._enemies_at(self.lift))

    def ask(self) -> None:
        """Ask anew and show the answer."""
        from studio.draw import draw_command, draw_interdiction, draw_supply
        from studio.draw.ink import ink_of_answer

        draws: dict[str, Callable[..., Any]] = {
            "supply": draw_supply, "interdiction": draw_interdiction, "command": draw_command,
        }  # fmt: skip
        editor, ink = self._editor, None
        self.answer, self.fault = None, ""
        if self.on and self.side:
            try:
                scenario = editor.subject
                self.before = frozenset(scenario.supply(self.side).out_of_supply) if self._cuts else frozenset()
                scenario = self._supposed()
                more = {"enemy_at": [self.drop]} if self._cuts and scenario is editor.subject else {}
                self.answer = getattr(scenario, self.show)(self.side, **more)
                ink = ink_of_answer(draws[self.show], scenario, self.answer)
            except StudioError as error:
                self.fault = str(error)
        editor.overlay("supply", ink)
        editor.desk.refresh("supply")

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

    def _supposed(self) -> Any:
        """Return the scenario as it would be with the enemy moved; nobody else sees it."""
        found = self._enemies_at(self.lift)
        if not found or self.lift == self.drop:
            return self._editor.subject
        edits = [
            Put(
                collection=f"forces/{force}/formations/{formation}/units",
                record=msgspec.to_builtins(msgspec.structs.replace(unit, at=self.drop)),
            )
            for force, formation, unit in found
        ]
        return self._editor.subject.supposing(*edits)


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
        editor.send({"type": "ways"})  # in any case: the browser asks one question at a time


def _supply(editor: MapEditor, message: dict[str, Any], _buffers: list[Buffer]) -> None:
    asked = supply_of(editor)
    asked.on = not message.get("off")
    asked.lift, asked.drop = str(message.get("lift", "")), str(message.get("drop", ""))
    try:
        asked.ask()
    finally:
        editor.send({"type": "supply"})


HANDLERS = {"ways": _ways, "supply": _supply}
