"""A scenario with what its checks keep asking about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from studio.errors import StudioError
from studio.model import Formation, ScenarioDocument, UnitRecord
from studio.rules import Ruleset
from studio.survey import Survey, area_cells, locations_in_play

__all__ = ["ScenarioSubject"]


class ScenarioSubject:
    """A scenario with what the checks keep asking about it."""

    def __init__(self, document: ScenarioDocument, survey: Survey, ruleset: Ruleset) -> None:
        self.document, self.survey, self.ruleset = document, survey, ruleset
        self.labels = survey.model.labels
        self.rules: Any = ruleset.scenario if ruleset.has_scenario else None
        self.roster: Any = ruleset.scenario.roster() if ruleset.has_scenario else {}
        self.forces = {force.id: force for force in document.forces}
        try:
            self.in_play: set[int] = locations_in_play(survey, document.map)
        except StudioError:
            # Said by the check of references; the others go on with the whole map.
            self.in_play = set(survey.directory.numbers.tolist())

    def formations(self) -> Iterator[tuple[str, Formation]]:
        """Yield the formations, each with its place: force/formation."""
        for force in self.document.forces:
            for formation in force.formations:
                yield f"{force.id}/{formation.id}", formation

    def units(self) -> Iterator[tuple[str, Formation, UnitRecord]]:
        """Yield the units, each with its place (force/formation/unit) and its formation."""
        for place, formation in self.formations():
            for unit in formation.units:
                yield f"{place}/{unit.id}", formation, unit

    def place(self, label: str) -> int:
        """Return the number of what has a label: a location, or a hex that is none."""
        found = self.labels.find(label)
        return self.survey.directory.number(label) if found is None else found

    def known_cell(self, label: str) -> int | None:
        """Return the hex with a label, None where there is none."""
        try:
            return self.labels.cell(label)
        except StudioError:
            return None

    def area(self, formation: Formation) -> list[int] | None:
        """Return the hexes where a formation sets up or enters, None when its description is faulty."""
        try:
            return area_cells(self.survey, formation.where, self.in_play)
        except StudioError:
            return None
