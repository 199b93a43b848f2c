"""Where the units of a scenario can get to in the end: floods over the ways of the game, each made once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from studio.checks.scenario_subject import ScenarioSubject
from studio.errors import StudioError
from studio.model import UnitRecord
from studio.paths import MoveJudge, Network
from studio.sight import Conditions
from studio.sight.layers import knows_layers, layered
from studio.survey import Survey

__all__ = ["Reaching", "flood"]

_LOOKED_FROM = 60  # places of one side from which sight is judged where no way leads: enough to see an open field


class _Ways(NamedTuple):
    """The ways of one mover over a map; without the map itself, so that it can go when nobody needs it."""

    network: Network
    states: int
    starts: list[list[int]]
    entered: frozenset[int]


_KNOWN: WeakKeyDictionary[Survey, tuple[int, dict[Any, _Ways | None]]] = WeakKeyDictionary()
"""Ways by map, so that several scenarios on one map share them; with the revision of the map that they are of."""


def _ways(judge: MoveJudge) -> _Ways | None:
    """Return the ways of a judge; None of a mover that has none of its own."""
    network, states = judge.network, len(judge.states)
    begins = np.repeat(np.arange(network.size), np.diff(network.indptr))
    leads = (network.costs >= 0) & (begins != network.ends)
    if not bool(leads.any()):
        return None
    entered = frozenset(np.unique(network.ends[leads] // states).tolist())
    return _Ways(network, states, [judge.starts(number) for number in range(network.size // states)], entered)


def flood(network: Network, starts: Iterable[int], shut: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which nodes can be reached at all.

    Parameters
    ----------
    network : Network
    starts : iterable of int
        Nodes; those that are shut are left out.
    shut : array of bool, shape (nodes,)
        Nodes that are not entered.

    Returns
    -------
    array of bool, shape (nodes,)
    """
    seen = np.zeros(network.size, dtype=bool)
    fresh = np.array(sorted(set(starts)), dtype=np.int64)
    fresh = fresh[~shut[fresh]] if len(fresh) else fresh
    counts = np.diff(network.indptr)
    while len(fresh):
        seen[fresh] = True
        lengths = counts[fresh]
        within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        links = np.repeat(network.indptr[fresh], lengths) + within
        ends = network.ends[links][network.costs[links] >= 0]
        fresh = np.unique(ends[~seen[ends] & ~shut[ends]]).astype(np.int64)
    return seen


class Reaching:
    """Where the units of a scenario start, and where they can get to.

    Parameters
    ----------
    subject : ScenarioSubject
    """

    def __init__(self, subject: ScenarioSubject) -> None:
        self.subject = subject
        self._reach: dict[int, frozenset[int] | None] = {}  # by id(): the document holds the units all along
        self._closed_to_all: dict[int, bool] = {}
        self._floods: dict[tuple[str, frozenset[int]], frozenset[int] | None] = {}
        self._starts: dict[tuple[int, str], frozenset[int]] = {}
        self._bearers: dict[str, UnitRecord] = {}
        self._masks: dict[int, NDArray[np.bool_]] = {}
        self._options = self._force()

    def _force(self) -> dict[str, Any]:
        """Return the options in force; the defaults where another check finds fault with those of the scenario."""
        try:
            return self.subject.ruleset.options(self.subject.document.special.options)
        except StudioError:
            return self.subject.ruleset.options()

    # -- units ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _of(self) -> dict[str, Any]:
        """Formation of every unit by its id."""
        return {unit.id: formation for _, formation, unit in self.subject.units()}

    def starts(self, unit: UnitRecord) -> frozenset[int]:
        """Return the numbers of the locations where a unit may be at first; none where nobody can tell."""
        at = self._bearer(unit)
        if at.at:
            number = self.subject.number(at.at)
            return frozenset() if number is None else frozenset({number})
        formation = self._of[at.id]
        where = at.where if at.where is not None else formation.where
        key = (id(where), at.id if at.where is not None else formation.id)
        if key not in self._starts:
            self._starts[key] = frozenset(self.subject.area(formation, at) or ())
        return self._starts[key]

    def _bearer(self, unit: UnitRecord) -> UnitRecord:
        """Return what stands where a unit is: itself, or what carries what carries it."""
        passed: list[str] = []
        at = unit
        while not at.at and at.carried_by in self.subject.units_by_id and at.id not in self._bearers:
            self._bearers[at.id] = at  # in a circle it is found again, and the way ends
            passed.append(at.id)
            at = self.subject.units_by_id[at.carried_by]
        at = self._bearers.get(at.id, at)
        self._bearers.update(dict.fromkeys(passed, at))
        return at

    def _movers(self, unit: UnitRecord) -> tuple[str, ...]:
        """Return the ways in which a unit may move; of one that the text says nothing of, all that there are."""
        kind = self.subject.roster.get(unit.type)
        every = tuple(self.subject.ruleset.movers)
        if kind is None:
            return every
        if kind.mover in every:
            return (kind.mover,)
        if kind.kind == "infantry":
            return tuple(mover for mover in every if mover in {"infantry", "foot"}) or every
        return every

    def _flies(self, unit: UnitRecord) -> bool:
        kind = self.subject.roster.get(unit.type)
        return kind is not None and kind.kind == "air"

    def reach(self, unit: UnitRecord) -> frozenset[int] | None:
        """Return where a unit, or what carries it, can get to in the end; None where there is no telling."""
        if id(unit) not in self._reach:
            self._reach[id(unit)] = self._reached(unit)
        return self._reach[id(unit)]

    def _reached(self, unit: UnitRecord) -> frozenset[int] | None:
        riders = [unit]
        carrier = self.subject.units_by_id.get(unit.carried_by)
        if carrier is not None and carrier.id != unit.id:
            riders.append(carrier)
        starts = self.starts(unit)
        if not starts or any(map(self._flies, riders)):
            return None
        found: set[int] = set()
        for mover in dict.fromkeys(mover for one in riders for mover in self._movers(one)):
            part = self._flooded(mover, starts)
            if part is None:
                return None
            found |= part
        return frozenset(found)

    def gets_to(self, unit: UnitRecord, goals: set[int]) -> bool:
        """Tell whether a unit can get to one of some locations, as far as there is a telling."""
        found = self.reach(unit)
        return found is None or not found.isdisjoint(goals)

    def somewhere(self, units: Iterable[UnitRecord]) -> bool:
        """Tell whether it is known of some units where they start."""
        return any(self.starts(unit) for unit in units)

    # -- the map -------------------------------------------------------------------------------------------------------

    def _ways(self, mover: str) -> _Ways | None:
        """Return the ways of a mover; None in a game without movement, and of a mover that has none."""
        subject = self.subject
        if not subject.ruleset.has_movement or not mover:
            return None
        revision, known = _KNOWN.get(subject.survey, (-1, {}))
        if revision != subject.survey.revision:
            known = {}
            _KNOWN[subject.survey] = (subject.survey.revision, known)
        key = (subject.ruleset.id, mover, tuple(sorted(self._options.items())))
        if key not in known:
            known[key] = _ways(subject.ruleset.paths.judge(subject.survey, mover, self._options))
        return known[key]

    def _flooded(self, mover: str, starts: frozenset[int]) -> frozenset[int] | None:
        key = (mover, starts)
        if key not in self._floods:
            self._floods[key] = self._flood(mover, starts)
        return self._floods[key]

    def _flood(self, mover: str, starts: frozenset[int]) -> frozenset[int] | None:
        ways = self._ways(mover)
        if ways is None:
            return None
        shut = self._shut(len(ways.starts))
        nodes = [node for number in starts if number < len(shut) for node in ways.starts[number]]
        seen = flood(ways.network, nodes, np.repeat(shut, ways.states))
        return frozenset(np.flatnonzero(seen.reshape(-1, ways.states).any(axis=1)).tolist())

    def _shut(self, count: int) -> NDArray[np.bool_]:
        """Return which of the first locations are out of play or closed."""
        if count not in self._masks:
            shut = np.ones(count, dtype=bool)
            open_ones = np.array(list(self.subject.in_play - self.subject.closed), dtype=np.int64)
            shut[open_ones[open_ones < count]] = False
            self._masks[count] = shut
        return self._masks[count]

    def shut_to_all(self, number: int) -> bool:
        """Tell whether no mover of the game can ever enter a location."""
        if number not in self._closed_to_all:
            self._closed_to_all[number] = self._entered_by_none(number)
        return self._closed_to_all[number]

    def _entered_by_none(self, number: int) -> bool:
        known = False
        for mover in self.subject.ruleset.movers:
            ways = self._ways(mover)
            known = known or ways is not None
            if ways is not None and number in ways.entered:
                return False
        return known

    # -- meeting -------------------------------------------------------------------------------------------------------

    def meet(self, one: list[UnitRecord], other: list[UnitRecord]) -> bool:
        """Tell whether units of two sides can come to one place, or to places that see each other."""
        first, second = self._beginnings(one), self._beginnings(other)
        # Most often the first unit that is asked about gets to where the enemy starts; then nothing else is made.
        for units, places, there in ((one, first, second), (other, second, first)):
            for unit in self._different(units):
                reach = self.reach(unit)
                if reach is None or not there.isdisjoint(reach):
                    return True
                places.update(reach)
        return self._see(sorted(first), sorted(second))

    def _beginnings(self, units: list[UnitRecord]) -> set[int]:
        return {number for unit in units for number in self.starts(unit)}

    def _different(self, units: list[UnitRecord]) -> Iterator[UnitRecord]:
        """Yield the units of which none before it moves like it from the same places."""
        asked: set[tuple[str, str, frozenset[int]]] = set()
        for unit in units:
            key = (unit.type, unit.carried_by, self.starts(unit))
            if key[2] and key not in asked:
                asked.add(key)
                yield unit

    def _see(self, first: list[int], second: list[int]) -> bool:
        """Tell whether a place of the one sees a place of the other; of very many, some are tried."""
        ruleset = self.subject.ruleset
        if not ruleset.has_sight:
            return False
        few, many = sorted((first, second), key=len)
        judge = ruleset.sight.judge(self.subject.survey, ruleset.options(), Conditions())
        judge = judge if knows_layers(ruleset.sight) else layered(judge, self.subject.survey)
        step = max(1, len(few) // _LOOKED_FROM)
        goals = np.array(many, dtype=np.int64)
        for number in few[::step]:
            codes = np.asarray(judge.field(number)[0]).ravel()[goals]
            if bool(((codes == 1) | (codes == 2)).any()):
                return True
        return False
