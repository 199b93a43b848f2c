"""Where a list of what is next to what, kept by hand, and the drawn map disagree (4.1.1, 4.1.2, 4.1.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

import msgspec

from studio.errors import nearest
from studio.model import natural_key
from studio.rules.phantom_fury.district import District
from studio.survey import Survey

__all__ = ["Disagreement", "ZoneLists", "compare_adjacency"]

Relation: TypeAlias = Literal["adjacent", "neighbouring", "targets"]

_SECTION: dict[str, str] = {"adjacent": "4.1.1", "neighbouring": "4.1.2", "targets": "4.1.2.1"}


class ZoneLists(msgspec.Struct, frozen=True, kw_only=True):
    """What a list says of one zone; None for what it does not say, which is then not compared.

    Parameters
    ----------
    adjacent, neighbouring, targets : tuple of str, or None
        Labels of zones.
    """

    adjacent: tuple[str, ...] | None = None
    neighbouring: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None

    def of(self, relation: Relation) -> tuple[str, ...] | None:
        """Return one of the three lists."""
        found: tuple[str, ...] | None = getattr(self, relation)
        return found


class Disagreement(msgspec.Struct, frozen=True):
    """One point in which a list and the map, or a list and itself, disagree.

    Attributes
    ----------
    kind : {"not_listed", "not_drawn", "one_way", "unknown", "same_name"}
        Drawn, but not in the list; in the list, but not drawn; one zone lists the other, which does not list it; a
        name that no zone of the map has; several zones with one name.
    relation : {"adjacent", "neighbouring", "targets"} or ""
    rule : str
        Section of the rulebook.
    a, b : str
        The zones, by the names of the list; b may be empty.
    text : str
        The fault in a sentence.
    """

    kind: Literal["not_listed", "not_drawn", "one_way", "unknown", "same_name"]
    relation: Literal["adjacent", "neighbouring", "targets", ""]
    rule: str
    a: str
    b: str
    text: str


def compare_adjacency(survey: Survey, given: Mapping[str, ZoneLists]) -> list[Disagreement]:
    """Compare what is drawn with a list, both ways.

    Parameters
    ----------
    survey : Survey
    given : mapping of str to ZoneLists
        By the label of the zone. Zones that it leaves out are not compared, but may be named.

    Returns
    -------
    list of Disagreement
        Names first, then relation by relation, zones in natural order.
    """
    district = District(survey)
    found = [*_names(district, given)]
    for relation in ("adjacent", "neighbouring", "targets"):
        found += _drawn_and_listed(district, given, relation)
        if relation != "targets":  # a symbol is printed in one of two zones
            found += _one_way(given, relation)
    return found


def _names(district: District, given: Mapping[str, ZoneLists]) -> Iterator[Disagreement]:
    for name, ids in sorted(district.named.items(), key=lambda item: natural_key(item[0])):
        if len(ids) > 1:
            text = f"{name}: {len(ids)} areas have this name ({', '.join(ids)}); give each a name of its own"
            yield Disagreement("same_name", "", "4.1", name, "", text)
    zones = {district.label(zone) for zone in district.zones}
    for name in sorted(given, key=natural_key):
        if name not in zones:
            text = f"{name}: the list has this zone, the map has not; {nearest(name, zones)}"
            yield Disagreement("unknown", "", "4.1", name, "", text)
        for relation in ("adjacent", "neighbouring", "targets"):
            for other in dict.fromkeys(given[name].of(relation) or ()):
                if other not in zones:
                    text = f"{name}: its list names {other}, which is no zone of the map; {nearest(other, zones)}"
                    yield Disagreement("unknown", relation, _SECTION[relation], name, other, text)


def _drawn_and_listed(district: District, given: Mapping[str, ZoneLists], relation: Relation) -> Iterator[Disagreement]:
    zones = {district.label(zone): zone for zone in district.zones}
    for name in sorted(given.keys() & zones.keys(), key=natural_key):
        listed = given[name].of(relation)
        if listed is None:
            continue
        a = zones[name]
        drawn = {district.label(zone) for zone in _related(district, a, relation)}
        for other in sorted(drawn - set(listed), key=natural_key):
            text = f"{name} and {other} {_why(district, a, zones[other], relation)}, but the list of {name} has not"
            yield Disagreement("not_listed", relation, _SECTION[relation], name, other, f"{text} {other}")
        for other in sorted((set(listed) - drawn) & zones.keys(), key=natural_key):
            text = f"{name}: its list has {other}, but {_why_not(district, a, zones[other], relation)}"
            yield Disagreement("not_drawn", relation, _SECTION[relation], name, other, text)


def _one_way(given: Mapping[str, ZoneLists], relation: Relation) -> Iterator[Disagreement]:
    for name in sorted(given, key=natural_key):
        for other in sorted(set(given[name].of(relation) or ()), key=natural_key):
            back = given[other].of(relation) if other in given else None
            if back is not None and name not in back:
                text = f"{name}: its list has {other} as {relation}, the list of {other} has not {name}"
                yield Disagreement("one_way", relation, _SECTION[relation], name, other, text)


def _related(district: District, zone: str, relation: Relation) -> frozenset[str]:
    if relation == "adjacent":
        return district.zones_beside(zone)
    if relation == "neighbouring":
        return district.neighbouring(zone)
    return frozenset(district.targets.get(zone, ()))


def _why(district: District, a: str, b: str, relation: Relation) -> str:
    if relation == "adjacent":
        return "share a border"
    if relation == "neighbouring":
        return f"are both beside street section {', '.join(map(district.label, district.common_streets(a, b)))}"
    return "are joined by the target symbol of the first"


def _why_not(district: District, a: str, b: str, relation: Relation) -> str:
    if a == b:
        return "that is the zone itself"
    if relation == "targets":
        return "no target symbol drawn in it names that zone"
    if relation == "neighbouring":
        if b in district.zones_beside(a):
            return "they share a border: Adjacent, so not Neighbouring"
        return "no street section is beside both"
    if frozenset((a, b)) in district.closed:
        return "all of their border is a continuous line"
    corner = district.corner(a, b)
    if corner is not None:
        return f"they meet at a corner only, at {corner[0]}, {corner[1]}"
    return "they share no border"
