"""Lines within one building (8.2.7.8.1), and out of it from an inner zone (13.5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

from studio.model import Point
from studio.rules.urban_operations.line import End, Line
from studio.rules.urban_operations.open_line import Fact, body_facts, open_line_facts
from studio.rules.urban_operations.places import PARTITION, ZONE_BOUNDARY
from studio.rules.urban_operations.scene import HEX, ROOM, Opening, Scene
from studio.sight.trace import area_contacts, hex_trace, line_contacts

__all__ = ["inner_rays", "inner_view", "inside_facts", "partition_places", "rooms_crossed"]

_RULE = "8.2.7.8.1"


def inside_facts(scene: Scene, line: Line) -> Iterator[Fact]:
    """Yield what bears on a line between two rooms or zones of one building.

    Parameters
    ----------
    scene : Scene
    line : Line
    """
    start, end = line.start, line.end
    if (start.number, end.number) in scene.adjacent_rooms:
        same = scene.parting(start.number, end.number) == ZONE_BOUNDARY
        text = f"{start.label} and {end.label} are adjacent{', in the same room' if same else ''}"
        yield Fact(Fraction(0), "passes", _RULE, "", text)
        return
    whole = line.exit is not None and line.exit == (Fraction(0), Fraction(1))
    if not whole:
        # Out of the building and in again, as across a courtyard: the rules of lines outside.
        yield from open_line_facts(scene, line)
        return
    yield from _partitions(scene, line)
    for body, contacts in line.bodies():
        for contact in contacts:
            yield from body_facts(line, body, contact)


def rooms_crossed(scene: Scene, line: Line, building: int) -> list[tuple[Fraction, Fraction, int]]:
    """Return the rooms and zones of a building that a line runs through, in order, each with its stretch."""
    found = []
    for number in scene.buildings[building].rooms:
        area = scene.areas[number]
        for contact in area_contacts(line.a, line.b, area.outline, area.holes):
            if contact.how == "through":
                found.append((contact.enter, contact.leave, number))
    return sorted(found)


def _partitions(scene: Scene, line: Line) -> Iterator[Fact]:
    allowed = int(scene.figures["partitions"])
    crossed = partition_places(scene, line, line.start.building)
    for count, (where, names) in enumerate(crossed, start=1):
        blocks = count > allowed
        what = names.replace("wall-", "partition ") if names.startswith("wall-") else names
        text = f"{what}: partition {count} on the line, and only {allowed} may lie between two units in a building"
        if not blocks:
            text = f"{what}: one partition does not hide two units in a building from each other"
        yield Fact(where, "blocks" if blocks else "counts", _RULE, names, text)
    if not crossed:
        yield Fact(Fraction(0), "passes", _RULE, "", "Zones of the same room see each other")


def partition_places(scene: Scene, line: Line, building: int) -> list[tuple[Fraction, str]]:
    """Return where a line crosses partitions of a building, and between what: other rooms, or those drawn by hand."""
    found: dict[Fraction, str] = {}
    rooms = rooms_crossed(scene, line, building)
    for (_, leave, one), (enter, _, other) in pairwise(rooms):
        if scene.parting(one, other) == PARTITION:
            found[(leave + enter) / 2] = f"{scene.label(one)} | {scene.label(other)}"
    held = [(one.enter, one.leave) for one in line.area(building) if one.how == "through"]
    for wall in scene.partitions:
        for contact in line_contacts(line.a, line.b, wall.line):
            point = contact.enter == contact.leave
            ends = point and contact.enter in (0, 1)
            passes = contact.how != "cross" and scene.options[f"wall_{contact.how}"] == "passes"
            if not ends and not passes and any(low <= contact.enter <= high for low, high in held):
                found.setdefault(contact.enter, wall.name or wall.id)
    return sorted(found.items())


# -- 13.5.2 ----------------------------------------------------------------------------------------------------------


def inner_rays(scene: Scene, number: int) -> Iterator[tuple[Opening, Point]]:
    """Yield the openings of other zones of the building of a zone, with the end of the line drawn on through each."""
    x, y = scene.directory.dot(number)
    far = 960 * (scene.grid.columns + scene.grid.rows + 2)
    for other in scene.buildings[scene.building[number]].rooms:
        for opening in scene.openings_of.get(other, ()):
            dx, dy = opening.at[0] - x, opening.at[1] - y
            if other != number and opening.open and (dx or dy):
                times = far // max(abs(dx), abs(dy)) + 1
                yield opening, (x + times * dx, y + times * dy)


def inner_view(scene: Scene, zone: End, other: End) -> list[Fact] | None:
    """Return how a unit in an inner zone sees a hex through the aperture of another zone, None when it does not.

    Parameters
    ----------
    scene : Scene
    zone, other : End
        The unit in the building, and what it looks at.
    """
    if zone.kind != ROOM or other.kind != HEX or zone.under or other.under:
        return None
    for opening, end in inner_rays(scene, zone.number):
        begin = zone.dot
        # The unit looks out from the opening on, not at what lies before it.
        past = Fraction(
            max(abs(opening.at[0] - begin[0]), abs(opening.at[1] - begin[1])),
            max(abs(end[0] - begin[0]), abs(end[1] - begin[1])),
        )
        for contact in hex_trace(scene.grid, begin, end):
            if other.number in contact.cells and contact.how != "touch" and contact.leave > past:
                line = Line(scene, zone, other, (end, max(contact.enter, past)))
                facts = [
                    fact for fact in open_line_facts(scene, line) if fact.rule != "5.1.9.4" or fact.at != zone.label
                ]
                if not any(fact.effect == "blocks" for fact in facts):
                    text = (
                        f"{zone.label}: {other.label} lies on the line from its dot through the {opening.name} "
                        f"of {scene.label(opening.number)}"
                    )
                    return [Fact(Fraction(0), "passes", "13.5.2", zone.label, text)]
                break
    return None
