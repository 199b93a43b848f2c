"""Supply in Ignorant Armies (12.0): what its table does not say, which is the cities, the water and Kuwait."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.model import Marker
from studio.rules.generic.supply import TableSupply
from studio.rules.ignorant_armies.countries import KUWAIT, country
from studio.rules.ignorant_armies.strategic import StrategicMoves

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset
    from studio.rules.situation import Situation
    from studio.survey import Survey

__all__ = ["IgnorantArmiesSupply", "supply"]


class IgnorantArmiesSupply(TableSupply):
    """Supply lines of the two sides."""

    def roads(self, survey: Survey) -> list[tuple[int, int]]:
        """Return the pairs of hexes that a road joins; none leads over all-water hexes or hexsides (12.5)."""
        return [side for side in super().roads(survey) if self._passable(survey, *side)]

    def _passable(self, survey: Survey, a: int, b: int) -> bool:
        sides = survey.side_kinds(a, b)
        terrain = (survey.model.terrain_at(cell) for cell in (a, b))
        return all(self.ruleset.cross_cost(kind, "ground") is not None for kind in sides) and all(
            self.ruleset.move_cost(name, "ground") is not None for name in terrain
        )

    def across(self, survey: Survey, options: Mapping[str, Any]) -> Any:
        """Return the links off road, in the direction of a line; all-water hexsides stay closed under a road (12.5)."""
        network = super().across(survey, options)
        water = [
            side
            for side, kinds in survey.model.sides.items()
            if any(self.ruleset.cross_cost(kind, "ground") is None for kind in kinds) and side in survey.roads
        ]
        return network.closed(between=[*water, *((b, a) for a, b in water)]) if water else network

    def closed(self, situation: Situation, side: str, options: Mapping[str, Any]) -> dict[int, str]:
        """Return the hexes that no line of a side may run into: enemies, their cities, perhaps Kuwait (12.5)."""
        survey = situation.survey
        city = survey.model.terrain.ravel() == survey.model.terrain_ids.index("city")
        held = situation.garrisons(side)
        cities = np.flatnonzero(city & situation.abroad(side)).tolist()
        closed = {cell: "an enemy city without a garrison (12.5)" for cell in cities if cell not in held}
        if not options["supply_in_kuwait"]:
            neutral = np.flatnonzero(country(survey, KUWAIT)).tolist()
            closed.update(dict.fromkeys(neutral, "the border of Kuwait (3.8)"))
        closed.update(super().closed(situation, side, options))
        return closed

    def fault_of(self, situation: Situation, side: str, cell: int, options: Mapping[str, Any]) -> str:
        """Return why a city does not supply its side (12.6); empty where it does."""
        fault = super().fault_of(situation, side, cell, options)
        if fault and cell in situation.unrestored and situation.controls(side, cell):
            return f"{fault}: the check of 12.6 was not passed"
        return fault

    def always(self, kind: Any) -> str:
        """Return why a unit need not trace a line (12.7); empty where it has to."""
        return "always in supply (12.7)" if getattr(kind, "always_supplied", False) else ""

    def no_source(self, situation: Situation, side: str) -> str:
        """Return what is said where a side has no city in its home country at all."""
        return f"no source: no city lies in the home country of {situation.sides[side]} (12.6)"

    def entries(self, situation: Situation, side: str) -> list[int]:
        """Return the towns and cities where a side's units may enter if they are in supply (8.2, 12.2).

        Returns
        -------
        list of int
            Cells that the side controls in its home country, in order.
        """
        survey = situation.survey
        towns = {survey.model.labels.cell(marker.at) for marker in survey.features_of(Marker) if marker.type == "town"}
        places = towns | self.candidates(survey)
        home, owned = situation.home(side), situation.owned(side)
        return sorted(cell for cell in places if home[cell] and owned[cell])

    def strategic(
        self, situation: Situation, side: str, options: Mapping[str, Any], turn: int, most: int | None = None
    ) -> StrategicMoves:
        """Return the strategic movement of a side (9.0), of `most` units a turn where the scenario says so."""
        return StrategicMoves(situation, side, options, turn, most)


def supply(ruleset: Ruleset) -> IgnorantArmiesSupply:
    """Return what knows the supply of the game."""
    return IgnorantArmiesSupply(ruleset)
