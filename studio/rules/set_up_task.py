"""What has to be set up in a scenario: the counters without a place yet, in what order, with what room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.model import Distance, Force, Formation, ScenarioDocument, SetUp, UnitRecord
from studio.rules.areas import ScenarioAreas
from studio.rules.roster import FIGHTING, figure_of, roster_of, rules_of
from studio.rules.standing import PlayGround, terrain_fault
from studio.survey import Survey

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset

__all__ = ["Piece", "SetUpTask", "distances_of"]

Mask = NDArray[np.bool_]

_FIXED = (-1, 0)
"""Stage of what the scenario has placed: before everything else."""


class Piece(NamedTuple):
    """Counters of one unit of a scenario that need places.

    Attributes
    ----------
    unit : UnitRecord
    formation : Formation
    force : Force
    number : int
        How many counters.
    kind : UnitKind or None
    stage : (int, int)
        When it comes: set-up before entries, then the order of set-up or the turn of the entry.
    group : str
        What describes its area: id of the unit, or of its formation.
    where : SetUp
    chain : tuple of (str, int)
        Limits that it counts towards in one place, the innermost first.
    """

    unit: UnitRecord
    formation: Formation
    force: Force
    number: int
    kind: Any
    stage: tuple[int, int]
    group: str
    where: SetUp
    chain: tuple[tuple[str, int], ...]

    @property
    def id(self) -> str:
        """Id of the unit."""
        return self.unit.id

    @property
    def fights(self) -> bool:
        """Whether it is a unit, and no marker."""
        return getattr(self.kind, "kind", "") in FIGHTING

    @property
    def enters(self) -> bool:
        """Whether it enters during play; then its entry is no place to stay in, and holds any number."""
        return self.stage[0] == 1


class SetUpTask:
    """The counters of a scenario that have no place yet.

    Support weapons have none of their own, nor has what is carried; what must be loaded rides in the transports of its
    formation. What waits in a pool is not set up.

    Parameters
    ----------
    document : ScenarioDocument
    survey : Survey
        Of its map.
    ruleset : Ruleset
    force, formation : str
        Ids, to set up only one of them; everybody without them.
    ground : PlayGround, optional
    loaded : bool
        Let what may be loaded be loaded.

    Attributes
    ----------
    areas : ScenarioAreas
    pieces : list of Piece
    riders : dict of str to list of str
        Counters that ride: id of the unit, with that of a carrier for each counter.
    short_of_seats : list of (Formation, int, int)
        Formations that must be loaded, with their passengers and their seats, where these are too few.
    shy : set of str
        Formations that leave hexes to one another.
    used : dict of (str, int) to int
        Room that is taken already, by limit and place.
    """

    def __init__(
        self,
        document: ScenarioDocument,
        survey: Survey,
        ruleset: Ruleset,
        *,
        force: str = "",
        formation: str = "",
        ground: PlayGround | None = None,
        loaded: bool = False,
    ) -> None:
        self.document, self.survey, self.ruleset = document, survey, ruleset
        self.rules: Any = rules_of(ruleset, document)
        self.roster = roster_of(ruleset, document)
        self.areas = ScenarioAreas(document, survey, ruleset, ground=ground)
        self.fixed = dict(self.areas.placed)
        self.pieces: list[Piece] = []
        self.riders: dict[str, list[str]] = {}
        self.weapons: list[tuple[UnitRecord, Formation]] = []
        self.short_of_seats: list[tuple[Formation, int, int]] = []
        self.teams = {one.id: one.team or f"/{one.id}" for one in document.forces}
        self.shy = _with_other_hexes(document)
        self._stages: dict[str, tuple[int, int]] = {}
        self._records: dict[str, Piece] = {}
        for one in document.forces:
            for part in one.formations:
                wanted = part.arrival != "pool" and force in ("", one.id) and formation in ("", part.id)
                self._gather(one, part, wanted=wanted, loaded=loaded)
        self.used = self._taken()
        self._standing: dict[str, Mask] = {}
        self._left_out: dict[tuple[SetUp, tuple[int, int]], set[str]] = {}
        self._counted: dict[tuple[SetUp, tuple[int, int]], set[str]] = {}

    # -- what there is -------------------------------------------------------------------------------------------------

    def _gather(self, force: Force, formation: Formation, *, wanted: bool, loaded: bool) -> None:
        stage = (1, formation.arrival_turn) if formation.arrival == "enter" else (0, _order(force, formation))
        free: list[Piece] = []
        for unit in formation.units:
            kind = self.roster.get(unit.type)
            own = unit.where is not None
            group, where = (unit.id, unit.where or SetUp()) if own else (formation.id, formation.where)
            chain = () if stage[0] == 1 else self.chain(kind, force.id)
            piece = Piece(unit, formation, force, unit.count, kind, stage, group, where, chain)
            self._records[unit.id] = piece
            self._stages[unit.id] = _FIXED if unit.id in self.fixed else stage
            if not wanted or unit.id in self.fixed:
                continue
            if unit.carried_by:
                self.riders[unit.id] = [unit.carried_by] * unit.count
            elif getattr(kind, "kind", "") == "support_weapon":
                self.weapons.append((unit, formation))
            else:
                free.append(piece)
        if wanted and (formation.loaded == "must" or (formation.loaded == "may" and loaded)):
            free = self._load(formation, free, must=formation.loaded == "must")
        self.pieces += free

    def _load(self, formation: Formation, free: list[Piece], *, must: bool) -> list[Piece]:
        """Put what rides into the transports of its formation: one platoon or squad a seat, single persons besides."""
        carriers = [one for one in (self._records[unit.id] for unit in formation.units) if self._carries(one)]
        foot = [one for one in free if getattr(one.kind, "kind", "") == "infantry"]
        wanted = sum(one.number for one in foot if self.seated(one))
        seats = self._seats(carriers, wanted)
        if wanted > len(seats) or (foot and not carriers):
            if must:
                self.short_of_seats.append((formation, wanted, len(seats)))
            return free
        for piece in foot:
            if self.seated(piece):
                self.riders[piece.id], seats = seats[: piece.number], seats[piece.number :]
            else:
                self.riders[piece.id] = [carriers[0].id] * piece.number
        return [one for one in free if one not in foot]

    def _seats(self, carriers: list[Piece], wanted: int) -> list[str]:
        """Return the ids of carriers once a free seat, in turn; where no text says how many, as many as needed."""
        taken: dict[str, int] = defaultdict(int)
        for unit, names in self.riders.items():
            for name in names if self.seated(self._records[unit]) else ():
                taken[name] += 1
        rounds: list[list[str]] = []
        for one in carriers:
            each = figure_of(one.kind, "capacity") or getattr(self.rules, "SEATS", 0)
            free = max(0, one.number * each - taken[one.id]) if each else wanted
            for number in range(free):
                while len(rounds) <= number // one.number:
                    rounds.append([])
                rounds[number // one.number].append(one.id)
        return [name for one in rounds for name in one]

    @staticmethod
    def _carries(piece: Piece) -> bool:
        return bool(getattr(piece.kind, "transport", False)) and "wreck" not in piece.unit.status

    def seated(self, piece: Piece) -> bool:
        """Tell whether passengers take a seat each: what counts towards the stacking limit does."""
        kind = piece.kind
        infantry = getattr(kind, "kind", "") == "infantry"
        return infantry and self.rules is not None and bool(self.rules.stacks(kind))

    def chain(self, kind: Any, force: str) -> tuple[tuple[str, int], ...]:
        """Return the limits that a counter of a side counts towards in one place, the innermost first."""
        if kind is None or self.rules is None:
            return ()
        groups = getattr(self.rules, "stacking_groups", None)
        limit = self.ruleset.catalogue.stacking
        found = groups(kind) if groups is not None else [("units", limit)] if self.rules.stacks(kind) else []
        return tuple((f"{name} of {force}", most) for name, most in found if most)

    def _taken(self) -> dict[tuple[str, int], int]:
        found: dict[tuple[str, int], int] = defaultdict(int)
        for name, numbers in self.fixed.items():
            piece = self._records[name]
            if not piece.unit.carried_by and not piece.enters:
                for limit, _ in piece.chain:
                    found[limit, numbers[0]] += piece.number
        return dict(found)

    # -- where ---------------------------------------------------------------------------------------------------------

    def stands(self, kind: Any) -> Mask:
        """Return where a kind of unit may stand; hexes go by their terrain and by whether a road runs there."""
        name = getattr(kind, "id", "")
        if name not in self._standing:
            self._standing[name] = self._stands(kind)
        return self._standing[name]

    def _stands(self, kind: Any) -> Mask:
        directory, grid, model = self.survey.directory, self.survey.grid, self.survey.model
        found: Mask = directory.present.copy()
        if kind is None or self.rules is None:
            return found
        looks = model.terrain.ravel().astype(np.int64) * 2
        looks[list(self.survey.road_hexes)] += 1
        looks[~found[: grid.cells]] = -1
        for look, first in zip(*np.unique(looks, return_index=True), strict=True):
            if look >= 0 and terrain_fault(self.ruleset, kind, self.survey, int(first)):
                found[: grid.cells][looks == look] = False
        for one in directory.others:
            found[one.number] = not terrain_fault(self.ruleset, kind, self.survey, one.number)
        return found

    def mask(self, piece: Piece, placed: Mapping[str, tuple[int, ...]] | None = None, own: int = -1) -> Mask:
        """Return where one counter of a piece may be.

        Parameters
        ----------
        piece : Piece
        placed : mapping of str to tuple of int, optional
            Where others are that are placed already.
        own : int
            Place of the counter itself, which does not count for it.
        """
        if self.areas.moves(piece.where):
            where = {**self.fixed, **(placed or {})}
            if piece.id in where:
                rest = list(where[piece.id])
                if own in rest:
                    rest.remove(own)
                where[piece.id] = tuple(rest)
            mine = bool(where.get(piece.id))
            self.areas.suppose(where, self.left_out(piece), counts_itself=mine)
        return self.areas.mask(piece.where, piece.id) & self.stands(piece.kind)

    # -- who depends on whom -------------------------------------------------------------------------------------------

    def left_out(self, piece: Piece) -> set[str]:
        """Return the units that do not count for a piece: of forces, those that are not placed before it."""
        key = piece.where, piece.stage
        if key not in self._left_out:
            self._left_out[key] = self._not_before(piece)
        return self._left_out[key]

    def _not_before(self, piece: Piece) -> set[str]:
        forces = {force.id for force in self.document.forces}
        named = [name for distance in distances_of(piece.where) for name in distance.units if name in forces]
        return {name for name in self.areas.members(named) if self._stages[name] >= piece.stage}

    def counted(self, piece: Piece) -> set[str]:
        """Return the units that the area of a piece is measured from."""
        key = piece.where, piece.stage
        if key not in self._counted:
            limiting = (one for one in distances_of(piece.where) if one.least or one.most is not None or one.direction)
            self.areas.left_out = frozenset(self.left_out(piece))
            self._counted[key] = {name for one in limiting for name in self.areas.counted(one)}
        return self._counted[key]

    def apart(self, one: Piece, other: Piece) -> bool:
        """Tell whether two counters may not be in one place.

        Enemies may not, nor may a unit be where its hex must be empty, nor in a hex that its area leaves to others.
        """
        if one.formation.id != other.formation.id and _leaves(one, other):
            return True
        if not (one.fights and other.fights) or (one.enters and other.enters):
            return False
        if self.teams[one.force.id] != self.teams[other.force.id]:
            return True
        return self._needs_empty(one, other) or self._needs_empty(other, one)

    @staticmethod
    def _needs_empty(one: Piece, other: Piece) -> bool:
        return one.where.empty and one.formation.id != other.formation.id and other.stage < one.stage

    def keeps_out(self, piece: Piece) -> bool:
        """Tell whether a counter can keep others out of its place."""
        return piece.fights or piece.formation.id in self.shy

    def placed_of(self, group: str) -> dict[int, int]:
        """Return how many counters of a group are placed already, by place."""
        found: dict[int, int] = defaultdict(int)
        for name, numbers in self.fixed.items():
            piece = self._records[name]
            if piece.group == group and not piece.unit.carried_by:
                found[numbers[0]] += piece.number
        return dict(found)

    def blocked(self, piece: Piece) -> Mask:
        """Return the places that what stands there already keeps a piece out of."""
        found = np.zeros(len(self.survey.directory), dtype=bool)
        for name, numbers in self.fixed.items():
            other = self._records[name]._replace(stage=_FIXED)
            if self.apart(piece, other):
                found[list(numbers)] = True
        return found

    def record(self, unit: str) -> Piece:
        """Return a unit as if it had to be placed."""
        return self._records[unit]


def _leaves(one: Piece, other: Piece) -> bool:
    """Tell whether one of two leaves its hexes to the other."""
    return other.formation.id in one.where.other_hex_than or one.formation.id in other.where.other_hex_than


def _with_other_hexes(document: ScenarioDocument) -> set[str]:
    found: set[str] = set()
    for force in document.forces:
        for part in force.formations:
            for where in (part.where, *(unit.where for unit in part.units if unit.where is not None)):
                if where.other_hex_than:
                    found |= {part.id, *where.other_hex_than}
    return found


def _order(force: Force, formation: Formation) -> int:
    return formation.set_up_order or force.set_up_order


def distances_of(where: SetUp) -> Iterable[Distance]:
    """Yield the distances of a set-up area, and of those that serve as well."""
    yield from where.distances
    for other in where.also:
        yield from distances_of(other)
