"""A scenario with every condition resolved, so that an engine needs neither our conditions nor our rosters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

import msgspec
import numpy as np

from studio.files.setup_records import (
    AreaRecord,
    DistanceRecord,
    FormationRecord,
    ObjectiveRecord,
    PlacedUnitRecord,
    RestraintRecord,
    SetUpRecord,
    SideRecord,
    TurnRecord,
)
from studio.model import Force, Formation, Objective, ScenarioDocument, SetUp, UnitRecord, lots_by_id, lots_of
from studio.model.calendar import set_up_order
from studio.model.wording import Names, describe_area, trigger_phrase
from studio.rules import Ruleset
from studio.rules.areas import ScenarioAreas, depends_on_units
from studio.rules.roster import roster_of
from studio.rules.situation import read_situation
from studio.survey import Survey

__all__ = ["kinds_used", "resolved_roster", "resolved_set_up"]


def kinds_used(document: ScenarioDocument) -> set[str]:
    """Return the types of units and markers that a scenario names anywhere."""
    found = {unit.type for force in document.forces for part in force.formations for unit in part.units}
    for lot in lots_of(document):
        found |= {lot.type, *lot.beside, *lot.choose}
    found |= {marker.type for marker in document.cup} | {support.type for support in document.support}
    found |= {name for objective in document.objectives for name in objective.unit_types}
    return (found | {kind.id for kind in document.roster}) - {""}


def resolved_roster(ruleset: Ruleset, document: ScenarioDocument) -> dict[str, Any]:
    """Return every kind of unit that a scenario uses, with all figures, its own ones merged with those they are like.

    Parameters
    ----------
    ruleset : Ruleset
    document : ScenarioDocument

    Returns
    -------
    dict
        By id, in order; kinds that the roster does not have are left out.
    """
    roster = roster_of(ruleset, document)
    return {name: msgspec.to_builtins(roster[name]) for name in sorted(kinds_used(document)) if name in roster}


def resolved_set_up(ruleset: Ruleset, survey: Survey, document: ScenarioDocument) -> dict[str, Any]:
    """Return a scenario with areas as labels, units with their places, and turns with what happens in them.

    Parameters
    ----------
    ruleset : Ruleset
    survey : Survey
        Of the map as the scenario plays on it.
    document : ScenarioDocument

    Returns
    -------
    dict
        A :class:`SetUpRecord` as plain data.

    Raises
    ------
    UnknownNameError, LabelError, ScenarioRuleError
        When an area names what there is not, or areas are described by one another in a circle.
    """
    made = _Resolver(ruleset, survey, document).record()
    plain: dict[str, Any] = msgspec.to_builtins(made)
    return plain


class _Resolver:
    """Resolves one scenario; areas that are alike are listed once."""

    def __init__(self, ruleset: Ruleset, survey: Survey, document: ScenarioDocument) -> None:
        self.survey, self.document = survey, document
        self.scenario_areas = ScenarioAreas(document, survey, ruleset)
        self.roster: Mapping[str, Any] = roster_of(ruleset, document)
        self.names = Names(
            document,
            types={name: kind.name for name, kind in self.roster.items()},
            terrain={name: terrain.name for name, terrain in ruleset.terrains.items()},
        )
        self.situation = read_situation(survey, ruleset, document)
        self.areas: list[AreaRecord] = []
        self._numbers: dict[bytes, int] = {}
        self._labels = survey.directory.label

    def record(self) -> SetUpRecord:
        """Return all of it."""
        document = self.document
        pairs = [(force, part) for force in document.forces for part in force.formations]
        placed = [pair for pair in set_up_order(document) if pair[1].arrival == "set_up"]
        ranked = groupby(placed, key=lambda pair: pair[1].set_up_order or pair[0].set_up_order)
        return SetUpRecord(
            sides=[self._side(force) for force in document.forces],
            order=[[part.id for _, part in group] for _, group in ranked],
            formations=[self._formation(force, part) for force, part in pairs],
            units=[self._unit(force, part, unit) for force, part in pairs for unit in part.units],
            objectives=[self._objective(one) for one in document.objectives],
            turns=list(_turns(document)),
            other_areas=dict(self._others()),
            areas=self.areas,
        )

    # -- areas -------------------------------------------------------------------------------------------------------

    def _in_order(self, numbers: Iterable[int]) -> list[str]:
        """Return labels in the order of the locations; what is no location has none."""
        exists = self.survey.directory.exists
        return [self._labels(number) for number in sorted(set(numbers)) if exists(number)]

    def _area(self, where: SetUp, asking: str = "") -> int:
        """Return the number of an area, listed now where it is new."""
        areas = self.scenario_areas
        record = AreaRecord(
            labels=self._in_order(areas.cells(where, asking)),
            exact=not depends_on_units(where),
            edges=_edges(where),
            distances=[
                DistanceRecord(
                    units=[name for name in areas.members(one.units) if name != asking],
                    least=one.least,
                    most=one.most,
                    direction=one.direction,
                )
                for one in where.distances
                if one.units
            ],
            empty=where.empty,
            same=where.same,
            same_edge_as=list(where.same_edge_as),
            other_edge_than=list(where.other_edge_than),
            other_hex_than=list(where.other_hex_than),
            least_in_hex=where.least_in_hex,
            most_in_hex=where.most_in_hex,
            most_in_area=where.most_in_area,
            text=describe_area(where, self.names),
        )
        key = msgspec.json.encode(record)
        if key not in self._numbers:
            self._numbers[key] = len(self.areas)
            self.areas.append(record)
        return self._numbers[key]

    def _maybe(self, where: SetUp | None, asking: str = "") -> int | None:
        return None if where is None else self._area(where, asking)

    def _others(self) -> Iterator[tuple[str, int]]:
        document = self.document
        for support in document.support:
            if support.target is not None:
                yield f"support:{support.id}", self._area(support.target)
        for pool in document.pools:
            if pool.where is not None:
                yield f"pool:{pool.id}", self._area(pool.where)
        for table in document.tables:
            if table.where is not None:
                yield f"table:{table.id}", self._area(table.where)

    # -- forces ------------------------------------------------------------------------------------------------------

    def _side(self, force: Force) -> SideRecord:
        team = force.team or force.id
        situation = self.situation
        owned = np.flatnonzero(situation.owned(force.id)).tolist() + sorted(situation.places_of(force.id))
        return SideRecord(
            id=force.id,
            name=force.name,
            team=force.team,
            enemies=[other.id for other in self.document.forces if (other.team or other.id) != team],
            played_by=force.played_by,
            color=force.color,
            formations=[part.id for part in force.formations],
            ratings=dict(force.ratings),
            home=self._in_order(np.flatnonzero(situation.home(force.id)).tolist()),
            control=self._in_order(owned),
        )

    def _formation(self, force: Force, part: Formation) -> FormationRecord:
        return FormationRecord(
            id=part.id,
            side=force.id,
            name=part.name,
            arrival=part.arrival,
            arrival_turn=part.arrival_turn if part.arrival == "enter" else 0,
            area=self._area(part.where, part.id),
            when=part.when,
            when_text="" if part.when is None else trigger_phrase(part.when, self.names),
            leaves=self._maybe(part.leaves, part.id),
            units=[unit.id for unit in part.units],
            activation_markers=part.activation_markers,
            loaded=part.loaded,
            hidden=part.hidden,
            nation=part.nation,
            part_of=part.part_of,
            choice=part.choice,
            ratings=dict(part.ratings),
            restraints=[
                RestraintRecord(
                    units=list(one.units) or [unit.id for unit in part.units],
                    stay=self._maybe(one.stay, part.id),
                    forbidden=list(one.forbidden),
                    against=list(one.against),
                    until=one.until,
                    text=one.text,
                )
                for one in part.restraints
            ],
        )

    def _unit(self, force: Force, part: Formation, unit: UnitRecord) -> PlacedUnitRecord:
        kind = self.roster.get(unit.type)
        placed = self.scenario_areas.placed.get(unit.id, ())
        at = [self._labels(number) for number in placed if self.survey.directory.exists(number)]
        movement = unit.figures.get("movement", getattr(kind, "movement", 0))
        return PlacedUnitRecord(
            id=unit.id,
            formation=part.id,
            side=force.id,
            type=unit.type,
            name=unit.name or getattr(kind, "name", unit.type),
            area=self._area(part.where, part.id) if unit.where is None else self._area(unit.where, unit.id),
            count=unit.count,
            at=at[0] if at else "",
            carried_by=unit.carried_by,
            quality=unit.quality or part.quality,
            status=list(unit.status),
            facing=unit.facing,
            movement=movement,
            figures=dict(unit.figures),
        )

    # -- aims --------------------------------------------------------------------------------------------------------

    def _objective(self, one: Objective) -> ObjectiveRecord:
        directory, areas = self.survey.directory, self.scenario_areas
        numbers = {directory.number(label) for label in one.hexes if directory.find(label) is not None}
        for where in (SetUp(terrain=one.terrain), SetUp(edges=one.edges), one.where):
            if where is not None and where != SetUp():
                numbers |= set(areas.cells(where))
        # Lots of a cup are units only once they are drawn: the scenario's own record names them.
        lots = lots_by_id(self.document)
        named = [name for name in one.of if name not in lots]
        units = areas.members(named, "objectives/of") if named else []
        return ObjectiveRecord(id=one.id, side=one.side, labels=self._in_order(numbers), units=units)


def _edges(where: SetUp) -> list[Any]:
    """Return the edges of the map that an area names, those of its other places too."""
    found = list(where.edges)
    for other in where.also:
        found += _edges(other)
    return list(dict.fromkeys(found))


# -- turns -----------------------------------------------------------------------------------------------------------


def _turns(document: ScenarioDocument) -> Iterator[TurnRecord]:
    extra = document.extended.turns if document.extended is not None else 0
    arrivals = _by_turn(
        (part.id, max(part.arrival_turn, part.when.first_turn if part.when is not None else 0))
        for _, part in set_up_order(document)
        if part.arrival == "enter"
    )
    support = _by_turn(
        (one.id, one.first_turn or (one.when.first_turn if one.when is not None else 1)) for one in document.support
    )
    for turn in range(1, document.length + extra + 1 if document.length else 1):
        lit = [one for one in document.periods if one.first_turn <= turn <= one.last_turn]
        sights = [one.visibility for one in lit if one.visibility] or [document.special.visibility]
        yield TurnRecord(
            turn=turn,
            name=document.turn_names[turn - 1] if turn <= len(document.turn_names) else "",
            light=next((one.light for one in reversed(lit) if one.light), ""),
            visibility=sights[-1],
            extra=turn > document.length,
            arrivals=arrivals(turn),
            events=[one.id for one in document.events if _happens(one.turn, one.last_turn, one.every, turn)],
            support=support(turn),
        )


def _by_turn(pairs: Iterable[tuple[str, int]]) -> Callable[[int], list[str]]:
    found: dict[int, list[str]] = {}
    for name, turn in pairs:
        found.setdefault(turn, []).append(name)
    return lambda turn: list(found.get(turn, ()))


def _happens(first: int, last: int, every: int, turn: int) -> bool:
    """Tell whether an event with a turn of its own happens in a turn."""
    return 0 < first <= turn <= max(first, last) and (turn - first) % max(every, 1) == 0
