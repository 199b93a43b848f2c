"""Plain rules for units that a scenario brings along in a game without a scenario module: who stands where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.rules.roster import UnitKind
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["PlainScenario"]


class PlainScenario:
    """Scenario rules of a game that is nothing but its file.

    Parameters
    ----------
    ruleset : Ruleset
    """

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset

    @staticmethod
    def stacks(kind: UnitKind) -> bool:
        """Tell whether a counter counts towards the stacking limit: foot units and vehicles, unless it says not."""
        return kind.stacks and kind.kind in {"infantry", "vehicle"}

    def can_stand(self, kind: UnitKind, survey: Survey, cell: int) -> bool:
        """Tell whether a counter may stand in a location: terrain that its way of moving can enter, or a road."""
        if kind.kind not in {"infantry", "vehicle"} or kind.mover not in self.ruleset.movers:
            return True
        if cell >= survey.grid.cells or survey.has_road(cell):
            return True
        return self.ruleset.move_cost(survey.model.terrain_at(cell), kind.mover) is not None
