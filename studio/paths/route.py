"""Ways from one location to another, explained step by step; where there is none, what stands in the way."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from studio.paths.barriers import about_start, cut_off, fewest_barriers, named
from studio.paths.points import Points, points_text, to_halves
from studio.paths.protocol import CostPart, MoveJudge, Step
from studio.paths.search import Search, search
from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

__all__ = ["Leg", "Miss", "Route", "make_route", "route_of"]


class Leg(msgspec.Struct, frozen=True):
    """One step of a route, with the half points from the start to its end, and the state that it ends in."""

    step: Step
    total: int
    state: str = ""


class Miss(msgspec.Struct, frozen=True):
    """How near a mover came.

    Attributes
    ----------
    at : str
        Label of the last location that it reaches.
    step : Step or None
        The step that it cannot take: it is forbidden, or there are no points left for it.
    short_halves : int or None
        Half points that are missing, None where points do not help.
    text : str
    """

    at: str
    step: Step | None
    short_halves: int | None
    text: str

    @property
    def short(self) -> Fraction | None:
        """Points that are missing, None where points do not help."""
        return None if self.short_halves is None else Fraction(self.short_halves, 2)


class Route:
    """The cheapest way from one location to another.

    Attributes
    ----------
    start, end : str
        Labels.
    mover : str
    found : bool
        There is a way, and it costs no more than the points that were given.
    legs : tuple of Leg
        The steps. Of a way that costs too much, all of them; of one that is barred, those up to the barrier.
    points : Fraction or None
        Most points that it may cost.
    allowance : str
        Rule by which its one step is allowed though it costs more; empty where it does not.
    miss : Miss or None
        What keeps the mover from the end, where no way is found.
    warning : str
        What is odd about the start: the mover cannot be there, or never moves; empty for nothing.
    revision : int
        State of the survey that it was made from.

    Notes
    -----
    A route that does not stay (``stays=False``) ends off the map, aboard or the like: its end is no place to stop at.
    """

    def __init__(
        self,
        judge: MoveJudge,
        ends: tuple[int, int],
        legs: tuple[Leg, ...],
        points: Fraction | None = None,
        allowance: str = "",
        miss: Miss | None = None,
        *,
        stays: bool = True,
    ) -> None:
        self.judge, self.mover, self.unit = judge, judge.mover, judge.unit
        self.directory, self.revision = judge.survey.directory, judge.revision
        self.start, self.end = (self.directory.label(number) for number in ends)
        self.legs, self.points, self.allowance, self.miss = legs, points, allowance, miss
        self.warning = about_start(judge, ends[0])
        self._stays = stays

    @property
    def found(self) -> bool:
        """There is a way, and it costs no more than the points that were given."""
        return self.miss is None

    @property
    def steps(self) -> tuple[Step, ...]:
        """The explained steps."""
        return tuple(leg.step for leg in self.legs)

    @property
    def labels(self) -> list[str]:
        """Labels of the locations of the way, the start first."""
        return [self.start, *(leg.step.b for leg in self.legs)]

    @property
    def halves(self) -> int | None:
        """Half points of the way, None where none leads to the end; more than was given when it costs too much."""
        if self.miss is not None and self.miss.short_halves is None:
            return None
        return self.legs[-1].total if self.legs else 0

    @property
    def cost(self) -> Fraction | None:
        """Points of the way, None where none leads to the end."""
        return None if self.halves is None else Fraction(self.halves, 2)

    @property
    def stop(self) -> CostPart | None:
        """What keeps the mover from ending its move at the end, which it can only pass; None when nothing does."""
        if not self.legs or self.miss is not None or not self._stays:
            return None
        state = self.judge.states.index(self.legs[-1].state)
        return self.judge.stop(self.judge.nodes(self.directory.number(self.end))[state])

    @property
    def text(self) -> str:
        """The answer in one sentence."""
        head = f"{self.start} to {self.end} ({self.mover}): "
        if self.miss is not None:
            return head + self.miss.text
        count = len(self.legs)
        steps = f"{points_text(self.halves or 0, self.unit)} in {count} step{'s' * (count != 1)}"
        ends = f"; no move ends there: {self.stop.text}" if self.stop is not None else ""
        return head + steps + (f", allowed by {self.allowance}" if self.allowance else "") + ends

    def __str__(self) -> str:
        return "\n".join([self.text, *self._lines()])

    def _lines(self) -> Iterator[str]:
        if self.warning:
            yield f"  warning: {self.warning}"
        for leg in self.legs:
            why = "; ".join(part.text for part in leg.step.parts)
            # A part that says so already, such as "flank speed: 1 less", is enough.
            state = f", {leg.state}" if leg.state and leg.state not in why else ""
            cost = points_text(leg.step.halves or 0, self.unit)
            yield f"  {leg.step.a} to {leg.step.b}{state}: {cost}, {points_text(leg.total, self.unit)} so far; {why}"
        if self.miss is not None and self.miss.step is not None and self.miss.short_halves is None:
            yield f"  {self.miss.step}"

    def __repr__(self) -> str:
        return f"Route({self.text})"

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><td>{escape(leg.step.b)}</td><td>{points_text(leg.step.halves or 0, self.unit)}</td>"
            f"<td>{points_text(leg.total, self.unit)}</td>"
            f"<td>{escape('; '.join(f'{part.text} ({part.rule})' for part in leg.step.parts))}</td></tr>"
            for leg in self.legs
        )
        head = "<tr><th>to</th><th>step</th><th>so far</th><th>why</th></tr>"
        warning = f"<p>warning: {escape(self.warning)}</p>" if self.warning else ""
        return f"<b>{escape(self.text)}</b>{warning}<table>{head}{rows}</table>"

    def to_dict(self) -> dict[str, Any]:
        """Return the route as plain data for JSON.

        Returns
        -------
        dict
            ``from``, ``to``, ``mover``, ``found``, ``cost`` (points, or None), ``halves``, ``points`` (given, or None),
            ``allowance``, ``path`` (labels), ``steps`` (from, to, state, cost, total, parts), ``miss`` (at, short,
            text, step) or None, ``text``; ``stop`` (rule, text) where the end can only be passed, and ``warning``
            where the mover cannot be at the start, or never moves.
        """
        miss = None
        if self.miss is not None:
            miss = {
                "at": self.miss.at,
                "short": _number(self.miss.short_halves),
                "text": self.miss.text,
                "step": _step_dict(self.miss.step) if self.miss.step is not None else None,
            }
        return {
            "from": self.start,
            "to": self.end,
            "mover": self.mover,
            "found": self.found,
            "cost": _number(self.halves),
            "halves": self.halves,
            "points": None if self.points is None else _number(int(self.points * 2)),
            "allowance": self.allowance,
            "path": self.labels,
            "steps": [
                {**_step_dict(leg.step), "total": _number(leg.total), **({"state": leg.state} if leg.state else {})}
                for leg in self.legs
            ],
            "miss": miss,
            **({"stop": {"rule": self.stop.rule, "text": self.stop.text}} if self.stop is not None else {}),
            **({"warning": self.warning} if self.warning else {}),
            "text": self.text,
        }

    def to_frame(self) -> GeoDataFrame:
        """Return the steps as a GeoDataFrame of lines from dot to dot: a, b, cost, total (points), state and why.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        import shapely
        from geopandas import GeoDataFrame

        check_fresh(self.directory, self.revision, "map.route(...)")
        dots = [self.directory.grid.to_map(*self.directory.dot(self.directory.number(label))) for label in self.labels]
        lines = [shapely.LineString(pair) for pair in itertools.pairwise(dots)]
        data = {
            "a": [leg.step.a for leg in self.legs],
            "b": [leg.step.b for leg in self.legs],
            "cost": [(leg.step.halves or 0) / 2 for leg in self.legs],
            "total": [leg.total / 2 for leg in self.legs],
            "state": [leg.state for leg in self.legs],
            "why": ["; ".join(part.text for part in leg.step.parts) for leg in self.legs],
        }
        return GeoDataFrame(data, geometry=lines)


def _number(halves: int | None) -> int | float | None:
    """Return points as a number of JSON: whole, or with a half, which is exact there."""
    return None if halves is None else halves // 2 if halves % 2 == 0 else halves / 2


def _step_dict(step: Step) -> dict[str, Any]:
    return {
        "from": step.a,
        "to": step.b,
        "cost": _number(step.halves),
        "parts": [{"rule": part.rule, "cost": _number(part.halves), "text": part.text} for part in step.parts],
    }


def make_route(judge: MoveJudge, a: int, b: int, points: Points | None = None) -> Route:
    """Find the cheapest way from a location to another.

    Parameters
    ----------
    judge : MoveJudge
        Of the map as it is.
    a, b : int
        Numbers of locations.
    points : int, Fraction or str, optional
        Most points that it may cost.

    Returns
    -------
    Route

    Raises
    ------
    ScenarioRuleError
        When the points are no whole number of halves.
    """
    limit = to_halves(points)
    found = search(judge.network, judge.starts(a), limit)
    if limit is not None and not _reached(judge, found, b):
        found = search(judge.network, judge.starts(a))
    return route_of(judge, found, a, b, limit)


def route_of(judge: MoveJudge, found: Search, a: int, b: int, limit: int | None = None) -> Route:
    """Return the route of a search that began at a location, within a limit of half points.

    Parameters
    ----------
    judge : MoveJudge
    found : Search
        From ``judge.starts(a)``, without a limit, or with one that reaches.
    a, b : int
        Numbers of locations.
    limit : int, optional
        Most half points.
    """
    points = None if limit is None else Fraction(limit, 2)
    node = _reached(judge, found, b)
    if node is None:
        legs, miss = _barred(judge, found, a, b)
        return Route(judge, (a, b), legs, points, miss=miss)
    path = found.path(node)
    if limit is not None and found.costs[node] > limit:
        direct = _one_step(judge, a, b)
        if direct is not None:
            return Route(judge, (a, b), _legs(judge, direct), points, allowance=judge.first_step)
        legs = _legs(judge, path)
        return Route(judge, (a, b), legs, points, miss=_too_far(judge, a, legs, limit))
    return Route(judge, (a, b), _legs(judge, path), points)


def _reached(judge: MoveJudge, found: Search, number: int) -> int | None:
    """Return the cheapest node of a location, the lowest of several; None where none is reached."""
    nodes = [node for node in judge.nodes(number) if found.costs[node] >= 0]
    return min(nodes, key=lambda node: int(found.costs[node]), default=None)


def _one_step(judge: MoveJudge, a: int, b: int) -> list[int] | None:
    """Return the one step that a unit may always take, where the end is next to the start."""
    if not judge.first_step:
        return None
    pairs = [(begin, end) for begin in judge.starts(a) for end in judge.nodes(b)]
    allowed = [(cost, list(pair)) for pair in pairs if (cost := judge.network.cost(*pair)) is not None]
    return min(allowed)[1] if allowed else None


def _legs(judge: MoveJudge, path: list[int]) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    total = 0
    for a, b in itertools.pairwise(path):
        step = judge.step(a, b)
        total += step.halves or 0
        legs.append(Leg(step, total, judge.state_of(b)))
    return tuple(legs)


def _too_far(judge: MoveJudge, a: int, legs: tuple[Leg, ...], limit: int) -> Miss:
    inside = [leg for leg in legs if leg.total <= limit]
    at = inside[-1].step.b if inside else judge.survey.directory.label(a)
    beyond = legs[len(inside)].step
    total = legs[-1].total
    text = (
        f"{points_text(total - limit, judge.unit)} short: the cheapest way costs {points_text(total, judge.unit)}; "
        f"{points_text(limit, judge.unit)} lead to {at}"
    )
    return Miss(at, beyond, total - limit, text)


def _barred(judge: MoveJudge, found: Search, a: int, b: int) -> tuple[tuple[Leg, ...], Miss]:
    """Say what bars the way: the first barrier of the way with the fewest of them."""
    path = fewest_barriers(judge, a, b)
    if path is None:
        at, text = cut_off(judge, found, a, b)
        return (), Miss(at, None, None, text)
    barred = [judge.network.cost(*pair) is None for pair in itertools.pairwise(path)]
    first = barred.index(True)
    step = judge.step(path[first], path[first + 1])
    barrier = step.barrier
    why = named(barrier) if barrier is not None else f"no step leads on to {step.b}"
    more = sum(barred) - 1
    text = f"stopped at {step.a}: {why}" + (f" (and {more} more barrier{'s' * (more > 1)} beyond)" if more else "")
    return _legs(judge, path[: first + 1]), Miss(step.a, step, None, text)
