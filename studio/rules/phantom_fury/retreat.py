"""Retreat of 'Guerillas' units by the egress routes (13.6), and infiltration (14.4): what happens, and why.

What the dice or a drawn marker decide is left open: the boxes that are free are named.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from studio.errors import GridError
from studio.model import Link, natural_key
from studio.rules.phantom_fury.situation import Situation

__all__ = ["Infiltration", "Retreat", "RouteTried", "infiltrations_of", "retreat_of"]


class RouteTried(msgspec.Struct, frozen=True):
    """One egress route.

    Attributes
    ----------
    order : int
        Its priority, 1 first.
    to : str
        Label of the zone or exit that it leads to.
    open : bool
    rule, text : str
        By which rule it is open or closed, and why.
    """

    order: int
    to: str
    open: bool
    rule: str
    text: str


class Retreat(msgspec.Struct, frozen=True):
    """What becomes of a 'Guerillas' unit that has to retreat.

    Attributes
    ----------
    zone : str
        Label of the zone that it is in.
    to : str
        Label of the zone or exit that it goes to, empty when it stays.
    boxes : tuple of str
        Boxes that it may come to: the first free one of a 'Suspect' marker that is drawn (13.6.2.1).
    leaves : bool
        It leaves the map for good (13.6.6).
    flips : bool
        The zone that it enters passes back under insurgent control (13.6.3).
    tried : tuple of RouteTried
        Routes in the order of their priority, up to the one that is taken.
    rule, text : str
    """

    zone: str
    to: str
    boxes: tuple[str, ...]
    leaves: bool
    flips: bool
    tried: tuple[RouteTried, ...]
    rule: str
    text: str

    def to_dict(self) -> dict[str, Any]:
        """Return the retreat as plain data for JSON."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    def __str__(self) -> str:
        lines = [
            f"  {one.order}. {one.to}: {'open' if one.open else 'closed'}, {one.text} [{one.rule}]"
            for one in self.tried
        ]
        return "\n".join([f"{self.text} [{self.rule}]", *lines])


class Infiltration(msgspec.Struct, frozen=True):
    """Whether a zone under USMC control is infiltrated.

    Attributes
    ----------
    zone : str
        Label.
    by : tuple of str
        Zones that it is infiltrated from; empty when it is not.
    tried : tuple of RouteTried
        Every zone under insurgent control beside it, in order; ``order`` only counts them.
    text : str
    """

    zone: str
    by: tuple[str, ...]
    tried: tuple[RouteTried, ...]
    text: str

    def __str__(self) -> str:
        return "\n".join([self.text, *(f"  {one.to}: {one.text} [{one.rule}]" for one in self.tried)])


# -- retreat (13.6) --------------------------------------------------------------------------------------------------


def retreat_of(situation: Situation, number: int) -> Retreat:
    """Return what becomes of a 'Guerillas' unit that has to retreat.

    Parameters
    ----------
    situation : Situation
    number : int
        Number of its box, or of its zone.

    Raises
    ------
    GridError
        When the location is no zone, and no box of one.
    """
    zone = situation.home.get(number)
    if zone is None or not situation.district.is_zone(zone):
        msg = f"{situation.label(number)} is no zone and no box of one: 'Guerillas' units retreat from zones"
        raise GridError(msg)
    label = situation.district.label(zone)
    kept = _kept(situation, zone)
    if kept is not None:
        return Retreat(label, "", (), False, False, (), kept[0], f"Zone {label}: the unit stays; {kept[1]}")
    tried = []
    for link in _routes(situation, label):
        one = _try(situation, zone, link)
        tried.append(one)
        if one.open:
            return _taken(situation, label, one, tuple(tried))
    text = f"Zone {label}: the unit stays, since no egress route is open to it"
    return Retreat(label, "", (), False, False, tuple(tried), "13.6.2.4", text)


def _kept(situation: Situation, zone: str) -> tuple[str, str] | None:
    """Return the rule and the reason why no unit of a zone retreats, None when there is none."""
    if situation.holy(zone):
        return "13.6", "in the mosque 'Guerillas' units do not retreat"
    if zone in situation.fanatics:
        return "13.4.3.3", "under 'Fanaticism' units do not retreat"
    if situation.within(situation.state.security, zone):
        return "13.6.4", "a Security Element bars the way, and its CF is reduced by 1, to 1 at the least"
    return None


def _routes(situation: Situation, label: str) -> list[Link]:
    links = [link for link in situation.survey.features_of(Link) if link.type == "egress" and link.a == label]
    return sorted(links, key=lambda link: (link.order, natural_key(link.id)))


def _taken(situation: Situation, label: str, one: RouteTried, tried: tuple[RouteTried, ...]) -> Retreat:
    target = situation.district.id_of(one.to)
    if one.to in situation.district.off_zones or target is None:
        text = f"Zone {label}: the unit leaves the map by {one.to} for good"
        return Retreat(label, one.to, (), True, False, tried, one.rule, text)
    boxes = tuple(situation.label(number) for number in situation.free_boxes(target))
    flips = situation.controlled(target)
    text = f"Zone {label}: the unit retreats to zone {one.to}"
    if flips:
        text += ", which passes back under insurgent control"
    return Retreat(label, one.to, boxes, False, flips, tried, one.rule, text)


def _try(situation: Situation, zone: str, link: Link) -> RouteTried:
    district = situation.district
    out = district.off_zones.get(link.b)
    if out is not None and out.type == "exit":
        isolated = _exit_isolation(situation, zone)
        if isolated:
            return RouteTried(link.order, link.b, False, "13.6.6", f"isolated: {isolated}")
        return RouteTried(link.order, link.b, True, "13.6.6", "off the map")
    target = district.id_of(link.b)
    if target is None or not district.is_zone(target):
        return RouteTried(link.order, link.b, False, "4.1.7", "there is no such zone")
    if target == zone:
        return RouteTried(link.order, link.b, False, "4.1.7", "it leads to the zone that the unit is in")
    why = _why_closed(situation, zone, target)
    if why is not None:
        return RouteTried(link.order, link.b, False, *why)
    return RouteTried(link.order, link.b, True, "13.6.2", "a box of it is free")


def _why_closed(situation: Situation, zone: str, target: str) -> tuple[str, str] | None:
    """Return the rule and the reason why a unit cannot retreat into a zone, None when it can."""
    if situation.shut(target):
        return "12.4.1", "no unit enters it"
    if situation.controlled(target) and situation.squads_in(target):
        squad = situation.label(situation.squads_in(target)[0])
        return "13.6.3", f"under USMC control with a squad in {squad}"
    if not situation.free_boxes(target):
        return "12.2.1.2", "all its boxes are taken"
    isolated = _isolation(situation, situation.sections_between(zone, target))
    return ("13.6.5", f"isolated: {isolated}") if isolated else None


def _isolation(situation: Situation, sections: list[str]) -> str:
    """Return what guards all of some street sections, so that it isolates a unit; empty when one is free (13.6.5)."""
    guards = [situation.guard(section) or _beside_tank(situation, section) for section in sections]
    return "; ".join(guards) if guards and all(guards) else ""


def _beside_tank(situation: Situation, section: str) -> str:
    district = situation.district
    for other in district.sorted(district.streets_beside(section)):
        if situation.tanks_in(other):
            return f"an M1A1 Abrams is in {district.spoken(other)}, next to {district.spoken(section)}"
    return ""


def _exit_isolation(situation: Situation, zone: str) -> str:
    """Return what isolates a unit from the edge of the map (13.6.6): guards of all street sections beside its zone."""
    if situation.options["exit_isolation"] == "none":
        return ""
    return _isolation(situation, situation.district.sorted(situation.district.streets_beside(zone)))


# -- infiltration (14.4) ---------------------------------------------------------------------------------------------


def infiltrations_of(situation: Situation) -> Iterator[Infiltration]:
    """Yield for every zone under USMC control without USMC units whether it is infiltrated, and from where.

    Parameters
    ----------
    situation : Situation
        As it is before the first infiltration: a zone that was just infiltrated is no base for another one.
    """
    district = situation.district
    for zone in district.zones:
        if not situation.controlled(zone) or _has_units(situation, zone):
            continue
        tried: list[RouteTried] = []
        for other in district.sorted(district.zones_beside(zone) | district.neighbouring(zone)):
            if not situation.controlled(other) and not situation.shut(other):
                is_open, rule, text = _infiltrates(situation, other, zone)
                tried.append(RouteTried(len(tried) + 1, district.label(other), is_open, rule, text))
        by = tuple(one.to for one in tried if one.open)
        label = district.label(zone)
        text = f"Zone {label}: infiltrated from zone {', '.join(by)}" if by else f"Zone {label}: not infiltrated"
        yield Infiltration(label, by, tuple(tried), text)


def _has_units(situation: Situation, zone: str) -> bool:
    return bool(situation.squads_in(zone) or situation.tanks_in(zone))


def _infiltrates(situation: Situation, base: str, zone: str) -> tuple[bool, str, str]:
    """Return whether insurgents of a zone infiltrate another one, by which rule, and why."""
    if not situation.hostile_in(base):
        return False, "14.4", "nobody is in it"
    if _has_units(situation, base):
        return False, "14.4", "USMC units are in it"
    sections = situation.sections_between(base, zone)
    guards = [why for section in sections if (why := _watched(situation, section))]
    barred = bool(guards) and (situation.options["infiltration"] == "one" or len(guards) == len(sections))
    if barred:
        return False, "14.4", "; ".join(guards)
    return True, "14.4", "Adjacent" if not sections else "Neighbouring, and nobody watches the street"


def _watched(situation: Situation, section: str) -> str:
    pinned = situation.within(situation.state.pinned, section)
    if pinned:
        return f"a Pinned squad is in {situation.district.spoken(section)}"
    return situation.guard(section)
