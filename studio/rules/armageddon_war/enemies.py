"""Who can be fired at where: enemies with their ranges, and what they see (4.14, maximum range on the counters)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from studio.errors import ScenarioRuleError
from studio.paths.spots import Check
from studio.rules import get_ruleset
from studio.sight import BLOCKED, Conditions

if TYPE_CHECKING:
    from studio.survey import Survey

__all__ = ["Enemies", "Ranges", "by_label"]

Ranges = Mapping[str, int | None] | Iterable[str]
"""Labels of hexes with enemies; with the largest range of the units there in hexes, None for no limit."""


def by_label(given: Ranges) -> dict[str, int | None]:
    """Return the ranges by the labels of the hexes."""
    if isinstance(given, Mapping):
        return dict(given)
    return dict.fromkeys([given] if isinstance(given, str) else given)


class Enemies:
    """The hexes with enemies, how far they fire, and what they see.

    Parameters
    ----------
    survey : Survey
    given : mapping of str to int, or iterable of str
        See :data:`Ranges`.
    options : mapping, optional
        Readings of the rules.
    conditions : Conditions, optional
        What holds for sight.

    Raises
    ------
    LabelError
        When a label is unknown.
    ScenarioRuleError
        When a range is no whole number of hexes.
    """

    def __init__(
        self,
        survey: Survey,
        given: Ranges,
        options: Mapping[str, Any] | None = None,
        conditions: Conditions | None = None,
    ) -> None:
        self.survey = survey
        ranges = by_label(given)
        self.ranges: dict[int, int | None] = {}
        for label, reach in ranges.items():
            if reach is not None and (not isinstance(reach, int) or isinstance(reach, bool) or reach < 0):
                msg = f"enemies: got a range of {reach!r} at {label}, allowed: whole hexes from 0, None for no limit"
                raise ScenarioRuleError(msg)
            self.ranges[survey.directory.number(label)] = reach
        ruleset = get_ruleset("armageddon_war")
        self._judge = ruleset.sight.judge(survey, ruleset.options(options), conditions or Conditions())
        self._fields: dict[int, Any] = {}

    def __iter__(self) -> Any:
        """Iterate over the numbers of the hexes with enemies."""
        return iter(self.ranges)

    def sees(self, enemy: int, cell: int) -> bool:
        """Tell whether an enemy has a line of sight to a hex."""
        if enemy not in self._fields:
            self._fields[enemy] = self._judge.field(enemy)[0].ravel()
        return bool(self._fields[enemy][cell] != BLOCKED)

    def threat(self, cell: int, rule: str, only: int | None = None) -> Check:
        """Tell whether a hex is out of sight or out of range of all enemies, or of one of them."""
        label = self.survey.model.labels.label
        told = []
        for enemy in [only] if only is not None else self.ranges:
            reach, far = self.ranges.get(enemy), self.survey.grid.distance(enemy, cell)
            if reach is not None and far > reach:
                told.append(f"{label(enemy)} is {far} hexes away and fires {reach} hexes far")
            elif self.sees(enemy, cell):
                return Check(rule, False, f"{label(cell)} is in sight and in range of the enemy at {label(enemy)}")
            else:
                told.append(f"{label(enemy)} does not see it")
        why = "; ".join(told) or "there is no enemy"
        return Check(rule, True, f"{label(cell)} is out of sight or range: {why}")
