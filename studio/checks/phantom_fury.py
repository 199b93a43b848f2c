"""Checks of Phantom Fury: entry symbols, egress routes, start zones, boxes and ways between them, target symbols."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator

from studio.checks.corners import or_mend_border
from studio.checks.finding import Fault, check
from studio.checks.subject import MapSubject
from studio.model import Feature, Link, Place, Point, natural_key
from studio.rules.phantom_fury.district import District
from studio.survey import ring_edges
from studio.survey.stretches import Stretches

__all__ = ["CHECKS"]

_GAME = "phantom_fury"

_BESIDE = ("door", "roof")
"""Links that join boxes of two zones which share a border."""


def _district(subject: MapSubject) -> District:
    return District(subject.survey)


def _dot(subject: MapSubject, area_id: str) -> Point:
    return subject.survey.dot_of(subject.areas[area_id])


def _played(district: District) -> list[str]:
    """Return the zones that units can be in (4.1.4, 12.4.1)."""
    return [zone for zone in district.zones if not district.shut(zone)]


def _boxes(district: District) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {zone: [] for zone in district.zones}
    for label in sorted(district.boxes, key=natural_key):
        home = district.home(district.boxes[label])
        if home is not None:
            found[home].append(district.boxes[label])
    return found


def _reached(start: Iterable[str], joined: dict[str, set[str]]) -> set[str]:
    found = set(start)
    queue = deque(found)
    while queue:
        new = joined[queue.popleft()] - found
        found |= new
        queue.extend(new)
    return found


def _routes(subject: MapSubject) -> dict[str, list[Link]]:
    """Return the egress routes that the game can read, of each zone by its id, by priority."""
    district = subject.once(_district)
    wrong = {one.link for one in district.misplaced()}
    found: dict[str, list[Link]] = defaultdict(list)
    for link in sorted(subject.links("egress"), key=lambda link: link.order):
        zone = district.id_of(link.a)
        if link.id not in wrong and zone is not None:
            found[zone].append(link)
    return dict(found)


def _leaves(district: District, link: Link) -> bool:
    return district.id_of(link.b) is None


# -- links -----------------------------------------------------------------------------------------------------------


@check(
    "map.link_placed",
    "error",
    "Arrows, entry symbols, target symbols and routes join what they can (4.1, 4.2)",
    game=_GAME,
)
def _link_placed(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for one in district.misplaced():
        link = subject.model.features[one.link]
        remedy = "name other locations, or delete the link"
        fault = Fault(one.link, one.text, remedy, subject.place_of(link))
        beside = isinstance(link, Link) and link.type in _BESIDE
        yield or_mend_border(subject, fault, *_homes(district, link)) if beside else fault


def _homes(district: District, link: Feature) -> list[str]:
    """Return the zones of the boxes that a link joins."""
    if not isinstance(link, Link):
        return []
    boxes = [district.boxes[label] for label in (link.a, link.b) if label in district.boxes]
    return [home for box in boxes if (home := district.home(box)) is not None]


@check("map.roof_symbol", "error", "Roof entry symbols stand in rooftops, those of doors do not (4.2.2)", game=_GAME)
def _roof_symbol(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for link in (*subject.links("roof"), *subject.links("door")):
        for label in dict.fromkeys((link.a, link.b)):
            box = district.boxes.get(label)
            if box is not None and (box.type == "rooftop") != (link.type == "roof"):
                message = f"a {link.type} entry symbol stands in {label}, {box.type.replace('_', ' ')}"
                yield Fault(link.id, message, "link another box, or make it the other kind of symbol", box.at)


@check("map.door_street", "error", "A door entry symbol opens on a zone or a street section (4.2.2)", game=_GAME)
def _door_street(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    joined = {label for link in subject.links("door") for label in (link.a, link.b)}
    for label, box in district.boxes.items():
        home = district.home(box)
        if "door" in box.tags and home is not None and not district.streets_beside(home) and label not in joined:
            message = f"{label} has a door, but no street section is beside {district.spoken(home)}"
            fault = Fault(box.id, message, "draw the street section, link the door, or take the tag away", box.at)
            yield or_mend_border(subject, fault, home)


@check(
    "map.target_useless",
    "warning",
    "A target symbol names zones that are not near anyway (4.1.2.1, 4.3.1.2)",
    game=_GAME,
)
def _target_useless(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for link in subject.links("line_of_fire"):
        a, b = district.id_of(link.a), district.id_of(link.b)
        if a is None or b is None or a == b or not district.is_zone(b):
            continue
        near = district.zones_beside(a) | (district.neighbouring(a) if district.is_zone(a) else frozenset())
        if b in near:
            message = (
                f"{district.spoken(b)} is Adjacent or Neighbouring to {district.spoken(a)} without a target symbol"
            )
            yield Fault(link.id, message, "delete the link", _dot(subject, a))


# -- egress routes ---------------------------------------------------------------------------------------------------


@check("map.egress_missing", "warning", "Every zone has an egress route (4.1.7)", game=_GAME)
def _egress_missing(subject: MapSubject) -> Iterator[Fault]:
    district, routes = subject.once(_district), subject.once(_routes)
    for zone in _played(district):
        if zone not in routes:
            remedy = "link it to an Adjacent or Neighbouring zone, or to an exit (type egress, order 1)"
            yield Fault(district.label(zone), "a zone without an egress route", remedy, _dot(subject, zone))


@check(
    "map.egress_order",
    "error",
    "The routes of a zone are ranked 1, 2, 3, and an EXIT is alone (4.1.7, 13.6.6)",
    game=_GAME,
)
def _egress_order(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for zone, links in subject.once(_routes).items():
        orders, at = [link.order for link in links], district.label(zone)
        alone = len(links) == 1 and _leaves(district, links[0])
        if orders != list(range(1, len(links) + 1)) and not (alone and orders == [0]):
            message = f"its egress routes have the priorities {', '.join(map(str, orders))}"
            yield Fault(at, message, f"number them 1 to {len(links)} (order)", _dot(subject, zone))
        if len(links) > 1 and any(_leaves(district, link) for link in links):
            yield Fault(at, "it has an EXIT and other routes", "leave it the EXIT alone", _dot(subject, zone))


@check("map.egress_beside", "error", "A route leads to an Adjacent or Neighbouring zone, once (4.1.7)", game=_GAME)
def _egress_beside(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for zone, links in subject.once(_routes).items():
        for link in links:
            other = district.id_of(link.b)
            if other is not None and other not in district.zones_beside(zone) | district.neighbouring(zone):
                message = f"the route of zone {link.a} leads to zone {link.b}, neither Adjacent nor Neighbouring"
                fault = Fault(link.id, message, "lead it to a zone beside it or across a street", _dot(subject, zone))
                yield or_mend_border(subject, fault, zone, other)


@check("map.egress_exit", "warning", "Every route leads to an EXIT in the end (4.1.7, 13.6.6)", game=_GAME)
def _egress_exit(subject: MapSubject) -> Iterator[Fault]:
    district, routes = subject.once(_district), subject.once(_routes)
    ahead: dict[str, set[str]] = defaultdict(set)
    back: dict[str, set[str]] = defaultdict(set)
    out = set()
    for zone, links in routes.items():
        for link in links:
            other = district.id_of(link.b)
            if other is None:
                out.add(zone)
            else:
                ahead[zone].add(other)
                back[other].add(zone)
    lost = routes.keys() - _reached(out, back)
    for zone in district.sorted(set().union(*(ahead[one] for one in lost)) - routes.keys()):
        through = ", ".join(map(district.label, district.sorted(back[zone] & lost)))
        message = f"the egress routes of {through} end here: this zone has no route, so they lead to no EXIT"
        remedy = "give this zone a route (type egress), or lead theirs another way"
        yield Fault(district.label(zone), message, remedy, _dot(subject, zone))
    for zone in district.sorted(lost):
        if zone in _reached(ahead[zone], ahead):
            message = "from here the egress routes lead round in a circle, to no EXIT"
            remedy = "lead one of the routes on to a zone with an EXIT"
            yield Fault(district.label(zone), message, remedy, _dot(subject, zone))


@check("map.exit_edge", "error", "A zone with an EXIT lies at the edge of the map (13.6.6)", game=_GAME)
def _exit_edge(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for zone, links in subject.once(_routes).items():
        leaving = [link for link in links if _leaves(district, link)]
        if leaving and not _at_the_edge(subject, zone):
            message = f"zone {leaving[0].a} has an EXIT, but other areas lie all around it"
            yield Fault(leaving[0].id, message, "lead the route to another zone", _dot(subject, zone))


def _at_the_edge(subject: MapSubject, zone: str) -> bool:
    """Tell whether a piece of the outline of a zone borders on nothing."""
    segments = [s for border in subject.survey.borders if zone in (border.a, border.b) for s in border.segments]
    shared = Stretches(segments)
    return any(shared.outside(edge) for edge in ring_edges(subject.areas[zone].outline))


# -- boxes -----------------------------------------------------------------------------------------------------------


@check("map.zone_boxes", "warning", "Every zone has a box (4.2)", game=_GAME)
def _zone_boxes(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    boxes = _boxes(district)
    for zone in _played(district):
        if not boxes[zone]:
            remedy = "add a place for it, such as a courtyard, within the zone"
            yield Fault(district.label(zone), "a zone without a box", remedy, _dot(subject, zone))


@check("map.box_home", "error", "A box belongs to a zone (4.2)", game=_GAME)
def _box_home(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for label, box in district.boxes.items():
        if district.home(box) is None:
            yield Fault(box.id, f"{label} belongs to no zone", "name the id of its zone (within)", box.at)


@check("map.off_zones", "warning", "Exits, reinforcement boxes and missions' spaces lie beside the zones", game=_GAME)
def _off_zones(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    district = subject.once(_district)
    sound = [area_id for area_id in district.areas if area_id in subject.sound]
    tree = shapely.STRtree([subject.polygon(area_id) for area_id in sound])
    for label, place in district.off_zones.items():
        for number in tree.query(shapely.Point(place.at), predicate="within").tolist()[:1]:
            message = f"{label}, {place.type.replace('_', ' ')}, lies in {district.spoken(sound[number])}"
            yield Fault(place.id, message, "move it off the zones and street sections: nothing fires there", place.at)


@check("map.start_entry", "error", "A start zone has one entry symbol, other zones have none (6.2, 6.3)", game=_GAME)
def _start_entry(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for zone, boxes in _boxes(district).items():
        entries = [box for box in boxes if "entry" in box.tags]
        starts = "start" in district.areas[zone].tags
        at = district.label(zone)
        if starts and not entries:
            yield Fault(at, "a start zone without entry symbol", "tag one of its boxes entry", _dot(subject, zone))
        elif entries and not starts:
            message = f"{entries[0].name} has an entry symbol, but the zone is no start zone"
            yield Fault(at, message, "tag the zone start, or take the tag entry away", entries[0].at)
        elif len(entries) > 1:
            message = f"{len(entries)} boxes of the zone have entry symbols"
            yield Fault(at, message, "leave the tag entry to one of them", entries[1].at)


@check("map.box_joined", "warning", "Arrows join the boxes of a zone (4.2.2)", game=_GAME)
def _box_joined(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    joined: dict[str, set[str]] = defaultdict(set)
    for link in subject.links("arrow"):
        joined[link.a].add(link.b)
        joined[link.b].add(link.a)
    for boxes in _boxes(district).values():
        if not boxes:
            continue
        found = _reached([boxes[0].name], joined)
        for box in boxes:
            if box.name not in found:
                message = f"no arrow leads to {box.name} from {boxes[0].name}"
                yield Fault(box.id, message, "add an arrow to one of the other boxes of its zone", box.at)


@check(
    "map.box_reachable", "warning", "Every box can be reached from the entry symbols, or from the streets", game=_GAME
)
def _box_reachable(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    joined: dict[str, set[str]] = defaultdict(set)
    for passage in district.passages():
        if passage.by != "section":  # nobody crosses two street sections in a row (12.5.4)
            joined[passage.a].add(passage.b)
            if not passage.one_way:
                joined[passage.b].add(passage.a)
    boxes, played = _boxes(district), _played(district)
    start: Collection[str] = [box.name for zone in played for box in boxes[zone] if "entry" in box.tags]
    start = start or [district.label(street) for street in district.streets]
    found = _reached(start, joined)
    for zone in played if start else ():
        for box in boxes[zone]:
            if box.name not in found:
                message = f"no way leads to {box.name}"
                fault = Fault(box.id, message, "join it by an arrow, a door or a roof symbol", box.at)
                yield or_mend_border(subject, fault, zone)


@check("map.street_beside", "warning", "A street section lies beside a zone (4.3.1.1)", game=_GAME)
def _street_beside(subject: MapSubject) -> Iterator[Fault]:
    district = subject.once(_district)
    for street in district.streets:
        if not district.zones_beside(street):
            message = "no zone shares a border with this street section"
            remedy = "draw its corners on those of the zones beside it"
            yield or_mend_border(subject, Fault(district.label(street), message, remedy, _dot(subject, street)), street)


CHECKS = (
    _link_placed,
    _roof_symbol,
    _door_street,
    _target_useless,
    _egress_missing,
    _egress_order,
    _egress_beside,
    _egress_exit,
    _exit_edge,
    _zone_boxes,
    _box_home,
    _off_zones,
    _start_entry,
    _box_joined,
    _box_reachable,
    _street_beside,
)
