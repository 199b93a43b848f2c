"""Where units may stand at the start of a scenario and why not: in play, terrain, stacking; and what they face."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import TYPE_CHECKING, Any

from studio.errors import StudioError
from studio.model import MapUse, ScenarioDocument, UnitRecord
from studio.rules.generic.scenario import PlainScenario
from studio.rules.played import closed_places
from studio.rules.roster import roster_of, rules_of
from studio.survey import Survey, locations_in_play

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["FACINGS", "PlayGround", "Standing", "facing_fault", "stacking_fault", "terrain_fault"]

FACINGS = {"flat": ("N", "NE", "SE", "S", "SW", "NW"), "pointy": ("NE", "E", "SE", "SW", "W", "NW")}
"""Hexsides that a unit can face, in the order of the directions of a grid."""


def terrain_fault(ruleset: Ruleset, kind: Any, survey: Survey, number: int) -> str:
    """Return why a unit cannot be in a location for what the location is; empty where it can.

    Parameters
    ----------
    ruleset : Ruleset
    kind : UnitKind
        Entry of the roster.
    survey : Survey
    number : int
        Of the location.
    """
    if not survey.directory.exists(number):
        return f"{survey.model.terrain_at(number)} is nowhere to stand"
    rules = ruleset.scenario if ruleset.has_scenario else PlainScenario(ruleset)
    if rules.can_stand(kind, survey, number):
        return ""
    called = getattr(kind, "name", "") or kind.id
    return f"{called} cannot enter {survey.directory.location(number).type.replace('_', ' ')}"


def stacking_fault(count: int, limit: int, side: str, *, hexes: bool = True) -> str:
    """Return why units of a side are too many for one location; empty where they are not, or the game has no limit."""
    if not limit or count <= limit:
        return ""
    return f"{count} units of {side}; the stacking limit is {limit} a {'hex' if hexes else 'location'}"


def facing_fault(ruleset: Ruleset, kind: Any, facing: str, orientation: str) -> str:
    """Return why a unit cannot face a direction; empty where it can.

    Parameters
    ----------
    ruleset : Ruleset
    kind : object or None
        Entry of the roster; None of a game without one, whose units may face any side.
    facing : str
        Such as ``NE``.
    orientation : {"flat", "pointy"}
        Of the grid.
    """
    if not facing:
        return ""
    if facing not in FACINGS[orientation]:
        return f"no hexside {facing} on this map; its hexes have {', '.join(FACINGS[orientation])}"
    if kind is None or not ruleset.has_scenario:
        return ""
    faces = getattr(ruleset.scenario, "faces", None)
    if faces is None:
        return f"units of {ruleset.title} face no hexside"
    return "" if faces(kind) else f"{kind.id} faces no hexside; only {ruleset.scenario.FACING_UNITS} do"


class PlayGround:
    """What of its map a scenario uses, found once: the locations in play, and the numbers of labels.

    Parameters
    ----------
    survey : Survey
    use : MapUse

    Attributes
    ----------
    in_play : set of int
        Numbers of the locations in play.
    """

    def __init__(self, survey: Survey, use: MapUse) -> None:
        self.survey = survey
        self._numbers: dict[str, int | None] = {}
        try:
            self.in_play: set[int] = locations_in_play(survey, use)
        except StudioError:
            # Said by the check of references; the whole map then.
            self.in_play = set(survey.directory.numbers.tolist())

    def number(self, label: str) -> int | None:
        """Return the number of what has a label, None where the map has nothing of that name."""
        if label not in self._numbers:
            self._numbers[label] = self._find(label)
        return self._numbers[label]

    def _find(self, label: str) -> int | None:
        found = self.survey.directory.find(label)
        if found is not None:
            return found
        return self.survey.model.labels.find(label)


class Standing:
    """What stands where at the start of a scenario, to say where one more unit may stand.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset
    ground : PlayGround, optional
        Of the same map and use, where it is known already.
    """

    def __init__(
        self, document: ScenarioDocument, survey: Survey, ruleset: Ruleset, ground: PlayGround | None = None
    ) -> None:
        self.survey, self.ruleset = survey, ruleset
        self.ground = ground or PlayGround(survey, document.map)
        self.number, self.in_play = self.ground.number, self.ground.in_play
        self.closed = closed_places(document, survey)
        self.rules: Any = rules_of(ruleset, document)
        self.roster: dict[str, Any] = roster_of(ruleset, document)
        rules = self.rules
        self._stacking = {name for name, kind in self.roster.items() if rules is not None and rules.stacks(kind)}
        self._held: dict[tuple[str, int], dict[str, int]] = {}
        for side, unit in _at_the_start(document):
            number = self.number(unit.at) if unit.at and unit.type in self._stacking else None
            if number is not None and not unit.carried_by:
                self._held.setdefault((side, number), {})[unit.id] = unit.count

    def counts(self, unit: UnitRecord) -> bool:
        """Tell whether a unit counts towards the stacking limit."""
        return unit.type in self._stacking and not unit.carried_by

    def over(self) -> Iterator[tuple[str, int, int]]:
        """Yield side, location and number of units of a side wherever they are over the limit, in order."""
        limit = self.ruleset.catalogue.stacking
        for (side, number), held in sorted(self._held.items()):
            count = sum(held.values())
            if limit and count > limit:
                yield side, number, count

    def why_not(self, unit: UnitRecord, label: str, side: str, leaving: Container[str] = ()) -> str:
        """Return why a unit may not stand in a place; empty where it may.

        Parameters
        ----------
        unit : UnitRecord
        label : str
            Of the place.
        side : str
            Id of its force.
        leaving : container of str
            Ids of units that do not count there: they go elsewhere, or come along.
        """
        number = self.number(label)
        if number is None:
            return "there is no such place on the map"
        kind = self.roster.get(unit.type)
        if kind is not None and (fault := terrain_fault(self.ruleset, kind, self.survey, number)):
            return fault
        if number not in self.in_play:
            return "not in play" if self.survey.directory.exists(number) else "nowhere to stand"
        if number in self.closed:
            return "nothing may enter it in this scenario"
        if kind is None or not self.counts(unit):
            return ""
        held = self._held.get((side, number), {})
        count = unit.count + sum(n for name, n in held.items() if name != unit.id and name not in leaving)
        hexes = number < self.survey.grid.cells
        return stacking_fault(count, self.ruleset.catalogue.stacking, side, hexes=hexes)


def _at_the_start(document: ScenarioDocument) -> Iterator[tuple[str, UnitRecord]]:
    """Yield the units that are on the map at the start: those that enter come by their hex one after the other."""
    for force in document.forces:
        for formation in force.formations:
            for unit in formation.units if formation.arrival != "enter" else ():
                yield force.id, unit
