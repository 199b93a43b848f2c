"""Who is where in a district of Phantom Fury, and who controls what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from studio.errors import ScenarioRuleError
from studio.paths import MoveState
from studio.rules.phantom_fury.district import District
from studio.survey import Survey

__all__ = ["DistrictState", "Situation"]


_SPOKEN = {"box": "a box", "zone": "a zone", "street": "a street section", "": "neither box, zone nor street section"}

_HELD = {
    "enemies": ("box",),
    "suspects": ("box",),
    "controlled": ("zone",),
    "fanatics": ("zone",),
    "security": ("zone", "box"),
    "squads": ("box", "street"),
    "pinned": ("box", "street"),
    "tanks": ("street", "box"),
}
"""What kinds of locations the fields of the state hold."""


class DistrictState(MoveState, frozen=True, kw_only=True):
    """Who is where in Phantom Fury, beside the markers of the map. `enemies` are the 'Insurgents' units.

    Parameters
    ----------
    suspects : frozenset of int
        Numbers of the boxes with a 'Suspect' marker.
    controlled : frozenset of int
        Zones under USMC control, beside those with a marker; all others are under insurgent control.
    squads : frozenset of int
        Boxes and street sections with another USMC or IIF squad than the one that moves.
    pinned : frozenset of int
        Those whose squad is Pinned.
    tanks : frozenset of int
        Street sections and boxes with another M1A1 Abrams.
    security : frozenset of int
        Zones with a Security Element, or the boxes that it is in.
    fanatics : frozenset of int
        Zones with a 'Fanaticism' marker, beside those of the map.
    reduced : bool
        The squad that moves has suffered a Step Loss.
    detached : bool
        Its Security Element is detached.
    """

    suspects: frozenset[int] = frozenset()
    controlled: frozenset[int] = frozenset()
    squads: frozenset[int] = frozenset()
    pinned: frozenset[int] = frozenset()
    tanks: frozenset[int] = frozenset()
    security: frozenset[int] = frozenset()
    fanatics: frozenset[int] = frozenset()
    reduced: bool = False
    detached: bool = False


class Situation:
    """A district and a state of the game on it. Zones and street sections go by their ids, as in the district.

    Parameters
    ----------
    survey : Survey
    options : mapping
        Options of the ruleset, all of them.
    state : DistrictState

    Raises
    ------
    ScenarioRuleError
        When a field of the state holds a location of the wrong kind.

    Attributes
    ----------
    numbers : dict of str to int
        Numbers of the locations by the id of their feature.
    home : dict of int to str
        Zone of every box by its number; zones and street sections stand for themselves.
    """

    def __init__(self, survey: Survey, options: Mapping[str, Any], state: DistrictState) -> None:
        self.survey, self.options, self.state = survey, dict(options), state
        self.district = district = District(survey)
        self.directory = survey.directory
        self.numbers = {one.feature: one.number for one in self.directory.others}
        self.home: dict[int, str] = {
            self.numbers[area_id]: area_id for area_id in district.areas if area_id in self.numbers
        }
        for box in district.boxes.values():
            zone = district.home(box)
            if zone is not None:
                self.home[self.numbers[box.id]] = zone
        self._check_state()
        self.rubble = frozenset(self.numbers[district.boxes[label].id] for label in district.rubble())

    def _check_state(self) -> None:
        """Refuse locations that are not of the kind that a field of the state holds: a box is not its zone.

        Raises
        ------
        ScenarioRuleError
            When there is one.
        """
        for name, kinds in _HELD.items():
            for number in sorted(getattr(self.state, name)):
                kind = self._kind(number)
                if kind not in kinds:
                    allowed = " or ".join(_SPOKEN[one] for one in kinds)
                    msg = f"{name}: {self.label(number)} is {_SPOKEN[kind]}, allowed: {allowed}; name it by its label"
                    raise ScenarioRuleError(msg)

    def _kind(self, number: int) -> str:
        if self.is_box(number):
            return "box"
        home = self.home.get(number)
        return "" if home is None else "zone" if self.district.is_zone(home) else "street"

    # -- names -----------------------------------------------------------------------------------------------------

    def label(self, number: int) -> str:
        """Return the label of a location."""
        return self.directory.label(number)

    def box_numbers(self, zone: str) -> list[int]:
        """Return the boxes of a zone that there still are."""
        return sorted(
            self.numbers[box.id]
            for box in self.district.boxes.values()
            if self.district.home(box) == zone and self.numbers[box.id] not in self.rubble
        )

    def is_street(self, number: int) -> bool:
        """Tell whether a location is a street section."""
        home = self.home.get(number)
        return home is not None and not self.district.is_zone(home)

    def is_box(self, number: int) -> bool:
        """Tell whether a location is a box of a zone."""
        return number in self.home and self.directory.location(number).kind == "place"

    def holy(self, zone: str) -> bool:
        """Tell whether a zone is a holy building: zone 26."""
        return "holy" in self.district.areas[zone].tags

    def shut(self, area_id: str) -> bool:
        """Tell whether no unit may enter a zone or street section: zone 27, and what is out of play (12.4.1)."""
        return self.district.shut(area_id)

    # -- control and occupation ------------------------------------------------------------------------------------

    @cached_property
    def _controlled(self) -> frozenset[str]:
        marked = self.survey.cells_with_marker("usmc_control")
        return frozenset(self.home[number] for number in (*self.state.controlled, *marked) if number in self.home)

    @cached_property
    def fanatics(self) -> frozenset[str]:
        """Zones under the effect of the 'Fanaticism' event (13.4.3.3)."""
        marked = self.survey.cells_with_marker("fanaticism")
        return frozenset(self.home[number] for number in (*self.state.fanatics, *marked) if number in self.home)

    def controlled(self, zone: str) -> bool:
        """Tell whether a zone is under USMC control (14.1); neither side controls zone 27 (4.1.4)."""
        return zone in self._controlled and not self.shut(zone)

    def within(self, numbers: Iterable[int], area_id: str) -> list[int]:
        """Return which of some locations belong to a zone or are a street section."""
        return sorted(number for number in numbers if self.home.get(number) == area_id)

    def squads_in(self, area_id: str) -> list[int]:
        """Return where in a zone or street section squads are."""
        return self.within(self.state.squads | self.state.pinned, area_id)

    def tanks_in(self, area_id: str) -> list[int]:
        """Return where in a zone or street section M1A1 Abrams are."""
        return self.within(self.state.tanks, area_id)

    def hostile_in(self, zone: str) -> list[int]:
        """Return where in a zone 'Insurgents' units and 'Suspect' markers are."""
        return self.within(self.state.enemies | self.state.suspects, zone)

    def is_taken(self, number: int) -> str:
        """Return what of the insurgents is in a box, empty for nothing."""
        if number in self.state.enemies:
            return "an 'Insurgents' unit"
        return "a 'Suspect' marker" if number in self.state.suspects else ""

    def free_boxes(self, zone: str) -> list[int]:
        """Return the boxes of a zone that nobody is in (12.2.1.2)."""
        held = self.state.squads | self.state.pinned
        return [number for number in self.box_numbers(zone) if number not in held and not self.is_taken(number)]

    def guard(self, section: str) -> str:
        """Return what guards a street section against retreat and infiltration, empty for nothing (13.6.5, 14.4)."""
        district = self.district
        if self.tanks_in(section):
            return f"an M1A1 Abrams is in {district.spoken(section)}"
        for zone in district.sorted(district.zones_beside(section)):
            if self.controlled(zone) and self.squads_in(zone):
                return f"{district.spoken(section)} is beside zone {district.label(zone)}, which a squad holds"
        return ""

    def sections_between(self, a: str, b: str) -> list[str]:
        """Return the street sections that separate two zones: those beside both, else pairs that are Adjacent."""
        district = self.district
        if b in district.zones_beside(a):
            return []
        common = district.common_streets(a, b)
        if common:
            return common
        far = district.streets_beside(b)
        pairs = {
            section
            for near in district.streets_beside(a)
            for other in far & district.streets_beside(near)
            for section in (near, other)
        }
        return district.sorted(pairs)
