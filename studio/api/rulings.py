"""A map under the rules of any game: who judges it, and how its locations are numbered there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from studio.api.carry import carry_over, check_mapping
from studio.rules import Ruleset, get_ruleset
from studio.sight import Conditions, Sighting, SightJudge, SightTable, make_table
from studio.sight.layers import knows_layers, layered
from studio.sight.overrides import check_numbers
from studio.survey import Directory, Survey

if TYPE_CHECKING:
    from studio.api.map import Map

__all__ = ["Ruling", "rulings_of"]


class Ruling:
    """One judge of a drawing, whose verdicts go by the numbers that the locations have on the map it was drawn as.

    Parameters
    ----------
    name : str
    directory : Directory
        Locations as this game has them.
    judge : SightJudge
    to : array of int64, shape (numbers of the map,)
        Number in this game's directory of each location of the map, -1 for those that this game has not.
    notes : list of str
        What of the map does not count here.
    """

    def __init__(
        self, name: str, directory: Directory, judge: SightJudge, to: NDArray[np.int64], notes: list[str]
    ) -> None:
        self.name, self.directory, self.judge, self.to, self.notes = name, directory, judge, to, notes
        self._table: SightTable | None = None
        self._at: dict[int, int] = {}
        self._rows: dict[int, NDArray[np.uint8]] = {}

    def judge_from(self, numbers: list[int] | None, progress: Callable[[int, int], None] | None) -> None:
        """Judge the lines from some locations of the map, or from all, and keep the verdicts."""
        if numbers is None:
            self._table = make_table(self.directory, self.judge, progress)
            self._at = {number: at for at, number in enumerate(self._table.numbers.tolist())}
            return
        for done, number in enumerate(numbers, 1):
            self._rows[number] = self.field(number)
            if progress is not None:
                progress(done, len(numbers))

    def field(self, number: int) -> NDArray[np.uint8]:
        """Judge the lines from one location of the map; codes by its numbers, 0 for what this game has not."""
        here = int(self.to[number])
        return self._spread(slice(0), ()) if here < 0 else self._spread(None, self.judge.field(here)[0].ravel())

    def held(self, number: int) -> NDArray[np.uint8] | None:
        """Return the same codes where they have been kept, else None."""
        if self._table is None:
            return self._rows.get(number)
        at = self._at.get(int(self.to[number]))
        return (
            self._spread(slice(0), ()) if at is None else self._spread(self._table.numbers, self._table.packed.row(at))
        )

    def held_code(self, a: int, b: int) -> int:
        """Return one code that has been kept."""
        if self._table is None:
            return int(self._rows[a][b])
        i, j = (self._at.get(int(self.to[number])) for number in (a, b))
        return 0 if i is None or j is None else self._table.packed.get(i, j)

    def _spread(self, numbers: Any, codes: Any) -> NDArray[np.uint8]:
        """Bring codes of this game's numbers, all of them from 0 when None, into the order of the map's."""
        own = np.zeros(len(self.directory) + 1, dtype=np.uint8)  # the last one is read for -1
        own[slice(len(codes)) if numbers is None else numbers] = codes
        return own[self.to]

    def sighting(self, a: int, b: int) -> Sighting:
        """Explain the line between two locations of the map that this game has, too."""
        return self.judge.sighting(int(self.to[a]), int(self.to[b]))


def rulings_of(
    map: Map,
    rulesets: tuple[str | Ruleset, str | Ruleset],
    options: tuple[Mapping[str, Any] | None, Mapping[str, Any] | None],
    terrain: Mapping[str, str],
    conditions: Conditions,
) -> tuple[Ruling, Ruling]:
    """Return the two judges of a map.

    Parameters
    ----------
    map : Map
    rulesets : two of str or Ruleset
    options : two of mapping or None
    terrain : mapping of str to str
        Terrain of the other games for terrain of the map.
    conditions : Conditions

    Raises
    ------
    UnknownNameError, UnsupportedError, ScenarioRuleError
        As for :func:`studio.compare_rulesets`.
    """
    check_numbers(conditions, map.survey.directory)
    first, second = (one if isinstance(one, Ruleset) else get_ruleset(one) for one in rulesets)
    others = list(dict.fromkeys(one for one in (first, second) if one is not map.ruleset))
    for one in others:
        if not getattr(one.sight, "HAS_SIGHT", True):
            one.sight.judge(map.survey, one.options(), conditions)  # says why, and what the game has instead
    check_mapping(map.model, terrain, others)
    force = first.options(options[0]), second.options(options[1])
    names = (
        _name(first, force[0], force[1] if first is second else first.options()),
        _name(second, force[1], force[0] if first is second else second.options()),
    )
    found = (
        _ruling(names[0], map, first, options[0], terrain, conditions),
        _ruling(names[1], map, second, options[1], terrain, conditions),
    )
    if first is second and force[0] == force[1]:
        found[1].notes.append("both rulings are of one game with the same options: no verdict can differ")
    return found


def _name(ruleset: Ruleset, force: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return the title of a game, with the options that are not those of the other ruling, or of the default."""
    told = [
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in force.items()
        if value != other[name]
    ]
    return f"{ruleset.title} ({', '.join(told)})" if told else ruleset.title


def _ruling(
    name: str,
    map: Map,
    ruleset: Ruleset,
    options: Mapping[str, Any] | None,
    terrain: Mapping[str, str],
    conditions: Conditions,
) -> Ruling:
    home = map.survey.directory
    if ruleset is map.ruleset:
        return Ruling(name, home, map.judge(options, conditions), np.arange(len(home), dtype=np.int64), [])
    model, notes = carry_over(map.model, ruleset, terrain)
    directory = Survey(model, ruleset.survey_scheme).directory
    to = _numbers_in(home, directory)
    lost = int(home.present.sum() - (to >= 0).sum())
    if lost:
        notes.append(
            f"{lost} location{'s' * (lost != 1)} of the map {'are' if lost != 1 else 'is'} none in {ruleset.title}"
        )
    carried = _carry_conditions(conditions, to, terrain, ruleset, notes)
    judge = ruleset.sight.judge(directory.survey, ruleset.options(options), carried)
    if not knows_layers(ruleset.sight):
        judge = layered(judge, directory.survey)
    return Ruling(name, directory, judge, to, notes)


def _numbers_in(home: Directory, other: Directory) -> NDArray[np.int64]:
    """Return the number in another directory of each number of one, -1 where it has no such location."""
    cells = home.grid.cells
    to = np.full(len(home), -1, dtype=np.int64)
    both = np.flatnonzero(home.playable.ravel() & other.playable.ravel())
    to[both] = both
    there = {(location.kind, location.feature or location.cell): location.number for location in other.others}
    for location in home.others:
        to[location.number] = there.get((location.kind, location.feature or location.cell), -1)
    assert (to[:cells] < cells).all()
    return to


def _carry_conditions(
    conditions: Conditions, to: NDArray[np.int64], terrain: Mapping[str, str], ruleset: Ruleset, notes: list[str]
) -> Conditions:
    """Return the conditions with the numbers and the terrain of another game."""
    overrides = {}
    for name, counts_as in conditions.terrain_overrides.items():
        pair = terrain.get(name, name), terrain.get(counts_as, counts_as)
        if all(one in ruleset.terrains for one in pair):
            overrides[pair[0]] = pair[1]
        else:
            notes.append(f"{ruleset.title} has no terrain for {name} counting as {counts_as}: left out")
    return msgspec.structs.replace(
        conditions,
        terrain_overrides=overrides,
        smoke=frozenset(int(to[number]) for number in conditions.smoke if to[number] >= 0),
        vehicles=frozenset(int(to[number]) for number in conditions.vehicles if to[number] >= 0),
    )
