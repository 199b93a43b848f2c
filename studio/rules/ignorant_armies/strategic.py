"""Strategic movement in Ignorant Armies (9): along friendly roads, away from enemies, from supplied towns or cities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, overload

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.errors import UnknownNameError, nearest
from studio.paths import Network, Search, search
from studio.paths.supply import SupplyLines
from studio.rules import get_ruleset
from studio.rules.ignorant_armies.countries import IRAQ, kurdish_area
from studio.rules.ignorant_armies.scenario import country_of, year_of
from studio.rules.situation import Placed, Situation

if TYPE_CHECKING:
    from geopandas import GeoDataFrame

__all__ = ["Strategic", "StrategicMoves"]


class Strategic(msgspec.Struct, frozen=True):
    """What strategic movement offers a unit.

    Attributes
    ----------
    unit, side, at : str
        Id of the unit, id of its force, label of its hex.
    eligible : bool
    reason : str
        Why, with the section.
    reach : dict of str to int
        Hexes that it can end in, by label, with how many hexes of road lead there; empty where it is not eligible.
    """

    unit: str
    side: str
    at: str
    eligible: bool
    reason: str
    reach: dict[str, int] = {}

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as plain data: unit, side, at, eligible, reason and reach (hexes of road by label)."""
        return {
            "unit": self.unit, "side": self.side, "at": self.at,
            "eligible": self.eligible, "reason": self.reason, "reach": dict(self.reach),
        }  # fmt: skip

    def __str__(self) -> str:
        count = len(self.reach)
        there = f"; {count} hex{'es' * (count != 1)} in reach" if count else ""
        return (
            f"{self.unit} at {self.at}: {'can' if self.eligible else 'cannot'} move strategically: {self.reason}{there}"
        )


class StrategicMoves(Sequence[Strategic]):
    """Strategic movement of one side as a scenario stands: one answer a unit, in their order.

    Parameters
    ----------
    situation : Situation
    side : str
    options : mapping
        All options in force.
    turn : int
        Game turn.
    most : int, optional
        Units that may move so in a turn, where the scenario gives its own number.
    """

    def __init__(
        self, situation: Situation, side: str, options: Mapping[str, Any], turn: int = 2, most: int | None = None
    ) -> None:
        self.situation, self.side, self.options, self.turn = situation, side, options, turn
        self.most = most
        self.survey, self.ruleset = situation.survey, get_ruleset("ignorant_armies")

    # -- one answer a unit -----------------------------------------------------------------------------------------

    @cached_property
    def _answers(self) -> tuple[Strategic, ...]:
        hexes = self.survey.grid.cells
        return tuple(self.of(unit) for unit in self.situation.of(self.side) if unit.cell < hexes)

    @overload
    def __getitem__(self, index: int) -> Strategic: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Strategic]: ...
    def __getitem__(self, index: int | slice) -> Strategic | Sequence[Strategic]:
        return self._answers[index]

    def __len__(self) -> int:
        return len(self._answers)

    def to_dict(self) -> dict[str, Any]:
        """Return all answers as plain data: side, turn, limit and units."""
        units = [one.to_dict() for one in self]
        return {"side": self.side, "turn": self.turn, "limit": self.limit, "units": units}

    def to_frame(self) -> GeoDataFrame:
        """Return the answers as a GeoDataFrame by unit: at, eligible, reason, reach (labels), outline of its hex."""
        from geopandas import GeoDataFrame

        outlines = self.survey.locations()["geometry"]
        data = {
            "unit": [one.unit for one in self],
            "at": [one.at for one in self],
            "eligible": [one.eligible for one in self],
            "reason": [one.reason for one in self],
            "reach": [list(one.reach) for one in self],
        }
        return GeoDataFrame(data, geometry=[outlines.loc[one.at] for one in self]).set_index("unit")

    def __repr__(self) -> str:
        return "\n".join([self._head, *(f"  {one}" for one in self)])

    @property
    def _head(self) -> str:
        able = sum(one.eligible for one in self)
        name = self.situation.sides[self.side]
        return (
            f"{name}, game turn {self.turn}: {able} of {len(self)} units can move strategically, {self.limit} at most"
        )

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(one.unit)}</td><td>{one.at}</td><td>{'yes' if one.eligible else 'no'}</td>"
            f"<td>{len(one.reach)}</td><td>{escape(one.reason)}</td></tr>"
            for one in self
        )
        head = "<tr><th>unit</th><th>at</th><th>can</th><th>hexes in reach</th><th>why</th></tr>"
        return f"<b>{escape(self._head)}</b><table>{head}{rows}</table>"

    # -- the rule --------------------------------------------------------------------------------------------------

    @property
    def limit(self) -> int:
        """Most units that may move strategically in the turn (9.1, 5.3, 14.10)."""
        figures = self.ruleset.catalogue.modifiers
        if self.turn == 1:
            return 0
        improved = (
            self.options["strategic_improvement"]
            and year_of(self.turn) >= 1984
            and country_of(self.situation, self.side) == IRAQ
        )
        if self.most is not None and not improved:
            return self.most
        return int(figures["strategic_units_improved" if improved else "strategic_units"])

    @cached_property
    def _near_enemies(self) -> NDArray[np.bool_]:
        near = np.zeros(self.survey.grid.cells, dtype=bool)
        for cell in self.situation.enemies(self.side):
            near[[cell, *self.survey.grid.neighbours(cell)]] = True
        return near

    @cached_property
    def network(self) -> Network:
        """Friendly road hexes that no enemy is next to, one point a hex (9.2)."""
        open_ = self.situation.owned(self.side) & ~self._near_enemies
        pairs = [pair for pair in self.ruleset.supply.roads(self.survey) if open_[pair[0]] and open_[pair[1]]]
        links = [(a, b, 1) for a, b in pairs] + [(b, a, 1) for a, b in pairs]
        return Network.from_links(self.survey.grid.cells, links)

    @cached_property
    def _lines(self) -> SupplyLines:
        supply = self.ruleset.supply
        net = supply.net(self.survey, self.options, self.situation.out_of_play)
        return SupplyLines(net, supply.ground(self.situation, self.side, self.options))

    def fault_of(self, unit: Placed) -> str:
        """Return why a unit may not move strategically, with the section; empty where it may."""
        label = self.situation.called(unit.cell)
        if self.turn == 1:
            return "there is none on game turn 1 (5.3)"
        if not unit.on_ground or getattr(unit.kind, "mover", "") == "garrison":
            return "it never moves (11.1)"
        towns = self.survey.cells_with_marker("town")
        if self.survey.model.terrain_at(unit.cell) != "city" and unit.cell not in towns:
            return f"{label} is no town or city (9.1)"
        if self._near_enemies[unit.cell]:
            return f"an enemy unit is next to {label} (9.1)"
        if not self.ruleset.supply.always(unit.kind) and self._lines.cost(unit.cell) < 0:
            return "it is out of supply (9.1, 12.2)"
        return ""

    def _placed(self, unit: Placed | str) -> Placed:
        if not isinstance(unit, str):
            return unit
        units = {one.id: one for one in self.situation.of(self.side)}
        if unit not in units:
            msg = f"{self.side} has no unit {unit!r} on the map; {nearest(unit, units)}"
            raise UnknownNameError(msg)
        return units[unit]

    def of(self, unit: Placed | str) -> Strategic:
        """Return what strategic movement offers a unit.

        Parameters
        ----------
        unit : str or Placed
            Its id, or one of ``situation.of(side)``.

        Raises
        ------
        UnknownNameError
            When the side has no such unit on the map.
        """
        unit, label = self._placed(unit), self.survey.model.labels.label
        fault = self.fault_of(unit)
        if fault:
            return Strategic(unit.id, self.side, label(unit.cell), False, fault)
        found = self._search(unit)
        reach = {label(cell): int(found.costs[cell]) for cell in np.flatnonzero(found.costs > 0).tolist()}
        why = f"in supply in {label(unit.cell)} (9.1)"
        if not reach:
            why += f"; but {self._stuck(unit.cell)}"
        return Strategic(unit.id, self.side, label(unit.cell), True, why, reach)

    def _stuck(self, cell: int) -> str:
        """Return why no road leads on from a hex."""
        called = self.situation.called
        pairs = [pair for pair in self.ruleset.supply.roads(self.survey) if cell in pair]
        if not pairs:
            return f"no road leads out of {called(cell)} (9.2)"
        faults = []
        for other in sorted({a if b == cell else b for a, b in pairs}):
            owner = self.situation.owner_name(other)
            held = self.situation.controls(self.side, other)
            faults.append(
                f"{called(other)} is next to an enemy unit" if held and self._near_enemies[other]
                else f"{called(other)} is not friendly, it is held by {owner}" if not held
                else f"{called(other)} is outside the Kurdish active area"
            )  # fmt: skip
        return f"no road leads on (9.2): {'; '.join(faults)}"

    def _search(self, unit: Placed) -> Search:
        network = self.network
        if getattr(unit.kind, "mover", "") == "kurdish":
            network = network.closed(into=np.flatnonzero(~kurdish_area(self.survey)))
        return search(network, unit.cell)

    def route(self, unit: Placed | str, to: int | str) -> list[str]:
        """Return the labels of the shortest way along friendly roads; empty where the unit cannot get there.

        Parameters
        ----------
        unit : str or Placed
        to : str or int
            Label of a hex, or the hex.

        Raises
        ------
        LabelError, UnknownNameError
            When there is no such hex or unit.
        """
        unit, to = self._placed(unit), self.survey.model.labels.cell(to) if isinstance(to, str) else to
        if self.survey.model.labels.label(to) not in self.of(unit).reach:
            return []
        return [self.survey.model.labels.label(cell) for cell in self._search(unit).path(to)]
