"""Lines of fire in Phantom Fury (4.1.1, 4.1.2, 4.3.1, 11.1): the readable judge of one pair of locations.

No line is drawn. A zone sees the zones that are Adjacent or Neighbouring to it and those at the other end of a target
symbol; a street section sees what is Adjacent to it. A unit in a box has the lines of its zone. The same verdicts for
many pairs at once come from :mod:`studio.rules.phantom_fury.matrix`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.errors import ScenarioRuleError, nearest
from studio.model import Place
from studio.rules import get_ruleset
from studio.rules.phantom_fury.district import OPEN, District
from studio.rules.phantom_fury.fire import TARGETS, fire_modifiers
from studio.rules.phantom_fury.matrix import Matrix
from studio.rules.phantom_fury.suggest import links_for, suggest_lines_of_fire
from studio.sight import Conditions, PackedCodes, Reason, Sighting
from studio.survey import Location, Survey

__all__ = ["CONDITIONS", "OPTIONS", "TANK", "Judge", "judge", "links_for", "suggest_lines_of_fire"]

TANK = "m1a1_abrams"
"""Kind of unit (``Conditions.from_kind``) with limits of its own in fire combat (11.1.3)."""

_SHOWN = 4  # street sections that one sentence names


CONDITIONS: dict[str, tuple[str, ...]] = {"from_kind": (), "to_kind": TARGETS}
"""Conditions that the rules of sight know, with the texts that they may be; :func:`judge` knows the kinds of unit."""


OPTIONS = frozenset(
    {
        "target_symbols",
        "street_neighbours",
        "within_zone",
    }
)
"""Readings of the rules that bear on sight; the others are about movement and command."""


def judge(survey: Survey, options: Mapping[str, Any], conditions: Conditions) -> Judge:
    """Return a judge for the map as it is now.

    Parameters
    ----------
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    conditions : Conditions
        ``from_kind`` may be a mover of the game: an M1A1 Abrams has limits of its own (11.1.3). With ``to_kind``, one
        of ``guerillas``, ``martyrs`` and ``suspect``, clear lines have the modifiers of fire at such a target (11.2.1).

    Raises
    ------
    ScenarioRuleError
        When the game has no such kind of unit or target.
    """
    kinds = {"from_kind": tuple(get_ruleset("phantom_fury").movers), "to_kind": TARGETS}
    for name, known in kinds.items():
        got = getattr(conditions, name)
        if got and got not in known:
            msg = f"conditions: unknown {name} {got!r}; {nearest(got, known)}"
            raise ScenarioRuleError(msg)
    return Judge(District(survey), options, conditions)


class Judge:
    """Judges lines of fire on one state of a map.

    Parameters
    ----------
    district : District
    options : mapping
    conditions : Conditions
    """

    def __init__(self, district: District, options: Mapping[str, Any], conditions: Conditions) -> None:
        self.district, self.options = district, dict(options)
        self.directory = district.survey.directory
        self.conditions = conditions
        self.tank = conditions.from_kind == TANK
        self.rubble = district.rubble()
        self.figures = get_ruleset("phantom_fury").catalogue.modifiers
        self._matrix: Matrix | None = None

    # -- one pair --------------------------------------------------------------------------------------------------

    def sighting(self, a: int, b: int) -> Sighting:
        """Return the explained verdict of the line of fire from a location to another."""
        start, end = self.directory.location(a), self.directory.location(b)
        if a == b:
            reasons = [Reason("11.1", start.label, "passes", f"{start.label}: one and the same location")]
        else:
            reasons = [*self._boxes(start, end), *self._units(start, end), *self._places(start, end)]
        blocked = any(reason.effect == "blocks" for reason in reasons)
        modifiers = [] if blocked or a == b else list(self._modifiers(start, end))
        total = sum(figure for figure, _ in modifiers)
        reasons += [reason for _, reason in modifiers]
        return Sighting(
            start=start.label,
            end=end.label,
            status="blocked" if blocked else "clear",
            hindrances=0,
            modifiers={str(self.figures["unit"]): total} if total else {},
            reasons=tuple(reasons),
            contacts=(),
            profile=(),
        )

    def home(self, location: Location) -> str | None:
        """Return the id of the zone or street section that a location is or belongs to, None without any."""
        feature = self.district.survey.model.features.get(location.feature)
        if isinstance(feature, Place):
            return self.district.home(feature)
        return location.feature if location.feature in self.district.areas else None

    def _boxes(self, start: Location, end: Location) -> Iterator[Reason]:
        """Tell that boxes have the lines of their zone, unless they are gone (4.1.6)."""
        for one in (start, end):
            home = self.home(one)
            if one.label in self.district.off_zones:
                kind = get_ruleset("phantom_fury").place_types[one.type]
                text = f"{one.label}: {kind.name.lower()}, and nothing fires from or at what is off the zones"
                yield Reason(kind.section, one.label, "blocks", text)
            elif home is None:
                yield Reason("4.2", one.label, "blocks", f"{one.label}: belongs to no zone, so it has no line of fire")
            elif one.label in self.rubble:
                text = f"{one.label}: rubble, and this location of the ruins no longer exists"
                yield Reason("4.1.6", one.label, "blocks", text)
            elif one.kind == "place":
                text = f"{one.label}: a unit in it has the lines of fire of {self.district.spoken(home)}"
                yield Reason("11.1", one.label, "passes", text)

    def _units(self, start: Location, end: Location) -> Iterator[Reason]:
        """Tell the limits of an M1A1 Abrams: it fires from street sections only, and never at rooftops (11.1.3)."""
        if not self.tank:
            return
        if start.type != "street":
            home = self.home(start) if start.kind != "place" else None
            name = _begin(self.district.spoken(home)) if home else start.label
            text = f"{name}: an M1A1 Abrams fires from street sections only"
            yield Reason("11.1.3", start.label, "blocks", text)
        if end.type == "rooftop":
            yield Reason("11.1.3", end.label, "blocks", f"{end.label}: an M1A1 Abrams does not fire at rooftops")

    def _places(self, start: Location, end: Location) -> Iterator[Reason]:
        a, b = self.home(start), self.home(end)
        if a is None or b is None:
            return
        closed = [home for home in dict.fromkeys((a, b)) if self.district.out_of_play(home)]
        for home in closed:
            text = f"{_begin(self.district.spoken(home))}: out of play, so no unit is ever in it"
            yield Reason("12.4.1", self.district.label(home), "blocks", text)
        if closed:
            return
        if a == b:
            yield self._within(a)
            return
        found = list(self.grounds(a, b))
        yield from found or self.misses(a, b)

    def _within(self, zone: str) -> Reason:
        name, label = self.district.spoken(zone), self.district.label(zone)
        if self.options["within_zone"] == "clear":
            text = f"{_begin(name)}: both ends are in it, and defensive fire reaches every box of its zone"
            return Reason("12.7.1", label, "passes", text)
        return Reason("11.1.1", label, "blocks", f"{_begin(name)}: no fire combat within one zone")

    def _modifiers(self, start: Location, end: Location) -> Iterator[tuple[int, Reason]]:
        """Yield the modifiers of fire at a target of the kind in question (11.2.1)."""
        a, b, kind = self.home(start), self.home(end), self.conditions.to_kind
        if not kind or a is None or b is None or a == b or not self.district.is_zone(b):
            return
        for figure, reason in fire_modifiers(self.district, a, end, b, kind, self.figures):
            # 'Phantom Fury' is for squads of Marines, not for those of the IIF (13.4.3.2).
            if reason.rule != "13.4.3.2" or self.conditions.from_kind in ("", "usmc_squad"):
                yield figure, reason

    # -- why there is a line ---------------------------------------------------------------------------------------

    def grounds(self, a: str, b: str) -> Iterator[Reason]:
        """Yield everything that gives two different areas, by their ids, a line of fire from a to b."""
        district = self.district
        at, pair = (district.label(a), district.label(b)), self._pair(a, b)
        zones = district.is_zone(a) + district.is_zone(b)
        if b in district.touching[a]:
            kind = "share a border: Adjacent" if zones else "have a common side: Adjacent"
            yield Reason("4.1.1" if zones == 2 else "4.3.1.1", at, "passes", f"{pair} {kind}")
        elif zones == 2:
            common = district.common_streets(a, b)
            if common:
                text = f"{pair} are both beside {self._streets(common)}: Neighbouring"
                yield Reason("4.1.2", at, "passes", text)
        for owner, named in ((a, b), (b, a)):
            if named in district.targets.get(owner, ()) and (owner == a or self._both_ways):
                rule = "4.1.2.1" if district.is_zone(owner) else "4.3.1.2"
                text = f"{_begin(district.spoken(owner))}: its target symbol names {district.spoken(named)}"
                yield Reason(rule, district.label(owner), "passes", text)
        if self.options["street_neighbours"] == "next_section" and zones == 1 and b not in district.touching[a]:
            common = district.common_streets(a, b)
            if common:
                text = f"{pair} are both beside {self._streets(common)}: Neighbouring"
                yield Reason("4.1.2, 11.1", at, "passes", text)

    @property
    def _both_ways(self) -> bool:
        return bool(self.options["target_symbols"] == "both_ways")

    def _pair(self, a: str, b: str) -> str:
        """Return the two areas as the subject of a sentence."""
        district = self.district
        first, second = district.spoken(a), district.spoken(b)
        if district.is_zone(a) == district.is_zone(b):
            kind = first.removesuffix(f" {district.label(a)}")
            return f"{kind.capitalize()}s {district.label(a)} and {district.label(b)}"
        return f"{_begin(first)} and {second}"

    def _streets(self, streets: list[str]) -> str:
        return f"street section{'s' * (len(streets) > 1)} {self._names(streets)}"

    def _names(self, streets: list[str]) -> str:
        names = [self.district.label(street) for street in streets[:_SHOWN]]
        more = f" and {len(streets) - _SHOWN} more" if len(streets) > _SHOWN else ""
        return f"{', '.join(names)}{more}"

    # -- why there is none, and what comes nearest -----------------------------------------------------------------

    def misses(self, a: str, b: str) -> Iterator[Reason]:
        """Yield why two different areas have no line of fire, and what comes nearest to one."""
        district = self.district
        at, pair = (district.label(a), district.label(b)), self._pair(a, b)
        zones = district.is_zone(a) + district.is_zone(b)
        if zones == 2:
            border = "open" if frozenset((a, b)) in district.closed else "common"
            text = f"{pair}: no {border} border, no street section beside both, {self._no_symbol(a, b)}"
            text += self._beside_each(a, b)
            yield Reason("4.1.1, 4.1.2, 4.1.2.1", at, "blocks", text)
        elif zones == 1:
            text = f"{pair}: no common side, {self._no_symbol(a, b)}" + self._zones_of(a, b)
            yield Reason("4.3.1.1, 4.3.1.2", at, "blocks", text)
        else:
            yield Reason("4.3.1.1", at, "blocks", f"{pair}: no common side, so they are not Adjacent")
        yield from self._near(a, b, pair, at)

    def _no_symbol(self, a: str, b: str) -> str:
        if self._both_ways:
            return "no target symbol between them"
        return f"no target symbol of {self.district.label(a)} for {self.district.label(b)}"

    def _beside_each(self, a: str, b: str) -> str:
        """Say which street sections are beside either zone: first two that are next to each other, else all."""
        district = self.district
        for street in district.sorted(district.streets_beside(a)):
            for other in district.sorted(district.streets_beside(street) & district.streets_beside(b)):
                first = f"{district.label(street)} beside {district.label(a)}"
                return f"; nearest: {first} is next to {district.label(other)} beside {district.label(b)}"
        parts = [
            f"beside {district.label(zone)}: {self._names(streets)}"
            for zone in (a, b)
            if (streets := district.sorted(district.streets_beside(zone)))
        ]
        return "".join(f"; {part}" for part in parts)

    def _zones_of(self, a: str, b: str) -> str:
        """Say which zones are beside the street section of a pair."""
        district = self.district
        street = b if district.is_zone(a) else a
        zones = [district.label(zone) for zone in district.sorted(district.zones_beside(street))]
        return f"; beside {district.label(street)}: {', '.join(zones) or 'no zone'}"

    def _near(self, a: str, b: str, pair: str, at: tuple[str, str]) -> Iterator[Reason]:
        district = self.district
        if frozenset((a, b)) in district.closed:
            text = f"{pair} share a border that is all continuous line: not Adjacent"
            yield Reason("4.1.1", at, "passes", text)
        corner = district.corner(a, b)
        if corner is not None:
            text = f"{pair} meet at a corner only: not Adjacent"
            yield Reason("4.1.1", at, "passes", text)
        if a in district.targets.get(b, ()):
            text = f"{_begin(district.spoken(b))}: its target symbol names {district.spoken(a)}, but not the other way"
            yield Reason("4.1.2.1" if district.is_zone(b) else "4.3.1.2", district.label(b), "passes", text)
        for zone in district.sorted(district.zones_beside(a) & district.zones_beside(b)):
            if OPEN.intersection(district.areas[zone].tags):
                text = f"{_begin(district.spoken(zone))} lies between: fire across it needs a target symbol"
                yield Reason("11.1.1", district.label(zone), "passes", text)

    # -- many pairs ------------------------------------------------------------------------------------------------

    @property
    def matrix(self) -> Matrix:
        """The verdicts of all pairs of areas, made once."""
        if self._matrix is None:
            self._matrix = Matrix(self.district, self.options, self.rubble, tank=self.tank)
        return self._matrix

    def field(self, a: int) -> tuple[NDArray[np.uint8], dict[int, int]]:
        """Return the codes of all numbers as seen from one location; nothing is ever hindered."""
        return self.matrix.field(a), {}

    def table(self, numbers: NDArray[np.int64], progress: Callable[[int, int], None] | None = None) -> PackedCodes:
        """Return the codes of all ordered pairs of locations."""
        return self.matrix.table(numbers, progress)


def _begin(text: str) -> str:
    """Write the first letter of a sentence large."""
    return text[:1].upper() + text[1:]
