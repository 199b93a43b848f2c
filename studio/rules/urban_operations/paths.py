"""Movement in Urban Operations (7.2.2, 8.1): the links of every location, explained one by one and all at once."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from studio.errors import GridError
from studio.paths import FORBIDDEN, NEVER, CostPart, HexTable, MoveJudge, MoveState, Network, Step, read_state
from studio.paths.points import points_text
from studio.paths.state import check_mover
from studio.rules import get_ruleset
from studio.rules.urban_operations import steps
from studio.rules.urban_operations.command import chain_of_command, effect_reach
from studio.rules.urban_operations.scene import HEX, Scene
from studio.rules.urban_operations.ways import Ways
from studio.sight import Conditions
from studio.survey import Survey

__all__ = ["STATE", "Judge", "UrbanState", "chain_of_command", "effect_reach", "entries", "judge"]


class UrbanState(MoveState, frozen=True, kw_only=True):
    """Who stands where in Urban Operations, and what the block that moves has with it.

    Parameters
    ----------
    friends : frozenset of int
        Numbers of the locations with a friendly block: it is passed through, and no move ends there (8.1.1).
    vehicles : frozenset of int
        Those with a friendly vehicle of another kind than the next ones: blocks get over outer walls by it (8.1.6).
    trucks : frozenset of int
        Those with a friendly truck, APC or MBT: by it onto roofs as well (8.1.7).
    ladders : frozenset of int
        Those with a friendly block that has a ladder: by it over walls and onto roofs.
    barricades : frozenset of int
        Those with a barricade block, beside the barricade markers of the map.
    opened : frozenset of str
        Ids of the breaches that have been made, beside those that are open on the map.
    ladder : bool
        The block that moves has a ladder.
    enhanced : bool
        It moves at the pace of 8.1.14: out of the sight of all `enemies`, from its start on.
    night : bool
        There is no enhanced movement.
    """

    friends: frozenset[int] = frozenset()
    vehicles: frozenset[int] = frozenset()
    trucks: frozenset[int] = frozenset()
    ladders: frozenset[int] = frozenset()
    barricades: frozenset[int] = frozenset()
    opened: frozenset[str] = frozenset()
    ladder: bool = False
    enhanced: bool = False
    night: bool = False


STATE = UrbanState


def judge(
    survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> Judge:
    """Return a judge of movement for the map as it is now.

    Parameters
    ----------
    survey : Survey
    mover : str
        ``foot`` or ``vehicle``.
    options : mapping, optional
        Readings to use instead of the defaults.
    state : UrbanState, optional

    Raises
    ------
    UnknownNameError
        When the game has no such mover or option, or the map no such breach.
    ScenarioRuleError
        When an option cannot have such a value, or the state is of another game.
    GridError
        When enhanced movement is asked for at night.
    """
    return Judge(survey, mover, options, state)


def entries(
    survey: Survey, mover: str, *, options: Mapping[str, Any] | None = None, state: MoveState | None = None
) -> list[Step]:
    """Return what it costs to enter the map in each hex at its edge, or what forbids it (8.1).

    Parameters
    ----------
    survey : Survey
    mover, options, state
        As of :func:`judge`.

    Raises
    ------
    UnknownNameError, ScenarioRuleError
        As of :func:`judge`.
    """
    return Judge(survey, mover, options, state).entries()


class Judge(MoveJudge):
    """Movement of one kind of block on one state of a map; see :func:`judge`."""

    def __init__(
        self, survey: Survey, mover: str, options: Mapping[str, Any] | None = None, state: MoveState | None = None
    ) -> None:
        super().__init__(survey, mover)
        self.ruleset = get_ruleset("urban_operations")
        check_mover(mover, self.ruleset.movers, self.ruleset.title)
        self.state = cast(UrbanState, read_state(survey.directory, UrbanState, state))
        if self.state.enhanced and self.state.night:
            msg = "enhanced movement is not possible at night (8.1.14); leave out `enhanced` or `night`"
            raise GridError(msg)
        self.options = self.ruleset.options(options)
        self.figures = self.ruleset.catalogue.modifiers
        self.scene = Scene(survey, self.options, Conditions(opened=self.state.opened))
        self.ways = Ways(self.scene)

    # -- one step --------------------------------------------------------------------------------------------------

    def step(self, a: int, b: int) -> Step:
        """Return the explained cost of a step from a location to one next to it.

        Raises
        ------
        GridError
            When no way leads from the one to the other.
        """
        label = self.scene.label
        offered = list(steps.offers(self, a, b))
        if not offered:
            msg = (
                f"{label(a)} and {label(b)} are not adjacent: no hexside, opening, partition, stairs or link joins them"
            )
            raise GridError(msg)
        allowed = [part for part in offered if part.halves is not None]
        chosen = min(allowed, key=lambda part: part.halves or 0, default=None)
        parts = offered if chosen is None else [steps.near_barricades(self, a, b, chosen)]
        return Step(label(a), label(b), self.mover, (*parts, *steps.closed(self, a, b), *steps.notes(self, b)))

    def entry(self, number: int) -> Step:
        """Return the explained cost of entering the map in a hex (8.1): the move begins when the block enters it.

        Raises
        ------
        GridError
            When the location is no hex.
        """
        name = self.scene.label(number)
        if number >= self.scene.grid.cells:
            msg = f"{name} is no hex: blocks enter the map in hexes"
            raise GridError(msg)
        terrain = self.ruleset.terrain(self.scene.model.terrain_at(number))
        cost = self.ruleset.move_cost(self.scene.model.terrain_at(number), self.mover)
        part = CostPart("8.1", cost or 0, f"{name}: {terrain.name.lower()}, into the map")
        part = steps.near_barricades(self, number, number, part)
        closed = steps.closed(self, number, number)
        return Step("off the map", name, self.mover, (part, *closed, *steps.notes(self, number)))

    def entries(self) -> list[Step]:
        """Return what it costs to enter the map in each hex at its edge, or what forbids it (8.1)."""
        scene = self.scene
        hexes = np.flatnonzero((scene.kind[: scene.grid.cells] == HEX) & ~scene.under[: scene.grid.cells]).tolist()
        return [self.entry(cell) for cell in hexes if len(scene.grid.neighbours(cell)) < 6]

    def are_beside(self, a: int, b: int) -> bool:
        """Tell whether two locations are hexes with a common side, both above the ground or both below it."""
        cells, scene = self.scene.grid.cells, self.scene
        if not (0 <= a < cells and 0 <= b < cells) or scene.kind[a] != HEX or scene.kind[b] != HEX:
            return False
        return bool(scene.under[a] == scene.under[b]) and scene.grid.direction(a, b) is not None

    def paid(self, rule: str, figure: str, text: str) -> CostPart:
        """Return a part of so many points as a figure of the game says."""
        return CostPart(rule, 2 * int(self.figures[figure]), text)

    # -- who and what is where -------------------------------------------------------------------------------------

    @cached_property
    def climbed_over(self) -> dict[int, str]:
        """Hexes with a friendly block by which others get over an outer wall, and what it is (8.1.6)."""
        return dict.fromkeys(sorted(self.state.vehicles), "vehicle") | self.climbed_to_roofs

    @cached_property
    def climbed_to_roofs(self) -> dict[int, str]:
        """Hexes with a friendly block by which others get onto a roof, and what it is (8.1.7)."""
        trucks = dict.fromkeys(sorted(self.state.trucks), "vehicle")
        return trucks | dict.fromkeys(sorted(self.state.ladders), "block with a ladder")

    @cached_property
    def _marked(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for kind in self.ruleset.marker_types:
            at = set(self.survey.cells_with_marker(kind))
            for number in sorted(at | (self.state.barricades if kind == "barricade" else frozenset())):
                found.setdefault(number, []).append(kind)
        return found

    def markers_at(self, number: int) -> list[str]:
        """Return the kinds of marker in a location."""
        return self._marked.get(number, [])

    @property
    def barricades(self) -> frozenset[int]:
        """Locations with a barricade."""
        return frozenset(number for number, kinds in self._marked.items() if "barricade" in kinds)

    @cached_property
    def around_barricades(self) -> dict[int, int]:
        """Locations next to a barricade, each with the barricade (5.2.2.5, ER6)."""
        return steps.around_barricades(self)

    @cached_property
    def seen(self) -> NDArray[np.bool_]:
        """Locations that an enemy sees; bool, shape (len(directory),)."""
        found = np.zeros(len(self.scene.directory), dtype=bool)
        if self.state.enemies:
            sight = self.ruleset.sight.judge(self.survey, self.options, self.scene.conditions)
            for enemy in sorted(self.state.enemies):
                found |= sight.field(enemy)[0] == 1
        return found

    # -- where a move ends, and how far it goes ----------------------------------------------------------------------

    def stop(self, node: int) -> CostPart | None:
        """Return what keeps a block from ending its move in a location, None when nothing does (5.1.1, 8.1.1)."""
        state = self.state
        if node not in state.friends | state.vehicles | state.trucks | state.ladders:
            return None
        return CostPart("8.1.1", None, f"{self.scene.label(node)}: a friendly block, to be passed through only")

    def allowances(self) -> dict[str, str]:
        """Return the points of an activation, as ``"6 MP"``, by what else the block does in it (7.2.2, 8.1.14)."""
        kinds = ("action", "plain") if self.state.night else ("action", "plain", "enhanced")
        return {kind: points_text(2 * int(self.figures[f"move_{self.mover}_{kind}"]), self.unit) for kind in kinds}

    # -- all steps -------------------------------------------------------------------------------------------------

    @cached_property
    def network(self) -> Network:
        """All nodes and links: open ground by arrays, all else step by step."""
        table = self._table
        network = Network.from_table(table.neighbours, self._costs, len(self.scene.directory))
        cells = self.scene.grid.cells
        links = [
            (a, b, _cost_of(self.step(a, b)))
            for a, others in self.ways.all.items()
            for b in others
            if not (a < cells and b < cells and self.are_beside(a, b))
        ]
        return network.with_links(links) if links else network

    @cached_property
    def _table(self) -> HexTable:
        table = HexTable(self.survey)
        # A hex below the ground that is drawn beside one above it is not next to it.
        under = self.scene.under[: self.scene.grid.cells]
        apart = under[table.neighbours] != under[:, None]
        table.neighbours = np.where(apart, np.int32(-1), table.neighbours)
        return table

    @property
    def _costs(self) -> NDArray[np.int32]:
        """Half points of all links from hex to hex; int32, shape (cells, 6)."""
        table, scene = self._table, self.scene
        ids = scene.model.terrain_ids
        known = [self.ruleset.move_cost(name, self.mover) for name in ids]
        entry = np.array([NEVER if cost is None else cost for cost in known], dtype=np.int64)
        per_cell = entry[scene.model.terrain.ravel()]
        clear = self.ways.gaps.clear.copy()
        # Where anything is said of a hex beyond its terrain, its links are judged one by one.
        said = {*self._marked, *self.state.enemies, *self.state.blocked, *self.around_barricades}
        clear[[number for number in said if number < scene.grid.cells]] = False
        if self.state.enhanced:
            clear &= ~(self.seen | scene.under)[: scene.grid.cells]
        for a, others in self.ways.all.items():
            if a < scene.grid.cells and any(b < scene.grid.cells for b in others):
                clear[a] = False
        costs = table.finish(table.entered(per_cell))
        exact = (table.neighbours >= 0) & ~(clear[:, None] & clear[table.neighbours])
        for a, direction in np.argwhere(exact).tolist():
            costs[a, direction] = _cost_of(self.step(a, int(table.neighbours[a, direction])))
        return costs


def _cost_of(step: Step) -> int:
    return FORBIDDEN if step.halves is None else step.halves
