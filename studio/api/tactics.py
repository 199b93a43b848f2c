"""What maps of tactical games can be asked beside routes: command and spotting ranges, and how a move can end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from studio.api.towns import MapTowns
from studio.paths.state import several

if TYPE_CHECKING:
    from studio.paths import MoveState, Route
    from studio.paths.points import Points
    from studio.paths.spots import Spots
    from studio.sight import Conditions

__all__ = ["MapTactics"]


class MapTactics(MapTowns):
    """A map with the answers that games of squads and vehicles give."""

    def command(self, leader: str, reach: int, units: str | Iterable[str] | None = None) -> Spots:
        """Tell which locations are in the command range of a leader.

        Parameters
        ----------
        leader : str
            Label of its location.
        reach : int
            Command range in hexes.
        units : str or iterable of str, optional
            Labels of the locations to look at; all that are in range without.

        Raises
        ------
        UnsupportedError
            When the game has no command range in hexes; Modern Tactics has (7.1).
        LabelError, ScenarioRuleError
            When a label is unknown, or the range is no whole number from 0.

        Examples
        --------
        >>> import studio
        >>> land = studio.new_map("modern_tactics", columns=9, rows=9)
        >>> print(land.command("0505", 3, ["0502", "0501"]).why("0501").text)
        0501: no; 4 hexes from the leader at 0505, whose command range is 3
        """
        asked = None if units is None else several(units)
        found: Spots = self._ask("command", "command range in hexes", leader, reach, asked)
        return found

    def spotting(
        self,
        unit: str,
        targets: str | Iterable[str] | None = None,
        *,
        purpose: str = "",
        weapon_range: int | None = None,
        team: str = "",
        status: str = "",
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> Spots:
        """Tell which locations a unit can spot, for a strike or otherwise, and why not the others.

        Parameters
        ----------
        unit : str
            Label of its location.
        targets : str or iterable of str, optional
            Labels of the locations to look at; all that are in range without.
        purpose : str
            ``strike`` (without), ``mortar``, ``contact`` or ``challenge``.
        weapon_range : int, optional
            Longest range of its weapons in hexes.
        team : str
            Label of the location of the Mortar Team.
        status : str
            ``good_order`` (without), ``shaken``, ``broken`` or ``suppressed``.
        options, conditions
            Readings of the rules, and what holds for sight.

        Raises
        ------
        UnsupportedError
            When the game has no spotting ranges; Modern Tactics has (33.0, 34.1, 8.2, 32).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`sight`.

        Examples
        --------
        >>> import studio
        >>> land = studio.new_map("modern_tactics", columns=9, rows=9).paint("0503", terrain="grape_fields")
        >>> land.spotting("0505", ["0501", "0504"])
        Spots(spotted from 0505 (strike): 0504)
        """
        asked = {
            "purpose": purpose, "weapon_range": weapon_range, "team": team,
            "status": status, "options": options, "conditions": conditions,
        }  # fmt: skip
        places = None if targets is None else several(targets)
        found: Spots = self._ask("spotting", "spotting ranges", unit, places, **asked)
        return found

    def finish(
        self,
        a: str,
        at: str | Iterable[str] | None = None,
        *,
        ending: str,
        mover: str,
        points: Points | None = None,
        options: Mapping[str, Any] | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> Route:
        """Find the cheapest way to where a unit leaves the map, gets on a vehicle, or goes into a bunker.

        Parameters
        ----------
        a : str
            Label of the location that it starts from.
        at : str or iterable of str, optional
            Labels of the locations where the move may end so; every one that will do without.
        ending : str
            ``exit``, ``load`` or ``bunker``.
        mover, points, options, state
            As for :meth:`route`.

        Returns
        -------
        Route
            Its last step is the ending.

        Raises
        ------
        UnsupportedError
            When the game knows no such endings; Modern Tactics does (22.6, 23.0.1, 13.4).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`route`.

        Examples
        --------
        >>> import studio
        >>> land = studio.new_map("modern_tactics", columns=9, rows=9)
        >>> land.finish("0503", ending="exit", mover="foot").cost
        Fraction(3, 1)
        """
        asked = {"mover": mover, "points": points, "options": options, "state": state}
        route: Route = self._ask("finish", "such ending of a move", a, at, ending, **asked)
        return route
