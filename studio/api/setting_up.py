"""Scenarios that are set up: asked whether that can be, placed by chance, and drawn from their cups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from studio.api.units import ScenarioUnits
from studio.errors import ScenarioRuleError, UnknownNameError, UnsupportedError, nearest
from studio.model import Change
from studio.rules.lots import Draw, Roll, draw_lots, lucky, roll_table
from studio.rules.setting_up import SetUpAnswer, placing_step, set_up_answer

if TYPE_CHECKING:
    from studio.rules.phantom_fury.draws import DrawnSetUp

__all__ = ["ScenarioSetUp"]


class ScenarioSetUp(ScenarioUnits):
    """A scenario that can be set up."""

    def set_up_answer(self, of: str = "") -> SetUpAnswer:
        """Answer whether the units that have no place yet can be placed legally: with a placement, or with the reason.

        Parameters
        ----------
        of : str
            Id of a force or a formation; all of them without it.

        Returns
        -------
        SetUpAnswer
            True where they can; see :func:`studio.rules.setting_up.set_up_answer` for what is legal.

        Raises
        ------
        UnknownNameError, LabelError, ScenarioRuleError
            When there is no such force or formation, or an area names what there is not.

        Examples
        --------
        >>> import studio
        >>> raid = studio.open_scenario("scenarios/armageddon-01.scenario.json", recover_unsaved=False)
        >>> raid.set_up_answer()
        SetUpAnswer: possible, 15 counters of 7 units placed
        """
        with self.map.lock:
            return self._set_up(of, None)

    def random_set_up(self, seed: int | str, of: str = "") -> SetUpAnswer:
        """Return a legal placement by chance, the same for the same seed.

        Counter after counter goes to one of the places that are open to it, each as likely; where that leads nowhere, a
        placement that fits is dealt out by chance.

        Parameters
        ----------
        seed : int or str
        of : str
            Id of a force or a formation; all of them without it.

        Raises
        ------
        UnknownNameError, LabelError, ScenarioRuleError
            When there is no such force or formation, or an area names what there is not.
        """
        with self.map.lock:
            return self._set_up(of, seed)

    def _set_up(self, of: str, seed: int | str | None) -> SetUpAnswer:
        document = self.document
        forces = [force.id for force in document.forces]
        parts = [part.id for force in document.forces for part in force.formations]
        if of and of not in (*forces, *parts):
            msg = f"{self.title}: no force or formation {of!r}; {nearest(of, [*forces, *parts])}"
            raise UnknownNameError(msg)
        played = self.played
        return set_up_answer(
            document,
            played.survey,
            self.ruleset,
            force=of if of in forces else "",
            formation=of if of not in forces else "",
            rng=None if seed is None else lucky(seed, f"set up {of}"),
        )

    def place_set_up(
        self,
        placement: SetUpAnswer | Mapping[str, str | Sequence[str]],
        aboard: Mapping[str, Sequence[str]] | None = None,
        *,
        entering: bool = False,
    ) -> Change | None:
        """Place units in one step, which can be taken back as one.

        Units whose counters go to several places become several records. Of an answer, only what sets up before the
        first turn is placed: what enters during play is not on the map yet.

        Parameters
        ----------
        placement : SetUpAnswer or mapping of str to str or sequence of str
            What was answered; or the place of each unit, or of each of its counters, by its id.
        aboard : mapping of str to sequence of str, optional
            Ids of the units that carry each counter.
        entering : bool
            Place what enters during play as well, at its entry.

        Raises
        ------
        ScenarioRuleError
            When the answer has no placement.
        UnknownNameError, LabelError
            When the scenario has no such unit, or the map no such place.
        """
        if isinstance(placement, SetUpAnswer):
            if not placement.possible:
                msg = f"place_set_up: there is nothing to place: {placement.reason}"
                raise ScenarioRuleError(msg)
            later = set() if entering else self._entering()
            aboard = {name: by for name, by in placement.aboard.items() if name not in later}
            placement = {name: where for name, where in placement.placement.items() if name not in later}
        places: Mapping[str, str | Sequence[str]] = placement
        for said in places.values():
            for label in [said] if isinstance(said, str) else said:
                self._place_number(label)
        step = placing_step(self.document, places, aboard)
        return self.apply(step) if step.edits else None

    def _entering(self) -> set[str]:
        """Return the ids of the units that enter during play."""
        parts = [part for force in self.document.forces for part in force.formations]
        return {unit.id for part in parts if part.arrival == "enter" for unit in part.units}

    def draw(self, pool: str, seed: int | str, *, number: int = 0) -> Draw:
        """Draw from a cup of the scenario, the same for the same seed.

        Parameters
        ----------
        pool : str
            Its id.
        seed : int or str
        number : int
            How many lots; as the cup says when 0.

        Raises
        ------
        UnknownNameError
            When the scenario has no such cup.
        ScenarioRuleError
            When it holds too few lots.
        """
        found = _named(self.document.pools, pool, "pool")
        return draw_lots(self.document, found, lucky(seed, f"draw {pool}"), number)

    def roll(self, table: str, seed: int | str, *, turn: int = 0) -> Roll:
        """Roll on a random table of the scenario, the same for the same seed.

        Parameters
        ----------
        table : str
            Its id.
        seed : int or str
        turn : int
            Rows that do not count in this turn are passed over; all of them count when 0.

        Raises
        ------
        UnknownNameError
            When the scenario has no such table.
        """
        found = _named(self.document.tables, table, "table")
        return roll_table(found, lucky(seed, f"roll {table} {turn}"), turn)

    def draw_set_up(self, seed: int | str, **choices: Any) -> DrawnSetUp:
        """Make the draws of a game whose set-up is drawn, the same for the same seed; only Phantom Fury has such.

        Parameters
        ----------
        seed : int or str
        **choices
            As for :func:`studio.rules.phantom_fury.draws.draw_set_up`: ``strong_points``, ``cups``.

        Raises
        ------
        UnsupportedError
            When the set-up of the game is not drawn.
        ScenarioRuleError
            When a choice is not allowed.
        """
        if self.ruleset.id != "phantom_fury":
            msg = f"{self.ruleset.title} draws no set-up; ask scenario.random_set_up(...), scenario.draw(...)"
            raise UnsupportedError(msg)
        from studio.rules.phantom_fury.draws import draw_set_up

        return draw_set_up(self.document, self.map.survey, seed, **choices)

    def place_drawn(self, drawn: DrawnSetUp) -> Change | None:
        """Place what was drawn, in one step.

        Raises
        ------
        ScenarioRuleError
            When the scenario has other units than were drawn for.
        """
        return self.apply(drawn.step(self.document))


def _named(records: Sequence[Any], name: str, what: str) -> Any:
    for record in records:
        if record.id == name:
            return record
    msg = f"no {what} {name!r}; {nearest(name, [record.id for record in records])}"
    raise UnknownNameError(msg)
