"""What maps of towns can be asked: ranges in effect points, command, reinforcements and infiltration."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from studio.api.game_ways import MapGameWays
from studio.paths.state import several

if TYPE_CHECKING:
    from studio.paths import MoveState, Step
    from studio.rules.phantom_fury.retreat import Infiltration
    from studio.rules.urban_operations.command import Chain, EffectReach

__all__ = ["MapTowns"]


class MapTowns(MapGameWays):
    """A map with the answers that the games of towns give."""

    def effect_reach(
        self,
        a: str,
        points: int | None = None,
        *,
        fire: bool = False,
        options: Mapping[str, Any] | None = None,
        opened: str | Iterable[str] = (),
    ) -> EffectReach:
        """Find every location within so many effect points of one: command, weapon effects, ranges.

        Parameters
        ----------
        a : str
            Label.
        points : int, optional
            The command range of the game when left out.
        fire : bool
            Counted along lines of sight.
        options : mapping, optional
            Readings of the rules to use instead of the defaults.
        opened : str or iterable of str
            Ids of the breaches that have been made.

        Raises
        ------
        UnsupportedError
            When the game measures no distance in effect points; Urban Operations does (4.3.7.1, 7.1).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`sight`.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("urban_operations", columns=9, rows=9)
        >>> town.effect_reach("0505", 1).labels
        ['0404', '0504', '0604', '0405', '0505', '0605', '0506']
        """
        asked = {"fire": fire, "options": options, "opened": several(opened)}
        found: EffectReach = self._ask("effect_reach", "distance in effect points", a, points, **asked)
        return found

    def chain_of_command(
        self,
        *,
        platoon: str = "",
        company: str = "",
        post: str = "",
        options: Mapping[str, Any] | None = None,
        opened: str | Iterable[str] = (),
    ) -> Chain:
        """Tell how many blocks of a platoon can be activated, and why.

        Parameters
        ----------
        platoon, company, post : str
            Labels of the locations of the commanders and the command post; left out when they are not on the map.
        options, opened
            As for :meth:`effect_reach`.

        Raises
        ------
        UnsupportedError
            When the game has no chain of command; Urban Operations has (7.1).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`sight`.

        Examples
        --------
        >>> import studio
        >>> town = studio.new_map("urban_operations", columns=9, rows=9)
        >>> print(town.chain_of_command(platoon="0101", company="0108", post="0107").text)
        the platoon commander is 7 EP from the company commander, 6 allowed
        """
        asked = {
            "platoon": platoon, "company": company, "post": post, "options": options, "opened": several(opened)
        }  # fmt: skip
        found: Chain = self._ask("chain_of_command", "chain of command", **asked)
        return found

    def entries(
        self,
        mover: str,
        *,
        options: Mapping[str, Any] | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> list[Step]:
        """Find where units enter the map, for how many points, and what keeps them out elsewhere.

        Parameters
        ----------
        mover, options, state
            As for :meth:`movement`.

        Raises
        ------
        UnsupportedError
            When the game does not say so by the map alone; Urban Operations (8.1), Modern Tactics (22.6) and Phantom
            Fury (10) do.
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`movement`.
        """
        found: list[Step] = self._ask("entries", "places of entry", mover, options=options, state=state)
        return found

    def infiltrations(
        self, *, options: Mapping[str, Any] | None = None, state: MoveState | Mapping[str, Any] | None = None
    ) -> list[Infiltration]:
        """Tell of every zone that may be infiltrated whether it is, from where, or why not.

        Parameters
        ----------
        options, state
            As for :meth:`movement`.

        Raises
        ------
        UnsupportedError
            When the game has no infiltration; Phantom Fury has (14.4).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`movement`.
        """
        found: list[Infiltration] = self._ask("infiltrations", "infiltration", options=options, state=state)
        return found
