"""Checks of Urban Operations: openings and their arcs of fire, roofs, the underground, sewers, ways into every room."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from studio.checks.corners import or_mend_border
from studio.checks.finding import Fault, check
from studio.checks.fixtures import walls_of
from studio.checks.misses import near_on_segment
from studio.checks.subject import MapSubject, with_article
from studio.checks.urban_ways import Ways, arcs
from studio.model import Aperture, Area, Marker, Place, Point, Wall
from studio.survey import ring_edges

__all__ = ["CHECKS"]

_GAME = "urban_operations"

_AT_OPENING = 2
"""Hexes from that of an opening to the first of its arrow: those before a facade are seldom farther."""


def _building(subject: MapSubject, label: str) -> str:
    """Return the id of the building that a location belongs to, empty for hexes and where there is none."""
    number = subject.directory.find(label)
    if number is None or number < subject.grid.cells:
        return ""
    around = subject.outermost(subject.directory.location(number).within)
    return around if around in subject.areas else ""


def _is(subject: MapSubject, area_id: str, kind: str) -> bool:
    return area_id in subject.areas and subject.areas[area_id].type == kind


def _inner_edges(area: Area, point: Point) -> list[tuple[Point, Point]]:
    """Return the edges of an area on which a point lies, turned so that cross products are positive inside."""
    found = []
    for number, ring in enumerate((area.outline, *area.holes)):
        turn = sum(p[0] * q[1] - q[0] * p[1] for p, q in ring_edges(ring))
        for p, q in ring_edges(ring):
            if near_on_segment(point, (p, q)):
                found.append((p, q) if (turn > 0) == (number == 0) else (q, p))
    return found


# -- openings --------------------------------------------------------------------------------------------------------


@check("map.arc_missing", "error", "Apertures and breaches have an arc of fire (5.1.3.2)", game=_GAME)
def _arc_missing(subject: MapSubject) -> Iterator[Fault]:
    for one in subject.survey.features_of(Aperture):
        if not one.arrows:
            yield Fault(one.id, "an opening without arrows", "give it one arrow or two (arrows)", one.at)


@check("map.arc_inward", "error", "An arc of fire leads out of the building (5.1.3.2, p. 13)", game=_GAME)
def _arc_inward(subject: MapSubject) -> Iterator[Fault]:
    for one in subject.survey.features_of(Aperture):
        building, cells = _building(subject, one.into), subject.once(arcs).get(one.id)
        edges = _inner_edges(subject.areas[building], one.at) if building else []
        if not edges or cells is None:
            continue
        behind = np.ones(len(cells), dtype=bool)
        for (px, py), (qx, qy) in edges:
            x, y = (subject.grid.centres[cells] - np.array((px, py))).T
            behind &= (qx - px) * y - (qy - py) * x > 0
        if behind.any():
            inside = subject.labels.label(int(cells[behind][0]))
            message = f"its arc of fire leads inwards, to {inside} behind the facade"
            yield Fault(one.id, message, "let its arrows begin with hexes before the facade", one.at)


@check("map.arc_begin", "error", "An arc of fire begins at its opening (5.1.3.2, p. 13)", game=_GAME)
def _arc_begin(subject: MapSubject) -> Iterator[Fault]:
    openings = subject.survey.features_of(Aperture)
    cells = subject.grid.cells_at(np.array([one.at for one in openings])).tolist() if openings else []
    for one, cell in zip(openings, cells, strict=True):
        for arrow in one.arrows if cell >= 0 else ():
            away = min(subject.grid.distance(cell, first) for first in subject.labels.cells(arrow))
            if away > _AT_OPENING:
                message = f"its arrow {' '.join(arrow)} does not begin at the opening, but {away} hexes away"
                yield Fault(one.id, message, "let it begin with a hex before the opening (arrows)", one.at)


@check(
    "map.opening_wall",
    "error",
    "Openings of rooms are in the facade, those of hexes in an outer wall (5.1.3.2)",
    game=_GAME,
)
def _opening_wall(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    walls = shapely.union_all([shapely.LineString(wall.line) for wall in subject.survey.features_of(Wall)])
    tree = shapely.STRtree([subject.polygon(area_id) for area_id in subject.covering])
    for one in subject.survey.features_of(Aperture):
        number = subject.directory.find(one.into)
        if number is None or not subject.once(walls_of).hold(one.at):
            continue  # named by another check
        building, point = _building(subject, one.into), shapely.Point(one.at)
        if number < subject.grid.cells:
            if one.type == "breach" or not walls.intersects(point):
                yield Fault(
                    one.id,
                    f"{one.into} has {with_article(one.type)} in no outer wall",
                    "use wall_breach, on the wall",
                    one.at,
                )
            continue
        others = [subject.covering[n] for n in tree.query(point, predicate="intersects").tolist()]
        if one.type == "wall_breach":
            yield Fault(one.id, f"a breach in an outer wall that belongs to {one.into}", "name its hex (into)", one.at)
        elif building and not _inner_edges(subject.areas[building], one.at):
            message = f"the opening of {one.into} is not in the facade"
            yield Fault(
                one.id, message, "move it to the outline of the building: partitions have openings anyway", one.at
            )
        elif any(other != building for other in others) and building:
            wall = next(other for other in others if other != building)
            yield Fault(one.id, f"the opening of {one.into} leads into {wall}", "move it to a free facade", one.at)


@check("map.zone_openings", "error", "A zone has one opening at most (5.1.2)", game=_GAME)
def _zone_openings(subject: MapSubject) -> Iterator[Fault]:
    found: dict[str, list[Aperture]] = defaultdict(list)
    for one in subject.survey.features_of(Aperture):
        found[one.into].append(one)
    for label, openings in found.items():
        number = subject.directory.find(label)
        if len(openings) > 1 and number is not None and subject.directory.location(number).type == "zone":
            listed = ", ".join(one.id for one in openings)
            message = f"a zone with {len(openings)} openings: {listed}"
            yield Fault(label, message, "leave it one, or divide the zone", openings[1].at)


@check("map.breach_open", "warning", "Breaches are closed at the start (5.1.3.2, 8.2.5)", game=_GAME)
def _breach_open(subject: MapSubject) -> Iterator[Fault]:
    for one in subject.survey.features_of(Aperture):
        if one.type in ("breach", "wall_breach") and one.open:
            yield Fault(one.id, "a breach that is open from the start", "draw it with open=False", one.at)


# -- roofs -----------------------------------------------------------------------------------------------------------


@check("map.roof_access", "error", "A roof is reached from the room that holds its symbol (5.1.8, 8.1.8)", game=_GAME)
def _roof_access(subject: MapSubject) -> Iterator[Fault]:
    import shapely

    roofs = {place.name: place for place in subject.survey.features_of(Place) if place.type == "roof"}
    reached = set()
    for link in subject.links("roof_access"):
        ends = [(roofs[b], a) for a, b in ((link.a, link.b), (link.b, link.a)) if b in roofs]
        if not ends:
            yield Fault(
                link.id, f"{link.a} and {link.b} are no room and roof", "name a room and a roof", subject.dot(link.a)
            )
            continue
        roof, room = ends[0]
        reached.add(roof.name)
        number = subject.directory.find(room)
        if number is None:
            continue  # named by another check
        place = subject.directory.location(number)
        if place.kind != "area" or _building(subject, room) != subject.outermost(roof.within):
            message = f"{room} is no room of the building of {roof.name}"
            yield Fault(link.id, message, "name a room or zone of that building", roof.at)
        elif not subject.polygon(place.feature).covers(shapely.Point(roof.at)):
            message = f"the symbol of {roof.name} is not in {room}, from which it is reached"
            yield Fault(link.id, message, "move the roof's dot into the room, or name the room around it", roof.at)
    for roof in roofs.values():
        if roof.name not in reached:
            yield Fault(
                roof.id, f"no roof access leads to {roof.name}", "link it to the room below (roof_access)", roof.at
            )


@check("map.linked_roofs", "error", "Linked roofs are of buildings that stand wall to wall (5.1.8, 8.1.9)", game=_GAME)
def _linked_roofs(subject: MapSubject) -> Iterator[Fault]:
    shared = {frozenset((border.a, border.b)) for border in subject.survey.borders}
    for link in subject.links("linked_roofs"):
        ends = [_building(subject, label) for label in (link.a, link.b)]
        if all(ends) and frozenset(ends) not in shared:
            message = f"{link.a} and {link.b} are of buildings that share no wall"
            fault = Fault(link.id, message, "link roofs of buildings wall to wall, or delete it", subject.dot(link.a))
            yield or_mend_border(subject, fault, *ends)


# -- below the ground ------------------------------------------------------------------------------------------------


@check(
    "map.underground_access",
    "error",
    "An access leads from its marker to the underground zone of its letter (5.1.5, 8.1.10)",
    game=_GAME,
)
def _underground_access(subject: MapSubject) -> Iterator[Fault]:
    markers = {one.at for one in subject.survey.features_of(Marker) if one.type == "underground_access"}
    prefixes = {"", *(sheet.prefix for sheet in subject.survey.model.sheets)}  # of the sheets of a joint map
    for link in subject.links("underground_access"):
        where = subject.dot(link.a)
        if subject.directory.find(link.a) is None or subject.directory.find(link.b) is None:
            continue  # named by another check
        if link.a not in markers:
            yield Fault(link.id, f"{link.a} has no underground access marker", "put the marker there", where)
        if not _is(subject, _building(subject, link.b), "underground"):
            yield Fault(link.id, f"{link.b} is no underground zone", "name the zone that it leads to (b)", where)
        elif link.text and link.b not in {prefix + link.text for prefix in prefixes}:
            yield Fault(link.id, f"its letter is {link.text}, its zone {link.b}", "write the letter of the zone", where)


@check("map.underground_marker", "warning", "An underground access marker leads somewhere (5.1.5)", game=_GAME)
def _underground_marker(subject: MapSubject) -> Iterator[Fault]:
    linked = Counter(link.a for link in subject.links("underground_access"))
    for one in subject.survey.features_of(Marker):
        if one.type == "underground_access" and not linked[one.at]:
            message = f"{one.id}: no link leads down from here"
            yield Fault(one.at, message, "link it (underground_access), unless it is a dummy", subject.dot(one.at))


@check("map.sewer_entrance", "error", "A sewer entrance joins an open sewer and an underground one (5.1.6)", game=_GAME)
def _sewer_entrance(subject: MapSubject) -> Iterator[Fault]:
    for link in subject.links("sewer_entrance"):
        numbers = [subject.directory.find(label) for label in (link.a, link.b)]
        if None in numbers:
            continue  # named by another check
        kinds = [subject.directory.location(number).type for number in numbers if number is not None]
        if sorted(kinds) != ["open_sewer", "underground_sewer"]:
            message = f"it joins {link.a}, {kinds[0]}, and {link.b}, {kinds[1]}"
            yield Fault(link.id, message, "name a hex of each kind of sewer", subject.dot(link.a))


@check("map.reachable", "warning", "Every hex, room, zone and roof can be reached on foot (8.1)", game=_GAME)
def _reachable(subject: MapSubject) -> Iterator[Fault]:
    ways = Ways(subject)
    remedy = "give it an opening, stairs or an access; rooms of one building are joined by their common walls"
    for label, number, count in ways.unreached():
        what = f"{count} hexes from here on cannot" if count > 1 else "it cannot"
        message = f"{what} be reached from the edge of the map, even by breaches"
        fault = Fault(label, message, remedy, subject.directory.dot(number))
        feature = subject.directory.location(number).feature
        yield or_mend_border(subject, fault, feature) if feature in subject.areas else fault


CHECKS = (
    _arc_missing,
    _arc_inward,
    _arc_begin,
    _opening_wall,
    _zone_openings,
    _breach_open,
    _roof_access,
    _linked_roofs,
    _underground_access,
    _underground_marker,
    _sewer_entrance,
    _reachable,
)
