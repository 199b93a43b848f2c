"""What a scenario can be asked about supply: units in and out, what would be, interdiction, entry places, pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from studio.api.played import ScenarioPlayed
from studio.errors import ScenarioRuleError, StaleAnswerError, UnknownNameError, UnsupportedError, nearest
from studio.model import MapUse
from studio.paths import MoveState
from studio.paths.state import several, written_state
from studio.paths.supply_answer import Interdiction, Supply
from studio.rules.generic.supply_settings import PREFIX
from studio.rules.played import closed_places
from studio.rules.situation import Placed, Situation, read_situation
from studio.rules.supplying import SideSupply, make_interdiction, make_supply
from studio.survey import locations_in_play

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from studio.model import ScenarioDocument
    from studio.paths.supply import SupplyNet

__all__ = ["ScenarioSupply"]

Dated = TypeVar("Dated")


class ScenarioSupply(ScenarioPlayed):
    """A scenario with the answers about supply that its game gives."""

    _kept: tuple[Any, dict[Any, Any]] = ((), {})

    @property
    def document(self) -> ScenarioDocument:
        """The scenario as its file holds it."""
        raise NotImplementedError

    # -- what holds ------------------------------------------------------------------------------------------------

    def _fresh(self) -> dict[Any, Any]:
        """Return what was made for the scenario and the map as they are now; nothing older."""
        state = (self.revision, self.map.survey.revision)
        if self._kept[0] != state:
            self._kept = (state, {})
        return self._kept[1]

    @property
    def _state_now(self) -> object:
        """What stands for the scenario and the map as they are now; answers keep it, so that old ones are told."""
        return self._fresh().setdefault("state", object())

    @property
    def situation(self) -> Situation:
        """Units, control and countries as the scenario stands.

        Raises
        ------
        LabelError, UnknownNameError
            When the scenario names a hex, a side or an area that there is not.
        """
        kept = self._fresh()
        if "situation" not in kept:
            kept["situation"] = read_situation(self.played.survey, self.ruleset, self.document)
        found: Situation = kept["situation"]
        return found

    def _options(self, options: Mapping[str, Any] | None) -> dict[str, Any]:
        if options is not None and not isinstance(options, Mapping):
            return self.ruleset.options(options)  # which says what is wrong
        return self.ruleset.options({**self.document.special.options, **(options or {})})

    def _net(self, options: Mapping[str, Any]) -> SupplyNet:
        key = tuple((name, value) for name, value in sorted(options.items()) if name.startswith(PREFIX))
        kept = self._fresh()
        if key not in kept:
            kept[key] = self.ruleset.supply.net(self.played.survey, options, self.situation.out_of_play)
        net: SupplyNet = kept[key]
        return net

    def _check_side(self, side: str) -> str:
        sides = [force.id for force in self.document.forces]
        if side not in sides:
            msg = f"{self.title}: no force {side!r}; {nearest(str(side), sides)}"
            raise UnknownNameError(msg)
        return side

    def _side(
        self,
        side: str,
        options: Mapping[str, Any] | None,
        *,
        without: str | Iterable[str] = (),
        enemy_at: str | Iterable[str] = (),
        control: Mapping[str, str | Iterable[str]] | None = None,
        restored: str | Iterable[str] = (),
    ) -> SideSupply:
        situation, force = self.situation, self._options(options)
        without, enemy_at, restored = several(without), several(enemy_at), several(restored)
        if control is not None and not isinstance(control, Mapping):
            msg = f"control: got {control!r}; give a mapping of sides to labels, such as {{{side!r}: ['0304']}}"
            raise ScenarioRuleError(msg)
        control = {name: several(labels) for name, labels in (control or {}).items()}
        self._hexes(enemy_at)
        self._check_restored(restored)
        if enemy_at or control or restored:
            situation = situation.changed(side, enemy_at=enemy_at, control=control, restored=restored)
        left_out = self.map.labels.cells(list(without))
        return SideSupply(self.ruleset, situation, side, force, self._net(force), left_out)

    def _hexes(self, labels: Iterable[str]) -> list[int]:
        """Return the hexes with some labels, where units can be."""
        directory, cell = self.played.survey.directory, self.map.labels.cell
        found = []
        for label in labels:
            number = directory.number(label) if isinstance(label, str) else cell(label)
            found.append(number if number < self.map.grid.cells else cell(label))
        return found

    def _check_restored(self, labels: Sequence[str]) -> None:
        """Refuse what is no source: it cannot work again."""
        sources = self.ruleset.supply.candidates(self.played.survey) if labels else set()
        for label, cell in zip(labels, self.map.labels.cells(list(labels)), strict=True):
            if cell not in sources:
                known = [self.map.labels.label(one) for one in sorted(sources)]
                msg = f"restored: {label} is no source of supply; {nearest(label, known)}"
                raise ScenarioRuleError(msg)

    def _on_hexes(self, situation: Situation, side: str) -> list[Placed]:
        """Return the units of a side that stand in hexes: lines run from hex to hex."""
        return [unit for unit in situation.of(side) if unit.cell < self.map.grid.cells]

    # -- asking ----------------------------------------------------------------------------------------------------

    def supply(
        self,
        side: str | None = None,
        *,
        at: str | Iterable[str] = (),
        without: str | Iterable[str] = (),
        enemy_at: str | Iterable[str] = (),
        control: Mapping[str, str | Iterable[str]] | None = None,
        restored: str | Iterable[str] = (),
        options: Mapping[str, Any] | None = None,
    ) -> Supply:
        """Ask which units are in supply, by what line, or what keeps them out.

        Parameters
        ----------
        side : str, optional
            Id of a force; all of them by default.
        at : str or iterable of str
            Hexes to ask about instead, as if a unit of the side stood there: its answer has the label as its unit.
        without : str or iterable of str
            What would be if no line could use these hexes.
        enemy_at : str or iterable of str
            What would be with an enemy unit in these hexes. Units that stand there are gone, so there is no answer
            about them.
        control : mapping of str to labels
            What would be if sides controlled these hexes; an empty id stands for nobody.
        restored : str or iterable of str
            What would be if these retaken sources worked again.
        options : mapping, optional
            Readings of the rules to use instead of those of the scenario.

        Returns
        -------
        Supply
            One answer for each unit that has a hex.

        Raises
        ------
        UnsupportedError
            When the game has no supply.
        UnknownNameError, LabelError, ScenarioRuleError
            When a side, a hex or an option is unknown, or when hexes or enemies are asked of no side.
        """
        with self.map.lock:
            _ = self.ruleset.supply  # says so when the game has none
            sides = [force.id for force in self.document.forces] if side is None else [self._check_side(side)]
            if side is None and (at or enemy_at):
                msg = "supply: say whose supply is asked, such as supply('iraq', enemy_at=['1010'])"
                raise ScenarioRuleError(msg)
            at = several(at)
            changes: dict[str, Any] = {
                "without": several(without), "enemy_at": several(enemy_at),
                "control": control, "restored": several(restored),
            }  # fmt: skip
            found = []
            for name in sides:
                one = self._side(name, options, **changes)
                places = [Placed(self.map.labels.label(cell), name, cell, "", None) for cell in self._hexes(at)]
                found.append((one, places if at else self._on_hexes(one.situation, name)))
            return self._dated(make_supply(found, self.played.survey))

    def interdiction(self, side: str, *, options: Mapping[str, Any] | None = None) -> Interdiction:
        """Ask for each hex by how many units of a side an enemy there would cut off.

        Parameters
        ----------
        side : str
            Id of the force whose supply it is.
        options : mapping, optional
            As for :meth:`supply`.

        Returns
        -------
        Interdiction
            A unit is cut off by a hex if it is in supply now and would not be with an enemy in that hex; units that
            stand in the hex itself do not count.

        Raises
        ------
        UnsupportedError
            When the game has no supply.
        UnknownNameError, ScenarioRuleError
            When the scenario has no such force, or an option is unknown.
        """
        with self.map.lock:
            _ = self.ruleset.supply
            one = self._side(self._check_side(side), options)
            return self._dated(make_interdiction(one, self._on_hexes(one.situation, side)))

    def entry_places(self, side: str, *, options: Mapping[str, Any] | None = None) -> Supply:
        """Ask where reinforcements may enter: the places for it that a side holds, each in supply or not.

        Returns
        -------
        Supply
            One answer a place, with its label as the unit.

        Raises
        ------
        UnsupportedError
            When the game has no such places; Ignorant Armies has (8.2, 12.2).
        UnknownNameError, ScenarioRuleError
            When the scenario has no such force, or an option is unknown.
        """
        with self.map.lock:
            rules = self.ruleset.supply
            if not hasattr(rules, "entries"):
                msg = f"{self.ruleset.title} has no entry places that need supply"
                raise UnsupportedError(msg)
            one = self._side(self._check_side(side), options)
            label = self.map.labels.label
            places = [Placed(label(cell), side, cell, "", None) for cell in rules.entries(one.situation, side)]
            return self._dated(make_supply([(one, places)], self.played.survey))

    def strategic_movement(self, side: str, *, turn: int = 2, options: Mapping[str, Any] | None = None) -> Any:
        """Ask which units of a side may move strategically, and where.

        Parameters
        ----------
        side : str
            Id of a force.
        turn : int
            Game turn; there is none on the first.
        options : mapping, optional
            As for :meth:`supply`.

        Returns
        -------
        studio.rules.ignorant_armies.strategic.StrategicMoves
            ``.limit`` units a turn; one answer a unit, in their order; ``.of(unit)`` for one by its id.

        Raises
        ------
        UnsupportedError
            When the game has no strategic movement; Ignorant Armies has (9.0).
        UnknownNameError, ScenarioRuleError
            When the scenario has no such force, an option is unknown, or the turn is no whole number from 1.
        """
        with self.map.lock:
            rules = self.ruleset.supply
            if not hasattr(rules, "strategic"):
                msg = f"{self.ruleset.title} has no strategic movement"
                raise UnsupportedError(msg)
            self._check_turn(turn, least=1)
            name, ratings = self._check_side(side), dict(self.document.ratings)
            ratings |= next(dict(force.ratings) for force in self.document.forces if force.id == name)
            most = ratings.get("strategic_moves")
            most = most if isinstance(most, int) else None
            return rules.strategic(self.situation, name, self._options(options), turn, most)

    def movement_state(self, side: str, *, turn: int = 0) -> dict[str, Any]:
        """Return what holds for the movement of a side, for ``map.route(..., state=...)`` and the like.

        Parameters
        ----------
        side : str
            Id of a force.
        turn : int
            Game turn, where it matters; 0 where it does not.

        Returns
        -------
        dict
            Fields of the state of the game by name, with labels for locations; those that say nothing are left out.

        Raises
        ------
        UnknownNameError
            When the scenario has no such force.
        ScenarioRuleError
            When the turn is no whole number from 0.
        """
        with self.map.lock:
            self._check_side(side)
            self._check_turn(turn, least=0)
            return written_state(self.played.survey.directory, self._movement_state(side, turn=turn))

    @staticmethod
    def _check_turn(turn: int, *, least: int) -> None:
        if isinstance(turn, bool) or not isinstance(turn, int) or turn < least:
            msg = f"turn: got {turn!r}, allowed are whole numbers from {least}"
            raise ScenarioRuleError(msg)

    def _movement_state(self, side: str, **asked: Any) -> MoveState:
        """Return what holds for movement, with what is out of play closed; `asked` is the game's."""
        made = getattr(self.ruleset.scenario, "movement_state", None) if self._has_roster else None
        state: MoveState
        if made is not None:
            state = made(self.situation, side, **asked)
        else:
            kind = getattr(self.ruleset.paths, "STATE", MoveState) if self.ruleset.has_movement else MoveState
            state = kind(enemies=frozenset(self.situation.enemies(side)))
        special, more = self.document.special, dict[str, Any]()
        out = self._out_of_play | closed_places(self.document, self.played.survey)
        if out:
            more["blocked"] = state.blocked | out
        if special.opened and "opened" in state.__struct_fields__:
            more["opened"] = getattr(state, "opened", frozenset()) | frozenset(special.opened)
        return msgspec.structs.replace(state, **more) if more else state

    @property
    def _out_of_play(self) -> frozenset[int]:
        """Numbers of the locations that are on the map, but not in play."""
        use = self.document.map
        if use == MapUse(file=use.file):
            return frozenset()
        kept = self._fresh()
        if "out" not in kept:
            numbers = frozenset(self.played.survey.directory.numbers.tolist())
            kept["out"] = numbers - locations_in_play(self.played.survey, use)
        out: frozenset[int] = kept["out"]
        return out

    @property
    def _has_roster(self) -> bool:
        return bool(self.ruleset.catalogue.scenario_module)

    # -- pictures --------------------------------------------------------------------------------------------------

    def plot_supply(self, supply: Supply | str | None = None, **options: Any) -> Axes:
        """Draw the supply of some units; see :func:`studio.draw.draw_supply`.

        Parameters
        ----------
        supply : Supply or str, optional
            What :meth:`supply` answered, or the id of a force to ask for; all forces by default.
        **options
            Of the picture.

        Raises
        ------
        UnsupportedError
            When it is no answer of ``scenario.supply(...)``, or the game has no supply.
        StaleAnswerError
            When the map or the scenario has changed since, or it is an answer about another one.
        UnknownNameError
            When the scenario has no such force.
        """
        from studio.draw import draw_supply, pyplot_figures

        answer = supply if isinstance(supply, Supply) else self.supply(supply)
        with self.map.lock, pyplot_figures():
            self._check_fresh(answer, "scenario.supply(...)")
            axes: Axes = draw_supply(self, answer, **options)
            return axes

    def plot_interdiction(self, interdiction: Interdiction | str, **options: Any) -> Axes:
        """Draw by how many units each hex cuts off; see :func:`studio.draw.draw_interdiction`.

        Parameters
        ----------
        interdiction : Interdiction or str
            What :meth:`interdiction` answered, or the id of a force to ask for.
        **options
            Of the picture.

        Raises
        ------
        UnsupportedError
            When the game has no supply.
        StaleAnswerError
            When the map or the scenario has changed since, or it is an answer about another one.
        UnknownNameError
            When the scenario has no such force.
        """
        from studio.draw import draw_interdiction, pyplot_figures

        answer = interdiction if isinstance(interdiction, Interdiction) else self.interdiction(interdiction)
        with self.map.lock, pyplot_figures():
            self._check_fresh(answer, "scenario.interdiction(...)")
            axes: Axes = draw_interdiction(self, answer, **options)
            return axes

    def _dated(self, answer: Dated) -> Dated:
        """Return an answer that knows which state of the scenario it is about."""
        answer.state = self._state_now  # type: ignore[attr-defined]
        return answer

    def _check_fresh(self, answer: Any, question: str) -> None:
        if getattr(answer, "state", None) not in (None, self._state_now) and answer.survey is self.played.survey:
            msg = f"the scenario has changed since this was made, or it is another one; make it anew with {question}"
            raise StaleAnswerError(msg)
        if answer.survey is not self.played.survey or answer.revision != self.played.survey.revision:
            msg = f"the map has changed since this was made, or it is another one; make it anew with {question}"
            raise StaleAnswerError(msg)
