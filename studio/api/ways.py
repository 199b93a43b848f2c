"""What a map can be asked about movement in every game that has some: steps, routes, and what can be reached."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from studio.api.answers import MapAnswers
from studio.errors import UnknownNameError, UnsupportedError, nearest
from studio.model import Change, MapModel

if TYPE_CHECKING:
    from studio.paths import MoveJudge, MoveState, Reach, Route, Step
    from studio.paths.points import Points

__all__ = ["MapWays"]

KEPT = 12
"""Networks that a map keeps: as many movers and states as one looks at in turn."""


class MapWays(MapAnswers):
    """A map with the ways that its game has across it."""

    def __init__(self, model: MapModel, **known: Any) -> None:
        super().__init__(model, **known)
        self._movement: dict[Any, MoveJudge] = {}

    def _follow(self, change: Change) -> Change:
        self._movement.clear()
        return super()._follow(change)

    def movement(
        self,
        mover: str,
        *,
        options: Mapping[str, Any] | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> MoveJudge:
        """Return the judge of movement for one mover and the map as it is now; its network is built once.

        Parameters
        ----------
        mover : str
            A way of moving that the game knows; ``map.ruleset.movers`` lists them.
        options : mapping, optional
            Readings of the rules to use instead of the defaults.
        state : mapping or MoveState, optional
            What holds at the moment, such as ``{"enemies": ["0304"]}``.

        Raises
        ------
        UnsupportedError
            When the game says nothing of movement.
        UnknownNameError, ScenarioRuleError
            When the game has no such mover, option or field of a state, or they cannot have such a value.
        LabelError
            When a state names an unknown location.
        """
        from studio.paths import read_state

        with self.lock:
            if not self.ruleset.has_movement:
                msg = f"{self.ruleset.title} has no movement: its file gives no costs to enter terrain"
                raise UnsupportedError(msg)
            movers = self.ruleset.movers
            if not isinstance(mover, str) or mover not in movers:
                given = f"unknown mover {mover!r}" if mover else "no mover is named"
                msg = f"{given} in {self.ruleset.title}; {nearest(str(mover), movers)}; there are {', '.join(movers)}"
                raise UnknownNameError(msg)
            paths = self.ruleset.paths
            force = self.ruleset.options(options)
            read = read_state(self.survey.directory, paths.STATE, state)
            key = (mover, tuple(sorted(force.items())), read)
            if key not in self._movement:
                self._movement[key] = paths.judge(self.survey, mover, force, read)
                if len(self._movement) > KEPT:
                    del self._movement[next(iter(self._movement))]
            return self._movement[key]

    def step(
        self,
        a: str,
        b: str,
        *,
        mover: str,
        options: Mapping[str, Any] | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
        **also: Any,
    ) -> Step:
        """Return the explained movement cost of one step.

        Parameters
        ----------
        a, b : str
            Labels of adjacent locations.
        mover, options, state
            As for :meth:`movement`.
        **also
            Further fields of the state, such as ``flank=True`` in Armageddon War.

        Raises
        ------
        LabelError, GridError
            When a label is unknown, or the locations are not adjacent.
        UnsupportedError, UnknownNameError, ScenarioRuleError
            As for :meth:`movement`.
        """
        with self.lock:
            number = self.survey.directory.number
            given = self._with_fields(state, also) if also else state
            judge = self.movement(mover, options=options, state=given)
            return judge.between(number(a), number(b))

    def _with_fields(self, state: MoveState | Mapping[str, Any] | None, also: Mapping[str, Any]) -> MoveState:
        """Return a state with some of its fields otherwise, the rest as they are."""
        from msgspec.structs import replace

        from studio.paths import MoveState, read_state

        if not self.ruleset.has_movement:
            return MoveState()  # whoever asks for movement next is told so
        kind, directory = self.ruleset.paths.STATE, self.survey.directory
        fields = read_state(directory, kind, also)
        return replace(read_state(directory, kind, state), **{name: getattr(fields, name) for name in also})

    def route(
        self,
        a: str,
        b: str,
        *,
        mover: str,
        points: Points | None = None,
        options: Mapping[str, Any] | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> Route:
        """Find the cheapest way from a location to another; where there is none, what stands in it.

        Parameters
        ----------
        a, b : str
            Labels.
        mover, options, state
            As for :meth:`movement`.
        points : int, str or Fraction, optional
            Most points that it may cost, halves as ``"7/2"``.

        Returns
        -------
        Route

        Raises
        ------
        LabelError
            When a label is unknown.
        UnsupportedError, UnknownNameError, ScenarioRuleError
            As for :meth:`movement`; also when the points are no whole number of halves.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=5).paint(["0302", "0303"], terrain="dunes")
        >>> route = desert.route("0301", "0304", mover="tracked")
        >>> route.labels, route.cost
        (['0301', '0201', '0202', '0203', '0304'], Fraction(4, 1))
        >>> print(desert.route("0301", "0304", mover="tracked", points=2).text)
        0301 to 0304 (tracked): 2 MP short: the cheapest way costs 4 MP; 2 MP lead to 0202
        """
        from studio.paths import make_route

        with self.lock:
            number = self.survey.directory.number
            return make_route(self.movement(mover, options=options, state=state), number(a), number(b), points)

    def reach(
        self,
        a: str,
        *,
        mover: str,
        points: Points | None = None,
        options: Mapping[str, Any] | None = None,
        state: MoveState | Mapping[str, Any] | None = None,
    ) -> Reach:
        """Find every location that a mover can go to, and for how many points.

        Parameters
        ----------
        a : str
            Label of the location that it starts from.
        mover, options, state
            As for :meth:`movement`.
        points : int, str or Fraction, optional
            Most points, halves as ``"7/2"``.

        Returns
        -------
        Reach

        Raises
        ------
        LabelError
            When the label is unknown.
        UnsupportedError, UnknownNameError, ScenarioRuleError
            As for :meth:`route`.

        Examples
        --------
        >>> import studio
        >>> desert = studio.new_map("armageddon_war", columns=5, rows=5).paint("0302", terrain="dunes")
        >>> desert.reach("0301", mover="wheeled", points=2)
        Reach(0301 (wheeled), 4 of 25 hexes for 2 MP)
        """
        from studio.paths import make_reach

        with self.lock:
            number = self.survey.directory.number(a)
            return make_reach(self.movement(mover, options=options, state=state), number, points)
