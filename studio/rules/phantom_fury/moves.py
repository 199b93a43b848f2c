"""What a move costs in Phantom Fury, and what forbids it (12); every location that is entered costs a point."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from studio.paths import CostPart
from studio.rules.phantom_fury.situation import Situation

__all__ = ["IIF", "TANK", "Move", "closed", "moves_of", "parts_of"]

TANK, IIF = "m1a1_abrams", "iif_squad"

_POINT = 2  # half points of a location that is entered (12.3)


class Move(NamedTuple):
    """A move from a location to another.

    Attributes
    ----------
    a, b : int
    by : {"arrow", "door", "roof", "street", "section", "crossing"}
        As of passages; a crossing leads from a box over a street section to another box.
    over : str
        Id of the street section of a crossing.
    """

    a: int
    b: int
    by: str
    over: str = ""


# -- which moves there are ------------------------------------------------------------------------------------------


def moves_of(situation: Situation, mover: str) -> Iterator[Move]:
    """Yield the moves that a kind of unit may think of, in both directions unless an arrow leads one way."""
    if mover == TANK:
        yield from _by_tank(situation)
    else:
        yield from _on_foot(situation)


def _on_foot(situation: Situation) -> Iterator[Move]:
    district, numbers = situation.district, situation.numbers
    doors: dict[str, list[int]] = {}
    for passage in district.passages():
        if passage.by == "section":
            continue
        b = numbers[district.boxes[passage.b].id]
        if passage.by == "street":
            street = district.id_of(passage.a)
            assert street is not None  # passages name what there is
            doors.setdefault(street, []).append(b)
            yield Move(numbers[street], b, "street")
            yield Move(b, numbers[street], "street")
            continue
        a = numbers[district.boxes[passage.a].id]
        yield Move(a, b, passage.by)
        if not passage.one_way:
            yield Move(b, a, passage.by)
    for street, behind in doors.items():
        boxes = sorted({*behind, *_along_symbols(situation, street)})
        yield from (
            Move(a, b, "crossing", street) for a in boxes for b in boxes if a != b and _leads_over(situation, a, b)
        )


def _along_symbols(situation: Situation, street: str) -> Iterator[int]:
    """Yield the boxes with a door in the zones that the target symbol of a street section names (4.3.1.2)."""
    if situation.options["crossing_symbols"] == "doors":
        district = situation.district
        for label in district.doors:
            if district.home(district.boxes[label]) in district.targets.get(street, ()):
                yield situation.numbers[district.boxes[label].id]


def _leads_over(situation: Situation, a: int, b: int) -> bool:
    """Tell whether crossing a street section is the way from one zone to another (12.4, 12.5)."""
    if situation.options["crossing"] == "any":
        return True
    begin, end = situation.home[a], situation.home[b]
    return begin != end and end not in situation.district.zones_beside(begin)


def _by_tank(situation: Situation) -> Iterator[Move]:
    district, numbers = situation.district, situation.numbers
    for street in district.streets:
        here = numbers[street]
        for other in district.sorted(district.streets_beside(street)):
            yield Move(here, numbers[other], "section")
    for label, box in district.boxes.items():
        zone = district.home(box)
        if box.type != "open_ground" or zone is None:
            continue
        if situation.options["abrams_door"] == "needed" and label not in district.doors:
            continue
        for street in district.sorted(district.streets_beside(zone)):
            yield Move(numbers[street], numbers[box.id], "street")
            yield Move(numbers[box.id], numbers[street], "street")


# -- what they cost -------------------------------------------------------------------------------------------------

_WORDS = {
    "arrow": ("12.3", "along the arrow"),
    "door": ("12.4", "through the door entry symbol"),
    "roof": ("12.4", "over the roof entry symbol"),
}


def parts_of(situation: Situation, mover: str, move: Move) -> Iterator[CostPart]:
    """Yield the parts of a move: what is paid, what forbids it, and what happens on the way."""
    label, district = situation.label, situation.district
    name = label(move.b)
    if move.by == "crossing":
        spoken = district.spoken(move.over)
        yield CostPart("12.5", _POINT, f"into {spoken}")
        yield CostPart("12.5", _POINT, f"{name}: on the other side")
        yield from _section(situation, move.over)
    elif move.by in _WORDS:
        rule, how = _WORDS[move.by]
        yield CostPart(rule, _POINT, f"{name}: {how}")
    elif mover == TANK:
        how = "the next street section" if move.by == "section" else "out of or into the open ground"
        yield CostPart("12.6.2", _POINT, f"{name}: {how}")
    elif situation.is_street(move.b):
        text = f"{name}: a squad crosses a street section into another zone, and does not stay in it"
        yield CostPart("12.2.3", None, text)
    else:
        yield CostPart("12.5", _POINT, f"{name}: out of {district.spoken(situation.home[move.a])}")
    yield from closed(situation, mover, move)
    if mover != TANK:
        yield from _events(situation, move)


def _section(situation: Situation, street: str) -> Iterator[CostPart]:
    """Yield what forbids crossing a street section."""
    district = situation.district
    if situation.shut(street):
        yield CostPart("12.4.1", None, f"{district.spoken(street)}: out of play, so no unit enters it")
    if situation.squads_in(street):
        yield CostPart("12.2.3", None, f"{district.spoken(street)}: a squad is in it already")
    if situation.numbers[street] in situation.state.blocked:
        yield CostPart("12.2.3", None, f"{district.spoken(street)}: closed at the moment")


def closed(situation: Situation, mover: str, move: Move) -> Iterator[CostPart]:
    """Yield what forbids a move: what is at its end, and what keeps a unit where it is."""
    name, home = situation.label(move.b), situation.home[move.b]
    district, state = situation.district, situation.state
    if move.b in situation.rubble:
        yield CostPart("4.1.6", None, f"{name}: rubble, and this location of the ruins no longer exists")
    if situation.shut(home):
        yield CostPart("12.4.1", None, f"{district.spoken(home)}: no unit enters it")
    if move.b in state.blocked:
        yield CostPart("12.2", None, f"{name}: closed at the moment")
    taken = situation.is_taken(move.b)
    if mover == TANK:
        if situation.is_street(move.b) and situation.tanks_in(home):
            yield CostPart("12.2.3", None, f"{district.spoken(home)}: an M1A1 Abrams is in it already")
        if taken and situation.options["abrams_enemies"] == "closed":
            yield CostPart("12.3", None, f"{name}: {taken} is in it")
        return
    if taken:
        yield CostPart("12.3", None, f"{name}: {taken} is in it")
    if situation.is_street(move.b):
        yield from _section(situation, home)
        return
    if situation.home[move.a] != home:
        yield from _kept(situation, move)
        yield from _zone(situation, mover, home)


def _kept(situation: Situation, move: Move) -> Iterator[CostPart]:
    """Yield what keeps a squad in the zone that it is in (12.1.2, 12.3.2.2, 12.4.2)."""
    begin, end = situation.home[move.a], situation.home[move.b]
    district, state = situation.district, situation.state
    if not district.is_zone(begin):
        return
    spoken = district.spoken(begin)
    if state.detached:
        yield CostPart("12.3.2.2", None, f"{spoken}: a squad does not leave its Security Element")
    if situation.controlled(begin):
        return
    if not situation.hostile_in(begin):
        yield CostPart("12.1.2", None, f"{spoken}: no insurgents are left, and the squad stays to take control")
    elif not state.reduced:
        yield CostPart("12.4.2", None, f"{spoken}: under insurgent control, left after a Step Loss only")
    elif not situation.controlled(end):
        text = f"{district.spoken(end)}: a squad takes cover in a zone under USMC control only"
        yield CostPart("12.4.2", None, text)


def _zone(situation: Situation, mover: str, zone: str) -> Iterator[CostPart]:
    """Yield what forbids a squad to enter a zone (12.2.1.1, 12.4.1, 5.1.6.1)."""
    spoken = situation.district.spoken(zone)
    holy = situation.holy(zone)
    if holy and mover != IIF:
        yield CostPart("12.4.1", None, f"{spoken}: no USMC squad enters the mosque")
    if situation.controlled(zone):
        return
    if mover == IIF and not holy:
        yield CostPart("5.1.6.1", None, f"{spoken}: IIF squads enter no zone under insurgent control")
    if situation.squads_in(zone) and not (holy and mover == IIF):
        yield CostPart("12.2.1.1", None, f"{spoken}: under insurgent control it holds one squad only")


# -- what happens on the way ----------------------------------------------------------------------------------------


def _events(situation: Situation, move: Move) -> Iterator[CostPart]:
    """Yield the attacks that a squad suffers on its way: they cost no points (12.5.2, 12.7.1)."""
    if move.by == "crossing":
        yield from _snipers(situation, move.over)
    kind = situation.directory.location(move.b).type
    home = situation.home[move.b]
    if kind in ("open_ground", "courtyard") and not situation.controlled(home):
        fire = _counted(situation, [home])
        if fire:
            text = f"{situation.label(move.b)}: Defensive Fire of {fire} in {situation.district.spoken(home)}"
            yield CostPart("12.7.1", 0, text)


def _snipers(situation: Situation, street: str) -> Iterator[CostPart]:
    district = situation.district
    zones = [zone for zone in district.sniper_zones(street) if situation.hostile_in(zone)]
    if not zones:
        return
    named = ", ".join(district.label(zone) for zone in zones)
    text = f"{district.spoken(street)}: Sniper Attack by {_counted(situation, zones)} (zones {named})"
    if situation.tanks_in(street):
        text += "; the M1A1 Abrams there keeps 'Suspect' markers out of it and turns a Step Loss into Pinned"
    yield CostPart("12.5.2", 0, text)


def _counted(situation: Situation, zones: list[str]) -> str:
    """Return how many units and markers of the insurgents are in some zones, empty for none."""
    words = []
    for numbers, noun in (
        (situation.state.enemies, "'Insurgents' unit"),
        (situation.state.suspects, "'Suspect' marker"),
    ):
        count = sum(len(situation.within(numbers, zone)) for zone in zones)
        if count:
            words.append(f"{count} {noun}{'s' * (count > 1)}")
    return " and ".join(words)
