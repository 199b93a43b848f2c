"""What a map can be asked about movement in single games: logistics, resupply, initiative, retreat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from studio.api.ways import MapWays
from studio.errors import ScenarioRuleError, UnsupportedError, nearest
from studio.paths.state import several

if TYPE_CHECKING:
    from studio.paths import MoveState, Route
    from studio.paths.points import Points
    from studio.paths.spots import Spot, Spots
    from studio.sight import Conditions

    Enemies = Mapping[str, int | None] | Iterable[str]

__all__ = ["MapGameWays"]


class MapGameWays(MapWays):
    """A map with what only some games know of movement, each by a function of its paths module."""

    def logistics(
        self,
        units: str | Iterable[str],
        *,
        enemies: Enemies = (),
        marker: str | None = None,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> Spots:
        """Find the hexes where a logistics marker can be put, or moved to.

        Parameters
        ----------
        units : str or iterable of str
            Labels of the hexes with friendly units.
        enemies : str, iterable of str, or mapping of str to int
            Labels of the hexes with enemies, with their ranges in hexes where given as a mapping.
        marker : str, optional
            Label of the hex with the marker that is to be moved; without one, a marker is placed.
        options : mapping, optional
            Readings of the rules to use instead of the defaults.
        conditions : Conditions, optional
            What holds for sight.

        Returns
        -------
        Spots

        Raises
        ------
        UnsupportedError
            When the game has no logistics markers; Armageddon War has (2.022).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`route`.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=5).paint("0303", terrain="dunes")
        >>> found = desert.logistics("0305", enemies="0301")
        >>> found.labels
        ['0204', '0304', '0404', '0205', '0305', '0405']
        >>> print(found.why("0505").text)
        0505: no; 0505 is in sight and in range of the enemy at 0301
        """
        asked = {"enemies": enemies, "marker": marker, "options": options, "conditions": conditions}
        found: Spots = self._ask("logistics", "logistics markers", units, **asked)
        return found

    def resupply(
        self, unit: str, marker: str, *, enemies: Enemies = (), options: Mapping[str, Any] | None = None
    ) -> Route:
        """Return the way between a unit and a logistics marker; it is found when the unit recovers by that marker.

        Parameters
        ----------
        unit, marker : str
            Labels of their hexes.
        enemies, options
            As for :meth:`logistics`.

        Raises
        ------
        UnsupportedError
            When the game has no logistics markers; Armageddon War has (2.021).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`route`.
        """
        route: Route = self._ask("resupply", "logistics markers", unit, marker, enemies=enemies, options=options)
        return route

    def initiative(
        self,
        unit: str,
        *,
        mover: str = "",
        points: Points | None = None,
        formation: str | Iterable[str] = (),
        markers: str | Iterable[str] = (),
        name: str = "",
        sniper: bool = False,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> Spot:
        """Tell whether a unit has initiative, and why.

        Parameters
        ----------
        unit : str
            Label of its hex.
        mover, points
            How it moves, and the movement points on its counter; both are needed.
        formation : str or iterable of str
            Labels of the hexes of the other units of its formation.
        markers : str or iterable of str
            Labels of the hexes with logistics markers of its side.
        name : str
            Name on the counter.
        sniper : bool
        options, conditions, state
            As for :meth:`logistics` and :meth:`movement`.

        Raises
        ------
        UnsupportedError
            When the game has no rule of initiative; Armageddon War has (2.023).
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`route`; also when the mover or its points are not given.
        """
        asked = {
            "mover": mover, "points": points, "formation": several(formation), "markers": several(markers),
            "name": name, "sniper": sniper, "options": options, "conditions": conditions, "state": state,
        }  # fmt: skip
        spot: Spot = self._ask("initiative", "rule of initiative", unit, **asked)
        return spot

    def retreat(
        self,
        unit: str,
        attacker: str = "",
        *,
        mover: str = "",
        enemies: Enemies = (),
        status: str = "",
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> Any:
        """Find where a unit can retreat to when it is attacked.

        Parameters
        ----------
        unit, attacker : str
            Labels of their locations. In Phantom Fury (13.6, by egress routes) it does not matter who attacked.
        mover, enemies, status, conditions
            Armageddon War only (4.16): how the unit moves, which is needed; labels of hexes with enemies, with their
            ranges where given as a mapping; ``action``, ``pinned`` or ``shaken``; what holds for sight.
        options, state
            As for :meth:`movement`.

        Returns
        -------
        Spots or Retreat
            In Phantom Fury a :class:`~studio.rules.phantom_fury.retreat.Retreat`.

        Raises
        ------
        UnsupportedError
            When the game has no rule of retreat.
        LabelError, UnknownNameError, ScenarioRuleError
            As for :meth:`route`; also when something is given that the game does not ask for, or missing.
        """
        asked = {
            "mover": mover, "enemies": enemies, "status": status,
            "options": options, "conditions": conditions, "state": state,
        }  # fmt: skip
        return self._ask("retreat", "rule of retreat", unit, attacker, **asked)

    def _ask(self, name: str, what: str, /, *asked: Any, **given: Any) -> Any:
        """Answer a question that only some games know, by the function of that name in their paths module.

        Raises
        ------
        UnsupportedError
            When the game does not know it.
        ScenarioRuleError
            When something is given that the game does not ask for, or not given that it needs.
        """
        from studio.paths import read_state

        with self.lock:
            answer = getattr(self.ruleset.paths, name, None) if self.ruleset.has_movement else None
            if answer is None:
                msg = f"{self.ruleset.title} has no {what}"
                raise UnsupportedError(msg)
            said = {key: value for key, value in given.items() if _is_said(value)}
            self._check_asked(name, answer, said)
            if "state" in said:
                said["state"] = read_state(self.survey.directory, self.ruleset.paths.STATE, said["state"])
            return answer(self.survey, *asked, **said)

    def _check_asked(self, name: str, answer: Callable[..., Any], said: Mapping[str, Any]) -> None:
        from inspect import Parameter, signature

        title, movers = self.ruleset.title, list(self.ruleset.movers)
        known = signature(answer).parameters
        for key in said:
            if key not in known:
                msg = f"{name}: {title} does not ask for {key!r}; {nearest(key, list(known)[1:])}"
                raise ScenarioRuleError(msg)
        for key, one in known.items():
            if one.kind is Parameter.KEYWORD_ONLY and one.default is Parameter.empty and key not in said:
                such = f"mover={movers[0]!r}; there are {', '.join(movers)}" if key == "mover" else f"{key}=..."
                msg = f"{name}: {title} needs {key!r}, too; give {such}"
                raise ScenarioRuleError(msg)


def _is_said(value: Any) -> bool:
    """Tell whether something was asked for; what was not is left to the default of the game."""
    return value is not None and value is not False and not (isinstance(value, str | tuple | list) and not value)
