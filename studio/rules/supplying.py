"""The supply of a side as a scenario stands: the game's rule, the search, and the answers in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.paths.barriers import named
from studio.paths.interdiction import Closing, cut_off
from studio.paths.points import points_text
from studio.paths.shortfall import Shortfall, Shortfalls
from studio.paths.supply import Line, SupplyGround, SupplyLines, SupplyNet
from studio.paths.supply_answer import Interdiction, Supply, Told, UnitSupply
from studio.rules.generic.supply_settings import PREFIX
from studio.rules.situation import Placed, Situation
from studio.survey.fresh import check_fresh

if TYPE_CHECKING:
    from studio.rules.ruleset import Ruleset
    from studio.survey import Survey

__all__ = ["SideSupply", "make_interdiction", "make_supply"]

_TOLD = 3  # so many hexes are named one by one

_AT_ONCE = 5000
"""Of so many units all is found at once; of more the lines and reasons are found when they are asked for."""


class _Labels(dict[int, str]):
    """Labels by hex, each made once: the lines of many units share their roads."""

    def __init__(self, label: Callable[[int], str]) -> None:
        super().__init__()
        self._label = label

    def __missing__(self, cell: int) -> str:
        self[cell] = label = self._label(cell)
        return label


class SideSupply:
    """The supply of one side.

    Parameters
    ----------
    ruleset : Ruleset
    situation : Situation
    side : str
    options : mapping
        All options in force.
    net : SupplyNet
        Where lines can run on the map, by the same options.
    without : iterable of int
        Hexes that lines may not use, to see what would be.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        situation: Situation,
        side: str,
        options: Mapping[str, Any],
        net: SupplyNet,
        without: Iterable[int] = (),
    ) -> None:
        self.rules, self.situation, self.side, self.options, self.net = ruleset.supply, situation, side, options, net
        self._label: Callable[[int], str] = _Labels(situation.survey.model.labels.label).__getitem__
        self._told: dict[int, Told] = {}
        self._revision = situation.survey.revision
        ground = self.rules.ground(situation, side, options)
        self.left_out = frozenset(without)
        closed = {**ground.closed, **dict.fromkeys(self.left_out, "being left out")}
        sources = {
            cell: why or ("is left out" if cell in self.left_out else "") for cell, why in ground.sources.items()
        }
        self.ground = SupplyGround(closed, sources)

    @cached_property
    def lines(self) -> SupplyLines:
        """Lines from everywhere."""
        return SupplyLines(self.net, self.ground)

    # -- answers ---------------------------------------------------------------------------------------------------

    def answers(self, units: Sequence[Placed]) -> list[UnitSupply]:
        """Return one answer a unit, in their order."""
        tracing = [unit for unit in units if not self.rules.always(unit.kind)]
        missing = [unit.cell for unit in tracing if self.lines.cost(unit.cell) < 0]
        short = Shortfalls(self.lines, missing) if missing else None
        found = []
        for unit in units:
            always = self.rules.always(unit.kind)
            supplied = bool(always) or self.lines.cost(unit.cell) >= 0
            told: Told | Callable[[], Told]
            if always:
                told = Told(reason=always)
            elif len(units) <= _AT_ONCE:
                told = self._told_of(unit.cell, short)
            else:
                told = partial(self._told_later, unit.cell, short)
            found.append(UnitSupply(unit.id, self.side, self._label(unit.cell), supplied, told))
        return found

    def _told_of(self, cell: int, short: Shortfalls | None) -> Told:
        """Return what there is to say of a hex; units in one hex have it in common."""
        if cell not in self._told:
            line = self.lines.line(cell)
            said = self._in_supply(line) if line is not None else self._out(cell, short)
            self._told[cell] = Told(**said, warning=self._odd(cell))
        return self._told[cell]

    def _told_later(self, cell: int, short: Shortfalls | None) -> Told:
        """Return what there is to say of one of a great many hexes; it is not kept for long.

        Raises
        ------
        StaleAnswerError
            When the map has changed since.
        """
        check_fresh(self.situation.survey.directory, self._revision, "scenario.supply(...)")
        if len(self._told) > _AT_ONCE:
            self._told.clear()
        return self._told_of(cell, short)

    def _odd(self, cell: int) -> str:
        """Return why no unit can be in a hex: it is closed from everywhere, by the same rule; empty where one can."""
        back = self.net.across.reversed
        row = back.row(cell)
        # Rows are filled up with links from the hex to itself: at the edge, say.
        begins = [begin for begin in back.ends[row].tolist() if begin != cell]
        if not begins or bool((back.costs[row] >= 0).any()):
            return ""
        bars = None
        for begin in begins:
            parts = self.rules.step(self.situation.survey, self.options, begin, cell).parts
            here = [named(part) for part in parts if part.halves is None]
            bars = here if bars is None else [text for text in bars if text in here]
        return f"no such unit can be there: {bars[0]}" if bars else ""

    def cut_off(self, units: Sequence[Placed]) -> dict[int, list[str]]:
        """Return, by hex, the ids of the units that an enemy in it would cut off."""
        tracing = [unit for unit in units if not self.rules.always(unit.kind)]
        by = self.options[PREFIX + "blocked_by"]
        exists, neighbours = self.situation.survey.directory.exists, self.situation.survey.grid.neighbours
        held = self.situation.garrisons(self.side)

        def closes(cell: int) -> list[int]:
            if by == "nothing":
                return []
            if by == "units":
                return [cell]
            spared = held if by == "neighbours_unless_held" else set()
            return [cell, *(other for other in neighbours(cell) if other not in spared)]

        found = cut_off(self.lines, (unit.cell for unit in tracing), Closing(closes, by == "units"))
        return {
            cell: [unit.id for unit in tracing if unit.cell in cut]
            for cell, cut in ((cell, set(cut)) for cell, cut in found.items())
            if exists(cell)
        }

    # -- words -----------------------------------------------------------------------------------------------------

    def _running(self, line: Line) -> tuple[Fraction, ...]:
        """Return the points off road that are spent at each hex of a line."""
        steps = self.net.across.costs_along(line.path[: line.off_road + 1])
        spent = [Fraction(0), *map(_points, np.cumsum(np.maximum(steps, 0)).tolist())]
        by_road = len(line.path) - len(spent)
        return (*spent, *(spent[-1:] * by_road))

    def _in_supply(self, line: Line) -> dict[str, Any]:
        return {
            "source": self._label(line.source),
            "path": tuple(map(self._label, line.path)),
            "cost": _points(line.halves),
            "costs": self._running(line),
            "off_road": line.off_road,
            "reason": self._course(line),
        }

    def _course(self, line: Line) -> str:
        called = self.situation.called
        by_road = len(line.path) - 1 - line.off_road
        source = f"the source {called(line.source)}"
        if len(line.path) == 1:
            return f"in {source}"
        hexes = f"{by_road} hex{'es' * (by_road != 1)} by road to {source}"
        if not line.off_road:
            return hexes
        away = f"{points_text(line.halves)} off road to "
        return f"{away}the road at {called(line.joint)}, then {hexes}" if by_road else f"{away}{source}"

    def _out(self, cell: int, short: Shortfalls | None) -> dict[str, Any]:
        said: dict[str, Any] = {}
        if not self.ground.sources or short is None:
            return {"reason": self.rules.no_source(self.situation, self.side)}
        miss = short.of(cell)
        attempt = miss.line or miss.next_best or miss.unhindered
        if attempt is not None:
            said["attempt"] = tuple(map(self._label, attempt.path))
            said["costs"], said["off_road"] = self._running(attempt), attempt.off_road
        if miss.next_best is not None and self.net.rule.off_road is not None:
            said["short"] = Fraction(miss.next_best.halves - self.net.rule.off_road, 2)
        return {**said, "cuts": tuple(map(self._label, miss.cuts)), "reason": self._miss(miss)}

    def _miss(self, miss: Shortfall) -> str:
        if not self.ground.working:
            return self._no_working_source(miss)
        if miss.line is not None and miss.cuts:
            return f"{self._cuts(miss)}; {self._next_best(miss.next_best)}"
        if miss.line is not None:
            return self._road_too_long(miss.line)
        if miss.next_best is not None:
            return self._short_of(miss.next_best)
        if miss.unhindered is not None:
            return f"{self._short_of(miss.unhindered)}, even if nothing stood in the way"
        return "no way over land leads to a road or to a source"

    def _no_working_source(self, miss: Shortfall) -> str:
        called = self.situation.called
        # Those that the nearest miss is about come first: where there are many, the rest is only counted.
        listed = sorted(self.ground.sources, key=lambda cell: (cell not in miss.cuts, cell))
        faults = [f"{called(cell)} {self._fault(cell)}" for cell in listed]
        rest = len(faults) - _TOLD
        told = ", ".join(faults[:_TOLD]) + (f" and {rest} more" if rest > 0 else "")
        more = [cut for cut in miss.cuts if cut not in self.ground.sources]
        way = f"; the way there is cut, too: {self._cuts(miss)}" if more else ""
        if not miss.cuts:
            far = self._short_of(miss.unhindered) if miss.unhindered else "no way over land leads to one"
            way = f"; and if one did: {far}"
        return f"no source works: {told}{way}"

    def _fault(self, cell: int) -> str:
        return self.ground.sources[cell] or f"is closed by {self.ground.closed[cell]}"

    def _cuts(self, miss: Shortfall) -> str:
        line, told = miss.line, []
        assert line is not None
        for cut in miss.cuts[:_TOLD]:
            name = self.situation.called(cut)
            if cut == line.source and self.ground.sources[cut]:
                told.append(f"{name} {self.ground.sources[cut]}")
            else:
                on_road = line.path.index(cut) >= line.off_road and line.joint != line.source
                part = "road cut" if on_road else "way off road closed"
                told.append(f"{part} at {name} by {self.ground.closed[cut]}")
        rest = len(miss.cuts) - _TOLD
        return " and ".join(told) + (f" and {rest} more" if rest > 0 else "") + self._excess(line)

    def _excess(self, line: Line) -> str:
        """Return how much too long the road of a line is, if a road may only be so long; empty if it is not."""
        hexes, limit = len(line.path) - 1 - line.off_road, self.net.rule.road_hexes
        return f", and {hexes} hexes by road where {limit} are allowed" if limit and hexes > limit else ""

    def _road_too_long(self, line: Line) -> str:
        hexes, limit = len(line.path) - 1 - line.off_road, self.net.rule.road_hexes
        source = self.situation.called(line.source)
        return f"{hexes - limit} hexes short: {hexes} hexes by road to the source {source}, {limit} allowed"

    def _next_best(self, line: Line | None) -> str:
        if line is None:
            return "there is no other line"
        return f"the next best line needs {points_text(line.halves)} off road"

    def _short_of(self, line: Line) -> str:
        limit = self.net.rule.off_road or 0
        what = f"{'the source' if line.joint == line.source else 'the road at'} {self.situation.called(line.joint)}"
        return (
            f"{points_text(line.halves - limit)} short of {what}: "
            f"{points_text(line.halves)} off road, {points_text(limit)} allowed"
        )


@lru_cache(maxsize=4096)
def _points(halves: int) -> Fraction:
    """Return half points as points; the lines of a side have the same few over and over."""
    return Fraction(halves, 2)


def make_supply(sides: Sequence[tuple[SideSupply, Sequence[Placed]]], survey: Survey) -> Supply:
    """Return the supply of the units of some sides."""
    grounds = {one.side: one.ground for one, _ in sides}
    owner = sides[0][0].situation.owner if sides else None
    return Supply([answer for one, units in sides for answer in one.answers(units)], survey, grounds, owner)


def make_interdiction(side: SideSupply, units: Sequence[Placed]) -> Interdiction:
    """Return by how many of some units each hex would cut off."""
    supplied = sum(bool(side.rules.always(unit.kind)) or side.lines.cost(unit.cell) >= 0 for unit in units)
    return Interdiction(side.cut_off(units), side.situation.survey, side.side, supplied)
