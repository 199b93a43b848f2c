"""The draws of Phantom Fury before the first turn (chapter 6): squads, start zones, suspects; the same for a seed.

The text gives ranges and rules, not the counters themselves. What only these show is an input with a default of our
own: the combat factors of the squads (4 to 6, 5.1.1), those of the insurgents (1 to 4, 5.2.1), how many insurgents and
suspects there are, and which boxes a suspect names in which order (5.3.2).
"""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import msgspec

from studio.errors import ScenarioRuleError
from studio.model import Batch, Delete, Edit, Formation, Put, ScenarioDocument, SetField, UnitRecord
from studio.rules.lots import lucky
from studio.survey import Survey

__all__ = ["Cups", "DrawnSetUp", "Suspect", "draw_set_up"]

BOXES = ("OG", "C", "1", "2", "R")
"""Kinds of boxes of a zone (4.2.1)."""

MOSQUE = "26"
"""The zone that is fortified from the start and gets three suspects (5.3.2)."""

_SQUAD, _CAAT, _SUSPECT = "usmc.squad", "usmc.caat", "insurgents.suspect"
_GUERILLAS, _MARTYRS, _DUMMY = "guerillas", "martyrs", "dummy"
_STRONGEST = 4  # most strong points that a player may choose (6.1.2)
_ORDERS = tuple(BOXES[turn:] + BOXES[:turn] for turn in range(5))


class Cups(msgspec.Struct, frozen=True, kw_only=True):
    """What is in the cups: figures and mixes that the text leaves to the counters.

    Parameters
    ----------
    squads : tuple of int
        Combat factors of the USMC squads; by default five of 4, five of 5 and five of 6.
    insurgents : tuple of (int, int)
        Factors of each insurgent unit as 'Guerillas' and as 'Martyrs'; by default two of each pair of 1 to 3 and 1 to
        4, since only martyrs have a 4 (5.2).
    suspects : tuple of tuple of str
        Kinds of boxes that each suspect names, first choice first; by default four of each of the ten orders that go
        round through open ground, courtyard, first and second story and rooftop from any of these, up or down.
    zones : int
        Zones that draw when they are activated (4.1.3).
    """

    squads: tuple[int, ...] = (4,) * 5 + (5,) * 5 + (6,) * 5
    insurgents: tuple[tuple[int, int], ...] = tuple((a, b) for a in (1, 2, 3) for b in (1, 2, 3, 4)) * 2
    suspects: tuple[tuple[str, ...], ...] = (*_ORDERS, *(order[::-1] for order in _ORDERS)) * 4
    zones: int = 50


class Suspect(msgspec.Struct, frozen=True, kw_only=True):
    """A suspect that was placed in a start zone and activated.

    Attributes
    ----------
    zone, box : str
        Labels; the box is empty where the zone had none free.
    roll : int
        0 to 9; -1 where it was not placed.
    result : {"dummy", "guerillas", "martyrs", "back"}
        In a start zone a 0 is a dummy (6.2); ``back`` in the cup where no box was free.
    combat : int
        Factor of the insurgents that it turned out to be, else 0.
    """

    zone: str
    box: str
    roll: int
    result: str
    combat: int = 0


class DrawnSetUp(msgspec.Struct, frozen=True, kw_only=True):
    """What is where before the first turn, and what stays in each cup.

    Attributes
    ----------
    squads : dict of str to int
        Combat factor of the squad in each entry box.
    company, battalion : tuple of int
        Factors of the squads among the company's and the battalion's reinforcements.
    caats : tuple of str
        Entry boxes whose squads have a CAAT support.
    suspects : tuple of Suspect
    insurgents : dict of str to tuple of (str, int)
        Side up and factor of the insurgents, by box.
    strong_points, zones_left : int
        Markers in the cup of the zones.
    insurgents_left : tuple of (int, int)
    suspects_left : int
    contested : tuple of str
        Entry boxes with insurgents in them, where two cannot be (12.2): the player decides.
    """

    squads: dict[str, int]
    company: tuple[int, ...]
    battalion: tuple[int, ...]
    caats: tuple[str, ...]
    suspects: tuple[Suspect, ...]
    insurgents: dict[str, tuple[str, int]]
    strong_points: int
    zones_left: int
    insurgents_left: tuple[tuple[int, int], ...]
    suspects_left: int
    contested: tuple[str, ...]

    def step(self, document: ScenarioDocument) -> Batch:
        """Return the step that places what was drawn in a scenario.

        Raises
        ------
        ScenarioRuleError
            When the scenario has other squads than were drawn for.
        """
        return _Placing(document).step(self)


def draw_set_up(
    document: ScenarioDocument,
    survey: Survey,
    seed: int | str,
    *,
    strong_points: int = 1,
    cups: Cups | None = None,
) -> DrawnSetUp:
    """Make the draws of the set-up (6.1 to 6.3).

    Parameters
    ----------
    document : ScenarioDocument
        Its squads that are set up stand in the entry boxes of the start zones.
    survey : Survey
        Of its map.
    seed : int or str
    strong_points : int
        'Activated Strong Point' markers that the player puts in the cup, 1 to 4; as many zone markers go out (6.1.2).
    cups : Cups, optional

    Raises
    ------
    ScenarioRuleError
        When the number of strong points is not allowed, or the cups hold too little.
    """
    if not 1 <= strong_points <= _STRONGEST:
        msg = f"strong_points: got {strong_points}; allowed are 1 to {_STRONGEST} (6.1.2)"
        raise ScenarioRuleError(msg)
    cups = cups or Cups()
    entries = _Placing(document).entries
    if len(cups.squads) < len(entries) or not entries:
        msg = f"cups.squads: {len(cups.squads)} squads for {len(entries)} entry boxes; give one for each, and reserves"
        raise ScenarioRuleError(msg)
    cup = _Suspects(survey, cups, lucky(seed, "suspects"))
    zones = list(dict.fromkeys(entry.rpartition(" ")[0] for entry in entries))
    placed = [one for zone in zones for one in cup.place(zone, 3 if zone == MOSQUE else 2)]
    suspects = [cup.activate(*one) for one in placed]
    squads = lucky(seed, "squads").sample(cups.squads, len(cups.squads))
    reserves = squads[len(entries) :]
    caats = lucky(seed, "caats").sample(entries, min(4, len(entries)))
    return DrawnSetUp(
        squads=dict(zip(entries, squads, strict=False)),
        company=tuple(reserves[:3]),
        battalion=tuple(reserves[3:]),
        caats=tuple(sorted(caats, key=entries.index)),
        suspects=tuple(suspects),
        insurgents=dict(cup.insurgents),
        strong_points=strong_points,
        zones_left=cups.zones - strong_points,
        insurgents_left=tuple(sorted(cup.units)),
        suspects_left=len(cup.markers),
        contested=tuple(entry for entry in entries if entry in cup.insurgents),
    )


class _Suspects:
    """Suspects and insurgents in their cups and on the map."""

    def __init__(self, survey: Survey, cups: Cups, rng: random.Random) -> None:
        self.rng = rng
        self.markers, self.units = list(cups.suspects), list(cups.insurgents)
        self.insurgents: dict[str, tuple[str, int]] = {}
        self._held: dict[str, tuple[str, ...]] = {}
        self._boxes: dict[str, list[str]] = defaultdict(list)
        for place in survey.directory.of("place"):
            zone, _, box = place.label.rpartition(" ")
            if box.rstrip("'\"") in BOXES:
                self._boxes[zone].append(place.label)

    def place(self, zone: str, number: int) -> list[tuple[str, str]]:
        """Draw suspects for a zone and put each in the first free box that it names (5.3.2)."""
        found = []
        for _ in range(number):
            if not self.markers:
                msg = f"cups.suspects: no marker is left for zone {zone}; give more of them"
                raise ScenarioRuleError(msg)
            marker = self.markers.pop(self.rng.randrange(len(self.markers)))
            box = self._first_free(zone, marker)
            if box:
                self._held[box] = marker
            else:
                self.markers.append(marker)
            found.append((zone, box))
        return found

    def _first_free(self, zone: str, marker: tuple[str, ...]) -> str:
        for kind in marker:
            for mark in ("", "'", '"'):
                label = f"{zone} {kind}{mark}"
                if label in self._boxes[zone] and label not in self._held and label not in self.insurgents:
                    return label
        return ""

    def activate(self, zone: str, box: str) -> Suspect:
        """Activate a suspect in a normal zone of the start: 0 to 5 dummy, 6 to 8 guerillas, 9 martyrs (5.3.3, 6.2)."""
        if not box:
            return Suspect(zone=zone, box="", roll=-1, result="back")
        roll = self.rng.randrange(10)
        self.markers.append(self._held.pop(box))
        if roll <= 5:
            return Suspect(zone=zone, box=box, roll=roll, result=_DUMMY)
        if not self.units:
            msg = f"cups.insurgents: none is left for {box}; give more of them"
            raise ScenarioRuleError(msg)
        unit = self.units.pop(self.rng.randrange(len(self.units)))
        side = _MARTYRS if roll == 9 else _GUERILLAS
        combat = unit[side == _MARTYRS]
        self.insurgents[box] = side, combat
        return Suspect(zone=zone, box=box, roll=roll, result=side, combat=combat)


class _Placing:
    """Where the drawn units belong in a scenario: by their types, and by when they arrive."""

    def __init__(self, document: ScenarioDocument) -> None:
        self.parts = [(force.id, part) for force in document.forces for part in force.formations]
        self.company = self._squads("set_up")
        self.entries = [unit.at for _, unit in self.company if unit.at]

    def _squads(self, arrival: str) -> list[tuple[str, UnitRecord]]:
        found = [(side, part) for side, part in self.parts if part.arrival == arrival]
        found.sort(key=lambda one: one[1].arrival_turn)
        return [(_path(side, part), unit) for side, part in found for unit in part.units if unit.type == _SQUAD]

    def step(self, drawn: DrawnSetUp) -> Batch:
        edits: list[Edit] = []
        at = {unit.at: unit.id for _, unit in self.company if unit.at}
        if set(at) != set(drawn.squads):
            msg = f"the squads of the scenario stand in {sorted(at)}, those drawn in {sorted(drawn.squads)}; draw anew"
            raise ScenarioRuleError(msg)
        for path, unit in self.company:
            if unit.at:
                edits.append(SetField(field=f"{path}/{unit.id}/figures", value={"combat": drawn.squads[unit.at]}))
        for (path, unit), factors in zip(self._squads("enter"), (drawn.company, drawn.battalion), strict=False):
            edits += self._split(path, unit, factors)
        caats = [(_path(side, part), unit) for side, part in self.parts for unit in part.units if unit.type == _CAAT]
        for (path, unit), box in zip(caats, drawn.caats, strict=False):
            edits.append(SetField(field=f"{path}/{unit.id}/carried_by", value=at[box]))
        edits += self._insurgents(drawn)
        return Batch(title="Draw the set-up", edits=edits)

    def _split(self, path: str, unit: UnitRecord, factors: tuple[int, ...]) -> list[Edit]:
        """Give each counter of a record its own factor: one keeps the id."""
        edits: list[Edit] = []
        for number, factor in enumerate(factors, 1):
            made = msgspec.structs.replace(
                unit, id=unit.id if number == 1 else f"{unit.id}-{number}", count=1, figures={"combat": factor}
            )
            edits.append(Put(collection=path, record=_plain(made)))
        return edits

    def _insurgents(self, drawn: DrawnSetUp) -> list[Edit]:
        """Take the suspects out that were activated, and put in what they turned out to be."""
        edits: list[Edit] = []
        home = ""
        for side, part in self.parts:
            for unit in part.units:
                if part.arrival == "set_up" and unit.type == _SUSPECT:
                    home = _path(side, part)
                    edits.append(Delete(collection=home, id=unit.id))
        for number, (box, (side_up, combat)) in enumerate(sorted(drawn.insurgents.items()), 1):
            unit = UnitRecord(id=f"drawn-{number}", type=f"insurgents.{side_up}", at=box, figures={"combat": combat})
            if home:
                edits.append(Put(collection=home, record=_plain(unit)))
        return edits


def _path(side: str, part: Formation) -> str:
    return f"forces/{side}/formations/{part.id}/units"


def _plain(unit: UnitRecord) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(unit)
    return found
