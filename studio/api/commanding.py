"""What a scenario can be asked about its units: who commands them, how far they can move, and which way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from studio.api.supplying import ScenarioSupply
from studio.errors import ScenarioRuleError, UnknownNameError, UnsupportedError, nearest
from studio.paths import MoveState, read_state
from studio.paths.command_answer import Command
from studio.paths.state import several
from studio.rules.situation import Placed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.paths import MoveJudge, Reach, Route
    from studio.paths.points import Points

__all__ = ["ScenarioCommand"]

_STUCK = ("immobilised", "wreck")


class ScenarioCommand(ScenarioSupply):
    """A scenario with the answers about command and movement that its game gives of its units."""

    # -- command ---------------------------------------------------------------------------------------------------

    def command(
        self,
        side: str | None = None,
        *,
        at: str | Iterable[str] = (),
        ranges: Mapping[str, int] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Command:
        """Ask which leaders or headquarters have each unit in command range, or by how much they miss it.

        Parameters
        ----------
        side : str, optional
            Id of a force; all of them by default.
        at : str or iterable of str
            Locations to ask about instead, as if a unit of the side stood there: its answer has the label as its unit.
        ranges : mapping of str to int, optional
            Command ranges by the ids of leaders, where they are on the counters only.
        options : mapping, optional
            Readings of the rules to use instead of those of the scenario.

        Returns
        -------
        Command
            One answer for each unit on the map; in Urban Operations also the chain of command of each formation.

        Raises
        ------
        UnsupportedError
            When the game has no command rule; the message tells what it has instead.
        UnknownNameError, LabelError, ScenarioRuleError
            When a side, a location, a leader or an option is unknown, when the range of a leader is, or when locations
            are asked of no side.
        """
        with self.map.lock:
            rule = self._command_rule()
            sides = [force.id for force in self.document.forces] if side is None else [self._check_side(side)]
            labels = several(at)
            if labels and side is None:
                msg = "command: say whose command is asked, such as command('us', at=['A5'])"
                raise ScenarioRuleError(msg)
            number = self.played.survey.directory.number
            asked = [Placed(label, sides[0], number(label), "", None) for label in labels]
            if not labels:
                asked = [unit for name in sides for unit in self.situation.of(name) if unit.on_ground]
            answer: Command = rule(self.situation, asked, options=self._options(options), ranges=ranges)
            return self._dated(answer)

    def _command_rule(self) -> Any:
        rules = self.ruleset.scenario if self._has_roster else None
        if rules is None:
            msg = f"{self.ruleset.title} has no command rule: it has no roster, so nothing says who commands"
            raise UnsupportedError(msg)
        if not hasattr(rules, "command"):
            msg = f"{self.ruleset.title} has no command rule: {rules.INSTEAD_OF_COMMAND}"
            raise UnsupportedError(msg)
        return rules.command

    def plot_command(self, command: Command | str | None = None, **options: Any) -> Axes:
        """Draw who commands whom; see :func:`studio.draw.draw_command`.

        Parameters
        ----------
        command : Command or str, optional
            What :meth:`command` answered, or the id of a force to ask for; all forces by default.
        **options
            Of the picture.

        Raises
        ------
        UnsupportedError
            When the game has no command rule.
        StaleAnswerError
            When the map or the scenario has changed since, or it is an answer about another one.
        UnknownNameError, ScenarioRuleError
            As for :meth:`command`.
        """
        from studio.draw import draw_command, pyplot_figures

        answer = command if isinstance(command, Command) else self.command(command)
        with self.map.lock, pyplot_figures():
            self._check_fresh(answer, "scenario.command(...)")
            axes: Axes = draw_command(self, answer, **options)
            return axes

    # -- movement --------------------------------------------------------------------------------------------------

    def reach(
        self,
        unit_id: str,
        points: Points | None = None,
        *,
        mover: str | None = None,
        options: Mapping[str, Any] | None = None,
        **state: Any,
    ) -> Reach:
        """Find every location that a unit can go to, past the enemies that stand on the map.

        Parameters
        ----------
        unit_id : str
            Id of a unit that has a location.
        points : int, str or Fraction, optional
            Most points, halves as ``"7/2"``; its allowance by the roster, its counter in the scenario, or the rules.
        mover : str, optional
            Way of moving, where the roster does not say it.
        options : mapping, optional
            Readings of the rules to use instead of those of the scenario.
        **state
            Fields of the state to put in place of what the scenario gives, such as ``enemies=["0304"]``.

        Returns
        -------
        Reach
            As of ``map.reach``.

        Raises
        ------
        UnknownNameError
            When the scenario has no such unit, or the game no such mover, option or field of a state.
        UnsupportedError
            When such a unit does not move by itself, or the game says nothing of movement.
        ScenarioRuleError
            When the unit is not on the map, when nothing says how it moves or how far, or a value cannot be.
        LabelError
            When a state names an unknown location.
        """
        from studio.paths import make_reach

        with self.map.lock:
            unit = self._unit(unit_id)
            judge = self._judge(unit, mover, options, state)
            limit = points if points is not None else self._allowance(unit)
            if limit is None:
                msg = (
                    f"{unit.id}: nothing says how far it can move, its counter or a die does: give points=..., or "
                    "write its allowance into the scenario as the figure movement of the unit"
                )
                raise ScenarioRuleError(msg)
            return make_reach(judge, unit.cell, limit)

    def route(
        self,
        unit_id: str,
        to: str,
        points: Points | None = None,
        *,
        mover: str | None = None,
        options: Mapping[str, Any] | None = None,
        **state: Any,
    ) -> Route:
        """Find the cheapest way of a unit to a location; where there is none, what stands in it.

        Parameters
        ----------
        unit_id : str
            Id of a unit that has a location.
        to : str
            Label.
        points, mover, options, **state
            As for :meth:`reach`; where nothing says how far the unit can go, the way may cost whatever it does.

        Returns
        -------
        Route
            As of ``map.route``.

        Raises
        ------
        LabelError
            When a label is unknown.
        UnknownNameError, UnsupportedError, ScenarioRuleError
            As for :meth:`reach`.
        """
        from studio.paths import make_route

        with self.map.lock:
            unit = self._unit(unit_id)
            judge = self._judge(unit, mover, options, state)
            limit = points if points is not None else self._allowance(unit)
            return make_route(judge, unit.cell, self.played.survey.directory.number(to), limit)

    def _unit(self, name: str) -> Placed:
        """Return a unit that is on the map."""
        found = next((unit for unit in self.situation.units if unit.id == name), None)
        if found is not None:
            return found
        known = [unit.id for force in self.document.forces for part in force.formations for unit in part.units]
        if name in known:
            msg = f"{name}: it has no location yet; give it one (`at`), or ask map.reach(...) from where it might stand"
            raise ScenarioRuleError(msg)
        msg = f"{self.title}: no unit {name!r}; {nearest(str(name), known)}"
        raise UnknownNameError(msg)

    def _judge(
        self, unit: Placed, mover: str | None, options: Mapping[str, Any] | None, state: Mapping[str, Any]
    ) -> MoveJudge:
        """Return the judge of the movement of a unit as the scenario stands."""
        stuck = next((status for status in _STUCK if unit.has(status)), "")
        if stuck:
            msg = f"{unit.id}: the scenario says that it is {stuck}, so that it does not move"
            raise UnsupportedError(msg)
        return self.played.movement(
            mover or self._mover(unit), options=self._options(options), state=self._state(unit, state)
        )

    def _mover(self, unit: Placed) -> str:
        """Return how a unit moves."""
        own = unit.kind.mover if unit.kind is not None else ""
        instead = getattr(self.ruleset.scenario, "INSTEAD_OF_MOVEMENT", "") if self._has_roster else ""
        if instead and unit.kind is not None and not self._moves_by_itself(own):
            msg = f"{unit.id} ({unit.kind.name}): {instead}"
            raise UnsupportedError(msg)
        if not own:
            name = unit.kind.name if unit.kind is not None else unit.type
            known = ", ".join(self.ruleset.movers)
            msg = f"{unit.id} ({name}): the roster does not say how it moves; give mover=..., one of {known}"
            raise ScenarioRuleError(msg)
        mover: str = own
        return mover

    def _moves_by_itself(self, mover: str) -> bool:
        return bool(mover) and mover not in getattr(self.ruleset.scenario, "RETREATING", ())

    def _state(self, unit: Placed, given: Mapping[str, Any]) -> MoveState:
        """Return what holds for a unit: as the scenario stands, with some fields otherwise."""
        turn = given.get("turn", 0)
        state = self._movement_state(unit.side, turn=turn if isinstance(turn, int) else 0, unit=unit)
        read = read_state(self.played.survey.directory, type(state), given)
        return msgspec.structs.replace(state, **{name: getattr(read, name) for name in given})

    def _allowance(self, unit: Placed) -> Points | None:
        """Return the points that a unit has: its own figure, else what the rules give to all of its kind."""
        own = unit.figure("movement")
        if own is not None or unit.kind is None:
            return own
        by_rule = getattr(self.ruleset.scenario, "allowance", None) if self._has_roster else None
        found: int | None = None if by_rule is None else by_rule(unit.kind)
        return found
