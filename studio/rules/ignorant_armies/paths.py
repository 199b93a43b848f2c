"""Operational movement in Ignorant Armies (11.0, 5.3): a step's cost, part by part; figures stand in terrain.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import ScenarioRuleError, nearest
from studio.paths import NEVER, CostPart, HexTable, MoveState, Network
from studio.rules import get_ruleset
from studio.rules.generic.paths import GenericMoves
from studio.rules.ignorant_armies.countries import IRAN, IRAQ, KUWAIT, border_hexes, country, enemy_of, kurdish_area
from studio.survey import Survey

__all__ = ["STATE", "IgnorantArmiesMoves", "IgnorantArmiesState", "judge", "landing_hexes"]


class IgnorantArmiesState(MoveState, frozen=True, kw_only=True):
    """What holds for movement in Ignorant Armies; the rest is as of :class:`MoveState`.

    Parameters
    ----------
    country : {"", "Iraq", "Iran"}
        The side that moves; empty where it does not matter.
    turn : int
        Game turn, for the limits of the first one (5.3); 0 for any later one.
    hostile : frozenset of int
        Road hexes that were not friendly at the start of the phase (11.19).
    """

    country: str = ""
    turn: int = 0
    hostile: frozenset[int] = frozenset()


STATE = IgnorantArmiesState


def judge(
    survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> IgnorantArmiesMoves:
    """Return the judge of movement for the map as it is now.

    Raises
    ------
    UnknownNameError
        When the game has no such mover or option.
    ScenarioRuleError
        When an option cannot have such a value, or the state is of another game or of no country of this one.
    """
    state = IgnorantArmiesState() if state is None else state
    if not isinstance(state, IgnorantArmiesState):
        msg = f"state: got a {type(state).__name__}, allowed: an IgnorantArmiesState"
        raise ScenarioRuleError(msg)
    if state.country not in ("", IRAQ, IRAN):
        msg = f"state: country: got {state.country!r}; {nearest(state.country, [IRAQ, IRAN])}"
        raise ScenarioRuleError(msg)
    return IgnorantArmiesMoves(survey, mover, options, state)


class IgnorantArmiesMoves(GenericMoves):
    """Operational movement of one kind of unit."""

    state: IgnorantArmiesState

    def __init__(
        self, survey: Survey, mover: str, options: Mapping[str, Any] | None, state: IgnorantArmiesState
    ) -> None:
        ruleset = get_ruleset("ignorant_armies")
        super().__init__(ruleset, survey, mover, state)
        self.road_friendly: str = ruleset.options(options)["road_friendly"]
        self.first_step = "11.3"

    # -- one step --------------------------------------------------------------------------------------------------

    def _ground(self, a: int, b: int) -> Iterator[CostPart]:
        name, terrain = self.survey.model.labels.label(b), self.ruleset.terrain(self.survey.model.terrain_at(b))
        cost = self.ruleset.move_cost(self.survey.model.terrain_at(b), self.mover)
        if self.mover == "garrison":
            yield CostPart("11.1", None, f"{name}: the Baghdad Garrison never moves")
        elif cost is None:
            yield CostPart(terrain.section, None, f"{name} {terrain.name.lower()}: closed to ground units")
        elif not self.survey.road_across(a, b):
            yield CostPart(terrain.section, cost, f"{name} {terrain.name.lower()}")
        elif enemy_held := self._not_friendly(a, b):
            label = self.survey.model.labels.label(enemy_held[0])
            text = f"{name} {terrain.name.lower()}: no road rate, {label} was not friendly at the start of the phase"
            yield CostPart(f"{terrain.section}, 11.19", cost, text)
        else:
            yield CostPart("11.19", self.road, f"{name}: along the road")

    def _not_friendly(self, a: int, b: int) -> list[int]:
        """Return those hexes of a step that keep it from the road rate."""
        asked = (b,) if self.road_friendly == "entered" else (a, b)
        return [cell for cell in asked if cell in self.state.hostile]

    def _sides(self, a: int, b: int) -> Iterator[CostPart]:
        bridged = self.survey.road_across(a, b)
        for kind in self.survey.side_kinds(a, b):
            cost = self.ruleset.cross_cost(kind, self.mover)
            side = self.ruleset.side_kinds[kind]
            if cost is None:
                yield CostPart(side.section, None, f"across an {side.name.lower()}")
            elif cost and not bridged:
                yield CostPart(side.section, cost, f"across the unbridged {side.name.lower()}")

    def _units(self, b: int) -> Iterator[CostPart]:
        label = self.survey.model.labels.label(b)
        if b in self.state.enemies:
            yield CostPart("11.7", None, f"{label}: an enemy unit is there")
        if b in self.state.blocked:
            yield CostPart("7.1", None, f"{label}: no room for one more unit")
        yield from (CostPart(rule, None, f"{label}: {why}") for rule, hexes, why in self.limits if hexes[b])

    # -- where units may not go ------------------------------------------------------------------------------------

    @cached_property
    def limits(self) -> list[tuple[str, NDArray[np.bool_], str]]:
        """Hexes that are closed whatever they cost: the rule, the hexes (bool, shape (cells,)), and why."""
        found = []
        if self.mover == "kurdish":
            outside = ~kurdish_area(self.survey)
            found.append(("11.21", outside, "outside the Kurdish active area"))
        if self.state.country == IRAQ:
            found.append(("3.8", country(self.survey, KUWAIT), "Iraqi units never enter Kuwait"))
        if self.state.turn == 1 and self.state.country:
            found += self._first_turn()
        return found

    def _first_turn(self) -> Iterator[tuple[str, NDArray[np.bool_], str]]:
        survey, enemy = self.survey, enemy_of(self.state.country)
        abroad = country(survey, enemy)
        beyond = abroad & ~border_hexes(survey, enemy)
        yield "5.3", beyond, f"on game turn 1 only the border hexes of {enemy} may be entered"
        if self.state.country == IRAQ:
            model = survey.model
            hard = [model.terrain_ids.index(name) for name in ("city", "mountains")]
            closed = abroad & np.isin(model.terrain.ravel(), hard)
            yield "5.3", closed, "on game turn 1 no Iraqi unit enters a city or mountain hex of Iran"
            if self.mover == "mountain_infantry":
                everywhere = np.ones(survey.grid.cells, dtype=bool)
                yield "5.3", everywhere, "on game turn 1 no Iraqi mountain infantry moves"

    # -- all of them -----------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> Network:
        """All nodes and links."""
        table, model = HexTable(self.survey), self.survey.model
        costs = [self.ruleset.move_cost(name, self.mover) for name in model.terrain_ids]
        worth = np.array([NEVER if cost is None else cost for cost in costs], dtype=np.int32)
        sums = table.entered(worth[model.terrain].ravel())
        flat, along = sums.ravel(), table.roads
        ends, begins = table.neighbours.ravel()[along], along // 6
        hostile = table.plane(self.state.hostile)
        kept = hostile[ends] | (hostile[begins] if self.road_friendly == "both" else False)
        quick = along[~kept & (flat[along] < NEVER)]
        flat[quick] = self.road or 0
        table.add_sides(sums, self._crossing)
        closed = table.plane(self.state.enemies | self.state.blocked)
        for _, hexes, _ in self.limits:
            closed |= hexes
        sums[table.entered(closed)] = NEVER
        return Network.from_table(table.neighbours, table.finish(sums, self.least or 0), len(self.survey.directory))

    def _crossing(self, kinds: tuple[str, ...], along_road: bool) -> int | None:
        costs = [self.ruleset.cross_cost(kind, self.mover) for kind in kinds]
        if None in costs:
            return None
        return 0 if along_road else sum(cost for cost in costs if cost is not None)


def landing_hexes(survey: Survey, first: str = "2633", last: str = "3435") -> list[int]:
    """Return the coast hexes where one Iranian marine brigade a turn may land (11.16).

    Parameters
    ----------
    survey : Survey
    first, last : str
        Labels of the first and the last hex of the Gulf coast that is open to landings.

    Returns
    -------
    list of int
        Cells of land next to the Gulf or to its islands out of play, outside Kuwait, in order.

    Raises
    ------
    LabelError
        When the map has no such hex.
    """
    labels, grid, model = survey.model.labels, survey.grid, survey.model
    ends = [labels.cell(name) for name in (first, last)]
    low, high = sorted(cell % grid.columns for cell in ends)
    closed, gulf = country(survey, KUWAIT), _gulf(survey, ends)

    def is_land(cell: int) -> bool:
        return get_ruleset("ignorant_armies").move_cost(model.terrain_at(cell), "marines") is not None

    return [
        cell
        for cell in range(grid.cells)
        if low <= cell % grid.columns <= high
        and survey.directory.exists(cell)
        and is_land(cell)
        and not closed[cell]
        and not gulf.isdisjoint(grid.neighbours(cell))
    ]


def _gulf(survey: Survey, coast: list[int]) -> set[int]:
    """Return the sea before some hexes of its coast, with the islands in it that are out of play (11.17).

    The first hex of 11.16, 2633, has no other sea before it than the islands of 2634.
    """
    terrain, near = survey.model.terrain_at, survey.grid.neighbours

    def is_gulf(cell: int) -> bool:
        island = terrain(cell) == "out_of_play"
        return terrain(cell) == "sea" or (island and any(terrain(other) == "sea" for other in near(cell)))

    found: set[int] = set()
    open_ = [other for cell in coast for other in near(cell) if is_gulf(other)]
    while open_:
        cell = open_.pop()
        if cell not in found:
            found.add(cell)
            open_ += [other for other in near(cell) if is_gulf(other)]
    return found
