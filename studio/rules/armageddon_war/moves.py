"""Movement in Armageddon War (3.0, 5.43, 5.7): the cost of a step, part by part; figures stand in terrain.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from studio.errors import GridError, ScenarioRuleError
from studio.paths import CostPart, MoveJudge, MoveState, Network, Step
from studio.paths.state import check_mover
from studio.rules import get_ruleset, halves
from studio.rules.armageddon_war import links
from studio.survey import Survey

__all__ = ["STATE", "ArmageddonMoves", "ArmageddonState", "judge", "step"]

BEFORE, FLANK, AFTER = 0, 1, 2
"""A unit that has not moved at flank speed yet, one that does, and one that does no more (3.0: once, in one go)."""

IN_ONE_GO = {(BEFORE, BEFORE), (BEFORE, FLANK), (FLANK, FLANK), (FLANK, AFTER), (AFTER, AFTER)}
"""From which to which of them a step can lead."""


class ArmageddonState(MoveState, frozen=True, kw_only=True):
    """What holds for movement in Armageddon War; the rest is as of :class:`MoveState`.

    Parameters
    ----------
    flank : bool
        The unit may move at flank speed (3.0).
    shaken : frozenset of int
        Those of the enemies that are Shaken: they do not hinder flank moves.
    civilians : frozenset of int
        Locations with Civilians (5.7), beside the markers of the map.
    """

    flank: bool = False
    shaken: frozenset[int] = frozenset()
    civilians: frozenset[int] = frozenset()


STATE = ArmageddonState


def judge(
    survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> ArmageddonMoves:
    """Return the judge of movement for the map as it is now.

    Raises
    ------
    UnknownNameError
        When the game has no such mover or option.
    ScenarioRuleError
        When an option cannot have such a value, or the state is of another game.
    """
    state = ArmageddonState() if state is None else state
    if not isinstance(state, ArmageddonState):
        msg = f"state: got a {type(state).__name__}, allowed: an ArmageddonState"
        raise ScenarioRuleError(msg)
    return ArmageddonMoves(survey, mover, options, state)


def step(
    survey: Survey, a: int, b: int, mover: str, options: Mapping[str, Any] | None = None, *, flank: bool = False
) -> Step:
    """Return the explained cost of moving from a hex to an adjacent one.

    Parameters
    ----------
    survey : Survey
    a, b : int
        Cells.
    mover : str
        ``infantry``, ``wheeled``, ``tracked``, ``amphibious_wheeled`` or ``amphibious_tracked``.
    options : mapping, optional
    flank : bool
        At flank speed: one point less a hex, never below half a point.

    Raises
    ------
    GridError
        When the two hexes are not adjacent.
    UnknownNameError, ScenarioRuleError
        As for :func:`judge`.
    """
    return judge(survey, mover, options, ArmageddonState(flank=flank)).step(a, b)


class ArmageddonMoves(MoveJudge):
    """Movement of one kind of unit on one map.

    Without enemies that hinder it, a flank move goes on for the whole way, and there is one state. With some it is
    begun and ended on the way, and there are three.
    """

    first_step = "3.0 minimum move"

    def __init__(self, survey: Survey, mover: str, options: Mapping[str, Any] | None, state: ArmageddonState) -> None:
        super().__init__(survey, mover)
        self.ruleset = get_ruleset("armageddon_war")
        check_mover(mover, self.ruleset.movers, self.ruleset.title)
        self.options, self.state = self.ruleset.options(options), state
        self.hinderers = state.enemies - state.shaken
        self.in_parts = state.flank and bool(self.hinderers)
        if self.in_parts:
            self.states = ("", "flank speed", "no longer at flank speed")

    @cached_property
    def network(self) -> Network:
        """All nodes and links."""
        return links.network(self)

    @cached_property
    def near_enemy(self) -> frozenset[int]:
        """Hexes adjacent to an enemy that hinders flank moves, or with one."""
        near = set(self.hinderers)
        for enemy in self.hinderers:
            near.update(self.survey.grid.neighbours(enemy))
        return frozenset(near)

    def step(self, a: int, b: int) -> Step:
        """Return the explained cost of the link between two nodes, or what forbids it.

        Raises
        ------
        GridError
            When the two hexes are not adjacent.
        """
        here, there = self.number(a), self.number(b)
        flank = self.state.flank and (not self.in_parts or b % len(self.states) == FLANK)
        label = self.survey.model.labels.label
        if self.survey.grid.direction(here, there) is None:
            msg = f"{label(here)} and {label(there)} are not adjacent: a step leads to a neighbouring hex"
            raise GridError(msg)
        if self.in_parts and (a % len(self.states), b % len(self.states)) not in IN_ONE_GO:
            msg = f"{label(here)} to {label(there)}: flank speed is taken up and left once in a move, in this order"
            raise GridError(msg)
        parts = [*self._leaving(here, there), *self._ground(here, there), *self._climb(here, there)]
        parts += [*self._hexside(here, there), *self._markers(there), *self._units(here, there)]
        if flank:
            parts += self._flank(here, there)
        least = halves(self.ruleset.catalogue.movement.least) or 0
        return Step(label(here), label(there), self.mover, tuple(parts), least)

    # -- what a step meets -----------------------------------------------------------------------------------------

    def _is_wadi(self, cell: int) -> bool:
        return self.ruleset.terrain(self.survey.model.terrain_at(cell)).sight == "wadi"

    def _leaving(self, a: int, b: int) -> Iterator[CostPart]:
        """Yield what keeps a unit on the road where the ground is closed to it (3.0, X)."""
        survey = self.survey
        terrain = survey.model.terrain_at(a)
        if self.options["off_road_in_x"] == "may_leave" or terrain == "river" or survey.road_across(a, b):
            return
        if survey.has_road(a) and self.ruleset.move_cost(terrain, self.mover) is None:
            term = self.ruleset.terrain(terrain).name.lower()
            text = f"{survey.model.labels.label(a)} {term}: a unit can stay on the road only"
            yield CostPart("3.0 X", None, text)

    def _ground(self, a: int, b: int) -> Iterator[CostPart]:
        """Yield the cost of the ground entered: the road if there is one, else the terrain."""
        survey, ruleset = self.survey, self.ruleset
        road = halves(ruleset.catalogue.movement.road)
        name = survey.model.labels.label(b)
        terrain = survey.model.terrain_at(b)
        term = ruleset.terrain(terrain).name.lower()
        if survey.road_across(a, b):
            yield CostPart("3.0 road", road, f"{name}: along the road")
            return
        if self._is_wadi(a) != self._is_wadi(b) and "wadi_end" not in survey.side_kinds(a, b):
            yield CostPart("3.0 wadi", None, f"{name}: a wadi is entered and left at its ends only")
            return
        if terrain == "river" and survey.has_road(b):
            if survey.model.terrain_at(a) != "river":
                yield CostPart("3.0 river", road, f"{name}: onto the bridge, open to every adjacent land hex")
                return
            term = "water under the bridge"
        cost = ruleset.move_cost(terrain, self.mover)
        closed = "" if cost is not None else f": closed to {ruleset.movers[self.mover].name.lower()} units"
        yield CostPart("3.0", cost, f"{name} {term}{closed}")

    def _climb(self, a: int, b: int) -> Iterator[CostPart]:
        model = self.survey.model
        rise = model.level_at(b) - model.level_at(a)
        leaves_wadi = self._is_wadi(a) and not self._is_wadi(b)
        lines = max(rise, 1 if leaves_wadi else 0)
        if lines > 0:
            cost = lines * (halves(self.ruleset.catalogue.movement.elevation) or 0)
            why = "out of the wadi" if leaves_wadi and rise <= 0 else f"up {lines} level{'s' if lines > 1 else ''}"
            yield CostPart("3.0 elevation", cost, f"{model.labels.label(b)}: {why}")

    def _hexside(self, a: int, b: int) -> Iterator[CostPart]:
        for kind, cost in links.crossings(self, self.survey.side_kinds(a, b), self.survey.road_across(a, b)):
            side = self.ruleset.side_kinds[kind]
            yield CostPart(side.section, cost, f"across the {side.name.lower()}")

    def _markers(self, b: int) -> Iterator[CostPart]:
        found = set(self.survey.markers_at(b))
        if b in self.state.civilians:
            found.add("civilians")
        for kind in sorted(found):
            marker = self.ruleset.marker_types.get(kind)
            if marker is not None and marker.enter:
                text = f"{self.survey.model.labels.label(b)}: {marker.name.lower()}"
                yield CostPart(marker.section, 2 * marker.enter, text)

    def _units(self, a: int, b: int) -> Iterator[CostPart]:
        label = self.survey.model.labels.label
        if a in self.state.enemies:
            yield CostPart("3.04", None, f"{label(a)}: close combat with the enemy there ends the move")
        if b in self.state.blocked:
            yield CostPart("3.01", None, f"{label(b)}: full up to the stacking limit")

    def _flank(self, a: int, b: int) -> Iterator[CostPart]:
        label = self.survey.model.labels.label
        for cell, what in ((a, "left"), (b, "entered")):
            if cell in self.near_enemy:
                yield CostPart("3.0 flank move", None, f"{label(cell)} beside an enemy is not {what} at flank speed")
        yield CostPart("3.0 flank move", 2 * self.ruleset.catalogue.movement.flank, "flank speed: 1 less")
