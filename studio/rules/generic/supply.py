"""Supply by the ``[supply]`` table of a ruleset: where lines can run on a map, what stops them, where they end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.model import Area
from studio.paths import CostPart, MoveState, Network, Step
from studio.paths.supply import SupplyGround, SupplyNet, SupplyRule
from studio.rules.generic.paths import GenericMoves
from studio.rules.generic.supply_settings import NO_LIMIT, PREFIX, SURFACES
from studio.survey.countries import hexes_in

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset
    from studio.rules.situation import Situation
    from studio.survey import Survey

__all__ = ["AcrossCountry", "TableSupply"]


class AcrossCountry(GenericMoves):
    """The part of a supply line off road: what movement costs where no road helps, bridges excepted.

    Parameters
    ----------
    ruleset : Ruleset
    survey : Survey
    mover : str
        Whose costs count; empty for one point a hex.
    hexsides : bool
        Whether hexsides cost what they cost the mover.
    """

    def __init__(self, ruleset: Ruleset, survey: Survey, mover: str, *, hexsides: bool) -> None:
        super().__init__(ruleset, survey, mover or next(iter(ruleset.movers)), MoveState())
        self.road, self.hexsides, self.by_hexes = None, hexsides, not mover

    def _sides(self, a: int, b: int) -> Iterator[CostPart]:
        for part in super()._sides(a, b):
            if part.halves is None or self.hexsides:
                yield part

    def _crossing(self, kinds: tuple[str, ...], along_road: bool) -> int | None:
        cost = super()._crossing(kinds, along_road)
        return cost if cost is None or self.hexsides else 0


class TableSupply:
    """The supply rule of a game, as its table says; games with more to say override parts of it.

    Parameters
    ----------
    ruleset : Ruleset
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.table: Mapping[str, Any] = ruleset.catalogue.supply
        self.section: str = self.table.get("section", "supply")

    # -- the map ---------------------------------------------------------------------------------------------------

    def rule(self, options: Mapping[str, Any]) -> SupplyRule:
        """Return how far lines may run, with some options in force."""
        most = options[PREFIX + "off_road"]
        return SupplyRule(
            off_road=None if most >= NO_LIMIT else 2 * most,
            road_needed=options[PREFIX + "road_needed"],
            road_hexes=options[PREFIX + "road_hexes"],
        )

    def across(self, survey: Survey, options: Mapping[str, Any]) -> Network:
        """Return the links off road, in the direction of a line."""
        hexes = survey.grid.cells
        mover = self.table.get("mover", "")
        if not mover:
            from studio.paths import HexTable

            neighbours = HexTable(survey).neighbours
            return Network.from_table(neighbours, np.where(neighbours >= 0, np.int32(2), np.int32(-1)))
        found = self.moves(survey, options).network
        # Locations that are no hexes have no place in a supply line.
        return Network(found.indptr[: hexes + 1], found.ends[: found.indptr[hexes]], found.costs[: found.indptr[hexes]])

    def moves(self, survey: Survey, options: Mapping[str, Any]) -> AcrossCountry:
        """Return what explains the steps off road."""
        counts = options[PREFIX + "hexsides"] == "counts"
        return AcrossCountry(self.ruleset, survey, self.table.get("mover", ""), hexsides=counts)

    def step(self, survey: Survey, options: Mapping[str, Any], a: int, b: int) -> Step:
        """Return the explained cost of a step off road.

        Raises
        ------
        GridError
            When the two hexes are not adjacent.
        """
        if self.table.get("mover", ""):
            return self.moves(survey, options).step(a, b)
        label = survey.model.labels.label
        return Step(label(a), label(b), "", (CostPart(self.section, 2, f"{label(b)}: a hex"),))

    def roads(self, survey: Survey) -> list[tuple[int, int]]:
        """Return the pairs of hexes that a road of the right surface joins."""
        kinds = set(self.table.get("roads", SURFACES))
        exists = survey.directory.exists
        return [
            side for side, surfaces in survey.roads.items() if kinds & set(surfaces) and all(exists(c) for c in side)
        ]

    def net(self, survey: Survey, options: Mapping[str, Any], out_of_play: frozenset[int] = frozenset()) -> SupplyNet:
        """Return where lines can run on a map: nowhere outside the part in play."""
        across, roads = self.across(survey, options), self.roads(survey)
        if out_of_play:
            across = across.closed(into=out_of_play)
            roads = [side for side in roads if not out_of_play.intersection(side)]
        return SupplyNet(across, roads, self.rule(options))

    # -- the situation ---------------------------------------------------------------------------------------------

    def ground(self, situation: Situation, side: str, options: Mapping[str, Any]) -> SupplyGround:
        """Return what stops the lines of a side, and where they can end.

        Parameters
        ----------
        situation : Situation
        side : str
        options : mapping
            All options in force.
        """
        return SupplyGround(self.closed(situation, side, options), self.sources(situation, side, options))

    def closed(self, situation: Situation, side: str, options: Mapping[str, Any]) -> dict[int, str]:
        """Return the hexes that no line of a side may run into, with the cause."""
        by = options[PREFIX + "blocked_by"]
        closed: dict[int, str] = {}
        if by == "nothing":
            return closed
        enemies = situation.enemies(side)
        if by != "units":
            held = situation.garrisons(side) if by == "neighbours_unless_held" else set()
            for cell in enemies:
                for other in situation.survey.grid.neighbours(cell):
                    if other not in held:
                        closed.setdefault(other, f"an enemy unit next to it, at {situation.called(cell)}")
        return {**closed, **dict.fromkeys(enemies, "an enemy unit")}

    def candidates(self, survey: Survey) -> set[int]:
        """Return the hexes that are sources of some side, by their terrain, a marker or an area."""
        named: Mapping[str, list[str]] = self.table["sources"]
        model = survey.model
        codes = [model.terrain_ids.index(name) for name in named.get("terrain", ()) if name in model.terrain_ids]
        found = set(np.flatnonzero(np.isin(model.terrain.ravel(), codes)).tolist()) if codes else set()
        for kind in named.get("markers", ()):
            found.update(cell for cell in survey.cells_with_marker(kind) if cell < survey.grid.cells)
        areas = [area for area in survey.features_of(Area) if area.type in named.get("areas", ())]
        if areas:
            found.update(np.flatnonzero(hexes_in(survey, areas)).tolist())
        return {cell for cell in found if survey.directory.exists(cell)}

    def sources(self, situation: Situation, side: str, options: Mapping[str, Any]) -> dict[int, str]:
        """Return the hexes that can be sources of a side, with why they do not work now."""
        cells = self.candidates(situation.survey) - situation.out_of_play
        if options[PREFIX + "home_only"]:
            home = situation.home(side)
            cells = {cell for cell in cells if home[cell]}
        return {cell: self.fault_of(situation, side, cell, options) for cell in sorted(cells)}

    def fault_of(self, situation: Situation, side: str, cell: int, options: Mapping[str, Any]) -> str:
        """Return why a source does not work for a side, in words that follow its name; empty where it works."""
        owner = situation.owner_name(cell)
        needs_control = options[PREFIX + "source_control"] == "held" or owner != "nobody"
        if needs_control and not situation.controls(side, cell):
            return f"is controlled by {owner}"
        if cell in situation.unrestored:
            return "was retaken and does not supply again yet"
        return ""

    def always(self, kind: Any) -> str:
        """Return why a unit is in supply wherever it is; empty where it has to trace a line."""
        return f"always in supply ({self.section})" if getattr(kind, "always_supplied", False) else ""

    def no_source(self, situation: Situation, side: str) -> str:
        """Return what is said where the map has no source of a side at all."""
        return f"no source: the map has none for {situation.sides[side]}"
