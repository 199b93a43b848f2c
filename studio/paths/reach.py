"""What a mover can reach from a location, and for how many points."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.paths.barriers import about_start
from studio.paths.points import Points, points_text, to_halves
from studio.paths.protocol import MoveJudge
from studio.paths.route import Route, _number, make_route, route_of
from studio.paths.search import Search, search
from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

__all__ = ["Reach", "make_reach"]


class Reach:
    """Where a mover can go from a location.

    Attributes
    ----------
    start : str
        Label.
    mover : str
    points : Fraction or None
        Most points, None for no limit.
    halves : array of int64, shape (len(directory),)
        Half points to each location by number, -1 where it cannot go.
    by_allowance : array of bool, shape (len(directory),)
        Locations next to the start that cost more than the points, and may be entered all the same.
    warning : str
        What is odd about the start: the mover cannot be there, or never moves; empty for nothing.
    revision : int
        State of the survey that it was made from.
    """

    def __init__(self, judge: MoveJudge, number: int, limit: int | None, found: Search) -> None:
        self.judge, self.mover, self.unit, self.number = judge, judge.mover, judge.unit, number
        self.directory, self.revision = judge.survey.directory, judge.revision
        self.start = self.directory.label(number)
        self.points = None if limit is None else Fraction(limit, 2)
        self.warning = about_start(judge, number)
        self._found, self._limit = found, limit
        costs = found.costs.reshape(-1, len(judge.states))
        never = np.iinfo(np.int64).max
        cheapest = np.where(costs < 0, never, costs).min(axis=1)
        self.halves: NDArray[np.int64] = np.where(cheapest == never, -1, cheapest)
        self.by_allowance: NDArray[np.bool_] = np.zeros(len(self.halves), dtype=bool)
        if judge.first_step and limit is not None:
            self._allow_first_steps()

    def _allow_first_steps(self) -> None:
        network = self.judge.network
        for node in self.judge.starts(self.number):
            row = network.row(node)
            for end, cost in zip(network.ends[row].tolist(), network.costs[row].tolist(), strict=True):
                number = self.judge.number(end)
                known = int(self.halves[number])
                if cost >= 0 and number != self.number and (known < 0 or (self.by_allowance[number] and cost < known)):
                    self.halves[number] = cost
                    self.by_allowance[number] = True

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """Numbers of the locations that are reached, in order."""
        return np.flatnonzero(self.halves >= 0)

    @property
    def labels(self) -> list[str]:
        """Labels of the locations that are reached, in the order of their numbers."""
        return [self.directory.label(number) for number in self.numbers.tolist()]

    @property
    def costs(self) -> dict[str, Fraction]:
        """Points to every location that is reached, by label."""
        halves = self.halves[self.numbers].tolist()
        return {label: Fraction(half, 2) for label, half in zip(self.labels, halves, strict=True)}

    @cached_property
    def passed(self) -> list[str]:
        """Labels of the locations that are reached, but passed only: no move ends there (stacking, say)."""
        judge = self.judge
        if type(judge).stop is MoveJudge.stop:
            return []
        found = self._found.costs
        return [
            self.directory.label(number)
            for number in self.numbers.tolist()
            if number != self.number
            and all(judge.stop(node) is not None for node in judge.nodes(number) if found[node] >= 0)
        ]

    @property
    def ends(self) -> list[str]:
        """Labels of the locations where the move can end, in the order of their numbers."""
        passed = set(self.passed)
        return [label for label in self.labels if label not in passed]

    def cost(self, label: str) -> Fraction | None:
        """Return the points to a location, None where the mover cannot go.

        Raises
        ------
        LabelError
            When the map has no such location.
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "map.reach(...)")
        halves = int(self.halves[self.directory.number(label)])
        return None if halves < 0 else Fraction(halves, 2)

    def route(self, label: str) -> Route:
        """Return the explained way to a location, or what stands in it.

        Raises
        ------
        LabelError
            When the map has no such location.
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "map.reach(...)")
        number = self.directory.number(label)
        if self.halves[number] < 0 or self.by_allowance[number]:
            return make_route(self.judge, self.number, number, self.points)
        return route_of(self.judge, self._found, self.number, number, self._limit)

    def to_dict(self) -> dict[str, Any]:
        """Return the reach as plain data for JSON.

        Returns
        -------
        dict
            ``from``, ``mover``, ``points`` (or None), ``costs`` (points by label), ``allowed`` (labels of those that
            cost more and may be entered all the same), ``rule`` (by which they may) and, where there are some,
            ``passed`` (labels of those where no move ends) and ``warning``.
        """
        allowed = [self.directory.label(number) for number in np.flatnonzero(self.by_allowance).tolist()]
        halves = self.halves[self.numbers].tolist()
        return {
            "from": self.start,
            "mover": self.mover,
            "points": None if self._limit is None else _number(self._limit),
            "costs": {label: _number(half) for label, half in zip(self.labels, halves, strict=True)},
            "allowed": allowed,
            "rule": self.judge.first_step if allowed else "",
            **({"passed": self.passed} if self.passed else {}),
            **({"warning": self.warning} if self.warning else {}),
        }

    def to_frame(self) -> GeoDataFrame:
        """Return the locations that are reached as a GeoDataFrame, indexed by label: cost, allowance, kind, outline.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.directory, self.revision, "map.reach(...)")
        frame = self.directory.survey.locations()[["kind", "geometry"]].loc[self.labels].copy()
        frame.insert(0, "cost", self.halves[self.numbers] / 2)
        frame.insert(1, "allowance", self.by_allowance[self.numbers])
        return frame

    @property
    def text(self) -> str:
        """The answer in one line: how many locations are reached, and in how many of them a move can end."""
        total = len(self.directory.numbers)
        noun = "locations" if self.directory.others else "hexes"
        within = "" if self._limit is None else f" for {points_text(self._limit, self.unit)}"
        ends = f", {len(self.ends)} where a move can end" if self.passed else ""
        return f"{self.start} ({self.mover}), {len(self.numbers)} of {total} {noun}{within}{ends}"

    def __str__(self) -> str:
        return "\n".join([self.text, *self._lines()])

    def _lines(self) -> Iterator[str]:
        if self.warning:
            yield f"  warning: {self.warning}"
        by_cost: dict[int, list[str]] = {}
        for number, label in zip(self.numbers.tolist(), self.labels, strict=True):
            if not self.by_allowance[number]:
                by_cost.setdefault(int(self.halves[number]), []).append(label)
        yield from (f"  {points_text(cost, self.unit)}: {' '.join(by_cost[cost])}" for cost in sorted(by_cost))
        allowed = self.to_dict()["allowed"]
        if allowed:
            yield f"  by {self.judge.first_step}: {' '.join(allowed)}"
        if self.passed:
            yield f"  passed only: {' '.join(self.passed)}"

    def __repr__(self) -> str:
        return f"Reach({self.text})" + (f"\nwarning: {self.warning}" if self.warning else "")

    def _repr_html_(self) -> str:
        from html import escape

        halves, counts = np.unique(self.halves[self.numbers], return_counts=True)
        rows = "".join(
            f"<tr><td>{points_text(half, self.unit)}</td><td>{count}</td></tr>"
            for half, count in zip(halves.tolist(), counts.tolist(), strict=True)
        )
        warning = f"<p>warning: {escape(self.warning)}</p>" if self.warning else ""
        return (
            f"<b>Reach({escape(self.text)})</b>{warning}<table><tr><th>cost</th><th>locations</th></tr>{rows}</table>"
        )


def make_reach(judge: MoveJudge, number: int, points: Points | None = None) -> Reach:
    """Find all that a mover can reach.

    Parameters
    ----------
    judge : MoveJudge
        Of the map as it is.
    number : int
        Of the location that it starts from.
    points : int, Fraction or str, optional
        Most points.

    Raises
    ------
    ScenarioRuleError
        When the points are no whole number of halves.
    """
    limit = to_halves(points)
    return Reach(judge, number, limit, search(judge.network, judge.starts(number), limit))
