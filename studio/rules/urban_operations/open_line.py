"""What stands in the way of a line that is not within one building: hexes, walls, buildings, clouds (5.1.9)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from studio.grid import Contact
from studio.model import Point
from studio.rules.urban_operations.line import End, Line
from studio.rules.urban_operations.scene import NOTHING, ROOF, ROOM, Body, Building, Opening, Scene
from studio.sight import Effect, Place
from studio.sight.trace import AreaContact, LineContact, area_contacts, line_contacts

__all__ = ["Fact", "body_facts", "height_facts", "open_line_facts", "wall_opened"]

_OBSTACLE, _LEVELS, _HEIGHTS, _OPENINGS = "5.1.9.1", "5.1.9.2", "5.1.9.3", "5.1.9.4"


class Fact(NamedTuple):
    """One thing that a line meets, and what it does to the line."""

    where: Fraction
    effect: Effect
    rule: str
    at: Place
    text: str


def open_line_facts(scene: Scene, line: Line) -> Iterator[Fact]:
    """Yield what bears on a line that is not within one building, in no order.

    Parameters
    ----------
    scene : Scene
    line : Line
    """
    yield from _walls(scene, line)
    yield from _buildings(scene, line)
    yield from _bodies(line)
    yield from _hexes(scene, line)


# -- heights (5.1.9.2, 5.1.9.3) --------------------------------------------------------------------------------------


def height_facts(
    line: Line, what: str, level: int, met: Contact | LineContact | AreaContact, at: Place, cell: int = -1
) -> Iterator[Fact]:
    """Yield what an obstacle of some level does to a line: visual obstruction, plateau, blind hex, view from above.

    Parameters
    ----------
    line : Line
    what : str
        The obstacle as reasons name it.
    level : int
    met : Contact, LineContact or AreaContact
    at : str or tuple of str
        Its place.
    cell : int
        Its hex, -1 when it is none.
    """
    low, high = line.low, line.high
    where = met.enter
    if level <= low:
        yield Fact(where, "passes", _LEVELS, at, f"{what}: level {level}, no higher than either end")
    elif level > high:
        yield Fact(where, "blocks", _LEVELS, at, f"{what}: level {level}, higher than both ends")
    elif level == high:
        why = f"as high as {line.higher.label}, and hides {line.lower.label} below (plateau effect)"
        yield Fact(where, "blocks", _HEIGHTS, at, f"{what}: level {level}, {why}")
    elif line.in_front(met, cell):
        yield Fact(where, "blocks", _HEIGHTS, at, f"{what}: level {level}, {_blind(line)}")
    else:
        yield Fact(where, "passes", _HEIGHTS, at, f"{what}: level {level}, seen over from level {high}")


def _blind(line: Line) -> str:
    return f"and {line.lower.label} (level {line.lower.level}) is in the blind hex right behind it"


# -- hexes -----------------------------------------------------------------------------------------------------------


def _hexes(scene: Scene, line: Line) -> Iterator[Fact]:
    for contact in line.hexes:
        if line.is_left_out(contact):
            continue
        for cell in contact.cells:
            if line.own(cell):
                continue
            name = scene.label(cell)
            if line.under:
                yield from _underground(scene, contact, cell, name)
            elif scene.obstacle[cell] > NOTHING:
                what = f"{scene.hex_name(cell)}{_TOUCHED[contact.how]}"
                yield from height_facts(line, what, int(scene.obstacle[cell]), contact, name, cell)
            else:
                yield from _ground(scene, line, contact, cell)


_TOUCHED = {"through": "", "along": " (along its side)", "touch": " (at its corner)", "cross": ""}


def _underground(scene: Scene, contact: Contact, cell: int, name: str) -> Iterator[Fact]:
    if scene.earth[cell] and contact.how == "through":
        text = f"{scene.hex_name(cell)}: solid ground between two places underground"
        yield Fact(contact.enter, "blocks", "5.1.7", name, text)
    elif not scene.earth[cell]:
        yield Fact(contact.enter, "passes", "5.1.7", name, f"{scene.hex_name(cell)}: open, as clear terrain is")


def _ground(scene: Scene, line: Line, contact: Contact, cell: int) -> Iterator[Fact]:
    """Ground that is no obstacle matters where it is higher than the lower end (5.1.9.3)."""
    level, name = int(scene.ground[cell]), scene.hex_name(cell)
    at = scene.label(cell)
    meets = contact.how == "through" or scene.options["ground_border"] == "blocks"
    if level <= line.low or not meets:
        if contact.how == "through" and scene.kind[cell]:
            yield Fact(contact.enter, "passes", _OBSTACLE, at, f"{name}: no obstacle")
        return
    front = line.in_front(contact, cell)
    if level > line.high or (level == line.high and (scene.options["low_ground"] == "plateau" or front)):
        yield from height_facts(line, name, level, contact, at, cell)
    blind = level <= line.high and front
    if blind and scene.options["level_change"] == "ground":
        text = f"{name}: level {level}, {_blind(line)}, at a change of level"
        yield Fact(contact.enter, "blocks", _HEIGHTS, at, text)


# -- outer walls -----------------------------------------------------------------------------------------------------


def _walls(scene: Scene, line: Line) -> Iterator[Fact]:
    for index, contact in line.walls:
        wall = scene.outer_walls[index]
        place, name = wall.name or wall.id, scene.wall_name(wall)
        if not _outline_counts(scene, contact.how):
            text = f"{name}: the line only {_MEETS[contact.how]} it"
            yield Fact(contact.enter, "passes", _OBSTACLE, place, text)
            continue
        opened = wall_opened(scene, line, contact)
        if opened is not None:
            text = f"{name}: the line goes through the {opened.name} in {scene.label(opened.cell)}"
            rule = "13.5.1" if scene.options["whole_hex_breach"] and opened.sight == "wall_breach" else _OPENINGS
            yield Fact(contact.enter, "passes", rule, place, text)
            continue
        how = "" if contact.how == "cross" else f" (the line {_MEETS[contact.how]} it)"
        yield from height_facts(line, f"{name}{how}", scene.wall_level(wall), contact, place)


_MEETS = {"along": "runs along", "touch": "touches", "cross": "crosses", "through": "crosses"}


def _outline_counts(scene: Scene, how: str) -> bool:
    """Tell whether a contact of this sort with a drawn outline counts as one."""
    return how not in ("touch", "along") or bool(scene.options[f"wall_{how}"] == "blocks")


def wall_opened(scene: Scene, line: Line, contact: LineContact) -> Opening | None:
    """Return the opening through which a line passes an outer wall (5.1.9.4, 13.5.1), None for a standing wall.

    Parameters
    ----------
    scene : Scene
    line : Line
    contact : LineContact
        With the wall.
    """
    for opening in scene.wall_openings:
        cell = opening.cell
        within = any(
            cell in one.cells and one.enter <= contact.enter and contact.leave <= one.leave for one in line.hexes
        )
        if within and _lets_through(scene, line, opening):
            return opening
    return None


def _lets_through(scene: Scene, line: Line, opening: Opening) -> bool:
    """Tell whether a line that crosses a wall in the hex of an opening goes through the opening."""
    ends = (line.start, line.end)
    breach = opening.sight == "wall_breach"
    if breach and scene.options["whole_hex_breach"]:
        return True
    if breach and scene.options["wall_breach_line"] == "arc":
        return any(scene.in_arc(opening, end.number) for end in ends)
    for one, other in (ends, ends[::-1]):
        if one.number == opening.cell:
            return scene.in_arc(opening, other.number)
    # Apertures serve only who is at them; a breach is looked through from afar, along the line through its dot.
    return breach and _between(line.a, opening.at, line.b) and any(scene.in_arc(opening, end.number) for end in ends)


def _between(a: Point, p: Point, b: Point) -> bool:
    """Tell whether a point lies on the segment between two others."""
    if (b[0] - a[0]) * (p[1] - a[1]) != (b[1] - a[1]) * (p[0] - a[0]):
        return False
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


# -- buildings -------------------------------------------------------------------------------------------------------


def _buildings(scene: Scene, line: Line) -> Iterator[Fact]:
    ends = (line.start, line.end)
    roofs = {end.building for end in ends if end.kind == ROOF}
    for building, contacts in line.buildings:
        if building.index in roofs:
            text = f"{scene.building_name(building)}: a unit on its own roof sees over all of it"
            yield Fact(contacts[0].enter, "passes", _HEIGHTS, building.name, text)
            continue
        inner = [line.exit if end is line.start else line.entry for end in ends if end.building == building.index]
        rest = tuple(contact for contact in contacts if (contact.enter, contact.leave) not in inner)
        for contact in line.counting(rest):
            yield from _building(scene, line, building, contact)
    if line.start.kind == ROOM:
        yield _opening(scene, line, line.start, line.end)
    if line.end.kind == ROOM:
        yield _opening(scene, line, line.end, line.start)


def _building(scene: Scene, line: Line, building: Building, contact: AreaContact) -> Iterator[Fact]:
    name = building.name
    if contact.how != "through" and not _outline_counts(scene, contact.how):
        text = f"{scene.building_name(building)}: the line only {_MEETS[contact.how]} its facade"
        yield Fact(contact.enter, "passes", _OBSTACLE, name, text)
        return
    how = "" if contact.how == "through" else f" (the line {_MEETS[contact.how]} its facade)"
    crown = f" with {building.crown} on its roof" if building.crown else ""
    yield from height_facts(line, f"{scene.building_name(building)}{crown}{how}", building.level, contact, name)


def _opening(scene: Scene, line: Line, end: End, other: End) -> Fact:
    """Aperture or breach by which a unit in a building sees out, and is seen (5.1.9.4)."""
    span = line.exit if end is line.start else line.entry
    where = Fraction(0 if end is line.start else 1)
    if span is not None:
        where = span[1] if end is line.start else span[0]
    outside, closed = [], []
    found = scene.openings_of.get(end.number, ())
    for opening in found:
        what = f"{end.label} {opening.name}"
        inside = scene.in_arc(opening, other.number)
        if not opening.open:
            closed += [opening.name] if inside else []
        elif not inside:
            outside.append(opening.name)
        elif scene.options["arc"] == "facade" and not _leaves_by_own_facade(scene, line, end):
            text = f"{what}: the line does not leave the building through the facade of {end.label}"
            return Fact(where, "blocks", _OPENINGS, end.label, text)
        else:
            text = f"{what}: {other.label} lies in its arc of fire"
            return Fact(where, "passes", _OPENINGS, end.label, text)
    if closed:
        text = f"{end.label} {closed[0]}: not made yet, so the facade hides {end.label} from {other.label}"
    elif len(outside) == 1:
        text = f"{end.label} {outside[0]}: {other.label} lies outside its arc of fire"
    elif outside:
        text = f"{end.label}: {other.label} lies outside the arcs of fire of {' and '.join(outside)}"
        if len(outside) > 2:
            text = f"{end.label}: none of its {len(outside)} openings has {other.label} in its arc of fire"
    else:
        openings = "no aperture, and no breach has been made" if found else "no aperture"
        text = f"{end.label}: {openings}, so the facade of its building hides it"
    return Fact(where, "blocks", _OPENINGS, end.label, text)


def _leaves_by_own_facade(scene: Scene, line: Line, end: End) -> bool:
    """Tell whether a line keeps to a room, without a partition, until it is out of the building."""
    at_start = end is line.start
    area = scene.areas[end.number]
    contacts = area_contacts(line.a, line.b, area.outline, area.holes)
    own = next((c for c in (contacts if at_start else contacts[::-1]) if c.how == "through"), None)
    span = line.exit if at_start else line.entry
    if own is None or span is None or (own.enter, own.leave) != span:
        return False
    return not any(
        span[0] < met.enter < span[1] for wall in scene.partitions for met in line_contacts(line.a, line.b, wall.line)
    )


# -- rooms with a marker ---------------------------------------------------------------------------------------------


def _bodies(line: Line) -> Iterator[Fact]:
    for body, contacts in line.bodies():
        for contact in contacts:
            yield from body_facts(line, body, contact)


def body_facts(line: Line, body: Body, contact: AreaContact) -> Iterator[Fact]:
    """Yield what a room with smoke, a wreck or a Fortified marker does to a line."""
    label = line.scene.label(body.number)
    yield from height_facts(line, f"{label} {body.what}", body.level, contact, label)
